"""The rows of the table of models that answer with a drawdown."""

from __future__ import annotations

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.bounded import Edge, half_plane_drawdown
from models.aquifer.catalogue import Model, Values
from models.aquifer.cooper_jacob import cooper_jacob_drawdown, cooper_jacob_error
from models.aquifer.hunt import hunt_drawdown
from models.aquifer.jacob_lohman import constant_drawdown_cone_m
from models.aquifer.leaky import de_glee_drawdown, hantush_jacob_drawdown, leakage_factor_m
from models.aquifer.neuman import WaterTableAquifer, neuman_drawdown
from models.aquifer.partial import partial_penetration_drawdown
from models.aquifer.screen import Screen
from models.aquifer.steady import dupuit_head_m, thiem_drawdown
from models.aquifer.strip import strip_drawdown
from models.aquifer.theis import theis_drawdown
from models.aquifer.trench import edelman_drawdown
from models.aquifer.unconfined import jacob_correction_m, unconfined_drawdown_m
from models.aquifer.well_storage import papadopulos_cooper_drawdown

_SEEN = (("z", "ztop"), ("z", "zbottom"))
LARGEST_U = 0.05
"""u above which Cooper & Jacob is more than 2 % of the drawdown too small."""

UNIFORM = "one horizontal layer, uniform and isotropic, water level at rest before pumping"
ENDLESS = "without end: no stream, no wall, no leakage, no recharge"
UPPER = "where a stream is near this is an upper bound: the stream gives part of the water (--model hunt)"
LINE_WELL = "a line well through the whole thickness, pumped at a constant rate; water comes out of storage at once"
LEVEL_STREAM = "a straight, endless stream whose level the pumping does not change"
WATER_TABLE = "with --b the aquifer is unconfined and its drawdown corrected for the thickness lost (Jacob)"


def _leakage(values: Values) -> float:
    return values["B"] if "B" in values else float(leakage_factor_m(values["T"], values["c"]))


def _aquifer(values: Values) -> tuple[float, float, float]:
    return values["Q"], values["T"], values["S"]


def _cooper_jacob_marks(values: Values, times: Numbers) -> list[str]:
    u = values["r"] ** 2 * values["S"] / (4 * values["T"] * float(times.min()))
    if u <= LARGEST_U:
        return []
    reason = f"u = {u:.3g} is above {LARGEST_U}: the straight line does not hold yet"
    below = "" if u > 700 else f", it is {-100 * float(cooper_jacob_error(u)):.3g} % below Theis"
    return [f"{reason}{below}"]


def _image(edge: Edge) -> Model:
    words = {"constant_head": "a straight water that keeps its level", "no_flow": "a straight wall"}[edge]
    return Model(
        f"image-{edge.replace('_', '-')}", f"Theis with an image well: {words} (Ferris et al. 1962)",
        ("T", "S", "Q", "d", "x", "y", "t"),
        lambda v, t: half_plane_drawdown(*_aquifer(v), v["d"], edge, v["x"], v["y"], t),
        (UNIFORM, LINE_WELL, f"the aquifer ends at {words}, without a clogged bed", WATER_TABLE), may=("b",),
        output="x",
    )  # fmt: skip


def _screen(values: Values, top: str, bottom: str) -> Screen:
    """Depths below the top of the aquifer; an end that is not given is the aquifer's own."""
    return Screen(values.get(top, 0.0), values.get(bottom, values["b"]))


def _from_base(screen: Screen, thickness_m: float) -> Screen:
    return Screen(thickness_m - screen.high_m, thickness_m - screen.low_m)


def _neuman(values: Values, times: Numbers) -> Numbers:
    b, k = values["b"], values["T"] / values["b"]
    aquifer = WaterTableAquifer(k, values["kzkr"] * k, values["S"] / b, values["Sy"], b)
    seen = _screen(values, "ztop", "zbottom") if "z" not in values else Screen(values["z"], values["z"])
    screen = _from_base(_screen(values, "top", "bottom"), b)
    return neuman_drawdown(values["Q"], aquifer, values["r"], _from_base(seen, b), times, pumped=screen)


def _partial(values: Values, times: Numbers) -> Numbers:
    seen = values["z"] if "z" in values else _screen(values, "ztop", "zbottom")
    screen = Screen(values["top"], values["bottom"])
    return partial_penetration_drawdown(
        *_aquifer(values), values["b"], values["kzkr"], screen, seen, values["r"], times
    )


def _well_storage_notes(values: Values, times: Numbers) -> list[str]:
    late = 250 * values["rc"] ** 2 / values["T"]
    return (
        []
        if times.min() <= late
        else [f"after {late:.3g} d (250 rc2/T) the well's own storage no longer counts: Theis"]
    )


def _steady_notes(_values: Values, _times: Numbers) -> list[str]:
    return ["a steady state: how long it takes to be reached is not in it"]


