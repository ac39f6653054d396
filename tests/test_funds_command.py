"""``headwater funds`` as a clerk uses it: posting, a supply paid within its case, a repayment, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

CASE = "howard.remedy/R-1/2025-08-11"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def supplied(answer: Callable[..., Any]) -> None:
    """50,000 posted, the owner's notice, and the town's decision to pay for a supply."""
    record("post", "50000", answer, at="2025-05-01", document="bond 17")
    answer("case", "open", "howard.remedy", "R-1", "--at", "2025-08-11T09:15", "--method", "hand")
    act("interim_supply_decided", "2025-08-11T19:00", answer, "town board", "decision=use")


def record(name: str, amount: str, answer: Callable[..., Any], *more: str, at: str, document: str) -> Any:
    facts = ("--fund", "water", "--amount", amount, "--at", at, "--by", "clerk", "--document", document)
    return answer("funds", "record", name, *facts, *more)


def act(event: str, at: str, answer: Callable[..., Any], by: str, *facts: str) -> None:
    town = ("--body", "town board", "--meeting", at[:10], "--vote", "3-0") if by == "town board" else ()
    stated = [part for fact in facts for part in ("--fact", fact)]
    answer("case", "record", CASE, event, "--at", at, "--by", by, "--method", "hand", *town, *stated)


def draw(amount: str, answer: Callable[..., Any], first: str, last: str) -> Any:
    supply = ("--use", "supply", "--case", CASE, "--from", first, "--to", last)
    return record("draw", amount, answer, *supply, at=f"{last}T12:00", document=f"invoice {last}")


@pytest.mark.usefixtures("supplied")
def test_a_week_of_water_is_paid_from_the_water_fund(answer: Callable[..., Any]) -> None:
    found = draw("280", answer, "2025-08-12", "2025-08-18")
    assert found["recorded"]
    assert found["balances"] == {"water:held": "49720.00", "water:posted": "-50000.00", "water:supply": "280.00"}
    assert not draw("280", answer, "2025-08-12", "2025-08-18")["recorded"]
    assert [one["act"] for one in answer("funds", "list")] == ["post", "draw"]


def test_no_supply_is_paid_before_the_town_decided(answer: Callable[..., Any], run: Run) -> None:
    record("post", "50000", answer, at="2025-05-01", document="bond 17")
    answer("case", "open", "howard.remedy", "R-1", "--at", "2025-08-11T09:15", "--method", "hand")
    code, _, err = run(
        "funds", "record", "draw", "--fund", "water", "--use", "supply", "--amount", "280", "--case", CASE, "--from",
        "2025-08-12", "--to", "2025-08-18", "--at", "2025-08-18", "--by", "clerk", "--document", "invoice",
    )  # fmt: skip
    assert code == 2
    assert "no interim_supply_decided or town_found_cause" in err


@pytest.mark.usefixtures("supplied")
def test_what_is_wrong_is_refused_and_changes_nothing(answer: Callable[..., Any], run: Run) -> None:
    before = answer("funds", "list")
    base = ("--at", "2025-08-20", "--by", "clerk", "--document", "x")
    wrong = {
        ("draw", "--fund", "sewer", "--amount", "1"): "no such fund",
        ("draw", "--fund", "road", "--use", "supply", "--amount", "1"): "for other uses",
        ("draw", "--fund", "water", "--use", "claims", "--amount", "60000", "--case", CASE): "would stand at -10000.00",
        ("draw", "--fund", "water", "--use", "claims", "--amount", "900"): "claims are paid for in a case",
        ("recover", "--fund", "water", "--use", "supply", "--amount", "9"): "a supply is paid for in a case",
        ("recover", "--fund", "water", "--use", "supply", "--amount", "9", "--case", CASE): "which days of supply",
        ("post", "--fund", "water", "--use", "supply", "--amount", "9"): "--use: post states no such thing",
        ("reimburse", "--fund", "road", "--amount", "5", "--case", CASE): "--fund: reimburse states no such thing",
        ("request", "--fund", "water", "--amount", "9"): "request rests on assurance_determined of a case",
        ("meet", "--fund", "water", "--amount", "9"): "meet rests on assurance_part_provided or assurance_provided",
        ("release", "--fund", "water", "--amount", "9"): "release rests on assurance_released of a case",
        ("repay", "--amount", "9", "--case", CASE): "the owner owes the operator nothing",
        ("post", "--fund", "water", "--amount", "9", "--by", "zorro"): "post is not its to record",
        ("post", "--fund", "water", "--amount", "9", "--by", "operator"): "post is not its to record",
        ("post", "--fund", "water", "--amount", "9", "--by", " "): "--by: a blank or a placeholder",
        ("post", "--fund", "water", "--amount", "9", "--document", " "): "--document: a blank or a placeholder",
        ("post", "--fund", "water", "--amount", "9", "--document", "none"): "--document: a blank or a placeholder",
        ("draw", "--fund", "water", "--use", "supply", "--amount", "5"): "a supply is paid for in a case",
        ("draw", "--fund", "water", "--use", "supply", "--amount", "5", "--case", CASE): "which days of supply",
        ("post", "--fund", "water", "--amount", "1.005"): "not an amount",
        ("post", "--fund", "water", "--amount", "5", "--case", "howard.remedy/R-1/2020-01-01"): "no such case",
        ("reverse", "--reverses", "deadbeef"): "no such entry to reverse",
        ("reimburse", "--amount", "5", "--case", CASE): "no act of",
        ("post", "--fund", "water", "--amount", "5", "--note", "call 715-555-0101"): "no household's phone",
        ("post", "--fund", "water", "--amount", "5", "--at", "2199-01-01"): "not yet happened",
    }
    for arguments, words in wrong.items():
        code, _, err = run("funds", "record", *base, *arguments)
        assert (code, words in err) == (2, True), err
    assert answer("funds", "list") == before


@pytest.mark.usefixtures("supplied")
def test_a_wrong_entry_is_reversed_in_its_own_fund_and_case(answer: Callable[..., Any]) -> None:
    wrong = draw("2800", answer, "2025-08-12", "2025-08-18")["entry"]
    undone = answer(
        "funds", "record", "reverse", "--reverses", wrong, "--at", "2025-08-20", "--by", "clerk", "--document", "memo"
    )  # fmt: skip
    assert undone["balances"]["water:held"] == "50000.00"
    assert [one["case"] for one in answer("funds", "list", "--case", CASE)] == [CASE, CASE]


@pytest.mark.usefixtures("supplied")
def test_an_entry_reversed_and_recorded_again_counts_once_more(answer: Callable[..., Any]) -> None:
    again = ("post", "700", answer)
    first = record(*again, at="2025-05-02", document="rider 1")
    reversed_by = ("funds", "record", "reverse", "--reverses", first["entry"], "--at", "2025-05-03", "--by", "clerk")
    assert answer(*reversed_by, "--document", "memo")["balances"]["water:held"] == "50000.00"
    second = record(*again, at="2025-05-02", document="rider 1")
    assert (second["recorded"], second["balances"]["water:held"]) == (True, "50700.00")
    third = record(*again, at="2025-05-02", document="rider 1")
    assert (third["recorded"], third["balances"]["water:held"]) == (False, "50700.00"), "killed and run again is one"


@pytest.mark.usefixtures("supplied")
@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("2015-01-01", "2015-01-10", "the supply begins before interim_supply_decided of 2025-08-11"),
        ("2025-08-10", "2025-08-17", "the supply begins before interim_supply_decided of 2025-08-11"),
        ("2031-01-01", "2031-01-10", "paid further ahead than the town plans for"),
        ("2025-08-12", "2026-08-13", "too long a supply for one invoice"),
    ],
)
def test_days_that_no_decision_covers_are_not_paid_for(run: Run, first: str, last: str, words: str) -> None:
    supply = ("--fund", "water", "--use", "supply", "--case", CASE, "--from", first, "--to", last, "--amount", "280")
    code, _, err = run(
        "funds", "record", "draw", *supply, "--at", "2025-08-19", "--by", "clerk", "--document", "invoice"
    )
    assert (code, words in err) == (2, True), err


@pytest.mark.usefixtures("supplied")
def test_an_invoice_is_paid_once_whoever_records_it(answer: Callable[..., Any], run: Run) -> None:
    draw("280", answer, "2025-08-12", "2025-08-18")
    supply = ("--fund", "water", "--use", "supply", "--case", CASE, "--from", "2025-08-12", "--to", "2025-08-18")
    code, _, err = run(
        "funds", "record", "draw", *supply, "--amount", "280", "--at", "2025-08-20", "--by", "town board", "--document",
        "Invoice 2025-08-18",
    )  # fmt: skip
    assert (code, "shows this movement already, recorded by clerk" in err) == (2, True), err


@pytest.mark.usefixtures("supplied")
def test_nothing_is_got_back_for_days_that_were_not_paid(answer: Callable[..., Any], run: Run) -> None:
    draw("280", answer, "2025-08-12", "2025-08-18")
    back = ("funds", "record", "recover", "--fund", "water", "--use", "supply", "--case", CASE, "--at", "2025-08-20",
            "--by", "clerk", "--document", "refund", "--amount", "41")  # fmt: skip
    for days, most in ((("2025-08-18", "2025-08-20"), "at most 40.00"), (("2025-08-19", "2025-08-20"), "at most 0.00")):
        code, _, err = run(*back, "--from", days[0], "--to", days[1])
        assert (code, most in err) == (2, True), err


def closed(answer: Callable[..., Any]) -> None:
    """The operator's report approved on 10 October 2025: it was not the cause."""
    act("operator_receipt", "2025-08-12T14:00", answer, "owner:R-1")
    act("operator_report_received", "2025-08-20T10:00", answer, "operator")
    act("report_approved", "2025-10-10T19:00", answer, "town board")


