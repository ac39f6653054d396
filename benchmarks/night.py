"""What a night costs, where it goes, and whether it grows with the record: ``make bench``.

Every number is taken in a process of its own, so that imports and peak memory are those of a real night. The record
grows backwards: the baseline year is repeated into the past, fifteen-minute flow and weekly meter readings beside it,
and mining begins that much earlier. Each night then takes the same files.
"""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[1]
BASELINE = date(2025, 6, 30)
NIGHTS = {
    date(2025, 7, 28): "A night with a private well modelled at risk, 6 files",
    date(2025, 9, 25): "An ordinary night, 7 files",
    date(2025, 9, 26): "A quiet night, no file",
}
FACTORS = (1, 4, 16)
RECORD_YEARS = 2
DATED = ("mining_began", "granted", "since", "effective", "record_from", "record_to", "signed_on")
QUARTER_HOUR_MS = 900_000
WEEK_MS = 7 * 86_400_000
PARTS = (
    "imports",
    "opening",
    "reading files",
    "storing rows",
    "daily record",
    "checks",
    "models",
    "cases",
    "mails",
    "sending",
)


def main() -> None:
    """Measure the baseline load, and three kinds of night on ever longer records; print a table of each."""
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "1"
        _fresh(one, 0)
        _print("The baseline load, 43 files", {"1x": _measured(one, BASELINE)})
        history = _history(one)
        found: dict[date, dict[str, dict[str, float]]] = {on: {} for on in NIGHTS}
        for factor in FACTORS:
            site = Path(folder) / f"{factor}x"
            rows = _grown(site, (factor - 1) * RECORD_YEARS, history)
            for on, measured in _nights(site):
                found[on][f"{factor}x ({rows / 1e6:.2f} M rows)"] = measured
            shutil.rmtree(site)
        for on, columns in found.items():
            _print(NIGHTS[on], columns)


def _nights(site: Path) -> Iterator[tuple[date, dict[str, float]]]:
    """Run every night up to the last that is measured, and measure those."""
    from sample_data import demo

    arrives = {on: files for on, files in demo.deliveries() if BASELINE < on <= max(NIGHTS)}
    for on in sorted({*arrives, *NIGHTS}):
        demo.deliver(site, arrives.get(on, []))
        if on in NIGHTS:
            yield on, _measured(site, on)
        else:
            demo.run_night(site, on)


# One night in a process of its own -----------------------------------------------------------------------------------


def _measured(site: Path, on: date) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.night", str(site), on.isoformat()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _one_night(site: Path, on: date) -> dict[str, float]:
    """Exclusive seconds of every part, their sum, and the peak of resident memory [MB]."""
    clock = Stopwatch()
    with clock.part("imports"):
        import click  # noqa: F401 what the command line itself needs

        from models import evaluate, pumping
        from pipelines import daily as daily_record
        from pipelines import database, inbox, night, outbox, post
        from pipelines.commands import nightly  # noqa: F401
        from sample_data import demo
    clock.wrap(inbox, "read", "reading files")
    clock.wrap(inbox, "place", "reading files")
    clock.wrap(inbox, "take", "storing rows")
    clock.wrap(daily_record, "derive", "daily record")
    clock.wrap(evaluate, "findings", "checks")
    for name in ("depletion_cfs", "drawdown_ft", "over_since"):
        clock.wrap(pumping, name, "models")
    clock.wrap(night, "judge", "cases")
    clock.wrap(post, "compose", "mails")
    clock.wrap(outbox, "deliver", "sending")
    clock.wrap(database, "_bring_to_head", "opening")
    with clock.part("other"):
        demo.run_night(site, on)
    return {**clock.spent, "total": sum(clock.spent.values()), "peak MB": _peak_mb()}


