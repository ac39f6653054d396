"""One pair of RDB data columns (value, code) as tidy rows: words, sentinels and blanks keep their meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from ingest.cells import BadCell, Column, code_flags, number, read_column
from ingest.reading import Source
from models.observation import Flags, Reject, tidy

SENTINEL = -999_999.0
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


@dataclass(frozen=True)
class Cells:
    """Rows of one table as one flat list of cells, row after row."""

    header: tuple[str, ...]
    flat: list[str]
    rows: np.ndarray[Any, Any]

    def at(self, place: int) -> list[str]:
        return self.flat[place :: len(self.header)]

    def column(self, name: str) -> list[str]:
        return self.at(self.header.index(name))


def values_frame(
    source: Source, cells: Cells, place: int, series: Series, times: Column, clock: str
) -> tuple[pd.DataFrame, list[Reject]]:
    """Tidy rows of one series; a cell with neither value nor code carries nothing and is passed over.

    Parameters
    ----------
    place : column of the values; the codes stand in the next one.
    times : milliseconds per row; rows with a reason were refused already.
    """
    texts, codes = [text.strip() for text in cells.at(place)], cells.at(place + 1)
    values, kinds = read_column(texts, _value, np.float64, np.nan), _kinds(texts)
    flags = read_column(codes, lambda code: code_flags(code).text(), object, "").values
    blank_code = flags == ""
    keep = ~times.bad & ~values.bad & ~((kinds == _BLANK) & blank_code)
    value_text = np.asarray(texts, dtype=object)
    for odd in np.flatnonzero((kinds == _WORD) | (kinds == _SENTINEL)):
        flags[odd] = _with_word(codes[odd], texts[odd])
        value_text[odd] = ""
    rejects = _rejects(source, cells, series.column, texts, values, times)
    return _frame(cells, keep, series, times, clock, values, value_text, flags), rejects


def _frame(
    cells: Cells,
    keep: np.ndarray[Any, Any],
    series: Series,
    times: Column,
    clock: str,
    values: Column,
    value_text: np.ndarray[Any, Any],
    flags: np.ndarray[Any, Any],
) -> pd.DataFrame:
    return tidy(
        {
            "station": np.asarray(cells.column("site_no"), dtype=object)[keep],
            "parameter": series.parameter,
            "statistic": series.statistic,
            "series": series.id,
            "time_ms": times.values[keep],
            "clock": clock,
            "value": values.values[keep],
            "value_text": value_text[keep],
            "unit": series.unit,
            "flags": flags[keep],
            "row": cells.rows[keep],
        }
    )


def _rejects(
    source: Source, cells: Cells, column: str, texts: Sequence[str], values: Column, times: Column
) -> list[Reject]:
    return [
        source.reject(int(cells.rows[place]), column, texts[place], values.reasons[place])
        for place in values.bad_places(~times.bad)
    ]


def _value(text: str) -> float:
    if _kind(text) in {_BLANK, _WORD}:
        return np.nan
    value = number(text)
    return np.nan if value == SENTINEL else value


def _kinds(texts: Sequence[str]) -> np.ndarray[Any, Any]:
    return read_column(texts, _kind, np.int8, _NUMBER).values


def _kind(text: str) -> int:
    if not text:
        return _BLANK
    if text.casefold() in WORDS:
        return _WORD
    return _SENTINEL if _is_sentinel(text) else _NUMBER


def _is_sentinel(text: str) -> bool:
    try:
        return number(text) == SENTINEL
    except BadCell:
        return False


@lru_cache(maxsize=4096)
def _with_word(code: str, word: str) -> str:
    flags = code_flags(code)
    return Flags(flags.approval, (*flags.qualifiers, word)).text()
