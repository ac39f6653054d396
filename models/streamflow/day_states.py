"""One day at one gauge: below the base flow, not below, or unknown (shortfall semantics, section 1)."""

from __future__ import annotations

import operator as compare
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import StrEnum
from typing import Literal

from models.errors import BadQuestion
from models.streamflow.practice import ESTIMATED, PRACTICE, Practice
from models.streamflow.threshold import Threshold

__all__ = [
    "DailyFlow", "DayState", "Operator", "Practice", "Quantity", "Threshold", "day_state", "explain",
    "is_reverse_flow", "to_record_precision", "why_unknown",
]  # fmt: skip

NEGATIVE = "negative flow"
Operator = Literal["lt", "le"]
Quantity = Literal["discharge", "stage"]

IS_BELOW: dict[str, Callable[[Decimal, Decimal], bool]] = {"lt": compare.lt, "le": compare.le}
"""The clause's own words: "falls below" is ``lt``, "to or below" is ``le`` (decision 3)."""

ROUNDED = frozenset({"computed", "bare"})
"""Origins of values that carry more digits than the record has (decision 22)."""

# Wide enough that a long decimal from a file is rounded and never refused.
_ROUNDING = Context(prec=1000, rounding=ROUND_HALF_UP)


class DayState(StrEnum):
    """What is known of one day."""

    BELOW = "B"
    NOT_BELOW = "N"
    UNKNOWN = "U"


@dataclass(frozen=True)
class DailyFlow:
    """One civil day at one gauge.

    Parameters
    ----------
    day : local calendar day.
    value : daily mean discharge [cfs] or stage [ft], as published or as computed; None where there is none.
    origin : ``computed`` (our own mean) and ``bare`` (a daily value of a bare ``date,value`` csv) are rounded to record
        precision before they are compared; ``published`` and ``estimated`` (entered by a reviewer) compare as they
        stand (decision 22).
    qualifiers : as they came: ``e``, ``Ice``, ``Eqp``, ``***``, ``Dry`` ...
    approval : ``A`` approved, ``P`` provisional, or nothing.
    coverage : values present over values expected [fraction 0..1]; None is full, or not known (published).
    hole_too_long : one hole in the day fails the hole rule (decision 7).
    version : opaque mark of the version of the value.
    note : how a derived value came to be, or why there is none, in plain words.
    uncertainty : of a value that a rating gave [fraction]; counts where it is wider than the record's (decision 15).
    """

    day: date
    value: Decimal | None
    origin: Literal["published", "computed", "bare", "estimated"] = "published"
    qualifiers: tuple[str, ...] = ()
    approval: str = ""
    coverage: Decimal | None = None
    hole_too_long: bool = False
    version: str = ""
    note: str = ""
    uncertainty: Decimal | None = None

    @property
    def codes(self) -> frozenset[str]:
        """The qualifiers, case-folded."""
        return frozenset(one.strip().casefold() for one in self.qualifiers)

    @property
    def is_estimated(self) -> bool:
        """A person stands behind the value: the hydrographer (``e``) or our reviewer.

        An estimate's mark on our own mean covers only some of its instants, so it cannot lift another code.
        """
        return self.origin == "estimated" or (self.origin != "computed" and bool(self.codes & ESTIMATED))


def why_unknown(day: DailyFlow, quantity: Quantity = "discharge", practice: Practice = PRACTICE) -> str:
    """Why a day has no value that a statistic may rest on; empty if it has one. As in `explain`, and no mere bound."""
    why = _why_void(day, quantity, practice) or _why_thin(day, practice)
    return why or ("the value is only a bound" if day.codes & {"<", ">"} else "")


def is_reverse_flow(day: DailyFlow, practice: Practice = PRACTICE) -> bool:
    """Whether a day is known to have flowed backwards on the whole: no low flow, and still a flow (decision 21)."""
    if why_unknown(day, practice=practice) != NEGATIVE:
        return False
    return not _why_thin(day, practice) and not day.codes & {"<", ">"}


def day_state(
    day: DailyFlow,
    base: Decimal,
    operator: Operator = "lt",
    quantity: Quantity = "discharge",
    practice: Practice = PRACTICE,
) -> DayState:
    """State of one day against the base flow in force on it; see `explain`."""
    return explain(day, base, operator, quantity, practice)[0]


