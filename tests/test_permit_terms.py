"""Renewals: each adds a term to the permit, and whatever is counted from the permit's end is counted from the last."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.admission import admit
from models.case import cases
from models.checks import lateness
from models.counting import calendar_of
from models.duty_standing import Book, duties
from models.errors import BadLaw, BadSite
from models.event import ENTRY_WITHDRAWN, Event
from models.finding import transitions
from models.lateness_rule import LatenessRule
from models.rules import ordinance, read_ordinance
from models.site import Site
from pipelines import cli
from tests.test_lateness import DUTY, mine, question, rule_of

LAW = ordinance("howard")
REGISTER, PERMIT = "howard.register/square/2025-01-01", "howard.permit/square/2025-01-01"


def act(name: str, at: str, case: str = PERMIT, **said: Any) -> Event:
    when = datetime.fromisoformat(at)
    meeting = {"meeting": when.date(), "vote": "3-0"} if "body" in said else {}
    return Event(case, name, when, when, "clerk", **meeting, **said)


BOARD = {"body": "town board"}
"""What was determined by a vote is taken back by one."""
OPENED = act("register_opened", "2025-01-02T09:00:00-06:00", REGISTER)
GRANTED = act("permit_granted", "2025-01-01T12:00:00-06:00", until=date(2027, 12, 31), body="town board")
REQUESTED = act("renewal_requested", "2027-08-02T10:00:00-05:00", method="hand")
RECOMMENDED = act("renewal_recommended", "2027-09-13T19:00:00-05:00", body="plan commission")
RENEWED = act("renewal_granted", "2027-11-08T19:00:00-06:00", until=date(2030, 12, 31), body="town board")
TERM_ONE = (OPENED, GRANTED, REQUESTED, RECOMMENDED)


def stands(rule: str, on: date, *events: Event, town: str = "howard", at: Site | None = None) -> list[tuple[str, ...]]:
    """Last plain and statutory day and status of each time a duty falls due, at the end of a civil day."""
    law = ordinance(town)
    calendar, found = calendar_of(law), law.rule_of(rule)
    assert isinstance(found, LatenessRule)
    book = Book((at or mine(law)).permit, law, events, calendar, calendar.end_of(on))
    days = [(one, [str(day) for day in one.last_days(calendar)]) for one in duties(found, book, on)]
    return [(plain, statutory, one.status) for one, (plain, statutory) in days]


# Terms to 2027 and 2030: 120 days back are 2 September of both; in 2030 that is Labor Day, and the day to plan by is
# the Saturday before it.

FIRST, SECOND = ("2027-09-02", "2027-09-02", "ON_RECORD"), ("2030-08-31", "2030-09-02")


def test_the_request_of_the_second_term_is_counted_from_the_end_of_the_renewal() -> None:
    events = (*TERM_ONE, RENEWED)
    assert stands("howard.permit.renewal", date(2027, 11, 30), *TERM_ONE) == [FIRST]
    assert stands("howard.permit.renewal", date(2030, 9, 1), *events) == [FIRST, (*SECOND, "RUNNING")]
    assert stands("howard.permit.renewal", date(2030, 9, 2), *events) == [FIRST, (*SECOND, "NOT_ON_RECORD")]
    again = act("renewal_requested", "2030-09-02T23:59:59-05:00", method="hand")
    assert stands("howard.permit.renewal", date(2030, 9, 3), *events, again) == [FIRST, (*SECOND, "ON_RECORD")]
    late = act("renewal_requested", "2030-09-03T00:00:00-05:00", method="hand")
    assert stands("howard.permit.renewal", date(2030, 9, 3), *events, late) == [FIRST, (*SECOND, "ON_RECORD_LATE")]


def test_a_day_that_a_request_names_is_the_end_of_no_term() -> None:
    """The site file was brought up to the renewal; the first term is the grant's, whatever the request says."""
    asked = replace(REQUESTED, until=date(2070, 1, 1))
    for granted in (GRANTED, None):
        events = [one for one in (OPENED, granted, asked, RECOMMENDED, RENEWED) if one is not None]
        found = stands("howard.permit.renewal", date(2030, 9, 1), *events)
        assert "2069-09-03" not in str(found)
        assert found[-1] == (*SECOND, "RUNNING")


