"""What was known when, which rejects still wait, and what a delivery says beside its counts."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from sqlalchemy import Engine

from ingest.reading import NOTHING, Reading, Told
from models.errors import BadQuestion
from models.observation import Flags, tidy
from models.site import Site
from pipelines import arrival_notes, cli, inbox, observations, open_rejects
from pipelines.casebook import ms
from pipelines.database import open_store, opened, reading, transaction
from pipelines.inbox import Receipt
from pipelines.known_at import instant_ms
from pipelines.site_folder import open_site
from pipelines.speaking_sensor import SILENT, THIN, USABLE, SensorDay, speaking
from tests.town import HIGH, LOW, Town

ZONE = ZoneInfo("America/Chicago")
SITE = """
id = "revised"
name = "A made-up site whose files are corrected"
ordinance = "howard"
crs = "EPSG:7595"
reference_point = "made up"
boundary = [[158000.0, 164400.0], [159600.0, 164400.0], [159600.0, 167040.0], [158000.0, 167040.0]]
party = [{id = "op", role = "operator", name = "Example operator"}, {id = "town", role = "town", name = "Example"}]

[permit]
number = "1"
granted = 2020-01-01
ends = 2030-01-01
mining_began = 2021-01-01
holders = [{party = "op", since = 2020-01-01}]

[[gauge]]
id = "G-1"
role = "reference"

