"""National Ground-Water Monitoring Network: levels and logs, as XML and as the portal's JSON."""

import csv
import json
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.formats import FORMATS, read
from ingest.reading import Parts, Reading, Source, Told
from ingest.summary import summarise, time_text
from models.errors import BadFile, HeadwaterError
from models.observation import TIDY, Flags, tidy

SHARED = Path(__file__).parents[2] / "shared"
DATA = Path(__file__).parent / "data" / "ingest"
NAMES = ("ngwmn-xml", "ngwmn-log", "ngwmn-json")
with_samples = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")

SAMPLE = {
    "agency": "USGS",
    "site": "009990021234501",
    "pcode": "72019",
    "direction": "down",
    "unit": "ft",
    "comment": "A",
    "accuracyValue": "Unknown",
    "accuracyUnit": "Unknown",
    "time": "2024-05-01T07:13:00-06:00",
    "originalValue": "21.55",
    "fromLandsurfaceValue": "21.55",
    "fromDatumValue": "979.95",
}


def sample(name: str) -> tuple[Reading, str]:
    with (SHARED / "samples" / "MANIFEST.tsv").open(newline="") as handle:
        (row,) = [row for row in csv.DictReader(handle, delimiter="\t") if row["path"].startswith(f"ngwmn/{name}")]
    return read(SHARED / "samples" / row["path"]), row["checked_facts"]


def levels(*samples: dict[str, Any], datum: str = "NAVD88") -> Parts:
    reference = {"siteElevation": "1001.5", "siteElevationDatum": datum}
    text = json.dumps({"elevationReference": reference, "samples": samples})
    assert FORMATS["ngwmn-json"].sniff(text)
    return FORMATS["ngwmn-json"].parse(Source("made-up.txt", text))


def made_up(format: str) -> Source:
    return Source("made-up.txt", (DATA / f"{format}.txt").read_text())


@with_samples
def test_manifest_facts_of_levels_as_xml() -> None:
    reading, facts = sample("usgs-")
    (one,) = summarise(reading)["series"]
    assert f"time-value pairs={one['n']};" in facts
    for side in ("first", "last"):
        match = re.search(rf"{side}=\{{'time': '([^']+)', 'value': '([^']+)', 'comment': '([^']+)'\}}", facts)
        assert match is not None
        assert one[side]["value_text"] == match[2]
        assert one[side]["qualifiers"] == match[3]
    # 16:08 and 18:04 at -06:00
    assert (one["first"]["time"], one["last"]["time"]) == ("1991-04-17T22:08:00Z", "2008-12-16T00:04:00Z")
    assert (reading.format, one["unit"], one["station"], reading.rejects) == ("ngwmn-xml", "ft", "", ())
    assert reading.facts["station"] == "the document names no site"


@with_samples
def test_manifest_facts_of_a_log_as_xml() -> None:
    reading, facts = sample("mbmg-")
    tables = reading.tables
    assert reading.format == "ngwmn-log"
    assert f"name={tables['sites']['name'][0]};" in facts
    assert f"pos={tables['sites']['latitude'][0]} {tables['sites']['longitude'][0]};" in facts
    assert f"logElement={len(tables['lithology'])};" in facts
    assert f"principalValue first=[('{tables['sites']['well_depth'][0]}', 'urn:OGC:unknown')]" in facts
    assert tables["sites"]["well_depth_unit"].tolist() == [""]
    assert tables["construction"][["type", "from", "to", "material"]].to_numpy().tolist() == [
        ["screen", "-2.50", "155.00", "A53B STEEL"]
    ]
    assert tables["lithology"]["description"][1].startswith("SAND AND GRAVEL; FINE – MEDIUM")
    assert tables["lithology"][["from", "to"]].to_numpy().tolist()[-1] == ["165.00", "168.00"]


