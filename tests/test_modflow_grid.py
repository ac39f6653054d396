"""The grid, the calendar and the rates of a numerical model, and what its digest stands for; nothing runs here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import assume, example, given
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.modflow.axis import Fine, edges
from models.modflow.build import Choices, Pair, pair_of
from models.modflow.calendar import Stepping, changes_of, edges_of, mean_rates, periods_of
from models.modflow.multi_aquifer import at_rest
from models.modflow.numerical import Grid, NumericalModel, RoutedStream
from models.modflow.through_cells import along, cell_at, covered
from models.scenario.noun import PumpedWell, Scenario, day_number

FAR = 20_000.0
places = st.floats(-5_000, 5_000)
millimetres = st.integers(-5_000_000, 5_000_000).map(lambda one: one / 1_000)
points = st.tuples(millimetres, millimetres)


# Axes -----------------------------------------------------------------------------------------------------------------


def stretches() -> st.SearchStrategy[list[Fine]]:
    one = st.builds(
        lambda low, long, width: Fine(low, low + max(long, width), width),
        places, st.floats(0.5, 800), st.floats(2, 60),
    )  # fmt: skip
    return st.lists(one, min_size=1, max_size=6)


@given(stretches(), st.floats(1.05, 1.5), st.floats(50, 5_000))
def test_an_axis_runs_from_end_to_end_and_is_fine_where_it_must_be(
    fine: list[Fine], growth: float, most: float
) -> None:
    found = edges(fine, -FAR, FAR, growth, most)
    width = np.diff(found)
    assert found[0] == -FAR
    assert found[-1] == FAR
    assert width.min() > 0
    for one in fine:
        inside = (found[1:] > one.low + 1e-6) & (found[:-1] < one.high - 1e-6)
        assert width[inside].max() <= one.width * growth * (1 + 1e-6)
    assert width.max() <= max(most, *(one.width for one in fine)) * (1 + 1e-6)


@given(st.lists(places, min_size=1, max_size=5), st.floats(1, 10), st.floats(1.05, 1.4))
def test_cells_widen_no_faster_than_they_may(at: list[float], width: float, growth: float) -> None:
    """Neighbours have this ratio; where two series meet, what is left of a gap is spread evenly over its cells."""
    assume(all(other - one > 3 * width for one, other in pairwise(sorted(at))))
    found = np.diff(edges([Fine.around(one, width) for one in at], -FAR, FAR, growth, 1e9))
    most = growth * (1.1 if len(at) == 1 else 2)
    assert (found[1:] / found[:-1]).max() <= most
    assert (found[:-1] / found[1:]).max() <= most


@given(st.lists(places, min_size=1, max_size=5, unique=True), st.floats(0.5, 8))
def test_a_well_lies_in_the_middle_of_its_cell(at: list[float], width: float) -> None:
    assume(all(other - one > 2 * width for one, other in pairwise(sorted(at))))
    found = edges([Fine.around(one, width) for one in at], -FAR, FAR, 1.2, 5_000.0)
    middles = (found[1:] + found[:-1]) / 2
    assert max(np.abs(middles - one).min() for one in at) < 1e-6


@given(places, st.lists(st.floats(1, 60), min_size=1, max_size=5), st.lists(places, max_size=3))
def test_what_shares_a_middle_lies_in_the_middle_of_a_cell(at: float, widths: list[float], others: list[float]) -> None:
    """Feet of several wells on one straight line, and a well at the height of another's foot."""
    assume(all(abs(one - at) > 200 for one in others))
    fine = [Fine.around(one, width) for one, width in [*((at, width) for width in widths), *((x, 2) for x in others)]]
    found = edges(fine, -FAR, FAR, 1.2, 5_000.0)
    assert np.abs((found[1:] + found[:-1]) / 2 - at).min() < 1e-6


