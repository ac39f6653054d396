"""Everything a scenario states is taken by a numerical model, refused, or said not to be."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from models.errors import BadQuestion
from models.modflow.build import Choices, pair_of
from models.modflow.calendar import Stepping
from models.modflow.strata import Strata, strata_of
from models.scenario.noun import Scenario, day_number
from tests.mf6_runs import well

CHOICES = Choices(ends=day_number(date(2025, 3, 1)), growth=1.6, stepping=Stepping(0.2, 1.2))


def scenario(*layers: dict[str, Any], **aquifer: Any) -> Scenario:
    """Confined unless said otherwise: T 500 m2/d, S 0.001, 20 m."""
    stated = {"kind": "confined", "transmissivity": "500 m2/d", "storativity": "0.001", "thickness": "20 m"}
    told = {"unit": "m", "aquifer": stated | aquifer, "layer": layers, "well": [well("W", 0, 0)]}
    return Scenario.model_validate(told)


def layer(id: str, bottom: float, k: float, **more: str) -> dict[str, Any]:
    return {"id": id, "bottom": f"{bottom} m", "conductivity": f"{k} m/d", **more}


def said(strata: Strata) -> str:
    return " / ".join(strata.assumed)


# What no numerical model here takes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("layers", [[], [layer("sand", 20, 25)]])
def test_a_leaky_layer_is_refused(layers: list[dict[str, Any]]) -> None:
    with pytest.raises(BadQuestion, match="a leaky layer is not in the numerical model") as refused:
        pair_of(scenario(*layers, leaky_resistance="500 d"), CHOICES)
    assert (refused.value.key, refused.value.found) == ("aquifer.leaky_resistance", "500 d")


# T, K and thickness ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", ["1 m/d", "24 m/d", "26 m/d"])
def test_a_conductivity_that_contradicts_the_transmissivity_is_refused(k: str) -> None:
    """500 m2/d over 20 m is 25 m/d."""
    with pytest.raises(BadQuestion, match="contradict each other"):
        strata_of(scenario(conductivity=k))


@pytest.mark.parametrize("k", ["25 m/d", "24.6 m/d", "25.4 m/d"])
def test_a_rounded_conductivity_agrees(k: str) -> None:
    assert strata_of(scenario(conductivity=k)).transmissivity == pytest.approx(500)


def test_layers_of_another_transmissivity_thickness_and_conductivity_are_said() -> None:
    """By hand: 250 m/d over 30 m is 7,500 m2/d."""
    strata = strata_of(scenario(layer("L1", 30, 250), conductivity="25 m/d"))
    assert strata.transmissivity == pytest.approx(7_500)
    assert "a transmissivity of 7500 m2/d, the aquifer 500 m2/d: the layers' is taken" in said(strata)
    assert "a thickness of 30 m, the aquifer 20 m" in said(strata)
    assert "a mean conductivity of 250 m/d, the aquifer 25 m/d" in said(strata)


def test_layers_that_agree_need_no_word() -> None:
    strata = strata_of(scenario(layer("a", 10, 40), layer("b", 20, 10), conductivity="25 m/d"))
    assert "is taken" not in said(strata)


@pytest.mark.parametrize(("range_", "told"), [("300..500..800 m2/d", False), ("300..500..700 m2/d", True)])
def test_a_range_holds_what_lies_in_it(range_: str, told: bool) -> None:
    """Layers of 750 m2/d."""
    assert ("transmissivity of 750" in said(strata_of(scenario(layer("a", 20, 37.5), transmissivity=range_)))) is told


# Storage --------------------------------------------------------------------------------------------------------------


def test_a_confined_storativity_is_shared_by_the_layers_that_state_none() -> None:
    """By hand: 0.001 over 20 m is 5e-5 1/m."""
    strata = strata_of(scenario(layer("a", 12, 25), layer("b", 20, 25)))
    assert [one.specific_storage for one in strata.layers] == pytest.approx([5e-5, 5e-5])
    assert strata.storativity == pytest.approx(0.001)
    assert "layer a: specific storage 5e-05 1/m, its share of the aquifer's storativity" in said(strata)
    assert "nobody stated" not in said(strata).replace("a tenth of the horizontal, which nobody stated", "")


def test_what_stated_storages_leave_goes_to_the_others() -> None:
    """By hand: 12 m of 5e-5 1/m store 0.0006; 0.0004 over 8 m is 5e-5 ... of 2e-5, 0.00076 over 8 m is 9.5e-5."""
    strata = strata_of(scenario(layer("a", 12, 25, specific_storage="2e-5 1/m"), layer("b", 20, 25)))
    assert [one.specific_storage for one in strata.layers] == pytest.approx([2e-5, 9.5e-5])
    assert strata.storativity == pytest.approx(0.001)
    assert "layer a: specific storage" not in said(strata)


def test_storages_that_add_up_to_something_else_are_said() -> None:
    """By hand: 20 m of 1e-4 1/m is 0.002."""
    strata = strata_of(scenario(layer("a", 20, 25, specific_storage="1e-4 1/m")))
    assert "a storativity of 0.002, the aquifer 0.001: the layers' is taken" in said(strata)
    over = strata_of(scenario(layer("a", 12, 25, specific_storage="1e-4 1/m"), layer("b", 20, 25)))
    assert "layer b: specific storage 1e-05 1/m, which nobody stated" in said(over)
    assert "a storativity of 0.00128" in said(over)


def test_a_specific_yield_of_the_first_layer_that_differs_is_said() -> None:
    sand = layer("sand", 20, 25, specific_yield="0.3")
    strata = strata_of(scenario(sand, kind="unconfined", storativity="0.2"))
    assert strata.storativity == 0.3
    assert "a specific yield at the water table of 0.3, the aquifer 0.2" in said(strata)
    assert "specific storage 1e-05 1/m, which nobody stated" in said(strata)


# Vertical conductivity ------------------------------------------------------------------------------------------------


def test_the_aquifer_s_vertical_conductivity_is_that_of_layers_that_state_none() -> None:
    own = layer("own", 20, 25, vertical_conductivity="1 m/d")
    strata = strata_of(scenario(layer("a", 10, 25), own, vertical_conductivity="3 m/d"))
    assert [one.vertical_conductivity for one in strata.layers] == [3.0, 1.0]
    assert "layer a: vertical conductivity the aquifer's" in said(strata)
    assert "own: vertical" not in said(strata)
