"""The same result from two agencies is one result with two sources; one that differs is two, and told.

The state's system and the Water Quality Portal report the same made-up samples under their own numbers, through the
real commands. What is right is read off the two files by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from models.checks.groundwater_quality import check
from models.checks.quality_disputes import disputed
from models.checks.quality_results import taken
from models.checks.quality_sources import one_each
from models.checks.quality_summary import summaries
from models.checks.quality_table import plain_terms, verdict_rows
from models.checks.quality_verdicts import verdicts
from models.finding import Finding, transitions
from models.question import StoredRow, stored_rows
from models.standards import law_of
from pipelines import cli
from sample_data import demo
from tests.http_source import WQP_COLUMNS
from tests.record_in_memory import COLUMNS, Record, ask, rule, site, well

Run = Callable[..., Any]
DAY = "2023-05-16"
HEADER = (
    "WI Unique Well #,County,Well Use,Well Status,Sample Collection Date,Storet Parameter Description,"
    "Storet Parameter Code,Sample Analytical Result Amount,Result Text,Units,Sample Analytical Qualifier,"
    "Enforcement Standard,Preventive Action Limit,HAL,HAL Units,LOD,LOQ,Labslip #/Sample ID,Sample Description,"
    "Lab Comments"
)
TERMS = plain_terms(law_of("nr140"))


def state(*rows: tuple[str, str, str], sample: str = "DNR-1", lod: str = "0.3", loq: str = "1.0") -> str:
    """A GRN export of ZZ902 (MW-2): (STORET code, amount, unit)."""
    lines = [
        f"ZZ902,CHIPPEWA,MONITORING,ACTIVE,05/16/2023,X,{code},{amount},,{unit},,999,99,,,{lod},{loq},{sample},,"
        for code, amount, unit in rows
    ]
    return "\n".join([HEADER, *lines]) + "\n"


def portal(*rows: tuple[str, str, str], activity: str = "WIDNR-77", at: str = "14:10:00") -> str:
    """A narrow result table of the same well: (characteristic, value, unit), of whole water."""
    lines = [",".join(WQP_COLUMNS)]
    for name, value, unit in rows:
        cells = dict.fromkeys(WQP_COLUMNS, "") | {
            "ActivityIdentifier": activity, "ActivityTypeCode": "Sample-Routine", "ActivityMediaName": "Water",
            "ActivityStartDate": DAY, "ActivityStartTime/Time": at,
            "ActivityStartTime/TimeZoneCode": "CDT" if at else "",
            "MonitoringLocationIdentifier": "ZZ902", "CharacteristicName": name, "ResultSampleFractionText": "Total",
            "ResultMeasureValue": value, "ResultMeasure/MeasureUnitCode": unit, "ResultStatusIdentifier": "Final",
        }  # fmt: skip
        lines.append(",".join(cells[column] for column in WQP_COLUMNS))
    return "\n".join(lines) + "\n"


@pytest.fixture
def quality(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Files one after another into the store of a site, and what its well MW-2 then says."""
    site = tmp_path / "site"
    demo.fresh_site(site)

    def command(*texts: str) -> Any:
        for text in texts:
            path = tmp_path / f"delivery-{len(list(tmp_path.iterdir()))}.csv"
            path.write_text(text, encoding="utf-8")
            assert cli.run(["ingest", str(path), "--site", str(site)]) == 0
        capfd.readouterr()
        assert cli.run(["quality", "MW-2", "--site", str(site), "--json"]) == 0
        return json.loads(capfd.readouterr().out)

    return command


def arsenic(answer: Any, kind: str = "PAL") -> list[dict[str, Any]]:
    return [one for one in answer["verdicts"] if (one["substance"], one["kind"]) == ("arsenic", kind)]


def test_one_result_by_two_agencies_counts_once_and_names_both(quality: Run) -> None:
    alone = quality(state(("1002", "1.2", "UG/L")))
    answer = quality(portal(("Arsenic", "1.2", "ug/L")))
    assert answer["counts"] == alone["counts"]
    (one,) = arsenic(answer)
    assert (one["nr140_status"], one["sample"], one["loq_text"]) == ("attained", "DNR-1", "1.0")
    assert len(one["row_ids"]) == 2
    (beside,) = answer["not_judged"]
    assert beside["sample"] == "WIDNR-77"
    assert beside["reason"] == f"the same result as {one['row_ids'][0]} of another source: judged once"
    assert beside["rows"] == [one["row_ids"][1]]


