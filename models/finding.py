"""A finding: a condition under a clause, what was measured, and why the verdict is what it is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any, Literal

from models.verdict import NOTABLE, Verdict


@dataclass(frozen=True)
class Evidence:
    """One named line of evidence. ``rows`` are ``source:row`` ids of the stored observations it rests on."""

    line: str
    says: str
    bearing: Literal["supports", "against", "silent", "context"]
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """What one rule says of one station over one period.

    ``status`` is the domain's own word (NR 140 status, shortfall status), ``verdict`` the clause status.
    ``opened_on`` is the civil day the condition came to be (the trigger date, the sampling day);
    ``material`` is what must change before people are told again. ``lapses``: a standing condition that is over
    once it is no longer found, where another finding that is no longer found was wrong and is withdrawn.
    """

    rule: str
    clause: str
    station: str
    parameter: str
    aspect: str
    start: date
    end: date | None
    opened_on: date
    verdict: Verdict
    status: str
    measured: str
    limit: str
    unit: str
    reason: str
    verification: str = ""
    confidence: str = ""
    provisional: bool = False
    ongoing: bool = False
    information: bool = False
    lapses: bool = False
    opens: str | None = None
    attained_in_baseline: bool | None = None
    material: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return "|".join((self.rule, self.station, self.parameter, self.aspect, self.start.isoformat()))

    @property
    def notable(self) -> bool:
        return self.verdict in NOTABLE or self.information

    def body(self) -> dict[str, Any]:
        """Plain JSON data; dates as ISO text."""
        data: dict[str, Any] = json.loads(json.dumps(asdict(self), default=str, sort_keys=True))
        return data

    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.body(), sort_keys=True).encode()).hexdigest()

    @staticmethod
    def from_body(body: Mapping[str, Any]) -> Finding:
        """The finding a stored body describes."""
        days = {name: date.fromisoformat(body[name]) for name in ("start", "opened_on")}
        end = None if body["end"] is None else date.fromisoformat(body["end"])
        lines = tuple(Evidence(**{**line, "rows": tuple(line["rows"])}) for line in body["evidence"])
        return Finding(**{**body, **days, "end": end, "evidence": lines, "material": tuple(body["material"])})


Change = Literal["opened", "amended", "confirmed", "ended", "continued", "retracted", "superseded"]
# Changes people are told of; the others only keep the record current.
TOLD: frozenset[Change] = frozenset({"opened", "amended", "confirmed", "ended", "retracted"})


@dataclass(frozen=True)
class Transition:
    """A finding that changed, what stood before, and which days of its record read differently now."""

    change: Change
    finding: Finding
    previous: Finding | None = None
    changed_days: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scope:
    """What a check has judged afresh: a stored finding in here that it did not return no longer stands."""

    rule: str
    station: str
    since: date
    parameter: str | None = None

    def covers(self, finding: Finding) -> bool:
        same = (finding.rule, finding.station) == (self.rule, self.station)
        parameter = self.parameter in (None, finding.parameter)
        return same and parameter and (finding.end or finding.start) >= self.since


def transitions(previous: Sequence[Finding], current: Sequence[Finding], scopes: Iterable[Scope]) -> list[Transition]:
    """Compare what stood with what stands.

    Parameters
    ----------
    previous : findings that stood (not retracted) before tonight.
    current : findings judged tonight, notable or not.
    scopes : what tonight's judgement covered.
    """
    stood, covered = {one.key: one for one in previous}, list(scopes)
    now = {one.key: one for one in current if one.notable}
    changes = [_change(stood.get(key), one) for key, one in now.items()]
    gone = [one for key, one in stood.items() if key not in now and not _lapsed(one) and _covered(one, covered)]
    return _paired([one for one in changes if one is not None], gone)


def _lapsed(finding: Finding) -> bool:
    return finding.lapses and not finding.ongoing


def _covered(finding: Finding, scopes: Sequence[Scope]) -> bool:
    return any(scope.covers(finding) for scope in scopes)


def _change(before: Finding | None, after: Finding) -> Transition | None:
    if before is None or (_lapsed(before) and after.ongoing):
        return Transition("opened", after)
    if before.digest() == after.digest():
        return None
    if (before.verdict, before.material) != (after.verdict, after.material):
        return Transition("amended", after, before)
    if before.provisional and not after.provisional:
        return Transition("confirmed", after, before)
    return Transition("ended" if before.ongoing and not after.ongoing else "continued", after, before)


def _paired(changes: list[Transition], gone: list[Finding]) -> list[Transition]:
    """A finding that vanished while one of the same rule and place overlaps it has moved: one amendment, not two."""
    for old in gone:
        heir = next((one for one in changes if _inherits(old, one)), None)
        if heir is None:
            change: Change = "ended" if old.lapses and old.ongoing else "retracted"
            changes.append(Transition(change, replace(old, ongoing=False), old))
        else:
            changes[changes.index(heir)] = Transition("amended", heir.finding, heir.previous or old)
            changes.append(Transition("superseded", old, old))
    return changes


def _inherits(old: Finding, change: Transition) -> bool:
    """Whether a finding that stands tonight has taken over one that is gone: it moved there, or grew into it."""
    return change.change in {"opened", "amended", "continued", "ended"} and _moved(old, change.finding)


def _moved(old: Finding, new: Finding) -> bool:
    same = (old.rule, old.station, old.parameter, old.aspect) == (new.rule, new.station, new.parameter, new.aspect)
    return same and old.start <= (new.end or date.max) and new.start <= (old.end or date.max)
