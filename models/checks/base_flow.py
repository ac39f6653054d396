"""Daily flow of a stream against its signed base flow.

Two predicates that never mix: "falls below base flows for more than 5 days" (``<``, the shortfall
machine) and "to or below base flows" (``<=``, days counted, no duration, no trigger, no clock).
Only days since mining began are judged; the record before it is the natural rate beside every alert.

A known NOT BELOW day closes every spell, so the night judges from the last one before the first
new or revised day: the cost follows the new rows, not the length of the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from models.base_flow import BaseFlow
from models.checks import base_flow_context, gauge_days, gauge_watch
from models.checks.signed_flow import signed_versions, threshold, version_on
from models.finding import Evidence, Finding, Scope
from models.place import boundary_to_line, boundary_to_parcel
from models.question import Judged, Question, no_longer_reached
from models.rules import BaseFlowRule
from models.site import Gauge, Property, Stream
from models.streamflow.day_states import DailyFlow, DayState, day_state
from models.streamflow.shortfall import judge
from models.streamflow.spells import Spell
from models.verdict import NOTABLE, VERDICT_OF, Verdict

__all__ = ["changed_days", "check", "not_evaluable", "signed_versions", "threshold", "version_on", "waters"]

Signed = Sequence[BaseFlow]
FIRST_LOOK_DAYS = 64  # one read finds the last recovery of most spells; doubled until it does


def check(rule: BaseFlowRule, question: Question) -> Judged:
    """Judge every compliance gauge on a water the rule names."""
    findings: list[Finding] = []
    scopes: list[Scope] = []
    for gauge, stream in waters(rule, question):
        signed = signed_versions(stream, gauge, question.began, question.on)
        if not signed:
            continue  # ``not_evaluable`` lists it, and a gap where 2.08(1)(a)4 was required
        since, days = _days_to_judge(rule, question, gauge, signed)
        if rule.more_than_days is None:
            findings += _day_findings(rule, question, gauge, signed, days) if days else []
        else:
            findings += _spell_findings(rule, question, gauge, signed, days) if days else []
        if _watches(rule, question, gauge):
            findings += gauge_watch.watch(rule, question, gauge, threshold(signed), since, days)
        scopes.append(Scope(rule.id, gauge.id, since))
    scopes += no_longer_reached(rule.id, (gauge.id for gauge in question.site.gauge), scopes, question)
    return Judged(tuple(findings), tuple(scopes))


def waters(rule: BaseFlowRule, question: Question) -> Iterator[tuple[Gauge, Stream]]:
    """Compliance gauges whose flow can be judged, on streams that the rule reaches."""
    return ((gauge, stream) for gauge, stream in _on_waters(rule, question) if not gauge_days.why_not(gauge))


def not_evaluable(rule: BaseFlowRule, question: Question) -> list[str]:
    """Gauges the rule reaches that say nothing under it, each with the reason: NOT_EVALUABLE."""
    return [
        f"{gauge.id}: {why}"
        for gauge, stream in _on_waters(rule, question)
        if (why := gauge_days.why_not(gauge) or _why_no_base_flow(question, stream, gauge))
    ]


def _why_no_base_flow(question: Question, stream: Stream, gauge: Gauge) -> str:
    signed = signed_versions(stream, gauge, question.began, question.on)
    return "" if signed else "no base flow was established before mining"


def _on_waters(rule: BaseFlowRule, question: Question) -> Iterator[tuple[Gauge, Stream]]:
    for gauge in question.site.gauge:
        stream = question.site.stream_of(gauge)
        if gauge.role == "compliance" and stream and _reached(rule, question, stream):
            yield gauge, stream


def _watches(rule: BaseFlowRule, question: Question, gauge: Gauge) -> bool:
    """Whether this is the rule under which the gauge itself is watched: the first with a duration that reaches it."""
    lasting = (
        one
        for one in question.law.checks(question.on)
        if isinstance(one, BaseFlowRule) and one.more_than_days is not None
    )
    first = next((one for one in lasting if any(gauge is other for other, _ in waters(one, question))), None)
    return first is not None and first.id == rule.id


def _reached(rule: BaseFlowRule, question: Question, stream: Stream) -> bool:
    if rule.waters == "critical_use" and not {"agricultural", "municipal"} & set(stream.uses):
        return False
    if rule.waters == "on_property":
        return any(_has_standing(rule, question, one) for one in question.site.property if one.id in stream.serves)
    return rule.within_mi is None or boundary_to_line(question.site.boundary, stream.line, rule.within_mi).counts


def _has_standing(rule: BaseFlowRule, question: Question, parcel: Property) -> bool:
    """Howard 2.15(1): the owner's parcel, not the water, lies within the line."""
    boundary, line = question.site.boundary, rule.within_mi
    return line is None or boundary_to_parcel(boundary, parcel.polygon, line).counts


