"""What holds for acts in any order of recording: status follows from when things happened, and from nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from models.admission import admit, made_impossible
from models.case import Case, cases
from models.case_duties import case_deadlines
from models.case_kind import CaseEvent, CaseKind
from models.counting import calendar_of
from models.errors import BadSite
from models.event import ENTRY_WITHDRAWN, OPENED, Event, standing
from models.policy import default_policy
from models.rules import ordinance
from tests.record_in_memory import site

LAW = ordinance("howard")
CALENDAR = calendar_of(LAW)
SITE = site()
START = datetime(2025, 8, 25, 15, tzinfo=UTC)
KNOWN = START + timedelta(days=200)
IDS = {
    "howard.baseflow": "howard.baseflow/G-1/2025-08-25", "howard.remedy": "howard.remedy/R-1/2025-08-25",
    "howard.permit": "howard.permit/square/2025-08-25", "howard.assurance": "howard.assurance/square/2025-08-25",
}  # fmt: skip
SAYS: dict[str, Any] = {
    "method": "hand", "body": "town board", "vote": "3-0", "until": date(2028, 1, 1),
    "note": "for a reason", "document": "paper",
}  # fmt: skip
FACTS = {
    "flows_since": "2025-08-01", "forecast": "forecast-1", "amount_usd": "1.00", "basis": "b", "account": "water",
    "supplied_from": "2025-08-12", "supplied_to": "2025-09-05", "paper": "1", "section": "2.13(1)(b)",
    "to": "operator",
}  # fmt: skip
PEOPLE = {"town": "town board", "operator": "operator", "owner": "owner:R-1", "court": "court", "agency": "agency"}


def act(kind: CaseKind, one: CaseEvent, hours: int) -> Event:
    """An act of the table that states all it must, so many hours after the case began."""
    at = START + timedelta(hours=hours)
    day = at.date()
    own = {"meeting": day, "body": "plan commission" if one.name == "renewal_recommended" else "town board"}
    fields = {name: value for name, value in (SAYS | own).items() if name in one.requires}
    known = FACTS | {"hearing": day.isoformat()}
    facts = tuple(sorted((name, known[name]) for name in one.requires if name in known))
    return Event(IDS[kind.id], one.name, at, KNOWN, PEOPLE[one.who], facts=facts, **fields)


@st.composite
def acts(draw: st.DrawFn) -> list[Event]:
    """Any acts of one case; hours are coarse, so that several fall on one instant."""
    kind = LAW.case_kind(draw(st.sampled_from(sorted(IDS))))
    assert kind is not None
    sampled = st.tuples(st.sampled_from(kind.event), st.integers(0, 60).map(lambda step: step * 24))
    found = [act(kind, one, hours) for one, hours in draw(st.lists(sampled, min_size=1, max_size=12))]
    own = [Event(IDS[kind.id], OPENED, START, START, "headwater")] if kind.opened_by == "finding" else []
    return own + list({one.key(): one for one in found}.values())


def record(events: list[Event]) -> list[Event]:
    """Each act in this order; what is refused is tried again after the others, until nothing more is taken."""
    taken, waiting = [one for one in events if one.own], [one for one in events if not one.own]
    while True:
        left = []
        for one in waiting:
            try:
                admit(one, taken, SITE, LAW)
                taken.append(one)
            except BadSite:
                left.append(one)
        if len(left) == len(waiting):
            return taken
        waiting = left


def seen(events: list[Event]) -> Any:
    """Everything derived from a case."""
    found = cases(events, LAW)
    if not found:
        return None
    case = found[0]
    keys = [one.key() for one in case.events]
    clocks = case_deadlines(case, LAW.steps(case.kind.id), CALENDAR, KNOWN)
    return case.status, case.state, keys, case.in_effect, clocks


@given(acts(), st.randoms(use_true_random=False))
def test_any_order_of_recording_gives_the_same_case(events: list[Event], random: Any) -> None:
    """But for an order that mining cease: on record before what speaks against it, it stands and is contested."""
    mixed = list(events)
    random.shuffle(mixed)
    first, second = record(events), record(mixed)
    if not contested(first) and not contested(second):
        assert seen(first) == seen(second)


def contested(events: list[Event]) -> bool:
    return any(one.stands for case in cases(events, LAW) for one in case.contradictions)


@given(acts(), st.randoms(use_true_random=False))
def test_when_an_act_was_written_down_changes_nothing(events: list[Event], random: Any) -> None:
    """Not even among acts that contradict each other: here everything is on record, whatever the table says."""
    mixed = [replace(one, recorded_at=one.recorded_at + timedelta(days=random.randint(0, 9))) for one in events]
    random.shuffle(mixed)
    assert seen(events) == seen(mixed)


@given(acts())
def test_no_act_on_record_is_lost(events: list[Event]) -> None:
    for case in cases(events, LAW):
        shown = [*case.events, *(one.event for one in case.contradictions if not one.stands)]
        assert {one.event for one in case.contradictions if one.stands} <= set(case.events)
        assert sorted(one.key() for one in shown) == sorted(one.key() for one in events)
        assert all(one.reason for one in case.contradictions)


@given(acts(), st.data())
def test_what_a_late_act_makes_impossible_is_said_when_it_is_recorded(events: list[Event], data: st.DataObject) -> None:
    late = data.draw(st.sampled_from(events))
    before = record([one for one in events if one != late])
    if late.own or late in before:
        return
    known = {one.event.key() for case in cases(before, LAW) for one in case.contradictions}
    after = {one.event.key() for case in cases([*before, late], LAW) for one in case.contradictions}
    found = made_impossible(late, before, LAW, default_policy())
    assert {one.event.key() for one in found} == after - known


@given(acts())
def test_no_deadline_without_its_starting_act(events: list[Event]) -> None:
    for case in cases(record(events), LAW):
        by_key = {one.key(): one for one in case.events}
        for one in case_deadlines(case, LAW.steps(case.kind.id), CALENDAR, KNOWN):
            step = next(step for step in LAW.steps(case.kind.id) if step.id == one.step)
            start = by_key[one.started_key]
            assert start.name in {*step.runs_from, *step.restarted_by}
            assert one.started_at == start.happened_at
            assert one.done_at is None or one.done_by in step.done_by


@given(acts())
def test_no_case_without_what_opens_it(events: list[Event]) -> None:
    for case in cases(record(events), LAW):
        first = [one for one in case.events if not one.own][:1]
        if case.kind.opened_by == "event":
            assert all(one.name in case.kind.opening_events for one in first)


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 40)), max_size=14))
def test_nothing_lifts_a_cessation_but_the_town_s_determination(drawn: list[tuple[int, int]]) -> None:
    kind = LAW.case_kind("howard.baseflow")
    assert kind is not None
    opened = Event(IDS[kind.id], OPENED, START, START, "headwater")
    found = [act(kind, kind.event[n % len(kind.event)], days * 24) for n, days in drawn]
    for case in cases(record([opened, *found]), LAW):
        _ceased_or_lifted(case)


def _ceased_or_lifted(case: Case) -> None:
    of_it = [one for one in case.events if one.name in {"deemed_inadequate", "cessation_ordered", "cessation_lifted"}]
    if not of_it or of_it[-1].name == "cessation_lifted":
        return
    clocks = case_deadlines(case, LAW.steps(case.kind.id), CALENDAR, KNOWN)
    assert case.status == "open"
    assert [one.standing for one in clocks if one.step == "howard.baseflow.cease"][-1] == "open"


BASEFLOW = IDS["howard.baseflow"]
LIFTED = {"cessation_lifted", "cessation_rescinded"}
BINDING = {"deemed_inadequate", "cessation_ordered"}


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """An order that mining cease, then acts of any day in the order they are written down, entries taken back or put
    right by whoever tries among them."""
    kind = LAW.case_kind("howard.baseflow")
    assert kind is not None
    known: list[Event] = [Event(BASEFLOW, OPENED, START, START, "headwater")]
    begun = draw(st.sampled_from(["cessation_ordered", "operator_plan_received deemed_inadequate"])).split()
    for name, days in zip(["town_notice_given", *begun], [2, 26, 28], strict=False):
        first = kind.event_of(name)
        assert first is not None
        admit(act(kind, first, days * 24), known, SITE, LAW)
        known.append(act(kind, first, days * 24))
    for n, days in draw(st.lists(st.tuples(st.integers(0, len(kind.event) + 7), st.integers(0, 45)), max_size=16)):
        if n < len(kind.event):
            new = act(kind, kind.event[n], days * 24)
        elif people := [one for one in known if not one.own]:
            target, at = draw(st.sampled_from(people)), START + timedelta(days=days)
            by = draw(st.sampled_from(["clerk", "town board", "operator", "owner:R-1"]))
            name = draw(st.sampled_from([ENTRY_WITHDRAWN, target.name, "case_closed", "operator_plan_received"]))
            said = {"body": "town board", "meeting": at.date(), "vote": "3-0"}
            new = Event(BASEFLOW, name, at, KNOWN, by, note="an error", method="hand", corrects=target.key(), **said)
        else:
            continue
        if new.key() not in {one.key() for one in known}:
            try:
                admit(new, known, SITE, LAW)
                known.append(new)
            except BadSite:
                pass
    return known


@settings(max_examples=400)
@given(histories())
def test_once_mining_shall_cease_only_the_town_s_lifting_ends_it(known: list[Event]) -> None:
    """Whatever is written down later, of whatever day: where no lifting counts, what was in force stays in force."""
    for n in range(5, len(known) + 1):
        earlier, later = cases(known[: n - 1], LAW)[0], cases(known[:n], LAW)[0]
        assert earlier.binding or LIFTED & {one.name for one in earlier.events}
        if earlier.binding and not LIFTED & {one.name for one in later.events}:
            assert later.binding
            assert (later.status, later.state) == ("open", "mining shall cease")
            clocks = case_deadlines(later, LAW.steps(later.kind.id), CALENDAR, KNOWN)
            assert [one.standing for one in clocks if one.step == "howard.baseflow.cease"][-1] == "open"


def test_the_histories_reach_an_order_that_is_contested() -> None:
    """Else the property above says nothing."""
    find(histories(), contested, settings=settings(max_examples=5000))


def flow(name: str, day: int, **more: Any) -> Event:
    at = START + timedelta(days=day)
    return Event(BASEFLOW, name, at, KNOWN, more.pop("by", "clerk"), **more)


VOTED = {"body": "town board", "vote": "3-0"}
NOTICE = flow("town_notice_given", 2, method="hand")
ORDER = flow("cessation_ordered", 26, meeting=date(2025, 9, 20), **VOTED)
ORDERED = [flow(OPENED, 0, by="headwater"), NOTICE, ORDER]


@pytest.mark.parametrize(
    ("late", "why"),
    [
        (flow(ENTRY_WITHDRAWN, 30, corrects=ORDER.key(), note="an error", by="clerk"), "stands until cessation_lifted"),
        (
            flow(ENTRY_WITHDRAWN, 30, corrects=ORDER.key(), note="an error", meeting=date(2025, 9, 24), **VOTED),
            "stands until cessation_lifted",
        ),
        (flow(ENTRY_WITHDRAWN, 30, corrects=ORDER.key(), note="an error", by="Harry Hostile"), "stands until"),
        (
            flow(ENTRY_WITHDRAWN, 30, corrects=NOTICE.key(), note="an error", by="Harry Hostile"),
            "no party of this site",
        ),
        (
            flow(ENTRY_WITHDRAWN, 30, corrects=NOTICE.key(), note="an error", by="operator"),
            "town_notice_given is the town's",
        ),
        (
            flow("case_closed", 30, corrects=ORDER.key(), note="an error", meeting=date(2025, 9, 24), **VOTED),
            "stands until cessation_lifted",
        ),
    ],
)
def test_who_takes_back_what(late: Event, why: str) -> None:
    assert why in refusal(late, ORDERED)


@pytest.mark.parametrize("target", [NOTICE, ORDER])
def test_an_entry_taken_back_leaves_the_order_in_force_however_it_got_on_record(target: Event) -> None:
    back = flow(ENTRY_WITHDRAWN, 30, corrects=target.key(), note="an error")
    (case,) = cases([*ORDERED, back], LAW)
    assert (case.status, case.state, case.binding) == ("open", "mining shall cease", {"cessation_ordered"})


def test_an_order_entered_with_a_wrong_day_is_put_right_by_itself() -> None:
    right = replace(ORDER, happened_at=START + timedelta(days=27), corrects=ORDER.key())
    assert refusal(right, ORDERED) == ""
    (case,) = cases([*ORDERED, right], LAW)
    assert [one.happened_at for one in case.events if one.name == "cessation_ordered"] == [right.happened_at]
    assert case.binding


def told(name: str, days: int, **more: Any) -> Event:
    at = START + timedelta(days=days)
    return Event(IDS["howard.remedy"], name, at, KNOWN, "clerk", **more)


def test_a_correction_is_as_if_it_had_been_recorded_so_at_first() -> None:
    wrong = told("operator_receipt", 0, method="hand")
    right = replace(wrong, happened_at=START + timedelta(days=1), corrects=wrong.key())
    plain = replace(right, corrects="")
    assert [one.happened_at for one in standing([wrong, right])] == [plain.happened_at]
    assert seen([wrong, right])[4][0].plain == seen([plain])[4][0].plain
    again = replace(right, happened_at=START + timedelta(days=2), corrects=right.key())
    assert standing([wrong, right, again]) == [again]


def test_an_entry_withdrawn_is_as_if_it_had_never_been() -> None:
    first, wrong = told("town_receipt", 0, method="hand"), told("operator_receipt", 1, method="hand")
    back = told(ENTRY_WITHDRAWN, 2, corrects=wrong.key(), note="another property's")
    admit(back, [first, wrong], SITE, LAW)
    assert seen([first, wrong, back]) == seen([first])
    after_all = told(ENTRY_WITHDRAWN, 3, corrects=back.key(), note="it was this property's")
    assert seen([first, wrong, back, after_all]) == seen([first, wrong])


def test_what_a_withdrawn_correction_had_replaced_stands_again() -> None:
    first = told("town_receipt", 0, method="hand")
    second = replace(first, method="e-mail", corrects=first.key())
    back = told(ENTRY_WITHDRAWN, 3, corrects=second.key(), note="it was by hand")
    assert standing([first, second, back]) == [first]


def test_a_case_of_which_every_entry_is_withdrawn_is_no_open_case() -> None:
    first = told("town_receipt", 0, method="hand")
    back = told(ENTRY_WITHDRAWN, 1, corrects=first.key(), note="another property's")
    assert [one.status for one in cases([first, back], LAW)] == ["retracted"]


def refusal(event: Event, existing: list[Event]) -> str:
    try:
        admit(event, existing, SITE, LAW)
    except BadSite as caught:
        return str(caught)
    return ""


def test_a_correction_names_one_standing_act_of_its_own_case() -> None:
    first = told("town_receipt", 0, method="hand")
    other = replace(first, case="howard.remedy/R-1/2025-08-26")
    second = replace(first, method="e-mail", corrects=first.key())
    third = replace(first, method="certified mail", corrects=first.key())
    assert "no act of this case has that key" in refusal(replace(second, corrects=other.key()), [first, other])
    assert "is corrected already" in refusal(third, [first, second])
    assert refusal(replace(third, corrects=second.key()), [first, second]) == ""
    assert "a withdrawal says why" in refusal(told(ENTRY_WITHDRAWN, 1, corrects=first.key()), [first])
    assert "names the entry it withdraws" in refusal(told(ENTRY_WITHDRAWN, 1, note="x"), [first])


def test_several_incidents_of_one_property_and_several_properties_of_one_incident() -> None:
    first = told("town_receipt", 0, method="hand", incident="august")
    later = replace(first, case="howard.remedy/R-1/2025-08-25.2", incident="september")
    other = replace(first, case="howard.remedy/R-2/2025-08-25")
    assert [(one.id.split("/")[1], one.incident) for one in cases([first, later, other], LAW)] == [
        ("R-1", "august"), ("R-1", "september"), ("R-2", "august"),
    ]  # fmt: skip


def test_the_key_of_an_act_that_says_nothing_newer_is_the_one_it_always_had() -> None:
    """Worked by hand: sha256 of the seven old fields joined by the unit separator."""
    event = Event("howard.remedy/R-1/2025-08-11", "town_receipt", START, KNOWN, "owner:R-1", "hand", "R-1-notice", "")
    assert event.key() == "e2da1f1e61ce93c9d5228cf7a85aa886471fdc0199e44dea2daa581660d91c79"
    assert replace(event, vote="3-0").key() != event.key()
