"""WaterML 1.1 (JSON, XML) and WaterML 2: sensors, sentinels, zones and days; real files as their manifest says."""

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
from models.observation import TIDY, Flags, tidy

SHARED = Path(__file__).parents[2] / "shared"
DATA = Path(__file__).parent / "data" / "ingest"
NAMES = ("nwis-waterml-json", "nwis-waterml1-xml", "waterml2-xml")
with_samples = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")


def parse(format: str, text: str) -> Parts:
    source = Source("made-up.txt", text)
    assert FORMATS[format].sniff(text)
    return FORMATS[format].parse(source)


def rows(parts: Parts) -> list[tuple[str, float | None, str]]:
    """Time as text, value and flags of each row."""
    return [
        (
            time_text(int(row["time_ms"]), row["clock"]),
            None if row["value"] != row["value"] else row["value"],
            row["flags"],
        )
        for row in parts.observations.to_dict("records")
    ]


def value(text: str, time: str, *qualifiers: str, **more: str) -> dict[str, Any]:
    return {"value": text, "dateTime": time, "qualifiers": list(qualifiers), **more}


def series(
    *blocks: tuple[str, list[dict[str, Any]]],
    code: str = "00060",
    unit: str = "ft3/s",
    statistic: str = "00000",
    summer: bool = True,
    no_data: float = -999999.0,
) -> dict[str, Any]:
    zone = {"defaultTimeZone": {"zoneOffset": "-06:00"}, "siteUsesDaylightSavingsTime": summer}
    return {
        "name": f"USGS:00999002:{code}:{statistic}",
        "sourceInfo": {"siteName": "Nowhere", "siteCode": [{"value": "00999002"}], "timeZoneInfo": zone},
        "variable": {
            "variableCode": [{"value": code, "network": "NWIS"}],
            "unit": {"unitCode": unit},
            "options": {"option": [{"name": "Statistic", "optionCode": statistic}]},
            "noDataValue": no_data,
        },
        "values": [
            {"value": values, "method": [{"methodID": int(id), "methodDescription": f"SENSOR {id}"}]}
            for id, values in blocks
        ],
    }


def answer(*all_series: dict[str, Any]) -> str:
    return json.dumps({"value": {"timeSeries": all_series}})


def manifest(format: str) -> dict[str, str]:
    with (SHARED / "samples" / "MANIFEST.tsv").open(newline="") as handle:
        return {
            row["path"]: row["checked_facts"]
            for row in csv.DictReader(handle, delimiter="\t")
            if row["format"] == format
        }


FACT = re.compile(
    r"USGS:(?P<station>\d+):00060:00000 unit=ft3/s .*?n=(?P<n>\d+) (?:valid=(?P<valid>\d+) )?noData\S*=(?P<missing>\d+)"
    r" first=(?P<first>[^|]+)\|(?P<first_value>\S+) last=(?P<last>[^|]+)\|(?P<last_value>\S+)"
)


@with_samples
@pytest.mark.parametrize("format", NAMES[:2])
def test_manifest_facts_of_waterml_1(format: str) -> None:
    for path, facts in manifest(format).items():
        reading = read(SHARED / "samples" / path)
        (one,) = summarise(reading)["series"]
        fact = FACT.search(facts)
        assert fact is not None
        assert (reading.format, reading.rejects, one["unit"]) == (format, (), "cfs")
        assert (one["station"], one["parameter"], one["statistic"]) == (fact["station"], "discharge", "instant")
        assert (one["n"], one["n_missing"]) == (int(fact["n"]), int(fact["missing"]))
        for side in ("first", "last"):
            reported = fact[f"{side}_value"]
            assert one[side]["time"] == in_utc(fact[side])
            assert one[side]["value_text"] == ("" if reported == "-999999" else reported)
        words = re.search(r"qualifiers=(\{.*?\})", facts)
        assert words is not None
        assert one["qualifiers"] == {
            key.replace(" ", ":"): n for key, n in json.loads(words[1].replace("'", '"')).items()
        }


