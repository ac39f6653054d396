"""The sampling calendar: situations worked by hand, what counts as a sample, nights, and what always holds."""

import itertools
import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.checks import sampling
from models.counting import calendar_of
from models.finding import Finding, transitions
from models.observation import Flags
from models.question import Question
from models.rules import SamplingRule, ordinance
from models.sampling import Sampling
from models.sampling_calendar import events, visits
from models.site import Site
from pipelines import cli
from tests.record_in_memory import Record, ask, site, standing, well
from tests.situations import situations

LAW = ordinance("howard")
RULE = "howard.network.levels.sampling"
DECIDED = {"decision": "Plan Commission, minutes", "on": date(2025, 1, 2)}
COUNTING = calendar_of(LAW)
QUARTERLY = {"frequency": "quarterly", "first_due": date(2025, 6, 30), "group": "levels"}


def plain(said: dict[str, Any]) -> dict[str, Any]:
    whole = {"id": "C-1", "rule": RULE, "stations": ["MW-1"], "required_by": DECIDED, **said}
    return {name: value for name, value in whole.items() if value != "none"}


def mine(*calendars: dict[str, Any], **parts: Any) -> Site:
    wells = [well(id, 100.0, use="monitoring") for id in ("MW-1", "MW-2")]
    return site(**{"well": wells, "sampling": [plain(one) for one in calendars], **parts})


def recorded(situation: dict[str, Any]) -> Record:
    record = Record()
    for day in situation.get("levels", []):
        record.level("MW-1", day, "20.00")
    for day in situation.get("dry", []):
        record.level("MW-1", day, "", "Dry")
    for day in situation.get("nitrate", []):
        record.result("MW-1", "nitrate_as_n", day, "1.0", "mg/L")
    for day in situation.get("chloride", []):
        record.result("MW-1", "chloride", day, "1.0", "mg/L")
    return record


def judged(question: Question) -> list[Finding]:
    rule = LAW.rule_of(RULE)
    assert isinstance(rule, SamplingRule)
    return list(sampling.check(rule, question).findings)


def late(question: Question) -> list[Finding]:
    return [one for one in judged(question) if one.verdict == "attained"]


def stands(one: Finding) -> str:
    return f"{one.facts['due']} {one.status}" if one.facts else one.status


