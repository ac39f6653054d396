"""Where the pumped water comes from: what each stream loses, what leaves storage, and whether the two add up.

Metres, days, m3/d.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import shapely

from models.aquifer.admissible import Numbers
from models.aquifer.cone_measures import whole_volume
from models.aquifer.cone_tables import AquiferValues, WellTable, drawdown_at
from models.aquifer.cone_windows import Search
from models.aquifer.contours import Window
from models.aquifer.extremes import Ranges, Values, extremes
from models.aquifer.hunt import hunt_depletion_fraction, hunt_volume_fraction
from models.aquifer.influence import cooper_jacob_radius_m
from models.aquifer.superposition import step_changes
from models.cone.model import MOST_HALF_M, ConeModel, Source, bed_m_per_d
from models.cone.searched import Ranged, searched
from models.scenario.noun import Scenario, StreamOf

CORE_M = 50.0
"""How far around a well the axes of its sum are finest."""


@dataclass(frozen=True)
class Loss:
    """What a stream loses to the wells that face it [m3/d], by how much water so far [m3], and which wells.

    ``rate`` and ``volume`` are None where no well faces it: the model lets every well draw on its nearest stream alone.
    ``alone``: rate if the stream alone gave the water of all wells, an upper bound; None where it is the only one.
    """

    stream: str
    name: str
    rate: Ranged | None
    volume: Ranged | None
    wells: tuple[str, ...]
    alone: Ranged | None


@dataclass(frozen=True)
class Balance:
    """Pumped so far [m3] is what the streams lost and what left storage; ``found`` is storage summed over the cone.

    ``moved``: water pumped and water returned, both counted up.
    """

    pumped: float
    streams: float
    found: float
    moved: float

    @property
    def storage(self) -> float:
        return self.pumped - self.streams

    @property
    def error(self) -> float:
        """Of the sum over the cone, as a share of what was moved."""
        return (self.found - self.storage) / self.moved


def rate_at(source: Source, day: float) -> float:
    """The rate held up to an instant [m3/d]."""
    begun = source.well.times < day
    return float(np.asarray(source.well.rates)[begun][-1]) if begun.any() else 0.0


def pumped_m3(source: Source, day: float) -> float:
    """The volume pumped up to an instant [m3]."""
    starts, changes = step_changes(source.well.times, source.well.rates)
    return float(np.sum(changes * np.maximum(day - starts, 0.0)))


def searches(model: ConeModel, values: AquiferValues, day: float) -> list[Search]:
    """Around every well, as far as its cone has come by the rule of Cooper & Jacob."""
    return [
        Search(Window(*one.well.position, min(_reach_m(one, values, day), MOST_HALF_M)), (one.well.position,))
        for one in model.wells
    ]


def _reach_m(source: Source, values: AquiferValues, day: float) -> float:
    age = max(day - float(source.well.times[0]), 1.0)
    return float(cooper_jacob_radius_m(values.transmissivity, values.storativity, age))


def stream_losses(scenario: Scenario, model: ConeModel, day: float) -> Iterable[Loss]:
    """Of every stream of the scenario; of one that no well faces only what it would lose if it alone gave the water."""
    several = len(scenario.stream) > 1
    for stream in scenario.stream:
        facing = [k for k, one in enumerate(model.sources) if one.stream == stream and not one.image]
        alone = _alone(scenario, model, stream, day) if several else None
        if not facing:
            yield Loss(stream.id, stream.name, None, None, (), alone)
            continue
        found = searched(model, partial(_lost, model, facing, day))
        rate, volume = Ranged.each(found)
        yield Loss(stream.id, stream.name, rate, volume, tuple(model.sources[k].id for k in facing), alone)


def _lost(model: ConeModel, facing: Sequence[int], day: float, values: AquiferValues) -> list[float]:
    """Rate and volume."""
    rate = sum(depletion_m3_per_d(model.sources[k], values, k, day) for k in facing)
    return [rate, sum(_volume_m3(model.sources[k], values, k, day) for k in facing)]


def _alone(scenario: Scenario, model: ConeModel, stream: StreamOf, day: float) -> Ranged:
    """By all wells together, each at its distance to this stream as if there were no other."""
    line = shapely.LineString([scenario.metres(one) for one in stream.line])
    wells = [(_steps(one, day), float(shapely.distance(line, shapely.Point(one.well.position)))) for one in model.wells]
    ends = {name: model.ranges.ends[name] for name in ("T", "S")} | {"lam": bed_m_per_d(stream)}

    def lost(values: Values) -> list[float]:
        t, s, lam = values["T"], values["S"], values["lam"]
        return [
            sum(float(np.sum(change * hunt_depletion_fraction(t, s, far, lam, tau))) for (tau, change), far in wells)
        ]

    return Ranged.each(extremes(lambda every: np.array([lost(one) for one in every]), Ranges(ends)))[0]


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
    """Of the best estimate; None beside an edge, whose water is not counted here.

    What left storage is summed over the cone of every well by itself: cones add up, and each is sharp at its own well.
    """
    moved = sum(_moved_m3(one, day) for one in model.wells)
    if model.aquifer is not None or moved <= 0:
        return None
    values = model.values[0]
    streams = sum(_volume_m3(one, values, k, day) for k, one in enumerate(model.sources) if one.stream)
    found = sum(_cone_m3(model, table, values, k, day) for k, table in enumerate(tables))
    return Balance(sum(pumped_m3(one, day) for one in model.wells), streams, values.storativity * found, moved)


def _cone_m3(model: ConeModel, table: WellTable, values: AquiferValues, number: int, day: float) -> float:
    """The linear cone of one well over its whole reach."""
    source = model.sources[number]
    alone = replace(values, conductances=(values.conductances[number],))
    age = max(day - float(source.well.times[0]), 0.0)
    reach = _reach_m(source, values, day) + 12 * float(np.sqrt(values.transmissivity * age / values.storativity))

    def field(x: Numbers, y: Numbers) -> Numbers:
        return drawdown_at([table], alone, x, y, nearest=source.radius_m)

    return whole_volume(field, source.well.position, CORE_M, reach)


def _moved_m3(source: Source, day: float) -> float:
    """Water pumped and water returned, both counted up [m3]."""
    starts, rates = np.asarray(source.well.times), np.asarray(source.well.rates)
    held = np.diff(np.append(np.minimum(starts, day), day))
    return float(np.sum(np.abs(rates) * held))
