"""Expected deliveries of ``site.toml``: who sends what, of which stations, on which days, and what excuses silence."""

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

ANY = "any"
GROUPS: dict[str, frozenset[str]] = {
    "levels": frozenset({
        "depth_to_water", "depth_below_mp", "water_elevation_navd88", "water_elevation_ngvd29", "stage", "logger_level",
        "logger_pressure",
    }),
    "pumping": frozenset({"meter_reading", "withdrawal", "pumping_rate", "pump_run_time", "discharged_volume"}),
}  # fmt: skip
"""Groups of which any one parameter is a delivery of a station; ``any`` is every parameter."""
Days = Annotated[int, Field(ge=1, le=3660)]
Months = Annotated[int, Field(ge=1, le=120)]
SHORTEST_MONTH = 28


class Suspension(Noun):
    """Nothing is owed of what falls due from ``since`` to ``until`` (no end where left out), by a dated record."""

    since: Day
    record: Text = Field(min_length=1)
    until: Day | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.until is not None and self.until < self.since:
            raise ValueError("until must not come before since")
        return self


class Received(Noun):
    """A record that a delivery came on a day, other than by its file here: on paper, or to somebody else's desk."""

    due: Day
    on: Day
    record: Text = Field(min_length=1)


class ExpectedDelivery(Noun):
    """One delivery that is to come again and again.

    ``sender``: a laboratory, a station's logger, the operator's pumping report; a firm or a thing, no person.
    ``rule``: of the ordinance. ``clause``: of this delivery where it is another than the rule's. ``required_by``: the
    decision; unsaid, a decision on the rule in ``[[permit.required]]``. ``owed_by``: whose it is on the due list.
    ``group``: "levels" or "pumping" (any one of their parameters), "any" (any value at all), or a name of your own for
    the ``parameters`` listed, each of which is to come. Every station is to be in it.
    ``first_due`` with ``every_days`` or ``every_months`` (a day that ends a month stands for the end of each), or the
    dates themselves in ``due_on``. A delivery covers a period: it ends on the due day, unless ``first_period_ends``
    (for ``due_on``: ``period_ends``, one for each) says an earlier day, and begins after the one before.
    ``begins``: the first day of the first period; ``due_on`` needs it. ``until``: nothing falls due after it.
    ``least_days``: civil days of the period with a value, of each station and parameter.
    ``files``, ``formats``: by name (``lab-*.csv``) and format, which files that were refused whole would have been it.
    """

    id: Id
    rule: RuleId
    sender: Text = Field(min_length=1)
    stations: tuple[Id, ...] = Field(min_length=1)
    group: Text = Field(min_length=1)
    parameters: tuple[str, ...] = ()
    first_due: Day | None = None
    every_days: Days | None = None
    every_months: Months | None = None
    due_on: tuple[Day, ...] = ()
    first_period_ends: Day | None = None
    period_ends: tuple[Day, ...] = ()
    begins: Day | None = None
    until: Day | None = None
    tolerance_days: Annotated[int, Field(ge=0, le=366)] = 0
    least_days: Days = 1
    clause: Text = ""
    required_by: Decision | None = None
    owed_by: Literal["operator", "town"] = "operator"
    files: tuple[Text, ...] = ()
    formats: tuple[Text, ...] = ()
    suspended: tuple[Suspension, ...] = ()
    received: tuple[Received, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What is to come of each station: its parameters, or the group as one."""
        return self.parameters or (self.group,)

    def counts_for(self, name: str, parameter: str) -> bool:
        """Whether a value of a parameter is one of what is named."""
        return name in {ANY, parameter} or parameter in GROUPS.get(name, ())

    @model_validator(mode="after")
    def _named(self) -> Self:
        if bool(self.parameters) == (self.group in {ANY, *GROUPS}):
            listed = ", ".join(f'"{name}"' for name in (*GROUPS, ANY))
            raise ValueError(f"names its parameters, or its group is one of {listed}")
        known("parameter", self.parameters, set(parameters()))
        unique("station", self.stations)
        unique("parameter", self.parameters)
        unique("received.due", [one.due.isoformat() for one in self.received])
        return self

    @model_validator(mode="after")
    def _scheduled(self) -> Self:
        given = [self.every_days is not None, self.every_months is not None, bool(self.due_on)]
        if sum(given) != 1:
            raise ValueError("needs one of every_days, every_months and due_on")
        if (self.first_due is None) != bool(self.due_on):
            raise ValueError("every_days and every_months need first_due, and due_on has none")
        if self.due_on:
            self._check_dates()
        else:
            self._check_steps()
        return self

    def _check_dates(self) -> None:
        ends = self.period_ends or self.due_on
        if self.begins is None or self.first_period_ends is not None:
            raise ValueError("due_on needs begins, the first day it covers, and period_ends for first_period_ends")
        if len(ends) != len(self.due_on) or any(end > due for end, due in zip(ends, self.due_on, strict=True)):
            raise ValueError("period_ends has one day for each of due_on, none later than it is due")
        if sorted({*self.due_on}) != [*self.due_on] or sorted({*ends}) != [*ends]:
            raise ValueError("due_on and period_ends stand in order, each day once")
        if self.begins > ends[0]:
            raise ValueError("begins comes after the first period ends")

    def _check_steps(self) -> None:
        shortest = self.every_days or (self.every_months or 1) * SHORTEST_MONTH
        end = self.first_period_ends or self.first_due or date.max
        if self.period_ends or end > (self.first_due or date.max):
            raise ValueError("a period ends no later than it is due; period_ends belongs to due_on")
        if self.begins is not None and self.begins > end:
            raise ValueError("begins comes after the first period ends")
        if self.least_days > shortest:
            raise ValueError("least_days is no more than a period has days")


def fits_deliveries(deliveries: Sequence[ExpectedDelivery], stations: Iterable[str]) -> None:
    """Refuse an id used twice and a station that the site has not.

    Raises
    ------
    ValueError : naming it.
    """
    unique("delivery id", [one.id for one in deliveries])
    known("station", [id for one in deliveries for id in one.stations], set(stations))
