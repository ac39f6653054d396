"""The boundary of a site, its parcels, and the quarter-quarter sections that private wells are told by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import shapely

from ingest.places.place import Places
from ingest.places.wells import LONGEST_ID, id_of
from models.errors import BadQuestion
from models.place import QUARTER_QUARTER_FT, SIDE_SHARE, apart
from models.privacy import COPIED_FT
from pipelines.site_from_files import blocks, text
from pipelines.site_from_files.blocks import QuarterQuarter
from pipelines.site_from_files.coordinates import Surroundings
from pipelines.site_from_files.filling import MOST, OWNED, Fact, Filling
from pipelines.site_from_files.places import Outline, Placed, outlines

SAME_OUTLINE_FT = 0.5
FILLED = 0.8
"""How much of its rectangle a quarter-quarter section is."""
NO_SECTION = "no quarter-quarter section: its sides are not about 1,320 ft, or it is no rectangle"
NO_NUMBER = "a parcel by a name, which may be a household's, and not by a number"
TAKEN = "a parcel of a number that another has, or that is none"


def named(found: Iterable[Places], filling: Filling, near: Surroundings, *, plain: bool) -> list[Outline]:
    """The outlines of parcels and sections; ``plain``: all others."""
    taken: list[Outline] = []
    for one in found:
        areas = tuple(each for each in one.areas if bool(each.parcel or each.quarter_quarter) != plain)
        good, bad = outlines(replace(one, areas=areas), filling.said, filling.site.crs, near)
        taken += good
        filling.out.rejects += bad
    return taken


def set_boundary(found: Sequence[Outline], filling: Filling) -> Sequence[tuple[float, float]] | None:
    """Put the one outline that can be the site's into its place; the boundary to measure from, where there is one."""
    example = text.is_example(filling.out.site)
    chosen = _chosen(found, filling)
    if chosen is None:
        return None if example else filling.site.boundary
    if not example:
        _beside(chosen, filling)
        return filling.site.boundary
    block = blocks.boundary(chosen)
    filling.out.site = text.with_boundary(filling.out.site, block)
    filling.out.added.append(Fact(chosen.origin, block.table, block.id))
    return chosen.corners


def _chosen(found: Sequence[Outline], filling: Filling) -> Outline | None:
    """The only outline, or the only one that says it is a boundary, and that names nobody."""
    said = [one for one in found if one.area.boundary]
    chosen = found[0] if len(found) == 1 else said[0] if len(said) == 1 else None
    if chosen is None:
        for one in found:
            filling.refuse(
                one.origin, f"one of {len(found)} outlines, and none says it is the boundary: deliver that alone"
            )
        return None
    for one in found:
        if one is not chosen:
            filling.refuse(one.origin, "an outline beside the boundary, and no parcel number in it")
    if filling.gives_away(blocks.boundary(chosen).text, chosen.area.private):
        filling.refuse(chosen.origin, OWNED)
        return None
    return chosen


def _beside(one: Outline, filling: Filling) -> None:
    """An outline beside a boundary that stands: nothing where it is the same, else a comment."""
    old, new = shapely.Polygon(filling.site.boundary), shapely.Polygon(one.corners)
    apart = float(shapely.hausdorff_distance(old, new))
    if apart <= SAME_OUTLINE_FT:
        filling.out.already.append(Fact(one.origin, "boundary", "boundary"))
    else:
        filling.add(blocks.boundary_beside(one, f"they lie up to {apart:,.0f} ft apart"), one.origin)


def add_parcels(found: Sequence[Outline], filling: Filling) -> None:
    """Each parcel of a number that the site does not have, and its people into the private file.

    Raises
    ------
    BadQuestion : more than a site holds.
    """
    if len(found) > MOST:
        raise BadQuestion(f"{len(found)} parcels, and a site holds at most {MOST}: a smaller --within", key="--from")
    ids = {one.id.casefold() for one in filling.site.property}
    there = {one.parcel.casefold() for one in filling.site.property}
    for one in found:
        id = id_of(one.area.parcel)
        if one.area.parcel.casefold() in there:
            filling.out.already.append(Fact(one.origin, "property", id))
        elif not _is_number(one.area.parcel):
            filling.refuse(one.origin, NO_NUMBER)
        elif not id or len(id) > LONGEST_ID or id.casefold() in ids:
            filling.refuse(one.origin, TAKEN)
        else:
            ids.add(id.casefold())
            _add_parcel(one, id, filling)


def _is_number(parcel: str) -> bool:
    """Whether a parcel goes by a number, with or without a town's letters, and not by words that may be somebody's."""
    return len(re.findall(r"[0-9]", parcel)) > len(re.findall(r"[^\W\d_]", parcel))


def _add_parcel(one: Outline, id: str, filling: Filling) -> None:
    block = blocks.parcel(one, id)
    if filling.gives_away(block.text, one.area.private):
        filling.refuse(one.origin, OWNED)
        return
    filling.add(block, one.origin)
    if one.area.private.get("owner"):
        filling.add_private(blocks.home(one, id))
        filling.out.private += 1


def of_their_size(found: Sequence[Outline], filling: Filling, feet_per_unit: float) -> list[Outline]:
    """Parcels, and the sections that are as large as one is: the centre of a small one is where the well stands."""
    good = [one for one in found if one.area.parcel or _is_quarter_quarter(one, feet_per_unit)]
    for one in found:
        if one not in good:
            filling.refuse(one.origin, NO_SECTION)
    return good


def _is_quarter_quarter(one: Outline, feet_per_unit: float) -> bool:
    """Sides about a quarter of a mile, and nearly a rectangle (43 U.S.C. 751, 753: 40 acres as nearly as may be)."""
    shape = shapely.Polygon(one.corners)
    box = shapely.oriented_envelope(shape)
    if not isinstance(box, shapely.Polygon):
        return False
    corners = [shapely.Point(at) for at in box.exterior.coords[:3]]
    sides = [float(shapely.distance(a, b)) * feet_per_unit for a, b in pairwise(corners)]
    square = all(abs(side - QUARTER_QUARTER_FT) <= QUARTER_QUARTER_FT * SIDE_SHARE for side in sides)
    return square and shape.area >= FILLED * box.area


class Sections:
    """Quarter-quarter sections, asked by a point."""

    def __init__(self, found: Sequence[Outline]) -> None:
        self._found = found
        self._shapes = [shapely.Polygon(one.corners) for one in found]
        self._tree = shapely.STRtree(self._shapes)

    def of(self, one: Placed) -> QuarterQuarter | None:
        """The one section a point lies in; None at an edge of two, outside of all, or where its centre is the place."""
        if one.point is None:
            return None
        hits = self._tree.query(shapely.Point(one.point), predicate="intersects")
        if len(hits) != 1:
            return None
        found, middle = self._found[int(hits[0])], self._shapes[int(hits[0])].centroid
        if apart((middle.x, middle.y), one.point) <= COPIED_FT:
            return None
        reach = max(float(shapely.distance(middle, shapely.Point(corner))) for corner in found.corners)
        return QuarterQuarter(found.area.quarter_quarter, (middle.x, middle.y), reach, found.origin.text())
