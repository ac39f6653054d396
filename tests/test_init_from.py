"""``headwater init --from``: facts of files become a site that loads, with their source, and nothing private in it."""

from __future__ import annotations

import json
import re
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipelines import cli
from pipelines.site_folder import open_site

SAMPLES = Path(__file__).parents[2] / "shared" / "samples"
needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="../shared is absent")
ORIGIN = (44.977856898611115, -91.29444444444444)
"""Origin of EPSG:7595; by definition of the system it lies at (197000, 144656.648) US survey feet."""
HEAD = "well_id,well_name,use,latitude,longitude,horizontal_datum,depth_m,alt_va,alt_datum_cd,Owner Name,Owner Phone\n"
NEAR = "45.00020,-91.30120,NAD83"
Run = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def init(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, dict[str, Any], str]:
        code = cli.run(["init", str(tmp_path / "site"), "--json", *map(str, arguments)])
        told = capfd.readouterr()
        return code, json.loads(told.out) if told.out else {}, told.err

    return run


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


def csv(tmp_path: Path, *rows: str, head: str = HEAD, name: str = "wells.csv") -> Path:
    path = tmp_path / name
    path.write_text(head + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def square(west: float, south: float, size: float = 0.004) -> list[list[float]]:
    east, north = west + size, south + size
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def geojson(path: Path, *features: tuple[dict[str, str], str, Any], **more: Any) -> Path:
    made = [
        {"type": "Feature", "properties": says, "geometry": {"type": kind, "coordinates": corners}}
        for says, kind, corners in features
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": made, **more}))
    return path


def test_a_well_stands_where_the_system_says_with_its_source_and_what_is_missing(
    init: Run, site: Path, tmp_path: Path
) -> None:
    lat, lon = ORIGIN
    code, told, _ = init("--from", csv(tmp_path, f"MW-1,Upper,monitoring,{lat},{lon},NAD83,13.7,952.3,NGVD29,,"))
    assert code == 0
    assert [(one["table"], one["id"]) for one in told["added"]] == [("well", "MW-1")]
    well = open_site(site).site.well[0]
    assert well.position == pytest.approx((197000.0, 144656.648), abs=0.01)
    assert (well.use, well.name, str(well.depth_ft)) == ("monitoring", "Upper", "44.95")  # 13.7 / 0.3048 = 44.947…
    assert str(well.position_accuracy_ft) == "3.3"  # a metre between the realisations of NAD83
    assert well.ngvd29_to_navd88_ft is None
    assert well.measuring_point == ()
    text = (site / "site.toml").read_text()
    assert "# wells.csv (sha256 " in text
    assert "), row 2: longitude -91.29444444444444, latitude 44.977856898611115 in NAD83 (EPSG:4269), degree" in text
    assert "land at 952.3 ft on NGVD29" in text
    assert "# ngvd29_to_navd88_ft = …" in text
    assert "# missing: the boundary of the whole mine site" in text


def test_twice_is_once(init: Run, site: Path, tmp_path: Path) -> None:
    wells = csv(
        tmp_path, f"MW-1,,monitoring,{NEAR},,,,,", f"AB101,,private,{NEAR},,,,Zaphod Madeup,", f"X-1,,,{NEAR},,,,,"
    )
    outline = geojson(tmp_path / "b.geojson", ({}, "Polygon", [square(-91.31, 45.0)]))
    init("--from", wells, outline)
    first = {one.name: one.read_bytes() for one in site.iterdir() if one.is_file()}
    code, told, _ = init("--from", wells, outline)
    assert (code, told["written"], told["added"]) == (0, [], [])
    assert {one.name: one.read_bytes() for one in site.iterdir() if one.is_file()} == first


def test_people_and_exact_places_go_to_the_private_file_alone(init: Run, site: Path, tmp_path: Path) -> None:
    wells = csv(
        tmp_path,
        f"AB101,Zaphod Madeup house,Domestic,{NEAR},30,,,Zaphod Madeup,715-555-0101",
        f'X-1,Trillian place,,{NEAR},,,,"Trillian, Person",715-555-0102',
        "MW-9,Trillian Person yard,monitoring,45.001,-91.3,NAD83,,,,Trillian Person,",
    )
    code, told, _ = init("--from", wells)
    public = (site / "site.toml").read_text() + json.dumps(told)
    for secret in ("Madeup", "Zaphod", "Trillian", "555-0101", "555-0102", "45.0002", "195252.", "152803."):
        assert secret not in public
    private = site / "households.toml"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    for kept in (
        '# owner = "Zaphod Madeup"',
        '# phone = "715-555-0101"',
        '# owner = "Trillian, Person"',
        "# position = [1952",
    ):
        assert kept in private.read_text()
    assert [one.id for one in open_site(site).site.well] == ["MW-9"]
    assert open_site(site).site.well[0].name == ""
    assert code == 3
    assert [one["id"] for one in told["waiting"]] == ["AB101", told["waiting"][1]["id"]]
    assert re.fullmatch("well-[0-9a-f]{8}-3", told["waiting"][1]["id"])


def test_a_private_well_stands_at_the_centre_of_its_section(init: Run, site: Path, tmp_path: Path) -> None:
    wells = csv(tmp_path, "AB101,,private,45.0002,-91.3012,NAD83,,,,Zaphod Madeup,")
    init("--from", wells)
    assert open_site(site).site.well == ()
    sections = geojson(
        tmp_path / "qq.geojson", ({"QTR_QTR": "NE SE 12 T30N R8W"}, "Polygon", [square(-91.303, 44.999)]),
        ({"PARCELID": "23008-1", "OWNERNME1": "Zaphod Madeup"}, "Polygon", [square(-91.303, 44.999)]),
    )  # fmt: skip
    assert init("--from", sections, "--from", wells)[0] == 0
    folder = open_site(site)
    well = folder.site.well[0]
    assert (well.use, well.quarter_quarter, well.property) == ("private", "NE SE 12 T30N R8W", None)
    exact = folder.households.well[0]
    assert exact.well == "AB101"
    # centre 0.0008 degrees of latitude north (365 ft per 0.001) and 0.0002 east of the well
    assert well.position[1] - exact.position[1] == pytest.approx(0.0008 * 364_600, abs=3)
    assert well.position[0] - exact.position[0] == pytest.approx(0.0002 * 258_700, abs=3)
    assert [(one.id, one.parcel) for one in folder.site.property] == [("23008-1", "23008-1")]
    assert [(one.property, one.owner) for one in folder.households.household] == [("23008-1", "Zaphod Madeup")]
    assert "not in force: its quarter-quarter" not in (site / "site.toml").read_text()


def test_what_a_person_says_decides_and_takes_the_question_away(init: Run, site: Path, tmp_path: Path) -> None:
    wells = csv(tmp_path, f"AB201,,,{NEAR},,,,,", "AB202,,irrigation,45.001,-91.3,NAD83,,,,,")
    init("--from", wells)
    assert "well AB201 is not taken" in (site / "site.toml").read_text()
    _, told, _ = init("--from", wells, "--use", "production")
    text = (site / "site.toml").read_text()
    assert "well AB201 is not taken" not in text
    assert 'it says "irrigation"' in text
    assert [(one.id, one.use) for one in open_site(site).site.well] == [("AB201", "production")]
    assert [one["id"] for one in told["waiting"]] == ["AB202"]


def test_nothing_a_person_wrote_changes(init: Run, site: Path, tmp_path: Path) -> None:
    first = csv(tmp_path, f"MW-1,,monitoring,{NEAR},,,,,")
    init("--from", first)
    path = site / "site.toml"
    mine = (
        path.read_text()
        .replace('id = "MW-1"', 'id = "B-1"   # by hand')
        .replace("[[0.0, 0.0], [2640.0", "[[1.0, 0.0], [2640.0")
    )
    path.write_bytes(mine.replace("\n", "\r\n").encode())
    again = csv(
        tmp_path,
        "b-1,,monitoring,45.01020,-91.30120,NAD83,,,,,",
        "MW-7,,monitoring,45.01,-91.3,NAD83,,,,,",
        name="second.csv",
    )
    outline = geojson(tmp_path / "b.geojson", ({}, "Polygon", [square(-91.31, 45.0)]))
    # the boundary by hand lies far from any of this
    _, told, _ = init("--from", first, again, outline, "--within", "400")
    after = path.read_bytes().decode()
    assert after.startswith(mine.replace("\n", "\r\n").rstrip())
    assert "\n" not in after.replace("\r\n", "")
    assert {one["id"]: one["why"] for one in told["already_there"]} == {
        "MW-1": "taken before; site.toml calls it otherwise now",
        "b-1": "its position stays; the file's lies 3,646 ft from it",
    }
    assert [one.id for one in open_site(site).site.well] == ["B-1", "MW-7"]
    assert "another outline than the boundary above, which stays" in after


def test_a_dry_run_writes_nothing_and_shows_what_would_be_added(init: Run, site: Path, tmp_path: Path) -> None:
    wells = csv(tmp_path, f"MW-1,,monitoring,{NEAR},,,,,", f"AB101,,private,{NEAR},,,,Zaphod Madeup,")
    code, told, _ = init("--from", wells, "--dry-run")
    assert (code, site.exists()) == (0, False)
    assert '+id = "MW-1"' in told["difference"].split("\n")
    assert "Madeup" not in json.dumps(told)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("A-1,,monitoring,-91.3012,45.0002,NAD83,,,,,", "exchanged they would lie there"),
        ("A-1,,monitoring,45.0002,91.3012,NAD83,,,,,", "with a minus before the first"),
        ("A-1,,monitoring,43.1,-89.5,NAD83,,,,,", "miles from the area of NAD83(2011) / WISCRS Chippewa (ftUS)"),
        ("A-1,,monitoring,45.0002,-91.3012,NAD27,,,,,", "from NAD27 no exact way leads to"),
        ("A-1,,monitoring,45.0002,-91.3012,,,,,,", "does not name the coordinate system: say which by --crs"),
        ("A-1,,monitoring,45.0002,-91.3012,local grid,,,,,", "not a coordinate system that is known"),
        ("A-1,,monitoring,45 00 01,-91.3012,NAD83,,,,,", "degrees, minutes and seconds are not read"),
        ("A-1,,monitoring,,-91.3012,NAD83,,,,,", "blank, and the other coordinate is not"),
        ("Zaphod,,private,45.0002,-91.3012,NAD83,,,,,", None),
        ("!!,,monitoring,45.0002,-91.3012,NAD83,,,,,", "names no well"),
        (f"{'A' * 65},,monitoring,45.0002,-91.3012,NAD83,,,,,", "longer than 64"),
    ],
)  # fmt: skip
def test_what_cannot_be_placed_is_refused_with_the_reason(
    init: Run, site: Path, tmp_path: Path, row: str, reason: str | None
) -> None:
    code, _, error = init("--from", csv(tmp_path, row))
    if reason is None:  # a private well by a name: nothing of it stands anywhere public
        assert code == 3
        assert "Zaphod" not in (site / "site.toml").read_text()
        return
    assert code == 2
    assert reason in error
    assert error.startswith("headwater: wells.csv: row 2")
    assert error.count("\n") == 1
    assert not site.exists()


