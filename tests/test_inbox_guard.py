"""Nothing a sender writes may carry a household's name past the reader: into the store, a mail, a reply, a summary."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from models.household import Household, Households, PrivatePosition
from models.observation import Reject
from models.privacy import private_part
from pipelines import cli
from pipelines.household_guard import Guard
from tests.test_mail_drop import mail, post, rdb
from tests.town import Town

ON = "2025-08-11"
HEAD = "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment"
HOME = Household(property="R-1", owner="Example Owner One", phone="715-555-0101", address="N100 Example Lane")
HOMES = Households(household=(HOME,), well=(PrivatePosition(well="PVT-1", position=(158620.0, 164050.0)),))
SECRETS = ("Owner One", "Owner%20One", "555-0101", "555%2D0101", "Owner_One", "Owner_20One", "555_2D0101")


@pytest.fixture
def town(tmp_path: Path) -> Town:
    made = Town(tmp_path / "site")
    for name in ("tmp", "new", "cur"):
        (made.folder / "inbox" / "mail" / name).mkdir(parents=True)
    return made


def put(town: Town, name: str, content: bytes) -> None:
    (town.folder / "inbox" / name).write_bytes(content)


def packed(*names: str, content: bytes = b"%PDF-1.4") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in names:
            archive.writestr(name, content)
    return made.getvalue()


def locked(name: str) -> bytes:
    """A zip whose member says that it is locked: bit 0 of its flags, in both its headers (PKWARE APPNOTE 4.4.4)."""
    data = bytearray(packed(name))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def book(title: str) -> bytes:
    made, out = Workbook(), io.BytesIO()
    sheet = made.active
    assert sheet is not None
    sheet.title = title
    sheet.append(["what", "is", "this"])
    made.save(out)
    return out.getvalue()


def everywhere(town: Town) -> str:
    """All that the town keeps or sends, the files as they were sent aside."""
    with sqlite3.connect(town.folder / "headwater.db") as store:
        kept = "\n".join(store.iterdump())
    kept_apart = {"site.toml", "policy.toml", "households.toml", "events.csv", "headwater.db"}
    texts = [
        one.name + "\n" + one.read_text("utf-8", "replace")
        for one in sorted(town.folder.rglob("*"))
        if one.is_file() and one.name not in kept_apart and not {"done", "rejected"} & set(one.parts)
    ]
    return "\n".join([kept, *texts])


def test_no_word_of_a_file_names_a_household(town: Town, capfd: pytest.CaptureFixture[str]) -> None:
    level = "{},2025-08-01,09:00,CDT,5.1,MP,,x,\n"
    put(town, "levels.csv", f"{HEAD}\n{level.format('MW-1')}{level.format('Example Owner One')}".encode())
    put(town, "cell.csv", f"{HEAD}\nMW-1,2025-08-02,09:00,CDT,call 715-555-0101,MP,,x,\n".encode())
    put(town, "book.xlsx", book("Example Owner One"))
    put(town, "docs.zip", packed("Example Owner One letter.pdf"))
    put(town, "out.zip", packed("../Example Owner One.csv"))
    put(town, "locked.zip", locked("Example Owner One well.csv"))
    put(town, "Example%20Owner%20One.rdb", rdb("2025-07-01"))
    post(town, mail({"715-555%2D0101.rdb": rdb("2025-07-02"), "o.zip": packed("/Example Owner One.csv")}))
    summary = town.night(ON)
    assert cli.run(["rejects", "--site", str(town.folder)]) == 0
    said = "\n".join([str(summary), everywhere(town), *capfd.readouterr()])
    assert [one for one in SECRETS if one.casefold() in said.casefold()] == []
    assert "levels.csv: 1 row rejected, the first: row 3: station: " in said
    assert "a zip locked with a password: (withheld: a household's name)" in said
    assert sum(one["accepted"] for one in summary["files"]) == 3


def test_a_qualifier_and_a_sensor_name_no_household(town: Town) -> None:
    rows = ["station,parameter_cd,sensor,datetime_utc,value,qualifier"]
    rows += [f"MW-1,72019,Example Owner One,2025-08-0{day}T00:00Z,5.{day},seen by Example Owner One" for day in (1, 2)]
    put(town, "a.csv", "\n".join([*rows, ""]).encode())
    summary = town.night(ON)
    assert [one["accepted"] for one in summary["files"]] == [2]
    assert "owner one" not in everywhere(town).casefold()


def test_a_refused_line_is_kept_without_its_household_and_still_settled(town: Town) -> None:
    """All rows refused for their depth; the comment names a household; the mended file says the same rows again."""
    rows = [f"MW-1,2025-08-0{day},09:00,CDT,{{}},MP,,x,Example Owner One" for day in (1, 2)]
    put(town, "a.csv", "\n".join([HEAD, *(one.format("bad") for one in rows), ""]).encode())
    assert town.night(ON)["files"][0]["rejected"] == 2
    assert "owner one" not in everywhere(town).casefold()
    put(town, "a.csv", "\n".join([HEAD, *(one.format("5.1") for one in rows), ""]).encode())
    town.night("2025-08-12")
    with sqlite3.connect(town.folder / "headwater.db") as store:
        (waits,) = store.execute("SELECT value FROM mark WHERE name LIKE 'waiting_rejects:%'").fetchone()
    assert waits == "[]"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Example%20Owner%20One.csv", "name"),
        ("Example%2520Owner%2520One.csv", "name"),  # escaped twice
        ("715-555%2D0101.csv", "phone"),
        ("N100%20Example%20Lane", "address"),
        ("100%25 of it.csv", None),
        ("a%zz.csv", None),
    ],
)
def test_escapes_hide_nothing(text: str, part: str | None) -> None:
    assert private_part(text, HOMES) == part


def test_what_names_nobody_stays_and_a_name_goes_from_its_place() -> None:
    guard = Guard(HOMES)
    one = Reject("a.csv", 7, "depth", "12.x", "not a number")
    assert guard.reject(one) == one
    told = guard.reject(Reject("a.csv", 7, "depth", "Example Owner One", "not a number"))
    assert told == Reject("a.csv", 7, "depth", "(withheld: a household's name)", "not a number")
    split = guard.reject(Reject("a.csv", 7, "N100", "Example Lane", "not a number"))
    assert (split.row, split.column, split.raw) == (7, "", "(withheld: a household's address)")
    assert guard.text("a zip: Example Owner One.csv") == "a zip: (withheld: a household's name)"


def test_short_numbers_are_no_telephone_and_long_ones_are_looked_at() -> None:
    guard = Guard(HOMES)
    assert guard.text("12.345") == "12.345"
    assert guard.text("5550101") == "(withheld: a household's phone)"
    assert guard.text("555.0101") == "(withheld: a household's phone)"
