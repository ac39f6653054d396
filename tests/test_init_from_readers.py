"""Readers of places: workbooks, shapefiles, site files, GeoJSON; and TOML text that nothing can break out of."""

from __future__ import annotations

import json
import struct
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from ingest.cells import BadCell
from ingest.places.columns import private_kind, understood
from ingest.places.place import Length, Places
from ingest.places.read import read_places
from ingest.places.system import system_named
from models.errors import BadFile, EnvironmentFailed
from pipelines.site_from_files.coordinates import around, move, where_else
from pipelines.site_from_files.toml_text import quoted, ring, words

RDB = """# comment
agency_cd\tsite_no\tstation_nm\tsite_tp_cd\tdec_lat_va\tdec_long_va\tcoord_acy_cd\tdec_coord_datum_cd\talt_va\talt_datum_cd
5s\t15s\t50s\t7s\t16s\t16s\t1s\t10s\t8s\t10s
USGS\t05999999\tEXAMPLE CREEK NEAR NOWHERE, WI\tST\t45.01\t-91.3\tS\tNAD83\t 880.10\tNGVD29
USGS\t450000091180001\tEX-30/08W/12-0001\tGW\t45.0\t-91.3\tF\tNAD83\t 952\tNAVD88
USGS\t450000091180002\tATMOSPHERE\tAT\t45.0\t-91.3\tF\tNAD83\t\t
"""


def one(path: Path, **told: str) -> Places:
    (found,) = read_places(path, told)
    return found


def test_a_site_file_tells_gauges_from_wells(tmp_path: Path) -> None:
    path = tmp_path / "sites.rdb"
    path.write_text(RDB)
    found = one(path)
    gauge, well = found.places
    assert (gauge.kind, gauge.id, well.kind, well.use) == ("gauge", "05999999", "well", None)
    assert gauge.lengths["land"] == Length("880.10", "ft", "NGVD29")
    assert gauge.accuracy_ft == pytest.approx(101.3)  # a second of latitude
    assert well.accuracy_ft == pytest.approx(506.5)
    assert gauge.position is not None
    assert (gauge.position.system, gauge.position.decimals) == ("EPSG:4269", 1)
    assert [(each.row, each.reason) for each in found.rejects] == [(6, "neither a well nor a surface water")]


def test_a_workbook_with_a_title_above_its_head(tmp_path: Path) -> None:
    path = tmp_path / "wells.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("wells")
        book.add_worksheet("notes").write(0, 0, "made up")
        sheet.write_row(0, 0, ["Wells of a made-up mine"])
        sheet.write_row(2, 0, ["Well ID", "Use", "X", "Y", "EPSG", "Depth (ft)"])
        sheet.write_row(3, 0, ["MW-1", "Piezometer", 417939.02, 501327.63, 3070, 45.5])
    (place,) = one(path).places
    assert (place.row, place.id, place.use) == (4, "MW-1", "monitoring")
    assert place.position is not None
    assert (place.position.x, place.position.system, place.position.degrees) == (417939.02, "EPSG:3070", False)
    assert place.lengths == {"depth_ft": Length("45.5", "ft")}


def shapefile(folder: Path, name: str = "wells") -> Path:
    raw = pytest.importorskip("pyogrio.raw")
    raw.write(
        folder / f"{name}.shp", shapely.to_wkb(np.array([shapely.Point(417939.02, 501327.63)], object)),
        [np.array([3913.0]), np.array(["Zaphod Madeup"], object)], ["hicap_num", "OWNER"], geometry_type="Point",
        crs="EPSG:3070", driver="ESRI Shapefile",
    )  # fmt: skip
    return folder / f"{name}.shp"


@pytest.mark.parametrize("packed", [True, False])
def test_a_shapefile(tmp_path: Path, packed: bool) -> None:
    path = shapefile(tmp_path)
    if packed:
        with zipfile.ZipFile(tmp_path / "w.zip", "w") as archive:
            for part in tmp_path.glob("wells.*"):
                archive.write(part, f"deep/{part.name}")
        path = tmp_path / "w.zip"
    (place,) = one(path).places
    assert (place.id, place.use, place.private) == ("3913", None, {"owner": "Zaphod Madeup"})
    assert place.position is not None
    assert (round(place.position.x, 2), place.position.system) == (417939.02, "EPSG:3070")


def test_without_pyogrio_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = shapefile(tmp_path)
    monkeypatch.setattr("ingest.places.shapefile.importlib.util.find_spec", lambda name: None)
    with pytest.raises(EnvironmentFailed, match=r"install headwater\[gis\]"):
        one(path)


