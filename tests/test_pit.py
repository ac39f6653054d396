"""Pits, trenches, the pumping that keeps them dry, and the basins their water goes to."""

from __future__ import annotations

import itertools
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import dblquad, quad, solve_ivp
from scipy.special import j0, jn_zeros, kve, y0

from models.aquifer.bessel import scaled_k0, scaled_k1
from models.aquifer.dewatering import least_pumping_m3_per_d, required_rate_m3_per_d
from models.aquifer.jacob_lohman import (
    constant_drawdown_cone_m,
    constant_drawdown_function,
    constant_drawdown_inflow_m3_per_d,
    constant_drawdown_volume_m3,
)
from models.aquifer.mound import mound_head_m
from models.aquifer.pit import (
    equivalent_radius_m,
    floor_inflow_m3_per_d,
    head_m,
    influence_radius_m,
    wall_inflow_m3_per_d,
)
from models.aquifer.steady import dupuit_inflow_m3_per_d
from models.aquifer.theis import theis_drawdown, well_function
from models.aquifer.trench import (
    edelman_drawdown,
    edelman_drawn_drawdown,
    edelman_flux_m2_per_d,
    edelman_volume_m2,
)
from models.errors import BadQuestion

W, K, HP, RP, H0 = 5.5e-4, 0.864, 5.0, 150.0, 20.0  # m/d, m/d, m, m, m
PIT = W, K, HP, RP, H0
T, S = 172.8, 0.15

# ------------------------------------------------------------------------------ Marinelli & Niccoli


def test_the_head_solves_dupuits_equation_with_recharge() -> None:
    """From the pit wall outward: 2 pi r K h h' = W pi (r0^2 - r^2), integrated numerically."""
    r0 = float(influence_radius_m(*PIT))
    flow = solve_ivp(lambda r, h: W * (r0**2 - r**2) / (2 * r * K * h), (RP, r0), [HP], rtol=1e-10, dense_output=True)
    r = np.linspace(RP, r0, 7)
    np.testing.assert_allclose(head_m(*PIT, r), flow.sol(r)[0], rtol=1e-6)
    assert float(flow.y[0, -1]) == pytest.approx(H0, rel=1e-8)


def test_the_inflow_is_the_recharge_caught_and_what_passes_the_wall() -> None:
    r0 = float(influence_radius_m(*PIT))
    inflow = float(wall_inflow_m3_per_d(W, RP, r0))
    step = 1e-4
    slope = (float(head_m(*PIT, RP + step)) - HP) / step
    assert inflow == pytest.approx(2 * np.pi * RP * K * HP * slope, rel=1e-5)
    # More than Dupuit's without recharge to the same radius, which would let all of it in at r0.
    assert inflow > float(dupuit_inflow_m3_per_d(K, H0, HP, RP, r0))


@given(st.floats(-6, -2), st.floats(-3, 2), st.floats(0, 30), st.floats(1e-3, 30), st.floats(0, 3))
def test_the_radius_solves_its_equation(log_w: float, log_k: float, pit: float, more: float, log_rp: float) -> None:
    w, k, rp, h0 = 10**log_w, 10**log_k, 10**log_rp, pit + more
    r0 = float(influence_radius_m(w, k, pit, rp, h0))
    back = pit**2 + w / k * (r0**2 * np.log(r0 / rp) - (r0**2 - rp**2) / 2)
    assert back == pytest.approx(h0**2, rel=1e-7, abs=1e-9 * w / k * r0**2)
    assert r0 >= rp


@pytest.mark.parametrize("y", [1e-12, 1e-6, 1.9e-3, 2.1e-3, 0.1, 3.0])
def test_a_shallow_pit_has_a_narrow_ring(y: float) -> None:
    # From the answer back, y = 2 ln(r0/rp): 2c = (y - 1) e^y + 1 = sum y^n (n - 1)/n!, all terms above 0. A dry pit.
    twice_c = sum(y**n * (n - 1) / factorial(n) for n in range(2, 40))
    r0 = float(influence_radius_m(W, K, 0.0, RP, RP * np.sqrt(twice_c / 2 * W / K)))
    assert 2 * np.log(r0 / RP) == pytest.approx(y, rel=1e-9, abs=1e-15)


def test_without_a_drawdown_there_is_no_cone() -> None:
    assert float(influence_radius_m(W, K, 20.0, RP, 20.0)) == RP
    assert float(wall_inflow_m3_per_d(W, RP, RP)) == 0.0


def test_beyond_the_radius_the_water_table_stands_as_before() -> None:
    np.testing.assert_allclose(head_m(*PIT, [1e4, 1e5]), H0, rtol=1e-12)


