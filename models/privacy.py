"""Free text of an event is sealed for good and shown to others: no household's name, phone or address may enter it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from models.household import Household, Households

_WORD = re.compile(r"[^\W_]+")
_PHONE = re.compile(r"\+?\d[\d\s().\-/]{5,}\d")
_TITLES = ("mr", "mrs", "ms", "miss", "dr", "family")
LOCAL_DIGITS = 7


def private_part(text: str, households: Households) -> str | None:
    """What of a household a text gives away: ``name``, ``phone`` or ``address``; None where nothing is recognised.

    Names are looked for in both orders and, with a title before it, by the last word alone; phones by their local
    digits; addresses up to their first comma. A person who is in no household file cannot be recognised.
    """
    words = _words(text)
    for home in households.household:
        if any(_within(name, words) for name in _names(home)):
            return "name"
        if home.phone and _digits(home.phone) & _digits(text):
            return "phone"
        if _within(_words(home.address.partition(",")[0]), words):
            return "address"
    return None


def _names(home: Household) -> Iterator[list[str]]:
    for name in (home.owner, home.occupant):
        *first, last = name.split() or [""]
        yield _words(name)
        if first:
            yield [*_words(last), *_words(" ".join(first))]
            yield from ([title, *_words(last)] for title in _TITLES)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _within(part: list[str], words: list[str]) -> bool:
    length = len(part)
    return bool(part) and any(words[n : n + length] == part for n in range(len(words) - length + 1))


def _digits(text: str) -> set[str]:
    """The local digits of everything that reads as a phone number."""
    found: Iterable[str] = (re.sub(r"\D", "", one) for one in _PHONE.findall(text))
    return {one[-LOCAL_DIGITS:] for one in found if LOCAL_DIGITS <= len(one) <= 11}
