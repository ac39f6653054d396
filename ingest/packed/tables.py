"""The tables of a delivery, each in a format that reads one table, put together as one reading.

A sheet may have lines above its header; the first line that a format knows is its header. Rows keep the numbers they
have in their sheet; those of a second sheet count from 10,000,001, of a third from 20,000,001, so that a row number
still names one row. Sheets that no format knows are named and not read, and refused where they hold
results; one whose name says that its rows are quality control or another medium than water (``QC``, ``Method Blanks``)
is set apart whole, as written, unless its rows say themselves what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import pandas as pd

from ingest.packed.delivery import Delivery, Sheet
from ingest.packed.unread import left_out
from ingest.packed.workbook import MERGED
from ingest.reading import Format, Parts, Source, beside_row, stacked
from ingest.table import read_table
from models.errors import BadFile
from models.observation import TIDY, Reject, tidy
from models.sample_types import of_sheet

HEADERS = 25
"""Lines of a sheet among which its header is looked for."""
HEAD = 200_000
NEXT_SHEET = 10_000_000
_SERIAL = re.compile(r"[1-9][0-9]{4}(?:\.[0-9]+)?")
_SERIAL_TOLD = "; a spreadsheet's serial date: give the cells a date format"

TYPED = {"ezedd", "wqp-narrow-csv", "usgs-samples-csv", "wqp-wqx3-csv"}
"""Formats whose every row says what kind of sample it is."""

T = TypeVar("T")


@dataclass(frozen=True)
class Found:
    """A sheet, the format that knows it, and its text from the header on."""

    sheet: Sheet
    format: Format
    source: Source


def read_tables(delivery: Delivery, formats: Sequence[Format], named: Format | None) -> tuple[str, Parts]:
    """Name of the format, and every sheet in it.

    Raises
    ------
    BadFile : no sheet in a known format, sheets in several, or several files that are deliveries of their own.
    """
    found = [one for sheet in delivery.sheets if (one := _recognised(sheet, formats, named)) is not None]
    if not found and named is not None:
        found = [Found(delivery.sheets[0], named, delivery.sheets[0].source)]
    if not found:
        raise _unknown(delivery)
    judged = [one for one in found if not _said_of(one)]
    names = sorted({one.format.name for one in judged or found})
    if len(names) > 1 or (len(judged) > 1 and not _of_one_workbook(judged)):
        raise BadFile(
            "several tables, each a delivery of its own: deliver them one by one", file=delivery.file,
            found=", ".join(f"{one.sheet.name} ({one.format.name})" for one in found)[:200],
        )  # fmt: skip
    others = [one for one in delivery.sheets if one not in [other.sheet for other in found]]
    unread = [one.name for one in others]
    parts = [_parts(one, place, len(found) > 1) for place, one in enumerate(found)]
    facts = {"sheets": ", ".join(one.sheet.name for one in judged), "sheets_not_read": ", ".join(unread),
             "sheets_set_apart": ", ".join(one.sheet.name for one in found if _said_of(one)),
             "not_read": ", ".join(delivery.unread)}  # fmt: skip
    whole = joined(parts, {**delivery.facts, **{name: text for name, text in facts.items() if text}})
    return names[0], replace(whole, rejects=(*whole.rejects, *left_out(others)))


def _of_one_workbook(found: Sequence[Found]) -> bool:
    return all(one.source.encoding == "xlsx" for one in found)


def _said_of(one: Found) -> str:
    """The table that all rows of a sheet belong to by its name; ``""`` for results, or where rows say it themselves."""
    return of_sheet(one.sheet.name) if one.source.encoding == "xlsx" and one.format.name not in TYPED else ""


def _recognised(sheet: Sheet, formats: Sequence[Format], named: Format | None) -> Found | None:
    lines = sheet.source.text.split("\n")
    for place in _candidates(lines):
        source = _from(sheet.source, lines, place)
        known = next((one for one in ([named] if named else formats) if one.sniff(source.text[:HEAD])), None)
        if known is not None:
            _plain_head(sheet, place + 1)
            return Found(sheet, known, source)
    return None


def _candidates(lines: Sequence[str]) -> Iterator[int]:
    filled = [place for place, line in enumerate(lines[: HEADERS * 4]) if line.strip()]
    yield from filled[:HEADERS]


def _from(source: Source, lines: Sequence[str], place: int) -> Source:
    return replace(source, text="\n" * place + "\n".join(lines[place:])) if place else source


def _plain_head(sheet: Sheet, row: int) -> None:
    """Refuse a header of which one cell spans several columns: the others have no name."""
    for one in sheet.merged:
        if one.columns and one.first <= row <= one.last:
            raise BadFile(
                "merged cells in the head: unmerge them, each column needs a name of its own",
                file=sheet.source.file, row=row, key=sheet.name, found=one.text,
            )  # fmt: skip


def _unknown(delivery: Delivery) -> BadFile:
    merged = next((one for sheet in delivery.sheets for one in sheet.merged), None)
    if merged is not None:
        return BadFile("no sheet with a head that is known, and " + MERGED, file=delivery.file, found=merged.text)
    left = [f"; {one.cell}: {one.reason}" for sheet in delivery.sheets for one in sheet.left_out][:3]
    names = ", ".join(one.name for one in delivery.sheets)
    reason = "unknown format: no sheet or member with a head that is known" + "".join(left)
    return BadFile(reason, file=delivery.file, found=names[:200])


def _parts(found: Found, place: int, several: bool) -> Parts:
    """One sheet read, its rows counted on, its cells named with their sheet where there are several."""
    said, sheet = _said_of(found), found.sheet
    parts = _as_written(found, said) if said else found.format.parse(found.source)
    left = [found.source.reject(one.row, one.cell, one.raw, one.reason) for one in sheet.left_out]
    rejects = [_serial(one) for one in sorted((*parts.rejects, *left), key=lambda one: one.row)]
    if several:
        rejects = [
            replace(one, column=f"{sheet.name}!{one.column}", row=one.row + place * NEXT_SHEET) for one in rejects
        ]
    counted = parts.observations.assign(row=parts.observations["row"] + place * NEXT_SHEET)
    tables = {name: counted_on(table, place) for name, table in parts.tables.items()}
    return replace(parts, observations=counted, rejects=tuple(rejects), tables=tables)


def _as_written(found: Found, name: str) -> Parts:
    """A sheet that is no results: every row as it stands, in one table."""
    table = read_table(found.source)
    rows = [[str(row.number), *row.cells.values()] for row in table.rows]
    frame = pd.DataFrame(rows, columns=["row", *beside_row(table.header)], dtype="str")
    return Parts(tidy(dict.fromkeys(TIDY, ())), table.rejects, tables={name: frame})


def _serial(one: Reject) -> Reject:
    """``45444`` where a date should stand is a day as a spreadsheet counts days."""
    is_one = one.reason.startswith("not a date") and _SERIAL.fullmatch(one.raw)
    return replace(one, reason=one.reason + _SERIAL_TOLD) if is_one else one


def counted_on(table: pd.DataFrame, place: int) -> pd.DataFrame:
    return table.assign(row=[str(int(row) + place * NEXT_SHEET) for row in table["row"]]) if place else table


def joined(parts: Sequence[Parts], facts: Mapping[str, str]) -> Parts:
    """Parts of one delivery as one."""
    one = parts[0]
    if len(parts) == 1:
        return replace(one, facts={**one.facts, **facts})
    names = dict.fromkeys(name for part in parts for name in part.tables)
    tables = {
        name: pd.concat([part.tables[name] for part in parts if name in part.tables]).fillna("") for name in names
    }
    told = {name: text for part in parts for name, text in part.facts.items()}
    return Parts(
        stacked([part.observations for part in parts]), tuple(reject for part in parts for reject in part.rejects),
        {**told, **facts}, _same([part.timezone for part in parts]), _same([part.datum for part in parts]), tables,
    )  # fmt: skip


def _same(values: Sequence[T | None]) -> T | None:
    return values[0] if len(set(values)) == 1 else None