def test_the_floor_is_a_disc_on_a_half_space() -> None:
    # 4 r K s by hand: 4 x 100 x 0.1 x 10; anisotropic with the geometric mean of 0.4 and 0.025, also 0.1.
    assert float(floor_inflow_m3_per_d(0.1, 0.1, 100.0, 10.0)) == pytest.approx(400.0, rel=1e-14)
    assert float(floor_inflow_m3_per_d(0.4, 0.025, 100.0, 12.0, 2.0)) == pytest.approx(400.0, rel=1e-14)
    assert float(floor_inflow_m3_per_d(0.4, 0.025, 100.0, 12.0, 12.0)) == 0.0


def test_without_recharge_there_is_no_steady_state() -> None:
    with pytest.raises(BadQuestion, match="no steady inflow") as refusal:
        influence_radius_m([1e-3, 0.0], K, HP, RP, H0)
    assert refusal.value.key == "recharge_m_per_d"


def test_the_circle_as_large_as_the_pit() -> None:
    assert np.pi * float(equivalent_radius_m(60_000.0)) ** 2 == pytest.approx(60_000.0)


# --------------------------------------------------------------------------------- constant drawdown


@pytest.mark.parametrize("alpha", [1e-3, 0.1, 1.0, 50.0, 1e5])
def test_smiths_integral(alpha: float) -> None:
    """G = (4 alpha / pi) int x exp(-alpha x^2) [pi/2 + arctan(Y0/J0)] dx, and with x = exp v."""

    def integrand(v: float) -> float:
        x = np.exp(v)
        # The angle of J0 - i Y0 runs on without jumps where arctan has them: -pi/2 - arg for small x.
        angle = np.pi / 2 + np.arctan(y0(x) / j0(x))
        return float(x**2 * np.exp(-alpha * x**2) * angle)

    high = 0.5 * np.log(45 / alpha)
    low = min(-40.0, high - 5)
    jumps = _jumps(np.exp(high))
    edges = sorted({low, *np.linspace(low + 5, high, 20), high, *[v for v in jumps if low < v < high]})
    # Each jump of arctan adds pi: the angle is continuous.
    total = 0.0
    for a, b in itertools.pairwise(edges):
        turns = np.pi * sum(np.exp((a + b) / 2) > np.exp(v) for v in jumps)
        total += quad(lambda v, turns=turns: integrand(v) + turns * np.exp(2 * v - alpha * np.exp(2 * v)), a, b,
                      epsabs=1e-12, epsrel=1e-10)[0]  # fmt: skip
    assert float(constant_drawdown_function(alpha)) == pytest.approx(4 * alpha / np.pi * total, rel=1e-6)


def _jumps(most: float) -> list[float]:
    """ln of the zeros of J0 below ``most``, where arctan(Y0/J0) falls from pi/2 to -pi/2."""
    zeros = jn_zeros(0, 2 + int(most / np.pi))
    return [float(np.log(zero)) for zero in zeros if zero < most]


def test_early_and_late() -> None:
    early, late = np.array([1e-6, 1e-4]), np.array([1e12, 1e15])
    np.testing.assert_allclose(
        constant_drawdown_function(early), 1 / np.sqrt(np.pi * early) + 0.5 - np.sqrt(early / np.pi) / 4, rtol=1e-6
    )
    np.testing.assert_allclose(constant_drawdown_function(late), 2 / np.log(2.25 * late), rtol=3e-3)


@pytest.mark.parametrize("z", [3e6 + 4e6j, 1.01e7 + 0j, 2e5 + 3e7j])
def test_bessel_functions_where_their_series_takes_over(z: complex) -> None:
    found = [complex(function(np.array(z))) for function in (scaled_k0, scaled_k1)]
    np.testing.assert_allclose(found, [kve(0, z), kve(1, z)], rtol=2e-13)


def test_the_first_instant_of_a_large_pit_is_still_a_number() -> None:
    # z = 1e11, where scipy's scaled Bessel functions end.
    assert float(constant_drawdown_function(1e-22)) == pytest.approx(1 / np.sqrt(np.pi * 1e-22), rel=1e-9)
    assert float(constant_drawdown_cone_m(1e-6, 1.0, 1e5, 6.0, 1e5, 1e-6)) == pytest.approx(6.0, rel=1e-9)


def test_early_a_pit_is_a_ditch_as_long_as_its_edge() -> None:
    inflow = float(constant_drawdown_inflow_m3_per_d(T, S, 1000.0, 3.0, 1.0))
    ditch = 2 * np.pi * 1000.0 * float(edelman_flux_m2_per_d(T, S, 3.0, 1.0))
    assert inflow == pytest.approx(ditch, rel=0.04)


