"""Results of one well judged together: sums, forms, fractions, second samples, alternative limits, and no ordinance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.alternative_limit import AlternativeLimit
from models.checks.groundwater_quality import check, terms_at
from models.checks.quality_comparison import Comparison
from models.checks.quality_judgement import Judgement, judge
from models.checks.quality_results import Terms
from models.checks.quality_table import plain_terms
from models.checks.standards_application import application
from models.errors import BadSite, BadUnit
from models.evaluate import findings
from models.finding import Finding
from models.fractions import fraction_of
from models.nr140.alternatives import with_alternatives
from models.nr140.confirmation import sign_test, statistically_above
from models.policy import default_policy
from models.question import Changed, stored_rows
from models.rules import Ordinance, read_ordinance
from models.site import Site
from models.standards import Standards, law_of
from pipelines import excerpt
from pipelines.site_folder import SiteFolder
from tests.record_in_memory import BEGAN, Record, ask, rule, site, well
from tests.situations import situations

NR140 = law_of("nr140")
PLAIN = plain_terms(NR140)
IDENTIFIED = rule("howard.nr140.identified")
DAY = date(2025, 10, 28)
MONITORING = well("MW-1", 2640, use="monitoring", in_application=True)


def result(record: Record, substance: str, value: str, unit: str, lod: str = "", loq: str = "", **facts: Any) -> Record:
    """One result of well MW-1 on one day; ``ND`` is not detected at the LOD."""
    marks = (*facts.pop("qualifiers", ()), *(("ND",) if value == "ND" else ()))
    day = facts.pop("day", DAY)
    series = facts.pop("series", facts.get("sample", ""))
    return record.result("MW-1", substance, day, value, unit, lod, loq, qualifiers=marks, series=series, **facts)


def judged(record: Record, terms: Terms = PLAIN) -> Judgement:
    return judge(terms, stored_rows(record.rows(["MW-1"], terms.law.parameters, None, None)))


def statuses(answer: Judgement, substance: str) -> dict[str, str]:
    """NR 140 status by kind of standard; each kind once."""
    found = [one for one in answer.comparisons if one.standard.parameter == substance]
    assert len({one.standard.name() for one in found}) == len(found)
    return {one.standard.kind: one.nr140.status for one in found}


# Sums and forms ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("situation", situations("sums.toml"))
def test_sum(situation: dict[str, Any]) -> None:
    record = Record()
    for substance, value, unit, lod, loq in situation["parts"]:
        result(record, substance, value, unit, lod, loq, sample="S1")
    answer = judged(record)
    sums = [one for one in answer.comparisons if one.standard.parameter == situation["sum"]]
    assert {one.standard.kind: one.nr140.status for one in sums} == {kind: situation[kind] for kind in ("PAL", "ES")}
    assert {one.measured for one in sums} == {situation.get("measured", sums[0].measured)}


def test_only_results_of_one_sample_are_added() -> None:
    record = Record()
    result(record, "nitrate_as_n", "9.7", "mg/L", "0.02", "0.06", sample="A")
    result(record, "nitrite_as_n", "0.5", "mg/L", "0.02", "0.06", sample="B")
    result(record, "nitrite_as_n", "0.5", "mg/L", "0.02", "0.06", sample="A", day=DAY + timedelta(days=1))
    sums = [one for one in judged(record).comparisons if one.standard.parameter == "nitrate_nitrite_as_n"]
    assert {one.missing for one in sums} == {("nitrite_as_n",), ("nitrate_as_n",)}
    assert not any(one.result.value == Decimal("10.2") for one in sums)


def test_a_reported_total_beats_the_sum_and_a_sum_that_differs_stands_beside_it() -> None:
    record = Record()
    result(record, "nitrate_nitrite_as_n", "9.8", "mg/L", "0.02", "0.06", sample="A")
    result(record, "nitrate_as_n", "10.1", "mg/L", "0.02", "0.06", sample="A")
    result(record, "nitrite_as_n", "0.2", "mg/L", "0.02", "0.06", sample="A")
    answer = judged(record)
    assert statuses(answer, "nitrate_nitrite_as_n") == {"PAL": "attained", "ES": "not_attained"}
    (beside,) = answer.shown
    assert (beside.value_text, beside.parameter) == ("10.3", "nitrate_nitrite_as_n")
    assert "the reported total is 9.8" in beside.reason


def test_a_total_that_the_parts_make_needs_no_word() -> None:
    record = Record()
    result(record, "nitrate_nitrite_as_n", "9.8", "mg/L", "0.02", "0.06", sample="A")
    result(record, "nitrate_as_n", "9.7", "mg/L", "0.02", "0.06", sample="A")
    result(record, "nitrite_as_n", "ND", "mg/L", "0.2", "0.6", sample="A")
    assert judged(record).shown == ()


def test_a_member_reported_twice_with_two_results_cannot_be_added() -> None:
    record = Record()
    for series, value in (("a", "9.7"), ("b", "4.0")):
        result(record, "nitrate_as_n", value, "mg/L", "0.02", "0.06", sample="A", series=series)
    result(record, "nitrite_as_n", "0.5", "mg/L", "0.02", "0.06", sample="A")
    answer = judged(record)
    assert statuses(answer, "nitrate_nitrite_as_n") == {"PAL": "indeterminate", "ES": "indeterminate"}
    assert any("4.0 mg/L and 9.7 mg/L" in one.reason for one in answer.comparisons)


def test_a_basis_that_is_not_stated_decides_only_where_it_plays_no_part() -> None:
    """12 mg/L is 12 as N or 2.71 as N: over the PAL of 2 either way, over the ES of 10 or not."""
    record = result(Record(), "nitrate_basis_unstated", "12", "mg/L", "0.02", "0.06", sample="A")
    answer = judged(record)
    assert statuses(answer, "nitrate_as_n") == {"PAL": "attained", "ES": "indeterminate"}
    sums = [one for one in answer.comparisons if one.standard.parameter == "nitrate_nitrite_as_n"]
    assert {one.standard.kind: one.nr140.status for one in sums} == {"PAL": "attained", "ES": "indeterminate"}
    assert {one.measured for one in sums} == {"at least 2.710857364 mg/L"}


def test_a_finding_of_a_sum_names_its_parts_and_one_that_lacks_a_part_is_none() -> None:
    record = Record()
    result(record, "atrazine", "0.1", "ug/L", "0.02", "0.06", sample="A")
    result(record, "nitrate_as_n", "9.7", "mg/L", "0.02", "0.06", sample="A")
    result(record, "nitrite_as_n", "0.5", "mg/L", "0.02", "0.06", sample="A")
    found = [
        one for one in night(record) if one.parameter in {"atrazine_total_chlorinated_residues", "nitrate_nitrite_as_n"}
    ]
    assert {(one.parameter, one.verdict, one.measured) for one in found} == {
        ("nitrate_nitrite_as_n", "attained", "10.2 mg/L")
    }
    (es,) = [one for one in found if one.facts["kind"] == "ES"]
    assert es.facts["computed_from"] == ["nitrate_as_n", "nitrite_as_n"]
    assert es.verification == "single"
    assert es.evidence[0].rows == ("1:2", "1:3")


def night(record: Record, law: Any = IDENTIFIED, wells: Any = (MONITORING,), **parts: Any) -> tuple[Finding, ...]:
    return check(law, ask(record, date(2025, 12, 31), at=site(well=list(wells), **parts))).findings


# What is not judged --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"qualifiers": ("R",)}, "rejected"),
        ({"qualifiers": ("J", "R")}, "rejected"),
        ({"activity": "Quality Control Sample-Field Blank"}, "quality control"),
        ({"activity": "Quality Control Sample-Field Replicate"}, "quality control"),
        ({"activity": "Matrix spike"}, "quality control"),
    ],
)
def test_rejects_and_quality_control_are_shown_and_not_judged(more: dict[str, Any], reason: str) -> None:
    record = result(Record(), "arsenic", "50", "ug/L", "0.3", "1.0", **more)
    answer = judged(record)
    assert answer.comparisons == ()
    assert reason in answer.shown[0].reason
    assert night(record) == ()


@pytest.mark.parametrize("text", ["", "NaN", "see report"])
def test_a_row_that_says_nothing_is_shown(text: str) -> None:
    (one,) = judged(result(Record(), "arsenic", text, "ug/L")).shown
    assert "neither an amount" in one.reason


@pytest.mark.parametrize(("fraction", "values"), [(None, {"11", "30"}), ("dissolved", {"11"}), ("total", {"30"})])
def test_a_well_is_judged_by_the_fraction_it_states(fraction: str | None, values: set[str]) -> None:
    """By STORET code: 01000 is arsenic of filtered water, 01002 of whole water."""
    record = Record()
    result(record, "arsenic", "11", "ug/L", "0.3", "1.0", sample="A", series="01000:A")
    result(record, "arsenic", "30", "ug/L", "0.3", "1.0", sample="A", series="01002:A")
    at = site(well=[{**MONITORING, **({"fraction": fraction} if fraction else {})}])
    terms = terms_at(IDENTIFIED, at, at.well[0], default_policy())
    answer = judged(record, terms)
    assert {one.row.value_text for one in answer.comparisons} == values
    assert {one.value_text for one in answer.shown} == {"11", "30"} - values
    assert all(fraction is not None and f"judged by the {fraction} fraction" in one.reason for one in answer.shown)


@pytest.mark.parametrize(
    ("said", "code", "fraction"),
    [
        ("Filtered field and/or lab", "", "dissolved"),
        ("Unfiltered", "01000", "total"),
        ("Total Recoverable", "", "total"),
        ("", "00631", "dissolved"),
        ("", "00080", None),
        ("Bed sediment", "", None),
        ("", "", None),
    ],
)
def test_which_fraction_a_report_means(said: str, code: str, fraction: str | None) -> None:
    assert fraction_of(said, code) == fraction


def test_a_result_without_a_known_fraction_is_judged_everywhere() -> None:
    at = site(well=[{**MONITORING, "fraction": "dissolved"}])
    record = result(Record(), "benzene", "6", "ug/L", "0.2", "0.7", sample="A")
    assert judged(record, terms_at(IDENTIFIED, at, at.well[0], default_policy())).shown == ()


# Second samples ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "confirmed"), [(13, False), (14, True), (140, True), (200, False)])
def test_a_second_sample_two_weeks_apart_confirms(days: int, confirmed: bool) -> None:
    """200 days back the mine had not begun."""
    record = Record()
    for day in (DAY - timedelta(days=days), DAY):
        result(record, "arsenic", "11", "ug/L", "0.3", "1.0", day=day, sample=day.isoformat())
    last = [one for one in night(record) if one.start == DAY and one.facts["kind"] == "ES"]
    earlier = (DAY - timedelta(days=days)).isoformat() if confirmed else None
    assert [one.facts.get("confirms") for one in last] == [earlier]
    assert [any(line.line == "second sample" for line in one.evidence) for one in last] == [confirmed]
    assert [one.verdict for one in last] == ["attained"], "a resample stands beside the verdict"


def test_a_clean_sample_confirms_nothing() -> None:
    record = Record()
    result(record, "arsenic", "9", "ug/L", "0.3", "1.0", day=DAY - timedelta(days=30), sample="1")
    result(record, "arsenic", "11", "ug/L", "0.3", "1.0", sample="2")
    es = [one for one in judged(record).comparisons if one.standard.kind == "ES"]
    assert [one.confirms for one in es] == [None, None]


@pytest.mark.parametrize(
    ("above", "n", "p"), [(5, 5, "1/32"), (4, 4, "1/16"), (7, 8, "9/256"), (0, 3, "1"), (0, 0, "1")]
)
def test_the_sign_test_by_hand(above: int, n: int, p: str) -> None:
    """7 of 8: (8 + 1) / 256."""
    assert sign_test(above, n) == Fraction(p)


@pytest.mark.parametrize(
    ("n", "twice", "status"), [(5, True, "attained"), (4, True, "needs_confirmation"), (5, False, "needs_confirmation")]
)
def test_a_standard_below_the_lod_needs_both_confirmations(n: int, twice: bool, status: str) -> None:
    """PAL of arsenic 1, LOD 2, LOQ 6: five samples over it are p = 1/32, four p = 1/16; alpha is 0.05."""
    record = Record()
    for k in range(n):
        result(record, "arsenic", "2.5", "ug/L", "2", "6", day=DAY - timedelta(days=n - 1 - k), sample=f"{k}")
    if twice:
        result(record, "arsenic", "2.6", "ug/L", "2", "6", sample=f"{n - 1}", series="other method")
    last = [one for one in judged(record).comparisons if (one.row.day, one.standard.kind) == (DAY, "PAL")]
    assert {one.nr140.status for one in last} == {status}
    assert {one.nr140.paragraph for one in last} == {"140.14(3)(b)"}


def test_statistics_know_nothing_of_later_samples() -> None:
    record = Record()
    for k in range(5):
        for series in ("one method", "other method"):
            result(
                record, "arsenic", "2.5", "ug/L", "2", "6", day=DAY + timedelta(days=k), sample=f"{k}", series=series
            )
    pal = [one for one in judged(record).comparisons if one.standard.kind == "PAL"]
    assert {one.row.day for one in pal if one.nr140.status == "attained"} == {DAY + timedelta(days=4)}


def test_a_non_detect_counts_against_the_statistics() -> None:
    assert statistically_above([Decimal(2)] * 5, Decimal(1), Decimal("0.05"))
    assert not statistically_above([*[Decimal(2)] * 4, None], Decimal(1), Decimal("0.05"))
    assert not statistically_above([*[Decimal(2)] * 4, Decimal(1)], Decimal(1), Decimal("0.05")), "equal is not above"


# Where a standard holds ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "use", "zone", "accuracy", "kind", "paragraph", "applies"),
    [
        (2640, "monitoring", (), 0, "PAL", "140.22(2)(a)", True),
        (2640, "monitoring", (), 0, "ES", "140.22(2)(b)", False),
        (2640, "production", (), 0, "ES", "140.22(2)(b)1.", True),
        (-100, "private", (), 0, "ES", "140.22(2)(b)1.", True),
        (-1, "monitoring", (), 0, "ES", "140.22(2)(b)2.", True),
        (0, "monitoring", (), 0, "ES", "140.22(2)(b)", False),
        (10, "monitoring", (), 20, "ES", "140.22(2)(b)2.", True),
        (2640, "monitoring", ((3000, 0), (5280, 0), (5280, 5280), (3000, 5280)), 0, "ES", "140.22(2)(b)3.", True),
        (3500, "monitoring", ((3000, 0), (5280, 0), (5280, 5280), (3000, 5280)), 0, "ES", "140.22(2)(b)", False),
        (3010, "monitoring", ((3000, 0), (5280, 0), (5280, 5280), (3000, 5280)), 20, "ES", "140.22(2)(b)3.", True),
    ],
)
def test_points_of_standards_application(
    x: float, use: str, zone: Sequence[Any], accuracy: float, kind: Any, paragraph: str, applies: bool
) -> None:
    at = site(well=[well("W", x, use=use)], design_management_zone=list(zone))
    found = application(at, at.well[0], (x, 2640.0), accuracy, kind)
    assert (found.paragraph, found.applies) == (paragraph, applies)


def test_an_es_inside_the_property_is_attained_and_says_where_it_goes() -> None:
    """The clause judges any well; NR 140 sends an ES that is no point of application to 140.27."""
    (es,) = [one for one in night(result(Record(), "arsenic", "11", "ug/L", "0.3", "1.0")) if one.facts["kind"] == "ES"]
    assert (es.status, es.verdict, es.facts["point_of_standards_application"]) == ("attained", "attained", False)
    assert "140.27" in es.reason


# Alternative concentration limits ------------------------------------------------------------------------------------

LIMIT = {
    "substance": "nitrate_as_n", "kind": "PAL", "value": "3.5", "unit": "mg/L", "since": date(2025, 9, 1),
    "until": date(2026, 1, 1), "decision": "made-up decision 7 under NR 140.28",
}  # fmt: skip


@pytest.mark.parametrize(
    ("day", "value", "status"),
    [
        (date(2025, 8, 31), "3.0", "attained"),
        (date(2025, 9, 1), "3.0", "not_attained"),
        (date(2025, 9, 1), "3.5", "attained"),
        (date(2025, 12, 31), "3.4", "not_attained"),
        (date(2026, 1, 1), "3.0", "attained"),
    ],
)
def test_an_alternative_limit_replaces_the_table_while_it_holds(day: date, value: str, status: str) -> None:
    at = site(well=[MONITORING], alternative_limit=[LIMIT])
    record = result(Record(), "nitrate_as_n", value, "mg/L", "0.02", "0.06", day=day)
    answer = check(IDENTIFIED, ask(record, date(2026, 2, 1), at=at)).findings
    (pal,) = [one for one in answer if (one.parameter, one.facts["kind"]) == ("nitrate_as_n", "PAL")]
    assert (pal.start, pal.status) == (day, status)


def test_an_alternative_limit_is_named_with_its_decision() -> None:
    record = result(Record(), "nitrate_as_n", "4", "mg/L", "0.02", "0.06")
    found = {
        one.facts["kind"]: one for one in night(record, alternative_limit=[LIMIT]) if one.parameter == "nitrate_as_n"
    }
    pal = found["PAL"]
    assert (pal.limit, pal.verification, pal.status) == ("3.5 mg/L", "decision", "attained")
    assert "made-up decision 7" in pal.facts["citation"]
    assert (found["ES"].limit, found["ES"].verification) == ("10 mg/L", "memory")


def test_an_alternative_limit_of_another_well_says_nothing_here() -> None:
    other = {**LIMIT, "wells": ["MW-2"]}
    wells = [MONITORING, well("MW-2", 100, use="monitoring", in_application=True)]
    record = result(Record(), "nitrate_as_n", "3.0", "mg/L", "0.02", "0.06")
    found = [one for one in night(record, wells=wells, alternative_limit=[other]) if one.parameter == "nitrate_as_n"]
    assert {one.limit for one in found} == {"2 mg/L", "10 mg/L"}


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"substance": "unobtainium"}, BadSite),
        ({"substance": "manganese", "unit": "ug/L"}, BadSite),
        ({"unit": "ft"}, BadUnit),
    ],
)
def test_an_alternative_limit_that_replaces_nothing_is_refused(changed: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error, match="alternative_limit"):
        with_alternatives(NR140, [AlternativeLimit(**{**LIMIT, **changed})], "MW-1")


def test_of_two_tables_the_limit_names_one() -> None:
    limit = AlternativeLimit(**{**LIMIT, "substance": "manganese", "unit": "ug/L", "value": 70, "table": "1"})
    rows = [one for one in with_alternatives(NR140, [limit], "MW-1").of("manganese") if one.in_force(DAY)]
    assert {(one.kind, one.table, one.value) for one in rows} == {
        ("PAL", "1", Decimal(70)), ("ES", "1", Decimal(300)), ("PAL", "2", Decimal("0.025")),
        ("ES", "2", Decimal("0.05")),
    }  # fmt: skip


@pytest.mark.parametrize(
    "changed", [{"until": date(2025, 9, 1)}, {"decision": " "}, {"value": 0}, {"kind": "MCL"}, {"wells": ["NO-1"]}]
)
def test_a_limit_that_cannot_be_is_refused_by_the_site(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"until|decision|greater than 0|PAL|NO-1"):
        site(well=[MONITORING], alternative_limit=[{**LIMIT, **changed}])


# Other ordinances ----------------------------------------------------------------------------------------------------

QUARRY = """
id = "quarry"
title = "A made-up ordinance that names no groundwater standard"
jurisdiction = "Made-up town"
zone = "America/New_York"
crs = "EPSG:2262"
holidays = "wisconsin"
adopted = "unknown"
adopted_note = "made up"

