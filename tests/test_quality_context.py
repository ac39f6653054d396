"""What stands beside a finding: trend, percent, the well before mining, background, gradient, confirmation, acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from models.checks.groundwater_quality import check
from models.finding import Evidence, Finding, transitions
from models.nr140.contested import Contested
from models.nr140.context import Dated, Trend, one_a_season, trend
from models.nr140.context_told import trend_facts, trend_words
from models.question import Changed, Judged, Question
from models.site import Site
from models.statistics.censored import Insufficient
from reports.finding_words import finding_block
from tests.record_in_memory import BEGAN, Record, ask, rule, site, standing, well

IDENTIFIED = rule("howard.nr140.identified")
DAY, NIGHT = date(2025, 10, 28), date(2026, 6, 30)
ALPHA = Decimal("0.05")
MONITORING = well("MW-1", 2640, use="monitoring", in_application=True)


def arsenic(record: Record, day: date, value: str, at: str = "MW-1", **more: Any) -> Record:
    """One result; Table 1: PAL 1, ES 10 ug/L."""
    marks = ("ND",) if value == "ND" else ()
    return record.result(
        at, "arsenic", day, value, "ug/L", "0.3", "1.0", series=more.pop("series", f"S:{day}"), qualifiers=marks, **more
    )


def judged(record: Record, at: Site | None = None, contested: Sequence[Contested] = (), **question: Any) -> Judged:
    return check(IDENTIFIED, ask(record, NIGHT, at=at or site(well=[MONITORING]), **question), contested)


def finding(answer: Judged, day: date = DAY, kind: str = "ES", station: str = "MW-1") -> Finding:
    (one,) = [
        one
        for one in answer.findings
        if (one.start, one.facts.get("kind"), one.station) == (day, kind, station) and one.parameter == "arsenic"
    ]
    return one


def line(one: Finding, name: str) -> Evidence:
    (found,) = [each for each in one.evidence if each.line == name]
    return found


def quarterly(values: Sequence[float], first: date = date(2020, 1, 15), hidden: int = 0) -> tuple[Dated, ...]:
    """Results in the middle month of every quarter; the first ``hidden`` are not detected."""
    days = [date(first.year + (k // 4), first.month + 3 * (k % 4), first.day) for k in range(len(values))]
    return tuple(Dated(day, value, k < hidden) for k, (day, value) in enumerate(zip(days, values, strict=True)))


def whole(results: Sequence[Dated]) -> Trend:
    found = trend(tuple(results))
    assert isinstance(found, Trend)
    return found


# Trend ---------------------------------------------------------------------------------------------------------------


def test_the_sodium_of_the_unified_guidance_on_civil_days() -> None:
    """EPA (2009), Example 17-7: S 25, slope 1.33 ppm per year, 95 % interval 0.40 to 2.33, ten results."""
    years = [89.6, 90.1, 90.8, 91.1, 92.1, 93.1, 94.1, 95.6, 96.1, 96.3]
    values = [56, 53, 51, 55, 52, 60, 62, 59, 61, 63]
    days = [date(1900, 1, 1) + timedelta(days=round(year * 365.25)) for year in years]
    words = trend_words(trend(tuple(Dated(*one) for one in zip(days, values, strict=True))), "ppm", None)
    assert "Sen's slope 1.3 ppm per year (95 % interval 0.40 to 2.3)" in words


def test_twelve_rising_quarters_by_hand() -> None:
    """Within each quarter three years rise: S = 4 x 3, variance 4 x 3 x 2 x 11/18 = 14.667, Z = 11/3.8297, p 0.0041.

    Over all 66 pairs S = 66, variance 12 x 11 x 29/18 = 212.67, Z = 65/14.583 = 4.457, p under 0.001.
    """
    found = whole(quarterly([10 + k for k in range(12)]))
    facts = trend_facts(found, "mg/L", ALPHA)
    assert round(facts["seasonal_p"], 4) == 0.0041
    assert round(facts["mann_kendall_p"] * 1e6, 1) == 8.3
    assert (facts["direction"], facts["shown"], facts["n"]) == ("up", True, 12)
    words = trend_words(found, "mg/L", ALPHA)
    assert words.startswith(
        "rising: 12 results, 2020-01-15 to 2022-10-15; Mann-Kendall p under 0.001; by 4 seasons p 0.0041"
    )
    assert "corrected for dependence p" in words
    assert "Sen's slope 4.0 mg/L per year" in words


def test_what_rises_and_falls_with_the_season_is_no_trend() -> None:
    """Every January the same, every July the same: within seasons nothing but ties."""
    found = whole(quarterly([1.0, 5.0, 9.0, 5.0] * 4))
    assert isinstance(found.seasonal, Insufficient)
    assert trend_words(found, "mg/L", ALPHA).startswith("no trend shown at 0.05: ")


def test_the_careful_reading_decides_what_is_called_a_trend() -> None:
    found = whole(quarterly([1 + 0.1 * k + 0.2 * (k % 3) for k in range(16)]))
    facts = trend_facts(found, "mg/L", ALPHA)
    assert facts["p"] == facts["corrected_p"] > facts["mann_kendall_p"]


@pytest.mark.parametrize(
    ("results", "says"),
    [
        ((), "too few for a trend: 0 of 1 results: 1 missing"),
        (quarterly([1.0, 2.0, 3.0]), "too few for a trend: 3 of 4 results: 1 missing"),
        (quarterly([1.0] * 6, hidden=6), "pairs of which one result is known to be larger"),
        (quarterly([1.0, 2.0, 3.0, 4.0, 5.0]), "by season: too few, 1 of 3 years in at least two seasons"),
        (quarterly([1.0, 2.0, 3.0, 4.0, 5.0]), "not corrected for dependence: 5 of 10 results: 5 missing"),
        (quarterly([1.0, 2.0, 3.0, 4.0, 5.0], hidden=1), "not corrected for dependence: not every result was detected"),
        (quarterly([1.0, 2.0, 3.0, 4.0, 5.0], hidden=1), "5 results (1 not detected)"),
    ],
)
def test_what_cannot_be_said_says_what_it_lacks(results: tuple[Dated, ...], says: str) -> None:
    assert says in trend_words(trend(results), "mg/L", ALPHA)


def test_uneven_sampling_is_not_corrected() -> None:
    days = [date(2024, 1, 1) + timedelta(days=k * k * 5) for k in range(12)]
    found = whole([Dated(day, float(k)) for k, day in enumerate(days)])
    assert found.corrected == "not sampled in even rounds"


def test_one_season_a_year_has_no_seasonal_reading() -> None:
    found = whole([Dated(date(2015 + k, 7, 1 + k), float(k % 3)) for k in range(11)])
    assert found.seasonal is None
    assert not isinstance(found.corrected, str), "yearly rounds are even"


def test_ten_years_are_corrected_by_the_covariance_of_the_seasons() -> None:
    found = whole(quarterly([float(k % 7) + k / 10 for k in range(40)], hidden=1))
    assert "Hirsch and Slack 1984" in trend_words(found, "mg/L", ALPHA)


def test_of_several_results_of_a_quarter_the_middle_one_is_taken() -> None:
    days = [date(2024, 1, 5), date(2024, 2, 5), date(2024, 3, 5), date(2024, 4, 1)]
    kept = one_a_season([Dated(day, float(k)) for k, day in enumerate(days)])
    assert [one.value for one in kept] == [1.0, 3.0]


@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_results_never_matters(seed: int) -> None:
    draw = Random(seed)
    results = list(quarterly([float(draw.randint(0, 9)) for _ in range(4 + seed % 4)], hidden=seed % 3))
    mixed = draw.sample(results, len(results))
    assert trend_words(trend(tuple(mixed)), "mg/L", ALPHA) == trend_words(trend(tuple(results)), "mg/L", ALPHA)


# Beside a finding ----------------------------------------------------------------------------------------------------


def test_only_what_is_told_carries_a_context() -> None:
    record = arsenic(arsenic(Record(), date(2025, 8, 1), "2"), DAY, "11")
    answer = judged(record)
    assert {one.start for one in answer.findings if "trend" in one.facts} == {date(2025, 8, 1), DAY}
    under = finding(answer, date(2025, 8, 1), "ES")
    assert (under.verdict, "trend" in under.facts) == ("not_attained", False)
    assert line(finding(answer), "trend").says == (
        "2 results, 2025-08-01 to 2025-10-28: too few for a trend: 2 of 4 results: 2 missing"
    )


@pytest.mark.parametrize(
    ("value", "percent"),
    [
        ("11", "110 % of the ES"),
        ("10", "100 % of the ES"),
        ("10.004", "100.04 % of the ES"),
        ("123.4", "1234 % of the ES"),
    ],
)
def test_percent_of_the_standard_never_rounds_onto_it(value: str, percent: str) -> None:
    assert line(finding(judged(arsenic(Record(), DAY, value))), "percent of standard").says == percent


def test_the_standard_in_its_own_unit() -> None:
    """Manganese 120 ug/L against the welfare ES of 0.05 mg/L: 240 %."""
    record = Record().result("MW-1", "manganese", DAY, "120", "ug/L", "1.0", "3.2")
    (one,) = [each for each in judged(record).findings if each.aspect.startswith("ES Table 2")]
    assert line(one, "percent of standard").says == "240 % of the ES"
    assert one.facts["percent_of_standard"] == 240.0


def test_what_the_well_said_before_mining_began() -> None:
    record = Record()
    for k, value in enumerate(("ND", "0.4", "2.5")):
        arsenic(record, BEGAN - timedelta(days=90 * (3 - k)), value)
    one = finding(judged(arsenic(record, DAY, "11")))
    assert line(one, "before mining").says == "3 results of this well, <0.3 to 2.5 ug/L"
    assert line(finding(judged(arsenic(Record(), DAY, "11"))), "before mining").bearing == "silent"


def test_a_later_sample_does_not_reword_what_was_found() -> None:
    record = arsenic(Record(), DAY, "11")
    before = finding(judged(record))
    arsenic(record, DAY + timedelta(days=10), "30")
    after = finding(judged(record))
    assert before.body() == after.body()


def test_a_detect_without_a_number_is_counted_apart() -> None:
    record = arsenic(Record(), DAY, "11")
    record.result("MW-1", "arsenic", date(2025, 8, 1), "detected", "ug/L", "0.3", "1.0", series="S:d")
    assert line(finding(judged(record)), "trend").says.endswith("1 without a number or a limit not counted")


def test_the_background_of_a_substance_of_table_1() -> None:
    """1 2 and <0.3 by Kaplan-Meier, Efron's convention: mean (0.3 + 1 + 2)/3 = 1.1."""
    at = site(
        well=[MONITORING, well("BG-1", 100, use="monitoring")],
        background=[{"wells": ["BG-1"], "from": date(2024, 1, 1), "to": date(2025, 5, 31)}],
    )
    record = arsenic(Record(), DAY, "11")
    assert line(finding(judged(record, at)), "background").says == "no result at BG-1, 2024-01-01 to 2025-05-31"
    for day, value in ((date(2024, 1, 1), "ND"), (date(2025, 1, 1), "1"), (date(2025, 5, 31), "2")):
        arsenic(record, day, value, "BG-1")
    for day in (date(2023, 12, 31), date(2025, 6, 1)):
        arsenic(record, day, "900", "BG-1")
    found = line(finding(judged(record, at)), "background")
    assert found.says == (
        "3 results (1 not detected), <0.3 to 2 ug/L, mean 1.1 ug/L (Kaplan-Meier, Efron's convention) at BG-1, "
        "2024-01-01 to 2025-05-31"
    )
    assert found.rows == ("1:2", "1:3", "1:4")


