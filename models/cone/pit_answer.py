"""A mine pit kept dry: inflow for good and through time, how far it draws the water table down, what must be pumped.

For good: Marinelli & Niccoli (2000), fed by recharge; where less than a pit's radius of aquifer lies below the floor,
their zone 1 is taken as the whole layer and the floor's half space as an upper bound. Through time: Jacob & Lohman
(1952), a level dropped at once and held, from storage alone, corrected for the shrinking thickness (Jacob). The two
know different things and are shown beside each other. Metres, days.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

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
from models.cone.balance import Ranged
from models.errors import BadQuestion
from models.quantity import Quantity

FURTHEST_M = 1e6
HALF_SPACE = 1.0
"""Aquifer below the floor, in radii of the pit: with less there is no half space below it, and one layer is taken."""


@dataclass(frozen=True)
class PitValues:
    """One set of values: Kh, Kv [m/d], T [m2/d], S [-], recharge W [m/d] (None: not told)."""

    conductivity: float
    vertical: float
    transmissivity: float
    storativity: float
    recharge: float | None


@dataclass(frozen=True)
class PitQuestion:
    """A pit and its aquifer.

    Parameters
    ----------
    radius_m : of the circle as large as the pit.
    lowered_m : its water level below the undisturbed water table [m].
    lake_m : water standing in it [m].
    thickness_m : saturated before the pit [m].
    values : best estimate first, then every corner of the stated ranges.
    elapsed_d : since it was lowered [d]; None: not told.
    """

    radius_m: float
    lowered_m: float
    lake_m: float
    thickness_m: float
    values: tuple[PitValues, ...]
    elapsed_d: float | None

    @property
    def floor_m(self) -> float:
        """The floor below the undisturbed water table: the lowered level less the lake."""
        return self.lowered_m + self.lake_m

    @property
    def below_m(self) -> float:
        """Aquifer below the floor."""
        return self.thickness_m - self.floor_m

    @property
    def one_layer(self) -> bool:
        """Too little aquifer below the floor for a half space: all water comes sideways through the whole layer."""
        return self.below_m < HALF_SPACE * self.radius_m

    @property
    def heads(self) -> tuple[float, float, float]:
        """hp, rp and h0 of Marinelli & Niccoli's zone 1, above the floor, or above the base of the one layer [m]."""
        if self.one_layer:
            return self.thickness_m - self.lowered_m, self.radius_m, self.thickness_m
        return self.lake_m, self.radius_m, self.floor_m


@dataclass(frozen=True)
class Steady:
    """For good: through wall and floor [m3/d], and the radius of influence [m].

    In one layer the floor's half space is an upper bound and is not in the total: its water is in the wall's.
    """

    wall: Ranged
    floor: Ranged
    total: Ranged
    radius_m: Ranged


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


def pit_values(
    transmissivity: Quantity,
    storativity: Quantity,
    thickness_m: float,
    conductivity: Quantity | None,
    vertical: Quantity | None,
    recharge: Quantity | None,
) -> tuple[PitValues, ...]:
    """The best estimate, then every corner. K without a number is T over the thickness, Kv without one is K."""

    def values(t: float, s: float, k: float | None, v: float | None, w: float | None) -> PitValues:
        across = t / thickness_m if k is None else k
        return PitValues(across, across if v is None else v, t, s, w)

    ends: list[Sequence[float | None]] = [
        (None,) if one is None else one.ends for one in (conductivity, vertical, recharge)
    ]
    best = (None if one is None else one.value for one in (conductivity, vertical, recharge))
    corners = product(transmissivity.ends, storativity.ends, *ends)
    return (values(transmissivity.value, storativity.value, *best), *(values(*one) for one in corners))  # type: ignore[arg-type]


def check_pit(question: PitQuestion) -> None:
    """Refuse a pit deeper than its aquifer, or one that lowers nothing.

    Raises
    ------
    BadQuestion : by name, with what is allowed.
    """
    if question.lowered_m <= 0:
        raise BadQuestion("lowers nothing", key="lowered", found=question.lowered_m, allowed=["above 0"])
    if question.floor_m > question.thickness_m:
        raise BadQuestion(
            "more drawdown than aquifer: the floor lies below its base", key="lowered",
            found=round(question.floor_m, 3),
            allowed=[f"at most the saturated thickness, {question.thickness_m:.4g} m, with the lake"],
        )  # fmt: skip
    if question.elapsed_d is not None and question.elapsed_d <= 0:
        raise BadQuestion("before the pit was lowered", key="--on", found=question.elapsed_d, allowed=["a later day"])


