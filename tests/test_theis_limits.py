"""Theis's kin: the straight line and its error, recovery, steady flow, radii of influence, and the worked cases."""

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

from models.aquifer.cooper_jacob import cooper_jacob_drawdown, cooper_jacob_error, cooper_jacob_valid_from_d
from models.aquifer.influence import cooper_jacob_radius_m, kusakin_radius_m, sichardt_radius_m
from models.aquifer.recovery import cooper_jacob_recovery, residual_drawdown
from models.aquifer.steady import dupuit_head_m, dupuit_inflow_m3_per_d, thiem_drawdown
from models.aquifer.superposition import superpose
from models.aquifer.theis import theis_drawdown
from models.aquifer.unconfined import unconfined_drawdown_m
from models.errors import BadQuestion
from models.units import factor

SHARED = Path(__file__).parents[2] / "shared"
TESTS = SHARED / "hydro/pumping_tests"
CASES = Path(__file__).parent / "data/cases"
T, S = 432.0, 2e-4
GPM = float(factor("gpm", "ft3/d"))
needs_tests = pytest.mark.skipif(not TESTS.is_dir(), reason="../shared is absent")


def _case(name: str, file: str) -> str:
    return (CASES / name / file).read_text(encoding="utf-8")


def _checks(name: str) -> dict[str, tuple[float, float]]:
    return {c["name"]: (c["value"], c["tolerance"]) for c in json.loads(_case(name, "expected.json"))["checks"]}


def test_units_are_turned_once_into_the_models_own() -> None:
    """PUMP-01."""
    given_, expected = json.loads(_case("PUMP-01", "input.json")), _checks("PUMP-01")
    rate = given_["well"]["rate"] * GPM
    t_ft2_d, s = given_["aquifer"]["transmissivity"], given_["aquifer"]["storativity"]
    r, t = given_["observation"]["r"], given_["time"]["value"]
    foot = float(factor("ft", "m"))
    drawdown_ft = float(theis_drawdown(rate, t_ft2_d, s, r, t))
    drawdown_m = float(theis_drawdown(rate * foot**3, t_ft2_d * foot**2, s, r * foot, t))
    found = {
        "rate ft3/d": rate,
        "u": r**2 * s / (4 * t_ft2_d * t),
        "drawdown ft": drawdown_ft,
        "drawdown m": drawdown_m,
    }
    assert found == {name: pytest.approx(value, abs=tolerance) for name, (value, tolerance) in expected.items()}


def test_a_pump_that_is_switched_off_stops() -> None:
    """PUMP-02."""
    aquifer, expected = json.loads(_case("PUMP-02", "aquifer.json")), _checks("PUMP-02")
    periods = list(csv.DictReader(_case("PUMP-02", "schedule.csv").splitlines()))
    rates = [float(p["rate_gpm"]) * GPM for p in periods]
    days = [float(p["start_day"]) for p in periods]
    ends = [float(p["end_day"]) for p in periods]

    def response(t: np.ndarray) -> np.ndarray:
        return theis_drawdown(1.0, aquifer["T_ft2_d"], aquifer["S"], aquifer["r_ft"], t)

    end_30, end_60 = superpose(days, rates, ends, response)
    left = residual_drawdown(rates[0], aquifer["T_ft2_d"], aquifer["S"], aquifer["r_ft"], 30.0, 30.0)
    value, tolerance = expected["drawdown ft day 60 (recovery)"]
    assert end_30 == pytest.approx(expected["drawdown ft day 30"][0], abs=tolerance)
    assert end_60 == pytest.approx(value, abs=tolerance)
    assert float(left) == pytest.approx(value, abs=tolerance)
    assert [-rate for rate in rates] == pytest.approx(expected["simulated rate ft3/d per period"][0], abs=0.5)


@pytest.mark.parametrize(("error", "u"), [(0.01, 0.0298), (0.02, 0.0500), (0.05, 0.0954), (0.10, 0.1514)])
def test_the_straight_line_is_as_wrong_as_it_says(error: float, u: float) -> None:
    start = float(cooper_jacob_valid_from_d(T, S, 100.0, error))
    exact = float(theis_drawdown(1.0, T, S, 100.0, start))
    assert float(cooper_jacob_drawdown(1.0, T, S, 100.0, start)) / exact - 1 == pytest.approx(-error, rel=1e-6)
    assert 100.0**2 * S / (4 * T * start) == pytest.approx(u, rel=5e-3)


@given(st.floats(-12, 1))
def test_the_straight_line_is_never_above_theis(log_u: float) -> None:
    assert float(cooper_jacob_error(10**log_u)) <= 1e-14


