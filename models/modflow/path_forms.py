"""Closed forms of paths to one well that takes Q of a confined aquifer of thickness b, in steady flow. Metres, days.

Uniform flow q0 = K i toward -x and a well at the origin: with v = q / n along the x axis,

    n v_x = -K i - Q / (2 pi b x)

Upstream of the well (x > 0) both drive a particle to it; on its lee (x < 0) they balance at the **stagnation point**
x = -x0, x0 = Q / (2 pi T i). The **dividing streamline** through it bounds the water the well will take:
y = +-x0 (pi - atan2(|y|, x)), to each side Q / (2 T i) wide far upstream and Q / (4 T i) beside the well. Along x

    t = n / (K i) [x - x0 ln(1 + x / x0)]

from x > 0 to the well (for x0 -> infinity, no gradient, it is pi n b x^2 / Q). Bear (1979), Hydraulics of Groundwater,
ch. 8; Javandel & Tsang (1986), Ground Water 24(5); Grubb (1993), Ground Water 31(1).
"""

from __future__ import annotations

from math import log1p, pi, sqrt


def stagnation_m(rate: float, transmissivity: float, slope: float) -> float:
    """x0 = Q / (2 pi T i), the stagnation point's distance downstream of the well [m]."""
    return rate / (2 * pi * transmissivity * slope)


def half_width_m(rate: float, transmissivity: float, slope: float) -> float:
    """Q / (2 T i), half the capture zone's width far upstream [m]."""
    return rate / (2 * transmissivity * slope)


def axis_days(upstream_m: float, stagnation: float, conductivity: float, slope: float, porosity: float) -> float:
    """Days from a place straight upstream to the well."""
    return porosity / (conductivity * slope) * (upstream_m - stagnation * log1p(upstream_m / stagnation))


def radius_m(days: float, rate: float, thickness: float, porosity: float) -> float:
    """sqrt(Q t / (pi n b)): from so far a well alone takes its water after so many days [m]."""
    return sqrt(rate * days / (pi * porosity * thickness))
