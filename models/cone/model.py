"""A pumping scenario as the cone of depression takes it: wells with the stream each faces, values, and their corners.

Each well draws on the stream nearest to it alone, the straight line through its nearest point (Hunt 1999): then what is
pumped, what the streams lose and what leaves storage add up. An edge of the aquifer is a row of image wells. Metres,
days, m3/d.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from models.aquifer import cone
from models.aquifer.admissible import Numbers
from models.aquifer.cone_tables import AquiferValues, WellTable, drawdown_at
from models.aquifer.contours import Field
from models.aquifer.extremes import Ranges, Values
from models.aquifer.flow_field import Slope
from models.aquifer.superposition import step_changes
from models.aquifer.unconfined import measured_drawdown
from models.errors import BadQuestion
from models.place import stream_frame
from models.scenario.noun import Edge, PumpedWell, Scenario, StreamOf

CLEAN_BED_M_PER_D = 1e9
"""Conductance of a bed that holds nothing back: Hunt's solution is then Glover & Balmer's to the last bit."""
LEAST_RADIUS_M = 0.15
"""Of a well whose radius is not told: half a foot."""
SQUARE = 1e-6
"""Two directions are at right angles, or parallel, when the cosine, or sine, between them is below this."""
FAR_M = 1e7
MOST_HALF_M = 2e5
"""A cone wider than twice this is not looked for: no aquifer of one layer is."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Source:
    """A pumping well, or its image beyond an edge.

    Parameters
    ----------
    id, well : of the well; an image has the well's rates, turned where the edge keeps its level.
    stream : the one it faces; None is none.
    radius_m : where the drawdown at the well itself is taken.
    """

    id: str
    well: cone.PumpedWell
    stream: StreamOf | None
    radius_m: float
    image: bool = False


@dataclass(frozen=True)
class ConeModel:
    """Wells, values, and the part of the plane that is aquifer.

    Parameters
    ----------
    sources : wells first, then images.
    ranges : T [m2/d], S [-], b [m] where the water table falls (Jacob's correction), and ``lam:STREAM`` [m/d] of every
        stream that a well faces.
    aquifer : the plane on this side of the edges; None is all of it.
    regional : the slope of the water table without pumping; level where None.
    """

    sources: tuple[Source, ...]
    ranges: Ranges
    aquifer: BaseGeometry | None
    regional: Slope | None

    @cached_property
    def values(self) -> tuple[AquiferValues, ...]:
        """Of the best estimate, then every corner of the stated ranges."""
        return tuple(self.at(one) for one in self.ranges.corners())

    def at(self, values: Values) -> AquiferValues:
        """One set of values of the ranges."""
        beds = tuple(0.0 if one.stream is None else values[f"lam:{one.stream.id}"] for one in self.sources)
        return AquiferValues(values["T"], values["S"], beds, values.get("b"))

    @property
    def theis_ranges(self) -> Ranges:
        """Without those of streambeds, for the model without streams."""
        ends = {name: one if name in ("T", "S", "b") else (one[1],) * 3 for name, one in self.ranges.ends.items()}
        return Ranges(ends, self.ranges.steady)

    @property
    def thickness_m(self) -> float | None:
        """Where the water table falls, by the best estimate; None is confined."""
        return self.ranges.best.get("b")

    @property
    def wells(self) -> tuple[Source, ...]:
        """Without the images."""
        return tuple(one for one in self.sources if not one.image)

    @property
    def places(self) -> list[Point]:
        """Of the wells [m]."""
        return [one.well.position for one in self.wells]

    @property
    def nearest_m(self) -> float:
        return min(one.radius_m for one in self.sources)

    def tables(self, day: float) -> list[WellTable]:
        """Every source at an instant (`models.scenario.day_number`)."""
        return [WellTable.at(one.well, day) for one in self.sources]

    def linear(self, tables: Sequence[WellTable], values: AquiferValues) -> Field:
        """Drawdown of an aquifer that keeps its thickness [m]: what the water balance holds for."""
        return lambda x, y: drawdown_at(tables, values, x, y, nearest=self.nearest_m)

    def drawdown(self, tables: Sequence[WellTable], values: AquiferValues) -> Field:
        """Drawdown as a well shows it [m]."""
        return lambda x, y: measured(drawdown_at(tables, values, x, y, nearest=self.nearest_m), values)


