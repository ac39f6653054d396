"""What of a household a free text gives away, in the spellings people use."""

from __future__ import annotations

from decimal import Decimal

import pytest

from models.household import Household, Households, PrivatePosition
from models.privacy import private_part

HOMES = Households(
    household=(
        Household(
            property="R-1", owner="Anna Maria van der Berg", phone="715-555-0101", address="N100 County Road M, Howard"
        ),
        Household(property="R-2", owner="Example Owner Two", occupant="Bo Ek"),
    ),
    well=(PrivatePosition(well="PVT-1", position=(158620.0, 164050.0), position_accuracy_ft=Decimal(10)),),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("told Anna Maria van der Berg", "name"),
        ("van der Berg, Anna Maria", "name"),
        ("Ms. van der Berg called", "name"),
        ("anna berg", "name"),
        ("EXAMPLE OWNER TWO", "name"),
        ("Owner Two, example", "name"),
        ("Mr Ek", "name"),
        ("call 715 555 0101", "phone"),
        ("555-0101", "phone"),
        ("at N100 County Road M", "address"),
        ("at 100N Cty Rd M", "address"),
        ("N 100 county rd. m", "address"),
        ("PVT-1 stands at 158620.0, 164050.0", "position"),
        ("x 158620 y 164050", "position"),
    ],
)
def test_what_names_a_household_is_seen(text: str, found: str) -> None:
    assert private_part(text, HOMES) == found


@pytest.mark.parametrize(
    "text",
    [
        "", "the owner called twice", "County Road M is closed", "bond 17 of 2025-08-11", "158620.0 ft of pipe",
        "well PVT-1 of R-1", "Anna came", "resolution 715-2025",
    ],
)  # fmt: skip
def test_what_names_nobody_is_let_through(text: str) -> None:
    assert private_part(text, HOMES) is None


def test_no_household_no_secret() -> None:
    assert private_part("Anna van der Berg", Households()) is None
