"""Corrections beside each other: order of recording, what holds where several bear on an instant, two clocks on end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.levels.bearing import bearing, without
from models.levels.steps import PARAMETERS, Kind, Step, admit, applied, of_logger

HOUR = 3_600_000
START = 1_714_521_600_000  # 2024-05-01T00:00Z
DEPTH = 20.0


def step(kind: Kind, *numbers: str, start: int = 0, end: int | None = None, id: str = "a", **more: Any) -> Step:
    """Periods in hours after START."""
    known = {name: Decimal(text) for name, text in zip(PARAMETERS[kind], numbers, strict=True)}
    until = None if end is None else START + end * HOUR
    when = datetime(2024, 6, 1, tzinfo=UTC)
    return Step(id, kind, known, START + start * HOUR, until, "A. Example", when, "made up", "77", **more)


def tape(*hours: int) -> dict[str, tuple[int, ...]]:
    return {"tapes_ms": tuple(START + one * HOUR for one in hours)}


def depths(steps: Sequence[Step], *hours: float) -> list[float]:
    times = START + np.array([round(one * HOUR) for one in hours], np.int64)
    return [round(one, 6) for one in applied(steps, times, np.full(len(hours), DEPTH))[1].tolist()]


def test_a_reading_is_moved_by_the_clock_step_of_its_stored_time_and_once() -> None:
    """A slow clock: 0 to an hour behind over 96 h, then an hour behind for good.

    What is stamped 95:15 was 95:15 + 95.25 / 96 h = 96:14:31.875, and not an hour more for lying in the second step.
    """
    steps = [step("clock", "0", "-3600", end=96), step("clock", "-3600", "-3600", start=96, end=240, id="b")]
    times, _ = applied(steps, START + np.array([95 * HOUR + HOUR // 4, 96 * HOUR], np.int64), np.zeros(2))
    assert ((times - START) / 1000).tolist() == [96 * 3600 + 14 * 60 + 31.875, 97 * 3600]


def test_of_two_ties_the_one_that_began_last_holds_and_without_it_the_one_before() -> None:
    """Tapes say +0.356 ft at 10 h and +0.292 ft at 20 h, each against the record without corrections."""
    first = step("tie", "0.356", start=10, id="a", **tape(10))
    second = step("tie", "0.292", start=20, id="b", **tape(20))
    for steps in ([first, second], [second, first]):
        assert depths(steps, 9, 10, 19, 20, 30) == [20, 20.356, 20.356, 20.292, 20.292]
    assert depths([first], 9, 20) == [20, 20.356]
    assert depths([second], 9, 10, 20) == [20, 20, 20.292]


def test_a_drift_ends_at_its_closing_tape_and_not_a_reading_before() -> None:
    drift = step("drift", "0.2", "0.4", start=10, end=20, **tape(10, 20))
    assert depths([drift], 9, 10, 15, 20, 20.25) == [20, 20.2, 20.3, 20.4, 20]
    carried_on = step("tie", "0.4", start=20, id="b", **tape(20))
    assert depths([drift, carried_on], 15, 20, 20.25) == [20.3, 20.4, 20.4]


def test_a_cable_step_does_not_move_a_record_off_its_tape() -> None:
    """The tape says 20.5 where the record without any step says 20: half a foot, whatever of it the cable explains."""
    tie = step("tie", "0.5", start=10, **tape(10))
    cable = step("cable", "0.3", start=5, id="b")
    assert depths([tie, cable], 4, 5, 10, 20) == [20, 20.3, 20.5, 20.5]
    later = step("cable", "0.3", start=15, id="b")
    assert depths([tie, later], 10, 15) == [20.5, 20.8]
    given = step("tie", "0.5", start=10)
    assert depths([given, cable], 10) == [20.8]
    drift = step("drift", "0.5", "0.9", start=10, end=20, **tape(10, 20))
    assert depths([drift, later], 10, 14, 15, 20) == [20.5, 20.54, 20.85, 20.9]


def test_a_step_of_one_channel_leaves_the_others_alone() -> None:
    steps = [step("tie", "1", series="77:2"), step("cable", "1", id="b")]
    assert [one.kind for one in of_logger(steps, "77", "77:1")] == ["cable"]
    assert [one.kind for one in of_logger(steps, "77", "77:2")] == ["cable", "tie"]
    assert of_logger(steps, "78", "78:2") == []


def test_two_ties_that_begin_at_once_are_refused() -> None:
    first = step("tie", "0.1", start=10, id="z")
    with pytest.raises(BadQuestion, match="undo it first"):
        admit(step("tie", "0.2", start=10), [first])
    admit(step("tie", "0.2", start=11), [first])
    admit(step("tie", "0.2", start=10, series="77:2"), [first])


def test_a_step_says_what_it_takes_the_place_of_and_what_follows() -> None:
    first = step("tie", "0.1", start=10, id="first0000000000", **tape(10))
    drift = step("drift", "0", "0.2", start=20, end=30, id="drift0000000000", **tape(20, 30))
    assert list(bearing(first, [])) == []
    assert list(bearing(drift, [first])) == [
        "it holds in the place of the tie first0000000, and is not added to it",
        "after its end the tie first0000000 holds",
    ]  # fmt: skip
    assert "no tie or drift holds" in "".join(bearing(drift, []))
    clock = step("clock", "0", "60", start=5, end=25, id="c")
    assert list(bearing(clock, [first, drift])) == [
        "by another clock rest the tie first0000000, drift drift0000000: see how far off their tapes are now"
    ]
    assert list(without(drift, [first])) == ["from where it began the tie first0000000 holds again"]
    assert list(without(first, [drift])) == []


OFFSETS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 20), st.decimals(-5, 5, places=3)),
    min_size=1, max_size=4, unique_by=lambda one: one[0],
)  # fmt: skip


@given(OFFSETS)
def test_whatever_the_order_of_recording_each_tape_that_nothing_covers_is_met(made: list[Any]) -> None:
    ties = [step("tie", str(off), start=at, id=str(n), **tape(at)) for n, (at, _, off) in enumerate(made)]
    hours = [one[0] for one in made]
    for order in permutations(ties):
        assert depths(order, *hours) == [round(DEPTH + float(off), 6) for _, _, off in made]
