"""Registers: one book of what was filed and paid, what the town is told of it, and what it is not told."""

from __future__ import annotations

import csv
import email
import email.policy
import html
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from models.admission import admit
from models.case import cases
from models.checks import lateness
from models.counting import calendar_of
from models.duty_standing import Book, duties
from models.errors import BadLaw, BadSite
from models.event import Event
from models.finding import TOLD, Finding, Transition, transitions
from models.lateness_rule import LatenessRule
from models.policy import default_policy
from models.rules import ordinance, read_ordinance
from pipelines import cli
from pipelines.duty_rows import duty_rows
from pipelines.site_folder import open_site
from reports.mail import Letterhead, Mail, alert
from tests.test_lateness import DUTY, mine, question

LAW = ordinance("howard")
REGISTER, PERMIT = "howard.register/square/2025-01-01", "howard.permit/square/2025-01-01"
BOARD = {"body": "town board", "meeting": date(2026, 1, 12), "vote": "3-0"}


def act(name: str, at: str, case: str = REGISTER, **said: Any) -> Event:
    when = datetime.fromisoformat(at)
    facts = tuple(sorted(said.pop("facts", {}).items()))
    return Event(case, name, when, when, "clerk", facts=facts, **said)


OPENED = act("register_opened", "2025-01-02T09:00:00-06:00")
GRANTED = act("permit_granted", "2025-01-01T12:00:00-06:00", PERMIT, until=date(2027, 12, 31), **BOARD)


def stands(rule: str, on: date, *events: Event) -> list[tuple[str, str]]:
    """Last statutory day and status of each time a duty of Howard's falls due, at the end of a civil day."""
    calendar, found = calendar_of(LAW), LAW.rule_of(rule)
    assert isinstance(found, LatenessRule)
    book = Book(mine(LAW).permit, LAW, events, calendar, calendar.end_of(on))
    return [(str(one.last_days(calendar)[1]), one.status) for one in duties(found, book, on)]


# A request for renewal stands in one place, and both the dated duty and the permit case read it there.

REQUESTED = act("renewal_requested", "2027-08-02T10:00:00-05:00", PERMIT, method="hand")


def test_a_request_recorded_once_answers_the_duty_and_moves_the_permit_case() -> None:
    """120 days before 31 December 2027 is 2 September 2027."""
    found = stands("howard.permit.renewal", date(2027, 9, 10), OPENED, GRANTED, REQUESTED)
    assert found == [("2027-09-02", "ON_RECORD")]
    (permit,) = [one for one in cases([OPENED, GRANTED, REQUESTED], LAW) if one.kind.id == "howard.permit"]
    assert permit.state == "the plan commission considers the renewal; granted to 2027-12-31"


def test_without_the_request_the_duty_is_late_whichever_of_the_two_is_kept() -> None:
    late = [("2027-09-02", "NOT_ON_RECORD")]
    assert stands("howard.permit.renewal", date(2027, 9, 3), OPENED) == late
    assert stands("howard.permit.renewal", date(2027, 9, 3), GRANTED) == late
    assert stands("howard.permit.renewal", date(2027, 9, 3)) == []


def test_a_request_before_any_grant_counts_nowhere() -> None:
    """The permit's table does not allow it: it is a contradiction, and a contradiction answers no duty."""
    early = act("renewal_requested", "2024-12-30T10:00:00-06:00", PERMIT, method="hand")
    found = stands("howard.permit.renewal", date(2027, 9, 3), OPENED, early, GRANTED)
    assert found == [("2027-09-02", "NOT_ON_RECORD")]


def test_the_register_says_where_a_request_is_recorded() -> None:
    with pytest.raises(BadSite) as caught:
        admit(act("renewal_requested", "2027-08-02T10:00:00-05:00", method="hand"), [OPENED], mine(LAW), LAW)
    assert "it is recorded in a case howard.permit" in str(caught.value)


# What must be said.


