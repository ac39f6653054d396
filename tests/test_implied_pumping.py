"""Meters against levels: heads made by sums of E1 with scipy, never by the model that is asked."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from scipy.special import exp1

from models.aquifer.implied_pumping import implied_factors
from models.checks.water_level import check
from models.errors import BadQuestion
from models.finding import Finding, transitions
from models.question import Changed
from tests.record_in_memory import BEGAN, EVERYTHING, Record, ask, rule, site, well

T, S = 5000.0, 0.15
GPM = 500.0
THICKNESS = 800.0
FT3_PER_GALLON = 231 / 1728
PLACES = {"M-1": (2640.0, 2900.0), "M-2": (3100.0, 2640.0), "M-3": (2640.0, 1900.0)}
PUMPED = (2640.0, 2640.0)
START = datetime(2025, 6, 1, 5, tzinfo=UTC)  # midnight in Chippewa County
READ_AT_D = (20, 50, 80, 110, 140)
AQUIFER = {
    "transmissivity_ft2_per_d": {"low": 4000, "best": 5000, "high": 6250},
    "specific_yield": {"low": "0.12", "best": "0.15", "high": "0.18"},
    "streambed_conductance_ft_per_d": {"low": "1e-9", "best": "1e-9", "high": "1e-9"},
    "saturated_thickness_ft": THICKNESS,
    "source": "made up",
}
QUANTITY = rule("howard.quantity.private")
POINT = [{"since": date(2020, 1, 1), "elevation_ft": 1000, "height_above_land_ft": 0}]


def fall_ft(place: tuple[float, float], days: float, gpm: float, pumped: tuple[float, float] = PUMPED) -> float:
    """Theis at constant rate, as written down by hand."""
    square = (place[0] - pumped[0]) ** 2 + (place[1] - pumped[1]) ** 2
    rate = gpm * 1440 * FT3_PER_GALLON
    return float(rate / (4 * np.pi * T) * exp1(square * S / (4 * T * days)))


def water_table_ft(linear_ft: float, thickness_ft: float = THICKNESS) -> float:
    """What a tape measures where the aquifer thins as it is drawn down (Jacob): s of s' = s - s^2 / 2b."""
    return thickness_ft - float(np.sqrt(thickness_ft**2 - 2 * thickness_ft * linear_ft))


def record(
    true_gpm: float, metered_gpm: float = GPM, noise_ft: float = 0.0, baseline: int = 12, scatter_ft: float = 0.0
) -> Record:
    """Monthly levels of three wells, and a meter read monthly; ``scatter_ft``: of the baseline only."""
    random, found = np.random.default_rng(7), Record()
    for id, place in PLACES.items():
        for k in range(baseline):
            level = 20 + noise_ft * random.normal() + scatter_ft * (-1) ** k
            found.level(id, BEGAN - timedelta(days=15 + 30 * k), f"{level:.3f}")
        for days in READ_AT_D:
            level = 20 + water_table_ft(fall_ft(place, days + 10 / 24, true_gpm)) + noise_ft * random.normal()
            found.level(id, BEGAN + timedelta(days=days), f"{level:.3f}")
    for days in (0, 30, 60, 90, 120, 150):
        found.meter("M", START + timedelta(days=days), f"{metered_gpm * 1440 * days:.0f}")
    return found


def judged(known: Record, on: date = BEGAN + timedelta(days=160), changed: Changed = EVERYTHING, **more: Any) -> Any:
    wells = [well("PW", *PUMPED, use="production"), *more.pop("wells", [])]
    wells += [well(id, *place, use="monitoring", measuring_point=POINT) for id, place in PLACES.items()]
    parts = {"aquifer": AQUIFER, "meter": [{"id": "M", "well": "PW"}], **more}
    return check(QUANTITY, ask(known, on, at=site(well=wells, **parts), changed=changed))


def only(answer: Any) -> Finding:
    (found,) = answer.findings
    return found


def implied_gpm(found: Finding) -> tuple[float, float, float]:
    """The three numbers of the sentence."""
    words = found.measured.replace("(", " ").replace(")", " ").split()
    return tuple(float(words[k]) for k in (2, 5, 7))  # type: ignore[return-value]


def test_meters_that_say_what_was_pumped_agree() -> None:
    found = only(judged(record(GPM)))
    best, low, high = implied_gpm(found)
    assert found.status == "AGREES"
    assert low < 500 < high
    assert best == pytest.approx(500, rel=0.03)


def test_a_meter_that_says_half_of_it_does_not_agree() -> None:
    found = only(judged(record(2 * 1500.0, metered_gpm=1500.0)))
    best, low, high = implied_gpm(found)
    assert (found.status, found.information, found.verdict, found.opens) == ("WATCH", True, "not_applicable", None)
    assert best == pytest.approx(3000, rel=0.03)
    assert 1500 < low < 3000 < high


