"""USGS Water Data OGC API answers: the collections that are read, as GeoJSON and CSV, and pages that are not whole."""

import csv
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.formats import FORMATS, read
from ingest.reading import Parts, Source
from ingest.summary import summarise, time_text
from models.errors import BadFile, HeadwaterError
from models.observation import TIDY, tidy

SHARED = Path(__file__).parents[2] / "shared"
DATA = Path(__file__).parent / "data" / "ingest"
with_samples = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")

DAILY = {
    "time_series_id": "ts-a",
    "monitoring_location_id": "USGS-00999002",
    "parameter_code": "00060",
    "statistic_id": "00003",
    "time": "2024-05-01",
    "value": "12.0",
    "unit_of_measure": "ft^3/s",
    "approval_status": "Approved",
    "qualifier": None,
    "last_modified": "2024-05-03T00:00:00+00:00",
}
CONTINUOUS = DAILY | {"statistic_id": "00011", "time": "2024-05-01T05:00:00+00:00"}
FIELD = {
    "field_visit_id": "v-1",
    "field_measurements_series_id": "fs-1",
    "monitoring_location_id": "USGS-009990021234501",
    "parameter_code": "72019",
    "time": "2024-05-01T17:30:00+00:00",
    "value": "21.55",
    "unit_of_measure": "ft",
    "approval_status": "Provisional",
    "qualifier": "Static",
    "vertical_datum": "None",
    "measuring_agency": "USGS",
    "observing_procedure": "Steel-tape measurement",
}
METADATA: dict[str, Any] = {
    "id": "ts-a",
    "monitoring_location_id": "USGS-00999002",
    "parameter_code": "00060",
    "statistic_id": "00003",
    "begin": "1983-11-03T05:00:00+00:00",
    "end": "1985-04-16T05:00:00+00:00",
    "thresholds": [],
    "parent_time_series_id": None,
}


def page(*all_properties: Any, **more: Any) -> str:
    features = [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-91.5, 45.25]}, "properties": properties}
        for properties in all_properties
    ]
    return json.dumps({"type": "FeatureCollection", "features": features, "numberReturned": len(features)} | more)


def parse(text: str, format: str = "usgs-ogc-geojson") -> Parts:
    assert FORMATS[format].sniff(text)
    return FORMATS[format].parse(Source("made-up.txt", text))


def as_csv(*rows: dict[str, Any]) -> str:
    lines = [",".join(rows[0]), *(",".join("" if cell is None else str(cell) for cell in row.values()) for row in rows)]
    return "\n".join(lines) + "\n"


def times(parts: Parts) -> list[str]:
    found = parts.observations
    return [time_text(int(ms), clock) for ms, clock in zip(found["time_ms"], found["clock"], strict=True)]


def manifest() -> dict[str, str]:
    with (SHARED / "samples" / "MANIFEST.tsv").open(newline="") as handle:
        rows = [row for row in csv.DictReader(handle, delimiter="\t") if row["format"] == "usgs-ogc-geojson"]
    return {Path(row["path"]).stem: row["checked_facts"] for row in rows}


@with_samples
def test_manifest_facts_of_daily() -> None:
    facts = manifest()["daily"]
    reading = read(SHARED / "samples" / "usgs-ogc-geojson" / "daily.geojson")
    (one,) = summarise(reading)["series"]
    days, values = re.findall(r"time=(\S+),", facts), re.findall(r"value=(\S+),", facts)
    assert reading.format == "usgs-ogc-geojson"
    assert [one["first"]["time"], one["last"]["time"]] == days
    assert [one["first"]["value_text"], one["last"]["value_text"]] == values
    assert (one["n"], one["unit"], one["statistic"], one["station"]) == (2, "cfs", "mean", "05427718")
    assert (one["qualifiers"], one["series"]) == ({"P": 2}, "90a0ea0b6d99431e9f3d91da1aa49564")
    assert (reading.rejects, "more" in reading.facts) == ((), False)


@with_samples
def test_manifest_facts_of_monitoring_locations() -> None:
    facts = manifest()["monitoring-locations"]
    reading = read(SHARED / "samples" / "usgs-ogc-geojson" / "monitoring-locations.geojson")
    sites = reading.tables["sites"]
    for column in ("monitoring_location_number", "altitude", "vertical_datum", "site_type_code"):
        assert sites[column].tolist() == re.findall(rf"{column}=([^,;]+)", facts)
    coordinates = re.findall(r"coords=\[([^,]+), ([^\]]+)\]", facts)
    assert list(zip(sites["longitude"], sites["latitude"], strict=True)) == coordinates
    assert (len(reading.observations), sites["row"].tolist(), sites["construction_date"].tolist()) == (
        0,
        [1, 2],
        ["1955", ""],
    )


