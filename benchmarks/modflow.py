"""What a numerical model costs around mf6, and why its grid is a telescoped one: ``python -m benchmarks.modflow``.

Every model is built, written, run and read in a process of its own, so that the peak memory is its own. Our share is
all but mf6 itself, in processor time; importing FloPy, once a process, is told apart.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import erfcx, exp1

from benchmarks.aquifer import _peak_mb
from models.modflow.between_centres import between_centres
from models.modflow.build import Choices, Pair, pair_of
from models.modflow.calendar import Stepping, depletion_stepping
from models.modflow.numerical import DrainStress, Grid, NumericalModel
from models.modflow.outcome import Outcome
from models.modflow.quantities import quantities
from models.scenario.noun import Scenario, day_number
from pipelines.modflow.program import Program, program

ROOT = Path(__file__).resolve().parents[1]
T, S, Q = 432.0, 0.1, 864.0
AWAY = (10.0, 30.0, 100.0, 300.0, 1_000.0, 1_609.344)
YEAR, ENDS = day_number(date(2026, 1, 1)), day_number(date(2035, 1, 1))
LAMBDAS = (0.5, 8.0)
"""Of the stream [m/d]."""
Numbers = np.ndarray[Any, np.dtype[np.float64]]


def main() -> None:
    """Print the cost, then the grids beside each other, then what the rules of time give."""
    for name, (title, _) in TASKS.items():
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.modflow", name], cwd=ROOT, capture_output=True, text=True, check=True
        )
        print(f"\n{title}")
        for row in json.loads(done.stdout):
            print("  ".join(f"{cell:<58}" if k == 0 else f"{cell:>13}" for k, cell in enumerate(row)))


# The cost -------------------------------------------------------------------------------------------------------------

Row = list[str]


def _cost() -> list[Row]:
    """Three layers, a hundred columns by a hundred rows, ten years of months, a pit drained anew every month."""
    before = time.perf_counter()
    from pipelines.modflow.read import read_outcome
    from pipelines.modflow.write import write

    imported, spent = time.perf_counter() - before, {}
    pair, spent["build (both runs)"] = timed(lambda: _mine(pair_of(_layered(), MONTHS)))
    with tempfile.TemporaryDirectory() as name:
        folder, mf6, model = Path(name), program(), pair.stressed
        _, spent["write"] = timed(lambda: write(model, folder, mf6))
        inputs = _megabytes(folder)
        _, spent["mf6"] = timed(lambda: run_mf6(folder, mf6))
        run, spent["read"] = timed(lambda: read_outcome(model, folder))
        listing, disk = (folder / "headwater.lst").stat().st_size / 1e6, _megabytes(folder)
    _, spent["differences (both runs)"] = timed(lambda: quantities(pair, run, run))
    ours = sum(spent.values()) - spent["mf6"]
    cells, steps = pair.stressed.active.size, sum(one.steps for one in pair.stressed.periods)
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return [
        [f"cells {cells:,}, periods {len(pair.stressed.periods)}, steps {steps}", ""],
        *([name, f"{value:.2f} s"] for name, value in spent.items()),
        ["our share of one run (at most 15 %)", f"{100 * ours / (ours + spent['mf6']):.1f} %"],
        ["importing FloPy and ours, once", f"{imported:.2f} s"],
        ["disk (under 50 MB), of it input, listing", f"{disk:.1f} MB", f"{inputs:.1f} MB", f"{listing:.1f} MB"],
        ["peak memory of ours and of mf6 (under 500 MB)", f"{_peak_mb():.0f} MB", f"{child:.0f} MB"],
        ["largest discrepancy", f"{float(np.abs(run.discrepancy).max()):.4f} %"],
    ]  # fmt: skip


MONTHS = Choices(
    ends=day_number(date(2035, 1, 1)), rhythm="monthly", stepping=Stepping(15.0, 1.2), growth=1.22, fine_m=3.0
)


def _layered() -> Scenario:
    random = np.random.default_rng(9)
    months = [date(2025 + k // 12, 1 + k % 12, 1) for k in range(120)]
    rates = [
        {"since": one, "rate": f"{rate:.0f} m3/d"}
        for one, rate in zip(months, random.uniform(400, 1_200, 120), strict=True)
    ]
    return Scenario.model_validate(
        {
            "unit": "m", "aquifer": {"transmissivity": "465 m2/d", "storativity": "0.15", "thickness": "24 m"},
            "layer": [
                {"id": "outwash", "bottom": "10 m", "conductivity": "30 m/d"},
                {"id": "till", "bottom": "14 m", "conductivity": "3 m/d"},
                {"id": "sandstone", "bottom": "24 m", "conductivity": "15 m/d"},
            ],
            "well": [{"id": "PW-1", "position": (0.0, 0.0), "rates": rates}],
            "stream": [{"id": "creek", "line": [(600.0, -9e3), (600.0, 9e3)], "conductance": "6 m/d"}],
            "point": [{"id": f"P{k}", "position": (150.0 * k, 220.0)} for k in range(1, 4)],
            "pit": {
                "polygon": [(-500.0, -150.0), (-200.0, -150.0), (-200.0, 150.0), (-500.0, 150.0)], "lowered": "5 m",
                "since": "2025-01-01",
            },
        }
    )  # fmt: skip


def _mine(pair: Pair) -> Pair:
    """The pit a metre deeper in every other month: both drains are written anew each month."""
    drain = pair.stressed.drains[0]
    odd = (np.arange(drain.active.size) % 2 == 1)[:, None]
    turns = (
        DrainStress("pit", drain.cells, np.where(odd, drain.elevation, np.nan), drain.conductance),
        DrainStress("deeper", drain.cells, np.where(odd, np.nan, drain.elevation - 1.0), drain.conductance),
    )
    return replace(pair, stressed=replace(pair.stressed, drains=turns))


def run_mf6(folder: Path, mf6: Program) -> None:
    done = subprocess.run([mf6.path], cwd=folder, capture_output=True, text=True, check=False)
    if "Normal termination" not in done.stdout:
        raise SystemExit(done.stdout[-500:])


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Seconds of processor time, ours and of the programs we start: another's load does not count."""
    before = os.times()
    found = work()
    return found, sum(os.times()[:4]) - sum(before[:4])


