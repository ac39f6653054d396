"""The aquifer of a scenario, with the ranges every modelled number carries."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from models.field_types import Text
from models.porosity import Porosity
from models.quantity import Conductivity, Recharge, Resistance, Storativity, Thickness, Transmissivity
from models.toml_file import Noun


class AquiferOf(Noun):
    """One layer, uniform and without end but for streams and edges.

    Parameters
    ----------
    kind : a water table's drawdown is corrected for its shrinking thickness (Jacob); ``confined`` is not.
    storativity : specific yield where unconfined.
    thickness : saturated before pumping; needed where unconfined.
    leaky_resistance : c = b'/K' of a leaky layer above; none is no leakage.
    conductivity, vertical_conductivity : of the layer (T over thickness where left out), and vertically.
    porosity : effective, of every layer: how fast water moves on its way; no drawdown depends on it.
    recharge, dry_year_recharge : on the water table; the second in the maximum scenario.
    """

    kind: Literal["unconfined", "confined"] = "unconfined"
    transmissivity: Transmissivity
    storativity: Storativity
    thickness: Thickness | None = None
    leaky_resistance: Resistance | None = None
    conductivity: Conductivity | None = None
    vertical_conductivity: Conductivity | None = None
    porosity: Porosity | None = None
    recharge: Recharge | None = None
    dry_year_recharge: Recharge | None = None
    source: Text = ""

    @model_validator(mode="after")
    def _thick(self) -> Self:
        if self.kind == "unconfined" and self.thickness is None:
            raise ValueError("an unconfined aquifer needs its saturated thickness")
        return self
