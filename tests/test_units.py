"""Units at the door: factors worked by hand, spellings that must be refused, and exact decimals."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadUnit
from models.units import NOMINAL, UNITS, convert, factor, parse_quantity, unit_id

# US gallon = 231 in3, foot = 12 in = 0.3048 m, mile = 5280 ft, day = 86400 s: exact by definition.
EXACT = [
    ("mi", "ft", Decimal(5280)),
    ("ft", "m", Decimal("0.3048")),
    ("in", "cm", Decimal("2.54")),
    ("ft3", "gal", Decimal(1728) / 231),
    ("gpm", "gpd", Decimal(1440)),
    ("MGD", "gpd", Decimal(1_000_000)),
    ("MG", "gal", Decimal(1_000_000)),
    ("cfs", "gpm", Decimal(1728) / 231 * 60),
    ("cfs", "ft3/d", Decimal(86400)),
    ("gpm", "ft3/d", Decimal(231) / 1728 * 1440),
    ("mi2", "ft2/d", None),
    ("m3/s", "L/s", Decimal(1000)),
    ("km", "m", Decimal(1000)),
    ("km2", "mi2", Decimal(1_000_000) / (Decimal("1609.344") ** 2)),
    ("ft2/d", "m2/d", Decimal("0.09290304")),
    ("mg/L", "ug/L", Decimal(1000)),
    ("ug/L", "ng/L", Decimal(1000)),
    ("g/L", "mg/L", Decimal(1000)),
    ("ftUS", "m", Decimal(1200) / 3937),
    ("yr", "d", Decimal("365.25")),
    ("mbar", "kPa", Decimal("0.1")),
    ("acre-ft/yr", "ft3/d", Decimal(43560) / Decimal("365.25")),
    ("%", "1", Decimal("0.01")),
]


@pytest.mark.parametrize(("source", "target", "expected"), EXACT)
def test_factor(source: str, target: str, expected: Decimal | None) -> None:
    if expected is None:
        with pytest.raises(BadUnit):
            factor(source, target)
    else:
        assert abs(factor(source, target) / expected - 1) < Decimal("1e-24")


def test_the_survey_foot_is_two_parts_in_a_million_longer() -> None:
    assert abs(factor("ftUS", "ft") - Decimal("1.000002000004")) < Decimal("1e-12")


def test_pressure_heads() -> None:
    """Handbook: 1 psi holds up 2.307 ft of water, 1 kPa 10.197 cm, 29.92 inHg one atmosphere (1013.2 mbar)."""
    assert round(factor("psi", "ftH2O"), 3) == Decimal("2.307")
    assert round(factor("kPa", "cmH2O"), 3) == Decimal("10.197")
    assert round(convert(Decimal("29.92"), "inHg", "mbar"), 1) == Decimal("1013.2")
    assert factor("mH2O", "cmH2O") == 100
    assert round(convert(Decimal(760), "mm Hg", "kPa"), 3) == Decimal("101.325")
    assert round(factor("bar", "psi"), 3) == Decimal("14.504")


def test_a_conductance_in_milli_is_a_thousand_in_micro() -> None:
    assert convert(Decimal("0.5"), "mS/cm", "uS/cm") == 500


def test_temperatures_have_an_offset() -> None:
    assert convert(Decimal(212), "degF", "degC") == pytest.approx(Decimal(100))
    assert convert(Decimal(0), "degC", "degF") == pytest.approx(Decimal(32))


@pytest.mark.parametrize(
    ("spelling", "id"),
    [
        ("MG/L", "mg/L"), ("Mg/l", "mg/L"), ("mg/1", "mg/L"), ("UG/L", "ug/L"), ("µg/L", "ug/L"), ("μg/L", "ug/L"),
        ("ft3/s", "cfs"), ("CFS", "cfs"), ("cubic  feet per second", "cfs"), ("GPM", "gpm"), ("gal/min", "gpm"),
        ("MGD", "MGD"), ("mgd", "MGD"), ("Feet", "ft"), ("US survey foot", "ftUS"), ("hPa", "mbar"),
        ("umhos/cm", "uS/cm"), ("PCI/L", "pCi/L"), ("deg C", "degC"), ("MG", "MG"), ("", "1"),
    ],
)  # fmt: skip
def test_spelling(spelling: str, id: str) -> None:
    assert unit_id(spelling) == id


@pytest.mark.parametrize("spelling", ["furlong", "mg", "M", "ft4", "meter per gallon", "mg/L/d", "gauss", "__class__"])
def test_unknown_spelling_is_refused_by_name(spelling: str) -> None:
    with pytest.raises(BadUnit, match="unknown unit") as caught:
        unit_id(spelling)
    assert caught.value.found == spelling


@pytest.mark.parametrize(
    ("source", "target"), [("ft", "cfs"), ("mg/L", "gpm"), ("NTU", "mg/L"), ("SU", "1"), ("pCi/L", "mg/L")]
)
def test_what_measures_something_else_is_refused(source: str, target: str) -> None:
    with pytest.raises(BadUnit, match="cannot be converted"):
        convert(Decimal(1), source, target)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1/2 mi", Decimal("0.5"), "mi"), ("5000 ft2/d", Decimal(5000), "ft2/d"), ("350gpm", Decimal(350), "gpm"),
        (" 1e3 gal ", Decimal(1000), "gal"), ("-0.5 ft", Decimal("-0.5"), "ft"), ("0.15", Decimal("0.15"), "1"),
        ("120 d", Decimal(120), "d"), ("1.50 cfs", Decimal("1.50"), "cfs"),
    ],
)  # fmt: skip
def test_quantity(text: str, number: Decimal, unit: str) -> None:
    assert parse_quantity(text) == (number, unit)


def test_half_a_mile_is_2640_feet_exactly() -> None:
    number, unit = parse_quantity("1/2 mi")
    assert convert(number, unit, "ft") == 2640


@pytest.mark.parametrize(
    "text", ["", "mi", "1/0 mi", "1/2/3 mi", "nan ft", "inf ft", "1,000 gpm", "5 furlongs", "1e ft"]
)
def test_bad_quantity_is_refused(text: str) -> None:
    with pytest.raises(BadUnit):
        parse_quantity(text)


SCALES = sorted(set(UNITS) - {"degC", "degF"})
FAMILIES = [
    [one for one in SCALES if UNITS[one] != "dimensionless" and _like(one)]
    for _like in (
        lambda unit: unit in {"ft", "ftUS", "in", "m", "cm", "mm", "mi", "km"},
        lambda unit: unit in {"cfs", "m3/s", "L/s", "gpm", "gpd", "MGD", "ft3/d", "m3/d"},
        lambda unit: unit in {"gal", "MG", "ft3", "m3"},
        lambda unit: unit in {"psi", "kPa", "mbar", "ftH2O", "cmH2O", "mH2O", "inHg"},
        lambda unit: unit in {"ng/L", "ug/L", "mg/L", "g/L"},
        lambda unit: unit in {"ft2/d", "m2/d"},
    )
]
PAIRS = st.sampled_from([(a, b) for family in FAMILIES for a in family for b in family])


@given(PAIRS, st.decimals(min_value=Decimal("1e-6"), max_value=Decimal("1e9"), places=6))
def test_there_and_back(pair: tuple[str, str], value: Decimal) -> None:
    source, target = pair
    back = convert(convert(value, source, target), target, source)
    assert abs(back - value) <= abs(value) * Decimal("1e-24")


@given(st.sampled_from([*UNITS, *NOMINAL]), st.decimals(allow_nan=False, allow_infinity=False))
def test_the_same_unit_leaves_every_digit(unit: str, value: Decimal) -> None:
    assert str(convert(value, unit, unit)) == str(value)


@given(st.integers(min_value=-(10**9), max_value=10**9), st.integers(min_value=0, max_value=9))
def test_powers_of_ten_are_exact(digits: int, places: int) -> None:
    value = Decimal(digits).scaleb(-places)
    assert convert(value, "mg/L", "ug/L") == value * 1000
    assert convert(value, "ug/L", "mg/L") == value / 1000


@pytest.mark.parametrize(
    ("spelling", "unit"),
    [("ac-ft/yr", "acre-ft/yr"), ("acre-feet per year", "acre-ft/yr"), ("ft²/day", "ft2/d"), ("ft^2/day", "ft2/d"),
     ("m³/d", "m3/d"), ("ft^3/day", "ft3/d"), ("percent", "%")],
)  # fmt: skip
def test_a_hydrologist_s_spellings(spelling: str, unit: str) -> None:
    assert unit_id(spelling) == unit
