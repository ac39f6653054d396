"""A monitoring programme that can tell elevation, flow direction and flow rate: a plane of wells, and an aquifer."""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from models.checks.level_rounds import LEAST_WELLS
from models.checks.network_answer import Answer, Gap
from models.errors import BadQuestion
from models.levels import land_navd88_ft, measuring_point_on
from models.network_rule import GradientAsked
from models.potentiometric import fitted_plane
from models.question import Question
from models.site import Well

ANY_ERROR_FT = 1.0
"""Whether wells span a plane does not depend on the error of a level."""


def gradient(asked: GradientAsked, question: Question) -> Answer:
    """Three monitoring wells with elevations, not on one line; and the aquifer's numbers for a rate."""
    wells = question.site.wells("monitoring")
    measured = [one for one in wells if _elevation_known(one, question)]
    without = [one.id for one in wells if one not in measured]
    gaps = [*_plane(measured, without)]
    if question.site.aquifer is None:
        gaps.append(Gap("", "without the aquifer's numbers no rate of flow can be computed", "[aquifer]"))
    told = f"{len(measured)} of {len(wells)} monitoring wells have a measuring point above NAVD88"
    return Answer(asked, tuple(gaps), told, notes=tuple(_notes(question, measured, without)))


def _elevation_known(well: Well, question: Question) -> bool:
    point = measuring_point_on(well, question.on)
    return point is not None and land_navd88_ft(well, point) is not None


def _plane(wells: Sequence[Well], without: Sequence[str]) -> list[Gap]:
    """By the criterion of the potentiometric surface itself."""
    add = f"; a measuring point of {', '.join(without)} would count" if without else ""
    if len(wells) < LEAST_WELLS:
        lacks = f"{len(wells)} monitoring wells with a measuring point, of {LEAST_WELLS} that make a gradient{add}"
        return [Gap("", lacks, '[[well]] use = "monitoring", measuring_point')]
    try:
        fitted_plane([one.position for one in wells], [0.0] * len(wells), ANY_ERROR_FT)
    except BadQuestion as caught:
        return [Gap("", f"{caught.reason}{add}", '[[well]] use = "monitoring", off that line')]
    return []


def _notes(question: Question, wells: Sequence[Well], without: Sequence[str]) -> list[str]:
    edge = shapely.Polygon(question.site.boundary).exterior
    far = [f"{one.id} {shapely.distance(edge, shapely.Point(one.position)):,.0f} ft" for one in wells]
    told = [f"from the boundary: {', '.join(far)}"] if far else []
    return [*told, *([f"no elevation above NAVD88: {', '.join(without)}"] if without else [])]
