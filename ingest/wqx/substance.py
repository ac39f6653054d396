"""What a water-quality result measures: the parameter behind a characteristic, and the basis its unit is given on.

Nitrate "as N" and "as NO3" differ by 4.4 and carry one CAS number, so a basis is compared and never supposed: a
result whose basis is unknown, or another than the vocabulary's, keeps its own name and is refused when placed.
Terms: EPA WQX domain lists (characteristic, method speciation, sample fraction).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ingest.cells import BadCell, unit
from models.errors import BadUnit
from models.fractions import fraction_of
from models.parameters import Parameter, find_parameter, parameter, parameters
from models.units import unit_id

CHARACTERISTICS = {
    "alkalinity": "alkalinity_as_caco3",
    "ammonia": "ammonia_as_n",
    "ammonia-nitrogen": "ammonia_as_n",
    "depth, from ground surface to well water level": "depth_to_water",
    "inorganic nitrogen (nitrate and nitrite)": "nitrate_nitrite_as_n",
    "nitrate + nitrite": "nitrate_nitrite_as_n",
    "stream flow, instantaneous": "discharge",
    "temperature, water": "water_temperature",
}
"""WQX characteristic names that the vocabulary does not list itself."""

ITS_OWN_BASIS = {"phosphorus_total": "p", "organic_carbon_dissolved": "c", "sulfate": "so4", "chloride": "cl"}
ONLY_FRACTION = {"phosphorus_total": "total", "organic_carbon_dissolved": "dissolved"}
ALWAYS_AS_CACO3 = "caco3"
UNITLESS = {"SU", "1"}
_MADE_OF = {"m_p_xylene": {"m_xylene", "p_xylene"}}
"""Two substances that are measured as one: a laboratory gives either's CAS number."""

_BASIS_IN_NAME = re.compile(r"\(as (\w+)\)")
_AS_BASIS = re.compile(r"(.*\S)\s+\(?as\s*([A-Za-z0-9]+)\)?", re.IGNORECASE)
_BARE_BASIS = re.compile(r"(.*\S)\s+(CaCO3|NO3|NO2|NH4|NH3|PO4|SO4|SiO2|N|P)", re.IGNORECASE)
_BASIS_INSIDE = re.compile(r"^(\w+)[- ](CaCO3|NO3|NO2|NH4|NH3|PO4|SO4|SiO2|N|P|C|S)/L$", re.IGNORECASE)
_BASIS_BEHIND = re.compile(r"(.*\S)-(CaCO3|NO3|NO2|NH4|NH3|PO4|SO4|SiO2|N|P)", re.IGNORECASE)
_NITROGEN = re.compile(r"(.*\S)\s+(?:NO3|NO2|NH4|NH3)-(N)", re.IGNORECASE)


@dataclass(frozen=True)
class Characteristic:
    """What a row calls its substance: USGS parameter code, CAS number, name, sample fraction, basis (``"as N"``)."""

    code: str
    cas: str
    name: str
    fraction: str
    basis: str


@dataclass(frozen=True)
class Substance:
    """``id`` as the tidy table wants it; ``known`` is None where the vocabulary lacks it."""

    id: str
    known: Parameter | None


@lru_cache(maxsize=4096)
def substance(said: Characteristic) -> Substance:
    """The parameter by USGS code, else CAS number, else name; an unknown one keeps its code or its name.

    Raises
    ------
    BadCell : neither a code nor a name, or two that name two substances.
    """
    for found, by_code in _candidates(said):
        if found is not None and _fits(found, said, by_code):
            for scheme, text in (("cas", said.cas), ("name", said.name)):
                one_substance(found, find_parameter(scheme, text) if text else None)
            return Substance(found.id, found)
    if said.code:
        return Substance(f"usgs:{said.code.zfill(5)}", None)
    if not said.name:
        raise BadCell("blank")
    return Substance(f"name:{said.name}" + (f" as {said.basis}" if said.basis else ""), None)


