"""Whether a text gives a street address: N100 Cty Rd M, 100N County Road M and N 100 CTH-M are one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from models.spelling import Line, Word, plain, without_marks

_PIECE = re.compile(r"\d+|[^\W\d_]+")
_ORDINAL = re.compile(r"(\d)(?:st|nd|rd|th)\b")
_OF_COUNTY = re.compile(r"\bcounty(?: trunk)?(?: (?:highway|road))?\b")
_OF_STATE = re.compile(r"\b(?:state|us|u)(?: trunk)? (?:highway|road)\b")
_COMPASS = frozenset({"n", "s", "e", "w", "ne", "nw", "se", "sw", "north", "south", "east", "west"})
_IN_FULL = {
    "ave": "avenue", "av": "avenue", "blvd": "boulevard", "cir": "circle", "ct": "court", "cty": "county",
    "co": "county", "dr": "drive", "hwy": "highway", "hw": "highway", "ln": "lane", "pkwy": "parkway", "pl": "place",
    "rd": "road", "st": "street", "str": "street", "ter": "terrace", "tr": "trail", "trl": "trail", "cth": "county",
    "sth": "highway", "ush": "highway",
    **{word: str(n) for n, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
         "twelfth"), 1)},
}  # fmt: skip
_ROADS = frozenset({
    "avenue", "boulevard", "circle", "court", "county", "drive", "highway", "lane", "parkway", "place", "road",
    "street", "terrace", "trail", "way", "box",
})  # fmt: skip
_ROOMS = frozenset({"apt", "unit", "suite", "ste", "lot", "floor"})


def given_in(address: str, line: Line) -> bool:
    """Whether a text gives an address: its house number and road, with or without what follows.

    Parameters
    ----------
    line : the text (`address_line`).
    """
    return any(line.holds(one) for one in _streets(address))


def address_line(text: str) -> Line:
    """A text as addresses are looked for in it."""
    return Line([Word(one) for one in _pieces(text)])


@lru_cache(maxsize=4096)
def _streets(address: str) -> tuple[str, ...]:
    """House number and road of each address of a field, joined, the number before the road and after it."""
    found = (_street(part) for part in re.split(r"[;|\n]", address))
    return tuple("".join(turned) for one in found for turned in _turned(one) if one)


def _turned(pieces: Sequence[str]) -> Iterator[Sequence[str]]:
    yield pieces
    if pieces and pieces[-1].isdigit():
        yield [pieces[-1], *pieces[:-1]]
    if pieces and pieces[0].isdigit():
        yield [*pieces[1:], pieces[0]]


def _street(address: str) -> Sequence[str]:
    """The first part between commas that has a number and a word; of a part that goes on, up to its road."""
    for part in address.split(","):
        pieces = _pieces(part)
        if pieces and pieces[0] not in _ROOMS and 0 < sum(one.isdigit() for one in pieces) < len(pieces):
            return _up_to_road(pieces)
    without_number = _pieces(address.partition(",")[0])
    return without_number if len(without_number) > 2 else []


def _up_to_road(pieces: Sequence[str]) -> Sequence[str]:
    """``N100 County Road M Howard WI 54729`` is 100 county M: a road may be named by the letter or number after it."""
    for n, one in enumerate(pieces):
        if one in _ROADS and any(piece.isdigit() for piece in pieces[:n]):
            after = pieces[n + 1 : n + 2]
            return pieces[: n + 2] if after and (len(after[0]) == 1 or after[0].isdigit()) else pieces[: n + 1]
    return pieces


def _pieces(text: str) -> list[str]:
    """Words and numbers in full, without compass letters; county trunk highway, county road and CTH are one."""
    bare = _ORDINAL.sub(r"\1", without_marks(plain(text)).casefold())
    words = [_IN_FULL.get(one, one) for one in _PIECE.findall(bare)]
    line = " ".join(one for one in words if one not in _COMPASS)
    return _OF_STATE.sub("highway", _OF_COUNTY.sub("county", line)).split()