def test_two_series_of_one_station_stay_two() -> None:
    parts = parse(page(DAILY, DAILY | {"time_series_id": "ts-b", "value": "13.5"}))
    assert parts.observations.groupby("series")["value"].agg(list).to_dict() == {"ts-a": [12.0], "ts-b": [13.5]}


def test_continuous_and_latest_are_instants() -> None:
    later = CONTINUOUS | {"time": "2024-05-01T00:15:00-05:00", "parameter_code": "00065", "unit_of_measure": "ft"}
    parts = parse(page(CONTINUOUS, later))
    assert times(parts) == ["2024-05-01T05:00:00Z", "2024-05-01T05:15:00Z"]
    assert parts.observations[["parameter", "statistic", "unit"]].to_numpy().tolist() == [
        ["discharge", "instant", "cfs"],
        ["stage", "instant", "ft"],
    ]


@pytest.mark.parametrize(
    ("status", "qualifier", "flags"),
    [
        ("Approved", None, "A"),
        ("Provisional", "ESTIMATED", "P:ESTIMATED"),
        ("Provisional", ["ICE", "ESTIMATED"], "P:ICE,ESTIMATED"),
        ("Approved", '["ICE", "ESTIMATED"]', "A:ICE,ESTIMATED"),
        ("Approved", "['ICE' 'ESTIMATED']", "A:ICE,ESTIMATED"),
        ("Approved", "{ICE,ESTIMATED}", "A:ICE,ESTIMATED"),
        ("Approved", "Recently pumped", "A:Recently pumped"),
        ("Approved", [], "A"),
        ("In review", "ICE", "P:In review,ICE"),
        ("Working", None, "P:Working"),
        ("Some new word", None, "P:Some new word"),
        (None, None, "P"),
        (None, "ICE", "P:ICE"),
    ],
)
def test_status_and_qualifiers(status: str | None, qualifier: Any, flags: str) -> None:
    parts = parse(page(DAILY | {"approval_status": status, "qualifier": qualifier}))
    assert parts.observations["flags"].tolist() == [flags]


@pytest.mark.parametrize(("given", "text"), [("20.20", "20.20"), (None, ""), ("-999999", ""), (20.5, "20.5")])
def test_values_keep_their_text(given: Any, text: str) -> None:
    parts = parse(page(DAILY | {"value": given}))
    (row,) = parts.observations.to_dict("records")
    assert (row["value_text"], row["value"] != row["value"]) == (text, not text)


def test_a_bare_number_keeps_its_zeros() -> None:
    parts = parse(page(DAILY).replace('"12.0"', "12.50"))
    assert parts.observations["value_text"].tolist() == ["12.50"]


def test_unknown_parameters_keep_code_and_unit() -> None:
    parts = parse(page(DAILY | {"parameter_code": "91060", "unit_of_measure": "lbs/day"}))
    assert parts.observations[["parameter", "unit"]].to_numpy().tolist() == [["usgs:91060", "lbs/day"]]


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ({"statistic_id": "00008"}, "statistic"),
        ({"statistic_id": None}, "statistic_id"),
        ({"unit_of_measure": "ft"}, ""),
        ({"unit_of_measure": None}, "unit"),
        ({"monitoring_location_id": None}, "monitoring_location_id"),
        ({"time": "soon"}, "time"),
        ({"value": "twelve"}, "value"),
    ],
)
def test_what_is_refused_costs_only_itself(change: dict[str, Any], column: str) -> None:
    parts = parse(page(DAILY | change, DAILY))
    assert [(one.row, one.column) for one in parts.rejects] == [(1, column)]
    assert parts.observations["row"].tolist() == [2]


def test_another_agencys_id_stays_whole() -> None:
    parts = parse(page(DAILY | {"monitoring_location_id": "MN040-445100092"}))
    assert parts.observations["station"].tolist() == ["MN040-445100092"]


