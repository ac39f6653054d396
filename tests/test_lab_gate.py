"""The gate before submission, through the command: every rule broken once in a deliverable that else breaks none."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ingest.reading import Told
from models.lab_gate import RULES
from models.policy import default_policy
from pipelines import cli
from pipelines.lab_gate import Against
from pipelines.lab_gate import gate as checked
from reports.lab_gate import gate_text
from sample_data import demo

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[2] / "shared"
HEAD = (
    "Sample ID,Location,Sample Date,Sample Time,Sample Type,Analyte,CAS,Result,Units,LOD,LOQ,Qualifier,Fraction,"
    "Dilution,Method,Analysis Date"
)
GOOD = {
    "sample": "S-1", "station": "MW-1", "day": "2024-05-14", "time": "10:30", "type": "N", "name": "Arsenic", "cas": "",
    "value": "1.2", "unit": "ug/L", "lod": "0.3", "loq": "1.0", "flag": "", "fraction": "Dissolved", "dilution": "1",
    "method": "EPA 200.8", "analysed": "2024-05-20",
}  # fmt: skip
IONS = {
    "Calcium": "36.7", "Magnesium": "22.7", "Sodium": "2.29", "Potassium": "0.514", "Alkalinity as CaCO3": "178",
    "Chloride": "1.50", "Sulfate": "6.0", "Nitrate + Nitrite (as N)": "0.909",
}  # fmt: skip
"""100 (3.812 - 3.789) / 7.601 = 0.3 %: balanced."""
Gate = Callable[..., Any]


def line(**cells: str) -> dict[str, str]:
    return GOOD | cells


def table(*rows: dict[str, str]) -> str:
    return "\n".join([HEAD, *(",".join(row.values()) for row in rows)]) + "\n"


@pytest.fixture
def gate(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Gate:
    """Rows as one deliverable, or a file; the exit code has to be what the verdict says."""

    def command(*rows: dict[str, str] | Path, more: tuple[str, ...] = (), code: int | None = None) -> Any:
        path = tmp_path / "deliverable.csv"
        path.write_text(table(*(row for row in rows if isinstance(row, dict))), encoding="utf-8")
        files = [str(row) for row in rows if isinstance(row, Path)] or [str(path)]
        capfd.readouterr()
        found = cli.run(["read", *files, "--gate", "--json", *more])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        answer = json.loads(out)
        assert found == ({"accepted": 0, "rejected": 1, "not read": 2}[answer["verdict"]] if code is None else code)
        return answer

    return command


def faults(answer: Any) -> dict[str, list[int]]:
    """Rows by broken rule."""
    return {one["rule"]: [fault["row"] for fault in one["faults"]] for one in answer["rules"]}


TEXTS = {
    "a blank described": ("Trip blank", "", {"control-as-result": [2]}),
    "a duplicate described": ("Duplicate of MW-3", "", {"duplicate-as-result": [2]}),
    "a blank in a comment": ("", "Field blank", {"control-as-result": [2]}),
    "perhaps": ("", "kitchen tap; field blank taken too", {"text-in-doubt": [2]}),
    "a word of another bottle, or of this": ("", "lab spike", {"text-in-doubt": [2]}),
    "a word of the place": ("pump house", "clear and cold", {}),
}


@pytest.mark.parametrize(("described", "comment", "broken"), TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("type", ["N", "Routine"])
def test_a_text_of_quality_control_under_a_type_of_water(
    type: str, described: str, comment: str, broken: dict[str, list[int]], gate: Gate, tmp_path: Path
) -> None:
    path = tmp_path / "edd.csv"
    cells = [*line(type=type).values(), described, comment]
    path.write_text(f"{HEAD},Sample Description,Sample Comments\n{','.join(cells)}\n", encoding="utf-8")
    assert faults(gate(path)) == broken


def test_a_field_number_of_quality_control(gate: Gate, tmp_path: Path) -> None:
    path = tmp_path / "edd.csv"
    path.write_text(f"{HEAD},Field Number\n{','.join(line(type='').values())},TB-01\n", encoding="utf-8")
    assert faults(gate(path)) == {"control-as-result": [2]}


def test_a_file_without_numbers_or_fractions_is_told_once(gate: Gate) -> None:
    rows = [line(sample="", fraction="", name=name) for name in ("Arsenic", "Antimony")]
    assert faults(gate(*rows)) == {"sample-number-missing": [0], "fraction-missing": [0]}


def test_a_deliverable_without_a_fault_is_accepted(gate: Gate) -> None:
    answer = gate(line(), line(name="Lead", value="0.65", lod="0.2", loq="0.65"))
    assert (answer["verdict"], answer["errors"], answer["warnings"], answer["results"]) == ("accepted", 0, 0, 2)
    assert answer["rules"] == []


TOMORROW = (datetime.now(UTC) + timedelta(days=3)).date().isoformat()
BROKEN: dict[str, tuple[dict[str, str], dict[str, list[int]]]] = {
    "unknown name": (line(name="Unobtainium"), {"parameter-unknown": [3]}),
    "unknown CAS": (line(name="Unobtainium", cas="1-23-4"), {"parameter-unknown": [3]}),
    "known CAS": (line(name="Mystery metal", cas="7440-38-2"), {}),
    "unknown unit": (line(unit="furlong"), {"unit-unknown": [3]}),
    "unit of another kind": (line(unit="ft"), {"unit-unknown": [3]}),
    "no number": (line(value="lots"), {"row-not-read": [3]}),
    "bare zero": (line(value="0", lod="", loq=""), {"nondetect-without-limit": [3]}),
    "not detected below nothing": (
        line(value="ND", lod="", loq=""),
        {"nondetect-without-limit": [3], "limits-missing": [3]},
    ),
    "not detected below zero": (
        line(value="ND", lod="0", loq=""),
        {"nondetect-without-limit": [3], "limits-missing": [3], "limit-not-positive": [3]},
    ),
    "not detected below its LOQ": (line(value="ND", lod="", loq="1.0"), {"limits-missing": [3]}),
    "not detected below its LOD": (line(value="ND"), {}),
    "limits exchanged": (line(lod="1.0", loq="0.3"), {"lod-above-loq": [3]}),
    "limits alike": (line(lod="1.0", loq="1.0"), {}),
    "no LOQ": (line(loq=""), {"limits-missing": [3]}),
    "no limits, of no standard": (line(name="Calcium", unit="mg/L", lod="", loq=""), {"limits-advised": [3]}),
    "below its LOD": (line(value="0.2"), {"detect-below-lod": [3]}),
    "LOD above the PAL of 1": (line(value="ND", lod="1.1", loq="3"), {"lod-above-pal": [3]}),
    "LOD on the PAL": (line(value="ND", lod="1", loq="3"), {}),
    "LOD above the PAL in mg/L": (line(value="ND", unit="mg/L", lod="0.0011", loq="0.003"), {"lod-above-pal": [3]}),
    "tomorrow": (line(day=TOMORROW, analysed=""), {"sampled-in-future": [3], "analysis-date-missing": [3]}),
    "analysed before": (line(analysed="2024-05-13"), {"analysed-before-sampled": [3]}),
    "analysed on the day": (line(analysed="2024-05-14"), {}),
    "analysed at once": (line(analysed="2024-05-14 10:30"), {}),
    "analysed a minute before": (line(analysed="2024-05-14 10:29"), {"analysed-before-sampled": [3]}),
    "analysed tomorrow": (line(analysed=TOMORROW), {"analysed-in-future": [3]}),
    "analysed at no date": (line(analysed="week 20"), {"analysis-date-not-read": [3]}),
    "kept too long": (line(name="Sulfate", unit="mg/L", value="12", analysed="2024-06-12"), {"holding-time": [3]}),
    "kept 27 days": (line(name="Sulfate", unit="mg/L", value="12", analysed="2024-06-10"), {}),
    "kept 28 days to the minute": (line(name="Sulfate", unit="mg/L", value="12", analysed="2024-06-11 10:30"), {}),
    "kept to the 28th day": (
        line(name="Sulfate", unit="mg/L", value="12", analysed="2024-06-11"),
        {"holding-time-open": [3]},
    ),
    "analysed without hyphens": (line(analysed="20240514"), {}),
    "analysed without hyphens, before": (line(analysed="20240513"), {"analysed-before-sampled": [3]}),
    "analysed at an added midnight": (line(analysed="2024-05-14 00:00"), {}),
    "analysed in a week": (line(analysed="2024-W21-1"), {"analysis-date-not-read": [3]}),
    "not dated": (line(analysed=""), {"analysis-date-missing": [3]}),
    "no time known": (line(name="Alachlor ESA", unit="ug/L"), {"holding-time-not-known": [0]}),
    "diluted by half": (line(dilution="0.5"), {"dilution-below-one": [3]}),
    "diluted by less than nothing": (line(dilution="-2"), {"dilution-not-a-factor": [3]}),
    "diluted 1:10": (line(dilution="1:10"), {}),
    "zero with limits": (line(value="0"), {"zero-told": [3]}),
    "a kilogram in a litre": (line(value="1e9"), {"more-than-water": [3]}),
    "half a kilogram in a litre": (line(value="5e8"), {}),
    "not below its LOQ": (line(value="<50"), {"nondetect-not-its-limits": [3]}),
    "not below its LOD": (line(value="<0.1"), {"nondetect-not-its-limits": [3]}),
    "the farm of Mr Blank": (line(station="Blank Farm"), {"control-perhaps": [3]}),
    "a code of no list": (line(flag="XYQ"), {"qualifier-unknown": [3]}),
    "a code of two lists": (line(flag="B"), {"qualifier-unknown": [3]}),
    "an estimate": (line(flag="J"), {}),
    "a metal of no fraction": (line(fraction=""), {"fraction-missing": [3]}),
    "a metal of a part": (line(fraction="Suspended"), {"fraction-missing": [3]}),
    "a salt of no fraction": (line(name="Chloride", unit="mg/L", fraction=""), {}),
    "no number of a sample": (line(sample=""), {"sample-number-missing": [3]}),
    "diluted by a word": (line(dilution="ten"), {"dilution-not-a-factor": [3]}),
}
PAIRED: dict[str, tuple[dict[str, str], dict[str, list[int]]]] = {
    "diluted with a plain LOD": (
        line(sample="S-2", day="2024-05-15", dilution="10", value="40"),
        {"dilution-limits": [3]},
    ),
    "diluted 10x with a plain LOD": (
        line(sample="S-2", day="2024-05-15", dilution="10x", value="40"),
        {"dilution-limits": [3]},
    ),
    "diluted 1:10 with a plain LOD": (
        line(sample="S-2", day="2024-05-15", dilution="1:10", value="40"),
        {"dilution-limits": [3]},
    ),
    "diluted with its own LOD": (
        line(sample="S-2", day="2024-05-15", dilution="10", value="40", lod="3", loq="10"),
        {"lod-above-pal": [3]},
    ),
    "twice": (line(), {"results-repeat": [3]}),
    "twice in another unit": (line(value="0.0012", unit="mg/L", lod="0.0003", loq="0.001"), {"results-repeat": [3]}),
    "twice and another": (line(value="1.3"), {"results-contradict": [3]}),
    "twice with another code": (line(flag="J"), {"results-disputed": [2, 3]}),
    "twice by two methods that agree": (
        line(value="ND", lod="2", loq="5", method="EPA 6020"),
        {"results-disputed": [2, 3], "lod-above-pal": [3]},
    ),
    "twice by two methods": (
        line(value="1.3", method="EPA 6020"),
        {"results-disputed": [2, 3], "methods-disagree": [3]},
    ),
    "another sample of the moment": (line(sample="S-2", value="1.3"), {"samples-of-one-moment": [3]}),
    "another sample of the moment that agrees": (line(sample="S-2"), {}),
    "another sample of the day": (line(sample="S-2", value="1.3", time="10:31"), {}),
    "no fraction": (line(fraction="", value="1.3"), {"fraction-unstated": [3], "fraction-missing": [3]}),
    "no fraction, the same amount": (line(fraction=""), {"fraction-missing": [3]}),
    "a trip blank by its number": (line(sample="TB-01"), {"control-as-result": [3]}),
    "a field blank of a day": (line(sample="FB-062424"), {"control-as-result": [3]}),
    "an equipment blank": (line(sample="EQB1"), {"control-as-result": [3]}),
    "a spike of the well": (line(sample="MW-1 MS"), {"control-as-result": [3]}),
    "a duplicate of the well": (line(sample="MW1FD"), {"duplicate-as-result": [3]}),
    "the number of a job": (line(sample="FB24-0013-01"), {}),
    "a sample named as its well": (line(station="MB-1", sample="MB-1"), {}),
    "a blank at a well": (line(station="MB-1", sample="MB-1 blank"), {"control-as-result": [3]}),
    "another fraction": (line(fraction="Total", value="1.3"), {}),
    "a blank as water": (line(sample="TRIP BLANK 1"), {"control-as-result": [3]}),
    "a spike as water": (line(sample="MW-1 spike"), {"control-as-result": [3]}),
    "a duplicate as water": (line(sample="MW-1 DUP"), {"duplicate-as-result": [3]}),
    "more dissolved than in all": (line(fraction="Total", value="0.9"), {"dissolved-above-total": [2]}),
    "more dissolved within the error": (line(fraction="Total", value="1.0"), {}),
    "dissolved above what was not seen": (line(fraction="Total", value="ND"), {"dissolved-above-total": [2]}),
    "dissolved within what was not seen": (line(fraction="Total", value="ND", lod="1", loq="3"), {}),
}


@pytest.mark.parametrize(("row", "broken"), BROKEN.values(), ids=BROKEN)
def test_each_rule_names_its_row(gate: Gate, row: dict[str, str], broken: dict[str, list[int]]) -> None:
    """The row stands behind a good one of another substance, in row 3."""
    answer = gate(line(name="Lead", value="0.65", lod="0.2", loq="0.65"), row)
    assert faults(answer) == broken
    assert answer["verdict"] == ("rejected" if any(RULES[one].level == "error" for one in broken) else "accepted")


@pytest.mark.parametrize(("row", "broken"), PAIRED.values(), ids=PAIRED)
def test_rules_of_two_results_name_the_row(gate: Gate, row: dict[str, str], broken: dict[str, list[int]]) -> None:
    """The row stands behind arsenic of 1.2 ug/L, dissolved, of 14 May."""
    assert faults(gate(line(), row)) == broken


def nitrogen(name: str, value: str, **other: str) -> dict[str, str]:
    more = {"unit": "mg/L", "lod": "0.05", "loq": "0.15", "analysed": "2024-05-15", "method": ""} | other
    return line(name=name, value=value, **more)


@pytest.mark.parametrize(
    ("name", "value", "broken"),
    [
        ("Nitrate as NO3", "53.1", {}),
        ("Nitrate as NO3", "99", {"forms-contradict": [3]}),
        ("Nitrate as NO3", "12", {"forms-contradict": [3]}),
        ("Nitrate + Nitrite (as N)", "12", {}),
        ("Nitrate + Nitrite (as N)", "9", {"part-above-sum": [2]}),
    ],
)
def test_forms_and_sums_of_nitrate_of_12(gate: Gate, name: str, value: str, broken: dict[str, list[int]]) -> None:
    """12 mg/L as N is 12 x 62.004 / 14.007 = 53.12 mg/L as NO3, and no more than it with nitrite."""
    assert faults(gate(nitrogen("Nitrate as N", "12"), nitrogen(name, value))) == broken


def test_non_detects_of_two_limits_are_two_results(gate: Gate) -> None:
    pair = [line(name="Nickel", value="ND", lod=lod, loq="60") for lod in ("19", "0.5")]
    assert faults(gate(*pair)) == {"results-contradict": [3]}


def test_a_file_without_a_date_of_analysis_is_told_once(gate: Gate) -> None:
    rows = [line(analysed="", name=name) for name in ("Arsenic", "Antimony")]
    assert faults(gate(*rows)) == {"analysis-date-missing": [0]}


def test_a_name_that_is_not_known_is_a_word_of_warning_and_a_file_of_them_nothing(gate: Gate) -> None:
    answer = gate(line(), line(name="Unobtainium", lod="", loq=""))
    assert (answer["verdict"], faults(answer)) == ("accepted", {"parameter-unknown": [3]})
    assert faults(gate(line(name="Unobtainium"))) == {"nothing-to-judge": [0], "parameter-unknown": [2]}


@pytest.mark.parametrize(
    ("sampled", "broken"),
    [
        ("2026-12-01T00:30:00Z", {}),
        ("2026-12-01T06:30:00Z", {"sampled-in-future": [2], "analysed-in-future": [2]}),
    ],
)
def test_a_sample_in_utc_has_the_day_of_its_place(sampled: str, broken: dict[str, list[int]], tmp_path: Path) -> None:
    """On 30 November in Wisconsin: 00:30 UTC of the next day is 18:30, 06:30 UTC is half past midnight of the next."""
    path = tmp_path / "edd.csv"
    head = "station,sample_id,sampled,analysis_date,parameter,fraction,result,unit,lod,loq\n"
    text = f"{head}MW-1,S1,{sampled},{sampled.replace(':30:', ':45:')},Arsenic,Total,0.5,ug/L,0.1,0.3\n"
    path.write_text(text, encoding="utf-8")
    what = Against(default_policy(), date(2026, 11, 30), zone=ZoneInfo("America/Chicago"))
    found = {one.rule.id: [each.row for each in one.faults] for one in checked(path, what, told=Told()).broken}
    assert found == broken


def test_ions_of_several_bottles_are_one_water(gate: Gate) -> None:
    anions = {"Alkalinity as CaCO3", "Chloride", "Sulfate"}
    rows = [row | {"sample": "S-A" if row["name"] in anions else "S-M"} for row in water()]
    (told,) = gate(*rows)["charge_balances"]
    assert (told["standing"], told["sample"]) == ("balanced", "S-M + S-A")
    nitrate = [row | {"sample": "S-N"} if row["name"].startswith("Nitrate") else row for row in water()]
    (told,) = gate(*nitrate)["charge_balances"]
    assert told["sample"] == "S-1 + S-N"
    assert "nitrate not reported" not in told["says"]


def test_iron_of_whole_water_is_a_most(gate: Gate) -> None:
    """5.6 mg/L is up to 0.2006 meq/L of the cations' 3.812."""
    iron = line(name="Iron", value="5.6", unit="mg/L", lod="0.01", loq="0.03", fraction="Total", method="")
    (told,) = gate(*water(), iron)["charge_balances"]
    assert told["cations_meq_l"] == pytest.approx([3.812, 4.013], abs=0.002)


