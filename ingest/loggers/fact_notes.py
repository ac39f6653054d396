"""What the facts of a logger's file call for somebody to know, in sentences: in none of its rows is it to be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

SETTINGS = ("offset", "altitude")
"""What a person set in a Solinst logger before it ran, and its maker puts into every number."""

_NUMBER = re.compile(r"\s*([-+]?[0-9.,]+)")


def fact_notes(facts: Mapping[str, str]) -> Iterator[str]:
    """A file cut short, an order of dates that was taken, and a zero the logger was set to."""
    if "incomplete" in facts:
        yield f"the file {facts['incomplete']}: it may be cut short"
    if "date_order" in facts:
        yield f"dates are read {facts['date_order']}"
    said = [f"{name.replace('_', ' ')} {value}" for name, value in facts.items() if _is_set(name, value)]
    if said:
        yield f"the logger was set to {', '.join(said)}: site.toml must say so (offset_entered_ft, altitude_entered_ft)"


def _is_set(name: str, value: str) -> bool:
    number = _NUMBER.match(value)
    return name.endswith(SETTINGS) and number is not None and number[1].strip("+-0.,") != ""
