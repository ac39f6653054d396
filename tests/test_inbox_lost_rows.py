"""Rows that could be lost unsaid: written after a file was read, taken back, behind a full disk, hidden in a zip."""

from __future__ import annotations

import errno
import io
import os
import tempfile
import time
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from ingest import message
from ingest.message import parse
from models.errors import BadFile
from pipelines import mail_drop, parcels
from tests.test_inbox_guard import HEAD, packed, put, town
from tests.test_mail_drop import boxes, mail, post, rdb, told_as
from tests.test_revision import HEAD as DAILY
from tests.test_revision import deliver, site, stored
from tests.town import Town

__all__ = ["site", "town"]

ON, NEXT = "2025-08-11", "2025-08-12"


def levels(*days: int) -> str:
    return "".join(f"MW-1,2025-08-{day:02d},09:00,CDT,5.{day},MP,,x,\n" for day in days)


def counts(summary: dict[str, Any]) -> list[tuple[str, int, int]]:
    return [(one["file"], one["accepted"], one["duplicate"]) for one in summary["files"]]


# Written after it was read -------------------------------------------------------------------------------------------


def test_what_a_writer_adds_after_the_move_is_taken_the_next_night(town: Town) -> None:
    """The handle of an upload follows the rename into done/."""
    with (town.folder / "inbox" / "up.csv").open("w", encoding="utf-8") as upload:
        upload.write(f"{HEAD}\n{levels(1, 2)}")
        upload.flush()
        assert counts(town.night(ON)) == [("up.csv", 2, 0)]
        upload.write(levels(3, 4, 5))
    summary = town.night(NEXT)
    assert counts(summary) == [("up.csv", 3, 2)]
    line = "inbox/done/up.csv: more was written to it after it was read; it is read again"
    assert line in summary["left_out"]
    third = town.night("2025-08-13")
    assert (counts(third), [one for one in third["left_out"] if "up.csv" in one]) == ([], [])


def test_a_refused_beginning_is_read_again_when_it_is_whole(town: Town) -> None:
    whole = packed("a.rdb", content=rdb("2025-08-01"))
    with (town.folder / "inbox" / "up.zip").open("wb") as upload:
        upload.write(whole[:50])
        upload.flush()
        town.night(ON)
        assert (town.folder / "inbox" / "rejected" / "up.zip").exists()
        upload.write(whole[50:])
    assert counts(town.night(NEXT)) == [("up.zip/a.rdb", 1, 0)]
    assert (town.folder / "inbox" / "done" / "up.zip").exists()
    assert town.night("2025-08-13")["files"] == []


def test_what_somebody_changed_in_done_is_told_and_not_taken(town: Town) -> None:
    put(town, "a.csv", f"{HEAD}\n{levels(1, 2)}".encode())
    town.night(ON)
    done = town.folder / "inbox" / "done"
    (done / "a.csv").write_text(f"{HEAD}\n{levels(3)}", encoding="utf-8")
    (done / "notes.txt").write_text("somebody's own", encoding="utf-8")
    summary = town.night(NEXT)
    assert counts(summary) == []
    about = [one for one in summary["left_out"] if one.startswith("inbox/done/")]
    assert about == ["inbox/done/a.csv: changed after it was read; put it into the inbox if what it says now counts"]


def test_a_grown_file_under_a_lengthened_name_comes_back_under_its_own(town: Town) -> None:
    put(town, "a.csv", f"{HEAD}\n{levels(1)}".encode())
    town.night(ON)
    with (town.folder / "inbox" / "a.csv").open("w", encoding="utf-8") as upload:
        upload.write(f"{HEAD}\n{levels(2)}")
        upload.flush()
        town.night(NEXT)
        upload.write(levels(3))
    assert counts(town.night("2025-08-13")) == [("a.csv", 1, 1)]


# Taken back ----------------------------------------------------------------------------------------------------------


def test_a_content_whose_value_was_replaced_says_so(site: Path) -> None:
    first = (DAILY, "G-1,2025-07-01,24.21,P", "G-1,2025-07-02,5,P")
    deliver(site, "x.csv", *first)
    deliver(site, "x.csv", DAILY, "G-1,2025-07-01,24.22,P", "G-1,2025-07-02,5,P", on="2025-07-11T12:00")
    again = deliver(site, "x.csv", *first, on="2025-07-12T00:00")
    assert (again.seen, again.accepted, again.revised) == (True, 0, 0)
    assert again.note.startswith("1 value of it was replaced by x.csv of 2025-07-11, and that stands")


