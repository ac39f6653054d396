"""Trend tests and slopes against printed examples, and against enumeration where a print was not at hand."""

import math
from collections.abc import Sequence
from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, theilslopes

from models.errors import BadQuestion
from models.statistics.autocorrelation import Corrected, hamed_rao
from models.statistics.censored import CensoredSample, Insufficient, censored_sample
from models.statistics.mann_kendall import MannKendall, mann_kendall
from models.statistics.pairs import exact_distribution, permutation_covariance, signs, time_signs
from models.statistics.seasonal_kendall import SeasonalKendall, seasonal_kendall, seasonal_sen_slope
from models.statistics.sen_slope import SenSlope, sen_slope

# EPA (2009) Unified Guidance, Example 17-7: sodium [ppm].
SODIUM_YEARS = [89.6, 90.1, 90.8, 91.1, 92.1, 93.1, 94.1, 95.6, 96.1, 96.3]
SODIUM = [56, 53, 51, 55, 52, 60, 62, 59, 61, 63]
# Unified Guidance, Examples 14-8 and 14-10: an analyte [mg/L] by month (rows), 1983 to 1985 (columns).
MONTHLY = """1.99 2.01 2.15  2.10 2.10 2.17  2.12 2.17 2.27  2.12 2.13 2.23  2.11 2.13 2.24  2.15 2.18 2.26
             2.19 2.25 2.31  2.18 2.24 2.32  2.16 2.22 2.28  2.08 2.13 2.22  2.05 2.08 2.19  2.08 2.16 2.22"""


def kendall(times: Sequence[float], sample: CensoredSample) -> MannKendall:
    found = mann_kendall(times, sample)
    assert isinstance(found, MannKendall)
    return found


def slope(times: Sequence[float], sample: CensoredSample, confidence: float = 0.95) -> SenSlope:
    found = sen_slope(times, sample, confidence=confidence)
    assert isinstance(found, SenSlope)
    return found


def hidden(text: str) -> CensoredSample:
    words = text.split()
    return censored_sample([float(word.strip("<")) for word in words], [word[0] == "<" for word in words])


def test_the_worked_table_of_the_wisconsin_code() -> None:
    """Wis. Adm. Code, Mann-Kendall work sheet, Table A: 100 50 85 75 50 has rows -4, +2, -2, -1, S = -5."""
    found = kendall(range(5), censored_sample([100, 50, 85, 75, 50]))
    assert (found.s, found.direction) == (-5, "down")


@pytest.mark.parametrize(("n", "critical"), [(4, -4), (5, -5), (6, -6), (7, -7), (8, -8), (9, -10), (10, -11)])
def test_the_printed_critical_values_of_the_wisconsin_code(n: int, critical: int) -> None:
    """Table B of the same sheet (0.2, one-sided): the largest S of probability at most 0.2; S moves in steps of 2."""
    possible, probability = exact_distribution(signs(censored_sample(np.arange(n, dtype=float))))
    assert probability[possible <= critical].sum() <= 0.2 < probability[possible <= critical + 2].sum()


def test_the_sodium_of_the_unified_guidance() -> None:
    """Example 17-7, digits as EnvStats prints them: slope and 95 % interval 1.33, 0.40, 2.33."""
    found, line = kendall(SODIUM_YEARS, censored_sample(SODIUM)), slope(SODIUM_YEARS, censored_sample(SODIUM))
    assert (found.s, found.variance) == (25, 125)
    assert (round(found.z, 6), round(found.p_normal, 8)) == (2.146625, 0.03182313)
    assert line.low is not None
    assert line.high is not None
    assert (round(line.slope, 7), round(line.low, 7), round(line.high, 7)) == (1.3333333, 0.3992083, 2.3333333)


def test_the_seasonal_example_of_the_unified_guidance() -> None:
    """Example 14-10 (p. 14-38), digits as EnvStats prints them; tau 0.9722222 = 35/36."""
    values = [float(word) for word in MONTHLY.split()]
    years, months = [1983, 1984, 1985] * 12, [month for month in range(1, 13) for _ in range(3)]
    found = seasonal_kendall(years, months, censored_sample(values))
    line = seasonal_sen_slope(years, months, censored_sample(values))
    assert isinstance(found, SeasonalKendall)
    assert isinstance(line, SenSlope)
    assert line.low is not None
    assert line.high is not None
    assert found.s == 35
    assert found.variance == pytest.approx(12 * 3 * 2 * 11 / 18 - 1)  # one tied pair, in February
    assert (round(found.z, 7), round(found.homogeneity, 7)) == (5.1849514, 0.1071882)
    assert found.p == pytest.approx(2.160712e-07, abs=5e-14)
    assert (round(line.slope, 7), round(line.low, 8), round(line.high, 8)) == (0.06, 0.05786914, 0.07213086)


