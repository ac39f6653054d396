"""Rules about where drainage leaves the property, and how much of it leaves at any one point."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from models.clause import Clause


class DrainageRule(Clause):
    """Drainage against the points it left at before excavation, and against the volume it had there for like weather.

    ``original_points``: natural drainage is to leave at the original points and at no other. ``not_increased``: the
    volume at any one point is not to be increased.
    """

    kind: Literal["drainage"]
    original_points: bool = False
    not_increased: bool = False

    @model_validator(mode="after")
    def _judges_something(self) -> Self:
        if not (self.original_points or self.not_increased):
            raise ValueError("names neither original_points nor not_increased")
        return self
