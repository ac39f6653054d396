"""Corrections of a logger's record, each a step that says who made it, when and why, and can be taken back.

The stored readings stay what they are: a corrected record is computed from them and from the steps that stand, so
without any step it is the record itself. Clock steps come first, since they say which air a reading was taken under.
A reading belongs to the clock step that holds at its stored time, and is moved once.

Cables add up. Ties and drifts do not: each says what to add to the depth without another of them, and at each instant
the one that began last holds. So the record is the same in whatever order they were recorded, and without one of them
the one before it holds again. A number that a tape gave is what to add to the record without any cable step, and what
the cables add at the instant of the tape is in it already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from models.errors import BadQuestion
from models.levels.pressure import Instants, Numbers

Kind = Literal["clock", "cable", "drift", "tie"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order they are applied."""
PARAMETERS: Mapping[Kind, tuple[str, ...]] = {
    "clock": ("fast_at_start_s", "fast_at_end_s"),
    "cable": ("deeper_ft",),
    "drift": ("at_start_ft", "at_end_ft"),
    "tie": ("offset_ft",),
}
OFFSETS: frozenset[Kind] = frozenset({"drift", "tie"})
"""Kinds of which one holds at an instant."""
LINEAR: frozenset[Kind] = frozenset({"clock", "drift"})
"""Kinds that run from a known number at their start to another at their end, and so need an end."""
MOST_OFF: Mapping[Kind, Decimal] = {
    "clock": Decimal(366 * 86_400), "cable": Decimal(100), "drift": Decimal(100), "tie": Decimal(100),
}  # fmt: skip
"""More than this [s or ft] is a slip of the pen: a year, or more than a tape of a monitoring well reads."""


@dataclass(frozen=True)
class Step:
    """One correction of one logger's record.

    Parameters
    ----------
    id : key of the act that records it.
    kind : ``clock``: the logger's clock ran ahead by so many seconds; ``cable``: the sensor hung so much deeper than
        stated; ``drift``: what to add to a depth, linear in time; ``tie``: what to add to a depth.
    parameters : numbers by the names of ``PARAMETERS``, decimal.
    start_ms, end_ms : period by the logger's own clock for a clock step, else true time [UTC epoch ms]; the end is
        outside, but for a drift, whose closing check is its end; None is open.
    serial : of the logger; "" is every one of the well.
    series : the one channel of it (serial:channel) that a tie or drift is of; "" is every one.
    tapes_ms : instants of the tapes its numbers come from, of a drift two; none where a person gave the numbers.
    """

    id: str
    kind: Kind
    parameters: Mapping[str, Decimal]
    start_ms: int
    end_ms: int | None
    who: str
    when: datetime
    why: str
    serial: str = ""
    series: str = ""
    tapes_ms: tuple[int, ...] = ()

    def holds(self, times: Instants) -> NDArray[np.bool_]:
        """Which readings lie in its period."""
        until = np.iinfo(np.int64).max if self.end_ms is None else self.end_ms
        held: NDArray[np.bool_] = (times >= self.start_ms) & (times < until)
        return held | (times == until) if self.kind == "drift" else held

    def ramp(self, times: Instants, less: Sequence[float] = (0.0, 0.0)) -> Numbers:
        """Its number at each time: from the one at its start linearly to the one at its end, each less so much."""
        first, last = (
            float(self.parameters[name]) - off for name, off in zip(PARAMETERS[self.kind], less, strict=True)
        )
        span = (self.end_ms or self.start_ms + 1) - self.start_ms
        return first + (last - first) * ((times - self.start_ms) / span)

    def says(self) -> str:
        """What it does, in a few words."""
        shown = [f"{self.parameters[name]:+f}" for name in PARAMETERS[self.kind]]
        if self.kind == "clock":
            return f"clock fast by {shown[0]} s at the start, {shown[1]} s at the end"
        if self.kind == "drift":
            return f"depth {shown[0]} ft at the start, {shown[1]} ft at the end, linear"
        return f"sensor {shown[0]} ft deeper" if self.kind == "cable" else f"depth {shown[0]} ft"


def set_right(steps: Iterable[Step], stored: Instants) -> Instants:
    """True times of readings by their stored ones: less how far the clock was ahead."""
    times = stored
    for one in steps:
        if one.kind == "clock" and (inside := one.holds(stored)).any():
            times = times.copy()
            times[inside] -= np.round(one.ramp(stored[inside]) * 1000).astype(np.int64)
    return times


