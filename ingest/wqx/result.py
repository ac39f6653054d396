"""Rows of a water-quality result table, whatever its profile calls the columns (EPA WQX, USGS Samples).

A lab result is keyed like any other: by code (or name and fraction) and activity, so that two samples of one day stay
two results. A field measurement with a clock time belongs to one series per depth. Quality-control activities and
media other than water are tables of the reading and never results of the place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

import pandas as pd

from ingest.cells import BadCell, code_words, number
from ingest.reading import Parts, Source, beside_row
from ingest.table import Observation, Row, Table, read_table, require, take_rows
from ingest.times import sheet_time
from ingest.wqx.amounts import countable, in_unit
from ingest.wqx.detection import (
    FACT_OF,
    LIMIT_TYPES,
    Limits,
    Outcome,
    condition_kind,
    outcome,
    reported,
)
from ingest.wqx.substance import Characteristic, Substance, measured_unit, split_basis, stated_basis, substance
from ingest.wqx.texts import Texts, Told, told
from models.observation import Flags
from models.sample_types import is_plain, kind_of, not_groundwater
from models.units import CONCENTRATIONS

APPROVED = {"final", "accepted", "approved"}
PROVISIONAL = {"provisional", "preliminary"}
OF_ONE_SAMPLE = {"mpn", "most probable number"}
"""Statistical bases that are a way of counting in one sample: bacteria, by dilution."""
STATISTICS = {"mean": "mean", "maximum": "max", "minimum": "min"}

_FIELD = "Field Msr/Obs"
_WATER = re.compile(r"\bwater|groundwater", re.IGNORECASE)


@dataclass(frozen=True)
class LimitColumns:
    """Type, value and unit of one detection limit."""

    type: str
    value: str
    unit: str


@dataclass(frozen=True)
class Columns:
    """What a profile calls its columns; ``""`` where it has none."""

    station: str
    activity: str
    activity_type: str
    media: str
    subdivisions: tuple[str, ...]
    start: tuple[str, str, str]
    end: tuple[str, str, str]
    depth: tuple[str, str]
    condition: str
    name: str
    cas: str
    code: str
    fraction: str
    speciation: str
    value: str
    unit: str
    qualifier: str
    status: str
    statistic: str
    value_type: str
    limits: tuple[LimitColumns, ...]
    on_sample: tuple[str, ...] = ()
    on_result: tuple[str, ...] = ()

    def texts(self, row: Row) -> Texts:
        """The comments of a row on its sample and on its result."""
        said = (tuple(filter(None, map(row.text, columns))) for columns in (self.on_sample, self.on_result))
        return Texts((), (), *said)

    def needed(self) -> tuple[str, ...]:
        return (self.station, self.activity_type, self.start[0], self.condition, self.name, self.value, self.unit)


def parse_results(source: Source, columns: Columns) -> Parts:
    """One result a row.

    Raises
    ------
    BadFile : a needed column is missing.
    """
    table = read_table(source)
    require(source, table, *columns.needed())
    apart = {row.number: _set_apart(row, columns) for row in table.rows}
    kept = replace(table, rows=tuple(row for row in table.rows if not apart[row.number]))
    checks = [partial(_check_limit, columns=columns, one=one) for one in columns.limits]
    parts = take_rows(source, kept, partial(_observation, columns=columns), checks=checks)
    names = [name for name in ("quality_control", "not_water") if name in apart.values()]
    zones = {row.text(columns.start[2]) for row in kept.rows} - {""}
    tables = {name: _as_written(table, apart, name) for name in names}
    tables |= _duplicates(source, table, columns)
    return replace(parts, tables=tables, timezone=zones.pop() if len(zones) == 1 else None)


def _set_apart(row: Row, columns: Columns) -> str:
    """The table a row belongs to that is no result of the place, or nothing."""
    if kind_of(row.text(columns.activity_type)) in {"quality_control", "duplicate"}:
        return "quality_control"
    media = row.text(columns.media)
    return "not_water" if media and not _WATER.search(media) else ""


def _duplicates(source: Source, table: Table, columns: Columns) -> dict[str, pd.DataFrame]:
    """Field duplicates read like results, as text; the profiles name no parent."""
    rows = tuple(row for row in table.rows if kind_of(row.text(columns.activity_type)) == "duplicate")
    if not rows:
        return {}
    read = take_rows(source, replace(table, rows=rows, rejects=()), partial(_observation, columns=columns))
    return {"field_duplicates": read.observations.astype("str").fillna("").assign(parent="")}


def _as_written(table: Table, apart: dict[int, str], name: str) -> pd.DataFrame:
    rows = [[str(row.number), *row.cells.values()] for row in table.rows if apart[row.number] == name]
    return pd.DataFrame(rows, columns=["row", *beside_row(table.header)], dtype="str")


def _observation(row: Row, columns: Columns) -> Observation:
    if row.text(columns.status).casefold() == "rejected":
        raise BadCell("its owner rejected this result", columns.status)
    station, (time, clock) = row.required(columns.station), _time(row, columns)
    measured, basis = _substance(row, columns)
    row.read(columns.condition, condition_kind)
    said = row.read(columns.value, lambda text: reported(text, row.text(columns.condition)))
    measured_in = _unit(row, columns, measured, bool(said.number))
    row.read(columns.value, lambda _: countable(said.number, measured_in))
    limits = _limits(row, columns, measured_in, basis)
    words = code_words(row.text(columns.qualifier))
    positive = measured.known is not None and measured_in in CONCENTRATIONS and not _in_field(row, columns)
    found = row.read(columns.value, lambda _: outcome(said, limits, words, positive))
    statistic = STATISTICS.get(row.text(columns.statistic).casefold(), "instant")
    flags = _flags(row, columns, found, limits)
    return (
        station.removeprefix("USGS-"), measured.id, statistic, _series(row, columns, clock), time, clock,
        found.value, found.text, measured_in, flags, row.number,
    )  # fmt: skip


def _time(row: Row, columns: Columns) -> tuple[int, str]:
    day, time, zone = columns.start
    row.read(day, lambda text: sheet_time(text, "", ""))
    row.read(time, lambda text: sheet_time(row.text(day), text, ""))
    return row.read(zone, lambda text: sheet_time(row.text(day), row.text(time), text))


def _substance(row: Row, columns: Columns) -> tuple[Substance, str]:
    _, unit_basis = split_basis(row.text(columns.unit))
    basis = row.read(columns.speciation, lambda text: stated_basis(text, unit_basis))
    code, cas, fraction = row.text(columns.code), row.text(columns.cas), row.text(columns.fraction)
    return row.read(columns.name, lambda name: substance(Characteristic(code, cas, name, fraction, basis))), basis


def _unit(row: Row, columns: Columns, measured: Substance, has_number: bool) -> str:
    """The result's own unit; without a number its limit's, and without either the one the parameter is kept in."""
    spelling, _ = split_basis(row.text(columns.unit))
    if spelling or has_number:
        return row.read(columns.unit, lambda _: measured_unit(spelling, measured))
    for one in columns.limits:
        if row.text(one.value) and row.text(one.unit):
            limit_unit, _ = split_basis(row.text(one.unit))
            return row.read(one.unit, lambda _, text=limit_unit: measured_unit(text, measured))  # type: ignore[misc]
    return "" if measured.known is None else measured.known.canonical_unit


def _limits(row: Row, columns: Columns, measured_in: str, basis: str) -> Limits:
    """Every limit that can be read; ``_check_limit`` reports the others."""
    found: dict[str, str] = {}
    unknown, void = "", False
    for one in columns.limits:
        try:
            text = _limit(row, one, measured_in, basis)
        except BadCell:
            continue  # said by _check_limit, which meets the same cell
        void = void or bool(row.text(one.value) and not text)
        kind = LIMIT_TYPES.get(row.text(one.type).casefold(), "other")
        if text and (kind not in found or Decimal(text) > Decimal(found[kind])):
            found[kind] = text
            unknown = row.text(one.type) or "not given" if kind == "other" else unknown
    return Limits(found, unknown, void)


def _limit(row: Row, one: LimitColumns, measured_in: str, basis: str) -> str:
    """A limit as decimal text in the row's unit; its own unit is converted, never supposed. ``""``: none above zero."""
    text = row.text(one.value)
    if not text or row.read(one.value, number) <= 0:
        return ""
    spelling, own_basis = split_basis(row.text(one.unit))
    if not spelling:
        raise BadCell("blank: the unit of a limit is not supposed", one.unit)
    if own_basis and basis and own_basis.casefold() != basis.casefold():
        raise BadCell(f"the result is as {basis}", one.unit)
    return text if spelling == measured_in else row.read(one.unit, lambda _: in_unit(text, spelling, measured_in))


