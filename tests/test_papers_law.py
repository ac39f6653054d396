"""Papers as data of an ordinance, the slots that keep names out of the store, and the days a notice rests on."""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadLaw
from models.finding import Finding
from models.household import Household
from models.paper_days import days_of, why_draft
from models.paper_slots import UNNAMED, Slot, filled, of_homes, properties_in
from models.policy import default_policy
from models.review import Acceptance, Review, Stale
from models.rules import Ordinance, ordinance, read_ordinance
from models.site import Stream
from reports.papers.condition_notice import USED
from reports.papers.sheet import Sheet, written
from reports.papers.words import long_day
from tests.mail_nights import found
from tests.record_in_memory import BASE_FLOW, flow, stream

HOWARD = Path(__file__).parents[1] / "models" / "law" / "ordinances" / "howard.toml"
SIX = [date(2025, 7, 1) + timedelta(days=k) for k in range(6)]
HOMES = (
    Household(property="R-1", owner="O. <b>'One'</b>", occupant="", address="1 Made Up Lane"),
    Household(property="R-2", owner="O. Two", occupant="T. Enant", address="2 Made Up Lane"),
)


def changed(old: str, new: str) -> Ordinance:
    text = HOWARD.read_text(encoding="utf-8")
    assert old in text
    return read_ordinance(text.replace(old, new, 1), file="changed.toml")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            'after = ["operator_receipt"]',
            'after = ["nobody_knows"]',
            "paper demand: howard.remedy knows no nobody_know",
        ),
        ('clocks = ["howard.remedy.report"]', 'clocks = ["howard.no"]', "paper demand names no rule of this file"),
        ('at_once = ["e_coli"', 'at_once = ["unobtainium"', "unknown parameter: unobtainium"),
        ('template = "demand"', 'template = "poem"', "template"),
        ('id = "receipt"', 'id = "demand"', "paper demand is named twice"),
        ("blank = true", "blank = false", "to whom is missing"),
    ],
)
def test_a_paper_that_fits_nothing_is_refused(old: str, new: str, says: str) -> None:
    with pytest.raises(BadLaw, match=re.escape(says)):
        changed(old, new)


def test_an_ordinance_brings_its_own_papers() -> None:
    law = changed('title = "Demand for a report or a plan"', 'title = "A reminder of our own"')
    assert [one.title for one in law.papers("howard.remedy")][-1] == "A reminder of our own"
    assert ordinance("gates").paper == ()


def test_every_quoted_word_is_in_the_town_s_copy(shared: Path) -> None:
    """Word for word; the copy's line breaks and curly quotes apart."""
    copy = _plain((shared / "seeds" / "howard_ch2_nonmetallic_mining.txt").read_text(encoding="utf-8"))
    law = ordinance("howard")
    for paper in law.paper:
        texts = [law.rule_of(id).text for id in paper.quotes] + [one.text for one in paper.quote]
        for text in [*texts, *(re.sub(r"^\([abc]\) ", "", one) for one in paper.choices)]:
            assert _plain(text) in copy


def _plain(text: str) -> str:
    return " ".join(text.translate(str.maketrans("’“”", '\'""')).split())


def test_a_slot_is_filled_from_its_own_property_and_from_no_other() -> None:
    facts = {"to": (Slot("owner", "R-1"), "owner of property R-1"), "rows": [{"Owner": Slot("occupant", "R-1")}]}
    assert filled(facts, of_homes(HOMES)) == {
        "to": ("O. <b>'One'</b>", "owner of property R-1"), "rows": [{"Owner": UNNAMED["occupant"]}],
    }  # fmt: skip
    assert filled(Slot("owner", "R-9"), of_homes(HOMES)) == UNNAMED["owner"]
    assert properties_in((facts, Slot("address", "R-2"))) == ("R-1", "R-2")


