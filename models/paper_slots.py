"""Slots: where the template of a paper names a household.

A slot is an object among the facts of a paper and never a text, so that nothing anybody wrote can be one. The stored
paper is written with marks in its slots, the one that is handed out with names: a name is in no log, and is gone once
its time in ``households.toml`` is out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from models.household import Household

SlotField = Literal["owner", "occupant", "address"]
UNNAMED: Mapping[SlotField, str] = {
    "owner": "The owner", "occupant": "The occupant", "address": "(address not on file: fill in)",
}  # fmt: skip
"""What a slot reads where the household file says nothing."""


@dataclass(frozen=True)
class Slot:
    """A private field of a property."""

    field: SlotField
    property: str

    def mark(self) -> str:
        """How the stored paper shows it."""
        return f"⟦{self.field}:{self.property}⟧"


Says = Callable[[Slot], str]
"""What stands in a slot."""


def of_homes(homes: Iterable[Household]) -> Says:
    """Names and addresses as ``households.toml`` has them; of several households of a property each once."""
    known = list(homes)

    def said(slot: Slot) -> str:
        texts = [str(getattr(home, slot.field)) for home in known if home.property == slot.property]
        return "; ".join(dict.fromkeys(one for one in texts if one)) or UNNAMED[slot.field]

    return said


def filled(facts: Any, says: Says) -> Any:
    """Facts of a template with a text in each slot; every other text stays what it is."""
    return each(facts, lambda one: says(one) if isinstance(one, Slot) else one)


def each(facts: Any, change: Callable[[Any], Any]) -> Any:
    """Plain data (mappings, lists and tuples) with a change made to everything in it that is none of these."""
    if isinstance(facts, Mapping):
        return {name: each(one, change) for name, one in facts.items()}
    if isinstance(facts, list | tuple):
        return type(facts)(each(one, change) for one in facts)
    return change(facts)


def properties_in(facts: Any) -> tuple[str, ...]:
    """The properties whose households a paper names, in order."""
    found: dict[str, None] = {}

    def noted(slot: Slot) -> str:
        found.setdefault(slot.property)
        return ""

    filled(facts, noted)
    return tuple(found)
