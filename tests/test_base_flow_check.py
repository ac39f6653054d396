"""Stream flow against its base flow, as a night judges it: what triggers, since when, and where."""

import re
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.checks.base_flow import check, not_evaluable
from models.finding import Finding, transitions
from models.policy import default_policy
from models.question import Changed, Judged
from models.streamflow.day_states import DailyFlow
from tests.record_in_memory import BASE_FLOW, BEGAN, HALF_MILE, Record, ask, flow, flows, rule, site, standing, stream

TRIGGER, EFFECT = rule("howard.baseflow"), rule("howard.baseflow.effect")
CRITICAL, ON_PROPERTY = rule("howard.surface_use.base_flow"), rule("howard.surface_owner.base_flow")
HIGH, LOW, EQUAL = "6.00", "4.00", "5.00"
DAY = date(2025, 8, 1)
NO_BASE_FLOW = "G-1: no base flow was established before mining"


def judged(
    values: list[str | None], *, start: date = DAY, law: Any = TRIGGER, more: int = 0, **question: Any
) -> Judged:
    """The days given, judged on the last of them (or ``more`` days later)."""
    record = Record({"G-1": flows(start, values)})
    return judged_record(record, start + timedelta(days=len(values) - 1 + more), law=law, **question)


def judged_record(record: Record, on: date, *, law: Any = TRIGGER, **question: Any) -> Judged:
    """Without the outages between the first day of mining and the days given."""
    answer = check(law, ask(record, on, **question))
    return Judged(tuple(one for one in answer.findings if one.status != "OUTAGE"), answer.scopes)


def only(answer: Judged) -> Finding:
    (found,) = answer.findings
    return found


def test_five_days_are_not_more_than_five() -> None:
    assert judged([HIGH, *[LOW] * 5]).findings == ()
    assert judged([HIGH, *[LOW] * 5, HIGH]).findings == ()


def test_the_sixth_day_is_the_trigger_date() -> None:
    found = only(judged([HIGH, *[LOW] * 6]))
    assert (found.verdict, found.status, found.ongoing) == ("attained", "TRIGGERED_OPEN", True)
    assert (found.start, found.end, found.opened_on) == (date(2025, 8, 2), date(2025, 8, 7), date(2025, 8, 7))
    assert (found.clause, found.station, found.opens) == ("2.09(3)(c)", "G-1", "howard.baseflow")
    assert found.limit == "5.00 cfs"


def test_equal_to_base_flow_is_not_below_it() -> None:
    assert judged([HIGH, *[EQUAL] * 9]).findings == ()
    assert judged([HIGH, *[LOW] * 5, EQUAL, *[LOW] * 5]).findings == ()


def test_one_day_back_at_base_flow_ends_the_spell_and_the_count_begins_anew() -> None:
    found = judged([HIGH, *[LOW] * 6, EQUAL, *[LOW] * 6]).findings
    assert [(one.start, one.status) for one in found] == [
        (date(2025, 8, 2), "TRIGGERED_CLOSED"), (date(2025, 8, 9), "TRIGGERED_OPEN"),
    ]  # fmt: skip


def test_nothing_is_judged_before_mining_began() -> None:
    start = BEGAN - timedelta(days=30)
    assert judged([LOW] * 30, start=start).findings == ()


def test_a_spell_across_the_first_day_of_mining_counts_its_days_since() -> None:
    start = BEGAN - timedelta(days=30)
    assert judged([LOW] * 35, start=start).findings == ()
    found = only(judged([LOW] * 36, start=start))
    assert (found.start, found.opened_on) == (BEGAN, BEGAN + timedelta(days=5))
    assert found.facts["known_below_days"] == 6


def test_unknown_days_are_neither_below_nor_recovery() -> None:
    found = only(judged([HIGH, LOW, LOW, LOW, None, LOW, LOW, LOW]))
    assert (found.verdict, found.status, found.opens) == ("indeterminate", "INDETERMINATE_OPEN", None)
    assert found.opened_on == date(2025, 8, 7), "the first day on which six may have been below"
    assert "2025-08-05 unknown" in found.evidence[0].says


def test_silence_after_the_last_row_counts_up_to_tonight() -> None:
    """Three low days, then nothing for three: it cannot be told; it has not ended."""
    assert judged([HIGH, LOW, LOW, LOW]).findings == ()
    assert only(judged([HIGH, LOW, LOW, LOW], more=3)).verdict == "indeterminate"


