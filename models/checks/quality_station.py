"""What ``quality STATION`` shows beside a well's verdicts: indicator parameters, and the context of what stands out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from models.checks.quality_beside import by_standard
from models.checks.quality_comparison import Comparison
from models.checks.quality_context import Surroundings, context
from models.checks.quality_indicators import NO_BACKGROUND, Backgrounds, Tested
from models.checks.quality_judgement import judge
from models.checks.quality_results import Reported, Terms
from models.checks.quality_rows import shown_sample
from models.checks.quality_same_standard import Baseline
from models.checks.quality_setting import Setting
from models.checks.quality_table import verdict_row
from models.nr140.indicators import PARAGRAPH, TABLE
from models.nr140.indicators_told import basis, basis_facts
from models.question import stored_rows
from models.site import Well
from models.verdict import NOTABLE

Row = dict[str, Any]


def beside(terms: Terms, setting: Setting, well: Well, judged: Iterable[Comparison] | None = None) -> Row:
    """``verdicts`` of indicator parameters, ``indicators`` with every PAL or why there is none, and ``context``.

    Parameters
    ----------
    judged : comparisons of the well's whole record; None: they are made here.
    """
    backgrounds = Backgrounds(setting, terms.law)
    tested = backgrounds.tested(terms, well)
    if judged is None:
        rows = setting.observations.rows([well.id], terms.law.parameters, None, setting.on)
        judged = judge(terms, stored_rows(rows)).comparisons
    return {
        "verdicts": indicator_rows(terms, setting, tested),
        "indicators": indicators(backgrounds, terms, well, tested),
        "context": contexts(terms, setting, well, [*judged, *tested.comparisons]),
    }


def indicator_rows(terms: Terms, setting: Setting, tested: Tested) -> list[Row]:
    """Every indicator result as ``verdict_row`` has it; where its PAL does not exist, with what is missing."""
    before = Baseline(terms, tested.comparisons, setting.began)
    judged = [verdict_row(one, before.attained(one)) for one in tested.comparisons]
    return judged + [_waiting(setting, one, tested) for one in tested.waiting]


def indicators(backgrounds: Backgrounds, terms: Terms, well: Well, tested: Tested) -> Row:
    """Whether indicator parameters can be judged at a well, and every PAL with the background it rests on."""
    if not backgrounds.names(terms):
        return {"verdict": "not_applicable", "reason": "no PAL of an indicator parameter is judged here", "pals": []}
    if backgrounds.record(well) is None:
        return {"verdict": "not_applicable", "reason": NO_BACKGROUND, "pals": []}
    names = {one.standard.parameter for one in tested.comparisons} | {one.substance for one in tested.waiting}
    used = [pal for name, pal in tested.pals.items() if name in names]
    pals = [basis_facts(pal) | {"says": basis(pal, backgrounds.setting.on)} for pal in used]
    lacking = any(pal.lacks for pal in used)
    reason = "background results are missing" if lacking else "" if used else "no result of an indicator parameter"
    return {"verdict": "indeterminate" if lacking else None, "reason": reason, "pals": pals}


def contexts(terms: Terms, setting: Setting, well: Well, found: Iterable[Comparison]) -> list[Row]:
    """The context of the newest result of each substance and standard that is attained, or that nobody can tell."""
    known = [one for one in found if one.row.day <= setting.on]
    around = Surroundings(setting, terms)
    latest = [(history[-1], history) for history in by_standard(known).values()]
    return [_context(around, well, one, history) for one, history in latest if one.verdict in NOTABLE]


def _context(around: Surroundings, well: Well, one: Comparison, history: Sequence[Comparison]) -> Row:
    found, law = context(around, well, one, history), one.standard
    said = {"lines": [{"line": line.line, "says": line.says} for line in found.lines]}
    where = {"station": well.id, "substance": law.parameter, "kind": law.kind, "table": law.table}
    return {**where, "sampled": one.row.day.isoformat(), "verdict": one.verdict, **found.facts, **said}


def _waiting(setting: Setting, one: Reported, tested: Tested) -> Row:
    result, pal = one.result, tested.pals[one.substance]
    return {
        "station": one.row.station, "substance": one.substance, "sampled": one.row.day.isoformat(),
        "sample": shown_sample(one.sample, one.row.time_ms), "value_text": one.row.value_text,
        "value": None if result.value is None else float(result.value),
        "unit": result.unit, "standard": None, "standard_text": "", "kind": "PAL", "table": TABLE,
        "nr140_status": "indeterminate", "verdict": "indeterminate", "paragraph": PARAGRAPH,
        "reason": basis(pal, setting.on), "verification": pal.indicator.verification,
        "citation": pal.indicator.citation, "measured": f"{one.row.value_text} {one.row.unit}",
        "proves_nothing": False, "computed_from": [], "missing": [], "confirms": None, "attained_in_baseline": None,
        "lod": None, "loq": None, "lod_text": None, "loq_text": None, "value_in_standard_unit": None,
        "row_ids": [one.row.row_id],
    }  # fmt: skip
