"""The potentiometric surface of one round: hand-worked planes, Monte Carlo, and the command on a small site."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.aquifer.flow_field import fitted_slope
from models.errors import BadQuestion
from models.potentiometric import Estimate, fitted_plane, seepage_velocity, three_point
from pipelines import cli
from reports.potentiometric_map import ControlWell, SurfaceMap, contour_levels, surface_map
from reports.potentiometric_told import compass

ROOT = Path(__file__).parents[1]


def test_three_wells_by_hand() -> None:
    """A (0, 0) 100 ft, B 1,000 ft east of it a foot lower, C 1,000 ft north two feet lower: i = 0.001 x 5^(1/2)."""
    plane = fitted_plane([(0, 0), (1000, 0), (0, 1000)], [100, 99, 98], 0.01)
    assert plane.gradient == pytest.approx(0.001 * math.sqrt(5), rel=1e-12)
    assert plane.toward == pytest.approx(math.degrees(math.atan2(1, 2)), rel=1e-9)
    assert plane.rmse == pytest.approx(0, abs=1e-9)
    assert plane.level(500, 500).best == pytest.approx(98.5)


def test_the_three_wells_of_the_epa_gradient_calculator() -> None:
    """W1, W2, W7 of its example; solved by Cramer's rule in fractions: a = -5.9 / 6510, b = 11.15 / 6510."""
    plane = fitted_plane([(190, 163), (138, 153), (217, 43)], [90.24, 90.27, 90.01], 0.01)
    a, b = -5.9 / 6510, 11.15 / 6510
    assert plane.coefficients[:2] == pytest.approx([a, b], rel=1e-9)
    assert plane.gradient == pytest.approx(0.0019378, abs=5e-8)
    assert plane.toward == pytest.approx(180 - math.degrees(math.atan2(5.9, 11.15)), rel=1e-9)


def test_four_corners_by_hand() -> None:
    """Heads 10, 8 (east), 9 (north), 8: a = -1.5/1000, b = -0.5/1000, each corner 0.25 off, s = 0.5 with 1 degree of
    freedom, standard error of a and of b 0.5 / (2 x 500) = 5e-4, t(0.975, 1) = 12.7062."""
    plane = fitted_plane([(0, 0), (1000, 0), (0, 1000), (1000, 1000)], [10, 8, 9, 8], 0.02)
    assert plane.coefficients[:2] == pytest.approx([-0.0015, -0.0005])
    assert plane.rmse == pytest.approx(0.25)
    assert plane.level_error == pytest.approx(0.5)
    assert plane.freedom == 1
    assert np.sqrt(np.diag(plane.covariance)) == pytest.approx([5e-4, 5e-4, 0.25])
    assert plane.gradient_error == pytest.approx(5e-4)
    assert plane.spread == pytest.approx(12.7062, abs=5e-5)
    assert plane.toward == pytest.approx(math.degrees(math.atan2(3, 1)))
    assert plane.toward_error == pytest.approx(math.degrees(5e-4 / math.hypot(0.0015, 0.0005)))
    assert not plane.tells_direction
    middle = plane.level(500, 500)
    assert middle.best == pytest.approx(8.75)
    assert middle.high - middle.best == pytest.approx(12.7062 * 0.25, abs=1e-4)


def test_a_stated_error_stands_where_the_scatter_is_smaller() -> None:
    plane = fitted_plane([(0, 0), (1000, 0), (0, 1000), (1000, 1000)], [10, 9, 9, 8], 0.02)
    assert plane.level_error == 0.02
    assert plane.spread == pytest.approx(1.95996, abs=1e-4)
    assert plane.level(500, 500).high - 9 == pytest.approx(1.95996 * 0.01, rel=1e-3)


