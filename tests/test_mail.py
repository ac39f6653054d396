"""Alerts and corrections: what a mail says, in text and in HTML, and who gets it."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, update

from models.clock import Deadline
from models.finding import Evidence, Finding, Transition
from models.rules import ordinance
from pipelines import casebook, ledger, outbox, post, schema
from pipelines.database import open_store, reading, transaction
from reports import mail
from tests.mail_nights import BOARD, CLERK, Nights, found, letterhead, town
from tests.record_in_memory import CHICAGO

DAY = date(2025, 7, 1)
HOSTILE = [
    "<script>alert(1)</script>", "=HYPERLINK(\"http://x\")", "../../etc/passwd", "Very " * 60 + "long",
    "\u05d1\u05e8\u05d9\u05db\u05d4 \u0627\u0644\u0628\u0644\u062f", "{{ 7 * 7 }}{% raw %}", "' onmouseover='x",
    "&lt;b&gt; & co",
]  # fmt: skip


@pytest.fixture
def nights(store: Engine) -> Nights:
    return Nights(store)


class Page(HTMLParser):
    """Text, tags and attributes of an HTML mail."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.tags, self.attributes = "", set[str](), set[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def opened(finding: Finding) -> Transition:
    return Transition("opened", finding)


def shortfall(**more: Any) -> Finding:
    lines = (
        Evidence("daily mean discharge", "< 5.00 cfs: …", "supports", ("abc:1", "abc:2")),
        Evidence("natural rate", "the same rule was met once in 5.0 years", "context"),
    )
    whole: dict[str, Any] = {
        "rule": "howard.baseflow", "parameter": "discharge", "aspect": "base flow 1", "measured": "4.62 cfs",
        "limit": "5.00 cfs", "status": "TRIGGERED_OPEN", "confidence": "BEYOND_UNCERTAINTY", "evidence": lines,
        "attained_in_baseline": None, "facts": {},
    }  # fmt: skip
    return found("G-1", **whole | more)


def alert(*findings: Finding, change: Any = "opened") -> mail.Mail:
    return mail.alert([Transition(change, one, one) for one in findings], ["CASE: duty; it is the town's."], HEAD)


HEAD = letterhead(DAY, town())


# What it says --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("findings", "change", "subject"),
    [
        ([shortfall()], "opened", "New: stream flow below base flow, G-1, 2.09(3)(c)"),
        ([shortfall(verdict="indeterminate")], "opened", "Cannot tell: stream flow below base flow, G-1, 2.09(3)(c)"),
        ([found(verdict="needs_confirmation")], "opened", "To confirm: Arsenic over ES, MW-1, 2.09(3)(a)"),
        (
            [found(verdict="needs_confirmation"), found(aspect="PAL Table 1", facts={"kind": "PAL"})],
            "opened",
            "New: Arsenic over PAL, MW-1, 2.09(3)(a)",
        ),
        ([shortfall()], "ended", "Ended: stream flow below base flow, G-1, 2.09(3)(c)"),
        ([shortfall()], "confirmed", "Confirmed: stream flow below base flow, G-1, 2.09(3)(c)"),
        ([shortfall(verdict="indeterminate")], "amended", "Changed: stream flow below base flow, G-1, 2.09(3)(c)"),
        ([shortfall()], "retracted", "Correction: withdrawn: stream flow below base flow, G-1, 2.09(3)(c)"),
    ],
)
def test_the_subject_says_what_where_and_under_which_clause(findings: list[Finding], change: str, subject: str) -> None:
    assert alert(*findings, change=change).subject == f"[Headwater] {subject} (A square mile)"


@pytest.mark.parametrize("form", ["text", "html"])
def test_an_alert_says_all_that_a_reader_needs_to_check_it(form: str) -> None:
    written = alert(shortfall())
    said = written.text if form == "text" else Page(written.html).text
    said = " ".join(said.split())
    rule = ordinance("howard").rule_of("howard.baseflow")
    for words in (
        rule.clause, rule.text, "4.62 cfs", "5.00 cfs", "beyond uncertainty of the measurement",
        "the same rule was met once in 5.0 years", "abc:1, abc:2 (file hash:row, as stored)", rule.follows,
        "CASE: duty; it is the town's.", "Judged on data known at 2025-07-02 00:00 CDT, program 0.0.",
        "It is not the Town's notice under any clause and starts no deadline; only a recorded act does.",
    ):  # fmt: skip
        assert " ".join(words.split()) in said


