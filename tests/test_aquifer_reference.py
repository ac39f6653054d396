"""Every row of the reference table, within its stated tolerance.

The table is in metres and seconds and computed to 20 digits by two routes each; the solutions are in any one set of
units, or in metres and days, to which the row is turned.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.aquifer import (
    bounded,
    cooper_jacob,
    depletion,
    hunt2003,
    influence,
    jacob_lohman,
    leaky,
    mound,
    neuman,
    partial,
    pit,
    recovery,
    residual,
    steady,
    strip,
    trench,
    unconfined,
    ward_lough,
    well_loss,
    well_storage,
)
from models.aquifer.hunt import hunt_depletion_fraction, hunt_drawdown, hunt_volume_fraction
from models.aquifer.screen import Screen
from models.aquifer.superposition import superpose
from models.aquifer.theis import theis_drawdown, well_function
from models.errors import BadQuestion

DAY = 86400.0
TABLE = Path(__file__).parent / "data/reference_values.csv"
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))

P = dict[str, Any]


def theis(p: P, *, r: Any = None, t: Any = None, q: Any = None) -> Any:
    q, t = p.get("Q", 1.0) if q is None else q, p["t"] if t is None else t
    return theis_drawdown(q, p["T"], p["S"], p["r"] if r is None else r, t)


def well(p: P, at: Any, q: Any = None, t: Any = None) -> Any:
    return theis(p, r=np.hypot(p["x"] - at[0], p["y"] - at[1]), q=q, t=t)


def scheduled(p: P, response: Any) -> Any:
    return superpose(*zip(*p["schedule"], strict=True), p["t"], response)


def daily_365(p: P) -> Any:
    rates = [((i * 37) % 11) / 1000 for i in range(365)] + [0.0]
    return superpose(np.arange(366) * DAY, rates, p["t"], lambda t: theis(p, t=t))


def hunt(p: P, t: Any = None) -> Any:
    return hunt_depletion_fraction(p["T"], p["S"], p["d"], p["lam"], p["t"] if t is None else t)


def leaky_drawdown(p: P) -> Any:
    return leaky.hantush_jacob_drawdown(p["Q"] * DAY, p["T"] * DAY, p["S"], p["B"], p["r"], p["t"] / DAY)


def partly_screened(p: P) -> Any:
    observed = p["z"] if "z" in p else Screen(p["d2"], p["l2"])
    aquifer = p["Q"] * DAY, p["T"] * DAY, p["S"], p["b"], p["kzkr"]
    return partial.partial_penetration_drawdown(*aquifer, Screen(p["d"], p["l"]), observed, p["r"], p["t"] / DAY)


def neuman_drawdown(p: P) -> Any:
    aquifer = neuman.WaterTableAquifer(p["Kr"] * DAY, p["Kz"] * DAY, p["Ss"], p["Sy"], p["b"])
    return neuman.neuman_drawdown(p["Q"] * DAY, aquifer, p["r"], p["z"], p["t"] / DAY)


def large_well(p: P) -> Any:
    radii = p["rw"], p["rc"], p["r"]
    return well_storage.papadopulos_cooper_drawdown(p["Q"] * DAY, p["T"] * DAY, p["S"], *radii, p["t"] / DAY)


def image(edge: bounded.Edge) -> Any:
    def drawdown(p: P) -> Any:
        aquifer = p["Q"] * DAY, p["T"] * DAY, p["S"], p["well"][0]
        return bounded.half_plane_drawdown(*aquifer, edge, p["x"], p["y"], p["t"] / DAY)

    return drawdown


def strip_drawdown(p: P) -> Any:
    aquifer = p["Q"] * DAY, p["T"] * DAY, p["S"], 400.0
    edges: Any = ("constant_head", "no_flow")
    return strip.strip_drawdown(*aquifer, edges, p["well"], p["x"], p["y"], p["t"] / DAY)


def left_after(p: P) -> Any:
    times = p["t_pump"] / DAY, p["t_since_stop"] / DAY
    return recovery.residual_drawdown(p["Q"] * DAY, p["T"] * DAY, p["S"], p["r"], *times)


def glover(p: P, t: Any = None) -> Any:
    return depletion.glover_depletion_fraction(p["T"] * DAY, p["S"], p["d"], (p["t"] if t is None else t) / DAY)


def glover_volume(p: P) -> Any:
    return depletion.glover_volume_fraction(p["T"] * DAY, p["S"], p["d"], p["t"] / DAY)


def glover_after(p: P) -> Any:
    (_, rate), (stop, _) = p["schedule"]
    after = p["t"] - stop
    if after < 0:
        return rate * glover(p)
    return rate * residual.residual_fraction(lambda t: glover(p, t * DAY), stop / DAY, after / DAY)


def seasons(p: P) -> Any:
    days = [year * 365 + day for year in range(p["years"]) for day in (p["on_day"], p["off_day"])]
    return superpose(days, [1.0, 0.0] * p["years"], p["t"] / DAY, lambda t: glover(p, t * DAY))


def hantush_1965(p: P) -> Any:
    return depletion.hantush_depletion_fraction(p["T"] * DAY, p["S"], p["d"], p["L"], p["t"] / DAY)


def semiconfined(p: P) -> Any:
    stream = p["T"] * DAY, p["S"], p["d"], p["lam"] * DAY
    return hunt2003.hunt2003_depletion_fraction(*stream, p["Kp_over_Bp"] * DAY, p["sigma"], p["t"] / DAY)


def two_layers(p: P) -> Any:
    layers = ward_lough.TwoLayers(p["T1"] * DAY, p["S1"], p["T2"] * DAY, p["S2"], p["Kp_over_Bp"] * DAY)
    return ward_lough.ward_lough_depletion_fraction(layers, p["d"], p["lam"] * DAY, p["t"] / DAY)


def pit_radius(p: P) -> Any:
    return pit.influence_radius_m(p["W"] * DAY, p["K"] * DAY, p["hp"], p["rp"], p["h0"])


def pit_over_time(p: P) -> Any:
    aquifer = p["T"] * DAY, p["S"], p["r_pit"]
    return jacob_lohman.constant_drawdown_inflow_m3_per_d(*aquifer, p["s"], p["t"] / DAY) / DAY


def refused(call: Any) -> float:
    """Infinity, as the table has it, where the solution says that there is none."""
    with pytest.raises(BadQuestion, match="steady"):
        call()
    return float("inf")


def basin(p: P) -> Any:
    place = p["L"], p["a"], p["x"], p["y"]
    return mound.mound_head_m(p["w"] * DAY, p["K"] * DAY, p["Sy"], p["hi"], *place, p["t"] / DAY)


SOLUTIONS: dict[str, Any] = {
    "theis_W": lambda p: well_function(p["u"]),
    "theis_drawdown": lambda p: theis(p, r=max(p["r"], p.get("rw", 0.0))),
    "theis_multistep": lambda p: scheduled(p, lambda t: theis(p, t=t)),
    "theis_daily_365": daily_365,
    "theis_multiwell": lambda p: sum(well(p, (x, y), q, p["t"] - start) for x, y, q, start in p["wells"]),
    "cooper_jacob_drawdown": lambda p: cooper_jacob.cooper_jacob_drawdown(
        p["Q"] * DAY, p["T"] * DAY, p["S"], p["r"], p["t"] / DAY
    ),
    "cooper_jacob_error": lambda p: cooper_jacob.cooper_jacob_error(p["u"]),
    "cooper_jacob_R": lambda p: influence.cooper_jacob_radius_m(p["T"] * DAY, p["S"], p["t"] / DAY),
    "sichardt_R": lambda p: influence.sichardt_radius_m(p["s"], p["K"] * DAY),
    "kusakin_R": lambda p: influence.kusakin_radius_m(p["s"], p["H"], p["K"] * DAY),
    "hantush_W": lambda p: leaky.leaky_well_function(p["u"], p["r_over_B"]),
    "hantush_drawdown": leaky_drawdown,
    "hantush_steady": lambda p: leaky.de_glee_drawdown(p["Q"] * DAY, p["T"] * DAY, p["B"], p["r"]),
    "hantush_partial_penetration": partly_screened,
    "neuman_drawdown": neuman_drawdown,
    "jacob_correction": lambda p: unconfined.jacob_correction_m(p["s"], p["b"]),
    "jacob_inverse": lambda p: unconfined.unconfined_drawdown_m(p["sp"], p["b"]),
    "well_loss": lambda p: well_loss.well_drawdown_m(p["Q"], p["B"], p["C"]),
    "well_loss_rorabaugh": lambda p: well_loss.well_drawdown_m(p["Q"], p["B"], p["C"], p["P"]),
    "well_efficiency": lambda p: well_loss.well_efficiency(p["Q"], p["B"], p["C"]),
    "papadopulos_cooper_F": lambda p: well_storage.well_storage_function(p["alpha"], p["u_w"]),
    "papadopulos_cooper_drawdown": large_well,
    "theis_recovery": left_after,
    "theis_image_constant_head": image("constant_head"),
    "theis_image_no_flow": image("no_flow"),
    "theis_strip_stream_noflow": strip_drawdown,
    "thiem_drawdown": lambda p: steady.thiem_drawdown(p["Q"] * DAY, p["T"] * DAY, p["r"], p["R"]),
    "dupuit_well_inflow": lambda p: steady.dupuit_inflow_m3_per_d(p["K"] * DAY, p["H"], p["h"], p["r"], p["R"]) / DAY,
    "dupuit_head": lambda p: steady.dupuit_head_m(p["Q"] * DAY, p["K"] * DAY, p["H"], p["r"], p["R"]),
    "jacob_lohman_G": lambda p: jacob_lohman.constant_drawdown_function(p["alpha"]),
    "pit_inflow_constant_drawdown": pit_over_time,
    "pit_equivalent_radius": lambda p: pit.equivalent_radius_m(p["L"] * p["W"]),
    "marinelli_niccoli_r0": pit_radius,
    "marinelli_niccoli_Q1": lambda p: pit.wall_inflow_m3_per_d(p["W"] * DAY, p["rp"], pit_radius(p)) / DAY,
    "marinelli_niccoli_Q2": lambda p: (
        pit.floor_inflow_m3_per_d(p["Kh2"] * DAY, p["Kv2"] * DAY, p["rp"], p["h0"], p["d"]) / DAY
    ),
    "marinelli_niccoli_recharge0": lambda p: refused(lambda: pit_radius(p)),
    "edelman_drawdown": lambda p: trench.edelman_drawdown(p["T"] * DAY, p["S"], p["s0"], p["x"], p["t"] / DAY),
    "edelman_flux": lambda p: trench.edelman_flux_m2_per_d(p["T"] * DAY, p["S"], p["s0"], p["t"] / DAY) / DAY,
    "hantush_mound_head": basin,
    "glover_fraction": glover,
    "glover_volume_fraction": glover_volume,
    "glover_residual": glover_after,
    "glover_cyclic": seasons,
    "hantush65_fraction": hantush_1965,
    "hunt03_fraction": semiconfined,
    "ward_lough_fraction": two_layers,
    "hunt99_fraction": hunt,
    "hunt99_residual": lambda p: scheduled(p, lambda t: hunt(p, t)),
    "hunt99_volume_fraction": lambda p: hunt_volume_fraction(p["T"], p["S"], p["d"], p["lam"], p["t"]),
    "hunt99_drawdown": lambda p: hunt_drawdown(p["Q"], p["T"], p["S"], p["d"], p["lam"], p["x"], p["y"], p["t"]),
}


@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r['id']} {r['case']}")
def test_reference(row: dict[str, str]) -> None:
    found = float(SOLUTIONS[row["solution"]](json.loads(row["params_json"])))
    assert found == pytest.approx(float(row["expected"]), rel=float(row["rtol"]), abs=float(row["atol"]))


def test_every_solution_of_the_table_is_here_and_no_other() -> None:
    assert {row["solution"] for row in ROWS} == SOLUTIONS.keys()
