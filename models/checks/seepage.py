"""Groundwater that comes out of the ground: the plan against it, where levels reach the land, and what was seen.

A level says that groundwater can come out at a well, never that it does, nor that it is too much: all of it is
information, and whether the controls are adequate is the Town Engineer's to determine. The plan and what people saw are
acts of the town's register.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from zoneinfo import ZoneInfo

from models.applicability import not_applicable
from models.checks.well_levels import LEVELS, day_levels
from models.counting import Calendar, calendar_of
from models.dated_duties import Register, register
from models.event import Event
from models.finding import Evidence, Finding, Scope
from models.level_status import level_status
from models.observation import Flags
from models.question import Judged, Question, StoredRow, stored_rows
from models.rules import WaterLevelRule
from models.site import Well
from models.verdict import NOTABLE, Verdict

PLAN, SEEN, AT_LAND = "seepage_plan", "seepage_seen", "water_table_at_land"
"""The parameters of findings: the plan on record, seepage that was seen, and levels that reach the land."""
Says = tuple[Verdict, str]
"""A verdict and the reason for it."""
ENGINEER = "whether the controls are adequate is for the Town Engineer to determine"

CAN_SEEP = (
    "groundwater can come out of the ground here; whether it seeps to a road, a stream or other land is to be seen"
)


@dataclass(frozen=True)
class Reading:
    """One reading of a monitoring well: depth below land [ft], None of a well that flows over its top."""

    day: date
    depth_ft: float | None
    row: str

    @property
    def at_land(self) -> bool:
        return self.depth_ft is None or self.depth_ft <= 0


def check(rule: WaterLevelRule, question: Question) -> Judged:
    """The plan, every seepage seen, and every monitoring well whose water stands at the land."""
    wells = question.site.wells("monitoring")
    stood = {one.station for one in question.standing if one.rule == rule.id}
    stations = sorted({question.site.id, *stood, *(one.id for one in wells)})
    scopes = tuple(Scope(rule.id, one, date.min) for one in stations)
    if question.on < question.began:
        return Judged((not_applicable(rule, question, "mining has not begun"),), scopes)
    found = [*_of_register(rule, question), *_of_wells(rule, question, wells)]
    return Judged(tuple(found), scopes)


def _of_register(rule: WaterLevelRule, question: Question) -> Iterator[Finding]:
    calendar = calendar_of(question.law)
    kept = register([rule.kept_in or ""], question.law, question.events, calendar, question.now)
    if kept.kept_since is None:
        why = f"the town keeps no register here: record an act in a case {rule.kept_in}/{question.site.id}/FIRST-DAY"
        yield not_applicable(rule, question, why)
        return
    yield _plan(rule, question, kept, calendar)
    yield from _seen(rule, question, kept, calendar)


def _plan(rule: WaterLevelRule, question: Question, kept: Register, calendar: Calendar) -> Finding:
    """Whether a plan is on record and was found adequate after it came."""
    plans, found = kept.named([rule.plan_received or ""]), kept.named([rule.plan_adequate or ""])
    plan = plans[-1] if plans else None
    answer = next((one for one in reversed(found) if plan and one.happened_at >= plan.happened_at), None)
    if plan is None:
        says: Says = "needs_confirmation", "no plan on record in the register: look up whether the application has one"
    elif answer is None:
        says = "needs_confirmation", f"a plan is on record, and no determination: {ENGINEER}"
    else:
        says = "not_attained", "a plan is on record, and its controls were determined to be adequate"
    measured = "no plan on record" if plan is None else f"plan of {calendar.day(plan.happened_at)}"
    acts = tuple(_act(one, calendar) for one in (plan, answer) if one)
    return _finding(rule, question.site.id, PLAN, question.began, says, measured, acts)


def _seen(rule: WaterLevelRule, question: Question, kept: Register, calendar: Calendar) -> Iterator[Finding]:
    """Each time seepage was seen, until an act that says it is over."""
    over = kept.named([rule.seepage_over or ""])
    for act in kept.named([rule.seepage_seen or ""]):
        ended = next((one for one in over if one.happened_at >= act.happened_at), None)
        day = calendar.day(act.happened_at)
        until = None if ended is None else calendar.day(ended.happened_at)
        acts = tuple(_act(one, calendar) for one in (act, ended) if one)
        says: Says = "needs_confirmation", f"seepage was seen; whether it is excessive, and {ENGINEER}"
        measured = f"seepage seen on {day}: {act.note or 'no note'}"
        yield _finding(rule, question.site.id, SEEN, day, says, measured, acts, until=until, aspect=act.note)


def _act(act: Event, calendar: Calendar) -> Evidence:
    document = f", document {act.document}" if act.document else ""
    note = f": {act.note}" if act.note else ""
    says = f"{act.name.replace('_', ' ')} on {calendar.day(act.happened_at)}{document}{note}"
    return Evidence("on record", says, "context")


def _of_wells(rule: WaterLevelRule, question: Question, wells: Sequence[Well]) -> Iterator[Finding]:
    rows = stored_rows(question.observations.rows([one.id for one in wells], LEVELS, question.began, question.on))
    for well in wells:
        each = _readings(well, [row for row in rows if row.station == well.id], question.zone)
        for run in _runs(each):
            yield _at_land(rule, well.id, run, ongoing=run[-1] is each[-1])


def _readings(well: Well, rows: Sequence[StoredRow], zone: ZoneInfo) -> list[Reading]:
    """The level of each day, and of a day without one that the well flows."""
    levels = {one.day: Reading(one.day, one.depth_ft, one.row) for one in day_levels(well, rows, zone)}
    flows = [row for row in rows if level_status(Flags.parse(row.flags)).meaning == "flowing"]
    found = {row.day: Reading(row.day, None, row.row_id) for row in flows} | levels
    return [found[day] for day in sorted(found)]


def _runs(readings: Sequence[Reading]) -> list[list[Reading]]:
    """Readings at the land, one after the other without a lower one between."""
    return [list(run) for at_land, run in groupby(readings, key=lambda one: one.at_land) if at_land]


def _at_land(rule: WaterLevelRule, well: str, run: Sequence[Reading], *, ongoing: bool) -> Finding:
    highest = min(run, key=lambda one: -1e9 if one.depth_ft is None else one.depth_ft)
    above = abs(highest.depth_ft or 0.0)
    height = "flows over its top" if highest.depth_ft is None else f"stands {above:.2f} ft above the land"
    rows = tuple(one.row for one in run)
    evidence = (Evidence("levels", f"{len(run)} readings at or above the land", "context", rows),)
    says: Says = "needs_confirmation", f"{CAN_SEEP}, and {ENGINEER}"
    measured = f"the water of {well} {height} on {highest.day}"
    until = None if ongoing else run[-1].day
    return _finding(rule, well, AT_LAND, run[0].day, says, measured, evidence, until=until)


def _finding(
    rule: WaterLevelRule, station: str, parameter: str, start: date, says: Says, measured: str,
    evidence: tuple[Evidence, ...], *, until: date | None = None, aspect: str = "",
) -> Finding:  # fmt: skip
    verdict, reason = says
    return Finding(
        rule=rule.id, clause=rule.clause, station=station, parameter=parameter, aspect=aspect, start=start, end=until,
        opened_on=start, verdict=verdict, status=verdict, measured=measured, limit="none stated", unit="",
        reason=reason, ongoing=until is None, lapses=True, information=rule.information and verdict in NOTABLE,
        material=(verdict,), evidence=evidence,
    )  # fmt: skip
