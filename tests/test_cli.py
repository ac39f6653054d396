"""The command line is the contract: help, JSON, exit codes, fields, and no traceback at a user."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import click
import pytest
from sqlalchemy import select

from pipelines import cli, schema
from pipelines.database import opened, reading
from sample_data import demo

ROOT = Path(__file__).resolve().parents[1]
CASES = list(csv.DictReader((Path(__file__).parent / "data/shortfall_cases.csv").read_text("utf-8").splitlines()))
CELL = re.compile(r"(?P<value>NA|ICE|-?[\d.]+?)(?P<mark>[PAI]?)(@(?P<share>[\d.]+%))?(x(?P<times>\d+))?")
COMMANDS = [(name,) for name in cli.COMMANDS] + [("case", "show"), ("case", "record")]
LAB = demo.SAMPLE / "baseline" / "grn-export-2025-04-29.csv"
REMEDY = "howard.remedy/R-1/2025-08-11"
FIRST, SECOND = "2025-06-30", "2025-08-12"
DELIVERIES = {
    FIRST: ["baseline/usgs-05999101-dv-2025-06-30.rdb", "baseline/hand-levels-2025-06-30.csv"],
    SECOND: [
        "nights/2025-07-15/usgs-05999101-dv-2025-07-15.rdb",
        "nights/2025-07-28/usgs-05999101-dv-2025-07-28.rdb",
        "nights/2025-08-11/hand-levels-2025-08-11.csv",
        "nights/2025-08-11/owner-log-2025-08-11.csv",
    ],
}

Answer = tuple[int, str, str]
Headwater = Callable[..., Answer]


@pytest.fixture
def headwater(capfd: pytest.CaptureFixture[str]) -> Headwater:
    """Run one command in this process: exit code, output, error output. Whatever happens, it is said in one line."""

    def run(*arguments: object) -> Answer:
        capfd.readouterr()
        code = cli.run([str(one) for one in arguments])
        out, err = capfd.readouterr()
        assert code in {0, 1, 2, 3, 4}, (code, err)
        assert "Traceback" not in out + err
        if code in {2, 4}:
            assert len(err.splitlines()) == 1, err
            assert err.startswith("headwater: ")
        return code, out, err

    return run


@pytest.fixture
def answer(headwater: Headwater) -> Callable[..., Any]:
    """The JSON of a command; there is no NaN in it."""

    def run(*arguments: object) -> Any:
        code, out, err = headwater(*arguments, "--json")
        assert code in {0, 1, 3}, err
        return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))

    return run


@pytest.fixture(scope="module")
def after_first_night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with one night on record and the next delivery waiting. Look, do not touch."""
    site = tmp_path_factory.mktemp("cli") / "site"
    demo.fresh_site(site)
    for on, files in DELIVERIES.items():
        demo.deliver(site, [demo.SAMPLE / name for name in files])
        if on == FIRST:
            demo.run_night(site, date.fromisoformat(on))
    return site


