"""Two readers at once take each file once; a zip holds deliveries; a kill between any two steps loses nothing."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from sqlalchemy import func, select

from pipelines import catch_up, cli, inbox, mail_drop, night_lock, origins, parcels, schema
from pipelines.commands import nightly
from pipelines.database import opened, reading
from pipelines.maildir import Maildir
from pipelines.site_folder import open_site
from tests.deadly import Kill, command
from tests.test_mail_drop import mail, rdb
from tests.town import Town

ROOT = Path(__file__).resolve().parents[1]
ON = "2025-08-11"
FILES, READERS = 6, 3
COMMAND = "import sys; from pipelines import cli; sys.exit(cli.run(sys.argv[1:]))"
READER = """
import sys
from pathlib import Path
from zoneinfo import ZoneInfo
from pipelines import inbox, parcels
from pipelines.database import opened
from pipelines.site_folder import open_site
folder = open_site(Path(sys.argv[1]))
with opened(sys.argv[2]) as engine:
    desk = parcels.desk(engine, folder.site, ZoneInfo(folder.law.zone), int(sys.argv[3]), folder.households)
    paths = list(inbox.waiting(folder.inbox))
    print("ready", flush=True)
    sys.stdin.readline()
    for path in paths:
        taken = parcels.take(desk, path)
        for one in taken.receipts:
            print(one.file, one.accepted, one.seen, one.waits, one.error, sep="|", flush=True)
        for line in inbox.put_away(path, taken.whole):
            print("stuck", line, flush=True)
