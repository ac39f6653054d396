"""Whose name a paper bears: its template puts it there, for its own case; what people wrote is text and no more."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pipelines import cli, schema
from pipelines.database import opened, reading
from tests.town import Town

TWO = "howard.remedy/R-2/2025-09-20"
OTHERS = ("Owner One", "Owner Three", "N100", "N300", "715-555")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Town:
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    monkeypatch.setenv("HEADWATER_CHROMIUM", "no-such-browser")
    return Town(tmp_path / "site")


@pytest.fixture
def run(town: Town, capsys: pytest.CaptureFixture[str]) -> Run:
    def headwater(*arguments: str) -> tuple[int, str, str]:
        code = cli.run([*arguments, "--site", str(town.folder)])
        return code, *capsys.readouterr()

    return headwater


def written(town: Town) -> str:
    """Every paper in papers/."""
    return "\n".join(one.read_text(encoding="utf-8") for one in sorted((town.folder / "papers").iterdir()))


def sealed(town: Town) -> str:
    with opened(town.url) as engine, reading(engine) as connection:
        return "\n".join(row.body for row in connection.execute(select(schema.paper)))


def file_notice(run: Run, method: str, proof: str) -> None:
    opening = ("--at", "2025-09-20T09:15", "--method", method, "--document", "n.pdf")
    assert run("case", "open", "howard.remedy", "R-2", *opening)[0] == 0
    receipt = ("--at", "2025-09-21T09:15", "--by", "owner:R-2", "--method", "hand", "--proof", proof)
    assert run("case", "record", TWO, "operator_receipt", *receipt)[0] == 0


def test_what_a_clerk_wrote_is_no_slot_for_another_household_s_name(run: Run, town: Town) -> None:
    file_notice(run, "hand ⟦owner:R-1⟧ ⟦address:R-1⟧", "⟦address:R-3⟧")
    code, _, err = run("report", "notice", TWO, "--no-pdf", "--by", "clerk")
    assert code == 0, err
    said = written(town)
    assert "Example Owner Two" in said
    assert "N200 Example Lane" in said
    assert not [one for one in OTHERS if one in said]
    (number,) = [one["number"] for one in json.loads(run("report", "papers", "--json")[1]) if one["name"] == "receipt"]
    assert run("report", "release", number, "--by", "clerk")[0] == 0
    looks = json.loads(run("households", "reads", "--json")[1])
    assert {one["household"] for one in looks} == {"R-2"}


def test_a_slot_in_a_household_s_own_name_stays_a_text(run: Run, town: Town) -> None:
    town.edit("households.toml", "Example Owner Two", "Bob ⟦owner:R-3⟧ <b>Two</b>")
    file_notice(run, "hand", "9407-1")
    assert run("report", "notice", TWO, "--no-pdf", "--by", "clerk")[0] == 0
    said = written(town)
    assert "Bob ⟦owner:R-3⟧ &lt;b&gt;Two&lt;/b&gt;" in said
    assert not [one for one in OTHERS if one in said]


def test_an_act_older_than_the_household_on_file_names_nobody_in_a_paper(run: Run, town: Town) -> None:
    file_notice(run, "hand, by Zed Late", "715-555-0177")
    town.edit("households.toml", "Example Owner Three", "Late, Zed and Ann")
    town.edit("households.toml", "715-555-0103", "715-555-0103 / 715 555 0177")
    assert run("report", "notice", TWO, "--no-pdf", "--by", "clerk")[0] == 0
    for text in (written(town), sealed(town)):
        assert "Zed" not in text
        assert "0177" not in text
        assert "(withheld: it names a household)" in text


def test_the_record_of_a_look_at_a_paper_names_no_household(run: Run, town: Town) -> None:
    file_notice(run, "hand", "9407-1")
    code, _, err = run("report", "notice", TWO, "--no-pdf", "--by", "Example Owner Three")
    assert (code, "sealed for good" in err) == (2, True)
    assert json.loads(run("households", "reads", "--json")[1]) == []


def test_the_stored_paper_bears_no_name(run: Run, town: Town) -> None:
    file_notice(run, "hand", "9407-1")
    assert run("report", "notice", TWO, "--no-pdf", "--by", "clerk")[0] == 0
    assert "⟦owner:R-2⟧" in sealed(town)
    assert "Owner Two" not in sealed(town)


def test_files_of_papers_say_how_long_they_are_kept(run: Run, answer: Callable[..., Any]) -> None:
    file_notice(run, "hand", "9407-1")
    assert run("report", "notice", TWO, "--no-pdf", "--by", "clerk")[0] == 0
    assert {one["kept_until"] for one in answer("report", "papers")} == {None}
    ended = ("--at", "2025-10-01T10:00", "--by", "owner:R-2", "--method", "hand")
    assert run("case", "record", TWO, "notice_withdrawn", *ended)[0] == 0
    assert {one["kept_until"] for one in answer("report", "papers")} == {"2032-10-01"}


@pytest.fixture
def answer(run: Run) -> Callable[..., Any]:
    def asked(*arguments: str) -> Any:
        code, out, err = run(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    return asked
