"""Deliveries by mail: attached files are deliveries, whatever the message says of itself is harmless or told."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import zipfile
from collections.abc import Mapping
from email.message import EmailMessage, MIMEPart
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from ingest import message
from ingest.message import parse, safe_name
from models.errors import BadFile
from pipelines import cli, mail_drop, origins, schema
from pipelines.database import opened, reading
from pipelines.night_lock import LOCK
from tests.town import Town

ON = "2025-08-11"
HEAD = "agency_cd\tsite_no\tdatetime\t100001_00060_00003\t100001_00060_00003_cd\n5s\t15s\t20d\t14n\t10s\n"
LAB = "Made-up Laboratory <results@lab.example>"


def rdb(day: str, value: str = "6.00") -> bytes:
    return f"{HEAD}USGS\t05999101\t{day}\t{value}\tP\n".encode()


def mail(files: Mapping[str, bytes] = {}, body: str = "Results attached.", sender: str = LAB) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, "town@town.example", "Results"
    made.set_content(body)
    for name, content in files.items():
        made.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return made


def raw(*lines: str) -> bytes:
    return "\r\n".join(["From: results@lab.example", "MIME-Version: 1.0", *lines, ""]).encode(
        "utf-8", "surrogateescape"
    )


def one_part(disposition: str, content: str = "a,b", encoding: str = "7bit", type: str = "text/csv") -> bytes:
    """A message of one file whose headers say what no decent program writes."""
    return raw(
        'Content-Type: multipart/mixed; boundary="xx"', "", "--xx", f"Content-Type: {type}",
        f"Content-Transfer-Encoding: {encoding}", f"Content-Disposition: {disposition}", "", content, "--xx--",
    )  # fmt: skip


@pytest.fixture
def town(tmp_path: Path) -> Town:
    made = Town(tmp_path / "site")
    for name in ("tmp", "new", "cur"):
        (made.folder / "inbox" / "mail" / name).mkdir(parents=True)
    return made


def post(town: Town, data: EmailMessage | bytes, name: str = "1754900000.M1P1.host", box: str = "new") -> Path:
    path = town.folder / "inbox" / "mail" / box / name
    path.write_bytes(data if isinstance(data, bytes) else data.as_bytes())
    return path


def files(summary: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(one["file"], one["format"], one["accepted"]) for one in summary["files"]]


def boxes(town: Town) -> dict[str, list[str]]:
    """Names of what lies in each folder of the maildir."""
    place = town.folder / "inbox" / "mail"
    return {box.name: sorted(one.name for one in box.iterdir()) for box in place.iterdir() if any(box.iterdir())}


def told_as(data: bytes) -> str:
    return f"mail {hashlib.sha256(data).hexdigest()[:12]}"


# The night -----------------------------------------------------------------------------------------------------------


def test_every_attached_file_is_a_delivery(town: Town) -> None:
    data = mail({"july.rdb": rdb("2025-07-01"), "august.rdb": rdb("2025-08-01")}).as_bytes()
    post(town, data)
    summary = town.night(ON)
    assert files(summary) == [
        ("july.rdb", "nwis-rdb-dv", 1), ("august.rdb", "nwis-rdb-dv", 1), (told_as(data), "mail", 0),
    ]  # fmt: skip
    assert f"{told_as(data)}: 2 attached files; its own text is not data" in summary["notes"]
    assert summary["left_out"] == []
    assert boxes(town) == {"done": ["1754900000.M1P1.host"]}


def test_what_a_file_came_in_is_on_record(town: Town) -> None:
    data = mail({"july.rdb": rdb("2025-07-01")}, body="Dear town").as_bytes()
    post(town, data)
    town.night(ON)
    with opened(town.url) as engine, reading(engine) as connection:
        query = select(schema.source.c.id).where(schema.source.c.file == "july.rdb")
        found = origins.of(connection, connection.execute(query).scalar_one())
    assert found == {
        "mail": hashlib.sha256(data).hexdigest(),
        "body": hashlib.sha256(b"Dear town\n").hexdigest(),
        "sender": "results@lab.example",
    }


def test_a_message_seen_by_a_mail_program_is_read_and_one_on_its_way_is_not(town: Town) -> None:
    post(town, mail({"july.rdb": rdb("2025-07-01")}), "1.M1.host:2,S", "cur")
    post(town, mail({"august.rdb": rdb("2025-08-01")}), "2.M2.host", "tmp")
    assert [one[0] for one in files(town.night(ON))][:1] == ["july.rdb"]
    assert boxes(town) == {"done": ["1.M1.host:2,S"], "tmp": ["2.M2.host"]}


def test_the_same_message_twice_stores_once_and_keeps_both(town: Town) -> None:
    message = mail({"july.rdb": rdb("2025-07-01")})
    post(town, message)
    town.night(ON)
    post(town, message)
    summary = town.night("2025-08-12")
    assert [(one["accepted"], one["seen"]) for one in summary["files"]] == [(0, True), (0, True)]
    assert len(boxes(town)["done"]) == 2


def test_a_message_without_a_file_is_told_and_set_aside(town: Town) -> None:
    data = mail(body="The well reads 43 ft today.").as_bytes()
    post(town, data)
    summary = town.night(ON)
    line = f"{told_as(data)}: a mail without an attached file: its own text is not read as data"
    assert line in summary["left_out"]
    assert boxes(town) == {"rejected": ["1754900000.M1P1.host"]}
    assert "43 ft" not in str(summary)


def test_a_bad_file_of_a_message_leaves_the_others(town: Town) -> None:
    post(town, mail({"note.csv": b"what is this?\n", "july.rdb": rdb("2025-07-01")}))
    summary = town.night(ON)
    assert [(one["file"], one["accepted"], bool(one["error"])) for one in summary["files"]][:2] == [
        ("note.csv", 0, True), ("july.rdb", 1, False),
    ]  # fmt: skip
    assert list(boxes(town)) == ["done"]


def test_a_message_of_bad_files_only_is_set_aside(town: Town) -> None:
    post(town, mail({"a.csv": b"what is this?\n", "b.csv": b"or this?\n"}))
    assert any("a mail of whose files nothing was taken" in one for one in town.night(ON)["left_out"])
    assert list(boxes(town)) == ["rejected"]


def test_a_report_beside_the_data_is_on_record_and_not_read(town: Town) -> None:
    post(town, mail({"report.pdf": b"%PDF-1.7 \0\1", "july.rdb": rdb("2025-07-01")}))
    summary = town.night(ON)
    assert files(summary)[:2] == [("report.pdf", "document", 0), ("july.rdb", "nwis-rdb-dv", 1)]
    assert summary["left_out"] == []
    post(town, mail({"other.pdf": b"%PDF-1.7 \0\2"}))
    assert any("nothing was taken" in one for one in town.night("2025-08-12")["left_out"])


def test_pictures_and_signatures_of_a_mail_are_no_deliveries(town: Town) -> None:
    made = mail({"july.rdb": rdb("2025-07-01")})
    made.add_attachment(b"\x89PNG\r\n", maintype="image", subtype="png", filename="logo.png", disposition="inline")
    made.add_attachment(b"--", maintype="application", subtype="pgp-signature", filename="signature.asc")
    post(town, made)
    summary = town.night(ON)
    assert len(summary["files"]) == 2
    assert "1 attached file, 2 pictures or signatures not read; its own text is not data" in str(summary["notes"])


def test_a_forwarded_message_gives_its_files(town: Town) -> None:
    outer = mail(body="See below.")
    outer.add_attachment(mail({"july.rdb": rdb("2025-07-01")}))
    post(town, outer)
    assert files(town.night(ON))[0] == ("july.rdb", "nwis-rdb-dv", 1)


def test_a_zip_in_a_message_gives_its_files(town: Town) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("july.rdb", rdb("2025-07-01"))
        archive.writestr("bad.csv", "what is this?\n")
    post(town, mail({"results.zip": packed.getvalue()}))
    found = files(town.night(ON))
    assert found[:2] == [("results.zip/bad.csv", "", 0), ("results.zip/july.rdb", "nwis-rdb-dv", 1)]


def test_no_household_s_name_leaves_a_message(town: Town, capsys: pytest.CaptureFixture[str]) -> None:
    """In the sender, the subject, the text, the names of files, and the name of the message's own file."""
    names = ("Example Owner One", "715-555-0101")
    made = mail(
        {"Example Owner One levels.rdb": rdb("2025-07-01"), "715-555-0101.txt": b"what is this?\n"},
        body="Example Owner One, 715-555-0101", sender="Example Owner One <example.owner.one@mail.example>",
    )  # fmt: skip
    del made["Subject"]
    made["Subject"] = "Well of Example Owner One"
    post(town, made, "Example Owner One.eml")
    summary = town.night(ON)
    assert [one["file"][:9] for one in summary["files"][:2]] == ["withheld-", "withheld-"]
    assert summary["files"][0]["accepted"] == 1
    assert cli.run(["rejects", "--site", str(town.folder)]) == 0
    out, err = capsys.readouterr()
    with opened(town.url) as engine, reading(engine) as connection:
        tables = (schema.source, schema.reject, schema.mark, schema.outbox, schema.night)
        stored = str([connection.execute(select(one)).all() for one in tables])
    for text in (str(summary), out, err, stored):
        assert not any(name in text or name.replace(" ", ".").casefold() in text for name in names)


