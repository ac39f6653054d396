"""Daily mean stage of a lake, a pond or a stage-only stream against its pre-mining level.

"To levels below base flow levels for more than 5 days" is put to the shortfall machine (semantics, decision 26): a day
is below its reference stage, not below, or unknown. A day on which the datum is not established, or whose reference
rests on too few years or on no comparable precipitation, still counts in the machine; a shortfall that needs such a
day is indeterminate and says what would settle it. A stream with a rating is judged by its flow, not by its stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from models.checks import surface_level_days, surface_level_told, surface_level_watch
from models.checks.surface_level_reference import RAIN, Reference, reference
from models.finding import Finding, Scope
from models.place import boundary_to_line, boundary_to_parcel
from models.question import Judged, Question, no_longer_reached
from models.rules import SurfaceLevelRule
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, DayState, day_state
from models.streamflow.shortfall import judge
from models.streamflow.spells import Spell
from models.verdict import NOTABLE, VERDICT_OF
from models.waters import Lake, Stream

FIRST_LOOK_DAYS = 64  # one read finds the last recovery of most spells; doubled until it does
ONE_DAY = timedelta(days=1)


def check(rule: SurfaceLevelRule, question: Question) -> Judged:
    """Judge every compliance stage gauge on a water the rule names; nothing before mining began."""
    findings: list[Finding] = []
    scopes: list[Scope] = []
    for gauge, water in waters(rule, question) if question.on >= question.began else ():
        by = reference(question, gauge, water)
        since, days = _days_to_judge(rule, question, gauge, by)
        findings += _spell_findings(rule, question, gauge, by, days)
        if _watches(rule, question, gauge):
            findings += surface_level_watch.watch(rule, question, gauge, by, since, days)
            scopes.append(Scope(rule.id, gauge.id, question.began, surface_level_watch.REFERENCE))
        scopes.append(Scope(rule.id, gauge.id, since))
    scopes += no_longer_reached(rule.id, (gauge.id for gauge in question.site.gauge), scopes, question)
    return Judged(tuple(findings), tuple(scopes))


def waters(rule: SurfaceLevelRule, question: Question) -> Iterator[tuple[Gauge, Stream | Lake]]:
    """Compliance gauges that record stage and nothing else, on waters that the rule reaches."""
    for gauge in question.site.gauge:
        water = question.site.water_of(gauge)
        own = gauge.role == "compliance" and gauge.judged == "stage" and gauge.surrogate_for is None
        if own and water is not None and _reached(rule, question, water):
            yield gauge, water


def _reached(rule: SurfaceLevelRule, question: Question, water: Stream | Lake) -> bool:
    """By use, by the parcel it serves (Howard 2.15(1): that lies within the line), or by its own nearest part."""
    boundary, line = question.site.boundary, rule.within_mi
    if rule.waters == "critical_use" and not {"agricultural", "municipal"} & set(water.uses):
        return False
    if rule.waters == "on_property":
        served = [one for one in question.site.property if one.id in water.serves]
        return any(line is None or boundary_to_parcel(boundary, one.polygon, line).counts for one in served)
    if line is None:
        return True
    if isinstance(water, Lake):
        return boundary_to_parcel(boundary, water.shore, line).counts
    return boundary_to_line(boundary, water.line, line).counts


def _watches(rule: SurfaceLevelRule, question: Question, gauge: Gauge) -> bool:
    """Whether this is the rule under which the gauge itself is watched: the first that reaches it."""
    rules = (one for one in question.law.checks(question.on) if isinstance(one, SurfaceLevelRule))
    first = next((one for one in rules if any(gauge is other for other, _ in waters(one, question))), None)
    return first is not None and first.id == rule.id


def _days_to_judge(
    rule: SurfaceLevelRule, question: Question, gauge: Gauge, by: Reference
) -> tuple[date, list[DailyFlow]]:
    """From the last recovery that nothing new can touch, or the first day of mining, to tonight."""
    began, last = question.began, _first_touched(question, gauge)
    span = FIRST_LOOK_DAYS
    while True:
        start = max(began, last - timedelta(days=span))
        days = _judged_days(question, gauge, by, start)
        recovered = [one.day for one in days if one.day < last and _is_recovery(rule, question, by, one)]
        if recovered or start == began:
            since = recovered[-1] if recovered else start
            return since, [one for one in days if one.day >= since]
        span *= 2


def _first_touched(question: Question, gauge: Gauge) -> date:
    """The first day of mining whose stage, sibling or precipitation is new; a baseline revision touches all of them."""
    stages = [one.id for one in (gauge, *surface_level_days.siblings(question, gauge))]
    keys = [*((id, surface_level_days.STAGE) for id in stages), *((one.id, RAIN) for one in question.site.rain_gauge)]
    first = [question.changed.since(id, (name,), question.began) for id, name in keys]
    return max(question.began, min((one for one in first if one is not None), default=question.on))


def _judged_days(question: Question, gauge: Gauge, by: Reference, start: date) -> list[DailyFlow]:
    """Every calendar day to tonight: silence counts, and a day without a reference cannot be compared."""
    known = {one.day: one for one in surface_level_days.daily(question, gauge, start, question.on)}
    calendar = [start + k * ONE_DAY for k in range((question.on - start).days + 1)]
    days = [known.get(day, DailyFlow(day, None)) for day in calendar]
    return [one if one.value is None or by.at(one.day) is not None else _uncompared(by, one) for one in days]


def _uncompared(by: Reference, day: DailyFlow) -> DailyFlow:
    return DailyFlow(day.day, None, note=by.lack(day.day), approval=day.approval, version=day.version)


def _is_recovery(rule: SurfaceLevelRule, question: Question, by: Reference, day: DailyFlow) -> bool:
    base = by.at(day.day)
    if base is None:
        return False
    return day_state(day, base, rule.operator, "stage", question.policy.practice()) is DayState.NOT_BELOW


def _spell_findings(
    rule: SurfaceLevelRule, question: Question, gauge: Gauge, by: Reference, days: list[DailyFlow]
) -> list[Finding]:
    judged = judge(
        days,
        by.threshold(one.day for one in days),
        operator=rule.operator,
        more_than_days=rule.more_than_days,
        quantity="stage",
        uncertainty=question.policy.stage_uncertainty.value,
        practice=question.policy.practice(),
    )
    told = [spell for spell in judged.spells if VERDICT_OF[spell.status] in NOTABLE]
    return [_spell_finding(rule, question, gauge, by, days, spell) for spell in told]


def _spell_finding(
    rule: SurfaceLevelRule, question: Question, gauge: Gauge, by: Reference, days: list[DailyFlow], spell: Spell
) -> Finding:
    sure = sound_trigger(spell, by, rule.more_than_days + 1)
    lacks = [] if sure else list(dict.fromkeys(one for day in spell.below_days if (one := by.lack(day))))
    verdict = "indeterminate" if lacks and spell.trigger_date else VERDICT_OF[spell.status]
    opened_on = sure or spell.trigger_date or spell.indeterminate_from or spell.start
    told = surface_level_told.Told(rule, question, gauge, by, tuple(days), spell, opened_on)
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter=surface_level_days.STAGE, aspect="",
        start=spell.start, end=spell.end, opened_on=opened_on, verdict=verdict, status=spell.status,
        measured=told.measured(), limit=told.limit(), unit="ft",
        reason="; ".join(one for one in (told.sentence(), *spell.reasons, *_first_and_count(lacks)) if one),
        verification=told.signers(), confidence=(spell.confidence or "") if verdict == "attained" else "",
        provisional=spell.provisional, ongoing=spell.status.endswith("OPEN"), information=rule.information,
        opens=rule.opens if verdict == "attained" else None,
        material=(str(sure or spell.trigger_date), _standing(spell)),
        evidence=told.evidence(), facts=told.facts(),
    )  # fmt: skip


def sound_trigger(spell: Spell, by: Reference, needed: int) -> date | None:
    """The day that completed ``needed`` consecutive days below on an established datum and reference."""
    run, before = 0, None
    for day in spell.below_days:
        run = 0 if by.lack(day) else (run if before is not None and day - before == ONE_DAY else 0) + 1
        if run >= needed:
            return day
        before = day
    return None


def _first_and_count(lacks: Sequence[str]) -> Iterator[str]:
    """A lack names its day; one of each spell is enough to read."""
    if lacks:
        yield lacks[0] + (f" (and the like on {len(lacks) - 1} more days)" if len(lacks) > 1 else "")


def _standing(spell: Spell) -> str:
    """What people must be told anew: silence is no recovery, so an end that an outage hides is news, not an end."""
    return "end hidden by an outage" if spell.latest_end is None else spell.status.split("_")[0]
