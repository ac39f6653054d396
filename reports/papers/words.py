"""Days, instants and last days of a step, as a letter writes them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from models.case_kind import CaseKind
from models.clock import Deadline
from models.rules import Ordinance
from models.step import Step

NO_TIME = "no time is stated"


@dataclass(frozen=True)
class Due:
    """A step in plain words. ``plain``, ``statutory``: its last days once it runs, "" before; ``when`` says either."""

    clause: str
    title: str
    who: str
    when: str
    count: str
    late: str
    follows: str
    plain: str = ""
    statutory: str = ""

    @property
    def dated(self) -> bool:
        """Whether it runs, so that a last day is known."""
        return bool(self.plain)


def long_day(day: date) -> str:
    """``Thursday, September 4, 2025``."""
    return f"{day:%A, %B} {day.day}, {day.year}"


def long_instant(instant: datetime, zone: ZoneInfo) -> str:
    """``August 12, 2025, 2:00 PM CDT``."""
    local = instant.astimezone(zone)
    return f"{local:%B} {local.day}, {local.year}, {local.hour % 12 or 12}:{local:%M %p %Z}"


def due(step: Step, found: Deadline | None, kind: CaseKind, law: Ordinance) -> Due:
    """One step of a case: its last day where an act on record started it, else what it runs from.

    Parameters
    ----------
    found : its newest run; None where none of its acts is on record.
    """
    zone = ZoneInfo(law.zone)
    plain, statutory = ("", "") if found is None else (_end(found, one, zone) for one in (found.plain, found.statutory))
    when = _not_begun(step, kind) if found is None else _when(step, plain, statutory, law)
    return Due(step.clause, step.title, step.who, when, count(step), step.late, step.follows, plain, statutory)


def count(step: Step) -> str:
    """The time the law states, ``20 days``; "" where it states none."""
    counts = {"days": step.days, "working days": step.working_days, "hours": step.hours, "months": step.months}
    return next((f"{number} {unit}" for unit, number in counts.items() if number is not None), "")


def _not_begun(step: Step, kind: CaseKind) -> str:
    acts = [act.means for name in step.runs_from if (act := kind.event_of(name))]
    time_stated = f"{count(step)} from" if step.timed else f"{NO_TIME}; from"
    return f"{time_stated} when {' or '.join(acts)}"


def _when(step: Step, plain: str, statutory: str, law: Ordinance) -> str:
    if not plain:
        return NO_TIME
    verb = "may be used until" if step.nature == "window" else "by"
    if plain == statutory:
        return f"{verb} {plain}"
    return f"{verb} {plain}; counted as in {law.computing.citation}, {verb} {statutory}"


def _end(found: Deadline, instant: datetime | None, zone: ZoneInfo) -> str:
    """The end of a civil day, or the instant where it is none; "" where no time is stated."""
    day = found.due_day(instant, zone)
    if instant is None or day is None:
        return ""
    ends_a_day = instant.astimezone(zone).time() == time()
    return f"the end of {long_day(day)}" if ends_a_day else long_instant(instant, zone)