VALUES = st.lists(st.integers(0, 6), min_size=5, max_size=6)
MARKED = st.lists(st.tuples(st.integers(1, 6), st.booleans()), min_size=5, max_size=6)


def marked(rows: Sequence[tuple[int, bool]]) -> CensoredSample:
    return censored_sample([value for value, _ in rows], [mark for _, mark in rows])


def known_sign(earlier: tuple[float, bool], later: tuple[float, bool]) -> int:
    """Two results as intervals: a detect is [x, x], a non-detect [0, L); 0 where they overlap or are equal."""
    (a, a_hidden), (b, b_hidden) = earlier, later
    if a_hidden and b_hidden:
        return 0
    if a_hidden:
        return 1 if b >= a else 0
    if b_hidden:
        return -1 if a >= b else 0
    return (b > a) - (b < a)


def plain_s(times: Sequence[float], rows: Sequence[tuple[float, bool]]) -> int:
    return sum(known_sign(rows[i], rows[j]) for i in range(len(rows)) for j in range(len(rows)) if times[i] < times[j])


@pytest.mark.parametrize(
    ("text", "s"),
    [("<5 3", 0), ("<5 5", 1), ("5 <5", -1), ("<5 <3", 0), ("<1 <5 6 2", 2), ("<1 2 <3 4", 4), ("7 <1 <1 <1", -3)],
)
def test_non_detects_tie_with_what_they_may_equal(text: str, s: int) -> None:
    sample = hidden(text)
    assert signs(sample)[np.triu_indices(sample.n, 1)].sum() == s


@settings(max_examples=25)
@given(MARKED, st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_the_variance_is_that_of_every_order(rows: list[tuple[int, bool]], days: list[int]) -> None:
    """All n! orders over times of which some coincide: mean 0, and the variance of the closed form."""
    times = days[: len(rows)]
    every = [plain_s(times, order) for order in permutations(rows)]
    ranks = signs(marked(rows))
    assert np.mean(every) == pytest.approx(0.0, abs=1e-9)
    assert permutation_covariance(time_signs(np.asarray(times, float)), ranks, ranks) == pytest.approx(np.var(every))


@settings(max_examples=25)
@given(MARKED)
def test_the_exact_p_counts_every_order(rows: list[tuple[int, bool]]) -> None:
    times = list(range(len(rows)))
    found = mann_kendall(times, marked(rows))
    assume(isinstance(found, MannKendall))
    assert isinstance(found, MannKendall)
    s = plain_s(times, rows)
    assert found.s == s
    assert found.p == pytest.approx(np.mean([abs(plain_s(times, order)) >= abs(s) for order in permutations(rows)]))


@given(st.lists(st.integers(0, 5), min_size=11, max_size=30))
def test_with_plain_ties_the_variance_is_the_textbook_one(values: list[int]) -> None:
    """Kendall (1975): n(n-1)(2n+5)/18 less t(t-1)(2t+5)/18 for each group of t equal values."""
    assume(len(set(values)) > 1)
    n, groups = len(values), [values.count(one) for one in set(values)]
    expected = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in groups)) / 18
    found = kendall(range(n), censored_sample(values))
    assert found.variance == pytest.approx(expected)
    assert found.z == pytest.approx((found.s - np.sign(found.s)) / math.sqrt(expected))
    assert found.method == "Mann-Kendall, normal approximation"


@given(st.permutations(range(9)))
def test_the_exact_p_is_scipys_without_ties(values: list[int]) -> None:
    assert kendall(range(9), censored_sample(values)).p == pytest.approx(
        kendalltau(range(9), values, method="exact").pvalue
    )


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(1, 4), st.booleans(), st.integers(1, 4)), min_size=5, max_size=5))
def test_the_covariance_of_two_seasons_is_that_of_every_order_of_years(rows: list[tuple[int, bool, int]]) -> None:
    """Dietz and Killeen: both seasons of a year move together. Enumerated over all 5! orders of the years."""
    years = list(range(5))
    orders = list(permutations([((a, mark), (b, False)) for a, mark, b in rows]))
    first = [plain_s(years, [one for one, _ in order]) for order in orders]
    second = [plain_s(years, [other for _, other in order]) for order in orders]
    one, other = signs(marked([row[:2] for row in rows])), signs(censored_sample([row[2] for row in rows]))
    expected = float(np.cov(first, second, ddof=0)[0, 1])
    assert permutation_covariance(time_signs(np.arange(5.0)), one, other) == pytest.approx(expected, abs=1e-9)


