"""Everything the appendix tells, read from the store by somebody else: plain data of one calendar year."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd

from models.base_flow import BaseFlow
from models.checks.quality_comparison import Comparison
from models.clock import Deadline
from models.known_volumes import KnownVolumes
from models.metered_volumes import Interval
from models.policy import Policy
from models.question import StoredRow
from models.rules import AnnualReport, BaseFlowRule, Ordinance
from models.site import Gauge, Meter, Point, Site, Well
from models.streamflow.day_states import DailyFlow


@dataclass(frozen=True)
class Levels:
    """Water levels at one well: ``readings`` as ``pipelines.excerpt.WATER`` with ``marks``, the qualifiers of a "
    "reading."""

    well: Well
    readings: pd.DataFrame


@dataclass(frozen=True)
class LabResult:
    """One laboratory result, the clause its well is judged by, and every standard it was compared with.

    ``not_judged``: why a result was compared with none, ``""`` where no standard names it.
    """

    well: Well
    row: StoredRow
    clause: str
    comparisons: tuple[Comparison, ...]
    in_baseline: tuple[str, ...]
    not_judged: str = ""


@dataclass(frozen=True)
class ComputedSum:
    """One sum that was added from the results of one sample, and every standard it was compared with: one or more."""

    well: Well
    clause: str
    comparisons: tuple[Comparison, ...]
    in_baseline: tuple[str, ...]


@dataclass(frozen=True)
class Pumping:
    """One meter: volumes between its readings, and the months its operator reported for the well."""

    meter: Meter
    intervals: Sequence[Interval]


@dataclass(frozen=True)
class Reported:
    """One monthly volume as reported for a well [gal]."""

    well: str
    month: date
    volume_gal: float
    row: str


@dataclass(frozen=True)
class Flow:
    """One gauge: its whole daily record as known, its signed base flows in order, and the rule its spells are "
    "judged by."""

    gauge: Gauge
    stream: str
    days: Sequence[DailyFlow]
    signed: Sequence[BaseFlow]
    rule: BaseFlowRule | None


@dataclass(frozen=True)
class Duty:
    """One step of one case; ``case`` is a label that names no property."""

    case: str
    status: str
    deadline: Deadline


@dataclass(frozen=True)
class Other:
    """A continuous sensor that is no water level, summed up: name, unit, count, extremes, mean and rows."""

    station: str
    parameter: str
    unit: str
    values: pd.Series
    rows: tuple[str, ...]


@dataclass(frozen=True)
class AnnualRecord:
    """The year, as known at one instant.

    Parameters
    ----------
    year : calendar year covered.
    end : last civil day told, 31 December or, of a year not over, the day the record is known to.
    on : civil day of ``known_at``.
    halfmile : ring(s) around the boundary in the coordinates of the site.
    findings : newest version of each, as stored, with its last ``change``.
    last_seen : (station, parameter, last civil day of it up to ``end``).
    known, discharged : every record of the volumes of each production well, and of each discharge, by its id.
    """

    year: int
    end: date
    on: date
    known_at: datetime
    version: str
    duty: AnnualReport
    site: Site
    law: Ordinance
    policy: Policy
    ring: Sequence[Point]
    levels: Sequence[Levels]
    results: Sequence[LabResult]
    sums: Sequence[ComputedSum]
    other: Sequence[Other]
    pumping: Sequence[Pumping]
    reported: Sequence[Reported]
    flows: Sequence[Flow]
    findings: Sequence[Mapping[str, Any]]
    duties: Sequence[Duty]
    rejects: Sequence[Mapping[str, Any]]
    last_seen: Sequence[tuple[str, str, date]]
    known: Mapping[str, Sequence[KnownVolumes]] = field(default_factory=dict)
    discharged: Mapping[str, Sequence[KnownVolumes]] = field(default_factory=dict)

    @property
    def start(self) -> date:
        return date(self.year, 1, 1)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.law.zone)

    def local(self, instant: datetime | int) -> datetime:
        """An instant, or epoch milliseconds, as wall clock of the ordinance without its zone."""
        aware = instant if isinstance(instant, datetime) else datetime.fromtimestamp(instant / 1000, self.zone)
        return aware.astimezone(self.zone).replace(tzinfo=None)
