"""Pressure loggers of ``site.toml``: where one hangs, and what its maker puts into the numbers it stores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.field_types import Day, Id, Positive
from models.toml_file import Noun

Family = Literal["solinst-edge", "solinst-gold", "solinst-junior", "solinst-ltc-edge"]


@dataclass(frozen=True)
class MakersZero:
    """What a family of loggers stores for the pressure it feels.

    stored = felt - ``zero_ft`` + ``altitude_ratio`` x the altitude that was entered + the offset that was entered

    Parameters
    ----------
    zero_ft : the pressure stored as 0 [ft of water].
    altitude_ratio : what it adds for each foot of altitude entered [ft of water / ft].
    """

    zero_ft: Decimal
    altitude_ratio: Decimal


_NONE = MakersZero(Decimal(0), Decimal(0))
_GOLD = MakersZero(Decimal("9.5") / Decimal("0.3048"), Decimal("0.0012"))
MAKERS_ZERO: Mapping[Family, MakersZero] = {
    "solinst-edge": _NONE,
    "solinst-gold": _GOLD,
    "solinst-junior": _GOLD,
    "solinst-ltc-edge": _GOLD,
}
"""Solinst, Levelogger Series User Guide: 1.2 (Gold, Junior and LTC Edge store what exceeds 950 cm of water, Edge and
later ones all of it) and 5.9 (1.2 of water for 1,000 of the altitude entered are made good). A file names the family
as ``Instrument_type``."""


class Zero(Noun):
    """The maker's zero of a logger. ``altitude_entered_ft``, ``offset_entered_ft``: as its file's header states."""

    family: Family | None = None
    altitude_entered_ft: Annotated[Decimal, Field(ge=-1000, le=16400)] = Decimal(0)
    offset_entered_ft: Annotated[Decimal, Field(ge=-1000, le=16400)] = Decimal(0)

    @property
    def zero_ft(self) -> Decimal:
        """What to add to a stored number to have the pressure felt [ft of water]."""
        makers = MAKERS_ZERO.get(self.family, _NONE) if self.family else _NONE
        return makers.zero_ft - makers.altitude_ratio * self.altitude_entered_ft - self.offset_entered_ft


class MeasuringPoint(Noun):
    """The marked point a tape is held to, from a date on."""

    since: Day
    elevation_ft: Decimal
    height_above_land_ft: Decimal
    datum: Literal["NAVD88", "NGVD29"] = "NAVD88"


class Logger(Zero):
    """A pressure logger hung in a well, from a date on.

    ``water_density``: of its water [kg/m3]; ``by temperature`` takes what the logger measures. Unsaid, 1,000.
    ``barometric_efficiency``: the share of a change in air pressure that the well's level makes good, taken out of the
    level about ``reference_air_psi``. Unsaid, the level is as a tape would read it.
    """

    serial: str
    since: Day
    kind: Literal["absolute", "vented"]
    hung_below_mp_ft: Positive
    barologger: Id | None = None
    water_density: Annotated[Decimal, Field(ge=900, le=1100)] | Literal["by temperature"] | None = None
    barometric_efficiency: Annotated[Decimal, Field(ge=0, le=1)] = Decimal(0)
    reference_air_psi: Annotated[Decimal, Field(ge=9, le=16)] | None = None

    @model_validator(mode="after")
    def _absolute_needs_air(self) -> Self:
        if self.kind == "absolute" and self.barologger is None:
            raise ValueError("an absolute logger needs a barologger")
        if self.barometric_efficiency and (self.barologger is None or self.reference_air_psi is None):
            raise ValueError("a barometric_efficiency needs a barologger and its reference_air_psi")
        return self
