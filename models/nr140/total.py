"""A sum of results of one sample against one standard. A non-detect is a bound (0 and its limit); nothing is put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from models.nr140.decision import Comparison, Status, reached
from models.nr140.result import Result
from models.standard_set import Sum
from models.standards import Standard
from models.statistics.sums import Bounds, Part, shown, sum_with_bounds
from models.statistics.sums import compare as compare_bounds
from models.units import factor


@dataclass(frozen=True)
class Total:
    """A computed sum in ``unit``; ``quantified`` is what the parts at or over their LOQ make alone."""

    members: tuple[str, ...]
    unit: str
    bounds: Bounds
    quantified: Decimal

    def text(self) -> str:
        """``9.8``, ``9.7 to 10.2``, or ``at least 9.7``."""
        low, high = self.bounds.low, self.bounds.high
        if high is None:
            return f"at least {shown(low)}"
        return shown(low) if self.bounds.exact else f"{shown(low)} to {shown(high)}"

    def agrees(self, x: Decimal) -> bool:
        """Whether a reported total lies within the bounds."""
        return self.bounds.low <= x and (self.bounds.high is None or x <= self.bounds.high)


def total(law: Sum, results: Mapping[str, Result], unit: str) -> Total:
    """The sum of what was reported, split the way that leaves least unmeasured.

    Parameters
    ----------
    results : by member; at least one.
    unit : of the sum.
    """
    way = law.ways[0] if len(law.ways) == 1 else _least_unmeasured(law, results)
    there = [name for name in way if name in results]
    parts = [_part(name, results[name], _factor(law, name, results[name], unit)) for name in there]
    sure = [one for one in parts if _quantified(results[one.name])]
    quantified = sum((one.value * one.factor for one in sure if one.value is not None), Decimal(0))
    return Total(way, unit, sum_with_bounds(parts, way), quantified)


def compare_total(found: Total, standard: Standard) -> Comparison:
    """The status of a sum: one that reaches the standard only by results not quantified for sure needs confirmation."""
    limit = standard.in_unit(found.unit)
    compared = compare_bounds(found.bounds, limit, standard.attained_at)
    plain = standard.detection_rule == "none"
    if compared.outcome == "attained" and not plain and not reached(found.quantified, limit, standard.attained_at):
        why = f"{compared.reason}, but only with results below their LOQ or without one: ask the laboratory"
        return Comparison("needs_confirmation", "140.14(3)", why)
    status: Status = compared.outcome
    return Comparison(status, standard.citation if plain else "140.05(2)", _reason(found, compared.reason))


def _reason(found: Total, reason: str) -> str:
    missing = ", ".join(found.bounds.missing)
    return f"{reason} ({missing} not measured in this sample)" if missing and found.bounds.high is None else reason


def _least_unmeasured(law: Sum, results: Mapping[str, Result]) -> tuple[str, ...]:
    return min(law.ways, key=lambda names: (sum(name not in results for name in names), -_used(names, results)))


def _used(names: tuple[str, ...], results: Mapping[str, Result]) -> int:
    return sum(name in results for name in names)


def _part(name: str, result: Result, factor: Decimal) -> Part:
    """A detect of unknown amount has no bound; one below its LOQ has that."""
    if result.value is not None:
        return Part(name, result.value, factor=factor)
    if result.said == "between":
        return Part(name, None, result.loq, factor)
    if result.said:
        return Part(name, None, None, factor)
    return Part(name, None, result.lod if result.below_lod else result.limit or result.lod, factor)


def _factor(law: Sum, name: str, result: Result, unit: str) -> Decimal:
    return law.weights.get(name, Decimal(1)) * factor(result.unit, unit)


def _quantified(result: Result) -> bool:
    return result.value is not None and result.loq is not None and result.value >= result.loq