def _days_to_judge(
    rule: BaseFlowRule, question: Question, gauge: Gauge, signed: Signed
) -> tuple[date, list[DailyFlow]]:
    """From the last recovery that nothing new can touch, or the first day of mining, to tonight."""
    changed = question.changed.since(gauge.id, ("discharge",), question.began)
    last = changed or question.on
    span = FIRST_LOOK_DAYS
    while True:
        start = max(question.began, last - timedelta(days=span))
        days = gauge_days.daily(question, gauge, start, question.on)
        recovered = [one.day for one in days if one.day < last and _is_recovery(rule, question, signed, one)]
        if recovered or start == question.began:
            since = recovered[-1] if recovered else start
            return since, [one for one in days if one.day >= since]
        span *= 2


def _is_recovery(rule: BaseFlowRule, question: Question, signed: Signed, day: DailyFlow) -> bool:
    return _state(rule, question, signed, day) is DayState.NOT_BELOW


def _state(rule: BaseFlowRule, question: Question, signed: Signed, day: DailyFlow) -> DayState:
    return day_state(day, threshold(signed).at(day.day), rule.operator, practice=question.policy.practice())


def _spell_findings(
    rule: BaseFlowRule, question: Question, gauge: Gauge, signed: Signed, days: list[DailyFlow]
) -> list[Finding]:
    judged = judge(
        _to_tonight(days, question.on),
        threshold(signed),
        operator=rule.operator,
        more_than_days=rule.more_than_days or 0,
        uncertainty=question.policy.uncertainty(gauge.record_rating),
        practice=question.policy.practice(),
    )
    told = [spell for spell in judged.spells if VERDICT_OF[spell.status] in NOTABLE]
    return [_spell_finding(rule, question, gauge, signed, days, spell) for spell in told]


def _to_tonight(days: list[DailyFlow], on: date) -> list[DailyFlow]:
    """Silence counts: days after the last row up to tonight are unknown, not absent."""
    first = days[-1].day + timedelta(days=1)
    return days + [DailyFlow(first + timedelta(days=k), None) for k in range((on - first).days + 1)]


def _spell_finding(
    rule: BaseFlowRule, question: Question, gauge: Gauge, signed: Signed, days: list[DailyFlow], spell: Spell
) -> Finding:
    base = version_on(signed, spell.start)
    verdict, short = _verdict(question, base, spell)
    opened_on = spell.trigger_date or spell.indeterminate_from or spell.start
    context = base_flow_context.lines(question, gauge, signed, threshold(signed), rule, spell)
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter="discharge", aspect=f"base flow {base.version}",
        start=spell.start, end=spell.end, opened_on=opened_on, verdict=verdict, status=spell.status,
        measured=_measured(days, spell), limit=f"{_limit(signed, opened_on)} cfs", unit="cfs",
        reason="; ".join((*_says(gauge, base, rule, signed, spell), *spell.reasons, *short)),
        verification=f"signed by {base.signed_by}, {base.licence_kind}",
        confidence=spell.confidence or "", provisional=spell.provisional, ongoing=spell.status.endswith("OPEN"),
        information=rule.information, opens=rule.opens if verdict == "attained" else None,
        material=(str(spell.trigger_date), base.version, _standing(spell)),
        evidence=(_flow_evidence(rule, signed, days, spell), *context),
        facts=_facts(base, spell) | {"days": _said(days, spell)},
    )  # fmt: skip


def _verdict(question: Question, base: BaseFlow, spell: Spell) -> tuple[Verdict, tuple[str, ...]]:
    """Under the policy's baseline years without extension, nobody can tell."""
    years = question.policy.baseline_minimum_years
    if base.baseline_years < years.value and base.extended_from is None and base.source != "DNR":
        return "indeterminate", (f"baseline of {base.baseline_years} years without extension; needs {years.says()}",)
    return VERDICT_OF[spell.status], ()


def _limit(signed: Signed, day: date) -> Decimal:
    return threshold(signed).at(day)


def _measured(days: list[DailyFlow], spell: Spell) -> str:
    known = [one.value for one in days if one.day in spell.below_days and one.value is not None]
    return f"{min(known)} cfs lowest of {spell.known_below_days} known days below" if known else ""


def _flow_evidence(rule: BaseFlowRule, signed: Signed, days: list[DailyFlow], spell: Spell) -> Evidence:
    shown = {one.day: one for one in days}
    parts = [f"{day} {shown[day].value} cfs{_marks(shown[day])}" for day in spell.below_days]
    parts += [f"{day} unknown" for day in spell.unknown_days]
    sign = "<" if rule.operator == "lt" else "<="
    says = f"{sign} {_limit(signed, spell.start)} cfs: " + ", ".join(sorted(parts))
    rows = tuple(shown[day].version for day in spell.below_days if shown[day].version)
    return Evidence("daily mean discharge", says, "supports", rows)


