"""A laboratory's own table (``lab-table``): one result a row, or one column a substance, named by its header.

No standard fixes such tables; the headings understood are those of ``ingest.lab_headings``. The detection condition and
a ``U`` win over the number beside them. A reporting limit stands for the LOQ where the table gives none, and a basis
written beside the unit (``mg/L as NO3``) is part of what was measured: without one it is unstated, never supposed.

Quality-control samples are the table ``quality_control``, field duplicates among them ``field_duplicates``. A table
without a date of sampling gives no observations: its results are the table ``undated``, for whoever knows the day.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd

from ingest.cells import number, unit
from ingest.date_order import column_order, instant, moment
from ingest.headings import Measured, plain_name
from ingest.lab_headings import is_a_lab_table, lab_measured, lab_roles, not_read
from ingest.lab_names import named, stated_fraction
from ingest.reading import DateOrder, Parts, Source, beside_row
from ingest.table import Observation, Row, Table, header_of, read_table, take_rows
from ingest.wqx.detection import FACT_OF, Limits, Outcome, condition_kind, countable, in_unit, outcome, reported
from ingest.wqx.substance import split_basis
from models.observation import Flags
from models.parameters import find_parameter
from models.sample_types import Kind, is_plain, kind_of
from models.units import PRESENCE

_LIKE_A_DUPLICATE = re.compile(r"(?:^|[^a-z])(?:dup|duplicate|rep|replicate)(?:[^a-z]|$)", re.IGNORECASE)
CONCENTRATIONS = {"ng/L", "ug/L", "mg/L", "g/L"}


@dataclass(frozen=True)
class Layout:
    """Columns by role, substances by column, and the order of the dates."""

    source: Source
    roles: dict[str, str]
    measured: tuple[Measured, ...]
    order: DateOrder

    def cell(self, row: Row, role: str) -> str:
        column = self.roles.get(role)
        return row.text(column) if column else ""

    def column(self, role: str) -> str:
        return self.roles.get(role, role)

    def kind(self, row: Row) -> Kind:
        return kind_of(self.cell(row, "type"))

    @property
    def dated(self) -> bool:
        return "day" in self.roles


def sniff(head: str) -> bool:
    return is_a_lab_table(header_of(head))


def parse(source: Source) -> Parts:
    """Every result of the table.

    Raises
    ------
    BadFile : no column of results, or dates whose order nobody can tell.
    """
    table = read_table(source)
    roles = lab_roles(table.header)
    measured = () if "value" in roles else lab_measured(table.header)
    if "value" not in roles and not measured:
        raise source.bad("the header lacks a column of results, or columns named for a substance and its unit")
    layout = Layout(source, roles, measured, _order(source, table, roles))
    apart = [row for row in table.rows if layout.kind(row) in {"quality_control", "duplicate"}]
    control = {row.number for row in apart}
    kept = replace(table, rows=tuple(row for row in table.rows if row.number not in control))
    parts = take_rows(source, kept, *_takers(layout))
    tables = {**_apart(layout, table, apart), **({} if layout.dated else {"undated": _text(parts.observations)})}
    found = parts.observations if layout.dated else parts.observations.iloc[:0]
    return replace(
        parts, observations=found, tables=tables, facts=_facts(layout, kept, not_read(table.header, roles, measured))
    )


def _order(source: Source, table: Table, roles: dict[str, str]) -> DateOrder:
    if "day" not in roles:
        return "ymd"
    return column_order(source, roles["day"], ((row.number, row.text(roles["day"])) for row in table.rows))


def _takers(layout: Layout) -> Iterator[Callable[[Row], Observation | None]]:
    if not layout.measured:
        yield partial(_long, layout)
    for column in layout.measured:
        yield partial(_wide, layout, column)


def _long(layout: Layout, row: Row) -> Observation:
    spelling, basis = split_basis(layout.cell(row, "unit") or layout.source.told.unit)
    name = layout.cell(row, "analyte") or layout.source.told.parameter
    found = named(name, layout.cell(row, "cas"), basis)
    known = find_parameter("name", found.parameter)
    if not spelling and known is not None and known.canonical_unit == PRESENCE:
        spelling = PRESENCE
    measured_in = row.read(
        layout.column("unit"), lambda _: spelling if known is None else unit(spelling, known.canonical_unit)
    )
    return _observation(layout, row, Measured(layout.column("value"), found.parameter, measured_in), found.fraction)


def _wide(layout: Layout, measured: Measured, row: Row) -> Observation | None:
    return _observation(layout, row, measured) if row.text(measured.column) else None


def _observation(layout: Layout, row: Row, measured: Measured, beside: str = "") -> Observation:
    time, clock = _when(layout, row)
    condition = layout.cell(row, "condition")
    kind = row.read(layout.column("condition"), lambda _: condition_kind(condition))
    limits = _limits(layout, row, kind, measured.unit)
    said = row.read(measured.column, lambda text: reported(text, condition))
    positive = measured.unit in CONCENTRATIONS
    row.read(measured.column, lambda _: countable(said.number, measured.unit))
    found = row.read(measured.column, lambda _: outcome(said, limits, _words(layout, row), positive))
    sample = layout.cell(row, "sample") or str(row.number)
    fraction = row.read(layout.column("fraction"), lambda text: stated_fraction(text, beside))
    series = ":".join(part for part in (plain_name(fraction), sample) if part)
    return (
        layout.cell(row, "station") or layout.source.told.station, measured.parameter, "instant", series, time, clock,
        found.value, found.text, measured.unit, _flags(layout, row, found, limits, fraction), row.number,
    )  # fmt: skip


def _when(layout: Layout, row: Row) -> tuple[int, str]:
    if not layout.dated:
        return 0, "day"
    time_ms, clock, offset = row.read(layout.column("day"), lambda text: moment(text, layout.order))
    return (row.read(layout.column("day"), lambda _: instant(time_ms, offset)), "utc") if offset else (time_ms, clock)


LIMITS = (("lod", "lod"), ("loq", "loq"), ("rl", "rl"), ("detection_limit", "lod"))
"""Columns of limits, and what each is."""


def _limits(layout: Layout, row: Row, kind: str, measured_in: str) -> Limits:
    """Limits above zero, in the result's unit. A bare detection limit is the LOQ of a result stated to be below it."""
    found: dict[str, str] = {}
    void = False
    for role, meaning in LIMITS:
        text = layout.cell(row, role)
        if not text:
            continue
        if row.read(layout.column(role), number) <= 0:
            void = True
            continue
        limit = _in_its_unit(layout, row, role, text, measured_in)
        found.setdefault("loq" if role == "detection_limit" and kind == "below-loq" else meaning, limit)
    return Limits(found, void=void)


