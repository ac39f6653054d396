"""Hydrographs and concentrations over time, as figures for a page or a report.

What is not known is not drawn: gaps are not joined, a non-detect is a hollow mark at its LOD, a dry well
is a mark below the last water. Frames are those of the record's excerpts; every figure is a plain dictionary.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from models.units import factor
from reports import figure_parts as parts
from reports.figure_parts import Figure, Marks, Numbers, Parts
from reports.stream_days import StreamDays, stream_days

Steps = Sequence[tuple[date, float]]
"""A base flow as steps: the first day, and the value held from it until the next."""

LONGEST_JOINED = 2.5
"""Readings of a logger are joined across at most this many of its usual intervals."""
FLOW_SHARE, RAIN_FROM = 0.8, 0.84
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "star", "hexagon", "cross")
COLOURS = (parts.BLUE, parts.VERMILION, parts.GREEN, parts.PURPLE, parts.INK, parts.ORANGE, parts.SKY, parts.GREY)


def stream_hydrograph(
    frame: pd.DataFrame,
    base_flow_steps: Steps = (),
    name: str = "",
    *,
    rain: pd.DataFrame | None = None,
    began: date | None = None,
    measures: str = "discharge",
) -> Figure:
    """Daily flow against the signed base flow: log axis, provisional dashed, days below and unknown days shaded.

    Parameters
    ----------
    frame : columns ``day value approval qualifiers origin`` [cfs, or ft of stage]; a day without a row is unknown.
    base_flow_steps : (first day, value) in order, each held until the next; none draws no line.
    name : the figure's title; empty where the page has its own caption.
    rain : columns ``day value`` [in], drawn from the top.
    began : the day mining began, marked.
    measures : ``discharge`` (log axis) or ``stage`` (linear).
    """
    days = stream_days(frame, base_flow_steps)
    unit = "cfs" if measures == "discharge" else "ft"
    frame_of = parts.layout(name, xaxis=parts.day_axis(), yaxis=_flow_axis(days, measures))
    frame_of["shapes"] = _shades(days)
    data = [*_flow_lines(days, unit), *_base_flow(days, unit), *_flow_marks(days, unit)]
    if rain is not None and (shown := _rain_of(days, rain)):
        data.append(_rain(shown))
        frame_of["yaxis"]["domain"] = [0, FLOW_SHARE]
        frame_of["yaxis2"] = _rain_axis(max(shown.values()))
    _mark_beginning(frame_of, days.day, began)
    return {"data": data, "layout": frame_of}


def _flow_axis(days: StreamDays, measures: str) -> Parts:
    if measures != "discharge":
        return parts.axis("Stage, ft")
    drawn = np.concatenate([days.value[days.positive], days.base_flow[np.isfinite(days.base_flow)]])
    return parts.log_axis("Discharge, cfs (log)", drawn)


def _shades(days: StreamDays) -> list[Parts]:
    return [
        *parts.shaded_days(days.day, days.ice, "Ice: no value", "rgba(86,180,233,0.35)"),
        *parts.shaded_days(days.day, days.unknown & ~days.ice, "No value", "rgba(91,107,122,0.28)"),
        *parts.shaded_days(days.day, days.below, "Below base flow", "rgba(230,159,0,0.35)"),
    ]


def _flow_lines(days: StreamDays, unit: str) -> list[Parts]:
    hover = f"%{{x}}<br>%{{y}} {unit}<extra>%{{fullData.name}}</extra>"
    style: dict[str, Any] = {"mode": "lines", "hovertemplate": hover}
    approved = _flow_line(days, days.positive & days.approved)
    provisional = _flow_line(days, days.positive & _with_neighbours(~days.approved & days.positive))
    lines = [("Approved", approved, "solid"), ("Provisional, subject to revision", provisional, "4px,2px")]
    return [
        parts.trace(name, line, **style, line={"color": parts.BLUE, "width": 1.8, "dash": dash})
        for name, line, dash in lines
        if line[0]
    ]


def _flow_line(days: StreamDays, marks: Marks) -> parts.Line:
    day, value = days.day[marks], days.value[marks]
    return parts.broken_line(day, value, np.append(np.diff(day) > parts.DAY, False))


def _with_neighbours(marks: Marks) -> Marks:
    """A dashed line reaches the solid one it continues: the day before and after belong to it too."""
    grown = marks.copy()
    grown[:-1] |= marks[1:]
    grown[1:] |= marks[:-1]
    return grown


def _base_flow(days: StreamDays, unit: str) -> list[Parts]:
    known = np.flatnonzero(np.isfinite(days.base_flow))
    if not known.size:
        return []
    value = days.base_flow[known]
    turns = np.unique(np.concatenate([np.flatnonzero(np.diff(value, prepend=np.nan)), [len(known) - 1]]))
    line = parts.time_text(days.day[known][turns]).tolist(), value[turns].tolist()
    style = {"color": parts.VERMILION, "width": 1.8, "shape": "hv"}
    hover = f"base flow %{{y}} {unit}<extra></extra>"
    return [parts.trace("Base flow, as signed", line, mode="lines", line=style, hovertemplate=hover)]


def _flow_marks(days: StreamDays, unit: str) -> list[Parts]:
    found = []
    if (chosen := days.estimated & days.positive).any():
        at = parts.time_text(days.day[chosen]).tolist(), days.value[chosen].tolist()
        open_mark = {"symbol": "diamond-open", "size": 8, "color": parts.INK}
        hover = f"%{{x}}<br>%{{y}} {unit}, estimated<extra></extra>"
        found.append(parts.trace("Estimated", at, mode="markers", marker=open_mark, hovertemplate=hover))
    if (dry := days.known & ~days.positive).any():
        floor = float(days.value[days.positive].min()) / 2 if days.positive.any() else 1.0
        at = parts.time_text(days.day[dry]).tolist(), [floor] * int(dry.sum())
        mark = {"symbol": "triangle-down", "size": 9, "color": parts.VERMILION}
        says = "%{x}<br>no flow<extra></extra>"
        found.append(parts.trace("No flow (0)", at, mode="markers", marker=mark, hovertemplate=says))
    return found


def _rain_of(days: StreamDays, rain: pd.DataFrame) -> dict[str, float]:
    """Wet days within the figure's days [in]."""
    first, last = (str(one) for one in (days.day[0], days.day[-1])) if len(days.day) else ("", "")
    found = zip(map(str, rain["day"]), rain["value"].to_numpy(np.float64).tolist(), strict=True)
    return {day: round(inches, 2) for day, inches in found if inches > 0 and first <= day <= last}


