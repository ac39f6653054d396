"""What a numerical model answers, as plain data for machines and as rows of tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from models.modflow.answer import Answer, Check
from models.scenario.noun import ObservedPoint
from reports.aquifer.cone_section import instants
from reports.modflow.wells_told import wells_data
from reports.shown_units import Shown, Unit

Row = dict[str, str]
PEAK_SHARE = 1.01
"""A largest value is told beside the last one where it is more than a hundredth above it."""


def answer_data(answer: Answer, shown: Shown) -> dict[str, Any]:
    """The whole answer in the reader's units; every number carries its unit, and what is unknown is None."""
    told = answer.quantities
    return {
        "on": instants(float(told.day[-1])), "scenario": answer.scenario.kind, "name": answer.scenario.name,
        "points": [_point_data(answer, one, shown) for one in answer.scenario.point],
        "streams": [_stream_data(answer, id, shown) for id in told.depletion],
        "pits": [_pit_data(answer, id, shown) for id in told.inflow],
        "wells": wells_data(answer, shown),
        "pumping": _valued(float(told.pumped[-1]), shown.pumping),
        "budget": {**{id: shown.pumping.of(float(one[-1])) for id, one in answer.stressed.budget.items()},
                   "unit": shown.pumping.name},
        "gate": [check_data(one) for one in answer.checks],
        "grid": dict(zip(("layers", "rows", "columns"), answer.pair.stressed.grid.shape, strict=True)),
        "stress_periods": len(answer.pair.stressed.periods),
        "time_steps": int(answer.stressed.time.size), "program": answer.program, "assumed": list(answer.assumed),
    }  # fmt: skip


def _valued(value: float, unit: Unit) -> dict[str, Any]:
    return {"value": unit.of(value) if np.isfinite(value) else None, "unit": unit.name}


def _point_data(answer: Answer, point: ObservedPoint, shown: Shown) -> dict[str, Any]:
    told, unit = answer.quantities, shown.drawdown
    values = told.drawdown[point.id]
    left = _left_m(point, float(values[-1]))
    return {
        "id": point.id, "kind": point.kind, "drawdown": _valued(float(values[-1]), unit), **_peak(answer, values, unit),
        **_layer_data(answer, point.id), "dry": point.id in told.dry, "in_cell_of_well": told.in_well.get(point.id),
        "left_above_intake": None if left is None else _valued(left, unit),
    }  # fmt: skip


def _layer_data(answer: Answer, id: str) -> dict[str, Any]:
    """Of several layers the one whose head is told, and whether it is the place's own or the one that falls most."""
    layers = answer.pair.strata.layers
    if len(layers) == 1:
        return {}
    among = sum(one.place == id for one in answer.pair.stressed.observed)
    return {"layer": layers[answer.quantities.observed[id].layer].name, "layer_known": among == 1}


def _peak(answer: Answer, values: np.ndarray, unit: Unit) -> dict[str, Any]:
    if np.isnan(values).all():
        return {"largest": _valued(np.nan, unit), "largest_on": None}
    at = int(np.nanargmax(values))
    return {"largest": _valued(float(values[at]), unit), "largest_on": instants(float(answer.quantities.day[at]))}


def _left_m(point: ObservedPoint, drawdown_m: float) -> float | None:
    """Water above the pump [m], where both depths are known; below 0 the pump hangs dry."""
    if point.pump_intake is None or point.water_depth is None or not np.isfinite(drawdown_m):
        return None
    return point.pump_intake.value - point.water_depth.value - drawdown_m


def _stream_data(answer: Answer, id: str, shown: Shown) -> dict[str, Any]:
    told = answer.quantities
    lost = told.depletion[id]
    taken = float(told.pumped[-1]) + sum(float(one[-1]) for one in told.inflow.values())
    name = next(one.name for one in answer.scenario.stream if one.id == id)
    return {
        "id": id, "name": name,
        "depletion": _valued(float(lost[-1]), shown.stream), **_peak(answer, lost, shown.stream),
        "share_of_water_taken": float(lost[-1]) / taken if taken > 0 else None,
        "flow_at_end": _flow_at_end(answer, id, shown),
    }  # fmt: skip


def _flow_at_end(answer: Answer, id: str, shown: Shown) -> dict[str, Any] | None:
    """Of a stream that carries its own water: what leaves its last reach on the day, without pumping and with it."""
    if id not in answer.stressed.stream_flow:
        return None
    flows = (float(one.stream_flow[id][-1, -1]) for one in (answer.baseline, answer.stressed))
    before, now = (shown.stream.of(one) for one in flows)
    return {"without_pumping": before, "with_pumping": now, "unit": shown.stream.name}


