"""Which samples confirm each other: the number in force, a far end, a refutation between; 140.14(3)(b) by its words."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.alternative_limit import AlternativeLimit
from models.checks.groundwater_quality import check
from models.checks.quality_judgement import judge
from models.checks.quality_results import Terms
from models.checks.quality_table import plain_terms, verdict_rows
from models.finding import Finding
from models.nr140.alternatives import with_alternatives
from models.nr140.confirmation import Resampling, confirms
from models.question import stored_rows
from models.standards import law_of
from tests.record_in_memory import BEGAN, Record, ask, rule, site, well

NR140 = law_of("nr140")
PLAIN = plain_terms(NR140)
IDENTIFIED = rule("howard.nr140.identified")
DAY = date(2025, 10, 28)
NIGHT = date(2026, 2, 1)
MONITORING = well("MW-1", 2640, use="monitoring", in_application=True)


def days(*numbers: int) -> set[date]:
    return {DAY + timedelta(days=one) for one in numbers}


# The far end and the chain -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attained", "refuting", "earlier"),
    [
        (days(-14), (), -14), (days(-13), (), None), (days(-400), (), -400), (days(-401), (), None),
        (days(-60), days(-30), None), (days(-60), days(-5), None), (days(-60, -30), days(-45), -30),
        (days(-60), days(-90), -60), (days(-60), days(-60), -60), (days(-60), days(10), -60), (days(-64000), (), None),
    ],
)  # fmt: skip
def test_which_earlier_sample_is_confirmed(attained: set[date], refuting: set[date], earlier: int | None) -> None:
    expected = None if earlier is None else DAY + timedelta(days=earlier)
    assert confirms(DAY, attained, refuting, Resampling(14, 400)) == expected


def test_no_sample_from_before_the_mine_confirms_one_from_after() -> None:
    rule = Resampling(14, 400, BEGAN)
    before, first = BEGAN - timedelta(days=1), BEGAN + timedelta(days=20)
    assert confirms(first, {before}, (), rule) is None
    assert confirms(first, {BEGAN}, (), rule) == BEGAN
    assert confirms(before, {before - timedelta(days=30)}, (), rule) == before - timedelta(days=30)


def arsenic(record: Record, day: date, text: str) -> Record:
    return record.result("MW-1", "arsenic", day, text, "ug/L", "0.3", "1.0", series=f"S:{day}")


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 900), st.sampled_from(["11", "5"]), max_size=12))
def test_a_table_says_what_one_well_says(values: dict[int, str]) -> None:
    """The columns of a table and the days of one well are two ways to the same answer."""
    record, terms = Record(), replace(PLAIN, began=DAY + timedelta(days=300))
    for number, text in values.items():
        arsenic(record, DAY + timedelta(days=number), text)
    found = judge(terms, stored_rows(record.rows(["MW-1"], terms.law.parameters, None, None))).comparisons
    over, under = (
        {DAY + timedelta(days=k) for k, text in values.items() if (text == "11") == high} for high in (True, False)
    )
    asked = Resampling(14, 400, terms.began)
    told = {one.row.day: one.confirms for one in found if one.standard.kind == "ES" and one.nr140.status == "attained"}
    assert told == {day: confirms(day, over, under, asked) for day in over}


def test_the_law_has_no_far_end_and_the_policy_gives_one() -> None:
    assert PLAIN.confirmation_window == 400
    policy = ask(Record(), NIGHT).policy.confirmation_window
    assert (policy.unit, policy.adopted()) == ("d", False)


# The number in force -------------------------------------------------------------------------------------------------


def limit(value: str, since: date) -> AlternativeLimit:
    return AlternativeLimit(
        substance="manganese", kind="PAL", table="1", value=Decimal(value), unit="ug/L", since=since,
        decision="A made-up exemption", wells=("MW-1",),
    )  # fmt: skip


def manganese(*results: tuple[date, str]) -> Record:
    record = Record()
    for day, text in results:
        record.result("MW-1", "manganese", day, text, "ug/L", "0.5", "1.6", series=f"S:{day}")
    return record


def pal(record: Record, since: date = BEGAN) -> dict[date, Finding]:
    at = site(well=[MONITORING], alternative_limit=[limit("120", since).model_dump(mode="json", exclude_none=True)])
    found = check(IDENTIFIED, ask(record, NIGHT, at=at)).findings
    wanted = ("manganese", "PAL", "1")
    return {one.start: one for one in found if (one.parameter, one.facts["kind"], one.facts["table"]) == wanted}


@pytest.mark.parametrize(("baseline", "before"), [("70", False), ("119.9", False), ("120", True), ("130", True)])
def test_the_baseline_is_held_against_the_number_in_force(baseline: str, before: bool) -> None:
    """PAL 60 of Table 1, from the day mining began 120 by decision: 70 attained 60 and never 120."""
    found = pal(manganese((BEGAN - timedelta(days=100), baseline), (DAY, "130")))
    assert found[DAY].attained_in_baseline is before
    at = rows_of(manganese((BEGAN - timedelta(days=100), baseline), (DAY, "130")))
    assert [one["attained_in_baseline"] for one in at if one["sampled"] == DAY.isoformat()] == [before]


def rows_of(record: Record) -> list[dict[str, Any]]:
    law = with_alternatives(NR140, [limit("120", BEGAN)], "MW-1")
    terms = Terms(IDENTIFIED, law)
    told, _ = verdict_rows(terms, record.rows(["MW-1"], law.parameters, None, None), BEGAN)
    return [one for one in told if (one["kind"], one["table"]) == ("PAL", "1")]


@pytest.mark.parametrize(("first", "confirmed"), [("70", None), ("130", DAY - timedelta(days=60))])
def test_a_sample_confirms_one_that_reached_the_same_number(first: str, confirmed: date | None) -> None:
    """The decision came 30 days before: 70 attained the PAL of its day and not this one; 130 attained both."""
    found = pal(manganese((DAY - timedelta(days=60), first), (DAY, "130")), DAY - timedelta(days=30))
    assert found[DAY].facts.get("confirms") == (None if confirmed is None else confirmed.isoformat())


def test_a_sample_under_another_number_refutes_where_it_is_under_this_one() -> None:
    """130, then 70 (over the old PAL of 60, under 120 of the decision), then 130: no confirmation past the 70."""
    record = manganese((DAY - timedelta(days=60), "130"), (DAY - timedelta(days=40), "70"), (DAY, "130"))
    found = pal(record, DAY - timedelta(days=30))
    assert found[DAY].facts.get("confirms") is None


# 140.14(3)(b) --------------------------------------------------------------------------------------------------------


def lead(record: Record, day: date, text: str, sample: str, *, series: str = "M", **facts: str) -> Record:
    """Lead: PAL 1.5, LOD 2, LOQ 6."""
    lod = facts.pop("lod", "2")
    marks: dict[str, Any] = {"sample": sample, **facts}
    return record.result("MW-1", "lead", day, text, "ug/L", lod, "6", series=series, **marks)


def last(record: Record, terms: Terms = PLAIN, **wanted: str) -> set[str]:
    found = judge(terms, stored_rows(record.rows(["MW-1"], terms.law.parameters, None, None))).comparisons
    return {
        one.nr140.status
        for one in found
        if (one.row.day, one.standard.kind) == (DAY, "PAL") and one.row.value_text == wanted.get("text", "4")
    }


def five(record: Record, *, same_day: bool = False, **facts: str) -> Record:
    for k in range(5):
        day = DAY if same_day else DAY - timedelta(days=30 * (4 - k))
        lead(record, day, "4", f"s{k}", series=f"M:{k}", **facts)
    return record


def test_two_analyses_by_the_same_method_confirm_each_other() -> None:
    """(3)(b)1: an equally sensitive method, or the same method."""
    record = five(Record())
    assert last(record) == {"needs_confirmation"}
    assert last(lead(record, DAY, "5", "s4", series="M:4")) == {"attained"}


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        ({"lod": "2"}, "attained"), ({"lod": "1"}, "attained"), ({"lod": "2.1"}, "needs_confirmation"),
        ({"lod": ""}, "needs_confirmation"), ({"lod": "5.5"}, "needs_confirmation"),
    ],
)  # fmt: skip
def test_another_method_must_be_as_sensitive(facts: dict[str, str], status: str) -> None:
    assert last(lead(five(Record()), DAY, "5", "s4", series="other", **facts)) == {status}


def test_the_dissolved_result_does_not_confirm_the_total() -> None:
    record = five(Record(), fraction="Total")
    assert last(lead(record, DAY, "3", "s4", series="M:4", fraction="Dissolved")) == {"needs_confirmation"}
    assert last(lead(record, DAY, "5", "s4", series="M:4", fraction="Total")) == {"attained"}


def test_bottles_of_one_day_are_one_sample() -> None:
    """Five independent samples over the PAL are p = 1/32; five bottles of a day are one, p = 1/2."""
    record = lead(five(Record(), same_day=True), DAY, "4.5", "s4", series="M:4")
    assert last(record) == {"needs_confirmation"}


def test_samples_from_before_the_mine_are_no_statistics_of_after() -> None:
    record = lead(five(Record()), DAY, "5", "s4", series="M:4")
    assert last(record, replace(PLAIN, began=DAY - timedelta(days=100))) == {"needs_confirmation"}
    assert last(record, replace(PLAIN, began=DAY - timedelta(days=120))) == {"attained"}
