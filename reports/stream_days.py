"""A stream's daily record on every day of the calendar: what is known, approved, estimated, iced, below base flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import pandas as pd

from reports.figure_parts import DAY, Days, Marks, Numbers

ESTIMATED = {"e", "est", "estimated"}


@dataclass(frozen=True)
class StreamDays:
    """Arrays over every civil day from the first row to the last; a day without a row is unknown.

    ``value`` and ``base_flow`` [cfs] are NaN where there is none; ``below`` is ``value < base_flow``.
    """

    day: Days
    value: Numbers
    base_flow: Numbers
    approved: Marks
    estimated: Marks
    ice: Marks

    @property
    def known(self) -> Marks:
        return np.isfinite(self.value)

    @property
    def unknown(self) -> Marks:
        return ~self.known

    @property
    def positive(self) -> Marks:
        """Known and above zero: what a log axis can show."""
        return self.known & (np.nan_to_num(self.value) > 0)

    @property
    def below(self) -> Marks:
        return self.known & np.isfinite(self.base_flow) & (np.nan_to_num(self.value) < np.nan_to_num(self.base_flow))


def stream_days(frame: pd.DataFrame, base_flow_steps: Sequence[tuple[date, float]] = ()) -> StreamDays:
    """Put a frame (``day value approval qualifiers origin``) on the calendar, beside its base flow."""
    given = np.array(frame["day"].tolist(), dtype="datetime64[D]")
    days = np.arange(given[0], given[-1] + DAY) if len(given) else np.empty(0, "datetime64[D]")
    place = (given - days[0]).astype(np.intp) if len(given) else np.empty(0, np.intp)
    words = [set(str(text).casefold().split()) for text in frame["qualifiers"]]
    estimated = np.array([bool(ESTIMATED & one) for one in words], bool) | (frame["origin"] == "estimated").to_numpy(
        bool
    )
    ice = np.array(["ice" in one for one in words], bool) & frame["value"].isna().to_numpy(bool)
    return StreamDays(
        days,
        _placed(len(days), place, frame["value"].to_numpy(np.float64), np.nan),
        _stepwise(days, base_flow_steps),
        _placed(len(days), place, (frame["approval"] == "A").to_numpy(bool), False),
        _placed(len(days), place, estimated, False),
        _placed(len(days), place, ice, False),
    )


def _placed(size: int, place: np.ndarray, values: np.ndarray, fill: float | bool) -> np.ndarray:
    whole = np.full(size, fill, values.dtype)
    whole[place] = values
    return whole


def _stepwise(days: Days, steps: Sequence[tuple[date, float]]) -> Numbers:
    """The step in force on each day; NaN before the first."""
    if not steps:
        return np.full(len(days), np.nan)
    starts = np.array([since for since, _ in steps], dtype="datetime64[D]")
    values = np.array([np.nan, *(value for _, value in steps)])
    return values[np.searchsorted(starts, days, side="right")]