def test_numbers_used_twice(init: Run, site: Path, tmp_path: Path) -> None:
    wells = csv(
        tmp_path, "MW-1,,monitoring,45.001,-91.3001,NAD83,10,,,,", "MW-1,,monitoring,45.001,-91.3001,NAD83,20,,,,",
        "mw-2,,monitoring,45.001,-91.3001,NAD83,,,,,", "MW-2,,monitoring,45.002,-91.3001,NAD83,,,,,",
        "MW 3,,monitoring,45.003,-91.3001,NAD83,,,,,", "MW/3,,monitoring,45.004,-91.3001,NAD83,,,,,",
        "MW 4,,monitoring,45.005,-91.3001,NAD83,,,,,",
    )  # fmt: skip
    code, told, _ = init("--from", wells)
    assert code == 3
    assert [(one.id, one.depth_ft, one.identifiers) for one in open_site(site).site.well] == [
        ("MW-1", None, ()), ("MW-4", None, ("MW 4",)),
    ]  # fmt: skip
    assert {one["row"] for one in told["left_out"]} == {3, 4, 5, 6, 7}
    assert "depth_ft: left out, the rows differ" in next(one["reason"] for one in told["left_out"] if one["row"] == 3)


def test_hostile_words_end_no_string_and_no_comment(init: Run, site: Path, tmp_path: Path) -> None:
    evil = '"x"" \\ \x07\n[[party]]\nid = ""evil"" # \u202e"'
    wells = csv(tmp_path, f'MW-1,{evil},"monitoring",{NEAR},,,,,', f'X-1,,"a\n[permit]",{NEAR},,,,,')
    assert init("--from", wells)[0] == 0
    data = tomllib.loads((site / "site.toml").read_text())
    assert [one["id"] for one in data["party"]] == ["town", "operator"]
    assert data["well"][0]["name"] == 'x" \\ [[party]] id = "evil" #'
    assert data["permit"]["number"] == "2024-1"


