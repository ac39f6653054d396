"""Drawdown and depletion of a scenario through time. Metres, days."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.cone import PumpedWell
from models.aquifer.cone_tables import AquiferValues
from models.aquifer.hunt import hunt_depletion_fraction, hunt_drawdown
from models.aquifer.superposition import superpose_rows
from models.aquifer.theis import theis_drawdown
from models.cone.model import ConeModel, Point, Source, measured


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
        at = frame(source, places)

        def responses(
            elapsed: Numbers, s: Source = source, n: int = number, at: tuple[Numbers, Numbers] = at
        ) -> Numbers:
            return unit_drawdown_m(s.well, values, n, at, elapsed)

        total += superpose_rows(source.well.times, source.well.rates, days, responses, len(places), diffusive=True)
    return measured(total, values)


def unit_drawdown_m(
    well: PumpedWell, values: AquiferValues, number: int, at: tuple[Numbers, Numbers], elapsed: Numbers
) -> Numbers:
    """Linear drawdown for 1 m3/d of one well after elapsed times [d], float64[place, time] [d/m2].

    Parameters
    ----------
    number : its place among the sources.
    at : places in its frame (`frame`).
    """
    t, s, bed = values.transmissivity, values.storativity, values.conductances[number]
    x, y = (one[:, np.newaxis] for one in at)
    if bed == 0:
        return theis_drawdown(1.0, t, s, np.hypot(x - well.distance, y), elapsed)
    return hunt_drawdown(1.0, t, s, well.distance, bed, x, y, elapsed)


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


def frame(source: Source, places: Sequence[Point]) -> tuple[Numbers, Numbers]:
    """Places in Hunt's frame of one well: across the stream, positive on the well's side, and along it."""
    at = np.array(places, np.float64).reshape(-1, 2) - np.array(source.well.foot)
    (ux, uy), distance = source.well.toward, source.well.distance
    across, along = at[:, 0] * ux + at[:, 1] * uy, at[:, 1] * ux - at[:, 0] * uy
    within = np.hypot(across - distance, along) < source.radius_m
    return np.where(within, distance, across), np.where(within, source.radius_m, along)
