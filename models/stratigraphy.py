"""The layers of a site's aquifer, from the water table down to its base: ``[[layer]]`` of ``site.toml``."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from models.field_types import Id, Positive, Text
from models.references import unique
from models.toml_file import Noun


class Stratum(Noun):
    """One layer of the aquifer; the first one in the file begins at the water table.

    Parameters
    ----------
    bottom_elevation_ft : above NAVD88. The base of the last one lies ``aquifer.saturated_thickness_ft`` below the
        undisturbed water table, which is thereby known.
    conductivity_ft_per_d, vertical_conductivity_ft_per_d : K and Kv; Kv a tenth of K where left out.
    specific_storage_per_ft : 1e-5 1/m where left out. ``specific_yield`` : the aquifer's where left out.
    source : the boring, log or test it comes from.
    """

    id: Id
    bottom_elevation_ft: Annotated[Decimal, Field(ge=-5000, le=15000)]
    conductivity_ft_per_d: Positive
    vertical_conductivity_ft_per_d: Positive | None = None
    specific_storage_per_ft: Annotated[Decimal, Field(gt=0, le=1)] | None = None
    specific_yield: Annotated[Decimal, Field(gt=0, le=Decimal("0.5"))] | None = None
    source: Text = ""


def water_table_ft(layers: Sequence[Stratum], saturated_ft: Decimal) -> Decimal:
    """Elevation of the undisturbed water table [ft above NAVD88]."""
    return layers[-1].bottom_elevation_ft + saturated_ft


def depths_ft(layers: Sequence[Stratum], saturated_ft: Decimal) -> list[Decimal]:
    """How far the bottom of each layer lies below the undisturbed water table [ft]."""
    return [water_table_ft(layers, saturated_ft) - one.bottom_elevation_ft for one in layers]


def transmissivity_ft2_per_d(layers: Sequence[Stratum], saturated_ft: Decimal) -> Decimal:
    """Of all layers together: the sum of K b [ft2/d]."""
    depths = [Decimal(0), *depths_ft(layers, saturated_ft)]
    thick = [below - above for above, below in pairwise(depths)]
    return sum((one.conductivity_ft_per_d * b for one, b in zip(layers, thick, strict=True)), Decimal(0))


def fits_aquifer(layers: Sequence[Stratum], saturated_ft: Decimal | None) -> None:
    """Refuse layers that cross, stand above the water table, or belong to no aquifer.

    Parameters
    ----------
    saturated_ft : of the aquifer before pumping; None where the site declares none.

    Raises
    ------
    ValueError : naming the layers.
    """
    if not layers:
        return
    unique("layer.id", [one.id for one in layers])
    if saturated_ft is None:
        raise ValueError(f"layer {layers[0].id} belongs to an [aquifer], and the site declares none")
    for above, below in pairwise(layers):
        if below.bottom_elevation_ft >= above.bottom_elevation_ft:
            raise ValueError(
                f"layers cross: the bottom of {below.id} at {below.bottom_elevation_ft:f} ft is not below that of "
                f"{above.id} at {above.bottom_elevation_ft:f} ft"
            )
    table, first = water_table_ft(layers, saturated_ft), layers[0]
    if first.bottom_elevation_ft >= table:
        raise ValueError(
            f"the bottom of {first.id} at {first.bottom_elevation_ft:f} ft is not below the water table, which stands "
            f"at {table:f} ft: aquifer.saturated_thickness_ft over the bottom of {layers[-1].id}"
        )
