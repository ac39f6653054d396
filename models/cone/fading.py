"""When what a pumping leaves behind is over, at many places and in many streams at once. Metres, days, m3/d.

The rules are those of `models.aquifer.recovery_date`: below a share of the largest effect of all times, and below a
stated amount, in size. The schedules are spread once (`models.aquifer.superposition_spread`), so that every set of
values asks for the responses at some hundred elapsed times only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.cone_tables import AquiferValues
from models.aquifer.extremes import Ranges, Values
from models.aquifer.hunt import hunt_depletion_fraction
from models.aquifer.recovery_date import (
    SHARE_OF_PEAK,
    SINCE_STOP_D,
    SMALLEST,
    falls_below_d,
    peak_of,
    while_pumped_d,
)
from models.aquifer.superposition_spread import Spread
from models.cone.history import frame, unit_drawdown_m
from models.cone.model import ConeModel, Point, measured
from models.cone.searched import Ranged

FELT = 40.0
"""W is below 1e-19 at u above this: such a response is not asked for."""


@dataclass(frozen=True)
class FadeTold:
    """How the effect at a well or on a stream dies away.

    Parameters
    ----------
    id : of the well or stream.
    at_stop : by the best estimates.
    peak : the largest of all times, over the ranges; below 0 it is a rise.
    peak_d : when, in days since the stop, by the best estimates; below 0 it lies before it.
    tenth, amount : days after the stop from which on it stays below a tenth of its peak, and below the amount:
        earliest, best and latest; infinite: not within `models.aquifer.recovery_date.LAST_D`.
    """

    id: str
    at_stop: float
    peak: Ranged
    peak_d: float
    tenth: Ranged
    amount: Ranged


MOST_SETS = 400
"""Of values at most; the lattice is twice as close as that of `models.aquifer.extremes`, else closer to it."""

Effects = Callable[[AquiferValues], Numbers]
"""One set of values -> float64[place, instant]."""


def drawdown_fades(model: ConeModel, places: dict[str, Point], stop: float, amount_m: float) -> list[FadeTold]:
    """At places, after a stop of every pump: the schedules must end with rest by then.

    Parameters
    ----------
    stop : the instant (`models.scenario.day_number`).
    amount_m : a residual that counts as gone [m].
    """
    instants = _instants(model, stop)
    spreads = [Spread.of(one.well.times, one.well.rates, instants) for one in model.sources]
    frames = [frame(one, list(places.values())) for one in model.sources]

    def effects(values: AquiferValues) -> Numbers:
        total = np.zeros((len(places), instants.size))
        for number, (spread, at) in enumerate(zip(spreads, frames, strict=True)):
            total += _drawdown(model, number, values, spread, at)
        return measured(total, values)

    return _told(model, list(places), effects, instants - stop, amount_m) if places else []


def _drawdown(
    model: ConeModel, number: int, values: AquiferValues, spread: Spread, at: tuple[Numbers, Numbers]
) -> Numbers:
    """Of one source at places, float64[place, instant]; young nodes at which none of them feels it are passed over."""
    (across, along), well, t, s = at, model.sources[number].well, values.transmissivity, values.storativity
    nearest = float(((across - well.distance) ** 2 + along**2).min())
    felt = nearest * s < FELT * 4 * t * spread.elapsed
    responses = np.zeros((across.size, spread.elapsed.size))
    responses[:, felt] = unit_drawdown_m(well, values, number, at, spread.elapsed[felt])
    return spread.of_responses(responses)


def depletion_fades(model: ConeModel, streams: Sequence[str], stop: float, amount_m3_per_d: float) -> list[FadeTold]:
    """Of streams, as `drawdown_fades`."""
    instants = _instants(model, stop)
    spreads = [Spread.of(one.well.times, one.well.rates, instants) for one in model.wells]

    def effects(values: AquiferValues) -> Numbers:
        total = np.zeros((len(streams), instants.size))
        for number, (source, spread) in enumerate(zip(model.wells, spreads, strict=True)):
            if source.stream is None:
                continue
            share = hunt_depletion_fraction(
                values.transmissivity, values.storativity, source.well.distance, values.conductances[number],
                spread.elapsed,
            )  # fmt: skip
            total[streams.index(source.stream.id)] += spread.of_responses(share[np.newaxis])[0]
        return total

    return _told(model, list(streams), effects, instants - stop, amount_m3_per_d) if streams else []


def _instants(model: ConeModel, stop: float) -> Numbers:
    """While it was pumped, then from the stop on."""
    pumped = [while_pumped_d(one.well.times, one.well.rates, stop) for one in model.wells]
    before = np.unique(np.concatenate(pumped))
    return np.concatenate([before[before < stop], stop + SINCE_STOP_D])


def _told(model: ConeModel, ids: Sequence[str], effects: Effects, since_d: Numbers, amount: float) -> list[FadeTold]:
    best = effects(model.values[0])
    largest = np.abs(best).argmax(axis=1)
    stop = since_d.size - SINCE_STOP_D.size
    found = np.array([_numbers(effects(model.at(one)), amount) for one in _lattice(model.ranges)])
    ends = zip(found.min(axis=0).tolist(), found[0].tolist(), found.max(axis=0).tolist(), strict=True)
    every, count = [Ranged(*one) for one in ends], len(ids)
    peak, tenth, below = every[:count], every[count : 2 * count], every[2 * count :]
    return [
        FadeTold(id, float(best[k, stop]), peak[k], float(since_d[largest[k]]), tenth[k], below[k])
        for k, id in enumerate(ids)
    ]


def _lattice(ranges: Ranges) -> list[Values]:
    """The best estimates, then a lattice over the whole of the ranges with all its corners, even in the logarithms.

    One for all places: a search for each of them (`models.aquifer.extremes`) would not share its sets of values.
    """
    parts = {name: 1 if name == "b" else 2 * ranges.parts(name) for name in ranges.ranged}
    while np.prod([count + 1 for count in parts.values()]) > MOST_SETS and max(parts.values()) > 1:
        parts = {name: max(1, count - 1) for name, count in parts.items()}
    axes = [[ranges.at(name, k / count) for k in range(count + 1)] for name, count in parts.items()]
    return [ranges.best, *({**ranges.best, **dict(zip(parts, one, strict=True))} for one in product(*axes) if parts)]


def _numbers(effect: Numbers, amount: float) -> Numbers:
    """Peaks, days until below a tenth of each, days until below the amount, one after the other."""
    peak, left = peak_of(effect), effect[:, -SINCE_STOP_D.size :]
    tenth = np.maximum(SHARE_OF_PEAK * np.abs(peak), SMALLEST)
    return np.concatenate([peak, falls_below_d(SINCE_STOP_D, left, tenth), falls_below_d(SINCE_STOP_D, left, amount)])
