"""Where pumped water goes: each place of discharge, what water takes it, and how its quantity is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Annotated, Self

from pydantic import Field, model_validator

from models.field_types import Id, Text
from models.pumped_water import VolumesBy
from models.references import known
from models.station import Station

Coordinate = Annotated[float, Field(allow_inf_nan=False, ge=-1e8, le=1e8)]
RegisterGal = Annotated[Decimal, Field(gt=0, le=Decimal("1e13"))]
"""Seven digits of a register in thousands of gallons, and more."""


class Discharge(Station):
    """A place at which pumped water leaves or is put to use (``[[discharge]]``).

    ``to``: in words what takes it (a pond, a ditch, the wash plant); ``water``: the stream or lake of the site that
    does. ``wells``: whose water it is, all where none is named. Its readings come under its own id: a totalizer
    (``register_gal`` as of a meter), logged rates, or volumes as reported (``discharged_volume``); ``volumes_by`` says
    which speaks, the first of these where nobody says. ``permit``: what allows it.
    """

    position: tuple[Coordinate, Coordinate]
    to: Text = Field(min_length=1)
    water: Id | None = None
    wells: tuple[Id, ...] = ()
    register_gal: RegisterGal | None = None
    volumes_by: VolumesBy | None = None
    permit: Text = ""

    @model_validator(mode="after")
    def _measured(self) -> Self:
        if self.volumes_by == "run time":
            raise ValueError("a discharge has no run times: meter, log or reports")
        return self


def fits_discharges(found: Sequence[Discharge], waters: Iterable[str], production: Iterable[str]) -> None:
    """Refuse a water or a production well that the site has not.

    Raises
    ------
    ValueError : naming it.
    """
    known("water", [one.water for one in found if one.water], set(waters))
    known("well", [id for one in found for id in one.wells], set(production))
