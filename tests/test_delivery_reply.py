"""Replies to senders: golden texts written by hand, what they must not say, caps, the night's folder, the commands."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines import cli
from pipelines import delivery_reply as replies
from pipelines.database import opened, reading
from pipelines.inbox import Receipt, take
from pipelines.page_file import write_text
from pipelines.site_folder import SiteFolder, open_site
from reports.delivery_reply import Account, RefusedCell, delivery_reply
from tests.test_ingest_counts import WATER
from tests.test_wqp import narrow

GOLDEN = Path(__file__).parent / "data" / "replies"
CHICAGO = ZoneInfo("America/Chicago")
WHEN = round(datetime(2025, 7, 1, 14, tzinfo=UTC).timestamp() * 1000)
SHA = "3f2a5e01c4d7b8a9" + "0" * 48
BASE = Account("Pine Hollow Mine", "north-06.csv", "lab-table", "2025-07-01 09:00 CDT", SHA)
HEAD = "station,parameter,unit,date,value\n"


def cell(row: int, raw: str, reason: str, column: str = "value") -> RefusedCell:
    return RefusedCell(row, column, raw, reason)


GOLDENS = {
    "all_taken": replace(BASE, accepted=12, duplicate=3),
    "some_rejected": replace(
        BASE, accepted=10, duplicate=2, revised=1, set_apart=3, rejected=4,
        refused=(
            cell(4, "1,2 mg", "not a number"), cell(9, "n.n.", "not a number"),
            cell(11, "31/02/2025", "no such day", "sample date"),
            cell(15, "MW-77", "unknown station; known: MW-1, R-1, R-2; 1 row left out", "station"),
        ),
        note="2 quality-control rows and 1 sediment row set apart, not stored; the logger was set to altitude 900: "
        "site.toml must say so",
    ),
    "only_quality_control": replace(BASE, set_apart=4, note="4 quality-control rows set apart, not stored"),
    "only_tables": replace(
        BASE, format="nwis-rdb-rating",
        note="no observations: 12 rows of rating; name the file in site.toml, under its gauge, to use it",
    ),
    "for_the_town": replace(
        BASE, rejected=7,
        refused=(
            cell(2, "B-17", "unknown station; known: MW-1, R-1; 4 rows left out", "station"),
            cell(6, "950.1", "give MW-1 its ngvd29_to_navd88_ft in site.toml"),
        ),
    ),
    "refused_whole": replace(
        BASE, format="", rejected=1,
        refused=(RefusedCell(0, "", "", "unknown format: nothing in the file says what wrote it"),),
    ),
    "came_again": replace(BASE, read_by="", before="2025-06-30"),
    "not_read_yet": Account(
        "Pine Hollow Mine", "north-06.csv", "", "", "", unread="still being written; the next night takes it"
    ),
    "settled": replace(BASE, accepted=10, rejected=4),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(GOLDENS))
def test_the_text_is_the_one_written_by_hand(name: str) -> None:
    assert delivery_reply(GOLDENS[name]) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_a_hundred_thousand_bad_rows_make_a_readable_reply() -> None:
    bad = tuple(cell(k + 2, f"x{k}", "not a number") for k in range(100_000))
    text = delivery_reply(replace(BASE, rejected=100_000, refused=bad))
    assert "1. The amount is no number: 100,000 rows" in text
    assert "and 99,980 more rows with the same fault" in text
    assert text.count("   row ") == 20
    assert len(text.splitlines()) < 60
    assert 'row 21, column value: "x19"' in text
    assert "x20" not in text


def test_many_different_faults_are_counted_beyond_twenty() -> None:
    names = [chr(97 + k // 26) + chr(97 + k % 26) for k in range(30)]
    bad = tuple(cell(k, "z", f"peculiar {name}") for k, name in enumerate(names, start=1))
    text = delivery_reply(replace(BASE, rejected=30, refused=bad))
    assert "30 rows or cells of the file, 30 faults" in text
    assert "20. Peculiar at: 1 row" in text
    assert "and 10 more rows with 10 other faults." in text


def test_reasons_that_differ_in_numbers_alone_are_one_fault() -> None:
    bad = tuple(cell(k, "z", f"peculiar {k}.5 of {k}") for k in (1, 22, 333))
    assert "1. Peculiar 1.5 of 1: 3 rows" in delivery_reply(replace(BASE, rejected=3, refused=bad))


@pytest.mark.parametrize(
    ("reason", "kept_out"),
    [
        ("unknown station; known: MW-1, R-1; 4 rows left out", "R-1"),
        ("the file names MW-1, and its logger 123 belongs to R-1, R-2", "R-1"),
        ("a fault of the program, KeyError: '/srv/town/secret'", "secret"),
    ],
)
@pytest.mark.parametrize("format", ["lab-table", ""])
def test_nothing_of_other_parties_is_said(reason: str, kept_out: str, format: str) -> None:
    text = delivery_reply(replace(BASE, format=format, rejected=1, refused=(cell(2, "MW-9", reason),)))
    assert kept_out not in text
    assert "MW-9" in text


def test_a_text_that_names_a_household_is_withheld_everywhere() -> None:
    name = "Mortimer Applegarth"
    bad = (cell(2, name, f"peculiar {name}", name), cell(3, f"for {name}", "not a number"))
    account = replace(BASE, file=f"{name}.csv", rejected=2, refused=bad)
    hidden = delivery_reply(account, lambda text: "(withheld)" if name in text else text)
    assert name in delivery_reply(account)
    assert "Applegarth" not in hidden
    assert "(withheld)" in hidden


HOSTILE = st.text(max_size=300)


@given(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
def test_no_cell_drives_a_terminal_or_forges_a_line(file: str, column: str, raw: str, reason: str) -> None:
    account = replace(BASE, file=file, rejected=1, refused=(cell(2, raw, reason, column),))
    for format in ("lab-table", ""):
        text = delivery_reply(replace(account, format=format))
        assert all(line.isprintable() for line in text.split("\n"))
        assert text.count("\nWhat to do") + text.count("\n   What to do") == 1


def test_it_judges_no_result_and_starts_no_deadline() -> None:
    for account in GOLDENS.values():
        text = delivery_reply(account)
        assert ("Nothing is left to do." in text) <= bool(account.accepted or account.duplicate or account.before)
        assert not re.search(r"\b(violat|exceed|standard|clause|PAL\b|ES\b|guilt|late\b)", text)
        assert "is no notice of the Town's, starts no deadline" in " ".join(text.split())


def test_lines_are_no_wider_than_a_letter() -> None:
    for name, account in GOLDENS.items():
        assert max(map(len, delivery_reply(account).splitlines())) <= 78, name


# The store, the folder and the commands.
SITE = """
[[well]]
id = "MW-1"
use = "monitoring"
position = [100.0, 100.0]

