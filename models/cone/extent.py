"""How deep, wide and large a cone is over the whole of the stated ranges. Metres, days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.cone_measures import Measures
from models.aquifer.cone_tables import AquiferValues, WellTable, drawdown_at
from models.aquifer.cone_windows import Sampled, fit_windows
from models.aquifer.contours import COARSE, Field
from models.aquifer.extremes import Ranges
from models.cone.balance import searches
from models.cone.model import MOST_HALF_M, ConeModel, measured
from models.cone.searched import Ranged, searched

CORNER_NODES = 161
"""Along a side of the grid, of each extreme of the ranges."""


@dataclass(frozen=True)
class Extent:
    """`Measures` at the stated drawdown: the best estimate's, and low, best and high of each number."""

    best: Measures
    width: Ranged
    across: Ranged
    area: Ranged
    volume: Ranged


def in_wells_m(model: ConeModel, tables: Sequence[WellTable], values: AquiferValues) -> Numbers:
    """Linear drawdown in each pumping well, float64[well] [m]."""
    found = []
    for one in model.wells:
        x, y = (np.array([part]) for part in one.well.position)
        found.append(float(drawdown_at(tables, values, x, y, nearest=one.radius_m)[0]))
    return np.array(found)


def _measured(
    model: ConeModel, field: Field, values: AquiferValues, day: float, level_m: float, nodes: int
) -> Measures:
    fitted = fit_windows(field, level_m, searches(model, values, day), MOST_HALF_M, model.aquifer)
    return Sampled.of(field, fitted.windows, nodes, model.aquifer).measures(level_m)


def extent_of(
    model: ConeModel, tables: Sequence[WellTable], day: float, best: Measures, in_wells: Numbers
) -> tuple[Ranged, Extent]:
    """Depth anywhere, and the extent; the extremes are looked for on coarse grids, and measured on finer ones."""

    def at(values: AquiferValues, nodes: int) -> tuple[float, Measures]:
        found = _measured(model, model.drawdown(tables, values), values, day, best.level, nodes)
        deepest = float(measured(in_wells_m(model, tables, values), values).max())
        return max(deepest, found.highest), found

    every = [(max(float(in_wells.max()), best.highest), best), *_extreme(model, at, model.ranges)]
    return Ranged.of([depth for depth, _ in every]), _ranged_extent([one for _, one in every])


def theis_extent_of(model: ConeModel, tables: Sequence[WellTable], day: float, level_m: float) -> Extent | None:
    """Without streams."""
    if not any(one.stream for one in model.sources):
        return None

    def at(values: AquiferValues, nodes: int) -> tuple[float, Measures]:
        field = model.drawdown(tables, values.theis)
        return 0.0, _measured(model, field, values, day, level_m, nodes)

    best = at(model.values[0], CORNER_NODES)
    return _ranged_extent([one for _, one in (best, *_extreme(model, at, model.theis_ranges))])


At = Callable[[AquiferValues, int], tuple[float, Measures]]


def _extreme(model: ConeModel, at: At, ranges: Ranges) -> list[tuple[float, Measures]]:
    """At every set of values that gives an extreme of a depth or measure; none where nothing has a range."""
    if not ranges.ranged:
        return []

    def numbers(values: AquiferValues) -> list[float]:
        depth, one = at(values, COARSE)
        return [depth, one.width, one.across, one.area, one.volume]

    return [at(model.at(one), CORNER_NODES) for one in searched(model, numbers, ranges).where]


def _ranged_extent(every: Sequence[Measures]) -> Extent:
    """Best first."""

    def ranged(of: Callable[[Measures], float]) -> Ranged:
        return Ranged.of([of(one) for one in every])

    return Extent(
        every[0], ranged(lambda one: one.width), ranged(lambda one: one.across), ranged(lambda one: one.area),
        ranged(lambda one: one.volume),
    )  # fmt: skip