def in_utc(local: str) -> str:
    """Worked by hand from the manifest's clock: these files start and end within a day of the turn of the hour."""
    hours, minute = int(local[11:13]) - int(local[23:26]), local[14:16]
    day = int(local[8:10]) + hours // 24
    return f"{local[:8]}{day:02d}T{hours % 24:02d}:{minute}:00Z"


@with_samples
def test_offsets_turn_with_the_clock() -> None:
    (path,) = [path for path in manifest(NAMES[0]) if "dst" in path]
    reading = read(SHARED / "samples" / path)
    steps = reading.observations["time_ms"].diff().dropna()
    assert reading.timezone == "-04:00/-05:00"
    assert (steps.min(), steps.max(), len(steps)) == (900_000, 900_000, 283)


@with_samples
def test_series_ids_are_method_ids() -> None:
    found = {path: summarise(read(SHARED / "samples" / path))["series"][0]["series"] for path in manifest(NAMES[1])}
    assert list(found.values()) == ["2"]


@with_samples
def test_manifest_facts_of_waterml_2() -> None:
    ((path, facts),) = manifest("waterml2-xml").items()
    reading = read(SHARED / "samples" / path)
    (one,) = summarise(reading)["series"]
    assert "values=8; first=('2014-09-01', '2690.0'); last=('2014-09-08', '2300.0'); uom=['ft3/s']" in facts
    assert (one["n"], one["n_missing"], one["unit"], one["statistic"]) == (8, 0, "cfs", "mean")
    assert (one["first"]["time"], one["first"]["value_text"]) == ("2014-09-01", "2690.0")
    assert (one["last"]["time"], one["last"]["value_text"]) == ("2014-09-08", "2300.0")
    assert (one["station"], one["series"], one["qualifiers"], reading.rejects) == ("01646500", "1", {"P": 8}, ())


def test_two_sensors_are_two_series() -> None:
    """The case ID-05: same day, two methods; neither is chosen."""
    old = [value("100", "2003-09-29T12:00:00-05:00", "A"), value("102", "2003-09-30T12:00:00-05:00", "A")]
    new = [value("110", "2003-09-29T12:00:00-05:00", "A")]
    parts = parse(NAMES[0], answer(series(("11", old), ("22", new))))
    found = parts.observations.groupby("series")["value"].agg(list).to_dict()
    assert found == {"11": [100.0, 102.0], "22": [110.0]}
    assert (parts.facts["method 11"], parts.facts["method 22"]) == ("SENSOR 11", "SENSOR 22")
    assert parts.observations["row"].tolist() == [1, 2, 3]


def test_several_series_each_with_its_own_unit_and_statistic() -> None:
    day = "2024-07-01T00:00:00.000"
    parts = parse(
        NAMES[0],
        answer(
            series(("1", [value("18.9", day, "A")]), code="00010", unit="deg C", statistic="00001"),
            series(("2", [value("156", day, "A")]), code="00095", unit="uS/cm @25C", statistic="00003"),
            series(("3", [value("0.08", day, "A")]), code="80155", unit="tons/day", statistic="00003"),
        ),
    )
    found = parts.observations[["parameter", "statistic", "unit"]].to_numpy().tolist()
    assert found == [
        ["water_temperature", "max", "degC"],
        ["specific_conductance", "mean", "uS/cm"],
        ["usgs:80155", "mean", "tons/day"],
    ]
    assert rows(parts) == [("2024-07-01", 18.9, "A"), ("2024-07-01", 156.0, "A"), ("2024-07-01", 0.08, "A")]


def test_a_statistic_or_unit_that_is_not_kept_is_one_reject() -> None:
    two = [value("1", "2024-07-01T00:00:00"), value("2", "2024-07-02T00:00:00")]
    parts = parse(NAMES[0], answer(series(("1", two), statistic="00008"), series(("2", two), unit="furlongs")))
    assert [(one.row, one.column, one.reason.partition(";")[0]) for one in parts.rejects] == [
        (1, "statistic", "unknown statistic code 00008"),
        (3, "", "unknown unit"),
    ]
    assert all(one.reason.endswith("2 rows left out") for one in parts.rejects)


