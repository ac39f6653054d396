"""Background limits worked by hand, the outlier tests against print, field duplicates."""

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random
from statistics import NormalDist, linear_regression

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.statistics.background import Background, Bounded, Increase, Measured, Method, background, side
from models.statistics.censored import Insufficient, censored_sample
from models.statistics.duplicates import RelativeDifference, relative_percent_difference
from models.statistics.outliers import rosner, tukey

# NR 140.20(2) as read in law/nr140_rules.md section 6; arguments here, data of the law there.
CHLORIDE_LIKE = Increase(Decimal(3), Decimal(10), divide_by_n_from=30)
FIELD_PH = Increase(Decimal(0), Decimal(1), two_sided=True, divide_by_n_from=30)
FIELD_TEMPERATURE = Increase(Decimal(3), Decimal("5.6"), two_sided=True, divide_by_n_from=30)

# EPA (2009) Unified Guidance, Example 12-4: naphthalene [ppb], five background wells of five quarters.
NAPHTHALENE = """3.34 5.39 5.74 6.88 5.85  5.59 5.96 1.47 2.57 5.39  1.91 1.74 23.23 1.82 2.02
                 6.12 6.05 5.18 4.43 1.00  8.64 5.34 5.53 4.42 35.45"""


def measured(text: str) -> list[Measured]:
    return [Measured(Decimal(word.strip("<")), word[0] == "<") for word in text.split()]


def found_of(wells: dict[str, Sequence[Measured]], increase: Increase, method: Method = "kaplan_meier") -> Background:
    found = background(wells, increase, minimum_results=8, method=method)
    assert isinstance(found, Background)
    return found


def one_well(text: str, increase: Increase) -> Background:
    return found_of({"BG-1": measured(text)}, increase)


def test_the_increment_governs_a_quiet_well() -> None:
    """2 4 4 4 5 5 7 9: mean 5, sum of squares 32, SD sqrt(32/7) = 2.138; 3 SD = 6.41 < 10, so 15."""
    found = one_well("2 4 4 4 5 5 7 9", CHLORIDE_LIKE)
    assert (found.mean, found.upper, found.lower) == (5, 15, None)
    assert found.sd == (Decimal(32) / 7).sqrt()
    assert (found.governed_by, found.increase, found.n) == ("increment", 10, 8)


def test_three_standard_deviations_govern_a_restless_one() -> None:
    """The same times 10: mean 50, 3 SD = 64.14 > 10."""
    found = one_well("20 40 40 40 50 50 70 90", CHLORIDE_LIKE)
    assert found.governed_by == "standard deviation"
    assert round(found.upper, 2) == Decimal("114.14")


def test_bounds_where_nothing_was_detected() -> None:
    """Eight <20: all 0 gives 10; half the range 10 times sqrt(8/7) is 10.690, 3 of it 32.071, over a mean of 20."""
    found = background({"BG-1": measured("<20 " * 8)}, CHLORIDE_LIKE, minimum_results=8)
    assert isinstance(found, Bounded)
    assert (found.mean, found.n, found.n_censored) == ((0, 20), 8, 8)
    assert (found.upper[0], round(found.upper[1], 3)) == (10, Decimal("52.071"))
    by_n = background({"BG-1": measured("<20 " * 30)}, CHLORIDE_LIKE, minimum_results=8)
    assert isinstance(by_n, Bounded)
    assert by_n.upper == (10, 50), "by n from 30 results on: 20 + 3 x 10"


def test_a_two_sided_limit_has_no_bounds_without_detects() -> None:
    found = background({"BG-1": measured("<7 " * 8)}, FIELD_PH, minimum_results=8)
    assert isinstance(found, Insufficient)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 40), st.floats(0, 1)), min_size=8, max_size=12), st.integers(0, 1))
def test_whatever_the_non_detects_hide_the_limit_lies_within_the_bounds(
    drawn: list[tuple[int, float]], detects: int
) -> None:
    known = [Measured(Decimal(25))] * detects
    found = background(
        {"B": [*known, *(Measured(Decimal(limit), True) for limit, _ in drawn)]}, CHLORIDE_LIKE, minimum_results=8
    )
    assert isinstance(found, Bounded)
    hidden = [Measured(Decimal(str(round(limit * share, 6)))) for limit, share in drawn]
    whole = background({"B": [*known, *hidden]}, CHLORIDE_LIKE, minimum_results=8)
    assert isinstance(whole, Background)
    assert found.upper[0] <= whole.upper <= found.upper[1] + Decimal("1e-20")


