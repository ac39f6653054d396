"""The page and files of a numerical answer: contours and flow against closed forms, what is told, nothing private."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import subprocess
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import pytest
import shapely
from pyproj import Transformer

from models.cone.public import Ring
from models.modflow.answer import Answer, Check, GateFailed, Sensitivity
from models.modflow.axis import Fine, edges
from models.modflow.build import Choices, pair_of
from models.modflow.calendar import Stepping
from models.modflow.contoured import DrawdownPlan, drawdown_plan
from models.modflow.numerical import Grid, Layer, NumericalModel
from models.modflow.public import ring_reaches, without_private
from models.modflow.quantities import quantities
from models.modflow.vectors import SideFlow, crossed, side_flow
from models.scenario.noun import Scenario, day_number
from pipelines.aquifer.cone_source import ConeSource
from pipelines.modflow.ask import Asked, Question
from pipelines.modflow.told_files import public_files
from reports.shown_units import shown
from tests.mf6_runs import mf6, outcome

K, THICK, RATE = 10.0, 20.0, 800.0
DOCS = Path(__file__).parents[1] / "docs"


def telescoped() -> Grid:
    """A well's 2 m cell at (0, 0), 4 km to each side."""
    axis = edges([Fine.around(0.0, 2.0)], -4_000.0, 4_000.0, 1.2, 500.0)
    n = axis.size - 1
    return Grid(axis, axis, np.zeros((n, n)), np.full((1, n, n), -THICK))


def model_of(grid: Grid, *, convertible: bool = False) -> NumericalModel:
    layer = Layer("sand", K, K / 10, 1e-5, 0.2, convertible)
    active = np.ones(grid.shape, np.int64)
    return NumericalModel(grid, (layer,), active, np.zeros(grid.shape), ())


def distance(grid: Grid) -> np.ndarray:
    return np.hypot(grid.x[None, :], grid.y[:, None])


def cone(grid: Grid) -> np.ndarray:
    """A steady cone, Q / (2 pi T) ln(R / r); none in the well's own cell."""
    field = (RATE / (2 * np.pi * K * THICK) * np.log(6_000.0 / np.maximum(distance(grid), 1e-3)))[None]
    field[0][distance(grid) < 1] = np.nan
    return field


def middle(grid: Grid) -> tuple[int, int]:
    row, column = np.argwhere(distance(grid) < 1)[0].tolist()
    return row, column


# Contours -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [10.0, 60.0, 400.0, 2_000.0])
def test_a_contour_is_the_circle_the_closed_form_says(radius: float) -> None:
    grid = telescoped()
    level = RATE / (2 * np.pi * K * THICK) * np.log(6_000.0 / radius)
    (found,) = drawdown_plan(grid, cone(grid), [middle(grid)]).contours([level])
    assert found.closed
    assert found.area.area == pytest.approx(np.pi * radius**2, rel=0.01)
    assert len(found.area.geoms) == 1
    assert not found.area.geoms[0].interiors, "the well's own cell leaves no hole"
    away = shapely.distance(shapely.points(shapely.get_coordinates(found.lines)), shapely.Point(0, 0))
    assert np.abs(away / radius - 1).max() < 0.02


def test_a_well_s_own_cell_has_no_more_than_the_cell_beside_it() -> None:
    grid = telescoped()
    field = cone(grid)
    plan = drawdown_plan(grid, field, [middle(grid)])
    assert plan.at([(0.0, 0.0)])[0] == pytest.approx(np.nanmax(field), rel=1e-9)


def test_the_plan_is_of_the_uppermost_layer_that_has_water() -> None:
    grid = telescoped()
    both = np.concatenate([cone(grid), cone(grid) / 2])
    both[0][distance(grid) < 100] = np.nan
    plan = drawdown_plan(grid, both, [])
    upper, lower = (RATE / (2 * np.pi * K * THICK) * np.log(6_000.0 / r) for r in (800.0, 30.0))
    np.testing.assert_allclose(plan.at([(800.0, 0.0), (30.0, 0.0)]), [upper, lower / 2], rtol=0.01)


