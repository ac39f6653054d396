"""``headwater funds`` as a clerk uses it: posting, a supply paid within its case, a repayment, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pipelines import cli
from sample_data import demo

CASE = "howard.remedy/R-1/2025-08-11"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The sample site without its acts, and a case of R-1."""
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    demo.fresh_site(tmp_path / "site")
    for name in ("events.csv", "policy.toml"):
        (tmp_path / "site" / name).unlink()

    def headwater(*arguments: str) -> tuple[int, str, str]:
        code = cli.run([*arguments, "--site", str(tmp_path / "site")])
        return code, *capsys.readouterr()

    return headwater


@pytest.fixture
def answer(run: Run) -> Callable[..., Any]:
    def asked(*arguments: str) -> Any:
        code, out, err = run(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    return asked


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
        ("draw", "--fund", "water", "--use", "claims", "--amount", "60000"): "would stand at -10000.00",
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
def test_repayment_waits_for_the_town_and_never_exceeds_the_supply_of_a_year(
    answer: Callable[..., Any], run: Run
) -> None:
    draw("280", answer, "2025-08-12", "2025-08-18")
    act("operator_receipt", "2025-08-12T14:00", answer, "owner:R-1")
    act("operator_report_received", "2025-08-20T10:00", answer, "operator")
    act("report_approved", "2025-08-27T19:00", answer, "town board")
    assert answer("funds", "reimbursable", CASE)["at_most"] == "280.00"
    early = ("funds", "record", "reimburse", "--case", CASE, "--by", "clerk", "--document", "x", "--at", "2025-08-28")
    assert "has not elected it" in run(*early, "--amount", "200")[2]
    act(
        "reimbursement_elected",
        "2025-08-28T09:00",
        answer,
        "operator",
        "supplied_from=2025-08-12",
        "supplied_to=2025-08-18",
    )
    repay = ("funds", "record", "reimburse", "--case", CASE, "--by", "clerk", "--document", "election")
    assert answer(*repay, "--amount", "200", "--at", "2025-09-01")["balances"]["private:owner_owes"] == "200.00"
    code, _, err = run(*repay, "--amount", "81", "--at", "2025-09-02")
    assert (code, "at most 80.00" in err) == (2, True)


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
