"""What the record holds against an act that is taken all the same: the days it cites, papers nobody can prove."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from models.checks import cited_run
from models.rules import BaseFlowRule, ordinance
from models.streamflow.day_states import DailyFlow
from tests.record_in_memory import Record, ask, site

SINCE, LAST = date(2025, 10, 10), date(2025, 10, 19)


def doubts(values: list[str | None]) -> list[str]:
    """Of ten days from 10 October at a gauge with a base flow of 5 cfs."""
    rule, town = ordinance("howard").rule_of("howard.baseflow"), site()
    assert isinstance(rule, BaseFlowRule)
    days = [
        DailyFlow(SINCE + timedelta(days=n), None if value is None else Decimal(value))
        for n, value in enumerate(values)
        if value != ""
    ]
    asked = ask(Record({town.gauge[0].id: days}), date(2025, 10, 20), at=town)
    return cited_run.doubts(rule, asked, town.gauge[0], SINCE, LAST)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (["6.00"] * 10, []),
        (["5.00"] * 10, []),
        ([], ["no flow of G-1 is on record from 2025-10-10 to 2025-10-19: silence is no recovery"]),
        (["6.00"] * 4 + ["4.99"] + ["6.00"] * 5, ["below base flow on 2025-10-14 (4.99 cfs)"]),
        (["6.00"] * 4 + [""] + ["6.00"] * 5, ["not known on 2025-10-14"]),
        (["4.00"] * 8 + [None, "6.00"], ["2025-10-15 (4.00 cfs) and 2 more days", "not known on 2025-10-18"]),
    ],
)
def test_days_that_an_act_cites_are_held_against_the_record(values: list[Any], says: list[str]) -> None:
    found = doubts(values)
    assert len(found) == len(says)
    for line, said in zip(found, says, strict=True):
        assert said in line
