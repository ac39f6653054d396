"""What kind of sample a result is of: water of the place, a field duplicate, quality control, or nobody knows.

Words and codes as laboratories' deliverables, EPA WQX (``ActivityType``), USGS and EQuIS (``sample_type_code``) write
them. A code of this list is matched whole; of longer words the one that makes a sample no plain water decides.
"""

from __future__ import annotations

import re
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
_DUPLICATE_WORDS = {"duplicate", "duplicates", "dup", "dupe", "replicate", "replicates", "rep"}
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


@lru_cache(maxsize=4096)
def kind_of(said: str) -> Kind:
    """The kind of a sample by its type as reported; ``""``, no type at all, is a sample of the place."""
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