def test_beyond_an_edge_there_is_no_drawdown_and_no_contour() -> None:
    grid = telescoped()
    field = cone(grid)
    field[:, :, grid.x > 200] = np.nan
    plan = drawdown_plan(grid, field, [middle(grid)])
    end = grid.x_edges[np.searchsorted(grid.x, 200)]
    (found,) = plan.contours([RATE / (2 * np.pi * K * THICK) * np.log(6_000.0 / 1_000.0)])
    assert found.area.bounds[2] == pytest.approx(end)
    assert not found.closed
    circle = shapely.Point(0, 0).buffer(1_000.0, quad_segs=90)
    assert found.area.area == pytest.approx((circle & shapely.box(-9e3, -9e3, end, 9e3)).area, rel=0.02)
    assert np.isnan(plan.at([(end + 5.0, 0.0), (9_999.0, 0.0)])).all()


# Flow -----------------------------------------------------------------------------------------------------------------


def test_on_a_plane_darcy_s_flow_is_exact_everywhere() -> None:
    grid = telescoped()
    heads = (0.003 * grid.x[None, :] - 0.004 * grid.y[:, None])[None]
    sides = side_flow(model_of(grid), heads)
    flow = sides.at([(5.0, 7.0), (-900.0, 350.0), (20.0, -1_500.0)])
    np.testing.assert_allclose(flow.qx, -0.003 * K * THICK)
    np.testing.assert_allclose(flow.qy, 0.004 * K * THICK)
    np.testing.assert_allclose(flow.toward, np.degrees(np.arctan2(-3, 4)) % 360)
    square = [(-100.0, -100.0), (100.0, -100.0), (100.0, 100.0), (-100.0, 100.0)]
    through = crossed(sides, square[::-1])
    assert through.inflow == pytest.approx(through.outflow)
    assert through.inflow == pytest.approx(0.007 * K * THICK * 200)


def test_under_a_falling_water_table_it_is_dupuit() -> None:
    grid = telescoped()
    h2 = 15.0**2 + (grid.x - grid.x[0]) / (grid.x[-1] - grid.x[0]) * (18.0**2 - 15.0**2)
    heads = np.broadcast_to(np.sqrt(h2) - THICK, grid.shape).copy()
    flow = side_flow(model_of(grid, convertible=True), heads).at([(0.5, 0.5), (777.0, -30.0)])
    np.testing.assert_allclose(flow.qx, -K * (18.0**2 - 15.0**2) / 2 / (grid.x[-1] - grid.x[0]))
    np.testing.assert_allclose(flow.qy, 0, atol=1e-12)


def test_what_flows_through_a_ring_around_the_well_is_what_it_pumps() -> None:
    grid = telescoped()
    sides = side_flow(model_of(grid), -cone(grid))
    ring = [(300.0 * np.cos(a), 300.0 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 60, endpoint=False)]
    through = crossed(sides, ring)
    assert through.inflow == pytest.approx(RATE, rel=0.01)
    assert through.outflow == 0


def test_dry_cells_and_places_outside_have_no_flow() -> None:
    grid = telescoped()
    heads = np.zeros(grid.shape)
    heads[:, :, grid.x > 200] = np.nan
    sides: SideFlow = side_flow(model_of(grid), heads)
    assert sides.at([(0.0, 3.0), (900.0, 0.0), (9e5, 0.0), (0.0, -9e5)]).x.tolist() == [0.0]


# Rings ----------------------------------------------------------------------------------------------------------------


def plan_of_cone() -> DrawdownPlan:
    grid = telescoped()
    return drawdown_plan(grid, cone(grid), [middle(grid)])


