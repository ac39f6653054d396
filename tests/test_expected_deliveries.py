"""Expected deliveries: situations worked by hand, two laboratories, one mail, the store, and what always holds."""

import itertools
import json
import mailbox
import random
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from models.arrival_record import ArrivalRecord, RefusedFile
from models.checks import expected_deliveries
from models.checks.delivery_entries import check_deliveries
from models.counting import calendar_of
from models.delivery_calendar import Came, Reading, delivered, events, items
from models.delivery_rule import DeliveryRule
from models.errors import BadSite
from models.expected_delivery import ExpectedDelivery
from models.finding import Finding, transitions
from models.permit import Requirement
from models.question import Question
from models.rules import ordinance
from models.site import Site
from pipelines import cli, marks, open_rejects, post
from pipelines.arrivals import Arrivals
from pipelines.database import opened, reading, transaction
from pipelines.delivery_rows import about_deliveries, delivery_rows
from pipelines.inbox import take
from pipelines.site_folder import SiteFolder, open_site
from tests.record_in_memory import CHICAGO, Record, ask, site, standing, well
from tests.situations import situations

LAW = ordinance("howard")
COUNTING = calendar_of(LAW)
RULE = "howard.network.levels.delivery"
DECIDED = {"decision": "Plan Commission, minutes", "on": date(2025, 1, 2)}
MONTHLY = {"group": "levels", "every_months": 1, "first_due": date(2025, 6, 30)}
COLUMNS = ["station", "parameter", "day", "known_at", "not_before", "doubt", "says", "file", "row_id"]


def clock(year: int, month: int, day: int, hour: int = 0) -> datetime:
    """A time of the town's own clock."""
    return datetime(year, month, day, hour, tzinfo=CHICAGO)


def local(when: datetime) -> datetime:
    """The same in UTC; a time of a situation is the town's."""
    return when.replace(tzinfo=CHICAGO).astimezone(UTC)


def epoch_ms(when: datetime) -> int:
    return round(local(when).timestamp() * 1000)


KEPT = local(clock(2025, 1, 10))
MUCH_LATER = local(clock(2100, 1, 1))


@dataclass
class Deliveries(Record):
    """A record in memory that knows when its values came."""

    came: list[dict[str, Any]] = field(default_factory=list)
    refused_files: list[RefusedFile] = field(default_factory=list)
    kept: datetime | None = KEPT
    down: tuple[date, date] = (date.max, date.max)
    read: datetime | None = MUCH_LATER

    def take(
        self, day: date, known: datetime, station: str = "MW-1", parameter: str = "depth_below_mp", file: str = "a.csv",
        doubt: str = "", not_before: datetime | None = None,
    ) -> "Deliveries":  # fmt: skip
        """Read at the end of each day, but for those on which the machine was down."""
        known_at, before = (epoch_ms(one) for one in (known, not_before or self.night_before(known)))
        said = (station, parameter, day, known_at, before, doubt, "", file, f"1:{len(self.came) + 1}")
        self.came.append(dict(zip(COLUMNS, said, strict=True)))
        return self

    def night_before(self, known: datetime) -> datetime:
        """The end of the last day before an instant whose night ran."""
        ended = (known.replace(tzinfo=None) - timedelta(microseconds=1)).date() - timedelta(days=1)
        ended = self.down[0] - timedelta(days=1) if self.down[0] <= ended <= self.down[1] else ended
        return datetime.combine(ended + timedelta(days=1), datetime.min.time())

    def arrived(self, stations: Any, start: date, end: date) -> pd.DataFrame:
        rows = [row for row in self.came if row["station"] in stations and start <= row["day"] <= end]
        rows.sort(key=lambda row: row["day"])
        return pd.DataFrame(rows, columns=COLUMNS)

    def refused(self) -> list[RefusedFile]:
        return self.refused_files

    def kept_since(self) -> datetime | None:
        return self.kept

    def inbox_read(self) -> datetime | None:
        return self.read


def plain(said: dict[str, Any]) -> dict[str, Any]:
    own = {"id": "D-1", "rule": RULE, "sender": "Northwoods Laboratory", "stations": ["MW-1"], "required_by": DECIDED}
    return {name: value for name, value in {**own, **said}.items() if value != "none"}


def mine(*said: dict[str, Any], **parts: Any) -> Site:
    wells = [well(id, 100.0, use="monitoring") for id in ("MW-1", "MW-2")]
    return site(**{"well": wells, "delivery": [plain(one) for one in said], **parts})


