"""Computing time: the situations worked by hand on a calendar, and what holds for every receipt."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.case import Event
from models.clock import Calendar, deadlines, due
from models.holidays import holidays
from models.rules import Step, ordinance
from tests.record_in_memory import CHICAGO
from tests.situations import situations

LAW = ordinance("howard")


def calendar(office: str) -> Calendar:
    return Calendar(CHICAGO, LAW.computing, holidays(LAW.holidays), office == "open")


def step(id: str) -> Step:
    found = LAW.rule_of(id)
    assert isinstance(found, Step)
    return found


def midnight_after(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=CHICAGO) + timedelta(days=1)


@pytest.mark.parametrize("situation", situations("clocks.toml", "days"))
def test_last_day(situation: dict[str, Any]) -> None:
    asked = step(situation["step"])
    assert asked.clause == situation["clause"]
    plain, statutory = due(asked, datetime.fromisoformat(situation["received"]), calendar(situation["office"]))
    assert plain == midnight_after(situation["plain"])
    assert statutory == midnight_after(situation["statutory"])


@pytest.mark.parametrize("situation", situations("clocks.toml", "hours"))
def test_hours(situation: dict[str, Any]) -> None:
    window = step("howard.remedy.interim.step")
    plain, statutory = due(window, datetime.fromisoformat(situation["received"]), calendar("closed"))
    assert plain == datetime.fromisoformat(situation["plain"])
    assert statutory == datetime.fromisoformat(situation["statutory"])


@pytest.mark.parametrize("situation", situations("clocks.toml", "standing"))
def test_standing(situation: dict[str, Any]) -> None:
    now = datetime.fromisoformat(situation["now"])
    acts = [
        Event("case", name, datetime.fromisoformat(happened), datetime.fromisoformat((*recorded, happened)[0]), "clerk")
        for name, happened, *recorded in situation["acts"]
    ]
    known = [one for one in acts if one.recorded_at <= now]
    found = deadlines("case", [step(situation["step"])], known, calendar("closed"), now)
    assert [one.standing for one in found] == ([] if situation["stands"] == "no clock" else [situation["stands"]])


def test_a_late_deadline_says_what_follows_and_one_in_time_does_not_threaten() -> None:
    start = Event("c", "operator_receipt", *[datetime(2025, 8, 12, 19, tzinfo=UTC)] * 2, "clerk")
    report = step("howard.remedy.report")
    for now, says in (
        (datetime(2025, 8, 20, tzinfo=UTC), report.follows),
        (datetime(2025, 9, 9, tzinfo=UTC), report.late),
    ):
        assert deadlines("c", [report], [start], calendar("closed"), now)[0].says == says
    assert "No cessation" in report.late


def test_a_clerk_reads_the_last_day_and_not_the_midnight_after_it() -> None:
    start = Event("c", "operator_receipt", *[datetime(2025, 8, 12, 19, tzinfo=UTC)] * 2, "clerk")
    found = deadlines("c", [step("howard.remedy.report")], [start], calendar("closed"), start.happened_at)[0]
    assert found.due_day(found.plain, CHICAGO) == date(2025, 9, 1)
    assert found.due_day(found.statutory, CHICAGO) == date(2025, 9, 2)


def test_an_answer_to_an_earlier_notice_does_not_end_a_later_clock() -> None:
    """A plan that came before the town gave notice is no answer to the notice."""
    at = [datetime(2025, 8, day, 15, tzinfo=UTC) for day in (20, 29)]
    early = Event("c", "operator_plan_received", at[0], at[0], "clerk")
    notice = Event("c", "town_notice_given", at[1], at[1], "clerk")
    answer = deadlines("c", [step("howard.baseflow.answer")], [early, notice], calendar("closed"), at[1])
    assert answer[0].standing == "running"


EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
INSTANTS = st.timedeltas(timedelta(0), timedelta(days=7300)).map(lambda after: EPOCH + after)


@given(INSTANTS, st.sampled_from(["open", "closed"]))
def test_twenty_days_for_any_receipt(received: datetime, office: str) -> None:
    plain, statutory = due(step("howard.remedy.report"), received, calendar(office))
    assert plain is not None
    assert statutory is not None
    last, moved = ((one.astimezone(CHICAGO) - timedelta(hours=1)).date() for one in (plain, statutory))
    assert (last - received.astimezone(CHICAGO).date()).days == 20
    assert last <= moved <= last + timedelta(days=4)
    assert moved.isoweekday() != 7
    assert office == "open" or moved.isoweekday() != 6
    assert holidays("wisconsin").name_on(moved) is None
    assert plain.astimezone(CHICAGO).hour == 0


@given(INSTANTS)
def test_a_day_of_hours_for_any_receipt(received: datetime) -> None:
    plain, statutory = due(step("howard.remedy.interim.step"), received, calendar("closed"))
    assert plain is not None
    assert statutory is not None
    assert plain - received == timedelta(hours=24)
    assert plain <= statutory <= plain + timedelta(days=3, hours=1)
    # The last counted instant lies on a day that counts.
    assert (statutory - timedelta(microseconds=1)).astimezone(CHICAGO).isoweekday() != 7


# Printed lists: State of Wisconsin legal holidays, by hand from a calendar of each year.
@pytest.mark.parametrize(
    ("year", "days"),
    [
        (2025, "01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25"),
        (2026, "01-01 01-19 02-16 05-25 06-19 07-04 08-11 09-07 10-12 11-03 11-11 11-26 12-25"),
        # 19 June 2022 and 25 December 2022 are Sundays, 1 January 2023 too.
        (2022, "01-01 01-17 02-21 05-30 06-20 07-04 08-09 09-05 10-10 11-08 11-11 11-24 12-26"),
        (2023, "01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-11 11-23 12-25"),
        # Before 2015 Act 198 the birthday itself.
        (2014, "01-01 01-15 02-17 05-26 06-19 07-04 08-12 09-01 10-13 11-04 11-11 11-27 12-25"),
    ],
)
def test_holidays_of_a_year(year: int, days: str) -> None:
    assert sorted(holidays("wisconsin").year(year)) == [date.fromisoformat(f"{year}-{day}") for day in days.split()]