def _megabytes(folder: Path) -> float:
    return sum(one.stat().st_size for one in folder.iterdir()) / 1e6


# The grid -------------------------------------------------------------------------------------------------------------


def _grids() -> list[Row]:
    """The same well, time steps and distances of the ends; error after a year at the distances each grid can tell."""
    from benchmarks.quadtree import Cut, quadtree

    rows = [["grid", "cells", "mf6 cpu s", "from [m]", "worst [%]", "1/(% s)"]]
    for growth, fine in ((1.5, 2.0), (1.3, 2.0), (1.2, 2.0), (1.1, 2.0), (1.1, 1.0)):
        model = one_well(Choices(YEAR, "one", growth=growth, fine_m=fine)).stressed
        rows.append(_told(f"telescoped, {fine:g} m widening by {growth:g}", *_of_model(model), 10.0))
    for width in (200.0, 100.0, 50.0):
        rows.append(_told(f"uniform, {width:g} m", *_of_model(_uniform(width)), 2 * width))
    beside = one_well(Choices(YEAR, "one")).stressed
    for share in (0.6, 0.4, 0.25):
        found = quadtree(Cut(share), beside)
        name = f"DISV quadtree, 2 m, cells up to {share:g} of the distance"
        rows.append(_told(name, found.cells, found.seconds, found.drawdown, 10.0))
    return rows


def _streams() -> list[Row]:
    """Hunt's depletion over ten years with the steps for depletion: what each grid pays for a thousandth of Q."""
    from benchmarks.quadtree import Cut, quadtree

    rows = [["grid, stream at 300 m", "cells", "mf6 cpu s", "lambda 0.5", "lambda 8"]]
    steps = Choices(ENDS, "one", stepping=depletion_stepping(300.0, T, S))
    for growth in (1.5, 1.3, 1.15):
        for degrees, turned, words in (
            (0.0, True, ""),
            (37.0, True, ", aslant"),
            (37.0, False, ", aslant, not turned"),
        ):
            models = [_beside(replace(steps, growth=growth, turned=turned), lam, degrees) for lam in LAMBDAS]
            done = [_outcome(one) for one in models]
            worst = [_off_hunt(run.budget["creek"][1:], run, lam) for (run, _), lam in zip(done, LAMBDAS, strict=True)]
            spent = max(seconds for _, seconds in done)
            rows.append(_worst(f"telescoped, 2 m widening by {growth:g}{words}", models[0].active.size, spent, worst))
    run, _ = _outcome(_beside(replace(steps, growth=1.5), LAMBDAS[0]))
    for share, on_stream in ((0.6, 0.5), (0.4, 0.25), (0.25, 0.15), (0.25, 0.03), (0.15, 0.1), (0.1, 0.05)):
        found = [quadtree(Cut(share, on_stream, (300.0, lam)), run.model) for lam in LAMBDAS]
        worst = [_off_hunt(one.given, run, lam) for one, lam in zip(found, LAMBDAS, strict=True)]
        name = f"DISV quadtree, up to {share:g} of the distance, {on_stream:g} on the stream"
        rows.append(_worst(name, found[0].cells, max(one.seconds for one in found), worst))
    return rows


def _off_hunt(given: Numbers, run: Outcome, lam: float) -> float:
    days = (run.time - run.model.periods[0].length)[1:]
    return float(np.abs(given / Q - _hunt(300.0, lam, days)).max())


def _worst(name: str, cells: int, seconds: float, worst: list[float]) -> Row:
    return [name, f"{cells:,}", f"{seconds:.2f}", *(f"{one:.5f}" for one in worst)]


def one_well(choices: Choices) -> Pair:
    aquifer = {"kind": "confined", "transmissivity": f"{T} m2/d", "storativity": f"{S}", "thickness": "100 m"}
    well = {"id": "W", "position": (0.0, 0.0), "rate": f"{Q} m3/d", "since": "2025-01-01"}
    points = [{"id": f"{far:g}", "position": place(far)} for far in AWAY]
    return pair_of(Scenario.model_validate({"unit": "m", "aquifer": aquifer, "well": [well], "point": points}), choices)


