"""Wisconsin DNR Groundwater Retrieval Network export of laboratory results (``wdnr-grn``).

The standards embedded in the file (enforcement standard, preventive action limit, HAL) are never read: they
have a fixed unit whatever the result's, and go out of date. Layout: as seen in DNR exports.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal

from ingest.cells import NUMBER_PATTERN, BadCell, code_words, number, unit
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, header_of, read_table, require, take_rows
from ingest.times import civil_day, iso_day
from models.observation import Flags
from models.parameters import Parameter, find_parameter
from models.qualifiers import said_by

WELL, SAMPLED, CODE = "WI Unique Well #", "Sample Collection Date", "Storet Parameter Code"
AMOUNT, RESULT, UNITS = "Sample Analytical Result Amount", "Result Text", "Units"
QUALIFIER, LOD, LOQ, SAMPLE = "Sample Analytical Qualifier", "LOD", "LOQ", "Labslip #/Sample ID"

NON_DETECTS = {"nd", "non-detect", "non detect", "not detected", "none detected"}
BETWEEN = "DETECT BETWEEN LOD & LOQ"
MAY_BE_NEGATIVE = {"degC", "degF"}

_BELOW = re.compile(rf"(?:ND)?\s*<\s*({NUMBER_PATTERN})", re.IGNORECASE)
_US_DATE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_CODE = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True)
class _Result:
    """What the laboratory said: a number, or NaN with the limit it lies below (``""`` if none was given)."""

    value: float
    text: str
    qualifiers: tuple[str, ...] = ()
    limit: str = ""


def sniff(head: str) -> bool:
    return {WELL, CODE} <= set(header_of(head))


def parse(source: Source) -> Parts:
    """One result a row, by well, STORET code, sample and sampling day: two samples of one day are two results.

    Raises
    ------
    BadFile : a needed column is missing.
    """
    table = read_table(source)
    require(source, table, WELL, SAMPLED, CODE, AMOUNT, RESULT, UNITS, QUALIFIER, LOD, LOQ, SAMPLE)
    return take_rows(source, table, _observation)


def _observation(row: Row) -> Observation:
    station, day = row.required(WELL), row.read(SAMPLED, _sampled)
    substance = row.read(CODE, _substance)
    measured_in = row.read(UNITS, lambda text: _unit(text, substance))
    result = _result(row, measured_in)
    series = ":".join(part for part in (row.text(CODE).zfill(5), row.text(SAMPLE)) if part)
    flags = _flags(row, result)
    return (
        station, substance.id, "instant", series, day, "day",
        result.value, result.text, measured_in, flags, row.number,
    )  # fmt: skip


def _sampled(text: str) -> int:
    """The day of sampling; a clock time after it is not kept (a dated sample is a day's)."""
    day = text.split(" ", maxsplit=1)[0]
    match = _US_DATE.fullmatch(day)
    return civil_day(int(match[3]), int(match[1]), int(match[2])) if match else iso_day(day)


def _substance(text: str) -> Parameter:
    known = find_parameter("storet", text) if _CODE.fullmatch(text) else None
    if known is None:
        raise BadCell("unknown STORET code")
    return known


def _unit(text: str, substance: Parameter) -> str:
    if not text:
        raise BadCell("blank unit")
    return unit(text, substance.canonical_unit)


def _result(row: Row, measured_in: str) -> _Result:
    """The detection condition wins over the number beside it."""
    reported = row.text(AMOUNT) or row.text(RESULT)
    below = _BELOW.fullmatch(reported)
    if below:
        return _Result(math.nan, reported, ("<",), row.read(AMOUNT, lambda _: _limit(below[1])))
    if reported.casefold() in NON_DETECTS or row.text(RESULT).casefold() in NON_DETECTS:
        return _Result(math.nan, "ND", ("ND",), _positive(row.text(AMOUNT)))
    if not reported:
        raise BadCell("blank", AMOUNT)
    value = number_in(row, AMOUNT, reported)
    if said_by(code_words(row.text(QUALIFIER))) & {"not_seen", "below"}:
        return _Result(math.nan, f"<{reported}", ("<",), _limit(reported))
    if measured_in in MAY_BE_NEGATIVE:
        return _Result(value, reported)
    return _measured(row, value, reported)


def _measured(row: Row, value: float, reported: str) -> _Result:
    if value < 0:
        raise BadCell("negative", AMOUNT)
    if value > 0:
        between = ("between-LOD-LOQ",) if row.text(RESULT).upper() == BETWEEN else ()
        return _Result(value, reported, between)
    if not _positive(row.text(LOD)):
        raise BadCell("zero without detection information", AMOUNT)
    return _Result(math.nan, reported, ("ND",))


def number_in(row: Row, column: str, text: str) -> float:
    """A number, blamed on ``column`` when it is none."""
    return row.read(column, lambda _: number(text))


def _limit(text: str) -> str:
    number(text)
    return text


def _positive(text: str) -> str:
    """The text if it is a number above zero, else nothing."""
    try:
        return text if number(text) > 0 else ""
    except BadCell:
        return ""


def _flags(row: Row, result: _Result) -> str:
    """Limits as reported. One that is not above zero says nothing and is left out, with a qualifier that says so."""
    given = {"lod": row.text(LOD), "loq": row.text(LOQ), "limit": result.limit}
    for column, text in ((LOD, given["lod"]), (LOQ, given["loq"])):
        number_in(row, column, text or "0")
    usable = {name: _positive(text) for name, text in given.items()}
    void = ("limit-not-positive",) if any(given[name] and not usable[name] for name in given) else ()
    kind = {"limit_is": _limit_kind(usable)} if usable["limit"] else {}
    words = tuple(word for word in code_words(row.text(QUALIFIER)) if word not in result.qualifiers)
    return Flags("", (*result.qualifiers, *words, *void), {**usable, **kind, "sample": row.text(SAMPLE)}).text()


def _limit_kind(usable: dict[str, str]) -> str:
    return "lod" if usable["lod"] and Decimal(usable["lod"]) == Decimal(usable["limit"]) else "rl"
