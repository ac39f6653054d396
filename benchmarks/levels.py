"""What logger levels cost: ``python -m benchmarks.levels``: ten years at 15 minutes in forty wells.

Compensated by one barologger and corrected by eight steps each. The plain way is what a hydrologist writes with numpy
for one well whose clock is right: interpolate the air, subtract, add one offset and one line. Best of three, warm.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from models.levels.daily import daily_levels
from models.levels.flagged import flagged
from models.levels.record import Air, LevelRecord, Stored, level_record
from models.levels.steps import Kind, Step
from models.quality_setting import QualityTests
from models.site import Barologger, Logger, MeasuringPoint, Well
from models.streamflow.practice import PRACTICE

WELLS, YEARS, STEP_MS = 40, 10, 900_000
N = YEARS * 365 * 96
START = round(datetime(2015, 1, 1, tzinfo=UTC).timestamp() * 1000)
ZONE = ZoneInfo("America/Chicago")
GAP_MS = 6 * 3_600_000
YEAR_MS = N * STEP_MS // YEARS
WANTED_S = 10.0
REPEATS = 3

Numbers = NDArray[np.float64]


def main() -> None:
    """Print what the forty wells cost, beside the plain way, then what tests and daily means add."""
    times, air_ft, heads = _made_up()
    air = Air(Barologger(id="BARO", serial="1"), times, air_ft, GAP_MS)
    ours = _best(lambda: _every(times, heads, air))
    plain = _best(lambda: [_plain(times, head, times, air_ft) for head in heads])
    print(f"{WELLS} wells x {N} readings, {len(_steps())} steps each")
    print(f"  compensation and corrections  {ours:6.2f} s (wanted: under {WANTED_S:.0f} s)")
    print(f"  plain numpy                   {plain:6.2f} s, ratio {ours / plain:.2f}")
    record = _one(times, heads[0], air)
    tests = _best(lambda: flagged(record, ZONE))
    found = flagged(record, ZONE)
    days = _best(lambda: daily_levels(record, found, ZONE, PRACTICE))
    print(f"  of one well: every quality test {tests:.2f} s, daily means {days:.2f} s")


def _made_up() -> tuple[NDArray[np.int64], Numbers, list[Numbers]]:
    random = np.random.default_rng(10)
    times = START + STEP_MS * np.arange(N, dtype=np.int64)
    air = 33 + 0.02 * np.cumsum(random.normal(0, 0.05, N))
    season = 2 * np.sin(2 * np.pi * np.arange(N) / (365 * 96))
    return times, air, [air + 15 + season + random.normal(0, 0.005, N) for _ in range(WELLS)]


def _well() -> Well:
    limits = QualityTests(
        since=date(2000, 1, 1), suspect_outside_ft=(Decimal(0), Decimal(60)), rate_ft_per_h=Decimal(2),
        spike_suspect_ft=Decimal(1), flat_suspect_h=Decimal(24),
    )  # fmt: skip
    return Well(
        id="MW", use="monitoring", position=(0.0, 0.0), quality_test=(limits,),
        measuring_point=tuple(_points()), logger=tuple(_loggers()),
    )  # fmt: skip


def _points() -> list[MeasuringPoint]:
    above = Decimal(2)
    return [MeasuringPoint(since=date(year, 1, 1), elevation_ft=Decimal(1000), height_above_land_ft=above)
            for year in (2010, 2020)]  # fmt: skip


def _loggers() -> list[Logger]:
    return [Logger(serial="7", since=date(year, 1, 1), kind="absolute", hung_below_mp_ft=Decimal(40),
                   barologger="BARO") for year in (2010, 2018)]  # fmt: skip


def _steps() -> list[Step]:
    def step(kind: Kind, number: int, **parameters: str) -> Step:
        start = START + number * YEAR_MS
        known = {name: Decimal(text) for name, text in parameters.items()}
        when = datetime(2026, 1, 1, tzinfo=UTC)
        return Step(f"{kind}{number}", kind, known, start, start + YEAR_MS, "A. Example", when, "made up", "7")

    return [
        *(step("clock", one, fast_at_start_s="0", fast_at_end_s="300") for one in (1, 3)),
        *(step("drift", one, at_start_ft="0", at_end_ft="0.1") for one in (0, 2, 4)),
        *(step("tie", one, offset_ft="-0.12") for one in (5, 6)),
        step("cable", 7, deeper_ft="0.5"),
    ]


def _one(times: NDArray[np.int64], head: Numbers, air: Air) -> LevelRecord:
    return level_record(_well(), Stored("7", times, head), [air], _steps(), ZONE)


def _every(times: NDArray[np.int64], heads: list[Numbers], air: Air) -> None:
    for head in heads:
        _one(times, head, air)


def _plain(times: NDArray[np.int64], head: Numbers, baro: NDArray[np.int64], air_ft: Numbers) -> Numbers:
    depth = 40 - (head - np.interp(times, baro, air_ft))
    late = times >= START + YEAR_MS
    depth[late] -= 0.12
    depth += 0.1 * (times - times[0]) / (times[-1] - times[0])
    shifted: Numbers = depth - 2
    return shifted


def _best(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return min(taken)


if __name__ == "__main__":
    main()
