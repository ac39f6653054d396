"""Pumping that changes inside a month: what begins a stress period, what is spread, and what the gate holds it to."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import exp1

from models.errors import BadQuestion
from models.modflow.build import Choices, Pair, first_stress, instants_of, pair_of
from models.modflow.calendar import Stepping, mean_rates
from models.modflow.closed_form import compared
from models.modflow.gate import closed_forms
from models.modflow.pumping_changes import MOST_CHANGES, MOST_OF_MORE
from models.modflow.quantities import onsets, quantities
from models.modflow.spreading import spreading_felt
from models.modflow.twin import twins
from models.scenario.kinds import stopped
from models.scenario.noun import Scenario, day_number
from tests.mf6_runs import confined, outcome, point, well

T, S = 432.0, 0.1
BEGAN = date(2025, 3, 1)
COARSE = {"growth": 1.6, "stepping": Stepping(0.2, 1.2)}


def number(month: int, day: int) -> float:
    return day_number(date(2025, month, day))


def rated(id: str, x: float, *steps: tuple[str, float]) -> dict[str, Any]:
    return {"id": id, "position": (x, 0.0), "rates": [{"since": at, "rate": f"{q} m3/d"} for at, q in steps]}


def metered(days: int, rates: list[float], x: float = 0.0, id: str = "W") -> dict[str, Any]:
    """A reading every day: the rates in turn."""
    told = [((BEGAN + timedelta(days=k)).isoformat(), rates[k % len(rates)]) for k in range(days)]
    return rated(id, x, *told)


def theis(rate: float, distance: float, days: float) -> float:
    return float(rate / (4 * math.pi * T) * exp1(distance**2 * S / (4 * T * days)))


# What begins a stress period ------------------------------------------------------------------------------------------


def test_a_pump_begins_and_rests_on_its_own_day() -> None:
    """By hand: from 1 March, a month turns on 1 April; the other well runs from the 10th to the 20th."""
    scenario = confined(
        well=[well("A", 0, 0, since="2025-03-01"), rated("B", 100, ("2025-03-10", 500), ("2025-03-20", 0))]
    )
    found = instants_of(scenario, Choices(ends=number(4, 15)))
    assert found == [number(3, 1), number(3, 10), number(3, 20), number(4, 1), number(4, 15)]
    assert mean_rates(scenario.well[1], found).tolist() == [0, 500, 0, 0]


def test_a_stop_that_is_asked_for_is_on_its_own_day() -> None:
    scenario = stopped(confined(well=[well("A", 0, 0, since="2025-03-01")]), date(2025, 3, 13))
    assert number(3, 13) in instants_of(scenario, Choices(ends=number(4, 15)))


@pytest.mark.parametrize("rhythm", ["daily", "weekly", "monthly", "one"])
def test_a_stated_schedule_is_never_spread(rhythm: Any) -> None:
    scenario = confined(well=[metered(MOST_CHANGES, [500, 900])])
    edges = instants_of(scenario, Choices(ends=day_number(BEGAN) + 200, rhythm=rhythm))
    assert set(scenario.well[0].schedule[0]) <= set(edges)


def long_record(days: int = 1_000) -> Scenario:
    """Three years of daily readings; the pump rests for the first half of September 2025, and another starts late."""
    rates = [800 + 100.0 * (k % 7) for k in range(days)]
    rest = (date(2025, 9, 1) - BEGAN).days
    rates[rest : rest + 15] = [0.0] * 15
    late = rated("late", 300, ("2026-05-13", 700), ("2026-09-17", 0))
    return confined(well=[metered(days, rates), late], point=[point("near", 100, 40)])


def test_of_years_of_readings_those_before_the_day_asked_are_kept_and_the_rest_is_bounded() -> None:
    scenario, ends = long_record(), day_number(BEGAN) + 1_000
    edges = instants_of(scenario, Choices(ends=ends, rhythm="one"))
    assert len(edges) <= MOST_OF_MORE + 2
    assert {ends - k for k in range(1, 9)} <= set(edges)
    for after, before in pairwise(reversed(edges)):
        assert after - before <= max(1.0, 0.25 * (ends - after)) + 1e-9


def test_a_rest_and_a_late_start_in_years_of_readings_are_kept() -> None:
    edges = instants_of(long_record(), Choices(ends=day_number(BEGAN) + 1_000, rhythm="monthly"))
    starts = {day_number(date(*at)) for at in ((2025, 9, 1), (2025, 9, 16), (2026, 5, 13), (2026, 9, 17))}
    assert starts <= set(edges)


def test_a_start_and_a_stop_among_more_changes_than_can_be_kept_are_kept() -> None:
    """A pump that rests every other day leaves no room by size."""
    late = rated("late", 300, ("2026-01-13", 700), ("2026-02-17", 0))
    scenario = confined(well=[metered(1_000, [0, 900]), late])
    edges = instants_of(scenario, Choices(ends=day_number(BEGAN) + 1_000, rhythm="one"))
    assert {day_number(date(2026, 1, 13)), day_number(date(2026, 2, 17))} <= set(edges)
    assert len(edges) <= MOST_OF_MORE + 2


@given(st.lists(st.sampled_from([0.0, 300.0, 800.0, 1_000.0]), min_size=2, max_size=400), st.integers(2, 500))
def test_what_is_pumped_stays_what_is_pumped(rates: list[float], days: int) -> None:
    scenario = confined(well=[metered(len(rates), rates), well("A", 500, 0, since="2025-03-01")])
    ends = day_number(BEGAN) + days
    edges = instants_of(scenario, Choices(ends=ends, rhythm="one"))
    volume = float(mean_rates(scenario.well[0], edges) @ np.diff(edges))
    last = rates[-1] * max(days - len(rates), 0)
    assert volume == pytest.approx(sum(rates[:days]) + last, abs=1e-6)
    assert all(later > earlier for earlier, later in pairwise(edges))


# What is not there ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", ["0 m3/d", "0 gpm"])
def test_a_rate_of_nothing_is_no_pumping(rate: str) -> None:
    with pytest.raises(BadQuestion, match="nothing is pumped or drained"):
        pair_of(confined(well=[well("W", 0, 0, rate=rate)]), Choices(ends=number(6, 1)))


def test_pumping_begins_with_the_first_rate_that_is_one() -> None:
    scenario = confined(
        well=[rated("W", 0, ("2025-03-01", 0), ("2025-03-09", 300)), well("zero", 50, 0, rate="0 m3/d")]
    )
    assert first_stress(scenario) == number(3, 9)


# Against the schedule -------------------------------------------------------------------------------------------------


def held_to(pair: Pair, scenario: Scenario) -> Any:
    (twin,) = twins(scenario, pair)
    return closed_forms(compared(twin, outcome(twin.model)))


def pulse() -> Scenario:
    """A small well all the time, and a large one since the 20th."""
    wells = [
        well("A", 0, 0, rate="100 m3/d", since="2025-03-01"),
        well("B", 400, 100, rate="2000 m3/d", since="2025-03-20"),
    ]
    return confined(well=wells, point=[point("P", 430, 0)])


def test_a_pump_that_began_inside_the_month_is_theis_s() -> None:
    scenario, ends = pulse(), number(3, 29)
    pair = pair_of(scenario, Choices(ends=ends, growth=1.3))
    told = quantities(pair, outcome(pair.baseline), outcome(pair.stressed))
    closed = theis(100, 430, ends - number(3, 1)) + theis(2_000, math.hypot(30, 100), ends - number(3, 20))
    assert told.drawdown["P"][-1] == pytest.approx(closed, rel=0.03)
    before = told.day < number(3, 20)
    small = [theis(100, 430, day - number(3, 1)) for day in told.day[before]]
    assert told.drawdown["P"][before] == pytest.approx(small, abs=0.003)
    assert not np.any((told.day > number(3, 20)) & (told.day < number(3, 21)))


def test_the_gate_holds_the_answer_to_the_schedule_and_not_to_its_means() -> None:
    """The same model with the second well's rate spread over the month fails; with its own, passes."""
    scenario = pulse()
    pair = pair_of(scenario, Choices(ends=number(3, 29), growth=1.3))
    assert held_to(pair, scenario).passed
    smeared = tuple(
        replace(one, rates=np.where(np.arange(one.rates.size) > 0, 2_000 * 9 / 28, 0.0)) if one.id == "B" else one
        for one in pair.stressed.wells
    )
    check = held_to(replace(pair, stressed=replace(pair.stressed, wells=smeared)), scenario)
    assert not check.passed
    assert check.measured is not None
    assert check.measured > 20


