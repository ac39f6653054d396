"""A sample with non-detects, and the answer given when there is too little of it.

A non-detect ``<L`` is left-censored: its value lies somewhere in [0, L). It is never replaced by a made-up number
such as half the limit (Helsel, 2012, *Statistics for Censored Environmental Data*, ch. 1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.errors import BadQuestion

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class CensoredSample:
    """Results of one substance in one unit. Build it with `censored_sample`.

    Parameters
    ----------
    values : array (n,). The value of a detect, the limit behind the ``<`` of a non-detect.
    censored : array (n,) of bool. True for a non-detect.
    """

    values: Floats
    censored: Bools

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def n_censored(self) -> int:
        return int(self.censored.sum())

    @property
    def n_detected(self) -> int:
        return self.n - self.n_censored

    @property
    def detects(self) -> Floats:
        return self.values[~self.censored]

    @property
    def limits(self) -> Floats:
        return self.values[self.censored]


@dataclass(frozen=True)
class Insufficient:
    """Too little data for the question, and how much more would settle it."""

    what: str
    have: int
    needed: int
    detail: str = ""

    @property
    def missing(self) -> int:
        return self.needed - self.have

    @property
    def reason(self) -> str:
        text = f"{self.have} of {self.needed} {self.what}: {self.missing} missing"
        return f"{text} ({self.detail})" if self.detail else text


def censored_sample(values: Sequence[float] | Floats, censored: Sequence[bool] | Bools | None = None) -> CensoredSample:
    """A checked sample; without ``censored`` every value is a detect.

    Raises
    ------
    BadQuestion : not one-dimensional, lengths differ, or a value is not finite.
    """
    numbers = np.asarray(values, dtype=np.float64)
    marks = np.zeros(numbers.shape, dtype=np.bool_) if censored is None else np.asarray(censored, dtype=np.bool_)
    if numbers.ndim != 1 or numbers.shape != marks.shape:
        raise BadQuestion("values and non-detect marks differ in shape", found=(numbers.shape, marks.shape))
    if not np.isfinite(numbers).all():
        raise BadQuestion("not a finite number", key="values")
    return CensoredSample(numbers, marks)


def too_few_detects(sample: CensoredSample, minimum: int, largest_share: float) -> Insufficient | None:
    """The shortage of detects, or None where there are at least ``minimum``, and never under 2.

    At most ``largest_share`` [0..1) of all may be censored. More samples raise the total as well:
    d + x >= (1 - share) (n + x) gives the x that would do.
    """
    lacking = (1.0 - largest_share) * sample.n - sample.n_detected
    short = math.ceil(lacking / largest_share - 1e-9) if largest_share else sample.n_censored
    needed = max(minimum, 2, sample.n_detected + short)
    detail = f"{sample.n_censored} of {sample.n} not detected"
    return Insufficient("detected results", sample.n_detected, needed, detail) if sample.n_detected < needed else None
