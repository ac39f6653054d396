"""Slots: where a paper names a household.

The stored paper holds the slot, the file that is handed out holds the name. So a name is in no log, and is gone once
its time in ``households.toml`` is out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Literal

from models.household import Household

SlotField = Literal["owner", "occupant", "address"]
UNNAMED = {"owner": "The owner", "occupant": "The occupant", "address": "(address not on file: fill in)"}
"""What a slot reads where the household file says nothing."""

_SLOT = re.compile(r"⟦(owner|occupant|address):([A-Za-z0-9][A-Za-z0-9._-]*)⟧")


def slot(field: SlotField, property: str) -> str:
    """Where a private field of a property stands once the paper is handed out."""
    return f"⟦{field}:{property}⟧"


def properties_named(text: str) -> tuple[str, ...]:
    """The properties whose households a stored paper names, in order."""
    return tuple(dict.fromkeys(found[2] for found in _SLOT.finditer(text)))


def filled(text: str, homes: Iterable[Household], property: str, escape: Callable[[str], str]) -> str:
    """A stored paper with the names and the address of one property in their slots, and of no other.

    Parameters
    ----------
    escape : makes a text safe for the form of the paper.
    """
    of_it = [one for one in homes if one.property == property]

    def said(found: re.Match[str]) -> str:
        if found[2] != property:
            return found[0]
        names = [text for home in of_it if (text := str(getattr(home, found[1])))]
        return escape("; ".join(dict.fromkeys(names)) or UNNAMED[found[1]])

    return _SLOT.sub(said, text)
