"""The pumped well: what it stores (Papadopulos & Cooper) and what it loses (Jacob, Rorabaugh)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import j0, j1, y0, y1

from models.aquifer.theis import theis_drawdown, well_function
from models.aquifer.well_loss import well_drawdown_m, well_efficiency
from models.aquifer.well_storage import papadopulos_cooper_drawdown, well_storage_function
from models.errors import BadQuestion

AQUIFER = 86.4, 1e-3, 0.5, 0.5  # T [m2/d], S, rw, rc [m]


@pytest.mark.parametrize(("alpha", "u_w"), [(0.1, 10.0), (0.1, 0.01), (1e-3, 1e-3), (1.0, 1.0)])
def test_the_printed_integral(alpha: float, u_w: float) -> None:
    """F = (32 alpha^2 / pi^2) int [1 - exp(-x^2 / 4 u_w)] / (x^3 D(x)) dx, Papadopulos & Cooper (1967) eq. 9."""

    def integrand(v: float) -> float:
        x = np.exp(v)
        d = (x * j0(x) - 2 * alpha * j1(x)) ** 2 + (x * y0(x) - 2 * alpha * y1(x)) ** 2
        return float(-np.expm1(-(x**2) / (4 * u_w)) / (x**2 * d))

    edges = np.linspace(-16, 9, 26)
    total = sum(quad(integrand, *pair, epsrel=1e-9, limit=400)[0] for pair in itertools.pairwise(edges))
    assert float(well_storage_function(alpha, u_w)) == pytest.approx(32 * alpha**2 / np.pi**2 * total, rel=1e-6)


def test_printed_values() -> None:
    # Papadopulos & Cooper (1967), table 1, as reprinted: alpha = 0.1, 3 figures.
    assert float(well_storage_function(0.1, 10.0)) == pytest.approx(9.755e-3, rel=5e-4)
    assert float(well_storage_function(1e-3, 1.0)) == pytest.approx(9.99e-4, rel=5e-4)


def test_a_well_that_stores_nothing_is_theis() -> None:
    # Seen from afar: a well of finite radius without storage is a line well at ten radii to some 1e-3.
    found = well_storage_function(1e9, 1e-5, 100.0)
    assert float(found) == pytest.approx(float(well_function(100.0**2 * 1e-5)), rel=1e-4)


def test_late_it_is_theis_and_early_the_well_is_emptied() -> None:
    late = papadopulos_cooper_drawdown(432.0, *AQUIFER, 0.5, [100.0, 1000.0])
    np.testing.assert_allclose(late, theis_drawdown(432.0, 86.4, 1e-3, 0.5, [100.0, 1000.0]), rtol=1e-4)
    # 432 m3/d out of a casing of 0.785 m2: 5.5 m in the first hundredth of a day, were it sealed.
    early = float(papadopulos_cooper_drawdown(432.0, *AQUIFER, 0.5, 1e-6))
    assert early == pytest.approx(432.0 * 1e-6 / (np.pi * 0.25), rel=5e-3)


def test_what_is_pumped_comes_from_the_well_and_from_the_cone() -> None:
    days = 0.01
    casing = np.pi * 0.25 * float(papadopulos_cooper_drawdown(432.0, *AQUIFER, 0.5, days))

    def ring(r: float) -> float:
        return 2 * np.pi * r * 1e-3 * float(papadopulos_cooper_drawdown(432.0, *AQUIFER, r, days))

    edges = [0.5, 5, 50, 200, 600]
    cone = sum(quad(ring, *pair, epsrel=1e-8)[0] for pair in itertools.pairwise(edges))
    assert casing + cone == pytest.approx(432.0 * days, rel=1e-6)


@given(st.floats(-5, 0), st.floats(-10, 2))
def test_storage_only_ever_delays(log_alpha: float, log_u: float) -> None:
    found = float(well_storage_function(10**log_alpha, 10**log_u))
    assert 0 < found <= 10 ** (log_alpha - log_u) * (1 + 1e-9)  # never more than emptying the well alone


def test_loss_by_hand() -> None:
    # B Q + C Q^2 = 5 + 2; Rorabaugh with P = 3 and C = 1e-6: 5 + 1.
    assert float(well_drawdown_m(100.0, 0.05, 2e-4)) == pytest.approx(7.0, rel=1e-14)
    assert float(well_drawdown_m(100.0, 0.05, 1e-6, 3.0)) == pytest.approx(6.0, rel=1e-14)
    assert float(well_efficiency(100.0, 0.05, 2e-4)) == pytest.approx(5 / 7, rel=1e-14)
    assert float(well_efficiency(100.0, 0.05, 1e-6, 3.0)) == pytest.approx(5 / 6, rel=1e-14)


def test_injection_rises_by_as_much_and_a_well_at_rest_is_efficient() -> None:
    assert float(well_drawdown_m(-100.0, 0.05, 2e-4)) == pytest.approx(-7.0, rel=1e-14)
    assert float(well_efficiency(0.0, 0.05, 2e-4)) == 1.0
    assert float(well_drawdown_m(0.0, 0.05, 2e-4)) == 0.0


@pytest.mark.parametrize(
    ("key", "call"),
    [
        ("alpha", lambda: well_storage_function(0.0, 1.0)),
        ("u_w", lambda: well_storage_function(1.0, 0.0)),
        ("radii", lambda: well_storage_function(1.0, 1.0, 0.9)),
        ("distance_m", lambda: papadopulos_cooper_drawdown(1.0, *AQUIFER, 0.4, 1.0)),
        ("casing_radius_m", lambda: papadopulos_cooper_drawdown(1.0, 1.0, 1e-3, 0.5, 0.0, 0.5, 1.0)),
        ("exponent", lambda: well_drawdown_m(1.0, 1.0, 1.0, 0.5)),
        ("well_loss", lambda: well_drawdown_m(1.0, 1.0, -1.0)),
        ("aquifer_loss_d_per_m2", lambda: well_efficiency(1.0, 0.0, 1.0)),
    ],
)
def test_a_refusal_names_the_key_and_what_is_allowed(key, call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadQuestion) as refusal:
        call()
    assert refusal.value.key == key
    assert refusal.value.allowed


def test_nothing_before_pumping() -> None:
    assert papadopulos_cooper_drawdown(432.0, *AQUIFER, 0.5, [-1.0, 0.0]).tolist() == [0.0, 0.0]
