"""Days on which groundwater was used against the approvals on file, and the rates these state.

An interval with a volume was pumped on some of its days. Where none of them is covered, groundwater was used on a day
without approval; where some are, that depends on the days: certain only if the pump cannot have lifted the volume in
the covered time. Above an approved rate is information.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

import numpy as np

from models.checks.withdrawal_sources import Group, Source, nothing_said
from models.checks.withdrawal_told import SPREAD, approval_words, local_minute
from models.checks.withdrawal_windows import Amount, judged
from models.finding import Evidence, Finding, Scope
from models.metered_volumes import Interval
from models.observation import DAY_MS
from models.pumped_water import Approval
from models.pumping_days import midnights
from models.question import Question
from models.rules import WithdrawalRule
from models.verdict import Verdict
from models.volume_bounds import Instants, Marks, VolumeRecord

USE, RATE = "groundwater_use", "approved_rate"
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Uncovered:
    """One interval with days of use that no approval covers, or may not."""

    interval: Interval
    verdict: Verdict
    first: date
    last: date


def scopes(rule: WithdrawalRule, question: Question) -> list[Scope]:
    """Everything that could stand under the rule."""
    stations = (question.site.id, *(one.id for one in question.site.well))
    return [Scope(rule.id, station, date.min, name) for station in stations for name in (USE, RATE)]


def findings(rule: WithdrawalRule, question: Question, sources: Sequence[Source], edges: Instants) -> Iterator[Finding]:
    """Uncovered use of every well by episodes, then every approved rate."""
    for source in sources:
        covered = _covered(question, source.well.id, edges)
        if not source.method:
            yield from _unmetered(rule, question, source, covered)
        for record in (*source.records, source.gaps):
            found = _uncovered(question, record, covered, edges)
            for _, episode in groupby(found, key=_Joined()):
                yield _use_finding(rule, question, source, list(episode))
    for approval in question.site.approval:
        yield from _rate(rule, question, sources, approval)


class _Joined:
    """Numbers runs of intervals that follow each other and read alike."""

    def __init__(self) -> None:
        self.before: Uncovered | None = None
        self.number = 0

    def __call__(self, one: Uncovered) -> int:
        before, self.before = self.before, one
        joined = before is not None and before.interval.end_ms == one.interval.start_ms
        self.number += not (joined and before is not None and before.verdict == one.verdict)
        return self.number


def _covered(question: Question, well: str, edges: Instants) -> Marks:
    """bool[day]: whether an approval on file covers the well."""
    days = [question.began + k * ONE_DAY for k in range(len(edges) - 1)]
    return np.array([any(one.covers(well, day) for one in question.site.approval) for day in days], np.bool_)


def _uncovered(question: Question, record: VolumeRecord, covered: Marks, edges: Instants) -> Iterator[Uncovered]:
    bare = np.concatenate([[0], np.cumsum(np.where(covered, 0, np.diff(edges)))])
    without = _bare_at(record.ends, bare, covered, edges) - _bare_at(record.starts, bare, covered, edges)
    used = (record.volume > 0) | ~record.known
    for number in np.flatnonzero(used & (without > 0)).tolist():
        one, time = record.found[number], int(without[number])
        first, last = _bare_days(question, one, covered, edges)
        yield Uncovered(one, _verdict(record, one, time), first, last)


def _bare_at(instants: Instants, bare: Instants, covered: Marks, edges: Instants) -> Instants:
    """Uncovered time since mining began, at each instant [ms]; nothing before it began."""
    at = np.clip(instants, edges[0], edges[-1])
    day = np.clip(np.searchsorted(edges, at, "right") - 1, 0, len(covered) - 1)
    return np.asarray(bare[day] + np.where(covered[day], 0, at - edges[day]), np.int64)


def _bare_days(question: Question, one: Interval, covered: Marks, edges: Instants) -> tuple[date, date]:
    """The first and the last day of an interval that no approval covers."""
    start = max(int(np.searchsorted(edges, one.start_ms, "right")) - 1, 0)
    end = min(int(np.searchsorted(edges, one.end_ms, "left")), len(covered))
    bare = start + np.flatnonzero(~covered[start:end])
    return question.began + int(bare[0]) * ONE_DAY, question.began + int(bare[-1]) * ONE_DAY


def _verdict(record: VolumeRecord, one: Interval, without_ms: int) -> Verdict:
    if one.volume_gal is None:
        return "indeterminate"
    rest = one.end_ms - one.start_ms - without_ms
    able = None if record.most_gpd is None else float(record.most_gpd) * rest / DAY_MS
    return "attained" if rest == 0 or (able is not None and one.volume_gal > able) else "indeterminate"


def _use_finding(rule: WithdrawalRule, question: Question, source: Source, episode: Sequence[Uncovered]) -> Finding:
    first, last = episode[0], episode[-1]
    volume = sum(one.interval.volume_gal or 0.0 for one in episode)
    every = (*source.records, source.gaps)
    goes_on = last.interval.end_ms == max(record.found[-1].end_ms for record in every if record.found)
    goes_on = goes_on and not _covers_now(question, source)
    span = f"{local_minute(question, first.interval.start_ms)} to {local_minute(question, last.interval.end_ms)}"
    return Finding(
        rule=rule.id, clause=rule.clause, station=source.well.id, parameter=USE, aspect="", start=first.first,
        end=None if goes_on else last.last, opened_on=first.first, verdict=first.verdict, status=first.verdict,
        measured=f"{volume:,.0f} gal, {span}", limit="an approval on file on every day of use", unit="gal",
        reason=_reason(source, episode), ongoing=goes_on, information=rule.information, opens=rule.opens,
        verification="approvals as entered in the site file", material=(first.verdict,),
        evidence=(
            Evidence("readings", source.method, "supports", tuple(filter(None, (one.interval.row for one in episode)))),
            *(Evidence("approval", approval_words(one), "context") for one in question.site.approval),
        ),
    )  # fmt: skip


def _covers_now(question: Question, source: Source) -> bool:
    return any(one.covers(source.well.id, question.on) for one in question.site.approval)


def _reason(source: Source, episode: Sequence[Uncovered]) -> str:
    days = f"{episode[0].first} to {episode[-1].last}"
    if episode[0].verdict == "attained":
        return (
            f"well {source.well.id} was pumped on a day of {days} at least, and no approval on file covers it: enter "
            "the approval ([[approval]]) if there is one"
        )
    if any(one.interval.volume_gal is None for one in episode):
        return f"what well {source.well.id} gave is not known ({episode[0].interval.note}); no approval covers {days}"
    return (
        f"an approval covers some of the days between the readings and not {days}: whether well {source.well.id} was "
        "pumped on those depends on how the volume is spread; readings of each day would settle it"
    )


def _unmetered(rule: WithdrawalRule, question: Question, source: Source, covered: Marks) -> Iterator[Finding]:
    """A well nobody measures, on days no approval covers."""
    if covered.all():
        return
    first = question.began + int(np.flatnonzero(~covered)[0]) * ONE_DAY
    reason = f"well {source.well.id} has {nothing_said(source.well)}: whether it was used cannot be told"
    yield Finding(
        rule=rule.id, clause=rule.clause, station=source.well.id, parameter=USE, aspect="", start=first, end=None,
        opened_on=first, verdict="indeterminate", status="indeterminate", measured="no volumes",
        limit="an approval on file on every day of use", unit="gal", reason=reason, ongoing=True,
        information=rule.information, material=("indeterminate",),
    )  # fmt: skip


def _rate(rule: WithdrawalRule, question: Question, sources: Sequence[Source], approval: Approval) -> Iterator[Finding]:
    """Days above the rate an approval states: information."""
    first, last = max(approval.since, question.began), min(approval.until or question.on, question.on)
    group = Group(tuple(one for one in sources if one.method and approval.of(one.well.id)))
    if approval.rate_gpd is None or last < first or not group.sources:
        return
    found = judged(group, midnights(question.zone, first, last), first, Amount(approval.rate_gpd, 1, over=True))
    if found is None or found.verdict == "not_attained":
        return
    one = found.at
    yield Finding(
        rule=rule.id, clause=rule.clause, station=question.site.id, parameter=RATE, aspect=approval.number,
        start=first, end=None, opened_on=one.first, verdict=found.verdict, status=found.verdict,
        measured=f"{one.per_day(one.even):,.0f} gal/day, {one.first} to {one.last}",
        limit=f"{approval.rate_gpd:,f} gal/day of {approval.number}", unit="gal/day",
        reason=f"above the rate of an approval on file on a day at least: information; {SPREAD}"
        if found.verdict == "attained"
        else f"may be above the rate of an approval on file, by how volumes between readings are spread; {SPREAD}",
        ongoing=True, information=True, material=(found.verdict, str(one.first)),
    )  # fmt: skip
