"""Pumping histories, fast, against the plain sum over every change by the library's own E1 and erfc."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import erfc, exp1, k0

from models.aquifer import superposition_sums
from models.aquifer.admissible import Numbers
from models.aquifer.cone import PumpedWell, cone, stream_coordinates
from models.aquifer.hunt import hunt_drawdown
from models.aquifer.pumping_history import depletion_history, drawdown_history
from models.aquifer.superposition import rate_changes, superpose, superpose_rows, superposed_at_points, superposed_each
from models.aquifer.superposition_gridded import GridSums
from models.aquifer.superposition_lattice import LatticeSums, lattice_sums
from models.aquifer.superposition_nodes import Nodes
from models.aquifer.superposition_sums import Sums
from models.errors import BadQuestion

DATA = Path(__file__).parent / "data"
T, S = 500.0, 0.05
EXACT = 1e-9  # [m]
Table = NDArray[np.float64]

random = np.random.default_rng(1935)
WELLS = random.uniform(-500, 500, (3, 2))
FEW = random.uniform(-900, 900, (4, 2))
MANY = random.uniform(-900, 900, (260, 2))


def plain_sum(rates: Table, edges: Table, times: Table, response: Callable[[int, Table], Table], rows: int) -> Table:
    """Rate by rate and not change by change: each held from one edge to the next."""
    found = np.zeros((rows, len(times)))
    for well, step in np.ndindex(rates.shape):
        for edge, sign in ((edges[step], 1), (edges[step + 1], -1)):
            acting = times > edge
            found[:, acting] += sign * rates[well, step] * response(well, times[acting] - edge)
    return found


def plain_drawdown(wells: Table, rates: Table, edges: Table, points: Table, times: Table) -> Table:
    def theis(well: int, elapsed: Table) -> Table:
        square = ((points - wells[well]) ** 2).sum(axis=1)[:, np.newaxis]
        with np.errstate(over="ignore"):
            found: Table = exp1(square * S / (4 * T * elapsed)) / (4 * np.pi * T)
        return found

    return plain_sum(rates, edges, times, theis, len(points))


def drawdown(wells: Any, rates: Any, edges: Any, points: Any, times: Any) -> Table:
    return drawdown_history(wells, rates, edges, points, times, T, S, nearest_m=0.1)


def taken(instants: Table, times: Table, diffusive: bool = True) -> set[type]:
    return {type(part) for part in Sums(instants, times, diffusive).parts}


rates_of_three = st.lists(st.tuples(*[st.sampled_from([0.0, 800.0, -300.0, 1500.0, 0.25])] * 3), min_size=1, max_size=9)


@settings(deadline=None)
@given(rates_of_three, st.data())
def test_an_irregular_history_is_the_plain_sum(rows: list[tuple[float, ...]], data: st.DataObject) -> None:
    """Negative rates return water, zero rates rest; gaps from a minute to a year; times before, on and after edges."""
    gaps = data.draw(st.lists(st.floats(7e-4, 365), min_size=len(rows), max_size=len(rows)))
    edges = np.cumsum([data.draw(st.floats(-1000, 20_000)), *gaps])
    extra = data.draw(st.lists(st.floats(edges[0] - 50, edges[-1] + 5000), max_size=5))
    times, rates = np.array([*edges, *extra]), np.array(rows).T
    found = drawdown(WELLS, rates, edges, FEW, times)
    assert np.abs(found - plain_drawdown(WELLS, rates, edges, FEW, times)).max() < EXACT
    assert (found[:, times <= edges[0]] == 0).all()


@settings(deadline=None, max_examples=40)
@given(rates_of_three, st.sampled_from([1.0, 0.25, 1 / 24, 7.0, 1 / 1440]), st.floats(0, 1), st.booleans())
def test_a_regular_history_is_the_plain_sum(
    rows: list[tuple[float, ...]], step: float, phase: float, many: bool
) -> None:
    rates = np.repeat(np.array(rows).T, 6, axis=1)
    rates *= np.linspace(0.5, 1.5, rates.shape[1])
    edges = 19_000 + step * np.arange(rates.shape[1] + 1)
    times, points = edges + phase * step, MANY[:20] if many else FEW
    found = drawdown(WELLS, rates, edges, points, times)
    assert np.abs(found - plain_drawdown(WELLS, rates, edges, points, times)).max() < EXACT


def daily(days: int) -> tuple[Table, Table, Table]:
    """Rates of three wells, one of which starts late and one of which stops early; edges; times at noon and beyond."""
    rates = random.uniform(-200, 2000, (3, days))
    rates[1, : days // 3], rates[2, days // 2 :] = 0, 0
    return rates, np.arange(days + 1.0), np.concatenate([np.arange(days) + 0.5, days + np.arange(0, 60, 7.0)])


@pytest.mark.parametrize("points", [FEW, MANY], ids=["few points", "many points"])
def test_daily_rates_with_two_phases_of_times(points: Table) -> None:
    rates, edges, times = daily(200)
    assert taken(edges, times) == {LatticeSums}
    found = drawdown(WELLS, rates, edges, points, times)
    some = points[:3]
    assert np.abs(found[:3] - plain_drawdown(WELLS, rates, edges, some, times)).max() < EXACT


def test_years_of_irregular_readings_go_by_way_of_a_lattice() -> None:
    edges = np.cumsum([0.0, *random.uniform(1, 12, 160)])
    rates, times = random.uniform(-500, 2000, (3, 160)), np.arange(0.0, 1300.0)
    assert taken(edges[:-1], times[1:]) == {GridSums, superposition_sums.PairSums}
    truth = plain_drawdown(WELLS, rates, edges, FEW, times)
    for points in (FEW, np.concatenate([FEW, MANY])):
        assert np.abs(drawdown(WELLS, rates, edges, points, times)[:4] - truth).max() < EXACT


def test_irregular_readings_at_irregular_times() -> None:
    edges = np.cumsum([0.0, *random.exponential(9, 160)])
    rates, times = random.uniform(0, 2000, (3, 160)), random.uniform(-50, 1500, 1300)
    assert taken(edges[:-1], times[times > 0]) == {GridSums, superposition_sums.PairSums}
    truth = plain_drawdown(WELLS, rates, edges, FEW, times)
    assert np.abs(drawdown(WELLS, rates, edges, np.concatenate([FEW, MANY]), times)[:4] - truth).max() < EXACT


@pytest.mark.parametrize("a", [1e-4, 0.3, 20.0, 900.0])
@pytest.mark.parametrize("times", [np.arange(1.0, 1300), np.cumsum(random.exponential(1, 1300))], ids=["days", "any"])
def test_the_lattice_in_between_costs_no_digits(a: float, times: Table) -> None:
    """One change at a time, so that no error hides in a sum: within 1e-12 at every distance."""
    instants = np.cumsum(random.exponential(8, 160))
    instants, at = instants - instants[0] + 0.3, times[times > 0.3]
    change = (np.arange(160) == 5) * 1.0
    parts = list(Sums(instants, at, True).parts)
    assert {type(part) for part in parts} == {GridSums, superposition_sums.PairSums}
    found = sum(part.sums(exp1(a / part.elapsed)[np.newaxis], change[np.newaxis])[0] for part in parts)
    since = np.where(at > instants[5], at - instants[5], 1.0)
    assert np.abs(found - np.where(at > instants[5], exp1(a / since), 0)).max() < 1e-12


def test_a_burst_in_a_long_silence_is_summed_pair_by_pair() -> None:
    edges = np.concatenate([np.cumsum(random.exponential(1e-3, 100)), [5000.0]])
    times = np.concatenate([np.cumsum(random.exponential(1e-3, 900)), [4000.0]])
    rates = random.uniform(0, 2000, (3, 100))
    assert taken(edges, times) == {superposition_sums.PairSums}
    found, truth = drawdown(WELLS, rates, edges, FEW, times), plain_drawdown(WELLS, rates, edges, FEW, times)
    assert np.abs(found - truth).max() < EXACT


# What superposition must keep -----------------------------------------------------------------------------------------

RATES, EDGES, TIMES = daily(120)


def near(one: Table, other: Table) -> bool:
    return bool(np.abs(one - other).max() < EXACT)


@pytest.mark.parametrize("edges", [EDGES, np.cumsum(random.uniform(0.2, 2, 121))], ids=["daily", "irregular"])
def test_linear_in_the_rates(edges: Table) -> None:
    other = random.uniform(-100, 100, RATES.shape)
    apart = 2 * drawdown(WELLS, RATES, edges, MANY, TIMES) - 3 * drawdown(WELLS, other, edges, MANY, TIMES)
    assert near(drawdown(WELLS, 2 * RATES - 3 * other, edges, MANY, TIMES), apart)


@pytest.mark.parametrize("shift", [365.0, -7.25, 20_000 + 1 / 3])
def test_a_later_clock_changes_nothing(shift: float) -> None:
    moved = drawdown(WELLS, RATES, EDGES + shift, MANY, TIMES + shift)
    assert near(drawdown(WELLS, RATES, EDGES, MANY, TIMES), moved)


def test_two_wells_of_half_the_rate_are_one() -> None:
    halves = drawdown(np.repeat(WELLS, 2, axis=0), np.repeat(RATES / 2, 2, axis=0), EDGES, MANY, TIMES)
    assert near(drawdown(WELLS, RATES, EDGES, MANY, TIMES), halves)


def test_the_order_of_wells_points_and_times_does_not_matter() -> None:
    wells, points, times = (random.permutation(n) for n in (3, len(MANY), len(TIMES)))
    mixed = drawdown(WELLS[wells], RATES[wells], EDGES, MANY[points], TIMES[times])
    assert near(drawdown(WELLS, RATES, EDGES, MANY, TIMES)[points][:, times], mixed)


def test_a_rate_written_day_by_day_is_the_rate_held() -> None:
    held = drawdown(WELLS[:1], [[700.0, 0.0, 200.0]], [0.0, 50.0, 80.0, 120.0], MANY, TIMES)
    written = np.repeat([[700.0, 0.0, 200.0]], [50, 30, 40], axis=1)
    assert near(drawdown(WELLS[:1], written, EDGES, MANY, TIMES), held)


def test_the_first_day_counts_and_the_last_does() -> None:
    """A pulse of one day, in a record that begins with it: s = F(t) - F(t - 1), by hand."""
    rates, edges, times = np.zeros((1, 40)), np.arange(41.0), np.arange(45.0)
    for day in (0, 39):
        pulse = rates.copy()
        pulse[0, day] = 1000.0
        square = ((FEW - WELLS[0]) ** 2).sum(axis=1)[:, np.newaxis] * S / (4 * T)
        since = times - day
        truth = np.where(since > 0, exp1(square / np.where(since > 0, since, 1)), 0)
        truth -= np.where(since > 1, exp1(square / np.where(since > 1, since - 1, 1)), 0)
        assert near(drawdown(WELLS[:1], pulse, edges, FEW, times), 1000 / (4 * np.pi * T) * truth)


@pytest.mark.parametrize("points", [FEW, MANY], ids=["few", "many"])
@pytest.mark.parametrize("edges", [EDGES, EDGES + 0.01 * np.sin(EDGES)], ids=["daily", "irregular"])
def test_nothing_to_the_last_bit_before_a_well_begins(points: Table, edges: Table) -> None:
    late = np.where(np.arange(120) < 70, 0.0, RATES[:1] + 3000)
    found = drawdown(WELLS[:1], late, edges, points, TIMES)
    assert (found[:, edges[70] >= TIMES] == 0).all()
    assert (found[:, edges[70] + 5 < TIMES] > 0).all()
    assert (drawdown(WELLS, np.zeros((3, 120)), edges, points, TIMES) == 0).all()


def test_a_time_within_rounding_of_the_first_instant_is_that_instant() -> None:
    found = drawdown(WELLS[:1], [[800.0, 0.0, 800.0]], [-1e-113, 1.0, 2.0, 3.0], FEW, [0.0, 1.0, 2.0, 3.0])
    truth = plain_drawdown(WELLS[:1], np.array([[800.0, 0.0, 800.0]]), np.arange(4.0), FEW, np.arange(4.0))
    assert near(found, truth)


def test_an_endless_last_step_goes_on() -> None:
    held = drawdown(WELLS[:1], [[500.0]], [10.0, np.inf], FEW, [5.0, 10.0, 500.0])
    assert near(
        held, plain_drawdown(WELLS[:1], np.array([[500.0]]), np.array([10.0, 1e9]), FEW, np.array([5, 10, 500.0]))
    )


def test_no_well_no_point_no_time() -> None:
    assert drawdown(np.empty((0, 2)), np.empty((0, 3)), [0.0, 1, 2, 3], FEW, [1.0, 2.0]).tolist() == [[0, 0]] * 4
    assert drawdown(WELLS, RATES, EDGES, np.empty((0, 2)), TIMES).shape == (0, len(TIMES))
    assert drawdown(WELLS, RATES, EDGES, FEW, []).shape == (4, 0)
    assert drawdown(WELLS, np.empty((3, 0)), [0.0], FEW, [1.0]).tolist() == [[0]] * 4


def test_a_point_in_a_well_stands_at_its_wall_or_is_refused() -> None:
    at_well = drawdown_history(WELLS[:1], [[500.0]], [0.0, 9.0], WELLS[:1], [9.0], T, S, nearest_m=0.2)
    assert at_well[0, 0] == pytest.approx(500 / (4 * np.pi * T) * exp1(0.04 * S / (4 * T * 9)), rel=1e-12)
    with pytest.raises(BadQuestion) as refusal:
        drawdown_history(WELLS[:1], [[500.0]], [0.0, 9.0], WELLS[:1], [9.0], T, S)
    assert refusal.value.key == "distance"


# Stream depletion -----------------------------------------------------------------------------------------------------


def hunt_share(distance: float, conductance: float, elapsed: Table) -> Table:
    """Hunt 1999 eq. 20 as printed."""
    a, b = np.sqrt(S * distance**2 / (4 * T * elapsed)), conductance**2 * elapsed / (4 * S * T)
    return np.asarray(erfc(a) - np.exp(b + conductance * distance / (2 * T)) * erfc(np.sqrt(b) + a))


@pytest.mark.parametrize("edges", [np.arange(151.0), np.cumsum(random.exponential(1, 151))], ids=["daily", "irregular"])
def test_depletion_is_the_plain_sum_well_by_well(edges: Table) -> None:
    rates, times = random.uniform(-100, 3000, (2, 150)), np.arange(1.0, 1000)
    distance, conductance = [60.0, 400.0], [0.3, 1.5]
    found = depletion_history(rates, edges, times, T, S, distance, conductance)
    for well in range(2):
        truth = plain_sum(
            rates[well : well + 1], edges, times, lambda _, t, k=well: hunt_share(distance[k], conductance[k], t), 1
        )
        assert np.abs(found[well] - truth[0]).max() < 1e-8  # [m3/d], of 3,000; the printed form itself cancels


def test_an_irregular_schedule_of_a_diffusion_may_be_summed_by_way_of_a_lattice() -> None:
    starts, at = np.cumsum(random.exponential(5, 150)), np.arange(0.0, 900)
    rates = random.uniform(0, 3000, 150)

    def response(elapsed: Numbers) -> Numbers:
        return np.asarray(erfc(10 / np.sqrt(elapsed)))

    assert GridSums in taken(starts, at[at > starts[0]])
    apart = superpose(starts, rates, at, response, diffusive=True) - superpose(starts, rates, at, response)
    assert np.abs(apart).max() < EXACT


def test_all_the_water_pumped_comes_back_from_the_stream() -> None:
    """An open stream near a well that stopped: depletion summed over all later days is the volume pumped, nearly."""
    rates, times = np.array([[1000.0, 400.0, 0.0, 700.0]]), np.arange(0.5, 200_000)
    found = depletion_history(rates, np.arange(5.0), times, T, S, 5.0, 1e6)
    tail = 2100 * 5.0 * np.sqrt(S / (T * np.pi * 200_000))  # erfc(a) ~ 1 - 2 a / sqrt(pi) at the end
    assert found.sum() == pytest.approx(2100 - tail, rel=1e-3)


# Any response ---------------------------------------------------------------------------------------------------------


def test_a_response_that_is_no_diffusion_is_summed_exactly() -> None:
    """A response with a jump: nothing is assumed of it."""

    def lagged(_well: int, points: slice, elapsed: Numbers) -> Numbers:
        return np.where(elapsed > 3 + np.arange(300.0)[points, np.newaxis] % 5, 2.0, 0.0)

    rates = random.integers(-5, 5, (2, 90)).astype(float)
    edges, times = np.arange(91.0), np.arange(90) + 0.25
    found = superposed_at_points(rates, edges, times, 300, lagged)
    truth = plain_sum(rates, edges, times, lambda w, t: lagged(w, slice(None), t), 300)
    assert np.abs(found - truth).max() < 1e-10


def test_a_leaky_aquifer_is_superposed_the_same_way() -> None:
    """Hantush's equilibrium: a steady rate tends to Q / 2 pi T K0(r / B) (here by trapezoids in ln y)."""
    ratio = np.hypot(*(MANY - WELLS[0]).T) / 800.0
    grid = np.linspace(-12, 7, 1500)

    def leaky(_well: int, points: slice, elapsed: Numbers) -> Numbers:
        u = (ratio[points, np.newaxis] * 800) ** 2 * S / (4 * T * elapsed)
        beta = ratio[points, np.newaxis, np.newaxis] ** 2 / 4
        y = u[..., np.newaxis] + np.exp(grid)
        kernel = np.exp(-y - beta / y) / y * np.exp(grid)
        return np.asarray(np.trapezoid(kernel, grid, axis=-1) / (4 * np.pi * T))

    few = slice(0, 3)
    found = superposed_at_points([[900.0] * 30], np.arange(31.0) * 200, [6000.0], 3, lambda w, _, t: leaky(w, few, t))
    assert found[:, 0] == pytest.approx(900 / (2 * np.pi * T) * k0(ratio[few]), rel=1e-3)


