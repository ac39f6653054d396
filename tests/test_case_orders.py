"""Orders of the town in any sequence of entries: what ends them, and that the order of writing down decides nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.admission import admit
from models.case import Case, cases
from models.case_duties import case_deadlines
from models.case_kind import CaseKind
from models.counting import calendar_of
from models.errors import BadSite
from models.event import ENTRY_WITHDRAWN, OPENED, Event
from models.rules import ordinance
from tests.record_in_memory import site

LAW = ordinance("howard")
CALENDAR = calendar_of(LAW)
SITE = site()
START = datetime(2025, 8, 25, 15, tzinfo=UTC)
KNOWN = START + timedelta(days=400)
IDS = {
    "howard.baseflow": "howard.baseflow/G-1/2025-08-25", "howard.remedy": "howard.remedy/R-1/2025-08-25",
    "howard.permit": "howard.permit/square/2025-08-25",
}  # fmt: skip
PEOPLE = {"town": "town board", "operator": "operator", "owner": "owner:R-1", "court": "court", "agency": "agency"}
SECTIONS = ("2.09", "2.14")
# Acts that a case needs before anything else can happen in it: name and day.
BEGUN = {
    "howard.baseflow": [("town_notice_given", 2), ("cessation_ordered", 26)],
    "howard.remedy": [("town_receipt", 0), ("operator_receipt", 0), ("interim_supply_began", 1)],
    "howard.permit": [("permit_granted", 0), ("violation_noticed", 1), ("stop_work_ordered", 2)],
}


def kind_of(id: str) -> CaseKind:
    kind = LAW.case_kind(id)
    assert kind is not None
    return kind


def act(kind: CaseKind, name: str, day: int, section: str = SECTIONS[0], **more: Any) -> Event:
    """An act of the table that states all it must."""
    one = kind.event_of(name)
    assert one is not None
    at = START + timedelta(days=day)
    body = "plan commission" if name == "renewal_recommended" else "town board"
    fields: dict[str, Any] = {
        "method": "hand", "note": "for a reason", "document": "paper", "body": body, "meeting": at.date(),
        "vote": "3-0", "until": at.date() + timedelta(days=900),
    }  # fmt: skip
    facts = {
        "flows_since": (at - timedelta(days=9)).date().isoformat(), "forecast": "f-1", "paper": "1",
        "supplied_from": "2025-08-26", "supplied_to": "2025-08-26", "section": section, "to": "operator",
        "assurances": "bond-17", "hearing": at.date().isoformat(),
    }  # fmt: skip
    said = tuple(sorted((name, facts[name]) for name in one.requires if name in facts))
    stated = {key: value for key, value in fields.items() if key in one.requires}
    return Event(IDS[kind.id], name, at, KNOWN, PEOPLE[one.who], facts=said, **(stated | more))


def own(kind: CaseKind) -> list[Event]:
    return [Event(IDS[kind.id], OPENED, START, START, "headwater")] if kind.opened_by == "finding" else []


def taken(events: list[Event], known: list[Event]) -> list[Event]:
    """Each act in this order, what is refused again after the others, until nothing more is taken."""
    known, waiting = list(known), list(events)
    while True:
        left = [one for one in waiting if not recorded(one, known)]
        if len(left) == len(waiting):
            return known
        waiting = left


def recorded(event: Event, known: list[Event]) -> bool:
    try:
        admit(event, known, SITE, LAW)
    except BadSite:
        return False
    known.append(event)
    return True


def seen(events: list[Event]) -> Any:
    """Everything derived from a case."""
    (case,) = cases(events, LAW)
    clocks = case_deadlines(case, LAW.steps(case.kind.id), CALENDAR, KNOWN)
    doubted = [(one.event.key(), one.reason) for one in case.contradictions]
    return case.status, case.state, [one.key() for one in case.events], case.in_effect, doubted, clocks


# Any order of recording ----------------------------------------------------------------------------------------------


@st.composite
def admissible(draw: st.DrawFn) -> list[Event]:
    """A history as it may happen: each act is allowed on its day by what happened before it; among them cases closed
    and taken up again, orders lifted and ordered anew. No two bear one instant: which of two such came first,
    the order of recording alone says."""
    kind = kind_of(draw(st.sampled_from(sorted(IDS))))
    known = own(kind)
    for name, day in BEGUN[kind.id]:
        assert recorded(act(kind, name, day), known)
    day = 26
    for _ in range(draw(st.integers(3, 10))):
        day += draw(st.integers(1, 9))
        section, place = draw(st.sampled_from(SECTIONS)), draw(st.integers(0, len(kind.event) - 1))
        for one in (*kind.event[place:], *kind.event[:place])[:6]:  # the next of the table that is allowed
            new = act(kind, one.name, day, section)
            if one.name != "paper_released" and new not in known and recorded(new, known):
                break
    return known


@settings(max_examples=30, deadline=None)
@given(admissible(), st.randoms(use_true_random=False))
def test_the_same_dated_acts_in_any_order_of_recording_are_the_same_case(history: list[Event], random: Any) -> None:
    mixed = [one for one in history if not one.own]
    random.shuffle(mixed)
    again = taken(mixed, [one for one in history if one.own])
    assert {one.key() for one in again} == {one.key() for one in history}
    assert seen(again) == seen(history)


TOLD = {
    "howard.baseflow": "cessation_lifted case_reopened operator_report_received deemed_inadequate cessation_rescinded",
    "howard.remedy": "operator_plan_received plan_approved plan_denied operator_report_received report_approved "
    "case_reopened report_denied",
    "howard.permit": "hearing_notice_given hearing_held permit_suspended stop_work_lifted suspension_lifted "
    "violation_remedied stop_work_ordered",
}


@pytest.mark.parametrize("id", sorted(TOLD))
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_a_history_of_orders_undone_and_made_anew_is_the_same_in_any_order(id: str, random: Any) -> None:
    kind = kind_of(id)
    story = [act(kind, name, day) for name, day in BEGUN[id]]
    story += [act(kind, name, 30 + 3 * n) for n, name in enumerate(TOLD[id].split())]
    known = own(kind)
    assert all(recorded(one, known) for one in story), "it happened so"
    random.shuffle(story)
    assert seen(taken(story, own(kind))) == seen(known)


# What ends an order --------------------------------------------------------------------------------------------------


@st.composite
def entries(draw: st.DrawFn) -> list[Event]:
    """Orders of the town, lifted and ordered anew, then entries of any day, put right or taken back by anyone."""
    kind = kind_of(draw(st.sampled_from(["howard.baseflow", "howard.permit"])))
    known = own(kind)
    for name, day in BEGUN[kind.id]:
        recorded(act(kind, name, day), known)
    if draw(st.booleans()):
        anew = {
            "howard.baseflow": ["cessation_lifted", "case_reopened", "cessation_ordered"],
            "howard.permit": ["hearing_notice_given", "hearing_held", "permit_suspended", "stop_work_lifted"],
        }[kind.id]
        for n, name in enumerate(anew):
            assert recorded(act(kind, name, 30 + 5 * n), known)
    for _ in range(draw(st.integers(1, 9))):
        day, section = draw(st.integers(0, 60)), draw(st.sampled_from(SECTIONS))
        people = [one for one in known if not one.own]
        if people and draw(st.booleans()):
            target: Event = draw(st.sampled_from(people))
            new = correction(draw, kind, target, day)
        else:
            new = act(kind, draw(st.sampled_from(kind.event)).name, day, section)
        if new.key() not in {one.key() for one in known}:
            recorded(new, known)
    return known


def correction(draw: st.DrawFn, kind: CaseKind, target: Event, day: int) -> Event:
    at = START + timedelta(days=day)
    by = draw(st.sampled_from([target.by, "clerk", "operator", "owner:R-1"]))
    if draw(st.booleans()) and target.name != ENTRY_WITHDRAWN:
        meeting = target.meeting and at.date()
        return replace(target, happened_at=at, meeting=meeting, corrects=target.key(), by=by)
    voted: dict[str, Any] = {"body": "town board", "meeting": at.date(), "vote": "3-0"} if draw(st.booleans()) else {}
    names = [ENTRY_WITHDRAWN, "town_notice_given", "case_closed"]
    name = draw(st.sampled_from(names))
    return Event(IDS[kind.id], name, at, KNOWN, by, method="hand", note="an error", corrects=target.key(), **voted)


def orders(case: Case) -> set[str]:
    """Orders in effect by name and section, whichever entry says so."""
    return {f"{one.name} {one.fact('section')}" for one in case.standing if one.name in case.kind.binding}


@settings(max_examples=60, deadline=None)
@given(entries())
def test_only_a_determination_that_lifts_it_ends_an_order_and_no_correction_revives_one(known: list[Event]) -> None:
    """Cessation, notice of violation, stop work, suspension, revocation; the town may vote its own lifting back."""
    stands = [cases(known[:n], LAW)[0] for n in range(1, len(known) + 1)]
    for before, after, new in zip(stands, stands[1:], known[1:], strict=False):
        for gone in orders(before) - orders(after):
            lifting = before.kind.event_of(gone.split()[0])
            assert lifting is not None
            assert (new.name in lifting.lifted_by, bool(new.vote), new.corrects) == (True, True, "")
        if new.corrects and not new.vote:
            assert orders(after) <= orders(before)


# The order of writing down, told -------------------------------------------------------------------------------------

BASEFLOW = kind_of("howard.baseflow")
NOTICE = act(BASEFLOW, "town_notice_given", 4)
LATE_PLAN = act(BASEFLOW, "operator_plan_received", 31)
APPROVED = act(BASEFLOW, "plan_approved", 31)
ORDER = act(BASEFLOW, "cessation_ordered", 32)


@pytest.mark.parametrize("sequence", [[LATE_PLAN, APPROVED, ORDER], [ORDER, LATE_PLAN, APPROVED]])
def test_an_order_after_a_late_plan_was_approved_stands_and_is_doubted_in_either_order(sequence: list[Event]) -> None:
    """Notice on 29 August; 20 days are out with 18 September; the plan of 25 September is late, and approved that day.
    Both are the Town Board's own acts: the newer stands, and that the older speaks against it is said."""
    (case,) = cases(taken(sequence, [*own(BASEFLOW), NOTICE]), LAW)
    assert (case.status, case.state, len(case.events)) == ("open", "mining shall cease", 5)
    assert [(one.event.name, one.reason) for one in case.contradictions] == [
        ("cessation_ordered", "plan_approved of 2025-09-25 speaks against it")
    ]


