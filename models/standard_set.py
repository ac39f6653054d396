"""What a set of groundwater standards says beside its numbers: how a result is read, what is summed or converted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.field_types import Text
from models.parameters import parameters
from models.toml_file import Noun

Kind = Literal["PAL", "ES"]
AttainedAt = Literal["ge", "gt"]
DetectionRule = Literal["nr140.14", "none"]
Share = Annotated[Decimal, Field(gt=0)]


class Factor(Noun):
    """Amount of a substance in one unit of what was reported, ``of / in``."""

    of: Share
    in_: Share = Field(alias="in")

    def times(self, value: Decimal) -> Decimal:
        return value if self.of == self.in_ else value * self.of / self.in_


class Form(Noun):
    """Another form in which a substance is reported; several factors where the report does not say which."""

    reported: str
    substance: str
    factors: tuple[Factor, ...] = Field(min_length=1)
    words: Text


class Sum(Noun):
    """A substance that is the sum of others: every way to split it. ``weights``: amount of it in one unit of a member.

    ``verification``: how far the list of members was verified.
    """

    substance: str
    ways: tuple[tuple[str, ...], ...] = Field(min_length=1)
    weights: Mapping[str, Share] = {}
    verification: str
    note: Text = ""

    def members(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for way in self.ways for name in way))


class Dependence(Noun):
    """A limit that grows with another result of the sample: ``value + slope (x - above)`` for x over ``above``.

    At or below ``above`` the row's own value stands; x is in the unit its parameter is kept in.
    """

    parameter: str
    kind: Kind
    on: str
    above: Annotated[Decimal, Field(ge=0)]
    slope: Share

    def limit(self, value: Decimal, x: Decimal) -> Decimal:
        return value + self.slope * max(x - self.above, Decimal(0))


class Confirmation(Noun):
    """The numbers of confirming a result: significance, and days between two samples."""

    alpha: Annotated[Decimal, Field(gt=0, lt=1)]
    resample_days: Annotated[int, Field(gt=0)]
    citation: str
    verification: str


class Indicators(Noun):
    """What holds for every indicator parameter; the increments stand in ``SET_indicators.csv``."""

    minimum_results: Annotated[int, Field(gt=0)]
    divide_by_n_from: Annotated[int, Field(gt=1)]
    citation: str
    verification: str


class StandardSet(Noun):
    """What holds for a whole set: how equality counts, what is done below the LOQ, what is summed or converted."""

    id: str
    title: Text
    citation: str
    attained_at: AttainedAt
    detection_rule: DetectionRule
    text_current_to: date
    note: Text = ""
    confirmation: Confirmation | None = None
    form: tuple[Form, ...] = ()
    sum: tuple[Sum, ...] = ()
    dependence: tuple[Dependence, ...] = ()
    indicators: Indicators | None = None

    @model_validator(mode="after")
    def _known_parameters(self) -> Self:
        named = [name for one in self.form for name in (one.reported, one.substance)]
        named += [name for one in self.sum for name in (one.substance, *one.members(), *one.weights)]
        named += [name for one in self.dependence for name in (one.parameter, one.on)]
        unknown = sorted(set(named) - set(parameters()))
        if unknown:
            raise ValueError(f"unknown parameter: {', '.join(unknown)}")
        return self
