"""How deep the mine is dug or planned, and where bedrock begins: surveyed elevations above NAVD88."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from models.field_types import Day, Id, Text
from models.toml_file import Noun

Accuracy = Annotated[Decimal, Field(ge=0, le=100)]
Place = tuple[float, float]


class PitFloor(Noun):
    """The lowest elevation of the pit (or of a planned bottom) on a day [ft above NAVD88], and who surveyed it.

    ``position``: where it lies, anywhere within the boundary where left out. ``planned``: a design, not a survey.
    """

    day: Day
    elevation_ft: Decimal
    by: Text
    accuracy_ft: Accuracy = Decimal(0)
    position: Place | None = None
    planned: bool = False


class Bedrock(Noun):
    """The top of bedrock as one boring or survey found it [ft above NAVD88]."""

    elevation_ft: Decimal
    source: Text
    accuracy_ft: Accuracy = Decimal(0)
    position: Place | None = None


class Boring(Noun):
    """A boring into the soil: how deep it went, and the groundwater it met on its day [ft above NAVD88].

    ``groundwater_ft`` left out: none was met, or nobody wrote it down. ``to_bedrock``: rock ended it, and is a
    `Bedrock` of its own.
    """

    id: Id
    day: Day
    by: Text
    bottom_ft: Decimal | None = None
    to_bedrock: bool = False
    groundwater_ft: Decimal | None = None
    accuracy_ft: Accuracy = Decimal(0)
    position: Place | None = None
