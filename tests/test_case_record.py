"""What a clerk sees of a case: acts whole, in any order of writing down, and what speaks against them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from models.event import OPENED, Event
from pipelines import casebook
from pipelines.database import opened, transaction

CASE, FLOW = "howard.remedy/R-1/2025-08-11", "howard.baseflow/LMC-1/2025-07-20"
TOWN = ("--by", "town board", "--body", "town board", "--vote", "3-0", "--meeting")
DONE = {0, 3}
"""An act may be taken, and something else be left out."""
Run = Callable[..., tuple[int, str, str]]
Answer = Callable[..., Any]


def opened_by_finding(folder: Path) -> None:
    at = datetime(2025, 7, 21, tzinfo=UTC)
    with opened(f"sqlite:///{folder / 'headwater.db'}") as engine, transaction(engine) as connection:
        casebook.append_event(connection, Event(FLOW, OPENED, at, at, "headwater"), casebook.ms(at))


def act(case: str, event: str, at: str, *said: str) -> tuple[str, ...]:
    return ("case", "record", case, event, "--at", at, *said)


def ordered(answer: Answer) -> None:
    """Notice on 22 July; twenty days are out with 11 August; ordered on the 20th."""
    answer(*act(FLOW, "town_notice_given", "2025-07-22T10:00", "--by", "clerk", "--method", "hand"))
    answer(*act(FLOW, "cessation_ordered", "2025-08-20T19:00", *TOWN, "2025-08-20"))


REMEDY = """case,event,happened_at,recorded_at,by,method,document,note,body,meeting,vote,facts
{c},town_receipt,2025-08-11T09:15:00-05:00,2025-08-11T09:40:00-05:00,owner:R-1,hand,,,,,,
{c},interim_supply_began,2025-08-12T08:00:00-05:00,2025-08-12T08:30:00-05:00,clerk,,,,,,,
{c},operator_receipt,2025-08-12T14:00:00-05:00,2025-08-12T15:10:00-05:00,owner:R-1,hand,,,,,,
{c},operator_report_received,2025-08-20T16:00:00-05:00,2025-08-20T16:25:00-05:00,operator,hand,,,,,,
{c},report_denied,2025-08-21T19:10:00-05:00,2025-08-21T21:00:00-05:00,town board,,,,town board,2025-08-21,3-0,
{c},operator_plan_received,2025-08-22T16:00:00-05:00,2025-08-22T16:25:00-05:00,operator,hand,,,,,,
"""


@pytest.mark.parametrize("shift", range(6))
def test_the_order_of_lines_in_events_csv_is_nothing(folder: Path, answer: Answer, shift: int) -> None:
    head, *lines = REMEDY.format(c=CASE).splitlines()
    mixed = [*reversed(lines[shift:]), *reversed(lines[:shift])]
    (folder / "events.csv").write_text("\n".join([head, *mixed, ""]), encoding="utf-8")
    assert answer("nightly", "--as-of", "2025-08-22")["left_out"] == []
    shown = answer("case", "show", CASE)
    assert [one["event"] for one in shown["events"]] == [line.split(",")[1] for line in lines]
    assert shown["state"] == "the town, with the owner, judges the plan"


def test_a_correction_to_an_earlier_hour_is_taken_the_same_night(folder: Path, answer: Answer) -> None:
    """Dated before the entry it puts right, and taken after it."""
    at = datetime(2025, 8, 12, 19, tzinfo=UTC)
    wrong = Event(CASE, "operator_receipt", at, at, "owner:R-1", "hand")
    earlier = "2025-08-12T10:00:00-05:00,2025-08-13T10:00:00-05:00"
    right = f"{CASE},operator_receipt,{earlier},owner:R-1,hand,,,,,,,{wrong.key()}"
    head, first, _, second, *_ = REMEDY.format(c=CASE).splitlines()
    text = "\n".join([f"{head},corrects", right, f"{second},", f"{first},", ""])
    (folder / "events.csv").write_text(text, encoding="utf-8")
    assert answer("nightly", "--as-of", "2025-08-13")["left_out"] == []
    assert [one["counts"] is None for one in answer("case", "show", CASE)["events"]] == [True, True, False]


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_lines_that_exclude_each_other_the_earlier_act_is_taken(
    folder: Path, answer: Answer, turned: bool
) -> None:
    """A plan in time and an order for want of one, both in tonight's file, in either order: no mine stops by a line."""
    opened_by_finding(folder)
    lines = [
        f"{FLOW},town_notice_given,2025-07-22T10:00:00-05:00,2025-08-21T10:00:00-05:00,clerk,hand,,,,,",
        f"{FLOW},operator_plan_received,2025-08-01T10:00:00-05:00,2025-08-21T10:00:00-05:00,operator,hand,,,,,",
        f"{FLOW},cessation_ordered,2025-08-20T19:00:00-05:00,2025-08-21T10:00:00-05:00,clerk,,,,town board,"
        "2025-08-20,3-0",
    ]
    head = "case,event,happened_at,recorded_at,by,method,document,note,body,meeting,vote"
    order = [lines[0], lines[2], lines[1]] if turned else lines
    (folder / "events.csv").write_text("\n".join([head, *order, ""]), encoding="utf-8")
    (left,) = answer("nightly", "--as-of", "2025-08-21")["left_out"]
    assert "does not allow it on 2025-08-20" in left
    assert answer("case", "show", FLOW)["state"] == "the town judges the plan"


