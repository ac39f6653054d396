"""The levels of a well as text: how its loggers hang, what was corrected, what the tests found, how far off a tape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reports.text_table import text_table

Answer = Mapping[str, Any]
KEY_SHOWN = 12
DAYS_SHOWN, TAPES_SHOWN = 7, 20
STEP_COLUMNS = ("key", "kind", "says", "from", "to", "by", "why")
HAND_COLUMNS = ("time", "tape_ft", "logger_ft", "off_before_ft", "off_ft")
DAY_COLUMNS = ("day", "depth_ft", "coverage", "flag", "why")
NOTES = (
    "Depths are feet below land surface. Stored readings are never changed: what is corrected is computed from them "
    "and from the steps that stand, and a step can be taken back (headwater levels undo KEY).",
    "Of ties and drifts the one that began last holds at each instant; they are not added to each other, and each says "
    "what to add to the record without them. So the order in which they were recorded changes nothing.",
    "Flags are those of QARTOD: 1 good, 2 not evaluated, 3 suspect, 4 fail, 9 missing. A reading that fails does not "
    "count in the mean of its day; a suspect one does, and a day it moves shows nothing without a hand reading.",
    "Air pressure is interpolated between barologger readings, never over a gap, and never taken from a standard "
    "atmosphere.",
)


def level_text(answer: Answer) -> str:
    """All of it."""
    parts = [f"{answer['well']}: depth to water, ft below land surface", *answer["set_apart"]]
    for one in answer["loggers"]:
        parts += ["", *_logger(one)]
    if not answer["loggers"]:
        parts.append("no logger reading is stored")
    return "\n".join([*parts, *([answer["page"]] if "page" in answer else [])])


def name_of(one: Answer) -> str:
    """A logger by its serial and channel, and what the channel holds."""
    channel = one["series"].rpartition(":")[2]
    held = {"logger_pressure": "pressure", "logger_level": "height of water"}[one["parameter"]]
    return f"Logger {one['serial']}, channel {channel or 'unnamed'} ({held})"


def says_of(one: Answer) -> Iterator[str]:
    """A logger in sentences."""
    yield f"{name_of(one)}: {one['readings']} readings, {one['first']} to {one['last']}."
    yield from (f"Hung {declared}." for declared in one["declared"])
    if not one["declared"]:
        yield "Site.toml does not say how it hangs: no depth can be told."
    if one["stale"]:
        yield f"{one['stale'].capitalize()}."
    flags = ", ".join(f"{n} {word}" for word, n in sorted(one["flags"].items()))
    yield f"Flags: {flags}."
    for rule, counts in one["rules"].items():
        yield f"{rule.capitalize()}: {', '.join(f'{n} {word}' for word, n in counts.items())}."


def step_rows(one: Answer) -> list[dict[str, Any]]:
    """The steps that stand, in the order they are applied."""
    return [dict(step) | {"key": step["key"][:KEY_SHOWN], "to": step["to"] or "open"} for step in one["steps"]]


def hand_rows(one: Answer) -> list[dict[str, Any]]:
    """Tape readings to the hundredth they are read to, and how far the logger is off to the thousandth."""
    places = {"tape_ft": 2, "logger_ft": 3, "off_before_ft": 3, "off_ft": 3}
    return [
        dict(row) | {name: f"{row[name]:.{n}f}" for name, n in places.items() if row[name] is not None}
        for row in one["hand"]
    ]


def _logger(one: Answer) -> Iterator[str]:
    yield from says_of(one)
    yield ""
    yield text_table(step_rows(one), STEP_COLUMNS) if one["steps"] else "no correction stands"
    yield from _table("Tape readings, and tape less logger before and after correction", hand_rows(one), HAND_COLUMNS,
                      TAPES_SHOWN)  # fmt: skip
    yield from _table("Daily means", one["days"], DAY_COLUMNS, DAYS_SHOWN)


def _table(heading: str, rows: Sequence[Answer], columns: Sequence[str], most: int) -> Iterator[str]:
    if rows:
        more = f" (the last {most} of {len(rows)})" if len(rows) > most else ""
        yield ""
        yield f"{heading}{more}"
        yield text_table(rows[-most:], columns)
