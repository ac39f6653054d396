"""NR 140.14: one result against one standard, with the paragraph that decides.

Two statuses stand side by side. The **NR 140 status** attains at ``x >= S`` (140.05(2)) and never
counts a result below the LOQ as a plain number (140.14(3)). The **clause status** of an ordinance
reads its own words on top of it: "exceeded" is ``x > S``. All arithmetic is decimal and unrounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from models.observation import Flags
from models.rules import GroundwaterQuality
from models.standards import Standard
from models.verdict import VERDICT_OF, Verdict

Status = Literal["attained", "not_attained", "below_loq", "needs_confirmation", "indeterminate"]


@dataclass(frozen=True)
class Result:
    """One laboratory result. ``value`` is None for a non-detect; all numbers in ``unit``.

    ``limit`` is the number behind a ``<``; ``limit_is_reporting`` when it is not the LOD.
    """

    value: Decimal | None
    unit: str
    lod: Decimal | None = None
    loq: Decimal | None = None
    limit: Decimal | None = None
    limit_is_reporting: bool = False

    @property
    def detected(self) -> bool:
        return self.value is not None


@dataclass(frozen=True)
class Comparison:
    """The NR 140 status of one result against one standard, and the paragraph it rests on."""

    status: Status
    paragraph: str
    reason: str


def read_result(value_text: str, unit: str, flags: Flags) -> Result | None:
    """A stored row as a result; None where it carries neither a number nor a non-detect."""
    facts = {name: _decimal(flags.facts.get(name, "")) for name in ("lod", "loq", "limit")}
    reporting = flags.facts.get("limit_is") == "rl"
    if "ND" in flags.qualifiers or "<" in flags.qualifiers:
        return Result(None, unit, facts["lod"], facts["loq"], facts["limit"], reporting)
    value = _decimal(value_text)
    return None if value is None else Result(value, unit, facts["lod"], facts["loq"])


def compare(result: Result, standard: Standard) -> Comparison:
    """NR 140.14 as ``law/nr140_rules.md`` section 4 orders it."""
    limit = standard.in_unit(result.unit) if not standard.detection_only else standard.value
    if result.value is None:
        return _non_detect(result, limit, standard.detection_only)
    if standard.detection_only:
        return Comparison("attained", "140.14(3)(a)", "detected, and the standard is zero")
    return _detect(result.value, result, limit)


def _non_detect(result: Result, limit: Decimal, detection_only: bool) -> Comparison:
    behind = result.limit
    if result.limit_is_reporting and behind is not None and behind > limit:
        return Comparison("indeterminate", "140.14(3)(a)", f"a detect may hide below the reporting limit {behind}")
    floor = behind if behind is not None else result.lod
    paragraph = "140.05(2)" if result.loq is not None and limit > result.loq else "140.14(3)(a)"
    if detection_only or (floor is not None and floor <= limit):
        return Comparison("not_attained", paragraph, "not detected")
    why = "no LOD was reported" if floor is None else "the LOD is above the standard"
    return Comparison("not_attained", paragraph, f"not detected, but {why}: proves nothing")


def _detect(x: Decimal, result: Result, limit: Decimal) -> Comparison:
    lod, loq = result.lod, result.loq
    between = lod is not None and loq is not None and lod <= limit <= loq
    plain = "140.14(3)(c)" if between else "140.05(2)"
    if lod is not None and x < lod:
        return Comparison(
            "not_attained", "140.05(2)" if loq is not None and limit > loq else "140.14(3)(a)", "below the LOD"
        )
    if x < limit:
        return Comparison("not_attained", plain, "below the standard")
    if loq is not None and x >= loq:
        return Comparison("attained", plain, "at or over the standard and quantified")
    if lod is None or loq is None:
        return Comparison("needs_confirmation", "140.14(3)", f"{_absent(lod, loq)} not reported: ask the laboratory")
    if limit >= lod:
        return Comparison("below_loq", "140.14(3)(c)", "at or over the standard in number, but below the LOQ")
    return Comparison(
        "needs_confirmation", "140.14(3)(b)", "standard below the LOD: needs same-sample confirmation and statistics"
    )


def clause_verdict(rule: GroundwaterQuality, status: Status, result: Result, standard: Standard) -> tuple[Verdict, str]:
    """What the ordinance's own words make of an NR 140 status: 140.14 decides first, only an attained x = S moves."""
    verdict = VERDICT_OF[status]
    if status != "attained" or rule.exceeded == "ge" or standard.detection_only or result.value is None:
        return verdict, ""
    if result.value == standard.in_unit(result.unit):
        return rule.at_equal, f"equals the standard; {rule.clause} says exceeded"
    return verdict, ""


def _absent(lod: Decimal | None, loq: Decimal | None) -> str:
    return " and ".join(name for name, number in (("LOD", lod), ("LOQ", loq)) if number is None)


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
