"""What people do beside the events of a case: money moved, household data read, values reviewed, papers composed.

All four are ledgers: appended, sealed, never changed.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, Text, UniqueConstraint

revision = "hw0003"
down_revision = "hw0002"
branch_labels = None
depends_on = None


def _ledger(name: str, *facts: Column[str] | Column[int], unique: tuple[str, ...] = ()) -> None:
    seals = [Column(seal, Text, nullable=False) for seal in ("prev_hash", "hash")]
    keys = [UniqueConstraint(*unique)] if unique else []
    op.create_table(name, Column("id", Integer, primary_key=True), *facts, *seals, *keys)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _ms(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False)


def upgrade() -> None:
    _ledger(
        "fund_line", _text("entry"), _text("account"), _text("amount"), _ms("happened_at"), _ms("known_at"),
        _text("body"), unique=("entry", "account"),
    )  # fmt: skip
    _ledger("household_access", _ms("read_at"), _text("command"), _text("reader"), _text("household"), _text("purpose"))
    _ledger(
        "review", _text("review_key"), _text("act"), _text("subject"), _ms("known_at"), _text("body"),
        unique=("review_key",),
    )  # fmt: skip
    _ledger(
        "paper", _text("number"), _text("case_id"), _text("name"), _ms("composed_at"), _text("sha256"), _text("body"),
        unique=("number",),
    )  # fmt: skip
