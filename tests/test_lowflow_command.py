"""`headwater lowflow`: statistics against print and hand-worked answers, and the base flow it drafts."""

from __future__ import annotations

import csv
import hashlib
import json
import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from models.base_flow import BaseFlow
from models.errors import BadSite
from models.proposed_base_flow import STATISTICS
from models.toml_file import parse_toml
from sample_data import demo
from tests.test_baseflow_command import SHARED, Run, daily, figures, run, said

__all__ = ["run", "said"]  # fixtures

FEW = ("--replicates", "20")
SEVEN = ["through_origin", "upper_envelope", "median_slope", "matching_strips", "brutsaert_nieber", "vogel_kroll",
         "rorabaugh"]  # fmt: skip
SIGNATURE = 'signed_by = "A. Hydrologist"\nlicence_kind = "PH"\nlicence_number = "0000"\nsigned_on = 2024-12-30\n'


def series(path: Path, start: str, values: Sequence[object], station: str = "") -> Path:
    """A csv of consecutive days."""
    first = date.fromisoformat(start)
    rows = [f"{first + timedelta(days=k)},{value},{station}" for k, value in enumerate(values)]
    path.write_text("\n".join(["date,value,station", *rows]) + "\n", encoding="utf-8")
    return path


def test_quantiles_worked_by_hand(run: Run, tmp_path: Path) -> None:
    """Flows 1 to 19: rank p (n + 1) from the highest is 10, 16, 18 and 19, and the flow 20 less that."""
    path = series(tmp_path / "a.csv", "2024-08-01", [7, 1, 12, 19, 3, 5, 18, 2, 9, 14, 4, 17, 6, 11, 8, 16, 10, 13, 15])
    code, answer, _ = run("lowflow", path, *FEW)
    assert code == 0
    assert [answer[name] for name in ("q50", "q80", "q90", "q95")] == pytest.approx([10, 4, 2, 1])
    assert answer["august_median_pooled"] == 10
    assert [answer[name] for name in ("q7_10", "q7_2", "august_median_of_years")] == [None, None, None]
    assert answer["reasons"]["q7_10"] == "0 complete climatic years; at least 10 are needed"
    assert answer["reasons"]["august_median_of_years"]
    assert answer["monthly_q90"]["08"] == pytest.approx(2)
    assert (answer["monthly_q90"]["01"], answer["reasons"]["monthly_q90.01"]) == (None, "too few known days")
    assert answer["years_excluded"] == [{"year": 2025, "reason": "19 of 365 days known"}]
    assert any("every verdict on this base flow is indeterminate" in one for one in answer["warnings"])
    assert answer["statistics"]["q90"]["low"] is None
    assert "no interval" in answer["statistics"]["q90"]["reason"]
    duration = {one["exceedance"]: one["flow"] for one in answer["duration"]}
    assert (duration[0.5], duration[0.9]) == pytest.approx((10, 2))
    assert duration[0.99] is None


def test_ice_is_no_low_flow_and_no_high_one(run: Run, tmp_path: Path) -> None:
    flows = [f"{k} A" for k in range(1, 20)]
    _, plain, _ = run("lowflow", daily(tmp_path / "a.csv", flows), *FEW)
    _, iced, _ = run("lowflow", daily(tmp_path / "b.csv", [*flows, "0.1 P:Ice", "90 P:Ice", "-5 P"]), *FEW)
    assert {name: iced[name] for name in ("q50", "q90", "q95", "n")} == {
        name: plain[name] for name in ("q50", "q90", "q95", "n")
    }
    assert iced["unknown_days"] == {"Ice": 2, "negative flow": 1}


@pytest.fixture(scope="module")
def raccoon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record in which every day of a climatic year flows at that year's published lowest 7-day mean."""
    if not SHARED.is_dir():
        pytest.skip("../shared is absent")
    text = (SHARED / "baseflow" / "data" / "ia_05484500_raccoon_annual_q7_published.csv").read_text(encoding="utf-8")
    minima = [(int(row["climate_year_ending"]), row["q7_cfs"]) for row in csv.DictReader(text.splitlines())]
    assert [year for year, _ in minima] == list(range(minima[0][0], minima[-1][0] + 1))
    days = [
        flow for year, flow in minima
        for _ in range((date(year, 4, 1) - date(year - 1, 4, 1)).days)
    ]  # fmt: skip
    return series(tmp_path_factory.mktemp("raccoon") / "a.csv", f"{minima[0][0] - 1}-04-01", days)


