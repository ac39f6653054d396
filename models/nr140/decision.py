"""NR 140.14: one result against one standard, with the paragraph that decides.

Two statuses stand side by side. The **NR 140 status** attains at ``x >= S`` (140.05(2)) and never
counts a result below the LOQ as a plain number (140.14(3)). The **clause status** of an ordinance
reads its own words on top of it: "exceeded" is ``x > S``. A set of other standards says itself where equality
stands and whether there is a rule below the LOQ. All arithmetic is decimal and unrounded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from models.nr140.result import Result
from models.rules import GroundwaterQuality
from models.standard_set import AttainedAt
from models.standards import Standard
from models.verdict import VERDICT_OF, Verdict

Status = Literal["attained", "not_attained", "below_loq", "needs_confirmation", "indeterminate"]
LEAST_COUNT = Decimal(1)
"""Of a count of organisms ``<1`` is none: a limit above it hides some."""
HIDDEN = "a detect may hide below the reporting limit {}"
MOST = "more than {}, the most that was measured"


@dataclass(frozen=True)
class Comparison:
    """The status of one result against one standard, and the paragraph it rests on.

    Parameters
    ----------
    wording : the reason, with ``{}`` in place of ``named``: what it quotes of this one result.
    proves_nothing : a non-detect that is no exceedance, and no evidence of its absence either.
    doubt : what leaves the result open, as ``left_open`` has it.
    """

    status: Status
    paragraph: str
    wording: str
    proves_nothing: bool = False
    named: str = ""
    doubt: str = ""

    @property
    def reason(self) -> str:
        """Why, in one line."""
        return self.wording.replace("{}", self.named, 1) if self.named else self.wording


@dataclass(frozen=True)
class Support:
    """NR 140.14(3)(b): presence confirmed in the same sample, and the concentration confirmed statistically."""

    same_sample: bool = False
    statistical: bool = False


UNSUPPORTED = Support()


def compare(result: Result, standard: Standard, support: Support = UNSUPPORTED) -> Comparison:
    """The status by the rule of the standard's own set; of NR 140 as 140.14 orders it.

    Raises
    ------
    BadUnit : the result's unit does not measure what the standard limits.
    """
    if standard.detection_only:
        return _presence(result, standard)
    limit = standard.in_unit(result.unit)
    if standard.detection_rule == "none":
        return _plainly(result, limit, standard)
    if not result.detected:
        return _non_detect(result, limit)
    if result.value is None:
        return _without_number(result, limit, support)
    return _detect(result.value, result, limit, support, standard.attained_at)


def left_open(found: Comparison, doubt: str) -> Comparison:
    """A status of a result that something beside its number leaves open: what it attains needs confirmation first."""
    if doubt and found.status == "attained":
        return Comparison("needs_confirmation", found.paragraph, doubt, doubt=doubt)
    if doubt and found.status == "needs_confirmation":
        return replace(found, wording=f"{found.wording}; {doubt}", doubt=doubt)
    return replace(found, doubt=doubt) if doubt else found


def clause_verdict(rule: GroundwaterQuality, status: Status, result: Result, standard: Standard) -> tuple[Verdict, str]:
    """What the ordinance's own words make of an NR 140 status: 140.14 decides first, only an attained x = S moves."""
    verdict = VERDICT_OF[status]
    if status != "attained" or rule.exceeded == "ge" or standard.detection_only or result.value is None:
        return verdict, ""
    if result.value == standard.in_unit(result.unit):
        return rule.at_equal, f"equals the standard; {rule.clause} says exceeded"
    return verdict, ""


def reached(x: Decimal, limit: Decimal, attained_at: AttainedAt) -> bool:
    """Whether a number attains a limit, by the word of its set."""
    return x >= limit if attained_at == "ge" else x > limit


def _presence(result: Result, standard: Standard) -> Comparison:
    """A zero standard: attained only when detected."""
    paragraph = "140.14(3)(a)" if standard.detection_rule == "nr140.14" else standard.citation
    if result.detected and (result.value is None or result.value > 0):
        return Comparison("attained", paragraph, "detected, and the standard is zero")
    hidden = result.limit if result.limit_is_reporting and not result.below_lod else None
    if hidden is not None and hidden > LEAST_COUNT:
        return Comparison("indeterminate", paragraph, HIDDEN, named=str(hidden))
    if hidden is None and result.lod is not None and result.lod > LEAST_COUNT:
        why = "not detected, but the LOD is above the standard: proves nothing"
        return Comparison("not_attained", paragraph, why, proves_nothing=True)
    return Comparison("not_attained", paragraph, "not detected")


def _non_detect(result: Result, limit: Decimal) -> Comparison:
    behind = result.limit
    if result.limit_is_reporting and not result.below_lod and behind is not None and behind > limit:
        return Comparison("indeterminate", "140.14(3)(a)", HIDDEN, named=str(behind))
    floor = result.lod if result.below_lod or behind is None else behind
    paragraph = "140.05(2)" if result.loq is not None and limit > result.loq else "140.14(3)(a)"
    if floor is not None and floor <= limit:
        return Comparison("not_attained", paragraph, "not detected")
    why = "no LOD was reported" if floor is None else "the LOD is above the standard"
    return Comparison("not_attained", paragraph, f"not detected, but {why}: proves nothing", proves_nothing=True)


