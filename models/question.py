"""What a check is asked: the site, the law, what is known, and what is new. Plain data and one reader."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Protocol, TypeVar, cast
from zoneinfo import ZoneInfo

import pandas as pd

from models.case import Event
from models.finding import Finding, Scope
from models.household import PrivatePosition
from models.nr140.contested import Contested
from models.policy import Policy
from models.rules import Ordinance
from models.site import Site, Well
from models.streamflow.shortfall import DailyFlow

T = TypeVar("T")


class StoredRow(Protocol):
    """One stored observation, as a row of ``Observations.rows`` reads."""

    station: str
    parameter: str
    statistic: str
    series: str
    unit: str
    clock: str
    time_ms: int
    day: date
    value: float
    value_text: str
    flags: str
    row_id: str


def stored_rows(frame: pd.DataFrame) -> list[StoredRow]:
    """The rows of a table from ``Observations.rows``, one object each."""
    cells = frame.astype(object)  # pandas takes twice as long over cells of a column of text
    return list(cast("Iterator[StoredRow]", cells.itertuples(index=False)))


class Observations(Protocol):
    """What is known of the record tonight, read on demand so that the cost follows the question."""

    def daily(self, station: str, parameter: str, start: date | None, end: date) -> list[DailyFlow]:
        """Civil days of one station in order, ``start`` and ``end`` included; days with no row are absent."""

    def rows(
        self, stations: Sequence[str], parameters: Sequence[str], start: date | None, end: date | None
    ) -> pd.DataFrame:
        """Observations of civil days ``start`` to ``end`` (either open), ordered by station and time.

        Columns: station parameter statistic series unit clock time_ms day value value_text flags row_id; of a store
        ``series_id`` and the ``format`` of the delivery too.
        """


@dataclass(frozen=True)
class Changed:
    """The earliest civil day that is new or revised, by station and parameter; ``everything`` re-judges the record."""

    first_day: Mapping[tuple[str, str], date] = field(default_factory=dict)
    everything: bool = False

    def since(self, station: str, parameters: Iterable[str], began: date) -> date | None:
        """The first day to judge again for any of these parameters, or None when nothing is new."""
        if self.everything:
            return began
        days = [self.first_day[key] for name in parameters if (key := (station, name)) in self.first_day]
        return max(min(days), began) if days else None


@dataclass(frozen=True)
class Question:
    """One night's question: ``on`` is the civil day judged, ``now`` the instant, ``standing`` what stood before.

    ``contested``: results that a recorded act contests.
    """

    site: Site
    law: Ordinance
    policy: Policy
    observations: Observations
    on: date
    now: datetime
    changed: Changed
    events: Sequence[Event] = ()
    positions: Sequence[PrivatePosition] = ()
    standing: Sequence[Finding] = ()
    contested: Sequence[Contested] = ()
    _worked_out: dict[Hashable, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """What ``work`` gives, worked out once a night however many rules ask for it."""
        if key not in self._worked_out:
            self._worked_out[key] = work()
        return cast("T", self._worked_out[key])

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.law.zone)

    @property
    def began(self) -> date:
        return self.site.permit.mining_began

    @property
    def day_before_mining(self) -> date:
        return self.began - timedelta(days=1)

    def position(self, well: Well) -> tuple[tuple[float, float], float]:
        """Position and its accuracy [ft]: the household file's own where there is one, else the site file's."""
        for one in self.positions:
            if one.well == well.id:
                return one.position, float(one.position_accuracy_ft)
        return well.position, float(well.position_accuracy_ft)


def no_longer_reached(rule: str, stations: Iterable[str], scopes: Sequence[Scope], question: Question) -> list[Scope]:
    """Scopes without findings: after a correction of the site nothing found there under the rule stands."""
    judged = {scope.station for scope in scopes}
    left = [station for station in stations if station not in judged] if question.changed.everything else []
    return [Scope(rule, station, question.began) for station in left]


@dataclass(frozen=True)
class Judged:
    """A check's answer: findings of any verdict, and what they cover."""

    findings: tuple[Finding, ...] = ()
    scopes: tuple[Scope, ...] = ()