def test_a_folder_named_mail_that_is_no_maildir_is_told(tmp_path: Path) -> None:
    town = Town(tmp_path / "site")
    (town.folder / "inbox" / "mail").mkdir()
    assert "inbox/mail: not a maildir (new/, cur/, tmp/), nothing in it was read" in town.night(ON)["left_out"]


def test_a_rehearsal_reads_messages_and_moves_none(town: Town, capsys: pytest.CaptureFixture[str]) -> None:
    path = post(town, mail({"july.rdb": rdb("2025-07-01")}))
    assert cli.run(["nightly", "--dry-run", "--as-of", ON, "--site", str(town.folder)]) == 0
    assert "july.rdb" in capsys.readouterr().out
    assert path.exists()
    assert not (town.folder / LOCK).exists()


# Names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "safe"),
    [
        ("../../etc/cron.d/job.csv", "job.csv"),
        ("/etc/passwd", "passwd"),
        ("C:\\Users\\x\\levels.csv", "levels.csv"),
        ("..\\..\\levels.csv", "levels.csv"),
        ("a\0b.csv", "ab.csv"),
        ("\u202evsc.slevel\u202c.csv", "vsc.slevel.csv"),
        ("a\x1b[2Jb\r\n.csv", "a[2Jb.csv"),
        (".htaccess", "htaccess"),
        ("~$levels.xlsx", "levels.xlsx"),
        ("  two   words .csv ", "two words .csv"),
        ("grundwasserstände.csv", "grundwasserstände.csv"),
        ("x" * 10_000 + ".csv", "x" * 100 + ".csv"),
        ("x." + "y" * 10_000, ("x." + "y" * 98)),
        ("日" * 90 + ".csv", "日" * 66 + ".csv"),
    ],
)
def test_a_name_leads_nowhere(stated: str, safe: str) -> None:
    assert safe_name(stated, b"") == safe


