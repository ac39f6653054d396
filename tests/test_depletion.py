"""Stream depletion: limits from one theory to the next, an independent numerical model, and conservation of water."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.linalg import expm

from models.aquifer.depletion import (
    glover_depletion_fraction,
    glover_volume_fraction,
    hantush_depletion_fraction,
    hantush_volume_fraction,
    stream_depletion_factor_d,
)
from models.aquifer.hunt import hunt_depletion_fraction, hunt_volume_fraction
from models.aquifer.hunt2003 import hunt2003_depletion_fraction, hunt2003_volume_fraction
from models.aquifer.laplace import stehfest, talbot
from models.aquifer.residual import (
    depletion_after_m3_per_d,
    largest_depletion_after,
    recovery_time_d,
    residual_fraction,
)
from models.aquifer.ward_lough import TwoLayers, ward_lough_depletion_fraction, ward_lough_volume_fraction
from models.errors import BadQuestion

T, S, D, LAM = 864.0, 1e-4, 100.0, 0.864  # m2/d, -, m, m/d
K, SIGMA = 8.64e-4, 0.1  # 1/d, -
TIMES = np.array([0.1, 1.0, 30.0, 1000.0, 30_000.0])
LAYERS = TwoLayers(86.4, 0.1, T, S, K)


def glover(t: np.ndarray) -> np.ndarray:
    return glover_depletion_fraction(172.8, 0.1, 500.0, t)


# ------------------------------------------------------------------------------------------- inversion


@pytest.mark.parametrize(
    ("transform", "original"),
    [
        (lambda p: 1 / (p + 1), lambda t: np.exp(-t)),
        (lambda p: 1 / p**2, lambda t: t),
        (lambda p: 1 / np.sqrt(p), lambda t: 1 / np.sqrt(np.pi * t)),
        (lambda p: np.log(1 + 1 / p), lambda t: -np.expm1(-t) / t),
    ],
)
def test_two_inversions_of_known_transforms(transform: Callable, original: Callable) -> None:  # type: ignore[type-arg]
    t = np.geomspace(0.01, 5, 20)
    np.testing.assert_allclose(talbot(transform, t), original(t), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(stehfest(transform, t), original(t), atol=2e-4)


# --------------------------------------------------------------------------------- Glover, Hantush 1965


@pytest.mark.parametrize(
    ("t_over_sdf", "rate", "volume"),
    # Jenkins (1968), table 1: three decimals.
    [(0.07, 0.008, 0.001), (0.5, 0.317, 0.151), (2.0, 0.617, 0.419), (5.0, 0.752, 0.587), (100.0, 0.944, 0.892)],
)
def test_jenkins_printed_table(t_over_sdf: float, rate: float, volume: float) -> None:
    t = t_over_sdf * float(stream_depletion_factor_d(172.8, 0.1, 500.0))
    assert float(glover_depletion_fraction(172.8, 0.1, 500.0, t)) == pytest.approx(rate, abs=6e-4)
    assert float(glover_volume_fraction(172.8, 0.1, 500.0, t)) == pytest.approx(volume, abs=6e-4)


@pytest.mark.parametrize("days", [20.0, 100.0, 3000.0])
def test_the_volume_is_the_rate_summed(days: float) -> None:
    summed = quad(lambda t: float(glover(np.array(t))), 0, days, epsrel=1e-10)[0] / days
    assert float(glover_volume_fraction(172.8, 0.1, 500.0, days)) == pytest.approx(summed, rel=1e-8)


def test_a_well_in_the_stream_takes_all_of_it_at_once() -> None:
    assert glover_depletion_fraction(T, S, 0.0, [-1.0, 0.0, 1e-9, 1.0]).tolist() == [0.0, 0.0, 1.0, 1.0]
    assert glover_volume_fraction(T, S, 0.0, [0.0, 1.0]).tolist() == [0.0, 1.0]


def test_a_clean_bed_is_glovers_and_a_thick_one_parts_the_stream() -> None:
    clean, volume = glover_depletion_fraction(T, S, D, TIMES), glover_volume_fraction(T, S, D, TIMES)
    assert hantush_depletion_fraction(T, S, D, 0.0, TIMES).tolist() == clean.tolist()
    assert hantush_volume_fraction(T, S, D, 0.0, TIMES).tolist() == volume.tolist()
    np.testing.assert_allclose(hantush_depletion_fraction(T, S, D, 1e-7, TIMES), clean, rtol=1e-6)
    assert (hantush_depletion_fraction(T, S, D, 1e12, TIMES) < 1e-5).all()


def test_hantush_with_half_the_length_is_hunt_with_twice_the_bed() -> None:
    hunted = hunt_depletion_fraction(T, S, D, 4 * T / 300.0, TIMES), hunt_volume_fraction(T, S, D, 4 * T / 300.0, TIMES)
    np.testing.assert_allclose(hantush_depletion_fraction(T, S, D, 150.0, TIMES), hunted[0], rtol=1e-13)
    np.testing.assert_allclose(hantush_volume_fraction(T, S, D, 150.0, TIMES), hunted[1], rtol=1e-13)


# --------------------------------------------------------------------------------------- after shut-off


def test_nothing_is_lost_after_the_stop() -> None:
    """What the stream loses during pumping and after is Q [t v(t) - (t - t_p) v(t - t_p)]: Jenkins's volumes."""
    pumped, end = 90.0, 2000.0
    during = quad(lambda t: float(glover(np.array(t))), 0, pumped, epsrel=1e-10)[0]
    after = quad(lambda t: float(residual_fraction(glover, pumped, t)), 0, end - pumped, epsrel=1e-10, limit=200)[0]
    v = glover_volume_fraction(172.8, 0.1, 500.0, [end, end - pumped])
    assert during + after == pytest.approx(end * v[0] - (end - pumped) * v[1], rel=1e-8)


