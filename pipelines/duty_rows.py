"""Dated duties of a site as rows of the due list: by whom, by which day, under which clause, and how each stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from models.applicability import reaches_not
from models.clock import Deadline
from models.counting import calendar_under
from models.dated_duties import Register
from models.duty_standing import Book, Duty, Status, duties, kept, not_kept, words
from models.event import Event
from models.lateness_rule import LatenessRule
from models.permit import Permit
from models.policy import Policy
from models.rules import Ordinance
from models.site import Site
from pipelines.casebook import ms, utc
from pipelines.judgement import calendar
from pipelines.site_folder import SiteFolder
from reports.digest import SOON_DAYS

NO_REGISTER = "no register"
NATURE = "dated duty"
NOT_ON_RECORD = "not_on_record"
"""Of an information whose day is past with nothing on record: nobody is in default."""
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
    return [one for rule in _rules(folder.law, folder.site.permit, book) for one in _by_the_next(rule, book)]


def soon_due(site: Site, law: Ordinance, policy: Policy, events: Sequence[Event], now: datetime) -> list[Deadline]:
    """The dated duties that end within days, as the clocks of cases are told; what is overdue is a finding's to tell.

    Of a duty whose register nobody keeps nothing is known, and nobody is reminded of it.
    """
    book = Book(site.permit, law, events, calendar_under(law, policy), now)
    days = max(SOON_DAYS, int(policy.countdown.value))
    found = (one for rule in _rules(law, site.permit, book) for one in _by_the_next(rule, book))
    return [_clock(one, book, site.id) for one in found if _soon(one, book, days)]


def _soon(duty: Duty, book: Book, days: int) -> bool:
    timed = duty.rule.time_stated and not duty.rule.information
    left = (duty.last_days(book.calendar)[0] - book.calendar.day(book.now)).days
    return timed and duty.status == "RUNNING" and left <= days


def _clock(duty: Duty, book: Book, site: str) -> Deadline:
    """It is counted from a date, or from an act; its last day is part of what it is."""
    rule, due = duty.rule, duty.due
    first = due.since or (due.opens_on if due.opens_on > date.min else due.counted)
    started = due.started.happened_at if due.started else book.calendar.start_of(first)
    by = due.started.name if due.started else rule.of or "the calendar"
    return Deadline(
        duty.case or f"{rule.id}/{site}/{first}", rule.id, rule.clause, duty.title, rule.who, "deadline", by, started,
        *due.ends, "running", None, None, _to_record(duty), moved=True,
        started_key=due.started.key() if due.started else "",
    )  # fmt: skip


def _to_record(duty: Duty) -> str:
    """What follows, and where the act that answers it is recorded."""
    places = " or ".join(duty.places)
    return " ".join(part for part in (duty.rule.follows, f"It is answered by: {places}." if places else "") if part)


def duty_rows(folder: SiteFolder, events: Sequence[Event], now: datetime) -> list[dict[str, Any]]:
    """The dated duties as rows like those of ``pipelines.clocks.clock_row``.

    Where no register is kept nothing is said of what was done: only the next day is listed.
    """
    book = book_of(folder, events, now)
    rows = [_row(one, book) for one in site_duties(folder, events, now)]
    rules = _rules(folder.law, folder.site.permit, book)
    unkept = [rule for rule in rules if not kept(rule, book.register(rule))]
    return rows + [row for rule in unkept for row in _unkept(rule, book)]


def rows_read_by(rows: Sequence[dict[str, Any]], folder: SiteFolder, kind: str, act: str = "") -> list[dict[str, Any]]:
    """The rows of duties that are read from a kind of case; with an act, only of those that read it."""
    rules = [one for one in folder.law.rule if isinstance(one, LatenessRule)]
    found = [one for one in rules if kind in one.kinds or (one.about_the_term and kind == one.renewed_in)]
    ids = {one.id for one in found if act in ("", *one.acts, *one.renewed_by)}
    return [row for row in rows if row["step"] in ids]


def unkept(folder: SiteFolder, events: Sequence[Event], now: datetime) -> list[str]:
    """A line for each register that the town does not keep."""
    book = book_of(folder, events, now)
    return not_kept(_rules(folder.law, folder.site.permit, book), book, folder.site.id)


def _rules(law: Ordinance, permit: Permit, book: Book) -> list[LatenessRule]:
    on = book.calendar.day(book.now)
    rules = [one for one in law.checks(on) if isinstance(one, LatenessRule)]
    return [one for one in rules if on >= permit.mining_began and not reaches_not(one, permit, law, on)]


def _by_the_next(rule: LatenessRule, book: Book) -> Iterator[Duty]:
    """Up to and with the first that is to come and not answered; of those that acts began, and of terms, every one."""
    for one in duties(rule, book, date(book.calendar.day(book.now).year + 1, 12, 31)):
        yield one
        waits = book.now < one.due.ends[1] and one.status != "ON_RECORD"
        if waits and one.due.started is None and one.rule.done_on is None:
            return


def _row(duty: Duty, book: Book) -> dict[str, Any]:
    start, act = duty.due.started, duty.act
    plain, statutory = (day.isoformat() for day in duty.last_days(book.calendar))
    timed = duty.rule.time_stated
    return {
        "case": duty.case, "step": duty.rule.id, "clause": duty.rule.clause, "title": duty.title,
        "who": duty.rule.who, "nature": "information" if duty.rule.information else NATURE,
        "standing": _stands(duty), "runs_from": start.name if start else duty.rule.of or "calendar",
        "started_at": start and utc(ms(start.happened_at)), "started": duty.due.since and duty.due.since.isoformat(),
        "plain_due": plain if timed else None, "statutory_due": statutory if timed else None,
        "plain": plain if timed else None, "statutory": statutory if timed else None,
        "plain_due_at": utc(ms(duty.due.ends[0])) if timed else None,
        "statutory_due_at": utc(ms(duty.due.ends[1])) if timed else None,
        "done_by": act and act.name, "done_at": act and utc(ms(act.happened_at)), "says": _says(duty),
        "finding_withdrawn": False, "waited_days": None, "moved": False, "silence": None,
    }  # fmt: skip


def _stands(duty: Duty) -> str:
    """Where a duty stands; what is only information is never overdue."""
    return NOT_ON_RECORD if duty.rule.information and duty.status == "NOT_ON_RECORD" else STANDS[duty.status]


def _says(duty: Duty) -> str:
    late = duty.rule.late if duty.status in {"NOT_ON_RECORD", "ON_RECORD_LATE"} else ""
    mark = "Information: no violation of this ordinance." if duty.rule.information else ""
    return " ".join(part for part in (f"{duty.why[:1].upper()}{duty.why[1:]}.", late, mark) if part)


def _unkept(rule: LatenessRule, book: Book) -> Iterator[dict[str, Any]]:
    """The next time of a duty that nothing is known of, where a date alone makes it due."""
    next_year = date(book.calendar.day(book.now).year + 1, 12, 31)
    for one in duties(rule, book, next_year, unseen=Register(kept_since=date.min)):
        if one.status == "RUNNING":
            says = f"No register is kept; {words(rule.done_by, ' or ')} would answer it."
            yield _row(one, book) | {"standing": NO_REGISTER, "says": says}
            return
