"""Units at the door: one spelling table, then pint in decimal arithmetic.

Ingest, ``site.toml`` and command line flags all come through here. Stock pint
does not know cfs, gpm, MGD, gpd or ft2, and reads ``MG/L`` as megagauss per
litre, so our alias table is asked first; a spelling that neither knows is
refused. The exact foot is the international foot (0.3048 m); ``ftUS`` is the
US survey foot (1200/3937 m) of the county coordinate system.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from models.errors import BadUnit

if TYPE_CHECKING:
    from pint import UnitRegistry

# unit id -> pint expression. The id is what we store and print.
UNITS: dict[str, str] = {
    "cfs": "foot**3/second",
    "m3/s": "meter**3/second",
    "L/s": "liter/second",
    "gpm": "gallon/minute",
    "gpd": "gallon/day",
    "MGD": "1e6*gallon/day",
    "ft3/d": "foot**3/day",
    "m3/d": "meter**3/day",
    "acre-ft/yr": "119.2607802874743326488706366*foot**3/day",  # 43,560 ft3 in 365.25 d
    "gal": "gallon",
    "MG": "1e6*gallon",
    "ft3": "foot**3",
    "m3": "meter**3",
    "ft": "foot",
    "ftUS": "survey_foot",
    "in": "inch",
    "m": "meter",
    "cm": "centimeter",
    "mm": "millimeter",
    "mi": "mile",
    "km": "kilometer",
    "mi2": "mile**2",
    "km2": "kilometer**2",
    "ft2/d": "foot**2/day",
    "m2/d": "meter**2/day",
    "ft/d": "foot/day",
    "m/d": "meter/day",
    "psi": "pound_force_per_square_inch",
    "kPa": "kilopascal",
    "mbar": "millibar",
    "ftH2O": "foot_H2O",
    "cmH2O": "centimeter_H2O",
    "mH2O": "100*centimeter_H2O",
    "inHg": "inch_Hg",
    "mmHg": "millimeter_Hg",
    "bar": "bar",
    "degC": "degree_Celsius",
    "degF": "degree_Fahrenheit",
    "pg/L": "picogram/liter",
    "ng/L": "nanogram/liter",
    "ug/L": "microgram/liter",
    "mg/L": "milligram/liter",
    "g/L": "gram/liter",
    "uS/cm": "microsiemens/centimeter",
    "mS/cm": "millisiemens/centimeter",
    "d": "day",
    "h": "hour",
    "min": "minute",
    "s": "second",
    "yr": "365.25*day",
    "1/h": "1/hour",
    "1/d": "1/day",
    "1": "dimensionless",
    "%": "0.01*dimensionless",
}

# Units that measure something pint has no dimension for: converted only to themselves.
NOMINAL = {
    "SU",
    "MFL",
    "threshold odor number (TON)",
    "NTU",
    "color units",
    "presence/absence",
    "CFU/mL",
    "MPN/100 mL",
    "CFU/100 mL",
    "fibers/L",
    "pCi/L",
}

CONCENTRATIONS = {"pg/L", "ng/L", "ug/L", "mg/L", "g/L"}
"""Of an analysis a mass in water: neither negative nor zero, since what was not seen lies below a limit."""

_POWER = {"pg/L": -12, "ng/L": -9, "ug/L": -6, "mg/L": -3, "g/L": 0}
"""Powers of ten of a gram: as pint converts them, without the third of a second that reading its definitions takes."""

COUNTS, PRESENCE = {"MPN/100 mL", "CFU/100 mL", "CFU/mL"}, "presence/absence"
"""A count of organisms also says whether there are any: its number stays what it is."""

_ALIASES: dict[str, str] = {
    "ft3/s": "cfs", "ft^3/s": "cfs", "cubic feet per second": "cfs", "ft³/s": "cfs", "cms": "m3/s", "m^3/s": "m3/s",
    "gal/min": "gpm", "gallons per minute": "gpm", "gal/d": "gpd", "gal/day": "gpd", "gallons per day": "gpd",
    "mgd": "MGD", "gallons": "gal", "gallon": "gal", "feet": "ft", "foot": "ft", "inch": "in", "inches": "in",
    "us survey foot": "ftUS", "us survey feet": "ftUS", "metre": "m", "meter": "m", "meters": "m", "metres": "m",
    "mile": "mi", "miles": "mi", "ft2/day": "ft2/d", "ft^2/d": "ft2/d", "ft²/d": "ft2/d", "m2/day": "m2/d",
    "ft/day": "ft/d", "m/day": "m/d", "ft3/day": "ft3/d", "m3/day": "m3/d", "deg c": "degC", "degc": "degC",
    "°c": "degC", "c": "degC", "deg f": "degF", "degf": "degF", "°f": "degF", "f": "degF", "ppb": "ug/L",
    "µg/l": "ug/L", "μg/l": "ug/L", "ug/l": "ug/L", "ppm": "mg/L", "mg/l": "mg/L", "mg/1": "mg/L", "ng/l": "ng/L",
    "g/l": "g/L", "µs/cm": "uS/cm", "μs/cm": "uS/cm", "us/cm": "uS/cm", "umho/cm": "uS/cm", "umhos/cm": "uS/cm",
    "mg/l as n": "mg/L", "su": "SU", "ph": "SU", "std units": "SU", "ph units": "SU", "ntu": "NTU", "ft h2o": "ftH2O",
    "cm h2o": "cmH2O", "m h2o": "mH2O", "hpa": "mbar", "in hg": "inHg", "day": "d", "days": "d", "hour": "h",
    "ft3/sec": "cfs", "us/cm @25c": "uS/cm", "us/cm at 25c": "uS/cm", "μs/cm @25c": "uS/cm",
    "[ft_i]": "ft", "[in_i]": "in", "[cft_i]/s": "cfs", "m3.s-1": "m3/s", "cel": "degC", "[degf]": "degF",
    "mm hg": "mmHg", "torr": "mmHg", "per hour": "1/h", "per day": "1/d",
    "hours": "h", "hr": "h", "minutes": "min", "year": "yr", "years": "yr", "": "1",
    "m3/sec": "m3/s", "m³/s": "m3/s", "standard units": "SU", "ft²/day": "ft2/d", "ft^2/day": "ft2/d",
    "m²/d": "m2/d", "m^2/d": "m2/d", "m²/day": "m2/d", "m^2/day": "m2/d", "ft³/d": "ft3/d", "ft^3/d": "ft3/d",
    "ft³/day": "ft3/d", "ft^3/day": "ft3/d", "m³/d": "m3/d", "m^3/d": "m3/d", "m³/day": "m3/d", "m^3/day": "m3/d",
    "ac-ft/yr": "acre-ft/yr", "acre-ft/year": "acre-ft/yr", "ac-ft/year": "acre-ft/yr", "acre ft/yr": "acre-ft/yr",
    "acre-feet/yr": "acre-ft/yr", "acre-feet/year": "acre-ft/yr", "acre-feet per year": "acre-ft/yr",
    "acre-foot/yr": "acre-ft/yr", "af/yr": "acre-ft/yr", "afy": "acre-ft/yr", "percent": "%",
    "mpn/100ml": "MPN/100 mL", "cfu/100ml": "CFU/100 mL", "mpn per 100 ml": "MPN/100 mL", "#/100ml": "CFU/100 mL",
    "cfu per 100 ml": "CFU/100 mL", "colonies/100ml": "CFU/100 mL", "#/100 ml": "CFU/100 mL", "mcg/l": "ug/L",
    "ton": "threshold odor number (TON)", "t.o.n.": "threshold odor number (TON)", "cu": "color units",
    "threshold odor number": "threshold odor number (TON)", "pcu": "color units", "pt-co": "color units",
    "ptco": "color units", "pt/co": "color units", "pt-co units": "color units", "color unit": "color units",
    "platinum cobalt units": "color units", "p/a": "presence/absence", "pa": "presence/absence",
    "present/absent": "presence/absence", "presence absence": "presence/absence", "mg/m3": "ug/L", "mg/m³": "ug/L",
}  # fmt: skip

_SPELLINGS = {unit.casefold(): unit for unit in [*UNITS, *NOMINAL] if unit not in {"MG", "m", "M"}} | _ALIASES
_QUANTITY = re.compile(r"^\s*(?P<number>[-+0-9.,/eE]+)\s*(?P<unit>.*?)\s*$")


def unit_id(spelling: str) -> str:
    """The unit a spelling means.

    Raises
    ------
    BadUnit : the spelling is neither ours nor one that pint reads.
    """
    text = " ".join(spelling.split())
    if text in UNITS or text in NOMINAL:
        return text
    known = _SPELLINGS.get(text.casefold())
    if known is None:
        raise BadUnit("unknown unit", found=spelling)
    return known


@cache
def factor(source: str, target: str) -> Decimal:
    """Number of target units in one source unit; for scales without an offset.

    Raises
    ------
    BadUnit : they do not measure the same thing.
    """
    return convert(Decimal(1), source, target)


def convert(value: Decimal, source: str, target: str) -> Decimal:
    """Convert in decimal arithmetic; the same unit returns the value untouched.

    Raises
    ------
    BadUnit : unknown unit, or units of different dimension.
    """
    have, want = unit_id(source), unit_id(target)
    if have == want or (have in COUNTS and want == PRESENCE):
        return value
    if have in NOMINAL or want in NOMINAL:
        raise BadUnit(f"{have} cannot be converted to {want}", found=source)
    if have in _POWER and want in _POWER:
        return value * Decimal(1).scaleb(_POWER[have] - _POWER[want])
    return _convert(value, have, want)


def parse_quantity(text: str) -> tuple[Decimal, str]:
    """Read ``"5000 ft2/d"`` or ``"1/2 mi"`` as (number, unit id).

    Raises
    ------
    BadUnit : no number, a zero denominator, or an unknown unit.
    """
    match = _QUANTITY.match(text)
    if match is None:
        raise BadUnit("not a number with a unit", found=text)
    return _number(match["number"], text), unit_id(match["unit"])


def _number(text: str, whole: str) -> Decimal:
    try:
        if "/" in text:
            fraction = Fraction(text)
            return Decimal(fraction.numerator) / Decimal(fraction.denominator)
        number = Decimal(text)
    except (InvalidOperation, ValueError, ZeroDivisionError):
        raise BadUnit("not a number with a unit", found=whole) from None
    if not number.is_finite():
        raise BadUnit("not a finite number", found=whole)
    return number


@cache
def _registry() -> UnitRegistry[Any]:
    from pint import UnitRegistry  # 0.3 s to import: only when something is converted

    return UnitRegistry(non_int_type=Decimal)


def _convert(value: Decimal, have: str, want: str) -> Decimal:
    from pint.errors import DimensionalityError

    registry = _registry()
    try:
        return Decimal(_scaled(registry, have, value).to(_base(registry, want)).magnitude) / _scale(want)
    except DimensionalityError:
        raise BadUnit(f"{have} cannot be converted to {want}", found=have) from None


def _scale(unit: str) -> Decimal:
    head, star, _ = UNITS[unit].partition("*")
    return Decimal(head) if star and head[0].isdigit() else Decimal(1)


def _base(registry: UnitRegistry[Any], unit: str) -> Any:
    text = UNITS[unit]
    head, star, tail = text.partition("*")
    return registry.Unit(tail if star and head[0].isdigit() else text)


def _scaled(registry: UnitRegistry[Any], unit: str, value: Decimal) -> Any:
    return registry.Quantity(value * _scale(unit), _base(registry, unit))
