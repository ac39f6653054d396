"""What the due list and the answer to an act say: whose a row is, a window that passed, an act after a time ran out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipelines import cli
from tests.conftest import Run
from tests.test_case_command import CASE, RECEIPT, open_case

Answer = Callable[..., Any]
WINDOW = "howard.remedy.interim.step"


@pytest.fixture
def town(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], Answer]:
    """A site of the skeleton under another ordinance."""

    def under(ordinance: str) -> Answer:
        assert cli.run(["init", str(tmp_path / ordinance), "--ordinance", ordinance]) == 0

        def asked(*words: str) -> Any:
            capsys.readouterr()
            assert cli.run([*words, "--site", str(tmp_path / ordinance), "--json"]) == 0
            return json.loads(capsys.readouterr().out)

        return asked

    return under


def test_a_window_that_was_over_when_its_notice_was_entered_is_answered_and_listed(run: Run, answer: Answer) -> None:
    """E-mailed on a Friday at 22:00: over on Saturday at 22:00, and on no list but this until it is used."""
    assert open_case(run, "R-1", "2025-08-08T22:00")[0] == 0
    case = CASE.replace("2025-08-11", "2025-08-08")
    listed = [row for row in answer("clock", "--who", "town") if row["step"] == WINDOW]
    assert [(row["standing"], row["plain"]) for row in listed] == [("window_passed", "2025-08-09 22:00 CDT")]
    told = answer("case", "record", case, *RECEIPT[3:], "hand")
    assert ("window_passed", WINDOW) in [(row["standing"], row["step"]) for row in told["clocks"]]
    vote = ("--body", "town board", "--meeting", "2025-08-09", "--vote", "3-0", "--fact", "decision=use")
    answer("case", "record", case, "interim_supply_decided", "--at", "2025-08-09T21:59", "--by", "clerk", *vote)
    assert not [row for row in answer("clock", "--who", "town") if row["step"] == WINDOW]


def test_each_operator_has_a_due_list_of_its_own(folder: Path, run: Run, answer: Answer) -> None:
    """What ran out before the permit passed on was owed by the one who held it then."""
    text = (folder / "site.toml").read_text(encoding="utf-8")
    held = '{ party = "operator", since = 2024-12-30 }'
    assert held in text
    text = text.replace(held, f'{held}, {{ party = "next-sand", since = 2025-09-02 }}')
    text += '\n[[party]]\nid = "next-sand"\nrole = "operator"\nname = "Next Sand, made up"\n'
    (folder / "site.toml").write_text(text, encoding="utf-8")
    open_case(run)
    run(*RECEIPT, "hand")
    report = "howard.remedy.report"

    def lists(who: str) -> list[str]:
        return [row["statutory"] for row in answer("clock", "--who", who) if row["step"] == report]

    assert (lists("operator"), lists("next-sand")) == (["2025-09-02"], ["2025-09-02"])
    (folder / "site.toml").write_text(text.replace("2025-09-02", "2025-09-03"), encoding="utf-8")
    assert lists("next-sand") == []


def test_the_due_list_of_nobody_of_this_site_is_refused(run: Run) -> None:
    code, _, err = run("clock", "--who", "R-1")
    assert (code, "owner:PROPERTY" in err, "nobody of this site" in err) == (2, True, True)


def test_an_owner_s_list_is_of_the_own_property(run: Run, answer: Answer) -> None:
    open_case(run)
    assert [row["case"] for row in answer("clock", "--who", "owner:R-1")] == [CASE]
    assert answer("clock", "--who", "owner:R-2") == []


def test_a_decision_after_silence_had_decided_is_taken_with_a_doubt(town: Callable[[str], Answer]) -> None:
    """60 days from 1 September 2025 end on 31 October."""
    answer, case = town("germantown"), "germantown.application/example-mine/2025-09-01"
    for at, doubted in (("2025-10-31T23:59", False), ("2025-11-01T00:00", True)):
        id = answer("case", "open", "germantown.application", "example-mine", "--at", "2025-09-01T10:00", "--another")
        said = ("--at", at, "--by", "clerk", "--method", "mail", "--fact", "outcome=disapproved")
        told = answer("case", "record", id["case"], "decision_given", *said)
        assert told["state"][id["case"]] == "decided: disapproved"
        assert ["deemed approved" in one for one in told["doubts"]] == [True] * doubted
        assert ["deemed approved" in one for one in answer("case", "show", id["case"])["lapsed"]] == [True] * doubted
    assert id["case"] == f"{case}.2"


def test_an_appeal_after_its_window_opens_its_hearing_with_a_doubt(town: Callable[[str], Answer]) -> None:
    answer, case = town("germantown"), "germantown.appeal/example-mine/2026-02-13"
    answer("case", "open", "germantown.appeal", "example-mine", "--at", "2026-02-13T10:00")
    told = answer("case", "record", case, "appeal_filed", "--at", "2026-03-17T00:00", "--by", "operator")
    assert ["The time ended on 2026-03-16" in one for one in told["doubts"]] == [True]
