"""From a pressure logger's reading to the column of water over its sensor.

An absolute logger feels water plus air: the water column is what is left when the barologger's air pressure at that
instant is taken off, both as feet of water. Depth below the measuring point is the hanging depth less the column.
Where no barologger reading lies near enough on both sides, nothing is computed: a standard atmosphere would invent up
to a foot of water.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.site import Logger
from models.units import factor, unit_id

Instants = NDArray[np.int64]
Numbers = NDArray[np.float64]

CONVENTIONAL_DENSITY = 1000.0
"""Density at which every maker states pressure as a height of water [kg/m3]."""
GRAVITY = 9.80665
"""Standard gravity [m/s2]. Wisconsin's is 0.01 % less: 0.004 ft in 40 ft of water, which a tie takes up."""
DRY_AIR = 287.05
"""Specific gas constant of dry air [J/(kg K)] (ICAO standard atmosphere)."""
AIR_TEMPERATURE = 283.15
"""Of the column of air between barologger and well [K]. 20 K off changes 100 ft of air by 0.01 ft of water."""
M_PER_FT = 0.3048
OF_WATER = {"ft": "ftH2O", "m": "mH2O", "cm": "cmH2O"}
"""A length that a pressure logger states is one of water."""


def head_ft(stored: Numbers, unit: str) -> Numbers:
    """Pressure in any unit as feet of water of 1,000 kg/m3: psi, kPa, mbar, inHg, or m, cm and ft of water.

    Raises
    ------
    BadUnit : the unit measures neither a pressure nor a height of water.
    """
    known = unit_id(unit)
    return stored * float(factor(OF_WATER.get(known, known), "ftH2O"))


def air_head_ft(time_ms: Instants, baro_ms: Instants, baro_psi: Numbers, longest_gap_ms: int) -> Numbers:
    """Air pressure [psi] at each instant as feet of water: see `air_at`."""
    return air_at(time_ms, baro_ms, head_ft(baro_psi, "psi"), longest_gap_ms)


def air_at(time_ms: Instants, baro_ms: Instants, air_ft: Numbers, longest_gap_ms: int) -> Numbers:
    """Air pressure at each instant, interpolated linearly between barologger readings.

    Parameters
    ----------
    time_ms : int64[n], UTC epoch [ms].
    baro_ms, air_ft : int64[m] increasing, float64[m] [ft of water]; NaN readings are left out.
    longest_gap_ms : a wider gap between readings is not bridged; an instant outside them gets NaN.

    Returns
    -------
    float64[n] [ft of water]; NaN where not known.
    """
    kept = ~np.isnan(air_ft)
    when, head = baro_ms[kept], air_ft[kept]
    if not when.size:
        return np.full(time_ms.shape, np.nan)
    after = np.clip(np.searchsorted(when, time_ms, side="left"), 0, when.size - 1)
    before = np.where(when[after] == time_ms, after, np.maximum(after - 1, 0))
    known = (when[before] <= time_ms) & (time_ms <= when[after]) & (when[after] - when[before] <= longest_gap_ms)
    return np.where(known, np.interp(time_ms, when, head), np.nan)


def air_ratio(lower_ft: float) -> float:
    """Air pressure at a place so many feet below the barologger, over the pressure at the barologger.

    p = p_b exp(g dz / (R T)), the hydrostatic (barometric) equation of dry air at 10 degC. The place is the well's
    measuring point; the 0.0012 ft of water for each foot of air from there down to the water stays in the hanging.
    """
    return float(np.exp(GRAVITY * lower_ft * M_PER_FT / (DRY_AIR * AIR_TEMPERATURE)))


def water_density(temperature_c: Numbers) -> Numbers:
    """Density of fresh water at a temperature [degC, 0 to 40] as [kg/m3].

    rho = a5 (1 - (t + a1)^2 (t + a2) / (a3 (t + a4)))
    Source: Tanaka et al. 2001, Metrologia 38, 301-309 (recommended by the CIPM). NaN where outside 0 to 40 degC.
    """
    t = np.where((temperature_c >= 0) & (temperature_c <= 40), temperature_c, np.nan)
    return 999.974950 * (1 - (t - 3.983035) ** 2 * (t + 301.797) / (522528.9 * (t + 69.34881)))


def column_ft(total_ft: Numbers, air_ft: Numbers | float, density: Numbers | float) -> Numbers:
    """Height of water over the sensor [ft]: (total - air) / (rho g), both pressures [ft of water of 1,000 kg/m3].

    Parameters
    ----------
    air_ft : 0 for a vented logger.
    density : of the water in the well [kg/m3].
    """
    return (total_ft - air_ft) * (CONVENTIONAL_DENSITY / density)


def air_response_ft(air_ft: Numbers, efficiency: float, reference_ft: float) -> Numbers:
    """How far air pressure pushes the level of a well down [ft]: BE (air - reference), both [ft of water].

    Source: Clark 1967, J. Hydraulics Div. ASCE 93(4). Taken off a depth, it leaves the depth under the reference air.
    """
    return efficiency * (air_ft - reference_ft)


def depth_below_mp_ft(logger: Logger, total_head_ft: Numbers, air_ft: Numbers) -> Numbers:
    """Depth to water below the measuring point [ft] from the head over the sensor [ft].

    ``air_ft`` is taken off an absolute logger and ignored for a vented one.
    """
    column = total_head_ft - (air_ft if logger.kind == "absolute" else 0.0)
    return float(logger.hung_below_mp_ft) - column
