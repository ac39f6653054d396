"""Recursive digital filters of one form: b[i] = c b[i-1] + t q[i] + y q[i-1], kept within 0..q[i] in the recursion.

k is the daily recession constant, Q[t+1] = k Q[t]. The first day of a run is the first value of the two-pass
Lyne-Hollick filter (Nathan & McMahon's variant, a = 0.925, started from zero, nothing mirrored).

References
----------
Chapman (1991), Water Resour. Res. 27(7). Chapman & Maxwell (1996), I.E. Aust. 23rd Hydrol. Water Resour. Symp.
Boughton (1993), I.E. Aust. Hydrol. Water Resour. Symp. Eckhardt (2005), Hydrol. Process. 19(2). Lim et al. (2005),
J. Am. Water Resour. Assoc. 41(6). Furey & Gupta (2001), Water Resour. Res. 37(11). Tularam & Ilahee (2008), Am. J.
Environ. Sci. 4(2). Willems (2009), Environ. Model. Softw. 24(3). Jakeman & Hornberger (1993), Water Resour. Res. 29(8).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from models.streamflow.separation.lyne_hollick import Pass
from models.streamflow.separation.parameters import RECESSION, Number
from models.streamflow.separation.runs import Floats
from models.streamflow.separation.side_by_side import Lanes, separate_side_by_side

START_ALPHA = 0.925
"""a of the Lyne-Hollick filter that starts the others [-]."""

C = Number("c", "C: weight of today's flow", "-", 0, np.inf, default=0.05)
BFI_MAX = Number(
    "bfi_max",
    "largest base-flow index: 0.80 perennial porous, 0.50 ephemeral porous, 0.25 perennial hard rock; an input that "
    "the result follows, no finding",
    "-", 0, 1, default=0.80,
)  # fmt: skip
"""Eckhardt (2005)."""
ECKHARDT_ALPHA = Number(RECESSION.key, RECESSION.meaning, RECESSION.unit, 0, 1, default=0.98)
RATIO = Number("ratio", "A = c3/c1: recharge over overland flow", "-", 0, np.inf, default=1.0)
QUICK_SHARE = Number("w", "w: share of quick flow in flow", "-", 0, 1, includes_high=True, default=0.5)
SMOOTHING = Number("smoothing", "e: weight of today's flow", "-", 0, 1, includes_high=True)
YESTERDAY = Number("alpha_s", "a_s: weight of yesterday's flow beside today's", "-", -1, np.inf)
IHACRES_C = Number(C.key, C.meaning, C.unit, 0, np.inf)


class Coefficients(NamedTuple):
    """float64[station], weights of yesterday's base flow, today's flow and yesterday's flow."""

    carried: Floats
    today: Floats
    yesterday: Floats


def chapman(flow: ArrayLike, alpha: ArrayLike) -> Floats:
    """(3k - 1)/(3 - k) b[i-1] + (1 - k)/(3 - k) (q[i] + q[i-1]) (Chapman 1991).

    Parameters
    ----------
    flow : float64[day] or [day, station], any unit, NaN where unknown.
    alpha : k [-], one or per station.

    Returns
    -------
    float64, shape and unit of ``flow``.

    Raises
    ------
    BadQuestion : a parameter out of range, or a wrong shape.
    """
    k = RECESSION.each(alpha, flow)
    flows = (1 - k) / (3 - k)
    return _filtered(flow, Coefficients((3 * k - 1) / (3 - k), flows, flows))


def chapman_maxwell(flow: ArrayLike, alpha: ArrayLike) -> Floats:
    """k/(2 - k) b[i-1] + (1 - k)/(2 - k) q[i]; its BFI cannot exceed about 0.5. Parameters as in `chapman`."""
    k = RECESSION.each(alpha, flow)
    return _filtered(flow, Coefficients(k / (2 - k), (1 - k) / (2 - k), np.zeros_like(k)))


def boughton(flow: ArrayLike, alpha: ArrayLike, c: ArrayLike = 0.05) -> Floats:
    """k/(1 + C) b[i-1] + C/(1 + C) q[i]; ``c`` is C [-], otherwise as in `chapman`."""
    k, weight = RECESSION.each(alpha, flow), C.each(c, flow)
    return _filtered(flow, Coefficients(k / (1 + weight), weight / (1 + weight), np.zeros_like(k)))


