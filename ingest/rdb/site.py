"""USGS site descriptions (``nwis-rdb-site``): what a station is and where, as ``tables["sites"]``.

Source: USGS, "Site service details", output formats ``rdb`` and ``rdb,expanded``.
"""

from __future__ import annotations

import pandas as pd

from ingest.cells import BadCell, number
from ingest.rdb.table import bodies, file_facts, headers, require_columns, site_number, table, text_frame
from ingest.reading import Parts, Source, stacked
from ingest.table import Row, in_order
from models.observation import Reject

NUMBERS = (
    "dec_lat_va",
    "dec_long_va",
    "alt_va",
    "alt_acy_va",
    "drain_area_va",
    "contrib_drain_area_va",
    "well_depth_va",
)
"""Columns that hold a plain number where they hold anything."""


def sniff(head: str) -> bool:
    """A table of station names without a time in it."""
    return any({"site_no", "station_nm"} <= names and "datetime" not in names for names in headers(head))


def parse(source: Source) -> Parts:
    """Every site as the file writes it; a row without a site number, or with a garbled number, is refused."""
    sites: list[pd.DataFrame] = []
    rejects: list[Reject] = []
    for body in bodies(source):
        require_columns(source, body, "site_no", "station_nm")
        rows = table(source, body)
        rejects += rows.rejects
        sites.append(text_frame(body.header, [row for row in rows.rows if _is_sound(source, row, rejects)]))
    known = pd.concat(sites, ignore_index=True).fillna("")
    return Parts(stacked([]), in_order(rejects), file_facts(source), tables={"sites": known})


def _is_sound(source: Source, row: Row, rejects: list[Reject]) -> bool:
    try:
        row.read("site_no", site_number)
        for name in NUMBERS:
            row.read(name, lambda text: number(text) if text else None)
    except BadCell as bad:
        rejects.append(source.reject(row.number, bad.column, row.text(bad.column), bad.reason))
        return False
    return True