def explain(
    day: DailyFlow,
    base: Decimal,
    operator: Operator = "lt",
    quantity: Quantity = "discharge",
    practice: Practice = PRACTICE,
) -> tuple[DayState, str]:
    """State of one day, and for an unknown day why it is unknown.

    Parameters
    ----------
    day : the day; its value in the unit of ``base``.
    base : base flow [cfs] or reference stage [ft].
    operator : ``lt`` for "falls below", ``le`` for "to or below".
    quantity : a stage may be negative, keeps its value under ice, and has no lower bound.

    Raises
    ------
    BadQuestion : an unknown operator or quantity, or a coverage outside 0..1.

    Notes
    -----
    Shortfall semantics, decisions 3, 7, 14, 20, 21, 22 and 26.
    """
    _check(day, operator, quantity)
    why = _why_void(day, quantity, practice)
    if day.value is None or why:
        return DayState.UNKNOWN, why
    thin = _why_thin(day, practice)
    if thin:
        certain = quantity == "discharge" and _certainly_not_below(day, day.value, base, operator, practice)
        return (DayState.NOT_BELOW, "") if certain else (DayState.UNKNOWN, thin)
    value = to_record_precision(day.value, day.origin, quantity, practice)
    return _compare(value, base, operator, quantity, day.codes)


def to_record_precision(value: Decimal, origin: str, quantity: Quantity, practice: Practice = PRACTICE) -> Decimal:
    """The value as the record would print it: own means and bare csv rounded half up, others as they stand (22).

    ``value`` and the result in cfs or ft; 0.01 below 10 cfs, 0.1 below 100, 1 above; stage 0.01 ft.
    """
    if origin not in ROUNDED:
        return value
    step = practice.stage_step_ft if quantity == "stage" else _discharge_step(value, practice)
    exponent = value.as_tuple().exponent
    already = isinstance(exponent, int) and exponent >= int(step.as_tuple().exponent)
    return value if already else value.quantize(step, context=_ROUNDING)


def _discharge_step(value: Decimal, practice: Practice) -> Decimal:
    fits = (step for limit, step in practice.discharge_steps if abs(value) < limit)
    return next(fits, practice.discharge_step_above)


def _why_void(day: DailyFlow, quantity: Quantity, practice: Practice) -> str:
    """Why the day has no usable value at all; empty if it has one."""
    codes = ", ".join(day.qualifiers)
    if day.value is None:
        why = ", ".join(one for one in (codes, day.note) if one)
        return f"no value ({why})" if why else "no value"
    if not day.value.is_finite():
        return "not a number"
    if "dry" in day.codes and day.value != 0 and quantity == "discharge":
        return "marked dry, yet not zero"
    kept = practice.stage_keeps if quantity == "stage" else frozenset()
    if day.codes & (practice.void_qualifiers - kept) and not day.is_estimated:
        return codes
    return NEGATIVE if quantity == "discharge" and day.value < 0 else ""


def _why_thin(day: DailyFlow, practice: Practice) -> str:
    if day.coverage is not None and day.coverage < practice.minimum_coverage:
        return f"coverage {_percent(day.coverage)}" + (f" ({day.note})" if day.note else "")
    return "a hole in the day is too long" if day.hole_too_long else ""


def _percent(share: Decimal) -> str:
    """Cut to a tenth and never rounded up: 79.96 % must not read as the 80 % it fails."""
    tenths = int(share * 1000)
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths / 10}%"


def _certainly_not_below(day: DailyFlow, value: Decimal, base: Decimal, operator: str, practice: Practice) -> bool:
    """Flow cannot be negative, so mean of the values present x coverage bounds the day's mean from below."""
    if day.coverage is None:
        return False
    lowest = value * day.coverage
    printed = to_record_precision(lowest, day.origin, "discharge", practice)
    return not IS_BELOW[operator](lowest, base) and not IS_BELOW[operator](printed, base)


def _compare(
    value: Decimal, base: Decimal, operator: str, quantity: Quantity, codes: frozenset[str]
) -> tuple[DayState, str]:
    if quantity == "discharge" and operator == "le" and value == base == 0:
        return DayState.UNKNOWN, "a base flow of zero says nothing"
    below = IS_BELOW[operator](value, base)
    # "<" and ">" mark a value that is only a bound: it decides one way and not the other.
    if (below and ">" in codes) or (not below and "<" in codes):
        return DayState.UNKNOWN, "the value is only a bound"
    return (DayState.BELOW if below else DayState.NOT_BELOW), ""


def _check(day: DailyFlow, operator: str, quantity: str) -> None:
    if operator not in IS_BELOW:
        raise BadQuestion("no such comparison", key="operator", found=operator, allowed=IS_BELOW)
    if quantity not in ("discharge", "stage"):
        raise BadQuestion("no such quantity", key="quantity", found=quantity, allowed=("discharge", "stage"))
    if day.coverage is not None and not (day.coverage.is_finite() and 0 <= day.coverage <= 1):
        raise BadQuestion(f"{day.day}: not a share", key="coverage", found=str(day.coverage), allowed=["0 to 1"])
