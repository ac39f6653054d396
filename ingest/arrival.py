"""A reading placed at a site: whose station, which instant, in the unit it is kept in, and once only."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ingest.canonical import converted, said_in_mass
from ingest.cells import clipped, counted
from ingest.datum import on_navd88
from ingest.local_time import instants
from ingest.reading import Reading, stacked
from ingest.summary import time_text
from ingest.table import in_order
from models.observation import TIDY, Flags, Reject, tidy
from models.parameters import find_parameter
from models.sample_types import DOUBTED, undoubted
from models.site import Barologger, Site, Station, Well
from models.units import CONCENTRATIONS, NOMINAL

COLUMNS = [
    "station", "parameter", "statistic", "series", "unit", "clock",
    "time_ms", "value", "value_text", "flags", "row",
]  # fmt: skip
"""Columns of ``Arrival.frame``. ``clock`` is utc, day or month; ``time_ms`` is UTC, of a period its local midnight."""

DUPLICATES, UNDATED = "field_duplicates", "undated"
"""Tables of a reading (``ingest.reading.Parts.tables``)."""

BOTH_KEPT = {"logger_level", "logger_pressure"}
"""Of a logger two readings of one instant are both stored, and the tests of a level flag both."""

BY_HAND = {
    "wdnr-grn", "wdnr-swims", "wdnr-ldes", "ezedd", "ccal", "two-remarks-csv", "wqp-narrow-csv", "usgs-samples-csv",
    "wqp-wqx3-csv", "lab-table", "equis-edd", "hand-levels", "dip-sheet", "tape-sheet", "owner-log", "totalizer",
    "mapped-table",
}  # fmt: skip
"""Formats of laboratories and field sheets: their times are read off a watch, which shows civil time."""

VALUES = "two different values for the same instant"
FLAGS = "the same value twice for one instant, with different qualifiers"

_AMOUNT = ["said", "numbered"]
_SAID = [*_AMOUNT, "beside"]
_KEY = ["station", "parameter", "statistic", "series", "clock", "time_ms"]


@dataclass(frozen=True)
class Arrival:
    """What a site takes of one reading.

    Parameters
    ----------
    rejects : the reading's own and those of placing it.
    rows, duplicates, rejected : rows read; exact repeats left out; rows left out for a reason in ``rejects``. What is
        in ``frame`` and the other two add up to the rows.
    """

    frame: pd.DataFrame
    rejects: tuple[Reject, ...]
    rows: int
    duplicates: int
    rejected: int


def place(reading: Reading, site: Site, zone: ZoneInfo) -> Arrival:
    """Rows at the site's own stations, in UTC and canonical units.

    Parameters
    ----------
    zone : the ordinance's civil zone: days are its days, and naive clocks are read in it where a station names none. A
        time of a sample or a field sheet is on ``Station.sample_clock``, else in the zone: never on a logger's clock.
    """
    known, strangers = _at_stations(reading.file, with_duplicates(reading), site)
    timed, untimed = _in_utc(known, site, reading, zone)
    kept, unmeasured = converted(timed, reading.file)
    level, repeated, undatumed = on_navd88(kept, _datum_offsets(site), reading.file)
    single, duplicates, disputed = once(level, reading.file)
    rejects = in_order((*reading.rejects, *strangers, *untimed, *unmeasured, *undatumed, *disputed))
    rows = len(with_duplicates(reading)) + sum(one.rows for one in reading.rejects)
    rejected = sum(one.rows for one in rejects)
    return Arrival(single[COLUMNS].reset_index(drop=True), rejects, rows, duplicates + repeated, rejected)


def _in_utc(known: pd.DataFrame, site: Site, reading: Reading, zone: ZoneInfo) -> tuple[pd.DataFrame, list[Reject]]:
    """Readings of loggers on their stations' clocks, what was sampled or read by hand on a watch."""
    hand = np.full(len(known), reading.format in BY_HAND)
    hand |= known["flags"].astype(str).str.contains(";sample=", regex=False).to_numpy(bool)
    loggers, watches = _clocks(site, reading)
    parts = [(known[here], clocks) for here, clocks in ((~hand, loggers), (hand, watches)) if here.any()]
    placed = [instants(rows, clocks, zone, reading.file) for rows, clocks in parts or [(known, loggers)]]
    frames = [frame for frame, _ in placed if len(frame)] or [placed[0][0]]
    return pd.concat(frames).sort_index(kind="stable"), [one for _, rejects in placed for one in rejects]


