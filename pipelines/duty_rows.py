"""Dated duties of a site as rows of the due list: by whom, by which day, under which clause, and how each stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from models.applicability import reaches_not
from models.dated_duties import Register
from models.duty_standing import Book, Duty, Status, duties, kept, not_kept, words
from models.event import Event
from models.lateness_rule import LatenessRule
from pipelines.casebook import ms, utc
from pipelines.judgement import calendar
from pipelines.site_folder import SiteFolder

NO_REGISTER = "no register"
NATURE = "dated duty"
STANDS: Mapping[Status, str] = {
    "RUNNING": "running",
    "ON_RECORD": "done",
    "ON_RECORD_LATE": "done_late",
    "NOT_ON_RECORD": "overdue",
    "DUTY_OPEN": "open",
    "PERMIT_OVER": "to_confirm",
    "BEYOND_TERM": "beyond_term",
    "WITHIN_TERM": "done",
    "NOT_APPLICABLE": "not_owed",
}
"""The words of the due list for where a duty stands; those of the case steps where they mean the same."""


def book_of(folder: SiteFolder, events: Sequence[Event], now: datetime) -> Book:
    """What the dated duties of a site are judged from at an instant."""
    return Book(folder.site.permit, folder.law, events, calendar(folder), now)


def site_duties(folder: SiteFolder, events: Sequence[Event], now: datetime) -> list[Duty]:
    """Every dated duty that reaches the site and has fallen due, and each one's next time; none before mining began."""
    book = book_of(folder, events, now)
    next_year = date(book.calendar.day(now).year + 1, 12, 31)
    return [one for rule in _rules(folder, now) for one in _to_the_next(duties(rule, book, next_year), now)]


def duty_rows(folder: SiteFolder, events: Sequence[Event], now: datetime) -> list[dict[str, Any]]:
    """The dated duties as rows like those of ``pipelines.clocks.clock_row``.

    Where no register is kept nothing is said of what was done: only the next day is listed.
    """
    book = book_of(folder, events, now)
    rows = [_row(one, book) for one in site_duties(folder, events, now)]
    unkept = [rule for rule in _rules(folder, now) if not kept(rule, book.register(rule))]
    return rows + [row for rule in unkept for row in _unkept(rule, book)]


def rows_read_by(rows: Sequence[dict[str, Any]], folder: SiteFolder, kind: str, act: str = "") -> list[dict[str, Any]]:
    """The rows of duties that are read from a kind of case; with an act, only of those that read it."""
    found = [one for one in folder.law.rule if isinstance(one, LatenessRule) and kind in one.kinds]
    ids = {one.id for one in found if act in ("", *one.acts)}
    return [row for row in rows if row["step"] in ids]


def unkept(folder: SiteFolder, events: Sequence[Event], now: datetime) -> list[str]:
    """A line for each register that the town does not keep."""
    return not_kept(_rules(folder, now), book_of(folder, events, now), folder.site.id)


def _rules(folder: SiteFolder, now: datetime) -> list[LatenessRule]:
    on, permit = calendar(folder).day(now), folder.site.permit
    rules = [one for one in folder.law.checks(on) if isinstance(one, LatenessRule)]
    return [one for one in rules if on >= permit.mining_began and not reaches_not(one, permit, folder.law, on)]


def _to_the_next(found: Iterator[Duty], now: datetime) -> Iterator[Duty]:
    """Up to and with the first that is not due yet; of those that acts began, every one."""
    for one in found:
        yield one
        if one.due.started is None and now < one.due.ends[1]:
            return


def _row(duty: Duty, book: Book) -> dict[str, Any]:
    start, act = duty.due.started, duty.act
    plain, statutory = (day.isoformat() for day in duty.last_days(book.calendar))
    timed = duty.rule.time_stated
    return {
        "case": duty.case, "step": duty.rule.id, "clause": duty.rule.clause, "title": duty.title,
        "who": duty.rule.who, "nature": "information" if duty.rule.information else NATURE,
        "standing": STANDS[duty.status], "runs_from": start.name if start else duty.rule.of or "calendar",
        "started_at": start and utc(ms(start.happened_at)), "started": duty.due.since and duty.due.since.isoformat(),
        "plain_due": plain if timed else None, "statutory_due": statutory if timed else None,
        "plain": plain if timed else None, "statutory": statutory if timed else None,
        "plain_due_at": utc(ms(duty.due.ends[0])) if timed else None,
        "statutory_due_at": utc(ms(duty.due.ends[1])) if timed else None,
        "done_by": act and act.name, "done_at": act and utc(ms(act.happened_at)), "says": _says(duty),
        "finding_withdrawn": False, "waited_days": None, "moved": False, "silence": None,
    }  # fmt: skip


def _says(duty: Duty) -> str:
    late = duty.rule.late if duty.status in {"NOT_ON_RECORD", "ON_RECORD_LATE"} else ""
    return " ".join(part for part in (f"{duty.why[:1].upper()}{duty.why[1:]}.", late) if part)


def _unkept(rule: LatenessRule, book: Book) -> Iterator[dict[str, Any]]:
    """The next time of a duty that nothing is known of, where a date alone makes it due."""
    asked = Book(book.permit, book.law, (), book.calendar, book.now)
    next_year = date(book.calendar.day(book.now).year + 1, 12, 31)
    for one in duties(rule, asked, next_year, unseen=Register(kept_since=date.min)):
        if one.status == "RUNNING":
            says = f"No register is kept; {words(rule.done_by, ' or ')} would answer it."
            yield _row(one, asked) | {"standing": NO_REGISTER, "says": says}
            return
