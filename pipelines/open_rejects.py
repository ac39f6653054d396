"""Which rows that were not taken still wait for somebody.

A reject is kept for ever, and stays open until its row was taken after all:

* the same content read again, after the site file learned the station, offset or clock that was missing;
* a corrected file: a later delivery under the same file name that repeats every value the earlier one brought. It
  speaks for the file from then on, so the earlier rejects are settled, and what it rejects itself is open. A file that
  only shares the name, such as the next month of a logger, repeats nothing and settles nothing. Where the earlier one
  brought no value at all, every row it was refused must have been taken and say the same as then but for the refused
  cell (``pipelines.refused_lines``); rows of an unknown station wait for site.toml;
* for a provisional value that an approved one kept out: any later delivery, whatever its name, that is not in dispute
  with the approved value of that series and instant.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pandas as pd
from sqlalchemy import Connection, exists, select

from models.observation import Reject
from pipelines import marks, observations, refused_lines, schema
from pipelines.database import portions, storable
from pipelines.observations import NAMES
from pipelines.versions import KEY

WITHHELD = "value"
"""Column of the reject of a provisional value that an approved one kept out."""
_MARK, _DONE = "waiting_rejects:", "settled_rejects:"
"""Ids of the rejects that wait after the last reading, and of those that a later delivery settled."""
_KEPT_OUT = "kept_out:"


@dataclass(frozen=True)
class _Waiting:
    """An earlier delivery with open rejects; ``basis`` brought the values it gave: itself, or one it only repeated."""

    id: int
    basis: int
    brought: int


def listed(connection: Connection, *, history: bool = False) -> pd.DataFrame:
    """Rejects as ``observations.rejects`` gives them, with ``open``; without history only those that are."""
    found = observations.rejects(connection)
    still = _still_open(connection)
    ids = connection.execute(select(schema.reject.c.id).order_by(schema.reject.c.id)).scalars()
    is_open = [
        id in still[source] if source in still else True for source, id in zip(found["source_id"], ids, strict=True)
    ]
    found = found.assign(open=pd.Series(is_open, index=found.index, dtype=bool))
    return found if history else found[found["open"]].reset_index(drop=True)


def read_again(connection: Connection, source_id: int, rejects: Sequence[Reject]) -> list[Reject]:
    """The same content was placed again: what is not among these rejects was taken, and a new reason is recorded.

    Returns
    -------
    Those that wait: all but what a later delivery settled.
    """
    known = _recorded(connection, source_id)
    observations.record_rejects(connection, source_id, [one for one in rejects if _key(one) not in known])
    known = _recorded(connection, source_id)
    done = _ids(connection, f"{_DONE}{source_id}")
    left = [one for one in rejects if known[_key(one)] - done]
    still = {id for one in left for id in known[_key(one)]} - done
    if still != waiting(connection, source_id):
        _put(connection, f"{_MARK}{source_id}", still)
    return left


def waiting(connection: Connection, source_id: int) -> set[int]:
    """Ids of the rejects of one delivery that wait."""
    every = {id for ids in _recorded(connection, source_id).values() for id in ids}
    return _still_open(connection).get(source_id, every)


def taken_after_all(connection: Connection, source_id: int) -> tuple[str, ...]:
    """Why rows of a delivery were refused that were taken when the same content was read again, each reason once."""
    recorded = _recorded(connection, source_id)
    out = waiting(connection, source_id) | _ids(connection, f"{_DONE}{source_id}")
    return tuple(dict.fromkeys(key[3] for key, ids in recorded.items() if ids - out))


def _key(one: Reject) -> tuple[int, str, str, str]:
    return one.row, storable(one.column), storable(one.raw), storable(one.reason)


def _recorded(connection: Connection, source_id: int) -> dict[tuple[int, str, str, str], set[int]]:
    """Ids of the rejects of a delivery, by what they say."""
    one, found = schema.reject.c, defaultdict(set)
    query = select(one.id, one.row, one.column_name, one.raw, one.reason).where(one.source_id == source_id)
    for id, row, column, raw, reason in connection.execute(query):
        found[int(row), str(column), str(raw), str(reason)].add(int(id))
    return dict(found)


def answered(
    connection: Connection, source_id: int, frame: pd.DataFrame, kept_out: Sequence[observations.Withheld]
) -> None:
    """Settle what approved values kept out of earlier deliveries, where this one agrees with them; note its own.

    Parameters
    ----------
    frame : what was taken of the delivery, ``kept_out`` among it.
    """
    mark = schema.mark.c
    noted = connection.execute(select(mark.name, mark.value).where(mark.name.startswith(_KEPT_OUT))).all()
    agreed = _given(connection, frame) if noted and not frame.empty else {}
    disputed = {(one.series_id, one.time_ms) for one in kept_out}
    for name, value in noted:
        rows = {
            row for row, series, time_ms in json.loads(value)
            if time_ms in agreed.get(series, ()) and (series, time_ms) not in disputed
        }  # fmt: skip
        _settle(connection, int(name.removeprefix(_KEPT_OUT)), {(row, WITHHELD) for row in rows})
    if kept_out:
        own = [[one.row, one.series_id, one.time_ms] for one in kept_out]
        marks.put(connection, f"{_KEPT_OUT}{source_id}", json.dumps(own))


def _settle(connection: Connection, source_id: int, done: set[tuple[int, str]] | None = None) -> None:
    """A later delivery answers rejects of an earlier one, by row and column; without them all."""
    known = _recorded(connection, source_id)
    every = {id for ids in known.values() for id in ids}
    chosen = {id for key, ids in known.items() for id in ids if done is None or key[:2] in done}
    if chosen:
        still = _still_open(connection).get(source_id, every)
        _put(connection, f"{_MARK}{source_id}", still - chosen)
        _put(connection, f"{_DONE}{source_id}", chosen | _ids(connection, f"{_DONE}{source_id}"))


def corrected(
    connection: Connection, source_id: int, file: str, frame: pd.DataFrame, lines: Callable[[], Sequence[str]]
) -> int:
    """Settle the rejects of earlier deliveries that this one corrects; how many deliveries those were.

    Parameters
    ----------
    source_id, file : the new delivery.
    frame : what was taken of it (``ingest.arrival.Arrival.frame``).
    lines : its text, for an earlier delivery that brought no value to compare.
    """
    waiting = [] if frame.empty else list(_waiting(connection, source_id, file))
    settled = [one for one in waiting if _repeats(connection, one, frame, lines)]
    for one in settled:
        _settle(connection, one.id)
    return len(settled)


def _repeats(
    connection: Connection, earlier: _Waiting, frame: pd.DataFrame, lines: Callable[[], Sequence[str]]
) -> bool:
    if earlier.brought:
        return _count_of(connection, earlier.basis, _given(connection, frame)) >= earlier.brought
    if not connection.execute(select(schema.source.c.format).where(schema.source.c.id == earlier.id)).scalar():
        return True  # no reader knew it: it has no rows to compare
    said = refused_lines.repeated(connection, earlier.id, lines())
    return _taken(connection, earlier.id, said & {int(row) for row in frame["row"]})


def _waiting(connection: Connection, source_id: int, file: str) -> Iterator[_Waiting]:
    """Earlier deliveries under a name with an open reject."""
    one = schema.source.c
    some = exists().where(schema.reject.c.source_id == one.id)
    query = select(one.id, one.accepted + one.revised, one.duplicate, some)
    still, basis, brought = _still_open(connection), 0, 0
    for id, new, duplicate, rejected in connection.execute(
        query.where(one.file == file, one.id < source_id).order_by(one.id)
    ):
        if new or not duplicate:
            basis, brought = int(id), int(new)
        if rejected and still.get(int(id), {0}):
            yield _Waiting(int(id), basis, brought)


def _taken(connection: Connection, source_id: int, rows: set[int]) -> bool:
    """Of a delivery that brought nothing each row was taken now, and none waited for its station."""
    return all(row in rows and column != "station" for row, column in _row_columns(connection, source_id))


def _row_columns(connection: Connection, source_id: int) -> set[tuple[int, str]]:
    return {key[:2] for key in _recorded(connection, source_id)}


def _still_open(connection: Connection) -> dict[int, set[int]]:
    """Ids of what still waits, by each delivery of which something was settled or that was read again."""
    mark = schema.mark.c
    found = connection.execute(select(mark.name, mark.value).where(mark.name.startswith(_MARK)))
    return {int(name.removeprefix(_MARK)): set(json.loads(value)) for name, value in found}


def _ids(connection: Connection, name: str) -> set[int]:
    return set(json.loads(marks.get(connection, name) or "[]"))


def _put(connection: Connection, name: str, ids: set[int]) -> None:
    marks.put(connection, name, json.dumps(sorted(ids)))


def _given(connection: Connection, frame: pd.DataFrame) -> dict[int, set[int]]:
    """Instants of a delivery by series id."""
    table = observations.series_table(connection).reset_index()
    ids = frame[[*NAMES, "time_ms"]].merge(table, on=list(NAMES))
    found: dict[int, set[int]] = defaultdict(set)
    for id, time_ms in zip(ids["id"].tolist(), ids["time_ms"].tolist(), strict=True):
        found[id].add(time_ms)
    return dict(found)


def _count_of(connection: Connection, source_id: int, given: dict[int, set[int]]) -> int:
    """How many values that a delivery brought are repeated among those given."""
    ends = [(id, min(times), max(times)) for id, times in given.items()]
    among = schema.observation.c.source_id == source_id
    return sum(
        time_ms in given[id]
        for some in portions(ends)
        for id, time_ms in connection.execute(observations.of_spans(some, *KEY).where(among))
    )
