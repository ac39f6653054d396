"""A million laboratory results against every standard of NR 140, beside a bare merge and compare in pandas.

    python -m benchmarks.quality

Each measurement runs in a process of its own, which makes the results first; only the judgement is timed. ``usual``: a
laboratory's three figures, few limits of detection for each substance. ``distinct``: every number has nine figures and
hardly two are alike. ``limits``: each result carries its own LOD and LOQ besides, which no laboratory reports.
The bare merge knows no LOD, LOQ, unit text, sum or confirmation, and compares doubles: it is the floor, not a rival.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.checks.quality_columns import verdict_columns
from models.checks.quality_table import plain_terms
from models.checks.quality_verdicts import verdicts
from models.observation import DAY_MS
from models.parameters import parameter
from models.standards import law_of

ROOT = Path(__file__).resolve().parents[1]
RESULTS, STATIONS, A_SAMPLE = 1_000_000, 400, 100
FIRST_DAY = date(2010, 1, 4)
DAYS_APART = 91
LOTS, NON_DETECTS, SEED = 6, 0.55, 140
WITHIN_S, WITHIN_GB = 10.0, 1.5
KINDS = ("usual", "distinct", "limits")
TERMS = plain_terms(law_of("nr140"))


def made_up_results(kind: str, count: int) -> pd.DataFrame:
    """Results of all substances at many wells, quarter by quarter, in the columns of ``Observations.rows``."""
    random = np.random.default_rng(SEED)
    names = [name for name in TERMS.law.parameters if parameter(name).canonical_unit in {"ug/L", "mg/L"}]
    visit, place = np.divmod(np.arange(count), A_SAMPLE)
    which = (place + 37 * visit) % len(names)
    station, quarter = visit % STATIONS, visit // STATIONS
    lod = _limits(random, names, which, visit, kind)
    x = lod * np.exp(random.normal(1.5, 1.5, count))
    found = random.random(count) > NON_DETECTS
    first = (FIRST_DAY - date(1970, 1, 1)).days
    days = first + quarter * DAYS_APART + station % 60
    calendar = {int(day): date.fromordinal(date(1970, 1, 1).toordinal() + int(day)) for day in np.unique(days)}
    units = [parameter(name).canonical_unit for name in names]
    return pd.DataFrame({
        "station": [f"W-{one:03}" for one in station], "parameter": [names[k] for k in which], "series": "",
        "unit": [units[k] for k in which], "clock": "day", "time_ms": days * DAY_MS,
        "day": [calendar[day] for day in days.tolist()],
        "value": np.where(found, x, np.nan), "value_text": _texts(x, found, kind),
        "flags": _flags(x, found, lod, visit, kind), "row_id": [f"0123456789:{k}" for k in range(count)],
    })  # fmt: skip


def _limits(
    random: np.random.Generator, names: list[str], which: NDArray[np.int64], visit: NDArray[np.int64], kind: str
) -> NDArray[np.float64]:
    """An LOD for each result around the lowest standard of its substance: one of a few that its laboratory has had."""
    lowest = np.array([_lowest(name) for name in names])[which]
    lot = 0.02 * 2.0 ** (visit // STATIONS % LOTS)
    return lowest * (lot if kind != "limits" else lot * random.uniform(1, 2, len(which)))


def _lowest(name: str) -> float:
    unit = parameter(name).canonical_unit
    own = [float(one.in_unit(unit)) for one in TERMS.law.of(name) if not one.detection_only]
    return min(own, default=1.0)


def _texts(x: NDArray[np.float64], found: NDArray[np.bool_], kind: str) -> list[str]:
    figures = 3 if kind == "usual" else 9
    told = zip(x.tolist(), found.tolist(), strict=True)
    return [np.format_float_positional(one, figures, fractional=False) if seen else "ND" for one, seen in told]


def _flags(
    x: NDArray[np.float64], found: NDArray[np.bool_], lod: NDArray[np.float64], visit: NDArray[np.int64], kind: str
) -> list[str]:
    """ND or J, both limits, and the sample."""
    mark = np.where(~found, ":ND", np.where(x < 3.3 * lod, ":J", ""))
    written: dict[float, str] = {}
    told = zip(mark.tolist(), lod.tolist(), visit.tolist(), strict=True)
    return [f"{how};{_limits_text(at, kind, written)};sample=S{sample}" for how, at, sample in told]


def _limits_text(lod: float, kind: str, written: dict[float, str]) -> str:
    if lod not in written:
        figures = 2 if kind != "limits" else 6
        texts = [np.format_float_positional(one, figures, fractional=False) for one in (lod, 3.3 * lod)]
        written[lod] = f"lod={texts[0]};loq={texts[1]}"
    return written[lod]


# One measurement in a process of its own -----------------------------------------------------------------------------


def _judged(kind: str, count: str) -> dict[str, float]:
    frame = made_up_results(kind, int(count))
    before = _peak_mb()
    kept: list[pd.DataFrame] = []
    seconds = _timed(lambda: kept.append(verdict_columns(verdicts(TERMS, frame))))
    (table,) = kept
    attained = int((table["nr140_status"] == "attained").sum())
    return {
        "s": seconds, "comparisons": len(table), "attained": attained, "texts": frame["value_text"].nunique(),
        "input MB": before, "peak MB": _peak_mb(),
    }  # fmt: skip


def _bare(kind: str, count: str) -> dict[str, float]:
    """A join on the substance and one comparison of doubles."""
    frame = made_up_results(kind, int(count))[["parameter", "value"]]
    own = [
        (one.parameter, one.kind, one.table, float(one.in_unit(parameter(one.parameter).canonical_unit)))
        for one in TERMS.law.rows
        if not one.detection_only
    ]
    law = pd.DataFrame(own, columns=["parameter", "kind", "table", "limit"])

    def work() -> pd.DataFrame:
        table = frame.merge(law, on="parameter")
        return table.assign(attained=table["value"] >= table["limit"])

    return {"s": _timed(work), "peak MB": _peak_mb()}


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


def _measured(task: str, *arguments: object) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.quality", task, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Print the table."""
    bare = _measured("bare", "usual", RESULTS)
    print(f"\n{RESULTS:,} results against every standard (wanted: under {WITHIN_S:g} s and {WITHIN_GB:g} GB)")
    print(f"bare merge and compare{bare['s']:8.2f} s{bare['peak MB'] / 1000:8.2f} GB")
    for kind in KINDS:
        one = _measured("judged", kind, RESULTS)
        print(
            f"{kind:<22}{one['s']:8.2f} s{one['peak MB'] / 1000:8.2f} GB, of which {one['input MB'] / 1000:.2f} the "
            f"results; {one['comparisons']:,.0f} comparisons of {one['texts']:,.0f} texts, {one['attained']:,.0f} "
            f"attained; {one['s'] / bare['s']:.1f} times the bare merge"
        )


TASKS: dict[str, Callable[[str, str], dict[str, float]]] = {"judged": _judged, "bare": _bare}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(TASKS[sys.argv[1]](*sys.argv[2:])))
    else:
        main()