@pytest.mark.parametrize("stated", ["", "..", ".", "/", "\0", "\u202e", "a/..", "   "])
def test_where_no_name_is_left_the_content_gives_one(stated: str) -> None:
    assert safe_name(stated, b"abc") == "attachment-ba7816bf8f01"  # SHA-256 of "abc", FIPS 180-2 B.1


@given(st.text(max_size=300), st.binary(max_size=8))
def test_any_name_is_a_plain_file_of_one_folder(stated: str, content: bytes) -> None:
    name = safe_name(stated, content)
    assert name not in {"", ".", ".."}
    assert not set(name) & set("/\\\0\r\n")
    assert not name.startswith(".")
    assert len(os.fsencode(name)) <= 240
    assert safe_name(name, content) == name


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment; filename="../../up.csv"', "up.csv"),
        ("attachment; filename*=utf-8''%2e%2e%2Fup%00%E2%80%AE.csv", "up.csv"),
        ("attachment; filename*0=le; filename*1=vels.csv", "levels.csv"),
        ('attachment; filename="=?utf-8?B?Li4vbGV2ZWxzLmNzdg==?="', "levels.csv"),
        ('attachment; filename="=?none-such?Q?levels.csv?="', "attachment-1a6ae1e1dd9e"),
        ('attachment; filename="=?utf-8?B?a?="', "attachment-1a6ae1e1dd9e"),
        ("attachment; filename*=none-such''levels.csv", "levels.csv"),
        ("attachment", "attachment-1a6ae1e1dd9e"),
        (f'attachment; filename="{"x" * 10_000}.csv"', "x" * 100 + ".csv"),
        (f'attachment; filename="{"x;" * 20_000}.csv"', "attachment-1a6ae1e1dd9e"),
    ],
)
def test_names_of_a_hostile_header(disposition: str, name: str) -> None:
    (found,) = parse(one_part(disposition), "m").attachments
    expected = f"attachment-{hashlib.sha256(b'a,b').hexdigest()[:12]}" if name.startswith("attachment-") else name
    assert (found.name, found.content, found.reason) == (expected, b"a,b", "")


