from __future__ import annotations
from decimal import Decimal
from pathlib import Path
import pytest
from pipelines import review_acts
from tests.test_review_command import town, estimated, withdrawn, value_on
def test_a_mean_of_readings_that_arrive_later_takes_its_place(town):
    key = estimated(town)
    town.night("2025-08-13")
    town.quarters("late.rdb", "2025-08-06", 1, "5.60", "100001")
    town.night("2025-08-14")
    assert value_on(town) == Decimal("5.60")
    assert withdrawn(town, "2025-08-15T09:00", key) in (True, False)
    town.night("2025-08-15")
    assert value_on(town) == Decimal("5.60")
def test_withdrawn_then_readings(town):
    key = estimated(town)
    town.night("2025-08-13")
    withdrawn(town, "2025-08-14T09:00", key)
    town.night("2025-08-14")
    assert value_on(town) is None
    town.quarters("late.rdb", "2025-08-06", 1, "5.60", "100001")
    town.night("2025-08-15")
    assert value_on(town) == Decimal("5.60")
