"""Mails of clocks: near, due and overdue once for each deadline, and a correction to whoever was told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

import pytest
from sqlalchemy import Engine

from models.case import cases
from models.clock import Deadline, deadlines
from models.counting import calendar_of
from models.event import ENTRY_WITHDRAWN, Event
from models.rules import ordinance
from pipelines.post import Posted
from tests.mail_nights import CLERK, Nights, town
from tests.record_in_memory import CHICAGO

LAW = ordinance("howard")
CALENDAR = calendar_of(LAW)
CASE = "howard.remedy/R-1/2025-08-11"
NIGHT = timedelta(days=1)
MISSING, PASSED = "Missing: Owner: notice to the town and the operator", "Window passed: The town may use"
"""These acts are told apart from the receipt of the town that is missing beside them, and from its window."""


@pytest.fixture
def nights(store: Engine) -> Nights:
    return Nights(store)


def act(name: str, at: str, recorded: str = "", **more: str) -> Event:
    happened = datetime.fromisoformat(at).replace(tzinfo=CHICAGO)
    known = datetime.fromisoformat(recorded or at).replace(tzinfo=CHICAGO)
    return Event(CASE, name, happened, known, "clerk", **more)


RECEIPT = act("operator_receipt", "2025-08-12T14:00", method="hand")
"""20 days: plain 1 September, which is Labor Day, statutory the 2nd."""
OWNERS = act("owner_report_received", "2025-08-20T10:00", method="mail")
"""The owner has what the operator gives, so that only the town's copy is waited for."""


def told(nights: Nights, on: date, events: Sequence[Event]) -> list[str]:
    """What the night of a day composes of the clocks of these acts, by the first words of its subjects."""
    posted = _night(nights, on, events)
    said = [one.removeprefix("[Headwater] ") for one in posted.mails]
    return [one.partition(": Operator")[0] for one in said if not one.startswith((MISSING, PASSED))]


def _night(nights: Nights, on: date, events: Sequence[Event]) -> Posted:
    now = datetime.combine(on + NIGHT, datetime.min.time(), CHICAGO)
    known = [one for one in events if one.recorded_at <= now]
    found = cases(known, LAW)
    by_status = {status: _deadlines(known, now, status) for status in ("open", "closed")}
    assert found
    return nights.night(on, deadlines=by_status["open"], closed=by_status["closed"])


def _deadlines(events: Sequence[Event], now: datetime, status: str) -> list[Deadline]:
    return [
        one
        for case in cases(events, LAW)
        if case.status == status
        for one in deadlines(case.id, LAW.steps(case.kind.id), case.events, CALENDAR, now)
    ]


def every_night(nights: Nights, first: date, last: date, events: Sequence[Event]) -> dict[str, list[str]]:
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    found = {day: told(nights, day, events) for day in days}
    return {f"{day:%m-%d}": subjects for day, subjects in found.items() if subjects}


def test_countdown_due_and_overdue_are_told_once_each(nights: Nights) -> None:
    """The mail of the night of a day is read on the next: 3 days before 1 September is the morning of 29 August."""
    assert every_night(nights, date(2025, 8, 12), date(2025, 10, 1), [RECEIPT]) == {
        "08-28": ["Due in 3 days"], "08-31": ["Due"], "09-02": ["Overdue"],
    }  # fmt: skip


def test_what_is_done_is_not_counted_down(nights: Nights) -> None:
    report = act("operator_report_received", "2025-08-28T16:00")
    assert every_night(nights, date(2025, 8, 12), date(2025, 10, 1), [RECEIPT, OWNERS, report]) == {}


def test_an_act_in_time_recorded_late_undoes_overdue_and_corrects_it(nights: Nights) -> None:
    report = act("operator_report_received", "2025-09-02T23:59", recorded="2025-09-09T09:00")
    assert every_night(nights, date(2025, 9, 2), date(2025, 10, 1), [RECEIPT, OWNERS, report]) == {
        "09-02": ["Overdue"], "09-09": ["Correction: not overdue"],
    }  # fmt: skip


def test_an_act_that_was_late_corrects_nothing(nights: Nights) -> None:
    report = act("operator_report_received", "2025-09-03T00:00", recorded="2025-09-09T09:00")
    assert every_night(nights, date(2025, 9, 2), date(2025, 10, 1), [RECEIPT, OWNERS, report]) == {"09-02": ["Overdue"]}


def test_an_act_in_time_that_also_closed_the_case_corrects_it_all_the_same(nights: Nights) -> None:
    report = act("operator_report_received", "2025-08-30T10:00", recorded="2025-09-09T09:00")
    approved = act("report_approved", "2025-09-08T19:00", recorded="2025-09-09T09:00")
    assert every_night(nights, date(2025, 9, 2), date(2025, 10, 1), [RECEIPT, OWNERS, report, approved]) == {
        "09-02": ["Overdue"], "09-09": ["Correction: not overdue"],
    }  # fmt: skip


