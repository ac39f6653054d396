"""Free text is sealed for good and shown to others: no household's name, phone, address or exact place may enter it.

Nor may the exact place of a private well stand in ``site.toml``, from which maps are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from models.errors import BadSite
from models.household import FILE, Household, Households
from models.person_names import lines_of, named
from models.place import LEAST_RING_FT, apart, may_be_shown
from models.private_numbers import Numbers, local_numbers, numbers_of
from models.site import Site, Well
from models.spelling import Line
from models.street_address import address_line, given_in

_SAID = {"owner": "name", "occupant": "name"}
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_MOST_ESCAPED = 3
COPIED_FT = 10.0
"""A public centre this near to where the well stands is a copy of that place; by chance hardly one in 5,000 is [ft]."""
_phones = lru_cache(maxsize=4096)(local_numbers)


def private_part(text: str, households: Households) -> str | None:
    """What of a household a text gives away: ``name``, ``phone``, ``address``, ``position``; None: nothing is seen.

    Each owner of several is looked for alone, in both orders, without the middle names or with others, by initial and
    by title (`models.person_names`); phones by their local digits and positions by both numbers, however they are
    written (`models.private_numbers`); addresses by house number and road (`models.street_address`). Accents, widths
    and invisible characters hide nothing, nor do the %20 of addresses and mail programs. A person who is in no
    household file cannot be recognised.
    """
    found = next(_given_away(text, households), None)
    return None if found is None else _SAID.get(found, found)


def private_fields(text: str, households: Households) -> frozenset[str]:
    """All that a text gives away, by field of ``households.toml``."""
    return frozenset(_given_away(text, households))


def check_private_places(site: Site, households: Households, *, file: str) -> None:
    """Refuse a site file that tells where a private well stands more exactly than by its quarter-quarter section.

    Raises
    ------
    BadSite : names the well and what to write instead, and no coordinate.
    """
    for well in site.wells("private"):
        if not may_be_shown(well):
            raise BadSite(
                f"a private well more exactly than its quarter-quarter section: give the centre of the section, and "
                f"how far its farthest corner lies from that; the exact place belongs to {FILE}",
                file=file, key=f"well[{well.id}].position_accuracy_ft", found=f"{well.position_accuracy_ft} ft",
                allowed=[f"{LEAST_RING_FT:g} or more (about 934 for a full section)"],
            )  # fmt: skip
        if _copied(well, households):
            raise BadSite(
                f"the place that {FILE} has for this private well: give the centre of its quarter-quarter section "
                "(where the well stands on that very spot, the centre rounded to 100 ft)",
                file=file, key=f"well[{well.id}].position",
            )  # fmt: skip


def _copied(well: Well, households: Households) -> bool:
    exact = [one for one in households.well if one.well == well.id and one.position_accuracy_ft < LEAST_RING_FT]
    return any(apart(one.position, well.position) <= COPIED_FT for one in exact)


@dataclass(frozen=True)
class _Text:
    """A text read once for every household."""

    lines: tuple[Line, ...]
    addresses: Line
    numbers: Numbers


def _given_away(text: str, households: Households) -> Iterator[str]:
    if not text or not (households.household or households.well):
        return
    for one in _readings(text):
        yield from _read_as(one, households)


def _undone(escapes: re.Match[str]) -> str:
    return bytes.fromhex(escapes[0].replace("%", "")).decode("utf-8", "replace")


def _readings(text: str) -> Iterator[str]:
    """A text as it stands, and with its escapes undone, those within escapes too (RFC 3986, 2.1)."""
    yield text
    for _ in range(_MOST_ESCAPED):
        if not _ESCAPES.search(text):
            return
        yield (text := _ESCAPES.sub(_undone, text))


def _read_as(text: str, households: Households) -> Iterator[str]:
    read = _Text(lines_of(text), address_line(text), numbers_of(text))
    for home in households.household:
        yield from _of_home(home, read)
    if any(read.numbers.placed(one.position) for one in households.well):
        yield "position"


def _of_home(home: Household, text: _Text) -> Iterator[str]:
    for field in ("owner", "occupant"):
        if named(getattr(home, field), text.lines):
            yield field
    if home.phone and text.numbers.dialled(_phones(home.phone)):
        yield "phone"
    if home.address and given_in(home.address, text.addresses):
        yield "address"
