"""What an analytic model may be asked: the key and its allowed range are named in every refusal."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.errors import BadQuestion

Numbers = NDArray[np.float64]


def finite(key: str, value: ArrayLike) -> Numbers:
    """``value`` as float64.

    Raises
    ------
    BadQuestion : NaN or infinite anywhere.
    """
    return _within(key, value, True, "finite")


def positive(key: str, value: ArrayLike) -> Numbers:
    """``value`` as float64.

    Raises
    ------
    BadQuestion : not finite, or not above 0, anywhere.
    """
    return _within(key, value, np.asarray(value, np.float64) > 0, "above 0")


def not_negative(key: str, value: ArrayLike) -> Numbers:
    """``value`` as float64.

    Raises
    ------
    BadQuestion : not finite, or below 0, anywhere.
    """
    return _within(key, value, np.asarray(value, np.float64) >= 0, "0 or above")


def share(key: str, value: ArrayLike) -> Numbers:
    """``value`` as float64.

    Raises
    ------
    BadQuestion : not within 0 to 1, anywhere.
    """
    numbers = np.asarray(value, np.float64)
    return _within(key, value, (numbers >= 0) & (numbers <= 1), "0 to 1")


def at_most(key: str, value: ArrayLike, limit: ArrayLike, words: str) -> Numbers:
    """``value`` as float64.

    Parameters
    ----------
    words : what the limit is, as the refusal says it: "at most the saturated thickness".

    Raises
    ------
    BadQuestion : not finite, or above ``limit``, anywhere.
    """
    numbers, bound = np.broadcast_arrays(np.asarray(value, np.float64), np.asarray(limit, np.float64))
    return _within(key, numbers, numbers <= bound, words)


def at_least(key: str, value: ArrayLike, limit: ArrayLike, words: str) -> Numbers:
    """``value`` as float64, the mirror of `at_most`.

    Raises
    ------
    BadQuestion : not finite, or below ``limit``, anywhere.
    """
    numbers, bound = np.broadcast_arrays(np.asarray(value, np.float64), np.asarray(limit, np.float64))
    return _within(key, numbers, numbers >= bound, words)


def off_the_well(key: str, distance: ArrayLike, time: ArrayLike) -> Numbers:
    """A distance [L] from a line well: 0 has no finite drawdown, except before pumping began.

    Raises
    ------
    BadQuestion : not finite, negative, or 0 at a ``time`` [T] above 0.
    """
    checked = not_negative(key, distance)
    if ((checked == 0) & (np.asarray(time, np.float64) > 0)).any():
        raise BadQuestion("the drawdown in a line well has no limit", key=key, found=0.0, allowed=["above 0"])
    return checked


def _within(key: str, value: ArrayLike, allowed: ArrayLike, words: str) -> Numbers:
    numbers = np.asarray(value, np.float64)
    refused = ~(np.isfinite(numbers) & allowed)
    if refused.any():
        raise BadQuestion("outside its range", key=key, found=float(numbers[refused].flat[0]), allowed=[words])
    return numbers
