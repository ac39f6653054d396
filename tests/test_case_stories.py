"""Cases told as they happened: what is taken, what is refused, how they stand and what is due."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from models.admission import admit
from models.case import Case, cases
from models.case_duties import case_deadlines
from models.counting import calendar_of
from models.errors import BadSite
from models.event import OWN_EVENTS, Event
from models.rules import ordinance
from pipelines.clocks import clock_row
from tests.record_in_memory import site
from tests.situations import situations

LAW = ordinance("howard")
CALENDAR = calendar_of(LAW)
SITE = site(
    property=[
        {"id": "R-1", "parcel": "1", "polygon": [(-900, 0), (-100, 0), (-100, 900)]},
        {"id": "R-2", "parcel": "2", "polygon": [(-3000, 0), (-2640, 0), (-2640, 900)]},
        {"id": "R-3", "parcel": "3", "polygon": [(-4900, 0), (-4000, 0), (-4000, 900)]},
    ]
)


def act(case: str, told: dict[str, Any], taken: Sequence[Event] = ()) -> Event:
    """An act as a situation tells it; ``corrects`` names the newest entry of that act."""
    more = {key: value for key, value in told.items() if key not in {"event", "at", "recorded", "facts", "by"}}
    if "corrects" in told:
        more["corrects"] = [one.key() for one in taken if one.name == told["corrects"]][-1]
    happened = datetime.fromisoformat(told["at"])
    if "vote" in told:
        more = {"body": "town board", "meeting": happened.date()} | more
    facts = tuple(sorted(told.get("facts", {}).items()))
    recorded = datetime.fromisoformat(told.get("recorded", told["at"]))
    own = told["event"] in OWN_EVENTS
    by = told.get("by", "headwater" if own else "clerk")
    return Event(case, told["event"], happened, recorded, by, facts=facts, **more)


def recorded(situation: dict[str, Any]) -> list[Event]:
    """The acts of a situation, each taken as it was recorded."""
    taken: list[Event] = []
    for one in situation["act"]:
        event = act(situation["case"], one, taken)
        if not event.own:
            admit(event, taken, SITE, LAW)
        taken.append(event)
    return taken


@pytest.mark.parametrize("situation", situations("remedy_cases.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    taken = recorded(situation)
    if "refused" in situation:
        with pytest.raises(BadSite) as caught:
            admit(act(situation["case"], situation["refused"], taken), taken, SITE, LAW)
        assert situation["why"] in str(caught.value)
        return
    (case,) = cases(taken, LAW)
    assert case.status == situation["status"]
    assert case.state == situation.get("state", case.state)
    assert [one.event.name for one in case.contradictions] == situation.get("contradictions", [])
    if case.status == "open":
        _clocks(case, situation)


def _clocks(case: Case, situation: dict[str, Any]) -> None:
    now = datetime.fromisoformat(situation["now"])
    found = case_deadlines(case, LAW.steps(case.kind.id), CALENDAR, now)
    rows = [clock_row(one, ZoneInfo(LAW.zone)) for one in found]
    by_step: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_step.setdefault(row["step"], []).append(row)
    assert {step: ", ".join(row["standing"] for row in those) for step, those in by_step.items()} == situation["stands"]
    for field in ("plain", "statutory"):
        for step, text in situation.get(field, {}).items():
            assert [row[field] for row in by_step[step]] == [text], step
    for step, days in situation.get("waited", {}).items():
        assert ", ".join(str(row["waited_days"]) for row in by_step[step]) == str(days)
    for step, text in situation.get("says", {}).items():
        assert text in by_step[step][0]["says"]
