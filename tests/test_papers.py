"""The papers of a case, as a town clerk has them written, keeps them, and lets them go."""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from pipelines import chromium, cli, schema
from pipelines.database import opened, reading
from tests.town import Town

LOW = ["4.90", "4.85", "4.80", "4.75", "4.70", "4.65"]
FLOW = "howard.baseflow/LMC-1/2025-07-06"
REMEDY = "howard.remedy/R-1/2025-08-11"
NAMES = ("Example Owner", "Example Occupant", "Example Lane", "715-555")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Town:
    """Six provisional days below 5.07 cfs from 1 July, a day of recovery on either side."""
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    monkeypatch.setenv("HEADWATER_CHROMIUM", "no-such-browser")
    made = Town(tmp_path / "site")
    made.daily("flow.rdb", "2025-06-30", ["6.00", *LOW, "6.00"])
    made.night("2025-07-07")
    return made


@pytest.fixture
def run(town: Town, capsys: pytest.CaptureFixture[str]) -> Run:
    def headwater(*arguments: str) -> tuple[int, str, str]:
        code = cli.run([*arguments, "--site", str(town.folder)])
        return code, *capsys.readouterr()

    return headwater


@pytest.fixture
def answer(run: Run) -> Callable[..., Any]:
    def asked(*arguments: str) -> Any:
        code, out, err = run(*arguments, "--json")
        assert code in {0, 3}, err
        return json.loads(out)

    return asked


def accept(run: Run) -> None:
    signed = ("--by", "A. Geologist", "--licence", "PG", "--number", "77")
    assert run("review", "accept", "LMC-1", "--days", "2025-07-01..2025-07-06", *signed)[0] == 0


def give_notice(run: Run, at: str = "2025-08-12T10:00") -> None:
    said = ("--at", at, "--by", "clerk", "--method", "certified mail", "--proof", "9407-1")
    assert run("case", "record", FLOW, "town_notice_given", *said)[0] == 0


def open_remedy(run: Run, *, operator: bool = True) -> None:
    run("case", "open", "howard.remedy", "R-1", "--at", "2025-08-11T09:15", "--method", "hand")
    if operator:
        said = ("--at", "2025-08-12T14:00", "--by", "owner:R-1", "--method", "certified mail")
        assert run("case", "record", REMEDY, "operator_receipt", *said)[0] == 0


def text_of(paper: dict[str, Any]) -> str:
    """Its plain text on one line."""
    (file,) = [one["name"] for one in paper["files"] if one["name"].endswith(".txt")]
    return " ".join(Path(file).read_text(encoding="utf-8").split())


def page_of(paper: dict[str, Any]) -> bytes:
    (file,) = [one["name"] for one in paper["files"] if one["name"].endswith(".html")]
    return Path(file).read_bytes()


def stored(town: Town) -> list[Any]:
    with opened(town.url) as engine, reading(engine) as connection:
        return list(connection.execute(select(schema.paper).order_by(schema.paper.c.id)))


def test_a_notice_on_provisional_days_is_a_draft_that_nobody_can_release(run: Run, answer: Callable[..., Any]) -> None:
    (paper,) = answer("report", "notice", FLOW)["papers"]
    assert (paper["name"], paper["to"]) == ("operator_notice", ["operator"])
    (why,) = paper["draft"]
    assert "no reviewer has accepted the provisional value of 2025-07-01, 2025-07-02" in why
    said = text_of(paper)
    assert "*** DRAFT. THIS PAPER MAY NOT BE RELEASED ***" in said
    assert said.count("provisional, NOT ACCEPTED") == len(LOW)
    code, _, err = run("report", "release", paper["number"], "--by", "clerk")
    assert (code, "a draft is not released: no reviewer has accepted" in err) == (2, True)


