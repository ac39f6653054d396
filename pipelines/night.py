"""The whole night: inbox, observations, findings, cases, mails. A plain function that may be killed and run again.

``now`` is when the night knows what it knows: for ``--as-of D`` the end of civil day D. Nights run
forward only; a repeated night over the same input adds nothing and composes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Engine

from models.checks.delivery_entries import check_deliveries
from models.errors import BadQuestion
from models.rules import Ordinance
from pipelines import (
    casebook,
    delivery_reply,
    grown,
    household_names,
    inbox,
    mail_drop,
    marks,
    outbox,
    papers_waiting,
    parcels,
    post,
    result_letters,
)
from pipelines.casebook import ms
from pipelines.clocks import clock_row
from pipelines.database import reading, storable, transaction
from pipelines.inbox import Receipt
from pipelines.judgement import Outcome, all_cases, judge
from pipelines.outbox import Delivery, Message
from pipelines.parcels import Desk
from pipelines.post import Posted
from pipelines.settling import Pause, Settled, settled
from pipelines.site_folder import SiteFolder
from pipelines.version import VERSION
from reports.information import information_counts
from reports.mail import Letterhead

FIRST_YEAR = 1900
Say = Callable[[str], None]
Fetch = Callable[[Say], list[str]]
"""Brings deliveries into the inbox; what could not be had, line by line."""


def end_of(day: date, law: Ordinance) -> datetime:
    """The first instant after a civil day of the ordinance."""
    if not FIRST_YEAR <= day.year < date.max.year:
        raise BadQuestion("not a plausible day", found=day.isoformat(), allowed=[f"from {FIRST_YEAR} on"])
    return datetime.combine(day + timedelta(days=1), time(), ZoneInfo(law.zone)).astimezone(UTC)


def run(
    folder: SiteFolder,
    on: date,
    now: datetime,
    engine: Engine,
    *,
    send: Callable[[Message], None],
    clock: Callable[[], datetime],
    fetch: Fetch | None = None,
    say: Say = lambda _: None,
    pause: Pause | None = None,
) -> dict[str, Any]:
    """Run one night and return its summary.

    Parameters
    ----------
    on : the civil day judged.
    now : the instant of knowledge, aware.
    send : hands over one mail; called after everything is committed.
    clock : the machine's time, for the night's own start and finish stamps and for when a mail goes.
    fetch : asks the services of the site first; only for a night of the present day.
    say : told what is being done.
    pause : lets time pass, until what was put into the inbox lately has stood still; None: all of it is whole.

    Raises
    ------
    BadQuestion : a later night is on record.
    BadSite : a delivery is said to have come on a day that is still to come.
    """
    started = clock()
    folder = replace(folder, policy=folder.policy.on(on))
    check_deliveries(folder.site, folder.law, started.astimezone(ZoneInfo(folder.law.zone)).date())
    with transaction(engine) as connection:
        _forward_only(connection, folder, on)
    missed = fetch(say) if fetch else []
    parcels.sweep()
    hidden = household_names.concealed(folder.inbox, folder.households)
    hidden += _put_back(engine, folder, clock())
    there = _settled(folder, clock, pause, say)
    desk = parcels.desk(engine, folder.site, ZoneInfo(folder.law.zone), ms(now), folder.households)
    receipts, stuck = _take_all(desk, folder, there, say)
    say("judging")
    with transaction(engine) as connection:
        marks.inbox_read(connection, ms(now), [one.file for one in receipts if one.waits])
        summary = _judged(connection, folder, on, now, receipts, [*missed, *hidden, *there.left, *stuck])
        summary["notes"] += there.notes
        summary = casebook.write_night(connection, folder.site.id, on, folder.digest, summary, started)
    untold = delivery_reply.tell_senders(engine, folder, ms(now), [one for one in receipts if one.seen])
    say("sending")
    delivery = outbox.deliver(engine, send, now=ms(clock()))
    with transaction(engine) as connection:
        casebook.finish_night(connection, folder.site.id, on, clock())
    told = _delivered(delivery, summary.get("dead_letters", []))
    return summary | told | {"not_sent": [*told["not_sent"], *untold]}


def rehearse(folder: SiteFolder, on: date, now: datetime, engine: Engine) -> dict[str, Any]:
    """What the night would do: everything in one transaction that is rolled back; no file moves, no mail goes."""
    with _rolled_back(engine) as connection:
        _forward_only(connection, folder, on)
        zone = ZoneInfo(folder.law.zone)
        named = dict(household_names.named(folder.inbox, folder.households))
        desk = parcels.rehearsal(connection, folder.site, zone, ms(now), folder.households)
        there = [path for path in inbox.waiting(folder.inbox) if path not in named]
        receipts = [one for path in there for one in parcels.take(desk, path).receipts]
        receipts += [one for path in mail_drop.messages(folder.inbox) for one in mail_drop.take(desk, path).receipts]
        stuck = [f"inbox: a file whose name holds a household's {one} is read by the night" for one in named.values()]
        marks.inbox_read(connection, ms(now), [one.file for one in receipts if one.waits])
        return _judged(connection, folder, on, now, receipts, stuck) | {"dry_run": True}


@contextmanager
def _rolled_back(engine: Engine) -> Iterator[Connection]:
    with transaction(engine) as connection, connection.begin_nested() as savepoint:
        yield connection
        savepoint.rollback()


def _forward_only(connection: Connection, folder: SiteFolder, on: date) -> None:
    later = [one["on_day"] for one in casebook.nights(connection, folder.site.id) if one["on_day"] > on.isoformat()]
    if later:
        raise BadQuestion(
            "nights run forward only, and a later one is on record", key="--as-of", found=on.isoformat(),
            allowed=[f"{max(later)} or later"],
        )  # fmt: skip


def _settled(folder: SiteFolder, clock: Callable[[], datetime], pause: Pause | None, say: Say) -> Settled:
    """What lies in the inbox to be read, its maildir too; without a pause all of it is whole."""
    paths = [*inbox.waiting(folder.inbox), *mail_drop.messages(folder.inbox)]
    if pause is None:
        return Settled(paths)
    settles = timedelta(seconds=float(folder.policy.inbox_settles.value))
    return settled(paths, settles, clock(), pause, say, lambda path: _called(path, folder))


def _put_back(engine: Engine, folder: SiteFolder, now: datetime) -> list[str]:
    with reading(engine) as connection:
        return grown.put_back(connection, folder.inbox, (inbox.DONE, inbox.REJECTED), now)


def _called(path: Path, folder: SiteFolder) -> str:
    """The file name of a message is nobody's to tell: it may name a household."""
    return f"inbox/{storable(path.name)}" if path.parent == folder.inbox else "a mail"


