"""Plain moments of a discharge record, reverse flow, zeros and gaps each counted and none of them hidden."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from models.streamflow.daily_record import Numbers

SECONDS_PER_DAY = 86_400


@dataclass(frozen=True)
class FlowSummary:
    """Moments of daily mean discharge over its known days; None where no day allows it.

    Parameters
    ----------
    n, missing : known and unknown days [d].
    reverse_days, zero_days : known days of negative and of no flow [d].
    mean, minimum, highest_daily_mean : [cfs], the sign of reverse flow kept. The highest daily mean is no peak flow.
    volume_ft3 : net volume of the known days [ft3].
    harmonic_mean_of_positive : of the days of positive flow [cfs].
    harmonic_mean_adjusted : the same x positive days / known days [cfs] (as in DFLOW); unknown days are left out.
    """

    n: int
    missing: int
    reverse_days: int
    zero_days: int
    mean: float | None
    minimum: float | None
    highest_daily_mean: float | None
    volume_ft3: float | None
    harmonic_mean_of_positive: float | None
    harmonic_mean_adjusted: float | None


def flow_summary(flow: ArrayLike) -> FlowSummary:
    """Summary of daily mean discharge ``flow``, float64[n] [cfs], NaN where unknown."""
    values = np.asarray(flow, np.float64)
    known = values[np.isfinite(values)]
    harmonic = _harmonic_mean(known[known > 0])
    return FlowSummary(
        n=known.size,
        missing=values.size - known.size,
        reverse_days=int((known < 0).sum()),
        zero_days=int((known == 0).sum()),
        mean=float(known.mean()) if known.size else None,
        minimum=float(known.min()) if known.size else None,
        highest_daily_mean=float(known.max()) if known.size else None,
        volume_ft3=float(known.sum() * SECONDS_PER_DAY) if known.size else None,
        harmonic_mean_of_positive=harmonic,
        harmonic_mean_adjusted=None if harmonic is None else harmonic * float((known > 0).sum()) / known.size,
    )


def _harmonic_mean(positive: Numbers) -> float | None:
    if not positive.size:
        return None
    # A flow too small for its reciprocal makes the mean 0, as it should.
    with np.errstate(over="ignore"):
        return float(positive.size / (1 / positive).sum())