# Parts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["7bit", "8BIT", "quoted-printable", "Base64"])
def test_a_file_is_as_it_was_sent(encoding: str) -> None:
    given_ = {"quoted-printable": "a=2Cb", "Base64": "YSxi"}.get(encoding, "a,b")
    (found,) = parse(one_part('attachment; filename="x.csv"', given_, encoding), "m").attachments
    assert found.content == b"a,b"


@pytest.mark.parametrize("type", ["text/csv; charset=utf-16", "text/csv; charset=none-such", "text/csv; charset=idna"])
def test_a_wrong_charset_changes_no_byte(type: str) -> None:
    text = "Gr\u00fcn,1"
    (found,) = parse(one_part('attachment; filename="x.csv"', text, "8bit", type), "m").attachments
    assert (found.content, found.reason) == (text.encode(), "")


@pytest.mark.parametrize("content", ["YSxi!!!!", "YSx", "Y", "YSxi=====YSxi", "\u00e4\u00f6"])
def test_broken_base64_gives_nothing(content: str) -> None:
    (found,) = parse(one_part('attachment; filename="x.csv"', content, "base64"), "m").attachments
    assert "broken base64" in found.reason


def test_an_encoding_nobody_knows_gives_nothing() -> None:
    (found,) = parse(one_part('attachment; filename="x.csv"', "a,b", "x-none"), "m").attachments
    assert "encoding that is not known" in found.reason


def test_a_mail_packed_into_a_mail_in_base64_is_not_taken_for_empty() -> None:
    inner = base64.b64encode(mail({"a.csv": b"a,b"}).as_bytes()).decode()
    (found,) = parse(one_part("attachment", inner, "base64", "message/rfc822"), "m").attachments
    assert "a mail packed into a mail" in found.reason


def test_a_file_without_a_name_is_a_file_and_a_text_is_not() -> None:
    made = mail()
    part = MIMEPart()
    part.set_content(b"a,b", maintype="application", subtype="octet-stream")
    made.make_mixed()
    made.attach(part)
    found = parse(made.as_bytes(), "m")
    assert [one.content for one in found.attachments] == [b"a,b"]
    assert found.body_sha256 == hashlib.sha256(b"Results attached.\n").hexdigest()


def test_a_message_that_is_one_file_gives_it() -> None:
    data = raw("Content-Type: text/csv; name=levels.csv", "", "a,b")
    assert [(one.name, one.content) for one in parse(data, "m").attachments] == [("levels.csv", b"a,b\r\n")]


# Refused whole -------------------------------------------------------------------------------------------------------


def nested(depth: int) -> bytes:
    opens = [line for n in range(depth) for line in (f"--{n}", f"Content-Type: multipart/mixed; boundary={n + 1}", "")]
    closes = [f"--{n}--" for n in range(depth, -1, -1)]
    return raw(
        "Content-Type: multipart/mixed; boundary=0", "", *opens, f"--{depth}", "Content-Type: text/plain", "", "x",
        *closes,
    )  # fmt: skip


def forwarded(depth: int) -> bytes:
    return raw(*["Content-Type: message/rfc822\r\n\r\nFrom: a@b.example"] * depth, "", "x")


