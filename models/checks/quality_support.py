"""What confirms a detect below its LOQ under NR 140.14(3)(b): the same sample again, and the samples so far."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from models.checks.quality_cases import NOT_JUDGED, Cases
from models.checks.quality_results import Reported, Terms
from models.checks.quality_rows import Codes, together
from models.nr140.confirmation import statistically_above
from models.nr140.decision import Support
from models.standards import Standard
from models.units import factor


class Record:
    """What is known of every station when one of its results is compared; read only where it is asked for."""

    def __init__(self, terms: Terms, found: Cases) -> None:
        self._terms, self._rows, self._cases = terms, found.rows, found
        self._samples: dict[tuple[int, str], tuple[list[date], list[Decimal | None]]] = {}
        self._above: dict[tuple[int, str, Decimal, date], bool] = {}

    def support(self, row: int, standard: Standard) -> Support:
        """NR 140.14(3)(b): a detect of another analysis of the same sample, and the samples of this station so far."""
        return Support(self._again(row), self._statistically(row, standard))

    def _again(self, row: int) -> bool:
        code, series = self._rows["parameter"].codes, self._rows["series"].codes
        return any(
            code[other] == code[row] and series[other] != series[row] and _one(self._cases, other).result.detected
            for other in self._by_sample.members(int(self._rows.sample[row]))
        )

    def _statistically(self, row: int, standard: Standard) -> bool:
        rule = self._terms.law.header.confirmation
        if rule is None:
            return False
        unit = _one(self._cases, row).result.unit
        station, limit = int(self._stations[row]), standard.in_unit(unit)
        day = cast("date", self._rows["day"].values[int(self._rows["day"].codes[row])])
        key = station, unit, limit, day
        if key not in self._above:
            days, least = self._so_far(station, unit)
            self._above[key] = statistically_above(least[: bisect_right(days, day)], limit, rule.alpha)
        return self._above[key]

    def _so_far(self, station: int, unit: str) -> tuple[list[date], list[Decimal | None]]:
        """Days of every sample of one substance of a station in order, and the least number of each in one unit."""
        if (station, unit) not in self._samples:
            self._samples[station, unit] = self._least(self._by_station.members(station), unit)
        return self._samples[station, unit]

    def _least(self, members: Sequence[int], unit: str) -> tuple[list[date], list[Decimal | None]]:
        samples: dict[tuple[date, str], list[Decimal | None]] = {}
        for one in self._cases.reported(members):
            samples.setdefault((one.row.day, one.sample), []).append(_number(one, unit))
        ordered = sorted(samples.items())
        return [day for (day, _), _ in ordered], [_lowest(values) for _, values in ordered]

    @cached_property
    def _stations(self) -> Codes:
        """Which substance of which station."""
        return together(self._rows["station"].codes, self._rows["substance"].codes)

    @cached_property
    def _by_sample(self) -> Members:
        return Members(self._rows.sample, self._cases.of_row != NOT_JUDGED)

    @cached_property
    def _by_station(self) -> Members:
        return Members(self._stations, self._cases.of_row != NOT_JUDGED)


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


def _number(one: Reported, unit: str) -> Decimal | None:
    value = one.readings()[-1].value
    return None if value is None else value * factor(one.result.unit, unit)


def _lowest(values: Sequence[Decimal | None]) -> Decimal | None:
    numbers = [one for one in values if one is not None]
    return min(numbers) if len(numbers) == len(values) else None