PLAIN = st.recursive(
    st.text() | st.just(Slot("owner", "R-1").mark()) | st.none() | st.integers(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
)


@given(PLAIN)
def test_no_text_of_anybody_is_a_slot(facts: object) -> None:
    assert filled(facts, of_homes(HOMES)) == facts
    assert properties_in(facts) == ()


def shortfall(provisional: bool = True) -> Finding:
    days = {one.isoformat(): "4.50 cfs" for one in SIX}
    return found(
        "G-1", SIX[-1], rule="howard.baseflow", provisional=provisional,
        facts={"days": days, "trigger_date": SIX[-1].isoformat()},
    )  # fmt: skip


SIGNED = Stream.model_validate(stream()).base_flow
BY = Review("accept", "G-1 discharge", "A. Geologist", {}, "PG", "77")


@pytest.mark.parametrize("accepted", range(7))
def test_every_provisional_day_needs_its_acceptance(accepted: int) -> None:
    record = [flow(day, "4.50", approval="P") for day in SIX]
    seen = Acceptance(dict.fromkeys(SIX[:accepted], BY), tuple(SIX[accepted:]), ())
    days = days_of(shortfall(), 5, record, SIGNED, seen)
    assert [one.day for one in days] == SIX
    assert [(one.value, one.base) for one in days] == [(Decimal("4.50"), Decimal(BASE_FLOW["value_cfs"]))] * 6
    why = why_draft(shortfall(), days, seen)
    assert (why == ()) == (accepted == 6)
    assert all(f"{day}" in why[0] for day in SIX[accepted:])


def test_approved_days_need_nobody_s_acceptance() -> None:
    days = days_of(shortfall(provisional=False), 5, [flow(day, "4.50", approval="A") for day in SIX], SIGNED, None)
    assert why_draft(shortfall(provisional=False), days, None) == ()


def test_a_day_that_reads_differently_keeps_a_notice_back() -> None:
    record = [flow(day, "4.60" if day == SIX[2] else "4.50", approval="A") for day in SIX]
    seen = Acceptance({}, (), (Stale(SIX[2], "4.50 cfs", "4.60 cfs"),))
    why = why_draft(shortfall(), days_of(shortfall(), 5, record[:5], SIGNED, seen), seen)
    assert "2025-07-03, 2025-07-06 reads differently since the night" in why[0]
    assert why[1:] == ("2025-07-03 was accepted at 4.50 cfs and is 4.60 cfs now: it waits anew",)


def test_the_thresholds_a_notice_names_are_the_policy_s() -> None:
    assert set(default_policy().unadopted()) >= USED


def test_a_hostile_name_can_neither_break_the_page_nor_its_style() -> None:
    evil = '</style><script>alert(1)</script>"; } \n'
    sheet = Sheet("2025-001", "T", "1", "c", evil, "Law", evil, "1", ((evil,),), (evil,))
    facts = {
        "property": "R-1", "parcel": evil, "receipts": [("x", evil)], "missing": evil, "quotes": [evil],
        "computing": evil, "notes": [evil],
    } | {"steps": [{"Clause": evil, "What": evil}]}  # fmt: skip
    page = written("receipt", sheet, facts).html
    assert "<script" not in page
    assert page.count("</style>") == 1


def test_nothing_of_a_row_is_cut_in_the_plain_text() -> None:
    long = "word " * 40 + "end"
    sheet = Sheet("2025-001", "T", "1", "c", "Town", "Law", "Site", "1", ())
    facts = {
        "property": "R-1", "parcel": "", "receipts": [], "missing": "", "quotes": [], "computing": "x", "notes": [],
        "steps": [{"Clause": "1", "When": long}],
    }  # fmt: skip
    text = written("receipt", sheet, facts).text
    assert long in " ".join(text.split())
    assert max(len(line) for line in text.splitlines()) <= 78


def test_days_are_written_as_a_letter_writes_them() -> None:
    assert long_day(date(2025, 9, 1)) == "Monday, September 1, 2025"
    assert long_day(date(2024, 2, 29)) == "Thursday, February 29, 2024"
