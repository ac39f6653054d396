"""``headwater levels STATION``: what it shows, what is recorded and taken back, and the daily record it ends in."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text

from pipelines import cli, daily_levels, ledger, schema
from pipelines.database import opened, reading, transaction
from pipelines.recall import Recall
from pipelines.site_folder import open_site
from sample_data import demo

ROOT = Path(__file__).parents[1]
CHICAGO = ZoneInfo("America/Chicago")
WELL = "MW-1"
FILES = ("BARO-1_2024-04-30.xle", "MW-1_2024-04-30.xle", "hand-levels-2025-06-30.csv")
BY = ("--by", "A. Example", "--why", "a made-up reason")


class Site:
    """A site folder with the sample's first loggers in it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys

    def run(self, *words: str, code: int = 0) -> str:
        assert cli.run([*words, "--site", str(self.folder)]) == code, self.capsys.readouterr().err
        said = self.capsys.readouterr()
        return said.out if code == 0 else said.err

    def levels(self, *words: str) -> Any:
        return json.loads(self.run("levels", *words, "--json"))

    def logger(self, *words: str) -> Any:
        (one,) = self.levels(WELL, *words)["loggers"]
        return one

    def correct(self, *words: str) -> Any:
        return self.levels("correct", WELL, *words, *BY)

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder / 'headwater.db'}"


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Site:
    demo.fresh_site(tmp_path)
    one = Site(tmp_path, capsys)
    one.run("ingest", *(str(ROOT / "sample_data" / "baseline" / name) for name in FILES))
    return one


def rows(site: Site, *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in site.run("levels", WELL, "--rows", *words).splitlines()]


def test_the_raw_record_of_a_well(site: Site) -> None:
    """The sample's logger is true but for 0.02 ft of tape error; its days are whole, of four readings each."""
    one = site.logger()
    assert (one["serial"], one["readings"], one["flags"], one["steps"]) == ("2999101", 482, {"good": 482}, [])
    off = [tape["off_before_ft"] for tape in one["hand"] if tape["off_before_ft"] is not None]
    assert len(off) == 3
    assert max(map(abs, off)) < 0.03
    assert {(day["coverage"], day["flag"]) for day in one["days"][1:-1]} == {("1.000", 1)}
    text = site.run("levels", WELL)
    assert "Hung since 2023-12-01: 40.00 ft below the measuring point; air of BARO-1 taken off" in text
    assert "no correction stands" in text


def test_a_tie_by_a_tape_reading_is_recorded_and_undone_to_the_last_digit(site: Site) -> None:
    before = rows(site)
    made = site.correct("tie", "--hand", "2024-03-26", "--from", "2024-01-01")
    assert made["says"] == "depth -0.020 ft"
    assert made["rests_on"].startswith("tape 19.33 ft below land at 2024-03-26T14:00Z (")
    (step,) = site.logger()["steps"]
    assert (step["key"], step["by"], step["why"]) == (made["key"], "A. Example", "a made-up reason")
    tied = rows(site)
    assert [one["depth_before_ft"] for one in tied] == [one["depth_ft"] for one in before]
    assert all(one["depth_ft"] == pytest.approx(one["depth_before_ft"] - 0.02, abs=1e-4) for one in tied)
    off = {one["time"][:10]: one["off_ft"] for one in site.logger()["hand"]}
    assert off["2024-03-26"] == pytest.approx(0, abs=0.0006)
    assert "nothing to correct" in site.run("levels", "correct", WELL, "tie", "--hand", "2024-03-26", *BY, code=2)
    site.run("levels", "undo", made["key"][:12], *BY)
    assert rows(site) == before
    assert site.logger()["steps"] == []


