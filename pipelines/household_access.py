"""The audit of who was shown which household's data: one sealed line, written before anything is shown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from models.errors import BadQuestion
from models.household import Households
from models.privacy import private_part
from models.said import is_said
from pipelines import ledger, schema
from pipelines.casebook import ms, utc


def check_reader(reader: str, purpose: str, households: Households) -> None:
    """Refuse a look by nobody or for nothing, and one whose record would itself name a household.

    Raises
    ------
    BadQuestion : no reader or no purpose is named, or either holds a household's data.
    """
    for key, text in (("--by", reader), ("--purpose", purpose)):
        if not is_said(text):
            raise BadQuestion("a household's data are shown to somebody for something: say it", key=key)
        if part := private_part(text, households):
            raise BadQuestion(f"the record of a look is sealed for good and holds no household's {part}", key=key)


def note_read(connection: Connection, command: str, household: str, reader: str, purpose: str, at: datetime) -> None:
    """Record that a person is about to be shown a household's data; ``check_reader`` first."""
    row = {"read_at": ms(at), "command": command, "reader": reader, "household": household, "purpose": purpose}
    ledger.append(connection, schema.household_access, row)


def reads(connection: Connection, household: str | None = None) -> Sequence[dict[str, Any]]:
    """Every recorded read, oldest first."""
    table = schema.household_access
    query = select(table).order_by(table.c.id)
    query = query if household is None else query.where(table.c.household == household)
    return [
        {
            "read_at": utc(row["read_at"]), "household": row["household"], "reader": row["reader"],
            "command": row["command"], "purpose": row["purpose"],
        }
        for row in connection.execute(query).mappings()
    ]  # fmt: skip
