"""What lies under the floor of the pit: the water table of rounds or borings, and the top of bedrock between borings.

A round on the day of the survey is the water table of that day. Another round is it to within the noise of levels, and
decides only where one before and one after the survey lie near enough to speak for it. Between borings the top of
bedrock may be anything from the lowest to the highest of them; at a boring it is what was found there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

import shapely

from models.checks.level_rounds import Round, around, rounds, season_around
from models.excavation import Bedrock, PitFloor, Place
from models.place import apart
from models.question import Question


class Found(Protocol):
    """A depth that one boring found."""

    @property
    def position(self) -> Place | None: ...


@dataclass(frozen=True)
class Surface:
    """A surface under the floor [ft above NAVD88]: best, and from low to high; ``says`` where it comes from.

    ``doubt``: why it decides nothing by itself, empty where it does; ``note``: what else is to be said of it.
    """

    best: float
    low: float
    high: float
    says: str
    rows: tuple[str, ...] = ()
    doubt: str = ""
    note: str = ""


def water_tables(question: Question, floor: PitFloor) -> list[Surface]:
    """The water table of the rounds around a survey, or for a plan of the newest; without one, that of borings."""
    day = question.on if floor.planned else floor.day
    found = _around(rounds(question, *season_around(day)), day)
    if not found:
        return list(_of_borings(question, floor))
    lone = len(found) == 1 and found[0].day != day
    return [_of_round(question, one, floor, day, lone=lone) for one in found]


def _around(found: Sequence[Round], day: date) -> list[Round]:
    return [one for one in found if one.day == day] or around(found, day)


def _of_round(question: Question, one: Round, floor: PitFloor, day: date, *, lone: bool) -> Surface:
    """The plane at the floor; over the boundary its extremes, which lie at the corners."""
    places = list(question.site.boundary) if floor.position is None else [floor.position]
    levels = [one.plane.level(*place) for place in places]
    noise = 0.0 if one.day == day else float(question.policy.level_noise.value)
    low, high = min(level.low for level in levels) - noise, max(level.high for level in levels) + noise
    best = sum(level.best for level in levels) / len(levels)
    says = f"water table {best:.2f} ft ({low:.2f} to {high:.2f}) by {one.plane.wells} wells on {one.day}"
    if noise:
        says += f", on another day to within {question.policy.level_noise.says()} more"
    doubts = [*_outside(one, places), *_off(question, one.day, day, lone=lone)]
    return Surface(best, low, high, says, one.rows, "; ".join(doubts), one.read_twice)


def _outside(one: Round, places: Sequence[Place]) -> Iterator[str]:
    hull = shapely.MultiPoint([level.well.position for level in one.levels]).convex_hull
    if not all(hull.covers(shapely.Point(place)) for place in places):
        yield "the floor lies outside the wells, so that the water table there is extrapolated"


def _off(question: Question, taken: date, day: date, *, lone: bool) -> Iterator[str]:
    """Why a round of another day does not decide."""
    speaks_for, apart_d = question.policy.level_speaks_for, abs((taken - day).days)
    if apart_d > speaks_for.value:
        yield f"the round of {taken} was taken {apart_d} days off, and a level speaks for {speaks_for.says()}"
    elif lone:
        side = "after" if taken < day else "before"
        yield f"no round {side} {day} is on file beside that of {taken}: the water table of the day itself is not known"


def _of_borings(question: Question, floor: PitFloor) -> Iterator[Surface]:
    """Groundwater as borings met it: each on its own day, so that it decides nothing."""
    met = [one for one in question.site.boring if one.groundwater_ft is not None and one.day <= question.on]
    if not met:
        return
    heights = [(float(one.groundwater_ft or 0), float(one.accuracy_ft)) for one in met]
    words = "; ".join(f"{one.groundwater_ft} ft in {one.id} on {one.day}" for one in met)
    doubt = "groundwater met in borings is of the day of each: a round of levels would tell the water table"
    yield replace(_between(question, met, heights, floor), says=f"groundwater {words}", doubt=doubt)


def bedrock(question: Question, floor: PitFloor) -> Surface | None:
    """The top of bedrock under a floor; None where none is on file."""
    found: Sequence[Bedrock] = question.site.bedrock
    if not found:
        return None
    heights = [(float(one.elevation_ft), float(one.accuracy_ft)) for one in found]
    sources = "; ".join(f"{one.elevation_ft} ft ({one.source})" for one in found)
    there = _at(question, found, floor)
    at = f", at the floor {found[there].elevation_ft} ft ({found[there].source})" if there is not None else ""
    return replace(_between(question, found, heights, floor), says=f"top of bedrock {sources}{at}")


def _between(
    question: Question, found: Sequence[Found], heights: Sequence[tuple[float, float]], floor: PitFloor
) -> Surface:
    """What was found at the floor; elsewhere anything between the extremes, the best that of the nearest boring."""
    there = _at(question, found, floor)
    used = heights if there is None else [heights[there]]
    low, high = min(at - error for at, error in used), max(at + error for at, error in used)
    placed = [k for k, one in enumerate(found) if one.position is not None]
    if there is None and floor.position is not None and len(placed) == len(found):
        return Surface(heights[min(placed, key=lambda k: _apart(found[k], floor))][0], low, high, "")
    return Surface(sum(at for at, _ in used) / len(used), low, high, "")


def _at(question: Question, found: Sequence[Found], floor: PitFloor) -> int | None:
    """Which boring the floor was surveyed at, the nearest; None where at none."""
    near = min(range(len(found)), key=lambda k: _apart(found[k], floor))
    return near if _apart(found[near], floor) <= question.policy.floor_at_boring.value else None


def _apart(one: Found, floor: PitFloor) -> float:
    return float("inf") if one.position is None or floor.position is None else apart(one.position, floor.position)
