"""Inflow of a pit kept dry by the numerical model against Jacob & Lohman (1952)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from math import pi
from typing import Any

import numpy as np
import pytest
from scipy.special import j0, y0

from models.errors import BadQuestion
from models.modflow.build import Choices, pair_of
from models.modflow.closed_form import compared
from models.modflow.outcome import Outcome
from models.modflow.quantities import quantities
from models.modflow.twin import twins
from models.scenario.noun import Scenario, day_number
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


# A pit that deepens ---------------------------------------------------------------------------------------------------

STAGES = [("2025-01-01", 2.0), ("2027-01-01", 4.0), ("2029-01-01", 6.0)]


def deepening(*stages: tuple[str, float], **more: Any) -> Scenario:
    turn = np.linspace(0, 2 * pi, 120, endpoint=False)
    ring = [(float(RADIUS * np.cos(a)), float(RADIUS * np.sin(a))) for a in turn]
    told = [{"since": day, "lowered": f"{lowered} m"} for day, lowered in stages]
    return confined(pit={"polygon": ring, "stage": told}, **more)


def test_one_stage_is_the_old_spelling() -> None:
    turn = np.linspace(0, 2 * pi, 120, endpoint=False)
    ring = [(float(RADIUS * np.cos(a)), float(RADIUS * np.sin(a))) for a in turn]
    old = confined(pit={"polygon": ring, "lowered": "6 m", "since": "2025-01-01"})
    pairs = [pair_of(one, CHOICES) for one in (old, deepening(("2025-01-01", 6.0)))]
    assert pairs[0].stressed.digest == pairs[1].stressed.digest


def test_a_pit_that_deepens_is_the_sum_of_its_lowerings() -> None:
    """Jacob & Lohman's inflow is in proportion to the lowering, and the equation of flow is linear: by hand, three
    lowerings by 2 m, each with its own time."""
    scenario = deepening(*STAGES)
    run = outcome(pair_of(scenario, CHOICES).stressed)
    day = run.model.periods[0].starts + run.time
    begins = [day_number(date.fromisoformat(since)) for since, _ in STAGES]
    for wanted in (begins[1] - 30, begins[1] + 40, begins[2] + 10, begins[2] + 2_000):
        at = int(np.argmin(np.abs(day - wanted)))
        elapsed = [day[at] - one for one in begins if day[at] > one]
        closed = sum(2 * pi * T * 2.0 * discharge(T * one / (S * RADIUS**2)) for one in elapsed)
        assert -run.budget["pit"][at] == pytest.approx(closed, rel=0.03)


def test_the_gate_knows_a_pit_that_deepens() -> None:
    scenario = deepening(*STAGES)
    pair = pair_of(scenario, CHOICES)
    (twin,) = twins(scenario, pair)
    (inflow_of_pit,) = compared(twin, outcome(twin.model))
    assert inflow_of_pit.modelled == pytest.approx(inflow_of_pit.closed, rel=0.04)
    assert inflow_of_pit.closed.size > 50


def test_no_figure_is_told_on_the_day_after_a_lowering() -> None:
    scenario = deepening(*STAGES, point=[{"id": "P", "position": (300.0, 0.0)}])
    pair = pair_of(scenario, CHOICES)
    told = quantities(pair, outcome(pair.baseline), outcome(pair.stressed))
    for since, _ in STAGES:
        begins = day_number(date.fromisoformat(since))
        assert not np.any((told.day > begins + 1e-6) & (told.day < begins + 1 - 1e-6))


def test_a_stage_stands_in_the_layer_of_its_floor() -> None:
    layers = [{"id": id, "bottom": f"{to} m", "conductivity": "10 m/d"} for id, to in (("top", 3), ("deep", 100))]
    drain = pair_of(deepening(*STAGES, layer=layers), CHOICES).stressed.drains[0]
    held = [{drain.cells[k][0] for k in np.flatnonzero(np.isfinite(row))} for row in drain.elevation]
    assert held == [set(), {0}, {0, 1}, {0, 1}]
    assert [float(np.nanmin(row)) for row in drain.elevation[1:]] == [-2.0, -4.0, -6.0]
    last = drain.as_in(-1)
    held_at = {(cell[0], round(float(to), 9)) for cell, to in zip(last.cells, last.elevation[0], strict=True)}
    assert held_at == {(0, -2.94), (1, -6.0)}
    assert last.active.tolist() == [True]


THREE = [
    {"id": id, "bottom": f"{bottom} m", "conductivity": f"{k} m/d", "vertical_conductivity": f"{kv} m/d",
     "specific_storage": f"{stored} 1/m"}
    for id, bottom, k, kv, stored in (
        ("sand", 10, 20, 2, 0.01), ("clay", 12, 1e-9, 1e-9, 1e-9), ("rock", 40, 5, 0.5, 0.1 / 28),
    )
]  # fmt: skip
"""An impermeable clay between a sand of T 200 m2/d and a rock of 140, S 0.1 each."""


def test_a_pit_through_a_clay_drains_the_layers_on_both_sides() -> None:
    """By hand: two aquifers that know nothing of each other, each its own pit of Jacob & Lohman's; the sand lowered by
    9.8 m, for a fiftieth of its 10 m stays wet, the rock by 15 m."""
    run = outcome(pair_of(deepening(("2025-01-01", 15.0), layer=THREE), CHOICES).stressed)
    days, found = inflow(run)
    closed = [
        sum(2 * pi * t * lowered * discharge(t * day / (S * RADIUS**2)) for t, lowered in ((200, 9.8), (140, 15)))
        for day in days
    ]
    assert found[days > 10] == pytest.approx(np.array(closed)[days > 10], rel=0.03)


def test_a_lower_pit_never_lowers_a_place_less() -> None:
    """In neither aquifer, and its inflow is never less: from within the sand to deep in the rock."""
    aquifer = {"kind": "unconfined", "transmissivity": "340 m2/d", "storativity": "0.1", "thickness": "40 m"}
    coarse = Choices(ends=day_number(date(2026, 1, 1)), rhythm="one", fine_m=5.0, growth=1.4)
    leaky = [*THREE[:1], THREE[1] | {"conductivity": "1e-3 m/d", "vertical_conductivity": "1e-4 m/d"}, *THREE[2:]]
    fallen = []
    for lowered in (3.0, 9.0, 11.0, 15.0):
        more = {"aquifer": aquifer, "layer": leaky, "point": [{"id": "A", "position": (150.0, 0.0)}]}
        run = outcome(pair_of(deepening(("2025-01-01", lowered), **more), coarse).stressed)
        fallen.append([-run.hydrographs[id][-1] for id in ("A", "A@2")] + [-run.budget["pit"][-1]])
    assert np.all(np.diff(fallen, axis=0) > -0.01 * np.abs(fallen[:-1]))
    assert fallen[-1][0] > 2 * fallen[0][0]


def test_a_stage_below_the_bottom_is_named() -> None:
    with pytest.raises(BadQuestion, match=r"pit\.stage\[2029-01-01\]\.lowered: the pit is kept dry below the bottom"):
        pair_of(deepening(("2025-01-01", 2.0), ("2029-01-01", 100.0)), CHOICES)


@pytest.mark.parametrize(
    ("pit", "says"),
    [
        ({"lowered": "2 m"}, "lowered and since together"),
        ({"since": "2025-01-01"}, "lowered and since together"),
        ({}, "lowered and since together"),
        ({"lowered": "2 m", "since": "2025-01-01", "stage": [{"since": "2026-01-01", "lowered": "3 m"}]}, "instead"),
        ({"stage": [{"since": "2026-01-01", "lowered": "3 m"}, {"since": "2025-01-01", "lowered": "4 m"}]}, "in order"),
    ],
)
def test_a_pit_without_one_history_is_refused(pit: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        confined(pit={"polygon": [(0, 0), (9, 0), (9, 9)], **pit})


def test_a_lake_that_no_drain_can_take_is_said() -> None:
    pit = {"polygon": [(0, 0), (90, 0), (90, 90)], "lowered": "2 m", "since": "2025-01-01", "lake_depth": "1 m"}
    assert any("pit.lake_depth (1 m)" in one for one in pair_of(confined(pit=pit), CHOICES).assumed)
