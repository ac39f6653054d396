"""A delivery of thousands of series, as a laboratory's are: few statements, and every series is judged by itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection, Engine, event, select, text

from models.observation import Reject, tidy
from pipelines import marks, open_rejects, schema
from pipelines.database import portions, reading, transaction
from pipelines.observations import (
    Counts,
    Withheld,
    insert,
    of_spans,
    record_counts,
    record_rejects,
    record_source,
    series_id,
    series_table,
)
from pipelines.versions import latest

MANY = 1_200
numbers = itertools.count()


def row(sample: str, time_ms: int, value_text: str, number: int = 1, flags: str = "") -> tuple[object, ...]:
    return ("MW-1", "arsenic", "instant", sample, time_ms, "day", float(value_text), value_text, "ug/L", flags, number)


def source(connection: Connection, file: str = "input.csv") -> int:
    sha256 = f"many {next(numbers)}"
    return record_source(connection, sha256=sha256, file=file, format="lab-table", size=1, arrived_at=1)


def load(engine: Engine, *rows: tuple[object, ...], known_at: int) -> Counts:
    with transaction(engine) as connection:
        return insert(connection, tidy(rows), source_id=source(connection), known_at=known_at)


def current(engine: Engine) -> dict[str, list[tuple[int, int, str]]]:
    """All versions by series name: instant, when known, text."""
    one = schema.observation.c
    query = select(schema.series.c.series, one.time_ms, one.known_at, one.value_text)
    found: dict[str, list[tuple[int, int, str]]] = {}
    with reading(engine) as connection:
        for name, *version in connection.execute(
            query.join_from(schema.observation, schema.series).order_by(*schema.observation.primary_key.columns)
        ):
            found.setdefault(name, []).append((version[0], version[1], version[2]))
    return found


@contextmanager
def counted(engine: Engine) -> Iterator[list[str]]:
    """Statements that the engine is given."""
    said: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        said.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield said
    event.remove(engine, "before_cursor_execute", note)


def test_statements_do_not_grow_with_the_series(store: Engine) -> None:
    """1,200 series are three portions: of keys, of new keys and of current versions; 12 allows for locks."""
    rows = [row(f"S{n}", n, "1", n + 1) for n in range(MANY)]
    for known_at, right in ((10, Counts(accepted=MANY)), (20, Counts(duplicate=MANY))):
        with transaction(store) as connection:
            id = source(connection)
            with counted(store) as said:
                found = insert(connection, tidy(rows), source_id=id, known_at=known_at)
        assert (found.accepted, found.duplicate, found.revised) == (right.accepted, right.duplicate, 0)
        assert len(said) <= 12
    assert len(current(store)) == MANY


def test_each_of_many_series_is_held_against_its_own_versions(store: Engine) -> None:
    """1,200 series at one instant; then every third is as it was, every third revised, every third at a later time."""
    load(store, *(row(f"S{n}", 100, "1", flags="A" if n == 4 else "") for n in range(MANY)), known_at=10)
    again = [row(f"S{n}", 200 if n % 3 == 2 else 100, "2" if n % 3 == 1 else "1", n + 1) for n in range(MANY)]
    again[4] = row("S4", 100, "2", 5, flags="P")  # where an approved value stands
    again.append(row("S1", 100, "3", 9_999))  # disputes row 2 of its own delivery
    counts = load(store, *again, known_at=20)
    found, ids = current(store), _ids(store)
    assert (counts.accepted, counts.duplicate, counts.revised) == (400, 400, 400)
    assert counts.withheld == (Withheld(5, "2", ids["S4"], 100),)
    assert counts.conflicts == (9_999,)
    assert found["S0"] == [(100, 10, "1")]
    assert found["S1"] == [(100, 10, "1"), (100, 20, "2"), (100, 21, "3")]
    assert found["S4"] == [(100, 10, "1")]
    assert found["S1199"] == [(100, 10, "1"), (200, 20, "1")]  # 1199 = 3 x 399 + 2
    assert (counts.changed[ids["S1"]], counts.changed[ids["S1199"]]) == ((100, 100), (200, 200))
    assert len(counts.changed) == 799  # 400 new, 400 - 1 revised


def test_a_value_that_was_true_twice_is_new_again(store: Engine) -> None:
    """The version known last is current, and no earlier one: of 600 series across two portions."""
    for known_at, said in ((10, "1"), (20, "2"), (30, "1")):
        counts = load(store, *(row(f"S{n}", 100, said) for n in range(600)), known_at=known_at)
        assert counts.accepted + counts.revised == 600
    assert {tuple(one) for one in current(store).values()} == {((100, 10, "1"), (100, 20, "2"), (100, 30, "1"))}


def test_the_version_known_last_is_the_latest_in_whatever_order_they_come() -> None:
    rows = [row("S", time, "1") for time in (7, 5, 5, 7, 5)]
    versions = tidy(rows).assign(series_id=[1, 2, 1, 1, 1], known_at=[30, 40, 60, 20, 50])
    found = latest(versions)[["series_id", "time_ms", "known_at"]].to_numpy().tolist()
    assert found == [[1, 5, 60], [1, 7, 30], [2, 5, 40]]


def test_of_each_series_only_its_own_span_is_read(store: Engine) -> None:
    """The cost follows the delivery: S0 is asked about 20 to 30, S1 about 40 alone."""
    load(store, *(row(f"S{n}", time, "1") for n in range(3) for time in (10, 20, 30, 40)), known_at=5)
    ids = _ids(store)
    query = of_spans([(ids["S0"], 20, 30), (ids["S1"], 40, 40)], "series_id", "time_ms")
    with reading(store) as connection:
        assert sorted(map(tuple, connection.execute(query))) == [(ids["S0"], 20), (ids["S0"], 30), (ids["S1"], 40)]


def test_a_span_is_searched_along_the_primary_key(tmp_path_factory: pytest.TempPathFactory) -> None:
    from pipelines.database import opened

    with opened(f"sqlite:///{tmp_path_factory.mktemp('plan') / 'plan.db'}") as engine, reading(engine) as connection:
        query = str(of_spans([(1, 2, 3), (4, 5, 6)], "value_text").compile(engine))
        plan = " ".join(str(one[3]) for one in connection.execute(text(f"EXPLAIN QUERY PLAN {query}")))
    assert "SEARCH observation USING PRIMARY KEY (series_id=? AND time_ms>? AND time_ms<?)" in plan
    assert "SCAN observation" not in plan


def test_new_series_are_numbered_in_the_order_of_the_rows(store: Engine) -> None:
    before = {name: n for n, name in enumerate(["S3", "S1"], 1)}
    load(store, *(row(name, 1, "1") for name in before), known_at=10)
    load(store, *(row(f"S{n}", 2, "1") for n in range(5)), known_at=20)
    ids = _ids(store)
    assert ids["S3"] < ids["S1"] < ids["S0"] < ids["S2"] < ids["S4"]
    assert len(ids) == 5


def test_names_that_no_database_can_tell_apart_are_one_series(store: Engine) -> None:
    """NUL is stored as U+FFFD, so both rows are of one series and two instants; bars in names keep them apart."""
    names = ("a\0", "a\ufffd", "b|c", "b\\|c")
    counts = load(store, *(row(name, time, "1") for time, name in enumerate(names)), known_at=10)
    assert counts.accepted == 4
    assert set(_ids(store)) == {"a\ufffd", "b|c", "b\\|c"}
    with transaction(store) as connection:
        same = series_id(connection, "MW-1", "arsenic", "instant", "a\0", "ug/L", "day")
        new = series_id(connection, "MW-1", "arsenic", "instant", "d", "ug/L", "day")
        assert (same, new) == (_ids_of(connection)["a\ufffd"], max(_ids_of(connection).values()))
        assert series_id(connection, "MW-1", "arsenic", "instant", "d", "ug/L", "day") == new


def test_arrivals_of_many_series_widen_what_waits_and_the_judged_leave(store: Engine) -> None:
    """S of 1: 5-9 and 2-6 wait as 2-9. Judged up to 8: what ended before is gone, the rest starts at 8."""
    with transaction(store) as connection:
        marks.note_arrivals(connection, dict.fromkeys(range(1, MANY), (5, 9)))
        with counted(store) as said:
            marks.note_arrivals(connection, {1: (2, 6), MANY: (3, 4), 2: (7, 12)})
            assert len(said) <= 4
        waiting = marks.arrivals(connection)
        assert (waiting[1], waiting[2], waiting[3], waiting[MANY]) == ((2, 9), (5, 12), (5, 9), (3, 4))
        assert len(waiting) == MANY
        with counted(store) as said:
            marks.judged(connection, 8)
            assert len(said) <= 6
        left = marks.arrivals(connection)
    assert (left[1], left[2], left[3], MANY in left, len(left)) == ((8, 9), (8, 12), (8, 9), False, MANY - 1)


@pytest.mark.parametrize(("moved", "settled"), [(None, 1), (700, 0)])
def test_a_corrected_file_of_many_series_is_known_by_all_its_values(
    store: Engine, moved: int | None, settled: int
) -> None:
    """One of 1,200 values at another instant is not the same file again."""
    rows = [row(f"S{n}", 10 * n, "1", n + 2) for n in range(MANY)]
    with transaction(store) as connection:
        first = source(connection, "edd.csv")
        counts = insert(connection, tidy(rows), source_id=first, known_at=10)
        refused = record_rejects(connection, first, [Reject("edd.csv", 5_000, "value", "x", "not a number")])
        record_counts(connection, first, counts, rows=MANY + 1, rejected=refused)
    again = [row(f"S{n}", 10 * n + (n == moved), "1", n + 2) for n in range(MANY)]
    with transaction(store) as connection:
        id = source(connection, "edd.csv")
        insert(connection, tidy(again), source_id=id, known_at=20)
        with counted(store) as said:
            assert open_rejects.corrected(connection, id, "edd.csv", tidy(again), list) == settled
        assert len(said) <= 20


def test_an_instant_between_those_given_is_not_given(store: Engine) -> None:
    """The file brought three instants; one that brings the first, the last and another between repeats two of them."""
    with transaction(store) as connection:
        first = source(connection, "edd.csv")
        counts = insert(connection, tidy(row("S", time, "1") for time in (10, 20, 30)), source_id=first, known_at=10)
        record_rejects(connection, first, [Reject("edd.csv", 5, "value", "x", "not a number")])
        record_counts(connection, first, counts, rows=4, rejected=1)
        again = tidy(row("S", time, "1") for time in (10, 25, 30))
        id = source(connection, "edd.csv")
        insert(connection, again, source_id=id, known_at=20)
        assert open_rejects.corrected(connection, id, "edd.csv", again, list) == 0


def test_portions_are_all_of_it_once() -> None:
    parts = list(portions(range(1_001)))
    assert [len(one) for one in parts] == [500, 500, 1]
    assert [n for one in parts for n in one] == list(range(1_001))
    assert list(portions([])) == []


def _ids(engine: Engine) -> dict[str, int]:
    with reading(engine) as connection:
        return _ids_of(connection)


def _ids_of(connection: Connection) -> dict[str, int]:
    return {name: int(id) for id, name in series_table(connection)["series"].items()}
