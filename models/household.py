"""The private half of a site, from ``households.toml`` (mode 0600) and nowhere else.

What is wrong with the file is said by row, table and key, and never by what was found there: an error goes into logs,
digests and the store.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import Field, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic_core import ErrorDetails

from models.errors import BadSite
from models.field_types import Id, Text
from models.site import Point, Site
from models.toml_file import Noun, parse_toml

FILE = "households.toml"
_ROW = re.compile(r"\(at line (\d+), column \d+\)$")
_OWN_WORDS = {"value_error", "assertion_error"}
"""Faults whose text may repeat the value."""


class Household(Noun):
    """Who lives where: read only by commands that need it, never stored, printed or mailed by the night.

    ``hold``: why the data are kept though their time is out (a claim, a request for records); as private as the rest.
    """

    property: Id
    owner: Text
    occupant: Text = ""
    phone: Text = ""
    address: Text = ""
    hold: Text = ""


class PrivatePosition(Noun):
    """Where a private well really is."""

    well: Id
    position: Point
    position_accuracy_ft: Annotated[Decimal, Field(ge=0)] = Decimal(0)


class Households(Noun):
    """All of ``households.toml`` (mode 0600)."""

    household: tuple[Household, ...] = ()
    well: tuple[PrivatePosition, ...] = ()

    @model_validator(mode="wrap")
    @classmethod
    def _repeats_nothing(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """A fault anywhere in the file is a ``BadSite`` that repeats no value and no key of the file's own making."""
        try:
            return handler(data)
        except ValidationError as caught:
            found = caught.errors(include_input=False, include_context=False, include_url=False)
            raise _fault(found) from None


_TABLES: dict[str, type[Noun]] = {"household": Household, "well": PrivatePosition}
_KEYS = {*Households.model_fields, *(key for table in _TABLES.values() for key in table.model_fields)}


def read_households(text: str, *, file: str = FILE) -> Households:
    """Read the private half of a site.

    Raises
    ------
    BadSite : the first fault, naming file and row, or table and key; never what was found.
    """
    try:
        data = parse_toml(text, file=file, error=BadSite)
    except BadSite as caught:
        row = _ROW.search(caught.reason)
        raise BadSite("not valid TOML", file=file, row=int(row[1]) if row else None) from None
    return Households.model_validate(data)


def check_households(households: Households, site: Site) -> None:
    """Refuse a household of a property, and a place of a well, that ``site.toml`` does not know.

    Raises
    ------
    BadSite : names the table by its number, and what is allowed.
    """
    parcels, wells = [one.id for one in site.property], [one.id for one in site.wells("private")]
    _known("no such property", "household", "property", [one.property for one in households.household], parcels)
    _known("no such private well", "well", "well", [one.well for one in households.well], wells)


def _known(reason: str, table: str, key: str, found: Sequence[str], known: Sequence[str]) -> None:
    lost = next((n for n, one in enumerate(found, 1) if one not in known), None)
    if lost is not None:
        raise BadSite(reason, file=FILE, key=f"{table}[{lost}].{key}", allowed=known)


def _fault(found: Sequence[ErrorDetails]) -> BadSite:
    first = min(found, key=lambda one: (one["type"] != "extra_forbidden", len(one["loc"])))
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    if first["type"] == "extra_forbidden":
        table = _TABLES.get(str(first["loc"][0])) if len(first["loc"]) > 1 else None
        allowed = sorted((table or Households).model_fields)
        return BadSite(f"unknown key{more}", file=FILE, key=_place(first["loc"][:-1]), allowed=allowed)
    return BadSite(_reason(first) + more, file=FILE, key=_place(first["loc"]))


def _reason(fault: ErrorDetails) -> str:
    if fault["type"] == "missing":
        return "required key is missing"
    return "not a value this key takes" if fault["type"] in _OWN_WORDS else fault["msg"]


def _place(loc: Sequence[int | str]) -> str | None:
    """``household[2].phone``: tables by their number, keys only where they are ours."""
    said = "".join(f"[{one + 1}]" if isinstance(one, int) else f".{one}" for one in loc if one in _KEYS or _number(one))
    return said.lstrip(".") or None


def _number(one: int | str) -> bool:
    return isinstance(one, int)
