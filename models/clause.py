"""What every rule of an ordinance carries: where it stands, its words, and since when it is law."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from models.field_types import Text
from models.toml_file import Noun

RuleId = Annotated[str, Field(pattern=r"^[a-z0-9]+(\.[a-z0-9_]+)+$")]
EventName = Annotated[str, Field(pattern=r"^[a-z][a-z_]*$")]
Effective = date | Literal["unknown"]


class Clause(Noun):
    """What every rule carries: where it stands, its words, and when it is law."""

    id: RuleId
    clause: str
    title: Text
    text: Text
    effective: Effective
    effective_note: Text = ""
    repealed: date | None = None
    information: bool = False
    counsel: Text = ""
    required_by: bool = False
    opens: RuleId | None = None
    follows: Text = ""

    def in_force(self, on: date) -> bool:
        """Whether the rule is law on a day; an unknown date counts as in force and is printed as unknown."""
        begun = self.effective == "unknown" or self.effective <= on
        return begun and (self.repealed is None or on < self.repealed)


class Applies(Noun):
    """The clause that spares operations older than the ordinance from some of its rules, by their ids."""

    clause: str
    title: Text
    text: Text
    pre_existing_spared_from: tuple[RuleId, ...] = Field(min_length=1)
    counsel: Text = ""
