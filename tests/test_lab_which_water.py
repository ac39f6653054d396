"""What is judged is one sample's result of the groundwater, in the fraction that judges its well; else it is said why.

Arsenic: PAL 1, ES 10 ug/L; expectations by hand. A dissolved amount is part of the total one: of an unstated fraction
15 ug/L may be all particles where the dissolved part judges, and is no less than the dissolved part anywhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ingest.formats import read
from ingest.wqx import narrow as wqp_narrow
from models.checks.quality_comparison import Comparison
from models.checks.quality_results import Shown
from models.checks.quality_table import plain_terms
from models.checks.quality_verdicts import verdicts
from models.fractions import FILTER_MATTERS, Fraction
from models.parameters import parameters
from models.sample_types import not_groundwater
from models.standards import Standards, law_of
from tests.test_wqp import narrow

HEADER = "sample_id,location,date,analyte,fraction,result,unit,lod,loq,matrix,sample_matrix"


def judged(
    folder: Path, text: str, fraction: Fraction | None, law: Standards | None = None
) -> tuple[Sequence[Comparison], list[Shown]]:
    """By the enforcement standards, at a well judged by a fraction."""
    path = folder / "lab.csv"
    path.write_text(text, "utf-8")
    rows = read(path).observations
    stored = rows.assign(day=date(2025, 7, 15), row_id=[f"a:{row}" for row in rows["row"]])
    found = verdicts(replace(plain_terms(law or law_of("nr140")), fraction=fraction), stored)
    return [one for one in found.shown() if one.standard.kind == "ES"], found.not_judged()


def lab(name: str = "Arsenic", fraction: str = "", amount: str = "15", unit: str = "ug/L", water: str = ",") -> str:
    return f"{HEADER}\ns,W-1,2025-07-15,{name},{fraction},{amount},{unit},0.3,1,{water}\n"


@pytest.mark.parametrize(
    ("well", "stated", "amount", "status"),
    [
        ("dissolved", "", "15", "needs_confirmation"),
        ("dissolved", "N", "15", "needs_confirmation"),
        ("dissolved", "Dissolved", "15", "attained"),
        ("dissolved", "", "9", "not_attained"),
        ("total", "", "15", "attained"),
        (None, "", "15", "attained"),
    ],
)
def test_an_unstated_fraction_confirms_nothing_where_the_dissolved_one_judges(
    tmp_path: Path, well: Fraction | None, stated: str, amount: str, status: str
) -> None:
    text = (
        lab(fraction=stated, amount=amount)
        if stated != "N"
        else lab(amount=amount).replace(",Arsenic,,", ",Arsenic,NA,")
    )
    (found,), aside = judged(tmp_path, text, well)
    assert (found.nr140.status, aside) == (status, [])
    assert ("no fraction is stated" in found.reason) == (status == "needs_confirmation")


@pytest.mark.parametrize(
    ("name", "amount", "unit"),
    [("Benzene", "6", "ug/L"), ("Nitrate as N", "12", "mg/L"), ("Chloride", "300", "mg/L"), ("Fluoride", "5", "mg/L")],
)
def test_where_a_filter_changes_nothing_no_fraction_is_asked_for(
    tmp_path: Path, name: str, amount: str, unit: str
) -> None:
    found, _ = judged(tmp_path, lab(name, amount=amount, unit=unit), "dissolved")
    assert {one.nr140.status for one in found} == {"attained"}


def test_every_metal_of_nr_140_is_one_that_a_filter_changes() -> None:
    named = {
        "aluminum", "antimony", "arsenic", "barium", "beryllium", "boron", "cadmium", "chromium", "cobalt", "copper",
        "iron", "lead", "manganese", "mercury", "molybdenum", "nickel", "selenium", "silver", "thallium", "vanadium",
        "zinc",
    }  # fmt: skip
    assert named <= {one.parameter for one in law_of("nr140").rows}
    assert named <= FILTER_MATTERS
    assert FILTER_MATTERS.issubset(parameters())


@pytest.mark.parametrize(
    "water", ["WS,", "Surface Water,", "Water,Surface Water", "WG,WS", "WW,", "Storm water,", "SW,"]
)
def test_other_water_at_a_well_is_not_judged(tmp_path: Path, water: str) -> None:
    found, (aside,) = judged(tmp_path, lab(water=water), None)
    assert found == []
    assert "no groundwater" in aside.reason


@pytest.mark.parametrize(
    "water", [",", "WG,", "Groundwater,", "Water,", "WP,Aqueous", "Ground Water,GW", "Well water,"]
)
def test_groundwater_is(tmp_path: Path, water: str) -> None:
    (found,), aside = judged(tmp_path, lab(water=water), None)
    assert (found.nr140.status, aside) == ("attained", [])


def test_groundwater_under_the_influence_of_a_lake_is_groundwater() -> None:
    said = "groundwater under direct influence of surface water"
    assert [not_groundwater(one) for one in (said, "Surface water", "", "Swimming")] == [False, True, False, False]


def portal(*rows: dict[str, Any], water: str = "") -> str:
    """A table of the Water Quality Portal with its column of the media's subdivision."""
    lines = narrow(
        *({"value": "15", "unit": "ug/l", "limit": ("Method Detection Level", "0.3", "ug/l")} | one for one in rows)
    )
    head, *body = lines.splitlines()
    return "\n".join([f"{head},{wqp_narrow.COLUMNS.subdivisions[0]}", *(f"{line},{water}" for line in body)]) + "\n"


@pytest.mark.parametrize("statistic", ["Mean", "Maximum", "Median", "Geometric Mean"])
def test_a_statistic_is_no_result_of_one_sample(tmp_path: Path, statistic: str) -> None:
    found, (aside,) = judged(tmp_path, portal({"statistic": statistic}), None)
    assert found == []
    assert aside.reason == f"{statistic} of several results: not one sample's, ask for the results"


def test_a_most_probable_number_is_one_samples(tmp_path: Path) -> None:
    ecoli = {"name": "Escherichia coli", "value": "4", "unit": "MPN/100mL", "statistic": "MPN", "limit": None}
    found, aside = judged(tmp_path, portal(ecoli), None)
    assert [one.nr140.status for one in found] == ["attained"]
    assert aside == []


def test_the_portals_surface_water_is_not_judged_at_a_well(tmp_path: Path) -> None:
    assert judged(tmp_path, portal({}, water="Surface Water"), None)[0] == []
    assert len(judged(tmp_path, portal({}, water="Groundwater"), None)[0]) == 1


def test_no_mean_and_no_lake_stands_for_a_result_of_the_well(tmp_path: Path) -> None:
    """Two deliveries of one amount: the other's row is set aside for what it is, and takes no one's place."""
    given = []
    for source, text in (("a", portal({"statistic": "Mean"})), ("b", portal({}, water="Stream")), ("c", portal({}))):
        path = tmp_path / f"{source}.csv"
        path.write_text(text, "utf-8")
        rows = read(path).observations
        given.append(rows.assign(day=date(2024, 7, 15), row_id=[f"{source}:{row}" for row in rows["row"]]))
    stored = pd.concat(given, ignore_index=True).assign(statistic="instant")
    found = verdicts(plain_terms(law_of("nr140")), stored)
    assert {one.rows for one in found.shown()} == {("c:2",)}
    assert len(found.not_judged()) == 2


def test_a_set_that_is_not_read_as_nr_140_may_be_of_any_water(tmp_path: Path) -> None:
    law = law_of("nr140")
    other = replace(law, header=law.header.model_copy(update={"detection_rule": "none"}))
    assert len(judged(tmp_path, lab(water="WS,"), None, other)[0]) == 1
