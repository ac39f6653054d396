"""The sampling calendar of ``site.toml``: which stations, what is sampled there, how often, and what excuses a miss."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.clause import RuleId
from models.field_types import Day, Id, Text
from models.parameters import parameters
from models.permit import Decision
from models.references import known, unique
from models.toml_file import Noun

Frequency = Literal["monthly", "quarterly", "semiannual", "annual"]
MONTHS: dict[Frequency, int] = {"monthly": 1, "quarterly": 3, "semiannual": 6, "annual": 12}
LEVELS = "levels"
"""The group of water levels: any way in which a level is told."""
Days = Annotated[int, Field(ge=1, le=3660)]


class Excuse(Noun):
    """A dated record for which an event is no miss, at some stations (all where none is named).

    A dry well or a refused access excuses the events whose time it falls into, one of a single day the first of them
    that is open; a suspension those that fall due while
    it lasts. ``until`` left out: that one day, or until further notice for a suspension.
    """

    why: Literal["dry well", "access refused", "suspended"]
    since: Day
    record: Text = Field(min_length=1)
    stations: tuple[Id, ...] = ()
    until: Day | None = None

    def of(self, station: str) -> bool:
        return not self.stations or station in self.stations

    def excuses(self, first: date, due: date, last: date) -> bool:
        """Whether it excuses an event that may be sampled from ``first`` to ``last`` and falls due on ``due``."""
        if self.why == "suspended":
            return self.since <= due and (self.until is None or due <= self.until)
        return self.since <= last and (self.until or self.since) >= first

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.until is not None and self.until < self.since:
            raise ValueError("until must not come before since")
        return self


class Sampling(Noun):
    """One calendar: at each of its stations every substance of its group is sampled once in every period.

    ``first_due``: the last day of the first period; where it ends a month, so does every later one of a frequency in
    months. ``until``: nothing falls due after it. ``tolerance_days``: a sample this long after its period still counts
    for it. ``rule``: of the ordinance. ``clause``: of this calendar where it is another than the rule's.
    ``required_by``: the decision; unsaid, a decision on the rule in ``[[permit.required]]``.
    ``group`` "levels" needs no substances: any level counts.
    """

    id: Id
    rule: RuleId
    stations: tuple[Id, ...] = Field(min_length=1)
    group: Text = Field(min_length=1)
    first_due: Day
    substances: tuple[str, ...] = ()
    frequency: Frequency | None = None
    every_days: Days | None = None
    until: Day | None = None
    tolerance_days: Annotated[int, Field(ge=0, le=366)] = 0
    clause: Text = ""
    required_by: Decision | None = None
    excused: tuple[Excuse, ...] = ()

    @property
    def shortest_days(self) -> int:
        """The length of its shortest period [d]: a month has at least 28 days."""
        return self.every_days or MONTHS[self.frequency or "monthly"] * 28

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.frequency is None) == (self.every_days is None):
            raise ValueError("needs one of frequency and every_days")
        if self.tolerance_days >= self.shortest_days:
            raise ValueError("the tolerance is shorter than a period")
        if bool(self.substances) == (self.group == LEVELS):
            raise ValueError(f'names its substances, or its group is "{LEVELS}"')
        known("parameter", self.substances, set(parameters()))
        unique("station", self.stations)
        unique("substance", self.substances)
        lost = [id for one in self.excused for id in one.stations]
        known("station of this calendar", lost, set(self.stations))
        return self


def fits_stations(calendars: Sequence[Sampling], stations: Iterable[str]) -> None:
    """Refuse an id used twice and a station that the site has not.

    Raises
    ------
    ValueError : naming it.
    """
    unique("sampling id", [one.id for one in calendars])
    known("station", [id for one in calendars for id in one.stations], set(stations))
