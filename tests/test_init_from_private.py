"""``headwater init --from``: nothing that may be a household's stands in ``site.toml`` or is printed."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import xlsxwriter
from pyproj import CRS

from ingest.places.section import quarter_quarter
from pipelines import cli
from pipelines.site_folder import open_site

Run = Callable[..., tuple[int, str]]
HEAD = "well_id,use,latitude,longitude,horizontal_datum,depth_ft"
FOOT_NORTH, FOOT_EAST = 1 / 364_630, 1 / 258_680
"""Degrees of a foot at 45 N: 111,142 and 78,847 m to the degree."""


@pytest.fixture
def init(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run once for people and once for machines, the second into the same site; all that is printed or public."""

    def run(*arguments: object) -> tuple[int, str]:
        told = [str(one) for one in arguments]
        code = cli.run(["init", str(tmp_path / "site"), *told])
        cli.run(["init", str(tmp_path / "site"), "--json", *told])
        printed = capfd.readouterr()
        path = tmp_path / "site" / "site.toml"
        return code, printed.out + printed.err + (path.read_text() if path.exists() else "")

    return run


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


def csv(tmp_path: Path, *rows: str, head: str = HEAD, name: str = "wells.csv") -> Path:
    path = tmp_path / name
    path.write_text("".join(f"{row}\n" for row in (head, *rows)), encoding="utf-8")
    return path


def rectangle(wide_ft: float, high_ft: float, west: float = -91.303, south: float = 44.999) -> list[list[float]]:
    east, north = west + wide_ft * FOOT_EAST, south + high_ft * FOOT_NORTH
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def outline(tmp_path: Path, says: dict[str, str], ring: list[list[float]], name: str = "o.geojson") -> Path:
    path = tmp_path / name
    shape = {"type": "Polygon", "coordinates": [ring]}
    path.write_text(json.dumps({"type": "Feature", "properties": says, "geometry": shape}))
    return path


def test_what_an_outline_says_of_itself_is_not_repeated(init: Run, site: Path, tmp_path: Path) -> None:
    says = {"Lessor": "Zaphod Madeup", "DEEDHOLDER": "Trillian Person", "Marvin Nobody": "seller",
            "note": "boundary leased from Arthur Invented"}  # fmt: skip
    code, public = init("--from", outline(tmp_path, says, rectangle(5000, 4000)))
    assert code == 0
    assert len(open_site(site).site.boundary) == 4
    for secret in ("Zaphod", "Trillian", "Marvin", "Arthur", "Lessor", "DEEDHOLDER", "seller"):
        assert secret not in public
    assert "not read of o.geojson: column 1, column 2, column 3, column 4 (note)" in public


def test_points_without_a_number_do_not_list_their_properties(init: Run, tmp_path: Path) -> None:
    path = tmp_path / "p.geojson"
    shape = {"type": "Point", "coordinates": [-91.3, 45.0]}
    path.write_text(json.dumps({"type": "Feature", "properties": {"Zaphod Madeup": "x"}, "geometry": shape}))
    code, public = init("--from", path)
    assert (code, "--column id=NAME" in public, "Zaphod" in public) == (2, True, False)


def test_headings_that_are_not_read_are_told_by_their_place(init: Run, tmp_path: Path) -> None:
    path = csv(tmp_path, "MW-1,monitoring,45.001,-91.3,NAD83,,x", head=f'{HEAD},"Zaphod\nadded: 9"')
    _, public = init("--from", path)
    assert "\nnot read of wells.csv: column 7\n" in public
    assert "# Not read of wells.csv: column 7\n" in public
    assert "Zaphod" not in public
    assert "added: 9" not in public


def test_a_file_name_makes_no_second_line(init: Run, tmp_path: Path) -> None:
    path = csv(tmp_path, "MW-1,monitoring,45.001,-91.3,NAD83,,x", head=f"{HEAD},more", name="x\nadded: 9.csv")
    code, public = init("--from", path)
    assert code == 0
    assert "not read of x added: 9.csv: column 7" in public
    assert not [line for line in public.split("\n") if line.startswith("added: 9")]


