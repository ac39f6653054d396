"""Numbers with marks in them: one decimal mark for a whole file, found in what can be read one way only, or told.

``1,234`` is 1234 or 1.234. A number with both marks (``1,234.56``), with a mark twice (``1.234.567``) or with other
than three digits behind its mark (``12,75``) shows which is meant, for every number of the file. A number that is not
valid then is refused; where nothing shows it and a comma stands in a number, the file is.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingest.reading import DecimalMark, Source
from models.errors import BadFile
from models.observation import Reject

_LIMIT = r"(?:ND)?\s*[<>]?\s*[-+]?"
_NUMBER = re.compile(rf"{_LIMIT}[0-9.,]*[0-9][0-9.,]*", re.IGNORECASE)
_MARKED = re.compile(r'(?:"|[;\t])\s*[<>]?\s*[-+]?[0-9][0-9.]*,[0-9]')
_VALID: dict[DecimalMark, re.Pattern[str]] = {
    "point": re.compile(rf"{_LIMIT}(?:[0-9]{{1,3}}(?:,[0-9]{{3}})+|[0-9]+)?(?:\.[0-9]*)?", re.IGNORECASE),
    "comma": re.compile(rf"{_LIMIT}(?:[0-9]{{1,3}}(?:\.[0-9]{{3}})+|[0-9]+)?(?:,[0-9]*)?", re.IGNORECASE),
}
_DIGITS = re.compile(r"[0-9][0-9.,]*")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")


@dataclass(frozen=True)
class Found:
    """Rows that show a mark: ``certain`` by both marks or one twice, ``likely`` by the digits behind it."""

    certain: dict[DecimalMark, int]
    likely: dict[DecimalMark, int]
    open: tuple[int, str] | None


def with_commas(source: Source) -> Source:
    """A table between semicolons or tabs as one between commas, line for line; any other as it is."""
    first = next((line for line in source.text.split("\n") if line.strip()), "")
    mark = max(";\t", key=first.count)
    if first.count(mark) <= first.count(","):
        return source
    lines = (",".join(map(_quoted, line.split(mark))) if line else "" for line in source.text.split("\n"))
    return replace(source, text="\n".join(lines))


def localised(source: Source) -> tuple[Source, tuple[Reject, ...]]:
    """The table with a point for every decimal mark and no other mark, and the rows whose numbers are not valid so.

    Raises
    ------
    BadFile : two marks that contradict each other, or none that can be told.
    """
    if _MARKED.search(source.text) is None:
        return source, ()
    lines = source.text.split("\n")
    if any(line.count('"') % 2 for line in lines):
        return source, ()  # cells with line breaks in them: read as they are
    cells = [(number, list(_split(line))) for number, line in enumerate(lines, 1) if line]
    columns = _numeric(cells)
    if not columns:
        return source, ()
    mark = _mark(source, _evidence(cells, columns))
    rejects = []
    separator = _separator(lines)
    for number, row in cells[1:]:
        wrong = next((row[one] for one in columns if one < len(row) and not _valid(row[one], mark)), None)
        if wrong is not None:
            rejects.append(source.reject(number, "", wrong, f"{wrong} is not valid where the decimal mark is a {mark}"))
        kept = [_plain(cell, mark) if place in columns else cell for place, cell in enumerate(row)]
        lines[number - 1] = "" if wrong is not None else separator.join(map(_quoted, kept))
    return replace(source, text="\n".join(lines)), tuple(rejects)


def _separator(lines: Sequence[str]) -> str:
    first = next((line for line in lines if line), "")
    return max(",;\t", key=first.count)


def _split(line: str) -> Iterator[str]:
    """Cells in quotes as a whole or not at all, between commas, semicolons or tabs."""
    mark = "\t" if "\t" in line else ";" if ";" in line and line.count(";") >= line.count(",") else ","
    yield from (cell.strip() for cell in next(csv.reader([line], delimiter=mark), []))


def _quoted(cell: str) -> str:
    return '"' + cell.strip().replace('"', '""') + '"' if set(cell) & set(',;"\t') else cell.strip()


def _numeric(cells: Sequence[tuple[int, list[str]]]) -> set[int]:
    """Columns with a comma in a number, of which at least half are numbers."""
    numbers: Counter[int] = Counter()
    filled: Counter[int] = Counter()
    marked: set[int] = set()
    for _, row in cells[1:]:
        for place, cell in enumerate(row):
            filled[place] += bool(cell)
            if _NUMBER.fullmatch(cell):
                numbers[place] += 1
                marked |= {place} if "," in cell else set()
    return {place for place in marked if 2 * numbers[place] >= filled[place]}


def _evidence(cells: Sequence[tuple[int, list[str]]], columns: set[int]) -> Found:
    certain: dict[DecimalMark, int] = {}
    likely: dict[DecimalMark, int] = {}
    undecided: tuple[int, str] | None = None
    for number, row in cells[1:]:
        for cell in (row[place] for place in columns if place < len(row) and _NUMBER.fullmatch(row[place])):
            digits = match[0] if (match := _DIGITS.search(cell)) else ""
            marks = [mark for mark in digits if mark in ".,"]
            if len(marks) > 1:
                certain.setdefault(_name(marks[-1] if len(set(marks)) > 1 else _other(marks[0])), number)
            elif marks and not _GROUPED.fullmatch(digits):
                likely.setdefault(_name(marks[0]), number)
            elif marks == [","] and undecided is None:
                undecided = (number, cell)
    return Found(certain, likely, undecided)


def _mark(source: Source, found: Found) -> DecimalMark:
    told = source.told.decimal
    if len(found.certain) > 1:
        rows = ", ".join(f"row {row} a {mark}" for mark, row in found.certain.items())
        raise source.bad(f"two decimal marks in one file: {rows}")
    shown = next(iter(found.certain), None) or (next(iter(found.likely)) if len(found.likely) == 1 else None)
    if told or shown:
        return told or shown or "point"
    if found.likely:
        return "point"
    row, cell = found.open or (0, "")
    raise BadFile(
        f"{cell} is {cell.replace(',', '')} or {cell.replace(',', '.')}; say which with --decimal",
        file=source.file, row=row, allowed=("point", "comma"),
    )  # fmt: skip


def _valid(cell: str, mark: DecimalMark) -> bool:
    return not _NUMBER.fullmatch(cell) or bool(_VALID[mark].fullmatch(cell))


def _plain(cell: str, mark: DecimalMark) -> str:
    if not _NUMBER.fullmatch(cell):
        return cell
    return cell.replace(",", "") if mark == "point" else cell.replace(".", "").replace(",", ".")


def _name(mark: str) -> DecimalMark:
    return "point" if mark == "." else "comma"


def _other(mark: str) -> str:
    return "," if mark == "." else "."
