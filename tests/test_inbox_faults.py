"""Files that come twice, change under the reader's eyes, or try to speak for another: no row is lost unsaid."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingest import formats
from ingest.reading import CUT, Told
from pipelines import cli, inbox
from pipelines.terminal import to_json
from reports.night_summary import night_summary
from tests.test_revision import HEAD, SITE, Answer, answer, deliver, open_of, site, take

__all__ = ["answer", "site"]

NGVD = [
    "agency_cd\tsite_no\tlev_dt\tlev_tm\tlev_va\tlev_ent_cd\tsl_datum_cd\tsl_lev_va\tlev_src_cd\tlev_agency_cd\t"
    "lev_acy_cd\tlev_status_cd\tlev_meth_cd\tlev_md\tlev_dtm\tlev_dt_acy_cd\tlev_tz_cd\tlev_utc_dt\tlev_age_cd\t"
    "parameter_code",
    "5s\t15s\t8s\t4s\t7s\t1s\t10s\t8s\t1s\t5s\t1s\t1s\t1s\t25d\t25d\t1s\t6s\t25d\t1s\t5s",
    *(
        f"USGS\t431234089123401\t2018011{day}\t1450\t\tL\tNGVD29\t951{day}.77\tnull\tUSGS\tnull\tnull\tS\t2018-01-1{day}"
        f"\t1{day}-JAN-2018 14:50:00\tm\tUTC\t14:50:00\tnull\t62610"
        for day in (2, 3, 4)
    ),
]
KNOWN = SITE + 'identifiers = ["431234089123401"]\n'


def know(site: Path, text: str) -> None:
    (site / "site.toml").write_text(text, encoding="utf-8")


# The same content again ----------------------------------------------------------------------------------------------


def test_a_second_refusal_for_another_reason_waits_too(site: Path, answer: Answer) -> None:
    """Known at last, the well's levels still cannot be placed: they are on NGVD29 and the site states no offset."""
    assert deliver(site, "ngvd.rdb", *NGVD).rejected == 3
    know(site, KNOWN)
    again = deliver(site, "ngvd.rdb", *NGVD, on="2025-07-11T00:00")
    assert (again.accepted, again.rejected, again.seen) == (0, 3, True)
    assert "NGVD29" in again.first_reject
    assert all("NGVD29" in one["reason"] for one in answer("rejects"))
    assert sum("unknown station" in one["reason"] for one in answer("rejects", "--all")) == 1
    know(site, KNOWN + "ngvd29_to_navd88_ft = -0.05\n")
    third = deliver(site, "ngvd.rdb", *NGVD, on="2025-07-12T00:00")
    assert (third.accepted, third.rejected) == (3, 0)
    assert answer("rejects") == []


def test_a_reason_that_returns_is_open_again(site: Path, answer: Answer) -> None:
    deliver(site, "ngvd.rdb", *NGVD)
    know(site, KNOWN)
    deliver(site, "ngvd.rdb", *NGVD, on="2025-07-11T00:00")
    know(site, SITE)
    assert deliver(site, "ngvd.rdb", *NGVD, on="2025-07-12T00:00").rejected == 3
    (waits,) = answer("rejects")
    assert "unknown station" in waits["reason"]