def test_what_was_left_out_is_taken_and_undoes_no_correction(site: Path) -> None:
    """A correction of the first day came between; of the old file only the day nobody had is new."""
    first = (DAILY, "G-1,2025-07-01,24.21,P", "G-9,2025-07-02,5,P")
    deliver(site, "x.csv", *first)
    deliver(site, "y.csv", DAILY, "G-1,2025-07-01,24.22,P", on="2025-07-11T12:00")
    with (site / "site.toml").open("a", encoding="utf-8") as known:
        known.write('identifiers = ["G-9"]\n')
    again = deliver(site, "x.csv", *first, on="2025-07-12T00:00")
    assert (again.accepted, again.revised, again.duplicate, again.rejected) == (1, 0, 1, 0)
    assert stored(site) == [("24.22", "P"), ("5", "P")]
    assert again.note.startswith("1 value of it was replaced by y.csv of 2025-07-11, and that stands")


def test_a_content_that_stands_says_nothing_when_it_comes_again(site: Path) -> None:
    first = (DAILY, "G-1,2025-07-01,24.21,P")
    deliver(site, "x.csv", *first)
    assert deliver(site, "y.csv", *first, on="2025-07-12T00:00").note == ""


def test_the_day_of_a_night_is_its_own_and_not_the_one_it_ends_in(site: Path) -> None:
    """A night knows what was known at the end of its day: 05:00 UTC of the 12th is the end of the 11th in Wisconsin."""
    deliver(site, "x.csv", DAILY, "G-1,2025-07-01,24.21,P")
    deliver(site, "y.csv", DAILY, "G-1,2025-07-01,24.22,P", on="2025-07-12T05:00")
    again = deliver(site, "x.csv", DAILY, "G-1,2025-07-01,24.21,P", on="2025-07-13T05:00")
    assert "by y.csv of 2025-07-11," in again.note


def test_a_content_twice_in_a_night_under_one_name_is_listed_under_every_delivery(town: Town) -> None:
    """x.csv is taken tonight by mail; another x.csv of the inbox came before and is told too."""
    put(town, "x.csv", f"{HEAD}\n{levels(1)}".encode())
    town.night(ON)
    put(town, "x.csv", f"{HEAD}\n{levels(1)}".encode())
    post(town, mail({"x.csv": f"{HEAD}\n{levels(2)}".encode()}))
    summary = town.night(NEXT)
    assert [(one["accepted"], one["seen"]) for one in summary["files"] if one["file"] == "x.csv"] == [
        (1, False), (0, True),
    ]  # fmt: skip


# Disks ---------------------------------------------------------------------------------------------------------------


def full(*_: object, **__: object) -> str:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("where", [(tempfile, "mkdtemp"), (Path, "write_bytes")])
def test_a_full_temporary_folder_stops_one_mail_and_not_the_night(
    town: Town, monkeypatch: pytest.MonkeyPatch, where: tuple[Any, str]
) -> None:
    post(town, mail({"a.rdb": rdb("2025-07-01")}))
    put(town, "b.zip", packed("c.rdb", content=rdb("2025-07-03")))
    put(town, "d.rdb", rdb("2025-07-02"))
    with monkeypatch.context() as patched:
        patched.setattr(*where, full)
        summary = town.night(ON)
    assert [one["file"] for one in summary["files"] if one["accepted"]] == ["d.rdb"]
    assert any("a.rdb: the temporary folder does not take it" in one for one in summary["left_out"])
    assert (town.folder / "inbox" / "b.zip").exists()
    assert list(boxes(town)) == ["new"]
    assert [one["accepted"] for one in town.night(NEXT)["files"]].count(1) == 2
    assert list(boxes(town)) == ["done"]


def test_a_killed_reader_s_folder_is_swept_and_a_young_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made = {name: tmp_path / name for name in ("headwater-parcel-old", "headwater-parcel-new", "another")}
    for folder in made.values():
        folder.mkdir()
        (folder / "private.csv").write_text("x")
    two_days_ago = time.time() - 2 * 86_400
    for name in ("headwater-parcel-old", "another"):
        os.utime(made[name], (two_days_ago, two_days_ago))
    parcels.sweep()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["another", "headwater-parcel-new"]


