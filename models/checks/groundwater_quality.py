"""Laboratory results in wells against a set of standards: one finding per result, limit and table, and per sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from models.checks.quality_beside import Beside, by_standard
from models.checks.quality_comparison import Comparison
from models.checks.quality_judgement import judge
from models.checks.quality_results import Terms
from models.checks.quality_same_standard import Baseline
from models.checks.standards_application import Application, application
from models.finding import Evidence, Finding, Scope
from models.nr140.alternatives import with_alternatives
from models.nr140.contested import Contested
from models.observation import Flags
from models.place import Nearness, boundary_to_point
from models.policy import Policy
from models.qualifiers import DOUBTED_IN_TEXT, REJECTED_IN_TEXT
from models.question import Judged, Question, no_longer_reached, stored_rows
from models.rules import GroundwaterQuality
from models.site import Site, Well
from models.standards import Standard, law_of
from models.verdict import NOTABLE, Verdict


def check(rule: GroundwaterQuality, question: Question, contested: Sequence[Contested] = ()) -> Judged:
    """Judge every new or revised result of the wells the rule names, sampled since mining began.

    Parameters
    ----------
    contested : results contested beside those of the question: their findings are marked, never taken back.
    """
    findings: list[Finding] = []
    scopes: list[Scope] = []
    beside = Beside(rule, question, (*question.contested, *contested))
    site, policy = question.site, question.policy
    wells = [(terms_at(rule, site, well, policy), well, near) for well, near in _wells(rule, question)]
    for terms, well, near in wells:
        since = beside.since(terms, well)
        if since is not None:
            findings += _judge_well(terms, question, well, near, since, beside)
            scopes.append(Scope(rule.id, well.id, since))
    whole = beside.of_the_site([(terms, well) for terms, well, _ in wells] if scopes else [])
    scopes += no_longer_reached(rule.id, (well.id for well in question.site.well), scopes, question)
    return Judged((*findings, *whole.findings), (*scopes, *whole.scopes))


def terms_at(rule: GroundwaterQuality, site: Site, well: Well, policy: Policy) -> Terms:
    """What a well of the site is judged by: the set with its alternative limits, and the fraction it states."""
    law = with_alternatives(law_of(rule.standards), site.alternative_limit, well.id)
    if rule.substances:
        law = law.replaced(one for one in law.rows if one.parameter in rule.substances)
    window = int(policy.confirmation_window.value)
    return Terms(rule, law, well.fraction, began=site.permit.mining_began, confirmation_window=window)


def _wells(rule: GroundwaterQuality, question: Question) -> Iterator[tuple[Well, Nearness | None]]:
    for well in question.site.well:
        near = _near(rule, question, well)
        named = {"in_application": well.in_application, "private": well.use == "private", "any": True}[rule.wells]
        if named and (near is None or near.counts):
            yield well, near


def _near(rule: GroundwaterQuality, question: Question, well: Well) -> Nearness | None:
    if rule.within_mi is None:
        return None
    point, accuracy = question.position(well)
    return boundary_to_point(question.site.boundary, point, accuracy, rule.within_mi)


def _judge_well(
    terms: Terms, question: Question, well: Well, near: Nearness | None, since: date, beside: Beside
) -> list[Finding]:
    """The whole record of the well is read, since samples confirm each other; findings are of new days."""
    rows = question.observations.rows([well.id], terms.law.parameters, None, question.on)
    found = (*judge(terms, stored_rows(rows)).comparisons, *beside.backgrounds.tested(terms, well).comparisons)
    before, history = Baseline(terms, found, question.began), by_standard(found)
    return [
        beside.told(terms, well, _finding(terms, question, well, near, one, before.attained(one)), one, history)
        for one in found
        if beside.due(terms, one, history, since) and _is_a_finding(one) and _is_news(terms.rule, one)
    ]


def _is_news(rule: GroundwaterQuality, one: Comparison) -> bool:
    """Information is what a clause that sets no limit is shown: only what would be worth a word under one that does."""
    return not rule.information or one.verdict in NOTABLE


def _is_a_finding(one: Comparison) -> bool:
    """A sum of which a member was not measured says nothing of the water, unless the rest attains the standard."""
    return not one.missing or one.nr140.status != "indeterminate"


def _finding(
    terms: Terms, question: Question, well: Well, near: Nearness | None, one: Comparison, before: bool
) -> Finding:
    rule, flags, standard = terms.rule, Flags.parse(one.row.flags), one.standard
    at = application(question.site, well, *question.position(well), standard.kind)
    reason = "; ".join(part for part in (one.reason, _elsewhere(one, at), _unsure(near)) if part)
    return Finding(
        rule=rule.id, clause=rule.clause, station=well.id, parameter=standard.parameter,
        aspect=aspect(one), start=one.row.day, end=one.row.day, opened_on=one.row.day,
        verdict=_verdict(one, near), status=one.nr140.status, measured=measured(one),
        limit=_limit(standard, one.result.unit), unit=one.result.unit, reason=reason,
        verification=standard.verification, information=rule.information, provisional=flags.approval == "P",
        attained_in_baseline=before, opens=rule.opens,
        material=(one.measured.rpartition(" ")[0] if one.members else one.row.value_text, str(standard.value),
                  one.nr140.status, *_differing(one)),
        evidence=(_evidence(one), *_elsewhere_evidence(one), *_confirmed(one), *_baseline_evidence(before)),
        facts=_facts(terms, near, one, at),
    )  # fmt: skip


def aspect(one: Comparison) -> str:
    """Which result of the day against which standard: series of the row, or sample of a sum."""
    if one.members:
        return f"{one.standard.name()} [sum {one.sample}]"
    other = "" if one.row.parameter == one.standard.parameter else f" {one.row.parameter}"
    return f"{one.standard.name()} [{one.row.series}]{other}"


def measured(one: Comparison) -> str:
    """As reported with the laboratory's marks; of a sum its bounds."""
    return one.measured if one.members else f"{one.measured}{_marks(Flags.parse(one.row.flags))}"