def test_the_published_quantiles_of_the_raccoon_river(run: Run, raccoon: Path) -> None:
    """USGS DVstats, 05484500: 96 annual minima, Q7,10 41.71026 and Q7,2 131.13997 cfs; adopted tolerance 0.01 %."""
    _, answer, _ = run("lowflow", raccoon, "--replicates", "100", "--rows")
    assert answer["q7_10"] == pytest.approx(41.71026, rel=1e-4)
    assert answer["q7_2"] == pytest.approx(131.13997, rel=1e-4)
    assert (len(answer["years_used"]), answer["years_used"][0], answer["years_excluded"]) == (96, 1917, [])
    assert [row["year"] for row in answer["rows"]] == answer["years_used"]
    assert (answer["rows"][0]["flow"], answer["rows"][0]["first_day"]) == (53.0, "1916-04-01")
    # The 90 % interval of a bootstrap of 96 years is printed as 34 to 52 cfs.
    assert answer["statistics"]["q7_10"]["low"] == pytest.approx(34, abs=4)
    assert answer["statistics"]["q7_10"]["high"] == pytest.approx(52, abs=5)


def yearly(path: Path, years: int = 12) -> Path:
    """Years that differ: 10 cfs and a little for the year, less in August."""
    days = [date(2001, 4, 1) + timedelta(days=k) for k in range(365 * years)]
    return series(path, "2001-04-01", [f"{(6 if one.month == 8 else 10) + one.year % 7 / 10:.2f}" for one in days])


def test_the_seed_is_fixed_said_and_heeded(run: Run, said: Any, tmp_path: Path) -> None:
    path = yearly(tmp_path / "a.csv")
    one, again, other = (run("lowflow", path, *FEW, *seed)[1] for seed in ((), (), ("--seed", "7")))
    assert one == again
    assert one["statistics"]["q7_2"] != other["statistics"]["q7_2"]
    assert (one["interval"]["seed"], other["interval"]["seed"]) == (20250101, 7)
    assert "20 replicates" in said("lowflow", path, *FEW)
    assert "seed 20250101" in said("lowflow", path, *FEW)
    assert one["statistics"]["q90"]["low"] <= one["q90"] <= one["statistics"]["q90"]["high"]
    assert one["statistics"]["q90"]["replicates"] == 20


def storms(k: float, days: int = 40) -> Iterator[float]:
    """Storms that fall to a fraction ``k`` each day, from peaks of 100 and 120 in turn."""
    for storm in range(8):
        yield from ((100 + 20 * (storm % 2)) * k**day for day in range(days))


def test_seven_recession_constants_of_a_stream_that_has_only_one(run: Run, said: Any, tmp_path: Path) -> None:
    path = series(tmp_path / "a.csv", "2024-04-01", [repr(one) for one in storms(0.93)])
    _, answer, _ = run("lowflow", path, *FEW)
    assert [one["way"] for one in answer["recession"]] == SEVEN
    assert [one["k"] for one in answer["recession"]] == pytest.approx([0.93] * 7, rel=1e-6)
    assert answer["recession"][6]["days_per_log_cycle"] == pytest.approx(-1 / math.log10(0.93))
    assert re.search(r"brutsaert nieber +0\.93 ", said("lowflow", path, *FEW))


def test_what_has_no_recession_says_so(run: Run, tmp_path: Path) -> None:
    _, answer, _ = run("lowflow", series(tmp_path / "a.csv", "2024-04-01", ["5"] * 40), *FEW)
    assert {one["k"] for one in answer["recession"]} == {None}
    assert all(one["reason"] for one in answer["recession"])


# Extension from an index gauge ---------------------------------------------------------------------------------------


def index_flow(day: int) -> float:
    return round(30 + 20 * math.sin(day / 50) + 7 * math.sin(day / 11), 2)


@pytest.fixture
def two_gauges(tmp_path: Path) -> tuple[Path, Path]:
    """One year of a site at exactly half the flow of a twelve-year index gauge."""
    index = series(tmp_path / "index.csv", "2001-04-01", [index_flow(k) for k in range(4383)], "IDX")
    return series(tmp_path / "site.csv", "2012-04-01", [index_flow(4018 + k) / 2 for k in range(365)], "SITE"), index


