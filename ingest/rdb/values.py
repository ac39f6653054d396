"""One pair of RDB data columns (value, code) as tidy rows: words, sentinels and blanks keep their meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ingest.cells import BadCell, code_flags, is_sentinel, number
from ingest.rdb.cells import Cells
from ingest.reading import Source
from models.observation import Flags, Reject, tidy

WORDS = {"ssn", "ice", "pr", "rat", "eqp", "fld", "dis", "bkw", "dry", "tst", "mnt", "zfl", "pmp", "***", "--"}
"""Words NWIS writes where a value would stand (NWIS help, "Instantaneous value qualification codes")."""

_NUMBER, _BLANK, _WORD, _SENTINEL = range(4)


@dataclass(frozen=True)
class Series:
    """One pair of data columns: where they stand and what they hold."""

    place: int
    column: str
    id: str
    parameter: str
    unit: str
    statistic: str


class Times(NamedTuple):
    """Milliseconds per row, whether the row has a time and a station, and whether its clock time has no zone."""

    values: np.ndarray[Any, Any]
    good: np.ndarray[Any, Any]
    naive: np.ndarray[Any, Any]


class Values(NamedTuple):
    """Distinct texts of a value column: what each is, its number, and why it was refused."""

    kinds: np.ndarray[Any, Any]
    numbers: np.ndarray[Any, Any]
    reasons: np.ndarray[Any, Any]


def values(source: Source, cells: Cells, series: Series, times: Times) -> tuple[dict[str, Any], list[Reject]]:
    """Columns of one series; a cell with neither value nor code carries nothing and is passed over."""
    texts, codes = cells.coded(series.place).stripped(), cells.coded(series.place + 1)
    read, flags = _values(texts.texts, series.parameter), _flags(codes.texts)
    kinds, refused = read.kinds[texts.codes], (read.reasons != "")[texts.codes]
    value_text, flag_text = texts.objects(), flags[codes.codes]
    for odd in np.flatnonzero((kinds == _WORD) | (kinds == _SENTINEL)).tolist():
        flag_text[odd] = _with_word(codes.at(odd), value_text[odd])
        value_text[odd] = ""
    columns = {
        "station": cells.coded("site_no").objects(),
        "time_ms": times.values,
        "naive": times.naive,
        "value": read.numbers[texts.codes],
        "value_text": value_text,
        "flags": flag_text,
        "row": cells.rows,
    }
    rejects = [
        source.reject(int(cells.rows[at]), series.column, value_text[at], read.reasons[texts.codes[at]])
        for at in np.flatnonzero(refused & times.good).tolist()
    ]
    nothing = (kinds == _BLANK) & (flags == "")[codes.codes]
    keep = times.good & ~refused & ~nothing
    return columns if keep.all() else {name: column[keep] for name, column in columns.items()}, rejects


def values_frame(series: Series, parts: Sequence[dict[str, Any]], clock: str) -> pd.DataFrame:
    """Tidy rows of one series out of its columns, block after block, on one clock where every row has its zone."""
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    naive = columns.pop("naive")
    clocks = np.where(naive, "naive", clock) if naive.any() else clock
    said = {"parameter": series.parameter, "statistic": series.statistic, "series": series.id, "unit": series.unit}
    return tidy({**columns, **said, "clock": clocks})


def _flags(codes: Sequence[str]) -> np.ndarray[Any, Any]:
    texts = np.empty(len(codes), dtype=object)
    texts[:] = [code_flags(code).text() for code in codes]
    return texts


def _values(texts: Sequence[str], parameter: str) -> Values:
    kinds = np.full(len(texts), _NUMBER, dtype=np.int8)
    numbers = np.full(len(texts), np.nan)
    reasons = np.full(len(texts), "", dtype=object)
    for place, text in enumerate(texts):
        try:
            kinds[place], numbers[place] = _value(text, parameter)
        except BadCell as bad:
            reasons[place] = bad.reason
    return Values(kinds, numbers, reasons)


def _value(text: str, parameter: str) -> tuple[int, float]:
    if not text:
        return _BLANK, np.nan
    if text.casefold() in WORDS:
        return _WORD, np.nan
    value = number(text)
    return (_SENTINEL, np.nan) if is_sentinel(value, parameter) else (_NUMBER, value)


@lru_cache(maxsize=4096)
def _with_word(code: str, word: str) -> str:
    flags = code_flags(code)
    return Flags(flags.approval, (*flags.qualifiers, word)).text()
