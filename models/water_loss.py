"""Water lost from the basin by consumptive use, as somebody stated it for a year, and by which method.

NR 856.30(2)(e)-(f) ask for the loss, estimated or actual (ch. NR 142), and for the method. It is no measurement of this
program: without a statement nothing is said.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.field_types import Text
from models.pumped_water import WaterUse
from models.toml_file import Noun


class WaterLoss(Noun):
    """The loss of one calendar year, of one use or of all: gallons, or a share of what was withdrawn."""

    year: Annotated[int, Field(ge=1900, le=2200)]
    use: WaterUse | None = None
    gallons: Annotated[Decimal, Field(ge=0)] | None = None
    share: Annotated[Decimal, Field(ge=0, le=1)] | None = None
    known_as: Literal["estimated", "actual"]
    method: Annotated[Text, Field(min_length=1)]
    by: Annotated[Text, Field(min_length=1)]

    def of(self, withdrawn_gal: int | None) -> int | None:
        """The loss [gal] of what was withdrawn; None of a share of nobody knows what."""
        if self.gallons is not None:
            return round(self.gallons)
        return None if withdrawn_gal is None or self.share is None else round(Fraction(self.share) * withdrawn_gal)

    @model_validator(mode="after")
    def _one_amount(self) -> Self:
        if (self.gallons is None) == (self.share is None):
            raise ValueError("needs one of gallons and share")
        return self
