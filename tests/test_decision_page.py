"""The page before a decision of the town: what a board needs in its hands, and nothing that is a household's."""

from __future__ import annotations

import html
import json
import re
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines import cli
from tests.town import Town

REMEDY, FLOW = "howard.remedy/R-1/2025-08-11", "howard.baseflow/LMC-1/2025-07-06"
LOW = ["4.90", "4.85", "4.80", "4.75", "4.70", "4.65"]
HEAD = "case,event,happened_at,recorded_at,by,method,document,note"
Page = Callable[..., str]


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Town:
    """An owner's notice reaches the town on Monday 11 August 2025, 9:15; the operator's is not on record."""
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    made = Town(tmp_path / "site")
    line(made, REMEDY, "town_receipt", "2025-08-11T09:15:00-05:00", "owner:R-1", "hand")
    made.night("2025-08-11")
    return made


def line(town: Town, case: str, event: str, at: str, by: str, method: str = "") -> None:
    """A line of events.csv, written down when it happened."""
    with (town.folder / "events.csv").open("a", encoding="utf-8") as events:
        events.write(f"{case},{event},{at},{at},{by},{method},,\n")


@pytest.fixture
def page(town: Town, capsys: pytest.CaptureFixture[str]) -> Page:
    def written(case: str, at: str, *more: str) -> str:
        capsys.readouterr()
        code = cli.run(["report", "decision", case, "--at", at, "--site", str(town.folder), "--json", *more])
        said = capsys.readouterr()
        assert code == 0, said.err
        return Path(json.loads(said.out)["file"]).read_text(encoding="utf-8")

    return written


def text(source: str) -> str:
    """What a reader sees, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", source[source.index("<body") :])).split())


NOON = "2025-08-11T12:00"


def test_an_interim_supply_is_asked_for_with_its_clause_its_window_and_the_limits_of_a_meeting(page: Page) -> None:
    said = text(page(REMEDY, NOON))
    assert "Within 24 hours of receipt of such notice under sub (2), the Town may use funds provided under" in said
    assert "Plain time 2025-08-12 09:15 CDT Statutory time 2025-08-12 09:15 CDT" in said
    assert "Stands the window is open" in said
    assert "a meeting is noticed 24 hours ahead, for good cause less, never under 2 hours" in said
    assert "notice by 2025-08-11 09:15 CDT, which is no later than the receipt: it cannot be kept" in said
    assert "for good cause by 2025-08-12 07:15 CDT at the latest" in said
    assert "Or the Town Board decides ahead: a standing resolution" in said
    assert "whether 2.11 funds are used: use or do not use (may)" in said
    assert "Not on record: that the operator received the owner's notice under 2.15(2) (2.15(2))." in said
    assert "decides nothing, gives no notice and starts no deadline" in said


def test_the_mail_the_case_and_the_page_say_the_same_of_the_meeting(
    town: Town, page: Page, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sentence of [open_meetings] stands whole in the mail and in the page, and the mail names the command."""
    mail, said = town.mail("Window open"), text(page(REMEDY, NOON))
    law = tomllib.loads((Path("models/law/ordinances/howard.toml")).read_text(encoding="utf-8"))["open_meetings"]
    for sentence in (law["delegation"], "for good cause by 2025-08-12 07:15 CDT at the latest."):
        assert sentence in mail
        assert sentence in said
    assert f"headwater report decision {REMEDY}" in mail
    capsys.readouterr()


def test_money_that_is_not_known_is_not_zero_and_what_is_held_is_counted_in_days(town: Town, page: Page) -> None:
    """1,000 dollars at 40 a day: 25 days; 600 remain after a draw of 400: 15."""
    assert "no movement of the fund is on record" in text(page(REMEDY, NOON))
    on_site = ("--site", str(town.folder))
    post = ("--fund", "water", "--document", "bond-1", "--by", "clerk", "--at", "2025-01-02T09:00")
    assert cli.run(["funds", "record", "post", "--amount", "1000.00", *post, *on_site]) == 0
    said = text(page(REMEDY, "2100-01-01T00:00"))
    assert "USD 1,000.00 held, which may be drawn; USD 0.00 drawn in this case" in said
    assert "pays 25 days of supply of one household" in said
    board = (
        "--by",
        "clerk",
        "--body",
        "town board",
        "--meeting",
        "2025-08-11",
        "--vote",
        "3-0",
        "--fact",
        "decision=use",
    )
    decided = ("case", "record", REMEDY, "interim_supply_decided", "--at", "2025-08-11T18:30", *board)
    assert cli.run([*decided, *on_site]) == 0
    report = ("case", "record", REMEDY, "operator_report_received", "--at", "2025-09-01T10:00", "--by", "operator")
    assert cli.run([*report, *on_site]) == 0
    draw = ("--fund", "water", "--use", "supply", "--case", REMEDY, "--document", "i-1", "--by", "clerk")
    span = ("--at", "2025-08-30T09:00", "--from", "2025-08-12", "--to", "2025-08-21")
    assert cli.run(["funds", "record", "draw", "--amount", "400.00", *draw, *span, *on_site]) == 0
    said = text(page(REMEDY, "2100-01-01T00:00"))
    assert "USD 600.00 held, which may be drawn; USD 400.00 drawn in this case" in said
    assert "pays 15 days of supply of one household" in said


