"""Which rows that were not taken still wait for somebody.

A reject is kept for ever, and stays open until its row was taken after all:

* the same content read again, after the site file learned the station, offset or clock that was missing;
* a corrected file: a later delivery under the same file name that repeats every value the earlier one brought. It
  speaks for the file from then on, so the earlier rejects are settled, and what it rejects itself is open. A file that
  only shares the name, such as the next month of a logger, repeats nothing and settles nothing. Where the earlier one
  brought no value at all, the same rows must have been taken; rows of an unknown station wait for site.toml.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pandas as pd
from sqlalchemy import Connection, select

from models.observation import Reject
from pipelines import marks, observations, schema
from pipelines.observations import NAMES

_MARK = "open_rejects:"


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
    pairs = zip(found["source_id"], found["row"], found["column"], strict=True)
    is_open = [(int(row), column) in still[id] if id in still else True for id, row, column in pairs]
    found = found.assign(open=pd.Series(is_open, index=found.index, dtype=bool))
    return found if history else found[found["open"]].reset_index(drop=True)


def read_again(connection: Connection, source_id: int, rejects: Iterable[Reject]) -> None:
    """The same content was placed again: what is not among these rejects was taken."""
    left = sorted({(one.row, one.column) for one in rejects})
    marks.put(connection, f"{_MARK}{source_id}", json.dumps(left))


def corrected(connection: Connection, source_id: int, file: str, frame: pd.DataFrame) -> int:
    """Settle the rejects of earlier deliveries that this one corrects; how many deliveries those were.

    Parameters
    ----------
    source_id, file : the new delivery.
    frame : what was taken of it (``ingest.arrival.Arrival.frame``).
    """
    waiting = [] if frame.empty else list(_waiting(connection, source_id, file))
    settled = [one for one in waiting if _repeats(connection, one, frame)]
    for one in settled:
        marks.put(connection, f"{_MARK}{one.id}", "[]")
    return len(settled)


def _repeats(connection: Connection, earlier: _Waiting, frame: pd.DataFrame) -> bool:
    if earlier.brought:
        return _count_of(connection, earlier.basis, _given(connection, frame)) >= earlier.brought
    return _taken(connection, earlier.id, {0, *frame["row"].tolist()})


def _waiting(connection: Connection, source_id: int, file: str) -> Iterator[_Waiting]:
    """Earlier deliveries under a name with an open reject."""
    one = schema.source.c
    query = select(one.id, one.accepted + one.revised, one.duplicate, one.rejected)
    still, basis, brought = _still_open(connection), 0, 0
    for id, new, duplicate, rejected in connection.execute(
        query.where(one.file == file, one.id < source_id).order_by(one.id)
    ):
        if new or not duplicate:
            basis, brought = int(id), int(new)
        if rejected and still.get(int(id), {None}):
            yield _Waiting(int(id), basis, brought)


def _taken(connection: Connection, source_id: int, rows: set[int]) -> bool:
    """Of a delivery that brought nothing there is only the row: each was taken now, and none waited for its station."""
    one = schema.reject.c
    found = connection.execute(select(one.row, one.column_name).where(one.source_id == source_id)).all()
    return all(row in rows and column != "station" for row, column in found)


def _still_open(connection: Connection) -> dict[int, set[tuple[int, str]]]:
    """Row and column of what is still open, by each delivery of which something was settled."""
    mark = schema.mark.c
    found = connection.execute(select(mark.name, mark.value).where(mark.name.startswith(_MARK)))
    return {int(name.removeprefix(_MARK)): set(map(tuple, json.loads(value))) for name, value in found}


def _given(connection: Connection, frame: pd.DataFrame) -> dict[int, set[int]]:
    """Instants of a delivery by series id."""
    table = observations.series_table(connection).reset_index()
    ids = frame[[*NAMES, "time_ms"]].merge(table, on=list(NAMES))
    return {id: set(ids.loc[ids["id"] == id, "time_ms"]) for id in ids["id"].unique().tolist()}


def _count_of(connection: Connection, source_id: int, given: dict[int, set[int]]) -> int:
    """How many values that a delivery brought are repeated among those given."""
    one = schema.observation.c
    count = 0
    for id, times in given.items():
        of_source = select(one.time_ms).where(
            one.series_id == id, one.time_ms.between(min(times), max(times)), one.source_id == source_id
        )
        count += sum(time_ms in times for time_ms in connection.execute(of_source).scalars())
    return count
