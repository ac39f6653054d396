"""What a table of months measures, by its unit: volumes, mean rates, or a contradiction that a person must settle.

``gpm`` over a month's number is written for gallons per minute and for gallons per month, and months called a rate
whose year is their sum are volumes by their numbers. Neither is guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.cells import BadCell, unit
from ingest.headings import parameter_of
from ingest.reading import Source
from ingest.table import Row

VOLUME, RATE = "withdrawal", "pumping_rate"
UNSAID = "1"
SETTLE = "say which with --unit: gal where they are volumes, gpm where they are mean rates"
MINUTE_OR_MONTH = f"a month's number in gpm: gallons per minute, or gallons per month? {SETTLE}"
_BREAK = re.compile(r"[\s_()\[\],.]+")


@dataclass(frozen=True)
class Measure:
    """A parameter with its statistic over a month, and the unit of the file."""

    parameter: str
    statistic: str
    unit: str


def is_volume(named: str) -> bool:
    """Whether a unit is one of volume."""
    return _in(named, "gal") is not None


def unit_in(column: str, after: int = 0) -> str:
    """The unit of volume or rate that a column's name ends in, behind so many words; ``""`` where it names none."""
    words = [one for one in _BREAK.split(column) if one]  # MG is a million gallons, and mg is none
    spellings = (" ".join(words[cut:]) for cut in range(after, len(words)))
    return next((found for one in spellings for canonical in ("gal", "gpm") if (found := _in(one, canonical))), "")


def measure_of(source: Source, named: str) -> Measure:
    """What a unit makes of a month's number; what a person said stands where the file says none, or gpm.

    Raises
    ------
    BadCell : gpm, and nobody has said what is meant; or a unit of neither volume nor rate.
    """
    told = source.told
    if named == "gpm" and not told.unit:
        raise BadCell(MINUTE_OR_MONTH)
    chosen = told.unit if named in {"", "gpm"} else named
    if chosen and not is_volume(chosen):
        return Measure(RATE, "mean", unit(chosen, "gpm"))
    return Measure(parameter_of(told.parameter) if told.parameter else VOLUME, "sum", chosen or UNSAID)


class Units:
    """What each row measures: by the unit in the columns' names, else by its own cell, else as told.

    Raises
    ------
    BadFile : the names contradict the table.
    """

    def __init__(self, source: Source, column: str, named: str) -> None:
        self.source, self.column = source, column
        self.whole = None if column and not named else self._of_names(named)

    def of(self, row: Row) -> Measure:
        """Of one row; a refusal names the cell with the unit."""
        return self.whole or row.read(self.column, lambda text: measure_of(self.source, _spelt(text)))

    def _of_names(self, named: str) -> Measure:
        try:
            return measure_of(self.source, named)
        except BadCell as bad:
            raise self.source.bad(bad.reason, found=named or self.source.told.unit) from None


def _spelt(text: str) -> str:
    return (_in(text, "gal") or unit(text, "gpm")) if text else ""


def _in(spelling: str, canonical: str) -> str | None:
    try:
        return unit(spelling, canonical)
    except BadCell:
        return None
