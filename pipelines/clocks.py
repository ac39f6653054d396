"""Deadlines as plain rows, for JSON, tables and the night's summary."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from models.clock import Deadline
from pipelines.casebook import ms, utc


def clock_row(deadline: Deadline, zone: ZoneInfo) -> dict[str, Any]:
    """One deadline; due days are the last civil day in the ordinance's zone."""
    plain, statutory = (deadline.due_day(one, zone) for one in (deadline.plain, deadline.statutory))
    return {
        "case": deadline.case, "step": deadline.step, "clause": deadline.clause, "title": deadline.title,
        "who": deadline.who, "nature": deadline.nature, "standing": deadline.standing,
        "runs_from": deadline.started_by, "started_at": utc(ms(deadline.started_at)),
        "plain_due": plain and plain.isoformat(), "statutory_due": statutory and statutory.isoformat(),
        "plain_due_at": deadline.plain and utc(ms(deadline.plain)),
        "statutory_due_at": deadline.statutory and utc(ms(deadline.statutory)),
        "done_by": deadline.done_by, "done_at": deadline.done_at and utc(ms(deadline.done_at)), "says": deadline.says,
        "finding_withdrawn": deadline.withdrawn,
    }  # fmt: skip
