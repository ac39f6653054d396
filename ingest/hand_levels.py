"""Hand-measured water levels: one tape reading a row (``hand-levels``).

Observers' names and comments are people's text and are not kept.
"""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from io import StringIO

from ingest.cells import BadCell, Measurement, dotted, plain
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, header_of, read_table, require, row_time, take_rows
from models.observation import Flags

HEADER = (
    "well", "date", "time", "timezone", "depth_to_water_ft", "reference", "status", "observer", "comment",
)  # fmt: skip
REFERENCES = {"MP": "depth_below_mp", "LS": "depth_to_water"}
STATUSES = {"": "", "DRY": "Dry", "OBSTRUCTED": "Obstructed", "PUMPING": "Pumping"}


def sniff(head: str) -> bool:
    return HEADER in {header_of(head), in_semicolons(head)}


def in_semicolons(head: str) -> tuple[str, ...]:
    """Column names of a first line that is parted by semicolons, as a spreadsheet of a decimal comma writes it."""
    return tuple(name.strip() for name in head.lstrip("\ufeff").partition("\n")[0].split(";"))


def in_commas(source: Source, header: tuple[str, ...]) -> Source:
    """A sheet with this header parted by semicolons as one parted by commas, its decimal commas as points."""
    if in_semicolons(source.text) != header:
        return source
    feet = {place for place, name in enumerate(header) if name.endswith("_ft")}
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    try:
        for cells in csv.reader(StringIO(source.text.lstrip("\ufeff"), newline=""), delimiter=";"):
            writer.writerow(dotted(cell) if place in feet else cell for place, cell in enumerate(cells))
    except csv.Error as bad:
        raise source.bad(f"a line that cannot be split at its semicolons ({bad})") from None
    return replace(source, text=written.getvalue())


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
    found = row.read("depth_to_water_ft", lambda text: _depth(text, status))
    flags = Flags(qualifiers=(status,) if status else ()).with_words(found.qualifiers).text()
    parameter = row.read("reference", reference_of)
    well = row.required("well")
    return (well, parameter, "instant", "", time_ms, clock, found.value, found.text, "ft", flags, row.number)


def status_of(text: str) -> str:
    """The word kept for a status of a hand sheet.

    Raises
    ------
    BadCell : none of ``STATUSES``.
    """
    try:
        return STATUSES[text.upper()]
    except KeyError:
        raise BadCell(f"unknown status; allowed: blank, {', '.join(filter(None, STATUSES))}") from None


def reference_of(text: str) -> str:
    """The parameter of a depth below a reference.

    Raises
    ------
    BadCell : none of ``REFERENCES``.
    """
    try:
        return REFERENCES[text.upper()]
    except KeyError:
        raise BadCell("unknown reference; allowed: MP (measuring point), LS (land surface)") from None


def _depth(text: str, status: str) -> Measurement:
    """A dry well has no depth to water, whatever depth the tape reached."""
    if not text and not status:
        raise BadCell("blank, and no status says why")
    found = plain(text) if text else Measurement(math.nan, "")
    return replace(found, value=math.nan) if status == "Dry" else found
