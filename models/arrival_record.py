"""What a check may ask of when data came: first arrivals of values, refused files, when the inbox was read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol, runtime_checkable

import pandas as pd

_WANTS_OF_THE_SITE = re.compile(r"^unknown station\b|\bbelongs to |\bin site\.toml\b")
"""Reasons of ``ingest`` for which nothing but site.toml is wanting: a station, whose logger it is, a height."""


def wants_of_the_site(reasons: Iterable[str]) -> bool:
    """Whether rows were refused for reasons that an entry in site.toml takes away, and for none else."""
    return all(_WANTS_OF_THE_SITE.search(one) for one in reasons)


@dataclass(frozen=True)
class RefusedFile:
    """A file that waits. ``format`` "": nobody knows it.

    ``whole``: nothing of it was taken. ``for_the_town``: something of what waits of it wants an entry in site.toml, and
    no more.
    """

    file: str
    format: str
    arrived_at: datetime
    whole: bool = True
    for_the_town: bool = False


@runtime_checkable
class ArrivalRecord(Protocol):
    """A record that knows when each value first came; ``models.question.Observations`` need not."""

    def arrived(self, stations: Sequence[str], start: date, end: date) -> pd.DataFrame:
        """Civil days ``start`` to ``end`` on which a value or a word in its place is known, by station and parameter.

        Columns: station parameter day known_at not_before doubt says file row_id, in the order of the day; a day that
        several files brought stands once for each. Field duplicates and quality control are none.

        ``known_at`` : by when it had come, of the first version [epoch ms]: a proof.
        ``not_before`` : the last time before it that the inbox was read and did not hold it [epoch ms]; 0: never.
        ``doubt`` : in words, why it may have come before ``known_at`` other than by lying in an inbox nobody read.
        ``says`` : what else is told of its coming, by nobody's proof.
        """

    def refused(self) -> Sequence[RefusedFile]:
        """Files that were refused, whole or for want of the town's entry, and nothing has settled; oldest first."""

    def kept_since(self) -> datetime | None:
        """When the first file came or the first night was run; None: the store is empty."""

    def inbox_read(self) -> datetime | None:
        """When the inbox was last read; None: no night has been."""