def _peak_mb() -> float:
    """Linux hands the parent's peak on to ``ru_maxrss`` of a child; the kernel's own mark of this process does not."""
    status = Path("/proc/self/status")
    if status.is_file():
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Stopwatch:
    """Exclusive wall time by part: while an inner part runs, the outer one stands still."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._running: list[str] = []
        self._since = 0.0

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        self._book()
        self._running.append(name)
        yield
        self._book()
        self._running.pop()

    def wrap(self, owner: Any, name: str, part: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def timed(*arguments: Any, **options: Any) -> Any:
            with self.part(part):
                return original(*arguments, **options)

        setattr(owner, name, timed)

    def _book(self) -> None:
        now = time.perf_counter()
        if self._running:
            part = self._running[-1]
            self.spent[part] = self.spent.get(part, 0.0) + now - self._since
        self._since = now


# A longer record -----------------------------------------------------------------------------------------------------


def _fresh(site: Path, years: int) -> None:
    """The sample site as if everything about it had begun some years earlier, the baseline delivery waiting."""
    from sample_data import demo

    demo.fresh_site(site)
    text = (site / "site.toml").read_text(encoding="utf-8")
    for key in DATED:
        text = re.sub(rf"\b{key} = (\d{{4}})", lambda found: f"{found[0][:-4]}{int(found[1]) - years}", text)
    (site / "site.toml").write_text(text, encoding="utf-8")
    demo.deliver(site, next(files for on, files in demo.deliveries() if on == BASELINE))


def _history(site: Path) -> dict[str, Any]:
    """Every row of the baseline year, the derived daily record of the gauges, and the first meter reading."""
    from pipelines import observations
    from pipelines.database import opened, reading
    from pipelines.recall import DERIVED, day_number

    first, last = (round(datetime(year, 1, 1, 6, tzinfo=UTC).timestamp() * 1000) for year in (2024, 2025))
    with opened(f"sqlite:///{site / 'headwater.db'}") as engine, reading(engine) as connection:
        year = observations.read(connection, start_ms=first, end_ms=last - 1)
        meter = observations.read(connection, parameters=["meter_reading"])
        table = observations.series_table(connection)
        derived = {
            station: observations.daily_read(
                connection, int(id), day_number(date(2024, 1, 1)), day_number(date(2024, 12, 31))
            )
            for id, station, series in zip(table.index, table["station"], table["series"], strict=True)
            if series == DERIVED and station == "LMC-1"
        }
    return {"year": year, "meter": meter.iloc[0], "derived": derived}


def _grown(site: Path, years: int, history: dict[str, Any]) -> int:
    """A site with that many more years on record and the baseline loaded; its number of rows."""
    from sqlalchemy import func, select

    from pipelines import schema
    from pipelines.database import opened, reading, transaction
    from sample_data import demo

    _fresh(site, years)
    with opened(f"sqlite:///{site / 'headwater.db'}") as engine:
        with transaction(engine) as connection:
            _insert_past(connection, years, history)
        demo.run_night(site, BASELINE)
        with reading(engine) as connection:
            return int(connection.execute(select(func.count()).select_from(schema.observation)).scalar_one())


def _insert_past(connection: Any, years: int, history: dict[str, Any]) -> None:
    from pipelines import observations, schema
    from pipelines.database import bulk_insert

    if not years:
        return
    source = observations.record_source(connection, sha256="0" * 64, file="past", format="past", size=0, arrived_at=0)
    year, names = history["year"], list(observations.NAMES)
    for key, rows in year.groupby(names, sort=False):
        id = observations.series_id(connection, *key)
        cells = list(zip(rows["value"].tolist(), rows["value_text"], rows["flags"], strict=True))
        for back in range(1, years + 1):
            times = _years_earlier(rows["time_ms"], back)
            each = dict(zip(times, cells, strict=True))  # 29 February and a lost hour fall on a time that is taken
            bulk_insert(connection, schema.observation, [(id, at, at, *cell, source, 1) for at, cell in each.items()])
    _insert_quarter_hours(connection, years, source)
    _insert_meter(connection, years, source, history["meter"])
    _insert_derived(connection, years, history["derived"])


def _years_earlier(time_ms: Any, back: int) -> list[int]:
    """The same civil day and hour of an earlier year."""
    import pandas as pd

    zone = ZoneInfo("America/Chicago")
    local = pd.to_datetime(time_ms, unit="ms", utc=True).dt.tz_convert(zone).dt.tz_localize(None)
    moved = (local - pd.DateOffset(years=back)).dt.tz_localize(zone, ambiguous=True, nonexistent="shift_forward")
    return [int(one.timestamp() * 1000) for one in moved]


def _insert_quarter_hours(connection: Any, years: int, source: int) -> None:
    from pipelines import observations, schema
    from pipelines.database import bulk_insert

    id = observations.series_id(connection, "LMC-1", "discharge", "instant", "301002", "cfs", "utc")
    for back in range(1, years + 1):
        first, last = (round(datetime(2025 - back + k, 1, 1, 6, tzinfo=UTC).timestamp() * 1000) for k in (0, 1))
        times = range(first, last, QUARTER_HOUR_MS)
        bulk_insert(connection, schema.observation, [(id, at, at, 6.5, "6.50", "P", source, 1) for at in times])


def _insert_meter(connection: Any, years: int, source: int, first_known: Any) -> None:
    """Weekly readings from the start of mining up to the first real one."""
    from pipelines import observations, schema
    from pipelines.database import bulk_insert

    id = observations.series_id(connection, *(str(first_known[name]) for name in observations.NAMES))
    end, value = int(first_known["time_ms"]), float(first_known["value"])
    start = round(datetime(2025 - years, 1, 2, 15, tzinfo=UTC).timestamp() * 1000)
    weeks = list(range(start, end - WEEK_MS, WEEK_MS))
    texts = [str(int(value * k / len(weeks))) for k in range(len(weeks))]
    rows = [(id, at, at, float(text), text, "", source, 1) for at, text in zip(weeks, texts, strict=True)]
    bulk_insert(connection, schema.observation, rows)


def _insert_derived(connection: Any, years: int, derived: dict[str, Any]) -> None:
    from pipelines import observations, schema
    from pipelines.database import bulk_insert
    from pipelines.recall import DERIVED, EPOCH, day_number

    for station, rows in derived.items():
        id = observations.series_id(connection, station, "discharge", "mean", DERIVED, "cfs", "day")
        for back in range(1, years + 1):
            moved = {}
            for day, text, flags, origin in rows[["day", "value_text", "flags", "origin"]].itertuples(index=False):
                there = EPOCH + timedelta(days=int(day))
                if (there.month, there.day) != (2, 29):
                    number = day_number(there.replace(year=there.year - back))
                    moved[number] = (id, number, 0, text, flags, origin)
            bulk_insert(connection, schema.daily, list(moved.values()))


# The table -----------------------------------------------------------------------------------------------------------


def _print(title: str, columns: dict[str, dict[str, float]]) -> None:
    """Seconds by part, and each column's ratio to the first."""
    first = next(iter(columns.values()))
    print(f"\n{title}")
    print(f"{'':<16}" + "".join(f"{label:>24}" for label in columns))
    for part in (*PARTS, "other", "total", "peak MB"):
        cells = [one.get(part, 0.0) for one in columns.values()]
        print(f"{part:<16}" + "".join(f"{_cell(value, first.get(part, 0.0), part):>24}" for value in cells))


def _cell(value: float, first: float, part: str) -> str:
    text = f"{value:.0f}   " if part == "peak MB" else f"{value:.3f} s"
    return f"{text}  x{value / first:5.2f}" if first >= 0.005 else text + " " * 8


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(_one_night(Path(sys.argv[1]), date.fromisoformat(sys.argv[2]))))
    else:
        main()
