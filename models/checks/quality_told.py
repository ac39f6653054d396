"""Comparisons of a table of results as plain rows, each made only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.checks.quality_columns import counts
from models.checks.quality_comparison import Comparison
from models.checks.quality_results import Terms
from models.checks.quality_same_standard import Baseline
from models.checks.quality_table import unknown_rows, verdict_row
from models.checks.quality_verdicts import Verdicts, verdicts
from models.question import stored_rows

AT_ONCE = 2048
Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class ToldRows:
    """What a table of results says.

    Parameters
    ----------
    found : comparisons of what the set names; ``unknown`` the results that it does not name.
    began : first day of mining; standards attained before it are marked ``attained_in_baseline``. None: not asked.
    """

    found: Verdicts
    unknown: pd.DataFrame
    began: date | None = None

    def __len__(self) -> int:
        return len(self.found)

    def rows(self, *, notable: bool = False) -> Iterator[Row]:
        """Comparisons as ``verdict_row`` has them; ``notable`` leaves out what is not attained."""
        before = self._before
        for one in self.comparisons(notable=notable):
            yield verdict_row(one, None if before is None else before.attained(one))

    def comparisons(self, *, notable: bool = False) -> Iterator[Comparison]:
        """The same as objects."""
        at = self._notable() if notable else np.arange(len(self.found))
        for start in range(0, len(at), AT_ONCE):
            yield from self.found.shown_at(at[start : start + AT_ONCE].tolist())

    def counts(self) -> dict[str, int]:
        """How many comparisons came out how; what proves nothing is counted apart."""
        return counts(self.found)

    def not_judged(self) -> list[Row]:
        """Results that are not judged, with the reason."""
        unknown = sorted(stored_rows(self.unknown), key=lambda row: row.station)
        return [asdict(one) for one in self.found.not_judged()] + unknown_rows(unknown)

    def _notable(self) -> NDArray[np.intp]:
        out = np.array([one.nr140.status != "not_attained" for one in self.found.sayings], np.bool_)
        return np.flatnonzero(out[self.found.said]) if len(out) else np.empty(0, np.intp)

    @cached_property
    def _before(self) -> Baseline | None:
        return None if self.began is None else Baseline(self.found.terms, self.comparisons(), self.began)


def told_rows(terms: Terms, rows: pd.DataFrame, began: date | None = None) -> ToldRows:
    """Judge a table of results; of several stations each is judged by itself.

    Parameters
    ----------
    rows : as ``models.question.Observations.rows`` gives them.

    Raises
    ------
    BadUnit : a result in a unit that does not measure its substance.
    """
    known = rows["parameter"].isin(terms.law.parameters).to_numpy(bool)
    return ToldRows(verdicts(terms, rows[known]), rows[~known], began)


def before_the_text(terms: Terms, rows: pd.DataFrame) -> list[str]:
    """Of results older than the text of the set: it does not say since when its numbers are law."""
    current = terms.law.header.text_current_to
    undated = {one.parameter for one in terms.law.rows if one.effective is None}
    told = zip(rows["day"], rows["parameter"], strict=True)
    n = sum(day < current and terms.law.counts_as.get(name, name) in undated for day, name in told)
    if terms.law_day is not None or not n:
        return []
    were = "result was" if n == 1 else "results were"
    return [f"{n} {were} sampled before {current}, of which the set's text is, and the first day of their standards is "
            "not known: another number may have been law then"]  # fmt: skip