def test_a_receipt_that_was_entered_wrong_takes_overdue_back(nights: Nights) -> None:
    back = act(ENTRY_WITHDRAWN, "2025-09-10T09:00", corrects=RECEIPT.key(), note="never sent")
    town_s = act("town_receipt", "2025-08-12T14:00", method="hand")
    found = every_night(nights, date(2025, 9, 2), date(2025, 10, 1), [town_s, RECEIPT, back])
    assert found == {"09-02": ["Overdue"], "09-10": ["Correction: not overdue"]}
    gone = next(one for one in nights.mails() if "not overdue" in one.subject)
    assert "The entry it ran from was corrected or withdrawn" in " ".join(gone.body_text.split())


def test_a_later_receipt_moves_the_time_and_its_own_end_is_told(nights: Nights) -> None:
    right = replace(
        RECEIPT, happened_at=RECEIPT.happened_at + timedelta(days=10), corrects=RECEIPT.key(),
        recorded_at=datetime(2025, 9, 5, 9, tzinfo=CHICAGO),
    )  # fmt: skip
    assert every_night(nights, date(2025, 9, 2), date(2025, 10, 1), [RECEIPT, right]) == {
        "09-02": ["Overdue"], "09-05": ["Correction: not overdue"], "09-07": ["Due in 3 days"], "09-10": ["Due"],
        "09-11": ["Overdue"],
    }  # fmt: skip


def test_overdue_again_after_it_was_taken_back_is_told_again(nights: Nights) -> None:
    report = act("operator_report_received", "2025-09-01T10:00", recorded="2025-09-04T09:00")
    back = act(ENTRY_WITHDRAWN, "2025-09-08T09:00", corrects=report.key(), note="another mine's report")
    assert every_night(nights, date(2025, 9, 2), date(2025, 10, 1), [RECEIPT, OWNERS, report, back]) == {
        "09-02": ["Overdue"], "09-04": ["Correction: not overdue"], "09-08": ["Overdue"],
    }  # fmt: skip


def test_a_correction_goes_to_whoever_was_told(nights: Nights) -> None:
    report = act("operator_report_received", "2025-09-01T10:00", recorded="2025-09-04T09:00")
    told(nights, date(2025, 9, 2), [RECEIPT, OWNERS, report])
    nights.at = town(mail=[])
    assert told(nights, date(2025, 9, 4), [RECEIPT, OWNERS, report]) == ["Correction: not overdue"]
    assert len([one for one in nights.subjects(CLERK) if "not overdue" in one]) == 1


def test_an_open_window_is_told_once_and_nobody_is_late(nights: Nights) -> None:
    receipt = act("town_receipt", "2025-08-11T09:15", method="hand")
    mails = _night(nights, date(2025, 8, 11), [receipt]).mails
    assert [one.partition(":")[0] for one in mails] == ["[Headwater] Window open"]
    body = " ".join(nights.mails()[0].body_text.split())
    assert "Nobody is in default" in body
    assert "2025-08-12 09:15 CDT" in body
    assert every_night(nights, date(2025, 8, 12), date(2025, 9, 1), [receipt]) == {}


def test_a_window_s_mail_says_how_soon_the_board_may_meet_and_that_it_may_decide_ahead(nights: Nights) -> None:
    """24 hours' notice inside 24 hours is notice at the receipt itself; for good cause two hours before the end."""
    _night(nights, date(2025, 8, 11), [act("town_receipt", "2025-08-11T09:15", method="hand")])
    body = " ".join(nights.mails()[0].body_text.split())
    for said in (
        "s. 19.84(3)", "notice by 2025-08-11 09:15 CDT, which is no later than the receipt",
        "for good cause by 2025-08-12 07:15 CDT at the latest", "a standing resolution", "counsel",
    ):  # fmt: skip
        assert said in body


def test_a_window_that_was_over_before_it_was_on_record_is_told_once(nights: Nights) -> None:
    """E-mailed on Friday at 22:00, entered on Monday at 8:00: Saturday 22:00 is 24 hours, and Sunday does not count."""
    receipt = act("town_receipt", "2025-08-08T22:00", "2025-08-11T08:00", method="e-mail")
    mails = {day: _night(nights, date(2025, 8, day), [receipt]).mails for day in range(11, 15)}
    assert {day: [one for one in said if PASSED in one] != [] for day, said in mails.items()} == {
        11: True, 12: False, 13: False, 14: False,
    }  # fmt: skip
    body = next(" ".join(one.body_text.split()) for one in nights.mails() if PASSED in one.subject)
    assert "was over before the act it runs from was on record" in body
    assert "Plain due 2025-08-09 22:00 CDT" in body
    digests = [" ".join(one.body_text.split()) for one in nights.mails() if "night of 2025-08-11" in one.subject]
    assert all("NOT USED, and over since 2025-08-09 22:00 CDT" in one for one in digests)
    assert digests, [one.subject for one in nights.mails()]


