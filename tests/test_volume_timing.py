"""Volumes whose days are not known: what a drawdown or a depletion may be, against every day tried one by one."""

from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from models.aquifer.hunt import hunt_depletion_fraction
from models.aquifer.superposition import superpose
from models.aquifer.theis import theis_drawdown
from models.aquifer.volume_timing import Span, moved
from models.errors import BadQuestion
from models.metered_volumes import Interval
from models.scenario.kinds import of_kind, stopped
from models.scenario.noun import Scenario, StreamOf, day_number
from models.scenario.of_site import site_scenario
from models.scenario.record_says import timing_says
from models.scenario.response import TIMING, depletions_m3_per_d, drawdowns_m, quantities
from models.site import Site
from tests.record_in_memory import site, well

T_M2_D, S = 465.0, 0.15
AT = np.array([5.0, 31.0, 40.0, 300.0])
AQUIFER = {
    "transmissivity_ft2_per_d": {"low": 3000, "best": 5000, "high": 8000},
    "specific_yield": {"low": 0.1, "best": 0.15, "high": 0.2},
    "streambed_conductance_ft_per_d": {"low": 5, "best": 20, "high": 60}, "saturated_thickness_ft": 60,
    "source": "a made-up aquifer",
}  # fmt: skip
ZONE = ZoneInfo("America/Chicago")
MOST_GPD = 20_000.0
GAL_IN_M3 = 264.172052358


def near(elapsed: Any) -> Any:
    return theis_drawdown(1.0, T_M2_D, S, 30.0, elapsed)


def far(elapsed: Any) -> Any:
    return theis_drawdown(1.0, T_M2_D, S, 300.0, elapsed)


def stream(elapsed: Any) -> Any:
    return hunt_depletion_fraction(T_M2_D, S, 200.0, 5.0, elapsed)


def pumped(days: Any, rates: Any, response: Any) -> Any:
    return superpose(days, rates, AT, response)


@pytest.mark.parametrize("response", [near, far, stream])
def test_one_volume_on_whichever_day_without_a_capacity(response: Any) -> None:
    """3,100 m3 in 31 days, all of it on one of them: each day tried by itself."""
    even = pumped([0.0, 31.0], [100.0, 0.0], response)
    days = [pumped([k, k + 1.0], [3100.0, 0.0], response) for k in range(31)]
    less, more = moved([Span(0.0, 31.0, 3100.0, np.inf)], AT, lambda elapsed: np.array([response(elapsed)]))
    scale = np.max(days, axis=0)
    assert (even - less[0]) / scale == pytest.approx(np.min(days, axis=0) / scale, abs=1e-3)
    assert (even + more[0]) / scale == pytest.approx(scale / scale, abs=1e-3)


def test_a_capacity_bounds_what_a_day_may_hold() -> None:
    """200 m3 in four days at 100 a day at most: two full days of the four, six ways; the last day is half a day."""
    span = Span(0.0, 3.5, 200.0, 100.0)
    ways = []
    for full in ((0, 1), (0, 2), (1, 2)):
        ways.append(sum(pumped([k, k + 1.0], [100.0, 0.0], near) for k in full))
    for k, other in ((0, 1), (1, 2), (0, 2), (1, 0), (2, 1), (2, 0)):  # the half day full, and a day and a half before
        half = pumped([3.0, 3.5], [100.0, 0.0], near) + pumped([other, other + 1.0], [50.0, 0.0], near)
        ways.append(half + pumped([k, k + 1.0], [100.0, 0.0], near))
    even = pumped([0.0, 3.5], [200 / 3.5, 0.0], near)
    less, more = moved([span], AT, lambda elapsed: np.array([near(elapsed)]))
    assert even - less[0] == pytest.approx(np.min(ways, axis=0), rel=2e-3)
    assert even + more[0] == pytest.approx(np.max(ways, axis=0), rel=2e-3)


