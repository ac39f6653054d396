"""A mine pit kept dry: inflow for good and through time, and how far it draws the water table down.

For good: Marinelli & Niccoli (2000), fed by recharge, Q1 through the wall from the aquifer above the floor and Q2 up
through the floor from a half space below it. Another reading stands beside it, never in its place: the whole layer as
zone 1, all water sideways. The first takes the base of the aquifer to be far below the floor, the second takes the flow
to be level; where the floor stands on the base they are one. Through time: Jacob & Lohman (1952), a level dropped at
once and held, from storage alone, corrected for the shrinking thickness (Jacob). Metres, days.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.influence import cooper_jacob_radius_m, kusakin_radius_m, sichardt_radius_m
from models.aquifer.jacob_lohman import (
    constant_drawdown_cone_m,
    constant_drawdown_inflow_m3_per_d,
    constant_drawdown_volume_m3,
)
from models.aquifer.pit import floor_inflow_m3_per_d, head_m, influence_radius_m, wall_inflow_m3_per_d
from models.aquifer.unconfined import jacob_correction_m, unconfined_drawdown_m
from models.cone.pit_case import PitCase, PitQuestion
from models.cone.searched import Ranged

FURTHEST_M = 1e6
HALVINGS = 50
RULES = ("Cooper & Jacob (1946), at the time", "Sichardt (1928)", "Kusakin (1953)")


@dataclass(frozen=True)
class Steady:
    """For good: through wall and floor and both together [m3/d], and the radius of influence [m].

    ``layer`` and ``layer_radius_m``: the other reading, one layer in which all water comes sideways.
    """

    wall: Ranged
    floor: Ranged
    total: Ranged
    radius_m: Ranged
    layer: Ranged
    layer_radius_m: Ranged


@dataclass(frozen=True)
class Instant:
    """After a time [d]: inflow [m3/d], volume so far [m3], and how far the stated drawdown reaches [m]."""

    elapsed_d: float
    inflow: Ranged
    volume: Ranged
    reach_m: Ranged


@dataclass(frozen=True)
class PitAnswer:
    """``steady`` is None without recharge: the cone then grows for ever. ``rules``: radius by other rules, then."""

    question: PitQuestion
    level_m: float
    steady: Steady | None
    instants: tuple[Instant, ...]
    rules: dict[str, Ranged]


def pit_answer(question: PitQuestion, level_m: float, times_d: Sequence[float]) -> PitAnswer:
    """Inflow for good and at times, of a pit that `models.cone.pit_case.check_pit` let pass.

    Parameters
    ----------
    level_m : the drawdown whose reach is told [m].
    times_d : since it was lowered [d], above 0.
    """
    later = sorted({*times_d, *(() if question.elapsed_d is None else (question.elapsed_d,))})
    last = question.elapsed_d or later[-1]
    return PitAnswer(
        question, level_m, _steady(question), tuple(_instants(question, level_m, np.array(later))),
        dict(zip(RULES, question.ranged(lambda one: _rules(one, last)), strict=True)),
    )  # fmt: skip


def _steady(question: PitQuestion) -> Steady | None:
    if not question.best.recharge:
        return None
    return Steady(*question.ranged(_for_good))


def _for_good(one: PitCase) -> list[float]:
    """As `Steady`; without recharge the limit: a wall's inflow dies away as the cone grows without end."""
    floor = _floor(one)
    wall, radius = _sideways(one, one.zone)
    layer, layer_radius = _sideways(one, one.layer)
    return [wall, floor, wall + floor, radius, layer, layer_radius]


def _sideways(one: PitCase, heads: tuple[float, float, float]) -> tuple[float, float]:
    """Inflow through the wall of a zone [m3/d], and its radius of influence [m]."""
    if not one.recharge:
        return 0.0, float("inf")
    radius = float(influence_radius_m(one.recharge, one.conductivity, *heads))
    return float(wall_inflow_m3_per_d(one.recharge, one.radius_m, radius)), radius


def _floor(one: PitCase) -> float:
    """No water comes up where the floor stands on the base of the aquifer: there is no zone 2."""
    if one.below_m <= 0:
        return 0.0
    return float(floor_inflow_m3_per_d(one.conductivity, one.vertical, one.radius_m, one.floor_m, one.lake_m))


def _linear(one: PitCase) -> float:
    """The drawdown that acts like the lowered level in an aquifer that keeps its thickness (Jacob) [m]."""
    return float(jacob_correction_m(one.lowered_m, one.thickness_m))


def inflow_m3_per_d(one: PitCase, elapsed_d: Numbers) -> Numbers:
    """Inflow from storage through time [m3/d]."""
    return constant_drawdown_inflow_m3_per_d(one.transmissivity, one.storativity, one.radius_m, _linear(one), elapsed_d)


def _instants(question: PitQuestion, level_m: float, times_d: Numbers) -> list[Instant]:
    def answers(one: PitCase) -> Numbers:
        volume = constant_drawdown_volume_m3(one.transmissivity, one.storativity, one.radius_m, _linear(one), times_d)
        return np.concatenate([inflow_m3_per_d(one, times_d), volume, _reach(one, level_m, times_d)])

    found, count = question.ranged(answers), times_d.size
    return [
        Instant(float(t), found[k], found[count + k], found[2 * count + k]) for k, t in enumerate(times_d)
    ]  # fmt: skip


def _reach(one: PitCase, level_m: float, times_d: Numbers) -> Numbers:
    """How far from the middle the drawdown is at the level [m], by bisection; the pit's radius where it is nowhere."""
    if level_m >= one.lowered_m:
        return np.full(times_d.shape, one.radius_m)
    low = np.full(times_d.shape, np.log(one.radius_m))
    high = np.full(times_d.shape, np.log(max(FURTHEST_M, 10 * one.radius_m)))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = lowering_m(one, np.exp(middle), times_d) > level_m
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(np.exp((low + high) / 2))


def lowering_m(one: PitCase, distance_m: Numbers, elapsed_d: float | Numbers) -> Numbers:
    """Drawdown at distances from the pit's middle after a time [m]; inside the pit its own."""
    r = np.maximum(distance_m, one.radius_m)
    linear = constant_drawdown_cone_m(one.transmissivity, one.storativity, one.radius_m, _linear(one), r, elapsed_d)
    return unconfined_drawdown_m(np.clip(linear, 0.0, one.thickness_m / 2), one.thickness_m)


def steady_lowering_m(one: PitCase, heads: tuple[float, float, float], distance_m: Numbers) -> Numbers:
    """Drawdown for good at distances from the pit's middle [m], of `PitCase.zone` or `layer`; recharge above 0."""
    r = np.maximum(distance_m, one.radius_m)
    return heads[2] - head_m(one.recharge or 0.0, one.conductivity, *heads, r)


def _rules(one: PitCase, elapsed_d: float) -> list[float]:
    """Radius by `RULES` [m]."""
    s, b, k = one.lowered_m, one.thickness_m, one.conductivity
    beyond = (
        cooper_jacob_radius_m(one.transmissivity, one.storativity, elapsed_d), sichardt_radius_m(s, k),
        kusakin_radius_m(s, b, k),
    )  # fmt: skip
    return [one.radius_m + float(radius) for radius in beyond]
