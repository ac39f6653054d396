"""Households: a look is on record before it is given, a release is redacted, and nothing is forgotten early."""

from __future__ import annotations

import ast
import json
import stat
from collections.abc import Callable
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pipelines
from models.errors import BadSite
from models.household import read_households
from models.records_law import records_law
from pipelines import household_file
from pipelines.commands import households

PRIVATE = ("Example Owner One", "Example Occupant One", "715-555-0101", "N100 Example Lane", "158620.0")
WHO = ("--by", "clerk", "--purpose", "call about the interim supply")
Run = Callable[..., tuple[int, str, str]]


def test_the_list_says_who_is_on_file_and_shows_nothing_of_them(run: Run) -> None:
    code, out, _ = run("households", "list")
    assert code == 0
    assert "R-1" in out
    assert "owner, occupant, phone, address, position" in out
    assert not [text for text in PRIVATE if text in out]


def test_a_look_is_on_record_with_who_and_what_for(run: Run, answer: Callable[..., Any]) -> None:
    assert answer("households", "reads") == []
    code, out, _ = run("households", "show", "R-1", *WHO)
    assert code == 0
    assert all(text in out for text in PRIVATE)
    look = answer("households", "reads", "R-1")
    assert [(one["household"], one["reader"], one["purpose"]) for one in look] == [("R-1", WHO[1], WHO[3])]


@pytest.mark.parametrize("who", [("--by", "clerk"), ("--purpose", "x"), ("--by", " ", "--purpose", "x")])
def test_nobody_looks_without_saying_who_and_why(run: Run, who: tuple[str, ...]) -> None:
    code, out, err = run("households", "show", "R-1", *who)
    assert code == 2
    assert not [text for text in PRIVATE if text in out + err]


@pytest.mark.parametrize(
    "who",
    [("--by", "Example Owner Two", "--purpose", "x"), ("--by", "clerk", "--purpose", "call 715-555-0102")],
)
def test_the_record_of_a_look_names_no_household(run: Run, answer: Callable[..., Any], who: tuple[str, ...]) -> None:
    for command in ("show", "export", "forget"):
        code, out, err = run("households", command, "R-1", *who)
        assert (code, out, "sealed for good" in err) == (2, "", True)
    assert answer("households", "reads") == []


def test_an_export_redacts_each_private_field_with_its_ground(answer: Callable[..., Any]) -> None:
    answer("case", "open", "howard.remedy", "R-1", "--at", "2025-08-11T09:15", "--method", "hand")
    found = answer("households", "export", "R-1", *WHO)
    assert not [text for text in PRIVATE if text in json.dumps(found)]
    assert [one["field"] for one in found["redactions"]] == ["owner", "occupant", "phone", "address", "position"]
    assert all("19.35(1)(a)" in one["ground"] for one in found["redactions"])
    assert [one["event"] for one in found["acts"]] == ["town_receipt"]
    assert "custodian" in found["custodian"]


def test_only_what_the_custodian_released_is_shown_and_that_is_on_record(answer: Callable[..., Any]) -> None:
    found = answer("households", "export", "R-1", "--reveal", "owner", *WHO)
    shown = json.dumps(found)
    assert [text in shown for text in PRIVATE] == [True, False, False, False, False]
    assert "revealed: owner" in answer("households", "reads")[-1]["purpose"]


def test_nothing_is_forgotten_while_a_case_is_open_or_its_time_runs(run: Run, answer: Callable[..., Any]) -> None:
    assert "time is not out" in run("households", "forget", "R-1", *WHO)[2]
    answer("case", "open", "howard.remedy", "R-1", "--at", "2010-08-11T09:15", "--method", "hand")
    case = "howard.remedy/R-1/2010-08-11"
    assert "time is not out" in run("households", "forget", "R-1", *WHO)[2]
    answer(
        "case", "record", case, "notice_withdrawn", "--at", "2010-08-20T10:00", "--by", "owner:R-1", "--method", "hand"
    )
    assert answer("households", "list")[0]["kept_until"] == "2017-08-20"