def test_a_review_counts_the_days_of_waiting(town: Town, page: Page) -> None:
    """Received 1 September, asked on the 10th: nine days at 40 dollars."""
    line(town, REMEDY, "operator_report_received", "2025-09-01T10:00:00-05:00", "operator", "hand")
    town.night("2025-09-02")
    said = text(page(REMEDY, "2025-09-10T12:00"))
    assert "What is asked: The town, with the owner, approves or denies" in said
    assert "2.15(5): 9 days of waiting at 40 USD/d (default, not adopted) a household: 360.00 USD" in said
    assert "Time the clause states none" in said
    assert "The town, with the owner, approved the plan nothing plan_approved (not allowed as the case stands)" in said
    assert "The cost of supply is 40 USD/d (default, not adopted)." in said
    assert "the window has passed; nobody is in default" in said  # the supply is asked for still


def test_a_plan_for_a_stream_shows_the_finding_and_its_evidence(town: Town, page: Page) -> None:
    town.daily("flow.rdb", "2025-06-30", ["6.00", *LOW, "6.00"])
    town.night("2025-08-12")
    line(town, FLOW, "town_notice_given", "2025-08-13T10:00:00-05:00", "clerk", "certified mail")
    line(town, FLOW, "operator_plan_received", "2025-08-20T10:00:00-05:00", "operator", "hand")
    town.night("2025-08-20")
    said = text(page(FLOW, "2025-08-21T12:00"))
    assert "What is asked: The town judges the report or plan" in said
    assert "If such a report or plan is not presented to the Town or is deemed inadequate, mining operation" in said
    assert "lowest of 6 known days below against 5.07 cfs" in said
    assert re.search(r"natural rate \(\w+\): ", said), said
    assert "Values marked provisional may still change." in said
    assert "Water supply" not in said
    assert "case id names the property" not in said


def test_nothing_of_a_household_is_on_it(town: Town, page: Page) -> None:
    private = tomllib.loads((town.folder / "households.toml").read_text(encoding="utf-8"))
    source = page(REMEDY, NOON)
    for home in private["household"]:
        for field in ("owner", "occupant", "phone", "address"):
            assert home.get(field) is None or home[field] not in html.unescape(source)
    for well in private["well"]:
        assert not all(str(one) in source for one in well["position"])
    (file,) = (town.folder / "decisions").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_it_loads_and_runs_nothing(page: Page) -> None:
    source = page(REMEDY, NOON)
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'" in source
    assert re.findall(r"<(?:script|link|img|iframe|form)\b|https?://|@import|url\(", source) == []
    assert "@page" in source


def test_the_same_case_is_the_same_bytes_and_what_is_recorded_later_is_not_on_it(town: Town, page: Page) -> None:
    first = page(REMEDY, NOON)
    line(town, REMEDY, "operator_receipt", "2025-08-12T14:00:00-05:00", "owner:R-1", "hand")
    town.night("2025-08-12")
    assert page(REMEDY, NOON) == first
    assert "The operator received the owner's notice" in text(page(REMEDY, "2025-08-13T00:00"))


@pytest.mark.parametrize(
    ("case", "at", "says"),
    [
        ("howard.remedy/R-2/2025-08-11", NOON, "no such case"),
        (REMEDY, "2025-08-11T09:14", "no such case"),
        (REMEDY, "2025-08-11", "say the hour too"),
    ],
)
def test_what_cannot_be_asked(town: Town, capsys: pytest.CaptureFixture[str], case: str, at: str, says: str) -> None:
    assert cli.run(["report", "decision", case, "--at", at, "--site", str(town.folder)]) == 2
    assert says in capsys.readouterr().err


def test_a_case_in_which_nothing_waits_for_the_town_is_refused_with_its_state(
    town: Town, capsys: pytest.CaptureFixture[str]
) -> None:
    town.daily("flow.rdb", "2025-06-30", ["6.00", *LOW, "6.00"])
    town.night("2025-08-12")
    assert cli.run(["report", "decision", FLOW, "--at", "2025-08-13T12:00", "--site", str(town.folder)]) == 2
    said = capsys.readouterr().err
    assert "nothing in it waits for a determination of the town; the case is open: the town's notice" in said