[computing]
citation = "none"
verification = "made up"
last_day_moves_off = []
hours_leave_out_sundays_and_holidays = false
saturday_filing_moves = false

[[rule]]
id = "quarry.seepage"
kind = "water_level"
clause = "1 A"
title = "Seepage"
text = "made up"
effective = "unknown"
within_mi = 0.1
"""
BESIDE = (
    QUARRY
    + """
[[rule]]
id = "quarry.nr140"
kind = "groundwater_quality"
clause = "1 B"
title = "Standards beside the wells"
text = "made up"
effective = "unknown"
standards = "nr140"
limits = ["ES"]
exceeded = "ge"
wells = "in_application"
information = true
"""
)


def ordinance(text: str) -> Ordinance:
    return read_ordinance(text, file="quarry.toml")


def folder(text: str, at: Site) -> SiteFolder:
    return SiteFolder(None, at, default_policy(), ordinance(text), None, "")  # type: ignore[arg-type]


def elsewhere() -> Site:
    return site(ordinance="quarry", crs="EPSG:2262", well=[MONITORING])


def test_where_no_standard_is_named_nothing_is_judged_by_one() -> None:
    record = result(Record(), "arsenic", "500", "ug/L", "0.3", "1.0")
    at = elsewhere()
    assert findings(ask(record, date(2025, 12, 31), at=at, law=ordinance(QUARRY))).findings == ()
    assert excerpt.terms_for(folder(QUARRY, at), at.well[0], DAY) is None
    assert excerpt.results(None, folder(QUARRY, at), None, DAY).empty  # type: ignore[arg-type]


def test_where_they_stand_beside_they_are_information() -> None:
    record = result(Record(), "arsenic", "10", "ug/L", "0.3", "1.0")
    at = elsewhere()
    (one,) = findings(ask(record, date(2025, 12, 31), at=at, law=ordinance(BESIDE))).findings
    assert (one.information, one.verdict, one.facts["kind"]) == (True, "attained", "ES")
    terms = excerpt.terms_for(folder(BESIDE, at), at.well[0], DAY)
    assert terms is not None
    assert terms.rule.id == "quarry.nr140"


# Properties ----------------------------------------------------------------------------------------------------------

AMOUNT = st.decimals(min_value=Decimal("0.001"), max_value=30, places=3).map(str)
LIMITS = st.one_of(st.just(""), AMOUNT)
MEMBERS = ("nitrate_as_n", "nitrite_as_n", "nitrate_nitrite_as_n", "nitrate_as_no3", "arsenic")


@st.composite
def reports(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Results of a few samples, of substances that stand alone and in a sum."""
    rows = []
    for place in range(draw(st.integers(1, 6))):
        lod, loq = draw(LIMITS), draw(LIMITS)
        if lod and loq and Decimal(lod) > Decimal(loq):
            lod, loq = loq, lod
        rows.append({
            "substance": draw(st.sampled_from(MEMBERS)), "value": draw(st.one_of(AMOUNT, st.just("ND"))),
            "unit": "mg/L", "lod": lod, "loq": loq, "sample": draw(st.sampled_from("AB")), "series": str(place),
            "day": DAY + timedelta(days=draw(st.sampled_from((0, 20)))),
        })  # fmt: skip
    return rows