def test_a_well_beside_a_pit_does_not_make_the_whole_pit_fine() -> None:
    pit = Fine(-300.0, 300.0, 30.0)
    found = edges([pit, Fine.around(40.0, 2.0)], -FAR, FAR, 1.2, 5_000.0)
    inside = found[(found >= -300) & (found <= 300)]
    assert inside[0] == -300
    assert inside[-1] == 300
    assert 20 < inside.size < 60
    assert {39.0, 41.0} <= set(found)


def test_a_stream_s_foot_at_the_height_of_the_well_leaves_the_well_its_cell() -> None:
    found = edges([Fine.around(0.0, 50.0), Fine.around(0.0, 2.0)], -FAR, FAR, 1.2, 5_000.0)
    assert {-1.0, 1.0} <= set(found)
    assert np.sum(np.abs(found) <= 25) < 20


def test_an_axis_is_refused_where_it_cannot_be() -> None:
    with pytest.raises(BadQuestion, match="growth"):
        edges([Fine(0, 1, 1)], -10, 10, 1.0, 5)
    with pytest.raises(BadQuestion, match="reaches beyond"):
        edges([Fine(9, 11, 1)], -10, 10, 1.2, 5)
    with pytest.raises(BadQuestion, match="too many cells"):
        edges([Fine(0, 1, 0.001)], -FAR, FAR, 1.2, 1.0)


# Lines and polygons ---------------------------------------------------------------------------------------------------


def plan() -> Grid:
    """Columns and rows of any widths, and one layer."""
    random = np.random.default_rng(9)
    x, y = (np.concatenate([[-6_000.0], -6_000 + np.cumsum(random.uniform(5, 900, 40))]) for _ in "xy")
    flat = np.zeros((y.size - 1, x.size - 1))
    return Grid(x, y, flat, flat[None] - 1)


GRID = plan()


@given(st.lists(points, min_size=2, max_size=6))
def test_a_line_keeps_its_length_and_its_order(line: list[tuple[float, float]]) -> None:
    assume(all(one != other for one, other in pairwise(line)))
    box = shapely.box(GRID.x_edges[0], GRID.y_edges[0], GRID.x_edges[-1], GRID.y_edges[-1])
    parts = along(GRID, line)
    wanted = sum(shapely.LineString(ends).intersection(box).length for ends in pairwise(line))
    assert sum(length for _, length, _ in parts) == pytest.approx(wanted, rel=1e-9, abs=1e-6)
    for cell, length, middle in parts:
        assert length > 0
        assert cell_at(GRID, middle, "middle") == cell


def test_a_line_lies_in_the_cells_it_crosses() -> None:
    """By hand: four cells of 10 m; a diagonal through the lower left, the lower right and the upper right."""
    flat = np.zeros((2, 2))
    grid = Grid(np.array([0.0, 10, 20]), np.array([0.0, 10, 20]), flat, flat[None] - 1)
    parts = along(grid, [(0.0, 4.0), (20.0, 14.0)])
    assert [(cell, pytest.approx(length)) for cell, length, _ in parts] == [
        ((1, 0), np.hypot(10, 5)), ((1, 1), np.hypot(2, 1)), ((0, 1), np.hypot(8, 4)),
    ]  # fmt: skip


@given(points, st.floats(200, 2_000), st.integers(3, 12))
def test_a_polygon_keeps_the_area_of_the_cells_it_takes(
    middle: tuple[float, float], radius: float, corners: int
) -> None:
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    polygon = [(middle[0] + radius * float(np.cos(a)), middle[1] + radius * float(np.sin(a))) for a in turn]
    shape, whole = shapely.Polygon(polygon), {}
    for row in range(GRID.shape[1]):
        for column in range(GRID.shape[2]):
            south = GRID.shape[1] - 1 - row
            box = shapely.box(
                GRID.x_edges[column], GRID.y_edges[south], GRID.x_edges[column + 1], GRID.y_edges[south + 1]
            )
            if (part := box.intersection(shape).area) >= 0.5 * box.area:
                whole[row, column] = part
    assert dict(covered(GRID, polygon)) == pytest.approx(whole)


