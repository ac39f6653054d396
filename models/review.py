"""A reviewer's acts on day values, laboratory results, findings and base flows; what stands is derived from them.

Nothing is changed or taken out: an act is undone by a withdrawal, and recorded again it is one more act. Which acts
stand follows from the acts alone, not from the order they were recorded in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, get_args

from models.base_flow import BaseFlow
from models.errors import BadQuestion
from models.finding import Finding
from models.household import Households
from models.nr140.contested import Contested
from models.privacy import private_part
from models.said import require_said

Name = Literal["accept", "estimate", "contest", "correct_level", "sign_base_flow", "sign_finding", "withdraw"]
LICENCES: tuple[str, ...] = get_args(BaseFlow.model_fields["licence_kind"].annotation)
"""The licence kinds under which a base flow may be signed: one list for every act."""
LICENSED = frozenset({"accept", "estimate", "sign_base_flow", "sign_finding"})
FREE_TEXT = ("method", "reason", "sample", "file")
WITHDRAWN_KEY = "withdraws"
LONGEST_TEXT = 2000
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Review:
    """One act of a reviewer.

    Parameters
    ----------
    subject : what it is about: ``GAUGE discharge``, ``WELL substance day``, ``GAUGE base flow version``, a finding's
        key, or the key of the act that is withdrawn.
    by : who answers for it; a licensee signs by name, a household is never named.
    facts : what it states, name to text; of an acceptance each day to the value that stood.
    at : when it was done, where that was said; None is when it was recorded.
    again : how often the same act had been recorded and withdrawn before.
    recorded_at : when the town knew it.
    """

    act: Name
    subject: str
    by: str
    facts: Mapping[str, str]
    licence: str = ""
    number: str = ""
    at: datetime | None = None
    again: int = 0
    recorded_at: datetime = field(default=datetime.max.replace(tzinfo=UTC), compare=False)

    @property
    def when(self) -> datetime:
        """When it was done, as far as anybody said."""
        return self.at or self.recorded_at

    def key(self) -> str:
        """Identity of the act, whenever it was recorded: recorded twice it is one."""
        at = "" if self.at is None else self.at.astimezone(UTC).isoformat()
        stated = (part for pair in sorted(self.facts.items()) for part in pair)
        parts = (self.act, self.subject, self.by, self.licence, self.number, at, str(self.again), *stated)
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()

    def says(self) -> str:
        """Who, under which licence."""
        return f"{self.by} ({self.licence} {self.number})" if self.licence else self.by


def withdrawn(acts: Iterable[Review]) -> set[str]:
    """Keys of the acts that were withdrawn."""
    return {one.facts[WITHDRAWN_KEY] for one in acts if one.act == "withdraw"}


def standing(acts: Iterable[Review], *names: Name) -> list[Review]:
    """The acts that were not withdrawn, withdrawals left out; of these names, or of all."""
    every = list(acts)
    gone = withdrawn(every)
    return [
        one
        for one in every
        if one.act != "withdraw" and one.key() not in gone and (not names or one.act in names)
    ]  # fmt: skip


def in_turn(act: Review, acts: Iterable[Review]) -> Review:
    """The act as it is to be recorded: itself while it stands, a further one where the same was withdrawn."""
    gone = withdrawn(acts)
    while act.key() in gone:
        act = replace(act, again=act.again + 1)
    return act


def admit(act: Review, acts: Iterable[Review], households: Households) -> None:
    """Refuse an act that names a household, lacks its signature or its reason, or withdraws nothing.

    Raises
    ------
    BadQuestion : names the option, and what is allowed.
    """
    free = {name: act.facts[name] for name in FREE_TEXT if name in act.facts}
    texts = {"--by": act.by, "--number": act.number, **{f"--{name}": text for name, text in free.items()}}
    for key, text in texts.items():
        if len(text) > LONGEST_TEXT:
            raise BadQuestion(f"longer than {LONGEST_TEXT} characters", key=key)
        if part := private_part(text, households):
            raise BadQuestion(f"holds a household's {part}: an act names no household", key=key)
    require_said(act.by, "--by")
    if act.act in LICENSED:
        require_licence_number(act.number)
        if act.licence not in LICENCES:
            raise BadQuestion("no such licence", key="--licence", found=act.licence, allowed=LICENCES)
    for name in ("method", "reason"):
        if name in act.facts:
            require_said(act.facts[name], f"--{name}")
    if act.act == "withdraw":
        _can_be_withdrawn(act, list(acts))


def require_licence_number(number: str) -> None:
    """Refuse what is no number of a licence.

    Raises
    ------
    BadQuestion : it says nothing, or holds no digit.
    """
    require_said(number, "--number")
    if not any(one.isdigit() for one in number):
        raise BadQuestion("no number of a licence", key="--number", found=number, allowed=["1234"])


def _can_be_withdrawn(act: Review, acts: list[Review]) -> None:
    stands = {one.key() for one in standing(acts)}
    if act.facts[WITHDRAWN_KEY] not in stands and act.key() not in {one.key() for one in acts}:
        raise BadQuestion("no act stands under this key", key="KEY", found=act.facts[WITHDRAWN_KEY])


def contested(acts: Iterable[Review], zone: tzinfo) -> tuple[Contested, ...]:
    """The results that standing acts contest (NR 140.14(1)(b)), as the quality check takes them."""
    return tuple(
        Contested(
            one.facts["station"], one.facts["substance"], date.fromisoformat(one.facts["sampled"]),
            one.when.astimezone(zone).date(), one.facts["reason"], one.facts["sample"], one.by,
        )
        for one in standing(acts, "contest")
    )  # fmt: skip


# The trigger days of a shortfall -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stale:
    """A day that was accepted with another value than it has now."""

    day: date
    was: str
    now: str


@dataclass(frozen=True)
class Acceptance:
    """Which trigger days of a finding a reviewer accepted at the value that stands (decision 12).

    ``by_day``: the act that accepts each day. ``stale``: accepted once, revised since. ``missing``: never accepted.
    """

    by_day: Mapping[date, Review]
    missing: tuple[date, ...]
    stale: tuple[Stale, ...]

    @property
    def whole(self) -> bool:
        """Whether every trigger day is accepted as it stands: the town's notice letter asks for it."""
        return bool(self.by_day) and not self.missing and not self.stale

    def says(self) -> str:
        """In a few words."""
        total = len(self.by_day) + len(self.missing) + len(self.stale)
        more = f", {len(self.stale)} revised since" if self.stale else ""
        return f"{len(self.by_day)} of {total} trigger days accepted{more}"

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "whole": self.whole, "says": self.says(), "missing": list(self.missing),
            "accepted": [{"day": day, "by": one.says(), "key": one.key()} for day, one in self.by_day.items()],
            "stale": [{"day": one.day, "was": one.was, "now": one.now} for one in self.stale],
        }  # fmt: skip


