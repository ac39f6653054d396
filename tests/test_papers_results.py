"""Letters about results in a private well: written by the night, held until a person lets them go."""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipelines import cli
from tests.town import Town

HEADER = (
    "WI Unique Well #,County,Well Use,Well Status,Sample Collection Date,Storet Parameter Description,"
    "Storet Parameter Code,Sample Analytical Result Amount,Result Text,Units,Sample Analytical Qualifier,"
    "Enforcement Standard,Preventive Action Limit,HAL,HAL Units,LOD,LOQ,Labslip #/Sample ID,Sample Description,"
    "Lab Comments"
)
WELLS = {"PVT-1": "ZZ911", "PVT-2": "ZZ912", "MW-1": "ZZ901"}
NITRATE, ARSENIC = ("NITROGEN NO3+NO2 DISS (AS N)", "631", "MG/L"), ("ARSENIC TOTAL", "1002", "UG/L")
JULY, CASE = "07/08/2025", "howard.result/R-1/2025-07-08"
NAMES = ("Example Owner", "Example Occupant", "Example Lane", "715-555")


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Town:
    """A site that has had its first load: a quiet stream."""
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    monkeypatch.setenv("HEADWATER_CHROMIUM", "no-such-browser")
    made = Town(tmp_path / "site")
    made.daily("flow.rdb", "2025-06-30", ["6.00"])
    made.night("2025-06-30")
    return made


