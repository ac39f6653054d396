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
from models.aquifer.theis import theis_drawdown
from models.modflow.build import Pair
from models.modflow.dewatering import DRAIN_TIMES_T, lowerings
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
from models.scenario.noun import PumpedWell, Scenario

DEEP_M = 10_000.0
"""Thickness of the one layer: no level reaches its bottom. Only T = K times it counts."""
STATED_M = (10.0, 30.0, 100.0, 300.0, 1_000.0)
"""Distances from the well that pumps most, where no place asked about feels enough to be compared."""
LEAST_LOWERED_M = 0.1
"""So much is lowered at the nearest of them: the homogeneous version pumps as many times more as that takes."""
ROUND = 90
"""Corners of a round pit."""
Form = Literal["Theis (1935)", "Hunt (1999)", "Jacob & Lohman (1952)"]


@dataclass(frozen=True)
class Pumped:
    """A well of a homogeneous version: its place [m], and the rate held from each day until the next [m3/d].

    ``rates`` : float64[periods], as the model has them.
    """

    place: tuple[float, float]
    rates: Numbers
    days: tuple[float, ...]
    held: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Twin:
    """A model to run, and what its closed form needs.

    Parameters
    ----------
    held_from : from here on the closed form takes the rates as they were held, before it as the periods have them.
    asked : the places asked about; the others of the model are stated ones, for where those feel nothing.
    stream : (distance, foot, unit vector to the well, lambda [m/d]) of Hunt's.
    pit : radius [m], and its lowering [m] held from each day until the next.
    """

    form: Form
    model: NumericalModel
    transmissivity: float
    storativity: float
    held_from: float
    asked: tuple[str, ...] = ()
    wells: tuple[Pumped, ...] = ()
    stream: tuple[float, tuple[float, float], tuple[float, float], float] | None = None
    stream_id: str = ""
    pit: tuple[float, list[float], list[float]] | None = None


def twins(scenario: Scenario, pair: Pair) -> Iterator[Twin]:
    """Those of the scenario, one to three."""
    bare = _bare(pair)
    pumped = any(one.rates.any() for one in pair.stressed.wells)
    if pumped and not scenario.stream:
        yield _theis(scenario, pair, bare)
    if pumped and scenario.stream:
        yield _hunt(scenario, pair, bare)
    if scenario.pit is not None and pair.stressed.drains[0].active.any():
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
    return _of_wells(scenario, pair, Twin("Theis (1935)", bare, *_aquifer(pair)), wells)


def _hunt(scenario: Scenario, pair: Pair, bare: NumericalModel) -> Twin:
    """The well that pumps most, beside its nearest stream as a straight line from end to end of the grid."""
    well = _pumps_most(pair)
    place = _where(scenario, well.id)
    lines = [(stream_frame([scenario.metres(one) for one in stream.line], place), stream) for stream in scenario.stream]
    (distance, foot, toward), stream = min(lines, key=lambda one: one[0][0])
    lam = lam_m_per_d(stream)
    model = replace(bare, rivers=(_straight(bare.grid, foot, toward, lam),))
    beside = (distance, foot, toward, lam)
    twin = Twin("Hunt (1999)", model, *_aquifer(pair), stream=beside, stream_id=stream.id)
    return _of_wells(scenario, pair, twin, (well,))


def _aquifer(pair: Pair) -> tuple[float, float, float]:
    return pair.strata.transmissivity, pair.strata.storativity, pair.held_from


def _pumps_most(pair: Pair) -> WellStress:
    return max(pair.stressed.wells, key=lambda one: float(np.abs(one.rates).max()))


def _of_wells(scenario: Scenario, pair: Pair, twin: Twin, wells: tuple[WellStress, ...]) -> Twin:
    """With its wells and places. All that is told of it is as large as the pumping, which is made large enough."""
    times = _times(pair, twin)
    own = {one.id: one for one in scenario.well}
    pumped = tuple(_pumped(scenario, own[one.id], one, times) for one in wells)
    asked = tuple(_asked(pair))
    stress = tuple(replace(_in_one(one), rates=times * one.rates) for one in wells)
    model = replace(twin.model, wells=stress, observed=(*asked, *_stated(scenario, pair)))
    return replace(twin, model=model, wells=pumped, asked=tuple(one.id for one in asked))


def _times(pair: Pair, twin: Twin) -> float:
    """Pumping that lowers the water by less than `LEAST_LOWERED_M` at the nearest stated distance has no figures."""
    well = _pumps_most(pair)
    elapsed = np.array([pair.stressed.periods[-1].starts + pair.stressed.periods[-1].length - pair.begins])
    most = float(np.abs(well.rates).max())
    lowered = float(theis_drawdown(most, twin.transmissivity, twin.storativity, STATED_M[0], elapsed)[0])
    return max(1.0, LEAST_LOWERED_M / max(lowered, np.finfo(float).tiny))


def _pumped(scenario: Scenario, well: PumpedWell, stress: WellStress, times: float) -> Pumped:
    days, held = well.schedule
    return Pumped(scenario.metres(well.position), times * stress.rates, tuple(days), tuple(times * one for one in held))


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
    pit = scenario.pit
    assert pit is not None
    grid = bare.grid
    corners = np.array([scenario.metres(one) for one in pit.polygon])
    area = sum(part for _, part in covered(grid, [(float(x), float(y)) for x, y in corners]))
    middle, radius = corners.mean(axis=0), np.sqrt(area / np.pi)
    turn = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
    disk = [(float(middle[0] + radius * np.cos(a)), float(middle[1] + radius * np.sin(a))) for a in turn]
    cells = covered(grid, disk)
    drained = sum(float(grid.widths[column] * grid.heights[row]) for (row, column), _ in cells)
    instants = [one.starts for one in pair.stressed.periods[1:]]
    (lowered,) = lowerings(scenario, [*instants, np.inf])
    levels = np.where(lowered > 0, -lowered, np.nan)
    stress = DrainStress(
        "pit", tuple((0, row, column) for (row, column), _ in cells),
        np.tile(np.array([np.nan, *levels])[:, None], len(cells)),
        np.full(len(cells), DRAIN_TIMES_T * pair.strata.transmissivity),
    )  # fmt: skip
    return Twin(
        "Jacob & Lohman (1952)", replace(bare, drains=(stress,)), *_aquifer(pair),
        pit=(float(np.sqrt(drained / np.pi)), *pit.schedule),
    )  # fmt: skip


def _in_one(well: WellStress) -> WellStress:
    (_, row, column), _share = well.cells[0]
    return WellStress(well.id, (((0, row, column), 1.0),), well.rates)


def _where(scenario: Scenario, id: str) -> tuple[float, float]:
    return scenario.metres(next(one.position for one in scenario.well if one.id == id))


def _asked(pair: Pair) -> list[Observed]:
    """The places asked about that lie in no well's cell."""
    return _free(
        pair, list({one.place: Observed(one.place, one.position, 0) for one in pair.stressed.observed}.values())
    )


def _stated(scenario: Scenario, pair: Pair) -> list[Observed]:
    """Stated distances east of the well that pumps most: what is asked may lie where nothing is felt."""
    well = _pumps_most(pair).id
    x, y = _where(scenario, well)
    return _free(pair, [Observed(f"{far:g} m from {well}", (x + far, y), 0) for far in STATED_M])


def _free(pair: Pair, places: list[Observed]) -> list[Observed]:
    wells = {cell[1:] for well in pair.stressed.wells for cell, _ in well.cells}
    return [one for one in places if cell_at(pair.stressed.grid, one.position, one.id) not in wells]
