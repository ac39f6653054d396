"""Which stored readings a level comes from: declared serials, one channel, downloads that disagree, flagged tapes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text

from pipelines import cli, daily_levels
from pipelines.database import opened, reading, transaction
from pipelines.recall import Recall
from pipelines.site_folder import open_site
from sample_data import demo

CHICAGO = ZoneInfo("America/Chicago")
WELL, LOGGER, AIR = "MW-1", "2999101", "2999190"
T0 = datetime.fromisoformat("2025-03-01T00:00")  # by the loggers' clock, UTC-6
BY = ("--by", "A. Example", "--why", "a made-up reason")
Rows = list[tuple[datetime, str]]
XLE = """<?xml version="1.0" encoding="UTF-8"?>
<Body_xle><File_info><Created_by>Version 4.6.3</Created_by></File_info>
<Instrument_info><Instrument_type>{kind}</Instrument_type><Serial_number>{serial}</Serial_number></Instrument_info>
<Instrument_info_data_header><Location>{place}</Location><Num_log>{n}</Num_log></Instrument_info_data_header>
<Ch1_data_header><Identification>LEVEL</Identification><Unit>ft</Unit><Parameters>{set}</Parameters></Ch1_data_header>
<Data>{logs}</Data></Body_xle>"""
LOG = '<Log id="{n}"><Date>{at:%Y/%m/%d}</Date><Time>{at:%H:%M:%S}</Time><ms>0</ms><ch1>{value}</ch1></Log>\n'


def hourly(hours: int, value: Callable[[int], float], start: datetime = T0) -> Rows:
    return [(start + timedelta(hours=n), f"{value(n):.4f}") for n in range(hours)]


class Site:
    """A site folder into which own small files go."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        demo.fresh_site(folder)
        self.folder, self.capsys = folder, capsys

    def run(self, *words: str, code: int = 0) -> str:
        assert cli.run([*words, "--site", str(self.folder)]) == code, self.capsys.readouterr()
        said = self.capsys.readouterr()
        return said.out if code == 0 else said.err

    def take(self, name: str, content: str) -> str:
        path = self.folder.parent / name
        path.write_text(content, encoding="utf-8")
        return self.run("ingest", str(path))

    def xle(self, name: str, serial: str, place: str, rows: Rows, declared: int = 0, settings: str = "") -> str:
        logs = "".join(LOG.format(n=n, at=at, value=value) for n, (at, value) in enumerate(rows, 1))
        kind, n = "L5_Baro" if place.startswith("BARO") else "L5_LT", declared or len(rows)
        return self.take(name, XLE.format(kind=kind, serial=serial, place=place, n=n, logs=logs, set=settings))

    def air(self, hours: int = 24 * 12, head: float = 33.0) -> None:
        self.xle("air.xle", AIR, "BARO-1", hourly(hours, lambda n: head))

    def tapes(self, *tapes: tuple[str, str, str]) -> None:
        head = "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment\n"
        rows = [f"{WELL},{day},12:00,CST,{depth},MP,{status},x,\n" for day, depth, status in tapes]
        self.take("tapes.csv", head + "".join(rows))

    def declare(self, said: str) -> None:
        """Add a line to the well of site.toml."""
        path = self.folder / "site.toml"
        now = path.read_text(encoding="utf-8")
        place = now.index("\n[[well]]", now.index('id = "MW-1"'))
        path.write_text(now[:place] + f"\n{said}\n" + now[place:], encoding="utf-8")

    def loggers(self, *words: str) -> list[Any]:
        return list(json.loads(self.run("levels", WELL, *words, "--json"))["loggers"])

    def rows(self, *words: str) -> list[Any]:
        return [json.loads(line) for line in self.run("levels", WELL, "--rows", *words).splitlines()]

    def correct(self, *words: str) -> Any:
        return json.loads(self.run("levels", "correct", WELL, *words, *BY, "--json"))

    def derive(self, known_at: int = 1_900_000_000_000) -> dict[date, Any]:
        folder, url = open_site(self.folder), f"sqlite:///{self.folder / 'headwater.db'}"
        with opened(url) as engine, transaction(engine) as connection:
            daily_levels.derive(connection, folder, Recall(connection, CHICAGO), {}, date(2025, 6, 1), known_at)
        with opened(url) as engine, reading(engine) as connection:
            days = Recall(connection, CHICAGO).daily(WELL, "depth_to_water", None, date(2025, 6, 1))
            return {one.day: one for one in days}


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Site:
    return Site(tmp_path / "site", capsys)


