"""Input of MODPATH 7 from a steady run of mf6, through FloPy, and what it wrote, as arrays.

mp7 takes a grid of MODFLOW 6 only where neighbouring cells are as wide as each other, or twice or half as wide; of
MODFLOW-2005 it takes any. So the flows are handed over in MODFLOW-2005's form: flow through the right, front and lower
side of each cell, and what every package gives or takes in a cell. They are the same numbers.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

import flopy
import numpy as np
import pandas as pd
from flopy.mf6.utils import get_structured_faceflows
from numpy.typing import NDArray

from models.modflow.numerical import NumericalModel
from models.modflow.outcome import Outcome
from models.modflow.particles import DAYS_PER_YEAR, MARKED_YEARS, Start, Way, limit_years
from models.modflow.path_ends import Tracks
from models.modflow.turned import outward
from models.modflow.weak_cells import ending
from models.quantity import Quantity
from pipelines.modflow.write import CELL_FLOWS, NAME

Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]
Given = tuple[NDArray[np.int32], Numbers]
HEADS, FLOWS = "particles.hds", "particles.cbc"
DRY, NO_AQUIFER = -1e30, 1e30
STOP = 1
"""The zone of cells in which a path ends."""
FULL_ARRAY, LIST = 1, 2
"""MODFLOW-2005's ways to write a term of the budget (Harbaugh 2005, compact budget)."""
PATHLINES, ENDPOINTS = "mppth", "mpend"


def simulation_of(way: Way) -> str:
    """The file mp7 is given."""
    return f"{way}.mpsim"


def hand_over(steady: NumericalModel, run: Outcome, folder: Path) -> dict[Way, Marks]:
    """Heads and flows of a run in MODFLOW-2005's form, beside it; the cells in which paths of each way end.

    Raises
    ------
    OSError, ValueError : the disk is full, or what mf6 wrote is cut.
    """
    heads = np.where(np.isnan(run.heads[0]), np.where(steady.active == 1, DRY, NO_AQUIFER), run.heads[0])
    with (folder / HEADS).open("wb") as file:
        for layer, values in enumerate(heads):
            _head_line(file, layer, values)
    with closing(flopy.utils.CellBudgetFile(folder / CELL_FLOWS, precision="double")) as found:
        sides = get_structured_faceflows(
            found.get_data(text="FLOW-JA-FACE")[0], grb_file=str(folder / f"{NAME}.dis.grb")
        )
        packages = list(_packages(found))
    _write_flows(folder, steady, sides, packages)
    given = np.zeros(steady.active.size)
    for cells, flows in packages:
        np.add.at(given, cells - 1, flows)
    return ending(steady, sides, given.reshape(steady.grid.shape))


def _head_line(file: BinaryIO, layer: int, values: Numbers) -> None:
    rows, columns = values.shape
    file.write(np.array([1, 1], "i4").tobytes() + np.ones(2).tobytes() + f"{'HEAD':>16}".encode())
    file.write(np.array([columns, rows, layer + 1], "i4").tobytes() + np.ascontiguousarray(values).tobytes())


def _write_flows(folder: Path, steady: NumericalModel, sides: Sequence[Numbers], packages: Sequence[Given]) -> None:
    with (folder / FLOWS).open("wb") as file:
        for name, values in zip(("RIGHT", "FRONT", "LOWER"), sides, strict=True):
            if name != "LOWER" or steady.grid.shape[0] > 1:
                _term(file, f"FLOW {name} FACE", steady, FULL_ARRAY)
                file.write(np.ascontiguousarray(values, np.float64).tobytes())
        for number, (cells, flows) in enumerate(packages):
            _term(file, f"PACKAGE {number}", steady, LIST)
            rows = np.rec.fromarrays([cells, flows], dtype=[("node", "i4"), ("q", "f8")])
            file.write(np.array([cells.size], "i4").tobytes() + rows.tobytes())


def _packages(found: Any) -> Iterator[Given]:
    """Cell, counted from 1, and flow into it of every package; storage and mf6's own notes are none."""
    for number, record in enumerate(found.recordarray):
        name = record["text"].decode().strip()
        if not name.startswith(("FLOW-JA-FACE", "DATA-", "STO-")):
            data = found.get_data(idx=number)[0]
            yield np.asarray(data["node"], np.int32), np.asarray(data["q"], np.float64)


def _term(file: BinaryIO, name: str, steady: NumericalModel, way: int) -> None:
    layers, rows, columns = steady.grid.shape
    file.write(np.array([1, 1], "i4").tobytes() + f"{name:>16}".encode())
    file.write(np.array([columns, rows, -layers, way], "i4").tobytes() + np.ones(3).tobytes())