def told(rows: Sequence[dict[str, Any]], law: Standards = NR140) -> set[tuple[Any, ...]]:
    record = Record()
    for row in rows:
        result(record, **row)
    said = [_said(one) for one in judged(record, plain_terms(law)).comparisons]
    assert len(set(said)) == len(said), "nothing is said twice"
    return set(said)


def _said(one: Comparison) -> tuple[Any, ...]:
    where = (one.row.day, one.sample, one.row.series if not one.members else "", one.members)
    return (*where, one.standard.parameter, one.standard.name(), one.nr140, one.verdict, one.measured, one.confirms)


@given(rows=reports(), random=st.randoms(use_true_random=False), twice=st.integers(0, 5))
def test_order_and_duplication_never_matter(rows: list[dict[str, Any]], random: Any, twice: int) -> None:
    mixed = [*rows, *rows[:twice]]
    random.shuffle(mixed)
    assert told(mixed) == told(rows)


@given(rows=reports(), by=st.sampled_from([Decimal("0.999"), Decimal("0.5"), Decimal("0.01")]))
def test_lowering_a_standard_never_removes_an_attained_verdict(rows: list[dict[str, Any]], by: Decimal) -> None:
    lower = NR140.replaced(replace(one, value=one.value * by) for one in NR140.rows)
    assert _attained(rows, NR140) <= _attained(rows, lower)