def _rain(wet: dict[str, float]) -> Parts:
    style = {"marker": {"color": parts.GREY}, "hovertemplate": "%{x}<br>%{y} in of rain<extra></extra>"}
    return {"type": "bar", "name": "Rain", "x": list(wet), "y": list(wet.values()), "yaxis": "y2", **style}


def _rain_axis(most: float) -> Parts:
    """A panel of its own above the flow, downwards from the top."""
    top = float(np.ceil(most))
    shown = {"range": [top, 0], "tickmode": "array", "tickvals": [0, top], "showgrid": False, "fixedrange": True}
    return parts.axis("Rain, in", domain=[RAIN_FROM, 1], anchor="x", **shown)


def water_level_hydrograph(
    frame: pd.DataFrame,
    name: str = "",
    *,
    began: date | None = None,
    zone: str = "America/Chicago",
) -> Figure:
    """Depth to water below land, deeper further down: hand readings open, logger and daily values as broken lines.

    Parameters
    ----------
    frame : columns ``time_ms depth_ft kind dry`` [ft]; ``kind`` is hand, logger or daily. Rows without a depth are not
        drawn, but a dry reading is marked below the deepest water.
    name, began : as in `stream_hydrograph`.
    zone : the zone whose clock the figure shows.
    """
    when = _local(frame["time_ms"], zone)
    depth, kind = frame["depth_ft"].to_numpy(np.float64), frame["kind"].to_numpy(str)
    known, dry = np.isfinite(depth), frame["dry"].to_numpy(bool)
    data = [
        _level_line(when[here], depth[here], one)
        for one in ("logger", "daily")
        if (here := known & (kind == one)).any()
    ]
    data += _hand_marks(when, depth, known & (kind == "hand"))
    data += _dry_marks(when, depth[known], dry & ~known)
    frame_of = parts.layout(
        name, xaxis=parts.day_axis(), yaxis=parts.axis("Depth to water below land, ft", autorange="reversed")
    )
    _mark_beginning(frame_of, when, began)
    return {"data": data, "layout": frame_of}


def _local(time_ms: pd.Series, zone: str) -> parts.Days:
    stamps = pd.to_datetime(time_ms.astype("int64"), unit="ms", utc=True).dt.tz_convert(zone).dt.tz_localize(None)
    return stamps.to_numpy("datetime64[m]")


def _level_line(when: parts.Days, depth: Numbers, kind: str) -> Parts:
    gaps = np.diff(when)
    usual = np.median(gaps) if gaps.size else np.timedelta64(1, "m")
    line = parts.broken_line(when, depth, np.append(gaps > usual * LONGEST_JOINED, False), places=2)
    hover = "%{x|%Y-%m-%d %H:%M}<br>%{y:.2f} ft<extra>%{fullData.name}</extra>"
    name = "Logger, corrected for air pressure" if kind == "logger" else "Daily value"
    return parts.trace(name, line, mode="lines", line={"color": parts.BLUE, "width": 1.4}, hovertemplate=hover)


def _hand_marks(when: parts.Days, depth: Numbers, chosen: Marks) -> list[Parts]:
    if not chosen.any():
        return []
    at = parts.time_text(when[chosen]).tolist(), np.round(depth[chosen], 2).tolist()
    mark = {"symbol": "circle-open", "size": 9, "color": parts.INK, "line": {"width": 1.8}}
    hover = "%{x|%Y-%m-%d %H:%M}<br>%{y:.2f} ft by hand<extra></extra>"
    return [parts.trace("Hand reading", at, mode="markers", marker=mark, hovertemplate=hover)]


