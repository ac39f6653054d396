"""Laboratory results and computed sums of one calendar year, judged as everywhere else: the well's record together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import pandas as pd

from models.checks.quality_comparison import Comparison
from models.checks.quality_judgement import Judgement, judge
from models.checks.quality_results import Terms
from models.checks.quality_same_standard import Baseline
from models.parameters import parameter
from models.question import StoredRow, stored_rows
from models.site import Well
from pipelines import excerpt
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder
from reports.annual.record import ComputedSum, LabResult

Series = tuple[Well, pd.DataFrame]


def laboratory(
    recall: Recall, folder: SiteFolder, start: date, end: date, found: Sequence[Series], sensors: Sequence[Series]
) -> tuple[list[LabResult], list[ComputedSum]]:
    """Every result of every well by well, day and substance, and every computed sum.

    Parameters
    ----------
    found : the laboratory series of the year; ``sensors`` those that are summed up instead, and not judged.
    """
    results: list[LabResult] = []
    sums: list[ComputedSum] = []
    for well in folder.site.well:
        own, logged = ([series for one, series in each if one.id == well.id] for each in (found, sensors))
        terms = excerpt.terms_for(folder, well, end)
        judged = Judgement((), ()) if terms is None else judge(terms, _record(recall, terms, well, end, logged))
        before = None if terms is None else Baseline(terms, judged.comparisons, folder.site.permit.mining_began)
        results += _results(well, terms, judged, before, own)
        sums += _sums(well, terms, judged, before, start)
    return results, sums


def _record(recall: Recall, terms: Terms, well: Well, end: date, logged: Sequence[pd.DataFrame]) -> list[StoredRow]:
    """What is known of a well up to the end of the year, without its sensors."""
    rows = recall.rows([well.id], terms.law.parameters, None, end)
    left_out = {_series(row) for series in logged for row in stored_rows(series.head(1))}
    return [row for row in stored_rows(rows) if _series(row) not in left_out]


def _series(row: StoredRow) -> tuple[str, ...]:
    return row.parameter, row.series, row.unit, row.clock


def _results(
    well: Well, terms: Terms | None, judged: Judgement, before: Baseline | None, own: Sequence[pd.DataFrame]
) -> list[LabResult]:
    compared: dict[tuple[str, ...], list[Comparison]] = {}
    for one in judged.comparisons:
        if not one.members:
            compared.setdefault(_key(one.row), []).append(one)
    why = {(row, one.parameter): one.reason for one in judged.shown for row in one.rows}
    rows = [row for series in own for row in stored_rows(series)]
    rows.sort(key=lambda row: (row.day, parameter(row.parameter).name))
    return [
        LabResult(
            well, row, _clause(terms), tuple(found := compared.get(_key(row), [])), _standards(found, before),
            why.get((row.row_id, row.parameter), ""),
        )
        for row in rows
    ]  # fmt: skip


def _sums(
    well: Well, terms: Terms | None, judged: Judgement, before: Baseline | None, start: date
) -> Iterator[ComputedSum]:
    """Each sum of each sample with all its comparisons."""
    found: dict[tuple[object, ...], list[Comparison]] = {}
    for one in judged.comparisons:
        if one.members and one.row.day >= start:
            found.setdefault((one.row.day, one.sample, one.standard.parameter, one.rows), []).append(one)
    for compared in found.values():
        yield ComputedSum(well, _clause(terms), tuple(compared), _standards(compared, before))


def _standards(found: Sequence[Comparison], before: Baseline | None) -> tuple[str, ...]:
    """Standards, with the number these are compared with, that the well attained before mining."""
    return () if before is None else tuple(sorted({one.standard.name() for one in found if before.attained(one)}))


def _clause(terms: Terms | None) -> str:
    return "" if terms is None else terms.rule.clause


def _key(row: StoredRow) -> tuple[str, ...]:
    return row.row_id, row.parameter, row.series, row.value_text
