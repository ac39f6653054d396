"""Wall clocks to UTC, a whole table at once.

When the clock goes back, an hour is read twice. A logger that wrote both passes in order says itself which is
which; a single reading in that hour could be either, and is refused rather than guessed.
"""

from __future__ import annotations

from datetime import timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from ingest.summary import time_text
from ingest.times import HOUR_MS, zone_info
from models.errors import BadSite
from models.observation import DAY_MS, PERIODS, Reject

_SERIES = ["station", "parameter", "statistic", "series"]
_UNKNOWN = np.iinfo(np.int64).min

TWICE = "the clock reading happened twice"
SKIPPED = "the clock skipped this reading"


def instants(
    rows: pd.DataFrame, clocks: dict[str, str], zone: ZoneInfo, file: str
) -> tuple[pd.DataFrame, list[Reject]]:
    """Tidy rows with UTC milliseconds; what was naive becomes ``utc``, a period keeps its clock and gets its midnight.

    Parameters
    ----------
    clocks : station id -> zone its logger keeps (``UTC-06:00`` or an IANA name); others keep ``zone``.

    Raises
    ------
    BadSite : a station's clock is no zone.
    """
    reasons = np.full(len(rows), "", dtype=object)
    times = rows["time_ms"].to_numpy(dtype=np.int64, copy=True)
    clock = rows["clock"].to_numpy(dtype=object)
    stations = rows["station"].to_numpy(dtype=object)
    period, naive = np.isin(clock, PERIODS), clock == "naive"
    times[period] = midnights(times[period], zone)
    for station in dict.fromkeys(stations[naive]):
        here = np.flatnonzero(naive & (stations == station))
        times[here], reasons[here] = _unfolded(rows.iloc[here], _zone(clocks.get(station), zone))
    good = reasons == ""
    rejects = [_reject(file, row, reasons[place]) for place, row in _bad_rows(rows, good)]
    moved = rows.assign(time_ms=times, clock=np.where(naive, "utc", clock))
    return moved[good], rejects


def midnights(days_ms: np.ndarray[Any, Any], zone: ZoneInfo) -> np.ndarray[Any, Any]:
    """UTC milliseconds at which civil days begin in a zone."""
    early, _ = _passes(days_ms, zone)
    return early


def _bad_rows(rows: pd.DataFrame, good: np.ndarray[Any, Any]) -> list[tuple[int, dict[Any, Any]]]:
    places = np.flatnonzero(~good)
    return list(zip(places.tolist(), rows.iloc[places].to_dict("records"), strict=True))


def _reject(file: str, row: dict[Any, Any], reason: str) -> Reject:
    return Reject(file, int(row["row"]), "time", time_text(int(row["time_ms"]), "naive"), reason)


def _zone(clock: str | None, default: ZoneInfo) -> tzinfo:
    if clock is None:
        return default
    try:
        return _fixed(clock) if clock[3:4] in {"+", "-"} else zone_info(clock)
    except ValueError:
        raise BadSite("unknown clock; an offset like UTC-06:00 or an IANA zone", key="clock", found=clock) from None


def _fixed(clock: str) -> tzinfo:
    east = timedelta(hours=int(clock[4:6]), minutes=int(clock[7:9]))
    return timezone(-east if clock[3] == "-" else east)


def _unfolded(rows: pd.DataFrame, zone: tzinfo) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    wall = rows["time_ms"].to_numpy(dtype=np.int64)
    early, late = _passes(wall, zone)
    reasons = np.full(len(wall), "", dtype=object)
    reasons[(early == _UNKNOWN) | (late == _UNKNOWN) | (early > late)] = SKIPPED
    times = early.copy()
    doubtful = np.flatnonzero((reasons == "") & (early < late))
    groups = rows.iloc[doubtful].assign(day=wall[doubtful] // DAY_MS).groupby([*_SERIES, "day"], sort=False)
    for places in groups.indices.values():
        here = doubtful[places]
        same = _same_series(rows, here[0])
        forward = _runs_forward(wall[same], wall[same & (early == late)])
        second = _second_pass(wall[here], wall[same]) & forward
        times[here] = np.where(second, late[here], early[here])
        reasons[here] = "" if second.any() else TWICE
    return times, reasons


def _second_pass(wall: np.ndarray[Any, Any], series: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Readings of one repeated hour in file order: the one step back in it parts the first pass from the second.

    A time twice is a step back only where the ``series`` steps by hours; else it may be one reading written twice.
    """
    step, onward = np.diff(wall), np.diff(series)
    hourly = bool((onward > 0).any() and np.median(onward[onward > 0]) >= HOUR_MS)
    back = np.flatnonzero((step < 0) | ((step == 0) & hourly))
    second = np.zeros(len(wall), dtype=bool)
    if len(back) == 1:
        second[back[0] + 1 :] = True
    return second


def _same_series(rows: pd.DataFrame, place: int) -> np.ndarray[Any, Any]:
    names = rows[_SERIES].to_numpy(dtype=object)
    return np.asarray((names == names[place]).all(axis=1), dtype=bool)


def _runs_forward(series: np.ndarray[Any, Any], certain: np.ndarray[Any, Any]) -> bool:
    """A file runs from early to late: one written newest first has its second pass on top."""
    return bool((np.diff(certain) >= 0).all() and (np.diff(series) > 0).any())


def _passes(wall: np.ndarray[Any, Any], zone: tzinfo) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Both UTC readings of a wall clock [ms]: under summer time and after it; equal where there is only one."""
    index = pd.DatetimeIndex(wall.astype("datetime64[ms]"))
    return _localized(index, zone, True), _localized(index, zone, False)


def _localized(index: pd.DatetimeIndex, zone: tzinfo, summer: bool) -> np.ndarray[Any, Any]:
    aware = index.tz_localize(zone, ambiguous=np.full(len(index), summer), nonexistent="NaT")
    utc = aware.tz_convert("UTC").tz_localize(None).to_numpy()
    return np.asarray(utc.astype("datetime64[ms]").astype(np.int64), dtype=np.int64)
