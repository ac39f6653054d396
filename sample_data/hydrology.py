"""The water of the made-up site: linear reservoirs, Hunt (1999), record extension. Feet, days and cfs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from draws import Numbers
from scipy.special import erfcx, exp1

SECONDS_PER_DAY = 86_400.0
SPIN_UP_DAYS = 5_000  # the mean recharge of these first days fills the reservoirs
CFS_PER_INCH_MI2_DAY = 5280.0**2 / 12.0 / SECONDS_PER_DAY


@dataclass(frozen=True)
class TrueAquifer:
    """What the made-up ground really is; the signed ranges of site.toml only bracket it."""

    transmissivity_ft2_per_d: float
    specific_yield: float
    streambed_conductance_ft_per_d: float


@dataclass(frozen=True)
class Creek:
    """A catchment of three linear reservoirs; each ``keep`` is the daily recession constant."""

    area_mi2: float
    keep_ground: float
    keep_inter: float
    keep_quick: float
    inter_share: float
    quick_share: float


def reservoir(inflow: Numbers, keep: float, start: float) -> Numbers:
    """Outflow of a linear reservoir: q[t] = keep q[t-1] + (1 - keep) inflow[t]."""
    out = np.empty(len(inflow))
    last = start
    for i, more in enumerate(inflow):
        last = keep * last + (1.0 - keep) * more
        out[i] = last
    return out


def natural_flow(creek: Creek, water_in: Numbers, recharge_in: Numbers) -> tuple[Numbers, Numbers]:
    """Natural daily flow and its groundwater part [cfs] from daily liquid water and recharge [in]."""
    scale = creek.area_mi2 * CFS_PER_INCH_MI2_DAY
    mean = float(recharge_in[:SPIN_UP_DAYS].mean()) * scale
    ground = reservoir(recharge_in * (1 - creek.inter_share) * scale, creek.keep_ground, mean * (1 - creek.inter_share))
    inter = reservoir(recharge_in * creek.inter_share * scale, creek.keep_inter, mean * creek.inter_share)
    quick = reservoir(water_in * creek.quick_share * scale, creek.keep_quick, 0.0)
    return ground + inter + quick, ground


def hunt_depletion(ground: TrueAquifer, distance_ft: float, days: Numbers) -> Numbers:
    """Stream depletion over pumping rate for a unit step, Hunt (1999) eq. 20, overflow-free.

    q/Q = exp(-a^2) [erfcx(a) - erfcx(a + sqrt(b))], a^2 = S d^2 / 4 T t, b = lambda^2 t / 4 S T.
    """
    t, s = ground.transmissivity_ft2_per_d, ground.specific_yield
    a = np.sqrt(s * distance_ft**2 / (4 * t * days))
    b = ground.streambed_conductance_ft_per_d**2 * days / (4 * s * t)
    return np.exp(-(a**2)) * (erfcx(a) - erfcx(a + np.sqrt(b)))


def hunt_drawdown(ground: TrueAquifer, distance_ft: float, x_ft: float, y_ft: float, days: Numbers) -> Numbers:
    """Drawdown [ft] for a unit step of 1 ft3/d, Hunt (1999) eq. 30; the stream is x = 0, the well at (d, 0)."""
    t, s = ground.transmissivity_ft2_per_d, ground.specific_yield
    nodes, weights = np.polynomial.laguerre.laggauss(80)
    spread = 2 * t / ground.streambed_conductance_ft_per_d
    near = exp1(((distance_ft - x_ft) ** 2 + y_ft**2) * s / (4 * t * days))
    image = ((distance_ft + abs(x_ft) + spread * nodes) ** 2 + y_ft**2) * s
    far = (exp1(image[None, :] / (4 * t * days[:, None])) * weights[None, :]).sum(axis=1)
    return (near - far) / (4 * math.pi * t)


def superpose(rate: Numbers, unit_step: Numbers) -> Numbers:
    """Response to a daily rate: the sum of every change of rate times the unit step since that change."""
    change = np.diff(rate, prepend=0.0)
    out = np.zeros(len(rate))
    for i in np.flatnonzero(change):
        out[i:] += change[i] * unit_step[: len(rate) - i]
    return out


def mid_days(n: int) -> Numbers:
    """Elapsed days from the start of a day to the middle of this and later days: 0.5, 1.5, ..."""
    return np.arange(n) + 0.5


def move1(site: Numbers, reference: Numbers, long_reference: Numbers) -> Numbers:
    """Record extension MOVE.1 on log10 flows (Hirsch 1982): keeps mean and variance of the site's own record."""
    y, x = np.log10(site), np.log10(reference)
    slope = y.std(ddof=1) / x.std(ddof=1)
    return 10.0 ** (y.mean() + slope * (np.log10(long_reference) - x.mean()))


def exceeded(flow: Numbers, share: float) -> float:
    """The flow equalled or exceeded on a share of days, Weibull position m / (n + 1), linear between ranks."""
    ranked = np.sort(flow)[::-1]
    position = share * (len(ranked) + 1) - 1
    low = int(np.floor(position))
    return float(ranked[low] + (position - low) * (ranked[low + 1] - ranked[low]))