@pytest.fixture(scope="module")
def after_second_night(after_first_night: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same site one night on. Look, do not touch."""
    site = tmp_path_factory.mktemp("cli") / "site"
    shutil.copytree(after_first_night, site)
    demo.run_night(site, date.fromisoformat(SECOND))
    return site


@pytest.fixture
def waiting(after_first_night: Path, tmp_path: Path) -> Path:
    """A copy of one's own, the second delivery in its inbox."""
    return Path(shutil.copytree(after_first_night, tmp_path / "waiting"))


@pytest.fixture
def site(after_second_night: Path, tmp_path: Path) -> Path:
    """A copy of one's own, two nights on record."""
    return Path(shutil.copytree(after_second_night, tmp_path / "site"))


# Help and JSON -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help_and_json(headwater: Headwater, command: tuple[str, ...]) -> None:
    code, out, _ = headwater(*command, "--help")
    assert code == 0
    assert out.startswith("Usage: ")
    found = cli.cli.get_command(click.Context(cli.cli), command[0])
    for name in command[1:]:
        assert isinstance(found, click.Group)
        found = found.commands[name]
    assert found is not None
    assert found.help
    if not isinstance(found, click.Group):
        options = [one for one in found.params if isinstance(one, click.Option)]
        assert "--json" in {name for one in options for name in one.opts}
        assert [one.name for one in options if not one.help and one.name not in UNEXPLAINED] == []


UNEXPLAINED = {"quantity"}  # its two choices say it


def test_help_lists_every_command_without_loading_any_of_them() -> None:
    script = "import sys; from pipelines.cli import run; run(['--help']); sys.exit('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    for name, (_, _, short) in cli.COMMANDS.items():
        assert re.search(rf"^  {name} +{short.split()[0]}", done.stdout, re.MULTILINE)


def test_what_no_issue_has_named_yet_is_absent(headwater: Headwater) -> None:
    for name in ("backup",):
        assert headwater(name)[0] == 2


JSON = {
    "check": ["check"],
    "check --standards": ["check", "--standards"],
    "read": ["read", LAB],
    "rejects": ["rejects"],
    "findings": ["findings"],
    "findings --all": ["findings", "--all"],
    "cases": ["cases"],
    "cases --all": ["cases", "--all"],
    "case show": ["case", "show", REMEDY],
    "clock": ["clock", "--as-of", SECOND],
    "quality": ["quality", LAB],
    "nightly": ["nightly", "--as-of", SECOND],
    "nightly --dry-run": ["nightly", "--as-of", SECOND, "--dry-run"],
    "ingest": ["ingest", demo.SAMPLE / "nights/2025-08-12/usgs-05999101-dv-2025-08-12.rdb"],
}


@pytest.mark.parametrize("arguments", JSON.values(), ids=JSON.keys())
def test_every_answer_is_json_for_machines_and_text_for_people(
    headwater: Headwater, answer: Callable[..., Any], site: Path, arguments: list[object]
) -> None:
    place = [] if arguments[0] == "read" else ["--site", site]
    assert answer(*arguments, *place) is not None
    code, out, _ = headwater(*arguments, *place)
    assert code in {0, 1, 3}
    assert out.strip()
    with pytest.raises(json.JSONDecodeError):
        json.loads(out)


# Exit codes ----------------------------------------------------------------------------------------------------------


def test_0_done(headwater: Headwater, tmp_path: Path) -> None:
    assert headwater("init", tmp_path / "new")[0] == 0
    assert headwater("check", "--site", tmp_path / "new")[0] == 0
    assert headwater("nightly", "--as-of", FIRST, "--site", tmp_path / "new")[0] == 0


def test_1_a_check_says_no(headwater: Headwater, tmp_path: Path, site: Path) -> None:
    levels = tmp_path / "levels.csv"
    levels.write_text("date,value,qualifier\n2025-07-01,4.80,P\n2025-07-02,4.8O,P\n")
    assert headwater("read", levels)[0] == 1
    with (site / "events.csv").open("a") as file:
        file.write("howard.remedy/R-1/2025-08-11,town_receipt,some day,2025-08-11T09:40:00-05:00,clerk,,,\n")
    code, out, _ = headwater("check", "--site", site)
    assert code == 1
    assert "events.csv: row 17: happened_at: not a time" in out


def test_2_bad_input(headwater: Headwater, site: Path) -> None:
    assert headwater("quality", "MW-99", "--site", site)[0] == 2
    assert headwater("clock", "--as-of", "yesterday", "--site", site)[0] == 2
    assert headwater("case", "show", "howard.remedy/R-9/2025-01-01", "--site", site)[0] == 2
    assert headwater("read", "no-such-file.csv")[0] == 2
    assert headwater("nightly", "--site", site / "inbox")[0] == 2
    assert headwater("shortfall")[0] == 2


def test_3_something_was_left_out(headwater: Headwater, waiting: Path) -> None:
    (waiting / "inbox" / "scan.pdf").write_bytes(b"%PDF-1.7 a scan of nothing we can read")
    code, out, _ = headwater("nightly", "--as-of", SECOND, "--site", waiting)
    assert code == 3
    assert "scan.pdf" in out.partition("Left out")[2]


def test_4_the_environment_failed(headwater: Headwater, monkeypatch: pytest.MonkeyPatch, site: Path) -> None:
    monkeypatch.setenv("HEADWATER_DATABASE_URL", "mysql://somewhere/else")
    assert headwater("findings", "--site", site)[0] == 4


def test_a_defect_of_the_program_is_one_line_too(
    headwater: Headwater, monkeypatch: pytest.MonkeyPatch, site: Path
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("pipelines.casebook.versions", broken)
    code, _, err = headwater("findings", "--site", site)
    assert (code, "a fault of the program: RuntimeError: two lines" in err) == (4, True)


HOSTILE = [
    ["nightly", "--as-of", "2025-02-30"],
    ["nightly", "--as-of", "9999-12-31", "--dry-run"],
    ["nightly", "--as-of", "0001-01-01"],
    ["clock", "--as-of", "9999-12-31"],
    ["clock", "--as-of", "0001-01-01"],
    ["findings", "--since", "0001-01-01"],
    ["clock", "--who", "me"],
    ["case", "show", "\n\x1b[31m"],
    ["case", "show", ""],
    ["case", "record", "a/b/2025-13-45", "x", "--at", "2025-01-01T00:00", "--by", "clerk"],
    ["case", "record", REMEDY, "town_receipt", "--at", "0001-01-01T00:00", "--by", "clerk"],
    ["case", "record", REMEDY, "town_receipt", "--at", "9999-12-31T23:59", "--by", "clerk"],
    ["case", "record", REMEDY, "town_receipt", "--at", "2025-08-11T09:15", "--by", ""],
    ["case", "record", REMEDY, "town_receipt", "--at", "2025-08-11T09:15", "--by", "clerk", "--note", "x" * 9999],
    ["quality", ""],
    ["quality", "."],
    ["ingest", "."],
    ["ingest", "/dev/null"],
    ["rejects", "--file", "\0"],
    ["findings", "--rule", "'; DROP TABLE finding; --"],
]


@pytest.mark.parametrize("arguments", HOSTILE, ids=lambda one: repr(" ".join(one))[:60])
def test_whatever_is_asked_is_answered_in_words(
    headwater: Headwater, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    code, out, err = headwater(*arguments, "--site", site)
    assert code in {0, 2, 3}, err
    assert "fault of the program" not in err
    assert "\x1b" not in out + err


@pytest.mark.parametrize("flow", ["", "x", "-1", "NaN", "Infinity", "13=5.00", "6=", "A:|B:2", "=5"])
def test_a_base_flow_that_is_none(headwater: Headwater, tmp_path: Path, flow: str) -> None:
    (tmp_path / "flow.csv").write_text("date,value\n2025-07-01,4.80\n")
    code, _, err = headwater("shortfall", tmp_path / "flow.csv", f"--base-flow={flow}")
    assert (code, "--base-flow" in err) == (2, True), err


# read ----------------------------------------------------------------------------------------------------------------


def test_read_has_the_fields_of_the_contract(answer: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "levels.csv"
    file.write_text(
        "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment\n"
        "MW-1,2025-06-30,09:00,CDT,22.18,MP,,,\n"
        "MW-1,2025-07-30,09:00,CDT,twenty,MP,,,\n"
        "MW-1,2025-08-26,09:00,CDT,,MP,DRY,,\n"
    )
    found = answer("read", file)
    assert {"format", "sha256", "series", "rejects"} <= set(found)
    assert found["format"] == "hand-levels"
    assert re.fullmatch("[0-9a-f]{64}", found["sha256"])
    (series,) = found["series"]
    assert set(series) >= {
        *("station", "parameter", "statistic", "series", "unit", "timezone", "datum", "n", "n_missing", "n_censored"),
        *("first", "last", "min", "max", "qualifiers"),
    }
    assert (series["station"], series["unit"], series["statistic"]) == ("MW-1", "ft", "instant")
    assert (series["n"], series["n_missing"], series["n_censored"]) == (2, 1, 0)
    assert series["first"] == {"time": "2025-06-30T14:00:00Z", "value": 22.18, "value_text": "22.18", "qualifiers": ""}
    assert series["last"]["time"] == "2025-08-26T14:00:00Z"
    assert series["last"]["value"] is None
    assert (series["min"], series["max"]) == (22.18, 22.18)
    assert series["qualifiers"] == {"Dry": 1}
    (reject,) = found["rejects"]
    assert (reject["file"], reject["row"], reject["column"]) == ("levels.csv", 3, "depth_to_water_ft")
    assert "twenty" in reject["raw"]
    assert reject["reason"]


def test_read_prints_period_values_with_their_day_and_no_zone(answer: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "flow.csv"
    file.write_text("date,value,qualifier\n2025-07-01,4.80,P\n2025-07-02,NA,\n")
    (series,) = answer("read", file)["series"]
    assert (series["first"]["time"], series["first"]["value_text"], series["timezone"]) == ("2025-07-01", "4.80", None)


def test_read_counts_what_the_laboratory_did_not_detect(answer: Callable[..., Any]) -> None:
    arsenic = [one for one in answer("read", LAB)["series"] if one["parameter"] == "arsenic"]
    assert sum(one["n_censored"] for one in arsenic) >= 1
    assert all(one["n_missing"] == 0 for one in arsenic)


def test_read_gives_tidy_rows_as_json_lines(headwater: Headwater) -> None:
    _, out, _ = headwater("read", LAB, "--rows")
    rows = [json.loads(line) for line in out.splitlines()]
    assert len(rows) > 10
    assert {"file", "time", "station", "parameter", "value", "value_text", "unit", "flags", "row"} <= set(rows[0])


def test_read_of_several_files_gives_a_list_and_the_worst_exit_code(headwater: Headwater, tmp_path: Path) -> None:
    (tmp_path / "page.rdb").write_text("<html><body>503</body></html>")
    code, out, err = headwater("read", LAB, tmp_path / "page.rdb", "--json")
    good, bad = json.loads(out)
    assert (code, good["format"], bad["format"]) == (2, "wdnr-grn", None)
    assert "page.rdb" in err


# nightly -------------------------------------------------------------------------------------------------------------


def test_a_dry_run_changes_nothing_and_shows_what_the_night_then_does(
    answer: Callable[..., Any], waiting: Path
) -> None:
    before = _content(waiting)
    shown = answer("nightly", "--as-of", SECOND, "--dry-run", "--site", waiting)
    assert _content(waiting) == before
    assert answer("nightly", "--as-of", SECOND, "--dry-run", "--site", waiting) == shown
    done = answer("nightly", "--as-of", SECOND, "--site", waiting)
    assert shown.pop("dry_run") is True
    assert (done.pop("sent"), done.pop("not_sent")) == (len(done["mails"]) + done["digests"], [])
    assert shown == done
    assert {one["change"] for one in done["changes"]} >= {"opened"}
    assert done["mails"]
    assert _content(waiting) != before
    assert sorted(one.name for one in (waiting / "inbox").iterdir()) == ["done", "replies"]


def _content(site: Path) -> tuple[dict[str, list[Any]], dict[str, bytes]]:
    """Every row of the store, and every file of the site but the store."""
    with opened(f"sqlite:///{site / 'headwater.db'}") as engine, reading(engine) as connection:
        rows = {
            one.name: sorted((tuple(row) for row in connection.execute(select(one))), key=repr)
            for one in schema.metadata.sorted_tables
        }
    files = {
        str(one.relative_to(site)): one.read_bytes()
        for one in sorted(site.rglob("*"))
        if one.is_file() and not one.name.startswith(("headwater.db", "last_night.json"))
    }
    return rows, files


def test_an_earlier_night_is_refused(headwater: Headwater, site: Path) -> None:
    before = _content(site)
    for flags in ([], ["--dry-run"]):
        code, _, err = headwater("nightly", "--as-of", "2025-08-11", "--site", site, *flags)
        assert code == 2
        assert "--as-of: nights run forward only" in err
        assert "2025-08-12 or later" in err
    assert _content(site) == before


def test_the_same_night_again_does_nothing(answer: Callable[..., Any], site: Path) -> None:
    before = _content(site)
    again = answer("nightly", "--as-of", SECOND, "--site", site)
    assert (again["files"], again["changes"], again["events"], again["mails"], again["sent"]) == ([], [], [], [], 0)
    assert again["digests"] == 0
    assert _content(site) == before


def test_a_late_file_for_the_same_night_leaves_the_first_summary_on_record(
    answer: Callable[..., Any], site: Path
) -> None:
    shutil.copy(demo.SAMPLE / "nights/2025-08-12/usgs-05999101-dv-2025-08-12.rdb", site / "inbox")
    again = answer("nightly", "--as-of", SECOND, "--site", site)
    assert [one["file"] for one in again["files"]] == ["usgs-05999101-dv-2025-08-12.rdb"]
    nights = _content(site)[0]["night"]
    assert [row[2] for row in nights] == [FIRST, SECOND, SECOND]
    assert all(row[4] for row in nights)


def test_what_was_ingested_ahead_is_in_the_summary_of_the_night_that_judges_it(
    answer: Callable[..., Any], waiting: Path
) -> None:
    assert {one["error"] for one in answer("ingest", waiting / "inbox", "--site", waiting)} == {""}
    files = answer("nightly", "--as-of", SECOND, "--site", waiting)["files"]
    assert sorted(one["file"] for one in files) == sorted(Path(name).name for name in DELIVERIES[SECOND])
    assert sum(one["accepted"] for one in files) >= 40


# Cases and clocks ----------------------------------------------------------------------------------------------------


def test_a_recorded_act_opens_a_case_and_starts_a_clock(answer: Callable[..., Any], site: Path) -> None:
    case = "howard.remedy/R-2/2025-08-12"
    act = ("case", "record", case, "operator_receipt", "--at", "2025-08-12T10:00", "--by", "owner:R-2")
    assert answer(*act, "--method", "certified mail", "--site", site)["recorded"] is True
    assert answer(*act, "--method", "certified mail", "--site", site)["recorded"] is False
    shown = answer("case", "show", case, "--site", site)
    assert (shown["case"], shown["status"], shown["clause"]) == (case, "open", "2.15")
    assert [(one["event"], one["by"], one["method"]) for one in shown["events"]] == [
        ("operator_receipt", "owner:R-2", "certified mail")
    ]
    assert shown["events"][0]["happened_at"] == "2025-08-12 10:00 CDT"
    assert case in {one["case"] for one in answer("cases", "--site", site)}
    started = [one for one in shown["clocks"] if one["runs_from"] == "operator_receipt"]
    assert started
    assert {one["started_at"] for one in started} == {"2025-08-12T15:00:00Z"}
    assert all(one["plain_due"] <= one["statutory_due"] for one in started if one["statutory_due"])


def test_the_clock_as_of_a_day_knows_only_what_was_recorded_by_then(answer: Callable[..., Any], site: Path) -> None:
    def due(on: str, *more: str) -> set[tuple[str, str, str]]:
        rows = answer("clock", "--as-of", on, "--site", site, *more)
        return {(one["step"], one["who"], one["standing"]) for one in rows if one["case"] == REMEDY}

    assert due("2025-08-10") == set()
    before, after = due("2025-08-11"), due(SECOND)
    assert before != after
    assert {who for _, who, _ in due(SECOND, "--who", "operator")} == {"operator"}
    assert due(SECOND, "--all") > after


REFUSED = {
    "no such event": (REMEDY, "town_reciept", "2025-08-12T09:15", "event: no such event"),
    "no such kind": ("howard.remody/R-1/2025-08-11", "town_receipt", "2025-08-12T09:15", "no such kind of case"),
    "no such property": ("howard.remedy/R-77/2025-08-11", "town_receipt", "2025-08-12T09:15", "no property of this"),
    "no case id": ("R-1", "town_receipt", "2025-08-12T09:15", "not a case id"),
    "a finding opens it": ("howard.baseflow/LMC-1/2025-08-01", "town_notice_given", "2025-08-12T09:15", "a finding"),
    "not begun": ("howard.remedy/R-2/2025-08-11", "report_denied", "2025-08-12T09:15", "it opens by"),
    "in the future": (REMEDY, "town_receipt", "2999-01-01T09:15", "recorded before it happened"),
    "no time": (REMEDY, "town_receipt", "last Tuesday", "--at: not a time"),
    "the hour shown twice": (REMEDY, "report_denied", "2025-11-02T01:30", "the clock change makes this time unclear"),
}


@pytest.mark.parametrize(("case", "event", "at", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_an_impossible_act_is_refused_and_leaves_no_trace(
    headwater: Headwater, site: Path, case: str, event: str, at: str, reason: str
) -> None:
    before = _content(site)
    code, _, err = headwater("case", "record", case, event, "--at", at, "--by", "clerk", "--site", site)
    assert code == 2
    assert reason in err
    assert _content(site) == before


# quality -------------------------------------------------------------------------------------------------------------


def test_quality_of_a_file_has_the_fields_of_the_contract(answer: Callable[..., Any]) -> None:
    verdicts = answer("quality", LAB)["verdicts"]
    fields = {
        *("station", "substance", "sampled", "value", "unit", "lod", "loq", "standard", "kind", "table"),
        *("nr140_status", "verdict", "paragraph", "reason"),
    }
    assert all(fields <= set(one) for one in verdicts)
    assert {one["kind"] for one in verdicts} == {"PAL", "ES"}
    arsenic = next(one for one in verdicts if (one["substance"], one["kind"]) == ("arsenic", "PAL"))
    assert (arsenic["value"], arsenic["lod"], arsenic["loq"], arsenic["standard"]) == (None, 0.3, 1.0, 1.0)
    assert (arsenic["nr140_status"], arsenic["verdict"]) == ("not_attained", "not_attained")
    notable = answer("quality", LAB, "--notable")["verdicts"]
    assert notable == [one for one in verdicts if one["nr140_status"] != "not_attained"]


def test_quality_below_the_limit_of_quantitation(answer: Callable[..., Any], tmp_path: Path) -> None:
    """Over the number, between the limits: below_loq, and so not attained (1.2 J, LOD 0.5, LOQ 1.6)."""
    header, *_ = LAB.read_text().splitlines()
    row = "ZZ901,CHIPPEWA,MONITORING,ACTIVE,04/29/2025,ARSENIC TOTAL,1002,1.2,,UG/L,J,10,1,,,0.5,1.6,X-1,,"
    (tmp_path / "lab.csv").write_text(f"{header}\n{row}\n")
    pal = next(one for one in answer("quality", tmp_path / "lab.csv")["verdicts"] if one["kind"] == "PAL")
    assert (pal["value"], pal["nr140_status"], pal["verdict"]) == (1.2, "below_loq", "not_attained")


# shortfall -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda one: one["case_id"])
def test_shortfall_case(answer: Callable[..., Any], tmp_path: Path, case: dict[str, str]) -> None:
    found = answer("shortfall", _series(case, tmp_path), *_options(case))
    if case["expected_spells"] == "NOT_APPLICABLE":
        assert (found["status"], found["spells"]) == ("NOT_APPLICABLE", [])
        assert found["reason"]
        return
    assert found["status"] == "EVALUATED"
    labels = {"revision": "||", "multi": "|"}
    if case["kind"] not in labels:
        assert _written(found["spells"]) == _wanted(case, "", "")
        return
    key = "version" if case["kind"] == "revision" else "station"
    assert len(found["records"]) == 2
    for record in found["records"]:
        assert _written(record["spells"]) == _wanted(case, record[key], labels[case["kind"]])
    last = found["records"][1:] if key == "version" else found["records"]
    assert found["spells"] == [spell for record in last for spell in record["spells"]]


def _series(case: dict[str, str], folder: Path) -> Path:
    """The cells of a case as a csv; a revision in the column ``version``, a gauge in ``station``."""
    kind, text, file = case["kind"], case["daily_series"], folder / "series.csv"
    parts = [("", "", text)]
    if kind == "revision":
        parts = [("", f"v{n}", one) for n, one in enumerate(text.split("||"), start=1)]
    elif kind == "multi":
        parts = [(name.strip(), "", cells) for name, _, cells in (one.partition(":") for one in text.split("|"))]
    with file.open("w", newline="") as opened_file:
        writer = csv.writer(opened_file)
        writer.writerow(["date", "value", "qualifier", "coverage", "station", "version"])
        for station, version, cells in parts:
            writer.writerows([*day, station, version] for day in _days(cells, date.fromisoformat(case["start_date"])))
    return file


def _days(cells: str, day: date) -> Iterator[list[str]]:
    for cell in cells.split():
        found = CELL.fullmatch(cell)
        assert found, cell
        ice = found["value"] == "ICE" or found["mark"] == "I"
        value = "NA" if found["value"] in {"NA", "ICE"} else found["value"]
        for _ in range(int(found["times"] or 1)):
            yield [day.isoformat(), value, "Ice" if ice else found["mark"], found["share"] or ""]
            day += timedelta(days=1)


def _options(case: dict[str, str]) -> list[str]:
    base = case["base_flow"].removeprefix("M:").replace(";", ",")
    days = case["duration_rule"].removeprefix(">").removesuffix(" days")
    operator = {"<": "lt", "<=": "le"}[case["operator"]]
    stage = ["--quantity", "stage"] if case["kind"] == "stage" else []
    return ["--base-flow", base, "--operator", operator, "--days", days, *stage]


def _written(spells: list[dict[str, Any]]) -> tuple[str, str, str]:
    """Spells, trigger dates and first indeterminate dates as the case table writes them."""
    said = [f"{s['start']}..{s['end']}/{s['known_below_days']}/{s['possible_days']}/{s['status']}" for s in spells]
    triggers = [s["trigger_date"] for s in spells if s["trigger_date"]]
    doubts = [s["indeterminate_from"] for s in spells if s["indeterminate_from"]]
    return " ".join(said), " ".join(triggers), " ".join(doubts)


def _wanted(case: dict[str, str], label: str, separator: str) -> tuple[str, ...]:
    cells = (case["expected_spells"], case["expected_trigger_dates"], case["expected_indeterminate_from"])
    return tuple(_labelled(one, label, separator) if label else one for one in cells)


def _labelled(text: str, label: str, separator: str) -> str:
    parts = dict(one.strip().split(" ", 1) for one in text.split(separator) if one.strip())
    return parts.get(label, "").removeprefix("-")


def test_shortfall_verdict_provisional_and_confidence(answer: Callable[..., Any], tmp_path: Path) -> None:
    by_id = {one["case_id"]: one for one in CASES}

    def only(id: str) -> dict[str, Any]:
        (spell,) = answer("shortfall", _series(by_id[id], tmp_path), *_options(by_id[id]))["spells"]
        return dict(spell)

    assert (only("C17")["provisional"], only("C17")["verdict"]) == (True, "attained")
    assert only("C34")["confidence"] == "WITHIN_UNCERTAINTY"
    assert only("C29")["verdict"] == "indeterminate"
    assert only("C14")["verdict"] == "not_attained"


def test_shortfall_of_a_makers_file(answer: Callable[..., Any]) -> None:
    file = demo.SAMPLE / "nights/2025-08-29/usgs-05999101-uv-2025-08-29.rdb"
    found = answer("shortfall", file, "--base-flow", "5.07")
    assert found["status"] == "EVALUATED"
    assert found["records"][0]["station"] == "05999101"
