"""Leaky aquifers: Hantush & Jacob's integral itself, its limits, and where the water comes from."""

from __future__ import annotations

import csv
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import k0

from models.aquifer.leaky import de_glee_drawdown, hantush_jacob_drawdown, leakage_factor_m, leaky_well_function
from models.aquifer.theis import theis_drawdown, well_function
from models.errors import BadQuestion

TESTS = Path(__file__).parents[2] / "shared/hydro/pumping_tests"
T, S, C = 432.0, 2e-4, 1000.0  # m2/d, -, d
B = float(leakage_factor_m(T, C))


@given(st.floats(-10, 2), st.floats(-5, 1.3))
def test_it_is_the_integral_that_defines_it(log_u: float, log_b: float) -> None:
    u, b = 10**log_u, 10**log_b

    def integrand(x: float) -> float:
        return float(np.exp(-np.exp(x) - b**2 / 4 * np.exp(-x)))

    # In ln y: the integrand lives between ln(b^2/160) and ln 40 and is smooth there.
    low, high = max(np.log(u), np.log(b**2 / 4) - 4), np.log(max(u, 1.0)) + 4
    defined = 0.0
    if low < high:
        edges = np.linspace(low, high, 12)
        defined = sum(quad(integrand, *pair, epsabs=0, epsrel=1e-12)[0] for pair in itertools.pairwise(edges))
    assert float(leaky_well_function(u, b)) == pytest.approx(defined, rel=1e-9, abs=1e-30)


def test_printed_values() -> None:
    # Hantush (1956) as printed in Kruseman & de Ridder (1990), annex 4.2: 4 figures.
    assert float(leaky_well_function(0.01, 0.1)) == pytest.approx(3.815, abs=5e-4)
    assert float(leaky_well_function(0.1, 1.0)) == pytest.approx(0.8190, abs=5e-5)


def test_a_tight_layer_is_theis() -> None:
    times, r = np.geomspace(1e-4, 1e4, 30), 50.0
    tight = hantush_jacob_drawdown(800.0, T, S, 1e12, r, times)
    np.testing.assert_allclose(tight, theis_drawdown(800.0, T, S, r, times), rtol=1e-12)


@given(st.floats(-12, 2))
def test_no_leakage_is_theis_for_every_u(log_u: float) -> None:
    assert float(leaky_well_function(10**log_u, 1e-12)) == pytest.approx(float(well_function(10**log_u)), rel=1e-11)


def test_late_is_steady() -> None:
    r = np.array([1.0, 30.0, 700.0, 9000.0])
    late = hantush_jacob_drawdown(800.0, T, S, B, r, 1e8)
    np.testing.assert_allclose(late, de_glee_drawdown(800.0, T, B, r), rtol=1e-12)
    assert float(leaky_well_function(0.0, 0.3)) == pytest.approx(2 * k0(0.3), rel=1e-14)


@pytest.mark.parametrize("days", [1e-3, 0.05, 0.2, 5.0])
def test_the_cone_holds_what_was_pumped_less_what_leaked(days: float) -> None:
    # From the equation integrated over the plane: the cone's volume V obeys S V' = Q - V/c, V = Q c (1 - exp(-t/cS)).
    def ring(r: float) -> float:
        return 2 * np.pi * r * float(hantush_jacob_drawdown(800.0, T, S, B, r, days))

    edges = [0.01, 1, 10, 100, 1000, 20_000]
    volume = sum(quad(ring, *pair, epsrel=1e-9, limit=200)[0] for pair in itertools.pairwise(edges))
    assert volume == pytest.approx(800.0 * C * -np.expm1(-days / (C * S)), rel=1e-6)


def test_nothing_before_pumping_and_arrays_as_scalars() -> None:
    assert hantush_jacob_drawdown(800.0, T, S, B, [0.0, 5.0], [0.0, -1.0]).tolist() == [0.0, 0.0]
    times = np.array([[0.0, 1.0], [10.0, 100.0]])
    grid = hantush_jacob_drawdown(800.0, T, S, B, 30.0, times)
    assert grid.tolist() == [[float(hantush_jacob_drawdown(800.0, T, S, B, 30.0, t)) for t in row] for row in times]


def test_injection_is_the_mirror() -> None:
    assert hantush_jacob_drawdown(-8.0, T, S, B, 9.0, 2.0) == -hantush_jacob_drawdown(8.0, T, S, B, 9.0, 2.0)


@given(st.floats(-14, 2.5), st.floats(-8, 2.5))
def test_leakage_only_ever_takes_drawdown_away(log_u: float, log_b: float) -> None:
    leaking = float(leaky_well_function(10**log_u, 10**log_b))
    ceiling = min(float(well_function(10**log_u)), 2 * float(k0(10**log_b)))
    assert 0 <= leaking <= ceiling * (1 + 1e-12)


@pytest.mark.parametrize(
    ("key", "call"),
    [
        ("leakage_factor_m", lambda: hantush_jacob_drawdown(1.0, T, S, 0.0, 1.0, 1.0)),
        ("transmissivity_m2_per_d", lambda: hantush_jacob_drawdown(1.0, -T, S, B, 1.0, 1.0)),
        ("storativity", lambda: hantush_jacob_drawdown(1.0, T, 0.0, B, 1.0, 1.0)),
        ("distance_m", lambda: hantush_jacob_drawdown(1.0, T, S, B, 0.0, 1.0)),
        ("time_d", lambda: hantush_jacob_drawdown(1.0, T, S, B, 1.0, np.nan)),
        ("rate_m3_per_d", lambda: hantush_jacob_drawdown(np.inf, T, S, B, 1.0, 1.0)),
        ("distance_m", lambda: de_glee_drawdown(1.0, T, B, 0.0)),
        ("resistance_d", lambda: leakage_factor_m(T, -1.0)),
        ("u", lambda: leaky_well_function(-1.0, 1.0)),
        ("r_over_b", lambda: leaky_well_function(1.0, 0.0)),
    ],
)
def test_a_refusal_names_the_key_and_what_is_allowed(key, call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadQuestion) as refusal:
        call()
    assert refusal.value.key == key
    assert refusal.value.allowed


@pytest.mark.skipif(not TESTS.is_dir(), reason="../shared is absent")
def test_the_printed_parameters_reproduce_the_test_at_dalem() -> None:
    about = json.loads((TESTS / "dalem.json").read_text(encoding="utf-8"))
    printed = about["published"][0]
    with (TESTS / "dalem.csv").open(encoding="utf-8", newline="") as file:
        rows = [(float(r["r_m"]), float(r["t_s"]) / 86400, float(r["s_m"])) for r in csv.DictReader(file)]
    r, t, measured = np.array(rows).T
    layer = printed["T_m2d"], printed["S"], leakage_factor_m(printed["T_m2d"], printed["c_d"])
    modelled = hantush_jacob_drawdown(about["Q_m3s"] * 86400, *layer, r, t)
    assert np.sqrt(np.mean((modelled - measured) ** 2)) == pytest.approx(printed["rmse_m"], abs=5e-6)
