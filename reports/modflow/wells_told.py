"""What each pumped well was told to give and gave, from which layers, and the level in a bore that joins several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from models.modflow.answer import Answer
from models.modflow.numerical import WellStress
from reports.shown_units import Shown, Unit

Row = dict[str, str]
LEVEL_SAYS = (
    "The level in a bore is that of water at rest against its screen, above the undisturbed water table at the first "
    "well. It leaves out the well's own loss (turbulence, a clogged screen), which nobody knows from the aquifer: the "
    "level in the real well stands there or below. It is a level in a well, and no drawdown of the aquifer."
)


def wells_data(answer: Answer, shown: Shown) -> list[dict[str, Any]]:
    """Every pumped well on the day asked for.

    ``package`` : WEL draws on one layer at the rate told; MAW on several through one level. ``level_in_bore`` : None
    where there is no such bore, or nobody stated its radius.
    """
    return [_well_data(answer, one, shown) for one in answer.pair.stressed.wells]


def _well_data(answer: Answer, well: WellStress, shown: Shown) -> dict[str, Any]:
    run, rate = answer.stressed, shown.pumping
    given = float(run.well_rates[well.id][-1])
    flows = run.bore_flow[well.id][-1] if well.multi_aquifer else np.array([given])
    return {
        "id": well.id, "package": "MAW" if well.multi_aquifer else "WEL",
        "specified": _valued(float(well.rates[run.period[-1]]), rate), "simulated": _valued(given, rate),
        "layers": [
            {"layer": answer.pair.strata.layers[layer].name, "gives": _valued(float(flow), rate)}
            for ((layer, _, _), _), flow in zip(well.cells, flows, strict=True)
        ],
        "level_in_bore": _level(answer, well, shown.drawdown),
    }  # fmt: skip


def _level(answer: Answer, well: WellStress, unit: Unit) -> dict[str, Any] | None:
    """Its radius decides it, and is not guessed."""
    stated = any(one.id == well.id and one.radius is not None for one in answer.scenario.well)
    return _valued(float(answer.stressed.bore_level[well.id][-1]), unit) if well.multi_aquifer and stated else None


def _valued(value: float, unit: Unit) -> dict[str, Any]:
    return {"value": unit.of(value), "unit": unit.name}


def well_rows(data: Mapping[str, Any], shown: Shown) -> list[Row]:
    """A row a well where any of them draws on several layers; else the budget and the gate say as much."""
    if not any(one["package"] == "MAW" for one in data["wells"]):
        return []
    return [
        {
            "well": one["id"], "told_to_give": _says(one["specified"], shown.pumping),
            "gives": _says(one["simulated"], shown.pumping), "from": _from(one, shown),
            "level_in_its_bore": "" if one["level_in_bore"] is None else _says(one["level_in_bore"], shown.drawdown),
        }
        for one in data["wells"]
    ]  # fmt: skip


def level_notes(wells: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a level in a bore is, where one of `wells_data` is told."""
    return [LEVEL_SAYS] if any(one["level_in_bore"] is not None for one in wells) else []


def _from(one: Mapping[str, Any], shown: Shown) -> str:
    """Each of its layers with what it gives; of a well in one layer that layer."""
    parts = [f"{each['layer']} {_says(each['gives'], shown.pumping)}" for each in one["layers"]]
    return ", ".join(parts) if one["package"] == "MAW" else one["layers"][0]["layer"]


def _says(valued: Mapping[str, Any], unit: Unit) -> str:
    return f"{unit.text(valued['value'])} {unit.name}"
