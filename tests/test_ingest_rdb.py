"""USGS RDB: what a value, a code, a word, a blank and a broken row become."""

import math
from dataclasses import replace

import pytest

from ingest.formats import FORMATS
from ingest.rdb.time_series import parse_dv, parse_uv, sniff_dv, sniff_uv
from ingest.reading import Source
from models.errors import BadFile
from models.observation import Flags

DAILY = (
    "# retrieved: 2024-02-01 10:00:00 CST\n"
    "agency_cd\tsite_no\tdatetime\t06_00060_00003\t06_00060_00003_cd\n5s\t15s\t20d\t14n\t10s\n"
)
UNIT = (
    "agency_cd\tsite_no\tdatetime\ttz_cd\t01_00065\t01_00065_cd\t02_00060\t02_00060_cd\n"
    "5s\t15s\t20d\t6s\t14n\t10s\t14n\t10s\n"
)


def daily(*cells: str, end: str = "\n") -> Source:
    rows = [f"USGS\t00999002\t2024-01-{day:02d}\t{cell}" for day, cell in enumerate(cells, 1)]
    return Source("dv.rdb", DAILY + "\n".join(rows) + end)


@pytest.mark.parametrize(
    ("cell", "value", "text", "flags"),
    [
        ("171\tA", 171.0, "171", "A"),
        ("4.30\tP:e", 4.3, "4.30", "P:e"),
        ("4.30\tA [92]", 4.3, "4.30", "A:[92]"),
        ("-12.4\tA", -12.4, "-12.4", "A"),
        ("Ice\tP", math.nan, "", "P:Ice"),
        ("Eqp\tP:e", math.nan, "", "P:e,Eqp"),
        ("***\tA", math.nan, "", "A:***"),
        ("-999999\tP:Ice", math.nan, "", "P:Ice,-999999"),
        ("-999999.00\tP", math.nan, "", "P:-999999.00"),
        ("\tP:Dis", math.nan, "", "P:Dis"),
        ("7\t", 7.0, "7", ""),
    ],
)
def test_a_cell_keeps_its_meaning(cell: str, value: float, text: str, flags: str) -> None:
    parts = parse_dv(daily(cell))
    row = parts.observations.iloc[0]
    assert row["value"] == pytest.approx(value, nan_ok=True)
    assert (row["value_text"], row["flags"], row["row"], row["clock"]) == (text, flags, 4, "day")
    assert parts.rejects == ()
    assert Flags.parse(flags).text() == flags


@pytest.mark.parametrize(
    "cell", ["4.x2", "NaN", "inf", "-Infinity", "1,234", "1e999", "０", "Unknown", "0x10", "1_000"]
)
def test_a_garbled_number_costs_its_row_only(cell: str) -> None:
    parts = parse_dv(daily("1\tA", f"{cell}\tA", "3\tA"))
    assert parts.observations["value"].tolist() == [1.0, 3.0]
    (reject,) = parts.rejects
    assert (reject.file, reject.row, reject.column, reject.raw) == ("dv.rdb", 5, "06_00060_00003", cell)


def test_a_cell_without_value_and_code_carries_nothing() -> None:
    parts = parse_dv(daily("1\tA", "\t", "3\tA"))
    assert parts.observations["row"].tolist() == [4, 6]
    assert parts.rejects == ()


@pytest.mark.parametrize(
    "day", ["1799-01-01", "2201-01-01", "2024-02-30", "2024-1-5", "24-01-05", "", "2024-01-05 00:00", "2024-W05-2"]
)
def test_a_day_that_is_none_is_a_reject(day: str) -> None:
    parts = parse_dv(Source("dv.rdb", DAILY + f"USGS\t00999002\t{day}\t1\tA\nUSGS\t00999002\t2024-01-02\t2\tA\n"))
    assert parts.observations["value"].tolist() == [2.0]
    assert [(one.row, one.column, one.raw) for one in parts.rejects] == [(4, "datetime", day)]


def test_site_numbers_stay_text_and_sites_share_a_file() -> None:
    more = "USGS\t434103083130301\t2024-01-01\t5\tA\n"
    parts = parse_dv(Source("dv.rdb", daily("1\tA").text + DAILY + more))
    assert parts.observations["station"].tolist() == ["00999002", "434103083130301"]
    assert parts.observations["row"].tolist() == [4, 8]


def test_a_truncated_last_row_is_said_and_the_rest_loads() -> None:
    for cut in ("2\t", "2", ""):
        parts = parse_dv(daily("1\tA", cut, end=""))
        assert parts.observations["value"].tolist() == [1.0]
        assert [one.reason for one in parts.rejects] == ["truncated row"]


def test_columns_beyond_the_header_are_refused_unless_blank() -> None:
    parts = parse_dv(daily("1\tA\t\t", "2\tA\tx"))
    assert parts.observations["value"].tolist() == [1.0]
    assert [one.reason for one in parts.rejects] == ["6 columns where the header has 5"]


def test_a_header_alone_is_an_empty_series() -> None:
    parts = parse_dv(Source("dv.rdb", DAILY))
    assert (len(parts.observations), parts.rejects) == (0, ())
    assert parts.facts["retrieved"] == "2024-02-01 10:00:00 CST"


@pytest.mark.parametrize(
    "text",
    [
        DAILY.rsplit("5s", 1)[0],
        DAILY.rsplit("5s", 1)[0] + "USGS\t1\t2024-01-01\t1\tA\n",
        "5s\t15s\t20d\t14n\t10s\nUSGS\t1\t2024-01-01\t1\tA\n",
        "USGS\t1\t2024-01-01\t1\tA\n",
        "# U.S. Geological Survey\n#  No sites found matching all criteria\n",
    ],
)
def test_rdb_without_its_two_header_rows_is_refused(text: str) -> None:
    assert sniff_dv(text)
    with pytest.raises(BadFile, match=r"cut\.rdb"):
        parse_dv(Source("cut.rdb", text))