def test_done_on_another_disk_is_reached_by_copying(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    original: Callable[..., Path] = Path.replace

    def across(self: Path, target: Path) -> Path:
        if self.parent != Path(target).parent:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        return original(self, target)

    put(town, "d.rdb", rdb("2025-07-02"))
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", across)
        assert town.night(ON)["left_out"] == []
    place = town.folder / "inbox"
    assert sorted(str(one.relative_to(place)) for one in place.rglob("*d.rdb*") if one.suffix != ".txt") == [
        "done/d.rdb"
    ]
    assert (place / "done" / "d.rdb").read_bytes() == rdb("2025-07-02")


# Mails ---------------------------------------------------------------------------------------------------------------


def test_a_mail_too_large_is_refused_once_and_moved(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message, "MAX_MESSAGE", 2_000)
    monkeypatch.setattr(mail_drop, "MAX_MESSAGE", 2_000)
    data = mail({"a.rdb": rdb("2025-07-01") + b"#" * 5_000}).as_bytes()
    post(town, data)
    summary = town.night(ON)
    assert f"{told_as(data)}: a mail of more than 2000 bytes" in summary["left_out"]
    assert not any("still being written" in one for one in summary["left_out"])
    assert list(boxes(town)) == ["rejected"]


def nested(depth: int, body: bytes) -> bytes:
    heads = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(depth))
    tails = b"".join(b"--b%d--\n" % n for n in reversed(range(depth)))
    return b"From: a@b.example\nMIME-Version: 1.0\n" + heads + b"Content-Type: text/plain\n\n" + body + tails


@pytest.mark.parametrize(
    "data", [nested(2, b"\n" * 1_100_000), nested(2, b"\r" * 1_100_000), nested(40, b"\n" * 400_000)]
)
def test_lines_that_brake_are_counted_before_parsing(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> EmailMessage:
        raise AssertionError("parsed")

    monkeypatch.setattr(message, "BytesParser", never)
    with pytest.raises(BadFile, match="lines"):
        parse(data, "mail")


def test_the_largest_file_in_base64_has_not_too_many_lines() -> None:
    """64 MiB at the 76 characters of RFC 2045, 6.8, and their line end: 871 000 lines; in three containers."""
    lines = message.MAX_MESSAGE // 77
    assert lines < message.MAX_LINES
    assert lines * 4 < message.MAX_COMPARED


def typed(kind: str, name: str) -> list[str]:
    made = mail()
    main, sub = kind.split("/")
    made.add_attachment(b"a,b\n", maintype=main, subtype=sub, filename=name)
    return [one.name for one in parse(made.as_bytes(), "mail").attachments]


@pytest.mark.parametrize(
    ("kind", "name", "read"),
    [
        ("image/x-unknown", "totalizer.csv", True), ("audio/basic", "Levels.XLSX", True),
        ("text/calendar", "a.csv", True),
        ("image/png", "logo.png", False), ("video/mp4", "well.mp4", False), ("text/calendar", "invite.ics", False),
    ],
)  # fmt: skip
def test_a_name_of_data_counts_whatever_the_program_calls_it(kind: str, name: str, read: bool) -> None:
    assert typed(kind, name) == ([name] if read else [])


def test_what_is_no_message_in_the_maildir_is_counted(town: Town) -> None:
    place = town.folder / "inbox" / "mail"
    (place / ".Lab" / "new").mkdir(parents=True)
    (place / "new" / "Example Owner One").mkdir()
    (place / "new" / "link").symlink_to("/nowhere")
    lines = [one for one in town.night(ON)["left_out"] if one.startswith("inbox/mail")]
    assert [one.partition(" that")[0] for one in lines] == [
        "inbox/mail/new: 2 things in it",
        "inbox/mail: 1 thing in it",
    ]


def test_the_sender_is_told_unless_the_address_names_a_household(town: Town) -> None:
    post(town, mail({"a.rdb": rdb("2025-07-01")}), "1.M1.host")
    post(town, mail({"b.rdb": rdb("2025-07-02")}, sender="example.owner.one@mail.example"), "2.M1.host")
    summary = town.night(ON)
    senders = {one["file"]: one["sender"] for one in summary["files"]}
    assert (senders["a.rdb"], senders["b.rdb"]) == ("results@lab.example", "withheld")
    assert "a.rdb: from results@lab.example, as it says" in summary["notes"]


# Zips ----------------------------------------------------------------------------------------------------------------


def test_a_member_behind_a_dot_and_a_slash_is_read_and_a_hidden_one_is_told(town: Town) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("./levels.csv", f"{HEAD}\n{levels(1)}")
        archive.writestr(".data/x.csv", f"{HEAD}\n{levels(2)}")
        archive.writestr("__MACOSX/._levels.csv", "junk")
        archive.writestr("sub/.DS_Store", "junk")
        archive.writestr("Thumbs.db", "junk")
    put(town, "dot.zip", made.getvalue())
    files = {one["file"]: (one["accepted"], one["error"]) for one in town.night(ON)["files"]}
    assert files["dot.zip/levels.csv"] == (1, "")
    (hidden,) = (error for name, (_, error) in files.items() if name != "dot.zip/levels.csv")
    assert "a hidden file, or in a hidden folder: not read" in hidden