def test_a_short_baseline_decides_nothing() -> None:
    for years, extended, source, verdict in (
        ("2.9", None, "licensee", "indeterminate"),
        ("3", None, "licensee", "attained"),
        ("1", "G-2", "licensee", "attained"),
        ("1", "nowhere", "licensee", "indeterminate"),
        ("1", None, "DNR", "attained"),
    ):
        base = {**BASE_FLOW, "baseline_years": years, "extended_from": extended, "source": source}
        gauges = [{"id": "G-1", "stream": "CREEK"}, {"id": "G-2", "role": "reference"}]
        found = only(judged([HIGH, *[LOW] * 6], at=site(stream=[stream(base_flow=base)], gauge=gauges)))
        assert found.verdict == verdict, (years, extended, source)
        assert (found.opens is None) == (verdict == "indeterminate")


def test_the_half_mile_is_to_the_nearest_part_of_the_water() -> None:
    for feet, reached in ((HALF_MILE, True), (HALF_MILE + 0.5, False)):
        answer = judged([HIGH, *[LOW] * 6], at=site(stream=[stream(5280 + feet)]))
        assert bool(answer.findings) is reached


def test_a_stream_that_no_longer_counts_takes_its_findings_back() -> None:
    """A correction of the site moves the stream beyond the line: what was found there does not stand for ever."""
    before = judged([HIGH, *[LOW] * 6])
    after = judged([HIGH, *[LOW] * 6], at=site(stream=[stream(5280 + 2 * HALF_MILE)]))
    assert [one.change for one in transitions(before.findings, after.findings, after.scopes)] == ["retracted"]


@pytest.mark.parametrize(
    ("law", "parts", "reached"),
    [
        (CRITICAL, {}, False),
        (CRITICAL, {"uses": ["personal"]}, False),
        (CRITICAL, {"uses": ["municipal"]}, True),
        (CRITICAL, {"uses": ["agricultural", "personal"]}, True),
        (ON_PROPERTY, {}, False),
        (ON_PROPERTY, {"serves": ["R-1"]}, True),
        (TRIGGER, {}, True),
    ],
)
def test_which_waters_a_clause_reaches(law: Any, parts: dict[str, Any], reached: bool) -> None:
    answer = judged([HIGH, *[LOW] * 6], law=law, at=site(stream=[stream(**parts)]))
    assert bool(answer.findings) is reached
    assert all(one.opens is None for one in answer.findings) or law is TRIGGER


@pytest.mark.parametrize(
    ("stream_ft", "parcel_ft", "reached"), [(9000, 2640, True), (9000, 2641, False), (100, 2641, False)]
)
def test_standing_is_by_the_owner_s_parcel_and_not_by_the_water(stream_ft: int, parcel_ft: int, reached: bool) -> None:
    """2.15(1): a property owner within 1/2 mile; the water that serves the property may lie anywhere."""
    parcel = [(-9000, 0), (-parcel_ft, 100), (-9000, 200)]
    at = site(
        stream=[stream(5280 + stream_ft, serves=["R-1"])], property=[{"id": "R-1", "parcel": "1", "polygon": parcel}]
    )
    assert bool(judged([HIGH, *[LOW] * 6], law=ON_PROPERTY, at=at).findings) is reached


@pytest.mark.parametrize("gauge", [{"role": "reference"}, {"measures": "stage"}, {"stream": None}])
def test_which_gauges_are_judged(gauge: dict[str, Any]) -> None:
    assert judged([LOW] * 9, at=site(gauge=[{"id": "G-1", "stream": "CREEK", **gauge}])).findings == ()


def test_without_a_base_flow_there_is_nothing_to_fall_below() -> None:
    bare = site(stream=[stream(base_flow=None)])
    assert judged([LOW] * 9, at=bare).findings == ()
    assert not_evaluable(TRIGGER, ask(Record(), DAY, at=bare)) == [NO_BASE_FLOW]
    assert not_evaluable(TRIGGER, ask(Record(), DAY)) == []


def test_a_base_flow_drawn_from_days_of_mining_was_not_established_before_it() -> None:
    """2.09(3)(c): established prior to the beginning of mining operation. It cannot be filled in afterwards."""
    late = site(stream=[stream(base_flow={**BASE_FLOW, "record_to": BEGAN, "signed_on": BEGAN})])
    assert judged([LOW] * 9, at=late).findings == ()
    why = "version 1 rests on days to 2025-06-01, and mining began on 2025-06-01"
    assert not_evaluable(TRIGGER, ask(Record(), DAY, at=late)) == [f"{NO_BASE_FLOW}: {why}"]