@pytest.mark.parametrize("use", ["private", ""])
@pytest.mark.parametrize(
    "id", ["Madeup 2", "W4567 Elm Rd", "N88 CTH SS", "13840", "450612091272201", "PVT-77", "AB1234"]
)
def test_a_name_or_an_address_is_no_id(init: Run, site: Path, tmp_path: Path, id: str, use: str) -> None:
    _, public = init("--from", csv(tmp_path, f"{id},{use},45.001,-91.3,NAD83,90"))
    assert not re.search(rf"\b{id}\b".replace(" ", "[ -]"), public)
    assert re.search(r"\bwell-[0-9a-f]{8}-2\b", public)


@pytest.mark.parametrize("use", ["private", ""])
@pytest.mark.parametrize(
    ("head", "id"), [(HEAD, "AB123"), (HEAD, "ab123"), (HEAD.replace("well_id", "hicap_num"), "24464")]
)
def test_a_number_of_the_state_is_an_id(init: Run, tmp_path: Path, head: str, id: str, use: str) -> None:
    _, public = init("--from", csv(tmp_path, f"{id},{use},45.001,-91.3,NAD83,90", head=head))
    assert id in public
    assert not re.search(r"\bwell-[0-9a-f]{8}-2\b", public)


def test_of_two_numbers_the_one_that_may_be_shown_is(init: Run, site: Path, tmp_path: Path) -> None:
    wells = csv(tmp_path, "Madeup 2,private,45.001,-91.302,NAD83,90,AB123", head=f"{HEAD},wuwn")
    section = outline(tmp_path, {"qq": "NE SE 12 T30N R8W"}, rectangle(1320, 1320))
    _, public = init("--from", section, wells)
    (well,) = open_site(site).site.well
    assert (well.id, well.identifiers) == ("AB123", ())
    assert "Madeup" not in public
    assert "AB123 (Madeup-2 in the file)" not in public
    assert "(Madeup-2 in the file)" in (site / "households.toml").read_text()


def test_a_well_under_our_own_number_is_known_again(init: Run, site: Path, tmp_path: Path) -> None:
    rows = ["Madeup 2,private,45.001,-91.302,NAD83,90", "Person 3,private,45.0011,-91.302,NAD83,90"]
    section = outline(tmp_path, {"qq": "NE SE 12 T30N R8W"}, rectangle(1320, 1320))
    init("--from", section, csv(tmp_path, *rows))
    before = open_site(site).site.well
    assert len({one.id for one in before}) == 2
    assert {one.well for one in open_site(site).households.well} == {one.id for one in before}
    # one row more is another file, with other digests
    init("--from", section, csv(tmp_path, "Nobody 4,private,45.0012,-91.302,NAD83,90", *rows))
    after = open_site(site).site.well
    assert {one.id for one in before} < {one.id for one in after}
    assert len(after) == 3
    # one more at the point of the second
    init("--from", section, csv(tmp_path, "Invented 5,private,45.0011,-91.302,NAD83,60", *rows, name="third.csv"))
    assert len(open_site(site).site.well) == 4


def test_tables_of_one_file_give_no_number_twice(init: Run, site: Path, tmp_path: Path) -> None:
    path = tmp_path / "wells.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for name, id, lat in (("a", "Madeup 2", 45.001), ("b", "Person 3", 45.0015)):
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, HEAD.split(","))
            sheet.write_row(1, 0, [id, "private", lat, -91.302, "NAD83", 90])
    section = outline(tmp_path, {"qq": "NE SE 12 T30N R8W"}, rectangle(1320, 1320))
    init("--from", section, path)
    assert len({one.id for one in open_site(site).site.well}) == 2


