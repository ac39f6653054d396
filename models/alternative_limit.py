"""Site-specific alternative concentration limits (NR 140.05(1m), 140.28): a number that replaces a PAL or an ES."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from models.field_types import Day, Id, Positive, Text
from models.toml_file import Noun


class AlternativeLimit(Noun):
    """One limit set by a decision. ``wells``: where it holds, all where none is named; ``table``: of two, which."""

    substance: str
    kind: Literal["PAL", "ES"]
    value: Positive
    unit: str
    decision: Text
    since: Day
    until: Day | None = None
    table: Literal["", "1", "2"] = ""
    wells: tuple[Id, ...] = ()

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.until is not None and self.until <= self.since:
            raise ValueError("until must come after since")
        if not self.decision.strip():
            raise ValueError("names no decision that set it")
        return self

    def holds_at(self, well: str) -> bool:
        return not self.wells or well in self.wells
