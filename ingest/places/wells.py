"""Rows of a list of wells or stations as places: what a row says, in its own units, and nothing it does not say."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ingest.cells import MISSING, SENTINELS, BadCell, number
from ingest.headings import plain_name
from ingest.places.columns import EITHER_DATUM, HIGH_CAPACITY, Columns
from ingest.places.place import Length, Place, Position, Use
from ingest.places.section import quarter_quarter
from ingest.places.system import datum_named, of_heights, system_named
from ingest.reading import Source
from ingest.table import Row
from models.observation import Reject

LONGEST_ID = 64
_UNIQUE = re.compile(r"[A-Z]{2}[0-9]{3}", re.IGNORECASE)
"""A Wisconsin unique well number; of 252,167 in the DNR's GRN exports all but 1,507 are written so."""
_HIGH_CAPACITY = re.compile(r"[0-9]{1,6}")
FEET_OF_ARCSECOND = 101.3
"""[ft] of latitude; of longitude less."""
ACCURACY_SECONDS = {"H": 0.01, "1": 0.1, "5": 0.5, "S": 1.0, "R": 3.0, "F": 5.0, "T": 10.0, "M": 60.0}
"""USGS codes of latitude and longitude accuracy [arc seconds]; U: not known."""
METRES_IN_A_FOOT = 0.3048
USES: Mapping[str, Use] = {
    "monitoring": "monitoring", "monitoring well": "monitoring", "observation": "monitoring",
    "observation well": "monitoring", "piezometer": "monitoring", "private": "private", "private well": "private",
    "private potable": "private", "domestic": "private", "household": "private", "residential": "private",
    "production": "production", "production well": "production", "index": "index", "index well": "index",
}  # fmt: skip
"""Words for a use. An irrigation or municipal well is none of these until somebody says so."""
_IN_NAME: tuple[tuple[re.Pattern[str], Use], ...] = (
    (re.compile(r"\b(?:monitoring|observation) well\b", re.IGNORECASE), "monitoring"),
    (re.compile(r"\b(?:private|domestic) well\b", re.IGNORECASE), "private"),
    (re.compile(r"\bproduction well\b", re.IGNORECASE), "production"),
)
_LENGTH_KEYS = {"depth": "depth_ft", "screen_top": "screen_top_ft", "screen_bottom": "screen_bottom_ft",
                "casing": "casing", "land": "land"}  # fmt: skip
_GROUND, _SURFACE = ("GW",), ("ST", "LK", "SP", "ES", "WE")


@dataclass(frozen=True)
class Taken:
    """The places of a table and the rows that are none."""

    places: tuple[Place, ...]
    rejects: tuple[Reject, ...]


def places_of(
    source: Source, columns: Columns, rows: Sequence[Row], given: Mapping[int, Position | None] | None = None
) -> Taken:
    """Each row as a place, or as the reason why it is none.

    Parameters
    ----------
    given : position by row number where it does not stand in the columns (a feature's geometry).
    """
    places: list[Place] = []
    rejects: list[Reject] = []
    for row in rows:
        try:
            at = _position(row, columns) if given is None else given[row.number]
            places.append(_place(row, columns, at))
        except BadCell as bad:
            rejects.append(source.reject(row.number, bad.column, row.text(bad.column), bad.reason))
    return Taken(tuple(places), tuple(rejects))


def _place(row: Row, columns: Columns, at: Position | None) -> Place:
    said = _cell(row, columns, "use")
    name = _clean(_cell(row, columns, "name"))
    id, numbers = _id(row, columns)
    return Place(
        row=row.number, kind=_kind(row, columns), id=id, name=name, identifiers=numbers,
        numbers=tuple(dict.fromkeys(_numbers(row, columns))), use=_use(said, name),
        use_said=_clean(said), position=at, accuracy_ft=_accuracy(row, columns),
        lengths=dict(_lengths(row, columns)), quarter_quarter=quarter_quarter(_cell(row, columns, "quarter_quarter")),
        private=people(row, columns),
    )  # fmt: skip


def people(row: Row, columns: Columns) -> dict[str, str]:
    """What a row says of people, the cells of one kind joined."""
    told = {kind: [_clean(row.text(one)) for one in names] for kind, names in columns.private.items()}
    return {
        kind: joined for kind, cells in told.items() if kind != "mail" and (joined := ", ".join(filter(None, cells)))
    }


def _cell(row: Row, columns: Columns, role: str) -> str:
    text = row.text(columns.roles.get(role, ""))
    return "" if text.casefold() in MISSING else text


