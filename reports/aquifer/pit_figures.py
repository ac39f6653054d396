"""A section through a pit: water table before and now, pit and base of the aquifer; and its inflow through time."""

from __future__ import annotations

import numpy as np

from models.aquifer.admissible import Numbers
from models.cone.pit_answer import PitAnswer, inflow_m3_per_d, lowering_m, steady_lowering_m
from models.cone.pit_case import PitCase, PitQuestion
from models.cone.searched import Ranged
from reports import figure_parts as parts
from reports.figure_parts import Figure, Parts
from reports.shown_units import Shown

POINTS = 140
PIT = "rgba(122,82,48,0.16)"


def pit_section(answer: PitAnswer, shown: Shown) -> Figure:
    """Heights are told from the water table before; lengths from the pit's middle, which stands for both sides."""
    question, unit, wide = answer.question, shown.drawdown, shown.length
    r = _stations(answer)
    along = np.concatenate([-r[::-1], r]) * wide.per
    at = np.round(along, 1).tolist()

    def both(values: Numbers) -> list[float]:
        return [float(v) for v in np.round(-np.concatenate([values[::-1], values]) * unit.per, 3)]

    best = question.best
    data = [parts.trace("Water table before", (at, [0.0] * len(at)), mode="lines",
                        line={"color": parts.GREY, "width": 1.6, "dash": "dash"})]  # fmt: skip
    if question.elapsed_d is not None:
        time = question.elapsed_d
        every = question.ranged(lambda one: lowering_m(one, r, time))
        data += _band(question, at, both(_end(every, "low")), both(_end(every, "high")))
        name = f"Water table after {time:,.0f} days (from storage)"
        data.append(_line(name, at, both(_end(every, "best")), parts.BLUE, "solid"))
    if answer.steady is not None:
        readings = (("above the floor", best.zone, parts.VERMILION), ("as one layer", best.layer, parts.PURPLE))
        for name, heads, colour in readings:
            line = both(steady_lowering_m(best, heads, r))
            data.append(_line(f"Water table for good, {name}", at, line, colour, "dashdot"))
    frame = parts.layout(
        "", xaxis=parts.axis(f"Distance from the pit's middle, {wide.name}", tickformat=",d"),
        yaxis=parts.axis(f"Height above the water table before, {unit.name}"),
    )  # fmt: skip
    frame["shapes"], frame["annotations"] = _pit(question.best, shown)
    return {"data": data, "layout": frame}


def _stations(answer: PitAnswer) -> Numbers:
    """From the middle outward, close together at the pit's wall, as far as the cone is worth drawing."""
    radius = answer.question.best.radius_m
    reach = [one.reach_m.high for one in answer.instants if one.elapsed_d == answer.question.elapsed_d]
    steady = [] if answer.steady is None else [answer.steady.radius_m.best]
    far = 1.1 * max([*reach, *steady, 2 * radius])
    outward = radius + (far - radius) * np.linspace(0.0, 1.0, POINTS) ** 2
    return np.concatenate([[0.0], outward])


def _line(name: str, at: list[float], y: list[float], colour: str, dash: str) -> Parts:
    return parts.trace(name, (at, y), mode="lines", line={"color": colour, "width": 2.4, "dash": dash})


def _end(every: list[Ranged], name: str) -> Numbers:
    return np.array([getattr(one, name) for one in every])


def _band(question: PitQuestion, at: list[float], high: list[float], low: list[float]) -> list[Parts]:
    """The shade of the range; none where nothing has one."""
    if not question.ranges.ranged:
        return []
    style: Parts = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    return [
        parts.trace("Range", (at, high), showlegend=False, **style),
        parts.trace("Over the stated ranges", (at, low), fill="tonexty", fillcolor="rgba(0,114,178,0.18)", **style),
    ]


def _pit(question: PitCase, shown: Shown) -> tuple[list[Parts], list[Parts]]:
    """The pit below the water table, its lake, and the base of the aquifer, with their names."""
    half, floor = question.radius_m * shown.length.per, -question.floor_m * shown.drawdown.per
    base, lake = -question.thickness_m * shown.drawdown.per, -question.lowered_m * shown.drawdown.per
    box: Parts = {"type": "rect", "xref": "x", "yref": "y", "x0": -half, "x1": half, "layer": "below"}
    line: Parts = {"type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": base, "y1": base}
    shapes = [
        {**box, "y0": floor, "y1": 0, "fillcolor": PIT, "line": {"width": 0}},
        {**box, "y0": floor, "y1": floor, "line": {"color": "#7a5230", "width": 3}},
        {**line, "line": {"color": parts.INK, "width": 2}},
    ]
    if question.lake_m > 0:
        shapes.append({**box, "y0": floor, "y1": lake, "fillcolor": "rgba(86,180,233,0.45)", "line": {"width": 0}})
    return shapes, [
        _label(0.0, floor, f"pit floor, {shown.drawdown.says(question.floor_m)} below the water table before", "top"),
        {**_label(0.01, base, "base of the aquifer", "bottom"), "xref": "paper", "xanchor": "left"},
    ]


def _label(x: float, y: float, says: str, side: str) -> Parts:
    return {
        "x": x, "y": y, "text": parts.plain(says), "showarrow": False, "yanchor": side,
        "font": {"size": 12, "color": parts.INK}, "bgcolor": "rgba(255,255,255,0.8)",
    }  # fmt: skip


def inflow_in_time(answer: PitAnswer, shown: Shown) -> Figure:
    """Inflow from storage against time, both logarithmic, and what recharge sustains."""
    unit, question = shown.pumping, answer.question
    time = np.geomspace(answer.instants[0].elapsed_d, answer.instants[-1].elapsed_d, POINTS)
    every = question.ranged(lambda one: inflow_m3_per_d(one, time))
    days = [float(f"{day:.5g}") for day in time]
    best, low, high = (
        [float(f"{unit.of(value):.5g}") for value in _end(every, name)] for name in ("best", "low", "high")
    )
    values = np.array([*low, *high])
    data = [
        *_band(question, days, high, low),
        _line("Inflow from storage, its level dropped at once", days, best, parts.BLUE, "solid"),
    ]
    if answer.steady is not None:
        readings = (("", answer.steady.total, parts.VERMILION), (", as one layer", answer.steady.layer, parts.PURPLE))
        for name, one, colour in readings:
            for_good = unit.of(one.best)
            data.append(_line(f"Inflow for good{name}", [days[0], days[-1]], [for_good] * 2, colour, "dashdot"))
            values = np.append(values, for_good)
    frame = parts.layout(
        "", xaxis=parts.log_axis("Days since the pit was lowered (log)", np.array(days)),
        yaxis=parts.log_axis(f"Inflow, {unit.name} (log)", values),
    )  # fmt: skip
    return {"data": data, "layout": frame}
