"""Metered pumping: volumes between readings, and the modelled numbers against closed forms worked apart."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from math import erfc, exp, isclose, pi, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import exp1

from models.metered_volumes import Interval, intervals
from models.observation import DAY_MS
from models.pumping import depletion_cfs, drawdown_ft, schedule
from models.question import stored_rows
from models.site import Meter
from tests.record_in_memory import Record, ask, site, stream, well

START = datetime(2025, 6, 1, 5, tzinfo=UTC)  # midnight in Chippewa County, daylight saving time
METER = Meter(id="M", well="PW", register_gal=Decimal(1_000_000))
Reading = tuple[float, str, str]  # days since START, register, event


def read(*readings: Reading, meter: Meter = METER) -> list[Interval]:
    return intervals(meter, stored_rows(record(*readings).rows(["M"], ["meter_reading"], None, None)))


def record(*readings: Reading) -> Record:
    found = Record()
    for days, register, event in readings:
        found.meter("M", START + timedelta(days=days), register, *([event] if event else []))
    return found


def volumes(*readings: Reading, meter: Meter = METER) -> list[float | None]:
    return [one.volume_gal for one in read(*readings, meter=meter)]


def test_a_volume_is_a_difference() -> None:
    assert volumes((0, "1000", ""), (1, "1500", ""), (3, "1500", ""), (4, "1750.5", "")) == [500, 0, 250.5]
    assert volumes((0, "1000", "")) == []


def test_a_register_that_rolls_over() -> None:
    """Six digits: 999,600 to 350 is 750."""
    assert volumes((0, "999600", ""), (1, "350", "rollover")) == [750]


def test_a_rollover_of_a_register_nobody_described_is_not_guessed() -> None:
    assert volumes((0, "999600", ""), (1, "350", "rollover"), meter=Meter(id="M", well="PW")) == [None]


def test_a_drop_without_a_reason_is_not_used_and_is_said() -> None:
    found = read((0, "520", ""), (1, "480", ""), (2, "500", ""))
    assert [one.volume_gal for one in found] == [None, 20]
    assert "without a recorded reason" in found[0].note


def test_an_exchanged_register_with_its_last_reading() -> None:
    """1150 to 1400 on the old register, then 20 to 520 on the new: 250 and 500, nothing lost."""
    found = volumes((0, "1150", ""), (14, "1400", "replaced-out"), (14.01, "20", "replaced-in"), (30, "520", ""))
    assert found == [250, 0, 500]


@pytest.mark.parametrize("event", ["replaced-in", "reset"])
def test_an_exchange_without_a_last_reading_leaves_a_volume_unknown(event: str) -> None:
    """What the old register counted since its last reading nobody knows: that is not nothing."""
    found = read((0, "1150", ""), (14, "20", event), (30, "520", ""))
    assert [one.volume_gal for one in found] == [None, 500]
    assert "without a last reading" in found[0].note


def test_an_exchange_read_at_one_instant() -> None:
    found = read((0, "1150", ""), (14, "1400", "replaced-out"), (14, "20", "replaced-in"), (30, "520", ""))
    days, rates = schedule(found)
    assert np.isfinite(rates).all()
    assert pumped_gal(days, rates) == pytest.approx(750)


@pytest.mark.parametrize("event", ["replaced-in", "reset"])
def test_a_number_read_at_the_instant_of_an_exchange_is_the_old_registers_last(event: str) -> None:
    """1150 to 1400, set to 20 at that instant, then 520: 250 and 500, whether anybody marked the 1400 or not."""
    found = read((0, "1150", ""), (14, "1400", ""), (14, "20", event), (30, "520", ""))
    assert [one.volume_gal for one in found] == [250, 0, 500]
    assert all("without a last reading" not in one.note for one in found)


def test_two_numbers_at_the_instant_of_an_exchange_are_no_last_reading() -> None:
    found = read((0, "1150", ""), (14, "1400", ""), (14, "1500", ""), (14, "20", "reset"), (30, "520", ""))
    assert [one.volume_gal for one in found] == [None, None, 500]


def pumped_gal(days: Any, rates: Any) -> float:
    """Volume of a schedule; a cubic foot is 1728/231 gallons."""
    return float(np.sum(rates[:-1] * np.diff(days))) * 1728 / 231


@given(
    st.lists(
        st.tuples(st.integers(60_000, 90 * 86_400_000), st.one_of(st.none(), st.floats(0, 1e9))),
        min_size=1,
        max_size=30,
    )
)
def test_volume_is_conserved(parts: list[tuple[int, float | None]]) -> None:
    """Whatever the lengths, the rates hold exactly the known volume, and end in none."""
    at, found = 1_700_000_000_000, []
    for length, volume in parts:
        found.append(Interval(at, at + length, volume, "", "1:1"))
        at += length
    days, rates = schedule(found)
    assert (np.diff(days) > 0).all()
    assert rates[-1] == 0
    known = sum(volume or 0 for _, volume in parts)
    assert pumped_gal(days, rates) == pytest.approx(known, rel=1e-6, abs=1e-6)


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=20))
def test_differences_add_up_to_the_whole(steps: list[float]) -> None:
    register, rows = 0.0, []
    for number, step in enumerate(steps):
        register += step
        rows.append((float(number), repr(register), ""))
    found = volumes(*rows)
    assert sum(volume for volume in found if volume is not None) == pytest.approx(register - steps[0], abs=1e-6)


# One well 2,000 ft from a straight stream, 250 gpm.

T, S, LAMBDA, D, GPM = 5000.0, 0.15, 20.0, 2000.0, 250
FT3_PER_DAY = GPM * 1440 * 231 / 1728
EXACTLY = {"specific_yield": S, "transmissivity_ft2_per_d": T, "streambed_conductance_ft_per_d": LAMBDA}


def question(days: int, aquifer: dict[str, Any] | None = None, **wells: Any) -> Any:
    """Constant pumping from START for some days, read at each end."""
    ranges = {name: {"low": str(x), "best": str(x), "high": str(x)} for name, x in EXACTLY.items()}
    whole = {**ranges, "saturated_thickness_ft": 80, "source": "made up", **(aquifer or {})}
    placed = [well("PW", 5280 + 1000 - D, use="production"), well("W", 5280 + 1000 - D - 500, 2640 + 1200)]
    at = site(well=placed, meter=[{"id": "M", "well": "PW"}], aquifer=whole, stream=[stream()])
    readings = record((0, "0", ""), (days, str(GPM * 1440 * days), ""))
    return ask(readings, date(2025, 6, 1) + timedelta(days=days), at=at)


def hunt_share(t: float, t_l2: float = T, s: float = S, lam: float = LAMBDA) -> float:
    """Hunt 1999 eq. 20 as printed."""
    a, b = sqrt(s * D**2 / (4 * t_l2 * t)), lam**2 * t / (4 * s * t_l2)
    c = lam * D / (2 * t_l2)
    return erfc(a) - exp(b + c) * erfc(sqrt(b) + a)


def until(days: int) -> date:
    return date(2025, 6, 1) + timedelta(days=days)


@pytest.mark.parametrize("days", [10, 60, 150])
def test_depletion_at_constant_rate(days: int) -> None:
    found = depletion_cfs(question(days), site().stream[0], until(days))
    assert found is not None
    assert isclose(found.best, FT3_PER_DAY / 86400 * hunt_share(days), rel_tol=1e-9)
    assert found.low == found.best == found.high


def test_after_a_very_long_time_the_stream_gives_all_of_it() -> None:
    """250 gpm are 0.557 cfs."""
    found = depletion_cfs(question(2_000_000), site().stream[0], until(2_000_000))
    assert found is not None
    assert found.best == pytest.approx(0.557, abs=0.004)
    assert found.best < 0.5571


def test_the_range_holds_every_corner() -> None:
    aquifer = {
        "transmissivity_ft2_per_d": {"low": 3000, "best": 5000, "high": 8000},
        "specific_yield": {"low": "0.10", "best": "0.15", "high": "0.22"},
        "streambed_conductance_ft_per_d": {"low": 6, "best": 20, "high": 60},
    }
    found = depletion_cfs(question(60, aquifer), site().stream[0], until(60))
    assert found is not None
    corners = [hunt_share(60, t, s, c) for t in (3000, 8000) for s in (0.10, 0.22) for c in (6, 60)]
    rate = FT3_PER_DAY / 86400
    assert isclose(found.best, rate * hunt_share(60), rel_tol=1e-9)
    assert isclose(found.low, rate * min(corners), rel_tol=1e-9)
    assert isclose(found.high, rate * max(corners), rel_tol=1e-9)


def test_drawdown_where_the_bed_is_tight_is_theis() -> None:
    """Streambed conductance near nothing: no stream at all. 500 by 1200 ft is 1300 ft away (5-12-13)."""
    tight = {"streambed_conductance_ft_per_d": {"low": "1e-9", "best": "1e-9", "high": "1e-9"}}
    asked = question(60, tight)
    found = drawdown_ft(asked, asked.site.well[1], until(60))
    assert found is not None
    theis = FT3_PER_DAY / (4 * pi * T) * exp1(1300**2 * S / (4 * T * 60))
    assert found.best - found.best**2 / 160 == pytest.approx(theis, rel=1e-6)  # Jacob, 80 ft thick


def test_drawdown_where_the_bed_is_open_is_theis_less_its_image() -> None:
    """A constant-head stream: an image well on the far side, 2 * 2000 + 500 ft across and 1200 along."""
    open_bed = {"streambed_conductance_ft_per_d": {"low": "1e9", "best": "1e9", "high": "1e9"}}
    asked = question(60, open_bed)
    found = drawdown_ft(asked, asked.site.well[1], until(60))
    near, image = 1300**2, (2 * D + 500) ** 2 + 1200**2
    theis = [exp1(square * S / (4 * T * 60)) for square in (near, image)]
    assert found is not None
    confined = found.best - found.best**2 / 160  # Jacob, 80 ft thick
    assert confined == pytest.approx(FT3_PER_DAY / (4 * pi * T) * (theis[0] - theis[1]), rel=1e-5)


def test_the_high_of_a_drawdown_lies_between_the_ends_of_the_range() -> None:
    """Far off, drawdown rises and then falls with T: the greatest on a fine grid of Theis's formula by hand."""
    tight = {"streambed_conductance_ft_per_d": {"low": "1e-9", "best": "1e-9", "high": "1e-9"}}
    wide = {"transmissivity_ft2_per_d": {"low": 300, "best": 500, "high": 40_000}}
    asked = question(60, tight | wide)
    found = drawdown_ft(asked, asked.site.well[1], until(60))
    t = np.geomspace(300, 40_000, 20_001)
    confined = FT3_PER_DAY / (4 * pi * t) * exp1(1300**2 * S / (4 * t * 60))
    assert found is not None
    assert confined.max() > 1.3 * max(confined[0], confined[-1])
    assert found.high - found.high**2 / 160 == pytest.approx(confined.max(), rel=2e-4)
    assert found.low - found.low**2 / 160 == pytest.approx(confined.min(), rel=1e-6)


