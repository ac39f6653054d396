"""One well's depletion shared over the reaches of a stream network: four rules, none of them physics.

The analytic solutions know one straight stream. A rule of sharing gives reach i the share w_i of a depletion worked
out as if reach i were alone, q_i = w_i F(d_i, t), with sum w = 1:

* inverse distance: w ~ 1/d^n of the nearest point of each reach;
* web: w ~ the sum over points along the reach of 1/d^n, so that a long reach counts more (n = 2: web squared);
* Thiessen: w ~ the part of the well's own Thiessen polygon that it takes from the points of the reach.

Which reaches take part: all, or those the cone has reached (`reached`), a set that grows with time. Against numerical
models web squared with a growing set did best (Zipper et al. 2019). All lengths in metres on one map.

References
----------
Zipper, Dallemagne, Gleeson, Boerman & Hartmann (2018), Groundwater pumping impacts on real stream networks: testing
the performance of simple management tools, Water Resour. Res. 54, 5471-5486.
Zipper, Gleeson, Kerr, Howard, Rohde, Carah & Zimmerman (2019), Rapid and accurate estimates of streamflow depletion
caused by groundwater pumping using analytical depletion functions, Water Resour. Res. 55, 5807-5829.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from models.aquifer.admissible import Numbers, finite, not_negative, positive, share
from models.aquifer.depletion import glover_depletion_fraction
from models.errors import BadQuestion

Point = tuple[float, float]
Line = Sequence[Point]
Marks = NDArray[np.bool_]

LEAST_FRACTION = 0.01
"""A reach takes part once the stream alone would give this share of the rate (Zipper et al. 2019)."""


def reach_distances_m(well_m: Point, reaches: Sequence[Line]) -> Numbers:
    """From the well to the nearest point of each reach, float64[reaches] [m].

    Parameters
    ----------
    well_m : (x, y) on the map [m].
    reaches : the vertices of each, at least two, in order.

    Raises
    ------
    BadQuestion : no reach, a reach without length, a coordinate that is not finite.
    """
    return np.asarray(shapely.distance(_lines(reaches), _place(well_m)))


def inverse_distance_shares(well_m: Point, reaches: Sequence[Line], exponent: float = 1.0) -> Numbers:
    """w_i ~ 1/d_i^n, float64[reaches], sum 1; all to the reach the well stands in.

    Parameters
    ----------
    exponent : n [-], above 0.
    others : as in `reach_distances_m`.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    return _inverse(reach_distances_m(well_m, reaches), np.ones(len(reaches)), exponent)


def web_shares(well_m: Point, reaches: Sequence[Line], spacing_m: float, exponent: float = 2.0) -> Numbers:
    """w_i ~ sum over the points of reach i of length / d^n, float64[reaches], sum 1.

    Parameters
    ----------
    spacing_m : the most between points along a reach [m], above 0; each stands for its length, in the middle of it.
    exponent : n [-], above 0; 2 is web squared, 1 web.
    others : as in `reach_distances_m`.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    points, owner, lengths = _points(reaches, spacing_m)
    distances = np.asarray(shapely.distance(shapely.points(points), _place(well_m)))
    return _by_reach(owner, _inverse(distances, lengths, exponent), len(reaches))


def thiessen_shares(well_m: Point, reaches: Sequence[Line], spacing_m: float, region_m: Sequence[Point]) -> Numbers:
    """w_i ~ the area of the well's Thiessen polygon that was nearest to reach i, float64[reaches], sum 1.

    Parameters
    ----------
    spacing_m : the most between points along a reach [m], above 0.
    region_m : corners of the aquifer, which cuts the polygons; it must hold the well.
    others : as in `reach_distances_m`.

    Raises
    ------
    BadQuestion : an argument outside its range, by name; a well outside the region.
    """
    region, well = shapely.Polygon(finite("region_m", region_m)), _place(well_m)
    if not region.contains(well):
        raise BadQuestion("the well is outside the region", key="region_m", found=well_m)
    points, owner, _ = _points(reaches, spacing_m)
    if (points == well_m).all(axis=1).any():
        return _inverse(reach_distances_m(well_m, reaches), np.ones(len(reaches)), 1.0)
    own = shapely.intersection(_cells(np.vstack([points, well_m]), region)[-1], region)
    taken = shapely.area(shapely.intersection(_cells(points, region), own))
    areas = _by_reach(owner, taken, len(reaches))
    return np.asarray(areas / areas.sum())


def reached(
    transmissivity_m2_per_d: float,
    storativity: float,
    distances_m: ArrayLike,
    time_d: float,
    least_fraction: float = LEAST_FRACTION,
) -> Marks:
    """The reaches that take part at a time: whose stream alone would give ``least_fraction`` or more, and the nearest.

    Parameters
    ----------
    transmissivity_m2_per_d, storativity : T [m2/d], S [-], above 0.
    distances_m : from `reach_distances_m`.
    time_d : t since pumping began [d].
    least_fraction : of Glover & Balmer's depletion [-], 0 to 1.

    Returns
    -------
    bool[reaches]

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    distances = not_negative("distances_m", distances_m)
    alone = glover_depletion_fraction(transmissivity_m2_per_d, storativity, distances, time_d)
    return np.asarray((alone >= share("least_fraction", least_fraction)) | (distances == distances.min()), np.bool_)