def test_a_base_flow_by_month_is_that_of_the_day() -> None:
    months = {f"{month:02d}": "5.00" for month in range(1, 13)} | {"09": "6.00"}
    base = {**BASE_FLOW, "value_cfs": None, "monthly_cfs": months}
    at = site(stream=[stream(base_flow=base)])
    # 5.50 is over August's 5.00 and under September's 6.00: six days below from 1 September on.
    found = only(judged(["5.50"] * 12, start=date(2025, 8, 26), at=at))
    assert (found.start, found.opened_on) == (date(2025, 9, 1), date(2025, 9, 6))


def test_to_or_below_counts_days_by_month_and_starts_nothing() -> None:
    values = [HIGH, EQUAL, HIGH, LOW, HIGH, HIGH]
    found = judged(values, start=date(2025, 7, 29), law=EFFECT).findings
    assert [(one.start, one.measured) for one in found] == [
        (date(2025, 7, 1), "1 days at or below in 2025-07"), (date(2025, 8, 1), "1 days at or below in 2025-08"),
    ]  # fmt: skip
    for one in found:
        assert (one.verdict, one.information, one.opens, one.ongoing) == ("not_applicable", True, None, False)


def test_more_than_zero_days_is_a_duration_too() -> None:
    """A clause that says "for more than 0 days" is judged by spells, not counted by months."""
    at_once = TRIGGER.model_copy(update={"more_than_days": 0})
    assert only(judged([HIGH, LOW], law=at_once)).verdict == "attained"


def test_provisional_days_make_a_provisional_finding() -> None:
    days = [flow(DAY + timedelta(days=k), HIGH if k == 0 else LOW, approval="P") for k in range(7)]
    found = only(judged_record(Record({"G-1": days}), days[-1].day))
    assert found.provisional
    approved = [DailyFlow(one.day, one.value, approval="A") for one in days]
    after = judged_record(Record({"G-1": approved}), days[-1].day)
    assert [one.change for one in transitions([found], after.findings, after.scopes)] == ["confirmed"]


def test_the_baseline_record_gives_the_natural_rate_and_no_finding() -> None:
    """Six low days in a year of baseline: once a year in nature, printed beside the alert."""
    year = flows(BEGAN - timedelta(days=365), [LOW] * 6 + [HIGH] * 359)
    record = Record({"G-1": year + flows(BEGAN, [HIGH, *[LOW] * 6])})
    found = only(check(TRIGGER, ask(record, BEGAN + timedelta(days=6))))
    says = next(one.says for one in found.evidence if one.line == "natural rate")
    assert "met once in 1.0 years (1.0 per year)" in says


def test_the_natural_rate_carries_its_interval_the_same_every_night() -> None:
    """None, one, two and three times a year, three years of each: 1.5 a year, and years drawn anew lie about it."""
    years = [[*([LOW] * 6 + [HIGH] * 10) * (k % 4), *[HIGH] * (365 - 16 * (k % 4))] for k in range(12)]
    before = flows(BEGAN - timedelta(days=12 * 365), [value for year in years for value in year])
    record, on = Record({"G-1": before + flows(BEGAN, [HIGH, *[LOW] * 6])}), BEGAN + timedelta(days=6)
    found = only(check(TRIGGER, ask(record, on)))
    says = next(one.says for one in found.evidence if one.line == "natural rate")
    said = re.search(r"met 18 times in 12\.0 years \(1\.5 per year, 90 % interval (\d\.\d) to (\d\.\d)\)", says)
    assert said, says
    assert 0.7 <= float(said[1]) < 1.5 < float(said[2]) <= 2.3
    assert only(check(TRIGGER, ask(record, on))).body() == found.body()


# Outages: of the gauge, and no verdict on the mine.


