"""What stands beside the level of a water every night: why it cannot be judged now, and outages of its gauge.

A gauge whose datum nobody surveyed, or whose record before mining is too short to say what is low, leaves every
shortfall indeterminate. The town hears of it once, with what would settle it, and not on the day the lake falls. What
only the weather of the day lacks (no year with comparable precipitation) is said with a spell and not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby

from models.checks import surface_level_days
from models.checks.surface_level_compared import practice, state
from models.checks.surface_level_reference import NO_SEASON, Reference
from models.finding import Finding
from models.question import Question
from models.rules import SurfaceLevelRule
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, DayState
from models.streamflow.practice import Practice

REFERENCE, NO_REFERENCE, OUTAGE = "stage_reference", "NO_REFERENCE", "OUTAGE"
ONE_DAY = timedelta(days=1)
SURVEY = "survey the gauge against a benchmark and enter gauge_zero and datum_check"


def watch(
    rule: SurfaceLevelRule, question: Question, gauge: Gauge, by: Reference, since: date, days: Sequence[DailyFlow]
) -> Iterator[Finding]:
    """What cannot be judged tonight, and holes from ``since``, a known day or the first of mining, to tonight."""
    lacks = list(lacking(question, by))
    if lacks:
        yield _unsettled(rule, question, gauge, lacks)
    longest = question.policy.practice().longest_linking_gap_days
    own = practice(question, gauge)
    for hole, why in _holes(rule, by, [one for one in days if one.day >= since], own):
        said = hole[-1] == question.on and all(by.doubt(day) for day in hole)  # NO_REFERENCE says so already
        if len(hole) > longest and not said:
            yield _outage(rule, question, gauge, hole, f"{why}; {_remedy(by, hole[0])}", longest)


def lacking(question: Question, by: Reference) -> Iterator[str]:
    """What is missing to judge tonight's level, whatever the weather."""
    doubt, version = by.doubt(question.on), by.version_on(question.on)
    if doubt:
        yield f"{doubt}: {SURVEY}"
    if version is not None:
        short = version.lack(by.minimum_years)
        yield from [f"{short}, needs {by.minimum_years}"] if short else []
        return
    years = by.baseline.years(question.on)
    if len(years) < by.minimum_years:
        left = f" ({by.left_out} days before mining have no established datum)" if by.left_out else ""
        found = f"{len(years)} years before mining in this season" if years else NO_SEASON
        yield f"{found}{left}, needs {by.minimum_years}: only a base level that a licensee signs would settle it"
    elif short := by.baseline.too_short():
        yield f"{short}: only a base level that a licensee signs would settle it"
    elif not any(one.rain_in is not None for one in years):
        yield "no precipitation record before mining: the same station's, of the baseline years, would settle it"


def _unsettled(rule: SurfaceLevelRule, question: Question, gauge: Gauge, lacks: list[str]) -> Finding:
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter=REFERENCE, aspect="", start=question.began,
        end=None, opened_on=_since(rule, question, gauge), verdict="indeterminate", status=NO_REFERENCE,
        measured="no verdict can rest on the level", limit="a stage before mining on an established datum", unit="ft",
        reason="; ".join(lacks), ongoing=True, lapses=True, material=tuple(lacks),
    )  # fmt: skip


def _since(rule: SurfaceLevelRule, question: Question, gauge: Gauge) -> date:
    """When what stood last night began: it goes on while every night finds it."""
    key = (rule.id, gauge.id, REFERENCE)
    stood = (one for one in question.standing if (one.rule, one.station, one.parameter) == key)
    return next((one.opened_on for one in stood if one.ongoing), question.on)


def _holes(
    rule: SurfaceLevelRule, by: Reference, days: Sequence[DailyFlow], own: Practice
) -> Iterator[tuple[list[date], str]]:
    """Runs of unknown days with the reason of the first: silence or a datum in doubt, not a lack of reference."""

    def unknown(day: DailyFlow) -> str:
        if by.at(day.day) is None:
            return ""
        found, why = state(rule, by, day, own)
        return why if found is DayState.UNKNOWN else ""

    for silent, run in groupby(days, lambda one: bool(unknown(one))):
        hole = list(run)
        if silent:
            yield [one.day for one in hole], unknown(hole[0])


def _remedy(by: Reference, day: date) -> str:
    whole = "a whole lowering or a whole recovery fits into it, and none can tell"
    return f"{whole}: {SURVEY if by.doubt(day) else 'restore the gauge, look for a backup record, read the staff'}"


def _outage(
    rule: SurfaceLevelRule, question: Question, gauge: Gauge, hole: list[date], why: str, longest: int
) -> Finding:
    goes_on = hole[-1] == question.on
    lasted = f"no known day since {hole[0]}" if goes_on else f"{len(hole)} days not known, to {hole[-1]}"
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter=surface_level_days.STAGE, aspect="outage",
        start=hole[0], end=None if goes_on else hole[-1], opened_on=hole[0] + longest * ONE_DAY,
        verdict="not_applicable", status=OUTAGE, measured=lasted, limit=f"{longest} days", unit="d",
        reason=why, ongoing=goes_on, information=True,
    )  # fmt: skip
