"""Wisconsin DNR SWIMS download (``wdnr-swims``): field readings and laboratory results, one a row.

A parameter is a DNR STORET code without its leading zeros; codes of SWIMS's own list are answers to questions (water
level HIGH, colour CLEAR) and stand in the table ``answers`` with every result that is a word. The moment of a row is
when the water was taken; when it was analysed, and the laboratory's remarks on holding times, are facts beside it.
"""

from __future__ import annotations

from dataclasses import replace

from ingest.cells import BadCell, number
from ingest.laboratory.grid import Grid, cells_of, first_lines, read_grid
from ingest.laboratory.headings import not_read
from ingest.laboratory.results import Layout, results
from ingest.reading import Parts, Source
from ingest.wqx.detection import CONDITIONS

CODE, LIST, RESULT, STATION = "DNR Parameter", "Parameter Type", "Result", "Station ID"
STORET, DESCRIPTION = "DNR_STORET", "Description"
ROLES = {
    "station": STATION,
    "sample": "Sample/Labslip ID",
    "day": "Start Date/Time",
    "storet": CODE,
    "value": RESULT,
    "unit": "Units",
    "lod": "LOD",
    "loq": "LOQ",
    "analysed": "Analysis Date/Time",
    "method": "Lab Method",
    "comment": "Lab Comments",
}
OPTIONAL = {
    "analyte": DESCRIPTION,
    "result_comment": "Result Comments",
    "sample_comment": "Sample Comments",
    "described": "Sample Description",
    "field_number": "Sample/Labslip Field No",
}
"""Of these only the texts may say what kind of sample it is."""


def sniff(head: str) -> bool:
    return any({CODE, LIST, RESULT, STATION} <= set(cells_of(line)) for _, line in first_lines(head, 1))


def parse(source: Source) -> Parts:
    """Results by station, code and sample.

    Raises
    ------
    BadFile : a needed column is missing.
    """
    grid = read_grid(source)
    missing = [column for column in (*ROLES.values(), LIST) if column not in grid.header]
    if missing:
        raise source.bad(f"the header lacks {', '.join(missing)}")
    worded = [place for place in range(len(grid.rows)) if _is_an_answer(grid, place)]
    among = set(worded)
    measured = grid.at([place for place in range(len(grid.rows)) if place not in among])
    roles = ROLES | {role: column for role, column in OPTIONAL.items() if column in grid.header}
    parts = results(Layout(source, roles, order="mdy"), replace(measured, rejects=grid.rejects))
    tables = {**parts.tables, **({"answers": grid.at(worded).frame()} if worded else {})}
    unread = ", ".join(not_read(grid.header, roles, ()))
    return replace(parts, tables=tables, facts={"columns_not_read": unread, **parts.facts})


def _is_an_answer(grid: Grid, place: int) -> bool:
    """Of a list of questions, or a word where a number, a limit or a detection would stand."""
    row = grid.rows[place]
    text = row[grid.place(RESULT)]
    return row[grid.place(LIST)] != STORET or (not row[grid.place("Units")] and not _is_a_result(text))


def _is_a_result(text: str) -> bool:
    if text.casefold() in CONDITIONS:
        return True
    try:
        number(text.lstrip("<> "))
    except BadCell:
        return False
    return True
