"""How deep the pit goes: its floor against the water table of the rounds around the survey, and against bedrock.

The water table at the floor is the plane through the monitoring wells' levels of one round, with the interval of that
plane. The last round up to the survey and the first after it must say the same; where they differ, or the floor lies
within the error, nobody can tell. A floor without a position may be anywhere within the boundary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import shapely

from models.applicability import not_applicable
from models.checks.level_rounds import Round, around, rounds, season_around
from models.excavation import PitFloor
from models.finding import Evidence, Finding, Scope
from models.question import Judged, Question
from models.rules import PitFloorRule
from models.verdict import NOTABLE, Verdict

WATER, BEDROCK = "pit_floor_above_water_table", "pit_floor_above_bedrock"
NEAR_FT = 1e-6
"""A difference below this is arithmetic, not height."""


@dataclass(frozen=True)
class Surface:
    """A surface under the floor [ft above NAVD88]: best, and from low to high; ``says`` where it comes from."""

    best: float
    low: float
    high: float
    says: str
    rows: tuple[str, ...] = ()
    beyond: str = ""


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


def _water_finding(rule: PitFloorRule, question: Question, floor: PitFloor) -> Finding:
    found = [_water_table(one, _places(question, floor)) for one in _rounds(question, floor)]
    limit = rule.above_water_table_ft
    if not found:
        why = "no round with levels in three monitoring wells within a year of it: the water table there is not known"
        return _finding(rule, question, floor, WATER, (), "indeterminate", why)
    each = [_below(floor, one, limit) for one in found]
    verdict = each[0] if len(set(each)) == 1 else "indeterminate"
    reason = _words(verdict, each, found)
    return _finding(rule, question, floor, WATER, found, verdict, reason)


def _rounds(question: Question, floor: PitFloor) -> list[Round]:
    """A planned bottom is held against the newest round."""
    day = question.on if floor.planned else floor.day
    return around(rounds(question, *season_around(day)), day)


def _places(question: Question, floor: PitFloor) -> list[tuple[float, float]]:
    return list(question.site.boundary) if floor.position is None else [floor.position]


def _water_table(one: Round, places: Sequence[tuple[float, float]]) -> Surface:
    """The plane at the floor; over the boundary its extremes, which lie at the corners."""
    levels = [one.plane.level(*place) for place in places]
    low, high = min(level.low for level in levels), max(level.high for level in levels)
    hull = shapely.MultiPoint([level.well.position for level in one.levels]).convex_hull
    outside = not all(hull.covers(shapely.Point(place)) for place in places)
    best = sum(level.best for level in levels) / len(levels)
    says = f"water table {best:.2f} ft ({low:.2f} to {high:.2f}) by {one.plane.wells} wells on {one.day}"
    beyond = "the floor lies outside the wells, so that the water table there is extrapolated" if outside else ""
    return Surface(best, low, high, says, one.rows, beyond)


def _below(floor: PitFloor, surface: Surface, above_ft: Decimal | None) -> Verdict:
    """Whether the floor lies below the surface plus the height; without a height nothing is judged."""
    if above_ft is None:
        return "not_applicable"
    height, error = float(floor.elevation_ft) - float(above_ft), float(floor.accuracy_ft)
    if height + error < surface.low - NEAR_FT:
        return "needs_confirmation" if surface.beyond else "attained"
    if height - error >= surface.high - NEAR_FT:
        return "indeterminate" if surface.beyond else "not_attained"
    return "needs_confirmation" if height < surface.best - NEAR_FT else "indeterminate"


def _words(verdict: Verdict, each: Sequence[Verdict], found: Sequence[Surface]) -> str:
    beyond = next((f"; {one.beyond}" for one in found if one.beyond), "")
    if verdict == "not_applicable":
        return f"no separation is set: the distance is told{beyond}"
    if len(set(each)) > 1:
        told = " and ".join(one.replace("_", " ") for one in each)
        return (
            f"the rounds before and after the survey say {told}: a round on the day of a survey would settle it{beyond}"
        )
    return f"{WORDS[verdict]}{beyond}"


WORDS: dict[Verdict, str] = {
    "attained": "the floor lies below the limit, beyond the error of the survey and of the surface",
    "not_attained": "the floor does not lie below the limit, beyond the error of the survey and of the surface",
    "needs_confirmation": "the floor lies below the limit by less than the error: survey it and take a round of levels",
    "indeterminate": "the floor lies within the error of the limit: a survey and a round of levels would settle it",
}


def _bedrock_finding(rule: PitFloorRule, question: Question, floor: PitFloor) -> Finding:
    found = question.site.bedrock
    if not found:
        why = "the elevation of bedrock is not on file ([[bedrock]])"
        return _finding(rule, question, floor, BEDROCK, (), "indeterminate", why)
    low = min(float(one.elevation_ft - one.accuracy_ft) for one in found)
    high = max(float(one.elevation_ft + one.accuracy_ft) for one in found)
    best = sum(float(one.elevation_ft) for one in found) / len(found)
    sources = "; ".join(f"{one.elevation_ft} ft ({one.source})" for one in found)
    surface = Surface(best, low, high, f"top of bedrock {sources}")
    verdict = _below(floor, surface, Decimal(0) if rule.below_bedrock else None)
    return _finding(rule, question, floor, BEDROCK, (surface,), verdict, _words(verdict, (verdict,), (surface,)))


def _finding(
    rule: PitFloorRule, question: Question, floor: PitFloor, parameter: str, found: Sequence[Surface],
    verdict: Verdict, reason: str,
) -> Finding:  # fmt: skip
    shown = verdict in NOTABLE or verdict == "not_applicable"
    height = "planned bottom" if floor.planned else "pit floor"
    differences = [f"{float(floor.elevation_ft) - one.best:.2f} ft above it" for one in found]
    measured = "; ".join([f"{height} {floor.elevation_ft} ft NAVD88 on {floor.day}", *dict.fromkeys(differences)])
    return Finding(
        rule=rule.id, clause=rule.clause, station=question.site.id, parameter=parameter, aspect=_aspect(floor),
        start=floor.day, end=floor.day, opened_on=floor.day, verdict=verdict,
        status="REPORTED" if verdict == "not_applicable" else verdict, measured=measured,
        limit=_limit(rule, parameter, found), unit="ft", reason=reason, verification=f"surveyed by {floor.by}",
        information=rule.information and shown, material=(verdict,), evidence=tuple(_evidence(floor, found)),
        facts={"floor_ft": float(floor.elevation_ft), "surface_ft": [[one.low, one.best, one.high] for one in found]},
    )  # fmt: skip


def _aspect(floor: PitFloor) -> str:
    return "" if floor.position is None else f"{floor.position[0]:.0f}, {floor.position[1]:.0f}"


def _limit(rule: PitFloorRule, parameter: str, found: Sequence[Surface]) -> str:
    where = "; ".join(one.says for one in found) or "not known"
    if parameter == BEDROCK:
        return f"{'not below ' if rule.below_bedrock else ''}{where}"
    if rule.above_water_table_ft is None:
        return where
    return f"not below {rule.above_water_table_ft} ft above the water table: {where}"


def _evidence(floor: PitFloor, found: Sequence[Surface]) -> Iterator[Evidence]:
    error = f" +- {floor.accuracy_ft} ft" if floor.accuracy_ft else ""
    yield Evidence("survey", f"{floor.day} {floor.elevation_ft} ft{error} by {floor.by}", "supports")
    yield from (Evidence("surface", one.says, "context", one.rows) for one in found)
