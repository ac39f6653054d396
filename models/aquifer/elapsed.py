"""Responses that begin when the pumping does: nothing before, the solution after."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, finite


def since_start(time: ArrayLike, response: Callable[..., Numbers], *arguments: Numbers, key: str = "time_d") -> Numbers:
    """``response(time, *arguments)`` where time is above 0, exactly 0 elsewhere.

    Parameters
    ----------
    time : t since the start [T], any shape.
    response : takes one-dimensional float64 arrays of equal length, gives one.
    arguments : what else it takes, already checked; all broadcast with the time.
    key : the name by which a bad time is refused.

    Returns
    -------
    float64 array, broadcast of the time and the arguments

    Raises
    ------
    BadQuestion : a time that is not finite.
    """
    elapsed, *others = np.broadcast_arrays(finite(key, time), *arguments)
    after = elapsed > 0
    answer = np.zeros(elapsed.shape)
    if after.any():
        answer[after] = response(elapsed[after], *(other[after] for other in others))
    return answer