def test_an_accepted_notice_says_the_days_the_base_flow_and_the_clause(run: Run, answer: Callable[..., Any]) -> None:
    accept(run)
    (paper,) = answer("report", "notice", FLOW)["papers"]
    said = text_of(paper)
    assert paper["draft"] == []
    assert "DRAFT" not in said
    assert "below the established base flow on each of the 6 days Tuesday, July 1, 2025 to Sunday, July 6, 2025" in said
    days = ("Tue 2025-07-01", "Wed 2025-07-02", "Thu 2025-07-03", "Fri 2025-07-04", "Sat 2025-07-05", "Sun 2025-07-06")
    for day, value in zip(days, LOW, strict=True):
        assert f"{day} {value} 5.07 provisional, accepted" in said
    assert "accepted by A. Geologist (PG 77)" in said
    assert "signed by Example Hydrogeologist, PG EX-0000, on 2024-12-27" in said
    assert "Record: 2024-01-01 to 2024-12-20" in said
    assert "Natural rate: " in said
    assert "Reference gauge: FMC-1" in said
    assert "the operator shall have 20 days from such notice to submit a report that demonstrates that the" in said
    assert "This is not a finding of cause." in said
    assert "Thresholds of judgement that the Town has not adopted (defaults)" in said
    assert "Day minimum coverage: 0.80 (default, not adopted). A day's mean needs this share of its expected" in said
    assert "Day longest hole: 4 h (default, not adopted). A longer hole makes the day unknown" in said
    assert "Date of this notice: ____" in said
    assert "Method of service: ____" in said


def test_the_same_state_is_the_same_paper_and_the_dated_one_has_both_last_days(
    run: Run, answer: Callable[..., Any]
) -> None:
    """20 days from Tuesday 12 August are Monday 1 September 2025, Labor Day; the next secular day is the 2nd."""
    accept(run)
    first, again = (answer("report", "notice", FLOW)["papers"][0] for _ in range(2))
    assert (first["new"], again["new"]) == (True, False)
    assert (first["number"], first["sha256"]) == (again["number"], again["sha256"])
    give_notice(run)
    (dated,) = answer("report", "notice", FLOW)["papers"]
    assert dated["number"] != first["number"]
    said = text_of(dated)
    assert "Plain count: by the end of Monday, September 1, 2025" in said
    assert "As in Wis. Stat. s. 990.001(4): by the end of Tuesday, September 2, 2025" in said
    assert "Given: August 12, 2025, 10:00 AM CDT Method of service: certified mail Proof of service: 9407-1" in said


def test_a_release_is_an_act_of_the_case_with_the_hash_of_the_page(run: Run, answer: Callable[..., Any]) -> None:
    accept(run)
    (paper,) = answer("report", "notice", FLOW)["papers"]
    code, _, err = run("report", "release", paper["number"], "--by", "the neighbour")
    assert (code, "no party of this site" in err) == (2, True)
    let_go = ("report", "release", paper["number"], "--by", "clerk", "--method", "certified mail")
    first, again = answer(*let_go), answer(*let_go)
    assert (first["recorded"], again["recorded"]) == (True, False)
    (act,) = [one for one in answer("case", "show", FLOW)["events"] if one["event"] == "paper_released"]
    assert (act["by"], act["method"], act["facts"]) == ("clerk", "certified mail", {"paper": paper["number"]})
    assert act["document"] == f"{paper['number']}-operator_notice.html"
    assert act["sha256"] == paper["sha256"] == hashlib.sha256(page_of(paper)).hexdigest()
    assert [one["state"] for one in answer("report", "papers", FLOW)] == ["released"]


def test_no_paper_goes_out_before_it_was_written(run: Run, answer: Callable[..., Any]) -> None:
    accept(run)
    (paper,) = answer("report", "notice", FLOW)["papers"]
    code, _, err = run("report", "release", paper["number"], "--by", "clerk", "--at", "2025-08-28T09:00")
    assert (code, "the paper was written later" in err) == (2, True)
    code, _, err = run("report", "release", paper["number"], "--by", "operator")
    assert (code, "paper_released is the town's" in err) == (2, True)


def test_a_notice_on_days_that_nobody_accepted_is_doubted(run: Run, answer: Callable[..., Any]) -> None:
    given = (
        "case",
        "record",
        FLOW,
        "town_notice_given",
        "--at",
        "2025-08-12T10:00",
        "--by",
        "clerk",
        "--method",
        "hand",
    )
    assert any("rests on provisional days" in one for one in answer(*given)["doubts"])


def test_a_notice_on_accepted_days_is_not(run: Run, answer: Callable[..., Any]) -> None:
    accept(run)
    given = (
        "case",
        "record",
        FLOW,
        "town_notice_given",
        "--at",
        "2025-08-12T10:00",
        "--by",
        "clerk",
        "--method",
        "hand",
    )
    assert answer(*given)["doubts"] == []


