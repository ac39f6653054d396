"""The page of ``headwater quality``: what is drawn where, read back from the figure's own data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipelines import cli

RESULTS = """sample_id,location,date,sample_type,analyte,result,qualifier,mdl,loq,unit,fraction
1,M-1,2022-03-01,Routine,arsenic,ND,U,0.3,1.0,ug/L,Dissolved
2,M-1,2022-06-01,Routine,arsenic,0.7,J,0.3,1.0,ug/L,Dissolved
3,M-1,2022-09-01,Routine,arsenic,3.2,,0.3,1.0,ug/L,Dissolved
4,M-1,2022-12-01,Routine,arsenic,6.1,,0.3,1.0,ug/L,Dissolved
5,M-1,2023-12-01,Routine,arsenic,0.0091,,0.0003,0.001,mg/L,Dissolved
6,M-1,2024-03-01,Routine,arsenic,12,,0.3,1.0,ug/L,Dissolved
6D,M-1,2024-03-01,Field duplicate,arsenic,13,,0.3,1.0,ug/L,Dissolved
7,M-2,2024-06-01,Routine,arsenic,<5,,,,ug/L,Dissolved
7,M-2,2024-06-01,Routine,chloride,3,,0.5,1.6,mg/L,
7,M-2,2024-06-01,Routine,lead,12,,0.2,0.65,ug/L,
"""
SET = """id = "stepped"
title = "A made-up set with a step"
citation = "made-up 1"
attained_at = "ge"
detection_rule = "nr140.14"
text_current_to = 2025-01-01
"""
LIMITS = """parameter,kind,value,unit,table,citation,effective,repealed,verification,detection_only,note
arsenic,PAL,1,ug/L,1,x,unknown,,single,,
arsenic,ES,50,ug/L,1,x,unknown,2023-06-01,single,,
arsenic,ES,10,ug/L,1,x,2023-06-01,,memory,,
lead,ES,15,ug/L,1,x,unknown,,single,,
chloride,ES,250,mg/L,1,x,unknown,,single,,
"""

Page = Callable[..., str]


@pytest.fixture
def page(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Page:
    """The page of one file under the stepped set."""

    def command(*more: str, results: str = RESULTS) -> str:
        (tmp_path / "r.csv").write_text(results, "utf-8")
        (tmp_path / "set.toml").write_text(SET, "utf-8")
        (tmp_path / "set.csv").write_text(LIMITS, "utf-8")
        arguments = ["quality", tmp_path / "r.csv", "--standards", tmp_path / "set.toml", "--page", tmp_path / "p.html"]
        assert cli.run([*map(str, arguments), *more]) == 0
        assert "p.html" in capfd.readouterr().out
        return (tmp_path / "p.html").read_text("utf-8")

    return command


def figures(content: str) -> list[Any]:
    found = re.findall(r'<script type="application/json" id="data-\d+">(.*?)</script>', content, re.DOTALL)
    return [json.loads(one) for one in found]


def captions(content: str) -> list[str]:
    return re.findall(r"<figcaption>(.*?)</figcaption>", content)


def traces(figure: Any, mode: str = "markers") -> dict[str, Any]:
    return {one["name"]: one for one in figure["data"] if one["mode"] == mode}


def test_what_is_attained_comes_first(page: Page) -> None:
    assert captions(page()) == ["Arsenic", "Chloride", "Lead"]


def test_every_mark_says_what_it_is(page: Page) -> None:
    marks = traces(figures(page())[0])
    drawn = {name: (one["marker"]["symbol"], dict(zip(one["x"], one["y"], strict=True))) for name, one in marks.items()}
    assert drawn == {
        "M-1": ("circle", {"2022-09-01": 3.2, "2022-12-01": 6.1, "2023-12-01": 9.1, "2024-03-01": 12}),
        "M-1, estimated (J)": ("diamond", {"2022-06-01": 0.7}),
        "M-1, not detected: at its limit": ("circle-open", {"2022-03-01": 0.3}),
        "M-2, not detected: at its limit": ("circle-open", {"2024-06-01": 5}),
        "Shown, not judged": ("x-thin", {"2024-03-01": 13}),
    }, "mg/L in ug/L, the duplicate apart, each non-detect at its limit"


def test_gaps_and_non_detects_are_not_joined(page: Page) -> None:
    """Samples three months apart, then a year without one: 2.5 of the usual intervals are 7.6 months."""
    (line,) = [one for one in figures(page())[0]["data"] if one["mode"] == "lines" and one["name"] == "M-1"]
    assert line["x"] == ["2022-06-01", "2022-09-01", "2022-12-01", None, "2023-12-01", "2024-03-01"]
    assert line["y"] == [0.7, 3.2, 6.1, None, 9.1, 12]


def test_standards_stand_over_the_time_they_are_law(page: Page) -> None:
    figure = figures(page())[0]
    first, last = figure["layout"]["xaxis"]["range"]
    law = {
        name: (one["line"]["dash"], one["x"], one["y"])
        for name, one in traces(figure, "lines").items()
        if name != "M-1"
    }
    assert law == {
        "PAL 1 ug/L (Table 1, single)": ("dash", [first, last], [1, 1]),
        "ES 50 ug/L (Table 1, single)": ("solid", [first, "2023-06-01"], [50, 50]),
        "ES 10 ug/L (Table 1, memory)": ("solid", ["2023-06-01", last], [10, 10]),
    }


def test_under_the_law_of_one_day_there_is_no_step(page: Page) -> None:
    names = set(traces(figures(page("--on", "2024-01-01"))[0], "lines"))
    assert names == {"M-1", "PAL 1 ug/L (Table 1, single)", "ES 10 ug/L (Table 1, memory)"}


def test_the_other_fraction_is_grey_and_the_table_says_why(page: Page) -> None:
    content = page()
    assert "needs_confirmation" not in content.partition("<table>")[2].partition("</table>")[0]
    assert "a detect may hide below the reporting limit 5" in content
    assert "default-src 'none'" in content, "asks nobody anything"


def test_hostile_text_is_text(page: Page) -> None:
    content = page(results=RESULTS.replace("M-2", "<img src=x onerror=alert(1)>"))
    assert "<img src=x" not in content


def test_a_file_without_a_day_has_a_page_without_a_figure(page: Page) -> None:
    lines = [",".join(cells[:2] + cells[3:]) for cells in (line.split(",") for line in RESULTS.splitlines())]
    assert figures(page(results="\n".join(lines))) == []
