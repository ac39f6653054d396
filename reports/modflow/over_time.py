"""Figures of a numerical model against time: heads with and without pumping, where water comes from, what streams lose.

Every series is of the steps that are told, a day or more after pumping began.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.modflow.measured import Measured, as_said
from reports import figure_parts as parts
from reports.aquifer.cone_section import COLOURS, DASHES, instants
from reports.figure_parts import Figure, Parts
from reports.shown_units import Unit

Numbers = NDArray[np.float64]
PLACES = 3


@dataclass(frozen=True)
class Heads:
    """One place: its head without pumping and with it, float64[n] [m]; NaN where dry. ``measured`` : levels there.

    ``layer`` : whose head it is; blank where there is only one.
    """

    id: str
    before: Numbers
    now: Numbers
    measured: Measured | None = None
    layer: str = ""


def heads_in_time(days: Numbers, heads: Sequence[Heads], unit: Unit) -> Figure:
    """Hydrographs: dashed without pumping, drawn through with it, dots as measured; one colour a place."""
    at = [instants(float(day)) for day in days]
    data = []
    for k, one in enumerate(heads):
        colour = COLOURS[k % len(COLOURS)]
        data.append(_line(one.id, at, one.now * unit.per, {"width": 2.2, "color": colour}, unit))
        thin = {"width": 1.4, "color": colour, "dash": "dash"}
        data.append(_line(f"{one.id} without pumping", at, one.before * unit.per, thin, unit))
        if one.measured is not None:
            data.append(_dots(one.measured, colour, unit))
    return _framed(data, f"Head, {unit.name}")


def flows_in_time(
    days: Numbers, flows: Mapping[str, Numbers], unit: Unit, title: str, beside: tuple[str, Numbers] | None = None
) -> Figure:
    """Flows against time.

    Parameters
    ----------
    flows : by name, float64[n] [m3/d].
    beside : a name and flow to see them against, in grey.
    """
    at = [instants(float(day)) for day in days]
    data = [
        _line(name, at, values * unit.per, _style(k), unit) for k, (name, values) in enumerate(flows.items())
    ]  # fmt: skip
    if beside is not None:
        grey = {"width": 1.6, "color": parts.GREY, "dash": "dot"}
        data.append(_line(beside[0], at, beside[1] * unit.per, grey, unit))
    return _framed(data, f"{title}, {unit.name}")


def _style(k: int) -> Parts:
    return {"width": 2, "color": COLOURS[k % len(COLOURS)], "dash": DASHES[k % len(DASHES)]}


def _line(name: str, at: list[str], values: Numbers, line: Parts, unit: Unit) -> Parts:
    y = [float(f"{one:.5g}") if np.isfinite(one) else None for one in values]
    return parts.trace(
        parts.plain(name), (at, y), mode="lines", showlegend=True, line=line,
        hovertemplate=f"%{{x|%Y-%m-%d}}: %{{y:.{PLACES}g}} {unit.name}<extra>{parts.plain(name)}</extra>",
    )  # fmt: skip


def _dots(measured: Measured, colour: str, unit: Unit) -> Parts:
    """Levels, each at its instant."""
    name = f"{measured.id} measured ({as_said(measured)})"
    points = [instants(float(day)) for day in measured.day], [float(f"{one * unit.per:.5g}") for one in measured.level]
    return parts.trace(
        parts.plain(name), points, mode="markers", showlegend=True,
        marker={"size": 7, "color": colour, "line": {"width": 1, "color": "white"}},
        hovertemplate=f"%{{x|%Y-%m-%d}}: %{{y:.{PLACES}g}} {unit.name}<extra>{parts.plain(name)}</extra>",
    )  # fmt: skip


def _framed(data: list[Parts], title: str) -> Figure:
    return {"data": data, "layout": parts.layout("", xaxis=parts.day_axis(), yaxis=parts.axis(title))}
