"""One place or outline as lines of ``site.toml``: its facts, where each stands, what is missing and whence.

Positions of wells that are or may be private never stand here: what is known of one goes to ``households.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from ingest.cells import counted
from ingest.places.place import Length, Place
from models.household import FILE as PRIVATE_FILE
from pipelines.site_from_files.other_uses import other_use
from pipelines.site_from_files.places import Outline, Placed
from pipelines.site_from_files.toml_text import commented, point, quoted, ring, words

FOOT = Decimal("0.3048")
REPORT = "its well construction report (DNR, or the driller)"
USES_KNOWN = "monitoring, private, production or index"
HOW_TO_DECIDE = "a column called use says it of each row, --use of all the wells of a file"
_LENGTHS = ("depth_ft", "screen_top_ft", "screen_bottom_ft")
NOTE = 36
"""Column at which what is said of a line begins, where the line leaves room."""


@dataclass(frozen=True)
class QuarterQuarter:
    """A quarter-quarter section: its name, centre, and how far its farthest corner lies from that [ft]."""

    name: str
    centre: tuple[float, float]
    reach_ft: float
    where: str


@dataclass(frozen=True)
class Block:
    """Lines for a file of the site. ``table`` ``""``: nothing of it is in force."""

    lines: tuple[str, ...]
    table: str = ""
    id: str = ""
    waits: str = ""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def noted(line: str, said: str) -> str:
    return f"{line.ljust(NOTE)} # {said}" if said else line


def undecided(one: Placed) -> Block:
    """A well of a use that nobody has said: neither its place nor its name, for it may be a household's."""
    why = f"the file does not say whether it is {USES_KNOWN}{other_use(one.place.use_said)}"
    named = f"well {one.place.numbers[0]}" if one.place.numbers else "a well"
    return Block((f"# {one.origin.text()}: {named} is not taken: {why}.",), id=one.place.id, waits=why)


def well(one: Placed) -> Block:
    """A monitoring, production or index well, or what is missing of it."""
    place = one.place
    lines = [
        "[[well]]", f"id = {quoted(place.id)}", *_names(place),
        noted(f'use = "{place.use}"', _use_from(place)), *_at(one, "a survey, or its well construction report"),
        *_depths(place), *_screened(place), *_measured(place),
    ]  # fmt: skip
    return _block(one, lines, "well")


def gauge(one: Placed) -> Block:
    """A station on a surface water, and what it needs before it judges anything."""
    zero = _said_elevation(one.place)
    lines = [
        "[[gauge]]", f"id = {quoted(one.place.id)}", *_names(one.place), *_at(one, "the agency that runs it"),
        '# stream = "…"                     # missing: the [[stream]] it stands in; or lake = "…"',
        '# measures = "stage"               # missing where it records no discharge (the agency says what it measures)',
        f"# gauge_zero = …                   # missing: the elevation of its zero above NAVD88 (the agency){zero}",
    ]  # fmt: skip
    return _block(one, lines, "gauge")


def beside(block: Block, other: str) -> Block:
    """A block not in force: what it says stands exactly where a station of another name does."""
    why = f"it stands where {other} of site.toml stands"
    head = f"{block.lines[0]}; not in force: {why}: if they are one, put its id into the identifiers of {other}"
    return Block((f"{head}; if two, take the # away", *commented(block.lines[1:])), id=block.id, waits=why)


def _block(one: Placed, lines: list[str], table: str) -> Block:
    head = f"# {one.origin.text()}: {_written(one)}"
    if one.point is None:
        why = "the file gives no position"
        return Block((f"{head}; not in force without a position", *commented(lines)), id=one.place.id, waits=why)
    return Block((head, *lines), table, one.place.id)


def _written(one: Placed) -> str:
    """The coordinates as the file writes them."""
    if one.place.position is None or one.moved is None:
        return "no position"
    axes = ("longitude", "latitude") if one.moved.degrees else ("x", "y")
    by = ", as --crs says" if one.told_system else ""
    at = one.place.position
    return f"{axes[0]} {at.x!r}, {axes[1]} {at.y!r} in {one.moved.said}{by}"