def measured(linear: Numbers, values: AquiferValues) -> Numbers:
    """Jacob's correction where the water table falls; all of the thickness where there is not enough of it."""
    return linear if values.thickness is None else np.asarray(measured_drawdown(linear, values.thickness))


def cone_model(scenario: Scenario) -> ConeModel:
    """The model of a scenario.

    Raises
    ------
    BadQuestion : no pumping well; what this model does not hold (a leaky layer, edges it has no images for), by name.
    """
    _refuse(scenario)
    sources = [_source(scenario, well) for well in scenario.well]
    images = _images(scenario, sources)
    every = (*sources, *images)
    return ConeModel(every, _ranges(scenario, every), _this_side(scenario), _regional(scenario))


def _refuse(scenario: Scenario) -> None:
    if not scenario.well:
        raise BadQuestion("no pumping well", key="well", allowed=["at least one [[well]]"])
    if scenario.aquifer.leaky_resistance is not None:
        words = "leave it out, or `headwater drawdown`, which takes it point by point"
        raise BadQuestion("a leaky layer is not in the cone's model", key="aquifer.leaky_resistance", allowed=[words])
    if scenario.stream and any(edge.kind == "constant_head" for edge in scenario.edge):
        words = "the second water as a [[stream]] without conductance"
        raise BadQuestion("an edge of constant level beside a stream", key="edge.kind", allowed=["no_flow", words])


def _source(scenario: Scenario, well: PumpedWell) -> Source:
    position, radius = scenario.metres(well.position), LEAST_RADIUS_M if well.radius is None else well.radius.value
    days, rates = (np.array(one, np.float64) for one in well.schedule)
    frames = [(stream_frame([scenario.metres(p) for p in one.line], position), one) for one in scenario.stream]
    if not frames:
        alone = cone.PumpedWell(position, FAR_M, (position[0] - FAR_M, position[1]), (1.0, 0.0), days, rates)
        return Source(well.id, alone, None, radius)
    (distance, foot, toward), stream = min(frames, key=lambda pair: pair[0][0])
    if distance <= radius:
        reason = f"the stream {stream.id} runs through the well"
        raise BadQuestion(
            reason, key=f"well[{well.id}].position", found=distance, allowed=[f"above {radius:.3g} m from the stream"]
        )
    return Source(well.id, cone.PumpedWell(position, distance, foot, toward, days, rates), stream, radius)


def _ranges(scenario: Scenario, sources: Sequence[Source]) -> Ranges:
    """Of the values; while no well ever slows, more storage and a more open bed are less drawdown everywhere."""
    aquifer = scenario.aquifer
    named = {"T": aquifer.transmissivity, "S": aquifer.storativity}
    if aquifer.kind == "unconfined" and aquifer.thickness is not None:
        named["b"] = aquifer.thickness
    ends = {name: (float(one.low), one.value, float(one.high)) for name, one in named.items()}
    faced = {one.stream.id: one.stream for one in sources if one.stream}
    ends |= {f"lam:{id}": bed_m_per_d(one) for id, one in faced.items()}
    rising = all((step_changes(one.well.times, one.well.rates)[1] >= 0).all() for one in sources)
    return Ranges(ends, frozenset(name for name in ends if rising and name not in ("T", "b")))


def bed_m_per_d(stream: StreamOf) -> tuple[float, float, float]:
    """lambda of a stream, low, best and high [m/d]."""
    bed = stream.conductance
    return (CLEAN_BED_M_PER_D,) * 3 if bed is None else (float(bed.low), bed.value, float(bed.high))


