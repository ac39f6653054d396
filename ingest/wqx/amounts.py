"""What the number of a water-quality result, or of a limit beside it, can be, and in which unit."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from ingest.cells import BadCell, is_sentinel, number
from models.errors import BadUnit
from models.units import CONCENTRATIONS, COUNTS, PRESENCE, convert

_MOST_IN_A_LITRE = Decimal(1000)
"""[g/L] A litre of water weighs a kilogram: nothing in it weighs more."""


@lru_cache(maxsize=4096)
def in_unit(text: str, have: str, want: str) -> str:
    """A limit in another unit: the text itself where the units are one, else the exact decimal.

    Raises
    ------
    BadCell : an unknown unit, or one that measures something else.
    """
    try:
        value, moved = Decimal(text), convert(Decimal(text), have, want)
    except BadUnit as bad:
        raise BadCell(bad.reason) from None
    return text if value == moved else format(moved.normalize(), "f")


_COUNTED = {*COUNTS, PRESENCE}


def countable(amount: str, measured_in: str) -> None:
    """Refuse a number of organisms below zero, and more of a substance than the water weighs.

    Raises
    ------
    BadCell : it is one.
    """
    if amount and measured_in in _COUNTED and number(amount) < 0 and not is_sentinel(number(amount)):
        raise BadCell("negative")
    if amount and measured_in in CONCENTRATIONS and Decimal(amount) > _most(measured_in):
        raise BadCell(f"more than {_MOST_IN_A_LITRE} g/L: more than the water itself")


@lru_cache(maxsize=64)
def _most(unit: str) -> Decimal:
    return convert(_MOST_IN_A_LITRE, "g/L", unit)