def test_a_record_extended_from_an_index_gauge(run: Run, said: Any, two_gauges: tuple[Path, Path]) -> None:
    """Half the flow every day is a line without scatter: every statistic is half the index gauge's."""
    site, index = two_gauges
    _, alone, _ = run("lowflow", site, *FEW)
    _, answer, _ = run("lowflow", site, "--index", index, *FEW)
    _, other, _ = run("lowflow", index, *FEW)
    assert alone["q7_10"] is None
    for name in ("q7_10", "q7_2", "q50", "q80", "q90", "q95", "august_median_pooled"):
        assert answer[name] == pytest.approx(other[name] / 2, rel=1e-9), name
    line = answer["extension"]
    assert (line["n"], answer["estimated_days"]) == (365, 4018)
    assert line["correlation"] == pytest.approx(1)
    assert line["standard_error_ln"] == pytest.approx(0, abs=1e-6)
    assert (line["first"], line["last"]) == ("2001-04-01", "2013-03-31")
    assert "r 1.00 on 365 concurrent days" in said("lowflow", site, "--index", index, *FEW)


def test_the_index_record_ends_where_the_record_asked_for_ends(run: Run, two_gauges: tuple[Path, Path]) -> None:
    """2001-04-01 to 2012-12-31 are 4293 days; the file has 90 more."""
    site, index = two_gauges
    answer, record = drafted(run, site, "q90", "--index", index, "--to", "2012-12-31")
    assert record["parameters"]["index_to"] == "2012-12-31"
    assert record["parameters"]["index_days"] == "4293"
    assert answer["toml"]


def test_a_gauge_extends_no_record_of_its_own(run: Run, two_gauges: tuple[Path, Path]) -> None:
    code, _, err = run("lowflow", two_gauges[1], "--index", two_gauges[1], *FEW)
    assert (code, "the gauge itself" in err) == (2, True)


def test_an_index_gauge_that_cannot_serve_is_refused(run: Run, two_gauges: tuple[Path, Path], tmp_path: Path) -> None:
    far = series(tmp_path / "far.csv", "1950-01-01", ["5", "6", "7"])
    code, _, err = run("lowflow", two_gauges[0], "--index", far, *FEW)
    assert (code, "too few concurrent days" in err) == (2, True)


# The base flow it drafts ---------------------------------------------------------------------------------------------


@pytest.fixture
def steady(tmp_path: Path) -> Path:
    """1,100 days at 10.0 cfs but for three spells of six days and one of five at 1.0 cfs."""
    low = {day + k for day, length in ((100, 6), (200, 6), (300, 5), (700, 6)) for k in range(length)}
    return series(
        tmp_path / "steady.csv", "2020-01-01", ["1.0" if k in low else "10.0" for k in range(1100)], "05999101"
    )


