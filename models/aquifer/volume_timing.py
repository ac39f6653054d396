"""What a volume does whose day is not known: least and most over all ways to pump it in its time.

A meter read once a month says how much was pumped, not when. An answer is linear in the pumping, so that a volume V
pumped over a time in parts v_j, each within a day j and no more than what the pump lifts in it, adds

    sum v_j w_j,   sum v_j = V,   0 <= v_j <= c d_j,   w_j = (F(t - a_j) - F(t - b_j)) / d_j

with F the response to a rate of 1 held from 0 on (0 before), a_j and b_j the ends of day j and d_j its length. Most is
where the days of largest w_j are filled first, least where those of smallest are. What may have been
pumped beside the volume counts in most alone: without end, it is what the pump lifts in all of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from models.aquifer.admissible import Numbers

NODES_IN_A_DECADE = 40
"""Elapsed times at which responses are worked out; between them a cubic spline in the logarithm, good to some 1e-5."""
LEAST_ELAPSED_D = 1e-3
NUMBERS_AT_ONCE = 1 << 17
"""Of one set of values."""
Responses = Callable[[Numbers], Numbers]
"""Elapsed times above 0, float64[k] [d] -> responses to a rate of 1, float64[set, k]."""


class Span(NamedTuple):
    """A time of which only the volume is known.

    ``begins``, ``ends`` [d]; ``volume`` [L3]; ``most``: what the pump lifts [L3/d], infinite where nobody says;
    ``beside``: what may have been pumped beside the volume [L3], infinite where only ``most`` bounds it.
    """

    begins: float
    ends: float
    volume: float
    most: float
    beside: float = 0.0


def moved(spans: Sequence[Span], at: Numbers, responses: Responses) -> tuple[Numbers, Numbers]:
    """How much less, and how much more, an answer may be than with every volume spread evenly.

    Parameters
    ----------
    spans : one of ``most`` or ``beside`` is finite.
    at : float64[time] [d].

    Returns
    -------
    (float64[set, time], float64[set, time])
        Both at or above 0.
    """
    begun = [one for one in spans if one.begins < at.max(initial=-np.inf)]
    if not begun:
        none = np.zeros((len(responses(np.array([1.0]))), at.size))
        return none, none
    respond = _interpolated(responses, at.max() - min(one.begins for one in begun))
    parts = [_of_spans(batch, at, respond) for batch in _batches(begun, at.size)]
    return np.sum([less for less, _ in parts], axis=0), np.sum([more for _, more in parts], axis=0)


def _batches(spans: Sequence[Span], times: int) -> Iterator[Sequence[Span]]:
    """Spans of the same number of days together, so many that their numbers fit in memory."""
    for days, same in groupby(sorted(spans, key=_days), key=_days):
        every, size = list(same), max(1, NUMBERS_AT_ONCE // ((days + 1) * max(times, 1)))
        yield from (every[first : first + size] for first in range(0, len(every), size))


def _days(one: Span) -> int:
    return max(1, ceil(one.ends - one.begins - 1e-9))


def _interpolated(responses: Responses, longest: float) -> Responses:
    """The responses at any elapsed time, 0 before it begins; float64[set, ...]."""
    decades = np.log10(max(longest, 2 * LEAST_ELAPSED_D) / LEAST_ELAPSED_D)
    nodes = LEAST_ELAPSED_D * 10 ** np.linspace(0, decades, int(np.ceil(decades * NODES_IN_A_DECADE)) + 1)
    between = CubicSpline(np.log(nodes), responses(nodes), axis=1)

    def at(elapsed: Numbers) -> Numbers:
        small = np.clip(elapsed / LEAST_ELAPSED_D, 0.0, 1.0)
        return np.asarray(small * between(np.log(np.maximum(elapsed, LEAST_ELAPSED_D))))

    return at


def _of_spans(spans: Sequence[Span], at: Numbers, respond: Responses) -> tuple[Numbers, Numbers]:
    """Of spans of the same number of days, float64[set, time] each."""
    begins, ends, volume, most, beside = np.array(spans).T[:, :, np.newaxis]
    edges = np.minimum(begins + np.arange(_days(spans[0]) + 1), ends)
    edges[:, -1:] = ends
    lengths = np.diff(edges)
    held = respond(at - edges[:, :, np.newaxis])
    each = (held[:, :, :-1] - held[:, :, 1:]) / lengths[:, :, np.newaxis]
    whole = ends - begins
    even = (each * (lengths * volume / whole)[:, :, np.newaxis]).sum(axis=(1, 2))
    room = np.where(volume > most * whole, np.inf, most) * lengths
    order = np.argsort(each, axis=2)
    least = _filled(each, room, order, volume).sum(axis=1)
    return even - least, _filled(each, room, order[:, :, ::-1], volume + beside).sum(axis=1) - even


def _filled(each: Numbers, room: Numbers, order: NDArray[np.int64], volume: Numbers) -> Numbers:
    """Each span's answer where its days are filled in this order, each to the brim before the next."""
    brims = np.broadcast_to(np.minimum(room, volume)[:, :, np.newaxis], each.shape)
    brims = np.take_along_axis(brims, order, axis=2)
    before = np.cumsum(brims, axis=2) - brims
    pumped = np.minimum(np.maximum(volume[:, :, np.newaxis] - before, 0.0), brims)
    return np.asarray((pumped * np.take_along_axis(each, order, axis=2)).sum(axis=2))
