"""``headwater cone`` of a site: what the night models, and nothing private in anything public."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pyogrio
import pytest
import shapely

from models import pumping
from models.question import Changed, Question
from pipelines import cli
from pipelines.database import opened, reading
from pipelines.recall import Recall
from pipelines.site_folder import open_site
from sample_data import demo

PRIVATE = ("Example Owner", "Example Occupant", "715-555", "Example Lane", "Household")
EXACT = ("158620", "164050", "157400", "165900", "153600", "165800")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: object) -> tuple[int, str, str]:
        code = cli.run(["cone", *map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


def _json(run: Run, *arguments: object) -> dict[str, Any]:
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    data: dict[str, Any] = json.loads(out)
    return data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample site with its metered pumping and its levels to 11 August 2025."""
    folder = tmp_path_factory.mktemp("cone") / "site"
    demo.fresh_site(folder)
    names = [f"baseline/{kind}-2025-06-30.csv" for kind in ("totalizer", "hand-levels")]
    names += [f"nights/{day}/totalizer-{day}.csv" for day in ("2025-07-15", "2025-07-28", "2025-08-11")]
    assert cli.run(["ingest", "--site", str(folder), *(str(demo.SAMPLE / name) for name in names)]) in {0, 3}
    return folder


def test_the_site_is_what_the_night_models(run: Run, site: Path) -> None:
    data = _json(run, "--site", site)
    folder = open_site(site)
    with opened(f"sqlite:///{site / 'headwater.db'}") as engine, reading(engine) as connection:
        recall = Recall(connection, ZoneInfo(folder.law.zone), None)
        question = Question(
            folder.site, folder.law, folder.policy, recall, date(2025, 8, 11), datetime(2025, 8, 12, 6, tzinfo=UTC),
            Changed(), positions=folder.households.well,
        )  # fmt: skip
        for one in folder.site.wells("monitoring", "private"):
            night = pumping.drawdown_ft(question, one, date(2025, 8, 12))
            told = next(point for point in data["points"] if point["id"] == one.id)["drawdown"]
            assert night is not None
            for end in ("low", "best", "high"):
                assert told[end] == pytest.approx(getattr(night, end), abs=0.02), (one.id, end)
        stream = pumping.depletion_cfs(question, folder.site.stream[0], date(2025, 8, 12))
    assert stream is not None
    assert data["streams"][0]["depletion"]["best"] == pytest.approx(stream.best, rel=5e-3)
    assert abs(data["balance"]["error_share"]) < 1e-3


def test_where_the_record_ends_is_said_of_a_day_that_it_does_not_reach(run: Run, site: Path) -> None:
    """The last reading is of 4 August, 06:00; a day before it is within the record."""
    words = "the last reading or report is of"
    assert not any(words in one for one in _json(run, "--site", site, "--on", "2025-07-20")["notes"])
    for on in (("--on", "2025-09-01"), ()):
        assert any(one.startswith(f"{words} 2025-08-04") for one in _json(run, "--site", site, *on)["notes"]), on


def test_the_site_needs_its_permitted_rate_for_the_maximum(run: Run, site: Path) -> None:
    code, _, err = run("--site", site, "--scenario", "maximum", "--on", "2025-08-11")
    assert (code, "permitted" in err) == (2, True)
    data = _json(run, "--site", site, "--scenario", "maximum", "--on", "2025-08-11", "--permitted", "PW-1=700 gpm")
    assert data["pumping"]["value"] == pytest.approx(700.0)
    assert data["width"]["best"] > _json(run, "--site", site)["width"]["best"]


def test_nothing_private_is_in_any_public_file(run: Run, site: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "map", tmp_path / "page.html"
    code, text, _ = run("--site", site, "--stops", "2025-08-11", "--out", out, "--page", page)
    assert code == 0
    assert text.startswith("NOT PUBLIC")
    for one in [page, *out.iterdir()]:
        content = one.read_bytes().decode("utf-8", "replace")
        told = content.split("</main>")[0]  # without Plotly itself
        for word in (*PRIVATE, *EXACT):
            assert not re.search(rf"(?<![\d.]){re.escape(word)}(?![\d])", told), (one.name, word)


def test_exact_places_change_no_public_file(run: Run, site: Path, tmp_path: Path) -> None:
    """The files are the same whether or not the household file knows where a well stands."""
    other = tmp_path / "other"
    shutil.copytree(site, other)
    (other / "households.toml").unlink()
    for name, folder in (("one", site), ("two", other)):
        assert run("--site", folder, "--stops", "2025-08-11", "--out", tmp_path / name)[0] == 0
    for one in (tmp_path / "one").iterdir():
        assert one.read_bytes() == (tmp_path / "two" / one.name).read_bytes()


def test_private_wells_are_rings_in_the_map(run: Run, site: Path, tmp_path: Path) -> None:
    assert run("--site", site, "--out", tmp_path / "map")[0] == 0
    _, _, shapes, columns = pyogrio.raw.read(tmp_path / "map" / "cone.gpkg", layer="private_wells")
    rings = shapely.from_wkb(shapes)
    assert list(columns[0]) == ["PVT-1", "PVT-2", "PVT-3"]
    assert rings[0].centroid.distance(shapely.Point(158_300, 163_700)) < 1
    assert rings[0].area == pytest.approx(3.14159 * 934**2, rel=0.01)
    _, _, _, names = pyogrio.raw.read(tmp_path / "map" / "cone.gpkg", layer="wells")
    assert not [id for id in names[0] if str(id).startswith("PVT")]


def test_a_site_without_readings_is_refused(run: Run, tmp_path: Path) -> None:
    demo.fresh_site(tmp_path / "site")
    code, _, err = run("--site", tmp_path / "site")
    assert (code, "no production well of the site has a meter reading" in err) == (2, True)
