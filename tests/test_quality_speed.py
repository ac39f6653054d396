"""A million results cost what their distinct cases cost, and every one comes out as if it were judged alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.checks.quality_columns import counts, verdict_columns
from models.checks.quality_facts import is_exact
from models.checks.quality_results import reported
from models.checks.quality_rows import rows_of
from models.checks.quality_table import plain_terms
from models.checks.quality_told import told_rows
from models.checks.quality_verdicts import Verdicts, verdicts
from models.nr140.decision import compare
from models.observation import Flags
from models.question import stored_rows
from models.standards import Standards, law_of
from tests.record_in_memory import Record

NR140 = law_of("nr140")
DAY = date(2025, 3, 1)


def results(record: Record, *stations: str) -> pd.DataFrame:
    return record.rows(stations, NR140.parameters, None, None)


def judged(record: Record, *stations: str, law: Standards = NR140) -> Verdicts:
    return verdicts(plain_terms(law), results(record, *(stations or ("MW-1",))))


# One case, one decision ----------------------------------------------------------------------------------------------


def test_results_in_the_same_place_among_limits_are_one_case() -> None:
    """LOD 0.3, LOQ 1, PAL 1, ES 10: below the LOD, at it, between, at PAL and LOQ, between, at ES, over."""
    record = Record()
    texts = ("0.1", "0.2", "0.3", "0.30", "0.5", "0.7", "1", "1.0", "2", "9.99", "10", "10.000", "11", "1000")
    for k, text in enumerate(texts):
        record.result("MW-1", "arsenic", DAY, text, "ug/L", "0.3", "1", sample=str(k))
    found = judged(record)
    assert len(found.cases.first) == 7
    by_text = {one.row.value_text: one.nr140.status for one in found.shown() if one.standard.kind == "ES"}
    assert [by_text[text] for text in texts] == ["not_attained"] * 10 + ["attained"] * 4


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("0.1", True), ("10", True), (".5", True), ("5.", True), ("123456789.12345", True),
        ("1234567890.123456", False),
        ("1e3", False), ("-1", False), ("+1", False), ("1_0", False), ("٣", False), (" 1", False), ("", False),
        ("NaN", False), ("<1", False), (".", False),
    ],
)  # fmt: skip
def test_which_texts_keep_their_order_as_doubles(text: str, exact: bool) -> None:
    assert is_exact(text) is exact


def test_a_difference_in_the_twentieth_figure_decides() -> None:
    record = Record()
    for k, text in enumerate(("9.9999999999999999999", "10.0000000000000000000", "10.00000000000000001")):
        record.result("MW-1", "arsenic", DAY, text, "ug/L", "0.3", "1", sample=str(k))
    es = [one for one in judged(record).shown() if one.standard.kind == "ES"]
    assert [one.nr140.status for one in es] == ["not_attained", "attained", "attained"]


def test_a_limit_of_twenty_figures_decides() -> None:
    """The standard 10 and an LOQ just above the result: doubles could not tell 10.5 from it."""
    record = Record()
    record.result("MW-1", "arsenic", DAY, "10.5", "ug/L", "0.3", "10.50000000000000000001", sample="1")
    (es,) = [one for one in judged(record).shown() if one.standard.kind == "ES"]
    assert es.nr140.status == "below_loq"


def test_results_on_both_sides_of_a_limit_of_twenty_figures_are_told_apart() -> None:
    record = Record()
    for text in ("10.4", "10.5", "10.6"):
        record.result("MW-1", "arsenic", DAY, text, "ug/L", "0.3", "10.50000000000000000001", sample=text)
    es = [one for one in judged(record).shown() if one.standard.kind == "ES"]
    assert [one.nr140.status for one in es] == ["below_loq", "below_loq", "attained"]


def test_equality_is_no_case_of_what_lies_over_it() -> None:
    """A clause that says exceeded, and a set that says more than: 10.0 is on the standard, 10.1 over it."""
    record = Record()
    for k, text in enumerate(("9.9", "10.0", "10.1", "10.2")):
        record.result("MW-1", "arsenic", DAY, text, "ug/L", "0.3", "1.0", sample=str(k))
    over = plain_terms(NR140)
    clause = replace(over, rule=over.rule.model_copy(update={"exceeded": "gt"}))
    es = [one for one in verdicts(clause, results(record, "MW-1")).shown() if one.standard.kind == "ES"]
    assert [one.verdict for one in es] == ["not_attained", clause.rule.at_equal, "attained", "attained"]
    law = NR140.replaced(replace(one, attained_at="gt") for one in NR140.rows)
    es = [one for one in judged(record, law=law).shown() if one.standard.kind == "ES"]
    assert [one.nr140.status for one in es] == ["not_attained", "not_attained", "attained", "attained"]


def test_each_result_with_its_own_limits_is_no_case_of_its_own() -> None:
    """The same order among LOD, result, LOQ, PAL 1 and ES 10, in other numbers each time: one case."""
    record = Record()
    for k in range(50):
        record.result("MW-1", "arsenic", DAY, f"3.{k:02}", "ug/L", f"0.2{k:02}", f"4.{k:02}", sample=str(k))
    found = judged(record)
    assert len(found.cases.first) == 1
    assert {one.nr140.status for one in found.shown() if one.standard.kind == "PAL"} == {"below_loq"}
    assert [one.result.loq for one in found.shown()][:3] == [Decimal("4.00"), Decimal("4.00"), Decimal("4.01")]


def test_a_form_that_comes_to_the_standard_within_the_last_figures_is_decided_in_decimal() -> None:
    """PAL 2 mg/L as N is 2 x 62.004 / 14.007 = 8.85328764189333904... mg/L as NO3."""
    record = Record()
    texts = ("8.8532876418933", "8.8532876418934", "8.85328764189334", "8.853287641893339", "8.8532876418933391")
    for k, text in enumerate(texts):
        record.result("MW-1", "nitrate_as_no3", DAY, text, "mg/L", "0.1", "0.3", sample=str(k))
    pal = [one for one in judged(record).shown() if one.standard.kind == "PAL" and not one.members]
    exact = Decimal(2) * Decimal("62.004") / Decimal("14.007")
    assert (
        [one.nr140.status for one in pal]
        == ["attained" if Decimal(text) > exact else "not_attained" for text in texts]
        == ["not_attained", "attained", "attained", "not_attained", "attained"]
    )


def test_a_reason_that_quotes_a_number_quotes_that_of_its_own_row() -> None:
    record = Record()
    for k, limit in enumerate(("2.5", "3.50", "4")):
        flags = Flags(qualifiers=("<",), facts={"limit": limit, "limit_is": "rl", "sample": str(k)})
        record.add("MW-1", "arsenic", DAY, f"<{limit}", "ug/L", flags=flags)
    found = judged(record)
    assert len(found.cases.first) == 1
    pal = [one for one in found.shown() if one.standard.kind == "PAL"]
    assert [one.reason for one in pal] == [
        f"a detect may hide below the reporting limit {limit}" for limit in ("2.5", "3.50", "4")
    ]
    assert set(verdict_columns(found)["reason"]) == {"a detect may hide below the reporting limit …", "not detected"}


# Sums ----------------------------------------------------------------------------------------------------------------


def of_sum(record: Record, kind: str, substance: str = "nitrate_nitrite_as_n") -> list[Any]:
    shown = judged(record).shown()
    return [one for one in shown if one.members and (one.standard.parameter, one.standard.kind) == (substance, kind)]


def parts(record: Record, sample: str, nitrate: str, nitrite: str) -> None:
    for name, text in (("nitrate_as_n", nitrate), ("nitrite_as_n", nitrite)):
        record.result("MW-1", name, DAY, text, "mg/L", "0.02", "0.06", sample=sample, series=sample)


def test_a_sum_with_a_part_below_zero_is_not_added() -> None:
    record = Record()
    parts(record, "1", "12", "-0.4")
    (es,) = of_sum(record, "ES")
    assert (es.nr140.status, es.verdict, es.result.value) == ("indeterminate", "indeterminate", None)
    assert es.nr140.reason == "nitrite_as_n is reported below zero: -0.4 mg/L"


@pytest.mark.parametrize(
    ("of_the_sum", "of_the_standard", "of_both"),
    [
        ("memory", "verified2", "memory"), ("verified2", "memory", "memory"), ("single", "memory", "memory"),
        ("single", "verified2", "single"), ("verified2", "verified2", "verified2"),
    ],
)  # fmt: skip
def test_a_sum_is_verified_no_farther_than_the_weaker_of_its_members_and_its_standard(
    of_the_sum: str, of_the_standard: str, of_both: str
) -> None:
    head = NR140.header
    sums = [one.model_copy(update={"verification": of_the_sum}) for one in head.sum]
    law = Standards(
        head.model_copy(update={"sum": tuple(sums)}),
        tuple(replace(one, verification=of_the_standard) for one in NR140.rows),
    )
    record = Record()
    parts(record, "1", "9.7", "0.4")
    told = [one for one in judged(record, law=law).shown() if one.members]
    assert {one.standard.verification for one in told} == {of_both}


def test_sums_in_the_same_place_are_one_case_and_each_is_told_in_its_own_numbers() -> None:
    """PAL 2 and ES 10 mg/L: 40 sums between them, one at 10 to the last figure, one under it by the fifteenth."""
    record = Record()
    for k in range(40):
        parts(record, f"a{k}", f"{3 + k / 10:.1f}", "0.30")
    parts(record, "b", "9.7", "0.3")
    parts(record, "c", "9.7", "0.29999999999999")
    parts(record, "d", "0.5", "0.3")
    parts(record, "e", "12", "0.3")
    found = judged(record)
    es = of_sum(record, "ES")
    assert [one.measured for one in es[:2]] == ["3.30 mg/L", "3.40 mg/L"]
    table = verdict_columns(found)
    told = table[(table["computed_from"] != "") & (table["kind"] == "ES")]["nr140_status"].tolist()
    assert (
        told
        == [one.nr140.status for one in es]
        == ["not_attained"] * 40 + ["attained", "not_attained", "not_attained", "attained"]
    )
    assert len({int(said) for k, said in enumerate(found.said) if found.parts[k]}) == 2 * 5


def test_a_member_reported_twice_is_no_case_of_another_sample() -> None:
    """Nitrate 9.7 twice is 9.7, and 4.0 beside 9.7 is nobody's number: both make more than ES 10 where simply added."""
    record = Record()
    for sample, first in (("1", "9.7"), ("2", "4.0")):
        parts(record, sample, "9.7", "0.4")
        record.result("MW-1", "nitrate_as_n", DAY, first, "mg/L", "0.02", "0.06", sample=sample, series="again")
    one, other = of_sum(record, "ES")
    assert (one.measured, one.nr140.status) == ("10.1 mg/L", "attained")
    assert (other.measured, other.nr140.status) == ("", "indeterminate")
    table = verdict_columns(judged(record))
    es = table[(table["computed_from"] != "") & (table["kind"] == "ES")]
    assert es["nr140_status"].tolist() == ["attained", "indeterminate"]
    assert other.nr140.reason == "nitrate_as_n is reported more than once in this sample: 4.0 mg/L and 9.7 mg/L"