def test_a_place_outside_is_named() -> None:
    with pytest.raises(BadQuestion, match=r"well\[W\].position.*outside the grid"):
        cell_at(GRID, (1e6, 0.0), "well[W].position")


# Calendar and rates ---------------------------------------------------------------------------------------------------

days = st.floats(day_number(date(2019, 1, 1)), day_number(date(2026, 1, 1)))


def schedules() -> st.SearchStrategy[PumpedWell]:
    step = st.tuples(st.integers(0, 3_000_000), st.integers(-500, 5_000))
    return st.lists(step, min_size=1, max_size=12, unique_by=lambda one: one[0]).map(
        lambda steps: PumpedWell.model_validate(
            {
                "id": "W", "position": (0.0, 0.0),
                "rates": [
                    {"since": datetime(2019, 6, 1) + timedelta(minutes=minute), "rate": f"{rate} m3/d"}  # noqa: DTZ001
                    for minute, rate in sorted(steps)
                ],
            }
        )
    )  # fmt: skip


@given(schedules(), days, days, st.sampled_from(["daily", "weekly", "monthly", "one"]))
def test_what_was_pumped_stays_what_was_pumped(well: PumpedWell, one: float, other: float, rhythm: Any) -> None:
    begins, ends = sorted((one, other))
    assume(ends - begins > 0.01)
    instants = edges_of(begins, ends, rhythm)
    volume = float(mean_rates(well, instants) @ np.diff(instants))
    assert volume == pytest.approx(by_minutes(well, begins, ends), rel=1e-9, abs=1e-3)


def by_minutes(well: PumpedWell, begins: float, ends: float) -> float:
    """The volume, change by change [m3]."""
    starts, rates = well.schedule
    stretches = zip(starts, [*starts[1:], np.inf], rates, strict=True)
    return sum(rate * max(0.0, min(end, ends) - max(start, begins)) for start, end, rate in stretches)


