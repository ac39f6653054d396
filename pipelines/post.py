"""Compose the night's mails into the outbox: alerts as things happen, and one digest for each night.

What an address of the town gets (``how`` in ``[[mail]]``): ``immediate`` the alerts, and the digest after each Sunday
and on nights when it says what the alerts do not; ``digest`` the digest of every night and no single alert. A
correction goes to everybody who was told of what it corrects, whatever the routes are now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection, and_, func, or_, select

from models.clock import Deadline
from models.finding import TOLD, Finding, Transition
from models.reconcile import case_of
from pipelines import casebook, ledger, marks, outbox, schema
from pipelines.casebook import ms, utc
from pipelines.clock_mails import clock_mails
from pipelines.duty_rows import soon_due
from pipelines.judgement import Outcome
from pipelines.outbox import Message
from pipelines.result_letters import Letter, lines
from reports import mail
from reports.digest import DeadLetter, Tonight, digest, is_news
from reports.mail import Letterhead, Mail

DIGESTED = "digested_finding"
"""Mark: the seal of the last finding that a digest could tell of."""
SUNDAY = 7


@dataclass(frozen=True)
class Posted:
    """What was composed: subjects of alerts, one per thing; how many digests; the mails given up before."""

    mails: list[str]
    digests: int
    dead_letters: list[str]


def compose(
    connection: Connection, outcome: Outcome, head: Letterhead, on: date, left_out: Sequence[str],
    letters: Sequence[Letter] = (), waiting: Sequence[str] = (),
) -> Posted:  # fmt: skip
    """Compose everything the night of a civil day calls for, each mail once.

    Parameters
    ----------
    letters : those written tonight.
    waiting : a line for each paper that waits for its release.
    """
    dated = soon_due(head.site, head.law, head.policy, outcome.events, head.now)
    outcome = replace(outcome, deadlines=(*outcome.deadlines, *dated))
    things = [*_alerts(connection, outcome, head, letters), *_clocks(connection, outcome, head)]
    subjects = [one.note.subject for one in things if _put(connection, one, head)]
    dead = outbox.dead_letters(connection)
    tonight = _tonight(connection, outcome, head, on, left_out, dead, letters)
    digests = _digest(connection, replace(tonight, papers=tuple(waiting)), dead, head)
    return Posted(subjects, digests, [f"mail {one.key} GIVEN UP: {one.error}" for one in dead])


@dataclass(frozen=True)
class _Thing:
    """One mail, its addressees, and the findings it tells of."""

    key: str
    note: Mail
    to: Sequence[str]
    about: Sequence[str] = ()


def _put(connection: Connection, thing: _Thing, head: Letterhead) -> int:
    """How many addressees had not been told of this."""
    note = thing.note
    composed = [
        outbox.compose(
            connection, f"{thing.key}/{to}", to, note.subject, note.text, ms(head.now),
            html=note.html, about=thing.about,
        )
        for to in dict.fromkeys(thing.to)
    ]  # fmt: skip
    return sum(composed)


def _routed(head: Letterhead, how: str) -> list[str]:
    return [route.to for route in head.site.mail if route.how == how]


def _alerts(connection: Connection, outcome: Outcome, head: Letterhead, letters: Sequence[Letter]) -> Iterable[_Thing]:
    for changes in _grouped(_told(outcome.changes, first=outcome.first)):
        parts = [f"{one.finding.key}={one.finding.digest()}" for one in changes]
        content = hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:32]
        key = f"alert/{changes[0].change}/{ms(head.now)}/{content}"
        note = mail.alert(changes, [*_duties(outcome, changes), *lines(letters, changes)], head)
        yield _Thing(key, note, _addressees(connection, changes, head), _about(changes))


def _told(changes: Iterable[Transition], *, first: bool) -> list[Transition]:
    """Transitions people are told of.

    A first load judges the whole record: what was over before it is recorded and listed, not mailed.
    """
    told = [one for one in changes if one.change in TOLD and not one.finding.information]
    return [one for one in told if one.finding.ongoing or not first]


def _grouped(changes: Iterable[Transition]) -> list[list[Transition]]:
    """Those of one kind at one station and day together."""
    groups: dict[tuple[str, ...], list[Transition]] = {}
    for one in changes:
        finding = one.finding
        groups.setdefault((one.change, finding.station, finding.parameter, str(finding.opened_on)), []).append(one)
    return list(groups.values())


def _about(changes: Iterable[Transition]) -> list[str]:
    """Keys of the findings; one that has moved is also known by its old key."""
    found = [known.key for one in changes for known in (one.finding, one.previous) if known is not None]
    return list(dict.fromkeys(found))


def _addressees(connection: Connection, changes: Sequence[Transition], head: Letterhead) -> list[str]:
    """Who gets alerts; a correction goes also to whoever was told of the finding and would not hear of it otherwise."""
    now = _routed(head, "immediate")
    if changes[0].change not in {"amended", "retracted"}:
        return now
    about = _about(changes)
    told = [*outbox.told(connection, about), *_told_by_the_first_release(connection, about)]
    in_digest = _routed(head, "digest")
    return [*now, *(to for key, to in told if not key.startswith("digest/") or to not in in_digest)]


def _told_by_the_first_release(connection: Connection, about: Sequence[str]) -> list[tuple[str, str]]:
    """Its mails do not name their findings: of one kind and instant, all went to the same people."""
    table, mails = schema.finding, schema.outbox
    versions = connection.execute(select(table.c.kind, table.c.known_at).where(table.c.key.in_(about)).distinct())
    begins = [mails.c.key.startswith(f"alert/{row.kind}/{row.known_at}/", autoescape=True) for row in versions]
    told = and_(or_(*begins), mails.c.about.is_(None), mails.c.dead_at.is_(None))
    query = select(mails.c.key, mails.c.recipient).where(told).order_by(mails.c.id)
    return [(row.key, row.recipient) for row in connection.execute(query)] if begins else []


def _duties(outcome: Outcome, changes: Sequence[Transition]) -> list[str]:
    """Who owes what now in the cases these findings opened, and what a notice still needs."""
    provisional = any(one.finding.provisional and one.finding.opens and one.change != "retracted" for one in changes)
    return _owed(outcome, changes) + (
        ["Provisional data: the notice letter needs a reviewer's recorded acceptance of the days it rests on."]
        * provisional
    )


def _owed(outcome: Outcome, changes: Sequence[Transition]) -> list[str]:
    found = [case_of(one.finding, outcome.events) for one in changes]
    of_case = [one for one in outcome.deadlines if one.case in found and one.standing in {"open", "running", "overdue"}]
    return [f"{one.case}: {_duty(one)}" for one in of_case]


def _duty(deadline: Deadline) -> str:
    stands = f"{deadline.title} ({deadline.clause}): {deadline.standing.replace('_', ' ')}; it is the {deadline.who}'s."
    if not deadline.withdrawn:
        return stands
    return (
        f"the finding is withdrawn, but acts are on record: {stands} The town decides, and records, whether it goes on."
    )


def _clocks(connection: Connection, outcome: Outcome, head: Letterhead) -> Iterable[_Thing]:
    now = _routed(head, "immediate")
    for one in clock_mails(connection, outcome.deadlines, outcome.closed_deadlines, head, now):
        yield _Thing(one.key, one.note, one.to)


def _tonight(
    connection: Connection, outcome: Outcome, head: Letterhead, on: date, left_out: Sequence[str],
    dead: Sequence[Message], letters: Sequence[Letter] = (),
) -> Tonight:  # fmt: skip
    told = _told(outcome.changes, first=outcome.first)
    changes = (*_late(connection, ms(head.now)), *told)
    before = _stale_before(connection, head.site.id)
    over = [one for one in _told(outcome.changes, first=False) if one not in told]
    duties = tuple(dict.fromkeys([*_duties(outcome, changes), *lines(letters, changes)]))
    return Tonight(
        on, changes, duties, outcome.standing, outcome.deadlines,
        outcome.stale, tuple(one for one in outcome.stale if one.partition(":")[0] not in before),
        outcome.not_evaluable, tuple(left_out), tuple(_dead_letter(one) for one in dead),
        tuple(one.finding for one in over), tuple(dict.fromkeys([*_owed(outcome, over), *lines(letters, over)])),
        outcome.not_judged, tuple(one for one in outcome.changes if one.finding.information),
        new_papers=tuple(one.says for one in letters if not one.about & {each.finding.key for each in told}),
    )  # fmt: skip


def _late(connection: Connection, known_at: int) -> list[Transition]:
    """What came to be known after the last digest had gone, in the same night repeated."""
    table, seal = schema.finding, marks.get(connection, DIGESTED)
    if seal is None:
        return []
    last = func.coalesce(select(table.c.id).where(table.c.hash == seal).scalar_subquery(), 0)
    late = select(table).where(table.c.id > last, table.c.known_at < known_at).order_by(table.c.id)
    rows = connection.execute(late).mappings()
    return _told((Transition(row["kind"], Finding.from_body(json.loads(row["body"]))) for row in rows), first=False)


def _stale_before(connection: Connection, site: str) -> set[str]:
    nights = casebook.nights(connection, site)
    return {one.partition(":")[0] for one in json.loads(nights[-1]["summary"])["stale"]} if nights else set()


def _dead_letter(message: Message) -> DeadLetter:
    return DeadLetter(message.recipient, message.subject, utc(message.composed_at), message.attempts, message.error)


def _digest(connection: Connection, tonight: Tonight, dead: Sequence[Message], head: Letterhead) -> int:
    """One digest for a site and civil day. After it has gone, a repeated night leaves its news to the next."""
    key = f"digest/{head.site.id}/{tonight.on}"
    if casebook.outbox_keys(connection, f"{key}/"):
        return 0
    marks.put(connection, DIGESTED, ledger.head(connection, schema.finding))
    everybody = tonight.on.isoweekday() == SUNDAY or is_news(tonight, head)
    to = [*_routed(head, "digest"), *(_routed(head, "immediate") if everybody else [])]
    if to:
        outbox.mark_dead_told(connection, dead, ms(head.now))
    return _put(connection, _Thing(key, digest(tonight, head), to, _about(tonight.changes)), head) if to else 0
