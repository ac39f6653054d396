"""Append to the log tables, each row sealed over the one before it, and find the first row that was tampered with.

A seal is ``sha256(previous seal + canonical JSON of the row)``. The JSON holds the row's own facts: not its id, not the
seals, not what became of it later (``UNSEALED`` columns), and no null, so that a column added to the table later leaves
every old seal valid. The first row's previous seal is "". A chain shows a changed, inserted or removed row; that rows
were cut off its end shows only against a ``head`` printed earlier, which is why reports print it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, select

from pipelines.database import serialise

_SEALS = ("id", "prev_hash", "hash")


def append(connection: Connection, table: Table, row: Mapping[str, object]) -> int:
    """Seal and insert one row.

    Parameters
    ----------
    connection : inside a write transaction.
    table : a ledger table of ``pipelines.schema``.
    row : column to text or integer.

    Returns
    -------
    The id of the new row.
    """
    serialise(connection)
    previous = head(connection, table)
    values = {**row, "prev_hash": previous, "hash": _seal(table, row, previous)}
    return int(connection.execute(table.insert().values(values).returning(table.c.id)).scalar_one())


def append_new(connection: Connection, table: Table, row: Mapping[str, object], unique: Sequence[str]) -> int | None:
    """Append the row unless one with the same ``unique`` columns is there: None then, and nothing written."""
    serialise(connection)
    same = [table.c[name] == row[name] for name in unique]
    if connection.execute(select(table.c.id).where(*same)).first():
        return None
    return append(connection, table, row)


def head(connection: Connection, table: Table) -> str:
    """The newest seal, "" for an empty table. It stands for every row before it."""
    newest = select(table.c.hash).order_by(table.c.id.desc()).limit(1)
    return connection.execute(newest).scalar() or ""


def verify(connection: Connection, table: Table) -> int | None:
    """Id of the first row whose seal does not follow from the row and the seal before it; None if all do."""
    previous = ""
    query = select(table).order_by(table.c.id)
    with connection.execute(query, execution_options={"yield_per": 1000}) as rows:
        for row in rows.mappings():
            if row["prev_hash"] != previous or row["hash"] != _seal(table, row, previous):
                return int(row["id"])
            previous = row["hash"]
    return None


def _seal(table: Table, row: Mapping[Any, Any], previous: str) -> str:
    """The facts are taken in the type of their column, as the database will hand them back."""
    columns = [one for one in table.columns if one.name not in _SEALS and not one.info.get("unsealed")]
    facts = {one.name: one.type.python_type(row[one.name]) for one in columns if row.get(one.name) is not None}
    canonical = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256((previous + canonical).encode()).hexdigest()
