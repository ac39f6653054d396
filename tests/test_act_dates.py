"""The days an act states, held against the act, each other and the years of the law: at, just inside, just outside."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from models.admission import admit
from models.errors import BadSite
from models.event import Event
from models.rules import ordinance
from tests.test_case_stories import SITE, act

LAW = ordinance("howard")
CASE = "howard.remedy/R-1/2023-08-11"
APPROVED = [
    {"event": "operator_receipt", "at": "2023-08-11T09:15:00-05:00", "method": "hand"},
    {"event": "operator_report_received", "at": "2023-08-20T16:00:00-05:00"},
    {"event": "report_approved", "at": "2024-10-01T19:00:00-05:00", "vote": "3-0"},
]


def refused(told: dict[str, Any], case: str = CASE, before: list[dict[str, Any]] = APPROVED) -> str:
    taken: list[Event] = []
    for one in before:
        taken.append(act(case, one, taken))
    try:
        admit(act(case, told, taken), taken, SITE, LAW)
    except BadSite as caught:
        return str(caught)
    return ""


@pytest.mark.parametrize(
    ("first", "last", "why"),
    [
        ("2023-08-12", "2024-08-11", ""),  # a year, both days counted
        ("2023-08-12", "2024-08-12", "no longer than 1 year"),  # a year and a day
        ("2024-02-29", "2025-02-27", ""),
        ("2024-02-29", "2025-02-28", "no longer than 1 year"),
        ("2024-09-20", "2024-09-20", ""),  # one day
        ("2024-09-20", "2024-09-19", "comes before supplied_from"),
        ("2024-10-02", "2024-10-05", ""),  # on the day of the act
        ("2024-10-03", "2024-10-05", "comes after reimbursement_elected itself"),
        ("2031-09-20", "2010-09-03", "comes"),
    ],
)
def test_supply_to_be_reimbursed_is_a_span_that_began_and_of_a_year_at_most(first: str, last: str, why: str) -> None:
    elected = {"event": "reimbursement_elected", "at": "2024-10-02T09:00:00-05:00", "by": "operator"}
    said = refused(elected | {"facts": {"supplied_from": first, "supplied_to": last}})
    assert why in said
    assert bool(why) == bool(said)


def test_an_act_that_grants_and_extends_nothing_states_no_last_day() -> None:
    """A request for renewal that names a day does not lengthen the term which the renewal may run on from."""
    permit = "howard.permit/square/2025-01-01"
    granted = {"event": "permit_granted", "at": "2025-01-01T19:00:00-06:00", "vote": "3-0", "until": date(2027, 12, 31)}
    asked = {"event": "renewal_requested", "at": "2027-08-31T10:00:00-05:00", "method": "hand", "by": "operator"}
    assert "states no last day" in refused(asked | {"until": date(2070, 1, 1)}, permit, [granted])
    assert refused(asked, permit, [granted]) == ""


@pytest.mark.parametrize(("until", "why"), [(date(2030, 12, 31), ""), (date(2031, 1, 1), "no longer than 3 years")])
def test_a_renewal_runs_three_years_from_the_end_of_the_term_granted_before(until: date, why: str) -> None:
    """Though a request on record names a later day: it was taken when nobody looked at it."""
    permit, at = "howard.permit/square/2025-01-01", datetime(2027, 8, 31, 15, tzinfo=UTC)
    grant = act(permit, {"event": "permit_granted", "at": "2025-01-01T19:00:00-06:00", "vote": "3-0",
                         "until": date(2027, 12, 31)})  # fmt: skip
    asked = Event(permit, "renewal_requested", at, at, "operator", method="hand", until=date(2070, 1, 1))
    told = {"event": "renewal_recommended", "at": "2027-09-13T19:00:00-05:00", "vote": "3-0", "body": "plan commission"}
    taken = [grant, asked, act(permit, told)]
    renewed = act(permit, {"event": "renewal_granted", "at": (at + timedelta(days=60)).isoformat(), "vote": "3-0",
                           "until": until})  # fmt: skip
    if not why:
        admit(renewed, taken, SITE, LAW)
        return
    with pytest.raises(BadSite, match=why):
        admit(renewed, taken, SITE, LAW)
