"""Stress periods of a calendar, and the rate each well pumps in them: what was pumped stays what was pumped.

Implicit steps err in proportion to the step's share of the time since a rate changed. So every change asks, from then
on, for steps no longer than (first + (growth - 1) elapsed) / share, where ``share`` is how much changed of the most the
well has pumped by then: a month in which a pump goes on as before costs hardly a step. `drawdown_stepping` and
`depletion_stepping` are the rules that keep Theis and Hunt (`benchmarks.modflow`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.aquifer.admissible import Numbers
from models.errors import BadQuestion
from models.modflow.numerical import Period
from models.scenario.noun import PumpedWell, civil_day, day_number

Rhythm = Literal["daily", "weekly", "monthly", "one"]
RHYTHMS: tuple[Rhythm, ...] = ("daily", "weekly", "monthly", "one")
STEADY_DAYS = 1.0
MOST_PERIODS = 20_000
LEAST_CHANGE = 1e-3
"""Share of the largest rate below which a change asks for no steps of its own."""
FLAT = 1e-9
"""Steps that widen by less are equal."""


DRAWDOWN_GROWTH, DRAWDOWN_FIRST = 1.05, 1 / 20
"""Drawdown within 5 % of Theis's from day 1 wherever his u is below about 2, and within 1.5 % after a year."""
LEAST_FIRST = 1 / 240
"""No first step is shorter [d], for nothing is told of the first day; no place counts as nearer than the next line."""
LEAST_PLACE_M = 10.0
DEPLETION_GROWTH, DEPLETION_FIRST = 1.015, 1 / 10_000
"""Depletion within 0.001 of Hunt's at all times where cells grow by 1.15: implicit steps lag by 0.06 (growth - 1) at
two fifths of the pumping, and a first step of d^2 S / T over 10,000 is forgotten before the stream feels the well."""


@dataclass(frozen=True)
class Stepping:
    """How time is cut after a rate has changed: the first step [d] at most, each later one ``growth`` times longer."""

    first: float
    growth: float


def drawdown_stepping(distance: float, transmissivity: float, storativity: float) -> Stepping:
    """For the drawdown at a place so far from its well [m]: a twentieth of r^2 S / 4 T first, where Theis's u is 1."""
    near = max(distance, LEAST_PLACE_M)
    return Stepping(max(DRAWDOWN_FIRST * near**2 * storativity / (4 * transmissivity), LEAST_FIRST), DRAWDOWN_GROWTH)


def depletion_stepping(distance: float, transmissivity: float, storativity: float) -> Stepping:
    """For the depletion of a stream so far from its well [m], from the first trace of it on."""
    return Stepping(DEPLETION_FIRST * distance**2 * storativity / transmissivity, DEPLETION_GROWTH)


def edges_of(begins: float, ends: float, rhythm: Rhythm, also: Sequence[float] = ()) -> list[float]:
    """Instants (`models.scenario.noun.day_number`) from one to another at the turns of days, weeks or months.

    Parameters
    ----------
    also : other instants at which a period begins, where they lie between.

    Raises
    ------
    BadQuestion : nothing lies between them, or too many periods do.
    """
    if ends <= begins:
        raise BadQuestion("nothing lies between the first pumping and the day asked for", found=f"{begins}..{ends}")
    turns = [] if rhythm == "one" else [one for one in _turns(begins, ends, rhythm) if begins < one < ends]
    if len(turns) > MOST_PERIODS:
        words = "a coarser --periods"
        raise BadQuestion("too many stress periods", key="--periods", found=len(turns) + 1, allowed=[words])
    return sorted({begins, *turns, *(one for one in also if begins < one < ends), ends})


def _turns(begins: float, ends: float, rhythm: Rhythm) -> Sequence[float]:
    first, last = math.floor(begins) + 1, math.ceil(ends)
    if rhythm == "daily":
        return [float(day) for day in range(first, last)]
    days = (civil_day(day) for day in range(first, last))
    if rhythm == "weekly":
        return [day_number(day) for day in days if day.isoweekday() == 1]
    return [day_number(day) for day in days if day.day == 1]


def periods_of(edges: Sequence[float], stepping: Stepping, changes: Numbers | None = None) -> tuple[Period, ...]:
    """A steady period of no matter which length, then one between each two edges.

    Parameters
    ----------
    changes : float64[len(edges) - 1], share of its largest rate so far by which a well changes as each period begins,
        the most of all wells; a whole one each time where left out.
    """
    shares = np.ones(len(edges) - 1) if changes is None else changes
    steady = Period(edges[0] - STEADY_DAYS, STEADY_DAYS, 1, 1.0, steady=True)
    return (steady, *(_period(edges, shares, number, stepping) for number in range(len(edges) - 1)))


def _period(edges: Sequence[float], shares: Numbers, number: int, stepping: Stepping) -> Period:
    """Steps that widen along the chord between the longest allowed at both ends; what is allowed bends down only."""
    start, end = edges[number], edges[number + 1]
    since, share = np.array(edges[: number + 1]), shares[: number + 1]
    length, told = end - start, share >= LEAST_CHANGE
    first, last = (
        float(np.min((stepping.first + (stepping.growth - 1) * (at - since[told])) / share[told], initial=np.inf))
        for at in (start, end)
    )
    if first >= length:
        return Period(start, length, 1, 1.0, steady=False)
    widening = (last - first) / length
    steps = length / first if widening < FLAT else math.log1p(length * widening / first) / math.log1p(widening)
    return Period(start, length, math.ceil(steps - 1e-9), 1.0 if widening < FLAT else 1 + widening, steady=False)


def changes_of(rates: Sequence[Numbers]) -> Numbers:
    """The share of its largest rate so far by which a well changes as each period begins, the most of all wells.

    Not of the largest it will ever have: while a well pumps little, that little is all the drawdown there is.

    Parameters
    ----------
    rates : float64[periods] of each well; at least one.
    """
    most = [np.maximum(np.maximum.accumulate(np.abs(one)), np.finfo(float).tiny) for one in rates]
    shares = [np.abs(np.diff(one, prepend=0.0)) / large for one, large in zip(rates, most, strict=True)]
    return np.asarray(np.clip(np.max(shares, axis=0), 0.0, 1.0))


def mean_rates(well: PumpedWell, edges: Sequence[float]) -> Numbers:
    """What a well pumps between each two edges [m3/d]: the volume of its schedule over the time; 0 before it begins."""
    begins, held = (np.array(one, np.float64) for one in well.schedule)
    if not begins.size:
        return np.zeros(len(edges) - 1)
    pumped = np.concatenate([[0.0], np.cumsum(held[:-1] * np.diff(begins))])
    instants = np.array(edges)
    number = np.searchsorted(begins, instants, side="right") - 1
    at = np.clip(number, 0, None)
    volume = np.where(number < 0, 0.0, pumped[at] + held[at] * (instants - begins[at]))
    return np.asarray(np.diff(volume) / np.diff(instants))
