"""Inflow of a pit kept dry by the numerical model against Jacob & Lohman (1952)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from math import pi

import numpy as np
import pytest
from scipy.special import j0, y0

from models.modflow.build import Choices, pair_of
from models.modflow.outcome import Outcome
from models.scenario.noun import day_number
from tests.mf6_runs import confined, outcome

T, S, RADIUS, LOWERED = 432.0, 0.1, 100.0, 6.0
CHOICES = Choices(ends=day_number(date(2035, 1, 1)), rhythm="one")


def discharge(alpha: float) -> float:
    """G(alpha) = 4 alpha / pi int_0^inf x exp(-alpha x^2) (pi/2 + atan(Y0/J0)) dx, eq. 7 of Jacob & Lohman (1952)."""
    x = np.geomspace(1e-9, np.sqrt(45 / alpha), 40_001)
    phase = pi / 2 + np.unwrap(np.arctan2(y0(x), j0(x)))
    return float(4 * alpha / pi * np.trapezoid(x**2 * np.exp(-alpha * x**2) * phase, np.log(x)))


@pytest.mark.parametrize(("alpha", "printed"), [(1e-2, 6.13), (1.0, 0.985), (1e2, 0.346), (1e4, 0.196)])
def test_the_closed_form_is_the_printed_one(alpha: float, printed: float) -> None:
    """Table 1 of Jacob & Lohman (1952)."""
    assert discharge(alpha) == pytest.approx(printed, rel=0.003)


def drained(choices: Choices = CHOICES) -> Outcome:
    turn = np.linspace(0, 2 * pi, 120, endpoint=False)
    ring = [(float(RADIUS * np.cos(a)), float(RADIUS * np.sin(a))) for a in turn]
    pit = {"polygon": ring, "lowered": f"{LOWERED} m", "since": "2025-01-01"}
    return outcome(pair_of(confined(pit=pit), choices).stressed)


def inflow(run: Outcome) -> tuple[np.ndarray, np.ndarray]:
    days = run.time - run.model.periods[0].length
    return days[days >= 1], -run.budget["pit"][days >= 1]


@pytest.fixture(scope="module")
def pit() -> Outcome:
    return drained()


def test_a_pit_kept_dry_is_jacob_and_lohman_s(pit: Outcome) -> None:
    """Within 3 % from the first day to the tenth year."""
    days, found = inflow(pit)
    closed = [2 * pi * T * LOWERED * discharge(T * day / (S * RADIUS**2)) for day in days]
    assert days[-1] > 3_650
    assert found == pytest.approx(closed, rel=0.03)


def test_its_floor_keeps_its_level(pit: Outcome) -> None:
    """The drain holds nothing back: not even a hundredth of the lowering is left above it."""
    drain = pit.model.drains[0]
    heads = np.array([pit.heads[-1][cell] for cell in drain.cells])
    assert heads == pytest.approx(np.full(heads.size, -LOWERED), abs=0.01 * LOWERED)


def test_a_drain_that_holds_water_back_takes_less(pit: Outcome) -> None:
    """A tenth of the conductance changes next to nothing; a ten thousandth is the answer itself."""
    _, free = inflow(pit)
    _, tenth = inflow(drained(replace(CHOICES, drain_factor=0.1)))
    _, tight = inflow(drained(replace(CHOICES, drain_factor=1e-5)))
    assert np.all(tenth < free)
    assert tenth[-1] == pytest.approx(free[-1], rel=0.01)
    assert tight[-1] < 0.9 * free[-1]