def gradients(*others: str) -> Site:
    up = [well(id, 100, use="monitoring", gradient="upgradient") for id in others]
    return site(well=[{**MONITORING, "gradient": "downgradient"}, *up])


@pytest.mark.parametrize(("days", "told"), [(30, True), (-30, True), (31, False), (-31, False)])
def test_upgradient_wells_of_the_same_round(days: int, told: bool) -> None:
    record = arsenic(arsenic(Record(), DAY, "11"), DAY + timedelta(days=days), "1.5", "UP-1")
    found = line(finding(judged(record, gradients("UP-1"))), "gradient")
    assert found.bearing == ("context" if told else "silent")
    assert (f"UP-1 {DAY + timedelta(days=days)} 1.5 ug/L" in found.says) is told


def test_a_well_that_lies_upgradient_says_so_and_one_without_a_side_says_nothing() -> None:
    record = arsenic(Record(), DAY, "11")
    one = finding(judged(record, site(well=[{**MONITORING, "gradient": "upgradient"}])))
    assert line(one, "gradient").bearing == "against"
    assert "gradient" not in finding(judged(record)).facts


def test_a_late_upgradient_result_is_told_beside_the_finding_and_alerts_nobody() -> None:
    record, at = arsenic(Record(), DAY, "11"), gradients("UP-1")
    first = judged(record, at)
    late = DAY + timedelta(days=20)
    arsenic(record, late, "1.5", "UP-1")
    again = judged(record, at, changed=Changed({("UP-1", "arsenic"): late}))
    assert {one.key: one.body() for one in again.findings} == {
        one.key: one.body() for one in judged(record, at).findings
    }
    assert {one.change for one in transitions(first.findings, again.findings, again.scopes)} == {"continued"}


