"""An act taken out and recorded again is one more act; run again after a kill it is the same one."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from models.event import ENTRY_WITHDRAWN, Event, in_turn, newer_fields, standing
from pipelines import cli
from sample_data import demo
from tests.record_in_memory import CHICAGO

CASE = "howard.remedy/R-1/2025-08-11"
AT = datetime(2025, 10, 3, 10, tzinfo=CHICAGO)


def plan() -> Event:
    return Event(CASE, "operator_plan_received", AT, AT, "operator", "hand", "plan3")


def taken_back(one: Event) -> Event:
    return Event(CASE, ENTRY_WITHDRAWN, AT, AT, "clerk", note="wrong", corrects=one.key())


def test_it_is_itself_while_it_stands_and_another_once_it_was_taken_out() -> None:
    first = plan()
    assert in_turn(first, [first]) == first
    second = in_turn(first, [first, taken_back(first)])
    assert second.key() != first.key()
    record = [first, taken_back(first), second]
    assert standing(record) == [second]
    assert in_turn(first, record) == second, "killed and run again"
    third = in_turn(first, [*record, taken_back(second)])
    assert len({first.key(), second.key(), third.key()}) == 3
    assert standing([*record, taken_back(second), third]) == [third]


def test_a_withdrawal_that_was_withdrawn_lets_the_act_stand() -> None:
    first, back = plan(), taken_back(plan())
    assert in_turn(first, [first, back, taken_back(back)]) == first


def test_the_first_of_its_kind_keeps_its_key_and_the_next_is_read_back() -> None:
    assert "again" not in plan().more()
    second = in_turn(plan(), [plan(), taken_back(plan())])
    assert newer_fields(second.more())["again"] == 1


@pytest.fixture
def answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:  # fmt: skip
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    demo.fresh_site(tmp_path / "site")
    (tmp_path / "site" / "events.csv").unlink()

    def asked(*arguments: str) -> Any:
        code = cli.run([*arguments, "--site", str(tmp_path / "site"), "--json"])
        said = capsys.readouterr()
        assert code == 0, said.err
        return json.loads(said.out)

    return asked


def test_a_clerk_who_records_a_withdrawn_act_again_has_it_on_record(answer: Callable[..., Any]) -> None:
    answer("case", "open", "howard.remedy", "R-1", "--at", "2025-08-11T09:15", "--method", "hand")
    again = ("case", "record", CASE, "operator_plan_received", "--at", "2025-10-03T10:00", "--by", "operator",
             "--method", "hand", "--document", "plan3")  # fmt: skip
    answer(*again)
    key = _acts(answer)["operator_plan_received"]
    back = ("--at", "2025-10-04T10:00", "--by", "operator", "--corrects", key, "--note", "wrong")
    answer("case", "record", CASE, "entry_withdrawn", *back)
    before = answer("case", "show", CASE)["state"]
    answer(*again)
    after = answer("case", "show", CASE)
    assert after["state"] != before
    assert after["state"].startswith("the town, with the owner, judges the plan")
    number = len(after["events"])
    answer(*again)
    assert len(answer("case", "show", CASE)["events"]) == number, "recorded twice it is one"


def _acts(answer: Callable[..., Any]) -> dict[str, str]:
    return {one["event"]: one["key"] for one in answer("case", "show", CASE)["events"]}
