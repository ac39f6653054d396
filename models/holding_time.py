"""How long a sample keeps: the longest time from taking the water to analysing it, as dated data, and what was kept.

``holding_times.csv`` holds one row for each group of parameters, with the preservation that the time supposes, and how
far its text was verified: ``memory`` is recalled and not read, ``single`` stands in one other source. A deliverable
does not say how a bottle was preserved, so that of two times the longer is taken. A time to extraction stands beside
that to analysis: where only the analysis is dated, a time between the two leaves open whether it was kept.

A result past its time is not void: what it says may have changed in the bottle, and that is told beside it.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from models.observation import DAY_MS, PERIODS, Flags

Standing = Literal["kept", "exceeded", "unknown"]
Span = tuple[int, int]
"""First and last wall-clock instant [ms] that a moment may be."""
HOUR_MS, TWO_DAYS = 3_600_000, 48
_EAST_MS, _WEST_MS = 14 * HOUR_MS, -12 * HOUR_MS
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}\S*|[0-9]{8}[T ]?[0-9]{4}(?:[0-9]{2}(?:[.][0-9]+)?)?(?:Z|[+-]\S+)?"
)
_MIDNIGHT = re.compile(r"00:?00(?::?00(?:[.]0+)?)?")
"""An hour that a spreadsheet adds to a day."""


@dataclass(frozen=True)
class HoldingTime:
    """One row of ``holding_times.csv``; hours from sampling. ``extraction_hours`` None: there is no extraction."""

    group: str
    parameters: tuple[str, ...]
    hours: Decimal
    extraction_hours: Decimal | None
    words: str
    preservation: str
    since: date | None
    until: date | None
    citation: str
    verification: str
    note: str

    def in_force(self, on: date) -> bool:
        return (self.since is None or self.since <= on) and (self.until is None or on < self.until)

    def source(self) -> str:
        """The citation, and whether it was read."""
        return f"{self.citation} (from memory, verify)" if self.verification == "memory" else self.citation


@dataclass(frozen=True)
class Held:
    """How long a sample was kept before analysis [h], at the least and at the most, and what its time says of that."""

    time: HoldingTime
    shortest: Decimal
    longest: Decimal
    standing: Standing

    def says(self) -> str:
        """For print."""
        least, most = _shown(self.shortest), _shown(self.longest)
        kept = least if least == most else f"{least} to {most}"
        time = self.time
        return f"analysed {kept} after sampling; holding time of {time.group}: {time.words}, {time.source()}"


@cache
def holding_times() -> tuple[HoldingTime, ...]:
    """Every row."""
    text = files("models").joinpath("holding_times.csv").read_text(encoding="utf-8")
    return tuple(map(_row, csv.DictReader(text.splitlines())))


def holding_time(parameter: str, on: date) -> HoldingTime | None:
    """The time in force for a parameter on the day of sampling; None where none is known."""
    return next((one for one in _times_of(parameter) if one.in_force(on)), None)


@lru_cache(maxsize=4096)
def _times_of(parameter: str) -> tuple[HoldingTime, ...]:
    return tuple(one for one in holding_times() if parameter in one.parameters)


def held(parameter: str, clock: str, time_ms: int, flags: Flags) -> Held | None:
    """How long the sample of a result was kept; None where no time is known or the result gives no date of analysis.

    Parameters
    ----------
    clock, time_ms : as in ``models.observation.TIDY``. The laboratory's clock has no zone in a deliverable and is taken
        for that of the place: what was stored in UTC is any hour that its zone can make of it.
    """
    sampled, analysed = sampled_span(clock, time_ms), span_of(flags.facts.get("analysed", ""))
    if analysed is None or sampled is None:
        return None
    time = holding_time(parameter, (_EPOCH + timedelta(milliseconds=time_ms)).date())
    if time is None:
        return None
    shortest, longest = (_hours(analysed[0] - sampled[1]), _hours(analysed[1] - sampled[0]))
    return Held(time, max(shortest, Decimal(0)), longest, _standing(time, shortest, longest))


def sampled_span(clock: str, time_ms: int) -> Span | None:
    """When the water was taken on the clock of its place; None where that is no day."""
    if clock == "utc":
        return time_ms + _WEST_MS, time_ms + _EAST_MS
    if clock == "day":
        return time_ms, time_ms + DAY_MS - 1
    return None if clock in PERIODS else (time_ms, time_ms)


@lru_cache(maxsize=65536)
def span_of(text: str) -> Span | None:
    """A moment written as ISO text, with or without its hyphens: a day is any time of it, and so is midnight.

    None where it is written in another way, weeks and days of the year too. One with a zone may be any hour of the
    place's own clock.
    """
    only_day = _DAY.fullmatch(text) is not None
    if not only_day and _MOMENT.fullmatch(text) is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    zoned = moment.tzinfo is not None
    at = round((moment.astimezone(UTC) if zoned else moment.replace(tzinfo=UTC)).timestamp() * 1000)
    if zoned:
        return at + _WEST_MS, at + _EAST_MS
    clock = text[8:].lstrip("T ") if text[:8].isdigit() else text[11:]
    return (at, at + DAY_MS - 1) if only_day or _MIDNIGHT.fullmatch(clock) else (at, at)


def _standing(time: HoldingTime, shortest: Decimal, longest: Decimal) -> Standing:
    if shortest > time.hours:
        return "exceeded"
    return "kept" if longest <= (time.extraction_hours or time.hours) else "unknown"


@lru_cache(maxsize=16384)
def _hours(ms: int) -> Decimal:
    return Decimal(ms) / HOUR_MS


def _shown(hours: Decimal) -> str:
    return f"{hours / 24:.2f} d" if hours >= TWO_DAYS else f"{hours:.2f} h"


def _row(row: dict[str, str]) -> HoldingTime:
    since, until = (date.fromisoformat(row[name]) if row[name] else None for name in ("since", "until"))
    extraction = Decimal(row["extraction_hours"]) if row["extraction_hours"] else None
    return HoldingTime(
        row["group"], tuple(row["parameters"].split(";")), Decimal(row["hours"]), extraction, row["words"],
        row["preservation"], since, until, row["citation"], row["verification"], row["note"],
    )  # fmt: skip
