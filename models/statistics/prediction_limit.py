"""The value that one further draw of a sample stays below, with stated confidence: a one-sided prediction limit."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import special

from models.errors import BadQuestion

LEAST = 2


def upper_prediction_limit(values: Sequence[float], level: float) -> float:
    """Upper prediction limit of one further value, the logarithms normal.

        U = exp(m + t(level, n - 1) s sqrt(1 + 1/n))

    with m and s the mean and the standard deviation (n - 1) of the n logarithms, and t the quantile of Student's t.

    Parameters
    ----------
    values : float[n], all above zero, in any unit; n at least 2.
    level : confidence, between 0 and 1.

    Returns
    -------
    In the unit of ``values``.

    Raises
    ------
    BadQuestion : fewer than two values, one that is not above zero, or a level outside (0, 1).

    Notes
    -----
    Hahn and Meeker 1991, Statistical intervals, ch. 4; Helsel and others 2020, USGS Techniques and Methods 4-A3, ch. 3
    (intervals for asymmetric data).
    """
    if not 0 < level < 1:
        raise BadQuestion("a confidence lies between 0 and 1", key="level", found=level)
    if len(values) < LEAST or min(values) <= 0:
        raise BadQuestion("needs two values or more, all above zero", key="values", found=len(values))
    logs = np.log(np.asarray(values, np.float64))
    n = logs.size
    return math.exp(float(logs.mean() + special.stdtrit(n - 1, level) * logs.std(ddof=1) * math.sqrt(1 + 1 / n)))
