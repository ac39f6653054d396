"""Dated duties: situations worked by hand on a calendar, and what holds for any day of filing."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.checks import lateness
from models.counting import calendar_of
from models.dated_duties import due_days, register
from models.errors import BadLaw
from models.evaluate import findings
from models.event import ENTRY_WITHDRAWN, Event
from models.finding import Change, Finding, transitions
from models.policy import default_policy
from models.question import Changed, Question
from models.rules import LatenessRule, Ordinance, ordinance, read_ordinance
from models.site import Site
from models.verdict import VERDICT_OF
from tests.record_in_memory import Record, site
from tests.situations import situations

PERMIT: dict[str, Any] = {
    "number": "1", "granted": date(2025, 1, 1), "ends": date(2027, 12, 31), "mining_began": date(2025, 6, 1),
    "holders": [{"party": "operator", "since": date(2025, 1, 1)}],
}  # fmt: skip
PARTIES = [{"id": id, "role": "operator", "name": id} for id in ("operator", "successor")]


def law_of(rule: str) -> Ordinance:
    """The ordinance a rule stands in; the state's rules stand in Howard's file."""
    town = rule.partition(".")[0]
    return ordinance("howard" if town == "state" else town)


def rule_of(id: str) -> LatenessRule:
    found = law_of(id).rule_of(id)
    assert isinstance(found, LatenessRule)
    return found


def acts(situation: dict[str, Any]) -> list[Event]:
    """The register of a situation, opened on its first day, and its acts, each in the kind of case that knows it."""
    rule = rule_of(situation["rule"])
    if "kept_since" not in situation:
        return []
    law, day = law_of(rule.id), situation["kept_since"]
    opened = datetime.combine(day, time(9)).replace(tzinfo=UTC).isoformat()
    found = [act(f"{rule.kept_in}/square/{day}", "register_opened", opened)]
    for one in situation.get("acts", []):
        (kind,) = (kind for kind in law.case if kind.id in rule.kinds and kind.event_of(one[0]))
        case = f"{kind.id}/square/{day}"
        found += [] if kind.is_register else [act(case, kind.opening_events[0], opened)]
        found.append(act(case, *one))
    return found


def act(case: str, name: str, happened: str, says: dict[str, str] | None = None) -> Event:
    said = says or {}
    facts = (("year", said["year"]),) if "year" in said else ()
    at, recorded = (datetime.fromisoformat(said.get(key, happened)) for key in ("happened", "recorded"))
    return Event(case, name, at, recorded, "clerk", document=said.get("document", ""), facts=facts)


def question(law: Ordinance, on: date, events: list[Event], at: Site | None = None) -> Question:
    """What is asked at the end of a civil day of the ordinance's zone."""
    now = calendar_of(law).end_of(on)
    return Question(at or mine(law), law, default_policy(), Record(), on, now, Changed(everything=True), events)


def mine(law: Ordinance, **permit: Any) -> Site:
    town = {"ordinance": law.id, "crs": law.crs, "party": PARTIES, "stream": [], "gauge": [], "property": []}
    return site(**town, permit=PERMIT | permit)


def judged(situation: dict[str, Any]) -> list[Finding]:
    """Through the night's own door: what reaches the rule at all, then its check."""
    law = law_of(situation["rule"])
    asked = question(law, situation["on"], acts(situation), mine(law, **situation.get("permit", {})))
    return [one for one in findings(asked).findings if one.rule == situation["rule"]]