def test_two_samples_of_a_day_without_hours_are_not_held_against_each_other(gate: Gate) -> None:
    found = gate(line(time=""), line(time="", sample="S-2", fraction="Total", value="0.9"))
    assert faults(found) == {}
    assert faults(gate(line(time=""), line(time="", fraction="Total", value="0.9"))) == {"dissolved-above-total": [2]}


def test_no_value_is_held_against_a_standard(gate: Gate) -> None:
    """A thousand times the enforcement standard of 10 ug/L is as good a result as any."""
    assert gate(line(value="10000"))["rules"] == []


def test_quality_control_that_says_so_is_set_apart_and_no_fault(gate: Gate) -> None:
    answer = gate(line(), line(sample="TRIP BLANK 1", type="TB"), line(sample="S-1D", type="FD", value="1.3"))
    assert faults(answer) == {}
    assert answer["set_apart"] == {"quality_control": 1, "field_duplicates": 1}


def water(**other: str) -> list[dict[str, str]]:
    return [
        line(name=name, value=value, unit="mg/L", lod="0.01", loq="0.03", analysed="2024-05-15", method="")
        for name, value in (IONS | other).items()
    ]


def test_an_analysis_that_balances_and_one_that_does_not(gate: Gate) -> None:
    (told,) = gate(*water())["charge_balances"]
    assert (told["standing"], told["sample"], told["missing"]) == ("balanced", "S-1", [])
    assert told["difference_percent"] == pytest.approx([0.31, 0.31], abs=0.01)
    answer = gate(*water(Calcium="66.7"))
    assert answer["verdict"] == "accepted"
    assert faults(answer) == {"charge-balance": [2]}