def test_what_may_have_been_pumped_beside_counts_in_most_alone() -> None:
    """Nothing known of ten days: from no water to a pump that ran through; or from 100 to 250 m3, on one day."""
    through = pumped([0.0, 10.0], [100.0, 0.0], far)
    less, more = moved([Span(0.0, 10.0, 0.0, 100.0, np.inf)], AT, lambda elapsed: np.array([far(elapsed)]))
    assert (less[0].max(), more[0]) == (pytest.approx(0, abs=1e-9), pytest.approx(through, rel=2e-3))
    even = pumped([0.0, 10.0], [10.0, 0.0], far)
    days = np.array([pumped([k, k + 1.0], [1.0, 0.0], far) for k in range(10)])
    less, more = moved([Span(0.0, 10.0, 100.0, np.inf, 150.0)], AT, lambda elapsed: np.array([far(elapsed)]))
    assert even + more[0] == pytest.approx(250 * days.max(axis=0), rel=5e-3)
    assert even - less[0] == pytest.approx(100 * days.min(axis=0), rel=5e-3, abs=1e-6)


def test_spans_together_are_the_sum_of_each() -> None:
    spans = [Span(0.0, 7.0, 70.0, 20.0), Span(7.0, 14.0, 10.0, 20.0), Span(14.0, 45.0, 100.0, 20.0)]
    each = [moved([one], AT, lambda elapsed: np.array([near(elapsed), far(elapsed)])) for one in spans]
    less, more = moved(spans, AT, lambda elapsed: np.array([near(elapsed), far(elapsed)]))
    assert less == pytest.approx(sum(one for one, _ in each), rel=1e-3, abs=1e-7)
    assert more == pytest.approx(sum(one for _, one in each), rel=1e-3, abs=1e-7)


def test_nothing_is_moved_that_begins_later() -> None:
    less, more = moved([Span(400.0, 410.0, 70.0, 20.0)], AT, lambda elapsed: np.array([near(elapsed)]))
    assert (less.max(), more.max(), less.shape) == (0, 0, (1, 4))


def ms(day: date) -> int:
    return round(datetime(day.year, day.month, day.day, tzinfo=ZONE).timestamp() * 1000)


JUNE = [date(2025, 6, 1), date(2025, 7, 1)]


def place(capacity: bool = False, **more: Any) -> Site:
    pump = [{"since": date(2025, 1, 1), "capacity_gpd": MOST_GPD}] if capacity else []
    return site(
        well=[well("PW-1", 0, use="production", pump=pump, **more), well("PW-2", 900, use="production"),
              well("MW-1", 300, use="monitoring")],
        aquifer=AQUIFER,
    )  # fmt: skip


def month(gallons: float | None, told: tuple[float, float] | None = None) -> list[list[Interval]]:
    return [[Interval(ms(JUNE[0]), ms(JUNE[1]), gallons, "as reported", "1:1", told)]]


def asked(found: Any, capacity: bool = False, **more: Any) -> Scenario:
    return site_scenario(place(capacity, **more), {"PW-1": found}, {}, ZONE, "metered", {"PW-1": "volumes as reported"})


def test_a_well_with_reports_only_is_used_and_one_without_anything_is_named() -> None:
    scenario = asked(month(300_000))
    assert [one.id for one in scenario.well] == ["PW-1"]
    assert scenario.well[0].steps[0].rate.value == pytest.approx(10_000 / GAL_IN_M3)
    notes = " | ".join(scenario.notes)
    assert "PW-2 has no meter reading, logged rate, run time or reported volume and is left out" in notes
    assert "PW-1 pumps what is known of it by volumes as reported" in notes
    assert "PW-1: 1 volume of up to 30 days, each spread evenly over its time" in notes
    (says,) = timing_says(scenario)
    assert says.endswith("PW-1 may have been pumped on any days of their time, up to all of it on one")
    assert "up to 20,000 gal/day, its pump's capacity, on one" in timing_says(asked(month(300_000), capacity=True))[0]


def test_a_method_that_the_site_states_and_that_is_silent_is_named() -> None:
    with pytest.raises(BadQuestion, match="no production well of the site has"):
        site_scenario(place(volumes_by="run time"), {}, {}, ZONE)
    by_log = place(volumes_by="log")
    scenario = site_scenario(by_log, {"PW-2": month(5.0)}, {}, ZONE)
    says = "PW-1 has no volumes by its log, which the site states to speak (volumes_by) and is left out"
    assert says in scenario.notes


