"""The layers of an aquifer, from the water table down, as a numerical model takes them."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BeforeValidator, model_validator

from models.field_types import Id
from models.quantity import SPECIFIC_STORAGE, Conductivity, Depth, Quantity, Storativity, reader
from models.toml_file import Noun

SpecificStorage = Annotated[Quantity, BeforeValidator(reader(SPECIFIC_STORAGE))]


class LayerOf(Noun):
    """One layer: its bottom below the undisturbed water table, and what it is made of.

    Parameters
    ----------
    bottom : depth below the water table before pumping; the first layer begins at the table itself.
    conductivity, vertical_conductivity : K and Kv; Kv is a tenth of K where it is left out, and that is said.
    specific_storage : 1e-5 1/m where it is left out, and that is said.
    specific_yield : of the layer the water table stands in, or may fall into; the aquifer's storativity where left out.
    """

    id: Id
    bottom: Depth
    conductivity: Conductivity
    vertical_conductivity: Conductivity | None = None
    specific_storage: SpecificStorage | None = None
    specific_yield: Storativity | None = None

    @model_validator(mode="after")
    def _thick(self) -> Self:
        if self.bottom.value <= 0:
            raise ValueError(f"{self.id}: its bottom must lie below the water table")
        return self
