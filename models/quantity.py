"""Numbers with a unit as a hydrologist writes them, ``"1/2 mi"``, and with a range, ``"3000..5000..8000 ft2/d"``.

A range is low..best..high; the unit stands behind it. Inside, everything is metres and days. A quantity is refused by
name where its unit measures something else or is missing, or where it lies outside what is possible.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator

from models.errors import BadQuestion, BadUnit
from models.units import convert, factor, parse_quantity, unit_id

RANGE = ".."

# A quotient of our units -> (its unit inside, numerator, denominators).
_QUOTIENTS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "gpd/ft": ("m2/d", "gpd", ("ft",)), "gpm/ft": ("m2/d", "gpm", ("ft",)), "m2/s": ("m2/d", "m3/s", ("m",)),
    "ft2/s": ("m2/d", "cfs", ("ft",)), "gpd/ft2": ("m/d", "gpd", ("ft", "ft")), "m/s": ("m/d", "m", ("s",)),
    "cm/s": ("m/d", "cm", ("s",)), "ft/s": ("m/d", "ft", ("s",)), "cm/d": ("m/d", "cm", ("d",)),
    "mm/d": ("m/d", "mm", ("d",)), "in/d": ("m/d", "in", ("d",)), "in/yr": ("m/d", "in", ("yr",)),
    "mm/yr": ("m/d", "mm", ("yr",)), "ft/yr": ("m/d", "ft", ("yr",)), "m/yr": ("m/d", "m", ("yr",)),
    "1/d": ("1/d", "1", ("d",)), "1/s": ("1/d", "1", ("s",)), "1/yr": ("1/d", "1", ("yr",)),
    "1/ft": ("1/m", "1", ("ft",)), "1/m": ("1/m", "1", ("m",)),
}  # fmt: skip
_INSIDE = {
    "ft": "m", "m": "m", "cm": "m", "in": "m", "mm": "m", "s": "d", "yr": "d", "d": "d", "1": "1", "gpd": "m3/d",
    "gpm": "m3/d", "m3/s": "m3/d", "cfs": "m3/d",
}  # fmt: skip
_SPELLINGS = {
    "gal/d/ft": "gpd/ft", "gal/day/ft": "gpd/ft", "gpd/foot": "gpd/ft", "gpd per ft": "gpd/ft", "gpm/foot": "gpm/ft",
    "m^2/s": "m2/s", "m²/s": "m2/s", "ft^2/s": "ft2/s", "ft²/s": "ft2/s", "gpd/ft^2": "gpd/ft2", "gpd/ft²": "gpd/ft2",
    "in/year": "in/yr", "mm/year": "mm/yr", "d-1": "1/d", "d^-1": "1/d", "1/day": "1/d", "per d": "1/d",
    "per day": "1/d",
}  # fmt: skip
_LEADING = re.compile(r"^\s*(?P<number>[-+0-9.,/eE]+)\s*(?P<unit>.*?)\s*$", re.DOTALL)


@dataclass(frozen=True)
class Kind:
    """One physical quantity: its unit inside, the units it is given in, and what is possible.

    Parameters
    ----------
    name : as a refusal says it.
    unit : inside, metres and days.
    units : examples of what it is given in; the first has the dimension all others must have.
    least, most : the possible range, in ``unit``; None is no bound.
    closed : ``least`` itself is possible.
    """

    name: str
    unit: str
    units: tuple[str, ...]
    least: Decimal | None = Decimal(0)
    most: Decimal | None = None
    closed: bool = False

    @property
    def allowed(self) -> str:
        """The allowed range in words, with the units it may be given in."""
        least = "" if self.least is None else f"{self.least:f}"
        parts = [] if not least else [f"{least} or above" if self.closed else f"above {least}"]
        parts += [] if self.most is None else [f"at most {self.most:f}"]
        unit = "" if self.unit == "1" else f" {self.unit}"
        given = "without a unit" if self.unit == "1" else f"in {', '.join(self.units)}"
        return f"{' and '.join(parts) or 'any number'}{unit if parts else ''}, {given}"

    def holds(self, value: Decimal) -> bool:
        """Whether a value, in ``unit``, is possible."""
        over = self.least is None or value > self.least or (self.closed and value == self.least)
        return over and (self.most is None or value <= self.most)


LENGTHS, RATES = ("ft", "mi", "m", "km"), ("gpm", "cfs", "MGD", "m3/d", "L/s")
TRANSMISSIVITY = Kind("transmissivity", "m2/d", ("ft2/d", "m2/d", "gpd/ft", "m2/s"), most=Decimal("1e6"))
STORATIVITY = Kind("storativity (specific yield where unconfined)", "1", (), most=Decimal("0.5"))
RATE = Kind("pumping rate", "m3/d", RATES, least=Decimal("-1e8"), most=Decimal("1e8"))
DISTANCE = Kind("distance", "m", LENGTHS, most=Decimal("1e6"))
COORDINATE = Kind("coordinate", "m", LENGTHS, least=Decimal("-1e6"), most=Decimal("1e6"))
DEPTH = Kind("depth", "m", LENGTHS, closed=True, most=Decimal("1e4"))
THICKNESS = Kind("thickness", "m", ("ft", "m"), most=Decimal("1e4"))
TIME = Kind("time since pumping began", "d", ("d", "h", "yr"), closed=True, most=Decimal("1e6"))
CONDUCTIVITY = Kind("conductivity", "m/d", ("ft/d", "m/d", "m/s", "gpd/ft2"), most=Decimal("1e6"))
CONDUCTANCE = Kind("streambed conductance", "m/d", ("ft/d", "m/d"), closed=True, most=Decimal("1e9"))
RESISTANCE = Kind("resistance of the leaky layer", "d", ("d", "yr"), most=Decimal("1e9"))
LEAKANCE = Kind("leakance", "1/d", ("1/d", "1/s"), closed=True, most=Decimal("1e6"))
SPECIFIC_STORAGE = Kind("specific storage", "1/m", ("1/ft", "1/m"), most=Decimal(1))
RECHARGE = Kind("recharge", "m/d", ("in/yr", "mm/yr", "m/d"), closed=True, most=Decimal("0.1"))
RATIO = Kind("ratio", "1", (), most=Decimal("1e3"))
SLOPE = Kind("slope", "1", (), closed=True, most=Decimal("0.5"))


@dataclass(frozen=True)
class Quantity:
    """Low, best and high of one quantity, in the unit inside; all three are one number where no range was given.

    Parameters
    ----------
    low, best, high : in the unit of its kind (metres, days), exact.
    given_unit : the unit it was written in.
    text : as it was written.
    """

    low: Decimal
    best: Decimal
    high: Decimal
    given_unit: str
    text: str

    @property
    def ranged(self) -> bool:
        return self.low != self.high

    @property
    def value(self) -> float:
        """The best estimate, in metres and days."""
        return float(self.best)

    @property
    def ends(self) -> tuple[float, ...]:
        """The distinct ends of the range in metres and days; of a plain number just that."""
        return (float(self.low), float(self.high)) if self.ranged else (float(self.best),)


def read_quantity(text: str, kind: Kind) -> Quantity:
    """Read ``"5000 ft2/d"``, ``"1/2 mi"`` or ``"3000..5000..8000 ft2/d"``.

    Raises
    ------
    BadQuestion : not a number with a unit, a unit of something else, or a value that is not possible; names what
        was found and what is allowed.
    """
    parts = text.split(RANGE)
    if len(parts) not in (1, 3) or any(part.startswith(".") for part in parts[1:]):
        raise BadQuestion("a range is low..best..high", found=text, allowed=["3000..5000..8000 ft2/d", kind.allowed])
    units = [_unit_of(part) for part in parts]
    last = units[-1]
    if any(unit not in ("", last) for unit in units):
        raise BadQuestion("one unit behind the range", found=text, allowed=["3000..5000..8000 ft2/d"])
    values = [_inside(_number_of(part, text, kind), last, text, kind) for part in parts]
    low, best, high = values * 3 if len(values) == 1 else values
    if not low <= best <= high:
        raise BadQuestion("needs low <= best <= high", found=text)
    return Quantity(low, best, high, _known(last), text)


def fixed(number: Decimal, unit: str, kind: Kind) -> Quantity:
    """A plain number as a quantity of a kind.

    Raises
    ------
    BadQuestion : as `read_quantity`.
    """
    return read_quantity(f"{number:f} {unit}", kind)


def to_unit(value: float, inside: str, unit: str) -> float:
    """A number from metres and days in another unit of length, rate or time."""
    return float(Decimal(value) * factor(inside, unit)) if inside != unit else value


def _unit_of(part: str) -> str:
    match = _LEADING.match(part)
    return "" if match is None else match["unit"]


def _number_of(part: str, whole: str, kind: Kind) -> Decimal:
    match = _LEADING.match(part)
    if match is None:
        raise BadQuestion(f"not a {kind.name}: no number", found=whole, allowed=[kind.allowed])
    hint = f"; a range is low{RANGE}best{RANGE}high" if match["number"].count("/") > 1 else ""
    hint = "; a comma in a number is ambiguous" if "," in match["number"] else hint
    try:
        return parse_quantity(match["number"])[0]
    except BadUnit:
        raise BadQuestion(f"not a {kind.name}: not one number{hint}", found=whole, allowed=[kind.allowed]) from None


def _known(spelling: str) -> str:
    """Our id of a unit, quotients included.

    Raises
    ------
    BadUnit : nobody knows it.
    """
    text = " ".join(spelling.split())
    text = _SPELLINGS.get(text.casefold(), text)
    quotient = next((unit for unit in _QUOTIENTS if unit.casefold() == text.casefold()), None)
    return quotient or unit_id(text)


def _inside(number: Decimal, spelling: str, whole: str, kind: Kind) -> Decimal:
    if kind.unit != "1" and not spelling:
        raise BadQuestion(f"a {kind.name} without a unit", found=whole, allowed=[kind.allowed])
    try:
        value = _converted(number, _known(spelling), kind.unit)
    except BadUnit as caught:
        reason = "unknown unit" if caught.reason == "unknown unit" else "unit of something else"
        raise BadQuestion(f"not a {kind.name}: {reason}", found=whole, allowed=[kind.allowed]) from None
    if not kind.holds(value):
        raise BadQuestion(f"not a possible {kind.name}", found=whole, allowed=[kind.allowed])
    return value


def _converted(number: Decimal, unit: str, inside: str) -> Decimal:
    if unit not in _QUOTIENTS:
        return convert(number, unit, inside)
    becomes, over, under = _QUOTIENTS[unit]
    if becomes != inside:
        raise BadUnit(f"{unit} cannot be converted to {inside}", found=unit)
    value = number * factor(over, _INSIDE[over])
    for one in under:
        value /= factor(one, _INSIDE[one])
    return value


def reader(kind: Kind) -> Callable[[Any], Quantity]:
    """What turns a value of a declared file into a quantity of a kind."""

    def read(value: Any) -> Quantity:
        if isinstance(value, Quantity):
            return value
        if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
            raise ValueError(f"text with a unit; allowed: {kind.allowed}")
        try:
            return read_quantity(str(value), kind)
        except BadQuestion as caught:
            raise ValueError(f"{caught.reason}; allowed: {', '.join(caught.allowed or ())}") from None

    return read


Transmissivity = Annotated[Quantity, BeforeValidator(reader(TRANSMISSIVITY))]
Storativity = Annotated[Quantity, BeforeValidator(reader(STORATIVITY))]
Rate = Annotated[Quantity, BeforeValidator(reader(RATE))]
Distance = Annotated[Quantity, BeforeValidator(reader(DISTANCE))]
Depth = Annotated[Quantity, BeforeValidator(reader(DEPTH))]
Thickness = Annotated[Quantity, BeforeValidator(reader(THICKNESS))]
Conductivity = Annotated[Quantity, BeforeValidator(reader(CONDUCTIVITY))]
Conductance = Annotated[Quantity, BeforeValidator(reader(CONDUCTANCE))]
Resistance = Annotated[Quantity, BeforeValidator(reader(RESISTANCE))]
Recharge = Annotated[Quantity, BeforeValidator(reader(RECHARGE))]
Ratio = Annotated[Quantity, BeforeValidator(reader(RATIO))]
Slope = Annotated[Quantity, BeforeValidator(reader(SLOPE))]
