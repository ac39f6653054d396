"""The sampling calendar of a site as rows of the due list: what is overdue, what is next, and at which stations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models.applicability import reaches_not
from models.checks.sampling import Round, clause_of, lacks, last_days, last_sample, next_due, rounds
from models.event import Event
from models.question import Changed, Question
from models.rules import SamplingRule
from models.sampling_calendar import Visit
from pipelines.casebook import ms, utc
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder

NATURE = "sampling event"
STANDS = {"RUNNING": "running", "NOT_ON_RECORD": "overdue", "ON_RECORD_LATE": "done_late", "NOT_APPLICABLE": "not_owed"}
STATIONS_SHOWN = 6
Taken = tuple[Round, Visit]


def sampling_rows(
    connection: Connection, folder: SiteFolder, events: Sequence[Event], now: datetime
) -> list[dict[str, Any]]:  # fmt: skip
    """Each sampling event that is late, excused or to come, its stations together; none before mining began."""
    zone = ZoneInfo(folder.law.zone)
    question = Question(
        folder.site, folder.law, folder.policy, Recall(connection, zone, ms(now)), _last_day(now, zone), now, Changed(),
        events,
    )  # fmt: skip
    on = question.on
    rules = [one for one in folder.law.checks(on) if isinstance(one, SamplingRule)]
    reached = [one for one in rules if not reaches_not(one, folder.site.permit, folder.law, on)]
    begun = on >= question.began and folder.site.sampling
    return [row for rule in reached if begun for row in _rows(rule, question)]


def _last_day(now: datetime, zone: ZoneInfo) -> date:
    """The civil day that an instant ends or lies in."""
    return (now - timedelta(microseconds=1)).astimezone(zone).date()


def _rows(rule: SamplingRule, question: Question) -> Iterator[dict[str, Any]]:
    together: dict[tuple[Any, ...], list[Taken]] = {}
    for one in rounds(rule, question):
        following = next_due(one)
        for visit in one.visits:
            if visit.status != "ON_RECORD" and (visit.status != "RUNNING" or visit is following):
                key = one.decided.calendar.id, visit.event.due, visit.status
                together.setdefault(key, []).append((one, visit))
    yield from (_row(rule, question, each) for each in together.values())


def _row(rule: SamplingRule, question: Question, each: list[Taken]) -> dict[str, Any]:
    one, visit = each[0]
    calendar, event = one.decided.calendar, visit.event
    plain, statutory = (day.isoformat() for day in last_days(event, question))
    stations = [taken.station for taken, _ in each]
    more = len(stations) - STATIONS_SHOWN
    at = ", ".join(stations[:STATIONS_SHOWN]) + (f" and {more} more" if more > 0 else "")
    return {
        "case": "", "step": rule.id, "clause": clause_of(rule, calendar),
        "title": f"Sampling of {calendar.group} at {at}", "who": "operator", "nature": NATURE,
        "standing": STANDS[visit.status], "runs_from": f"calendar {calendar.id}",
        "started_at": None, "started": event.first.isoformat(), "plain_due": plain, "statutory_due": statutory,
        "plain": plain, "statutory": statutory, "plain_due_at": utc(ms(event.ends[0])),
        "statutory_due_at": utc(ms(event.ends[1])), "done_by": None, "done_at": None,
        "says": "; ".join(dict.fromkeys(_says(*taken) for taken in each)), "finding_withdrawn": False,
        "waited_days": None, "moved": False, "silence": None, "stations": stations,
    }  # fmt: skip


def _says(one: Round, visit: Visit) -> str:
    last = last_sample(one, visit)
    before = f"last sample {last}" if last else "never sampled before"
    if visit.status == "NOT_APPLICABLE":
        return f"{one.station}: {visit.why}"
    late = f", late by {visit.days_late(visit.sampled)} d" if visit.sampled and visit.status == "ON_RECORD_LATE" else ""
    return f"{one.station}: lacks {lacks(visit)}{late}; {before}"
