"""Two records of one well, and where its water went: shown side by side, the one that speaks named, none averaged."""

from datetime import date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from models.evaluate import findings
from models.finding import Finding
from models.known_volumes import known_at_discharges, known_at_wells, speaking
from models.pumping import metered
from models.question import Question
from models.site import Site
from reports.annual import discharges
from reports.annual.pumped_days import days_table, methods_table
from reports.annual.withdrawal_form import form_table
from tests.record_in_memory import BEGAN, CHICAGO, Record, ask, site, well

TO = date(2025, 9, 1)
DAY_GAL = 24_000  # 1,000 gal an hour


def place(**more: Any) -> Site:
    return site(
        well=[well("PW", 100, use="production", pump=[{"since": date(2025, 1, 1), "capacity_gpm": 50}], **more)],
        meter=[{"id": "M", "well": "PW"}],
        discharge=[
            {"id": "D-1", "position": (200.0, 200.0), "to": "wash pond", "water": "CREEK"},
            {"id": "D-2", "position": (300.0, 200.0), "to": "haul road", "wells": ["PW"]},
        ],
    )


def record(log_gpm: float | None = None, reported: dict[date, int] | None = None) -> Record:
    """A meter read at every midnight, an hourly log, volumes as reported, and a meter on one discharge."""
    found, days = Record(), (TO - BEGAN).days
    for k in range(days + 1):
        when = datetime.combine(BEGAN + timedelta(days=k), datetime.min.time(), CHICAGO)
        found.meter("M", when, str(DAY_GAL * k))
        found.meter("D-1", when, str(10_000 * k))
    for hour in range(24 * days + 1) if log_gpm is not None else ():
        when = datetime.combine(BEGAN, datetime.min.time(), CHICAGO) + timedelta(hours=hour)
        found.add("PW", "pumping_rate", when.date(), str(log_gpm), "gpm", at=when.time())
    for month, gallons in (reported or {}).items():
        found.add("PW", "withdrawal", month, str(gallons), "gal")
        found.table[-1].update(clock="month", statistic="sum")
    return found


def question(rows: Record, **more: Any) -> Question:
    return ask(rows, TO, at=place(**more))


def compared(asked: Question) -> list[Finding]:
    return [one for one in findings(asked).findings if one.parameter == "volumes_compared"]


def test_records_that_agree_say_nothing() -> None:
    assert compared(question(record(log_gpm=1000 / 60))) == []
    assert compared(question(record())) == []


def test_a_log_and_a_meter_that_differ_are_both_named_and_none_is_averaged() -> None:
    """June: the meter 30 x 24,000 = 720,000 gal, the log at 15 gpm 30 x 21,600 = 648,000: 10 % less."""
    (found,) = compared(question(record(log_gpm=15.0)))
    assert (found.station, found.aspect, found.status, found.verdict) == ("PW", "log", "WATCH", "not_applicable")
    assert found.information
    june = next(one for one in found.facts["windows"] if (one["first"], one["last"]) == ("2025-06-01", "2025-06-30"))
    assert (june["speaks_gal"], june["other_gal"], june["share_at_least"]) == pytest.approx((720_000, 648_000, 0.1))
    said = " ".join(one.says for one in found.evidence)
    assert "720,000 gal" in said
    assert "648,000 gal" in said
    assert "684,000" not in said  # the mean of the two
    assert "the site states none" in found.reason
    assert found.opened_on == date(2025, 6, 30)


def test_within_the_policy_is_no_difference() -> None:
    """16 gpm are 4 % less; the policy allows 5."""
    assert compared(question(record(log_gpm=16.0))) == []


def test_the_site_states_which_speaks_for_findings_and_for_the_model() -> None:
    asked = question(record(log_gpm=15.0), volumes_by="log")
    (found,) = compared(asked)
    assert (found.aspect, found.facts["speaks"]) == ("meter", "log")
    assert "the site states that it speaks" in found.reason
    ((meter, volumes),) = metered(asked, TO)
    assert (meter.id, sum(one.volume_gal or 0 for one in volumes)) == ("PW", pytest.approx(92 * 21_600))
    ((meter, volumes),) = metered(question(record(log_gpm=15.0)), TO)
    assert (meter.id, sum(one.volume_gal or 0 for one in volumes)) == ("M", 92 * DAY_GAL)


def test_what_the_site_says_speaks_and_is_silent_is_not_replaced() -> None:
    asked = question(record(), volumes_by="run time")
    known = known_at_wells(asked, asked.site.well, TO)["PW"]
    assert speaking(known, "run time") is None
    said = " ".join(one.reason for one in findings(asked).findings)
    assert "no volumes by its run time, which the site states to speak" in said