def _pit_data(answer: Answer, id: str, shown: Shown) -> dict[str, Any]:
    inflow, unit = answer.quantities.inflow[id], shown.pumping
    others = [{"times": one.factor, "inflow": _valued(one.inflow, unit)} for one in answer.sensitivity if one.pit == id]
    return {
        "id": id, "inflow": _valued(float(inflow[-1]), unit), **_peak(answer, inflow, unit),
        "sensitivity_to_drain_conductance": others,
    }  # fmt: skip


def check_data(one: Check) -> dict[str, Any]:
    """One check of the gate; it holds no drawdown and no depletion."""
    return {
        "name": one.name, "passed": one.passed, "applies": one.applies, "measured": one.measured, "limit": one.limit,
        "unit": one.unit, "says": one.says, "remedy": "" if one.passed else one.remedy,
    }  # fmt: skip


def point_rows(data: Mapping[str, Any], shown: Shown) -> list[Row]:
    """Drawdown at the places, and what is left above the pump."""
    unit = shown.drawdown
    return [
        {
            "place": one["id"], "kind": one["kind"], "drawdown": _place_says(one, unit),
            **_layer_cell(one), "largest": _peak_says(one, unit, "drawdown"),
            "left_above_intake": "" if one["left_above_intake"] is None else _says(one["left_above_intake"], unit),
        }
        for one in data["points"]
    ]  # fmt: skip


def _layer_cell(one: Mapping[str, Any]) -> Row:
    if "layer" not in one:
        return {}
    return {"layer": one["layer"] if one["layer_known"] else f"{one['layer']}, which falls most (its own not known)"}


def _place_says(one: Mapping[str, Any], unit: Unit) -> str:
    if one["in_cell_of_well"] is not None:
        return f"not told: in the cell of {one['in_cell_of_well']}"
    if one["drawdown"]["value"] is None:
        return "dry"
    return _says(one["drawdown"], unit)


def _peak_says(one: Mapping[str, Any], unit: Unit, last: str) -> str:
    most, now = one["largest"]["value"], one[last]["value"]
    if most is None or (now is not None and most <= PEAK_SHARE * abs(now)):
        return ""
    return f"{_says(one['largest'], unit)} on {one['largest_on'][:10]}"


def _says(valued: Mapping[str, Any], unit: Unit) -> str:
    return f"{unit.text(valued['value'])} {unit.name}"


def _share_says(share: float | None) -> str:
    """Of what wells and the pit take together."""
    return "" if share is None else f"{100 * share:.2g} %"


def stream_rows(data: Mapping[str, Any], shown: Shown) -> list[Row]:
    """What each stream gives the aquifer more than without pumping."""
    unit = shown.stream
    return [
        {
            "stream": one["name"] or one["id"], "depletion": _says(one["depletion"], unit),
            "largest": _peak_says(one, unit, "depletion"),
            "share_of_water_taken": _share_says(one["share_of_water_taken"]),
            **_flow_cell(one["flow_at_end"], unit),
        }
        for one in data["streams"]
    ]  # fmt: skip


def _flow_cell(flow: Mapping[str, Any] | None, unit: Unit) -> Row:
    if flow is None:
        return {}
    now, before = (unit.text(flow[name]) for name in ("with_pumping", "without_pumping"))
    return {"flow_at_its_end": f"{now} {unit.name} (without pumping {before})"}


def pit_rows(data: Mapping[str, Any], shown: Shown) -> list[Row]:
    """The pit's inflow, and with other conductances of its drain."""
    unit = shown.pumping
    return [
        {
            "pit": one["id"], "inflow": _says(one["inflow"], unit), "largest": _peak_says(one, unit, "inflow"),
            **dict(_sensitivity_cells(one, unit)),
        }
        for one in data["pits"]
    ]  # fmt: skip


def _sensitivity_cells(one: Mapping[str, Any], unit: Unit) -> Iterator[tuple[str, str]]:
    for each in one["sensitivity_to_drain_conductance"]:
        yield f"drain_conductance_x{each['times']:g}", _says(each["inflow"], unit)


def budget_rows(data: Mapping[str, Any], shown: Shown) -> list[Row]:
    """Net flow into the aquifer on the day, by what it comes from; below 0 it leaves."""
    flows = {id: value for id, value in data["budget"].items() if id != "unit"}
    most = max((abs(one) for one in flows.values()), default=0.0)
    return [
        {"water_from": id, "into_the_aquifer": f"{shown.pumping.text(value)} {shown.pumping.name}"}
        for id, value in flows.items()
        if abs(value) > 1e-6 * most
    ]


def check_rows(checks: Sequence[Check]) -> list[Row]:
    """The gate."""
    return [
        {
            "check": one.name, "measured": "" if one.measured is None else f"{one.measured:.2g}",
            "limit": "" if one.limit is None else f"{one.limit:g} {one.unit}",
            "result": ("passed" if one.applies else "does not apply") if one.passed else "FAILED", "what": one.says,
        }
        for one in checks
    ]  # fmt: skip