def test_daily_volumes_have_no_range() -> None:
    days = [date(2025, 6, 1) + timedelta(days=k) for k in range(31)]
    found = [[Interval(ms(a), ms(b), 10_000, "", "1:1") for a, b in pairwise(days)]]
    scenario = asked(found)
    assert (scenario.well[0].spans, timing_says(scenario), TIMING in quantities(scenario)) == ((), (), False)


def test_the_days_of_a_volume_are_in_the_range_of_an_answer() -> None:
    """All of June on one day, or evenly, or at 20,000 a day at most: each told by the day."""
    scenario, days = asked(month(300_000)), np.array([day_number(JUNE[1])])
    values = {name: one.value for name, one in quantities(scenario).items() if name != "b"}
    every = [values, values | {TIMING: -1.0}, values | {TIMING: 1.0}]
    even, least, most = drawdowns_m(scenario, (300.0, 2640.0), "theis", every, days)[:, 0]
    begin = day_number(JUNE[0])
    distance = 300 * scenario.to_metres

    def on(first: float, last: float) -> float:
        steps, rate = [begin + first, begin + last], 300_000 / GAL_IN_M3 / (last - first)
        return float(superpose(steps, [rate, 0.0], days, lambda e: theis_drawdown(
            1.0, values["T"], values["S"], distance, e))[0])  # fmt: skip

    single = [on(k, k + 1) for k in range(30)]
    assert (even, least, most) == pytest.approx((on(0, 30), min(single), max(single)), rel=2e-3, abs=1e-6)
    assert least < even < most
    bounded = asked(month(300_000), capacity=True)
    _, least, most = drawdowns_m(bounded, (300.0, 2640.0), "theis", every, days)[:, 0]
    assert (least, most) == pytest.approx((on(0, 15), on(15, 30)), rel=2e-3)  # half of the days full: 15 x 20,000


def test_reports_that_contradict_each_other_are_the_ends_of_the_range() -> None:
    scenario = asked(month(None, (30_000, 620_000)))
    assert scenario.well[0].steps[0].rate.value == pytest.approx(1000 / GAL_IN_M3)
    (span,) = scenario.well[0].spans
    assert (span.volume, span.beside) == pytest.approx((30_000 / GAL_IN_M3, 590_000 / GAL_IN_M3))
    assert any("best estimate takes the least of it" in one for one in scenario.notes)


def test_an_unknown_volume_is_bounded_by_the_pump_or_said_to_be_in_no_range() -> None:
    found = month(300_000)
    found[0].append(Interval(ms(JUNE[1]), ms(date(2025, 8, 1)), None, "register fell", "1:2"))
    open_ended = asked(found)
    assert len(open_ended.well[0].spans) == 1
    assert any("no pump capacity bounds them, and no range holds them" in one for one in open_ended.notes)
    known, unknown = asked(found, capacity=True).well[0].spans
    assert (known.beside, unknown.volume, unknown.beside) == (0, 0, np.inf)
    assert unknown.most == pytest.approx(MOST_GPD / GAL_IN_M3)


def test_time_between_two_reports_is_said_to_count_as_rest() -> None:
    found = month(300_000)
    found[0].append(Interval(ms(date(2025, 8, 1)), ms(date(2025, 9, 1)), 1.0, "as reported", "1:2"))
    assert any(
        "nothing is known of PW-1 for 31 days within its record, which count as no pumping" in one
        for one in asked(found).notes
    )


def test_depletion_has_the_range_too() -> None:
    creek = StreamOf(id="C", line=((-500.0, 0.0), (-500.0, 5280.0)))
    with_stream = asked(month(300_000)).model_copy(update={"stream": (creek,)})
    values = {name: one.value for name, one in quantities(with_stream).items()}
    every = [values, values | {TIMING: -1.0}, values | {TIMING: 1.0}]
    found = depletions_m3_per_d(with_stream, creek, "alone", every, np.array([day_number(JUNE[1]) + 5]))
    even, least, most = found[:, 0]
    assert 0 <= least < even < most


def test_other_pumping_has_no_such_spans() -> None:
    scenario = asked(month(300_000), permitted="500 gpm")
    assert of_kind(scenario, "maximum").well[0].spans == ()
    assert stopped(scenario, date(2025, 6, 15)).well[0].spans == ()
    assert stopped(scenario, date(2025, 7, 1)).well[0].spans == scenario.well[0].spans
