"""The record of each question beside its runs, and days that no record reaches."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from models.errors import BadQuestion, EnvironmentFailed
from models.modflow.answer import GateFailed
from models.modflow.numerical import NumericalModel
from pipelines.aquifer.cone_source import from_file
from pipelines.modflow import ask, kept, runs
from pipelines.modflow.ask import Question
from pipelines.modflow.kept import ASKED, RECORD, Key, keep_question
from pipelines.modflow.program import program
from pipelines.modflow.runs import runs_in
from tests.mf6_runs import AQUIFER

WELL = '[[well]]\nid = "W"\nposition = [0.0, 0.0]\nrate = "1000 m3/d"\nsince = 2025-06-01\n'
PRIVATE = '[[point]]\nid = "H"\nname = "Example Owner"\nkind = "private"\nposition = [123.25, 71.75]\n'
NOW = datetime(2025, 7, 1, 15, tzinfo=UTC)
QUICK = {"on": date(2025, 6, 10), "periods": "one", "stepping": ask.Stepping(0.05, 1.1)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("asked")
    for name in ("k", "k2"):
        (found / f"{name}.toml").write_text(f'name = "{name}"\n{AQUIFER}{WELL}{PRIVATE}')
    return found


def question(folder: Path, name: str, **changes: Any) -> Question:
    return replace(Question(folder / f"{name}.toml", folder, **QUICK), **changes)  # type: ignore[arg-type]


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(one.read_text()) for one in sorted((folder / ".modflow" / ASKED).glob("*.json"))]


def test_every_question_has_its_record_also_where_nothing_was_run(folder: Path) -> None:
    first = ask.asked(question(folder, "k"), NOW)
    second = ask.asked(question(folder, "k2"), NOW)
    assert (first.done > 0, second.done) == (True, 0)
    found = {one["data"]["file"]: one for one in records(folder)}
    assert set(found) == {"k.toml", "k2.toml"}
    for name, one in found.items():
        assert one["scenario"]["name"] == name.removesuffix(".toml")
        assert (one["passed"], one["asked"]["on"]) == (True, "2025-06-10")
        kept_runs = {path.parent.name for path in (folder / ".modflow").glob(f"*/{RECORD}")}
        assert {each["run"] for each in one["runs"]} == kept_runs
        assert "123.25" not in json.dumps(one)
        assert "Example Owner" not in json.dumps(one)


def test_the_same_question_has_one_record_and_newer_data_make_another(folder: Path) -> None:
    ask.asked(question(folder, "k"), NOW)
    before = len(records(folder))
    ask.asked(question(folder, "k"), NOW.replace(hour=18))
    assert len(records(folder)) == before
    path = folder / "k.toml"
    path.write_text(path.read_text() + "# measured again, nothing else\n")
    ask.asked(question(folder, "k"), NOW)
    assert len(records(folder)) == before + 1


def refused_after(folder: Path, model: NumericalModel) -> None:
    with runs_in(folder, program(), {"created": "then"}, print, again=False) as found:
        found.of(model, "as asked")
        raise GateFailed("no figure leaves", key="gate")


def test_a_question_whose_gate_failed_is_recorded_as_one(tmp_path: Path, folder: Path) -> None:
    model = ask.asked(question(folder, "k"), NOW).answer.pair.baseline
    with pytest.raises(GateFailed):
        refused_after(tmp_path, model)
    (record,) = records(tmp_path)
    assert record["passed"] is False
    assert [one["of"] for one in record["runs"]] == ["as asked"]


def test_a_full_disk_keeps_no_half_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept.Path, "replace", full)
    with (
        pytest.raises(EnvironmentFailed, match="record of the question could not be kept: No space left"),
        runs_in(tmp_path, program(), {}, print, again=False) as found,
    ):
        found.used["0" * 64] = "as asked"
    assert [one.name for one in (tmp_path / ".modflow").iterdir()] == [ASKED]
    assert not list((tmp_path / ".modflow" / ASKED).iterdir())


def test_a_runs_name_rests_on_flopys_version_and_on_the_code_as_it_was_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody writes to the disk while this runs is not what runs."""
    one = Key("m", "p", "c", "3.10.0")
    assert replace(one, flopy="3.11.0").digest != one.digest
    monkeypatch.setattr(Path, "read_bytes", lambda _: b"newer")
    assert kept._code() != kept.CODE

    class Model:
        digest = "m"

    assert kept.key_of(Model(), program()).code == kept.CODE  # type: ignore[arg-type]


def test_a_records_name_is_the_same_for_the_same_question(tmp_path: Path) -> None:
    one = keep_question(tmp_path, {"created": "a", "data": 1}, {"f" * 64: "x"}, passed=True)
    assert keep_question(tmp_path, {"created": "b", "data": 1}, {"f" * 64: "x"}, passed=True) == one
    others = [
        keep_question(tmp_path, {"data": 2}, {"f" * 64: "x"}, passed=True),
        keep_question(tmp_path, {"data": 1}, {"e" * 64: "x"}, passed=True),
        keep_question(tmp_path, {"data": 1}, {"f" * 64: "x"}, passed=False),
    ]
    assert len({one, *others}) == 4


# Days beyond any record -----------------------------------------------------------------------------------------------


def beyond(folder: Path, now: datetime, kind: Any = "metered", latest: float | None = None, on: str = "") -> str:
    given = date.fromisoformat(on) if on else None
    source = replace(from_file(folder / "k.toml", "metered", {}), latest=latest)
    asked = question(folder, "k", on=given, kind=kind)
    end = latest if given is None else (given - date(1970, 1, 1)).days + 1.0
    assert end is not None
    return "; ".join(ask._beyond_the_record(asked, source, end, now))


def test_a_day_after_today_is_a_forecast_and_told_as_one(folder: Path) -> None:
    assert beyond(folder, NOW, on="2025-07-01") == ""
    assert "after today, 2025-07-01: a forecast, for which pumping goes on as the scenario states" in beyond(
        folder, NOW, on="2025-07-02"
    )
    assert "goes on at the permitted rates" in beyond(folder, NOW, "maximum", on="2025-07-02")


def test_where_the_meters_end_is_said_as_the_cone_says_it(folder: Path) -> None:
    """20,270 days after 1970 begins 1 July 2025."""
    words = "the last reading or report is of 2025-07-01: nothing is known of pumping after it"
    assert beyond(folder, NOW, latest=20_270.25) == words
    assert beyond(folder, NOW, latest=20_270.25, on="2025-07-02") == words
    assert beyond(folder, NOW, latest=20_270.25, on="2025-06-30") == ""


@pytest.mark.parametrize("day", ["2125-06-02", "2999-01-01"])
def test_no_forecast_reaches_further_than_a_century(folder: Path, day: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs.Runs, "of", lambda *_: pytest.fail("it runs"))
    with pytest.raises(BadQuestion, match=r"--on: no forecast reaches so far .*up to 2125-06-01, a century after"):
        ask.asked(question(folder, "k", on=date.fromisoformat(day)), NOW)


def test_bad_input_is_refused_before_flopy_is_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "_work", lambda: pytest.fail("loads FloPy"))
    with pytest.raises(BadQuestion, match="before the end of that day"):
        ask.asked(question(folder, "k", on=date(2025, 5, 1)), NOW)
