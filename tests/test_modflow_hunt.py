"""Depletion of a stream by the numerical model against Hunt (1999); Glover & Balmer (1954) where the bed is open."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from scipy.special import erfc, erfcx

from models.modflow.build import Choices, pair_of
from models.modflow.calendar import depletion_stepping
from models.scenario.noun import Scenario, day_number
from tests.mf6_runs import confined, outcome, point, well

T, S, Q = 432.0, 0.1, 864.0
ENDS = day_number(date(2028, 1, 1))
LONG = 60_000.0
"""Half the length of a stream that Hunt takes to have no end [m]."""


def hunt(distance: float, lam: float, days: np.ndarray) -> np.ndarray:
    """q/Q = erfc(a) - exp(b + c) erfc(sqrt b + a), written so that nothing overflows (Hunt 1999, eq. 20)."""
    a, b = np.sqrt(S * distance**2 / (4 * T * days)), lam**2 * days / (4 * S * T)
    return np.asarray(np.exp(-(a**2)) * (erfcx(a) - erfcx(a + np.sqrt(b))))


def beside(distance: float, conductance: str | None, **more: object) -> Scenario:
    bed = {} if conductance is None else {"conductance": conductance}
    stream = {"id": "creek", "line": [(distance, -LONG), (distance, LONG)], **bed}
    return confined(well=[well("W", 0, 0)], stream=[stream], **more)


def depletion(scenario: Scenario, choices: Choices) -> tuple[np.ndarray, np.ndarray]:
    """Days since pumping began, and the stream's share of it: with pumping minus without."""
    pair = pair_of(scenario, choices)
    stressed, baseline = outcome(pair.stressed), outcome(pair.baseline)
    days = stressed.time - pair.stressed.periods[0].length
    share = (stressed.budget["creek"] - baseline.budget["creek"]) / Q
    return days[days > 0], share[days > 0]


def exactly(distance: float) -> Choices:
    """The rule for depletion, and the growth of cells it wants."""
    return Choices(ends=ENDS, rhythm="one", stepping=depletion_stepping(distance, T, S), growth=1.15)


@pytest.mark.parametrize("lam", [0.5, 8.0])
def test_depletion_is_hunt_s_to_a_thousandth_at_all_times(lam: float) -> None:
    days, found = depletion(beside(300.0, f"{lam} m/d"), exactly(300.0))
    closed = hunt(300.0, lam, days)
    assert found == pytest.approx(closed, abs=0.001)
    assert closed[-1] > 0.4
    assert closed[0] < 1e-6


def test_an_open_bed_is_glover_and_balmer_s() -> None:
    days, found = depletion(beside(300.0, None), exactly(300.0))
    assert found == pytest.approx(erfc(np.sqrt(S * 300.0**2 / (4 * T * days))), abs=0.001)


def test_the_steps_of_every_day_keep_depletion_within_half_a_percent_of_the_pumping() -> None:
    choices = Choices(ends=ENDS, rhythm="one")
    days, found = depletion(beside(500.0, "5 m/d", point=[point("P", 120, 90)]), choices)
    assert found == pytest.approx(hunt(500.0, 5.0, days), abs=0.005)


def test_a_slope_of_the_water_table_is_no_depletion() -> None:
    """Groundwater that flows under and into the stream anyway is there with and without pumping."""
    slope = {"slope": "0.002", "toward_degrees": 70.0}
    coarse = replace(Choices(ends=ENDS, rhythm="one"), fine_m=10.0, growth=1.3)
    _, level = depletion(beside(300.0, "2 m/d"), coarse)
    _, sloping = depletion(beside(300.0, "2 m/d", gradient=slope), coarse)
    assert sloping == pytest.approx(level, abs=1e-4)


def test_a_stream_s_loss_stops_some_time_after_the_pump() -> None:
    """Superposed (Jenkins 1968): a well that rests after a year; the stream goes on losing, less and less."""
    pumped = [{"since": "2025-01-01", "rate": f"{Q} m3/d"}, {"since": "2026-01-01", "rate": "0 m3/d"}]
    scenario = beside(300.0, "2 m/d")
    rested = {"id": "W", "position": (0.0, 0.0), "rates": pumped}
    stopped = Scenario.model_validate({**scenario.model_dump(exclude={"well", "aquifer", "stream"}),
        "aquifer": scenario.aquifer, "stream": scenario.stream, "well": [rested]})  # fmt: skip
    days, found = depletion(stopped, Choices(ends=ENDS, rhythm="monthly", fine_m=10.0, growth=1.3))
    after = np.maximum(days - 365, 1e-9)
    closed = hunt(300.0, 2.0, days) - np.where(days > 365, hunt(300.0, 2.0, after), 0.0)
    assert found == pytest.approx(closed, abs=0.006)
    assert found[-1] < found[days <= 366][-1]
