"""The shortfall machine: every published case, the decisions without one, and properties against brute force."""

import pickle
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest import cells
from ingest.rdb import values
from models.errors import BadQuestion
from models.streamflow.day_states import explain
from models.streamflow.natural_rate import natural_rate
from models.streamflow.pooling import pooled
from models.streamflow.practice import Practice
from models.streamflow.revision import changes
from models.streamflow.shortfall import (
    DailyFlow,
    DayState,
    Threshold,
    day_state,
    days_below,
    judge,
    status_verdict,
)
from models.streamflow.spells import SpellMachine
from models.streamflow.statuses import STATUSES
from tests.shortfall_tables import JULY, MORE, PUBLISHED, record, said, threshold_of, wanted, written

CASES = [*PUBLISHED, *MORE]
FIVE = Threshold.constant(Decimal("5.00"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case_id"])
def test_case(case):
    assert said(case) == wanted(case)


def five(text, **kwargs):
    return judge(record(text), FIVE, **kwargs)


def only(text, **kwargs):
    (spell,) = five(text, **kwargs).spells
    return spell


def state(value="4.80", *qualifiers, base="5.00", operator="lt", quantity="discharge", **fields):
    day = DailyFlow(JULY, None if value is None else Decimal(value), qualifiers=qualifiers, **fields)
    return day_state(day, Decimal(base), operator, quantity)


# Decisions 2 to 22, one day at a time.
@pytest.mark.parametrize(
    "code", ["Ice", "Eqp", "Bkw", "Dis", "Ssn", "Rat", "Fld", "***", "ICE", "Pr", "Tst", "Mnt", "Zfl", "Pmp"]
)
def test_a_raw_value_under_a_void_code_is_unknown(code):
    assert state("4.80", code) == "U"
    assert state("6.00", code) == "U"


def test_every_word_that_stands_for_a_value_voids_it_but_dry():
    words = (values.WORDS | cells.WORDS) - {"dry"}
    assert {word: state("4.80", word) for word in words} == dict.fromkeys(words, "U")


def test_an_estimate_of_a_bare_csv_counts_and_its_value_is_rounded():
    assert state("4.80", "e", "Ice", origin="bare") == "B"
    assert state("4.80", "Ice", origin="bare") == "U"
    assert state("4.996", origin="bare") == "N"
    estimated = only("4.80x6 5.10").reasons
    assert not any("estimated" in one for one in estimated)
    days = [replace(day, qualifiers=("e",), origin="bare") for day in record("4.80x6 5.10")]
    assert any("estimated: 2025-07-01" in one for one in judge(days, FIVE).spells[0].reasons)


def test_an_estimated_value_counts_even_under_ice():
    assert state("4.80", "e") == "B"
    assert state("4.80", "Ice", "e") == "B"
    assert state("4.80", "Ice", origin="estimated") == "B"


def test_an_e_on_our_own_mean_does_not_lift_ice():
    assert state("4.80", "Ice", "e", origin="computed") == "U"


def test_dry_with_zero_is_a_value_and_without_is_unknown():
    assert state("0.00", "Dry") == "B"
    assert state(None, "Dry") == "U"
    assert state("1.00", "Dry") == "U"


@pytest.mark.parametrize("value", ["-0.01", "-999999", "NaN", "Infinity", None])
def test_no_flow_value_is_unknown(value):
    assert state(value) == "U"


def test_a_published_value_compares_as_published_and_our_own_is_rounded_half_up():
    assert state("4.996") == "B"
    assert state("4.996", origin="computed") == "N"
    assert state("4.995", origin="computed") == "N"
    assert state("4.9949999", origin="computed") == "B"
    assert state("12.34", base="12.3", origin="computed") == "N"
    assert state("12.25", base="12.3", origin="computed") == "N"
    assert state("149.5", base="150", origin="computed") == "N"
    assert state("1E+30", origin="computed") == "N"


def test_equality_takes_the_words_of_the_clause():
    assert state("5.00") == "N"
    assert state("5.00", operator="le") == "B"


def test_thin_days():
    assert state("4.80", coverage=Decimal("0.80")) == "B"
    assert state("4.80", coverage=Decimal("0.79")) == "U"
    assert state("12.00", coverage=Decimal("0.42")) == "N"
    assert state("12.50", coverage=Decimal("0.40"), operator="le") == "U"
    assert state("0.00", coverage=Decimal("0.10")) == "U"


def test_a_long_hole_makes_a_day_unknown_unless_its_flow_is_certain():
    assert state("4.80", coverage=Decimal("0.82"), hole_too_long=True) == "U"
    assert state("6.20", coverage=Decimal("0.82"), hole_too_long=True) == "N"
    assert state("99.0", hole_too_long=True) == "U"


def test_a_bound_decides_one_way_only():
    assert state("4.80", "<") == "B"
    assert state("5.20", "<") == "U"
    assert state("4.80", ">") == "U"
    assert state("5.20", ">") == "N"


def test_stage():
    assert state("884.15", "Ice", base="884.20", quantity="stage") == "B"
    assert state("884.15", "Eqp", base="884.20", quantity="stage") == "U"
    assert state("884.196", base="884.20", quantity="stage", origin="computed") == "N"
    assert state("-0.50", base="0.00", quantity="stage") == "B"
    assert state("900.00", base="500.00", quantity="stage", coverage=Decimal("0.6")) == "U"


def test_an_unknown_day_says_why():
    assert explain(DailyFlow(JULY, None, qualifiers=("Eqp",)), Decimal(5)) == ("U", "no value (Eqp)")
    assert explain(DailyFlow(JULY, Decimal(4), coverage=Decimal("0.6")), Decimal(5)) == ("U", "coverage 60%")


@pytest.mark.parametrize(
    ("share", "said"),
    [("0.799", "79.9%"), ("0.79999", "79.9%"), ("0.60", "60%"), ("0.0004", "0%"), ("0.7", "70%"), ("0.2525", "25.2%")],
)
def test_a_coverage_is_never_said_to_be_more_than_it_is(share, said):
    assert explain(DailyFlow(JULY, Decimal(4), coverage=Decimal(share)), Decimal(5)) == ("U", f"coverage {said}")


# Decisions on spells without a published case.
@pytest.mark.parametrize(
    ("series", "spells"),
    [
        ("4.80x6 5.10", "2025-07-01..2025-07-06/6/6/TRIGGERED_CLOSED"),
        ("4.80x3 NAx3 5.10", "2025-07-01..2025-07-03/3/6/INDETERMINATE"),
        ("4.80x3 NAx3", "2025-07-01..2025-07-03/3/6/INDETERMINATE_OPEN"),
        ("4.80x3 NAx2", "2025-07-01..2025-07-03/3/5/WATCH"),
        ("4.80x2 NAx3 4.80 NAx2 5.10", "2025-07-01..2025-07-06/3/8/INDETERMINATE"),
        ("4.80x2 NAx4 5.10", "2025-07-01..2025-07-02/2/6/MINOR_CENSORED"),
        ("4.80x2 NA 5.10", "2025-07-01..2025-07-02/2/3/MINOR"),
        ("NAx3 4.80x3 5.10", "2025-07-04..2025-07-06/3/6/INDETERMINATE"),
        ("4.80x6 NAx6", "2025-07-01..2025-07-06/6/6/TRIGGERED_CENSORED"),
        ("4.80x2 NAx6 4.80x6 5.10",
         "2025-07-01..2025-07-02/2/2/MINOR_CENSORED 2025-07-09..2025-07-14/6/6/TRIGGERED_CLOSED"),
        ("4.80x2 NAx6 5.10 4.80x4 5.10",
         "2025-07-01..2025-07-02/2/2/MINOR_CENSORED 2025-07-10..2025-07-13/4/4/MINOR"),
        ("NAx7 4.80 NAx6 4.80 5.10",
         "2025-07-08..2025-07-08/1/1/MINOR_CENSORED 2025-07-15..2025-07-15/1/1/MINOR_CENSORED"),
        ("NAx7 4.80x3", "2025-07-08..2025-07-10/3/3/INDETERMINATE_OPEN"),
        ("NAx7 4.80x2", "2025-07-08..2025-07-09/2/2/WATCH"),
    ],
)  # fmt: skip
def test_spells(series, spells):
    assert written(five(series))[0] == spells


def test_the_outer_bounds_take_the_linked_unknown_days():
    spell = only("5.10 NAx2 4.80x3 NA 5.10")
    assert (spell.earliest_start, spell.latest_end) == (date(2025, 7, 2), date(2025, 7, 7))
    assert spell.unknown_days == (date(2025, 7, 2), date(2025, 7, 3), date(2025, 7, 7))


def test_the_outer_bound_beside_an_outage_is_null():
    spell = only("NAx6 4.80x3 NA 4.80 NAx6")
    assert (spell.earliest_start, spell.latest_end) == (None, None)
    assert (spell.known_below_days, spell.possible_days) == (4, 5)
    assert "2025-07-06 hides its beginning" in spell.reasons[1]


def test_a_date_that_is_missing_is_an_unknown_day():
    days = [day for day in record("4.80x12 5.10") if day.day.day not in (5, 6)]
    assert written(judge(days, FIVE)) == written(five("4.80x4 NAx2 4.80x6 5.10"))


def test_a_reviewers_estimate_settles_an_indeterminate_spell():
    days = record("4.80x4 NA 4.80 5.10")
    assert judge(days, FIVE).spells[0].status == "INDETERMINATE"
    days[4] = DailyFlow(days[4].day, Decimal("4.7"), "estimated")
    (spell,) = judge(days, FIVE).spells
    assert (spell.status, spell.trigger_date) == ("TRIGGERED_CLOSED", date(2025, 7, 6))
    assert "estimated: 2025-07-05" in spell.reasons


def test_indeterminate_names_the_missing_days_and_what_would_settle_it():
    (reason,) = only("4.80x5 4.80@60% 4.80 5.10").reasons
    assert "2025-07-06 coverage 60%" in reason
    assert "field measurement" in reason


def test_watch_says_how_far_it_is():
    assert only("4.80x4").reasons == ("4 of 6 consecutive days below",)


def test_provisional():
    assert only("4.80Px6 5.10P").provisional
    assert only("4.80Ax5 4.80P 5.10A").provisional
    assert not only("4.80Ax6 5.10P").provisional


@pytest.mark.parametrize(
    ("series", "confidence"),
    [
        ("4.62x6 5.10", "BEYOND_UNCERTAINTY"),
        ("4.63x6 5.10", "WITHIN_UNCERTAINTY"),
        ("4.62x5 4.90 4.62x5 5.10", "WITHIN_UNCERTAINTY"),
        ("4.62x3 NA 4.62x3 4.80x3 5.10", "WITHIN_UNCERTAINTY"),
        ("4.80x2 4.62x6 5.10", "BEYOND_UNCERTAINTY"),
        ("4.00x5 5.10", None),
    ],
)
def test_confidence(series, confidence):
    assert only(series).confidence == confidence


def test_confidence_takes_a_better_rating_and_of_a_stage_is_in_feet():
    assert only("4.70x6 5.10", uncertainty=Decimal("0.05")).confidence == "BEYOND_UNCERTAINTY"
    lake = [judge(record(f"{v}x6"), threshold_of("884.20"), quantity="stage") for v in ("884.17", "884.18")]
    assert [one.spells[0].confidence for one in lake] == ["BEYOND_UNCERTAINTY", "WITHIN_UNCERTAINTY"]


@pytest.mark.parametrize(
    ("series", "start", "stepped", "status"),
    [
        ("5.50x10", date(2025, 6, 28), True, "TRIGGERED_OPEN"),  # the step up on 1 July makes it
        ("4.80x8", date(2025, 6, 27), False, "TRIGGERED_OPEN"),  # below either base flow
        ("4.80x3 5.50x3 6.10", date(2025, 6, 28), True, "TRIGGERED_CLOSED"),  # three of its days are below in July only
        ("6.10 5.50x6 6.10", date(2025, 7, 9), False, "TRIGGERED_CLOSED"),  # touches no other month
    ],
)
def test_threshold_step(series, start, stepped, status):
    spells = judge(record(series, start), Threshold.monthly({6: Decimal(5), 7: Decimal(6)})).spells
    assert [(one.threshold_step, one.status) for one in spells] == [(stepped, status)]
    assert any("THRESHOLD_STEP" in reason for reason in spells[0].reasons) is stepped


def test_a_base_flow_of_zero_is_not_applicable_under_both_words_but_a_stage_of_zero_is():
    zero = Threshold.constant(Decimal("0.00"))
    assert [judge(record("0.00x9"), zero, operator=one).status for one in ("lt", "le")] == ["NOT_APPLICABLE"] * 2
    assert judge(record("-0.10x6"), zero, quantity="stage").spells[0].status == "TRIGGERED_OPEN"


def test_a_month_with_a_base_flow_of_zero_says_nothing_of_a_dry_day():
    dry_june = Threshold.monthly({6: Decimal(0), 7: Decimal(1)})
    found = judge(record("0.00x9", date(2025, 6, 28)), dry_june, operator="le")
    assert written(found)[0] == "2025-07-01..2025-07-06/6/9/TRIGGERED_OPEN"
    assert judge(record("0.00x9", date(2025, 6, 28)), dry_june).spells[0].start == JULY


def test_no_record_and_a_record_of_nothing():
    assert judge([], FIVE).status == "NOT_EVALUABLE"
    blank = five("NAx9")
    assert (blank.status, blank.spells) == ("EVALUATED", ())
    assert "nothing is ruled out" in blank.reason


def test_a_clause_without_duration_and_one_with_another():
    assert only("4.80", more_than_days=0).trigger_date == JULY
    assert only("4.80x10 5.10", more_than_days=10).status == "MINOR"
    assert only("4.80x3 NAx6", more_than_days=10).indeterminate_from == date(2025, 7, 9)


def test_a_town_may_adopt_another_practice():
    strict = Practice(longest_linking_gap_days=2, indeterminate_known_days=4, minimum_coverage=Decimal("0.95"))
    assert only("4.80x3 NAx3", practice=strict).status == "MINOR_CENSORED"
    assert only("4.80@90% 4.80x2", practice=strict).known_below_days == 2


def test_days_below_in_a_window():
    found = five("4.80x4 5.10 4.80x4 5.10 4.80x4 5.10")
    assert days_below(found, date(2025, 7, 15), 30) == 12
    assert days_below(found, date(2025, 7, 15), 5) == 4


@pytest.mark.parametrize(
    "call",
    [
        lambda: judge(record("4.80x2")[::-1], FIVE),
        lambda: judge(record("4.80") * 2, FIVE),
        lambda: judge(record("4.80x2", date(2025, 6, 30)), Threshold.monthly({6: Decimal(5)})),
        lambda: five("4.80", operator="<"),
        lambda: five("4.80", quantity="volume"),
        lambda: five("4.80", more_than_days=-1),
        lambda: five("4.80", uncertainty=Decimal("NaN")),
        lambda: five("4.80@101%"),
        lambda: judge(record("4.80"), Threshold.constant(Decimal(-1))),
        lambda: Threshold.monthly({}),
        lambda: Threshold.monthly({13: Decimal(5)}),
        lambda: Threshold.constant(Decimal("NaN")),
        lambda: status_verdict("OUTAGE"),
    ],
)
def test_a_question_without_answer_is_refused_by_key(call):
    with pytest.raises(BadQuestion) as refusal:
        call()
    assert refusal.value.key


def test_every_status_has_its_verdict():
    words = {status: status_verdict(status) for status in STATUSES}
    assert words["WATCH"] == words["MINOR_CENSORED"] == "not_attained"
    assert words["TRIGGERED_CENSORED"] == "attained"
    assert words["INDETERMINATE_OPEN"] == "indeterminate"
    assert words["NOT_EVALUABLE"] == "not_applicable"


# Decision 13: revisions.
@pytest.mark.parametrize(
    ("old", "new", "kinds", "changed"),
    [
        ("4.80Px6 5.10P", "4.80Px3 5.02A 4.80Px2 5.10P", ["RETRACTED"], [4]),
        ("4.80x3 5.02 4.80x4 5.10", "4.80x3 4.97 4.80x4 5.10", ["APPEARED"], [4]),
        ("4.80x8 5.10", "5.10x2 4.80x6 5.10", ["AMENDED"], [1, 2]),
        ("4.80Px6 5.10P", "4.80Ax6 5.10P", ["CONFIRMED"], [1, 2, 3, 4, 5, 6]),
        ("4.80x6 5.10", "4.70x6 5.10", [], []),
        ("4.80x5 5.10", "4.80x4 5.10x2", [], []),
    ],
)
def test_revision(old, new, kinds, changed):
    before, after = record(old), record(new)
    found = changes(before, judge(before, FIVE), after, judge(after, FIVE))
    assert [one.kind for one in found] == kinds
    assert [day.day for one in found for day in one.changed_days] == changed


def test_an_amended_shortfall_keeps_both_dates():
    before, after = record("4.80x8 5.10"), record("5.10x2 4.80x6 5.10")
    (one,) = changes(before, judge(before, FIVE), after, judge(after, FIVE))
    assert (one.before.trigger_date, one.after.trigger_date) == (date(2025, 7, 6), date(2025, 7, 8))


# Decisions 19 and 28.
@pytest.mark.parametrize(
    ("series", "pools"),
    [
        ("4.00x4 5.10 4.00x4 5.30 4.00x4 6.00", [(3, 12, "12.00")]),
        ("4.00x4 5.50 4.00x4 6.00", [(1, 4, "4.00"), (1, 4, "4.00")]),  # 0.5 above against 4.0 below: over a tenth
        ("4.00x4 5.01x5 4.00 6.00", [(2, 5, "5.00")]),
        ("4.00x4 5.01x6 4.00 6.00", [(1, 4, "4.00"), (1, 1, "1.00")]),
        ("4.00x4 5.01 NA 4.00 6.00", [(1, 4, "4.00"), (1, 1, "1.00")]),
    ],
)
def test_pooling_is_a_report_and_not_a_trigger(series, pools):
    days = record(series)
    found = judge(days, FIVE)
    assert not any(one.trigger_date for one in found.spells)
    assert [(one.spells, one.below_days, str(one.deficit)) for one in pooled(found, days, FIVE)] == pools


def test_natural_rate():
    rate = natural_rate(record("4.80x6 5.10x359 NAx300 4.80x6 5.10x359"), FIVE)
    assert (rate.triggers, rate.years) == (2, Decimal("2.00"))
    assert rate.per_year == pytest.approx(2 / (730 / 365.25))
    assert natural_rate([], FIVE).per_year is None
    assert natural_rate(record("NAx9"), FIVE).per_year is None


# Properties.
STATES = st.lists(st.sampled_from("BBBNUU"), max_size=60)
FLOWS = {"B": Decimal("4.80"), "N": Decimal("5.10"), "U": None}


def spelled(states):
    return [DailyFlow(JULY + timedelta(days=k), FLOWS[one]) for k, one in enumerate(states)]


def triggers(states, threshold=FIVE):
    return [one.trigger_date for one in judge(spelled(states), threshold).spells if one.trigger_date]


def six_known(states):
    """Every day that ends six consecutive known days below: brute force."""
    return [JULY + timedelta(days=k) for k in range(5, len(states)) if states[k - 5 : k + 1] == ["B"] * 6]


@given(STATES)
def test_a_trigger_exists_iff_six_consecutive_known_days_are_below(states):
    found, ends = triggers(states), six_known(states)
    assert set(found) <= set(ends)
    assert found[:1] == ends[:1]


@given(STATES.filter(len), st.data())
def test_a_day_that_becomes_unknown_is_neither_trigger_nor_recovery(states, data):
    k = data.draw(st.integers(0, len(states) - 1))
    blind = [*states[:k], "U", *states[k + 1 :]]
    assert set(triggers(blind)) <= set(six_known(states))
    for spell in judge(spelled(blind), FIVE).spells:
        is_open = spell.status in ("WATCH", "INDETERMINATE_OPEN", "TRIGGERED_OPEN")
        if spell.latest_end and not is_open:
            assert blind[(spell.latest_end - JULY).days + 1] == "N"


@given(st.lists(st.sampled_from(["4.00", "4.50", "4.80", "5.00", "5.50"]), max_size=40), st.sampled_from([1, 2, 3, 4]))
def test_a_lower_base_flow_never_makes_a_trigger(values, lower):
    days = [DailyFlow(JULY + timedelta(days=k), Decimal(one)) for k, one in enumerate(values)]
    high, low = (judge(days, Threshold.constant(Decimal(one))).spells for one in (5, 5 - Decimal(lower) / 5))
    assert any(one.trigger_date for one in low) <= any(one.trigger_date for one in high)


def certain_days(values, base):
    """Days in runs of six or more that are each known to be below: brute force."""
    runs = (
        list(run) for low, run in groupby(enumerate(values), lambda one: one[1] is not None and one[1] < base) if low
    )
    return {place for run in runs if len(run) >= 6 for place, _ in run}


@given(
    st.lists(st.sampled_from([None, "4.00", "4.50", "4.80", "5.00", "5.50"]), max_size=60),
    st.sampled_from([1, 2, 3, 4]),
)
def test_a_lower_base_flow_adds_no_day_to_certain_runs_of_six(values, lower):
    """The machine's triggered runs are those of brute force, and those of the lower base flow lie within them."""
    numbers = [None if one is None else Decimal(one) for one in values]
    days = [DailyFlow(JULY + timedelta(days=k), one) for k, one in enumerate(numbers)]
    certain = []
    for base in (Decimal(5), 5 - Decimal(lower) / 5):
        spells = judge(days, Threshold.constant(base)).spells
        below = ["B" if one is not None and one < base else "N" for one in numbers]
        assert {one.trigger_date for one in spells if one.trigger_date} <= set(six_known(below))
        low = {(day - JULY).days for one in spells if one.trigger_date for day in one.below_days}
        certain.append(certain_days(numbers, base))
        assert certain[-1] <= low
    assert certain[1] <= certain[0]


@given(STATES, st.integers(0, 60))
def test_two_pieces_equal_one(states, cut):
    """A machine laid away after any day and taken up again goes on as if it had not been."""

    def fed(*pieces):
        machine = SpellMachine(5)
        days = (JULY + timedelta(days=k) for k in range(len(states)))
        for piece in pieces:
            for one in piece:
                machine.advance(next(days), DayState(one))
            machine = pickle.loads(pickle.dumps(machine))
        return [(run.below, run.unknown, run.trigger, machine.status(run)) for run in machine.spells()]

    assert fed(states[:cut], states[cut:]) == fed(states)


@given(STATES)
def test_spells_hold_exactly_the_known_days_below(states):
    below = [JULY + timedelta(days=k) for k, one in enumerate(states) if one == "B"]
    spells = judge(spelled(states), FIVE).spells
    assert [day for one in spells for day in one.below_days] == below
    assert all(one.known_below_days + len(one.unknown_days) == one.possible_days for one in spells)
    assert all(one.indeterminate_from for one in spells if one.status.startswith("INDETERMINATE"))
