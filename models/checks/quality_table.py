"""Comparisons as plain rows: what the ``quality`` command, pages and reports print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from typing import Any

import pandas as pd

from models.checks.groundwater_quality import measured
from models.checks.quality_comparison import Comparison
from models.checks.quality_results import Terms, shown
from models.checks.quality_rows import shown_sample
from models.checks.quality_same_standard import Baseline
from models.checks.quality_verdicts import verdicts
from models.observation import Flags
from models.parameters import parameters
from models.policy import default_policy
from models.question import StoredRow, stored_rows
from models.rules import GroundwaterQuality
from models.standards import Standards
from models.statistics.sums import shown as shown_number
from models.units import factor

NO_STANDARD = "no standard of the set names it"
NO_NAME = "no known name, so a standard may stand under another one: give its CAS number, or the name that the set uses"


def plain_terms(law: Standards) -> Terms:
    """A set of standards on its own words, for results that belong to no site: the clause status is the set's."""
    head = law.header
    rule = GroundwaterQuality(
        id=f"{head.id}.plain", kind="groundwater_quality", clause=head.citation, title=head.title, text=head.title,
        effective="unknown", standards=head.id, limits=("PAL", "ES"), exceeded=head.attained_at, wells="in_application",
    )  # fmt: skip
    return Terms(rule, law, confirmation_window=int(default_policy().confirmation_window.value))


def verdict_rows(
    terms: Terms, rows: pd.DataFrame, began: date | None = None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Every comparison of a table of results, and every result that is not judged with the reason.

    Parameters
    ----------
    rows : as ``models.question.Observations.rows`` gives them; of several stations each is judged by itself.
    began : first day of mining; standards attained before it are marked ``attained_in_baseline``.
    """
    known = rows["parameter"].isin(terms.law.parameters).to_numpy(bool)
    found = verdicts(terms, rows[known])
    comparisons = found.shown()
    before = None if began is None else Baseline(terms, comparisons, began)
    told = [verdict_row(one, None if before is None else before.attained(one)) for one in comparisons]
    unknown = sorted(stored_rows(rows[~known]), key=lambda row: row.station)
    return told, [asdict(one) for one in found.not_judged()] + unknown_rows(unknown)


def unknown_rows(rows: Sequence[StoredRow]) -> list[dict[str, Any]]:
    """Results of substances that the set does not name, or whose name nobody knows."""
    named = parameters()
    return [
        asdict(shown(row, Flags.parse(row.flags), NO_STANDARD if row.parameter in named else NO_NAME)) for row in rows
    ]


def verdict_row(one: Comparison, in_baseline: bool | None) -> dict[str, Any]:
    """One comparison; numbers beside their decimal text, which is what was compared."""
    result, law = one.result, one.standard
    limit = Decimal(0) if law.detection_only else law.in_unit(result.unit)
    return {
        "station": one.row.station, "substance": law.parameter, "sampled": one.row.day.isoformat(),
        "sample": shown_sample(one.sample, one.row.time_ms), "value": _number(result.value),
        "value_text": _value_text(one), "unit": result.unit,
        "lod": _number(result.lod), "loq": _number(result.loq), "lod_text": _text(result.lod),
        "loq_text": _text(result.loq), "standard": float(limit), "standard_text": f"{law.value} {law.unit}",
        "value_in_standard_unit": _in_law_unit(one), "detected": result.detected or bool(one.members),
        "below": _number(_below(one)),
        "kind": law.kind, "table": law.table, "nr140_status": one.nr140.status, "verdict": one.verdict,
        "paragraph": one.nr140.paragraph, "reason": one.reason, "verification": law.verification,
        "citation": law.citation, "measured": measured(one), "proves_nothing": one.nr140.proves_nothing,
        "computed_from": list(one.members), "missing": list(one.missing),
        "confirms": None if one.confirms is None else one.confirms.isoformat(),
        "attained_in_baseline": in_baseline, "row_ids": list(one.rows),
    }  # fmt: skip


def counts(verdicts: Iterable[dict[str, Any]]) -> dict[str, int]:
    """How many comparisons came out how; what proves nothing is counted apart."""
    found: dict[str, int] = {}
    for one in verdicts:
        name = "proves_nothing" if one["proves_nothing"] else str(one["nr140_status"])
        found[name] = found.get(name, 0) + 1
    return found


def _value_text(one: Comparison) -> str:
    """As reported; of a sum its bounds, of another form the converted number."""
    if one.members:
        return one.measured.removesuffix(f" {one.result.unit}")
    converted = one.row.parameter != one.standard.parameter and one.result.value is not None
    return shown_number(one.result.value) if converted and one.result.value is not None else one.row.value_text


def _below(one: Comparison) -> Decimal | None:
    """What a non-detect is below, as it is drawn: its LOD, or the limit it was reported with."""
    result = one.result
    if result.detected or one.members:
        return None
    return result.lod if result.below_lod else result.limit or result.lod


def _in_law_unit(one: Comparison) -> float | None:
    """The number in the unit the law is written in."""
    value, law = one.result.value, one.standard
    return None if value is None or law.detection_only else _number(value * factor(one.result.unit, law.unit))


def _text(number: Decimal | None) -> str | None:
    return None if number is None else shown_number(number)


def _number(number: Decimal | None) -> float | None:
    return None if number is None else float(number)
