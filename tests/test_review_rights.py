"""Who may review, when, and under which licence: each refusal in plain words, and what is allowed beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from models.errors import BadQuestion
from pipelines import cli, review_acts
from pipelines.review_acts import Who
from sample_data import demo
from tests.test_review_command import acting
from tests.town import HIGH, LOW, Town

SIGNED = ["--by", "Pat Example", "--licence", "PG", "--number", "1234"]
LABORATORY = demo.SAMPLE / "nights" / "2025-08-29" / "grn-export-2025-07-29.csv"
NITRATE = ("PVT-2", "nitrate_nitrite_as_n", date(2025, 7, 29))
Headwater = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """A town after the night of 12 August, with a gap on the 6th."""
    town = Town(tmp_path / "site")
    town.daily("first.rdb", "2025-08-01", [HIGH, HIGH, LOW, LOW, LOW, "", LOW, LOW, LOW, HIGH])
    town.night("2025-08-12")
    return town


@pytest.fixture
def headwater(capfd: pytest.CaptureFixture[str], town: Town) -> Headwater:
    """Run one command on the town: exit code, JSON, error output."""

    def run(*arguments: str) -> tuple[int, Any, str]:
        capfd.readouterr()
        code = cli.run([*arguments, "--site", str(town.folder), "--json"])
        out, err = capfd.readouterr()
        return code, json.loads(out) if code in {0, 3} else None, err

    return run


@pytest.mark.parametrize("by", ["operator", "Operator ", "town", "clerk", "owner:R-1", "agency", "1234"])
def test_a_licensed_act_is_a_person_s(headwater: Headwater, by: str) -> None:
    accepted = ("review", "accept", "LMC-1", "--days", "2025-08-03", "--by", by, "--licence", "PG", "--number", "12")
    code, _, err = headwater(*accepted)
    assert (code, "--by: a licensed act is a person's, by name" in err) == (2, True), err


@pytest.mark.parametrize("number", ["none", "x", "N/A", " ", "unknown", "…"])
def test_a_licence_has_a_number(headwater: Headwater, number: str) -> None:
    signed = ("--by", "Pat Example", "--licence", "PG", "--number", number)
    code, _, err = headwater("review", "accept", "LMC-1", "--days", "2025-08-03", *signed)
    assert (code, "--number: " in err) == (2, True), err


def test_no_act_is_dated_before_there_was_anything_to_judge(headwater: Headwater, town: Town) -> None:
    early = {
        ("accept", "LMC-1", "--days", "2025-08-03..2025-08-04", *SIGNED, "--at", "2025-08-04T12:00"): "2025-08-05",
        ("accept", "LMC-1", "--days", "2025-08-03", *SIGNED, "--at", "1999-01-01"): "2025-08-04 or later",
        ("estimate", "LMC-1", "2025-08-06", "4.1", "--unit", "cfs", "--method", "guess", *SIGNED, "--at", "2025-08-06"):
            "2025-08-07 or later",
        ("sign", signing_key(town), *SIGNED, "--at", "2025-08-11"): "this version of the finding was known",
    }  # fmt: skip
    for arguments, words in early.items():
        code, _, err = headwater("review", *arguments)
        assert (code, "--at: before" in err, words in err) == (2, True, True), err
    assert headwater("review", "accept", "LMC-1", "--days", "2025-08-03", *SIGNED, "--at", "2025-08-04")[0] == 0


def signing_key(town: Town) -> str:
    return str(next(one["key"] for one in town.findings() if one["rule"] == "howard.baseflow"))


def test_an_act_is_taken_back_by_its_signer_a_licensee_or_the_town(headwater: Headwater) -> None:
    def accepts() -> str:
        return str(headwater("review", "accept", "LMC-1", "--days", "2025-08-03", *SIGNED)[1]["key"])

    def back(key: str, *who: str) -> tuple[int, Any, str]:
        return headwater("review", "withdraw", key, "--reason", "we do not like it", *who)

    key = accepts()
    for who in (["--by", "operator"], ["--by", "Robin Example"], ["--by", "owner:R-1"]):
        code, _, err = back(key, *who)
        assert (code, "another's accept is not its to take back" in err) == (2, True), err
    for who in (["--by", "operator", "--licence", "PG", "--number", "9"],
                ["--by", "Robin Example", "--licence", "PG", "--number", "none"]):  # fmt: skip
        assert back(key, *who)[0] == 2
    assert "before what it takes back" in back(key, "--by", "clerk", "--at", "2025-08-01")[2]
    for who in (["--by", "Pat Example"], ["--by", "town board"], ["--by", "Robin Example", *SIGNED[2:]]):
        assert back(accepts(), *who)[0] == 0, who


def test_the_operator_takes_back_its_own_contest_and_no_other_s(town: Town) -> None:
    town.deliver(LABORATORY)
    town.night("2025-08-29")
    with acting(town, "2025-09-01T10:00") as room:
        own = review_acts.contest(room, *NITRATE, "", "bottle broken", Who("operator")).act
        other = review_acts.contest(room, *NITRATE, "", "too warm", Who("Robin Example")).act
    with acting(town, "2025-09-02T10:00") as room:
        with pytest.raises(BadQuestion, match="another's contest is not its to take back"):
            review_acts.withdraw(room, other.key(), "we do not like it", Who("operator"))
        review_acts.withdraw(room, own.key(), "the bottle was whole", Who("operator"))
        with pytest.raises(BadQuestion, match="--at: before the sample was taken"):
            review_acts.contest(room, *NITRATE, "", "because", Who("operator", at="1950-01-01"))
