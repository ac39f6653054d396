"""Charge balance of a water analysis: the cations carry as much charge as the anions, or something was measured wrong.

    percent difference = 100 (C - A) / (C + A)

with the sums C and A [meq/L] of concentration [mg/L] over equivalent weight, the weight of the reported formula over
its charge (``ions.csv``, ``atomic_weights.csv``): nitrate ``as N`` weighs 14.007, ``as NO3`` 62.004, alkalinity ``as
CaCO3`` 50.04. The criterion goes by the anion sum: Standard Methods 1030 E (as recalled, verify): 0 to 3.0 meq/L a
difference of 0.2 meq/L, 3.0 to 10.0 meq/L of 2 %, above that of 5 %.

A non-detect lies between zero and its limit, so sums and difference are intervals, and where an interval reaches over
the criterion nobody can tell; an amount whose basis is not stated lies between its lightest and its heaviest form, and
iron of whole water between zero and what was found. Nitrate may be much of the charge: where it is not reported, too
few anions say nothing. Without every major ion there is no balance: which are missing is said.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Literal

from models.nr140.result import Result
from models.policy import Policy
from models.units import CONCENTRATIONS, factor

Standing = Literal["balanced", "off", "unknown", "missing"]
Interval = tuple[Decimal, Decimal]
_ELEMENT = re.compile(r"([A-Z][a-z]?)([0-9]*)")
_TOGETHER = "nitrate + nitrite"
_IN_PARTS = {"nitrate", "nitrite"}
_NITRATE = {"nitrate", _TOGETHER}
DILUTE, FRESH = Decimal("3.0"), Decimal("10.0")
"""Anion sums [meq/L] between the criteria."""


@dataclass(frozen=True)
class Ion:
    """What a parameter adds to the charge of a water; ``equivalent`` weight [g] of one mole of charge.

    ``heaviest``: the most it may weigh where the basis is not stated. ``dissolved``: it has charge only in solution.
    """

    name: str
    equivalent: Decimal
    cation: bool
    major: bool
    heaviest: Decimal
    dissolved: bool


@dataclass(frozen=True)
class Balance:
    """Sums [meq/L] and difference [%] as intervals; None where major ions are ``missing``.

    ``used``: the parameters that were added. ``limit`` says the criterion. ``unreported``: an anion that may be much.
    """

    standing: Standing
    cations: Interval | None = None
    anions: Interval | None = None
    percent: Interval | None = None
    limit: str = ""
    used: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unreported: str = ""

    def says(self) -> str:
        """For print."""
        if self.cations is None or self.anions is None or self.percent is None:
            return f"no charge balance: {', '.join(self.missing)} missing"
        sums = f"cations {_span(self.cations)}, anions {_span(self.anions)} meq/L"
        difference = f"{sums}: difference {_span(self.percent, 2)} %"
        if self.standing == "unknown" and self.unreported:
            return f"{difference}, cannot tell: {self.unreported} not reported; {self.limit}"
        told = {"off": "off", "balanced": "within", "unknown": "cannot tell, what is not known reaches over"}
        beside = f"; {self.unreported} not reported" if self.unreported else ""
        return f"{difference}, {told[self.standing]} {self.limit}{beside}"


@cache
def ions() -> Mapping[str, Ion]:
    """Every ion by parameter."""
    text = files("models").joinpath("ions.csv").read_text(encoding="utf-8")
    return {row["parameter"]: _ion(row) for row in csv.DictReader(text.splitlines())}


@cache
def atomic_weights() -> Mapping[str, Decimal]:
    """Standard atomic weights by symbol."""
    text = files("models").joinpath("atomic_weights.csv").read_text(encoding="utf-8")
    return {row["element"]: Decimal(row["weight"]) for row in csv.DictReader(text.splitlines())}


def weight_of(formula: str) -> Decimal:
    """The molar mass [g/mol] of a formula without brackets.

    Raises
    ------
    KeyError : an element of unknown weight.
    """
    parts = _ELEMENT.findall(formula)
    return sum((atomic_weights()[element] * int(n or 1) for element, n in parts), Decimal(0))


def balance(results: Mapping[str, Result], policy: Policy) -> Balance | None:
    """The balance of one sample; None where it says nothing of the major ions on one side or the other.

    Parameters
    ----------
    results : of one sample by parameter, of one fraction where both were measured.
    policy : the criterion.
    """
    known = {name: span for name, one in results.items() if name in ions() and (span := _meq(name, one)) is not None}
    if not may_balance(known):
        return None
    missing = tuple(sorted(_major() - known.keys()))
    if missing:
        return Balance("missing", missing=missing)
    used = _once(known)
    cations, anions = (_sum(known[name] for name in used if ions()[name].cation is side) for side in (True, False))
    standings = {_standing(cations, anions, band, policy) for band in _bands(anions)}
    standing: Standing = standings.pop() if len(standings) == 1 else "unknown"
    unreported = "" if {ions()[name].name for name in known} & _NITRATE else "nitrate"
    if standing == "off" and unreported and cations[0] > anions[1]:
        standing = "unknown"
    limit = " or ".join(_criterion(band, policy) for band in _bands(anions))
    percent = _percent(cations, anions)
    return Balance(standing, cations, anions, percent, limit, tuple(used), unreported=unreported)


def may_balance(parameters: Iterable[str]) -> bool:
    """Whether there are major ions on both sides among them."""
    return len({ions()[name].cation for name in _major().intersection(parameters)}) == 2


@cache
def _major() -> frozenset[str]:
    return frozenset(name for name, ion in ions().items() if ion.major)


def _meq(parameter: str, result: Result) -> Interval | None:
    """Between what a result lies [meq/L]; None where it has no upper end or is no amount of mass."""
    found = ends(result)
    if found is None or result.unit not in CONCENTRATIONS:
        return None
    scale, ion = factor(result.unit, "mg/L"), ions()[parameter]
    return found[0] * scale / ion.heaviest, found[1] * scale / ion.equivalent


def ends(result: Result) -> Interval | None:
    """Between what an amount lies, in its own unit; None where it has no upper end."""
    if result.value is not None:
        return result.value, result.value
    if result.said == "between":
        return None if result.loq is None else (result.lod or Decimal(0), result.loq)
    limit = result.lod if result.below_lod else result.limit or result.lod
    return None if result.said or limit is None else (Decimal(0), limit)


def _once(known: Iterable[str]) -> list[str]:
    """Each ion once: nitrate + nitrite stands for its parts, and of two forms of one ion the first of ``ions.csv``."""
    present = set(known)
    names = {ions()[name].name for name in present}
    found: dict[str, str] = {}
    for parameter, ion in ions().items():
        if parameter in present and not (ion.name in _IN_PARTS and _TOGETHER in names):
            found.setdefault(ion.name, parameter)
    return list(found.values())


def _sum(spans: Iterable[Interval]) -> Interval:
    lows, highs = zip(*spans, strict=True)
    return sum(lows, Decimal(0)), sum(highs, Decimal(0))


def _bands(anions: Interval) -> list[int]:
    """Every criterion that the anion sum may fall under: 0 dilute, 1 fresh, 2 above."""
    first, last = (0 if one <= DILUTE else 1 if one <= FRESH else 2 for one in anions)
    return list(range(first, last + 1))


def _standing(cations: Interval, anions: Interval, band: int, policy: Policy) -> Standing:
    """What the interval of the difference says against one criterion; a difference on the line is within."""
    if band == 0:
        low, high, most = cations[0] - anions[1], cations[1] - anions[0], policy.charge_difference_dilute.value
    else:
        low, high = _percent(cations, anions)
        most = 100 * (policy.charge_difference if band == 1 else policy.charge_difference_mineral).value
    if -most <= low and high <= most:
        return "balanced"
    return "off" if low > most or high < -most else "unknown"


def _percent(cations: Interval, anions: Interval) -> Interval:
    """The difference grows with the cations and falls with the anions."""
    return _difference(cations[0], anions[1]), _difference(cations[1], anions[0])


def _difference(cations: Decimal, anions: Decimal) -> Decimal:
    total = cations + anions
    return 100 * (cations - anions) / total if total else Decimal(0)


def _criterion(band: int, policy: Policy) -> str:
    if band == 0:
        return f"{policy.charge_difference_dilute.value} meq/L (anions up to {DILUTE} meq/L)"
    if band == 1:
        return f"{100 * policy.charge_difference.value:.0f} % (anions {DILUTE} to {FRESH} meq/L)"
    return f"{100 * policy.charge_difference_mineral.value:.0f} % (anions above {FRESH} meq/L)"


def _span(ends: Interval, digits: int = 3) -> str:
    low, high = (f"{one:.{digits}f}" for one in ends)
    return low if low == high else f"{low} to {high}"


def _ion(row: Mapping[str, str]) -> Ion:
    charge = int(row["charge"])
    light, heavy = (weight_of(formula) / abs(charge) for formula in (row["formula"], row["heaviest"] or row["formula"]))
    return Ion(row["ion"], light, charge > 0, row["major"] == "yes", heavy, row["dissolved"] == "yes")
