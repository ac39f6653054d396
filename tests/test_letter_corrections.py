"""A household that was told of a result is told when that no longer holds; nobody but the town is mailed."""

from __future__ import annotations

import email
import email.policy
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from models.errors import BadLaw
from models.rules import read_ordinance
from pipelines import cli, papers_waiting, schema
from pipelines.database import opened, reading, transaction
from pipelines.site_folder import open_site
from tests.test_papers_results import ARSENIC, CASE, NAMES, NITRATE, lab, mails
from tests.town import Town

Answer = Callable[..., Any]
SUBSTANCE = "nitrate_nitrite_as_n"


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Town:
    """Nitrate of 11.2 mg/L in PVT-1 on 8 July 2025, over ES 10 and PAL 2; its letter, 2025-001, was released."""
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    monkeypatch.setenv("HEADWATER_CHROMIUM", "no-such-browser")
    made = Town(tmp_path / "site")
    made.daily("flow.rdb", "2025-06-30", ["6.00"])
    made.night("2025-06-30")
    lab(made, "july.csv", ("PVT-1", NITRATE, "11.2"))
    made.night("2025-07-15")
    return made


@pytest.fixture
def answer(town: Town, capsys: pytest.CaptureFixture[str]) -> Answer:
    def asked(*arguments: str) -> Any:
        capsys.readouterr()
        code = cli.run([*arguments, "--site", str(town.folder), "--json"])
        out, err = capsys.readouterr()
        assert code in {0, 3}, err
        return json.loads(out)

    return asked


@pytest.fixture
def told(answer: Answer) -> Answer:
    """The same, once the letter went out."""
    answer("report", "release", "2025-001", "--by", "clerk", "--method", "hand")
    return answer


