"""That nothing is felt somewhere is an answer: the gate has what to hold it to, and the grid reaches so far."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest
from scipy.special import exp1

from models.errors import BadQuestion
from models.modflow.build import Choices, pair_of
from models.modflow.calendar import Stepping
from models.modflow.closed_form import Compared, compared
from models.modflow.gate import closed_forms
from models.modflow.reaching import holding
from models.modflow.stated_places import with_places
from models.modflow.twin import STATED_M, twins
from models.scenario.noun import Scenario, day_number
from tests.mf6_runs import confined, outcome, point, well

T, S = 432.0, 0.1


def held(scenario: Scenario, days: float, **more: Any) -> tuple[Compared, ...]:
    choices = Choices(day_number(date(2025, 1, 1)) + days, "one", growth=1.3, **more)
    pair = pair_of(scenario, holding(scenario, choices))
    return tuple(one for twin in twins(scenario, pair) for one in compared(twin, outcome(twin.model)))


def names(found: tuple[Compared, ...]) -> list[str]:
    return [one.quantity for one in found]


def test_a_place_that_feels_nothing_is_told_by_stated_distances() -> None:
    """At 1500 m after ten days u is 13: 1e-7 m."""
    found = held(confined(well=[well("W", 0, 0)], point=[point("house", 1_500, 0)]), 10, stepping=Stepping(0.01, 1.1))
    assert "drawdown at 10 m from W" in names(found)
    assert closed_forms(found).passed
    house = next(one for one in found if one.quantity == "drawdown at house")
    assert house.closed.max() < 1e-6
    wet = replace(house, modelled=house.modelled + 0.1)
    assert not closed_forms((wet,)).passed
    ten = next(one for one in found if one.quantity == "drawdown at 10 m from W")
    closed = 864 / (4 * math.pi * T) * exp1(10**2 * S / (4 * T * 10))
    assert ten.closed[-1] == pytest.approx(closed, rel=1e-6)


def test_a_place_that_feels_enough_is_held_to_itself() -> None:
    found = held(confined(well=[well("W", 0, 0)], point=[point("near", 60, 10), point("far", 1_500, 0)]), 10)
    assert names(found) == ["drawdown at near"]


def test_so_little_pumping_that_nothing_is_felt_anywhere_is_held_to_theis_too() -> None:
    """A hundredth of a cubic metre a day: 1e-5 m at 10 m. The homogeneous version pumps ten thousand times more."""
    found = held(confined(well=[well("W", 0, 0, rate="0.01 m3/d")], point=[point("P", 60, 10)]), 10)
    assert found
    assert closed_forms(found).passed
    assert max(float(one.closed.max()) for one in found) >= 0.01


def test_the_stated_distances_are_those_of_the_well_that_pumps_most() -> None:
    wells = [well("small", 0, 0, rate="1 m3/d"), well("large", 3_000, 0), well("rests", 500, 500, rate="0 m3/d")]
    found = held(confined(well=wells, point=[point("house", 0, 2_500)]), 5)
    assert {one.quantity.split(" from ")[1] for one in found if " from " in one.quantity} == {"large"}
    assert len(found) > 3


@pytest.mark.parametrize("first", ["W", "rests"])
def test_a_well_of_no_rate_beside_another_spoils_nothing(first: str) -> None:
    wells = [well("W", 0, 0), well("rests", 500, 500, rate="0 m3/d")]
    wells.sort(key=lambda one: one["id"] != first)
    found = held(confined(well=wells, point=[point("P", 60, 10)]), 5)
    assert closed_forms(found).passed
    assert all(one.modelled.size > 3 for one in found)


def test_places_that_nobody_asked_about_never_lie_outside_the_grid() -> None:
    """On the first day in clay: sqrt(T t / S) is 11 m, and the last stated place 800 m off."""
    clay: dict[str, Any] = {
        "unit": "m", "aquifer": {"kind": "unconfined", "transmissivity": "25 m2/d", "storativity": "0.2",
                                 "thickness": "10 m"}, "well": [well("W", 0, 0, rate="20 m3/d")],
    }  # fmt: skip
    scenario = with_places(Scenario.model_validate(clay))
    grid = pair_of(scenario, holding(scenario, Choices(day_number(date(2025, 1, 2)), "one"))).stressed.grid
    assert grid.x_edges[-1] > 800
    assert len(scenario.point) == len(STATED_M) - 1


@pytest.mark.parametrize(("x_km", "held_"), [(99.9, True), (100.04, False)])
def test_the_words_of_a_place_too_far_never_say_the_same_number_twice(x_km: float, held_: bool) -> None:
    scenario = confined(well=[well("W", 0, 0)], point=[point("P", x_km * 1_000, 0)])
    choices = Choices(day_number(date(2025, 1, 2)), "one")
    if held_:
        assert pair_of(scenario, holding(scenario, choices)).stressed.grid.x_edges[-1] > x_km * 1_000
        return
    with pytest.raises(BadQuestion, match="lies outside any grid") as refused:
        holding(scenario, choices)
    (allowed,) = refused.value.allowed or ()
    assert str(refused.value.found).startswith("100.1 km")
    assert str(allowed).startswith("up to 100 km")


def test_what_is_told_far_off_is_nothing() -> None:
    scenario = confined(well=[well("W", 0, 0)], point=[point("P", 30_000, 0)])
    pair = pair_of(scenario, holding(scenario, Choices(day_number(date(2025, 1, 5)), "one", growth=1.4)))
    without, with_ = outcome(pair.baseline), outcome(pair.stressed)
    assert np.abs(without.hydrographs["P"] - with_.hydrographs["P"]).max() < 1e-6


def test_too_many_wells_for_a_grid_are_told_the_flags_that_help() -> None:
    """150 wells along a line, none beside another: the words name --fine, and its width there is enough."""
    wells = [well(f"W{k}", 7_919.0 * k % 100_003, 6_151.0 * k % 90_001, rate="1 m3/d") for k in range(150)]
    scenario = confined(well=wells)
    ends = day_number(date(2025, 2, 1))
    with pytest.raises(BadQuestion, match="too many cells") as refused:
        pair_of(scenario, Choices(ends, "one"))
    assert refused.value.key == "--fine"
    assert "--fine '50 m'" in str(refused.value)
    assert "--growth 1.5" in str(refused.value)
    assert max(pair_of(scenario, Choices(ends, "one", fine_m=50, growth=1.5)).stressed.grid.shape) <= 2_000