def elect(answer: Callable[..., Any], first: str, last: str, *facts: str) -> None:
    days = (f"supplied_from={first}", f"supplied_to={last}")
    act("reimbursement_elected", "2025-10-20T09:00", answer, "operator", *days, *facts)


REPAY = ("funds", "record", "reimburse", "--case", CASE, "--by", "clerk", "--document", "election")


@pytest.mark.usefixtures("supplied")
def test_repayment_waits_for_the_town_and_the_election_and_never_exceeds_the_days_elected(
    answer: Callable[..., Any], run: Run
) -> None:
    draw("600", answer, "2025-08-12", "2025-10-10")  # 60 days of 10 dollars
    closed(answer)
    assert answer("funds", "reimbursable", CASE)["at_most"] == "600.00"
    assert "has not elected it" in run(*REPAY, "--at", "2025-10-28", "--amount", "200")[2]
    elect(answer, "2025-09-01", "2025-09-30", "amount_usd=250")
    found = answer("funds", "reimbursable", CASE)
    assert (found["at_most"], found["elected"]) == ("250.00", "2025-09-01 to 2025-09-30")
    for at in ("2024-01-01", "2025-10-10T20:00", "2025-10-20T08:59"):
        code, _, err = run(*REPAY, "--at", at, "--amount", "10")
        assert (code, "--at: before report_approved and reimbursement_elected" in err) == (2, True), err
    owed = answer(*REPAY, "--amount", "200", "--at", "2025-11-01")["balances"]
    assert owed["private:owner_owes"] == "200.00"
    code, _, err = run(*REPAY, "--amount", "51", "--at", "2025-11-02")
    assert (code, "at most 50.00" in err) == (2, True), err


