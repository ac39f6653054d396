"""One reading as the machine contract of ``headwater read``: what is in the file, series by series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import chain, islice
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from ingest.cells import counted
from ingest.reading import Reading
from models.level_status import STATUS
from models.observation import PERIODS, Flags

Rows = Mapping[str, np.ndarray[Any, Any]]
"""Columns of rows by series and time."""

CENSORED = {"<", "ND"}
"""Qualifiers that say a value lies below a limit: known to be small, not missing."""

DATUMS = {"water_elevation_navd88": "NAVD88", "water_elevation_ngvd29": "NGVD29", "water_elevation_nap": "NAP"}

LOGGED = {"logger_level", "logger_pressure", "barometric_pressure"}
"""Readings of a logger, of which a site declares the serial."""

SAMPLE = ";sample="
"""Start of the fact in ``Flags`` that names a laboratory's sample."""

MOST_OVERLAPS = 100
"""Pairs grow with the square of the number of series."""

_KEY = ["station", "parameter", "statistic", "series", "unit", "clock"]
_BESIDE = ["station", "parameter", "statistic", "clock"]
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - printed with the suffix its clock calls for


def summarise(reading: Reading) -> dict[str, Any]:
    """The per-file JSON: unknown is None, never NaN."""
    return {
        "format": reading.format,
        "sha256": reading.sha256,
        "file": reading.file,
        "timezone": reading.timezone,
        "datum": reading.datum,
        "facts": dict(reading.facts),
        "series": _all_series(reading),
        "overlaps": overlap_lines(_spans(reading.observations)),
        "tables": [_table(name, rows) for name, rows in reading.tables.items()],
        "rejects": [dict(vars(reject)) for reject in reading.rejects],
    }


def as_rows(reading: Reading) -> Iterator[dict[str, Any]]:
    """Every tidy row as one JSON object, its time as text; then the rows of tables, each naming its own."""
    for row in reading.observations.to_dict("records"):
        time_ms, value = int(row.pop("time_ms")), float(row["value"])
        clock = str(row["clock"])
        yield {str(name): cell for name, cell in row.items()} | {
            "time": time_text(time_ms, clock),
            "value": None if np.isnan(value) else value,
        }
    for name, rows in reading.tables.items():
        for row in rows.to_dict("records"):
            yield {"table": name} | {str(column): cell for column, cell in row.items()}


@dataclass(frozen=True)
class Overlap:
    """Two series of one station and parameter that cover the same time: both are kept, and neither is the other."""

    station: str
    parameter: str
    statistic: str
    series: tuple[str, str]
    first: str
    last: str


def overlaps(spans: pd.DataFrame) -> list[Overlap]:
    """Pairs of sensors whose records run side by side, one of them new; ``MOST_OVERLAPS`` and one more at most.

    Parameters
    ----------
    spans : one row for each series: ``station parameter statistic clock series first_ms last_ms new``.
    """
    groups: dict[Any, list[dict[Any, Any]]] = {}
    for span in spans.to_dict("records"):
        groups.setdefault(tuple(span[name] for name in _BESIDE), []).append(span)
    pairs = chain.from_iterable(map(_side_by_side, groups.values()))
    found = [_overlap(one, other) for one, other in islice(pairs, MOST_OVERLAPS + 1)]
    return sorted(found, key=lambda one: (one.station, one.parameter, one.statistic, one.series))


def _side_by_side(group: list[dict[Any, Any]]) -> Iterator[tuple[dict[Any, Any], dict[Any, Any]]]:
    """In order of their first instants, each with those before it that have not ended."""
    running: list[dict[Any, Any]] = []
    for one in sorted(group, key=lambda span: (span["first_ms"], span["series"])):
        running = [other for other in running if other["last_ms"] >= one["first_ms"]]
        yield from ((other, one) for other in running if one["new"] or other["new"])
        running.append(one)


