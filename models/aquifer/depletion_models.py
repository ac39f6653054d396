"""The rows of the table of models that answer with a stream's share of the pumping rate."""

from __future__ import annotations

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.catalogue import Model, Values
from models.aquifer.depletion import (
    glover_depletion_fraction,
    glover_volume_fraction,
    hantush_depletion_fraction,
    hantush_volume_fraction,
)
from models.aquifer.drawdown_models import LEVEL_STREAM, LINE_WELL, UNIFORM
from models.aquifer.hunt import hunt_depletion_fraction, hunt_volume_fraction
from models.aquifer.hunt2003 import hunt2003_depletion_fraction
from models.aquifer.ward_lough import TwoLayers, ward_lough_depletion_fraction

CUTS = "the stream cuts the aquifer, which ends there"
OTHERS = "no other stream, no recharge taken, no bend: all that the stream loses is charged to this one reach"
CLEAN = "its bed is not clogged: an upper bound where it is (--model hunt)"


def _beside(values: Values) -> tuple[float, float, float]:
    return values["T"], values["S"], values["d"]


def _ward_lough(values: Values, times: Numbers) -> Numbers:
    layers = TwoLayers(values["T1"], values["S1"], values["T"], values["S"], values["leakance"])
    return ward_lough_depletion_fraction(layers, values["d"], values["lam"], times)


def _hunt_notes(values: Values, _times: Numbers) -> list[str]:
    """A bed that resists less than the aquifer itself between well and stream: Glover's stream."""
    if values["lam"] == 0:
        return ["lam = 0: the stream is not connected, and nothing is taken from it"]
    clean = values["lam"] * values["d"] / (2 * values["T"])
    return [] if clean < 100 else [f"lam d / 2T = {clean:.3g}: the bed hardly resists, Glover would do"]


_ALL = (
    Model(
        "glover", "Glover & Balmer (1954)", ("T", "S", "Q", "d", "t"),
        lambda v, t: glover_depletion_fraction(*_beside(v), t), (UNIFORM, LINE_WELL, LEVEL_STREAM, CUTS, CLEAN, OTHERS),
        volume=lambda v, t: glover_volume_fraction(*_beside(v), t), output="Q",
    ),
    Model(
        "hantush1965", "Hantush (1965), a clogged bed that cuts the aquifer", ("T", "S", "Q", "d", "L", "t"),
        lambda v, t: hantush_depletion_fraction(*_beside(v), v["L"], t),
        (UNIFORM, LINE_WELL, LEVEL_STREAM, CUTS, "its bed is a layer without storage", OTHERS),
        volume=lambda v, t: hantush_volume_fraction(*_beside(v), v["L"], t), output="Q",
    ),
    Model(
        "hunt", "Hunt (1999)", ("T", "S", "Q", "d", "lam", "t"),
        lambda v, t: hunt_depletion_fraction(*_beside(v), v["lam"], t),
        (UNIFORM, LINE_WELL, LEVEL_STREAM, "the stream lies on the aquifer and does not cut it", OTHERS),
        notes=_hunt_notes, volume=lambda v, t: hunt_volume_fraction(*_beside(v), v["lam"], t), output="Q",
    ),
    Model(
        "hunt2003", "Hunt (2003), a stream in an aquitard above the pumped aquifer",
        ("T", "S", "Q", "d", "lam", "leakance", "sigma", "t"),
        lambda v, t: hunt2003_depletion_fraction(*_beside(v), v["lam"], v["leakance"], v["sigma"], t),
        (UNIFORM, LINE_WELL, LEVEL_STREAM, "flow in the aquitard is vertical; its water table yields --sigma", OTHERS),
        output="Q",
    ),
    Model(
        "ward-lough", "Ward & Lough (2011), a stream on the upper of two aquifers, the well in the lower",
        ("T", "S", "T1", "S1", "Q", "d", "lam", "leakance", "t"), _ward_lough,
        ("two layers, each uniform, with a leaky layer that stores nothing between them", LINE_WELL, LEVEL_STREAM,
         OTHERS), output="Q",
    ),
)  # fmt: skip

DEPLETION: dict[str, Model] = {one.name: one for one in _ALL}
"""Models of stream depletion by name."""

ALIASES = {
    "glover-balmer": "glover", "hantush": "hantush1965", "hunt1999": "hunt", "hunt99": "hunt", "hunt03": "hunt2003",
    "jenkins": "glover",
}  # fmt: skip
"""Other names of theirs."""


def stream_depletion_factor_d(values: Values) -> float:
    """sdf = d2 S / T [d]."""
    return float(np.square(values["d"]) * values["S"] / values["T"])
