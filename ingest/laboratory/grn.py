"""Wisconsin DNR Groundwater Retrieval Network export of laboratory results (``wdnr-grn``).

The standards embedded in the file (enforcement standard, preventive action limit, HAL) are never read: they
have a fixed unit whatever the result's, and go out of date. Layout: as seen in DNR exports.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ingest.cells import BadCell, code_words, coded, number, unit
from ingest.laboratory.names import agreed
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, header_of, read_table, require, take_rows
from ingest.times import civil_day, iso_day
from ingest.wqx.amounts import countable
from ingest.wqx.detection import Limits, Outcome, beside, condition_kind, limit_kind, outcome, reported
from ingest.wqx.texts import Texts, Told, told
from models.observation import Flags
from models.parameters import Parameter, find_parameter

WELL, SAMPLED, CODE = "WI Unique Well #", "Sample Collection Date", "Storet Parameter Code"
DESCRIPTION = "Storet Parameter Description"
AMOUNT, RESULT, UNITS = "Sample Analytical Result Amount", "Result Text", "Units"
TEXTS = ("Sample Description", "Lab Comments")
"""What describes the sample and what the laboratory says of it: the only signs of a blank in this export."""
QUALIFIER, LOD, LOQ, SAMPLE = "Sample Analytical Qualifier", "LOD", "LOQ", "Labslip #/Sample ID"

QUANTIFIED = "normal quantified result"
MAY_BE_NEGATIVE = {"degC", "degF"}

_US_DATE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_CODE = re.compile(r"[0-9]{1,5}")


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
    substance = row.read(CODE, lambda text: _substance(text, row.text(DESCRIPTION)))
    measured_in = row.read(UNITS, lambda text: _unit(text, substance))
    words = _words(row)
    result = _result(row, measured_in, words)
    series = ":".join(part for part in (row.text(CODE).zfill(5), row.text(SAMPLE)) if part)
    flags = _flags(row, result, words)
    return (
        station, substance.id, "instant", series, day, "day",
        result.value, result.text, measured_in, flags, row.number,
    )  # fmt: skip


def _sampled(text: str) -> int:
    """The day of sampling; a clock time after it is not kept (a dated sample is a day's)."""
    day = text.split(" ", maxsplit=1)[0]
    match = _US_DATE.fullmatch(day)
    return civil_day(int(match[3]), int(match[1]), int(match[2])) if match else iso_day(day)


def _substance(text: str, description: str) -> Parameter:
    known = find_parameter("storet", text) if _CODE.fullmatch(text) else None
    if known is None:
        raise BadCell("unknown STORET code")
    agreed(known, description, "")
    return known


def _unit(text: str, substance: Parameter) -> str:
    if not text:
        raise BadCell("blank unit")
    return unit(text, substance.canonical_unit)


def _result(row: Row, measured_in: str, words: tuple[str, ...]) -> Outcome:
    """The word beside a number wins over it, and one that is not understood is refused.

    Raises
    ------
    BadCell : nothing is said, or two things that contradict each other.
    """
    amount, _ = coded(row.text(AMOUNT))
    text = row.text(RESULT)
    value, condition = beside(amount, "" if text.casefold() == QUANTIFIED else text)
    row.read(RESULT, lambda _: condition_kind(condition))
    limits = _limits(row)
    return row.read(AMOUNT, lambda _: _told(value, condition, limits, words, measured_in))


def _told(value: str, condition: str, limits: Limits, words: tuple[str, ...], measured_in: str) -> Outcome:
    said = reported(value, condition)
    countable(said.number, measured_in)
    if said.number and number(said.number) < 0 and measured_in not in MAY_BE_NEGATIVE:
        raise BadCell("negative")
    found = outcome(said, limits, words, measured_in not in MAY_BE_NEGATIVE)
    if found.limit or "ND" not in found.qualifiers or not _positive(said.number):
        return found
    return replace(found, limit=said.number, limit_is=limit_kind(said.number, limits))


def _limits(row: Row) -> Limits:
    """Limits above zero, in the result's unit: the export has one for all."""
    given = {"lod": row.text(LOD), "loq": row.text(LOQ)}
    for column, text in ((LOD, given["lod"]), (LOQ, given["loq"])):
        number_in(row, column, text or "0")
    usable = {kind: text for kind, text in given.items() if _positive(text)}
    return Limits(usable, void=len(usable) < sum(map(bool, given.values())))


def _words(row: Row) -> tuple[str, ...]:
    """The codes of a row; one written behind the number is one of them."""
    return code_words(f"{row.text(QUALIFIER)} {coded(row.text(AMOUNT))[1]}")


def number_in(row: Row, column: str, text: str) -> float:
    """A number, blamed on ``column`` when it is none."""
    return row.read(column, lambda _: number(text))


def _positive(text: str) -> str:
    """The text if it is a number above zero, else nothing."""
    try:
        return text if number(text) > 0 else ""
    except BadCell:
        return ""


def _flags(row: Row, found: Outcome, words: tuple[str, ...]) -> str:
    """Limits as reported. One that is not above zero says nothing and is left out, with a qualifier that says so."""
    limits, texts = _limits(row), _texts(row)
    said = tuple(dict.fromkeys(filter(None, (*found.qualifiers, *words, *limits.marks, texts.mark))))
    limit = {"limit": found.limit, "limit_is": found.limit_is if found.limit else ""}
    kind = {"activity": texts.type, "told": texts.text}
    return Flags("", said, {**limits.by_kind, **limit, "sample": row.text(SAMPLE), **kind}).text()


def _texts(row: Row) -> Told:
    described, comment = (tuple(filter(None, (row.text(column),))) for column in TEXTS)
    return told("", row.text(SAMPLE), row.text(WELL), Texts(describes=described, on_result=comment))
