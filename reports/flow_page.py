"""One discharge record as one HTML file that asks nobody anything: figures, numbers and notes, Plotly inside it."""

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
class FlowPage:
    """What the page tells: sentences, figures, one table, notes."""

    title: str
    says: Sequence[str]
    figures: Sequence[Drawn]
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str]


def flow_page(page: FlowPage) -> str:
    """The whole file; the same page gives the same bytes. Only the two scripts in it may run, by their hashes."""
    scripts = _scripts()
    allowed = " ".join(f"'sha256-{_hash(one)}'" for one in scripts)
    return _template().render(
        vars(page), allowed=allowed, scripts=[Markup(one) for one in scripts], style=Markup(_own(STYLE))  # noqa: S704
    )  # fmt: skip


@cache
def _scripts() -> tuple[str, str]:
    plotly = (files("plotly") / "package_data" / "plotly.min.js").read_text(encoding="utf-8")
    return plotly, _own(DRAW)


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


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
    ).get_template("flow_page.html.j2")