def _detect(x: Decimal, result: Result, limit: Decimal, support: Support, attained_at: AttainedAt) -> Comparison:
    lod, loq = result.lod, result.loq
    if lod is not None and loq is not None and lod > loq:
        return _contradictory(x, limit, max(lod, loq), attained_at)
    between = lod is not None and loq is not None and lod <= limit <= loq
    plain = "140.14(3)(c)" if between else "140.05(2)"
    if lod is not None and x < lod:
        by = "140.05(2)" if loq is not None and limit > loq else "140.14(3)(a)"
        return Comparison("not_attained", by, "below the LOD", proves_nothing=lod > limit)
    if not reached(x, limit, attained_at):
        return Comparison("not_attained", plain, "below the standard")
    if loq is not None and x >= loq:
        return Comparison("attained", plain, "at or over the standard and quantified")
    if lod is None or loq is None:
        return Comparison("needs_confirmation", "140.14(3)", f"{_absent(lod, loq)} not reported: ask the laboratory")
    if limit >= lod:
        return Comparison("below_loq", "140.14(3)(c)", "at or over the standard in number, but below the LOQ")
    return _below_lod_standard(support)


def _contradictory(x: Decimal, limit: Decimal, highest: Decimal, attained_at: AttainedAt) -> Comparison:
    """An LOD above the LOQ: one of them is wrong, and which is not known."""
    if not reached(x, limit, attained_at):
        return Comparison("not_attained", "140.05(2)", "below the standard")
    if x >= highest:
        return Comparison("attained", "140.05(2)", "at or over the standard and quantified")
    why = "the LOD reported is above the LOQ reported: ask the laboratory"
    return Comparison("needs_confirmation", "140.14(3)", why)


def _below_lod_standard(support: Support) -> Comparison:
    """140.14(3)(b): the standard lies below the LOD, the detect below the LOQ."""
    if support.same_sample and support.statistical:
        return Comparison(
            "attained", "140.14(3)(b)", "standard below the LOD: confirmed in the same sample and statistically"
        )
    wanted = [
        words
        for given, words in ((support.same_sample, "same-sample confirmation"), (support.statistical, "statistics"))
        if not given
    ]
    return Comparison("needs_confirmation", "140.14(3)(b)", f"standard below the LOD: needs {' and '.join(wanted)}")


def _without_number(result: Result, limit: Decimal, support: Support) -> Comparison:
    if result.said == "above":
        return _over_range(result, limit)
    if result.said == "between":
        return _between(result, limit, support)
    if result.lod is not None and limit < result.lod:
        return _below_lod_standard(support)
    return Comparison(
        "indeterminate", "140.14(3)", "detected, but no amount was reported: ask the laboratory for the number"
    )


def _over_range(result: Result, limit: Decimal) -> Comparison:
    bound = result.limit
    if bound is not None and bound >= limit and (result.loq is None or bound >= result.loq):
        return Comparison("attained", "140.05(2)", MOST, named=str(bound))
    low = "an unstated amount" if bound is None else str(bound)
    return Comparison("indeterminate", "140.14(3)", "more than {}: how much more was not reported", named=low)


def _between(result: Result, limit: Decimal, support: Support) -> Comparison:
    """Detected below the LOQ: the number is not known, only that it lies in [LOD, LOQ)."""
    if result.loq is not None and limit >= result.loq:
        return Comparison("not_attained", "140.05(2)", "detected below the LOQ, and the LOQ is not above the standard")
    if result.lod is None or result.loq is None:
        missing = _absent(result.lod, result.loq)
        return Comparison("indeterminate", "140.14(3)", f"detected below the LOQ; {missing} not reported")
    if limit >= result.lod:
        return Comparison("below_loq", "140.14(3)(c)", "detected below the LOQ: not a number to compare")
    return _below_lod_standard(support)


def _plainly(result: Result, limit: Decimal, standard: Standard) -> Comparison:
    """A set with no rule below the LOQ: numbers as they are; a non-detect counts as long as its limit lets it."""
    by, at = standard.citation, standard.attained_at
    if result.value is not None:
        if reached(result.value, limit, at):
            return Comparison("attained", by, "over the standard" if at == "gt" else "at or over the standard")
        return Comparison("not_attained", by, _under(result, limit))
    if result.said == "above" and result.limit is not None and result.limit >= limit:
        return Comparison("attained", by, MOST, named=str(result.limit))
    ceiling = result.limit or result.lod if not result.detected else result.loq if result.said == "between" else None
    if ceiling is not None and ceiling <= limit:
        return Comparison("not_attained", by, "below {}", named=str(ceiling))
    if ceiling is None:
        return Comparison("indeterminate", by, "no amount was reported, and no limit that it is below")
    above = f"the limit of reporting {{}} is above the standard {limit}"
    return Comparison("indeterminate", by, above, named=str(ceiling))


def _under(result: Result, limit: Decimal) -> str:
    return "equal to the standard" if result.value == limit else "below the standard"


def _absent(lod: Decimal | None, loq: Decimal | None) -> str:
    return " and ".join(name for name, number in (("LOD", lod), ("LOQ", loq)) if number is None)