def test_a_window_that_was_used_in_time_is_not_told_to_have_passed(nights: Nights) -> None:
    receipt = act("town_receipt", "2025-08-08T22:00", "2025-08-11T08:00", method="e-mail")
    used = act("interim_supply_decided", "2025-08-09T21:59", "2025-08-11T08:00")
    late = act("interim_supply_decided", "2025-08-09T22:01", "2025-08-11T08:00")
    for decided in (used, late):
        assert not [one for one in _night(nights, date(2025, 8, 11), [receipt, decided]).mails if PASSED in one]


def test_the_digest_ends_a_window_at_its_hour_and_a_time_of_days_with_its_day(nights: Nights) -> None:
    _night(nights, date(2025, 8, 11), [act("town_receipt", "2025-08-11T09:15", method="hand")])
    text = next(" ".join(one.body_text.split()) for one in nights.mails() if "night of" in one.subject)
    assert "MAY BE USED TODAY: by 2025-08-12 09:15 CDT" in text
    assert "end of 2025-08-12" not in text


FEE = "howard.register/square/2025-01-01"


def fee_night(nights: Nights, on: date, *more: Event) -> list[str]:
    """What a night says of the annual fee: due 28 February 2026, a Saturday, and payable until Monday 2 March."""
    opened = replace(act("register_opened", "2025-01-02T09:00"), case=FEE)
    amount = replace(act("annual_fee_set", "2026-01-12T19:00", body="town board", vote="3-0"), case=FEE)
    known = [one for one in (opened, amount, *more) if one.recorded_at <= datetime.combine(on + NIGHT, time(), CHICAGO)]
    said = nights.night(on, events=known).mails
    return [one.removeprefix("[Headwater] ").partition(",")[0] for one in said if "2.12(3)(c)" in one]


def test_a_dated_duty_is_counted_down_and_told_when_it_is_due(nights: Nights) -> None:
    """Overdue is a finding, which a night told of a finding alone does not make here."""
    said = {day: fee_night(nights, day) for day in (date(2026, 2, 20) + n * NIGHT for n in range(12))}
    assert {f"{day:%m-%d}": those for day, those in said.items() if those} == {
        "02-24": ["Due in 3 days: Annual fee for 2025"], "02-27": ["Due: Annual fee for 2025"],
    }  # fmt: skip
    body = next(" ".join(one.body_text.split()) for one in nights.mails() if "Due in 3 days" in one.subject)
    for part in ("end of 2026-02-28", "end of 2026-03-02", "annual_fee_paid", "operator"):
        assert part in body
    digest = next(" ".join(one.body_text.split()) for one in nights.mails() if "night of 2026-02-22" in one.subject)
    assert "DUE IN 5 DAYS: by the end of 2026-02-28 (statutory: 2026-03-02)" in digest


def test_a_dated_duty_that_is_answered_or_that_no_register_is_kept_of_is_not_counted_down(nights: Nights) -> None:
    paid = replace(act("annual_fee_paid", "2026-02-20T09:00"), case=FEE)
    assert [fee_night(nights, date(2026, 2, day), paid) for day in range(20, 29)] == [[]] * 9
    assert not [one for one in nights.night(date(2026, 2, 27)).mails if "2.12(3)(c)" in one]


def test_a_receipt_that_is_missing_a_whole_day_later_is_told_once(nights: Nights) -> None:
    town_s = act("town_receipt", "2025-08-11T09:15", method="hand")
    found = {day: _night(nights, date(2025, 8, day), [town_s]).mails for day in range(11, 16)}
    assert {day: [one for one in said if MISSING in one] != [] for day, said in found.items()} == {
        11: False, 12: True, 13: False, 14: False, 15: False,
    }  # fmt: skip


def test_every_mail_of_a_clock_says_what_follows(nights: Nights) -> None:
    """Of a receipt that is missing, that the other's time does not run; of one near its end, what its lapse means."""
    town_s = act("town_receipt", "2025-08-11T09:15", method="hand")
    _night(nights, date(2025, 8, 12), [town_s])
    told(nights, date(2025, 8, 28), [RECEIPT])
    bodies = {one.subject.split(": ")[0]: " ".join(one.body_text.split()) for one in nights.mails()}
    assert "What follows The town's 24 hours run from its own receipt" in bodies["[Headwater] Missing"]
    assert "What follows Once the time is out: Interim supply goes on" in bodies["[Headwater] Due in 3 days"]


def test_a_deadline_mail_gives_both_times_the_act_and_the_clause(nights: Nights) -> None:
    told(nights, date(2025, 8, 28), [RECEIPT])
    body = next(" ".join(one.body_text.split()) for one in nights.mails() if "Due in" in one.subject)
    for said in ("operator receipt, 2025-08-12 14:00 CDT", "end of 2025-09-01", "end of 2025-09-02", "2.15(4)"):
        assert said in body