def test_a_permit_that_ends_with_a_lease_that_ends_on_a_sunday_moves_nowhere() -> None:
    """31 December 2028 is a Sunday and 1 January 2029 a holiday: no act is done on that day that could wait."""
    base = mine(LAW)
    for ends, status in ((date(2028, 12, 31), "WITHIN_TERM"), (date(2029, 1, 1), "BEYOND_TERM")):
        permit = base.permit.model_copy(update={"ends": ends, "lease_ends": date(2028, 12, 31)})
        at = base.model_copy(update={"permit": permit})
        assert stands("howard.permit.lease", date(2028, 6, 1), at=at) == [("2028-12-31", "2028-12-31", status)]


def test_what_was_asked_before_the_renewal_was_asked_for_that_renewal() -> None:
    twice = act("renewal_requested", "2027-10-04T10:00:00-05:00", method="hand")
    found = stands("howard.permit.renewal", date(2030, 9, 2), *TERM_ONE, twice, RENEWED)
    assert found == [FIRST, (*SECOND, "NOT_ON_RECORD")]


def test_a_renewal_taken_back_is_none() -> None:
    back = act(ENTRY_WITHDRAWN, "2028-01-10T09:00:00-06:00", note="the wrong mine", corrects=RENEWED.key(), **BOARD)
    assert stands("howard.permit.renewal", date(2030, 9, 2), *TERM_ONE, RENEWED, back) == [FIRST]


def test_a_renewal_put_right_counts_as_put_right() -> None:
    """120 days before 30 June 2030: 2 March, a Saturday, which Wisconsin's rule does not move back."""
    right = replace(RENEWED, until=date(2030, 6, 30), corrects=RENEWED.key())
    found = stands("howard.permit.renewal", date(2030, 3, 2), *TERM_ONE, RENEWED, right)
    assert found == [FIRST, ("2030-03-02", "2030-03-02", "NOT_ON_RECORD")]


def test_a_renewal_adds_a_term_exactly_while_the_case_counts_it() -> None:
    """The recommendation it rests on was taken back: whether the grant then stands is for the case's own table."""
    gone = act(ENTRY_WITHDRAWN, "2028-01-10T09:00:00-06:00", note="not so", corrects=RECOMMENDED.key(), **BOARD)
    events = (*TERM_ONE, RENEWED, gone)
    (permit,) = [one for one in cases(events, LAW) if one.kind.id == "howard.permit"]
    found = stands("howard.permit.renewal", date(2030, 9, 2), *events)
    assert len(found) == 1 + (RENEWED in permit.events)


def test_a_renewal_not_yet_recorded_is_not_known() -> None:
    later = replace(RENEWED, recorded_at=datetime.fromisoformat("2030-09-10T09:00:00-05:00"))
    assert stands("howard.permit.renewal", date(2030, 9, 9), *TERM_ONE, later) == [FIRST]
    known = stands("howard.permit.renewal", date(2030, 9, 10), *TERM_ONE, later)
    assert known == [FIRST, (*SECOND, "NOT_ON_RECORD")]


@given(st.permutations([*TERM_ONE, RENEWED]))
def test_the_order_of_recording_never_matters(events: list[Event]) -> None:
    assert stands("howard.permit.renewal", date(2030, 9, 2), *events) == [FIRST, (*SECOND, "NOT_ON_RECORD")]


# Yearly duties outlive a permit only where it was not renewed.


def test_what_is_due_in_the_second_term_is_due_under_a_permit_in_force() -> None:
    """The report on 2028, due in December 2029: the first term ended in 2027."""
    assert stands("howard.report.annual", date(2029, 12, 31), *TERM_ONE)[-1][2] == "PERMIT_OVER"
    assert stands("howard.report.annual", date(2029, 12, 31), *TERM_ONE, RENEWED)[-1][2] == "NOT_ON_RECORD"


# The length of a term, and the lease.