@pytest.mark.parametrize(
    ("qualifiers", "flags"),
    [
        (["P", "Ice"], "P:Ice"),
        (["P e"], "P:e"),
        (["e", "A"], "A:e"),
        (["A + e"], "A:e"),
        (["[P,Ice]"], "P:Ice"),
        (["A", "[92]"], "A:[92]"),
        (["A", "P"], "P:A"),
        ([], ""),
    ],
)
def test_qualifiers_in_any_form(qualifiers: list[str], flags: str) -> None:
    parts = parse(NAMES[0], answer(series(("1", [value("5", "2024-01-01T00:00:00Z", *qualifiers)]))))
    assert [row[2] for row in rows(parts)] == [flags]


@pytest.mark.parametrize(
    ("text", "expected", "flags"),
    [
        ("-999999", None, "P"),
        ("-999999.00", None, "P"),
        ("-9999", None, "P"),
        ("Eqp", None, "P:Eqp"),
        ("***", None, "P:***"),
        ("", None, "P"),
        ("NaN", None, "P"),
        ("-0.3", -0.3, "P"),
        ("<0.01", None, "P:<;limit=0.01;limit_is=rl"),
        (">900", None, "P:>;above=900 cfs"),
    ],
)
def test_what_is_no_number_keeps_its_meaning(text: str, expected: float | None, flags: str) -> None:
    parts = parse(NAMES[0], answer(series(("1", [value(text, "2024-01-01T00:00:00Z", "P")]), no_data=-9999)))
    assert rows(parts) == [("2024-01-01T00:00:00Z", expected, flags)]
    assert parts.observations["value_text"].tolist() == [text if text[:1] == "<" or expected is not None else ""]


@pytest.mark.parametrize("text", ["1,200", "-Infinity", "Infinity", "1e999", "12 cfs"])
def test_a_bad_value_costs_one_row(text: str) -> None:
    good = value("7", "2024-01-01T00:15:00Z")
    parts = parse(NAMES[0], answer(series(("1", [value(text, "2024-01-01T00:00:00Z"), good]))))
    assert [(one.row, one.column, one.raw) for one in parts.rejects] == [(1, "value", text)]
    assert rows(parts) == [("2024-01-01T00:15:00Z", 7.0, "")]


@pytest.mark.parametrize(
    ("time", "summer", "expected"),
    [
        ("2024-07-01T10:00:00.000-05:00", True, "2024-07-01T15:00:00Z"),
        ("2024-07-01T10:00:00.000-05:00", False, "2024-07-01T15:00:00Z"),  # a stated offset wins (case TS-04)
        ("2024-07-01T10:00:00.000", False, "2024-07-01T16:00:00Z"),
        ("2024-07-01T10:00:00.000", True, "2024-07-01T10:00:00"),
        ("2024-07-01", True, "2024-07-01"),
        ("2024-02-29T24:00:00Z", True, "2024-03-01T00:00:00Z"),
    ],
)
def test_zones(time: str, summer: bool, expected: str) -> None:
    parts = parse(NAMES[0], answer(series(("1", [value("5", time)]), summer=summer)))
    assert rows(parts) == [(expected, 5.0, "")]
    assert ("zone 00999002" in parts.facts) == (expected == "2024-07-01T10:00:00")


@pytest.mark.parametrize(
    "time", ["", "yesterday", "2024-02-30T00:00:00Z", "2024-07-01T25:00:00Z", "2024-07-01T10:00:00+99:00", "0001-01-01",
             "9999-12-31T00:00:00Z", "2024-07-01T24:15:00Z"]
)  # fmt: skip
def test_a_bad_time_costs_one_row(time: str) -> None:
    parts = parse(NAMES[0], answer(series(("1", [value("5", time), value("6", "2024-01-01T00:00:00Z")]))))
    assert [(one.row, one.column) for one in parts.rejects] == [(1, "time")]
    assert len(parts.observations) == 1


