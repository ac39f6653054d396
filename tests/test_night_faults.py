"""Faults that were found by trying to break the night, each with what is right."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from models.errors import BadSite, EnvironmentFailed
from models.streamflow.day_states import DailyFlow
from pipelines import cli
from pipelines.daily_file import file_records
from pipelines.database import open_store
from pipelines.site_folder import open_site
from sample_data import demo
from tests.town import GAUGE, HIGH, LOW, Town


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path / "town")


def spells(town: Town) -> list[tuple[str, str, str]]:
    found = [one for one in town.findings() if one["rule"] == "howard.baseflow"]
    return sorted((one["start"], one["opened_on"], one["status"]) for one in found)


def told(summary: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["change"], one["opened_on"]) for one in summary["changes"] if not one["information"]]


def test_rows_of_later_days_wait_for_their_own_night(town: Town) -> None:
    town.daily("all.rdb", "2025-07-01", [HIGH, *[LOW] * 7, HIGH])
    assert told(town.night("2025-07-03")) == []
    assert told(town.night("2025-07-09")) == [("opened", "2025-07-07")]


def test_a_record_loaded_at_once_or_night_by_night_gives_the_same_findings(tmp_path: Path) -> None:
    at_once, nightly = Town(tmp_path / "a"), Town(tmp_path / "b")
    for _, files in demo.deliveries():
        for file in files:
            at_once.deliver(file)
    at_once.night("2025-06-30")
    at_once.night("2025-12-31")
    for on, files in demo.deliveries():
        for file in files:
            nightly.deliver(file)
        nightly.night(on.isoformat())
    assert _verdicts(at_once) == _verdicts(nightly)


def _verdicts(town: Town) -> list[tuple[str, ...]]:
    names = ("rule", "station", "parameter", "aspect", "start", "verdict")
    return sorted(tuple(one[name] for name in names) for one in town.findings() if one["status"] != "at risk")


def test_a_sensor_that_takes_over_is_the_same_gauge_however_the_files_are_bundled(tmp_path: Path) -> None:
    together, apart = Town(tmp_path / "a"), Town(tmp_path / "b")
    together.quarters("one.rdb", "2025-07-01", 4, "4.00", "100001")
    together.quarters("two.rdb", "2025-07-01", 11, "4.00", "200001")
    together.night("2025-07-11")
    apart.quarters("one.rdb", "2025-07-01", 4, "4.00", "100001")
    apart.night("2025-07-04")
    apart.quarters("two.rdb", "2025-07-01", 11, "4.00", "200001")
    apart.night("2025-07-11")
    assert spells(together) == spells(apart) == [("2025-07-01", "2025-07-06", "TRIGGERED_OPEN")]


# The same rows in other deliveries ------------------------------------------------------------------------------------

Readings = list[tuple[datetime, str]]


def stretch(start: str, stop: str, minutes: int, value: str) -> Readings:
    first, last = datetime.fromisoformat(start), datetime.fromisoformat(stop)
    count = (last - first) // timedelta(minutes=minutes)
    return [(first + timedelta(minutes=minutes * k), value) for k in range(count)]


def without(rows: Readings, start: str, stop: str) -> Readings:
    return [(at, value) for at, value in rows if not start <= at.isoformat() < stop]


HIGH_DAYS = stretch("2025-07-01", "2025-07-04", 15, HIGH)
LOW_DAYS = stretch("2025-07-04", "2025-07-12", 15, LOW)
DELIVERED: dict[str, tuple[Readings, list[tuple[str, str, str]]]] = {
    "quarters, then hourly": (
        HIGH_DAYS + stretch("2025-07-04", "2025-07-12", 60, LOW), [("2025-07-04", "2025-07-09", "TRIGGERED_OPEN")]
    ),
    "five minutes, then quarters": (
        stretch("2025-07-01", "2025-07-04", 5, LOW) + stretch("2025-07-04", "2025-07-12", 15, LOW),
        [("2025-07-01", "2025-07-06", "TRIGGERED_OPEN")],
    ),
    "quarters, then a reading every four hours": (HIGH_DAYS + stretch("2025-07-04", "2025-07-12", 240, LOW), []),
    "a hole at the beginning of a day": (
        HIGH_DAYS + without(LOW_DAYS, "2025-07-06T00:00", "2025-07-06T04:30"),
        [("2025-07-04", "2025-07-09", "TRIGGERED_OPEN")],
    ),
    "a hole at the end of a day": (
        HIGH_DAYS + without(LOW_DAYS, "2025-07-06T19:30", "2025-07-07T00:00"),
        [("2025-07-04", "2025-07-09", "TRIGGERED_OPEN")],
    ),
    "a hole of a day and a piece of the next": (
        HIGH_DAYS + without(LOW_DAYS, "2025-07-06T00:00", "2025-07-07T04:30"),
        [("2025-07-04", "2025-07-09", "INDETERMINATE_OPEN")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DELIVERED)
def test_a_record_is_the_same_in_whatever_pieces_it_comes(tmp_path: Path, name: str) -> None:
    rows, right = DELIVERED[name]
    whole = Town(tmp_path / "whole")
    whole.readings("all.rdb", rows)
    whole.night("2025-07-11")
    assert spells(whole) == right
    for number, cuts in enumerate([[1] * 11, [3, 4, 4]]):
        pieces = in_pieces(tmp_path / f"{number}", rows, cuts)
        assert without_place(pieces.record()) == without_place(whole.record())
        assert spells(pieces) == right


def in_pieces(folder: Path, rows: Readings, cuts: list[int]) -> Town:
    """The same rows, so many days to a delivery, each with its night."""
    town, day = Town(folder), date(2025, 7, 1)
    for days in cuts:
        until = day + timedelta(days=days)
        piece = [one for one in rows if day <= one[0].date() < until]
        if piece:
            town.readings(f"{until}.rdb", piece)
        town.night((until - timedelta(days=1)).isoformat())
        day = until
    return town


def without_place(record: list[DailyFlow]) -> list[DailyFlow]:
    """The record without the file and row its values stand in."""
    return [replace(one, version="") for one in record]


def test_a_day_that_comes_late_repairs_its_neighbours(town: Town) -> None:
    """6 July from 04:30 on is known at once; that its first hours held nothing else, when 5 July comes."""
    rows = without(HIGH_DAYS + LOW_DAYS, "2025-07-06T00:00", "2025-07-06T04:30")
    town.readings("a.rdb", [one for one in rows if one[0].day != 5])
    town.night("2025-07-11")
    assert next(one.hole_too_long for one in town.record() if one.day.day == 6)
    town.readings("b.rdb", [one for one in rows if one[0].day == 5])
    town.night("2025-07-12")
    assert not any(one.hole_too_long for one in town.record())
    assert spells(town) == [("2025-07-04", "2025-07-09", "TRIGGERED_OPEN")]


def test_another_threshold_of_a_daily_mean_holds_for_the_days_already_there(town: Town) -> None:
    """A reading every two hours is no day by default; a town that adopts two hours has its record anew."""
    town.readings("a.rdb", HIGH_DAYS + stretch("2025-07-04", "2025-07-12", 120, LOW))
    town.night("2025-07-11")
    assert spells(town) == []
    policy = '[day_longest_step]\nvalue = 120\nunit = "min"\nreason = "adopted"\n'
    (town.folder / "policy.toml").write_text(policy, encoding="utf-8")
    town.night("2025-07-12")
    assert {str(one.coverage) for one in town.record()} == {"1"}
    assert spells(town) == [("2025-07-04", "2025-07-09", "TRIGGERED_OPEN")]


def test_a_visit_is_a_hole_of_one_reading_and_ice_a_doubt_of_its_day(town: Town) -> None:
    rows = HIGH_DAYS + LOW_DAYS
    for day, word in ((6, "Mnt"), (8, "Ice")):
        noon = datetime.fromisoformat(f"2025-07-{day:02}T12:00")
        rows[rows.index((noon, LOW))] = (noon, word)
    town.readings("a.rdb", rows)
    zone, file = ZoneInfo("America/Chicago"), town.folder / "inbox" / "a.rdb"
    (of_file,) = file_records(file, "discharge", zone, None).records.values()
    town.night("2025-07-11")
    assert without_place(of_file) == without_place(town.record())
    marked = {one.day.day: one.qualifiers for one in town.record() if one.qualifiers}
    assert marked == {8: ("Ice",)}
    assert next(one.coverage for one in town.record() if one.day.day == 6) == Decimal(95) / 96


def test_a_night_reads_no_day_after_its_own(tmp_path: Path) -> None:
    rows = HIGH_DAYS + without(LOW_DAYS, "2025-07-05T19:00", "2025-07-06T00:00")
    early, late = Town(tmp_path / "a"), Town(tmp_path / "b")
    early.readings("all.rdb", rows)
    late.readings("some.rdb", [one for one in rows if one[0].day <= 5])
    early.night("2025-07-05")
    late.night("2025-07-05")
    assert [(one.day, one.hole_too_long) for one in early.record()] == [
        (one.day, one.hole_too_long) for one in late.record()
    ]
    early.night("2025-07-06")
    assert early.record()[-1].day == date(2025, 7, 6)
    assert not early.record()[4].hole_too_long


def test_a_backup_series_speaks_where_the_first_one_has_only_a_code(town: Town) -> None:
    town.daily("first.rdb", "2025-07-01", [HIGH, *[LOW] * 3, "Eqp", *[LOW] * 3, HIGH])
    town.daily("backup.rdb", "2025-07-05", [LOW], series="300001")
    town.night("2025-07-09")
    assert spells(town) == [("2025-07-02", "2025-07-07", "TRIGGERED_CLOSED")]


def test_silence_is_no_recovery(town: Town) -> None:
    town.daily("a.rdb", "2025-07-01", [HIGH, *[LOW] * 7])
    assert told(town.night("2025-07-08")) == [("opened", "2025-07-07")]
    silent = town.night("2025-07-20")
    assert told(silent) == [("amended", "2025-07-07")]
    assert not any("Ended" in mail for mail in silent["mails"])
    town.daily("b.rdb", "2025-07-09", [*[LOW] * 11, HIGH])
    assert told(town.night("2025-07-21")) == [("amended", "2025-07-07")]
    assert spells(town) == [("2025-07-02", "2025-07-07", "TRIGGERED_CLOSED")]


def test_spells_that_a_revision_merges_are_told_as_one_change(town: Town) -> None:
    town.daily("a.rdb", "2025-07-01", [HIGH, *[LOW] * 7, HIGH, *[LOW] * 7, HIGH])
    town.night("2025-07-17")
    town.daily("b.rdb", "2025-07-09", [LOW])
    changes = told(town.night("2025-07-18"))
    assert ("amended", "2025-07-07") in changes
    assert not any(change == "retracted" for change, _ in changes)
    assert spells(town) == [("2025-07-02", "2025-07-07", "TRIGGERED_CLOSED")]


def test_two_samples_of_one_day_are_two_results(town: Town) -> None:
    header, *rows = (demo.SAMPLE / "nights" / "2025-11-04" / "grn-export-2025-10-28.csv").read_text().splitlines()
    arsenic = next(row for row in rows if "ZZ903" in row and ",1002," in row)
    assert ",10," in arsenic
    sample = arsenic.split(",")[-3]
    second = arsenic.replace(",10,", ",3,").replace(sample, f"{sample}-DUP")
    town.put("lab.csv", "\n".join([header, arsenic.replace(",10,", ",12,")]) + "\n")
    town.night("2025-11-04")
    town.put("lab2.csv", "\n".join([header, second]) + "\n")
    assert ("retracted", "2025-10-28") not in told(town.night("2025-11-05"))
    attained = {(one["measured"], one["aspect"].split(" [")[0]) for one in town.findings() if one["station"] == "MW-3"}
    assert attained == {("12 ug/L", "PAL Table 1"), ("12 ug/L", "ES Table 1"), ("3 ug/L", "PAL Table 1")}


@pytest.mark.parametrize("names", [("a.rdb", "b.rdb"), ("b.rdb", "a.rdb")])
def test_an_old_provisional_file_does_not_undo_an_approval(town: Town, names: tuple[str, str]) -> None:
    approved, provisional = names
    town.daily(approved, "2025-07-01", [HIGH] * 9, approval="A")
    town.daily(provisional, "2025-07-01", [HIGH, *[LOW] * 7, HIGH], approval="P")
    summary = town.night("2025-07-10")
    assert spells(town) == []
    withheld = [line for line in summary["left_out"] if "provisional, where an approved value stands" in line]
    assert len(withheld) == (1 if approved == "a.rdb" else 0)


def test_a_night_run_again_after_a_correction_of_the_site(town: Town) -> None:
    town.daily("a.rdb", "2025-07-01", [HIGH, *[LOW] * 7, HIGH])
    town.night("2025-07-10")
    town.edit("site.toml", "mining_began = 2025-01-01", "mining_began = 2025-07-05")
    assert told(town.night("2025-07-10")) == [("retracted", "2025-07-07")]
    town.edit("site.toml", "mining_began = 2025-07-05", "mining_began = 2025-01-01")
    assert told(town.night("2025-07-10")) == [("opened", "2025-07-07")]


def test_what_was_over_before_the_record_was_first_judged_is_no_news(town: Town) -> None:
    town.night("2025-07-01")
    town.daily("a.rdb", "2025-06-01", [HIGH, *[LOW] * 7, HIGH])
    summary = town.night("2025-07-02")
    assert told(summary) == [("opened", "2025-06-07")]
    assert not any("New" in mail for mail in summary["mails"])


def test_an_act_of_no_plausible_year_is_one_refused_line(town: Town) -> None:
    line = "howard.remedy/R-2/2025-08-12,town_receipt,0001-01-01T00:00:00+14:00,2025-07-01T23:59:59-06:00,clerk,,,\n"
    with (town.folder / "events.csv").open("a", encoding="utf-8") as file:
        file.write(line)
    summary = town.night("2025-07-10")
    assert [one for one in summary["left_out"] if "plausible year" in one]


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true"])
def test_a_store_that_would_forget_is_refused(url: str) -> None:
    with pytest.raises(EnvironmentFailed, match="forget"):
        open_store(url)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("boundary = [[", "boundary = [[nan, 0.0], [", "boundary"),
        ('to = "clerk@town-of-howard.example"', 'to = "clérk@town.example"', "mail.to"),
        ('to = "clerk@town-of-howard.example"', 'to = "a@b..c"', "mail.to"),
        ('clock = "UTC-06:00"', 'clock = "UTC-99:99"', "clock"),
        ("value_cfs = 5.07", "value_cfs = 1e400", "value_cfs"),
        ("mining_began = 2025-01-01", "mining_began = 0001-01-01", "mining_began"),
        ("mining_began = 2025-01-01", "mining_began = 9999-12-31", "mining_began"),
        ("record_to = 2024-12-20", "record_to = 1999-12-20", "record_to"),
    ],
)
def test_a_site_that_cannot_be_is_refused_by_key(town: Town, old: str, new: str, key: str) -> None:
    town.edit("site.toml", old, new)
    with pytest.raises(BadSite, match=f"site.toml: .*{key}"):
        open_site(town.folder)


def test_a_boundary_that_crosses_itself_is_refused(town: Town) -> None:
    site = open_site(town.folder).site
    a, b, c, d = site.boundary[:4]
    text = (town.folder / "site.toml").read_text(encoding="utf-8")
    start = text.index("boundary = ")
    end = text.index("]]", start) + 2
    crossed = ", ".join(f"[{x}, {y}]" for x, y in (a, c, b, d))
    (town.folder / "site.toml").write_text(f"{text[:start]}boundary = [{crossed}]{text[end:]}", encoding="utf-8")
    with pytest.raises(BadSite, match=r"boundary: (crosses itself|encloses nothing)"):
        open_site(town.folder)


def test_a_withdrawal_names_the_days_that_did_it_and_a_clock_that_runs_on_says_so(town: Town) -> None:
    town.daily("a.rdb", "2025-07-01", [HIGH, *[LOW] * 7, HIGH])
    town.night("2025-07-10")
    with (town.folder / "events.csv").open("a", encoding="utf-8") as file:
        file.write("howard.baseflow/LMC-1/2025-07-07,town_notice_given,2025-07-11T10:00-05:00,2025-07-11T11:00-05:00,")
        file.write("clerk,certified mail,,\n")
    town.night("2025-07-11")
    town.daily("b.rdb", "2025-07-05", ["5.50"], approval="A")
    assert told(town.night("2025-07-12")) == [("retracted", "2025-07-07")]
    assert "2025-07-05 4.00 cfs is now 5.50 cfs" in town.mail("withdrawn")
    town.night("2025-08-01")
    assert "has been withdrawn since" in town.mail("Overdue")


def test_a_file_that_cannot_be_moved_does_not_hold_the_night_back(town: Town) -> None:
    town.daily("a.rdb", "2025-07-01", [HIGH, *[LOW] * 7, HIGH])
    (town.folder / "inbox" / "done").write_text("in the way", encoding="utf-8")
    summary = town.night("2025-07-10")
    assert told(summary) == [("opened", "2025-07-07")]
    assert any("cannot be moved out of the inbox" in line for line in summary["left_out"])


def test_a_first_night_that_opens_a_case_says_so(town: Town) -> None:
    """The shortfall was over before the first night: no alert, but the town's duty is open from it."""
    town.daily("all.rdb", "2025-07-01", [HIGH, *[LOW] * 7, HIGH])
    town.night("2025-07-12")
    text = town.mail("found by the first load")
    assert "the first load found 1 condition over before it (1 attained); 1 duty opened." in text
    assert "below the established base flow (5.07 cfs," in text
    assert "2025-07-02 to 2025-07-07 [provisional]" in text
    assert "beyond uncertainty of the measurement" in text
    assert "Duties opened by what the first load found" in text
    assert "howard.baseflow/LMC-1/2025-07-07" in text.partition("Duties opened by what the first load found")[2]
    assert "no finding changed" not in text


def test_the_command_judges_a_gauge_as_the_night_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A poor record widens the margin: 4.60 is below 5.07 beyond 8 %, and within the 20 % of a poor record."""
    town = Town(tmp_path / "site")
    town.edit("site.toml", "[[gauge]]\n", '[[gauge]]\nrecord_rating = "poor"\n')
    town.daily("low.rdb", "2025-06-25", [HIGH, *["4.60"] * 6, HIGH])
    town.night("2025-07-05")
    by_night = {one["confidence"] for one in town.findings() if one["rule"] == "howard.baseflow"}
    gauge = next(one.id for one in open_site(town.folder).site.gauge if GAUGE in one.identifiers)
    assert cli.run(["shortfall", gauge, "--base-flow", "5.07", "--site", str(town.folder), "--json"]) == 0
    by_hand = {one["confidence"] for one in json.loads(capsys.readouterr().out)["spells"]}
    assert by_night == by_hand == {"WITHIN_UNCERTAINTY"}
