"""No public drawing tells where a private well stands: the site file may not, and the last door draws no small ring."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyogrio.raw
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadSite
from models.household import Households, PrivatePosition
from models.place import LEAST_RING_FT
from models.privacy import check_private_places
from models.site import Site
from pipelines import cli, site_folder
from pipelines.aquifer.cone_source import from_site
from pipelines.site_folder import open_site
from reports.annual.network_map import network_map
from reports.site_map import places, site_map
from sample_data import demo

EXACT = (158_612.3, 164_057.9)
"""A made-up place of PVT-1 within its quarter-quarter section; the household file has another."""
WRITTEN = re.compile(r"(?<![\d.])(158,?612|164,?05[78])(?!\d)")
DEGREES = (-91.442915, 45.030970)
"""EXACT, from EPSG:7595 by PROJ."""
Change = Callable[..., Path]


@pytest.fixture
def changed(tmp_path: Path) -> Change:
    """The sample site with PVT-1 put elsewhere by ``site.toml``."""

    def change(position: tuple[float, float], accuracy_ft: float) -> Path:
        folder = tmp_path / "site"
        demo.fresh_site(folder)
        path = folder / "site.toml"
        head, well, rest = path.read_text().partition('id = "PVT-1"')
        rest = re.sub(r"\nposition = .*", f"\nposition = [{position[0]}, {position[1]}]", rest, count=1)
        rest = re.sub(r"\nposition_accuracy_ft = .*", f"\nposition_accuracy_ft = {accuracy_ft}", rest, count=1)
        path.write_text(head + well + rest)
        return folder

    return change


def told(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = cli.run([*arguments, "--site", str(folder)])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


COMMANDS = [("check",), ("nightly", "--dry-run"), ("report", "site"), ("cone",), ("findings",)]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("accuracy", [0, 3, 461.9])
def test_a_place_more_exact_than_a_quarter_quarter_section_is_refused_by_all(
    changed: Change, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], accuracy: float
) -> None:
    code, said = told(changed(EXACT, accuracy), capsys, *command)
    assert code == 2
    assert "site.toml: well[PVT-1].position_accuracy_ft" in said
    assert "households.toml" in said
    assert not WRITTEN.search(said)


@pytest.mark.parametrize("off", [0.0, 9.9])
def test_a_copy_of_the_household_file_s_place_is_refused_whatever_its_accuracy(
    changed: Change, capsys: pytest.CaptureFixture[str], off: float
) -> None:
    demo_place = next(one.position for one in open_site(changed(EXACT, 934)).households.well if one.well == "PVT-1")
    shutil.rmtree(changed(EXACT, 934))
    code, said = told(changed((demo_place[0] + off, demo_place[1]), 934), capsys, "check")
    assert (code, "site.toml: well[PVT-1].position:" in said) == (2, True)
    assert str(demo_place[0]).partition(".")[0] not in said


def test_a_section_s_centre_passes_with_its_reach_and_so_does_one_beside_the_well(changed: Change) -> None:
    folder = changed(EXACT, 462)
    assert open_site(folder).site.wells("private")[0].position == EXACT


def test_a_household_file_that_knows_no_more_than_the_section_copies_nothing(changed: Change) -> None:
    """Nobody has measured the well: both files have the centre, and say that it is one."""
    site = open_site(changed(EXACT, 934)).site
    for accuracy, refused in ((462, False), (461, True)):
        homes = Households(well=(PrivatePosition(well="PVT-1", position=EXACT, position_accuracy_ft=accuracy),))
        try:
            check_private_places(site, homes, file="site.toml")
        except BadSite:
            assert refused
        else:
            assert not refused


# The last door --------------------------------------------------------------------------------------------------------


@pytest.fixture
def open_door(changed: Change, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site whose exact place came past the first door."""
    monkeypatch.setattr(site_folder, "check_private_places", lambda *_, **__: None)
    folder = changed(EXACT, 3)
    names = [f"baseline/{kind}-2025-06-30.csv" for kind in ("totalizer", "hand-levels")]
    assert cli.run(["ingest", "--site", str(folder), *(str(demo.SAMPLE / name) for name in names)]) in {0, 3}
    return folder