def test_several_responses_share_a_schedule() -> None:
    times, rates, at = np.array([0.0, 2.5, 30.0]), np.array([5.0, 9.0, 0.0]), np.arange(0, 90, 0.7)
    rows = superpose_rows(times, rates, at, lambda tau: np.array([np.sqrt(tau), tau]), 2)
    assert rows[0] == pytest.approx(superpose(times, rates, at, np.sqrt))
    assert rows[1] == pytest.approx(5 * np.clip(at, 0, 2.5) + 9 * np.clip(at - 2.5, 0, 27.5))
    assert superpose_rows([0.0], [0.0], at, lambda tau: tau[np.newaxis], 2).shape == (2, at.size)


def test_each_well_by_itself() -> None:
    rates, edges = random.uniform(0, 9, (2, 50)), np.arange(51.0)
    found = superposed_each(rates, edges, edges, lambda tau: np.array([tau, 2 * tau]))
    assert found == pytest.approx(np.hstack([np.zeros((2, 1)), np.cumsum(rates, axis=1)]) * [[1], [2]])


@settings(deadline=None)
@given(st.floats(-8, 4), st.floats(0.001, 9), st.floats(1e-6, 1e6))
def test_nodes_know_a_diffusion_everywhere_between(power: float, octaves: float, a: float) -> None:
    low = 10**power
    elapsed = np.geomspace(low, low * 2 ** (1.7 * octaves), 77)
    nodes = Nodes.between(elapsed[0], elapsed[-1])
    for response in (lambda t: exp1(a / t), lambda t: erfc(np.sqrt(a / t))):
        found = nodes.at(elapsed).of(response(nodes.times)[np.newaxis])[0]
        assert np.abs(found - response(elapsed)).max() < 1e-13 * (1 + response(elapsed[-1]))
    assert nodes.at(elapsed).sparse_weights.toarray() == pytest.approx(nodes.at(elapsed).weights.T)