def test_the_divisor_is_n_from_the_stated_number_on() -> None:
    """Four times the eight results: sum of squares 128; n - 1 = 31 gives 2.0320, n = 32 gives exactly 2."""
    text = " ".join(["2 4 4 4 5 5 7 9"] * 4)
    assert one_well(text, CHLORIDE_LIKE).sd == 2
    assert one_well(text, replace(CHLORIDE_LIKE, divide_by_n_from=32)).sd == 2
    assert round(one_well(text, replace(CHLORIDE_LIKE, divide_by_n_from=None)).sd, 4) == Decimal("2.0320")
    assert round(one_well(text, replace(CHLORIDE_LIKE, divide_by_n_from=33)).sd, 4) == Decimal("2.0320")


def test_field_ph_takes_no_standard_deviation() -> None:
    """Mean 7.2 and +- 1.0, however restless: 3 SD would be 1.9."""
    found = one_well("6.2 6.7 7.0 7.2 7.2 7.4 7.7 8.2", FIELD_PH)
    assert (found.mean, found.lower, found.upper) == (Decimal("7.2"), Decimal("6.2"), Decimal("8.2"))


def test_field_temperature_has_two_sides() -> None:
    """2 4 4 4 5 5 7 9: 3 SD = 6.41 > 5.6, so 5 - 6.41 and 5 + 6.41."""
    found = one_well("2 4 4 4 5 5 7 9", FIELD_TEMPERATURE)
    assert found.lower is not None
    assert (round(found.lower, 2), round(found.upper, 2)) == (Decimal("-1.41"), Decimal("11.41"))


def test_every_background_well_must_bring_its_eight() -> None:
    found = background(
        {"BG-1": measured("1 2 3 4 5 6"), "BG-2": measured("1 2 3 4 5 6 7 8 9"), "BG-3": []},
        CHLORIDE_LIKE, minimum_results=8,
    )  # fmt: skip
    assert isinstance(found, Insufficient)
    assert (found.have, found.needed, found.missing) == (14, 24, 10)
    assert "BG-1 has 6, 2 missing, BG-3 has 0, 8 missing" in found.reason
    assert "BG-2" not in found.reason


def test_two_wells_are_pooled_and_each_is_shown() -> None:
    found = found_of({"BG-1": measured("1 1 1 1 1 1 1 1"), "BG-2": measured("3 3 3 3 3 3 3 3")}, CHLORIDE_LIKE)
    assert (found.mean, found.n) == (2, 16)
    assert [(one.well, one.n) for one in found.wells] == [("BG-1", 8), ("BG-2", 8)]


def test_one_result_has_no_standard_deviation() -> None:
    with pytest.raises(BadQuestion, match="needs two"):
        background({"BG-1": measured("1")}, CHLORIDE_LIKE, minimum_results=1)


def test_no_well_is_no_background() -> None:
    with pytest.raises(BadQuestion, match="no background well"):
        background({}, CHLORIDE_LIKE, minimum_results=8)


def test_an_outlier_is_shown_and_stays_in() -> None:
    """1 2 3 4 5 6 7 100: quartiles 2.5 and 6.5, IQR 4, upper fence 12.5; 100 is 23.375 IQR above. Mean 16 with it."""
    found = one_well("1 2 3 4 5 6 7 100", CHLORIDE_LIKE)
    assert found.mean == 16
    (outlier,) = found.wells[0].outliers
    assert (outlier.row, outlier.value, outlier.statistic, outlier.critical) == (7, 100, 23.375, 1.5)
    assert outlier.test == "Tukey fence, 1.5 interquartile ranges, Kaplan-Meier quartiles"


