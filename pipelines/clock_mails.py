"""The mails a clock calls for: near, due, overdue, each once for a deadline, and a correction when overdue is undone.
A receipt that is missing after the day that follows the other's is told once, and so is a window that nobody used and
nobody was told of while it was open.

A key names the deadline: case, step, the instant it runs from, and its last day where an act moved it. ``~1`` after it
is a second round: overdue again after it was taken back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection

from models.clock import Deadline
from pipelines import casebook
from pipelines.casebook import instant, ms
from reports import mail
from reports.mail import Letterhead, Mail

_KEY = re.compile(
    r"^(?P<base>(?P<case>[^/]+/[^/]+/[^/]+)/(?P<step>[^/]+)/(?P<at>-?\d+)(\+[\d-]+)?)(~(?P<round>\d+))?/(?P<to>.+)$"
)


@dataclass(frozen=True)
class ClockMail:
    """One mail and its addressees; nobody gets the same key twice."""

    key: str
    note: Mail
    to: Sequence[str]


@dataclass
class _Told:
    """Who was told in which round that a deadline is overdue, and in which rounds that was taken back."""

    case: str
    step: str
    at: int
    overdue: dict[int, list[str]]
    undone: set[int]


def clock_mails(
    connection: Connection, open_ones: Sequence[Deadline], closed: Sequence[Deadline], head: Letterhead,
    now_to: Sequence[str],
) -> Iterator[ClockMail]:  # fmt: skip
    """What tonight's clocks call for.

    Parameters
    ----------
    open_ones, closed : deadlines of open and of closed cases; a closed case is reminded of nothing.
    now_to : who gets alerts now. A correction goes to whoever was told, too.
    """
    told = _told(connection)
    for one in open_ones:
        yield from _reminder(one, told.get(_base(one, head)), head, now_to)
        yield from _passed(connection, one, head, now_to)
    stands = {_base(one, head): one for one in (*closed, *open_ones)}
    for base, said in told.items():
        last = max(said.overdue, default=-1)
        if last not in said.undone and (note := _undone(said, stands.get(base), stands.values(), head)):
            to = [*now_to, *sorted(said.overdue.get(last, []))]
            yield ClockMail(f"not-overdue/{base}{_round(last)}", note, to)


def _reminder(one: Deadline, told: _Told | None, head: Letterhead, to: Sequence[str]) -> Iterator[ClockMail]:
    base = _base(one, head)
    if one.standing == "overdue":
        again = max(told.undone, default=-1) + 1 if told else 0
        note = mail.overdue(one, head, undone=False, withdrawn=one.withdrawn)
        yield ClockMail(f"overdue/{base}{_round(again)}", note, to)
    elif one.standing == "one_missing" and (one.waited_days or 0) > 1:
        yield ClockMail(f"missing/{base}", mail.one_missing(one, head), to)
    elif one.standing == "window_open":
        yield ClockMail(f"window/{base}", mail.near(one, head), to)
    elif one.standing == "running" and (left := _days_left(one, head)) is not None:
        if left <= 0:
            yield ClockMail(f"due/{base}", mail.near(one, head), to)
        elif left <= head.policy.countdown.value:
            yield ClockMail(f"countdown/{base}", mail.near(one, head), to)


def _passed(connection: Connection, one: Deadline, head: Letterhead, to: Sequence[str]) -> Iterator[ClockMail]:
    """A window that had passed before it was on record."""
    unused = one.standing == "window_passed" and one.done_by is None
    if unused and not casebook.outbox_keys(connection, f"window/{_base(one, head)}/"):
        yield ClockMail(f"window-passed/{_base(one, head)}", mail.window_passed(one, head), to)


def _days_left(one: Deadline, head: Letterhead) -> int | None:
    """From the day a night's mail is read to the plain day."""
    plain = one.due_day(one.plain, head.zone)
    return None if plain is None else (plain - head.now.astimezone(head.zone).date()) // timedelta(days=1)


def _base(one: Deadline, head: Letterhead) -> str:
    day = one.due_day(one.statutory, head.zone)
    return f"{one.case}/{one.step}/{ms(one.started_at)}" + (f"+{day}" if one.moved and day else "")


def _round(number: int) -> str:
    return f"~{number}" if number > 0 else ""


def _undone(said: _Told, now: Deadline | None, others: Iterable[Deadline], head: Letterhead) -> Mail | None:
    """The correction, where what was told no longer stands: done in time, moved, or begun by an entry taken back."""
    if now is not None:
        return mail.overdue(now, head, undone=True) if now.standing == "done" else None
    moved = [one for one in others if (one.case, one.step) == (said.case, said.step)]
    if moved:
        return None if moved[-1].standing == "overdue" else mail.no_longer_overdue(moved[-1], head)
    return mail.clock_gone(said.case, said.step, instant(said.at), head)


def _told(connection: Connection) -> dict[str, _Told]:
    """What the outbox holds of overdue deadlines, by the base of their keys."""
    found: dict[str, _Told] = {}
    for prefix in ("overdue/", "not-overdue/"):
        for key in sorted(casebook.outbox_keys(connection, prefix)):
            match = _KEY.match(key.removeprefix(prefix))
            if match is None:
                continue
            new = _Told(match["case"], match["step"], int(match["at"]), {}, set())
            said, number = found.setdefault(match["base"], new), int(match["round"] or 0)
            if prefix == "overdue/":
                said.overdue.setdefault(number, []).append(match["to"])
            else:
                said.undone.add(number)
    return {base: said for base, said in found.items() if said.overdue}
