"""Map files: GeoJSON by the letter of RFC 7946, a GeoPackage in both systems, the same bytes twice."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyogrio
import pytest
import shapely
from pyproj import Transformer

from models.errors import BadQuestion
from pipelines import geo_files
from pipelines.geo_files import Feature, Layer, NoGeoPackage, check_crs, geojson, geopackage

CRS = "EPSG:7595"
CLOCKWISE = shapely.Polygon(
    [(158_000, 164_000), (158_000, 167_000), (159_600, 167_000), (159_600, 164_000)],
    [[(158_500, 165_000), (159_000, 165_000), (159_000, 166_000), (158_500, 166_000)]],
)
LAYERS = [
    Layer("contours", "MultiLineString", [
        Feature(
            shapely.MultiLineString([[(158_000, 164_000), (159_000, 164_500)]]), {"drawdown_ft": 1.0, "closed": True}
        ),
        Feature(shapely.LineString([(158_100, 164_000), (159_100, 164_500)]), {"drawdown_ft": 2.0, "closed": False}),
    ]),
    Layer("cone", "MultiPolygon", [Feature(CLOCKWISE, {"name": "Größe <&>"})]),
    Layer("wells", "Point", [
        Feature(shapely.Point(158_700, 165_700), {"id": "PW-1", "drawdown_ft": None}),
        Feature(shapely.Point(159_450, 165_700), {"id": "MW-2", "drawdown_ft": 3.3}),
    ]),
]  # fmt: skip


def _read(
    content: bytes, folder: Path, layer: str
) -> tuple[dict[str, object], list[shapely.Geometry], dict[str, list[object]]]:
    path = folder / "map.gpkg"
    path.write_bytes(content)
    meta, _, shapes, columns = pyogrio.raw.read(path, layer=layer)
    return meta, list(shapely.from_wkb(shapes)), dict(zip(meta["fields"], (list(one) for one in columns), strict=True))


def test_geojson_is_longitude_latitude_near_the_town() -> None:
    data = json.loads(geojson(LAYERS, CRS))
    assert set(data) == {"type", "features"}  # no crs member: RFC 7946 section 4
    for one in data["features"]:
        west, south, east, north = shapely.from_geojson(json.dumps(one["geometry"])).bounds
        # The Town of Howard lies near 91.4 degrees west, 45.0 north.
        assert -91.5 < west <= east < -91.4
        assert 45.0 < south <= north < 45.1


def test_polygons_turn_by_the_right_hand_rule() -> None:
    cone = next(one for one in json.loads(geojson(LAYERS, CRS))["features"] if one["properties"]["layer"] == "cone")
    shape = shapely.from_geojson(json.dumps(cone["geometry"]))
    assert shape.exterior.is_ccw
    assert not shape.interiors[0].is_ccw


def test_a_place_is_where_the_county_system_puts_it() -> None:
    well = next(f for f in json.loads(geojson(LAYERS, CRS))["features"] if f["properties"].get("id") == "PW-1")
    back = Transformer.from_crs("EPSG:4326", CRS, always_xy=True).transform(*well["geometry"]["coordinates"])
    np.testing.assert_allclose(back, (158_700, 165_700), atol=0.1)


def test_geopackage_holds_every_layer_in_both_systems(tmp_path: Path) -> None:
    content = geopackage(LAYERS, CRS)
    (tmp_path / "map.gpkg").write_bytes(content)
    names = {str(name) for name, _ in pyogrio.list_layers(tmp_path / "map.gpkg")}
    assert names == {"contours", "contours_wgs84", "cone", "cone_wgs84", "wells", "wells_wgs84"}
    meta, shapes, fields = _read(content, tmp_path, "wells")
    assert meta["crs"] == CRS
    assert shapes[0].equals(shapely.Point(158_700, 165_700))
    assert fields["id"] == ["PW-1", "MW-2"]
    assert np.isnan(fields["drawdown_ft"][0])  # type: ignore[call-overload]
    assert fields["drawdown_ft"][1] == 3.3
    meta, shapes, _ = _read(content, tmp_path, "wells_wgs84")
    assert meta["crs"] == "EPSG:4326"
    assert shapes[0].distance(shapely.Point(-91.4425876, 45.0354741)) < 1e-6


def test_geopackage_keeps_kinds_text_and_truth(tmp_path: Path) -> None:
    content = geopackage(LAYERS, CRS)
    meta, shapes, fields = _read(content, tmp_path, "contours")
    assert meta["geometry_type"] == "MultiLineString"
    assert [one.geom_type for one in shapes] == ["MultiLineString", "MultiLineString"]
    assert [bool(one) for one in fields["closed"]] == [True, False]
    assert _read(content, tmp_path, "cone")[2]["name"] == ["Größe <&>"]


def test_the_same_layers_give_the_same_bytes() -> None:
    assert geopackage(LAYERS, CRS) == geopackage(LAYERS, CRS)
    assert geojson(LAYERS, CRS) == geojson(LAYERS, CRS)


def test_an_empty_shape_is_left_out() -> None:
    layers = [
        Layer(
            "contours",
            "MultiLineString",
            [Feature(shapely.MultiLineString(), {"drawdown_ft": 1.0}), *LAYERS[0].features],
        )
    ]
    assert len(json.loads(geojson(layers, CRS))["features"]) == 2


@pytest.mark.parametrize(
    ("crs", "to_metres", "words"),
    [
        (None, 0.3048, "no place on the map"),
        ("EPSG:99999", 0.3048, "not a known system"),
        ("EPSG:4326", 1.0, "not a known system of plane"),
        (CRS, 1.0, "unit: EPSG:7595 is in US survey foot"),
    ],
)
def test_a_map_without_a_place_or_in_another_unit_is_refused(crs: str | None, to_metres: float, words: str) -> None:
    with pytest.raises(BadQuestion, match=words):
        check_crs(crs, to_metres)


def test_either_foot_is_taken_for_the_county_system() -> None:
    check_crs(CRS, 0.3048)
    check_crs(CRS, 1200 / 3937)


def test_without_the_library_the_geopackage_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geo_files.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NoGeoPackage, match=r"headwater\[gis\]"):
        geopackage(LAYERS, CRS)
