"""What became of each delivery: told at once, and again by the night that lists it, from what is stored of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from models.errors import BadFile
from pipelines import arrival_notes, marks, origins, schema

EVENTS = "events"
"""Format of the entries under which refused lines of events.csv are kept; no delivery."""


@dataclass(frozen=True)
class Receipt:
    """What became of one file.

    Accepted, rejected, duplicate, revised and set apart are its values, each counted once. ``set_apart``: rows of
    quality control and of other media than water. ``error`` is why nothing of it was taken, ``first_reject`` why its
    first bad row was not; of a file that came before (``seen``), what still waits of it. ``waits``: it is still where
    it was. ``note``: what else it brought (``pipelines.arrival_notes``). ``sha256``: the bytes that were read.
    ``sender``: whom its mail says it is from, which nothing is decided by.
    """

    file: str
    format: str
    accepted: int = 0
    rejected: int = 0
    duplicate: int = 0
    revised: int = 0
    set_apart: int = 0
    error: str = ""
    first_reject: str = ""
    seen: bool = False
    waits: bool = False
    note: str = ""
    sha256: str = ""
    sender: str = ""

    @property
    def left_out(self) -> bool:
        """Whether anything of it was not taken: a row, a cell, or all of it."""
        return bool(self.error or self.rejected or self.first_reject)


def unreported(connection: Connection) -> list[Receipt]:
    """What became of each delivery that no night's summary has listed yet, as the store knows it.

    Not as this process knows it: a night killed and run again reports the files that the killed one took.
    """
    source = schema.source.c
    last = int(marks.get(connection, marks.REPORTED) or 0)
    return on_record(connection, (source.id > last) & (source.format != EVENTS))


def reported(connection: Connection) -> None:
    """Every delivery so far is listed in a summary."""
    newest = connection.execute(select(func.max(schema.source.c.id))).scalar()
    marks.put(connection, marks.REPORTED, str(newest or 0))


def of_source(connection: Connection, id: int) -> Receipt:
    """The receipt of one delivery as it is stored."""
    return on_record(connection, schema.source.c.id == id)[0]


def on_record(connection: Connection, which: ColumnElement[bool]) -> list[Receipt]:
    """Receipts of deliveries, in order, from what is stored of them."""
    source, reject = schema.source.c, schema.reject.c
    its_rejects = schema.reject.alias().c
    first = select(func.min(its_rejects.id)).where(its_rejects.source_id == source.id).scalar_subquery()
    counts = source["id", "file", "format", "accepted", "rejected", "duplicate", "revised", "rows", "sha256"].values()
    query = select(*counts, *reject["row", "column_name", "raw", "reason"].values())
    rows = connection.execute(
        query.outerjoin_from(schema.source, schema.reject, reject.id == first).where(which).order_by(source.id)
    )
    notes, senders = arrival_notes.noted(connection), origins.senders(connection)
    return [
        replace(_receipt(row[1:8], row[9:]), note=notes.get(row[0], ""), sha256=row[8], sender=senders.get(row[0], ""))
        for row in rows
    ]


def _receipt(facts: Sequence[Any], first_reject: Sequence[Any]) -> Receipt:
    *counted, rows = facts
    receipt = Receipt(*counted)
    receipt = replace(receipt, set_apart=max(rows - sum(counted[2:]), 0))
    row, column, raw, reason = first_reject
    if reason is None:
        return receipt
    why = BadFile(reason, row=row or None, key=column or None, found=raw or None)
    return (
        replace(receipt, first_reject=str(why))
        if receipt.format
        else replace(receipt, error=str(why.at(file=receipt.file)))
    )
