"""Where drainage leaves the property: each point, whether it did so before excavation, and what gauges it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Protocol, Self

from pydantic import Field, model_validator

from models.field_types import Id, Text
from models.references import known, unique
from models.toml_file import Noun

Coordinate = Annotated[float, Field(allow_inf_nan=False, ge=-1e8, le=1e8)]


class DrainagePoint(Noun):
    """A point at which drainage leaves the property.

    ``original``: it left here before excavation, by ``source`` (a plat, a survey). ``gauge``: the gauge whose discharge
    is the drainage of this point; a metered daily volume is delivered as its discharge (gal/d, ft3/d).
    ``natural``: what leaves at a point that is not original is natural drainage, or is not (pumped water),
    as ``determined_by`` found; unsaid, nobody has.
    """

    id: Id
    position: tuple[Coordinate, Coordinate]
    original: bool
    source: Text = Field(min_length=1)
    name: Text = ""
    gauge: Id | None = None
    natural: bool | None = None
    determined_by: Text = ""

    @model_validator(mode="after")
    def _determined(self) -> Self:
        if (self.natural is None) != (not self.determined_by):
            raise ValueError("natural and determined_by need each other")
        if self.natural is not None and self.original:
            raise ValueError("natural is asked of a point that is not original")
        return self


class Named(Protocol):
    """Anything of a site with an id."""

    @property
    def id(self) -> str: ...


def fits_gauges(points: Sequence[DrainagePoint], gauges: Iterable[str], others: Iterable[Named]) -> None:
    """Refuse an id used twice, also by another station or a water, a gauge of two points, and one the site has not.

    Raises
    ------
    ValueError : naming it.
    """
    measured = [one.gauge for one in points if one.gauge]
    unique("id", [*(one.id for one in points), *(one.id for one in others)])
    unique("gauge of a drainage point", measured)
    known("gauge", measured, set(gauges))