def test_an_outage_is_opened_once_and_ends_when_data_return() -> None:
    """Six silent days are an outage, five are none; while it goes on nothing is told again."""
    days = flows(BEGAN, [HIGH, HIGH])
    stands: dict[str, Finding] = {}
    told: list[tuple[int, str]] = []
    for night in range(1, 13):
        on = BEGAN + timedelta(days=night)
        changed = Changed()
        if night == 10:
            days.append(flow(on, HIGH))
            changed = Changed({("G-1", "discharge"): on})
        answer = check(TRIGGER, ask(Record({"G-1": days}), on, changed=changed))
        changes = transitions(list(stands.values()), answer.findings, answer.scopes)
        told += [(night, one.change) for one in changes]
        stands = standing(stands, changes)
    assert told == [(7, "opened"), (10, "ended")]
    (outage,) = stands.values()
    assert (outage.status, outage.verdict, outage.information, outage.opens) == ("OUTAGE", "not_applicable", True, None)
    assert (outage.start, outage.end) == (BEGAN + timedelta(days=2), BEGAN + timedelta(days=9))


def test_late_data_take_an_outage_back() -> None:
    gap = flows(BEGAN, [HIGH, *[None] * 7, HIGH])
    before = check(TRIGGER, ask(Record({"G-1": gap}), gap[-1].day))
    filled = Record({"G-1": flows(BEGAN, [HIGH] * 9)})
    after = check(TRIGGER, ask(filled, gap[-1].day, changed=Changed({("G-1", "discharge"): gap[1].day})))
    assert [one.change for one in transitions(before.findings, after.findings, after.scopes)] == ["retracted"]


def test_an_outage_stands_under_one_rule() -> None:
    """A stream that three clauses reach has one gauge, and one outage."""
    at = site(stream=[stream(uses=["municipal"], serves=["R-1"])])
    record, on = Record({"G-1": flows(BEGAN, [HIGH, *[None] * 7])}), BEGAN + timedelta(days=7)
    found = [
        one for law in (TRIGGER, CRITICAL, ON_PROPERTY, EFFECT) for one in check(law, ask(record, on, at=at)).findings
    ]
    assert [(one.rule, one.status) for one in found] == [("howard.baseflow", "OUTAGE")]


# The night judges only a window; the answer must be that of the whole record.

RUNS = st.lists(
    st.tuples(st.sampled_from([HIGH, EQUAL, LOW, LOW, None]), st.sampled_from([1, 1, 2, 3, 5, 6, 7, 70])),
    min_size=1,
    max_size=14,
)
RULES = (TRIGGER, EFFECT)


def spread(runs: list[tuple[str | None, int]]) -> list[str | None]:
    return [value for value, length in runs for _ in range(length)]


def one_night(stands: dict[str, Finding], days: list[DailyFlow], on: date, changed: Changed) -> dict[str, Finding]:
    question = ask(Record({"G-1": days}), on, changed=changed)
    answers = [check(law, question) for law in RULES]
    current = [one for answer in answers for one in answer.findings]
    return standing(stands, transitions(list(stands.values()), current, [s for a in answers for s in a.scopes]))


@settings(deadline=None)
@given(
    runs=RUNS,
    nights=st.lists(st.integers(1, 40), min_size=1, max_size=4),
    revisions=st.lists(st.tuples(st.integers(0, 400), st.sampled_from([HIGH, EQUAL, LOW, None])), max_size=3),
    silence=st.integers(0, 9),
)
def test_a_window_answers_as_the_whole_record(
    runs: list[tuple[str | None, int]], nights: list[int], revisions: list[tuple[int, str | None]], silence: int
) -> None:
    """Night after night with only the new rows, then some revised days: what stands is what a first load finds."""
    start = BEGAN - timedelta(days=9)
    days = flows(start, spread(runs))
    stands: dict[str, Finding] = {}
    seen, on = 0, start
    for more in [*nights, len(days)]:
        new = days[seen : seen + more]
        if not new:
            break
        seen, on = seen + len(new), new[-1].day
        stands = one_night(stands, days[:seen], on, Changed({("G-1", "discharge"): new[0].day}))
    for place, value in revisions:
        at = 9 + place % max(len(days) - 9, 1)
        if at < len(days):
            days[at] = flow(days[at].day, value)
            stands = one_night(stands, days, on, Changed({("G-1", "discharge"): days[at].day}))
    for _ in range(silence):
        on += timedelta(days=1)
        stands = one_night(stands, days, on, Changed())
    whole = one_night({}, days, on, Changed(everything=True))
    assert {key: one.body() for key, one in stands.items()} == {key: one.body() for key, one in whole.items()}


