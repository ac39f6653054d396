"""Shifts of a rating: what weed, scour and fill do to it between measurements."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from models.errors import BadQuestion
from models.streamflow.daily_record import Numbers


@dataclass(frozen=True)
class Shift:
    """A shift from an instant on.

    Parameters
    ----------
    start_ms : UTC epoch [ms].
    points : (stage [ft], shift [ft]) pairs in order of the stage, one for the same shift at every stage. Between two
        the shift is linear in stage, beyond the first and the last it is theirs (the V-diagram of a gauge record).
    """

    start_ms: int
    points: tuple[tuple[float, float], ...]

    @staticmethod
    def constant(start_ms: int, shift_ft: float) -> Shift:
        """The same shift at every stage."""
        return Shift(start_ms, ((0.0, shift_ft),))

    def at(self, stage: ArrayLike) -> Numbers:
        """The shift [ft] at each stage [ft]; NaN where the stage is unknown."""
        stages, shifts = zip(*self.points, strict=True)
        return np.asarray(np.interp(np.asarray(stage, np.float64), stages, shifts))


def shift_at(shifts: tuple[Shift, ...], time_ms: ArrayLike, stage: ArrayLike, *, prorated: bool = True) -> Numbers:
    """The shift in force at each reading.

    Parameters
    ----------
    shifts : in order of their start; none at all is no shift.
    time_ms : int64[n], UTC epoch [ms].
    stage : float64[n], gauge height [ft].
    prorated : between two starts the shift moves evenly from the one to the next; False holds it until the next.

    Returns
    -------
    float64[n] [ft]
        To be added to the stage. 0 before the first start, where the base rating is in force; held after the last.

    Raises
    ------
    BadQuestion : starts or stages of a shift that do not increase, a shift without a point, unequal lengths.
    """
    times, stages = np.asarray(time_ms, np.int64), np.asarray(stage, np.float64)
    _check(shifts, times, stages)
    if not shifts:
        return np.zeros(stages.shape)
    starts = np.array([one.start_ms for one in shifts], np.int64)
    curves = np.array([one.at(stages) for one in shifts])
    last = np.searchsorted(starts, times, side="right") - 1
    before, after = np.clip(last, 0, None), np.clip(last + 1, 0, starts.size - 1)
    length = np.maximum(starts[after] - starts[before], 1)
    share = (times - starts[before]) / length if prorated else np.zeros(times.shape)
    column = np.arange(times.size)
    moved = curves[before, column] + share * (curves[after, column] - curves[before, column])
    return np.where(last < 0, 0.0, moved)


def _check(shifts: tuple[Shift, ...], times: np.ndarray[tuple[int, ...], np.dtype[np.int64]], stages: Numbers) -> None:
    if times.ndim != 1 or times.shape != stages.shape:
        raise BadQuestion("times and stages differ in length", key="stage", found=stages.shape, allowed=[times.shape])
    if any(after.start_ms <= before.start_ms for before, after in pairwise(shifts)):
        raise BadQuestion("shifts must follow in time", key="start_ms", allowed=["strictly increasing starts"])
    for one in shifts:
        depth = [stage for stage, _ in one.points]
        if not depth or depth != sorted(set(depth)) or not np.isfinite(one.points).all():
            raise BadQuestion("not a shift", key="points", found=one.points, allowed=["finite, by increasing stage"])