@pytest.mark.parametrize("name", ["annual_fee_set", "annual_fee_waived"])
@pytest.mark.parametrize("left_out", ["body", "meeting", "vote"])
def test_the_board_sets_and_waives_the_fee_at_a_meeting_by_a_vote(name: str, left_out: str) -> None:
    whole = act(name, "2026-01-12T19:00:00-06:00", **BOARD)
    admit(whole, [OPENED], mine(LAW), LAW)
    said = {key: value for key, value in BOARD.items() if key != left_out}
    with pytest.raises(BadSite) as caught:
        admit(act(name, "2026-01-12T19:00:00-06:00", **said), [OPENED], mine(LAW), LAW)
    assert caught.value.key == left_out


@pytest.mark.parametrize(
    ("year", "says"),
    [
        ("2025", ""),
        ("2024", ""),
        ("25", "not a year in four digits"),
        ("2025.0", "not a year in four digits"),
        ("the year 2025", "not a year in four digits"),
        ("²025", "not a year in four digits"),
        ("٢٠٢٥", "not a year in four digits"),
        ("0025", "not a year in four digits"),
        ("2026", "is about the calendar year before, and 2026 is not over on 2026-02-20"),
        ("2062", "is about the calendar year before, and 2062 is not over on 2026-02-20"),
    ],
)
def test_the_year_of_a_payment_is_four_digits_and_over(year: str, says: str) -> None:
    paid = act("annual_fee_paid", "2026-02-20T10:00:00-06:00", facts={"year": year})
    if not says:
        admit(paid, [OPENED], mine(LAW), LAW)
        return
    with pytest.raises(BadSite) as caught:
        admit(paid, [OPENED], mine(LAW), LAW)
    assert (caught.value.key, says in str(caught.value)) == ("year", True)


def test_the_year_is_over_by_the_town_s_own_calendar() -> None:
    """Five hours into 2026 in Greenwich, and still 2025 in Howard."""
    eve = act("annual_report_received", "2026-01-01T05:59:00+00:00", facts={"year": "2025"})
    with pytest.raises(BadSite, match="not over on 2025-12-31"):
        admit(eve, [OPENED], mine(LAW), LAW)
    admit(act("annual_report_received", "2026-01-01T06:00:00+00:00", facts={"year": "2025"}), [], mine(LAW), LAW)


@pytest.mark.parametrize("text", ["2025-1-05", "20250105", "2025-W01-1", "0025-01-05"])
def test_a_date_is_written_one_way(text: str) -> None:
    """All but the first are days to a lenient reader."""
    law = ordinance("howard")
    case = "howard.permit/square/2025-01-01"
    hearing = act(
        "hearing_notice_given", "2026-01-12T19:00:00-06:00", case, method="hand",
        facts={"hearing": text, "section": "2.14"},
    )  # fmt: skip
    with pytest.raises(BadSite, match="not a day"):
        admit(hearing, [GRANTED], mine(law), law)


# A closed register speaks for no day after it.


def test_what_falls_due_after_a_register_was_closed_is_not_judged() -> None:
    closed = act("register_closed", "2026-06-30T12:00:00-05:00", note="the mine is sold")
    assert stands("howard.report.annual", date(2026, 12, 2), OPENED) == [("2026-12-01", "NOT_ON_RECORD")]
    assert stands("howard.report.annual", date(2026, 12, 2), OPENED, closed) == [("2026-12-01", "NOT_APPLICABLE")]
    again = act("register_opened", "2026-09-01T09:00:00-05:00", "howard.register/square/2026-09-01")
    found = stands("howard.report.annual", date(2026, 12, 2), OPENED, closed, again)
    assert found == [("2026-12-01", "NOT_ON_RECORD")]


def test_a_register_opened_by_mistake_is_no_register() -> None:
    at = datetime(2025, 1, 3, 15, tzinfo=UTC)
    back = Event(REGISTER, "entry_withdrawn", at, at, "clerk", note="the wrong mine", corrects=OPENED.key())
    assert stands("howard.report.annual", date(2026, 12, 2), OPENED, back) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("is_register = true\n", "", "mill.report is kept in a case that is no register: mill.register"),
        ('subject = "site"\n', 'subject = "gauge"\n', "a register is about the site"),
        (
            'kept_in = "mill.register"\n',
            'kept_in = "mill.register"\nalso_in = "mill.book"\n',
            "mill.report names no case of this file: mill.book",
        ),
    ],
)
def test_a_register_that_does_not_join_up(old: str, new: str, says: str) -> None:
    with pytest.raises(BadLaw) as caught:
        read_ordinance(DUTY.replace(old, new), file="mill.toml")
    assert says in str(caught.value)


