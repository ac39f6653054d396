"""The gate of a numerical answer: every check passes on a good run, and fails when what it watches is spoilt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import erfc, erfcx, exp1

from models.errors import BadQuestion
from models.modflow import gate
from models.modflow.answer import Answer, Check, GateFailed
from models.modflow.build import LEAST_REACH_M, Choices, pair_of
from models.modflow.calendar import Stepping
from models.modflow.closed_form import Compared, compared
from models.modflow.numerical import Period
from models.modflow.quantities import Quantities, quantities
from models.modflow.reaching import holding, wider
from models.modflow.stated_places import with_places
from models.modflow.twin import twins
from models.scenario.noun import Scenario, day_number
from pipelines.modflow import answering
from pipelines.modflow.answering import answered, halved
from pipelines.modflow.program import program
from pipelines.modflow.runs import Runs, runs_in

T, S, RATE, NEAR = 400.0, 0.1, 1_000.0, 300.0
"""Of the aquifer [m2/d, -], the well [m3/d], and its distance from the creek [m]."""
ON = day_number(date(2025, 7, 31)) + 1
QUICK = Stepping(0.05, 1.08)


def scenario(**changes: Any) -> Scenario:
    aquifer = {"kind": "confined", "transmissivity": f"{T} m2/d", "storativity": f"{S}", "thickness": "40 m"}
    well = {"id": "W", "position": (0.0, 0.0), "rate": f"{RATE} m3/d", "since": "2025-06-01"}
    points = [{"id": "near", "position": (50.0, 10.0)}, {"id": "far", "position": (-400.0, 100.0)}]
    creek = {"id": "creek", "line": [(NEAR, -30_000.0), (NEAR, 30_000.0)], "conductance": "5 m/d"}
    whole = {"unit": "m", "aquifer": aquifer, "well": [well], "point": points, "stream": [creek]}
    return Scenario.model_validate(whole | changes)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with runs_in(tmp_path_factory.mktemp("runs"), program(), {}, lambda _: None, again=False) as found:
        yield found


@pytest.fixture(scope="module")
def answer(runs: Runs) -> Answer:
    return answered(scenario(), Choices(ON, "one", stepping=QUICK), runs)


def spoilt(told: Quantities, **changes: Any) -> Quantities:
    return replace(told, **changes)


# A good run ----------------------------------------------------------------------------------------------------------


def test_every_check_of_a_good_run_passes_and_tells_its_number(answer: Answer) -> None:
    assert [one.name for one in answer.checks] == [
        "mass balance", "convergence", "boundary influence", "drawdown at no-flow ends", "domain doubled",
        "grid coarsened", "well rates", "time steps halved", "dry cells", "closed form",
    ]  # fmt: skip
    assert all(one.passed and one.says for one in answer.checks)
    for one in answer.checks:
        assert (one.measured is None) == (not one.applies)


def test_depletion_is_hunts_closed_form(answer: Answer) -> None:
    """q/Q = erfc(a) - exp(-a^2) erfcx(a + sqrt b), a^2 = S d^2 / 4 T t, b = lam^2 t / 4 S T (Hunt 1999)."""
    told = answer.quantities
    t, lam = told.day - day_number(date(2025, 6, 1)), 5.0
    a, b = np.sqrt(S * NEAR**2 / (4 * T * t)), lam**2 * t / (4 * S * T)
    share = erfc(a) - np.exp(-(a**2)) * erfcx(a + np.sqrt(b))
    assert np.abs(told.depletion["creek"] / RATE - share).max() < 0.01


def test_figures_begin_a_day_after_pumping_and_end_on_the_day_asked_for(answer: Answer) -> None:
    day = answer.quantities.day
    assert day[0] >= day_number(date(2025, 6, 1)) + 1
    assert day[-1] == pytest.approx(ON)
    assert answer.stressed.time[answer.quantities.steps] + day_number(date(2025, 5, 31)) == pytest.approx(day)


def test_no_drawdown_is_told_in_a_wells_own_cell(runs: Runs) -> None:
    inside = scenario(
        stream=[], point=[{"id": "well", "position": (0.4, 0.0)}, {"id": "near", "position": (50.0, 0.0)}]
    )
    found = answered(inside, Choices(ON, "one", stepping=QUICK), runs)
    assert np.isnan(found.quantities.drawdown["well"]).all()
    assert found.quantities.in_well == {"well": "W"}
    model, field = found.pair.stressed, found.quantities.field
    (cell, _), *_ = model.wells[0].cells
    assert np.isnan(field[(slice(None), *cell)]).all()
    assert np.isfinite(field).sum() == field.size - 1


# One check at a time --------------------------------------------------------------------------------------------------


def test_mass_balance_of_one_bad_step_is_seen(answer: Answer) -> None:
    bad = answer.stressed.discrepancy.copy()
    bad[7] = -0.2
    check = gate.mass_balance(answer.quantities, (answer.baseline, replace(answer.stressed, discrepancy=bad)))
    assert not check.passed
    assert check.measured == pytest.approx(0.2)


def test_cumulative_imbalance_is_seen(answer: Answer) -> None:
    bad = replace(answer.stressed, cumulative=np.full_like(answer.stressed.cumulative, 0.11))
    assert not gate.mass_balance(answer.quantities, (bad,)).passed


def test_a_step_without_a_number_for_its_balance_fails(answer: Answer) -> None:
    bad = replace(answer.stressed, discrepancy=np.full_like(answer.stressed.discrepancy, np.nan))
    assert not gate.mass_balance(answer.quantities, (bad,)).passed


def test_a_share_of_next_to_no_flow_is_no_imbalance(answer: Answer) -> None:
    """Without slope nothing flows before pumping: rounding against rounding may be any share."""
    still = replace(
        answer.baseline, turnover=np.full_like(answer.baseline.turnover, 1e-9),
        discrepancy=np.full_like(answer.baseline.discrepancy, 150.0),
    )  # fmt: skip
    assert gate.mass_balance(answer.quantities, (still,)).passed


@pytest.mark.parametrize("field", ["terminated", "converged"])
def test_a_run_that_did_not_end_by_itself_fails(answer: Answer, field: str) -> None:
    assert not gate.convergence((answer.baseline, replace(answer.stressed, **{field: False}))).passed


def test_the_last_iteration_allowed_is_no_convergence(answer: Answer) -> None:
    most = answer.stressed.outer_iterations.copy()
    most[3] = answer.stressed.most_outer
    assert not gate.convergence((replace(answer.stressed, outer_iterations=most),)).passed


@pytest.mark.parametrize(("percent", "passed"), [(0.9, True), (1.1, False)])
def test_ends_that_are_felt(answer: Answer, percent: float, passed: bool) -> None:
    far = answer.baseline.budget["far"].copy()
    far[-3] += percent / 100 * RATE
    stressed = replace(answer.stressed, budget={**answer.stressed.budget, "far": far})
    assert gate.boundary_influence(answer.quantities, answer.baseline, stressed).passed is passed


COMPARISONS: list[Callable[[Quantities, Quantities], Check]] = [gate.domain_doubled, gate.steps_halved]


@pytest.mark.parametrize("check", COMPARISONS)
@pytest.mark.parametrize(
    ("factor", "passed"), [(1.0, True), (1.019, True), (0.981, True), (1.022, False), (0.97, False)]
)
@pytest.mark.parametrize("quantity", ["drawdown", "depletion"])
def test_two_percent_of_any_reported_quantity(
    answer: Answer, check: Callable[..., Check], factor: float, passed: bool, quantity: str
) -> None:
    told = answer.quantities
    id = {"drawdown": "near", "depletion": "creek"}[quantity]
    values = getattr(told, quantity)
    other = spoilt(told, **{quantity: {**values, id: values[id] / factor}})
    found = check(told, other)
    assert found.passed is passed
    assert passed or id in found.says


def test_one_step_that_changes_is_enough(answer: Answer) -> None:
    told = answer.quantities
    other = told.depletion["creek"].copy()
    other[-2] *= 1.03
    assert not gate.steps_halved(told, spoilt(told, depletion={"creek": other})).passed


def test_a_change_below_three_millimetres_counts_as_none(answer: Answer) -> None:
    told = answer.quantities
    small = np.full_like(told.day, 0.01)
    one = spoilt(told, drawdown={"x": small}, depletion={})
    assert gate.domain_doubled(one, spoilt(one, drawdown={"x": small + 0.0029})).measured == 0
    assert not gate.domain_doubled(one, spoilt(one, drawdown={"x": small + 0.0031})).passed


def test_a_place_that_is_dry_in_one_run_only_is_a_change_without_limit(answer: Answer) -> None:
    told = answer.quantities
    gone = told.drawdown["near"].copy()
    gone[-1] = np.nan
    other = spoilt(told, drawdown={**told.drawdown, "near": gone})
    assert gate.steps_halved(told, other).measured == np.inf


def test_runs_without_common_steps_are_not_compared(answer: Answer) -> None:
    with pytest.raises(ValueError, match="no common steps"):
        gate.steps_halved(answer.quantities, spoilt(answer.quantities, day=answer.quantities.day + 0.01))


def test_a_well_that_gives_less_than_it_is_told_to(answer: Answer) -> None:
    short = replace(answer.stressed, well_rates={"W": answer.stressed.well_rates["W"] * 0.99})
    check = gate.well_rates(answer.pair, short)
    assert not check.passed
    assert check.measured == pytest.approx(1.0)
    assert "W" in check.says


@pytest.mark.parametrize("mark", [1e30, -1e30])
def test_a_mark_for_no_water_is_never_taken_for_a_level(answer: Answer, mark: float) -> None:
    leaked = answer.stressed.hydrographs["far"].copy()
    leaked[2] = mark
    stressed = replace(answer.stressed, hydrographs={**answer.stressed.hydrographs, "far": leaked})
    check = gate.dry_cells(answer.quantities, answer.baseline, stressed)
    assert not check.passed
    assert "far" in check.says


def test_a_place_that_stood_dry_before_pumping_is_refused_and_one_that_falls_dry_is_named(answer: Answer) -> None:
    gone = np.full_like(answer.stressed.hydrographs["near"], np.nan)
    dry = {"near": gone, "far": answer.baseline.hydrographs["far"]}
    assert not gate.dry_cells(answer.quantities, replace(answer.baseline, hydrographs=dry), answer.stressed).passed
    fallen = replace(answer.stressed, hydrographs={**answer.stressed.hydrographs, "near": gone})
    told = quantities(answer.pair, answer.baseline, fallen)
    check = gate.dry_cells(told, answer.baseline, fallen)
    assert told.dry == ("near",)
    assert check.passed
    assert "near dry" in check.says


@pytest.mark.parametrize(("off", "passed"), [(0.049, True), (0.051, False)])
def test_five_percent_of_the_closed_form(off: float, passed: bool) -> None:
    closed = np.array([1.0, 2.0])
    one = Compared("Theis (1935)", "drawdown at x", closed * np.array([1.0, 1 + off]), closed, 0.003)
    assert gate.closed_forms((one,)).passed is passed


def test_nothing_to_compare_is_no_pass() -> None:
    assert not gate.closed_forms(()).passed


def test_there_is_no_answer_that_failed(answer: Answer) -> None:
    bad = Check("mass balance", 1.0, 0.1, "%", False, "in against out is 1 %", "shorter steps")
    with pytest.raises(GateFailed, match=r"mass balance: in against out is 1 % \(remedy: shorter steps\)") as caught:
        replace(answer, checks=(*answer.checks[1:], bad))
    assert caught.value.exit_code == 1
    assert bad in caught.value.checks
    with pytest.raises(GateFailed, match="nothing was checked"):
        replace(answer, checks=())


# The runs the gate asks for -------------------------------------------------------------------------------------------


@given(length=st.floats(0.1, 400), steps=st.integers(1, 40), growth=st.floats(1.0, 1.5))
def test_steps_cut_in_two_keep_every_old_end(length: float, steps: int, growth: float) -> None:
    def ends(one: Period) -> np.ndarray:
        parts = one.growth ** np.arange(one.steps)
        return np.cumsum(parts) / parts.sum() * one.length

    period = Period(0.0, length, steps, growth)
    assert ends(answering._cut(period))[1::2] == pytest.approx(ends(period), rel=1e-9)


def test_cutting_steps_keeps_the_steady_one_and_the_heads_of_the_last() -> None:
    pair = pair_of(scenario(), Choices(ON, "monthly", stepping=QUICK))
    twice = halved(pair).stressed
    assert twice.periods[0] == pair.stressed.periods[0]
    assert [one.steps for one in twice.periods[1:]] == [2 * one.steps for one in pair.stressed.periods[1:]]
    assert twice.keep == ((2, twice.periods[2].steps - 1),)


@pytest.mark.parametrize("reach", [0.01, 6.0, 12.0])
def test_a_wider_grid_reaches_twice_as_far_even_where_the_least_reach_rules(reach: float) -> None:
    choices = Choices(ON, "one", stepping=QUICK, reach=reach)
    pair = pair_of(scenario(), choices)
    other = pair_of(scenario(), wider(choices, pair))
    inner = float(pair.stressed.grid.x_edges[-1]) - NEAR
    assert inner >= LEAST_REACH_M - 50
    assert float(other.stressed.grid.x_edges[-1]) - NEAR == pytest.approx(2 * inner, rel=0.01)


def test_the_grid_holds_every_place_asked_about() -> None:
    choices = Choices(ON, "one", stepping=QUICK)
    distant = scenario(point=[{"id": "background", "position": (-9_000.0, 6_000.0)}])
    with pytest.raises(BadQuestion, match="outside the grid"):
        pair_of(distant, choices)
    grid = pair_of(distant, holding(distant, choices)).stressed.grid
    assert grid.x_edges[0] < -9_000 < grid.x_edges[-1]
    assert holding(scenario(), choices) == choices
    absurd = scenario(point=[{"id": "moon", "position": (4e6, 0.0)}])
    with pytest.raises(BadQuestion, match=r"point\[moon\].position: lies outside any grid .*4000 km"):
        holding(absurd, choices)


def test_the_grid_grows_itself_until_its_ends_are_not_felt(runs: Runs) -> None:
    """From a quarter of the reach that 61 days need."""
    quick = {"kind": "confined", "transmissivity": "2000 m2/d", "storativity": "0.01", "thickness": "40 m"}
    wide = scenario(aquifer=quick, stream=[])
    found = answered(wide, Choices(ON, "one", stepping=QUICK, reach=1.5), runs)
    assert all(one.passed for one in found.checks)
    assert found.choices.reach in {3.0, 6.0}
    assert any("its ends were felt" in one for one in found.assumed)
    t = found.quantities.day - day_number(date(2025, 6, 1))
    theis = RATE / (4 * np.pi * 2000) * exp1((50**2 + 10**2) * 0.01 / (4 * 2000 * t))
    assert found.quantities.drawdown["near"] == pytest.approx(theis, rel=0.02)


def test_a_grid_that_may_not_grow_is_refused_with_the_check_and_its_remedy(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    for most in ("MOST_DOUBLINGS", "MOST_HALVINGS", "MOST_REFINEMENTS"):
        monkeypatch.setattr(answering, most, 0)
    quick = {"kind": "confined", "transmissivity": "2000 m2/d", "storativity": "0.01", "thickness": "40 m"}
    with pytest.raises(GateFailed, match=r"boundary influence: .*remedy: a wider grid \(--reach 12\)") as caught:
        answered(scenario(aquifer=quick, stream=[]), Choices(ON, "one", stepping=QUICK, reach=0.1), runs)
    assert {one.name for one in caught.value.checks if not one.passed} >= {"boundary influence", "domain doubled"}


def test_a_well_the_aquifer_cannot_feed_is_refused_by_name(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    for most in ("MOST_DOUBLINGS", "MOST_HALVINGS", "MOST_REFINEMENTS"):
        monkeypatch.setattr(answering, most, 0)
    thin = {"kind": "unconfined", "transmissivity": "20 m2/d", "storativity": "0.2", "thickness": "5 m"}
    with pytest.raises(GateFailed) as caught:
        answered(scenario(aquifer=thin, stream=[]), Choices(ON, "one", stepping=QUICK), runs)
    (rates,) = [one for one in caught.value.checks if one.name == "well rates"]
    assert not rates.passed
    assert "W" in rates.says


def test_the_homogeneous_version_takes_layers_slope_and_water_table_away() -> None:
    aquifer = {"kind": "unconfined", "transmissivity": f"{T} m2/d", "storativity": f"{S}", "thickness": "40 m"}
    layers = [
        {"id": "sand", "bottom": "15 m", "conductivity": "20 m/d"},
        {"id": "till", "bottom": "40 m", "conductivity": "1 m/d"},
    ]
    sloping = scenario(aquifer=aquifer, layer=layers, gradient={"slope": "0.002", "toward_degrees": 90}, stream=[])
    pair = pair_of(sloping, Choices(ON, "one", stepping=QUICK))
    (twin,) = twins(sloping, pair)
    assert twin.transmissivity == pytest.approx(15 * 20 + 25 * 1)
    assert (twin.model.grid.shape[0], twin.model.layers[0].convertible) == (1, False)
    assert (twin.model.initial == 0).all()
    assert (twin.model.grid.x_edges == pair.stressed.grid.x_edges).all()
    assert twin.model.periods == pair.stressed.periods


def test_a_pit_is_held_against_jacob_and_lohman(runs: Runs) -> None:
    pit = {"polygon": [(0.0, 0.0), (120.0, 0.0), (120.0, 90.0), (0.0, 90.0)], "lowered": "4 m", "since": "2025-06-01"}
    dry = scenario(well=[], stream=[], pit=pit, point=[{"id": "house", "position": (300.0, 50.0)}])
    pair = pair_of(dry, Choices(ON, "one", stepping=QUICK))
    (twin,) = twins(dry, pair)
    assert twin.pit is not None
    assert np.pi * twin.pit[0] ** 2 == pytest.approx(120 * 90, rel=0.03)
    (one,) = compared(twin, runs.of(twin.model, "pit"))
    assert one.modelled == pytest.approx(one.closed, rel=0.05)


def test_without_places_stated_ones_are_told_and_checked() -> None:
    bare = with_places(scenario(point=[]))
    assert [one.position for one in bare.point] == [(30.0, 0.0), (100.0, 0.0), (300.0, 0.0), (800.0, 0.0)]
    wall = [{"id": "wall", "kind": "no_flow", "line": [(200.0, -1.0), (200.0, 1.0)]}]
    walled = with_places(scenario(point=[], stream=[], edge=wall))
    assert [one.position[0] for one in walled.point] == [30.0, 100.0, -300.0, -800.0]
    assert with_places(scenario()).point == scenario().point


def test_a_scenario_is_run_once(answer: Answer, runs: Runs, tmp_path: Path) -> None:
    """Everything above shares its runs; the same question again takes none."""
    before = runs.done
    again = answered(scenario(), Choices(ON, "one", stepping=QUICK), runs)
    assert runs.done == before
    for one, other in pairwise([answer, again]):
        assert (one.quantities.drawdown["near"] == other.quantities.drawdown["near"]).all()
