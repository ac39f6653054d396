"""Drawdown and depletion of a scenario through time, and what is left of them after every pump stops. Metres, days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.cone_tables import AquiferValues
from models.aquifer.hunt import hunt_depletion_fraction, hunt_drawdown
from models.aquifer.shut_off import Fade, Residual, fade
from models.aquifer.superposition import superpose_rows
from models.cone.model import ConeModel, Point, Source

SHARE_OF_PEAK = 0.1


@dataclass(frozen=True)
class FadeTold:
    """How the residual at a well or in a stream dies away, and over the corners of the stated ranges.

    Parameters
    ----------
    id : of the well or stream.
    best : `Fade` of the best estimate, below a tenth of the peak and below the amount.
    earliest_d, latest_d : days after the stop until it is below the amount, over the ranges; None: not in 2,700 years.
    """

    id: str
    best: Fade
    earliest_d: float | None
    latest_d: float | None


def drawdown_history_m(model: ConeModel, values: AquiferValues, places: Sequence[Point], days: Numbers) -> Numbers:
    """Drawdown as wells show it, float64[place, day] [m], summed step by step of each schedule.

    Parameters
    ----------
    values : of the ranges, best or a corner.
    places : [m]; none within the radius of a well is taken nearer than it.
    days : `models.scenario.day_number`, in any order.
    """
    total = np.zeros((len(places), days.size))
    for number, source in enumerate(model.sources):
        across, along = _frame(source, places)

        def responses(
            elapsed: Numbers, s: Source = source, n: int = number, x: Numbers = across, y: Numbers = along
        ) -> Numbers:
            return hunt_drawdown(
                1.0, values.transmissivity, values.storativity, s.well.distance, values.conductances[n],
                x[:, np.newaxis], y[:, np.newaxis], elapsed,
            )  # fmt: skip

        total += superpose_rows(source.well.times, source.well.rates, days, responses, len(places), diffusive=True)
    return model.measured(total)


def depletion_history_m3_per_d(model: ConeModel, values: AquiferValues, stream: str, days: Numbers) -> Numbers:
    """What a stream loses to the wells that face it, float64[day] [m3/d]."""
    total = np.zeros(days.size)
    for number, source in enumerate(model.sources):
        if source.image or source.stream is None or source.stream.id != stream:
            continue

        def responses(elapsed: Numbers, s: Source = source, n: int = number) -> Numbers:
            return hunt_depletion_fraction(
                values.transmissivity, values.storativity, s.well.distance, values.conductances[n], elapsed
            )[np.newaxis]

        total += superpose_rows(source.well.times, source.well.rates, days, responses, 1, diffusive=True)[0]
    return total


def drawdown_fades(model: ConeModel, places: dict[str, Point], stop: float, amount_m: float) -> list[FadeTold]:
    """At places, after a stop of every pump: the schedules must end with rest by then.

    Parameters
    ----------
    stop : the instant (`models.scenario.day_number`).
    amount_m : a residual that counts as gone [m].
    """

    def residual(values: AquiferValues, place: Point, after: Numbers) -> Numbers:
        return np.asarray(drawdown_history_m(model, values, [place], stop + after)[0])

    return [
        _told(id, [partial(residual, values, place) for values in model.values], amount_m)
        for id, place in places.items()
    ]


def depletion_fades(model: ConeModel, streams: Sequence[str], stop: float, amount_m3_per_d: float) -> list[FadeTold]:
    """Of streams, as `drawdown_fades`."""

    def residual(values: AquiferValues, stream: str, after: Numbers) -> Numbers:
        return depletion_history_m3_per_d(model, values, stream, stop + after)

    return [_told(id, [partial(residual, values, id) for values in model.values], amount_m3_per_d) for id in streams]


def _told(id: str, residuals: Sequence[Residual], amount: float) -> FadeTold:
    fades = [fade(one, lambda peak: (max(SHARE_OF_PEAK * peak, 1e-12), amount)) for one in residuals]
    days = [one.below_d[1] for one in fades]
    known = [day for day in days if day is not None]
    return FadeTold(id, fades[0], min(known, default=None), None if len(known) < len(days) else max(known))


def _frame(source: Source, places: Sequence[Point]) -> tuple[Numbers, Numbers]:
    """Places in Hunt's frame of one well: across the stream, positive on the well's side, and along it."""
    at = np.array(places, np.float64).reshape(-1, 2) - np.array(source.well.foot)
    (ux, uy), distance = source.well.toward, source.well.distance
    across, along = at[:, 0] * ux + at[:, 1] * uy, at[:, 1] * ux - at[:, 0] * uy
    within = np.hypot(across - distance, along) < source.radius_m
    return np.where(within, distance, across), np.where(within, source.radius_m, along)