def _id(row: Row, columns: Columns) -> tuple[str, tuple[str, ...]]:
    """The id a row goes by, and every number it has that is written otherwise."""
    column = columns.roles["id"]
    text = _clean(_cell(row, columns, "id"))
    id = id_of(text)
    if not id:
        raise BadCell("names no well: letters or digits are needed" if text else "blank", column)
    if len(id) > LONGEST_ID:
        raise BadCell(f"longer than {LONGEST_ID} characters", column)
    others = (_clean(row.text(one)) for one in columns.ids)
    nothing = MISSING | {id.casefold()}
    return id, tuple(dict.fromkeys(one for one in (text, *others) if one.casefold() not in nothing))


def _numbers(row: Row, columns: Columns) -> Iterator[str]:
    """The numbers that the DNR gave a well: they name nobody and tell neither where it stands nor whose it is."""
    for column in columns.ids:
        text = row.text(column).strip()
        high = plain_name(column) in HIGH_CAPACITY and _HIGH_CAPACITY.fullmatch(text)
        if high or _UNIQUE.fullmatch(text):
            yield text


def id_of(text: str) -> str:
    """A name as an id of ``site.toml``: letters, digits, ``.``, ``_`` and ``-``; ``MW 3/b`` is ``MW-3-b``."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip("-._")


def _clean(text: str) -> str:
    """One line without what could drive a terminal, break a line or turn its direction."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _kind(row: Row, columns: Columns) -> Literal["well", "gauge"]:
    code = _cell(row, columns, "site_type").upper().partition("-")[0]
    if not code or code in _GROUND:
        return "well"
    if code in _SURFACE:
        return "gauge"
    raise BadCell("neither a well nor a surface water", columns.roles["site_type"])


def _use(said: str, name: str) -> Use | None:
    """In the file's own words; its column of uses stands before a name."""
    if said:
        return USES.get(" ".join(re.split(r"[\s_-]+", said.casefold())).strip())
    found = {use for pattern, use in _IN_NAME if pattern.search(name)}
    return found.pop() if len(found) == 1 else None


def _position(row: Row, columns: Columns) -> Position | None:
    degrees = columns.degrees
    across, up = ("longitude", "latitude") if degrees else ("x", "y")
    texts = _cell(row, columns, across), _cell(row, columns, up)
    if not any(texts):
        return None
    x, y = (_coordinate(columns.roles[role], text) for role, text in zip((across, up), texts, strict=True))
    system, datum = _system(row, columns)
    return Position(x, y, system, degrees, min(map(decimals, texts)) if degrees else None, datum)


def _system(row: Row, columns: Columns) -> tuple[str, str]:
    """The system a row names; of plane coordinates also the datum where it names that alone."""
    column, text = columns.roles.get("system", ""), _cell(row, columns, "system")
    if not text or (plain_name(column) in EITHER_DATUM and of_heights(text)):
        return "", ""
    if not columns.degrees and (datum := datum_named(text)):
        return "", datum
    return row.read(column, lambda one: system_named(one, degrees=columns.degrees)), ""


def _coordinate(column: str, text: str) -> float:
    if not text:
        raise BadCell("blank, and the other coordinate is not", column)
    try:
        value = number(text)
    except BadCell:
        raise BadCell("not a decimal number (degrees, minutes and seconds are not read)", column) from None
    if value in SENTINELS:
        raise BadCell("a mark for no value", column)
    return value


def decimals(text: str) -> int:
    """Digits written behind the point."""
    return len(text.partition(".")[2]) if "e" not in text.casefold() else 9


def _accuracy(row: Row, columns: Columns) -> float | None:
    """How well a position is known [ft]; of a site file by its code."""
    code = ACCURACY_SECONDS.get(_cell(row, columns, "accuracy_code").upper())
    if code is not None:
        return code * FEET_OF_ARCSECOND
    text, unit = _cell(row, columns, "accuracy"), columns.units.get("accuracy", "")
    if not text or not unit:
        return None
    value = row.read(columns.roles["accuracy"], number)
    if value < 0:
        raise BadCell("negative", columns.roles["accuracy"])
    return value if unit == "ft" else value / METRES_IN_A_FOOT


def _lengths(row: Row, columns: Columns) -> Iterator[tuple[str, Length]]:
    for role, key in _LENGTH_KEYS.items():
        if text := _cell(row, columns, role):
            if row.read(columns.roles[role], number) in SENTINELS:
                continue
            datum = _land_datum(row, columns) if role == "land" else ""
            yield key, Length(text, columns.units.get(role, ""), datum)


def _land_datum(row: Row, columns: Columns) -> str:
    """The datum of the heights; under a heading of either datum only what can be one."""
    text = _clean(_cell(row, columns, "land_datum"))
    return "" if plain_name(columns.roles.get("land_datum", "")) in EITHER_DATUM and not of_heights(text) else text