@pytest.mark.parametrize("days", [3.0, 365.0])
def test_the_cone_outside_the_pit_holds_what_came_in(days: float) -> None:
    def ring(r: float) -> float:
        return 2 * np.pi * r * S * float(constant_drawdown_cone_m(T, S, 120.0, 6.0, r, days))

    edges = 120.0 + np.array([0, 30, 300, 2000, 12_000.0]) * np.sqrt(days / 365 + 0.05)
    volume = sum(quad(ring, *pair, epsrel=1e-9)[0] for pair in itertools.pairwise(edges))
    assert volume == pytest.approx(float(constant_drawdown_volume_m3(T, S, 120.0, 6.0, days)), rel=1e-6)
    summed = quad(lambda x: 2 * x * float(constant_drawdown_inflow_m3_per_d(T, S, 120.0, 6.0, x * x)), 0, days**0.5)[0]
    assert volume == pytest.approx(summed, rel=1e-6)


def test_the_pit_is_at_its_level_and_the_far_field_is_not() -> None:
    found = constant_drawdown_cone_m(T, S, 120.0, 6.0, [120.0, 1e6], 30.0)
    np.testing.assert_allclose(found, [6.0, 0.0], atol=1e-11)
    assert constant_drawdown_cone_m(T, S, 120.0, 6.0, 120.0, [-1.0, 0.0]).tolist() == [0.0, 0.0]
    assert constant_drawdown_inflow_m3_per_d(T, S, 120.0, 6.0, [-1.0, 0.0]).tolist() == [0.0, 0.0]


# ------------------------------------------------------------------------------------------ trenches


def test_a_ditch_gives_what_flows_to_it_and_what_has_left_the_aquifer() -> None:
    days, step = 30.0, 1e-3
    slope = (3.0 - float(edelman_drawdown(T, S, 3.0, step, days))) / step
    assert float(edelman_flux_m2_per_d(T, S, 3.0, days)) == pytest.approx(T * slope, rel=1e-4)
    stored = quad(lambda x: S * float(edelman_drawdown(T, S, 3.0, x, days)), 0, 3000, epsrel=1e-10, limit=200)[0]
    assert float(edelman_volume_m2(T, S, 3.0, days)) == pytest.approx(stored, rel=1e-8)


def test_a_drawn_ditch_gives_what_is_drawn() -> None:
    days, step = 30.0, 1e-3
    s = edelman_drawn_drawdown(T, S, 0.7, [0.0, step], days)
    assert T * (s[0] - s[1]) / step == pytest.approx(0.7, rel=1e-4)
    stored = quad(lambda x: S * float(edelman_drawn_drawdown(T, S, 0.7, x, days)), 0, 3000, epsrel=1e-10, limit=200)[0]
    assert stored == pytest.approx(0.7 * days, rel=1e-8)


def test_a_drawn_ditch_is_a_line_of_wells() -> None:
    # Both sides: 2 q per metre, Theis summed along y.
    wells = quad(lambda y: 2 * float(theis_drawdown(0.7, T, S, np.hypot(40.0, y), 30.0)), 0, 4000, limit=300)[0]
    assert float(edelman_drawn_drawdown(T, S, 0.35, 40.0, 30.0)) == pytest.approx(wells, rel=1e-7)


def test_nothing_before_the_drop() -> None:
    assert edelman_drawdown(T, S, 3.0, [0.0, 5.0], [[-1.0], [0.0]]).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert edelman_flux_m2_per_d(T, S, 3.0, [-1.0, 0.0]).tolist() == [0.0, 0.0]


# ---------------------------------------------------------------------------------- required pumping


def test_the_rate_that_reaches_a_target() -> None:
    unit = theis_drawdown(1.0, T, S, 200.0, 365.0)
    rate = required_rate_m3_per_d(4.0, unit)
    assert float(theis_drawdown(rate, T, S, 200.0, 365.0)) == pytest.approx(4.0, rel=1e-14)
    assert float(required_rate_m3_per_d(0.0, unit)) == 0.0


def test_two_wells_two_points_by_hand() -> None:
    # 2a + b >= 10, a + 2b >= 8: the corner (4, 2), 6 in all. With a at most 3: b = 4.
    response, target = [[2.0, 1.0], [1.0, 2.0]], [10.0, 8.0]
    np.testing.assert_allclose(least_pumping_m3_per_d(response, target, 100.0), [4.0, 2.0], atol=1e-9)
    np.testing.assert_allclose(least_pumping_m3_per_d(response, target, [3.0, 100.0]), [3.0, 4.0], atol=1e-9)


def test_the_better_placed_well_does_the_work() -> None:
    assert least_pumping_m3_per_d([[1.0, 3.0]], [6.0], 100.0) == pytest.approx([0.0, 2.0])