def test_only_great_changes_leave_a_day_without_figures() -> None:
    scenario = confined(
        well=[rated("W", 0, ("2025-03-01", 800), ("2025-03-05", 700), ("2025-03-09", 0), ("2025-03-20", 800))]
    )
    model = pair_of(scenario, Choices(ends=number(4, 1), **COARSE)).stressed
    assert sorted(onsets(model)) == [number(3, 1), number(3, 9), number(3, 20)]


# What spreading does --------------------------------------------------------------------------------------------------


def test_what_is_spread_is_said_with_what_it_does() -> None:
    scenario, ends = long_record(), day_number(BEGAN) + 1_000
    (said,) = [one for one in pair_of(scenario, Choices(ends=ends, **COARSE)).assumed if "spread evenly" in one]
    assert "drawdown at near moves by" in said
    assert "--periods daily" in said
    exact = pair_of(scenario, Choices(ends=ends, rhythm="daily", **COARSE))
    assert not any("spread evenly" in one for one in exact.assumed)
    assert exact.held_from == exact.begins


def test_spreading_is_what_the_two_schedules_differ_by() -> None:
    """Ten days at 500, ten at 1500: spread over all twenty, by Theis a day by day sum."""
    scenario = confined(well=[rated("W", 0, ("2025-03-01", 500), ("2025-03-11", 1_500))], point=[point("P", 100, 0)])
    strata = pair_of(scenario, Choices(ends=number(3, 21), **COARSE)).strata
    (felt,) = spreading_felt(scenario, strata, [number(3, 1), number(3, 21)])
    true = theis(500, 100, 20) + theis(1_000, 100, 10)
    assert felt.last == pytest.approx(true - theis(1_000, 100, 20), rel=0.01)
    assert felt.most == pytest.approx(abs(theis(500, 100, 10) - theis(1_000, 100, 10)), rel=0.01)
    assert felt.of == pytest.approx(true, rel=0.01)


def test_the_place_of_a_private_well_is_not_in_what_is_said() -> None:
    scenario = long_record().model_copy(update={"point": ()})
    hidden = confined(well=[metered(600, [500, 900])], point=[{**point("home", 40, 0), "kind": "private"}])
    assert "home" not in " ".join(pair_of(hidden, Choices(ends=day_number(BEGAN) + 600, **COARSE)).assumed)
    assert pair_of(scenario, Choices(ends=day_number(BEGAN) + 900, **COARSE)).assumed