@with_samples
def test_manifest_facts_of_the_portal() -> None:
    reading, facts = sample("wi-")
    found = {one["timezone"]: one for one in summarise(reading)["series"]}
    naive, zoned = found[None], found["-05:00/-06:00"]
    assert f"levels={naive['n'] + zoned['n']};" in facts
    assert f"time string lengths={{19: {naive['n']}, 25: {zoned['n']}}}" in facts
    first, last = (re.search(rf"{side}=(\{{[^}}]*\}})", facts) for side in ("first", "last"))
    assert first is not None
    assert last is not None
    earliest, latest = (json.loads(match[1].replace("'", '"')) for match in (first, last))
    assert (naive["first"]["time"], naive["first"]["value_text"]) == (earliest["time"], earliest["originalValue"])
    assert (zoned["last"]["time"], zoned["last"]["value_text"]) == ("2018-05-30T13:13:00Z", latest["originalValue"])
    assert {one["parameter"] for one in found.values()} == {"depth_to_water"}
    assert {one["station"] for one in found.values()} == {earliest["site"]}
    assert {code for one in found.values() for code in one["qualifiers"]} == {"A", "P"}
    flags = Flags.parse(reading.observations["flags"].iloc[0])
    assert flags.facts == {"above_datum": f"{earliest['fromDatumValue']} NAVD88"}
    assert reading.facts["noon"].startswith("all 384 times")
    assert (reading.facts["site_elevation"], reading.facts["site_elevation_datum"]) == ("858.6", "NAVD88")


@with_samples
def test_manifest_facts_of_the_portals_log() -> None:
    reading, facts = sample("wi-")
    site = reading.tables["sites"].iloc[0]
    parts = reading.tables["construction"]
    said = re.findall(r"\('(casing|screen)', \{'end': (\d+), 'start': (\d+)\}, '(ft)'\)", facts)
    assert parts[["type", "to", "from", "unit"]].to_numpy().tolist() == [list(one) for one in said]
    assert f"lithology entries={len(reading.tables['lithology'])}" in facts
    assert f"well name={site['name']};" in facts
    assert (site["elevation"], site["elevation_datum"], site["well_depth"]) == ("858.6", "NAVD88", "820")
    assert site["station"] == reading.observations["station"].iloc[0]


def test_a_level_told_by_the_caller() -> None:
    source = made_up("ngwmn-xml")
    untold = FORMATS["ngwmn-xml"].parse(source)
    told = FORMATS["ngwmn-xml"].parse(replace(source, told=Told(station="MW-1", parameter="depth_to_water")))
    assert (set(untold.observations["parameter"]), "level" in untold.facts) == ({"name:GroundWaterLevel"}, True)
    assert (set(told.observations["parameter"]), "level" in told.facts) == ({"depth_to_water"}, False)
    assert set(told.observations["station"]) == {"009990021234501"}  # what the file names itself stands


def test_comment_accuracy_and_month_of_levels_as_xml() -> None:
    found = FORMATS["ngwmn-xml"].parse(made_up("ngwmn-xml")).observations
    assert found["flags"].tolist() == ["A:Steel-tape measurement.;accuracy=0.01 ft", "P"]
    shown = [time_text(int(ms), clock) for ms, clock in zip(found["time_ms"], found["clock"], strict=True)]
    assert (shown, found["clock"].tolist()) == (["2023-04-17T22:08:00Z", "2024-11-01"], ["utc", "month"])


def test_a_log_with_units() -> None:
    tables = FORMATS["ngwmn-log"].parse(made_up("ngwmn-log")).tables
    assert tables["lithology"][["from", "to", "unit", "lithology", "description"]].to_numpy().tolist() == [
        ["0.00", "35.00", "ft", "SAND", "SAND – FINE"]
    ]
    assert tables["construction"][["row", "type", "from", "to", "id"]].to_numpy().tolist() == [
        [1, "casing", "-2.00", "60.00", "C1"],
        [2, "screen", "60.00", "80.00", "S1"],
    ]


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({}, "depth_to_water"),
        ({"pcode": "62611", "direction": "up", "originalValue": "979.95"}, "water_elevation_navd88"),
        ({"pcode": "99999"}, "usgs:99999"),
        ({"pcode": ""}, "depth_to_water"),
        ({"pcode": "", "direction": "up", "originalValue": "979.95"}, "water_elevation_navd88"),
    ],
)
def test_what_a_level_measures(change: dict[str, str], parameter: str) -> None:
    parts = levels(SAMPLE | change)
    assert parts.observations["parameter"].tolist() == [parameter]
    assert parts.rejects == ()