def _check_limit(row: Row, columns: Columns, one: LimitColumns) -> None:
    """Refuse the cell of a limit that cannot be read; its result is taken all the same."""
    measured, basis = _substance(row, columns)
    said = bool(row.text(columns.value))
    _limit(row, one, _unit(row, columns, measured, said), basis)


def _in_field(row: Row, columns: Columns) -> bool:
    return row.text(columns.activity_type).startswith(_FIELD)


def _series(row: Row, columns: Columns, clock: str) -> str:
    depth = " ".join(row.text(column) for column in columns.depth).strip()
    if _in_field(row, columns) and clock != "day":
        return depth
    what = row.text(columns.code).zfill(5) if row.text(columns.code) else row.text(columns.fraction)
    return ":".join(part for part in (what, row.text(columns.activity)) if part)


def _flags(row: Row, columns: Columns, found: Outcome, limits: Limits) -> str:
    status = row.text(columns.status)
    approval = "A" if status.casefold() in APPROVED else "P" if status.casefold() in PROVISIONAL else ""
    words = [
        *found.qualifiers,
        *code_words(row.text(columns.qualifier)),
        *([status] if status and not approval else []),
    ]
    mark = _told(row, columns).mark
    words += (*limits.marks, *([mark] if mark else []))
    facts = {FACT_OF[kind]: text for kind, text in limits.by_kind.items() if kind in FACT_OF}
    limit = {"limit": found.limit or limits.first("other"), "limit_is": found.limit_is, "limit_type": limits.type}
    return Flags(approval, tuple(dict.fromkeys(words)), {**facts, **limit, **_said(row, columns)}).text()


def _told(row: Row, columns: Columns) -> Told:
    return told(
        row.text(columns.activity_type), row.text(columns.activity), row.text(columns.station), columns.texts(row)
    )


def _said(row: Row, columns: Columns) -> dict[str, str]:
    """What else a row says of its result; what is usual (a routine sample, an actual value) is left out."""
    beside, statistic, value_type = _told(row, columns), row.text(columns.statistic), row.text(columns.value_type)
    end = " ".join(row.text(column) for column in columns.end).strip()
    start = " ".join(row.text(column) for column in columns.start).strip()
    return {
        "condition": row.text(columns.condition),
        "fraction": row.text(columns.fraction),
        "sample": row.text(columns.activity),
        "activity": "" if is_plain(beside.type) else beside.type,
        "told": beside.text,
        "medium": next((row.text(one) for one in columns.subdivisions if not_groundwater(row.text(one))), ""),
        "statistic_base": "" if statistic.casefold() in OF_ONE_SAMPLE else statistic,
        "value_type": "" if value_type == "Actual" else value_type,
        "depth": " ".join(row.text(column) for column in columns.depth).strip(),
        "end": "" if end == start else end,
    }
