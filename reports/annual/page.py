"""The appendix as one HTML page: works offline, asks nobody anything, prints with page numbers and repeated heads."""

from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports.annual.appendix import Appendix
from reports.annual.table import Cell, Column, Plain, cell_of

NOT_DRAWN = "The chart could not be drawn here."
LONGEST_ID, LONGEST_WORD = 16, 24
DRAW, PLOTLY = "annual_draw.js", "plotly.min.js"


def page(told: Appendix, assets: str) -> str:
    """The whole page.

    Parameters
    ----------
    assets : folder of ``annual_draw.js`` and ``plotly.min.js``, relative to the page.
    """
    style = Markup(_template_text("annual_page.css").replace("__HEAD__", told.head.replace('"', "")))  # noqa: S704
    template = _environment().get_template("annual_page.html.j2")
    return template.render(
        told=told, style=style, assets=assets, draw=DRAW, plotly=PLOTLY, not_drawn=NOT_DRAWN, shown=shown,
        classes=classes, spec=_spec, cell_of=cell_of,
    )  # fmt: skip


def draw_script() -> str:
    """What draws the figures; lies beside ``plotly.min.js``."""
    return _template_text(DRAW)


def plotly_script() -> bytes:
    """Plotly's own script, as its package carries it."""
    return (files("plotly") / "package_data" / PLOTLY).read_bytes()


def shown(item: Plain | Cell, column: Column) -> str:
    """The text of one cell."""
    cell = cell_of(item)
    return cell.shown or _text(cell.value, column)


def _text(value: Plain, column: Column) -> str:
    if value is None:
        return "–"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return value
    return _number(value, column)


def _number(value: float | Decimal, column: Column) -> str:
    if column.kind == "count":
        return f"{round(value):,}"
    if column.decimals is not None:
        return f"{value:,.{column.decimals}f}"
    return f"{value:,f}" if isinstance(value, Decimal) else f"{value:,.6g}"


def classes(item: Plain | Cell, column: Column) -> str:
    """How a cell looks: its kind, and the style of a result."""
    cell = cell_of(item)
    text = shown(item, column) if column.kind in {"id", "text", "long"} else ""
    kind = "text" if column.kind == "id" and len(text) > LONGEST_ID else column.kind
    broken = ("broken",) if any(len(word) > LONGEST_WORD for word in text.split()) else ()
    return " ".join((kind, *broken, *_STYLES.get(cell.style, ())))


_STYLES = {"es": ("es",), "pal": ("pal",), "both": ("es", "pal"), "lod": ("lod",)}


def _spec(spec: Any) -> Markup:
    """Figure data as JSON that no text in it can end early."""
    text = json.dumps(spec, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704 escaped here


def _template_text(name: str) -> str:
    return (files("reports") / "templates" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("reports"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