"""


@pytest.fixture
def town(tmp_path: Path) -> Town:
    made = Town(tmp_path / "site")
    for name in ("tmp", "new", "cur"):
        (made.folder / "inbox" / "mail" / name).mkdir(parents=True)
    return made


def zipped(members: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def lying(folder: Path) -> list[str]:
    """What lies in an inbox, with its folders; the replies to senders apart (``tests/test_delivery_nights.py``)."""
    found = (one.relative_to(folder) for one in folder.rglob("*") if one.is_file())
    return sorted(str(one) for one in found if one.parts[0] != "replies")


def sources(url: str) -> list[tuple[str, str, int]]:
    one = schema.source.c
    with opened(url) as engine, reading(engine) as connection:
        return [tuple(row) for row in connection.execute(select(one.file, one.format, one.accepted).order_by(one.id))]


def values(url: str) -> int:
    with opened(url) as engine, reading(engine) as connection:
        return int(connection.execute(select(func.count()).select_from(schema.observation)).scalar_one())


# Several processes ---------------------------------------------------------------------------------------------------


def test_readers_at_once_take_each_file_once(town: Town, store_url: str) -> None:
    """Without the night's lock, as `ingest` beside a night, or two machines over one store and one folder."""
    for n in range(FILES):
        town.daily(f"{n:02d}.rdb", f"2025-07-{n + 1:02d}", ["6.00"])
    with opened(store_url):
        pass
    arguments = [sys.executable, "-c", READER, str(town.folder), store_url]
    many = [
        subprocess.Popen(
            [*arguments, str(1_752_000_000_000 + n)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for n in range(READERS)
    ]
    for one in many:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    said = [one.communicate("go\n", timeout=120)[0].splitlines() for one in _started(many)]
    assert [one.returncode for one in many] == [0] * READERS
    assert not any(line.startswith("stuck") for lines in said for line in lines)
    rows = [line.split("|") for lines in said for line in lines]
    assert len(rows) == FILES * READERS
    assert sorted(file for file, accepted, *_ in rows if accepted == "1") == [f"{n:02d}.rdb" for n in range(FILES)]
    for _, accepted, seen, waits, error in rows:
        assert (accepted, seen, waits) in {("1", "False", "False"), ("0", "True", "False"), ("0", "False", "True")}
        assert (inbox.GONE in error) == (waits == "True")
    assert [one[2] for one in sources(store_url)] == [1] * FILES
    assert values(store_url) == FILES
    assert lying(town.folder / "inbox") == [f"done/{n:02d}.rdb" for n in range(FILES)]


def _started(many: list[subprocess.Popen[str]]) -> list[subprocess.Popen[str]]:
    """All begin before the first is waited for."""
    for one in many:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    return many


def test_two_nights_at_once_are_one(town: Town, store_url: str) -> None:
    for n in range(FILES):
        town.daily(f"{n:02d}.rdb", f"2025-07-{n + 1:02d}", ["6.00"])
    arguments = [
        sys.executable, "-c", COMMAND, "nightly", "--as-of", ON, "--no-fetch", "--site", str(town.folder),
    ]  # fmt: skip
    environment = os.environ | {"HEADWATER_DATABASE_URL": store_url}
    with opened(store_url):
        pass
    both = [
        subprocess.Popen(
            arguments, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = [one.communicate(timeout=300) for one in both]
    codes = sorted(one.returncode for one in both)
    assert codes in ([0, 4], [0, 0]), said
    if codes == [0, 4]:
        assert any("another night is at work on this site" in err for _, err in said)
    assert sorted(sources(store_url)) == [(f"{n:02d}.rdb", "nwis-rdb-dv", 1) for n in range(FILES)]
    assert len(lying(town.folder / "inbox" / "done")) == FILES


def test_a_lock_of_a_killed_night_is_freed_and_told(town: Town) -> None:
    (town.folder / night_lock.LOCK).write_text("process 7 on there since 2025-08-10T07:00:00Z\nrest of a longer line")
    site, day = open_site(town.folder), date.fromisoformat(ON)

    def run() -> dict[str, Any]:
        with opened(town.url) as engine:
            return catch_up.run_alone(
                site, day, datetime(2025, 8, 12, 5, tzinfo=UTC), engine, send=Maildir(town.folder / "outbox"),
                clock=lambda: datetime.now(UTC),
            )  # fmt: skip

    told = "the last run on this site was killed (process 7 on there since 2025-08-10T07:00:00Z); its lock is freed"
    assert told in run()["notes"]
    assert not any("was killed" in one for one in run()["notes"])


def test_a_held_lock_says_who_holds_it(town: Town) -> None:
    me = "process 7 on here since 2025-08-10T07:00:00Z"
    path = town.folder / "lock"
    for _ in range(2):
        path.write_text("x" * 400)
        with night_lock.file_lock(path, me, "taken") as left:
            assert left == "x" * 400
            assert path.read_text() == f"{me}\n"
        with night_lock.file_lock(path, me, "taken") as left:
            assert left == ""


# Moves ---------------------------------------------------------------------------------------------------------------


def test_one_name_three_times_keeps_every_content(town: Town) -> None:
    for on, value in (("2025-08-09", "6.00"), ("2025-08-10", "6.10"), ("2025-08-11", "6.20"), ("2025-08-12", "6.20")):
        town.daily("a.rdb", "2025-08-01", [value])
        town.night(on)
    done = town.folder / "inbox" / "done"
    assert sorted(one.read_text().split()[-2] for one in done.iterdir()) == ["6.00", "6.10", "6.20"]
    assert sum(one.name.endswith("-a.rdb") for one in done.iterdir()) == 2


STEPS: dict[str, Kill] = {
    "nothing": None,
    "a member committed": (inbox, "store"),
    "the zip committed, not moved": (parcels, "take"),
    "moved": (inbox, "put_away"),
    "a part on record": (inbox, "store_unread"),
    "a message committed, not moved": (mail_drop, "take"),
    "a folder made": (Path, "mkdir"),
    "renamed": (Path, "replace"),
}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_killed_at_every_step_of_a_zip_and_a_mail(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after each step and run again, the store and the inbox are as undisturbed."""
    monkeypatch.setattr(nightly, "sleep", lambda _: None)
    ends, statuses = {}, {}
    for number, (step, kill) in enumerate(STEPS.items()):
        folder = tmp_path / f"{number}" / "site"
        town = Town(folder)
        monkeypatch.setenv("HEADWATER_DATABASE_URL", _database(kind, folder, request))
        _deliver(town)
        arguments = ["nightly", "--as-of", ON, "--no-fetch", "--site", str(folder)]
        statuses[step] = command(arguments, kill)
        assert command(arguments) == (3 << 8 if kill else 0)
        ends[step] = (sorted(sources(os.environ["HEADWATER_DATABASE_URL"])), lying(folder / "inbox"))
    assert statuses.pop("nothing") == 3 << 8
    assert set(statuses.values()) == {9}
    wanted = ends["nothing"]
    assert wanted[1] == ["done/a.zip", "mail/done/1.M1.host", "mail/rejected/2.M2.host", "rejected/b.zip"]
    assert len(wanted[0]) == 7
    assert {step: end for step, end in ends.items() if end != wanted} == {}


def _database(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    if kind == "sqlite":
        return f"sqlite:///{folder / 'headwater.db'}"
    server = request.getfixturevalue("postgresql")
    name = f"readers_{folder.parent.name}_{os.getpid()}"
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name}")
    return str(server.get_uri(name))


def _deliver(town: Town) -> None:
    box = town.folder / "inbox" / "mail" / "new"
    box.mkdir(parents=True)
    members = {"june.rdb": rdb("2025-06-01"), "july.rdb": rdb("2025-07-01"), "bad.csv": b"what is this?\n"}
    (town.folder / "inbox" / "a.zip").write_bytes(zipped(members))
    (town.folder / "inbox" / "b.zip").write_bytes(zipped({"../up.rdb": rdb("2025-06-02")}))
    for name, made in {"1.M1.host": mail({"august.rdb": rdb("2025-08-01")}), "2.M2.host": mail()}.items():
        (box / name).write_bytes(_fixed(made.as_bytes()))


def _fixed(data: bytes) -> bytes:
    """The same boundary each time: it is drawn at random, and the message's hash is its name."""
    mark = data.partition(b'boundary="')[2].partition(b'"')[0]
    return data.replace(mark, b"=====fixed==") if mark else data


# Zip files -----------------------------------------------------------------------------------------------------------


def take(town: Town, path: Path) -> parcels.Taken:
    site = open_site(town.folder)
    with opened(town.url) as engine:
        return parcels.take(parcels.desk(engine, site.site, ZoneInfo(site.law.zone), 1, site.households), path)


def put(town: Town, content: bytes, name: str = "a.zip") -> Path:
    path = town.folder / "inbox" / name
    path.write_bytes(content)
    return path


def test_each_member_has_its_receipt_and_a_bad_one_leaves_the_others(town: Town) -> None:
    members = {
        "bad.csv": b"what is this?\n", "deep/july.rdb": rdb("2025-07-01"),
        "inner.zip": zipped({"x.rdb": rdb("2025-01-01")}),
        "june.rdb": rdb("2025-06-01"), "report.pdf": b"%PDF-1.7 \0\1", "__MACOSX/._june.rdb": b"1",
    }  # fmt: skip
    put(town, zipped(members))
    summary = town.night(ON)
    found = {one["file"]: (one["format"], one["accepted"], one["error"]) for one in summary["files"]}
    assert list(found) == [f"a.zip/{name}" for name in members if name[0] != "_"]
    assert found["a.zip/deep/july.rdb"] == found["a.zip/june.rdb"] == ("nwis-rdb-dv", 1, "")
    assert found["a.zip/report.pdf"] == ("document", 0, "")
    assert "unknown format" in found["a.zip/bad.csv"][2]
    assert "a zip inside a zip" in found["a.zip/inner.zip"][2]
    assert lying(town.folder / "inbox") == ["done/a.zip"]


def test_a_member_whose_checksum_is_wrong_is_rejected_alone(town: Town) -> None:
    good, other = rdb("2025-06-01", "6.66"), rdb("2025-07-01", "7.77")
    receipts = take(town, put(town, zipped({"a.rdb": good, "b.rdb": other}).replace(b"6.66", b"6.67", 1))).receipts
    assert [(one.accepted, "a broken zip file" in one.error) for one in receipts] == [(0, True), (1, False)]


def test_what_a_member_came_in_is_on_record(town: Town) -> None:
    path = put(town, zipped({"june.rdb": rdb("2025-06-01")}))
    whole = take(town, path).whole
    with opened(town.url) as engine, reading(engine) as connection:
        assert origins.of(connection, 1)["zip"] == whole.sha256


def test_a_zip_again_gives_nothing_new_and_a_file_of_it_alone_neither(town: Town) -> None:
    content = zipped({"june.rdb": rdb("2025-06-01"), "july.rdb": rdb("2025-07-01")})
    assert sum(one.accepted for one in take(town, put(town, content)).receipts) == 2
    assert [(one.accepted, one.seen) for one in take(town, put(town, content)).receipts] == [(0, True)] * 2
    (alone,) = take(town, put(town, rdb("2025-06-01"), "june.rdb")).receipts
    assert (alone.accepted, alone.seen) == (0, True)
    assert values(town.url) == 2


def encrypted(content: bytes) -> bytes:
    """The bit that says so, in the member's own head and in the table of contents (APPNOTE 4.4.4)."""
    data = bytearray(content)
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1
    return bytes(data)


REFUSED = {
    "locked": (encrypted(zipped({"a.rdb": rdb("2025-06-01")})), "locked with a password"),
    "bomb": (zipped({"a.rdb": rdb("2025-06-01"), "b": b"0" * 2**22}, zipfile.ZIP_DEFLATED), "a zip bomb"),
    "traversal": (zipped({"a.rdb": rdb("2025-06-01"), "../b.rdb": rdb("2025-06-02")}), "leads out of it"),
    "absolute": (zipped({"/etc/b.rdb": rdb("2025-06-02")}), "leads out of it"),
    "cut": (zipped({"a.rdb": rdb("2025-06-01") * 9})[:-30], "a broken zip file"),
    "reports only": (zipped({"a.pdf": b"%PDF-1.7 \0\1"}), "nothing in it is a table"),
    "bad members only": (zipped({"a.csv": b"what is this?\n", "b.csv": b"or this?\n"}), "unknown format"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_zip_nobody_should_open_is_set_aside_with_the_reason(town: Town, name: str) -> None:
    content, why = REFUSED[name]
    put(town, content)
    summary = town.night(ON)
    assert any(why in one and one.startswith("a.zip") for one in summary["left_out"])
    assert lying(town.folder / "inbox") == ["rejected/a.zip"]
    assert values(town.url) == 0


def test_no_household_s_name_comes_out_of_a_zip(town: Town) -> None:
    name = "Example Owner One"
    members = {
        f"{name}.rdb": rdb("2025-06-01"),
        f"{name}/july.rdb": rdb("2025-07-01"),
        "Example Owner/One.rdb": rdb("2025-08-01"),
    }
    put(town, zipped(members))
    summary = town.night(ON)
    assert [one["accepted"] for one in summary["files"]] == [1, 1, 1]
    assert "Owner" not in str(summary["files"]) + str(sources(town.url))


def test_a_rehearsal_reads_what_a_zip_holds(town: Town, capsys: pytest.CaptureFixture[str]) -> None:
    put(town, zipped({"june.rdb": rdb("2025-06-01")}))
    assert cli.run(["nightly", "--dry-run", "--as-of", ON, "--site", str(town.folder)]) == 0
    assert "a.zip/june.rdb" in capsys.readouterr().out
    assert lying(town.folder / "inbox") == ["a.zip"]