def test_a_boundary_takes_the_place_of_the_example(init: Run, site: Path, tmp_path: Path) -> None:
    inner = square(-91.309, 45.001, 0.001)
    outline = geojson(tmp_path / "b.geojson", ({"name": "North pit"}, "Polygon", [square(-91.31, 45.0), inner]))
    code, told, _ = init("--from", outline)
    assert code == 3
    assert "1 hole left out" in told["left_out"][0]["reason"]
    corners = open_site(site).site.boundary
    assert len(corners) == 4
    east, north = (max(one[k] for one in corners) - min(one[k] for one in corners) for k in (0, 1))
    # 0.004 degrees: of latitude 111,142 m to the degree at 45 N, of longitude 78,847 m
    assert north == pytest.approx(0.004 * 111_142 / 0.3048006, rel=2e-3)
    assert east == pytest.approx(0.004 * 78_847 / 0.3048006, rel=2e-3)
    text = (site / "site.toml").read_text()
    assert "North pit" not in text  # what an outline says of itself may be a person's
    assert "# missing: the boundary" not in text


@pytest.mark.parametrize(
    ("kind", "corners", "more", "reason"),
    [
        ("Polygon", [square(45.0, -91.3)], {}, "exchanged they would lie there"),
        ("Polygon", [square(-91.3, 45.0)[:-1]], {}, "not closed"),
        ("Polygon", [[[-91.3, 45], [-91.2, 45.1], [-91.2, 45], [-91.3, 45.2], [-91.3, 45]]], {}, "crosses itself"),
        ("Polygon", [[["a", 45]] * 4], {}, "not a number"),
        ("MultiPolygon", [[square(-91.3, 45.0)], [square(-91.2, 45.0)]], {}, "2 parts that do not touch"),
        ("LineString", square(-91.3, 45.0), {}, "a LineString"),
        ("Polygon", [square(500000, 600000, 50)], {}, "--crs"),
        ("Polygon", [square(-91.3, 45.0)], {"crs": {"type": "link", "properties": {"href": "x"}}}, "a link is not"),
        ("Polygon", [square(-91.3, 45.0)], {"crs": {"type": "name", "properties": {"name": "EPSG:4267"}}}, "NAD27"),
        ("Polygon", [square(-89.5, 43.0)], {}, "lies more than 10 miles"),
    ],
)  # fmt: skip
def test_an_outline_that_cannot_be_the_site(
    init: Run, site: Path, tmp_path: Path, kind: str, corners: Any, more: dict[str, Any], reason: str
) -> None:
    code, _, error = init("--from", geojson(tmp_path / "b.geojson", ({}, kind, corners), **more))
    assert code == 2
    assert reason in error
    assert not site.exists()


