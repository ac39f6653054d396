"""The pit of a site as a scenario tells it: the outlined excavation, kept dry at its surveyed floors one after another.

A surveyed floor below the water table says that somebody keeps it dry, or that it lies under water; which, no site file
says. It is taken as dry, and that is said. Plans and surveys from before mining make no pit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import dropwhile
from typing import Any

import shapely

from models.inventory import Outline
from models.site import Site
from models.stratigraphy import water_table_ft


@dataclass(frozen=True)
class SitePit:
    """``[pit]`` of the scenario, or None; and what is to be said of it."""

    pit: dict[str, Any] | None
    notes: tuple[str, ...] = ()


def pit_of_site(site: Site) -> SitePit:
    """The pit, where its outline, its floor and the water table are on file, and the floor lies below that."""
    floors = _floors(site)
    if not floors:
        return SitePit(None)
    if not site.layer or site.aquifer is None:
        return _left_out("the elevation of the water table is not on file ([[layer]])")
    table = water_table_ft(site.layer, site.aquifer.saturated_thickness_ft)
    stages = list(dropwhile(lambda one: one[1] == 0, ((day, max(table - at, Decimal(0))) for day, at in floors)))
    if not stages:
        return SitePit(None)
    outlines = _latest_outlines(site)
    if len(outlines) != 1:
        many = f"{len(outlines)} excavations are outlined on one day, and a numerical model takes one"
        none = 'its outline is not on file ([[inventory.outline]] what = "excavation")'
        return _left_out(many if outlines else none)
    if not shapely.Polygon(outlines[0].outline).is_valid:
        return _left_out(f"the outline of {outlines[0].id} crosses itself")
    told = [{"since": day, "lowered": f"{lowered:f} ft"} for day, lowered in stages]
    return SitePit({"polygon": outlines[0].outline, "stage": told}, (_says(outlines[0], stages),))


def _floors(site: Site) -> list[tuple[date, Decimal]]:
    """The lowest elevation of each day of survey since mining began, in order [ft above NAVD88]."""
    lowest: dict[date, Decimal] = {}
    for one in site.pit_floor:
        if not one.planned and one.day >= site.permit.mining_began:
            lowest[one.day] = min(one.elevation_ft, lowest.get(one.day, one.elevation_ft))
    return sorted(lowest.items())


def _latest_outlines(site: Site) -> list[Outline]:
    own = [one for one in site.inventory.outline if one.what == "excavation"]
    last = max((one.on for one in own), default=None)
    return [one for one in own if one.on == last]


def _left_out(why: str) -> SitePit:
    return SitePit(None, (f"the pit is left out of a numerical model: {why}",))


def _says(outline: Outline, stages: list[tuple[date, Decimal]]) -> str:
    return (
        f"a numerical model takes the excavation {outline.id}, as outlined on {outline.on}, to be kept dry at its "
        f"surveyed floor ({'; '.join(_each(stages))}): too much where water stands in it. The closed forms leave it out"
    )


def _each(stages: list[tuple[date, Decimal]]) -> Iterator[str]:
    return (f"{lowered:.1f} ft below the water table from {day} on" for day, lowered in stages)
