"""What drawdown and stream depletion of long pumping histories cost: ``python -m benchmarks.aquifer``.

Every task runs in a process of its own, so that the peak memory is its own; ours and the plain way stand in the same
process, one after the other, warm, best of seven. The plain way is what a careful hydrologist writes with scipy: E1
over an array; step responses computed once and convolved by BLAS; a loop over the changes of all wells at once.
"""

from __future__ import annotations

import importlib
import json
import re
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import toeplitz
from scipy.special import erfcx, exp1

from models.aquifer.cone import PumpedWell, cone
from models.aquifer.hunt import hunt_depletion_fraction
from models.aquifer.pumping_history import depletion_history, drawdown_history
from models.aquifer.superposition import superpose
from models.aquifer.theis import theis_drawdown
from models.aquifer.theis_table import well_function_by_table

ROOT = Path(__file__).resolve().parents[1]
REPEATS = 7
T, S = 500.0, 0.05  # [m2/d], [-]
SIDE, EXTENT_M = 500, 2500.0
WELLS, DAYS, POINTS = 20, 365, 50
STREAM_WELLS, STREAM_DAYS = 50, 3650
READINGS = 520
PEERS = ("pycap", "anaflow", "welltestpy", "ttim")
PYCAP_S = 0.87
"""`WellResponse.depletion` of pycap-dss 1.3.1 for the fifty wells, measured on two cores where it was installed."""

Table = NDArray[np.float64]


def main() -> None:
    """Print every task beside its plain way, then the peers that are installed."""
    for name, (title, _) in TASKS.items():
        _print(title, _measured(name))
    for peer in PEERS:
        _print_peer(peer)


# Tasks ----------------------------------------------------------------------------------------------------------------


def _one_time() -> dict[str, float]:
    square = _map(SIDE)
    u, distance = square * S / (4 * T * 30), np.sqrt(square)
    per_unit = 1000 / (4 * np.pi * T)
    found = {
        "plain: exp1 alone": _best(lambda: exp1(u)),
        "W by table": _best(lambda: well_function_by_table(u)),
        "ours: theis_drawdown": _best(lambda: theis_drawdown(1000.0, T, S, distance, 30.0)),
    }
    error = np.abs(theis_drawdown(1000.0, T, S, distance, 30.0) - per_unit * exp1(u)).max()
    return _told(found, error, wanted=5)


def _daily_drawdown() -> dict[str, float]:
    given = _wells()
    before = _peak_mb()
    found = {"ours: drawdown_history": _best(lambda: drawdown_history(*given, T, S))}
    memory = {"peak MB of ours": _peak_mb(), "of which imports and data": before}
    found["plain: exp1 and BLAS"] = _best(lambda: _by_blas(*given), 3)
    error = np.abs(drawdown_history(*given, T, S) - _by_blas(*given)).max()
    return {**_told(found, error, wanted=4), **memory}


def _wells() -> tuple[Table, Table, Table, Table, Table]:
    random = np.random.default_rng(20)
    axis = np.linspace(-2000, 2000, POINTS)
    points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    rates = random.uniform(0, 2000, (WELLS, DAYS))
    return random.uniform(-1000, 1000, (WELLS, 2)), rates, np.arange(DAYS + 1.0), points, np.arange(1.0, DAYS + 1)


def _by_blas(wells: Table, rates: Table, _edges: Table, points: Table, times: Table) -> Table:
    total = np.zeros((len(points), len(times)))
    for well, rate in zip(wells, rates, strict=True):
        square = ((points - well) ** 2).sum(axis=1)
        response = exp1(square[:, np.newaxis] * S / (4 * T * times)) / (4 * np.pi * T)
        changes = np.diff(rate, prepend=0.0)
        total += response @ toeplitz(np.r_[changes[0], np.zeros(len(times) - 1)], changes)
    return total