def adjusted(steps: Iterable[Step], times: Instants, depth_ft: Numbers) -> Numbers:
    """Depths after cables, drifts and ties, at true times [UTC epoch ms]; without any the very array given.

    A sensor that hangs deeper has more water over it at the same level.
    """
    ordered = in_turn(steps)
    cables = [one for one in ordered if one.kind == "cable"]
    offsets = sorted((one for one in ordered if one.kind in OFFSETS), key=lambda one: (one.start_ms, one.id))
    if not cables and not offsets:
        return depth_ft
    added = np.zeros(times.shape)
    for one in offsets:
        inside = one.holds(times)
        added[inside] = _offset(one, times[inside], cables)
    return depth_ft + _cabled(cables, times) + added


def _cabled(cables: Iterable[Step], times: Instants) -> Numbers:
    """What the cable steps add at each time [ft]."""
    added = np.zeros(times.shape)
    for one in cables:
        added[one.holds(times)] += float(one.parameters["deeper_ft"])
    return added


def _offset(step: Step, times: Instants, cables: Sequence[Step]) -> Numbers:
    """What a tie or drift adds [ft], less what the cables add at its tapes."""
    there = _cabled(cables, np.array(step.tapes_ms, np.int64)).tolist()
    if step.kind == "tie":
        return np.full(times.shape, float(step.parameters["offset_ft"]) - sum(there))
    ramp: Numbers = step.ramp(times, there or (0.0, 0.0))
    return ramp


def in_turn(steps: Iterable[Step]) -> list[Step]:
    """In the order they are applied, whatever the order they were recorded or read in."""
    return sorted(steps, key=lambda one: (KINDS.index(one.kind), one.start_ms, one.id))


def of_logger(steps: Iterable[Step], serial: str, series: str = "") -> list[Step]:
    """The steps of one logger, of its channels the one that is named, in turn."""
    return in_turn(one for one in steps if one.serial in {"", serial} and one.series in {"", series})


def applied(steps: Iterable[Step], stored: Instants, depth_ft: Numbers) -> tuple[Instants, Numbers]:
    """True times and depths after these steps; without any the very arrays that were given."""
    made = list(steps)
    times = set_right(made, stored)
    return times, adjusted(made, times, depth_ft)


def admit(step: Step, others: Sequence[Step]) -> None:
    """Refuse a step that cannot be.

    Parameters
    ----------
    others : the steps that stand at the well.

    Raises
    ------
    BadQuestion : a number is missing or beyond reason, a period is empty or has no end, two clocks run at once, or two
        ties begin at once.
    """
    for name in PARAMETERS[step.kind]:
        most, number = MOST_OFF[step.kind], step.parameters.get(name)
        if number is None or not number.is_finite() or abs(number) > most:
            raise BadQuestion(
                "not a correction",
                key=name,
                found=None if number is None else f"{number:f}",
                allowed=[f"-{most} to {most}"],
            )
    if step.end_ms is None and step.kind in LINEAR:
        raise BadQuestion(f"a {step.kind} runs between two known checks: it needs an end", key="--to")
    if step.end_ms is not None and step.end_ms <= step.start_ms:
        raise BadQuestion("ends before it begins", key="--to")
    if step.kind == "clock":
        _one_clock(step, others)
    if step.kind in OFFSETS:
        _one_start(step, others)


def _one_clock(step: Step, others: Sequence[Step]) -> None:
    """A clock that lost more than the whole period ran backwards; of two steps at once none is a check of the other."""
    first, last = (step.parameters[name] for name in PARAMETERS["clock"])
    span_s = Decimal((step.end_ms or 0) - step.start_ms) / 1000
    if last - first >= span_s:
        raise BadQuestion("the clock would have run backwards", key="--end-amount", found=last)
    for one in others:
        other = one.kind == "clock" and one.id != step.id
        of_it = one.serial == step.serial or "" in {one.serial, step.serial}
        if other and of_it and one.start_ms < (step.end_ms or 0) and step.start_ms < (one.end_ms or 0):
            raise BadQuestion("another clock step stands in this period; undo it first", key="KEY", found=one.id[:12])


def _one_start(step: Step, others: Sequence[Step]) -> None:
    """Of two ties that begin at one instant nothing says which holds."""
    for one in others:
        same = one.serial == step.serial and one.series == step.series and one.start_ms == step.start_ms
        if same and one.kind in OFFSETS and dict(one.parameters) != dict(step.parameters):
            raise BadQuestion(
                "another tie or drift begins at this instant; undo it first", key="KEY", found=one.id[:12]
            )