def terms_judged(rule: str, on: date, *events: Event, **permit: Any) -> list[tuple[str, str, str]]:
    asked = question(LAW, on, list(events), mine(LAW, **permit))
    return [(one.status, one.measured, one.limit) for one in lateness.check(rule_of(rule), asked).findings]


ONE = ("WITHIN_TERM", "permit ends 2027-12-31", "no later than 2028-01-01")


def test_a_renewal_is_judged_by_three_years_from_the_end_of_the_term_before() -> None:
    found = terms_judged("howard.permit", date(2027, 12, 1), *TERM_ONE, RENEWED)
    assert found == [ONE, ("WITHIN_TERM", "permit ends 2030-12-31", "no later than 2030-12-31")]


def test_a_renewal_after_the_permit_ran_out_is_judged_from_its_own_day() -> None:
    late = replace(RENEWED, happened_at=datetime.fromisoformat("2028-02-07T19:00:00-06:00"), until=date(2031, 2, 8))
    found = terms_judged("howard.permit", date(2028, 3, 1), *TERM_ONE, late)
    assert found == [ONE, ("BEYOND_TERM", "permit ends 2031-02-08", "no later than 2031-02-07")]


def test_a_renewal_longer_than_three_years_is_refused() -> None:
    long = replace(RENEWED, until=date(2031, 1, 1))
    with pytest.raises(BadSite, match=r"2\.10\(2\)\(c\): no longer than 3 years"):
        admit(long, list(TERM_ONE), mine(LAW), LAW)
    admit(RENEWED, list(TERM_ONE), mine(LAW), LAW)


def test_a_renewal_past_the_lease_is_found_once_and_taken_back_with_it() -> None:
    lease = {"lease_ends": date(2030, 6, 30)}
    rule = rule_of("howard.permit.lease")
    back = act(ENTRY_WITHDRAWN, "2028-01-10T09:00:00-06:00", note="the wrong mine", corrects=RENEWED.key(), **BOARD)
    nights = [
        lateness.check(rule, question(LAW, date(2028, 2, 1), [*events], mine(LAW, **lease)))
        for events in (TERM_ONE, (*TERM_ONE, RENEWED), (*TERM_ONE, RENEWED, back))
    ]
    assert [[one.status for one in night.findings] for night in nights] == [
        ["WITHIN_TERM"], ["BEYOND_TERM"], ["WITHIN_TERM"],
    ]  # fmt: skip
    beyond = nights[1].findings
    assert (beyond[0].measured, beyond[0].limit) == ("permit ends 2030-12-31", "no later than 2030-06-30")
    assert beyond[0].opened_on == date(2027, 11, 8), "with the renewal, and not in 2030"
    (back_again,) = transitions(beyond, nights[2].findings, nights[2].scopes)
    assert back_again.change in {"retracted", "ended"}


def test_a_finding_names_the_renewal_it_is_counted_by() -> None:
    asked = question(LAW, date(2030, 9, 2), [*TERM_ONE, RENEWED])
    (_, second) = lateness.check(rule_of("howard.permit.renewal"), asked).findings
    (line,) = [one for one in second.evidence if one.line == "the renewal it is counted by"]
    assert "renewal granted on 2027-11-08" in line.says


# A clerk who brings site.toml up to the renewal changes nothing.


@pytest.mark.parametrize("granted", [date(2025, 1, 1), date(2027, 11, 8)])
def test_a_site_file_that_states_the_term_of_the_renewal_says_the_same(granted: date) -> None:
    events, brought_up = (*TERM_ONE, RENEWED), mine(LAW, granted=granted, ends=date(2030, 12, 31))
    for rule, on in (("howard.permit.renewal", date(2030, 9, 2)), ("howard.permit", date(2027, 12, 1))):
        assert stands(rule, on, *events, at=brought_up) == stands(rule, on, *events)


# Gates: a term of three years, and a renewal no longer than that (190-59 B).