def _clocks(site: Site, reading: Reading) -> tuple[dict[str, str], dict[str, str]]:
    """Zone of each station's logger and of its samples; the one the file states goes before both."""
    stated = reading.timezone
    if stated and "/" in stated and stated in available_timezones():
        told = {one.id: stated for one in site.stations()}
        return told, told
    every = list(site.stations())
    loggers = {one.id: one.clock for one in every if one.clock}
    return loggers, {one.id: one.sample_clock for one in every if one.sample_clock}


def _datum_offsets(site: Site) -> dict[str, Decimal]:
    found = {one.id: one.ngvd29_to_navd88_ft for one in site.well}
    return {id: offset for id, offset in found.items() if offset is not None}


def field_duplicates(reading: Reading) -> pd.DataFrame:
    """Field duplicates as text, of a table whose results have a day of sampling; they are kept, and never judged."""
    found = reading.tables.get(DUPLICATES, pd.DataFrame())
    if UNDATED in reading.tables or not len(found):
        return pd.DataFrame()
    return found[[_of_a_laboratory(str(name)) for name in found["parameter"]]]


def _of_a_laboratory(name: str) -> bool:
    """A duplicate of a level or a flow read in the field is no second reading of it."""
    known = find_parameter("name", name)
    return known is not None and known.canonical_unit in {*NOMINAL, *CONCENTRATIONS}


def with_duplicates(reading: Reading) -> pd.DataFrame:
    """Results and field duplicates; a duplicate is a series of its own, even under its parent's sample number."""
    found = field_duplicates(reading)
    if not len(found):
        return reading.observations
    columns = {name: found[name].to_numpy() for name in TIDY}
    numbers = pd.to_numeric(found["value"], errors="coerce").to_numpy()  # blank where there is none
    own = tidy({**columns, "value": numbers, "series": (found["series"] + ":duplicate").to_numpy()})
    return stacked([reading.observations, own])


def _at_stations(file: str, given: pd.DataFrame, site: Site) -> tuple[pd.DataFrame, list[Reject]]:
    """Rows under the site's ids; one reject for each station or serial that is not the site's."""
    names, serials = _names(site), _serials(site)
    code = given.groupby(["station", "series"], sort=False).ngroup().to_numpy()
    pairs = given[["station", "series"]].drop_duplicates()
    written = zip(pairs["station"], pairs["series"], strict=True)
    found = [_resolved(str(station), str(series), names, serials) for station, series in written]
    known = np.array([station is not None for station, _ in found], bool)[code]
    ids = np.array([station or "" for station, _ in found], object)[code]
    rejects = list(_strangers(file, given[~known], code[~known], [reason for _, reason in found]))
    return _undoubted(given[known].assign(station=ids[known]), names), rejects


