"""What a scenario states of its aquifer and of the layers too: where they differ, the layers' is taken, and said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from models.errors import BadQuestion
from models.quantity import Quantity
from models.scenario.aquifer import AquiferOf

AGREE = 0.02
"""Two statements of one thing may differ by this share: they are rounded."""


@dataclass(frozen=True)
class Amounts:
    """Of all layers together: T [m2/d], thickness [m] and what answers a fall of the head [-]."""

    transmissivity: float
    thickness: float
    storativity: float


def check_conductivity(aquifer: AquiferOf) -> None:
    """Refuse T, K and thickness of one layer that contradict each other.

    Raises
    ------
    BadQuestion : T is not K times the thickness.
    """
    if aquifer.conductivity is None or aquifer.thickness is None:
        return
    t, across = aquifer.transmissivity.value, aquifer.conductivity.value * aquifer.thickness.value
    if abs(t - across) > AGREE * t:
        reason = "contradict each other: the transmissivity is not the conductivity times the thickness"
        found = f"{aquifer.transmissivity.text}; {aquifer.conductivity.text} times {aquifer.thickness.text}"
        keys = "aquifer.transmissivity, aquifer.conductivity"
        raise BadQuestion(reason, key=keys, found=found, allowed=["one of them", f"within {AGREE:.0%}"])


def stated_otherwise(aquifer: AquiferOf, layers: Amounts) -> tuple[str, ...]:
    """What the aquifer states and the layers have otherwise, beyond its range and `AGREE`; in words."""
    return tuple(_otherwise(aquifer, layers))


def _otherwise(aquifer: AquiferOf, layers: Amounts) -> Iterator[str]:
    stores = "storativity" if aquifer.kind == "confined" else "specific yield at the water table"
    across = layers.transmissivity / layers.thickness
    for name, has, unit, stated in (
        ("transmissivity", layers.transmissivity, " m2/d", aquifer.transmissivity),
        ("mean conductivity", across, " m/d", aquifer.conductivity),
        ("thickness", layers.thickness, " m", aquifer.thickness),
        (stores, layers.storativity, "", aquifer.storativity),
    ):
        if stated is not None and not _within(has, stated):
            yield f"the layers have a {name} of {has:.4g}{unit}, the aquifer {stated.text}: the layers' is taken"


def _within(has: float, stated: Quantity) -> bool:
    return float(stated.low) * (1 - AGREE) <= has <= float(stated.high) * (1 + AGREE)