def _take_all(desk: Desk, folder: SiteFolder, there: Settled, say: Say) -> tuple[list[Receipt], list[str]]:
    """What became of each file, message and what they held, and which could not be moved out of the inbox."""
    receipts: list[Receipt] = []
    stuck: list[str] = []
    for number, path in enumerate(there.ready, start=1):
        mailed = path.parent != folder.inbox
        say(f"reading {number} of {len(there.ready)}: {_called(path, folder)}")
        taken = mail_drop.take(desk, path) if mailed else parcels.take(desk, path)
        receipts += taken.receipts
        stuck += inbox.put_away(path, taken.whole, mail_drop.home(path) if mailed else None)
    return receipts, stuck


def _judged(
    connection: Connection, folder: SiteFolder, on: date, now: datetime, receipts: list[Receipt], stuck: list[str]
) -> dict[str, Any]:
    outcome = judge(connection, folder, on, now)
    taken = inbox.unreported(connection)
    inbox.reported(connection)
    listed = {(one.file, one.sha256) for one in taken}
    receipts = taken + [one for one in receipts if one.waits or (one.seen and (one.file, one.sha256) not in listed)]
    head = Letterhead(folder.site, folder.law, folder.policy, now, VERSION)
    left_out = [*_left_out(folder, outcome, receipts), *stuck]
    letters = result_letters.compose(connection, folder, outcome.changes, now, first=outcome.first)
    posted = post.compose(connection, outcome, head, on, left_out, letters, papers_waiting.lines(connection, folder))
    papers = [one.says for one in letters]
    more = {"left_out": left_out, "notes": _notes(receipts), "papers": papers}
    return _summary(folder, on, outcome, receipts, posted) | more