def drafted(run: Run, path: Path, statistic: str, *more: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """The answer, and the one record of its TOML."""
    code, answer, err = run("lowflow", path, "--propose", statistic, *FEW, *more)
    assert code == 0, err
    (stream,) = parse_toml("[[stream]]\n" + answer["toml"], file="draft", error=BadSite)["stream"]
    (record,) = stream["base_flow"]
    return answer, record


def test_the_draft_holds_all_but_the_signature(run: Run, steady: Path) -> None:
    answer, record = drafted(run, steady, "q90")
    lines = steady.read_text(encoding="utf-8").splitlines()[1:]
    digest = hashlib.sha256("".join(f"{day} {flow}\n" for day, flow, _ in (one.split(",") for one in lines)).encode())
    assert record["value_cfs"] == Decimal("10.0")
    assert (record["gauge"], record["series"], record["version"]) == ("05999101", "05999101", "1")
    assert (record["statistic"], record["source"]) == ("q90", "licensee")
    assert record["parameters"]["exceedance"] == "0.90"
    assert record["parameters"]["program"].startswith("headwater ")
    assert (record["record_from"], record["record_to"]) == (date(2020, 1, 1), date(2023, 1, 4))
    assert record["effective"] == date(2023, 1, 5)
    assert (record["days_used"], record["days_digest"]) == (1100, digest.hexdigest())
    assert record["baseline_years"] == Decimal("3.01")  # 1100 / 365.25 = 3.0116
    # Three spells of six days; five days are not more than five. 3 * 365.25 / 1100 = 0.996 a year.
    assert (answer["natural_rate"]["triggers"], record["natural_rate_per_year"]) == (3, Decimal("1.00"))
    assert record["natural_rate_years"] == Decimal("3.01")
    assert answer["natural_rate"]["per_year"] == pytest.approx(3 * 365.25 / 1100)
    assert {"signed_by", "licence_kind", "licence_number", "signed_on"} & record.keys() == set()
    assert "DNR's value IS the base flow" in answer["toml"]
    assert "PG or PH" in answer["toml"]
    assert "3 times" in answer["toml"]


def test_the_draft_signed_is_a_base_flow(run: Run, steady: Path) -> None:
    for statistic in ("q90", "monthly_q90", "daily_q90"):
        _, record = drafted(run, steady, statistic, "--gauge", "LMC-1", "--version", "2b")
        signed = BaseFlow.model_validate(record | tomllib.loads(SIGNATURE))
        assert (signed.gauge, signed.version) == ("LMC-1", "2b")
        assert {signed.threshold().at(date(2024, 1, 1) + timedelta(days=k)) for k in range(366)} == {Decimal("10.0")}


def test_a_draft_by_month_and_by_day(run: Run, tmp_path: Path) -> None:
    """Each month at its own number: flow of month m is m + 10; the middle of a month has the month's own value."""
    days = [date(2001, 1, 1) + timedelta(days=k) for k in range(365 * 4)]
    path = series(tmp_path / "a.csv", "2001-01-01", [f"{one.month + 10}.0" for one in days], "G-1")
    _, record = drafted(run, path, "monthly_q90")
    assert record["monthly_cfs"] == {f"{month:02d}": Decimal(f"{month + 10}.0") for month in range(1, 13)}
    _, record = drafted(run, path, "daily_q90")
    assert len(record["daily_cfs"]) == 366
    # June's middle is day 15 of 30, July's day 15.5 of 31: half way between them lies 1 July, at 16.5.
    slot = (date(2000, 7, 1) - date(2000, 1, 1)).days
    assert abs(record["daily_cfs"][slot] - Decimal("16.5")) <= Decimal("0.1")
    assert max(
        abs(a - b) for a, b in zip(record["daily_cfs"][20:345], record["daily_cfs"][21:346], strict=True)
    ) <= Decimal("0.1")


def test_an_extended_draft_names_the_index_record(run: Run, two_gauges: tuple[Path, Path]) -> None:
    site, index = two_gauges
    answer, record = drafted(run, site, "q90", "--index", index)
    assert (record["extended_from"], record["days_used"], record["baseline_years"]) == ("IDX", 365, Decimal("0.99"))
    assert record["parameters"]["index_days"] == "4383"
    assert record["parameters"]["estimated_days"] == "4018"
    assert len(record["parameters"]["index_digest"]) == 64
    assert "MOVE.1" in record["method"]
    assert record["natural_rate_years"] == Decimal("12.00")  # the extended record's 4383 days
    assert "4018 of its days estimated" in answer["toml"]


@pytest.mark.parametrize(
    ("values", "statistic", "words"),
    [
        (["0"] * 40, "q90", "comes to no flow"),
        (["5"] * 40, "q7_10", "at least 10 are needed"),
        (["5"] * 40, "monthly_q90", "in month 01"),
        (["5"] * 40, "q91", "q90"),
    ],
)
def test_what_cannot_be_proposed(run: Run, tmp_path: Path, values: list[str], statistic: str, words: str) -> None:
    code, _, err = run("lowflow", series(tmp_path / "a.csv", "2024-06-01", values, "G"), "--propose", statistic, *FEW)
    assert (code, len(err.splitlines()), words in err) == (2, 1, True), err


def test_a_draft_must_be_somebodys(run: Run, tmp_path: Path) -> None:
    path = series(tmp_path / "a.csv", "2024-06-01", ["5"] * 40)
    code, _, err = run("lowflow", path, "--propose", "q90", *FEW)
    assert (code, "--gauge" in err) == (2, True)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_every_statistic_can_be_proposed(run: Run, tmp_path: Path, statistic: str) -> None:
    answer, record = drafted(run, yearly(tmp_path / "a.csv"), statistic, "--gauge", "G-1")
    BaseFlow.model_validate(record | tomllib.loads(SIGNATURE))
    assert answer["statistic"] == record["statistic"] == statistic


def test_from_a_file_to_a_site_that_check_accepts(run: Run, said: Any, tmp_path: Path) -> None:
    """What is printed goes into site.toml as it is: refused unsigned, taken signed, and warned of where a PE signs."""
    site = tmp_path / "site"
    demo.fresh_site(site)
    file = demo.SAMPLE / "baseline" / "usgs-05999101-dv-2025-06-30.rdb"
    draft = said("lowflow", file, "--to", "2024-12-20", "--propose", "q90", "--gauge", "LMC-1", *FEW)
    text = (site / "site.toml").read_text(encoding="utf-8")
    head, rest = text.split("[[stream.base_flow]]")
    tail = rest[rest.index("[[gauge]]") :]

    def check(record: str) -> tuple[int, Any, str]:
        (site / "site.toml").write_text(head + record + "\n" + tail, encoding="utf-8")
        return run("check", "--site", site)

    code, _, err = check(draft)
    assert (code, "unsigned proposal is no base flow" in err, "signed_by" in err) == (2, True, True)
    blank = r"^# (?:signed_by|licence_kind|licence_number|signed_on) = .*\n"
    signed = re.sub(blank, "", draft, flags=re.MULTILINE) + SIGNATURE.replace('"PH"', '"PG"')
    code, answer, err = check(signed)
    assert code == 0, err
    (warning,) = answer["base_flow_warnings"]
    assert "0.97 years is under 3 and not extended" in warning
    code, answer, _ = check(signed.replace('licence_kind = "PG"', 'licence_kind = "PE"'))
    assert (code, sum("signed by a PE" in one for one in answer["base_flow_warnings"])) == (0, 1)


# The page ------------------------------------------------------------------------------------------------------------


def test_the_page_marks_the_statistics(run: Run, tmp_path: Path) -> None:
    path = yearly(tmp_path / "a.csv")
    _, answer, _ = run("lowflow", path, *FEW, "--page", tmp_path / "p.html")
    hydrograph, duration = figures((tmp_path / "p.html").read_text(encoding="utf-8"))
    levels = {shape["y0"] for shape in hydrograph["layout"]["shapes"] if shape["type"] == "line"}
    assert levels == {answer["q90"], answer["q7_10"]}
    points = next(one for one in duration["data"] if one["name"] == "Quantiles")
    assert dict(zip(points["x"], points["y"], strict=True)) == pytest.approx(
        {50: answer["q50"], 80: answer["q80"], 90: answer["q90"], 95: answer["q95"]}, abs=1e-4
    )


def test_a_gauge_of_the_site(run: Run, tmp_path: Path) -> None:
    site = tmp_path / "site"
    demo.fresh_site(site)
    file = demo.SAMPLE / "baseline" / "usgs-05999101-dv-2025-06-30.rdb"
    run("ingest", file, "--site", site)
    _, of_gauge, _ = run("lowflow", "LMC-1", "--site", site, *FEW)
    _, of_file, _ = run("lowflow", file, *FEW)
    assert (of_gauge["q90"], of_gauge["n"]) == (of_file["q90"], of_file["n"])
    draft = run("lowflow", "LMC-1", "--site", site, "--propose", "q90", *FEW)[1]
    assert draft["gauge"] == "LMC-1"


def test_json_holds_no_nan(run: Run, tmp_path: Path) -> None:
    _, answer, _ = run("lowflow", series(tmp_path / "a.csv", "2024-04-01", ["5"]), *FEW)
    assert json.dumps(answer, allow_nan=False)
    assert (answer["q50"], answer["q90"]) == (5, None)


def test_a_row_that_could_not_be_taken_is_the_exit_code(run: Run, tmp_path: Path) -> None:
    code, answer, _ = run("lowflow", series(tmp_path / "a.csv", "2024-04-01", ["5", "high", "4"]), *FEW)
    assert (code, answer["n"], len(answer["left_out"])) == (3, 2, 1)


def test_a_day_without_flow_stands_at_no_number_of_a_log_axis(run: Run, tmp_path: Path) -> None:
    path = series(tmp_path / "a.csv", "2024-04-01", ["4", "0", "5", "0", "6"])
    run("lowflow", path, *FEW, "--page", tmp_path / "p.html")
    hydrograph, _ = figures((tmp_path / "p.html").read_text(encoding="utf-8"))
    (dry,) = [one for one in hydrograph["data"] if one["name"] == "No flow (0)"]
    axis = hydrograph["layout"]["yaxis3"]
    assert (dry["yaxis"], dry["y"], len(dry["x"])) == ("y3", [0, 0], 2)
    assert (axis["overlaying"], axis["range"], axis.get("type", "linear")) == ("y", [0, 1], "linear")