def test_a_plan_in_time_that_comes_to_light_later_is_told_and_the_order_stands(
    folder: Path, run: Run, answer: Answer
) -> None:
    opened_by_finding(folder)
    ordered(answer)
    answer("nightly", "--as-of", "2025-08-21")
    code, out, _ = run(*act(FLOW, "operator_plan_received", "2025-08-01T10:00", "--by", "operator"))
    assert code == 3
    until = "cessation_lifted or cessation_rescinded"
    assert f"CONTRADICTED, AND IN FORCE until {until}: cessation_ordered of 2025-08-20" in out
    shown = answer("case", "show", FLOW)
    assert (shown["status"], shown["state"]) == ("open", "mining shall cease")
    assert [one["counts"] for one in shown["events"] if one["event"] == "cessation_ordered"] == [
        "stands, though contradicted"
    ]
    nights = [answer("nightly", "--as-of", f"2025-08-{day}") for day in (22, 23)]
    said = [[one for one in night["left_out"] if "CONTRADICTED" in one] for night in nights]
    assert [len(one) for one in said] == [1, 0]
    assert said[0][0].startswith(f"{FLOW}: CESSATION_ORDERED OF THE TOWN IS CONTRADICTED AND STANDS")
    assert nights[0]["left_out"][0] == said[0][0]


def test_a_clerk_s_late_plan_contradicts_nothing(folder: Path, run: Run, answer: Answer) -> None:
    opened_by_finding(folder)
    ordered(answer)
    code, out, _ = run(*act(FLOW, "operator_plan_received", "2025-08-19T10:00", "--by", "operator"))
    assert (code, "CONTRADICTED" in out, "mining shall cease" in out) == (0, False, True)


def test_what_waits_for_an_act_not_yet_on_record_says_so(run: Run, answer: Answer) -> None:
    answer("case", "open", "howard.remedy", "R-1", "--at", "2025-08-11T09:15", "--method", "hand")
    code, _, err = run(*act(CASE, "report_denied", "2025-09-18T19:00", *TOWN, "2025-09-18"))
    assert code == 2
    assert "it comes only after operator_report_received" in err
    assert "what happened before and is not on record is recorded first" in err


def test_a_wrong_day_in_an_id_opens_no_case(run: Run, answer: Answer) -> None:
    receipt = ("town_receipt", "2025-09-05T09:00", "--by", "clerk", "--method", "hand")
    code, _, err = run(*act("howard.remedy/R-2/2025-01-01", *receipt))
    assert code == 2
    assert "its id bears the day of the act that opens it" in err
    assert "allowed: howard.remedy/R-2/2025-09-05" in err
    assert answer(*act("howard.remedy/R-2/2025-09-05", *receipt))["recorded"]


def test_amounts_as_people_write_them(run: Run, answer: Answer) -> None:
    case = "howard.assurance/pine-hollow/2025-09-03"
    said = (*TOWN, "2025-09-03", "--fact", "basis=b", "--fact", "account=water", "--fact")
    begun = ("case", "open", "howard.assurance", "pine-hollow", "--event", "assurance_determined", "--at")
    for amount in ("1e3", "0", "-5", "1,00", "5.001"):
        code, _, err = run(*begun, "2025-09-03T19:00", *said, f"amount_usd={amount}")
        assert (code, "amount_usd: not an amount" in err) == (2, True), amount
    assert answer(*begun, "2025-09-03T19:00", *said, "amount_usd=$50,000")["recorded"]
    assert answer("case", "show", case)["events"][0]["facts"]["amount_usd"] == "50000"
    code, _, err = run(
        *act(case, "assurance_provided", "2025-09-04T10:00", "--by", "operator", "--fact", "amount_usd=1")
    )
    assert (code, "1 is less than the 50000 of assurance_determined" in err) == (2, True)


