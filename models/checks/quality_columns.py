"""Comparisons as columns: a table of every verdict, however many, with nothing made for a row by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.checks.quality_codes import Codes, Column
from models.checks.quality_comparison import Said
from models.checks.quality_confirming import NEVER
from models.checks.quality_verdicts import Verdicts

SAID: dict[str, Callable[[Said], object]] = {
    "substance": lambda one: one.standard.parameter,
    "kind": lambda one: one.standard.kind,
    "table": lambda one: one.standard.table,
    "standard": lambda one: f"{one.standard.value} {one.standard.unit}",
    "verification": lambda one: one.standard.verification,
    "nr140_status": lambda one: one.nr140.status,
    "verdict": lambda one: one.verdict,
    "paragraph": lambda one: one.nr140.paragraph,
    "reason": lambda one: "; ".join(part for part in (_reason(one), one.reading) if part),
    "computed_from": lambda one: "" if one.computed is None else ", ".join(one.computed.members),
}
REPORTED = ("station", "sample", "parameter", "value_text", "unit", "flags")


def verdict_columns(found: Verdicts) -> pd.DataFrame:
    """One row for each comparison, in the order of ``found``; texts as categories.

    Columns: ``station sample parameter value_text unit flags`` as reported (of a sum those of its first part),
    ``sampled``, what ``SAID`` names, ``proves_nothing``, ``confirms`` (a day or NaT), and ``row``, its place in what
    was judged.
    """
    reported = {name: _category(found.rows[name], found.row) for name in REPORTED}
    said = {name: _said(found.sayings, found.said, tell) for name, tell in SAID.items()}
    nothing = np.array([one.nr140.proves_nothing for one in found.sayings], np.bool_)
    days = np.array(found.rows["day"].values, "datetime64[D]").astype("datetime64[s]")
    return pd.DataFrame({
        **reported, "sampled": days[found.rows["day"].codes[found.row]], **said,
        "proves_nothing": nothing[found.said] if len(found) else np.empty(0, np.bool_),
        "confirms": _days(found.confirms), "row": found.rows.places[found.row],
    })  # fmt: skip


def counts(found: Verdicts) -> dict[str, int]:
    """How many comparisons came out how; what proves nothing is counted apart."""
    names = [("proves_nothing" if one.nr140.proves_nothing else one.nr140.status) for one in found.sayings]
    many = np.bincount(found.said, minlength=len(names)).tolist()
    total: dict[str, int] = {}
    for name, number in zip(names, many, strict=True):
        if number:
            total[name] = total.get(name, 0) + number
    return total


def _reason(one: Said) -> str:
    if one.computed is not None:
        return ""
    return replace(one.nr140, named="…" if one.nr140.named else "").reason


def _category(column: Column, rows: Codes) -> pd.Categorical[Any]:
    return _categorical(column.codes[rows].astype(np.int32), column.values)


def _said(sayings: Sequence[Said], said: Codes, tell: Callable[[Said], object]) -> pd.Categorical[Any]:
    told = [str(tell(one)) for one in sayings]
    values = list(dict.fromkeys(told))
    number = {text: k for k, text in enumerate(values)}
    codes = np.array([number[text] for text in told], np.int32)
    return _categorical(codes[said], values)


def _categorical(codes: NDArray[np.int32], values: Sequence[object]) -> pd.Categorical[Any]:
    return pd.Categorical.from_codes(codes, pd.Index(np.array([str(one) for one in values], object)))


def _days(ordinals: Codes) -> NDArray[np.datetime64]:
    days = (ordinals - _EPOCH).astype("datetime64[D]").astype("datetime64[s]")
    days[ordinals == NEVER] = np.datetime64("NaT")
    return days


_EPOCH = 719163
"""``date(1970, 1, 1).toordinal()``."""
