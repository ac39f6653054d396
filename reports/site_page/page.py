"""The page's files: one HTML document, its style and script, and Plotly once. The same record gives the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from models.site import Well
from reports.figure_parts import Figure
from reports.figures import concentration, stream_hydrograph, water_level_hydrograph
from reports.site_map import site_map
from reports.site_page import public, told
from reports.site_page.record import SiteRecord, StreamRecord
from reports.site_page.table import Table

PAGE = "index.html"
STATIC = ("site.css", "site.js")
PLOTLY = "plotly.min.js"
FILES = (PAGE, *STATIC, PLOTLY)
"""Everything the folder holds."""


@dataclass(frozen=True)
class Block:
    """One figure on the page: its heading, its words, its table, and its data. ``id`` is fixed by its order."""

    id: str
    heading: str
    says: str
    table: Table
    figure: Figure

    @property
    def data(self) -> Markup:
        """The figure as JSON that cannot end the element it stands in."""
        text = json.dumps(self.figure, sort_keys=True, separators=(",", ":"), allow_nan=False)
        safe = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        return Markup(safe)  # noqa: S704 nothing in it can open or close an element


def site_page(record: SiteRecord) -> dict[str, bytes]:
    """Every file of the folder by name.

    Parameters
    ----------
    record : the site at one instant. Nothing of ``households.toml`` is in it, and of a private well only its id and
        quarter-quarter section is printed.
    """
    html = _environment().get_template("site_page.html.j2").render(_told(record))
    static = {name: (files("reports") / "static" / name).read_bytes() for name in STATIC}
    return {PAGE: html.encode(), **static, PLOTLY: _plotly()}


@cache
def _plotly() -> bytes:
    """Plotly's own script, as its Python package carries it."""
    return (files("plotly") / "package_data" / PLOTLY).read_bytes()


def _told(record: SiteRecord) -> Mapping[str, Any]:
    site = record.site
    return {
        "site": site, "law": record.law, "on": record.on, "since": record.since, "known_at": _local(record),
        "town": [one.name for one in site.party if one.role == "town"],
        "holder": site.party_of(site.holder(record.on)).name,
        "glance": public.glance(record), "provisional": sum(one.provisional for one in public.listed(record)),
        "older": public.older(record), "findings": public.findings_table(record),
        "clocks": public.clocks_table(record), "cases": public.cases_table(record),
        "stations": public.stations_table(record), "stale_after": record.policy.stale_after.says(),
        "exceedances": public.exceedance_table(record), "drawdowns": public.drawdown_table(record),
        "depletions": public.depletion_table(record),
        "map": _map(record), "streams": list(_streams(record)), "wells": list(_wells(record)),
        "substances": list(_substances(record)), "unadopted": [public.words(one) for one in record.policy.unadopted()],
    }  # fmt: skip


def _local(record: SiteRecord) -> str:
    return record.known_at.astimezone(record.zone).strftime("%Y-%m-%d %H:%M %Z")


def _map(record: SiteRecord) -> Block:
    lines = record.law.distances_mi(record.on)
    says = " ".join(part for part in (told.cone_words(record), told.map_words(record)) if part)
    return Block("map", "Map", says, told.map_table(record), site_map(record.site, lines, record.cone))


def _streams(record: SiteRecord) -> Iterator[Block]:
    for number, one in enumerate(record.streams, start=1):
        if one.frame["value"].notna().any():
            figure = stream_hydrograph(
                one.frame, one.base_flow, rain=record.rain, began=record.site.permit.mining_began,
                measures=one.gauge.judged,
            )  # fmt: skip
            yield Block(f"stream-{number}", _gauge_name(one), told.stream_words(one), told.stream_table(one), figure)


def _gauge_name(one: StreamRecord) -> str:
    reference = " (reference gauge)" if one.gauge.role == "reference" else ""
    return f"{one.gauge.id}: {one.gauge.name or 'stream gauge'}{reference}"


def _wells(record: SiteRecord) -> Iterator[Block]:
    began, zone = record.site.permit.mining_began, record.law.zone
    for number, one in enumerate(record.wells, start=1):
        if len(one.frame) and one.well.use != "private":
            figure = water_level_hydrograph(one.frame, began=began, zone=zone)
            yield Block(f"well-{number}", well_name(one.well), told.level_words(one), told.level_table(one), figure)


def well_name(well: Well) -> str:
    """A well's heading; of a private well its own name is not told."""
    if well.use == "private":
        return f"{well.id}: private well, {well.quarter_quarter or 'place not stated'}"
    return f"{well.id}: {well.name or well.use + ' well'}"


def _substances(record: SiteRecord) -> Iterator[Block]:
    if record.results.empty:
        return
    for number, (id, rows) in enumerate(record.results.groupby("substance"), start=1):
        name = public.substance(str(id))
        figure = concentration(rows, began=record.site.permit.mining_began)
        yield Block(f"substance-{number}", name, told.quality_words(rows), told.quality_table(rows, name), figure)


@cache
def _environment() -> Environment:
    loader = PackageLoader("reports", "templates")
    return Environment(loader=loader, undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True)