def test_drift_clock_and_cable(site: Site) -> None:
    drift = site.correct("drift", "--from", "2024-01-30", "--to", "2024-03-26")
    assert (drift["from"], drift["to"]) == ("2024-01-30T15:00:00Z", "2024-03-26T14:00:00Z")
    assert drift["says"] == "depth +0.005 ft at the start, -0.020 ft at the end, linear"
    clock = site.correct("clock", "--from", "2024-02-01", "--to", "2024-02-10", "--amount", "0 s",
                         "--end-amount", "20 min")  # fmt: skip
    assert clock["says"] == "clock fast by +0 s at the start, +1200 s at the end"
    cable = site.correct("cable", "--from", "2024-04-01T12:00", "--amount", "15 cm")
    assert cable["says"] == "sensor +0.49213 ft deeper"
    found = rows(site)
    late = next(one for one in found if one["stored_time"] == "2024-02-10T00:00:00Z")
    assert late["time"] == "2024-02-09T23:40:33Z"  # 210 of 216 h: ahead by 1,166.7 s
    assert found[-1]["depth_ft"] - found[-1]["depth_before_ft"] == pytest.approx(0.49213, abs=2e-4)
    alone = rows(site, "--from", "2024-02-05", "--to", "2024-02-05")
    assert alone == [one for one in found if "2024-02-05T06" <= one["time"] < "2024-02-06T06"]
    assert None not in [one["depth_ft"] for one in alone]
    kinds = [one["kind"] for one in site.logger()["steps"]]
    assert kinds == ["clock", "cable", "drift"]


def test_the_same_act_is_recorded_once_and_reviews_show_it(site: Site) -> None:
    words = ("tie", "--from", "2024-02-01", "--amount", "-0.12 ft")
    first, second = (site.correct(*words, "--at", "2024-05-01T10:00") for _ in range(2))
    assert (first["recorded"], second["recorded"], first["key"]) == (True, False, second["key"])
    listed = json.loads(site.run("review", "list", "--json"))
    assert [(one["act"], one["state"]) for one in listed] == [("correct_level", "stands")]
    assert listed[0]["says"] == "tie: depth -0.12 ft: a made-up reason"
    site.run("review", "withdraw", first["key"], "--by", "A. Example", "--reason", "wrong tape")
    assert site.logger()["steps"] == []
    with opened(site.url) as engine, reading(engine) as connection:
        assert ledger.verify(connection, schema.review) is None


