"""Several mf6 at a time: the same numbers, no more than asked, and an end of all where one fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from models.errors import EnvironmentFailed
from models.modflow.build import Choices, pair_of
from models.modflow.calendar import Stepping
from models.modflow.numerical import NumericalModel
from pipelines.modflow import run as running
from pipelines.modflow import runs as work
from pipelines.modflow.kept import ASKED, same_numbers
from pipelines.modflow.program import program
from pipelines.modflow.run import Running
from pipelines.modflow.runs import Runs, runs_in
from tests.mf6_runs import confined, point, well

Jobs = list[tuple[NumericalModel, str]]


@pytest.fixture(scope="module")
def jobs() -> Jobs:
    """Four rates."""
    found = []
    for number in range(1, 5):
        scenario = confined(well=[well("W", 0.0, 0.0, f"{100 * number} m3/d")], point=[point("P", 50.0, 0.0)])
        found.append(
            (pair_of(scenario, Choices(20_200.0, "one", stepping=Stepping(1.0, 1.3))).stressed, f"run {number}")
        )
    return found


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Running]:
    """Every run that was started."""
    found: list[Running] = []
    real = work.started

    def started(*arguments: Any) -> Running:
        found.append(real(*arguments))
        return found[-1]

    monkeypatch.setattr(work, "started", started)
    return found


def in_folder(folder: Path, at_once: int, does: Callable[[Runs], object], say: Callable[[str], None] = print) -> Runs:
    with runs_in(folder, program(), {"created": "then"}, say, again=False, at_once=at_once) as runs:
        does(runs)
    return runs


def left(folder: Path) -> list[str]:
    return sorted(one.name for one in (folder / ".modflow").iterdir() if one.name != ASKED)


@pytest.mark.parametrize(("asked", "cores", "most"), [(2, 8, 2), (3, 8, 3), (8, 2, 2), (1, 8, 1)])
def test_as_many_as_are_asked_for_and_there_are_cores(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[Running], asked: int, cores: int, most: int
) -> None:
    """At every look; the most of them is reached, for each is held until it has been looked at."""
    monkeypatch.setattr(work.os, "cpu_count", lambda: cores)
    counts, looked = [], set()
    real = Running.ended

    def ended(self: Running) -> bool:
        counts.append(sum(one.folder.exists() for one in begun))
        looked.add(self.folder)
        return real(self) and len(looked) >= min(most, len(jobs))

    monkeypatch.setattr(Running, "ended", ended)
    in_folder(tmp_path, asked, lambda runs: runs.ahead(jobs))
    assert max(counts) == most
    assert len(begun) == len(jobs)


def test_two_at_a_time_give_the_numbers_of_one_at_a_time(jobs: Jobs, tmp_path: Path) -> None:
    found = []
    for at_once in (1, 2):
        folder = tmp_path / str(at_once)
        folder.mkdir()
        runs = in_folder(folder, at_once, lambda runs: found.append(_all(runs, jobs)))
        assert (runs.done, runs.taken) == (len(jobs), 0)
    assert all(same_numbers(one, other) for one, other in zip(*found, strict=True))
    assert left(tmp_path / "1") == left(tmp_path / "2")


def _all(runs: Runs, jobs: Jobs) -> list[Any]:
    runs.ahead(jobs)
    return [runs.of(*one) for one in jobs]


def test_what_is_asked_for_twice_is_run_once(jobs: Jobs, tmp_path: Path) -> None:
    runs = in_folder(tmp_path, 2, lambda runs: runs.ahead([*jobs[:2], *jobs[:2]]))
    assert runs.done == 2
    again = in_folder(tmp_path, 2, lambda runs: runs.ahead(jobs[:3]))
    assert (again.done, again.taken) == (1, 2)


def test_progress_names_all_that_run(jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work.os, "cpu_count", lambda: 2)
    said: list[str] = []
    real = Running.ended
    monkeypatch.setattr(Running, "ended", lambda self: len(said) > 0 and real(self))
    in_folder(tmp_path, 2, lambda runs: runs.ahead(jobs), said.append)
    assert any("run 1: mf6: period " in one and "; run 2: mf6: period " in one for one in said)


def test_where_one_fails_the_others_end_and_only_its_workspace_stays(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[Running]
) -> None:
    """The first one cannot be read; the second, which never ends by itself here, is stopped."""
    monkeypatch.setattr(work.os, "cpu_count", lambda: 2)
    real, first = Running.ended, jobs[0][0].digest
    monkeypatch.setattr(Running, "ended", lambda self: self.model.digest == first and real(self))

    def cut(*_: Any) -> Any:
        raise ValueError("half a table")

    monkeypatch.setattr(running, "read_outcome", cut)
    with pytest.raises(EnvironmentFailed, match="what mf6 wrote is cut: half a table") as caught:
        in_folder(tmp_path, 2, lambda runs: runs.ahead(jobs))
    assert len(begun) == 2
    assert all(one.process.poll() is not None for one in begun)
    assert left(tmp_path) == [begun[0].folder.name]
    assert begun[0].folder.name in str(caught.value)


def test_a_workspace_that_cannot_be_written_ends_the_one_that_runs(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[Running]
) -> None:
    monkeypatch.setattr(work.os, "cpu_count", lambda: 2)
    real = running.write

    def full(model: NumericalModel, *arguments: Any) -> None:
        if model is jobs[1][0]:
            raise OSError(28, "No space left on device")
        real(model, *arguments)

    monkeypatch.setattr(running, "write", full)
    with pytest.raises(EnvironmentFailed, match="No space left on device; kept for inspection in"):
        in_folder(tmp_path, 2, lambda runs: runs.ahead(jobs))
    assert [one.process.poll() is not None for one in begun] == [True]
    assert len(left(tmp_path)) == 1


@pytest.mark.parametrize(("kind", "newton"), [("confined", False), ("unconfined", True)])
def test_newtons_method_is_for_what_bends(tmp_path: Path, kind: str, newton: bool) -> None:
    """Of a confined aquifer it finds no other answer, and takes twice as long."""
    aquifer = {"kind": kind, "transmissivity": "432 m2/d", "storativity": "0.1", "thickness": "100 m"}
    scenario = confined(aquifer=aquifer, well=[well("W", 0.0, 0.0)])
    model = pair_of(scenario, Choices(20_200.0, "one", stepping=Stepping(1.0, 1.3))).stressed
    assert model.newton
    running.write(model, tmp_path, program())
    assert ("NEWTON" in (tmp_path / "headwater.nam").read_text().upper()) is newton
    assert ("BICGSTAB" in (tmp_path / "headwater.ims").read_text().upper()) is newton
