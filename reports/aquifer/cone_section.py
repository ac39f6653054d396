"""A cone of depression in section and through time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.cone_tables import WellTable
from models.cone.answer import ConeAnswer
from models.cone.model import Point, Source
from models.cone.searched import searched
from models.scenario.noun import EPOCH
from reports import figure_parts as parts
from reports.figure_parts import Figure, Parts
from reports.shown_units import Shown

COLOURS = (parts.BLUE, parts.VERMILION, parts.GREEN, parts.PURPLE, parts.ORANGE, parts.SKY, parts.INK, parts.GREY)
DASHES = ("solid", "dash", "dot", "dashdot")


def section(answer: ConeAnswer, tables: Sequence[WellTable], shown: Shown, reach_m: float) -> Figure:
    """The water table before and now along a line through the deepest well, toward its stream where it has one.

    Heights are told from the water table before pumping at the well; the shade is the stated range.

    Parameters
    ----------
    reach_m : how far to both sides [m].
    """
    source = next(one for one in answer.model.wells if one.id == answer.deepest)
    along, (ux, uy) = _stations(source, reach_m), _direction(source)
    x, y = source.well.position[0] + along * ux, source.well.position[1] + along * uy
    now = searched(answer.model, lambda values: answer.model.drawdown(tables, values)(x, y))
    before = _before(answer, along, (ux, uy))
    unit = shown.drawdown
    at = np.round(along * shown.length.per, 1).tolist()

    def height(values: Numbers) -> list[float]:
        return [float(v) for v in np.round(values * unit.per, 3)]

    low, high = height(before - now.high), height(before - now.low)
    shade = [
        parts.trace("Range", (at, high), mode="lines", line={"width": 0}, showlegend=False, hoverinfo="skip"),
        parts.trace("Water table now, stated range", (at, low), mode="lines", line={"width": 0}, fill="tonexty",
                    fillcolor="rgba(0,114,178,0.18)", hoverinfo="skip"),
    ]  # fmt: skip
    data = [
        *(shade if answer.model.ranges.ranged else []),
        parts.trace("Water table before pumping", (at, height(before)), mode="lines",
                    line={"color": parts.GREY, "width": 1.6, "dash": "dash"}),
        parts.trace("Water table now", (at, height(before - now.best)), mode="lines",
                    line={"color": parts.BLUE, "width": 2.4}),
    ]  # fmt: skip
    frame = parts.layout(
        "",
        xaxis=parts.axis(f"Distance from {parts.plain(source.id)}, {shown.length.name}", tickformat=",d"),
        yaxis=parts.axis(f"Height above the water table before, {unit.name}"),
    )
    _mark(frame, 0.0, source.id)
    if source.stream is not None and source.well.distance <= reach_m:
        _mark(frame, source.well.distance * shown.length.per, source.stream.name or source.stream.id)
    return {"data": data, "layout": frame}


def _stations(source: Source, reach_m: float) -> Numbers:
    """Distances along the section, close together at the well."""
    t = np.linspace(0.0, 1.0, 160)
    outward = source.radius_m * np.expm1(t * np.log1p(reach_m / source.radius_m))
    return np.concatenate([-outward[:0:-1], outward])


def _direction(source: Source) -> Point:
    return (1.0, 0.0) if source.stream is None else (-source.well.toward[0], -source.well.toward[1])


def _before(answer: ConeAnswer, along: Numbers, direction: Point) -> Numbers:
    if answer.model.regional is None:
        return np.zeros(along.size)
    gx, gy = answer.model.regional.gradient
    return along * (gx * direction[0] + gy * direction[1])


def _mark(frame: Parts, x: float, says: str) -> None:
    line = {
        "type": "line", "xref": "x", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1,
        "line": {"color": parts.GREY, "width": 1, "dash": "dot"},
    }  # fmt: skip
    label = {
        "x": x, "xref": "x", "y": 1, "yref": "paper", "text": parts.plain(says), "showarrow": False, "xanchor": "left",
        "yanchor": "top", "xshift": 4, "font": {"size": 12, "color": parts.INK}, "bgcolor": "rgba(255,255,255,0.75)",
    }  # fmt: skip
    frame["shapes"] = [*frame.get("shapes", []), line]
    frame["annotations"] = [*frame.get("annotations", []), label]


def instants(day: float) -> str:
    """A day number as Plotly reads a time."""
    return (EPOCH + timedelta(days=day)).isoformat(timespec="minutes")


def drawdown_in_time(
    days: Numbers, drawdown_m: Mapping[str, Numbers], marks: Mapping[str, float], shown: Shown
) -> Figure:
    """Drawdown at chosen places against time, downward as in a well.

    Parameters
    ----------
    days : float64[n] (`models.scenario.day_number`).
    drawdown_m : by name, float64[n] [m].
    marks : dated lines across, by what they say.
    """
    at = [instants(float(day)) for day in days]
    data = [
        parts.trace(
            name, (at, [float(v) for v in np.round(values * shown.drawdown.per, 3)]), mode="lines",
            showlegend=True, line={"width": 2, "color": COLOURS[k % len(COLOURS)], "dash": DASHES[k % len(DASHES)]},
            hovertemplate=f"%{{x|%Y-%m-%d}}: %{{y:.1f}} {shown.drawdown.name}<extra>{parts.plain(name)}</extra>",
        )
        for k, (name, values) in enumerate(drawdown_m.items())
    ]  # fmt: skip
    frame = parts.layout(
        "", xaxis=parts.day_axis(), yaxis=parts.axis(f"Drawdown, {shown.drawdown.name}", autorange="reversed")
    )
    frame["margin"]["t"] = 40
    lines = [
        parts.upright(instants(day), parts.plain(says), 1.12 - 0.06 * (k % 2))  # above the figure, off the curves
        for k, (says, day) in enumerate(marks.items())
    ]
    frame["shapes"], frame["annotations"] = [one for one, _ in lines], [one for _, one in lines]
    return {"data": data, "layout": frame}
