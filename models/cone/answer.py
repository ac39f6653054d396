"""The cone of depression of a scenario on one day: how deep and wide, what it reaches, what the streams lose.

Low, best and high are the extremes over the corners of the stated ranges. Metres, days, m3/d.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.cone_measures import Measures, measures
from models.aquifer.cone_tables import AquiferValues, WellTable, drawdown_at
from models.aquifer.contours import Contour, Grid, contour, fit_window
from models.cone.balance import Balance, Loss, Ranged, rate_at, search_window, stream_losses, water_balance
from models.cone.model import MOST_HALF_M, ConeModel, Point
from models.errors import BadQuestion
from models.scenario.noun import ObservedPoint, Scenario

NODES, CORNER_NODES = 501, 161
"""Along a side of the grid: of the best estimate, and of each corner of the ranges."""
LEAST_CELLS = 3
"""A contour over fewer cells is not drawn."""

Reached = Literal["yes", "perhaps", "no"]


@dataclass(frozen=True)
class Reach:
    """The cone at one place: drawdown [m], without streams at the best estimate (the upper bound), and its verdict.

    ``left_m``: water left above the pump intake, where its depth and the depth to water are told.
    """

    point: ObservedPoint
    drawdown_m: Ranged
    theis_m: float
    left_m: Ranged | None
    reached: Reached


@dataclass(frozen=True)
class Extent:
    """`Measures` at the stated drawdown: the best estimate's, and low, best and high of each number."""

    best: Measures
    width: Ranged
    across: Ranged
    area: Ranged
    volume: Ranged


@dataclass(frozen=True)
class ConeAnswer:
    """Everything the command tells.

    ``theis`` and ``theis_extent``: without streams, the upper bound; None where there is no stream.
    ``depth_m``: anywhere; ``deepest``: the well with the most, ``in_deepest_m`` in it.
    ``contours``: the stated drawdown first, then deeper ones. ``dry``: wells that a corner of the ranges pumps dry.
    """

    scenario: Scenario
    model: ConeModel
    day: float
    level_m: float
    grid: Grid
    contours: tuple[Contour, ...]
    depth_m: Ranged
    deepest: str
    in_deepest_m: float
    extent: Extent
    theis_extent: Measures | None
    reaches: tuple[Reach, ...]
    losses: tuple[Loss, ...]
    rate: float
    balance: Balance | None
    dry: tuple[str, ...]
    complete: bool

    @property
    def depth_at(self) -> str:
        """Where the best estimate is deepest: in a well, or beside the wells where they rest."""
        return self.deepest if self.in_deepest_m >= 0.999 * self.depth_m.best else "a place beside the wells"


def cone_answer(
    scenario: Scenario, model: ConeModel, day: float, level_m: float, deeper_m: Sequence[float]
) -> ConeAnswer:
    """The cone on a day.

    Parameters
    ----------
    day : the instant (`models.scenario.day_number`).
    level_m : the drawdown at which width, area and volume are told, and the outermost contour.
    deeper_m : contours drawn inside it.

    Raises
    ------
    BadQuestion : nothing pumped by then; a well pumped dry at the best estimate.
    """
    tables = model.tables(day)
    if not any(one.elapsed.size for one in tables):
        raise BadQuestion("no pumping before the day", key="--on", allowed=["a day after the first pumping"])
    linear = _in_wells(model, tables)
    dry = _dry(model, linear)
    depths = model.measured(linear)
    grid, shape, complete = _best(model, tables, day, level_m)
    every = [measures(grid, shape), *(_measured(model, tables, one, day, level_m) for one in model.values[1:])]
    depth = [max(float(one.max()), found.highest) for one, found in zip(depths.T, every, strict=True)]
    drawn = [contour(grid, level, model.aquifer) for level in deeper_m if level > level_m]
    kept = [one for one in drawn if one.area.area >= LEAST_CELLS**2 * grid.cell]
    return ConeAnswer(
        scenario, model, day, level_m, grid, (shape, *kept), Ranged.of(depth),
        model.wells[int(depths[:, 0].argmax())].id, float(depths[:, 0].max()), _extent(every),
        _theis_extent(model, tables, day, level_m), tuple(_reaches(scenario, model, tables, level_m)),
        tuple(stream_losses(model, day)), sum(rate_at(one, day) for one in model.wells),
        water_balance(model, tables, day), dry, complete and shape.closed,
    )  # fmt: skip


def drawdowns_m(
    model: ConeModel, tables: Sequence[WellTable], places: Sequence[Point], values: AquiferValues
) -> Numbers:
    """Drawdown at places [m]."""
    at = np.array(places, np.float64).reshape(-1, 2)
    return model.drawdown(tables, values)(at[:, 0], at[:, 1])


