"""Free text is sealed for good and shown to others: no household's name, phone, address or exact place may enter it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from models.household import Household, Households

_WORD = re.compile(r"[^\W_]+")
_PHONE = re.compile(r"\+?\d[\d\s().\-/]{5,}\d")
_TITLES = ("mr", "mrs", "ms", "miss", "dr", "family")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_COMPASS = frozenset("nsew")
_IN_FULL = {
    "ave": "avenue", "av": "avenue", "cir": "circle", "ct": "court", "cty": "county", "co": "county", "dr": "drive",
    "hwy": "highway", "ln": "lane", "rd": "road", "st": "street", "trl": "trail",
}  # fmt: skip
LOCAL_DIGITS = 7


def private_part(text: str, households: Households) -> str | None:
    """What of a household a text gives away: ``name``, ``phone``, ``address``, ``position``; None: nothing is seen.

    Names are looked for in both orders, without the middle ones and, with a title before it, by the last name alone;
    phones by their local digits; addresses up to their first comma, however a house number and its letter are spaced;
    positions by both numbers. A person who is in no household file cannot be recognised.
    """
    words = _words(text)
    for home in households.household:
        if any(_within(name, words) for name in _names(home)):
            return "name"
        if home.phone and _digits(home.phone) & _digits(text):
            return "phone"
        if _within(_address(home.address.partition(",")[0]), _address(text)):
            return "address"
    numbers = {float(one) for one in _NUMBER.findall(text)}
    return "position" if any(set(one.position) <= numbers for one in households.well) else None


def _names(home: Household) -> Iterator[list[str]]:
    for name in (home.owner, home.occupant):
        words = _words(name)
        yield words
        for n in range(1, len(words)):  # the family name may be of several words: van der Berg
            first, last = words[:n], words[n:]
            yield [*last, *first]
            yield from ([title, *last] for title in _TITLES)
        if len(words) > 2:  # a middle name may be left out
            yield [words[0], words[-1]]
            yield [words[-1], words[0]]


def _address(text: str) -> list[str]:
    """Its words without compass letters and in full: N100 Cty Rd M, 100N County Road M, N 100 County Rd. M are one."""
    words = _PIECE.findall(text.casefold())
    return [_IN_FULL.get(one, one) for one in words if one not in _COMPASS]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _within(part: list[str], words: list[str]) -> bool:
    length = len(part)
    return bool(part) and any(words[n : n + length] == part for n in range(len(words) - length + 1))


def _digits(text: str) -> set[str]:
    """The local digits of everything that reads as a phone number."""
    found: Iterable[str] = (re.sub(r"\D", "", one) for one in _PHONE.findall(text))
    return {one[-LOCAL_DIGITS:] for one in found if LOCAL_DIGITS <= len(one) <= 11}
