"""Compensation, corrections and hangings of a logger's record: by hand, from reported cases, and as properties."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.arrival import place
from ingest.formats import read
from models.errors import BadQuestion
from models.levels import pressure
from models.levels.record import Air, LevelRecord, Stored, level_record
from models.levels.steps import PARAMETERS, Kind, Step, admit, applied
from models.site import Barologger, Logger, MeasuringPoint, Site, Well

CASES = Path(__file__).parent / "data" / "cases"
CHICAGO = ZoneInfo("America/Chicago")
HOUR = 3_600_000
START = 1_714_521_600_000  # 2024-05-01T00:00Z
FT_PER_PSI = 6894.757293168 / 9806.65 / 0.3048
WHEN = datetime(2024, 6, 1, tzinfo=UTC)


def a_well(*loggers: Logger, points: Sequence[MeasuringPoint] = (), **more: Any) -> Well:
    used = points or [
        MeasuringPoint(since=date(2020, 1, 1), elevation_ft=Decimal(1000), height_above_land_ft=Decimal(2))
    ]
    return Well(id="MW-9", use="monitoring", position=(0.0, 0.0), measuring_point=tuple(used), logger=loggers, **more)


def a_logger(**more: Any) -> Logger:
    said: dict[str, Any] = {
        "serial": "77", "since": date(2020, 1, 1), "kind": "absolute", "hung_below_mp_ft": Decimal(40),
        "barologger": "BARO",
    }  # fmt: skip
    return Logger(**(said | more))


def the_air(head_ft: Any, times: Any = None, gap_h: int = 6, **more: Any) -> Air:
    head = np.asarray(head_ft, np.float64)
    when = START + HOUR * np.arange(head.size) if times is None else np.asarray(times, np.int64)
    return Air(Barologger(id="BARO", serial="9", **more), when, head, gap_h * HOUR)


def stored(head_ft: Any, times: Any = None, temperature: Any = None) -> Stored:
    head = np.asarray(head_ft, np.float64)
    when = START + HOUR * np.arange(head.size) if times is None else np.asarray(times, np.int64)
    return Stored("77", when, head, None if temperature is None else np.asarray(temperature, np.float64))


def step(kind: Kind, *numbers: str, start: int = START, end: int | None = None, id: str = "a") -> Step:
    known = {name: Decimal(text) for name, text in zip(PARAMETERS[kind], numbers, strict=True)}
    return Step(id, kind, known, start, end, "A. Example", WHEN, "made up", "77")


def of(well: Well, readings: Stored, airs: Sequence[Air], steps: Sequence[Step] = ()) -> LevelRecord:
    return level_record(well, readings, airs, steps, CHICAGO)


# By hand.


def test_one_reading_worked_by_hand() -> None:
    """A Levelogger hangs 40.00 ft below the measuring point, which stands 2.00 ft above ground at 1,000.00 ft NAVD88.

    It feels 22.000 psi. Barologger: 14.100 psi at 00:00, 14.300 psi at 02:00, so 14.200 psi at 01:00.
    Water: 22.000 - 14.200 = 7.800 psi = 7.800 x 6,894.757 Pa = 53,779.11 Pa.
    At 10 degC water has 999.7026 kg/m3 (CIPM table): 53,779.11 / (999.7026 x 9.80665) = 5.48555 m = 17.99723 ft.
    Below the measuring point 40.00 - 17.99723 = 22.00277 ft; a tape reads 21.95 ft at that instant, so the tie is
    -0.05277 ft -> -0.053 ft, and the tied depth 21.94977 ft; below land 19.94977 ft; at 978.05023 ft NAVD88.
    """
    air = the_air(np.array([14.1, 14.3]) * FT_PER_PSI, [START, START + 2 * HOUR])
    reading = stored([22.0 * FT_PER_PSI], [START + HOUR], [10.0])
    found = of(a_well(a_logger(water_density="by temperature")), reading, [air], [step("tie", "-0.053")])
    assert found.column_ft[0] == pytest.approx(17.99723, abs=1e-4)
    assert found.depth_mp_ft[0] == pytest.approx(21.94977, abs=1e-4)
    assert found.depth_ft[0] == pytest.approx(19.94977, abs=1e-4)
    assert found.elevation_ft[0] == pytest.approx(978.05023, abs=1e-4)


@pytest.mark.parametrize(
    ("celsius", "density"), [(4, 999.9749), (10, 999.7027), (15, 999.1026), (20, 998.2067), (25, 997.0470)]
)
def test_density_of_water_as_the_cipm_table_prints_it(celsius: float, density: float) -> None:
    assert pressure.water_density(np.array([celsius]))[0] == pytest.approx(density, abs=1.01e-4)


def test_density_is_not_guessed() -> None:
    assert np.isnan(pressure.water_density(np.array([-0.1, 40.1, np.nan]))).all()
    no_temperature = of(a_well(a_logger(water_density="by temperature")), stored([50]), [the_air([33])])
    assert np.isnan(no_temperature.depth_ft).all()


@pytest.mark.parametrize(
    ("number", "unit"),
    [(9.80665, "kPa"), (98.0665, "mbar"), (98.0665, "hPa"), (1, "m"), (100, "cm"), (1 / 0.3048, "ft"),
     (1.422334, "psi"), (2.895902, "inHg"), (1, "mH2O"), (100, "cmH2O")],
)  # fmt: skip
def test_a_metre_of_water_in_every_unit(number: float, unit: str) -> None:
    """1 m of water of 1,000 kg/m3 is 9.80665 kPa; inHg at 0 degC is 3.386389 kPa."""
    assert pressure.head_ft(np.array([number]), unit)[0] * 0.3048 == pytest.approx(1, abs=1e-6)


def test_air_lower_down_is_denser() -> None:
    """100 ft lower: exp(9.80665 x 30.48 / (287.05 x 283.15)) = exp(0.0036775) = 1.0036843; of 33 ft 0.12158 ft."""
    lower = the_air([33.0], elevation_ft=Decimal(1100))
    found = of(a_well(a_logger()), stored([50.0]), [lower])
    assert found.air_ft[0] == pytest.approx(33.12158, abs=2e-5)
    assert found.depth_mp_ft[0] - of(a_well(a_logger()), stored([50.0]), [the_air([33.0])]).depth_mp_ft[0] == (
        pytest.approx(0.12158, abs=2e-5)
    )


def test_the_makers_zero_of_a_gold_logger() -> None:
    """A Gold at 42 m stores 923.561 cm: it felt 923.561 + 950 - 0.12 x 42 = 1,868.521 cm of water = 61.3032 ft.

    The air is 33.3 ft, so 28.0032 ft stand over the sensor. With a Barologger of the same family and altitude the two
    zeros cancel, as the maker's software has it.
    """
    altitude = Decimal("42") / Decimal("0.3048")
    gold: dict[str, Any] = {"family": "solinst-gold", "altitude_entered_ft": altitude}
    well, felt = a_well(a_logger(**gold)), 923.561 / 30.48
    assert of(well, stored([felt]), [the_air([33.3])]).column_ft[0] == pytest.approx(28.0032, abs=1e-4)
    both = of(well, stored([felt]), [the_air([2.0], **gold)])
    assert both.column_ft[0] == pytest.approx(felt - 2.0, abs=1e-9)


def test_an_offset_that_was_entered_comes_off() -> None:
    with_offset = a_well(a_logger(family="solinst-edge", offset_entered_ft=Decimal("1.5")))
    assert of(with_offset, stored([51.5]), [the_air([33])]).column_ft[0] == pytest.approx(17)


def test_a_vented_logger_feels_no_air() -> None:
    assert of(a_well(a_logger(kind="vented", barologger=None)), stored([17]), []).depth_mp_ft.tolist() == [23.0]


def test_barometric_efficiency_takes_the_airs_share_out() -> None:
    """The reference 14.2 psi is 32.7585 ft; a foot more pushes a well of 0.4 down by 0.4 ft, which is taken out."""
    reference = 14.2 * FT_PER_PSI
    well = a_well(a_logger(barometric_efficiency=Decimal("0.4"), reference_air_psi=Decimal("14.2")))
    found = of(well, stored([50.0, 51.0 - 0.4]), [the_air([reference, reference + 1])])
    assert found.depth_mp_ft[1] == pytest.approx(found.depth_mp_ft[0], abs=1e-9)


# As reported elsewhere.


def test_gw_04_absolute_pressure() -> None:
    case = CASES / "GW-04"
    expected = {one["name"]: one["value"] for one in json.loads((case / "expected.json").read_text())["checks"]}
    logger, baro = (_column(case / name) for name in ("logger.csv", "baro.csv"))
    air = Air(
        Barologger(id="BARO", serial="9"), baro[0], pressure.head_ft(baro[1], "mbar"), 6 * HOUR
    )  # fmt: skip
    well = a_well(
        a_logger(hung_below_mp_ft=Decimal(10) / Decimal("0.3048")),
        points=[MeasuringPoint(since=date(2020, 1, 1), elevation_ft=Decimal(0), height_above_land_ft=Decimal(0))],
    )
    found = of(well, Stored("77", logger[0], pressure.head_ft(logger[1], "kPa")), [air])
    metres = found.column_ft * 0.3048
    assert metres[0] == pytest.approx(expected["water column m 00:00"], abs=0.0005)
    assert metres[1] == pytest.approx(expected["water column m 01:00"], abs=0.0005)
    assert found.depth_ft[0] * 0.3048 == pytest.approx(expected["depth to water m 00:00"], abs=0.0005)
    assert "no barometer" in expected["02:00"]
    assert math.isnan(found.column_ft[2])
    assert math.isnan(found.depth_ft[2])


def _column(path: Path) -> tuple[Any, Any]:
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))[1:]
    times = [round(datetime.fromisoformat(one[0]).timestamp() * 1000) for one in rows]
    return np.array(times, np.int64), np.array([float(one[1]) for one in rows])


def test_gw_09_a_hobo_file_becomes_a_level() -> None:
    """15.000 psi under 14.100 psi of air is 0.9 psi, 2.0763 ft of water; 15.100 psi is 2.3070 ft; the event is none."""
    logger = a_logger(serial="999", since=date(2024, 1, 1))
    well = Well(id="W-7", use="monitoring", position=(0.0, 0.0), logger=(logger,))
    frame = place(read(CASES / "GW-09" / "input.csv"), Site.model_construct(well=(well,)), CHICAGO).frame
    rows = frame[frame["parameter"] == "logger_pressure"]
    assert [pd.Timestamp(one, unit="ms").isoformat() for one in rows["time_ms"]] == [
        "2024-07-01T06:00:00", "2024-07-01T06:15:00",
    ]  # fmt: skip
    felt = pressure.head_ft(rows["value"].to_numpy(), rows["unit"].iloc[0])
    times = rows["time_ms"].to_numpy()
    found = of(well, Stored("999", times, felt), [the_air(np.full(2, 14.1 * FT_PER_PSI), times)])
    assert found.column_ft.tolist() == pytest.approx([2.0763, 2.3070], abs=5e-4)


# Air that is not there.


def test_a_gap_in_the_air_is_not_bridged() -> None:
    air = the_air([33, 34, np.nan, 35], [START, START + 5 * HOUR, START + 6 * HOUR, START + 12 * HOUR])
    when = START + HOUR * np.array([-1, 0, 1, 5, 6, 12, 13])
    found = of(a_well(a_logger()), stored(np.full(7, 50.0), when), [air])
    assert np.isnan(found.depth_ft).tolist() == [True, False, False, False, True, False, True]
    assert found.air_ft[2] == pytest.approx(33.2)


def test_without_its_barologger_nothing_is_known() -> None:
    other = Air(Barologger(id="OTHER", serial="8"), np.array([START]), np.array([33.0]), HOUR)
    assert np.isnan(of(a_well(a_logger()), stored([50]), [other]).depth_ft).all()
    assert np.isnan(of(a_well(a_logger()), stored([50]), []).depth_ft).all()


# Hangings and measuring points by date.


def test_each_reading_has_the_hanging_and_the_measuring_point_of_its_day() -> None:
    """Re-hung 1 ft deeper on 2 May, the casing cut by 0.5 ft on 3 May: civil days, which begin at 05:00 UTC."""
    points = [
        MeasuringPoint(since=date(2024, 5, 1), elevation_ft=Decimal(1000), height_above_land_ft=Decimal(2)),
        MeasuringPoint(since=date(2024, 5, 3), elevation_ft=Decimal("999.5"), height_above_land_ft=Decimal("1.5")),
    ]
    well = a_well(
        a_logger(since=date(2024, 5, 1)), a_logger(since=date(2024, 5, 2), hung_below_mp_ft=Decimal(41)), points=points
    )
    when = START + HOUR * np.array([0, 4, 5, 28, 29, 52, 53])
    found = of(well, stored(np.full(7, 50.0), when), [the_air([33, 33], [START, START + 60 * HOUR], 60)])
    assert found.depth_mp_ft.tolist()[2:] == [23, 23, 24, 24, 24]
    assert np.isnan(found.depth_mp_ft[:2]).all()
    assert found.depth_ft.tolist()[2:] == [21, 21, 22, 22, 22.5]
    assert found.elevation_ft.tolist()[2:] == [977, 977, 976, 976, 975.5]


def test_an_elevation_is_on_navd88_or_not_at_all() -> None:
    old = [MeasuringPoint(since=date(2020, 1, 1), elevation_ft=Decimal(1000), height_above_land_ft=Decimal(2),
                          datum="NGVD29")]  # fmt: skip
    unmoved = of(a_well(a_logger(), points=old), stored([50]), [the_air([33])])
    assert np.isnan(unmoved.elevation_ft).all()
    assert unmoved.depth_ft.tolist() == [21]
    moved = of(a_well(a_logger(), points=old, ngvd29_to_navd88_ft=Decimal("-0.25")), stored([50]), [the_air([33])])
    assert moved.elevation_ft.tolist() == [976.75]


# Corrections.


def test_each_correction_by_hand() -> None:
    """Depth 23 ft every hour from 00:00 to 04:00. Periods hold their start and not their end,
    but a drift its closing check too.
    """
    well, readings, air = a_well(a_logger()), stored(np.full(5, 50.0)), [the_air(np.full(5, 33.0))]
    until = START + 4 * HOUR

    def depths(one: Step) -> list[float]:
        return list(of(well, readings, air, [one]).depth_mp_ft)

    assert depths(step("tie", "-0.5", start=START + HOUR)) == [23, 22.5, 22.5, 22.5, 22.5]
    assert depths(step("tie", "0.25", end=START + 2 * HOUR)) == [23.25, 23.25, 23, 23, 23]
    assert depths(step("drift", "0", "0.4", end=until)) == pytest.approx([23, 23.1, 23.2, 23.3, 23.4])
    assert depths(step("drift", "0.1", "0.1", end=until)) == pytest.approx([23.1, 23.1, 23.1, 23.1, 23.1])
    assert depths(step("cable", "1.5", start=START + 3 * HOUR)) == [23, 23, 23, 24.5, 24.5]


def test_a_clock_that_ran_ahead_is_set_right_before_the_air_is_taken() -> None:
    """Fast by 0 s at 00:00 and by 3,600 s at 04:00 (an hour): what is stamped 02:00 was 01:30.

    Air falls a foot each hour, so the half hour moves the level by half a foot.
    """
    well, air = a_well(a_logger()), the_air([34.0, 33.0, 32.0, 31.0, 30.0])
    right = of(well, stored(np.full(4, 50.0)), [air], [step("clock", "0", "3600", end=START + 4 * HOUR)])
    assert ((right.time_ms - START) / 60_000).tolist() == [0, 45, 90, 135]
    assert right.depth_mp_ft.tolist() == pytest.approx([24, 23.25, 22.5, 21.75])


def test_the_clock_is_set_right_before_a_period_of_true_time_is_looked_up() -> None:
    """An hour fast throughout: what is stamped 02:00 was 01:00, before a tie from 02:00 on."""
    tie = step("tie", "1", start=START + 2 * HOUR, id="a")
    clock = step("clock", "3600", "3600", start=START + 2 * HOUR, end=START + 9 * HOUR, id="z")
    times, depths = applied([tie, clock], START + HOUR * np.array([2, 3]), np.array([10.0, 10.0]))
    assert ((times - START) / HOUR).tolist() == [1, 2]
    assert depths.tolist() == [10, 11]


def test_other_loggers_steps_are_left_alone() -> None:
    readings, air = stored([50.0]), [the_air([33.0])]
    other = Step("x", "tie", {"offset_ft": Decimal(1)}, START, None, "A. Example", WHEN, "made up", "78")
    every = Step("y", "tie", {"offset_ft": Decimal(1)}, START, None, "A. Example", WHEN, "made up")
    assert of(a_well(a_logger()), readings, air, [other]).depth_mp_ft.tolist() == [23]
    assert of(a_well(a_logger()), readings, air, [every]).depth_mp_ft.tolist() == [24]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (step("drift", "0", "1"), "needs an end"),
        (step("clock", "0", "1"), "needs an end"),
        (step("tie", "1", end=START), "ends before it begins"),
        (step("tie", "100.1"), "not a correction"),
        (step("tie", "NaN"), "not a correction"),
        (Step("a", "tie", {}, START, None, "", WHEN, ""), "not a correction"),
        (step("clock", "0", "3600", end=START + HOUR), "backwards"),
        (step("clock", "0", "60", start=START + HOUR, end=START + 3 * HOUR, id="b"), "another clock step"),
    ],
)
def test_what_is_no_correction_is_refused(bad: Step, says: str) -> None:
    standing = [step("clock", "0", "10", end=START + 2 * HOUR, id="z")] if bad.id == "b" else []
    with pytest.raises(BadQuestion, match=says):
        admit(bad, standing)


def test_one_clock_step_may_follow_another() -> None:
    first = step("clock", "0", "60", end=START + HOUR, id="z")
    admit(step("clock", "0", "60", start=START + HOUR, end=START + 3 * HOUR, id="b"), [first])
    admit(step("tie", "0.1", id="b"), [first])


# Properties.

FEET = st.floats(-100, 100, allow_nan=False)
HEADS = st.lists(st.floats(30, 80), min_size=1, max_size=30)
NUMBERS = st.decimals(-5, 5, places=3)


@st.composite
def steps(draw: st.DrawFn) -> Step:
    kind = draw(st.sampled_from([*PARAMETERS]))
    start = START + draw(st.integers(0, 20)) * HOUR
    end = start + draw(st.integers(1, 20)) * HOUR
    numbers = [str(draw(NUMBERS)) for _ in PARAMETERS[kind]]
    return step(kind, *numbers, start=start, end=end, id=f"{draw(st.integers(0, 999_999))}")


@given(HEADS, st.floats(-3, 3))
def test_a_constant_added_to_the_barometer_moves_the_level_by_its_negative(heads: list[float], constant: float) -> None:
    well, air = a_well(a_logger()), np.linspace(32, 34, len(heads))
    before, after = (of(well, stored(heads), [the_air(air + more)]) for more in (0.0, constant))
    assert after.column_ft - before.column_ft == pytest.approx(-constant, abs=1e-9)
    assert after.elevation_ft - before.elevation_ft == pytest.approx(-constant, abs=1e-9)


@given(HEADS)
def test_a_hand_reading_equal_to_the_logger_adds_no_correction(heads: list[float]) -> None:
    well, air = a_well(a_logger()), [the_air(np.full(len(heads), 33.0))]
    plain, tied = (of(well, stored(heads), air, one) for one in ([], [step("tie", "0"), step("drift", "0", "0",
                   end=START + HOUR, id="b")]))  # fmt: skip
    assert tied.depth_mp_ft.tobytes() == plain.depth_mp_ft.tobytes()


@given(HEADS, st.lists(steps(), max_size=6, unique_by=lambda one: one.id))
def test_without_its_corrections_a_record_is_the_raw_one_to_the_last_bit(heads: list[float], made: list[Step]) -> None:
    """Undone, each step leaves nothing behind: stored numbers, instants and depths are the very bytes they were."""
    well, air, readings = a_well(a_logger()), [the_air(np.full(60, 33.0))], stored(heads)
    kept = readings.time_ms.tobytes(), readings.head_ft.tobytes()
    raw = of(well, readings, air)
    of(well, readings, air, made)
    undone = of(well, readings, air, [])
    assert (readings.time_ms.tobytes(), readings.head_ft.tobytes()) == kept
    assert (undone.time_ms.tobytes(), undone.stored_ft.tobytes()) == kept
    assert undone.depth_ft.tobytes() == raw.depth_ft.tobytes()
    times, values = applied([], readings.time_ms, readings.head_ft)
    assert times is readings.time_ms
    assert values is readings.head_ft


@given(HEADS, st.lists(steps(), max_size=6, unique_by=lambda one: one.id), st.randoms())
def test_neither_the_order_of_import_nor_of_recording_matters(heads: list[float], made: list[Step], by: Any) -> None:
    well, air = a_well(a_logger()), [the_air(np.linspace(32, 34, 60))]
    readings = stored(heads)
    first = of(well, readings, air, made)
    order = list(range(len(heads)))
    by.shuffle(order)
    by.shuffle(made)
    again = of(well, stored(np.array(heads)[order], readings.time_ms[order]), air, made)
    assert again.time_ms.tolist() == first.time_ms[order].tolist()
    assert again.depth_ft.tobytes() == first.depth_ft[order].tobytes()