def test_no_file_of_page_or_cone_has_the_place(open_door: Path, tmp_path: Path) -> None:
    public, out, page = tmp_path / "public", tmp_path / "map", tmp_path / "cone.html"
    assert cli.run(["report", "site", "--site", str(open_door), "--out", str(public)]) == 0
    assert (
        cli.run(["cone", "--site", str(open_door), "--on", "2025-06-29", "--out", str(out), "--page", str(page)]) == 0
    )
    assert "PVT-2" in page.read_text()
    for one in (page, public / "index.html"):
        figures = [at for text in re.findall(FIGURE, one.read_text(), re.DOTALL) for at in drawn(json.loads(text))]
        assert len(figures) > 100
        assert near(figures, EXACT, 4.0) == []
    lines = [*drawn(json.loads((out / "cone.geojson").read_text()))]
    assert near(lines, DEGREES, 4.0 / 365_000) == []
    assert list(pyogrio.raw.read(out / "cone.gpkg", layer="private_wells")[3][0]) == ["PVT-2", "PVT-3"]
    words = " ".join(one.read_text().split("<script")[0] for one in (page, public / "index.html"))
    assert not WRITTEN.search(words)


FIGURE = r'<script type="application/json"[^>]*>(.*?)</script>'


def drawn(one: Any) -> Iterator[tuple[float, float]]:
    """Every point of a figure or a layer, however deep it stands."""
    if isinstance(one, dict):
        if isinstance(one.get("x"), list) and isinstance(one.get("y"), list):
            yield from ((x, y) for x, y in zip(one["x"], one["y"], strict=False) if _numbers(x, y))
        for each in one.values():
            yield from drawn(each)
    elif isinstance(one, list):
        if len(one) == 2 and _numbers(*one):
            yield one[0], one[1]
        for each in one:
            yield from drawn(each)


def _numbers(*found: Any) -> bool:
    return all(isinstance(one, int | float) for one in found)


def near(points: list[tuple[float, float]], place: tuple[float, float], within: float) -> list[tuple[float, float]]:
    return [one for one in points if math.dist(one, place) <= within]


def test_cone_and_numerical_model_get_no_ring_of_it(open_door: Path) -> None:
    """Page, GeoJSON and GeoPackage of both draw the rings of this source and no other private place."""
    rings = from_site(open_door, "metered", {}, None).rings
    assert [one.id for one in rings] == ["PVT-2", "PVT-3"]
    assert all(one.radius_m == pytest.approx(934 * 1200 / 3937) for one in rings)


def test_page_and_appendix_maps_draw_the_others(open_door: Path) -> None:
    site = open_site(open_door).site
    assert [one.id for one in places(site) if one.id.startswith("PVT")] == ["PVT-2", "PVT-3"]
    assert near([*drawn(site_map(site))], EXACT, 4.0) == []
    drawing, _ = network_map(site, ())
    assert (drawing.count('class="private"'), "PVT-1" in drawing) == (_inside(site), False)


def _inside(site: Site) -> int:
    """Private wells within 900 ft of the boundary's box, PVT-1 aside."""
    west, south, east, north = (
        shapely.box(*shapely.Polygon(site.boundary).bounds).buffer(900, join_style="mitre").bounds
    )
    others = [one.position for one in site.wells("private") if one.id != "PVT-1"]
    return sum(west <= x <= east and south <= y <= north for x, y in others)


SIDES = st.floats(930, 1700)


@given(SIDES, SIDES, st.floats(0, 0.19), st.floats(0, math.tau))
def test_no_section_that_is_taken_from_a_file_is_refused(wide: float, high: float, cut: float, turn: float) -> None:
    """A rectangle of sides within 30 percent of 1,320 ft that lacks up to a fifth of its area at one corner."""
    corner = math.sqrt(2 * cut)
    ring = [(0, 0), (wide, 0), (wide, high * (1 - corner)), (wide * (1 - corner), high), (0, high)]
    shape = shapely.Polygon(ring)
    reach = max(shape.centroid.distance(shapely.Point(one)) for one in ring)
    assert round(reach) >= LEAST_RING_FT
