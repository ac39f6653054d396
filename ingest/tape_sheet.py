"""Steel-tape sheets of hold and cut (``tape-sheet``): the mark held at the measuring point, and the mark that got wet.

Depth = hold - cut + tape correction. Source: USGS, Groundwater technical procedures (TM 1-A1), GWPD 1, "Measuring water
levels by use of a graduated steel tape". The correction is that of the tape's calibration, signed as it is added. Hold,
cut and correction are kept as facts. Observers' names and comments are people's text and are not kept.
"""

from __future__ import annotations

import math
from decimal import Decimal

from ingest.cells import BadCell, is_sentinel, number
from ingest.hand_levels import in_commas, in_semicolons, reference_of, status_of
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, header_of, read_table, require, row_time, take_rows
from models.observation import Flags

HEADER = (
    "well", "date", "time", "timezone", "hold_ft", "cut_ft", "tape_correction_ft", "reference", "status", "observer",
    "comment",
)  # fmt: skip
HOLD, CUT, CORRECTION = "hold_ft", "cut_ft", "tape_correction_ft"


def sniff(head: str) -> bool:
    return HEADER in {header_of(head), in_semicolons(head)}


def parse(source: Source) -> Parts:
    """Depths below the measuring point (MP) or the land surface (LS) [ft].

    Raises
    ------
    BadFile : not this header.
    """
    table = read_table(in_commas(source, HEADER))
    require(source, table, *HEADER)
    return take_rows(source, table, _reading)


def _reading(row: Row) -> Observation:
    time_ms, clock = row_time(row, "date", "time")
    status = row.read("status", status_of)
    parameter = row.read("reference", reference_of)
    depth = _depth(row, status)
    facts = {name.removesuffix("_ft"): row.text(name) for name in (HOLD, CUT, CORRECTION)}
    flags = Flags(qualifiers=(status,) if status else (), facts=facts).text()
    value = math.nan if depth is None else float(depth)
    text = "" if depth is None else format(depth, "f")
    return (row.required("well"), parameter, "instant", "", time_ms, clock, value, text, "ft", flags, row.number)


def _depth(row: Row, status: str) -> Decimal | None:
    """Depth [ft], in decimals; None where a status says why there is none: a dry well has no depth to water."""
    held, wet = row.read(HOLD, _mark), row.read(CUT, _mark)
    correction = row.read(CORRECTION, _mark) or Decimal(0)
    if status == "Dry" or (status and (held is None or wet is None)):
        return None
    if held is None or wet is None:
        raise BadCell("blank, and no status says why", HOLD if held is None else CUT)
    if wet > held:
        raise BadCell("the tape is wet above the mark that was held", CUT)
    return held - wet + correction


def _mark(text: str) -> Decimal | None:
    if not text:
        return None
    if is_sentinel(number(text)):
        raise BadCell("a number that stands for no reading")
    return Decimal(text)
