"""The substance that a laboratory's own table names, with its basis, and a fraction written behind the name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ingest.canonical import UNNAMED
from ingest.cells import BadCell
from ingest.headings import parameter_of, plain_name
from ingest.wqx.substance import one_substance
from models.fractions import fraction_of
from models.parameters import Parameter, find_parameter

_BEHIND = re.compile(
    r"(.+?)[\s,]+\(?(total recoverable|total|tot\.?|dissolved|diss\.?|filtered|unfiltered|recoverable|field|lab)\)?",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(total recoverable|total|dissolved)\s+(.+)", re.IGNORECASE)


@dataclass(frozen=True)
class Named:
    """``fraction``: the words of it that stand beside the name, ``""`` for none."""

    parameter: str
    fraction: str = ""


@lru_cache(maxsize=4096)
def named(name: str, cas: str, basis: str) -> Named:
    """By name with the basis, else by CAS number where no basis is at stake, else by bare name.

    A fraction beside the name is taken off only where the whole is no name of its own (``Xylenes, total`` is one).

    Raises
    ------
    BadCell : the CAS number is another substance's.
    """
    found = _named(name, cas, basis)
    agreed(find_parameter("name", found.parameter), "", cas)
    return found


@lru_cache(maxsize=4096)
def agreed(one: Parameter | None, name: str, cas: str) -> None:
    """Refuse a row that names a second substance.

    Parameters
    ----------
    one : what a code or a name stands for; ``name`` and ``cas``: what stands beside it, ``""`` for nothing.

    Raises
    ------
    BadCell : naming both.
    """
    by_name = find_parameter("name", _named(name, "", "").parameter) if name else None
    for column, other in (("analyte", by_name), ("cas", find_parameter("cas", cas) if cas else None)):
        try:
            one_substance(one, other)
        except BadCell as bad:
            raise BadCell(bad.reason, column) from None


def _named(name: str, cas: str, basis: str) -> Named:
    if not name:
        return Named(UNNAMED)
    if _known(name, basis) is None and (split := _split(name, basis)) is not None:
        return split
    found = _known(name, basis)
    by_number = find_parameter("cas", cas) if found is None and cas and not basis else None
    known = found or by_number
    return Named(known.id if known else _unknown(name, basis))


@lru_cache(maxsize=4096)
def stated_fraction(column: str, beside: str) -> str:
    """The fraction of the column, else the one beside the name.

    Raises
    ------
    BadCell : the two disagree.
    """
    own, other = fraction_of(column, ""), fraction_of(beside, "")
    if own and other and own != other:
        raise BadCell(f"the name says {beside.casefold()}")
    return column or beside


def _known(name: str, basis: str) -> Parameter | None:
    """A basis that is the substance itself (lead ``as Pb``) is none."""
    tail = f"as {basis}" if basis else "basis unstated"
    with_basis = find_parameter("name", f"{plain_name(name)}_{tail.casefold().replace(' ', '_')}")
    if with_basis is not None:
        return with_basis
    found = find_parameter("name", parameter_of(name))
    if found is None or not basis or found.id.endswith(f"_as_{basis.casefold()}"):
        return found
    return found if find_parameter("name", basis) == found else None


def _split(name: str, basis: str) -> Named | None:
    behind, before = _BEHIND.fullmatch(name), _BEFORE.fullmatch(name)
    for bare, fraction in (
        (behind[1], behind[2]) if behind else ("", ""),
        (before[2], before[1]) if before else ("", ""),
    ):
        known = _known(bare, basis) if bare else None
        if known is not None:
            return Named(known.id, "" if fraction.casefold() in {"field", "lab"} else fraction)
    return None


def _unknown(name: str, basis: str) -> str:
    return f"name:{name} as {basis}" if basis else parameter_of(name)