def test_depletion_may_grow_after_the_stop() -> None:
    # sdf = 145 d: after 30 d of pumping the worst is still to come, where F' is the same at both ends:
    # F' ~ t^-3/2 exp(-sdf/4t).
    when, most = largest_depletion_after([0.0, 30.0], [1000.0, 0.0], glover)
    sdf = float(stream_depletion_factor_d(172.8, 0.1, 500.0))
    slope = [t**-1.5 * np.exp(-sdf / (4 * t)) for t in (30.0 + when, when)]
    assert slope[0] == pytest.approx(slope[1], rel=0.03)
    assert most > 1.4 * 1000.0 * float(glover(np.array(30.0)))


def test_the_date_of_recovery_is_where_the_depletion_crosses_for_good() -> None:
    schedule = [0.0, 30.0, 60.0, 90.0], [1000.0, 0.0, 500.0, 0.0]
    found = recovery_time_d(*schedule, glover, 20.0)
    at = depletion_after_m3_per_d(*schedule, glover, [found, found * 1.001, found * 0.999])
    assert at[0] == pytest.approx(20.0, rel=1e-6)
    assert at[1] < 20.0 < at[2]
    assert (depletion_after_m3_per_d(*schedule, glover, np.geomspace(found * 1.001, 1e7, 300)) < 20.0).all()


def test_recovery_is_late_and_as_a_power_of_time() -> None:
    # F = 1 - sqrt(sdf/(pi t)) late, so that Q t_p sqrt(sdf/pi) / (2 t^1.5) is left.
    days = recovery_time_d([0.0, 10.0], [1000.0, 0.0], glover, 1e-3)
    sdf = float(stream_depletion_factor_d(172.8, 0.1, 500.0))
    assert days == pytest.approx((1000.0 * 10.0 * np.sqrt(sdf / np.pi) / 2 / 1e-3) ** (2 / 3), rel=2e-3)


def test_a_depletion_that_never_exceeds_the_threshold_has_recovered_at_the_stop() -> None:
    assert recovery_time_d([0.0, 1.0], [1.0, 0.0], glover, 500.0) == 0.0
    assert recovery_time_d([0.0, 1.0], [0.0, 0.0], glover, 500.0) == 0.0


def test_the_stop_is_where_the_pump_stops_and_not_where_the_record_ends() -> None:
    longer = recovery_time_d([0.0, 30.0, 60.0], [1000.0, 0.0, 0.0], glover, 20.0)
    assert longer == pytest.approx(recovery_time_d([0.0, 30.0], [1000.0, 0.0], glover, 20.0), rel=1e-9)


# -------------------------------------------------------------------- an independent model of the layers