@pytest.mark.parametrize("finding", [shortfall(), found(), found(rule="howard.quantity.private")])
def test_no_kind_of_finding_leaves_confidence_natural_rate_or_data_version_out(finding: Finding) -> None:
    for name in ("Confidence", "Natural rate", "Data version", "Measured", "Limit", "Verdict"):
        assert f"  {name}  " in alert(finding).text
        assert name in Page(alert(finding).html).text


def test_what_is_withdrawn_does_not_read_as_standing() -> None:
    text = alert(shortfall(provisional=True, opens="howard.baseflow"), change="retracted").text
    assert "Verdict       withdrawn; it read: attained; triggered open" in text
    assert "CORRECTION." in text
    assert "duty to notify the operator opens" not in text


def test_a_finding_whose_rule_is_no_longer_in_the_file_can_still_be_withdrawn() -> None:
    gone = replace(found(), rule="howard.repealed")
    written = alert(gone, change="retracted")
    assert "Correction: withdrawn: Arsenic, MW-1, 2.09(3)(a)" in written.subject
    assert "The rule is no longer in the ordinance file." in written.text
    assert "The rule is no longer in the ordinance file." in written.html


# HTML ----------------------------------------------------------------------------------------------------------------


def deadline(standing: str = "overdue", **more: Any) -> Deadline:
    law = ordinance("howard").rule_of("howard.remedy.report")
    begun = datetime(2025, 6, 1, 9, tzinfo=CHICAGO)
    whole: dict[str, Any] = {
        "case": "howard.remedy/R-1/2025-06-01", "step": law.id, "clause": law.clause, "title": law.title,
        "who": law.who, "nature": law.nature, "started_by": "operator_receipt", "started_at": begun,
        "plain": begun + timedelta(days=20), "statutory": begun + timedelta(days=21), "standing": standing,
        "done_by": None, "done_at": None, "says": law.late,
    }  # fmt: skip
    return Deadline(**whole | more)


@pytest.mark.parametrize("kind", ["alert", "overdue"])
def test_html_asks_nothing_of_the_outside_and_runs_nothing(kind: str) -> None:
    written = alert(found()) if kind == "alert" else mail.overdue(deadline(), HEAD, undone=False)
    page = Page(written.html)
    assert page.tags.isdisjoint({"script", "img", "link", "iframe", "a", "form", "object", "style", "base", "svg"})
    assert page.attributes <= {"lang", "charset", "name", "content", "style", "dir", "scope"}
    assert "url(" not in written.html
    assert "http" not in written.html
    assert 'name="viewport"' in written.html


@pytest.mark.parametrize("name", HOSTILE, ids=lambda one: ascii(one)[:20])
def test_hostile_text_survives_as_text_in_both_parts(nights: Nights, name: str) -> None:
    nights.at = town(name=name)
    hostile = found(measured=name, reason=name, evidence=(Evidence(name, name, "supports", (name,)),))
    nights.night(DAY, [opened(hostile)])
    with reading(nights.engine) as connection:
        waiting = outbox.pending(connection)
    assert len(waiting) == 2
    for one in waiting:
        sent = message_from_bytes(outbox.bytes_of(one, "n@town.example"), policy=default)
        text, html = (sent.get_body((form,)).get_content() for form in ("plain", "html"))
        assert sent["Subject"].strip().endswith(f"({' '.join(name.split())})")
        assert text.count(name) >= 3
        page = Page(html)
        assert page.text.count(name) >= 4
        assert page.tags.isdisjoint({"script", "b&gt;"})
        assert "onmouseover" not in page.attributes
        assert set(sent.keys()) == {
            "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
        }  # fmt: skip


