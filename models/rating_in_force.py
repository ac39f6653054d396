"""Which rating of a town's own stage recorder is in force at a reading, its shift, and the discharge it gives.

A rating stands in ``site.toml`` as ``[[gauge.rating]]``: a table (a USGS rating file) or a fitted curve
Q = a (h - h0)^b, from a day on, with dated shifts. Every reading is rated, then averaged to days; a stage beyond the
rating has no discharge, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated, Self
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import AwareDatetime, Field, model_validator

from models.field_types import Day, Id, Positive
from models.streamflow.daily_record import Numbers
from models.streamflow.rating import RatedFlow, RatingTable, Reasons, rate, why_not_rated
from models.streamflow.rating_shift import Shift, shift_at
from models.toml_file import Noun

Feet = Annotated[Decimal, Field(ge=-1000, le=10000)]
NO_RATING = "no rating in force"


class RatingShift(Noun):
    """What is added to the stage [ft] from an instant on: ``feet``, or ``points`` of (stage, shift) by stage.

    Between two shifts it moves evenly in time; the last one holds.
    """

    since: AwareDatetime
    feet: Feet | None = None
    points: tuple[tuple[Feet, Feet], ...] = ()

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.feet is None) == (not self.points):
            raise ValueError("give either feet or points")
        stages = [stage for stage, _ in self.points]
        if stages != sorted(set(stages)):
            raise ValueError("points go by increasing stage")
        return self

    def shift(self) -> Shift:
        """The same as the rating takes it."""
        start = round(self.since.timestamp() * 1000)
        if self.feet is not None:
            return Shift.constant(start, float(self.feet))
        return Shift(start, tuple((float(stage), float(shift)) for stage, shift in self.points))


class Rating(Noun):
    """A rating from a day on, until the next one.

    ``table``: a USGS rating file in the site folder. Or a fitted curve: ``a`` [cfs / ft^b], ``b``, ``h0`` [ft] with the
    range of the measured stages. ``standard_error_percent``: of one measurement about it; a fitted curve must say it.
    """

    id: Id
    valid_from: Day
    table: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$")] | None = (
        None
    )
    a: Positive | None = None
    b: Positive | None = None
    h0: Feet | None = None
    lowest_ft: Feet | None = None
    highest_ft: Feet | None = None
    standard_error_percent: Annotated[Decimal, Field(ge=0, le=100)] | None = None
    shift: tuple[RatingShift, ...] = ()

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        fitted = {name: getattr(self, name) for name in ("a", "b", "h0", "lowest_ft", "highest_ft")}
        given = [name for name, value in fitted.items() if value is not None]
        if self.table is not None and given:
            raise ValueError(f"give either table or a fitted curve; beside the table stands {', '.join(given)}")
        missing = sorted({*fitted, "standard_error_percent"} - {*given, *self._error_given()})
        if self.table is None and missing:
            raise ValueError(f"a fitted curve lacks {', '.join(missing)}; a rating without one needs its table")
        return self

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        stages = [one for one in (self.h0, self.lowest_ft, self.highest_ft) if one is not None]
        if stages != sorted(set(stages)):
            raise ValueError("needs h0 < lowest_ft < highest_ft")
        starts = [one.since for one in self.shift]
        if starts != sorted(set(starts)):
            raise ValueError("shifts follow one another in time")
        return self

    def _error_given(self) -> set[str]:
        return set() if self.standard_error_percent is None else {"standard_error_percent"}

    def flow(self, stage: Numbers, table: RatingTable | None) -> RatedFlow:
        """Discharge [cfs] of each stage with its shift [ft]."""
        if table is not None:
            return rate(table, stage)
        a, b, h0, lowest, highest = (
            float(one or 0) for one in (self.a, self.b, self.h0, self.lowest_ft, self.highest_ft)
        )
        reason = why_not_rated(stage, lowest, highest)
        inside = reason == ""
        flow = np.full(stage.shape, np.nan)
        flow[inside] = a * (np.clip(stage[inside], lowest, highest) - h0) ** b
        return RatedFlow(flow, reason)


@dataclass(frozen=True, eq=False)
class RatedReadings:
    """Discharge of every reading, and what it came from.

    Parameters
    ----------
    flow : float64[n] [cfs], NaN where none.
    reason : str[n], why there is none.
    rating : str[n], id of the rating; empty where none is in force.
    shift : float64[n] [ft].
    """

    flow: Numbers
    reason: Reasons
    rating: Reasons
    shift: Numbers


def in_force(ratings: Sequence[Rating], day: date) -> Rating | None:
    """The rating of a day: the last that begins on it or before."""
    begun = [one for one in ratings if one.valid_from <= day]
    return max(begun, key=lambda one: one.valid_from) if begun else None


def rated(
    ratings: Sequence[Rating],
    tables: Mapping[str, RatingTable | str],
    time_ms: ArrayLike,
    stage: ArrayLike,
    zone: ZoneInfo,
) -> RatedReadings:
    """Rate every reading by the rating in force at its instant.

    Parameters
    ----------
    ratings : of one gauge.
    tables : the table of each rating that has one, by its id; a text is why it cannot be used.
    time_ms : int64[n], UTC epoch [ms].
    stage : float64[n], gauge height [ft], NaN where unknown.
    zone : whose civil days ``valid_from`` names.
    """
    times, stages = np.asarray(time_ms, np.int64), np.asarray(stage, np.float64)
    ordered = sorted(ratings, key=lambda one: one.valid_from)
    starts = np.array([_midnight_ms(one.valid_from, zone) for one in ordered], np.int64)
    which = np.searchsorted(starts, times, side="right") - 1
    flow, shift = np.full(stages.shape, np.nan), np.zeros(stages.shape)
    reason = np.where(np.isnan(stages), "stage unknown", NO_RATING).astype(object)
    for number, one in enumerate(ordered):
        mine = which == number
        if mine.any():
            flow[mine], reason[mine], shift[mine] = _by(one, tables.get(one.id), times[mine], stages[mine])
    names = np.array(["", *(one.id for one in ordered)])[which + 1]
    return RatedReadings(flow, reason.astype(str), names, shift)


def _by(
    rating: Rating, table: RatingTable | str | None, times: NDArray[np.int64], stages: Numbers
) -> tuple[Numbers, Reasons, Numbers]:
    shift = shift_at(tuple(one.shift() for one in rating.shift), times, stages)
    if isinstance(table, str) or (table is None and rating.table is not None):
        why = table or f"{rating.table} was not read"
        return np.full(stages.shape, np.nan), np.full(stages.shape, why), shift
    found = rating.flow(stages + shift, table)
    return found.flow, found.reason, shift


def _midnight_ms(day: date, zone: ZoneInfo) -> int:
    return round(datetime.combine(day, time(), zone).timestamp() * 1000)
