"""Particle paths: the steady field they follow, where they start, and what a path is.

The field is **steady**: the answer's own grid, layers and waters with every well at its mean rate of the year up to the
day asked for, as if it went on for ever. A capture zone is defined so: the part of a steady field whose water the well
will take (Bear 1979; WHPA, US EPA 1991). The heads of one day would not do: much of the water of that day comes out of
storage, on no path, and a summer's or a winter's rate is not that of the ten years a particle takes. For a well that
rests and pumps in turn, the steady field of its mean rate serves where water travels for longer than one turn (Reilly
& Pollock 1996, Ground Water 34(6)). Recharge is in the undisturbed water table and is not put on again, so
paths run on to a stream, an edge or the far ends of the model. Particles drift with the water; they do not disperse.

Metres and days.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.errors import BadQuestion
from models.modflow.numerical import Cell, DrainStress, NumericalModel, Period, WellStress
from models.modflow.through_cells import cell_at
from models.modflow.turned import inward
from models.quantity import Quantity
from models.scenario.noun import Scenario

Numbers = NDArray[np.float64]
Way = Literal["backward", "forward"]
WAYS: tuple[Way, ...] = ("backward", "forward")

AVERAGED_DAYS = 365.0
DAYS_PER_YEAR = 365.25
MARKED_YEARS = (1.0, 5.0, 10.0)
LONGEST_YEARS = 100.0
"""At the low porosity, where water is fastest; a particle that then is still on its way is left there."""
RING = 32
"""Particles around a well in each layer: each stands for a 32nd of what it takes."""
MOST_OF_PIT = 64
IN_CELL = 0.49
"""Radius of the ring in widths of the well's cell: all of it in the cell, as near to its sides as can be."""


@dataclass(frozen=True)
class Start:
    """Where one particle starts.

    Parameters
    ----------
    of : the well, "pit", or the place asked about. ``way`` : backward to where its water comes from, or forward.
    local : place in the cell as shares of its width from the grid's west, of its height from its south, and of what of
        it is saturated from its bottom.
    """

    of: str
    way: Way
    cell: Cell
    local: tuple[float, float, float]


@dataclass(frozen=True)
class End:
    """Why a path ends, and at which water, edge, well or pit; ``id`` is blank where there is none."""

    kind: Literal["far end", "edge", "stream", "well", "pit", "still on its way", "dry", "no way on"]
    id: str = ""


@dataclass(frozen=True, eq=False)
class Path:
    """One particle's way, from where it starts.

    Parameters
    ----------
    x, y, z : float64[n] [m] (east, north, up). ``day`` : float64[n] since its start, at the best porosity [d].
    passed : streams and pits through whose cells it goes without ending there: they take a part of that water.
    """

    start: Start
    x: Numbers
    y: Numbers
    z: Numbers
    day: Numbers
    end: End
    passed: tuple[str, ...]

    def at(self, day: float) -> tuple[float, float] | None:
        """Where it is after so many days; None where it has ended before."""
        if day > self.day[-1]:
            return None
        return float(np.interp(day, self.day, self.x)), float(np.interp(day, self.day, self.y))

    @property
    def reach(self) -> float:
        """Straight from its start to its end [m]."""
        return float(np.hypot(self.x[-1] - self.x[0], self.y[-1] - self.y[0]))


def porosity_of(scenario: Scenario) -> Quantity:
    """The effective porosity, without which no water has a speed.

    Raises
    ------
    BadQuestion : nobody stated it.
    """
    if scenario.aquifer.porosity is None:
        allowed = ['porosity = "0.15..0.20..0.25"']
        raise BadQuestion("particle paths need the effective porosity", key="aquifer.porosity", allowed=allowed)
    return scenario.aquifer.porosity


def limit_years(porosity: Quantity) -> tuple[float, float, float]:
    """How long particles are followed, told at the low, best and high porosity: as far as the fastest water goes."""
    low, best, high = (
        LONGEST_YEARS * float(one / porosity.low) for one in (porosity.low, porosity.best, porosity.high)
    )
    return low, best, high


