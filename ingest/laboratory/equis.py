"""EQuIS deliverables of several sections (``equis-edd``): samples, tests, results and batches, joined by their keys.

One delivery is a workbook, a zip or a folder: EFW2 (LabSMP, LabTST, LabRES, LabBCH), EQEDD (LabSample, TestResultsQC,
TestBatch) and the layouts that EPA regions made of them (Region 5: SMP, TRSQC or TST and RES, BCH). Sections are told
by their columns, whatever their sheets or files are called. A result names its sample by ``sys_sample_code`` alone;
where and when the water was taken, and whether it is quality control, stand in the sample section, so that a result
file by itself says nothing of a place and is refused.

No real deliverable stood behind this reader: columns follow the public definitions (EPA Region 5, Electronic data
deliverable comprehensive specification manual 4.3, 2020; EarthSoft, EQEDD format). A text file without a header row is
read by the column order of version 3 of those sections.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Literal, NoReturn

from ingest.headings import plain_name
from ingest.laboratory.equis_columns import (
    ROLES,
    SAMPLE_COLUMNS,
    TEST_COLUMNS,
    TEST_KEY,
    V3_BATCH,
    V3_RESULT,
    V3_SAMPLE,
    mended,
)
from ingest.laboratory.grid import Cells, Grid, cells_of, first_lines, read_grid, read_headless
from ingest.laboratory.headings import lab_roles
from ingest.laboratory.results import Layout, results
from ingest.packed.delivery import Delivery, Sheet
from ingest.packed.tables import NEXT_SHEET, counted_on, joined
from ingest.packed.unread import left_out
from ingest.reading import Parts, Source
from ingest.table import in_order
from models.errors import BadFile
from models.observation import Reject

Kind = Literal["sample", "test", "result", "batch", ""]
KEY = "sys_sample_code"
ALONE = "an EQuIS {} section alone: deliver it with its {} section, in one workbook or zip"
_LINES = 5
_HEADLESS: tuple[tuple[re.Pattern[str], Cells], ...] = (
    (re.compile(r"test_?result|trsqc|tst_?res", re.IGNORECASE), V3_RESULT),
    (re.compile(r"batch|bch", re.IGNORECASE), V3_BATCH),
    (re.compile(r"sample|smp", re.IGNORECASE), V3_SAMPLE),
)


@dataclass(frozen=True)
class Section:
    """One section: its rows under plain column names."""

    kind: Kind
    sheet: Sheet
    grid: Grid


def refuse_alone(source: Source) -> None:
    """Refuse one section as a text file by itself; a file of another kind is let pass.

    Raises
    ------
    BadFile : naming the section that is missing.
    """
    kind: Kind = next((_kind(cells_of(line)) for _, line in first_lines(source.text, 1)), "")
    if kind:
        _refuse(source.file, kind)


def sniff_delivery(delivery: Delivery) -> bool:
    return any(_kind(_header(one)) == "result" for one in delivery.sheets)


def parse_delivery(delivery: Delivery) -> Parts:
    """Results with their samples and tests.

    Raises
    ------
    BadFile : no sample section, or two of one kind where one is meant.
    """
    sections = [one for sheet in delivery.sheets if (one := _section(sheet)) is not None]
    samples, tests, found, _ = ([one for one in sections if one.kind == kind] for kind in _KINDS)
    if not samples:
        _refuse(delivery.file, "result")
    parts = [_of_results(one, place, samples, tests) for place, one in enumerate(found)]
    known = {one.sheet.name for one in sections}
    others = [one for one in delivery.sheets if one.name not in known]
    facts = {
        "sections": ", ".join(f"{one.kind} {one.sheet.name}" for one in sections),
        "sheets_not_read": ", ".join(one.name for one in others),
        "not_read": ", ".join(delivery.unread),
        "samples_without_results": ", ".join(_without_results(samples, found)),
    }
    whole = joined(parts, {**delivery.facts, **{name: text for name, text in facts.items() if text}})
    return replace(whole, rejects=(*whole.rejects, *left_out(others)))


_KINDS: tuple[Kind, ...] = ("sample", "test", "result", "batch")


def _refuse(file: str, kind: Kind) -> NoReturn:
    raise BadFile(ALONE.format(kind, "sample" if kind != "sample" else "result"), file=file)


def _kind(header: Sequence[str]) -> Kind:
    """A section by its columns; one that holds sample and result together is another format."""
    names = {plain_name(name) for name in header}
    if KEY not in names:
        return ""
    if "result_value" in names:
        return "result" if "lab_anl_method_name" in names and "day" not in lab_roles(header) else ""
    if "test_batch_id" in names:
        return "batch"
    if "lab_anl_method_name" in names:
        return "test"
    return "sample" if {"sample_date", "sample_type_code"} <= names else ""


def _header(sheet: Sheet) -> Cells:
    found = _header_line(sheet)
    return _headless(sheet) if found is None else cells_of(sheet.source.text.split("\n")[found])


def _header_line(sheet: Sheet) -> int | None:
    lines = first_lines(sheet.source.text, _LINES)
    return next((place for place, line in lines if _kind(cells_of(line))), None)


def _headless(sheet: Sheet) -> Cells:
    """The columns of a file that starts with its data: by its name, where their number is the definition's."""
    width = max((len(line.split(mark)) for _, line in first_lines(sheet.source.text, 1) for mark in ",\t"), default=0)
    return next((columns for name, columns in _HEADLESS if name.search(sheet.name) and len(columns) == width), ())