def _layers_by_finite_volumes(t: float, upper: tuple[float, float], lower: tuple[float, float], k: float) -> float:
    """q/Q of two layers integrated along the stream, in finite volumes across it: s(t) = A^-1 (exp(A t) - 1) b.

    The stream drains the upper layer where it conducts; with no transmissivity there, the lower one.
    """
    fine = np.arange(-150.0, 250.1, 5.0)
    far = np.cumsum(5.0 * 1.12 ** np.arange(1, 58))
    x = np.concatenate([-150 - far[::-1], fine, 250 + far])
    n, gaps = x.size, np.diff(x)
    cells = np.concatenate([[gaps[0] / 2], (gaps[1:] + gaps[:-1]) / 2, [gaps[-1] / 2]])
    matrix = np.zeros((2 * n, 2 * n))
    for layer, (transmissivity, storage) in enumerate((upper, lower)):
        for i, gap in enumerate(gaps + 0.0):
            a, b = layer * n + i, layer * n + i + 1
            for here, there, cell in ((a, b, cells[i]), (b, a, cells[i + 1])):
                matrix[here, here] -= transmissivity / gap / (storage * cell)
                matrix[here, there] += transmissivity / gap / (storage * cell)
        for i in range(n):
            here, other = layer * n + i, (1 - layer) * n + i
            matrix[here, here] -= k / storage
            matrix[here, other] += k / storage
    stream, well = int(np.argmin(abs(x))), int(np.argmin(abs(x - D)))
    drained = stream + (0 if upper[0] > 0 else n)
    storage = upper[1] if upper[0] > 0 else lower[1]
    matrix[drained, drained] -= LAM / (storage * cells[stream])
    source = np.zeros(2 * n)
    source[n + well] = 1 / (lower[1] * cells[well])
    joined = np.zeros((2 * n + 1, 2 * n + 1))
    joined[:-1, :-1], joined[:-1, -1] = matrix * t, source * t
    return LAM * float(expm(joined)[drained, -1])


@pytest.mark.parametrize("days", [1.0, 30.0, 1000.0])
def test_hunt_2003_against_finite_volumes(days: float) -> None:
    found = float(hunt2003_depletion_fraction(T, S, D, LAM, K, SIGMA, days))
    assert found == pytest.approx(_layers_by_finite_volumes(days, (0.0, SIGMA), (T, S), K), rel=4e-3)


@pytest.mark.parametrize("days", [1.0, 30.0, 1000.0])
def test_ward_and_lough_against_finite_volumes(days: float) -> None:
    found = float(ward_lough_depletion_fraction(LAYERS, D, LAM, days))
    assert found == pytest.approx(_layers_by_finite_volumes(days, (86.4, 0.1), (T, S), K), rel=4e-3)


# ------------------------------------------------------------------------------------------- the limits


def test_no_aquitard_leakage_is_hunt_1999() -> None:
    found = hunt2003_depletion_fraction(T, S, D, LAM, 0.0, SIGMA, TIMES)
    np.testing.assert_allclose(found, hunt_depletion_fraction(T, S, D, LAM, TIMES), rtol=1e-9)
    volume = hunt2003_volume_fraction(T, S, D, LAM, 0.0, SIGMA, TIMES)
    np.testing.assert_allclose(volume, hunt_volume_fraction(T, S, D, LAM, TIMES), rtol=1e-8)


def test_an_open_aquitard_adds_its_yield_to_the_storage() -> None:
    found = hunt2003_depletion_fraction(T, S, D, LAM, 1e9, SIGMA, TIMES)
    np.testing.assert_allclose(found, hunt_depletion_fraction(T, S + SIGMA, D, LAM, TIMES), rtol=1e-6, atol=1e-11)


def test_an_aquitard_that_yields_nothing_is_none() -> None:
    found = hunt2003_depletion_fraction(T, S, D, LAM, K, 1e-14, TIMES)
    np.testing.assert_allclose(found, hunt_depletion_fraction(T, S, D, LAM, TIMES), rtol=1e-8)


def test_two_aquifers_wide_open_to_each_other_are_one() -> None:
    one = hunt_depletion_fraction(T + 86.4, S + 0.1, D, LAM, TIMES)
    found = ward_lough_depletion_fraction(TwoLayers(86.4, 0.1, T, S, 1e7), D, LAM, TIMES)
    np.testing.assert_allclose(found, one, rtol=1e-4, atol=1e-10)


def test_two_aquifers_apart_share_nothing() -> None:
    assert (ward_lough_depletion_fraction(TwoLayers(86.4, 0.1, T, S, 0.0), D, LAM, TIMES) == 0).all()


def test_two_equal_aquifers_have_equal_eigenvalues_nearly() -> None:
    near = [
        float(ward_lough_depletion_fraction(TwoLayers(T, S, T * f, S * f, 1e-9), D, LAM, 30.0)) for f in (1, 1 + 1e-7)
    ]
    assert near[0] == pytest.approx(near[1], rel=1e-6)
    assert near[0] > 0


