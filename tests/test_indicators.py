"""PALs of indicator parameters (NR 140.20) from background wells, worked by hand, through the check and the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.checks.groundwater_quality import check, terms_at
from models.checks.quality_setting import Setting
from models.checks.quality_station import beside
from models.errors import BadSite
from models.finding import Finding, transitions
from models.nr140.indicators import worth
from models.policy import default_policy
from models.question import Changed, Judged
from models.site import Site
from models.toml_file import validate
from pipelines import cli
from reports.finding_words import topic
from tests.record_in_memory import BEGAN, Record, ask, rule, site, well
from tests.situations import situations

IDENTIFIED = rule("howard.nr140.identified")
FIRST, LAST = date(2024, 1, 1), date(2025, 5, 31)
DAY, NIGHT = date(2025, 10, 28), date(2025, 12, 31)
STEP = timedelta(days=12)
MONITORING = well("MW-1", 2640, use="monitoring", in_application=True)
SODIUM = "20 40 40 40 50 50 70 90"
"""Mean 50, SD sqrt(3200/7) = 21.381: PAL 114.143 mg/L."""


def backed(wells: Sequence[str] = ("BG-1",), judged: Sequence[dict[str, Any]] = (MONITORING,), **more: Any) -> Site:
    """The made-up site with monitoring wells as background."""
    others = [well(id, 100 * (k + 1), use="monitoring") for k, id in enumerate(wells)]
    record = {"wells": list(wells), "from": FIRST, "to": LAST, **more}
    return site(well=[*judged, *others], background=[record])


def background(
    record: Record, at: str, texts: str, indicator: str = "sodium", unit: str = "mg/L", **facts: Any
) -> Record:
    """Results of one well, 12 days apart from 1 January 2024."""
    for k, text in enumerate(texts.split()):
        result(record, at, FIRST + k * STEP, text, indicator, unit, lod="1", loq="3", series=f"S:{k}", **facts)
    return record


def result(
    record: Record, at: str, day: date, text: str, indicator: str = "sodium", unit: str = "mg/L", lod: str = "0.5",
    loq: str = "1.6", series: str = "S:1", **facts: Any,
) -> Record:  # fmt: skip
    """One result; ``<1`` is not detected at the LOD 1, ``ND`` at the one given."""
    hidden = text.startswith("<") or text == "ND"
    marks = (*facts.pop("qualifiers", ()), *(("ND",) if hidden else ()))
    value, lod = ("ND", text.strip("<")) if text.startswith("<") else (text, lod)
    return record.result(at, indicator, day, value, unit, lod, loq, series=series, qualifiers=marks, **facts)


def judged(record: Record, at: Site, law: Any = IDENTIFIED, **question: Any) -> Judged:
    return check(law, ask(record, NIGHT, at=at, **question))


def table_3(answer: Judged) -> list[Finding]:
    return [one for one in answer.findings if one.facts.get("table") == "3"]


def shown(record: Record, at: Site, id: str = "MW-1") -> dict[str, Any]:
    one = next(each for each in at.well if each.id == id)
    found: dict[str, Any] = json.loads(
        json.dumps(
            beside(terms_at(IDENTIFIED, at, one, default_policy()), Setting(at, record, NIGHT, BEGAN), one),
            allow_nan=False,
        )
    )
    return found


# The limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("situation", situations("indicators.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    name, unit = situation["indicator"], situation["unit"]
    record = Record()
    for id, texts in situation["background"].items():
        background(record, id, texts, name, unit)
    lod, loq = situation.get("lod", ""), situation.get("loq", "")
    result(record, "MW-1", DAY, situation["result"], name, unit, lod, loq)
    answer = judged(record, backed(list(situation["background"])))
    if "lacks" in situation:
        assert table_3(answer) == []
        (one,) = [each for each in answer.findings if each.aspect == "background"]
        assert f"{one.station}: {one.reason}" == situation["lacks"]
        assert (one.verdict, one.facts["paragraph"]) == ("indeterminate", "140.20(1)")
        return
    (one,) = table_3(answer)
    said = (one.limit, one.status, one.verdict, one.facts["paragraph"])
    assert said == tuple(situation[key] for key in ("limit", "status", "verdict", "paragraph"))
    assert situation.get("method", "arithmetic mean") in next(e.says for e in one.evidence if e.line == "indicator PAL")
    assert (one.clause, one.facts["kind"], one.parameter) == ("2.09(3)(a)", "PAL", name)


@pytest.mark.parametrize(
    ("value", "status", "limit"),
    [
        ("100", "attained", "25.5 mg/L"), ("25.5", "attained", "25.5 mg/L"), ("25.4", "indeterminate", "25.5 mg/L"),
        ("25", "indeterminate", "25.5 mg/L"), ("24.9", "not_attained", "25 mg/L"), ("ND", "not_attained", "25 mg/L"),
    ],
)  # fmt: skip
def test_a_background_without_a_detect_sets_bounds(value: str, status: str, limit: str) -> None:
    """Eight times <0.5: the mean lies in 0 to 0.5, 3 SD under 0.81, so the PAL in 25 to 25.5 by the increase of 25."""
    record = background(Record(), "BG-1", " ".join(["<0.5"] * 8), "magnesium")
    result(record, "MW-1", DAY, value, "magnesium")
    answer = judged(record, backed())
    (one,) = table_3(answer)
    assert (one.status, one.limit) == (status, limit)
    says = next(line.says for line in one.evidence if line.line == "indicator PAL")
    assert says.startswith("PAL 25 to 25.5 mg/L: mean 0 to 0.5 of 8 results (8 not detected) at BG-1")
    assert not [each for each in answer.findings if each.aspect == "background"], "8 of 8 results are there"
    pal = shown(record, backed())["indicators"]["pals"][0]
    assert (pal["upper_least"], pal["upper"], pal["mean"]) == (25, 25.5, None)


def test_ammonia_is_tested_by_table_1_and_by_its_background() -> None:
    """Table 1 PAL 0.97, ES 9.7 mg/L; background mean 2 and SD 0, so PAL 2 + 2 = 4."""
    record = background(Record(), "BG-1", "2 2 2 2 2 2 2 2", "ammonia_as_n")
    result(record, "MW-1", DAY, "3", "ammonia_as_n", lod="0.01", loq="0.03")
    found = {one.aspect.partition(" [")[0]: one.status for one in judged(record, backed()).findings}
    assert found == {"PAL Table 1": "attained", "ES Table 1": "not_attained", "PAL Table 3": "not_attained"}


@given(
    number=st.decimals(min_value=-500, max_value=5000, places=5),
    beside=st.lists(st.decimals(min_value=-500, max_value=5000, places=4), max_size=4),
)
def test_a_printed_limit_stands_where_the_whole_one_does(number: Decimal, beside: list[Decimal]) -> None:
    short = worth(number, beside)
    assert [short.compare(one) for one in beside] == [number.compare(one) for one in beside]
    assert "E" not in str(short)
    assert abs(short - number) <= abs(number) / 1000


# What the background is ----------------------------------------------------------------------------------------------


def test_the_limit_names_its_background_and_every_row() -> None:
    record = background(Record(), "BG-1", SODIUM)
    result(record, "MW-1", DAY, "115")
    (one,) = table_3(judged(record, backed()))
    line = next(each for each in one.evidence if each.line == "indicator PAL")
    assert line.says == (
        "PAL 114.1 mg/L: mean 50 of 8 results at BG-1, 2024-01-01 to 2025-05-31 (arithmetic mean), and 3 SD, "
        "64.1 mg/L, which is no less than the increase of 10"
    )
    assert line.rows == tuple(f"1:{k}" for k in range(1, 9))
    assert (one.verification, one.facts["citation"]) == ("memory", "NR 140.20 Table 3")
    assert one.facts["point_of_standards_application"] is True
    assert one.facts["indicator_pal"]["governed_by"] == "standard deviation"


def test_an_outlier_is_shown_and_kept() -> None:
    """1 2 3 4 5 6 7 100: mean 16 with it, upper fence 12.5."""
    record = background(Record(), "BG-1", "1 2 3 4 5 6 7 100")
    result(record, "MW-1", DAY, "500")
    (one,) = table_3(judged(record, backed()))
    assert one.facts["indicator_pal"]["mean"] == 16.0
    (outlier,) = one.facts["indicator_pal"]["outliers"]
    assert outlier.startswith("BG-1 2024-03-25 100 (Tukey fence")
    assert f"standing apart and kept: {outlier}" in " ".join(line.says for line in one.evidence)


def test_the_site_says_how_non_detects_are_estimated() -> None:
    record = background(Record(), "BG-1", "<1 <1 2 2 3 4 4 6", "ammonia_as_n")
    result(record, "MW-1", DAY, "50", "ammonia_as_n")
    for censored, words in (("kaplan_meier", "Kaplan-Meier"), ("ros", "regression on order statistics")):
        (one,) = table_3(judged(record, backed(censored=censored)))
        assert words in one.facts["indicator_pal"]["method"]
        assert "8 results (2 not detected) at BG-1" in " ".join(line.says for line in one.evidence)


def test_regression_cannot_take_a_zero_and_says_so_instead_of_ending_the_night() -> None:
    record = background(Record(), "BG-1", "<1 <1 0 2 3 4 4 6", "ammonia_as_n")
    result(record, "MW-1", DAY, "50", "ammonia_as_n")
    answer = judged(record, backed(censored="ros"))
    assert table_3(answer) == []
    (one,) = [each for each in answer.findings if each.aspect == "background"]
    assert "state kaplan_meier" in one.reason


def test_only_results_of_the_period_count_its_two_ends_included() -> None:
    record = background(Record(), "BG-1", "10 10 10 10 10 10")
    for day, text in ((FIRST - timedelta(days=1), "900"), (LAST, "10"), (LAST + timedelta(days=1), "900")):
        result(record, "BG-1", day, text, series=f"S:{day}")
    result(record, "MW-1", DAY, "25")
    (lacking,) = [one for one in judged(record, backed()).findings if one.aspect == "background"]
    assert lacking.reason == "sodium 7 of 8 results, 1 missing"
    result(record, "BG-1", FIRST + timedelta(days=1), "10", series="S:more")
    (one,) = table_3(judged(record, backed()))
    assert (one.limit, one.verdict) == ("20 mg/L", "attained")


def test_rejected_blanks_and_a_second_result_of_one_sample_are_no_background() -> None:
    record = background(Record(), "BG-1", "10 10 10 10 10 10 10")
    result(record, "BG-1", date(2025, 5, 1), "900", series="S:r", qualifiers=("R",))
    result(record, "BG-1", date(2025, 5, 2), "900", series="S:b", activity="Field blank")
    result(record, "BG-1", FIRST, "900", series="T:0")
    result(record, "MW-1", DAY, "25")
    (one,) = [each for each in judged(record, backed()).findings if each.aspect == "background"]
    assert one.reason == "sodium 7 of 8 results, 1 missing"


def test_like_is_compared_with_like() -> None:
    """A field-filtered well is held against filtered background; the total results there do not count."""
    record = background(Record(), "BG-1", "10 10 10 10 10 10 10 10", fraction="dissolved")
    for k in range(8):
        result(record, "BG-1", FIRST + k * STEP, "900", series=f"T:{k + 100}", fraction="total")
    result(record, "MW-1", DAY, "25", fraction="dissolved")
    at = backed(judged=[{**MONITORING, "fraction": "dissolved"}])
    (one,) = table_3(judged(record, at))
    assert (one.facts["indicator_pal"]["mean"], one.verdict) == (10.0, "attained")


def test_a_background_result_without_number_or_limit_is_named_and_not_counted() -> None:
    record = background(Record(), "BG-1", "10 10 10 10 10 10 10 10")
    record.result("BG-1", "sodium", date(2025, 5, 1), "detected", "mg/L", series="S:x")
    result(record, "MW-1", DAY, "25")
    (one,) = table_3(judged(record, backed()))
    assert one.facts["indicator_pal"]["left_out"] == ["BG-1 2025-05-01 detected"]
    assert "not counted: BG-1 2025-05-01 detected" in " ".join(line.says for line in one.evidence)


def test_a_period_that_still_runs_says_that_the_limit_may_move() -> None:
    at = site(
        well=[MONITORING, well("BG-1", 100, use="monitoring", gradient="upgradient")],
        background=[{"wells": ["BG-1"], "from": FIRST, "to": date(2026, 12, 31)}],
    )
    record = background(Record(), "BG-1", "10 10 10 10 10 10 10 10")
    result(record, "MW-1", DAY, "25")
    (one,) = table_3(judged(record, at))
    assert "the background period runs to 2026-12-31: the PAL may move" in " ".join(line.says for line in one.evidence)


def test_wells_may_have_backgrounds_of_their_own() -> None:
    second = well("MW-2", 2000, use="monitoring", in_application=True)
    at = site(
        well=[MONITORING, second, well("BG-1", 100, use="monitoring"), well("BG-2", 200, use="monitoring")],
        background=[
            {"wells": ["BG-1"], "from": FIRST, "to": LAST, "judges": ["MW-1"]},
            {"wells": ["BG-2"], "from": FIRST, "to": LAST, "judges": ["MW-2"]},
        ],
    )
    record = background(background(Record(), "BG-1", "10 " * 8), "BG-2", "80 " * 8)
    for id in ("MW-1", "MW-2"):
        result(record, id, DAY, "25")
    found = {one.station: (one.limit, one.verdict) for one in table_3(judged(record, at))}
    assert found == {"MW-1": ("20 mg/L", "attained"), "MW-2": ("90 mg/L", "not_attained")}


# What is said, and how often -----------------------------------------------------------------------------------------


def test_missing_background_is_one_finding_for_a_well_however_many_results_wait() -> None:
    record = background(Record(), "BG-1", "20 40 40")
    background(record, "BG-1", "7 7 7 7 7", "ph", "SU")
    for k in range(5):
        result(record, "MW-1", DAY - k * STEP, "500", series=f"S:{k}")
        result(record, "MW-1", DAY - k * STEP, "3", "ph", "SU", "", "", series=f"S:{k}")
    answer = judged(record, backed())
    (one,) = answer.findings
    assert (one.station, one.parameter, one.ongoing, one.notable) == ("BG-1", "indicator_parameters", True, True)
    assert one.reason == "ph 5 of 8 results, 3 missing; sodium 3 of 8 results, 5 missing"
    assert topic([one], ask(record, NIGHT).law) == "background of indicator parameters"
    rows = shown(record, backed())
    assert {(row["nr140_status"], row["verdict"], row["standard"]) for row in rows["verdicts"]} == {
        ("indeterminate", "indeterminate", None)
    }
    assert len(rows["verdicts"]) == 10
    assert all("missing" in row["reason"] for row in rows["verdicts"])
    assert rows["indicators"]["verdict"] == "indeterminate"


def test_the_finding_ends_when_the_last_missing_result_is_there() -> None:
    record = background(Record(), "BG-1", "10 10 10 10 10 10 10")
    result(record, "MW-1", DAY, "25")
    before = judged(record, backed())
    late = FIRST + 7 * STEP
    result(record, "BG-1", late, "10", series="S:8")
    after = judged(record, backed(), changed=Changed({("BG-1", "sodium"): late}))
    changes = {
        change.finding.aspect: change.change for change in transitions(before.findings, after.findings, after.scopes)
    }
    assert changes == {"background": "ended", "PAL Table 3 [S:1]": "opened"}


def test_a_night_without_new_indicators_leaves_what_is_missing_standing() -> None:
    record = background(Record(), "BG-1", "10 10 10")
    result(record, "MW-1", DAY, "25")
    first = judged(record, backed())
    result(record, "MW-1", BEGAN, "11", "arsenic", "ug/L", "0.3", "1.0")
    again = judged(record, backed(), changed=Changed({("MW-1", "arsenic"): BEGAN}))
    changes = transitions(first.findings, again.findings, again.scopes)
    assert "background" not in {change.finding.aspect for change in changes}


def test_what_was_sampled_before_mining_began_asks_for_no_background() -> None:
    record = background(Record(), "BG-1", "10 10 10")
    result(record, "MW-1", BEGAN - timedelta(days=1), "25")
    assert judged(record, backed()).findings == ()


def test_two_samples_over_a_pal_confirm_each_other() -> None:
    record = background(Record(), "BG-1", SODIUM)
    for k, day in enumerate((DAY, DAY + timedelta(days=14))):
        result(record, "MW-1", day, "200", series=f"S:{k}")
    assert [one.facts["confirmation"] for one in table_3(judged(record, backed()))] == ["confirmed", "confirms"]


def test_background_of_indicators_nobody_sampled_is_not_asked_for() -> None:
    record = background(Record(), "BG-1", "10")
    result(record, "MW-1", DAY, "11", "arsenic", "ug/L", "0.3", "1.0")
    assert {one.parameter for one in judged(record, backed()).findings} == {"arsenic"}


def test_where_no_background_is_declared_nothing_is_found_and_one_line_says_so() -> None:
    record = result(Record(), "MW-1", DAY, "5000")
    at = site(well=[MONITORING])
    assert judged(record, at).findings == ()
    said = shown(record, at)
    assert (said["verdicts"], said["indicators"]["verdict"]) == ([], "not_applicable")
    assert "[[background]]" in said["indicators"]["reason"]


def test_a_clause_that_judges_no_pal_has_no_indicators() -> None:
    record = background(Record(), "BG-1", SODIUM)
    result(record, "MW-1", DAY, "500")
    law = IDENTIFIED.model_copy(update={"limits": ("ES",)})
    assert judged(record, backed(), law).findings == ()
    law = IDENTIFIED.model_copy(update={"substances": ("chloride",)})
    assert judged(record, backed(), law).findings == ()
    law = IDENTIFIED.model_copy(update={"substances": ("sodium",)})
    assert [one.parameter for one in judged(record, backed(), law).findings] == ["sodium"]


def test_a_ph_under_its_limit_is_not_called_over() -> None:
    record = background(Record(), "BG-1", "7 7 7 7 7 7 7 7", "ph", "SU")
    result(record, "MW-1", DAY, "5.9", "ph", "SU", "", "")
    (one,) = table_3(judged(record, backed()))
    assert topic([one], ask(record, NIGHT).law) == "pH beyond its PAL"
    assert one.reason == "at or beyond the limits 6 and 8 SU"


# Time ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("earlier", "before"), [("114.1", False), ("114.2", True)])
def test_a_pal_attained_before_the_mine_is_said_beside_the_verdict(earlier: str, before: bool) -> None:
    record = background(Record(), "BG-1", SODIUM)
    result(record, "MW-1", date(2025, 4, 29), earlier, series="S:0")
    result(record, "MW-1", DAY, "200")
    (one,) = table_3(judged(record, backed()))
    assert (one.verdict, one.attained_in_baseline, one.start) == ("attained", before, DAY)


def test_one_side_of_a_limit_attained_before_counts_for_both() -> None:
    record = background(Record(), "BG-1", "7 7 7 7 7 7 7 7", "ph", "SU")
    result(record, "MW-1", date(2025, 4, 29), "8.4", "ph", "SU", "", "", series="S:0")
    result(record, "MW-1", DAY, "5.9", "ph", "SU", "", "")
    (one,) = table_3(judged(record, backed()))
    assert one.attained_in_baseline is True


def test_a_late_background_result_judges_the_whole_record_of_every_well_again() -> None:
    """Seven tens and a 90: mean 20, SD sqrt(5600/7) = 28.28, PAL 104.9; 25 no longer attains it."""
    record = background(Record(), "BG-1", "10 " * 8)
    result(record, "MW-1", BEGAN, "25", series="S:a")
    result(record, "MW-1", DAY, "25", series="S:b")
    before = judged(record, backed())
    assert [one.verdict for one in table_3(before)] == ["attained", "attained"]
    result(record, "BG-1", LAST, "900", series="S:z")
    after = judged(record, backed(), changed=Changed({("BG-1", "sodium"): LAST}))
    assert [one.body() for one in after.findings] == [one.body() for one in judged(record, backed()).findings]
    changes = transitions(before.findings, after.findings, after.scopes)
    assert sorted(change.change for change in changes) == ["retracted", "retracted"]


def test_a_background_result_after_the_period_judges_nothing_again() -> None:
    record = background(Record(), "BG-1", "10 " * 8)
    result(record, "MW-1", DAY, "25")
    result(record, "BG-1", DAY, "25", series="S:z")
    assert judged(record, backed(), changed=Changed({("BG-1", "sodium"): DAY})).findings == ()


# The noun ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"wells": ["NO-1"]}, "no well called NO-1"),
        ({"judges": ["NO-1"]}, "no well called NO-1"),
        ({"wells": []}, "at least 1"),
        ({"wells": ["BG-1", "BG-1"]}, "named twice"),
        ({"to": date(2023, 12, 31)}, "to must not come before from"),
        ({"to": BEGAN}, "when mining began"),
        ({"censored": "half the limit"}, "kaplan_meier"),
    ],
)
def test_a_background_that_cannot_be_is_refused(change: dict[str, Any], says: str) -> None:
    record = {"wells": ["BG-1"], "from": FIRST, "to": LAST, **change}
    plain = site(well=[well("BG-1", 100, use="monitoring")]).model_dump(mode="python", by_alias=True)
    with pytest.raises(BadSite, match=says) as caught:
        validate(Site, {**plain, "background": [record]}, file="site.toml", error=BadSite)
    assert "background" in str(caught.value) or "well" in str(caught.value)


def test_two_backgrounds_for_one_well_are_refused() -> None:
    two = [{"wells": ["BG-1"], "from": FIRST, "to": LAST}, {"wells": ["BG-1"], "from": FIRST, "to": LAST}]
    with pytest.raises(ValueError, match="two backgrounds judge well BG-1"):
        site(well=[well("BG-1", 100, use="monitoring")], background=two)


def test_an_upgradient_well_may_be_background_since_mining_began() -> None:
    record = {"wells": ["BG-1"], "from": FIRST, "to": date(2026, 1, 1)}
    found = site(well=[well("BG-1", 100, use="monitoring", gradient="upgradient")], background=[record])
    assert found.background[0].last == date(2026, 1, 1)
    with pytest.raises(ValueError, match="upgradient or sidegradient"):
        site(well=[well("BG-1", 100, use="monitoring", gradient="downgradient")], background=[record])


# The command ---------------------------------------------------------------------------------------------------------


def test_the_command_prints_every_pal_and_its_verdicts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    toml = (Path(__file__).parents[1] / "pipelines" / "skeleton" / "site.toml").read_text(encoding="utf-8")
    wells = "".join(
        f'[[well]]\nid = "{id}"\nuse = "monitoring"\nposition = [{x}, 10.0]\nin_application = true\n'
        for id, x in (("M-1", 10.0), ("B-1", 20.0))
    )
    declared = '[[background]]\nwells = ["B-1"]\nfrom = 2024-01-01\nto = 2024-12-31\n'
    (tmp_path / "site.toml").write_text(f"{toml}\n{wells}\n{declared}", encoding="utf-8")
    lines = [f"{k},B-1,{FIRST + k * STEP},sodium,{text},0.5,1.6,mg/L" for k, text in enumerate(SODIUM.split())]
    lines.append("9,M-1,2025-10-28,sodium,114.2,0.5,1.6,mg/L")
    heads = "sample_id,station,date,parameter,result,lod,loq,unit"
    (tmp_path / "results.csv").write_text("\n".join([heads, *lines]) + "\n", encoding="utf-8")
    assert cli.run(["ingest", str(tmp_path / "results.csv"), "--site", str(tmp_path)]) == 0
    capfd.readouterr()
    assert cli.run(["quality", "M-1", "--site", str(tmp_path), "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    (row,) = [one for one in answer["verdicts"] if one["table"] == "3"]
    assert (row["standard_text"], row["verdict"], row["paragraph"]) == ("114.1 mg/L", "attained", "140.20(2)")
    assert answer["counts"]["attained"] == 1
    (pal,) = answer["indicators"]["pals"]
    assert (pal["status"], round(pal["upper"], 3)) == ("set", 114.143)
    assert cli.run(["quality", "M-1", "--site", str(tmp_path)]) == 0
    text = capfd.readouterr().out
    assert "Indicator parameters (NR 140.20)" in text
    assert "mean 50 of 8 results at B-1" in text
    assert "Context of the newest results that stand out" in text
