"""Volumes between the readings of a totalizing meter: register differences over rollovers, exchanges and resets.

A difference is a volume where the register went up. Where it fell there must be a reason: a rollover of a register
whose size is stated, an exchange with the last reading of the old register, a reset. A drop without one is not used
and is said; where the next number is again over the one before it, the lower one may be misread, and the volume from it
on is not known either: at least what the register rose over it. Between the last reading of an old register and the
first of a new one nobody measured, unless the pipe was open all the while (``FITTING_MS``). Two readings of one instant
that differ are not chosen between: where the register rose over both, they are left out, and no water with them.
Differences are decimal, and no volume is ever below zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby, pairwise
from typing import Protocol

from models.observation import Flags
from models.question import StoredRow

ROLLED_OVER, LAST_READ, EXCHANGED, RESET = "rollover", "replaced-out", "replaced-in", "reset"
"""What a reading may be marked as."""
ROLLOVER_ABOVE = Decimal("0.9")
"""Share of the register that the reading before an unmarked rollover must exceed: a register that fell from lower
was read wrong, exchanged or reset, and nobody said so."""
FELL = "register fell without a recorded reason"
FITTING_MS = 3_600_000
"""One meter is taken out and the next fitted in so long: the pipe is open, and nothing can be pumped."""
NO_METER = "no meter between the last reading of the old register and the first of the new one"
MISREAD = ": misread, or begun anew"
UNMARKED = "rollover, not marked: the reading before was above 90 % of the register"


class Register(Protocol):
    """A counter of gallons. ``register_gal``: the number at which it begins again from zero; None: not stated."""

    @property
    def register_gal(self) -> Decimal | None: ...


@dataclass(frozen=True)
class Interval:
    """Volume pumped in a time. ``volume_gal`` None: not known, and ``note`` says why. ``row``: what it rests on.

    ``told_gal``: of a volume not known, the least and the most that somebody tells.
    """

    start_ms: int
    end_ms: int
    volume_gal: float | None
    note: str
    row: str
    told_gal: tuple[float, float] | None = None

    @property
    def at_least_gal(self) -> float:
        """What a model pumps in it: the least that is told of a volume not known, nothing where nobody tells any."""
        return (self.told_gal or (0.0,))[0] if self.volume_gal is None else self.volume_gal


@dataclass(frozen=True)
class _Reading:
    """One reading: when, what the register showed [gal] (None: no number), and how it is marked.

    ``differing``: what readings of this one instant showed that are not the same.
    """

    time_ms: int
    gallons: Decimal | None
    marks: frozenset[str]
    row: str
    differing: tuple[Decimal, ...] = ()

    def order(self) -> tuple[int, bool, Decimal, str]:
        """Of two readings at one instant the new register's comes after the old one's."""
        return self.time_ms, self.begins_anew, self.gallons or Decimal(0), self.row

    @property
    def begins_anew(self) -> bool:
        return bool(self.marks & {EXCHANGED, RESET})

    def between(self, low: Decimal, high: Decimal) -> bool:
        """Whether each of its numbers is one of a register that rose from one to the other, and nothing else befell."""
        return not self.marks and all(low <= one <= high for one in self.differing)

    def says(self) -> str:
        return f"readings of one instant differ: {' and '.join(f'{one.normalize():,f}' for one in self.differing)} gal"


def not_known_ms(found: Sequence[Interval]) -> int:
    """Time within a record of which nobody tells anything [ms]: of unknown volume, and between intervals."""
    hidden = sum(one.end_ms - one.start_ms for one in found if one.volume_gal is None and one.told_gal is None)
    return hidden + sum(max(after.start_ms - before.end_ms, 0) for before, after in pairwise(found))


Step = tuple[_Reading, _Reading, str]
"""Two readings one after the other, and what is to be said of those left out between them."""


def intervals(meter: Register, readings: Iterable[StoredRow]) -> list[Interval]:
    """Volumes between consecutive readings of one meter.

    Parameters
    ----------
    readings : stored rows (time_ms, value [gal], flags, row_id, day, clock) in any order; the same reading twice is
        one.
    """
    read = sorted(_with_hours(list(readings)), key=_Reading.order)
    once = [_together(list(same)) for _, same in groupby(read, key=lambda one: (one.time_ms, one.begins_anew))]
    steps = list(_steps(once))
    return list(_doubted(steps, [_interval(meter.register_gal, *step) for step in steps]))


def _with_hours(rows: Sequence[StoredRow]) -> Iterator[_Reading]:
    """An exchange of which one reading has an hour and the other its day alone was at that hour."""
    read = [_reading(row) for row in rows]
    hours = {(row.day, one.begins_anew): one.time_ms for row, one in zip(rows, read, strict=True)
             if row.clock != "day" and one.marks & {LAST_READ, EXCHANGED, RESET}}  # fmt: skip
    for row, one in zip(rows, read, strict=True):
        exchange = row.clock == "day" and one.marks & {LAST_READ, EXCHANGED, RESET}
        yield replace(one, time_ms=hours.get((row.day, not one.begins_anew), one.time_ms)) if exchange else one


def _reading(row: StoredRow) -> _Reading:
    gallons = Decimal(str(float(row.value))) if row.value == row.value else None
    return _Reading(row.time_ms, gallons, frozenset(Flags.parse(row.flags).qualifiers), row.row_id)


def _together(same: Sequence[_Reading]) -> _Reading:
    """Readings of one register at one instant as one, with a number where they agree on it."""
    numbers = sorted({one.gallons for one in same if one.gallons is not None})
    marks = frozenset[str]().union(*(one.marks for one in same))
    number, differing = (numbers[0], ()) if len(numbers) == 1 else (None, tuple(numbers))
    return _Reading(same[0].time_ms, number, marks, same[-1].row, differing)


def _steps(read: Sequence[_Reading]) -> Iterator[Step]:
    """Consecutive readings, over those that differ where the register rose over every number of theirs."""
    waiting: list[_Reading] = []
    for one in read:
        if one.differing and waiting:
            waiting.append(one)
            continue
        yield from _over(waiting, one)
        waiting = [one]
    yield from ((before, after, "") for before, after in pairwise(waiting))


def _over(waiting: Sequence[_Reading], after: _Reading) -> Iterator[Step]:
    if not waiting:
        return
    before, *differ = waiting
    low, high, marked = before.gallons, after.gallons, after.begins_anew or ROLLED_OVER in after.marks
    if differ and low is not None and high is not None and not marked and all(x.between(low, high) for x in differ):
        yield before, after, f"{differ[0].says()}; the register rose over both"
    else:
        yield from ((one, other, "") for one, other in pairwise([*waiting, after]))


def _interval(register: Decimal | None, before: _Reading, after: _Reading, over: str) -> Interval:
    if after.begins_anew:
        volume, note = _exchanged(before, after)
    elif before.gallons is None or after.gallons is None:
        unclear = next((one for one in (before, after) if one.differing), None)
        volume, note = None, unclear.says() if unclear else "a reading without a number"
    elif ROLLED_OVER in after.marks:
        volume, note = _rolled(register, before.gallons, after.gallons)
    elif after.gallons < before.gallons:
        volume, note = _fell(register, before.gallons, after.gallons)
    else:
        volume, note = after.gallons - before.gallons, over
    return Interval(before.time_ms, after.time_ms, None if volume is None else float(volume), note, after.row)


def _doubted(steps: Sequence[Step], found: Sequence[Interval]) -> Iterator[Interval]:
    """The intervals, an unexplained drop as one with the next where the register rose over both: it may be misread."""
    done = 0
    for number, (drop, after) in enumerate(pairwise(found)):
        (high, _, _), (low, then, _) = steps[number], steps[number + 1]
        if not drop.note.startswith(FELL) or after.note:
            continue
        numbers = [one.gallons for one in (high, low, then) if one.gallons is not None]
        if len(numbers) == 3 and numbers[2] >= numbers[0]:
            told = float(numbers[2] - numbers[0]), float(numbers[2] - numbers[1])
            yield from found[done:number]
            yield replace(after, start_ms=drop.start_ms, volume_gal=None, note=f"{drop.note}{MISREAD}", told_gal=told)
            done = number + 2
    yield from found[done:]


def _exchanged(before: _Reading, after: _Reading) -> tuple[Decimal | None, str]:
    """A new register starts from its own number; what ran before it was there, or unread, is not known.

    A number read at the instant of the new one's first is the old one's last, marked or not.
    """
    at_once = before.time_ms == after.time_ms and before.gallons is not None
    if LAST_READ not in before.marks and not at_once:
        return None, "register exchanged or reset without a last reading"
    fitting = after.time_ms - before.time_ms <= FITTING_MS
    return (Decimal(0), "register exchanged") if fitting else (None, NO_METER)


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