def test_equal_seasons_carry_no_more_than_one() -> None:
    """Four copies of one season: S is 4 S, the sum of variances 4 V, but with covariances 16 V: Z hardly moves."""
    season = [3, 1, 4, 2, 6, 5, 8, 7, 10, 9]
    years, names = list(range(10)) * 4, [name for name in range(4) for _ in range(10)]
    one = kendall(range(10), censored_sample(season))
    plain = seasonal_kendall(years, names, censored_sample(season * 4))
    corrected = seasonal_kendall(years, names, censored_sample(season * 4), covariance=True)
    assert isinstance(plain, SeasonalKendall)
    assert isinstance(corrected, SeasonalKendall)
    assert (plain.s, plain.variance) == (4 * one.s, pytest.approx(4 * one.variance))
    assert corrected.variance == pytest.approx(16 * one.variance)
    assert corrected.z == pytest.approx((4 * one.s - 1) / (4 * math.sqrt(one.variance)))
    assert corrected.p > plain.p


def test_a_missing_season_of_a_year_is_the_mid_rank_of_hirsch_and_slack() -> None:
    """cov = (K + 4 sum R R' - n (n_g + 1)(n_h + 1)) / 3 with the mid rank for the missing one, worked in the test."""
    years = list(range(10))
    g, h = [2, 1, 3, 5, 4, 6, 7, 9, 8, 10], [1, 2, 4, 3, 5, 7, 6, 8, 9]  # h lacks the last year
    k = sum(np.sign(g[j] - g[i]) * np.sign(h[j] - h[i]) for i in range(9) for j in range(i + 1, 9))
    ranks = [*h, 5.0]
    covariance = (k + 4 * sum(a * b for a, b in zip(g, ranks, strict=True)) - 10 * 11 * 10) / 3
    rows = censored_sample([*g, *h])
    plain = seasonal_kendall(years + years[:9], [1] * 10 + [2] * 9, rows)
    found = seasonal_kendall(years + years[:9], [1] * 10 + [2] * 9, rows, covariance=True)
    assert isinstance(plain, SeasonalKendall)
    assert isinstance(found, SeasonalKendall)
    assert found.variance - plain.variance == pytest.approx(2 * covariance)


def test_the_correction_says_how_many_years_are_missing() -> None:
    found = seasonal_kendall([1, 2, 3], [1, 1, 1], censored_sample([1, 2, 3]), covariance=True)
    assert isinstance(found, Insufficient)
    assert (found.missing, found.what) == (7, "years")


def test_one_season_is_the_plain_test() -> None:
    found, plain = (
        seasonal_kendall(range(12), [1] * 12, censored_sample(range(12))),
        kendall(range(12), censored_sample(range(12))),
    )
    assert isinstance(found, SeasonalKendall)
    assert (found.s, found.variance, found.p) == (plain.s, plain.variance, plain.p)


def test_two_results_in_one_season_are_refused() -> None:
    with pytest.raises(BadQuestion, match="two results"):
        seasonal_kendall([1, 1, 2], [1, 1, 1], censored_sample([1, 2, 3]))


@given(st.lists(st.integers(-9, 9), min_size=5, max_size=12), st.lists(st.integers(1, 4), min_size=12, max_size=12))
def test_the_slope_is_theil_and_sens(values: list[int], gaps: list[int]) -> None:
    times = np.cumsum(gaps)[: len(values)].tolist()
    assert slope(times, censored_sample(values)).slope == pytest.approx(theilslopes(values, times).slope, abs=1e-12)


def test_a_slope_with_non_detects_by_hand() -> None:
    """t 0 1 2 3 with <2 1 4 6: all six pairs may rise, so S starts at 6. Pairs with <2 take 1 each at -1, 1, 4/3; two
    detects take 2 each at 2, 2.5, 3: S is 5, 4, 3, 1, -1, and crosses zero at 2.5."""
    found = slope(range(4), hidden("<2 1 4 6"))
    assert (found.slope, found.n_pairs) == (2.5, 6)
    assert found.method.startswith("Akritas-Theil-Sen")


def residual_s(times: Sequence[float], rows: Sequence[tuple[int, bool]], b: float) -> int:
    """S of the residuals as their definition reads: a non-detect stays "less than" its shifted limit."""
    return plain_s(times, [(value - b * t, mark) for t, (value, mark) in zip(times, rows, strict=True)])


@given(st.lists(st.tuples(st.integers(1, 9), st.booleans()), min_size=4, max_size=9))
def test_the_slope_is_where_s_of_the_residuals_changes_sign(rows: list[tuple[int, bool]]) -> None:
    found = sen_slope(range(len(rows)), marked(rows))
    far = 1e3
    if isinstance(found, Insufficient):
        ends = residual_s(range(len(rows)), rows, -far), residual_s(range(len(rows)), rows, far)
        assert min(abs(one) for one in ends) == 0
        return
    below, above = found.slope - 1e-6, found.slope + 1e-6
    assert residual_s(range(len(rows)), rows, below) >= 0 >= residual_s(range(len(rows)), rows, above)


