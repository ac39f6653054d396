"""What base-flow separation and shortfall spells cost on a thousand gauges: ``python -m benchmarks.streamflow``.

Thirty years of made-up daily flow at a thousand gauges, as one (day, station) table. Every number is taken in a process
of its own, so that the peak memory is that of one method. Nothing of ours compiles; a peer's first call, which may, is
not counted.
"""

from __future__ import annotations

import importlib
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.streamflow.day_states import DailyFlow
from models.streamflow.separation.methods import METHODS, separate
from models.streamflow.shortfall import judge
from models.streamflow.spell_runs import published_states, spell_runs
from models.streamflow.threshold import Threshold

ROOT = Path(__file__).resolve().parents[1]
YEARS, STATIONS = 30, 1000
FIRST_DAY = date(1994, 1, 1)
TOGETHER = ("lyne-hollick", "eckhardt", "hysep-sliding", "ukih")
TOGETHER_S, SPELLS_S = 5.0, 1.0
GROWTH = (1, 2, 4)
SAMPLE = 5
"""Stations of which a code that takes one at a time is measured."""
LOW_SHARE = 0.1
"""Share of days below the made-up base flow."""
PEERS = ("baseflow", "baseflowx", "hydrosignatures")
KM2_PER_MI2 = 2.589988110336


def main() -> None:
    """Print a table of every method, the growth with the record, the spells, and the peers."""
    cost = {name: _measured("separation", name, YEARS, STATIONS) for name in METHODS}
    _print_methods(cost)
    _print_growth()
    _print_spells()
    for peer in PEERS:
        _print_peer(peer, cost)


def made_up_flow(years: int, stations: int) -> NDArray[np.float64]:
    """float64[day, station]: a daily recession of 0.93 towards 2, and a shower every tenth day, to 0.01 [cfs]."""
    days = round(years * 365.25)
    random = np.random.default_rng(820)
    flow, level = np.empty((days, stations)), np.full(stations, 5.0)
    for day in range(days):
        showers = (random.random(stations) < 0.1) * random.exponential(20, stations)
        level = 2 + 0.93 * (level - 2) + showers
        flow[day] = np.round(level, 2)
    return flow


# One measurement in a process of its own -----------------------------------------------------------------------------


def _measured(task: str, *arguments: object) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.streamflow", task, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _separation(name: str, years: str, stations: str) -> dict[str, float]:
    flow = made_up_flow(int(years), int(stations))
    given = {"area_mi2": _areas(flow.shape[1]), "alpha": 0.98, "smoothing": 0.05, "c": 0.05, "alpha_s": -0.5}
    needed = {one.key: given[one.key] for one in METHODS[name].parameters if one.default is None}
    return {"s": _timed(lambda: separate(name, flow, **needed)), "peak MB": _peak_mb()}


def _areas(stations: int) -> NDArray[np.float64]:
    return np.geomspace(1, 5000, stations)


def _spells() -> dict[str, float]:
    """The judgement with its reasons, one gauge after the other, and the spells alone, all gauges at once."""
    flow = made_up_flow(YEARS, STATIONS)
    low = np.round(np.quantile(flow, LOW_SHARE, axis=0), 2)
    records = [_record(column) for column in flow.T[:SAMPLE]]
    thresholds = [Threshold.constant(Decimal(f"{value:.2f}")) for value in low[:SAMPLE]]
    judged = _timed(lambda: [judge(*pair) for pair in zip(records, thresholds, strict=True)])
    together = _timed(lambda: spell_runs(published_states(flow, low)))
    return {"judged s": judged / SAMPLE, "runs s": together, "peak MB": _peak_mb()}


def _record(column: NDArray[np.float64]) -> list[DailyFlow]:
    return [DailyFlow(FIRST_DAY + timedelta(days=k), Decimal(f"{value:.2f}")) for k, value in enumerate(column)]


def _timed(work: Callable[[], object]) -> float:
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def _peak_mb() -> float:
    """Linux hands the parent's peak on to ``ru_maxrss`` of a child; the kernel's own mark of this process does not."""
    status = Path("/proc/self/status")
    if status.is_file():
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# Other packages -------------------------------------------------------------------------------------------------------

Peer = dict[str, Callable[[NDArray[np.float64], float], object]]
"""Our name of a method: theirs on (flow [day], area [mi2])."""


