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
from models.modflow.stated_twice import Amounts, check_conductivity, stated_otherwise
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
    def amounts(self) -> Amounts:
        """What an aquifer may state too."""
        return Amounts(self.transmissivity, self.depths[-1], self.storativity)

    @property
    def storativity(self) -> float:
        """What answers a fall of the head: specific yield where the water table falls, else all specific storage."""
        elastic = sum(one.specific_storage * thick for one, thick in zip(self.layers, self.thicknesses, strict=True))
        return self.layers[0].specific_yield if self.layers[0].convertible else float(elastic)


def strata_of(scenario: Scenario) -> Strata:
    """The layers of a scenario, by its best estimates.

    Raises
    ------
    BadQuestion : an aquifer without a thickness and without layers, under a leaky layer, or whose statements contradict
        each other.
    """
    aquifer = scenario.aquifer
    if aquifer.leaky_resistance is not None:
        reason, found = "a leaky layer is not in the numerical model", aquifer.leaky_resistance.text
        words = "`headwater drawdown`, which has Hantush & Jacob's"
        raise BadQuestion(reason, key="aquifer.leaky_resistance", found=found, allowed=[words])
    if not scenario.layer:
        return _one(aquifer)
    layered = _Layered(aquifer, scenario.layer)
    strata = Strata(layered.layers, tuple(one.bottom.value for one in scenario.layer), layered.assumed)
    return replace(strata, assumed=(*strata.assumed, *stated_otherwise(aquifer, strata.amounts)))


def _one(aquifer: AquiferOf) -> Strata:
    if aquifer.thickness is None:
        raise BadQuestion("no thickness", key="aquifer.thickness", allowed=['thickness = "80 ft"', "[[layer]]"])
    check_conductivity(aquifer)
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


@dataclass(frozen=True)
class _Layered:
    """Stated layers; what one leaves open is the aquifer's, or the literature's where the aquifer says nothing."""

    aquifer: AquiferOf
    stated: tuple[LayerOf, ...]

    @property
    def layers(self) -> tuple[Layer, ...]:
        falls = self.aquifer.kind == "unconfined"
        return tuple(
            Layer(
                one.id, one.conductivity.value, self._vertical(one), self._storage(one),
                (one.specific_yield or self.aquifer.storativity).value if falls else 0.0, falls,
            )
            for one in self.stated
        )  # fmt: skip

    @property
    def assumed(self) -> tuple[str, ...]:
        own = self.aquifer.vertical_conductivity
        vertical = "a tenth of the horizontal, which nobody stated" if own is None else "the aquifer's"
        said = [
            f"layer {one.id}: vertical conductivity {vertical}"
            for one in self.stated
            if one.vertical_conductivity is None
        ]
        return (
            *said,
            *(f"layer {one.id}: {self._storage_says}" for one in self.stated if one.specific_storage is None),
        )

    def _vertical(self, one: LayerOf) -> float:
        stated = one.vertical_conductivity or self.aquifer.vertical_conductivity
        return one.conductivity.value * VERTICAL_SHARE if stated is None else stated.value

    def _storage(self, one: LayerOf) -> float:
        if one.specific_storage is not None:
            return one.specific_storage.value
        return SPECIFIC_STORAGE_PER_M if self._left is None else self._left

    @property
    def _left(self) -> float | None:
        """Of a confined aquifer: what the stated storages leave of its storativity, over the other layers [1/m]."""
        if self.aquifer.kind == "unconfined":
            return None
        thick = np.diff([0.0, *(one.bottom.value for one in self.stated)]).tolist()
        each = list(zip(self.stated, thick, strict=True))
        told = sum(one.specific_storage.value * b for one, b in each if one.specific_storage is not None)
        left = self.aquifer.storativity.value - told
        open_ = sum(b for one, b in each if one.specific_storage is None)
        return left / open_ if left > 0 and open_ > 0 else None

    @property
    def _storage_says(self) -> str:
        if self._left is None:
            return f"specific storage {SPECIFIC_STORAGE_PER_M:g} 1/m, which nobody stated"
        return f"specific storage {self._left:.3g} 1/m, its share of the aquifer's storativity"


def surfaces(strata: Strata, table: Numbers, plan: Grid) -> Grid:
    """A grid whose layers follow the undisturbed water table, with room for it to rise by the thickness of the first.

    Parameters
    ----------
    table : float64[nrow, ncol], the water table before pumping [m].
    plan : its edges; its surfaces do not count.
    """
    bottoms = np.stack([table - depth for depth in strata.depths])
    return replace(plan, top=table + (strata.depths[0] if strata.layers[0].convertible else 0.0), bottoms=bottoms)