# Serials that site.toml does not declare.


@pytest.mark.parametrize("stranger", ["1000000", "9999999"])
def test_a_strangers_barologger_is_never_the_air(site: Site, stranger: str) -> None:
    """50 ft less 33 ft of air is 17 ft of water over a sensor at 40 ft: 23 ft below a point 2.40 ft above land."""
    site.air()
    site.xle("well.xle", LOGGER, WELL, hourly(48, lambda n: 50))
    said = site.xle("other.xle", stranger, "BARO-1", hourly(48, lambda n: 30))
    assert f"BARO-1: 48 readings of serial {stranger}, not {AIR}: kept, never taken for air" in said
    assert "none is chosen" not in said
    assert {(one["air_ft_of_water"], one["depth_ft"]) for one in site.rows()} == {(33.0, 20.6)}
    assert f"serial {stranger}" in site.run("levels", WELL)


def test_a_strangers_logger_is_never_a_level(site: Site) -> None:
    site.air()
    said = site.xle("stranger.xle", "7", WELL, hourly(48, lambda n: 50))
    assert "MW-1: 48 readings of serial 7, no logger of it in site.toml: kept, never a level" in said
    assert {one["depth_ft"] for one in site.rows()} == {None}
    assert site.derive() == {}
    early = site.xle("early.xle", LOGGER, WELL, hourly(3, lambda n: 50, datetime.fromisoformat("2023-01-01")))
    assert "3 readings before 2023-12-01, when site.toml has serial 2999101 hung" in early


def test_a_logger_that_is_declared_says_nothing(site: Site) -> None:
    assert "kept, never" not in site.xle("well.xle", LOGGER, WELL, hourly(48, lambda n: 50))


# Ties and the flags of readings.


def test_a_tie_does_not_take_a_reading_that_fails(site: Site) -> None:
    """The tape of noon reads 23.50 below the point, the logger 23 but at noon, where it spikes to 43."""
    site.declare("quality_test = [{ since = 2023-12-01, spike_fail_ft = 2 }]")
    site.air()
    site.xle("well.xle", LOGGER, WELL, hourly(96, lambda n: 30 if n == 36 else 50))
    site.tapes(("2025-03-02", "23.50", ""))
    (before,) = site.loggers()[0]["hand"]
    assert before["off_ft"] == pytest.approx(0.5)
    made = site.correct("tie", "--hand", "2025-03-02")
    assert made["says"] == "depth +0.500 ft"
    assert "by the readings beside one that fails its tests" in made["rests_on"]


def test_a_tie_is_refused_where_only_failing_readings_are_near(site: Site) -> None:
    site.declare("quality_test = [{ since = 2023-12-01, fail_outside_ft = [0, 10] }]")
    site.air()
    site.xle("well.xle", LOGGER, WELL, hourly(96, lambda n: 50))
    site.tapes(("2025-03-02", "23.50", ""))
    said = site.run("levels", "correct", WELL, "tie", "--hand", "2025-03-02", *BY, code=2)
    assert "no usable depth at the hand reading" in said


VUSITU = (
    "VuSitu Log\nLocation Properties\nLocation Name = MW-1\nReport Properties\nTime Offset = -06:00:00\n\n"
    f"Date Time,Depth (ft) ({LOGGER}),Pressure (psi) ({LOGGER})\n"
)


def test_of_two_channels_the_one_that_is_tied_is_named(site: Site) -> None:
    """The first channel has its air taken off already, and fails as an absolute one; the second is what is felt."""
    site.air()
    psi = 50 * 0.4335275
    lines = [f"{T0 + timedelta(hours=n):%Y-%m-%d %H:%M:%S},17.0,{psi:.5f}\n" for n in range(96)]
    site.take("vusitu.csv", VUSITU + "".join(lines))
    site.tapes(("2025-03-02", "23.50", ""))
    said = site.run("levels", "correct", WELL, "tie", "--hand", "2025-03-02", *BY, code=2)
    assert f"--series: the logger has several channels; say which; allowed: {LOGGER}:1, {LOGGER}:2" in said
    made = site.correct("tie", "--hand", "2025-03-02", "--series", f"{LOGGER}:2")
    assert made["says"] == "depth +0.500 ft"
    level, pressure = site.loggers()
    assert (len(level["steps"]), len(pressure["steps"])) == (0, 1)
    assert pressure["hand"][0]["off_ft"] == pytest.approx(0, abs=1e-3)
    text_said = site.run("levels", WELL)
    assert f"Logger {LOGGER}, channel 1 (height of water): 96" in text_said
    assert f"Logger {LOGGER}, channel 2 (pressure): 96" in text_said
    assert site.derive()[date(2025, 3, 3)].value == Decimal("21.1")