def _section(sheet: Sheet) -> Section | None:
    line, columns = _header_line(sheet), _headless(sheet)
    if line is None and not columns:
        return None
    grid = read_grid(sheet.source, line) if line is not None else read_headless(sheet.source, columns)
    named = tuple(plain_name(name) for name in grid.header)
    if len(set(named)) < len(named):
        raise sheet.source.bad("two columns of one name", found=sheet.name)
    left = tuple(sheet.source.reject(one.row, one.cell, one.raw, one.reason) for one in sheet.left_out)
    return Section(_kind(named), sheet, replace(grid, header=named, rejects=(*grid.rejects, *left)))


def _of_results(section: Section, place: int, samples: Sequence[Section], tests: Sequence[Section]) -> Parts:
    """One result section joined and read; what is wrong beside it is said once, with the first."""
    source = section.sheet.source
    grid, lost = section.grid, list(section.grid.rejects)
    for others, key, wanted in ((samples, (KEY,), SAMPLE_COLUMNS), (tests, TEST_KEY, TEST_COLUMNS)):
        if others:
            grid, refused = _beside(source, grid, others, key, wanted)
            lost += refused
    beside = [one for other in (*samples, *tests) for one in _said_of(other)] if place == 0 else []
    roles = {role: column for role, column in lab_roles(grid.header, ROLES).items() if column}
    parts = results(Layout(source, roles, mended=mended), replace(grid, rejects=()))
    rejects = in_order((*lost, *parts.rejects))
    if place:
        rejects = tuple(replace(one, row=one.row + place * NEXT_SHEET) for one in rejects)
    counted = parts.observations.assign(row=parts.observations["row"] + place * NEXT_SHEET)
    tables = {name: counted_on(table, place) for name, table in parts.tables.items()}
    return replace(parts, observations=counted, rejects=(*rejects, *beside), tables=tables)


def _said_of(section: Section) -> Iterator[Reject]:
    """A broken row of a sample or test section leaves no value out itself: its results are refused where they are."""
    for one in section.grid.rejects:
        yield replace(one, column=f"{section.sheet.name} {one.column}".strip(), rows=0)


def _beside(
    source: Source, grid: Grid, others: Sequence[Section], key: Sequence[str], wanted: Sequence[str]
) -> tuple[Grid, list[Reject]]:
    """Each row with the wanted cells of the row that its key names; one whose key names none or two is refused."""
    key = [name for name in key if name in grid.header and all(name in other.grid.header for other in others)]
    new = [name for name in wanted if name not in grid.header]
    found, twice = _by_key(others, key, new)
    pick = _picker(grid, key)
    numbers: list[int] = []
    rows: list[Cells] = []
    refused: list[Reject] = []
    what = others[0].kind
    for number, row in zip(grid.numbers, grid.rows, strict=True):
        said = pick(row)
        cells = found.get(said)
        if cells is None or said in twice:
            why = f"two {what}s of this key that differ" if said in twice else f"no such {what}"
            refused.append(source.reject(number, KEY, said[0], f"{why} in {_names(others)}"))
        else:
            numbers.append(number)
            rows.append(row + cells)
    return Grid((*grid.header, *new), tuple(numbers), tuple(rows)), refused


def _by_key(others: Sequence[Section], key: Sequence[str], new: Sequence[str]) -> tuple[dict[Cells, Cells], set[Cells]]:
    """Wanted cells by key, and keys that two rows give differently."""
    found: dict[Cells, Cells] = {}
    twice: set[Cells] = set()
    for other in others:
        of_key, of_new = _picker(other.grid, key), _picker(other.grid, new)
        for row in other.grid.rows:
            said, cells = of_key(row), of_new(row)
            if found.setdefault(said, cells) != cells:
                twice.add(said)
    return found, twice


def _picker(grid: Grid, columns: Sequence[str]) -> Callable[[Cells], Cells]:
    """The cells of some columns of a row; a column that is not there is blank."""
    places = [grid.place(name) if name in grid.header else len(grid.header) for name in columns]
    if len(places) > 1:
        pick = itemgetter(*places)
        return lambda row: pick((*row, ""))
    return lambda row: tuple((*row, "")[place] for place in places)


def _names(others: Sequence[Section]) -> str:
    return ", ".join(one.sheet.name for one in others)


def _without_results(samples: Sequence[Section], found: Sequence[Section]) -> list[str]:
    used = {row[one.grid.place(KEY)] for one in found for row in one.grid.rows}
    codes = {row[one.grid.place(KEY)] for one in samples for row in one.grid.rows}
    return sorted(codes - used)