def test_other_kinds_of_rdb_are_named() -> None:
    text = "agency_cd\tsite_no\tstation_nm\n5s\t15s\t50s\nUSGS\t1\tA creek\n"
    with pytest.raises(BadFile, match=r"another kind: its header lacks datetime.*station_nm"):
        parse_dv(Source("site.rdb", text))


def test_an_unknown_statistic_costs_its_column_and_an_unknown_parameter_stays_its_code() -> None:
    names = "1_91050_00003 1_91050_00003_cd 2_00060_00003 2_00060_00003_cd 3_00060_00008".replace(" ", "\t")
    head = f"agency_cd\tsite_no\tdatetime\t{names}\n"
    row = "5s\t15s\t20d\t14n\t10s\t14n\t10s\t14n\nUSGS\t1\t2024-01-01\t4.27\tA\t11.5\tA\t9\n"
    parts = parse_dv(Source("dv.rdb", head + row))
    assert parts.observations["series"].tolist() == ["1", "2"]
    assert parts.observations["parameter"].tolist() == ["usgs:91050", "discharge"]
    assert parts.observations["unit"].tolist() == ["", "cfs"]
    assert [(one.row, one.column) for one in parts.rejects] == [(1, "3_00060_00008")]


@pytest.mark.parametrize(
    ("description", "unit"),
    [
        ("Stream velocity, feet per second (Mean)", "feet per second"),
        ("Discharge, cubic feet per second (Mean)", "cfs"),
        ("Water level in a made-up tank, in feet", "ft"),
        ("Tips of a bucket", ""),
    ],
)
def test_the_comments_say_the_unit_of_an_unknown_parameter(description: str, unit: str) -> None:
    comments = f"#    TS   parameter statistic   Description\n#    06   98765     00003     {description}\n"
    parts = parse_dv(Source("dv.rdb", comments + daily("1\tA").text.replace("_00060_", "_98765_")))
    assert (parts.observations["parameter"][0], parts.observations["unit"][0]) == ("usgs:98765", unit)


def test_iron_under_its_usgs_code_is_in_micrograms() -> None:
    parts = parse_dv(Source("dv.rdb", daily("250\tA").text.replace("_00060_", "_01046_")))
    assert (parts.observations["parameter"][0], parts.observations["unit"][0]) == ("iron", "ug/L")


def test_a_service_that_found_nothing_is_quoted() -> None:
    text = "#  No sites found matching all criteria\n#\n"
    with pytest.raises(BadFile, match=r"found none.*No sites found matching all criteria"):
        parse_uv(Source("uv.rdb", text))


def test_series_of_one_parameter_and_sites_under_other_headers_stay_apart() -> None:
    first = UNIT.replace("02_00060", "02_00065") + "USGS\t1\t2024-01-01 00:00\tCST\t8.2\tP\t8.3\tP\n"
    second = (
        "#\n# Data provided for site 2\n"
        + UNIT.replace("01_", "77_")
        + ("USGS\t2\t2024-01-01 00:00\tCST\t1.5\tP\t\t\nUSGS\t2\t2024-01-01 00:15\tCST\t1.6\tP\t\t\n")
    )
    rows = parse_uv(Source("iv.rdb", first + second)).observations
    found = rows[["station", "parameter", "series", "row"]].to_numpy().tolist()
    assert found == [
        ["1", "stage", "01", 3], ["1", "stage", "02", 3], ["2", "stage", "77", 8], ["2", "stage", "77", 9],
    ]  # fmt: skip


def test_unit_values_are_utc_by_the_zone_of_each_row() -> None:
    rows = [("2014-03-09 01:45", "EST"), ("2014-03-09 03:00", "EDT"), ("2014-03-09 24:00", "UTC")]
    body = "".join(f"USGS\t1\t{time}\t{zone}\t8.2\tP\t\t\n" for time, zone in rows)
    parts = parse_uv(Source("uv.rdb", UNIT + body))
    hours = (parts.observations["time_ms"] // 60_000).diff().tolist()[1:]
    assert hours == [15, 17 * 60]
    assert set(parts.observations["parameter"]) == {"stage"}
    assert parts.timezone == "EDT/EST/UTC"


def test_an_unknown_zone_is_one_reject_for_the_row() -> None:
    body = "USGS\t1\t2014-03-09 01:45\tXST\t8.2\tP\t3\tP\nUSGS\t1\t2014-03-09 02:45\tCST\t8.3\tP\t4\tP\n"
    parts = parse_uv(Source("uv.rdb", UNIT + body))
    assert parts.observations["value"].tolist() == [8.3, 4.0]
    assert [(one.row, one.column, one.raw) for one in parts.rejects] == [(3, "tz_cd", "XST")]


def test_content_tells_daily_from_unit_values() -> None:
    assert (sniff_dv(DAILY), sniff_uv(DAILY)) == (True, False)
    assert (sniff_dv(UNIT), sniff_uv(UNIT)) == (False, True)
    assert not any(FORMATS[name].sniff("date,value\n") for name in ("nwis-rdb-dv", "nwis-rdb-uv"))


def test_too_many_columns_are_refused() -> None:
    head = "agency_cd\t" + "\t".join(f"{n}_00060_00003" for n in range(600)) + "\n" + "\t".join(["5s"] * 601) + "\n"
    with pytest.raises(BadFile, match="columns"):
        parse_dv(replace(daily(), text=head))
