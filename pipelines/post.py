"""Compose the night's mails into the outbox: one for each thing that happened, to each address of the town."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from models.clock import Deadline
from models.finding import TOLD, Transition
from models.reconcile import case_of
from pipelines import casebook, outbox
from pipelines.casebook import ms
from pipelines.judgement import Outcome
from reports import mail
from reports.mail import Letterhead, Mail


def compose(connection: Connection, outcome: Outcome, head: Letterhead) -> list[str]:
    """Compose everything tonight calls for; the subjects of the mails that are new, one per thing that happened."""
    things = [*_alerts(outcome, head), *_overdue(connection, outcome, head)]
    return [note.subject for key, note in things if _to_town(connection, key, note, head)]


def _to_town(connection: Connection, key: str, note: Mail, head: Letterhead) -> bool:
    """Whether any address of the town had not been told of this."""
    composed = [
        outbox.compose(connection, f"{key}/{route.to}", route.to, note.subject, note.text, ms(head.now))
        for route in head.site.mail
    ]
    return any(composed)


def _alerts(outcome: Outcome, head: Letterhead) -> Iterable[tuple[str, Mail]]:
    for changes in _grouped(outcome):
        parts = [f"{one.finding.key}={one.finding.digest()}" for one in changes]
        digest = hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:32]
        yield f"alert/{changes[0].change}/{ms(head.now)}/{digest}", mail.alert(changes, _duties(outcome, changes), head)


def _grouped(outcome: Outcome) -> list[list[Transition]]:
    """Transitions people are told of, those of one kind at one station and day together.

    A first load judges the whole record: what was over before it is recorded and listed, not mailed.
    """
    groups: dict[tuple[str, ...], list[Transition]] = {}
    for one in outcome.changes:
        finding = one.finding
        told = one.change in TOLD and not finding.information and (finding.ongoing or not outcome.first)
        if told:
            groups.setdefault((one.change, finding.station, finding.parameter, str(finding.opened_on)), []).append(one)
    return list(groups.values())


def _duties(outcome: Outcome, changes: Sequence[Transition]) -> list[str]:
    """Who owes what now in the cases these findings opened."""
    found = [case_of(one.finding, outcome.events) for one in changes]
    of_case = [one for one in outcome.deadlines if one.case in found and one.standing in {"open", "running", "overdue"}]
    lines = [f"{one.case}: {one.title} ({one.clause}): {one.standing}; it is the {one.who}'s." for one in of_case]
    provisional = any(one.finding.provisional and one.finding.opens for one in changes)
    return lines + (
        ["Provisional data: the notice letter needs a reviewer's recorded acceptance of the days it rests on."]
        * provisional
    )


def _overdue(connection: Connection, outcome: Outcome, head: Letterhead) -> Iterable[tuple[str, Mail]]:
    told = casebook.outbox_keys(connection, "overdue/")
    for one in outcome.deadlines:
        key = _overdue_key(one)
        if one.standing == "overdue":
            yield key, mail.overdue(one, head, undone=False)
        elif one.standing == "done" and any(known.startswith(f"{key}/") for known in told):
            yield f"not-{key}", mail.overdue(one, head, undone=True)


def _overdue_key(deadline: Deadline) -> str:
    return f"overdue/{deadline.case}/{deadline.step}/{ms(deadline.started_at)}"