def test_a_record_is_told_as_it_was_known(site: Site) -> None:
    site.correct("tie", "--from", "2024-02-01", "--amount", "-0.12 ft")
    later = (datetime.now(UTC) + timedelta(minutes=1)).isoformat()
    assert len(site.logger("--known-at", later)["steps"]) == 1
    with opened(site.url) as engine, transaction(engine) as connection:
        connection.execute(text("UPDATE observation SET known_at = 0"))
    assert site.logger("--known-at", "2024-06-01")["steps"] == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("correct", "MW-77", "tie", "--amount", "1 ft", "--from", "2024-02-01"), r"no well with a logger.*MW-1"),
        (("correct", WELL, "tie", "--amount", "1 s", "--from", "2024-02-01"), "no amount that can be told in ft"),
        (("correct", WELL, "tie", "--amount", "1 ft"), "needs a start"),
        (("correct", WELL, "tie", "--hand", "2024-02-02"), "no hand reading with a time of day"),
        (("correct", WELL, "tie", "--hand", "2024-09-24"), "the logger has no usable depth at the hand reading"),
        (("correct", WELL, "drift", "--from", "2024-02-01", "--amount", "0 ft"), "--end-amount"),
        (("correct", WELL, "drift", "--from", "2024-02-01", "--amount", "0 ft", "--end-amount", "1 ft"), "an end"),
        (("correct", WELL, "cable", "--from", "2024-02-01"), "say how much"),
        (("correct", WELL, "cable", "--from", "2024-02-01", "--amount", "500 ft"), "not a correction"),
        (("correct", WELL, "cable", "--from", "2199-02-01", "--amount", "5 ft"), "still to come"),
        (("correct", WELL, "tie", "--from", "2024-02-01", "--amount", "1 ft", "--serial", "9"), "no logger of"),
        (("undo", "0123456789ab"), "no act begins so"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_line(site: Site, words: tuple[str, ...], says: str) -> None:
    said = site.run("levels", *words, *BY, code=2)
    assert re.search(says, said)
    assert said.count("\n") == 1


def test_undo_takes_back_corrections_only(site: Site) -> None:
    other = ("review", "contest", WELL, "arsenic", "2024-01-30", "--by", "operator", "--reason", "bottle broken")
    site.run("ingest", str(ROOT / "sample_data" / "baseline" / "grn-export-2024-01-30.csv"))
    site.run(*other)
    (act,) = json.loads(site.run("review", "list", "--json"))
    assert "no correction of levels" in site.run("levels", "undo", act["key"], *BY, code=2)


def test_the_page_draws_both_lines_and_the_tape(site: Site, tmp_path: Path) -> None:
    site.correct("tie", "--from", "2024-02-01", "--amount", "-0.12 ft")
    site.run("levels", WELL, "--page", str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for name in ("Before correction", "Corrected", "Tape", "Logger, as stored", "Air"):
        assert f'"name":"{name}"' in page
    assert "Levels of MW-1" in page


def test_the_round_is_where_it_was(site: Site) -> None:
    assert site.levels()["rounds"]
    round_of_a_day = site.levels("--round", "2024-01-30")
    assert round_of_a_day["round"] == "2024-01-30"
    (one,) = json.loads(site.run("levels", "--json", WELL))["loggers"]
    assert one["serial"] == "2999101"


# The daily record.


def derive(site: Site, touched: dict[tuple[str, str], tuple[date, date]], on: date = date(2025, 1, 1)) -> Any:
    folder = open_site(site.folder)
    with opened(site.url) as engine, transaction(engine) as connection:
        recall = Recall(connection, CHICAGO)
        return daily_levels.derive(connection, folder, recall, touched, on, 1_800_000_000_000)


def daily(site: Site) -> dict[date, Any]:
    with opened(site.url) as engine, reading(engine) as connection:
        return {
            one.day: one for one in Recall(connection, CHICAGO).daily(WELL, "depth_to_water", None, date(2025, 1, 1))
        }


def test_the_daily_record_is_assembled_once_and_again_after_a_correction(site: Site) -> None:
    first = derive(site, {})
    assert first[WELL, "depth_to_water"] == date(2024, 1, 1)
    before = daily(site)
    shown = {one["day"]: one["depth_ft"] for one in site.logger()["days"]}
    assert {day.isoformat(): str(one.value) for day, one in before.items() if one.value is not None} == {
        day: depth for day, depth in shown.items() if depth is not None
    }
    assert before[date(2024, 2, 1)].version
    assert derive(site, {}) == {}
    april = (date(2024, 4, 10), date(2024, 4, 12))
    assert derive(site, {(WELL, "logger_level"): april}) == {}
    made = site.correct("tie", "--from", "2024-03-01", "--amount", "-1 ft")
    assert derive(site, {})[WELL, "depth_to_water"] == date(2024, 3, 1)
    after = daily(site)
    assert after[date(2024, 3, 1)].value == before[date(2024, 3, 1)].value - 1
    assert after[date(2024, 2, 29)] == before[date(2024, 2, 29)]
    site.run("levels", "undo", made["key"], *BY)
    derive(site, {})
    assert {day: one.value for day, one in daily(site).items()} == {day: one.value for day, one in before.items()}


def test_the_daily_record_is_the_same_in_whatever_order_files_come(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for order in (FILES, FILES[::-1]):
        folder = tmp_path / order[0]
        folder.mkdir()
        demo.fresh_site(folder)
        one = Site(folder, capsys)
        for name in order:
            one.run("ingest", str(ROOT / "sample_data" / "baseline" / name))
            span = (date(2024, 1, 1), date(2024, 4, 30))
            key = ("BARO-1", "barometric_pressure") if name.startswith("BARO") else (WELL, "logger_level")
            derive(one, {key: span})
        found.append({day: (each.value, each.coverage) for day, each in daily(one).items()})
    assert found[0] == found[1]
    assert sum(value is not None for value, _ in found[0].values()) >= 119


def test_a_setting_in_site_toml_tests_the_record(site: Site) -> None:
    path = site.folder / "site.toml"
    text_now = path.read_text(encoding="utf-8")
    tests = "quality_test = [{ since = 2024-01-01, suspect_outside_ft = [0, 19.6], fail_outside_ft = [-1, 19.7] }]\n"
    place = text_now.index("\n[[well]]", text_now.index('id = "MW-1"'))
    path.write_text(text_now[:place] + "\n" + tests + text_now[place:], encoding="utf-8")
    one = site.logger()
    assert one["rules"]["gross range"].keys() == {"suspect", "fail"}
    worst = next(row for row in rows(site) if row["flag"] == 4)
    assert re.fullmatch(r"gross range: 19\.\d+ ft, outside -1 to 19\.7 ft \(fail\)", worst["why"])
    assert 9 in {day["flag"] for day in one["days"][1:-1]}
