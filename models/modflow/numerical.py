"""A numerical groundwater model as plain arrays: what is written for MODFLOW 6, and what its digest stands for.

Metres and days. Layers count from the top, rows from north to south, columns from west to east, as MODFLOW counts them,
all from 0. Levels are above the scenario's own zero, the undisturbed water table at the first well unless layers say
otherwise. A model holds everything that decides its numbers, and nothing else: two models with one digest are one run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.errors import BadQuestion
from models.modflow.bore import Bore
from models.modflow.turned import outward

Numbers = NDArray[np.float64]
Cell = tuple[int, int, int]
"""Layer, row, column."""
IN_LAYER = "@"
TERMS = ("storage", "recharge")
"""Of every budget, beside those of the stresses."""


@dataclass(frozen=True, eq=False)
class Grid:
    """A rectangular grid whose columns and rows widen away from what matters.

    Parameters
    ----------
    x_edges : float64[ncol + 1], west to east [m].
    y_edges : float64[nrow + 1], **south to north** [m]; row 0 is the northernmost.
    top : float64[nrow, ncol] [m].
    bottoms : float64[nlay, nrow, ncol] [m], each below the one above.
    turn : how far its own east is turned from the map's, anticlockwise [degrees] (`models.modflow.turned`). Edges and
        centres are in its own coordinates; every place that is given or told is in the map's.
    """

    x_edges: Numbers
    y_edges: Numbers
    top: Numbers
    bottoms: Numbers
    turn: float = 0.0

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.bottoms.shape[0], self.y_edges.size - 1, self.x_edges.size - 1

    @cached_property
    def x(self) -> Numbers:
        """Centres of the columns [m]."""
        return (self.x_edges[1:] + self.x_edges[:-1]) / 2

    @cached_property
    def y(self) -> Numbers:
        """Centres of the rows [m], north to south."""
        return ((self.y_edges[1:] + self.y_edges[:-1]) / 2)[::-1]

    @cached_property
    def centres(self) -> tuple[Numbers, Numbers]:
        """Of the cells on the map, float64[nrow, ncol] each [m]."""
        points = outward(np.stack(np.meshgrid(self.x, self.y), axis=-1), self.turn)
        return points[..., 0], points[..., 1]

    @property
    def ring(self) -> list[tuple[int, int]]:
        """Row and column of the outermost cells: the far ends."""
        _, rows, columns = self.shape
        return [(r, c) for r in range(rows) for c in range(columns) if r in (0, rows - 1) or c in (0, columns - 1)]

    @cached_property
    def widths(self) -> Numbers:
        """Of the columns (``delr``) [m]."""
        return np.diff(self.x_edges)

    @cached_property
    def heights(self) -> Numbers:
        """Of the rows (``delc``) [m], north to south."""
        return np.diff(self.y_edges)[::-1]


@dataclass(frozen=True, eq=False)
class Layer:
    """What one layer is made of.

    Parameters
    ----------
    conductivity, vertical_conductivity : K and Kv [m/d].
    specific_storage : [1/m].
    specific_yield : [-]; used where ``convertible``.
    convertible : the water table may stand in it; else it stays as thick as it is (confined).
    """

    name: str
    conductivity: float
    vertical_conductivity: float
    specific_storage: float
    specific_yield: float
    convertible: bool


@dataclass(frozen=True)
class Period:
    """A stress period: its first instant (`models.scenario.noun.day_number`), its length [d], and its steps.

    ``steady``: no storage; the first one only.
    """

    starts: float
    length: float
    steps: int
    growth: float
    steady: bool = False


@dataclass(frozen=True, eq=False)
class WellStress:
    """One pumped well: its cells with the share of its rate each gives (they add up to 1), and its rate by period.

    ``rates`` : float64[number of periods] [m3/d], abstraction above 0. ``bore`` : of a well of several cells; it, and
    not the shares, then says what each of them gives.
    """

    id: str
    cells: tuple[tuple[Cell, float], ...]
    rates: Numbers
    bore: Bore | None = None

    @property
    def multi_aquifer(self) -> Bore | None:
        """The bore, where it joins cells."""
        return self.bore if len(self.cells) > 1 else None


@dataclass(frozen=True, eq=False)
class RiverStress:
    """One stream of constant level (RIV): cells, stage [m], conductance [m2/d], bottom of its bed [m]."""

    id: str
    cells: tuple[Cell, ...]
    stage: Numbers
    conductance: Numbers
    bed: Numbers


@dataclass(frozen=True, eq=False)
class RoutedStream:
    """One stream that carries its own water (SFR): a reach a cell, from its head down.

    Parameters
    ----------
    inflow : at its head, by period [m3/d].
    length, width : of each reach [m]; ``slope`` [-]; ``bed_top`` [m]; ``leakance`` : K'/b' of the bed [1/d].
    manning : roughness [s/m^(1/3)].
    """

    id: str
    cells: tuple[Cell, ...]
    inflow: Numbers
    length: Numbers
    width: Numbers
    slope: Numbers
    bed_top: Numbers
    leakance: Numbers
    manning: float


@dataclass(frozen=True, eq=False)
class DrainStress:
    """A pit kept dry (DRN).

    Parameters
    ----------
    elevation : float64[periods, cells], the level each cell is drained to [m]; NaN where it is not drained.
    conductance : float64[cells] [m2/d].
    """

    id: str
    cells: tuple[Cell, ...]
    elevation: Numbers
    conductance: Numbers

    @property
    def active(self) -> NDArray[np.bool_]:
        """The periods it runs in."""
        return np.asarray(np.isfinite(self.elevation).any(axis=1))

    def as_in(self, period: int) -> DrainStress:
        """A drain of that period alone, and of the cells it is drained in then."""
        drained = np.flatnonzero(np.isfinite(self.elevation[period]))
        cells = tuple(self.cells[number] for number in drained)
        return DrainStress(self.id, cells, self.elevation[[period]][:, drained], self.conductance[drained])

    @property
    def onsets(self) -> list[int]:
        """The periods with which it begins to run, or runs deeper or elsewhere: its inflow has no bound just then."""
        changed = ~np.isclose(self.elevation[1:], self.elevation[:-1], equal_nan=True).all(axis=1)
        return [int(one) for one in np.flatnonzero(np.concatenate([[True], changed]) & self.active)]


@dataclass(frozen=True, eq=False)
class FixedHead:
    """Cells that keep a level (CHD) [m]: the far ends of the model, or an edge of constant level."""

    id: str
    cells: tuple[Cell, ...]
    head: Numbers


@dataclass(frozen=True)
class Observed:
    """A place whose head is wanted at every step: its cell's own, and its position [m] to read between cells.

    ``id`` : the place's; in a further layer of it followed by `IN_LAYER`, which no place's id holds, and its number.
    """

    id: str
    position: tuple[float, float]
    layer: int

    @property
    def place(self) -> str:
        return self.id.partition(IN_LAYER)[0]


@dataclass(frozen=True, eq=False)
class NumericalModel:
    """One run.

    Parameters
    ----------
    active : int[nlay, nrow, ncol]: 1 is aquifer, 0 is not (beyond a no-flow edge).
    initial : float64[nlay, nrow, ncol], heads before the first period [m].
    recharge : float64[number of periods] on the top active layer [m/d]; may be below 0 (its departure from the mean).
    newton : Newton-Raphson for a water table that falls; without it and with ``convertible`` layers, rewetting.
    keep : the steps whose whole heads are kept, as (period, step).
    keep_flows : the flow through every side of every cell is kept at those steps too: what particles follow.

    Raises
    ------
    BadQuestion : two stresses of one id, or one that is called as a term of every budget: one would hide the other.
    """

    grid: Grid
    layers: tuple[Layer, ...]
    active: NDArray[np.int64]
    initial: Numbers
    periods: tuple[Period, ...]
    wells: tuple[WellStress, ...] = ()
    rivers: tuple[RiverStress, ...] = ()
    streams: tuple[RoutedStream, ...] = ()
    drains: tuple[DrainStress, ...] = ()
    fixed: tuple[FixedHead, ...] = ()
    observed: tuple[Observed, ...] = ()
    recharge: Numbers | None = None
    newton: bool = True
    keep: tuple[tuple[int, int], ...] = ()
    keep_flows: bool = False

    def __post_init__(self) -> None:
        groups = (self.wells, self.rivers, self.streams, self.drains, self.fixed)
        ids = [*TERMS, *(one.id for group in groups for one in group)]
        twice = [id for number, id in enumerate(ids) if id in ids[:number]]
        if twice:
            reason = "a numerical model's budget has another term of that name"
            raise BadQuestion(reason, key="id", found=twice[0], allowed=["another id"])

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything above, the same for the same numbers on any machine of one byte order."""
        told = hashlib.sha256()
        for part in _parts(self):
            told.update(part)
        return told.hexdigest()


def _parts(value: Any) -> Iterator[bytes]:
    """Every number and word in an order of its own, each with its kind, so that no two models run together."""
    if isinstance(value, np.ndarray):
        yield f"array {value.dtype.str} {value.shape};".encode()
        yield np.ascontiguousarray(value).tobytes()
    elif is_dataclass(value):
        yield f"{type(value).__name__}(".encode()
        for one in fields(value):
            yield f"{one.name}=".encode()
            yield from _parts(getattr(value, one.name))
        yield b")"
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield f"[{len(value)}:".encode()
        for part in value:
            yield from _parts(part)
    else:
        yield f"{type(value).__name__} {value!r};".encode()