FIGURES = st.decimals(min_value=0, max_value=30, places=3).map(str)
NUMBERS = st.one_of(
    FIGURES, st.sampled_from(["0", "1", "1.0", "10", "10.0", "0.010", "2", "0.30000000000000000001", "1e1", ".5", "5."])
)
VALUES = st.one_of(NUMBERS, st.sampled_from(["ND", "<5", "<0.5", ">20", "", "present", "absent"]))
SUBSTANCES = ("arsenic", "manganese", "benzene", "nitrate_as_n", "nitrate_as_no3", "nitrate_basis_unstated")


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Results at two stations, of several substances, forms and units, with every way to say what was not seen."""
    record = Record()
    for place in range(draw(st.integers(0, 12))):
        marks = draw(st.sampled_from([(), ("J",), ("ND",), ("U",), ("R",), ("between-LOD-LOQ",)]))
        facts = {name: draw(NUMBERS) for name in draw(st.sets(st.sampled_from(["lod", "loq", "limit"])))}
        flags = Flags(qualifiers=marks, facts={**facts, "sample": str(place)})
        record.add(
            draw(st.sampled_from(["MW-1", "MW-2"])), draw(st.sampled_from(SUBSTANCES)),
            DAY + timedelta(days=draw(st.sampled_from([0, 20]))), draw(VALUES), draw(st.sampled_from(["ug/L", "mg/L"])),
            flags=flags,
        )  # fmt: skip
    return record


@given(record=records())
def test_every_comparison_is_what_the_result_gives_alone(record: Record) -> None:
    """The truth is ``compare`` of the one result and the one standard: no table, no case, no double."""
    terms = plain_terms(NR140)
    found = judged(record, "MW-1", "MW-2")
    direct = [one for one in found.shown() if not one.members and one.nr140.paragraph != "140.14(3)(b)"]
    for one in direct:
        alone = reported(terms, one.row)
        wanted = {compare(reading, one.standard).status for reading in alone.readings()}  # type: ignore[union-attr]
        assert one.nr140.status == (wanted.pop() if len(wanted) == 1 else "indeterminate")
        assert one.result == alone.readings()[0]  # type: ignore[union-attr]


@given(record=records())
def test_nothing_is_dropped(record: Record) -> None:
    """Every row is compared with each standard of its substance in its day, or is shown with the reason."""
    found = judged(record, "MW-1", "MW-2")
    names = {one.parameter for one in NR140.rows}
    told = [one.row.row_id for one in found.shown() if not one.members] + [
        row for one in found.not_judged() for row in one.rows if one.parameter != "nitrate_nitrite_as_n"
    ]
    rows = stored_rows(results(record, "MW-1", "MW-2"))
    assert {row.row_id for row in rows if NR140.counts_as.get(row.parameter, row.parameter) in names} == set(told)


@given(record=records(), random=st.randoms(use_true_random=False))
def test_order_and_duplication_change_no_column(record: Record, random: Any) -> None:
    frame = results(record, "MW-1", "MW-2")
    order = [*range(len(frame)), *range(0, len(frame), 2)]
    random.shuffle(order)
    tables = [
        verdict_columns(verdicts(plain_terms(NR140), one)).drop(columns="row") for one in (frame, frame.iloc[order])
    ]
    assert tables[0].astype(str).equals(tables[1].astype(str))


@given(record=records())
def test_two_stations_together_are_two_stations_apart(record: Record) -> None:
    together = [repr(one) for one in judged(record, "MW-1", "MW-2").shown()]
    apart = [repr(one) for name in ("MW-1", "MW-2") for one in judged(record, name).shown()]
    assert together == apart


@given(record=records())
def test_columns_say_what_the_objects_say(record: Record) -> None:
    found = judged(record, "MW-1", "MW-2")
    table, shown = verdict_columns(found), found.shown()
    assert table["nr140_status"].tolist() == [one.nr140.status for one in shown]
    assert table["verdict"].tolist() == [one.verdict for one in shown]
    assert table["paragraph"].tolist() == [one.nr140.paragraph for one in shown]
    assert table["station"].tolist() == [one.row.station for one in shown]
    assert table["kind"].tolist() == [one.standard.kind for one in shown]
    assert table["sampled"].dt.date.tolist() == [one.row.day for one in shown]
    confirmed = [None if pd.isna(one) else one.date() for one in table["confirms"]]
    assert confirmed == [one.confirms for one in shown]
    assert sum(counts(found).values()) == len(shown)


@given(record=records())
def test_notable_rows_are_all_but_those_not_attained(record: Record) -> None:
    rows = told_rows(plain_terms(NR140), results(record, "MW-1", "MW-2"))
    assert list(rows.rows(notable=True)) == [one for one in rows.rows() if one["nr140_status"] != "not_attained"]


# The law in force ----------------------------------------------------------------------------------------------------


def test_each_sample_is_judged_by_the_law_of_its_day() -> None:
    turn = date(2025, 3, 1)
    law = NR140.replaced(half for one in NR140.rows for half in (
        [replace(one, repealed=turn), replace(one, value=Decimal(5), effective=turn)]
        if (one.parameter, one.kind) == ("arsenic", "ES") else [one]
    ))  # fmt: skip
    record = Record()
    for day in (turn - timedelta(days=1), turn):
        record.result("MW-1", "arsenic", day, "6", "ug/L", "0.3", "1.0", sample="S")
    es = [one for one in judged(record, law=law).shown() if one.standard.kind == "ES"]
    assert [(one.standard.value, one.nr140.status) for one in es] == [(10, "not_attained"), (5, "attained")]


# Scale ---------------------------------------------------------------------------------------------------------------


def test_many_results_are_few_cases() -> None:
    """30,000 results, 600 texts, two substances with two limits each: no more cases than places among the limits."""
    numbers = np.arange(30_000)
    frame = pd.DataFrame({
        "station": [f"W-{k % 50}" for k in numbers], "parameter": np.where(numbers % 2, "arsenic", "benzene"),
        "series": "", "unit": "ug/L", "clock": "day", "time_ms": numbers // 100 * 86_400_000,
        "day": [date(1970, 1, 1) + timedelta(days=int(k)) for k in numbers // 100], "value": np.nan,
        "value_text": [f"{k % 600 / 40}" for k in numbers],
        "flags": [f";lod=0.1;loq=0.33;sample=S{k}" for k in numbers],
        "row_id": [f"x:{k}" for k in numbers],
    })  # fmt: skip
    found = verdicts(plain_terms(NR140), frame)
    assert len(found) == 60_000
    assert len(found.cases.first) <= 2 * 9
    table = verdict_columns(found)
    number = table["value_text"].astype(str).astype(float)
    limit = table["standard"].astype(str).str.removesuffix(" ug/L").astype(float)
    over = (number >= limit) & (number >= 0.33)
    assert (table["nr140_status"] == "attained").tolist() == over.tolist()


def test_an_empty_record_has_no_verdicts() -> None:
    found = judged(Record())
    assert (len(found), found.shown(), found.not_judged(), len(verdict_columns(found))) == (0, [], [], 0)
    assert len(rows_of([], {})) == 0