def _says(gauge: Gauge, base: BaseFlow, rule: BaseFlowRule, signed: Signed, spell: Spell) -> tuple[str, ...]:
    """The condition in one neutral sentence (semantics, section 5), and the flag of a surrogate."""
    flag = gauge_days.surrogate(gauge)
    if spell.trigger_date is None:
        return (flag,) if flag else ()
    last, over = spell.trigger_date, rule.more_than_days or 0
    error = "" if base.uncertainty_percent is None else f", uncertainty {base.uncertainty_percent} %"
    sentence = (
        f"mean daily flow at {gauge.id} was {'below' if rule.operator == 'lt' else 'at or below'} the established base "
        f"flow ({_limit(signed, last)} cfs, {base.method}, record {base.record_from} to {base.record_to}{error}, "
        f"signed by {base.signed_by}) on each of the {over + 1} days {last - timedelta(days=over)} to {last}"
        f"{' [provisional]' if spell.provisional else ''}"
    )
    return (*((flag,) if flag else ()), sentence)


def _marks(day: DailyFlow) -> str:
    marks = [mark for mark in (day.approval, *day.qualifiers, day.note) if mark]
    return f" [{':'.join(marks)}]" if marks else ""


def _facts(base: BaseFlow, spell: Spell) -> dict[str, Any]:
    return {
        "earliest_start": _iso(spell.earliest_start), "latest_end": _iso(spell.latest_end),
        "known_below_days": spell.known_below_days, "possible_days": spell.possible_days,
        "trigger_date": _iso(spell.trigger_date), "indeterminate_from": _iso(spell.indeterminate_from),
        "threshold_step": spell.threshold_step, "base_flow_version": base.version, "base_flow_method": base.method,
    }  # fmt: skip


def _standing(spell: Spell) -> str:
    """What people must be told anew: silence is no recovery, so an end that an outage hides is news, not an end."""
    hidden = spell.latest_end is None
    return "end hidden by an outage" if hidden else spell.status.split("_")[0]


def _said(days: list[DailyFlow], spell: Spell) -> dict[str, str]:
    """What each day of a spell said when it was judged: a revision is measured against it."""
    shown = {one.day: one for one in days}
    within = sorted((*spell.below_days, *spell.unknown_days))
    return {day.isoformat(): _day_text(shown.get(day)) for day in within}


def _day_text(day: DailyFlow | None) -> str:
    return "unknown" if day is None or day.value is None else f"{day.value} cfs"


def changed_days(previous: Finding, now: Sequence[DailyFlow]) -> tuple[str, ...]:
    """Days of a shortfall whose value differs from the one it was judged on (decision 13)."""
    shown = {one.day.isoformat(): _day_text(one) for one in now}
    said = previous.facts.get("days", {})
    return tuple(
        f"{day} {before} is now {shown.get(day, 'unknown')}"
        for day, before in said.items()
        if shown.get(day, "unknown") != before
    )


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _day_findings(
    rule: BaseFlowRule, question: Question, gauge: Gauge, signed: Signed, days: list[DailyFlow]
) -> list[Finding]:
    """Days at or below, by calendar month: information, no duration and no clock."""
    months = sorted({(one.day.year, one.day.month) for one in days})
    whole = gauge_days.daily(question, gauge, max(question.began, date(*months[0], 1)), question.on)
    low = [one for one in whole if _state(rule, question, signed, one) is DayState.BELOW]
    counted = {month: [one for one in low if (one.day.year, one.day.month) == month] for month in months}
    return [_month_finding(rule, question, gauge, signed, found) for found in counted.values() if found]


def _month_finding(
    rule: BaseFlowRule, question: Question, gauge: Gauge, signed: Signed, low: list[DailyFlow]
) -> Finding:
    first, last = low[0].day, low[-1].day
    base = version_on(signed, first)
    evidence = Evidence(
        "daily mean discharge", ", ".join(f"{one.day} {one.value} cfs{_marks(one)}" for one in low), "context",
        tuple(one.version for one in low if one.version),
    )  # fmt: skip
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter="discharge", aspect=f"base flow {base.version}",
        start=max(first.replace(day=1), question.began), end=last, opened_on=first,
        verdict="not_applicable", status="INFORMATION",
        measured=f"{len(low)} days at or below in {first:%Y-%m}", limit=f"{_limit(signed, first)} cfs", unit="cfs",
        reason=rule.follows, verification=f"signed by {base.signed_by}, {base.licence_kind}",
        provisional=any(one.approval == "P" for one in low), information=True, evidence=(evidence,),
    )  # fmt: skip
