"""The page of one measuring round: the map, the levels it rests on, and what each three wells say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reports import potentiometric_told as told
from reports.figure_page import Drawn, FigurePage, PageTable, Section, figure_page
from reports.potentiometric_map import SurfaceMap, surface_map

PIXELS = 720


def round_page(title: str, answer: Mapping[str, Any], of: SurfaceMap) -> str:
    """The whole file."""
    said = told.says(answer)
    figure = Drawn("Contours and arrow of the plane through the levels.", " ".join(said), surface_map(of))
    tables = [_table("Levels", told.well_rows(answer)), _table("Three wells at a time", told.three_rows(answer))]
    sections = [Section("Map", (), figure, PIXELS, [one for one in tables if one.rows])]
    return figure_page(FigurePage(title, said, sections, list(answer["notes"])))


def _table(heading: str, rows: Sequence[Mapping[str, Any]]) -> PageTable:
    names = list(rows[0]) if rows else []
    heads = [name.replace("_", " ").capitalize() for name in names]
    return PageTable(heading, heads, [[str(row.get(name, "")) for name in names] for row in rows])
