"""The figures an annual withdrawal report to the DNR asks for (NR 856.30(2)): monthly volumes of each source.

A volume read over the turn of a month is shared by time. Months are differences of rounded running totals, so that the
printed months of a source add up to its printed year. A month with time nobody measured says how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any
from zoneinfo import ZoneInfo

from models.checks.withdrawal_sources import Group, Source
from models.checks.withdrawal_windows import Amount, judged
from models.pumping_days import HOUR_MS, Share, apportioned, midnight_ms
from models.question import Question
from models.rules import WithdrawalRule
from models.volume_bounds import Instants
from models.water_loss import WaterLoss


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
    edges = [midnight_ms(zone, day) for day in [*firsts, date(year + 1, 1, 1)]]
    names = [f"{day:%Y-%m}" for day in firsts]
    return [SourceYear(one.well.id, one.well.uses, one.method, _months(one, edges, names)) for one in sources]


@dataclass(frozen=True)
class UseYear:
    """What wells of the same uses gave in a year [gal], None where nothing was measured; their loss, as stated.

    ``uses``: none where nobody stated any; None of everything withdrawn.
    """

    uses: tuple[str, ...] | None
    gallons: int | None
    losses: tuple[tuple[WaterLoss, int | None], ...] = ()


def by_use(lines: Sequence[SourceYear], stated: Sequence[WaterLoss], year: int) -> list[UseYear]:
    """Volume of each use, and of several uses together where a well serves them and nobody meters them apart.

    A loss that is not of one of these uses stands under everything withdrawn.
    """
    found: dict[tuple[str, ...], list[int]] = {}
    for one in lines:
        found.setdefault(tuple(sorted(one.uses)), []).extend([] if one.gallons is None else [one.gallons])
    known = {uses: sum(volumes) if volumes else None for uses, volumes in sorted(found.items())}
    own = [one for one in stated if one.year == year]
    told = [UseYear(uses, gallons, _losses(own, uses, gallons)) for uses, gallons in known.items()]
    whole = [gallons for gallons in known.values() if gallons is not None]
    if everything := [one for one in own if one.use is None or (one.use,) not in known]:
        total = sum(whole) if whole else None
        losses = tuple((one, one.of(total if one.use is None else None)) for one in everything)
        told.append(UseYear(None, total, losses))
    return told


def _losses(
    stated: Sequence[WaterLoss], uses: tuple[str, ...], gallons: int | None
) -> tuple[tuple[WaterLoss, int | None], ...]:  # fmt: skip
    return tuple((one, one.of(gallons)) for one in stated if one.use is not None and (one.use,) == uses)


def facts(rule: WithdrawalRule, question: Question, group: Group, edges: Instants) -> dict[str, Any]:
    """The form of the last calendar year that is over and saw mining, and the statement on a million gallons a day."""
    year = question.on.year - 1
    if year < question.began.year:
        return {}
    lines = form_of(question.zone, group.sources, year)
    uses = by_use(lines, question.site.water_loss, year)
    said = {"year": year, "sources": [_plain(one) for one in lines], "uses": [_plain_use(one) for one in uses]}
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


def _plain_use(one: UseYear) -> dict[str, Any]:
    losses = [
        {"gallons": gallons, "known_as": loss.known_as, "method": loss.method, "by": loss.by, "use": loss.use}
        for loss, gallons in one.losses
    ]
    return {"uses": None if one.uses is None else list(one.uses), "gallons": one.gallons, "water_loss": losses}


def _months(source: Source, edges: Sequence[int], names: Sequence[str]) -> tuple[Month, ...]:
    """The records of a source together; a month is measured as far as the one that covers least."""
    shares = [apportioned(one.found, edges) for one in source.records] or [apportioned((), edges)]
    totals = [round(one) for one in accumulate(map(_total, zip(*shares, strict=True)), initial=Fraction(0))]
    return tuple(
        _month(name, after - before, month)
        for name, (before, after), month in zip(names, pairwise(totals), zip(*shares, strict=True), strict=True)
    )


def _month(name: str, gallons: int, shares: Sequence[Share]) -> Month:
    """What any meter counted in the month; blank only where none did."""
    metered = any(one.metered_ms for one in shares)
    return Month(name, gallons if metered else None, max(one.not_metered_ms for one in shares) / HOUR_MS)


def _total(month: Sequence[Share]) -> Fraction:
    return sum((one.volume_gal for one in month), Fraction(0))
