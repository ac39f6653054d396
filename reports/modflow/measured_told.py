"""Measured levels beside a run's heads, as data and as rows; statistics of what is left over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from models.modflow.measured import Measured, Residuals, as_said, residuals_of
from reports.shown_units import Shown, Unit

Row = dict[str, str]
NO_CALIBRATION = (
    "Measured levels stand beside the run with pumping and judge it. No conductivity, storage or recharge was fitted "
    "to them: this is no calibration, and small residuals make no calibrated model."
)
ALL = "all wells"


def measured_data(found: Sequence[Measured], zero_ft: float | None, shown: Shown) -> dict[str, Any]:
    """Residuals, measured less simulated, of each well and of all; ``calibrated`` is always False.

    Parameters
    ----------
    zero_ft : the run's zero above NAVD88 [ft]; None where it is not known.
    """
    each = [{"id": one.id, "levels": as_said(one), **_statistics([one], shown.drawdown)} for one in found]
    return {
        "wells": each, ALL.replace(" ", "_"): _statistics(found, shown.drawdown), "unit": shown.drawdown.name,
        "residual": "measured less simulated with pumping", "calibrated": False,
        "zero": None if zero_ft is None else {"value": zero_ft, "unit": "ft", "datum": "NAVD88"},
    }  # fmt: skip


def _statistics(found: Sequence[Measured], unit: Unit) -> dict[str, Any]:
    told: Residuals | None = residuals_of(found)
    if told is None:
        return {"n": 0, "bias": None, "rmse": None}
    return {"n": told.count, "bias": unit.of(told.bias), "rmse": unit.of(told.rmse)}


def measured_rows(data: Mapping[str, Any], shown: Shown) -> list[Row]:
    """A row a well, and one of all where there are more."""
    rows = [{"well": one["id"], "levels": one["levels"], **_cells(one, shown.drawdown)} for one in data["wells"]]
    every = [{"well": ALL, "levels": "", **_cells(data["all_wells"], shown.drawdown)}] if len(rows) > 1 else []
    return rows + every


def _cells(told: Mapping[str, Any], unit: Unit) -> Row:
    figures = {name: "" if told[name] is None else f"{told[name]:+.2f} {unit.name}" for name in ("bias", "rmse")}
    return {"n": str(told["n"]), "bias": figures["bias"], "root_mean_square": figures["rmse"].lstrip("+")}
