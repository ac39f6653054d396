"""Amounts of water in words: the run of days, what is sure of it, what would settle it, and the readings behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from models.checks import withdrawal_discharged
from models.checks.withdrawal_sources import Group
from models.checks.withdrawal_windows import Amount, Judgement, Run
from models.finding import Evidence, Finding
from models.metered_volumes import Interval
from models.pumped_water import Approval
from models.question import Question
from models.rules import WithdrawalRule
from models.verdict import NOTABLE, Verdict

SPREAD = "volumes between two readings are spread evenly by time"
INTERVALS_SHOWN = 3


def amount_finding(
    rule: WithdrawalRule, question: Question, group: Group, found: Judgement, parameter: str, amount: Amount,
    facts: Mapping[str, Any],
) -> Finding:  # fmt: skip
    """What the record says of one amount since mining began."""
    verdict = found.verdict
    return Finding(
        rule=rule.id, clause=rule.clause, station=question.site.id, parameter=parameter, aspect="",
        start=question.began, end=None, opened_on=found.at.first, verdict=verdict, status=verdict,
        measured=_measured(found), limit=amount.words(), unit="gal/day", ongoing=True,
        reason=_reason(question, group, found, verdict, amount), verification="computed from metered volumes",
        information=rule.information and verdict in NOTABLE, material=(verdict, str(found.at.first)),
        evidence=tuple(_evidence(question, group, found)), facts={**_run_facts(found.largest), **facts},
    )  # fmt: skip


def maximum_finding(
    rule: WithdrawalRule, question: Question, group: Group, found: tuple[Run, float], parameter: str,
    uses: Sequence[str],
) -> Finding:  # fmt: skip
    """The largest daily average over a run of days: a figure that is told, against no limit."""
    run, most = found
    name = named(uses)
    days = (run.last - run.first).days + 1
    at_most = "" if most == run.even else f"; no {days} days of the record can have held more than {_gal(most / days)}"
    return Finding(
        rule=rule.id, clause=rule.clause, station=question.site.id, parameter=parameter, aspect=name,
        start=question.began, end=None, opened_on=run.first, verdict="not_applicable", status="REPORTED",
        measured=f"{_gal(run.per_day(run.even))} gal/day on the average of {run.first} to {run.last}{_between(run)}",
        limit="none stated", unit="gal/day", ongoing=True, verification="computed from metered volumes",
        reason=f"maximum average daily withdrawal in {days} days, for {name}: a figure, no limit{at_most}; {SPREAD}",
        information=True, material=(str(run.first),),
        evidence=(Evidence("readings", _known(question, group), "context", _rows(group, run)),),
        facts={"use": name, **_run_facts(run)},
    )  # fmt: skip


def named(uses: Sequence[str]) -> str:
    """Uses as a reader says them."""
    return " and ".join(one.replace("_", " ") for one in uses) or "uses not stated"


def _measured(found: Judgement) -> str:
    one = found.at
    if found.certain == "spread":
        return f"{_gal(one.low)} gal from {one.first} to {one.last}, of which one part at least is at the limit"
    days = f"on {one.first}" if one.first == one.last else f"a day from {one.first} to {one.last}"
    return f"{_gal(one.per_day(one.even))} gal {days}{_between(one)}"


def _between(one: Run) -> str:
    if one.exact:
        return ""
    most = "any amount" if one.high is None else _gal(one.per_day(one.high))
    return f" (evenly spread; at least {_gal(one.per_day(one.low))}, at most {most})"


def _gal(gallons: float) -> str:
    return f"{gallons:,.0f}"


def _reason(question: Question, group: Group, found: Judgement, verdict: Verdict, amount: Amount) -> str:
    parts = [_condition(found, verdict, amount), _known(question, group), *group.lacks()]
    if verdict == "indeterminate":
        parts += list(_open(question, group, found.at))
    return "; ".join([*parts, SPREAD])


def _condition(found: Judgement, verdict: Verdict, amount: Amount) -> str:
    if verdict == "attained":
        how = "" if found.certain == "run" else ", however the volumes read there are spread over their days"
        return f"{amount.words()} was reached within {found.at.first} to {found.at.last}{how}"
    if verdict == "indeterminate":
        return f"whether {amount.words()} was reached cannot be told"
    return f"{amount.words()} was not reached"


def _known(question: Question, group: Group) -> str:
    span = group.known_span()
    if span is None:
        return "nothing is metered or reported"
    first, last = (local_minute(question, one) for one in span)
    how = ", ".join(dict.fromkeys(one.method for one in group.sources if one.method))
    return f"known from {first} to {last} ({how})"


def _open(question: Question, group: Group, run: Run) -> Iterator[str]:
    """The intervals whose spread decides, and what would settle it."""
    found = [one for record in group.records for one in record.spans(run.start_ms, run.end_ms)]
    hidden = [one for record in group.records for one in _unknown(record.found, run)]
    for one in found[:INTERVALS_SHOWN]:
        volume = "an unknown volume" if one.volume_gal is None else f"{_gal(one.volume_gal)} gal"
        yield f"{volume} between {local_minute(question, one.start_ms)} and {local_minute(question, one.end_ms)}"
    yield from (f"{one.note}, {local_minute(question, one.end_ms)}" for one in hidden[:INTERVALS_SHOWN])
    if found:
        yield "it depends on how that is spread over the days: readings of each day would settle it"
    for one in [each for record in group.gaps for each in _unknown(record.found, run)][:INTERVALS_SHOWN]:
        yield f"{one.note} from {local_minute(question, one.start_ms)} to {local_minute(question, one.end_ms)}"


def _unknown(found: Sequence[Interval], run: Run) -> list[Interval]:
    return [one for one in found if one.volume_gal is None and one.start_ms < run.end_ms and one.end_ms > run.start_ms]


def _evidence(question: Question, group: Group, found: Judgement) -> Iterator[Evidence]:
    attained, one = found.verdict == "attained", found.largest
    yield Evidence("readings", _measured(found), "supports" if attained else "context", _rows(group, found.at))
    if one != found.at:
        says = f"largest: {_gal(one.per_day(one.even))} gal/day, {one.first} to {one.last}{_between(one)}"
        yield Evidence("largest", says, "context", _rows(group, one))
    yield from (Evidence("approval", approval_words(each), "context") for each in question.site.approval)
    yield from withdrawal_discharged.evidence(question, found.at.start_ms, found.at.end_ms)


def approval_words(one: Approval) -> str:
    """An approval on file: of whom, for which wells, from when to when, at which rate."""
    wells, rate = ", ".join(one.wells) or "all wells", f", {one.rate_gpd:,f} gal/day" if one.rate_gpd else ""
    return f"{one.number} of {one.by}: {wells}, {one.since} to {one.until or 'no end stated'}{rate}"


def _rows(group: Group, run: Run) -> tuple[str, ...]:
    return tuple(row for one in group.records for row in one.rows_within(run.start_ms, run.end_ms))


def _run_facts(one: Run) -> dict[str, Any]:
    """The largest run as numbers [gal/day]."""
    return {
        "first": one.first.isoformat(), "last": one.last.isoformat(), "gal_per_day": one.per_day(one.even),
        "gal_per_day_low": one.per_day(one.low),
        "gal_per_day_high": None if one.high is None else one.per_day(one.high),
    }  # fmt: skip


def local_minute(question: Question, instant_ms: int) -> str:
    """An instant as the ordinance's clocks show it."""
    return datetime.fromtimestamp(instant_ms / 1000, question.zone).strftime("%Y-%m-%d %H:%M")