def test_daily_values_are_days_and_not_midnights() -> None:
    days = [value("5", "2024-07-01T00:00:00.000", "A"), value("6", "2024-07-02T00:00:00.000-05:00", "A")]
    parts = parse(NAMES[0], answer(series(("1", days), statistic="00003")))
    assert rows(parts) == [("2024-07-01", 5.0, "A"), ("2024-07-02", 6.0, "A")]


def test_both_of_two_identical_instants_are_kept() -> None:
    twice = [value("5", "2024-07-01T00:00:00Z"), value("6", "2024-07-01T00:00:00Z")]
    assert len(parse(NAMES[0], answer(series(("1", twice)))).observations) == 2


def test_empty_answers_are_named() -> None:
    empty = parse(NAMES[0], answer(series(("1", []), ("2", []))))
    half = parse(NAMES[0], answer(series(("1", []), ("2", [value("5", "2024-07-01T00:00:00Z")]))))
    assert (len(empty.observations), empty.facts["empty"]) == (0, "USGS:00999002:00060:00000")
    assert (len(half.observations), half.facts["empty"]) == (1, "USGS:00999002:00060:00000 method 1")
    assert parse(NAMES[0], '{"value": {"timeSeries": []}}').facts["empty"] == "the answer holds no time series"


WATERML1 = """<timeSeriesResponse xmlns="http://www.cuahsi.org/waterML/1.1/"><timeSeries name="{name}"><sourceInfo>
<siteCode network="NWHR">NWHR:W7</siteCode></sourceInfo><variable><variableCode network="NWHR">NWHR:5</variableCode>
<variableName>Gage height</variableName><dataType>{data_type}</dataType><unit><unitCode>48</unitCode>
<unitAbbreviation>ft</unitAbbreviation></unit><noDataValue>-9999</noDataValue></variable><values>{values}</values>
</timeSeries></timeSeriesResponse>"""


def test_hydroserver_xml() -> None:
    """CUAHSI: method on each value, UTC beside local time, a unit with a number for its code, censoring."""
    values = """<value dateTime="2024-05-01T01:00:00" dateTimeUTC="2024-05-01T07:00:00" methodCode="1">3.5</value>
        <value dateTime="2024-05-01T02:00:00" dateTimeUTC="2024-05-01T08:00:00Z" methodCode="2">-9999</value>
        <value dateTime="2024-05-01T03:00:00" dateTimeUTC="2024-05-01T09:00:00" methodCode="2"
            censorCode="lt">1</value>"""
    parts = parse(NAMES[1], WATERML1.format(name="a", data_type="Continuous", values=values))
    assert rows(parts) == [
        ("2024-05-01T07:00:00Z", 3.5, ""),
        ("2024-05-01T08:00:00Z", None, ""),
        ("2024-05-01T09:00:00Z", None, ":<;limit=1;limit_is=rl"),
    ]
    assert parts.observations["series"].tolist() == ["1", "2", "2"]
    assert set(parts.observations["parameter"]) == {"stage"}
    assert parts.observations["station"].iloc[0] == "NWHR:W7"


def test_a_data_type_that_is_not_kept() -> None:
    values = '<value dateTime="2024-05-01T01:00:00Z">3.5</value>'
    parts = parse(NAMES[1], WATERML1.format(name="a", data_type="Cumulative", values=values))
    assert [one.column for one in parts.rejects] == ["dataType"]


def test_xml_in_either_prefix_without_an_offset() -> None:
    reading = read(DATA / "nwis-waterml1-xml.txt")
    assert [time_text(int(ms), "utc") for ms in reading.observations["time_ms"]] == [
        "2024-05-01T05:00:00Z",
        "2024-05-01T06:00:00Z",
    ]
    assert reading.facts["method 7"] == "UPPER INTAKE"