@given(st.floats(-3, 4), st.floats(-3, 4))
def test_recovery_is_pumping_less_as_much_later(log_pumped: float, log_after: float) -> None:
    pumped, after = 10**log_pumped, 10**log_after
    found = float(residual_drawdown(800.0, T, S, 60.0, pumped, after))
    both = theis_drawdown(800.0, T, S, 60.0, pumped + after) - theis_drawdown(800.0, T, S, 60.0, after)
    assert found == pytest.approx(float(both), rel=1e-6, abs=1e-13)


def test_a_long_recovery_keeps_its_digits() -> None:
    # Late W(u) - W(u') is ln((t_p + t')/t') to the first order in u.
    found = residual_drawdown(800.0, T, S, 60.0, 1.0, [1e6, 1e9, 1e12])
    wanted = 800.0 / (4 * np.pi * T) / np.array([1e6, 1e9, 1e12])
    np.testing.assert_allclose(found, wanted, rtol=2e-6)
    np.testing.assert_allclose(found, cooper_jacob_recovery(800.0, T, 1.0, [1e6, 1e9, 1e12]), rtol=1e-6)


@pytest.mark.parametrize("u", [1e-6, 0.5, 30.0, 300.0])
@pytest.mark.parametrize("ratio", [1.000001, 1.3, 3.0])
def test_recovery_far_away_keeps_its_digits_too(u: float, ratio: float) -> None:
    # u at the end of pumping plus recovery, u' = ratio u: t_p / t' = ratio - 1, and 4 pi T s'/Q is int exp(-y)/y dy.
    after = 60.0**2 * S / (4 * T * u * ratio)
    found = float(residual_drawdown(4 * np.pi * T, T, S, 60.0, (ratio - 1) * after, after))
    wanted = quad(lambda y: np.exp(u - y) / y, u, ratio * u, epsabs=0, epsrel=1e-11, points=[min(u + 5, ratio * u)])[0]
    assert found == pytest.approx(wanted * np.exp(-u), rel=1e-8)


def test_recovery_at_the_stop_and_of_no_pumping() -> None:
    assert float(residual_drawdown(800.0, T, S, 60.0, 2.0, 0.0)) == pytest.approx(
        float(theis_drawdown(800.0, T, S, 60.0, 2.0)), rel=1e-15
    )
    assert float(residual_drawdown(800.0, T, S, 60.0, 0.0, 5.0)) == 0.0


def test_the_cone_holds_what_was_pumped() -> None:
    def ring(r: float) -> float:
        return 2 * np.pi * r * S * float(residual_drawdown(800.0, T, S, r, 2.0, 3.0))

    edges = [0.01, 100, 3000, 30_000, 80_000]
    volume = sum(quad(ring, *pair, epsrel=1e-9, limit=200)[0] for pair in itertools.pairwise(edges))
    assert volume == pytest.approx(800.0 * 2.0, rel=1e-6)


def test_two_half_wells_are_one() -> None:
    t = np.array([-1.0, 0.0, 1.0, 100.0])
    half = theis_drawdown(400.0, T, S, 60.0, t)
    np.testing.assert_allclose(half + half, theis_drawdown(800.0, T, S, 60.0, t), rtol=1e-15)


def test_steady_flow_by_hand() -> None:
    # Thiem: 628.3185.. m3/d, T = 100 m2/d, R/r = e: s = 1 m. Dupuit: K = 10 m/d, ln 2, H^2 - h^2 = 100 - 36.
    assert float(thiem_drawdown(200 * np.pi, 100.0, 10.0, 10.0 * np.e)) == pytest.approx(1.0, rel=1e-14)
    inflow = float(dupuit_inflow_m3_per_d(10.0, 10.0, 6.0, 50.0, 100.0))
    assert inflow == pytest.approx(640 * np.pi / np.log(2), rel=1e-14)
    assert float(dupuit_head_m(inflow, 10.0, 10.0, 50.0, 100.0)) == pytest.approx(6.0, rel=1e-13)


def test_steady_flow_at_its_outer_radius() -> None:
    assert float(thiem_drawdown(9.0, 100.0, 70.0, 70.0)) == 0.0
    assert float(dupuit_head_m(9.0, 1.0, 10.0, 70.0, 70.0)) == 10.0


