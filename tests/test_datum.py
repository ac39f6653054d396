"""NGVD29 and NAVD88 are two parameters: moved by the well's stated offset, or refused; and an elevation is a level."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ingest.arrival import Arrival, place
from ingest.reading import Reading
from models.checks.water_level import check
from models.errors import BadSite
from models.levels import land_navd88_ft
from models.observation import Flags, tidy
from models.site import MeasuringPoint, Site, Well
from models.toml_file import read_noun
from tests.record_in_memory import Record, ask, rule, site, well

MARCH = date(2025, 3, 1)


def arrive(*rows: tuple[Any, ...], **said: Any) -> Arrival:
    wells = (
        Well(id="W-1", use="monitoring", position=(0.0, 0.0), **said),
        Well(id="W-2", use="monitoring", position=(0.0, 0.0)),
    )
    reading = Reading("f.csv", "csv-table", "0" * 64, None, None, tidy(rows), (), {})
    return place(reading, Site.model_construct(well=wells), ZoneInfo("America/Chicago"))


def row(number: int, text: str, unit: str = "ft", station: str = "W-1", **more: Any) -> tuple[Any, ...]:
    parameter = more.get("parameter", "water_elevation_ngvd29")
    value = float(text) if text else math.nan
    return (
        station,
        parameter,
        "instant",
        "",
        number * 86_400_000,
        "utc",
        value,
        text,
        unit,
        more.get("flags", ""),
        number,
    )


def test_the_stated_offset_is_added_in_decimal_and_the_raw_value_kept() -> None:
    """812.34 ft on NGVD29 with -0.12 ft is 812.22 ft on NAVD88; 247.60 m is 812.335... ft first."""
    arrival = arrive(
        row(1, "812.34", flags="A:e"), row(2, "247.60", "m"), row(3, "", flags=":Dry"),
        row(4, "800.00", parameter="water_elevation_navd88"), ngvd29_to_navd88_ft=Decimal("-0.12"),
    )  # fmt: skip
    frame = arrival.frame
    assert set(frame["parameter"]) == {"water_elevation_navd88"}
    assert frame["value_text"].iloc[[0, 2, 3]].tolist() == ["812.22", "", "800.00"]
    assert frame["value"].iloc[1] == pytest.approx(247.60 / 0.3048 - 0.12, abs=1e-9)
    flags = [Flags.parse(text) for text in frame["flags"]]
    assert (flags[0].approval, flags[0].qualifiers, flags[0].facts) == (
        "A",
        ("e",),
        {"raw": "812.34 ft", "from": "NGVD29"},
    )
    assert flags[1].facts == {"raw": "247.60 m", "from": "NGVD29"}
    assert (flags[2].qualifiers, dict(flags[2].facts), dict(flags[3].facts)) == (("Dry",), {}, {})
    assert arrival.rejects == ()


def test_without_an_offset_it_is_refused_and_says_what_to_add() -> None:
    arrival = arrive(
        row(1, "812.34"), row(2, "812.30", station="W-2"), row(3, "812.20", station="W-2"),
        ngvd29_to_navd88_ft=Decimal("-0.12"),
    )  # fmt: skip
    (reject,) = arrival.rejects
    assert (len(arrival.frame), reject.row, reject.column) == (1, 2, "water_elevation_ngvd29")
    assert "ngvd29_to_navd88_ft" in reject.reason
    assert "2 rows left out" in reject.reason


@pytest.mark.parametrize(
    ("navd88", "offset", "kept"),
    [
        ("812.22", "-0.12", ["812.22"]),
        ("812.25", "-0.12", ["812.25"]),
        ("815", "-0.12", []),
    ],
)
def test_one_reading_on_both_datums_is_one_reading(navd88: str, offset: str | None, kept: list[str]) -> None:
    """USGS gives 62610 and 62611 side by side; only a real difference is a dispute."""
    pair = (row(1, "812.34"), (*row(1, navd88, parameter="water_elevation_navd88")[:-1], 2))
    arrival = arrive(*pair, ngvd29_to_navd88_ft=None if offset is None else Decimal(offset))
    assert arrival.frame["value_text"].tolist() == kept
    assert (arrival.duplicates, len(arrival.rejects)) == ((1, 0) if kept else (0, 2))


def test_without_an_offset_a_reading_on_both_datums_is_not_dropped_in_silence() -> None:
    """Whether the two agree cannot be told: the NAVD88 one is taken, the other refused, and the key named."""
    arrival = arrive(row(1, "812.34"), (*row(1, "790.00", parameter="water_elevation_navd88")[:-1], 2))
    (reject,) = arrival.rejects
    assert arrival.frame["value_text"].tolist() == ["790.00"]
    assert (arrival.duplicates, reject.row, "ngvd29_to_navd88_ft" in reject.reason) == (0, 1, True)


def test_an_offset_no_place_has_is_refused() -> None:
    text = 'id = "W"\nuse = "monitoring"\nposition = [0.0, 0.0]\nngvd29_to_navd88_ft = 812.3\n'
    with pytest.raises(BadSite, match="ngvd29_to_navd88_ft"):
        read_noun(Well, text, file="site.toml", error=BadSite)


@pytest.mark.parametrize(
    ("datum", "offset", "land"), [("NAVD88", None, "999"), ("NGVD29", "-0.12", "998.88"), ("NGVD29", None, None)]
)
def test_land_stands_on_navd88_or_is_not_known(datum: Any, offset: str | None, land: str | None) -> None:
    point = MeasuringPoint(since=MARCH, elevation_ft=Decimal(1000), height_above_land_ft=Decimal(1), datum=datum)
    shift = None if offset is None else Decimal(offset)
    one = Well(id="W", use="monitoring", position=(0.0, 0.0), ngvd29_to_navd88_ft=shift)
    assert land_navd88_ft(one, point) == (None if land is None else Decimal(land))


def test_an_elevation_counts_as_a_level_of_a_private_well() -> None:
    """Land at 999 ft. Baseline 989.00 ft is 10 ft below land; 981.50 ft is 17.5, below the intake at 17."""
    record = Record()
    record.add("W", "water_elevation_navd88", date(2025, 1, 15), "989.00", "ft")
    record.add("W", "water_elevation_navd88", date(2025, 8, 1), "981.50", "ft")
    points = [{"since": date(2020, 1, 1), "elevation_ft": 1000, "height_above_land_ft": 1}]
    wells = [
        well("W", -1000, property="R-1", depth_ft=18, pump_intake_ft=17, measuring_point=points),
        well("PW", 2640, use="production"),
    ]
    (found,) = check(rule("howard.quantity.private"), ask(record, date(2025, 9, 1), at=site(well=wells))).findings
    assert (found.verdict, found.start) == ("attained", date(2025, 8, 1))
    assert "17.50 ft below land" in str(found.measured)
    assert "deepest baseline 10.00 ft of 1 readings" in found.limit


def test_without_a_measuring_point_an_elevation_says_so() -> None:
    record = Record().add("W", "water_elevation_navd88", date(2025, 8, 1), "981.50", "ft")
    wells = [well("W", -1000, property="R-1", depth_ft=18, pump_intake_ft=17), well("PW", 2640, use="production")]
    assert check(rule("howard.quantity.private"), ask(record, date(2025, 9, 1), at=site(well=wells))).findings == ()
