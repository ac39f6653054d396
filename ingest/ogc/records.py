"""Records of the USGS Water Data OGC API, as GeoJSON features or CSV rows, to tidy rows or tables.

Source: https://api.waterdata.usgs.gov/ogcapi/v0/ (collections daily, continuous, latest-daily, latest-continuous,
field-measurements, monitoring-locations, time-series-metadata; one flat set of properties each).

The id and ``last_modified`` of a record change whenever the service refreshes it, so neither goes into a row; the
newest ``last_modified`` is a fact of the file. A value whose approval is null is provisional. A field measurement of
unknown hour carries a date alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from ingest.cells import BadCell
from ingest.iso_times import stated_zone
from ingest.json_tree import text_of
from ingest.point_values import BLANKS, Points, Series, Taken, measured_unit
from ingest.reading import Parts, Source, beside_row
from ingest.table import MAX_COLUMNS, in_order
from ingest.usgs_codes import listed_words, said, statistic, usgs_station
from models.observation import Flags, tidy
from models.parameters import parameter_id

SERIES_IDS = ("time_series_id", "field_measurements_series_id")
ROW_FACTS = {
    "vertical_datum": "datum",
    "measuring_agency": "by",
    "observing_procedure": "method",
    "measurement_rated": "rated",
    "control_condition": "control",
    "reading_type": "reading",
    "sublocation_identifier": "sublocation",
}
"""Properties kept beside a value, and the key each goes under."""

ELEVATIONS = {"water_elevation_navd88": "NAVD88", "water_elevation_ngvd29": "NGVD29"}
"""Parameters whose code states a datum: another datum in the same record contradicts it."""


@dataclass(frozen=True)
class Record:
    """One feature or row: its number in the file and its properties, null or blank as ``""``."""

    number: int
    cells: Mapping[str, Any]

    def text(self, name: str) -> str:
        text = text_of(self.cells.get(name))
        return "" if text.casefold() in BLANKS else text


def kind_of(names: set[str]) -> str | None:
    """``values``, ``time_series`` or ``sites`` by the properties a record has; None for another collection."""
    if {"monitoring_location_id", "parameter_code", "time", "value"} <= names and "peak_since" not in names:
        return "values"
    if {"parameter_code", "begin", "end"} <= names:
        return "time_series"
    return "sites" if "monitoring_location_number" in names else None


def parse_records(source: Source, records: Sequence[Record], facts: dict[str, str]) -> Parts:
    """What the records are is seen by the first one.

    Raises
    ------
    BadFile : a collection that is not read.
    """
    if not records:
        return Parts(tidy([]), (), {**facts, "empty": "the answer holds no records"})
    kind = kind_of(set(records[0].cells))
    if kind is None:
        found = ", ".join(list(records[0].cells)[:8])
        raise source.bad("records of a collection that is not read", found=found)
    facts = facts | _newest(records)
    return _values(source, records, facts) if kind == "values" else _table(source, kind, records, facts)


def _newest(records: Sequence[Record]) -> dict[str, str]:
    newest = max(record.text("last_modified") for record in records)
    return {"last_modified": newest} if newest else {}


def _table(source: Source, kind: str, records: Sequence[Record], facts: dict[str, str]) -> Parts:
    names = list(dict.fromkeys(name for record in records for name in record.cells))
    if len(names) > MAX_COLUMNS:
        raise source.bad(f"records of more than {MAX_COLUMNS} properties")
    rows = {
        own: pd.array([text_of(record.cells.get(name)) for record in records], dtype="str")
        for own, name in zip(beside_row(names), names, strict=True)
    }
    frame = pd.DataFrame({"row": [record.number for record in records]} | rows)
    return Parts(tidy([]), (), facts, tables={kind: frame})


def _values(source: Source, records: Sequence[Record], facts: dict[str, str]) -> Parts:
    taken = Taken()
    groups = _groups(source, records, taken)
    for key, points in groups.items():
        taken.take(source, points, " ".join(key), partial(_series, *key))
    observations = taken.observations()
    zone = stated_zone(time for points in groups.values() for time in points.times)
    return Parts(observations, in_order(taken.rejects), facts, zone, _datum(observations))


def _series(station: str, parameter: str, code: str, id: str, unit: str) -> Series:
    return Series(station, parameter, statistic(code), id, measured_unit(unit, parameter))


def _groups(source: Source, records: Sequence[Record], taken: Taken) -> dict[tuple[str, ...], Points]:
    groups: dict[tuple[str, ...], Points] = {}
    for record in records:
        try:
            key, time, value, flags = _key(record), _time(record), _value(record), _flags(record)
        except BadCell as bad:
            taken.refuse(source, record.number, bad.column, text_of(record.cells.get(bad.column)), bad.reason)
            continue
        groups.setdefault(key, Points()).add(record.number, time, value, flags)
    return groups


def _key(record: Record) -> tuple[str, ...]:
    """Station, parameter, statistic code, series and unit as written.

    Raises
    ------
    BadCell : no station or parameter, a daily value without a statistic, or a datum against its code.
    """
    station, code = record.text("monitoring_location_id"), record.text("parameter_code")
    if not station or not code:
        raise BadCell("blank", "parameter_code" if station else "monitoring_location_id")
    if "statistic_id" in record.cells and not record.text("statistic_id"):
        raise BadCell("a value without its statistic", "statistic_id")
    parameter = parameter_id("usgs", code)
    datum = record.text("vertical_datum")
    if datum and parameter in ELEVATIONS and datum != ELEVATIONS[parameter]:
        raise BadCell(f"parameter code {code} is an elevation above {ELEVATIONS[parameter]}", "vertical_datum")
    id = next((found for name in SERIES_IDS if (found := record.text(name))), "")
    return usgs_station(station), parameter, record.text("statistic_id"), id, record.text("unit_of_measure")


def _value(record: Record) -> str:
    """The value as written; a number that is none is no missing value, which this service writes as null.

    Raises
    ------
    BadCell : NaN.
    """
    if text_of(record.cells.get("value")).lstrip("+-").casefold() == "nan":
        raise BadCell("not a number", "value")
    return record.text("value")


def _time(record: Record) -> str:
    """Date and time of day as one text; where month or day are null, the date is only as fine as what is known."""
    time = record.text("time")
    if "year" in record.cells and len(time) == len("YYYY-MM-DD"):
        known = time[:4] if not record.text("month") else time[:7] if not record.text("day") else time
        if known != time:
            return known
    clock = record.text("time_of_day")
    return f"{time}T{clock}" if clock and len(time) == len("YYYY-MM-DD") else time


def _flags(record: Record) -> str:
    facts = {key: text for name, key in ROW_FACTS.items() if (text := record.text(name))}
    flags = said(_qualifiers(record.cells.get("qualifier")), record.text("approval_status"), facts)
    unsaid = not flags.approval and "approval_status" in record.cells
    return Flags("P" if unsaid else flags.approval, flags.qualifiers, flags.facts).text()


def _qualifiers(qualifier: Any) -> tuple[str, ...]:
    """Null, one word, a list, or a list written as text."""
    if isinstance(qualifier, list):
        return tuple(word for word in map(text_of, qualifier) if word)
    text = text_of(qualifier)
    return () if text.casefold() in BLANKS else listed_words(text)


def _datum(observations: pd.DataFrame) -> str | None:
    """The vertical datum, where every value of the file states the same one."""
    datums = {Flags.parse(flags).facts.get("datum") for flags in observations["flags"].unique()}
    return datums.pop() if len(datums) == 1 else None