@pytest.fixture
def answer(town: Town, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    def asked(*arguments: str) -> Any:
        code = cli.run([*arguments, "--site", str(town.folder), "--json"])
        out, err = capsys.readouterr()
        assert code in {0, 3}, err
        return json.loads(out)

    return asked


def lab(town: Town, name: str, *rows: tuple[str, tuple[str, str, str], str], day: str = JULY) -> None:
    """A laboratory file: well, substance, amount."""
    lines = [
        f"{WELLS[well]},CHIPPEWA,PRIVATE POTABLE,ACTIVE,{day},{what},{code},{amount},NORMAL QUANTIFIED RESULT,"
        f"{unit},,,,,,0.02,0.06,S-{well},{well},"
        for well, (what, code, unit), amount in rows
    ]
    (town.folder / "inbox" / name).write_text("\n".join([HEADER, *lines, ""]), encoding="utf-8")


def mails(town: Town) -> list[str]:
    """The plain text of every mail, each on one line."""
    files = sorted((town.folder / "outbox" / "new").iterdir())
    found = [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]
    bodies = [body for one in found if (body := one.get_body(("plain",))) is not None]
    return [" ".join(str(body.get_content()).split()) for body in bodies]


def letter(answer: Callable[..., Any], case: str = CASE) -> tuple[dict[str, Any], str]:
    (paper,) = answer("report", "notice", case, "--by", "clerk")["papers"]
    (file,) = [one["name"] for one in paper["files"] if one["name"].endswith(".txt")]
    return paper, " ".join(Path(file).read_text(encoding="utf-8").split())


def test_nitrate_at_a_private_well_is_written_that_night_and_waits(town: Town, answer: Callable[..., Any]) -> None:
    lab(town, "july.csv", ("PVT-1", NITRATE, "11.2"), ("PVT-1", ARSENIC, "12"))
    (says,) = town.night("2025-07-15")["papers"]
    assert says.startswith("Letter 2025-001 to the owner and the occupant of R-1 is written and waits for release")
    assert [(one["number"], one["state"], one["case"]) for one in answer("report", "papers")] == [
        ("2025-001", "waits", CASE)
    ]
    told = [one for one in mails(town) if "Letter 2025-001" in one]
    assert told
    assert all("waits for release" in one for one in told)
    assert not [name for name in NAMES for one in mails(town) if name in one]
    assert answer("households", "reads") == []
    assert town.night("2025-07-15")["papers"] == []
    assert len(answer("report", "papers")) == 1


def test_the_letter_says_value_standard_and_whom_to_ask(town: Town, answer: Callable[..., Any]) -> None:
    lab(town, "july.csv", ("PVT-1", NITRATE, "11.2"), ("PVT-1", ARSENIC, "12"))
    town.night("2025-07-15")
    paper, said = letter(answer)
    assert (paper["number"], paper["new"]) == ("2025-001", False)
    assert said.index("Example Owner One owner of property R-1") < said.index("Example Occupant One occupant")
    assert "sampled on Tuesday, July 8, 2025" in said
    assert "Nitrate + Nitrite (as N): 11.2 mg/L ES 10 mg/L over the standard" in said
    assert "Nitrate + Nitrite (as N): 11.2 mg/L PAL 2 mg/L over the standard" in said
    assert re.search(r"Arsenic: 12 ug/L ES 10 ug/L over the standard", said)
    assert "says nothing about the cause" in said
    assert "The owner may use the remedies of 2.15" in said
    assert "The county health department" in said
    assert [one["household"] for one in answer("households", "reads")] == ["R-1"]


def test_the_letter_is_released_by_a_person_and_opens_its_case(town: Town, answer: Callable[..., Any]) -> None:
    lab(town, "july.csv", ("PVT-1", NITRATE, "11.2"))
    town.night("2025-07-15")
    found = answer("report", "release", "2025-001", "--by", "clerk", "--method", "hand")
    assert (found["recorded"], found["case"], found["by"]) == (True, CASE, "clerk")
    (page,) = [one["name"] for one in letter(answer)[0]["files"] if one["name"].endswith(".html")]
    assert "Example Owner One" in Path(page).read_text(encoding="utf-8")
    assert answer("report", "papers")[0]["state"] == "released"


@pytest.mark.parametrize(
    ("well", "what", "amount"), [("PVT-1", ARSENIC, "12"), ("PVT-1", NITRATE, "1.9"), ("MW-1", NITRATE, "11.2")]
)
def test_other_substances_lower_results_and_monitoring_wells_wait_for_the_clerk(
    town: Town, well: str, what: tuple[str, str, str], amount: str
) -> None:
    lab(town, "july.csv", (well, what, amount))
    assert town.night("2025-07-15")["papers"] == []


def test_a_revised_result_is_written_anew_and_the_old_letter_cannot_go(
    town: Town, answer: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    lab(town, "july.csv", ("PVT-1", NITRATE, "11.2"))
    town.night("2025-07-15")
    lab(town, "revised.csv", ("PVT-1", NITRATE, "10.8"))
    (says,) = town.night("2025-07-16")["papers"]
    assert "Letter 2025-002" in says
    assert [one["newer"] for one in answer("report", "papers")] == ["2025-002", None]
    assert cli.run(["report", "release", "2025-001", "--by", "clerk", "--site", str(town.folder)]) == 2
    assert "its case has moved on" in capsys.readouterr().err


def test_a_first_load_writes_about_the_last_sampling_day_of_a_property(tmp_path: Path) -> None:
    town = Town(tmp_path / "fresh")
    lab(town, "spring.csv", ("PVT-1", NITRATE, "11.2"), day="04/08/2025")
    lab(town, "july.csv", ("PVT-1", NITRATE, "12.0"))
    (says,) = town.night("2025-07-15")["papers"]
    assert CASE in says


def test_a_well_of_no_property_is_said(town: Town) -> None:
    site = town.folder / "site.toml"
    site.write_text(site.read_text(encoding="utf-8").replace('property = "R-1"\n', "", 1), encoding="utf-8")
    lab(town, "july.csv", ("PVT-1", NITRATE, "11.2"))
    (says,) = town.night("2025-07-15")["papers"]
    assert says == (
        "No letter about PVT-1: site.toml names no property for that well. Tell the household."
    )  # fmt: skip


def record(town: Town, event: str, day: str) -> None:
    """An act of the operator, as a line of events.csv, taken by the night of that day."""
    at = f"{day}T10:00:00-05:00"
    with (town.folder / "events.csv").open("a", encoding="utf-8") as file:
        file.write(f"{CASE},{event},{at},{at},operator,mail,,\n")
    town.night(day)


def clock(answer: Callable[..., Any], town: Town, on: str) -> list[tuple[str, str, str, str]]:
    """What the clock shows of the case at the end of a day."""
    found = [one for one in answer("clock", "--as-of", on, "--all") if one.get("case") == CASE]
    return [(one["standing"], one["nature"], one["plain"], one["statutory"]) for one in found]


def test_the_operator_s_notice_to_the_state_is_information(town: Town, answer: Callable[..., Any]) -> None:
    """10 days from Friday 22 August are Monday 1 September 2025, Labor Day: the 2nd, counted by statute."""
    record(town, "operator_result_received", "2025-08-22")
    shown = ("information", "information", "2025-09-01", "2025-09-02")
    assert clock(answer, town, "2025-12-31") == [shown]
    assert not [one for one in town.night("2025-09-03")["mails"] if "140.24" in one]


def test_a_decision_named_in_the_permit_makes_it_a_deadline(town: Town, answer: Callable[..., Any]) -> None:
    record(town, "operator_result_received", "2025-08-22")
    site, applies = (
        town.folder / "site.toml",
        'applies = [{{ rule = "state.nr140.notice", decision = "x", on = {} }}]\n',
    )
    text = site.read_text(encoding="utf-8")
    site.write_text(text.replace("holders = [", applies.format("2025-08-22") + "holders = [", 1), encoding="utf-8")
    assert clock(answer, town, "2025-09-01") == [("running", "deadline", "2025-09-01", "2025-09-02")]
    assert clock(answer, town, "2025-09-02") == [("overdue", "deadline", "2025-09-01", "2025-09-02")]
    assert any(one.startswith("[Headwater] Overdue: Operator to DNR") for one in town.night("2025-09-03")["mails"])
    site.write_text(text.replace("holders = [", applies.format("2025-08-23") + "holders = [", 1), encoding="utf-8")
    assert clock(answer, town, "2025-09-03")[0][0] == "information"
    record(town, "dnr_notice_given", "2025-09-04")
    assert clock(answer, town, "2025-09-04")[0][0] == "done"


def test_only_information_with_a_clock_can_be_made_to_apply(town: Town, capsys: pytest.CaptureFixture[str]) -> None:
    site = town.folder / "site.toml"
    made = 'applies = [{ rule = "howard.fee", decision = "x", on = 2025-01-01 }]\nholders = ['
    site.write_text(site.read_text(encoding="utf-8").replace("holders = [", made, 1), encoding="utf-8")
    assert cli.run(["clock", "--site", str(town.folder)]) == 2
    err = capsys.readouterr().err
    assert "site.toml: permit.applies.rule: no step that is information with a clock (found 'howard.fee')" in err
    assert "allowed: state.nr140.notice" in err