def one_substance(one: Parameter | None, other: Parameter | None) -> None:
    """Refuse two substances for one result, since nobody can tell which was measured.

    Compared by the CAS number where both have one: what has none may be a part of the other, or the sum of both.

    Raises
    ------
    BadCell : naming both.
    """
    if one is None or other is None or "" in {one.cas, other.cas}:
        return
    if one.cas != other.cas and other.id not in _MADE_OF.get(one.id, ()):
        raise BadCell(f"{other.name}, and beside it {one.name}: two substances")


@lru_cache(maxsize=4096)
def split_basis(text: str) -> tuple[str, str]:
    """``mg/l as N``, ``mg/l asNO3``, ``mg/l CaCO3`` or ``mg-N/L`` as a unit spelling and a basis."""
    text = _BASIS_INSIDE.sub(r"\1/L as \2", text.strip())
    match = _AS_BASIS.fullmatch(text) or _NITROGEN.fullmatch(text)
    if match is None and not _is_unit(text):
        match = _BARE_BASIS.fullmatch(text) or _BASIS_BEHIND.fullmatch(text)
    return (match[1], match[2]) if match and _is_unit(match[1]) else (text, "")


@lru_cache(maxsize=1024)
def stated_basis(speciation: str, unit_basis: str) -> str:
    """The one basis a row states, beside its unit or in its speciation column.

    Raises
    ------
    BadCell : the two disagree.
    """
    spoken = re.sub(r"^as\s*", "", speciation.strip(), flags=re.IGNORECASE)
    if spoken and unit_basis and spoken.casefold() != unit_basis.casefold():
        raise BadCell(f"the unit is as {unit_basis}")
    return spoken or unit_basis


@lru_cache(maxsize=4096)
def measured_unit(spelling: str, measured: Substance) -> str:
    """The unit id of a result; an unknown substance keeps an unknown spelling.

    Raises
    ------
    BadCell : blank, or no unit of this substance.
    """
    known = measured.known
    if known is None:
        return unit_id(spelling) if spelling and _is_unit(spelling) else spelling
    if spelling.casefold() in {"", "none"}:
        if known.canonical_unit in UNITLESS:
            return known.canonical_unit
        raise BadCell("blank unit")
    return unit(spelling, known.canonical_unit)


def _candidates(said: Characteristic) -> Iterator[tuple[Parameter | None, bool]]:
    """USGS codes are STORET's own numbers carried on, so a code the one list lacks is looked up in the other."""
    if said.code:
        yield find_parameter("usgs", said.code.zfill(5)), True
        yield find_parameter("storet", said.code), True
    if said.cas:
        yield find_parameter("cas", said.cas), False
    if not said.name:
        return
    for name in (said.name, f"{said.name}, {_fraction(said)}", f"{said.name} ({_fraction(said)})"):
        yield find_parameter("name", name), False
    yield find_parameter("name", f"{said.name} ({said.basis and 'as '}{said.basis or 'basis not stated'})"), False
    listed = CHARACTERISTICS.get(said.name.casefold())
    yield None if listed is None else parameter(listed), False
    if listed and not said.basis:
        yield parameters().get(listed.replace("_as_n", "_basis_unstated")), False


def _fraction(said: Characteristic) -> str:
    return fraction_of(said.fraction, "") or said.fraction.casefold()


def _fits(found: Parameter, said: Characteristic, by_code: bool) -> bool:
    only = ONLY_FRACTION.get(found.id)
    if only and not by_code and _fraction(said) != only:
        return False
    own = _BASIS_IN_NAME.search(found.name)
    if own is None:
        return not said.basis or said.basis.casefold() == ITS_OWN_BASIS.get(found.id)
    named = own[1].casefold() in re.findall(r"[a-z0-9]+", said.name.casefold())
    supposed = by_code or named or own[1].casefold() == ALWAYS_AS_CACO3
    return said.basis.casefold() == own[1].casefold() if said.basis else supposed


def _is_unit(text: str) -> bool:
    try:
        unit_id(text)
    except BadUnit:
        return False
    return True