def test_depletion_goes_on_after_pumping_stops() -> None:
    """Thirty days on, thirty off: the share at 60 less the share at 30."""
    asked = question(30)
    asked.observations.meter("M", START + timedelta(days=60), str(GPM * 1440 * 30))
    found = depletion_cfs(asked, site().stream[0], until(60))
    assert found is not None
    assert isclose(found.best, FT3_PER_DAY / 86400 * (hunt_share(60) - hunt_share(30)), rel_tol=1e-9)


def test_nothing_is_modelled_without_two_readings_an_aquifer_and_a_stream() -> None:
    for readings in ((), ((0.0, "0", ""),)):
        asked = question(30)
        asked.observations.table[:] = record(*readings).table
        assert depletion_cfs(asked, site().stream[0], until(30)) is None
    asked = question(30)
    bare = ask(asked.observations, until(30), at=asked.site.model_copy(update={"aquifer": None}))
    assert depletion_cfs(bare, site().stream[0], until(30)) is None


def test_readings_are_days_of_the_town_and_not_of_london() -> None:
    """The meter is read at local midnight; a day later by the clock is one day of pumping."""
    (one,) = read((0, "0", ""), (1, "1440", ""))
    assert one.end_ms - one.start_ms == DAY_MS
    days, rates = schedule([one])
    assert days[0] * DAY_MS == pytest.approx(START.timestamp() * 1000)
    assert rates[0] == pytest.approx(1440 * 231 / 1728)