@pytest.mark.parametrize(
    ("wide", "high", "good"),
    [(7, 7, False), (1320, 1320, True), (1320, 700, False), (2640, 1320, False), (2640, 2640, False),
     (1250, 1400, True), (660, 660, False)],
)  # fmt: skip
def test_a_section_has_the_size_of_one(
    init: Run, site: Path, tmp_path: Path, wide: float, high: float, good: bool
) -> None:
    """A township is 6 miles square, of 36 sections; a quarter of a quarter of one is 1,320 ft square, 40 acres."""
    north = high / 2 + (40 if high > 100 else 0)
    well = csv(tmp_path, f"AB123,private,{44.999 + north * FOOT_NORTH},{-91.303 + wide / 2 * FOOT_EAST},NAD83,90")
    section = outline(tmp_path, {"qq": "NE SE 12 T30N R8W"}, rectangle(wide, high))
    code, public = init("--from", well, section)
    assert (code, "no quarter-quarter section" in public) == ((0, False) if good else (2, True))
    assert len(open_site(site).site.well if good else ()) == good


def test_a_well_at_the_very_centre_of_its_section_waits(init: Run, site: Path, tmp_path: Path) -> None:
    """The centre in site.toml would be where it stands; that it waits says no more than of a well without a section."""
    middle = f"{44.999 + 660 * FOOT_NORTH},{-91.303 + 660 * FOOT_EAST}"
    section = outline(tmp_path, {"qq": "NE SE 12 T30N R8W"}, rectangle(1320, 1320))
    code, public = init("--from", csv(tmp_path, f"AB123,private,{middle},NAD83,90"), section)
    assert (code, "its quarter-quarter section is not known" in public) == (0, True)
    assert open_site(site).site.well == ()


def test_a_sliver_or_a_corner_is_no_section(init: Run, tmp_path: Path) -> None:
    (w, s), (e, _), (_, n), *_ = rectangle(1320, 1320)
    code, public = init("--from", outline(tmp_path, {"qq": "NESE"}, [[w, s], [e, s], [e, n], [w, s]]))
    assert (code, "no quarter-quarter section" in public) == (2, True)


def test_a_section_by_a_persons_name_is_neither_a_section_nor_the_site(init: Run, site: Path, tmp_path: Path) -> None:
    code, public = init("--from", outline(tmp_path, {"qq": "Madeup forty"}, rectangle(1320, 1320)))
    assert (code, site.exists(), "Madeup" in public) == (2, False, False)
    well = csv(tmp_path, "AB123,private,45.001,-91.302,NAD83,90,Madeup forty", head=f"{HEAD},qq")
    _, public = init("--from", well)
    assert "Madeup" not in public


@pytest.mark.parametrize(
    "name",
    ["NE SE 12 T30N R8W", "NWNW S1 T29N R10W", "NESE", "NE¼ of the SE¼, Sec. 12, T30N, R8W", "T30N R8W S12 NE SE",
     "NW 1/4 NW 1/4", "sw-sw"],
)  # fmt: skip
def test_names_of_sections(name: str) -> None:
    assert quarter_quarter(name) == name


@pytest.mark.parametrize("name", ["", "NE", "SE Elm", "NESE of Madeup", "NE SE 715-555-0101", "NE SE 37", "12"])
def test_names_of_other_things(name: str) -> None:
    assert quarter_quarter(name) == ""


def test_a_word_for_a_use_that_may_be_a_persons_is_not_repeated(init: Run, tmp_path: Path) -> None:
    rows = ("AB123,behind Madeup barn,45.001,-91.3,NAD83,", "AB124,irrigation,45.002,-91.3,NAD83,")
    _, public = init("--from", csv(tmp_path, *rows))
    assert "Madeup" not in public
    assert "its word for a use is not known" in public
    assert 'it says "irrigation"' in public


def test_a_parcel_goes_by_a_number(init: Run, site: Path, tmp_path: Path) -> None:
    code, public = init("--from", outline(tmp_path, {"parcel": "Madeup farm 2"}, rectangle(1320, 1320)))
    assert (code, "Madeup" in public, "a parcel by a name" in public) == (3, False, True)
    init("--from", outline(tmp_path, {"parcel": "MUKV 2013-990"}, rectangle(1320, 1320)))
    assert [one.parcel for one in open_site(site).site.property] == ["MUKV 2013-990"]


