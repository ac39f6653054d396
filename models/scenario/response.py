"""What a scenario's wells do at a point and to a stream: the model its waters ask for, superposed over all rates.

Drawdown. Without stream, edge or leaky layer Theis; with a leaky layer Hantush & Jacob; with one edge, two at right
angles or two parallel ones the image wells of Ferris et al.; beside a stream Hunt (1999), every well facing the
straight line through the nearest point of the stream nearest to it (a stream without a stated conductance: a constant
head). An edge without flow at right angles to the streams mirrors every well along them. A stream together with any
other edge or a leaky layer has no closed form here and is refused.

Depletion. Hunt (1999), or Glover & Balmer without a conductance, by every well at its distance to the stream; refused
with the same waters. An edge without flow across the stream leaves it as it is: the mirrored wells take theirs from the
stream's mirrored part.

Metres, m3/d, and days since 1970-01-01 of civil time.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

import numpy as np
import shapely

from models.aquifer.admissible import Numbers
from models.aquifer.bounded import quarter_plane_drawdown
from models.aquifer.depletion import glover_depletion_fraction
from models.aquifer.extremes import Values
from models.aquifer.hunt import hunt_depletion_fraction, hunt_drawdown
from models.aquifer.leaky import hantush_jacob_drawdown
from models.aquifer.network import inverse_distance_shares, web_shares
from models.aquifer.one_well import water_table
from models.aquifer.superposition import UnitResponse, superpose_rows
from models.aquifer.theis import theis_drawdown
from models.aquifer.volume_timing import moved
from models.errors import BadQuestion
from models.quantity import Quantity
from models.scenario.frame import across, beside_edges, beside_stream, mirrored
from models.scenario.noun import Edge, Point, PumpedWell, Scenario, StreamOf

Solution = Literal["theis", "hantush", "hunt", "images"]
Sharing = Literal["alone", "inverse-distance", "web-squared"]
SHARING: dict[Sharing, str] = {
    "alone": "each stream as if it alone gave the water: an upper bound for each, not to be added up",
    "inverse-distance": "a well's depletion shared over all streams by 1/distance, however young the cone",
    "web-squared": "a well's depletion shared over all streams by 1/distance squared along their length",
}
WEB_PARTS = 200
"""Points along the shortest stream in the web-squared rule."""

TITLES: dict[Solution, str] = {
    "theis": "Theis (1935), superposed", "hantush": "Hantush & Jacob (1955), leaky, superposed",
    "hunt": "Hunt (1999), superposed: each well faces the nearest stream",
    "images": "Theis with image wells at the edges (Ferris et al. 1962), superposed",
}  # fmt: skip


TIMING = "pumped within its time"
"""Parameter: 0 is every volume spread evenly over the time between its readings, -1 pumped in it so that the answer is
least, 1 most (`models.aquifer.volume_timing`). Every answer rises with it."""
TIMING_SAYS = "least..spread evenly..most"


def quantities(scenario: Scenario) -> dict[str, Quantity]:
    """The scenario's parameters by name: T, S, b, c, ``lam:STREAM``, and `TIMING`."""
    aquifer = scenario.aquifer
    named = {"T": aquifer.transmissivity, "S": aquifer.storativity, "c": aquifer.leaky_resistance}
    named |= {f"lam:{one.id}": one.conductance for one in scenario.stream}
    if aquifer.kind == "unconfined":
        named["b"] = aquifer.thickness
    if any(well.spans for well in scenario.well):
        named[TIMING] = Quantity(Decimal(-1), Decimal(0), Decimal(1), "", TIMING_SAYS)
    return {name: one for name, one in named.items() if one is not None}


SQUARE = 1e-3
"""Cosine between a stream and an edge's direction below which the edge stands across it."""


def solution_of(scenario: Scenario) -> Solution:
    """The drawdown model that the scenario's waters ask for; the depletion's waters too.

    Raises
    ------
    BadQuestion : waters that have no closed form together.
    """
    leaky = scenario.aquifer.leaky_resistance is not None
    waters = {"hunt": bool(scenario.stream), "images": bool(scenario.edge), "hantush": leaky}
    found: list[Solution] = [name for name in ("hunt", "images", "hantush") if waters[name]]
    if found == ["hunt", "images"]:
        _check_across(scenario)
    elif len(found) > 1:
        reason = "a stream, an edge and a leaky layer have no closed form together"
        raise BadQuestion(reason, found=", ".join(found), allowed=["a stream or a leaky layer", "a numerical model"])
    return found[0] if found else "theis"


