"""The August median, in both definitions: they differ by a fifth on one stream, so each is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.streamflow.daily_record import DailyRecord, Numbers, month_of

AUGUST = 8
DAYS_IN_AUGUST = 31


@dataclass(frozen=True)
class AugustMedian:
    """The median flow of August; None where no day allows it.

    Parameters
    ----------
    pooled : median of all known August daily means [cfs].
    of_years : median of the medians of the complete Augusts [cfs].
    days, years : known August days, complete Augusts.
    incomplete : years whose August is not complete.
    """

    pooled: float | None
    of_years: float | None
    days: int
    years: int
    incomplete: tuple[int, ...]


def august_median(record: DailyRecord) -> AugustMedian:
    """The August median of a record; reverse flow is unknown."""
    in_august = month_of(record.days) == AUGUST
    year = record.days[in_august].astype("datetime64[Y]").astype(np.int64) + 1970
    labels, starts = np.unique(year, return_index=True)
    augusts = np.split(record.usable[in_august], starts[1:]) if labels.size else []
    pooled, of_years = pooled_median(augusts), median_of_medians(augusts)
    return AugustMedian(
        pooled=None if np.isnan(pooled) else pooled,
        of_years=None if np.isnan(of_years) else of_years,
        days=sum(int(np.isfinite(one).sum()) for one in augusts),
        years=sum(is_complete(one) for one in augusts),
        incomplete=tuple(int(y) for y, one in zip(labels, augusts, strict=True) if not is_complete(one)),
    )


def pooled_median(augusts: Sequence[Numbers]) -> float:
    """Median [cfs] of every known day of several Augusts; NaN without one."""
    days = np.concatenate([np.empty(0), *augusts])
    return float(np.nanmedian(days)) if np.isfinite(days).any() else float("nan")


def median_of_medians(augusts: Sequence[Numbers]) -> float:
    """Median [cfs] of the medians of the complete Augusts; NaN without one."""
    medians = [float(np.median(one)) for one in augusts if is_complete(one)]
    return float(np.median(medians)) if medians else float("nan")


def is_complete(august: Numbers) -> bool:
    """Whether all 31 days are known."""
    return int(np.isfinite(august).sum()) == DAYS_IN_AUGUST