@pytest.mark.parametrize(
    ("edges", "times", "count"),
    [
        (np.array([0.0, 7, 21, 28]), np.arange(3, 30, 7) + 0.5, 1),
        (np.array([0.0, 7, 21, 28]), np.arange(30.0) + 0.5, 7),
        (np.array([0.0, 1, 5]) / 7, np.arange(1, 40) / 7, 1),
        (np.array([0.0, 0.5, 3]), np.arange(1, 30) / 1.0, 1),
        (19_000 + np.array([0.0, 1, 5]) / 24, 19_000 + np.arange(1, 40) / 24, 1),
        (np.array([0.0, 2, 3]), np.array([1.0, 1.25, 2.5, 2.25, 9]), 3),
        (np.array([0.0, 0.1, np.pi]), np.arange(1.0, 30), None),
    ],
)
def test_a_lattice_is_found_where_there_is_one(edges: Table, times: Table, count: int | None) -> None:
    found = lattice_sums(edges, times, 10_000)
    assert (found and len(found)) == count
    assert all((one.elapsed > 0).all() for one in found or [])


def test_a_lattice_of_more_steps_than_pairs_is_none() -> None:
    assert lattice_sums(np.array([0.0, 1e-3, 5000.0]), np.array([1.0, 6000.0]), 1000) is None