def _daily_depletion() -> dict[str, float]:
    rates, distance, conductance = _stream_wells()
    edges = np.arange(STREAM_DAYS + 1.0)
    times = edges[1:]

    def ours() -> Table:
        return depletion_history(rates, edges, times, T, S, distance, conductance)

    found = {
        "ours: depletion_history": _best(ours),
        "plain: cached response, loop over changes": _best(lambda: _by_loop(rates, distance, conductance, times), 3),
        "plain: erfcx for every change, of 20 times": _every_change(rates, distance, conductance, times),
    }
    error = np.abs(ours() - _by_loop(rates, distance, conductance, times)).max()
    ratio = PYCAP_S / found["ours: depletion_history"]
    against = {"times faster than pycap-dss as measured": ratio, "wanted: times faster than pycap-dss": 20.0}
    return {**_told(found, error), **against, "peak MB": _peak_mb()}


def _stream_wells() -> tuple[Table, Table, Table]:
    random = np.random.default_rng(50)
    rates = random.uniform(0, 2000, (STREAM_WELLS, STREAM_DAYS))
    return rates, random.uniform(50, 1000, STREAM_WELLS), random.uniform(0.1, 2, STREAM_WELLS)


def _by_loop(rates: Table, distance: Table, conductance: Table, times: Table) -> Table:
    response = hunt_depletion_fraction(T, S, distance[:, np.newaxis], conductance[:, np.newaxis], times)
    changes, total = np.diff(rates, prepend=0.0, axis=1), np.zeros(rates.shape)
    for day in range(len(times)):
        total[:, day:] += changes[:, day : day + 1] * response[:, : len(times) - day]
    return total


def _every_change(rates: Table, distance: Table, conductance: Table, times: Table) -> float:
    """Seconds for all, from a twentieth of the wells' changes."""
    changes = np.diff(rates, prepend=0.0, axis=1)

    def some() -> None:
        total = np.zeros(rates.shape)
        for day in range(0, len(times), 20):
            a = distance[:, np.newaxis] * np.sqrt(S / (4 * T * times[: len(times) - day]))
            root_b = conductance[:, np.newaxis] * np.sqrt(times[: len(times) - day] / (4 * S * T))
            total[:, day:] += changes[:, day : day + 1] * np.exp(-(a**2)) * (erfcx(a) - erfcx(a + root_b))

    return 20 * _best(some, 1)


def _irregular() -> dict[str, float]:
    """Meter readings about weekly, at no hour in particular, and every day asked for: one receptor, then a map."""
    random = np.random.default_rng(52)
    starts, rates = np.cumsum(random.uniform(5, 9, READINGS)), random.uniform(0, 2000, READINGS)
    at = np.arange(0.0, STREAM_DAYS)

    def response(elapsed: Table) -> Table:
        return hunt_depletion_fraction(T, S, 300.0, 0.5, elapsed)

    found = {
        "ours": _best(lambda: superpose(starts, rates, at, response, diffusive=True)),
        "plain: every pair of a change and a day": _best(lambda: superpose(starts, rates, at, response), 3),
    }
    error = np.abs(
        superpose(starts, rates, at, response, diffusive=True) - superpose(starts, rates, at, response)
    ).max()
    return _told(found, error)


def _cone() -> dict[str, float]:
    """The night's map of 40,000 points: a constant rate, then ten years of days."""
    axis = np.linspace(-1500.0, 2500.0, 200)
    day = np.arange(3650.0)

    def drawn(*schedule: Table) -> float:
        well = PumpedWell((400.0, 0.0), 400.0, (0.0, 0.0), (1.0, 0.0), *schedule)
        return _best(lambda: cone([well], T, S, 0.8, axis, axis, 3650.0, nearest=0.5), 3)

    return {
        "ours: constant rate": drawn(np.array([0.0]), np.array([1500.0])),
        "ours: ten years of days": drawn(day, 1500 + 400 * np.sin(day / 7)),
    }


TASKS: dict[str, tuple[str, Callable[[], dict[str, float]]]] = {
    "one time": (f"One well, {SIDE**2:,} points, one time", _one_time),
    "drawdown": (f"{WELLS} wells, {DAYS} daily rates, {POINTS**2:,} points, {DAYS} times", _daily_drawdown),
    "depletion": (f"{STREAM_WELLS} wells, ten years of daily Hunt 1999 depletion", _daily_depletion),
    "irregular": (f"{READINGS} irregular readings, {STREAM_DAYS:,} days, one stream", _irregular),
    "cone": ("Hunt cone of 40,000 points", _cone),
}