WATERML2 = """<wml2:Collection xmlns:wml2="http://www.opengis.net/waterml/2.0" xmlns:gml="g" xmlns:xlink="x"
 xmlns:om="o" xmlns:sa="s" xmlns:xsi="i"><wml2:observationMember><om:OM_Observation gml:id="{id}">
<om:procedure>{process}</om:procedure><om:observedProperty xlink:href="http://example.org/property/Stage"/><om:featureOfInterest>
<wml2:MonitoringPoint>{place}<sa:sampledFeature xlink:title="Made-up Creek"/></wml2:MonitoringPoint>
</om:featureOfInterest><om:result><wml2:{kind} gml:id="t"><wml2:defaultPointMetadata>
<wml2:DefaultTVPMeasurementMetadata>{default}</wml2:DefaultTVPMeasurementMetadata></wml2:defaultPointMetadata>{points}
</wml2:{kind}></om:result></om:OM_Observation></wml2:observationMember></wml2:Collection>"""
POINT = "<wml2:point><wml2:MeasurementTVP>{}</wml2:MeasurementTVP></wml2:point>"
OWN = "<wml2:metadata><wml2:TVPMeasurementMetadata>{}</wml2:TVPMeasurementMetadata></wml2:metadata>"
METRES = '<wml2:uom code="m"/>'
TYPES = "http://www.opengis.net/def/waterml/2.0/interpolationType/"


def waterml2(*points: str, **parts: str) -> Parts:
    given = {"id": "o1", "process": "", "place": "", "default": METRES, "kind": "MeasurementTimeseries"} | parts
    return parse("waterml2-xml", WATERML2.format(points="".join(map(POINT.format, points)), **given))


def point(time: str, text: str, own: str = "") -> str:
    return f"<wml2:time>{time}</wml2:time><wml2:value>{text}</wml2:value>{OWN.format(own) if own else ''}"


def test_waterml_2_default_and_own_metadata() -> None:
    quality = '<wml2:quality xlink:href="http://www.opengis.net/def/waterml/2.0/quality/suspect" xlink:title="Hm"/>'
    nothing = '<wml2:time>2024-05-01T03:00:00Z</wml2:time><wml2:value xsi:nil="true"/>' + OWN.format(
        '<wml2:nilReason xlink:href="http://www.opengis.net/def/nil/OGC/0/missing"/>'
    )
    parts = waterml2(
        point("2024-05-01T01:00:00-05:00", "1.50"), point("2024-05-01T02:00:00Z", "5.0", '<wml2:uom code="ft"/>'),
        nothing, point("2024-05-01T04:00:00Z", "1.6", quality),
    )  # fmt: skip
    found = [(*row, unit) for row, unit in zip(rows(parts), parts.observations["unit"], strict=True)]
    assert found == [
        ("2024-05-01T06:00:00Z", 1.5, "", "m"),
        ("2024-05-01T03:00:00Z", None, ":missing", "m"),
        ("2024-05-01T04:00:00Z", 1.6, ":suspect", "m"),
        ("2024-05-01T02:00:00Z", 5.0, "", "ft"),
    ]
    assert parts.observations["station"].unique().tolist() == ["Made-up Creek"]


@pytest.mark.parametrize(
    ("default", "own", "flags"),
    [
        ("P", "e", "P:e"),  # an own qualifier without an approval word keeps the default's
        ("P", "A", "A"),
        ("P", "", "P"),
        ("", "e", ":e"),
    ],
)
def test_waterml_2_qualifiers(default: str, own: str, flags: str) -> None:
    said = "<wml2:qualifier><Category><value>{}</value></Category></wml2:qualifier>"
    parts = waterml2(
        point("2024-05-01", "1", said.format(own) if own else "<none/>"),
        default=METRES + (said.format(default) if default else ""),
    )
    assert rows(parts) == [("2024-05-01", 1.0, flags)]


@pytest.mark.parametrize(
    ("reason", "flags", "text"),
    [
        ("BelowDetectionRange", ":<,BelowDetectionRange;limit=0.5;limit_is=rl", "<0.5"),
        ("AboveDetectionRange", ":>,AboveDetectionRange;above=0.5 m", ""),
    ],
)
def test_waterml_2_censored_points(reason: str, flags: str, text: str) -> None:
    own = f'<wml2:censoredReason xlink:href="http://www.opengis.net/def/nil/OGC/0/{reason}"/>'
    parts = waterml2(point("2024-05-01T00:00:00Z", "0.5", own))
    (row,) = rows(parts)
    assert (row[1], set(Flags.parse(row[2]).qualifiers)) == (None, set(Flags.parse(flags).qualifiers))
    assert Flags.parse(row[2]).facts == Flags.parse(flags).facts
    assert parts.observations["value_text"].tolist() == [text]


