"""Charge balance against printed factors, printed analyses worked by hand, and what non-detects leave open."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.charge_balance import Balance, balance, ions, weight_of
from models.nr140.result import Result
from models.parameters import parameters
from models.policy import default_policy

POLICY = default_policy()
PRINTED = {
    "calcium": "0.04990", "magnesium": "0.08229", "sodium": "0.04350", "potassium": "0.02558", "chloride": "0.02821",
    "sulfate": "0.02082", "nitrate_as_no3": "0.01613", "fluoride": "0.05264", "alkalinity_as_caco3": "0.01998",
    "ammonia_as_nh4": "0.05544", "nitrate_as_n": "0.07139",
}  # fmt: skip
"""Milliequivalents in a milligram as printed (Hem 1985, USGS WSP 2254; CaCO3 and N by 1/50.04 and 1/14.007)."""
WELL_1 = {
    "calcium": "36.7", "magnesium": "22.7", "sodium": "2.29", "potassium": "0.514", "alkalinity_as_caco3": "178",
    "chloride": "1.50", "sulfate": "<4.70", "nitrate_nitrite_as_n": "0.909",
}  # fmt: skip
"""A monitoring well in the sand of central Wisconsin, 17 October 2018, as the DNR's export prints it."""
WELL_16 = WELL_1 | {
    "calcium": "68.8", "magnesium": "33.6", "sodium": "22.2", "potassium": "2.80", "alkalinity_as_caco3": "261",
    "chloride": "22.1", "sulfate": "12.6", "nitrate_nitrite_as_n": "11.7",
}  # fmt: skip


def result(text: str, unit: str = "mg/L", **said: Any) -> Result:
    if text.startswith("<"):
        return Result(None, unit, lod=Decimal(text[1:]), **said)
    return Result(Decimal(text), unit, **said)


def of(water: dict[str, str], **more: Result) -> Balance:
    found = balance({name: result(text) for name, text in water.items()} | more, POLICY)
    assert found is not None
    return found


def near(ends: tuple[Decimal, Decimal] | None, *expected: float) -> None:
    assert ends is not None
    assert [float(end) for end in ends] == pytest.approx(expected, abs=0.0051)


def test_every_ion_is_a_parameter_kept_as_a_mass() -> None:
    assert {parameters()[name].canonical_unit for name in ions()} <= {"mg/L", "ug/L"}


@pytest.mark.parametrize(("parameter", "printed"), PRINTED.items(), ids=PRINTED)
def test_equivalents_are_those_that_tables_print(parameter: str, printed: str) -> None:
    assert 1 / float(ions()[parameter].equivalent) == pytest.approx(float(printed), rel=4e-4)


def test_a_formula_weighs_the_sum_of_its_atoms() -> None:
    assert weight_of("CaCO3") == Decimal("100.086")
    with pytest.raises(KeyError):
        weight_of("Xx")


def test_a_printed_analysis_by_hand() -> None:
    """C = 36.7 x .04990 + 22.7 x .08229 + 2.29 x .04350 + .514 x .02558 = 1.831 + 1.868 + .0996 + .0131 = 3.812;
    A = 178 x .01998 + 1.50 x .02821 + .909 x .07139 = 3.557 + .0423 + .0649 = 3.664, and up to .0979 of sulfate more.
    100 (3.812 - 3.762)/(7.574) = 0.66 and 100 (3.812 - 3.664)/(7.476) = 1.98."""
    found = of(WELL_1)
    near(found.cations, 3.812, 3.812)
    near(found.anions, 3.664, 3.762)
    near(found.percent, 0.66, 1.98)
    assert found.standing == "balanced"


def test_a_richer_water_by_hand() -> None:
    """C = 3.433 + 2.765 + .9657 + .0716 = 7.235; A = 5.215 + .6234 + .2623 + .8353 = 6.936: 100 x .299 / 14.171 = 2.11,
    over 2 %."""
    found = of(WELL_16)
    near(found.cations, 7.235, 7.235)
    near(found.anions, 6.936, 6.936)
    near(found.percent, 2.11, 2.11)
    assert found.standing == "off"
    assert "off 2 % (anions 3.0 to 10.0 meq/L)" in found.says()


