"""Field duplicates: the relative percent difference of two results of one sample, and where it does not exist.

    RPD = 100 |a - b| / ((a + b) / 2)

It is undefined when either is a non-detect or both are zero; a single non-detect still gives its least possible value,
since the difference grows as the hidden value falls.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from models.errors import BadQuestion
from models.statistics.background import Measured


@dataclass(frozen=True)
class RelativeDifference:
    """``percent`` is None where undefined, with the reason; ``above`` then is what it must exceed, if that is known."""

    percent: Decimal | None
    above: Decimal | None
    reason: str


def relative_percent_difference(one: Measured, other: Measured) -> RelativeDifference:
    """The RPD [%] of two results in one unit.

    Raises
    ------
    BadQuestion : a negative or non-finite number.
    """
    for each in (one, other):
        if not each.value.is_finite() or each.value < 0:
            raise BadQuestion("a concentration must be a finite number, not negative", found=each.value)
    if one.censored and other.censored:
        return RelativeDifference(None, None, "undefined: neither was detected")
    if one.censored or other.censored:
        return _half_detected(*((other, one) if one.censored else (one, other)))
    if not one.value and not other.value:
        return RelativeDifference(None, None, "undefined: both are zero")
    return RelativeDifference(_percent(one.value, other.value), None, "both detected")


def _half_detected(detect: Measured, hidden: Measured) -> RelativeDifference:
    if detect.value <= hidden.value:
        return RelativeDifference(
            None, None, f"undefined: one was not detected, and {detect.value} is within its limit"
        )
    least = _percent(detect.value, hidden.value)
    return RelativeDifference(None, least, f"undefined: one was not detected below {hidden.value}")


def _percent(a: Decimal, b: Decimal) -> Decimal:
    return abs(a - b) * 200 / (a + b)
