"""Wells of several layers: what each layer gives, the level in the bore, and when a well is one of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from math import log, pi
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from scipy.special import exp1

from models.aquifer.partial import partial_penetration_drawdown
from models.aquifer.screen import Screen
from models.errors import BadQuestion
from models.modflow import gate
from models.modflow.build import Choices, Pair, pair_of
from models.modflow.calendar import Stepping
from models.modflow.multi_aquifer import equivalent_radius, openings, partial_screen_skin
from models.modflow.numerical import FixedHead, Grid, Observed
from models.modflow.outcome import Outcome
from models.modflow.strata import strata_of
from models.scenario.noun import Scenario, day_number
from models.scenario.of_site import site_scenario
from models.site import Site
from tests.mf6_runs import confined, outcome, point, well
from tests.test_modflow_layers import SITE, stratum

RADIUS, Q, DAYS = 0.15, 864.0, 365.0
YEAR = Choices(ends=day_number(date(2026, 1, 1)), rhythm="one", fine_m=2.0, growth=1.3, stepping=Stepping(0.01, 1.15))
AWAY = (40.0, -30.0)
ACROSS = {"screen_top": "15 m", "screen_bottom": "65 m", "water_depth": "5 m"}
"""Of layers to 20 and 60 m below the table: both of them, wholly below 10 m."""


def layer(
    id: str, bottom: float, conductivity: float, storage: str = "1e-4 1/m", kv: str = "1e-9 m/d"
) -> dict[str, Any]:
    return {
        "id": id, "bottom": f"{bottom} m", "conductivity": f"{conductivity} m/d", "vertical_conductivity": kv,
        "specific_storage": storage, "specific_yield": "0.1",
    }  # fmt: skip


def two_layers(lower: Mapping[str, Any], choices: Choices = YEAR, **more: str) -> Pair:
    """T 400 m2/d over another, nothing between them but the bore; a place 50 m off in each."""
    pumped = {**well("W", 0, 0, f"{Q} m3/d"), "radius": f"{RADIUS} m", **more}
    scenario = confined(layer=[layer("upper", 20, 20), lower], well=[pumped], point=[point("0", *AWAY)])
    pair = pair_of(scenario, choices)
    both = tuple(Observed(str(k), AWAY, k) for k in (0, 1))
    return replace(pair, baseline=replace(pair.baseline, observed=both), stressed=replace(pair.stressed, observed=both))


@pytest.fixture(scope="module")
def unlike() -> tuple[Pair, Outcome]:
    """T 400 and 200 m2/d, S 0.002 and 0.004."""
    pair = two_layers(layer("lower", 60, 5))
    return pair, outcome(pair.stressed)


def theis(t: float, s: float, distance: float, days: Any = DAYS) -> Any:
    """Drawdown of a rate of 1 [m]."""
    return exp1(distance**2 * s / (4 * t * days)) / (4 * pi * t)


# What each layer gives ------------------------------------------------------------------------------------------------


def test_layers_of_one_diffusivity_give_by_their_transmissivity_at_all_times() -> None:
    """T 400 and 200 m2/d, S 0.002 and 0.001: one well function for both; in each Theis with its share."""
    pair = two_layers(layer("lower", 40, 10, "5e-5 1/m"))
    run = outcome(pair.stressed)
    days = run.time - 1
    late = days > 1
    assert run.bore_flow["W"][late] == pytest.approx(np.full((late.sum(), 2), [Q * 2 / 3, Q / 3]), rel=0.005)
    for place, t, s, share in (("0", 400.0, 0.002, 2 / 3), ("1", 200.0, 0.001, 1 / 3)):
        closed = share * Q * theis(t, s, 50.0, days[late])
        assert -run.hydrographs[place][late] == pytest.approx(closed, rel=0.02)
    assert run.bore_flow["W"].sum(axis=1)[1:] == pytest.approx(Q, rel=1e-5)
    assert run.well_rates["W"][1:] == pytest.approx(np.full(days.size - 1, Q), rel=1e-5)
    assert np.abs(run.discrepancy).max() < 0.01


def test_layers_of_another_diffusivity_come_to_their_share_late(unlike: tuple[Pair, Outcome]) -> None:
    """One drawdown at the bore: q1 W(u1) / T1 = q2 W(u2) / T2 (Papadopulos 1966, late); by hand 563.8 of 864 m3/d."""
    run = unlike[1]
    upper, lower = run.bore_flow["W"][-1]
    at_bore = theis(400.0, 0.002, RADIUS), theis(200.0, 0.004, RADIUS)
    assert upper == pytest.approx(Q * at_bore[1] / sum(at_bore), rel=0.002)
    assert upper == pytest.approx(563.8, rel=0.002)
    assert abs(upper / Q - 2 / 3) < 0.02
    for place, t, s, share in (("0", 400.0, 0.002, upper), ("1", 200.0, 0.004, lower)):
        assert -run.hydrographs[place][-1] == pytest.approx(share * theis(t, s, 50.0), rel=0.02)
    assert -run.bore_level["W"][-1] == pytest.approx(upper * theis(400.0, 0.002, RADIUS), rel=0.015)


def test_a_bore_at_rest_carries_water_between_two_levels() -> None:
    """h_w = (T1 h1 + T2 h2) / (T1 + T2) (Sokol 1963), and by Thiem what flows through it.

    The far ends are a square that keeps its level, whose circle is 1.079 half sides wide.
    """
    model = two_layers(layer("lower", 60, 5), replace(YEAR, growth=1.1)).baseline
    ring = model.fixed[0].cells
    levels = FixedHead("far", ring, np.array([3.0 if cell[0] == 0 else -2.0 for cell in ring]))
    start = np.zeros(model.grid.shape) + np.array([3.0, -2.0])[:, None, None]
    run = outcome(
        replace(model, fixed=(levels,), initial=start, periods=model.periods[:1], keep=((0, 0),), observed=())
    )
    assert run.bore_level["W"][0] == pytest.approx((400 * 3 - 200 * 2) / 600, abs=0.002)
    far = 1.079 * float(model.grid.x[-1])
    through = 2 * pi * (400 * 200 / 600) * 5 / log(far / RADIUS)
    assert run.bore_flow["W"][0] == pytest.approx([through, -through], rel=0.01)
    assert run.well_rates["W"][0] == pytest.approx(0.0, abs=1e-3)


def test_a_bore_is_there_without_pumping_too() -> None:
    """Drawdown is of the pumping alone: the baseline has the bore, and gives nothing to it."""
    pair = two_layers(layer("lower", 60, 5))
    (rests,) = pair.baseline.wells
    assert rests.multi_aquifer is not None
    assert not rests.rates.any()


# A layer that falls dry -----------------------------------------------------------------------------------------------


def falling(rate: float) -> Pair:
    """Ten metres of sand with a water table over fifty of less; a year would empty the upper one at a fixed share."""
    aquifer = {"transmissivity": "432 m2/d", "storativity": "0.1", "thickness": "60 m"}
    layers = [layer("upper", 10, 20, "1e-5 1/m", "0.5 m/d"), layer("lower", 60, 5, "1e-5 1/m", "0.5 m/d")]
    pumped = {**well("W", 0, 0, f"{rate} m3/d"), "radius": f"{RADIUS} m"}
    choices = replace(YEAR, ends=day_number(date(2025, 4, 1)), fine_m=4.0, growth=1.5, stepping=Stepping(0.1, 1.3))
    return pair_of(
        Scenario.model_validate(
            {"unit": "m", "aquifer": aquifer, "layer": layers, "well": [pumped], "point": [point("near", 40, 30)]}
        ),
        choices,
    )


def test_a_layer_that_falls_dry_gives_less_and_the_other_more() -> None:
    """At shares fixed by transmissivity the well is short of a fifth of its rate; by its bore of nothing."""
    pair = falling(3_500)
    run = outcome(pair.stressed)
    assert gate.well_rates(pair, run).passed
    assert run.bore_flow["W"][-1].sum() == pytest.approx(3_500, rel=1e-4)
    assert run.bore_flow["W"][-1, 0] < 0.5 * pair.stressed.wells[0].cells[0][1] * 3_500
    fixed = replace(pair, stressed=replace(pair.stressed, wells=(replace(pair.stressed.wells[0], bore=None),)))
    check = gate.well_rates(fixed, outcome(fixed.stressed))
    assert not check.passed
    assert check.measured is not None
    assert check.measured > 10


def test_no_bore_is_pumped_from_below_its_end(unlike: tuple[Pair, Outcome]) -> None:
    pair, run = unlike
    assert gate.well_rates(pair, run).passed
    sunk = gate.well_rates(pair, replace(run, bore_level={"W": np.full_like(run.time, -60.1)}))
    assert not sunk.passed
    assert "the level in the bore of W would stand below its lower end" in sunk.says


# The bore and its cell ------------------------------------------------------------------------------------------------


def test_a_cell_among_its_like_stands_for_a_fifth_of_its_width() -> None:
    """exp(-pi / 2) of it; 0.198 with the whole field (Peaceman 1978)."""
    edges = np.asarray(np.arange(6) * 10.0, np.float64)
    grid = Grid(edges, edges, np.zeros((5, 5)), np.full((1, 5, 5), -1.0))
    assert equivalent_radius(grid, 2, 2) == pytest.approx(10 * np.exp(-pi / 2), rel=1e-12)
    assert equivalent_radius(grid, 2, 2) == pytest.approx(1.98, rel=0.06)


@pytest.mark.parametrize(("share", "anisotropy"), [(0.2, 1.0), (0.4, 0.1), (0.7, 0.1), (0.85, 0.1)])
def test_a_screen_in_a_part_of_its_layer_is_hantush_s(share: float, anisotropy: float) -> None:
    """The mean over the screen at the bore, long after, over Theis's (Hantush 1964), in units of Q / 2 pi T."""
    b, t, s, days = 20.0, 400.0, 0.002, 1e4
    screen = Screen(0.0, share * b)
    partly = partial_penetration_drawdown(Q, t, s, b, anisotropy, screen, screen, RADIUS, [days])[0]
    held_back = (partly - Q * theis(t, s, RADIUS, days)) * 2 * pi * t / Q
    assert partial_screen_skin(share, b, RADIUS, anisotropy) == pytest.approx(held_back, rel=0.07)