def test_a_ring_has_the_least_and_most_within_it() -> None:
    ring = Ring("H-1", "NE of NE", (500.0, 0.0), 200.0)
    near, at, far = (RATE / (2 * np.pi * K * THICK) * np.log(6_000.0 / r) for r in (300.0, 500.0, 700.0))
    ((found),) = ring_reaches(plan_of_cone(), [ring], at)
    told = found.drawdown_m
    np.testing.assert_allclose([told.low, told.best, told.high], [far, at, near], rtol=0.01)
    assert found.reached == "perhaps"
    assert ring_reaches(plan_of_cone(), [ring], far * 0.98)[0].reached == "yes"
    assert ring_reaches(plan_of_cone(), [ring], near * 1.02)[0].reached == "no"


# The page and the files -----------------------------------------------------------------------------------------------

SITE = {
    "name": "Summer", "crs": "EPSG:7595", "unit": "ftUS",
    "boundary": [(157500, 163700), (160200, 163700), (160200, 167100), (157500, 167100)],
    "property_line": [(157300, 163500), (160400, 163500), (160400, 167300), (157300, 167300)],
    "aquifer": {"kind": "confined", "transmissivity": "5000 ft2/d", "storativity": "0.15", "thickness": "80 ft"},
    "well": [{"id": "PW-1", "position": (159000, 165700), "rate": "350 gpm", "since": date(2025, 6, 1)}],
    "stream": [{"id": "creek", "name": "Creek </script>", "conductance": "10 ft/d",
                "line": [(150000, 168200), (170000, 168200)]}],
    "point": [
        {"id": "H-SECRET", "name": "Example Owner", "kind": "private", "position": (159913.25, 165421.75)},
        {"id": "MW-9", "kind": "monitoring", "position": (159000, 165400)},
        {"id": "FAR", "kind": "monitoring", "position": (166000, 160000)},
        {"id": "IN", "kind": "point", "position": (159000, 165701)},
    ],
    "pit": {"polygon": [(158000, 164800), (158600, 164800), (158600, 165300), (158000, 165300)],
            "lowered": "3 ft", "since": date(2025, 6, 15)},
    "gradient": {"slope": "0.002", "toward_degrees": 45.0},
}  # fmt: skip
RING = Ring("H-07", "NE 1/4 of SW 1/4", (159900 * 0.3048006, 165300 * 0.3048006), 140.0)


@dataclass(frozen=True)
class Told:
    asked: Asked
    files: dict[str, bytes]

    @property
    def answer(self) -> Answer:
        return self.asked.answer

    @property
    def page(self) -> str:
        return self.files["modflow.html"].decode()

    @property
    def features(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.files["modflow.geojson"])["features"]
        return found

    def layer(self, name: str) -> list[dict[str, Any]]:
        return [one for one in self.features if one["properties"]["layer"] == name]


@pytest.fixture(scope="module")
def told() -> Told:
    asked = _asked(Scenario.model_validate(SITE))
    files, left_out = public_files(asked, shown(metric=False))
    assert left_out == []
    return Told(asked, files)


def _asked(scenario: Scenario) -> Asked:
    """Two runs on a coarse grid; the gate's own runs are not done here, its checks are made up."""
    ends = day_number(date(2025, 8, 31)) + 1
    choices = Choices(ends, fine_m=10.0, growth=1.5, stepping=Stepping(0.5, 1.5))
    pair = pair_of(scenario, choices)
    runs = outcome(pair.baseline), outcome(pair.stressed)
    checks = (
        Check("mass balance", 0.0123, 0.1, "%", passed=True, says="0.0123 % at most"),
        Check("steps halved", 0.5, 2.0, "%", passed=True, says="drawdown at H-SECRET changes by 0.5 %"),
    )
    sensitivity = (Sensitivity("pit", 0.1, 12.0), Sensitivity("pit", 10.0, 3_400.0))
    answer = Answer(
        scenario, choices, pair, *runs, quantities(pair, *runs), checks, sensitivity, pair.assumed, mf6().says
    )
    source = ConeSource(scenario, (RING,), None, ("Meters read to the end of August",))
    return Asked(Question(), source, answer, Path(), 2, 0)