def place(far: float) -> tuple[float, float]:
    return 0.8 * far, -0.6 * far


def _theis(days: float) -> Numbers:
    return np.asarray(Q / (4 * np.pi * T) * exp1(np.array(AWAY) ** 2 * S / (4 * T * days)))


def _of_model(model: NumericalModel) -> tuple[int, float, Numbers]:
    run, seconds = _outcome(replace(model, observed=()))
    heads = [sum(run.heads[-1][cell] * part for cell, part in between_centres(model, place(far), 0)) for far in AWAY]
    return model.active.size, seconds, -np.array(heads)


def _outcome(model: NumericalModel) -> tuple[Outcome, float]:
    from pipelines.modflow.read import read_outcome
    from pipelines.modflow.write import write

    with tempfile.TemporaryDirectory() as name:
        folder, mf6 = Path(name), program()
        write(model, folder, mf6)
        _, seconds = timed(lambda: run_mf6(folder, mf6))
        return read_outcome(model, folder), seconds


def _uniform(width: float) -> NumericalModel:
    """The telescoped model's ends, steps and stresses on cells of one width, the well in the middle of one."""
    telescoped = one_well(Choices(YEAR, "one")).stressed
    count = int(telescoped.grid.x_edges[-1] / width)
    edges = np.asarray((np.arange(-count, count + 2) - 0.5) * width, np.float64)
    cells = edges.size - 1
    flat = np.zeros((cells, cells))
    grid = Grid(edges, edges, flat, flat[None] - 100.0)
    well = replace(telescoped.wells[0], cells=(((0, count, count), 1.0),))
    ring = tuple((0, row, column) for row, column in grid.ring)
    far = replace(telescoped.fixed[0], cells=ring, head=np.zeros(len(ring)))
    return replace(
        telescoped, grid=grid, active=np.ones(grid.shape, np.int64), initial=flat[None], wells=(well,), fixed=(far,)
    )


def _told(name: str, cells: int, seconds: float, found: Numbers, least: float) -> Row:
    closed, far = _theis(YEAR - day_number(date(2025, 1, 1))), np.array(AWAY) >= least
    worst = 100 * float(np.abs(found[far] / closed[far] - 1).max())
    return [name, f"{cells:,}", f"{seconds:.2f}", f"{min(np.array(AWAY)[far]):.0f}", f"{worst:.2f}",
            f"{1 / worst / seconds:.2f}"]  # fmt: skip


# Time -----------------------------------------------------------------------------------------------------------------


def _times() -> list[Row]:
    """Hunt's depletion over ten years: the rule a question gets where it says nothing, and the rule for depletion."""
    rows = [["rule, stream at 300 m", "steps", "mf6 cpu s", "worst of Q"]]
    exact = Choices(ENDS, "one", stepping=depletion_stepping(300.0, T, S), growth=1.15)
    for name, choices in (("nothing said", Choices(ENDS, "one")), ("for depletion", exact)):
        for lam in LAMBDAS:
            run, seconds = _outcome(_beside(choices, lam))
            worst = _off_hunt(run.budget["creek"][1:], run, lam)
            rows.append([f"{name}, lambda {lam:g} m/d", f"{run.time.size - 1}", f"{seconds:.2f}", f"{worst:.5f}"])
    return rows


def _beside(choices: Choices, lam: float, degrees: float = 0.0) -> NumericalModel:
    """A well 300 m from a stream that runs so many degrees aslant."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    line = [(300.0 * c - far * s, 300.0 * s + far * c) for far in (-9e4, 9e4)]
    aquifer = {"kind": "confined", "transmissivity": f"{T} m2/d", "storativity": f"{S}", "thickness": "100 m"}
    well = {"id": "W", "position": (0.0, 0.0), "rate": f"{Q} m3/d", "since": "2025-01-01"}
    creek = {"id": "creek", "line": line, "conductance": f"{lam} m/d"}
    scenario = {"unit": "m", "aquifer": aquifer, "well": [well], "stream": [creek]}
    return pair_of(Scenario.model_validate(scenario), choices).stressed


def _hunt(distance: float, lam: float, days: Numbers) -> Numbers:
    a, b = np.sqrt(S * distance**2 / (4 * T * days)), lam**2 * days / (4 * S * T)
    return np.asarray(np.exp(-(a**2)) * (erfcx(a) - erfcx(a + np.sqrt(b))))


TASKS: dict[str, tuple[str, Callable[[], list[Row]]]] = {
    "cost": ("Three layers, ten years of months, Newton, a pit drained anew every month", _cost),
    "grids": ("One well for a year: error of drawdown at 10 m to a mile against Theis", _grids),
    "streams": ("A stream for ten years: what each grid pays for a thousandth of Hunt's depletion", _streams),
    "times": ("Steps of time: depletion of a stream against Hunt", _times),
}


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps(TASKS[sys.argv[1]][1]()))
    else:
        main()
