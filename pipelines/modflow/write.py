"""A numerical model as input of MODFLOW 6, through FloPy.

Each well, stream, drain and fixed head is a package of its own, so that the budget table names it; whole heads are kept
only where they are asked for, and cell budgets only where particles follow them: of the usual 294 MB nobody reads 89 %.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import flopy
import numpy as np

from models.modflow.between_centres import between_centres
from models.modflow.bore import Bore
from models.modflow.numerical import Cell, DrainStress, NumericalModel, RoutedStream, WellStress
from models.modflow.streams import BED_M
from pipelines.modflow.program import Program

NAME = "headwater"
HEADS, BUDGET, OUTER, OBSERVED = "heads.hds", "budget.csv", "outer.csv", "observed.csv"
CELL_FLOWS = "flows.cbc"
MOST_OUTER = 200
CLOSE_M = 1e-5
"""Largest change of a head in the last iteration of a step."""
RESIDUAL_M3_PER_D = 1e-3
RELAXATION = 0.97
"""Of the incomplete factors (IMS, MODERATE); 0, as SIMPLE has it, costs up to twice the inner iterations."""
ROUNDED_M = 1e-5
"""Bottoms of cells are written to eight figures; the bed of a stream may not lie below one."""
NO_STEP = 999_999
"""A step no period has."""
NO_REDUCTION = 0.05
"""Share of a cell's thickness below which a well in it gives less than it is told to: the gate then says so."""


def write(model: NumericalModel, folder: Path, program: Program) -> None:
    """Write every input file into a folder that exists.

    Raises
    ------
    OSError : the disk is full, or the folder cannot be written.
    """
    sim = flopy.mf6.MFSimulation(sim_name=NAME, sim_ws=str(folder), exe_name=str(program.path), verbosity_level=0)
    flopy.mf6.ModflowTdis(
        sim, time_units="days", nper=len(model.periods),
        perioddata=[(one.length, one.steps, one.growth) for one in model.periods],
    )  # fmt: skip
    _solver(sim, model)
    flow = flopy.mf6.ModflowGwf(
        sim, modelname=NAME, newtonoptions="NEWTON UNDER_RELAXATION" if _newton(model) else None,
        save_flows=model.keep_flows,
    )  # fmt: skip
    _aquifer(flow, model)
    _stresses(flow, model)
    _routed(flow, model, program)
    _observed(flow, model)
    sim.write_simulation(silent=True)


def _solver(sim: Any, model: NumericalModel) -> None:
    hard = bool(model.streams) or any(layer.convertible for layer in model.layers)
    flopy.mf6.ModflowIms(
        sim, print_option="NONE", csv_outer_output_filerecord=OUTER, complexity="MODERATE" if hard else "SIMPLE",
        outer_dvclose=CLOSE_M, outer_maximum=MOST_OUTER, inner_dvclose=CLOSE_M / 10, inner_maximum=300,
        rcloserecord=[RESIDUAL_M3_PER_D, "STRICT"], relaxation_factor=RELAXATION,
        linear_acceleration="BICGSTAB" if _newton(model) else "CG",
    )  # fmt: skip


def _newton(model: NumericalModel) -> bool:
    """Newton's method, where anything bends: of a confined aquifer it makes no other answer, but twice the work."""
    bends = any(layer.convertible for layer in model.layers) or any(one.multi_aquifer for one in model.wells)
    return model.newton and (bends or bool(model.streams))