def ring_drawdown_m(model: ConeModel, tables: Sequence[WellTable], centre: Point, ring_m: float) -> Ranged:
    """Drawdown where a well may stand [m]: best at the centre of a ring, extremes over the ring and stated ranges."""
    angle = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
    around = [
        (centre[0] + share * ring_m * np.cos(a), centre[1] + share * ring_m * np.sin(a))
        for share in (0.25, 0.5, 0.75, 1.0) for a in angle
    ]  # fmt: skip
    found = [drawdowns_m(model, tables, [centre, *around], values) for values in model.values]
    return Ranged(float(min(one.min() for one in found)), float(found[0][0]), float(max(one.max() for one in found)))


def verdict(drawdown: Ranged, level_m: float) -> Reached:
    """Whether a place has the stated drawdown: perhaps where only a part of the range has it."""
    return "yes" if drawdown.low >= level_m else "perhaps" if drawdown.high >= level_m else "no"


def _in_wells(model: ConeModel, tables: Sequence[WellTable]) -> Numbers:
    """Linear drawdown in each pumping well under each set of values, float64[well, values] [m]."""
    found = np.empty((len(model.wells), len(model.values)))
    for row, one in enumerate(model.wells):
        x, y = (np.array([part]) for part in one.well.position)
        found[row] = [drawdown_at(tables, values, x, y, nearest=one.radius_m)[0] for values in model.values]
    return found


def _dry(model: ConeModel, linear: Numbers) -> tuple[str, ...]:
    """Wells pumped dry somewhere in the ranges.

    Raises
    ------
    BadQuestion : pumped dry at the best estimate.
    """
    if model.thickness_m is None:
        return ()
    most = model.thickness_m / 2
    for one, depth in zip(model.wells, linear[:, 0], strict=True):
        if depth > most:
            reason = f"more drawdown than aquifer: {one.id} cannot give this rate"
            allowed = [f"at most {most:.4g} m before Jacob's correction, half the saturated thickness"]
            raise BadQuestion(reason, key=f"well[{one.id}].rate", found=f"{depth:.4g} m", allowed=allowed)
    return tuple(one.id for one, depths in zip(model.wells, linear, strict=True) if depths.max() > most)


def _best(model: ConeModel, tables: Sequence[WellTable], day: float, level_m: float) -> tuple[Grid, Contour, bool]:
    field = model.drawdown(tables, model.values[0])
    fitted = fit_window(
        field, level_m, search_window(model, model.values[0], day), MOST_HALF_M, model.aquifer, model.places
    )
    grid = fitted.window.sampled(field, NODES)
    return grid, contour(grid, level_m, model.aquifer), fitted.closed


def _extent(every: Sequence[Measures]) -> Extent:
    def ranged(of: Callable[[Measures], float]) -> Ranged:
        return Ranged.of([of(one) for one in every])

    return Extent(
        every[0], ranged(lambda one: one.width), ranged(lambda one: one.across), ranged(lambda one: one.area),
        ranged(lambda one: one.volume),
    )  # fmt: skip


def _measured(
    model: ConeModel, tables: Sequence[WellTable], values: AquiferValues, day: float, level_m: float
) -> Measures:
    field = model.drawdown(tables, values)
    fitted = fit_window(field, level_m, search_window(model, values, day), MOST_HALF_M, model.aquifer, model.places)
    grid = fitted.window.sampled(field, CORNER_NODES)
    return measures(grid, contour(grid, level_m, model.aquifer))


def _theis_extent(model: ConeModel, tables: Sequence[WellTable], day: float, level_m: float) -> Measures | None:
    if not any(one.stream for one in model.sources):
        return None
    return _measured(model, tables, model.values[0].theis, day, level_m)


def _reaches(scenario: Scenario, model: ConeModel, tables: Sequence[WellTable], level_m: float) -> Iterable[Reach]:
    if not scenario.point:
        return
    places = [scenario.metres(one.position) for one in scenario.point]
    found = np.array([drawdowns_m(model, tables, places, values) for values in model.values])
    theis = drawdowns_m(model, tables, places, model.values[0].theis)
    for k, point in enumerate(scenario.point):
        drawdown = Ranged.of(found[:, k].tolist())
        yield Reach(point, drawdown, float(theis[k]), left_above_m(point, drawdown), verdict(drawdown, level_m))


def left_above_m(point: ObservedPoint, drawdown: Ranged) -> Ranged | None:
    """Water left above the pump intake [m]; below 0 the pump stands dry. None where its depths are not told."""
    if point.pump_intake is None or point.water_depth is None:
        return None
    intake, depth = point.pump_intake, point.water_depth
    return Ranged(
        float(intake.low) - float(depth.high) - drawdown.high, intake.value - depth.value - drawdown.best,
        float(intake.high) - float(depth.low) - drawdown.low,
    )  # fmt: skip
