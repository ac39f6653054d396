"""What confirms a result: the sign test of NR 140.14(3)(b)2, and a second sample some days apart.

The code asks for a valid statistical procedure and names none. The sign test is exact and supposes no distribution:
with the median at the standard, each of n independent samples lies above it with probability 1/2 at most, so that

    P(at least k of n above) = sum over j = k .. n of C(n, j) / 2^n

Source: Helsel, Hirsch and others (2020), Statistical methods in water resources, USGS TM 4-A3, section 5.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import comb


def sign_test(above: int, n: int) -> Fraction:
    """One-sided probability that ``above`` or more of ``n`` lie over their median [1]."""
    return Fraction(sum(comb(n, j) for j in range(above, n + 1)), 2**n) if n else Fraction(1)


def statistically_above(values: Sequence[Decimal | None], limit: Decimal, alpha: Decimal) -> bool:
    """Whether samples (None: not detected, or no number) are shown to lie above a limit at significance ``alpha``."""
    above = sum(one is not None and one > limit for one in values)
    return sign_test(above, len(values)) <= Fraction(alpha)


def confirms(day: date, attained: Iterable[date], resample_days: int) -> date | None:
    """The latest earlier day of an attained sample that is far enough back for this one to confirm it."""
    return max((one for one in attained if (day - one).days >= resample_days), default=None)
