"""Depletion after shut-off: how much of it is left, when it is largest, and when the stream has recovered.

A stream goes on losing after the pump stops, and at a distance its loss still grows. The response is superposed:
of a pumping of length t_p the share F(t_p + t') - F(t') is left a time t' after it. It dies as t'^-1.5, so that the
date of recovery depends on what depletion counts as none: the threshold is the caller's.

References
----------
Jenkins (1968), Computation of rate and volume of stream depletion by wells, USGS TWRI 4-D1 (residual effects).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from models.aquifer.admissible import Numbers, not_negative, positive
from models.aquifer.superposition import UnitResponse, step_changes, superpose
from models.errors import BadQuestion

_LOOKED_AT_D = np.geomspace(1e-3, 1e9, 1441)
"""Days after the last stop, 2 % apart; the depletion is smooth in their logarithm."""


def residual_fraction(response: UnitResponse, pumped_d: ArrayLike, since_stop_d: ArrayLike) -> Numbers:
    """Depletion after shut-off over the rate before, F(t_p + t') - F(t') [-].

    Parameters
    ----------
    response : F, the depletion fraction at elapsed times [d] above 0, as in `models.aquifer.superposition.superpose`.
    pumped_d : t_p, how long it pumped at one rate [d], 0 or above.
    since_stop_d : t' [d], 0 or above.

    Returns
    -------
    float64 array, broadcast of both

    Raises
    ------
    BadQuestion : a time outside its range, by name.
    """
    pumped, after = not_negative("pumped_d", pumped_d), not_negative("since_stop_d", since_stop_d)
    pumped, after = np.broadcast_arrays(pumped, after)
    return _from_start(response, pumped + after) - _from_start(response, after)


def depletion_after_m3_per_d(
    day_numbers: ArrayLike, rates_m3_per_d: ArrayLike, response: UnitResponse, since_stop_d: ArrayLike
) -> Numbers:
    """Depletion at times [d] since the schedule's last change, which must stop the pump [m3/d].

    Parameters
    ----------
    day_numbers, rates_m3_per_d : the schedule as in `models.aquifer.superposition.step_changes`; it ends with 0.
    response : F, the depletion fraction.
    since_stop_d : [d], 0 or above, any shape.

    Raises
    ------
    BadQuestion : a schedule that does not end with 0; a time below 0.
    """
    after = not_negative("since_stop_d", since_stop_d)
    return superpose(day_numbers, rates_m3_per_d, _stop(day_numbers, rates_m3_per_d) + after, response)


def largest_depletion_after(
    day_numbers: ArrayLike, rates_m3_per_d: ArrayLike, response: UnitResponse
) -> tuple[float, float]:
    """When after the last stop the depletion is largest [d], and how large it is [m3/d]; to 2 % in time.

    Parameters and errors as in `depletion_after_m3_per_d`. (0, depletion at the stop) where it only falls.
    """
    looked_at = np.concatenate([[0.0], _LOOKED_AT_D])
    depletion = depletion_after_m3_per_d(day_numbers, rates_m3_per_d, response, looked_at)
    worst = int(np.argmax(depletion))
    return float(looked_at[worst]), float(depletion[worst])


def recovery_time_d(
    day_numbers: ArrayLike, rates_m3_per_d: ArrayLike, response: UnitResponse, threshold_m3_per_d: float
) -> float:
    """Days from the last stop until the depletion stays at or below the threshold for good.

    Parameters
    ----------
    threshold_m3_per_d : what counts as recovered [m3/d], above 0: depletion never quite ends.
    others : as in `depletion_after_m3_per_d`.

    Returns
    -------
    float
        0 where it never exceeds the threshold after the stop.

    Raises
    ------
    BadQuestion : as there; a threshold not above 0; no recovery within a billion days.
    """
    threshold = float(positive("threshold_m3_per_d", threshold_m3_per_d))

    def excess(after: float) -> float:
        return float(depletion_after_m3_per_d(day_numbers, rates_m3_per_d, response, after)) - threshold

    looked_at = np.concatenate([[0.0], _LOOKED_AT_D])
    above = np.flatnonzero(depletion_after_m3_per_d(day_numbers, rates_m3_per_d, response, looked_at) > threshold)
    if above.size == 0:
        return 0.0
    last = int(above[-1])
    if last == looked_at.size - 1:
        reason = "no recovery within a billion days"
        raise BadQuestion(reason, key="threshold_m3_per_d", found=threshold, allowed=["a larger threshold"])
    return float(brentq(excess, looked_at[last], looked_at[last + 1], xtol=1e-9))


def _stop(day_numbers: ArrayLike, rates: ArrayLike) -> float:
    step_changes(day_numbers, rates)
    held, days = np.asarray(rates, np.float64), np.asarray(day_numbers, np.float64)
    if held.size == 0 or held[-1] != 0:
        found = float(held[-1]) if held.size else None
        raise BadQuestion("the pump does not stop", key="rates", found=found, allowed=["a last rate of 0"])
    pumping = np.flatnonzero(held)
    return float(days[pumping[-1] + 1] if pumping.size else days[0])


def _from_start(response: UnitResponse, elapsed: Numbers) -> Numbers:
    answer = np.zeros(elapsed.shape)
    answer[elapsed > 0] = response(elapsed[elapsed > 0])
    return answer
