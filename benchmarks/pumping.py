"""What it costs to make daily rates of meter readings: twenty years of daily readings of twenty meters.

Run ``python -m benchmarks.pumping``. Imports excluded, the best of three. Target: under one second.
"""

from __future__ import annotations

import time
from datetime import date
from decimal import Decimal
from zoneinfo import ZoneInfo

METERS, FIRST, LAST, ROUNDS = 20, date(2005, 1, 1), date(2024, 12, 31), 3
DAY_MS, READ_AT_MS = 86_400_000, 7 * 3_600_000
ZONE = ZoneInfo("America/Chicago")


def main() -> None:
    """Print days made, seconds and what is left of the volume: nothing."""
    from models.metered_volumes import Interval
    from models.pumping_days import daily, midnight_ms

    start = midnight_ms(ZONE, FIRST) + READ_AT_MS
    count = (LAST - FIRST).days
    records = [
        [Interval(start + k * DAY_MS, start + (k + 1) * DAY_MS, round(250.1 * (k % 977 + meter), 1), "", f"1:{k}")
         for k in range(count)]
        for meter in range(METERS)
    ]  # fmt: skip
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        found = [daily(one, ZONE, FIRST, LAST, Decimal(1_000_000)) for one in records]
        best = min(best, time.perf_counter() - began)
    print(f"daily rates\t{METERS * len(found[0].days)} days\t{best:.2f} s")


if __name__ == "__main__":
    main()
