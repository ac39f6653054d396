"""The cone of depression of a scenario on one day: how deep and wide, what it reaches, what the streams lose.

Low, best and high are the extremes over the whole of the stated ranges. Metres, days, m3/d.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.cone_tables import AquiferValues, WellTable
from models.aquifer.cone_windows import Sampled, fit_windows, resolved
from models.aquifer.contours import Contour
from models.cone.balance import Balance, Loss, rate_at, searches, stream_losses, water_balance
from models.cone.extent import Extent, extent_of, in_wells_m, theis_extent_of
from models.cone.model import MOST_HALF_M, ConeModel, Point, measured
from models.cone.searched import Ranged, searched
from models.errors import BadQuestion
from models.scenario.noun import ObservedPoint, Scenario

NODES = 501
"""Along a side of the grid, of the best estimate."""
LEAST_CELLS = 3
"""A contour over fewer cells is not drawn."""
MOST_ERROR = 0.01
"""Of the water that the cone holds against what was pumped: a larger one is a fault of the sum, and no answer."""

Reached = Literal["yes", "perhaps", "no"]


@dataclass(frozen=True)
class Reach:
    """The cone at one place: drawdown [m], without streams (the upper bound), and its verdict.

    ``left_m``: water left above the pump intake, where its depth and the depth to water are told.
    """

    point: ObservedPoint
    drawdown_m: Ranged
    theis_m: Ranged
    left_m: Ranged | None
    reached: Reached


@dataclass(frozen=True)
class ConeAnswer:
    """Everything the command tells.

    ``theis`` and ``theis_extent``: without streams, the upper bound; None where there is no stream.
    ``depth_m``: anywhere; ``deepest``: the well with the most, ``in_deepest_m`` in it.
    ``contours``: the stated drawdown first, then deeper ones. ``dry``: wells that some of the ranges pump dry.
    """

    scenario: Scenario
    model: ConeModel
    day: float
    level_m: float
    contours: tuple[Contour, ...]
    depth_m: Ranged
    deepest: str
    in_deepest_m: float
    extent: Extent
    theis_extent: Extent | None
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
    _check_pumped(model, tables)
    field = model.drawdown(tables, model.values[0])
    fitted = fit_windows(field, level_m, searches(model, model.values[0], day), MOST_HALF_M, model.aquifer)
    grids = resolved(field, fitted.windows, NODES, level_m, model.aquifer)
    balance = water_balance(model, tables, day)
    _check_sums(grids, level_m, balance)
    in_wells, dry = _wells(model, tables)
    shape = grids.contour(level_m)
    best = grids.measures(level_m)
    depth, extent = extent_of(model, tables, day, best, in_wells)
    return ConeAnswer(
        scenario, model, day, level_m, (shape, *_deeper(grids, level_m, deeper_m)), depth,
        model.wells[int(in_wells.argmax())].id, float(in_wells.max()), extent,
        theis_extent_of(model, tables, day, level_m), tuple(_reaches(scenario, model, tables, level_m)),
        tuple(stream_losses(scenario, model, day)), sum(rate_at(one, day) for one in model.wells),
        balance, dry, fitted.closed and shape.closed,
    )  # fmt: skip


def _check_pumped(model: ConeModel, tables: Sequence[WellTable]) -> None:
    if any(one.elapsed.size for one in tables):
        return
    if not any(np.any(one.well.rates) for one in model.wells):
        raise BadQuestion("no well ever pumps: every rate is 0", key="well.rate", allowed=["a rate that is not 0"])
    raise BadQuestion("no pumping before the day", key="--on", allowed=["a day after the first pumping"])


def _check_sums(grids: Sampled, level_m: float, balance: Balance | None) -> None:
    """Refuse an answer that the grids do not hold."""
    if balance is not None and abs(balance.error) > MOST_ERROR:
        reason = "the cone does not hold the water that left storage: no width, area or volume can be told"
        raise BadQuestion(reason, key="balance", found=f"{balance.error:+.1%}", allowed=[f"within {MOST_ERROR:.0%}"])
    if not grids.resolves(level_m):
        reason = "too many cones too far from each other for one answer: the grid does not resolve them"
        raise BadQuestion(reason, key="well", found=len(grids.grids), allowed=["fewer wells at a time"])


def _deeper(grids: Sampled, level_m: float, deeper_m: Sequence[float]) -> list[Contour]:
    least = LEAST_CELLS**2 * min(one.cell for one in grids.grids)
    drawn = [grids.contour(level) for level in deeper_m if level > level_m]
    return [one for one in drawn if one.area.area >= least]


def drawdowns_m(
    model: ConeModel, tables: Sequence[WellTable], places: Sequence[Point], values: AquiferValues
) -> Numbers:
    """Drawdown at places [m]."""
    at = np.array(places, np.float64).reshape(-1, 2)
    return model.drawdown(tables, values)(at[:, 0], at[:, 1])


def drawdown_ranges(model: ConeModel, tables: Sequence[WellTable], places: Sequence[Point]) -> list[Ranged]:
    """Drawdown at places over the whole of the stated ranges [m]."""
    if not places:
        return []
    return Ranged.each(searched(model, lambda values: drawdowns_m(model, tables, places, values)))


def _theis_ranges_m(model: ConeModel, tables: Sequence[WellTable], places: Sequence[Point]) -> list[Ranged]:
    """The same without streams."""
    if not places:
        return []
    alone = searched(model, lambda values: drawdowns_m(model, tables, places, values.theis), model.theis_ranges)
    return Ranged.each(alone)


def ring_drawdowns_m(
    model: ConeModel, tables: Sequence[WellTable], rings: Sequence[tuple[Point, float]]
) -> list[Ranged]:
    """Drawdown where wells may stand [m]: best at the centre of each ring, extremes over it and the stated ranges.

    Parameters
    ----------
    rings : centre and radius of each [m].
    """
    places = [place for centre, radius in rings for place in _over(centre, radius)]
    found = drawdown_ranges(model, tables, places)
    each = len(found) // max(len(rings), 1)
    parts = [found[k * each : (k + 1) * each] for k in range(len(rings))]
    return [Ranged(min(one.low for one in part), part[0].best, max(one.high for one in part)) for part in parts]


def _over(centre: Point, radius: float) -> list[Point]:
    """The centre of a ring, and places all over it."""
    angle = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
    around = [
        (centre[0] + share * radius * float(np.cos(a)), centre[1] + share * radius * float(np.sin(a)))
        for share in (0.25, 0.5, 0.75, 1.0) for a in angle
    ]  # fmt: skip
    return [centre, *around]


def verdict(drawdown: Ranged, level_m: float) -> Reached:
    """Whether a place has the stated drawdown: perhaps where only a part of the range has it."""
    return "yes" if drawdown.low >= level_m else "perhaps" if drawdown.high >= level_m else "no"


def _wells(model: ConeModel, tables: Sequence[WellTable]) -> tuple[Numbers, tuple[str, ...]]:
    """Drawdown in each well at the best estimate [m], and the wells pumped dry somewhere in the ranges.

    Raises
    ------
    BadQuestion : pumped dry at the best estimate.
    """
    linear = in_wells_m(model, tables, model.values[0])
    if model.thickness_m is None:
        return linear, ()
    _check_wet(model, linear, model.thickness_m / 2)
    found = searched(model, lambda values: in_wells_m(model, tables, values) / (values.thickness or np.inf))
    dry = tuple(one.id for one, share in zip(model.wells, found.high, strict=True) if share > 0.5)
    return measured(linear, model.values[0]), dry


def _check_wet(model: ConeModel, linear: Numbers, most: float) -> None:
    for one, depth in zip(model.wells, linear, strict=True):
        if depth > most:
            reason = f"more drawdown than aquifer: {one.id} cannot give this rate"
            allowed = [f"at most {most:.4g} m before Jacob's correction, half the saturated thickness"]
            raise BadQuestion(reason, key=f"well[{one.id}].rate", found=f"{depth:.4g} m", allowed=allowed)


def _reaches(scenario: Scenario, model: ConeModel, tables: Sequence[WellTable], level_m: float) -> Iterable[Reach]:
    places = [scenario.metres(one.position) for one in scenario.point]
    found = drawdown_ranges(model, tables, places)
    without = _theis_ranges_m(model, tables, places)
    for point, drawdown, theis in zip(scenario.point, found, without, strict=True):
        yield Reach(point, drawdown, theis, left_above_m(point, drawdown), verdict(drawdown, level_m))


def left_above_m(point: ObservedPoint, drawdown: Ranged) -> Ranged | None:
    """Water left above the pump intake [m]; below 0 the pump stands dry. None where its depths are not told."""
    if point.pump_intake is None or point.water_depth is None:
        return None
    intake, depth = point.pump_intake, point.water_depth
    return Ranged(
        float(intake.low) - float(depth.high) - drawdown.high, intake.value - depth.value - drawdown.best,
        float(intake.high) - float(depth.low) - drawdown.low,
    )  # fmt: skip