@pytest.mark.parametrize("separator", ["\n", "\r\n", "\u2028", "\x85", "\x0b", "\0"])
def test_a_name_brings_no_header_and_no_part_along(nights: Nights, separator: str) -> None:
    forged = separator.join(("Mine", "Bcc: everyone@example.org", "", f"--=_{'0' * 40}", "Content-Type: text/html"))
    nights.at = town(name=forged)
    nights.night(DAY, [opened(found(reason=forged, measured=forged))])
    with reading(nights.engine) as connection:
        for one in outbox.pending(connection):
            sent = message_from_bytes(outbox.bytes_of(one, "n@town.example"), policy=default)
            assert sent["Bcc"] is None
            assert [part.get_content_type() for part in sent.iter_parts()] == ["text/plain", "text/html"]
            assert sent.defects == [defect for part in sent.walk() for defect in part.defects] == []


def test_both_parts_are_the_same_bytes_however_often_they_are_made(nights: Nights) -> None:
    nights.night(DAY, [opened(found())])
    with reading(nights.engine) as connection:
        first, again = outbox.pending(connection), outbox.pending(connection)
        assert ledger.verify(connection, schema.outbox) is None
    assert [outbox.bytes_of(one, "n@t.example") for one in first] == [
        outbox.bytes_of(one, "n@t.example") for one in again
    ]


def test_the_html_is_sealed(nights: Nights) -> None:
    nights.night(DAY, [opened(found())])
    with transaction(nights.engine) as connection:
        connection.execute(update(schema.outbox).values(next_attempt_at=1, dead_at=2, dead_told_at=3))
        assert ledger.verify(connection, schema.outbox) is None
        connection.execute(update(schema.outbox).values(body_html="<p>All is well</p>"))
        assert ledger.verify(connection, schema.outbox) == 1


# Who gets it ---------------------------------------------------------------------------------------------------------


def test_the_clerk_gets_the_alert_and_the_board_the_digest(nights: Nights) -> None:
    posted = nights.night(DAY, [opened(found())])
    assert (
        posted.mails == nights.subjects(CLERK) == ["[Headwater] New: Arsenic over ES, MW-1, 2.09(3)(a) (A square mile)"]
    )
    assert nights.subjects(BOARD) == ["[Headwater] 1 changed, night of 2025-07-01 (A square mile)"]


@pytest.mark.parametrize("change", ["retracted", "amended"])
def test_a_correction_goes_to_everybody_who_was_told(nights: Nights, change: Any) -> None:
    """The clerk of then and the board of then have left; who came since is told as well."""
    first = found()
    nights.night(DAY, [opened(first)])
    nights.at = town(mail=[{"to": "new@town.example", "party": "town"}])
    nights.night(DAY + timedelta(days=1), [Transition(change, replace(first, material=("9",)), first)])
    word = "Correction: withdrawn" if change == "retracted" else "Changed"
    for one in (CLERK, BOARD, "new@town.example"):
        assert [subject for subject in nights.subjects(one) if word in subject], one
    nights.night(DAY + timedelta(days=2), [opened(found("MW-2"))])
    assert [one.recipient for one in nights.mails() if "MW-2" in one.subject] == ["new@town.example"]


def test_who_reads_the_digest_is_corrected_in_it_and_not_twice(nights: Nights) -> None:
    first = found()
    nights.night(DAY, [opened(first)])
    nights.night(DAY + timedelta(days=1), [Transition("retracted", first, first)])
    assert [one.partition(",")[0] for one in nights.subjects(BOARD)] == ["[Headwater] 1 changed"] * 2


def test_a_finding_that_moved_is_corrected_under_both_its_keys(nights: Nights) -> None:
    first = found()
    moved = replace(first, start=DAY - timedelta(days=1))
    nights.night(DAY, [opened(first)])
    nights.at = town(mail=[])
    nights.night(DAY + timedelta(days=1), [Transition("amended", moved, first)])
    nights.night(DAY + timedelta(days=2), [Transition("retracted", moved, moved)])
    assert [one.split(":")[0] for one in nights.subjects(CLERK)] == [
        "[Headwater] New", "[Headwater] Changed", "[Headwater] Correction",
    ]  # fmt: skip


