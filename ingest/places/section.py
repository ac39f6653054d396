"""Quarter-quarter sections by name, as ``NE SE 12 T30N R8W``: what else stands in such a column may be a person's."""

from __future__ import annotations

import re

_QUARTER = r"(?:NE|NW|SE|SW)"
_QUARTERS = rf"{_QUARTER} ?(?:OF ?)?(?:THE ?)?{_QUARTER}"
_SECTION = r"(?:OF ?)?(?:S|SEC|SECTION)? ?(?:3[0-6]|[12][0-9]|0?[1-9])"
_TOWN = r"(?:T|TWP|TOWNSHIP)? ?[0-9]{1,2} ?N ?(?:R|RNG|RANGE)? ?[0-9]{1,2} ?[EW]"
_NAME = re.compile(
    rf"{_QUARTERS}(?: ?{_SECTION})?(?: ?{_TOWN})?|(?:{_TOWN} ?)(?:{_SECTION} ?)?{_QUARTERS}", re.IGNORECASE
)
"""Of the Public Land Survey; in Wisconsin towns count north, ranges east or west of the Fourth Principal Meridian."""
_FOURTH = re.compile(r"1/4|¼")


def quarter_quarter(text: str) -> str:
    """The name on one line; ``""`` where it is not one."""
    plain = re.sub(r"[\s,.;()_-]+", " ", _FOURTH.sub(" ", text)).strip()
    return " ".join(text.split()) if _NAME.fullmatch(plain) else ""