def test_an_analysis_that_lacks_an_ion_says_which_and_is_no_fault(gate: Gate) -> None:
    answer = gate(*[row for row in water() if row["name"] != "Sulfate"])
    assert faults(answer) == {}
    assert answer["charge_balances"][0]["missing"] == ["sulfate"]


def test_the_dissolved_fraction_is_what_balances(gate: Gate) -> None:
    whole = [
        row | {"fraction": "Total", "value": str(float(row["value"]) * 1.5)}
        for row in water()
        if row["name"] == "Calcium"
    ]
    (told,) = gate(*whole, *water())["charge_balances"]
    assert (told["standing"], told["fraction"]) == ("balanced", "dissolved")


def test_a_file_without_days_and_one_without_results(gate: Gate, tmp_path: Path) -> None:
    undated = tmp_path / "undated.csv"
    undated.write_text("sample,analyte,result,unit,lod,loq\nS-1,Chloride,1.2,mg/L,0.3,1\n", encoding="utf-8")
    assert faults(gate(undated)) == {"not-dated": [0]}
    levels = tmp_path / "levels.csv"
    levels.write_text("date,depth_to_water_ft\n2024-05-14,12.5\n2024-05-15,12.6\n", encoding="utf-8")
    assert faults(gate(levels, more=("--station", "MW-1"))) == {"nothing-to-judge": [0]}