@pytest.mark.parametrize("wells", [3, 5, 12])
def test_the_errors_are_those_of_a_monte_carlo(wells: int) -> None:
    """Levels of a known plane with normal errors of 0.05 ft, 4,000 times: scatter of gradient, direction, a level."""
    random = np.random.default_rng(20250701)
    places = random.uniform(0, 2000, (wells, 2)) if wells > 3 else np.array([(0, 0), (1800, 200), (500, 1700)])
    heads = 900 + places @ np.array([-0.0012, 0.0007])
    drawn = [fitted_plane(places, heads + random.normal(0, 0.05, wells), 1e-9) for _ in range(4000)]
    plane = fitted_plane(places, heads, 0.05)
    assert plane.gradient_error == pytest.approx(np.std([one.gradient for one in drawn]), rel=0.05)
    turned = [(one.toward - plane.toward + 180) % 360 - 180 for one in drawn]
    assert plane.toward_error == pytest.approx(np.std(turned), rel=0.06)
    level = plane.level(3000, 0)
    assert (level.high - level.best) / 1.95996 == pytest.approx(
        np.std([one.level(3000, 0).best for one in drawn]), rel=0.05
    )


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Six wells, the error estimated from the scatter: 95 % of the intervals of a level, 95 % of rejections right."""
    random = np.random.default_rng(7)
    places = random.uniform(0, 2000, (6, 2))
    flat = [fitted_plane(places, random.normal(900, 0.05, 6), 1e-9) for _ in range(4000)]
    held = [one.level(1000, 1000) for one in flat]
    assert np.mean([one.low <= 900 <= one.high for one in held]) == pytest.approx(0.95, abs=0.012)
    assert np.mean([one.tells_direction for one in flat]) == pytest.approx(0.05, abs=0.012)


@pytest.mark.parametrize(
    ("places", "says"),
    [
        ([(0, 0), (1000, 0)], "a gradient needs three wells"),
        ([(0, 0), (500, 0), (1000, 0)], "the wells stand on one line"),
        ([(0, 0), (500, 10), (1000, 0)], "the wells stand on one line"),
        ([(0, 0), (0, 0), (0, 0)], "the wells stand on one line"),
    ],
)
def test_what_makes_no_plane_is_refused(places: list[tuple[float, float]], says: str) -> None:
    with pytest.raises(BadQuestion, match=says):
        fitted_plane(places, [900.0 + k for k in range(len(places))], 0.02)


FEET = st.integers(-20_000, 20_000)
PLACES = st.lists(st.tuples(FEET, FEET), min_size=3, max_size=8, unique=True)


@given(PLACES, st.integers(-50, 50), st.integers(-50, 50), FEET, FEET, st.integers(0, 359))
def test_a_plane_is_found_wherever_and_however_it_is_turned(
    places: list[tuple[int, int]], a: int, b: int, east: int, north: int, turn: int
) -> None:
    """Levels on a plane give it back; turned by an angle, the direction turns and the gradient stays."""
    at, slope = np.array(places, np.float64), np.array([a, b]) * 1e-4
    try:
        plane = fitted_plane(at, 900 + at @ slope, 0.02)
    except BadQuestion:
        return
    assert plane.gradient == pytest.approx(np.hypot(*slope), abs=1e-7)
    angle = np.radians(turn)
    matrix = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])  # clockwise
    turned = fitted_plane(at @ matrix.T + (east, north), 900 + at @ slope, 0.02)
    assert turned.gradient == pytest.approx(plane.gradient, abs=1e-7)
    assert turned.gradient_error == pytest.approx(plane.gradient_error, rel=1e-3, abs=1e-9) or plane.gradient < 1e-6
    if plane.gradient > 1e-5:
        assert (turned.toward - plane.toward - turn + 180) % 360 - 180 == pytest.approx(0, abs=0.1)
        assert fitted_slope(at, 900 + at @ slope).slope.toward == pytest.approx(plane.toward, abs=1e-6)


def test_each_three_wells_the_best_triangle_first() -> None:
    places = [(0, 0), (1000, 0), (500, 866), (500, 0)]
    found = three_point(places, [10.0, 9.0, 9.5, 9.5], 0.02)
    assert [one for one, _ in found] == [(0, 1, 2), (0, 2, 3), (1, 2, 3)]  # (0, 1, 3) is a line
    assert all(plane.wells == 3 for _, plane in found)


def test_seepage_velocity_by_hand() -> None:
    """50 ft/d x 0.002 / 0.25 = 0.4 ft/d; 30 x 0.001 / 0.3 = 0.1 and 80 x 0.003 / 0.2 = 1.2 at the ends."""
    found = seepage_velocity(Estimate(0.002, 0.001, 0.003), (30, 50, 80), (0.2, 0.25, 0.3))
    assert [found.best, found.low, found.high] == pytest.approx([0.4, 0.1, 1.2])


@pytest.mark.parametrize(
    ("degrees", "point"),
    [(0, "N"), (11.2, "N"), (11.3, "NNE"), (90, "E"), (202.5, "SSW"), (348.7, "NNW"), (348.8, "N")],
)
def test_compass_points(degrees: float, point: str) -> None:
    assert compass(degrees) == point


def test_contours_lie_where_the_plane_has_their_level() -> None:
    places = [(0.0, 0.0), (1000.0, 0.0), (0.0, 1000.0), (1000.0, 1000.0)]
    plane = fitted_plane(places, [10.0, 9.0, 8.0, 7.0], 0.02)
    wells = [ControlWell(f"MW-{k}", at, plane.level(*at).best) for k, at in enumerate(places)]
    figure = surface_map(SurfaceMap(wells, plane, places, []))
    line = next(one for one in figure["data"] if one["name"].startswith("Water level"))
    labels = [float(one["text"]) for one in figure["layout"]["annotations"] if one["text"].replace(".", "").isdigit()]
    ends = [at for at in zip(line["x"], line["y"], strict=True) if at[0] is not None]
    assert (
        [round(plane.level(*at).best, 2) for at in ends[::2]]
        == labels
        == [6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10, 10.5][
            round(2 * (labels[0] - 6.5)) : round(2 * (labels[0] - 6.5)) + len(labels)
        ]
    )
    arrow = next(one for one in figure["data"] if one["name"].startswith("Flow toward"))
    assert math.degrees(math.atan2(arrow["x"][1] - arrow["x"][0], arrow["y"][1] - arrow["y"][0])) == pytest.approx(
        plane.toward, abs=0.1
    )


@pytest.mark.parametrize(
    ("low", "high", "levels"),
    [
        (900.0, 900.0, []),
        (899.6, 903.1, [900.0, 900.5, 901.0, 901.5, 902.0, 902.5, 903.0]),
        (880.0, 950.0, [880.0, 890.0, 900.0, 910.0, 920.0, 930.0, 940.0, 950.0]),
        (900.004, 900.036, [900.005, 900.01, 900.015, 900.02, 900.025, 900.03, 900.035]),
    ],
)
def test_contours_are_round_numbers(low: float, high: float, levels: list[float]) -> None:
    assert contour_levels(low, high) == pytest.approx(levels)


def test_a_level_surface_has_no_arrow_and_no_contour() -> None:
    places = [(0.0, 0.0), (1000.0, 0.0), (0.0, 1000.0)]
    plane = fitted_plane(places, [10.0, 10.0, 10.0], 0.02)
    wells = [ControlWell(f"MW-{k}", at, 10.0) for k, at in enumerate(places)]
    names = [one["name"] for one in surface_map(SurfaceMap(wells, plane, places, []))["data"]]
    assert not [one for one in names if one.startswith(("Flow", "Water level", "Interval"))]


# The command.

HEAD = "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment\n"
SITE = """
id = "square"
name = "A square mile"
ordinance = "howard"
crs = "EPSG:7595"
reference_point = "none"
boundary = [[0.0, 0.0], [5280.0, 0.0], [5280.0, 5280.0], [0.0, 5280.0]]
[permit]
number = "1"
granted = 2025-01-01
ends = 2027-12-31
mining_began = 2025-06-01
holders = [{ party = "operator", since = 2025-01-01 }]
[[party]]
id = "operator"
role = "operator"
name = "Operator"
"""
# Land at 902 less 2 ft, 900.00 ft; MW-2 on NGVD29, 0.50 ft to be added; MW-4 with no measuring point.
WELLS = [
    ("MW-1", (0.0, 0.0), "902.00", ""), ("MW-2", (1000.0, 0.0), "901.50", "NGVD29"),
    ("MW-3", (0.0, 1000.0), "902.00", ""), ("MW-4", (1000.0, 1000.0), "", ""),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    text = SITE
    for id, at, elevation, datum in WELLS:
        text += f'\n[[well]]\nid = "{id}"\nuse = "monitoring"\nposition = [{at[0]}, {at[1]}]\n'
        if datum:
            text += "ngvd29_to_navd88_ft = 0.50\n"
        if elevation:
            named = f', datum = "{datum}"' if datum else ""
            point = f"since = 2024-01-01, elevation_ft = {elevation}, height_above_land_ft = 2.0{named}"
            text += f"measuring_point = [{{ {point} }}]\n"
    (tmp_path / "site.toml").write_text(text, encoding="utf-8")
    lines = [
        "MW-1 2025-07-01 2.00 MP", "MW-2 2025-07-01 3.00 MP", "MW-3 2025-07-01 2.00 LS", "MW-4 2025-07-01 5.00 MP",
        "MW-1 2025-08-01 2.00 MP", "MW-2 2025-08-03 3.00 MP", "MW-3 2025-08-01 4.00 MP",
    ]  # fmt: skip
    cells = [line.split() for line in lines]
    rows = [f"{well},{day},10:00,CDT,{depth},{reference},,A. Person,\n" for well, day, depth, reference in cells]
    (tmp_path / "levels.csv").write_text(HEAD + "".join(rows), encoding="utf-8")
    assert cli.run(["ingest", str(tmp_path / "levels.csv"), "--site", str(tmp_path)]) == 0
    return tmp_path


def told(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = cli.run(["levels", "--site", str(folder), *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def answer(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, _ = told(folder, capsys, "--json", *arguments)
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_the_round_of_a_day_by_hand(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """900 ft at MW-1, 901.5 - 3 + 0.5 = 899 at MW-2, 898 at MW-3: the three wells of the hand-worked plane, 800 up."""
    found = answer(folder, capsys, "--round", "2025-07-01", "--K", "50 ft/d", "--porosity", "0.25")
    assert [(one["well"], one["elevation_ft"]) for one in found["wells"]] == [
        ("MW-1", 900.0), ("MW-2", 899.0), ("MW-3", 898.0),
    ]  # fmt: skip
    assert found["left_out"][0]["well"] == "MW-4"
    plane = found["least_squares"]
    assert plane["gradient"] == pytest.approx(0.001 * math.sqrt(5))
    assert (plane["toward_degrees"], plane["toward"]) == (pytest.approx(26.565, abs=1e-3), "NNE")
    assert found["three_point"][0]["wells"] == ["MW-1", "MW-2", "MW-3"]
    assert found["seepage_velocity"]["ft_per_d"] == pytest.approx(50 * 0.001 * math.sqrt(5) / 0.25)


def test_a_well_read_two_days_later_counts_only_when_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(folder, capsys, "--round", "2025-08-01")
    assert (code, out) == (2, "")
    assert "a gradient needs levels in three monitoring wells" in err
    assert "MW-2: no level" in err
    assert err.count("\n") == 1
    found = answer(folder, capsys, "--round", "2025-08-01", "--within", "2")
    assert [one["day"] for one in found["wells"]] == ["2025-08-01", "2025-08-03", "2025-08-01"]
    before = answer(folder, capsys, "--round", "2025-08-03", "--within", "2")
    assert [one["day"] for one in before["wells"]] == ["2025-08-01", "2025-08-03", "2025-08-01"]


def test_a_well_read_twice_on_the_day_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """MW-1 at 900.00 ft at ten and 860.00 ft at four: two hours from noon, and four."""
    again = folder / "again.csv"
    again.write_text(HEAD + "MW-1,2025-07-01,16:00,CDT,42.00,MP,,A. Person,\n", encoding="utf-8")
    assert cli.run(["ingest", str(again), "--site", str(folder)]) == 0
    found = answer(folder, capsys, "--round", "2025-07-01")
    assert [one["elevation_ft"] for one in found["wells"] if one["well"] == "MW-1"] == [900.0]
    says = [one["reason"] for one in found["left_out"] if one["well"] == "MW-1"]
    assert says == ["MW-1 was also read 860.00 ft that day: 900.00 ft, the nearest to noon, speaks"]
    assert "860.00" in told(folder, capsys, "--round", "2025-07-01")[1]


def test_without_a_round_the_command_lists_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(folder, capsys)["rounds"] == [{"round": "2025-07-01", "wells": 3}]
    assert "2025-07-01" in told(folder, capsys)[1]


def test_known_before_the_levels_came_there_is_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(folder, capsys, "--known-at", "2025-07-02")["rounds"] == []


def test_without_an_aquifer_or_flags_no_velocity_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(folder, capsys, "--round", "2025-07-01")
    assert found["seepage_velocity"] is None
    assert "--K and --porosity" in found["no_velocity"]
    code, out, _ = told(folder, capsys, "--round", "2025-07-01")
    assert code == 0
    assert "No seepage velocity" in out


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--K", "50"], "hydraulic|conductivity"),
        (["--K", "50 ft"], "conductivity"),
        (["--porosity", "0"], "effective porosity"),
        (["--porosity", "0.9"], "effective porosity"),
        (["--level-error", "1"], "depth"),
    ],
)
def test_a_number_that_cannot_be(folder: Path, capsys: pytest.CaptureFixture[str], flags: list[str], says: str) -> None:
    code, _, err = told(folder, capsys, "--round", "2025-07-01", *flags)
    assert code == 2
    assert any(word in err for word in says.split("|"))


def test_the_page_posts_every_control_well_and_tells_the_direction(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = folder / "round.html"
    code, out, _ = told(folder, capsys, "--round", "2025-07-01", "--page", str(page))
    assert code == 0
    assert "round.html" in out
    text = page.read_text(encoding="utf-8")
    for part in ("MW-1", "900.00", "899.00", "898.00", "Flow toward 27", "Interval of the direction"):
        assert part in text


def test_the_sample_site_flows_to_its_creek(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The creek runs north and south, east of the mine; the levels are those of the file, read here by themselves."""
    sample = ROOT / "sample_data"
    (tmp_path / "site.toml").write_bytes((sample / "site.toml").read_bytes())
    file = sample / "baseline" / "hand-levels-2025-06-30.csv"
    assert cli.run(["ingest", str(file), "--site", str(tmp_path)]) == 0
    found = answer(tmp_path, capsys, "--round", "2025-04-29")
    with file.open(encoding="utf-8") as lines:
        read = [row for row in csv.DictReader(lines) if row["date"] == "2025-04-29"]
    assert {one["well"] for one in found["wells"]} == {row["well"] for row in read if row["well"].startswith("MW")}
    plane = found["least_squares"]
    assert 60 < plane["toward_degrees"] < 120
    assert plane["gradient_low"] < plane["gradient"] < plane["gradient_high"]
    assert found["seepage_velocity"]["low"] < found["seepage_velocity"]["ft_per_d"]
