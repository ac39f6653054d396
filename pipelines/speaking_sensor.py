"""Which sensor of a gauge speaks for a day: the one the site file puts first, and nobody where it says nothing.

Two sensors at one point are one gauge in a fixed order of priority (shortfall semantics, decision 16). The order is the
site's to say. Unsaid, a sensor speaks alone where the others are silent, or where they say the same; where they differ
the day has no value, because neither may be chosen or both averaged in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from typing import Literal

from models.observation import Flags

USABLE, THIN, SILENT = 0, 1, 2


@dataclass(frozen=True)
class SensorDay:
    """What one sensor says of one civil day.

    Parameters
    ----------
    day : days since 1970-01-01.
    standing : ``USABLE``; ``THIN``, too little of the day covered; ``SILENT``, a code or nothing.
    value : as it would be compared [cfs or ft]; None where silent.
    text : the value as it is kept.
    """

    day: int
    series: str
    standing: int
    value: Decimal | None
    text: str
    flags: Flags
    origin: Literal["published", "computed", "estimated"]


def speaking(days: Iterable[SensorDay], sensors: Sequence[str]) -> list[SensorDay]:
    """One sensor for each day; ``sensors`` names series, the one that speaks first in front."""
    ordered = sorted(days, key=attrgetter("day"))
    return [_of_day(list(group), sensors) for _, group in groupby(ordered, key=attrgetter("day"))]


def _of_day(said: list[SensorDay], sensors: Sequence[str]) -> SensorDay:
    def rank(one: SensorDay) -> tuple[int, int]:
        return one.standing, sensors.index(one.series) if one.series in sensors else len(sensors)

    first, *others = sorted(said, key=lambda one: (*rank(one), one.series))
    rivals = [one for one in others if rank(one) == rank(first) and one.value != first.value]
    return _undecided(first, rivals[0]) if rivals else first


def _undecided(one: SensorDay, other: SensorDay) -> SensorDay:
    says = f"series {one.series} says {one.value} and {other.series} {other.value}, and site.toml names neither first"
    approval = "A" if one.flags.approval == other.flags.approval == "A" else "P"
    flags = Flags(approval, (says.replace(",", ""),), {"row": one.flags.facts.get("row", "")})
    return replace(one, standing=SILENT, value=None, text="", flags=flags)
