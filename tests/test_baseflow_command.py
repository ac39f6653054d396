"""`headwater baseflow`: base flow of a file or a gauge, against answers worked by hand and the reference table."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pypdf
import pytest

from models.streamflow.separation.methods import METHODS
from pipelines import chromium, cli
from sample_data import demo
from tests.test_separation import OWN, ROWS, SHARED

DATASETS = {
    "wi_05427948_pheasant_branch": ("--from", "1995-01-01", "--to", "2022-11-30"),
    "me_01013500_fish_river": ("--from", "2019-01-01", "--to", "2020-12-31"),
    "uk_ray_tallaksen": ("--unit", "cfs"),
}
FLOWS = ["5", "4", "3", "6", "9", "8", "2", "7", "7", "1"]
FIXED = [3, 3, 3, 6, 6, 6, 2, 2, 2, 1]
"""Minima of (5 4 3)(6 9 8)(2 7 7)(1): three days wide at one square mile."""
SLIDING = [4, 3, 3, 3, 6, 2, 2, 2, 1, 1]

Run = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """One command in this process with --json: exit code, its answer, its error output."""

    def command(*arguments: object) -> tuple[int, Any, str]:
        capfd.readouterr()
        code = cli.run([*map(str, arguments), "--json"])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return code, json.loads(out, parse_constant=lambda name: pytest.fail(name)) if out else None, err

    return command


@pytest.fixture
def said(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a command prints for people."""

    def command(*arguments: object) -> str:
        capfd.readouterr()
        assert cli.run([*map(str, arguments)]) == 0
        return capfd.readouterr().out

    return command


def daily(path: Path, cells: Sequence[str], start: str = "2024-08-01") -> Path:
    """A csv date,value,qualifier; a cell is ``value`` or ``value code``, empty leaves the day out."""
    first = date.fromisoformat(start)
    rows = [
        f"{first + timedelta(days=k)},{cell.split()[0]},{' '.join(cell.split()[1:])}"
        for k, cell in enumerate(cells) if cell
    ]  # fmt: skip
    path.write_text("\n".join(["date,value,qualifier", *rows]) + "\n", encoding="utf-8")
    return path


def base_flows(answer: dict[str, Any]) -> list[float | None]:
    return [row["base_flow"] for row in answer["rows"]]


@pytest.mark.parametrize(("method", "expected"), [("hysep-fixed", FIXED), ("hysep-sliding", SLIDING)])
def test_ten_days_worked_by_hand(run: Run, tmp_path: Path, method: str, expected: list[float]) -> None:
    path = daily(tmp_path / "a.csv", FLOWS)
    code, answer, _ = run("baseflow", path, "--method", method, "--area-mi2", "1", "--rows")
    assert code == 0
    assert base_flows(answer) == expected
    assert [row["flow"] for row in answer["rows"]] == [float(one) for one in FLOWS]
    assert (answer["rows"][0]["date"], answer["rows"][-1]["date"]) == ("2024-08-01", "2024-08-10")
    assert (answer["method"], answer["parameters"], answer["n"]) == (method, {"area_mi2": 1.0}, 10)
    assert answer["bfi"] == pytest.approx(sum(expected) / 52)


def test_days_under_ice_are_unknown_first_and_a_hydrographers_estimate_is_kept(run: Run, tmp_path: Path) -> None:
    path = daily(tmp_path / "a.csv", ["5 A", "4 A", "3 A:e", "50 P:Ice", "9 P", "8 P", "", "-2", "2 P"])
    _, answer, _ = run("baseflow", path, "--method", "hysep-fixed", "--area-mi2", "1", "--rows")
    assert base_flows(answer) == [3, 3, 3, None, 8, 8, None, None, 2]
    assert answer["rows"][3] == {"date": "2024-08-04", "flow": None, "base_flow": None}
    assert answer["unknown_days"] == {"Ice": 1, "negative flow": 1, "no row": 1}
    assert (answer["n"], answer["known_days"], answer["provisional_days"]) == (6, 6, 3)
    assert answer["bfi"] == pytest.approx(27 / 31)