def _overlap(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> Overlap:
    first, last = max(one["first_ms"], other["first_ms"]), min(one["last_ms"], other["last_ms"])
    names = sorted((str(one["series"]), str(other["series"])))
    station, parameter, statistic, clock = (str(one[name]) for name in _BESIDE)
    days = (time_text(int(ms), clock)[:10] for ms in (first, last))
    return Overlap(station, parameter, statistic, (names[0], names[1]), *days)


def overlap_lines(spans: pd.DataFrame, most: int = MOST_OVERLAPS) -> list[str]:
    """One line for each pair, ``most`` at most; what is left off is said."""
    found = overlaps(spans)
    lines, more = [overlap_text(one) for one in found[:most]], len(found) - most
    if len(found) > MOST_OVERLAPS:
        return [*lines, f"more than these {MOST_OVERLAPS} pairs of series cover the same time"]
    return [*lines, f"and {counted(more, 'more pair')} of series cover the same time"] if more > 0 else lines


def sensed(flags: pd.Series[str]) -> pd.Series[bool]:
    """Values of a sensor or a person at the place: a laboratory's, of a sample, are each a series of their own."""
    return ~flags.str.contains(SAMPLE, regex=False)


def overlap_text(one: Overlap) -> str:
    """One line for a person."""
    names = " and ".join(name or "(unnamed)" for name in one.series)
    what = " ".join((one.station, one.parameter, one.statistic)).strip()
    chosen = "site.toml says which speaks" if one.parameter in LOGGED else "none is chosen"
    return f"{what}: series {names} both cover {one.first} to {one.last}; both are kept, and {chosen}"


def _spans(rows: pd.DataFrame) -> pd.DataFrame:
    names = ["station", "parameter", "statistic", "clock", "series"]
    times = rows[sensed(rows["flags"])].groupby(names, sort=False)["time_ms"].agg(["min", "max"]).reset_index()
    return times.rename(columns={"min": "first_ms", "max": "last_ms"}).assign(new=True)


@lru_cache(maxsize=4096)
def time_text(time_ms: int, clock: str) -> str:
    """``YYYY-MM-DD`` for a day or month, ``…Z`` for an instant, no suffix where the zone is unknown."""
    moment = _EPOCH + timedelta(milliseconds=time_ms)
    if clock in PERIODS:
        return moment.date().isoformat()
    text = moment.isoformat(timespec="milliseconds" if time_ms % 1000 else "seconds")
    return f"{text}Z" if clock == "utc" else text


def _all_series(reading: Reading) -> list[dict[str, Any]]:
    """Series in the order in which the file begins them; whole columns at once, for each row may be a series."""
    rows = reading.observations
    numbers = rows.groupby(_KEY, sort=False).ngroup().to_numpy()
    order = np.lexsort((rows["time_ms"].to_numpy(), numbers))
    starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    if not len(starts):
        return []
    columns = {str(name): rows[name].to_numpy()[order] for name in rows.columns}
    places, flags = pd.factorize(columns["flags"])
    columns["code"] = np.array([_code(text) for text in flags], dtype=object)[places]
    columns["censored"] = np.array([bool(CENSORED & set(_head(text).qualifiers)) for text in flags])[places]
    n = np.diff(starts, append=len(numbers))
    named = zip(*(columns[name][starts].tolist() for name in _KEY), strict=True)
    ends = zip(_values(columns, starts), _values(columns, starts + n - 1), strict=True)
    codes = (_qualifiers(columns["code"][start : start + many]) for start, many in zip(starts, n, strict=True))
    counts = zip(n.tolist(), *_counts(columns, starts), strict=True)
    return [_series(reading, *one) for one in zip(named, counts, ends, codes, strict=True)]


def _counts(rows: Rows, starts: np.ndarray[Any, Any]) -> Iterator[list[Any]]:
    """Of each series how many values below a limit and numbers there are, the least number and the greatest."""
    missing = np.isnan(rows["value"])
    for each in (missing & rows["censored"], ~missing):
        yield np.add.reduceat(each, starts, dtype=np.int64).tolist()
    for end in (np.fmin, np.fmax):
        yield end.reduceat(rows["value"], starts).tolist()


def _series(
    reading: Reading, named: Sequence[str], counts: Sequence[Any], ends: Sequence[dict[str, Any]], codes: dict[str, int]
) -> dict[str, Any]:
    station, parameter, statistic, series, unit, clock = named
    n, censored, numbers, least, greatest = counts
    return {
        "station": station,
        "parameter": parameter,
        "statistic": statistic,
        "series": series,
        "unit": unit,
        "timezone": (reading.timezone or "UTC") if clock == "utc" else None,
        "datum": DATUMS.get(parameter, reading.datum),
        "n": n,
        "n_missing": n - numbers - censored,
        "n_censored": censored,
        "first": ends[0],
        "last": ends[1],
        "min": least if numbers else None,
        "max": greatest if numbers else None,
        "qualifiers": codes,
    }


def _table(name: str, rows: pd.DataFrame) -> dict[str, Any]:
    """What is in one table that holds no observations: its columns, first and last row, as the file writes them."""
    first, last = rows.iloc[[0, -1]].to_dict("records") if len(rows) else (None, None)
    return {"table": name, "columns": [str(column) for column in rows.columns], "n": len(rows)} | {
        "first": first, "last": last,
    }  # fmt: skip


def _qualifiers(codes: np.ndarray[Any, Any]) -> dict[str, int]:
    """How often each approval-with-qualifiers stands."""
    if len(codes) == 1:
        return {codes[0]: 1} if codes[0] else {}
    counts = Counter(codes.tolist())
    return {code: counts[code] for code in sorted(counts) if code}


def _head(text: str) -> Flags:
    """Approval and qualifiers of a text of flags, whose facts may be of one row alone."""
    return Flags.parse(text.partition(";")[0])


def _code(text: str) -> str:
    """Approval and qualifiers; a level's status code is named as one, since a bare ``P`` would read as provisional."""
    if f";{STATUS}=" not in text:
        return _plain_code(text.partition(";")[0])
    status = Flags.parse(text).facts.get(STATUS)
    head = _head(text)
    words = (*head.qualifiers, *([f"{STATUS} {status}"] if status else []))
    return Flags(head.approval, words).text().removeprefix(":")


@lru_cache(maxsize=4096)
def _plain_code(head: str) -> str:
    flags = Flags.parse(head)
    return Flags(flags.approval, flags.qualifiers).text().removeprefix(":")


def _values(rows: Rows, places: np.ndarray[Any, Any]) -> Iterator[dict[str, Any]]:
    """What the rows at some places say."""
    columns = (rows[name][places].tolist() for name in ("time_ms", "clock", "value", "value_text", "code"))
    for time_ms, clock, value, text, code in zip(*columns, strict=True):
        number = None if isnan(value) else value
        yield {"time": time_text(time_ms, clock), "value": number, "value_text": text, "qualifiers": code}