def eckhardt(flow: ArrayLike, alpha: ArrayLike = 0.98, bfi_max: ArrayLike = 0.80) -> Floats:
    """[(1 - B) k b[i-1] + (1 - k) B q[i]] / (1 - k B), B = BFImax (Eckhardt 2005; the WHAT system).

    Parameters
    ----------
    flow : float64[day] or [day, station], any unit, NaN where unknown.
    alpha : k [-], one or per station.
    bfi_max : B [-], one or per station. The result follows it almost one to one.

    Returns
    -------
    float64, shape and unit of ``flow``.

    Raises
    ------
    BadQuestion : a parameter out of range, or a wrong shape.
    """
    k, most = ECKHARDT_ALPHA.each(alpha, flow), BFI_MAX.each(bfi_max, flow)
    left = 1 - k * most
    return _filtered(flow, Coefficients((1 - most) * k / left, (1 - k) * most / left, np.zeros_like(k)))


def furey_gupta(flow: ArrayLike, alpha: ArrayLike, ratio: ArrayLike = 1.0) -> Floats:
    """k b[i-1] + (1 - k) A (q[i-1] - b[i-1]), without delay; ``ratio`` is A [-], otherwise as in `chapman`."""
    k = RECESSION.each(alpha, flow)
    recharge = (1 - k) * RATIO.each(ratio, flow)
    return _filtered(flow, Coefficients(k - recharge, np.zeros_like(k), recharge))


def willems(flow: ArrayLike, alpha: ArrayLike, w: ArrayLike = 0.5) -> Floats:
    """(k - v)/(1 + v) b[i-1] + v/(1 + v) (q[i] + q[i-1]), v = (1 - w)(1 - k)/(2 w).

    ``w`` is the share of quick flow [-]; 0.5 is Chapman's filter exactly. Otherwise as in `chapman`.
    """
    k, share = RECESSION.each(alpha, flow), QUICK_SHARE.each(w, flow)
    v = (1 - share) * (1 - k) / (2 * share)
    return _filtered(flow, Coefficients((k - v) / (1 + v), v / (1 + v), v / (1 + v)))


def ewma(flow: ArrayLike, smoothing: ArrayLike) -> Floats:
    """(1 - e) b[i-1] + e q[i]; ``smoothing`` is e [-], otherwise as in `chapman`."""
    e = SMOOTHING.each(smoothing, flow)
    return _filtered(flow, Coefficients(1 - e, e, np.zeros_like(e)))


def ihacres(flow: ArrayLike, alpha: ArrayLike, c: ArrayLike, alpha_s: ArrayLike) -> Floats:
    """k/(1 + C) b[i-1] + C/(1 + C) (q[i] + a_s q[i-1]); ``c`` is C, ``alpha_s`` a_s [-], otherwise as in `chapman`."""
    k, weight = RECESSION.each(alpha, flow), IHACRES_C.each(c, flow)
    today = weight / (1 + weight)
    return _filtered(flow, Coefficients(k / (1 + weight), today, today * YESTERDAY.each(alpha_s, flow)))


def _filtered(flow: ArrayLike, coefficients: Coefficients) -> Floats:
    return separate_side_by_side(flow, partial(_run, weights=coefficients))


def _run(cells: Floats, lanes: Lanes, weights: Coefficients) -> None:
    carried, today, yesterday = (one[lanes.station] for one in weights)
    base = _first_day(cells, lanes)
    before = cells[lanes.row(0)].copy()
    cells[lanes.row(0)] = base
    for step in lanes.steps[1:]:
        row = cells[lanes.row(step)]
        width = row.size
        b, q = base[:width], before[:width]
        b *= carried[:width]
        q *= yesterday[:width]
        b += q
        q[:] = row
        row *= today[:width]
        b += row
        np.maximum(b, 0, out=b)
        np.minimum(b, q, out=row)
        b[:] = row


def _first_day(cells: Floats, lanes: Lanes) -> Floats:
    """First base flow of every lane."""
    work = cells.copy()
    one, alpha = Pass(resets=True, starts_high=False), np.full(lanes.station.size, START_ALPHA)
    one.apply(work, lanes, alpha, backward=False)
    one.apply(work, lanes, alpha, backward=True)
    return work[lanes.row(0)]