def test_a_mail_prints_the_context() -> None:
    record = arsenic(arsenic(Record(), date(2025, 8, 1), "2"), DAY, "11")
    answer = judged(record)
    changes = transitions([], answer.findings, answer.scopes)
    block = next(finding_block(one, ask(record, NIGHT).law) for one in changes if one.finding == finding(answer))
    assert {"trend", "percent of standard", "before mining"} <= {one["line"] for one in block["evidence"]}


# Confirmation --------------------------------------------------------------------------------------------------------


def confirmation(answer: Judged, day: date = DAY) -> tuple[str, str]:
    one = finding(answer, day)
    return one.facts["confirmation"], one.facts["confirmation_by"]


@pytest.mark.parametrize(
    ("days", "value", "status", "by"),
    [
        (13, "12", "awaits", 14), (14, "12", "confirmed", 14), (200, "12", "confirmed", 200),
        (13, "5", "awaits", 14), (14, "5", "not_reproduced", 14), (14, "ND", "not_reproduced", 14),
    ],
)  # fmt: skip
def test_a_second_sample_two_weeks_later(days: int, value: str, status: str, by: int) -> None:
    record = arsenic(arsenic(Record(), DAY, "11"), DAY + timedelta(days=days), value)
    assert confirmation(judged(record)) == (status, (DAY + timedelta(days=by)).isoformat())


