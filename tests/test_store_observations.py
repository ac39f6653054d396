"""Observations are versions: loading again does nothing, a change keeps the old value, any past night replays."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, event, func, select
from sqlalchemy.exc import IntegrityError

from models.errors import EnvironmentFailed
from models.observation import Reject, tidy
from pipelines import schema
from pipelines.database import bulk_insert, open_store, reading, transaction
from pipelines.observations import (
    Counts,
    daily_read,
    daily_write,
    insert,
    read,
    record_counts,
    record_rejects,
    record_source,
    rejects,
    series_id,
    series_table,
    source_seen,
)

HOUR = 3_600_000
MAY_1 = 1_714_521_600_000
names = itertools.count()


def row(
    time_ms: int, value_text: str, number: int = 1, *, station: str = "04999001", series: str = "", flags: str = ""
) -> tuple[object, ...]:
    value = float(value_text) if value_text.replace(".", "").isdigit() else math.nan
    return (station, "stage", "instant", series, time_ms, "utc", value, value_text, "ft", flags, number)


def load(engine: Engine, *rows: tuple[object, ...], known_at: int) -> Counts:
    with transaction(engine) as connection:
        source_id = record_source(
            connection, sha256=f"{next(names)}", file="input.csv", format="csv", size=1, arrived_at=known_at
        )
        return insert(connection, tidy(rows), source_id=source_id, known_at=known_at)


def values(engine: Engine, known_at: int | None = None) -> list[tuple[int, str]]:
    with reading(engine) as connection:
        frame = read(connection, known_at=known_at)
    return list(zip(frame["time_ms"].tolist(), frame["value_text"].tolist(), strict=True))


def history(engine: Engine, time_ms: int) -> list[tuple[int, str]]:
    one = schema.observation.c
    query = select(one.known_at, one.value_text).where(one.time_ms == time_ms).order_by(one.known_at)
    with reading(engine) as connection:
        return [(known, text) for known, text in connection.execute(query)]


def stored(engine: Engine) -> int:
    with reading(engine) as connection:
        return connection.execute(select(func.count()).select_from(schema.observation)).scalar_one()


def test_the_same_file_three_times_is_stored_once(store: Engine) -> None:
    """DB-01, with its empty sensor field."""
    rows = [row(MAY_1, "3.10", 2), row(MAY_1 + HOUR // 4, "3.11", 3)]
    counts = [load(store, *rows, known_at=MAY_1 + night) for night in range(3)]
    assert [(one.accepted, one.duplicate, one.revised) for one in counts] == [(2, 0, 0), (0, 2, 0), (0, 2, 0)]
    assert counts[1].changed == {}
    assert stored(store) == 2


def test_an_overlapping_file_adds_what_is_new_and_keeps_what_it_corrects(store: Engine) -> None:
    """DB-03."""
    first = [row(MAY_1 + hour * HOUR, text) for hour, text in enumerate(["1", "2", "3"])]
    second = [row(MAY_1 + hour * HOUR, text) for hour, text in enumerate(["2", "3.5", "4", "5"], start=1)]
    load(store, *first, known_at=10)
    counts = load(store, *second, known_at=20)
    assert (counts.accepted, counts.duplicate, counts.revised) == (2, 1, 1)
    assert list(counts.changed.values()) == [(MAY_1 + 2 * HOUR, MAY_1 + 4 * HOUR)]
    assert [text for _, text in values(store)] == ["1", "2", "3.5", "4", "5"]
    assert history(store, MAY_1 + 2 * HOUR) == [(10, "3"), (20, "3.5")]


def test_a_past_night_replays_what_was_known(store: Engine) -> None:
    load(store, row(MAY_1, "1"), known_at=10)
    load(store, row(MAY_1, "2"), row(MAY_1 + HOUR, "7"), known_at=20)
    load(store, row(MAY_1, "1"), known_at=30)
    replayed = [[text for _, text in values(store, known_at)] for known_at in (9, 10, 19, 20, 30)]
    assert replayed == [[], ["1"], ["1"], ["2", "7"], ["1", "7"]]


@pytest.mark.parametrize("known_at", [10, 3])
def test_what_was_delivered_last_is_current_whatever_the_clock_says(store: Engine, known_at: int) -> None:
    load(store, row(MAY_1, "1"), known_at=10)
    assert load(store, row(MAY_1, "2"), known_at=known_at).revised == 1
    assert history(store, MAY_1) == [(10, "1"), (11, "2")]


def test_the_same_rows_loaded_by_two_at_once_are_stored_once(store: Engine) -> None:
    rows = [row(MAY_1 + hour * HOUR, f"{hour}") for hour in range(200)]
    counts: list[Counts] = []
    threads = [
        threading.Thread(target=lambda night: counts.append(load(store, *rows, known_at=night)), args=[night])
        for night in (10, 20, 30)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(one.accepted for one in counts) == [0, 0, 200]
    assert stored(store) == 200


def test_changed_flags_are_a_revision(store: Engine) -> None:
    load(store, row(MAY_1, "1", flags="P"), known_at=10)
    assert load(store, row(MAY_1, "1", flags="A"), known_at=20).revised == 1
    with reading(store) as connection:
        assert read(connection)["flags"].tolist() == ["A"]


def test_a_file_that_contradicts_itself_loses_nothing_and_stays_idempotent(store: Engine) -> None:
    """TS-04, rows 2 and 3."""
    rows = [row(MAY_1, "5", 2), row(MAY_1, "6", 3), row(MAY_1, "6", 4)]
    counts = load(store, *rows, known_at=10)
    assert (counts.accepted, counts.revised, counts.duplicate, counts.conflicts) == (1, 1, 1, (3,))
    assert history(store, MAY_1) == [(10, "5"), (11, "6")]
    assert load(store, *rows, known_at=20) == Counts(duplicate=3, conflicts=(3,))
    assert stored(store) == 2


def test_a_row_without_a_number_keeps_its_text(store: Engine) -> None:
    load(store, row(MAY_1, "ND"), row(MAY_1 + HOUR, ""), known_at=10)
    with reading(store) as connection:
        frame = read(connection)
    assert frame["value"].isna().all()
    assert frame["value_text"].tolist() == ["ND", ""]


def test_two_sensors_and_leading_zeros_stay_apart(store: Engine) -> None:
    """ID-01 and ID-05; a separator inside a name joins nothing."""
    pairs = [("00999002", ""), ("999002", ""), ("W", "A1"), ("W", "B2"), ("a|b", "c"), ("a", "b|c"), ("a\\", "|")]
    load(store, *(row(MAY_1, "1", station=station, series=series) for station, series in pairs), known_at=10)
    with reading(store) as connection:
        table = series_table(connection)
    assert sorted(zip(table["station"], table["series"], strict=True)) == sorted(pairs)


def test_reading_chooses_by_name_and_time(store: Engine) -> None:
    rows = [row(MAY_1 + hour * HOUR, f"{hour}", station=station) for station in ("A", "B") for hour in range(4)]
    load(store, *rows, known_at=10)
    with reading(store) as connection:
        some = read(connection, stations=["B"], parameters=["stage"], start_ms=MAY_1 + HOUR, end_ms=MAY_1 + 2 * HOUR)
        none = read(connection, stations=["C"])
        monthly = read(connection, clock="month", statistic="sum")
    assert some["station"].tolist() == ["B", "B"]
    assert some["value"].tolist() == [1.0, 2.0]
    assert none.empty
    assert monthly.empty
    assert none.dtypes.to_dict() == some.dtypes.to_dict()


def test_an_empty_table_is_no_rows(store: Engine) -> None:
    assert load(store, known_at=10) == Counts()


def test_rows_in_any_order_are_stored_under_their_own_series(store: Engine) -> None:
    rows = [row(MAY_1 + hour * HOUR, f"{hour}", station=name) for hour in (2, 0, 1) for name in ("B", "A")]
    frame = tidy(rows).assign(series=[None, "", "", None, "x", "x"])
    with transaction(store) as connection:
        source = record_source(connection, sha256="any", file="f", format="csv", size=1, arrived_at=1)
        counts = insert(connection, frame, source_id=source, known_at=10)
        found = read(connection)
    assert (counts.accepted, counts.duplicate) == (6, 0)
    kept = found[["station", "series", "time_ms", "value_text"]].to_numpy().tolist()
    assert sorted(kept) == [
        ["A", "", MAY_1, "0"], ["A", "", MAY_1 + 2 * HOUR, "2"], ["A", "x", MAY_1 + HOUR, "1"],
        ["B", "", MAY_1, "0"], ["B", "", MAY_1 + 2 * HOUR, "2"], ["B", "x", MAY_1 + HOUR, "1"],
    ]  # fmt: skip
    assert sorted(counts.changed.values()) == [(MAY_1, MAY_1 + 2 * HOUR)] * 2 + [(MAY_1 + HOUR, MAY_1 + HOUR)] * 2


def test_a_key_twice_is_an_error_and_nothing_of_it_stays(store: Engine) -> None:
    load(store, row(MAY_1, "1"), known_at=10)
    with reading(store) as connection:
        kept = tuple(connection.execute(select(schema.observation)).one())
    with pytest.raises(IntegrityError), transaction(store) as connection:
        bulk_insert(connection, schema.observation, [(*kept[:2], 11, *kept[3:]), kept])
    assert stored(store) == 1


def test_a_full_disk_is_the_machine_s_failure_and_nothing_of_the_file_stays(tmp_path: Path) -> None:
    engine = open_store(f"sqlite:///{tmp_path / 'headwater.db'}")
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("PRAGMA max_page_count=80"))
    with pytest.raises(EnvironmentFailed, match="full"):
        load(engine, *(row(MAY_1 + hour * HOUR, f"{hour}") for hour in range(20_000)), known_at=10)
    assert stored(engine) == 0
    engine.dispose()


def test_hostile_bytes_are_stored_once(store: Engine) -> None:
    hostile = row(MAY_1, "1\0", station="W\udcff", flags="\ud800")
    assert load(store, hostile, known_at=10).accepted == 1
    assert load(store, hostile, known_at=20).duplicate == 1


def test_a_file_is_recognised_and_its_rejects_are_kept(store: Engine) -> None:
    with transaction(store) as connection:
        assert source_seen(connection, "abc") is None
        source_id = record_source(connection, sha256="abc", file="a.csv", format="csv", size=9, arrived_at=10)
        assert record_rejects(connection, source_id, [Reject("a.csv", 7, "value", "1\0x", "not a number")]) == 1
        assert record_rejects(connection, source_id, []) == 0
        record_counts(connection, source_id, Counts(accepted=1, duplicate=2, revised=3), rows=7, rejected=1)
        assert source_seen(connection, "abc") == source_id
        found = rejects(connection, source_id=source_id, since_ms=10)
        assert rejects(connection, since_ms=11).empty
        kept = connection.execute(select(schema.source)).mappings().one()
    assert found.to_dict("records") == [
        {
            "source_id": source_id,
            "file": "a.csv",
            "arrived_at": 10,
            "row": 7,
            "column": "value",
            "raw": "1\ufffdx",
            "reason": "not a number",
        }
    ]
    assert (kept["rows"], kept["accepted"], kept["duplicate"], kept["revised"], kept["rejected"]) == (7, 1, 2, 3, 1)


def test_daily_values_are_versions_too(store: Engine) -> None:
    with transaction(store) as connection:
        one = series_id(connection, "W", "discharge", "mean", "derived", "cfs", "day")
        assert daily_write(connection, one, [(2, "5.0", "A", "published"), (1, "4.0", "", "computed")], 10) == [1, 2]
        assert daily_write(connection, one, [(2, "5.0", "A", "published"), (1, "", "", "computed")], 10) == [1]
        assert daily_write(connection, one, [], 30) == []
        now = daily_read(connection, one)
        then = daily_read(connection, one, start=1, end=1, known_at=10)
    assert now[["day", "value_text", "known_at"]].to_numpy().tolist() == [[1, "", 11], [2, "5.0", 10]]
    assert then["value_text"].tolist() == ["4.0"]


deliveries = st.lists(
    st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 3), st.sampled_from("123")), max_size=6), max_size=6
)


@pytest.fixture(scope="module")
def sqlite_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = open_store(f"sqlite:///{tmp_path_factory.mktemp('store') / 'headwater.db'}")
    yield engine
    engine.dispose()


@settings(max_examples=60, deadline=None)
@given(deliveries)
def test_the_store_always_ends_where_the_last_delivery_ends(
    sqlite_store: Engine, batches: list[list[tuple[str, int, str]]]
) -> None:
    """Against a plain dict: current value of each key, no version equal to the one before it, every row counted."""
    prefix = f"{next(names)}-"
    expected: dict[tuple[str, int], str] = {}
    for night, batch in enumerate(batches):
        counts = load(
            sqlite_store, *(row(time, text, station=prefix + name) for name, time, text in batch), known_at=night
        )
        assert counts.accepted + counts.duplicate + counts.revised == len(batch)
        expected |= {(prefix + name, time): text for name, time, text in batch}
    with reading(sqlite_store) as connection:
        frame = read(connection, stations=[f"{prefix}A", f"{prefix}B"])
        versions = _versions(connection, prefix)
    assert dict(zip(zip(frame["station"], frame["time_ms"], strict=True), frame["value_text"], strict=True)) == expected
    assert not (versions == versions.shift()).all(axis=1).any()


def _versions(connection, prefix: str) -> pd.DataFrame:
    one, series = schema.observation.c, schema.series.c
    query = select(one.series_id, one.time_ms, one.value_text).join_from(schema.observation, schema.series)
    query = query.where(series.station.startswith(prefix)).order_by(one.series_id, one.time_ms, one.known_at)
    return pd.DataFrame(connection.execute(query).all(), columns=["series_id", "time_ms", "value_text"])