def test_a_recovery_is_one_under_the_town_s_own_policy() -> None:
    """Where the town wants 90 percent of a day, a day of 85 percent inside a spell is unknown and opens no window."""
    policy = default_policy()
    strict = policy.day_minimum_coverage.model_copy(update={"value": Decimal("0.90")})
    policy = policy.model_copy(update={"day_minimum_coverage": strict})
    days = flows(DAY, [HIGH, LOW, LOW, LOW, "5.10", LOW, LOW, LOW])
    days[4] = flow(days[4].day, "5.10", coverage=Decimal("0.85"), origin="computed")
    record, on = Record({"G-1": days}), days[-1].day
    whole = only(judged_record(record, on, policy=policy))
    window = only(judged_record(record, on, policy=policy, changed=Changed({("G-1", "discharge"): on})))
    assert whole.verdict == "indeterminate"
    assert window.body() == whole.body()


def test_the_cost_of_a_night_follows_the_new_rows() -> None:
    """With a recovery last week, a night does not ask for the record of the years before it."""

    class Counting(Record):
        asked = 0

        def daily(self, station: str, parameter: str, start: date | None, end: date) -> list[DailyFlow]:
            found = super().daily(station, parameter, start, end)
            self.asked += len(found)
            return found

    record = Counting({"G-1": flows(BEGAN, [HIGH] * 2000)})
    on = BEGAN + timedelta(days=1999)
    check(TRIGGER, ask(record, on, changed=Changed({("G-1", "discharge"): on})))
    assert record.asked <= 70


def test_a_corrected_base_flow_judges_the_days_from_its_date_and_both_versions_are_shown() -> None:
    """Decision 30: frozen; a correction is a new dated version, and old days keep the old one."""
    first = {**BASE_FLOW, "version": "1"}
    corrected = {**first, "version": "2", "value_cfs": Decimal("3.50"), "effective": date(2025, 8, 10)}
    before, after = [HIGH, *[LOW] * 7, HIGH], [HIGH, *[LOW] * 7, HIGH]
    answer = judged(
        [*before, *after], start=date(2025, 8, 1), at=site(stream=[{**stream(), "base_flow": [first, corrected]}])
    )
    found = only(answer)
    assert (found.start, found.limit, found.aspect) == (date(2025, 8, 2), "5.00 cfs", "base flow 1")
    versions = next(line.says for line in found.evidence if line.line == "base flow versions")
    assert "version 1" in versions
    assert "version 2 from 2025-08-10: 3.50 cfs" in versions


# Each day by its own base flow, version, signer and stream.


def by_month(**other: str) -> dict[str, Any]:
    months = {f"{month:02d}": "5.00" for month in range(1, 13)} | other
    return {**BASE_FLOW, "value_cfs": None, "monthly_cfs": months}


def test_a_sentence_over_a_month_s_end_names_the_base_flow_of_each_day() -> None:
    """5.50 is under August's 6.00 and 4.80 under September's 5.00; 5.50 was never under 5.00."""
    at = site(stream=[stream(base_flow=by_month(**{"08": "6.00"}))])
    days = ["6.50", *["5.50"] * 3, *["4.80"] * 3]
    found = only(judged(days, start=date(2025, 8, 28), at=at))
    assert found.opened_on == date(2025, 9, 3)
    assert found.limit == "6.00 to 5.00 cfs"
    assert (
        "below the established base flow on each of the 6 days 2025-08-29 to 2025-09-03: 5.50 cfs on 2025-08-29 to "
        "2025-08-31 against 6.00 cfs (version 1), 4.80 cfs on 2025-09-01 to 2025-09-03 against 5.00 cfs (version 1); "
        "version 1: Q90 of the baseline"
    ) in found.reason
    says = found.evidence[0].says
    assert says.startswith("< 6.00 cfs: 2025-08-29 5.50 cfs")
    assert "; < 5.00 cfs: 2025-09-01 4.80 cfs" in says


def test_a_month_of_information_names_every_base_flow_of_its_days() -> None:
    first, second = BASE_FLOW, {**BASE_FLOW, "version": "2", "value_cfs": "4.00", "effective": date(2025, 8, 3)}
    at = site(stream=[{**stream(), "base_flow": [first, {**second, "signed_by": "B. Other"}]}])
    found = only(judged(["5.00", "5.00", "4.50", "4.00"], law=EFFECT, at=at))
    assert (found.measured, found.limit) == ("3 days at or below in 2025-08", "5.00 to 4.00 cfs")
    assert "<= 5.00 cfs (version 1): 2025-08-01 5.00 cfs" in found.evidence[0].says
    assert found.verification == "version 1 signed by A. Hydrogeologist, PG; version 2 signed by B. Other, PG"