def test_a_sample_that_cannot_tell_neither_confirms_nor_refutes() -> None:
    record = arsenic(Record(), DAY, "11")
    record.result("MW-1", "arsenic", DAY + timedelta(days=30), "11", "ug/L", series="S:x")
    assert confirmation(judged(record))[0] == "awaits"


def test_one_that_did_not_attain_ends_the_matter_whatever_came_later() -> None:
    record = arsenic(arsenic(Record(), DAY, "11"), DAY + timedelta(days=20), "5")
    arsenic(record, DAY + timedelta(days=60), "12")
    assert confirmation(judged(record)) == ("not_reproduced", (DAY + timedelta(days=20)).isoformat())
    assert finding(judged(record), DAY + timedelta(days=60)).facts.get("confirms") is None


def test_a_clean_sample_too_early_to_count_still_ends_the_chain() -> None:
    """13 days are no resample; but a later sample cannot confirm past it."""
    record = arsenic(arsenic(Record(), DAY, "11"), DAY + timedelta(days=13), "5")
    arsenic(record, DAY + timedelta(days=20), "12")
    assert confirmation(judged(record)) == ("not_reproduced", (DAY + timedelta(days=13)).isoformat())


@pytest.mark.parametrize(("days", "status"), [(400, "confirmed"), (401, "awaits")])
def test_confirmation_has_a_far_end(days: int, status: str) -> None:
    """`confirmation_window` of the policy: 400 days. The night is after the last of them."""
    record = arsenic(arsenic(Record(), DAY, "11"), DAY + timedelta(days=days), "12")
    answer = check(IDENTIFIED, ask(record, DAY + timedelta(days=500), at=site(well=[MONITORING])))
    assert confirmation(answer)[0] == status
    later = finding(answer, DAY + timedelta(days=days))
    assert later.facts.get("confirms") == (DAY.isoformat() if status == "confirmed" else None)


def test_what_confirms_an_earlier_sample_says_which() -> None:
    record = arsenic(arsenic(Record(), DAY, "11"), DAY + timedelta(days=20), "12")
    assert confirmation(judged(record), DAY + timedelta(days=20)) == ("confirms", DAY.isoformat())


def test_the_resample_rewrites_the_earlier_finding_and_its_removal_undoes_that() -> None:
    record, later = arsenic(Record(), DAY, "11"), DAY + timedelta(days=20)
    first = judged(record)
    stood = standing({}, transitions([], first.findings, first.scopes))
    arsenic(record, later, "12")
    new = Changed({("MW-1", "arsenic"): later})
    second = judged(record, changed=new)
    changes = transitions(list(stood.values()), second.findings, second.scopes)
    assert {one.change for one in changes if one.finding.start == DAY} == {"continued"}
    assert confirmation(second) == ("confirmed", later.isoformat())
    record.table.pop()
    question = ask(record, NIGHT, at=site(well=[MONITORING]), changed=new)
    third = check(IDENTIFIED, replace_standing(question, standing(stood, changes)))
    assert confirmation(third) == ("awaits", (DAY + timedelta(days=14)).isoformat())


def replace_standing(question: Question, stood: dict[str, Finding]) -> Question:
    return replace(question, standing=tuple(stood.values()))


def test_another_analysis_of_the_same_sample_is_said() -> None:
    record = arsenic(arsenic(Record(), DAY, "11", series="A:1"), DAY, "12", series="B:1")
    found = [one for one in judged(record).findings if one.facts.get("kind") == "ES"]
    assert [one.facts["same_sample_confirmed"] for one in found] == [True, True]
    assert finding(judged(arsenic(Record(), DAY, "11"))).facts["same_sample_confirmed"] is False