def zipped(folder: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(folder / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("_", "."), data)
    return folder / "x.zip"


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"a_shp": bytes(20_000_000), "a_dbf": b""}, "a zip bomb"),
        ({"a_shp": b"\0\0\x27\x0a" + b"\xff" * 96, "a_dbf": b"x"}, "a broken shapefile"),
        ({"a_shp": b"\0\0\x27\x0a"}, "without its .dbf"),
        ({"a_shp": b"", "b_shp": b""}, "several shapefiles"),
        ({"a_csv": b"day,value\n2024-01-01,3\n"}, "no table of it is a list of places"),
    ],
)  # fmt: skip
def test_archives_that_are_refused(tmp_path: Path, members: dict[str, bytes], said: str) -> None:
    with pytest.raises(BadFile, match=said):
        read_places(zipped(tmp_path, **members), {})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("day,value\n2024-01-01,3\n", "not a list of places"),
        ("site_no,x,y,date,value\nA1,1,2,2024-01-01,3\n", "readings, and no list of places"),
        ("well_id,x,y,x\nA1,1,2,3\n", "distinct column names"),
        ('{"type": "Topology"}', "no GeoJSON"),
        ('{"type": "FeatureCollection", "features": []}', "without features"),
        ('{"type": "FeatureCollection", "features": [{"type": "Feature", "crs": 1}]}', "a crs inside a feature"),
        ('{"type": "Point", "coordinates": [-91.3, 45]}', "--column id=NAME"),
        ("", "empty"),
        ("\0\1\2\3", "binary"),
    ],
)  # fmt: skip
def test_files_that_hold_none_of_it(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "file.txt"
    path.write_text(text)
    with pytest.raises(BadFile, match=said):
        read_places(path, {})


def test_a_column_a_person_names(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("Bezeichnung,x,y\nB1,1,2\n")
    with pytest.raises(BadFile, match="not a list of places"):
        one(path)
    assert one(path, id="Bezeichnung").places[0].id == "B1"


PEOPLE = (
    "OWNER", "Owner Phone", "OWNERNME1", "Tenant", "Mailing Address", "E-mail", "Last_Name", "CONTACT", "Site Address",
    "taxpayer_1", "Cell",
)  # fmt: skip


@pytest.mark.parametrize("heading", PEOPLE)
def test_columns_about_people_are_never_another(heading: str) -> None:
    found = understood(["well_id", "x", "y", heading], {"name": heading})
    assert "name" not in found.roles
    assert heading not in (*found.unread, *found.ids)
    assert (private_kind(heading) is not None) == (
        heading in {each for names in found.private.values() for each in names}
    )


@pytest.mark.parametrize(
    ("name", "system"),
    [("NAD83", "EPSG:4269"), ("nad 27", "EPSG:4267"), ("WGS 84", "EPSG:4326"), ("3070", "EPSG:3070"),
     ("urn:ogc:def:crs:OGC:1.3:CRS84", "OGC:CRS84"), ("http://www.opengis.net/def/crs/EPSG/0/7595", "EPSG:7595"),
     ("", ""), ("NAD83(2011)", "EPSG:6318")],
)  # fmt: skip
def test_systems_by_name(name: str, system: str) -> None:
    assert system_named(name, degrees=True) == system


@pytest.mark.parametrize("name", ["NAD83", "+proj=utm", "/etc/passwd", "NAVD88", "{}"])
def test_names_that_are_no_system_of_a_plane(name: str) -> None:
    with pytest.raises(BadCell):
        system_named(name, degrees=False)


def test_the_state_system_meets_the_countys() -> None:
    """The origin of EPSG:7595 in EPSG:3070, worked by Snyder (1987), equations 3-21 and 8-9 to 8-15."""
    how = move("EPSG:3070", "EPSG:7595")
    assert how.points([417938.668], [501305.566])[0] == pytest.approx((197000.0, 144656.648), abs=0.01)
    assert how.accuracy_ft == pytest.approx(3.2808, abs=1e-4)
    assert how.said == "NAD83 / Wisconsin Transverse Mercator (EPSG:3070), metre"


def test_two_feet_are_not_one() -> None:
    """A US survey foot is 1200/3937 m: at 197,000 of them the other foot lies 0.39 ft off."""
    how, near = move("EPSG:7595", "EPSG:7595"), around("EPSG:7595", [(0, 0), (100, 0), (100, 100)], 1.0)
    assert "US survey foot" in how.said
    assert near.miles([(100 + 5280.0, 0.0)]) == pytest.approx([1.000002])
    assert near.miles([(float("inf"), 0.0)]) == [float("inf")]
    assert where_else(how, 0.0, 9e6, near) == ""


@given(st.text(max_size=60))
def test_no_text_breaks_out_of_a_string_or_a_comment(text: str) -> None:
    found = tomllib.loads(f"# {words(text)}\nx = {quoted(text)}\ny = 1\n")
    assert list(found) == ["x", "y"]
    assert found["x"] == "".join(char if char.isprintable() else " " for char in text)


def test_a_long_ring_is_one_value() -> None:
    corners = [(float(k), -0.005 * k) for k in range(25)]
    assert tomllib.loads(f"b = {ring(corners)}")["b"] == [[float(k), round(-0.005 * k, 2)] for k in range(25)]


KEYS = ("type", "features", "geometry", "coordinates", "properties", "crs", "id", "name")
JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["Point", "Polygon", "Feature"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, document: Any) -> None:
    path = tmp_path_factory.mktemp("j") / "x.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": document}))
    with pytest.raises(BadFile) if not isinstance(document, list) or not document else _either():
        read_places(path, {})


class _either:  # noqa: N801
    """Read, or refused as a file is."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> bool:
        return kind is not None and issubclass(kind, BadFile)


@given(st.binary(max_size=200))
def test_any_shapefile_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, tail: bytes) -> None:
    pytest.importorskip("pyogrio")
    folder = tmp_path_factory.mktemp("s")
    (folder / "a.shp").write_bytes(struct.pack(">i", 9994) + tail)
    (folder / "a.dbf").write_bytes(tail)
    with _either():
        read_places(folder / "a.shp", {})