def test_a_correction_within_a_shortfall_is_said_with_both_signers_and_is_no_neighbouring_month() -> None:
    second = {**BASE_FLOW, "version": "2", "value_cfs": "4.00", "effective": date(2025, 8, 5)}
    second |= {"signed_by": "B. Other", "method": "Q95, rating corrected", "signed_on": date(2025, 8, 1)}
    at = site(stream=[{**stream(), "base_flow": [BASE_FLOW, second]}])
    found = only(judged([HIGH, *["4.80"] * 3, *["3.80"] * 3], at=at))
    assert found.limit == "5.00 to 4.00 cfs"
    assert "4.80 cfs on 2025-08-02 to 2025-08-04 against 5.00 cfs (version 1)" in found.reason
    assert "3.80 cfs on 2025-08-05 to 2025-08-07 against 4.00 cfs (version 2)" in found.reason
    assert "version 2: Q95, rating corrected, record 2020-01-01 to 2025-05-31, signed by B. Other" in found.reason
    assert "THRESHOLD_STEP: with the base flow before the correction of 2025-08-05, or after it," in found.reason
    assert "neighbouring month" not in found.reason
    assert found.verification.endswith("version 2 signed by B. Other, PG")
    assert found.facts["base_flow_version"] == "1, 2"
    assert "contested" not in found.reason, "a correction is signed when the mistake is found"


def test_a_correction_of_a_short_baseline_cannot_be_told_from_its_day_on() -> None:
    short = {**BASE_FLOW, "version": "2", "effective": date(2025, 8, 5), "baseline_years": "1"}
    at = site(stream=[{**stream(), "base_flow": [BASE_FLOW, short]}])
    assert only(judged([HIGH, *[LOW] * 6], at=at)).verdict == "indeterminate"


def test_a_surrogate_s_sentence_names_stream_transfer_and_both_numbers() -> None:
    at = site(gauge=[{"id": "G-1", "surrogate_for": "CREEK", "transfer_ratio": "0.5"}])
    found = only(judged(["12.00", *["9.98"] * 6], at=at))
    assert (
        "mean daily flow of Creek, 4.99 cfs, transferred from G-1, 9.98 cfs, times 0.5, was below the established base "
        "flow (5.00 cfs"
    ) in found.reason
    assert "flow at G-1 was" not in found.reason


# What was signed, and when.

LATE = {**BASE_FLOW, "signed_on": date(2025, 8, 4)}
INDEX = {"extended_from": "G-2", "parameters": {"index_to": "2025-05-31"}}


def test_a_base_flow_signed_after_mining_began_convicts_no_day_before_its_signature() -> None:
    at = site(stream=[stream(base_flow=LATE)])
    assert judged([LOW] * 8, at=at).findings == (), "five days since the signature, eight in all"
    found = only(judged([LOW] * 9, at=at))
    assert (found.start, found.opened_on) == (date(2025, 8, 4), date(2025, 8, 9))
    assert (
        "version 1 was signed on 2025-08-04, after mining began on 2025-06-01: it judges from 2025-08-04"
        in found.reason
    )
    (line,) = not_evaluable(TRIGGER, ask(Record(), DAY + timedelta(days=9), at=at))
    assert "signed on 2025-08-04, after mining began on 2025-06-01" in line
    assert "days before" not in line


def test_nothing_is_used_before_it_was_signed() -> None:
    for base in (LATE, {**LATE, **INDEX}, {**LATE, "source": "DNR", "licence_kind": "DNR"}):
        at = site(stream=[stream(base_flow=base)])
        on = date(2025, 8, 3)
        assert judged([LOW] * 9, start=date(2025, 7, 26), at=at).findings == ()
        (line,) = not_evaluable(TRIGGER, ask(Record(), on, at=at))
        assert line == f"{NO_BASE_FLOW}: version 1, signed on 2025-08-04, is not signed by 2025-08-03"


