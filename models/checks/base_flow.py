"""Daily flow of a stream against its signed base flow.

Two predicates that never mix: "falls below base flows for more than 5 days" (``<``, the shortfall
machine) and "to or below base flows" (``<=``, days counted, no duration, no trigger, no clock).
Only days since mining began are judged, and since a base flow is in force; the record before mining is the natural
rate beside every alert.

A known NOT BELOW day closes every spell, so the night judges from the last one before the first
new or revised day: the cost follows the new rows, not the length of the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from models.base_flow import BaseFlow
from models.checks import (
    base_flow_context,
    base_flow_told,
    gauge_days,
    gauge_watch,
    no_flow_days,
    revised_days,
    signed_flow,
)
from models.checks.if_pumping_stopped import evidence_of, facts_of
from models.checks.signed_flow import signed_versions, threshold, version_on, versions_of
from models.finding import Evidence, Finding, Scope
from models.place import boundary_to_line, boundary_to_parcel
from models.question import Judged, Question, no_longer_reached
from models.rules import BaseFlowRule
from models.signed_record import first_is_late
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
            findings += no_flow_days.yearly(rule, question, gauge, signed, _first(question, signed), since)
        scopes.append(Scope(rule.id, gauge.id, question.began if since == _first(question, signed) else since))
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
    began, on = question.began, question.on
    signed = signed_versions(stream, gauge, began, on)
    if not signed:
        return signed_flow.why_none(stream, gauge, began, on)
    if no_flow_days.is_zero(signed):
        return f"{no_flow_days.NOT_APPLICABLE}: {no_flow_days.WHY}"
    first = signed[0]
    if first.effective <= began:
        return ""
    return signed_flow.late_words(first, began) or (
        f"base flow version {first.version} is in force from {first.effective} on; mining began on {began}"
    )


def _first(question: Question, signed: Signed) -> date:
    """The first day that is judged: of mining, or of the first base flow in force."""
    return max(question.began, signed[0].effective)


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
    """From the last recovery that nothing new can touch, or the first day that is judged, to tonight."""
    first = _first(question, signed)
    changed = question.changed.since(gauge.id, ("discharge",), question.began)
    last = max(changed or question.on, first)
    if signed_flow.reaches_back(signed, question.began):
        last = first
    span = FIRST_LOOK_DAYS
    while True:
        start = max(first, last - timedelta(days=span))
        days = gauge_days.daily(question, gauge, start, question.on)
        recovered = [one.day for one in days if one.day < last and _is_recovery(rule, question, signed, one)]
        if recovered or start == first:
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
    base, used = version_on(signed, spell.start), versions_of(signed, spell.below_days)
    verdict, short = _verdict(question, signed, used, spell)
    opened_on = spell.trigger_date or spell.indeterminate_from or spell.start
    context = base_flow_context.lines(question, gauge, signed, threshold(signed), rule, spell)
    stopped = base_flow_context.if_stopped(question, gauge, spell)
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter="discharge", aspect=f"base flow {base.version}",
        start=spell.start, end=spell.end, opened_on=opened_on, verdict=verdict, status=spell.status,
        measured=_measured(days, spell), limit=base_flow_told.limit(signed, spell.below_days), unit="cfs",
        reason="; ".join((*_says(question, gauge, rule, signed, days, spell), *spell.reasons, *short)),
        verification=base_flow_told.signers(used),
        confidence=spell.confidence or "", provisional=spell.provisional, ongoing=spell.status.endswith("OPEN"),
        information=rule.information, opens=rule.opens if verdict == "attained" else None,
        material=(str(spell.trigger_date), base.version, _standing(spell)),
        evidence=(base_flow_told.evidence(rule, signed, days, spell), *context, *evidence_of(stopped)),
        facts=_facts(used, spell) | {revised_days.DAYS: _said(days, spell)} | facts_of(stopped),
    )  # fmt: skip


def _verdict(question: Question, signed: Signed, used: Signed, spell: Spell) -> tuple[Verdict, tuple[str, ...]]:
    """Under the policy's baseline years without extension, nobody can tell; a late signature is said beside it."""
    years, gauges = question.policy.baseline_minimum_years, {one.id for one in question.site.gauge}
    short = [one.baseline_years for one in used if one.is_short(years.value, gauges)]
    said = [f"baseline of {one} years without extension; needs {years.says()}" for one in short]
    return "indeterminate" if short else VERDICT_OF[spell.status], (*said, *first_is_late(signed, question.began))


