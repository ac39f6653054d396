"""The layers of a scenario as a numerical model takes them, on a water table that may slope.

Where a scenario names no layers its aquifer is one: conductivity is transmissivity over thickness. What is taken for
granted because nobody stated it is said.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from models.aquifer.admissible import Numbers
from models.errors import BadQuestion
from models.modflow.numerical import Grid, Layer
from models.scenario.aquifer import AquiferOf
from models.scenario.layers import LayerOf
from models.scenario.noun import Scenario

VERTICAL_SHARE = 0.1
"""Kv over K where it is not stated: a common stratified sand (Freeze & Cherry 1979 give 0.01 to 1)."""
SPECIFIC_STORAGE_PER_M = 1e-5
"""Of a sand where it is not stated (Domenico & Schwartz 1998: 1e-5 to 1e-4)."""


@dataclass(frozen=True)
class Strata:
    """Layers from the top, the depth of each bottom below the water table [m], and what was taken for granted."""

    layers: tuple[Layer, ...]
    depths: tuple[float, ...]
    assumed: tuple[str, ...]

    @property
    def transmissivity(self) -> float:
        """Of all layers together, before pumping [m2/d]."""
        return float(
            sum(layer.conductivity * thick for layer, thick in zip(self.layers, self.thicknesses, strict=True))
        )

    @property
    def thicknesses(self) -> tuple[float, ...]:
        """Before pumping [m]."""
        return tuple(float(one) for one in np.diff([0.0, *self.depths]))

    @property
    def storativity(self) -> float:
        """What answers a fall of the head: specific yield where the water table falls, else all specific storage."""
        elastic = sum(one.specific_storage * thick for one, thick in zip(self.layers, self.thicknesses, strict=True))
        return self.layers[0].specific_yield if self.layers[0].convertible else float(elastic)


def strata_of(scenario: Scenario) -> Strata:
    """The layers of a scenario, by its best estimates.

    Raises
    ------
    BadQuestion : an aquifer without a thickness and without layers.
    """
    aquifer = scenario.aquifer
    if not scenario.layer:
        return _one(aquifer)
    found = [_layer(one, aquifer) for one in scenario.layer]
    assumed = tuple(words for _, said in found for words in said)
    return Strata(tuple(layer for layer, _ in found), tuple(one.bottom.value for one in scenario.layer), assumed)


def _one(aquifer: AquiferOf) -> Strata:
    if aquifer.thickness is None:
        raise BadQuestion("no thickness", key="aquifer.thickness", allowed=['thickness = "80 ft"', "[[layer]]"])
    thick, storativity = aquifer.thickness.value, aquifer.storativity.value
    conductivity = aquifer.transmissivity.value / thick
    vertical = aquifer.vertical_conductivity
    falls = aquifer.kind == "unconfined"
    layer = Layer(
        "aquifer", conductivity, vertical.value if vertical else conductivity * VERTICAL_SHARE,
        SPECIFIC_STORAGE_PER_M if falls else storativity / thick, storativity if falls else 0.0, falls,
    )  # fmt: skip
    said = [f"no [[layer]]: one layer of {thick:.3g} m with T over it as conductivity"]
    said += [f"specific storage {SPECIFIC_STORAGE_PER_M:g} 1/m, which nobody stated"] if falls else []
    return Strata((layer,), (thick,), tuple(said))


def _layer(one: LayerOf, aquifer: AquiferOf) -> tuple[Layer, list[str]]:
    said = []
    if one.vertical_conductivity is None:
        said.append(f"layer {one.id}: vertical conductivity a tenth of the horizontal, which nobody stated")
    if one.specific_storage is None:
        said.append(f"layer {one.id}: specific storage {SPECIFIC_STORAGE_PER_M:g} 1/m, which nobody stated")
    conductivity, vertical = one.conductivity.value, one.vertical_conductivity
    falls = aquifer.kind == "unconfined"
    yields = (one.specific_yield or aquifer.storativity).value if falls else 0.0
    storage = SPECIFIC_STORAGE_PER_M if one.specific_storage is None else one.specific_storage.value
    kv = conductivity * VERTICAL_SHARE if vertical is None else vertical.value
    return Layer(one.id, conductivity, kv, storage, yields, falls), said


def surfaces(strata: Strata, table: Numbers, plan: Grid) -> Grid:
    """A grid whose layers follow the undisturbed water table, with room for it to rise by the thickness of the first.

    Parameters
    ----------
    table : float64[nrow, ncol], the water table before pumping [m].
    plan : its edges; its surfaces do not count.
    """
    bottoms = np.stack([table - depth for depth in strata.depths])
    return replace(plan, top=table + (strata.depths[0] if strata.layers[0].convertible else 0.0), bottoms=bottoms)
