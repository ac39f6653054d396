"""GHCN-Daily of NOAA NCEI (``ghcn-daily``): station files of fixed width (``.dly``) and the csv by year.

Rain is in tenths of a millimetre and temperature in tenths of a degree Celsius; both are written in whole units here,
so that 13 becomes 1.3 mm. -9999 is missing. A month always has 31 places; those past its end must be empty. Elements
other than rain and temperature keep their code and raw number. Source: GHCN-Daily readme, sections II and III.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from ingest.cells import BadCell
from ingest.reading import Parts, Source
from ingest.times import civil_day
from ingest.weather.ghcn_flags import TRACE, flags_of
from models.observation import Reject, tidy

ELEMENTS = {
    "PRCP": ("precipitation", "sum", "mm"),
    "TMAX": ("air_temperature_max", "max", "degC"),
    "TMIN": ("air_temperature_min", "min", "degC"),
    "TAVG": ("air_temperature", "mean", "degC"),
}
TENTHS = Decimal("0.1")
MISSING = "-9999"
WIDTH, PLACES = 8, 31
SNIFFED_LINES = 5

_MONTH = re.compile(r"([A-Z]{2}[A-Z0-9_\-]{9})([0-9]{4})([0-9]{2})([A-Z0-9]{4})(.*)")
_BY_YEAR = re.compile(r"([A-Z]{2}[A-Z0-9_\-]{9}),([0-9]{8}),([A-Z0-9]{4}),([^,]*),([^,]*),([^,]*),([^,]*)(?:,([^,]*))?")
_PLACE = re.compile(r"[ \-0-9]{5}.{3}")


@dataclass(frozen=True)
class _Value:
    """One value with its flags, as written."""

    station: str
    day: tuple[int, int, int]
    element: str
    text: str
    measurement: str
    quality: str
    source: str
    time: str = ""


def sniff(head: str) -> bool:
    lines = [line for line in head.split("\n", SNIFFED_LINES)[:SNIFFED_LINES] if line.strip()]
    return bool(lines) and any(_BY_YEAR.fullmatch(line) or _is_month(line) for line in lines)


def parse(source: Source) -> Parts:
    """One value a day and element.

    Raises
    ------
    BadFile : no line is of either layout.
    """
    taken, refused = [], []
    seen = False
    for row, line in enumerate(source.text.split("\n"), 1):
        if not line.strip() or (row == 1 and line.startswith("ID,")):
            continue
        values = list(_values(line))
        seen = seen or bool(values)
        refused += [] if values else [source.reject(row, "", line, "neither a month of 31 values nor a day's csv")]
        for one in values:
            try:
                taken.append((*_observed(one), row))
            except BadCell as bad:
                refused.append(_reject(source, row, one, bad))
    if not seen:
        raise source.bad("no line of GHCN-Daily")
    return Parts(tidy(taken), tuple(refused))


def _reject(source: Source, row: int, one: _Value, bad: BadCell) -> Reject:
    return source.reject(row, f"{one.element} {one.day[2]}", one.text, bad.reason)


def _is_month(line: str) -> bool:
    match = _MONTH.fullmatch(line)
    return match is not None and _PLACE.match(match[5]) is not None


def _values(line: str) -> Iterator[_Value]:
    match = _BY_YEAR.fullmatch(line.strip()) if len(line) < 200 else None
    if match:
        station, day, element, text, *flags = (cell or "" for cell in match.groups())
        yield _Value(station, (int(day[:4]), int(day[4:6]), int(day[6:])), element, text.strip(), *flags)
    elif len(line) <= 21 + WIDTH * PLACES + 3 and _is_month(line):
        yield from _month(line)


def _month(line: str) -> Iterator[_Value]:
    """The 31 places of a month; an empty place past its last day is no day."""
    match = _MONTH.fullmatch(line.ljust(21 + WIDTH * PLACES))
    if match is None:
        return
    year, month = int(match[2]), int(match[3])
    for place in range(PLACES):
        cell = match[5][place * WIDTH : (place + 1) * WIDTH]
        text = cell[:5].strip()
        if text and not (text == MISSING and not _exists(year, month, place + 1)):
            flags = (cell[5].strip(), cell[6].strip(), cell[7].strip())
            yield _Value(match[1], (year, month, place + 1), match[4], text, *flags)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        civil_day(year, month, day)
    except BadCell:
        return False
    return True


def _observed(one: _Value) -> tuple[str, str, str, str, int, str, float, str, str, str]:
    parameter, statistic, unit = ELEMENTS.get(one.element, (f"ghcn:{one.element}", "instant", ""))
    time = civil_day(*one.day)
    whole = _whole(one.text)
    _check_flags(one)
    missing = one.text == MISSING
    if one.element == "PRCP" and whole < 0 and not missing:
        raise BadCell("negative")
    trace = one.element == "PRCP" and one.measurement == TRACE
    text = "" if missing else TRACE if trace else _shown(whole, one.element)
    value = math.nan if missing else 0.0 if trace else float(text)
    words = (MISSING,) if missing else ()
    flags = flags_of(one.measurement, one.quality, one.source, *words, time=one.time).text()
    return (one.station, parameter, statistic, "", time, "day", value, text, unit, flags)


def _check_flags(one: _Value) -> None:
    said = one.measurement + one.quality + one.source + one.time
    if said and not (said.isascii() and said.isalnum()):
        raise BadCell("a flag that is neither letter nor digit")


def _whole(text: str) -> int:
    if re.fullmatch(r"-?[0-9]{1,6}", text) is None:
        raise BadCell("not a whole number")
    return int(text)


def _shown(whole: int, element: str) -> str:
    """Tenths as a decimal: 13 is 1.3."""
    return str(Decimal(whole) * TENTHS) if element in ELEMENTS else str(whole)