def test_parts_that_touch_and_rings_of_any_turn_are_one_outline(init: Run, site: Path, tmp_path: Path) -> None:
    parts = [[square(-91.31, 45.0)], [square(-91.306, 45.0)[::-1]]]
    assert init("--from", geojson(tmp_path / "b.geojson", ({}, "MultiPolygon", parts)))[0] == 0
    east = [one[0] for one in open_site(site).site.boundary]
    assert max(east) - min(east) == pytest.approx(0.008 * 78_847 / 0.3048006, rel=2e-3)


def test_a_named_system_of_the_file_is_followed(init: Run, site: Path, tmp_path: Path) -> None:
    named = {"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::7595"}}}
    ring = [[190000, 150000], [192640, 150000], [192640, 151320], [190000, 151320], [190000, 150000]]
    assert init("--from", geojson(tmp_path / "b.geojson", ({}, "Polygon", [ring]), **named))[0] == 0
    assert sorted(open_site(site).site.boundary) == sorted((float(x), float(y)) for x, y in ring[:-1])


def test_several_outlines_are_the_persons_to_choose_from(init: Run, site: Path, tmp_path: Path) -> None:
    two = [({"n": "a"}, "Polygon", [square(-91.31, 45.0)]), ({"n": "b"}, "Polygon", [square(-91.32, 45.0)])]
    code, _, error = init("--from", geojson(tmp_path / "b.geojson", *two))
    assert (code, "none says it is the boundary" in error) == (2, True)
    two[1][0]["n"] = "site boundary"
    assert init("--from", geojson(tmp_path / "b.geojson", *two))[0] == 3
    assert "b.geojson (sha256 " in (site / "site.toml").read_text()
    assert "), feature 2: 4 corners" in (site / "site.toml").read_text()