@pytest.mark.parametrize("situation", situations("sampling.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    found = judged(ask(recorded(situation), situation["on"], at=mine(situation["calendar"])))
    assert [stands(one) for one in found] == situation["expected"]
    said = " / ".join(f"{one.reason} / {one.measured} / {one.limit}" for one in found)
    for words in situation.get("says", []):
        assert words in said
    for one in found:
        assert (one.verdict == "attained") == (one.status in {"NOT_ON_RECORD", "ON_RECORD_LATE"})
        assert one.ongoing == (one.status == "NOT_ON_RECORD")


def test_a_decision_on_the_rule_requires_every_calendar_under_it() -> None:
    permit = mine().permit.model_dump() | {"required": [{"rule": RULE, **DECIDED}]}
    at = mine(QUARTERLY | {"required_by": "none"}, permit=permit)
    assert [one.facts["due"] for one in late(ask(Record(), date(2025, 7, 1), at=at))] == ["2025-06-30"]


def test_a_site_without_a_calendar_says_so() -> None:
    (found,) = judged(ask(Record(), date(2026, 7, 1), at=mine()))
    assert (found.verdict, found.reason) == (
        "not_applicable", f'no sampling calendar on file ([[sampling]] rule = "{RULE}")',
    )  # fmt: skip


def test_a_finding_names_station_group_period_clause_and_the_row_of_the_last_sample() -> None:
    calendar = QUARTERLY | {"clause": "2.08(1)(c)4, permit condition 7"}
    record = Record().level("MW-1", date(2025, 3, 3), "20.00").level("MW-1", date(2025, 6, 3), "20.00")
    (found,) = late(ask(record, date(2025, 10, 1), at=mine(calendar)))
    assert (found.station, found.parameter, found.clause) == ("MW-1", "levels", "2.08(1)(c)4, permit condition 7")
    assert "to be sampled from 2025-07-01 to 2025-09-30" in found.reason
    assert [(one.says, one.rows) for one in found.evidence] == [("levels on 2025-06-03", ("1:2",))]


# What is a sample and what is none, of a quarter that ended on 30 June.
NITRATE = QUARTERLY | {"group": "nitrate", "substances": ["nitrate_as_n"]}
DAY = date(2025, 6, 10)


def result(value: str, *qualifiers: str, **facts: str) -> Callable[[Record], Record]:
    return lambda record: record.result("MW-1", "nitrate_as_n", DAY, value, "mg/L", qualifiers=qualifiers, **facts)


def reading(parameter: str, value: str, *qualifiers: str, **facts: str) -> Callable[[Record], Record]:
    flags = Flags(qualifiers=qualifiers, facts=facts)
    return lambda record: record.add("MW-1", parameter, DAY, value, "ft", flags=flags, at=time(10))


@pytest.mark.parametrize(
    ("calendar", "add", "counts"),
    [
        (NITRATE, result("1.2"), True),
        (NITRATE, result("<0.1"), True),
        (NITRATE, result("ND", lod="0.1"), True),
        (NITRATE, result("", "U", lod="0.1"), True),
        (NITRATE, result(""), False),
        (NITRATE, result("1.2", "R"), False),
        (NITRATE, result("1.2", activity="Quality Control Sample-Field Blank"), False),
        (NITRATE, result("1.2", activity="Quality Control Sample-Field Replicate"), False),
        (NITRATE, result("1.2", activity="Sample-Routine"), True),
        (NITRATE, reading("depth_below_mp", "20.00"), False),
        (QUARTERLY, reading("depth_below_mp", "20.00"), True),
        (QUARTERLY, reading("depth_to_water", "20.00"), True),
        (QUARTERLY, reading("water_elevation_navd88", "880.00"), True),
        (QUARTERLY, reading("stage", "2.00"), True),
        (QUARTERLY, reading("depth_below_mp", "", "Flowing"), True),
        (QUARTERLY, reading("depth_below_mp", "31.00", "Pumping"), False),
        (QUARTERLY, reading("depth_below_mp", "", "Obstructed"), False),
        (QUARTERLY, reading("depth_to_water", "20.00", status="P"), False),
        (QUARTERLY, result("1.2"), False),
    ],
)
def test_what_counts_as_a_sample(
    calendar: dict[str, Any], add: Callable[[Record], Record], counts: bool
) -> None:  # fmt: skip
    assert (late(ask(add(Record()), date(2025, 7, 1), at=mine(calendar))) == []) is counts


def test_a_logger_that_read_is_a_level() -> None:
    logger = [{"serial": "1", "since": date(2025, 1, 1), "kind": "vented", "hung_below_mp_ft": "30"}]
    at = mine(QUARTERLY, well=[well("MW-1", 100.0, use="monitoring", logger=logger)])
    for day, found in ((date(2025, 6, 30), 0), (date(2025, 4, 1), 0), (date(2025, 3, 31), 1)):
        record = Record().add("MW-1", "logger_level", day, "9.00", "ft", at=time(10))
        assert len(late(ask(record, date(2025, 7, 1), at=at))) == found


def told(record: Record, at: Site, nights: list[date]) -> list[str]:
    """What each night in turn tells, as the store would hold it."""
    stood: dict[str, Finding] = {}
    found = []
    rule = LAW.rule_of(RULE)
    assert isinstance(rule, SamplingRule)
    for on in nights:
        kept = replace(record, table=[row for row in record.table if row["day"] <= on])
        answer = sampling.check(rule, replace(ask(kept, on, at=at), standing=tuple(stood.values())))
        changes = transitions(list(stood.values()), answer.findings, answer.scopes)
        stood = standing(stood, changes)
        found += [f"{on} {one.change} {one.finding.facts['due']}" for one in changes]
    return found


def days(first: date, last: date) -> list[date]:
    return [first + timedelta(days=k) for k in range((last - first).days + 1)]


def test_told_once_and_ended_by_the_sample() -> None:
    record = Record().level("MW-1", date(2025, 7, 9), "20.00")
    nights = days(date(2025, 6, 28), date(2025, 7, 31))
    assert told(record, mine(QUARTERLY), nights) == ["2025-06-30 opened 2025-06-30", "2025-07-09 ended 2025-06-30"]


def test_a_result_sampled_in_time_and_delivered_late_takes_the_finding_back() -> None:
    rule, at = LAW.rule_of(RULE), mine(NITRATE)
    assert isinstance(rule, SamplingRule)
    (before,) = late(ask(Record(), date(2025, 7, 10), at=at))
    delivered = Record().result("MW-1", "nitrate_as_n", date(2025, 6, 30), "1.0", "mg/L")
    answer = sampling.check(rule, replace(ask(delivered, date(2025, 7, 11), at=at), standing=(before,)))
    (change,) = transitions([before], answer.findings, answer.scopes)
    assert (change.change, change.finding.facts["due"]) == ("retracted", "2025-06-30")


def test_a_miss_taken_back_and_another_told_the_same_night_are_two_things() -> None:
    rule, at = LAW.rule_of(RULE), mine(NITRATE)
    assert isinstance(rule, SamplingRule)
    (before,) = late(ask(Record(), date(2025, 9, 29), at=at))
    delivered = Record().result("MW-1", "nitrate_as_n", date(2025, 6, 30), "1.0", "mg/L")
    answer = sampling.check(rule, replace(ask(delivered, date(2025, 9, 30), at=at), standing=(before,)))
    changes = transitions([before], answer.findings, answer.scopes)
    assert sorted((one.change, one.finding.facts["due"]) for one in changes) == [
        ("opened", "2025-09-30"), ("retracted", "2025-06-30"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"stations": ["MW-9"]}, "no station called MW-9"),
        ({"substances": ["nitrat"], "group": "n"}, "no parameter called nitrat"),
        ({"every_days": 30}, "needs one of frequency and every_days"),
        ({"tolerance_days": 84}, "the tolerance is shorter than a period"),
        ({"group": "nitrate"}, "names its substances, or its group is"),
        ({"stations": ["MW-1", "MW-1"]}, "station used twice: MW-1"),
        ({"excused": [{"why": "suspended", "since": DAY, "record": "x", "stations": ["MW-2"]}]}, "MW-2"),
        ({"excused": [{"why": "suspended", "since": DAY, "until": date(2025, 6, 9), "record": "x"}]}, "until must not"),
    ],
)
def test_a_calendar_that_cannot_be(said: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        mine(QUARTERLY | said)


def test_two_calendars_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="sampling id used twice: C-1"):
        mine(QUARTERLY, QUARTERLY)