# Contested results ---------------------------------------------------------------------------------------------------

CONTEST = Contested("MW-1", "arsenic", DAY, date(2026, 3, 1), "bottle broken in transit", by="Example Hydrogeologist")


def test_a_contested_result_stays_a_finding_and_is_marked() -> None:
    record = arsenic(Record(), DAY, "11")
    plain, marked = finding(judged(record)), finding(judged(record, contested=[CONTEST]))
    says = "contested 2026-03-01: bottle broken in transit; stays a finding until a confirmed resample"
    assert (marked.verdict, marked.status, marked.material) == (plain.verdict, plain.status, plain.material)
    assert marked.reason == f"{plain.reason}; {says}"
    assert line(marked, "contested").says == says
    assert marked.facts["contested"] == [
        {"on": "2026-03-01", "reason": "bottle broken in transit", "by": "Example Hydrogeologist",
         "paragraph": "140.14(1)(b)"}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("12", "stays a finding, and the resample of 2025-11-20 confirms it"),
        ("5", "stays a finding; the resample of 2025-11-20 did not attain the standard"),
    ],
)
def test_the_resample_of_a_contested_result(value: str, says: str) -> None:
    record = arsenic(arsenic(Record(), DAY, "11"), date(2025, 11, 20), value)
    assert says in finding(judged(record, contested=[CONTEST])).reason


@pytest.mark.parametrize(
    ("change", "meets"),
    [
        ({}, True), ({"sample": "L-7"}, True), ({"sample": "L-8"}, False), ({"station": "MW-2"}, False),
        ({"substance": "lead"}, False), ({"sampled": DAY + timedelta(days=1)}, False),
    ],
)  # fmt: skip
def test_a_contest_is_about_one_result(change: dict[str, Any], meets: bool) -> None:
    contest = Contested(**{**vars(CONTEST), **change})
    one = finding(judged(arsenic(Record(), DAY, "11", sample="L-7"), contested=[contest]))
    assert ("contested" in one.facts) is meets


def test_a_contested_part_is_a_contested_sum() -> None:
    record = Record()
    for substance, value in (("nitrate_as_n", "9.7"), ("nitrite_as_n", "0.5")):
        record.result("MW-1", substance, DAY, value, "mg/L", "0.02", "0.06", series="S:1", sample="A")
    contest = Contested("MW-1", "nitrite_as_n", DAY, date(2026, 3, 1), "holding time exceeded")
    answer = check(IDENTIFIED, ask(record, NIGHT, at=site(well=[MONITORING])), [contest])
    marked = {one.parameter for one in answer.findings if "contested" in one.facts}
    assert marked == {"nitrite_as_n", "nitrate_nitrite_as_n"}


def test_an_act_marks_without_new_data_and_its_withdrawal_unmarks_and_neither_alerts() -> None:
    record = arsenic(Record(), DAY, "11")
    first = judged(record)
    stood = standing({}, transitions([], first.findings, first.scopes))
    quiet = ask(record, NIGHT, at=site(well=[MONITORING]), changed=Changed())
    marked = check(IDENTIFIED, replace_standing(quiet, stood), [CONTEST])
    changes = transitions(list(stood.values()), marked.findings, marked.scopes)
    assert {one.change for one in changes} == {"continued"}
    assert len(changes) == 2, "PAL and ES"
    again = check(IDENTIFIED, replace_standing(quiet, standing(stood, changes)))
    assert finding(again).body() == finding(first).body()
    assert check(IDENTIFIED, replace_standing(quiet, stood)).findings == ()


def test_a_contest_of_the_baseline_judges_nothing_before_mining_began() -> None:
    record = arsenic(arsenic(Record(), BEGAN - timedelta(days=30), "11"), DAY, "11")
    early = Contested("MW-1", "arsenic", BEGAN - timedelta(days=30), date(2026, 3, 1), "mislabelled")
    assert {one.start for one in judged(record, contested=[early]).findings} == {DAY}


def test_a_rise_within_a_season_is_no_trend_by_the_year() -> None:
    """Six days, then a year of the same slope."""
    short = tuple(Dated(date(2025, 6, k), float(k)) for k in range(1, 7))
    assert "5 of 330 days from the first result to the last" in trend_words(trend(short), "SU", ALPHA)
    long = tuple(Dated(date(2024, 6, 1) + timedelta(days=66 * k), float(k)) for k in range(6))
    assert trend_words(trend(long), "SU", ALPHA).startswith("rising: 6 results")
