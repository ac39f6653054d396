"""From a pressure logger's reading to the depth of the water table.

An absolute logger feels water plus air: the water column is what is left when the barologger's air
pressure at that instant is taken off, both as feet of water. Depth below the measuring point is the
hanging depth less the column. Where no barologger reading lies near enough on both sides, nothing is
computed: a standard atmosphere would invent up to a foot of water.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from models.site import Logger, MeasuringPoint, Well
from models.units import factor

Instants = NDArray[np.int64]
Numbers = NDArray[np.float64]


def air_head_ft(time_ms: Instants, baro_ms: Instants, baro_psi: Numbers, longest_gap_ms: int) -> Numbers:
    """Air pressure at each instant as feet of water, interpolated between barologger readings.

    Parameters
    ----------
    time_ms : int64[n], UTC epoch [ms].
    baro_ms, baro_psi : int64[m] increasing, float64[m] [psi]; NaN readings are left out.
    longest_gap_ms : a wider gap between readings is not bridged; an instant outside them gets NaN.

    Returns
    -------
    float64[n] [ft of water]; NaN where not known.
    """
    kept = ~np.isnan(baro_psi)
    when, psi = baro_ms[kept], baro_psi[kept]
    if not when.size:
        return np.full(time_ms.shape, np.nan)
    after = np.clip(np.searchsorted(when, time_ms, side="left"), 0, when.size - 1)
    before = np.where(when[after] == time_ms, after, np.maximum(after - 1, 0))
    known = (when[before] <= time_ms) & (time_ms <= when[after]) & (when[after] - when[before] <= longest_gap_ms)
    head = np.interp(time_ms, when, psi) * float(factor("psi", "ftH2O"))
    return np.where(known, head, np.nan)


def depth_below_mp_ft(logger: Logger, total_head_ft: Numbers, air_ft: Numbers) -> Numbers:
    """Depth to water below the measuring point [ft] from the head over the sensor [ft].

    ``air_ft`` is taken off an absolute logger and ignored for a vented one.
    """
    column = total_head_ft - (air_ft if logger.kind == "absolute" else 0.0)
    return float(logger.hung_below_mp_ft) - column


def measuring_point_on(well: Well, day: date) -> MeasuringPoint | None:
    """The measuring point in use on a day."""
    used = [one for one in well.measuring_point if one.since <= day]
    return max(used, key=lambda one: one.since, default=None)


def land_navd88_ft(well: Well, point: MeasuringPoint) -> Decimal | None:
    """Land surface at a well above NAVD88 [ft]; None where its measuring point is on NGVD29 and nothing moves it."""
    shift = Decimal(0) if point.datum == "NAVD88" else well.ngvd29_to_navd88_ft
    return None if shift is None else point.elevation_ft - point.height_above_land_ft + shift


def logger_on(well: Well, serial: str, day: date) -> Logger | None:
    """The hanging of a logger in a well on a day."""
    hung = [one for one in well.logger if one.serial == serial and one.since <= day]
    return max(hung, key=lambda one: one.since, default=None)
