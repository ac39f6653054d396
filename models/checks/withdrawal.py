"""Water withdrawn on the property against amounts a day, against installed capacity and against approvals on file.

A meter is read now and then: the volume between two readings is known, the days it fell on are not. It is told spread
evenly by time; where the verdict depends on how it is spread, the verdict is indeterminate and says so. Nothing is
judged before mining began, and nothing is known after the last reading: a verdict that rests on time nobody metered is
indeterminate.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from models.applicability import not_applicable
from models.checks import withdrawal_approvals, withdrawal_compared, withdrawal_form, withdrawal_told
from models.checks.withdrawal_capacity import CAPACITY, capacity_finding
from models.checks.withdrawal_sources import Group, Source, counted, is_new, midnights, sources_of
from models.checks.withdrawal_windows import Amount, judged, largest_run
from models.finding import Finding, Scope
from models.question import Judged, Question
from models.rules import WithdrawalRule
from models.volume_bounds import Instants

DAY, AVERAGE, MAXIMUM = "daily_withdrawal", "average_withdrawal", "maximum_withdrawal"
"""The parameters of findings about amounts."""


def check(rule: WithdrawalRule, question: Question) -> Judged:
    """Judge each limb of the rule; volumes where some have come or a month is over unread, capacity every night."""
    site = question.site.id
    if question.on < question.began:
        return _silent(rule, question, "mining has not begun")
    if not question.site.wells("production"):
        return _silent(rule, question, 'no production well on file ([[well]] use = "production")')
    findings, scopes = [], []
    if rule.capacity_over_gpd is not None:
        findings.append(capacity_finding(rule, rule.capacity_over_gpd, question))
        scopes.append(Scope(rule.id, site, date.min, CAPACITY))
    if _reads_volumes(rule) and (question.changed.everything or is_new(question) or question.on.day == 1):
        sources = sources_of(question)
        findings += _of_volumes(rule, question, sources)
        scopes += [Scope(rule.id, site, date.min, name) for name in (DAY, AVERAGE, MAXIMUM, "")]
        scopes += withdrawal_approvals.scopes(rule, question) if rule.approved else []
        if _is_first(rule, question):
            findings += withdrawal_compared.findings(rule, question, sources)
            scopes += withdrawal_compared.scopes(rule, question)
    return Judged(tuple(findings), tuple(scopes))


def _silent(rule: WithdrawalRule, question: Question, why: str) -> Judged:
    scopes = [Scope(rule.id, one.station, date.min) for one in question.standing if one.rule == rule.id]
    return Judged((not_applicable(rule, question, why),), (Scope(rule.id, question.site.id, date.min), *scopes))


def _reads_volumes(rule: WithdrawalRule) -> bool:
    return bool(_amounts(rule) or rule.maximum_days or rule.approved)


def _is_first(rule: WithdrawalRule, question: Question) -> bool:
    """Two records of one well are compared once, whatever the number of rules that read them."""
    rules = (one for one in question.law.checks(question.on) if isinstance(one, WithdrawalRule) and _reads_volumes(one))
    return next(rules, rule).id == rule.id


def _amounts(rule: WithdrawalRule) -> list[tuple[str, Amount]]:
    """Every amount of the rule, by the parameter its finding carries."""
    found = []
    if rule.day_from_gpd is not None:
        found.append((DAY, Amount(rule.day_from_gpd, 1, over=False)))
    if rule.day_over_gpd is not None:
        found.append((DAY, Amount(rule.day_over_gpd, 1, over=True)))
    if rule.average_from_gpd is not None and rule.average_days is not None:
        found.append((AVERAGE, Amount(rule.average_from_gpd, rule.average_days, over=False)))
    return found


def _of_volumes(rule: WithdrawalRule, question: Question, sources: tuple[Source, ...]) -> Iterator[Finding]:
    edges, group = midnights(question), counted(sources, rule.uses)
    for parameter, amount in _amounts(rule):
        yield _amount_finding(rule, question, group, edges, parameter, amount)
    if rule.maximum_days is not None:
        yield from _maxima(rule, question, sources, edges, rule.maximum_days)
    if rule.approved:
        yield from withdrawal_approvals.findings(rule, question, sources, edges)


def _amount_finding(
    rule: WithdrawalRule, question: Question, group: Group, edges: Instants, parameter: str, amount: Amount
) -> Finding:
    if not group.sources:
        uses = " or ".join(rule.uses)
        return not_applicable(rule, question, f"no production well is for {uses} ([[well]] uses)")
    found = judged(group, edges, question.began, amount)
    if found is None:
        return not_applicable(rule, question, f"fewer than {amount.days} days since mining began")
    facts = withdrawal_form.facts(rule, question, group, edges) if parameter == AVERAGE else {}
    return withdrawal_told.amount_finding(rule, question, group, found, parameter, amount, facts)


def _maxima(
    rule: WithdrawalRule, question: Question, sources: tuple[Source, ...], edges: Instants, days: int
) -> Iterator[Finding]:
    """The largest daily average of each use: of wells of one use together, of mixed uses by themselves."""
    uses = sorted({one.well.uses for one in sources})
    for own in uses:
        group = Group(tuple(one for one in sources if one.well.uses == own))
        found = largest_run(group, edges, question.began, days)
        if found is not None:
            yield withdrawal_told.maximum_finding(rule, question, group, found, MAXIMUM, own)
