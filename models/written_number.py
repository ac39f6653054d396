"""A number as a person writes it at a terminal or into a form: plain ASCII digits, one point, at most a sign.

No exponent, no underscore, no other script's digits, no infinity: what is sealed for good is read by eye first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from models.errors import BadQuestion

LONGEST = 12
"""Digits on either side of the point."""
_PLAIN = re.compile(rf"[+-]?[0-9]{{1,{LONGEST}}}(?:\.[0-9]{{1,{LONGEST}}})?")


def written_number(text: str, *, key: str, what: str = "a plain number", allowed: Sequence[str] = ("4.80",)) -> Decimal:
    """The decimal a person wrote, with its digits; blanks around it count for nothing.

    Parameters
    ----------
    what : what it should be, for the complaint.
    allowed : examples of it.

    Raises
    ------
    BadQuestion : anything but up to ``LONGEST`` digits before and after a point.
    """
    plain = text.strip(" ")
    if _PLAIN.fullmatch(plain) is None:
        raise BadQuestion(f"not {what}", key=key, found=text, allowed=allowed)
    return Decimal(plain)


def within(value: Decimal, least: Decimal, most: Decimal, *, key: str, what: str, unit: str) -> Decimal:
    """The value again, where it lies between what can be.

    Raises
    ------
    BadQuestion : it does not.
    """
    if not least <= value <= most:
        raise BadQuestion(f"not {what}", key=key, found=str(value), allowed=[f"{least} to {most} {unit}"])
    return value
