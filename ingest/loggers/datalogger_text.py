"""The text that Solinst's and Van Essen's first programs share: ``Data file for DataLogger.``, sections, then records.

Sections ``[Name]`` hold lines ``key =value``. Below ``[Data]`` stands the number of records, then one record a line
(date, time, a value for each channel, parted by blanks), then a line that says it is the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ingest.cells import counted
from ingest.loggers.grid import Grid
from ingest.reading import Source
from ingest.table import LONGEST_LINE
from models.observation import Reject

FIRST_LINE = "Data file for DataLogger."
END = "END OF DATA FILE"
DAY, CLOCK = "date", "time"

_HEADER_LINES = 300
_SECTION = re.compile(r"\[([^\]]{1,60})\]")
_CHANNEL = re.compile(r"channel ([0-9]{1,2})(.*)", re.IGNORECASE)
_SERIAL = re.compile(r"[-\s]([0-9A-Z]{2,20})(?=\s|$)")


@dataclass(frozen=True)
class Head:
    """What stands above the records.

    Parameters
    ----------
    keys : first value of each key outside the channels' sections, by key in lower case; a later section's value that
        is not blank replaces one that is.
    channels : keys of each channel by its number: of the section "from data header" where there is one.
    data_row : row of the line ``[Data]``, from 1; 0 where there is none.
    """

    keys: Mapping[str, str]
    channels: Mapping[int, Mapping[str, str]]
    data_row: int


def is_one(head: str) -> bool:
    return head.lstrip("\ufeff").startswith(FIRST_LINE)


def head_of(source: Source) -> Head:
    keys: dict[str, str] = {}
    channels: dict[int, dict[str, str]] = {}
    section = keys
    for row, line in enumerate(source.text.split("\n", _HEADER_LINES)[:_HEADER_LINES], 1):
        name = _SECTION.fullmatch(line.strip())
        if name and name[1].casefold() == "data":
            return Head(keys, channels, row)
        if name:
            section = _opened(keys, channels, name[1])
        else:
            _keep(section, line)
    return Head(keys, channels, 0)


def _opened(keys: dict[str, str], channels: dict[int, dict[str, str]], name: str) -> dict[str, str]:
    """The keys that a section's lines go into: what the header of the data says of a channel stands alone."""
    match = _CHANNEL.match(name)
    if match is None:
        return keys
    if "header" in match[2].casefold() or int(match[1]) not in channels:
        channels[int(match[1])] = {}
    return channels[int(match[1])]


def _keep(section: dict[str, str], line: str) -> None:
    key, mark, value = line[:LONGEST_LINE].partition("=" if "=" in line else ":")
    name = " ".join(key.casefold().split())
    if mark and name and not section.get(name):
        section[name] = value.strip()


def serial_of(text: str) -> str:
    """``.. 0-1062280 2..`` or ``.N01-C4080  216.``: the part behind the hyphen."""
    match = _SERIAL.search(text)
    return match[1] if match else text.strip(" .")


def records(source: Source, head: Head, channels: Sequence[str], lost: int) -> tuple[Grid, list[Reject]]:
    """Every record as columns ``date``, ``time`` and one for each channel.

    Parameters
    ----------
    lost : how many values a record that does not fit leaves out.
    """
    rows: list[int] = []
    found: list[list[str]] = []
    rejects: list[Reject] = []
    for row, line in _lines(source, head.data_row):
        cells = line.split(None, len(channels) + 2) if len(line) <= LONGEST_LINE else []
        if len(cells) == len(channels) + 2:
            rows.append(row)
            found.append(cells)
        else:
            rejects.append(source.reject(row, "", line, _misfit(cells, channels), lost))
    columns = [DAY, CLOCK, *channels]
    return Grid(rows, {name: [cells[n] for cells in found] for n, name in enumerate(columns)}), rejects


def _lines(source: Source, data_row: int) -> Iterator[tuple[int, str]]:
    """Lines of records: neither their number, which comes first, nor the line that ends them."""
    first = True
    for row, line in enumerate(source.text.split("\n"), 1):
        if row <= data_row or not line or line.isspace() or line.lstrip().startswith(END):
            continue
        if not (first and line.strip().isdecimal()):
            yield row, line
        first = False


def declared(source: Source, head: Head) -> str:
    """The number of records that the file states, ``""`` where it states none."""
    for line in source.text.split("\n", head.data_row + 5)[head.data_row : head.data_row + 5]:
        if line.strip():
            return line.strip() if line.strip().isdecimal() else ""
    return ""


def _misfit(cells: Sequence[str], channels: Sequence[str]) -> str:
    if not cells:
        return "the line is far too long"
    return f"not a date, a time and {counted(len(channels), 'value')}"
