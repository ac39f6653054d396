"""Legal holidays as dated data: which civil days a statute leaves out."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import Field

from models.errors import BadLaw
from models.field_types import Text
from models.toml_file import Noun, read_noun

SUNDAY = 7  # ISO weekday


class HolidayRule(Noun):
    """A fixed day of a month, or the first such weekday (Monday = 1) on or after a day of the month."""

    name: Text
    month: Annotated[int, Field(ge=1, le=12)]
    day: Annotated[int, Field(ge=1, le=31)] | None = None
    weekday: Annotated[int, Field(ge=1, le=7)] | None = None
    on_or_after: Annotated[int, Field(ge=1, le=28)] | None = None
    years: Literal["every", "even"] = "every"
    effective: date | None = None
    repealed: date | None = None

    def on(self, year: int) -> date | None:
        """The day it falls on in a year, before any move off a Sunday; None where it is not law or not held."""
        if self.years == "even" and year % 2:
            return None
        day = self._day(year)
        begun = self.effective is None or self.effective <= day
        return day if begun and (self.repealed is None or day < self.repealed) else None

    def _day(self, year: int) -> date:
        if self.day is not None:
            return date(year, self.month, self.day)
        start = date(year, self.month, self.on_or_after or 1)
        return start + timedelta(days=((self.weekday or 1) - start.isoweekday()) % 7)


class Holidays(Noun):
    """All of one holiday file."""

    id: str
    citation: str
    verification: Text
    sunday_moves_to_monday: bool
    day: tuple[HolidayRule, ...]

    def name_on(self, day: date) -> str | None:
        """The holiday a civil day is, or None."""
        return self.year(day.year).get(day)

    def year(self, year: int) -> dict[date, str]:
        """Observed holidays of one year by day."""
        fallen = [(rule.on(year), rule.name) for rule in self.day]
        return {self._observed(day): name for day, name in fallen if day is not None}

    def _observed(self, day: date) -> date:
        moves = self.sunday_moves_to_monday and day.isoweekday() == SUNDAY
        return day + timedelta(days=1) if moves else day


@cache
def holidays(id: str) -> Holidays:
    """Read ``models/law/holidays/<id>.toml``.

    Raises
    ------
    BadLaw : no such file, or it breaks the schema.
    """
    file = files("models") / "law" / "holidays" / f"{id}.toml"
    if not file.is_file():
        raise BadLaw("no such holiday file", key="holidays", found=id)
    return read_noun(Holidays, file.read_text(encoding="utf-8"), file=f"{id}.toml", error=BadLaw)
