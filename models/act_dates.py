"""The days an act states: a last day, and dates among its facts, each held against the act, the others and the law."""

from __future__ import annotations

from datetime import date, timedelta

from models.case_kind import Fact
from models.clock import Deadline, deadlines
from models.counting import months_later
from models.errors import BadSite
from models.policy import Policy
from models.stated_act import Stated

FIRST_YEAR = 1900
RUNS = ("running", "paused", "window_open")


def check_until(one: Stated) -> None:
    """Refuse a last day of an act that has none, or one that cannot be (BadSite)."""
    until = one.event.until
    if until is None:
        return
    if not _has_a_last_day(one):
        raise BadSite(f"{one.act.name} states no last day", key="until", found=str(until), allowed=["leave it out"])
    if until <= one.day:
        raise BadSite("ends before it begins", key="until", found=str(until), allowed=[f"after {one.day}"])
    if one.act.term_years is not None:
        _check_term(one, until, one.act.term_years)
    extended = [step for step in one.table.steps if one.act.name in step.extended_by]
    if extended:
        runs = deadlines("", extended, one.read.valid, one.table.calendar, one.event.happened_at)
        _check_extension(one, until, runs)


def _has_a_last_day(one: Stated) -> bool:
    """A term, a later last day, or the day that a time before it counts back from."""
    read_by = [step for step in one.table.steps if one.act.name in (*step.extended_by, *(step.runs_from * step.before))]
    return "until" in (*one.act.requires, *one.act.facts) or bool(read_by)


def _check_term(one: Stated, until: date, years: int) -> None:
    """From the act, or from the end of the term granted before where that runs longer."""
    granting = {each.name for each in one.table.kind.event if each.term_years}
    before = [each.until for each in one.read.valid if each.until is not None and each.name in granting]
    longest = months_later(max([one.day, *before]), 12 * years)
    if until > longest:
        raise BadSite(f"{one.clause}: no longer than {years} years", key="until", found=str(until),
                      allowed=[f"by {longest}"])  # fmt: skip


def _check_extension(one: Stated, until: date, runs: list[Deadline]) -> None:
    """A time that is out is extended by nobody, and no extension shortens one."""
    running = [each for each in runs if each.standing in RUNS]
    if runs and not running:
        ended = one.table.calendar.day(max(each.statutory for each in runs if each.statutory) - timedelta(seconds=1))
        raise BadSite(f"the time ended on {ended}: nothing is left to extend", key="event", found=one.event.name)
    plain = [each.due_day(each.plain, one.table.calendar.zone) for each in running]
    last = min((day for day in plain if day is not None), default=None)
    if last is not None and until < last:
        raise BadSite(f"the time runs to {last} without it", key="until", found=str(until), allowed=[f"after {last}"])


def check_date(fact: Fact, text: str, one: Stated) -> None:
    """Refuse a date that is none, or that the act, another fact or the law forbids (BadSite)."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if day.isoformat() != text or day.year < FIRST_YEAR:
        raise BadSite("not a day", key=fact.name, found=text, allowed=["YYYY-MM-DD"])
    if fact.not_before_act and day < one.day:
        raise BadSite(f"comes before {one.act.name} itself", key=fact.name, found=text, allowed=[f"{one.day} or later"])
    if fact.not_after_act and day > one.day:
        raise BadSite(f"comes after {one.act.name} itself", key=fact.name, found=text, allowed=[f"by {one.day}"])
    _check_against_the_other(fact, day, one)
    if fact.run_of:
        _check_run(fact, day, one.event.meeting or one.day, one.policy)


def _check_against_the_other(fact: Fact, day: date, one: Stated) -> None:
    """Not before the date it is to follow, nor, both counted, longer after it than the step's years."""
    first = one.event.fact(fact.not_before) if fact.not_before else ""
    if not first:
        return
    if day.isoformat() < first:
        raise BadSite(f"comes before {fact.not_before}", key=fact.name, found=day.isoformat(),
                      allowed=[f"{first} or later"])  # fmt: skip
    step = next((each for each in one.table.steps if each.id == fact.span_of), None)
    last = _last_of_years(date.fromisoformat(first), step.reimburse_years) if step and step.reimburse_years else day
    if day > last:
        raise BadSite(f"{one.clause}: no longer than {step.reimburse_years if step else 0} year from {first}",
                      key=fact.name, found=day.isoformat(), allowed=[f"by {last}"])  # fmt: skip


def _last_of_years(first: date, years: int) -> date:
    """The last day of so many years that begin with a day."""
    return months_later(first, 12 * years) - timedelta(days=1)


def _check_run(fact: Fact, first: date, on: date, policy: Policy) -> None:
    """So many whole days before the body determined it."""
    needed = getattr(policy, fact.run_of)
    if (on - first) / timedelta(days=1) < needed.value:
        raise BadSite(
            f"{fact.means}: {(on - first).days} whole days before {on}, and the policy asks for {needed.says()}",
            key=fact.name, found=first.isoformat(), allowed=[f"{on - timedelta(days=int(needed.value))} or before"],
        )  # fmt: skip
