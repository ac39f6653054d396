"""What kind of sample a result is of: water of the place, a field duplicate, quality control, or nobody knows.

Words and codes as laboratories' deliverables, EPA WQX (``ActivityType``), USGS and EQuIS (``sample_type_code``,
``sample_matrix_code``) write them. A code of this list is matched whole; of longer words the one that makes a sample no
plain water decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

Kind = Literal["water", "duplicate", "quality_control", "unknown"]

_WATER = {
    "", "n", "nm", "nrm", "norm", "normal", "reg", "regular", "routine", "primary", "original", "parent", "sample",
    "env", "environmental", "investigative", "grab", "composite", "resample", "confirmation", "compliance",
    "monitoring", "groundwater", "gw", "ground water", "water", "surface water", "drinking water", "well water",
    "raw water", "sa", "data logger", "sample other",
}  # fmt: skip
_WATER_WORDS = {
    "sample", "field", "routine", "regular", "normal", "environmental", "investigative", "grab", "composite", "primary",
    "original", "parent", "with", "without", "parents", "integrated", "vertical", "horizontal", "cross", "sectional",
    "profile", "time", "series", "flow", "proportioned", "msr", "obs", "portable", "data", "logger", "habitat",
    "assessment", "incidental", "groundwater", "ground", "surface", "drinking", "well", "raw", "water", "resample",
    "confirmation", "compliance", "monitoring", "other", "subsample", "measurement", "observation",
}  # fmt: skip
"""Words of which every name of a sample of water of the place is made."""
_DUPLICATE = {"fd", "fdup", "fdp", "fr", "frep", "dup", "dp", "dupe", "rep", "field dup"}
_DUPLICATE_WORDS = {"duplicate", "duplicates", "dup", "dupe", "replicate", "replicates", "rep", "triplicate"}
_CONTROL = {
    "ab", "amb", "bb", "bd", "bl", "blk", "bs", "bsd", "ccb", "ccv", "cr", "crm", "eb", "eqb", "erb", "er", "fb", "fbk",
    "fs", "fsd", "ib", "icb", "icv", "is", "kb", "kd", "lb", "lc", "lcs", "lcsd", "ld", "ldup", "lfb", "lfm", "lr",
    "lrb", "mb", "mblk", "ms", "msd", "ob", "opr", "pb", "pds", "pe", "pt", "qa", "qc", "qcs", "rb", "rd", "rm",
    "rs", "sample dup", "sample dupe", "sample duplicate", "sample rep", "sample replicate", "sb", "sd", "sp", "spl",
    "split", "split sample", "srm", "ssd", "sur", "surr", "tb", "tbk", "trip", "wb",
}  # fmt: skip
"""A ``sample duplicate`` is a laboratory's word for a second portion of one bottle; a second bottle of the field is a
``duplicate sample`` or a ``field duplicate``."""
_CONTROL_WORDS = {
    "blank", "blanks", "blk", "blks", "spike", "spikes", "spiked", "surrogate", "surrogates", "control", "controls",
    "qc", "qa", "qaqc", "quality", "reference", "standard",
    "rinsate", "rinse", "rinseate", "rinsing", "split", "calibration", "check", "lcs", "lcsd", "msd", "fortified",
    "proficiency", "blind", "audit", "depletion", "interlab", "interlaboratory", "assurance", "tracer", "internal",
    "trip", "matrix", "verification", "cal", "ccv", "ccb", "icv", "icb", "ms", "mb",
}  # fmt: skip
_OF_THE_FIELD = {"qc", "qa", "quality", "assurance", "blind"}
"""Words of quality control that a duplicate taken in the field has too."""
_LABORATORY_WORDS = {
    "lab", "laboratory", "labs", "analytical", "analysis", "instrument", "internal", "method", "batch", "prep",
    "preparation", "extract", "extraction", "digest", "digestion", "post", "injection", "bench", "interlab",
    "interlaboratory",
}  # fmt: skip
_NOT_OF_THE_FIELD = (_CONTROL_WORDS - _OF_THE_FIELD) | (_CONTROL - {"qa", "qc"}) | _LABORATORY_WORDS
"""Words beside ``duplicate`` that make it a laboratory's: a spike, a blank or a control of its own, done twice."""
_WORD = re.compile(r"[a-z]+")