def test_a_censored_background_by_kaplan_meier() -> None:
    """<1 <1 2 2 3 4 4 6: one limit below every detect, so each result weighs 1/8: 23/8 = 2.875, SD by n - 1."""
    found = one_well("<1 <1 2 2 3 4 4 6", CHLORIDE_LIKE)
    assert (found.mean, found.upper, found.n_censored) == (Decimal("2.875"), Decimal("12.875"), 2)
    assert float(found.sd) == pytest.approx(np.std([1, 1, 2, 2, 3, 4, 4, 6], ddof=1))
    by_n = one_well("<1 <1 2 2 3 4 4 6", replace(CHLORIDE_LIKE, divide_by_n_from=8))
    assert float(by_n.sd) == pytest.approx(np.std([1, 1, 2, 2, 3, 4, 4, 6]))
    assert found.method == "Kaplan-Meier, Efron's convention"


def test_a_censored_background_by_ros() -> None:
    """The same: six of eight exceed the limit, so detects stand at 1/4 + 3/4 r/7, non-detects at 1/12 and 2/12."""
    score = NormalDist().inv_cdf
    detects = [2, 2, 3, 4, 4, 6]
    line = linear_regression([score((7 + 3 * r) / 28) for r in range(1, 7)], [math.log(x) for x in detects])
    filled = [math.exp(line.intercept + line.slope * score(p)) for p in (1 / 12, 2 / 12)]
    found = found_of({"BG-1": measured("<1 <1 2 2 3 4 4 6")}, CHLORIDE_LIKE, "ros")
    assert float(found.mean) == pytest.approx(sum(detects + filled) / 8)
    assert found.method == "regression on order statistics, lognormal, Helsel and Cohn plotting positions"


def test_a_background_of_non_detects_says_what_is_missing() -> None:
    found = background({"BG-1": measured("<1 " * 8)}, FIELD_TEMPERATURE, minimum_results=8)
    assert isinstance(found, Insufficient)
    assert (found.what, found.have, found.missing) == ("detected results", 0, 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("15", "above"), ("14.999", "within"), ("<15", "within"), ("<15.1", "unknown"), ("0", "within")],
)
def test_where_a_result_stands_beside_one_limit(text: str, expected: str) -> None:
    assert side(one_well("2 4 4 4 5 5 7 9", CHLORIDE_LIKE), measured(text)[0]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("6.2", "below"), ("6.21", "within"), ("8.19", "within"), ("8.2", "above"), ("<6", "below"), ("<7", "unknown")],
)
def test_where_a_result_stands_between_two_limits(text: str, expected: str) -> None:
    assert side(one_well("6.2 6.7 7.0 7.2 7.2 7.4 7.7 8.2", FIELD_PH), measured(text)[0]) == expected


def test_an_estimate_has_no_binary_noise_at_an_equality() -> None:
    """Kaplan-Meier mean 0.3 exactly (0.1 at the limit, 0.1 ... 0.7): the limit is 10.3, not 10.299999999999999."""
    found = one_well("<0.1 0.1 0.1 0.2 0.3 0.3 0.6 0.7", CHLORIDE_LIKE)
    assert (found.mean, found.upper) == (Decimal("0.3"), Decimal("10.3"))


def test_rosners_test_of_the_unified_guidance() -> None:
    """Example 12-4 as EnvStats prints it: R 3.930957 and 4.160223, lambda 2.821681 and 2.801551; both are outliers."""
    values = [float(word) for word in NAPHTHALENE.split()]
    found = rosner(censored_sample(values), suspected=2)
    assert not isinstance(found, Insufficient)
    assert [(one.value, round(one.statistic, 6), round(one.critical, 6)) for one in found] == [
        (35.45, 3.930957, 2.821681), (23.23, 4.160223, 2.801551)
    ]  # fmt: skip
    assert [one.row for one in found] == [24, 12]


def test_a_masked_outlier_is_found_behind_the_second() -> None:
    """Rosner: the outliers are the first k of the largest k that passes, even where an earlier step fails."""
    found = rosner(censored_sample([float(at % 5) for at in range(20)] + [30.0, 30.5, 31.0, 31.2, 31.4]), suspected=6)
    assert not isinstance(found, Insufficient)
    assert sorted(one.value for one in found) == [30.0, 30.5, 31.0, 31.2, 31.4]
    assert found[0].statistic < found[0].critical


