"""A quadtree of squares about one well as a DISV grid, through FloPy: what a telescoped grid is weighed against."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import flopy
import numpy as np
from scipy.interpolate import CloughTocher2DInterpolator

from benchmarks.modflow import AWAY, YEAR, Numbers, Q, S, T, one_well, place, run_mf6, timed
from models.modflow.build import Choices
from pipelines.modflow.program import program

Square = tuple[float, float, float]
"""West, south, side [m]."""
FINEST_M = 2.0


def quadtree(share: float) -> tuple[int, float, Numbers]:
    """Cells, seconds of mf6, and drawdown at `AWAY`: squares are cut while wider than their share of the way."""
    telescoped = one_well(Choices(YEAR, "one")).stressed
    width = FINEST_M * 2 ** int(np.ceil(np.log2(2 * telescoped.grid.x_edges[-1] / FINEST_M)))
    squares = list(_leaves(((FINEST_M - width) / 2, (FINEST_M - width) / 2, width), share))
    middles = np.array([(x + side / 2, y + side / 2) for x, y, side in squares])
    times = [(one.length, one.steps, one.growth) for one in telescoped.periods[1:]]
    with tempfile.TemporaryDirectory() as name:
        folder, mf6 = Path(name), program()
        _written(folder, squares, times, int(np.argmin(np.hypot(*middles.T))))
        _, seconds = timed(lambda: run_mf6(folder, mf6))
        heads = flopy.utils.HeadFile(folder / "q.hds").get_data().ravel()
    return len(squares), seconds, _read(middles, -heads)


def _written(folder: Path, squares: list[Square], times: list[tuple[float, int, float]], well: int) -> None:
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
    flopy.mf6.ModflowGwfoc(flow, head_filerecord="q.hds", saverecord=[("HEAD", "LAST")])
    sim.write_simulation(silent=True)


def _read(middles: Numbers, drawdown: Numbers) -> Numbers:
    """Over the logarithm of the distance the cone is next to straight, and so is what is read between the centres."""
    away = np.hypot(*middles.T)
    kept = away > 1.5
    between = CloughTocher2DInterpolator(_stretched(middles[kept]), drawdown[kept])
    return np.asarray(between(_stretched(np.array([place(far) for far in AWAY]))))


def _stretched(places: Numbers) -> Numbers:
    away = np.hypot(*places.T)
    return np.asarray(places / away[:, None] * np.log(away)[:, None])


def _leaves(square: Square, share: float) -> Iterator[Square]:
    x, y, side = square
    away = float(np.hypot(max(x, 0.0, -x - side), max(y, 0.0, -y - side)))
    if side <= FINEST_M or side <= share * away:
        yield square
        return
    half = side / 2
    for corner in ((x, y), (x + half, y), (x, y + half), (x + half, y + half)):
        yield from _leaves((*corner, half), share)


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
