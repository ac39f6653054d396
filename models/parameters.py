"""The one vocabulary: what is measured, in which unit it is kept, and every code it goes by."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from models.errors import BadQuestion

Scheme = str  # "usgs" | "storet" | "cas" | "name"


@dataclass(frozen=True)
class Parameter:
    """One row of ``models/parameters.csv``."""

    id: str
    name: str
    canonical_unit: str
    usgs_codes: tuple[str, ...]
    storet_codes: tuple[str, ...]
    cas: str
    aliases: tuple[str, ...]


@cache
def parameters() -> dict[str, Parameter]:
    """Every parameter by id."""
    text = files("models").joinpath("parameters.csv").read_text(encoding="utf-8")
    return {row["id"]: _parameter(row) for row in csv.DictReader(text.splitlines())}


def parameter(id: str) -> Parameter:
    """Look one up by id.

    Raises
    ------
    BadQuestion : no such parameter.
    """
    try:
        return parameters()[id]
    except KeyError:
        raise BadQuestion("unknown parameter", found=id) from None


def find_parameter(scheme: Scheme, code: str) -> Parameter | None:
    """The parameter a code of one scheme (usgs, storet, cas, name) stands for, or None.

    STORET codes are padded to five digits because exports drop leading zeros; names ignore case, spaces and marks.
    """
    key = code.strip().zfill(5) if scheme == "storet" else code.strip().casefold()
    id = _index().get((scheme, key)) or (_folded_names().get(_folded(key)) if scheme == "name" else None)
    return None if id is None else parameters()[id]


def parameter_id(scheme: Scheme, code: str) -> str:
    """The id a code stands for; a code that the vocabulary does not hold stays itself, as ``scheme:code``."""
    found = find_parameter(scheme, code)
    return f"{scheme}:{code.strip()}" if found is None else found.id


@cache
def _index() -> dict[tuple[Scheme, str], str]:
    index: dict[tuple[Scheme, str], str] = {}
    for one in parameters().values():
        codes = [("usgs", one.usgs_codes), ("storet", one.storet_codes), ("cas", (one.cas,) if one.cas else ())]
        names = [("name", (one.id, one.name, *one.aliases))]
        for scheme, keys in codes + names:
            index.update({(scheme, key.casefold()): one.id for key in keys})
    return index


@cache
def _folded_names() -> dict[str, str]:
    """Names without their marks; one that two parameters would share is left out."""
    found: dict[str, set[str]] = {}
    for (scheme, key), id in _index().items():
        if scheme == "name":
            found.setdefault(_folded(key), set()).add(id)
    return {name: min(ids) for name, ids in found.items() if len(ids) == 1}


def _folded(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", " ", name).strip()


def _parameter(row: dict[str, str]) -> Parameter:
    return Parameter(
        row["id"],
        row["name"],
        row["canonical_unit"],
        _several(row["usgs_codes"]),
        _several(row["storet_codes"]),
        row["cas"],
        _several(row["aliases"]),
    )


def _several(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split(";") if part)