def test_a_month_reported_short_differs_in_that_month_alone() -> None:
    """June reported 360,000 of 720,000 gal, July and August in full."""
    months = {date(2025, 6, 1): 360_000, date(2025, 7, 1): 744_000, date(2025, 8, 1): 744_000}
    (found,) = compared(question(record(reported=months)))
    told = [(one["first"], one["last"]) for one in found.facts["windows"]]
    assert told == [("2025-06-01", "2025-06-30"), ("2025-06-01", "2025-08-31")]
    assert found.facts["windows"][0]["share_at_least"] == 0.5


def test_a_month_that_a_spread_explains_is_no_difference() -> None:
    """One reading over June and July: all of it may have been pumped in either."""
    found = Record()
    for day, gallons in ((BEGAN, 0), (date(2025, 7, 31), 1_000_000)):
        found.meter("M", datetime.combine(day, datetime.min.time(), CHICAGO), str(gallons))
    found.add("PW", "withdrawal", BEGAN, "900000", "gal")
    found.table[-1].update(clock="month", statistic="sum")
    assert compared(question(found)) == []


def test_discharges_stand_beside_what_was_withdrawn() -> None:
    said = [
        one.says for found in findings(question(record())).findings for one in found.evidence if one.line == "discharge"
    ]
    assert any(one.startswith("D-1 to wash pond (CREEK): 10,000 gal") for one in said)
    assert "D-2 to haul road: no quantity recorded" in said


def told(asked: Question) -> Any:
    """The chapter's own part of a year's record."""
    wells = asked.site.wells("production")
    return SimpleNamespace(
        zone=CHICAGO, year=2025, start=date(2025, 1, 1), end=date(2025, 8, 31), site=asked.site,
        known=known_at_wells(asked, wells, TO), discharged=known_at_discharges(asked),
    )  # fmt: skip


def test_the_annual_report_tells_where_the_water_went_and_how_much() -> None:
    section = discharges.section(told(question(record())))
    places, months = section.tables
    assert [row[:4] for row in places.rows] == [("D-1", "", "wash pond", "CREEK"), ("D-2", "", "haul road", "")]
    assert [row[7] for row in places.rows] == ["totalizing meter of D-1", "not measured"]
    volumes = {row[:2]: row[2:4] for row in months.rows}
    assert volumes["D-1", "2025-06"] == (300_000, 0.0)
    assert volumes["D-1", "2025-05"] == (None, 744.0)
    assert volumes["D-2", "2025-06"] == (None, 720.0)


def test_the_annual_report_shows_both_records_and_every_day() -> None:
    asked = told(question(record(log_gpm=15.0)))
    rows = [row for row in methods_table(asked, "4.5").rows if row[1] == "2025-06"]
    assert [(row[2], row[3], row[4]) for row in rows] == [
        ("totalizing meter M", "yes", 720_000), ("logged rates", "", 648_000),
    ]  # fmt: skip
    days = days_table(asked, "4.6").rows
    assert len(days) == (date(2025, 9, 1) - BEGAN).days
    assert days[0][2:6] == (BEGAN, DAY_GAL, DAY_GAL, DAY_GAL)
    assert not methods_table(told(question(record())), "4.5").rows


def reports_only(days_gal: int, june_gal: int, log_hours: int = 0) -> Question:
    """No meter: June by the day and by the month, July by the month, and hours of a pump log at 10 gpm in July."""
    found = Record()
    for k in range(30):
        found.add("PW", "withdrawal", BEGAN + timedelta(days=k), str(days_gal), "gal")
        found.table[-1].update(clock="day", statistic="sum")
    for month, gallons in ((BEGAN, june_gal), (date(2025, 7, 1), 620_000)):
        found.add("PW", "withdrawal", month, str(gallons), "gal")
        found.table[-1].update(clock="month", statistic="sum")
    for hour in range(log_hours + 1 if log_hours else 0):
        when = datetime(2025, 7, 3, tzinfo=CHICAGO) + timedelta(hours=hour)
        found.add("PW", "pumping_rate", when.date(), "10", "gpm", at=when.time())
    return question(found)


