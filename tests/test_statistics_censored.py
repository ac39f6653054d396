"""Kaplan-Meier and ROS against printed results, a hand-worked sample and Efron's redistribution done by hand."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.statistics.censored import CensoredSample, Insufficient, censored_sample
from models.statistics.kaplan_meier import KaplanMeier, Quantile, kaplan_meier
from models.statistics.ros import Ros, plotting_positions, ros

# EPA (2009) Unified Guidance, Example 15-1: manganese [ppb] in five background wells.
MANGANESE = """<5 12.1 16.9 21.6 <2  <5 7.7 53.6 9.5 45.9  <5 5.3 12.6 106.3 34.5  6.3 11.9 10 <2 77.2
               17.9 22.7 3.3 8.4 <2"""
# Oahu arsenic [ug/L], Helsel (2005) Nondetects and Data Analysis.
ARSENIC = "3.2 2.8 <2 <2 <2 <2 <2 <2 <2 <2 1.7 1.5 <1 <1 <1 <1 0.9 <0.9 0.7 0.7 0.6 0.5 0.5 0.5"
# Newman, Quantitative Ecotoxicology, p. 35 and p. 39: sulfate.
SULFATE_35 = "<2.5 <2.5 2.6 3.3 3.5 3.5 3.6 4.0 4.1 4.5 5.2 5.6 5.7 6.1 6.2 6.5 6.9 7.1 7.7 7.9 9.9"
SULFATE_39 = "7.9 7.7 7.1 6.9 6.5 6.2 6.1 5.7 5.6 5.2 4.5 4.1 4.0 3.6 3.5 3.5 3.3 2.6 <2.5 <2.5"


def sample(text: str) -> CensoredSample:
    words = text.split()
    return censored_sample([float(word.strip("<")) for word in words], [word[0] == "<" for word in words])


def fitted(text: str) -> KaplanMeier:
    found = kaplan_meier(sample(text), minimum_detects=1, largest_censored_share=0.99)
    assert isinstance(found, KaplanMeier)
    return found


def filled(text: str) -> Ros:
    found = ros(sample(text))
    assert isinstance(found, Ros)
    return found


def test_kaplan_meier_of_the_unified_guidance_manganese() -> None:
    """Example 15-1 (p. 15-10 to 15-13) as EnvStats prints it (enparCensored): mean 19.867000, SD 25.317737."""
    found = fitted(MANGANESE)
    assert round(found.mean, 6) == 19.867
    assert round(found.population_sd, 6) == 25.317737
    assert (found.n, found.n_censored) == (25, 6)


def test_kaplan_meier_of_the_logarithms() -> None:
    """The same example on the log scale: printed mean 2.3092890, SD 1.1816102 (guidance: 2.31, 1.18)."""
    raw = sample(MANGANESE)
    found = kaplan_meier(CensoredSample(np.log(raw.values), raw.censored))
    assert isinstance(found, KaplanMeier)
    assert (round(found.mean, 7), round(found.population_sd, 7)) == (2.3092890, 1.1816102)


def test_kaplan_meier_median_of_the_sulfate() -> None:
    """Newman p. 39 prints the median 3.15 of 8 - x, the same by SAS and by R: x = 4.85."""
    assert fitted(SULFATE_39).quantile(0.5) == Quantile(pytest.approx(4.85), below=False)


def test_kaplan_meier_by_hand() -> None:
    """<1 2 <3 4: at 4 four are at or below, F = 3/4 below it; at 2 only <1 and 2 are, F = 3/8 below it, set at 1."""
    found = fitted("<1 2 <3 4")
    assert found.values.tolist() == [1, 2, 4]
    assert found.weights.tolist() == pytest.approx([3 / 8, 3 / 8, 1 / 4])
    assert found.mean == pytest.approx(2.125)
    assert found.residual == pytest.approx(3 / 8)


def test_a_non_detect_at_the_value_of_a_detect_lies_below_it() -> None:
    """<2 2 4: all three are at or below 4, two at or below 2: weights 1/3 at 4, 1/3 at 2, 1/3 left at the limit 2."""
    found = fitted("<2 2 4")
    assert found.mean == pytest.approx((2 + 2 + 4) / 3)
    assert found.residual == pytest.approx(1 / 3)


def test_a_quantile_among_the_non_detects_is_only_known_to_be_below() -> None:
    found = fitted("<2 <2 <2 <2 5 9")
    assert found.quantile(0.5) == Quantile(2.0, below=True)
    assert found.quantile(0.9) == Quantile(9.0, below=False)
    with pytest.raises(BadQuestion):
        found.quantile(1.0)


def test_a_non_detect_above_every_detect_changes_nothing_but_the_count() -> None:
    with_it, without = fitted("1 2 3 <9"), fitted("1 2 3")
    assert (with_it.mean, with_it.population_sd, with_it.n) == (without.mean, without.population_sd, 4)


def test_ros_plotting_positions_of_the_unified_guidance() -> None:
    """Example 15-2, the detects in order: plotting position and z as printed (three decimals)."""
    printed = [0.245, 0.318, 0.356, 0.394, 0.432, 0.469, 0.507, 0.545, 0.583, 0.621, 0.659, 0.697, 0.735, 0.773,
               0.811, 0.848, 0.886, 0.924, 0.962]  # fmt: skip
    raw = sample(MANGANESE)
    found = sorted(plotting_positions(raw)[~raw.censored])
    assert [round(float(one), 3) for one in found] == printed


def test_ros_of_the_unified_guidance_manganese() -> None:
    """Printed: mean 19.827673, coefficient of variation 1.304725; of the logarithms 2.277175 and 1.261431."""
    found = filled(MANGANESE)
    assert (round(found.mean, 6), round(found.sd / found.mean, 6)) == (19.827673, 1.304725)
    logs = np.log(found.values)
    assert (round(logs.mean(), 6), round(logs.std(ddof=1), 6)) == (2.277175, 1.261431)


def test_ros_of_the_oahu_arsenic() -> None:
    """The filled-in values as printed: eight under <2, four under <1, one under <0.9."""
    printed = sorted([1.42, 1.14, 0.95, 0.81, 0.68, 0.57, 0.46, 0.35, 0.98, 0.76, 0.58, 0.41, 0.61])
    found = filled(ARSENIC)
    hidden = sample(ARSENIC).censored
    assert sorted(round(float(one), 2) for one in found.values[hidden]) == printed
    assert found.values[~hidden].tolist() == sample(ARSENIC).detects.tolist()


def test_ros_of_the_sulfate() -> None:
    """Newman p. 35: mean 5.158, SD 2.071, the same by SAS and by R."""
    found = filled(SULFATE_35)
    assert (round(found.mean, 3), round(found.sd, 3)) == (5.158, 2.071)
    assert (found.n, found.n_censored, found.excluded) == (21, 2, 0)


def test_ros_says_which_non_detects_it_left_out() -> None:
    found = filled("<1 2 3 4 5 <50")
    assert (found.n, found.n_censored, found.excluded, len(found.values)) == (6, 2, 1, 5)


def test_ros_counts_what_it_filled_in_above_a_limit() -> None:
    """The fitted line gives 0.93 and 1.25 for the two non-detects below 1: published, and said."""
    assert filled("<1 <1 2 2 3 4 4 6").above_limit == 1
    assert filled(SULFATE_35).above_limit == 0


def test_a_lognormal_fit_refuses_a_zero() -> None:
    with pytest.raises(BadQuestion, match="lognormal"):
        ros(sample("<1 0 2 3 4"))


@pytest.mark.parametrize("method", [kaplan_meier, ros])
def test_too_few_detects_are_counted(method: Callable[..., object]) -> None:
    found = method(sample("<1 <1 5 7"), minimum_detects=5)
    assert isinstance(found, Insufficient)
    assert (found.have, found.needed, found.missing) == (2, 5, 3)
    assert found.reason == "2 of 5 detected results: 3 missing (2 of 4 not detected)"


def test_too_large_a_share_of_non_detects_says_how_many_detects_would_do() -> None:
    """17 of 20 censored: 3 detects. x more detects make (3 + x) / (20 + x) >= 1/5 at x = 1.25, so 2."""
    found = kaplan_meier(sample("<1 " * 17 + "5 6 7"))
    assert isinstance(found, Insufficient)
    assert (found.have, found.missing) == (3, 2)
    assert isinstance(kaplan_meier(sample("<1 " * 17 + "5 6 7 8 9")), KaplanMeier)


def test_nothing_is_estimated_from_non_detects_alone() -> None:
    assert isinstance(kaplan_meier(sample("<1 <2 <3")), Insufficient)
    assert isinstance(kaplan_meier(sample("")), Insufficient)
    assert isinstance(kaplan_meier(sample("5"), minimum_detects=1), Insufficient)


@pytest.mark.parametrize(("values", "marks"), [([1.0], [True, False]), ([float("nan")], [False]), ([[1.0]], [[False]])])
def test_a_malformed_sample_is_refused(values: list[float], marks: list[bool]) -> None:
    with pytest.raises(BadQuestion):
        censored_sample(values, marks)


ROWS = st.lists(st.tuples(st.integers(1, 12), st.booleans()), min_size=3, max_size=15).filter(
    lambda rows: sum(not hidden for _, hidden in rows) >= 2
)


def as_sample(rows: list[tuple[int, bool]], scale: float = 1.0) -> CensoredSample:
    return censored_sample([scale * value for value, _ in rows], [hidden for _, hidden in rows])


def estimate(rows: list[tuple[int, bool]], scale: float = 1.0) -> KaplanMeier:
    found = kaplan_meier(as_sample(rows, scale), largest_censored_share=0.99)
    assert isinstance(found, KaplanMeier)
    return found


def redistributed(rows: list[tuple[int, bool]]) -> Fraction:
    """Efron's redistribution: from the highest down a non-detect hands its mass to all that lie below it, in exact
    fractions; one with nothing below keeps it. A detect equal to a limit lies above it."""
    ordered = sorted(rows, key=lambda row: (row[0], not row[1]), reverse=True)
    mass = [Fraction(1, len(ordered))] * len(ordered)
    for place, (value, hidden) in enumerate(ordered):
        below = range(place + 1, len(ordered))
        if hidden and any((row[0], not row[1]) < (value, False) for row in ordered[place + 1 :]):
            lower = [one for one in below if (ordered[one][0], not ordered[one][1]) < (value, False)]
            equal = [one for one in below if one not in lower]
            pool = lower + equal
            for one in pool:
                mass[one] += mass[place] / len(pool)
            mass[place] = Fraction(0)
    return sum((m * value for m, (value, _) in zip(mass, ordered, strict=True)), Fraction(0))


@given(ROWS)
def test_kaplan_meier_is_efrons_redistribution(rows: list[tuple[int, bool]]) -> None:
    assert estimate(rows).mean == pytest.approx(float(redistributed(rows)))


@given(ROWS)
def test_the_mean_lies_between_non_detects_at_zero_and_at_their_limits(rows: list[tuple[int, bool]]) -> None:
    at_limits = float(np.mean([value for value, _ in rows]))
    at_zero = float(np.mean([0 if hidden else value for value, hidden in rows]))
    assert at_zero - 1e-9 <= estimate(rows).mean
    highest = max(value for value, hidden in rows if not hidden)
    if all(value <= highest for value, _ in rows):
        assert estimate(rows).mean <= at_limits + 1e-9


@given(ROWS, st.randoms(use_true_random=False), st.sampled_from([0.001, 0.5, 1000.0]))
def test_order_copies_and_units(rows: list[tuple[int, bool]], random: Random, scale: float) -> None:
    once = estimate(rows)
    shuffled = random.sample(rows, len(rows))
    assert estimate(shuffled).mean == pytest.approx(once.mean)
    assert estimate(rows * 3).mean == pytest.approx(once.mean)
    assert estimate(rows * 3).population_sd == pytest.approx(once.population_sd)
    assert estimate(rows, scale).mean == pytest.approx(scale * once.mean)
    assert estimate(rows, scale).sd == pytest.approx(scale * once.sd)


@given(st.lists(st.integers(1, 50), min_size=3, max_size=20))
def test_without_non_detects_both_are_the_ordinary_statistics(values: list[int]) -> None:
    rows = [(value, False) for value in values]
    fit = ros(as_sample(rows))
    assert isinstance(fit, Ros)
    assert (fit.mean, fit.sd) == pytest.approx((np.mean(values), np.std(values, ddof=1)))
    assert (estimate(rows).mean, estimate(rows).sd) == pytest.approx((fit.mean, fit.sd))
    assert estimate(rows).quantile(0.5).value == pytest.approx(np.median(values))


@given(ROWS, st.randoms(use_true_random=False), st.sampled_from([0.001, 1000.0]))
def test_ros_does_not_heed_order_and_follows_the_unit(
    rows: list[tuple[int, bool]], random: Random, scale: float
) -> None:
    def both(found: object) -> tuple[float, float]:
        assert isinstance(found, Ros)
        return found.mean, found.sd

    once = both(ros(as_sample(rows), minimum_detects=2, largest_censored_share=0.99))
    shuffled = as_sample(random.sample(rows, len(rows)))
    assert both(ros(shuffled, minimum_detects=2, largest_censored_share=0.99)) == pytest.approx(once)
    scaled = both(ros(as_sample(rows, scale), minimum_detects=2, largest_censored_share=0.99))
    assert scaled == pytest.approx((scale * once[0], scale * once[1]), abs=1e-9 * scale)
