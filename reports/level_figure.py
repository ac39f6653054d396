"""Figures of one logger in a well: its depths before and after correction beside the tape, and what it felt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reports import figure_parts as parts
from reports.figure_parts import Days, Figure, Marks, Numbers, Parts

GAP = np.timedelta64(26, "h")
"""Readings further apart are not joined: the longest civil day and an hour."""
MOST_MARKS = 2000
FLAGS = ((3, "Suspect", parts.ORANGE, "diamond-open"), (4, "Fails", parts.VERMILION, "x"))


@dataclass(frozen=True)
class LevelLines:
    """What is drawn; times datetime64[m], depths below land and heads [ft], NaN where not known, in order of time.

    ``hand``: (time, depth) of tape readings. ``steps``: (time, words) of corrections.
    """

    raw: tuple[Days, Numbers]
    corrected: tuple[Days, Numbers]
    flags: np.ndarray
    hand: tuple[Days, Numbers]
    steps: Sequence[tuple[str, str]]
    stored: Numbers
    air: Numbers


def depth_figure(of: LevelLines) -> Figure:
    """Depth to water, deeper downward: before and after correction, tape readings, flagged readings."""
    data = [
        _line("Before correction", of.raw, parts.GREY, "dot"),
        _line("Corrected", of.corrected, parts.BLUE, "solid"),
        *_flagged(of),
        *_hand(of),
    ]
    marks = [parts.upright(at, parts.plain(says), 1 - 0.06 * (k % 3)) for k, (at, says) in enumerate(of.steps)]
    more = {"shapes": [line for line, _ in marks], "annotations": [label for _, label in marks]} if marks else {}
    axes = {"xaxis": parts.day_axis(), "yaxis": parts.axis("Depth to water below land, ft", autorange="reversed")}
    return {"data": data, "layout": parts.layout("", **axes, **more)}


def felt_figure(of: LevelLines) -> Figure:
    """What the logger stored and the air over it [ft of water], each on an axis of its own."""
    stored = _line("Logger, as stored", (of.raw[0], of.stored), parts.GREEN, "solid")
    air = _line("Air", (of.raw[0], of.air), parts.PURPLE, "solid") | {"yaxis": "y2"}
    right = parts.axis("Air, ft of water", overlaying="y", side="right", showgrid=False)
    axes = {"xaxis": parts.day_axis(), "yaxis": parts.axis("Logger, ft of water"), "yaxis2": right}
    frame = parts.layout("", **axes)
    return {"data": [stored, air], "layout": frame | {"margin": frame["margin"] | {"r": 60}}}


def _line(name: str, at: tuple[Days, Numbers], colour: str, dash: str) -> Parts:
    known = ~np.isnan(at[1])
    when, value = at[0][known], at[1][known]
    breaks: Marks = np.append(np.diff(when) > GAP, False)[: value.size]
    hover = "%{x}<br>%{y:.3f} ft<extra>%{fullData.name}</extra>"
    style = {"color": colour, "width": 1.6, "dash": dash}
    drawn = parts.broken_line(when, value, breaks)
    return parts.trace(name, drawn, mode="lines", line=style, hovertemplate=hover)


def _flagged(of: LevelLines) -> list[Parts]:
    """Readings that a test finds suspect or fails; of very many every so many, and the legend says how many there
    are."""
    found = []
    for flag, name, colour, symbol in FLAGS:
        places = np.flatnonzero((of.flags == flag) & ~np.isnan(of.corrected[1]))
        if places.size:
            shown = places[:: max(1, -(-places.size // MOST_MARKS))]
            at = parts.time_text(of.corrected[0][shown]).tolist(), np.round(of.corrected[1][shown], 3).tolist()
            mark = {"color": colour, "symbol": symbol, "size": 7}
            found.append(parts.trace(f"{name} ({places.size})", at, mode="markers", marker=mark))
    return found


def _hand(of: LevelLines) -> list[Parts]:
    if not of.hand[1].size:
        return []
    at = parts.time_text(of.hand[0]).tolist(), np.round(of.hand[1], 3).tolist()
    mark = {"color": parts.INK, "symbol": "circle-open", "size": 9, "line": {"width": 2}}
    return [parts.trace("Tape", at, mode="markers", marker=mark, hovertemplate="%{x}<br>tape %{y} ft<extra></extra>")]