def test_more_wells_than_a_site_has(init: Run, site: Path, tmp_path: Path) -> None:
    rows = [f"W{n},,monitoring,45.{n:05},-91.3,NAD83,,,,," for n in range(2001)]
    code, _, error = init("--from", csv(tmp_path, *rows))
    assert (code, "2001 wells within 10 miles" in error) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("--crs", "EPSG:3070"), "--from"), (("extra.csv",), "--from"), (("--from", "none.csv"), "no such file"),
     (("--from", "none.csv", "--column", "id"), "--column"),
     (("--from", "x", "--column", "name=Owner"), "about people")],
)  # fmt: skip
def test_questions_that_make_no_sense(init: Run, arguments: tuple[str, ...], said: str) -> None:
    code, _, error = init(*arguments)
    assert (code, said in error) == (2, True)


def test_a_faulty_site_is_not_added_to(init: Run, site: Path, tmp_path: Path) -> None:
    init()
    path = site / "site.toml"
    path.write_text(path.read_text() + "\nnonsense = 1\n")
    before = path.read_bytes()
    assert init("--from", csv(tmp_path, f"MW-1,,monitoring,{NEAR},,,,,"))[0] == 2
    assert path.read_bytes() == before


@needs_samples
def test_real_lists_and_an_outline_fill_a_site(init: Run, site: Path) -> None:
    wells, shapes = (
        SAMPLES / "well-info/wi-wdnr-gw-sites.csv",
        SAMPLES / "well-info/wi-high-capacity-wells-shapefile.zip",
    )
    code, _, error = init("--from", wells)
    assert (code, "--crs" in error) == (2, True)
    code, _, error = init("--from", wells, "--crs", "EPSG:3070")
    assert (code, "(and 11 more)" in error) == (2, True)
    code, told, _ = init("--from", wells, shapes, SAMPLES / "geojson-boundary/nldi-upstream-basin.geojson",
                         "--crs", "EPSG:3070", "--within", "200")  # fmt: skip
    assert code == 0
    folder = open_site(site)
    assert {one.use for one in folder.site.well} == {"monitoring"}
    assert len(folder.site.well) == 12
    assert len(told["waiting"]) == 71
    assert len(folder.site.boundary) == 121
    init("--from", shapes, "--use", "production", "--within", "200")
    assert len(open_site(site).site.wells("production")) == 71


@needs_samples
def test_a_site_file_gives_gauges(init: Run, site: Path) -> None:
    code, _, _ = init("--from", SAMPLES / "nwis-rdb-site/maryland-2-sites.rdb", "--within", "500")
    assert code == 2  # Maryland is farther than any town's gauge
