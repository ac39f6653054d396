"""The homogeneous versions of a scenario: the same grid and steps, one confined layer, and a closed form for each.

Theis (1935) for the wells without any water but the aquifer's, Hunt (1999) for the largest well beside the straight
line through the nearest point of its stream, and Jacob & Lohman (1952) for a round pit of the pit's area. What the
grid and the steps do to those they do to the scenario; layers, slope, edges, other streams and a falling water table
are left out, because no closed form has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from models.aquifer.admissible import Numbers
from models.modflow.build import DRAIN_TIMES_T, Pair
from models.modflow.numerical import (
    DrainStress,
    FixedHead,
    Grid,
    Layer,
    NumericalModel,
    Observed,
    RiverStress,
    WellStress,
)
from models.modflow.streams import lam_m_per_d, merged
from models.modflow.through_cells import along, cell_at, covered
from models.place import stream_frame
from models.scenario.noun import Scenario

DEEP_M = 10_000.0
"""Thickness of the one layer: no level reaches its bottom. Only T = K times it counts."""
STATED_M = (10.0, 30.0, 100.0, 300.0, 1_000.0)
"""Distances from the first well, where the scenario asks about no place."""
ROUND = 90
"""Corners of a round pit."""
Form = Literal["Theis (1935)", "Hunt (1999)", "Jacob & Lohman (1952)"]


@dataclass(frozen=True, eq=False)
class Twin:
    """A model to run, and what its closed form needs.

    Parameters
    ----------
    wells : position [m] and rate by period [m3/d] of each.
    stream : (distance, foot, unit vector to the well, lambda [m/d]) of Hunt's.
    pit : radius, lowering [m], and the first period it is drained in.
    """

    form: Form
    model: NumericalModel
    transmissivity: float
    storativity: float
    wells: tuple[tuple[tuple[float, float], Numbers], ...] = ()
    stream: tuple[float, tuple[float, float], tuple[float, float], float] | None = None
    stream_id: str = ""
    pit: tuple[float, float, int] | None = None


def twins(scenario: Scenario, pair: Pair) -> Iterator[Twin]:
    """Those of the scenario, one to three."""
    bare = _bare(pair)
    if pair.stressed.wells and not scenario.stream:
        yield _theis(scenario, pair, bare)
    if pair.stressed.wells and scenario.stream:
        yield _hunt(scenario, pair, bare)
    if scenario.pit is not None:
        yield _jacob_lohman(scenario, pair, bare)


def _bare(pair: Pair) -> NumericalModel:
    """The grid in plan, one confined layer, level and at 0, and its far ends."""
    strata, grid = pair.strata, pair.stressed.grid
    flat = np.zeros(grid.shape[1:])
    layer = Layer(
        "all", strata.transmissivity / DEEP_M, strata.transmissivity / DEEP_M, strata.storativity / DEEP_M, 0.0, False
    )
    plan = replace(grid, top=flat, bottoms=flat[None] - DEEP_M)
    ring = tuple((0, row, column) for row, column in grid.ring)
    return NumericalModel(
        plan, (layer,), np.ones(plan.shape, np.int64), np.zeros(plan.shape), pair.stressed.periods,
        fixed=(FixedHead("far", ring, np.zeros(len(ring))),), newton=False, keep=pair.stressed.keep,
    )  # fmt: skip


def _theis(scenario: Scenario, pair: Pair, bare: NumericalModel) -> Twin:
    wells = tuple(pair.stressed.wells)
    model = replace(bare, wells=tuple(_in_one(one) for one in wells), observed=_places(scenario, pair))
    at = tuple((_where(scenario, one.id), one.rates) for one in wells)
    return Twin("Theis (1935)", model, pair.strata.transmissivity, pair.strata.storativity, at)


def _hunt(scenario: Scenario, pair: Pair, bare: NumericalModel) -> Twin:
    """The well that pumps most, beside its nearest stream as a straight line from end to end of the grid."""
    well = max(pair.stressed.wells, key=lambda one: float(np.abs(one.rates).max()))
    place = _where(scenario, well.id)
    lines = [(stream_frame([scenario.metres(one) for one in stream.line], place), stream) for stream in scenario.stream]
    (distance, foot, toward), stream = min(lines, key=lambda one: one[0][0])
    lam = lam_m_per_d(stream)
    model = replace(
        bare,
        wells=(_in_one(well),),
        observed=_places(scenario, pair),
        rivers=(_straight(bare.grid, foot, toward, lam),),
    )
    return Twin(
        "Hunt (1999)", model, pair.strata.transmissivity, pair.strata.storativity, ((place, well.rates),),
        (distance, foot, toward, lam), stream.id,
    )  # fmt: skip


def _straight(grid: Grid, foot: tuple[float, float], toward: tuple[float, float], lam: float) -> RiverStress:
    far = 2 * float(np.hypot(np.ptp(grid.x_edges), np.ptp(grid.y_edges)))
    line = [
        (foot[0] - far * -toward[1], foot[1] - far * toward[0]),
        (foot[0] + far * -toward[1], foot[1] + far * toward[0]),
    ]
    lengths = merged(along(grid, line))
    cells = tuple((0, row, column) for row, column in lengths)
    flat = np.zeros(len(cells))
    return RiverStress("stream", cells, flat, lam * np.array(list(lengths.values())), flat - DEEP_M / 2)


def _jacob_lohman(scenario: Scenario, pair: Pair, bare: NumericalModel) -> Twin:
    """A round pit about the pit's middle; its radius is that of the cells that are really drained."""
    pit, drain = scenario.pit, pair.stressed.drains[0]
    assert pit is not None
    grid = bare.grid
    corners = np.array([scenario.metres(one) for one in pit.polygon])
    area = sum(part for _, part in covered(grid, [(float(x), float(y)) for x, y in corners]))
    middle, radius = corners.mean(axis=0), np.sqrt(area / np.pi)
    turn = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
    disk = [(float(middle[0] + radius * np.cos(a)), float(middle[1] + radius * np.sin(a))) for a in turn]
    cells = covered(grid, disk)
    drained = sum(float(grid.widths[column] * grid.heights[row]) for (row, column), _ in cells)
    lowered = pit.lowered.value
    stress = DrainStress(
        "pit", tuple((0, row, column) for (row, column), _ in cells), np.full(len(cells), -lowered),
        np.full(len(cells), DRAIN_TIMES_T * pair.strata.transmissivity), drain.active,
    )  # fmt: skip
    return Twin(
        "Jacob & Lohman (1952)", replace(bare, drains=(stress,)), pair.strata.transmissivity, pair.strata.storativity,
        pit=(float(np.sqrt(drained / np.pi)), lowered, int(np.argmax(drain.active))),
    )  # fmt: skip


def _in_one(well: WellStress) -> WellStress:
    (_, row, column), _share = well.cells[0]
    return WellStress(well.id, (((0, row, column), 1.0),), well.rates)


def _where(scenario: Scenario, id: str) -> tuple[float, float]:
    return scenario.metres(next(one.position for one in scenario.well if one.id == id))


def _places(scenario: Scenario, pair: Pair) -> tuple[Observed, ...]:
    """The places asked about that lie in no well's cell, or stated distances east of the first well."""
    model = pair.stressed
    wells = {cell[1:] for well in model.wells for cell, _ in well.cells}
    asked = [Observed(one.id, one.position, 0) for one in model.observed]
    if not asked:
        x, y = scenario.metres(scenario.well[0].position)
        asked = [Observed(f"{far:g} m from the first well", (x + far, y), 0) for far in STATED_M]
    return tuple(one for one in asked if cell_at(model.grid, one.position, one.id) not in wells)
