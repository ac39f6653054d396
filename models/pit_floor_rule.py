"""Rules about how deep the pit goes: against the water table and against bedrock."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from models.clause import Clause


class PitFloorRule(Clause):
    """The floor of the pit, surveyed or planned, against the water table and the top of bedrock.

    ``above_water_table_ft``: attained below this height above the water table; left out, no separation is set and the
    distance is only told. ``below_bedrock``: attained below the top of bedrock; otherwise the distance is only told.
    ``borings_below_ft``: how far below the floor borings are to go; left out, nothing is asked of them.
    """

    kind: Literal["pit_floor"]
    floor: Literal["surveyed", "planned"] = "surveyed"
    above_water_table_ft: Annotated[Decimal, Field(ge=0)] | None = None
    below_bedrock: bool = False
    borings_below_ft: Annotated[Decimal, Field(ge=0)] | None = None
