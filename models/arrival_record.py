"""What a check may ask of when data came: first arrivals of values, files that were refused whole, the first day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol, runtime_checkable

import pandas as pd


@dataclass(frozen=True)
class RefusedFile:
    """A file of which nothing was taken, and which waits for a corrected one. ``format`` "": nobody knows it."""

    file: str
    format: str
    arrived_at: datetime


@runtime_checkable
class ArrivalRecord(Protocol):
    """A record that knows when each value first came; ``models.question.Observations`` need not."""

    def arrived(self, stations: Sequence[str], start: date, end: date) -> pd.DataFrame:
        """Civil days ``start`` to ``end`` on which a value or a word in its place is known, by station and parameter.

        Columns: station parameter day known_at [epoch ms, of the first version] file row_id, in the order of the day;
        a day that several files brought stands once for each. Field duplicates and quality control are none.
        """

    def refused(self) -> Sequence[RefusedFile]:
        """Files refused whole that nothing has settled since, oldest first."""

    def kept_since(self) -> datetime | None:
        """When the first file came or the first night was run; None: the store is empty."""
