"""Half a mile: at the line, a foot to either side, and a position nobody has surveyed."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.place import boundary_to_line, boundary_to_parcel, boundary_to_point, inside, stream_frame

SQUARE = [(0.0, 0.0), (5280.0, 0.0), (5280.0, 5280.0), (0.0, 5280.0)]
HALF = Decimal("0.5")


@pytest.mark.parametrize(
    ("x", "accuracy", "within", "why"),
    [
        (-2640.0, 0.0, "inside", "exactly at the line is within"),
        (-2639.9, 0.0, "inside", "just inside"),
        (-2640.1, 0.0, "outside", "just outside"),
        (-2630.0, 10.0, "inside", "the ring touches the line from inside"),
        (-2630.0, 10.1, "uncertain", "the ring crosses the line from inside"),
        (-2650.0, 11.0, "uncertain", "the ring crosses the line from outside"),
        (-2650.0, 9.9, "outside", "the ring stays outside"),
        (-2640.0, 1.0, "uncertain", "at the line, but nobody knows exactly"),
        (100.0, 0.0, "inside", "on the site"),
    ],
)
def test_well(x: float, accuracy: float, within: str, why: str) -> None:
    near = boundary_to_point(SQUARE, (x, 2640.0), accuracy, HALF)
    assert near.within == within, why
    assert near.counts is (within != "outside")
    assert near.distance_ft == pytest.approx(max(-x, 0))


def test_corner_distance_is_along_the_diagonal() -> None:
    """A 3-4-5 triangle: 1584 and 2112 feet off the corner is 2640 feet away."""
    assert boundary_to_point(SQUARE, (-1584.0, -2112.0), 0.0, HALF).within == "inside"
    assert boundary_to_point(SQUARE, (-1584.0, -2113.0), 0.0, HALF).within == "outside"


def test_nearest_part_of_a_water_and_of_a_parcel_decides() -> None:
    """The far end of a stream, or of a parcel, may lie anywhere."""
    assert boundary_to_line(SQUARE, [(5280 + 90000.0, 0.0), (5280 + 2640.0, 0.0)], HALF).within == "inside"
    assert boundary_to_line(SQUARE, [(5280 + 90000.0, 0.0), (5280 + 2640.5, 0.0)], HALF).within == "outside"
    assert boundary_to_line(SQUARE, [(-100.0, 9000.0), (100.0, -9000.0)], HALF).distance_ft == 0
    parcel = [(-9000.0, 0.0), (-2640.0, 100.0), (-9000.0, 200.0)]
    assert boundary_to_parcel(SQUARE, parcel, HALF).within == "inside"


def test_the_edge_belongs_to_the_site() -> None:
    assert inside(SQUARE, (0.0, 100.0))
    assert not inside(SQUARE, (-0.001, 100.0))


@given(st.floats(0, 6000), st.floats(0, 3000))
def test_a_better_survey_never_flips_a_certain_answer(distance: float, accuracy: float) -> None:
    """Whatever the true place within the ring, a certain answer is the true one."""
    near = boundary_to_point(SQUARE, (-distance, 2640.0), accuracy, HALF)
    for true in (max(distance - accuracy, 0.0), distance, distance + accuracy):
        if near.within == "inside":
            assert true <= 2640 + 1e-6
        elif near.within == "outside":
            assert true > 2640 - 1e-6 or true == 0.0


def test_frame_of_a_well_beside_a_straight_stream() -> None:
    distance, foot, toward = stream_frame([(300.0, -1000.0), (300.0, 1000.0)], (0.0, 50.0))
    assert distance == 300
    assert foot == pytest.approx((300.0, 50.0))
    assert toward == pytest.approx((-1.0, 0.0))
