"""Bad input: one line names file, row and key, the rest of the night goes on, nothing is lost, the exit code tells."""

from __future__ import annotations

import email
import email.policy
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from models.errors import BadFile
from pipelines import cli, inbox
from pipelines.site_folder import EVENT_COLUMNS
from sample_data import demo

ROOT = Path(__file__).resolve().parents[1]
GOOD = "hand-levels-2025-06-30.csv"
FLOW = demo.SAMPLE / "baseline" / "usgs-05999101-dv-2025-06-30.rdb"
HEADER = "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment\n"
ACT = "howard.remedy/R-1/2025-02-03,town_receipt,2025-02-03T09:15:00-06:00,2025-02-03T09:40:00-06:00,owner:R-1,hand,,"
OVERDUE = ACT.replace("town_receipt", "operator_receipt")
"""An act whose answer is out by the end of the year: the night mails that."""
ON = "2025-06-30"
NOBODY = 65534

Answer = tuple[int, Any, str]
Night = Callable[..., Answer]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The sample site with one good file waiting."""
    folder = tmp_path / "site"
    demo.fresh_site(folder)
    shutil.copy(demo.SAMPLE / "baseline" / GOOD, folder / "inbox")
    return folder


@pytest.fixture
def night(site: Path, capfd: pytest.CaptureFixture[str]) -> Night:
    """Run a night: exit code, its summary (None where there is none), error output."""

    def run(*more: str, on: str = ON, place: Path = site) -> Answer:
        capfd.readouterr()
        code = cli.run(["nightly", "--as-of", on, "--site", str(place), "--json", *more])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        assert "fault of the program" not in out + err
        return code, json.loads(out) if out else None, err

    return run


@pytest.fixture
def ask(site: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    def run(*arguments: str) -> Any:
        capfd.readouterr()
        cli.run([*arguments, "--site", str(site), "--json"])
        return json.loads(capfd.readouterr().out)

    return run


# Files in the inbox --------------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[bytes, str]] = {
    "broken.xle": (b'<?xml version="1.0" encoding="UTF-8"?>\n<Body_xle>\n<Data>', "broken.xle: "),
    "page.rdb": (b"<!DOCTYPE html>\n<html><body>503 Service Unavailable</body></html>", "an HTML page, not data"),
    "empty.csv": (b"", "the file is empty"),
    "blank.csv": (b" \n\n", "the file is empty"),
    "scan.pdf": (b"%PDF-1.7 \x00\x01", "a binary file, not text"),
    "letter.txt": (b"Dear Town,\n\nmy well is dry.\n", "unknown format"),
    "cut-in-its-head.rdb": (FLOW.read_bytes()[:900], "no data in it"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_is_no_data_is_kept_and_said(night: Night, ask: Callable[..., Any], site: Path, name: str) -> None:
    content, reason = REFUSED[name]
    (site / "inbox" / name).write_bytes(content)
    code, summary, _ = night()
    assert code == 3
    (line,) = summary["left_out"]
    assert line.startswith(f"{name}: ")
    assert reason in line
    assert len(line.splitlines()) == 1
    assert (site / "inbox" / "rejected" / name).read_bytes() == content
    (reject,) = ask("rejects")
    assert reject["file"] == name
    assert reject["reason"] in line
    _the_good_file_went_in(summary, site)


def _the_good_file_went_in(summary: dict[str, Any], site: Path) -> None:
    (good,) = [one for one in summary["files"] if one["file"] == GOOD]
    assert (good["accepted"] > 50, good["rejected"], good["error"]) == (True, 0, "")
    assert (site / "inbox" / "done" / GOOD).is_file()
    assert [one.name for one in (site / "inbox").iterdir() if one.is_file()] == []


PARTLY: dict[str, tuple[bytes, str, int]] = {
    "cut.rdb": (FLOW.read_bytes()[:-9], "row 575: truncated row", 545),
    "stranger.csv": (
        f"{HEADER}MW-77,2025-06-30,09:00,CDT,22.18,MP,,,\nMW-1,2025-06-29,09:00,CDT,22.18,MP,,,\n".encode(),
        "row 2: station: unknown station",
        1,
    ),
    "typo.csv": (
        f"{HEADER}MW-1,2025-06-29,09:00,CDT,22.18,MP,,,\nMW-1,2025-06-30,09:00,CDT,2o.18,MP,,,\n".encode(),
        "row 3: depth_to_water_ft: ",
        1,
    ),
}


@pytest.mark.parametrize("name", PARTLY)
def test_a_bad_row_names_file_row_and_key_and_the_good_rows_load(
    night: Night, ask: Callable[..., Any], site: Path, name: str
) -> None:
    content, reason, accepted = PARTLY[name]
    (site / "inbox" / name).write_bytes(content)
    code, summary, _ = night()
    assert code == 3
    (line,) = summary["left_out"]
    assert line.startswith(f"{name}: 1 row rejected, the first: {reason}")
    assert [one["accepted"] for one in summary["files"] if one["file"] == name] == [accepted]
    assert [(one["file"], one["row"]) for one in ask("rejects")] == [(name, int(reason.split()[1].strip(":")))]
    assert (site / "inbox" / "done" / name).read_bytes() == content
    _the_good_file_went_in(summary, site)


def test_all_of_them_in_one_night(night: Night, site: Path) -> None:
    for name, (content, *_) in (REFUSED | PARTLY).items():
        (site / "inbox" / name).write_bytes(content)
    code, summary, err = night()
    assert (code, err) == (3, "")
    # Two empty files are two contents, both empty: one of them blank.
    assert sorted(line.partition(":")[0] for line in summary["left_out"]) == sorted([*REFUSED, *PARTLY])
    assert sorted(one.name for one in (site / "inbox" / "rejected").iterdir()) == sorted(REFUSED)
    _the_good_file_went_in(summary, site)


def test_a_refused_file_delivered_again_is_refused_again_in_the_same_words(night: Night, site: Path) -> None:
    content, _ = REFUSED["page.rdb"]
    (site / "inbox" / "page.rdb").write_bytes(content)
    first = night()[1]["left_out"]
    (site / "inbox" / "page.rdb").write_bytes(content)
    code, summary, _ = night()
    assert (code, summary["left_out"]) == (3, first)
    assert len(list((site / "inbox" / "rejected").iterdir())) == 2


def test_a_station_named_later_takes_the_same_file_when_it_comes_again(night: Night, site: Path) -> None:
    content, *_ = PARTLY["stranger.csv"]
    (site / "inbox" / "stranger.csv").write_bytes(content)
    assert night()[0] == 3
    text = (site / "site.toml").read_text()
    (site / "site.toml").write_text(text.replace('identifiers = ["ZZ901"]', 'identifiers = ["ZZ901", "MW-77"]'))
    shutil.move(site / "inbox" / "done" / "stranger.csv", site / "inbox" / "stranger.csv")
    code, summary, _ = night()
    assert (code, summary["left_out"]) == (0, [])
    assert [(one["file"], one["accepted"], one["duplicate"]) for one in summary["files"]] == [("stranger.csv", 1, 1)]
    shutil.move(site / "inbox" / "done" / "stranger.csv", site / "inbox" / "stranger.csv")
    assert [(one["accepted"], one["seen"]) for one in night()[1]["files"]] == [(0, True)]


def test_a_reader_that_fails_keeps_no_other_file_back(
    night: Night, monkeypatch: pytest.MonkeyPatch, site: Path
) -> None:
    (site / "inbox" / "a-odd.csv").write_text("odd")
    original = inbox.read

    def reader(path: Path, **options: Any) -> Any:
        return {}["key"] if path.name == "a-odd.csv" else original(path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(inbox, "read", reader)
        code = cli.run(["nightly", "--as-of", ON, "--site", str(site)])
    assert code == 3
    assert (site / "inbox" / "rejected" / "a-odd.csv").is_file()
    assert (site / "inbox" / "done" / GOOD).is_file()


NAMES = [
    "two\nlines.csv",
    "\x1b[2Jclear.csv",
    "<script>alert(1)</script>.csv",
    "n" * 251 + ".csv",
    "caf\udce9.csv",
    "'",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_hostile_file_name_is_only_a_name(night: Night, ask: Callable[..., Any], site: Path, name: str) -> None:
    for text in ("nothing", "nothing else"):  # the second time the name is taken in rejected/
        path = site / "inbox" / name.replace("<script>", "script").replace("/", "_")
        path.write_text(text)
        code, summary, _ = night()
        assert (code, len(summary["left_out"])) == (3, 1)
        assert summary["left_out"][0].isprintable()
        assert not path.exists()
    assert len(ask("rejects")) == 2
    assert len(list((site / "inbox" / "rejected").iterdir())) == 2


def test_a_folder_in_the_inbox_is_not_read_and_that_is_said(night: Night, site: Path) -> None:
    (site / "inbox" / "august").mkdir()
    (site / "inbox" / ".part").mkdir()
    code, summary, _ = night()
    assert (code, summary["left_out"]) == (3, ["inbox/august: not a file, nothing in it was read"])


# The site's own files ------------------------------------------------------------------------------------------------


def _replaced(old: str, new: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))

    return change


def _with(more: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        file.write_text(file.read_text() + more)

    return change


SITE_FAULTS: dict[str, tuple[str, Callable[[Path], Any], list[str]]] = {
    "a misspelt key": (
        "site.toml",
        _replaced("mining_began", "mining_begun"),
        ["permit.mining_begun", "unknown key", "mining_began"],
    ),
    "no TOML": ("site.toml", _replaced('id = "pine-hollow"', "id = pine-hollow"), ["not valid TOML", "line 4"]),
    "a word for a number": (
        "site.toml",
        _replaced("position = [159985.0,", 'position = ["far",'),
        ["gauge[LMC-1].position[1]", "'far'"],
    ),
    "no such ordinance": ("site.toml", _replaced('"howard"', '"../../etc/passwd"'), ["ordinance"]),
    "another coordinate system": (
        "site.toml",
        _replaced("EPSG:7595", "EPSG:4326"),
        ["crs", "'EPSG:4326'", "EPSG:7595"],
    ),
    "not UTF-8": ("site.toml", lambda file: file.write_bytes(b"name = '\xe9'"), ["not UTF-8"]),
    "absent": ("site.toml", lambda file: file.unlink(), ["no site.toml", "headwater init"]),
    "an unknown threshold": ("policy.toml", _with("\n[level_dropp]\nvalue = 1\n"), ["level_dropp", "unknown key"]),
    "a threshold that is no number": (
        "policy.toml",
        lambda file: file.write_text('[level_drop]\nvalue = "much"\nunit = "ft"\nreason = "because"\n'),
        ["level_drop.value", "'much'"],
    ),
    "open to others": ("households.toml", lambda file: file.chmod(0o644), ["open to others", "chmod 600"]),
    "an unknown well": (
        "households.toml",
        _with('\n[[well]]\nwell = "PVT-9"\nposition = [1.0, 2.0]\nposition_accuracy_ft = 3\n'),
        ["well", "no such private well", "PVT-1"],
    ),
    "an unknown property": (
        "households.toml",
        _with('\n[[household]]\nproperty = "R-99"\nowner = "A. Nonymous"\n'),
        ["household", "no such property", "R-1"],
    ),
}


@pytest.mark.parametrize("fault", SITE_FAULTS)
def test_a_fault_of_the_sites_files_stops_the_night_before_it_touches_anything(
    night: Night, site: Path, fault: str
) -> None:
    name, change, words = SITE_FAULTS[fault]
    change(site / name)
    code, summary, err = night()
    assert (code, summary) == (2, None)
    assert len(err.splitlines()) == 1
    assert err.startswith(f"headwater: {name}: ")
    assert [word for word in words if word not in err] == []
    assert [one.name for one in (site / "inbox").iterdir()] == [GOOD]
    assert not (site / "headwater.db").exists()


def test_a_private_name_is_not_in_the_error(night: Night, site: Path) -> None:
    _with('\n[[household]]\nproperty = "R-99"\nowner = "Olga Example"\n')(site / "households.toml")
    assert "Olga" not in night()[2]


def test_a_byte_order_mark_is_no_fault(night: Night, site: Path) -> None:
    for name in ("site.toml", "policy.toml", "events.csv"):
        (site / name).write_text("\ufeff" + (site / name).read_text(), encoding="utf-8")
    assert night()[0] == 0


# Acts ----------------------------------------------------------------------------------------------------------------

ACTS: dict[str, tuple[str, str]] = {
    "a bad time": (ACT.replace("2025-02-03T09:15:00-06:00", "3 Feb"), "row 2: happened_at: not a time"),
    "no offset": (ACT.replace("T09:40:00-06:00", "T09:40:00"), "row 2: recorded_at: has no offset"),
    "an unknown kind": (ACT.replace("howard.remedy", "howard.remody"), "row 2: case: no such kind of case"),
    "an unknown property": (ACT.replace("R-1/", "R-9/"), "row 2: case: no property of this site"),
    "an unknown act": (ACT.replace("town_receipt", "town_reciept"), "row 2: event: no such event"),
    "an unknown case": (
        ACT.replace("remedy/R-1", "baseflow/LMC-1").replace("town_receipt", "town_notice_given"),
        "row 2: case: no case howard.baseflow/LMC-1/2025-02-03 is open",
    ),
    "nobody's": (ACT.replace("owner:R-1", ""), "row 2: by: is empty"),
    "a comma too many": (f"{ACT}came by hand, said the clerk", "row 2: more cells than columns"),
    "recorded before": (ACT.replace("T09:40", "T09:00"), "row 2: recorded_at: recorded before it happened"),
    "a huge cell": (f"{ACT}{'x' * 200_000}", "row "),
    "a long cell": (f"{ACT}{'x' * 3000}", "row 2: note: longer than"),
}


@pytest.mark.parametrize("fault", ACTS)
def test_a_bad_act_is_refused_and_the_good_ones_are_taken(
    night: Night, ask: Callable[..., Any], site: Path, fault: str
) -> None:
    line, reason = ACTS[fault]
    good = ACT.replace("R-1", "R-2")
    lines = [line, good] if fault != "a huge cell" else [good, line]
    (site / "events.csv").write_text("\n".join([_columns(), *lines, ""]))
    code, summary, _ = night()
    assert code == 3
    (left,) = summary["left_out"]
    assert left.startswith(f"events.csv: {reason}")
    assert summary["events"] == ["howard.remedy/R-2/2025-02-03 town_receipt"]
    _the_good_file_went_in(summary, site)
    again = night()[1]
    assert (again["left_out"], again["events"]) == ([left], [])
    assert [one["file"] for one in ask("rejects")] == ["events.csv"]


def _columns() -> str:
    return ",".join(EVENT_COLUMNS)


EVENT_FILES: dict[str, tuple[bytes, str]] = {
    "a bad header": (b"case,event,happend_at\n", "row 1: unexpected columns (found 'case,event,happend_at')"),
    "empty": (b"", "row 1: unexpected columns"),
    "not text": ("case,event".encode("utf-16"), "not UTF-8 text"),
}


@pytest.mark.parametrize("fault", EVENT_FILES)
def test_an_events_file_that_is_none_does_not_stop_the_night(night: Night, site: Path, fault: str) -> None:
    content, reason = EVENT_FILES[fault]
    (site / "events.csv").write_bytes(content)
    code, summary, _ = night()
    assert code == 3
    (line,) = summary["left_out"]
    assert line.startswith(f"events.csv: {reason}")
    _the_good_file_went_in(summary, site)
    assert cli.run(["check", "--site", str(site)]) == 2


def test_a_quoted_note_of_two_lines_is_one_act(night: Night, site: Path) -> None:
    (site / "events.csv").write_text(f'{_columns()}\n{ACT}"two\nlines, and a comma"\n')
    code, summary, _ = night()
    assert (code, summary["events"]) == (0, ["howard.remedy/R-1/2025-02-03 town_receipt"])


# The machine ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["no database", "a folder", "another program's"])
def test_a_database_that_is_none(night: Night, site: Path, kind: str) -> None:
    path = site / "headwater.db"
    if kind == "a folder":
        path.mkdir()
    elif kind == "no database":
        path.write_text("not a database " * 500)
    else:
        import sqlite3

        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE photographs (id INTEGER)")
        connection.close()
    code, summary, err = night()
    assert (code, summary) == (4, None)
    assert len(err.splitlines()) == 1
    assert "headwater.db" in err
    assert [one.name for one in (site / "inbox").iterdir()] == [GOOD]


def test_a_file_where_a_folder_should_be(night: Night, site: Path) -> None:
    (site / "inbox" / "letter.txt").write_text("Dear Town")
    (site / "inbox" / "rejected").write_text("")
    code, summary, _ = night()
    assert code == 3
    assert any("letter.txt: stored, but it cannot be moved" in line for line in summary["left_out"])
    assert [one["accepted"] > 50 for one in summary["files"] if one["file"] == GOOD] == [True]
    (site / "inbox" / "rejected").unlink()
    code, summary, _ = night()
    assert code == 3
    assert [line.partition(":")[0] for line in summary["left_out"]] == ["letter.txt"]
    assert [one.name for one in (site / "inbox" / "rejected").iterdir()] == ["letter.txt"]


def test_mails_wait_while_they_cannot_be_delivered(night: Night, site: Path) -> None:
    shutil.rmtree(site / "outbox", ignore_errors=True)
    (site / "outbox").write_text("in the way")
    (site / "events.csv").write_text(f"{_columns()}\n{OVERDUE}\n")
    code, summary, _ = night(on="2025-12-31")
    assert (code, summary["sent"]) == (3, 0)
    assert len(summary["not_sent"]) == len(summary["mails"]) + summary["digests"] > len(summary["mails"]) > 0
    (site / "outbox").unlink()
    again = night(on="2025-12-31")[1]
    assert (again["sent"], again["not_sent"], again["mails"]) == (len(summary["not_sent"]), [], [])
    assert len(list((site / "outbox" / "new").iterdir())) == again["sent"]


@pytest.fixture
def public_site(site: Path) -> Iterator[Path]:
    """The site where another user can reach it: below a folder of pytest he cannot."""
    folder = Path(tempfile.mkdtemp(prefix="headwater-"))
    folder.chmod(0o755)
    place = Path(shutil.copytree(site, folder / "site"))
    yield place
    shutil.rmtree(folder)


def _as_an_ordinary_user(place: Path, run: Callable[[], Answer]) -> Answer:
    """Root may do anything; as root the night runs as somebody else, who owns the site."""
    if os.geteuid() != 0:
        return run()
    for one in (place, *place.rglob("*")):
        os.chown(one, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    try:
        return run()
    finally:
        os.seteuid(0)


def test_a_read_only_folder(night: Night, public_site: Path) -> None:
    def run() -> Answer:
        public_site.chmod(0o555)
        try:
            return night(place=public_site)
        finally:
            public_site.chmod(0o755)

    night()  # loads what a night needs, as long as that may be read
    code, summary, err = _as_an_ordinary_user(public_site, run)
    assert (code, summary) == (4, None)
    assert len(err.splitlines()) == 1
    assert "headwater.db" in err
    assert [one.name for one in (public_site / "inbox").iterdir()] == [GOOD]


def test_a_file_that_may_not_be_read_stays_and_the_rest_goes_on(night: Night, public_site: Path) -> None:
    secret = public_site / "inbox" / "a-secret.csv"
    secret.write_text("secret")

    def run() -> Answer:
        secret.chmod(0)
        return night(place=public_site)

    night()
    code, summary, _ = _as_an_ordinary_user(public_site, run)
    assert (code, summary["left_out"]) == (3, ["a-secret.csv: cannot be read: Permission denied"])
    assert secret.read_text() == "secret" if os.geteuid() == 0 else secret.exists()
    assert (public_site / "inbox" / "done" / GOOD).is_file()
    secret.chmod(0o600)
    assert night(place=public_site)[1]["left_out"] == [str(BadFile(_unknown(), file="a-secret.csv"))]


def _unknown() -> str:
    return "unknown format: nothing in the file says what wrote it"


def test_a_terminal_that_cannot_print_every_letter(site: Path) -> None:
    (site / "inbox" / "caf\udce9.csv").write_text("nothing")
    text = (site / "site.toml").read_text().replace("Pine Hollow Sand Mine", "Grünhügel §")
    (site / "site.toml").write_text(text)
    for arguments in (["read", str(site / "inbox" / "caf\udce9.csv")], ["nightly", "--as-of", ON, "--site", str(site)]):
        done = subprocess.run(
            [sys.executable, "-c", "from pipelines.cli import main; main()", *arguments],
            cwd=ROOT,
            env=os.environ | {"PYTHONIOENCODING": "ascii"},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode in {2, 3}, done.stderr
        assert "fault of the program" not in done.stderr


# Hostile text in names -----------------------------------------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script> & {{ 7 * 7 }}",
    "Mine " + "very " * 300 + "long",
    "Sandgrübe № 1 §",
]
FORGED = "Mine\\nBcc: everybody@example.com\\n\\nPay now"


@pytest.mark.parametrize("name", [*HOSTILE, FORGED], ids=lambda one: ascii(one)[:30])
def test_a_hostile_name_stays_in_the_subject_of_the_mail(night: Night, site: Path, name: str) -> None:
    """One subject, one recipient, no header or part that the name brought along; or the name is refused."""
    _replaced('name = "Pine Hollow Sand Mine"', f'name = "{name}"')(site / "site.toml")
    (site / "events.csv").write_text(f"{_columns()}\n{OVERDUE}\n")
    code, summary, err = night(on="2025-12-31")
    if code == 2:
        assert err.startswith("headwater: site.toml: name: ")
        return
    assert code == 0
    assert summary["mails"]
    town = {"clerk@town-of-howard.example", "board@town-of-howard.example"}
    for file in (site / "outbox" / "new").iterdir():
        raw = file.read_bytes()
        assert max(map(len, raw.splitlines())) < 998
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        assert set(mail.keys()) <= {
            *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"),
            *("MIME-Version", "Content-Type", "Content-Transfer-Encoding"),
        }
        assert str(mail["To"]) in town
        assert mail["Subject"].startswith("[Headwater] ")
        assert " ".join(name.replace("\\n", " ").split()) in str(mail["Subject"])
        assert mail.get_content_type() == "multipart/alternative"
        assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
        assert "49" not in mail["Subject"]


@pytest.mark.parametrize("fault", ["no such station", "no such event"])
def test_hostile_text_in_a_row_is_quoted_back_in_one_printable_line(night: Night, site: Path, fault: str) -> None:
    evil = "\x1b[31mMW\u2028<b>\u202e"
    if fault == "no such station":
        (site / "inbox" / "evil.csv").write_text(f"{HEADER}{evil},2025-06-30,09:00,CDT,22.18,MP,,,\n")
    else:
        (site / "events.csv").write_text(f"{_columns()}\n{ACT.replace('town_receipt', evil)}\n")
    code, summary, _ = night()
    assert code == 3
    (line,) = summary["left_out"]
    assert line.isprintable()
