"""Deadlines as plain rows, for JSON, tables and the night's summary."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from models.clock import Deadline
from pipelines.casebook import ms, utc


def clock_row(deadline: Deadline, zone: ZoneInfo) -> dict[str, Any]:
    """One deadline; due days are the last civil day in the ordinance's zone.

    ``plain`` and ``statutory`` are what a clerk writes down: that day, or for a time in hours the local instant.
    """
    plain, statutory = (deadline.due_day(one, zone) for one in (deadline.plain, deadline.statutory))
    return {
        "case": deadline.case, "step": deadline.step, "clause": deadline.clause, "title": deadline.title,
        "who": deadline.who, "nature": deadline.nature, "standing": deadline.standing,
        "runs_from": deadline.started_by, "started_at": utc(ms(deadline.started_at)),
        "started": _local(deadline.started_at, zone),
        "plain_due": plain and plain.isoformat(), "statutory_due": statutory and statutory.isoformat(),
        "plain": _written(deadline, deadline.plain, zone), "statutory": _written(deadline, deadline.statutory, zone),
        "plain_due_at": deadline.plain and utc(ms(deadline.plain)),
        "statutory_due_at": deadline.statutory and utc(ms(deadline.statutory)),
        "done_by": deadline.done_by, "done_at": deadline.done_at and utc(ms(deadline.done_at)), "says": deadline.says,
        "finding_withdrawn": deadline.withdrawn, "waited_days": deadline.waited_days, "moved": deadline.moved,
        "silence": deadline.silence or None,
    }  # fmt: skip


def _local(instant: datetime, zone: ZoneInfo) -> str:
    return instant.astimezone(zone).strftime("%Y-%m-%d %H:%M %Z")


def _written(deadline: Deadline, instant: datetime | None, zone: ZoneInfo) -> str | None:
    """A last civil day; an instant where the time does not end with a day."""
    if instant is None:
        return None
    ends_a_day = instant.astimezone(zone).time() == time() and not deadline.in_hours
    return str(deadline.due_day(instant, zone)) if ends_a_day else _local(instant, zone)
