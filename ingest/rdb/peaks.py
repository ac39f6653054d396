"""USGS annual peaks (``nwis-rdb-peaks``): the highest discharge of each water year, its stage, and the highest stage.

A peak stands for the period that its date names: ``2013-04-00`` a month, ``2013-00-00`` a year. ``gage_ht`` is the
stage of the peak discharge; where ``ag_gage_ht`` or the code 2 says that it was not the highest of the year, it is an
``instant`` and no ``max``. Clock times carry no zone. Source: USGS, "Peak streamflow, RDB format".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from ingest.cells import BadCell, plain
from ingest.rdb.table import bodies, file_facts, headers, require_columns, site_number, table
from ingest.reading import Parts, Source, stacked
from ingest.table import Observation, Row, in_order, take_rows
from ingest.times import civil_day, clock_time
from models.observation import Flags, Reject

NOT_THE_HIGHEST = "2"
"""``gage_ht_cd``: gage height not the maximum for the year."""

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


@dataclass(frozen=True)
class Peak:
    """Columns of one kind of peak, and what it is."""

    value: str
    codes: str
    day: str
    time: str
    parameter: str
    unit: str
    series: str


PEAKS = (
    Peak("peak_va", "peak_cd", "peak_dt", "peak_tm", "discharge", "cfs", "peak"),
    Peak("gage_ht", "gage_ht_cd", "peak_dt", "peak_tm", "stage", "ft", "peak"),
    Peak("ag_gage_ht", "ag_gage_ht_cd", "ag_dt", "ag_tm", "stage", "ft", "annual"),
)


def sniff(head: str) -> bool:
    """A table of ``peak_dt`` and ``peak_va``."""
    return any({"peak_dt", "peak_va"} <= names for names in headers(head))


def parse(source: Source) -> Parts:
    """Peak discharge and stage, each with its own codes."""
    frames: list[pd.DataFrame] = []
    rejects: list[Reject] = []
    for body in bodies(source):
        require_columns(source, body, "site_no", "peak_dt", "peak_va")
        parts = take_rows(source, table(source, body, "peak_va"), *map(_taker, PEAKS))
        frames.append(parts.observations)
        rejects += parts.rejects
    return Parts(stacked(frames), in_order(rejects), file_facts(source))


def _taker(peak: Peak) -> Callable[[Row], Observation | None]:
    def take(row: Row) -> Observation | None:
        if not row.text(peak.value):
            return None
        station = row.read("site_no", site_number)
        time, clock = _time(row, peak)
        found = row.read(peak.value, lambda text: plain(text, peak.parameter))
        return (
            station, peak.parameter, _statistic(row, peak), peak.series, time, clock, found.value, found.text,
            peak.unit, _flags(row, peak).with_words(found.qualifiers).text(), row.number,
        )  # fmt: skip

    return take


def _statistic(row: Row, peak: Peak) -> str:
    if peak.value != "gage_ht":
        return "max"
    lower = bool(row.text("ag_gage_ht")) or NOT_THE_HIGHEST in _codes(row.text("gage_ht_cd"))
    return "instant" if lower else "max"


def _time(row: Row, peak: Peak) -> tuple[int, str]:
    """The peak's own date, and the wall clock where one is given."""
    start, clock = row.read(peak.day, _partial_date)
    if clock != "day" or not row.text(peak.time):
        return start, clock
    return start + row.read(peak.time, clock_time), "naive"


def _partial_date(text: str) -> tuple[int, str]:
    """``YYYY-MM-DD`` whose day, or month and day, may be 00: its first day [ms] and the period."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise BadCell("not a date written YYYY-MM-DD")
    year, month, day = (int(part) for part in match.groups())
    if not month and day:
        raise BadCell("a day of no month")
    clock = "day" if day else "month" if month else "year"
    return civil_day(year, month or 1, day or 1), clock


def _codes(text: str) -> tuple[str, ...]:
    return tuple(code.strip() for code in text.split(",") if code.strip())


def _flags(row: Row, peak: Peak) -> Flags:
    return Flags("", _codes(row.text(peak.codes)), {"year_last_pk": row.text("year_last_pk")})
