"""One reading as the machine contract of ``headwater read``: what is in the file, series by series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from ingest.reading import Reading
from models.observation import PERIODS, Flags

CENSORED = {"<", "ND"}
"""Qualifiers that say a value lies below a limit: known to be small, not missing."""

DATUMS = {"water_elevation_navd88": "NAVD88", "water_elevation_ngvd29": "NGVD29"}

_KEY = ["station", "parameter", "statistic", "series", "unit", "clock"]
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - printed with the suffix its clock calls for


def summarise(reading: Reading) -> dict[str, Any]:
    """The per-file JSON: unknown is None, never NaN."""
    groups = reading.observations.groupby(_KEY, sort=False)
    return {
        "format": reading.format,
        "sha256": reading.sha256,
        "file": reading.file,
        "timezone": reading.timezone,
        "datum": reading.datum,
        "facts": dict(reading.facts),
        "series": [_series(reading, key, rows) for key, rows in groups],
        "overlaps": [overlap_text(one) for one in overlaps(_spans(reading.observations))],
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
    """Every pair of sensors whose records run side by side, at least one of them new.

    Parameters
    ----------
    spans : one row for each series: ``station parameter statistic clock series first_ms last_ms new``.
    """
    found = []
    for (station, parameter, statistic, clock), group in spans.groupby(
        ["station", "parameter", "statistic", "clock"], sort=False
    ):
        ordered = group.sort_values("series").to_dict("records")
        for one, other in combinations(ordered, 2):
            first, last = max(one["first_ms"], other["first_ms"]), min(one["last_ms"], other["last_ms"])
            if first <= last and (one["new"] or other["new"]):
                names, days = (
                    (one["series"], other["series"]),
                    (time_text(int(ms), str(clock))[:10] for ms in (first, last)),
                )
                found.append(Overlap(str(station), str(parameter), str(statistic), names, *days))
    return found


def overlap_text(one: Overlap) -> str:
    """One line for a person."""
    names = " and ".join(name or "(unnamed)" for name in one.series)
    what = " ".join((one.station, one.parameter, one.statistic)).strip()
    return f"{what}: series {names} both cover {one.first} to {one.last}; both are kept, and none is chosen"


def _spans(rows: pd.DataFrame) -> pd.DataFrame:
    names = ["station", "parameter", "statistic", "clock", "series"]
    times = rows.groupby(names, sort=False)["time_ms"].agg(["min", "max"]).reset_index()
    return times.rename(columns={"min": "first_ms", "max": "last_ms"}).assign(new=True)


def time_text(time_ms: int, clock: str) -> str:
    """``YYYY-MM-DD`` for a day or month, ``…Z`` for an instant, no suffix where the zone is unknown."""
    moment = _EPOCH + timedelta(milliseconds=time_ms)
    if clock in PERIODS:
        return moment.date().isoformat()
    text = moment.isoformat(timespec="milliseconds" if time_ms % 1000 else "seconds")
    return f"{text}Z" if clock == "utc" else text


def _series(reading: Reading, key: Any, rows: pd.DataFrame) -> dict[str, Any]:
    station, parameter, statistic, series, unit, clock = key
    ordered = rows.sort_values("time_ms", kind="stable")
    values = ordered["value"].to_numpy(dtype=float)
    numbers = values[~np.isnan(values)]
    qualifiers, censored = _qualifiers(ordered)
    return {
        "station": station,
        "parameter": parameter,
        "statistic": statistic,
        "series": series,
        "unit": unit,
        "timezone": (reading.timezone or "UTC") if clock == "utc" else None,
        "datum": DATUMS.get(parameter, reading.datum),
        "n": len(ordered),
        "n_missing": len(values) - len(numbers) - censored,
        "n_censored": censored,
        "first": _value(ordered.iloc[0]),
        "last": _value(ordered.iloc[-1]),
        "min": float(numbers.min()) if len(numbers) else None,
        "max": float(numbers.max()) if len(numbers) else None,
        "qualifiers": qualifiers,
    }


def _table(name: str, rows: pd.DataFrame) -> dict[str, Any]:
    """What is in one table that holds no observations: its columns, first and last row, as the file writes them."""
    records = rows.to_dict("records")
    ends = {"first": records[0] if records else None, "last": records[-1] if records else None}
    return {"table": name, "columns": [str(column) for column in rows.columns], "n": len(rows)} | ends


def _qualifiers(rows: pd.DataFrame) -> tuple[dict[str, int], int]:
    """How often each approval-with-qualifiers stands, and how many values lie below a limit."""
    counts: Counter[str] = Counter()
    censored = 0
    missing = rows["value"].isna()
    for text, n in rows["flags"].value_counts().items():
        counts[_code(Flags.parse(str(text)))] += int(n)
    for text, n in rows["flags"][missing].value_counts().items():
        censored += int(n) if CENSORED & set(Flags.parse(str(text)).qualifiers) else 0
    return {code: counts[code] for code in sorted(counts) if code}, censored


def _code(flags: Flags) -> str:
    return Flags(flags.approval, flags.qualifiers).text().removeprefix(":")


def _value(row: pd.Series[Any]) -> dict[str, Any]:
    value = float(row["value"])
    return {
        "time": time_text(int(row["time_ms"]), str(row["clock"])),
        "value": None if np.isnan(value) else value,
        "value_text": str(row["value_text"]),
        "qualifiers": _code(Flags.parse(str(row["flags"]))),
    }
