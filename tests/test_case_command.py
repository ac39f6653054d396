"""A clerk at the terminal: cases opened, acts recorded, wrong ones answered in plain words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from models.event import OPENED, Event
from models.finding import Finding, Transition
from pipelines import casebook, cli
from pipelines.database import opened, transaction

CASE = "howard.remedy/R-1/2025-08-11"
DONE = {0, 3}
"""An act may be taken, and something else be left out."""
Run = Callable[..., tuple[int, str, str]]


def open_case(run: Run, subject: str = "R-1", at: str = "2025-08-11T09:15", *more: str) -> tuple[int, str, str]:
    return run("case", "open", "howard.remedy", subject, "--at", at, "--method", "hand", *more)


RECEIPT = ("case", "record", CASE, "operator_receipt", "--at", "2025-08-12T14:00", "--by", "owner:R-1", "--method")
TOWN = ("--by", "town board", "--body", "town board", "--vote", "3-0", "--meeting")
REPORT = ("case", "record", CASE, "operator_report_received", "--by", "operator", "--at")


def test_an_owner_s_notice_opens_a_case_with_its_id_and_says_what_is_missing(run: Run) -> None:
    code, out, _ = open_case(run)
    assert code == 0
    assert f"recorded: town_receipt in {CASE}" in out
    assert "the parcel lies 80 ft from the mine site: inside the line" in out
    assert re.search(r"2\.15\(2\).*one_missing", out)


def test_beyond_half_a_mile_the_same_command_takes_an_application(run: Run) -> None:
    code, out, _ = open_case(run, "R-3")
    assert (code, "petition_received in howard.remedy/R-3/2025-08-11" in out) == (0, True)
    assert "3,600 ft" in out
    code, _, err = open_case(run, "R-3", "2025-08-12T09:15", "--event", "town_receipt")
    assert code == 2
    assert "no standing under 2.15(1)" in err


def test_a_tenant_is_told_who_has_the_right(run: Run) -> None:
    code, _, err = open_case(run, "R-1", "2025-08-11T09:15", "--by", "occupant:R-1")
    assert code == 2
    assert "gives the right to the owner of the property; an occupant has no standing" in err


def test_a_second_case_of_a_day_is_asked_for(run: Run) -> None:
    open_case(run)
    code, _, err = open_case(run)
    assert code == 2
    assert "a case of that day is on record: record in it, or say --another" in err
    code, out, _ = open_case(run, "R-1", "2025-08-11T15:00", "--another")
    assert (code, f"{CASE}.2" in out) == (0, True)


def test_both_times_of_the_operator_s_clock(run: Run, answer: Callable[..., Any]) -> None:
    open_case(run)
    found = answer(*RECEIPT, "certified mail", "--proof", "9407-1")
    (clock,) = [one for one in found["clocks"] if one["step"] == "howard.remedy.report"]
    assert (clock["plain"], clock["statutory"], clock["who"]) == ("2025-09-01", "2025-09-02", "operator")
    assert (clock["runs_from"], clock["clause"], clock["standing"]) == ("operator_receipt", "2.15(4)", "overdue")
    owed = answer("clock", "--who", "operator")
    assert [(one["case"], one["plain"]) for one in owed if one["case"]] == [(CASE, "2025-09-01")]


def test_the_same_act_twice_is_one(run: Run, answer: Callable[..., Any]) -> None:
    open_case(run)
    assert [answer(*RECEIPT, "hand")["recorded"] for _ in range(2)] == [True, False]
    assert [one["event"] for one in answer("case", "show", CASE)["events"]] == ["town_receipt", "operator_receipt"]


def test_an_impossible_act_is_refused_with_what_is_possible(run: Run, answer: Callable[..., Any]) -> None:
    open_case(run)
    before = answer("case", "show", CASE)
    code, _, err = run(
        "case", "record", CASE, "report_approved", "--at", "2025-09-18T19:00", "--by", "town board",
        "--body", "town board", "--meeting", "2025-09-18", "--vote", "3-0",
    )  # fmt: skip
    assert code == 2
    assert "2.15(5) does not allow it on 2025-09-18: it comes only after operator_report_received" in err
    assert "allowed: operator_receipt, interim_supply_decided" in err
    assert answer("case", "show", CASE) == before


WRONG = {
    "no such day": (["--at", "2025-02-30T10:00"], "--at: not a time"),
    "a day without its hour": (["--at", "2025-08-12"], "--at: say the hour too"),
    "tomorrow": (["--at", "2999-01-01T10:00"], "recorded before it happened"),
    "a party nobody knows": (["--by", "my cousin"], "by: no party of this site"),
    "a meeting on no day": (["--meeting", "last week"], "meeting: not a day"),
    "a fact that is none": (["--fact", "damage"], "--fact: not a fact"),
    "a fact the law does not know": (["--fact", "mood=bad"], "states no such fact"),
    "a fact out of its range": (["--fact", "damage=z"], "allowed: a, b, c"),
    "a household's name": (["--note", "Example Owner One rang"], "holds a household's name"),
    "a household's phone": (["--note", "rang from 715 555 0101"], "holds a household's phone"),
    "a household's address": (["--note", "left at N100 Example Lane"], "holds a household's address"),
    "a property nobody knows": (["--party", "R-77"], "no property or party of this site"),
    "a key of no act": (["--corrects", "abcdef012345"], "no act of this case begins so"),
}


@pytest.mark.parametrize(("change", "says"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_is_said_in_plain_words_and_leaves_no_trace(
    run: Run, answer: Callable[..., Any], change: list[str], says: str
) -> None:
    open_case(run)
    before = answer("case", "show", CASE)["events"]
    code, out, err = run(*RECEIPT, "hand", *change)
    assert code == 2
    assert says in err
    assert not [secret for secret in ("Owner One", "0101", "N100") if secret in out + err]
    assert answer("case", "show", CASE)["events"] == before


def test_a_wrong_entry_is_put_right_and_both_stay_on_record(run: Run, answer: Callable[..., Any]) -> None:
    open_case(run)
    key = answer(*RECEIPT, "hand")["key"]
    right = ["case", "record", CASE, "operator_receipt", "--at", "2025-08-22T14:00", "--by", "owner:R-1"]
    found = answer(*right, "--method", "hand", "--corrects", key[:12])
    assert [one["plain"] for one in found["clocks"] if one["step"] == "howard.remedy.report"] == ["2025-09-11"]
    shown = answer("case", "show", CASE)
    assert [one["counts"] for one in shown["events"]] == [None, f"corrected by {found['key'][:12]}", None]
    assert {one["step"]: one["plain"] for one in shown["clocks"]}["howard.remedy.report"] == "2025-09-11"


def test_an_entry_taken_back(run: Run, answer: Callable[..., Any]) -> None:
    open_case(run)
    key = answer(*RECEIPT, "hand")["key"]
    back = ["case", "record", CASE, "entry_withdrawn", "--at", "2025-08-20T09:00", "--by", "owner:R-1"]
    back += ["--corrects", key]
    assert "a withdrawal says why" in run(*back)[2]
    assert answer(*back, "--note", "another property's")["recorded"]
    assert [one["step"] for one in answer("case", "show", CASE)["clocks"]] == [
        "howard.remedy.notice", "howard.remedy.interim.step",
    ]  # fmt: skip


def test_a_document_here_is_kept_by_its_hash_and_one_elsewhere_by_its_name(
    run: Run, answer: Callable[..., Any], tmp_path: Path
) -> None:
    paper = tmp_path / "report.pdf"
    paper.write_bytes(b"%PDF-1.7 report")
    open_case(run)
    answer(*RECEIPT, "hand")
    code, out, _ = run(*REPORT, "2025-08-20T10:00", "--document", "in the blue folder")
    assert (code, "no file here, kept as the name of a paper without a hash" in out) == (0, True)
    found = answer(*REPORT, "2025-08-21T10:00", "--document", str(paper))
    assert (found["document"], found["sha256"]) == ("report.pdf", hashlib.sha256(b"%PDF-1.7 report").hexdigest())
    assert [one.get("sha256") for one in answer("case", "show", CASE)["events"]][-2:] == [None, found["sha256"]]


def test_one_act_in_two_cases_or_in_none(run: Run, answer: Callable[..., Any]) -> None:
    open_case(run, "R-1", "2025-08-11T09:15", "--incident", "august")
    open_case(run, "R-2", "2025-08-11T10:15", "--incident", "august")
    other = "howard.remedy/R-2/2025-08-11"
    same = ["case", "record", CASE, "operator_receipt", "--at", "2025-08-12T14:00", "--by", "clerk", "--method", "hand"]
    assert run(*same, "--also", "howard.remedy/R-2/2025-08-12")[0] == 2
    assert len(answer("case", "show", CASE)["events"]) == 1
    assert answer(*same, "--also", other)["cases"] == [CASE, other]
    assert [one["case"] for one in answer("cases", "--incident", "august")] == [CASE, other]
    assert [one["case"] for one in answer("cases", "--subject", "R-2")] == [other]


def test_an_act_recorded_late_says_what_it_contradicts(run: Run, answer: Callable[..., Any]) -> None:
    open_case(run)
    answer("case", "record", CASE, "case_closed", "--at", "2025-08-30T09:00", "--note", "repaired", *TOWN, "2025-08-30")
    reopened = ["case", "record", CASE, "case_reopened", "--at", "2025-09-02T09:00", "--note", "dry"]
    reopened += [*TOWN, "2025-09-02"]
    key = answer(*reopened)["key"]
    answer("case", "record", CASE, "operator_receipt", "--at", "2025-09-03T09:00", "--by", "clerk", "--method", "hand")
    back = ["case", "record", CASE, "entry_withdrawn", "--at", "2025-09-04T09:00", "--corrects", key]
    back += [*TOWN, "2025-09-04"]
    code, out, _ = run(*back, "--note", "it was not")
    assert code == 3
    assert "NOW IMPOSSIBLE, and left out until it is put right: operator_receipt of 2025-09-03" in out
    shown = answer("case", "show", CASE)
    assert (shown["status"], [one["counts"] for one in shown["events"]][-2:]) == ("closed", ["contradicted", None])


def test_help_alone_shows_a_clerk_how(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("open", "record"):
        assert cli.run(["case", command, "--help"]) == 0
        out = capsys.readouterr().out
        assert f"headwater case {command} howard." in out
        assert "--method" in out
    open_case(run)
    code, out, _ = run("case", "show", CASE, "--acts")
    assert (code, "body, meeting, vote" in out) == (0, True)


def test_events_csv_takes_the_newer_columns_and_the_old_header(folder: Path, answer: Callable[..., Any]) -> None:
    old = "case,event,happened_at,recorded_at,by,method,document,note"
    begun = f"{CASE},town_receipt,2025-08-11T09:15:00-05:00,2025-08-11T09:40:00-05:00,owner:R-1,hand,,"
    (folder / "events.csv").write_text(f"{old}\n{begun}\n", encoding="utf-8")
    answer("nightly", "--as-of", "2025-08-11")
    decided = (
        f"{CASE},interim_supply_decided,2025-08-11T18:30:00-05:00,2025-08-12T09:00:00-05:00,town board,,,,"
        "town board,2025-08-11,3-0,decision=use; amount_usd=400.00"
    )
    text = f"{old},body,meeting,vote,facts\n{begun},,,,\n{decided}\n"
    (folder / "events.csv").write_text(text, encoding="utf-8")
    answer("nightly", "--as-of", "2025-08-12")
    shown = answer("case", "show", CASE)["events"]
    assert [one["event"] for one in shown] == ["town_receipt", "interim_supply_decided"]
    assert (shown[1]["vote"], shown[1]["facts"]) == ("3-0", {"amount_usd": "400.00", "decision": "use"})


def test_a_line_of_events_csv_that_names_a_household_is_kept_nowhere(
    folder: Path, run: Run, answer: Callable[..., Any]
) -> None:
    line = f"{CASE},town_receipt,2025-08-11T09:15:00-05:00,2025-08-11T09:40:00-05:00,owner:R-1,hand,,Example Owner One"
    head = "case,event,happened_at,recorded_at,by,method,document,note"
    (folder / "events.csv").write_text(f"{head}\n{line}\n", encoding="utf-8")
    code, out, err = run("nightly", "--as-of", "2025-08-11")
    assert code == 3
    rejected = run("rejects")[1]
    assert "holds a household's name" in out + rejected
    assert "Owner One" not in out + err + rejected
    stored = b"".join(one.read_bytes() for one in folder.glob("headwater.db*"))
    assert b"Example Owner One" not in stored


def test_a_cessation_lifted_on_days_that_the_record_knows_as_low_is_doubted(
    folder: Path, answer: Callable[..., Any]
) -> None:
    flow = "howard.baseflow/LMC-1/2025-07-20"
    low = Finding(
        rule="howard.baseflow", clause="2.09(3)(c)", station="LMC-1", parameter="discharge", aspect="base flow 1",
        start=date(2025, 7, 15), end=date(2025, 8, 30), opened_on=date(2025, 7, 20), verdict="attained", status="",
        measured="4", limit="5", unit="cfs", reason="", opens="howard.baseflow",
    )  # fmt: skip
    at = datetime(2025, 7, 21, tzinfo=UTC)
    with opened(f"sqlite:///{folder / 'headwater.db'}") as engine, transaction(engine) as connection:
        casebook.append_finding(connection, Transition("opened", low), casebook.ms(at))
        casebook.append_event(connection, Event(flow, OPENED, at, at, "headwater", note=low.key), casebook.ms(at))
    town = ["--by", "town board", "--body", "town board", "--vote", "3-0", "--meeting"]
    record = ["case", "record", flow]
    answer(*record, "town_notice_given", "--at", "2025-07-22T10:00", "--by", "clerk", "--method", "hand")
    answer(*record, "operator_plan_received", "--at", "2025-07-30T10:00", "--by", "operator")
    answer(*record, "deemed_inadequate", "--at", "2025-08-04T19:00", *town, "2025-08-04")
    lifted = [*record, "cessation_lifted", "--at", "2025-09-08T19:00", *town, "2025-09-08", "--fact", "forecast=f-1"]
    found = answer(*lifted, "--fact", "flows_since=2025-08-30")["doubts"]
    assert [one.partition(":")[0] for one in found] == [
        "the record has days below base flow from 2025-07-15 to 2025-08-30, and the act cites 2025-08-30 on",
        "no flow of LMC-1 is on record from 2025-08-30 to 2025-09-07",
        "f-1 is kept as the name of a paper, without a hash",
    ]
    again = answer(
        "case", "record", flow, "case_reopened", "--at", "2025-09-09T10:00", "--note", "low", *town, "2025-09-09"
    )
    assert again["status"] == {flow: "open"}


def test_a_line_that_makes_an_act_on_record_impossible_is_said_that_night(
    folder: Path, answer: Callable[..., Any]
) -> None:
    """The report came in time, is denied, and then it is written down that the owner had withdrawn before."""
    lines = [
        "case,event,happened_at,recorded_at,by,method,document,note",
        f"{CASE},operator_receipt,2025-08-11T09:15:00-05:00,2025-08-11T09:40:00-05:00,owner:R-1,hand,,",
        f"{CASE},operator_plan_received,2025-08-12T09:15:00-05:00,2025-08-12T09:40:00-05:00,operator,hand,,",
        f"{CASE},notice_withdrawn,2025-08-11T12:00:00-05:00,2025-08-13T09:40:00-05:00,owner:R-1,told,,",
        "",
    ]
    (folder / "events.csv").write_text("\n".join(lines), encoding="utf-8")
    said = [answer("nightly", "--as-of", f"2025-08-{day}")["left_out"] for day in (11, 12, 13, 14)]
    assert said == [
        [], [],
        [f"{CASE}: operator_plan_received is contradicted by another act and left out: "
         "the case is closed by notice_withdrawn of 2025-08-11"],
        [],
    ]  # fmt: skip
