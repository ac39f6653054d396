"""Daily mean stage of a lake, a pond or a stage-only stream against its pre-mining level.

"To levels below base flow levels for more than 5 days" is put to the shortfall machine (semantics, decision 26): a day
is below its reference stage, not below, or unknown, as every day on a datum that is not established is. A day whose
reference rests on too few years or on no comparable precipitation still counts in the machine; a shortfall that needs
such a day is indeterminate and says what would settle it, and so does one that would stand if days on a doubted datum
were as they read. A stream with a rating is judged by its flow, not by its stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from models.checks import (
    revised_days,
    surface_level_compared,
    surface_level_days,
    surface_level_told,
    surface_level_watch,
)
from models.checks.precipitation_days import PRECIPITATION
from models.checks.surface_level_compared import judged_days, practice, sound_trigger, state
from models.checks.surface_level_reference import Reference, reference
from models.finding import Finding, Scope
from models.place import boundary_to_line, boundary_to_parcel
from models.question import Judged, Question, no_longer_reached
from models.rules import SurfaceLevelRule
from models.signed_record import first_is_late, reaches_back
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, DayState
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
    began, last = question.began, _first_touched(question, gauge, by)
    span, own = FIRST_LOOK_DAYS, practice(question, gauge)
    while True:
        start = max(began, last - timedelta(days=span))
        days = judged_days(rule, question, gauge, by, start, question.on)
        before = (one for one in reversed(days) if one.day < last)
        recovered = next((one.day for one in before if state(rule, by, one, own)[0] is DayState.NOT_BELOW), None)
        if recovered or start == began:
            since = recovered or start
            return since, [one for one in days if one.day >= since]
        span *= 2


def _first_touched(question: Question, gauge: Gauge, by: Reference) -> date:
    """The first day of mining whose stage, sibling or precipitation is new.

    A baseline revision touches all of them, and so does a base level that judges days before its late signature.
    """
    if reaches_back(by.signed, question.began):
        return question.began
    stages = [one.id for one in (gauge, *surface_level_days.siblings(question, gauge))]
    rained = [(one.id, PRECIPITATION) for one in question.site.rain_gauge]
    keys = [*((id, surface_level_days.STAGE) for id in stages), *rained]
    first = [question.changed.since(id, (name,), question.began) for id, name in keys]
    return max(question.began, min((one for one in first if one is not None), default=question.on))


def _spell_findings(
    rule: SurfaceLevelRule, question: Question, gauge: Gauge, by: Reference, days: list[DailyFlow]
) -> list[Finding]:
    found = [(spell, days) for spell in _spells(rule, question, gauge, by, days) if VERDICT_OF[spell.status] in NOTABLE]
    if days and any(by.doubt(one.day) for one in days):
        read = judged_days(rule, question, gauge, by, days[0].day, days[-1].day, low_as_read=True)
        unsure = [one for one in _spells(rule, question, gauge, by, read) if one.trigger_date is not None]
        found += [(one, read) for one in unsure if not any(_overlap(one, other) for other, _ in found)]
    return [_spell_finding(rule, question, gauge, by, flows, spell) for spell, flows in found]


def _overlap(one: Spell, other: Spell) -> bool:
    return one.start <= other.end and other.start <= one.end


def _spells(
    rule: SurfaceLevelRule, question: Question, gauge: Gauge, by: Reference, days: list[DailyFlow]
) -> tuple[Spell, ...]:
    return judge(
        days,
        by.threshold(one.day for one in days),
        operator=rule.operator,
        more_than_days=rule.more_than_days,
        quantity="stage",
        uncertainty=question.policy.stage_uncertainty.value,
        practice=practice(question, gauge),
    ).spells


def _spell_finding(
    rule: SurfaceLevelRule, question: Question, gauge: Gauge, by: Reference, days: list[DailyFlow], spell: Spell
) -> Finding:
    sure = sound_trigger(spell, by, rule.more_than_days + 1)
    lacks = [] if sure else list(dict.fromkeys(one for day in spell.below_days if (one := by.lack(day))))
    verdict = "indeterminate" if lacks and spell.trigger_date else VERDICT_OF[spell.status]
    opened_on = sure or spell.trigger_date or spell.indeterminate_from or spell.start
    told = surface_level_told.Told(rule, question, gauge, by, tuple(days), spell, opened_on)
    late = first_is_late(by.signed, question.began) if told.versions() else ()
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter=surface_level_days.STAGE, aspect="",
        start=spell.start, end=spell.end, opened_on=opened_on, verdict=verdict, status=spell.status,
        measured=told.measured(), limit=told.limit(), unit="ft",
        reason="; ".join(one for one in (told.sentence(), *spell.reasons, *_first_and_count(lacks), *late) if one),
        verification=told.signers(), confidence=(spell.confidence or "") if verdict == "attained" else "",
        provisional=spell.provisional, ongoing=spell.status.endswith("OPEN"), information=rule.information,
        opens=rule.opens if verdict == "attained" else None,
        material=(str(sure or spell.trigger_date), _standing(spell)),
        evidence=told.evidence(), facts=told.facts(),
    )  # fmt: skip


def _first_and_count(lacks: Sequence[str]) -> Iterator[str]:
    """A lack names its day; one of each spell is enough to read."""
    if lacks:
        yield lacks[0] + (f" (and the like on {len(lacks) - 1} more days)" if len(lacks) > 1 else "")


def _standing(spell: Spell) -> str:
    """What people must be told anew: silence is no recovery, so an end that an outage hides is news, not an end."""
    return "end hidden by an outage" if spell.latest_end is None else spell.status.split("_")[0]


def changed_days(previous: Finding, question: Question) -> tuple[str, ...]:
    """Days of a lowering that read differently, or stand against another reference, than when it was judged."""
    rules = (one for one in question.law.checks(question.on) if isinstance(one, SurfaceLevelRule))
    rule = next((one for one in rules if one.id == previous.rule), None)
    gauge = next((one for one in question.site.gauge if one.id == previous.station), None)
    water = None if gauge is None else question.site.water_of(gauge)
    if rule is None or gauge is None or water is None:
        return revised_days.changed_days(previous, {})
    by, within = reference(question, gauge, water), _days_said(previous)
    now = {one.day: one for one in judged_days(rule, question, gauge, by, within[0], within[-1])} if within else {}
    return revised_days.changed_days(previous, surface_level_compared.said(now, by, within))


def _days_said(previous: Finding) -> list[date]:
    return [date.fromisoformat(day) for day in previous.facts.get(revised_days.DAYS, {})]
