"""Which rows of a delivery are new versions of what is stored: whole columns at once, nothing but their comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import pandas as pd

from pipelines.database import storable

KEY = ["series_id", "time_ms"]
TEXTS = ["value_text", "flags"]


def numbered(frame: pd.DataFrame, names: Sequence[str]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A number for each distinct combination of the named columns: of every row, and the first row of each.

    A column that says the same throughout, as most do, is not looked at twice.
    """
    numbers = np.zeros(len(frame), dtype=np.int64)
    for name in names:
        cells = frame[name].to_numpy(dtype=object)
        if not (cells == cells[0]).all():
            codes, distinct = pd.factorize(cells)
            numbers = pd.factorize(numbers * (len(distinct) + 1) + codes)[0]
    first = np.empty(int(numbers.max()) + 1, dtype=np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return numbers, first


def in_key_order(frame: pd.DataFrame, ids: np.ndarray[Any, Any]) -> pd.DataFrame:
    """Rows by series id and time, rows of one instant as they came: ``KEY TEXTS value row``."""
    time = frame["time_ms"].to_numpy(dtype=np.int64)
    columns = {
        "series_id": ids,
        "time_ms": time,
        **{name: _storable(frame[name]) for name in TEXTS},
        "value": frame["value"].to_numpy(dtype=np.float64),
        "row": frame["row"].to_numpy(dtype=np.int64),
    }
    if not _in_order(ids, time):
        order = np.lexsort((time, ids))
        columns = {name: cells[order] for name, cells in columns.items()}
    return pd.DataFrame(columns, copy=False).astype(dict.fromkeys(TEXTS, "str"))


def latest(versions: pd.DataFrame) -> pd.DataFrame:
    """The version of each key that was known last."""
    order = np.lexsort([versions[name].to_numpy() for name in ("known_at", "time_ms", "series_id")])
    return versions.iloc[order].drop_duplicates(KEY, keep="last")


def spans(rows: pd.DataFrame) -> dict[int, tuple[int, int]]:
    """First and last instant [ms] by series id."""
    found = rows.groupby("series_id")["time_ms"].agg(["min", "max"])
    return {int(one): (int(first), int(last)) for one, first, last in found.itertuples(name=None)}


def compare(rows: pd.DataFrame, current: pd.DataFrame, known_at: int) -> pd.DataFrame:
    """Mark each row of a delivery in key order: is it ``new``, when is it ``known_at``, is it a ``conflict``.

    A provisional row never replaces an approved one, and is ``withheld`` where it says something else.
    ``starts`` marks the first row of each key, ``stored`` the keys that have a version already.
    """
    if current.empty and not rows.duplicated(KEY).any():
        return rows.assign(starts=True, stored=False, new=True, conflict=False, withheld=False, known_at=known_at)
    rows = rows.merge(current, on=KEY, how="left", suffixes=("", "_stored"))
    starts = ~rows.duplicated(KEY)
    group = starts.cumsum()
    like_stored = (rows[TEXTS] == rows[["value_text_stored", "flags_stored"]].set_axis(TEXTS, axis=1)).all(axis=1)
    conflict = ~starts & (rows[TEXTS] != rows[TEXTS].shift()).any(axis=1)
    settled = like_stored.groupby(group).transform("last")
    older = rows["flags_stored"].fillna("").str.startswith("A") & rows["flags"].str.startswith("P")
    new = ~settled & ~older & ((starts & ~like_stored) | conflict)
    withheld = older & (rows["value_text"] != rows["value_text_stored"])
    earliest = (rows["known_at"] + 1).fillna(known_at).clip(lower=known_at).astype("int64")
    known = earliest + new.astype("int64").groupby(group).cumsum() - 1
    stored = rows["known_at"].notna()
    return rows.assign(starts=starts, stored=stored, new=new, conflict=conflict, withheld=withheld, known_at=known)


def stored_rows(rows: pd.DataFrame, source_id: int) -> Iterator[tuple[object, ...]]:
    """Rows of the table ``observation``, in its column order."""
    columns = [rows[name].tolist() for name in (*KEY, "known_at")]
    texts = [rows[name].tolist() for name in TEXTS]
    return zip(*columns, _nullable(rows["value"]), *texts, repeat(source_id), rows["row"].tolist(), strict=False)


def _nullable(values: pd.Series[float]) -> list[float | None]:
    numbers: list[float] = values.tolist()
    return [None if one != one else one for one in numbers] if values.isna().any() else [*numbers]


def _in_order(ids: np.ndarray[Any, Any], time: np.ndarray[Any, Any]) -> bool:
    step = np.diff(ids)
    return bool(((step > 0) | ((step == 0) & (np.diff(time) >= 0))).all())


def _storable(texts: pd.Series[str]) -> np.ndarray[Any, Any]:
    """One look at all of them, because hardly ever is one of them bad. A missing text is a blank one."""
    cells = texts.fillna("").to_numpy(dtype=object) if texts.isna().any() else texts.to_numpy(dtype=object)
    joined = "".join(cells.tolist())
    if storable(joined) == joined:
        return cells
    return np.array([storable(one) for one in cells], dtype=object)