def test_a_coordinate_that_is_refused_is_not_repeated(init: Run, tmp_path: Path) -> None:
    rows = ("AB123;private;45,00123;-91,30456;NAD83;90", "AB124;private;45.00200;-91.30478;NAD83;90")
    _, public = init("--from", csv(tmp_path, *rows, head=HEAD.replace(",", ";")))
    assert "decimal mark" in public
    assert not re.search("45[,.]00123|45[,.]002", public)


def test_columns_of_one_name_are_not_repeated(init: Run, tmp_path: Path) -> None:
    path = csv(tmp_path, "AB123,private,45.1,-91.3,NAD83,90,1,2", head=f"{HEAD},Zaphod Madeup,Zaphod Madeup")
    code, public = init("--from", path)
    assert (code, "Zaphod" in public) == (2, False)


@pytest.mark.parametrize("place", ["NAD_1983_Wisconsin_TM", "Meter"])
def test_a_system_of_a_file_breaks_out_of_no_comment(init: Run, site: Path, tmp_path: Path, place: str) -> None:
    raw = pytest.importorskip("pyogrio.raw")
    import numpy as np
    import shapely

    folder = tmp_path / "shape"
    folder.mkdir()
    raw.write(
        folder / "w.shp", shapely.to_wkb(np.array([shapely.Point(417939.02, 501327.63)], object)),
        [np.array(["MW-1"], object), np.array(["monitoring"], object)], ["well_id", "use"], geometry_type="Point",
        crs="EPSG:3070", driver="ESRI Shapefile",
    )  # fmt: skip
    wkt = CRS("EPSG:3070").to_wkt("WKT1_ESRI")
    assert place in wkt
    (folder / "w.prj").write_text(wkt.replace(place, "Madeup\n[[party]]\nid = 1"))
    _, public = init("--from", folder / "w.shp")
    assert "Madeup" not in public
    if site.exists():
        assert [one["id"] for one in tomllib.loads((site / "site.toml").read_text())["party"]] == ["town", "operator"]


def test_a_well_that_a_person_renamed_is_not_a_second_one(init: Run, site: Path, tmp_path: Path) -> None:
    wells = csv(tmp_path, "MW-1,monitoring,45.001,-91.3,NAD83,90", "MW-1D,monitoring,45.001,-91.3,NAD83,190")
    init("--from", wells)
    path = site / "site.toml"
    assert [one.id for one in open_site(site).site.well] == ["MW-1", "MW-1D"]  # a nest, in one file, is two wells
    mine = path.read_text().replace('id = "MW-1"', 'id = "B-1"')
    mine = re.sub(r"# wells\.csv \(sha256 .*\), row 2: ", "# my own words: ", mine)
    path.write_text(mine)
    code, public = init("--from", wells)
    assert [one.id for one in open_site(site).site.well] == ["B-1", "MW-1D"]
    assert "it stands where B-1 of site.toml stands" in public
    assert code == 0
    again = path.read_bytes()
    init("--from", wells)
    assert path.read_bytes() == again
    # two wells after all: the person takes the # away
    block = path.read_text().index("if two, take the # away")
    after = path.read_text()
    path.write_text(after[:block] + re.sub(r"(?m)^# (?!.*missing)", "", after[block:]))
    assert [one.id for one in open_site(site).site.well] == ["B-1", "MW-1D", "MW-1"]
    init("--from", wells)
    assert len(open_site(site).site.well) == 3


def test_a_private_well_is_no_twin_of_a_public_one(init: Run, site: Path, tmp_path: Path) -> None:
    """To say that a private well stands where a public one does would say where that is."""
    section = outline(tmp_path, {"qq": "NE SE 12 T30N R8W"}, rectangle(1320, 1320))
    init("--from", csv(tmp_path, "MW-1,monitoring,45.001,-91.302,NAD83,90"))
    _, public = init("--from", section, csv(tmp_path, "AB123,private,45.001,-91.302,NAD83,90", name="more.csv"))
    assert "it stands where" not in public
    assert [one.id for one in open_site(site).site.well] == ["MW-1", "AB123"]
