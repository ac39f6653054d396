"""Drawdown or depletion against time with its range, as figures and as a page by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.band import Band
from reports import figure_parts as parts
from reports.aquifer.told import Data, Shown, spread
from reports.figure_parts import Figure
from reports.flow_page import Drawn, FlowPage

FILL = "rgba(0,114,178,0.18)"


@dataclass(frozen=True)
class Curve:
    """One curve to draw.

    Parameters
    ----------
    name : the place, stream or model.
    at : dates ``YYYY-MM-DD``, or days since the start.
    band : in metres or m3/d.
    stop : where pumping stops, on the same axis; None where it does not.
    """

    name: str
    at: Sequence[str] | Sequence[float]
    band: Band
    stop: str | float | None = None

    @property
    def dated(self) -> bool:
        return len(self.at) > 0 and isinstance(self.at[0], str)


def curve_figure(curve: Curve, shown: Shown) -> Figure:
    """Best estimate as a line, low to high as a shade; drawdown points down, as in a well."""
    down = {"autorange": "reversed"} if shown.what == "drawdown" else {"rangemode": "tozero"}
    title = f"{shown.what.capitalize()}, {shown.told_in}"
    across = parts.day_axis() if curve.dated else parts.axis("Days since pumping began")
    figure: Figure = {
        "data": [*_shade(curve, shown), _line(curve, shown)],
        "layout": parts.layout("", xaxis=across, yaxis=parts.axis(title, **down)),
    }
    if curve.stop is not None:
        line, label = parts.upright(str(curve.stop), "pumping stops")
        place = {} if curve.dated else {"x0": curve.stop, "x1": curve.stop}
        figure["layout"]["shapes"] = [{**line, **place}]
        figure["layout"]["annotations"] = [{**label, **({} if curve.dated else {"x": curve.stop})}]
    return figure


def _line(curve: Curve, shown: Shown) -> dict[str, Any]:
    unit = shown.told_in
    hover = f"%{{x}}: %{{y:.3~g}} {unit}<extra></extra>"
    style = {"color": parts.BLUE, "width": 2}
    return parts.trace("best estimate", (curve.at, _numbers(curve.band.best, shown)), mode=_mode(curve), line=style,
                       hovertemplate=hover)  # fmt: skip


def _shade(curve: Curve, shown: Shown) -> list[dict[str, Any]]:
    """Low and high with the room between them shaded; nothing where no parameter has a range."""
    if not curve.band.ranged:
        return []
    thin = {"color": parts.SKY, "width": 1, "dash": "dot"}
    low = parts.trace(
        "low", (curve.at, _numbers(curve.band.low, shown)), mode=_mode(curve), line=thin, showlegend=False
    )
    high = parts.trace("low to high", (curve.at, _numbers(curve.band.high, shown)), mode=_mode(curve), line=thin,
                       fill="tonexty", fillcolor=FILL)  # fmt: skip
    return [low, high]


def _mode(curve: Curve) -> str:
    return "lines" if len(curve.at) > 1 else "markers"


def _numbers(values: Numbers, shown: Shown) -> list[float | None]:
    """In the unit it is told in, four figures; a gap where an end of the range is dry."""
    told = Shown(shown.what, shown.told_in)
    return [None if np.isnan(one) else float(f"{told.number(float(one)):.4g}") for one in values]


def curves_page(
    title: str, curves: Sequence[Curve], rows: Sequence[Data], shown: Shown, grounds: Sequence[str]
) -> FlowPage:
    """All curves as one page.

    Parameters
    ----------
    rows : per curve the last value, low and high, as `reports.aquifer.told` gives them.
    grounds : validity, assumptions, range, notes.
    """
    figures = [Drawn(_caption(one, shown), _alt(one, row, shown), curve_figure(one, shown))
               for one, row in zip(curves, rows, strict=True)]  # fmt: skip
    says = [f"{one.name}: {spread(row, shown)} {_when(row)}." for one, row in zip(curves, rows, strict=True)]
    words = [
        [one.name, *(shown.words(row[key]) for key in ("low", "value", "high"))]
        for one, row in zip(curves, rows, strict=True)
    ]
    heads = ["", f"Low, {shown.told_in}", f"Best, {shown.told_in}", f"High, {shown.told_in}"]
    return FlowPage(title, says, figures, heads, words, list(grounds))


def _caption(curve: Curve, shown: Shown) -> str:
    ranged = ", with the range of its parameters" if curve.band.ranged else ""
    return f"{shown.what.capitalize()} against time: {curve.name}{ranged}"


def _alt(curve: Curve, row: Data, shown: Shown) -> str:
    return f"{_caption(curve, shown)}; {spread(row, shown)} {_when(row)}."


def _when(row: Data) -> str:
    """The time of the numbers in front, as it was asked for."""
    last = row["series"][-1]
    return f"on {last['date']}" if "date" in last else f"after {last['t']}" if last["t"] else "in the steady state"