def test_dupuit_is_thiem_corrected_after_jacob() -> None:
    """Two theories of one thing: h^2 is linear, so Dupuit's head is Thiem's drawdown with T = K H turned back."""
    r = np.geomspace(5, 600, 9)
    confined = thiem_drawdown(500.0, 8.64 * 20.0, r, 600.0)
    np.testing.assert_allclose(20 - unconfined_drawdown_m(confined, 20.0), dupuit_head_m(500.0, 8.64, 20.0, r, 600.0))


def test_a_well_that_is_pumped_dry_is_refused_and_the_most_is_named() -> None:
    with pytest.raises(BadQuestion, match="dry") as refusal:
        dupuit_head_m(1e4, 8.64, 20.0, 0.5, 600.0)
    most = float(str(refusal.value.allowed).split()[-1].strip("',)"))
    assert float(dupuit_head_m(most * (1 - 1e-5), 8.64, 20.0, 0.5, 600.0)) < 0.2


def test_three_radii_that_do_not_agree() -> None:
    k = 1e-4 * 86400  # K = 1e-4 m/s, b = 20 m, S = 0.1, s = 8 m, a year
    assert float(sichardt_radius_m(8.0, k)) == pytest.approx(240, rel=1e-12)
    assert float(kusakin_radius_m(8.0, 20.0, k)) == pytest.approx(206, abs=0.5)
    assert float(cooper_jacob_radius_m(20 * k, 0.1, 365.25)) == pytest.approx(1192, abs=0.5)
    assert float(cooper_jacob_drawdown(1.0, 20 * k, 0.1, cooper_jacob_radius_m(20 * k, 0.1, 9.0), 9.0)) < 2e-6


@pytest.mark.parametrize(
    ("key", "call"),
    [
        ("time_d", lambda: cooper_jacob_drawdown(1.0, T, S, 1.0, 0.0)),
        ("u", lambda: cooper_jacob_error(0.0)),
        ("u", lambda: cooper_jacob_error(800.0)),
        ("error", lambda: cooper_jacob_valid_from_d(T, S, 1.0, 1.5)),
        ("since_stop_d", lambda: residual_drawdown(1.0, T, S, 1.0, 1.0, -1.0)),
        ("pumped_d", lambda: residual_drawdown(1.0, T, S, 1.0, -1.0, 1.0)),
        ("distance_m", lambda: residual_drawdown(1.0, T, S, 0.0, 1.0, 1.0)),
        ("distance_m", lambda: thiem_drawdown(1.0, T, 700.0, 600.0)),
        ("distance_m", lambda: dupuit_inflow_m3_per_d(1.0, 10.0, 5.0, 600.0, 600.0)),
        ("inner_head_m", lambda: dupuit_inflow_m3_per_d(1.0, 10.0, -5.0, 60.0, 600.0)),
        ("drawdown_m", lambda: sichardt_radius_m(-1.0, 1.0)),
        ("thickness_m", lambda: kusakin_radius_m(1.0, 0.0, 1.0)),
        ("time_d", lambda: cooper_jacob_radius_m(T, S, -1.0)),
    ],
)
def test_a_refusal_names_the_key_and_what_is_allowed(key, call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadQuestion) as refusal:
        call()
    assert refusal.value.key == key
    assert refusal.value.allowed


def _pumping_test(name: str) -> tuple[dict, np.ndarray, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    with (TESTS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = [(float(r["r_m"]), float(r["t_s"]) / 86400, float(r["s_m"])) for r in csv.DictReader(file)]
    r, t, s = np.array(rows).T
    return json.loads((TESTS / f"{name}.json").read_text(encoding="utf-8")), r, t, s


@needs_tests
def test_the_printed_parameters_reproduce_the_test_at_oude_korendijk() -> None:
    about, r, t, measured = _pumping_test("oude_korendijk")
    printed = about["published"][1]
    modelled = theis_drawdown(about["Q_m3s"] * 86400, printed["T_m2d"], printed["S"], r, t)
    assert np.sqrt(np.mean((modelled - measured) ** 2)) == pytest.approx(printed["rmse_m"], abs=5e-6)


@needs_tests
def test_the_printed_transmissivity_reproduces_todds_recovery() -> None:
    about, r, t, recovered = _pumping_test("todd_recovery")
    q, pumped, stored = about["Q_m3s"] * 86400, about["t_pump_s"] / 86400, 1.911e-4
    # The column is the drawdown at the stop less what is left of it.
    modelled = theis_drawdown(q, 1140.0, stored, r, pumped) - residual_drawdown(q, 1140.0, stored, r, pumped, t)
    assert np.sqrt(np.mean((modelled - recovered) ** 2)) < 0.0115  # 0.0109 at the best fit, 1,143 m2/d
