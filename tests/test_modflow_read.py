"""Tables as mf6 writes them."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from models.modflow.build import Choices, pair_of
from models.scenario.noun import day_number
from pipelines.modflow.read import _outer, _routed, _table, read_outcome
from pipelines.modflow.run import run
from tests.mf6_runs import confined, mf6, point, well

CREEK: Any = SimpleNamespace(streams=[SimpleNamespace(id="creek")])


def test_an_exponent_of_three_digits_without_its_letter_is_a_number(tmp_path: Path) -> None:
    (tmp_path / "observed.csv").write_text("time,H\n1.0,-0.198364834816-101\n2.0,0.25E-002\n3.0,12.5\n")
    assert _table(tmp_path / "observed.csv", 3)["H"].tolist() == [-0.198364834816e-101, 0.0025, 12.5]


def test_a_cut_table_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "budget.csv").write_text("time,TOTAL_IN\n1.0,2.0\n")
    with pytest.raises(ValueError, match="1 of 3 rows"):
        _table(tmp_path / "budget.csv", 3)


def test_a_reach_that_all_but_falls_dry_has_a_flow_and_a_cut_table_of_reaches_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "stream_0.csv").write_text("time,R0,R1\n1.0,-12.5,-0.198364834816-101\n2.0,-7.5,0.0\n")
    assert _routed(CREEK, tmp_path, 2)["creek"].tolist() == [[12.5, 0.198364834816e-101], [7.5, 0.0]]
    with pytest.raises(ValueError, match="2 of 3 rows"):
        _routed(CREEK, tmp_path, 3)


def test_the_iterations_of_a_step_that_is_not_told_are_not_taken_for_none(tmp_path: Path) -> None:
    (tmp_path / "outer.csv").write_text("kper,kstp,nouter,dv\n1,1,1,.4-101\n2,1,1,.3\n2,1,2,.1\n")
    assert _outer(tmp_path, [(0, 0), (1, 0)]).tolist() == [1, 2]
    with pytest.raises(ValueError, match="2 of 3 steps"):
        _outer(tmp_path, [(0, 0), (1, 0), (1, 1)])


def test_how_a_run_ended_is_read_from_its_listing(tmp_path: Path) -> None:
    day = day_number(date(2025, 1, 3))
    scenario = confined(well=[well("W", 0.0, 0.0)], point=[point("P", 50.0, 0.0)])
    model = pair_of(scenario, Choices(day, "one")).stressed
    told = run(model, tmp_path, mf6())
    assert (told.terminated, told.converged) == (True, True)
    listing = tmp_path / "mfsim.lst"
    cut = re.sub(r"Normal termination.*", "", listing.read_text())
    listing.write_text(cut + "\n Solution 1 did not converge for stress period 1 and time step 1\n")
    told = read_outcome(model, tmp_path)
    assert (told.terminated, told.converged) == (False, False)