def _in_its_unit(layout: Layout, row: Row, role: str, text: str, measured_in: str) -> str:
    """A limit converted from the unit that its own column, or the one column for all limits, states.

    ``detection_limit_unit`` is the unit of ``detection_limit`` where there is such a column, else of every limit
    (EQuIS). Without one a limit is in the result's unit.
    """
    shared = "" if "detection_limit" in layout.roles else "detection_limit_unit"
    column = next((name for name in (f"{role}_unit", shared) if layout.cell(row, name)), "")
    spelling, _ = split_basis(layout.cell(row, column)) if column else ("", "")
    if not spelling:
        return text
    return row.read(layout.column(column), lambda _: in_unit(text, spelling, measured_in))


def _flags(layout: Layout, row: Row, found: Outcome, limits: Limits, fraction: str) -> str:
    words = [*found.qualifiers, *_words(layout, row), *(["limit-not-positive"] if limits.void else [])]
    facts = {FACT_OF[kind]: text for kind, text in limits.by_kind.items() if kind in FACT_OF}
    facts["loq"] = facts.get("loq") or limits.first("rl")
    said = {
        "limit": found.limit, "limit_is": found.limit_is, "condition": layout.cell(row, "condition"),
        "fraction": fraction, "sample": layout.cell(row, "sample") or str(row.number),
        "activity": _activity(layout.cell(row, "type")),
        "parent": layout.cell(row, "parent") if layout.kind(row) == "duplicate" else "",
    }  # fmt: skip
    return Flags("", tuple(dict.fromkeys(words)), {**facts, **said}).text()


def _activity(text: str) -> str:
    """What is usual is left out."""
    return "" if is_plain(text) else text


def _words(layout: Layout, row: Row) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[\s,;:=]+", layout.cell(row, "qualifier")) if word)


def _apart(layout: Layout, table: Table, apart: list[Row]) -> dict[str, pd.DataFrame]:
    """Quality-control rows as written, and the field duplicates that can be read beside their parents."""
    if not apart:
        return {}
    cells = [[str(row.number), *row.cells.values()] for row in apart]
    written = pd.DataFrame(cells, columns=["row", *beside_row(table.header)], dtype="str")
    pairs = [row for row in apart if layout.kind(row) == "duplicate"]
    read = take_rows(layout.source, replace(table, rows=tuple(pairs), rejects=()), *_takers(layout)).observations
    parents = {str(row.number): layout.cell(row, "parent") for row in pairs}
    duplicates = _text(read)
    return {
        "quality_control": written,
        "field_duplicates": duplicates.assign(parent=duplicates["row"].map(parents).astype("str")),
    }


def _text(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.astype("str").fillna("").reset_index(drop=True)


def _facts(layout: Layout, table: Table, unread: list[str]) -> dict[str, str]:
    names = {layout.cell(row, role) for row in table.rows for role in ("station", "sample")}
    alike = sorted(name for name in names if _LIKE_A_DUPLICATE.search(name))
    facts = {"columns_not_read": ", ".join(unread), "like_duplicates": ", ".join(alike)}
    return {name: text for name, text in facts.items() if text}
