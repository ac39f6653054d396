"""``headwater backtest quality``: exactly the verdicts that another law flips, counted by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from models.checks.quality_backtest import backtest
from models.checks.quality_table import plain_terms
from models.standards import law_of
from pipelines import cli
from tests.record_in_memory import Record
from tests.test_quality_command import SQUARE

NR140 = law_of("nr140")
TURN = date(2025, 3, 1)
HEADER = """id = "proposed"
title = "A made-up proposal"
citation = "made-up proposal 1"
attained_at = "ge"
detection_rule = "nr140.14"
text_current_to = 2025-01-01
"""
ROWS = """parameter,kind,value,unit,table,citation,effective,repealed,verification,detection_only,note
arsenic,PAL,1,ug/L,1,made-up proposal 1 s. 2,unknown,,single,,
arsenic,ES,5,ug/L,1,made-up proposal 1 s. 2,2025-03-01,,single,,
arsenic,ES,10,ug/L,1,made-up proposal 1 s. 2,unknown,2025-03-01,single,,
"""
SITE = f"""{SQUARE}
[[well]]
id = "M-1"
use = "monitoring"
in_application = true
position = [158100.0, 164500.0]

[[well]]
id = "M-2"
use = "monitoring"
in_application = true
position = [158200.0, 164500.0]
"""
RESULTS = """sample_id,location,date,sample_type,analyte,result,qualifier,mdl,loq,unit,fraction
1,M-1,2024-02-01,Routine,arsenic,6,,0.3,1.0,ug/L,
2,M-1,2024-05-01,Routine,arsenic,10,,0.3,1.0,ug/L,
3,M-1,2025-04-01,Routine,arsenic,5.0,,0.3,1.0,ug/L,
4,M-2,2025-04-01,Routine,arsenic,4.9,,0.3,1.0,ug/L,
5,M-2,2025-04-01,Routine,chloride,300,,0.5,1.6,mg/L,
"""

Run = Callable[..., Any]


@pytest.fixture
def site(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    """A stored record of two wells, and the proposal beside it."""
    folder = tmp_path / "site"
    assert cli.run(["init", str(folder)]) == 0
    (folder / "site.toml").write_text(SITE, "utf-8")
    (tmp_path / "results.csv").write_text(RESULTS, "utf-8")
    (tmp_path / "proposed.toml").write_text(HEADER, "utf-8")
    (tmp_path / "proposed.csv").write_text(ROWS, "utf-8")
    assert cli.run(["ingest", str(tmp_path / "results.csv"), "--site", str(folder)]) == 0
    capfd.readouterr()
    return folder


def asked(capfd: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> Any:
    assert cli.run(["backtest", "quality", *map(str, arguments), "--json"]) == code
    return json.loads(capfd.readouterr().out)


def test_a_proposal_flips_what_lies_between_the_old_limit_and_the_new(
    site: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """6 ug/L of February 2024 stands: the proposal's 5 came later. 5.0 of April 2025 equals it, and is not over it."""
    answer = asked(capfd, "--standards", site.parent / "proposed.toml", "--site", site)
    assert [
        (one["station"], one["substance"], one["sampled"], one["kind"], one["from"], one["to"], one["standard_old"],
         one["standard_new"], one["paragraph_new"])
        for one in answer["flips"]
    ] == [
        ("M-1", "arsenic", "2025-04-01", "ES", "not_attained", "needs_confirmation", "10 ug/L", "5 ug/L", "140.05(2)"),
        ("M-2", "chloride", "2025-04-01", "ES", "attained", "no standard", "250 mg/L", None, None),
        ("M-2", "chloride", "2025-04-01", "PAL", "attained", "no standard", "125 mg/L", None, None),
    ]  # fmt: skip
    assert answer["flips"][0]["nr140_status_new"] == "attained"
    assert answer["unchanged"] == 7, "4 results of arsenic against 2 limits, less the one that flips"


