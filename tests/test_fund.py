"""Money: double entry by hand, the year of 2.15(5), and books that balance whatever is recorded in whatever order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.fund import Act, Book, Entry, admit, book, dollars, exposure, in_turn
from models.repayment import net_paid, reimbursable

CASE = "howard.remedy/P-1/2025-09-01"
FIRST = datetime(2025, 9, 1, 15, tzinfo=UTC)


def entry(act: Act, amount: str, day: int = 0, **facts: object) -> Entry:
    plain: dict[str, object] = {"fund": "water", "by": "town", "document": "resolution 12", **facts}
    return Entry(act=act, amount=Decimal(amount), happened_at=FIRST + timedelta(days=day), **plain)  # type: ignore[arg-type]


def recorded(*entries: Entry) -> Book:
    kept = Book(())
    for one in entries:
        kept = admit(one, kept)
    return kept


def supply(amount: str, first: date, last: date, day: int = 1) -> Entry:
    return entry("draw", amount, day, use="supply", case=CASE, supplied=(first, last))


def test_a_draw_moves_money_from_held_to_its_use_and_the_book_balances() -> None:
    kept = recorded(entry("post", "50000"), entry("draw", "1200.50", 1, use="supply", case=CASE))
    assert kept.balances() == {
        "water:held": Decimal("48799.50"), "water:posted": Decimal("-50000.00"), "water:supply": Decimal("1200.50")
    }  # fmt: skip
    assert kept.balances(CASE) == {"water:held": Decimal("-1200.50"), "water:supply": Decimal("1200.50")}


def test_road_money_pays_for_no_water() -> None:
    kept = recorded(entry("post", "50000", fund="road"))
    with pytest.raises(BadQuestion, match=r"water:held would stand at -1.00 dollars on 2025-09-02"):
        admit(entry("draw", "1.00", 1, use="supply", case=CASE), kept)


def test_a_draw_dated_before_the_posting_is_refused_though_recorded_after_it() -> None:
    kept = recorded(entry("post", "1000", 5))
    with pytest.raises(BadQuestion, match=r"at most 0.00"):
        admit(entry("draw", "10", 1, use="supply", case=CASE), kept)


def test_a_reversal_restores_what_stood_and_is_made_once() -> None:
    wrong = entry("draw", "1200", 1, use="supply", case=CASE)
    kept = recorded(entry("post", "5000"), wrong, entry("reverse", "1200", 2, reverses=wrong.key()))
    assert kept.balances()["water:held"] == 5000
    assert kept.balances()["water:supply"] == 0
    with pytest.raises(BadQuestion, match="no standing entry to reverse"):
        admit(entry("reverse", "1200", 3, reverses=wrong.key()), kept)


def test_a_request_is_owed_until_it_is_met_and_never_more_than_met() -> None:
    kept = recorded(entry("request", "8000", 1), entry("post", "8000", 4), entry("meet", "8000", 4))
    assert kept.balances()["water:owed"] == 0
    with pytest.raises(BadQuestion, match="water:owed"):
        admit(entry("meet", "1", 5), kept)


def test_reimbursement_is_one_year_of_supply_and_a_line_across_its_end_counts_by_days() -> None:
    # First day of supply 2025-09-02, so the year ends with 2026-09-01. The last line runs 30 days of August 23 to
    # September 21; 10 of them (23 August to 1 September) lie inside: 10/30 of 900.00 is 300.00.
    kept = recorded(
        entry("post", "50000"),
        supply("2000", date(2025, 9, 2), date(2026, 8, 22), 2),
        supply("900", date(2026, 8, 23), date(2026, 9, 21), 3),
        supply("500", date(2026, 9, 22), date(2026, 10, 21), 4),
    )
    found = reimbursable(kept, CASE, 1)
    assert (found.amount, found.first, found.last, found.left_out) == (
        Decimal("2300.00"), date(2025, 9, 2), date(2026, 9, 1), Decimal("1100.00")
    )  # fmt: skip
    assert reimbursable(kept, "howard.remedy/P-2/2025-09-01", 1).amount == 0


def test_a_year_from_the_leap_day_ends_on_the_last_of_february() -> None:
    kept = recorded(entry("post", "50000"), supply("366", date(2028, 2, 29), date(2029, 2, 28)))
    assert reimbursable(kept, CASE, 1).last == date(2029, 2, 28)
    assert reimbursable(kept, CASE, 1).left_out == 0


def test_what_the_fund_got_back_is_no_cost_and_never_more_than_was_drawn() -> None:
    kept = recorded(entry("post", "5000"), supply("280", date(2025, 9, 2), date(2025, 9, 8)))
    back = admit(entry("recover", "80", 5, use="supply", case=CASE), kept)
    assert reimbursable(back, CASE, 1).amount == 200
    with pytest.raises(BadQuestion, match=r"water:supply would stand at -0.01"):
        admit(entry("recover", "200.01", 6, use="supply", case=CASE), back)


def test_a_posting_that_was_drawn_on_is_not_reversed_away() -> None:
    posted = entry("post", "300")
    kept = recorded(posted, supply("280", date(2025, 9, 2), date(2025, 9, 8)))
    with pytest.raises(BadQuestion, match=r"--reverses: water:held .* reverse what was drawn on it first"):
        admit(entry("reverse", "300", 9, reverses=posted.key()), kept)


def test_a_refund_counts_for_the_days_it_was_made_for() -> None:
    kept = recorded(
        entry("post", "50000"),
        supply("3650", date(2025, 9, 2), date(2026, 9, 1), 2),
        supply("3650", date(2026, 9, 2), date(2027, 9, 1), 3),
    )
    second = entry("recover", "1000", 4, use="supply", case=CASE, supplied=(date(2026, 9, 2), date(2027, 9, 1)))
    kept = admit(second, kept)
    assert reimbursable(kept, CASE, 1).amount == 3650, "the first year was not refunded"
    assert net_paid(kept, CASE, second.supplied or (date.min, date.max)) == 2650
    first = entry("recover", "365", 5, use="supply", case=CASE, supplied=(date(2025, 9, 2), date(2026, 9, 1)))
    assert reimbursable(admit(first, kept), CASE, 1).amount == 3285


def test_only_the_days_elected_count() -> None:
    # 3650 for 365 days is 10 a day: 30 days of September are 300; a longer election is cut to the year.
    kept = recorded(entry("post", "50000"), supply("3650", date(2025, 8, 12), date(2026, 8, 11)))
    assert reimbursable(kept, CASE, 1, (date(2025, 9, 1), date(2025, 9, 30))).amount == 300
    assert reimbursable(kept, CASE, 1, (date(2025, 8, 12), date(2027, 8, 11))).amount == 3650
    assert reimbursable(kept, CASE, 1, (date(2026, 8, 12), date(2027, 8, 11))).amount == 0


def test_a_movement_reversed_and_recorded_again_counts_and_run_again_does_not() -> None:
    posted = entry("post", "50000")
    kept = recorded(posted, entry("reverse", "50000", 1, reverses=posted.key()))
    second = in_turn(posted, kept)
    assert second.key() != posted.key()
    kept = admit(second, kept)
    assert kept.balances()["water:held"] == 50000
    assert in_turn(posted, kept).key() == second.key(), "killed and run again it is the same entry"
    kept = admit(entry("reverse", "50000", 2, reverses=second.key()), kept)
    third = in_turn(posted, kept)
    assert len({posted.key(), second.key(), third.key()}) == 3
    assert admit(third, kept).balances()["water:held"] == 50000


def test_a_key_of_an_old_ledger_is_what_it_was() -> None:
    # sha256 of the eleven parts joined by U+001F, worked with coreutils.
    assert entry("post", "50000").key() == "7ec096d4cb7409fa"


def test_one_document_shows_one_movement_whoever_records_it() -> None:
    paid = supply("280", date(2025, 9, 2), date(2025, 9, 8))
    kept = recorded(entry("post", "5000"), paid)
    for twice in (replace(paid, by="town board"), replace(paid, happened_at=FIRST + timedelta(days=3)),
                  replace(paid, document=" Resolution  12 ", by="x"),
                  replace(paid, amount=Decimal(40), supplied=(date(2025, 9, 8), date(2025, 9, 9)))):  # fmt: skip
        with pytest.raises(BadQuestion, match=f"shows this movement already, recorded by town .{paid.key()}"):
            admit(twice, kept)
    assert admit(replace(paid, supplied=(date(2025, 9, 9), date(2025, 9, 15)), amount=Decimal(281)), kept)
    assert admit(replace(paid, document="invoice 5"), kept)
    bond = entry("post", "5000")
    with pytest.raises(BadQuestion, match="shows this movement already"):
        admit(replace(bond, by="clerk"), recorded(bond))
    assert admit(replace(bond, amount=Decimal(6000)), recorded(bond))


def test_money_is_got_back_in_the_case_it_was_drawn_in() -> None:
    kept = recorded(entry("post", "5000"), supply("280", date(2025, 9, 2), date(2025, 9, 8)))
    for case in ("", "howard.remedy/P-2/2025-09-01"):
        with pytest.raises(BadQuestion, match=r"water:supply would stand at -100.00"):
            admit(entry("recover", "100.00", 5, use="supply", case=case), kept)


def test_nothing_is_reversed_before_it_happened() -> None:
    posted = entry("post", "5000", 5)
    with pytest.raises(BadQuestion, match=r"--at: before what it reverses .* 2025-09-06T15:00"):
        admit(entry("reverse", "5000", 4, reverses=posted.key()), recorded(posted))


def test_an_owner_s_payment_settles_what_is_owed_and_no_more() -> None:
    kept = recorded(entry("reimburse", "300", 1, fund="", case=CASE), entry("repay", "200", 2, fund="", case=CASE))
    assert kept.balances() == {"private:operator_due": Decimal(-100), "private:owner_owes": Decimal(100)}
    with pytest.raises(BadQuestion, match=r"at most 100"):
        admit(entry("repay", "100.01", 3, fund="", case=CASE), kept)
    with pytest.raises(BadQuestion, match="private:owner_owes"):
        admit(entry("repay", "1", 3, fund="", case="howard.remedy/P-2/2025-09-01"), kept)


def test_of_one_day_a_posting_and_a_draw_net_whatever_their_order() -> None:
    kept = recorded(entry("post", "10", 1), entry("draw", "10", 1, use="supply", case=CASE))
    assert book(reversed(kept.entries)).lowest("water:held") == (Decimal(0), None)


def test_reversed_supply_is_not_reimbursed() -> None:
    wrong = supply("700", date(2025, 9, 2), date(2025, 9, 8))
    kept = recorded(entry("post", "5000"), wrong, entry("reverse", "700", 2, reverses=wrong.key()))
    assert reimbursable(kept, CASE, 1).amount == 0


def test_exposure_is_households_times_days_of_supply_against_what_is_held() -> None:
    found = exposure(["P-1", "P-2", "P-3"], Decimal("45"), Decimal(365), Decimal("40000.00"))
    assert (found.per_household, found.total, found.short) == (Decimal("16425.00"), Decimal("49275"), Decimal("9275"))
    assert exposure(["P-1"], Decimal("45"), Decimal(365), Decimal("40000")).short == 0


@pytest.mark.parametrize(
    ("text", "amount"), [("1200", "1200.00"), ("$1,200.50", "1200.50"), (" 0.01 ", "0.01"), ("0012.5", "12.50")]
)
def test_money_as_people_write_it(text: str, amount: str) -> None:
    assert str(dollars(text, key="--amount")) == amount


@pytest.mark.parametrize(
    "text",
    [
        "١٢",
        "５",
        "1_000",
        "9" * 13,
        "",
        "-5",
        "0",
        "12.345",
        "NaN",
        "inf",
        "1e10",
        "twelve",
        "1.200,50",
        "1e3",
        "1,20",
        "12,3456",
        "1,,000",
    ],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(BadQuestion, match="amount"):
        dollars(text, key="--amount")


AMOUNTS = st.integers(1, 10**7).map(lambda cents: str(Decimal(cents) / 100))
ENTRIES = st.lists(
    st.builds(
        lambda act, amount, day, fund: entry(act, amount, day, fund=fund, use="supply", case=CASE, document=f"d{day}"),
        st.sampled_from(["post", "release", "draw", "recover", "request", "meet", "reimburse", "repay"]),
        AMOUNTS,
        st.integers(0, 400),
        st.sampled_from(["water", "road"]),
    ),
    max_size=12,
)


@given(ENTRIES)
def test_whatever_is_admitted_balances_and_no_fund_was_ever_overdrawn(entries: Sequence[Entry]) -> None:
    kept = Book(())
    for one in entries:
        try:
            kept = admit(one, kept)
        except BadQuestion:
            continue
    assert sum(kept.balances().values()) == 0
    signs = {"post": 1, "recover": 1, "release": -1, "draw": -1}
    for fund in ("water", "road"):
        moved = {one.happened_at: Decimal(0) for one in kept.entries}
        for one in kept.entries:
            moved[one.happened_at] += signs.get(one.act, 0) * one.amount * (one.fund == fund)
        assert all(held >= 0 for held in accumulate(moved[at] for at in sorted(moved)))
    owed = {"reimburse": 1, "repay": -1}
    assert sum(owed.get(one.act, 0) * one.amount for one in kept.entries) >= 0


@given(ENTRIES, st.randoms(use_true_random=False))
def test_the_order_of_recording_does_not_change_a_balance(entries: Sequence[Entry], random: object) -> None:
    shuffled = list(entries)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert book(entries).balances() == book(shuffled).balances()