def test_what_is_felt_speaks_before_what_is_worked_out_of_it(site: Site) -> None:
    """Both channels are fair readings; the pressure, second by name, gives 20.6 ft, the height 19.6 ft."""
    site.air()
    lines = [f"{T0 + timedelta(hours=n):%Y-%m-%d %H:%M:%S},51.0,{50 * 0.4335275:.5f}\n" for n in range(48)]
    site.take("vusitu.csv", VUSITU + "".join(lines))
    assert site.derive()[date(2025, 3, 2)].value == Decimal("20.6")


# What a night of the past knows.


def test_a_night_does_not_know_a_correction_made_after_it(site: Site) -> None:
    site.air()
    site.xle("well.xle", LOGGER, WELL, hourly(96, lambda n: 50))
    site.correct("tie", "--from", "2025-03-01", "--amount", "1 ft")
    day = date(2025, 3, 3)
    assert site.derive(known_at=1_743_000_000_000)[day].value == Decimal("20.6")  # 2025-03-26
    assert site.derive()[day].value == Decimal("21.6")


# Clock, order and downloads that disagree.


def test_two_values_of_one_instant_are_both_kept_and_both_suspect(site: Site) -> None:
    site.air()
    rows = hourly(48, lambda n: 50)
    rows.insert(10, (rows[10][0], "50.5000"))
    said = site.xle("well.xle", LOGGER, WELL, rows)
    assert "MW-1: 2 readings that differ from another of their instant: kept, and suspect" in said
    (one,) = site.loggers()
    assert one["rules"] == {"duplicate clock": {"suspect": 2}}
    first = next(day for day in one["days"] if day["day"] == "2025-03-01")
    assert re.search(r"duplicate clock: 2 suspect; file \w{10} says different things of one instant", first["why"])


def test_a_reading_ahead_of_its_place_makes_those_after_it_suspect(site: Site) -> None:
    """The 11th is stamped ten hours ahead and a minute; the ten after it lie behind it, by up to ten hours."""
    site.air()
    rows = hourly(48, lambda n: 50)
    rows[10] = (rows[20][0] + timedelta(minutes=1), rows[10][1])
    said = site.xle("well.xle", LOGGER, WELL, rows)
    assert "MW-1: 9 readings stamped before an earlier one of the file: kept, and suspect" in said
    (one,) = site.loggers()
    # behind by 10:01 h down to 1:01 h; a naive clock's last hour may be the autumn change
    assert one["rules"] == {"order of the clock": {"suspect": 9}}
    assert sum("stamped before an earlier reading of its file" in row["why"] for row in site.rows()) == 9


def test_a_log_written_newest_first_is_in_order(site: Site) -> None:
    site.air()
    site.xle("well.xle", LOGGER, WELL, hourly(48, lambda n: 50)[::-1])
    assert site.loggers()[0]["flags"] == {"good": 48}


def test_downloads_that_disagree_make_the_same_suspect_day_in_either_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = hourly(60, lambda n: 50), hourly(60, lambda n: 50.2 if n < 12 else 50, T0 + timedelta(hours=40))
    found = []
    for name, order in (("a", (0, 1)), ("b", (1, 0))):
        site = Site(tmp_path / name / "site", capsys)
        site.air()
        for k in order:
            site.xle(f"{k}.xle", LOGGER, WELL, (first, second)[k])
        (one,) = site.loggers()
        days = {day: (each.value, each.qualifiers, each.note) for day, each in site.derive().items()}
        found.append(([(row["time"], row["depth_ft"], row["flag"]) for row in site.rows()], one["days"], days))
    assert found[0] == found[1]
    days = {day["day"]: day for day in found[0][1]}
    assert days["2025-03-02"]["flag"] == 3
    assert re.search(r"files \w{10} and \w{10} say different things of one instant", days["2025-03-02"]["why"])
    assert days["2025-03-04"]["flag"] == 1


def test_a_barologger_that_contradicts_itself_gives_no_air(site: Site) -> None:
    site.air(hours=24)
    site.xle("again.xle", AIR, "BARO-1", hourly(24, lambda n: 32 if 6 <= n < 18 else 33))
    site.xle("well.xle", LOGGER, WELL, hourly(24, lambda n: 50))
    air = [one["air_ft_of_water"] for one in site.rows()]
    assert air == [33.0] * 6 + [None] * 12 + [33.0] * 6


