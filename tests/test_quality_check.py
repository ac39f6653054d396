"""Laboratory results at wells: which wells, which tables, since when, and what stands beside a finding."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from models.checks import groundwater_quality
from models.checks.groundwater_quality import check
from models.finding import Finding, transitions
from models.household import PrivatePosition
from models.question import Changed, Judged
from models.standards import law_of
from tests.record_in_memory import BEGAN, Record, ask, rule, site, well

IDENTIFIED, PRIVATE = rule("howard.nr140.identified"), rule("howard.nr140.private")
SAMPLED, BEFORE = date(2025, 10, 28), date(2025, 4, 29)
MONITORING = well("MW-1", 2640, use="monitoring", in_application=True)


def judged(record: Record, law: Any = IDENTIFIED, wells: Any = (MONITORING,), **question: Any) -> Judged:
    return check(law, ask(record, date(2025, 12, 31), at=site(well=list(wells)), **question))


def by_aspect(answer: Judged) -> dict[str, Finding]:
    """Findings of single results, by standard; sums stand apart."""
    single = (one for one in answer.findings if "computed_from" not in one.facts)
    return {one.aspect.partition(" [")[0]: one for one in single}


def notable(answer: Judged) -> set[str]:
    return {aspect for aspect, one in by_aspect(answer).items() if one.notable}


def test_manganese_stands_in_two_tables_and_is_judged_in_both() -> None:
    """120 ug/L: over the health PAL of 60, under the health ES of 300, over the welfare PAL 0.025 and ES 0.05 mg/L."""
    record = Record().result("MW-1", "manganese", SAMPLED, "120", "ug/L", "1.0", "3.2")
    found = by_aspect(judged(record))
    assert {aspect: one.verdict for aspect, one in found.items()} == {
        "PAL Table 1": "attained", "ES Table 1": "not_attained", "PAL Table 2": "attained", "ES Table 2": "attained",
    }  # fmt: skip
    assert found["ES Table 2"].limit == "0.05 mg/L = 50 ug/L", "the law's own unit first"
    assert found["ES Table 2"].measured == "120 ug/L", "the laboratory's own words"
    assert found["ES Table 1"].facts["citation"] == "NR 140.10 Table 1"
    assert found["ES Table 2"].facts["citation"] == "NR 140.12 Table 2"


def test_manganese_equal_to_the_welfare_standard_in_another_unit() -> None:
    record = Record().result("MW-1", "manganese", SAMPLED, "50", "ug/L", "1.0", "3.2")
    one = by_aspect(judged(record))["ES Table 2"]
    assert (one.status, one.verdict) == ("attained", "needs_confirmation")


def test_both_limits_of_the_code_are_judged() -> None:
    record = Record().result("MW-1", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0")
    found = by_aspect(judged(record))
    assert {aspect: (one.status, one.verdict) for aspect, one in found.items()} == {
        "PAL Table 1": ("attained", "attained"), "ES Table 1": ("attained", "attained"),
    }  # fmt: skip
    assert found["PAL Table 1"].clause == "2.09(3)(a)"
    assert all(one.opens is None and not one.ongoing for one in found.values())


def test_how_far_a_standard_was_verified_stands_on_the_finding() -> None:
    record = Record().result("MW-1", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0")
    record.result("MW-1", "nitrate_as_n", SAMPLED, "11", "mg/L", "0.02", "0.06")
    assert {one.parameter: one.verification for one in judged(record).findings} == {
        "arsenic": "verified2", "nitrate_as_n": "memory", "nitrate_nitrite_as_n": "single",
    }  # fmt: skip


def test_attained_before_the_mine_is_said_beside_the_verdict_and_not_instead_of_it() -> None:
    record = Record()
    record.result("MW-1", "nitrate_nitrite_as_n", BEFORE, "3.0", "mg/L", "0.02", "0.06")
    record.result("MW-1", "nitrate_nitrite_as_n", SAMPLED, "3.0", "mg/L", "0.02", "0.06")
    found = by_aspect(judged(record))
    assert {one.start for one in found.values()} == {SAMPLED}, "the baseline itself is never a finding"
    assert (found["PAL Table 1"].verdict, found["PAL Table 1"].attained_in_baseline) == ("attained", True)
    assert found["ES Table 1"].attained_in_baseline is False
    assert any(
        line.bearing == "against" and "before mining began" in line.says for line in found["PAL Table 1"].evidence
    )


@pytest.mark.parametrize(
    ("value", "loq", "before"),
    [("1.9", "0.06", False), ("3.0", "9", False), ("2.0", "0.06", True)],
)
def test_what_counts_as_attained_in_the_baseline(value: str, loq: str, before: bool) -> None:
    """The baseline is read by NR 140 too: below the LOQ is not attained, equal to the standard is."""
    record = Record()
    record.result("MW-1", "nitrate_as_n", BEFORE, value, "mg/L", "0.02", loq)
    record.result("MW-1", "nitrate_as_n", SAMPLED, "3.0", "mg/L", "0.02", "0.06")
    assert by_aspect(judged(record))["PAL Table 1"].attained_in_baseline is before


def test_the_baseline_of_another_well_or_substance_does_not_count() -> None:
    record = Record()
    record.result("MW-2", "nitrate_as_n", BEFORE, "3.0", "mg/L", "0.02", "0.06")
    record.result("MW-1", "nitrate_nitrite_as_n", BEFORE, "3.0", "mg/L", "0.02", "0.06")
    record.result("MW-1", "nitrate_as_n", SAMPLED, "3.0", "mg/L", "0.02", "0.06")
    wells = [MONITORING, well("MW-2", 100, use="monitoring", in_application=True)]
    assert by_aspect(judged(record, wells=wells))["PAL Table 1"].attained_in_baseline is False


def test_the_first_day_of_mining_is_judged_and_the_day_before_is_not() -> None:
    for day, count in ((BEGAN, 2), (date(2025, 5, 31), 0)):
        record = Record().result("MW-1", "arsenic", day, "11", "ug/L", "0.3", "1.0")
        assert len(judged(record).findings) == count


@pytest.mark.parametrize(
    ("use", "in_application", "under_identified", "under_private"),
    [
        ("monitoring", True, True, False),
        ("monitoring", False, False, False),
        ("private", True, True, True),
        ("private", False, False, True),
        ("production", True, True, False),
    ],
)
def test_which_wells_a_clause_names(
    use: str, in_application: bool, under_identified: bool, under_private: bool
) -> None:
    record = Record().result("W", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0")
    wells = [well("W", -100, use=use, in_application=in_application)]
    assert bool(judged(record, IDENTIFIED, wells).findings) is under_identified
    assert bool(judged(record, PRIVATE, wells).findings) is under_private


@pytest.mark.parametrize(
    ("x", "accuracy", "verdict"),
    [
        (-2640, 0, "attained"),
        (-2641, 0, None),
        (-2600, 30, "attained"),
        (-2600, 50, "needs_confirmation"),
        (-2650, 50, "needs_confirmation"),
        (-2700, 50, None),
    ],
)
def test_a_private_well_by_its_distance(x: float, accuracy: float, verdict: str | None) -> None:
    record = Record().result("W", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0")
    found = by_aspect(judged(record, PRIVATE, [well("W", x, position_accuracy_ft=accuracy)]))
    if verdict is None:
        assert found == {}
        return
    one = found["ES Table 1"]
    assert (one.verdict, one.status) == (verdict, "attained")
    assert ("survey it" in one.reason) is (verdict == "needs_confirmation")
    assert one.facts["within"] == ("uncertain" if verdict == "needs_confirmation" else "inside")
    assert not any("distance" in name for name in one.facts)  # an exact position must not leak from a finding


def test_an_unsure_position_makes_no_alarm_of_a_clean_result() -> None:
    record = Record().result("W", "arsenic", SAMPLED, "0.5", "ug/L", "0.3", "0.4")
    found = by_aspect(judged(record, PRIVATE, [well("W", -2650, position_accuracy_ft=50)]))
    assert {one.verdict for one in found.values()} == {"not_attained"}


def test_distance_does_not_matter_to_the_wells_of_the_application() -> None:
    record = Record().result("W", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0")
    assert notable(judged(record, IDENTIFIED, [well("W", -50000, in_application=True)])) == {
        "PAL Table 1",
        "ES Table 1",
    }


def test_a_survey_that_puts_a_well_beyond_the_line_takes_its_findings_back() -> None:
    record = Record().result("W", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0")
    wells = [well("W", -2600, position_accuracy_ft=934)]
    before = judged(record, PRIVATE, wells)
    surveyed = [PrivatePosition(well="W", position=(-2700.0, 2640.0))]
    after = judged(record, PRIVATE, wells, positions=surveyed)
    changes = transitions(before.findings, after.findings, after.scopes)
    assert {(one.change, one.finding.aspect[:3]) for one in changes} == {("retracted", "PAL"), ("retracted", "ES ")}


def test_the_household_s_own_position_is_the_one_that_counts() -> None:
    record = Record().result("W", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0")
    wells = [well("W", -2600, position_accuracy_ft=934)]
    surveyed = [PrivatePosition(well="W", position=(-2500.0, 2640.0), position_accuracy_ft=Decimal(1))]
    assert by_aspect(judged(record, PRIVATE, wells, positions=surveyed))["ES Table 1"].verdict == "attained"


@pytest.mark.parametrize(
    ("x", "use", "pal", "es"),
    [
        (2640, "monitoring", True, False),
        (-100, "monitoring", True, True),
        (2640, "production", True, True),
        (2640, "private", True, True),
    ],
)
def test_point_of_standards_application_is_information(x: float, use: str, pal: bool, es: bool) -> None:
    """NR 140.22: a PAL everywhere, an ES where water is used or beyond the property. The verdict is the same."""
    record = Record().result("W", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0")
    found = by_aspect(judged(record, IDENTIFIED, [well("W", x, use=use, in_application=True)]))
    assert found["PAL Table 1"].facts["point_of_standards_application"] is pal
    assert found["ES Table 1"].facts["point_of_standards_application"] is es
    assert {one.verdict for one in found.values()} == {"attained"}


def test_a_reporting_limit_over_the_standard_cannot_tell() -> None:
    record = Record()
    record.result("MW-1", "benzene", SAMPLED, "<1", "ug/L", qualifiers=("<",), limit="1", limit_is="rl")
    assert notable(judged(record)) == {"PAL Table 1"}
    assert by_aspect(judged(record))["PAL Table 1"].verdict == "indeterminate"


def test_e_coli() -> None:
    record = Record().result("MW-1", "e_coli", SAMPLED, "ND", "presence/absence", qualifiers=("ND",))
    assert notable(judged(record)) == set()
    record = Record().result("MW-1", "e_coli", SAMPLED, "1", "presence/absence")
    assert notable(judged(record)) == {"PAL Table 1", "ES Table 1"}


def test_nothing_new_is_not_judged_again_and_takes_nothing_back() -> None:
    record = Record().result("MW-1", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0")
    first = judged(record)
    again = judged(record, changed=Changed())
    assert again == Judged()
    assert transitions(first.findings, again.findings, again.scopes) == []


def test_new_rows_give_what_a_first_load_gives() -> None:
    record = Record().result("MW-1", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0")
    record.result("MW-1", "arsenic", date(2025, 11, 25), "12", "ug/L", "0.3", "1.0")
    whole = {one.key: one.body() for one in judged(record).findings}
    night = judged(record, changed=Changed({("MW-1", "arsenic"): date(2025, 11, 25)}))
    assert {one.start for one in night.findings} == {SAMPLED, date(2025, 11, 25)}, "the later confirms the earlier"
    for one in night.findings:
        assert whole[one.key] == one.body()


def test_a_revised_result_amends_and_a_cleared_one_is_withdrawn() -> None:
    first = judged(Record().result("MW-1", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0"))
    known = [one for one in first.findings if one.notable]
    new = Changed({("MW-1", "arsenic"): SAMPLED})
    higher = judged(Record().result("MW-1", "arsenic", SAMPLED, "14", "ug/L", "0.3", "1.0"), changed=new)
    assert {one.change for one in transitions(known, higher.findings, higher.scopes)} == {"amended"}
    lower = judged(Record().result("MW-1", "arsenic", SAMPLED, "5", "ug/L", "0.3", "1.0"), changed=new)
    changes = {one.finding.aspect[:3]: one.change for one in transitions(known, lower.findings, lower.scopes)}
    assert changes == {"PAL": "amended", "ES ": "retracted"}


def test_total_and_dissolved_of_one_day_are_two_results() -> None:
    record = Record()
    record.result("MW-1", "arsenic", SAMPLED, "11", "ug/L", "0.3", "1.0", series="01000")
    record.result("MW-1", "arsenic", SAMPLED, "12", "ug/L", "0.3", "1.0", series="01002")
    keys = [one.key for one in judged(record).findings]
    assert len(keys) == len(set(keys)) == 4


def test_the_law_of_the_day_of_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """A standard lowered in 2026 says nothing of a sample of 2025, and stands on one of 2026."""
    law = law_of("nr140")
    change = date(2026, 1, 1)
    both = [replace(one, repealed=change) for one in law.rows] + [
        replace(one, value=one.value / 2, effective=change) for one in law.rows
    ]
    monkeypatch.setattr(groundwater_quality, "law_of", lambda _: law.replaced(both))
    record = Record().result("MW-1", "arsenic", date(2025, 12, 31), "7", "ug/L", "0.1", "0.3")
    record.result("MW-1", "arsenic", change, "7", "ug/L", "0.1", "0.3")
    answer = check(IDENTIFIED, ask(record, date(2026, 1, 31), at=site(well=[MONITORING])))
    es = {one.start: one for one in answer.findings if one.aspect.startswith("ES")}
    assert (es[date(2025, 12, 31)].verdict, es[date(2025, 12, 31)].limit) == ("not_attained", "10 ug/L")
    assert (es[change].verdict, es[change].limit) == ("attained", "5 ug/L")