@pytest.mark.parametrize(
    ("change", "back"),
    [
        ({"source": "DNR", "licence_kind": "DNR"}, True),
        (INDEX, True),
        ({**INDEX, "licence_kind": "PE"}, False),
        ({"extended_from": "G-2"}, False),
    ],
)
def test_what_may_be_signed_late_and_still_judge_from_the_first_day(change: dict[str, Any], back: bool) -> None:
    """Decision 29: DNR's own, or a hydrogeologist's reconstruction from an index record that predates mining."""
    at = site(stream=[stream(base_flow={**LATE, **change})])
    first_night = Changed({("G-1", "discharge"): date(2025, 8, 9)})
    found = only(judged([HIGH, *[LOW] * 8], at=at, changed=first_night))
    assert found.start == (date(2025, 8, 2) if back else date(2025, 8, 4))


@pytest.mark.parametrize("signed", [{}, LATE])
def test_a_base_flow_drawn_from_an_index_record_that_reaches_into_mining_is_never_judged_by(
    signed: dict[str, Any],
) -> None:
    """Decision 29: a reconstruction is allowed if the index record predates mining, which began on 1 June."""
    base = {**BASE_FLOW, **signed, "extended_from": "G-2", "parameters": {"index_to": "2025-06-01"}}
    at = site(stream=[stream(base_flow=base)])
    assert judged([LOW] * 9, at=at).findings == ()
    (line,) = not_evaluable(TRIGGER, ask(Record(), DAY + timedelta(days=9), at=at))
    assert "rests on days to 2025-06-01, and mining began on 2025-06-01" in line
    before = {**base, "parameters": {"index_to": "2025-05-31"}}
    assert only(judged([LOW] * 9, at=site(stream=[stream(base_flow=before)]))).status == "TRIGGERED_OPEN"


def test_what_is_signed_late_and_judges_from_the_first_day_finds_what_was_over_by_then() -> None:
    """The first night after the signature has only one new day; July was read long ago."""
    at = site(stream=[stream(base_flow={**LATE, "source": "DNR", "licence_kind": "DNR"})])
    new = Changed({("G-1", "discharge"): date(2025, 8, 9)})
    found = only(judged([HIGH, *[LOW] * 6, *[HIGH] * 33], start=date(2025, 7, 1), at=at, changed=new))
    assert (found.start, found.status) == (date(2025, 7, 2), "TRIGGERED_CLOSED")


def test_a_correction_signed_after_mining_began_judges_from_its_own_day_on() -> None:
    second = {**LATE, "version": "2", "value_cfs": "3.50", "effective": date(2025, 7, 1), **INDEX}
    at = site(stream=[{**stream(), "base_flow": [BASE_FLOW, second]}])
    found = only(judged([HIGH, *[LOW] * 8], start=date(2025, 7, 26), at=at))
    assert (found.start, found.end, found.limit) == (date(2025, 7, 27), date(2025, 8, 3), "5.00 cfs")


def test_the_value_of_dnr_is_the_base_flow_from_its_day_on() -> None:
    dnr = {**BASE_FLOW, "version": "2", "value_cfs": "4.50", "source": "DNR", "licence_kind": "DNR"}
    third = {**BASE_FLOW, "version": "3", "value_cfs": "9.00", "effective": date(2025, 7, 1)}
    at = site(stream=[{**stream(), "base_flow": [BASE_FLOW, {**dnr, "effective": date(2025, 6, 2)}, third]}])
    found = only(judged([HIGH, *[LOW] * 6], at=at))
    assert found.limit == "4.50 cfs"
    says = next(line.says for line in found.evidence if line.line == "base flow versions")
    assert "version 1, 5.00 cfs, signed by A. Hydrogeologist, is not used from 2025-06-02 on: DNR's value" in says
    assert "version 3, 9.00 cfs, signed by A. Hydrogeologist, is not used: DNR's value (version 2)" in says
    assert judged([HIGH, *["4.80"] * 9], at=at).findings == ()


def test_signed_in_time_and_not_yet_in_force_is_said_so() -> None:
    on = BEGAN - timedelta(days=1)
    signed = {**BASE_FLOW, "record_to": date(2025, 5, 20), "signed_on": date(2025, 5, 21)}
    (line,) = not_evaluable(TRIGGER, ask(Record(), on, at=site(stream=[stream(base_flow=signed)])))
    assert line == "G-1: no base flow is in force yet: version 1, signed on 2025-05-21, takes effect on 2025-06-01"


def test_days_before_a_base_flow_is_in_force_are_not_judged() -> None:
    at = site(stream=[stream(base_flow={**BASE_FLOW, "effective": date(2025, 8, 4)})])
    assert only(judged([LOW] * 9, at=at)).start == date(2025, 8, 4)
    (line,) = not_evaluable(TRIGGER, ask(Record(), DAY + timedelta(days=9), at=at))
    assert line == "G-1: base flow version 1 is in force from 2025-08-04 on; mining began on 2025-06-01"


