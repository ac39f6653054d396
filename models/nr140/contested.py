"""A result that somebody has shown reason to doubt (NR 140.14(1)(b)): it stays a finding, and says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

PARAGRAPH = "140.14(1)(b)"


@dataclass(frozen=True)
class Contested:
    """One contested result, as a recorded act names it.

    Parameters
    ----------
    substance : as reported, or the substance of the standard it is compared with.
    sampled : civil day of the sample; ``sample`` its number, ``""`` for every sample of that day.
    on : civil day of the act; ``by`` whose act it is.
    """

    station: str
    substance: str
    sampled: date
    on: date
    reason: str
    sample: str = ""
    by: str = ""

    def meets(self, station: str, substances: Iterable[str], sampled: date, sample: str) -> bool:
        """Whether a result of these substances (its own, its standard's, the members of a sum) is the one contested."""
        same = (self.station, self.sampled) == (station, sampled) and self.sample in {"", sample}
        return same and self.substance in set(substances)