def test_a_bound_and_a_thin_day_are_no_values(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = ["2024-08-01,5,,100%", "2024-08-02,4,<,100%", "2024-08-03,3,,79%", "2024-08-04,2,,80%"]
    path.write_text("\n".join(["date,value,qualifier,coverage", *rows]) + "\n", encoding="utf-8")
    _, answer, _ = run("baseflow", path, "--method", "hysep-fixed", "--area-mi2", "1", "--rows")
    assert [row["flow"] for row in answer["rows"]] == [5, None, None, 2]
    assert answer["unknown_days"] == {"the value is only a bound": 1, "coverage 79%": 1}


def test_the_digest_is_of_the_days_used(run: Run, tmp_path: Path) -> None:
    path = daily(tmp_path / "a.csv", ["5.10", "4 Ice", "3"])
    _, answer, _ = run("baseflow", path, "--method", "ukih")
    assert answer["days_digest"] == hashlib.sha256(b"2024-08-01 5.10\n2024-08-03 3\n").hexdigest()
    assert (answer["bfi"], answer["n"], answer["reason"]) == (None, 0, "no day with base flow")


def test_a_span_of_days(run: Run, tmp_path: Path) -> None:
    path = daily(tmp_path / "a.csv", FLOWS)
    asked = ("baseflow", path, "--method", "hysep-fixed", "--area-mi2", "1", "--rows")
    _, answer, _ = run(*asked, "--from", "2024-08-02", "--to", "2024-08-05")
    assert base_flows(answer) == [3, 3, 3, 9]
    for wrong in (("--from", "2025-01-01"), ("--from", "2024-08-05", "--to", "2024-08-02")):
        assert run(*asked, *wrong)[0] == 2


def test_flow_in_cubic_metres_is_converted(run: Run, tmp_path: Path) -> None:
    path = daily(tmp_path / "a.csv", ["1", "2"])
    _, answer, _ = run("baseflow", path, "--method", "hysep-fixed", "--area-mi2", "1", "--rows", "--unit", "m3/s")
    assert [row["flow"] for row in answer["rows"]] == pytest.approx([35.31466672, 70.62933344])  # 1 / 0.3048^3
    assert "converted from m3/s to cfs" in answer["notes"]


def test_several_stations_are_named_and_one_is_taken(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    rows = [f"2024-08-0{day},{flow},{station}" for station, flow in (("A", 5), ("B", 2)) for day in (1, 2, 3)]
    path.write_text("\n".join(["date,value,station", *rows]) + "\n", encoding="utf-8")
    asked = ("baseflow", path, "--method", "hysep-fixed", "--area-mi2", "1", "--rows")
    code, _, err = run(*asked)
    assert (code, "several series of discharge" in err, "allowed: A, B" in err) == (2, True, True)
    assert base_flows(run(*asked, "--station", "B")[1]) == [2, 2, 2]
    code, _, err = run(*asked, "--station", "C")
    assert (code, "no such series" in err) == (2, True)


def test_the_last_version_of_a_csv_speaks(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    rows = [f"2024-08-0{day},{flow},{version}" for version, flow in ((1, 5), (2, 4)) for day in (1, 2, 3)]
    path.write_text("\n".join(["date,value,version", *rows]) + "\n", encoding="utf-8")
    assert base_flows(run("baseflow", path, "--method", "hysep-fixed", "--area-mi2", "1", "--rows")[1]) == [4, 4, 4]


def quarters(path: Path, values: Sequence[float], iced: Sequence[int] = ()) -> Path:
    """15-minute values of whole days from 1 July 2024, each day at one value; ``iced`` days hold one Ice code."""
    rows = [
        f"USGS\t05999101\t2024-07-{day + 1:02d} {k // 4:02d}:{k % 4 * 15:02d}\tCDT\t{value}\t"
        f"{'P:Ice' if day in iced and k == 40 else 'P'}"
        for day, value in enumerate(values) for k in range(96)
    ]  # fmt: skip
    head = "agency_cd\tsite_no\tdatetime\ttz_cd\t100001_00060\t100001_00060_cd\n5s\t15s\t20d\t6s\t14n\t10s\n"
    path.write_text("# made up\n" + head + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_instants_become_means_of_civil_days_and_a_code_speaks_for_its_day(run: Run, tmp_path: Path) -> None:
    path = quarters(tmp_path / "uv.rdb", [6, 3, 9, 4], iced=[2])
    _, answer, err = run("baseflow", path, "--method", "hysep-fixed", "--area-mi2", "1", "--rows")
    assert not err
    assert [(row["date"], row["flow"]) for row in answer["rows"]] == [
        ("2024-07-01", 6), ("2024-07-02", 3), ("2024-07-03", None), ("2024-07-04", 4)
    ]  # fmt: skip
    assert base_flows(answer) == [3, 3, None, 4]
    assert (answer["station"], answer["unknown_days"]) == ("05999101", {"Ice": 1})


def test_a_wall_clock_is_that_of_the_zone(run: Run, tmp_path: Path) -> None:
    """Hourly readings of local days, each at one value: read as UTC, days would mix."""
    rows = [f"2024-07-0{day + 1} {hour:02d}:00,{value}" for day, value in enumerate((6, 3, 9)) for hour in range(24)]
    (tmp_path / "a.csv").write_text("\n".join(["datetime,discharge (cfs)", *rows]) + "\n", encoding="utf-8")
    _, answer, err = run("baseflow", tmp_path / "a.csv", "--method", "hysep-fixed", "--area-mi2", "1", "--rows")
    assert not err
    assert [(row["date"], row["flow"]) for row in answer["rows"]] == [
        ("2024-07-01", 6), ("2024-07-02", 3), ("2024-07-03", 9)
    ]  # fmt: skip


def test_a_gauge_of_the_site(run: Run, tmp_path: Path) -> None:
    site = tmp_path / "site"
    demo.fresh_site(site)
    file = demo.SAMPLE / "baseline" / "usgs-05999101-dv-2025-06-30.rdb"
    assert run("ingest", file, "--site", site)[0] == 0
    asked = ("--method", "ukih", "--to", "2024-12-20")
    _, of_gauge, _ = run("baseflow", "LMC-1", "--site", site, *asked)
    _, of_file, _ = run("baseflow", file, *asked)
    assert of_gauge["n"] > 300
    assert {key: of_gauge[key] for key in ("bfi", "n", "days_digest")} == {
        key: of_file[key] for key in ("bfi", "n", "days_digest")
    }
    code, _, err = run("baseflow", "LMC-9", "--site", site, "--method", "ukih")
    assert (code, "neither a file nor a gauge" in err, "LMC-1" in err) == (2, True, True)


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")
@pytest.mark.parametrize("dataset", DATASETS)
def test_the_reference_table(run: Run, tmp_path: Path, dataset: str) -> None:
    text = (SHARED / "baseflow" / "data" / f"{dataset}.csv").read_text(encoding="utf-8")
    lines = [",".join((*line.split(","), "")[:3]) for line in text.splitlines()[1:]]
    if dataset.startswith("uk"):
        lines = [",".join(line.split(",")[:2]) + "," for line in lines]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["date,value,qualifier", *lines]) + "\n", encoding="utf-8")
    rows = [row for row in OWN if row["dataset"] == dataset]
    assert len(rows) >= 19
    for row in rows:
        method, given, takes_k = ROWS[row["method"]]
        keys = {one.key for one in METHODS[method].parameters}
        given = given | ({"area_mi2": row["area_mi2"]} if "area_mi2" in keys else {})
        given = given | ({"alpha": re.findall(r"k=([\d.]+)", row["note"])[0]} if takes_k else {})
        flags = [part for key, value in given.items() for part in (f"--{key.replace('_', '-')}", str(value))]
        code, answer, err = run("baseflow", path, "--method", method, *flags, *DATASETS[dataset])
        assert code == 0, err
        # The constants in the notes are printed to five places.
        assert answer["bfi"] == pytest.approx(float(row["bfi"]), abs=3e-5 if takes_k else 2e-6), row["method"]
        assert answer["n"] == int(row["n_finite"])


# Parameters ----------------------------------------------------------------------------------------------------------

EXAMPLES = {
    "area_mi2": "60", "alpha": "0.95", "bfi_max": "0.6", "c": "0.1", "ratio": "0.8", "w": "0.4", "smoothing": "0.1",
    "alpha_s": "-0.2", "block_days": "4", "factor": "0.85", "origin_days": "1", "daily_factor": "0.97", "passes": "1",
    "reflect_days": "10", "variant": "nathan-mcmahon", "start": "zero",
}  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_every_parameter_by_flag_and_by_set(run: Run, tmp_path: Path, method: str) -> None:
    path = daily(tmp_path / "a.csv", [f"{20 + 15 * math.sin(k / 9):.2f}" for k in range(80)])
    pairs = {one.key: EXAMPLES[one.key] for one in METHODS[method].parameters}
    flags = [part for key, value in pairs.items() for part in (f"--{key.replace('_', '-')}", value)]
    sets = [part for key, value in pairs.items() for part in ("--set", f"{key}={value}")]
    _, by_flag, _ = run("baseflow", path, "--method", method, *flags)
    _, by_set, _ = run("baseflow", path, "--method", method, *sets)
    assert by_flag == by_set
    assert {key: str(value) for key, value in by_flag["parameters"].items()} == {
        key: str(type(by_flag["parameters"][key])(value)) for key, value in pairs.items()
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--method", "part"], ["area_mi2", "part needs the drainage area"]),
        (["--method", "part", "--area-mi2", "0"], ["area_mi2", "out of range"]),
        (["--method", "part", "--area-mi2", "wide"], ["area_mi2", "not a number", "wide"]),
        (["--method", "ukih", "--alpha", "0.9"], ["alpha", "no parameter of ukih", "block_days"]),
        (["--method", "ukih", "--set", "blocks=5"], ["--set", "no such parameter", "blocks"]),
        (["--method", "ukih", "--set", "block_days=5", "--block-days", "5"], ["block_days", "given twice"]),
        (["--method", "ukih", "--block-days", "2.5"], ["block_days", "not a number"]),
        (["--method", "lyne-hollick", "--variant", "other"], ["variant", "no such choice", "ladson"]),
        (["--method", "eckhard"], ["eckhard", "eckhardt"]),
        ([], ["--method"]),
    ],
)
def test_what_is_wrong_is_said_in_one_line(run: Run, tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    code, answer, err = run("baseflow", daily(tmp_path / "a.csv", FLOWS), *arguments)
    assert (code, answer, len(err.splitlines())) == (2, None, 1)
    assert [word for word in words if word not in err] == []


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["5 Ice", "4 Ice"], "no day with a usable discharge"),
        (["-5"], "no day with a usable discharge"),
        (["NA", "NA"], "no day with a usable discharge"),
    ],
)
def test_a_record_of_which_no_day_is_known(run: Run, tmp_path: Path, cells: list[str], words: str) -> None:
    code, _, err = run("baseflow", daily(tmp_path / "a.csv", cells), "--method", "ukih")
    assert (code, words in err) == (2, True)


