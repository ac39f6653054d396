"""USGS stage-discharge ratings (``nwis-rdb-rating``): ``exsa`` (expanded, shift adjusted), ``base`` and ``corr``.

The table is ``tables["rating"]``; what stands above it in lines like ``# //RATING OFFSET1=2.0`` are facts
(``rating_offset1``), and line by line ``tables["rating_header"]``. A key said more than once, as the periods of a
rating and its shifts are, is one fact of several texts joined by `` | ``.
Source: USGS, "NWIS rating tables", output of the ratings service.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd

from ingest.cells import BadCell, number
from ingest.rdb.table import bodies, file_facts, headers, require_columns, table, text_frame
from ingest.reading import Parts, Source, stacked
from ingest.table import Row, in_order
from models.observation import Reject

NUMBERS = ("INDEP", "SHIFT", "DEP", "CORR", "CORRINDEP")

_MARK = re.compile(r"^#\s*//FILE TYPE=\"NWIS RATING\"", re.MULTILINE)
_DIRECTIVE = re.compile(r"#\s*//([A-Z][A-Z0-9_]{0,39}) ([^\n]{1,2000})")
_PAIR = re.compile(r"([A-Z][A-Z0-9_]{0,39})=(?:\"([^\"]*)\"|(\S*))")
_MAX_LINES = 100_000


def sniff(head: str) -> bool:
    """The mark of a rating file, or a table of ``INDEP`` and what depends on it."""
    return _MARK.search(head) is not None or any(
        "INDEP" in names and names & {"DEP", "CORR"} for names in headers(head)
    )


def parse(source: Source) -> Parts:
    """Points of the rating as they are written; a point that is no number is refused."""
    said = pd.DataFrame(list(_directives(source)), columns=["row", "line", "key", "value"])
    rejects: list[Reject] = []
    points: list[pd.DataFrame] = []
    for body in bodies(source):
        require_columns(source, body, "INDEP")
        rows = table(source, body)
        rejects += rows.rejects
        points.append(text_frame(body.header, [row for row in rows.rows if _is_point(source, row, rejects)]))
    facts = file_facts(source) | _facts(said)
    said = said.astype({"line": "str", "key": "str", "value": "str"})
    tables = {"rating": pd.concat(points, ignore_index=True).fillna(""), "rating_header": said}
    zone = facts.get("station_time_zone")
    return Parts(stacked([]), in_order(rejects), facts, zone, tables=tables)


def _directives(source: Source) -> Iterator[tuple[int, str, str, str]]:
    """Row, line name, key and value of everything said above the table."""
    for row, line in enumerate(source.text.split("\n", _MAX_LINES)[:_MAX_LINES], 1):
        match = _DIRECTIVE.match(line)
        for key, quoted, bare in _PAIR.findall(match[2]) if match else ():
            yield row, match[1] if match else "", key, (quoted or bare).strip()


def _facts(said: pd.DataFrame) -> dict[str, str]:
    facts: dict[str, list[str]] = {}
    for line, key, value in zip(said["line"], said["key"], said["value"], strict=True):
        facts.setdefault(f"{line}_{key}".lower(), []).append(value)
    return {key: " | ".join(values) for key, values in facts.items() if any(values)}


def _is_point(source: Source, row: Row, rejects: list[Reject]) -> bool:
    try:
        for name in NUMBERS:
            if name in row.cells:
                row.read(name, number)
    except BadCell as bad:
        rejects.append(source.reject(row.number, bad.column, row.text(bad.column), bad.reason))
        return False
    return True