def test_reports_that_contradict_each_other_are_shown_and_none_is_chosen() -> None:
    """June: 30 x 1,000 = 30,000 by the day and 620,000 by the month. Nobody knows which; July is told once."""
    asked = reports_only(1000, 620_000)
    first, *beside = known_at_wells(asked, asked.site.well, TO)["PW"]
    assert speaking((first, *beside), None) is first
    assert speaking((*beside, first), "reports") is first
    assert [one.volume_gal for one in first.records[0]] == [None, 620_000]
    assert [one.part for one in beside] == ["volumes by the day", "volumes by the month"]
    (found,) = compared(asked)
    assert found.aspect == "reports: volumes by the day and volumes by the month"
    june = found.facts["windows"][0]
    assert (june["speaks_gal"], june["other_gal"]) == (30_000, 620_000)
    assert "neither is used for that time" in found.reason
    rows = {(row[2], row[1]): row[3:5] for row in methods_table(told(asked), "4.5").rows}
    assert rows["volumes as reported", "2025-06"] == ("yes", None)
    assert rows["volumes by the day, as reported", "2025-06"] == ("", 30_000)
    assert rows["volumes by the month, as reported", "2025-06"] == ("", 620_000)
    form = form_table(told(asked), "4.4")
    assert (form.rows[0][8], form.rows[0][9]) == (None, 620_000)  # June, July
    assert any("620,000 gal and 30,000 gal of the same time; neither is taken" in note for note in form.notes)


def test_reports_that_agree_are_one_record() -> None:
    asked = reports_only(1000, 31_000)
    (only,) = known_at_wells(asked, asked.site.well, TO)["PW"]
    assert sum(one.volume_gal or 0 for one in only.records[0]) == 650_000
    assert compared(asked) == []


def test_a_meter_beside_two_reports_that_contradict_each_other_has_a_finding_for_each() -> None:
    """The meter: 720,000 in June, 744,000 in July. By the day 30,000, by the month 620,000 and 620,000."""
    asked, counted = reports_only(1000, 620_000), record()
    counted.table += asked.observations.table  # type: ignore[attr-defined]
    found = {one.aspect: one for one in compared(question(counted))}
    assert set(found) == {
        "reports", "reports: volumes by the day", "reports: volumes by the month",
        "reports: volumes by the day and volumes by the month",
    }  # fmt: skip
    assert len({one.key for one in found.values()}) == 4
    assert [one["first"] for one in found["reports"].facts["windows"]] == ["2025-07-01"]  # June is not known


def test_two_hours_of_a_log_do_not_speak_for_a_month() -> None:
    """July: 2 h at 10 gpm are 1,200 gal, and 620,000 are reported. The log stays beside it."""
    asked = reports_only(1000, 30_000, log_hours=2)
    known = known_at_wells(asked, asked.site.well, TO)["PW"]
    speaks = speaking(known, None)
    assert speaks is not None
    assert sum(one.volume_gal or 0 for one in speaks.records[0]) == 650_000
    assert speaks.says == "logged rates; where they are silent volumes as reported"
    form = form_table(told(asked), "4.4")
    assert form.rows[0][8:10] == (30_000, 620_000)
    rows = {(row[2], row[1]): row[3:5] for row in methods_table(told(asked), "4.5").rows}
    assert rows["logged rates", "2025-07"] == ("", 1200)
    stated = speaking(known, "log")
    assert stated is not None
    assert sum(one.volume_gal or 0 for one in stated.records[0]) == 1200


def test_readings_of_one_instant_that_differ_lose_no_water_at_a_well() -> None:
    """By the day 200, at its midnight by the clock 250: the register rose from 100 to 300 over both."""
    found = Record()
    for day, gallons in ((BEGAN, 100), (date(2025, 6, 2), 200), (date(2025, 6, 3), 300)):
        found.meter("M", datetime.combine(day, datetime.min.time(), CHICAGO), str(gallons))
        found.table[-1]["clock"] = "day"
    found.meter("M", datetime(2025, 6, 2, tzinfo=CHICAGO), "250")
    asked = question(found)
    (only,) = known_at_wells(asked, asked.site.well, TO)["PW"]
    assert sum(one.volume_gal or 0 for one in only.records[0]) == 200


def test_the_model_of_the_night_pumps_a_well_that_has_reports_only() -> None:
    asked = reports_only(1000, 30_000)
    ((meter, volumes),) = metered(asked, TO)
    assert (meter.id, meter.well) == ("PW", "PW")
    assert sum(one.volume_gal or 0 for one in volumes) == 650_000
    by_meter = ask(asked.observations, TO, at=place(volumes_by="meter"))  # type: ignore[arg-type]
    assert metered(by_meter, TO) == []
