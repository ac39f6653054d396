"""Groundwater standards as dated data: which limit was law on the day of a sample, and how far it was verified."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Literal

from models.errors import BadLaw
from models.parameters import parameters
from models.site import Text
from models.toml_file import Noun, read_noun
from models.units import convert

Kind = Literal["PAL", "ES"]


@dataclass(frozen=True)
class Standard:
    """One limit of one table, in the law's own unit, with the canonical-unit value beside it."""

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

    def in_force(self, on: date) -> bool:
        return (self.effective is None or self.effective <= on) and (self.repealed is None or on < self.repealed)

    def in_unit(self, unit: str) -> Decimal:
        """The limit in another unit of the same kind, exactly."""
        return convert(self.value, self.unit, unit)

    def name(self) -> str:
        return f"{self.kind} Table {self.table}"


class StandardSet(Noun):
    """What holds for a whole set: how equality counts and what is done below the LOQ."""

    id: str
    title: Text
    citation: str
    attained_at: Literal["ge", "gt"]
    detection_rule: Literal["nr140.14", "none"]
    text_current_to: date
    note: Text = ""


@cache
def standard_set(id: str) -> StandardSet:
    """The header of a set.

    Raises
    ------
    BadLaw : no such set, or its file breaks the schema.
    """
    return read_noun(StandardSet, _text(f"{id}.toml"), file=f"{id}.toml", error=BadLaw)


@cache
def standards(id: str) -> tuple[Standard, ...]:
    """Every row of a set, old and new."""
    rows = csv.DictReader(_text(f"{id}.csv").splitlines())
    return tuple(_standard(id, number, row) for number, row in enumerate(rows, start=2))


@cache
def standards_for(id: str, parameter: str) -> tuple[Standard, ...]:
    """Every row of a set for one substance, in every table it stands in."""
    return tuple(one for one in standards(id) if one.parameter == parameter)


def _standard(set_id: str, row: int, cells: dict[str, str]) -> Standard:
    try:
        parameters()[cells["parameter"]]
        return Standard(
            set_id, cells["parameter"], _kind(cells["kind"]), Decimal(cells["value"]), cells["unit"], cells["table"],
            cells["citation"], _date(cells["effective"]), _date(cells["repealed"]), cells["verification"],
            cells["detection_only"] == "yes", cells["note"],
        )  # fmt: skip
    except (KeyError, ValueError, ArithmeticError) as caught:
        raise BadLaw(f"bad standard: {caught}", file=f"{set_id}.csv", row=row) from None


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