def _baseflow(package: Any) -> Peer:
    """Two constrained passes without mirrored days; area in km2; smoothed minima filled up at the ends."""
    of = importlib.import_module(f"{package.__name__}.methods")
    return {
        "lyne-hollick": lambda q, _: of.LH(q),
        "eckhardt": lambda q, _: of.Eckhardt(q, of.LH(q), 0.98, 0.80),
        "hysep-sliding": lambda q, area: of.Slide(q, area * KM2_PER_MI2),
        "ukih": lambda q, _: of.UKIH(q, of.LH(q)),
    }


def _baseflowx(package: Any) -> Peer:
    return {
        "lyne-hollick": lambda q, _: package.lh_multi(q, num_pass=3),
        "eckhardt": lambda q, _: package.eckhardt(q, a=0.98, BFImax=0.80),
        "hysep-sliding": lambda q, area: package.slide(q, area * KM2_PER_MI2),
        "ukih": lambda q, _: package.ukih(q, package.lh(q)),
    }


def _hydrosignatures(package: Any) -> Peer:
    return {"lyne-hollick": lambda q, _: package.baseflow(q, alpha=0.925, n_passes=3)}


ADAPTERS: dict[str, Callable[[Any], Peer]] = {
    "baseflow": _baseflow, "baseflowx": _baseflowx, "hydrosignatures": _hydrosignatures,
}  # fmt: skip


def _peer(name: str) -> dict[str, float]:
    """Seconds a station, by method."""
    flow, area = made_up_flow(YEARS, SAMPLE + 1), _areas(SAMPLE + 1)
    methods = ADAPTERS[name](importlib.import_module(name))
    columns = [np.ascontiguousarray(column) for column in flow.T]
    found: dict[str, float] = {}
    for method, work in methods.items():
        work(columns[0], area[0])
        found[method] = _timed(lambda w=work: [w(*pair) for pair in zip(columns[1:], area[1:], strict=True)]) / SAMPLE  # type: ignore[misc]
    return found


# The tables -----------------------------------------------------------------------------------------------------------


def _print_methods(cost: dict[str, dict[str, float]]) -> None:
    table_mb = round(YEARS * 365.25) * STATIONS * 8 / 1e6
    print(f"\n{STATIONS} stations, {YEARS} years of days: a table of {table_mb:.0f} MB")
    for name, one in cost.items():
        print(f"{name:<16}{one['s']:8.2f} s{one['peak MB']:8.0f} MB peak")
    total = sum(cost[name]["s"] for name in TOGETHER)
    print(f"{' + '.join(TOGETHER)}: {total:.2f} s (wanted: under {TOGETHER_S:g} s)")


def _print_growth() -> None:
    print(f"\nGrowth with the record, {STATIONS // 4} stations")
    print(f"{'':<16}" + "".join(f"{factor * YEARS:>10} y" for factor in GROWTH))
    for name in TOGETHER:
        cells = [_measured("separation", name, factor * YEARS, STATIONS // 4)["s"] for factor in GROWTH]
        print(f"{name:<16}" + "".join(f"{one:>10.2f} s" for one in cells))


def _print_spells() -> None:
    found = _measured("spells")
    print(f"\nShortfall spells, {STATIONS} stations, {YEARS} years (wanted: under {SPELLS_S:g} s)")
    print(f"judged one by one{found['judged s'] * STATIONS:8.1f} s, of {SAMPLE} stations times {STATIONS // SAMPLE}")
    print(f"all at once      {found['runs s']:8.2f} s, states and spells with triggers, bounds and status, no reasons")


def _print_peer(peer: str, cost: dict[str, dict[str, float]]) -> None:
    try:
        importlib.import_module(peer)
    except ImportError:
        print(f"\n{peer}: not installed, skipped")
        return
    print(f"\n{peer}, {SAMPLE} stations times {STATIONS // SAMPLE}")
    for method, seconds in _measured("peer", peer).items():
        print(f"{method:<16}{seconds * STATIONS:8.2f} s; ours{cost[method]['s']:8.2f} s")


TASKS: dict[str, Callable[..., dict[str, float]]] = {"separation": _separation, "spells": _spells, "peer": _peer}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(TASKS[sys.argv[1]](*sys.argv[2:])))
    else:
        main()