def _undoubted(rows: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """Without the doubt that a sample is quality control, where it is only called like the well it is from."""
    doubted = rows["flags"].str.contains(f";activity={DOUBTED}", regex=False).to_numpy(bool)
    if not doubted.any():
        return rows
    cells = zip(rows["station"][doubted], rows["flags"][doubted], strict=True)
    told = [_without_doubt(str(text), [name for name in names if names[name] == id]) for id, text in cells]
    flags = rows["flags"].to_numpy(object).copy()
    flags[doubted] = told
    return rows.assign(flags=pd.Series(flags, rows.index, dtype="str"))


def _without_doubt(text: str, own: list[str]) -> str:
    flags = Flags.parse(text)
    if not undoubted(flags.facts["activity"], own):
        return text
    return Flags(flags.approval, flags.qualifiers, {**flags.facts, "activity": ""}).text()


def _strangers(file: str, rows: pd.DataFrame, code: NDArray[np.int64], reasons: list[str]) -> Iterator[Reject]:
    """One reject for each station and reason, in the order of the file."""
    said = rows.assign(reason=[reasons[one] for one in code])
    for (station, reason), places in said.groupby(["station", "reason"], sort=False)["row"]:
        count = len(places)
        left = f"{reason}; {counted(count, 'row')} left out"
        yield Reject(file, int(places.min()), "station", clipped(str(station)), left, count)


def _resolved(station: str, series: str, names: dict[str, str], serials: dict[str, set[str]]) -> tuple[str | None, str]:
    """The station a file means, by the name it writes and by the logger it came from; a dispute is not settled here."""
    serial = series.rpartition(":")[0]
    named = names.get(station.strip().casefold())
    hung = serials.get(serial, set()) | serials.get(station.strip(), set())
    if named is None and len(hung) == 1:
        return next(iter(hung)), ""
    if named is not None and (not hung or named in hung):
        return named, ""
    if named is None and not hung and not station:
        return None, "the file names no station; say which with --station"
    if named is None and not hung:
        return None, f"unknown station; known: {', '.join(sorted(set(names.values())))}"
    said = f"the file names {named}" if named else "the file names no known station"
    return None, f"{said}, and its logger {serial or station} belongs to {', '.join(sorted(hung))}"


def _names(site: Site) -> dict[str, str]:
    return {name.casefold(): one.id for one in site.stations() for name in (one.id, *one.identifiers)}


def _serials(site: Site) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in site.stations():
        for serial in _serials_of(one):
            found.setdefault(serial, set()).add(one.id)
    return found


def _serials_of(station: Station) -> tuple[str, ...]:
    if isinstance(station, Barologger):
        return (station.serial,)
    return tuple(logger.serial for logger in station.logger) if isinstance(station, Well) else ()


def once(rows: pd.DataFrame, file: str) -> tuple[pd.DataFrame, int, list[Reject]]:
    """Exact repeats once; rows that dispute one instant not at all, since nothing says which is right.

    The same amount and limits in another unit are a repeat too. But for readings of a logger, whose tests flag both.

    Returns
    -------
    What is left, how many exact repeats are not, and a reject for each row that disputes another.
    """
    repeated = _repeated(rows)
    if not repeated.any():
        return rows, 0, []
    again = _said(rows[repeated])
    copies = np.array(again.duplicated([*_KEY, *_SAID]))
    single = again[~copies]
    disputed = np.asarray(single.duplicated(_KEY, keep=False) & ~single["parameter"].isin(BOTH_KEPT))
    agreed = np.asarray(single.duplicated([*_KEY, *_AMOUNT], keep=False))
    rejects = [
        Reject(file, int(row["row"]), str(row["parameter"]), str(row["value_text"]), _dispute(row, same))
        for row, same in zip(single[disputed].to_dict("records"), agreed[disputed], strict=True)
    ]
    left_out = copies.copy()
    left_out[~copies] = disputed
    kept = ~repeated
    kept[repeated] = ~left_out
    return rows[kept], int(copies.sum()), rejects


def _said(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with what they say, by which two of them are compared."""
    cells = zip(rows["value_text"], rows["unit"], rows["flags"], strict=True)
    told = [said_in_mass(*map(str, one)) for one in cells]
    mass = rows["unit"].isin(CONCENTRATIONS)  # whose text says the number in full
    numbers = rows["value"].mask(mass, rows["value"].notna().astype("float64"))
    return rows.assign(said=[value for value, _ in told], beside=[flags for _, flags in told], numbered=numbers)


def _repeated(rows: pd.DataFrame) -> np.ndarray[Any, Any]:
    """Rows that share their key with another. Times are looked at first: numbers are compared far faster than names."""
    repeated = np.array(rows.duplicated("time_ms", keep=False))
    repeated[repeated] = rows[repeated].duplicated(_KEY, keep=False)
    return repeated


def _dispute(row: dict[Hashable, Any], same: bool) -> str:
    return f"{FLAGS if same else VALUES}: {time_text(int(row['time_ms']), str(row['clock']))}"
