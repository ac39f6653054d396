"""Sheets people fill in: hand levels, owner logs, meters, monthly volumes, weather and bare series."""

import math
from typing import Any

import pytest

from ingest.formats import FORMATS
from ingest.reading import Parts, Source
from models.errors import BadFile

HAND = "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment\n"
OWNER = "well,date,time,timezone,event,comment\n"
METER = "meter,read_date,read_time,timezone,reading,unit,event,comment\n"
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "annual"]
VOLUMES = "site_no,year," + ",".join(f"{name}_wdrl_total_gallons" for name in MONTHS) + "\n"
WEATHER = "STATION,NAME,DATE,PRCP,TMAX,TMIN,SNWD\n"


def parse(format: str, text: str) -> Parts:
    assert [name for name, one in FORMATS.items() if one.sniff(text)] == [format]
    return FORMATS[format].parse(Source("sheet.csv", text))


def rows(parts: Parts) -> list[dict[Any, Any]]:
    return parts.observations.to_dict("records")


@pytest.mark.parametrize(
    ("time", "zone", "ms", "clock"),
    [
        ("07:00", "CST", 1717246800000, "utc"),
        ("08:00", "CDT", 1717246800000, "utc"),
        ("08:00", "America/Chicago", 1717246800000, "utc"),
        ("08:00:30", "", 1717228830000, "naive"),
        ("", "", 1717200000000, "day"),
        ("24:00", "UTC", 1717286400000, "utc"),
    ],
)
def test_hand_level_times(time: str, zone: str, ms: int, clock: str) -> None:
    (row,) = rows(parse("hand-levels", f"{HAND}PW-1,2024-06-01,{time},{zone},23.45,MP,,P. Person,gate open\n"))
    assert (row["time_ms"], row["clock"], row["value"], row["parameter"]) == (ms, clock, 23.45, "depth_below_mp")


def test_a_persons_name_and_words_are_not_kept() -> None:
    text = (
        HAND + "PW-1,2024-06-01,08:00,CST,23.45,LS,PUMPING,Pat Person,dog bites\nPW-1,bad,,,1,MP,,Pat Person,private\n"
    )
    parts = parse("hand-levels", text + "PW-2,2024-06-01,Pat Person\n")
    said = parts.observations.to_csv() + repr(parts.rejects)
    assert not any(word in said for word in ("Pat", "dog", "private"))
    assert (rows(parts)[0]["parameter"], rows(parts)[0]["flags"]) == ("depth_to_water", ":Pumping")
    assert [one.row for one in parts.rejects] == [3, 4]


def test_dry_and_obstructed_wells_have_no_level() -> None:
    text = HAND + "W,2024-06-01,,,,MP,DRY,,\nW,2024-06-02,,,,MP,OBSTRUCTED,,\nW,2024-06-03,,,80.1,MP,dry,,\n"
    found = rows(parse("hand-levels", text))
    assert all(math.isnan(row["value"]) for row in found)
    assert [row["flags"] for row in found] == [":Dry", ":Obstructed", ":Dry"]


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("W,2024-06-01,,,,MP,,,", "depth_to_water_ft"),
        ("W,2024-06-01,,,1,TOC,,,", "reference"),
        ("W,2024-06-01,,,1,MP,LOST,,", "status"),
        ("W,06/01/2024,,,1,MP,,,", "date"),
        ("W,2024-06-01,24:15,CST,1,MP,,,", "time"),
        ("W,2024-06-01,10:00,Mars/Base,1,MP,,,", "timezone"),
        ("W,2024-06-01,10:00,../../etc/passwd,1,MP,,,", "timezone"),
        ("W,2024-11-03,01:30,America/Chicago,1,MP,,,", "timezone"),
        ("W,2024-03-10,02:30,America/Chicago,1,MP,,,", "timezone"),
        (",2024-06-01,,,1,MP,,,", "well"),
    ],
)
def test_hand_level_rejects_name_the_cell(line: str, column: str) -> None:
    parts = parse("hand-levels", HAND + line + "\nW,2024-06-05,,,2,MP,,,\n")
    assert [(one.row, one.column) for one in parts.rejects] == [(2, column)]
    assert parts.observations["value"].tolist() == [2.0]


def test_an_unclosed_quote_costs_one_row() -> None:
    many = "".join(f"W,2024-06-{day:02d},,,2,MP,,,\n" for day in range(2, 31))
    parts = parse("hand-levels", HAND + 'W,2024-06-01,,,1,MP,,,"never closed\n' + many)
    assert len(parts.observations) == 29
    assert [one.row for one in parts.rejects] == [2]
    quoted = parse("hand-levels", HAND + 'W,2024-06-01,,,1,MP,,,"two\nlines"\nW,2024-06-02,,,1,MP,,,\n')
    assert quoted.observations["row"].tolist() == [2, 4]