def _limit(standard: Standard, unit: str) -> str:
    """The law's own number and unit, and the same in the unit of the result where that differs."""
    own = f"{standard.value} {standard.unit}"
    if standard.detection_only or standard.unit == unit:
        return own
    return f"{own} = {standard.in_unit(unit).normalize():f} {unit}"


def _verdict(one: Comparison, near: Nearness | None) -> Verdict:
    """A well whose ring of accuracy crosses the clause's line counts, but its attainment needs confirmation."""
    unsure = near is not None and near.within == "uncertain" and one.verdict == "attained"
    return "needs_confirmation" if unsure else one.verdict


def _unsure(near: Nearness | None) -> str:
    return (
        "the well's position accuracy crosses the line the clause draws: survey it"
        if near and near.within == "uncertain"
        else ""
    )


def _elsewhere(one: Comparison, at: Application) -> str:
    return at.why if one.nr140.status == "attained" and not at.applies else ""


def _facts(terms: Terms, near: Nearness | None, one: Comparison, at: Application) -> dict[str, Any]:
    facts = {
        "sampled": one.row.day.isoformat(), "substance": one.standard.parameter, "kind": one.standard.kind,
        "table": one.standard.table, "citation": one.standard.citation, "paragraph": one.nr140.paragraph,
        "nr140_status": one.nr140.status, "lod": _text(one.result.lod), "loq": _text(one.result.loq),
        "standards_text_current_to": terms.law.header.text_current_to.isoformat(),
        "point_of_standards_application": at.applies, "application": f"{at.why} (NR {at.paragraph})",
    }  # fmt: skip
    more = {"computed_from": list(one.members)} if one.members else {}
    sure = {} if one.confirms is None else {"confirms": one.confirms.isoformat()}
    return facts | more | sure | ({} if near is None else {"within": near.within})


def _evidence(one: Comparison) -> Evidence:
    lod, loq = (_text(number) or "not given" for number in (one.result.lod, one.result.loq))
    law = one.standard
    known = f"computed from {', '.join(one.members)}" if one.members else f"LOD {lod}, LOQ {loq}"
    says = (
        f"{law.parameter} {measured(one)} sampled {one.row.day} ({known}) against "
        f"{law.citation} {law.kind} {law.value} {law.unit}: {one.nr140.status} under {_under(one)}"
    )
    return Evidence("laboratory result", says, "supports" if one.nr140.status == "attained" else "context", one.rows)


def _under(one: Comparison) -> str:
    by = one.nr140.paragraph
    return f"NR {by}" if by[:1].isdigit() else by


def _differing(one: Comparison) -> list[str]:
    """What other sources state in its place: people are told again when that changes, and not of the same amount."""
    return [each.states for each in one.elsewhere if not each.perhaps]


def _elsewhere_evidence(one: Comparison) -> Iterator[Evidence]:
    for each in one.elsewhere:
        yield Evidence("another source", each.says(), "context" if each.perhaps else "against", each.rows)


def _confirmed(one: Comparison) -> tuple[Evidence, ...]:
    if one.confirms is None:
        return ()
    says = f"the sample of {one.confirms} attained the same standard: this one confirms it"
    return (Evidence("second sample", says, "supports"),)


def _baseline_evidence(before: bool) -> tuple[Evidence, ...]:
    says = "the same standard, with the same number, was already attained at this well before mining began"
    return (Evidence("baseline", says, "against"),) if before else ()


IN_WORDS = {
    "between-LOD-LOQ": "(detected below the LOQ)",
    "limit-not-positive": "(a limit of zero is left out)",
    "lod-above-loq": "(its LOD is above its LOQ)",
    REJECTED_IN_TEXT: "(taken back in a text beside it)",
    DOUBTED_IN_TEXT: "(a text beside it leaves it open)",
}
"""The readers' own marks as a person reads them."""


def _marks(flags: Flags) -> str:
    shown = [IN_WORDS.get(mark, mark) for mark in flags.qualifiers if mark not in {"ND", "<", ">"}]
    return f" {' '.join(shown)}" if shown else ""


def _text(number: Decimal | None) -> str | None:
    return None if number is None else str(number)