def test_the_unit_of_the_second_report_plays_no_part(quality: Run) -> None:
    answer = quality(state(("1002", "1.2", "UG/L")), portal(("Arsenic", "0.0012", "mg/L")))
    assert len(arsenic(answer)) == 1


def test_whichever_came_first_stands_and_takes_the_limits_of_the_other(quality: Run) -> None:
    """The portal's row states no limits: alone it needs confirmation, with the state's LOQ beside it it is attained."""
    first = quality(portal(("Arsenic", "1.2", "ug/L")))
    assert [one["nr140_status"] for one in arsenic(first)] == ["needs_confirmation"]
    (one,) = arsenic(quality(state(("1002", "1.2", "UG/L"))))
    assert (one["sample"], one["nr140_status"], one["loq_text"]) == ("WIDNR-77", "attained", "1.0")


@pytest.mark.parametrize("value", ["1.3", "1.20001"])
def test_a_result_that_differs_is_two_and_told(quality: Run, value: str) -> None:
    answer = quality(
        state(("1002", "1.2", "UG/L"), ("1055", "40", "UG/L")),
        portal(("Arsenic", value, "ug/L"), ("Manganese", "40", "ug/L")),
    )
    assert sorted(one["value_text"] for one in arsenic(answer)) == sorted(["1.2", value])
    told = [one for one in answer["warnings"] if "two sources" in one]
    assert len(told) == 1
    assert "1.2 ug/L" in told[0]
    assert f"{value} ug/L" in told[0]
    assert len([one for one in answer["verdicts"] if one["substance"] == "manganese" and one["kind"] == "ES"]) == 2
    assert all(len(one["row_ids"]) == 2 for one in answer["verdicts"] if one["substance"] == "manganese")


def test_two_samples_of_one_delivery_are_two(quality: Run) -> None:
    both = state(("1002", "1.2", "UG/L")) + state(("1002", "1.2", "UG/L"), sample="DNR-2").split("\n", 1)[1]
    assert len(arsenic(quality(both))) == 2


# The rule itself -----------------------------------------------------------------------------------------------------


def row(id: str, value: str = "1.2", **said: Any) -> dict[str, Any]:
    """One stored row: ``id`` is delivery:row, and its series is numbered by the order of the call."""
    facts = {"parameter": "arsenic", "unit": "ug/L", "clock": "day", "hour": 0, "flags": "", "fraction": "total"} | said
    sample = str(said.get("sample", id.partition(":")[0]))
    flags = f"{facts['flags']};fraction={facts['fraction']};sample={sample}"
    number = float(value) if value.replace(".", "").isdigit() else float("nan")
    day = date.fromisoformat(DAY)
    return dict(
        zip(
            COLUMNS,
            ("MW-2", facts["parameter"], "instant", f":{sample}", facts["unit"], facts["clock"],
             1_684_195_200_000 + round(facts["hour"] * 3_600_000), day, number, value, flags, id),
            strict=True,
        )
    )  # fmt: skip


def rows(*given: dict[str, Any]) -> Sequence[StoredRow]:

    return stored_rows(pd.DataFrame(list(given)))


def judged(*given: dict[str, Any]) -> list[str]:
    return [one.row.row_id for one in taken(TERMS, rows(*given))[0]]


NO_TWINS = {
    "one delivery": row("a:2"),
    "another substance": row("b:1", parameter="lead"),
    "another fraction": row("b:1", fraction="dissolved"),
    "no stated fraction": row("b:1", fraction=""),
    "rejected by the other": row("b:1", flags=":R"),
    "a field duplicate": row("b:1", flags=";activity=Field duplicate"),
    "another LOQ": row("b:1", flags=";loq=2"),
    "not detected": row("b:1", "ND", flags=":ND;lod=1.2"),
}


@pytest.mark.parametrize("other", NO_TWINS.values(), ids=NO_TWINS)
def test_what_is_not_the_same_result(other: dict[str, Any]) -> None:
    said = one_each(rows(row("a:1", flags=";loq=1"), other), [0, 1], ["a", "b"], ())
    assert said.twins == ()


def test_two_moments_of_a_day_are_two_and_a_day_is_any_moment() -> None:
    timed = row("a:1", clock="utc", hour=15)
    assert len(judged(timed, row("b:1", clock="utc", hour=15))) == 1
    assert len(judged(timed, row("b:1", clock="utc", hour=16))) == 2
    assert len(judged(timed, row("b:1"))) == 1