def pit_answer(question: PitQuestion, level_m: float, times_d: Sequence[float]) -> PitAnswer:
    """Inflow for good and at times.

    Parameters
    ----------
    level_m : the drawdown whose reach is told [m].
    times_d : since it was lowered [d], above 0.

    Raises
    ------
    BadQuestion : as `check_pit`.
    """
    check_pit(question)
    later = sorted({*times_d, *(() if question.elapsed_d is None else (question.elapsed_d,))})
    last = question.elapsed_d or later[-1]
    return PitAnswer(
        question,
        level_m,
        _steady(question),
        tuple(_instant(question, level_m, t) for t in later),
        _rules(question, last),
    )


def _steady(question: PitQuestion) -> Steady | None:
    if any(not one.recharge for one in question.values):
        return None
    radius = [_influence(question, one) for one in question.values]
    wall = [
        float(wall_inflow_m3_per_d(one.recharge or 0.0, question.radius_m, r0))
        for one, r0 in zip(question.values, radius, strict=True)
    ]
    floor = [_floor(question, one) for one in question.values]
    total = wall if question.one_layer else [a + b for a, b in zip(wall, floor, strict=True)]
    return Steady(Ranged.of(wall), Ranged.of(floor), Ranged.of(total), Ranged.of(radius))


def _influence(question: PitQuestion, one: PitValues) -> float:
    return float(influence_radius_m(one.recharge or 0.0, one.conductivity, *question.heads))


def _floor(question: PitQuestion, one: PitValues) -> float:
    """No water comes up where the floor stands on the base of the aquifer."""
    if question.below_m <= 0:
        return 0.0
    heads = question.radius_m, question.floor_m, question.lake_m
    return float(floor_inflow_m3_per_d(one.conductivity, one.vertical, *heads))


def _linear(question: PitQuestion) -> float:
    """The drawdown that acts like the lowered level in an aquifer that keeps its thickness (Jacob) [m]."""
    return float(jacob_correction_m(question.lowered_m, question.thickness_m))


def inflow_m3_per_d(question: PitQuestion, one: PitValues, elapsed_d: Numbers) -> Numbers:
    """Inflow from storage through time [m3/d]."""
    return constant_drawdown_inflow_m3_per_d(
        one.transmissivity, one.storativity, question.radius_m, _linear(question), elapsed_d
    )


def _instant(question: PitQuestion, level_m: float, elapsed_d: float) -> Instant:
    pit, times = (question.radius_m, _linear(question)), np.array([elapsed_d])
    inflow = Ranged.of([float(inflow_m3_per_d(question, one, times)[0]) for one in question.values])
    volume = Ranged.of(
        [float(constant_drawdown_volume_m3(v.transmissivity, v.storativity, *pit, elapsed_d)) for v in question.values]
    )
    reach = [_reach(question, one, level_m, elapsed_d) for one in question.values]
    return Instant(elapsed_d, inflow, volume, Ranged.of(reach))


def _reach(question: PitQuestion, one: PitValues, level_m: float, elapsed_d: float) -> float:
    """How far from the middle the drawdown is at the level [m], by bisection; the pit's radius where it is nowhere."""
    if level_m >= question.lowered_m:
        return question.radius_m
    low, high = np.log(question.radius_m), np.log(max(FURTHEST_M, 10 * question.radius_m))
    for _ in range(50):
        middle = (low + high) / 2
        above = float(lowering_m(question, one, np.array([np.exp(middle)]), elapsed_d)[0]) > level_m
        low, high = (middle, high) if above else (low, middle)
    return float(np.exp((low + high) / 2))


def lowering_m(question: PitQuestion, one: PitValues, distance_m: Numbers, elapsed_d: float) -> Numbers:
    """Drawdown at distances from the pit's middle after a time [m]; inside the pit its own."""
    r = np.maximum(distance_m, question.radius_m)
    linear = constant_drawdown_cone_m(
        one.transmissivity, one.storativity, question.radius_m, _linear(question), r, elapsed_d
    )
    return unconfined_drawdown_m(np.clip(linear, 0.0, question.thickness_m / 2), question.thickness_m)


def steady_lowering_m(question: PitQuestion, one: PitValues, distance_m: Numbers) -> Numbers:
    """Drawdown for good at distances from the pit's middle [m]; recharge above 0."""
    r = np.maximum(distance_m, question.radius_m)
    return question.heads[2] - head_m(one.recharge or 0.0, one.conductivity, *question.heads, r)


def _rules(question: PitQuestion, elapsed_d: float) -> dict[str, Ranged]:
    s, b = question.lowered_m, question.thickness_m

    def each(of: Callable[[PitValues], Numbers]) -> Ranged:
        return Ranged.of([question.radius_m + float(of(one)) for one in question.values])

    return {
        "Cooper & Jacob (1946), at the time": each(
            lambda one: cooper_jacob_radius_m(one.transmissivity, one.storativity, elapsed_d)
        ),
        "Sichardt (1928)": each(lambda one: sichardt_radius_m(s, one.conductivity)),
        "Kusakin (1953)": each(lambda one: kusakin_radius_m(s, b, one.conductivity)),
    }
