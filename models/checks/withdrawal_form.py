"""The figures an annual withdrawal report to the DNR asks for (NR 856.30(2)): monthly volumes of each source.

A volume read over the turn of a month is shared by time. Months are differences of rounded running totals, so that the
printed months of a source add up to its printed year. A month with time nobody measured says how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from models.checks.withdrawal_sources import Group, Source, midnight_ms
from models.checks.withdrawal_volumes import PARTS, Instants
from models.checks.withdrawal_windows import Amount, judged
from models.question import Question
from models.rules import WithdrawalRule

HOUR_MS = 3_600_000


@dataclass(frozen=True)
class Month:
    """One month of one source: whole gallons spread by time, None where nothing was measured in it.

    ``not_measured_h``: time without a known volume [h].
    """

    month: str
    gallons: int | None
    not_measured_h: float


@dataclass(frozen=True)
class SourceYear:
    """One line of the form: a source, its uses, how it was measured, its months; the year is their sum [gal]."""

    well: str
    uses: tuple[str, ...]
    method: str
    months: tuple[Month, ...]

    @property
    def gallons(self) -> int | None:
        known = [one.gallons for one in self.months if one.gallons is not None]
        return sum(known) if known else None


def form_of(zone: ZoneInfo, sources: Sequence[Source], year: int) -> list[SourceYear]:
    """The lines of one calendar year, one for each source on the property."""
    firsts = [date(year, month, 1) for month in range(1, 13)]
    edges = np.array([midnight_ms(zone, day) for day in [*firsts, date(year + 1, 1, 1)]], np.int64)
    names = [f"{day:%Y-%m}" for day in firsts]
    return [SourceYear(one.well.id, one.well.uses, one.method, _months(one, edges, names)) for one in sources]


def facts(rule: WithdrawalRule, question: Question, group: Group, edges: Instants) -> dict[str, Any]:
    """The form of the last calendar year that is over and saw mining, and the statement on a million gallons a day."""
    year = question.on.year - 1
    if year < question.began.year:
        return {}
    lines = form_of(question.zone, group.sources, year)
    said = {"year": year, "sources": [_plain(one) for one in lines]}
    if rule.stated_from_gpd is None or rule.average_days is None:
        return {"form": said}
    amount = Amount(rule.stated_from_gpd, rule.average_days, over=False)
    found = judged(group, edges, question.began, amount)
    return {"form": {**said, "stated_limit": amount.words(), "stated": None if found is None else found.verdict}}


def _plain(one: SourceYear) -> dict[str, Any]:
    return {
        "well": one.well, "uses": list(one.uses), "method": one.method or "not measured", "gallons": one.gallons,
        "months": {month.month: month.gallons for month in one.months},
        "not_measured_h": round(sum(month.not_measured_h for month in one.months), 1),
    }  # fmt: skip


def _months(source: Source, edges: Instants, names: Sequence[str]) -> tuple[Month, ...]:
    volume = sum((one.within(edges[:-1], edges[1:]).even for one in source.records), np.zeros(len(names)))
    totals = [0, *np.rint(np.cumsum(volume) / PARTS).astype(np.int64).tolist()]
    missing = _not_measured(source, edges)
    whole = np.diff(edges).tolist()
    return tuple(
        Month(name, None if gone >= length else after - before, gone / HOUR_MS)
        for name, (before, after), gone, length in zip(names, pairwise(totals), missing, whole, strict=True)
    )


def _not_measured(source: Source, edges: Instants) -> list[int]:
    """Time of each month that no interval of known volume covers [ms], of the meter that covers least."""
    length = np.diff(edges)
    if not source.records:
        return [int(one) for one in length]
    least = length.copy()
    for record in source.records:
        known = [one for one in record.found if one.volume_gal is not None]
        starts, ends = (np.array([getattr(one, name) for one in known], np.int64) for name in ("start_ms", "end_ms"))
        covered = [
            int(np.maximum(np.minimum(ends, end) - np.maximum(starts, start), 0).sum())
            for start, end in pairwise(edges)
        ]
        least = np.minimum(least, np.array(covered, np.int64))
    return [int(one) for one in length - least]
