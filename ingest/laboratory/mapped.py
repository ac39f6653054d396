"""A table of results that no format knows, read through a small TOML file (``headwater read FILE --map MAP.toml``).

::

    date_order = "mdy"                  # where the dates do not tell

    [columns]                           # heading = what it says (fields of ``ingest.laboratory.headings.Record``)
    "Sample No." = "sample"
    "Well" = "station"
    "Taken" = "day"

    [substances]                        # heading of a column that holds one substance
    "Cl-" = { parameter = "chloride", unit = "mg/L" }

    [constants]                         # field = text of every row
    type = "Routine"

    [marks]                             # what stands before a number = a detection condition
    "*" = "Not Detected"

Nothing beyond it is supposed: a column that the map does not name is not read, and is named as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pydantic import Field

from ingest.cells import BadCell
from ingest.headings import Measured
from ingest.laboratory.grid import Cells, Grid, cells_of, first_lines, read_grid
from ingest.laboratory.headings import FIELDS, Record, not_read
from ingest.laboratory.results import Layout, results
from ingest.laboratory.words import subject_of
from ingest.reading import DateOrder, Parts, Source
from ingest.wqx.detection import CONDITIONS
from models.errors import BadFile
from models.parameters import parameters
from models.toml_file import Noun, read_noun

NAME = "mapped-table"
EXAMPLE = '[columns] "Well" = "station" "Sampled" = "day" "Analyte" = "analyte" "Conc" = "value" "Unit" = "unit"'
"""A small map, each of its entries to be a line of its own."""
_LINES = 25


class Substance(Noun):
    """What a column holds: an id or name of the vocabulary, and its unit with the basis (``mg/L as N``)."""

    parameter: str
    unit: str


class MapFile(Noun):
    """The file as written."""

    columns: dict[str, str]
    substances: dict[str, Substance] = Field(default_factory=dict)
    constants: dict[str, str] = Field(default_factory=dict)
    marks: dict[str, str] = Field(default_factory=dict)
    date_order: DateOrder | None = None


@dataclass(frozen=True)
class TableMap:
    """A map that was checked: column by field, substances by column, constants, marks."""

    file: str
    roles: dict[str, str]
    measured: tuple[Measured, ...]
    constants: dict[str, str]
    marks: dict[str, str]
    order: DateOrder | None

    def sniff(self, head: str) -> bool:
        """Whether a line near the beginning has every heading of the map."""
        return any(self._missing(cells_of(line)) == [] for _, line in first_lines(head, 1))

    def parse(self, source: Source) -> Parts:
        """Every result of a table.

        Raises
        ------
        BadFile : a heading of the map is not in the table; names the map, its key and the heading.
        """
        grid = read_grid(source, self._header_line(source), distinct=False)
        for column in self._missing(grid.header):
            field = next((field for field, own in self.roles.items() if own == column), "substances")
            raise BadFile(
                "the table has no such column", file=self.file, key=field, found=column, allowed=grid.header[:40]
            )
        self._once(grid)
        told = source.told if source.told.date_order else replace(source.told, date_order=self.order)
        marked = partial(_unmarked, self.marks) if self.marks else None
        layout = Layout(
            replace(source, told=told), self.roles, self.measured, self.constants, None, marked, mapped=True
        )
        parts = results(layout, grid)
        unread = ", ".join(not_read(grid.header, self.roles, self.measured, mapped=True))
        return replace(parts, facts={"columns_not_read": unread, **parts.facts} if unread else parts.facts)

    def _headings(self) -> list[str]:
        return [*self.roles.values(), *(one.column for one in self.measured)]

    def _missing(self, header: Cells) -> list[str]:
        return [column for column in self._headings() if column not in header]

    def _header_line(self, source: Source) -> int | None:
        """The line with most of the map's headings."""
        lines = first_lines(source.text, _LINES)
        return min(lines, key=lambda one: len(self._missing(cells_of(one[1]))), default=(None, ""))[0]

    def _once(self, grid: Grid) -> None:
        twice = next((column for column in self._headings() if grid.header.count(column) > 1), "")
        if twice:
            raise BadFile("the table has two columns of this name", file=self.file, key=twice)


def load_map(path: Path) -> TableMap:
    """Read and check a map.

    Raises
    ------
    BadFile : not a map; one line naming file, key, what was found and what is allowed.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as failed:
        raise BadFile("the map cannot be read", file=path.name, found=type(failed).__name__) from None
    try:
        written = read_noun(MapFile, text, file=path.name, error=BadFile)
    except BadFile as wrong:
        reason = f"{wrong.reason}; a map is written as {EXAMPLE}, each on a line of its own"
        raise BadFile(reason, file=path.name, row=wrong.row, key=wrong.key, found=wrong.found,
                      allowed=wrong.allowed) from None  # fmt: skip
    _known_fields(written, path.name)
    roles = {field: column for column, field in written.columns.items()}
    if len(roles) < len(written.columns):
        twice = next(one for one in roles if list(written.columns.values()).count(one) > 1)
        raise BadFile("two columns for one field", file=path.name, key="columns", found=twice)
    _enough(written, path.name)
    measured = tuple(_measured(written, path.name))
    return TableMap(path.name, roles, measured, dict(written.constants), dict(written.marks), written.date_order)


def _known_fields(written: MapFile, file: str) -> None:
    for column, field in written.columns.items():
        if field not in FIELDS:
            raise BadFile("no such field", file=file, key=f"columns.{column}", found=field, allowed=FIELDS)
    for field in written.constants:
        if field not in FIELDS or field in written.columns.values():
            reason = "no such field" if field not in FIELDS else "both a column and a constant"
            raise BadFile(reason, file=file, key=f"constants.{field}", found=field, allowed=FIELDS)
    for mark, condition in written.marks.items():
        if condition.casefold() not in CONDITIONS:
            raise BadFile("unknown detection condition", file=file, key=f"marks.{mark}", found=condition)


def _enough(written: MapFile, file: str) -> None:
    """A result is a value of a named substance, or a column for each substance; not both."""
    fields = {*written.columns.values(), *written.constants}
    if ("value" in fields) == bool(written.substances):
        raise BadFile("give a column for value, or columns for substances", file=file, key="columns")


def _measured(written: MapFile, file: str) -> Iterator[Measured]:
    for column, one in written.substances.items():
        key = f"substances.{column}"
        try:
            found = subject_of(one.parameter, "", "", one.unit, "")
        except BadCell as bad:
            raise BadFile(bad.reason, file=file, key=f"{key}.unit", found=one.unit) from None
        if found.parameter not in parameters():
            raise BadFile("unknown parameter", file=file, key=f"{key}.parameter", found=one.parameter)
        yield Measured(column, found.parameter, found.unit, found.fraction)


def _unmarked(marks: dict[str, str], one: Record) -> Record:
    """``*0.007`` as a number under the condition that its mark means."""
    for mark, condition in marks.items():
        if one.value.startswith(mark):
            return one._replace(value=one.value.removeprefix(mark).strip(), condition=condition)
    return one
