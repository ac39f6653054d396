"""Daily mean flow or stage of an Austrian station (``ehyd-daily``), the Hydrographic Central Office's export.

``key: ;value`` lines, blocks with dated rows (gauge zero, catchment, position), then ``Werte:`` and
``DD.MM.YYYY HH:MM:SS; value`` with a decimal comma and ``Lücke`` for a gap. The clock time of a daily mean says
nothing: the first stamp may read 02:00 and is still that civil day. Stage is in cm above the gauge zero of its day, so
that a change of zero moves the series; the zeros are the table ``gauge_zero``. Definition: eHYD export, file types
Q-Tagesmittel and W-Tagesmittel.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise

import pandas as pd

from ingest.cells import BadCell, dotted, plain
from ingest.reading import Parts, Source
from ingest.table import LONGEST_LINE, Observation
from ingest.times import civil_day, clock_time
from models.observation import DAY_MS, Flags, Reject, tidy

STATION, UNIT, SERIES, VALUES = "HZB-Nummer", "Einheit", "Exportzeitreihe", "Werte:"
ZERO = "Pegelnullpunkt"
MEASURES = {"m³/s": ("discharge", "m3/s"), "m3/s": ("discharge", "m3/s"), "cm": ("stage", "cm")}
GAP = "lücke"
FACTS = {"location": "Messstelle", "stream": "Gewässer", "export_series": SERIES, "export_span": "Exportzeitraum"}
FIRST_LINES = 400

_PAIR = re.compile(r"(\S[^:;]{0,60}?)\s*:\s*;?(.*)")
_DATED = re.compile(r"\s*([0-9]{2})\.([0-9]{2})\.([0-9]{4})\s*;(.*)")
_STAMP = re.compile(r"([0-9]{2})\.([0-9]{2})\.([0-9]{4})(?:\s+([0-9]{2}:[0-9]{2}:[0-9]{2}))?")
_EXTREME = re.compile(r"\b(?:max|min)", re.IGNORECASE)


def sniff(head: str) -> bool:
    lines = head.split("\n", FIRST_LINES)[:FIRST_LINES]
    return any(line.startswith(STATION) for line in lines) and any(line.strip() == VALUES for line in lines)


def parse(source: Source) -> Parts:
    """Daily means by civil day, and the gauge's zero through time.

    Raises
    ------
    BadFile : no station number, no ``Werte:``, a unit other than m³/s and cm, or a series that is not daily.
    """
    lines = source.text.split("\n")
    start = next((place for place, line in enumerate(lines) if line.strip() == VALUES), None)
    head = _pairs(lines[: start or 0])
    if start is None or not head.get(STATION):
        raise source.bad("no HZB-Nummer, or no Werte:")
    said = head.get(UNIT, "").strip("[] ")
    if said not in MEASURES:
        raise source.bad("the unit is neither m³/s nor cm", found=said)
    rows, rejects = _rows(source, lines, start + 1, head[STATION], *MEASURES[said])
    if _EXTREME.search(head.get(SERIES, "")) or not _is_daily([row[4] for row in rows]):
        raise source.bad("not a series of daily means", found=head.get(SERIES, ""))
    zeros = _zeros(lines[:start])
    facts = {name: head[key] for name, key in FACTS.items() if head.get(key)}
    return Parts(tidy(rows), tuple(rejects), facts, datum=_datum(zeros), tables={"gauge_zero": zeros})


def _pairs(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        match = _PAIR.fullmatch(line) if len(line) <= LONGEST_LINE else None
        if match:
            found.setdefault(match[1].strip(), match[2].strip())
    return found


def _zeros(lines: list[str]) -> pd.DataFrame:
    """Gauge zero [m above Adriatic] and the day it holds from, as written."""
    rows = [
        (str(row), f"{match[1]}.{match[2]}.{match[3]}", match[4].strip()) for row, match in _block(lines) if match[4]
    ]
    return pd.DataFrame(rows, columns=["row", "valid_from", "zero_m"], dtype="str")


def _block(lines: list[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """The dated rows under the gauge zero's own heading, up to the next heading."""
    inside = False
    for row, line in enumerate(lines, 1):
        if line[:1].strip():
            inside = line.startswith(ZERO)
        match = _DATED.fullmatch(line) if inside and len(line) <= LONGEST_LINE else None
        if match:
            yield row, match


def _datum(zeros: pd.DataFrame) -> str | None:
    """``gauge zero 140.48 m a.s.l. from 1976-01-01, 139.48 m from 2004-01-01``."""
    parts = [
        f"{dotted(str(one['zero_m']))} m a.s.l. from {'-'.join(reversed(str(one['valid_from']).split('.')))}"
        for one in zeros.to_dict("records")
    ]
    return f"gauge zero {', '.join(parts)}" if parts else None


def _rows(
    source: Source, lines: list[str], start: int, station: str, parameter: str, unit: str
) -> tuple[list[Observation], list[Reject]]:
    taken: list[Observation] = []
    refused = []
    for row, line in enumerate(lines[start:], start + 1):
        if not line.strip():
            continue
        try:
            time, value, text, flags = _day(line)
            taken.append((station, parameter, "mean", "", time, "day", value, text, unit, flags, row))
        except BadCell as bad:
            refused.append(source.reject(row, bad.column, line, bad.reason))
    return taken, refused


def _day(line: str) -> tuple[int, float, str, str]:
    stamp, _, cell = line[:LONGEST_LINE].partition(";")
    text = cell.strip(" ;")
    match = _STAMP.fullmatch(stamp.strip())
    if match is None:
        raise BadCell("not a day written DD.MM.YYYY", "time")
    clock_time(match[4] or "00:00")
    time = civil_day(int(match[3]), int(match[2]), int(match[1]))
    if text.casefold() == GAP:
        return time, math.nan, "", Flags("", (text,)).text()
    if not text:
        raise BadCell("blank", "value")
    found = plain(dotted(text))
    return time, found.value, found.text, Flags("", found.qualifiers).text()


def _is_daily(times: list[int]) -> bool:
    """Most steps are one day; a file of one value says nothing against it."""
    steps = [late - early for early, late in pairwise(times)]
    return bool(times) and 2 * sum(step == DAY_MS for step in steps) >= len(steps)
