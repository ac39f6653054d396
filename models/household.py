"""The private half of a site, from ``households.toml`` (mode 0600) and nowhere else."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from models.field_types import Id, Text
from models.site import Point
from models.toml_file import Noun


class Household(Noun):
    """Who lives where: read only by commands that need it, never stored, printed or mailed by the night.

    ``hold``: why the data are kept though their time is out (a claim, a request for records).
    """

    property: Id
    owner: Text
    occupant: Text = ""
    phone: Text = ""
    address: Text = ""
    hold: Text = ""


class PrivatePosition(Noun):
    """Where a private well really is."""

    well: Id
    position: Point
    position_accuracy_ft: Annotated[Decimal, Field(ge=0)] = Decimal(0)


class Households(Noun):
    """All of ``households.toml`` (mode 0600)."""

    household: tuple[Household, ...] = ()
    well: tuple[PrivatePosition, ...] = ()