def test_a_paper_whose_case_has_moved_on_is_not_released(run: Run, answer: Callable[..., Any], town: Town) -> None:
    accept(run)
    (paper,) = answer("report", "notice", FLOW)["papers"]
    give_notice(run)
    code, _, err = run("report", "release", paper["number"], "--by", "clerk")
    assert (code, "its case has moved on since it was written" in err) == (2, True)
    assert len(stored(town)) == 1  # nothing was written by the refusal


def test_a_revised_day_takes_the_notice_back_to_a_draft(run: Run, answer: Callable[..., Any], town: Town) -> None:
    accept(run)
    (paper,) = answer("report", "notice", FLOW)["papers"]
    town.daily("revised.rdb", "2025-07-03", ["4.81"])
    town.night("2025-07-08")
    (after,) = answer("report", "notice", FLOW)["papers"]
    assert after["draft"] == ["2025-07-03 was accepted at 4.80 cfs and is 4.81 cfs now: it waits anew"]
    assert run("report", "release", paper["number"], "--by", "clerk")[0] == 2


def test_a_withdrawn_finding_has_no_notice(run: Run, town: Town) -> None:
    town.daily("revised.rdb", "2025-07-03", ["6.00"])
    town.night("2025-07-08")
    code, _, err = run("report", "notice", FLOW)
    assert (code, "the case is retracted" in err) == (2, True)


def test_an_acknowledgement_says_which_receipt_is_missing_and_what_follows(
    run: Run, answer: Callable[..., Any]
) -> None:
    open_remedy(run, operator=False)
    (paper,) = answer("report", "notice", REMEDY)["papers"]
    said = text_of(paper)
    assert "The operator received the owner's notice under 2.15(2): NOT ON RECORD" in said
    assert "no time runs for: Operator: report of non-attribution, or plan for a permanent supply" in said
    assert "may be used until August 12, 2025, 9:15 AM CDT" in said
    assert paper["name"] == "receipt"


def test_the_demand_runs_from_the_operator_s_receipt_and_ends_with_the_answer(
    run: Run, answer: Callable[..., Any]
) -> None:
    open_remedy(run)
    papers = answer("report", "notice", REMEDY)["papers"]
    assert [one["name"] for one in papers] == ["receipt", "demand"]
    said = text_of(papers[1])
    assert "You received, on August 12, 2025, 2:00 PM CDT (certified mail)" in said
    assert "Plain count: by the end of Monday, September 1, 2025" in said
    assert "by the end of Tuesday, September 2, 2025" in said
    assert "No cessation follows" in said
    report = ("operator_report_received", "--at", "2025-08-20T16:00", "--by", "operator")
    assert run("case", "record", REMEDY, *report)[0] == 0
    code, _, err = run("report", "notice", REMEDY, "--paper", "demand")
    assert (code, "demand: operator_report_received is on record" in err) == (2, True)


def test_a_household_is_named_only_to_its_parties_and_each_look_is_on_record(
    run: Run, answer: Callable[..., Any], town: Town
) -> None:
    accept(run)
    open_remedy(run)
    (notice,) = answer("report", "notice", FLOW)["papers"]
    assert not [name for name in NAMES if name in text_of(notice)]
    assert answer("households", "reads") == []
    papers = answer("report", "notice", REMEDY, "--by", "clerk")["papers"]
    for one in papers:
        assert "Example Owner One" in text_of(one)
        assert "N100 Example Lane" in page_of(one).decode()
        assert "Owner Two" not in text_of(one)
        assert "715-555" not in text_of(one)
    looks = [(one["household"], one["reader"], one["purpose"]) for one in answer("households", "reads")]
    assert looks == [("R-1", "clerk", f"paper {one['number']}, {one['name']}") for one in papers]
    assert not [name for name in NAMES for row in stored(town) if name in row.body]


