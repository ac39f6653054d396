"""The boundary of a site, its parcels, and the quarter-quarter sections that private wells are told by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import shapely

from ingest.places.place import Places
from ingest.places.wells import LONGEST_ID, id_of
from models.errors import BadQuestion
from pipelines.site_from_files import blocks, text
from pipelines.site_from_files.blocks import QuarterQuarter
from pipelines.site_from_files.coordinates import Surroundings
from pipelines.site_from_files.filling import MOST, OWNED, Fact, Filling
from pipelines.site_from_files.places import Outline, Placed, outlines

SAME_OUTLINE_FT = 0.5
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
    said = [one for one in found if any("boundary" in each.casefold() for each in one.area.says.values())]
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
        elif not id or len(id) > LONGEST_ID or id.casefold() in ids:
            filling.refuse(one.origin, TAKEN)
        else:
            ids.add(id.casefold())
            _add_parcel(one, id, filling)


def _add_parcel(one: Outline, id: str, filling: Filling) -> None:
    block = blocks.parcel(one, id)
    if filling.gives_away(block.text, one.area.private):
        filling.refuse(one.origin, OWNED)
        return
    filling.add(block, one.origin)
    if one.area.private.get("owner"):
        filling.add_private(blocks.home(one, id))
        filling.out.private += 1


class Sections:
    """Quarter-quarter sections, asked by a point."""

    def __init__(self, found: Sequence[Outline]) -> None:
        self._found = found
        self._shapes = [shapely.Polygon(one.corners) for one in found]
        self._tree = shapely.STRtree(self._shapes)

    def of(self, one: Placed) -> QuarterQuarter | None:
        """The one section a point lies in; None at an edge of two, or outside of all."""
        if one.point is None:
            return None
        hits = self._tree.query(shapely.Point(one.point), predicate="intersects")
        if len(hits) != 1:
            return None
        found, middle = self._found[int(hits[0])], self._shapes[int(hits[0])].centroid
        reach = max(float(shapely.distance(middle, shapely.Point(corner))) for corner in found.corners)
        return QuarterQuarter(found.area.quarter_quarter, (middle.x, middle.y), reach, found.origin.text())
