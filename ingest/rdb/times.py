"""Dates and minutes of RDB columns, a whole column at once where they are written strictly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ingest.rdb.cells import Cells, Ints, Taken
from ingest.times import FIRST_YEAR, HOUR_MS, LAST_YEAR, MINUTE_MS, iso_day, iso_minute
from models.observation import DAY_MS

DAY = "dddd-dd-dd"
MINUTE = "dddd-dd-dd dd:dd"

_EPOCH_MONTH = 1970 * 12


def days(cells: Cells, name: str) -> Taken:
    """``YYYY-MM-DD`` as its midnight [ms]; anything else as ``iso_day`` takes or refuses it."""
    return _read(cells, name, DAY, iso_day)


def minutes(cells: Cells, name: str) -> Taken:
    """``YYYY-MM-DD HH:MM`` on the wall clock [ms]; anything else as ``iso_minute`` takes or refuses it."""
    return _read(cells, name, MINUTE, iso_minute)


def _read(cells: Cells, name: str, shape: str, careful: Callable[[str], int]) -> Taken:
    place = cells.header.index(name)
    strict, times = _strict(cells, place, shape)
    if strict.all():
        return Taken(times, {})
    rest = np.flatnonzero(~strict)
    taken = cells[rest].coded(place).read(careful, np.int64, 0)
    times[rest] = taken.values
    return Taken(times, {int(rest[row]): reason for row, reason in taken.refused.items()})


def _strict(cells: Cells, place: int, shape: str) -> tuple[np.ndarray[Any, np.dtype[np.bool_]], Ints]:
    """Which cells have exactly this shape and name a time that exists; the time of those, 0 of the others."""
    starts, ends = cells.bounds(place)
    right = (ends - starts) == len(shape)
    marks = cells.words(starts, len(shape))
    digits = marks - ord("0")
    for at, mark in enumerate(shape):
        right &= digits[:, at] <= 9 if mark == "d" else marks[:, at] == ord(mark)
    year, month, day = _number(digits, 0, 4), _number(digits, 5, 7), _number(digits, 8, 10)
    right &= (year >= FIRST_YEAR) & (year <= LAST_YEAR) & (month >= 1) & (month <= 12) & (day >= 1)
    months = np.where(right, year * 12 + month - 1 - _EPOCH_MONTH, 0)
    days, next_month = _first_day(months), _first_day(months + 1)
    right &= day <= next_month - days
    times = (days + day - 1) * DAY_MS
    if shape == MINUTE:
        hour, minute = _number(digits, 11, 13), _number(digits, 14, 16)
        right &= (hour <= 23) & (minute <= 59)
        times += hour * HOUR_MS + minute * MINUTE_MS
    return right, np.where(right, times, 0)


def _number(digits: np.ndarray[Any, Any], start: int, stop: int) -> Ints:
    value = np.zeros(len(digits), dtype=np.int64)
    for at in range(start, stop):
        value = value * 10 + digits[:, at]
    return value


def _first_day(months: Ints) -> Ints:
    """Day number of the first of a month, both counted from January 1970."""
    return np.asarray(months.astype("M8[M]").astype("M8[D]").astype(np.int64))