def test_an_act_that_two_kinds_of_case_know_is_no_place_for_a_duty_to_read() -> None:
    book = DUTY[DUTY.index("[[case]]") : DUTY.index("[[rule]]")].replace('"mill.register"', '"mill.book"')
    both = DUTY.replace("[[rule]]", f"{book}\n[[rule]]", 1)
    twice = both.replace('kept_in = "mill.register"\n', 'kept_in = "mill.register"\nalso_in = "mill.book"\n')
    read_ordinance(both, file="mill.toml")
    with pytest.raises(BadLaw, match="reads an act that stands in two kinds of case: filed"):
        read_ordinance(twice, file="mill.toml")


# At the terminal.

Answer = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site of the skeleton: permit of 12 November 2024, mining from 1 January 2025."""
    assert cli.run(["init", str(tmp_path / "mine")]) == 0
    return tmp_path / "mine"


@pytest.fixture
def answer(folder: Path, capsys: pytest.CaptureFixture[str]) -> Answer:
    def asked(*words: str, exit_code: int = 0) -> Any:
        capsys.readouterr()
        assert cli.run([*words, "--site", str(folder), "--json"]) == exit_code
        return json.loads(capsys.readouterr().out)

    return asked


OPEN = ("case", "open", "howard.register", "example-mine", "--at", "2024-11-12T09:00")
CASE = "howard.register/example-mine/2024-11-12"


def test_the_missing_register_is_named_by_check_night_and_digest_and_is_no_finding(
    folder: Path, answer: Answer
) -> None:
    (said,) = answer("check")["not_judged"]
    assert "the town keeps no howard.register" in said
    assert "headwater case open howard.register example-mine" in said
    summary = answer("nightly", "--as-of", "2026-11-08")  # a Sunday: everybody gets the digest
    assert summary["not_judged"] == [said]
    assert summary["changes"] == []
    (digest,) = mails(folder)
    for form in ("plain", "html"):
        body = " ".join(str(digest.get_body((form,)).get_content()).split())
        assert body.count("the town keeps no howard.register") == 1
        assert "but for the duties named below" in body


def mails(folder: Path) -> list[EmailMessage]:
    files = sorted((folder / "outbox" / "new").iterdir())
    return [email.message_from_bytes(one.read_bytes(), policy=email.policy.default) for one in files]


def test_an_open_register_is_not_named_and_before_mining_nothing_is(folder: Path, answer: Answer) -> None:
    answer(*OPEN)
    assert answer("check")["not_judged"] == []
    assert answer("nightly", "--as-of", "2024-12-31")["not_judged"] == []


def test_registers_are_listed_apart_from_cases(answer: Answer) -> None:
    answer(*OPEN)
    (row,) = answer("cases")
    assert (row["case"], row["register"]) == (CASE, True)


def test_the_due_list_shows_dated_duties_with_both_times_and_the_clause(answer: Answer) -> None:
    """120 days before 11 November 2027: 14 July 2027, a Wednesday."""
    answer(*OPEN)
    (row,) = [one for one in answer("clock", "--who", "operator", "--all") if one["step"] == "howard.permit.renewal"]
    assert (row["plain"], row["statutory"], row["clause"]) == ("2027-07-14", "2027-07-14", "2.10(2)(a)")
    assert (row["who"], row["case"], row["runs_from"]) == ("operator", CASE, "permit_ends")


def test_a_line_of_events_csv_that_is_refused_answers_no_duty(folder: Path, answer: Answer) -> None:
    """A fee that no board set by a vote was never set: nothing is owed, tonight and on every later night."""
    lines = [
        "howard.register/example-mine/2024-11-12,register_opened,2024-11-12T09:00:00-06:00,2024-11-12T09:00:00-06:00",
        "howard.register/example-mine/2024-11-12,annual_fee_set,2026-01-12T19:00:00-06:00,2026-01-12T19:00:00-06:00",
        "no such thing,annual_fee_set,2026-01-12T19:00:00-06:00,2026-01-12T19:00:00-06:00",
    ]
    with (folder / "events.csv").open("a", encoding="utf-8") as events:
        events.writelines(f"{line},clerk,,,\n" for line in lines)
    for night in ("2026-03-09", "2026-03-10"):
        summary = answer("nightly", "--as-of", night, exit_code=3)
        assert [one for one in summary["changes"] if one["rule"] == "howard.fee"] == []
        assert len(summary["left_out"]) == 2


def test_check_names_the_line_whose_case_is_none(folder: Path, answer: Answer) -> None:
    with (folder / "events.csv").open("a", encoding="utf-8") as events:
        at = "2026-01-12T19:00:00-06:00"
        csv.writer(events).writerow(["howard.register/example-mine", "register_opened", at, at, "clerk", "", "", ""])
    (said,) = answer("check", exit_code=1)["bad_events"]
    assert "row 2" in said
    assert "not a case id" in said


def test_what_an_act_answered_is_shown_when_it_is_recorded(answer: Answer) -> None:
    answer(*OPEN)
    proved = answer("case", "record", CASE, "approvals_proved", "--at", "2024-12-30T10:00", "--by", "operator")
    (duty,) = proved["duties"]
    assert (duty["step"], duty["standing"], duty["plain"]) == ("howard.approvals", "done", "2024-12-31")
    shown = answer("case", "show", CASE)
    assert "howard.report.annual" in {one["step"] for one in shown["duties"]}


def test_every_kind_of_case_can_be_found(answer: Answer) -> None:
    rows = answer("case", "kinds")
    assert {row["kind"] for row in rows} == {kind.id for kind in LAW.case}
    assert [row["kind"] for row in rows if row["register"]] == ["howard.register"]


def rows_at(folder: Path, instant: datetime, *events: Event) -> dict[str, dict[str, Any]]:
    return {row["title"]: row for row in duty_rows(open_site(folder), events, instant)}


def test_rows_of_the_due_list(folder: Path) -> None:
    case = "howard.register/example-mine/2024-11-12"
    opened = act("register_opened", "2024-11-12T09:00:00-06:00", case)
    fee = act("annual_fee_set", "2026-01-12T19:00:00-06:00", case, facts={"year": "2025"}, **BOARD)
    late = datetime(2026, 3, 10, tzinfo=UTC)
    row = rows_at(folder, late, opened, fee)["Annual fee for 2025"]
    assert (row["plain"], row["statutory"], row["clause"]) == ("2026-02-28", "2026-03-02", "2.12(3)(c)")
    assert (row["who"], row["standing"], row["case"]) == ("operator", "overdue", case)
    assert (row["plain_due_at"], row["statutory_due_at"]) == ("2026-03-01T06:00:00Z", "2026-03-03T06:00:00Z")
    unkept = rows_at(folder, late)["Annual operational report for 2025"]
    assert (unkept["plain"], unkept["standing"], unkept["case"]) == ("2026-12-01", "no register", "")
    assert {one["standing"] for one in rows_at(folder, late).values()} <= {"no register", "done"}
    assert rows_at(folder, datetime(2024, 12, 31, tzinfo=UTC), opened) == {}


def test_every_duty_that_an_act_began_is_listed(folder: Path) -> None:
    """Both cessations lie less than 120 days back; a duty of a calendar day is listed up to its next day only."""
    case = "howard.register/example-mine/2024-11-12"
    ceased = [act("operation_ceased", f"2026-0{month}-02T09:00:00-06:00", case) for month in (2, 3)]
    rows = duty_rows(open_site(folder), ceased, datetime(2026, 4, 1, tzinfo=UTC))
    assert [row["standing"] for row in rows if row["step"] == "howard.permit.cessation"] == ["running", "running"]
    assert [row["title"][-4:] for row in rows if row["step"] == "howard.report.annual"] == ["2025"]


# Mails, as a clerk reads them.


def told(rule: str, nights: list[tuple[date, list[Event]]]) -> Mail:
    """The alert of the last of some nights."""
    found = LAW.rule_of(rule)
    assert isinstance(found, LatenessRule)
    stood: list[Finding] = []
    changes: list[Transition] = []
    for on, events in nights:
        answer = lateness.check(found, question(LAW, on, events))
        changes = transitions(stood, answer.findings, answer.scopes)
        stood = [one.finding for one in changes if one.change != "retracted"]
    told = [one for one in changes if one.change in TOLD]
    assert told
    return alert(told, [], Letterhead(mine(LAW), LAW, default_policy(), datetime(2027, 1, 1, tzinfo=UTC), "1.0"))


EVE, DAY = date(2026, 12, 1), date(2026, 12, 20)
IN_TIME = act("annual_report_received", "2026-11-16T10:00:00-06:00", facts={"year": "2025"})
RECORDED_LATE = replace(IN_TIME, recorded_at=datetime(2026, 12, 20, 16, tzinfo=UTC))
TOO_LATE = act("annual_report_received", "2026-12-20T10:00:00-06:00", facts={"year": "2025"})
REPORT = "howard.report.annual"
KNOWN = act("agency_action_known", "2026-04-06T10:00:00-05:00", document="letter 1")
TOLD_OF_IT = act("agency_action_reported", "2026-04-20T10:00:00-05:00", document="letter 1")


@pytest.mark.parametrize(
    ("rule", "nights", "subject", "says"),
    [
        (
            REPORT,
            [(EVE, [OPENED])],
            "[Headwater] Nothing on record: Annual operational report for 2025, due 2026-12-01, square, 2.14 (",
            ["nothing is on record is not that nothing was done", "case record howard.register/square/2025-01-01"],
        ),
        (
            REPORT,
            [(EVE, [OPENED]), (DAY, [OPENED, RECORDED_LATE])],
            "[Headwater] Correction: withdrawn: nothing on record: Annual operational report for 2025",
            ["CORRECTION", "answered in time", "withdrawn; it read: attained"],
        ),
        (
            REPORT,
            [(EVE, [OPENED]), (DAY, [OPENED, TOO_LATE])],
            "[Headwater] Ended: on record after its day: Annual operational report for 2025",
            ["annual report received 2026-12-20, 19 days after the last day", "Nothing is asked for any more"],
        ),
        (
            "howard.report.other",
            [(date(2026, 4, 7), [OPENED, KNOWN])],
            "[Headwater] To confirm: nothing on record: Enforcement actions of other bodies told to the town, square",
            ["The clause states no time", "No time is stated. Ask the operator"],
        ),
        (
            "howard.report.other",
            [(date(2026, 4, 7), [OPENED, KNOWN]), (date(2026, 4, 20), [OPENED, KNOWN, TOLD_OF_IT])],
            "[Headwater] Ended: Enforcement actions of other bodies told to the town, square",
            ["is open no longer", "over; it read: needs confirmation", "Nothing is asked for any more"],
        ),
    ],
    ids=["late", "withdrawn", "late, then filed", "open", "open no longer"],
)
def test_a_mail_about_a_duty(rule: str, nights: list[tuple[date, list[Event]]], subject: str, says: list[str]) -> None:
    mail = told(rule, nights)
    assert mail.subject.startswith(subject)
    for body in (mail.text, mail.html):
        plain = " ".join(html.unescape(body).split())
        for part in says:
            assert part in plain
        for word in ("Natural rate", "Data version", "Confidence", "dated_duty", "dated duty,"):
            assert word not in plain


def test_duties_of_one_day_are_all_named_in_one_subject() -> None:
    """Inspection and fee of Gates fall due on the same anniversary, a holiday: the statutory day is 2 January."""
    law = ordinance("gates")
    opened = act("register_opened", "2025-01-02T09:00:00-05:00", "gates.register/square/2025-01-01")
    changes = []
    for rule in ("gates.permit.inspection", "gates.permit.fee"):
        found = law.rule_of(rule)
        assert isinstance(found, LatenessRule)
        answer = lateness.check(found, question(law, date(2026, 1, 2), [opened], mine(law)))
        changes += transitions([], answer.findings, answer.scopes)
    mail = alert(changes, [], Letterhead(mine(law), law, default_policy(), datetime(2027, 1, 1, tzinfo=UTC), "1.0"))
    said = "Nothing on record: Annual site inspection; Yearly removal fee, due 2026-01-02, square, 190-62 A, 190-61"
    assert said in mail.subject
