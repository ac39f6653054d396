"""An act that somebody wants to record, and what its statements are held against."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from models.case_kind import CaseEvent
from models.case_reading import Reading, Table
from models.event import Event
from models.policy import Policy
from models.rules import Ordinance
from models.site import Site


@dataclass(frozen=True)
class Stated:
    """An act and what its statements are held against."""

    event: Event
    act: CaseEvent
    read: Reading
    table: Table
    site: Site
    law: Ordinance
    policy: Policy

    @property
    def day(self) -> date:
        """The civil day on which it happened."""
        return self.table.calendar.day(self.event.happened_at)

    @property
    def clause(self) -> str:
        return self.act.clause or self.table.kind.clause