def _aquifer(flow: Any, model: NumericalModel) -> None:
    grid, layers = model.grid, model.layers
    nlay, nrow, ncol = grid.shape
    flopy.mf6.ModflowGwfdis(
        flow, length_units="METERS", nlay=nlay, nrow=nrow, ncol=ncol, delr=grid.widths, delc=grid.heights,
        top=grid.top, botm=grid.bottoms, idomain=model.active,
    )  # fmt: skip
    flopy.mf6.ModflowGwfic(flow, strt=model.initial)
    flopy.mf6.ModflowGwfnpf(
        flow, icelltype=[int(one.convertible) for one in layers], k=[one.conductivity for one in layers],
        k33=[one.vertical_conductivity for one in layers], **_rewetting(model),
    )  # fmt: skip
    flopy.mf6.ModflowGwfsto(
        flow, iconvert=[int(one.convertible) for one in layers], ss=[one.specific_storage for one in layers],
        sy=[one.specific_yield for one in layers],
        steady_state={k: True for k, one in enumerate(model.periods) if one.steady},
        transient={k: True for k, one in enumerate(model.periods) if not one.steady},
    )  # fmt: skip
    names = ("HEAD", "BUDGET") if model.keep_flows else ("HEAD",)
    kept = {
        period: [(name, "STEPS", *(step + 1 for step in steps)) for name in names]
        for period, steps in _kept(model).items()
    }
    # Unasked, mf6 prints every head at the end of each period: nine tenths of the disk, which nobody reads.
    silent = {0: [("HEAD", "STEPS", NO_STEP)]} | {period: [("HEAD", "STEPS", NO_STEP)] for period in kept}
    flopy.mf6.ModflowGwfoc(
        flow, head_filerecord=HEADS, budget_filerecord=CELL_FLOWS if model.keep_flows else None,
        budgetcsv_filerecord=BUDGET, saverecord=kept, printrecord=silent,
    )  # fmt: skip


def _kept(model: NumericalModel) -> dict[int, list[int]]:
    """The steps whose heads are kept, by period; a period that is not named goes on as the one before it did."""
    found: dict[int, list[int]] = {}
    for period, step in sorted(model.keep):
        found.setdefault(period, []).append(step)
    return found


def _rewetting(model: NumericalModel) -> dict[str, Any]:
    """Without Newton a cell that fell dry may become wet again from below and beside."""
    if model.newton or not any(layer.convertible for layer in model.layers):
        return {}
    return {"rewet_record": [("WETFCT", 0.5, "IWETIT", 1, "IHDWET", 0)], "wetdry": -0.01}


def _stresses(flow: Any, model: NumericalModel) -> None:
    for number, fixed in enumerate(model.fixed):
        data = [(cell, head) for cell, head in zip(fixed.cells, fixed.head.tolist(), strict=True)]
        flopy.mf6.ModflowGwfchd(
            flow, pname=f"fixed_{number}", filename=f"fixed_{number}.chd", stress_period_data={0: data}
        )
    for number, river in enumerate(model.rivers):
        lowest = np.array([model.grid.bottoms[cell] for cell in river.cells]) + ROUNDED_M
        columns = (river.stage.tolist(), river.conductance.tolist(), np.maximum(river.bed, lowest).tolist())
        rows = [(cell, *values) for cell, *values in zip(river.cells, *columns, strict=True)]
        flopy.mf6.ModflowGwfriv(
            flow, pname=f"river_{number}", filename=f"river_{number}.riv", stress_period_data={0: rows}
        )
    for number, drain in enumerate(model.drains):
        flopy.mf6.ModflowGwfdrn(
            flow, pname=f"drain_{number}", filename=f"drain_{number}.drn",
            stress_period_data=_changes([_drained(drain, levels) for levels in drain.elevation.tolist()]),
        )  # fmt: skip
    for number, well in enumerate(model.wells):
        if well.multi_aquifer is not None:
            _bore(flow, model, number, well, well.multi_aquifer)
            continue
        given = [[(cell, -rate * share) for cell, share in well.cells] for rate in well.rates.tolist()]
        flopy.mf6.ModflowGwfwel(
            flow, pname=f"well_{number}", filename=f"well_{number}.wel", stress_period_data=_changes(given),
            auto_flow_reduce=NO_REDUCTION if any(one.convertible for one in model.layers) else None,
        )  # fmt: skip
    if model.recharge is not None:
        changes = _changes([[float(one)] for one in model.recharge])
        flopy.mf6.ModflowGwfrcha(flow, pname="recharge", recharge={k: one[0] for k, one in changes.items()})