# The night's cone -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", [3.0, 400.0])
def test_a_large_map_of_the_cone_is_hunt_at_every_node(distance: float) -> None:
    well = PumpedWell(
        (distance, 0.0), distance, (0.0, 0.0), (1.0, 0.0), np.array([0.0, 30, 90]), np.array([900.0, 0, 400])
    )
    x, y = np.linspace(-1500, 2500, 110), np.linspace(-900, 1700, 100)
    found = cone([well], T, S, 0.8, x, y, 120.0, nearest=0.5)
    across, along = stream_coordinates(well, *np.meshgrid(x, y), 0.5)
    truth = sum(
        dq * hunt_drawdown(1.0, T, S, distance, 0.8, across, along, tau)
        for dq, tau in ((900, 120.0), (-900, 90.0), (400, 30.0))
    )
    assert np.abs(found - truth).max() < 1e-12
    assert cone([well], T, S, 0.8, x[:2], y[:2], 120.0, nearest=0.5) == pytest.approx(found[:2, :2], abs=1e-12)


# Printed and stated cases ---------------------------------------------------------------------------------------------


def test_a_well_that_stops_recovers() -> None:
    """PUMP-02: a period without pumping is a rate of 0, not "same as before"."""
    case = DATA / "cases/PUMP-02"
    aquifer = json.loads((case / "aquifer.json").read_text(encoding="utf-8"))
    periods = list(csv.DictReader((case / "schedule.csv").read_text(encoding="utf-8").splitlines()))
    checks = {one["name"]: one for one in json.loads((case / "expected.json").read_text(encoding="utf-8"))["checks"]}
    gpm = 1440 * 231 / 1728
    rates = [[float(one["rate_gpm"]) * gpm for one in periods]]
    edges = [float(periods[0]["start_day"]), *(float(one["end_day"]) for one in periods)]
    given_ = aquifer["T_ft2_d"], aquifer["S"]
    found = drawdown_history([(0.0, 0.0)], rates, edges, [(aquifer["r_ft"], 0.0)], [30.0, 60.0], *given_)[0]
    for name, value in zip(("drawdown ft day 30", "drawdown ft day 60 (recovery)"), found, strict=True):
        assert value == pytest.approx(checks[name]["value"], abs=checks[name]["tolerance"])


