"""A million results cost what their distinct cases cost, and every one comes out as if it were judged alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.checks.quality_columns import counts, verdict_columns
from models.checks.quality_results import reported
from models.checks.quality_rows import is_exact, rows_of
from models.checks.quality_table import plain_terms
from models.checks.quality_verdicts import Verdicts, verdicts
from models.nr140.decision import compare
from models.observation import Flags
from models.question import stored_rows
from models.standards import Standards, law_of
from tests.record_in_memory import Record

NR140 = law_of("nr140")
DAY = date(2025, 3, 1)
DEADLINE = settings(deadline=None)


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


@DEADLINE
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


@DEADLINE
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


@DEADLINE
@given(record=records(), random=st.randoms(use_true_random=False))
def test_order_and_duplication_change_no_column(record: Record, random: Any) -> None:
    frame = results(record, "MW-1", "MW-2")
    order = [*range(len(frame)), *range(0, len(frame), 2)]
    random.shuffle(order)
    tables = [
        verdict_columns(verdicts(plain_terms(NR140), one)).drop(columns="row") for one in (frame, frame.iloc[order])
    ]
    assert tables[0].astype(str).equals(tables[1].astype(str))


@DEADLINE
@given(record=records())
def test_two_stations_together_are_two_stations_apart(record: Record) -> None:
    together = [repr(one) for one in judged(record, "MW-1", "MW-2").shown()]
    apart = [repr(one) for name in ("MW-1", "MW-2") for one in judged(record, name).shown()]
    assert together == apart


@DEADLINE
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
