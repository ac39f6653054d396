"""Findings and events in the store: versions and acts appended, never changed; what stands is derived."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Connection, func, select

from models.event import Event, newer_fields
from models.finding import Finding, Transition
from pipelines import ledger, schema

GONE = ("retracted", "superseded")
NEWS = ("files", "changes", "events", "mails")
"""What of a summary makes a repeated night worth recording."""


def standing(connection: Connection, known_at: int | None = None) -> list[Finding]:
    """The newest version of every finding that was not withdrawn, as known at an instant."""
    return [Finding.from_body(body) for _, body in _newest(connection, known_at)]


def versions(connection: Connection, known_at: int | None = None) -> list[dict[str, Any]]:
    """The newest version of every finding, with its key, last change and when it became known."""
    return [{**body, **stamp} for stamp, body in _newest(connection, known_at, gone=True)]


def _newest(
    connection: Connection, known_at: int | None, *, gone: bool = False
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    table = schema.finding
    newest = select(func.max(table.c.id)).group_by(table.c.key)
    newest = newest if known_at is None else newest.where(table.c.known_at <= known_at)
    rows = connection.execute(select(table).where(table.c.id.in_(newest)).order_by(table.c.id)).mappings()
    return [
        ({"key": row["key"], "change": row["kind"], "known_at": utc(row["known_at"])}, json.loads(row["body"]))
        for row in rows
        if gone or row["kind"] not in GONE
    ]


def append_finding(connection: Connection, change: Transition, known_at: int) -> None:
    """A new version of a finding, with what made it new."""
    finding = change.finding
    same = select(func.max(schema.finding.c.known_at)).where(schema.finding.c.key == finding.key)
    last = connection.execute(same).scalar()
    later = known_at if last is None else max(known_at, last + 1)  # two versions of one night are told apart
    row = {
        "key": finding.key, "known_at": later, "kind": change.change, "rule": finding.rule,
        "station": finding.station, "verdict": finding.verdict, "digest": finding.digest(),
        "body": json.dumps(finding.body(), sort_keys=True),
    }  # fmt: skip
    ledger.append(connection, schema.finding, row)


def append_event(connection: Connection, event: Event, known_at: int) -> bool:
    """Record an act once; False when the very same act is recorded already."""
    body = {"by": event.by, "method": event.method, "document": event.document, "note": event.note, **event.more()}
    row = {
        "event_key": event.key(), "case_id": event.case, "event": event.name, "happened_at": ms(event.happened_at),
        "recorded_at": ms(event.recorded_at), "known_at": known_at, "body": json.dumps(body, sort_keys=True),
    }  # fmt: skip
    return ledger.append_new(connection, schema.event, row, ["event_key"]) is not None


def events(connection: Connection, known_at: int | None = None) -> list[Event]:
    """Every recorded act, in the order it was recorded."""
    query = select(schema.event).order_by(schema.event.c.id)
    query = query if known_at is None else query.where(schema.event.c.known_at <= known_at)
    return [_event(row) for row in connection.execute(query).mappings()]


def _event(row: Mapping[Any, Any]) -> Event:
    body: dict[str, Any] = json.loads(row["body"])
    old = {name: body[name] for name in ("by", "method", "document", "note")}
    happened, recorded = instant(row["happened_at"]), instant(row["recorded_at"])
    return Event(row["case_id"], row["event"], happened, recorded, **old, **newer_fields(body))


def outbox_keys(connection: Connection, prefix: str) -> set[str]:
    """Keys of composed mails that begin so."""
    key = schema.outbox.c.key
    return set(connection.execute(select(key).where(key.startswith(prefix, autoescape=True))).scalars())


def nights(connection: Connection, site: str) -> Sequence[Mapping[str, Any]]:
    """Every night on record, oldest first."""
    table = schema.night
    return [
        dict(row)
        for row in connection.execute(select(table).where(table.c.site == site).order_by(table.c.on_day)).mappings()
    ]


def write_night(
    connection: Connection, site: str, on: date, digest: str, summary: dict[str, Any], started: datetime
) -> dict[str, Any]:
    """Record a night's summary. A repeat that has nothing new to say records nothing.

    Returns
    -------
    The summary to tell: the one on record where the night that wrote it was killed before its end.
    """
    table = schema.night
    tonight = select(table).where(table.c.site == site, table.c.on_day == on.isoformat()).order_by(table.c.id.desc())
    last = connection.execute(tonight.limit(1)).mappings().first()
    if last is not None and not any(summary[name] for name in NEWS):
        unfinished: dict[str, Any] = json.loads(last["summary"])
        return unfinished if last["finished_at"] is None else summary
    connection.execute(
        table.insert(),
        {
            "site": site, "on_day": on.isoformat(), "started_at": ms(started), "finished_at": None,
            "digest": digest, "summary": json.dumps(summary, sort_keys=True),
        },
    )  # fmt: skip
    return summary


def finish_night(connection: Connection, site: str, on: date, finished: datetime) -> None:
    """Everything of the night is done, mails included."""
    table = schema.night
    open_ones = (table.c.site == site, table.c.on_day == on.isoformat(), table.c.finished_at.is_(None))
    connection.execute(table.update().where(*open_ones).values(finished_at=ms(finished)))


def ms(when: datetime) -> int:
    """Epoch milliseconds."""
    return round(when.timestamp() * 1000)


def instant(epoch_ms: int) -> datetime:
    """An aware UTC datetime."""
    return datetime.fromtimestamp(epoch_ms / 1000, UTC)


def utc(epoch_ms: int) -> str:
    """ISO text with a Z."""
    return instant(epoch_ms).strftime("%Y-%m-%dT%H:%M:%SZ")