def test_it_is_worded_as_a_question_of_data() -> None:
    found = only(judged(record(3000.0, metered_gpm=1500.0)))
    for said in ("do not agree", "question of data, not of conduct", "check the meter", "wells", "parameters"):
        assert said in found.reason
    for blame in ("operator", "mine", "false", "under-report", "violat", "exceed"):
        assert blame not in f"{found.reason} {found.measured}"
    assert "not adopted" in found.limit


def test_a_meter_within_the_range_of_the_parameters_is_not_doubted() -> None:
    """15 % off, and T is known to a quarter."""
    assert only(judged(record(1.15 * GPM))).status == "AGREES"


def test_little_pumping_in_scattered_levels_cannot_be_told() -> None:
    found = only(judged(record(20.0, metered_gpm=20.0, noise_ft=0.8)))
    assert found.status == "CANNOT TELL"
    assert "too much to tell" in found.reason


def test_the_scatter_of_the_baseline_widens_the_range() -> None:
    quiet, scattered = (implied_gpm(only(judged(record(GPM, scatter_ft=noise)))) for noise in (0.0, 1.5))
    assert scattered[2] - scattered[1] > 1.2 * (quiet[2] - quiet[1])


def test_without_a_baseline_nothing_can_be_told() -> None:
    found = only(judged(record(GPM, baseline=5)))
    assert found.status == "CANNOT TELL"
    assert "6 readings (default, not adopted)" in found.reason


def test_without_a_level_since_the_meter_nothing_can_be_told() -> None:
    known = record(GPM)
    known.table[:] = [row for row in known.table if row["station"] == "M" or row["day"] < BEGAN]
    found = only(judged(known))
    assert (found.status, "no monitoring well has a level" in found.reason) == ("CANNOT TELL", True)


def test_a_season_of_the_baseline_is_no_drawdown() -> None:
    """Every summer the level stands 4 ft lower: before mining too."""
    known = Record()
    for id, place in PLACES.items():
        for year, days in ((2023, 730), (2024, 365), (2025, 0)):
            for at in READ_AT_D if days else (50, 80):
                day = BEGAN + timedelta(days=at - days)
                low = 4.0 if day.month in (7, 8) else 0.0
                fall = water_table_ft(fall_ft(place, at + 10 / 24, GPM)) if year == 2025 else 0.0
                known.level(id, day, f"{20 + low + fall:.3f}")
    for days in (0, 150):
        known.meter("M", START + timedelta(days=days), f"{GPM * 1440 * days:.0f}")
    best, low, high = implied_gpm(only(judged(known)))
    assert best == pytest.approx(500, rel=0.03)
    assert low < 500 < high


def test_a_volume_nobody_knows_ends_the_comparison() -> None:
    known = record(GPM)
    known.meter("M", START + timedelta(days=151), "5")
    found = only(judged(known))
    assert (found.status, "not known" in found.reason) == ("CANNOT TELL", True)


def test_pumping_before_the_meter_ends_the_comparison() -> None:
    known = record(GPM).add("PW", "withdrawal", date(2025, 3, 1), "9000000", "gal")
    assert "before the first reading" in only(judged(known)).reason


def test_levels_after_the_last_reading_of_the_meter_are_not_compared() -> None:
    """Nobody knows what was pumped by then."""
    known = record(GPM)
    for id in PLACES:
        known.level(id, BEGAN + timedelta(days=155), "60.00")
    assert only(judged(known)).measured == only(judged(record(GPM))).measured


def test_a_night_without_a_new_reading_judges_nothing() -> None:
    answer = judged(record(GPM), changed=Changed({("G-1", "discharge"): BEGAN}))
    assert (answer.findings, answer.scopes) == ((), ())
    assert judged(record(GPM), changed=Changed({("M-1", "depth_below_mp"): BEGAN})).findings
    assert judged(record(GPM), changed=Changed({("M", "meter_reading"): BEGAN})).findings


def test_the_same_answer_is_not_amended_with_new_numbers() -> None:
    before = judged(record(3000.0, metered_gpm=1500.0))
    known = record(3000.0, metered_gpm=1500.0)
    known.level("M-1", BEGAN + timedelta(days=145), "27.50")
    after = judged(known)
    assert [one.change for one in transitions(before.findings, after.findings, after.scopes)] == ["continued"]