def test_files_are_for_the_town_alone_and_no_browser_leaves_only_the_print_out(run: Run, town: Town) -> None:
    open_remedy(run)
    code, out, _ = run("report", "notice", REMEDY, "--paper", "receipt")
    assert code == 3
    assert out.count("left out: ") == 1
    assert ".pdf: no Chromium to print with" in out
    written = sorted((town.folder / "papers").iterdir())
    assert [one.suffix for one in written] == [".html", ".txt"]
    assert {stat.S_IMODE(one.stat().st_mode) for one in written} == {0o600}
    assert stat.S_IMODE((town.folder / "papers").stat().st_mode) == 0o700


@pytest.mark.skipif(not any(map(shutil.which, chromium.NAMES)), reason="no Chromium on this machine")
def test_the_form_the_acknowledgement_and_the_demand_print_on_one_page_each(
    run: Run, answer: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HEADWATER_CHROMIUM")
    open_remedy(run)
    papers = [one for case in ("howard.remedy", REMEDY) for one in answer("report", "notice", case)["papers"]]
    for one in papers:
        (file,) = [each["name"] for each in one["files"] if each["name"].endswith(".pdf")]
        printed = PdfReader(file)
        assert len(printed.pages) == 1
        assert f"Paper {one['number']}" in printed.pages[0].extract_text()
        assert stat.S_IMODE(Path(file).stat().st_mode) == 0o600


def test_a_blank_form_names_nobody_and_is_not_released(run: Run, answer: Callable[..., Any]) -> None:
    (paper,) = answer("report", "notice", "howard.remedy")["papers"]
    said = text_of(paper)
    assert "[ ] (b) A substantial adverse impact on the quantity of water from a private well" in said
    assert "20 days from when the operator received the owner's notice under 2.15(2)" in said
    assert not [name for name in NAMES if name in said]
    code, _, err = run("report", "release", paper["number"], "--by", "clerk")
    assert (code, "a blank form needs no release" in err) == (2, True)


def test_wrong_questions_are_answered_in_plain_words(run: Run) -> None:
    asked = {
        ("report", "notice", "howard.baseflow/LMC-1/2020-01-01"): "no such case",
        ("report", "notice", FLOW, "--paper", "demand"): "no such paper of this kind of case",
        ("report", "notice", "nonsense"): "not a case id",
        ("report", "notice", "howard.permit/pine-hollow/2025-01-01"): "this kind of case has no papers",
        ("report", "release", "2025-001", "--by", "clerk"): "no such paper",
    }
    for arguments, words in asked.items():
        code, _, err = run(*arguments)
        assert (code, words in err) == (2, True), err
    assert run("report", "papers")[1] == "no paper on record\n"


def sign(run: Run, answer: Callable[..., Any], number: str) -> str:
    (finding,) = [one for one in answer("findings") if one["rule"] == "howard.baseflow"]
    signed = ("--by", "B. Hydrogeologist", "--licence", "PG", "--number", number, "--at", "2025-07-20T10:00")
    return str(answer("review", "sign", finding["key"], *signed)["key"])


def test_who_signed_the_finding_is_named_in_the_notice_composed_after(run: Run, answer: Callable[..., Any]) -> None:
    accept(run)
    (before,) = answer("report", "notice", FLOW)["papers"]
    assert "Finding signed" not in text_of(before)
    key = sign(run, answer, "88")
    (after,) = answer("report", "notice", FLOW)["papers"]
    assert after["number"] != before["number"]
    assert "Finding signed: by B. Hydrogeologist (PG 88), on 2025-07-20" in text_of(after)
    assert b"B. Hydrogeologist (PG 88)" in page_of(after)
    assert run("review", "withdraw", key, "--by", "B. Hydrogeologist", "--reason", "the wrong finding")[0] == 0
    (again,) = answer("report", "notice", FLOW)["papers"]
    assert (again["number"], "Finding signed" in text_of(again)) == (before["number"], False)


def test_a_signature_under_an_earlier_version_is_none_of_the_notice(
    town: Town, run: Run, answer: Callable[..., Any]
) -> None:
    """A revised day makes another finding of it: whoever signed the first has not seen the second."""
    sign(run, answer, "88")
    town.daily("revised.rdb", "2025-07-03", ["4.60"])
    town.night("2025-07-21")
    accept(run)
    (paper,) = answer("report", "notice", FLOW)["papers"]
    assert "4.60" in text_of(paper)
    assert "B. Hydrogeologist" not in text_of(paper)