def trigger_days(finding: Finding, more_than_days: int) -> tuple[date, ...]:
    """The consecutive days that completed a shortfall (decision 4: six where the clause says more than 5), in order."""
    if finding.facts.get("trigger_date") is None:
        return ()
    return tuple(finding.opened_on - back * ONE_DAY for back in range(more_than_days, -1, -1))


def accepted(finding: Finding, acts: Iterable[Review], days: Mapping[date, str]) -> Acceptance:
    """Which trigger days are accepted, missing, or accepted at a value that was revised since.

    Parameters
    ----------
    acts : every recorded act; withdrawn ones count for nothing.
    days : the trigger days with the value each has now, as in ``4.90 cfs``; "" is none.
    """
    subject = day_subject(finding.station, finding.parameter)
    mine = [one for one in standing(acts, "accept") if one.subject == subject]
    by_day: dict[date, Review] = {}
    missing, stale = [], []
    for day, now in days.items():
        of_day = sorted((one for one in mine if day.isoformat() in one.facts), key=lambda one: (one.when, one.key()))
        same = [one for one in of_day if same_value(one.facts[day.isoformat()], now)]
        if same:
            by_day[day] = same[-1]
        elif of_day:
            stale.append(Stale(day, of_day[-1].facts[day.isoformat()], now or "unknown"))
        else:
            missing.append(day)
    return Acceptance(by_day, tuple(missing), tuple(stale))


def day_subject(gauge: str, quantity: str) -> str:
    """The subject of acts on the day values of a gauge."""
    return f"{gauge} {quantity}"


def same_value(one: str, other: str) -> bool:
    """Whether two values with their unit are the same number: 4.9 cfs is 4.90 cfs."""
    return _number(one) == _number(other)


def _number(text: str) -> tuple[Decimal | str, str]:
    value, _, unit = text.partition(" ")
    try:
        return Decimal(value), unit
    except InvalidOperation:
        return text, ""


# Signatures ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Signature:
    """A signature under one version of a finding; ``current`` while that version is the newest."""

    act: Review
    current: bool

    def says(self) -> str:
        """In a few words."""
        return f"signed by {self.act.says()}{'' if self.current else ', as of an earlier version'}"

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "by": self.act.by, "licence": self.act.licence, "number": self.act.number, "at": self.act.when,
            "current": self.current, "digest": self.act.facts["digest"], "key": self.act.key(),
        }  # fmt: skip


def signatures(finding_key: str, digest: str, acts: Iterable[Review]) -> list[Signature]:
    """The signatures under a finding, in dated order.

    Parameters
    ----------
    digest : of the newest version of the finding.
    """
    found = [one for one in standing(acts, "sign_finding") if one.facts["finding"] == finding_key]
    ordered = sorted(found, key=lambda one: (one.when, one.key()))
    return [Signature(one, one.facts["digest"] == digest) for one in ordered]