def test_a_file_whose_rejects_wait_says_so_every_time(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = site.parent / "a.csv"
    path.write_text(f"{HEAD}\nG-9,2025-07-01,4,P\nG-9,2025-07-02,4,P\nG-1,2025-07-01,4,P\n", encoding="utf-8")
    for _ in range(2):
        capfd.readouterr()
        assert cli.run(["ingest", str(path), "--site", str(site)]) == 3
        out = capfd.readouterr().out
        assert "a.csv: 2 rows rejected and waiting, the first: row 2: station: unknown station" in out
        assert "headwater rejects" in out


def test_what_a_correction_settled_does_not_return_with_the_old_file(site: Path, answer: Answer) -> None:
    bad, good = (HEAD, "G-1,2025-07-01,x,P"), (HEAD, "G-1,2025-07-01,4,P")
    deliver(site, "a.csv", *bad)
    deliver(site, "a.csv", *good, on="2025-07-11T00:00")
    again = deliver(site, "a.csv", *bad, on="2025-07-12T00:00")
    assert (again.rejected, open_of(answer)) == (0, [])


def test_a_refused_content_is_reported_under_the_name_it_has_now(site: Path) -> None:
    assert deliver(site, "first.csv", "what is this?").error.startswith("first.csv: ")
    assert deliver(site, "second.csv", "what is this?").error.startswith("second.csv: ")


# Another file under the same name ------------------------------------------------------------------------------------

JAN = ("date,discharge_ft3s,qualifier", "2025-13-01,5.1,", "2025-13-02,5.2,")


@pytest.mark.parametrize(
    ("later", "still"),
    [
        (("2025-02-01,6.1,", "2025-02-02,6.2,"), [2, 3]),  # another month, row for row
        (("2025-01-03,5.1,", "2025-01-04,5.2,"), []),  # the days mended, the values as they were
        (("2025-01-03,5.1,", "2025-01-04,6.2,"), [2, 3]),
        (("2025-01-03,5.1,",), [2, 3]),
    ],
)
def test_only_the_same_rows_settle(site: Path, answer: Answer, later: tuple[str, ...], still: list[int]) -> None:
    deliver(site, "m.csv", *JAN, told=Told(station="G-1"))
    deliver(site, "m.csv", JAN[0], *later, on="2025-07-11T00:00", told=Told(station="G-1"))
    assert [row for _, row in open_of(answer)] == still


# A file that changes -------------------------------------------------------------------------------------------------


def test_a_file_that_grows_while_it_is_read_waits(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, original = site.parent / "up.csv", formats.read
    path.write_text(f"{HEAD}\nG-1,2025-07-01,4,P\n", encoding="utf-8")

    def slow(*arguments: object, **named: object) -> object:
        with path.open("a", encoding="utf-8") as file:
            file.write("G-1,2025-07-02,4,P\n")
        return original(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(inbox, "read", slow)
    receipt = take(site, path)
    assert (receipt.waits, receipt.accepted) == (True, 0)
    assert "still being written; the next night takes it" in receipt.error
    monkeypatch.undo()
    assert take(site, path).accepted == 2


def test_a_file_that_grew_after_it_was_read_is_not_moved(site: Path) -> None:
    path = site / "inbox" / "up.csv"
    path.parent.mkdir()
    path.write_text(f"{HEAD}\nG-1,2025-07-01,4,P\n", encoding="utf-8")
    receipt = take(site, path)
    path.write_text(f"{HEAD}\nG-1,2025-07-01,4,P\nG-1,2025-07-02,4,P\n", encoding="utf-8")
    (line,) = inbox.put_away(path, receipt)
    assert "still being written" in line
    assert path.exists()
    again = take(site, path)
    assert (again.accepted, again.duplicate, inbox.put_away(path, again)) == (1, 1, [])
    assert not path.exists()


# What reaches a person -----------------------------------------------------------------------------------------------

ESCAPES = "\x1b[2J\x9b31m\u202e"
FORGED = f"a{ESCAPES}\nheadwater: all is well.csv"


def unseen(text: str) -> list[str]:
    return [char for char in text if not char.isprintable() and char != "\n"]


@pytest.mark.parametrize("command", ["read", "ingest"])
@pytest.mark.parametrize("rows", [(), ("G-1,2025-07-01,4,P", "G-9,2025-07-01,x,P")])
def test_no_escape_of_a_file_reaches_the_terminal(
    site: Path, capfd: pytest.CaptureFixture[str], command: str, rows: tuple[str, ...]
) -> None:
    path = site.parent / FORGED
    path.write_text("\n".join([HEAD, *rows, ""]), encoding="utf-8")
    more = ["--site", str(site)] if command == "ingest" else []
    for form in ([], ["--json"], *([["--rows"]] if command == "read" else [])):
        capfd.readouterr()
        cli.run([command, str(path), *more, *form])
        out, err = capfd.readouterr()
        assert unseen(out + err) == []
        assert not any(line.startswith("headwater: all is well") for line in (out + err).split("\n"))


def test_columns_and_overlaps_of_a_file_are_cleaned(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = [f"G-1,00060,{sensor}{ESCAPES},2025-07-0{day}T00:00Z,4" for sensor in "AB" for day in (1, 2)]
    path.write_text("\n".join(["station,parameter_cd,sensor,datetime_utc,value", *rows, ""]), encoding="utf-8")
    assert cli.run(["read", str(path)]) == 0
    out = capfd.readouterr().out
    assert "both cover" in out
    assert unseen(out) == []


def test_a_night_forges_no_line(site: Path) -> None:
    names = ("files", "changes", "events", "clocks", "mails", "cannot_tell", "not_evaluable", "stale")
    lists: dict[str, list[str]] = {name: [] for name in names}
    told = night_summary(
        {"on": "2025-07-10", "site": "s", "standing": 0, "digests": 0, **lists, "notes": [FORGED], "left_out": [FORGED]}
    )
    assert unseen(told) == []
    assert "\nheadwater" not in told


def test_json_is_the_same_data_without_controls() -> None:
    data = {"a": f"{ESCAPES}\U000e0041\ud800é…"}
    text = to_json(data)
    assert unseen(text) == []
    assert "é…" in text
    assert json.loads(text) == data


# Files with little in them -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["read", "ingest"])
@pytest.mark.parametrize("head", [HEAD, "date,value,qualifier"])
def test_a_sheet_of_a_header_only_is_refused(
    site: Path, capfd: pytest.CaptureFixture[str], command: str, head: str
) -> None:
    path = site.parent / "ho.csv"
    path.write_text(head + "\n", encoding="utf-8")
    assert cli.run([command, str(path), *(["--site", str(site)] if command == "ingest" else [])]) == 2
    assert "ho.csv: a header and no row with a value" in capfd.readouterr().err


def test_a_service_that_has_nothing_says_so(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    receipt = deliver(site, "none.rdb", *NGVD[:2])
    assert (receipt.error, receipt.rejected, receipt.note) == ("", 0, "no values")
    assert cli.run(["read", str(site.parent / "none.rdb")]) == 0
    assert capfd.readouterr().out.endswith("no values\n")


def test_a_last_line_without_an_end_is_said(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = site.parent / "cut.csv"
    path.write_text(f"{HEAD}\nG-1,2025-07-01,61.5,P\nG-1,2025-07-02,6,P", encoding="utf-8")
    assert take(site, path).note == CUT
    assert cli.run(["read", str(path)]) == 0
    assert f"note: {CUT}" in capfd.readouterr().out
    path.write_text(f"{HEAD}\nG-1,2025-07-03,61.5,P\n", encoding="utf-8")
    assert take(site, path).note == ""


def test_a_unit_that_nobody_states_is_asked_for(site: Path) -> None:
    receipt = deliver(site, "bare.csv", "date,value", "2025-07-01,61.5", told=Told(station="G-1"))
    assert "no unit stated; say which with --unit" in receipt.first_reject
