"""Particle paths as layers of a map and as a table: from wells, the pit and stated places, never a private well."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import shapely

from models.modflow.particles import DAYS_PER_YEAR, MARKED_YEARS, Path
from models.modflow.path_groups import Particles
from models.scenario.noun import Scenario
from pipelines.geo_files import Cell, Feature, Layer
from reports.modflow.paths_told import end_says, marked_says, stream_names
from reports.shown_units import Shown

TOLERANCE_M = 0.1
"""A line is drawn to within that; mp7 gives a point at every side of every cell."""
SPANS = ("years_low", "years_best", "years_high")
COLUMNS = ["path", "from", "way", "layer", "what", "x", "y", "unit", "level", "level_unit", *SPANS, "says"]


def path_layers(found: Particles, scenario: Scenario) -> list[Layer]:
    """``paths``, a line each with its years and end, and ``path_marks``, where water is in the marked years."""
    names, scale = stream_names(scenario), scenario.to_metres
    lines, marks = [], []
    for number, one in enumerate(found.paths, 1):
        told: dict[str, Cell] = {"path": float(number), "from": one.start.of, "way": one.start.way}
        years: dict[str, Cell] = dict(zip(SPANS, (round(each, 3) for each in found.years(one)), strict=True))
        if one.x.size > 1:
            line = shapely.LineString(np.column_stack([one.x, one.y])).simplify(TOLERANCE_M)
            shape = shapely.transform(line, lambda at: at / scale)
            lines.append(Feature(shape, {**told, **years, "end": end_says(one.end, names, found.limits)}))
        marks += [
            Feature(shapely.Point(x / scale, y / scale), {**told, "years": year}) for year, (x, y) in _marked(one)
        ]
    return [Layer("paths", "MultiLineString", lines), Layer("path_marks", "Point", marks)]


def _marked(path: Path) -> Iterator[tuple[float, tuple[float, float]]]:
    for years in MARKED_YEARS:
        at = path.at(years * DAYS_PER_YEAR)
        if at is not None:
            yield years, at


def paths_table(found: Particles, scenario: Scenario, shown: Shown) -> bytes:
    """Start, marks and end of every path as CSV, a row each (`COLUMNS`); layers count from 1 at the top."""
    rows = [row for number, one in enumerate(found.paths, 1) for row in _rows(found, number, one, scenario, shown)]
    text: str = pd.DataFrame(rows, columns=COLUMNS).to_csv(index=False)
    return text.encode()


def _rows(
    found: Particles, number: int, path: Path, scenario: Scenario, shown: Shown
) -> Iterator[list[str | float | int]]:
    head: list[str | float | int] = [number, path.start.of, path.start.way, path.start.cell[0] + 1]
    days = [("start", 0.0, ""), *((marked_says(years), years * DAYS_PER_YEAR, "") for years, _ in _marked(path))]
    end = end_says(path.end, stream_names(scenario), found.limits)
    for what, day, says in [*days, ("end", float(path.day[-1]), end)]:
        x, y, z = (float(np.interp(day, path.day, values)) for values in (path.x, path.y, path.z))
        years = [f"{day / DAYS_PER_YEAR * one:.4g}" for one in found.shares]
        place = [f"{x / scenario.to_metres:.1f}", f"{y / scenario.to_metres:.1f}", scenario.unit]
        yield [*head, what, *place, f"{shown.drawdown.of(z):.1f}", shown.drawdown.name, *years, says]