def test_gates_renews_by_its_own_words() -> None:
    gates, case = ordinance("gates"), "gates.register/square/2025-01-01"
    opened = act("register_opened", "2025-01-02T09:00:00-05:00", case)
    renewed = act("permit_renewed", "2027-12-14T10:00:00-05:00", case, until=date(2031, 1, 1))
    at = mine(gates)
    found = lateness.check(
        next(one for one in gates.rule if isinstance(one, LatenessRule) and one.id == "gates.permit"),
        question(gates, date(2028, 1, 1), [opened, renewed], at),
    ).findings
    assert [(one.status, one.limit) for one in found] == [
        ("WITHIN_TERM", "no later than 2028-01-01"), ("BEYOND_TERM", "no later than 2030-12-31"),
    ]  # fmt: skip
    with pytest.raises(BadSite, match="until"):
        admit(replace(renewed, until=None), [opened], at, gates)
    inspections = stands("gates.permit.inspection", date(2029, 12, 31), opened, renewed, town="gates")
    assert [one[1] for one in inspections] == ["2026-01-02", "2027-01-04", "2028-01-03", "2029-01-02"]
    assert len(stands("gates.permit.inspection", date(2029, 12, 31), opened, town="gates")) == 2


@pytest.mark.parametrize("town", ["howard", "gates", "dovre", "germantown"])
def test_every_duty_of_a_town_that_knows_renewals_reads_them(town: str) -> None:
    """A duty about the permit's end, or one of a calendar year, which a permit that is over may not owe."""
    law = ordinance(town)
    found = [one for one in law.rule if isinstance(one, LatenessRule)]
    if not any(one.renewed_by for one in found):
        return
    reads = {one.id for one in found if one.renewed_by}
    assert {one.id for one in found if one.about_the_term or one.yearly or one.each_year} == reads


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ('renewed_in = "mill.register"\n', "need each other"),
        ('renewed_by = ["filed"]\n', "need each other"),
        ('renewed_in = "mill.register"\nrenewed_by = ["filed"]\n', "no act of mill.register that states its until"),
        ('renewed_in = "mill.book"\nrenewed_by = ["filed"]\n', "no act of mill.book that states its until: filed"),
    ],
)
def test_a_renewal_that_does_not_join_up(said: str, says: str) -> None:
    with pytest.raises(BadLaw) as caught:
        read_ordinance(DUTY.replace('done_by = ["filed"]\n', f'done_by = ["filed"]\n{said}'), file="mill.toml")
    assert says in str(caught.value)


# At the terminal: the due list before and after.

Answer = Callable[..., Any]


@pytest.fixture
def answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Answer:
    """A site of the skeleton: permit of 12 November 2024 to 11 November 2027."""
    folder = tmp_path / "mine"
    assert cli.run(["init", str(folder)]) == 0

    def asked(*words: str) -> Any:
        capsys.readouterr()
        assert cli.run([*words, "--site", str(folder), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return asked


def test_the_due_list_moves_to_the_end_of_the_renewal_and_back(answer: Answer) -> None:
    """120 days before 11 November 2027 and 2030 are 14 July of both; the renewal was granted early."""
    case, board = "howard.permit/example-mine/2024-11-12", ("--body", "town board", "--vote", "3-0")

    def record(name: str, at: str, *more: str) -> Any:
        return answer("case", "record", case, name, "--at", f"{at}T19:00", "--by", "clerk", *more)

    def renewal_days() -> list[str]:
        rows = answer("clock", "--who", "operator", "--all")
        return [one["statutory"] for one in rows if one["step"] == "howard.permit.renewal"]

    opening = ("--at", "2024-11-12T09:00", "--by", "clerk", "--meeting", "2024-11-12", "--until", "2027-11-11", *board)
    answer("case", "open", "howard.permit", "example-mine", *opening)
    record("renewal_requested", "2026-01-05", "--method", "hand")
    commission = ("--meeting", "2026-02-02", "--body", "plan commission", "--vote", "5-0")
    record("renewal_recommended", "2026-02-02", *commission)
    assert renewal_days() == ["2027-07-14"]
    renewed = record("renewal_granted", "2026-03-02", "--meeting", "2026-03-02", "--until", "2030-11-11", *board)
    assert {one["step"] for one in renewed["duties"]} >= {"howard.permit", "howard.permit.renewal"}
    assert renewal_days() == ["2027-07-14", "2030-07-14"]
