"""What stands beside every shortfall: how often nature did it, what reference streams did, what pumping explains.

None of it is a finding of cause. Three lines: the same rule over the baseline record (the natural
rate), reference gauges on the same days as percentiles of their own record in that season, and the
modelled depletion of the stream by the metered pumping.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np

from models import pumping
from models.base_flow import BaseFlow
from models.checks import gauge_days, if_pumping_stopped, model_words, signed_flow, trailing_days
from models.finding import Evidence
from models.question import Question
from models.rules import BaseFlowRule
from models.signed_record import versions_say
from models.site import Gauge
from models.streamflow.baseline_rate import BaselineRate, rate_of_days
from models.streamflow.day_states import DailyFlow, DayState, Threshold, day_state
from models.streamflow.intervals import Interval
from models.streamflow.low_flow import WHOLE_YEAR_DAYS
from models.streamflow.natural_rate import DAYS_PER_YEAR
from models.streamflow.spells import Spell

SEED = 209
"""Of the drawn years behind the interval of the natural rate: the same record gives the same interval every night."""
SEASON_HALF_WIDTH_DAYS = 15  # days of other years within this of the spell's own days are its season


def lines(
    question: Question, gauge: Gauge, signed: Sequence[BaseFlow], threshold: Threshold, rule: BaseFlowRule, spell: Spell
) -> list[Evidence]:
    """The context lines of one spell, in the order they are printed."""
    found = [
        _natural_rate(question, gauge, signed_flow.version_on(signed, spell.trigger_date or spell.start), rule),
        _days_below(question, gauge, threshold, rule, spell, max(question.began, signed[0].effective)),
    ]
    found += [_same_stream(question, one, rule, spell) for one in _nested(question, gauge)]
    found += _versions(question, gauge, signed)
    found += _references(question, spell)
    return [*found, *_depletion(question, gauge, spell)]


def _natural_rate(question: Question, gauge: Gauge, base: BaseFlow, rule: BaseFlowRule) -> Evidence:
    """The rate as it was signed, over an extended record too, beside that of the gauge's own days (decision 28)."""
    days = gauge_days.daily(question, gauge, None, question.day_before_mining)
    found = rate_of_days(
        days,
        base.threshold(),
        np.random.default_rng(SEED),
        operator=rule.operator,
        more_than_days=rule.more_than_days or 0,
        practice=question.policy.practice(),
    )
    said = [_signed_rate(base), _own_rate(found)]
    known = base.natural_rate_per_year is not None or found.rate.per_year is not None
    established = f"base flow established on {base.record_from} to {base.record_to}{_extended(base)}"
    return Evidence("natural rate", "; ".join((*filter(None, said), established)), "context" if known else "silent")


def _signed_rate(base: BaseFlow) -> str:
    if base.natural_rate_per_year is not None:
        over = "the extended record" if base.extended_from else "the record"
        return (
            f"as signed, the same rule was met {base.natural_rate_per_year} times per year in "
            f"{base.natural_rate_years} years of known days of {over}, without the mine"
        )
    return "its rate over the extended record was not signed" if base.extended_from else ""


def _own_rate(found: BaselineRate) -> str:
    rate = found.rate
    if rate.per_year is None:
        return "no baseline record at this gauge: its own natural rate is unknown"
    times = "once" if rate.triggers == 1 else f"{rate.triggers} times"
    met = f"in the baseline record at this gauge the same rule was met {times} in"
    if rate.years * DAYS_PER_YEAR < WHOLE_YEAR_DAYS:
        return f"{met} {rate.years} years of known days, too few for a rate per year"
    few = "" if found.interval else ", too few for an interval"
    return f"{met} {rate.years:.1f} years ({rate.per_year:.1f} per year{_between(found.interval)}){few}"


def _extended(base: BaseFlow) -> str:
    if base.extended_from is None:
        return ""
    return f", own record of {base.baseline_years} years, extended from {base.extended_from}"


def _between(interval: Interval | None) -> str:
    if interval is None:
        return ""
    return f", {interval.level:.0%} interval {interval.low:.1f} to {interval.high:.1f}".replace("%", " %")


def _days_below(
    question: Question, gauge: Gauge, threshold: Threshold, rule: BaseFlowRule, spell: Spell, since: date
) -> Evidence:
    """The cumulative count stands beside the consecutive one and decides nothing (decision 1)."""
    practice = question.policy.practice()
    year = gauge_days.daily(question, gauge, trailing_days.first_day(spell, since), trailing_days.last_day(spell))
    low = [one.day for one in year if day_state(one, threshold.at(one.day), rule.operator, practice=practice) == "B"]
    return trailing_days.days_below(low, spell, since)