def test_non_detects_are_the_same_below_the_same_limit() -> None:
    seen = row("a:1", "ND", flags=":ND;lod=0.3;loq=1")
    assert len(judged(seen, row("b:1", "<0.3", flags=":<;limit=0.3;limit_is=lod"))) == 1
    assert len(judged(seen, row("b:1", "<1", flags=":<;limit=1;limit_is=rl"))) == 2


def test_a_third_agency_joins_the_first() -> None:
    found = verdicts(TERMS, rows(row("a:1"), row("b:1"), row("c:1")))
    assert {one.rows for one in found.shown()} == {("a:1", "b:1", "c:1")}
    assert len(found.not_judged()) == 2


def test_each_of_two_samples_finds_its_own() -> None:
    """Two samples of one day in each delivery, alike in lead: each copy belongs to one."""
    lead = {"parameter": "lead", "value": "0.5"}
    given = [row("a:1", sample="a1"), row("a:2", sample="a1", **lead), row("a:3", "2.2", sample="a2")]
    given += [row("a:4", sample="a2", **lead), row("b:1", "2.2", sample="b2"), row("b:2", sample="b2", **lead)]
    given += [row("b:3", sample="b1"), row("b:4", sample="b1", **lead)]
    assert sorted(judged(*given)) == ["a:1", "a:2", "a:3", "a:4"]


def test_two_results_of_one_delivery_are_no_dispute() -> None:
    timed = {"clock": "utc", "hour": 15}
    given = [row("a:1", sample="a1", **timed), row("a:2", "2.2", sample="a2", **timed), row("b:1", "3.3", **timed)]
    said = one_each(rows(*given), [0, 1, 2], ["a1", "a2", "b"], ())
    assert [tuple(one) for one in said.disputes] == [(0, 2), (1, 2)]


NITRATE = {"parameter": "nitrate_as_n", "unit": "mg/L"}
NITRITE = {"parameter": "nitrite_as_n", "unit": "mg/L"}
LIMITS = ";lod=0.1;loq=0.3"


def sums(*given: dict[str, Any]) -> list[tuple[str, str]]:

    told, _ = verdict_rows(TERMS, pd.DataFrame(list(given)))
    return [
        (one["value_text"], one["nr140_status"])
        for one in told
        if one["substance"] == "nitrate_nitrite_as_n" and one["kind"] == "ES"
    ]


def test_a_sum_is_made_of_both_deliveries_where_the_sample_is_one() -> None:
    """Nitrate by both, nitrite by the second alone: 9.5 and 0.6 make 10.1 once."""
    given = [row("a:1", "9.5", flags=LIMITS, **NITRATE), row("b:1", "9.5", flags=LIMITS, **NITRATE)]
    assert sums(*given, row("b:2", "0.6", flags=LIMITS, **NITRITE)) == [("10.1", "attained")]


def test_each_sample_keeps_its_sum_where_two_differ() -> None:
    """Nitrite alike, nitrate not: 9.1 + 0.6 and 9.5 + 0.6, of which the second attains 10."""
    given = [row("a:1", "9.1", flags=LIMITS, **NITRATE), row("a:2", "0.6", flags=LIMITS, **NITRITE)]
    given += [row("b:1", "9.5", flags=LIMITS, **NITRATE), row("b:2", "0.6", flags=LIMITS, **NITRITE)]
    assert sorted(sums(*given)) == [("10.1", "attained"), ("9.7", "not_attained")]


def test_a_later_series_never_takes_the_place_of_the_first() -> None:
    """The order of ids says nothing of which was known first."""
    first, later = rows(row("z:1") | {"series_id": 1}, row("a:1") | {"series_id": 2})
    for order in ([first, later], [later, first]):
        (kept,), aside = taken(TERMS, order)
        assert kept.row.row_id == "z:1"
        assert [one.rows for one in aside] == [("a:1",)]


# Confirm, never clear -------------------------------------------------------------------------------------------------

LOW, MIDDLE, HIGH = ";lod=0.5;loq=1.5", ";lod=5;loq=20", ";lod=15;loq=30"
TIMED = {"clock": "utc", "hour": 15}


def standing(*given: dict[str, Any]) -> list[tuple[str, str]]:
    """Value and ES status (arsenic: 10 ug/L) of every result that is judged."""
    told, _ = verdict_rows(TERMS, pd.DataFrame(list(given)))
    return sorted((one["value_text"], one["nr140_status"]) for one in told if one["kind"] == "ES")