# What always holds, of samples anywhere in two years.
CALENDARS = st.one_of(
    st.fixed_dictionaries({
        "frequency": st.sampled_from(["monthly", "quarterly", "semiannual", "annual"]),
        "first_due": st.dates(date(2025, 6, 1), date(2025, 12, 31)), "tolerance_days": st.integers(0, 20),
    }),
    st.fixed_dictionaries({
        "every_days": st.integers(20, 90), "first_due": st.dates(date(2025, 6, 1), date(2025, 12, 31)),
        "tolerance_days": st.integers(0, 19),
    }),
)  # fmt: skip
SAMPLES = st.lists(st.dates(date(2025, 5, 1), date(2027, 6, 30)), max_size=25)
UNTIL = date(2027, 6, 30)


def calendar(said: dict[str, Any]) -> Sampling:
    return Sampling.model_validate(plain({"group": "levels", **said}))


@settings(deadline=None, max_examples=60)
@given(CALENDARS)
def test_an_event_is_late_exactly_from_its_statutory_time(said: dict[str, Any]) -> None:
    """One microsecond before the end that ``counting`` computes it is not; and that end lies where the rule says."""
    found = events(calendar(said), COUNTING, UNTIL)
    for one in found:
        plain_day, moved = one.due + timedelta(days=said["tolerance_days"]), one.last
        assert one.ends == (COUNTING.end_of(plain_day), COUNTING.end_of(moved))
        assert moved.isoweekday() != 7
        assert COUNTING.holidays.name_on(moved) is None
        for skipped in days(plain_day, moved - timedelta(days=1)):
            assert skipped.isoweekday() == 7 or COUNTING.holidays.name_on(skipped)
        for now, status in ((one.ends[1] - timedelta(microseconds=1), "RUNNING"), (one.ends[1], "NOT_ON_RECORD")):
            (visit,) = visits([one], {"levels": []}, [], now)
            assert visit.status == status


@settings(deadline=None, max_examples=80)
@given(CALENDARS, SAMPLES, st.randoms())
def test_the_order_of_delivery_never_matters(said: dict[str, Any], samples: list[date], order: random.Random) -> None:
    found, now = events(calendar(said), COUNTING, UNTIL), datetime(2027, 7, 1, tzinfo=UTC)
    again = [*samples, *samples[:3]]
    order.shuffle(again)
    assert visits(found, {"levels": samples}, [], now) == visits(found, {"levels": again}, [], now)


