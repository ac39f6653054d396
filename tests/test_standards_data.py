"""The tables of NR 140 as data: row by row against the transcribed tables, and what the set says beside its numbers."""

from __future__ import annotations

import csv
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from models.errors import BadLaw
from models.fractions import fraction_of
from models.parameters import parameter
from models.standards import Standard, indicators, law_of, read_standards
from models.units import convert

LAW = Path(__file__).parent / "data" / "law"
NR140 = law_of("nr140")
TABLES = {"1": "nr140_table1_public_health.csv", "2": "nr140_table2_public_welfare.csv"}
INDICATORS = {
    "Alkalinity": "alkalinity_as_caco3", "Biochemical oxygen demand (BOD5)": "biochemical_oxygen_demand",
    "Calcium": "calcium", "Chemical oxygen demand (COD)": "chemical_oxygen_demand", "Magnesium": "magnesium",
    "Ammonia nitrogen (nitrogen series)": "ammonia_as_n", "Organic nitrogen (nitrogen series)": "organic_nitrogen_as_n",
    "Total nitrogen (nitrogen series)": "nitrogen_total_as_n", "Potassium": "potassium", "Sodium": "sodium",
    "Field specific conductance": "specific_conductance", "Total hardness": "hardness_as_caco3",
    "Total organic carbon (TOC)": "organic_carbon_total", "Total organic halogen (TOX)": "organic_halogen_total",
    "Field pH": "ph", "Field temperature": "water_temperature",
}  # fmt: skip
"""Rows of Table 3 and of NR 140.20(2) by the name they are printed under."""


def printed(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((LAW / name).read_text(encoding="utf-8").splitlines()))


def in_table(table: str) -> dict[str, dict[str, Standard]]:
    """Our rows by the name of their substance, then by kind; each kind once."""
    found: dict[str, dict[str, Standard]] = {}
    for one in NR140.rows:
        if one.table == table:
            assert one.kind not in found.setdefault(parameter(one.parameter).name, {})
            found[parameter(one.parameter).name][one.kind] = one
    return found


@pytest.mark.parametrize("table", TABLES)
def test_every_row_of_a_table(table: str) -> None:
    rows, ours = printed(TABLES[table]), in_table(table)
    assert len(rows) == len(ours)
    for row in rows:
        kinds = ours[row["substance"]]
        for kind, column in (("PAL", "pal"), ("ES", "es")):
            one = kinds[kind]
            assert (one.value, one.unit) == (Decimal(row[f"{column}_value"]), row[f"{column}_unit"]), row["substance"]
            assert one.verification == row["confidence"], row["substance"]
            assert one.citation == {"1": "NR 140.10 Table 1", "2": "NR 140.12 Table 2"}[table]


def test_every_indicator() -> None:
    """Coliform has no increment and boron is left out, as the transcription says."""
    rows = {row["parameter"]: row for row in printed("nr140_table3_indicator.csv")}
    ours = {one.parameter: one for one in indicators("nr140")}
    assert set(rows) - set(INDICATORS) == {"Total coliform bacteria", "Boron"}
    assert len(ours) == len(INDICATORS)
    for name, id in INDICATORS.items():
        row, one = rows[name], ours[id]
        assert one.increment == Decimal(row["min_increase"].partition(" ")[0])
        assert one.verification == row["confidence"]
        assert one.two_sided is ("+/-" in row["unit"])
        assert one.sd_multiple == (0 if id == "ph" else 3)
        assert convert(one.increment, one.unit, parameter(id).canonical_unit) == one.increment


def test_what_140_20_says_of_every_indicator() -> None:
    said = NR140.header.indicators
    assert said is not None
    assert (said.minimum_results, said.divide_by_n_from) == (8, 30)


@pytest.mark.parametrize("one", NR140.rows, ids=lambda one: f"{one.parameter}-{one.kind}-{one.table}")
def test_a_limit_measures_what_its_parameter_does(one: Standard) -> None:
    assert one.in_unit(parameter(one.parameter).canonical_unit) >= 0


def test_the_set_says_how_it_compares() -> None:
    head = NR140.header
    assert (head.attained_at, head.detection_rule) == ("ge", "nr140.14")
    assert {(one.attained_at, one.detection_rule) for one in NR140.rows} == {("ge", "nr140.14")}
    assert head.confirmation is not None
    assert (head.confirmation.alpha, head.confirmation.resample_days) == (Decimal("0.05"), 14)


def test_every_sum_stands_in_a_table_and_its_members_can_be_measured() -> None:
    sums = {one.substance: one for one in NR140.header.sum}
    assert set(sums) == {
        "nitrate_nitrite_as_n", "xylene", "trimethylbenzenes", "acetochlor_ethane_sulfonic_acid_oxanilic_acid",
        "metolachlor_esa_oxa", "atrazine_total_chlorinated_residues", "dinitrotoluene_total_residues",
        "1_3_dichloropropene",
    }  # fmt: skip
    for one in sums.values():
        assert NR140.of(one.substance)
        for name in one.members():
            convert(Decimal(1), parameter(name).canonical_unit, parameter(one.substance).canonical_unit)
            assert name in NR140.parameters
    assert len(sums["dinitrotoluene_total_residues"].members()) == 6
    assert len(sums["atrazine_total_chlorinated_residues"].members()) == 4


def test_nitrogen_by_atomic_weights() -> None:
    """N 14.007, O 15.999: 14.007 / 62.004 = 0.22590..., 14.007 / 46.005 = 0.30446...; divisors 4.427 and 3.284."""
    factors = {one.reported: one.factors for one in NR140.header.form}
    assert float(factors["nitrate_as_no3"][0].times(Decimal("4.427"))) == pytest.approx(1, abs=2e-4)
    assert float(factors["nitrite_as_no2"][0].times(Decimal("3.284"))) == pytest.approx(1, abs=2e-4)
    assert factors["nitrate_basis_unstated"][0].times(Decimal(1)) == 1


def test_every_code_that_tells_its_fraction() -> None:
    told: Counter[str | None] = Counter()
    for row in printed("dnr_storet_codes.csv"):
        expected = {"total": "total", "total recoverable": "total", "dissolved": "dissolved"}.get(row["fraction"])
        found = fraction_of("", row["storet_code"])
        assert found == expected, row
        told[found] += 1
    assert told == {"total": 56, "dissolved": 36, None: 10}


def test_a_set_that_names_what_nobody_measures_is_refused() -> None:
    head = """id = "x"
title = "x"
citation = "x"
attained_at = "ge"
detection_rule = "none"
text_current_to = 2024-01-01
"""
    rows = ",".join(
        ("parameter", "kind", "value", "unit", "table", "citation", "effective", "repealed", "verification",
         "detection_only", "note")
    )  # fmt: skip
    assert read_standards(head, rows, name="x").rows == ()
    with pytest.raises(BadLaw, match="unknown parameter: phlogiston"):
        read_standards(
            f'{head}[[sum]]\nsubstance = "lead"\nways = [["phlogiston"]]\nverification = "x"', rows, name="x"
        )
    with pytest.raises(BadLaw, match="attained_at"):
        read_standards(head.replace('"ge"', '"around"'), rows, name="x")