def test_all_early_non_detects_bound_the_slope_from_one_side_only() -> None:
    found = sen_slope(range(3), hidden("<1 <1 5"))
    assert isinstance(found, Insufficient)
    assert "bound the slope" in found.reason


def test_too_few_pairs_leave_the_interval_open() -> None:
    found = slope(range(4), censored_sample([1, 3, 2, 5]), confidence=0.999)
    assert (found.low, found.high) == (None, None)


@given(st.lists(st.integers(0, 20), min_size=8, max_size=20))
def test_a_wider_confidence_has_a_wider_interval(values: list[int]) -> None:
    narrow, wide = (slope(range(len(values)), censored_sample(values), one) for one in (0.5, 0.9))
    assert narrow.low is not None
    assert narrow.high is not None
    assert narrow.low <= narrow.slope <= narrow.high
    assert wide.low is None or wide.low <= narrow.low
    assert wide.high is None or wide.high >= narrow.high


@given(MARKED, st.randoms(use_true_random=False), st.sampled_from([0.001, 1000.0]))
def test_order_of_rows_unit_and_direction_of_time(rows: list[tuple[int, bool]], random: Random, scale: float) -> None:
    times = list(range(len(rows)))
    one = mann_kendall(times, marked(rows))
    assume(isinstance(one, MannKendall))
    assert isinstance(one, MannKendall)
    mixed = random.sample(times, len(times))
    assert kendall(mixed, marked([rows[at] for at in mixed])) == one
    scaled = censored_sample([scale * value for value, _ in rows], [mark for _, mark in rows])
    assert kendall(times, scaled).s == one.s
    assert kendall([-t for t in times], marked(rows)).s == -one.s
    line = sen_slope(times, marked(rows))
    if isinstance(line, SenSlope):
        assert slope(times, scaled).slope == pytest.approx(scale * line.slope)


def test_nothing_but_ties_is_no_answer() -> None:
    for text in ("<1 <1 <2 <5", "3 3 3 3", "<5 1 <5 1"):
        found = mann_kendall(range(4), hidden(text))
        assert isinstance(found, Insufficient)
        assert found.what == "pairs of which one result is known to be larger"
    short = mann_kendall([1, 2], censored_sample([1, 2]))
    assert isinstance(short, Insufficient)
    assert short.missing == 2


def test_bad_times_are_refused() -> None:
    for times in ([1, 2], [1, 2, float("nan")]):
        with pytest.raises(BadQuestion, match="time"):
            mann_kendall(times, censored_sample([1, 2, 3]))


def plain_inflation(values: Sequence[float]) -> float:
    """Hamed and Rao's factor, term by term from the formula, after the Sen slope is taken out."""
    n = len(values)
    b = float(np.median([(values[j] - values[i]) / (j - i) for i in range(n) for j in range(i + 1, n)]))
    flat = [value - b * at for at, value in enumerate(values)]
    ranks = [sum(other < one for other in flat) + (sum(other == one for other in flat) + 1) / 2 for one in flat]
    centred = [one - (n + 1) / 2 for one in ranks]
    total = 0.0
    for k in range(1, n):
        r = sum(centred[i] * centred[i + k] for i in range(n - k)) / sum(one * one for one in centred)
        if abs(r) > 1.959963984540054 / math.sqrt(n):
            total += (n - k) * (n - k - 1) * (n - k - 2) * r
    return 1 + 2 * total / (n * (n - 1) * (n - 2))


WAVE = [round(50 + 10 * math.sin(at / 3), 3) + at / 7 for at in range(24)]


def test_dependence_widens_the_variance() -> None:
    found, plain = hamed_rao(range(24), censored_sample(WAVE)), kendall(range(24), censored_sample(WAVE))
    assert isinstance(found, Corrected)
    assert found.factor == pytest.approx(plain_inflation(WAVE))
    assert found.factor > 1.2
    assert found.test.variance == pytest.approx(plain.variance * found.factor)
    assert (found.test.s, found.test.p > plain.p) == (plain.s, True)


def test_negative_dependence_never_sharpens_the_test() -> None:
    found = hamed_rao(range(20), censored_sample([10 * (at % 2) + at for at in range(20)]))
    assert isinstance(found, Corrected)
    assert plain_inflation([10 * (at % 2) + at for at in range(20)]) < 1
    assert found.factor == 1.0


def test_the_correction_wants_even_times_detects_and_ten_results() -> None:
    with pytest.raises(BadQuestion, match="evenly"):
        hamed_rao([*range(11), 30], censored_sample(range(12)))
    with pytest.raises(BadQuestion, match="non-detects"):
        hamed_rao(range(12), censored_sample(range(12), [True] + [False] * 11))
    found = hamed_rao(range(6), censored_sample(range(6)))
    assert isinstance(found, Insufficient)
    assert found.missing == 4
