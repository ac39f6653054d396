"""What confirms a result: the sign test of NR 140.14(3)(b)2, and a second sample some days apart.

The code asks for a valid statistical procedure and names none. The sign test is exact and supposes no distribution:
with the median at the standard, each of n independent samples lies above it with probability 1/2 at most, so that

    P(at least k of n above) = sum over j = k .. n of C(n, j) / 2^n

Independent are samples of different days; bottles of one day are one.

Source: Helsel, Hirsch and others (2020), Statistical methods in water resources, USGS TM 4-A3, section 5.2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import comb

from models.nr140.result import Result
from models.units import factor


def sign_test(above: int, n: int) -> Fraction:
    """One-sided probability that ``above`` or more of ``n`` lie over their median [1]."""
    return Fraction(sum(comb(n, j) for j in range(above, n + 1)), 2**n) if n else Fraction(1)


def statistically_above(values: Sequence[Decimal | None], limit: Decimal, alpha: Decimal) -> bool:
    """Whether samples (None: not detected, or no number) are shown to lie above a limit at significance ``alpha``."""
    above = sum(one is not None and one > limit for one in values)
    return sign_test(above, len(values)) <= Fraction(alpha)


def confirms_presence(ours: Result, theirs: Result, *, same_method: bool) -> bool:
    """Whether another analysis of a sample confirms what this one detected (140.14(3)(b)1).

    By the same method or an equally sensitive one: one whose LOD is no higher.
    """
    below = theirs.value is not None and theirs.lod is not None and theirs.value < theirs.lod
    if not theirs.detected or below:
        return False
    if same_method or ours.lod is None or theirs.lod is None:
        return same_method
    return theirs.lod * factor(theirs.unit, ours.unit) <= ours.lod


@dataclass(frozen=True)
class Resampling:
    """When a second sample speaks of the condition that a first one found.

    Parameters
    ----------
    least, most : days between the two; ``most`` None: no far end.
    began : samples from before this day confirm none from then on: the mine came in between.
    """

    least: int
    most: int | None = None
    began: date | None = None

    def meets(self, earlier: date, later: date) -> bool:
        apart = (later - earlier).days
        across = self.began is not None and earlier < self.began <= later
        return apart >= self.least and (self.most is None or apart <= self.most) and not across


def confirms(day: date, attained: Collection[date], refuting: Iterable[date], rule: Resampling) -> date | None:
    """The latest earlier day of an attained sample that this one confirms: none before the last that refuted it.

    Parameters
    ----------
    attained, refuting : days of samples that attained the standard, and that did not; a day of both attained it.
    """
    ended = max((one for one in refuting if one < day and one not in attained), default=date.min)
    return max((one for one in attained if one > ended and rule.meets(one, day)), default=None)