@pytest.mark.parametrize(
    ("change", "datum", "column"),
    [
        ({"direction": "up"}, "NAVD88", "direction"),
        ({"pcode": "62611"}, "NAVD88", "direction"),
        ({"pcode": "", "direction": "up", "originalValue": "979.95"}, "", "pcode"),
        ({"pcode": "", "direction": "up"}, "NAVD88", "pcode"),
        ({"pcode": "", "originalValue": "22.0"}, "NAVD88", "pcode"),
        ({"unit": ""}, "NAVD88", "unit"),
        ({"unit": "cfs"}, "NAVD88", ""),
        ({"time": "May"}, "NAVD88", "time"),
        ({"originalValue": "deep"}, "NAVD88", "value"),
    ],
)
def test_a_level_that_cannot_be_told_is_refused(change: dict[str, str], datum: str, column: str) -> None:
    parts = levels(SAMPLE | change, datum=datum)
    assert (len(parts.observations), [(one.row, one.column) for one in parts.rejects]) == (0, [(1, column)])


@pytest.mark.parametrize(
    ("time", "expected", "clock"),
    [
        ("1902", "1902-01-01", "year"),
        ("1958-07", "1958-07-01", "month"),
        ("1958-07-04", "1958-07-04", "day"),
        ("1958-07-04T12:00:00", "1958-07-04T12:00:00", "naive"),
        ("2024-05-01T07:13:00-06:00", "2024-05-01T13:13:00Z", "utc"),
    ],
)
def test_partial_dates(time: str, expected: str, clock: str) -> None:
    found = levels(SAMPLE | {"time": time}).observations
    assert (time_text(int(found["time_ms"][0]), clock), found["clock"].tolist()) == (expected, [clock])


def test_the_reported_value_stands_and_the_other_is_a_fact() -> None:
    depth = levels(SAMPLE | {"accuracyValue": "0.01", "accuracyUnit": "ft", "comment": "P, pumped recently"})
    height = levels(SAMPLE | {"pcode": "62611", "direction": "up", "originalValue": "979.95"})
    assert depth.observations["flags"].tolist() == ["P:pumped recently;accuracy=0.01 ft;above_datum=979.95 NAVD88"]
    assert (height.observations["value"][0], height.observations["flags"][0]) == (979.95, "A;below_land_surface=21.55")


def test_stations_of_other_agencies_carry_their_agency() -> None:
    assert levels(SAMPLE | {"agency": "NOWH", "site": "7"}).observations["station"].tolist() == ["NOWH.7"]
    assert FORMATS["ngwmn-log"].parse(made_up("ngwmn-log")).tables["sites"]["station"].tolist() == ["NOWH.7"]


def test_levels_or_log_alone() -> None:
    both = json.loads((DATA / "ngwmn-json.txt").read_text())
    for key, text in ((key, json.dumps(part)) for key, part in both.items()):
        assert FORMATS["ngwmn-json"].sniff(text)
        parts = FORMATS["ngwmn-json"].parse(Source("made-up.txt", text))
        assert (len(parts.observations), sorted(parts.tables)) == (
            (2, []) if key == "water-levels" else (0, ["construction", "lithology", "sites"])
        )


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("ngwmn-json", '{"samples": [}'),
        ("ngwmn-json", '{"well-log": 5}'),
        ("ngwmn-json", "[" * 100_000),
        ("ngwmn-xml", '<a xmlns="http://www.wron.net.au/waterml2"/>'),
        ("ngwmn-xml", '<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>'),
        ("ngwmn-log", "<WaterWell>"),
        ("ngwmn-log", "<a/>"),
    ],
)
def test_what_is_refused_whole(format: str, text: str) -> None:
    with pytest.raises(BadFile, match=r"made-up\.txt"):
        FORMATS[format].parse(Source("made-up.txt", text))


def test_each_file_is_claimed_by_one_reader_only() -> None:
    new = [name for name in FORMATS if name.startswith(("nwis-waterml", "waterml2", "usgs-ogc", "ngwmn"))]
    for path in DATA.iterdir():
        claimed = [name for name in new if FORMATS[name].sniff(path.read_text(encoding="latin-1"))]
        assert claimed == ([path.stem] if path.stem in new else [])


JUNK = st.sampled_from(["", "\x00", "<", ">", "&a;", '"', "{", "]", "null", "NaN", "9" * 60, "é", "2024", " "])


@pytest.mark.parametrize("format", NAMES)
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
