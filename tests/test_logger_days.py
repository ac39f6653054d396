"""Days of a logger as levels: which of them a verdict may rest on."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from models.checks.well_levels import depths, level_rows
from models.question import Question
from models.streamflow.day_states import DailyFlow
from tests.record_in_memory import Record, ask, site, well

DAY = date(2025, 7, 1)
LOGGER = {"serial": "2000001", "since": date(2025, 6, 1), "kind": "vented", "hung_below_mp_ft": "40"}


def day(**more: Any) -> DailyFlow:
    return DailyFlow(DAY, Decimal("12.34"), **{"origin": "computed", "coverage": Decimal(1), "version": "s1:5"} | more)


def asked(use: str, one: DailyFlow, on: date = DAY) -> Question:
    made = well("M", -100.0, use=use, logger=[LOGGER])
    return ask(Record(logged={"M": [one]}), on, at=site(well=[made]))


def levels(use: str, one: DailyFlow) -> list[tuple[date, float]]:
    question = asked(use, one)
    return depths(question.site.well[0], level_rows(question).get("M", ()))


@pytest.mark.parametrize("use", ["monitoring", "index"])
def test_a_whole_day_of_a_logger_is_a_level(use: str) -> None:
    assert levels(use, day()) == [(DAY, 12.34)]


@pytest.mark.parametrize(
    "doubt",
    [{"coverage": Decimal("0.5")}, {"hole_too_long": True}, {"qualifiers": ("suspect",)}],
    ids=["half the day", "a hole", "a suspect mean"],
)
def test_no_verdict_rests_on_a_day_in_doubt(doubt: dict[str, Any]) -> None:
    assert levels("monitoring", day(**doubt)) == []


def test_a_household_s_own_pump_moves_its_level_all_day() -> None:
    assert levels("private", day()) == []


def test_a_day_after_tonight_is_not_known() -> None:
    assert not level_rows(asked("monitoring", day(), DAY - timedelta(days=1)))["M"]


def test_the_row_names_what_it_rests_on() -> None:
    (row,) = level_rows(asked("monitoring", day()))["M"]
    assert (row.series, row.row_id, row.unit) == ("logger", "s1:5", "ft")
