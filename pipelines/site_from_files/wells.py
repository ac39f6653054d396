"""Wells and gauges of files as blocks of a site; what is private of them goes to the private file and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import shapely

from models.site import Site
from pipelines.site_from_files import blocks
from pipelines.site_from_files.blocks import Block, QuarterQuarter
from pipelines.site_from_files.filling import OWNED, Fact, Filling
from pipelines.site_from_files.outlines import Sections
from pipelines.site_from_files.places import Placed, told

UNNAMED = "its name is left out: it names a household"
UNNUMBERED = "a private well goes by a number (its WUWN), not by a name, which may be a household's"
A_WATER = "its id is that of a stream or lake of the site"
STANDS_FT = 1.0
"""Positions nearer to each other than this, or than the file knows, do not differ."""


def add_wells(places: Sequence[Placed], sections: Sections, filling: Filling) -> None:
    """Every place that the site does not have; of the others, how far the file puts them elsewhere."""
    known, private = _names(filling.site), {one.well for one in filling.homes.well}
    waters = {one.id.casefold() for one in filling.site.waters()}
    for one in places:
        stands = next((known[name] for name in sorted(one.names()) if name in known), None)
        if not one.names().isdisjoint(waters):
            filling.refuse(one.origin, A_WATER)
        elif stands is None:
            _add(one, sections, filling)
        else:
            filling.out.already.append(
                Fact(one.origin, one.place.kind, one.place.id, _differs(filling.site, stands, one))
            )
            _add_people(told(one, filling.said.use), filling, placed=stands in private)


def _add(untold: Placed, sections: Sections, filling: Filling) -> None:
    one = told(untold, filling.said.use)
    section = sections.of(one) if one.place.use == "private" else None
    block = _public(one, section, filling)
    new = block is not None and filling.add(block, one.origin)
    if block is not None:
        filling.stale += [each.text for each in _earlier(untold, one) if each.text != block.text]
    in_force = new and one.place.use == "private"
    if in_force:
        filling.add_private(blocks.exact(one))
        filling.private_stale.append(blocks.household(one, placed=False).text)
    if untold is not one:
        filling.private_stale.append(blocks.household(untold, placed=False).text)
    _add_people(one, filling, placed=in_force)


def _add_people(one: Placed, filling: Filling, *, placed: bool) -> None:
    """What is private of a well; ``placed``: where it stands is in force in the private file already."""
    if one.place.private or (one.place.use == "private" and one.point is not None and not placed):
        filling.add_private(blocks.household(one, placed=placed))
        filling.out.private += 1


def _public(one: Placed, section: QuarterQuarter | None, filling: Filling) -> Block | None:
    """The block of a place; without the name where that names a household, and none where other words do."""
    if one.place.use == "private" and not blocks.numbered(one.place.id):
        filling.refuse(one.origin, UNNUMBERED)
        return None
    block = _block(one, section)
    if not filling.gives_away(block.text, one.place.private):
        return block
    bare = _block(replace(one, place=replace(one.place, name="")), section)
    if bare.text == block.text or filling.gives_away(bare.text, one.place.private):
        filling.refuse(one.origin, OWNED)
        return None
    filling.refuse(one.origin, UNNAMED)
    return bare


def _block(one: Placed, section: QuarterQuarter | None) -> Block:
    if one.place.kind == "gauge":
        return blocks.gauge(one)
    if one.place.use is None:
        return blocks.undecided(one)
    return blocks.private_well(one, section) if one.place.use == "private" else blocks.well(one)


def _earlier(untold: Placed, one: Placed) -> Iterator[Block]:
    """What an earlier run may have written of a place, before the person or another file said more."""
    if untold is not one:
        yield blocks.undecided(untold)
    if one.place.use == "private":
        yield blocks.private_well(one, None)


def _names(site: Site) -> dict[str, str]:
    """Every name a station goes by, as the site compares them, and its id."""
    return {name.casefold(): one.id for one in site.stations() for name in (one.id, *one.identifiers)}


def _differs(site: Site, id: str, one: Placed) -> str:
    """How far the file's position of a public well lies from the site's; of a private one nothing is said."""
    at = next((each.position for each in site.well if each.id == id and each.use != "private"), None)
    at = at or next((each.position for each in site.gauge if each.id == id), None)
    if at is None or one.point is None or one.place.use == "private":
        return ""
    feet = float(shapely.distance(shapely.Point(at), shapely.Point(one.point)))
    return f"its position stays; the file's lies {feet:,.0f} ft from it" if feet > max(STANDS_FT, one.doubt_ft) else ""
