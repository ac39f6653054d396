"""Elements and flags of GHCN-Daily, which NOAA's daily files share.

Source: NOAA NCEI, GHCN-Daily readme, sections III and V. A value that failed a quality check is kept and marked: what
it is worth is for the rule to say.
"""

from __future__ import annotations

from models.observation import Flags

TRACE = "T"
FAILED = "failed-quality-check"


def flags_of(measurement: str, quality: str, source: str, *words: str, time: str = "") -> Flags:
    """M, Q and S flags as facts, a trace and a failed check as qualifiers too."""
    trace = (TRACE,) if measurement == TRACE else ()
    failed = (FAILED,) if quality else ()
    facts = {"m": "" if trace else measurement, "q": quality, "s": source, "observed_at": time}
    return Flags("", tuple(dict.fromkeys((*trace, *words, *failed))), facts)


def from_attributes(text: str, *words: str) -> Flags:
    """The ``M,Q,S[,time]`` cell of a CDO ``…_ATTRIBUTES`` column."""
    cells = [cell.strip() for cell in text.split(",")] + [""] * 4
    return flags_of(cells[0], cells[1], cells[2], *words, time=cells[3])
