"""The page of a well's loggers: figures of depth and of what was felt, with every correction and tape reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reports import level_told as told
from reports.figure_page import Drawn, FigurePage, PageTable, Section, figure_page
from reports.level_figure import LevelLines, depth_figure, felt_figure

PIXELS, SMALLER = 520, 300
DAYS_SHOWN = 60


def level_page(title: str, answer: Mapping[str, Any], drawn: Sequence[LevelLines]) -> str:
    """The whole file."""
    sections = [
        section for one, lines in zip(answer["loggers"], drawn, strict=True) for section in _of_logger(one, lines)
    ]
    says = [*answer["set_apart"], *([] if sections else ["No logger reading is stored."])]
    return figure_page(FigurePage(title, says, sections, list(told.NOTES)))


def _of_logger(one: Mapping[str, Any], lines: LevelLines) -> list[Section]:
    says = list(told.says_of(one))
    tables = [
        _table("Corrections", told.step_rows(one), told.STEP_COLUMNS),
        _table("Tape readings, and tape less logger", told.hand_rows(one), told.HAND_COLUMNS),
        _table(f"Daily means, the last {DAYS_SHOWN}", one["days"][-DAYS_SHOWN:], told.DAY_COLUMNS),
    ]
    depth = Drawn("Depth to water before and after correction, and tape readings.", " ".join(says), depth_figure(lines))
    felt = Drawn("What the logger stored, and the air taken off it.", "Stored readings and air.", felt_figure(lines))
    return [
        Section(told.name_of(one), says, depth, PIXELS, [each for each in tables if each.rows]),
        Section(f"What is felt: {told.name_of(one)}", (), felt, SMALLER),
    ]


def _table(heading: str, rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> PageTable:
    heads = [name.replace("_", " ").capitalize() for name in columns]
    return PageTable(heading, heads, [[_cell(row.get(name)) for name in columns] for row in rows])


def _cell(value: Any) -> str:
    return "" if value is None else str(value)
