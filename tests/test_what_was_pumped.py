"""One answer to what a well gave, whoever asks: night, page, scenario, report; and what nobody knows of it is said."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from models import pumping
from models.checks import if_pumping_stopped, modelled_drawdown
from models.checks.water_level import check
from models.finding import transitions
from models.known_volumes import METHODS, known_at_wells, speaking
from models.metered_volumes import Interval
from models.observation import DAY_MS
from models.question import Changed, Question
from models.scenario.of_site import site_scenario
from models.site import Meter, Site
from pipelines.site_record import _well_station
from reports.annual.pumped_days import days_table
from reports.site_page.record import WellRecord
from tests.record_in_memory import BEGAN, CHICAGO, Record, ask, rule, site, well

ON = date(2025, 6, 30)
FT3_PER_GALLON = 231 / 1728
AQUIFER: dict[str, Any] = {
    "transmissivity_ft2_per_d": {"low": 4000, "best": 5000, "high": 6250},
    "specific_yield": {"low": "0.12", "best": "0.15", "high": "0.18"},
    "streambed_conductance_ft_per_d": {"low": 5, "best": 20, "high": 60}, "saturated_thickness_ft": 60,
    "source": "made up",
}  # fmt: skip
GALLONS = {"meter": 3000, "log": 28_800, "run time": 1200, "reports": 9000}
"""Of the first days of June by each method, as `told` writes them."""


def midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), CHICAGO)


def ms(day: date) -> int:
    return round(midnight(day).timestamp() * 1000)


def told(*methods: str) -> Record:
    """Three days of a meter, one day of a log at 20 gpm, two of run times at 10 gpm, a day's report of 9,000 gal."""
    found = Record()
    for k in range(4 if "meter" in methods else 0):
        found.meter("M", midnight(BEGAN + timedelta(days=k)), str(1000 * k))
    for hour in range(25 if "log" in methods else 0):
        when = midnight(BEGAN) + timedelta(hours=hour)
        found.add("PW", "pumping_rate", when.date(), "20", "gpm", at=when.time())
    for k in range(2 if "run time" in methods else 0):
        found.add("PW", "pump_run_time", BEGAN + timedelta(days=k), "1", "h")
        found.table[-1].update(clock="day", statistic="sum")
    if "reports" in methods:
        report(found, BEGAN, "9000")
    return found


def report(found: Record, day: date, gallons: str, clock: str = "day") -> None:
    found.add("PW", "withdrawal", day, gallons, "gal")
    found.table[-1].update(clock=clock, statistic="sum", series=clock)


def place(volumes_by: str | None = None, **more: Any) -> Site:
    flow = [{"since": date(2025, 1, 1), "gpm": 10, "source": "made up"}]
    production = well("PW", 100, use="production", rated_flow=flow, volumes_by=volumes_by, **more)
    return site(well=[production, well("MW", 400, use="monitoring")], meter=[{"id": "M", "well": "PW"}],
                aquifer=AQUIFER)  # fmt: skip


def question(found: Record, on: date = ON, at: Site | None = None) -> Question:
    return ask(found, on, at=at or place())


def gallons(records: Any) -> float:
    return sum(one.volume_gal or 0.0 for record in records for one in record)


@pytest.mark.parametrize("stated", [None, *METHODS])
def test_the_night_and_the_record_that_speaks_are_one(stated: Any) -> None:
    """Every choice of methods on record: the stated one alone; unsaid the meter alone, else the first that tells."""
    for has in product([False, True], repeat=len(METHODS)):
        there = [one for one, is_there in zip(METHODS, has, strict=True) if is_there]
        asked = question(told(*there), at=place(stated))
        speaks = speaking(known_at_wells(asked, asked.site.wells("production"), ON)["PW"], stated)
        night = [found for _, found in pumping.metered(asked, ON + timedelta(days=1))]
        assert gallons(night) == pytest.approx(gallons(speaks.records) if speaks else 0.0), there
        if stated is not None:
            assert gallons(night) == pytest.approx(GALLONS[stated] if stated in there else 0), there
        elif "meter" in there:
            assert gallons(night) == 3000


def test_a_log_is_known_to_the_midnight_that_ends_the_day() -> None:
    """24 h at 20 gpm, the last of them logged at 00:00 of the day after: 28,800 gal by the end of the first day."""
    asked = question(told("log"), on=BEGAN)
    (only,) = known_at_wells(asked, asked.site.wells("production"), BEGAN)["PW"]
    assert gallons(only.records) == pytest.approx(28_800)


def test_the_least_that_contradicting_reports_tell_is_modelled_and_said() -> None:
    """June: 1,000 gal a day are 30,000, and the month says 620,000."""
    found = Record()
    for k in range(30):
        report(found, BEGAN + timedelta(days=k), "1000")
    report(found, BEGAN, "620000", "month")
    asked = question(found)
    pumped = pumping.metered(asked, date(2025, 7, 1))
    days, rates = pumping.schedule(pumped[0][1])
    assert float((np.diff(days) * rates[:-1]).sum()) == pytest.approx(30_000 * FT3_PER_GALLON)
    assert pumping.not_known(pumped) == (
        "PW has records that contradict each other, and the least that they tell counts",
    )


def test_a_stop_within_contradicting_reports_keeps_the_rate() -> None:
    """30,000 gal at least in 30 days, stopped after 10 of them: 10,000 gal."""
    whole = Interval(ms(BEGAN), ms(BEGAN + timedelta(days=30)), None, "reports contradict each other", "1:1",
                     (30_000, 620_000))  # fmt: skip
    meter = Meter(id="PW", well="PW")
    ((_, (cut,)),) = if_pumping_stopped._until([(meter, [whole])], whole.start_ms / DAY_MS + 10)
    assert (cut.at_least_gal, cut.end_ms - cut.start_ms) == (pytest.approx(10_000), 10 * DAY_MS)


