"""Rules about what must be located, listed and sampled: each requirement of a clause is one table, by what it asks.

A number of law stands in the ordinance file, its unit in the key. What is asked of papers, wells and waters is asked by
the names of ``models.inventory``.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.clause import Clause
from models.field_types import Text
from models.inventory import Item, Pond
from models.toml_file import Noun

Length = Annotated[Decimal, Field(gt=0)]
WellUse = Literal["monitoring", "private", "production", "index"]
WellFact = Literal["number", "depth", "casing", "depth_to_water", "capacity"]
WaterFact = Literal["name", "level", "ordinary_high_water", "base_flow"]


class Asked(Noun):
    """What every requirement says of itself. ``required_by``: only where a decision asks for it."""

    name: Item
    clause: str
    title: Text
    text: Text
    required_by: bool = False
    counsel: Text = ""


class Reach(Noun):
    """How far a requirement reaches from the site's boundary or the facility in it; without a number: on the site."""

    within_mi: Length | None = None
    within_ft: Length | None = None
    around: Literal["boundary", "facility"] = "boundary"

    @model_validator(mode="after")
    def _one_unit(self) -> Self:
        if self.within_mi is not None and self.within_ft is not None:
            raise ValueError("one of within_mi and within_ft")
        return self


class PaperAsked(Asked):
    """A paper on file, with its contents. ``if_pumped``: only where a production well is for one of these uses."""

    ask: Literal["paper"]
    item: Item
    contents: tuple[Item, ...] = ()
    if_pumped: tuple[Literal["any", "dewatering"], ...] = ()


class WellsAsked(Asked, Reach):
    """Facts of every well in reach; ``listed_in``: a paper that must list it."""

    ask: Literal["wells"]
    uses: tuple[WellUse, ...] = Field(min_length=1)
    facts: tuple[WellFact, ...] = ()
    listed_in: Item | None = None


class WatersAsked(Asked, Reach):
    """Facts of every water in reach; ``listed_in``: a paper that must list it."""

    ask: Literal["waters"]
    kinds: tuple[Literal["stream", "lake"], ...] = Field(min_length=1)
    facts: tuple[WaterFact, ...] = ()
    listed_in: Item | None = None


class ResidencesAsked(Asked, Reach):
    """Every home in reach, by itself or by its parcel, listed in a paper; ``adopted``: whether it stood at adoption."""

    ask: Literal["residences"]
    by: Literal["home", "parcel"]
    listed_in: Item
    adopted: bool = False


class BaselineAsked(Asked, Reach):
    """Results of every private supply in reach from before mining began, access permitting."""

    ask: Literal["baseline"]
    standards: str


class SectorsAsked(Asked):
    """A well with results from before mining began in each sector of so many acres, by the size of the site."""

    ask: Literal["sectors"]
    standards: str
    from_acres: Length
    acres: Length
    acres_below: Length


class BackgroundAsked(Asked):
    """Results of each indicator parameter from before mining began, as many as the set of standards asks for.

    ``chosen_in``: the paper whose contents are the indicators that were chosen; without it, those sampled anywhere.
    """

    ask: Literal["background"]
    standards: str
    chosen_in: Item


class GradientAsked(Asked):
    """Monitoring wells with measuring points from which gradient, direction and rate of flow can be computed."""

    ask: Literal["gradient"]


class FloorAsked(Asked):
    """The lowest elevation of the planned excavation on file."""

    ask: Literal["floor"]


class PondsAsked(Asked):
    """Distance of every pond's bottom from bedrock and from the water table."""

    ask: Literal["ponds"]
    what: tuple[Pond, ...] = Field(min_length=1)


class SetbackAsked(Asked):
    """Nothing of a kind closer than a distance to a stream, a highway's right-of-way or a property line.

    ``excused``: the documents that together make an exception.
    """

    ask: Literal["setback"]
    of: Literal["excavation"] | Pond
    least_ft: Length
    off: Literal["stream", "highway", "property_line"]
    excused: tuple[Literal["topography", "safeguards"], ...] = ()


Requirement = Annotated[
    PaperAsked | WellsAsked | WatersAsked | ResidencesAsked | BaselineAsked | SectorsAsked | BackgroundAsked
    | GradientAsked | FloorAsked | PondsAsked | SetbackAsked,
    Field(discriminator="ask"),
]  # fmt: skip


class NetworkRule(Clause):
    """What must be located, listed and sampled around the site.

    ``from_inventory``: judged only where the town keeps an inventory; silence of a file is no gap of the mine.
    """

    kind: Literal["network"]
    from_inventory: bool = False
    requires: tuple[Requirement, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _named_once(self) -> Self:
        names = [one.name for one in self.requires]
        if twice := sorted({one for one in names if names.count(one) > 1}):
            raise ValueError(f"requirement named twice: {', '.join(twice)}")
        return self
