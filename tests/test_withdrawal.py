"""Water withdrawn: situations worked by hand, a year of the report to the DNR, and what holds for any readings."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from models.checks import withdrawal, withdrawal_form
from models.checks.withdrawal_sources import counted, midnights, sources_of
from models.evaluate import findings
from models.finding import Finding, transitions
from models.known_volumes import KnownVolumes
from models.metered_volumes import Interval, intervals
from models.question import Changed, Question
from models.rules import Ordinance, WithdrawalRule, ordinance
from models.site import Site
from models.verdict import NOTABLE
from models.volume_bounds import PARTS, VolumeRecord
from reports.annual.record import AnnualRecord
from reports.annual.withdrawal_form import form_table
from tests.record_in_memory import BEGAN, CHICAGO, Record, ask, site
from tests.situations import situations

PERMIT: dict[str, Any] = {
    "number": "1", "granted": date(2025, 1, 1), "ends": date(2027, 12, 31), "mining_began": BEGAN,
    "holders": [{"party": "operator", "since": date(2025, 1, 1)}],
}  # fmt: skip
INSTALLED = date(2025, 1, 1)


def law_of(rule: str) -> Ordinance:
    town = rule.partition(".")[0]
    return ordinance("howard" if town == "state" else town)


def mine(law: Ordinance, wells: list[dict[str, Any]], **more: Any) -> Site:
    """The made-up mile square with production wells PW-1, PW-2, …, each with a meter of its name."""
    kept = ("uses", "construction")
    own = [
        {
            "id": f"PW-{k}", "use": "production", "position": (100.0 * k, 100.0),
            **{name: one[name] for name in kept if name in one},
            "pump": [{"since": INSTALLED, **one["pump"]}] if "pump" in one else [],
        }
        for k, one in enumerate(wells, 1)
    ]  # fmt: skip
    meters = [{"id": f"M-{k}", "well": f"PW-{k}"} for k, one in enumerate(wells, 1)]
    there = {"ordinance": law.id, "crs": law.crs, "stream": [], "gauge": [], "property": [], "permit": PERMIT}
    return site(**{**there, "well": own, "meter": meters, **more})


def whole(lines: list[str], on: date) -> list[str]:
    """The same readings with one at the start of mining and one tonight, between which nothing else was pumped."""
    first, last = lines[0].split(), lines[-1].split()
    before = [f"{BEGAN} 00:00 {first[2]}"] if (first[0], first[1]) > (str(BEGAN), "00:00") else []
    tonight = str(on + timedelta(days=1))
    after = [f"{tonight} 00:00 {last[2]}"] if (last[0], last[1]) < (tonight, "00:00") else []
    return [*before, *lines, *after]


def readings(wells: list[dict[str, Any]], on: date | None = None) -> Record:
    """``on``: readings are whole up to that night, but those of a well with ``gaps``."""
    record = Record()
    for k, one in enumerate(wells, 1):
        lines = one.get("readings", [])
        for line in whole(lines, on) if on and lines and not one.get("gaps") else lines:
            day, at, gallons, *marks = line.split()
            when = datetime.combine(date.fromisoformat(day), time.fromisoformat(at), CHICAGO)
            record.meter(f"M-{k}", when, gallons, *marks)
        for day, gallons in one.get("reported", []):
            record.add(f"PW-{k}", "withdrawal", date.fromisoformat(day), str(gallons), "gal")
            record.table[-1].update(clock="month", statistic="sum")
    return record


def asked(situation: dict[str, Any]) -> Question:
    law = law_of(situation["rule"])
    permit = dict(PERMIT)
    if situation.get("required"):
        permit["required"] = [{"rule": situation["rule"], "decision": "Plan Commission", "on": date(2025, 2, 1)}]
    if situation.get("pre_existing"):
        permit["pre_existing"] = {"decision": "Town Board", "on": date(2025, 2, 1)}
    approvals = [{"number": f"A-{k}", "by": "DNR", **one} for k, one in enumerate(situation.get("approvals", []), 1)]
    there = mine(law, situation["wells"], permit=permit, approval=approvals)
    return ask(readings(situation["wells"], situation["on"]), situation["on"], at=there, law=law)


def judged(situation: dict[str, Any]) -> list[Finding]:
    """Through the night's own door."""
    found = [one for one in findings(asked(situation)).findings if one.rule == situation["rule"]]
    return [one for one in found if situation.get("parameter", one.parameter) == one.parameter]