def simple(cations: str, anions: str) -> Balance:
    """A water of so many meq/L of sodium and of chloride, and of traces of the rest."""
    traces = dict.fromkeys(("calcium", "magnesium", "potassium", "alkalinity_as_caco3", "sulfate"), "0.000001")
    sodium, chloride = Decimal(cations) * Decimal("22.990"), Decimal(anions) * Decimal("35.45")
    return of(traces | {"sodium": str(sodium), "chloride": str(chloride), "nitrate_as_n": "0.000001"})


@pytest.mark.parametrize(
    ("cations", "anions", "standing"),
    [
        ("1.19", "1.0", "balanced"), ("1.21", "1.0", "off"), ("0.81", "1.0", "balanced"), ("0.79", "1.0", "off"),
        ("5.19", "5.0", "balanced"), ("5.22", "5.0", "off"), ("4.81", "5.0", "balanced"), ("4.79", "5.0", "off"),
        ("22.0", "20.0", "balanced"), ("22.3", "20.0", "off"),
    ],
)  # fmt: skip
def test_the_criterion_goes_by_the_anions(cations: str, anions: str, standing: str) -> None:
    """0.2 meq/L at 1; 2 % of the sum at 5 (4.804 to 5.204); 5 % at 20 (to 22.105)."""
    assert simple(cations, anions).standing == standing


def test_nobody_can_tell_where_a_non_detect_reaches_over_the_criterion() -> None:
    """Sulfate below 10 mg/L is up to 0.208 meq/L: 1.98 % without it, -0.8 % with all of it; below 40 mg/L -8.3 %."""
    assert of(WELL_1 | {"sulfate": "<10"}).standing == "balanced"
    assert of(WELL_1 | {"sulfate": "<40"}).standing == "unknown"
    assert "cannot tell" in of(WELL_1 | {"sulfate": "<40"}).says()


def test_an_interval_wholly_beyond_the_criterion_is_off_whatever_was_not_seen() -> None:
    assert of(WELL_1 | {"calcium": "80"}).standing == "off"


def test_two_criteria_that_agree_decide_and_two_that_differ_do_not() -> None:
    """Anions of 2.95 to 3.1: 0.2 meq/L allows what 2 % does not."""
    traces = ("calcium", "magnesium", "potassium", "alkalinity_as_caco3", "nitrate_as_n")
    near_three = dict.fromkeys(traces, "0.000001")
    chloride = {"chloride": str(Decimal("2.95") * Decimal("35.45")), "sulfate": "<7.2"}
    sodium = {name: {"sodium": str(Decimal(name) * Decimal("22.990"))} for name in ("3.0", "3.13", "3.5")}
    said = {name: of(near_three | chloride | water).standing for name, water in sodium.items()}
    assert said == {"3.0": "balanced", "3.13": "unknown", "3.5": "off"}


@pytest.mark.parametrize(
    "ion", ["calcium", "magnesium", "sodium", "potassium", "alkalinity_as_caco3", "chloride", "sulfate"]
)
def test_without_a_major_ion_there_is_no_balance_and_it_is_named(ion: str) -> None:
    found = of({name: text for name, text in WELL_1.items() if name != ion})
    assert (found.standing, found.missing, found.percent) == ("missing", (ion,), None)
    assert ion in found.says()


def test_a_non_detect_without_a_limit_is_missing() -> None:
    assert of(WELL_1, sulfate=Result(None, "mg/L")).missing == ("sulfate",)


def test_ions_on_one_side_alone_are_no_analysis() -> None:
    assert balance({name: result("1") for name in ("calcium", "sodium")}, POLICY) is None
    assert balance({"nitrate_as_n": result("1"), "calcium": result("1")}, POLICY) is None


