"""Layers of a map as GeoJSON (RFC 7946, WGS 84) and as a GeoPackage with every layer in the map's system and in WGS 84.

The same layers give the same bytes. Shapes from NAD83(2011) to WGS 84 move by the transformation PROJ names, good to
2 m: a limit of the two systems, not of the map.
"""

from __future__ import annotations

import importlib.util
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from pyproj import CRS, Transformer
from shapely.geometry.base import BaseGeometry

from models.errors import BadQuestion, EnvironmentFailed

WGS84 = "EPSG:4326"
DEGREES_DIGITS = 7
"""A hundred-millionth of a degree is a millimetre; RFC 7946 warns of more."""
CREATED = "2000-01-01T00:00:00Z"
"""What a GeoPackage says of its own age, which would else change its bytes every second."""
UNIT_TOLERANCE = 1e-5
"""The two feet differ by 2e-6, a foot in ninety miles; metres and feet by much more."""

Cell = str | float | bool | None


@dataclass(frozen=True)
class Feature:
    """One shape in the map's system, and what is said of it."""

    shape: BaseGeometry
    says: Mapping[str, Cell]


@dataclass(frozen=True)
class Layer:
    """Shapes of one kind: ``kind`` as OGC names it (Point, MultiLineString, MultiPolygon)."""

    name: str
    kind: str
    features: Sequence[Feature]


class NoGeoPackage(EnvironmentFailed):
    """The library that writes GeoPackages is not installed."""


def check_crs(crs: str | None, to_metres: float) -> None:
    """Refuse a map that has no place on the Earth, or another unit than its system.

    Raises
    ------
    BadQuestion : no system, one nobody knows, one in degrees, or one in another unit.
    """
    if crs is None:
        raise BadQuestion("a local grid has no place on the map", key="crs", allowed=["a system, as EPSG:7595"])
    found = CRS.from_user_input(crs) if _known(crs) else None
    if found is None or not found.is_projected:
        raise BadQuestion("not a known system of plane coordinates", key="crs", found=crs, allowed=["EPSG:7595"])
    axis = found.axis_info[0]
    if abs(axis.unit_conversion_factor / to_metres - 1) > UNIT_TOLERANCE:
        raise BadQuestion(f"{crs} is in {axis.unit_name}", key="unit", found=f"{to_metres:.6g} m in one unit")


def geojson(layers: Sequence[Layer], crs: str) -> bytes:
    """One FeatureCollection in longitude and latitude; ``layer`` of its properties tells the layers apart."""
    move = Transformer.from_crs(crs, WGS84, always_xy=True)
    found = [_feature(layer.name, one, move) for layer in layers for one in layer.features if not one.shape.is_empty]
    text = json.dumps({"type": "FeatureCollection", "features": found}, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode()


def _feature(layer: str, one: Feature, move: Transformer) -> dict[str, Any]:
    geometry: dict[str, Any] = json.loads(shapely.to_geojson(_moved(one.shape, move)))
    return {"type": "Feature", "properties": {"layer": layer, **one.says}, "geometry": geometry}


def geopackage(layers: Sequence[Layer], crs: str) -> bytes:
    """Every layer twice: ``name`` in the map's own system, ``name_wgs84`` in longitude and latitude.

    Raises
    ------
    NoGeoPackage : pyogrio is not installed.
    """
    if importlib.util.find_spec("pyogrio") is None:
        raise NoGeoPackage("no GeoPackage was written: install headwater[gis]")
    import pyogrio

    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": CREATED})
    try:
        with tempfile.TemporaryDirectory(prefix="headwater-gpkg-") as folder:
            path = Path(folder) / "map.gpkg"
            for layer in layers:
                _write(path, layer, crs, layer.name)
                _write(path, _in_degrees(layer, crs), WGS84, f"{layer.name}_wgs84")
            return path.read_bytes()
    finally:
        pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": None})


def _write(path: Path, layer: Layer, crs: str, name: str) -> None:
    from pyogrio import raw

    features = [one for one in layer.features if not one.shape.is_empty]
    fields = list(dict.fromkeys(key for one in features for key in one.says))
    raw.write(
        path, shapely.to_wkb(np.array([_many(one.shape, layer.kind) for one in features], object)),
        [_column([one.says.get(key) for one in features]) for key in fields], fields, layer=name, driver="GPKG",
        geometry_type=layer.kind, crs=crs,
    )  # fmt: skip


def _column(cells: Sequence[Cell]) -> np.ndarray[Any, Any]:
    known = [one for one in cells if one is not None]
    if known and all(isinstance(one, bool) for one in known) and len(known) == len(cells):
        return np.array(cells, np.bool_)
    if known and all(isinstance(one, int | float) and not isinstance(one, bool) for one in known):
        return np.array([np.nan if one is None else float(one) for one in cells])
    return np.array([None if one is None else str(one) for one in cells], object)


def _many(shape: BaseGeometry, kind: str) -> BaseGeometry:
    """One shape as the only part of many, where the layer holds many."""
    if kind == "MultiLineString" and isinstance(shape, shapely.LineString):
        return shapely.MultiLineString([shape])
    if kind == "MultiPolygon" and isinstance(shape, shapely.Polygon):
        return shapely.MultiPolygon([shape])
    return shape


def _in_degrees(layer: Layer, crs: str) -> Layer:
    move = Transformer.from_crs(crs, WGS84, always_xy=True)
    return Layer(layer.name, layer.kind, [Feature(_moved(one.shape, move), one.says) for one in layer.features])


def _moved(shape: BaseGeometry, move: Transformer) -> BaseGeometry:
    """In longitude and latitude, outer rings anticlockwise as RFC 7946 wants them."""

    def degrees(at: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.round(np.column_stack(move.transform(at[:, 0], at[:, 1])), DEGREES_DIGITS)

    return _anticlockwise(shapely.transform(shape, degrees))


def _anticlockwise(shape: BaseGeometry) -> BaseGeometry:
    if isinstance(shape, shapely.Polygon):
        return shapely.geometry.polygon.orient(shape)
    if isinstance(shape, shapely.MultiPolygon):
        return shapely.MultiPolygon([shapely.geometry.polygon.orient(one) for one in shape.geoms])
    return shape


def _known(crs: str) -> bool:
    from pyproj.exceptions import CRSError

    try:
        CRS.from_user_input(crs)
    except CRSError:
        return False
    return True
