"""Figures of one discharge record: its hydrograph with base flow under it, and its flow-duration curve."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from models.streamflow.duration import FlowDuration
from reports import figure_parts as parts
from reports.figure_parts import Days, Figure, Numbers, Parts
from reports.figures import stream_hydrograph

SMALL_MARK = 4


def separated_hydrograph(frame: pd.DataFrame, base_flow: Numbers, label: str) -> Figure:
    """Daily flow, log axis, with a separated base flow under it; neither is joined over a day without a value.

    Parameters
    ----------
    frame : columns ``day value approval qualifiers origin`` [cfs], as `stream_hydrograph` takes it.
    base_flow : float64[row] [cfs], NaN where undefined.
    label : the method.
    """
    figure = _hydrograph(frame)
    figure["data"] += _base_flow(frame, base_flow, label)
    return figure


def marked_hydrograph(frame: pd.DataFrame, levels: Mapping[str, float]) -> Figure:
    """Daily flow, log axis, with a line across at each named level [cfs] above zero."""
    figure = _hydrograph(frame)
    lines = [_across(name, value) for name, value in levels.items() if value > 0]
    figure["layout"]["shapes"] = [*figure["layout"].get("shapes", []), *(line for line, _ in lines)]
    figure["layout"]["annotations"] = [label for _, label in lines]
    return figure


def duration_curve(curve: FlowDuration, marked: Mapping[str, tuple[float, float]]) -> Figure:
    """Flow against the percent of days it is equalled or exceeded, log axis; days without flow are below its foot.

    Parameters
    ----------
    curve : of the known days [cfs].
    marked : (exceedance [-], flow [cfs]) of the points with a name.
    """
    percent, flow = 100 * curve.exceedance[curve.flow > 0], curve.flow[curve.flow > 0]
    kept = _steps(flow)
    at = np.round(percent[kept], 3).tolist(), np.round(flow[kept], 4).tolist()
    hover = "%{y} cfs or more on %{x:.1f} % of days<extra></extra>"
    line = {"color": parts.BLUE, "width": 1.8}
    data = [parts.trace("Daily flow", at, mode="lines", line=line, hovertemplate=hover)]
    points = {name: pair for name, pair in marked.items() if pair[1] > 0}
    if points:
        data.append(_points(points))
    axes = {
        "xaxis": parts.axis("Days on which it is equalled or exceeded, %", range=[0, 100], dtick=10),
        "yaxis": parts.log_axis("Discharge, cfs (log)", flow),
    }
    return {"data": data, "layout": parts.layout("", **axes)}


def _hydrograph(frame: pd.DataFrame) -> Figure:
    """The stream hydrograph; years of marks for estimated days would hide the line, so they are small here."""
    figure = stream_hydrograph(frame)
    for one in figure["data"]:
        if one["name"] == "Estimated":
            one["marker"] = one["marker"] | {"size": SMALL_MARK, "line": {"width": 0.7}}
    _no_flow_at_the_foot(figure)
    flow = frame["value"].to_numpy(np.float64)
    figure["data"] += _alone(_days(frame), flow, "A day alone", parts.BLUE)
    return figure


def _no_flow_at_the_foot(figure: Figure) -> None:
    """A log axis has no zero: days without flow stand on an axis of their own, at the foot and at no number of cfs."""
    for one in figure["data"]:
        if one["name"] == "No flow (0)":
            one |= {"yaxis": "y3", "y": [0] * len(one["x"]), "cliponaxis": False}
            figure["layout"]["yaxis3"] = {"overlaying": "y", "range": [0, 1], "visible": False, "fixedrange": True}


def _base_flow(frame: pd.DataFrame, base_flow: Numbers, label: str) -> list[Parts]:
    day, shown = _days(frame), np.nan_to_num(base_flow) > 0
    line = parts.broken_line(day[shown], base_flow[shown], np.append(np.diff(day[shown]) > parts.DAY, False))
    hover = "%{x}<br>base flow %{y} cfs<extra>%{fullData.name}</extra>"
    style = {"color": parts.VERMILION, "width": 1.8}
    drawn = parts.trace(f"Base flow, {parts.plain(label)}", line, mode="lines", line=style, hovertemplate=hover)
    return [drawn, *_alone(day, base_flow, "Base flow of a day alone", parts.VERMILION)]


def _alone(day: Days, value: Numbers, name: str, colour: str) -> list[Parts]:
    """Days between two without a value: a line of one point shows nothing."""
    shown = np.nan_to_num(value) > 0
    apart = np.diff(day[shown]) > parts.DAY
    alone = np.concatenate([[True], apart]) & np.concatenate([apart, [True]]) if shown.any() else np.empty(0, np.bool_)
    if not alone.any():
        return []
    at = parts.time_text(day[shown][alone]).tolist(), np.round(value[shown][alone], 3).tolist()
    mark = {"size": SMALL_MARK, "color": colour}
    hover = "%{x}<br>%{y} cfs<extra>%{fullData.name}</extra>"
    return [parts.trace(name, at, mode="markers", marker=mark, hovertemplate=hover)]


def _days(frame: pd.DataFrame) -> Days:
    return np.array(frame["day"].tolist(), "datetime64[D]")


def _across(name: str, value: float) -> tuple[Parts, Parts]:
    line = {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": value, "y1": value,
        "line": {"color": parts.VERMILION, "width": 1.2, "dash": "dot"},
    }  # fmt: skip
    label = {
        "xref": "paper", "x": 1, "xanchor": "right", "yref": "y", "y": float(np.log10(value)), "yanchor": "bottom",
        "text": f"{parts.plain(name)} {value:.3g} cfs", "showarrow": False, "font": {"size": 11, "color": "#a23b00"},
        "bgcolor": "rgba(255,255,255,0.75)",
    }  # fmt: skip
    return line, label


def _points(points: Mapping[str, tuple[float, float]]) -> Parts:
    at = [100 * p for p, _ in points.values()], [round(flow, 4) for _, flow in points.values()]
    mark = {"symbol": "circle-open", "size": 9, "color": parts.INK, "line": {"width": 1.8}}
    text = [parts.plain(name) for name in points]
    hover = "%{text}: %{y:.3g} cfs<extra></extra>"
    return parts.trace(
        "Quantiles", at, mode="markers+text", marker=mark, text=text, textposition="top right", hovertemplate=hover
    )


def _steps(falling: Numbers) -> np.ndarray:
    """First and last of every run of equal flows: what a line through all of them would show."""
    if not falling.size:
        return np.empty(0, np.intp)
    turns = np.flatnonzero(np.diff(falling)) + 1
    ends = np.unique(np.concatenate([[0], turns, turns - 1, [falling.size - 1]]))
    return ends[parts.thinned(falling[ends])]
