"""Parameters and units of RDB columns: a code implies both, and the comments of a file say the unit in words."""

from __future__ import annotations

import re

from ingest.reading import Source
from models.errors import BadUnit
from models.parameters import find_parameter
from models.units import unit_id

CODE_UNITS = {"01045": "ug/L", "01046": "ug/L"}
"""Unit of a parameter code where it is not the one its parameter is kept in (NWIS parameter code dictionary)."""

_DESCRIBED = re.compile(r"\n#[ \t]+[0-9]+[ \t]+([0-9]{5})[ \t]+(?:[0-9]{5}[ \t]+)?([^\n]{1,300})")
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


def code_unit(source: Source, code: str) -> str:
    """Unit of a parameter code: its parameter's own, or what the comments of the file say of a code not known."""
    known = find_parameter("usgs", code)
    if known is not None:
        return CODE_UNITS.get(code, known.canonical_unit)
    for match in _DESCRIBED.finditer("\n" + source.text):
        if match[1] == code:
            return _stated_unit(match[2])
    return ""


def _stated_unit(description: str) -> str:
    """``Stream velocity, feet per second (Mean)``: what stands after the last comma, as an id where it is known."""
    *name, unit = _BRACKETS.sub("", description.strip()).split(",")
    text = unit.strip().removeprefix("in ")
    try:
        return unit_id(text) if name else ""
    except BadUnit:
        return text
