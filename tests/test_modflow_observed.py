"""Levels measured at a site's wells beside a run: elevations, changes, residuals, and what is not compared."""

from __future__ import annotations

import csv
import io
import json
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from models.modflow.answer import Answer, Check
from models.modflow.build import Choices, pair_of
from models.modflow.calendar import Stepping
from models.modflow.measured import Levels, beside, residuals_of
from models.modflow.quantities import quantities
from models.modflow.reaching import holding
from models.scenario.noun import EPOCH, day_number
from pipelines import cli
from pipelines.aquifer.cone_source import ConeSource, from_site
from pipelines.modflow.ask import Asked, Question, _is_what_happened
from pipelines.modflow.observed import observed
from pipelines.modflow.told_files import public_files, public_page
from pipelines.modflow.told_page import observed_data
from reports.modflow.measured_told import NO_CALIBRATION, measured_rows
from reports.shown_units import shown
from sample_data import demo
from tests.mf6_runs import outcome

FOOT = 0.3048
MARKS = {"MW-1": 1015.60, "MW-2": 1007.00, "MW-3": 1011.80, "MW-4": 1008.50, "MW-5": 1005.70}
"""Measuring points above NAVD88 [ft], as `sample_data/site.toml` has them."""
ABOVE_LAND = 2.40
PW_1 = (158_700.0, 165_700.0)
PASSED = Check("made up", 0.0, 1.0, "", True, "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample site with its metered pumping and hand levels to 30 June 2025."""
    folder = tmp_path_factory.mktemp("observed") / "site"
    demo.fresh_site(folder)
    names = [f"baseline/{kind}-2025-06-30.csv" for kind in ("totalizer", "hand-levels")]
    assert cli.run(["ingest", "--site", str(folder), *(str(demo.SAMPLE / name) for name in names)]) in {0, 3}
    return folder


def hand_levels() -> pd.DataFrame:
    """The file itself: water above NAVD88 [ft] at the monitoring wells, by hand from their measuring points."""
    table = pd.read_csv(demo.SAMPLE / "baseline/hand-levels-2025-06-30.csv")
    table = table[table["well"].isin(list(MARKS))]
    held_at = table["well"].map(MARKS) - table["reference"].map({"MP": 0.0, "LS": ABOVE_LAND})
    return table.assign(elevation=held_at - table["depth_to_water_ft"].astype(float))


def run_of(site: Path) -> tuple[ConeSource, Answer]:
    """Coarse: what a level is held against, and not how good it is."""
    source = from_site(site, "metered", {}, None)
    assert source.latest is not None
    choices = Choices(source.latest, "monthly", fine_m=10.0, growth=1.6, stepping=Stepping(0.5, 1.3))
    pair = pair_of(source.scenario, holding(source.scenario, choices))
    baseline, stressed = outcome(pair.baseline), outcome(pair.stressed)
    told = quantities(pair, baseline, stressed)
    return source, Answer(source.scenario, choices, pair, baseline, stressed, told, (PASSED,), (), pair.assumed, "mf6")


@pytest.fixture(scope="module")
def run(site: Path) -> tuple[ConeSource, Answer]:
    return run_of(site)


def other_site(site: Path, tmp_path: Path, old: str, new: str) -> Path:
    """The same record under another site file."""
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    text = (site / "site.toml").read_text(encoding="utf-8")
    assert old in text
    (folder / "site.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


# Elevations -----------------------------------------------------------------------------------------------------------


def test_the_run_s_zero_is_the_plane_of_the_year_before_mining_at_the_first_well(
    site: Path, run: tuple[ConeSource, Answer]
) -> None:
    found = hand_levels()
    medians = found[found["date"].between("2024-01-02", "2024-12-31")].groupby("well")["elevation"].median()
    places = {one.id: one.position for one in run[0].scenario.point}
    matrix = np.array([(*places[well], 1.0) for well in medians.index])
    east, north, up = np.linalg.lstsq(matrix, medians.to_numpy())[0]
    zero = observed(site, run[1]).zero_ft
    assert zero == pytest.approx(east * PW_1[0] + north * PW_1[1] + up, abs=0.01)


def test_levels_are_elevations_above_that_zero_at_their_instants(site: Path, run: tuple[ConeSource, Answer]) -> None:
    told = observed(site, run[1])
    assert told.zero_ft is not None
    assert [one.id for one in told.wells] == list(MARKS)
    begins, ends = (EPOCH + timedelta(days=at) for at in (run[1].pair.begins, run[1].choices.ends))
    for one in told.wells:
        rows = hand_levels().query("well == @one.id")
        moments = [
            datetime.fromisoformat(f"{day}T{time}") for day, time in zip(rows["date"], rows["time"], strict=True)
        ]
        during = [(at, level) for at, level in zip(moments, rows["elevation"], strict=True) if begins <= at <= ends]
        assert len(during) >= 3
        assert one.tied_on is None
        assert one.day.tolist() == pytest.approx([day_number(at) for at, _ in during], abs=1e-6)
        assert one.level / FOOT + told.zero_ft == pytest.approx(np.array([level for _, level in during]), abs=1e-6)


def test_the_run_is_read_at_the_instant_of_the_level(site: Path, run: tuple[ConeSource, Answer]) -> None:
    """A made-up level at the end of a step is held against that step's own head, between two steps between both."""
    stressed = run[1].stressed
    ends = stressed.model.periods[0].starts + stressed.time
    heads = stressed.hydrographs["MW-2"]
    at = np.array([ends[3], (ends[4] + ends[5]) / 2])
    found = beside(Levels("MW-2", at, np.zeros(2), surveyed=True), stressed)
    assert found is not None
    assert found.simulated == pytest.approx([heads[3], (heads[4] + heads[5]) / 2])
    assert found.residuals == pytest.approx(-found.simulated)


def test_what_was_measured_before_pumping_or_after_the_run_is_not_held_against_it(
    run: tuple[ConeSource, Answer],
) -> None:
    stressed = run[1].stressed
    ends = stressed.model.periods[0].starts + stressed.time
    outside = np.array([ends[0] - 0.1, ends[-1] + 0.1])
    assert beside(Levels("MW-2", outside, np.zeros(2), surveyed=True), stressed) is None


def test_levels_that_were_not_known_then_are_not_told(site: Path, run: tuple[ConeSource, Answer]) -> None:
    assert observed(site, run[1], known_at=0).wells == ()


# Changes --------------------------------------------------------------------------------------------------------------


def test_a_well_without_a_survey_tells_its_change_and_says_so(
    site: Path, run: tuple[ConeSource, Answer], tmp_path: Path
) -> None:
    """On NGVD29 with nothing that moves it: its first level is set to the run's head and counts for nothing."""
    mark = "elevation_ft = 1007.00, height_above_land_ft = 2.40"
    told = observed(other_site(site, tmp_path, mark, f'{mark}, datum = "NGVD29"'), run[1])
    (one,) = (well for well in told.wells if well.id == "MW-2")
    rows = hand_levels().query("well == 'MW-2' and '2025-03-20' <= date < '2025-06-01'")
    assert one.level[0] == one.simulated[0]
    assert np.diff(one.level) / FOOT == pytest.approx(np.diff(rows["elevation"]), abs=1e-6)
    assert one.residuals.size == one.day.size - 1
    assert any("MW-2: it has no surveyed elevation on NAVD88: its levels are changes since 2025-03-25" in note
               for note in told.notes)  # fmt: skip
    assert not any("MW-1" in note for note in told.notes)


def test_one_level_alone_is_no_change(run: tuple[ConeSource, Answer]) -> None:
    stressed = run[1].stressed
    at = np.array([run[1].pair.begins + 10])
    assert beside(Levels("MW-2", at, np.zeros(1), surveyed=False), stressed) is None


# Layers ---------------------------------------------------------------------------------------------------------------


def test_a_well_is_compared_in_the_layer_of_its_screen(site: Path, tmp_path: Path) -> None:
    """Middles of the screens, 35 ft below land: 978.2 ft at MW-1, 974.4 and below at the others; sand ends at 975 ft,
    and 2 ft higher at MW-1, for layers follow the water table.
    """
    layers = "\n".join(
        f'[[layer]]\nid = "{id}"\nbottom_elevation_ft = {bottom}\nconductivity_ft_per_d = {k}\n'
        for id, bottom, k in (("sand", 975, 62.5), ("stone", 911.27, 62.5))
    )
    folder = other_site(site, tmp_path, "[[party]]", f"{layers}\n[[party]]")
    told = observed(folder, run_of(folder)[1])
    assert told.zero_ft == pytest.approx(991.27)
    assert any(note.startswith("0 is 991.27 ft above NAVD88, the undisturbed water table over") for note in told.notes)
    held = {one.id: one.observed.layer for one in told.wells if one.observed is not None}
    assert held == {"MW-1": 0, "MW-2": 1, "MW-3": 1, "MW-4": 1, "MW-5": 1}


# What is left over ----------------------------------------------------------------------------------------------------


def test_residuals_by_hand(run: tuple[ConeSource, Answer]) -> None:
    """Measured less simulated 0.3, -0.1, 0.1: bias 0.1, root mean square sqrt(0.11 / 3)."""
    stressed = run[1].stressed
    ends = stressed.model.periods[0].starts + stressed.time
    heads = stressed.hydrographs["MW-1"][[2, 5, 9]]
    found = beside(Levels("MW-1", ends[[2, 5, 9]], heads + np.array([0.3, -0.1, 0.1]), surveyed=True), stressed)
    assert found is not None
    told = residuals_of([found])
    assert told is not None
    assert (told.count, told.bias, told.rmse) == pytest.approx((3, 0.1, (0.11 / 3) ** 0.5))
    assert residuals_of([]) is None
    dry = replace(found, simulated=np.array([np.nan, *found.simulated[1:]]))
    assert dry.residuals == pytest.approx([-0.1, 0.1])


@pytest.fixture(scope="module")
def asked(site: Path, run: tuple[ConeSource, Answer]) -> Asked:
    source, answer = run
    return Asked(Question(site=site), source, answer, site, 0, 0, observed=observed(site, answer))


def test_figures_are_told_in_the_reader_s_units_and_as_no_calibration(asked: Asked) -> None:
    data = observed_data(asked, shown(False))
    assert data is not None
    assert data["calibrated"] is False
    assert data["zero"]["datum"] == "NAVD88"
    (two,) = (one for one in data["wells"] if one["id"] == "MW-2")
    assert asked.observed is not None
    (levels,) = (one for one in asked.observed.wells if one.id == "MW-2")
    assert two["bias"] == pytest.approx(float(np.mean(levels.level - levels.simulated)) / FOOT)
    assert data["all_wells"]["n"] == sum(one["n"] for one in data["wells"])
    rows = measured_rows(data, shown(False))
    assert [row["well"] for row in rows] == [*MARKS, "all wells"]
    page = public_page(asked, shown(False))
    assert NO_CALIBRATION in page
    assert "MW-2 measured (elevation)" in page
    assert page.count("Dots are levels measured in the wells.") == 1


def test_the_csv_has_a_row_for_each_level_and_nothing_of_a_private_well(asked: Asked) -> None:
    files, _ = public_files(asked, shown(False))
    rows = list(csv.DictReader(io.StringIO(files["hydrographs.csv"].decode())))
    read = [row for row in rows if row["measured"]]
    assert {row["place"] for row in read} == set(MARKS)
    assert asked.observed is not None
    assert len(read) == sum(one.day.size for one in asked.observed.wells)
    (may,) = (row for row in read if row["place"] == "MW-2" and row["until"] == "2025-05-27T09:25")
    assert asked.observed.zero_ft is not None
    assert float(may["measured"]) == pytest.approx(1007.00 - 20.45 - asked.observed.zero_ft, abs=1e-3)
    assert (may["measured_as"], may["unit"]) == ("elevation", "ft")
    assert json.loads(files["answer.json"])["observed_levels"]["all_wells"]["n"] == len(read)
    for content in (files["hydrographs.csv"], json.dumps(observed_data(asked, shown(False))).encode()):
        assert b"PVT" not in content


def test_only_what_happened_is_held_against_levels(site: Path) -> None:
    happened = Question(site=site)
    assert _is_what_happened(happened)
    for other in (
        replace(happened, kind="maximum"), replace(happened, stops=datetime.now(UTC).date()),
        replace(happened, scenario=site / "s.toml"),
    ):  # fmt: skip
        assert not _is_what_happened(other)