# The natural rate, references.


def line_of(found: Finding, name: str) -> str:
    return next(one.says for one in found.evidence if one.line == name)


def test_the_rate_that_was_signed_over_an_extended_record_is_told() -> None:
    base = {**BASE_FLOW, "extended_from": "G-2", "natural_rate_per_year": "1.29", "natural_rate_years": "20.99"}
    year = flows(BEGAN - timedelta(days=365), [HIGH] * 365)
    record = Record({"G-1": year + flows(BEGAN, [HIGH, *[LOW] * 6])})
    found = only(check(TRIGGER, ask(record, BEGAN + timedelta(days=6), at=site(stream=[stream(base_flow=base)]))))
    says = line_of(found, "natural rate")
    assert "met 1.29 times per year in 20.99 years of known days of the extended record" in says
    assert "met 0 times in 1.0 years (0.0 per year), too few for an interval" in says
    assert "own record of 5 years, extended from G-2" in says


def test_thirteen_days_give_no_rate() -> None:
    record = Record({"G-1": flows(BEGAN - timedelta(days=13), [HIGH] * 13 + [HIGH, *[LOW] * 6])})
    says = line_of(only(check(TRIGGER, ask(record, BEGAN + timedelta(days=6)))), "natural rate")
    assert "met 0 times in 0.04 years of known days, too few for a rate per year" in says
    assert "per year)" not in says


def test_the_natural_rate_is_that_of_the_version_in_force() -> None:
    """Nature met 5.00 once a year; under the corrected 3.50 it never did."""
    second = {**BASE_FLOW, "version": "2", "value_cfs": "3.50", "effective": date(2025, 6, 2)}
    at = site(stream=[{**stream(), "base_flow": [BASE_FLOW, second]}])
    year = flows(BEGAN - timedelta(days=365), [LOW] * 6 + [HIGH] * 359)
    record = Record({"G-1": year + flows(BEGAN, [HIGH, *["3.00"] * 6])})
    says = line_of(only(check(TRIGGER, ask(record, BEGAN + timedelta(days=6), at=at))), "natural rate")
    assert "met 0 times in 1.0 years" in says


def test_that_there_is_no_reference_gauge_is_said() -> None:
    assert line_of(only(judged([HIGH, *[LOW] * 6])), "reference gauge").startswith("none: the site has no reference")


# A stream that runs dry by nature.


def zero(**other: Any) -> Any:
    return site(stream=[stream(base_flow={**BASE_FLOW, "value_cfs": "0.00", **other})])


def test_under_a_base_flow_of_zero_days_without_flow_are_counted_beside_those_before_mining() -> None:
    before = flows(BEGAN - timedelta(days=365), ["0.00"] * 12 + ["1.00"] * 353)
    record = Record({"G-1": before + flows(BEGAN, ["1.00", *["0.00"] * 7])})
    found = only(judged_record(record, BEGAN + timedelta(days=7), at=zero()))
    assert (found.verdict, found.status, found.information) == ("not_applicable", "NOT_APPLICABLE", True)
    assert found.measured == "7 days without flow in 2025"
    assert "before mining began 12 of 365 known days were without flow (12.0 per year of them)" in found.reason
    assert judged_record(record, BEGAN + timedelta(days=7), law=EFFECT, at=zero()).findings == ()
    (line,) = not_evaluable(TRIGGER, ask(record, BEGAN, at=zero()))
    assert line.startswith("G-1: NOT_APPLICABLE: the base flow is zero")


def test_a_month_of_zero_among_others_is_counted_and_the_others_are_judged() -> None:
    at = site(stream=[stream(base_flow=by_month(**{"08": "0.00"}))])
    days = ["0.00"] * 31 + [LOW] * 6
    found = {one.status: one for one in judged(days, at=at).findings}
    assert set(found) == {"NOT_APPLICABLE", "TRIGGERED_OPEN"}
    assert found["NOT_APPLICABLE"].measured == "31 days without flow in 2025"
    assert found["TRIGGERED_OPEN"].start == date(2025, 9, 1)
    low = judged(days, law=EFFECT, at=at).findings
    assert [one.start for one in low] == [date(2025, 9, 1)], "to or below zero is always true, and says nothing"
