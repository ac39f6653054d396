"""The csv of a VuSitu or HydroVu report (``insitu-vusitu-csv``); what its lines mean stands in ``vusitu``."""

from __future__ import annotations

import re

from ingest.loggers.grid import grid, names, split
from ingest.loggers.vusitu import Report, channels_of, parts
from ingest.reading import Parts, Source

_HEADER_LINES, _MOST_PROPERTIES, _LONGEST = 400, 200, 300
_TABLE = re.compile(r'"?Date ?Time"?(?P<delimiter>[,;\t])[^\n]*', re.IGNORECASE)
_PROPERTY = re.compile(r'"?(?P<label>[A-Za-z][^=,"]{0,60}?)\s*[=,]\s*"?(?P<value>[^"]*?)"?[,;\s]*')
_GROUP = re.compile(r'"?(?:Location|Report|Instrument|Device|Log) (?:Properties|Data|Configuration|Notes)"?[,;\s]*')


def sniff(head: str) -> bool:
    lines = head.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    grouped = any(_GROUP.fullmatch(line) for line in lines)
    return grouped and any(_TABLE.fullmatch(line) for line in lines)


def parse(source: Source) -> Parts:
    """Every column that is known.

    Raises
    ------
    BadFile : no table that begins with Date Time, and as ``vusitu.parts``.
    """
    lines = source.text.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    found = next(((n, match) for n, line in enumerate(lines) if (match := _TABLE.fullmatch(line))), None)
    if found is None:
        raise source.bad("no header row with Date Time")
    place, match = found
    columns = names(source, split(lines[place], match["delimiter"]), place + 1)
    report = Report(_properties(lines[:place]), columns, place + 1)
    channels, rejects = channels_of(source, report)
    table, misfits = grid(source, columns, place + 1, match["delimiter"], len(channels))
    return parts(source, report, channels, table, [*rejects, *misfits], {})


def _properties(lines: list[str]) -> dict[str, str]:
    """Properties by label; of two of one label (a logger and the cable above it) the first stands."""
    found: dict[str, str] = {}
    for line in lines:
        match = _PROPERTY.fullmatch(line) if len(line) <= _LONGEST else None
        if match is not None and len(found) < _MOST_PROPERTIES:
            found.setdefault(match["label"].strip().casefold(), match["value"].strip())
    return found
