"""Cases: what may be recorded, what a finding opens and takes back, and how a case stands."""

from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from typing import Any

import pytest

from models.admission import admit
from models.case import CaseId, cases
from models.errors import BadLaw, BadQuestion, BadSite
from models.event import AMENDED, ENDED, OPENED, RETRACTED, Event
from models.finding import Change, Finding, Transition
from models.household import Households
from models.reconcile import case_of, reconcile
from models.rules import ordinance, read_ordinance
from tests.record_in_memory import site
from tests.situations import situations

LAW = ordinance("howard")
NIGHT = datetime(2025, 8, 26, 7, tzinfo=UTC)


PARCELS = [
    {"id": "R-1", "parcel": "1", "polygon": [(-900, 0), (-100, 0), (-100, 900)]},
    {"id": "R-3", "parcel": "3", "polygon": [(-4900, 0), (-4000, 0), (-4000, 900)]},
]
HOUSEHOLDS = Households.model_validate(
    {
        "household": [
            {
                "property": "R-1", "owner": "Pat Made-Up", "occupant": "Sam Occupied", "phone": "715-555-0199",
                "address": "N100 Nowhere Lane, Town of Howard",
            }
        ]
    }
)  # fmt: skip


@pytest.mark.parametrize("situation", situations("cases.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    happened, recorded = (datetime.fromisoformat(situation[name]) for name in ("happened", "recorded"))
    states = {**situation.get("states", {})}
    states["facts"] = tuple(sorted(states.get("facts", {}).items()))
    event = Event(situation["case"], situation["event"], happened, recorded, situation.get("by", "clerk"), **states)
    begun = datetime.fromisoformat("2025-08-29T10:00:00-05:00").replace(year=happened.year)
    at = min(begun, happened)
    existing = [Event(situation["case"], name, at, at, "clerk") for name in situation.get("open", ())]
    if situation["answer"] == "taken":
        admit(event, existing, site(property=PARCELS), LAW, households=HOUSEHOLDS)
        return
    with pytest.raises(BadSite) as caught:
        admit(event, existing, site(property=PARCELS), LAW, households=HOUSEHOLDS)
    assert caught.value.key == situation["key"]
    assert caught.value.found == situation.get("found", caught.value.found)
    assert situation.get("says", "") in str(caught.value)
    assert not {"Made-Up", "Occupied", "0199", "nowhere"} & set(str(caught.value).replace(",", " ").split())
    if "allowed" in situation:
        assert list(caught.value.allowed or ()) == situation["allowed"]


def test_a_case_of_another_id_does_not_open_this_one() -> None:
    other = Event("howard.remedy/R-1/2025-08-11", "town_receipt", NIGHT, NIGHT, "clerk")
    with pytest.raises(BadSite, match="no case"):
        admit(Event("howard.remedy/R-1/2025-08-12", "report_approved", NIGHT, NIGHT, "clerk"), [other], site(), LAW)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "howard.remedy",
        "howard.remedy/R-1",
        "howard.remedy/R-1/2025-02-30",
        "a/b/c/2025-01-01",
        "howard.remedy/R-1/2025-02-28\n",
    ],
)
def test_not_a_case_id(text: str) -> None:
    with pytest.raises(BadQuestion, match="not a case id"):
        CaseId.parse(text)


def test_a_case_id_reads_as_it_prints() -> None:
    text = "howard.baseflow/LMC-1/2025-08-25"
    assert str(CaseId.parse(text)) == text


def finding(start: date = date(2025, 8, 20), opens: str | None = "howard.baseflow", **more: Any) -> Finding:
    return Finding(
        rule="howard.baseflow", clause="2.09(3)(c)", station="G-1", parameter="discharge", aspect="base flow 1",
        start=start, end=more.pop("end", start + timedelta(days=5)), opened_on=start + timedelta(days=5),
        verdict=more.pop("verdict", "attained"), status="TRIGGERED_OPEN", measured="4", limit="5", unit="cfs",
        reason="", opens=opens, **more,
    )  # fmt: skip


def night(events: list[Event], change: Change, one: Finding, previous: Finding | None = None, later: int = 0) -> None:
    """One night's reconciliation, its events recorded."""
    events += reconcile([Transition(change, one, previous)], list(events), NIGHT + timedelta(days=later))


def status(events: list[Event]) -> list[str]:
    return [one.status for one in cases(events, LAW)]


def test_a_finding_opens_a_case_dated_to_its_trigger_and_by_the_program() -> None:
    events: list[Event] = []
    night(events, "opened", finding())
    assert [(one.case, one.name, one.by) for one in events] == [("howard.baseflow/G-1/2025-08-25", OPENED, "headwater")]
    assert (events[0].happened_at, events[0].recorded_at) == (NIGHT, NIGHT)
    assert status(events) == ["open"]


def test_a_finding_that_opens_nothing_makes_no_case() -> None:
    events: list[Event] = []
    for change in ("opened", "amended", "confirmed", "continued", "ended", "retracted", "superseded"):
        night(events, change, finding(opens=None))
    assert events == []


def test_cannot_tell_that_becomes_a_shortfall_opens_the_case_then() -> None:
    events: list[Event] = []
    unsure = finding(opens=None, verdict="indeterminate")
    night(events, "opened", unsure)
    assert events == []
    night(events, "amended", finding(), unsure, later=1)
    assert [one.name for one in events] == [OPENED]


