"""A sample without a type that is named like quality control is kept and not judged; a well of that name is a well."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from models.sample_types import kind_of, type_or_doubt, undoubted
from pipelines import cli
from tests.test_quality_command import SQUARE
from tests.test_two_agencies import portal

SITE = f"""{SQUARE}
[[well]]
id = "TB-1"
identifiers = ["ZZ001", "Test bore 1"]
use = "monitoring"
in_application = true
position = [158100.0, 164500.0]

[[well]]
id = "MW-2"
identifiers = ["ZZ902"]
use = "monitoring"
in_application = true
position = [158200.0, 164500.0]
"""
HEAD = "sample_id,location,date,sample_type,analyte,result,lod,loq,unit\n"
Run = Callable[..., Any]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site.toml").write_text(SITE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: object) -> Any:
        capfd.readouterr()
        assert cli.run([str(one) for one in (*arguments, "--json")]) == 0
        return json.loads(capfd.readouterr().out)

    return command


def results(*rows: tuple[str, str, str]) -> str:
    """Arsenic, 12 ug/L (ES 10), of each (sample, station, type)."""
    return HEAD + "".join(f"{one},{station},2024-06-03,{type},arsenic,12,0.3,1,ug/L\n" for one, station, type in rows)


def judged(answer: Any) -> list[str]:
    return sorted(one["sample"] for one in answer["verdicts"] if one["kind"] == "ES")


def doubted(answer: Any) -> dict[str, str]:
    return {one["sample"]: one["reason"] for one in answer["not_judged"]}


def test_a_name_like_a_blank_is_kept_and_not_judged_without_a_word(run: Run, site: Path) -> None:
    file = site / "results.csv"
    file.write_text(results(("TB-01", "MW-2", ""), ("FB-060324", "MW-2", ""), ("S1", "MW-2", "")), encoding="utf-8")
    ingested = run("ingest", file, "--site", site)
    answer = run("quality", "MW-2", "--site", site)
    assert judged(answer) == ["S1"]
    assert set(doubted(answer)) == {"TB-01", "FB-060324"}
    assert all("ask whether it is plain water of this place" in reason for reason in doubted(answer).values())
    assert "named TB-01, which is not known: kept, not judged" in json.dumps(ingested)
    alone = run("quality", file)
    assert (judged(alone), set(doubted(alone))) == (["S1"], {"TB-01", "FB-060324"})


def test_a_stated_type_stands(run: Run, site: Path) -> None:
    file = site / "results.csv"
    file.write_text(results(("TB-01", "MW-2", "Routine")), encoding="utf-8")
    assert judged(run("quality", file)) == ["TB-01"]


@pytest.mark.parametrize(
    ("sample", "station"),
    [("TB-1", "TB-1"), ("TB-1-0624", "TB-1"), ("TB-1", "ZZ001"), ("tb-1", "Test bore 1"), ("TB-1 060324", "ZZ001")],
)
def test_a_well_called_like_a_blank_is_judged(run: Run, site: Path, sample: str, station: str) -> None:
    file = site / "results.csv"
    file.write_text(results((sample, station, "")), encoding="utf-8")
    ingested = run("ingest", file, "--site", site)
    answer = run("quality", "TB-1", "--site", site)
    assert (judged(answer), doubted(answer)) == ([sample], {})
    assert "not judged" not in json.dumps(ingested)


def test_a_blank_of_a_well_called_like_a_blank_is_still_doubted(run: Run, site: Path) -> None:
    file = site / "results.csv"
    rows = ("TB-02", "TB-1", ""), ("FB-TB-1", "TB-1", ""), ("TB-1", "MW-2", "")
    file.write_text(results(*rows), encoding="utf-8")
    run("ingest", file, "--site", site)
    for well, blanks in (("TB-1", {"TB-02", "FB-TB-1"}), ("MW-2", {"TB-1"})):
        answer = run("quality", well, "--site", site)
        assert (judged(answer), set(doubted(answer))) == ([], blanks)


def test_a_place_called_like_a_blank_is_judged_and_said(run: Run, site: Path) -> None:
    """Without a site nobody knows whether there is such a well."""
    file = site / "results.csv"
    file.write_text(results(("TB-1", "TB-1", "")), encoding="utf-8")
    answer = run("quality", file)
    assert judged(answer) == ["TB-1"]
    assert "place named like quality control and no type stated: judged as a well: TB-1" in answer["warnings"]


def test_the_portal_too(run: Run, site: Path) -> None:
    file = site / "portal.csv"
    text = portal(("Arsenic", "12", "ug/L"), activity="TB-01").replace("Sample-Routine", "")
    file.write_text(text, encoding="utf-8")
    run("ingest", file, "--site", site)
    answer = run("quality", "MW-2", "--site", site)
    assert (judged(answer), set(doubted(answer))) == ([], {"TB-01"})


def test_a_doubt_is_of_no_known_kind() -> None:
    """Whatever words stand in the name: it is neither thrown out as a blank nor taken for water or a duplicate."""
    for name in ("TB-01", "MW-1 MS", "Trip Blank", "MW-1 DUP blank"):
        assert kind_of(type_or_doubt("", name, "MW-1")) == "unknown"
    assert type_or_doubt("", "S1", "MW-1") == ""
    assert type_or_doubt("Routine", "TB-01", "MW-1") == "Routine"
    doubt = type_or_doubt("", "TB-1", "ZZ001")
    assert (undoubted(doubt, ["ZZ001"]), undoubted(doubt, ["ZZ001", "TB-1"])) == (False, True)
    assert not undoubted("XY", ["MW-1"])