@pytest.mark.parametrize(("year", "count"), [(2023, 365), (2024, 366)])
def test_every_day_of_a_leap_year_is_a_period(year: int, count: int) -> None:
    begins, ends = day_number(date(year, 1, 1)), day_number(date(year + 1, 1, 1))
    assert len(edges_of(begins, ends, "daily")) == count + 1
    months = np.diff(edges_of(begins, ends, "monthly"))
    assert months.tolist() == [31, count - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    weeks = edges_of(begins, ends, "weekly")
    assert {date(1970, 1, 1) + timedelta(days=one) for one in weeks[1:-1]} == {
        day for k in range(1, count) if (day := date(year, 1, 1) + timedelta(days=k)).isoweekday() == 1
    }


@given(days, days, st.sampled_from(["daily", "weekly", "monthly", "one"]), days)
def test_periods_follow_on_each_other_without_a_gap(one: float, other: float, rhythm: Any, also: float) -> None:
    begins, ends = sorted((one, other))
    assume(ends - begins > 0.01)
    instants = edges_of(begins, ends, rhythm, [also])
    assert (also in instants) or not begins < also < ends
    steady, *rest = periods_of(instants, Stepping(0.5, 1.2))
    assert steady.steady
    assert not any(one.steady for one in rest)
    assert rest[0].starts == begins
    assert all(a.starts + a.length == pytest.approx(b.starts, abs=1e-9) for a, b in pairwise([steady, *rest]))
    assert rest[-1].starts + rest[-1].length == pytest.approx(ends, abs=1e-9)


def lengths(steps: int, growth: float, length: float) -> np.ndarray:
    """As MODFLOW cuts a period (mf6io, TDIS)."""
    first = length / steps if growth == 1 else length * (growth - 1) / (growth**steps - 1)
    return np.asarray(first * growth ** np.arange(steps))


@given(
    st.lists(st.tuples(st.floats(0.5, 400), st.floats(0, 1)), min_size=1, max_size=15),
    st.floats(0.001, 10),
    st.floats(1.01, 1.3),
)
@example([(31.0, 1.0), (28.0, 0.0), (31.0, 0.3)], 0.01, 1.05)
def test_no_step_is_longer_than_any_change_before_it_allows(
    given_: list[tuple[float, float]], first: float, growth: float
) -> None:
    shares = np.array([share for _, share in given_])
    instants = np.concatenate([[0.0], np.cumsum([length for length, _ in given_])])
    for number, one in enumerate(periods_of(instants.tolist(), Stepping(first, growth), shares)[1:]):
        cut = lengths(one.steps, one.growth, one.length)
        begins = one.starts + np.concatenate([[0.0], np.cumsum(cut)[:-1]])
        for change in np.flatnonzero(shares[: number + 1] >= 1e-3):
            allowed = (first + (growth - 1) * (begins - instants[change])) / shares[change]
            assert np.all(cut <= allowed * (1 + 1e-6))


def test_a_month_without_a_change_costs_few_steps() -> None:
    months = edges_of(day_number(date(2024, 1, 1)), day_number(date(2034, 1, 1)), "monthly")
    alike = np.concatenate([[1.0], np.zeros(len(months) - 2)])
    begun, kept = periods_of(months, Stepping(0.01, 1.05)), periods_of(months, Stepping(0.01, 1.05), alike)
    assert sum(one.steps for one in kept) < sum(one.steps for one in begun) / 40
    assert kept[-1].steps == 1


def test_a_change_is_told_of_the_well_that_changes_most() -> None:
    told = changes_of([np.array([100.0, 100, 50, 50]), np.array([0.0, 4, 4, 3]), np.zeros(4)])
    assert told.tolist() == [1.0, 1.0, 0.5, 0.25]


def test_a_small_first_rate_is_all_the_pumping_there_is() -> None:
    """A third of what follows: its drawdown wants steps as short, or it is 4 % off the closed form until it grows."""
    assert changes_of([np.array([10.0, 30.0, 30.0, 10.0])]).tolist() == pytest.approx([1.0, 2 / 3, 0.0, 2 / 3])


# Digests --------------------------------------------------------------------------------------------------------------


def built() -> Pair:
    """A scenario with everything there is."""
    scenario = Scenario.model_validate(
        {
            "unit": "m",
            "aquifer": {"transmissivity": "400 m2/d", "storativity": "0.1", "thickness": "30 m"},
            "layer": [
                {"id": "sand", "bottom": "20 m", "conductivity": "15 m/d"},
                {"id": "gravel", "bottom": "30 m", "conductivity": "10 m/d"},
            ],
            "well": [{"id": "W", "position": (0.0, 0.0), "rate": "500 m3/d", "since": "2024-01-01"}],
            "stream": [
                {"id": "creek", "line": [(400.0, -900.0), (400.0, 900.0)], "conductance": "2 m/d"},
                {
                    "id": "brook", "line": [(-500.0, 900.0), (-500.0, -900.0)], "conductance": "2 m/d",
                    "inflow": "900 m3/d", "width": "3 m", "slope": "0.001",
                },
            ],
            "point": [{"id": "P", "position": (100.0, 40.0)}],
            "pit": {
                "polygon": [(-200.0, -60.0), (-80.0, -60.0), (-80.0, 60.0), (-200.0, 60.0)], "lowered": "3 m",
                "since": "2024-03-15",
            },
        }
    )  # fmt: skip
    return pair_of(scenario, Choices(ends=day_number(date(2024, 7, 1)), recharge=(0.0, 1e-4, 0, 0, 0, 0, 0)))


def test_a_pit_is_drained_from_its_day_on() -> None:
    pair = built()
    drain, periods = pair.stressed.drains[0], pair.stressed.periods
    first = next(one.starts for one, on in zip(periods, drain.active, strict=True) if on)
    assert first == day_number(date(2024, 3, 15))
    assert drain.active.sum() == 4
    assert not pair.baseline.drains
    assert not any(one.rates.any() for one in pair.baseline.wells)


def test_two_models_of_the_same_numbers_have_one_digest() -> None:
    one, other = built(), built()
    assert one.stressed.digest == other.stressed.digest
    assert one.baseline.digest != one.stressed.digest


def test_every_field_changes_the_digest() -> None:
    model = built().stressed
    told = [model.digest]
    for path, changed in variants(model):
        assert changed.digest not in told, path
        told.append(changed.digest)
    assert len(told) > 45


def variants(value: Any, path: str = "model") -> Iterator[tuple[str, Any]]:
    """The same with one number or word of it another, field by field, to the bottom."""
    for one in fields(value):
        for inner, other in changed(getattr(value, one.name), f"{path}.{one.name}"):
            yield inner, replace(value, **{one.name: other})


def changed(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if is_dataclass(value):
        yield from variants(value, path)
    elif isinstance(value, np.ndarray):
        other = value.copy()
        other.flat[-1] = (
            (not other.flat[-1])
            if other.dtype == bool
            else np.nextafter(other.flat[-1], np.inf)
            if other.dtype.kind == "f"
            else 0
        )
        yield path, other
    elif isinstance(value, tuple):
        yield path, value[:-1]
        for inner, other in changed(value[-1], f"{path}[-1]"):
            yield inner, (*value[:-1], other)
    elif isinstance(value, bool):
        yield path, not value
    elif isinstance(value, str):
        yield path, f"{value}x"
    else:
        yield path, value + 1


def test_a_routed_stream_runs_down_its_line() -> None:
    brook = built().stressed.streams[0]
    assert isinstance(brook, RoutedStream)
    rows = [row for _, row, _ in brook.cells]
    assert rows == sorted(rows)
    assert brook.length.sum() == pytest.approx(1_800)


def test_the_model_without_pumping_differs_in_nothing_else() -> None:
    pair = built()
    assert isinstance(pair.baseline, NumericalModel)
    assert replace(pair.stressed, wells=at_rest(pair.stressed.wells), drains=()).digest == pair.baseline.digest


@pytest.mark.parametrize(
    ("kind", "id"), [("well", "pit"), ("well", "far"), ("stream", "recharge"), ("stream", "storage"), ("edge", "far")]
)
def test_what_is_called_as_another_term_of_the_budget_is_refused(kind: str, id: str) -> None:
    """A well called pit would be told as the pit's inflow."""
    corners = [(500.0, 500.0), (600.0, 500.0), (600.0, 600.0), (500.0, 600.0)]
    given: dict[str, Any] = {
        "well": {"id": "W", "position": (0.0, 0.0), "rate": "100 m3/d", "since": "2025-01-01"},
        "stream": {"id": "S", "line": [(900.0, -5e3), (900.0, 5e3)], "conductance": "1 m/d"},
        "edge": {"id": "E", "kind": "constant_head", "line": [(1_500.0, -5e3), (1_500.0, 5e3)]},
    }
    aquifer = {"kind": "confined", "transmissivity": "400 m2/d", "storativity": "0.1", "thickness": "40 m"}
    pit = {"polygon": corners, "lowered": "3 m", "since": "2025-01-08"}

    def asked() -> Pair:
        listed = {name: [one] for name, one in given.items()}
        scenario = Scenario.model_validate({"unit": "m", "aquifer": aquifer, "pit": pit, **listed})
        return pair_of(scenario, Choices(day_number(date(2025, 2, 1)), "one"))

    asked()
    given[kind]["id"] = id
    with pytest.raises(BadQuestion, match=f"another term of that name \\(found '{id}'\\)"):
        asked()