def _attained(rows: Sequence[dict[str, Any]], law: Standards) -> set[tuple[Any, ...]]:
    return {said[:6] for said in told(rows, law) if said[7] == "attained"}


@given(
    rows=reports(), unit=st.sampled_from([("ug/L", Decimal(1000)), ("g/L", Decimal("0.001")), ("ng/L", Decimal(10**6))])
)
def test_an_exact_change_of_unit_never_changes_a_verdict(rows: list[dict[str, Any]], unit: tuple[str, Decimal]) -> None:
    name, scale = unit

    def moved(text: str) -> str:
        return text if text in {"", "ND"} else f"{Decimal(text) * scale:f}"

    there = [{**row, "unit": name, **{key: moved(row[key]) for key in ("value", "lod", "loq")}} for row in rows]
    assert _verdicts(told(there)) == _verdicts(told(rows))


def _verdicts(said: set[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    return {(*one[:6], one[6].status, one[6].paragraph, one[7]) for one in said}


def test_new_days_judge_what_the_whole_record_judges() -> None:
    """The night re-judges from the first new day; what stands before it still counts as baseline and confirmation."""
    record = Record()
    for k, day in enumerate((BEGAN - timedelta(days=40), DAY - timedelta(days=20), DAY)):
        result(record, "arsenic", "11", "ug/L", "0.3", "1.0", day=day, sample=str(k))
    at = site(well=[MONITORING])
    whole = {one.key: one.body() for one in check(IDENTIFIED, ask(record, date(2025, 12, 31), at=at)).findings}
    changed = Changed({("MW-1", "arsenic"): DAY})
    new = check(IDENTIFIED, ask(record, date(2025, 12, 31), at=at, changed=changed)).findings
    assert {one.start for one in new} == {DAY - timedelta(days=20), DAY}, "the new sample speaks to the one before"
    assert all(whole[one.key] == one.body() for one in new)
    assert all(one.attained_in_baseline for one in new)
    assert {one.facts.get("confirms") for one in new if one.start == DAY} == {"2025-10-08"}
    assert {one.facts.get("confirms") for one in new if one.start < DAY} == {None}, "no sample from before the mine"