def shares_among(taking_part: ArrayLike, shares: ArrayLike) -> Numbers:
    """The shares of the reaches that take part, raised to sum 1; 0 for the others.

    Parameters
    ----------
    taking_part : bool[..., reaches], at least one in each row with a share above 0.
    shares : float64[reaches], 0 to 1.

    Raises
    ------
    BadQuestion : a row in which nobody takes part.
    """
    kept = np.where(np.asarray(taking_part, np.bool_), share("shares", shares), 0.0)
    total = kept.sum(axis=-1, keepdims=True)
    if (total == 0).any():
        raise BadQuestion("no reach takes part", key="taking_part", allowed=["at least one with a share above 0"])
    return np.asarray(kept / total)


def network_depletion_fractions(
    shares: ArrayLike, distances_m: ArrayLike, response: Callable[[Numbers], Numbers]
) -> Numbers:
    """q_i / Q = w_i F(d_i) for each reach [-]; together at most 1.

    Parameters
    ----------
    shares : w, float64[..., reaches], 0 to 1.
    distances_m : d, float64[reaches] [m].
    response : F of the distances, at the time wanted: float64[reaches] -> float64[..., reaches].

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    return share("shares", shares) * response(not_negative("distances_m", distances_m))


def _inverse(distances: Numbers, lengths: Numbers, exponent: float) -> Numbers:
    power = float(positive("exponent", exponent))
    nearest = distances.min()
    # Relative to the nearest, so that no power overflows; at distance 0 the limit is all of it there.
    closeness = distances == 0 if nearest == 0 else (nearest / distances) ** power
    weights = lengths * closeness
    return np.asarray(weights / weights.sum())


def _lines(reaches: Sequence[Line]) -> NDArray[np.object_]:
    if not len(reaches):
        raise BadQuestion("no reach", key="reaches", allowed=["at least one"])
    short = [number for number, line in enumerate(reaches, 1) if len(line) < 2]
    if short:
        raise BadQuestion(f"reach {short[0]} is no line", key="reaches", allowed=["two points or more"])
    lines = np.array([shapely.LineString(finite("reaches", line)) for line in reaches], np.object_)
    positive("reaches", shapely.length(lines))
    return lines


def _points(reaches: Sequence[Line], spacing_m: float) -> tuple[Numbers, NDArray[np.intp], Numbers]:
    """Points in the middle of equal parts of every reach, the reach of each, and the length of each part."""
    lines = _lines(reaches)
    lengths = shapely.length(lines)
    parts = np.ceil(lengths / float(positive("spacing_m", spacing_m))).astype(np.intp)
    owner = np.repeat(np.arange(len(reaches)), parts)
    along = np.concatenate([(np.arange(n) + 0.5) / n for n in parts])
    points = shapely.line_interpolate_point(lines[owner], along, normalized=True)
    return shapely.get_coordinates(points), owner, (lengths / parts)[owner]


def _cells(points: Numbers, region: shapely.Polygon) -> NDArray[np.object_]:
    """The Thiessen polygon of each point, in order."""
    cells = shapely.voronoi_polygons(shapely.MultiPoint(points), extend_to=region, ordered=True)
    return shapely.get_parts(cells)


def _by_reach(owner: NDArray[np.intp], values: ArrayLike, reaches: int) -> Numbers:
    return np.bincount(owner, np.asarray(values, np.float64), minlength=reaches).astype(np.float64)


def _place(well_m: Point) -> shapely.Point:
    return shapely.Point(finite("well_m", well_m))
