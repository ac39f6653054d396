"""How far a finding of groundwater quality is confirmed, and whether it is contested. Neither changes its verdict.

Two samples at least two weeks apart confirm each other (Wis. Stat. s. 281.75); a second analysis of the same sample is
what 140.14(3)(b)1 asks of a detect below the LOQ. A contested result (140.14(1)(b)) stays a finding, marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from models.checks.quality_comparison import Comparison, key_of
from models.checks.quality_results import Terms
from models.checks.quality_same_standard import attained_and_refuting
from models.finding import Evidence, Finding
from models.fractions import Fraction, fraction_of
from models.nr140.confirmation import confirms, confirms_presence
from models.nr140.contested import PARAGRAPH, Contested
from models.observation import Flags

Status = Literal["confirms", "confirmed", "not_reproduced", "awaits"]


@dataclass(frozen=True)
class Standing:
    """Whether a second sample speaks to an attained result.

    ``by``: the sample that decides, earlier (``confirms``) or later; of ``awaits`` the first day that would count. The
    first later one that counts decides; one in between that did not attain the standard ends the matter.
    ``same_sample``: another analysis of the same sample detected the substance too.
    """

    status: Status
    by: date
    same_sample: bool


def confirming(terms: Terms, found: Sequence[Comparison]) -> list[Comparison]:
    """Each attained comparison with the earlier sample of the same standard it confirms."""
    rule = terms.resampling
    if rule is None:
        return list(found)
    history: dict[tuple[str, str], list[Comparison]] = {}
    for one in found:
        history.setdefault(key_of(one), []).append(one)
    return [
        replace(one, confirms=confirms(one.row.day, *attained_and_refuting(terms, one, history[key_of(one)]), rule))
        if one.nr140.status == "attained"
        else one
        for one in found
    ]


def standing(terms: Terms, one: Comparison, history: Sequence[Comparison]) -> Standing | None:
    """The standing of an attained comparison; None where the set has no rule of confirmation or nothing is attained.

    Parameters
    ----------
    history : every comparison of the well with the same substance and standard.
    """
    rule = terms.resampling
    if rule is None or one.nr140.status != "attained":
        return None
    again = same_sample(one, history)
    if one.confirms is not None:
        return Standing("confirms", one.confirms, again)
    attained, refuting = attained_and_refuting(terms, one, history)
    later = sorted(day for day in attained | refuting if rule.meets(one.row.day, day))
    if not later:
        return Standing("awaits", one.row.day + timedelta(days=rule.least), again)
    between = sorted(day for day in refuting if one.row.day < day <= later[0])
    return Standing("not_reproduced", between[0], again) if between else Standing("confirmed", later[0], again)


def same_sample(one: Comparison, history: Sequence[Comparison]) -> bool:
    """Whether another analysis of the same sample detected the same thing (140.14(3)(b)1)."""
    return any(
        each.row.row_id != one.row.row_id
        and (each.row.day, each.sample, each.row.parameter) == (one.row.day, one.sample, one.row.parameter)
        and _fraction(each) == _fraction(one)
        and confirms_presence(one.result, each.result, same_method=each.row.series == one.row.series)
        for each in history
    )


def _fraction(one: Comparison) -> Fraction | None:
    return fraction_of(Flags.parse(one.row.flags).facts.get("fraction", ""), one.row.series.partition(":")[0])


def with_standing(finding: Finding, found: Standing | None, contests: Sequence[Contested]) -> Finding:
    """The finding with its confirmation, and marked where it is contested."""
    if found is not None:
        facts = {
            "confirmation": found.status, "confirmation_by": found.by.isoformat(),
            "same_sample_confirmed": found.same_sample,
        }  # fmt: skip
        line = () if found.status == "confirms" else (Evidence("confirmation", _says(finding, found), _bearing(found)),)
        finding = replace(finding, facts={**finding.facts, **facts}, evidence=(*finding.evidence, *line))
    for contest in contests:
        finding = _marked(finding, found, contest)
    return finding


def contesting(contested: Iterable[Contested], one: Comparison) -> list[Contested]:
    """The contests that are about one comparison, in the order of their acts."""
    names = (one.row.parameter, one.standard.parameter, *one.members)
    met = [each for each in contested if each.meets(one.row.station, names, one.row.day, one.sample)]
    return sorted(met, key=lambda each: (each.on, each.reason))


def contested_since(
    contested: Iterable[Contested], standing_findings: Iterable[Finding], station: str, began: date
) -> date | None:
    """The first day to judge again at a station, so that marks come and go with the acts."""
    days = [one.sampled for one in contested if one.station == station]
    days += [one.start for one in standing_findings if one.station == station and one.facts.get("contested")]
    return max(min(days), began) if days else None


def _marked(finding: Finding, found: Standing | None, contest: Contested) -> Finding:
    says = f"contested {contest.on}: {contest.reason}; stays a finding{_until(found)}"
    act = {"on": contest.on.isoformat(), "reason": contest.reason, "by": contest.by, "paragraph": PARAGRAPH}
    acts = [*finding.facts.get("contested", ()), act]
    return replace(
        finding, reason="; ".join(part for part in (finding.reason, says) if part),
        facts={**finding.facts, "contested": acts},
        evidence=(*finding.evidence, Evidence("contested", says, "against")),
    )  # fmt: skip


def _until(found: Standing | None) -> str:
    if found is None or found.status == "awaits":
        return " until a confirmed resample"
    return {
        "confirms": f", and confirms the sample of {found.by}",
        "confirmed": f", and the resample of {found.by} confirms it",
        "not_reproduced": f"; the resample of {found.by} did not attain the standard",
    }[found.status]


def _says(finding: Finding, found: Standing) -> str:
    days = (found.by - finding.start).days
    return {
        "confirms": f"confirms the sample of {found.by}",
        "confirmed": f"the sample of {found.by}, {days} days later, attained the same standard: confirmed",
        "not_reproduced": f"the sample of {found.by}, {days} days later, did not attain the standard: not confirmed",
        "awaits": f"none yet that counts: one taken on or after {found.by} would confirm it or not",
    }[found.status]


def _bearing(found: Standing) -> Literal["supports", "against", "silent"]:
    if found.status == "not_reproduced":
        return "against"
    return "silent" if found.status == "awaits" else "supports"
