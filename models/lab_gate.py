"""What a laboratory's deliverable must hold before it is submitted: the rules of the gate, and what broke them.

An error sends the deliverable back; a warning asks for a word and lets it pass. No rule compares a result with a
standard: the gate says whether a result can be judged, never how.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from models.observation import Reject
from models.sample_types import Kind, kind_by_name, like_control, like_duplicate

Level = Literal["error", "warning"]
VERIFY = "as recalled, verify"
NR140_LIMITS = f"NR 140.16 (3)-(4), {VERIFY}"
NR140_METHOD = f"NR 140.16 (2), {VERIFY}"
OWN = "what this program needs to read or judge a result"


@dataclass(frozen=True)
class Rule:
    """``words`` what is wrong, ``why`` it matters, ``source`` who asks for it."""

    id: str
    level: Level
    words: str
    why: str
    source: str = OWN


@dataclass(frozen=True)
class Fault:
    """One place where a rule is broken. ``row`` counts from 1 as an editor does; 0 is the whole file."""

    rule: str
    row: int
    found: str
    station: str = ""
    sample: str = ""
    substance: str = ""


@dataclass(frozen=True)
class Broken:
    """A rule and everything in the deliverable that breaks it, in the order of its rows."""

    rule: Rule
    faults: tuple[Fault, ...]


_RULES = (
    Rule("row-not-read", "error", "a row or cell that cannot be read", "the result is lost"),
    Rule("parameter-asked-unknown", "error", "no known CAS number, STORET code or name, and an asked substance missing",
         "the result may be of a substance that the station's list asks for"),
    Rule("unit-unknown", "error", "a unit that is not known, or does not measure the substance",
         "the number cannot be compared with anything"),
    Rule("nothing-to-judge", "error", "no result of a laboratory", "nothing was delivered"),
    Rule("not-dated", "error", "no day of sampling", "a result without a day belongs to no event and no law"),
    Rule("sampled-in-future", "error", "sampled later than today", "no such sample can have been taken"),
    Rule("analysed-before-sampled", "error", "analysed before it was sampled", "one of the two dates is wrong"),
    Rule("analysed-in-future", "error", "analysed later than today", "no such analysis can have been made"),
    Rule("nondetect-without-limit", "error", "not detected, and no limit above zero",
         "below what, nobody can tell", NR140_LIMITS),
    Rule("lod-above-loq", "error", "the LOD is above the LOQ", "one of the two is wrong, or they are exchanged"),
    Rule("limits-missing", "error", "LOD or LOQ missing, of a substance that has a groundwater standard",
         "a result at or above its standard then needs a confirmation that the limits would spare", NR140_LIMITS),
    Rule("below-zero", "error", "an amount below zero", "no such amount can be in water"),
    Rule("more-than-water", "error", "an amount of a kilogram in a litre or more",
         "no water holds it: the unit is wrong"),
    Rule("dilution-not-a-factor", "error", "a dilution that is no number above zero", "its limits cannot be checked"),
    Rule("results-contradict", "error", "two different results of one sample, substance, fraction and method",
         "which of the two is the result, nobody can tell"),
    Rule("forms-contradict", "error", "two amounts of one substance of one sample, under two of its names or bases",
         "one of the two is of another basis than it says"),
    Rule("fraction-unstated", "error", "no fraction stated, beside another result of its sample that states one",
         "whether it is dissolved or total, nobody can tell"),
    Rule("control-as-result", "error", "a name or text is of a blank, spike or control and the type does not say so",
         "quality control would be judged as the water of a well"),
    Rule("sheet-with-results-not-read", "error", "a sheet or member with results that no layout knows",
         "nothing of it is taken"),
    Rule("results-disputed", "error", "results of one sample, substance, fraction and moment that are not the same",
         "none of them is taken: leave the one that is the result, or mark the others as not reportable"),
    Rule("time-not-told", "error", "an hour that the clock of the place shows twice or never",
         "the result is left out: give the time with its offset, as 2025-11-02T01:30-05:00"),
    Rule("station-unknown", "error", "a station that the site does not have", "the result would be left out"),
    Rule("parameter-unknown", "warning", "no known CAS number, STORET code or name", "the result is not taken"),
    Rule("control-perhaps", "warning", "a station with a word of quality control in its name",
         "if it is a blank, spike or control, say so by its type"),
    Rule("limits-advised", "warning", "LOD or LOQ missing, of a substance without a groundwater standard",
         "later results cannot be told from noise", NR140_LIMITS),
    Rule("limit-not-positive", "warning", "a limit that is not above zero", "it is left out and says nothing"),
    Rule("detect-below-lod", "warning", "a number below its own LOD, not told as a non-detect",
         "by NR 140.14 it attains nothing; the limit or the number may be wrong"),
    Rule("zero-told", "warning", "an amount of zero", "it is taken as a non-detect: tell it as one, with its LOD"),
    Rule("nondetect-not-its-limits", "warning", "not detected, below a number over its LOQ or under its LOD",
         "the number or the limits are of another analysis"),
    Rule("lod-above-pal", "warning", "the LOD is above the preventive action limit",
         "a non-detect of it proves nothing: a more sensitive method is asked for where there is one", NR140_METHOD),
    Rule("holding-time", "warning", "analysed after its holding time",
         "the amount may have changed in the bottle; it is told beside the result", "models/holding_times.csv"),
    Rule("holding-time-open", "warning", "perhaps analysed after its holding time",
         "the dates do not tell: give hours, or the date of extraction", "models/holding_times.csv"),
    Rule("holding-time-not-known", "warning", "substances of which no holding time is known here",
         "whether it was kept is not checked", "models/holding_times.csv"),
    Rule("analysis-date-missing", "warning", "no date of analysis", "the holding time cannot be checked"),
    Rule("analysis-date-not-read", "warning", "a date of analysis that is not written like the day of sampling",
         "the holding time cannot be checked"),
    Rule("charge-balance", "warning", "cations and anions do not balance",
         "a major ion is wrong, or one is missing", f"Standard Methods 1030 E, {VERIFY}"),
    Rule("dissolved-above-total", "warning", "more dissolved than in all",
         "fractions or bottles may be exchanged"),
    Rule("part-above-sum", "warning", "more of a part than of its sum", "one of the two is wrong"),
    Rule("methods-disagree", "warning", "two methods found different amounts in one sample",
         "which of the two is the result, only the laboratory can tell"),
    Rule("samples-of-one-moment", "warning", "different results of one station and moment, under two sample names",
         "one is a duplicate whose type does not say so, or a time is wrong"),
    Rule("dilution-below-one", "warning", "a dilution below 1", "concentrated, or written the other way round"),
    Rule("dilution-limits", "warning", "diluted, with the LOD of an undiluted sample",
         "limits grow with the dilution"),
    Rule("qualifier-unknown", "warning", "a qualifier that is not known here, or of two meanings",
         "what the result attains needs confirmation until the laboratory has said what it means"),
    Rule("text-in-doubt", "warning", "a text that may say that this is quality control, or that it is taken back",
         "what the result attains needs confirmation: say it by the type, or by a qualifier"),
    Rule("sample-number-missing", "warning", "no number of the laboratory's sample",
         "two samples of one day cannot be told apart"),
    Rule("fraction-missing", "warning", "a metal, and neither dissolved nor total stated",
         "where the other fraction is judged the result needs confirmation"),
    Rule("results-repeat", "warning", "the same result more than once", "it counts once"),
    Rule("duplicate-as-result", "warning", "a name or text is of a duplicate and the type does not say so",
         "a duplicate would be judged as a sample of its own"),
    Rule("sampling-not-asked", "warning", "no calendar asks for a sample of this station", "the station may be wrong"),
    Rule("parameters-missing", "warning", "substances of the station's list are missing",
         "the event stays open for them"),
    Rule("sample-without-results", "warning", "a sample of which there is no result", "its results may be missing"),
    Rule("sheets-not-read", "warning", "sheets or members that no layout knows", "what they say is not taken"),
    Rule("columns-not-read", "warning", "columns that mean nothing here", "what they say is not taken"),
    Rule("cut-short", "warning", "the last line has no line end", "its last value may be cut short"),
)  # fmt: skip
RULES: Mapping[str, Rule] = {one.id: one for one in _RULES}


def grouped(faults: Iterable[Fault]) -> tuple[Broken, ...]:
    """Faults by rule, errors first, in the order of ``RULES``."""
    found: dict[str, list[Fault]] = {}
    for one in faults:
        found.setdefault(one.rule, []).append(one)
    return tuple(
        Broken(rule, tuple(sorted(found[id], key=lambda one: (one.row, one.substance))))
        for id, rule in RULES.items()
        if id in found
    )


def count(broken: Sequence[Broken], level: Level) -> int:
    """How many faults of one level there are."""
    return sum(len(one.faults) for one in broken if one.rule.level == level)


def of_reject(one: Reject, rule: str = "") -> Fault:
    """A row that is not taken, under the rule that it breaks."""
    found = f"{one.column} {one.raw!r}: {one.reason}" if one.column else one.reason
    return Fault(rule or _rule_of(one), one.row, found)


def _rule_of(one: Reject) -> str:
    if "STORET" in one.reason:
        return "parameter-unknown"
    if "unit" in one.reason or "cannot be converted" in one.reason:
        return "unit-unknown"
    return "nondetect-without-limit" if "without detection information" in one.reason else "row-not-read"


@lru_cache(maxsize=4096)
def rule_of_name(known: frozenset[str], sample: str, station: str) -> tuple[str, str]:
    """The rule that a sample's or a station's name breaks, and which of them; blank where none does."""
    own = station.casefold() not in known
    kinds: dict[str, Kind] = {
        f"sample {sample}": "unknown" if sample.casefold() in known else kind_by_name(sample, station),
        f"station {station}": kind_by_name(station, station) if own else "unknown",
    }
    for rule, asked in (("control-as-result", "quality_control"), ("duplicate-as-result", "duplicate")):
        for who, kind in kinds.items():
            if kind == asked:
                return rule, who
    if own and like_control(station):
        return "control-perhaps", f"station {station}"
    return ("duplicate-as-result", f"station {station}") if own and like_duplicate(station) else ("", "")
