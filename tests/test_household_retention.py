"""How long a household's data are kept, all that goes when they go, and all that a records request gets of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from models.records_law import PrivateField, records_law

CASE = "howard.remedy/R-2/2010-08-11"
WHO = ("--by", "clerk", "--purpose", "records request of 3 March")
PRIVATE = ("Example Owner Two", "715-555-0102", "N200 Example Lane", "157400.0")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_CHROMIUM", "no-such-browser")


@pytest.fixture
def settled(answer: Callable[..., Any]) -> None:
    """A case of R-2 that ended on 20 August 2010, and a paper of it."""
    answer("case", "open", "howard.remedy", "R-2", "--at", "2010-08-11T09:15", "--method", "hand")
    act(answer, CASE, "operator_receipt", "2010-08-12T10:00", "owner:R-2", "--proof", "9407-1")
    answer("report", "notice", CASE, "--no-pdf", "--by", "clerk")
    act(answer, CASE, "notice_withdrawn", "2010-08-20T10:00", "owner:R-2", "--note", "the well works again")


def act(answer: Callable[..., Any], case: str, event: str, at: str, by: str, *more: str) -> None:
    answer("case", "record", case, event, "--at", at, "--by", by, "--method", "hand", *more)


def listed(answer: Callable[..., Any], property: str) -> Any:
    return next(one for one in answer("households", "list") if one["property"] == property)


def everything(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


@pytest.mark.usefixtures("settled")
def test_papers_in_which_it_is_named_go_with_it_and_nothing_else(run: Run, folder: Path) -> None:
    left_by_a_kill = folder / "papers" / ".paper-x1"
    left_by_a_kill.mkdir()
    (name,) = [one.name for one in (folder / "papers").iterdir() if one.name.endswith("-receipt.html")]
    (left_by_a_kill / name).write_text("Example Owner Two", encoding="utf-8")
    (folder / "papers" / "decision.html").write_text("another page", encoding="utf-8")
    code, out, err = run("households", "forget", "R-2", *WHO)
    assert code == 0, err
    assert "5 files of its papers taken out of papers/" in out  # two papers, page and text each, and the leftover
    assert not [one for text in everything(folder).values() for one in PRIVATE if one.encode() in text]
    assert (folder / "papers" / "decision.html").is_file()
    assert run("households", "forget", "R-2", *WHO)[0] == 2  # nothing is left of it


@pytest.mark.usefixtures("settled")
def test_papers_go_also_where_the_household_was_taken_out_by_hand(run: Run, folder: Path) -> None:
    path = folder / "households.toml"
    path.write_text(
        path.read_text().replace('property = "R-2"\nowner = "Example Owner Two"', 'property = "R-3"\nowner = "Z"')
    )
    assert run("households", "forget", "R-2", *WHO)[0] == 0
    assert not list((folder / "papers").iterdir())


@pytest.mark.usefixtures("settled")
def test_a_party_of_an_open_case_is_not_forgotten(run: Run, answer: Callable[..., Any]) -> None:
    assert listed(answer, "R-2")["due"]
    answer("case", "open", "howard.remedy", "R-1", "--at", "2010-09-01T09:15", "--method", "hand")
    other = "howard.remedy/R-1/2010-09-01"
    act(answer, other, "operator_receipt", "2010-09-02T09:15", "owner:R-1", "--party", "R-2")
    assert listed(answer, "R-2")["waits"] == "a case is open"
    code, _, err = run("households", "forget", "R-2", *WHO)
    assert (code, "its time is not out (found 'a case is open')" in err) == (2, True)
    act(answer, other, "notice_withdrawn", "2012-03-01T09:15", "owner:R-1")
    assert listed(answer, "R-2")["kept_until"] == "2019-03-01"


@pytest.mark.usefixtures("settled")
def test_money_in_its_case_is_an_act_about_it(run: Run, answer: Callable[..., Any]) -> None:
    assert listed(answer, "R-2")["kept_until"] == "2017-08-20"
    posted = ("--fund", "water", "--amount", "900", "--case", CASE, "--document", "bond 17", "--by", "clerk")
    answer("funds", "record", "post", *posted, "--at", "2026-08-19")
    assert listed(answer, "R-2")["kept_until"] == "2033-08-19"
    assert "2033-08-19" in run("households", "forget", "R-2", *WHO)[2]


HOLD = "claim of Mary Quill, call 715-555-0144"


@pytest.mark.usefixtures("settled")
def test_why_it_is_held_is_private_and_that_it_is_held_is_not(
    run: Run, folder: Path, answer: Callable[..., Any]
) -> None:
    path = folder / "households.toml"
    path.write_text(path.read_text().replace('property = "R-2"\n', f'property = "R-2"\nhold = "{HOLD}"\n'))
    assert listed(answer, "R-2")["hold"] is True
    for arguments in (("list",), ("forget", "R-2", *WHO), ("export", "R-2", *WHO), ("reads",)):
        code, out, err = run("households", *arguments)
        assert (code == 2) == (arguments[0] == "forget")
        assert not [one for one in ("Mary", "Quill", "0144") if one in out + err], arguments
    assert HOLD in run("households", "show", "R-2", *WHO)[1]
    found = answer("households", "export", "R-2", *WHO)
    assert {"field": "hold", "value": "[redacted]"} in found["private"]
    assert found["hold"] is True
    assert HOLD in json.dumps(answer("households", "export", "R-2", "--reveal", "hold", *WHO))


@pytest.mark.usefixtures("settled")
def test_a_records_request_gets_every_section_and_whole_grounds(run: Run, answer: Callable[..., Any]) -> None:
    run("households", "show", "R-2", *WHO)
    found = answer("households", "export", "R-2", *WHO)
    assert [one["event"] for one in found["acts"]] == ["town_receipt", "operator_receipt", "notice_withdrawn"]
    assert [one["title"] for one in found["papers"]] == ["Acknowledgement of an owner's notice",
                                                         "Demand for a report or a plan"]  # fmt: skip
    assert "⟦owner:R-2⟧" in found["papers"][1]["text"]
    assert [one["command"] for one in found["looks"]] == ["report notice", "report notice", "households show"]
    assert found["kept_until"] == "2017-08-20"
    assert {"reviews", "money", "measurements", "mails", "findings", "cases", "wells"} <= set(found)
    out = " ".join(run("households", "export", "R-2", *WHO)[1].split())
    law = records_law("wisconsin")
    for field in ("owner", "phone", "address", "position"):
        assert " ".join(law.ground(field).split()) in out
    for words in ("proof: 9407-1", "note: the well works again", "by: owner:R-2", "households show", "…"):
        assert (words in out) == (words != "…")
    assert not [one for one in PRIVATE if one in out]


@pytest.mark.usefixtures("settled")
def test_what_an_older_act_says_of_a_household_is_redacted_line_by_line(
    run: Run, folder: Path, answer: Callable[..., Any]
) -> None:
    answer("case", "open", "howard.remedy", "R-2", "--at", "2010-09-01T09:15", "--method", "hand")
    other, note = "howard.remedy/R-2/2010-09-01", "Ann Late asked for it, 715 555 0177"
    act(answer, other, "notice_withdrawn", "2010-09-02T10:00", "owner:R-2", "--note", note)
    path = folder / "households.toml"
    text = path.read_text().replace("Example Owner Three", "Late, Zed and Ann")
    path.write_text(text.replace("Example Owner Two", "Example Owner Two; B. Ek"))
    found = answer("households", "export", "R-2", *WHO)
    assert "Late" not in json.dumps(found)
    assert {"field": "owner in acts[5].note", "ground": records_law("wisconsin").ground("owner")} in found["redactions"]
    assert found["acts"][4]["note"] == "[redacted]"
    assert found["acts"][2]["note"] == "the well works again"


@pytest.mark.usefixtures("settled")
def test_a_party_s_export_holds_the_acts_of_that_case(answer: Callable[..., Any]) -> None:
    answer("case", "open", "howard.remedy", "R-1", "--at", "2010-09-01T09:15", "--method", "hand")
    act(answer, "howard.remedy/R-1/2010-09-01", "operator_receipt", "2010-09-02T09:15", "owner:R-1", "--party", "R-2")
    cases = {one["case"] for one in answer("households", "export", "R-2", *WHO)["acts"]}
    assert cases == {CASE, "howard.remedy/R-1/2010-09-01"}


@pytest.mark.parametrize("law", ["wisconsin", "new_york"])
def test_every_private_field_has_its_ground(law: str) -> None:
    assert all(records_law(law).ground(field) for field in get_args(PrivateField))