_ALL = (
    Model(
        "theis", "Theis (1935)", ("T", "S", "Q", "r", "t"),
        lambda v, t: theis_drawdown(*_aquifer(v), v["r"], t),
        (UNIFORM, ENDLESS, LINE_WELL, UPPER, WATER_TABLE), may=("b",),
    ),
    Model(
        "cooper-jacob", "Cooper & Jacob (1946), the late straight line of Theis", ("T", "S", "Q", "r", "t"),
        lambda v, t: cooper_jacob_drawdown(*_aquifer(v), v["r"], t),
        (UNIFORM, ENDLESS, LINE_WELL, f"late: u = r2 S / 4 T t at most {LARGEST_U}", UPPER, WATER_TABLE), may=("b",),
        marks=_cooper_jacob_marks,
    ),
    Model(
        "hantush", "Hantush & Jacob (1955), leaky", ("T", "S", "Q", "r", "t"),
        lambda v, t: hantush_jacob_drawdown(*_aquifer(v), _leakage(v), v["r"], t),
        (UNIFORM, LINE_WELL, "under a leaky layer without storage, below water whose level does not move", UPPER),
        either=(("B", "c"),),
    ),
    Model(
        "de-glee", "de Glee (1930), leaky and steady", ("T", "Q", "r"),
        lambda v, t: de_glee_drawdown(v["Q"], v["T"], _leakage(v), v["r"]) + np.zeros_like(t),
        (UNIFORM, LINE_WELL, "under a leaky layer, below water whose level does not move", UPPER),
        either=(("B", "c"),), notes=_steady_notes,
    ),
    Model(
        "partial", "Hantush (1961), partial penetration", ("T", "S", "Q", "r", "t", "b", "kzkr", "top", "bottom"),
        _partial,
        (UNIFORM, ENDLESS, "confined; the well is open from --top to --bottom only", UPPER,
         "without --z the mean over a fully open observation well"), may=("z", "ztop", "zbottom"), not_both=_SEEN,
    ),
    Model(
        "neuman", "Neuman (1974), delayed yield", ("T", "S", "Sy", "Q", "r", "t", "b", "kzkr"), _neuman,
        (UNIFORM, ENDLESS, "unconfined, drawdown small against the thickness; the water table yields as it falls",
         "without --z the mean over a fully open observation well", UPPER),
        may=("z", "ztop", "zbottom", "top", "bottom"), not_both=_SEEN,
    ),
    Model(
        "papadopulos-cooper", "Papadopulos & Cooper (1967), well storage", ("T", "S", "Q", "r", "t", "rw", "rc"),
        lambda v, t: papadopulos_cooper_drawdown(*_aquifer(v), v["rw"], v["rc"], v["r"], t),
        (UNIFORM, ENDLESS, "the water in the well itself is pumped first; no loss at the screen", UPPER),
        notes=_well_storage_notes,
    ),
    Model(
        "thiem", "Thiem (1906), confined and steady", ("T", "Q", "r", "R"),
        lambda v, t: thiem_drawdown(v["Q"], v["T"], v["r"], v["R"]) + np.zeros_like(t),
        (UNIFORM, "confined; at --R the head does not change: a boundary, or a guess"), notes=_steady_notes,
    ),
    Model(
        "dupuit", "Dupuit (1863), unconfined and steady", ("K", "b", "Q", "r", "R"),
        lambda v, t: v["b"] - dupuit_head_m(v["Q"], v["K"], v["b"], v["r"], v["R"]) + np.zeros_like(t),
        (UNIFORM, "unconfined on a level base, flow horizontal; at --R the thickness --b does not change"),
        notes=_steady_notes, linear=False,
    ),
    Model(
        "jacob-lohman", "Jacob & Lohman (1952), a pit or well whose level is held", ("T", "S", "s", "rw", "r", "t"),
        lambda v, t: constant_drawdown_cone_m(v["T"], v["S"], v["rw"], v["s"], v["r"], t),
        (UNIFORM, ENDLESS, "the level in a circle of radius --rw drops by --s at once and is held", UPPER),
        linear=False,
    ),
    Model(
        "edelman", "Edelman (1947), a straight ditch whose level is held", ("T", "S", "s", "x", "t"),
        lambda v, t: edelman_drawdown(v["T"], v["S"], v["s"], v["x"], t),
        (UNIFORM, "a long straight ditch whose level drops by --s at once and is held; flow across it only"),
        output="x", linear=False,
    ),
    Model(
        "hunt", "Hunt (1999), beside a stream with a clogged bed", ("T", "S", "Q", "d", "lam", "x", "y", "t"),
        lambda v, t: hunt_drawdown(*_aquifer(v), v["d"], v["lam"], v["x"], v["y"], t),
        (UNIFORM, LINE_WELL, LEVEL_STREAM, "the stream lies on the aquifer and does not cut it; lam = 0 is Theis",
         WATER_TABLE), may=("b",), output="x",
    ),
    _image("constant_head"),
    _image("no_flow"),
    Model(
        "strip-stream-wall", "Theis between a stream at x = 0 and a wall at x = width (Ferris et al. 1962)",
        ("T", "S", "Q", "d", "width", "x", "y", "t"),
        lambda v, t: strip_drawdown(
            *_aquifer(v), v["width"], ("constant_head", "no_flow"), (v["d"], 0.0), v["x"], v["y"], t
        ),
        (UNIFORM, LINE_WELL, LEVEL_STREAM, "the stream cuts the aquifer and has no clogged bed", WATER_TABLE),
        may=("b",), output="x",
    ),
    Model(
        "jacob", "Jacob's correction of a measured drawdown (1944)", ("s", "b"),
        lambda v, t: jacob_correction_m(v["s"], v["b"]) + np.zeros_like(t),
        ("unconfined, flow horizontal: s' = s - s2 / 2b is what a confined aquifer would have shown",), output="s",
        linear=False,
    ),
    Model(
        "jacob-inverse", "Jacob's correction undone: an unconfined drawdown from a confined one (1944)", ("s", "b"),
        lambda v, t: unconfined_drawdown_m(v["s"], v["b"]) + np.zeros_like(t),
        ("unconfined, flow horizontal: s = b - sqrt(b2 - 2 b s')",), output="s", linear=False,
    ),
)  # fmt: skip

DRAWDOWN: dict[str, Model] = {one.name: one for one in _ALL}
"""Models of drawdown by name."""

ALIASES = {"leaky": "hantush", "hantush-jacob": "hantush", "deglee": "de-glee", "hunt1999": "hunt", "hunt99": "hunt"}
"""Other names of theirs."""
