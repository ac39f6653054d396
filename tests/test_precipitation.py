"""Rain: NOAA CDO units and flags, GHCN-Daily, KNMI, and the hourly network of Wisconsin."""

import csv
import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.canonical import converted
from ingest.formats import FORMATS, read
from ingest.reading import Parts, Source
from ingest.summary import summarise, time_text
from models.errors import BadFile, HeadwaterError
from models.observation import TIDY, Flags

SHARED = Path(__file__).parents[2] / "shared"
DATA = Path(__file__).parent / "data" / "ingest"
SHARED_ONLY = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")
MINE = ("noaa-cdo-daily", "ghcn-daily", "knmi-rain", "awon-hourly")
FILES = {format: (DATA / f"{format}.txt").read_text() for format in MINE}
CDO = "STATION,DATE,PRCP,PRCP_ATTRIBUTES,TMAX,TMAX_ATTRIBUTES\n"


def parse(format: str, text: str) -> Parts:
    assert FORMATS[format].sniff(text)
    return FORMATS[format].parse(Source("rain.csv", text))


def rain(parts: Parts) -> list[tuple[Any, ...]]:
    table = parts.observations[parts.observations["parameter"] == "precipitation"]
    times = [time_text(int(ms), str(clock)) for ms, clock in zip(table["time_ms"], table["clock"], strict=True)]
    return list(zip(times, table["value_text"], table["unit"], table["flags"], strict=True))


def manifest(path: str) -> str:
    with (SHARED / "samples" / "MANIFEST.tsv").open(newline="") as handle:
        return {row["path"]: row["checked_facts"] for row in csv.DictReader(handle, delimiter="\t")}[path]


@pytest.mark.parametrize(
    ("rows", "unit", "warmth", "how"),
    [
        ('S,2024-06-01,0.85,,71,\nS,2024-06-02,0,,80,\n', "in", "degF", "told by rain"),
        ('S,2024-06-01,21.6,,21.7,\nS,2024-06-02,0,,27,\n', "mm", "degC", "told by temperatures"),
        ('S,2024-06-01,0.5,,71,\n', "in", "degF", "assumed"),
        ('S,2024-06-01,0.50,,71.0,\n', "in", "degF", "assumed"),  # written by a program that pads
    ],
)  # fmt: skip
def test_cdo_units_are_told_by_their_digits(rows: str, unit: str, warmth: str, how: str) -> None:
    parts = parse("noaa-cdo-daily", CDO + rows)
    assert list(dict.fromkeys(parts.observations["unit"])) == [unit, warmth]
    assert parts.facts["units"].startswith(f"{unit}, {warmth} ({how}")


@pytest.mark.parametrize("rows", ["S,2024-06-01,0.85,,21.7,\n", "S,2024-06-01,216,,71,\n", "S,2024-06-01,0,,217,\n"])
def test_cdo_digits_that_fit_no_order_are_refused(rows: str) -> None:
    with pytest.raises(BadFile, match="units"):
        parse("noaa-cdo-daily", CDO + rows)


def test_cdo_attributes() -> None:
    text = CDO + (
        'S,2024-06-01,0.00,"T,,7,0700",71,",,7,0700"\n'
        'S,2024-06-02,0.85,",X,7,0700",,\n'
        'S,2024-06-03,-9999,",,7",,\n'
        'S,2024-06-04,0.10,"B,,7,2400",,\n'
    )
    parts = parse("noaa-cdo-daily", text)
    assert rain(parts) == [
        ("2024-06-01", "T", "in", ":T;s=7;observed_at=0700"),
        ("2024-06-02", "0.85", "in", ":failed-quality-check;q=X;s=7;observed_at=0700"),
        ("2024-06-03", "", "in", ":-9999;s=7"),
        ("2024-06-04", "0.10", "in", ";m=B;s=7;observed_at=2400"),
    ]
    assert parts.facts["columns_not_read"] == ""


