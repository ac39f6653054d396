"""What was analysed late, or perhaps late, stands beside its verdict; hours are counted by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.laboratory.words import analysed_at
from pipelines import cli
from sample_data import demo

HEAD = "sample,location,sample date,sample time,analyte,result,units,lod,loq,analysis date\n"
Told = Callable[..., dict[str, Any]]


@pytest.fixture
def told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Told:
    """Nitrate of MW-2 (it keeps 48 hours), sampled and analysed at given times: what is told, stored or not."""

    def command(*times: tuple[str, str, str], stored: bool) -> dict[str, Any]:
        site, path = tmp_path / "site", tmp_path / "edd.csv"
        lines = [
            f"S-{k},MW-2,{day},{clock},Nitrate (as N),1.2,mg/L,0.1,0.3,{analysed}\n"
            for k, (day, clock, analysed) in enumerate(times)
        ]
        path.write_text(HEAD + "".join(lines), encoding="utf-8")
        source = str(path)
        if stored:
            demo.fresh_site(site)
            assert cli.run(["ingest", source, "--site", str(site)]) == 0
            source = "MW-2"
        capfd.readouterr()
        assert cli.run(["quality", source, "--site", str(site), "--json"]) == 0
        return {one["sample"]: one for one in json.loads(capfd.readouterr().out)["late_analyses"]}

    return command


@pytest.mark.parametrize("stored", [False, True])
def test_exceeded_and_unknown_are_told_and_kept_is_not(told: Told, stored: bool) -> None:
    """The laboratory's clock is the place's: 47 h is kept and 49 h late, stored in UTC or not.

    A day leaves every hour of it open: from 24 h 1 min to 48 h 1 min and from 24 h to 72 h may be late, from 48 h 1 min
    on is late whatever the hour. A date that is no date leaves all open; none at all says nothing.
    """
    found = told(
        ("2023-05-14", "10:00", "2023-05-16 09:00"), ("2023-05-14", "10:00", "2023-05-16 11:00"),
        ("2023-05-15", "", "2023-05-17 00:01"), ("2023-05-16", "", "2023-05-18"),
        ("2023-05-17", "", "2023-05-20 00:01"), ("2023-05-18", "", "soon"), ("2023-05-19", "", ""),
        stored=stored,
    )  # fmt: skip
    assert {sample: one["standing"] for sample, one in found.items()} == {
        "S-1": "exceeded", "S-2": "unknown", "S-3": "unknown", "S-4": "exceeded", "S-5": "unknown",
    }  # fmt: skip
    assert found["S-1"]["hours"] == pytest.approx([49, 49])
    assert found["S-2"]["hours"] == pytest.approx([24 + 1 / 60, 48 + 1 / 60], abs=1e-3)
    assert found["S-3"]["hours"] == pytest.approx([24, 72], abs=1e-3)
    assert found["S-2"]["says"].startswith("perhaps too late: ")
    assert (found["S-5"]["hours"], "nobody can tell" in found["S-5"]["says"]) == (None, True)


@pytest.mark.parametrize(
    ("text", "clock", "instant"),
    [
        ("2024-05-16T14:10Z", "", "2024-05-16T14:10:00Z"),
        ("2024-05-16 14:10-05:00", "", "2024-05-16T19:10:00Z"),
        ("2024-05-16", "20:10 CDT", "2024-05-17T01:10:00Z"),
        ("2024-05-16 14:10", "", "2024-05-16T14:10:00"),
        ("2024-05-16", "", "2024-05-16"),
        ("soon", "", "soon"),
    ],
)
def test_a_time_of_analysis_keeps_its_zone(text: str, clock: str, instant: str) -> None:
    assert analysed_at(text, clock, "ymd") == instant
