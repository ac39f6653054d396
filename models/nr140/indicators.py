"""PALs of indicator parameters (NR 140.20): set by what the background wells say, not by a number of a table.

    field pH:            mean - 1.0 and mean + 1.0
    field temperature:   mean -+ max(3 SD, 5.6 C)
    every other:         mean + max(3 SD, increase of Table 3)

The mean of at least 8 results from each background well, pooled; SD by n - 1 below 30 results, by n from there on. The
numbers stand in the law's own files. Where a PAL is two-sided, reaching either limit attains it. A quantity that is no
amount of a substance (pH, temperature, conductance) has no LOD, and 140.14(3) plays no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Context, Decimal
from typing import Literal

from models.background import BackgroundRecord
from models.nr140.decision import Comparison, compare, reached
from models.nr140.result import Result
from models.standard_set import StandardSet
from models.standards import Indicator, Standard
from models.statistics.background import Background, Bounded, Increase, Measured, background
from models.statistics.censored import Insufficient
from models.units import convert

PARAGRAPH = "140.20(2)"
TABLE = "3"
BACKGROUND_PARAGRAPH = "140.20(1)"
COMPUTED = "computed from the background"
"""The note of every standard that is a PAL of this module."""
NO_AMOUNT = {"SU", "degC", "uS/cm"}
"""Units of indicators that are no amount of a substance."""
FIGURES = 4
"""Of a computed PAL; more where fewer would move it past the result it is compared with."""
_PLAIN = "140.05(2)"


@dataclass(frozen=True)
class Sampled:
    """One background result: its day, the row it stands in, and its number in the unit of the indicator."""

    day: date
    row: str
    measured: Measured


@dataclass(frozen=True)
class IndicatorPal:
    """The PAL of one indicator: the limits with the background they rest on, or what the background lacks.

    ``minimum``: results each background well must bring; ``left_out``: those that carry no number and no limit.
    """

    indicator: Indicator
    record: BackgroundRecord
    results: Mapping[str, tuple[Sampled, ...]]
    minimum: int
    found: Background | Bounded | Insufficient
    left_out: tuple[str, ...] = ()

    @property
    def lacks(self) -> Insufficient | None:
        return self.found if isinstance(self.found, Insufficient) else None


def indicator_pal(
    head: StandardSet,
    indicator: Indicator,
    record: BackgroundRecord,
    results: Mapping[str, tuple[Sampled, ...]],
    left_out: tuple[str, ...] = (),
) -> IndicatorPal:
    """The PAL of an indicator from the results of every background well of a record, each of which must be there.

    Raises
    ------
    ValueError : the set has no indicator parameters.
    """
    rule = head.indicators
    if rule is None:
        raise ValueError(f"{head.id} has no indicator parameters")
    increase = Increase(
        indicator.sd_multiple, indicator.increment, indicator.two_sided, divide_by_n_from=rule.divide_by_n_from
    )
    numbers = {well: [one.measured for one in results.get(well, ())] for well in record.wells}
    found = _no_logarithm(numbers, record) or background(
        numbers, increase, minimum_results=rule.minimum_results, method=record.censored
    )
    return IndicatorPal(indicator, record, results, rule.minimum_results, found, left_out)


def compare_indicator(head: StandardSet, pal: IndicatorPal, result: Result) -> tuple[Standard, Comparison] | None:
    """The limit that a result is nearest to, and its status; None where the background sets none.

    Raises
    ------
    BadUnit : the result's unit does not measure the indicator.
    """
    if isinstance(pal.found, Insufficient):
        return None
    if isinstance(pal.found, Bounded):
        return _bounded(head, pal, pal.found, result)
    upper = _standard(head, pal, pal.found.upper, result)
    if pal.found.lower is not None:
        return _two_sided(head, pal, pal.found, result, upper)
    return upper, _one_sided(result, upper)


def worth(number: Decimal, beside: Iterable[Decimal], at_least: int = FIGURES) -> Decimal:
    """A computed number as printed: a few figures, or as many as keep it on its side of every number beside it.

    >>> worth(Decimal("114.1402"), [Decimal(100)])
    Decimal('114.1')
    >>> worth(Decimal("114.1402"), [Decimal("114.1")])
    Decimal('114.14')
    """
    others = tuple(beside)
    for figures in range(max(at_least, number.adjusted() + 1), len(number.as_tuple().digits)):
        short = Context(prec=figures).plus(number)
        if all(short.compare(one) == number.compare(one) for one in others):
            return Decimal(f"{short:f}")
    return number


def _no_logarithm(numbers: Mapping[str, list[Measured]], record: BackgroundRecord) -> Insufficient | None:
    """Regression on order statistics takes logarithms; where a detect has none it cannot serve."""
    every = [one for results in numbers.values() for one in results]
    if record.censored != "ros" or not any(one.censored for one in every):
        return None
    positive = sum(one.censored or one.value > 0 for one in every)
    if positive == len(every):
        return None
    detail = "regression on order statistics takes logarithms: state kaplan_meier"
    return Insufficient("background results over zero", positive, len(every), detail)


def _one_sided(result: Result, upper: Standard) -> Comparison:
    said = compare(result, upper)
    plain = said.paragraph in {_PLAIN, upper.citation}
    return replace(said, paragraph=PARAGRAPH) if plain else said


def _bounded(head: StandardSet, pal: IndicatorPal, found: Bounded, result: Result) -> tuple[Standard, Comparison]:
    """Against a PAL of which only bounds are known: what both say; where they differ nobody can tell."""
    low, high = (_standard(head, pal, one, result) for one in found.upper)
    by_low, by_high = _one_sided(result, low), _one_sided(result, high)
    if by_low.status == by_high.status:
        return (high, by_high) if by_high.status == "attained" else (low, by_low)
    why = f"the PAL lies between {low.value} and {high.value} {pal.indicator.unit}: a lower LOD of the background"
    return high, Comparison("indeterminate", PARAGRAPH, f"{why} would settle it")


def _two_sided(
    head: StandardSet, pal: IndicatorPal, found: Background, result: Result, upper: Standard
) -> tuple[Standard, Comparison]:
    if result.value is None or found.lower is None:
        return upper, Comparison("indeterminate", PARAGRAPH, "no number was reported: ask for it")
    x = convert(result.value, result.unit, pal.indicator.unit)
    lower, at = _standard(head, pal, found.lower, result), head.attained_at
    passed = reached(x, found.upper, at) or reached(-x, -found.lower, at)
    status: Literal["attained", "not_attained"] = "attained" if passed else "not_attained"
    nearest = upper if x >= found.mean else lower
    where = f"{'at or beyond' if passed else 'within'} the limits {lower.value} and {upper.value}"
    return nearest, Comparison(status, PARAGRAPH, f"{where} {pal.indicator.unit}")


def _standard(head: StandardSet, pal: IndicatorPal, limit: Decimal, result: Result) -> Standard:
    """A limit as a standard of Table 3, in figures that compare with the result as the whole number does."""
    one = pal.indicator
    numbers = (result.value, result.lod, result.loq, result.limit)
    beside = [convert(number, result.unit, one.unit) for number in numbers if number is not None]
    return Standard(
        head.id, one.parameter, "PAL", worth(limit, beside), one.unit, TABLE, one.citation, None, None,
        one.verification, detection_only=False, note=COMPUTED, attained_at=head.attained_at,
        detection_rule="none" if one.unit in NO_AMOUNT else head.detection_rule,
    )  # fmt: skip
