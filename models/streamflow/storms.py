"""Storms of a daily rain record, and the volume that runs off at a point while each lasts.

A storm is a run of wet days with no dry spell as long as the least interevent time between them (Restrepo-Posada and
Eagleson 1982, J. Hydrol. 55, 303-319). Its runoff is counted from its first wet day through that dry spell after its
last, so that the runoff of two storms never overlaps:

    V = 86400 sum(Q)    [ft3], Q daily mean discharge [cfs] of those days

All discharge counts, base flow too: a volume of drainage is asked for, not of storm flow alone. Daily totals resolve a
dry spell to whole days only. Snowmelt is not told from rain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_CEILING, Decimal

SECONDS_IN_A_DAY = 86_400
HOURS_IN_A_DAY = 24
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Storm:
    """A storm: first and last wet day, the last day its runoff is counted on, and its rain on wet days [in]."""

    first: date
    last: date
    until: date
    rain_in: Decimal


@dataclass(frozen=True)
class StormRule:
    """What makes a storm.

    Parameters
    ----------
    dry_hours : shortest spell without rain between two storms [h]; daily totals take it as whole days.
    wet_day_in : a day with less rain is dry [in].
    least_in : a storm with less rain is none [in].
    """

    dry_hours: Decimal
    wet_day_in: Decimal
    least_in: Decimal

    @property
    def dry_days(self) -> int:
        """The dry spell in whole days; at least one."""
        return max(1, int((self.dry_hours / HOURS_IN_A_DAY).to_integral_value(ROUND_CEILING)))


def storms(rain: Mapping[date, float], rule: StormRule) -> list[Storm]:
    """Storms in order of time; only those whose days, and the dry spells before and after, are all known.

    Parameters
    ----------
    rain : precipitation of known civil days [in].
    """
    return [one for one in _runs(rain, rule) if one.rain_in >= rule.least_in and _is_known(one, rain, rule)]


def _runs(rain: Mapping[date, float], rule: StormRule) -> Iterator[Storm]:
    fell = {day: Decimal(repr(float(inches))) for day, inches in rain.items()}
    wet = sorted(day for day, inches in fell.items() if inches >= rule.wet_day_in and inches > 0)
    starts = [k for k, day in enumerate(wet) if k == 0 or (day - wet[k - 1]).days > rule.dry_days]
    for start, stop in zip(starts, [*starts[1:], len(wet)], strict=True):
        days = wet[start:stop]
        total = sum((fell[day] for day in days), Decimal(0))
        yield Storm(days[0], days[-1], days[-1] + rule.dry_days * ONE_DAY, total)


def _is_known(storm: Storm, rain: Mapping[date, float], rule: StormRule) -> bool:
    before = storm.first - rule.dry_days * ONE_DAY
    return all(before + k * ONE_DAY in rain for k in range((storm.until - before).days + 1))


def runoff_ft3(storm: Storm, flow: Mapping[date, Decimal]) -> Decimal | None:
    """Volume that ran off while a storm lasted [ft3]; None where the discharge [cfs] of one of its days is unknown."""
    days = [storm.first + k * ONE_DAY for k in range((storm.until - storm.first).days + 1)]
    if not all(day in flow for day in days):
        return None
    return SECONDS_IN_A_DAY * sum((flow[day] for day in days), Decimal(0))