# A part of a record says what the whole record says.


def test_a_part_has_the_flags_and_days_of_the_whole_record(site: Site) -> None:
    site.declare("quality_test = [{ since = 2023-12-01, flat_suspect_h = 48 }]")
    site.air()
    site.xle("well.xle", LOGGER, WELL, hourly(24 * 10, lambda n: 50))
    whole = {day["day"]: day for day in site.loggers()[0]["days"]}
    part = {day["day"]: day for day in site.loggers("--from", "2025-03-09", "--to", "2025-03-10")[0]["days"]}
    assert list(part) == ["2025-03-09", "2025-03-10"]
    assert {day: one["flag"] for day, one in part.items()} == {"2025-03-09": 3, "2025-03-10": 3}
    assert part == {day: whole[day] for day in part}


def test_a_part_goes_by_true_time_and_so_does_a_tie(site: Site) -> None:
    """A clock ten days slow: the reading of noon, 10 March is stamped 28 February."""
    site.air()
    site.xle("well.xle", LOGGER, WELL, hourly(24 * 12, lambda n: 50, T0 - timedelta(days=10)))
    site.correct("clock", "--from", "2025-02-10", "--to", "2025-03-20", "--amount", "-240 h", "--end-amount", "-240 h")
    site.tapes(("2025-03-10", "23.50", ""))
    found = site.rows("--from", "2025-03-10", "--to", "2025-03-10")
    assert {row["time"][:10] for row in found} <= {"2025-03-10", "2025-03-11"}
    assert len(found) == 24
    assert site.correct("tie", "--hand", "2025-03-10")["says"] == "depth +0.500 ft"


# What a person gives and the program has no use for.


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("tie", "--amount", "0.5 ft", "--hand", "2025-03-10"), "--hand: a tie beside --amount does not go by it"),
        (("drift", "--from", "2025-03-02", "--to", "2025-03-10", "--end-amount", "1 ft"), "a drift without --amount"),
        (("tie", "--amount", "0.5 ft", "--end-amount", "2 ft", "--from", "2025-03-02"), "--end-amount: a tie"),
        (("tie", "--amount", "0 ft", "--from", "2025-03-02"), "--amount: nothing to correct"),
        (("tie", "--amount", "10", "--from", "2025-03-02"), "--amount: no amount that can be told in ft .found '10'."),
        (("tie", "--amount", "1e9 ft", "--from", "2025-03-02"), "found '1000000000'"),
        (("tie", "--hand", "2025-03-03"), "its hand reading is no level at rest .Pumping."),
        (("tie", "--hand", "soon"), "--hand: not a time"),
        (("clock", "--series", f"{LOGGER}:1", "--amount", "1 min"), "--series: a clock"),
    ],
)  # fmt: skip
def test_nothing_given_is_left_aside_in_silence(site: Site, words: Iterable[str], says: str) -> None:
    site.xle("well.xle", LOGGER, WELL, hourly(96, lambda n: 50))
    site.tapes(("2025-03-03", "30.00", "PUMPING"))
    assert re.search(says, site.run("levels", "correct", WELL, *words, *BY, code=2))


# What a file says of itself.


def test_a_file_cut_short_and_a_set_zero_are_told(site: Site) -> None:
    settings = '<Offset Val="1.5000" Unit="ft" /><Altitude Val="42" Unit="m" />'
    said = site.xle("well.xle", LOGGER, WELL, hourly(24, lambda n: 50), declared=15250, settings=settings)
    assert "declares 15250 records and holds 24: it may be cut short" in said
    assert cli.run(["read", str(site.folder.parent / "well.xle")]) == 0
    text_said = site.capsys.readouterr().out
    assert "note: the file declares 15250 records and holds 24" in text_said
    assert re.search(r"note: the logger was set to .*offset 1\.5000.*altitude 42", text_said)


def test_a_makers_error_fails_a_reading(site: Site) -> None:
    site.air()
    site.xle("well.xle", LOGGER, WELL, hourly(24, lambda n: 50))
    row = int(site.rows()[5]["row_id"].partition(":")[2])
    with opened(f"sqlite:///{site.folder / 'headwater.db'}") as engine, transaction(engine) as connection:
        change = text("UPDATE observation SET flags = :said WHERE source_row = :row")
        connection.execute(change, {"said": ":error", "row": row})
    (one,) = site.loggers()
    assert one["rules"] == {"maker's code": {"fail": 1}}