Medium = Literal["", "quality_control", "not_water"]
_CONTROL_CODES = {"wq", "wh"}
"""EQuIS: water for quality-control samples, water that equipment was washed with."""
_OTHER_CODES = {"wl", "wc"}
"""EQuIS: leachate, drilling water."""
_WATER_CODE = re.compile(r"w[a-z]?|gw|sw|dw|ww|aq|liquids?")
"""EQuIS: WG ground, WS surface, WP potable, WW waste water and others all begin with W."""
_WATER_MEDIUM = re.compile(r"water\b|\baqueous\b|\baq\b")
_CONTROL_MEDIUM = {
    "qc", "qa", "qaqc", "blank", "blanks", "spike", "reagent", "deionized", "deionised", "di", "distilled",
    "ultrapure", "laboratory", "lab", "trip", "rinse", "rinsate", "wash", "control", "calibration",
}  # fmt: skip
_OTHER_MEDIUM = {
    "soil", "soils", "sediment", "sediments", "sludge", "solid", "solids", "leachate", "leachates", "tclp", "splp",
    "extract", "elutriate", "oil", "product", "napl", "lnapl", "dnapl", "non", "nonaqueous", "organic", "air", "gas",
    "vapor", "vapour", "tissue", "wipe", "paint", "rock", "core", "cuttings", "biota", "dust", "ash", "concrete",
}  # fmt: skip
_OTHER_WATER_CODES = {"ws", "sw", "ww", "wu", "we", "wm", "wo"}
"""EQuIS: WS surface, WW waste and WU storm water, WE of an estuary, WM and WO of the sea. WP, drinking water, is drawn
from a well as often as not."""
_OTHER_WATER = {
    "surface", "stream", "river", "creek", "lake", "pond", "reservoir", "ditch", "wetland", "storm", "runoff",
    "stormwater", "waste", "wastewater", "sewage", "effluent", "influent", "ocean", "sea", "seawater", "marine",
    "estuary", "estuarine", "rain", "rainwater", "snow", "precipitation",
}  # fmt: skip
_GROUND = re.compile(r"ground|gw$|wg$|wells?$")
_CONTROL_SHEET = {
    "qc", "qa", "qaqc", "blank", "blanks", "blk", "blks", "spike", "spikes", "surrogate", "surrogates", "lcs", "lcsd",
    "ms", "msd", "mb", "ccv", "ccb", "icv", "icb", "calibration", "rinsate", "rinsates", "duplicate", "duplicates",
    "dup", "dups", "replicate", "replicates", "splits", "rpd", "recovery", "recoveries", "tic", "tics",
}  # fmt: skip
_OTHER_SHEET = {
    "soil", "soils", "sediment", "sediments", "sludge", "solids", "leachate", "leachates", "tclp", "splp",
}  # fmt: skip
_RESULTS = {"result", "results", "data", "samples", "no", "non", "not", "without", "excluding", "excl"}
_JOINED = re.compile(r"&|\+|\band\b|\bwith\b|\bno\b|\bnon\b|\bnot\b|\bwithout\b|\bexcl")
_NAMED_CONTROL = re.compile(
    r"\b(?:method|trip|field|equip(?:ment)?|rinsate|rinse|lab(?:oratory)?|instrument|reagent|prep(?:aration)?|storage"
    r"|temperature|cooler|filter|calibration|source water)[ ._-]*(?:blanks?|blk)(?![a-z])"
    r"|(?<![a-z0-9])(?:msd|lcsd?|ccv|ccb|icv|icb)(?![a-z])|\bmatrix[ ._-]+spikes?\b"
    r"|\blab(?:oratory)?[ ._-]+control\b|\brinsates?\b"
)
_SAMPLE_CONTROL = {
    "blank", "blk", "spike", "spiked", "lcs", "lcsd", "msd", "rinsate", "surrogate", "tripblank", "fieldblank",
}  # fmt: skip
_SAMPLE_DUPLICATE = {"dup", "duplicate", "replicate"}
_BEHIND = r"(?:[ ._-]*(?:[0-9]{1,2}|[0-9]{6}|[0-9]{8}))?$"
"""Behind a code nothing, a number or a day; more digits are the number of a laboratory's job."""
_CONTROL_NUMBER = re.compile(r"(?<![a-z])(?:tb|fb|eb|eqb|erb|rb|mb|ms|msd|lcsd?)" + _BEHIND)
_DUPLICATE_NUMBER = re.compile(r"(?<![a-z])(?:fd|dup)" + _BEHIND)
_DESCRIBED_CONTROL = re.compile(
    r"\b(?:blanks?|blk|rinsates?|spikes?|spiked|lcsd?|splits?|proficiency|surrogates?)\b|\blab(?:oratory)? control\b"
)
_DESCRIBED_WORDS = (_WATER_WORDS | _CONTROL_WORDS | _DUPLICATE_WORDS | _LABORATORY_WORDS) - {"with", "without"} | {
    "of", "for", "the", "from", "at", "a", "number", "id", "equipment", "equip", "filter", "reagent", "storage",
    "temperature", "cooler", "source", "di", "deionized", "ambient", "bottle", "vial", "pump", "bailer", "tubing",
}  # fmt: skip
"""Words of which a description is made that says no more than which quality control a sample is."""
_NAMED_DUPLICATE = re.compile(r"\b(?:field|blind) (?:dup\w*|replicate)\b|\b(?:dup\w*|replicate) (?:sample|of)\b")
_OF_A_CONTROL = re.compile(
    r"\b(?:blanks?|blk|rinsates?|spikes?|spiked|dups?|dupes?|duplicates?|replicates?|ms ?/ ?msd|msd|lcsd?|splits?"
    r"|qc sample|control sample|lab(?:oratory)? control|proficiency|surrogates?)\b"
)
_OF_A_RECOVERY = re.compile(
    r"\b(?:matrix |blank )?(?:spikes?|ms ?/ ?msd|msd?|lcsd?|surrogates?|duplicates?|dups?|replicates?)\b[^.;]*?"
    r"\b(?:recover\w*|rpds?|precision)\b"
)
"""What a comment says of the laboratory's own checks, which every sample of a batch has."""
_AN_ID = re.compile(r"\bno\.?\s*(?=#?\d)|\S*\d\S*")


