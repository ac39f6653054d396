"""Shortfall spells of many gauges at once, from runs of equal day states; the same spells as `SpellMachine` gives.

A spell is what lies between two separators: days NOT BELOW, and runs of more unknown days than link (outages). It
takes in the shorter unknown runs beside its days below. Source: the project's shortfall semantics, section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.errors import BadQuestion
from models.streamflow.day_states import DayState
from models.streamflow.practice import PRACTICE, Practice

Codes = NDArray[np.uint8]
Places = NDArray[np.int64]
Marks = NDArray[np.bool_]

NOT_BELOW, BELOW, UNKNOWN = range(3)
CODE = {DayState.NOT_BELOW: NOT_BELOW, DayState.BELOW: BELOW, DayState.UNKNOWN: UNKNOWN}
NONE = -1
"""In place of a day that is not known or never came."""
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class SpellRuns:
    """Spells of every station, by station and then by day; all arrays have length n. Days are row numbers.

    Parameters
    ----------
    station : column of the states.
    start, end : first and last day known to be below.
    earliest_start, latest_end : outer bounds; ``NONE`` beside an outage.
    known_below_days, possible_days : [d].
    trigger, doubted : the day of the shortfall and the first day of doubt, or ``NONE``.
    status : status word of each.
    """

    station: Places
    start: Places
    end: Places
    earliest_start: Places
    latest_end: Places
    known_below_days: Places
    possible_days: Places
    trigger: Places
    doubted: Places
    status: NDArray[np.str_]

    def triggers(self, stations: int) -> Places:
        """Shortfalls of each of so many stations: int64[station]."""
        return np.bincount(self.station[self.trigger != NONE], minlength=stations).astype(np.int64)


def state_codes(states: Sequence[DayState]) -> Codes:
    """The states of one station, a day each, as a column: uint8[day, 1]."""
    return np.array([CODE[one] for one in states], np.uint8).reshape(-1, 1)


def published_states(flow: ArrayLike, base: ArrayLike, operator: str = "lt") -> Codes:
    """States of published daily flow: NaN and negative flow are unknown.

    Parameters
    ----------
    flow : float64[day, station] [cfs], parsed from decimal text; equal texts are equal numbers.
    base : base flow [cfs], one for all, float64[station] or float64[day, station].
    operator : ``lt`` or ``le``.
    """
    values, limit = np.asarray(flow, np.float64), np.asarray(base, np.float64)
    codes = np.asarray(values < limit if operator == "lt" else values <= limit).astype(np.uint8)
    codes[~(values >= 0)] = UNKNOWN
    return codes


def spell_runs(states: ArrayLike, more_than_days: int = 5, practice: Practice = PRACTICE) -> SpellRuns:
    """All spells of all stations.

    Parameters
    ----------
    states : uint8[day, station] of ``NOT_BELOW``, ``BELOW``, ``UNKNOWN``; every calendar day, none left out.
    more_than_days : number of the law [d].
    practice : how many unknown days link, and how many known ones raise doubt.

    Raises
    ------
    BadQuestion : not a table of these three codes.
    """
    runs = _runs(_checked(states), practice.longest_linking_gap_days)
    return _described(runs, _grouped(runs), more_than_days, practice)


@dataclass(frozen=True, eq=False)
class _Runs:
    """Runs of equal state, each within one station: int64[k] of station, first day, length, and the state."""

    station: Places
    first: Places
    length: Places
    state: Codes
    outage: Marks


@dataclass(frozen=True, eq=False)
class _Groups:
    """First run of each spell and the run after its last; the runs between are days below and linked unknown days."""

    begin: Places
    until: Places


def _checked(states: ArrayLike) -> Codes:
    codes = np.asarray(states)
    if codes.ndim != 2 or codes.dtype != np.uint8 or (codes.size and codes.max() > UNKNOWN):
        raise BadQuestion(
            "not day states", key="states", found=f"{codes.dtype}{codes.shape}", allowed=["uint8, 0 to 2"]
        )
    return codes


def _runs(codes: Codes, linking: int) -> _Runs:
    days, stations = codes.shape
    line = np.ascontiguousarray(codes.T).reshape(-1)
    breaks = np.empty(line.size, np.bool_)
    np.not_equal(line[1:], line[:-1], out=breaks[1:])
    breaks[: stations * days : max(days, 1)] = True
    place = np.flatnonzero(breaks)
    length = np.diff(np.append(place, line.size))
    state = line[place]
    station, first = np.divmod(place, max(days, 1))
    return _Runs(station, first, length, state, (state == UNKNOWN) & (length > linking))


def _grouped(runs: _Runs) -> _Groups:
    """Runs between separators that hold a day below."""
    inside = (runs.state != NOT_BELOW) & ~runs.outage
    new_station = np.ones(runs.station.size, np.bool_)
    new_station[1:] = runs.station[1:] != runs.station[:-1]
    opens = inside & (new_station | ~_before(inside))
    begin = np.flatnonzero(opens)
    closes = inside & (_after(new_station, last=True) | ~_after(inside, last=False))
    until = np.flatnonzero(closes) + 1
    below = _summed(runs.state == BELOW, begin, until) > 0
    return _Groups(begin[below], until[below])


def _before(marks: Marks) -> Marks:
    return np.concatenate([[False], marks[:-1]])


def _after(marks: Marks, *, last: bool) -> Marks:
    return np.concatenate([marks[1:], [last]])


def _summed(values: ArrayLike, begin: Places, until: Places) -> Places:
    """Sum of the values over each group of runs."""
    total = np.concatenate([[0], np.cumsum(values)])
    return np.asarray(total[until] - total[begin], np.int64)


def _described(runs: _Runs, groups: _Groups, more_than_days: int, practice: Practice) -> SpellRuns:
    begin, until, needed = groups.begin, groups.until, practice.indeterminate_known_days
    station, first = runs.station[begin], runs.first[begin]
    last = runs.first[until - 1] + runs.length[until - 1] - 1
    left, right = _censored(runs, station, begin - 1), _censored(runs, station, until)
    is_open = (until == runs.station.size) | (_taken(runs.station, until) != station)
    known = _summed(np.where(runs.state == BELOW, runs.length, 0), begin, until)
    possible = last - first + 1
    doubtful = (possible > more_than_days) | left | right
    trigger = _trigger(runs, groups, more_than_days)
    long = _long_day(first, last, right, more_than_days, practice.longest_linking_gap_days)
    doubted = np.maximum(_known_day(runs, groups, needed), np.where(left, 0, long))
    sure = (doubted == _NEVER) | ((trigger != NONE) & (trigger <= doubted))
    return SpellRuns(
        station=station,
        start=first + np.where(runs.state[begin] == UNKNOWN, runs.length[begin], 0),
        end=last - np.where(runs.state[until - 1] == UNKNOWN, runs.length[until - 1], 0),
        earliest_start=np.where(left, NONE, first),
        latest_end=np.where(right, NONE, last),
        known_below_days=known,
        possible_days=possible,
        trigger=trigger,
        doubted=np.where(sure, NONE, doubted),
        status=_status(trigger, doubtful & (known >= needed), doubtful, right, is_open),
    )


def _long_day(first: Places, last: Places, right: Marks, more_than_days: int, linking: int) -> Places:
    """The day on which a spell may be long enough: by its length, or because an outage begins to hide its end."""
    by_length = first + more_than_days
    by_outage = np.minimum(by_length, last + 1 + linking)
    return np.where(right, by_outage, np.where(by_length <= last, by_length, _NEVER))


def _taken(values: Places, places: Places) -> Places:
    """Values at places, whatever beyond the ends."""
    return values[np.clip(places, 0, max(values.size - 1, 0))]


def _censored(runs: _Runs, station: Places, beside: Places) -> Marks:
    """Whether the run beside each spell is an outage of its own station."""
    there = (beside >= 0) & (beside < runs.station.size)
    at = np.clip(beside, 0, max(runs.station.size - 1, 0))
    return np.asarray(there & runs.outage[at] & (runs.station[at] == station))


def _trigger(runs: _Runs, groups: _Groups, more_than_days: int) -> Places:
    """The day that ends the first certain run of the length needed."""
    long = np.flatnonzero((runs.state == BELOW) & (runs.length > more_than_days))
    which = np.searchsorted(long, groups.begin)
    run = np.append(long, runs.station.size)[which]
    has = run < groups.until
    return np.where(has, _taken(runs.first, run) + more_than_days, NONE)


def _known_day(runs: _Runs, groups: _Groups, needed: int) -> Places:
    """The day on which so many days are known below, at the soonest the first of them."""
    total = np.cumsum(np.where(runs.state == BELOW, runs.length, 0))
    before = np.concatenate([[0], total])[groups.begin]
    wanted = before + max(needed, 1)
    run = np.searchsorted(total, wanted)
    has = run < groups.until
    at = np.clip(run, 0, max(runs.station.size - 1, 0))
    day = runs.first[at] + wanted - np.concatenate([[0], total])[at] - 1
    return np.where(has, day, _NEVER)


def _status(trigger: Places, indeterminate: Marks, doubtful: Marks, right: Marks, is_open: Marks) -> NDArray[np.str_]:
    suffix = np.where(is_open, "OPEN", np.where(right, "CENSORED", "CLOSED"))
    triggered = np.char.add("TRIGGERED_", suffix)
    unsure = np.where(is_open, "INDETERMINATE_OPEN", "INDETERMINATE")
    small = np.where(is_open, "WATCH", np.where(doubtful, "MINOR_CENSORED", "MINOR"))
    return np.where(trigger != NONE, triggered, np.where(indeterminate, unsure, small))