def test_a_whole_screen_holds_nothing_back() -> None:
    assert partial_screen_skin(1.0, 20.0, RADIUS, 0.1) == 0


def test_a_bore_as_wide_as_its_cell_is_refused_with_a_width_that_will_do() -> None:
    lower = layer("lower", 60, 5)
    with pytest.raises(BadQuestion, match=r"well\[W\].radius: a bore as wide") as caught:
        two_layers(lower, radius="1 m")
    width = re.search(r"--fine '(\S+) m'", str(caught.value))
    assert width
    assert two_layers(lower, replace(YEAR, fine_m=float(width[1])), radius="1 m").stressed.wells[0].multi_aquifer


# Which wells ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("top", "bottom", "parts"),
    [
        ("8 m", "20 m", {0: 12}), ("30 m", "60 m", {1: 30}), ("15 m", "65 m", {0: 10, 1: 40}),
        ("1 m", "90 m", {0: 20, 1: 40}),
        ("24.98 m", "40 m", {1: 15}),
    ],
)  # fmt: skip
def test_a_screen_opens_the_layers_it_stands_in(top: str, bottom: str, parts: dict[int, float]) -> None:
    """Below land, which lies 5 m above the table; layers to 20 and 60 m below it."""
    given = {"screen_top": top, "screen_bottom": bottom, "water_depth": "5 m"}
    pair = two_layers(layer("lower", 60, 5), YEAR, **given)
    scenario = confined(layer=[layer("upper", 20, 20), layer("lower", 60, 5)], well=[{**well("W", 0, 0), **given}])
    found = openings(scenario.well[0], strata_of(scenario))
    assert {one.layer: one.open for one in found} == pytest.approx(parts)
    (stress,) = pair.stressed.wells
    assert [cell[0] for cell, _ in stress.cells] == list(parts)
    assert (stress.multi_aquifer is None) == (len(parts) == 1)
    assert sum(share for _, share in stress.cells) == pytest.approx(1)