def _regional(scenario: Scenario) -> Slope | None:
    gradient = scenario.gradient
    return None if gradient is None else Slope(gradient.slope.value, gradient.toward_degrees)


def _images(scenario: Scenario, sources: Sequence[Source]) -> list[Source]:
    """Of one edge, or of two at right angles, every image."""
    edges = [_Mirror.of(scenario, edge) for edge in scenario.edge]
    if len(edges) > 2 or (len(edges) == 2 and abs(edges[0].cosine(edges[1])) > SQUARE):
        raise BadQuestion(
            "no images for these edges", key="edge", found=len(edges), allowed=["one", "two at right angles"]
        )
    found: list[Source] = []
    for mirror in edges:
        found += [mirror.image(one) for one in (*sources, *found)]
    for mirror in edges:
        mirror.check_square(sources)
    return found


@dataclass(frozen=True)
class _Mirror:
    """An edge: a point of it, its unit normal, and the sign of the images beyond."""

    id: str
    at: Point
    normal: Point
    sign: float

    @classmethod
    def of(cls, scenario: Scenario, edge: Edge) -> _Mirror:
        (ax, ay), (bx, by) = (scenario.metres(one) for one in edge.line)
        length = float(np.hypot(bx - ax, by - ay))
        return cls(edge.id, (ax, ay), ((ay - by) / length, (bx - ax) / length), 1.0 if edge.kind == "no_flow" else -1.0)

    def across(self, direction: Point) -> float:
        """The part of a direction that is across the edge."""
        return self.normal[0] * direction[0] + self.normal[1] * direction[1]

    def cosine(self, other: _Mirror) -> float:
        return self.across(other.normal)

    def check_square(self, sources: Sequence[Source]) -> None:
        """A stream that meets the edge at a right angle goes on behind it as it was; no other has images."""
        for one in sources:
            if one.stream is not None and abs(self.across(one.well.toward)) > 1e-3:
                reason = f"not at right angles to the stream {one.stream.id}: it has no image wells"
                raise BadQuestion(reason, key=f"edge[{self.id}]", allowed=["at right angles to every stream"])

    def place(self, point: Point) -> Point:
        """The mirror image of a place."""
        off = 2 * self.across((point[0] - self.at[0], point[1] - self.at[1]))
        return point[0] - off * self.normal[0], point[1] - off * self.normal[1]

    def image(self, source: Source) -> Source:
        well, off = source.well, 2 * self.across(source.well.toward)
        toward = well.toward[0] - off * self.normal[0], well.toward[1] - off * self.normal[1]
        beyond = cone.PumpedWell(
            self.place(well.position), well.distance, self.place(well.foot), toward, well.times, self.sign * well.rates
        )
        return Source(source.id, beyond, source.stream, source.radius_m, image=True)


def _this_side(scenario: Scenario) -> BaseGeometry | None:
    """The plane on the wells' side of every edge, as far as ``FAR_M``."""
    if not scenario.edge:
        return None
    position = scenario.metres(scenario.well[0].position)
    region: BaseGeometry = shapely.Point(position).buffer(FAR_M, quad_segs=1)
    for edge in scenario.edge:
        mirror = _Mirror.of(scenario, edge)
        offset = mirror.across((position[0] - mirror.at[0], position[1] - mirror.at[1]))
        region = shapely.intersection(region, _half_plane(mirror, 1.0 if offset > 0 else -1.0))
    return region


def _half_plane(mirror: _Mirror, side: float) -> shapely.Polygon:
    (ax, ay), (nx, ny) = mirror.at, mirror.normal
    reach, deep = 4 * FAR_M, 4 * FAR_M * side
    corners = [(-reach, 0.0), (reach, 0.0), (reach, deep), (-reach, deep)]
    return shapely.Polygon([(ax + ny * a + nx * b, ay - nx * a + ny * b) for a, b in corners])
