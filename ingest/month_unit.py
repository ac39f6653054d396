"""What pumped water is measured in: units of volume and their multiples, and what a month's number in one of them is.

A register or a report counts in thousands of gallons as often as in gallons: ``kgal``, ``x1000 gal``, ``acre-ft``. A
unit in the name of a column that nobody here understands refuses the table, whatever a person says beside it.

``gpm`` over a month's number is written for gallons per minute and for gallons per month, and months called a rate
whose year is their sum are volumes by their numbers. Neither is guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from ingest.cells import BadCell, unit
from ingest.headings import parameter_of
from ingest.reading import Source
from ingest.table import Row

VOLUME, RATE = "withdrawal", "pumping_rate"
UNSAID = "1"
SETTLE = "say which with --unit: gal where they are volumes, gpm where they are mean rates"
MINUTE_OR_MONTH = f"a month's number in gpm: gallons per minute, or gallons per month? {SETTLE}"
_BREAK = re.compile(r"[\s_()\[\],.]+")
_TEN = r"1(?:,?0)*|0?\.0*1"
POWER_OF_TEN = re.compile(_TEN)
_TIMES_UNIT = re.compile(rf"[x×*]?\s*(?P<ten>{_TEN})\s*[x×*]?\s*(?P<unit>[A-Za-z].*)", re.IGNORECASE)
_UNIT_TIMES = re.compile(rf"(?P<unit>.*\S)\s*[x×*]\s*(?P<ten>{_TEN})", re.IGNORECASE)
_FT3_IN_ACRE_FT = 43_560
_NAMED = {
    "kgal": (1000, "gal"), "mgal": (1_000_000, "gal"), "cf": (1, "ft3"), "cubic feet": (1, "ft3"),
    "cubic meters": (1, "m3"), "ccf": (100, "ft3"), "hcf": (100, "ft3"), "hundred cubic feet": (100, "ft3"),
    "hundred gallons": (100, "gal"), "thousand gallons": (1000, "gal"), "thousands of gallons": (1000, "gal"),
    "thousand gal": (1000, "gal"), "million gallons": (1_000_000, "gal"), "million gal": (1_000_000, "gal"),
    "millions of gallons": (1_000_000, "gal"),
} | dict.fromkeys(
    ("acre-ft", "acre ft", "acre-feet", "acre feet", "acre-foot", "acre foot", "ac-ft", "ac ft", "acft", "af"),
    (_FT3_IN_ACRE_FT, "ft3"),
)  # fmt: skip
"""Multiples by their own name, each as so many of a unit. ``Mgal`` is the USGS's million gallons."""
_WORDS = {
    "volume", "volumes", "withdrawal", "withdrawals", "withdrawn", "wdrl", "pumped", "pumpage", "pumping",
    "abstraction", "value", "values", "discharge", "rate", "water", "use", "used", "total", "sum", "annual", "yearly",
    "year", "monthly", "month", "reported", "metered", "measured", "amount", "quantity", "average", "mean", "avg", "in",
    "of", "the", "well", "groundwater", "production",
}  # fmt: skip
"""Words in the name of a column that are no part of a unit."""
_MONTH = re.compile(r"^[^A-Za-z]*[A-Za-z]+[^A-Za-z0-9]*")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3})")
_A_YEAR = re.compile(r"(?:19|20)[0-9]{2}")


@dataclass(frozen=True)
class Measure:
    """A parameter with its statistic over a month, the unit of the file, and how many of it one step of a number is."""

    parameter: str
    statistic: str
    unit: str
    times: Decimal = Decimal(1)


@lru_cache(maxsize=256)
def counted(text: str) -> tuple[Decimal, str]:
    """What one step of a register is: ``x1000 gal`` is (1000, gal).

    Raises
    ------
    BadCell : blank, or no unit of volume.
    """
    if not text:
        raise BadCell("blank unit")
    ten, spelling = _NAMED.get(text.casefold(), (None, text))
    match = None if ten else _TIMES_UNIT.fullmatch(text) or _UNIT_TIMES.fullmatch(text)
    if match and match["unit"].strip().casefold() in _NAMED:
        raise BadCell("a multiple of a multiple")
    times = Decimal(ten or (match["ten"].replace(",", "") if match else 1))
    return times, unit(match["unit"].strip() if match else spelling, "gal")


def is_volume(named: str) -> bool:
    """Whether a unit is one of volume."""
    try:
        return bool(counted(named))
    except BadCell:
        return False


def unit_in(column: str, *, behind_a_month: bool = False) -> str:
    """The unit of volume or rate that a column's name ends in; ``""`` where it names none.

    Raises
    ------
    BadCell : words that are neither a unit nor what is measured: they may be a unit, and are not dropped.
    """
    name = _MONTH.sub("", column) if behind_a_month else column
    words = [one for one in _BREAK.split(_THOUSANDS.sub("", name)) if one]  # MG is a million gallons, and mg is none
    while words and (words[0].casefold() in _WORDS or _A_YEAR.fullmatch(words[0])):
        words = words[1:]
    spelling = " ".join(words)
    found = _in(spelling, "gal") or _in(spelling, "gpm")
    if not spelling or found or is_volume(spelling):
        return found or spelling
    raise BadCell(f"'{spelling}' in the name of {column} is no unit of volume or rate that is known here")


def measure_of(source: Source, named: str) -> Measure:
    """What a unit makes of a month's number; what a person said stands where the file says none, or gpm.

    Raises
    ------
    BadCell : gpm, and nobody has said what is meant; or a unit of neither volume nor rate.
    """
    told = source.told
    if _in(named, "gpm") == "gpm" and not told.unit:
        raise BadCell(MINUTE_OR_MONTH)
    chosen = told.unit if named == "" or _in(named, "gpm") == "gpm" else named
    if chosen and not is_volume(chosen):
        return Measure(RATE, "mean", unit(chosen, "gpm"))
    times, plain = counted(chosen) if chosen else (Decimal(1), UNSAID)
    return Measure(parameter_of(told.parameter) if told.parameter else VOLUME, "sum", plain, times)


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
    return text if not text or is_volume(text) else unit(text, "gpm")


def _in(spelling: str, canonical: str) -> str | None:
    try:
        return unit(spelling, canonical)
    except BadCell:
        return None