@pytest.mark.usefixtures("supplied")
def test_a_refund_of_the_second_year_leaves_the_first_and_only_supplied_days_are_repaid(
    answer: Callable[..., Any], run: Run
) -> None:
    first = ("--use", "supply", "--case", CASE, "--from", "2025-08-12", "--to", "2026-08-11")
    record("draw", "3650", answer, *first, at="2025-08-19", document="inv A")
    second = ("--use", "supply", "--case", CASE, "--from", "2026-08-12", "--to", "2027-08-11")
    record("draw", "3650", answer, *second, at="2025-08-19", document="inv B")
    back = record("recover", "1000", answer, *second, at="2025-09-20", document="refund for inv B")
    assert back["balances"]["water:supply"] == "6300.00"
    closed(answer)
    assert answer("funds", "reimbursable", CASE)["at_most"] == "3650.00", "the first year was not refunded"
    elect(answer, "2025-08-12", "2026-08-11")
    assert answer("funds", "reimbursable", CASE)["at_most"] == "3650.00"
    # From 12 August to 1 November 2025 are 82 days of 10 dollars.
    code, _, err = run(*REPAY, "--amount", "820.01", "--at", "2025-11-01")
    assert (code, "at most 820.00" in err) == (2, True), err


@pytest.mark.usefixtures("supplied")
def test_an_owner_pays_what_was_elected_and_what_it_rests_on_is_not_taken_away(
    answer: Callable[..., Any], run: Run
) -> None:
    paid = draw("600", answer, "2025-08-12", "2025-10-10")["entry"]
    closed(answer)
    elect(answer, "2025-08-12", "2025-10-10")
    claim = answer(*REPAY, "--amount", "600", "--at", "2025-11-01")["entry"]
    undo = ("funds", "record", "reverse", "--at", "2025-11-02", "--by", "clerk", "--document", "memo", "--reverses")
    code, _, err = run(*undo, paid)
    assert (code, "600.00 were reimbursed" in err, "reverse the reimbursement first" in err) == (2, True, True), err
    back = ("--fund", "water", "--use", "supply", "--case", CASE, "--from", "2025-08-12", "--to", "2025-10-10")
    code, _, err = run(
        "funds", "record", "recover", *back, "--amount", "100", "--at", "2025-11-02", "--by", "clerk", "--document", "r"
    )
    assert (code, "only 500.00 would be left" in err) == (2, True), err
    settle = ("funds", "record", "repay", "--case", CASE, "--document", "receipt 1", "--by", "owner:R-1")
    assert answer(*settle, "--amount", "600", "--at", "2025-11-05")["balances"]["private:owner_owes"] == "0.00"
    code, _, err = run(*settle, "--amount", "1", "--at", "2025-11-06")
    assert (code, "at most 0.00" in err) == (2, True), err
    assert run(*undo[:5], "2025-11-07", *undo[6:], claim)[0] == 2, "a claim that was paid is not reversed away"
    found = answer("funds", "reimbursable", CASE)
    assert (found["reimbursed"], found["paid_by_owner"]) == ("600.00", "600.00")