def _measured(days: list[DailyFlow], spell: Spell) -> str:
    known = [one.value for one in days if one.day in spell.below_days and one.value is not None]
    return f"{min(known)} cfs lowest of {spell.known_below_days} known days below" if known else ""


def _says(
    question: Question, gauge: Gauge, rule: BaseFlowRule, signed: Signed, days: list[DailyFlow], spell: Spell
) -> tuple[str, ...]:
    """The flag of a surrogate, and the condition in one neutral sentence."""
    said = (gauge_days.surrogate(gauge), base_flow_told.sentence(question, gauge, rule, signed, days, spell))
    return tuple(one for one in said if one)


def _facts(used: Signed, spell: Spell) -> dict[str, Any]:
    return {
        "earliest_start": _iso(spell.earliest_start), "latest_end": _iso(spell.latest_end),
        "known_below_days": spell.known_below_days, "possible_days": spell.possible_days,
        "trigger_date": _iso(spell.trigger_date), "indeterminate_from": _iso(spell.indeterminate_from),
        "threshold_step": spell.threshold_step, "base_flow_version": ", ".join(one.version for one in used),
        "base_flow_method": "; ".join(one.method for one in used),
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
    return revised_days.UNKNOWN if day is None or day.value is None else f"{day.value} cfs"


def changed_days(previous: Finding, now: Sequence[DailyFlow]) -> tuple[str, ...]:
    """Days of a shortfall whose value differs from the one it was judged on (decision 13)."""
    return revised_days.changed_days(previous, {one.day.isoformat(): _day_text(one) for one in now})


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _day_findings(
    rule: BaseFlowRule, question: Question, gauge: Gauge, signed: Signed, days: list[DailyFlow]
) -> list[Finding]:
    """Days at or below, by calendar month: information, no duration and no clock; a base flow of zero has none."""
    months = sorted({(one.day.year, one.day.month) for one in days})
    whole = gauge_days.daily(question, gauge, max(_first(question, signed), date(*months[0], 1)), question.on)
    low = [one for one in whole if _state(rule, question, signed, one) is DayState.BELOW]
    counted = {month: [one for one in low if (one.day.year, one.day.month) == month] for month in months}
    return [_month_finding(rule, question, gauge, signed, found) for found in counted.values() if found]


def _month_finding(
    rule: BaseFlowRule, question: Question, gauge: Gauge, signed: Signed, low: list[DailyFlow]
) -> Finding:
    first, last = low[0].day, low[-1].day
    used = versions_of(signed, [one.day for one in low])
    says = base_flow_told.compared(rule, signed, low, {one.day for one in low})
    evidence = Evidence("daily mean discharge", says, "context", tuple(one.version for one in low if one.version))
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter="discharge",
        aspect=f"base flow {used[0].version}",
        start=max(first.replace(day=1), question.began), end=last, opened_on=first,
        verdict="not_applicable", status="INFORMATION",
        measured=f"{len(low)} days at or below in {first:%Y-%m}",
        limit=base_flow_told.limit(signed, [one.day for one in low]), unit="cfs",
        reason="; ".join((rule.follows, *first_is_late(signed, question.began))),
        verification=base_flow_told.signers(used),
        provisional=any(one.approval == "P" for one in low), information=True, evidence=(evidence,),
    )  # fmt: skip