def test_a_day_twice_is_one_if_both_rows_agree(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("date,value\n2024-08-01,5\n2024-08-01,5\n2024-08-02,4\n", encoding="utf-8")
    assert run("baseflow", path, "--method", "hysep-fixed", "--area-mi2", "1")[1]["n"] == 2
    path.write_text("date,value\n2024-08-01,5\n2024-08-01,6\n", encoding="utf-8")
    code, _, err = run("baseflow", path, "--method", "hysep-fixed", "--area-mi2", "1")
    assert (code, "2024-08-01" in err, "5 and 6" in err) == (2, True, True)


def test_a_row_that_could_not_be_taken_is_named_and_is_the_exit_code(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("date,value\n2024-08-01,5\n2024-08-02,high\n2024-08-03,4\n", encoding="utf-8")
    code, answer, _ = run("baseflow", path, "--method", "hysep-fixed", "--area-mi2", "1")
    assert (code, answer["n"], len(answer["left_out"])) == (3, 2, 1)
    assert "row 3" in answer["left_out"][0]


# Side by side and in figures -----------------------------------------------------------------------------------------


def test_all_methods_side_by_side_say_why_one_is_missing(run: Run, said: Callable[..., str], tmp_path: Path) -> None:
    path = daily(tmp_path / "a.csv", FLOWS)
    _, answer, _ = run("baseflow", path, "--method", "all", "--area-mi2", "1", "--alpha", "0.95", "--rows")
    found = {one["method"]: one for one in answer["methods"]}
    assert list(found) == list(METHODS)
    assert found["hysep-fixed"]["bfi"] == pytest.approx(34 / 52)
    assert (found["ewma"]["bfi"], found["ewma"]["n"]) == (None, 0)
    assert "smoothing" in found["ewma"]["reason"]
    assert [row["base_flow"]["hysep-sliding"] for row in answer["rows"]] == SLIDING
    assert "ewma" not in answer["rows"][0]["base_flow"]
    table = said("baseflow", path, "--method", "all", "--area-mi2", "1")
    assert re.search(r"HYSEP fixed interval.* 0\.6538 +10 ", table)
    assert re.search(r"Chapman \(1991\).*alpha", table)


def test_the_recession_constant_is_not_the_parameter_of_lyne_and_hollick(run: Run, tmp_path: Path) -> None:
    path = daily(tmp_path / "a.csv", FLOWS)
    _, answer, _ = run("baseflow", path, "--method", "all", "--alpha", "0.95")
    alpha = {one["method"]: (one["parameters"] or {}).get("alpha") for one in answer["methods"]}
    assert (alpha["chapman"], alpha["eckhardt"], alpha["lyne-hollick"]) == (0.95, 0.95, 0.925)


def test_a_hydrograph_is_said_to_be_no_base_flow_to_judge_by(said: Callable[..., str], tmp_path: Path) -> None:
    text = said("baseflow", daily(tmp_path / "a.csv", FLOWS), "--method", "hysep-fixed", "--area-mi2", "1")
    assert "no base flow to judge by" in text
    assert "cfs" in text


def figures(html: str) -> list[dict[str, Any]]:
    return [json.loads(one) for one in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', html)]


@pytest.fixture
def page(run: Run, tmp_path: Path) -> Path:
    cells = ["5 A", "4 A", "3 A", "50 P:Ice", "9 P", "8 P", "", "6 P:e", "0 P", "2 P"]
    run("baseflow", daily(tmp_path / "a.csv", cells), "--method", "hysep-fixed", "--area-mi2", "1",
        "--page", tmp_path / "a page.html")  # fmt: skip
    return tmp_path / "a page.html"


def test_the_page_shows_what_is_known_and_no_more(page: Path) -> None:
    hydrograph, duration = figures(page.read_text(encoding="utf-8"))
    drawn = {one["name"]: one for one in hydrograph["data"]}
    base = next(one for name, one in drawn.items() if name.startswith("Base flow, HYSEP fixed"))
    assert base["x"][:6] == ["2024-08-01", "2024-08-02", "2024-08-03", None, "2024-08-05", "2024-08-06"]
    assert base["y"][:6] == [3, 3, 3, None, 8, 8]
    assert (drawn["A day alone"]["x"], drawn["A day alone"]["y"]) == (["2024-08-08", "2024-08-10"], [6, 2])
    assert drawn["Approved"]["x"] == ["2024-08-01", "2024-08-02", "2024-08-03"]
    provisional = drawn["Provisional, subject to revision"]
    assert provisional["line"]["dash"] != "solid"
    assert "2024-08-04" not in provisional["x"]
    assert hydrograph["layout"]["yaxis"]["type"] == "log"
    shades = {one["name"]: (one["x0"], one["x1"]) for one in hydrograph["layout"]["shapes"]}
    assert shades["Ice: no value"] == ("2024-08-03T12:00", "2024-08-04T12:00")
    assert shades["No value"] == ("2024-08-06T12:00", "2024-08-07T12:00")
    # Known flows 9 8 6 5 4 3 2 0: ranks of 1 to 8 over nine; no flow has no place on a log axis.
    curve = duration["data"][0]
    assert curve["y"] == [9, 8, 6, 5, 4, 3, 2]
    assert curve["x"] == [round(100 * k / 9, 3) for k in range(1, 8)]


def test_the_page_asks_nobody_anything_and_lets_only_its_own_scripts_run(page: Path) -> None:
    html = page.read_text(encoding="utf-8")
    assert re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=", html) == []
    policy = re.findall(r'Content-Security-Policy" content="([^"]+)"', html)[0]
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert len(scripts) == 2
    for one in scripts:
        assert f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" in policy
    assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
    assert str(page.parent) not in html


def test_the_same_record_gives_the_same_page(run: Run, page: Path, tmp_path: Path) -> None:
    before = page.read_bytes()
    run("baseflow", tmp_path / "a.csv", "--method", "hysep-fixed", "--area-mi2", "1", "--page", page)
    assert page.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".page-")] == []


def test_a_page_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path) -> None:
    path = daily(tmp_path / "a.csv", FLOWS)
    code, _, err = run("baseflow", path, "--method", "ukih", "--page", tmp_path / "none" / "a.html")
    assert (code, len(err.splitlines())) == (4, 1)


def test_a_browser_draws_the_figures(page: Path, tmp_path: Path) -> None:
    try:
        browser = chromium.found(os.environ)
    except chromium.NoBrowser as caught:
        pytest.skip(str(caught))
    chromium.print_pdf(browser, page, tmp_path / "a.pdf", seconds=chromium.patience(2))
    text = " ".join(one.extract_text() for one in pypdf.PdfReader(tmp_path / "a.pdf").pages)
    assert "could not be drawn" not in text
    assert "Provisional, subject to revision" in text
    assert "Days on which it is equalled or exceeded" in text


def test_reference_rows_cover_the_registry() -> None:
    """A method without a row in the reference table is known by name, so that a new one is not untested unnoticed."""
    assert set(METHODS) - {method for method, _, _ in ROWS.values()} == {"ukih-averaged", "ewma", "ihacres"}