@SHARED_ONLY
def test_cdo_sample_is_in_inches() -> None:
    path = "precip-daily/wi-hancock-usc00473405-noaa-cdo.csv"
    reading = read(SHARED / "samples" / path)
    (found,) = [one for one in summarise(reading)["series"] if one["parameter"] == "precipitation"]
    said = manifest(path)
    values = reading.observations[reading.observations["parameter"] == "precipitation"]["value"]
    assert f"PRCP blank={3200 - found['n']} zero={(values == 0).sum()};" in said
    assert f"PRCP sum={values.sum():.2f} in" in said
    assert (found["max"], found["station"], found["unit"]) == (3.6, "USC00473405", "in")
    assert (found["first"]["time"], found["first"]["value_text"]) == ("2012-05-27", "0.85")
    assert (found["last"]["time"], found["last"]["value_text"]) == ("2021-03-02", "0")


def test_ghcn_month_and_year_layouts() -> None:
    """February of a leap year: 29 days; 13 tenths are 1.3 mm; -56 tenths are -5.6 degrees."""
    parts = parse("ghcn-daily", FILES["ghcn-daily"])
    found = rain(parts)
    assert found[:5] == [
        ("2024-02-01", "0.0", "mm", ";s=7"),
        ("2024-02-02", "1.3", "mm", ";s=7"),
        ("2024-02-03", "T", "mm", ":T;s=7"),
        ("2024-02-04", "", "mm", ":-9999"),
        ("2024-02-05", "25.4", "mm", ":failed-quality-check;q=I;s=7"),
    ]
    assert (len(found), found[28][0], found[29]) == (
        30, "2024-02-29", ("2024-03-01", "1.3", "mm", ";s=7;observed_at=0700"),
    )  # fmt: skip
    cold = parts.observations[parts.observations["parameter"] == "air_temperature_max"]
    assert (len(cold), set(cold["value"]), set(cold["unit"]), set(cold["statistic"])) == (29, {-5.6}, {"degC"}, {"max"})
    stored, _ = converted(parts.observations, "x")
    inches = stored[stored["parameter"] == "precipitation"]["value"].tolist()
    assert inches[2:5:2] == pytest.approx([0.0, 1.0])  # a trace; 25.4 mm is 1 in
    assert parts.rejects == ()


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        ("USC00999999,20240230,PRCP,13,,,7,0700", "PRCP 30", "no such day"),
        ("USC00999999,20240201,PRCP,-13,,,7,0700", "PRCP 1", "negative"),
        ("USC00999999,20240201,PRCP,1.3,,,7,0700", "PRCP 1", "not a whole number"),
        ("USC00999999 2024", "", "neither"),
    ],
)
def test_ghcn_bad_rows(line: str, column: str, reason: str) -> None:
    parts = parse("ghcn-daily", f"{line}\nUSC00999999,20240201,SNWD,13,,,7,\n")
    assert [(one.row, one.column) for one in parts.rejects] == [(1, column)]
    assert reason in parts.rejects[0].reason
    (row,) = parts.observations.to_dict("records")
    assert (row["parameter"], row["value"], row["value_text"]) == ("ghcn:SNWD", 13.0, "13")


def test_knmi_days_traces_and_blanks() -> None:
    """The rain day ends at 08:00 UTC of the day it is dated; it stays there."""
    parts = parse("knmi-rain", FILES["knmi-rain"])
    assert rain(parts) == [
        ("2024-06-01", "1.3", "mm", ""),
        ("2024-06-02", "T", "mm", ":T"),
        ("2024-06-03", "", "mm", ""),
        ("2024-06-04", "0.0", "mm", ""),
    ]
    values = parts.observations["value"].tolist()
    assert (values[:2], math.isnan(values[2]), values[3]) == ([1.3, 0.0], True, 0.0)
    assert parts.facts == {"day_ends": "08:00 UTC of the dated day", "columns_not_read": "SX"}
    stored, _ = converted(parts.observations, "x")
    assert stored["value"].tolist()[:2] == pytest.approx([1.3 / 25.4, 0.0])


def test_knmi_bad_rows_and_unsaid_unit() -> None:
    text = FILES["knmi-rain"].replace("   13", "  1.3").replace("20240604", "20240631")
    assert [(one.row, one.column) for one in parse("knmi-rain", text).rejects] == [(10, "RD"), (13, "YYYYMMDD")]
    commented = FILES["knmi-rain"].replace("STN,YYYY", "# STN,YYYY")
    assert len(parse("knmi-rain", commented).observations) == 4
    with pytest.raises(BadFile, match=r"0\.1 mm"):
        parse("knmi-rain", FILES["knmi-rain"].replace("0.1 mm", "mm").replace("tiende ", ""))