def _nested(question: Question, gauge: Gauge) -> list[Gauge]:
    """Other compliance gauges on the same stream (decision 16)."""
    stream = question.site.stream_of(gauge)
    return [
        one
        for one in question.site.gauge
        if one is not gauge
        and one.role == "compliance"
        and stream
        and question.site.stream_of(one) is stream
        and not gauge_days.why_not(one)
    ]


def _same_stream(question: Question, other: Gauge, rule: BaseFlowRule, spell: Spell) -> Evidence:
    """What another gauge of the stream says of the same days, by its own base flow: one incident, judged apart."""
    stream = question.site.stream_of(other)
    signed = signed_flow.signed_versions(stream, other, question.began, question.on) if stream else []
    if not signed:
        return Evidence("same stream", f"{other.id}: no base flow of its own", "silent")
    own, practice = signed_flow.threshold(signed), question.policy.practice()
    days = gauge_days.daily(question, other, max(spell.start, signed[0].effective), spell.end)
    states = [day_state(one, own.at(one.day), rule.operator, practice=practice) for one in days]
    says = (
        f"{other.id} on the same days: {states.count(DayState.BELOW)} below its own base flow, "
        f"{states.count(DayState.NOT_BELOW)} not, of {(spell.end - spell.start).days + 1}; "
        "one incident, each gauge judged alone"
    )
    return Evidence("same stream", says, "context", tuple(one.version for one in days if one.version))


def _versions(question: Question, gauge: Gauge, signed: Sequence[BaseFlow]) -> list[Evidence]:
    """A corrected base flow: every version is shown, each day is judged under the one in force on it."""
    stream = question.site.stream_of(gauge)
    idle = signed_flow.not_used(stream, gauge, question.began, question.on) if stream else []
    if len(signed) < 2 and not idle:
        return []
    return [Evidence("base flow versions", "; ".join((*versions_say(signed), *idle)), "context")]


def _references(question: Question, spell: Spell) -> list[Evidence]:
    found = [_reference(question, one, spell) for one in question.site.gauge if one.role == "reference"]
    none = "none: the site has no reference gauge, so nothing tells what streams without the mine did on these days"
    return found or [Evidence("reference gauge", none, "silent")]


def _reference(question: Question, gauge: Gauge, spell: Spell) -> Evidence:
    record = question.observations.daily(gauge.id, "discharge", None, spell.end)
    now = [one for one in record if spell.start <= one.day <= spell.end and one.value is not None]
    season = _season(record, spell)
    if not now or not season:
        return Evidence("reference gauge", f"{gauge.id}: no flow known on these days", "silent")
    percentiles = [100 * sum(other < float(one.value or 0) for other in season) / len(season) for one in now]
    says = (
        f"{gauge.id} on the same days: percentile {min(percentiles):.0f} to {max(percentiles):.0f} of its own record "
        f"in that season ({len(season)} days)"
    )
    return Evidence("reference gauge", says, "context", tuple(one.version for one in now if one.version))


def _season(record: list[DailyFlow], spell: Spell) -> list[float]:
    middle = (spell.start + (spell.end - spell.start) / 2).timetuple().tm_yday
    return [
        float(one.value)
        for one in record
        if one.value is not None
        and one.day < spell.start
        and _days_apart(one.day.timetuple().tm_yday, middle) <= SEASON_HALF_WIDTH_DAYS
    ]


def _days_apart(one: int, other: int) -> int:
    apart = abs(one - other)
    return min(apart, 365 - apart)


def _depletion(question: Question, gauge: Gauge, spell: Spell) -> list[Evidence]:
    """What the model takes from the stream on the trigger day."""
    stream = question.site.stream_of(gauge)
    if stream is None or question.site.aquifer is None:
        return []
    middle = spell.end if spell.trigger_date is None else spell.trigger_date
    modelled = pumping.depletion_cfs(question, stream, middle + timedelta(days=1))
    if modelled is None:
        return [Evidence("modelled depletion", "no metered pumping is known: nothing to model", "silent")]
    says = (
        f"pumping metered to {modelled.on} depletes {stream.name} by {modelled.best:#.2g} cfs "
        f"(range {modelled.low:#.2g} to {modelled.high:#.2g}; {model_words.HUNT}, superposed); not a finding of cause"
        f"{modelled.says_lacks()}"
    )
    assumed = model_words.assumptions(question)
    return [Evidence("modelled depletion", says, "context", modelled.rows), assumed]


def if_stopped(question: Question, gauge: Gauge, spell: Spell) -> if_pumping_stopped.IfStopped | None:
    """The depletion if pumping stopped: tonight while the spell goes on, on its trigger day once it is over.

    A spell that is over is judged again after a correction; what it said then must not move with the night.
    """
    stream = question.site.stream_of(gauge)
    if stream is None:
        return None
    over = spell.end if spell.trigger_date is None else spell.trigger_date
    last = question.on if spell.status.endswith("OPEN") else over
    return if_pumping_stopped.depletion(question, last + timedelta(days=1), pumping.depletion_response(stream))