REFERENCE = [
    (row["id"], row["solution"], json.loads(row["params_json"]), float(row["expected"]))
    for row in csv.DictReader((DATA / "reference_values.csv").read_text(encoding="utf-8").splitlines())
    if row["solution"] in ("theis_multistep", "theis_daily_365")
]


@pytest.mark.parametrize(("id", "solution", "p", "expected"), REFERENCE, ids=[row[0] for row in REFERENCE])
def test_reference(id: str, solution: str, p: dict[str, Any], expected: float) -> None:
    """Twenty printed digits; asked for among many times, so that the fast way is the one that answers."""
    days, rates = np.arange(365.0), np.array([((i * 37) % 11) / 1000 for i in range(365)]) * 86400
    if solution == "theis_multistep":
        days, rates = np.array([t / 86400 for t, _ in p["schedule"]]), np.array([q * 86400 for _, q in p["schedule"]])
    last = 365.0 if solution == "theis_daily_365" else np.inf
    times = np.concatenate([[p["t"] / 86400], np.arange(0, 400, 0.5)])
    found = drawdown_history(
        [(0.0, 0.0)], rates[np.newaxis], [*days, last], [(p["r"], 0.0)], times, p["T"] * 86400, p["S"]
    )
    assert found[0, 0] == pytest.approx(expected, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize(
    ("key", "call"),
    [
        ("step_edges", lambda: rate_changes([[1.0, 2.0]], [0.0, 1.0])),
        ("step_edges", lambda: rate_changes([[1.0, 2.0]], [0.0, 2.0, 1.0])),
        ("step_edges", lambda: rate_changes([[1.0, 2.0]], [0.0, np.nan, 1.0])),
        ("step_edges", lambda: rate_changes([[1.0, 2.0]], [0.0, 1.0, np.nan])),
        ("step_edges", lambda: rate_changes([[1.0, 2.0]], [-np.inf, 1.0, 2.0])),
        ("step_edges", lambda: rate_changes([1.0, 2.0], [0.0, 1.0, 2.0])),
        ("rates", lambda: rate_changes([[np.nan]], [0.0, 1.0])),
        ("rates", lambda: drawdown(WELLS, RATES[:2], EDGES, FEW, TIMES)),
        ("wells_xy", lambda: drawdown(WELLS[0], RATES[:1], EDGES, FEW, TIMES)),
        ("points_xy", lambda: drawdown(WELLS, RATES, EDGES, [[1.0, np.inf]], TIMES)),
        ("times", lambda: drawdown(WELLS, RATES, EDGES, FEW, [np.nan])),
        ("transmissivity", lambda: drawdown_history(WELLS, RATES, EDGES, FEW, TIMES, 0.0, S)),
        ("nearest_m", lambda: drawdown_history(WELLS, RATES, EDGES, FEW, TIMES, T, S, nearest_m=-1.0)),
        ("distance", lambda: depletion_history([[1.0]], [0.0, 1.0], [1.0], T, S, -5.0, 1.0)),
        ("distance_m", lambda: depletion_history([[1.0]], [0.0, 1.0], [1.0], T, S, [5.0, 6.0], 1.0)),
    ],
)
def test_a_refusal_names_the_key_and_what_is_allowed(key: str, call: Callable[[], object]) -> None:
    with pytest.raises(BadQuestion) as refusal:
        call()
    assert refusal.value.key == key
    assert refusal.value.allowed
