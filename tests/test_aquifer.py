"""Theis, Hunt 1999 and superposition: their limits, and conservation of water (the table is test_aquifer_reference)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import erfc

from models.aquifer.hunt import hunt_depletion_fraction, hunt_drawdown, hunt_volume_fraction
from models.aquifer.superposition import step_changes, superpose
from models.aquifer.theis import theis_drawdown, theis_drawdown_ft, well_function
from models.errors import BadQuestion

STREAM = {"transmissivity": 1e-3, "storativity": 0.2, "distance": 100.0, "streambed_conductance": 1e-5}


def test_feet_and_days():
    # 250 gpm for 30 d, by hand: u = 0.0025, W(u) = 5.4167.
    drawdown = theis_drawdown_ft(48_125, 5000, 3e-3, 100 * np.sqrt(5000 * 4 * 30 * 0.0025 / 30), 30)
    assert drawdown == pytest.approx(48_125 / (4 * np.pi * 5000) * well_function(0.0025))


def test_without_a_streambed_hunt_is_theis_to_the_last_bit():
    x, y = np.meshgrid(np.linspace(-300, 300, 7), np.linspace(-200, 200, 4))
    hunted = hunt_drawdown(0.01, 1e-3, 0.2, 33.0, 0.0, x, y, 1e7)
    assert (hunted == theis_drawdown(0.01, 1e-3, 0.2, np.hypot(x - 33.0, y), 1e7)).all()


def test_a_faint_streambed_tends_to_theis():
    hunted = hunt_drawdown(0.01, 1e-3, 0.2, 100.0, 1e-16, 50.0, 20.0, 1e7)
    assert hunted == pytest.approx(theis_drawdown(0.01, 1e-3, 0.2, np.hypot(50, 20), 1e7), rel=1e-10)


def test_an_open_streambed_tends_to_glover():
    share = hunt_depletion_fraction(1e-3, 0.2, 100.0, 1e9, 1e7)
    assert share == pytest.approx(erfc(np.sqrt(0.2 * 100.0**2 / (4 * 1e-3 * 1e7))), rel=1e-9)


def test_depletion_is_the_leakage_along_the_stream():
    def leakage(y):
        return 1e-5 * float(hunt_drawdown(1.0, x=0.0, y=y, time=1e7, **STREAM))

    share = 2 * quad(leakage, 0, 5000, points=[100, 500], epsabs=1e-9, limit=200)[0]
    assert share == pytest.approx(float(hunt_depletion_fraction(time=1e7, **STREAM)), rel=1e-7)


@pytest.mark.parametrize("conductance", [1e-9, 1e-6, 1e-4, 1e-1])
def test_volume_is_the_integral_of_the_rate(conductance):
    share = {**STREAM, "streambed_conductance": conductance}
    mean = quad(lambda t: float(hunt_depletion_fraction(time=t, **share)), 0, 1e7, epsabs=0, epsrel=1e-10)[0] / 1e7
    assert hunt_volume_fraction(time=1e7, **share) == pytest.approx(mean, rel=1e-7)


@pytest.mark.parametrize("time", [0.0, -1.0])
def test_nothing_before_pumping(time):
    assert theis_drawdown(1.0, 1e-3, 0.2, 10.0, time) == 0
    assert hunt_depletion_fraction(time=time, **STREAM) == 0
    assert hunt_volume_fraction(time=time, **STREAM) == 0
    assert hunt_drawdown(1.0, x=5.0, y=0.0, time=time, **STREAM) == 0


@pytest.mark.parametrize("call", [lambda t: hunt_depletion_fraction(time=t, **STREAM)])
def test_arrays_equal_scalars(call):
    times = np.array([[-1.0, 0.0, 1e5], [1e6, 1e7, 1e9]])
    assert (call(times) == [[call(t) for t in row] for row in times]).all()


def test_drawdown_arrays_equal_scalars():
    x = np.array([[-50.0, 0.0, 50.0], [99.0, 101.0, 300.0]])
    one = np.vectorize(lambda x: float(hunt_drawdown(0.01, x=x, y=1.0, time=1e6, **STREAM)))
    assert hunt_drawdown(0.01, x=x, y=1.0, time=1e6, **STREAM) == pytest.approx(one(x), rel=1e-14)


@pytest.mark.parametrize(
    ("key", "call"),
    [
        ("distance", lambda: theis_drawdown(1.0, 1.0, 0.1, 0.0, 1.0)),
        ("distance", lambda: theis_drawdown(1.0, 1.0, 0.1, -2.0, 1.0)),
        ("transmissivity", lambda: theis_drawdown(1.0, 0.0, 0.1, 1.0, 1.0)),
        ("storativity", lambda: theis_drawdown(1.0, 1.0, [0.1, -0.1], 1.0, 1.0)),
        ("rate", lambda: theis_drawdown(np.nan, 1.0, 0.1, 1.0, 1.0)),
        ("time", lambda: theis_drawdown(1.0, 1.0, 0.1, 1.0, np.inf)),
        ("u", lambda: well_function(-1.0)),
        ("distance", lambda: hunt_depletion_fraction(1.0, 0.1, -1.0, 1.0, 1.0)),
        ("streambed_conductance", lambda: hunt_drawdown(1.0, 1.0, 0.1, 1.0, -1.0, 0.0, 0.0, 1.0)),
        ("x, y", lambda: hunt_drawdown(1.0, 1.0, 0.1, 5.0, 1.0, 5.0, 0.0, 1.0)),
        ("day_numbers", lambda: step_changes([1, 1], [1, 2])),
        ("rates", lambda: step_changes([1, 2], [1])),
    ],
)
def test_a_refusal_names_the_key_and_what_is_allowed(key, call):
    with pytest.raises(BadQuestion) as refusal:
        call()
    assert refusal.value.key == key
    assert refusal.value.allowed


def test_the_first_day_pumps():
    days, changes = step_changes([1, 2, 3], [100.0, 100.0, 0.0])
    assert days.tolist() == [1, 3]
    assert changes.tolist() == [100, -100]
    on_day_one = superpose([0, 1], [100.0, 0.0], [1.0, 2.0], lambda t: t)
    assert on_day_one.tolist() == [100.0, 100.0]


def test_a_long_schedule_in_blocks_equals_the_plain_sum():
    rates = np.random.default_rng(7).uniform(0, 1, 1500)
    at = np.arange(1500) + 0.5
    plain = [np.sum(np.diff(rates, prepend=0)[: k + 1] * np.sqrt(at[k] - np.arange(k + 1))) for k in range(1500)]
    assert superpose(np.arange(1500), rates, at, np.sqrt) == pytest.approx(np.array(plain), rel=1e-9)


def test_an_idle_schedule_answers_zero():
    assert superpose([0.0], [0.0], [[1.0, 2.0]], np.sqrt).tolist() == [[0.0, 0.0]]


@given(st.lists(st.floats(0, 1e3), min_size=1, max_size=40))
def test_no_water_vanishes(rates):
    """With F(t) = t the response is the volume pumped: each day's water, the first and the last included."""
    pumped = superpose(range(len(rates) + 1), [*rates, 0.0], float(len(rates)), lambda t: t)
    assert float(pumped) == pytest.approx(sum(rates), rel=1e-9, abs=1e-9)


@given(st.floats(-8, 3), st.floats(0, 4), st.floats(1, 10))
def test_the_stream_never_gives_more_than_is_pumped(log_conductance, log_distance, log_time):
    arguments = 1e-3, 0.2, 10**log_distance, 10**log_conductance, 10**log_time
    rate, volume = float(hunt_depletion_fraction(*arguments)), float(hunt_volume_fraction(*arguments))
    assert -1e-15 <= volume <= rate + 1e-12 <= 1 + 2e-12
