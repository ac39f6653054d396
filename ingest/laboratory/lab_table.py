"""A laboratory's own table (``lab-table``): one result a row, or one column a substance, named by its header.

No standard fixes such tables; the headings understood are those of ``ingest.laboratory.headings``, and what they mean
is said in ``ingest.laboratory.results``. A table without a date of sampling gives no observations: its results are the
table ``undated``, for whoever knows the day.
"""

from __future__ import annotations

from dataclasses import replace

from ingest.laboratory.grid import cells_of, first_lines, read_grid
from ingest.laboratory.headings import is_a_lab_table, lab_measured, lab_roles, not_read
from ingest.laboratory.results import Layout, results
from ingest.reading import Parts, Source


def sniff(head: str) -> bool:
    return any(is_a_lab_table(cells_of(line)) for _, line in first_lines(head, 1))


def parse(source: Source) -> Parts:
    """Every result of the table.

    Raises
    ------
    BadFile : no column of results, or dates whose order nobody can tell.
    """
    grid = read_grid(source)
    roles = lab_roles(grid.header)
    measured = () if "value" in roles else lab_measured(grid.header)
    if "value" not in roles and not measured:
        raise source.bad("the header lacks a column of results, or columns named for a substance and its unit")
    parts = results(Layout(source, roles, measured), grid)
    unread = ", ".join(not_read(grid.header, roles, measured))
    return replace(parts, facts={**({"columns_not_read": unread} if unread else {}), **parts.facts})
