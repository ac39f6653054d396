"""The law of public records as dated data: what may be withheld of a household, on which ground, for how long."""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from models.errors import BadLaw
from models.field_types import Text
from models.toml_file import Noun, read_noun

PrivateField = Literal["owner", "occupant", "phone", "address", "position", "hold"]


class Withheld(Noun):
    """A private field and the ground on which a custodian may withhold it."""

    field: PrivateField
    ground: Text


class Retention(Noun):
    """How long a household's data are kept after the last act about its property."""

    years: Annotated[int, Field(gt=0)]
    citation: Text
    runs_from: Text

    def ends(self, last_act: date) -> date:
        """The first day on which nothing asks for the data any more; 29 February counts on to 1 March."""
        try:
            return last_act.replace(year=last_act.year + self.years)
        except ValueError:
            return date(last_act.year + self.years, 3, 1)


class RecordsLaw(Noun):
    """All of ``models/law/records/<id>.toml``: a ground for every private field."""

    id: str
    citation: Text
    verification: Text
    custodian: Text
    withhold: tuple[Withheld, ...]
    retention: Retention

    @model_validator(mode="after")
    def _every_field_has_its_ground(self) -> Self:
        given = [one.field for one in self.withhold]
        if sorted(given) != sorted(get_args(PrivateField)):
            raise ValueError(f"withhold: one ground for each of {', '.join(get_args(PrivateField))}")
        return self

    def ground(self, field: PrivateField) -> str:
        """Why a field may be withheld."""
        return next(one.ground for one in self.withhold if one.field == field)


@cache
def records_law(id: str) -> RecordsLaw:
    """Read the records law of a state.

    Raises
    ------
    BadLaw : no such file, or it breaks the schema.
    """
    folder = files("models") / "law" / "records"
    names = sorted(one.name.removesuffix(".toml") for one in folder.iterdir())
    if id not in names:
        raise BadLaw("no such law of public records", key="records", found=id, allowed=names)
    return read_noun(RecordsLaw, (folder / f"{id}.toml").read_text(encoding="utf-8"), file=f"{id}.toml", error=BadLaw)
