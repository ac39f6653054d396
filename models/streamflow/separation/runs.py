"""Gap-free runs of daily flow: every method separates each run alone, so nothing crosses a gap or a station."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.errors import BadQuestion

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Runs:
    """Runs of known days, ordered by station, then day.

    Parameters
    ----------
    station : int[run], column of the flow table.
    start : int[run], first day.
    length : int[run], number of days [d].
    """

    station: Ints
    start: Ints
    length: Ints


def as_table(flow: ArrayLike) -> Floats:
    """``flow`` as float64[day, station]; one series is one column.

    Raises
    ------
    BadQuestion : not numbers, or neither (day,) nor (day, station).
    """
    try:
        table = np.asarray(flow, np.float64)
    except (TypeError, ValueError) as error:
        raise BadQuestion("not a table of numbers", key="flow", allowed=["numbers, NaN where unknown"]) from error
    if table.ndim not in (1, 2):
        raise BadQuestion("wrong shape", key="flow", found=table.shape, allowed=["(day,)", "(day, station)"])
    return table if table.ndim == 2 else table[:, np.newaxis]


def known(table: Floats) -> Marks:
    """Days with a usable flow: NaN, infinite and negative (backwater) flow is unknown, never zero and never |q|."""
    return np.isfinite(table) & (table >= 0)


def gap_free_runs(is_known: Marks) -> Runs:
    """The runs of consecutive known days of bool[day, station]."""
    gap = np.zeros((1, is_known.shape[1]), np.bool_)
    edge = np.vstack([gap, is_known, gap])
    start, station = np.nonzero(edge[1:] & ~edge[:-1])
    stop, stop_station = np.nonzero(edge[:-1] & ~edge[1:])
    by_station, stop_by_station = np.argsort(station, kind="stable"), np.argsort(stop_station, kind="stable")
    return Runs(station[by_station], start[by_station], stop[stop_by_station] - start[by_station])


def station_blocks(stations: int, width: int) -> Iterator[slice]:
    """Consecutive slices of at most ``width`` stations: they bound the working memory."""
    return (slice(first, min(first + width, stations)) for first in range(0, stations, width))
