"""PART: base flow is flow on days of long enough recession, and a line in log10 of flow between them.

References
----------
Rutledge (1993), USGS WRIR 93-4121; Rutledge (1998), USGS WRIR 98-4148.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from models.streamflow.separation.parameters import AREA
from models.streamflow.separation.runs import Floats, Ints, Marks
from models.streamflow.separation.stack import Stack, separate_stacked
from models.streamflow.separation.turning_points import join

MOST_LOG_DECLINE = 0.1
"""Largest decline to the next day that is still base flow [log10 cycles]."""
SMALLEST_FLOW = 1e-6
"""Base flow below this is zero [unit of flow; meant as cfs]."""
ZERO_FOR_LOG = 1e-99


def part(flow: ArrayLike, area_mi2: ArrayLike) -> Floats:
    """Base flow between those of the two whole numbers of days of recession beside N = A**0.2.

    Parameters
    ----------
    flow : float64[day] or [day, station], any unit, NaN where unknown.
    area_mi2 : drainage area A [mi2], one or per station. Below 1 mi2 N stays 1.

    Returns
    -------
    float64, shape and unit of ``flow``. A run without any day of recession is undefined (NaN).

    Raises
    ------
    BadQuestion : the area is not above 0, or a wrong shape.

    Notes
    -----
    Linear in N between the two; Rutledge's curve for it is not documented.
    """
    # 7776**0.2 is not quite 6 in floating point.
    days: Floats = np.maximum(AREA.each(area_mi2, flow) ** 0.2, 1)
    return separate_stacked(flow, partial(_part, days=days.round(9)))


def _part(stack: Stack, days: Floats) -> Floats:
    fewer = np.floor(days).astype(np.intp)
    share = np.repeat((days - fewer)[stack.station], stack.length)
    low, high = (_with_recession(stack, stack.spread(whole[stack.station])) for whole in (fewer, fewer + 1))
    between = np.where(share == 0, low, (1 - share) * low + share * high)
    return np.minimum(between, stack.flow)


def _with_recession(stack: Stack, days: Ints) -> Floats:
    """Base flow for a whole number of days of recession per cell."""
    logs = np.log10(np.maximum(stack.flow, ZERO_FOR_LOG))
    anchors = _refined(stack, logs, np.flatnonzero(_is_recession(stack, logs, days)))
    line = np.power(10.0, join(stack, anchors, logs[anchors], hold_ends=True))
    line[anchors] = stack.flow[anchors]
    line[line < SMALLEST_FLOW] = 0
    return line


def _is_recession(stack: Stack, logs: Floats, days: Ints) -> Marks:
    """No rise in the ``days`` before, and no steep fall to the day after."""
    cell = np.arange(stack.flow.size)
    rises = (stack.day == 0) | (np.diff(stack.flow, prepend=np.inf) > 0)
    since_rise = cell - np.maximum.accumulate(np.where(rises, cell, 0))
    falls = (np.diff(logs, append=np.inf) < -MOST_LOG_DECLINE) & (stack.days_left > 0)
    return (since_rise >= days) & ~falls


class _Spans(NamedTuple):
    """Cells between two anchors. At the head of a run ``left`` is the right anchor, at its tail the reverse."""

    begin: Ints
    end: Ints
    left: Ints
    right: Ints


def _refined(stack: Stack, logs: Floats, anchors: Ints) -> Ints:
    """Anchors, and where the line through them exceeds flow the days that it exceeds most, until it does nowhere."""
    spans = _spans(stack, anchors)
    found = [anchors]
    while spans.begin.size:
        worst, is_over = _highest_excess(logs, spans)
        found.append(worst[is_over])
        spans = _split(_Spans(*(one[is_over] for one in spans)), worst[is_over])
    return np.sort(np.concatenate(found))


def _spans(stack: Stack, anchors: Ints) -> _Spans:
    """The spans before, between and after the anchors of every run that has one."""
    run = np.searchsorted(stack.first, anchors, side="right") - 1
    is_first, is_last = np.diff(run, prepend=-1) != 0, np.diff(run, append=-1) != 0
    follower = np.append(anchors[1:], 0)
    after = np.where(is_last, (stack.first + stack.length)[run], follower)
    head = anchors[is_first]
    begin = np.concatenate([stack.first[run[is_first]], anchors + 1])
    end = np.concatenate([head, after])
    left = np.concatenate([head, anchors])
    right = np.concatenate([head, np.where(is_last, anchors, follower)])
    return _not_empty(_Spans(begin, end, left, right))


def _highest_excess(logs: Floats, spans: _Spans) -> tuple[Ints, Marks]:
    """Of every span the first cell with the largest excess of the line over flow, and whether it is one at all."""
    length = spans.end - spans.begin
    offset = np.cumsum(length) - length
    begin, left, right = (np.repeat(one, length) for one in (spans.begin - offset, spans.left, spans.right))
    cell = begin + np.arange(begin.size)
    share = (cell - left) / np.maximum(right - left, 1)
    excess = logs[left] + share * (logs[right] - logs[left]) - logs[cell]
    largest = np.maximum.reduceat(excess, offset)
    candidates = np.flatnonzero(excess == np.repeat(largest, length))
    return cell[candidates[np.searchsorted(candidates, offset)]], largest > 0


def _split(spans: _Spans, at: Ints) -> _Spans:
    """Every span in two at a new anchor; a head or tail holds the new anchor."""
    before = _Spans(spans.begin, at, np.where(spans.left > at, at, spans.left), at)
    after = _Spans(at + 1, spans.end, at, np.where(spans.right < at, at, spans.right))
    return _not_empty(_Spans(*(np.concatenate(pair) for pair in zip(before, after, strict=True))))


def _not_empty(spans: _Spans) -> _Spans:
    kept = spans.begin < spans.end
    return _Spans(*(one[kept] for one in spans))
