"""Water Quality Portal and USGS Samples: substance, detection, limits in their own unit, quality control apart."""

import csv
import io
import math
import re
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.canonical import converted
from ingest.formats import FORMATS, read
from ingest.reading import Parts, Source
from ingest.summary import summarise
from ingest.wqx import narrow as wqp_narrow
from ingest.wqx import version3 as wqp_wqx3
from models.errors import BadFile, HeadwaterError
from models.nr140.decision import compare
from models.nr140.result import read_result
from models.observation import TIDY, Flags
from models.standards import standards_for

SHARED = Path(__file__).parents[2] / "shared"
DATA = Path(__file__).parent / "data" / "ingest"
NARROW = wqp_narrow.COLUMNS
WQX3 = wqp_wqx3.COLUMNS

ROUTINE = {
    NARROW.station: "TOWN-W1", NARROW.activity: "TOWN-1", NARROW.activity_type: "Sample-Routine",
    NARROW.media: "Water", NARROW.start[0]: "2024-07-15", NARROW.start[1]: "", NARROW.start[2]: "",
    NARROW.end[0]: "", NARROW.end[1]: "", NARROW.end[2]: "", NARROW.condition: "", NARROW.name: "Arsenic",
    NARROW.fraction: "Total", NARROW.value: "", NARROW.unit: "", NARROW.qualifier: "", NARROW.status: "Final",
    NARROW.statistic: "", NARROW.value_type: "Actual", NARROW.code: "", NARROW.speciation: "",
    NARROW.limits[0].type: "", NARROW.limits[0].value: "", NARROW.limits[0].unit: "",
}  # fmt: skip
SHORT = {
    "value": NARROW.value, "unit": NARROW.unit, "condition": NARROW.condition, "name": NARROW.name,
    "code": NARROW.code, "status": NARROW.status, "qualifier": NARROW.qualifier, "kind": NARROW.activity_type,
    "day": NARROW.start[0], "time": NARROW.start[1], "zone": NARROW.start[2], "activity": NARROW.activity,
    "fraction": NARROW.fraction, "basis": NARROW.speciation, "media": NARROW.media, "station": NARROW.station,
    "end": NARROW.end[0], "statistic": NARROW.statistic,
}  # fmt: skip