def _map(side: int) -> Table:
    """Squared distances of a square map from a well a little off its middle [m2]."""
    x, y = np.meshgrid(*[np.linspace(-EXTENT_M, EXTENT_M, side)] * 2)
    return np.asarray((x - 3.3) ** 2 + (y + 1.7) ** 2)


def _best(work: Callable[[], object], repeats: int = REPEATS) -> float:
    work()
    spent = []
    for _ in range(repeats):
        before = time.perf_counter()
        work()
        spent.append(time.perf_counter() - before)
    return min(spent)


def _told(found: dict[str, float], error: float, wanted: float | None = None) -> dict[str, float]:
    """Seconds of each way, the ratio of the first plain one to ours, and the largest difference between the two."""
    ours = next(found[name] for name in found if name.startswith("ours"))
    plain = next(found[name] for name in found if name.startswith("plain"))
    told = {**found, "times faster than plain": plain / ours, "largest difference [m or m3/d]": float(error)}
    return told if wanted is None else {**told, "wanted: times faster": wanted}


def _peak_mb() -> float:
    """Linux hands the parent's peak on to ``ru_maxrss`` of a child; the kernel's own mark of this process does not."""
    status = Path("/proc/self/status")
    if status.is_file():
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# Other packages -------------------------------------------------------------------------------------------------------


def _pycap(package: Any) -> dict[str, float]:
    """Its depletion is asked for at every change, of one well and every hundredth change; times 5,000."""
    rates, distance, conductance = _stream_wells()
    changes, times = np.diff(rates[0], prepend=0.0), np.arange(1.0, STREAM_DAYS + 1)
    bed = {"streambed_conductance": conductance[0]}

    def some() -> None:
        for day in range(0, STREAM_DAYS, 100):
            package.hunt_99_depletion(T, S, times[: STREAM_DAYS - day], distance[0], changes[day], **bed)

    far = np.sqrt(_map(SIDE)).ravel()
    return {
        "one time": _best(lambda: package.theis_drawdown(T, S, 30.0, far, 1000.0)),
        "depletion, every change by itself": 100 * STREAM_WELLS * _best(some, 1),
    }


def _anaflow(package: Any) -> dict[str, float]:
    distance = np.sqrt(_map(SIDE)).ravel()
    return {
        "one time": _best(lambda: package.theis(time=[30.0], rad=distance, storage=S, transmissivity=T, rate=-1000.0))
    }


ADAPTERS: dict[str, Callable[[Any], dict[str, float]]] = {"pycap": _pycap, "anaflow": _anaflow}
"""welltestpy has no forward model of its own; ttim solves in the Laplace plane, some hundred times slower than E1."""


def _peer(name: str) -> dict[str, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ADAPTERS[name](importlib.import_module(name))


# The tables -----------------------------------------------------------------------------------------------------------


def _measured(*arguments: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.aquifer", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _print(title: str, found: dict[str, float]) -> None:
    print(f"\n{title}")
    for name, value in found.items():
        print(f"{name:<44}{_cell(name, value):>14}")


def _cell(name: str, value: float) -> str:
    if "difference" in name:
        return f"{value:.1e}"
    if "MB" in name or "imports" in name:
        return f"{value:.0f} MB"
    return f"x {value:.1f}" if "times faster" in name else f"{value:.4f} s"


def _print_peer(peer: str) -> None:
    try:
        importlib.import_module(peer)
    except ImportError:
        print(f"\n{peer}: not installed, skipped")
        return
    if peer not in ADAPTERS:
        print(f"\n{peer}: installed; nothing of it is comparable")
        return
    _print(f"{peer} (time only: its numbers are not compared)", _measured("peer", peer))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(_peer(sys.argv[2])))
    elif len(sys.argv) == 2:
        print(json.dumps(TASKS[sys.argv[1]][1]()))
    else:
        main()
