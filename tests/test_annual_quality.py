"""Computed sums in the annual appendix: with their bounds and parts, and judged as everywhere else."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pipelines import cli
from pipelines.annual_record import read_year
from pipelines.database import default_url, opened, reading
from pipelines.night import end_of
from pipelines.site_folder import open_site
from reports.annual.appendix import appendix
from reports.annual.table import cell_of
from tests.test_backtest import SITE

HEAD = "sample_id,location,date,sample_type,analyte,result,qualifier,mdl,loq,unit,fraction\n"
RESULTS = """1,M-1,2023-06-01,Routine,nitrate as N,11,,0.02,0.06,mg/L,
1,M-1,2023-06-01,Routine,nitrite as N,0.1,,0.02,0.06,mg/L,
2,M-1,2025-05-01,Routine,nitrate as N,9.7,,0.02,0.06,mg/L,
2,M-1,2025-05-01,Routine,nitrite as N,0.4,,0.02,0.06,mg/L,
3,M-2,2025-05-01,Routine,nitrate as N,9.7,,0.02,0.06,mg/L,
3,M-2,2025-05-01,Routine,nitrite as N,ND,U,0.5,1.6,mg/L,
4,M-2,2025-08-01,Routine,nitrate as N,9.7,,0.02,0.06,mg/L,
5,M-2,2025-08-01,Routine,lead,50,R,0.2,0.65,ug/L,
6,M-2,2025-08-01,Routine,sulfate,12,,0.2,0.65,mg/L,
"""


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, list[dict[str, Any]]]:
    """Rows of every table of 2025 by table and column."""
    folder = tmp_path / "site"
    assert cli.run(["init", str(folder)]) == 0
    (folder / "site.toml").write_text(SITE, "utf-8")
    (tmp_path / "results.csv").write_text(HEAD + RESULTS, "utf-8")
    assert cli.run(["ingest", str(tmp_path / "results.csv"), "--site", str(folder)]) == 0
    site, on = open_site(folder), date(9000, 12, 31)
    with opened(default_url(folder, {})) as engine, reading(engine) as connection:
        record = read_year(connection, site, 2025, on, end_of(on, site.law))
    return {
        one.id: [dict(zip((c.head for c in one.columns), map(cell_of, row), strict=True)) for row in one.rows]
        for one in appendix(record).tables()
    }


def told(row: dict[str, Any], *names: str) -> tuple[str, ...]:
    return tuple(str(row[name].shown or row[name].value) for name in names)


def test_every_sum_stands_with_its_bounds_parts_and_what_is_missing(tables: dict[str, list[dict[str, Any]]]) -> None:
    names = ("Well", "Sampled", "Sum", "Not measured", "NR 140 status")
    assert [told(row, *names)[:3] for row in tables["3.5"]] == [
        ("M-1", "2025-05-01", "10.1"), ("M-2", "2025-05-01", "9.7 to 10.2"), ("M-2", "2025-08-01", "at least 9.7"),
    ]  # fmt: skip
    assert {told(row, "Parts")[0] for row in tables["3.5"][:2]} == {"Nitrate (as N), Nitrite (as N)"}
    assert told(tables["3.5"][2], "Not measured") == ("Nitrite (as N)",)
    assert "ES T1 cannot tell" in told(tables["3.5"][1], "NR 140 status")[0]


def test_an_attained_sum_stands_among_what_is_attained(tables: dict[str, list[dict[str, Any]]]) -> None:
    sums = [
        row for row in tables["3.1"] if "+" in told(row, "Substance")[0] and told(row, "Standard") == ("ES Table 1",)
    ]
    assert [told(row, "Well", "Result", "NR 140 status", "Before mining") for row in sums] == [
        ("M-1", "10.1", "attained", "attained"), ("M-2", "9.7 to 10.2", "cannot tell", "not attained or not sampled"),
    ]  # fmt: skip


def test_what_is_not_judged_says_why(tables: dict[str, list[dict[str, Any]]]) -> None:
    status = {told(row, "Substance")[0]: told(row, "NR 140 status")[0] for row in tables["3.3"]}
    assert status["Lead"] == "not judged: rejected (R)"