def _check_across(scenario: Scenario) -> None:
    """One edge without flow, at right angles to the stream that each well faces."""
    allowed = ["one edge without flow at right angles to every stream", "a numerical model"]
    if len(scenario.edge) > 1 or scenario.edge[0].kind != "no_flow":
        found = ", ".join(f"{one.id} ({one.kind})" for one in scenario.edge)
        raise BadQuestion("beside a stream these edges have no closed form", key="edge", found=found, allowed=allowed)
    edge = scenario.edge[0]
    for well in scenario.well:
        stream = nearest_stream(scenario, well)
        if abs(across(edge.line, stream.line, well.position)) > SQUARE:
            reason = f"not at right angles to the stream {stream.id} where {well.id} faces it: no closed form"
            raise BadQuestion(reason, key=f"edge[{edge.id}]", allowed=allowed)


def drawdowns_m(
    scenario: Scenario, point: Point, solution: Solution, every: Sequence[Values], days: Numbers
) -> Numbers:
    """Drawdown of all wells together at a point, NaN where it asks for more than the aquifer's thickness [m].

    Parameters
    ----------
    every : sets of values.
    days : float64[time] (`models.scenario.noun.day_number`).

    Returns
    -------
    float64[set, time]
    """
    total = np.zeros((len(every), days.size))
    for well in scenario.well:
        responses = [unit_drawdown(scenario, well, point, solution, one) for one in every]
        total += _pumped(well, days, responses, every)
    return np.array(
        [water_table(row, values["b"]) if "b" in values else row for row, values in zip(total, every, strict=True)]
    )


def depletions_m3_per_d(
    scenario: Scenario, stream: StreamOf, sharing: Sharing, every: Sequence[Values], days: Numbers
) -> Numbers:
    """Water all wells together take from a stream, float64[set, time] [m3/d]; parameters as in `drawdowns_m`."""
    total = np.zeros((len(every), days.size))
    for well in scenario.well:
        responses = [unit_depletion(scenario, well, stream, one) for one in every]
        total += _share(scenario, well, stream, sharing) * _pumped(well, days, responses, every)
    return total


def unit_drawdown(
    scenario: Scenario, well: PumpedWell, point: Point, solution: Solution, values: Values
) -> UnitResponse:
    """Confined drawdown at a point for a rate of 1 m3/d, by days since it began [d/m2]."""
    t_l2, s_ = values["T"], values["S"]
    at, from_ = _off_the_well(scenario, well, point), scenario.metres(well.position)
    if solution == "hunt":
        return _beside_and_mirrored(scenario, well, at, values)
    if solution == "images":
        return _between(scenario, at, from_, (t_l2, s_))
    distance = float(np.hypot(at[0] - from_[0], at[1] - from_[1]))
    if solution == "hantush":
        leak = float(np.sqrt(t_l2 * values["c"]))
        return lambda elapsed: hantush_jacob_drawdown(1.0, t_l2, s_, leak, distance, elapsed)
    return lambda elapsed: theis_drawdown(1.0, t_l2, s_, distance, elapsed)


def unit_depletion(scenario: Scenario, well: PumpedWell, stream: StreamOf, values: Values) -> UnitResponse:
    """Share of the well's rate that comes out of the stream, by days since it began [-]."""
    distance = scenario.to_metres * distance_to(stream, well.position)
    t_l2, s_ = values["T"], values["S"]
    lam = values.get(f"lam:{stream.id}")
    if lam is None:
        return lambda elapsed: glover_depletion_fraction(t_l2, s_, distance, elapsed)
    return lambda elapsed: hunt_depletion_fraction(t_l2, s_, distance, lam, elapsed)


def distance_to(stream: StreamOf, point: Point) -> float:
    """From a point to the nearest part of a stream, in the scenario's unit."""
    return float(shapely.distance(shapely.LineString(stream.line), shapely.Point(point)))


