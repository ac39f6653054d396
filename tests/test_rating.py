"""Stage to flow: rating tables, shifts, and ratings fitted to field measurements."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import linregress, t

from models.errors import BadQuestion
from models.streamflow.power_rating import fit_power_rating, predict, rate_power
from models.streamflow.rating import rate, rating_table
from models.streamflow.rating_shift import Shift, shift_at

STAGE = [2.5, 3.0, 4.0, 6.0]
SQUARE = [4.0, 16.0, 64.0, 256.0]
"""Q = 16 (h - 2)^2."""
DAY = 86_400_000


def square(**more):
    return rating_table(STAGE, SQUARE, offsets=(2.0,), **more)


# ---- tables ----


def test_logarithmic_expansion_by_hand():
    """Between 3.0 (16 cfs) and 4.0 (64): ln q rises by ln 4 while ln(h - 2) rises by ln 2, so q = 16 (h - 2)^2."""
    found = rate(square(), [2.5, 2.75, 3.5, 5.0, 6.0])
    assert found.flow == pytest.approx([4, 9, 36, 144, 256], rel=1e-12)
    assert found.reason.tolist() == [""] * 5


def test_linear_expansion_by_hand():
    found = rate(square(expansion="linear"), [2.75, 3.5, 5.0])
    assert found.flow == pytest.approx([10, 40, 160])


def test_the_offset_decides_between_the_rows():
    """Without an offset: 16 (3.5 / 3)^p, p = ln 4 / ln(4/3) = 4.8188, is 33.63 and not 36."""
    assert rate(rating_table(STAGE, SQUARE), 3.5).flow == pytest.approx(33.63, abs=0.005)


@pytest.mark.parametrize(("c", "n"), [(2.47, 2.5), (2.49, 2.48)])
def test_the_printed_equation_of_a_90_degree_v_notch(c, n):
    """Q = 2.47 h^2.5 and the Cone formula 2.49 h^2.48, crest at 1.20 ft: four rows hold the whole curve."""
    head = np.array([0.2, 0.5, 0.9, 1.4])
    between = np.linspace(0.2, 1.4, 25)
    found = rate(rating_table(head + 1.2, c * head**n, offsets=(1.2,)), between + 1.2)
    assert found.flow == pytest.approx(c * between**n, rel=1e-9)


def test_a_second_offset_takes_over_at_its_breakpoint():
    """Above 4.0 ft Q = 4 h^2: at 5.0 ft 100 cfs, where the first offset would give 99.4."""
    table = rating_table([3.0, 4.0, 6.0], [16.0, 64.0, 144.0], offsets=(2.0, 0.0), breakpoints=(4.0,))
    assert rate(table, [3.5, 4.0, 5.0]).flow == pytest.approx([36, 64, 100])


def test_no_flow_has_no_logarithm():
    table = rating_table([2.0, 2.5, 3.0], [0.0, 4.0, 16.0], offsets=(2.0,))
    assert rate(table, [2.0, 2.25, 2.75]).flow == pytest.approx([0, 2, 9])


def test_never_beyond_the_table():
    found = rate(square(), [2.49, 6.01, np.nan])
    assert np.isnan(found.flow).all()
    assert found.reason.tolist() == ["below the rating, 2.5 ft", "above the rating, 6 ft", "stage or shift unknown"]


def test_the_end_itself_is_inside_though_binary_sums_miss_it():
    assert 0.3 - 0.1 < 0.2
    assert 1.1 + 2.2 > 3.3
    table = rating_table([0.2, 1.0, 3.3], [1.0, 5.0, 50.0])
    assert rate(table, [0.3, 1.1], [-0.1, 2.2]).flow.tolist() == [1, 50]


def test_a_shift_is_added_to_the_stage():
    assert rate(square(), [3.6, 3.4], [-0.1, 0.1]).flow == pytest.approx([36, 36])
    assert rate(square(), 3.6, np.nan).reason == "stage or shift unknown"


def test_rounded_rows_between_the_stored_points_are_left_out():
    table = rating_table([3.0, 3.5, 4.0], [16.0, 35.0, 64.0], stored=[True, False, True], offsets=(2.0,))
    assert rate(table, 3.5).flow == pytest.approx(36)
    # A table without marks is taken as it stands.
    plain = rating_table([3.0, 3.5, 4.0], [16.0, 35.0, 64.0], stored=[False] * 3, offsets=(2.0,))
    assert rate(plain, 3.5).flow == pytest.approx(35)


def test_a_shift_adjusted_table_gives_its_base_back():
    """exsa: INDEP 3.10 with SHIFT -0.10 has the discharge of base stage 3.00; no shift is applied twice."""
    base = rating_table([3.1, 4.1, 6.0], [16.0, 64.0, 256.0], shift=[-0.1, -0.1, 0.0], offsets=(2.0,))
    assert base.stage.tolist() == [3.0, 4.0, 6.0]
    assert rate(base, 3.6, -0.1).flow == pytest.approx(36)


@pytest.mark.parametrize(
    ("stage", "discharge", "more", "key"),
    [
        ([1.0], [1.0], {}, "INDEP"),
        ([1.0, 1.0], [1.0, 2.0], {}, "INDEP"),
        ([1.0, np.nan], [1.0, 2.0], {}, "INDEP"),
        ([1.0, 2.0], [2.0, 1.0], {}, "DEP"),
        ([1.0, 2.0], [-1.0, 1.0], {}, "DEP"),
        ([1.0, 2.0], [1.0], {}, "DEP"),
        ([1.0, 2.0], [1.0, 2.0], {"expansion": "cubic"}, "EXPANSION"),
        ([1.0, 2.0], [1.0, 2.0], {"offsets": (0.0, 0.5)}, "OFFSET1"),
        ([1.0, 2.0], [1.0, 2.0], {"offsets": (0.0, 0.5, 0.6), "breakpoints": (2.0, 1.0)}, "BREAKPOINT1"),
    ],
)
def test_a_bad_table_is_refused(stage, discharge, more, key):
    with pytest.raises(BadQuestion, match=key):
        rating_table(stage, discharge, **more)


@settings(deadline=None)
@given(
    st.lists(st.floats(0.01, 5), min_size=2, max_size=8),
    st.lists(st.floats(0, 500), min_size=8, max_size=8),
    st.floats(-3, 3),
    st.sampled_from(["logarithmic", "linear"]),
)
def test_a_rating_is_monotone_and_hits_its_rows(steps, rises, offset, expansion):
    stage = np.cumsum(steps)
    discharge = np.cumsum(rises[: stage.size])
    table = rating_table(stage, discharge, expansion=expansion, offsets=(offset,))
    assert rate(table, stage).flow == pytest.approx(discharge, rel=1e-9)
    flow = rate(table, np.linspace(stage[0], stage[-1], 200)).flow
    assert (np.diff(flow) >= -1e-9 * discharge[-1]).all()


# ---- shifts ----


def test_a_shift_is_prorated_between_its_dates_and_held_after_the_last():
    shifts = (Shift.constant(10 * DAY, 0.0), Shift.constant(20 * DAY, -0.20), Shift.constant(30 * DAY, 0.10))
    when = np.array([5, 10, 15, 20, 25, 30, 99]) * DAY
    stage = np.full(7, 3.0)
    assert shift_at(shifts, when, stage) == pytest.approx([0, 0, -0.10, -0.20, -0.05, 0.10, 0.10])
    assert shift_at(shifts, when, stage, prorated=False) == pytest.approx([0, 0, 0, -0.20, -0.20, 0.10, 0.10])
    assert shift_at((), when, stage).tolist() == [0.0] * 7


def test_a_first_shift_does_not_reach_back():
    only = (Shift.constant(10 * DAY, -0.3),)
    assert shift_at(only, np.array([9, 10, 11]) * DAY, np.full(3, 3.0)).tolist() == [0, -0.3, -0.3]


def test_a_shift_by_stage_fades_out_above_its_last_point():
    """Weed: -0.2 ft at 2.5 ft, none from 4.5 ft up; half of it at 3.5 ft."""
    weed = Shift(0, ((2.5, -0.2), (4.5, 0.0)))
    assert shift_at((weed,), [0, 0, 0, 0], [2.0, 2.5, 3.5, 6.0]) == pytest.approx([-0.2, -0.2, -0.1, 0.0])
    clean = Shift.constant(10 * DAY, 0.0)
    assert shift_at((weed, clean), [5 * DAY], [3.5]) == pytest.approx([-0.05])
    assert np.isnan(shift_at((weed,), [0], [np.nan])).all()


@pytest.mark.parametrize(
    "shifts",
    [
        (Shift.constant(5, 0.1), Shift.constant(5, 0.2)),
        (Shift(0, ()),),
        (Shift(0, ((2.0, 0.1), (1.0, 0.2))),),
        (Shift.constant(0, math.nan),),
    ],
)
def test_bad_shifts_are_refused(shifts):
    with pytest.raises(BadQuestion):
        shift_at(shifts, [0], [1.0])


def test_each_reading_needs_its_time():
    with pytest.raises(BadQuestion, match="stage"):
        shift_at((), [0, 1], [1.0])


# ---- fitted ratings ----


HEAD = np.array([0.31, 0.42, 0.50, 0.58, 0.66, 0.75, 0.84, 0.93, 1.05, 1.16, 1.30, 1.44])
NOISE = np.array([0.04, -0.03, 0.05, -0.06, 0.01, 0.02, -0.04, 0.03, -0.02, 0.05, -0.05, 0.01])


@pytest.mark.parametrize(("c", "n", "zero"), [(2.47, 2.5, 1.20), (14.0, 1.5, -0.35), (3.3, 1.67, 97.2)])
def test_a_printed_equation_is_found_from_exact_measurements(c, n, zero):
    found = fit_power_rating(HEAD + zero, c * HEAD**n)
    assert (found.a, found.b, found.h0) == pytest.approx((c, n, zero), rel=1e-4)
    assert found.standard_error < 1e-5
    assert found.warnings == ()
    assert rate_power(found, zero + 1.0).flow == pytest.approx([c], rel=1e-6)


def test_with_a_surveyed_zero_it_is_a_straight_line_in_logarithms():
    """Coefficients, standard error and the textbook prediction interval, by another library's regression."""
    flow = 2.47 * HEAD**2.5 * np.exp(NOISE)
    found = fit_power_rating(HEAD + 1.2, flow, h0=1.2)
    x, y = np.log(HEAD), np.log(flow)
    line = linregress(x, y)
    assert (found.b, math.log(found.a)) == pytest.approx((line.slope, line.intercept))
    s = math.sqrt(((y - line.intercept - line.slope * x) ** 2).sum() / 10)
    assert found.standard_error == pytest.approx(s)
    assert found.standard_error_percent == pytest.approx(100 * math.sqrt(math.exp(s * s) - 1))
    at = math.log(0.7)
    reach = t.ppf(0.95, 10) * s * math.sqrt(1 + 1 / 12 + (at - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum())
    told = predict(found, 1.9, level=0.90)
    middle = line.intercept + line.slope * at
    expected = [math.exp(middle + k * reach) for k in (-1, 0, 1)]
    assert [told.low[0], told.flow[0], told.high[0]] == pytest.approx(expected, rel=1e-9)


def test_a_searched_zero_has_no_better_neighbour_and_costs_certainty():
    flow = 2.47 * HEAD**2.5 * np.exp(NOISE)
    found = fit_power_rating(HEAD + 1.2, flow)
    at_zero = [fit_power_rating(HEAD + 1.2, flow, h0=found.h0 + step) for step in (-0.05, 0.0, 0.05)]
    error = [one.standard_error for one in at_zero]
    assert error[1] < min(error[0], error[2])
    # The zero is one more fitted number: ten degrees of freedom become nine, and the interval opens near zero flow.
    assert found.standard_error == pytest.approx(error[1] * math.sqrt(10 / 9), rel=1e-6)
    searched, surveyed = predict(found, 1.51), predict(at_zero[1], 1.51)
    widths = [math.log(one.high[0] / one.low[0]) for one in (searched, surveyed)]
    assert widths[0] > 1.15 * widths[1]


def test_the_prediction_interval_holds_what_it_promises():
    """300 made-up ratings of 15 measurements with 8 % error: a further measurement falls inside 95 of 100 times."""
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(300):
        head = rng.uniform(0.3, 2, 15)
        found = fit_power_rating(head + 1.2, 2.47 * head**2.5 * np.exp(rng.normal(0, 0.08, 15)))
        stage = rng.uniform(found.lowest, found.highest)
        told = predict(found, stage)
        inside += bool(told.low[0] <= 2.47 * (stage - 1.2) ** 2.5 * math.exp(rng.normal(0, 0.08)) <= told.high[0])
    assert 0.92 <= inside / 300 <= 0.98


def test_a_fitted_rating_ends_with_its_measurements():
    found = fit_power_rating(HEAD + 1.2, 2.47 * HEAD**2.5)
    told = predict(found, [1.50, 1.51, 2.64, 2.65, np.nan])
    assert np.isfinite(told.flow).tolist() == [False, True, True, False, False]
    assert np.isfinite(told.low).tolist() == np.isfinite(told.high).tolist() == np.isfinite(told.flow).tolist()
    assert told.reason[0] == "below the rating, 1.51 ft"
    with pytest.raises(BadQuestion, match="level"):
        predict(found, 2.0, level=95)


def test_weak_ratings_say_so():
    few = fit_power_rating(HEAD[:6] + 1.2, 2.47 * HEAD[:6] ** 2.5 * np.exp(NOISE[:6]))
    assert any("6 measurements" in one for one in few.warnings)
    dry = fit_power_rating(np.append(HEAD + 1.2, [1.1, np.nan]), np.append(2.47 * HEAD**2.5, [0.0, 3.0]))
    assert (dry.n, dry.without_flow) == (12, 1)
    assert dry.warnings == ("measurements of no flow, left out: 1",)
    # Exponential in stage: the farther the zero, the better the fit, without end.
    endless = fit_power_rating(HEAD + 1.2, np.exp(3 * HEAD))
    assert any("survey it" in one for one in endless.warnings)


@pytest.mark.parametrize(
    ("stage", "discharge", "h0", "words"),
    [
        (HEAD[:4], HEAD[:4], None, "too few measurements"),
        ([1.0, 1.0, 1.0, 2.0, 2.0], [1.0, 1.1, 1.0, 2.0, 2.1], None, "too few measurements"),
        (HEAD, -HEAD, None, "negative"),
        (HEAD, 1 / HEAD, None, "does not rise"),
        (HEAD, HEAD, 0.31, "at or below the stage of zero flow"),
        (HEAD, HEAD[:5], None, "differ in length"),
    ],
)
def test_measurements_that_make_no_rating_are_refused(stage, discharge, h0, words):
    with pytest.raises(BadQuestion, match=words):
        fit_power_rating(stage, discharge, h0=h0)


@settings(deadline=None)
@given(st.floats(0.5, 4), st.floats(0.05, 50), st.floats(-5, 5))
def test_fitted_flow_rises_with_stage_inside_its_interval(b, a, zero):
    found = fit_power_rating(HEAD + zero, a * HEAD**b * np.exp(NOISE))
    told = predict(found, np.linspace(found.lowest, found.highest, 50))
    assert (np.diff(told.flow) > 0).all()
    assert ((told.low < told.flow) & (told.flow < told.high)).all()