@pytest.mark.usefixtures("supplied")
def test_nothing_is_repaid_in_a_case_taken_up_again(answer: Callable[..., Any], run: Run) -> None:
    draw("600", answer, "2025-08-12", "2025-10-10")
    closed(answer)
    elect(answer, "2025-08-12", "2025-10-10")
    town = ("--body", "town board", "--meeting", "2025-12-01", "--vote", "3-0", "--note", "new evidence")
    answer("case", "record", CASE, "case_reopened", "--at", "2025-12-01T10:00", "--by", "town board", *town)
    for asked in (("funds", "reimbursable", CASE), (*REPAY, "--amount", "5", "--at", "2025-12-05")):
        code, _, err = run(*asked)
        assert (code, "in effect says the operator was not the cause" in err) == (2, True), err


@pytest.mark.usefixtures("supplied")
def test_a_supply_ends_with_the_approval_and_is_paid_for_until_then(answer: Callable[..., Any], run: Run) -> None:
    closed(answer)
    late = ("--use", "supply", "--case", CASE, "--from", "2025-10-01")
    record("draw", "100", answer, *late, "--to", "2025-10-10", at="2025-12-19", document="inv Y")
    code, _, err = run(
        "funds", "record", "draw", "--fund", "water", "--amount", "500", *late, "--to", "2025-10-11", "--at",
        "2025-12-19", "--by", "clerk", "--document", "inv Z",
    )  # fmt: skip
    assert (code, "report_approved of 2025-10-10 ended the supply" in err) == (2, True), err


ASSURANCE = "howard.assurance/pine-hollow/2025-09-01"


@pytest.fixture
def determined(answer: Callable[..., Any]) -> None:
    """The Town Board determined 8,000 dollars more for water on 1 September 2025."""
    town = ("--body", "town board", "--meeting", "2025-09-01", "--vote", "3-0", "--by", "town board")
    facts = ("--fact", "amount_usd=8,000", "--fact", "basis=supply-of-R-2", "--fact", "account=water")
    about = ("howard.assurance", "pine-hollow", "--at", "2025-09-01T19:00")
    answer("case", "open", *about, "--event", "assurance_determined", *town, *facts)


@pytest.mark.usefixtures("determined")
def test_what_is_asked_is_what_was_determined_and_what_is_met_was_provided(
    answer: Callable[..., Any], run: Run
) -> None:
    ask = ("funds", "record", "request", "--case", ASSURANCE, "--by", "clerk", "--document", "notice 3")
    wrong = {
        ("--fund", "water", "--amount", "9000", "--at", "2025-09-02"): "allowed: exactly 8000",
        ("--fund", "water", "--amount", "7999", "--at", "2025-09-02"): "allowed: exactly 8000",
        ("--fund", "road", "--amount", "8000", "--at", "2025-09-02"): "for the road fund stands before it",
        ("--fund", "water", "--amount", "8000", "--at", "2025-09-01T18:00"): "for the water fund stands before it",
    }
    for facts, words in wrong.items():
        code, _, err = run(*ask, *facts)
        assert (code, words in err) == (2, True), err
    assert "DIFFERS" in answer("funds")["assurance"][0]["says"]
    assert answer(*ask, "--fund", "water", "--amount", "8000", "--at", "2025-09-02")["recorded"]
    assert [one["says"] for one in answer("funds")["assurance"]] == [""]
    meet = ("funds", "record", "meet", "--case", ASSURANCE, "--fund", "water", "--by", "clerk", "--document", "bond 18")
    assert "no assurance_part_provided" in run(*meet, "--amount", "3000", "--at", "2025-09-04")[2]
    part = ("--at", "2025-09-03T09:00", "--by", "operator", "--fact", "amount_usd=3000")
    answer("case", "record", ASSURANCE, "assurance_part_provided", *part)
    assert "allowed: at most 3000" in run(*meet, "--amount", "3001", "--at", "2025-09-04")[2]
    assert answer(*meet, "--amount", "3000", "--at", "2025-09-04")["balances"]["water:owed"] == "5000.00"


