"""Layers: three alike are one, what a leaky one does, and what is refused."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date
from decimal import Decimal
from math import pi
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from scipy.special import exp1, k0

from models.errors import BadQuestion
from models.modflow.build import Choices, Pair, pair_of
from models.modflow.numerical import FixedHead
from models.modflow.quantities import quantities
from models.modflow.strata import strata_of
from models.scenario.noun import Scenario, day_number
from models.scenario.of_site import site_scenario
from models.site import Site
from tests.mf6_runs import confined, outcome, point, well

COARSE = Choices(ends=day_number(date(2026, 1, 1)), rhythm="one", fine_m=4.0, growth=1.3)
PLACES = [point("near", 40, 30), point("far", -240, 320)]
CREEK = {"id": "creek", "line": [(400.0, -5_000.0), (400.0, 5_000.0)], "conductance": "3 m/d"}


def sand(id: str, bottom: float, **more: str) -> dict[str, Any]:
    alike = {
        "conductivity": "4.32 m/d", "vertical_conductivity": "1 m/d", "specific_storage": "1e-3 1/m",
        "specific_yield": "0.1",
    }  # fmt: skip
    return {"id": id, "bottom": f"{bottom} m", **alike, **more}


def layered(layers: list[dict[str, Any]], kind: str = "confined", **more: Any) -> Pair:
    aquifer = {"kind": kind, "transmissivity": "432 m2/d", "storativity": "0.1", "thickness": "100 m"}
    return pair_of(confined(aquifer=aquifer, layer=layers, well=[well("W", 0, 0)], point=PLACES, **more), COARSE)


def test_three_layers_that_are_alike_are_one() -> None:
    """The well draws on each by its share of the transmissivity, so nothing flows between them."""
    one = outcome(layered([sand("all", 100)]).stressed)
    three = outcome(layered([sand("top", 20), sand("middle", 65), sand("deep", 100)]).stressed)
    for place in ("near", "far"):
        assert three.hydrographs[place] == pytest.approx(one.hydrographs[place], abs=2e-4)
    assert three.heads[-1] == pytest.approx(np.broadcast_to(one.heads[-1], three.heads[-1].shape), abs=2e-4)
    assert one.hydrographs["near"][-1] < -0.5


def test_a_fallen_water_table_in_three_layers_draws_on_the_same_water() -> None:
    """Nothing holds water back between them: one layer and three within a percent; the budget closes in both."""
    open_ = {"vertical_conductivity": "1000 m/d", "specific_storage": "1e-6 1/m"}
    runs = [
        outcome(
            layered(
                [sand(f"to-{bottom}", bottom, **open_) for bottom in bottoms], "unconfined", stream=[CREEK]
            ).stressed
        )
        for bottoms in ([100], [20, 65, 100])
    ]
    one, three = runs
    late = one.time > 30
    assert three.hydrographs["far"][late] == pytest.approx(one.hydrographs["far"][late], rel=0.01)
    assert three.budget["creek"][late] == pytest.approx(one.budget["creek"][late], rel=0.01)
    assert max(np.abs(run.discrepancy[1:]).max() for run in runs) < 0.1


def test_a_leaky_layer_between_two_is_de_glee_s() -> None:
    """Steady: s = Q / (2 pi T) K0(r / sqrt(T c)), c = b' / K' (de Glee 1930), under a layer of constant level."""
    layers = [
        sand("lake", 1, conductivity="1000 m/d", vertical_conductivity="1000 m/d"),
        sand("clay", 3, conductivity="1e-6 m/d", vertical_conductivity="0.01 m/d", specific_storage="1e-7 1/m"),
        sand("sand", 53, conductivity="8 m/d", vertical_conductivity="800 m/d", specific_storage="1e-6 1/m"),
    ]
    model = layered(layers).stressed
    rows, columns = model.grid.shape[1:]
    lake = tuple((0, row, column) for row in range(1, rows - 1) for column in range(1, columns - 1))
    deep = replace(model.wells[0], cells=((model.wells[0].cells[2][0], 1.0),))
    watched = tuple(replace(one, layer=2) for one in model.observed)
    run = outcome(
        replace(
            model, wells=(deep,), observed=watched, fixed=(*model.fixed, FixedHead("lake", lake, np.zeros(len(lake))))
        )
    )
    for place, distance in (("near", 50.0), ("far", 400.0)):
        # Half the thickness of the clay's neighbours belongs to the way as well.
        resistance = 2 / 0.01 + 0.5 / 1000 + 25 / 800
        closed = 864 / (2 * pi * 400) * float(k0(distance / np.sqrt(400 * resistance)))
        assert -run.hydrographs[place][-1] == pytest.approx(closed, rel=0.02)


def test_a_pit_in_the_second_layer_is_drained_there_and_above() -> None:
    pit = {
        "polygon": [(-60.0, -60.0), (60.0, -60.0), (60.0, 60.0), (-60.0, 60.0)], "lowered": "30 m",
        "since": "2025-01-01",
    }  # fmt: skip
    pair = layered([sand("top", 20), sand("deep", 100)], "unconfined", pit=pit)
    drain = pair.stressed.drains[0]
    assert {cell[0] for cell in drain.cells} == {0, 1}
    deep = np.array([cell[0] == 1 for cell in drain.cells])
    assert np.all(drain.elevation[drain.active][:, deep] == -30)
    assert drain.elevation[drain.active][:, ~deep] == pytest.approx(-20 + 0.4)
    assert drain.active.any()


@pytest.mark.parametrize(
    ("layers", "says"),
    [
        ([sand("top", 20), sand("deep", 20)], "layers cross: the bottom of deep"),
        ([sand("top", 20), sand("deep", 12)], "layers cross: the bottom of deep"),
        ([sand("top", 0)], "below the water table"),
        ([sand("top", 20), sand("top", 30)], "top"),
    ],
)
def test_layers_that_cross_are_named(layers: list[dict[str, Any]], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        confined(layer=layers, well=[well("W", 0, 0)])


def test_a_pit_below_the_bottom_is_refused() -> None:
    pit = {"polygon": [(-60.0, -60.0), (60.0, -60.0), (60.0, 60.0)], "lowered": "100 m", "since": "2025-01-01"}
    with pytest.raises(BadQuestion, match="the pit is kept dry below the bottom"):
        layered([sand("top", 20), sand("deep", 100)], pit=pit)


def test_what_nobody_stated_is_said() -> None:
    bare = {"id": "sand", "bottom": "40 m", "conductivity": "10 m/d"}
    scenario = confined(layer=[bare], well=[well("W", 0, 0)])
    scenario = scenario.model_copy(update={"aquifer": scenario.aquifer.model_copy(update={"kind": "unconfined"})})
    said = pair_of(scenario, COARSE).assumed
    assert any("sand: vertical conductivity a tenth" in one for one in said)
    assert any("sand: specific storage 1e-05" in one for one in said)
    assert isinstance(scenario, Scenario)


# In which layer a place is told ---------------------------------------------------------------------------------------


def below_a_clay(**more: str) -> Pair:
    """The well is open to the lower aquifer alone, T 200 m2/d and S 0.001, under a clay that lets nothing through."""
    layers = [
        sand("top", 10, conductivity="20 m/d", specific_storage="1e-4 1/m"),
        sand("clay", 12, conductivity="1e-9 m/d", vertical_conductivity="1e-9 m/d", specific_storage="1e-9 1/m"),
        sand("rock", 32, conductivity="10 m/d", specific_storage="5e-5 1/m"),
    ]
    deep = well("W", 0, 0) | {"screen_top": "17 m", "screen_bottom": "37 m", "water_depth": "5 m"}
    aquifer = {"kind": "confined", "transmissivity": "400 m2/d", "storativity": "0.002", "thickness": "32 m"}
    return pair_of(confined(aquifer=aquifer, layer=layers, well=[deep], point=[point("H", 100, 0) | more]), COARSE)


@pytest.mark.parametrize(
    ("depths", "layer"),
    [
        ({}, 2),
        ({"pump_intake": "30 m"}, 2),
        ({"pump_intake": "30 m", "water_depth": "5 m"}, 2),
        ({"pump_intake": "14 m", "water_depth": "5 m"}, 0),
        ({"pump_intake": "99 m", "water_depth": "5 m"}, 2),
    ],
)
def test_a_place_is_told_in_the_layer_of_its_pump_or_where_most_is_lost(depths: dict[str, str], layer: int) -> None:
    """Theis (1935) in the rock, s = Q / (4 pi T) W(r2 S / (4 T t)), and nothing in the sand over the clay."""
    pair = below_a_clay(**depths)
    told = quantities(pair, outcome(pair.baseline), outcome(pair.stressed))
    assert told.observed["H"].layer == layer
    theis = 864 / (4 * pi * 200) * float(exp1(100.0**2 * 0.001 / (4 * 200 * 365)))
    assert told.drawdown["H"][-1] == pytest.approx(theis if layer == 2 else 0.0, rel=0.02, abs=1e-3)
    assert list(told.drawdown) == ["H"]


# Layers of a site -----------------------------------------------------------------------------------------------------

SITE = tomllib.loads((Path(__file__).parents[1] / "sample_data/site.toml").read_text(encoding="utf-8"))
"""Its aquifer is 80 ft thick, with 3,000 to 8,000 ft2/d."""


def site(*layers: dict[str, Any], **changes: Any) -> Site:
    return Site.model_validate({**SITE, "layer": list(layers), **changes})


def stratum(id: str, bottom: float, conductivity: float, **more: float) -> dict[str, Any]:
    given = {"bottom_elevation_ft": bottom, "conductivity_ft_per_d": conductivity, **more}
    return {"id": id, **{name: Decimal(str(value)) for name, value in given.items()}}


def of(site_: Site) -> Scenario:
    return site_scenario(site_, {}, {"PW-1": "300 gpm"}, ZoneInfo("America/Chicago"), "maximum")


def test_elevations_become_depths_below_the_water_table() -> None:
    """By hand: 80 ft over a base at 880 is a water table at 960; 925 is 35 ft below it; 35 x 100 + 45 x 20 ft2/d."""
    sandstone = stratum("sandstone", 880, 20, vertical_conductivity_ft_per_d=5, specific_storage_per_ft=2e-6)
    scenario = of(site(stratum("outwash", 925, 100, specific_yield=0.2), sandstone))
    upper, lower = scenario.layer
    assert [one.bottom.text for one in scenario.layer] == ["35 ft", "80 ft"]
    assert upper.conductivity.value == pytest.approx(30.48)
    assert upper.specific_yield is not None
    assert upper.specific_yield.value == 0.2
    assert lower.vertical_conductivity is not None
    assert lower.vertical_conductivity.value == pytest.approx(1.524)
    assert lower.specific_storage is not None
    assert lower.specific_storage.value == pytest.approx(2e-6 / 0.3048)
    assert strata_of(scenario).transmissivity == pytest.approx(4_400 * 0.3048**2)
    assert not any("transmissivity" in note for note in scenario.notes)


def test_a_site_without_layers_is_one_layer() -> None:
    assert of(site()).layer == ()


def test_layers_of_another_transmissivity_than_the_aquifer_are_told() -> None:
    scenario = of(site(stratum("outwash", 925, 20), stratum("sandstone", 880, 5)))
    assert any("925 ft2/d, outside the aquifer's 3000 to 8000" in note for note in scenario.notes)


@pytest.mark.parametrize(
    ("layers", "says"),
    [
        (
            [stratum("outwash", 900, 50), stratum("till", 925, 5), stratum("sandstone", 880, 20)],
            "layers cross: the bottom of till at 925 ft is not below that of outwash at 900 ft",
        ),
        (
            [stratum("soil", 961, 50), stratum("sandstone", 880, 20)],
            "the bottom of soil at 961 ft is not below the water",
        ),
        ([stratum("sand", 925, 50), stratum("sand", 880, 20)], "sand"),
    ],
)
def test_layers_of_a_site_that_cross_are_named(layers: list[dict[str, Any]], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        site(*layers)


def test_layers_belong_to_an_aquifer() -> None:
    with pytest.raises(ValueError, match=r"layer sand belongs to an \[aquifer\]"):
        site(stratum("sand", 925, 50), aquifer=None)


def test_the_skeleton_s_layers_are_layers() -> None:
    """Its commented lines, with the aquifer's, read as the file would."""
    lines = (Path(__file__).parents[1] / "pipelines/skeleton/site.toml").read_text(encoding="utf-8").splitlines()
    begin = lines.index("# [aquifer]")
    end = next(k for k in range(begin, len(lines)) if lines[k] == "# [[stream]]")
    kept = [one for one in lines[begin:end] if one.startswith("# [") or " = " in one]
    told = tomllib.loads("\n".join(one.removeprefix("# ") for one in kept), parse_float=Decimal)
    read = Site.model_validate({**SITE, **told})
    assert [one.id for one in read.layer] == ["outwash", "sandstone"]