def test_a_file_that_cannot_be_read_is_neither(gate: Gate, tmp_path: Path) -> None:
    other = tmp_path / "scan.pdf"
    other.write_bytes(b"%PDF-1.7 a scan")
    answer = gate(other)
    assert (answer["verdict"], answer["format"]) == ("not read", None)
    assert gate_text(answer) == f"{answer['file']}: not read"
    assert "scan.pdf" in answer["error"]


def test_of_several_files_the_worst_decides(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = []
    for name, row in (("good", line()), ("bad", line(loq=""))):
        files.append(tmp_path / f"{name}.csv")
        files[-1].write_text(table(row), encoding="utf-8")
    assert cli.run(["read", *map(str, files), "--gate", "--json"]) == 1
    assert [one["verdict"] for one in json.loads(capfd.readouterr().out)] == ["accepted", "rejected"]
    assert cli.run(["read", *map(str, files), str(tmp_path / "none.csv"), "--gate"]) == 2


def test_a_person_reads_the_verdict_then_the_rules_then_the_rows(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "edd.csv"
    rows = [line(sample=f"S-{k}", loq="", analysed="2024-05-13" if k == 0 else "2024-05-20") for k in range(25)]
    path.write_text(table(*rows), encoding="utf-8")
    assert cli.run(["read", str(path), "--gate"]) == 1
    told = capfd.readouterr().out
    assert told.startswith("edd.csv: rejected (lab-table, 25 results, 26 errors, 0 warnings)")
    heads = [
        told.index(text)
        for text in ("error  1 ", "error  25 ", "error analysed-before-sampled", "error limits-missing")
    ]
    assert heads == sorted(heads)
    assert "NR 140.16 (3)-(4), as recalled, verify" in told
    assert "and 5 more; --json names each" in told


# At a site -----------------------------------------------------------------------------------------------------------

CALENDAR = """
[[sampling]]
id = "metals"
rule = "howard.sampling"
stations = ["MW-1", "MW-2"]
group = "metals"
substances = ["arsenic", "lead"]
frequency = "quarterly"
first_due = 2024-03-31
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    demo.fresh_site(folder)
    return folder


def with_calendar(site: Path) -> Path:
    path = site / "site.toml"
    path.write_text(path.read_text("utf-8") + CALENDAR, encoding="utf-8")
    return site


def test_a_site_without_a_calendar_asks_only_for_known_stations(gate: Gate, site: Path) -> None:
    good = gate(line(), line(station="ZZ902"), line(station="mw-3"), more=("--site", str(site)))
    assert faults(good) == {}
    answer = gate(line(station="MW-11"), line(station="MW-11", name="Lead"), line(), more=("--site", str(site)))
    (one,) = answer["rules"]
    assert (one["rule"], one["count"], one["faults"][0]["row"]) == ("station-unknown", 1, 2)
    assert one["faults"][0]["found"].startswith("MW-11: 2 results; nearest of the site: MW-1")


def test_a_calendar_asks_for_its_stations_and_its_whole_list(gate: Gate, site: Path) -> None:
    more = ("--site", str(with_calendar(site)))
    whole = [line(), line(name="Lead", lod="0.2", loq="0.65"), line(station="ZZ902", sample="S-2"),
             line(station="MW-2", sample="S-2", name="Lead", lod="0.2", loq="0.65")]  # fmt: skip
    assert faults(gate(*whole, more=more)) == {}
    answer = gate(
        line(), line(station="MW-3", sample="S-3"), line(station="MW-2", sample="S-4", name="Zinc"), more=more
    )
    assert faults(answer) == {"parameters-missing": [2], "sampling-not-asked": [3, 4]}
    told = {one["rule"]: [fault["found"] for fault in one["faults"]] for one in answer["rules"]}
    assert told["parameters-missing"] == ["MW-1 sampled 2024-05-14, list metals: lead"]
    assert told["sampling-not-asked"] == [
        "MW-3 sampled 2024-05-14: no list names it",
        "MW-2 sampled 2024-05-14: nothing here is of its lists metals",
    ]


def test_an_unknown_name_where_an_asked_substance_is_missing_is_sent_back(gate: Gate, site: Path) -> None:
    more = ("--site", str(with_calendar(site)))
    whole = [line(), line(name="Lead", lod="0.2", loq="0.65"), line(name="Unobtainium")]
    assert faults(gate(*whole, more=more)) == {"parameter-unknown": [4]}
    answer = gate(line(), line(name="Leed"), more=more)
    assert faults(answer) == {"parameter-asked-unknown": [3], "parameter-unknown": [3], "parameters-missing": [2]}
    assert "lead missing" in answer["rules"][0]["faults"][0]["found"]


def test_a_station_called_blank_is_no_blank_where_the_site_has_it(gate: Gate, site: Path) -> None:
    path = site / "site.toml"
    path.write_text(path.read_text("utf-8").replace('identifiers = ["ZZ901"]', 'identifiers = ["BLANK HILL"]'), "utf-8")
    assert faults(gate(line(station="BLANK HILL"))) == {"control-perhaps": [2]}
    assert faults(gate(line(station="BLANK HILL"), more=("--site", str(site)))) == {}


@pytest.mark.parametrize("option", ["--rows", "--site"])
def test_options_that_do_not_go_together(option: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "edd.csv"
    path.write_text(table(line()), encoding="utf-8")
    arguments = ["--gate", "--rows"] if option == "--rows" else ["--site", str(tmp_path)]
    assert cli.run(["read", str(path), *arguments]) == 2
    assert option in capfd.readouterr().err


@pytest.mark.skipif(not (SHARED / "samples").is_dir(), reason="../shared is absent")
def test_a_real_export_of_the_state(gate: Gate) -> None:
    """Read off the file: 16 results of silica and one of chlorophyll have no known code; 27 remarks of 28 days."""
    answer = gate(SHARED / "samples" / "lab-edd" / "wdnr-swims-csls.csv")
    assert {name: len(rows) for name, rows in faults(answer).items() if RULES[name].level == "error"} == {}
    assert len(faults(answer)["parameter-unknown"]) == 17
    late = [fault for one in answer["rules"] if one["rule"] == "holding-time" for fault in one["faults"]]
    assert len([one for one in late if one["substance"] == "ph"]) == len(late) - 27 + 1
