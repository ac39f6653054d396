"""Where the pumped water comes from: what each stream loses, what leaves storage, and whether the two add up.

Metres, days, m3/d.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.cone_measures import whole_volume
from models.aquifer.cone_tables import AquiferValues, WellTable
from models.aquifer.contours import Window
from models.aquifer.hunt import hunt_depletion_fraction, hunt_volume_fraction
from models.aquifer.influence import cooper_jacob_radius_m
from models.aquifer.superposition import step_changes
from models.cone.model import MOST_HALF_M, ConeModel, Source


@dataclass(frozen=True)
class Ranged:
    """Low, best and high of one number."""

    low: float
    best: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Ranged:
        """Best first, then the corners."""
        return cls(float(min(values)), float(values[0]), float(max(values)))


@dataclass(frozen=True)
class Loss:
    """What a stream loses to the wells that face it [m3/d], by how much water so far [m3], and which wells."""

    stream: str
    name: str
    rate: Ranged
    volume: Ranged
    wells: tuple[str, ...]


@dataclass(frozen=True)
class Balance:
    """Pumped so far [m3] is what the streams lost and what left storage; ``found`` is storage summed over the cone."""

    pumped: float
    streams: float
    found: float

    @property
    def storage(self) -> float:
        return self.pumped - self.streams

    @property
    def error(self) -> float:
        """Of the sum over the cone, as a share of what was pumped."""
        return (self.found - self.storage) / self.pumped


def rate_at(source: Source, day: float) -> float:
    """The rate held up to an instant [m3/d]."""
    begun = source.well.times < day
    return float(np.asarray(source.well.rates)[begun][-1]) if begun.any() else 0.0


def pumped_m3(source: Source, day: float) -> float:
    """The volume pumped up to an instant [m3]."""
    starts, changes = step_changes(source.well.times, source.well.rates)
    return float(np.sum(changes * np.maximum(day - starts, 0.0)))


def search_window(model: ConeModel, values: AquiferValues, day: float) -> Window:
    """Around the wells, as far as their cones have come by the rule of Cooper & Jacob."""
    x, y = np.array([one.well.position for one in model.wells]).T
    first = min(float(one.well.times[0]) for one in model.wells)
    spread = max(np.ptp(x), np.ptp(y)) / 2
    far = float(cooper_jacob_radius_m(values.transmissivity, values.storativity, max(day - first, 1.0)))
    return Window(float(x.mean()), float(y.mean()), min(spread + far, MOST_HALF_M))


def stream_losses(model: ConeModel, day: float) -> Iterable[Loss]:
    streams = {one.stream.id: one.stream for one in model.wells if one.stream}
    for id, stream in streams.items():
        facing = [
            (k, one) for k, one in enumerate(model.sources) if one.stream and one.stream.id == id and not one.image
        ]
        rates = [sum(depletion_m3_per_d(one, values, k, day) for k, one in facing) for values in model.values]
        volumes = [sum(_volume_m3(one, values, k, day) for k, one in facing) for values in model.values]
        yield Loss(id, stream.name, Ranged.of(rates), Ranged.of(volumes), tuple(one.id for _, one in facing))


def depletion_m3_per_d(source: Source, values: AquiferValues, number: int, day: float) -> float:
    """What a well takes from its stream at an instant [m3/d]; ``number``: its place among the sources."""
    elapsed, changes = _steps(source, day)
    share = hunt_depletion_fraction(
        values.transmissivity, values.storativity, source.well.distance, values.conductances[number], elapsed
    )
    return float(np.sum(changes * share))


def _volume_m3(source: Source, values: AquiferValues, number: int, day: float) -> float:
    elapsed, changes = _steps(source, day)
    share = hunt_volume_fraction(
        values.transmissivity, values.storativity, source.well.distance, values.conductances[number], elapsed
    )
    return float(np.sum(changes * share * elapsed))


def _steps(source: Source, day: float) -> tuple[Numbers, Numbers]:
    starts, changes = step_changes(source.well.times, source.well.rates)
    return day - starts[starts < day], changes[starts < day]


def water_balance(model: ConeModel, tables: Sequence[WellTable], day: float) -> Balance | None:
    """Of the best estimate; None beside an edge, whose water is not counted here."""
    pumped = sum(pumped_m3(one, day) for one in model.wells)
    if model.aquifer is not None or pumped <= 0:
        return None
    values = model.values[0]
    streams = sum(_volume_m3(one, values, k, day) for k, one in enumerate(model.sources) if one.stream)
    window = search_window(model, values, day)
    first = min(float(one.well.times[0]) for one in model.wells)
    reach = window.half + 12 * float(np.sqrt(values.transmissivity * (day - first) / values.storativity))
    spread = max(float(np.ptp([one.well.position[axis] for one in model.wells])) for axis in (0, 1))
    found = whole_volume(model.linear(tables, values), (window.x, window.y), max(spread, 50.0), reach)
    return Balance(pumped, streams, values.storativity * found)