def _summary(folder: SiteFolder, on: date, outcome: Outcome, receipts: list[Receipt], posted: Posted) -> dict[str, Any]:
    open_ones = [case for case in all_cases(outcome.events, folder) if case.status == "open"]
    return {
        "site": folder.site.id,
        "on": on.isoformat(),
        "first_load": outcome.first,
        "files": [asdict(one) for one in receipts],
        "changes": [_change(one.change, one.finding.body()) for one in outcome.changes],
        "standing": len([one for one in outcome.standing if not one.information]),
        "information": information_counts(outcome.standing),
        "cannot_tell": [one.key for one in outcome.standing if one.verdict == "indeterminate" and one.ongoing],
        "events": [f"{one.case} {one.name}" for one in outcome.new_events],
        "open_cases": [case.id for case in open_ones if not case.kind.is_register],
        "registers": [case.id for case in open_ones if case.kind.is_register],
        "clocks": [clock_row(one, ZoneInfo(folder.law.zone)) for one in outcome.deadlines],
        "mails": posted.mails,
        "digests": posted.digests,
        "dead_letters": posted.dead_letters,
        "not_evaluable": list(outcome.not_evaluable),
        "not_judged": list(outcome.not_judged),
        "stale": list(outcome.stale),
    }


def _change(change: str, body: dict[str, Any]) -> dict[str, Any]:
    names = (
        "rule", "clause", "station", "parameter", "aspect", "start", "end", "opened_on", "verdict", "status",
        "measured", "limit", "provisional", "information", "attained_in_baseline",
    )  # fmt: skip
    return {"change": change} | {name: body[name] for name in names}


def _left_out(folder: SiteFolder, outcome: Outcome, receipts: list[Receipt]) -> list[str]:
    lines = [*outcome.contradicted, *(one.error for one in receipts if one.error), *outcome.edited]
    lines += [
        f"{one.file}: {one.rejected} row{'s' * (one.rejected != 1)} rejected, the first: {one.first_reject}"
        for one in receipts
        if one.left_out and not one.error
    ]
    named = {path.name for path, _ in household_names.named(folder.inbox, folder.households)}
    lines += [
        f"inbox/{name}: not a file, nothing in it was read"
        for name in inbox.passed_over(folder.inbox)
        if name not in named
    ]
    lines += mail_drop.passed_over(folder.inbox)
    if mail_drop.no_maildir(folder.inbox):
        lines.append("inbox/mail: not a maildir (new/, cur/, tmp/), nothing in it was read")
    lines += [
        f"inbox/{name}: by its name an upload under way; it is read once it has another"
        for name in inbox.unfinished(folder.inbox)
        if name not in named
    ]
    return lines + [f"{one.file}: {f'row {one.row}: ' if one.row else ''}{one.reason}" for one in outcome.refused]


def _notes(receipts: list[Receipt]) -> list[str]:
    """What a delivery is worth knowing of though nothing of it was lost: two sensors over one time, only tables."""
    notes = [f"{one.file}: {one.note}" for one in receipts if one.note]
    return notes + [f"{one.file}: from {one.sender}, as it says" for one in receipts if one.sender]


def _delivered(delivery: Delivery, given_up_before: list[str]) -> dict[str, Any]:
    failed = [f"mail {key} not sent: {error}" for key, error in delivery.failed]
    dead = [f"mail {key} GIVEN UP: {error}" for key, error in delivery.dead]
    return {"sent": delivery.sent, "not_sent": [*given_up_before, *dead, *failed]}
