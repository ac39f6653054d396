"""An estimate gives way to our own mean of readings that arrive later, and a withdrawn one hides none of them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from tests import test_review_command as command
from tests.town import Town

LATE = ("late.rdb", "2025-08-06", 1, "5.60", "100001")


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """A town after the night of 12 August; the 6th is missing and estimated on the 13th."""
    town = Town(tmp_path / "site")
    town.daily("first.rdb", "2025-08-01", command.GAP)
    town.night("2025-08-12")
    return town


def test_a_mean_of_readings_that_arrive_later_takes_its_place(town: Town) -> None:
    key = command.estimated(town)
    town.night("2025-08-13")
    assert command.value_on(town) == Decimal("4.05")
    town.quarters(*LATE)
    town.night("2025-08-14")
    assert command.value_on(town) == Decimal("5.60")
    command.withdrawn(town, "2025-08-15T09:00", key)
    town.night("2025-08-15")
    assert command.value_on(town) == Decimal("5.60")


def test_after_a_withdrawal_readings_speak_again(town: Town) -> None:
    key = command.estimated(town)
    town.night("2025-08-13")
    command.withdrawn(town, "2025-08-14T09:00", key)
    town.night("2025-08-14")
    assert command.value_on(town) is None
    town.quarters(*LATE)
    town.night("2025-08-15")
    assert command.value_on(town) == Decimal("5.60")
