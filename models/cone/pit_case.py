"""A mine pit and its aquifer: one set of values, and the ranges they may have. Metres, days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.extremes import Ranges, Values, extremes
from models.cone.searched import Ranged
from models.errors import BadQuestion
from models.quantity import to_unit


@dataclass(frozen=True)
class PitCase:
    """One set of values.

    Parameters
    ----------
    radius_m : of the circle as large as the pit.
    lowered_m : its water level below the undisturbed water table [m].
    lake_m : water standing in it [m].
    thickness_m : saturated before the pit [m].
    conductivity, vertical, transmissivity, storativity : Kh, Kv [m/d], T [m2/d], S [-].
    recharge : W [m/d]; None: not told.
    """

    radius_m: float
    lowered_m: float
    lake_m: float
    thickness_m: float
    conductivity: float
    vertical: float
    transmissivity: float
    storativity: float
    recharge: float | None

    @property
    def floor_m(self) -> float:
        """The floor below the undisturbed water table: the lowered level and the lake below it."""
        return self.lowered_m + self.lake_m

    @property
    def below_m(self) -> float:
        """Aquifer below the floor."""
        return self.thickness_m - self.floor_m

    @property
    def zone(self) -> tuple[float, float, float]:
        """hp, rp and h0 of Marinelli & Niccoli's zone 1, above the floor [m]."""
        return self.lake_m, self.radius_m, self.floor_m

    @property
    def layer(self) -> tuple[float, float, float]:
        """The same with the whole layer as zone 1, above its base [m]."""
        return self.thickness_m - self.lowered_m, self.radius_m, self.thickness_m


@dataclass(frozen=True)
class PitQuestion:
    """A pit and its aquifer over their ranges.

    Parameters
    ----------
    ranges : ``radius``, ``lowered``, ``thickness``, ``S``, and ``T`` or ``K`` (the other is T over the thickness or K
        times it); where told ``lake``, ``Kv`` (else K) and ``recharge``.
    elapsed_d : since it was lowered [d]; None: not told.
    """

    ranges: Ranges
    elapsed_d: float | None

    def case(self, values: Values) -> PitCase:
        b = values["thickness"]
        t = values["T"] if "T" in values else values["K"] * b
        k = values["K"] if "K" in values else t / b
        return PitCase(
            values["radius"], values["lowered"], values.get("lake", 0.0), b, k, values.get("Kv", k), t, values["S"],
            values.get("recharge"),
        )  # fmt: skip

    @cached_property
    def best(self) -> PitCase:
        return self.case(self.ranges.best)

    def ranged(self, answers: Callable[[PitCase], Sequence[float] | Numbers]) -> list[Ranged]:
        """Low, best and high of every answer over the whole of the ranges; infinite: without end."""
        return Ranged.each(
            extremes(lambda every: np.array([answers(self.case(one)) for one in every], np.float64), self.ranges)
        )


def check_pit(question: PitQuestion, unit: str) -> None:
    """Refuse a pit deeper than its aquifer, or one that lowers nothing, anywhere in its ranges.

    Parameters
    ----------
    unit : of the words: ft or m.

    Raises
    ------
    BadQuestion : by name, with what is allowed.
    """
    ends, best = question.ranges.ends, question.best
    if ends["lowered"][0] <= 0:
        raise BadQuestion("lowers nothing", key="lowered", found=_says(ends["lowered"][0], unit), allowed=["above 0"])
    floor, base = ends["lowered"][2] + ends.get("lake", (0.0, 0.0, 0.0))[2], ends["thickness"][0]
    if best.floor_m > best.thickness_m or floor > base:
        raise BadQuestion(
            "more drawdown than aquifer: the floor lies below its base", key="lowered",
            found=_says(max(floor, best.floor_m), unit),
            allowed=[f"at most the saturated thickness, {_says(base, unit)}, with the lake"],
        )  # fmt: skip


def _says(value_m: float, unit: str) -> str:
    return f"{to_unit(value_m, 'm', unit):.4g} {unit}"