def test_a_modelled_number_says_what_its_range_does_not_hold() -> None:
    """The register fell over 5 days, and nobody said why."""
    found = Record()
    for day, shown in ((1, "0"), (11, "50000"), (16, "40000"), (30, "45000")):
        found.meter("M", midnight(date(2025, 6, day)), shown)
    asked = question(found)
    target = next(one for one in asked.site.well if one.id == "MW")
    one = modelled_drawdown.at(asked, target, date(2025, 7, 1))
    assert one is not None
    words = "nothing is known of M for 5 days of its record, which count as no pumping"
    assert one.drawdown.lacks == (words,)
    assert one.says(asked).endswith(words)
    whole = Record()
    for day, shown in ((1, "0"), (11, "50000"), (16, "50000")):
        whole.meter("M", midnight(date(2025, 6, day)), shown)
    known = modelled_drawdown.at(question(whole), target, date(2025, 7, 1))
    assert known is not None
    assert known.drawdown.lacks == ()
    assert "nothing is known" not in known.says(asked)


def test_time_between_two_reports_is_not_known() -> None:
    found = told("reports")
    report(found, BEGAN + timedelta(days=3), "9000")
    (says,) = pumping.not_known(pumping.metered(question(found), date(2025, 7, 1)))
    assert says.startswith("nothing is known of PW for 2 days of its record")


QUANTITY = rule("howard.quantity.private")


def levels_beside(found: Record, changed: Changed = Changed(everything=True)) -> Any:  # noqa: B008
    """Levels that never move: whatever is pumped, they imply nothing."""
    for k in range(12):
        found.level("MW", BEGAN - timedelta(days=15 + 30 * k), "20")
    found.level("MW", ON - timedelta(days=1), "20")
    point = [{"since": date(2020, 1, 1), "elevation_ft": 1000, "height_above_land_ft": 0}]
    wells = [well("PW", 2640, use="production"), well("MW", 2700, use="monitoring", measuring_point=point)]
    at = site(well=wells, aquifer={**AQUIFER, "saturated_thickness_ft": 800})
    return check(QUANTITY, ask(found, ON, at=at, changed=changed))


def test_levels_are_compared_with_the_reports_of_a_well_without_a_meter() -> None:
    found = Record()
    report(found, BEGAN, "21600000", "month")  # 500 gpm
    night = Changed({("PW", "withdrawal"): BEGAN})
    answer = levels_beside(found, night)
    (one,) = answer.findings
    assert (one.station, one.status) == ("PW", "WATCH")
    assert one.measured.endswith("PW recorded 500 gpm, mean of the recorded time")
    assert any(scope.covers(one) for scope in answer.scopes)
    gone = levels_beside(Record(), night)
    (change,) = transitions([one], gone.findings, gone.scopes)
    assert change.change == "retracted"


def test_a_new_report_of_a_well_without_a_meter_is_compared() -> None:
    found = Record()
    report(found, BEGAN, "21600000", "month")
    assert len(levels_beside(found, Changed({("PW", "withdrawal"): BEGAN})).findings) == 1
    assert levels_beside(Record(), Changed({("G-1", "discharge"): BEGAN})).findings == ()


def test_days_of_a_year_are_bounded_by_the_largest_pump_it_had() -> None:
    """A pump of 50,000 gal/day was exchanged for one of 10,000, and taken out: a week of 70,000 gal in June."""
    pumps = [{"since": date(2025, 1, 1), "capacity_gpd": 50_000}, {"since": date(2025, 8, 1), "capacity_gpd": 10_000},
             {"since": date(2025, 12, 1), "capacity_gpd": 0}]  # fmt: skip
    found = Record()
    for day, shown in ((BEGAN, "0"), (BEGAN + timedelta(days=7), "70000")):
        found.meter("M", midnight(day), shown)
    asked = question(found, on=date(2025, 12, 31), at=place(pump=pumps))
    known = known_at_wells(asked, asked.site.wells("production"), asked.on)
    year = SimpleNamespace(site=asked.site, known=known, zone=CHICAGO, start=date(2025, 1, 1), end=asked.on)
    rows = days_table(year, "4.6").rows  # type: ignore[arg-type]
    assert [row[5] for row in rows] == [50_000] * 7


@pytest.mark.parametrize("last", [None, 5000.0])
def test_a_last_volume_that_nobody_knows_is_no_rate_that_goes_on(last: float | None) -> None:
    first = Interval(ms(BEGAN), ms(BEGAN + timedelta(days=5)), 72_000, "", "1:1")
    then = replace(first, start_ms=first.end_ms, end_ms=first.end_ms + DAY_MS, volume_gal=last)
    notes = site_scenario(place(), {"PW": [[first, then]]}, {}, CHICAGO).notes
    unknown = "PW: the volume of its last interval is not known, and no pumping is taken to go on"
    assert (unknown in notes) is (last is None)
    assert any("is taken to go on" in one and "gpm" in one for one in notes) is (last is not None)


def test_a_well_without_a_meter_has_spoken_by_its_reports() -> None:
    found, at = told("reports"), place()
    levels = WellRecord(at.well[0], pd.DataFrame(columns=["time_ms", "day", "depth_ft", "kind", "dry"]))
    one = _well_station(found, at, levels, pd.DataFrame(), date(2025, 1, 1), ON)  # type: ignore[arg-type]
    assert (one.last_day, one.n) == (BEGAN, 1)
