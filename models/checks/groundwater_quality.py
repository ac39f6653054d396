"""Laboratory results in wells against a set of standards: one finding per result, limit and table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pandas as pd

from models import nr140
from models.finding import Evidence, Finding, Scope
from models.observation import Flags
from models.place import Nearness, boundary_to_point, inside
from models.question import Judged, Question, StoredRow, no_longer_reached, stored_rows
from models.rules import GroundwaterQuality
from models.site import Well
from models.standards import Standard, standard_set, standards, standards_for


@dataclass(frozen=True)
class Comparison:
    """One result against one standard, with both statuses."""

    standard: Standard
    result: nr140.Result
    nr140: nr140.Comparison
    verdict: str
    reading: str


def check(rule: GroundwaterQuality, question: Question) -> Judged:
    """Judge every new or revised result of the wells the rule names, sampled since mining began."""
    findings: list[Finding] = []
    scopes: list[Scope] = []
    for well, near in _wells(rule, question):
        since = question.changed.since(well.id, substances_of(rule), question.began)
        if since is not None:
            findings += _judge_well(rule, question, well, near, since)
            scopes.append(Scope(rule.id, well.id, since))
    scopes += no_longer_reached(rule.id, (well.id for well in question.site.well), scopes, question)
    return Judged(tuple(findings), tuple(scopes))


def _wells(rule: GroundwaterQuality, question: Question) -> Iterator[tuple[Well, Nearness | None]]:
    for well in question.site.well:
        near = _near(rule, question, well)
        named = well.in_application if rule.wells == "in_application" else well.use == "private"
        if named and (near is None or near.counts):
            yield well, near


def _near(rule: GroundwaterQuality, question: Question, well: Well) -> Nearness | None:
    if rule.within_mi is None:
        return None
    point, accuracy = question.position(well)
    return boundary_to_point(question.site.boundary, point, accuracy, rule.within_mi)


def _judge_well(
    rule: GroundwaterQuality, question: Question, well: Well, near: Nearness | None, since: date
) -> list[Finding]:
    substances = substances_of(rule)
    rows = question.observations.rows([well.id], substances, since, question.on)
    before = question.observations.rows([well.id], substances, None, question.day_before_mining) if len(rows) else rows
    attained_before = {key for row in stored_rows(before) for key in _attained_keys(rule, row)}
    return [
        _finding(rule, question, well, near, row, one, (one.standard.parameter, one.standard.name()) in attained_before)
        for row in stored_rows(rows)
        for one in compare_row(rule, row)
    ]


def compare_row(rule: GroundwaterQuality, row: StoredRow) -> list[Comparison]:
    """One stored result against every standard in force on its day, in every table its substance stands in."""
    result = nr140.read_result(row.value_text, row.unit, Flags.parse(row.flags))
    if result is None:
        return []
    limits = [
        one for one in standards_for(rule.standards, row.parameter) if one.kind in rule.limits and one.in_force(row.day)
    ]
    return [_compare(rule, result, one) for one in limits]


def _compare(rule: GroundwaterQuality, result: nr140.Result, standard: Standard) -> Comparison:
    compared = nr140.compare(result, standard)
    verdict, reading = nr140.clause_verdict(rule, compared.status, result, standard)
    return Comparison(standard, result, compared, verdict, reading)


def _attained_keys(rule: GroundwaterQuality, row: StoredRow) -> list[tuple[str, str]]:
    return [
        (one.standard.parameter, one.standard.name())
        for one in compare_row(rule, row)
        if one.nr140.status == "attained"
    ]


def _finding(
    rule: GroundwaterQuality,
    question: Question,
    well: Well,
    near: Nearness | None,
    row: StoredRow,
    one: Comparison,
    before: bool,
) -> Finding:
    flags = Flags.parse(row.flags)
    reason = "; ".join(part for part in (one.nr140.reason, one.reading, _unsure(near)) if part)
    return Finding(
        rule=rule.id, clause=rule.clause, station=well.id, parameter=row.parameter,
        aspect=f"{one.standard.name()} [{row.series}]", start=row.day, end=row.day, opened_on=row.day,
        verdict=_verdict(one, near), status=one.nr140.status,
        measured=f"{row.value_text} {row.unit}{_marks(flags)}", limit=_limit(one.standard, row.unit),
        unit=row.unit, reason=reason, verification=one.standard.verification, information=rule.information,
        provisional=flags.approval == "P", attained_in_baseline=before, opens=rule.opens,
        material=(row.value_text, str(one.standard.value), one.nr140.status),
        evidence=(_evidence(row, one, flags), *_baseline_evidence(before)),
        facts=_facts(question, well, near, row, one),
    )  # fmt: skip


def _limit(standard: Standard, unit: str) -> str:
    """The law's own number and unit, and the same in the unit of the result where that differs."""
    own = f"{standard.value} {standard.unit}"
    if standard.detection_only or standard.unit == unit:
        return own
    return f"{own} = {standard.in_unit(unit).normalize():f} {unit}"


