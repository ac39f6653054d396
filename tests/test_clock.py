"""Computing time: the situations worked by hand on a calendar, and what holds for every receipt."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.clock import deadlines, due
from models.counting import Calendar
from models.event import Event
from models.holidays import holidays
from models.rules import Step, ordinance
from pipelines.clocks import clock_row
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


def test_a_paper_that_came_before_anybody_asked_for_it_is_there() -> None:
    """A plan on file when the town gives notice is presented: nothing runs out, and no mine stops for it."""
    at = [datetime(2025, 8, day, 15, tzinfo=UTC) for day in (20, 29)]
    early = Event("c", "operator_plan_received", at[0], at[0], "clerk")
    notice = Event("c", "town_notice_given", at[1], at[1], "clerk")
    answer = deadlines("c", [step("howard.baseflow.answer")], [early, notice], calendar("closed"), at[1])
    assert (answer[0].standing, answer[0].waited_days) == ("done", 0)
    much_later = at[1] + timedelta(days=60)
    assert deadlines("c", [step("howard.baseflow.answer")], [early, notice], calendar("closed"), much_later) == answer


def test_a_cessation_lifted_before_it_began_lifts_nothing() -> None:
    at = [datetime(2025, 9, day, 15, tzinfo=UTC) for day in (10, 19)]
    lifted, ordered = (
        Event("c", name, when, when, "clerk")
        for name, when in zip(("cessation_lifted", "cessation_ordered"), at, strict=True)
    )
    (found,) = deadlines("c", [step("howard.baseflow.cease")], [lifted, ordered], calendar("closed"), at[1])
    assert found.standing == "open"


def test_a_time_in_hours_ends_at_an_instant_even_at_midnight() -> None:
    at = datetime(2025, 6, 1, tzinfo=CHICAGO)
    receipt = Event("c", "town_receipt", at, at, "clerk")
    (found,) = deadlines("c", [step("howard.remedy.interim.step")], [receipt], calendar("closed"), at)
    assert clock_row(found, CHICAGO)["plain"] == "2025-06-02 00:00 CDT"


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


MOVES = {f"{one}_by": (one,) for one in ("paused", "resumed", "restarted", "extended")}


def made_up(**states: Any) -> Step:
    return Step.model_validate(
        {
            "id": "made.up", "kind": "step", "clause": "1", "title": "t", "text": "t", "effective": "unknown",
            "case": "made.case", "who": "town", "nature": "deadline", "runs_from": ("start",), "done_by": ("done",),
            **MOVES, **states,
        }
    )  # fmt: skip


@pytest.mark.parametrize("situation", situations("case_clocks.toml"))
def test_a_clock_that_a_clause_moves(situation: dict[str, Any]) -> None:
    now = datetime.fromisoformat(situation["now"])
    acts = [
        Event("case", name, datetime.fromisoformat(at), datetime.fromisoformat(at), "clerk", until=(*until, None)[0])
        for name, at, *until in situation["acts"]
    ]
    found = deadlines("case", [made_up(**situation["step"])], acts, calendar("closed"), now)
    assert ", ".join(one.standing for one in found) == situation["stands"]
    for name in ("plain", "statutory"):
        if name in situation:
            due_day = found[-1].due_day(getattr(found[-1], name), CHICAGO)
            assert due_day == date.fromisoformat(situation[name])
    if situation["stands"] == "paused":
        assert (found[0].plain, found[0].statutory) == (None, None)


@pytest.mark.parametrize(
    ("states", "fault"),
    [
        ({}, "needs runs_from and either days or hours"),
        ({"days": 1, "months": 1}, "needs runs_from and either days or hours"),
        ({"nature": "duty", "working_days": 2}, "a duty has no time"),
        ({"nature": "duty", "before": True}, "a duty has no clock to move"),
        ({"days": 1, "resumed_by": ()}, "paused_by and resumed_by need each other"),
    ],
)
def test_a_step_states_one_time_and_moves_only_a_clock(states: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        made_up(**states)


def test_silence_says_what_it_means_once_the_time_is_out() -> None:
    step = made_up(days=60, silence="Presumed approved.", late="")
    start = Event("c", "start", *[datetime(2025, 1, 10, 18, tzinfo=UTC)] * 2, "clerk")
    says = [
        deadlines("c", [step], [start], calendar("closed"), start.happened_at + timedelta(days=n))[0] for n in (9, 90)
    ]
    assert [one.says for one in says] == ["", "Presumed approved."]


@given(INSTANTS, st.integers(1, 40), st.booleans())
def test_working_days_for_any_start(start: datetime, count: int, before: bool) -> None:
    step = made_up(working_days=count, before=before)
    plain, statutory = due(step, start, calendar("closed"))
    assert plain is not None
    assert plain == statutory
    day, last = start.astimezone(CHICAGO).date(), (plain.astimezone(CHICAGO) - timedelta(hours=1)).date()
    between = [min(day, last) + timedelta(days=n) for n in range(abs((last - day).days) + 1)]
    counted = [one for one in between if one != day and one.isoweekday() < 6 and not holidays("wisconsin").name_on(one)]
    assert len(counted) == count
    assert last in counted


@given(INSTANTS, st.integers(1, 60))
def test_months_for_any_start(start: datetime, months: int) -> None:
    plain, _ = due(made_up(months=months), start, calendar("closed"))
    assert plain is not None
    day, last = start.astimezone(CHICAGO).date(), (plain.astimezone(CHICAGO) - timedelta(hours=1)).date()
    assert (last.year * 12 + last.month) - (day.year * 12 + day.month) == months
    assert last.day == day.day or (last.day < day.day and (last + timedelta(days=1)).day == 1)
