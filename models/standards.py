"""Groundwater standards as dated data: which limit was law on the day of a sample, and how far it was verified.

A set is two files of one name: ``SET.toml`` says how the set reads a result (equality, detection, sums, forms), and
``SET.csv`` holds one row for each substance, kind and table; where it has a column ``effective_verification``, that
says how far the day was verified, as ``verification`` does of the value. The law's own sets stand in
``models/law/standards/``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache, cached_property
from importlib.resources import files

from models.errors import BadLaw
from models.parameters import parameters
from models.standard_set import AttainedAt, DetectionRule, Form, Kind, StandardSet, Sum
from models.toml_file import read_noun
from models.units import convert

COLUMNS = (
    "parameter", "kind", "value", "unit", "table", "citation", "effective", "repealed", "verification",
    "detection_only", "note",
)  # fmt: skip


@dataclass(frozen=True)
class Standard:
    """One limit of one table in the law's own unit, and how its set compares."""

    set_id: str
    parameter: str
    kind: Kind
    value: Decimal
    unit: str
    table: str
    citation: str
    effective: date | None
    repealed: date | None
    verification: str
    detection_only: bool
    note: str
    attained_at: AttainedAt = "ge"
    detection_rule: DetectionRule = "nr140.14"
    effective_verification: str = ""

    def in_force(self, on: date) -> bool:
        return (self.effective is None or self.effective <= on) and (self.repealed is None or on < self.repealed)

    def in_unit(self, unit: str) -> Decimal:
        """The limit in another unit of the same kind, exactly."""
        return _converted(self.value, self.unit, unit)

    def name(self) -> str:
        return f"{self.kind} Table {self.table}"


@dataclass(frozen=True, eq=False)
class Standards:
    """A whole set: its header, every row, old and new, and indicators that stand in a file of its own.

    ``own_indicators`` None: they stand among the law's own, where the set has any.
    """

    header: StandardSet
    rows: tuple[Standard, ...]
    own_indicators: tuple[Indicator, ...] | None = None

    def of(self, parameter: str) -> tuple[Standard, ...]:
        """Every row for one substance, in every table it stands in."""
        return self._by_parameter.get(parameter, ())

    @cached_property
    def _by_parameter(self) -> Mapping[str, tuple[Standard, ...]]:
        found: dict[str, list[Standard]] = {}
        for one in self.rows:
            found.setdefault(one.parameter, []).append(one)
        return {name: tuple(rows) for name, rows in found.items()}

    @cached_property
    def forms(self) -> Mapping[str, Form]:
        """Forms by what is reported."""
        return {one.reported: one for one in self.header.form}

    @cached_property
    def counts_as(self) -> Mapping[str, str]:
        """The substance of each form that another name is reported under."""
        return {name: form.substance for name, form in self.forms.items()}

    @cached_property
    def turns(self) -> tuple[date, ...]:
        """Days on which any standard of the set came or went, in order."""
        days = {day for one in self.rows for day in (one.effective, one.repealed) if day is not None}
        return tuple(sorted(days))

    @cached_property
    def sums_by_member(self) -> Mapping[str, tuple[Sum, ...]]:
        """Sums that a table names, by each of their members."""
        named = [one for one in self.header.sum if self.of(one.substance)]
        members = {name for one in named for name in one.members()}
        return {name: tuple(one for one in named if name in one.members()) for name in members}

    @cached_property
    def of_samples(self) -> frozenset[str]:
        """What a sum, or the limit of another substance, takes from its sample: by any name it is reported under."""
        taken = {*self.sums_by_member, *(one.on for one in self.header.dependence)}
        return frozenset(taken | {one.reported for one in self.header.form if one.substance in taken})

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Everything a result may be reported as that this set judges, alone or in a sum."""
        summed = {name for one in self.header.sum if self.of(one.substance) for name in one.members()}
        direct = {*self._by_parameter, *summed, *(one.on for one in self.header.dependence)}
        return tuple(sorted(direct | {one.reported for one in self.header.form if one.substance in direct}))

    def replaced(self, rows: Iterable[Standard]) -> Standards:
        """The same set with other rows."""
        return replace(self, rows=tuple(rows))

    def as_of(self, day: date) -> Standards:
        """What was law on one day, as law of every day."""
        return self.replaced(replace(one, effective=None, repealed=None) for one in self.rows if one.in_force(day))

    @property
    def indicators(self) -> tuple[Indicator, ...]:
        """The increments of the set's indicator parameters; none where it has no such parameters."""
        if self.header.indicators is None:
            return ()
        return indicators(self.header.id) if self.own_indicators is None else self.own_indicators


