"""Nights without observations: findings are given, and what is composed and to whom is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import Engine, select

from models.case import Event
from models.clock import Deadline
from models.finding import Evidence, Finding, Scope, Transition, transitions
from models.policy import default_policy
from models.rules import ordinance
from models.site import Site
from pipelines import casebook, post, schema
from pipelines.casebook import ms
from pipelines.database import reading, transaction
from pipelines.judgement import Outcome
from pipelines.post import Posted
from reports.mail import Letterhead
from tests.record_in_memory import CHICAGO, site

CLERK, BOARD = "clerk@town.example", "board@town.example"
MAIL = [{"to": CLERK, "party": "town"}, {"to": BOARD, "party": "town", "how": "digest"}]


def town(**parts: Any) -> Site:
    """The made-up site with a clerk who is told at once and a board that reads the digest."""
    return site(**{"mail": MAIL, **parts})


def found(
    station: str = "MW-1", day: date = date(2025, 7, 1), value: str = "12", *, rule: str = "howard.nr140.identified",
    **more: Any,
) -> Finding:  # fmt: skip
    """A result over a standard, as a check would say it."""
    whole: dict[str, Any] = {
        "rule": rule, "clause": ordinance("howard").rule_of(rule).clause, "station": station, "parameter": "arsenic",
        "aspect": "ES Table 1", "start": day, "end": None, "opened_on": day, "verdict": "attained",
        "status": "attained", "measured": f"{value} ug/L", "limit": "10 ug/L", "unit": "ug/L",
        "reason": "over the standard and quantified", "verification": "verified2", "facts": {"kind": "ES"},
        "attained_in_baseline": False, "ongoing": True, "material": (value,),
        "evidence": (Evidence("laboratory result", f"arsenic {value} ug/L", "supports", ("0123456789:7",)),),
    }  # fmt: skip
    return Finding(**whole | more)


def letterhead(on: date, at: Site) -> Letterhead:
    now = datetime.combine(on + timedelta(days=1), time(), CHICAGO)
    return Letterhead(at, ordinance("howard"), default_policy(), now, "0.0")


@dataclass
class Nights:
    """A store and what happens to it, night by night."""

    engine: Engine
    at: Site = field(default_factory=town)

    def night(
        self, on: date, changes: Sequence[Transition] = (), *, standing: Sequence[Finding] = (),
        deadlines: Sequence[Deadline] = (), events: Sequence[Event] = (), stale: Sequence[str] = (),
        left_out: Sequence[str] = (), first: bool = False, later: timedelta = timedelta(),
        closed: Sequence[Deadline] = (),
    ) -> Posted:  # fmt: skip
        """Record what changed and compose, in one transaction, as a night does."""
        head = letterhead(on, self.at)
        head = replace(head, now=head.now + later)
        outcome = Outcome(
            tuple(changes),
            tuple(standing),
            (),
            tuple(events),
            tuple(deadlines),
            (),
            (),
            tuple(stale),
            first,
            closed_deadlines=tuple(closed),
        )
        with transaction(self.engine) as connection:
            for one in changes:
                casebook.append_finding(connection, one, ms(head.now))
            posted = post.compose(connection, outcome, head, on, left_out)
            summary = {"stale": list(stale), **{name: ["something"] for name in casebook.NEWS}}
            casebook.write_night(connection, self.at.id, on, "", summary, head.now)
        return posted

    def judged(self, on: date, current: Sequence[Finding]) -> Posted:
        """The same from what stands tonight."""
        with reading(self.engine) as connection:
            before = casebook.standing(connection)
        scopes = [Scope(one.rule, one.station, date(2024, 1, 1)) for one in before]
        return self.night(on, transitions(before, current, scopes), standing=current)

    def mails(self) -> list[Any]:
        with reading(self.engine) as connection:
            return list(connection.execute(select(schema.outbox).order_by(schema.outbox.c.id)))

    def subjects(self, to: str) -> list[str]:
        return [one.subject for one in self.mails() if one.recipient == to]
