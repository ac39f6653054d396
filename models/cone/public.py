"""What of a cone may be shown to anybody: of a private well only the ring in which it may stand.

A drawdown worked out at the exact place would give the place away. Metres, days.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from models.aquifer.cone_tables import WellTable
from models.cone.answer import ConeAnswer, Reached, ring_drawdowns_m, verdict
from models.cone.model import ConeModel, Point
from models.cone.searched import Ranged


@dataclass(frozen=True)
class Ring:
    """Where a private well may stand: the centre of its quarter-quarter section and how far around it [m]."""

    id: str
    where: str
    centre: Point
    radius_m: float


@dataclass(frozen=True)
class RingReach:
    """The cone within a ring: drawdown [m], best at its centre, low and high over ring and stated ranges."""

    ring: Ring
    drawdown_m: Ranged
    reached: Reached


def without_private(answer: ConeAnswer) -> ConeAnswer:
    """The answer as if no private well were in the scenario."""
    points = tuple(one for one in answer.scenario.point if one.kind != "private")
    reaches = tuple(one for one in answer.reaches if one.point.kind != "private")
    return replace(answer, scenario=answer.scenario.model_copy(update={"point": points}), reaches=reaches)


def ring_reaches(
    model: ConeModel, tables: Sequence[WellTable], rings: Iterable[Ring], level_m: float
) -> tuple[RingReach, ...]:
    """The cone within each ring."""
    every = list(rings)
    found = ring_drawdowns_m(model, tables, [(one.centre, one.radius_m) for one in every])
    return tuple(
        RingReach(one, drawdown, verdict(drawdown, level_m)) for one, drawdown in zip(every, found, strict=True)
    )