def _verdict(one: Comparison, near: Nearness | None) -> Any:
    """A well whose ring of accuracy crosses the clause's line counts, but its attainment needs confirmation."""
    unsure = near is not None and near.within == "uncertain" and one.verdict == "attained"
    return "needs_confirmation" if unsure else one.verdict


def _unsure(near: Nearness | None) -> str:
    return (
        "the well's position accuracy crosses the line the clause draws: survey it"
        if near and near.within == "uncertain"
        else ""
    )


def _facts(question: Question, well: Well, near: Nearness | None, row: StoredRow, one: Comparison) -> dict[str, Any]:
    facts = {
        "sampled": row.day.isoformat(), "substance": row.parameter, "kind": one.standard.kind,
        "table": one.standard.table, "citation": one.standard.citation, "paragraph": one.nr140.paragraph,
        "nr140_status": one.nr140.status, "lod": _text(one.result.lod), "loq": _text(one.result.loq),
        "standards_text_current_to": standard_set(one.standard.set_id).text_current_to.isoformat(),
        "point_of_standards_application": _posa(question, well, one.standard),
    }  # fmt: skip
    return facts | ({} if near is None else {"within": near.within})


def _posa(question: Question, well: Well, standard: Standard) -> bool:
    """NR 140.22: a PAL applies at every monitored point, an ES at present use and beyond the boundary."""
    used = well.use in {"private", "production"}
    return standard.kind == "PAL" or used or not inside(question.site.boundary, question.position(well)[0])


def _evidence(row: StoredRow, one: Comparison, flags: Flags) -> Evidence:
    lod, loq = (_text(number) or "not given" for number in (one.result.lod, one.result.loq))
    law = one.standard
    says = (
        f"{row.parameter} {row.value_text} {row.unit}{_marks(flags)} sampled {row.day} (LOD {lod}, LOQ {loq}) against "
        f"{law.citation} {law.kind} {law.value} {law.unit}: {one.nr140.status} under NR {one.nr140.paragraph}"
    )
    return Evidence(
        "laboratory result", says, "supports" if one.nr140.status == "attained" else "context", (row.row_id,)
    )


def _baseline_evidence(before: bool) -> tuple[Evidence, ...]:
    says = "the same standard was already attained at this well before mining began"
    return (Evidence("baseline", says, "against"),) if before else ()


def _marks(flags: Flags) -> str:
    shown = [mark for mark in flags.qualifiers if mark not in {"ND", "<"}]
    return f" {' '.join(shown)}" if shown else ""


def _text(number: Decimal | None) -> str | None:
    return None if number is None else str(number)


def _number(number: Decimal | None) -> float | None:
    return None if number is None else float(number)


def substances_of(rule: GroundwaterQuality) -> list[str]:
    """Every substance that the rule's standards name."""
    return sorted({one.parameter for one in standards(rule.standards)})


def plain_reading(standards_id: str) -> GroundwaterQuality:
    """A set of standards on its own words, for a file that belongs to no site: the clause status is the set's."""
    law = standard_set(standards_id)
    return GroundwaterQuality(
        id=f"{standards_id}.plain", kind="groundwater_quality", clause=law.citation, title=law.title, text=law.title,
        effective="unknown", standards=standards_id, limits=("PAL", "ES"), exceeded=law.attained_at,
        wells="in_application",
    )  # fmt: skip


def verdict_rows(rule: GroundwaterQuality, rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Every comparison of a table of results, as the ``quality`` command prints it."""
    return [_verdict_row(row, one) for row in stored_rows(rows) for one in compare_row(rule, row)]


def _verdict_row(row: StoredRow, one: Comparison) -> dict[str, Any]:
    value = None if one.result.value is None else float(one.result.value)
    return {
        "station": row.station, "substance": row.parameter, "sampled": row.day.isoformat(), "value": value,
        "value_text": row.value_text, "unit": row.unit, "lod": _number(one.result.lod),
        "loq": _number(one.result.loq), "lod_text": _text(one.result.lod), "loq_text": _text(one.result.loq),
        "standard": float(one.standard.in_unit(row.unit)) if not one.standard.detection_only else 0.0,
        "standard_text": f"{one.standard.value} {one.standard.unit}", "kind": one.standard.kind,
        "table": one.standard.table, "nr140_status": one.nr140.status, "verdict": one.verdict,
        "paragraph": one.nr140.paragraph, "verification": one.standard.verification,
        "reason": "; ".join(part for part in (one.nr140.reason, one.reading) if part),
    }  # fmt: skip
