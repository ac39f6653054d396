"""Streams on a grid: of constant level (RIV), or carrying their own water (SFR).

Conductance of a part is lambda [m/d] times its length in the cell, as in Hunt (1999), whose stream has no end: here it
is what is drawn of it, and no more.
"""

from __future__ import annotations

import numpy as np

from models.aquifer.admissible import Numbers
from models.modflow.numerical import Grid, RiverStress, RoutedStream
from models.modflow.strata import Strata
from models.modflow.through_cells import along
from models.scenario.noun import Scenario, StreamOf

OPEN_BED_M_PER_D = 1e4
"""lambda of a stream without a bed that holds anything back: the aquifer's own resistance is all there is."""
BED_M = 1.0
"""Thickness the bed of a routed stream is written with; only leakance times it counts."""
MANNING = 0.035
"""Roughness of a natural channel where nobody stated it (Chow 1959) [s/m^(1/3)]."""

Part = tuple[tuple[int, int], float, tuple[float, float]]


def rivers_of(
    scenario: Scenario, grid: Grid, table: Numbers, strata: Strata
) -> tuple[tuple[RiverStress, ...], tuple[str, ...]]:
    """Streams of constant level, and what was taken for granted: the stage is the undisturbed water table."""
    found, said = [], []
    for stream in scenario.stream:
        if stream.inflow is not None:
            continue
        parts = merged(along(grid, [scenario.metres(one) for one in stream.line]))
        cells = tuple((0, row, column) for row, column in parts)
        stage = np.array([table[cell] for cell in parts])
        bed = stage - strata.depths[0]
        found.append(RiverStress(stream.id, cells, stage, lam_m_per_d(stream) * np.array(list(parts.values())), bed))
        said.append(
            f"{stream.id}: its stage is the undisturbed water table, it stays connected to the aquifer and never runs "
            "dry, and it is as long as it is drawn"
        )
    return tuple(found), tuple(said)


def routed_of(scenario: Scenario, grid: Grid, table: Numbers, periods: int) -> tuple[RoutedStream, ...]:
    """Streams that carry their own water, from the first point of their line down, a reach for each part."""
    return tuple(_routed(one, scenario, grid, table, periods) for one in scenario.stream if one.inflow is not None)


def _routed(stream: StreamOf, scenario: Scenario, grid: Grid, table: Numbers, periods: int) -> RoutedStream:
    parts = along(grid, [scenario.metres(one) for one in stream.line])
    width = 0.0 if stream.width is None else stream.width.value
    slope = 0.0 if stream.slope is None else stream.slope.value
    inflow = 0.0 if stream.inflow is None else stream.inflow.value
    lengths = np.array([length for _, length, _ in parts])
    count = len(parts)
    return RoutedStream(
        stream.id, tuple((0, row, column) for (row, column), _, _ in parts), np.full(periods, inflow), lengths,
        np.full(count, width), np.full(count, max(slope, 1e-6)), np.array([table[cell] for cell, _, _ in parts]),
        np.full(count, lam_m_per_d(stream) / width / BED_M), MANNING,
    )  # fmt: skip


def lam_m_per_d(stream: StreamOf) -> float:
    """lambda of its bed, of an open one as of one that holds next to nothing back."""
    return OPEN_BED_M_PER_D if stream.conductance is None else min(stream.conductance.value, OPEN_BED_M_PER_D)


def merged(parts: list[Part]) -> dict[tuple[int, int], float]:
    """The length of a stream in each cell, however often it comes back [m]."""
    found: dict[tuple[int, int], float] = {}
    for cell, length, _ in parts:
        found[cell] = found.get(cell, 0.0) + length
    return found