def test_a_case_is_shown_with_everything_its_acts_state(run: Run, answer: Answer, tmp_path: Path) -> None:
    forecast = tmp_path / "forecast of 2 October.pdf"
    forecast.write_bytes(b"%PDF forecast")
    answer("case", "open", "howard.remedy", "R-1", "--at", "2025-08-11T09:15", "--method", "hand", "--proof", "9407-1")
    answer(*act(CASE, "operator_receipt", "2025-08-12T14:00", "--by", "operator", "--method", "hand"))
    answer(*act(CASE, "operator_report_received", "2025-08-20T14:00", "--by", "operator", "--document", str(forecast)))
    denied = act(CASE, "report_denied", "2025-08-30T19:00", *TOWN, "2025-08-30", "--clause", "2.15(5)")
    answer(*denied)
    _, out, _ = run("case", "show", CASE)
    hashed = hashlib.sha256(b"%PDF forecast").hexdigest()
    for said in ("proof 9407-1", f"sha256 {hashed}", "clause 2.15(5); body town board; meeting 2025-08-30; vote 3-0"):
        assert said in out
    assert "2.15(5): 10 days of waiting at 40 USD/d (default, not adopted) a household: 400.00 USD" in out


def test_an_open_window_is_shown_with_how_soon_the_board_may_meet(run: Run, answer: Answer) -> None:
    at = datetime.now(ZoneInfo("America/Chicago")).replace(microsecond=0) - timedelta(minutes=5)
    found = answer("case", "open", "howard.remedy", "R-1", "--at", at.isoformat(), "--method", "hand")
    _, out, _ = run("case", "show", found["case"])
    assert "Wis. Stat. s. 19.84(3)" in out
    assert "a standing resolution" in out


def test_a_forecast_is_a_paper_with_a_hash(folder: Path, answer: Answer, tmp_path: Path) -> None:
    forecast = tmp_path / "forecast 1.pdf"
    forecast.write_bytes(b"%PDF forecast")
    opened_by_finding(folder)
    ordered(answer)
    lifted = act(FLOW, "cessation_lifted", "2025-09-08T19:00", *TOWN, "2025-09-08", "--fact", "flows_since=2025-08-30")
    found = answer(*lifted, "--fact", f"forecast={forecast}")
    assert [one.partition(":")[0] for one in found["doubts"]] == [
        "no flow of LMC-1 is on record from 2025-08-30 to 2025-09-07"
    ]
    kept = answer("case", "show", FLOW)["events"][-1]["facts"]["forecast"]
    assert kept == f"forecast-1.pdf sha256:{hashlib.sha256(b'%PDF forecast').hexdigest()}"


def test_a_notice_before_mining_began_is_doubted(answer: Answer) -> None:
    found = answer("case", "open", "howard.remedy", "R-1", "--at", "2024-02-12T09:15", "--method", "hand")
    assert found["doubts"] == ["it happened before mining began on 2025-01-01"]


def test_supply_is_owed_on_in_a_case_that_the_town_closed(answer: Answer) -> None:
    answer("case", "open", "howard.remedy", "R-1", "--at", "2025-08-11T09:15", "--method", "hand")
    answer(*act(CASE, "operator_receipt", "2025-08-12T14:00", "--by", "clerk", "--method", "hand"))
    answer(*act(CASE, "interim_supply_began", "2025-08-12T15:00", "--by", "clerk"))
    answer(*act(CASE, "case_closed", "2025-09-20T19:00", "--note", "moved away", *TOWN, "2025-09-20"))
    owed = [(one["step"], one["standing"]) for one in answer("clock") if one["case"] == CASE]
    assert owed == [("howard.remedy.supply", "open")]
    every = {one["step"]: one["case_status"] for one in answer("clock", "--all") if one["case"] == CASE}
    assert (every["howard.remedy.report"], every["howard.remedy.supply"]) == ("closed", "open")
    answer(*act(CASE, "case_reopened", "2025-09-21T09:00", "--note", "supply runs", *TOWN, "2025-09-21"))
    answer(*act(CASE, "notice_withdrawn", "2025-09-22T09:00", "--by", "owner:R-1"))
    answer(*act(CASE, "interim_supply_ended", "2025-09-23T09:00", "--by", "clerk"))
    assert [one for one in answer("clock") if one["case"] == CASE] == []
