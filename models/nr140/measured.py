"""A result as a number or a limit it lies under, in one unit: what means, trends and backgrounds are made of."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from models.nr140.result import Result
from models.statistics.background import Measured
from models.units import convert


@lru_cache(maxsize=2**16)
def measured(result: Result, unit: str) -> Measured | None:
    """None where the result says neither an amount nor a limit.

    Raises
    ------
    BadUnit : its unit does not measure what ``unit`` does.
    """
    if result.value is not None:
        return Measured(convert(result.value, result.unit, unit))
    limit = known_under(result)
    return None if limit is None else Measured(convert(limit, result.unit, unit), censored=True)


def known_under(result: Result) -> Decimal | None:
    """What a result without a number is known to lie under: a non-detect its limit, a detect below the LOQ the LOQ."""
    if result.said:
        return result.loq if result.said == "between" else None
    return result.lod if result.below_lod else result.limit or result.lod