def _names(place: Place) -> Iterator[str]:
    if place.name:
        yield f"name = {quoted(place.name)}"
    if place.identifiers:
        yield f"identifiers = [{', '.join(map(quoted, place.identifiers))}]"


def _use_from(place: Place) -> str:
    if place.use_said == "--use":
        return "as --use says; the file does not"
    return f'the file: "{words(place.use_said)}"' if place.use_said else "its name in the file says so"


def _at(one: Placed, whence: str) -> Iterator[str]:
    if one.point is None or one.moved is None:
        yield f"position = […]                     # missing: {whence}"
        return
    yield f"position = {point(one.point)}"
    if one.place.kind == "well":
        yield from _accuracy(one)


def _accuracy(one: Placed) -> Iterator[str]:
    parts = [f"{one.place.accuracy_ft:.1f} ft as the file says"] if one.place.accuracy_ft is not None else []
    parts += [f"{one.moved.accuracy_ft:.1f} ft of the change of system"] if one.moved and one.moved.accuracy_ft else []
    if one.doubt_ft > (one.place.accuracy_ft or 0.0) + (one.moved.accuracy_ft if one.moved else 0.0):
        parts.insert(0, "degrees written to few decimals")
    known = "" if one.place.accuracy_ft is not None else "; missing: how well the position itself is known (a survey)"
    yield noted(f"position_accuracy_ft = {one.doubt_ft:.1f}", " and ".join(parts or ["no change of system"]) + known)


def _depths(place: Place) -> Iterator[str]:
    for key in _LENGTHS:
        if key in place.lengths:
            yield _depth(key, place.lengths[key])
    if "depth_ft" not in place.lengths:
        yield f"# depth_ft = …                     # missing: {REPORT}"


def _depth(key: str, said: Length) -> str:
    value = Decimal(said.text)
    if not said.unit:
        return f"# {key} = …   # the file says {said.text} and no unit: {REPORT}"
    feet = value if said.unit == "ft" else round(value / FOOT, 2)
    if not 0 < feet <= Decimal("1e9"):
        return f"# {key} = …   # the file says {said.text} {said.unit}, which is no depth: {REPORT}"
    return noted(f"{key} = {feet:f}", "" if said.unit == "ft" else f"{said.text} {said.unit} in the file")


def _screened(place: Place) -> Iterator[str]:
    if not {"screen_top_ft", "screen_bottom_ft"} <= set(place.lengths):
        yield f"# screen_top_ft = …, screen_bottom_ft = …   # missing: depths below land, from {REPORT}"
    if (casing := place.lengths.get("casing")) is not None:
        said = f"{casing.text} {casing.unit or '(no unit stated)'}"
        yield f"# casing: {said} as the file says; it belongs to [[inventory.well]] as casing_ft"


def _measured(place: Place) -> Iterator[str]:
    yield (
        "# measuring_point = […]            # missing: since when, elevation above NAVD88, height above land (a survey)"
        + _said_elevation(place)
    )
    if _datum(place).upper().startswith("NGVD"):
        yield "# ngvd29_to_navd88_ft = …          # missing: what to add to NGVD29 (NGS Coordinate Conversion tool)"


def _said_elevation(place: Place) -> str:
    """What the file says of the land's height: no measuring point, and on NGVD29 no height above NAVD88 either."""
    land = place.lengths.get("land")
    if land is None:
        return ""
    return (
        f"; the file has land at {land.text} {land.unit or '(no unit stated)'} on {_datum(place) or 'no stated datum'}"
    )


def _datum(place: Place) -> str:
    land = place.lengths.get("land")
    return words(land.datum) if land is not None else ""


