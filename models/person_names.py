"""Whether a text names a person: in any order, with or without the middle names, alone or one of joint owners."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from models.spelling import Line, Word, plain, words

_JOINT = re.compile(r"[;/|&+\n]|\b(?:and|or|with|c\s*/\s*o|care of)\b", re.IGNORECASE)
_TITLES = ("mr", "mrs", "ms", "miss", "mx", "dr", "prof", "rev", "family", "messrs")
_AFTER = ("family", "household", "residence", "home", "homestead")
_ADDED = frozenset({*_TITLES, "jr", "sr", "ii", "iii", "iv", "esq", "md", "phd", "et", "al", "ux", "vir", "deceased"})
_OF_A_BODY = frozenset({
    "trust", "trustee", "trustees", "living", "revocable", "irrevocable", "llc", "inc", "ltd", "lp", "llp", "estate",
    "of", "the", "farm", "farms", "dairy", "dated",
})  # fmt: skip
_PARTICLES = frozenset({"van", "von", "der", "den", "de", "del", "la", "le", "los", "da", "di", "dos", "du", "ter",
                        "ten", "zu", "st", "mac", "al", "bin"})  # fmt: skip
MIDDLE = 2
"""Words that may stand between a first and a last name."""


@dataclass(frozen=True)
class Person:
    """One person of a name field, folded. ``given``: each apart; ``last``: with its particles."""

    given: tuple[str, ...]
    last: tuple[str, ...]


def named(name: str, lines: Sequence[Line]) -> bool:
    """Whether a text names a person, or the body, of a name field.

    Parameters
    ----------
    lines : the text in each spelling (`lines_of`).
    """
    return any(_whole(name, line) or any(_person(one, line) for one in _people(name)) for line in lines)


def lines_of(text: str) -> tuple[Line, Line]:
    """A text in both its spellings (`models.spelling.words`)."""
    return Line(words(text)), Line(words(text, loose=True))


def _whole(name: str, line: Line) -> bool:
    """A field as it stands, in which a body may be named that is no person."""
    return any(len(one) > 1 and line.holds(one) for one in _joined(name))


@lru_cache(maxsize=4096)
def _joined(name: str) -> tuple[str, ...]:
    return tuple("".join(one.text for one in words(name, loose=out)) for out in (False, True))


@lru_cache(maxsize=4096)
def _people(name: str) -> tuple[Person, ...]:
    """The persons of a field, in both spellings: ``Mary and John Sample`` and ``Sample, Mary & John`` are two each."""
    return tuple(dict.fromkeys(one for out in (False, True) for one in _of_field(name, loose=out)))


def _of_field(name: str, *, loose: bool) -> Iterator[Person]:
    read = [list(_readings(part, loose=loose)) for part in _JOINT.split(plain(name))]
    parts = [readings for readings in read if any(readings)]
    lasts = [one.last for readings in parts for one in map(_parted, readings) if one.given]
    for readings in parts:
        for found in readings:
            own = _parted(found)
            yield own
            yield from (Person(tuple(found), last) for last in lasts if found and last != own.last)


def _readings(part: str, *, loose: bool) -> Iterator[list[str]]:
    """A part between commas as written, each piece alone, and turned round: ``Sample, Mary``."""
    pieces = [_bare(words(piece, loose=loose)) for piece in part.split(",")]
    pieces = [piece for piece in pieces if piece]
    yield from pieces
    if len(pieces) > 1:
        yield from ([*given, *pieces[0]] for given in pieces[1:])


def _bare(found: Sequence[Word]) -> list[str]:
    kept = [one.text for one in found if one.text not in _ADDED]
    body = [one for one in kept if one not in _OF_A_BODY]
    return body if len(body) < len(kept) else kept


def _parted(found: Sequence[str]) -> Person:
    """Given names and the last one, which begins at its first particle."""
    start = next((n for n, one in enumerate(found) if n and one in _PARTICLES), len(found) - 1)
    return Person(tuple(found[:start]), tuple(found[start:]))


def _person(one: Person, line: Line) -> bool:
    last = "".join(one.last)
    if len(last) < 2 or one.last[-1] not in line.joined:
        return False
    return (
        _titled(one, line)
        or _first_and_last(one, line)
        or _by_another_given_name(one, last, line)
        or _by_initial(one, last, line)
    )


def _titled(one: Person, line: Line) -> bool:
    """``Mr. Sample``, ``the Sample family``, ``the Samples``; a last name of several words also by its end."""
    whole = (*one.given[1:], *one.last)
    ends = ["".join(whole[n:]) for n in range(len(whole))]
    if any(line.holds(title + end) for end in ends for title in _TITLES):
        return True
    said = [one for end in ends for one in (*(end + after for after in _AFTER), f"the{end}s")]
    return any(_capital(line, *run) for one in said for run in line.runs(one))


def _first_and_last(one: Person, line: Line) -> bool:
    if not one.given:
        return False
    whole = (*one.given, *one.last)
    for n in range(1, len(whole)):
        first, last = "".join(whole[:n]), "".join(whole[n:])
        if line.holds(first + last) or line.holds(last + first):
            return True
    ends = {whole[-1], "".join(one.last)}
    starts = ["".join(one.given[:n]) for n in range(1, len(one.given) + 1)]
    return any(_near(start, end, line) for start in starts for end in ends)


def _near(given: str, last: str, line: Line) -> bool:
    """Given and last name, in either order, with middle names or initials between."""
    firsts, lasts = list(line.runs(given)), list(line.runs(last))
    pairs = [(one[1], two[0]) for a, b in ((firsts, lasts), (lasts, firsts)) for one in a for two in b]
    return any(0 <= end - start <= MIDDLE and _middle(line, start, end) for start, end in pairs)


def _middle(line: Line, start: int, end: int) -> bool:
    between = line.words[start:end]
    if line.flat:
        return sum(len(one.text) > 1 for one in between) <= 1
    return all(len(one.text) == 1 or one.capital or one.text in _PARTICLES | _ADDED for one in between)


def _by_another_given_name(one: Person, last: str, line: Line) -> bool:
    """``Adam Sample`` of John Adam Sample, where it is written as a name."""
    others = [given for given in one.given[1:] if len(given) > 1]
    found = (run for given in others for pair in (given + last, last + given) for run in line.runs(pair))
    return any(_capital(line, *run) or line.flat for run in found)


def _by_initial(one: Person, last: str, line: Line) -> bool:
    """``J. Sample``, where both are written with a capital: ``a well`` is none; John where only J. is on file."""
    if not one.given:
        return False
    letter = one.given[0][0]
    found = (run for pair in (letter + last, last + letter) for run in line.runs(pair) if run[1] - run[0] > 1)
    if any(_capital(line, *run) for run in found):
        return True
    before = (line.words[first - 1] for first, _ in line.runs(last) if first)
    return (
        len(one.given[0]) == 1
        and not line.flat
        and any(word.capital and word.text.startswith(letter) for word in before)
    )


def _capital(line: Line, first: int, after: int) -> bool:
    """Whether the name in a run of words is written as one: its particles and titles may be small."""
    small = _PARTICLES | frozenset(_AFTER) | {"the"}
    return not line.flat and all(one.capital or one.text in small for one in line.words[first:after])