@settings(deadline=None, max_examples=60)
@given(CALENDARS, SAMPLES, st.dates(date(2025, 5, 1), date(2027, 6, 30)))
def test_one_sample_more_never_makes_an_event_late(said: dict[str, Any], samples: list[date], more: date) -> None:
    found, now = events(calendar(said), COUNTING, UNTIL), datetime(2027, 7, 1, tzinfo=UTC)
    late_in = {"NOT_ON_RECORD", "ON_RECORD_LATE"}
    before, after = (
        sum(one.status in late_in for one in visits(found, {"levels": each}, [], now))
        for each in (samples, [*samples, more])
    )
    assert after <= before


@settings(deadline=None, max_examples=60)
@given(CALENDARS, SAMPLES)
def test_as_many_events_are_in_time_as_any_assignment_allows(said: dict[str, Any], samples: list[date]) -> None:
    """Against the largest matching of samples with events, found by augmenting paths."""
    found, now = events(calendar(said), COUNTING, UNTIL), datetime(2027, 7, 1, tzinfo=UTC)
    each = sorted(set(samples))
    may = [[k for k, day in enumerate(each) if one.first <= day <= one.last] for one in found]
    taken: dict[int, int] = {}

    def place(event: int, seen: set[int]) -> bool:
        for k in may[event]:
            if k not in seen:
                seen.add(k)
                if k not in taken or place(taken[k], seen):
                    taken[k] = event
                    return True
        return False

    most = sum(place(event, set()) for event in range(len(found)))
    assert sum(one.status == "ON_RECORD" for one in visits(found, {"levels": samples}, [], now)) == most


@settings(deadline=None, max_examples=60)
@given(CALENDARS)
def test_periods_meet_without_a_gap(said: dict[str, Any]) -> None:
    found = events(calendar(said), COUNTING, UNTIL)
    assert found[0].due == said["first_due"]
    for one, following in itertools.pairwise(found):
        assert one.first <= one.due < following.due
        assert following.first == one.due + timedelta(days=1)


# Whole nights.
CALENDAR = """
[[well]]
id = "MW-1"
use = "monitoring"
position = [100.0, 100.0]

[[well]]
id = "MW-2"
use = "monitoring"
position = [200.0, 100.0]

[[sampling]]
id = "levels"
rule = "howard.network.levels.sampling"
stations = ["MW-1", "MW-2"]
group = "levels"
frequency = "monthly"
first_due = 2025-06-30
tolerance_days = 5
required_by = { decision = "Plan Commission, minutes of 2024-11-12", on = 2024-11-12 }
"""
LEVELS = "station,parameter,unit,date,value\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    assert cli.run(["init", str(folder)]) == 0
    with (folder / "site.toml").open("a", encoding="utf-8") as text:
        text.write(CALENDAR)
    return folder


def night(folder: Path, on: str, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert cli.run(["nightly", "--site", str(folder), "--as-of", on, "--json"]) in {0, 3}
    return json.loads(capsys.readouterr().out)


def clock(folder: Path, on: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert cli.run(["clock", "--site", str(folder), "--as-of", on, "--json"]) == 0
    return [one for one in json.loads(capsys.readouterr().out) if one["step"] == RULE]


def test_nights_tell_a_missed_event_once_and_the_clock_shows_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Due 30 June with 5 days: 5 July 2025 is a Saturday on which the office is no matter, so late from its end."""
    (folder / "inbox" / "one.csv").write_text(LEVELS + "MW-1,depth_below_mp,ft,2025-06-20,20.0\n", encoding="utf-8")
    mails = [len(night(folder, f"2025-07-0{day}", capsys)["mails"]) for day in (4, 5, 6)]
    assert mails == [0, 1, 0]
    rows = clock(folder, "2025-07-06", capsys)
    assert [(one["standing"], one["plain_due"], one["statutory_due"], one["stations"]) for one in rows] == [
        ("overdue", "2025-07-05", "2025-07-05", ["MW-2"]),
        ("running", "2025-08-05", "2025-08-05", ["MW-1", "MW-2"]),
    ]
    (folder / "inbox" / "two.csv").write_text(LEVELS + "MW-2,depth_below_mp,ft,2025-07-08,20.0\n", encoding="utf-8")
    changes = night(folder, "2025-07-09", capsys)["changes"]
    assert [(one["change"], one["station"], one["measured"]) for one in changes if one["rule"] == RULE] == [
        ("ended", "MW-2", "sampled 2025-07-08, late by 3 days")
    ]
    assert [one["standing"] for one in clock(folder, "2025-07-09", capsys)] == ["running", "running"]


def test_the_clock_is_silent_before_mining_began(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clock(folder, "2024-12-31", capsys) == []