def test_who_never_got_the_alert_gets_no_correction(nights: Nights) -> None:
    first = found()
    nights.night(DAY, [opened(first)])
    with transaction(nights.engine) as connection:
        connection.execute(update(schema.outbox).where(schema.outbox.c.recipient == CLERK).values(dead_at=1))
    nights.at = town(mail=[{"to": BOARD, "party": "town", "how": "digest"}])
    nights.night(DAY + timedelta(days=1), [Transition("retracted", first, first)])
    assert len(nights.subjects(CLERK)) == 1


def test_overdue_is_said_once_and_taken_back_to_the_same_people(nights: Nights) -> None:
    late = deadline()
    nights.night(DAY, deadlines=[late])
    nights.night(DAY + timedelta(days=1), deadlines=[late])
    nights.at = town(mail=[])
    done = replace(late, standing="done", done_by="operator_report_received", done_at=late.started_at)
    posted = nights.night(DAY + timedelta(days=2), deadlines=[done])
    assert [one.partition(",")[0] for one in nights.subjects(CLERK)] == [
        "[Headwater] Overdue: Operator: report of non-attribution",
        "[Headwater] Correction: not overdue: Operator: report of non-attribution",
    ]
    assert posted.mails == nights.subjects(CLERK)[1:]


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Engine]:
    """The store of the first release: its mails do not name their findings."""
    dump = Path(__file__).parent / "data" / "store_hw0001.sql"
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    engine = open_store(f"sqlite:///{tmp_path / 'old.db'}")
    yield engine
    engine.dispose()


def test_people_told_by_the_first_release_are_corrected_too(old: Engine) -> None:
    nights = Nights(old, town(mail=[{"to": "new@town.example", "party": "town"}]))
    with reading(old) as connection:
        before = len(outbox.pending(connection))
        stands = casebook.standing(connection)
    low = next(one for one in stands if one.rule == "howard.baseflow" and one.verdict == "attained")
    nights.night(date(2025, 8, 20), [Transition("retracted", low, low)])
    with reading(old) as connection:
        told = [one.recipient for one in outbox.pending(connection)[before:] if "withdrawn" in one.subject]
        assert ledger.verify(connection, schema.outbox) is None
    assert sorted(told) == ["board@town-of-howard.example", "clerk@town-of-howard.example", "new@town.example"]


# ALERT-01, restated: the same ongoing exceedance is not mailed on every evaluation -----------------------------------

ALERT_01 = """night,site,value,limit
2024-06-01,W-101,12,10
2024-06-02,W-101,13,10
2024-06-03,W-101,12,10
2024-06-04,W-101,9,10
2024-06-05,W-101,11,10
2024-06-05,W-102,11,10
"""


def test_alert_01_is_the_shared_case(shared: Path) -> None:
    assert (shared / "cases" / "ALERT-01" / "input.csv").read_text() == ALERT_01


def test_alert_01_one_mail_per_change_of_state_and_station(nights: Nights) -> None:
    rows = list(csv.DictReader(ALERT_01.splitlines()))
    told = {}
    for night in sorted({row["night"] for row in rows}):
        over = [row for row in rows if row["night"] == night and float(row["value"]) > float(row["limit"])]
        standing = [found(one["site"], date(2024, 6, 1), one["value"], material=(), lapses=True) for one in over]
        told[night] = [
            subject.split(", 2.09")[0] for subject in nights.judged(date.fromisoformat(night), standing).mails
        ]
    assert told == {
        "2024-06-01": ["[Headwater] New: Arsenic over ES, W-101"],
        "2024-06-02": [],
        "2024-06-03": [],
        "2024-06-04": ["[Headwater] Ended: Arsenic over ES, W-101"],
        "2024-06-05": ["[Headwater] New: Arsenic over ES, W-101", "[Headwater] New: Arsenic over ES, W-102"],
    }
    assert len(nights.subjects(CLERK)) == len(set(nights.mails())) - len(nights.subjects(BOARD)) == 4 + 1
    assert date(2024, 6, 2).isoweekday() == post.SUNDAY