def chart(page: str, number: int) -> dict[str, Any]:
    found = re.findall(r'<script type="application/json" id="data-\d+">(.*?)</script>', page, re.DOTALL)
    figure: dict[str, Any] = json.loads(found[number])
    return figure


def trace(figure: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in figure["data"] if one["name"] == name)


def test_the_page_has_every_part_in_order(told: Told) -> None:
    heads = re.findall(r"<h2>(.*?)</h2>", told.page)
    assert heads == [
        "Plan", "Private wells", "Heads in time", "Depletion of streams", "Inflow to the pit", "Water budget",
        "Flow directions and rates", "Checks", "What this rests on",
    ]  # fmt: skip
    names = {one["name"] for one in chart(told.page, 0)["data"]}
    assert names >= {
        "Drawdown contour", "Stream", "Site boundary", "1/2 mile from the site", "Pit", "Property line",
        "Pumping well", "Monitoring well or point", "Ring in which a private well stands",
    }  # fmt: skip
    assert any(one.startswith("Groundwater flow (longest arrow") for one in names)


def test_the_page_asks_nothing_of_the_network_and_ends_no_element_early(told: Told) -> None:
    own = re.sub(r"<script>.*?</script>", "", told.page, flags=re.DOTALL)
    assert re.search(r"""Content-Security-Policy" content="default-src 'none'; script-src 'sha256-""", own)
    assert not re.search(r"""(src|href)=|https?://|url\(""", own)
    assert "Creek </script>" not in told.page
    assert "Creek &lt;/script&gt;" in own
    assert "@media print" in own


@pytest.mark.parametrize("name", ["modflow.html", "answer.json", "series.csv", "hydrographs.csv", "modflow.geojson"])
def test_nothing_private_is_in_a_file_but_the_ring(told: Told, name: str) -> None:
    text = told.files[name].decode()
    assert not re.search(r"SECRET|Example Owner|159913\.[23]|165421\.[78]|-?\d+\.\d*913\.25", text)
    assert ("H-07" in text) == (name in {"modflow.html", "modflow.geojson"})


def test_a_private_well_that_stands_elsewhere_changes_no_byte_of_any_file(told: Told) -> None:
    """Neither figures nor the grid, its steps, arrows or contours tell where it stands."""
    at = {"H-SECRET": (159861.5, 165260.25)}
    points = [{**one, "position": at.get(str(one["id"]), one["position"])} for one in SITE["point"]]
    files, _ = public_files(_asked(Scenario.model_validate(SITE | {"point": points})), shown(metric=False))
    assert {name for name, content in files.items() if content != told.files[name]} == set()


def test_the_gate_stands_on_the_page_with_its_numbers(told: Told) -> None:
    page = html.unescape(told.page)
    assert re.search(r"<th scope=\"row\">mass balance</th><td>0.012</td><td>0.1 %</td><td>passed</td>", page)
    assert "drawdown at a private well changes by 0.5 %" in page
    assert re.search(r"<td>2.2 gpm</td><td>620 gpm</td>", page), "the drain's sensitivity"  # 12 and 3,400 m3/d
    assert mf6().sha256 not in page
    assert "Meters read to the end of August" in page


def test_a_stream_gives_a_share_of_what_wells_and_the_pit_take_together(told: Told) -> None:
    """The pit's inflow is water taken as the well's is: of the well alone the share could be above 1."""
    without, with_ = ({id: float(flow[-1]) for id, flow in run.budget.items()} for run in (
        told.answer.baseline, told.answer.stressed))  # fmt: skip
    share = (with_["creek"] - without["creek"]) / -(with_["PW-1"] + with_["pit"])
    (creek,) = json.loads(told.files["answer.json"])["streams"]
    assert creek["share_of_water_taken"] == pytest.approx(share, rel=1e-6)
    assert -with_["pit"] > 0.1 * -with_["PW-1"]
    assert f"<td>{100 * share:.2g} %</td>" in told.page