def steady_of(model: NumericalModel) -> NumericalModel:
    """The steady field of a stressed run: mean rates and inflows of its last year; a pit as on its last day.

    Heads and the flow through every side of every cell are kept.
    """
    shares = _shares(model.periods)
    day = Period(model.periods[-1].starts, 1.0, 1, 1.0, steady=True)
    return replace(
        model, periods=(day,), recharge=None, observed=(), keep=((0, 0),), keep_flows=True,
        wells=tuple(replace(one, rates=_mean(one.rates, shares)) for one in model.wells),
        streams=tuple(replace(one, inflow=_mean(one.inflow, shares)) for one in model.streams),
        drains=tuple(one.as_in(-1) for one in model.drains),
    )  # fmt: skip


def _mean(values: Numbers, shares: Numbers) -> Numbers:
    return np.array([float(values @ shares)])


def _shares(periods: tuple[Period, ...]) -> Numbers:
    """Of the last year, or of all since the first stress where that is less, what lies in each period; none steady."""
    begins, ends = (np.array([one.starts + part * one.length for one in periods]) for part in (0.0, 1.0))
    steady = np.array([one.steady for one in periods])
    since = max(float(begins[~steady].min()), float(ends[-1]) - AVERAGED_DAYS)
    held = np.where(steady, 0.0, np.clip(ends - np.maximum(begins, since), 0.0, None))
    return np.asarray(held / held.sum())


def starts_of(scenario: Scenario, steady: NumericalModel, *, count: int = RING) -> tuple[Start, ...]:
    """Backward from each pumped well and the pit, forward from each place that is asked about and is no private well.

    Parameters
    ----------
    scenario : its points are the stated ones. ``count`` : particles around a well in each layer.
    """
    places = [one for one in scenario.point if one.kind != "private"]
    found = [start for well in steady.wells for start in around(well, count)]
    found += [start for pit in steady.drains if pit.active[0] for start in _sides(steady, pit)]
    for one in places:
        found += _below(steady, one.id, scenario.metres(one.position))
    return tuple(found)


def around(well: WellStress, count: int = RING) -> Iterator[Start]:
    """A ring in each cell the well draws on; no particle stands straight up or down a row or column of cells."""
    turn = (np.arange(count) + 0.5) * 2 * np.pi / count
    east, north = (0.5 + IN_CELL * np.cos(turn)).tolist(), (0.5 + IN_CELL * np.sin(turn)).tolist()
    for cell, share in well.cells:
        if share > 0 and well.rates[0] > 0:
            yield from (Start(well.id, "backward", cell, (x, y, 0.5)) for x, y in zip(east, north, strict=True))


def _sides(steady: NumericalModel, pit: DrainStress) -> list[Start]:
    """The middle of each outer side of the drained cells, or every second, third ... of them."""
    drained = set(pit.cells)
    faces = {(0, -1): (0.0, 0.5), (0, 1): (1.0, 0.5), (1, 0): (0.5, 0.0), (-1, 0): (0.5, 1.0)}
    found = [
        Start(pit.id, "backward", (layer, row, column), (x, y, 0.5))
        for layer, row, column in pit.cells
        for (down, east), (x, y) in faces.items()
        if (layer, row + down, column + east) not in drained and steady.active[layer, row + down, column + east] == 1
    ]
    return found[:: -(-len(found) // MOST_OF_PIT)] if found else []


def _below(steady: NumericalModel, id: str, place: tuple[float, float]) -> Iterator[Start]:
    """In the middle of each layer under a place."""
    grid = steady.grid
    row, column = cell_at(grid, place, f"point[{id}].position")
    east, north = inward(np.array(place), grid.turn)
    x = (east - grid.x_edges[column]) / grid.widths[column]
    y = (north - grid.y_edges[::-1][row + 1]) / grid.heights[row]
    for layer in range(grid.shape[0]):
        if steady.active[layer, row, column] == 1:
            yield Start(id, "forward", (layer, row, column), (float(x), float(y), 0.5))
