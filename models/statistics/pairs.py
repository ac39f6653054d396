"""Every pair of results compared, later with earlier: the signs, and the variance of their sum under no trend.

A detect of at least L stands over a non-detect <L. A non-detect beside a smaller detect, or beside another non-detect,
is a tie: nothing tells which is larger (Helsel, 2012, ch. 12).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.statistics.censored import CensoredSample, Floats

Signs = NDArray[np.float64]


def signs(sample: CensoredSample) -> Signs:
    """Array (n, n): +1 where result j is known to be larger than result i, -1 where smaller, else 0; element [i, j]."""
    larger = sample.values[None, :] > sample.values[:, None]
    reaches = sample.values[None, :] >= sample.values[:, None]
    known = ~sample.censored[None, :] & (larger | (reaches & sample.censored[:, None]))
    return known.astype(np.float64) - known.T


def time_signs(times: Floats) -> Signs:
    """Array (n, n): the sign of times[j] - times[i]; results of one moment are not compared."""
    return np.sign(times[None, :] - times[:, None])


def kendall_s(order: Signs, sample_signs: Signs) -> float:
    """S: pairs that rise with time less pairs that fall."""
    return float((order * sample_signs).sum() / 2)


def permutation_covariance(order: Signs, first: Signs, second: Signs) -> float:
    """Covariance of two Kendall S when the n results of both are shuffled over the n times together.

    Daniels (1944), Biometrika 33, 129-135, for antisymmetric scores a (time) and b, c (results); dots are row sums::

        cov = (sum a_i.^2 - sum a_ij^2) (sum b_i. c_i. - sum b_ij c_ij) / (n (n-1) (n-2))
              + sum a_ij^2 sum b_ij c_ij / (2 n (n-1))

    With b = c and ties of equal values it is n(n-1)(2n+5)/18 less t(t-1)(2t+5)/18 for each group of t (Kendall, 1975);
    with b, c two seasons it is the estimator of Dietz and Killeen (1981) that Hirsch and Slack (1984) use. Non-detects
    at several limits tie without forming groups, and several results of one day tie in time: both are covered exactly.
    """
    n = len(order)
    pairs, squares = float((first * second).sum()), float((order**2).sum())
    three = float(first.sum(axis=1) @ second.sum(axis=1)) - pairs
    three_times = float((order.sum(axis=1) ** 2).sum()) - squares
    triple = three * three_times / (n * (n - 1) * (n - 2)) if n > 2 else 0.0
    return triple + squares * pairs / (2 * n * (n - 1))


def exact_distribution(sample_signs: Signs) -> tuple[NDArray[np.int64], Floats]:
    """Every S that shuffling the results over n distinct times can give, and its probability.

    The results are laid out one after the other; one laid out adds the signs of those still to come. Counting by the
    set already laid out takes 2^n n steps, not n!.

    Parameters
    ----------
    sample_signs : array (n, n) from `signs`; its own order does not matter.
    """
    order = np.argsort(sample_signs.sum(axis=1), kind="stable")
    return _of_pattern(len(order), sample_signs[np.ix_(order, order)].astype(np.int8).tobytes())


@lru_cache(maxsize=256)
def _of_pattern(n: int, pattern: bytes) -> tuple[NDArray[np.int64], Floats]:
    """Results that rank alike share one distribution: without ties and non-detects there is one for each n."""
    sample_signs = np.frombuffer(pattern, np.int8).reshape(n, n)
    widest = n * (n - 1) // 2
    counts = np.zeros((1 << n, 2 * widest + 1))
    counts[0, widest] = 1.0
    members = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1
    steps = (sample_signs @ (1 - members).T).astype(np.int64)
    for laid in range((1 << n) - 1):
        for item in np.flatnonzero(members[laid] == 0).tolist():
            counts[laid | (1 << item)] += np.roll(counts[laid], steps[item, laid])
    possible, probability = np.arange(-widest, widest + 1), counts[-1] / counts[-1].sum()
    possible.flags.writeable = probability.flags.writeable = False
    return possible, probability


def distinct(times: Floats) -> bool:
    """No two results share a time."""
    return len(np.unique(times)) == len(times)


def later_pairs(times: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The row of the earlier and of the later result of every pair of different times, each pair once."""
    first, later = np.nonzero(times[None, :] > times[:, None])
    return first, later