DOUBTED = "unstated and named "
"""What stands for the type of a sample that has none and may be no water of the place; of an ``unknown`` kind."""


@lru_cache(maxsize=4096)
def kind_of(said: str) -> Kind:
    """The kind of a sample by its type as reported; ``""``, no type at all, is a sample of the place."""
    if said.startswith(DOUBTED):
        return "unknown"
    text = said.casefold().replace("quality control", "qc", 1)
    words = _WORD.findall(text)
    plain = " ".join(words)
    if plain in _WATER and not any(letter.isdigit() for letter in text):
        return "water"
    if plain in _DUPLICATE:
        return "duplicate"
    if plain in _CONTROL:
        return "quality_control"
    return _by_words(set(words))


def _by_words(words: set[str]) -> Kind:
    if words & _DUPLICATE_WORDS and not words & _NOT_OF_THE_FIELD:
        return "duplicate"
    if words & (_CONTROL_WORDS | _DUPLICATE_WORDS):
        return "quality_control"
    return "water" if words and words <= _WATER_WORDS else "unknown"


def is_plain(said: str) -> bool:
    """Whether a type says no more than that the sample is an ordinary one of the place."""
    words = set(_WORD.findall(said.casefold()))
    return kind_of(said) == "water" and words <= {"sample", "routine", "regular", "normal", "n"}


@lru_cache(maxsize=4096)
def medium_of(said: str) -> Medium:
    """What was sampled, by its code or in words: ``""`` for water of a place, and where nothing is said."""
    text = said.casefold()
    words = set(_WORD.findall(text))
    if words & _OTHER_MEDIUM or text in _OTHER_CODES:
        return "not_water"
    if words & _CONTROL_MEDIUM or text in _CONTROL_CODES:
        return "quality_control"
    return "" if not text or _WATER_CODE.fullmatch(text) or _WATER_MEDIUM.search(text) else "not_water"


@lru_cache(maxsize=4096)
def not_groundwater(said: str) -> bool:
    """Whether a matrix, a medium or a type names other water, and none from the ground beside it."""
    words = _WORD.findall(said.casefold())
    if any(map(_GROUND.match, words)):
        return False
    return not _OTHER_WATER.isdisjoint(words) or (len(words) == 1 and words[0] in _OTHER_WATER_CODES)