@dataclass(frozen=True)
class Indicator:
    """How far from the background mean a PAL stands: the larger of ``sd_multiple`` SD and ``increment``."""

    parameter: str
    increment: Decimal
    unit: str
    sd_multiple: Decimal
    two_sided: bool
    citation: str
    verification: str
    note: str


@cache
def law_of(id: str) -> Standards:
    """A set of the law.

    Raises
    ------
    BadLaw : no such set, or one of its files breaks the schema.
    """
    return read_standards(_text(f"{id}.toml"), _text(f"{id}.csv"), name=id)


def read_standards(header: str, rows: str, *, name: str) -> Standards:
    """A set from the text of its two files, ``NAME.toml`` and ``NAME.csv``.

    Raises
    ------
    BadLaw : naming file, row or key.
    """
    head = read_noun(StandardSet, header, file=f"{name}.toml", error=BadLaw)
    table = csv.DictReader(rows.splitlines())
    missing = [column for column in COLUMNS if column not in (table.fieldnames or ())]
    if missing:
        raise BadLaw("the header lacks a column", file=f"{name}.csv", row=1, found=missing[0], allowed=COLUMNS)
    found = tuple(_standard(head, f"{name}.csv", number, row) for number, row in enumerate(table, start=2))
    _distinct(found, f"{name}.csv")
    return Standards(head, found)


def standard_set(id: str) -> StandardSet:
    """The header of a set."""
    return law_of(id).header


def standards(id: str) -> tuple[Standard, ...]:
    """Every row of a set, old and new."""
    return law_of(id).rows


def standards_for(id: str, parameter: str) -> tuple[Standard, ...]:
    """Every row of a set for one substance, in every table it stands in."""
    return law_of(id).of(parameter)


@cache
def indicators(id: str) -> tuple[Indicator, ...]:
    """The increments of a set's indicator parameters."""
    file = f"{id}_indicators.csv"
    return read_indicators(_text(file), name=file)


def read_indicators(text: str, *, name: str) -> tuple[Indicator, ...]:
    """The increments of indicator parameters from the text of their file.

    Raises
    ------
    BadLaw : naming file and row.
    """
    return tuple(_indicator(name, number, row) for number, row in enumerate(csv.DictReader(text.splitlines()), 2))


@cache
def _converted(value: Decimal, have: str, want: str) -> Decimal:
    """Once for each limit and unit, not for each result."""
    return convert(value, have, want)


def _standard(head: StandardSet, file: str, row: int, cells: dict[str, str]) -> Standard:
    try:
        return Standard(
            head.id, _parameter(cells["parameter"]), _kind(cells["kind"]), _limit(cells["value"]), cells["unit"],
            cells["table"], cells["citation"], _date(cells["effective"]), _date(cells["repealed"]),
            cells["verification"], cells["detection_only"] == "yes", cells["note"], head.attained_at,
            head.detection_rule, cells.get("effective_verification") or "",
        )  # fmt: skip
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError) as caught:
        raise BadLaw(f"bad standard: {caught}", file=file, row=row) from None


def _indicator(file: str, row: int, cells: dict[str, str]) -> Indicator:
    try:
        return Indicator(
            _parameter(cells["parameter"]), Decimal(cells["increment"]), cells["unit"], Decimal(cells["sd_multiple"]),
            cells["two_sided"] == "yes", cells["citation"], cells["verification"], cells["note"],
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, ArithmeticError) as caught:
        raise BadLaw(f"bad indicator: {caught}", file=file, row=row) from None


def _distinct(rows: tuple[Standard, ...], file: str) -> None:
    """Two limits of one kind and table cannot both begin on one day."""
    seen: set[tuple[object, ...]] = set()
    for number, one in enumerate(rows, start=2):
        key = (one.parameter, one.kind, one.table, one.effective)
        if key in seen:
            raise BadLaw("the same standard stands twice", file=file, row=number, found=one.parameter)
        seen.add(key)


def _parameter(text: str) -> str:
    if text not in parameters():
        raise ValueError(f"unknown parameter {text!r}")
    return text


def _limit(text: str) -> Decimal:
    value = Decimal(text)
    if not value.is_finite() or value < 0:
        raise ValueError(f"{text!r} is not a limit")
    return value


def _kind(text: str) -> Kind:
    if text == "PAL":
        return "PAL"
    if text == "ES":
        return "ES"
    raise ValueError(f"kind {text!r} is neither PAL nor ES")


def _date(text: str) -> date | None:
    return None if text in {"", "unknown"} else date.fromisoformat(text)


def _text(name: str) -> str:
    file = files("models") / "law" / "standards" / name
    if not file.is_file():
        raise BadLaw("no such standards file", file=name)
    return file.read_text(encoding="utf-8")
