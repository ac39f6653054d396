"""The fund ledger in the store: entries appended and sealed, two lines each, never changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, select

from models.errors import EnvironmentFailed
from models.fund import Book, Entry, book, lines
from pipelines import ledger, schema
from pipelines.casebook import instant, ms


def append_entry(connection: Connection, entry: Entry, known: Book, known_at: int) -> bool:
    """Record a movement of money once, both lines or none; False when the very same one is recorded already.

    ``known`` is the book before it. The transaction is the caller's.
    """
    body = json.dumps(_body(entry), sort_keys=True)
    shared = {
        "entry": entry.key(), "happened_at": ms(entry.happened_at), "known_at": known_at, "body": body,
    }  # fmt: skip
    rows = [
        {**shared, "account": line.account, "amount": str(line.amount)} for line in lines(entry, known.by_key)
    ]  # fmt: skip
    written = [ledger.append_new(connection, schema.fund_line, row, ["entry", "account"]) for row in rows]
    return None not in written


def read_book(connection: Connection, known_at: int | None = None) -> Book:
    """Every entry recorded, as known at an instant.

    Raises
    ------
    EnvironmentFailed : the lines of an entry do not sum to zero, or are not those of its act; the store was changed.
    """
    table = schema.fund_line
    query = select(table).order_by(table.c.id)
    query = query if known_at is None else query.where(table.c.known_at <= known_at)
    found: dict[str, Entry] = {}
    stored: dict[str, dict[str, Decimal]] = {}
    for row in connection.execute(query).mappings():
        found[row["entry"]] = _entry(row)
        stored.setdefault(row["entry"], {})[row["account"]] = Decimal(row["amount"])
    for key, accounts in stored.items():
        _unchanged(key, found, accounts)
    return book(found.values())


def _unchanged(key: str, found: Mapping[str, Entry], accounts: Mapping[str, Decimal]) -> None:
    """An entry is identified by what it says, and its lines follow from it."""
    if sum(accounts.values()):
        raise EnvironmentFailed("the fund ledger does not balance", key="fund_line", found=key)
    entry = found[key]
    if entry.key() != key or {one.account: one.amount for one in lines(entry, found)} != dict(accounts):
        said = "the fund ledger was changed after it was recorded: `headwater verify` says where"
        raise EnvironmentFailed(said, key="fund_line", found=key)


def _body(entry: Entry) -> dict[str, Any]:
    return {
        "act": entry.act, "fund": entry.fund, "amount": str(entry.amount), "by": entry.by, "document": entry.document,
        "case": entry.case, "use": entry.use, "supplied": [one.isoformat() for one in entry.supplied or ()],
        "reverses": entry.reverses, "note": entry.note, "again": entry.again,
    }  # fmt: skip


def _entry(row: Mapping[Any, Any]) -> Entry:
    body: dict[str, Any] = json.loads(row["body"])
    span = [date.fromisoformat(one) for one in body.pop("supplied")]
    amount = Decimal(body.pop("amount"))
    return Entry(
        amount=amount, happened_at=instant(row["happened_at"]), supplied=(span[0], span[1]) if span else None, **body
    )