@pytest.mark.parametrize("situation", situations("lateness.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    found = judged(situation)
    for one, (plain, statutory, status) in zip(found, situation["findings"], strict=True):
        assert one.status == status
        assert one.verdict == VERDICT_OF[one.status]
        if plain:
            assert (one.facts["plain_due"], one.facts["statutory_due"]) == (plain, statutory)
    for one in found[:1]:
        assert situation["clause"] == rule_of(situation["rule"]).clause
        assert one.verdict == situation.get("verdict", one.verdict)
        assert situation.get("says", "") in one.reason
        assert one.limit == situation.get("limit", one.limit)
        assert one.information is situation.get("information", False)


def test_every_dated_duty_of_every_town_has_a_situation() -> None:
    named = {one.values[0]["rule"] for one in situations("lateness.toml")}
    there = {
        rule.id
        for town in ("howard", "dovre", "germantown", "gates")
        for rule in ordinance(town).rule
        if isinstance(rule, LatenessRule)
    }
    assert named == there


REPORT = "howard.report.annual"
CASE = "howard.register/square/2025-01-01"
OPENED = act(CASE, "register_opened", "2025-01-02T15:00:00+00:00")


def report(happened: str, **says: str) -> Event:
    return act(CASE, "annual_report_received", happened, says)


def of_night(on: date, *events: Event) -> tuple[Finding, ...]:
    return lateness.check(rule_of(REPORT), question(ordinance("howard"), on, [OPENED, *events])).findings


def test_a_finding_says_the_duty_both_days_and_what_is_on_record_and_accuses_nobody() -> None:
    (late,) = of_night(date(2026, 12, 1))
    for part in ("Annual operational report for 2025", "operator's", "2026-12-01 (plain)", "(statutory)", "nothing on"):
        assert part in late.reason
    assert (late.station, late.measured, late.start, late.end) == (
        "square",
        "nothing on record",
        date(2026, 12, 1),
        None,
    )
    for word in ("violat", "fail", "breach", "default", "guilt", "offen"):
        assert word not in late.reason.casefold()


def test_the_due_day_of_the_annual_report_stands_once_in_the_law() -> None:
    """The rule takes it from the table the report itself is written by."""
    rule, table = rule_of(REPORT), ordinance("howard").annual_report
    assert (rule.due_month, rule.due_day, rule.due_as) == (None, None, "annual_report")
    assert table is not None
    assert table.due(2025) == date(2026, 12, 1)


def nights(days: list[tuple[date, tuple[Event, ...]]]) -> list[list[Change]]:
    """The transitions of some nights, each told against what stood before."""
    stood: dict[str, Finding] = {}
    told: list[list[Change]] = []
    for on, events in days:
        answer = lateness.check(rule_of(REPORT), question(ordinance("howard"), on, [OPENED, *events]))
        changes = transitions(list(stood.values()), answer.findings, answer.scopes)
        told.append([one.change for one in changes])
        for one in changes:
            stood.pop(one.finding.key, None)
            if one.change != "retracted":
                stood[one.finding.key] = one.finding
    return told


def test_lateness_is_told_once_however_many_nights_it_lasts() -> None:
    days: list[tuple[date, tuple[Event, ...]]] = [(date(2026, 11, 29) + timedelta(days=n), ()) for n in range(30)]
    assert nights(days) == [[], [], ["opened"], *[[]] * 27]


def test_a_filing_recorded_late_takes_the_lateness_back_and_one_that_came_late_ends_it() -> None:
    in_time = report("2026-11-16T10:00:00-06:00", recorded="2026-12-20T10:00:00-06:00")
    too_late = report("2026-12-20T10:00:00-06:00")
    eve, day = date(2026, 12, 19), date(2026, 12, 20)
    assert nights([(eve, (in_time,)), (day, (in_time,)), (day, (in_time,))]) == [["opened"], ["retracted"], []]
    assert nights([(eve, (too_late,)), (day, (too_late,)), (day, (too_late,))]) == [["opened"], ["ended"], []]


def test_a_withdrawn_entry_answers_nothing() -> None:
    wrong = report("2026-11-16T10:00:00-06:00")
    at = datetime(2026, 12, 5, 16, tzinfo=UTC)
    withdrawn = Event(CASE, ENTRY_WITHDRAWN, at, at, "clerk", note="entered for another mine", corrects=wrong.key())
    assert [one.status for one in of_night(date(2026, 12, 10), wrong)] == ["ON_RECORD"]
    assert [one.status for one in of_night(date(2026, 12, 10), wrong, withdrawn)] == ["NOT_ON_RECORD"]


def test_a_duty_without_a_stated_time_is_over_when_it_is_done_and_was_never_wrong() -> None:
    known = act(CASE, "agency_action_known", "2026-04-06T15:00:00+00:00")
    told = act(CASE, "agency_action_reported", "2026-04-20T15:00:00+00:00")
    rule = rule_of("howard.report.other")
    before = lateness.check(rule, question(ordinance("howard"), date(2026, 4, 19), [OPENED, known]))
    after = lateness.check(rule, question(ordinance("howard"), date(2026, 4, 20), [OPENED, known, told]))
    assert [one.change for one in transitions(before.findings, after.findings, after.scopes)] == ["ended"]


SECONDS = st.integers(min_value=0, max_value=3 * 366 * 86_400)


@given(SECONDS, SECONDS)
def test_a_dated_duty_is_late_exactly_from_its_statutory_time(received: int, asked: int) -> None:
    """Any instant of receipt, any instant of asking, from mining began on."""
    law, rule = ordinance("howard"), rule_of(REPORT)
    first = datetime(2026, 1, 1, 6, tzinfo=UTC)
    filed, now = (first + timedelta(seconds=one) for one in (received, asked))
    calendar, events = calendar_of(law), [OPENED, report(filed.isoformat())]
    asked_at = Question(
        mine(law, ends=date(2030, 12, 31)), law, default_policy(), Record(), calendar.day(now), now,
        Changed(everything=True), events,
    )  # fmt: skip
    found = lateness.check(rule, asked_at).findings
    known = filed <= now
    for one in found:
        statutory = calendar.end_of(date.fromisoformat(one.facts["statutory_due"]))
        answered = known and one.facts["done_on"] is not None
        late = (filed if answered else now) >= statutory
        assert (one.verdict == "attained") is late
    assert sum(one.facts["done_on"] is not None for one in found) == known


@given(st.permutations(["2026-11-16", "2027-12-20", "2027-03-01", "2028-11-30"]))
def test_the_order_of_entries_never_matters(days: list[str]) -> None:
    events = [report(f"{day}T16:00:00+00:00") for day in days]
    found = of_night(date(2028, 12, 31), *events)
    assert [(one.facts["covers_year"], one.status) for one in found] == [
        (2025, "ON_RECORD"), (2026, "ON_RECORD"), (2027, "ON_RECORD"),
    ]  # fmt: skip


def test_no_duty_without_its_date_or_act() -> None:
    law = ordinance("howard")
    kept = register(["howard.register"], law, [OPENED], calendar_of(law), datetime(2030, 1, 1, tzinfo=UTC))
    for id in ("howard.permit.cessation", "howard.permit.lease", "howard.permit.transfer", "howard.report.other"):
        assert due_days(rule_of(id), law, mine(law).permit, kept, calendar_of(law), date(2030, 1, 1)) == []


DUTY = """
id = "mill"
title = "A made-up ordinance"
jurisdiction = "Made-up"
zone = "America/Chicago"
crs = "EPSG:7595"
holidays = "wisconsin"
adopted = "unknown"
adopted_note = "made up"

[computing]
citation = "none"
verification = "made up"
last_day_moves_off = ["sunday"]
hours_leave_out_sundays_and_holidays = false
saturday_filing_moves = false

[[case]]
id = "mill.register"
clause = "1"
title = "Register"
subject = "site"
is_register = true
opened_by = "event"
opening_events = ["filed"]
event = [{ name = "filed", who = "operator", means = "filed" }]

[[rule]]
id = "mill.report"
kind = "lateness"
clause = "1"
title = "Report"
text = "A report."
effective = "unknown"
who = "operator"
due_month = 5
due_day = 31
kept_in = "mill.register"
done_by = ["filed"]

[[rule]]
id = "mill.inspection"
kind = "step"
clause = "2"
title = "Inspection"
text = "An inspection."
effective = "unknown"
who = "town"
nature = "information"
"""


def test_a_day_of_the_year_that_came_before_mining_began_is_owed_by_nobody() -> None:
    """31 May 2025, mining from 1 June 2025."""
    law = read_ordinance(DUTY, file="mill.toml")
    (rule,) = (one for one in law.rule if isinstance(one, LatenessRule))
    kept = register(["mill.register"], law, [], calendar_of(law), datetime(2030, 1, 1, tzinfo=UTC))
    found = due_days(rule, law, mine(ordinance("howard")).permit, kept, calendar_of(law), date(2027, 12, 31))
    assert [(one.counted, one.covers) for one in found] == [(date(2026, 5, 31), 2026), (date(2027, 5, 31), 2027)]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("due_day = 31\n", "", "needs one of: due_month and due_day, due_as, of"),
        ("due_day = 31\n", 'due_day = 31\nof = "permit_ends"\ndays_before = 3\n', "needs one of: due_month"),
        ("due_day = 31\n", "due_day = 31\ndays_after = 3\n", "a day of the year needs none"),
        ("due_month = 5\ndue_day = 31\n", 'of = "permit_ends"\n', "of needs one of days_before"),
        ("due_month = 5\ndue_day = 31\n", 'of = "act"\ndays_after = 3\n', "starts need each other"),
        ("due_month = 5\ndue_day = 31\n", 'due_as = "annual_report"\n', "a table this file has not: annual_report"),
        ('done_by = ["filed"]\n', "", "needs either done_by or done_on"),
        ('kept_in = "mill.register"\n', "", "the register they stand in need each other"),
        ('kept_in = "mill.register"\n', 'kept_in = "mill.book"\n', "mill.report names no case of this file: mill.book"),
        ('done_by = ["filed"]\n', 'done_by = ["sent"]\n', "mill.report names no event of mill.register: sent"),
    ],
)
def test_a_duty_that_does_not_join_up(old: str, new: str, says: str) -> None:
    assert DUTY.count(old) == 1
    read_ordinance(DUTY, file="mill.toml")
    with pytest.raises(BadLaw) as caught:
        read_ordinance(DUTY.replace(old, new), file="mill.toml")
    assert says in str(caught.value)