# The state of a permit -----------------------------------------------------------------------------------------------

PERMIT = kind_of("howard.permit")
GRANTED = act(PERMIT, "permit_granted", 0, until=date(2028, 2, 10))


def permit(*acts: Event) -> Case:
    known: list[Event] = []
    for one in (GRANTED, *acts):
        admit(one, known, SITE, LAW)
        known.append(one)
    return cases(known, LAW)[0]


def test_the_state_of_a_permit_is_every_order_that_stands() -> None:
    case = permit(
        act(PERMIT, "violation_noticed", 1, "2.09"), act(PERMIT, "stop_work_ordered", 2, "2.09"),
        act(PERMIT, "violation_noticed", 3, "2.14"), act(PERMIT, "violation_remedied", 20, "2.14"),
    )  # fmt: skip
    assert case.state == (
        "work is stopped for 2.09; a notice of violation and order of 2.09 stands; granted to 2028-02-10"
    )
    owed = case_deadlines(case, LAW.steps("howard.permit"), CALENDAR, KNOWN)
    assert [(one.step, one.standing) for one in owed if one.who == "operator"] == [
        ("howard.permit.stop_work", "open"), ("howard.permit.violation", "open"),
    ]  # fmt: skip


def test_a_renewal_takes_no_suspension_away() -> None:
    heard = [act(PERMIT, "hearing_notice_given", 1), act(PERMIT, "hearing_held", 1)]
    asked = [act(PERMIT, "renewal_requested", 3), act(PERMIT, "renewal_recommended", 4)]
    renewed = act(PERMIT, "renewal_granted", 5, until=date(2031, 1, 1))
    case = permit(*heard, act(PERMIT, "permit_suspended", 2), *asked, renewed)
    assert case.state == "suspended for 2.09; renewed to 2031-01-01"
    lifted = permit(*heard, act(PERMIT, "permit_suspended", 2), act(PERMIT, "suspension_lifted", 6))
    assert (lifted.status, lifted.state) == ("open", "granted to 2028-02-10")


def test_a_term_that_is_over_is_told_on_the_day_after_it() -> None:
    case = permit()
    assert case.state_on(date(2028, 2, 10)) == "granted to 2028-02-10"
    assert case.state_on(date(2028, 2, 11)) == "its term ended on 2028-02-10; granted to 2028-02-10"


def test_a_revocation_taken_back_leaves_the_permit_as_it_was() -> None:
    heard = [act(PERMIT, "hearing_notice_given", 1), act(PERMIT, "hearing_held", 1), act(PERMIT, "permit_revoked", 2)]
    assert (permit(*heard).status, permit(*heard).state) == ("closed", "revoked for 2.09; granted to 2028-02-10")
    back = permit(*heard, act(PERMIT, "revocation_rescinded", 9))
    assert (back.status, back.state) == ("open", "granted to 2028-02-10")
