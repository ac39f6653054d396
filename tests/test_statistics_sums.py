"""Sums of several forms with non-detects: a table worked by hand, and what no reading may break."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.statistics.sums import Bounds, Part, compare, sum_with_bounds


def parts(text: str, expected: Sequence[str]) -> list[Part]:
    """ "3 <0.5 < -" by position: a detect, a non-detect, one without a limit, a form not analysed."""
    found = []
    for name, word in zip(expected, text.split(), strict=True):
        if word.startswith("<"):
            found.append(Part(name, None, Decimal(word[1:]) if word[1:] else None))
        elif word != "-":
            found.append(Part(name, Decimal(word)))
    return found


NITROGEN = ("nitrate as N", "nitrite as N")
XYLENES = ("o-xylene", "m-xylene + p-xylene")
ATRAZINE = ("atrazine", "deethylatrazine", "deisopropylatrazine", "diaminoatrazine")
DINITROTOLUENE = ("2,3", "2,4", "2,5", "2,6", "3,4", "3,5")
DICHLOROPROPENE = ("cis-1,3", "trans-1,3")

# forms, as reported, the other forms stated absent, low, high ("" unbounded), standard, outcome, why
TABLE = [
    (NITROGEN, "9.5 0.5", False, "10.0", "10.0", "10", "attained", "10.0"),
    (NITROGEN, "9.5 0.49", False, "9.99", "9.99", "10", "not_attained", "the sum is 9.99"),
    (NITROGEN, "9.5 <0.4", False, "9.5", "9.9", "10", "not_attained", "below 9.9"),
    (NITROGEN, "9.5 <0.5", False, "9.5", "10.0", "10", "not_attained", "below 10.0"),
    (NITROGEN, "9.5 <0.6", False, "9.5", "10.1", "10", "indeterminate", "a lower limit for nitrite as N"),
    (NITROGEN, "11 <0.6", False, "11", "11.6", "10", "attained", "11"),
    (NITROGEN, "9.5 <", False, "9.5", "", "10", "indeterminate", "ask the laboratory for the limit of nitrite as N"),
    (NITROGEN, "9.5 -", False, "9.5", "", "10", "indeterminate", "analyse nitrite as N"),
    (NITROGEN, "9.5 -", True, "9.5", "9.5", "10", "not_attained", "the sum is 9.5"),
    (NITROGEN, "10 -", False, "10", "", "10", "attained", "10"),
    (XYLENES, "<0.3 <0.6", False, "0", "0.9", "400", "not_attained", "every form at its limit"),
    (ATRAZINE, "0.2 <0.05 0.04 <0.05", False, "0.24", "0.34", "0.3", "indeterminate",
     "deethylatrazine, diaminoatrazine"),
    (ATRAZINE, "0.2 <0.02 0.04 <0.02", False, "0.24", "0.28", "0.3", "not_attained", "0.28"),
    (ATRAZINE, "0.2 - <0.05 <", False, "0.2", "", "0.3", "indeterminate",
     "analyse deethylatrazine; ask the laboratory for the limit of diaminoatrazine; a lower limit for deiso"),
    (DINITROTOLUENE, "<0.01 0.03 <0.01 0.02 <0.01 <0.01", False, "0.05", "0.09", "0.05", "attained", "0.05"),
    (DINITROTOLUENE, "<0.01 0.03 <0.01 0.01 <0.01 <0.01", False, "0.04", "0.08", "0.05", "indeterminate",
     "2,3, 2,5, 3,4, 3,5"),
    (DICHLOROPROPENE, "<0.2 <0.2", False, "0", "0.4", "0.4", "not_attained", "below 0.4"),
    (DICHLOROPROPENE, "<0.2 <0.21", False, "0", "0.41", "0.4", "indeterminate", "a lower limit for cis-1,3, trans-1,3"),
]  # fmt: skip


@pytest.mark.parametrize(("forms", "reported", "complete", "low", "high", "standard", "outcome", "why"), TABLE)
def test_sums_by_hand(
    forms: Sequence[str], reported: str, complete: bool, low: str, high: str, standard: str, outcome: str, why: str
) -> None:
    found = sum_with_bounds(parts(reported, forms), forms, complete=complete)
    assert (found.low, found.high) == (Decimal(low), Decimal(high) if high else None)
    compared = compare(found, Decimal(standard))
    assert compared.outcome == outcome
    assert why in compared.reason


def test_nitrate_reported_as_nitrate_is_turned_into_nitrogen() -> None:
    """44.27 mg/L NO3 x 14.007 = 620.08989, / 62.005 = 10.0006 mg/L N; a limit is turned as well."""
    factor = Decimal("14.007") / Decimal("62.005")
    found = sum_with_bounds(
        [Part("nitrate as N", Decimal("44.27"), factor=factor), Part("nitrite as N", None, Decimal("0.1"))], NITROGEN
    )
    assert found.high is not None
    assert (round(found.low, 4), round(found.high, 4)) == (Decimal("10.0006"), Decimal("10.1006"))
    hidden = sum_with_bounds(
        [Part("nitrate as N", None, Decimal("44.27"), factor), Part("nitrite as N", Decimal(0))], NITROGEN
    )
    assert hidden.high is not None
    assert round(hidden.high, 4) == Decimal("10.0006")


def test_what_keeps_a_sum_from_being_exact_is_named() -> None:
    found = sum_with_bounds(parts("1 <2 < -", ATRAZINE), ATRAZINE)
    assert found == Bounds(
        Decimal(1),
        None,
        False,
        1,
        ("deethylatrazine", "deisopropylatrazine"),
        ("deisopropylatrazine",),
        ("diaminoatrazine",),
    )
    assert not found.exact
    assert sum_with_bounds(parts("1 2", NITROGEN), NITROGEN).exact
    assert not sum_with_bounds(parts("1 -", NITROGEN), NITROGEN).high_reached
    assert sum_with_bounds(parts("1 -", NITROGEN), NITROGEN, complete=True).exact


def test_decimals_add_exactly() -> None:
    found = sum_with_bounds(parts("0.1 0.2", NITROGEN), NITROGEN)
    assert compare(found, Decimal("0.3")).outcome == "attained"


@pytest.mark.parametrize(
    "wrong",
    [
        [Part("ammonia", Decimal(1))],
        [Part("nitrate as N", Decimal(1)), Part("nitrate as N", Decimal(2))],
        [Part("nitrate as N", Decimal(-1))],
        [Part("nitrate as N", None, Decimal(-1))],
        [Part("nitrate as N", Decimal("NaN"))],
        [Part("nitrate as N", None, Decimal("Infinity"))],
        [Part("nitrate as N", Decimal(1), factor=Decimal(-1))],
    ],
)
def test_a_wrong_part_is_refused(wrong: list[Part]) -> None:
    with pytest.raises(BadQuestion):
        sum_with_bounds(wrong, NITROGEN)


def test_nothing_reported_is_not_complete() -> None:
    assert sum_with_bounds([], NITROGEN).high is None
    with pytest.raises(BadQuestion, match="no form"):
        sum_with_bounds([], NITROGEN, complete=True)


@pytest.mark.parametrize("standard", ["0", "-1", "NaN", "Infinity"])
def test_a_standard_must_be_a_positive_number(standard: str) -> None:
    with pytest.raises(BadQuestion):
        compare(sum_with_bounds(parts("1 2", NITROGEN), NITROGEN), Decimal(standard))


TENTHS = st.integers(0, 60).map(lambda tenths: Decimal(tenths) / 10)
SOME = st.lists(
    st.one_of(TENTHS.map(lambda x: (x, None)), TENTHS.map(lambda x: (None, x)), st.just((None, None))), max_size=4
)
STANDARD = st.integers(1, 150).map(lambda tenths: Decimal(tenths) / 10)


def as_parts(some: Sequence[tuple[Decimal | None, Decimal | None]]) -> list[Part]:
    return [Part(name, value, limit) for name, (value, limit) in zip(ATRAZINE, some, strict=False)]


@given(SOME, STANDARD, STANDARD)
def test_a_lower_standard_never_loses_an_attainment(
    some: list[tuple[Decimal | None, Decimal | None]], a: Decimal, b: Decimal
) -> None:
    found = sum_with_bounds(as_parts(some), ATRAZINE)
    strict, lax = compare(found, min(a, b)).outcome, compare(found, max(a, b)).outcome
    if lax == "attained":
        assert strict == "attained"
    if strict == "not_attained":
        assert lax == "not_attained"


@given(SOME, STANDARD, st.lists(st.integers(0, 9), min_size=4, max_size=4))
def test_no_truth_behind_the_non_detects_contradicts_the_outcome(
    some: list[tuple[Decimal | None, Decimal | None]], standard: Decimal, tenths: list[int]
) -> None:
    """Whatever lies behind each limit (0 to 9 tenths of it), the sum reaches the standard exactly where attained."""
    known = [part for part in as_parts(some) if part.detected or part.limit is not None]
    outcome = compare(sum_with_bounds(known, [part.name for part in known] or ["none"]), standard).outcome
    truth = sum(
        (
            part.value if part.value is not None else (part.limit or Decimal(0)) * share / 10
            for part, share in zip(known, tenths, strict=False)
        ),
        Decimal(0),
    )
    if known and outcome != "indeterminate":
        assert (truth >= standard) == (outcome == "attained")


@given(SOME, STANDARD, st.randoms(use_true_random=False))
def test_order_and_unit_do_not_matter(
    some: list[tuple[Decimal | None, Decimal | None]], standard: Decimal, random
) -> None:
    rows = as_parts(some)
    once = compare(sum_with_bounds(rows, ATRAZINE), standard).outcome
    assert compare(sum_with_bounds(random.sample(rows, len(rows)), ATRAZINE), standard).outcome == once
    scaled = [replace(part, factor=Decimal(1000)) for part in rows]
    assert compare(sum_with_bounds(scaled, ATRAZINE), standard * 1000).outcome == once


@given(SOME, STANDARD)
def test_a_detect_in_place_of_a_non_detect_can_only_settle(
    some: list[tuple[Decimal | None, Decimal | None]], standard: Decimal
) -> None:
    """Reading the hidden values at half their limits keeps every outcome that was already settled."""
    before = compare(sum_with_bounds(as_parts(some), ATRAZINE), standard).outcome
    read = [replace(part, value=part.limit / 2, limit=None) if part.limit else part for part in as_parts(some)]
    after = compare(sum_with_bounds(read, ATRAZINE), standard).outcome
    assert after == before or before == "indeterminate"
