"""A file is read once it has stood still: what is being written waits, is told, and is taken by the next night."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from models.errors import BadSite
from models.policy import default_policy, read_policy
from pipelines import cli, fetch, inbox, night, settling
from pipelines.commands import nightly
from pipelines.database import opened
from pipelines.maildir import Maildir
from pipelines.site_folder import open_site
from tests.town import Town

NOW = datetime(2025, 8, 13, 7, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def aged(path: Path, age: timedelta, text: str = "x") -> Path:
    """A file last changed so long before now."""
    path.write_text(text, encoding="utf-8")
    stamp = (NOW - age).timestamp()
    os.utime(path, (stamp, stamp))
    return path


class Pauses(list[float]):
    """Notes how long it was asked to wait, and does something meanwhile."""

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        super().__init__()
        self.meanwhile = meanwhile

    def __call__(self, seconds: float) -> None:
        self.append(seconds)
        self.meanwhile()


# One look, a pause, another look -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("age_s", "waits"), [(3600, []), (60, []), (59, [1.0]), (10, [50.0]), (0, [60.0])])
def test_the_night_waits_what_is_missing_and_no_longer(tmp_path: Path, age_s: int, waits: list[float]) -> None:
    path, pause = aged(tmp_path / "a.csv", timedelta(seconds=age_s)), Pauses()
    found = settling.settled([path], MINUTE, NOW, pause)
    assert (list(found.ready), list(found.left), list(found.notes), pause) == ([path], [], [], waits)


def test_the_youngest_of_several_is_waited_for_once(tmp_path: Path) -> None:
    ages = {"a": 90, "b": 15, "c": 40}
    paths, pause, said = [aged(tmp_path / name, timedelta(seconds=age)) for name, age in ages.items()], Pauses(), []
    found = settling.settled(paths, MINUTE, NOW, pause, said.append)
    assert (list(found.ready), pause) == (paths, [45.0])
    assert said == ["waiting 45 s until 2 files of the inbox stand still"]


def test_what_changes_meanwhile_is_left_and_told(tmp_path: Path) -> None:
    growing, still = aged(tmp_path / "up.csv", MINUTE / 2), aged(tmp_path / "still.csv", MINUTE / 2)
    found = settling.settled([growing, still], MINUTE, NOW, Pauses(lambda: aged(growing, MINUTE / 2, "xy")))
    assert list(found.ready) == [still]
    assert list(found.left) == ["up.csv: it is still being written; left for the next night"]


def test_written_over_with_as_many_bytes_is_changed_too(tmp_path: Path) -> None:
    path = aged(tmp_path / "up.csv", MINUTE / 2)
    assert not settling.settled([path], MINUTE, NOW, Pauses(lambda: aged(path, timedelta(), "y"))).ready


def test_a_copy_that_keeps_an_old_time_waits_for_nobody(tmp_path: Path) -> None:
    path, pause = aged(tmp_path / "a.csv", timedelta(days=4000)), Pauses()
    assert settling.settled([path], MINUTE, NOW, pause).ready == [path]
    assert pause == []


def test_a_time_to_come_is_watched_for_the_whole_while_and_told(tmp_path: Path) -> None:
    path, pause = aged(tmp_path / "a.csv", timedelta(days=-400)), Pauses()
    found = settling.settled([path], MINUTE, NOW, pause)
    assert (list(found.ready), pause) == ([path], [60.0])
    assert list(found.notes) == ["a.csv: last changed 2026-09-17T07:00:00Z, which is still to come: a clock is wrong"]
    found = settling.settled([path], MINUTE, NOW, Pauses(lambda: aged(path, timedelta(days=-400), "more")))
    assert (list(found.ready), len(found.left), len(found.notes)) == ([], 1, 1)


def test_a_time_of_no_calendar_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "look", lambda _: settling.Look(1, 2**70))
    found = settling.settled([tmp_path / "a.csv"], MINUTE, NOW, pause := Pauses())
    assert (len(found.ready), pause) == (1, [60.0])
    assert "at no time of this calendar" in found.notes[0]


def test_what_goes_meanwhile_is_for_the_reader_to_tell(tmp_path: Path) -> None:
    path = aged(tmp_path / "a.csv", timedelta())
    assert settling.settled([path], MINUTE, NOW, Pauses(path.unlink)).ready == [path]
    assert settling.settled([path], MINUTE, NOW, pause := Pauses()).ready == [path]
    assert pause == []


def test_no_time_at_all_is_a_town_s_to_choose(tmp_path: Path) -> None:
    path, pause = aged(tmp_path / "a.csv", timedelta()), Pauses()
    assert settling.settled([path], timedelta(), NOW, pause).ready == [path]
    assert pause == []


# Names of uploads under way ------------------------------------------------------------------------------------------

UNDER_WAY = [
    "a.csv.part", "a.csv.PART", "a.tmp", "~$levels.xlsx", "a.csv.crdownload", "a.filepart", ".a.csv.Xy12", ".hidden",
]  # fmt: skip


@pytest.mark.parametrize("name", UNDER_WAY)
def test_an_upload_under_way_is_never_read(tmp_path: Path, name: str) -> None:
    aged(tmp_path / name, timedelta(days=9))
    assert list(inbox.waiting(tmp_path)) == []


@pytest.mark.parametrize("name", ["part.csv", "tmp", "a.part.csv", "~a.csv", "crdownload"])
def test_other_names_are_read(tmp_path: Path, name: str) -> None:
    path = aged(tmp_path / name, timedelta(days=9))
    assert list(inbox.waiting(tmp_path)) == [path]


# A night -------------------------------------------------------------------------------------------------------------


def run(town: Town, on: str, pause: settling.Pause | None, clock: Callable[[], datetime]) -> dict[str, Any]:
    site, day = open_site(town.folder), date.fromisoformat(on)
    with opened(town.url) as engine:
        return night.run(
            site, day, night.end_of(day, site.law), engine, send=Maildir(town.folder / "outbox"), clock=clock,
            pause=pause,
        )  # fmt: skip


def test_a_night_leaves_what_is_written_and_the_next_takes_it(tmp_path: Path) -> None:
    town = Town(tmp_path / "site")
    town.daily("whole.rdb", "2025-08-01", ["6.00"])
    town.daily("up.rdb", "2025-08-02", ["6.00"])
    for name in ("whole.rdb", "up.rdb"):
        os.utime(town.folder / "inbox" / name, (NOW.timestamp() - 3, NOW.timestamp() - 3))
    pause = Pauses(lambda: town.daily("up.rdb", "2025-08-02", ["6.00", "6.10"]))
    summary = run(town, "2025-08-11", pause, lambda: NOW)
    assert pause == [2.0]  # five seconds by default, of which three are over
    assert [one["file"] for one in summary["files"]] == ["whole.rdb"]
    assert "inbox/up.rdb: it is still being written; left for the next night" in summary["left_out"]
    assert (town.folder / "inbox" / "up.rdb").exists()
    later = datetime.now(UTC) + timedelta(hours=1)
    summary = run(town, "2025-08-12", Pauses(), lambda: later)
    assert [(one["file"], one["accepted"]) for one in summary["files"]] == [("up.rdb", 2)]
    assert summary["left_out"] == []


def test_a_town_sets_how_long(tmp_path: Path) -> None:
    town = Town(tmp_path / "site")
    table = '[inbox_settles]\nvalue = 240\nunit = "s"\nreason = "A slow line."\n'
    (town.folder / "policy.toml").write_text(table, encoding="utf-8")
    town.daily("a.rdb", "2025-08-01", ["6.00"])
    os.utime(town.folder / "inbox" / "a.rdb", (NOW.timestamp(), NOW.timestamp()))
    assert read_policy(table, file="policy.toml").inbox_settles.value == 240
    pause = Pauses()
    run(town, "2025-08-11", pause, lambda: NOW)
    assert pause == [240.0]


@pytest.mark.parametrize("value", ["-1", "601"])
def test_a_slip_of_the_pen_is_refused(value: str) -> None:
    table = f'[inbox_settles]\nvalue = {value}\nunit = "s"\nreason = "?"\n'
    with pytest.raises(BadSite, match="outside its range"):
        read_policy(table, file="policy.toml")
    assert default_policy().inbox_settles.unit == "s"


def test_a_night_whose_files_are_whole_does_not_wait(tmp_path: Path) -> None:
    """The demo and every caller that passes no pause."""
    town = Town(tmp_path / "site")
    town.daily("a.rdb", "2025-08-01", ["6.00"])
    assert [one["accepted"] for one in run(town, "2025-08-11", None, lambda: NOW)["files"]] == [1]


def test_the_command_waits_and_an_upload_under_way_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    town, pause = Town(tmp_path / "site"), Pauses()
    town.daily("a.rdb", "2025-08-01", ["6.00"])
    town.put("b.rdb.part", "half")
    town.put("~$levels.xlsx", "lock")
    monkeypatch.setattr(nightly, "sleep", pause)
    assert cli.run(["nightly", "--as-of", "2025-08-11", "--site", str(town.folder)]) == 3
    assert len(pause) == 1
    assert 0 < pause[0] <= 5
    out = capsys.readouterr().out
    assert "inbox/b.rdb.part: by its name an upload under way" in out
    assert "~$levels" not in out
    assert (town.folder / "inbox" / "b.rdb.part").exists()


def test_a_file_named_by_hand_does_not_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    town = Town(tmp_path / "site")
    town.daily("a.rdb", "2025-08-01", ["6.00"])
    monkeypatch.setattr(settling, "settled", lambda *_: pytest.fail("waited"))
    assert cli.run(["ingest", str(town.folder / "inbox" / "a.rdb"), "--site", str(town.folder)]) == 0


def test_a_fetch_counts_no_upload_as_a_delivery(tmp_path: Path) -> None:
    aged(tmp_path / "a.rdb.part", timedelta(days=1))
    assert fetch._hashes(tmp_path) == set()