def test_field_measurements() -> None:
    discharge = FIELD | {
        "parameter_code": "00060", "unit_of_measure": "ft^3/s", "value": "16.6", "qualifier": None,
        "field_measurements_series_id": "fs-2", "measurement_rated": "Good", "control_condition": "Clear",
    }  # fmt: skip
    parts = parse(page(FIELD, discharge))
    assert parts.observations[["parameter", "statistic", "series", "unit"]].to_numpy().tolist() == [
        ["depth_to_water", "instant", "fs-1", "ft"],
        ["discharge", "instant", "fs-2", "cfs"],
    ]
    assert parts.observations["flags"].tolist() == [
        "P:Static;by=USGS;method=Steel-tape measurement",
        "P;by=USGS;method=Steel-tape measurement;rated=Good;control=Clear",
    ]


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ({"time": "2014-06-19", "time_of_day": "16:00:27+00:00", "year": "2014", "month": "6", "day": "19"},
         "2014-06-19T16:00:27Z"),
        ({"time": "2014-06-19", "time_of_day": None, "year": 2014, "month": 6, "day": 19}, "2014-06-19"),
        ({"time": "2014-06-01", "time_of_day": None, "year": 2014, "month": 6, "day": None}, "2014-06-01 month"),
        ({"time": "2014-01-01", "time_of_day": None, "year": 2014, "month": None, "day": None}, "2014-01-01 year"),
        ({"time": "1958-07"}, "1958-07-01 month"),
    ],
)  # fmt: skip
def test_field_measurements_of_unknown_hour(time: dict[str, Any], expected: str) -> None:
    parts = parse(page(FIELD | time))
    (clock,) = parts.observations["clock"]
    assert f"{times(parts)[0]} {clock}".removesuffix(" day").removesuffix(" utc") == expected


@pytest.mark.parametrize(
    ("code", "datum", "parameter", "said"),
    [
        ("62611", "NAVD88", "water_elevation_navd88", "NAVD88"),
        ("62610", "NGVD29", "water_elevation_ngvd29", "NGVD29"),
        ("62610", "NAVD88", None, None),
        ("72019", "None", "depth_to_water", None),
    ],
)
def test_an_elevation_and_its_datum(code: str, datum: str, parameter: str | None, said: str | None) -> None:
    parts = parse(page(FIELD | {"parameter_code": code, "vertical_datum": datum, "value": "978.4"}))
    assert parts.observations["parameter"].tolist() == ([parameter] if parameter else [])
    assert [one.column for one in parts.rejects] == ([] if parameter else ["vertical_datum"])
    assert parts.datum == said


def test_time_series_metadata_is_a_table() -> None:
    parts = parse(page(METADATA))
    table = parts.tables["time_series"]
    assert (len(parts.observations), table["begin"].tolist(), table["parent_time_series_id"].tolist()) == (
        0,
        ["1983-11-03T05:00:00+00:00"],
        [""],
    )
    assert table[["thresholds", "longitude", "latitude"]].to_numpy().tolist() == [["[]", "-91.5", "45.25"]]


def test_a_page_that_leads_on_says_so() -> None:
    links = [{"rel": "self", "href": "s"}, {"rel": "next", "href": "https://example.org/items?cursor=abc"}]
    following = parse(page(DAILY, links=links)).facts
    assert (following["more"], following["next"]) == ("yes", "https://example.org/items?cursor=abc")
    assert "more" not in parse(page(DAILY, links=links[:1])).facts
    assert parse(page(DAILY, numberMatched=7)).facts["more"] == "yes"
    assert "more" not in parse(page(DAILY, numberMatched=1)).facts


def test_a_page_that_lost_features_on_the_way() -> None:
    parts = parse(page(DAILY, numberReturned=3))
    assert [(one.row, one.column, one.raw) for one in parts.rejects] == [(0, "numberReturned", "3")]
    assert len(parts.observations) == 1


def test_no_features_is_an_answer() -> None:
    parts = parse(page())
    assert (len(parts.observations), parts.rejects, parts.facts["empty"]) == (0, (), "the answer holds no records")


def test_a_single_feature_and_one_without_properties() -> None:
    feature = json.loads(page(DAILY))["features"][0]
    assert len(parse(json.dumps(feature)).observations) == 1
    parts = parse(json.dumps({"type": "FeatureCollection", "features": [feature, 5, {"properties": None}]}))
    assert [one.row for one in parts.rejects] == [2, 3]


@pytest.mark.parametrize(
    "error",
    [
        {"code": "InvalidParameterValue", "type": "InvalidParameterValue", "description": "unknown query parameter"},
        {"description": "no such collection", "code": "NotFound"},
        {"error": {"code": "OVER_RATE_LIMIT", "message": "You have exceeded your rate limit."}},
    ],
)
def test_an_error_object_is_refused_in_its_own_words(error: dict[str, Any]) -> None:
    with pytest.raises(BadFile, match=r"made-up\.txt: the service answered with an error.*(?:Invalid|NotFound|OVER)"):
        parse(json.dumps(error))