def test_figures_in_time_end_in_the_numbers_of_the_answer(told: Told) -> None:
    found, gpm, cfs = told.answer.quantities, 1 / 5.450993, 1 / 2446.576
    last = trace(chart(told.page, 2), "Creek &lt;/script&gt;")
    assert last["y"][-1] == pytest.approx(found.depletion["creek"][-1] * cfs, rel=1e-4)
    assert trace(chart(told.page, 2), "All pumping")["y"][-1] == pytest.approx(350 / 448.8312, rel=1e-4)
    assert trace(chart(told.page, 3), "pit")["y"][-1] == pytest.approx(found.inflow["pit"][-1] * gpm, rel=1e-4)
    heads = chart(told.page, 1)
    ours = trace(heads, "MW-9 without pumping")["y"][-1] - trace(heads, "MW-9")["y"][-1]
    assert ours == pytest.approx(found.drawdown["MW-9"][-1] / 0.3048, rel=2e-3)
    assert {one["name"].split()[0] for one in heads["data"]} == {"MW-9"}, (
        "none in a pumped well's own cell, none that feels nothing"
    )


def test_the_budget_on_the_page_adds_up_to_nothing_at_each_step(told: Told) -> None:
    lines = chart(told.page, 4)["data"]
    assert {one["name"] for one in lines} >= {"all wells", "pit", "creek"}
    total = np.sum([one["y"] for one in lines], axis=0)
    assert np.abs(total).max() < 2e-3 * max(np.abs(one["y"]).max() for one in lines)


def test_layers_have_the_columns_of_the_cone(told: Told) -> None:
    columns = {one["properties"]["layer"]: set(one["properties"]) - {"layer"} for one in told.features}
    assert columns == {
        "contours": {"drawdown_ft", "closed"}, "cone": {"drawdown_at_least_ft", "area_acres"},
        "wells": {"id", "kind", "drawdown_best_ft"}, "streams": {"id", "name", "depletion_cfs"},
        "private_wells": {"id", "place", "cone", "drawdown_low_ft", "drawdown_high_ft"},
        "boundary": {"id"}, "half_mile": {"id"}, "flow": {"toward_degrees", "rate_ft2_per_d"},
        "pit": {"id", "inflow_gpm"}, "property_line": {"id"},
    }  # fmt: skip


def test_numbers_of_the_layers_are_those_of_the_answer(told: Told) -> None:
    wells = {one["properties"]["id"]: one for one in told.layer("wells")}
    assert set(wells) == {"PW-1", "MW-9", "FAR", "IN"}
    drawdown = told.answer.quantities.drawdown["MW-9"][-1] / 0.3048
    assert wells["MW-9"]["properties"]["drawdown_best_ft"] == pytest.approx(drawdown, abs=6e-4)
    assert wells["IN"]["properties"]["drawdown_best_ft"] is None, "in the well's own cell"
    degrees = Transformer.from_crs("EPSG:7595", "EPSG:4326", always_xy=True).transform(159000, 165400)
    assert wells["MW-9"]["geometry"]["coordinates"] == pytest.approx(degrees, abs=1e-6)


def test_the_deepest_contour_holds_the_well_and_the_place_s_drawdown_lies_between_contours(told: Told) -> None:
    areas = {one["properties"]["drawdown_at_least_ft"]: shapely.geometry.shape(one["geometry"])
             for one in told.layer("cone")}  # fmt: skip
    at = {one["properties"]["id"]: shapely.geometry.shape(one["geometry"]) for one in told.layer("wells")}
    drawdown = told.answer.quantities.drawdown["MW-9"][-1] / 0.3048
    assert min(areas) == 1.0
    assert all(area.contains(at["MW-9"]) == (level <= drawdown) for level, area in areas.items())
    assert all(area.contains(at["PW-1"]) for area in areas.values())


def test_the_geopackage_has_each_layer_twice(told: Told, tmp_path: Path) -> None:
    path = tmp_path / "told.gpkg"
    path.write_bytes(told.files["modflow.gpkg"])
    names = {str(name) for name in pyogrio.list_layers(path)[:, 0]}
    layers = {one["properties"]["layer"] for one in told.features}
    assert names == layers | {f"{one}_wgs84" for one in layers}
    assert pyogrio.read_info(path, "contours")["crs"] == "EPSG:7595"
    assert b"SECRET" not in told.files["modflow.gpkg"]


