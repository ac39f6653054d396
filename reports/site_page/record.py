"""What the page is told: plain data of one site at one instant, with no household in it by type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pandas as pd

from models.clock import Deadline
from models.finding import Finding
from models.policy import Policy
from models.rules import Ordinance
from models.site import Gauge, Site, Well
from reports.figures import Steps
from reports.site_map import Cone


@dataclass(frozen=True)
class StreamRecord:
    """One gauge: its days (columns of ``pipelines.excerpt.STREAM``) and the base flow they are judged by."""

    gauge: Gauge
    frame: pd.DataFrame
    base_flow: Steps = ()


@dataclass(frozen=True)
class WellRecord:
    """One well: its levels (columns ``time_ms day depth_ft kind dry`` of ``pipelines.excerpt.WATER``)."""

    well: Well
    frame: pd.DataFrame


@dataclass(frozen=True)
class StationRecord:
    """How fresh a station is: its last day with a value, and how many values it has in the page's window.

    ``daily``: it reports every day, so that silence means something; otherwise it is read on rounds.
    """

    id: str
    kind: str
    name: str
    last_day: date | None
    n: int
    daily: bool


@dataclass(frozen=True)
class DrawdownRecord:
    """Modelled drawdown at a monitoring well [ft], with its range, at the end of a civil day."""

    well: str
    best: float
    low: float
    high: float
    on: date


@dataclass(frozen=True)
class DepletionRecord:
    """Modelled depletion of a stream by all metered wells [cfs], with its range, at the end of a civil day."""

    stream: str
    best: float
    low: float
    high: float
    on: date


@dataclass(frozen=True)
class CaseCount:
    """How many cases of one kind are on record. Whose they are is not told."""

    title: str
    clause: str
    open: int
    closed: int


@dataclass(frozen=True)
class SiteRecord:
    """Everything the page tells.

    ``on`` is the civil day it stands for, ``since`` the first day of its figures, ``known_at`` the instant of
    knowledge. ``results`` has the columns of ``pipelines.excerpt.results`` from ``since``; ``attained`` the same for
    results since mining began that attain a standard or need confirmation, with ``in_baseline`` beside.
    """

    site: Site
    law: Ordinance
    policy: Policy
    on: date
    since: date
    known_at: datetime
    findings: Sequence[Finding] = ()
    deadlines: Sequence[Deadline] = ()
    cases: Sequence[CaseCount] = ()
    stations: Sequence[StationRecord] = ()
    streams: Sequence[StreamRecord] = ()
    wells: Sequence[WellRecord] = ()
    rain: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=["day", "value"]))
    results: pd.DataFrame = field(default_factory=pd.DataFrame)
    attained: pd.DataFrame = field(default_factory=pd.DataFrame)
    cone: Cone | None = None
    drawdowns: Sequence[DrawdownRecord] = ()
    depletions: Sequence[DepletionRecord] = ()

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.law.zone)
