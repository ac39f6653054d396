"""The html of a VuSitu report (``insitu-vusitu-html``); what its parts mean stands in ``vusitu``.

The page is read as a stream by its ``isi-`` attributes: scripts, styles and pictures in it are never looked at, and
nothing it refers to is opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser

from ingest.cells import counted
from ingest.loggers.grid import Grid, names
from ingest.loggers.vusitu import Report, channels_of, parts
from ingest.reading import Parts, Source
from models.observation import Flags, Reject

TABLE, ROW, QUALITY = "isi-data-table", "isi-data-row", "isi-data-quality"
LABEL, VALUE = "isi-label", "isi-value"
QUALITIES = {
    "1": "user calibration expired", "2": "factory calibration expired", "3": "error", "4": "warm-up",
    "5": "sensor warning",
}  # fmt: skip
"""What a reading that is not normal is marked with (In-Situ, Modbus reference guide, "Data quality IDs")."""
LONGEST_CELL, MOST_PROPERTIES = 300, 200


@dataclass
class _Record:
    row: int
    cells: list[str] = field(default_factory=list)
    qualities: dict[int, str] = field(default_factory=dict)


class _Page(HTMLParser):
    """Properties, column names and records of a report, as they go by."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.properties: dict[str, str] = {}
        self.header: _Record | None = None
        self.records: list[_Record] = []
        self._row: _Record | None = None
        self._text: list[str] | None = None
        self._kind = self._label = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        marks = {name: value or "" for name, value in attrs}
        if tag == "tr":
            self._start_row(marks)
        elif tag == "td" and self._row is not None:
            self._kind, self._text = "cell", []
            if QUALITY in marks:
                self._row.qualities[len(self._row.cells)] = marks[QUALITY]
        elif LABEL in marks or VALUE in marks:
            self._kind, self._text = LABEL if LABEL in marks else VALUE, []

    def _start_row(self, marks: dict[str, str]) -> None:
        self._row = _Record(self.getpos()[0]) if TABLE in marks or ROW in marks else None
        if self._row is not None and ROW in marks:
            self.records.append(self._row)
        elif self._row is not None and self.header is None:
            self.header = self._row

    def handle_data(self, data: str) -> None:
        if self._text is not None and len(self._text) < LONGEST_CELL:
            self._text.append(data[:LONGEST_CELL])

    def handle_endtag(self, tag: str) -> None:
        if self._text is not None and (tag == "td" or self._kind != "cell"):
            text, self._text = " ".join("".join(self._text).split())[:LONGEST_CELL], None
            self._take(text)
        if tag == "tr":
            self._row = None

    def _take(self, text: str) -> None:
        """A cell, a label, or the value of the label before it; of two of one label the first stands."""
        if self._kind == "cell" and self._row is not None:
            self._row.cells.append(text)
        elif self._kind == LABEL:
            self._label = text.casefold()
        elif self._kind == VALUE and self._label and len(self.properties) < MOST_PROPERTIES:
            self.properties.setdefault(self._label, text)


def sniff(head: str) -> bool:
    return head.lstrip("\ufeff \n\t")[:1] == "<" and TABLE in head


def parse(source: Source) -> Parts:
    """Every column that is known.

    Raises
    ------
    BadFile : no data table in the page, and as ``vusitu.parts``.
    """
    page = _Page()
    page.feed(source.text)
    page.close()
    if page.header is None or not page.header.cells:
        raise source.bad("a page without a table of data")
    columns = names(source, page.header.cells, page.header.row)
    report = Report(page.properties, columns, page.header.row)
    channels, rejects = channels_of(source, report)
    fitting, misfits = _fitting(source, columns, page.records, len(channels))
    cells = {name: [one.cells[place] for one in fitting] for place, name in enumerate(columns)}
    table = Grid([one.row for one in fitting], cells)
    return parts(source, report, channels, table, [*rejects, *misfits], _flags(columns, fitting))


def _fitting(
    source: Source, columns: Sequence[str], records: Sequence[_Record], lost: int
) -> tuple[list[_Record], list[Reject]]:
    """Records with a cell for each column."""
    fitting: list[_Record] = []
    rejects: list[Reject] = []
    for one in records:
        if len(one.cells) == len(columns):
            fitting.append(one)
        else:
            reason = f"{counted(len(one.cells), 'cell')} where the header has {len(columns)}"
            rejects.append(source.reject(one.row, "", " ".join(one.cells[:20]), reason, lost))
    return fitting, rejects


def _flags(columns: Sequence[str], records: Sequence[_Record]) -> dict[str, list[str]]:
    """Qualities of the readings of each column that has any."""
    marked = {place for one in records for place in one.qualities if place < len(columns)}
    return {columns[place]: [_quality(one.qualities.get(place, "0")) for one in records] for place in marked}


@lru_cache(maxsize=100)
def _quality(code: str) -> str:
    """A normal reading (0) carries no word."""
    word = QUALITIES.get(code, f"quality {code}"[:LONGEST_CELL])
    return "" if code in {"", "0"} else Flags(qualifiers=(word,)).text()
