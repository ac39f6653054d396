"""Detected or not: what a detection condition and the limits beside it say of a water-quality result.

Terms: EPA WQX domain lists ``ResultDetectionCondition`` and ``DetectionQuantitationLimitType``, with the older
STORET (``*Non-detect``) and USGS spellings. A row is censored (``ND`` or ``<``) only where the source says that the
amount lies below a limit; detected without a number is not censored, since the amount may be anything.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from ingest.cells import NUMBER_PATTERN, BadCell, is_sentinel, number
from models.qualifiers import Meaning, said_by

_CONDITION_KINDS = {
    "absent": "not detected|absent|negative|non-detect|nondetect|non detect|nd|none detected|not present"
    "|not detected at detection limit|n.d.|n.d|bdl|undetected|not found|bmdl|blod|<lod|< lod|<mdl|< mdl|<dl|< dl",
    "below-lod": "below detection limit|below method detection limit|below daily detection limit"
    "|below detection|below lod|below mdl"
    "|below sample-specific detect limit|below system detection limit|below long-term blank-basd dt limit",
    "below-rl": "not detected at reporting limit|below reporting limit|<rl|< rl|<mrl|< mrl|<loq|< loq|<pql|< pql"
    "|brl|bql|bloq|bpql",
    "below-loq": "present below quantification limit|present <ql|between inst detect and quant limit|trace"
    "|detect between lod & loq|between lod and loq",
    "detected": "detected not quantified|present|detected|positive|tntc|too numerous to count",
    "quantified": "value decensored|value affected by contamination|systematic contamination|detected in blank",
    "above": "above operating range|above operational range|above upper quantification limit"
    "|present above quantification limit|present >ql",
    "nothing": "not reported|reported in raw data (attached)|unable to measure|high moisture",
}
CONDITIONS = {word: kind for kind, words in _CONDITION_KINDS.items() for word in words.split("|")}

_LIMIT_KINDS = {
    "lod": "method detection level|method detection limit|method detection limit (mdl)|long term method detection level"
    "|instrument detection level|sample detection limit|lower limit of detection|limit of detection"
    "|daily detection limit|estimated detection level|detection limit by dqcalc|blank-adjusted method detect limit"
    "|elevated detection limit|sample-specific critical level|sample-specific min detect conc",
    "loq": "lower quantitation limit|practical quantitation limit|method quantitation limit|limit of quantitation"
    "|estimated quantitation limit|sample-specific quantitation limit",
    "rl": "laboratory reporting level|lower reporting limit|interim reporting level|minimum reporting level"
    "|reporting limit|reporting limit by dqcalc|blank-adjusted reporting limit|historical lower reporting limit"
    "|lab reporting limit, na|contract detection limit|contract quantitation limit|required detection limit"
    "|censoring level",
    "upper": "upper quantitation limit|upper reporting limit|upper calibration limit",
}
LIMIT_TYPES = {word: kind for kind, words in _LIMIT_KINDS.items() for word in words.split("|")}
"""A contract's or programme's required limit is a reporting level: it is not what the instrument could see."""

FACT_OF = {"lod": "lod", "loq": "loq", "rl": "reporting_level", "upper": "upper_limit"}
_NEVER = {"<": ("above", "quantified"), ">": ("absent", "below-lod", "below-rl", "below-loq")}
_NUMBER = re.compile(NUMBER_PATTERN)
_MARKED = re.compile(rf"(?:ND)?\s*([<>])\s*({NUMBER_PATTERN})", re.IGNORECASE)


@dataclass(frozen=True)
class Limits:
    """Limits in the row's unit by kind (lod, loq, rl, upper, other).

    ``type`` is the unknown type of ``other``; ``void`` says that a limit not above zero was left out.
    """

    by_kind: Mapping[str, str] = field(default_factory=dict)
    type: str = ""
    void: bool = False

    def first(self, *kinds: str) -> str:
        return next((self.by_kind[kind] for kind in kinds if kind in self.by_kind), "")

    @property
    def marks(self) -> tuple[str, ...]:
        """What is wrong with them, as qualifiers: one not above zero was left out, or they may be exchanged."""
        return (("limit-not-positive",) if self.void else ()) + (("lod-above-loq",) if self.crossed else ())

    @cached_property
    def crossed(self) -> bool:
        lod, loq = self.first("lod"), self.first("loq", "rl")
        return bool(lod and loq) and Decimal(lod) > Decimal(loq)


@dataclass(frozen=True)
class Outcome:
    """A number, or NaN with what is known of the amount. ``limit`` lies above it, as ``limit_is`` (lod or rl) says."""

    value: float
    text: str
    qualifiers: tuple[str, ...] = ()
    limit: str = ""
    limit_is: str = ""


@dataclass(frozen=True)
class Reported:
    """What a row reports: the value cell split from its ``<`` or ``>``, and the kind of its detection condition."""

    text: str
    mark: str
    number: str
    kind: str
    condition: str


def condition_kind(text: str) -> str:
    """The kind of a detection condition; ``""`` for none.

    Raises
    ------
    BadCell : an unknown one: whether the number beside it counts is not known either.
    """
    said = text.lstrip("*").strip().casefold()
    if said and said not in CONDITIONS:
        numeric = _number_of(said) is not None
        raise BadCell("a number beside another amount" if numeric else "unknown detection condition")
    return CONDITIONS.get(said, "")


def beside(amount: str, text: str) -> tuple[str, str]:
    """An amount and the text in the cell beside it, as a value and a detection condition.

    The text repeats the amount, or marks it as a limit (``<2`` beside 2, or beside the 0 that stands for a
    non-detect), or is the amount where there is no other; else it is a condition, and refused where it is none.
    """
    own, other = _number_of(amount), _number_of(text)
    if other is None:
        return amount, text
    if not amount:
        return text, ""
    marked = _MARKED.fullmatch(text) is not None
    if own == other or (marked and own == 0):
        return (text if marked else amount), ""
    return amount, text


def reported(value: str, condition: str) -> Reported:
    """The value cell and the detection condition together.

    Raises
    ------
    BadCell : an unknown condition, a value that is no number, or two that contradict each other.
    """
    said = condition.lstrip("*").strip()
    if not said and _NUMBER.fullmatch(value):  # as most do
        number(value)
        return Reported(value, "", value, "", "")
    worded = value.lstrip("*").strip()
    if worded.casefold() in CONDITIONS:
        if said and CONDITIONS.get(said.casefold()) != CONDITIONS[worded.casefold()]:
            raise BadCell(f"contradicts the detection condition {condition}")
        value, said = "", said or worded
    kind = condition_kind(said)
    mark, amount = _marked(value)
    if (amount and kind == "nothing") or (mark and kind in _NEVER.get(mark, ())):
        raise BadCell(f"contradicts the detection condition {said}")
    return Reported(value, mark, amount, kind, said)


def outcome(one: Reported, limits: Limits, words: tuple[str, ...], concentration: bool) -> Outcome:
    """What the row says of the amount; the detection condition wins over the number beside it.

    Parameters
    ----------
    words : measure qualifier codes.
    concentration : the amount can be neither zero nor negative.

    Raises
    ------
    BadCell : nothing is said, or a number that cannot be.
    """
    if one.kind in {"absent", "below-lod"}:
        return _not_detected(one, limits)
    if one.mark == ">" or one.kind == "above":
        return _above(one, limits)
    if one.kind == "below-rl" or one.mark == "<":
        return _below(one, one.number or limits.first("rl", "loq"), limits)
    if one.kind == "below-loq" and not one.number:
        return _below(one, limits.first("loq", "rl"), limits)
    if one.kind and not one.number:
        return Outcome(math.nan, "", (one.condition,))
    return _numeric(one, limits, words, concentration)


def _number_of(text: str) -> Decimal | None:
    match = _MARKED.fullmatch(text)
    amount = match[2] if match else text
    return Decimal(amount) if _NUMBER.fullmatch(amount) else None


def _marked(text: str) -> tuple[str, str]:
    match = _MARKED.fullmatch(text)
    if match is None:
        if text:
            number(text)
        return "", text
    number(match[2])
    return match[1], match[2]


def _not_detected(one: Reported, limits: Limits) -> Outcome:
    """The LOD stands as its own fact; any other number can only be a reporting level.

    One above the LOQ was raised, as for a diluted sample: nothing below it was looked for.
    """
    text = one.text if one.mark else "ND"
    mark = "<" if one.mark else "ND"
    if one.mark:
        return Outcome(math.nan, text, (mark,), _positive(one.number), limit_kind(one.number, limits))
    loq, lod = limits.first("loq", "rl"), limits.first("lod")
    if loq and one.number and Decimal(one.number) > max(Decimal(loq), Decimal(lod or 0)):
        return Outcome(math.nan, text, (mark,), one.number, "rl")
    if lod:
        return Outcome(math.nan, text, (mark,))
    limit = limits.first("rl", "loq", "other") or _positive(one.number)
    return Outcome(math.nan, text, (mark,), limit, "rl" if limit else "")


def _below(one: Reported, limit: str, limits: Limits) -> Outcome:
    """Below a reporting or quantification level, where a detect may hide; without that level the amount is unknown."""
    between = ("between-LOD-LOQ",) if one.kind == "below-loq" else ()
    limit = _positive(limit)
    if not limit:
        void = ("limit-not-positive",) if one.mark else (one.condition,)
        return Outcome(math.nan, one.text if one.mark else "", (*(("<",) if one.mark else ()), *between, *void))
    text = one.text if one.mark else f"<{limit}"
    return Outcome(math.nan, text, ("<", *between), limit, limit_kind(limit, limits) if one.mark else "rl")


def _above(one: Reported, limits: Limits) -> Outcome:
    """More than the method can measure: a lower bound, never a number."""
    bound = one.number or limits.first("upper")
    text = one.text if one.mark else f">{bound}" if bound else ""
    return Outcome(math.nan, text, (">", *((one.condition,) if one.condition else ())))


def _numeric(one: Reported, limits: Limits, words: tuple[str, ...], concentration: bool) -> Outcome:
    said = said_by(words)
    if not one.number:
        return _blank(one, limits, words, said)
    value = number(one.number)
    if is_sentinel(value):
        return Outcome(math.nan, "", (one.number, *((one.condition,) if one.kind else ())))
    if said & {"not_seen", "below"} and not one.kind:
        return _below(Reported(f"<{one.number}", "<", one.number, "", ""), one.number, limits)
    if "above" in said and not one.kind:
        return _above(Reported(f">{one.number}", ">", one.number, "", ""), limits)
    if concentration and value < 0:
        raise BadCell("negative")
    if concentration and value == 0:
        if not limits.first("lod"):
            raise BadCell("zero without detection information")
        return Outcome(math.nan, one.text, ("ND",))
    if limits.crossed and value < float(limits.first("lod")):
        raise BadCell("the LOD is above the LOQ, and the amount below the LOD")
    between = ("between-LOD-LOQ",) if one.kind == "below-loq" else (one.condition,) if one.kind else ()
    return Outcome(value, one.text, between)


def _blank(one: Reported, limits: Limits, words: tuple[str, ...], said: frozenset[Meaning]) -> Outcome:
    """No number: a code or a detection condition among the qualifiers says that the amount lies below a limit.

    Raises
    ------
    BadCell : none does.
    """
    if "not_seen" in said:
        return _not_detected(one, limits)
    below = {CONDITIONS.get(word.casefold()) for word in words} & {"below-rl"} or "below" in said
    limit = limits.first("rl", "loq", "lod")
    if not below or not limit:
        raise BadCell("blank")
    return Outcome(math.nan, f"<{limit}", ("<",), limit, limit_kind(limit, limits))


def limit_kind(limit: str, limits: Limits) -> str:
    lod = limits.first("lod")
    return "" if not _positive(limit) else "lod" if lod and Decimal(lod) == Decimal(limit) else "rl"


def _positive(text: str) -> str:
    return text if text and Decimal(text) > 0 else ""
