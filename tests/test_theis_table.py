"""The table of the well function against the series and the continued fraction of E1 in seventy digits."""

import csv
import json
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import exp1

from models.aquifer.theis import theis_drawdown, well_function
from models.aquifer.theis_table import BLOCK, LARGEST, SMALLEST, well_function_by_table

GAMMA = Decimal("0.57721566490153286060651209008240243104215933593992359880576723488486772677766")
TABLE = Path(__file__).parent / "data/reference_values.csv"
W_ROWS = [row for row in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()) if row["solution"] == "theis_W"]
BOUND = 1e-14
"""The relative error that the module states."""

PIECE = 4e-15
"""1.2e-15 of interpolation and a few roundings."""


def exact(u: float) -> Decimal:
    """E1 of a double: Abramowitz & Stegun 5.1.11 below 30, 5.1.22 above."""
    with localcontext() as context:
        context.prec = 70
        x = Decimal(u)
        return _series(x) if x < 30 else _fraction(x)


def _series(x: Decimal) -> Decimal:
    total, term, k = -GAMMA - x.ln(), Decimal(1), 0
    while k < 250:
        k += 1
        term *= -x / k
        total -= term / k
    return total


def _fraction(x: Decimal) -> Decimal:
    rest = Decimal(0)
    for n in range(300, 0, -1):
        rest = n * n / (x + 2 * n + 1 - rest)
    return (-x).exp() / (x + 1 - rest)


def relative_error(u: float) -> float:
    truth = exact(u)
    return float(abs(Decimal(float(well_function_by_table(np.array(u)))) - truth) / truth)


def test_the_truth_itself_joins() -> None:
    with localcontext() as context:
        context.prec = 70
        assert abs(_series(Decimal(30)) / _fraction(Decimal(30)) - 1) < Decimal("1e-25")
    assert str(exact(1.0)).startswith("0.21938393439552027367716377546012164903104729340690")


@settings(deadline=None)
@given(st.floats(-15, np.log10(700)))
def test_within_the_stated_bound_everywhere(power: float) -> None:
    assert relative_error(10**power) < BOUND


@pytest.mark.parametrize("octave", range(-50, 10))
def test_within_the_bound_at_the_edges_and_middles_of_pieces(octave: int) -> None:
    """Where a polynomial is worst (its ends) and where one piece hands over to the next."""
    for piece in (0, 1, 31, 63):
        edge = 2.0**octave * (1 + piece / 64)
        for u in (edge, np.nextafter(edge, 0), edge * (1 + 1 / 130)):
            assert u > 700 or relative_error(float(u)) < PIECE


def test_a_metre_is_right_to_a_hundredth_of_a_nanometre() -> None:
    """Against the library over every piece, for a drawdown of hundreds of metres in the well."""
    u = np.exp(np.linspace(np.log(1e-15), np.log(800), 400_001))
    per_unit = 10.0  # Q / 4 pi T [m]: 340 m where u is 1e-15
    assert np.abs(well_function_by_table(u) - exp1(u)).max() * per_unit < 1e-11


@pytest.mark.parametrize("row", W_ROWS, ids=lambda row: row["case"])
def test_printed_values(row: dict[str, str]) -> None:
    found = float(well_function(json.loads(row["params_json"])["u"]))
    assert found == pytest.approx(float(row["expected"]), rel=1e-14, abs=0)


def test_below_the_table_and_beyond_the_smallest_double() -> None:
    last = np.linspace(700, 740, 4001)
    assert np.abs(well_function_by_table(last) - [float(exact(float(u))) for u in last]).max() < 1e-307
    far = well_function_by_table(np.array([740.0, 800.0, LARGEST, 1e10, 1e300, np.inf]))
    assert (far == 0).all()
    near = np.array([1e-300, 1e-30, SMALLEST / 2, np.nextafter(SMALLEST, 0), SMALLEST])
    assert well_function_by_table(near) == pytest.approx([float(exact(float(u))) for u in near], rel=BOUND, abs=0)
    assert well_function_by_table(np.array([0.0, 1.0]))[0] == np.inf


def test_it_falls_all_the_way() -> None:
    u = np.exp(np.linspace(np.log(1e-16), np.log(700), 200_000))
    assert (np.diff(well_function_by_table(u)) < 0).all()


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 0), (BLOCK,), (BLOCK + 1,), (7, 11), (3, BLOCK)])
def test_any_shape_and_order(shape: tuple[int, ...]) -> None:
    u = np.random.default_rng(5).uniform(1e-3, 5, shape)
    found = well_function_by_table(u)
    assert found.shape == shape
    assert found == pytest.approx(exp1(u), rel=BOUND)
    assert (well_function_by_table(u.T) == found.T).all()


def test_the_argument_is_left_alone() -> None:
    u = np.array([1e-20, 0.5, 900.0])
    before = u.copy()
    well_function_by_table(u)
    assert (u == before).all()


def test_a_whole_map_equals_its_points() -> None:
    distance = np.hypot(*np.meshgrid(np.linspace(-900, 900, 301), np.linspace(1, 900, 97)))
    whole = theis_drawdown(1000.0, 500.0, 0.05, distance, 30.0)
    u = distance**2 * 0.05 / (4 * 500 * 30)
    assert np.abs(whole - 1000 / (4 * np.pi * 500) * exp1(u)).max() < 1e-14
    assert float(theis_drawdown(1000.0, 500.0, 0.05, distance[5, 7], 30.0)) == whole[5, 7]


def test_before_pumping_the_well_itself_is_dry_of_drawdown() -> None:
    assert theis_drawdown([0.0, 5.0], 500.0, 0.05, [0.0, 0.0], [-1.0, 0.0]).tolist() == [0, 0]


def test_an_instant_too_early_for_any_double_is_no_drawdown() -> None:
    assert theis_drawdown(1.0, 500.0, 0.05, [10.0, 1e200], [1e-310, 1.0]).tolist() == [0, 0]