@lru_cache(maxsize=4096)
def named_control(name: str) -> bool:
    """Whether a sample or a place has a name of quality control that no well has: ``Trip Blank``, ``B05 MSD``.

    Codes that are a well's as often (``MB-1``, ``EB-2``) say nothing.
    """
    return _NAMED_CONTROL.search(name.casefold()) is not None


@lru_cache(maxsize=4096)
def kind_by_name(name: str, station: str = "") -> Kind:
    """The kind that the number of a sample names: ``TB-01``, ``FB-062424``, ``MW1FD``, ``MW-1 MS``; else ``unknown``.

    Parameters
    ----------
    station : where it was taken. Its name within the number says nothing (``MB-1`` of the well ``MB-1``), so that of a
        name that is the station's only a phrase as of ``named_control`` tells.
    """
    text, own = name.casefold().strip(), station.casefold().strip()
    if named_control(name):
        return "quality_control"
    if text == own:
        return "unknown"
    rest = (text.replace(own, " ") if own else text).strip(" ._-")
    words = set(_WORD.findall(rest))
    if words & _SAMPLE_CONTROL or _CONTROL_NUMBER.search(rest):
        return "quality_control"
    return "duplicate" if words & _SAMPLE_DUPLICATE or _DUPLICATE_NUMBER.search(rest) else "unknown"


def type_or_doubt(said: str, name: str, station: str) -> str:
    """The type of a sample as reported; without one, of a name like quality control's, that this is in doubt."""
    doubted = not said and kind_by_name(name, station) == "quality_control"
    return f"{DOUBTED}{name}" if doubted else said


DESCRIBED = "described as "
"""What stands for the type of a sample that has none and is described as quality control, or as a duplicate."""


@lru_cache(maxsize=16384)
def described_as(text: str, *, phrase: bool = False) -> Kind:
    """What a text that describes a sample makes of it: ``water`` where it says nothing, ``unknown`` where perhaps.

    ``FIELD BLANK 2``, ``Duplicate of MW-3`` are quality control and a duplicate; ``kitchen tap, field blank taken``
    has a word of it and speaks of more than that, and so does what has a *no* or a *with* in it.

    Parameters
    ----------
    phrase : a comment, which has to say so in a phrase (``Trip blank``): one word may be of another sample.
    """
    said = " ".join(_AN_ID.sub(" ", text.casefold()).replace("_", " ").split())
    if not _OF_A_CONTROL.search(said):
        return "water"
    named = _NAMED_CONTROL.search(said) or _NAMED_DUPLICATE.search(said)
    words = set(_WORD.findall(said))
    if not words <= _DESCRIBED_WORDS or (phrase and not named):
        return "unknown"
    if _DESCRIBED_CONTROL.search(said):
        return "quality_control"
    return kind_of(said) if words & _DUPLICATE_WORDS else "unknown"


@lru_cache(maxsize=4096)
def mentions_control(comment: str) -> bool:
    """Whether a comment has a word of quality control in it that may be of this sample; a recovery is of no sample."""
    return _OF_A_CONTROL.search(_OF_A_RECOVERY.sub(" ", comment.casefold())) is not None


def undoubted(said: str, names: Iterable[str]) -> bool:
    """Whether a doubt falls, since by one of its names the sample is only called like the well it is from.

    Parameters
    ----------
    names : of the well: its id and identifiers.
    """
    name = said.removeprefix(DOUBTED)
    return name != said and any(kind_by_name(name, one) != "quality_control" for one in names)


@lru_cache(maxsize=4096)
def like_control(name: str) -> bool:
    """Whether a place has a word of quality control in its name, as owners and hollows have too: ``Blank Farm``."""
    return bool(set(_WORD.findall(name.casefold())) & _SAMPLE_CONTROL)


def like_duplicate(name: str) -> bool:
    """Whether a place has a word of a duplicate in its name: ``W-101-DUP``."""
    return bool(set(_WORD.findall(name.casefold())) & _SAMPLE_DUPLICATE)


def of_sheet(name: str) -> Medium:
    """What the name of a sheet says of all its rows; ``""`` where it is results, or results beside others."""
    text = name.casefold().replace("qa/qc", "qaqc")
    words = set(_WORD.findall(text))
    if _JOINED.search(text) and words & _RESULTS:
        return ""
    if words & _CONTROL_SHEET:
        return "quality_control"
    return "not_water" if words & _OTHER_SHEET and not _WATER_MEDIUM.search(text) else ""
