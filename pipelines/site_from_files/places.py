"""Places of files in the site's coordinates: which lie about the town, and which of them are one and the same."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import shapely
from shapely import MultiPolygon, Polygon

from ingest.cells import counted
from ingest.places.place import Area, Place, Places, Use
from models.errors import BadQuestion
from models.observation import Reject
from pipelines.site_from_files.coordinates import Move, Surroundings, move, where_else
from pipelines.site_from_files.systems import Origin, Said, origin_of, system_of

SAME_FT = 0.5
"""Two lists that round one place differently hardly differ by more."""
FEET_OF_DEGREE = 365_000
"""[ft] of latitude, rounded up; of longitude less."""
COARSE = 4
"""Decimals of a degree below which the writing itself bounds how well a position is known (NR 812 asks for four)."""
HINTED = 50
"""So many rows of a file are asked whether they would lie near with their numbers exchanged."""


@dataclass(frozen=True)
class Placed:
    """A place in the site's coordinates; ``point`` None: the file has no position of it. ``doubt_ft``: see `_doubt`.

    ``called``: the file's own id where ``site.toml`` calls it otherwise, for the private file.
    """

    origin: Origin
    place: Place
    point: tuple[float, float] | None
    moved: Move | None
    doubt_ft: float
    told_system: bool
    called: str = ""

    def names(self) -> set[str]:
        """Every name it goes by, as the site compares them."""
        return {one.casefold() for one in (self.place.id, *self.place.identifiers)}


@dataclass(frozen=True)
class Outline:
    """An area in the site's coordinates, one ring; ``holes_left_out``: of the outline in the file."""

    origin: Origin
    area: Area
    corners: tuple[tuple[float, float], ...]
    moved: Move
    holes_left_out: int


def placed(found: Places, said: Said, target: str, near: Surroundings) -> tuple[list[Placed], list[Reject]]:
    """Every place that lies near enough, or has no position; the others with the reason.

    Raises
    ------
    BadFile : a file whose positions stand in no system that it or the person names.
    """
    rejects: list[Reject] = []
    taken: list[Placed] = []
    for source, group in _by_system(found, said):
        if source is None:
            taken += [Placed(origin_of(found, one.row), one, None, None, 0.0, False) for one in group]
            continue
        try:
            how = move(source, target)
        except BadQuestion as caught:
            rejects += [Reject(found.file, one.row, "", "", caught.reason) for one in group]
            continue
        at = [one.position for one in group if one.position is not None]
        points = how.points([p.x for p in at], [p.y for p in at])
        for one, point, miles in zip(group, points, near.miles(points), strict=True):
            far = _far(one, how, miles, near, hinted=len(rejects) < HINTED)
            if far:
                rejects.append(Reject(found.file, one.row, "", "", far))
            else:
                told = not (one.position and one.position.system)
                taken.append(Placed(origin_of(found, one.row), one, point, how, _doubt(one, how), told))
    return sorted(taken, key=lambda one: one.origin.row), rejects


def _by_system(found: Places, said: Said) -> Iterator[tuple[str | None, list[Place]]]:
    groups: dict[str | None, list[Place]] = {}
    for one in found.places:
        name = None if one.position is None else system_of(one.position, said, origin_of(found, one.row))
        groups.setdefault(name, []).append(one)
    yield from groups.items()


def _far(one: Place, how: Move, miles: float, near: Surroundings, *, hinted: bool) -> str:
    if miles <= near.within_mi or one.position is None:
        return ""
    hint = where_else(how, one.position.x, one.position.y, near) if hinted else ""
    if miles == math.inf:
        return f"cannot be placed on the map{hint}"
    return f"lies {miles:,.0f} miles from {near.of}, more than {near.within_mi:g} (--within){hint}"


def _doubt(one: Place, how: Move) -> float:
    """How well the position is known [ft]: as the file says, the move, and the decimals where they are few."""
    decimals = one.position.decimals if one.position is not None else None
    coarse = FEET_OF_DEGREE * 0.5 * 10.0**-decimals if decimals is not None and decimals < COARSE else 0.0
    return max(one.accuracy_ft or 0.0, coarse) + how.accuracy_ft


def outlines(found: Places, said: Said, target: str, near: Surroundings) -> tuple[list[Outline], list[Reject]]:
    """Every outline that lies near enough and is one ring; the others, and holes left out, with the reason."""
    taken: list[Outline] = []
    rejects: list[Reject] = []
    for area in found.areas:
        origin = origin_of(found, area.row)
        try:
            one = _outline(area, origin, move(system_of(area, said, origin), target), near)
        except BadQuestion as caught:
            rejects.append(Reject(found.file, area.row, "geometry", "", caught.reason))
            continue
        taken.append(one)
        if one.holes_left_out:
            holes = counted(one.holes_left_out, "hole")
            reason = f"{holes} left out: an outline is one ring, and what lies in a hole counts as inside"
            rejects.append(Reject(found.file, area.row, "geometry", "", reason))
    return taken, rejects