def refused(town: Town, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert cli.run([*arguments, "--site", str(town.folder)]) == 2
    return capsys.readouterr().err


def text(answer: Answer, name: str = "result_correction") -> str:
    """The plain text of the newest paper of a name, on one line."""
    (paper,) = answer("report", "notice", CASE, "--paper", name, "--by", "clerk")["papers"]
    (file,) = [one["name"] for one in paper["files"] if one["name"].endswith(".txt")]
    return " ".join(Path(file).read_text(encoding="utf-8").split())


def states(answer: Answer) -> list[tuple[str, str, str]]:
    return [(one["number"], one["name"], one["state"]) for one in answer("report", "papers")]


LETTER = ("2025-001", "result_letter", "released")
WAITS = ("2025-002", "result_correction", "waits")


def test_a_result_that_is_withdrawn_is_corrected_to_the_same_household_by_number(town: Town, told: Answer) -> None:
    lab(town, "revised.csv", ("PVT-1", NITRATE, "0.50"))
    (says,) = town.night("2025-07-16")["papers"]
    assert says.startswith("Letter 2025-001 to the owner and the occupant of R-1 was released, and what it told no")
    assert "Correction 2025-002 is written and waits for release" in says
    assert states(told) == [LETTER, WAITS]
    said = text(told)
    assert "Our letter 2025-001 of Wednesday, July 16, 2025 told you of laboratory results" in said
    assert "sampled on Tuesday, July 8, 2025" in said
    assert said.index("Example Owner One owner of property R-1") < said.index("Example Occupant One occupant")
    assert "Nitrate + Nitrite (as N): 11.2 mg/L against ES 10 mg/L: over the standard" in said
    assert said.count("withdrawn: the record as it stands now does not show it") == 2  # ES and PAL
    assert "Nothing follows any more from what is withdrawn." in said
    assert "What stands as you were told" not in said


def test_it_is_written_once_and_sent_to_nobody(town: Town, told: Answer) -> None:
    lab(town, "revised.csv", ("PVT-1", NITRATE, "0.50"))
    town.night("2025-07-16")
    assert town.night("2025-07-16")["papers"] == []
    assert town.night("2025-07-17")["papers"] == []
    assert states(told) == [LETTER, WAITS]
    found = [one for one in mails(town) if "Correction 2025-002" in one]
    assert found
    assert not [name for name in NAMES for one in mails(town) if name in one]
    files = [*(town.folder / "outbox" / "new").iterdir()]
    sent = {email.message_from_bytes(one.read_bytes(), policy=email.policy.default)["To"] for one in files}
    assert all("town" in str(to) or "clerk" in str(to) for to in sent), sent


def test_a_revised_value_is_corrected_and_no_second_letter_is_written(town: Town, told: Answer) -> None:
    """10.8 is over both standards still: the household hears of the value, old and new, in one paper."""
    lab(town, "revised.csv", ("PVT-1", NITRATE, "10.8"))
    town.night("2025-07-16")
    assert states(told) == [LETTER, WAITS]
    said = text(told)
    assert "11.2 mg/L against ES 10 mg/L: over the standard" in said
    assert "10.8 mg/L against ES 10 mg/L: over the standard" in said
    assert "withdrawn" not in said


def test_one_standard_of_two_may_be_withdrawn(town: Town, told: Answer) -> None:
    """5 mg/L is under ES 10 and over PAL 2."""
    lab(town, "revised.csv", ("PVT-1", NITRATE, "5.0"))
    town.night("2025-07-16")
    said = text(told)
    assert said.count("withdrawn: the record as it stands now does not show it") == 1
    assert "5.0 mg/L against PAL 2 mg/L: over the standard" in said


def contest(answer: Answer) -> str:
    reviewer = ("--by", "A. Geologist", "--reason", "the bottle was warm")
    return str(answer("review", "contest", "PVT-1", SUBSTANCE, "2025-07-08", *reviewer)["key"])


def test_a_contested_result_is_corrected_and_the_contest_taken_back_ends_it(
    town: Town, told: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    key = contest(told)
    town.night(today())
    (letter, (number, *waits)) = states(told)
    assert (letter, waits) == (LETTER, ["result_correction", "waits"])
    said = text(told)
    assert "11.2 mg/L against ES 10 mg/L: over the standard; contested" in said
    assert "Contested under Wis. Admin. Code NR 140.14(1)(b), and on record until it is settled" in said
    assert "the bottle was warm" in said
    told("review", "withdraw", key, "--by", "A. Geologist", "--reason", "it was cold")
    town.night(today())
    assert "what the letter said still holds" in refused(town, capsys, "report", "release", number, "--by", "clerk")
    with opened(town.url) as engine, reading(engine) as connection:
        assert papers_waiting.lines(connection, open_site(town.folder)) == []


def test_a_letter_that_nobody_released_is_corrected_to_nobody(town: Town, answer: Answer) -> None:
    lab(town, "revised.csv", ("PVT-1", NITRATE, "10.8"))
    town.night("2025-07-16")
    assert [one[1] for one in states(answer)] == ["result_letter", "result_letter"]


def test_a_correction_that_went_out_is_what_the_household_knows(town: Town, told: Answer) -> None:
    lab(town, "revised.csv", ("PVT-1", NITRATE, "10.8"))
    town.night("2025-07-16")
    told("report", "release", "2025-002", "--by", "clerk")
    assert town.night("2025-07-17")["papers"] == []
    lab(town, "again.csv", ("PVT-1", NITRATE, "10.1"))
    (says,) = town.night("2025-07-18")["papers"]
    assert "Letter 2025-002" in says
    assert "Correction 2025-003" in says
    said = text(told)
    assert "Our letter 2025-002 of" in said
    assert "10.8 mg/L against ES" in said
    assert "11.2" not in said


def test_a_result_that_no_paper_told_of_has_its_own_letter(town: Town, told: Answer) -> None:
    lab(town, "more.csv", ("PVT-1", ARSENIC, "12"))
    town.night("2025-07-16")
    assert states(told) == [LETTER]  # arsenic waits for the clerk, and changes nothing of what was said
    lab(town, "revised.csv", ("PVT-1", NITRATE, "10.8"))
    town.night("2025-07-17")
    assert [one[1] for one in states(told)] == ["result_letter", "result_correction", "result_letter"]
    assert "Arsenic: 12 ug/L against ES 10 ug/L: over the standard" in text(told)


def test_a_case_that_was_closed_is_corrected_all_the_same(town: Town, told: Answer) -> None:
    told("case", "record", CASE, "case_closed", "--by", "clerk", "--at", now(told), "--note", "told")
    lab(town, "revised.csv", ("PVT-1", NITRATE, "0.50"))
    town.night("2025-07-16")
    assert states(told) == [LETTER, WAITS]
    assert told("report", "release", "2025-002", "--by", "clerk")["recorded"] is True


def today() -> str:
    """The town's own day: what is recorded at a terminal is known from now on."""
    return datetime.now(ZoneInfo("America/Chicago")).date().isoformat()


def now(answer: Answer) -> str:
    """The instant of the release, which the closing follows in the table of one instant."""
    return str(answer("report", "release", "2025-001", "--by", "clerk")["released_at"])


def test_a_letter_of_an_older_program_kept_no_rows(town: Town, told: Answer) -> None:
    with opened(town.url) as engine, transaction(engine) as connection:
        (body,) = connection.execute(select(schema.paper.c.body)).scalars()
        plain = {name: said for name, said in json.loads(body).items() if name != "results"}
        connection.execute(update(schema.paper).values(body=json.dumps(plain)))
    assert town.night("2025-07-15")["papers"] == []
    lab(town, "revised.csv", ("PVT-1", NITRATE, "10.8"))
    town.night("2025-07-16")
    assert "11.2 mg/L against ES 10 mg/L: over the standard" in text(told)


def test_what_holds_is_not_corrected_and_the_command_says_so(
    town: Town, told: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("report", "notice", CASE, "--paper", "result_correction")
    assert "what the letter said still holds" in refused(town, capsys, *asked)
    assert [one["name"] for one in told("report", "notice", CASE)["papers"]] == ["result_letter"]
    lab(town, "revised.csv", ("PVT-1", NITRATE, "0.50"))
    town.night("2025-07-16")
    assert [one["name"] for one in told("report", "notice", CASE)["papers"]] == ["result_correction"]


# The digest lists what waits.


def test_the_digest_lists_papers_that_wait_until_a_person_lets_them_go(town: Town, answer: Answer) -> None:
    """20 and 27 July 2025 are Sundays: everybody gets the digest."""
    town.night("2025-07-20")
    said = town.mail("night of 2025-07-20")
    assert "1 to release" in said or "All clear" not in said
    line = f"2025-001, A laboratory result in your well, to the owner and the occupant, case {CASE}: headwater report"
    assert f"Papers that are written and wait for a person to release them - {line} release 2025-001" in said
    answer("report", "release", "2025-001", "--by", "clerk")
    town.night("2025-07-27")
    assert "wait for a person to release them" not in town.mail("night of 2025-07-27")


def test_a_draft_says_why_it_waits(town: Town, answer: Answer) -> None:
    low = ["4.90", "4.85", "4.80", "4.75", "4.70", "4.65"]
    town.daily("low.rdb", "2025-07-01", [*low, "6.00"])
    town.night("2025-07-19")
    (paper,) = answer("report", "notice", "howard.baseflow/LMC-1/2025-07-06")["papers"]
    town.night("2025-07-20")
    said = town.mail("night of 2025-07-20")
    assert f"{paper['number']}, Notice of stream flow below base flow, to the operator" in said
    assert "DRAFT, no reviewer has accepted the provisional value of 2025-07-01" in said


def test_a_contest_is_told_that_night_and_its_paper_stands_in_the_digest(town: Town, told: Answer) -> None:
    contest(told)
    (says,) = town.night(today())["papers"]
    assert [one for one in mails(town) if says.split(": ")[0] in one or "Correction of a letter about your well" in one]


# The law file.

LETTERS = """
[[paper]]
id = "fix"
title = "Fix"
case = "howard.result"
clause = "1"
template = "{template}"
to = ["owner"]
{more}
"""


@pytest.mark.parametrize(
    ("template", "more", "says"),
    [
        ("result_correction", "", "a correction names the letter it corrects"),
        ("result_letter", 'corrects = "result_letter"', "a correction names the letter it corrects"),
        ("result_correction", 'corrects = "demand"', "corrects no letter about results of howard.result: demand"),
        ("result_correction", 'corrects = "result_letter"\nat_once = ["e_coli"]', "at_once belongs to a letter"),
    ],
)
def test_a_correction_that_does_not_join_up(template: str, more: str, says: str) -> None:
    law = Path("models/law/ordinances/howard.toml").read_text(encoding="utf-8")
    with pytest.raises(BadLaw, match=says):
        read_ordinance(law + LETTERS.format(template=template, more=more), file="howard.toml")
