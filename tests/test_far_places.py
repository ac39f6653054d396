"""``headwater check`` says of a place that lies far from the site, and what slip would explain it, and stays at 0."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from pyproj import Transformer

from models.excavation import Boring
from models.inventory import Inventory, Residence
from pipelines import cli
from pipelines.site_folder import open_site
from pipelines.site_from_files.far_places import far_places
from sample_data import demo

Check = Callable[..., list[str]]
CREEK = (158150.0, 166900.0)
"""MW-1 of the sample; its site lies 2 miles from its own mirror image, so near the diagonal of the system it is."""


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """What the check warns of once something of the sample site stands elsewhere."""

    def run(table: str, id: str, position: tuple[float, float], shift: float = 0.0) -> list[str]:
        folder = tmp_path / "site"
        demo.fresh_site(folder)
        path = folder / "site.toml"
        head, found, rest = path.read_text().partition(f'[[{table}]]\nid = "{id}"')
        assert found
        rest = re.sub(r"\nposition = .*", f"\nposition = [{position[0]!r}, {position[1]!r}]", rest, count=1)
        text = head + found + rest
        path.write_text(re.sub(r"\[(\d{6}\.\d+), (\d{6}\.\d+)\]", lambda at: _moved(at, shift), text))
        capsys.readouterr()
        assert cli.run(["check", "--site", str(folder), "--json"]) == 0
        warnings: list[str] = json.loads(capsys.readouterr().out)["place_warnings"]
        assert cli.run(["check", "--site", str(folder)]) == 0
        printed = capsys.readouterr().out
        assert [one for one in warnings if f"warning: {one}" not in printed] == []
        return warnings

    return run


def _moved(at: re.Match[str], shift: float) -> str:
    return f"[{float(at[1]) + shift!r}, {at[2]}]"


def test_nothing_is_said_of_a_site_as_it_is(check: Check) -> None:
    """Its index well and its reference gauge lie further off than its other wells."""
    assert check("well", "MW-1", CREEK) == []


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ((CREEK[0] * 1200 / 3937, CREEK[1] * 1200 / 3937), "read as metres it would lie there"),
        ((-91.44469, 45.03877), "read as longitude and latitude in degrees it would lie there"),
        ((45.03877, -91.44469), "exchanged they would lie there (read as degrees)"),
        ((91.44469, 45.03877), "with a minus before the first they would lie there (read as degrees)"),
        ((CREEK[1], CREEK[0]), "exchanged it would lie within"),
        ((CREEK[0] + 53_000 + 5_280, CREEK[1]), "from the site boundary"),
    ],
)
def test_a_well_far_off_is_named_with_the_likely_slip(check: Check, position: tuple[float, float], why: str) -> None:
    (said,) = check("well", "MW-1", position)
    assert said.startswith("site.toml: well[MW-1].position: lies ")
    assert said.endswith(why)


def test_axes_exchanged_a_county_off_the_diagonal(check: Check) -> None:
    """The whole site 60,000 ft further east: the exchanged well lies some 15 miles off."""
    (said,) = check("well", "MW-1", (CREEK[1] - 60_000, CREEK[0] + 60_000), 60_000.0)
    assert re.search(r"lies 1[0-9] miles from the site boundary; exchanged it would lie there$", said)


def test_degrees_are_those_of_the_well() -> None:
    x, y = Transformer.from_crs("EPSG:7595", "EPSG:4326", always_xy=True).transform(*CREEK)
    assert (x, y) == pytest.approx((-91.44469, 45.03877), abs=1e-4)


@pytest.mark.parametrize(
    ("table", "id", "far_mi"), [("gauge", "LMC-1", 11), ("well", "PW-1", 11), ("well", "IW-1", 101)]
)
def test_the_line_is_ten_miles_and_a_hundred_for_what_stands_for_the_region(
    check: Check, table: str, id: str, far_mi: int
) -> None:
    """The site's western edge lies at 157,500 ft."""
    for miles, count in ((far_mi, 1), (far_mi - 2, 0)):
        assert len(check(table, id, (157_500 - miles * 5280, CREEK[1]))) == count


def test_a_neighbour_whose_mirror_image_lies_in_the_site_is_no_slip(check: Check) -> None:
    """The whole site 6,000 ft further east lies on the diagonal: 1,400 ft east of it, and mirrored within it."""
    assert check("well", "MW-1", (161_000.0, 165_000.0), 6_000.0) == []


def test_waters_parcels_and_points_are_looked_at_too_and_a_stream_may_come_from_far(tmp_path: Path) -> None:
    demo.fresh_site(tmp_path / "site")
    site = open_site(tmp_path / "site").site
    off = 12 * 5280.0
    stream, parcel = site.stream[0], site.property[0]
    away = stream.model_copy(update={"line": tuple((x + off, y) for x, y in stream.line)})
    long = stream.model_copy(update={"line": ((stream.line[0][0] - off, stream.line[0][1]), *stream.line)})
    elsewhere = parcel.model_copy(update={"polygon": tuple((x, y - off) for x, y in parcel.polygon)})
    hole = Boring(id="B-1", day=date(2024, 5, 1), by="Made up", position=(CREEK[0], CREEK[1] + off))
    home = Residence(id="H-1", position=(CREEK[0] - off, CREEK[1]))
    for changed, keys in (
        ({"stream": (away,)}, [f"stream[{stream.id}].line"]),
        ({"stream": (long,)}, []),
        ({"property": (elsewhere,)}, [f"property[{parcel.id}].polygon"]),
        ({"boring": (hole,)}, ["boring[1].position"]),
        ({"inventory": Inventory(residence=(home,))}, ["inventory.residence[H-1].position"]),
    ):
        found = [one.split(": ")[1] for one in far_places(site.model_copy(update=changed))]
        assert found == keys
