"""What holds at a well on a day: its measuring point, and how each logger hangs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from models.site import Logger, MeasuringPoint, Well


class Dated(Protocol):
    """Something that holds from a day on."""

    @property
    def since(self) -> date: ...


T = TypeVar("T", bound=Dated)


def measuring_point_on(well: Well, day: date) -> MeasuringPoint | None:
    """The measuring point in use on a day."""
    used = [one for one in well.measuring_point if one.since <= day]
    return max(used, key=lambda one: one.since, default=None)


def land_navd88_ft(well: Well, point: MeasuringPoint) -> Decimal | None:
    """Land surface at a well above NAVD88 [ft]; None where its measuring point is on NGVD29 and nothing moves it."""
    shift = Decimal(0) if point.datum == "NAVD88" else well.ngvd29_to_navd88_ft
    return None if shift is None else point.elevation_ft - point.height_above_land_ft + shift


def logger_on(well: Well, serial: str, day: date) -> Logger | None:
    """The hanging of a logger in a well on a day."""
    hung = [one for one in well.logger if one.serial == serial and one.since <= day]
    return max(hung, key=lambda one: one.since, default=None)


def in_order(items: Sequence[T]) -> list[T]:
    """From the oldest on."""
    return sorted(items, key=lambda one: one.since)


def in_force(ordered: Sequence[Dated], time_ms: NDArray[np.int64], zone: tzinfo) -> NDArray[np.intp]:
    """Which of the items holds at each instant, each from the first instant of its civil day; -1 before the first.

    Parameters
    ----------
    ordered : by ``since``; of two of one day the later in the list holds.
    time_ms : int64[n], UTC epoch [ms], in any order.
    """
    starts = np.array([midnight_ms(one.since, zone) for one in ordered], np.int64)
    return np.searchsorted(starts, time_ms, side="right") - 1


def taken(values: Sequence[float], which: NDArray[np.intp]) -> NDArray[np.float64]:
    """The value of the item that holds; NaN where none does."""
    return np.append(np.asarray(values, np.float64), np.nan)[which]


def midnight_ms(day: date, zone: tzinfo) -> int:
    """The first instant of a civil day [UTC epoch ms]."""
    return round(datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC).timestamp() * 1000)