def _dry_marks(when: parts.Days, depths: Numbers, chosen: Marks) -> list[Parts]:
    if not chosen.any():
        return []
    lowest = float(depths.max()) if depths.size else 0.0
    span = float(np.ptp(depths)) if depths.size else 1.0
    at = parts.time_text(when[chosen]).tolist(), [round(lowest + max(span, 0.5) * 0.08, 2)] * int(chosen.sum())
    mark = {"symbol": "triangle-down", "size": 11, "color": parts.VERMILION}
    says = "%{x|%Y-%m-%d %H:%M}<br>dry: no water in the well<extra></extra>"
    return [parts.trace("Dry (depth not known)", at, mode="markers", marker=mark, hovertemplate=says)]


def _mark_beginning(frame_of: Parts, days: parts.Days, began: date | None) -> None:
    if began is None or not len(days) or not days[0] <= np.datetime64(began) <= days[-1]:
        return
    line, label = parts.upright(began.isoformat(), "mining began", frame_of["yaxis"].get("domain", [0, 1])[1])
    frame_of["shapes"] = [*frame_of.get("shapes", []), line]
    frame_of["annotations"] = [*frame_of.get("annotations", []), label]


def concentration(frame: pd.DataFrame, name: str = "", *, began: date | None = None) -> Figure:
    """Results of one substance over time, a series per well: log axis, PAL dashed, ES solid, non-detects hollow.

    Parameters
    ----------
    frame : columns ``station sampled value value_text unit lod standard kind``, one row per result and standard; all of
        one substance. Values are drawn in the first row's unit; a non-detect stands at its LOD.
    name, began : as in `stream_hydrograph`.
    """
    unit = str(frame["unit"].iloc[0]) if len(frame) else ""
    scale = frame["unit"].map({one: float(factor(one, unit)) for one in frame["unit"].unique()}).to_numpy(np.float64)
    scaled = frame.assign(**{one: frame[one].to_numpy(np.float64) * scale for one in ("value", "lod", "standard")})
    results = scaled.drop_duplicates(["station", "sampled", "value_text", "row_id"])
    frame_of = parts.layout(name, xaxis=parts.day_axis(), yaxis=parts.log_axis(f"{unit} (log)", _drawn(scaled)))
    frame_of["shapes"], frame_of["annotations"] = _standard_lines(scaled, unit)
    _mark_beginning(frame_of, np.sort(results["sampled"].to_numpy("datetime64[D]")), began)
    wells = [str(one) for one in results["station"].unique()]
    data = [_well_series(k, well, results[results["station"] == well], unit) for k, well in enumerate(wells)]
    return {"data": data, "layout": frame_of}


def _drawn(frame: pd.DataFrame) -> Numbers:
    numbers: Numbers = frame[["value", "lod", "standard"]].to_numpy(np.float64).ravel()
    return numbers[np.isfinite(numbers)]


def _well_series(number: int, well: str, rows: pd.DataFrame, unit: str) -> Parts:
    value, lod = rows["value"].to_numpy(np.float64), rows["lod"].to_numpy(np.float64)
    found = np.isfinite(value) & (value > 0)
    shown = [round(float(one), 6) if one > 0 else None for one in np.where(found, value, lod)]
    symbol, colour = SYMBOLS[number % len(SYMBOLS)], COLOURS[number % len(COLOURS)]
    return {
        **parts.trace(well, (rows["sampled"].astype(str).tolist(), shown)),
        "mode": "lines+markers", "line": {"color": colour, "width": 1},
        "marker": {
            "size": 8, "symbol": [symbol if one else f"{symbol}-open" for one in found], "color": colour,
            "line": {"width": 1.4, "color": colour},
        },
        "text": [f"{parts.plain(str(text))}" for text in rows["value_text"]],
        "hovertemplate": f"%{{x}}<br>%{{text}} {parts.plain(unit)}<extra>%{{fullData.name}}</extra>",
    }  # fmt: skip


def _standard_lines(frame: pd.DataFrame, unit: str) -> tuple[list[Parts], list[Parts]]:
    kinds = frame[frame["standard"] > 0][["kind", "standard"]].drop_duplicates().sort_values(["standard", "kind"])
    lines, labels = [], []
    for kind, value in kinds.itertuples(index=False):
        across = {"xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": value, "y1": value}
        dash = "solid" if kind == "ES" else "dash"
        lines.append({"type": "line", **across, "line": {"color": parts.VERMILION, "width": 1.4, "dash": dash}})
        side = {"x": 0, "xanchor": "left"} if kind == "ES" else {"x": 1, "xanchor": "right"}
        place = {"xref": "paper", **side, "yref": "y", "y": float(np.log10(value)), "yanchor": "bottom"}
        text = {"text": f"{kind} {value:g} {parts.plain(unit)}", "font": {"size": 11, "color": "#a23b00"}}
        labels.append({**place, **text, "showarrow": False})
    return lines, labels