def private_well(one: Placed, section: QuarterQuarter | None) -> Block:
    """A private well: at the centre of its quarter-quarter section, or waiting for it; never where it stands."""
    place = one.place
    named = section.name if section is not None else place.quarter_quarter
    lines = [
        "[[well]]", f"id = {quoted(place.id)}", noted('use = "private"', _use_from(place)), *_centre(section),
        *([f"quarter_quarter = {quoted(named)}"] if named else []), *_depths(place),
        '# property = "…"                   # missing: the [[property]] it stands on (county land records)',
    ]  # fmt: skip
    lines += [f"identifiers = [{', '.join(map(quoted, place.identifiers))}]"] if place.identifiers else []
    head = f"# {one.origin.text()}: a private well"
    if section is None:
        why = f"its quarter-quarter section is not known; where it stands is in {PRIVATE_FILE}"
        return Block((f"{head}, not in force: {why}", *commented(lines)), id=place.id, waits=why)
    return Block((head, *lines), "well", place.id)


def _centre(section: QuarterQuarter | None) -> Iterator[str]:
    if section is None:
        yield (
            "position = […]                     # missing: the centre of its quarter-quarter section "
            "(the county's layer of them, by --from)"
        )
        return
    yield noted(f"position = {point(section.centre)}", f"the centre of its quarter-quarter section, {section.where}")
    yield noted(f"position_accuracy_ft = {section.reach_ft:.0f}", "to the farthest corner of the section")


def parcel(one: Outline, id: str) -> Block:
    """A parcel by its number; whose it is stands elsewhere."""
    lines = (
        f"# {one.origin.text()}: {_corners(one)}", "[[property]]", f"id = {quoted(id)}",
        f"parcel = {quoted(one.area.parcel)}", f"polygon = {ring(one.corners)}",
    )  # fmt: skip
    return Block(lines, "property", id)


def boundary(one: Outline) -> Block:
    """The outline of the site."""
    lines = (
        f"# {one.origin.text()}: {_corners(one)}",
        "# taken as the boundary of the whole mine site, not of the pit: make sure that it is",
        f"boundary = {ring(one.corners)}",
    )  # fmt: skip
    return Block(lines, "boundary", "boundary")


def boundary_beside(one: Outline, apart: str) -> Block:
    """An outline for a site whose boundary stands already."""
    head = f"# {one.origin.text()}: another outline than the boundary above, which stays ({apart}). This one:"
    return Block((head, *commented(f"boundary = {ring(one.corners)}".split("\n"))), id="boundary", waits=apart)


def _corners(one: Outline) -> str:
    holes = f", {counted(one.holes_left_out, 'hole')} left out" if one.holes_left_out else ""
    return f"{len(one.corners)} corners in {one.moved.said}{holes}"


def household(one: Placed, *, placed: bool) -> Block:
    """What a list says of the people at a well, and where a private one stands (``placed``: that is in force already).

    For the private file, and not in force: a household is that of a parcel, which somebody must name.
    """
    place = one.place
    people = [f"{key} = {quoted(text[:2000])}" for key, text in place.private.items()]
    lines = ["[[household]]", 'property = "…"     # missing: a [[property]] of site.toml', *people] if people else []
    if place.use == "private" and one.point is not None and not placed:
        lines += _exact(one)
    state = place.use or "of no stated use"
    head = f"# {one.origin.text()}: well {place.id}{_called(one)}, {state}; not in force"
    return Block((head, *commented(lines)), id=place.id)


def _called(one: Placed) -> str:
    return f" ({words(one.called)} in the file)" if one.called else ""


def exact(one: Placed) -> Block:
    """Where a private well really stands, once ``site.toml`` has it."""
    return Block((f"# {one.origin.text()}{_called(one)}: {_written(one)}", *_exact(one)), "well", one.place.id)


def _exact(one: Placed) -> Sequence[str]:
    at = point(one.point) if one.point is not None else "[…]"
    return (
        "[[well]]", f"well = {quoted(one.place.id)}", f"position = {at}", f"position_accuracy_ft = {one.doubt_ft:.1f}",
    )  # fmt: skip


def home(one: Outline, id: str) -> Block:
    """The people of a parcel, in force beside the parcel."""
    people = [f"{key} = {quoted(text[:2000])}" for key, text in one.area.private.items()]
    return Block((f"# {one.origin.text()}", "[[household]]", f"property = {quoted(id)}", *people), "household", id)