[[well]]
id = "W-1"
use = "monitoring"
position = [158100.0, 164500.0]
"""
HEAD = "station,date,discharge_ft3s,qualifier"
DAYS = [f"G-1,2025-07-0{day},4.00,P" for day in range(1, 8)]

Answer = Callable[..., Any]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "site.toml").write_text(SITE, encoding="utf-8")
    return folder


@pytest.fixture
def answer(capfd: pytest.CaptureFixture[str], site: Path) -> Answer:
    """The JSON of a command at the site."""

    def run(*arguments: object) -> Any:
        capfd.readouterr()
        code = cli.run([str(one) for one in (*arguments, "--site", site, "--json")])
        out, err = capfd.readouterr()
        assert code in {0, 3}, err
        return json.loads(out)

    return run


def deliver(site: Path, name: str, *lines: str, on: str = "2025-07-10T00:00", told: Told = NOTHING) -> Receipt:
    """One file, known to the town at an instant (UTC)."""
    path = site.parent / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return take(site, path, on, told)


def take(site: Path, path: Path, on: str = "2025-07-10T00:00", told: Told = NOTHING) -> Receipt:
    folder = open_site(site)
    with opened(url(site)) as engine:
        return inbox.take(
            engine, folder.site, ZONE, path, ms(datetime.fromisoformat(on).replace(tzinfo=UTC)), told=told
        )


def url(site: Path) -> str:
    return f"sqlite:///{site / 'headwater.db'}"


def stored(site: Path) -> list[tuple[str, str]]:
    with opened(url(site)) as engine, reading(engine) as connection:
        rows = observations.read(connection)
    return list(zip(rows["value_text"], rows["flags"], strict=True))


# Known at ------------------------------------------------------------------------------------------------------------


def test_a_shortfall_is_told_as_it_was_known(site: Path, answer: Answer) -> None:
    """Seven days at 4 cfs; on the 20th the third turns out to have been 9: no more six in a row."""
    deliver(site, "a.csv", HEAD, *DAYS, on="2025-07-10T12:00")
    corrected = [*DAYS[:2], "G-1,2025-07-03,9.00,P", *DAYS[3:]]
    receipt = deliver(site, "b.csv", HEAD, *corrected, on="2025-07-20T12:00")
    assert (receipt.revised, receipt.duplicate) == (1, 6)
    shortfall = ("shortfall", "G-1", "--base-flow", "5.07")
    spells = {
        when: [(one["start"], one["known_below_days"]) for one in answer(*shortfall, *at)["spells"]]
        for when, at in {
            "now": (),
            "then": ("--known-at", "2025-07-19"),
            "noon": ("--known-at", "2025-07-20T07:00"),
        }.items()
    }
    assert spells["then"] == [("2025-07-01", 7)]
    assert spells["now"] == spells["noon"] == [("2025-07-01", 2), ("2025-07-04", 4)]
    before = answer(*shortfall, "--known-at", "2025-07-20T11:59Z")["spells"]
    assert [one["known_below_days"] for one in before] == [7]


def test_nothing_was_known_before_it_came(site: Path, answer: Answer, capfd: pytest.CaptureFixture[str]) -> None:
    deliver(site, "a.csv", HEAD, *DAYS)
    arguments = ["shortfall", "G-1", "--base-flow", "5", "--known-at", "2025-07-01", "--site", str(site)]
    assert cli.run(arguments) == 2
    assert "no discharge" in capfd.readouterr().err


def test_a_result_is_judged_as_it_was_known(site: Path, answer: Answer) -> None:
    head = "station,date,parameter,value,unit"
    deliver(site, "lab.csv", head, "W-1,2025-06-01,arsenic,12,ug/L", on="2025-07-01T12:00")
    deliver(site, "lab2.csv", head, "W-1,2025-06-01,arsenic,0.2,ug/L", on="2025-08-01T12:00")
    values = {
        at: {one["value_text"] for one in answer("quality", "W-1", *at)["verdicts"]}
        for at in [(), ("--known-at", "2025-07-31"), ("--known-at", "2025-08-01")]
    }
    assert list(values.values()) == [{"0.2"}, {"12"}, {"0.2"}]


@pytest.mark.parametrize("command", [("shortfall", "--base-flow", "5"), ("quality",)])
def test_a_file_has_no_history(site: Path, capfd: pytest.CaptureFixture[str], command: tuple[str, ...]) -> None:
    path = site / "a.csv"
    path.write_text("date,value\n2025-07-01,4\n")
    assert cli.run([command[0], str(path), *command[1:], "--known-at", "2025-07-01", "--site", str(site)]) == 2
    assert "--known-at" in capfd.readouterr().err


@pytest.mark.parametrize("text", ["yesterday", "2025-13-01", "0001-01-01", "9999-12-31", "", "2025-07-01T25:00Z"])
def test_what_is_no_instant_is_refused(text: str) -> None:
    with pytest.raises(BadQuestion, match="--known-at"):
        instant_ms(text, ZONE)


def test_a_day_ends_at_local_midnight() -> None:
    """2025-07-01 ends at 05:00 UTC of the second, in winter at 06:00."""
    assert instant_ms("2025-07-01", ZONE) == ms(datetime(2025, 7, 2, 5, tzinfo=UTC)) + 999
    assert instant_ms("2025-01-01", ZONE) == ms(datetime(2025, 1, 2, 6, tzinfo=UTC)) + 999
    assert instant_ms("2025-07-01T06:00Z", ZONE) == ms(datetime(2025, 7, 1, 6, tzinfo=UTC))
    assert instant_ms("2025-07-01T06:00", ZONE) == ms(datetime(2025, 7, 1, 11, tzinfo=UTC))


def test_approval_is_a_version_and_dropped_rows_stay(site: Path, answer: Answer) -> None:
    deliver(site, "a.csv", HEAD, *DAYS, on="2025-07-10T12:00")
    receipt = deliver(site, "a.csv", HEAD, *[day.replace(",P", ",A") for day in DAYS[:2]], on="2025-09-01T12:00")
    assert (receipt.accepted, receipt.revised) == (0, 2)
    assert [flags for _, flags in stored(site)] == ["A", "A", "P", "P", "P", "P", "P"]
    then = answer("shortfall", "G-1", "--base-flow", "5", "--known-at", "2025-08-01")
    assert then["spells"][0]["provisional"] is True


def test_an_approved_value_is_not_undone_by_an_older_file(site: Path, answer: Answer) -> None:
    deliver(site, "a.csv", HEAD, "G-1,2025-07-01,4.00,A")
    receipt = deliver(site, "old.csv", HEAD, "G-1,2025-07-01,9.00,P", on="2025-08-01T00:00")
    assert (receipt.accepted, receipt.revised, receipt.rejected) == (0, 0, 1)
    assert stored(site) == [("4.00", "A")]


def test_a_row_is_kept_out_for_its_own_value_only(site: Path, answer: Answer) -> None:
    """Stage and discharge stand in one row; only the discharge was approved otherwise."""
    head = "station,date,discharge_ft3s,stage_ft,qualifier"
    deliver(site, "a.csv", HEAD, "G-1,2025-07-01,4.00,A")
    receipt = deliver(site, "b.csv", head, "G-1,2025-07-01,9.00,1.50,P", on="2025-08-01T00:00")
    assert (receipt.accepted, receipt.rejected) == (1, 1)
    assert [one["raw"] for one in answer("rejects")] == ["9.00"]


# Rejects that wait ---------------------------------------------------------------------------------------------------


def open_of(answer: Answer, *more: str) -> list[tuple[str, int]]:
    return [(one["file"], one["row"]) for one in answer("rejects", *more)]


def test_a_corrected_file_settles_its_rejects(site: Path, answer: Answer) -> None:
    deliver(site, "a.csv", HEAD, *DAYS[:3], "G-1,2025-07-04,4.oo,P", *DAYS[4:])
    assert open_of(answer) == [("a.csv", 5)]
    deliver(site, "a.csv", HEAD, *DAYS, on="2025-07-11T00:00")
    assert open_of(answer) == []
    (kept,) = answer("rejects", "--all")
    assert (kept["raw"], kept["open"]) == ("4.oo", False)


def test_a_correction_that_is_bad_itself_leaves_one_reject_open(site: Path, answer: Answer) -> None:
    deliver(site, "a.csv", HEAD, *DAYS[:3], "G-1,2025-07-04,4.oo,P", *DAYS[4:])
    deliver(site, "a.csv", "", HEAD, *DAYS[:3], "G-1,2025-07-04,4.o,P", *DAYS[4:], on="2025-07-11T00:00")
    assert open_of(answer) == [("a.csv", 6)]
    deliver(site, "a.csv", HEAD, *DAYS, on="2025-07-12T00:00")
    assert (open_of(answer), len(open_of(answer, "--all"))) == ([], 2)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("b.csv", DAYS),  # another file
        ("a.csv", [f"G-1,2025-08-0{day},4.00,P" for day in range(1, 8)]),  # the next month under the same name
        ("a.csv", [*DAYS[3:], "G-1,2025-07-08,4.00,P"]),  # a window that moved on and left days behind
    ],
)
def test_what_corrects_nothing_settles_nothing(site: Path, answer: Answer, name: str, rows: list[str]) -> None:
    deliver(site, "a.csv", HEAD, DAYS[0], "G-1,2025-07-02,4.oo,P", *DAYS[2:])
    deliver(site, name, HEAD, *rows, on="2025-08-11T00:00")
    assert open_of(answer) == [("a.csv", 3)]


def test_a_file_that_could_not_be_read_at_all_is_settled_by_one_that_could(site: Path, answer: Answer) -> None:
    assert deliver(site, "a.csv", "what is this?").error
    assert open_of(answer) == [("a.csv", 0)]
    deliver(site, "a.csv", HEAD, *DAYS, on="2025-07-11T00:00")
    assert open_of(answer) == []


@pytest.mark.parametrize(
    ("first", "second", "still"),
    [
        ("G-1,2025-07-01,x,P", "G-1,2025-07-01,4,P", []),
        ("G-9,2025-07-01,4,P", "G-1,2025-08-01,4,P", [("a.csv", 2)]),  # July of G-9 was never taken
    ],
)
def test_a_file_that_brought_nothing(
    site: Path, answer: Answer, first: str, second: str, still: list[tuple[str, int]]
) -> None:
    deliver(site, "a.csv", HEAD, first)
    deliver(site, "a.csv", HEAD, second, on="2025-08-11T00:00")
    assert open_of(answer) == still


@pytest.mark.parametrize("later", ["G-1,2025-07-01,9.00,A", "G-1,2025-07-01,4.00,A", "G-1,2025-07-01,4.00,P"])
def test_a_kept_out_value_waits_until_a_delivery_agrees_with_the_approved_one(
    site: Path, answer: Answer, later: str
) -> None:
    """Fetched files carry their day in the name: no correction comes under the same one."""
    deliver(site, "a.csv", HEAD, "G-1,2025-07-01,4.00,A")
    deliver(site, "b.csv", HEAD, "G-1,2025-07-01,9.00,P", "G-1,2025-07-02,x,P", on="2025-08-01T00:00")
    deliver(site, "c.csv", HEAD, "G-1,2025-07-03,5.00,A", on="2025-08-02T00:00")
    deliver(site, "d.csv", HEAD, "G-1,2025-07-01,8.00,P", on="2025-08-03T00:00")
    assert sorted(open_of(answer)) == [("b.csv", 2), ("b.csv", 3), ("d.csv", 2)]
    deliver(site, "e.csv", HEAD, later, "G-1,2025-07-09,4.00,A", on="2025-08-04T00:00")
    assert open_of(answer) == [("b.csv", 3)]


def test_a_station_that_site_toml_learns_settles_its_rejects(site: Path, answer: Answer) -> None:
    """The same bytes under another name are the same file; a reject that is still true stays open."""
    rows = [HEAD, *[day.replace("G-1", "USGS-9") for day in DAYS], "G-1,2025-07-08,x,P"]
    deliver(site, "a.csv", *rows)
    assert open_of(answer) == [("a.csv", 2), ("a.csv", 9)]
    (site / "site.toml").write_text(SITE.replace('id = "G-1"', 'id = "G-1"\nidentifiers = ["9"]'), encoding="utf-8")
    receipt = deliver(site, "renamed.csv", *rows, on="2025-07-11T00:00")
    assert (receipt.seen, receipt.accepted) == (True, 7)
    assert open_of(answer) == [("a.csv", 9)]
    assert len(open_of(answer, "--all")) == 2


def test_a_renamed_file_is_the_same_file(site: Path, answer: Answer) -> None:
    deliver(site, "a.csv", HEAD, *DAYS)
    receipt = deliver(site, "b.csv", HEAD, *DAYS, on="2025-07-11T00:00")
    assert (receipt.seen, receipt.accepted, receipt.duplicate) == (True, 0, 0)


def test_rejects_wait_on_either_database(store_url: str) -> None:
    """The rule is queries: it must say the same on PostgreSQL."""
    engine: Engine = open_store(store_url)
    site = Site.model_validate(_site())
    folder = Path(__file__).parent / "data" / "cases" / "TS-06"
    told = Told(station="G-1")
    inbox.take(engine, site, ZONE, folder / "input.csv", 1, told=told)
    inbox.take(engine, site, ZONE, folder.parent / "ID-05" / "input.csv", 2)
    with reading(engine) as connection:
        assert open_rejects.listed(connection)["raw"].tolist() == ["24:15", "04999001"]
        assert open_rejects.listed(connection, history=True)["open"].tolist() == [True, True]
    engine.dispose()


def _site() -> dict[str, Any]:
    return tomllib.loads(SITE)


# Beside the counts ---------------------------------------------------------------------------------------------------


def test_sensors_that_overlap_in_two_files_are_said(site: Path) -> None:
    head = "station,parameter_cd,sensor,datetime_utc,value"
    first = deliver(site, "a.csv", head, *(f"G-1,00060,A,2025-07-0{day}T00:00Z,4" for day in (1, 2, 3)))
    other = deliver(site, "b.csv", head, *(f"G-1,00060,B,2025-07-0{day}T00:00Z,5" for day in (3, 4)))
    after = deliver(site, "c.csv", head, "G-1,00060,C,2025-07-09T00:00Z,5", "G-1,00065,A,2025-07-03T00:00Z,5")
    assert (first.note, after.note) == ("", "")
    assert other.note.startswith(
        "G-1 discharge instant: series A and B both cover 2025-07-03 to 2025-07-03; both are kept"
    )
    assert len(stored(site)) == 7


def test_many_overlaps_are_few_sentences(site: Path) -> None:
    """Six sensors over one time are fifteen pairs."""
    head = "station,parameter_cd,sensor,datetime_utc,value"
    rows = [f"G-1,00060,{sensor},2025-07-0{day}T00:00Z,4" for sensor in "ABCDEF" for day in (1, 2)]
    note = deliver(site, "a.csv", head, *rows).note
    assert note.count("both cover") == 3
    assert note.endswith("and 12 more pairs of series cover the same time")


def test_laboratory_samples_are_no_sensors(site: Path) -> None:
    """Two samples of one day, and one of the same day in another file, are results and no rival records."""
    head = "station,sample_id,sample_date,parameter,result,unit"
    first = deliver(site, "a.csv", head, *(f"W-1,S{n},2025-07-01,Nitrate (as N),1.{n},mg/L" for n in (1, 2)))
    second = deliver(site, "b.csv", head, "W-1,S3,2025-07-01,Nitrate (as N),1.3,mg/L", on="2025-07-12T00:00")
    assert (first.accepted, second.accepted, first.note, second.note) == (2, 1, "", "")


def test_a_file_of_tables_only_is_on_record_and_says_so(site: Path) -> None:
    rating = ['# //RATING ID="1.0"', "INDEP\tDEP\tSTOR", "16N\t16N\t1S", "1.00\t2.0\t*", "2.00\t9.0\t*"]
    receipt = deliver(site, "rating.rdb", *rating)
    assert (receipt.error, receipt.accepted, receipt.rejected) == ("", 0, 0)
    assert receipt.note.startswith("no observations: 2 rows of rating")
    assert receipt.note.endswith("name the file in site.toml, under its gauge, to use it")
    assert deliver(site, "again.rdb", *rating).note == receipt.note


def test_tables_beside_observations_are_no_news(site: Path) -> None:
    rows = [("G-1", "stage", "instant", "", 0, "utc", 1.0, "1", "ft", "", 2)]
    both = Reading("a", "x", "", None, None, tidy(rows), (), {}, {"sites": pd.DataFrame({"row": [1]})})
    with opened(url(site)) as engine, transaction(engine) as connection:
        arrival_notes.note(connection, 1, both, both.observations)
        assert arrival_notes.noted(connection) == {}


def test_a_parameter_outside_the_vocabulary_is_one_reject(site: Path, answer: Answer) -> None:
    head = "station,parameter_cd,datetime_utc,value,unit"
    rows = [f"G-1,91050,2025-07-0{day}T00:00Z,4,ug/L" for day in (1, 2, 3)]
    receipt = deliver(site, "a.csv", head, *rows, "G-1,00065,2025-07-01T00:00Z,4,ft")
    assert (receipt.accepted, receipt.rejected) == (1, 3)
    (reject,) = answer("rejects")
    assert (reject["column"], reject["reason"]) == ("usgs:91050", "unknown parameter; 3 rows left out")


# Two sensors at one gauge --------------------------------------------------------------------------------------------


def test_two_sensors_that_differ_cannot_tell_until_the_site_puts_one_first(tmp_path: Path) -> None:
    """Seven days below by one sensor and above by the other: no shortfall is found or denied before the town says."""
    town = Town(tmp_path / "site")
    town.daily("a.rdb", "2025-07-01", [HIGH, *[LOW] * 7, HIGH], series="100001")
    town.daily("b.rdb", "2025-07-01", [HIGH] * 9, series="200001")
    town.night("2025-07-09")
    assert shortfalls(town) == []
    gauge = 'identifiers = ["05999101"]'
    town.edit("site.toml", gauge, f'{gauge}\nsensors = ["100001", "200001"]')
    town.night("2025-07-10")
    assert shortfalls(town) == [("2025-07-02", "attained")]
    town.edit("site.toml", '["100001", "200001"]', '["200001"]')
    town.night("2025-07-11")
    assert shortfalls(town) == []


def shortfalls(town: Town) -> list[tuple[str, str]]:
    return [(one["start"], one["verdict"]) for one in town.findings() if one["rule"] == "howard.baseflow"]


def said(series: str, value: str | None, standing: int = USABLE) -> SensorDay:
    number = None if value is None else Decimal(value)
    return SensorDay(1, series, standing, number, value or "", Flags("A"), "published")


@pytest.mark.parametrize(
    ("days", "sensors", "text"),
    [
        ([said("A", "4"), said("B", "5")], (), ""),
        ([said("A", "4"), said("B", "4.0")], (), "4"),
        ([said("A", "4"), said("B", "5")], ("B",), "5"),
        ([said("A", "4"), said("B", "5"), said("C", "6")], ("C", "A"), "6"),
        ([said("A", None, SILENT), said("B", "5")], ("A",), "5"),
        ([said("A", "4", THIN), said("B", "5")], (), "5"),
        ([said("A", "4", THIN), said("B", "5", THIN)], (), ""),
        ([said("A", None, SILENT), said("B", None, SILENT)], (), ""),
        ([said("B", "5"), said("C", "6")], ("A",), ""),
    ],
)
def test_who_speaks_for_a_day(days: list[SensorDay], sensors: tuple[str, ...], text: str) -> None:
    (one,) = speaking(days, sensors)
    (other,) = speaking(days[::-1], sensors)
    assert (one.text, other.text) == (text, text)
    assert text or one.value is None


def test_a_day_nobody_speaks_for_names_both() -> None:
    (one,) = speaking([said("A", "4"), said("B", "5")], ())
    assert one.flags.qualifiers == ("series A says 4 and B 5 and site.toml names neither first",)