@SHARED_ONLY
def test_knmi_sample() -> None:
    path = "precip-daily/knmi-heibloem-967.txt"
    said, reading = manifest(path), read(SHARED / "samples" / path)
    (found,) = summarise(reading)["series"]
    rows = reading.observations
    assert f"rows={found['n']};" in said
    assert f"missing RD={found['n_missing']};" in said
    assert (found["station"], found["first"]["time"], found["first"]["value"]) == ("967", "1951-01-01", 1.3)
    assert (found["last"]["time"], found["last"]["value"]) == ("1972-11-01", 0.0)
    assert f"= {rows['value'].sum():.1f} mm" in said
    wettest = rows[rows["value"] == rows["value"].max()]
    assert [(row["value"], time_text(row["time_ms"], "day")) for row in wettest.to_dict("records")] == [
        (57.2, "1966-06-19")
    ]
    assert (reading.format, reading.rejects) == ("knmi-rain", ())


def test_awon_hours() -> None:
    parts = parse("awon-hourly", FILES["awon-hourly"])
    assert rain(parts) == [("2024-06-01T01:00:00", "0", "mm", ""), ("2024-06-01T02:00:00", "0.25", "mm", "")]
    warmth = parts.observations[parts.observations["parameter"] == "air_temperature"]
    assert [time_text(int(ms), "naive") for ms in warmth["time_ms"]] == ["2024-06-01T01:00:00", "2024-06-02T00:00:00"]
    assert (set(parts.observations["station"]), set(parts.observations["series"])) == ({"nowhere"}, {"hourly"})
    assert "assumed" in parts.facts["units"]
    bad = parse(
        "awon-hourly", FILES["awon-hourly"].replace("0.25", "-0.25").replace("6/1/2024,24:00", "6/31/2024,1:00")
    )
    assert [(one.row, one.column) for one in bad.rejects] == [(8, "pcpn"), (9, "date")]


@SHARED_ONLY
def test_awon_sample() -> None:
    path = "precip-daily/wi-hancock-awon-hourly-with-warnings.csv"
    said, reading = manifest(path), read(SHARED / "samples" / path)
    wet, warm = sorted(summarise(reading)["series"], key=lambda one: str(one["unit"]), reverse=True)
    blank = 1  # 2:00 on 2018-03-11, the hour that the change to summer time skips
    assert f"data rows={wet['n'] + blank};" in said
    first, last = re.findall(r"=\['([\d/]+)', '([\d:]+)', '([\d.]+)', '([\d.]+)'", said)
    for side, fact, time in (("first", first, "2018-02-15T01:00:00"), ("last", last, "2018-08-21T04:00:00")):
        assert (warm[side]["time"], warm[side]["value_text"], wet[side]["value_text"]) == (time, fact[2], fact[3])
    assert (wet["station"], wet["timezone"], reading.rejects) == ("hancock", None, ())


@pytest.mark.parametrize("format", MINE)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data())
def test_a_mutated_file_raises_nothing_else(format: str, draw: st.DataObject) -> None:
    text = FILES[format]
    for _ in range(draw.draw(st.integers(1, 4))):
        place = draw.draw(st.integers(0, len(text)))
        junk = draw.draw(
            st.sampled_from(["", ",", '"', "\n", "T", "-9999", "1e308", "NaN", "9" * 60, "é", "²", "-", " "])
        )
        text = text[:place] + junk + text[place + draw.draw(st.integers(0, 9)) :]
    try:
        parts = FORMATS[format].parse(Source("hostile.csv", text))
    except HeadwaterError:
        return
    assert tuple(parts.observations.columns) == TIDY
    assert str(parts.observations["value"].dtype) == "float64"
    for flags in parts.observations["flags"]:
        assert Flags.parse(flags).text() == flags


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("ghcn-daily", "9" * 5_000_000),
        ("ghcn-daily", "USC00999999202402PRCP" + " " * 5_000_000),
        ("knmi-rain", "STN,YYYYMMDD,RD" + ",x" * 200),
        ("awon-hourly", "hourly summary\ndate,time,atmp" + ",x" * 100_000),
    ],
)
def test_hostile_shapes_are_refused(format: str, text: str) -> None:
    with pytest.raises(BadFile):
        FORMATS[format].parse(Source("hostile.csv", text))
