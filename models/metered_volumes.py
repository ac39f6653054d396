"""Volumes between the readings of a totalizing meter: register differences over rollovers, exchanges and resets.

A difference is a volume where the register went up. Where it fell there must be a reason: a rollover of a register
whose size is stated, an exchange with the last reading of the old register, a reset. A drop without one is not used
and is said. Differences are decimal, and no volume is ever below zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Protocol

from models.observation import Flags
from models.question import StoredRow

ROLLED_OVER, LAST_READ, EXCHANGED, RESET = "rollover", "replaced-out", "replaced-in", "reset"
"""What a reading may be marked as."""
ROLLOVER_ABOVE = Decimal("0.9")
"""Share of the register that the reading before an unmarked rollover must exceed: a register that fell from lower
was read wrong, exchanged or reset, and nobody said so."""
FELL = "register fell without a recorded reason"
UNMARKED = "rollover, not marked: the reading before was above 90 % of the register"


class Register(Protocol):
    """A counter of gallons. ``register_gal``: the number at which it begins again from zero; None: not stated."""

    @property
    def register_gal(self) -> Decimal | None: ...


@dataclass(frozen=True)
class Interval:
    """Volume pumped in a time. ``volume_gal`` None: not known, and ``note`` says why. ``row``: what it rests on."""

    start_ms: int
    end_ms: int
    volume_gal: float | None
    note: str
    row: str


@dataclass(frozen=True)
class _Reading:
    """One reading: when, what the register showed [gal] (None: no number), and how it is marked."""

    time_ms: int
    gallons: Decimal | None
    marks: frozenset[str]
    row: str

    def order(self) -> tuple[int, bool, Decimal, str]:
        """Of two readings at one instant the new register's comes after the old one's."""
        return self.time_ms, self.begins_anew, self.gallons or Decimal(0), self.row

    @property
    def begins_anew(self) -> bool:
        return bool(self.marks & {EXCHANGED, RESET})


def intervals(meter: Register, readings: Iterable[StoredRow]) -> list[Interval]:
    """Volumes between consecutive readings of one meter.

    Parameters
    ----------
    readings : stored rows (time_ms, value [gal], flags, row_id) in any order; the same reading twice is
        one.
    """
    once = {(one.time_ms, one.gallons, one.marks): one for one in sorted(map(_reading, readings), key=_Reading.order)}
    return [_interval(meter.register_gal, before, after) for before, after in pairwise(once.values())]


def _reading(row: StoredRow) -> _Reading:
    gallons = Decimal(str(float(row.value))) if row.value == row.value else None
    return _Reading(row.time_ms, gallons, frozenset(Flags.parse(row.flags).qualifiers), row.row_id)


def _interval(register: Decimal | None, before: _Reading, after: _Reading) -> Interval:
    if after.begins_anew:
        volume, note = _exchanged(before)
    elif before.gallons is None or after.gallons is None:
        volume, note = None, "a reading without a number"
    elif ROLLED_OVER in after.marks:
        volume, note = _rolled(register, before.gallons, after.gallons)
    elif after.gallons < before.gallons:
        volume, note = _fell(register, before.gallons, after.gallons)
    else:
        volume, note = after.gallons - before.gallons, ""
    return Interval(before.time_ms, after.time_ms, None if volume is None else float(volume), note, after.row)


def _exchanged(before: _Reading) -> tuple[Decimal | None, str]:
    """A new register starts from its own number; without a last reading of the old one the volume is not known."""
    if LAST_READ in before.marks:
        return Decimal(0), "register exchanged"
    return None, "register exchanged or reset without a last reading"


def _rolled(register: Decimal | None, before: Decimal, after: Decimal) -> tuple[Decimal | None, str]:
    """A rollover that somebody marked: the register's size is added once."""
    if register is None:
        return None, "register rolled over, and its size is not stated ([[meter]] register_gal)"
    if before > register or after > register:
        return None, f"a reading beyond the register's stated size, {register:,f} gal"
    if after >= before:
        return None, "marked as a rollover, and the register did not fall"
    return register - before + after, ""


def _fell(register: Decimal | None, before: Decimal, after: Decimal) -> tuple[Decimal | None, str]:
    """A drop nobody explained is a rollover only where the register was almost full."""
    fell = f"{FELL}, from {before.normalize():,f} to {after.normalize():,f} gal"
    if register is None or before > register or before <= ROLLOVER_ABOVE * register:
        return None, fell
    return register - before + after, UNMARKED
