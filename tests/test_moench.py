"""Delayed drainage of the pores (Moench 1995) against its limits, each worked by another road."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import exp1, j0, jn_zeros, k0, kv

from models.aquifer.laplace import talbot
from models.aquifer.moench import moench_drawdown
from models.aquifer.neuman import WaterTableAquifer, neuman_drawdown
from models.aquifer.screen import Screen
from models.errors import BadQuestion

Q = 172.8
CAPE = WaterTableAquifer(8.64, 4.32, 2e-5, 0.2, 10.0)
WHOLE = Screen(0.0, 10.0)
OPEN = WaterTableAquifer(8.64, 8.64e8, 2e-5, 0.2, 10.0)  # without vertical resistance: Boulton
T = 86.4
PER_W = Q / (4 * np.pi * T)


@pytest.mark.parametrize("z", [0.0, 5.0, 9.5, WHOLE])
def test_pores_that_drain_at_once_are_neuman_s(z: float | Screen) -> None:
    t = np.geomspace(1e-4, 1e3, 15)
    at_once = moench_drawdown(Q, CAPE, 1e12, 10.0, z, t)
    np.testing.assert_allclose(at_once, neuman_drawdown(Q, CAPE, 10.0, z, t), rtol=2e-6)


def test_pores_that_do_not_drain_are_theis_with_the_elastic_storage() -> None:
    t = np.geomspace(1e-3, 1e2, 11)
    theis = PER_W * exp1(20.0**2 * 2e-4 / (4 * T * t))
    np.testing.assert_allclose(moench_drawdown(Q, CAPE, 1e-12, 20.0, 5.0, t), theis, rtol=1e-4)


def test_late_it_is_theis_with_all_of_the_yield() -> None:
    """alpha t is above 1e4 and Kz t / Sy b above 1e3: nothing is delayed any more."""
    t = np.array([3e4, 1e5])
    theis = PER_W * exp1(30.0**2 * 0.2002 / (4 * T * t))
    np.testing.assert_allclose(moench_drawdown(Q, CAPE, 0.5, 30.0, WHOLE, t), theis, rtol=1e-3)


def test_early_it_is_theis_with_the_elastic_storage() -> None:
    """Kz t / Ss b^2 is below 0.02 and alpha t below 0.001: the water table has not been felt."""
    slow, t = WaterTableAquifer(8.64, 4.32e-4, 2e-5, 0.2, 10.0), np.array([0.01, 0.03, 0.1])
    theis = PER_W * exp1(60.0**2 * 2e-4 / (4 * T * t))
    np.testing.assert_allclose(moench_drawdown(Q, slow, 0.01, 60.0, 0.0, t), theis, rtol=2e-4)


def _leaky(u: float, r_over_b: float) -> float:
    """Hantush & Jacob (1955), by quadrature in the logarithm."""
    return quad(lambda x: np.exp(-np.exp(x) - r_over_b**2 / (4 * np.exp(x))), np.log(u), 6.0, epsabs=1e-12)[0]


@pytest.mark.parametrize("r_over_b", [0.1, 0.6, 2.0])
@pytest.mark.parametrize("u", [1.0, 0.1, 0.01])
def test_boulton_s_early_curves_are_those_of_a_leaky_aquifer(r_over_b: float, u: float) -> None:
    """Boulton (1963), type A: with Sy without bound the pores leak alpha Sy per unit of drawdown, r/B its root."""
    r, alpha = 20.0, 1e-9
    spongy = WaterTableAquifer(8.64, 8.64e8, 2e-5, r_over_b**2 * T / (alpha * r**2), 10.0)
    t = r**2 * 2e-4 / (4 * T * u)
    found = float(moench_drawdown(Q, spongy, alpha, r, WHOLE, t))
    assert found == pytest.approx(PER_W * _leaky(u, r_over_b), rel=2e-4)


def test_boulton_s_early_curve_as_printed() -> None:
    """Hantush's table: W(0.01, 0.1) = 3.815."""
    assert _leaky(0.01, 0.1) == pytest.approx(3.815, abs=6e-4)


@pytest.mark.parametrize("r_over_b", [0.1, 0.6, 2.0])
def test_boulton_s_curves_begin_to_part_at_2_k0(r_over_b: float) -> None:
    """Between early and late both stand at 2 K0(r/B) (Boulton 1963)."""
    r, alpha, sy = 20.0, 1e-3, 0.2
    thin = WaterTableAquifer(r**2 * alpha * sy / (r_over_b**2 * 10.0), 1e9, 2e-12, sy, 10.0)
    scale = Q / (4 * np.pi * thin.transmissivity_m2_per_d)
    found = float(moench_drawdown(Q, thin, alpha, r, WHOLE, 1e-3))
    assert found == pytest.approx(scale * 2 * k0(r_over_b), rel=2e-4)


