"""What the levels of a well are tested against, from a date on: numbers of the station, none of which is assumed."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Self

from pydantic import Field, model_validator

from models.field_types import Day, Positive, Text
from models.toml_file import Noun

Span = tuple[Decimal, Decimal]


class QualityTests(Noun):
    """Limits of the quality tests of one well. A test without a limit is not made, and says so.

    ``suspect_outside_ft``, ``fail_outside_ft``: gross range of the depth below land, its ends inside.
    ``rate_ft_per_h``: a faster change between two readings is suspect. ``spike_suspect_ft``, ``spike_fail_ft``: how far
    a reading may stand off the middle of its neighbours. ``flat_within_ft``, ``flat_suspect_h``, ``flat_fail_h``: a
    sensor that stays within so much for so long is stuck. ``longest_gap_h``: readings further apart are no neighbours.
    ``sensor_margin_ft``: a logger under less water than this may hang in air.
    ``stale_after_h``: a record whose last reading is older says nothing of now.
    """

    since: Day
    suspect_outside_ft: Span | None = None
    fail_outside_ft: Span | None = None
    rate_ft_per_h: Positive | None = None
    spike_suspect_ft: Positive | None = None
    spike_fail_ft: Positive | None = None
    flat_within_ft: Annotated[Decimal, Field(ge=0, le=10)] = Decimal("0.001")
    flat_suspect_h: Positive | None = None
    flat_fail_h: Positive | None = None
    longest_gap_h: Positive = Decimal(6)
    sensor_margin_ft: Annotated[Decimal, Field(ge=0, le=10)] = Decimal("0.1")
    stale_after_h: Positive | None = None
    reason: Text = ""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        for span in (self.suspect_outside_ft, self.fail_outside_ft):
            if span is not None and span[0] >= span[1]:
                raise ValueError("a range needs its lower end first")
        inner, outer = self.suspect_outside_ft, self.fail_outside_ft
        if inner is not None and outer is not None and not (outer[0] <= inner[0] and inner[1] <= outer[1]):
            raise ValueError("suspect_outside_ft must lie within fail_outside_ft")
        for soft, hard in ((self.spike_suspect_ft, self.spike_fail_ft), (self.flat_suspect_h, self.flat_fail_h)):
            if soft is not None and hard is not None and hard < soft:
                raise ValueError("what fails must be further off than what is suspect")
        return self
