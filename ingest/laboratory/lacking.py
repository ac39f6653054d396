"""Why a table of results is none that is known: the headings that were understood, and those that it lacks."""

from __future__ import annotations

from ingest.laboratory.grid import cells_of, first_lines
from ingest.laboratory.headings import ROLES, lab_roles
from ingest.laboratory.lab_table import is_head, measured_columns

LINES = 25
"""Lines among which the head is looked for."""
NEEDED = ("sample", "analyte", "value", "unit")
FEWEST = 3
"""Headings of a laboratory's table by which a line is taken for its head."""
BY_HAND = "or say what the columns are by --map MAP.toml"


def lacking(text: str) -> str:
    """What to do about a table that looks like a laboratory's, ``""`` of any other text."""
    lines = [(row, cells_of(line)) for row, line in first_lines(text, LINES)]
    row, head = max(lines, key=lambda one: len(_understood(one[1])), default=(0, ()))
    found = _understood(head)
    if len(found) < FEWEST:
        return ""
    said = f"row {row + 1} has headings of a laboratory's table ({', '.join(found)})"
    if is_head(head):
        return f"{said}, and is not the first row: take out what stands above it, {BY_HAND}"
    wide = () if "value" in lab_roles(head) or not measured_columns(head) else ("analyte", "value", "unit")
    missing = [f"{one} ({' or '.join(ROLES[one][:3])})" for one in NEEDED if one not in (*lab_roles(head), *wide)]
    as_it_is = "" if missing and not missing[0].startswith("sample") else ", read it by --format lab-table as it is"
    return f"{said} and none for {', '.join(missing)}: add it{as_it_is}, {BY_HAND}"


def _understood(head: tuple[str, ...]) -> list[str]:
    columns = {*lab_roles(head).values(), *(one.column for one in measured_columns(head))}
    return [one for one in head if one in columns]
