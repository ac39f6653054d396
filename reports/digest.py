"""The digest of a night: all clear, or what changed, what is due and from whom, and what nobody can tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from models.clock import Deadline
from models.finding import Finding, Transition
from reports.finding_words import clauses, finding_block, topic
from reports.information import ALL_FINDINGS, information, information_changed, information_counts, information_line
from reports.mail import SUBJECT_WORDS, Letterhead, Mail, follows, written

SOON_DAYS = 7
RECENT_DAYS = 30
"""What nobody could tell is listed while it goes on and so long after; then it is counted."""
LINES_SHOWN = 10
EVIDENCE = "headwater findings --evidence"
_SHOWN = {"overdue", "running", "window_open", "open", "one_missing", "paused"}


_OVER = {"overdue": "OVERDUE since", "window_passed": "NOT USED, and over since"}
_TIMELESS = {"one_missing": "A receipt is missing", "paused": "Stands still until what is awaited comes"}


@dataclass(frozen=True)
class DeadLetter:
    """A mail given up: to whom, what it was about, when it was composed, and why it did not go."""

    recipient: str
    subject: str
    composed: str
    attempts: int
    error: str


@dataclass(frozen=True)
class Tonight:
    """What a digest tells.

    ``changes`` are those since the last digest; ``recorded`` the findings a first load lists, which were over before
    it, and ``recorded_duties`` who owes what in the cases they opened. ``not_judged``: registers nobody keeps.
    ``information``: changes of findings under clauses that are information; nobody is alerted to them.
    ``papers``: those that wait for release, ``new_papers`` what is said of those that no alert speaks of.
    """

    on: date
    changes: tuple[Transition, ...]
    duties: tuple[str, ...]
    standing: tuple[Finding, ...]
    deadlines: tuple[Deadline, ...]
    stale: tuple[str, ...] = ()
    newly_stale: tuple[str, ...] = ()
    not_evaluable: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    dead: tuple[DeadLetter, ...] = ()
    recorded: tuple[Finding, ...] = ()
    recorded_duties: tuple[str, ...] = ()
    not_judged: tuple[str, ...] = ()
    information: tuple[Transition, ...] = ()
    papers: tuple[str, ...] = ()
    new_papers: tuple[str, ...] = ()


def digest(tonight: Tonight, head: Letterhead) -> Mail:
    """The digest of one night, the same for every addressee."""
    return written(
        "digest", _subject(tonight, head), head,
        headline=_headline(tonight),
        dead=tonight.dead,
        recorded=len(tonight.recorded),
        clocks=_clocks(tonight, head),
        findings=[finding_block(one, head.law) | {"word": SUBJECT_WORDS[one.change]} for one in tonight.changes],
        clauses=clauses(tonight.changes, head.law),
        follows=[*follows(tonight.changes, head.law), *tonight.duties],
        sections=[{"title": title, "lines": lines} for title, lines in _sections(tonight, head) if lines],
    )  # fmt: skip


def is_news(tonight: Tonight, head: Letterhead) -> bool:
    """Whether it says what the alerts do not: somebody who gets those as things happen gets this digest too, then.

    A mail given up, something left out, a station fallen silent, a first load, changed information, a paper that no
    alert speaks of, or a clock in its last days.
    """
    told = (tonight.dead, tonight.left_out, tonight.newly_stale, tonight.recorded, tonight.new_papers)
    informed, soon = information_changed(tonight.information), (_is_soon(one, head) for one in tonight.deadlines)
    return any(told) or bool(informed) or any(soon)


def _subject(tonight: Tonight, head: Letterhead) -> str:
    overdue = [one for one in tonight.deadlines if one.standing == "overdue"]
    soon = [one for one in tonight.deadlines if _is_soon(one, head)]
    owed = len(tonight.recorded_duties)
    counts = [
        (len(tonight.dead), "NOT DELIVERED"), (len(tonight.recorded), "found by the first load"),
        (owed, "duty opened" if owed == 1 else "duties opened"), (len(tonight.changes), "changed"),
        (len(overdue), "overdue"),
        (len(soon), f"due within {SOON_DAYS} days"), (len(tonight.stale), "stale"),
        (len(tonight.papers), "to release"), (len(tonight.left_out), "left out"),
        (len(information_changed(tonight.information)), "for information"),
    ]  # fmt: skip
    said = ", ".join(f"{n} {word}" for n, word in counts if n)
    quiet = "All clear" if _all_clear(tonight) else "Nothing new"
    return f"[Headwater] {said or quiet}, night of {tonight.on} ({head.site.name})"


def _headline(tonight: Tonight) -> str:
    changed = f"{_counted(len(tonight.changes), 'finding')} changed since the last digest." if tonight.changes else ""
    if tonight.changes or tonight.recorded:
        return " ".join([f"Night of {tonight.on}:", *filter(None, (_first_load(tonight), changed))])
    if _all_clear(tonight):
        earlier = len([one for one in tonight.standing if not one.information])
        record = f" {_counted(earlier, 'earlier finding')} on record." if earlier else ""
        but = ", but for the duties named below" if tonight.not_judged else ""
        said = f"Every rule in force was judged{but}; nothing is going on or due."
        return f"Night of {tonight.on}: all clear. {said}{record}"
    shown, informed = information_counts(tonight.standing), len(information_changed(tonight.information))
    beside = f" For information: {shown}." if shown else ""
    said = f"{_counted(informed, 'finding')} for information changed, no other" if informed else "no finding changed"
    return f"Night of {tonight.on}: {said}. What is open or unknown stands below.{beside}"


def _first_load(tonight: Tonight) -> str:
    """What a first load found in the record: over by now, and no less found."""
    if not tonight.recorded:
        return ""
    verdicts = [one.verdict.replace("_", " ") for one in tonight.recorded]
    kinds = ", ".join(f"{verdicts.count(one)} {one}" for one in dict.fromkeys(sorted(verdicts)))
    owed = len(tonight.recorded_duties)
    opened = f"{owed or 'no'} {'duty' if owed < 2 else 'duties'} opened"
    return f"the first load found {_counted(len(tonight.recorded), 'condition')} over before it ({kinds}); {opened}."


def _all_clear(tonight: Tonight) -> bool:
    """Nothing is open, unknown or unread: silence of a gauge is no recovery, and no all clear."""
    told = (
        tonight.changes,
        tonight.recorded,
        tonight.dead,
        tonight.left_out,
        tonight.papers,
        tonight.stale,
        tonight.not_evaluable,
        _network(tonight),
    )
    open_ones = [one for one in tonight.deadlines if one.standing in _SHOWN]
    quiet = not information_changed(tonight.information) and not information(tonight.standing)
    return quiet and not any(told) and not open_ones and not _going_on(tonight) and not _unsure(tonight)[0]


def _sections(tonight: Tonight, head: Letterhead) -> Iterator[tuple[str, list[str]]]:
    unsure, older = _unsure(tonight)
    more = [f"{_counted(older, 'older one')} on record"] if older else []
    recorded = sorted(tonight.recorded, key=lambda one: (one.opens is None, one.verdict, one.opened_on))
    yield "Found by the first load, over before it", _some([_found(one, head) for one in recorded], EVIDENCE)
    yield "Duties opened by what the first load found", list(tonight.recorded_duties)
    yield "Papers that are written and wait for a person to release them", list(tonight.papers)
    yield "Going on, since", [_line(one, head) for one in _going_on(tonight)]
    yield "Cannot tell, or needs confirmation", [f"{_line(one, head)}: {one.reason}" for one in unsure] + more
    yield "For information: attained or unknown under clauses that open no duty here", _for_information(tonight, head)
    yield "Stale: silence is no recovery", list(tonight.stale)
    yield "The network: what the town must look after", [_look_after(one) for one in _network(tonight)]
    yield "Not evaluable", list(tonight.not_evaluable)
    yield "Not judged: silence where no register is kept says nothing", list(tonight.not_judged)
    yield f"Left out: {len(tonight.left_out)}", _some(tonight.left_out)


def _going_on(tonight: Tonight) -> list[Finding]:
    return [one for one in tonight.standing if one.ongoing and one.verdict == "attained" and not one.information]


def _unsure(tonight: Tonight) -> tuple[list[Finding], int]:
    """Findings nobody can tell yet, and how many older ones there are."""
    since = tonight.on - timedelta(days=RECENT_DAYS)
    found = [one for one in tonight.standing if one.verdict in {"indeterminate", "needs_confirmation"}]
    recent = [one for one in found if not one.information and (one.ongoing or one.opened_on >= since)]
    return recent, len([one for one in found if not one.information]) - len(recent)


def _for_information(tonight: Tonight, head: Letterhead) -> list[str]:
    """What changed first, then what stands since lately; older ones are counted."""
    changed = information_changed(tonight.information)
    told = {one.finding.key for one in changed}
    since = tonight.on - timedelta(days=RECENT_DAYS)
    rest = [one for one in information(tonight.standing) if one.key not in told]
    recent = [one for one in rest if one.ongoing or one.opened_on >= since]
    lines = [information_line(one.finding, head.law, SUBJECT_WORDS[one.change]) for one in changed]
    lines += [information_line(one, head.law) for one in sorted(recent, key=lambda one: one.opened_on, reverse=True)]
    older = f"on record before {since}: {information_counts([one for one in rest if one not in recent])}"
    return _some(lines, ALL_FINDINGS) + [f"{older}: {ALL_FINDINGS}"] * (len(rest) > len(recent))


def _network(tonight: Tonight) -> list[Finding]:
    """Outages that go on, and low single measurements of late: no verdict on the mine."""
    since = tonight.on - timedelta(days=RECENT_DAYS)
    low = [one for one in tonight.standing if one.status == "WATCH" and one.opened_on >= since]
    return [one for one in tonight.standing if one.status == "OUTAGE" and one.ongoing] + low


def _look_after(finding: Finding) -> str:
    return f"{finding.status}, {finding.station}, {finding.opened_on}: {finding.measured}; {finding.reason}"


def _found(finding: Finding, head: Letterhead) -> str:
    """What an alert would have said first: days, verdict, value, limit, confidence, why."""
    words = finding_block(Transition("opened", finding), head.law)
    if words["duty"]:
        return f"{finding.clause}, {finding.reason}"
    return (
        f"{topic([finding], head.law)}, {finding.station}, {finding.clause}, {words['period']}: "
        f"{words['verdict_words']}{', provisional' if finding.provisional else ''}; {finding.measured} against "
        f"{finding.limit}; confidence: {words['confidence_words']}; "
        f"natural rate: {words['natural_rate']}; {finding.reason}"
    )


def _line(finding: Finding, head: Letterhead) -> str:
    return f"{topic([finding], head.law)}, {finding.station}, {finding.clause}, {finding.opened_on}"


def _some(lines: Sequence[str], where: str = "headwater rejects") -> list[str]:
    """The first lines, and the command that lists the others."""
    more = len(lines) - LINES_SHOWN
    return [*lines[:LINES_SHOWN], *([f"and {more} more: {where}"] if more > 0 else [])]


def _clocks(tonight: Tonight, head: Letterhead) -> list[dict[str, Any]]:
    """Overdue first, then what is due within days, then the later, then what has no time; a window that passed too."""
    shown = [one for one in tonight.deadlines if one.standing in _SHOWN or _lately_passed(one, head)]
    urgency = {"overdue": 0, "window_passed": 2}
    shown.sort(key=lambda one: (urgency.get(one.standing, 1), _plain(one, head)))
    return [_clock(one, head) for one in shown]


def _clock(deadline: Deadline, head: Letterhead) -> dict[str, Any]:
    return {
        "when": _when(deadline, head), "title": deadline.title, "clause": deadline.clause, "who": deadline.who,
        "case": deadline.case, "started_by": deadline.started_by.replace("_", " "),
        "started_at": head.local(deadline.started_at),
    }  # fmt: skip


def _lately_passed(deadline: Deadline, head: Letterhead) -> bool:
    """A power that nobody used, not long ago: it may have come on record when it was over."""
    last = deadline.due_day(deadline.statutory, head.zone)
    unused = deadline.standing == "window_passed" and deadline.done_by is None
    return unused and last is not None and (_today(head) - last).days <= RECENT_DAYS


def _when(deadline: Deadline, head: Letterhead) -> str:
    plain, statutory = (_end(deadline, one, head) for one in (deadline.plain, deadline.statutory))
    day = deadline.due_day(deadline.plain, head.zone)
    if deadline.standing in _OVER:
        return f"{_OVER[deadline.standing]} {statutory}"
    if day is None:
        return _TIMELESS.get(deadline.standing, "Open, no time is stated")
    verb = "May be used" if deadline.standing == "window_open" else "Due"
    left = (day - _today(head)).days
    near = f"{verb.upper()} {_in_days(left)}: by" if left <= SOON_DAYS else f"{verb} by"
    moved = deadline.statutory != deadline.plain
    return f"{near} {plain}" + (f" (statutory: {statutory.removeprefix('the end of ')})" if moved else "")


def _end(deadline: Deadline, instant: datetime | None, head: Letterhead) -> str:
    """The end of a civil day; of a time in hours, the instant."""
    if deadline.in_hours and instant is not None:
        return head.local(instant)
    return f"the end of {deadline.due_day(instant, head.zone)}"


def _in_days(left: int) -> str:
    if left < 0:
        return "NOW"
    return ("TODAY", "TOMORROW")[left] if left < 2 else f"IN {left} DAYS"


def _is_soon(deadline: Deadline, head: Letterhead) -> bool:
    timed = deadline.standing in {"running", "window_open"}
    return timed and (_plain(deadline, head) - _today(head)).days <= SOON_DAYS


def _plain(deadline: Deadline, head: Letterhead) -> date:
    return deadline.due_day(deadline.plain, head.zone) or date.max


def _today(head: Letterhead) -> date:
    """The day it is read: the night of a day ends on the next."""
    return head.now.astimezone(head.zone).date()


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'s' if n != 1 else ''}"