def test_end_confirmation_and_continuation_of_a_condition() -> None:
    events: list[Event] = []
    night(events, "opened", finding())
    night(events, "continued", finding(), finding(), later=1)
    night(events, "confirmed", finding(), finding(), later=2)
    night(events, "ended", finding(), finding(), later=3)
    assert [one.name for one in events] == [OPENED, AMENDED, ENDED]
    assert status(events) == ["open"], "the end of low water ends no duty"


def test_a_finding_withdrawn_retracts_its_case() -> None:
    events: list[Event] = []
    night(events, "opened", finding())
    night(events, "retracted", finding(), finding(), later=1)
    assert [one.name for one in events] == [OPENED, RETRACTED]
    assert status(events) == ["retracted"]


def test_a_person_s_act_keeps_a_case_open_after_its_finding_is_withdrawn() -> None:
    """The town has given notice: what was begun by a person only a person ends."""
    events: list[Event] = []
    night(events, "opened", finding())
    given = NIGHT + timedelta(hours=12)
    events.append(Event(events[0].case, "town_notice_given", given, given, "clerk"))
    night(events, "retracted", finding(), finding(), later=1)
    assert status(events) == ["open"]
    closed = NIGHT + timedelta(days=2)
    events.append(Event(events[0].case, "case_closed", closed, closed, "clerk"))
    assert status(events) == ["closed"]


def test_a_finding_that_comes_back_after_it_was_withdrawn_opens_the_duty_again() -> None:
    """A revision takes the trigger away, a second revision brings it back: the same duty, not silence."""
    events: list[Event] = []
    night(events, "opened", finding())
    night(events, "retracted", finding(), finding(), later=1)
    night(events, "opened", finding(), later=2)
    assert status(events) == ["open"]
    assert len({one.case for one in events}) == 1
    night(events, "retracted", finding(), finding(), later=3)
    assert status(events) == ["retracted"]


def test_what_comes_back_only_as_cannot_tell_opens_no_duty() -> None:
    events: list[Event] = []
    unsure = finding(opens=None, verdict="indeterminate")
    night(events, "opened", finding())
    night(events, "retracted", finding(), finding(), later=1)
    night(events, "opened", unsure, later=2)
    assert status(events) == ["retracted"]
    night(events, "amended", finding(), unsure, later=3)
    assert status(events) == ["open"]


def test_a_finding_that_moved_stays_in_its_case() -> None:
    events: list[Event] = []
    old, new = finding(), finding(start=date(2025, 8, 19))
    night(events, "opened", old)
    night(events, "amended", new, old, later=1)
    night(events, "superseded", old, old, later=1)
    assert [one.name for one in events] == [OPENED, AMENDED]
    assert case_of(new, events) == case_of(old, events) == "howard.baseflow/G-1/2025-08-25"
    night(events, "retracted", new, new, later=2)
    assert status(events) == ["retracted"]


def test_a_finding_belongs_to_the_case_it_was_last_amended_in() -> None:
    cases_of_it = ["howard.baseflow/G-1/2025-08-25", "howard.baseflow/G-1/2025-08-24"]
    noted = [
        Event(case, name, NIGHT, NIGHT, "headwater", note=finding().key)
        for case, name in zip(cases_of_it, (OPENED, AMENDED), strict=True)
    ]
    assert case_of(finding(), noted) == cases_of_it[1]


def test_a_second_spell_is_a_second_case() -> None:
    events: list[Event] = []
    night(events, "opened", finding())
    night(events, "opened", finding(start=date(2025, 9, 20)), later=30)
    assert [one.case for one in events] == ["howard.baseflow/G-1/2025-08-25", "howard.baseflow/G-1/2025-09-25"]


def test_a_person_cannot_name_a_finding_s_case_by_writing_its_key() -> None:
    """Only the program's own notes tie a finding to a case."""
    forged = Event("howard.baseflow/G-1/2020-01-01", OPENED, NIGHT, NIGHT, "somebody", note=finding().key)
    assert case_of(finding(), [forged]) is None


def test_the_same_line_read_twice_is_one_act_and_another_time_is_another() -> None:
    one = Event("c", "town_receipt", NIGHT, NIGHT, "clerk", "in person")
    again = Event("c", "town_receipt", NIGHT, NIGHT + timedelta(days=1), "clerk", "in person")
    other = Event("c", "town_receipt", NIGHT + timedelta(seconds=1), NIGHT, "clerk", "in person")
    assert one.key() == again.key() != other.key()


HOWARD = (files("models") / "law" / "ordinances" / "howard.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (('after = ["petition_received"], ends', 'after = ["petition_recieved"], ends'), "names no event of this case"),
        (('"vote", "flows_since", "forecast"]', '"vote", "flow_since", "forecast"]'), "states no fact of this file"),
        (
            ('after_overdue = ["howard.baseflow.answer"]', 'after_overdue = ["howard.remedy.report"]'),
            "waits for no step",
        ),
        (("standing_mi = 0.5\n", ""), "asks for standing: standing_mi is missing"),
        (('{ name = "plan_denied"', '{ name = "plan_approved"'), "event named twice: plan_approved"),
        (('{ name = "plan_denied"', '{ name = "entry_withdrawn"'), "entry_withdrawn is the program's own word"),
    ],
)
def test_a_table_of_acts_that_does_not_hold_together_is_no_law(change: tuple[str, str], fault: str) -> None:
    assert change[0] in HOWARD
    with pytest.raises(BadLaw, match=fault):
        read_ordinance(HOWARD.replace(*change, 1), file="howard.toml")