@pytest.mark.parametrize("situation", situations("withdrawal.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    found = judged(situation)
    told = sorted(f"{one.parameter} {one.verdict} {one.opened_on}" for one in found)
    assert told == situation["expected"]
    said = " / ".join(f"{one.reason} / {one.measured} / {one.limit}" for one in found)
    for words in situation.get("says", []):
        assert words in said
    for one in found:
        assert one.clause == law_of(one.rule).rule_of(one.rule).clause
        assert one.information is (situation.get("information", one.information))


def test_every_withdrawal_rule_of_every_town_has_a_situation() -> None:
    named = {one.values[0]["rule"] for one in situations("withdrawal.toml")}
    there = {
        rule.id
        for town in ("howard", "dovre", "germantown", "gates")
        for rule in ordinance(town).rule
        if isinstance(rule, WithdrawalRule)
    }
    assert named == there


def test_a_threshold_of_howard_or_the_state_is_information_and_use_without_approval_is_not() -> None:
    for situation in (one.values[0] for one in situations("withdrawal.toml")):
        for one in judged(situation):
            if one.verdict in NOTABLE:
                assert one.information is (one.rule != "dovre.permits" or one.parameter == "approved_rate")
            for word in ("violat", "breach", "guilt", "illegal"):
                assert word not in f"{one.reason} {one.measured}".casefold()


# A hand-worked leap year: mining from 1 June 2023; readings at midnight but for one, and the meter exchanged in July.
#   1 Jan .. 1 Feb    310,000   31 days of 10,000
#   1 Feb .. 1 Mar    290,000   29 days of 10,000
#   1 Mar .. 16 Apr   460,000   743 hours in March (the clocks go forward) and 360 in April: 309,864 and 150,136
#   16 Apr .. 1 May   150,000   April 300,136
#   1 May .. 1 Jul  6,100,000   61 days of 100,000: May 3,100,000, June 3,000,000
#   1 Jul .. 15 Jul 1,400,000   register 8,710,000, exchanged; the new one begins at 500
#   15 Jul .. 1 Aug   170,000   July 1,570,000
#   1 Aug .. 1 Jan          0
YEAR = [
    "2023-06-01 00:00 0", "2024-01-01 00:00 0", "2024-02-01 00:00 310000", "2024-03-01 00:00 600000",
    "2024-04-16 00:00 1060000", "2024-05-01 00:00 1210000", "2024-07-01 00:00 7310000",
    "2024-07-15 00:00 8710000 replaced-out", "2024-07-15 00:00 500 replaced-in", "2024-08-01 00:00 170500",
    "2025-01-01 00:00 170500",
]  # fmt: skip
MONTHS = [310_000, 290_000, 309_864, 300_136, 3_100_000, 3_000_000, 1_570_000, 0, 0, 0, 0, 0]


def leap_year(on: date, lines: list[str] = YEAR) -> Question:
    permit = PERMIT | {"granted": date(2023, 1, 1), "mining_began": date(2023, 6, 1)}
    wells = [{"uses": ["process"], "readings": lines}]
    law = ordinance("howard")
    return ask(readings(wells), on, at=mine(law, wells, permit=permit), law=law)


def test_a_hand_worked_leap_year_with_a_meter_change() -> None:
    question = leap_year(date(2025, 1, 10))
    (line,) = withdrawal_form.form_of(CHICAGO, sources_of(question), 2024)
    assert [one.gallons for one in line.months] == MONTHS
    assert line.gallons == sum(MONTHS)
    assert (line.well, line.uses, line.method) == ("PW-1", ("process",), "totalizing meter M-1")
    assert [one.not_measured_h for one in line.months] == [0.0] * 12


def test_the_30_day_average_and_the_7_day_maximum_of_that_year() -> None:
    """May and June are 61 days of 100,000; with the first 14 of July they stay there: 30 such days are the average."""
    question = leap_year(date(2025, 1, 10))
    rule = ordinance("howard").rule_of("state.withdrawal")
    found = {one.parameter: one for one in withdrawal.check(rule, question).findings}  # type: ignore[arg-type]
    average = found["average_withdrawal"]
    # No 30 days lie whole inside the intervals of May to mid-July but by their spread: 75 days, three runs of 30.
    assert average.verdict == "indeterminate"
    assert average.facts["gal_per_day"] == pytest.approx(100_000)
    assert average.facts["form"]["year"] == 2024
    assert average.facts["form"]["sources"][0]["months"]["2024-05"] == 3_100_000
    assert average.facts["form"]["stated"] == "not_attained"  # 30,000,000 gallons were never there


def test_daily_readings_of_the_same_months_settle_it() -> None:
    days = [date(2024, 5, 1) + timedelta(days=k) for k in range(62)]
    lines = [f"{day} 00:00 {100_000 * k}" for k, day in enumerate(days)]
    question = leap_year(date(2024, 7, 10), lines)
    rule = ordinance("howard").rule_of("state.withdrawal")
    found = {one.parameter: one for one in withdrawal.check(rule, question).findings}  # type: ignore[arg-type]
    assert (found["average_withdrawal"].verdict, found["average_withdrawal"].opened_on) == (
        "attained", date(2024, 5, 1),
    )  # fmt: skip
    week = ordinance("howard").rule_of("howard.withdrawal.week")
    (most,) = withdrawal.check(week, question).findings  # type: ignore[arg-type]
    assert most.measured == "100,000 gal/day on the average of 2024-05-01 to 2024-05-07"


def test_months_are_rounded_and_still_add_up() -> None:
    """103 gallons from noon to noon over the turn of the month: 51.5 each, printed 52 and 51."""
    question = leap_year(date(2025, 1, 10), ["2024-01-31 12:00 0", "2024-02-01 12:00 103"])
    (line,) = withdrawal_form.form_of(CHICAGO, sources_of(question), 2024)
    assert [one.gallons for one in line.months][:2] == [52, 51]
    assert line.gallons == 103


def test_a_month_nobody_measured_is_blank_and_not_zero() -> None:
    question = leap_year(date(2025, 1, 10), ["2024-03-16 00:00 0", "2024-04-01 00:00 16000"])
    (line,) = withdrawal_form.form_of(CHICAGO, sources_of(question), 2024)
    assert [one.gallons for one in line.months][:4] == [None, None, 16_000, None]
    assert line.months[2].not_measured_h == 15 * 24 - 1  # the clocks go forward on 10 March


# Any readings.

HOURS = st.lists(st.integers(0, 60 * 24), min_size=2, max_size=25, unique=True).map(sorted)


@st.composite
def registers(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Hours after 1 June and the register then: no faster than 10,000 gallons an hour."""
    hours = draw(HOURS)
    total, found = 0, []
    for before, at in zip([hours[0], *hours], hours, strict=False):
        total += draw(st.integers(0, 10_000)) * (at - before)
        found.append((at, total))
    return found


def record_of(register: list[tuple[int, int]]) -> Record:
    record, start = Record(), datetime.combine(BEGAN, time(), CHICAGO)
    for hour, total in register:
        record.meter("M-1", start + timedelta(hours=hour), str(total))
    return record


USE = ordinance("howard").rule_of("howard.screen.use")
WELLS = [{"uses": ["process"]}]


@settings(max_examples=60, deadline=None)
@given(registers(), st.randoms(use_true_random=False))
def test_no_spread_of_the_volumes_contradicts_the_verdict(register: list[tuple[int, int]], random: Any) -> None:
    """Spread each interval over its hours at random: what is attained stays so, what is not attained never is."""
    question = ask(record_of(register), date(2025, 8, 15), at=mine(ordinance("howard"), WELLS))
    (found,) = withdrawal.check(USE, question).findings  # type: ignore[arg-type]
    for _ in range(5):
        days = [Fraction(0)] * 62
        for (start, before), (end, after) in pairwise(register):
            weights = [random.choice([0, 0, 1, 7]) for _ in range(start, end)]
            if not any(weights):
                weights[random.randrange(len(weights))] = 1
            for hour, weight in zip(range(start, end), weights, strict=True):
                days[hour // 24] += Fraction((after - before) * weight, sum(weights))
        reached = max(days) >= 100_000
        assert {"attained": reached, "not_attained": not reached}.get(found.verdict, True)


@settings(max_examples=60, deadline=None)
@given(registers(), st.integers(0, 61), st.integers(1, 30))
def test_bounds_hold_the_even_spread_and_meet_where_an_interval_ends(
    register: list[tuple[int, int]], first: int, days: int
) -> None:
    question = ask(record_of(register), date(2025, 8, 31), at=mine(ordinance("howard"), WELLS))
    edges, group = midnights(question), counted(sources_of(question), ("process",))
    start, end = edges[first : first + 1], edges[first + days : first + days + 1]
    found = group.within(start, end)
    assert found.low[0] <= found.even[0] + 1 <= found.high[0] + 2
    whole = group.within(edges[:1], edges[-1:])
    total = (register[-1][1] - register[0][1]) * PARTS
    assert whole.low[0] == whole.high[0] == total
    by_hand = sum(
        Fraction(after - before) * max(0, min(at_end, (first + days) * 24) - max(at, first * 24)) / (at_end - at)
        for (at, before), (at_end, after) in pairwise(register)
    )
    assert found.even[0] / PARTS == pytest.approx(float(by_hand), abs=1e-3)


@settings(max_examples=40, deadline=None)
@given(registers(), st.data())
def test_reading_the_record_in_pieces_gives_the_same_withdrawals(
    register: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Night after night with more readings each, against the whole at once."""
    cut = data.draw(st.integers(1, len(register)))
    there = mine(ordinance("howard"), WELLS)
    whole = ask(record_of(register), date(2025, 8, 15), at=there)
    record = record_of(register[:cut])
    stood: list[Finding] = list(withdrawal.check(USE, ask(record, date(2025, 8, 14), at=there)).findings)  # type: ignore[arg-type]
    for hour, total in register[cut:]:
        record.meter("M-1", datetime.combine(BEGAN, time(), CHICAGO) + timedelta(hours=hour), str(total))
    later = ask(record, date(2025, 8, 15), at=there, changed=Changed({("M-1", "meter_reading"): BEGAN}))
    now = withdrawal.check(USE, later) if register[cut:] else None  # type: ignore[arg-type]
    stood = list(now.findings) if now else stood
    assert [one.body() for one in stood] == [
        one.body()
        for one in withdrawal.check(USE, whole).findings  # type: ignore[arg-type]
    ]


def test_a_night_without_new_readings_judges_no_volume_again_and_capacity_always() -> None:
    wells = [{"uses": ["process"], "pump": {"capacity_gpd": 100_001}, "readings": YEAR}]
    question = ask(readings(wells), date(2025, 7, 2), at=mine(ordinance("howard"), wells), changed=Changed())
    assert withdrawal.check(USE, question).findings == ()  # type: ignore[arg-type]
    rule = ordinance("howard").rule_of("state.withdrawal")
    found = withdrawal.check(rule, question)  # type: ignore[arg-type]
    assert [one.parameter for one in found.findings] == ["installed_capacity"]
    assert {one.parameter for one in found.scopes} == {"installed_capacity"}


def test_on_the_first_of_a_month_a_meter_that_nobody_read_is_judged_again() -> None:
    """Read every midnight of June, and never again: 31 days speak for themselves, the 32nd is not known."""
    lines = [f"{date(2025, 6, 1) + timedelta(days=k)} 00:00 {50 * k}" for k in range(31)]
    wells = [{"uses": ["process"], "readings": lines}]
    record, there = readings(wells), mine(ordinance("howard"), wells)
    told = []
    for on in (date(2025, 7, 31), date(2025, 8, 1)):
        question = ask(record, on, at=there, changed=Changed())
        told.append([one.verdict for one in withdrawal.check(USE, question).findings])  # type: ignore[arg-type]
    assert told == [[], ["indeterminate"]]


def test_an_approval_entered_later_withdraws_what_stood() -> None:
    wells = [{"readings": ["2025-07-01 00:00 0", "2025-07-02 00:00 50"]}]
    law = ordinance("dovre")
    rule = law.rule_of("dovre.permits")
    bare = ask(readings(wells, date(2025, 7, 11)), date(2025, 7, 10), at=mine(law, wells), law=law)
    before = withdrawal.check(rule, bare)  # type: ignore[arg-type]
    approval = [{"number": "A-1", "by": "DNR", "since": date(2025, 6, 1)}]
    covered = ask(
        readings(wells, date(2025, 7, 11)), date(2025, 7, 11), at=mine(law, wells, approval=approval), law=law
    )
    after = withdrawal.check(rule, covered)  # type: ignore[arg-type]
    assert [one.change for one in transitions(before.findings, after.findings, after.scopes)] == ["retracted"]


def test_an_interval_of_unknown_volume_is_bounded_by_the_pump_alone() -> None:
    hour = 3_600_000
    found = (Interval(0, 24 * hour, None, "register fell", "1:1"), Interval(24 * hour, 48 * hour, 500.0, "", "1:2"))
    start, end = np.array([0, 12 * hour, 24 * hour]), np.array([48 * hour, 36 * hour, 48 * hour])
    unbounded = VolumeRecord(found).within(start, end)
    assert unbounded.open.tolist() == [True, True, False]
    bounded = VolumeRecord(found, Decimal(1000)).within(start, end)
    assert bounded.open.tolist() == [False, False, False]
    assert (bounded.low / PARTS).tolist() == [500, 0, 500]
    assert (bounded.high / PARTS).tolist() == [1500, 1000, 500]


def test_a_capacity_the_meter_contradicts_bounds_nothing() -> None:
    """2,000 gallons in a day through a pump of 1,000 a day: the statement is wrong, not the meter."""
    hour = 3_600_000
    record = VolumeRecord((Interval(0, 24 * hour, 2000.0, "", "1:1"),), Decimal(1000))
    found = record.within(np.array([0]), np.array([12 * hour]))
    assert (found.low[0], found.high[0]) == (0, 2000 * PARTS)


@pytest.mark.parametrize(
    ("limbs", "says"),
    [
        ({}, "names no amount"),
        ({"average_from_gpd": 1}, "need each other"),
        ({"day_from_gpd": 1, "day_over_gpd": 1}, "one of day_from_gpd and day_over_gpd"),
        ({"approved": True, "uses": ["washing"]}, "process"),
        ({"capacity_over_gpd": 0}, "greater than 0"),
    ],
)
def test_a_rule_that_judges_nothing_is_refused(limbs: dict[str, Any], says: str) -> None:
    head = {"id": "mill.water", "kind": "withdrawal", "clause": "1", "title": "t", "text": "t", "effective": "unknown"}
    with pytest.raises(ValidationError, match=says):
        WithdrawalRule.model_validate({**head, **limbs})


@pytest.mark.parametrize(
    ("well", "says"),
    [
        ({"pump": [{"since": INSTALLED}]}, "one of capacity_gpm and capacity_gpd"),
        ({"pump": [{"since": INSTALLED, "capacity_gpm": 1, "capacity_gpd": 1}]}, "one of capacity_gpm"),
        ({"pump": [{"since": INSTALLED, "capacity_gpm": 1}] * 2}, "pump.since used twice"),
        ({"uses": ["dust", "dust"]}, "use used twice"),
        ({"use": "monitoring", "uses": ["dust"]}, "belong to a well"),
    ],
)
def test_a_well_that_cannot_be(well: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        site(well=[{"id": "PW-1", "use": "production", "position": (1.0, 1.0), **well}])


def test_the_form_of_the_annual_report_is_the_same_year_by_well() -> None:
    """The hand-worked leap year, and a well that nobody measures."""
    wells = [{"uses": ["process", "dust"], "readings": YEAR}, {}]
    there = mine(ordinance("howard"), wells)
    rows = [SimpleNamespace(**one) for one in readings(wells).table]
    found = intervals(there.meter[0], cast("Any", rows))
    record = SimpleNamespace(
        zone=CHICAGO,
        year=2024,
        site=there,
        known={"PW-1": [KnownVolumes("meter", "totalizing meter M-1", (tuple(found),))]},
    )
    table = form_table(cast("AnnualRecord", record), "4.4")
    assert list(table.rows) == [
        ("PW-1", "process, dust", "totalizing meter M-1", *MONTHS, sum(MONTHS), 0.0),
        ("PW-2", "not stated", "not measured", *[None] * 12, None, 366 * 24.0),
    ]
    assert len(table.columns) == len(table.rows[0]) == 17
