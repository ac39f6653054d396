"""A page of its own in one file: sentences, sections with a figure and a table each, notes, and Plotly inside it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from reports.figure_parts import Figure

DRAW, STYLE = "annual_draw.js", "flow_page.css"


@dataclass(frozen=True)
class Drawn:
    """One figure: its caption, what it shows to one who cannot see it, and its data."""

    caption: str
    alt: str
    figure: Figure

    @property
    def data(self) -> Markup:
        """The figure as JSON that cannot end the element it stands in."""
        text = json.dumps(self.figure, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704


@dataclass(frozen=True)
class PageTable:
    """A table: the head of each column, and rows of text; ``heading`` above it, ``says`` below the heading."""

    heading: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    says: str = ""


@dataclass(frozen=True)
class Section:
    """A heading, sentences, a figure (``height`` in pixels) and tables; any but the heading may be missing."""

    heading: str
    says: Sequence[str] = ()
    figure: Drawn | None = None
    height: int = 420
    tables: Sequence[PageTable] = ()


@dataclass(frozen=True)
class FigurePage:
    """What the page tells."""

    title: str
    says: Sequence[str]
    sections: Sequence[Section]
    notes: Sequence[str]
    notes_heading: str = "What this rests on"


def figure_page(page: FigurePage) -> str:
    """The whole file; the same page gives the same bytes. Only the two scripts in it may run, by their hashes."""
    scripts = _scripts()
    allowed = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts
    )
    return _template().render(
        vars(page), allowed=allowed, scripts=[Markup(one) for one in scripts], style=Markup(_own(STYLE))  # noqa: S704
    )  # fmt: skip


@cache
def _scripts() -> tuple[str, str]:
    plotly = (files("plotly") / "package_data" / "plotly.min.js").read_text(encoding="utf-8")
    return plotly, _own(DRAW)


def _own(name: str) -> str:
    return (files("reports") / "templates" / name).read_text(encoding="utf-8")


@cache
def _template() -> Template:
    return Environment(
        loader=PackageLoader("reports"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("figure_page.html.j2")
