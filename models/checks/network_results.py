"""Laboratory results from before mining began: on which days a well was sampled, and for what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date

from models.checks.quality_results import Reported, Terms, reported
from models.checks.quality_table import plain_terms
from models.question import Question, StoredRow, stored_rows
from models.site import Well
from models.standards import law_of

Days = Mapping[str, Sequence[date]]


def substances(set_id: str) -> tuple[str, ...]:
    """Everything a set of standards judges, its indicator parameters too."""
    return tuple(sorted({*law_of(set_id).parameters, *indicator_names(set_id)}))


def indicator_names(set_id: str) -> tuple[str, ...]:
    """The indicator parameters of a set; none where it has none."""
    return tuple(one.parameter for one in law_of(set_id).indicators)


def sampled(question: Question, wells: Sequence[Well], set_id: str) -> Mapping[str, Days]:
    """Days before mining began with a result that would be judged, by well and parameter; read once a night.

    A rejected result, a duplicate, quality control and a row that says nothing are none; "not detected" is one.
    """
    ids = tuple(one.id for one in wells)
    return question.once(("baseline results", set_id, ids), lambda: _sampled(question, ids, set_id)) if ids else {}


def _sampled(question: Question, ids: Sequence[str], set_id: str) -> Mapping[str, Days]:
    frame = question.observations.rows(ids, substances(set_id), None, question.day_before_mining)
    counts = _Counting(plain_terms(law_of(set_id)))
    found: dict[str, dict[str, set[date]]] = defaultdict(lambda: defaultdict(set))
    for row in stored_rows(frame):
        days = found[row.station][row.parameter]
        if row.day not in days and counts(row):
            days.add(row.day)
    return {well: {name: sorted(days) for name, days in of.items() if days} for well, of in found.items()}


class _Counting:
    """Whether a row would be judged. Of rows that give an amount their flags decide, so that each flag is read once."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._known: dict[tuple[str, str], bool] = {}

    def __call__(self, row: StoredRow) -> bool:
        if not (row.value > 0 and row.value_text[:1].isdigit()):
            return isinstance(reported(self._terms, row), Reported)
        key = (row.flags, row.series)
        if key not in self._known:
            self._known[key] = isinstance(reported(self._terms, row), Reported)
        return self._known[key]