def write_particles(
    steady: NumericalModel, starts: Sequence[Start], way: Way, stops: Marks, porosity: Quantity, folder: Path
) -> None:
    """What mp7 needs to follow the particles of one way, in order, until they enter one of the cells that stop them.

    Raises
    ------
    OSError : the disk is full, or the folder cannot be written.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # FloPy looks for programs it is not asked to run
        particles = flopy.modpath.Modpath7(
            way, flowmodel=_flow_model(steady, folder), model_ws=str(folder), exe_name="mp7",
            headfilename=HEADS, budgetfilename=FLOWS,
        )  # fmt: skip
    flopy.modpath.Modpath7Bas(particles, porosity=porosity.value)
    _, longest, _ = limit_years(porosity)
    marked = np.unique([days for each in _marked(porosity) for days in each])
    flopy.modpath.Modpath7Sim(
        particles, simulationtype="combined", trackingdirection=way, weaksinkoption="pass_through",
        weaksourceoption="pass_through", stoptimeoption="specified", stoptime=longest * DAYS_PER_YEAR,
        timepointdata=[marked.size, marked], zonedataoption="on", stopzone=STOP, zones=np.where(stops, STOP, 0),
        particlegroups=[_group(starts)],
    )  # fmt: skip
    particles.write_input()


def _marked(porosity: Quantity) -> Iterable[list[float]]:
    """When, at the best porosity, a particle is where it is in the marked years at each end of the range [d]."""
    ends = (porosity.low, porosity.best, porosity.high)
    return [[years * DAYS_PER_YEAR * float(porosity.best / one) for years in MARKED_YEARS] for one in ends]


def _flow_model(steady: NumericalModel, folder: Path) -> Any:
    """The grid as MODFLOW-2005 has it; of its files mp7 reads only that of the grid."""
    grid, layers = steady.grid, steady.layers
    nlay, nrow, ncol = grid.shape
    flow = flopy.modflow.Modflow("particles", model_ws=str(folder), exe_name="mf2005", verbose=False)
    dis = flopy.modflow.ModflowDis(
        flow, nlay=nlay, nrow=nrow, ncol=ncol, delr=grid.widths, delc=grid.heights, top=grid.top, botm=grid.bottoms,
        nper=1, perlen=1.0, nstp=1, steady=True, itmuni=4, lenuni=2,
    )  # fmt: skip
    flopy.modflow.ModflowBas(flow, ibound=steady.active, hnoflo=NO_AQUIFER)
    flopy.modflow.ModflowLpf(flow, laytyp=[int(one.convertible) for one in layers], hdry=DRY)
    dis.write_file()
    return flow


def _group(starts: Sequence[Start]) -> Any:
    east, north, up = (list(one) for one in zip(*(start.local for start in starts), strict=True))
    data = flopy.modpath.ParticleData(
        [one.cell for one in starts], structured=True, particleids=list(range(len(starts))),
        localx=east, localy=north, localz=up, drape=0,
    )  # fmt: skip
    return flopy.modpath.ParticleGroup("particles", None, 0.0, data)


def read_tracks(steady: NumericalModel, count: int, way: Way, folder: Path) -> Tracks:
    """What mp7 wrote of so many particles, in the order they were given.

    Raises
    ------
    OSError, ValueError : a file is missing or cut.
    """
    ends = pd.DataFrame.from_records(flopy.utils.EndpointFile(folder / f"{way}.{ENDPOINTS}")._data)
    points = pd.DataFrame.from_records(flopy.utils.PathlineFile(folder / f"{way}.{PATHLINES}")._data)
    ends = ends.sort_values("particleid")
    if ends["particleid"].tolist() != list(range(count)):
        raise ValueError(f"{way}.{ENDPOINTS} has {len(ends)} of {count} particles")
    points = points.sort_values(["particleid", "time"], kind="stable")
    many = points["particleid"].value_counts().reindex(range(count), fill_value=0)
    z, day = (points[name].to_numpy(np.float64) for name in ("z", "time"))
    grid = steady.grid
    places = points[["x", "y"]].to_numpy(np.float64) + np.array([grid.x_edges[0], grid.y_edges[0]])
    x, y = outward(places, grid.turn).T
    return Tracks(
        np.asarray(many, np.int64), x, y, z, day,
        points["node"].to_numpy(np.int64), ends["status"].to_numpy(np.int64), ends["node"].to_numpy(np.int64),
    )  # fmt: skip
