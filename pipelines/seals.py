"""Every sealed log of the store, gone through link by link: which holds, and where one was broken."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, Table, func, select

from models.errors import BadQuestion
from pipelines import ledger, schema

LOGS: dict[str, tuple[Table, str]] = {
    "findings": (schema.finding, "key"),
    "events": (schema.event, "event_key"),
    "mails": (schema.outbox, "key"),
    "fund lines": (schema.fund_line, "entry"),
    "reviews": (schema.review, "review_key"),
    "household reads": (schema.household_access, "household"),
    "papers": (schema.paper, "number"),
}
"""Log by its name -> its table, and the column that names a row to people."""


@dataclass(frozen=True)
class Chain:
    """One log: how many rows it has, its newest seal, and the first row whose seal does not follow (None: all do).

    ``lost``: seals printed earlier that are not on it: rows were cut off its end.
    """

    log: str
    rows: int
    head: str
    broken_row: int | None
    broken_key: str
    lost: tuple[str, ...] = ()

    @property
    def intact(self) -> bool:
        return self.broken_row is None and not self.lost

    def says(self) -> str:
        """In a few words."""
        if self.broken_row is not None:
            return f"BROKEN at row {self.broken_row}, key {self.broken_key}"
        return f"CUT OFF: {', '.join(self.lost)} is not on it" if self.lost else "intact"


def chains(connection: Connection, heads: dict[str, list[str]] | None = None) -> list[Chain]:
    """Every log, checked from its first row.

    Parameters
    ----------
    heads : seals printed earlier, by log.

    Raises
    ------
    BadQuestion : a log that is none.
    """
    if unknown := sorted(set(heads or {}) - set(LOGS)):
        raise BadQuestion("no such log", key="--head", found=unknown[0], allowed=LOGS)
    return [_chain(connection, name, (heads or {}).get(name, [])) for name in LOGS]


def _chain(connection: Connection, name: str, heads: list[str]) -> Chain:
    table, column = LOGS[name]
    rows = int(connection.execute(select(func.count()).select_from(table)).scalar_one())
    broken = ledger.verify(connection, table)
    named = select(table.c[column]).where(table.c.id == broken)
    key = "" if broken is None else str(connection.execute(named).scalar_one())
    lost = tuple(one for one in heads if not _is_on(connection, table, one))
    return Chain(name, rows, ledger.head(connection, table), broken, key, lost)


def _is_on(connection: Connection, table: Table, seal: str) -> bool:
    return connection.execute(select(table.c.id).where(table.c.hash == seal)).first() is not None
