"""How deep the pit goes: its floor against the water table of the rounds around the survey, and against bedrock.

The water table at the floor is the plane through the monitoring wells' levels of one round, with the interval of that
plane. Where no round was taken on the day of the survey, the last before it and the first after it must say the same;
where they differ, or the floor lies within the error, nobody can tell. A floor without a position may be anywhere
within the boundary. For a plan the borings are told too, and whether they went as deep as the clause asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

from models.applicability import not_applicable
from models.checks.pit_surfaces import Surface, bedrock, water_tables
from models.excavation import PitFloor
from models.finding import Evidence, Finding, Scope
from models.question import Judged, Question
from models.rules import PitFloorRule
from models.verdict import NOTABLE, Verdict

WATER, BEDROCK, BORINGS = "pit_floor_above_water_table", "pit_floor_above_bedrock", "pit_floor_borings"
OF = {WATER: "the water table", BEDROCK: "bedrock"}
NEAR_FT = 1e-6
"""A difference below this is arithmetic, not height."""


def check(rule: PitFloorRule, question: Question) -> Judged:
    """Judge every survey since mining began (or every plan) against both surfaces."""
    scopes = (Scope(rule.id, question.site.id, date.min),)
    if question.on < question.began:
        return Judged((not_applicable(rule, question, "mining has not begun"),), scopes)
    floors = _floors(rule, question)
    if not floors:
        why = f"no {rule.floor} elevation of the pit floor on file ([[pit_floor]])"
        return Judged((not_applicable(rule, question, why),), scopes)
    return Judged(tuple(one for floor in floors for one in _of_floor(rule, question, floor)), scopes)


def _floors(rule: PitFloorRule, question: Question) -> list[PitFloor]:
    """Surveys from the first day of mining on, or plans; of one day and place the lowest."""
    planned = rule.floor == "planned"
    own = [one for one in question.site.pit_floor if one.planned is planned and one.day <= question.on]
    lowest = {(one.day, one.position): one for one in sorted(own, key=lambda one: -one.elevation_ft)}
    return sorted((one for one in lowest.values() if planned or one.day >= question.began), key=lambda one: one.day)


def _of_floor(rule: PitFloorRule, question: Question, floor: PitFloor) -> Iterator[Finding]:
    if rule.above_water_table_ft is not None or not rule.below_bedrock:
        yield _water_finding(rule, question, floor)
    if rule.below_bedrock or question.site.bedrock:
        yield _bedrock_finding(rule, question, floor)
    if rule.borings_below_ft is not None:
        yield _borings_finding(rule, question, floor, rule.borings_below_ft)


def _water_finding(rule: PitFloorRule, question: Question, floor: PitFloor) -> Finding:
    found = water_tables(question, floor)
    limit = rule.above_water_table_ft
    if not found:
        why = "no round with levels in three monitoring wells within a year of it: the water table there is not known"
        return _finding(rule, question, floor, WATER, (), "indeterminate", why)
    each = [_below(floor, one, limit) for one in found]
    verdict = each[0] if len(set(each)) == 1 else "indeterminate"
    reason = _words(verdict, each, found, WATER)
    return _finding(rule, question, floor, WATER, found, verdict, reason)


def _below(floor: PitFloor, surface: Surface, above_ft: Decimal | None) -> Verdict:
    """Whether the floor lies below the surface plus the height; without a height nothing is judged."""
    if above_ft is None:
        return "not_applicable"
    height, error = float(floor.elevation_ft) - float(above_ft), float(floor.accuracy_ft)
    if height + error < surface.low - NEAR_FT:
        return "needs_confirmation" if surface.doubt else "attained"
    if height - error >= surface.high - NEAR_FT:
        return "indeterminate" if surface.doubt else "not_attained"
    return "needs_confirmation" if height < surface.best - NEAR_FT else "indeterminate"


def _words(verdict: Verdict, each: Sequence[Verdict], found: Sequence[Surface], parameter: str) -> str:
    told = dict.fromkeys(words for one in found for words in (one.doubt, one.note) if words)
    beyond = "".join(f"; {words}" for words in told)
    if verdict == "not_applicable":
        return f"no separation is set: the distance is told{beyond}"
    if len(set(each)) > 1:
        both = " and ".join(one.replace("_", " ") for one in each)
        return (
            f"the rounds before and after the survey say {both}: a round on the day of a survey would settle it{beyond}"
        )
    settles = f": {SETTLES[parameter]} would settle it" if verdict in {"needs_confirmation", "indeterminate"} else ""
    if any(one.doubt for one in found):
        return f"{DOUBTED[verdict]}{settles}{beyond}"
    return f"{WORDS[verdict]}{settles}{beyond}"


SETTLES = {
    WATER: "a survey and a round of levels on its day",
    BEDROCK: "a boring or a survey of the rock at the floor",
}  # fmt: skip
DOUBTED: dict[Verdict, str] = {
    "needs_confirmation": "the floor lies below the limit by what is on file, which does not decide",
    "indeterminate": "whether the floor lies below the limit cannot be told by what is on file",
}
WORDS: dict[Verdict, str] = {
    "attained": "the floor lies below the limit, beyond the error of the survey and of the surface",
    "not_attained": "the floor does not lie below the limit, beyond the error of the survey and of the surface",
    "needs_confirmation": "the floor lies below the limit by less than the error",
    "indeterminate": "the floor lies within the error of the limit",
}


def _bedrock_finding(rule: PitFloorRule, question: Question, floor: PitFloor) -> Finding:
    surface = bedrock(question, floor)
    if surface is None:
        why = "the elevation of bedrock is not on file ([[bedrock]])"
        return _finding(rule, question, floor, BEDROCK, (), "indeterminate", why)
    verdict = _below(floor, surface, Decimal(0) if rule.below_bedrock else None)
    reason = _words(verdict, (verdict,), (surface,), BEDROCK)
    return _finding(rule, question, floor, BEDROCK, (surface,), verdict, reason)


def _borings_finding(rule: PitFloorRule, question: Question, floor: PitFloor, below_ft: Decimal) -> Finding:
    """Whether a boring went as far below the planned bottom as the clause asks."""
    own = [one for one in question.site.boring if one.day <= question.on and one.bottom_ft is not None]
    wanted = floor.elevation_ft - below_ft
    deepest = min(own, key=lambda one: (one.bottom_ft or Decimal(0), one.id), default=None)
    if deepest is None or deepest.bottom_ft is None:
        why = "no boring with the elevation of its bottom is on file ([[boring]] bottom_ft)"
        return _finding(rule, question, floor, BORINGS, (), "indeterminate", why)
    rock = next((one for one in own if one.to_bedrock), None)
    deep = deepest if rock is None or deepest.bottom_ft <= wanted else rock
    found = f"boring {deep.id} of {deep.day} went down to {deep.bottom_ft} ft NAVD88"
    if deepest.bottom_ft <= wanted or deep is rock:
        says = f"{found}, {'to bedrock' if deep.to_bedrock else 'as deep as asked'}"
        return _finding(rule, question, floor, BORINGS, (), "not_attained", says)
    why = f"{found}, and none on file deeper: look up whether the plan has one"
    return _finding(rule, question, floor, BORINGS, (), "needs_confirmation", why)


def _finding(
    rule: PitFloorRule, question: Question, floor: PitFloor, parameter: str, found: Sequence[Surface],
    verdict: Verdict, reason: str,
) -> Finding:  # fmt: skip
    shown = verdict in NOTABLE or verdict == "not_applicable"
    height = "planned bottom" if floor.planned else "pit floor"
    differences = [_height(float(floor.elevation_ft) - one.best, OF[parameter]) for one in found]
    measured = "; ".join([f"{height} {floor.elevation_ft} ft NAVD88 on {floor.day}", *dict.fromkeys(differences)])
    return Finding(
        rule=rule.id, clause=rule.clause, station=question.site.id, parameter=parameter, aspect=_aspect(floor),
        start=floor.day, end=floor.day, opened_on=floor.day, verdict=verdict,
        status="REPORTED" if verdict == "not_applicable" else verdict, measured=measured,
        limit=_limit(rule, floor, parameter, found), unit="ft", reason=reason, verification=f"surveyed by {floor.by}",
        information=rule.information and shown, material=(verdict,), evidence=tuple(_evidence(floor, found)),
        facts={"floor_ft": float(floor.elevation_ft), "surface_ft": [[one.low, one.best, one.high] for one in found]},
    )  # fmt: skip


def _height(above_ft: float, of: str) -> str:
    return f"{abs(above_ft):.2f} ft {'above' if above_ft >= 0 else 'below'} {of}"


def _aspect(floor: PitFloor) -> str:
    return "" if floor.position is None else f"{floor.position[0]:.0f}, {floor.position[1]:.0f}"


def _limit(rule: PitFloorRule, floor: PitFloor, parameter: str, found: Sequence[Surface]) -> str:
    if parameter == BORINGS and rule.borings_below_ft is not None:
        to = floor.elevation_ft - rule.borings_below_ft
        return f"borings to {rule.borings_below_ft} ft below the bottom, {to} ft NAVD88, or to bedrock above that"
    where = "; ".join(one.says for one in found) or f"{OF[parameter]}: not known"
    if parameter == BEDROCK:
        return f"not below bedrock: {where}" if rule.below_bedrock and found else where
    if rule.above_water_table_ft is None:
        return where
    return f"not below {rule.above_water_table_ft} ft above the water table: {where}"


def _evidence(floor: PitFloor, found: Sequence[Surface]) -> Iterator[Evidence]:
    error = f" +- {floor.accuracy_ft} ft" if floor.accuracy_ft else ""
    yield Evidence("survey", f"{floor.day} {floor.elevation_ft} ft{error} by {floor.by}", "supports")
    yield from (Evidence("surface", one.says, "context", one.rows) for one in found)
