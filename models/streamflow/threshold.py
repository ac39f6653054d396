"""The base flow in force on each day: one number, one per calendar month, or one per day of the year."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from models.errors import BadQuestion

LEAP_YEAR = 2000
SLOTS = 366
"""Days of a leap year, 1 January first: a date has the same slot in every year."""


@dataclass(frozen=True)
class Threshold:
    """Base flow [cfs] (or reference stage [ft]) by day, as signed. Build it with `constant`, `monthly` or `daily`.

    Parameters
    ----------
    months : (month 1..12, value) pairs, in order of the month. A month may be absent: no day in it can be judged.
    later : (first day, threshold) of the signed corrections that follow it, in order (decision 30).
    slots : one value per day of a leap year, or none where it is by month.
    """

    months: tuple[tuple[int, Decimal], ...]
    later: tuple[tuple[date, Threshold], ...] = ()
    slots: tuple[Decimal, ...] = ()

    @staticmethod
    def constant(value: Decimal) -> Threshold:
        """The same base flow all year."""
        return Threshold.monthly(dict.fromkeys(range(1, 13), value))

    @staticmethod
    def monthly(values: Mapping[int, Decimal]) -> Threshold:
        """One base flow per calendar month; partial years are allowed.

        Raises
        ------
        BadQuestion : no month at all, a month outside 1..12, or a value that is not a finite number.
        """
        wrong = [month for month in values if month not in range(1, 13)]
        if wrong or not values:
            raise BadQuestion("no such month", key="base flow", found=wrong or None, allowed=["01 to 12"])
        if not all(value.is_finite() for value in values.values()):
            raise BadQuestion("not a finite number", key="base flow")
        return Threshold(tuple(sorted(values.items())))

    @staticmethod
    def daily(values: Sequence[Decimal]) -> Threshold:
        """One base flow per day of a leap year, 1 January to 31 December: no step at a month's end (decision 18).

        Raises
        ------
        BadQuestion : not 366 values, or a value that is not a finite number.
        """
        if len(values) != SLOTS:
            raise BadQuestion("not a leap year", key="base flow", found=len(values), allowed=[f"{SLOTS} values"])
        if not all(value.is_finite() for value in values):
            raise BadQuestion("not a finite number", key="base flow")
        return Threshold((), slots=tuple(values))

    def values(self) -> Iterator[Decimal]:
        """Every value of it and of its corrections."""
        yield from self.slots
        yield from (value for _, value in self.months)
        for _, correction in self.later:
            yield from correction.values()

    @property
    def has_steps(self) -> bool:
        """Whether it may jump from one day to the next: by month, or where a correction takes over."""
        return not self.slots or bool(self.later)

    def then(self, since: date, correction: Threshold) -> Threshold:
        """This threshold until a signed correction of a later day takes over."""
        return replace(self, later=(*self.later, (since, correction)))

    def at(self, day: date) -> Decimal:
        """The value in force on a day.

        Raises
        ------
        BadQuestion : no value for the month of that day.
        """
        value = self.find(day)
        if value is None:
            known = [f"{month:02d}" for month, _ in self.months]
            raise BadQuestion("no base flow for this month", key="base flow", found=f"{day:%m}", allowed=known)
        return value

    def moves(self, day: date) -> bool:
        """Whether the value of a day differs from that of the day before."""
        return self.find(day) != self.find(day - timedelta(days=1))

    def find(self, day: date) -> Decimal | None:
        """The value in force on a day, None where its month has none."""
        in_force = next((one for since, one in reversed(self.later) if since <= day), None)
        if in_force is not None:
            return in_force.find(day)
        if self.slots:
            return self.slots[(day.replace(year=LEAP_YEAR) - date(LEAP_YEAR, 1, 1)).days]
        return next((value for month, value in self.months if month == day.month), None)