def test_assurance_is_given_back_as_the_board_determined(answer: Callable[..., Any], run: Run) -> None:
    record("post", "50000", answer, at="2025-05-01", document="bond 17")
    answer("case", "open", "howard.register", "pine-hollow", "--at", "2025-01-02T09:00")
    book = "howard.register/pine-hollow/2025-01-02"
    give = (
        "funds",
        "record",
        "release",
        "--case",
        book,
        "--by",
        "clerk",
        "--document",
        "resolution 9",
        "--fund",
        "water",
    )
    assert "no assurance_released" in run(*give, "--amount", "100", "--at", "2025-06-02")[2]
    town = ("--body", "town board", "--meeting", "2025-06-01", "--vote", "3-0", "--by", "town board")
    facts = ("--fact", "amount_usd=100", "--fact", "account=water")
    answer("case", "record", book, "assurance_released", "--at", "2025-06-01T19:00", *town, *facts)
    assert "at most 100" in run(*give, "--amount", "101", "--at", "2025-06-02")[2]
    assert answer(*give, "--amount", "100", "--at", "2025-06-02")["balances"]["water:held"] == "49900.00"


def test_a_property_the_town_found_damaged_counts_wherever_it_lies(answer: Callable[..., Any]) -> None:
    # lie within the half mile and R-3 beyond it: 2.11(1)(b) adds "such other area shown to be impacted".
    assert answer("funds")["exposure"]["total"] == "29200.00"
    answer("case", "open", "howard.remedy", "R-3", "--at", "2025-09-20T09:15", "--method", "hand")
    town = ("--body", "town board", "--meeting", "2025-10-02", "--vote", "3-0", "--document", "study.pdf")
    about = ("howard.remedy/R-3/2025-09-20", "town_found_cause", "--at", "2025-10-02T18:00", "--by", "town board")
    answer("case", "record", *about, *town)
    found = answer("funds")["exposure"]
    assert (found["shown_impacted"], found["total"]) == (["R-3"], "43800.00")


def test_a_decision_not_to_use_the_fund_pays_for_nothing(answer: Callable[..., Any], run: Run) -> None:
    record("post", "50000", answer, at="2025-05-01", document="bond 17")
    answer("case", "open", "howard.remedy", "R-1", "--at", "2025-08-11T09:15", "--method", "hand")
    act("interim_supply_decided", "2025-08-11T19:00", answer, "town board", "decision=do not use")
    supply = ("--use", "supply", "--case", CASE, "--from", "2025-08-12", "--to", "2025-08-18")
    code, _, err = run(
        "funds", "record", "draw", "--fund", "water", "--amount", "280", *supply, "--at", "2025-08-18", "--by", "clerk",
        "--document", "invoice",
    )  # fmt: skip
    assert (code, "that uses the fund" in err) == (2, True)


def test_exposure_counts_parcels_in_reach_and_says_that_its_price_is_not_adopted(answer: Callable[..., Any]) -> None:
    # R-1 lies 80 ft from the mine, R-2 1,900 ft and R-3 3,600 ft; 40 dollars a day for 365 days is 14,600.
    found = answer("funds")["exposure"]
    assert "R-1" in found["households"]
    assert "R-3" not in found["households"]
    assert Decimal(found["total"]) == Decimal("14600.00") * len(found["households"])
    assert "not adopted" in found["basis"]


@pytest.mark.usefixtures("supplied")
def test_a_forfeiture_is_counted_by_days_and_owed_by_nobody(answer: Callable[..., Any]) -> None:
    act("operator_receipt", "2025-08-12T14:00", answer, "owner:R-1")
    found = answer("funds", "exposure")
    late = next(one for one in found["rows"] if one["what"] == "duty overdue")
    assert int(late["least_usd"]) == 100 * late["days"]
    assert int(late["most_usd"]) == 5000 * late["days"]
    assert "Only on adjudication" in found["says"]