def test_the_law_of_one_day_for_the_whole_record(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Under the proposal of June 2025 its 5 ug/L holds for 2024 too: 6 is over it, and so is 10 (over, not equal)."""
    file = site.parent / "proposed.toml"
    answer = asked(capfd, "--standards", file, "--law-on", "2025-06-01", "--site", site)
    es = [one for one in answer["flips"] if (one["substance"], one["kind"]) == ("arsenic", "ES")]
    assert [(one["sampled"], one["from"], one["to"]) for one in es] == [
        ("2024-02-01", "not_attained", "attained"),
        ("2024-05-01", "needs_confirmation", "attained"),
        ("2025-04-01", "not_attained", "needs_confirmation"),
    ]


def test_the_same_law_flips_nothing(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    answer = asked(capfd, "--law-on", "2025-06-01", "--site", site)
    assert (answer["flips"], answer["unchanged"]) == ([], 10)
    assert cli.run(["backtest", "quality", "--law-on", "2025-06-01", "--site", str(site)]) == 0
    assert "0 verdicts flip, 10 stand" in capfd.readouterr().out


def test_without_a_law_nothing_can_be_asked(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["backtest", "quality", "--site", str(site)]) == 2
    assert "--standards FILE" in capfd.readouterr().err


def test_a_well_that_no_groundwater_standard_covers_is_left_out_and_said(
    site: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The Town of Gates names no groundwater standards: nothing was judged, so nothing can be judged again."""
    (site / "site.toml").write_text(SITE.replace('"howard"', '"gates"').replace("7595", "2262"), "utf-8")
    answer = asked(capfd, "--law-on", "2025-06-01", "--site", site, code=3)
    assert (answer["flips"], answer["compared_before"], answer["unchanged"]) == ([], 0, 0)
    assert [(one["station"], one["reason"]) for one in answer["left_out"]] == [
        (well, "the ordinance names no groundwater standards for it") for well in ("M-1", "M-2")
    ]
    assert cli.run(["backtest", "quality", "--law-on", "2025-06-01", "--site", str(site)]) == 3
    assert "not judged again: M-1: " in capfd.readouterr().out


def test_a_computed_sum_flips_with_its_standard() -> None:
    """9.7 + 0.4 = 10.1 mg/L: over 10, under 20; the reported parts stand against their own standards as before."""
    record = Record()
    for name, value in (("nitrate_as_n", "9.7"), ("nitrite_as_n", "0.4")):
        record.result("MW-1", name, date(2025, 4, 1), value, "mg/L", "0.02", "0.06", sample="S", series="S")
    rows = record.rows(["MW-1"], NR140.parameters, None, None)
    higher = NR140.replaced(
        replace(one, value=Decimal(20)) if (one.parameter, one.kind) == ("nitrate_nitrite_as_n", "ES") else one
        for one in NR140.rows
    )
    (flip,) = backtest(plain_terms(NR140), plain_terms(higher), rows).flips
    assert flip.before is not None
    assert flip.after is not None
    assert (flip.before.verdict, flip.after.verdict, flip.measured) == ("attained", "not_attained", "10.1 mg/L")
    assert flip.rows == ("1:1", "1:2")


def test_a_step_of_the_law_flips_only_what_was_sampled_on_the_other_side() -> None:
    record = Record()
    for day in (date(2025, 2, 28), TURN):
        record.result("MW-1", "arsenic", day, "6", "ug/L", "0.3", "1.0", sample=day.isoformat())
    rows = record.rows(["MW-1"], ["arsenic"], None, None)
    law = NR140.replaced(half for one in NR140.rows for half in (
        [replace(one, repealed=TURN), replace(one, value=Decimal(5), effective=TURN)]
        if (one.parameter, one.kind) == ("arsenic", "ES") else [one]
    ))  # fmt: skip
    own, then = plain_terms(law), replace(plain_terms(law), law_day=TURN)
    assert [(one.sampled, one.after and one.after.verdict) for one in backtest(own, then, rows).flips] == [
        ("2025-02-28", "attained")
    ]
    assert backtest(own, own, rows).flips == ()


def test_an_alternative_limit_holds_by_its_own_days_under_the_law_of_any_day(
    site: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """300 mg/L of chloride is under the 350 of a decision of 2025, which the tables of 2020 do not take away."""
    toml = site / "site.toml"
    limit = (
        'substance = "chloride"\nkind = "ES"\nvalue = 350\nunit = "mg/L"\nsince = 2025-01-15\ndecision = "made up 7"'
    )
    toml.write_text(f"{toml.read_text('utf-8')}\n[[alternative_limit]]\n{limit}\n", "utf-8")
    answer = asked(capfd, "--law-on", "2020-01-01", "--site", site)
    assert answer["flips"] == []
    assert "state no first day and are taken as law on 2020-01-01" in answer["undated"]


COLI = "6,M-1,2024-06-01,Routine,E. coli,490,,,,MPN/100 mL,\n"


def test_a_standard_that_came_later_was_no_law_before(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """E. coli came into Table 1 in mid-2023."""
    more = site.parent / "more.csv"
    more.write_text(RESULTS.splitlines()[0] + "\n" + COLI + COLI.replace("6,M-1,2024", "7,M-1,2023"))
    assert cli.run(["ingest", str(more), "--site", str(site)]) == 0
    capfd.readouterr()
    flips = asked(capfd, "--law-on", "2020-01-01", "--site", site)["flips"]
    assert {(one["substance"], one["sampled"], one["from"], one["to"]) for one in flips} == {
        ("e_coli", "2024-06-01", "attained", "no standard")
    }
    assert cli.run(["quality", "M-1", "--site", str(site), "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert {one["sampled"] for one in answer["verdicts"] if one["substance"] == "e_coli"} == {"2024-06-01"}
    (early,) = [one for one in answer["not_judged"] if one["parameter"] == "e_coli"]
    assert early["reason"] == "no standard of the set was law on 2023-06-01: the first from 2023-07-01 (memory)"


INDICATORS = """parameter,increment,unit,sd_multiple,two_sided,citation,verification,note
sodium,100,mg/L,3,,made-up proposal 1 s. 3,single,
"""


@pytest.fixture
def backed(site: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    """Eight times 10 mg/L of sodium at M-2 in 2023, then 25 at M-1; the proposal sets the increase to 100."""
    toml = site / "site.toml"
    record = '[[background]]\nwells = ["M-2"]\nfrom = 2023-01-01\nto = 2023-12-31\n'
    toml.write_text(f"{toml.read_text('utf-8')}\n{record}", "utf-8")
    lines = [f"b{k},M-2,2023-0{k}-01,Routine,sodium,10,,0.5,1.6,mg/L," for k in range(1, 9)]
    lines.append("s,M-1,2024-02-01,Routine,sodium,25,,0.5,1.6,mg/L,")
    (site.parent / "sodium.csv").write_text("\n".join([RESULTS.splitlines()[0], *lines]) + "\n")
    head = '\n[indicators]\nminimum_results = 8\ndivide_by_n_from = 30\ncitation = "made up"\nverification = "single"\n'
    (site.parent / "proposed.toml").write_text(HEADER + head, "utf-8")
    (site.parent / "proposed_indicators.csv").write_text(INDICATORS, "utf-8")
    assert cli.run(["ingest", str(site.parent / "sodium.csv"), "--site", str(site)]) == 0
    capfd.readouterr()
    return site


def test_indicators_flip_with_their_increase(backed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Mean 10, SD 0: PAL 10 + 10 = 20 by Table 3, 10 + 100 = 110 by the proposal; 25 lies between."""
    answer = asked(capfd, "--standards", backed.parent / "proposed.toml", "--site", backed)
    flips = [one for one in answer["flips"] if (one["substance"], one["station"]) == ("sodium", "M-1")]
    assert [(one["table"], one["from"], one["to"], one["standard_old"], one["standard_new"]) for one in flips] == [
        ("3", "attained", "not_attained", "20 mg/L", "110 mg/L")
    ]
    same = asked(capfd, "--law-on", "2025-06-01", "--site", backed)
    assert (same["flips"], same["unchanged"]) == ([], 10 + 9), "10 by the tables, 9 results of sodium by Table 3"


def test_indicators_of_another_set_stand_beside_it(backed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked_for = ["quality", "M-1", "--standards", str(backed.parent / "proposed.toml"), "--site", str(backed), "--json"]
    assert cli.run(asked_for) == 0
    (pal,) = json.loads(capfd.readouterr().out)["indicators"]["pals"]
    assert (pal["indicator"], pal["upper"]) == ("sodium", 110)
    (backed.parent / "proposed_indicators.csv").unlink()
    assert cli.run(asked_for) == 2
    assert "proposed_indicators.csv" in capfd.readouterr().err


def test_a_background_that_sets_no_pal_is_named(backed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    toml = backed / "site.toml"
    toml.write_text(toml.read_text("utf-8").replace("to = 2023-12-31", "to = 2023-05-31"), "utf-8")
    answer = asked(capfd, "--law-on", "2025-06-01", "--site", backed)
    assert {one["station"] for one in answer["without_indicator_pal"]} == {"M-1", "M-2"}
    assert all("M-2 has 5, 3 missing" in one["reason"] for one in answer["without_indicator_pal"])


def test_no_sample_is_of_the_future_and_an_old_one_is_older_than_the_text(
    site: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = site.parent / "late.csv"
    late = "9,M-1,2199-04-01,Routine,arsenic,12,,0.3,1.0,ug/L,"
    file.write_text("\n".join([*RESULTS.splitlines()[:2], late]) + "\n", "utf-8")
    assert cli.run(["quality", str(file), "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert {one["sampled"] for one in answer["verdicts"]} == {"2024-02-01"}
    (one,) = answer["not_judged"]
    assert (one["sampled"], "correct the date" in one["reason"]) == ("2199-04-01", True)
    assert answer["warnings"][-1].startswith("1 result was sampled before 2024-08-26")