def test_nitrogen_counts_once_however_it_is_reported() -> None:
    """11.7 mg/L as N is 51.8 mg/L as NO3; the parts of a reported sum add nothing to it."""
    plain = {name: text for name, text in WELL_16.items() if name != "nitrate_nitrite_as_n"}
    as_n, as_no3 = of(plain | {"nitrate_as_n": "11.7"}), of(plain | {"nitrate_as_no3": "51.79"})
    assert as_n.anions is not None
    near(as_no3.anions, float(as_n.anions[0]), float(as_n.anions[1]))
    assert of(WELL_16 | {"nitrate_as_n": "11.6", "nitrite_as_n": "0.1"}).anions == of(WELL_16).anions
    both = of(plain | {"nitrate_as_n": "11.7", "nitrate_as_no3": "51.79"})
    assert both.anions == as_n.anions


def test_units_of_one_water_make_no_difference() -> None:
    found = of(WELL_1, calcium=result("36700", "ug/L"))
    assert found.percent == of(WELL_1).percent


def test_a_detect_below_the_loq_lies_between_its_limits() -> None:
    found = of(WELL_1, sulfate=Result(None, "mg/L", Decimal("4.8"), Decimal("9.6"), said="between"))
    near(found.anions, 3.664 + 0.0999, 3.664 + 0.1999)


@given(st.decimals("0", "4.70", places=3), st.decimals("1", "300", places=2))
def test_the_interval_holds_the_difference_of_every_amount_that_was_not_seen(
    sulfate: Decimal, calcium: Decimal
) -> None:
    water = WELL_1 | {"calcium": str(calcium)}
    open_, known = of(water), of(water, sulfate=Result(sulfate, "mg/L"))
    assert open_.percent is not None
    assert known.percent is not None
    assert open_.percent[0] <= known.percent[0] == known.percent[1] <= open_.percent[1]
    assert open_.standing in {"unknown", known.standing}


WITHOUT_NITRATE = {
    "calcium": "60", "magnesium": "25", "sodium": "8", "potassium": "2", "alkalinity_as_caco3": "180",
    "chloride": "20", "sulfate": "20",
}  # fmt: skip
"""C = 2.994 + 2.057 + .348 + .0512 = 5.450; A = 3.597 + .564 + .416 = 4.578: 100 x .872 / 10.028 = 8.70 %."""


def test_too_few_anions_say_nothing_where_nitrate_is_not_reported() -> None:
    found = of(WITHOUT_NITRATE)
    near(found.percent, 8.71, 8.71)
    assert found.standing == "unknown"
    assert "cannot tell: nitrate not reported" in found.says()


def test_too_many_anions_are_off_whatever_nitrate_would_be() -> None:
    """Chloride of 200 mg/L: A = 3.597 + 5.642 + .416 = 9.655, more than the cations, and nitrate adds to it."""
    assert of(WITHOUT_NITRATE | {"chloride": "200"}).standing == "off"


def test_nitrate_that_is_reported_decides() -> None:
    """14.7 mg/L as N is 1.049 meq/L: A = 5.627 and 100 x (5.450 - 5.627) / 11.077 = -1.59 %; 0.1 is .0071: 8.6 %."""
    near(of(WITHOUT_NITRATE | {"nitrate_as_n": "14.7"}).percent, -1.59, -1.59)
    assert of(WITHOUT_NITRATE | {"nitrate_as_n": "14.7"}).standing == "balanced"
    assert of(WITHOUT_NITRATE | {"nitrate_as_n": "0.1"}).standing == "off"


def test_nitrate_of_no_basis_lies_between_its_two() -> None:
    """14.7 mg/L is 14.7/62.004 = .2371 meq/L as NO3 and 14.7/14.007 = 1.0495 as N: A = 4.815 to 5.627."""
    found = of(WITHOUT_NITRATE | {"nitrate_basis_unstated": "14.7"})
    near(found.anions, 4.815, 5.627)
    assert found.standing == "unknown"


def test_dissolved_iron_is_a_cation() -> None:
    """15 mg/L of ferrous iron is 15 / 27.92 = .5372 meq/L: C = 5.988;
    A = 275 x .01998 + .2821 + .1041 = 5.881: 0.89 %."""
    water = WITHOUT_NITRATE | {"alkalinity_as_caco3": "275", "chloride": "10", "sulfate": "5", "iron": "15"}
    found = of(water)
    near(found.percent, 0.89, 0.89)
    assert found.standing == "balanced"
