"""The tables of the store.

Conventions, the same on SQLite and PostgreSQL:

* An instant is ``BigInteger`` epoch milliseconds UTC, named ``*_at``, ``*_ms`` or ``known_at``; a civil day is days
  since 1970-01-01. SQLAlchemy's ``DateTime(timezone=True)`` loses the offset on SQLite.
* A decimal is text. ``Numeric`` becomes binary floating point on SQLite.
* ``known_at`` is when the town knew it. A revision is a new row; nothing is overwritten.
* A table with ``prev_hash`` and ``hash`` is a ledger (``pipelines/ledger.py``). A column marked ``UNSEALED`` records
  what became of the row later and is outside its hash.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

UNSEALED = {"unsealed": True}

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _count(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, default=0)


def _ms(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=nullable)


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


# One delivered file, recognised by its content and not by its name.
source = Table(
    "source",
    metadata,
    _id(),
    _text("sha256"),
    _text("file"),
    _text("format"),
    _ms("arrived_at"),
    _count("rows"),
    _count("accepted"),
    _count("duplicate"),
    _count("revised"),
    _count("rejected"),
    Column("size", BigInteger, nullable=False, default=0),
    UniqueConstraint("sha256"),
)

reject = Table(
    "reject",
    metadata,
    _id(),
    Column("source_id", ForeignKey("source.id"), nullable=False, index=True),
    _count("row"),
    _text("column_name"),
    _text("raw"),
    _text("reason"),
)

# ``key`` joins the six names, because NULL or blank parts of a composite key would defeat its uniqueness.
series = Table(
    "series",
    metadata,
    _id(),
    _text("key"),
    _text("station"),
    _text("parameter"),
    _text("statistic"),
    _text("series"),
    _text("unit"),
    _text("clock"),
    UniqueConstraint("key"),
)

observation = Table(
    "observation",
    metadata,
    Column("series_id", ForeignKey("series.id"), nullable=False),
    _ms("time_ms"),
    _ms("known_at"),
    Column("value", Double),
    _text("value_text"),
    _text("flags"),
    Column("source_id", ForeignKey("source.id"), nullable=False),
    Column("source_row", Integer, nullable=False),
    PrimaryKeyConstraint("series_id", "time_ms", "known_at"),
    sqlite_with_rowid=False,
)

# Derived from observations, so that no rule has to aggregate the whole record; ``value_text`` "" is no value.
daily = Table(
    "daily",
    metadata,
    Column("series_id", ForeignKey("series.id"), nullable=False),
    Column("day", Integer, nullable=False),
    _ms("known_at"),
    _text("value_text"),
    _text("flags"),
    _text("origin"),
    PrimaryKeyConstraint("series_id", "day", "known_at"),
    sqlite_with_rowid=False,
)

night = Table(
    "night",
    metadata,
    _id(),
    _text("site"),
    _text("on_day"),
    _ms("started_at"),
    _ms("finished_at", nullable=True),
    _text("digest"),
    _text("summary"),
    Index(None, "site", "on_day"),
)

finding = Table(
    "finding",
    metadata,
    _id(),
    _text("key"),
    _ms("known_at"),
    _text("kind"),
    _text("rule"),
    _text("station"),
    _text("verdict"),
    _text("body"),
    _text("digest"),
    _text("prev_hash"),
    _text("hash"),
    UniqueConstraint("key", "digest", "known_at"),
)

event = Table(
    "event",
    metadata,
    _id(),
    _text("event_key"),
    _text("case_id"),
    _text("event"),
    _ms("happened_at"),
    _ms("recorded_at"),
    _ms("known_at"),
    _text("body"),
    _text("prev_hash"),
    _text("hash"),
    UniqueConstraint("event_key"),
    Index(None, "case_id"),
)

# ``about``: the keys of the findings a mail tells of, as JSON; who was told of one is told when it is corrected.
outbox = Table(
    "outbox",
    metadata,
    _id(),
    _text("key"),
    _text("message_id"),
    _text("recipient"),
    _text("subject"),
    _text("body_text"),
    Column("body_html", Text),
    Column("about", Text),
    _ms("composed_at"),
    Column("sent_at", BigInteger, info=UNSEALED),
    Column("attempts", Integer, nullable=False, default=0, info=UNSEALED),
    Column("error", Text, info=UNSEALED),
    Column("next_attempt_at", BigInteger, info=UNSEALED),
    Column("dead_at", BigInteger, info=UNSEALED),
    Column("dead_told_at", BigInteger, info=UNSEALED),
    _text("prev_hash"),
    _text("hash"),
    UniqueConstraint("key"),
    UniqueConstraint("message_id"),
)

# Money of a site in double entry: the lines of one entry sum to zero. ``amount`` is decimal text.
fund_line = Table(
    "fund_line",
    metadata,
    _id(),
    _text("entry"),
    _text("account"),
    _text("amount"),
    _ms("happened_at"),
    _ms("known_at"),
    _text("body"),
    _text("prev_hash"),
    _text("hash"),
    UniqueConstraint("entry", "account"),
)

# Who read which household's data, by which command and for what.
household_access = Table(
    "household_access",
    metadata,
    _id(),
    _ms("read_at"),
    _text("command"),
    _text("reader"),
    _text("household"),
    _text("purpose"),
    _text("prev_hash"),
    _text("hash"),
)

# A reviewer's act on a value, a result, a finding or a base flow.
review = Table(
    "review",
    metadata,
    _id(),
    _text("review_key"),
    _text("act"),
    _text("subject"),
    _ms("known_at"),
    _text("body"),
    _text("prev_hash"),
    _text("hash"),
    UniqueConstraint("review_key"),
)

# A numbered paper as it was composed. Its release is an act of its case.
paper = Table(
    "paper",
    metadata,
    _id(),
    _text("number"),
    _text("case_id"),
    _text("name"),
    _ms("composed_at"),
    _text("sha256"),
    _text("body"),
    _text("prev_hash"),
    _text("hash"),
    UniqueConstraint("number"),
)

# Small state of the program itself: the digest last judged, watermarks of checks.
mark = Table("mark", metadata, Column("name", Text, primary_key=True), _text("value"))
