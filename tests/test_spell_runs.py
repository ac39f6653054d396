"""Spells of many gauges at once: the same, one by one, as the machine that takes a day at a time."""

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.streamflow.day_states import DayState
from models.streamflow.practice import Practice
from models.streamflow.spell_runs import NONE, published_states, spell_runs, state_codes
from models.streamflow.spells import SpellMachine

FIRST = date(2025, 1, 1)
RUN = st.tuples(st.sampled_from("BBBNUU"), st.sampled_from([1, 1, 2, 3, 5, 6, 7, 12]))
COLUMN = st.lists(RUN, max_size=12).map(lambda runs: "".join(state * times for state, times in runs))
PRACTICES = st.builds(Practice, longest_linking_gap_days=st.integers(0, 6), indeterminate_known_days=st.integers(0, 4))
FIELDS = ("start", "end", "earliest_start", "latest_end", "known_below_days", "possible_days", "trigger", "doubted")


def table(columns):
    """Columns of state letters, cut to the shortest, as codes."""
    days = min(map(len, columns))
    return np.hstack([state_codes([DayState(one) for one in column[:days]]) for column in columns])


def streamed(column, more_than_days, practice):
    """The spells of one station from the machine, days as row numbers."""
    machine = SpellMachine(more_than_days, practice)
    for number, one in enumerate(column):
        machine.advance(FIRST + timedelta(days=number), DayState(one))
    return [
        (
            *(_row(day) for day in (run.below[0], run.below[-1], run.earliest_start, run.latest_end)),
            len(run.below), run.possible, _row(run.trigger), _row(run.doubted), machine.status(run),
        )
        for run in machine.spells()
    ]  # fmt: skip


def _row(day):
    return NONE if day is None else (day - FIRST).days


def of_station(runs, station):
    mine = runs.station == station
    rows = zip(*(getattr(runs, name)[mine].tolist() for name in FIELDS), runs.status[mine].tolist(), strict=True)
    return list(rows)


@given(st.lists(COLUMN, min_size=1, max_size=4), st.integers(0, 7), PRACTICES)
def test_the_spells_are_those_of_the_machine(columns, more_than_days, practice):
    codes = table(columns)
    found = spell_runs(codes, more_than_days, practice)
    for station, column in enumerate(columns):
        assert of_station(found, station) == streamed(column[: len(codes)], more_than_days, practice)


def test_a_spell_ends_with_its_station_and_does_not_run_on_into_the_next():
    found = spell_runs(table(["NNBBB", "BBBNN"]))
    assert found.station.tolist() == [0, 1]
    assert found.status.tolist() == ["WATCH", "MINOR"]
    assert found.triggers(2).tolist() == [0, 0]
    assert spell_runs(table(["B" * 6, "B" * 5 + "N"])).triggers(2).tolist() == [1, 0]


def test_nothing_at_all():
    assert spell_runs(np.empty((0, 3), np.uint8)).start.size == 0
    assert spell_runs(np.empty((3, 0), np.uint8)).start.size == 0


def test_states_of_published_flow():
    flow = np.array([[4.99, 5.0, np.nan, -1.0, 0.0, 5.01]]).T
    assert published_states(flow, 5.0).ravel().tolist() == [1, 0, 2, 2, 1, 0]
    assert published_states(flow, 5.0, "le").ravel().tolist() == [1, 1, 2, 2, 1, 0]


@pytest.mark.parametrize("states", [np.zeros(3, np.uint8), np.zeros((3, 1)), np.full((3, 1), 3, np.uint8)])
def test_what_is_no_table_of_states_is_refused(states):
    with pytest.raises(BadQuestion):
        spell_runs(states)
