"""What of a numerical answer may be shown to anybody: of a private well only the ring in which it may stand.

A drawdown read at the exact place would give the place away. Metres, days.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from models.cone.answer import verdict
from models.cone.public import Ring, RingReach
from models.cone.searched import Ranged
from models.modflow.answer import Answer, Check
from models.modflow.contoured import DrawdownPlan
from models.modflow.quantities import Quantities

A_PRIVATE_WELL = "a private well"
AROUND, SHARES = 24, (0.25, 0.5, 0.75, 1.0)
"""Places of a ring that are looked at: so many on circles of these shares of its radius, and its centre."""


def without_private(answer: Answer) -> Answer:
    """The answer as if nobody had asked about private wells; a check that names one says only that it is one."""
    private = {one.id for one in answer.scenario.point if one.kind == "private"}
    points = tuple(one for one in answer.scenario.point if one.id not in private)
    return replace(
        answer, scenario=answer.scenario.model_copy(update={"point": points}),
        quantities=_quantities(answer.quantities, private), checks=tuple(_check(one, private) for one in answer.checks),
    )  # fmt: skip


def _quantities(told: Quantities, private: set[str]) -> Quantities:
    return replace(
        told, drawdown={id: one for id, one in told.drawdown.items() if id not in private},
        dry=tuple(id for id in told.dry if id not in private),
        observed={id: one for id, one in told.observed.items() if id not in private},
        in_well={id: well for id, well in told.in_well.items() if id not in private},
    )  # fmt: skip


def _check(one: Check, private: set[str]) -> Check:
    says = one.says
    for id in sorted(private, key=len, reverse=True):
        says = re.sub(rf"(?<![\w-]){re.escape(id)}(?![\w-])", A_PRIVATE_WELL, says)
    return replace(one, says=says)


def ring_reaches(plan: DrawdownPlan, rings: Iterable[Ring], level_m: float) -> tuple[RingReach, ...]:
    """The drawdown within each ring: at its centre, and the least and most over it; parts without aquifer do not count.

    A ring that has no value anywhere is left out.
    """
    found = []
    for one in rings:
        values = plan.at(_over(one))
        known = values[np.isfinite(values)]
        if known.size:
            centre = float(values[0]) if np.isfinite(values[0]) else float(np.median(known))
            drawdown = Ranged(float(known.min()), centre, float(known.max()))
            found.append(RingReach(one, drawdown, verdict(drawdown, level_m)))
    return tuple(found)


def _over(ring: Ring) -> Sequence[tuple[float, float]]:
    (x, y), turn = ring.centre, np.linspace(0.0, 2 * np.pi, AROUND, endpoint=False)
    radii = [share * ring.radius_m for share in SHARES]
    return [(x, y), *((x + r * float(np.cos(a)), y + r * float(np.sin(a))) for r in radii for a in turn)]