def test_rosner_refuses_what_it_cannot_test() -> None:
    short = rosner(censored_sample(range(12)), suspected=1)
    assert isinstance(short, Insufficient)
    assert short.missing == 8
    with pytest.raises(BadQuestion, match="non-detects"):
        rosner(censored_sample(range(20), [True] + [False] * 19), suspected=1)
    with pytest.raises(BadQuestion, match="suspected"):
        rosner(censored_sample(range(20)), suspected=11)
    assert rosner(censored_sample([5.0] * 20), suspected=2) == ()


def test_the_fences_hold_non_detects() -> None:
    """A non-detect is no outlier; where the quartiles coincide, whatever differs from them stands out."""
    found = tukey(censored_sample([1, 1, 1, 1, 1, 1, 1, 9], [True] + [False] * 7))
    assert not isinstance(found, Insufficient)
    assert [(one.row, one.statistic) for one in found] == [(7, float("inf"))]


RESULTS = st.lists(st.tuples(st.integers(1, 400), st.booleans()), min_size=8, max_size=20).filter(
    lambda rows: sum(not hidden for _, hidden in rows) >= 5
)


def as_results(rows: Sequence[tuple[int, bool]], scale: Decimal = Decimal(1)) -> list[Measured]:
    return [Measured(scale * value / 10, hidden) for value, hidden in rows]


@given(RESULTS, st.randoms(use_true_random=False))
def test_the_unit_and_the_order_do_not_matter(rows: list[tuple[int, bool]], random: Random) -> None:
    once = found_of({"BG-1": as_results(rows)}, CHLORIDE_LIKE)
    scaled = replace(CHLORIDE_LIKE, increment=CHLORIDE_LIKE.increment * 1000)
    in_micrograms = found_of({"BG-1": as_results(rows, Decimal(1000))}, scaled)
    assert float(in_micrograms.upper) == pytest.approx(1000 * float(once.upper))
    shuffled = found_of({"BG-1": random.sample(as_results(rows), len(rows))}, CHLORIDE_LIKE)
    assert float(shuffled.upper) == pytest.approx(float(once.upper))


@given(RESULTS, st.integers(1, 2000), st.integers(0, 100))
def test_a_smaller_increment_never_takes_a_result_back_inside(rows: list[tuple[int, bool]], x: int, less: int) -> None:
    result = Measured(Decimal(x) / 10)
    wide = found_of({"BG-1": as_results(rows)}, CHLORIDE_LIKE)
    narrow = found_of({"BG-1": as_results(rows)}, replace(CHLORIDE_LIKE, increment=Decimal(10) - Decimal(less) / 10))
    assert side(narrow, result) == "above" or side(wide, result) != "above"


@given(st.lists(st.decimals(0, 100, places=2), min_size=8, max_size=15))
def test_without_non_detects_mean_and_sd_are_the_ordinary_ones(values: list[Decimal]) -> None:
    found = found_of({"BG-1": [Measured(value) for value in values]}, CHLORIDE_LIKE)
    numbers = [float(value) for value in values]
    assert float(found.mean) == pytest.approx(np.mean(numbers))
    assert float(found.sd) == pytest.approx(np.std(numbers, ddof=1), abs=1e-9)


@pytest.mark.parametrize(
    ("one", "other", "percent", "above", "reason"),
    [
        ("12", "8", "40", None, "both detected"),
        ("8", "12", "40", None, "both detected"),
        ("5", "5", "0", None, "both detected"),
        ("3", "0", "200", None, "both detected"),
        ("0", "0", None, None, "undefined: both are zero"),
        ("<1", "<2", None, None, "undefined: neither was detected"),
        ("3", "<1", None, "100", "undefined: one was not detected below 1"),
        ("<1", "3", None, "100", "undefined: one was not detected below 1"),
        ("0.7", "<1", None, None, "undefined: one was not detected, and 0.7 is within its limit"),
        ("1", "<1", None, None, "undefined: one was not detected, and 1 is within its limit"),
    ],
)
def test_relative_percent_difference(one: str, other: str, percent: str | None, above: str | None, reason: str) -> None:
    found = relative_percent_difference(measured(one)[0], measured(other)[0])
    assert found == RelativeDifference(
        None if percent is None else Decimal(percent), None if above is None else Decimal(above), reason
    )


def test_a_negative_duplicate_is_refused() -> None:
    with pytest.raises(BadQuestion):
        relative_percent_difference(Measured(Decimal(-1)), Measured(Decimal(1)))
