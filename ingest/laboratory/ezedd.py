"""EQuIS deliverables of one section (``ezedd``): sample, test and result in each row.

EarthSoft's EZEDD, EZEDD_Location and ESBasic, and EPA Region 5's basic chemistry section. EZEDD has no
``sys_loc_code``: whose water it is must be told (``--station``), for a sample code is not a place.

No real deliverable stood behind this reader: columns follow the public definitions (EarthSoft, EZEDD format; EPA
Region 5, Basic manual for historic electronic data 4.2, 2019), by name and in any order.
"""

from __future__ import annotations

from dataclasses import replace

from ingest.headings import plain_name
from ingest.laboratory.equis_columns import ROLES, mended
from ingest.laboratory.grid import cells_of, first_lines, read_grid
from ingest.laboratory.headings import lab_roles, not_read
from ingest.laboratory.results import Layout, results
from ingest.reading import Parts, Source

NEEDED = {"sys_sample_code", "sample_date", "result_value", "result_unit"}
ONE_OF = {"detect_flag", "result_type_code", "reporting_detection_limit"}
"""Columns that no table but one of EQuIS has; with ``NEEDED`` they tell it from a laboratory's own."""


def sniff(head: str) -> bool:
    return any(_is_one(cells_of(line)) for _, line in first_lines(head, 1))


def parse(source: Source) -> Parts:
    """Every result.

    Raises
    ------
    BadFile : no usable header, or dates whose order nobody can tell.
    """
    grid = read_grid(source)
    roles = lab_roles(grid.header, ROLES)
    if not {plain_name(name) for name in grid.header} >= NEEDED:
        raise source.bad(f"the header lacks one of {', '.join(sorted(NEEDED))}")
    parts = results(Layout(source, roles, mended=mended), grid)
    unread = ", ".join(not_read(grid.header, roles, ()))
    return replace(parts, facts={**({"columns_not_read": unread} if unread else {}), **parts.facts})


def _is_one(header: tuple[str, ...]) -> bool:
    names = {plain_name(name) for name in header}
    return names >= NEEDED and not names.isdisjoint(ONE_OF)
