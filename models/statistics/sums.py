"""Sums of several forms of a substance (nitrate + nitrite, xylenes, a pesticide and its residues) with non-detects.

A detect adds its value, a non-detect something in [0, limit). The sum is then an interval, and a standard inside it can
neither be called attained nor not. NR 140 says nothing on substitution; nothing is substituted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Literal

from models.errors import BadQuestion

Outcome = Literal["attained", "not_attained", "indeterminate"]
LONGEST_PRINTED, FIGURES = 15, 10
ROUND = 6
"""No limit has more figures."""


@dataclass(frozen=True)
class Part:
    """One form as reported.

    Parameters
    ----------
    name : as in the list of expected forms.
    value : the detect, or None for a non-detect.
    limit : of a non-detect, its limit of detection (or the number behind the ``<``); None where none was reported.
    factor : amount of the summed form in one unit of this one: 14.007/62.005 for mg/L as NO3 in a sum as N.
    least : without a value, what it is at least: the LOD of a detect below its LOQ, the number behind a ``>``.
    over : it is more than ``least``.
    """

    name: str
    value: Decimal | None
    limit: Decimal | None = None
    factor: Decimal = Decimal(1)
    least: Decimal = Decimal(0)
    over: bool = False

    @property
    def detected(self) -> bool:
        return self.value is not None


@dataclass(frozen=True)
class Bounds:
    """The sum lies in [low, high], or in [low, high) unless ``high_reached``; ``high`` None is unbounded.

    ``low_passed``: it is more than ``low``.

    ``not_detected``, ``without_limit`` and ``missing`` name the forms that keep it from being exact.
    """

    low: Decimal
    high: Decimal | None
    high_reached: bool
    n_detected: int
    not_detected: tuple[str, ...] = ()
    without_limit: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    low_passed: bool = False

    @property
    def exact(self) -> bool:
        return self.low == self.high and self.high_reached


@dataclass(frozen=True)
class Compared:
    """The outcome against one standard and why; an indeterminate one names what would settle it."""

    outcome: Outcome
    reason: str


def sum_with_bounds(parts: Sequence[Part], expected: Sequence[str], *, complete: bool = False) -> Bounds:
    """Add the forms, all in one unit after their factors.

    Parameters
    ----------
    expected : names of every form that the sum consists of.
    complete : the forms not reported are stated to be absent or contained in the others; they then add nothing.

    Raises
    ------
    BadQuestion : a form that is not expected or comes twice, a number that is negative or not finite, or a complete sum
        of no form at all.
    """
    _check(parts, expected)
    if complete and not parts:
        raise BadQuestion("no form was reported: nothing is complete", allowed=expected)
    known = sum((one.value * one.factor for one in parts if one.value is not None), Decimal(0))
    hidden = [one for one in parts if not one.detected]
    unbounded = tuple(one.name for one in hidden if one.limit is None)
    missing = () if complete else tuple(name for name in expected if name not in {one.name for one in parts})
    above = sum((one.limit * one.factor for one in hidden if one.limit is not None), Decimal(0))
    low = known + sum((one.least * one.factor for one in hidden), Decimal(0))
    high = None if unbounded or missing else known + above
    names, over = tuple(one.name for one in hidden), any(one.over for one in hidden)
    return Bounds(low, high, not hidden and not missing, len(parts) - len(hidden), names, unbounded, missing, over)


def compare(bounds: Bounds, standard: Decimal, attained_at: Literal["ge", "gt"] = "ge") -> Compared:
    """Attained where the sum is at least the standard (NR 140.05(2)), whatever the non-detects hide; ``gt``: over it.

    Raises
    ------
    BadQuestion : the standard is not a positive number: zero is met by detection, not by amount.
    """
    if not standard.is_finite() or standard <= 0:
        raise BadQuestion("not a standard that a sum can be compared with", found=standard)
    at_least = attained_at == "ge"
    if bounds.low > standard or ((at_least or bounds.low_passed) and bounds.low == standard):
        more = "more than " if bounds.low_passed else ""
        return Compared("attained", f"the detected forms alone make {more}{shown(bounds.low)}")
    under_at_equal = not at_least or not bounds.high_reached
    if bounds.high is not None and (bounds.high < standard or (bounds.high == standard and under_at_equal)):
        return Compared("not_attained", _at_most(bounds, bounds.high))
    return Compared("indeterminate", f"between {shown(bounds.low)} and {_high(bounds)}: {_settles(bounds)}")


def shown(number: Decimal) -> str:
    """A number as it is printed: a repeating decimal of a factor to ten figures, any other whole.

    With so many more that it is not printed as a round number that it is not: a limit is one.
    """
    figures = len(number.as_tuple().digits)
    for shorter in range(FIGURES, figures if figures > LONGEST_PRINTED else FIGURES):
        short = Context(prec=shorter).plus(number)
        if len(short.normalize().as_tuple().digits) > ROUND:
            return f"{short:f}"
    return f"{number:f}"


def _at_most(bounds: Bounds, high: Decimal) -> str:
    text = shown(high)
    return f"the sum is {text}" if bounds.high_reached else f"the sum is below {text} with every form at its limit"


def _high(bounds: Bounds) -> str:
    return "an unknown bound" if bounds.high is None else shown(bounds.high)


def _settles(bounds: Bounds) -> str:
    limited = [name for name in bounds.not_detected if name not in bounds.without_limit]
    wanted = (
        ("analyse ", bounds.missing),
        ("ask the laboratory for the limit of ", bounds.without_limit),
        ("a lower limit for ", limited),
    )
    return "; ".join(words + ", ".join(names) for words, names in wanted if names)


def _check(parts: Sequence[Part], expected: Sequence[str]) -> None:
    names = [one.name for one in parts]
    wrong = [name for name in names if name not in expected] or [name for name in names if names.count(name) > 1]
    if wrong:
        raise BadQuestion("a form that is not expected or comes twice", found=wrong[0], allowed=sorted(expected))
    for one in parts:
        for number in (one.value, one.limit, one.factor, one.least):
            if number is not None and (not number.is_finite() or number < 0):
                raise BadQuestion("a concentration must be a finite number, not negative", key=one.name, found=number)