[[property]]
id = "R-1"
parcel = "23008-1234-56780000"
polygon = [[-1320.0, 0.0], [0.0, 0.0], [0.0, 1320.0], [-1320.0, 1320.0]]
"""
HOUSEHOLD = """
[[household]]
property = "R-1"
owner = "Mortimer Applegarth"
phone = "715-555-0100"
"""


@pytest.fixture
def folder(tmp_path: Path) -> SiteFolder:
    path = tmp_path / "mine"
    assert cli.run(["init", str(path)]) == 0
    with (path / "site.toml").open("a", encoding="utf-8") as text:
        text.write(SITE)
    return open_site(path)


def bad_file(folder: SiteFolder, name: str = "round.csv", cells: str = "20.0 bad 20.2") -> Path:
    rows = [f"MW-1,depth_below_mp,ft,2025-06-1{k},{value}\n" for k, value in enumerate(cells.split())]
    path = folder.path / name
    path.write_text(HEAD + "".join(rows), encoding="utf-8")
    return path


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    code = cli.run(arguments)
    return code, capsys.readouterr().out


def test_ingest_prints_the_reply_and_rejects_prints_it_again(
    folder: SiteFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    path, at = bad_file(folder), ["--site", str(folder.path)]
    code, text = run(["ingest", str(path), "--reply", *at], capsys)
    assert code == 3
    assert "  2  accepted   new values, stored" in text
    assert '     row 3, column value: "bad" (not a number)' in text
    assert run(["rejects", "--reply", "round.csv", *at], capsys) == (0, text)
    code, out = run(["ingest", str(path), "--reply", "--json", *at], capsys)
    (row,) = json.loads(out)
    assert row["seen"]
    assert "The same content came before, on " in row["reply"]
    assert '"bad"' in row["reply"]
    assert (
        json.loads(run(["rejects", "--reply", "round.csv", "--json", *at], capsys)[1])["reply"].rstrip()
        == text.rstrip()
    )


def test_a_name_that_never_came_is_said(folder: SiteFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["rejects", "--reply", "nothing.csv", "--site", str(folder.path)]) == 2
    assert "no file of this name came" in capsys.readouterr().err


def test_what_a_corrected_file_settled_is_asked_for_no_more(
    folder: SiteFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--site", str(folder.path)]
    run(["ingest", str(bad_file(folder)), *at], capsys)
    run(["ingest", str(bad_file(folder, cells="20.0 20.1 20.2")), *at], capsys)
    _, text = run(["rejects", "--reply", "round.csv", *at], capsys)
    assert "  1  accepted" in text
    assert "  2  duplicate" in text
    assert "Nothing is left to do." in text


def stored(folder: SiteFolder, *paths: Path, at: int = WHEN) -> list[Receipt]:
    with opened(url(folder)) as engine:
        return [take(engine, folder.site, CHICAGO, path, at) for path in paths]


def url(folder: SiteFolder) -> str:
    return f"sqlite:///{folder.path / 'headwater.db'}"


def written(folder: SiteFolder, since: int = 0, again: tuple[Receipt, ...] = ()) -> list[str]:
    with opened(url(folder)) as engine:
        return [path.name for path in replies.write_replies(engine, folder, since, again)]


def test_the_night_writes_one_text_for_each_delivery_and_each_once(folder: SiteFolder) -> None:
    stored(folder, bad_file(folder, "a.csv"), bad_file(folder, "b.csv", "20.0"))
    names = written(folder)
    assert [re.sub("-[0-9a-f]{12}", "", name) for name in names] == ["a.csv.txt", "b.csv.txt"]
    assert written(folder) == []
    text = (folder.inbox / "replies" / names[0]).read_text(encoding="utf-8")
    assert text.startswith("Your file a.csv\nfor ")
    assert "read by 2025-07-01 09:00 CDT" in text
    (again,) = stored(folder, bad_file(folder, "b.csv", "20.0"), at=WHEN + 1)
    assert again.seen
    assert [name.split("-")[1] for name in written(folder, again=(again,))] == ["again"]


def test_killed_before_the_last_was_written_it_writes_all_of_them_under_the_same_names(
    folder: SiteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(folder, bad_file(folder, "a.csv"), bad_file(folder, "b.csv", "20.0"))
    kept: list[str] = []

    def dies(path: Path, text: str) -> str:
        if kept:
            raise KeyboardInterrupt
        kept.append(path.name)
        return write_text(path, text)

    monkeypatch.setattr("pipelines.delivery_reply.write_text", dies)
    with pytest.raises(KeyboardInterrupt):
        written(folder)
    monkeypatch.undo()
    assert written(folder)[0] == kept[0]
    assert len(list((folder.inbox / "replies").iterdir())) == 2


def test_a_store_that_never_wrote_any_begins_with_tonight_and_pages_it_fetched_get_none(folder: SiteFolder) -> None:
    stored(folder, bad_file(folder, "old.csv"), at=WHEN - 1)
    stored(folder, bad_file(folder, "new.csv", "20.0"), bad_file(folder, "usgs-0535-daily-2025-07-01-001.csv", "21.0"))
    assert [name[:7] for name in written(folder, since=WHEN)] == ["new.csv"]


def test_no_household_of_the_site_stands_in_a_reply_or_its_name(folder: SiteFolder) -> None:
    path = folder.path / "households.toml"
    path.write_text(HOUSEHOLD, encoding="utf-8")
    path.chmod(0o600)
    here = open_site(folder.path)
    stored(here, bad_file(here, "Applegarth-Mortimer.csv", "Mortimer_Applegarth 20.0"))
    (name,) = written(here)
    text = (here.inbox / "replies" / name).read_text(encoding="utf-8")
    assert "pplegarth" not in name + text
    assert text.count("(withheld)") == 2


def test_a_file_refused_whole_is_told_so(folder: SiteFolder) -> None:
    path = folder.path / "page.csv"
    path.write_text("<!DOCTYPE html><html><body>down</body></html>", encoding="utf-8")
    (receipt,) = stored(folder, path)
    with opened(url(folder)) as engine, reading(engine) as connection:
        text = replies.reply(connection, folder, receipt)
    said: Any = " ".join(text.split())
    assert "NOTHING OF THE FILE WAS TAKEN. Why: it is a web page and not a table." in said
    assert "What to do: download the file itself, not the page that shows it" in said


@pytest.mark.parametrize(
    ("reason", "who"),
    [
        ("unknown station; known: MW-1; 4 rows left out", "town"),
        ("the file names no known station, and its logger 123 belongs to MW-1, MW-2; 1 row left out", "town"),
        ("elevation on NGVD29, and heights here are on NAVD88: give MW-1 its ngvd29_to_navd88_ft in site.toml", "town"),
        ("a fault of the program, KeyError: 'x'", "town"),
        ("not a number", "sender"),
        ("the file names no station; say which with --station", "sender"),
        ("the clock reading happened twice", "sender"),
        ("something that nobody foresaw", "sender"),
    ],
)
@pytest.mark.parametrize("format", ["lab-table", ""])
def test_who_is_asked_to_do_something_is_who_can(reason: str, who: str, format: str) -> None:
    text = " ".join(delivery_reply(replace(BASE, format=format, rejected=1, refused=(cell(2, "x", reason),))).split())
    assert ("the Town has to" in text) is (who == "town")
    assert ("under whatever name" in text) is (who == "sender")
    assert ("nothing needs to be sent again" in text) is (who == "town")


def test_what_only_goes_with_other_files_is_said_to_hold_no_values() -> None:
    for format in ("mail", "document"):
        account = replace(BASE, format=format, note="1 attached file; its own text is not data")
        text = delivery_reply(account)
        assert "NO VALUE WAS TAKEN" in text
        assert "- 1 attached file\n- its own text is not data\n" in text
        assert "What to do: nothing" in text


def test_a_note_that_names_a_household_is_withheld() -> None:
    account = replace(
        BASE, accepted=1, note="1 row of fraction Mortimer Applegarth, which is not known: kept, not judged"
    )
    hidden = delivery_reply(account, lambda text: "(withheld)" if "Applegarth" in text else text)
    assert "Applegarth" not in hidden
    assert "- (withheld)\n" in hidden


def test_what_a_file_brought_besides_is_told_to_its_sender(folder: SiteFolder) -> None:
    path = folder.path / "wqp.csv"
    path.write_text(narrow(WATER | {"media": "Sediment"}), encoding="utf-8")
    (receipt,) = stored(folder, path)
    with opened(url(folder)) as engine, reading(engine) as connection:
        text = replies.reply(connection, folder, receipt)
    assert "NO VALUE WAS TAKEN" in text
    assert "- 1 sediment row set apart, not stored\n" in text
