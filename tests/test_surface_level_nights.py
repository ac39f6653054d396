"""A pond's gauge through the inbox and the store: its readings become daily stages, and those a finding and a mail."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pipelines.database import opened, reading
from pipelines.recall import Recall
from pipelines.site_folder import open_site
from tests.town import Town

POND = """
[[lake]]
id = "POND"
name = "Example Pond"
shore = [[159700.0, 164500.0], [159900.0, 164500.0], [159900.0, 164700.0]]
uses = ["municipal"]

[[lake.base_level]]
gauge = "P-1"
value_ft = 984.20
effective = 2025-01-01
version = "1"
method = "tenth of the levels of July before mining"
record_from = 2020-01-01
record_to = 2024-12-20
baseline_years = 5.0
source = "licensee"
signed_by = "Example Hydrogeologist"
licence_kind = "PG"
licence_number = "EX-0000"
signed_on = 2024-12-27

[[gauge]]
id = "P-1"
name = "Example Pond at the boat landing"
identifiers = ["05999303"]
clock = "America/Chicago"
lake = "POND"
measures = "stage"
gauge_zero = [{ since = 2020-01-01, elevation_ft = 980.00 }]
datum_check = [{ on = 2025-04-15, found_ft = 0.01, by = "Example Surveyor" }]
"""


@pytest.fixture
def town(tmp_path: Path) -> Town:
    place = Town(tmp_path / "site")
    path = place.folder / "site.toml"
    path.write_text(path.read_text(encoding="utf-8") + POND, encoding="utf-8")
    return place


def hours(town: Town, name: str, start: date, stages: list[str]) -> None:
    """A file of hourly readings of the pond, each day at one stage [ft on the gauge]."""
    rows = [
        f"USGS\t05999303\t{start + timedelta(days=k)} {hour:02d}:00\tCDT\t{value}\tA"
        for k, value in enumerate(stages)
        for hour in range(24)
    ]
    head = "agency_cd\tsite_no\tdatetime\ttz_cd\t300001_00065\t300001_00065_cd"
    town.put(name, "\n".join([f"# {name}", head, "5s\t15s\t20d\t6s\t14n\t10s", *rows]) + "\n")


def of_pond(summary: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What changed at the pond, but for the outage from the first day of mining to its first reading."""
    told = (one for one in summary["changes"] if one["station"] == "P-1" and not one["information"])
    return [(one["change"], one["rule"], one["verdict"]) for one in told]


def test_six_days_of_a_pond_below_its_base_level(town: Town) -> None:
    hours(town, "july.rdb", date(2025, 7, 1), ["4.30", *["4.15"] * 5])
    assert of_pond(town.night("2025-07-06")) == []
    hours(town, "more.rdb", date(2025, 7, 7), ["4.15"])
    assert of_pond(town.night("2025-07-07")) == [("opened", "howard.surface_use.surface_level", "attained")]
    (found,) = [one for one in town.findings() if one["station"] == "P-1"]
    assert (found["start"], found["opened_on"], found["limit"]) == ("2025-07-02", "2025-07-07", "984.20 ft NAVD88")
    text = town.mail("surface water below its level before mining")
    assert '2.09(3)(d): "Mining operations shall not cause' in text
    assert "2025-07-07 984.15 ft < 984.20 ft" in text
    hours(town, "end.rdb", date(2025, 7, 8), ["4.20"])
    assert of_pond(town.night("2025-07-08")) == [("ended", "howard.surface_use.surface_level", "attained")]


def test_the_daily_stage_of_a_lake_is_kept_in_the_store(town: Town) -> None:
    hours(town, "july.rdb", date(2025, 7, 1), ["4.30", "4.15"])
    town.night("2025-07-02")
    site = open_site(town.folder)
    with opened(town.url) as engine, reading(engine) as connection:
        days = Recall(connection, ZoneInfo(site.law.zone)).daily("P-1", "stage", None, date(2025, 7, 2))
    assert [(str(one.day), one.value, one.origin) for one in days] == [
        ("2025-07-01", Decimal("4.30"), "computed"), ("2025-07-02", Decimal("4.15"), "computed"),
    ]  # fmt: skip


def test_a_revised_day_takes_the_finding_back(town: Town) -> None:
    hours(town, "july.rdb", date(2025, 7, 1), ["4.30", *["4.15"] * 6])
    assert of_pond(town.night("2025-07-07")) == [("opened", "howard.surface_use.surface_level", "attained")]
    hours(town, "again.rdb", date(2025, 7, 4), ["4.25"])
    summary = town.night("2025-07-08")
    assert of_pond(summary) == [("retracted", "howard.surface_use.surface_level", "attained")]
    assert "2025-07-04 984.15 ft against 984.20 ft is now 984.25 ft against 984.20 ft" in town.mail("withdrawn")


def test_a_base_level_edited_after_use_changes_no_finding_and_every_night_says_so(town: Town) -> None:
    hours(town, "july.rdb", date(2025, 7, 1), ["4.30", *["4.15"] * 6])
    assert of_pond(town.night("2025-07-07")) == [("opened", "howard.surface_use.surface_level", "attained")]
    town.edit("site.toml", "value_ft = 984.20", "value_ft = 984.00")
    for on in ("2025-07-08", "2025-07-09"):
        summary = town.night(on)
        assert [change for change, _, _ in of_pond(summary) if change != "continued"] == []
        (line,) = [one for one in summary["left_out"] if "first used on" in one]
        assert "base level version 1 of gauge P-1 was edited after it was first used on 2025-07-07" in line
        assert "value_ft 984.20 is now 984.00" in line
    (stands,) = [one for one in town.findings() if one["station"] == "P-1"]
    assert (stands["limit"], stands["verdict"]) == ("984.20 ft NAVD88", "attained")


@pytest.mark.parametrize("nights", [["2025-07-09", "2025-07-10"], ["2025-07-10"]])
def test_a_survey_that_was_in_the_file_beforehand_counts_from_its_day_on(town: Town, nights: list[str]) -> None:
    """Night by night and in one night: the survey of 07-10 puts the days before it in doubt, whatever else is new."""
    town.edit("site.toml", "datum_check = [", 'datum_check = [{ on = 2025-07-10, found_ft = 0.30, by = "S" }, ')
    hours(town, "july.rdb", date(2025, 7, 1), ["4.30", *["4.15"] * 6, "4.30", "4.30"])
    if len(nights) > 1:
        assert of_pond(town.night(nights[0])) == [("opened", "howard.surface_use.surface_level", "attained")]
    hours(town, "more.rdb", date(2025, 7, 10), ["4.30"])
    town.night(nights[-1])
    found = [one for one in town.findings() if one["station"] == "P-1" and one["parameter"] == "stage"]
    said = [(one["start"], one["end"], one["verdict"]) for one in found]
    assert said == [("2025-07-02", "2025-07-07", "indeterminate")]
