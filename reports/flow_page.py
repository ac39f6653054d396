"""A page of one record: sentences, figures, one table of numbers, notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports.figure_page import Drawn, FigurePage, PageTable, Section, figure_page

__all__ = ["Drawn", "FlowPage", "flow_page"]


@dataclass(frozen=True)
class FlowPage:
    """What the page tells: sentences, figures, one table, notes."""

    title: str
    says: Sequence[str]
    figures: Sequence[Drawn]
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str]


def flow_page(page: FlowPage) -> str:
    """The whole file; the same page gives the same bytes."""
    drawn = [Section("", figure=one) for one in page.figures]
    numbers = Section("Numbers", tables=[PageTable("", page.heads, page.rows)])
    return figure_page(FigurePage(page.title, page.says, [*drawn, numbers], page.notes, "Notes"))