def test_a_hold_keeps_what_is_due(run: Run, folder: Path, answer: Callable[..., Any]) -> None:
    _settled_long_ago(answer)
    path = folder / "households.toml"
    path.write_text(path.read_text().replace('property = "R-1"\n', 'property = "R-1"\nhold = "claim of 2016"\n'))
    code, _, err = run("households", "forget", "R-1", *WHO)
    assert (code, "held back from deletion" in err, "claim of 2016" in err) == (2, True, False)
    assert "Example Owner One" in path.read_text()


def test_what_is_due_is_taken_out_alone_and_the_file_stays_private(
    run: Run, folder: Path, answer: Callable[..., Any]
) -> None:
    _settled_long_ago(answer)
    code, _, err = run("households", "forget", "R-1", *WHO)
    assert code == 0, err
    path = folder / "households.toml"
    assert not [text for text in PRIVATE if text in path.read_text()]
    assert "Example Owner Two" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one["command"] for one in answer("households", "reads")] == ["households forget"]
    assert [one["property"] for one in answer("households", "list")] == ["R-2", "R-3"]


def _settled_long_ago(answer: Callable[..., Any]) -> None:
    answer("case", "open", "howard.remedy", "R-1", "--at", "2010-08-11T09:15", "--method", "hand")
    act = ("notice_withdrawn", "--at", "2010-08-20T10:00", "--by", "owner:R-1", "--method", "hand")
    answer("case", "record", "howard.remedy/R-1/2010-08-11", *act)


@pytest.mark.parametrize(
    ("day", "ends"), [(date(2010, 8, 20), date(2017, 8, 20)), (date(2012, 2, 29), date(2019, 3, 1))]
)
def test_seven_years_of_retention(day: date, ends: date) -> None:
    assert records_law("wisconsin").retention.ends(day) == ends


HOMES = st.lists(
    st.tuples(st.sampled_from(["A", "B", "C"]), st.text(st.characters(codec="utf-8", exclude_categories=["C"]))),
    max_size=5,
)


@given(HOMES, st.sampled_from(["A", "B", "C"]))
def test_cutting_a_property_out_leaves_exactly_the_others(homes: list[tuple[str, str]], gone: str) -> None:
    text = "# head\n" + "".join(
        f'\n[[household]]\nproperty = "{id}"\nowner = {json.dumps(owner, ensure_ascii=False)}\n' for id, owner in homes
    )
    left = household_file.without(text, gone, frozenset())
    found = read_households(left)
    assert [(one.property, one.owner) for one in found.household] == [one for one in homes if one[0] != gone]
    assert left.startswith("# head\n")


def test_a_layout_that_hides_a_table_is_not_cut_blindly() -> None:
    text = 'household = [{ property = "A", owner = "x" }, { property = "B", owner = "y" }]\n'
    with pytest.raises(BadSite, match="by hand"):
        household_file.without(text, "A", frozenset())


READERS = {
    "acts", "annual_record", "check_network", "cone_source", "delivery_reply", "events_file", "fetch", "fill",
    "fund_law", "fund_told", "household_guard", "household_record", "household_release", "ingest", "init", "judgement",
    "mail_drop", "night", "paper_book", "parcels", "report_decision", "review_acts", "site_folder",
}  # fmt: skip
"""Modules that may touch the private file: night and cone (distances), papers to a household, doors and the guard that
searches what comes in and goes out for its names, its reader, and ``init``, which writes it."""


def test_no_other_module_reads_the_private_file() -> None:
    found = set()
    for path in Path(pipelines.__file__).parent.rglob("*.py"):
        names = [one.attr for one in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(one, ast.Attribute)]
        if "households" in names:
            found.add(path.stem)
    assert found <= READERS, found - READERS


class NewYearsEve(datetime):
    """Half past five on New Year's Day in Greenwich: half past eleven of the last evening of 2025 in Howard."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls(2026, 1, 1, 5, 30, tzinfo=tz)


def test_the_day_of_a_release_is_the_town_s_own(answer: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(households, "datetime", NewYearsEve)
    assert answer("households", "export", "R-1", *WHO)["as_of"] == "2025-12-31"