@pytest.mark.parametrize(
    "text",
    [
        page({"monitoring_location_id": "USGS-1", "channel_flow": "10.6"}),
        page(DAILY | {"peak_since": None}),
        page({"monitoring_location_number": "1"} | {f"p{n}": n for n in range(600)}),
        '{"type": "FeatureCollection", "monitoring_location_id": "", "features": 5}',
        '{"type": "FeatureCollection", "monitoring_location_id": "", "features": [1, 2]}',
        page(DAILY)[:-40],
        '{"type": "FeatureCollection", "monitoring_location_id": "", "features": ' + "[" * 100_000,
    ],
)
def test_what_is_refused_whole(text: str) -> None:
    with pytest.raises(BadFile, match=r"made-up\.txt"):
        FORMATS["usgs-ogc-geojson"].parse(Source("made-up.txt", text))


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "Pit"}}]}',
        '{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}',
        '{"value": {"timeSeries": []}}',
    ],
)
def test_other_json_is_not_claimed(text: str) -> None:
    assert not FORMATS["usgs-ogc-geojson"].sniff(text)


def test_csv_says_the_same_as_geojson() -> None:
    rows = [DAILY, DAILY | {"time": "2024-05-02", "value": None, "approval_status": "In review", "qualifier": "ICE"}]
    columns = [name for name in TIDY if name != "row"]
    one, other = parse(page(*rows)), parse(as_csv(*rows), "usgs-ogc-csv")
    assert one.observations[columns].equals(other.observations[columns])
    assert other.observations["row"].tolist() == [2, 3]
    assert one.facts["last_modified"] == other.facts["last_modified"]


def test_csv_with_coordinates_blank_for_t_and_na() -> None:
    text = (
        "x,y,id,time_series_id,monitoring_location_id,parameter_code,statistic_id,time,value,unit_of_measure,"
        "approval_status,qualifier\n"
        ',,1,ts-a,USGS-00999002,00060,00011,2024-01-01 03:00:00+00:00,66300,ft^3/s,Approved,"[""ICE"",""ESTIMATED""]"\n'
        ",,2,ts-a,USGS-00999002,00060,00011,2024-01-01 03:15:00+00:00,NA,ft^3/s,Approved,NA\n"
        ",,3,ts-a\n"
    )
    parts = parse(text, "usgs-ogc-csv")
    assert times(parts) == ["2024-01-01T03:00:00Z", "2024-01-01T03:15:00Z"]
    assert parts.observations["flags"].tolist() == ["A:ICE,ESTIMATED", "A"]
    assert parts.observations["station"].tolist() == ["00999002"] * 2
    assert [one.row for one in parts.rejects] == [4]


def test_csv_tables() -> None:
    series = parse(as_csv(METADATA | {"thresholds": ""}), "usgs-ogc-csv").tables["time_series"]
    sites = parse("id,monitoring_location_number,altitude\nUSGS-01,01,9.0\n", "usgs-ogc-csv").tables["sites"]
    assert (series["row"].tolist(), series["parameter_code"].tolist()) == ([2], ["00060"])
    assert sites.to_dict("records") == [
        {"row": 2, "id": "USGS-01", "monitoring_location_number": "01", "altitude": "9.0"}
    ]


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "monitoring_location_id,channel_flow\n1,2\n"])
def test_csv_that_is_refused(text: str) -> None:
    assert not FORMATS["usgs-ogc-csv"].sniff(text)
    with pytest.raises(BadFile, match="collection that is not read"):
        FORMATS["usgs-ogc-csv"].parse(Source("made-up.txt", text))


JUNK = st.sampled_from(["", "\x00", ",", "\n", '"', "{", "]", "[]", "null", "NaN", "9" * 60, "é", "2024", "Feature"])


@pytest.mark.parametrize("format", ["usgs-ogc-geojson", "usgs-ogc-csv"])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), JUNK), min_size=1, max_size=4))
def test_mutated_files_raise_nothing_else(format: str, edits: list[tuple[float, int, str]]) -> None:
    text = (DATA / f"{format}.txt").read_text()
    for where, length, junk in edits:
        start = int(where * len(text))
        text = text[:start] + junk + text[start + length :]
    with suppress(HeadwaterError):
        parts = FORMATS[format].parse(Source("made-up.txt", text))
        assert parts.observations.dtypes.to_dict() == tidy(dict.fromkeys(TIDY, ())).dtypes.to_dict()