def test_what_cannot_be_reached_is_refused_by_its_number() -> None:
    with pytest.raises(BadQuestion, match="point 2") as refusal:
        least_pumping_m3_per_d([[2.0, 1.0], [1.0, 2.0]], [10.0, 80.0], 10.0)
    assert refusal.value.key == "target_drawdown_m"
    with pytest.raises(BadQuestion, match="one target"):
        least_pumping_m3_per_d([[2.0, 1.0]], [10.0, 80.0], 10.0)


# -------------------------------------------------------------------------------------------- mounds


@pytest.mark.parametrize(("x", "y", "t"), [(0.0, 0.0, 30.0), (60.0, -10.0, 30.0), (-200.0, 90.0, 300.0)])
def test_a_low_mound_is_theis_wells_all_over_the_basin(x: float, y: float, t: float) -> None:
    w, k, sy, hi = 1e-8, 8.64, 0.2, 10.0

    def well(v: float, u: float) -> float:
        return float(well_function(((x - u) ** 2 + (y - v) ** 2) * sy / (4 * k * hi * t)))

    edges = sorted({-50.0, 50.0, min(max(x, -50.0), 50.0)})
    sides = sorted({-25.0, 25.0, min(max(y, -25.0), 25.0)})
    area = sum(
        dblquad(well, a, b, c, d, epsrel=1e-6)[0]
        for a, b in itertools.pairwise(edges)
        for c, d in itertools.pairwise(sides)
    )
    rise = float(mound_head_m(w, k, sy, hi, 50.0, 25.0, x, y, t)) - hi
    assert rise == pytest.approx(w * area / (4 * np.pi * k * hi), rel=2e-4)


def test_under_a_wide_basin_the_water_rises_as_it_comes() -> None:
    assert float(mound_head_m(0.01, 8.64, 0.2, 10.0, 1e5, 1e5, 0.0, 0.0, 20.0)) == pytest.approx(11.0, rel=1e-10)


def test_a_mound_is_symmetric_and_starts_flat() -> None:
    four = mound_head_m(0.09, 8.64, 0.2, 10.0, 50.0, 25.0, [30.0, -30.0, 30.0, -30.0], [9.0, 9.0, -9.0, -9.0], 30.0)
    np.testing.assert_allclose(four, four[0], rtol=1e-13)
    assert mound_head_m(0.09, 8.64, 0.2, 10.0, 50.0, 25.0, 0.0, 0.0, [-1.0, 0.0]).tolist() == [10.0, 10.0]


def test_a_withdrawal_the_aquifer_does_not_hold_is_refused() -> None:
    with pytest.raises(BadQuestion, match="does not hold"):
        mound_head_m(-0.1, 8.64, 0.2, 10.0, 1e4, 1e4, 0.0, 0.0, 100.0)


@pytest.mark.parametrize(
    ("key", "call"),
    [
        ("undisturbed_head_m", lambda: influence_radius_m(W, K, 20.0, RP, 19.0)),
        ("pit_radius_m", lambda: influence_radius_m(W, K, HP, 0.0, H0)),
        ("influence_radius_m", lambda: wall_inflow_m3_per_d(W, RP, RP - 1)),
        ("lake_depth_m", lambda: floor_inflow_m3_per_d(1.0, 1.0, RP, 5.0, 6.0)),
        ("distance_m", lambda: head_m(*PIT, RP - 1)),
        ("area_m2", lambda: equivalent_radius_m(0.0)),
        ("alpha", lambda: constant_drawdown_function(0.0)),
        ("radius_m", lambda: constant_drawdown_inflow_m3_per_d(T, S, -1.0, 6.0, 1.0)),
        ("distance_m", lambda: constant_drawdown_cone_m(T, S, 120.0, 6.0, 119.0, 1.0)),
        ("distance_m", lambda: edelman_drawdown(T, S, 3.0, -1.0, 1.0)),
        ("ditch_drawdown_m", lambda: edelman_flux_m2_per_d(T, S, np.nan, 1.0)),
        ("unit_drawdown_d_per_m2", lambda: required_rate_m3_per_d(1.0, 0.0)),
        ("target_drawdown_m", lambda: required_rate_m3_per_d(-1.0, 1.0)),
        ("capacity_m3_per_d", lambda: least_pumping_m3_per_d([[1.0]], [1.0], -1.0)),
        ("half_length_m", lambda: mound_head_m(0.1, 8.64, 0.2, 10.0, 0.0, 25.0, 0.0, 0.0, 1.0)),
        ("specific_yield", lambda: mound_head_m(0.1, 8.64, 0.0, 10.0, 50.0, 25.0, 0.0, 0.0, 1.0)),
    ],
)
def test_a_refusal_names_the_key_and_what_is_allowed(key, call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadQuestion) as refusal:
        call()
    assert refusal.value.key == key
    assert refusal.value.allowed
