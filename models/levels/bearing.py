"""What a correction means beside the others: which it takes the place of, what holds after it, what rested on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from models.levels.steps import OFFSETS, Step

SHOWN = 12


def bearing(step: Step, others: Sequence[Step]) -> Iterator[str]:
    """In sentences.

    Parameters
    ----------
    others : every other step that stands at the well.
    """
    own = [one for one in others if one.serial == step.serial and one.series in {"", step.series}]
    if step.kind in OFFSETS:
        yield from _of_offset(step, [one for one in own if one.kind in OFFSETS])
    elif step.kind == "clock":
        yield from _of_clock(step, [one for one in others if one.serial == step.serial and one.tapes_ms])


def without(step: Step, others: Sequence[Step]) -> Iterator[str]:
    """What holds where a step was taken back, in sentences."""
    if step.kind == "clock":
        yield from _of_clock(step, [one for one in others if one.serial == step.serial and one.tapes_ms])
    elif step.kind in OFFSETS:
        own = [one for one in others if one.serial == step.serial and one.series in {"", step.series}]
        before = _holding([one for one in own if one.kind in OFFSETS], step.start_ms)
        if before is not None:
            yield f"from where it began the {_named(before)} holds again"


def _of_offset(step: Step, own: Sequence[Step]) -> Iterator[str]:
    before = _holding(own, step.start_ms)
    if before is not None:
        yield f"it holds in the place of the {_named(before)}, and is not added to it"
    if step.end_ms is None:
        return
    after = _holding(own, step.end_ms + 1)
    if after is not None:
        yield f"after its end the {_named(after)} holds"
    else:
        yield "after its end no tie or drift holds: record a tie by the last tape to carry it on"


def _of_clock(step: Step, taped: Sequence[Step]) -> Iterator[str]:
    until = np.inf if step.end_ms is None else step.end_ms
    rested = [_named(one) for one in taped if any(step.start_ms <= at <= until for at in one.tapes_ms)]
    if rested:
        yield f"by another clock rest the {', '.join(rested)}: see how far off their tapes are now"


def _holding(own: Sequence[Step], time_ms: int) -> Step | None:
    """The one that holds at an instant: of those it lies in, the one that began last."""
    held = [one for one in own if one.holds(np.array([time_ms], np.int64)).all()]
    return max(held, key=lambda one: (one.start_ms, one.id), default=None)


def _named(one: Step) -> str:
    return f"{one.kind} {one.id[:SHOWN]}"