def _outline(area: Area, origin: Origin, how: Move, near: Surroundings) -> Outline:
    whole = shapely.union_all(shapely.get_parts(area.shape))
    shape = how.shape(whole)
    if not near.holds(shape):
        x, y = shapely.get_coordinates(whole)[0]
        hint = where_else(how, float(x), float(y), near)
        raise BadQuestion(f"lies more than {near.within_mi:g} miles (--within) from {near.of}{hint}")
    if not isinstance(shape, Polygon):
        parts = len(shape.geoms) if isinstance(shape, MultiPolygon) else 0
        raise BadQuestion(f"an outline of {parts} parts that do not touch: it is one ring; draw it as one")
    corners = tuple((round(float(x), 2), round(float(y), 2)) for x, y in shape.exterior.coords[:-1])
    ring = Polygon(corners)
    if not ring.is_valid or ring.area <= 0:
        raise BadQuestion("an outline that crosses itself or encloses nothing once rounded to 0.01")
    return Outline(origin, area, corners, how, len(shape.interiors))


@dataclass(frozen=True)
class Distinct:
    """Places of which each stands for itself; ``repeated``: rows that say again what another said."""

    places: tuple[Placed, ...]
    repeated: tuple[Reject, ...]
    disputed: tuple[Reject, ...]


def distinct(places: Iterable[Placed]) -> Distinct:
    """One of each. A name that two different things go by, capitals aside, is given to neither."""
    groups = list(_joined(list(places)))
    kept = [_one(group) for group in groups if _agree(group)]
    repeated = [_reject(one, _again(group), 0) for group in groups if _agree(group) for one in group[1:]]
    disputed = [_reject(one, _against(one, group)) for group in groups if not _agree(group) for one in group]
    return Distinct(tuple(kept), tuple(repeated), tuple(disputed))


def _joined(places: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Places that share a name, directly or through another."""
    group_of: dict[str, int] = {}
    groups: list[list[Placed]] = []
    for one in places:
        hit = sorted({group_of[name] for name in one.names() if name in group_of})
        home = hit[0] if hit else len(groups)
        if not hit:
            groups.append([])
        for other in hit[1:]:
            groups[home] += groups[other]
            group_of.update(dict.fromkeys((name for each in groups[other] for name in each.names()), home))
            groups[other] = []
        groups[home].append(one)
        group_of.update(dict.fromkeys(one.names(), home))
    yield from filter(None, groups)


def _agree(group: Sequence[Placed]) -> bool:
    """Whether rows mean one thing: of one id, kind and use, at one place; several screens are several rows."""
    same = {(one.place.kind, one.place.id.casefold(), one.place.use, one.point is None) for one in group}
    return len(same) == 1 and all(_apart(group[0], one) <= SAME_FT for one in group)


def _one(group: Sequence[Placed]) -> Placed:
    """The first row, with the lengths that no other row contradicts."""
    first = group[0]
    lengths = {key: one for key, one in first.place.lengths.items() if _undisputed(key, group)}
    return replace(first, place=replace(first.place, lengths=lengths))


def _undisputed(key: str, group: Sequence[Placed]) -> bool:
    return len({one.place.lengths.get(key) for one in group}) == 1


def _again(group: Sequence[Placed]) -> str:
    differ = sorted({key for each in group for key in each.place.lengths if not _undisputed(key, group)})
    said = f"says again what {group[0].origin.text()} says"
    return f"{said}, but for {', '.join(differ)}: left out, the rows differ" if differ else said


def _apart(one: Placed, other: Placed) -> float:
    if one.point is None or other.point is None:
        return 0.0
    return float(shapely.distance(shapely.Point(one.point), shapely.Point(other.point)))


def _against(one: Placed, group: Sequence[Placed]) -> str:
    other = next(each for each in group if each is not one)
    return f"goes by a name that {other.origin.text()} gives to something else, or says otherwise of it"


def _reject(one: Placed, reason: str, rows: int = 1) -> Reject:
    return Reject(one.origin.file, one.origin.row, "", "", reason, rows)


def told(one: Placed, use: Use | None) -> Placed:
    """The place with the use a person says, where the file says none."""
    if one.place.kind != "well" or one.place.use or one.place.use_said or use is None:
        return one
    return replace(one, place=replace(one.place, use=use, use_said="--use"))
