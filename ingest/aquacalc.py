"""Current-meter discharge measurement of an AquaCalc Pro (``aquacalc``).

A ``<csv>`` marker, ``key:, value`` lines, then a table of verticals in which a row taken before the last of its
vertical stops after the velocity. No unit and no zone stand in the file: feet, feet per second and cubic feet per
second are assumed and said. The measured discharge is ``Section Q``; ``Estimated Q`` is what the hydrographer keyed
in. A height of 0.00 was not entered. Layout: as seen in AquaCalc Pro Plus exports (firmware 2.2).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from ingest.cells import BadCell, number
from ingest.reading import Parts, Source, beside_row
from ingest.table import LONGEST_LINE, MAX_COLUMNS, Observation
from ingest.times import civil_day, clock_time
from models.observation import Flags, Reject, tidy

START = "<csv>"
STATION, BEGIN, END, DISCHARGE = "Sect ID", "Beg Time", "End Time", "Section Q"
HEIGHTS = {"Beg Gage height": BEGIN, "End Gage height": END}
UNITS = "ft, ft/s, ft3/s (assumed: not in the file)"
FACTS = {
    "width_ft": "Section Width", "area_ft2": "Section Area", "velocity_ft_s": "Section Velocity",
    "estimated_q": "Estimated Q", "quality": "Section Quality", "verticals": "Vertical Count", "ice": "Measure ice",
    "meter": "Meter name",
}  # fmt: skip
"""Flags of a discharge, beside the ``end`` of its measurement."""

_PAIR = re.compile(r"([A-Za-z][^,:]{0,40}):?\s*:,(.*)|(S/N):,(.*)")
_TIME = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{2})\s+([0-9]{2}:[0-9]{2})")
_CENTURY = 2000  # the instrument dates from 1997; two-digit years are of this century
_TOLERANCE = 0.01  # of Section Q: the verticals are printed to 0.01 ft3/s each


@dataclass(frozen=True)
class _Said:
    """Header values by key, with the row each stands on."""

    values: Mapping[str, str]
    rows: Mapping[str, int]

    def required(self, key: str) -> str:
        if not self.values.get(key):
            raise BadCell("blank", key)
        return self.values[key]


def sniff(head: str) -> bool:
    return head.lstrip("\ufeff \n").startswith((START, "AquaCalc")) and "AquaCalc" in head[:200]


def parse(source: Source) -> Parts:
    """One discharge at its begin, the gage heights that were entered, and the table ``verticals``.

    Raises
    ------
    BadFile : no section id, begin time or discharge that can be read.
    """
    lines = source.text.split("\n")
    said = _header(lines)
    verticals, rejects = _verticals(source, lines)
    try:
        rows = [_discharge(said, _summed(verticals))]
    except BadCell as bad:
        raise source.bad(f"{bad.column}: {bad.reason}", row=said.rows.get(bad.column, 0)) from None
    heights, refused = _heights(source, said)
    facts = {"serial": said.values.get("S/N", ""), "software": said.values.get("Firmware Version", "")}
    return Parts(
        tidy([*rows, *heights]),
        (*refused, *rejects),
        {key: text for key, text in facts.items() if text} | {"units": UNITS},
        tables={"verticals": verticals},
    )


def _header(lines: list[str]) -> _Said:
    values: dict[str, str] = {}
    rows: dict[str, int] = {}
    for place, line in enumerate(lines, 1):
        match = _PAIR.fullmatch(line) if len(line) <= LONGEST_LINE else None
        if match:
            key = " ".join((match[1] or match[3]).split())
            values.setdefault(key, (match[2] or match[4] or "").strip().rstrip(",").strip())
            rows.setdefault(key, place)
    return _Said(values, rows)


def _discharge(said: _Said, summed: float) -> Observation:
    station, text = said.required(STATION), said.required(DISCHARGE)
    value = _read(said, DISCHARGE)
    far = abs(summed - value) > _TOLERANCE * abs(value) if summed else False
    facts = {name: said.values.get(key, "") for name, key in FACTS.items()}
    qualifiers = ("differs-from-verticals",) if far else ()
    flags = Flags("", qualifiers, {"end": said.values.get(END, ""), **facts}).text()
    return (station, "discharge", "instant", "field", _time(said, BEGIN), "naive", value, text, "cfs", flags,
            said.rows[DISCHARGE])  # fmt: skip


def _heights(source: Source, said: _Said) -> tuple[list[Observation], list[Reject]]:
    taken: list[Observation] = []
    refused = []
    for key, at in HEIGHTS.items():
        text, row = said.values.get(key, ""), said.rows.get(key, 0)
        try:
            if text and _read(said, key) != 0:
                station, value = said.required(STATION), _read(said, key)
                taken.append(
                    (station, "stage", "instant", "field", _time(said, at), "naive", value, text, "ft", "", row)
                )
        except BadCell as bad:
            refused.append(source.reject(row, bad.column or key, text, bad.reason))
    return taken, refused


def _read(said: _Said, key: str) -> float:
    try:
        return number(said.values[key])
    except BadCell as bad:
        raise BadCell(bad.reason, key) from None


def _time(said: _Said, key: str) -> int:
    match = _TIME.fullmatch(said.required(key))
    if match is None:
        raise BadCell("not a time written MM/DD/YY HH:MM", key)
    try:
        return civil_day(_CENTURY + int(match[3]), int(match[1]), int(match[2])) + clock_time(match[4])
    except BadCell as bad:
        raise BadCell(bad.reason, key) from None


def _verticals(source: Source, lines: list[str]) -> tuple[pd.DataFrame, list[Reject]]:
    """The table as written; a short row is filled up with blanks, a row with too many cells is refused."""
    start = next((place for place, line in enumerate(lines) if line.startswith("VERT,")), len(lines) - 1)
    header = _cells(lines[start]) if lines[start].startswith("VERT,") else ["VERT"]
    rows, rejects = [], []
    for place in range(start + 1, len(lines)):
        cells = _cells(lines[place])
        if not cells or not cells[0][:1].isdigit():
            continue
        if len(cells) > len(header):
            rejects.append(source.reject(place + 1, "", cells[0], f"{len(cells)} cells under {len(header)} columns"))
            continue
        rows.append([str(place + 1), *cells, *[""] * (len(header) - len(cells))])
    return pd.DataFrame(rows, columns=["row", *beside_row(header)], dtype="str"), rejects


def _summed(verticals: pd.DataFrame) -> float:
    """Discharge over the verticals; 0 where the table has none that can be read."""
    if "SSQ" not in verticals.columns or not verticals.columns.is_unique:
        return 0.0
    return float(pd.to_numeric(verticals["SSQ"], errors="coerce").fillna(0.0).sum())


def _cells(line: str) -> list[str]:
    if len(line) > LONGEST_LINE or line.count(",") > MAX_COLUMNS:
        return []
    try:
        return [cell.strip() for cell in next(csv.reader([line]), [])]
    except csv.Error:
        return []
