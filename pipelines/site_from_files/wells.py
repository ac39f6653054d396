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
from pipelines.site_from_files.shown import neutral, shown
from pipelines.site_from_files.twins import STANDS_FT, Twins

UNNAMED = "its name is left out: it names a household"
UNNUMBERED = "its id is left out: a private well goes by a number of the DNR (its WUWN); a name may be a household's"
UNDER_ITS_OWN = "stands where this one does"
A_WATER = "its id is that of a stream or lake of the site"


def add_wells(places: Sequence[Placed], sections: Sections, filling: Filling) -> None:
    """Every place that the site does not have; of the others, how far the file puts them elsewhere."""
    known, private = _names(filling.site), {one.well for one in filling.homes.well}
    waters = {one.id.casefold() for one in filling.site.waters()}
    stands = [next((known[name] for name in _goes_by(one) if name in known), None) for one in places]
    twins = Twins(filling.site, filling.homes, {id for id in stands if id is not None})
    for one, id in zip(places, stands, strict=True):
        if not one.names().isdisjoint(waters):
            filling.refuse(one.origin, A_WATER)
        elif id is None:
            _add(one, sections, twins, filling)
        else:
            called = one.place.id if shown(one) is one else id
            filling.out.already.append(Fact(one.origin, one.place.kind, called, _differs(filling.site, id, one)))
            _add_people(shown(told(one, filling.said.use)), filling, placed=id in private)


def _goes_by(one: Placed) -> list[str]:
    """Its names, and the number we give it where the file has none that may be shown."""
    return [*sorted(one.names()), neutral(one.origin)]


def _add(found: Placed, sections: Sections, twins: Twins, filling: Filling) -> None:
    untold, one = shown(found), shown(told(found, filling.said.use))
    section = sections.of(one) if one.place.use == "private" else None
    twin = twins.of(one)
    if twin is not None and one.place.use == "private" and not one.place.numbers:
        twins.use(twin)
        filling.out.already.append(Fact(one.origin, one.place.kind, twin, UNDER_ITS_OWN))
        _add_people(one, filling, placed=True)
        return
    block = _public(one, section, filling)
    if block is not None and twin is not None and block.table and not filling.has(block):
        block = blocks.beside(block, twin)
    new = block is not None and filling.add(block, one.origin)
    if block is not None:
        filling.stale += [each.text for each in _earlier(untold, one) if each.text != block.text]
    in_force = new and one.place.use == "private"
    if in_force:
        filling.add_private(blocks.exact(one))
        filling.private_stale.append(blocks.household(one, placed=False).text)
    if untold != one:
        filling.private_stale.append(blocks.household(untold, placed=False).text)
    _add_people(one, filling, placed=in_force)


def _add_people(one: Placed, filling: Filling, *, placed: bool) -> None:
    """What is private of a well; ``placed``: where it stands is in force in the private file already."""
    if one.place.private or (one.place.use == "private" and one.point is not None and not placed):
        filling.add_private(blocks.household(one, placed=placed))
        filling.out.private += 1


def _public(one: Placed, section: QuarterQuarter | None, filling: Filling) -> Block | None:
    """The block of a place; without the name where that names a household, and none where other words do."""
    if one.place.use == "private" and not one.place.numbers:
        filling.refuse(one.origin, UNNUMBERED)
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
    if untold.place.use is None and untold != one:
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
