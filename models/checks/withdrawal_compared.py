"""Volumes of one well by two methods, a totalizer beside a pump log or reports: shown where they differ, not averaged.

Each calendar month that both cover is compared, and each run of such months. A volume of a period lies between its
bounds, since the days it fell on are not known: only what no spread explains, and more than the policy allows, is a
difference. It is information, a question to the records; the method that speaks is stated by the site.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations

import numpy as np

from models.checks.withdrawal_sources import Source
from models.finding import Evidence, Finding, Scope
from models.known_volumes import KnownVolumes, known_at_wells, speaking
from models.pumping_days import midnight_ms
from models.question import Question
from models.rules import WithdrawalRule
from models.site import Well
from models.volume_bounds import PARTS, Instants, Marks, VolumeRecord, Volumes

COMPARED = "volumes_compared"
DIFFERS = "WATCH"
"""The digest lists it among what the town must look after."""


@dataclass(frozen=True)
class Told:
    """What one method says of one window [gal]: at least, evenly spread, at most (infinite: nobody knows)."""

    says: str
    low: float
    even: float
    high: float

    def words(self) -> str:
        most = "any amount" if np.isinf(self.high) else f"{self.high:,.0f}"
        exact = f"{self.low:,.0f}" == most
        return f"{self.says} {self.even:,.0f} gal" + ("" if exact else f" (at least {self.low:,.0f}, at most {most})")


@dataclass(frozen=True)
class Difference:
    """A window of whole months in which two methods differ, and by what share of the larger at least."""

    first: date
    last: date
    speaks: Told
    other: Told
    share: float

    def words(self) -> str:
        return f"{self.first} to {self.last}: {self.speaks.words()}, {self.other.words()}"


def scopes(rule: WithdrawalRule, question: Question) -> list[Scope]:
    """Every well that could have two methods."""
    return [Scope(rule.id, one.id, date.min, COMPARED) for one in question.site.wells("production")]


def findings(rule: WithdrawalRule, question: Question, sources: Sequence[Source]) -> Iterator[Finding]:
    """One for each method beside the one that speaks, and each two reports, of a well where they differ."""
    wells = question.site.wells("production")
    known = question.once("known volumes of wells", lambda: known_at_wells(question, wells, question.on))
    most = {one.well.id: one for one in sources}
    for well in wells:
        by = speaking(known[well.id], well.volumes_by) or next(iter(known[well.id]), None)
        beside = ((by, other) for other in known[well.id] if by is not None and other is not by)
        for one, other in (*beside, *combinations((each for each in known[well.id] if each.part), 2)):
            if found := differences(question, most[well.id], one, other):
                yield _finding(rule, question, well, one, other, found)


def differences(question: Question, source: Source, by: KnownVolumes, other: KnownVolumes) -> list[Difference]:
    """Months and runs of months in which no spread explains the difference, the largest share first."""
    days, edges = _months(question)
    if len(edges) < 2:
        return []
    speaks, beside = (tuple(VolumeRecord(one, source.most_gpd) for one in each.records) for each in (by, other))
    start, end = _windows(_covered(speaks, edges) & _covered(beside, edges))
    one, two = _within(speaks, edges[start], edges[end]), _within(beside, edges[start], edges[end])
    allowed, found = float(question.policy.pumped_volumes_agree.value), []
    for k in range(len(start)):
        a, b = _told(by.says, one, k), _told(other.says, two, k)
        share = _apart(a, b)
        if share > allowed:
            found.append(Difference(days[start[k]], days[end[k]] - timedelta(days=1), a, b, share))
    return sorted(found, key=lambda each: (-each.share, each.first))


def _months(question: Question) -> tuple[list[date], Instants]:
    """First days of the whole months since mining began, and the day after the last, with their instants."""
    began, number = question.began, 0
    days: list[date] = []
    while (first := _month(began, number)) <= question.on + timedelta(days=1):
        days += [first] if first >= began else []
        number += 1
    return days, np.array([midnight_ms(question.zone, day) for day in days], np.int64)


def _month(began: date, number: int) -> date:
    month = began.month - 1 + number
    return date(began.year + month // 12, month % 12 + 1, 1)


def _covered(records: Sequence[VolumeRecord], edges: Instants) -> Marks:
    """bool[month]: whether each record has intervals, known or not, over all of it."""
    covered = np.ones(len(edges) - 1, np.bool_)
    for one in records:
        covered &= one.time_within(edges[:-1], edges[1:]) == np.diff(edges)
    return covered


def _windows(covered: Marks) -> tuple[Instants, Instants]:
    """Each covered month, then each run of more than one, as edge numbers."""
    months = np.flatnonzero(covered)
    turns = np.flatnonzero(np.diff(np.concatenate([[0], covered.astype(np.int64), [0]])))
    begins, ends = turns[::2], turns[1::2]
    long = ends - begins > 1
    return np.concatenate([months, begins[long]]), np.concatenate([months + 1, ends[long]])


def _within(records: Sequence[VolumeRecord], start: Instants, end: Instants) -> Volumes:
    found = Volumes.none(len(start))
    for one in records:
        found = found + one.within(start, end)
    return found


def _told(says: str, found: Volumes, k: int) -> Told:
    high = np.inf if found.open[k] else float(found.high[k] / PARTS)
    return Told(says, float(found.low[k] / PARTS), float(found.even[k] / PARTS), high)


def _apart(one: Told, other: Told) -> float:
    """By what share of the larger the two differ at least; 0 where some spread makes them one."""
    larger, smaller = (one, other) if one.low > other.high else (other, one)
    return (larger.low - smaller.high) / larger.low if larger.low > smaller.high else 0.0


def _finding(
    rule: WithdrawalRule, question: Question, well: Well, by: KnownVolumes, other: KnownVolumes,
    found: Sequence[Difference],
) -> Finding:  # fmt: skip
    worst, since = found[0], min(found, key=lambda one: one.last)
    stated = "the site states that it speaks" if well.volumes_by else "the site states none, and it is the first"
    used = "neither is used for that time" if by.part else f"{by.says} is used ({stated})"
    rows = tuple(one.row for record in other.records for one in record[-1:])
    return Finding(
        rule=rule.id, clause=rule.clause, station=well.id, parameter=COMPARED, aspect=_aspect(by, other),
        start=question.began, end=None, opened_on=since.last, verdict="not_applicable", status=DIFFERS,
        measured=worst.words(), limit=f"agree within {question.policy.pumped_volumes_agree.says()} of the larger",
        unit="gal", ongoing=True, information=True, material=(other.method, str(worst.first), str(worst.last)),
        reason=f"two records of well {well.id} differ by {100 * worst.share:.0f} % or more; both are kept and none is "
        f"averaged; {used}: a question to the records, check both",
        verification="computed from both records",
        evidence=tuple(Evidence(other.says, one.words(), "context", rows) for one in found),
        facts={"well": well.id, "speaks": by.method, "other": other.method, "windows": [_plain(one) for one in found]},
    )  # fmt: skip


def _aspect(by: KnownVolumes, other: KnownVolumes) -> str:
    """Of reports by their rhythm, since a well may have several."""
    told = f"{by.part} and {other.part}" if by.part else other.part
    return f"{other.method}: {told}" if told else other.method


def _plain(one: Difference) -> dict[str, object]:
    return {
        "first": one.first.isoformat(), "last": one.last.isoformat(), "speaks_gal": one.speaks.even,
        "other_gal": one.other.even, "share_at_least": round(one.share, 4),
    }  # fmt: skip
