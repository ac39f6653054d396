"""What a town keeps of a mine's papers, wells, waters and outlines: facts that no instrument shows, by name.

A paper names what it holds (``contents``) and which wells, waters or homes it lists (``lists``). A record says what
papers tell of a well or a water of the site file. An outline is where something is dug or built.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.field_types import Day, Id, Positive, Text
from models.references import known, unique
from models.toml_file import Noun
from models.waters import Point

Item = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]
Accuracy = Annotated[Decimal, Field(ge=0, le=10000)]
Separation = Annotated[Decimal, Field(ge=-1000, le=1000)]
Elevation = Annotated[Decimal, Field(ge=-1500, le=30000)]
Document = Annotated[Text, Field(min_length=1)]
Pond = Literal["sedimentation_pond", "wash_pond", "settling_pond"]


class Paper(Noun):
    """A document on file with the town. ``item``: what it is, by the name a rule asks for."""

    item: Item
    document: Document
    on: Day
    contents: tuple[Item, ...] = ()
    lists: tuple[Id, ...] = ()
    note: Text = ""


class WellRecord(Noun):
    """What papers say of a well: its number on the map of wells, casing and water [ft], and whether it may be sampled.

    ``depth_to_water_ft``: below land, below 0 where water stands above it. ``access_refused``: the day on which the
    owner was asked for access and refused. ``document``: a well construction report, a letter.
    """

    well: Id
    number: Annotated[int, Field(gt=0)] | None = None
    casing_ft: Positive | None = None
    depth_to_water_ft: Annotated[Decimal, Field(ge=-200, le=5000)] | None = None
    access_refused: Day | None = None
    document: Text = ""
    note: Text = ""

    @model_validator(mode="after")
    def _documented(self) -> Self:
        said = (self.casing_ft, self.depth_to_water_ft, self.access_refused)
        if any(one is not None for one in said) and not self.document:
            raise ValueError("casing_ft, depth_to_water_ft and access_refused need the document that says so")
        return self


class WaterRecord(Noun):
    """What papers say of a stream or a lake [ft above NAVD88]: the level of a day, and the ordinary high water."""

    water: Id
    level_ft: Elevation | None = None
    level_on: Day | None = None
    ordinary_high_water_ft: Elevation | None = None
    document: Document
    note: Text = ""

    @model_validator(mode="after")
    def _dated(self) -> Self:
        if (self.level_ft is None) != (self.level_on is None):
            raise ValueError("level_ft and level_on need each other")
        return self


class Residence(Noun):
    """A home: on a parcel of the site file, or at a position. No name, phone or address of anybody belongs here."""

    id: Id
    property: Id | None = None
    position: Point | None = None
    position_accuracy_ft: Accuracy = Decimal(0)
    stood_at_adoption: bool | None = None

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if self.property is None and self.position is None:
            raise ValueError("needs the property it stands on, or a position")
        return self


class Outline(Noun):
    """Where something is dug, built or planned, as surveyed or mapped on a day; ``accuracy_ft`` of its edge.

    ``above_bedrock_ft``, ``above_water_table_ft``: how far the bottom of a pond lies above each. ``topography``,
    ``safeguards``: documents of an exception from a setback. A ``sector`` is a part of the site that needs a well.
    """

    id: Id
    what: Literal["excavation", "facility", "sector"] | Pond
    outline: tuple[Point, ...] = Field(min_length=3)
    on: Day
    document: Document
    accuracy_ft: Accuracy = Decimal(0)
    above_bedrock_ft: Separation | None = None
    above_water_table_ft: Separation | None = None
    topography: Text = ""
    safeguards: Text = ""


class Highway(Noun):
    """The edge of a public highway's right-of-way."""

    id: Id
    right_of_way: tuple[Point, ...] = Field(min_length=2)
    accuracy_ft: Accuracy = Decimal(0)


class Inventory(Noun):
    """All of ``[inventory]`` in a site file."""

    paper: tuple[Paper, ...] = ()
    well: tuple[WellRecord, ...] = ()
    water: tuple[WaterRecord, ...] = ()
    residence: tuple[Residence, ...] = ()
    outline: tuple[Outline, ...] = ()
    highway: tuple[Highway, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        unique("inventory.well", [one.well for one in self.well])
        unique("inventory.water", [one.water for one in self.water])
        unique("number of a well", [str(one.number) for one in self.well if one.number is not None])
        ids = [*(one.id for one in self.residence), *(one.id for one in self.outline)]
        unique("inventory id", [*ids, *(one.id for one in self.highway)])
        return self

    @property
    def kept(self) -> bool:
        """Whether the town keeps an inventory here at all."""
        return self != Inventory()

    def papers(self, item: str, on: date) -> tuple[Paper, ...]:
        """The documents of one item that are on file on a day."""
        return tuple(one for one in self.paper if one.item == item and one.on <= on)

    def outlines(self, on: date, *what: str) -> tuple[Outline, ...]:
        """What is outlined by a day."""
        return tuple(one for one in self.outline if one.what in what and one.on <= on)


def fits(inventory: Inventory, wells: Iterable[str], waters: Iterable[str], properties: Sequence[str]) -> None:
    """Refuse a record or a list of what is not in the site file.

    Raises
    ------
    ValueError : naming it.
    """
    own_wells, own_waters = set(wells), set(waters)
    homes = {one.id for one in inventory.residence}
    known("well", [one.well for one in inventory.well], own_wells)
    known("water", [one.water for one in inventory.water], own_waters)
    known("well, water or home", [id for one in inventory.paper for id in one.lists], own_wells | own_waters | homes)
    known("property", [one.property for one in inventory.residence if one.property], set(properties))