def narrow(*rows: dict[str, Any]) -> str:
    """A narrow profile of rows given by short names; ``limit`` is (type, value, unit)."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(ROUTINE), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        kind, value, unit = row.get("limit") or ("", "", "")
        limit = NARROW.limits[0]
        cells = {SHORT[key]: text for key, text in row.items() if key != "limit"}
        writer.writerow(ROUTINE | cells | {limit.type: kind, limit.value: value, limit.unit: unit})
    return out.getvalue()


def parse(*rows: dict[str, Any]) -> Parts:
    text = narrow(*rows)
    assert wqp_narrow.sniff(text)
    return wqp_narrow.parse(Source("wqp.csv", text))


def only(**cells: Any) -> dict[str, Any]:
    parts = parse(cells)
    assert parts.rejects == ()
    (row,) = parts.observations.to_dict("records")
    return {str(key): value for key, value in row.items()}


def facts(row: dict[str, Any]) -> dict[str, str]:
    return dict(Flags.parse(row["flags"]).facts)


MDL, LRL, LQL = "Method Detection Level", "Laboratory Reporting Level", "Lower Quantitation Limit"
ABSENT, PRESENT_LOW, DETECTED = "Not Detected", "Present Below Quantification Limit", "Detected Not Quantified"
NAN = None
LIMIT_FACTS = {"lod", "loq", "limit", "limit_is", "limit_type", "reporting_level", "upper_limit"}


@pytest.mark.parametrize(
    ("condition", "value", "limit", "number", "text", "qualifiers", "said"),
    [
        # not detected: the LOD is a fact of its own, any other level is a reporting level behind the non-detect
        (ABSENT, "", (MDL, "0.5", "ug/l"), NAN, "ND", ["ND"], {"lod": "0.5"}),
        (ABSENT, "", (LRL, "0.5", "ug/l"), NAN, "ND", ["ND"],
         {"reporting_level": "0.5", "limit": "0.5", "limit_is": "rl"}),
        (ABSENT, "", (LQL, "1.6", "ug/l"), NAN, "ND", ["ND"], {"loq": "1.6", "limit": "1.6", "limit_is": "rl"}),
        (ABSENT, "", ("Odd level", "2", "ug/l"), NAN, "ND", ["ND"],
         {"limit": "2", "limit_is": "rl", "limit_type": "Odd level"}),
        (ABSENT, "", ("Upper Quantitation Limit", "90", "ug/l"), NAN, "ND", ["ND"], {"upper_limit": "90"}),
        (ABSENT, "0.5", None, NAN, "ND", ["ND"], {"limit": "0.5", "limit_is": "rl"}),
        (ABSENT, "0.7", (MDL, "0.5", "ug/l"), NAN, "ND", ["ND"], {"lod": "0.5"}),
        (ABSENT, "<0.5", (MDL, "0.50", "ug/l"), NAN, "<0.5", ["<"],
         {"lod": "0.50", "limit": "0.5", "limit_is": "lod"}),
        ("*Non-detect", "", (MDL, "0.5", "ug/l"), NAN, "ND", ["ND"], {"lod": "0.5"}),
        ("Below Method Detection Limit", "", (MDL, "0.5", "ug/l"), NAN, "ND", ["ND"], {"lod": "0.5"}),
        # below a reporting or quantification level: a detect may hide below it
        ("Below Reporting Limit", "", (LRL, "2", "ug/l"), NAN, "<2", ["<"],
         {"reporting_level": "2", "limit": "2", "limit_is": "rl"}),
        ("Not Detected at Reporting Limit", "", (LRL, "2", "ug/l"), NAN, "<2", ["<"],
         {"reporting_level": "2", "limit": "2", "limit_is": "rl"}),
        (PRESENT_LOW, "", (LQL, "1.6", "ug/l"), NAN, "<1.6", ["<", "between-LOD-LOQ"],
         {"loq": "1.6", "limit": "1.6", "limit_is": "rl"}),
        (PRESENT_LOW, "1.1", (LQL, "1.6", "ug/l"), 1.1, "1.1", ["between-LOD-LOQ"], {"loq": "1.6"}),
        ("*Present <QL", "1.1", None, 1.1, "1.1", ["between-LOD-LOQ"], {}),
        # detected, amount unknown: neither a number nor a non-detect
        (PRESENT_LOW, "", (MDL, "0.5", "ug/l"), NAN, "", ["between-LOD-LOQ", PRESENT_LOW], {"lod": "0.5"}),
        ("Below Reporting Limit", "", (MDL, "0.5", "ug/l"), NAN, "", ["Below Reporting Limit"], {"lod": "0.5"}),
        (DETECTED, "", (LQL, "1.6", "ug/l"), NAN, "", [DETECTED], {"loq": "1.6"}),
        (DETECTED, "1.1", (LQL, "1.6", "ug/l"), 1.1, "1.1", [DETECTED], {"loq": "1.6"}),
        ("*Present", "", None, NAN, "", ["Present"], {}),
        ("*Not Reported", "", None, NAN, "", ["Not Reported"], {}),
        ("Present Above Quantification Limit", "9", None, NAN, ">9", [">", "Present Above Quantification Limit"], {}),
        ("*Present >QL", "9", ("Upper Quantitation Limit", "8", "ug/l"), NAN, ">9", [">", "Present >QL"],
         {"upper_limit": "8"}),
        ("*Present >QL", "", ("Upper Quantitation Limit", "8", "ug/l"), NAN, ">8", [">", "Present >QL"],
         {"upper_limit": "8"}),
        ("Above Operating Range", "120", None, NAN, ">120", [">", "Above Operating Range"], {}),
        # no condition: the value speaks
        ("", "<0.5", None, NAN, "<0.5", ["<"], {"limit": "0.5", "limit_is": "rl"}),
        ("", "<0.5", (MDL, "0.5", "ug/l"), NAN, "<0.5", ["<"], {"lod": "0.5", "limit": "0.5", "limit_is": "lod"}),
        ("", ">2400", None, NAN, ">2400", [">"], {}),
        ("", "1.20", (LRL, "0.5", "ug/l"), 1.2, "1.20", [], {"reporting_level": "0.5"}),
        ("", "1.20", ("Odd level", "2", "ug/l"), 1.2, "1.20", [], {"limit": "2", "limit_type": "Odd level"}),
        ("", "1.20", ("", "2", "ug/l"), 1.2, "1.20", [], {"limit": "2", "limit_type": "not given"}),
        ("", "*Non-detect", None, NAN, "ND", ["ND"], {}),
        ("", "0", (MDL, "0.5", "ug/l"), NAN, "0", ["ND"], {"lod": "0.5"}),
        ("", "1.20", (MDL, "0", "ug/l"), 1.2, "1.20", ["limit-not-positive"], {}),
    ],
)  # fmt: skip
def test_conditions_and_limits(
    condition: str, value: str, limit: Any, number: float | None, text: str, qualifiers: list[str], said: dict[str, str]
) -> None:
    row = only(condition=condition, value=value, unit="ug/l", limit=limit)
    flags = Flags.parse(row["flags"])
    assert math.isnan(row["value"]) if number is None else row["value"] == number
    assert (row["value_text"], list(flags.qualifiers), row["unit"]) == (text, qualifiers, "ug/L")
    assert {key: text for key, text in flags.facts.items() if key in LIMIT_FACTS} == said


@pytest.mark.parametrize(
    ("value", "unit", "limit", "lod"),
    [
        ("0.012", "mg/L", (MDL, "0.5", "ug/L"), "0.0005"),  # 0.5 ug/L is 0.0005 mg/L
        ("12", "ug/l", (MDL, "0.002", "mg/l"), "2"),
        ("12", "ug/l", (MDL, "300", "ng/L"), "0.3"),
        ("12", "ppb", (MDL, "0.50", "ug/l"), "0.50"),  # one unit under two names: the text as reported
    ],
)
def test_a_limit_has_its_own_unit(value: str, unit: str, limit: tuple[str, str, str], lod: str) -> None:
    assert facts(only(value=value, unit=unit, limit=limit))["lod"] == lod


def test_a_non_detect_takes_the_unit_of_its_limit() -> None:
    row = only(condition=ABSENT, limit=(MDL, "0.0005", "mg/l"))
    assert (row["unit"], facts(row)["lod"]) == ("mg/L", "0.0005")
    assert only(condition=ABSENT)["unit"] == "ug/L"  # no number in the row: kept in the parameter's own


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ((MDL, "0.5", ""), "not supposed"),
        ((MDL, "0.5", "furlong"), "unknown unit"),
        ((MDL, "0.5", "ft"), "cannot be converted"),
        ((MDL, "low", "ug/l"), "not a number"),
    ],
)
def test_a_limit_that_cannot_be_read_costs_the_limit_only(limit: tuple[str, str, str], reason: str) -> None:
    parts = parse({"value": "3", "unit": "ug/l", "limit": limit})
    (row,) = parts.observations.to_dict("records")
    assert (row["value"], "lod" in Flags.parse(row["flags"]).facts) == (3.0, False)
    (reject,) = parts.rejects
    assert reject.column.startswith("DetectionQuantitationLimitMeasure")
    assert reason in reject.reason


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"value": "lots"}, NARROW.value),
        ({"value": ""}, NARROW.value),
        ({"value": "-1"}, NARROW.value),
        ({"value": "0"}, NARROW.value),
        ({"value": "NaN"}, NARROW.value),
        ({"value": "1", "unit": ""}, NARROW.unit),
        ({"value": "1", "unit": "ft"}, NARROW.unit),
        ({"value": "1", "condition": "Quite absent"}, NARROW.condition),
        ({"value": "1", "condition": "*Not Reported"}, NARROW.value),
        ({"value": ">1", "condition": ABSENT}, NARROW.value),
        ({"value": "<1", "condition": "Present Above Quantification Limit"}, NARROW.value),
        ({"value": "1", "status": "Rejected"}, NARROW.status),
        ({"value": "1", "day": "2024-02-30"}, NARROW.start[0]),
        ({"value": "1", "time": "25:00:00"}, NARROW.start[1]),
        ({"value": "1", "time": "12:00:00", "zone": "XYZ"}, NARROW.start[2]),
        ({"value": "1", "station": ""}, NARROW.station),
        ({"value": "1", "name": ""}, NARROW.name),
        ({"value": "1", "unit": "mg/l as N", "basis": "as NO3"}, NARROW.speciation),
    ],
)
def test_a_bad_cell_is_one_reject(cells: dict[str, str], column: str) -> None:
    parts = parse({"unit": "ug/l", **cells}, {"value": "2", "unit": "ug/l"})
    assert [(one.row, one.column) for one in parts.rejects] == [(2, column)]
    assert parts.observations["value"].tolist() == [2.0]


@pytest.mark.parametrize(
    ("cells", "parameter", "unit"),
    [
        ({"code": "01002"}, "arsenic", "ug/L"),
        ({"code": "1002"}, "arsenic", "ug/L"),  # a spreadsheet took the zero
        ({"name": "Heavy metal", "code": "01049"}, "lead", "ug/L"),  # USGS codes carry STORET's numbers on
        ({"name": "Nitrate", "code": "00618", "unit": "mg/l as N"}, "nitrate_as_n", "mg/L"),
        ({"name": "Nitrate", "code": "71851", "unit": "mg/l asNO3"}, "nitrate_as_no3", "mg/L"),
        ({"name": "Nitrate", "basis": "as N", "unit": "mg/l"}, "nitrate_as_n", "mg/L"),
        ({"name": "Nitrate", "basis": "as NO3", "unit": "mg/l"}, "nitrate_as_no3", "mg/L"),
        ({"name": "Nitrate", "unit": "mg/l"}, "nitrate_basis_unstated", "mg/L"),
        ({"name": "Inorganic nitrogen (nitrate and nitrite)", "basis": "as N", "unit": "mg/l"},
         "nitrate_nitrite_as_n", "mg/L"),
        ({"name": "Alkalinity, total", "unit": "mg/l CaCO3"}, "alkalinity_as_caco3", "mg/L"),
        ({"name": "Sulfate", "basis": "as S", "unit": "mg/l"}, "name:Sulfate as S", "mg/L"),
        ({"name": "Phosphorus", "fraction": "Total", "basis": "as P", "unit": "mg/l"}, "phosphorus_total", "mg/L"),
        ({"name": "Phosphorus", "fraction": "Dissolved", "unit": "mg/l"}, "name:Phosphorus", "mg/L"),
        ({"name": "Temperature, water", "unit": "deg C"}, "water_temperature", "degC"),
        ({"name": "pH", "unit": "None"}, "ph", "SU"),
        ({"name": "Moon dust", "unit": "bags"}, "name:Moon dust", "bags"),
    ],
)  # fmt: skip
def test_the_substance(cells: dict[str, str], parameter: str, unit: str) -> None:
    row = only(**{"value": "7", "unit": "ug/l", **cells})
    assert (row["parameter"], row["unit"], row["value"]) == (parameter, unit, 7.0)


def test_fraction_sample_and_status() -> None:
    total = only(value="3", unit="ug/l", fraction="Total", status="Provisional", qualifier="J;B", end="2024-07-16")
    flags = Flags.parse(total["flags"])
    assert (flags.approval, flags.qualifiers) == ("P", ("J", "B"))
    assert flags.facts == {"fraction": "Total", "sample": "TOWN-1", "end": "2024-07-16"}
    assert (total["clock"], total["series"]) == ("day", "Total:TOWN-1")
    for status, approval, kept in [("Accepted", "A", ()), ("Preliminary", "P", ()), ("Raw", "", ("Raw",))]:
        said = Flags.parse(only(value="3", unit="ug/l", status=status)["flags"])
        assert (said.approval, said.qualifiers) == (approval, kept)


@pytest.mark.parametrize(
    ("time", "zone", "hour", "clock"),
    [("12:20:00", "CDT", 17, "utc"), ("12:20:00", "EST", 17, "utc"), ("12:20:00", "CST", 18, "utc"),
     ("12:20:00", "", 12, "naive")],
)  # fmt: skip
def test_zone_codes(time: str, zone: str, hour: int, clock: str) -> None:
    row = only(value="3", unit="ug/l", time=time, zone=zone)
    midnight = (date(2024, 7, 15) - date(1970, 1, 1)).days * 86_400_000
    assert (row["time_ms"], row["clock"]) == (midnight + hour * 3_600_000 + 20 * 60_000, clock)


def test_two_samples_of_one_day_are_two_results_and_a_probe_is_one_series() -> None:
    parts = parse(
        {"value": "3", "unit": "ug/l", "activity": "A1"},
        {"value": "4", "unit": "ug/l", "activity": "A2"},
        {"value": "9", "unit": "deg C", "name": "Temperature, water", "kind": "Field Msr/Obs", "time": "10:00:00"},
        {"value": "0", "unit": "mg/l", "name": "Dissolved oxygen (DO)", "kind": "Field Msr/Obs", "time": "10:00:00"},
        {"value": "8", "unit": "deg C", "name": "Temperature, water", "kind": "Field Msr/Obs", "day": "2024-07-16"},
    )
    assert parts.observations["series"].tolist() == ["Total:A1", "Total:A2", "", "", "Total:TOWN-1"]
    assert parts.rejects == ()


@pytest.mark.parametrize(
    "kind",
    [
        "Quality Control Sample-Field Blank",
        "Quality Control Sample-Field Replicate",
        "Quality Control Sample-Lab Duplicate",
        "Quality Control Sample-Lab Matrix Spike",
        "Quality Control Field Replicate Msr/Obs",
        "Quality Control-Calibration Check",
        "Sample-Negative Control",
        "Sample-Depletion Replicate",
        "QC sample",
    ],
)
def test_quality_control_is_no_result_of_the_well(kind: str) -> None:
    parts = parse({"value": "99", "unit": "ug/l", "kind": kind}, {"value": "3", "unit": "ug/l"})
    assert parts.observations["value"].tolist() == [3.0]
    apart = parts.tables["quality_control"]
    assert apart[["row", NARROW.activity_type, NARROW.value]].to_numpy().tolist() == [["2", kind, "99"]]
    assert parts.rejects == ()


def test_other_media_are_apart() -> None:
    parts = parse({"value": "99", "unit": "mg/kg", "media": "Sediment"}, {"value": "3", "unit": "ug/l"})
    assert (len(parts.observations), parts.tables["not_water"]["row"].tolist()) == (1, ["2"])


def test_a_result_is_judged_like_a_laboratory_result() -> None:
    """Arsenic, NR 140 Table 1: enforcement standard 10 ug/L, preventive action limit 1 ug/L."""
    enforcement = next(one for one in standards_for("nr140", "arsenic") if one.kind == "ES")
    limit = (MDL, "0.3", "ug/l")
    cases: list[tuple[dict[str, Any], str]] = [
        ({"value": "12", "unit": "ug/l", "limit": (LQL, "1", "ug/l")}, "attained"),
        ({"value": "0.012", "unit": "mg/l", "limit": (LQL, "1", "ug/l")}, "attained"),
        ({"value": "12", "unit": "ug/l"}, "needs_confirmation"),
        ({"value": "3", "unit": "ug/l", "limit": limit}, "not_attained"),
        ({"condition": ABSENT, "limit": limit}, "not_attained"),
        ({"condition": ABSENT, "limit": (LRL, "20", "ug/l")}, "indeterminate"),
        ({"condition": PRESENT_LOW, "limit": (LQL, "20", "ug/l")}, "indeterminate"),
        ({"condition": PRESENT_LOW, "limit": (LQL, "0.005", "mg/l")}, "not_attained"),
    ]
    for cells, status in cases:
        rows, refused = converted(parse(cells).observations, "wqp.csv")
        (row,) = rows.to_dict("records")
        result = read_result(row["value_text"], row["unit"], Flags.parse(row["flags"]))
        assert refused == []
        assert result is not None
        assert (cells, compare(result, enforcement).status) == (cells, status)
    without_number = read_result("", "ug/L", Flags.parse(only(condition=DETECTED)["flags"]))
    assert without_number is not None
    assert compare(without_number, enforcement).status == "indeterminate"


def wqx3(**cells: str) -> str:
    columns = [
        WQX3.station, WQX3.activity, WQX3.activity_type, WQX3.media, *WQX3.start, *WQX3.end, WQX3.condition,
        WQX3.name, WQX3.cas, WQX3.speciation, WQX3.fraction, WQX3.value, WQX3.unit, WQX3.qualifier, WQX3.status,
        *(name for one in WQX3.limits for name in (one.type, one.value, one.unit)), WQX3.code,
    ]  # fmt: skip
    out = io.StringIO()
    writer = csv.DictWriter(out, [*columns, *[key for key in cells if key not in columns]], lineterminator="\n")
    writer.writeheader()
    base = {
        WQX3.station: "USGS-00999001", WQX3.activity: "a-1", WQX3.activity_type: "Sample - Routine, regular",
        WQX3.media: "Water", WQX3.start[0]: "2024-07-15", WQX3.start[1]: "08:50:00", WQX3.start[2]: "CDT",
        WQX3.status: "Approved",
    }  # fmt: skip
    writer.writerow(dict.fromkeys(columns, "") | base | cells)
    return out.getvalue()


def wqx3_row(**cells: str) -> dict[str, Any]:
    parts = wqp_wqx3.parse(Source("wqx3.csv", wqx3(**cells)))
    assert parts.rejects == ()
    return {str(key): value for key, value in parts.observations.to_dict("records")[0].items()}


def test_wqx3_has_two_limits_each_with_its_unit() -> None:
    row = wqx3_row(
        Result_Characteristic="Lead", Result_CASNumber="7439-92-1", Result_Measure="0.004", Result_MeasureUnit="mg/L",
        DetectionLimit_TypeA=LQL, DetectionLimit_MeasureA="1", DetectionLimit_MeasureUnitA="ug/L",
        DetectionLimit_TypeB=MDL, DetectionLimit_MeasureB="300", DetectionLimit_MeasureUnitB="ng/L",
    )  # fmt: skip
    assert (row["parameter"], row["station"], row["series"]) == ("lead", "00999001", "a-1")
    assert Flags.parse(row["flags"]).facts == {"loq": "0.001", "lod": "0.0003", "sample": "a-1"}


def test_one_cas_number_and_two_bases() -> None:
    said = {"Result_Characteristic": "Nitrite", "Result_CASNumber": "14797-65-0", "Result_Measure": "0.061"}
    as_n = wqx3_row(**said, Result_MeasureUnit="mg/L", Result_MethodSpeciation="as N")
    as_ion = wqx3_row(**said, Result_MeasureUnit="mg/L", Result_MethodSpeciation="as NO2", USGSpcode="71856")
    unsaid = wqx3_row(**said, Result_MeasureUnit="mg/L")
    found = [one["parameter"] for one in (as_n, as_ion, unsaid)]
    assert found == ["nitrite_as_n", "nitrite_as_no2", "nitrite_basis_unstated"]


def test_usgs_samples_are_told_from_the_portal() -> None:
    cells = {"Result_Characteristic": "Stream flow, instantaneous", "USGSpcode": "61", "Result_Measure": "42.0"}
    portal = wqx3(**cells, Result_MeasureUnit="ft3/sec", ProviderName="NWIS")
    samples = wqx3(**cells, Result_MeasureUnit="ft3/sec", ProviderName="USGS", USGSSampleAquifer="")
    assert (wqp_wqx3.sniff(portal), wqp_wqx3.sniff_usgs_samples(portal)) == (True, False)
    assert (wqp_wqx3.sniff(samples), wqp_wqx3.sniff_usgs_samples(samples)) == (False, True)
    (row,) = wqp_wqx3.parse(Source("samples.csv", samples)).observations.to_dict("records")
    assert (row["parameter"], row["unit"], row["value"], row["value_text"]) == ("discharge", "cfs", 42.0, "42.0")
    assert row["series"] == "00061:a-1"


def test_a_needed_column_is_missed_by_name() -> None:
    for format, text in (("wqp-narrow-csv", narrow({})), ("wqp-wqx3-csv", wqx3())):
        with pytest.raises(BadFile, match="the header lacks"):
            FORMATS[format].parse(Source("x.csv", re.sub("ActivityTypeCode|Activity_TypeCode", "Nothing", text)))


@pytest.mark.parametrize("format", ["wqp-narrow-csv", "wqp-wqx3-csv", "usgs-samples-csv"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data())
def test_a_mutated_file_raises_nothing_else(format: str, draw: st.DataObject) -> None:
    text = (DATA / f"{format}.txt").read_text()
    for _ in range(draw.draw(st.integers(1, 5))):
        place = draw.draw(st.integers(0, len(text)))
        junk = draw.draw(st.sampled_from(["", ",", '"', "\n", "<", "1e308", "NaN", "9" * 60, "é", "ug/l", "-", "as N"]))
        text = text[:place] + junk + text[place + draw.draw(st.integers(0, 9)) :]
    try:
        parts = FORMATS[format].parse(Source("hostile.csv", text))
    except HeadwaterError:
        return
    assert tuple(parts.observations.columns) == TIDY
    assert str(parts.observations["value"].dtype) == "float64"
    converted(parts.observations, "hostile.csv")


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")
@pytest.mark.parametrize("format", ["wqp-narrow-csv", "wqp-wqx3-csv"])
def test_samples(format: str) -> None:
    with (SHARED / "samples" / "MANIFEST.tsv").open(newline="") as handle:
        (said,) = [row for row in csv.DictReader(handle, delimiter="\t") if row["format"] == format]
    reading = read(SHARED / "samples" / said["path"])
    (found,) = summarise(reading)["series"]
    named = re.search(r"first row=(\S+) (.+?) (\d+) (\S+); last row=(\S+) .+? (\d+) ", said["checked_facts"])
    assert named is not None
    rows = reading.observations
    ends = [(rows.iloc[place]["value_text"], local_day(rows.iloc[place]["time_ms"])) for place in (0, -1)]
    assert ends == [(named[3], named[1]), (named[6], named[5])]
    assert (reading.format, reading.rejects, found["n"], found["n_missing"]) == (format, (), 5, 0)
    assert (found["station"], found["unit"], found["timezone"]) == ("WIDNR_WQX-10032762", "uS/cm", "CDT")
    assert (found["parameter"], found["qualifiers"]) == ("specific_conductance", {"A": 5})
    assert (found["first"]["time"], found["last"]["time"]) == ("2011-05-09T17:20:00Z", "2011-09-11T21:10:00Z")
    assert (found["min"], found["max"]) == (471.0, 1000.0)


def local_day(time_ms: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(time_ms / 1000, UTC).astimezone(ZoneInfo("America/Chicago")).date().isoformat()
