"""Days a condition was observed: each measurement once, however many clauses name it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from pipelines.forfeiture import _observed
from tests.mail_nights import found


def test_one_measurement_under_two_clauses_is_one_day() -> None:
    days = [date(2025, 7, 29), date(2025, 8, 12), date(2025, 8, 26), date(2025, 9, 9)]
    one = replace(found("PVT-2", days[0], parameter="nitrate"), verdict="attained", information=False, facts={})
    at = [replace(one, start=day, opened_on=day) for day in days]
    both = [replace(each, rule=rule, clause=clause) for each in at
            for rule, clause in (("a", "2.09(3)(a)"), ("b", "2.09(3)(a), 2.15(1)(a)"))]  # fmt: skip
    assert _observed(both) == [("condition observed", "PVT-2 2.09(3)(a), 2.15(1)(a) nitrate", 4)]


def test_another_substance_or_well_is_another_condition() -> None:
    one = replace(
        found("PVT-2", date(2025, 7, 29), parameter="nitrate"), verdict="attained", information=False, facts={}
    )
    others = [one, replace(one, parameter="chloride"), replace(one, station="PVT-1"), replace(one, information=True)]
    assert [each[2] for each in _observed(others)] == [1, 1, 1]
