"""Which wells and days are background water quality (NR 140.05(3), 140.20(1)), and where a well lies to the site."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal, Self

from pydantic import Field, model_validator

from models.field_types import Day, Id, Text
from models.references import known
from models.toml_file import Noun

Gradient = Literal["upgradient", "sidegradient", "downgradient"]
UNAFFECTED = {"upgradient", "sidegradient"}
"""Wells whose water the site does not reach: their later results may still be background."""


class BackgroundRecord(Noun):
    """Results that stand for groundwater the facility has not affected: of some wells, from one day to another.

    ``judges``: the wells held against it, all where none is named. ``censored``: how its mean and standard deviation
    are estimated where results were not detected. ``decision``: who approved the choice of wells, where somebody did.
    """

    wells: tuple[Id, ...] = Field(min_length=1)
    first: Day = Field(alias="from")
    last: Day = Field(alias="to")
    judges: tuple[Id, ...] = ()
    censored: Literal["kaplan_meier", "ros"] = "kaplan_meier"
    decision: Text = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.last < self.first:
            raise ValueError("to must not come before from")
        if len(set(self.wells)) < len(self.wells):
            raise ValueError("a background well is named twice")
        return self

    def holds_at(self, well: str) -> bool:
        return not self.judges or well in self.judges

    def covers(self, day: date) -> bool:
        return self.first <= day <= self.last


def background_of(records: Sequence[BackgroundRecord], well: str) -> BackgroundRecord | None:
    """The record a well is held against, or None where the site declares none for it."""
    return next((one for one in records if one.holds_at(well)), None)


def fits_site(
    records: Sequence[BackgroundRecord], gradients: Iterable[tuple[str, Gradient | None]], began: date
) -> None:
    """Refuse a record of wells that are not there, two for one well, or results that the mine may have affected.

    Raises
    ------
    ValueError : naming the well.
    """
    sides = dict(gradients)
    known("well", [id for one in records for id in (*one.wells, *one.judges)], set(sides))
    for id in sides:
        if sum(one.holds_at(id) for one in records) > 1:
            raise ValueError(f"two backgrounds judge well {id}: say which wells each judges")
    for one in records:
        affected = [id for id in one.wells if sides[id] not in UNAFFECTED]
        if one.last >= began and affected:
            raise ValueError(
                f"background of {', '.join(affected)} runs past {began}, when mining began: end it before, or state "
                "the well's gradient as upgradient or sidegradient"
            )