def parts(count: int) -> bytes:
    return raw("Content-Type: multipart/mixed; boundary=x", "", *["--x\r\n\r\ny"] * count, "--x--")


BOMBS = {
    "nested": (nested(20), "deep in each other"),
    "nested far": (nested(5_000), "messages and multiparts"),
    "forwarded": (forwarded(30), "deep in each other"),
    "forwarded far": (forwarded(100_000), "messages and multiparts"),
    "parts": (parts(500), "more than 200 parts"),
    "many parts": (parts(1_000_000), "lines that could part it"),
    "bare returns": (parts(30_000).replace(b"\r\n", b"\r"), "lines that could part it"),
    "cut short": (mail({"a.csv": b"a,b" * 500}).as_bytes()[:900], "cut short"),
    "no boundary": (raw("Content-Type: multipart/mixed", "", "x"), "cannot be told apart"),
    "no part": (raw("Content-Type: multipart/mixed; boundary=x", "", "y"), "cannot be told apart"),
    "no mail": (b"station,date,value\nG-1,2025-01-01,4\n", "not a mail message"),
    "nothing": (b"", "not a mail message"),
    "bytes": (bytes(range(256)) * 50, "not a mail message"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_message_nobody_should_take_apart(name: str) -> None:
    data, why = BOMBS[name]
    with pytest.raises(BadFile, match=why):
        parse(data, "m")


def test_a_message_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    data = mail({"a.csv": b"a,b"}).as_bytes()
    monkeypatch.setattr(message, "MAX_MESSAGE", len(data))
    assert len(parse(data, "m").attachments) == 1
    monkeypatch.setattr(message, "MAX_MESSAGE", len(data) - 1)
    with pytest.raises(BadFile, match="bytes"):
        parse(data, "m")


@pytest.mark.parametrize("name", ["nested far", "cut short", "no mail", "nothing", "bytes"])
def test_a_refused_message_is_set_aside_with_its_reason(town: Town, name: str) -> None:
    data, why = BOMBS[name]
    post(town, data)
    post(town, mail({"july.rdb": rdb("2025-07-01")}), "2.M2.host")
    summary = town.night(ON)
    assert any(why in one and one.startswith(told_as(data)) for one in summary["left_out"])
    assert boxes(town) == {"done": ["2.M2.host"], "rejected": ["1754900000.M1P1.host"]}


def test_a_fault_of_the_program_keeps_no_other_message_back(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    original, broken = mail_drop.parse, mail(body="secret")

    def faulty(data: bytes, file: str) -> message.Mail:
        if data == broken.as_bytes():
            raise ZeroDivisionError("secret")
        return original(data, file)

    monkeypatch.setattr(mail_drop, "parse", faulty)
    post(town, broken)
    post(town, mail({"july.rdb": rdb("2025-07-01")}), "2.M2.host")
    summary = town.night(ON)
    assert any("a fault of the program, ZeroDivisionError" in one for one in summary["left_out"])
    assert "secret" not in str(summary)
    assert len(boxes(town)["done"]) == 1


LINES = st.sampled_from(
    [b"--x", b"--x--", b"--y", b"", b"Content-Type: multipart/mixed; boundary=x", b"Content-Type: message/rfc822",
     b"Content-Type: multipart/alternative; boundary=y", b"Content-Transfer-Encoding: base64", b"YSxi", b"=?x?B?",
     b"Content-Disposition: attachment; filename*0*=utf-8''%", b"From: a@b", b"\xff\xfe\0", b"begin 644 x", b"end",
     b"Content-Type: text/csv; name=\"", b" ; charset*=undefined''x", b"Content-Transfer-Encoding: uuencode"]
)  # fmt: skip


@given(st.lists(LINES, max_size=40))
def test_anything_is_taken_apart_or_refused(lines: list[bytes]) -> None:
    try:
        found = parse(b"MIME-Version: 1.0\r\n" + b"\r\n".join(lines), "m")
    except BadFile:
        return
    for one in found.attachments:
        assert one.name == safe_name(one.name, one.content)
        assert one.reason or isinstance(one.content, bytes)
