"""Fill a site from files: the boundary first, since it says what lies near; then parcels, then wells and gauges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.places.place import Places
from ingest.places.read import read_places
from models.errors import BadFile, BadQuestion, BadSite
from models.household import read_households
from models.observation import Reject
from models.site import Site
from models.toml_file import read_noun
from pipelines.household_names import refuse_named
from pipelines.site_from_files import text
from pipelines.site_from_files.blocks import HOW_TO_DECIDE, Block
from pipelines.site_from_files.coordinates import Surroundings, around
from pipelines.site_from_files.filling import MOST, Filled, Filling
from pipelines.site_from_files.outlines import Sections, add_parcels, named, of_their_size, set_boundary
from pipelines.site_from_files.places import Outline, Placed, distinct, placed
from pipelines.site_from_files.systems import Said, refuse_contradicted
from pipelines.site_from_files.toml_text import words
from pipelines.site_from_files.wells import add_wells


def filled(site: str, households: str, files: Sequence[Path], said: Said) -> Filled:
    """The texts of a site with what files say of its boundary, parcels, wells and gauges.

    Raises
    ------
    BadFile : a file that cannot be read, or of which nothing can be taken.
    BadQuestion : more than a site holds, or a file whose name gives a household away.
    BadSite : the site itself is faulty.
    """
    noun = read_noun(Site, site, file="site.toml", error=BadSite)
    filling = Filling(noun, read_households(households), said, Filled(site, households))
    for path in files:
        refuse_named(path, filling.homes)
    found = [one for path in files for one in read_places(path, said.columns)]
    refuse_contradicted(found, said.system)
    _take(found, filling)
    _write(filling)
    return filling.out


def _take(found: Sequence[Places], filling: Filling) -> None:
    out, crs, within = filling.out, filling.site.crs, filling.said.within_mi
    for one in found:
        out.rejects += one.rejects
        columns = out.unread.setdefault(one.file, [])
        columns += [place for place in one.unread if place not in columns]
    area = around(crs, None, within)
    edge = set_boundary(named(found, filling, area, plain=True), filling)
    near = around(crs, edge, within) if edge is not None else area
    outlines = of_their_size(named(found, filling, near, plain=False), filling, near.feet_per_unit)
    places = _places(found, filling, near)
    _refuse_nothing(found, places, outlines, filling)
    add_parcels([one for one in outlines if one.area.parcel], filling)
    add_wells(places, Sections([one for one in outlines if not one.area.parcel]), filling)


def _places(found: Sequence[Places], filling: Filling, near: Surroundings) -> Sequence[Placed]:
    taken: list[Placed] = []
    for one in found:
        good, bad = placed(one, filling.said, filling.site.crs, near)
        taken += good
        filling.out.rejects += bad
    alone = distinct(taken)
    filling.out.rejects += [*alone.repeated, *alone.disputed]
    if len(alone.places) > MOST:
        raise BadQuestion(
            f"{len(alone.places)} wells within {filling.said.within_mi:g} miles of {near.of}, and a site holds at most "
            f"{MOST}: give its boundary too, or a smaller --within", key="--from",
        )  # fmt: skip
    return alone.places


def _refuse_nothing(
    found: Sequence[Places], places: Sequence[Placed], outlines: Sequence[Outline], filling: Filling
) -> None:
    """Refuse a file of which every row is refused, with the reason of its first."""
    out = filling.out
    origins = [one.origin for one in places] + [one.origin for one in outlines]
    origins += [one.origin for one in (*out.added, *out.waiting, *out.already)]
    taken = {one.file for one in origins}
    for file in dict.fromkeys(one.file for one in found):
        if file not in taken:
            raise _nothing(file, [one for one in out.rejects if one.file == file and one.rows])


def _nothing(file: str, refused: Sequence[Reject]) -> BadFile:
    if not refused:
        return BadFile("a list of places without one in it", file=file)
    more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
    first = refused[0]
    return BadFile(
        f"nothing of it can be taken: {first.reason}{more}", file=file, row=first.row, key=first.column or None
    )


def _write(filling: Filling) -> None:
    out = filling.out
    site = text.without(out.site, filling.stale)
    if text.is_example(site):
        site = text.boundary_missing(site)
    out.site = text.with_blocks(site, list(_headed(filling)))
    private = text.without(out.households, filling.private_stale)
    out.households = text.with_blocks(private, filling.private_blocks)


def _headed(filling: Filling) -> Iterator[Block]:
    """Blocks; above the first of a file, what of it is not read, and how to decide what is not decided."""
    for file, columns in filling.out.unread.items():
        own = [one for one in filling.blocks if one.lines[0].startswith(f"# {words(file)} (sha256 ")]
        if own and columns:
            yield Block((f"# Not read of {words(file)}: {words(', '.join(columns))}",))
        if any(one.waits.startswith("the file does not say") for one in own):
            yield Block((f"# Wells of {words(file)} wait for a decision: {HOW_TO_DECIDE}",))
        yield from own