def test_a_screen_that_is_not_known_opens_every_layer_and_that_is_said() -> None:
    pair = two_layers(layer("lower", 60, 5))
    assert len(pair.stressed.wells[0].cells) == 2
    assert any("where its screen lies in them is not known: open to all" in one for one in pair.assumed)
    partly = two_layers(layer("lower", 60, 5), YEAR, **ACROSS)
    assert any("of upper it opens 10 of 20 m" in one for one in partly.assumed)
    clean, half = (one.stressed.wells[0].bore for one in (pair, partly))
    assert clean is not None
    assert half is not None
    assert half.conductance[0] < 0.6 * clean.conductance[0]
    assert half.conductance[1] == clean.conductance[1]


def test_one_layer_stays_a_well_of_one_rate() -> None:
    pair = pair_of(confined(well=[well("W", 0, 0)]), YEAR)
    assert pair.stressed.wells[0].bore is None
    assert not pair.baseline.wells
    assert not any("MAW" in one for one in pair.assumed)


def test_a_radius_that_nobody_stated_is_said() -> None:
    scenario = confined(layer=[layer("upper", 20, 20), layer("lower", 60, 5)], well=[well("W", 0, 0)])
    assert any("the bore's radius 0.15 m, which nobody stated" in one for one in pair_of(scenario, YEAR).assumed)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"screen_top": "10 m"}, "belong together"),
        ({"screen_top": "10 m", "screen_bottom": "20 m"}, "belong together"),
        ({"screen_top": "20 m", "screen_bottom": "20 m", "water_depth": "5 m"}, "must lie below its screen_top"),
    ],
)
def test_a_screen_by_halves_is_refused(given: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        confined(well=[{**well("W", 0, 0), **given}])


@pytest.mark.parametrize(("top", "bottom"), [("70 m", "80 m"), ("1 m", "4 m")])
def test_a_screen_in_no_layer_is_refused(top: str, bottom: str) -> None:
    with pytest.raises(BadQuestion, match=r"well\[W\].screen: its screen lies in no layer"):
        two_layers(layer("lower", 60, 5), screen_top=top, screen_bottom=bottom, water_depth="5 m")


# Of a site ------------------------------------------------------------------------------------------------------------


def of_site(*points: dict[str, Any]) -> Scenario:
    wells = [{**one, "measuring_point": list(points)} if one["id"] == "PW-1" else one for one in SITE["well"]]
    layers = [stratum("outwash", 925, 100), stratum("sandstone", 880, 20)]
    site = Site.model_validate({**SITE, "well": wells, "layer": layers})
    return site_scenario(site, {}, {"PW-1": "300 gpm"}, ZoneInfo("America/Chicago"), "maximum")


def test_a_site_s_screen_is_placed_by_its_measuring_point() -> None:
    """By hand: land 1,002 - 2 = 1,000 ft, table 960; 85 to 120 ft is 45 to 80 ft below it, and layers end at 35, 80."""
    mark = {"since": date(2024, 1, 1), "elevation_ft": Decimal(1002), "height_above_land_ft": Decimal(2)}
    (pumped,) = of_site(mark).well
    assert pumped.water_depth is not None
    assert pumped.water_depth.text == "40 ft"
    (opened,) = openings(pumped, strata_of(of_site(mark)))
    assert opened.layer == 1
    assert opened.open == pytest.approx(35 * 0.3048)
    (higher,) = of_site({**mark, "elevation_ft": Decimal(1022)}).well
    both = openings(higher, strata_of(of_site(mark)))
    assert [one.layer for one in both] == [0, 1]
    assert [one.open for one in both] == pytest.approx([10 * 0.3048, 25 * 0.3048])


def test_without_a_measuring_point_nothing_is_said_of_the_screen() -> None:
    (pumped,) = of_site().well
    assert pumped.screen_top is None
    assert len(openings(pumped, strata_of(of_site()))) == 2
