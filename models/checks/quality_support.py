"""What confirms a detect below its LOQ under NR 140.14(3)(b): the same sample again, and the samples so far.

Presence is confirmed (1) in the same sample by the same method or one as sensitive, so by another analysis of the same
fraction whose LOD is no higher; and the concentration (2) statistically, by samples of different days since mining
began: bottles of one day are no independent samples, and what was there before the mine is no sign of it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from models.checks.quality_cases import Cases
from models.checks.quality_codes import Codes, together
from models.checks.quality_results import Reported, Terms
from models.nr140.confirmation import confirms_presence, statistically_above
from models.nr140.decision import Support
from models.standards import Standard


class Record:
    """What is known for sure of every station when one of its results is compared; read only where it is asked for."""

    def __init__(self, terms: Terms, found: Cases) -> None:
        self._terms, self._rows, self._cases = terms, found.rows, found
        sure = np.array([isinstance(one.one, Reported) and not one.one.doubt for one in found.groups], np.bool_)
        self._sure = sure[found.group]
        self._samples: dict[tuple[int, str, str | None], tuple[list[date], list[Decimal | None]]] = {}
        self._above: dict[tuple[int, str, str | None, Decimal, date], bool] = {}

    def support(self, row: int, standard: Standard) -> Support:
        """NR 140.14(3)(b): a detect of another analysis of the same sample, and the samples of this station so far."""
        return Support(self._again(row), self._statistically(row, standard))

    def _again(self, row: int) -> bool:
        code, series = self._rows["parameter"].codes, self._rows["series"].codes
        same = [k for k in self._by_sample.members(int(self._rows.sample[row])) if code[k] == code[row] and k != row]
        one, *others = self._cases.reported([row, *same])
        return any(
            other.fraction == one.fraction
            and confirms_presence(one.result, other.result, same_method=bool(series[k] == series[row]))
            for k, other in zip(same, others, strict=True)
        )

    def _statistically(self, row: int, standard: Standard) -> bool:
        rule = self._terms.law.header.confirmation
        if rule is None:
            return False
        unit, fraction = _one(self._cases, row).result.unit, _one(self._cases, row).fraction
        station, limit = int(self._stations[row]), standard.in_unit(unit)
        day = cast("date", self._rows["day"].values[int(self._rows["day"].codes[row])])
        key = station, unit, fraction, limit, day
        if key not in self._above:
            days, least = self._so_far(station, unit, fraction)
            began = self._terms.began
            first = 0 if began is None or day < began else bisect_left(days, began)
            self._above[key] = statistically_above(least[first : bisect_right(days, day)], limit, rule.alpha)
        return self._above[key]

    def _so_far(self, station: int, unit: str, fraction: str | None) -> tuple[list[date], list[Decimal | None]]:
        """Days on which one fraction of one substance was sampled, in order, and the least number of each."""
        key = station, unit, fraction
        if key not in self._samples:
            members = self._by_station.members(station)
            self._samples[key] = self._least([k for k in members if _one(self._cases, k).fraction == fraction], unit)
        return self._samples[key]

    def _least(self, members: Sequence[int], unit: str) -> tuple[list[date], list[Decimal | None]]:
        found: dict[int, list[Decimal | None]] = {}
        for row, day in zip(members, self._rows["day"].codes[members].tolist(), strict=True):
            found.setdefault(day, []).append(self._cases.amount(row, unit))
        ordered = sorted(found.items())
        days = cast("Sequence[date]", self._rows["day"].values)
        return [days[code] for code, _ in ordered], [_lowest(values) for _, values in ordered]

    @cached_property
    def _stations(self) -> Codes:
        """Which substance of which station."""
        return together(self._rows["station"].codes, self._rows["substance"].codes)

    @cached_property
    def _by_sample(self) -> Members:
        return Members(self._rows.sample, self._sure)

    @cached_property
    def _by_station(self) -> Members:
        return Members(self._stations, self._sure)


class Members:
    """The rows of each code, of those that count."""

    def __init__(self, codes: Codes, counts: NDArray[np.bool_]) -> None:
        rows = np.flatnonzero(counts)
        self._rows = rows[np.argsort(codes[rows], kind="stable")]
        self._starts = np.searchsorted(codes[self._rows], np.arange(int(codes.max(initial=0)) + 2))

    def members(self, code: int) -> list[int]:
        found: list[int] = self._rows[self._starts[code] : self._starts[code + 1]].tolist()
        return found


def _one(found: Cases, row: int) -> Reported:
    """What stands for a judged row, but for its number."""
    return cast("Reported", found.group_of(row).one)


def _lowest(values: Sequence[Decimal | None]) -> Decimal | None:
    numbers = [one for one in values if one is not None]
    return min(numbers) if len(numbers) == len(values) else None