def told_of(*given: dict[str, Any]) -> list[str]:
    return disputed(verdicts(TERMS, rows(*given)).rows)


def known(*given: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows as they came to be known, one after another."""
    return [one | {"series_id": k} for k, one in enumerate(given)]


@pytest.mark.parametrize(("limits", "of_the_other"), [(MIDDLE, "below_loq"), (HIGH, "not_attained")])
def test_limits_of_a_second_source_never_make_less_of_a_detect(limits: str, of_the_other: str) -> None:
    """12 without limits is to be confirmed; an LOQ of 20, or an LOD of 15, of another source is told beside it."""
    given = [row("a:1", "12", **TIMED), row("b:1", "12", flags=limits, **TIMED)]
    for order in permutations(given):
        assert standing(*known(*order)) == [("12", s) for s in sorted(["needs_confirmation", of_the_other])]
        (line,) = told_of(*known(*order))
        assert "both are judged" in line


def test_limits_that_leave_it_quantified_complete_it_whichever_came_first() -> None:
    given = [row("a:1", "12", **TIMED), row("b:1", "12", flags=LOW, **TIMED)]
    for order in permutations(given):
        assert standing(*known(*order)) == [("12", "attained")]
        assert told_of(*known(*order)) == []


def test_of_three_sources_none_is_lost_whatever_their_order() -> None:
    given = [row("a:1", "12", **TIMED), row("b:1", "12", flags=MIDDLE, **TIMED), row("c:1", "12", flags=LOW, **TIMED)]
    for order in permutations(given):
        assert standing(*known(*order)) == [("12", "attained"), ("12", "below_loq")]
        (line,) = told_of(*known(*order))
        assert "LOQ 20" in line
        assert "LOQ 1.5" in line


def test_a_non_detect_without_limits_hides_no_raised_limit() -> None:
    """Below 20 a detect over 10 may hide, whether or not another source says ND without a limit."""
    raised = row("b:1", "<20", flags=":<;limit=20;limit_is=rl")
    for order in permutations([row("a:1", "ND", flags=":ND"), raised]):
        assert standing(*known(*order)) == [("<20" if order[0] is raised else "ND", "indeterminate")]
        assert told_of(*known(*order)) == []
    for order in permutations([row("a:1", "ND", flags=f":ND{LOW}"), raised]):
        assert standing(*known(*order)) == [("<20", "indeterminate"), ("ND", "not_attained")]
        assert len(told_of(*known(*order))) == 1


def test_an_loq_of_another_source_does_not_lower_a_raised_limit() -> None:
    """ND at 15 over an LOD of 0.5 was raised; an LOQ of 20 beside it would read as if the LOD were reached."""
    raised = row("a:1", "<15", flags=":U;limit=15;limit_is=rl;lod=0.5")
    for order in permutations([raised, row("b:1", "<15", flags=":<;limit=15;limit_is=rl;loq=20")]):
        assert "indeterminate" in {status for _, status in standing(*known(*order))}


def test_a_third_source_that_differs_is_told() -> None:
    third = row("c:1", "9", flags=LOW, **TIMED)
    given = [row("a:1", "12", flags=LOW, **TIMED), row("b:1", "12", flags=LOW, **TIMED), third]
    for order in permutations(given):
        assert standing(*known(*order)) == [("12", "attained"), ("9", "not_attained")]
        assert len(told_of(*known(*order))) == 1


def test_results_of_a_day_that_differ_are_told() -> None:
    assert len(told_of(row("a:1", "12", flags=LOW), row("b:1", "9", flags=LOW))) == 1
    apart = [row("a:1", "12", flags=LOW, **TIMED), row("b:1", "9", flags=LOW, clock="utc", hour=19)]
    assert told_of(*apart) == []


def test_what_one_source_rejects_stands_and_is_told() -> None:
    given = [row("a:1", "12", flags=LOW, **TIMED), row("b:1", "12", flags=f":R{LOW}", **TIMED)]
    for order in permutations(given):
        assert standing(*known(*order)) == [("12", "attained")]
        (line,) = told_of(*known(*order))
        assert "rejects" in line


@pytest.mark.parametrize("mark", ["doubted-in-text", "ZQX"])
def test_what_a_word_beside_it_leaves_open_stands_for_no_sure_result(mark: str) -> None:
    given = [row("a:1", "12", flags=LOW, **TIMED), row("b:1", "12", flags=f":{mark}{LOW}", **TIMED)]
    for order in permutations(given):
        assert standing(*known(*order)) == [("12", "attained"), ("12", "needs_confirmation")]
        assert len(told_of(*known(*order))) == 1


def test_what_is_not_judged_stands_for_nothing() -> None:
    """A suspended part is not judged, and neither is an ND at a limit of zero: neither takes a result away."""
    for aside in (row("a:1", "12", fraction="Suspended"), row("a:1", "ND", flags=":ND,limit-not-positive")):
        kept = row("b:1", aside["value_text"], fraction="" if aside["value_text"] == "12" else "total", flags=LOW)
        kept |= {"flags": kept["flags"].replace(";", ":ND;", 1)} if aside["value_text"] == "ND" else {}
        assert judged(*known(aside, kept)) == ["b:1"]


def test_two_samples_of_a_laboratory_are_two_in_one_file_or_in_two() -> None:
    for second in ("a:2", "b:1"):
        given = [row("a:1", "12", sample="A1", flags=LOW), row(second, "12", sample="A2", flags=LOW)]
        assert standing(*given) == [("12", "attained")] * 2
        assert ["perhaps one sample" in one for one in told_of(*given)] == [True] * (second == "b:1")


def test_another_agencys_copies_of_two_samples_are_still_two() -> None:
    own = [row(f"{k}:1", "12", sample=f"A{k}", flags=LOW) for k in (1, 2)]
    copies = [row(f"p:{k}", "12", sample=f"WIDNR-{k}", flags=LOW) for k in (1, 2)]
    for order in permutations([*own, *copies]):
        assert standing(*known(*order)) == [("12", "attained")] * 2


PERHAPS = {
    "a minute later": (row("b:1", "12", clock="utc", hour=15 + 1 / 60), "two times"),
    "an hour later": (row("b:1", "12", clock="utc", hour=16), "two times"),
    "a fraction left open": (row("b:1", "12", fraction="", **TIMED), "fraction"),
}


@pytest.mark.parametrize(("other", "why"), PERHAPS.values(), ids=PERHAPS)
def test_what_may_be_one_sample_is_two_and_told(other: dict[str, Any], why: str) -> None:
    first = row("a:1", "12", flags=LOW, **TIMED)
    assert len(standing(first, other)) == 2
    (line,) = told_of(first, other)
    assert why in line
    assert "perhaps one sample" in line
    assert told_of(first, other | {"row_id": "a:2"}) == []


def test_nitrate_as_two_forms_by_two_sources_is_told() -> None:
    """12 mg/L of nitrogen is 53.1 mg/L of nitrate (62.005 / 14.007)."""
    own = row("a:1", "12", **NITRATE, **TIMED)
    as_ion = {"parameter": "nitrate_as_no3", "unit": "mg/L"}
    (line,) = told_of(own, row("b:1", "53.12", **as_ion, **TIMED))
    assert "two forms" in line
    both = [own, row("a:2", "53.12", **as_ion, **TIMED), row("b:1", "12", **NITRATE, **TIMED)]
    assert told_of(*both, row("b:2", "53.12", **as_ion, **TIMED)) == []


def test_a_night_just_over_midnight_is_told() -> None:
    night = row("b:1", "12", clock="utc", hour=26) | {"day": date(2023, 5, 17)}
    assert len(told_of(row("a:1", "12", clock="utc", hour=20), night)) == 1
    assert told_of(row("a:1", "12", clock="utc", hour=10), night) == []


EDD = "station,sample_id,sampled,parameter,fraction,result,unit,lod,loq,qualifier\n"


def test_a_laboratorys_watch_and_an_agencys_zone_are_one_moment_in_summer(quality: Run) -> None:
    """14:10 of a sampler's watch in May is 14:10 CDT, though the well's logger stays on UTC-06:00."""
    own = EDD + f"MW-2,A1,{DAY} 14:10,Arsenic,Total,1.2,ug/L,0.3,1,\n"
    answer = quality(own, portal(("Arsenic", "1.2", "ug/L")))
    (one,) = arsenic(answer)
    assert len(one["row_ids"]) == 2
    assert not [line for line in answer["warnings"] if "two sources" in line]


@pytest.mark.parametrize(("at", "zone", "one"), [("13:10:00", "CST", True), ("14:10:00", "CST", False)])
def test_standard_time_all_year_is_the_moment_that_it_states(quality: Run, at: str, zone: str, one: bool) -> None:
    """13:10 CST is 14:10 of a watch in May; 14:10 CST is an hour later: two results, and told."""
    own = EDD + f"MW-2,A1,{DAY} 14:10,Arsenic,Total,1.2,ug/L,0.3,1,\n"
    answer = quality(own, portal(("Arsenic", "1.2", "ug/L"), at=at).replace("CDT", zone))
    assert len(arsenic(answer)) == (1 if one else 2)
    assert ["at two times" in line for line in answer["warnings"] if "two sources" in line] == [True] * (not one)


def test_laboratories_that_split_a_sample_are_two_results_however_alike(quality: Run) -> None:
    """Two files of one format: no state and no portal, so their unlike numbers are two samples."""
    mine = EDD + f"MW-2,NORTH-9,{DAY} 14:10,Arsenic,Total,12,ug/L,0.3,1,\n"
    theirs = EDD + f"MW-2,S23/0045/b,{DAY} 14:10,Arsenic,Total,12,ug/L,0.3,1,\n"
    answer = quality(mine, theirs)
    assert [one["nr140_status"] for one in arsenic(answer, "ES")] == ["attained"] * 2
    (line,) = [one for one in answer["warnings"] if "two sources" in one]
    assert "two files of one format: perhaps one sample" in line


@pytest.mark.parametrize(
    ("own", "theirs", "n"),
    [
        ("2023-05-20", "2023-05-22", 2), ("2023-05-20T09:00:00", "2023-05-20T11:00:00", 2), ("2023-05-20", "", 1),
        ("2023-05-20", "2023-05-20T11:00:00", 1), ("2023-05-20T09:00:00", "20230520T0900", 1),
    ],
)  # fmt: skip
def test_what_was_analysed_at_two_times_was_found_twice(own: str, theirs: str, n: int) -> None:
    given = [row("a:1", "12", flags=f"{LOW};analysed={own}"), row("b:1", "12", flags=f"{LOW};analysed={theirs}")]
    for order in permutations(given):
        assert len(judged(*known(*order))) == n
        assert ["analysed at two times" in line for line in told_of(*known(*order))] == [True] * (n - 1)


@pytest.mark.parametrize(
    ("own", "theirs", "n"),
    [
        (("1.0", "ug/L"), ("1.00", "ug/L"), 1), (("12.3", "ug/L"), ("0.0123", "mg/L"), 1),
        (("12.3", "ug/L"), ("0.012", "mg/L"), 2), (("0.0123", "mg/L"), ("0.012", "mg/L"), 2),
    ],
)  # fmt: skip
def test_zeros_and_units_say_nothing_and_a_rounded_number_is_another(
    own: tuple[str, str], theirs: tuple[str, str], n: int
) -> None:
    """What one of two rounded is not known to be the other: both are judged, and told."""
    given = [row(f"{id}:1", value, unit=unit) for id, (value, unit) in (("a", own), ("b", theirs))]
    for order in permutations(given):
        assert len(judged(*known(*order))) == n
        assert len(told_of(*known(*order))) == n - 1


@pytest.mark.parametrize("order", ["own portal corrected", "portal own corrected", "own corrected portal"])
def test_what_one_agency_corrects_and_the_other_does_not_is_told(quality: Run, order: str) -> None:
    """12 is over the ES of 10 and 2 is not: neither clears the other, whichever came when."""
    texts = {
        "own": state(("1002", "12", "UG/L")), "corrected": state(("1002", "2", "UG/L")),
        "portal": portal(("Arsenic", "12", "ug/L")),
    }  # fmt: skip
    answer = quality(*(texts[name] for name in order.split()))
    assert {one["sample"]: one["verdict"] for one in arsenic(answer, "ES")} == {
        "DNR-1": "not_attained", "WIDNR-77": "needs_confirmation",
    }  # fmt: skip
    (line,) = [one for one in answer["warnings"] if "two sources" in one]
    assert "2 ug/L" in line
    assert "12 ug/L" in line
    reasons = {one["sample"]: one["reason"] for one in arsenic(answer, "ES")}
    assert "another source states 12 ug/L" in reasons["DNR-1"]
    assert "another source states 2 ug/L (LOD 0.3, LOQ 1.0)" in reasons["WIDNR-77"]


def test_a_result_of_two_agencies_is_one_of_its_statistics() -> None:
    """Three samples of 4, 10 and 16: the mean is 10 however often they are reported."""
    alone = [
        row(f"a:{k}", value, sample=f"A{k}", flags=LOW, hour=30 * 24 * k) for k, value in enumerate(("4", "10", "16"))
    ]
    alone = [one | {"day": date(2023, 5, 16) + timedelta(days=30 * k)} for k, one in enumerate(alone)]
    again = [one | {"row_id": f"b:{k}", "flags": one["flags"].replace("sample=A", "sample=W-"), "series": f":W-{k}"}
             for k, one in enumerate(alone)]  # fmt: skip
    for given in (alone, [*alone, *again]):
        (told,) = summaries(TERMS, rows(*given))
        assert (told.n, told.n_detected, told.mean) == (3, 3, (10, 10))
        confirming = verdicts(TERMS, rows(*given)).shown()
        assert [str(one.confirms) for one in confirming if one.standard.kind == "ES"] == ["None", "None", "2023-06-15"]


# Told in the finding --------------------------------------------------------------------------------------------------


def findings(*given: dict[str, Any]) -> dict[str, Finding]:
    """ES findings of MW-2 by the series of their result; sums too."""
    record = Record(table=list(given))
    at = site(well=[well("MW-2", 2640, use="monitoring", in_application=True)])
    late = [one | {"day": date(2025, 10, 28), "time_ms": one["time_ms"] + 77_760_000_000} for one in record.table]
    found = check(rule("howard.nr140.identified"), ask(Record(table=late), date(2025, 12, 31), at=at)).findings
    return {one.aspect.removeprefix("ES Table 1 "): one for one in found if one.aspect.startswith("ES Table 1 ")}


def of_another(one: Finding) -> list[tuple[str, tuple[str, ...]]]:
    return [(line.bearing, line.rows) for line in one.evidence if line.line == "another source"]


def test_a_finding_on_a_disputed_result_says_what_the_other_source_states() -> None:
    first, other = row("a:1", "12", flags=LOW, **TIMED), row("b:1", "0.009", unit="mg/L", **TIMED)
    alone, both = findings(first), findings(first, other)
    assert "another source" not in alone["[:a]"].reason
    assert "another source states 0.009 mg/L: ask which is right" in both["[:a]"].reason
    assert "another source states 12 ug/L (LOD 0.5, LOQ 1.5): ask which is right" in both["[:b]"].reason
    assert (of_another(both["[:a]"]), of_another(both["[:b]"])) == (
        [("against", ("b:1",))], [("against", ("a:1",))],
    )  # fmt: skip
    changes = {one.finding.aspect: one.change for one in transitions([alone["[:a]"]], [both["[:a]"]], ())}
    assert changes == {"ES Table 1 [:a]": "amended"}, "people are told that it is disputed"


def test_a_finding_that_another_source_rejects_says_so() -> None:
    found = findings(row("a:1", "12", flags=LOW, **TIMED), row("b:1", "12", flags=f":R{LOW}", **TIMED))
    assert set(found) == {"[:a]"}
    assert "and rejects it or may" in found["[:a]"].reason


def test_two_findings_of_perhaps_one_sample_say_so_and_nobody_is_told_anew() -> None:
    first, later = row("a:1", "12", flags=LOW, **TIMED), row("b:1", "12", flags=LOW, clock="utc", hour=16)
    alone, both = findings(first), findings(first, later)
    assert "perhaps one sample, counted twice" in both["[:a]"].reason
    assert of_another(both["[:a]"]) == [("context", ("b:1",))]
    assert [one.change for one in transitions([alone["[:a]"]], [both["[:a]"]], ())] == ["continued"]


@pytest.mark.parametrize(("member", "value"), [(NITRATE, "9.5"), (NITRITE, "0.9")])
def test_a_sum_says_that_a_member_is_disputed(member: dict[str, Any], value: str) -> None:
    given = [row("a:1", "9.1", flags=LIMITS, **NITRATE), row("a:2", "0.6", flags=LIMITS, **NITRITE)]
    found = findings(*given, row("b:1", value, flags=LIMITS, **member))
    assert f"another source states {value} mg/L" in found["[sum a]"].reason


def test_which_of_two_that_differ_came_first_changes_no_word() -> None:
    given = [row("b:1", "12", flags=LOW), row("a:1", "9", flags=LOW), row("c:1", "9", flags=LOW)]
    told = {tuple(told_of(*known(*order))) for order in permutations(given)}
    assert len(told) == 1
    assert "9 ug/L (LOD 0.5, LOQ 1.5, a:1 c:1) and 12 ug/L (LOD 0.5, LOQ 1.5, b:1)" in str(told)


SAID = st.tuples(
    st.sampled_from(["12", "9", "ND"]), st.sampled_from(["", LOW, ";lod=0.6;loq=1.5", MIDDLE, HIGH, ";loq=1.5"]),
    st.sampled_from([{}, TIMED, {"clock": "utc", "hour": 19}]), st.sampled_from("abc"),
    st.sampled_from(["A1", "A2", "W-1", "W-2"]), st.sampled_from(["total", ""]),
)  # fmt: skip


def _key(said: tuple[Any, ...]) -> tuple[object, ...]:
    """What a store holds once: series and time."""
    return repr(said[2]), said[4], said[5]


@drawn(st.lists(SAID, min_size=2, max_size=6, unique_by=_key), st.randoms())
def test_order_of_arrival_changes_no_verdict_and_a_further_source_clears_none(
    said: list[tuple[str, str, dict[str, Any], str, str, str]], chance: Random
) -> None:
    """Statuses are the same in any order; the gravest of them is no milder than the gravest row alone."""
    given = [
        row(f"{source}:{k}", value, flags=(":ND" * (value == "ND")) + limits, sample=sample, fraction=fraction, **at)
        for k, (value, limits, at, source, sample, fraction) in enumerate(said)
    ]
    statuses = sorted(status for _, status in standing(*known(*given)))
    shuffled = chance.sample(given, len(given))
    assert sorted(status for _, status in standing(*known(*shuffled))) == statuses
    assert told_of(*known(*shuffled)) == told_of(*known(*given))
    graver = ["not_attained", "below_loq", "indeterminate", "needs_confirmation", "attained"]
    alone = [status for one in given for _, status in standing(one)]
    assert max(map(graver.index, statuses)) >= max(map(graver.index, alone))


NITROGEN = st.tuples(
    st.sampled_from([NITRATE, NITRITE]), st.sampled_from(["9.5", "0.6"]), st.sampled_from("abc"),
    st.sampled_from(["A1", "A2"]), st.sampled_from([{}, TIMED]),
)  # fmt: skip


def _member(said: tuple[Any, ...]) -> tuple[object, ...]:
    return said[0]["parameter"], said[2], said[3]


@drawn(st.lists(NITROGEN, min_size=3, max_size=8, unique_by=_member), st.randoms())
def test_order_of_arrival_changes_no_sum(said: list[tuple[Any, str, str, str, dict[str, Any]]], chance: Random) -> None:
    """Samples of one number in each delivery: whatever joins them, results and sums are the same in any order."""
    given = [
        row(f"{source}:{k}", value, sample=f"{sample}{source}", flags=LIMITS, **what, **at)
        for k, (what, value, source, sample, at) in enumerate(said)
    ]
    assert standing(*known(*given)) == standing(*known(*chance.sample(given, len(given))))


def test_a_copy_that_is_of_two_samples_of_one_delivery_is_neither() -> None:
    """Nitrate as in the one, nitrite as in the other: 9.5 + 0.7, 3.0 + 0.6 and 9.5 + 0.6 stay three samples."""
    given = [row("a:1", "9.5", sample="A1", flags=LIMITS, **NITRATE), row("b:1", "9.5", flags=LIMITS, **NITRATE)]
    given += [row("a:2", "0.7", sample="A1", flags=LIMITS, **NITRITE), row("b:2", "0.6", flags=LIMITS, **NITRITE)]
    given += [row("a:3", "3.0", sample="A2", flags=LIMITS, **NITRATE)]
    given += [row("a:4", "0.6", sample="A2", flags=LIMITS, **NITRITE)]
    for order in (given, given[::-1]):
        assert sorted(sums(*known(*order))) == [("10.1", "attained"), ("10.2", "attained"), ("3.6", "not_attained")]


def test_a_third_delivery_joins_where_the_first_lacks_a_member() -> None:
    """Nitrate by all three, nitrite by the second and third: one sample, one sum of 10.1, whichever came first."""
    given = [row(f"{source}:1", "9.5", flags=LIMITS, **NITRATE) for source in "abc"]
    given += [row(f"{source}:2", "0.6", flags=LIMITS, **NITRITE) for source in "bc"]
    for order in permutations(given):
        assert sums(*known(*order)) == [("10.1", "attained")]
        assert len(judged(*known(*order))) == 2
