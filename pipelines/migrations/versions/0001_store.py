"""The first store: sources, observations, findings, events, outbox.

Frozen: it spells the schema out instead of importing it, so that it still creates the same tables after the schema
has moved on.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Double, ForeignKeyConstraint, Integer, PrimaryKeyConstraint, Text
from sqlalchemy import UniqueConstraint as Unique

revision = "hw0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_sources()
    _create_observations()
    _create_night_and_findings()
    _create_event()
    _create_outbox()
    op.create_table("mark", Column("name", Text, nullable=False), _text("value"), _primary("mark", "name"))


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _integer(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False)


def _big(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=nullable)


def _primary(table: str, *columns: str) -> PrimaryKeyConstraint:
    return PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def _foreign(table: str, column: str, referred: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint([column], [f"{referred}.id"], name=f"fk_{table}_{column}_{referred}")


def _create_sources() -> None:
    op.create_table(
        "source",
        _integer("id"),
        _text("sha256"),
        _text("file"),
        _text("format"),
        _big("arrived_at"),
        *(_integer(name) for name in ("rows", "accepted", "duplicate", "revised", "rejected")),
        _big("size"),
        _primary("source", "id"),
        Unique("sha256", name="uq_source_sha256"),
    )
    op.create_table(
        "reject",
        *(_integer(name) for name in ("id", "source_id", "row")),
        *(_text(name) for name in ("column_name", "raw", "reason")),
        _primary("reject", "id"),
        _foreign("reject", "source_id", "source"),
    )
    op.create_index("ix_reject_source_id", "reject", ["source_id"])


def _create_observations() -> None:
    op.create_table(
        "series",
        _integer("id"),
        *(_text(name) for name in ("key", "station", "parameter", "statistic", "series", "unit", "clock")),
        _primary("series", "id"),
        Unique("key", name="uq_series_key"),
    )
    op.create_table(
        "observation",
        _integer("series_id"),
        _big("time_ms"),
        _big("known_at"),
        Column("value", Double),
        *(_text(name) for name in ("value_text", "flags")),
        *(_integer(name) for name in ("source_id", "source_row")),
        _primary("observation", "series_id", "time_ms", "known_at"),
        _foreign("observation", "series_id", "series"),
        _foreign("observation", "source_id", "source"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "daily",
        *(_integer(name) for name in ("series_id", "day")),
        _big("known_at"),
        *(_text(name) for name in ("value_text", "flags", "origin")),
        _primary("daily", "series_id", "day", "known_at"),
        _foreign("daily", "series_id", "series"),
        sqlite_with_rowid=False,
    )


def _create_night_and_findings() -> None:
    op.create_table(
        "night",
        _integer("id"),
        *(_text(name) for name in ("site", "on_day")),
        _big("started_at"),
        _big("finished_at", nullable=True),
        *(_text(name) for name in ("digest", "summary")),
        _primary("night", "id"),
    )
    op.create_index("ix_night_site_on_day", "night", ["site", "on_day"])
    op.create_table(
        "finding",
        _integer("id"),
        _text("key"),
        _big("known_at"),
        *(_text(name) for name in ("kind", "rule", "station", "verdict", "body", "digest", "prev_hash", "hash")),
        _primary("finding", "id"),
        Unique("key", "digest", "known_at", name="uq_finding_key_digest_known_at"),
    )


def _create_event() -> None:
    op.create_table(
        "event",
        _integer("id"),
        *(_text(name) for name in ("event_key", "case_id", "event")),
        *(_big(name) for name in ("happened_at", "recorded_at", "known_at")),
        *(_text(name) for name in ("body", "prev_hash", "hash")),
        _primary("event", "id"),
        Unique("event_key", name="uq_event_event_key"),
    )
    op.create_index("ix_event_case_id", "event", ["case_id"])


def _create_outbox() -> None:
    op.create_table(
        "outbox",
        _integer("id"),
        *(_text(name) for name in ("key", "message_id", "recipient", "subject", "body_text")),
        _big("composed_at"),
        _big("sent_at", nullable=True),
        _integer("attempts"),
        Column("error", Text),
        *(_text(name) for name in ("prev_hash", "hash")),
        _primary("outbox", "id"),
        Unique("key", name="uq_outbox_key"),
        Unique("message_id", name="uq_outbox_message_id"),
    )