def _late_boulton(r_over_b: float, alpha_t: float) -> float:
    """4 pi T s / Q for S = 0, on the real axis: the pole at -alpha is a cut of K0 between -alpha and 0."""

    # K0 of r/B sqrt(p/(p+alpha)) around the cut, with p = -alpha x: 2 Im K0(-i y) = pi J0(y), y = r/B sqrt(x/(1-x)).
    def change(x: float) -> float:
        return j0(r_over_b * np.sqrt(x / (1 - x))) * -np.expm1(-alpha_t * x) / x

    # J0 of an ever faster phase towards x = 1 is integrated between its zeros.
    zeros = jn_zeros(0, 60) / r_over_b
    edges = np.concatenate([[0.0], zeros**2 / (1 + zeros**2)])
    parts = [quad(change, *pair, epsabs=1e-12, epsrel=1e-10)[0] for pair in itertools.pairwise(edges)]
    sums = np.cumsum(parts)[-12:]
    while sums.size > 1:  # the parts alternate: repeated means
        sums = (sums[1:] + sums[:-1]) / 2
    return 2 * float(kv(0, r_over_b)) + float(sums[0])


@pytest.mark.parametrize("alpha_t", [0.1, 1.0, 10.0])
def test_boulton_s_late_curves_on_the_real_axis(alpha_t: float) -> None:
    r, alpha, sy, r_over_b = 20.0, 1e-3, 0.2, 0.6
    thin = WaterTableAquifer(r**2 * alpha * sy / (r_over_b**2 * 10.0), 1e9, 2e-12, sy, 10.0)
    scale = Q / (4 * np.pi * thin.transmissivity_m2_per_d)
    found = float(moench_drawdown(Q, thin, alpha, r, WHOLE, alpha_t / alpha))
    assert found == pytest.approx(scale * _late_boulton(r_over_b, alpha_t), rel=3e-4)


def _hankel(r: float, z: float, t: float, alpha: float) -> float:
    """Moench's drawdown by another road: Hankel in r, a closed form in z, Talbot in t; no eigenvalue is solved for."""
    kr, kz, ss, sy, b = vars(CAPE).values()

    def lost(a: float) -> float:
        def transform(p: np.ndarray) -> np.ndarray:
            eta = np.sqrt((kr * a**2 + ss * p) / kz)
            drained = sy * p * alpha / (p + alpha)
            fall = np.exp(-eta * (b - z)) * (1 + np.exp(-2 * eta * z))
            top = drained * (1 + np.exp(-2 * eta * b)) + kz * eta * (1 - np.exp(-2 * eta * b))
            return drained * fall / top / (p * (a**2 + p * ss / kr))

        return float(talbot(transform, np.array([t]))[0])

    edges = np.concatenate([[0.0], np.geomspace(1e-5, 0.9, 12) * jn_zeros(0, 1)[0] / r, jn_zeros(0, 40) / r])
    parts = [quad(lambda a: a * j0(a * r) * lost(a), *pair, epsabs=1e-9, epsrel=1e-7)[0]
             for pair in itertools.pairwise(edges)]  # fmt: skip
    return float(exp1(r**2 * ss * b / (4 * T * t))) / (4 * np.pi * T) - sum(parts) / (2 * np.pi * T)


@pytest.mark.parametrize(
    ("r", "z", "t", "alpha"), [(10.0, 5.0, 1.0, 0.5), (20.0, 2.0, 0.1, 20.0), (10.0, 0.0, 30.0, 0.1)]
)
def test_moench_by_another_road(r: float, z: float, t: float, alpha: float) -> None:
    found = float(moench_drawdown(1.0, CAPE, alpha, r, z, t))
    assert found == pytest.approx(_hankel(r, z, t, alpha), rel=3e-4)


@settings(max_examples=25, deadline=None)
@given(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.floats(2.0, 100.0))
def test_it_lies_between_no_drainage_and_drainage_at_once(alpha: float, t: float, r: float) -> None:
    theis = PER_W * exp1(r**2 * 2e-4 / (4 * T * t))
    at_once = float(neuman_drawdown(Q, CAPE, r, WHOLE, t))
    found = float(moench_drawdown(Q, CAPE, alpha, r, WHOLE, t))
    assert at_once - 1e-4 * theis - 1e-6 <= found <= theis * (1 + 1e-4) + 1e-6


def test_shares_of_the_pores_with_alike_alpha_are_one() -> None:
    t = np.geomspace(1e-3, 1e3, 7)
    one, three = moench_drawdown(Q, CAPE, 0.7, 10.0, 5.0, t), moench_drawdown(Q, CAPE, [0.7] * 3, 10.0, 5.0, t)
    np.testing.assert_allclose(three, one, rtol=1e-6)
    both = moench_drawdown(Q, CAPE, [0.01, 100.0], 10.0, 5.0, t)
    fast, slow = (moench_drawdown(Q, CAPE, alpha, 10.0, 5.0, t) for alpha in (100.0, 0.01))
    assert ((fast <= both + 1e-5) & (both <= slow + 1e-5)).all()


def test_before_pumping_there_is_none() -> None:
    assert moench_drawdown(Q, CAPE, 0.5, 10.0, 5.0, [-1.0, 0.0]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("alpha", [0.0, -1.0, float("nan"), [0.1, 0.0], []])
def test_a_drainage_that_is_none_is_refused(alpha: float | list[float]) -> None:
    with pytest.raises(BadQuestion) as refusal:
        moench_drawdown(Q, CAPE, alpha, 10.0, 5.0, 1.0)
    assert refusal.value.key == "drainage_per_d"