def test_two_meters_are_told_apart_where_the_levels_can() -> None:
    """A second well far off pumps twice what its meter says."""
    other = (5000.0, 300.0)
    known, places = record(0.0, metered_gpm=1500.0), {**PLACES, "M-4": (4900.0, 500.0), "M-5": (4700.0, 250.0)}
    known.table[:] = [row for row in known.table if row["station"] == "M"]
    for id, place in places.items():
        for k in range(12):
            known.level(id, BEGAN - timedelta(days=15 + 30 * k), "20.000")
        for at in READ_AT_D:
            fall = water_table_ft(fall_ft(place, at + 10 / 24, 1500.0) + fall_ft(place, at + 10 / 24, 3000.0, other))
            known.level(id, BEGAN + timedelta(days=at), f"{20 + fall:.3f}")
    for days in (0, 150):
        known.meter("N", START + timedelta(days=days), f"{1500.0 * 1440 * days:.0f}")
    more = [well("PX", *other, use="production")]
    more += [well(id, *places[id], use="monitoring", measuring_point=POINT) for id in ("M-4", "M-5")]
    answer = judged(known, wells=more, meter=[{"id": "M", "well": "PW"}, {"id": "N", "well": "PX"}])
    assert {one.station: one.status for one in answer.findings} == {"M": "AGREES", "N": "WATCH"}


# The inversion itself, worked by hand.


def test_one_reading_of_one_well() -> None:
    """3 ft seen, 2 ft modelled: 1.5, and 2 * 0.4 / 2 on either side."""
    found = implied_factors([[[2.0]]], [3.0], [0], [0.4])
    assert found is not None
    assert (found.best[0], found.low[0], found.high[0]) == pytest.approx((1.5, 1.1, 1.9))


def test_more_readings_of_one_well_make_nothing_surer_but_another_well_does() -> None:
    many = implied_factors([[[2.0]] * 9], [3.0] * 9, [0] * 9, [0.4])
    two = implied_factors([[[2.0]] * 2], [3.0] * 2, [0, 1], [0.4, 0.4])
    assert many is not None
    assert two is not None
    assert many.high[0] == pytest.approx(1.9)
    assert two.high[0] == pytest.approx(1.5 + 0.4 / 2**0.5)


def test_a_noisy_well_counts_less() -> None:
    """Weights 1/0.1^2 and 1/1^2 on 1 ft modelled: (100 * 1 + 1 * 2) / 101."""
    found = implied_factors([[[1.0], [1.0]]], [1.0, 2.0], [0, 1], [0.1, 1.0])
    assert found is not None
    assert found.best[0] == pytest.approx(102 / 101)


def test_the_range_spans_every_corner() -> None:
    found = implied_factors([[[2.0]], [[1.0]], [[4.0]]], [4.0], [0], [1e-9])
    assert found is not None
    assert (found.best[0], found.low[0], found.high[0]) == pytest.approx((2.0, 1.0, 4.0))


def test_columns_that_are_alike_are_not_told_apart() -> None:
    alike = np.ones((1, 4, 2))
    alike[0, :, 1] += [0, 1e-3, 0, -1e-3]
    assert implied_factors(alike, np.ones(4), [0, 1, 0, 1], [1.0, 1.0]) is None
    assert implied_factors(np.zeros((1, 4, 1)), np.ones(4), [0] * 4, [1.0]) is None
    assert implied_factors(np.ones((1, 1, 2)), [1.0], [0], [1.0]) is None


@pytest.mark.parametrize(
    ("modelled", "observed", "noise", "key"),
    [
        ([[2.0]], [3.0], [1.0], "modelled"),
        ([[[2.0]]], [3.0, 1.0], [1.0], "modelled"),
        ([[[2.0]]], [3.0], [0.0], "noise"),
    ],
)
def test_what_does_not_fit_is_refused(modelled: Any, observed: Any, noise: Any, key: str) -> None:
    with pytest.raises(BadQuestion) as refusal:
        implied_factors(modelled, observed, [0] * len(observed), noise)
    assert refusal.value.key == key


def test_a_water_table_that_thins_its_aquifer_implies_the_pumping_it_had() -> None:
    """At 500 gpm the nearest well falls by a tenth of 80 ft, which Theis alone would call 480 gpm."""
    thin = {**AQUIFER, "saturated_thickness_ft": 80}
    known = Record()
    for id, place in PLACES.items():
        for k in range(12):
            known.level(id, BEGAN - timedelta(days=15 + 30 * k), "20.000")
        for days in READ_AT_D:
            fall = water_table_ft(fall_ft(place, days + 10 / 24, GPM), 80.0)
            known.level(id, BEGAN + timedelta(days=days), f"{20 + fall:.3f}")
    for days in (0, 30, 60, 90, 120, 150):
        known.meter("M", START + timedelta(days=days), f"{GPM * 1440 * days:.0f}")
    assert implied_gpm(only(judged(known, aquifer=thin)))[0] == pytest.approx(500, rel=0.03)