def recorded(situation: dict[str, Any]) -> Deliveries:
    record = Deliveries()
    record.down = tuple(situation.get("no_nights", record.down))
    for one in situation.get("came", []):
        record.take(*one)
    for file, when in situation.get("refused", []):
        record.refused_files.append(RefusedFile(file, "", local(when)))
    for file, when in situation.get("wants_an_entry", []):
        record.refused_files.append(RefusedFile(file, "lab-table", local(when), for_the_town=True))
    if "kept" in situation:
        never = situation["kept"] == "never"
        record.kept = None if never else local(datetime.combine(situation["kept"], datetime.min.time()))
    return record


def rule_of(id: str = RULE) -> DeliveryRule:
    rule = LAW.rule_of(id)
    assert isinstance(rule, DeliveryRule)
    return rule


def judged(question: Question) -> list[Finding]:
    named = {one.rule for one in question.site.delivery}
    return [one for id in sorted(named) for one in expected_deliveries.check(rule_of(id), question).findings]


def stands(one: Finding) -> str:
    return f"{one.facts['due']} {one.status}" if one.facts else one.status


@pytest.mark.parametrize("situation", situations("deliveries.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    found = judged(ask(recorded(situation), situation["on"], at=mine(situation["delivery"])))
    assert [stands(one) for one in found] == situation["expected"]
    said = " / ".join(f"{one.reason} / {one.measured} / {[each.says for each in one.evidence]}" for one in found)
    for words in situation.get("says", []):
        assert words in said
    for words in situation.get("silent_of", []):
        assert words not in said
    for one in found:
        assert (one.verdict == "attained") == (one.status in {"NOT_ON_RECORD", "ON_RECORD_LATE"})
        assert one.ongoing == (
            one.status == "NOT_ON_RECORD" or (one.status == "INDETERMINATE" and not one.facts["came"])
        )
        assert (one.verdict == "indeterminate") == (one.status == "INDETERMINATE")
        assert one.information == (situation.get("information", False) and one.verdict == "attained")
        assert one.clause == situation.get("clause", one.clause)


def test_a_record_that_does_not_tell_when_values_came_is_said_and_not_judged() -> None:
    assert isinstance(Deliveries(), ArrivalRecord)
    (found,) = judged(ask(Record(), date(2025, 8, 1), at=mine(MONTHLY)))
    assert (found.verdict, found.reason) == ("not_applicable", "the record at hand does not say when its values came")


def test_two_laboratories_at_one_station_are_judged_by_what_each_sends() -> None:
    """North's nitrate came, South's chloride of the same well did not; a level from anybody is neither."""
    north = MONTHLY | {"id": "N", "group": "nitrate", "parameters": ["nitrate_as_n"], "files": ["north-*"]}
    south = MONTHLY | {"id": "S", "group": "chloride", "parameters": ["chloride"], "files": ["south-*"]}
    record = Deliveries().take(date(2025, 6, 5), clock(2025, 6, 20), parameter="nitrate_as_n", file="north-06.csv")
    record.take(date(2025, 6, 5), clock(2025, 6, 20), file="tape.csv")
    record.refused_files = [RefusedFile("south-06.csv", "", local(clock(2025, 6, 21)))]
    found = judged(ask(record, date(2025, 7, 1), at=mine(north, south)))
    assert [f"{one.facts['delivery']} {stands(one)}" for one in found] == [
        "N 2025-07-31 RUNNING", "S 2025-06-30 NOT_ON_RECORD", "S 2025-07-31 RUNNING",
    ]  # fmt: skip
    assert [one.facts["refused"] for one in found] == [[], ["south-06.csv"], []]


def test_a_value_counts_for_the_laboratory_that_owes_it_whoever_sent_it() -> None:
    north = MONTHLY | {"id": "N", "group": "nitrate", "parameters": ["nitrate_as_n"], "files": ["north-*"]}
    record = Deliveries().take(date(2025, 6, 5), clock(2025, 6, 20), parameter="nitrate_as_n", file="wqp.csv")
    (following,) = judged(ask(record, date(2025, 7, 1), at=mine(north)))
    assert stands(following) == "2025-07-31 RUNNING"


@pytest.mark.parametrize(
    ("group", "parameter", "counts"),
    [
        ("levels", "depth_below_mp", True), ("levels", "logger_pressure", True), ("levels", "withdrawal", False),
        ("pumping", "withdrawal", True), ("pumping", "meter_reading", True), ("pumping", "stage", False),
        ("any", "precipitation", True),
    ],
)  # fmt: skip
def test_what_a_group_is(group: str, parameter: str, counts: bool) -> None:
    record = Deliveries().take(date(2025, 6, 5), clock(2025, 6, 20), parameter=parameter)
    (first, *_) = judged(ask(record, date(2025, 7, 1), at=mine(MONTHLY | {"group": group})))
    assert (first.status == "RUNNING") is counts


def test_twenty_that_are_late_on_one_day_are_one_mail() -> None:
    at = mine(*(MONTHLY | {"id": f"D-{k}"} for k in range(20)))
    question = ask(Deliveries(), date(2025, 7, 1), at=at)
    answer = expected_deliveries.check(rule_of(), question)
    told = post._told(transitions([], answer.findings, answer.scopes), first=False)
    assert [len(one) for one in post._grouped(told)] == [20]


def told(record: Deliveries, at: Site, nights: list[date]) -> list[str]:
    """What each night in turn tells, as the store would hold it."""
    stood: dict[str, Finding] = {}
    found = []
    for on in nights:
        question = ask(record, on, at=at)
        now = round(question.now.timestamp() * 1000)
        kept = replace(record, came=[row for row in record.came if row["known_at"] <= now])
        answer = expected_deliveries.check(rule_of(), replace(question, observations=kept))
        changes = transitions(list(stood.values()), answer.findings, answer.scopes)
        stood = standing(stood, changes)
        found += [f"{on} {one.change} {one.finding.facts['due']}" for one in changes]
    return found


def nights_of(first: date, last: date) -> list[date]:
    return [first + timedelta(days=k) for k in range((last - first).days + 1)]


def test_told_once_and_ended_by_the_delivery() -> None:
    record = Deliveries().take(date(2025, 6, 3), clock(2025, 7, 9, 9)).take(date(2025, 7, 3), clock(2025, 7, 9, 9))
    nights = nights_of(date(2025, 6, 28), date(2025, 7, 31))
    assert told(record, mine(MONTHLY), nights) == ["2025-07-01 opened 2025-06-30", "2025-07-09 ended 2025-06-30"]


def test_a_part_that_comes_is_no_news() -> None:
    record = Deliveries().take(date(2025, 6, 3), clock(2025, 7, 5, 9))
    record.take(date(2025, 6, 4), clock(2025, 7, 9, 9))
    nights = nights_of(date(2025, 7, 1), date(2025, 7, 10))
    assert told(record, mine(MONTHLY | {"least_days": 2}), nights) == [
        "2025-07-01 opened 2025-06-30", "2025-07-05 continued 2025-06-30", "2025-07-09 ended 2025-06-30",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (MONTHLY | {"every_days": 14}, "needs one of"),
        ({"group": "levels", "every_months": 1}, "need first_due"),
        (MONTHLY | {"group": "nitrate"}, "names its parameters"),
        (MONTHLY | {"parameters": ["chloride"]}, "names its parameters"),
        (MONTHLY | {"group": "x", "parameters": ["no_such"]}, "no parameter called no_such"),
        (MONTHLY | {"first_period_ends": date(2025, 7, 1)}, "no later than it is due"),
        (MONTHLY | {"begins": date(2025, 7, 1)}, "begins comes after"),
        (MONTHLY | {"least_days": 29}, "least_days"),
        (MONTHLY | {"stations": ["MW-9"]}, "no station called MW-9"),
        (MONTHLY | {"stations": ["MW-1", "MW-1"]}, "station used twice"),
        ({"group": "levels", "due_on": [date(2025, 7, 1)]}, "needs begins"),
        ({"group": "levels", "begins": date(2025, 6, 1), "due_on": [date(2025, 8, 1), date(2025, 7, 1)]}, "in order"),
        (
            {"group": "levels", "begins": date(2025, 6, 1), "due_on": [date(2025, 7, 1)],
             "period_ends": [date(2025, 7, 2)]}, "none later than it is due",
        ),
    ],
)  # fmt: skip
def test_a_delivery_that_cannot_be(said: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        mine(said)


def test_two_deliveries_of_one_name_are_refused() -> None:
    with pytest.raises(ValidationError, match="delivery id used twice"):
        mine(MONTHLY, MONTHLY)


def test_a_delivery_under_a_rule_the_law_has_not_or_without_its_condition_is_refused() -> None:
    with pytest.raises(BadSite, match="no such rule for deliveries"):
        check_deliveries(mine(MONTHLY | {"rule": "howard.fee"}), LAW)
    with pytest.raises(BadSite, match="names the condition it stands under"):
        check_deliveries(mine(MONTHLY | {"rule": "howard.permit.delivery"}), LAW)
    check_deliveries(mine(MONTHLY), LAW)


@pytest.mark.parametrize(
    ("received", "why"),
    [
        ([{"due": "2025-07-01"}], "received[due = 2025-07-01]: nothing falls due on this day (found '2025-07-01'); "
         "allowed: 2025-06-30, 2025-07-31"),
        ([{"due": "2025-05-31"}], "nothing falls due on this day (found '2025-05-31'); allowed: 2025-06-30"),
        ([{"due": "2025-07-31", "on": "2025-06-30"}], "received[due = 2025-07-31].on: not a day on which it came"),
        ([{"due": "2025-07-31", "on": "2025-08-05"}], "allowed: 2025-07-01 (the first day it covers) to 2025-08-04"),
    ],
)  # fmt: skip
def test_a_record_of_what_cannot_have_come_is_refused(received: list[dict[str, str]], why: str) -> None:
    records = [{"on": "2025-07-01"} | one for one in received]
    days = [{name: date.fromisoformat(day) for name, day in one.items()} for one in records]
    at = mine(MONTHLY | {"received": [one | {"record": "date stamp"} for one in days]})
    with pytest.raises(BadSite) as caught:
        check_deliveries(at, LAW, date(2025, 8, 4))
    assert str(caught.value).startswith("site.toml: delivery[D-1].received[due = ")
    assert why in str(caught.value)


def test_a_record_of_the_first_day_and_of_today_is_taken() -> None:
    due = date(2025, 7, 31)
    for on in (date(2025, 7, 1), date(2025, 8, 4)):
        said = {"received": [{"due": due, "on": on, "record": "date stamp"}]}
        check_deliveries(mine(MONTHLY | said), LAW, date(2025, 8, 4))


def test_a_delivery_is_received_once() -> None:
    once = {"due": date(2025, 6, 30), "on": date(2025, 6, 30), "record": "date stamp"}
    with pytest.raises(ValidationError, match=r"received\.due used twice: 2025-06-30"):
        mine(MONTHLY | {"received": [once, once]})


@pytest.mark.parametrize("key", ["delivery", "required"])
def test_a_decision_ends_no_earlier_than_it_was_taken(key: str) -> None:
    ended = {"decision": "Board, minutes", "on": date(2025, 7, 1), "until": date(2025, 6, 30)}
    with pytest.raises(ValidationError, match="until must not come before on"):
        mine(MONTHLY | {"required_by": ended}) if key == "delivery" else Requirement.model_validate(
            ended | {"rule": RULE}
        )


def test_what_a_second_decision_asks_for_again_is_owed_again() -> None:
    """The first ends in July, the second is of September: nothing is owed of August."""
    taken = [
        {"rule": RULE, "decision": "Board I", "on": date(2025, 1, 2), "until": date(2025, 7, 31)},
        {"rule": RULE, "decision": "Board II", "on": date(2025, 9, 10)},
    ]
    permit = site().permit.model_copy(update={"required": tuple(Requirement.model_validate(one) for one in taken)})
    at = mine(MONTHLY | {"required_by": "none"}).model_copy(update={"permit": permit})
    found = judged(ask(Deliveries(), date(2025, 10, 3), at=at))
    assert [stands(one) for one in found] == [
        "2025-06-30 NOT_ON_RECORD", "2025-07-31 NOT_ON_RECORD", "2025-08-31 NOT_APPLICABLE", "2025-09-30 NOT_ON_RECORD",
        "2025-10-31 RUNNING",
    ]  # fmt: skip
    assert "Required by Board I (2025-01-02)" in found[1].reason
    assert "Required by Board II (2025-09-10)" in found[3].reason


@pytest.mark.parametrize("town", ["howard", "dovre", "gates", "germantown"])
def test_every_town_may_expect_what_no_clause_asks_for(town: str) -> None:
    rule = ordinance(town).rule_of(f"{town}.delivery")
    assert isinstance(rule, DeliveryRule)
    assert (rule.information, rule.decided) == (True, False)


# What always holds.
SCHEDULES = st.fixed_dictionaries(
    {
        "first_due": st.dates(date(2025, 1, 1), date(2028, 3, 31)),
        "tolerance_days": st.integers(0, 20),
    }
).flatmap(
    lambda said: st.one_of(
        st.integers(1, 90).map(lambda days: {**said, "every_days": days}),
        st.integers(1, 12).map(lambda months: {**said, "every_months": months}),
    )
)


def calendar(said: dict[str, Any]) -> ExpectedDelivery:
    return ExpectedDelivery.model_validate(plain({"group": "levels", **said}))


@settings(deadline=None, max_examples=60)
@given(SCHEDULES, st.integers(0, 60))
def test_periods_meet_without_a_gap_and_end_by_their_due_day(said: dict[str, Any], before: int) -> None:
    ends = said["first_due"] - timedelta(days=before)
    found = events(calendar({**said, "first_period_ends": ends}), COUNTING, date(2031, 1, 1))
    for one, following in itertools.pairwise(found):
        assert following.first == one.last_day + timedelta(days=1)
        assert one.first <= one.last_day
        assert following.due > one.due
        assert one.ends[0] <= one.ends[1]
        assert one.due + timedelta(days=said["tolerance_days"]) == one.plain


@settings(deadline=None, max_examples=60)
@given(SCHEDULES)
def test_a_period_in_months_from_a_months_end_always_ends_a_month(said: dict[str, Any]) -> None:
    found = events(calendar(said), COUNTING, date(2031, 1, 1))
    if "every_months" in said and (said["first_due"] + timedelta(days=1)).day == 1:
        assert all((one.due + timedelta(days=1)).day == 1 for one in found)


ARRIVALS = st.lists(st.tuples(st.dates(date(2025, 5, 1), date(2025, 9, 30)), st.integers(0, 200)), max_size=12)


@settings(deadline=None, max_examples=80)
@given(ARRIVALS, st.randoms(), st.integers(1, 3))
def test_neither_the_order_nor_a_repeat_of_files_matters(
    came: list[tuple[date, int]], order: random.Random, least: int
) -> None:
    once, shuffled = Deliveries(), Deliveries()
    mixed = [*came, *came]
    order.shuffle(mixed)
    for record, rows in ((once, came), (shuffled, mixed)):
        for day, hours in rows:
            record.take(day, clock(2025, 6, 1) + timedelta(hours=12 * hours))
    at = mine(MONTHLY | {"least_days": least})
    first, second = (judged(ask(record, date(2025, 9, 30), at=at)) for record in (once, shuffled))
    assert [(stands(one), one.measured) for one in first] == [(stands(one), one.measured) for one in second]


@settings(deadline=None, max_examples=80)
@given(ARRIVALS, st.dates(date(2025, 6, 1), date(2025, 9, 30)))
def test_one_value_more_in_time_never_makes_a_delivery_late(came: list[tuple[date, int]], more: date) -> None:
    delivery = calendar(MONTHLY)
    known: dict[date, Came] = {}
    for day, hours in sorted(came):
        at = round((datetime(2025, 6, 1, tzinfo=UTC) + timedelta(hours=12 * hours)).timestamp() * 1000)
        known[day] = min(Came(at, at - 1), known.get(day, Came(at, at - 1)))
    now = datetime(2025, 12, 1, tzinfo=UTC)
    wait = Reading(timedelta(hours=12), now)
    late = {"NOT_ON_RECORD", "ON_RECORD_LATE"}
    for event in events(delivery, COUNTING, date(2025, 9, 30)):
        (item,) = items(delivery)
        before = delivered(delivery, event, {item: known}, now, wait, COUNTING)
        same_day = round(datetime(more.year, more.month, more.day, 20, tzinfo=UTC).timestamp() * 1000)
        earlier = Came(same_day, same_day - 1)
        added = dict(sorted({**known, more: min(earlier, known.get(more, earlier))}.items()))
        after = delivered(delivery, event, {item: added}, now, wait, COUNTING)
        assert before.status in late or after.status not in late


# The store: what came, when, and what was refused, by files that the inbox took.
SITE = """
[[well]]
id = "MW-1"
use = "monitoring"
position = [100.0, 100.0]

[[well]]
id = "MW-2"
use = "monitoring"
position = [200.0, 100.0]

[[delivery]]
id = "levels"
rule = "howard.network.levels.delivery"
sender = "Northwoods Field Services"
stations = ["MW-1", "MW-2"]
group = "levels"
every_months = 1
first_due = 2025-07-10
first_period_ends = 2025-06-30
files = ["round-*.csv"]
required_by = { decision = "Plan Commission, minutes", on = 2025-01-02 }
"""
HEAD = "station,parameter,unit,date,value\n"


@pytest.fixture
def folder(tmp_path: Path) -> SiteFolder:
    path = tmp_path / "mine"
    assert cli.run(["init", str(path)]) == 0
    with (path / "site.toml").open("a", encoding="utf-8") as text:
        text.write(SITE)
    return open_site(path)


def stored(folder: SiteFolder, files: list[tuple[str, str, datetime]], url: str = "") -> str:
    url = url or f"sqlite:///{folder.path / 'headwater.db'}"
    with opened(url) as engine:
        for name, text, when in files:
            path = folder.path / name
            path.write_text(text, encoding="utf-8")
            take(engine, folder.site, CHICAGO, path, round(local(when).timestamp() * 1000))
    return url


def nights(url: str, *ends: datetime) -> None:
    """Nights that read the inbox, by when."""
    with opened(url) as engine, transaction(engine) as connection:
        for when in ends:
            marks.inbox_read(connection, epoch_ms(when), [])


def row(station: str, day: str, value: str = "20.00") -> str:
    return f"{station},depth_below_mp,ft,{day},{value}\n"


def due(folder: SiteFolder, url: str, now: datetime) -> list[dict[str, Any]]:
    with opened(url) as engine, reading(engine) as connection:
        return delivery_rows(connection, folder, (), local(now))


def test_the_store_tells_when_values_first_came_and_what_was_refused(folder: SiteFolder, store_url: str) -> None:
    url = stored(folder, [
        ("round-1.csv", HEAD + row("MW-1", "2025-06-20"), clock(2025, 6, 25, 9)),
        ("round-1b.csv", HEAD + row("MW-1", "2025-06-20", "20.10"), clock(2025, 7, 20, 9)),
        ("round-2.csv", "no table at all\n", clock(2025, 7, 1, 9)),
    ], store_url)  # fmt: skip
    with opened(url) as engine, reading(engine) as connection:
        record = Arrivals(connection, CHICAGO)
        assert isinstance(record, ArrivalRecord)
        came = record.arrived(["MW-1", "MW-2"], date(2025, 6, 1), date(2025, 6, 30))
        files = [(one.file, one.arrived_at) for one in record.refused()]
        assert record.kept_since() == local(clock(2025, 6, 25, 9))
        early = Arrivals(connection, CHICAGO, round(local(clock(2025, 6, 24)).timestamp() * 1000))
        assert early.kept_since() is None
        assert early.refused() == []
        assert early.arrived(["MW-1"], date(2025, 6, 1), date(2025, 6, 30)).empty
    assert came["file"].tolist() == ["round-1.csv", "round-1b.csv"]
    assert came["day"].tolist() == [date(2025, 6, 20)] * 2
    assert files == [("round-2.csv", local(clock(2025, 7, 1, 9)))]


def test_the_due_list_shows_what_is_overdue_what_is_missing_and_the_next(folder: SiteFolder) -> None:
    url = stored(folder, [
        ("round-1.csv", HEAD + row("MW-1", "2025-06-20"), clock(2025, 6, 25, 9)),
        ("round-2.csv", "no table at all\n", clock(2025, 7, 1, 9)),
    ])  # fmt: skip
    nights(url, clock(2025, 7, 11))
    rows = due(folder, url, clock(2025, 7, 12))
    assert [(one["standing"], one["plain_due"], one["statutory_due"], one["clause"]) for one in rows] == [
        ("overdue", "2025-07-10", "2025-07-10", "2.08(1)(c)4"), ("running", "2025-08-10", "2025-08-11", "2.08(1)(c)4"),
    ]  # fmt: skip
    assert rows[0]["says"] == (
        "days 2025-06-01 to 2025-06-30: partly come, missing levels of MW-2; "
        "1 file came and refused whole (round-2.csv)"
    )
    assert rows[0]["title"] == "Northwoods Field Services: levels of MW-1, MW-2"
    stored(folder, [("round-3.csv", HEAD + row("MW-2", "2025-06-21"), clock(2025, 7, 13, 9))])
    rows = due(folder, url, clock(2025, 7, 14))
    assert [(one["standing"], one["days_late"]) for one in rows] == [("done_late", 3), ("running", 0)]


def test_a_file_of_which_only_one_station_waits_for_the_town_leaves_that_one_open(folder: SiteFolder) -> None:
    """B-2 is what the laboratory calls MW-2; that another row is bad takes nothing from it."""
    rows = row("MW-1", "2025-06-20") + row("B-2", "2025-06-20") + row("MW-1", "2025-06-21", "bad")
    url = stored(folder, [("round-1.csv", HEAD + rows, clock(2025, 7, 9, 9))])
    nights(url, clock(2025, 7, 11), clock(2025, 7, 12))
    (late, _) = due(folder, url, clock(2025, 7, 12))
    assert (late["standing"], late["days_late"]) == ("cannot_tell", 0)
    assert late["says"].endswith(
        "partly come, missing levels of MW-2; round-1.csv came, and waits for an entry of the town in site.toml"
    )


def test_a_refused_file_that_a_corrected_one_replaced_is_settled(folder: SiteFolder) -> None:
    url = stored(folder, [
        ("round-1.csv", HEAD + row("MW-1", "2025-06-20", "bad"), clock(2025, 6, 25, 9)),
        ("round-1.csv", HEAD + row("MW-1", "2025-06-20"), clock(2025, 6, 26, 9)),
    ])  # fmt: skip
    with opened(url) as engine, reading(engine) as connection:
        assert open_rejects.listed(connection).empty
        assert Arrivals(connection, CHICAGO).refused() == []


def test_an_evening_reading_is_of_its_own_civil_day(folder: SiteFolder) -> None:
    """23:30 on 30 June in Wisconsin is 1 July in UTC, and 23:30 on 31 October 1 November, each of its own month."""
    head = "station,parameter,unit,time,value\n"
    lines = [f"MW-1,depth_below_mp,ft,{when},20.0\n" for when in ("2025-07-01T04:30:00Z", "2025-11-01T04:30:00Z")]
    url = stored(folder, [("round-1.csv", head + "".join(lines), clock(2025, 11, 2, 9))])
    with opened(url) as engine, reading(engine) as connection:
        came = Arrivals(connection, CHICAGO).arrived(["MW-1"], date(2025, 6, 1), date(2025, 12, 31))
    assert came["day"].tolist() == [date(2025, 6, 30), date(2025, 10, 31)]


def test_the_doctor_names_what_has_not_come_and_else_the_next(folder: SiteFolder) -> None:
    files = [("round-1.csv", HEAD + row("MW-1", "2025-06-20") + row("MW-2", "2025-06-20"), clock(2025, 6, 25, 9))]
    url = stored(folder, files)
    with opened(url) as engine, reading(engine) as connection:
        (well_,) = about_deliveries(connection, folder, local(clock(2025, 7, 12)))
        unread = list(about_deliveries(connection, folder, local(clock(2025, 8, 14))))
    nights(url, clock(2025, 8, 12))
    with opened(url) as engine, reading(engine) as connection:
        late = list(about_deliveries(connection, folder, local(clock(2025, 8, 14))))
    assert well_[:3] == (
        "deliveries",
        "ok",
        "none overdue; next levels, due 2025-08-10, by the end of 2025-08-10 (plain), 2025-08-11 (statutory)",
    )
    assert [(one[1], one[2].partition("days ")[0], one[3][:17]) for one in unread] == [
        ("warn", "levels, due 2025-08-10, by the end of 2025-08-10 (plain), 2025-08-11 (statutory) (2.08(1)(c)4): ",
         "headwater nightly")
    ]  # fmt: skip
    assert "the inbox was never read: whether it came cannot be told" in unread[0][2]
    assert [(one[1], one[3]) for one in late] == [
        ("warn", "ask Northwoods Field Services; headwater rejects lists refused files")
    ]


def test_a_finding_is_stored_and_read_back_as_it_was() -> None:
    (found, *_) = judged(ask(Deliveries(), date(2025, 7, 1), at=mine(MONTHLY)))
    assert Finding.from_body(json.loads(json.dumps(found.body()))) == found


# The example that `headwater init` writes, and the one date of a delivery.


def uncommented(text: str, begins: str, ends: str) -> str:
    """An example of the skeleton as it reads with the marks of comment taken off."""
    lines = text[text.index(begins) : text.index(ends)].splitlines()
    return "\n".join(line.removeprefix("# ") for line in lines if not line.startswith("#  "))


def test_the_example_of_the_skeleton_is_a_delivery_and_names_every_key(tmp_path: Path) -> None:
    assert cli.run(["init", str(tmp_path / "mine")]) == 0
    path = tmp_path / "mine" / "site.toml"
    text = path.read_text(encoding="utf-8")
    example = uncommented(text, "# [[delivery]]", "# [[property]]")
    path.write_text(text + SITE.partition("[[delivery]]")[0] + example, encoding="utf-8")
    (found,) = open_site(path.parent).site.delivery
    assert (found.stations, found.first_due, found.tolerance_days) == (("MW-1", "MW-2"), date(2025, 7, 10), 3)
    assert found.received[0].on == date(2025, 7, 9)
    named = text[text.index("# [[delivery]]") : text.index("# [[property]]")]
    assert [key for key in ExpectedDelivery.model_fields if key not in named] == []
    check_deliveries(open_site(path.parent).site, LAW, date(2025, 8, 4))


ONE_DATE = SITE.replace("first_due = 2025-07-10", "first_due = 2025-08-10").replace(
    "first_period_ends = 2025-06-30", "first_period_ends = 2025-07-31"
)
"""Due on a Sunday, 10 August 2025, and so by the end of the Monday."""


def test_one_delivery_has_one_date_wherever_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both wells came at the end of the 14th, which is the 15th in UTC: three days after the last in time."""
    path = tmp_path / "mine"
    assert cli.run(["init", str(path)]) == 0
    with (path / "site.toml").open("a", encoding="utf-8") as text:
        text.write(ONE_DATE)
    at = ["--site", str(path)]
    (path / "inbox" / "round-0.csv").write_text(HEAD + row("MW-1", "2025-05-20"), encoding="utf-8")
    said: dict[str, str] = {}
    for day in ("2025-08-01", "2025-08-11", "2025-08-12", "2025-08-13", "2025-08-14"):
        if day == "2025-08-14":
            rows = HEAD + row("MW-1", "2025-07-20") + row("MW-2", "2025-07-20")
            (path / "inbox" / "round-1.csv").write_text(rows, encoding="utf-8")
        capsys.readouterr()
        assert cli.run(["nightly", "--as-of", day, "--json", *at]) == 0
        said[day] = capsys.readouterr().out
    late, ended = ([one for one in json.loads(said[day])["changes"] if one["rule"] == RULE]
                   for day in ("2025-08-12", "2025-08-14"))  # fmt: skip
    assert [one for day in ("2025-08-01", "2025-08-11") for one in json.loads(said[day])["changes"]] == []
    assert [(one["change"], one["aspect"], one["limit"]) for one in (*late, *ended)] == [
        (change, "levels, due 2025-08-10", "2025-08-10 (plain), 2025-08-11 (statutory)")
        for change in ("opened", "ended")
    ]
    assert (ended[0]["measured"], ended[0]["end"]) == ("known 2025-08-14, late by no more than 3 days", "2025-08-14")
    assert cli.run(["clock", "--as-of", "2025-08-14", "--all", "--json", *at]) == 0
    (listed,) = (one for one in json.loads(capsys.readouterr().out) if one.get("due") == "2025-08-10")
    assert [listed[name] for name in ("plain_due", "statutory_due", "days_late", "limit")] == [
        "2025-08-10", "2025-08-11", 3, "2025-08-10 (plain), 2025-08-11 (statutory)"
    ]  # fmt: skip
    assert "known 2025-08-14, late by no more than 3 days" in listed["says"]
    (reply,) = (path / "inbox" / "replies").glob("round-1*")
    assert "read by the end of 2025-08-14, as" in reply.read_text(encoding="utf-8")
    parts = [part for one in mailbox.Maildir(path / "outbox", create=False) for part in one.walk()]
    texts = [part.get_payload(decode=True) for part in parts if part.get_content_type() == "text/plain"]
    told = " ".join(" ".join(one.decode() for one in texts if isinstance(one, bytes)).split())
    assert "due 2025-08-10, by the end of 2025-08-10 (plain), 2025-08-11 (statutory)" in told
    assert "2025-08-15" not in told.replace("known at 2025-08-15 00:00 CDT", "")