def test_owner_log_states() -> None:
    lines = ["no water", "Low  pressure", "air in line", "water restored", "ghost"]
    text = OWNER + "".join(f"PW-1,2024-06-0{n},18:30,CDT,{event},we called Jo\n" for n, event in enumerate(lines, 1))
    parts = parse("owner-log", text)
    assert [row["value_text"] for row in rows(parts)] == ["no water", "low pressure", "air in line", "water restored"]
    assert [row["value"] for row in rows(parts)] == pytest.approx([0, math.nan, math.nan, 1], nan_ok=True)
    assert [(one.row, one.column) for one in parts.rejects] == [(6, "event")]
    assert "Jo" not in parts.observations.to_csv() + repr(parts.rejects)


def test_meter_readings() -> None:
    lines = [
        "999000,gal,",
        "500,gallons,rollover",
        "1.5,MG,replaced-out",
        "7,x1000 gal,",
        "-1,gal,",
        "1,ft,",
        "1,gal,odd",
    ]
    parts = parse("totalizer", METER + "".join(f"M-1,2024-0{n}-01,,,{line},\n" for n, line in enumerate(lines, 1)))
    assert [(row["value"], row["unit"], row["flags"]) for row in rows(parts)] == [
        (999000.0, "gal", ""), (500.0, "gal", ":rollover"), (1.5, "MG", ":replaced-out"),
        (7000.0, "gal", ";register=7 x1000 gal"),
    ]  # fmt: skip
    assert [(one.row, one.column) for one in parts.rejects] == [(6, "reading"), (7, "unit"), (8, "event")]


def test_monthly_volumes_load_and_a_wrong_total_is_said() -> None:
    right = "24464,2013," + ",".join(["10"] * 12) + ",120\n"
    wrong = "24464,2014," + ",".join(["10"] * 11) + ",,120\n"
    bad = "24464,2015,-1,x," + ",".join(["10"] * 10) + ",100\n"
    parts = parse("wi-monthly-volumes", VOLUMES + right + wrong + bad + "24464,20x6," + "1," * 12 + "12\n")
    assert len(parts.observations) == 12 + 11 + 10
    assert set(parts.observations["clock"]) == {"month"}
    assert [(one.row, one.column.split("_")[0]) for one in parts.rejects] == [
        (3, "annual"), (4, "Jan"), (4, "Feb"), (5, "year"),
    ]  # fmt: skip
    assert parts.rejects[0].reason == "months add to 110, annual says 120"


def test_weather_blanks_are_missing_and_a_trace_is_a_trace() -> None:
    text = WEATHER + 'S,"X, WI",2024-06-01,,71,56,\nS,"X, WI",2024-06-02,T,-9999,x,\nS,"X, WI",2024-06-03,-0.1,80,60,\n'
    parts = parse("noaa-cdo-daily", text)
    rain, *temperatures = sorted(rows(parts), key=lambda row: row["parameter"] != "precipitation")
    assert (rain["value"], rain["value_text"], rain["flags"], rain["statistic"]) == (0.0, "T", ":T", "sum")
    assert [row["value"] for row in temperatures] == pytest.approx([71, 56, math.nan, 80, 60], nan_ok=True)
    assert [(one.row, one.column) for one in parts.rejects] == [(3, "TMIN"), (4, "PRCP")]
    assert parts.facts["columns_not_read"] == "SNWD"


def test_a_bare_series() -> None:
    text = (
        "date,value,qualifier,coverage,version\n2024-01-01,5.20,A,,v1\n2024-01-02,NA,P Ice,85 %,v1\n2024-01-03,,,2,v1\n"
    )
    parts = parse("date-value", text)
    first, second = rows(parts)
    assert (first["value_text"], first["flags"], first["series"], first["unit"]) == ("5.20", "A", "v1", "1")
    assert (math.isnan(second["value"]), second["flags"]) == (True, "P:Ice;coverage=0.85")
    assert [(one.row, one.column) for one in parts.rejects] == [(4, "coverage")]


def test_a_header_that_is_not_the_formats_is_refused() -> None:
    for name in (
        "hand-levels",
        "owner-log",
        "totalizer",
        "wi-monthly-volumes",
        "noaa-cdo-daily",
        "date-value",
        "wdnr-grn",
    ):
        with pytest.raises(BadFile, match="lacks"):
            FORMATS[name].parse(Source("sheet.csv", "a,b\n1,2\n"))
        with pytest.raises(BadFile, match="header"):
            FORMATS[name].parse(Source("sheet.csv", "a,a\n1,2\n"))
