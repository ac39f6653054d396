"""Concentration over time of one substance: results, what hides below a limit, and the standards as the law had them.

A non-detect is a hollow mark at its limit, an estimate (J) a diamond. Only numbers of one station that follow each
other without a gap or a non-detect are joined. What is not judged (a field duplicate, the other fraction) is grey. The
PAL is dashed, the ES solid, and a standard that changed has a step on the day it changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np

from models.units import factor
from reports import figure_parts as parts
from reports.figure_parts import Figure, Parts

Row = Mapping[str, Any]
COLOURS = (parts.BLUE, parts.GREEN, parts.PURPLE, parts.ORANGE, parts.SKY, parts.INK)
ESTIMATED = "J"
LONGEST_JOINED = 2.5
"""Results are joined across at most this many of the usual intervals between samples."""
MARGIN = 0.03
DASH = {"PAL": "dash", "ES": "solid"}


@dataclass(frozen=True)
class Step:
    """One standard while it is law, in its own unit; a day that is not known is None."""

    kind: str
    table: str
    value: float
    unit: str
    since: date | None
    until: date | None
    words: str


@dataclass(frozen=True)
class Beside:
    """One result that is shown and not judged."""

    sampled: str
    value: float
    unit: str
    says: str


def concentration_over_time(rows: Sequence[Row], steps: Sequence[Step], beside: Sequence[Beside]) -> Figure:
    """The figure of one substance.

    Parameters
    ----------
    rows : verdicts as ``headwater quality --json`` gives them, of one substance; several of one result are one mark.
    steps : its standards. Everything is drawn in the unit of the first row, on a log axis.
    """
    unit = str(rows[0]["unit"])
    results = list({(one["station"], tuple(one["row_ids"]), one["sampled"]): one for one in rows}.values())
    stations = sorted({str(one["station"]) for one in results})
    data = [
        trace
        for k, station in enumerate(stations)
        for trace in _station(
            station, [one for one in results if one["station"] == station], unit, COLOURS[k % len(COLOURS)]
        )
    ]
    span = _span([str(one["sampled"]) for one in results])
    own = [one for one in steps if time_of(one, span) is not None and one.value > 0]
    data += [_standard(one, unit, span) for one in own]
    data += _grey(beside, unit)
    drawn = [y for one in data for y in one["y"] if y is not None]
    axis = parts.log_axis(f"{parts.plain(unit)} (log)", np.array(drawn, np.float64))
    return {"data": data, "layout": parts.layout("", xaxis=parts.day_axis(range=list(span)), yaxis=axis)}


def time_of(step: Step, span: tuple[str, str]) -> tuple[str, str] | None:
    """The part of the figure over which a standard is law."""
    first = max(span[0], "" if step.since is None else step.since.isoformat())
    last = min(span[1], "9999-12-31" if step.until is None else step.until.isoformat())
    return (first, last) if first < last else None


def _station(name: str, rows: Sequence[Row], unit: str, colour: str) -> list[Parts]:
    ordered = sorted(rows, key=lambda one: str(one["sampled"]))
    sure = [one for one in ordered if _is_number(one) and not _estimated(one)]
    estimated = [one for one in ordered if _is_number(one) and _estimated(one)]
    hidden = [one for one in ordered if not one["detected"] and one["below"]]
    kinds = (
        (name, sure, "circle", "value"), (f"{name}, estimated (J)", estimated, "diamond", "value"),
        (f"{name}, not detected: at its limit", hidden, "circle-open", "below"),
    )  # fmt: skip
    marks = [_marks(title, own, unit, colour, symbol, key) for title, own, symbol, key in kinds if own]
    return [*_lines(name, ordered, unit, colour), *marks]


def _is_number(one: Row) -> bool:
    return one["value"] is not None and one["value"] > 0


def _estimated(one: Row) -> bool:
    return ESTIMATED in str(one["measured"]).split()[2:]


def _in(one: Row, key: str, unit: str) -> float:
    return float(f"{one[key] * float(factor(str(one['unit']), unit)):.6g}")


def _marks(title: str, rows: Sequence[Row], unit: str, colour: str, symbol: str, key: str) -> Parts:
    at = [str(one["sampled"]) for one in rows], [_in(one, key, unit) for one in rows]
    mark = {"size": 9, "symbol": symbol, "color": colour, "line": {"width": 1.6, "color": colour}}
    text = [parts.plain(f"{one['measured']}: {_worst(one)}") for one in rows]
    hover = "%{x}<br>%{text}<extra>%{fullData.name}</extra>"
    return parts.trace(parts.plain(title), at, mode="markers", marker=mark, text=text, hovertemplate=hover)


def _worst(one: Row) -> str:
    return str(one["nr140_status"]).replace("_", " ")


def _lines(name: str, ordered: Sequence[Row], unit: str, colour: str) -> list[Parts]:
    """Between neighbours with a number; a non-detect and a gap part them."""
    days = np.array([str(one["sampled"]) for one in ordered], "datetime64[D]")
    apart = np.diff(days).astype(np.int64)
    longest = LONGEST_JOINED * float(np.median(apart[apart > 0])) if (apart > 0).any() else 0
    x: list[str | None] = []
    y: list[float | None] = []
    for k, one in enumerate(ordered):
        if k and (apart[k - 1] > longest or not _is_number(one)):
            x.append(None)
            y.append(None)
        if _is_number(one):
            x.append(str(one["sampled"]))
            y.append(_in(one, "value", unit))
    style = {"color": colour, "width": 1}
    more = {"mode": "lines", "line": style, "showlegend": False, "hoverinfo": "skip"}
    return [parts.trace(parts.plain(name), (x, y), **more)] if any(y) else []


def _span(days: Iterable[str]) -> tuple[str, str]:
    """First and last day with a margin, so that no mark stands on the edge."""
    known = sorted(date.fromisoformat(one) for one in days)
    margin = max(int((known[-1] - known[0]).days * MARGIN), 10)
    return (known[0] - timedelta(margin)).isoformat(), (known[-1] + timedelta(margin)).isoformat()


def _standard(one: Step, unit: str, span: tuple[str, str]) -> Parts:
    """A standard over the time it is law; its name and number stand in the legend."""
    first, last = time_of(one, span) or span
    y = float(f"{one.value * float(factor(one.unit, unit)):.6g}")
    name = f"{one.kind} {one.value:g} {one.unit} ({one.words})"
    line = {"color": parts.VERMILION, "width": 2.2 if one.kind == "ES" else 1.6, "dash": DASH[one.kind]}
    hover = "%{fullData.name}<extra></extra>"
    at = [first, last], [y, y]
    return parts.trace(parts.plain(name), at, mode="lines", line=line, hovertemplate=hover)


def _grey(beside: Sequence[Beside], unit: str) -> list[Parts]:
    if not beside:
        return []
    at = (
        [one.sampled for one in beside],
        [float(f"{one.value * float(factor(one.unit, unit)):.6g}") for one in beside],
    )
    mark = {"size": 8, "symbol": "x-thin", "line": {"width": 1.8, "color": parts.GREY}}
    text = [parts.plain(one.says, 90) for one in beside]
    hover = "%{x}<br>%{text}<extra>not judged</extra>"
    return [parts.trace("Shown, not judged", at, mode="markers", marker=mark, text=text, hovertemplate=hover)]