@pytest.mark.parametrize(
    ("parts", "statistic"),
    [
        ({}, "instant"),
        ({"default": f'{METRES}<wml2:interpolationType xlink:href="{TYPES}AveragePrec" xlink:title="Mean"/>'}, "mean"),
        ({"default": f'{METRES}<wml2:interpolationType xlink:title="Total Succ"/>'}, "sum"),
        ({"id": "obs.USGS.00999002.00065.7.00002"}, "min"),
        (
            {
                "id": "obs.USGS.00999002.00065.7.00002",
                "process": '<p><parameter xlink:title="Statistic"><NamedValue><value>00001</value></NamedValue>'
                "</parameter></p>",
            },
            "max",
        ),
    ],
)
def test_waterml_2_statistic(parts: dict[str, str], statistic: str) -> None:
    found = waterml2(point("2024-05-01", "1"), **parts)
    assert found.observations["statistic"].tolist() == [statistic]
    assert found.observations["station"].tolist() == ["00999002" if "id" in parts else "Made-up Creek"]


def test_waterml_2_zone_of_the_monitoring_point() -> None:
    zone = "<wml2:{0}><wml2:TimeZone><wml2:zoneOffset>{1}</wml2:zoneOffset></wml2:TimeZone></wml2:{0}>"
    standard, summer = zone.format("timeZone", "-06:00"), zone.format("daylightSavingTimeZone", "-05:00")
    assert rows(waterml2(point("2024-05-01T00:00:00", "1"), place=standard))[0][0] == "2024-05-01T06:00:00Z"
    assert rows(waterml2(point("2024-05-01T00:00:00", "1"), place=standard + summer))[0][0] == "2024-05-01T00:00:00"


def test_waterml_2_without_points_or_with_categories() -> None:
    assert waterml2(OWN.format("")).facts["empty"] == "o1"
    refused = waterml2(point("2024-05-01", "high"), kind="CategoricalTimeseries")
    assert [one.reason for one in refused.rejects] == ["no measurement time series: not read"]


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("nwis-waterml-json", '{"value": {"timeSeries": [{"name"'),
        ("nwis-waterml-json", '{"timeSeries": 5}'),
        ("nwis-waterml-json", '{"timeSeries": ' + "[" * 100_000),
        ("nwis-waterml1-xml", "<timeSeriesResponse ><timeSeries>"),
        ("nwis-waterml1-xml", '<!DOCTYPE a [<!ENTITY b "b">]><timeSeriesResponse >&b;</timeSeriesResponse>'),
        ("nwis-waterml1-xml", "<timeSeriesResponse >" + "<a>" * 100_000),
        ("nwis-waterml1-xml", f"<timeSeriesResponse >{'a' * 200_000}</timeSeriesResponse>"),
        ("waterml2-xml", '<MeasurementTimeseries xmlns="http://www.opengis.net/waterml/2.0"/>'),
        ("waterml2-xml", '<Collection xmlns="http://www.opengis.net/waterml/2.0">'),
    ],
)
def test_what_is_refused_whole(format: str, text: str) -> None:
    with pytest.raises(BadFile, match=r"made-up\.txt"):
        parse(format, text)


@pytest.mark.parametrize("bound", ["items", "elements"])
def test_bounds(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.json_tree.MOST_ITEMS", 50)
    monkeypatch.setattr("ingest.xml_tree.MOST_ELEMENTS", 50)
    text = f'{{"timeSeries": [{"[]," * 60}1]}}' if bound == "items" else f"<timeSeriesResponse >{'<a/>' * 60}"
    with pytest.raises(BadFile, match="more than 50"):
        parse(NAMES[0] if bound == "items" else NAMES[1], text)


JUNK = st.sampled_from(
    ["", "\x00", "<", ">", "&a;", '"', "{", "]", "null", "-999999", "NaN", "9" * 60, "é", "2024", "Z"]
)


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
