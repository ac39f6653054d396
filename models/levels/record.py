"""The record of one logger in a well: from stored readings through air, hanging and corrections to depths.

Each reading keeps its place: row k of every array is row k of what was stored, in whatever order it came.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

import numpy as np
from numpy.typing import NDArray

from models.levels import pressure
from models.levels.flags import Marks
from models.levels.hanging import in_force, in_order, land_navd88_ft, taken
from models.levels.pressure import Instants, Numbers
from models.levels.steps import Step, adjusted, of_logger, set_right
from models.site import Barologger, Logger, MeasuringPoint, Well


@dataclass(frozen=True)
class Stored:
    """Readings of one logger as stored.

    Parameters
    ----------
    serial : of the logger.
    time_ms : int64[n], UTC epoch [ms] by its own clock.
    head_ft : float64[n], what it stores [ft of water]; NaN where missing.
    temperature_c : float64[n] beside it [degC]; None where it measures none.
    series : the channel, serial:channel.
    """

    serial: str
    time_ms: Instants
    head_ft: Numbers
    temperature_c: Numbers | None = None
    series: str = ""


@dataclass(frozen=True)
class Air:
    """Readings of one barologger as stored: instants in increasing order [ms], [ft of water]; see `pressure.air_at`."""

    barologger: Barologger
    time_ms: Instants
    head_ft: Numbers
    longest_gap_ms: int


@dataclass(frozen=True)
class LevelRecord:
    """The record at one state of its corrections; all arrays [n], NaN where not known.

    Parameters
    ----------
    time_ms : true time [UTC epoch ms].
    stored_ft : as stored [ft of water].
    air_ft : air pressure at the well [ft of water]; 0 for a vented logger.
    column_ft : water over the sensor before any correction of the depth [ft].
    depth_mp_ft : depth to water below the measuring point [ft].
    depth_ft : depth to water below land surface [ft].
    elevation_ft : of the water above NAVD88 [ft].
    """

    well: Well
    serial: str
    time_ms: Instants
    stored_ft: Numbers
    air_ft: Numbers
    column_ft: Numbers
    depth_mp_ft: Numbers
    depth_ft: Numbers
    elevation_ft: Numbers

    def at(self, places: NDArray[np.intp] | Marks) -> LevelRecord:
        """The record of some of its readings, or of all in another order."""
        arrays = {name: one[places] for name, one in vars(self).items() if isinstance(one, np.ndarray)}
        return LevelRecord(self.well, self.serial, **arrays)


def level_record(
    well: Well, stored: Stored, airs: Iterable[Air], steps: Iterable[Step], zone: tzinfo
) -> LevelRecord:  # fmt: skip
    """The record of a logger under these corrections; without any it is what the logger and the site file say.

    Parameters
    ----------
    airs : of the barologgers its hangings name.
    steps : of the well; those of other loggers are left out.
    zone : the civil days from whose first instant a hanging or a measuring point holds.
    """
    own = of_logger(steps, stored.serial, stored.series)
    times = set_right(own, stored.time_ms)
    hangings = in_order([one for one in well.logger if one.serial == stored.serial])
    felt = _felt(well, hangings, replace(stored, time_ms=times), list(airs), zone)
    depth_mp = adjusted(own, times, felt.depth_mp_ft)
    points = in_order(well.measuring_point)
    which = in_force(points, times, zone)
    depth = depth_mp - taken([float(one.height_above_land_ft) for one in points], which)
    land = [land_navd88_ft(well, one) for one in points]
    elevation = taken([np.nan if one is None else float(one) for one in land], which) - depth
    return LevelRecord(
        well, stored.serial, times, stored.head_ft, felt.air_ft, felt.column_ft, depth_mp, depth, elevation
    )  # fmt: skip


@dataclass(frozen=True)
class _Felt:
    """Air, water column and depth below the measuring point [ft]."""

    air_ft: Numbers
    column_ft: Numbers
    depth_mp_ft: Numbers


def _felt(well: Well, hangings: Sequence[Logger], stored: Stored, airs: Sequence[Air], zone: tzinfo) -> _Felt:
    """Each reading under the hanging of its day; before the first one nothing is known."""
    which = in_force(hangings, stored.time_ms, zone)
    unknown = np.full(stored.time_ms.shape, np.nan)
    found = _Felt(unknown, unknown.copy(), unknown.copy())
    for number, hanging in enumerate(hangings):
        held = which == number
        if held.all():
            return _hung(well, hanging, stored, airs, zone)
        if held.any():
            part = _hung(well, hanging, _part(stored, held), airs, zone)
            for name in vars(found):
                getattr(found, name)[held] = getattr(part, name)
    return found


def _part(stored: Stored, held: NDArray[np.bool_]) -> Stored:
    temperature = None if stored.temperature_c is None else stored.temperature_c[held]
    return replace(stored, time_ms=stored.time_ms[held], head_ft=stored.head_ft[held], temperature_c=temperature)


def _hung(well: Well, hanging: Logger, stored: Stored, airs: Sequence[Air], zone: tzinfo) -> _Felt:
    """Readings under one hanging."""
    total = stored.head_ft + float(hanging.zero_ft)
    air = _air(well, hanging, stored.time_ms, airs, zone)
    over = air if hanging.kind == "absolute" else np.zeros(total.shape)
    column = pressure.column_ft(total, over, _density(hanging, stored))
    depth = float(hanging.hung_below_mp_ft) - column
    if hanging.barometric_efficiency and hanging.reference_air_psi is not None:
        reference = pressure.head_ft(np.array([float(hanging.reference_air_psi)]), "psi")[0]
        depth = depth - pressure.air_response_ft(air, float(hanging.barometric_efficiency), reference)
    return _Felt(over, column, depth)


def _density(hanging: Logger, stored: Stored) -> Numbers | float:
    """Of the water [kg/m3]; unknown where it goes by a temperature that is not there."""
    if hanging.water_density != "by temperature":
        return pressure.CONVENTIONAL_DENSITY if hanging.water_density is None else float(hanging.water_density)
    if stored.temperature_c is None:
        return np.nan
    return pressure.water_density(stored.temperature_c)


def _air(well: Well, hanging: Logger, times: Instants, airs: Sequence[Air], zone: tzinfo) -> Numbers:
    """Air pressure at the well's measuring point [ft of water], with the barologger's zero and the air between."""
    own = next((one for one in airs if one.barologger.id == hanging.barologger), None)
    if own is None:
        return np.full(times.shape, np.nan)
    air = pressure.air_at(times, own.time_ms, own.head_ft + float(own.barologger.zero_ft), own.longest_gap_ms)
    at = own.barologger.elevation_ft
    points = in_order(well.measuring_point)
    if at is None or not points:
        return air
    ratios = [pressure.air_ratio(_lower_ft(one, float(at))) for one in points]
    return air * taken(ratios, in_force(points, times, zone))


def _lower_ft(point: MeasuringPoint, barologger_ft: float) -> float:
    """How far the measuring point lies below the barologger [ft]; between the two datums is less than 0.001 ft of
    water."""
    return barologger_ft - float(point.elevation_ft)


def depth_at(record: LevelRecord, time_ms: int, longest_gap_ms: int, counts: Marks | None = None) -> float | None:
    """Depth below land at an instant [ft], linear between two readings; None where they are further apart.

    Parameters
    ----------
    counts : bool[n], which readings may be gone by; None is every one with a depth.
    """
    known = ~np.isnan(record.depth_ft) & (True if counts is None else counts)
    order = np.argsort(record.time_ms[known], kind="stable")
    times, depths = record.time_ms[known][order], record.depth_ft[known][order]
    after = int(np.searchsorted(times, time_ms))
    if after < times.size and times[after] == time_ms:
        return float(depths[after])
    if not 0 < after < times.size or times[after] - times[after - 1] > longest_gap_ms:
        return None
    return float(np.interp(time_ms, times[after - 1 : after + 1], depths[after - 1 : after + 1]))
