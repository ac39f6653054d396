"""A laboratory's own table (``lab-table``): one result a row, or one column a substance, named by its header.

No standard fixes such tables; the headings understood are those of ``ingest.laboratory.headings``, and what they mean
is said in ``ingest.laboratory.results``. A table without a date of sampling gives no observations: its results are the
table ``undated``, for whoever knows the day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ingest.cells import BadCell
from ingest.headings import Measured, dropped_columns, plain_name
from ingest.laboratory.grid import Cells, cells_of, first_lines, read_grid
from ingest.laboratory.headings import lab_measured, lab_roles, not_read
from ingest.laboratory.results import Layout, results
from ingest.laboratory.words import subject_of
from ingest.reading import Parts, Source
from ingest.table import in_order
from models.parameters import parameters

_NAME_AND_UNIT = re.compile(r"(?P<name>[^()\[\]]*[^()\[\]\s])\s*[(\[]\s*(?P<unit>[^()\[\]]+?)\s*[)\]]")
_CODES = ("q", "qual", "quals", "qualifier", "qualifiers", "flag", "flags", "code", "codes")
"""What stands behind the name of a substance's column in that of the codes beside it."""


def sniff(head: str) -> bool:
    return any(is_head(cells_of(line)) for _, line in first_lines(head, 1))


def is_head(header: Cells) -> bool:
    """A sample, and a result with its unit or columns that name both."""
    roles = lab_roles(header)
    return "sample" in roles and (
        {"value", "unit"} <= set(roles) or ("value" not in roles and bool(measured_columns(header)))
    )


def parse(source: Source) -> Parts:
    """Every result of the table.

    Raises
    ------
    BadFile : no column of results, or dates whose order nobody can tell.
    """
    grid = read_grid(source)
    roles = lab_roles(grid.header)
    measured = () if "value" in roles else measured_columns(grid.header)
    if "value" not in roles and not measured:
        raise source.bad("the header lacks a column of results, or columns named for a substance and its unit")
    parts = results(Layout(source, roles, measured), grid)
    names = not_read(grid.header, roles, measured)
    unread = ", ".join(names)
    cells = {name: zip(grid.numbers, (row[grid.place(name)] for row in grid.rows), strict=True) for name in names}
    rejects = in_order((*parts.rejects, *dropped_columns(source, cells)))
    return replace(parts, rejects=rejects, facts={**({"columns_not_read": unread} if unread else {}), **parts.facts})


def measured_columns(header: Iterable[str]) -> tuple[Measured, ...]:
    """Columns named for a substance and its unit, each with the column of its codes where there is one."""
    names = list(header)
    found = {one.column: one for one in lab_measured(names)}
    found |= {one.column: one for one in _as_laboratories_write(names) if one.column not in found}
    plain = {plain_name(column): column for column in reversed(names)}
    ordered = (found[column] for column in dict.fromkeys(names) if column in found)
    return tuple(replace(one, qualifier=_codes_of(one, plain)) for one in ordered)


def _as_laboratories_write(header: Iterable[str]) -> Iterator[Measured]:
    """``Lead, dissolved (ug/L)``; a basis that the vocabulary has no substance of is not guessed."""
    for column in header:
        parts = _NAME_AND_UNIT.fullmatch(column)
        if parts is None:
            continue
        try:
            subject = subject_of(parts["name"], "", "", parts["unit"], "")
        except BadCell:
            continue
        if subject.parameter in parameters():
            yield Measured(column, subject.parameter, subject.unit, subject.fraction)


def _codes_of(one: Measured, columns: Mapping[str, str]) -> str:
    """``zinc_ug_l_q`` beside ``zinc_ug_l``, or ``Zinc Qualifier`` beside ``Zinc (ug/L)``."""
    parts = _NAME_AND_UNIT.fullmatch(one.column)
    names = [plain_name(one.column), *([plain_name(parts["name"])] if parts else []), one.parameter]
    wanted = (f"{name}_{behind}" for name in names for behind in _CODES)
    return next((columns[name] for name in wanted if name in columns), "")
