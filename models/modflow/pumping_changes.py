"""Which changes of pumping begin a stress period of their own.

All of them, as long as there are not more than `MOST_CHANGES`: a pump that starts or stops inside a month does so in
the model. Of the readings of years of meters only `MOST_OF_MORE` can: those closest to the day asked for, where a mean
over a reading's neighbours would be felt, the first pumping and the last rest of each well, and the largest others.
What lies between two edges is spread evenly, its volume kept (`models.modflow.spreading` tells what that does).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from models.aquifer.admissible import Numbers
from models.scenario.noun import PumpedWell, Scenario

MOST_CHANGES = 120
"""Four months of daily readings."""
MOST_OF_MORE = 60
"""Where there are more changes than that, so many are kept: each change of a whole rate costs some 30 steps of time."""
MOST_OF_AGE = 0.25
"""A period of several readings is no longer than this share of the time from its end to the day asked for. Drawdown
there then feels the change d it hides as less than d / 128 (4 pi T): L^2 / 8 times the curvature of ln t."""


def changes_of_well(well: PumpedWell) -> tuple[Numbers, Numbers]:
    """When a well's rate becomes another, and by how much, float64[k] each [d], [m3/d]."""
    days, held = (np.array(one, np.float64) for one in well.schedule)
    by = np.diff(held, prepend=0.0)
    return days[by != 0], by[by != 0]


def kept_changes(scenario: Scenario, begins: float, ends: float) -> list[float]:
    """Instants at which a stress period begins whatever the calendar, in order, between the two."""
    days, size = _changes(scenario, begins, ends)
    if days.size <= MOST_CHANGES:
        return [float(one) for one in days]
    kept = {*_near(days, ends), *_milestones(scenario, begins, ends)}
    for number in np.argsort(-size, kind="stable"):
        if len(kept) >= MOST_OF_MORE:
            break
        kept.add(float(days[number]))
    return sorted(kept)


def spread(scenario: Scenario, instants: Sequence[float]) -> list[float]:
    """Changes that begin no period: they are spread evenly over the one they lie in."""
    days, _ = _changes(scenario, instants[0], instants[-1])
    return [float(one) for one in np.setdiff1d(days, np.asarray(instants))]


def _changes(scenario: Scenario, begins: float, ends: float) -> tuple[Numbers, Numbers]:
    """Every instant at which something changes, once, and by how much of the most that its well ever changes.

    A stage of the pit is a whole change.
    """
    found = [changes_of_well(one) for one in scenario.well]
    days = np.concatenate([*(day for day, _ in found), _stages(scenario)])
    sizes = np.concatenate([*(_share(by) for _, by in found), np.ones(_stages(scenario).size)])
    inside = (days > begins) & (days < ends)
    moments, first = np.unique(days[inside], return_inverse=True)
    size: NDArray[np.float64] = np.zeros(moments.size)
    np.maximum.at(size, first, sizes[inside])
    return moments, size


def _share(by: Numbers) -> Numbers:
    return np.asarray(np.abs(by) / np.abs(by).max(initial=np.finfo(float).tiny))


def _stages(scenario: Scenario) -> Numbers:
    return np.array([] if scenario.pit is None else scenario.pit.schedule[0], np.float64)


def _milestones(scenario: Scenario, begins: float, ends: float) -> Iterator[float]:
    """First pumping and last rest of each well, and every stage of the pit."""
    for well in scenario.well:
        days, _ = changes_of_well(well)
        rests = [] if not days.size or well.schedule[1][-1] != 0 else [float(days[-1])]
        yield from (day for day in (*(float(one) for one in days[:1]), *rests) if begins < day < ends)
    yield from (float(day) for day in _stages(scenario) if begins < day < ends)


def _near(days: Numbers, ends: float) -> Iterator[float]:
    """From the day asked for back: each period one reading, or as many as `MOST_OF_AGE` allows."""
    last = ends
    number = days.size - 1
    while number >= 0:
        oldest = int(np.searchsorted(days, last - MOST_OF_AGE * (ends - last)))
        number = min(oldest, number)
        last = float(days[number])
        yield last
        number -= 1
