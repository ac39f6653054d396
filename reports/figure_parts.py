"""What every figure is made of: colours, axes, lines with real gaps, shaded runs of days.

A figure is a plain dictionary as Plotly's JavaScript takes it (``data``, ``layout``): nothing heavy is
imported, and the same input gives the same bytes. Colours are Okabe & Ito's (2008), told apart by
colour-blind readers; shape and dash say the same as colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Figure = dict[str, Any]
Parts = dict[str, Any]
Days = NDArray[np.datetime64]
Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]
Line = tuple[list[str | None], list[float | None]]

BLUE, SKY, ORANGE, VERMILION = "#0072B2", "#56B4E9", "#E69F00", "#D55E00"
GREEN, PURPLE, INK, GREY = "#00795a", "#a2447a", "#1b2733", "#5b6b7a"
PALE = "#e3e8ee"
MOST_POINTS = 5000
DAY = np.timedelta64(1, "D")
HALF_A_DAY = np.timedelta64(12, "h")


def plain(text: str, longest: int = 60) -> str:
    """Text that Plotly prints as it stands: no markup of its own kind, no length that breaks the figure."""
    short = text if len(text) <= longest else text[: longest - 1] + "…"
    return short.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def layout(title: str, **more: Any) -> Parts:
    """The frame shared by every figure; ``title`` may be empty where the page has its own caption."""
    heading: Parts = {"title": {"text": plain(title, 90), "font": {"size": 15}, "x": 0, "xref": "container"}}
    return {
        "font": {"family": "system-ui, -apple-system, Segoe UI, Roboto, sans-serif", "size": 12, "color": INK},
        "paper_bgcolor": "#ffffff", "plot_bgcolor": "#ffffff", "hovermode": "closest",
        "margin": {"l": 56, "r": 14, "t": 34 if title else 12, "b": 40},
        "legend": {"orientation": "h", "x": 0, "y": -0.14, "yanchor": "top", "font": {"size": 12}},
        **(heading if title else {}), **more,
    }  # fmt: skip


def axis(title: str, **more: Any) -> Parts:
    """One axis with its unit in the title."""
    line = {"gridcolor": PALE, "linecolor": GREY, "ticks": "outside", "tickcolor": GREY, "zeroline": False}
    return {"title": {"text": title, "standoff": 6}, "automargin": True, **line, **more}


def day_axis(**more: Any) -> Parts:
    """The time axis."""
    return {**axis("", type="date", hoverformat="%Y-%m-%d"), **more}


def log_axis(title: str, values: Numbers, **more: Any) -> Parts:
    """A logarithmic axis with every tick written out: 20 and 30, never a lone 2 and 3 between powers of ten.

    Parameters
    ----------
    values : what will be drawn; those above zero set which ticks are worth writing.
    """
    shown = values[values > 0]
    low, high = (np.log10(shown.min()), np.log10(shown.max())) if shown.size else (0.0, 1.0)
    steps = (1, 2, 3, 4, 5, 6, 8) if high - low < 1.3 else (1, 2, 5) if high - low < 3 else (1,)
    decades = range(int(np.floor(low)) - 1, int(np.ceil(high)) + 2)
    ticks = [float(f"{step}e{decade}") for decade in decades for step in steps]
    text = [np.format_float_positional(tick, trim="-") for tick in ticks]
    return axis(title, type="log", tickmode="array", tickvals=ticks, ticktext=text, **more)


def thinned(y: Numbers) -> NDArray[np.intp]:
    """Which points to draw: all, or the lowest and highest of each of ``MOST_POINTS / 2`` equal bins.

    Parameters
    ----------
    y : float64[n] without NaN.

    Returns
    -------
    int[k], increasing, k at most ``MOST_POINTS``. Peaks and troughs are kept.
    """
    if len(y) <= MOST_POINTS:
        return np.arange(len(y))
    bins = np.arange(len(y)) * (MOST_POINTS // 2) // len(y)
    order = np.lexsort((y, bins))
    first = np.flatnonzero(np.diff(bins, prepend=-1))
    last = np.append(first[1:], len(y)) - 1
    return np.unique(np.concatenate([order[first], order[last]]))


def broken_line(x: Days, y: Numbers, breaks_after: Marks, *, places: int = 3) -> Line:
    """A line that is not joined over gaps: None stands after each point that a gap follows.

    Parameters
    ----------
    x, y : the points in order of time, y without NaN.
    breaks_after : bool[n], True where the next point belongs to another run.
    places : decimals kept.
    """
    kept = thinned(y)
    runs = np.cumsum(np.concatenate([[False], breaks_after[:-1]]))[kept] if len(y) else np.empty(0)
    gaps = set((np.flatnonzero(np.diff(runs)) + 1).tolist())
    times, values = time_text(x[kept]).tolist(), np.round(y[kept], places).tolist()
    return _parted(times, gaps), _parted(values, gaps)


def _parted(items: list[Any], gaps: set[int]) -> list[Any]:
    """The items with None before each place where a gap ends."""
    return [one for k, item in enumerate(items) for one in ((None, item) if k in gaps else (item,))]


def time_text(x: Days) -> NDArray[np.str_]:
    """Times as Plotly reads them: a day, or a day and a minute."""
    return np.datetime_as_string(x, unit="D" if np.datetime_data(x.dtype)[0] == "D" else "m")


def runs_of(marks: Marks) -> list[tuple[int, int]]:
    """First and last index of every unbroken run of True."""
    edges = np.diff(np.concatenate([[0], marks.astype(np.int8), [0]]))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def shaded_days(days: Days, marks: Marks, name: str, colour: str) -> list[Parts]:
    """Vertical bands over runs of days; the first carries the legend entry of all."""
    return [
        {
            "type": "rect", "xref": "x", "yref": "paper", "y0": 0, "y1": 1, "layer": "below",
            "x0": str((days[first] - HALF_A_DAY).astype("datetime64[h]")) + ":00",
            "x1": str((days[last] + HALF_A_DAY).astype("datetime64[h]")) + ":00",
            "fillcolor": colour, "line": {"width": 0}, "name": name, "legendgroup": name, "showlegend": number == 0,
        }
        for number, (first, last) in enumerate(runs_of(marks))
    ]  # fmt: skip


def upright(x: str, says: str, top: float = 1) -> tuple[Parts, Parts]:
    """A dated line across the figure, and its label at a height of it [0 to 1]."""
    line = {
        "type": "line", "xref": "x", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1,
        "line": {"color": GREY, "width": 1, "dash": "dot"},
    }  # fmt: skip
    label = {
        "x": x, "xref": "x", "y": top, "yref": "paper", "text": says, "showarrow": False, "xanchor": "left",
        "yanchor": "top", "font": {"size": 11, "color": GREY}, "bgcolor": "rgba(255,255,255,0.75)",
    }  # fmt: skip
    return line, label


def trace(name: str, at: tuple[Sequence[Any], Sequence[Any]], /, **more: Any) -> Parts:
    """One series of points (x, y). None is a gap, and Plotly does not join over it unless told to."""
    return {"type": "scatter", "name": name, "x": list(at[0]), "y": list(at[1]), **more}