@given(st.floats(-6, 2), st.floats(-6, 1), st.floats(-3, 0), st.floats(0, 3.5), st.floats(-2, 5))
def test_a_share_is_a_share(log_bed: float, log_k: float, log_sigma: float, log_d: float, log_t: float) -> None:
    bed, k, sigma, d, t = 10**log_bed, 10**log_k, 10**log_sigma, 10**log_d, 10**log_t
    for rate, volume in (
        (hunt2003_depletion_fraction(T, S, d, bed, k, sigma, t), hunt2003_volume_fraction(T, S, d, bed, k, sigma, t)),
        (
            ward_lough_depletion_fraction(TwoLayers(86.4, sigma, T, S, k), d, bed, t),
            ward_lough_volume_fraction(TwoLayers(86.4, sigma, T, S, k), d, bed, t),
        ),
    ):
        assert -1e-12 <= float(volume) <= float(rate) + 1e-12 <= 1 + 2e-12


@pytest.mark.parametrize("days", [3.0, 300.0])
def test_the_volumes_of_the_layered_streams_are_their_rates_summed(days: float) -> None:
    rates = (
        lambda t: hunt2003_depletion_fraction(T, S, D, LAM, K, SIGMA, t),
        lambda t: ward_lough_depletion_fraction(LAYERS, D, LAM, t),
    )
    volumes = hunt2003_volume_fraction(T, S, D, LAM, K, SIGMA, days), ward_lough_volume_fraction(LAYERS, D, LAM, days)
    for rate, volume in zip(rates, volumes, strict=True):
        summed = quad(lambda t, rate=rate: float(rate(t)), 0, days, epsrel=1e-9, limit=200)[0] / days
        assert float(volume) == pytest.approx(summed, rel=1e-6)


def test_nothing_before_pumping_and_arrays_as_scalars() -> None:
    assert hunt2003_depletion_fraction(T, S, D, LAM, K, SIGMA, [-1.0, 0.0]).tolist() == [0.0, 0.0]
    assert ward_lough_depletion_fraction(LAYERS, D, LAM, [-1.0, 0.0]).tolist() == [0.0, 0.0]
    distances = np.array([[10.0], [500.0]])
    grid = hunt2003_depletion_fraction(T, S, distances, LAM, K, SIGMA, TIMES)
    assert grid.shape == (2, 5)
    one = float(hunt2003_depletion_fraction(T, S, 500.0, LAM, K, SIGMA, TIMES[2]))
    assert float(grid[1, 2]) == pytest.approx(one, rel=1e-14)


@pytest.mark.parametrize(
    ("key", "call"),
    [
        ("transmissivity_m2_per_d", lambda: glover_depletion_fraction(0.0, S, D, 1.0)),
        ("distance_m", lambda: glover_volume_fraction(T, S, -1.0, 1.0)),
        ("retardation_m", lambda: hantush_depletion_fraction(T, S, D, -1.0, 1.0)),
        ("leakance_per_d", lambda: hunt2003_depletion_fraction(T, S, D, LAM, -1.0, SIGMA, 1.0)),
        ("aquitard_specific_yield", lambda: hunt2003_depletion_fraction(T, S, D, LAM, K, 0.0, 1.0)),
        ("streambed_conductance_m_per_d", lambda: hunt2003_volume_fraction(T, S, D, np.nan, K, SIGMA, 1.0)),
        ("time_d", lambda: hunt2003_volume_fraction(T, S, D, LAM, K, SIGMA, np.nan)),
        ("upper_storativity", lambda: TwoLayers(T, 0.0, T, S, K)),
        ("leakance_per_d", lambda: TwoLayers(T, S, T, S, -K)),
        ("distance_m", lambda: ward_lough_depletion_fraction(LAYERS, -1.0, LAM, 1.0)),
        ("pumped_d", lambda: residual_fraction(glover, -1.0, 1.0)),
        ("since_stop_d", lambda: residual_fraction(glover, 1.0, -1.0)),
        ("rates", lambda: recovery_time_d([0.0, 1.0], [0.0, 1.0], glover, 1.0)),
        ("rates", lambda: recovery_time_d([], [], glover, 1.0)),
        ("threshold_m3_per_d", lambda: recovery_time_d([0.0, 1.0], [1.0, 0.0], glover, 0.0)),
        ("threshold_m3_per_d", lambda: recovery_time_d([0.0, 1e9], [1e9, 0.0], glover, 1e-9)),
    ],
)
def test_a_refusal_names_the_key_and_what_is_allowed(key, call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadQuestion) as refusal:
        call()
    assert refusal.value.key == key
    assert refusal.value.allowed