def test_the_hydrographs_differ_by_the_drawdown_of_the_series(told: Told) -> None:
    heads = list(csv.DictReader(io.StringIO(told.files["hydrographs.csv"].decode())))
    series = list(csv.DictReader(io.StringIO(told.files["series.csv"].decode())))
    drawdown = {one["until"]: float(one["value"]) for one in series if one["of"] == "MW-9"}
    assert {one["place"] for one in heads} == {"MW-9", "FAR"}
    heads = [one for one in heads if one["place"] == "MW-9"]
    assert [one["until"] for one in heads] == list(drawdown)
    for one in heads:
        fallen = float(one["head_without_pumping"]) - float(one["head_with_pumping"])
        assert fallen == pytest.approx(drawdown[one["until"]], abs=2e-4)
        assert one["unit"] == "ft"


def test_the_same_answer_gives_the_same_bytes(told: Told) -> None:
    assert public_files(told.asked, shown(metric=False))[0] == told.files


def test_a_local_grid_has_a_page_and_no_map_files(told: Told) -> None:
    scenario = told.answer.scenario.model_copy(update={"crs": None})
    local = replace(told.asked, answer=replace(told.answer, scenario=scenario))
    files, left_out = public_files(local, shown(metric=False))
    assert set(told.files) - set(files) == {"modflow.geojson", "modflow.gpkg"}
    assert left_out == [
        "no GeoJSON, no GeoPackage: a local grid has no place on the map (crs = 'EPSG:7595' gives it one)"
    ]


def test_where_nothing_falls_by_a_foot_the_next_smaller_level_is_told(told: Told) -> None:
    small = replace(told.answer.quantities, field=told.answer.quantities.field * 0.05)
    files, _ = public_files(replace(told.asked, answer=replace(told.answer, quantities=small)), shown(metric=False))
    contours = [one["properties"] for one in json.loads(files["modflow.geojson"])["features"]]
    levels = [one["drawdown_ft"] for one in contours if one["layer"] == "contours"]
    assert levels == [max(one for one in (0.1, 0.2, 0.5) if one <= np.nanmax(small.field[-1]) / 0.3048)]


def test_no_page_of_an_answer_whose_check_failed(told: Told) -> None:
    with pytest.raises(GateFailed, match="mass balance"):
        replace(told.answer, checks=(replace(told.answer.checks[0], passed=False),))


def test_what_is_not_private_keeps_its_name(told: Told) -> None:
    check = Check("steps halved", 0.5, 2.0, "%", passed=True, says="drawdown at W-10, W-1-B and W-1 changes")
    points = [{"id": "W-1", "kind": "private", "position": (0, 0)}, {"id": "W-10", "position": (9, 9)}]
    scenario = Scenario.model_validate(SITE | {"point": points})
    public = without_private(replace(told.answer, scenario=scenario, checks=(check,)))
    assert public.checks[0].says == "drawdown at W-10, W-1-B and a private well changes"
    assert [one.id for one in public.scenario.point] == ["W-10"]


# Licences -------------------------------------------------------------------------------------------------------------


def test_the_notices_are_those_of_the_program_that_the_lock_brings() -> None:
    said = subprocess.run([mf6().path, "--license"], capture_output=True, text=True, check=True).stdout
    told = (DOCS / "licences-modflow.md").read_text(encoding="utf-8")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    assert len(lines) > 20
    assert [one for one in lines if one not in told] == []


def test_next_to_nothing_below_zero_is_printed_as_nothing() -> None:
    assert shown(True).drawdown.says(-1e-10) == "0.00 m"
    assert shown(False).drawdown.says(-0.001) == "0.0 ft"
    assert shown(False).drawdown.says(-1.0) == "-3.3 ft"