def _drained(drain: DrainStress, levels: list[float]) -> list[Any]:
    """Of one period: cell, level, conductance."""
    rows = zip(drain.cells, levels, drain.conductance.tolist(), strict=True)
    return [(cell, level, conductance) for cell, level, conductance in rows if not np.isnan(level)]


def _bore(flow: Any, model: NumericalModel, number: int, well: WellStress, bore: Bore) -> None:
    """A multi-aquifer well: no water of its own, so that its layers give its rate; below a layer's base it draws no
    harder (`FLOW_CORRECTION`)."""
    cells = [cell for cell, _ in well.cells]
    drawn = zip(cells, bore.conductance.tolist(), strict=True)
    given = [(0, k, cell, 0.0, 0.0, conductance, 0.0) for k, (cell, conductance) in enumerate(drawn)]
    watched = [("level", "HEAD", (0,)), *((f"q{k}", "MAW", (0, k)) for k in range(len(cells)))]
    flopy.mf6.ModflowGwfmaw(
        flow, pname=f"well_{number}", filename=f"well_{number}.maw", no_well_storage=True, flow_correction=True,
        nmawwells=1, packagedata=[(0, bore.radius, bore.base, model.initial[cells[0]], "SPECIFIED", len(cells))],
        connectiondata=given, perioddata=_changes([[(0, "RATE", -rate)] for rate in well.rates.tolist()]),
        observations={bore_file(number): watched},
    )  # fmt: skip


def bore_file(number: int) -> str:
    """Level in the bore of a well, then what each of its cells gave."""
    return f"well_{number}.csv"


def _changes(by_period: list[list[Any]]) -> dict[int, list[Any]]:
    """Only the periods in which something is another than before: MODFLOW goes on with what stood."""
    found, last = {}, None
    for period, rows in enumerate(by_period):
        if rows != last:
            found[period] = rows
        last = rows
    return found


def _routed(flow: Any, model: NumericalModel, program: Program) -> None:
    for number, stream in enumerate(model.streams):
        units = (
            {"length_conversion": 1.0, "time_conversion": 86_400.0}
            if program.knows_length_conversion
            else {"unit_conversion": 86_400.0}
        )
        count = len(stream.cells)
        watched = [(f"r{reach}", "DOWNSTREAM-FLOW", (reach,)) for reach in range(count)]
        flopy.mf6.ModflowGwfsfr(
            flow, pname=f"stream_{number}", filename=f"stream_{number}.sfr", nreaches=count, **units,
            packagedata=_reaches(stream), connectiondata=[_joined(reach, count) for reach in range(count)],
            perioddata=_changes([[(0, "INFLOW", inflow)] for inflow in stream.inflow.tolist()]),
            observations={f"stream_{number}.csv": watched},
        )  # fmt: skip


def _reaches(stream: RoutedStream) -> list[tuple[Any, ...]]:
    """rlen rwid rgrd rtp rbth rhk man ncon ustrf ndv of every reach."""
    count = len(stream.cells)
    columns = (one.tolist() for one in (stream.length, stream.width, stream.slope, stream.bed_top, stream.leakance))
    return [
        (
            reach,
            cell,
            length,
            width,
            slope,
            top,
            BED_M,
            leakance * BED_M,
            stream.manning,
            len(_joined(reach, count)) - 1,
            1.0,
            0,
        )
        for reach, (cell, length, width, slope, top, leakance) in enumerate(zip(stream.cells, *columns, strict=True))
    ]


def _joined(reach: int, count: int) -> tuple[int, ...]:
    """Upstream neighbours are above 0, downstream ones below."""
    above = (reach - 1,) if reach else ()
    below = (-(reach + 1),) if reach < count - 1 else ()
    return (reach, *above, *below)


def _observed(flow: Any, model: NumericalModel) -> None:
    cells = sorted({cell for one in model.observed for cell, _ in between_centres(model, one.position, one.layer)})
    if cells:
        rows = [(name_of(cell), "HEAD", cell) for cell in cells]
        flopy.mf6.ModflowUtlobs(flow, digits=12, continuous={OBSERVED: rows})


def name_of(cell: Cell) -> str:
    return "h" + "_".join(str(part) for part in cell)
