"""Nothing dug or built closer than a distance to a stream, a highway or a property line: at it is not closer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import shapely

from models.checks.network_answer import Answer, Gap
from models.inventory import Outline
from models.network_rule import SetbackAsked
from models.place import ARITHMETIC_FT
from models.question import Question


@dataclass(frozen=True)
class Shape:
    """Something with a place and how far its edge may be off [ft]."""

    id: str
    shape: shapely.Geometry
    accuracy_ft: float
    outline: Outline | None = None


def setback(asked: SetbackAsked, question: Question) -> Answer:
    """Every pit or pond on file against everything it must keep off."""
    own, kept_off = _own(asked, question), _kept_off(asked, question)
    what, off = asked.of.replace("_", " "), asked.off.replace("_", " ")
    if not own:
        return Answer(asked, not_judged=f'no {what} on file ([[inventory.outline]] what = "{asked.of}")')
    if not kept_off and asked.off == "highway":
        return Answer(asked, unknown="no right-of-way on file ([[inventory.highway]]): where is the highway?")
    if not kept_off:
        return Answer(asked, not_judged=f"no {off} on file")
    gaps = [gap for one in own for other in kept_off if (gap := _closer(asked, one, other))]
    nearest = min(float(shapely.distance(one.shape, other.shape)) for one in own for other in kept_off)
    measured = f"nearest {what}: {nearest:,.1f} ft from a {off}"
    return Answer(asked, tuple(gaps), measured, notes=tuple(_excuses(asked, own)))


def _own(asked: SetbackAsked, question: Question) -> list[Shape]:
    """Outlines of the kind; of an excavation also where its floor was surveyed."""
    outlines = question.site.inventory.outlines(question.on, asked.of)
    own = [Shape(one.id, shapely.Polygon(one.outline), float(one.accuracy_ft), one) for one in outlines]
    if asked.of == "excavation":
        own += [
            Shape(f"pit floor of {one.day}", shapely.Point(one.position), 0.0)
            for one in question.site.pit_floor
            if one.position is not None and not one.planned and one.day <= question.on
        ]
    return own


def _kept_off(asked: SetbackAsked, question: Question) -> list[Shape]:
    site = question.site
    if asked.off == "stream":
        return [Shape(one.id, shapely.LineString(one.line), 0.0) for one in site.stream]
    if asked.off == "highway":
        ways = site.inventory.highway
        return [Shape(one.id, shapely.LineString(one.right_of_way), float(one.accuracy_ft)) for one in ways]
    return [Shape("the property line", shapely.Polygon(site.boundary).exterior, 0.0)]


def _closer(asked: SetbackAsked, one: Shape, other: Shape) -> Gap | None:
    """Closer, or perhaps closer where the accuracy crosses the line; None where it is not, or is excused."""
    distance, accuracy = float(shapely.distance(one.shape, other.shape)), one.accuracy_ft + other.accuracy_ft
    least = float(asked.least_ft) - ARITHMETIC_FT
    if distance - accuracy >= least or (asked.excused and not _missing(asked, one)):
        return None
    known = f", known to {accuracy:,.1f} ft" if accuracy else ""
    lacks = f"{distance:,.1f} ft from {other.id}{known}, where {asked.least_ft} ft are asked{_part(asked, one)}"
    return Gap(one.id, lacks, _do(asked, one), sure=distance + accuracy < least)


def _missing(asked: SetbackAsked, one: Shape) -> list[str]:
    return [name for name in asked.excused if one.outline is None or not getattr(one.outline, name)]


def _part(asked: SetbackAsked, one: Shape) -> str:
    missing = _missing(asked, one)
    return f"; an exception on file lacks {' and '.join(missing)}" if 0 < len(missing) < len(asked.excused) else ""


def _do(asked: SetbackAsked, one: Shape) -> str:
    survey = "have the distance surveyed; the town looks at it"
    missing = _missing(asked, one)
    return f"{survey}; an exception needs {' and '.join(missing)} ([[inventory.outline]])" if missing else survey


def _excuses(asked: SetbackAsked, own: Sequence[Shape]) -> list[str]:
    return [
        f"{one.id}: exception on file ({'; '.join(str(getattr(one.outline, name)) for name in asked.excused)})"
        for one in own
        if asked.excused and not _missing(asked, one)
    ]
