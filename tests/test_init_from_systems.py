"""``headwater init --from``: what a file says of its datum is heard, and a person who says otherwise is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.site_folder import open_site
from tests.test_init_from import Run, init, site

__all__ = ["init", "site"]

ORIGIN = "44.977856898611115,-91.29444444444444"
"""Origin of EPSG:7595; by definition of the system it lies at (197000, 144656.648) US survey feet."""
THERE = (197000.0, 144656.648)
WTM = "418000.0,501000.0"
"""In EPSG:3070, within some miles of there."""


def degrees(tmp_path: Path, heading: str, says: str, name: str = "wells.csv") -> Path:
    return csv(tmp_path, f"Well ID,Use,Latitude,Longitude,{heading},Depth (ft)", f"{ORIGIN},{says}", name)


def plane(tmp_path: Path, heading: str, says: str, name: str = "plane.csv") -> Path:
    return csv(tmp_path, f"Well ID,Use,X,Y,{heading},Depth (ft)", f"{WTM},{says}", name)


def csv(tmp_path: Path, head: str, cells: str, name: str) -> Path:
    path = tmp_path / name
    path.write_text(f"{head}\nMW-{name[0]},monitoring,{cells},40\n", encoding="utf-8")
    return path


DATUMS = ["Datum", "DATUM", "Geodetic datum", "datum_cd", "coord_datum_cd", "Horiz. Datum", "GPS Datum",
          "Map datum", "Coordinate Reference System", "HorizontalCoordinateReferenceSystemDatumName"]  # fmt: skip


@pytest.mark.parametrize("heading", DATUMS)
def test_a_datum_is_heard_under_any_of_its_headings(init: Run, site: Path, tmp_path: Path, heading: str) -> None:
    code, told, _ = init("--from", degrees(tmp_path, heading, "NAD83"))
    assert (code, told["not_read"]["wells.csv"]) == (0, [])
    assert open_site(site).site.well[0].position == pytest.approx(THERE, abs=0.01)


@pytest.mark.parametrize("heading", DATUMS)
@pytest.mark.parametrize("crs", [(), ("--crs", "EPSG:4269")])
def test_nad27_is_never_read_as_nad83(
    init: Run, site: Path, tmp_path: Path, heading: str, crs: tuple[str, ...]
) -> None:
    """Here the two are some 40 ft apart, and no grid between them is installed."""
    code, _, error = init("--from", degrees(tmp_path, heading, "NAD27"), *crs)
    assert (code, site.exists()) == (2, False)
    assert "wells.csv: row 2" in error
    assert "NAD27" in error
    assert all(name in error for name in ("EPSG:4267", "EPSG:4269")) == bool(crs)


@pytest.mark.parametrize("says", ["NAVD88", "NGVD 29", "IGLD 1985", "MSL"])
def test_a_datum_of_heights_under_datum_is_no_system(init: Run, site: Path, tmp_path: Path, says: str) -> None:
    path = degrees(tmp_path, "Datum", says)
    assert init("--from", path)[0] == 2
    code, _, _ = init("--from", path, "--crs", "EPSG:4269")
    assert code == 0
    assert open_site(site).site.well[0].position == pytest.approx(THERE, abs=0.01)


@pytest.mark.parametrize(("says", "told"), [("NGVD29", "on NGVD29"), ("NAD83", "on no stated datum")])
def test_a_height_is_on_a_datum_of_heights_alone(init: Run, site: Path, tmp_path: Path, says: str, told: str) -> None:
    path = csv(
        tmp_path, "Well ID,Use,Latitude,Longitude,Datum,Elevation (ft),Depth (ft)", f"{ORIGIN},{says},952.3", "w"
    )
    path = path.rename(tmp_path / "w.csv")
    assert init("--from", path, *(("--crs", "EPSG:4269") if says == "NGVD29" else ()))[0] == 0
    assert f"land at 952.3 ft {told}" in (site / "site.toml").read_text()


@pytest.mark.parametrize("heading", ["Datum", "Horizontal datum"])
@pytest.mark.parametrize(("says", "good"), [("NAD83", True), ("NAD83(2011)", True), ("NAD27", False), ("WGS84", False)])
def test_a_datum_of_plane_coordinates_is_held_against_crs(
    init: Run, site: Path, tmp_path: Path, heading: str, says: str, good: bool
) -> None:
    path = plane(tmp_path, heading, says)
    code, _, error = init("--from", path)
    assert (code, "say which by --crs" in error) == (2, True)
    code, _, error = init("--from", path, "--crs", "EPSG:3070", "--within", "60")
    assert code == (0 if good else 2), error
    if not good:
        assert "plane.csv: row 2" in error
        assert "EPSG:3070" in error
        assert ("EPSG:4267" in error) == (says == "NAD27")


def test_a_crs_that_the_only_file_is_against_is_refused_and_one_that_another_needs_is_not(
    init: Run, site: Path, tmp_path: Path
) -> None:
    named, silent = plane(tmp_path, "CRS", "EPSG:3070"), degrees(tmp_path, "Comments", "x")
    code, _, error = init("--from", named, "--crs", "EPSG:26916", "--within", "60")
    assert (code, "plane.csv: row 2" in error, "EPSG:3070" in error, "EPSG:26916" in error) == (2, True, True, True)
    assert init("--from", named, "--crs", "EPSG:3070", "--within", "60", "--dry-run")[0] == 0
    assert init("--from", named, silent, "--crs", "EPSG:4269", "--within", "60")[0] == 0
    assert len(open_site(site).site.well) == 2


def test_geojson_that_says_nothing_is_not_against_crs(init: Run, site: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.geojson"
    shape = {"type": "Point", "coordinates": [-91.3, 45.0]}
    says = {"well_id": "MW-1", "use": "monitoring"}
    path.write_text(json.dumps({"type": "Feature", "properties": says, "geometry": shape}))
    assert init("--from", path, "--crs", "EPSG:4269")[0] == 0


def test_a_column_that_is_not_read_is_named_in_ordinary_words_alone(init: Run, tmp_path: Path) -> None:
    for heading, told in (("Survey method", "column 5 (survey_method)"), ("Zaphod notes", "column 5")):
        _, data, _ = init("--from", degrees(tmp_path, heading, "x"), "--crs", "EPSG:4269")
        assert data["not_read"] == {"wells.csv": [told]}
