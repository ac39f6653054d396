"""What stands beside a water level about the well at that moment, in each maker's words and codes, and what it means.

A code is kept as it came (a ``lev_status_cd`` as the fact ``status``, since a bare ``P`` would read as provisional);
what it means is said here only. Sources: NWIS help, "Water-level status codes" (``lev_status_cd``); USGS Water Data and
the National Ground-Water Monitoring Network write the same in words; hand sheets say Dry, Obstructed, Pumping.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from models.observation import Flags

Meaning = Literal["dry", "disturbed", "flowing", "influenced", "at rest"]
"""``dry``: no water down to the bottom. ``disturbed``: the number is not the water table, or nothing could be measured.
``flowing``: water stands at or above the ground. ``influenced``: a level of the water table, with something near it
that moves it, which is what a mine's pump does too. ``at rest``: a level like any other."""

NWIS_STATUS: Mapping[str, tuple[Meaning, str]] = {
    "1": ("at rest", "static"),
    "A": ("influenced", "atmospheric pressure"),
    "B": ("influenced", "tide stage"),
    "C": ("disturbed", "frozen"),
    "D": ("dry", "dry"),
    "E": ("disturbed", "recently flowing"),
    "F": ("flowing", "flowing"),
    "G": ("influenced", "nearby flowing"),
    "H": ("influenced", "nearby recently flowing"),
    "I": ("disturbed", "injector site"),
    "J": ("disturbed", "injector site monitor"),
    "M": ("disturbed", "plugged"),
    "N": ("disturbed", "measurement discontinued"),
    "O": ("disturbed", "obstruction"),
    "P": ("disturbed", "pumping"),
    "R": ("disturbed", "recently pumped"),
    "S": ("influenced", "nearby pumping"),
    "T": ("influenced", "nearby recently pumped"),
    "V": ("disturbed", "foreign substance"),
    "W": ("disturbed", "destroyed"),
    "X": ("influenced", "surface water effects"),
    "Z": ("disturbed", "other conditions"),
}
"""``lev_status_cd``: the meaning and the code list's words. A code that is not listed says that something was the
matter, and not what: disturbed."""

SAME_WORDS: Mapping[str, str] = {
    "static": "1", "frozen": "C", "ice": "C", "well dry": "D", "dry well": "D", "site was dry": "D",
    "well was dry": "D",
    "flowing well": "F", "site was flowing": "F", "nearby flowing well": "G", "injector": "I",
    "injecting": "I", "injector monitor": "J", "well plugged": "M", "discontinued": "N", "obstructed": "O",
    "site was obstructed": "O", "obstruction in well": "O", "pumped": "P", "being pumped": "P", "well pumping": "P",
    "site was being pumped": "P", "pumping level": "P", "site had been pumped recently": "R", "pumped recently": "R",
    "recent pumping": "R", "well recently pumped": "R", "nearby pumped": "S", "nearby site was being pumped": "S",
    "nearby well pumping": "S", "nearby recent pumping": "T", "nearby site had been pumped recently": "T",
    "foreign substance on water surface": "V", "oil on water": "V", "well destroyed": "W",
    "affected by surface water": "X", "other": "Z",
}  # fmt: skip
"""Other spellings of the list's words, without regard to case or a full stop."""

STATUS = "status"
"""The fact of ``Flags`` under which a ``lev_status_cd`` is kept."""

_BY_WORD = {words: one for one in NWIS_STATUS.values() for words in [one[1]]} | {
    spelling: NWIS_STATUS[code] for spelling, code in SAME_WORDS.items()
}
_WEIGHT: tuple[Meaning, ...] = ("dry", "disturbed", "flowing", "influenced", "at rest")


@dataclass(frozen=True)
class LevelStatus:
    """What a level's flags mean, and in which words; both of the gravest where several stand."""

    meaning: Meaning
    words: str = ""


def level_status(flags: Flags) -> LevelStatus:
    """The meaning of a reading's flags; qualifiers that say nothing of the well leave it at rest."""
    found = [LevelStatus(*one) for one in _said(flags)]
    return min(found, key=lambda one: _WEIGHT.index(one.meaning), default=LevelStatus("at rest"))


def _said(flags: Flags) -> Iterator[tuple[Meaning, str]]:
    code = flags.facts.get(STATUS, "").strip()
    if code:
        yield NWIS_STATUS.get(code.upper(), ("disturbed", f"status code {code}, which no list explains"))
    for word in flags.qualifiers:
        plain = word.strip(" .").casefold()
        if plain in _BY_WORD:
            yield _BY_WORD[plain]
