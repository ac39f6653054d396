"""A sum of results of one sample against one standard. A non-detect is a bound (0 and its limit); nothing is put in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from models.nr140.decision import Comparison, Status, reached
from models.nr140.result import Result
from models.standard_set import Sum
from models.standards import Standard
from models.statistics.sums import Bounds, Part, shown, sum_with_bounds
from models.statistics.sums import compare as compare_bounds
from models.units import factor

Bound = Literal["value", "loq", "lod", "limit", ""]


@dataclass(frozen=True)
class Total:
    """A computed sum in ``unit``; ``quantified`` is what the parts at or over their LOQ make alone."""

    members: tuple[str, ...]
    unit: str
    bounds: Bounds
    quantified: Decimal

    def text(self) -> str:
        """``9.8``, ``9.7 to 10.2``, ``at least 9.7``, or ``more than 9.7``."""
        low, high = self.bounds.low, self.bounds.high
        if high is None:
            return f"{'more than' if self.bounds.low_passed else 'at least'} {shown(low)}"
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
    way = way_of(law, results)
    there = [name for name in way if name in results]
    parts = [_part(name, results[name], weight(law, name, results[name], unit)) for name in there]
    sure = [one for one in parts if is_quantified(results[one.name])]
    quantified = sum(((one.least if one.value is None else one.value) * one.factor for one in sure), Decimal(0))
    return Total(way, unit, sum_with_bounds(parts, way), quantified)


def way_of(law: Sum, names: Collection[str]) -> tuple[str, ...]:
    """Of the ways to split a sum the one that leaves least unmeasured, then the one that uses most of what there is."""
    return min(law.ways, key=lambda way: (sum(name not in names for name in way), -sum(name in names for name in way)))


def bound_of(result: Result) -> Bound:
    """Which number of a result it adds to a sum at most, its own or a limit it lies under; ``""``: nothing bounds it.

    A detect of unknown amount has no bound; one below its LOQ has that.
    """
    if result.value is not None:
        return "value"
    if result.said:
        return "loq" if result.said == "between" and result.loq is not None else ""
    if result.limit is not None and not result.below_lod:
        return "limit"
    return "lod" if result.lod is not None else ""


def compare_total(found: Total, standard: Standard) -> Comparison:
    """The status of a sum: one that reaches the standard only by results not quantified for sure needs confirmation."""
    limit = standard.in_unit(found.unit)
    compared = compare_bounds(found.bounds, limit, standard.attained_at)
    plain = standard.detection_rule == "none"
    sure = reached(found.quantified, limit, "ge" if found.bounds.low_passed else standard.attained_at)
    if compared.outcome == "attained" and not plain and not sure:
        why = f"{compared.reason}, but only with results below their LOQ or without one: ask the laboratory"
        return Comparison("needs_confirmation", "140.14(3)", why)
    status: Status = compared.outcome
    return Comparison(status, standard.citation if plain else "140.05(2)", _reason(found, compared.reason))


def _reason(found: Total, reason: str) -> str:
    missing = ", ".join(found.bounds.missing)
    return f"{reason} ({missing} not measured in this sample)" if missing and found.bounds.high is None else reason


def _part(name: str, result: Result, factor: Decimal) -> Part:
    bound = bound_of(result)
    limit = None if bound in {"", "value"} else getattr(result, bound)
    return Part(name, result.value, limit, factor, _least(result), over=result.said == "above")


def _least(result: Result) -> Decimal:
    """What a detect without a number is at least: more than what was measured, or its LOD."""
    least = result.limit if result.said == "above" else result.lod if result.said else None
    return least or Decimal(0)


def weight(law: Sum, name: str, result: Result, unit: str) -> Decimal:
    """Amount of the sum [``unit``] in one unit of a member as reported."""
    return law.weights.get(name, Decimal(1)) * factor(result.unit, unit)


def is_quantified(result: Result) -> bool:
    """Whether a result is a number at or over its LOQ, or more than one that is."""
    if result.said == "above":
        return result.limit is not None and (result.loq is None or result.limit >= result.loq)
    return result.value is not None and result.loq is not None and result.value >= result.loq