def nearest_stream(scenario: Scenario, well: PumpedWell) -> StreamOf:
    """The stream that a well faces."""
    return min(scenario.stream, key=lambda one: distance_to(one, well.position))


def _beside_and_mirrored(scenario: Scenario, well: PumpedWell, at: Point, values: Values) -> UnitResponse:
    """Hunt's, and its mirror image behind an edge across the stream: what the well does at the mirrored place."""
    lines = [tuple(scenario.metres(end) for end in one.line) for one in scenario.edge]
    parts = [_beside(scenario, well, place, values) for place in (at, *(mirrored(line, at) for line in lines))]
    return lambda elapsed: np.asarray(sum(part(elapsed) for part in parts))


def _beside(scenario: Scenario, well: PumpedWell, at: Point, values: Values) -> UnitResponse:
    nearest = nearest_stream(scenario, well)
    line = [scenario.metres(one) for one in nearest.line]
    distance, x, y = beside_stream(line, scenario.metres(well.position), at)
    t_l2, s_, lam = values["T"], values["S"], values.get(f"lam:{nearest.id}")
    if lam is not None:
        return lambda elapsed: hunt_drawdown(1.0, t_l2, s_, distance, lam, x, y, elapsed)
    if x <= 0:
        return lambda elapsed: np.zeros(elapsed.shape)  # beyond a stream that cuts the aquifer
    edges: tuple[Literal["constant_head"], None] = ("constant_head", None)
    return lambda elapsed: quarter_plane_drawdown(1.0, t_l2, s_, (distance, 0.0), edges, x, y, elapsed)


def _between(scenario: Scenario, at: Point, well: Point, aquifer: tuple[float, float]) -> UnitResponse:
    edges: list[tuple[Edge, tuple[Point, ...]]] = [
        (one, tuple(scenario.metres(end) for end in one.line)) for one in scenario.edge
    ]
    return beside_edges([(one.kind, line) for one, line in edges], well, at, aquifer)


def _off_the_well(scenario: Scenario, well: PumpedWell, point: Point) -> Point:
    """The point [m], moved out to the well's radius where it lies nearer than that."""
    (x, y), (wx, wy) = scenario.metres(point), scenario.metres(well.position)
    radius = 0.0 if well.radius is None else well.radius.value
    distance = float(np.hypot(x - wx, y - wy))
    if distance >= radius:
        return x, y
    toward = ((x - wx) / distance, (y - wy) / distance) if distance else (1.0, 0.0)
    return wx + radius * toward[0], wy + radius * toward[1]


def _superposed(well: PumpedWell, days: Numbers, responses: Sequence[UnitResponse]) -> Numbers:
    """float64[response, time]: they share the schedule, and with it most of the work."""

    def rows(elapsed: Numbers) -> Numbers:
        return np.array([one(elapsed) for one in responses])

    return superpose_rows(*well.schedule, days, rows, len(responses), diffusive=True)


def _pumped(well: PumpedWell, days: Numbers, responses: Sequence[UnitResponse], every: Sequence[Values]) -> Numbers:
    """The rates superposed, with each volume at the time of its span that the values say, float64[set, time]."""
    found = _superposed(well, days, responses)
    parts = np.array([one.get(TIMING, 0.0) for one in every])
    asked = np.flatnonzero(parts)
    if well.spans and asked.size:
        own = [responses[int(number)] for number in asked]
        less, more = moved(well.spans, days, lambda elapsed: np.array([one(elapsed) for one in own]))
        part = parts[asked, np.newaxis]
        timed = found[asked] + np.where(part < 0, part * less, part * more)
        found[asked] = np.maximum(timed, np.minimum(found[asked], 0.0))  # spans are of water taken, never returned
    return found


def _share(scenario: Scenario, well: PumpedWell, stream: StreamOf, sharing: Sharing) -> float:
    if sharing == "alone" or len(scenario.stream) == 1:
        return 1.0
    lines = [[scenario.metres(end) for end in one.line] for one in scenario.stream]
    at, which = scenario.metres(well.position), scenario.stream.index(stream)
    if sharing == "inverse-distance":
        return float(inverse_distance_shares(at, lines)[which])
    spacing = min(float(shapely.LineString(line).length) for line in lines) / WEB_PARTS
    return float(web_shares(at, lines, spacing)[which])
