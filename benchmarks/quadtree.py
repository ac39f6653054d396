"""A quadtree of squares as a DISV grid, through FloPy: what a telescoped grid is weighed against.

The squares are cut while they are wider than a share of the way to the well and, on a stream, than a share of the way
to its nearest point. Time is cut as in the model each stands against.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import flopy
import numpy as np
import pandas as pd
import shapely
from scipy.interpolate import CloughTocher2DInterpolator

from benchmarks.modflow import AWAY, Numbers, Q, S, T, place, run_mf6, timed
from models.modflow.numerical import NumericalModel
from pipelines.modflow.program import program

Square = tuple[float, float, float]
"""West, south, side [m]."""
FINEST_M = 2.0


@dataclass(frozen=True)
class Cut:
    """How fine the squares are; ``stream`` : so far east of the well it runs north [m], and its lambda [m/d]."""

    share: float
    stream_share: float = 1.0
    stream: tuple[float, float] | None = None

    def asks(self, square: Square) -> bool:
        x, _, side = square
        if side <= FINEST_M:
            return False
        if side > self.share * _off(square, 0.0):
            return True
        east = None if self.stream is None else self.stream[0]
        if east is None or not x <= east < x + side:
            return False
        return side > max(FINEST_M, self.stream_share * max(_off(square, east), east / 4))


@dataclass(frozen=True, eq=False)
class Solved:
    """Cells, seconds of mf6, drawdown at `AWAY` [m], and what the stream gave after each step [m3/d]."""

    cells: int
    seconds: float
    drawdown: Numbers
    given: Numbers


def quadtree(cut: Cut, beside: NumericalModel) -> Solved:
    """The well of a telescoped model, over the same ground and steps."""
    width = FINEST_M * 2 ** int(np.ceil(np.log2(2 * beside.grid.x_edges[-1] / FINEST_M)))
    squares = list(_leaves(((FINEST_M - width) / 2, (FINEST_M - width) / 2, width), cut))
    middles = np.array([(x + side / 2, y + side / 2) for x, y, side in squares])
    times = [(one.length, one.steps, one.growth) for one in beside.periods[1:]]
    with tempfile.TemporaryDirectory() as name:
        folder, mf6 = Path(name), program()
        _written(folder, squares, times, int(np.argmin(np.hypot(*middles.T))), cut)
        _, seconds = timed(lambda: run_mf6(folder, mf6))
        heads = flopy.utils.HeadFile(folder / "q.hds").get_data().ravel()
        given = _given(folder / "budget.csv")
    return Solved(len(squares), seconds, _read(middles, -heads), given)


def _written(folder: Path, squares: list[Square], times: list[tuple[float, int, float]], well: int, cut: Cut) -> None:
    sim = flopy.mf6.MFSimulation(sim_name="q", sim_ws=str(folder), verbosity_level=0)
    flopy.mf6.ModflowTdis(sim, time_units="days", nper=1, perioddata=times)
    flopy.mf6.ModflowIms(
        sim, complexity="SIMPLE", outer_dvclose=1e-5, inner_dvclose=1e-6, rcloserecord=[1e-2, "STRICT"],
        linear_acceleration="BICGSTAB", inner_maximum=300,
    )  # fmt: skip
    flow = flopy.mf6.ModflowGwf(sim, modelname="q")
    flopy.mf6.ModflowGwfdisv(flow, **_disv(squares))
    flopy.mf6.ModflowGwfic(flow, strt=0.0)
    flopy.mf6.ModflowGwfnpf(flow, icelltype=0, k=T / 100)
    flopy.mf6.ModflowGwfsto(flow, iconvert=0, ss=S / 100, transient={0: True})
    flopy.mf6.ModflowGwfwel(flow, stress_period_data={0: [((0, well), -Q)]})
    if cut.stream is not None:
        flopy.mf6.ModflowGwfriv(flow, stress_period_data={0: _river(squares, *cut.stream)})
    flopy.mf6.ModflowGwfoc(
        flow, head_filerecord="q.hds", budgetcsv_filerecord="budget.csv", saverecord=[("HEAD", "LAST")]
    )
    sim.write_simulation(silent=True)


def _river(squares: list[Square], east: float, lam: float) -> list[tuple[tuple[int, int], float, float, float]]:
    west, south, side = np.array(squares).T
    line = shapely.LineString([(east, south.min()), (east, (south + side).max())])
    lengths = shapely.length(shapely.intersection(shapely.box(west, south, west + side, south + side), line))
    return [((0, int(k)), 0.0, lam * float(lengths[k]), -50.0) for k in np.flatnonzero(lengths > 0)]


def _given(path: Path) -> Numbers:
    budget = pd.read_csv(path)
    parts = [budget[name].to_numpy(np.float64) for name in budget if name.startswith("RIV")]
    return parts[0] - parts[1] if parts else np.zeros(len(budget))


def _read(middles: Numbers, drawdown: Numbers) -> Numbers:
    """Over the logarithm of the distance the cone is next to straight, and so is what is read between the centres."""
    away = np.hypot(*middles.T)
    kept = away > 1.5
    between = CloughTocher2DInterpolator(_stretched(middles[kept]), drawdown[kept])
    return np.asarray(between(_stretched(np.array([place(far) for far in AWAY]))))


def _stretched(places: Numbers) -> Numbers:
    away = np.hypot(*places.T)
    return np.asarray(places / away[:, None] * np.log(away)[:, None])


def _leaves(square: Square, cut: Cut) -> Iterator[Square]:
    if not cut.asks(square):
        yield square
        return
    x, y, half = square[0], square[1], square[2] / 2
    for corner in ((x, y), (x + half, y), (x, y + half), (x + half, y + half)):
        yield from _leaves((*corner, half), cut)


def _off(square: Square, east: float) -> float:
    """How far a square lies from a place on the line through the well from west to east [m]."""
    x, y, side = square
    return float(np.hypot(max(x - east, 0.0, east - x - side), max(y, 0.0, -y - side)))


def _disv(squares: list[Square]) -> dict[str, Any]:
    """Corners clockwise, with the neighbours' corners on each side."""
    number: dict[tuple[float, float], int] = {}
    for x, y, side in squares:
        for corner in ((x, y), (x + side, y), (x, y + side), (x + side, y + side)):
            number.setdefault(corner, len(number))
    on_x: dict[float, list[float]] = {}
    on_y: dict[float, list[float]] = {}
    for x, y in number:
        on_x.setdefault(x, []).append(y)
        on_y.setdefault(y, []).append(x)
    cells = []
    for k, (x, y, side) in enumerate(squares):
        right, top = x + side, y + side
        ring = [(one, top) for one in sorted(on_y[top]) if x <= one < right]
        ring += [(right, one) for one in sorted(on_x[right], reverse=True) if y < one <= top]
        ring += [(one, y) for one in sorted(on_y[y], reverse=True) if x < one <= right]
        ring += [(x, one) for one in sorted(on_x[x]) if y <= one < top]
        cells.append([k, x + side / 2, y + side / 2, len(ring), *(number[one] for one in ring)])
    vertices = [[k, *corner] for corner, k in number.items()]
    return {
        "nlay": 1, "ncpl": len(cells), "nvert": len(vertices), "vertices": vertices, "cell2d": cells, "top": 0.0,
        "botm": -100.0,
    }  # fmt: skip
