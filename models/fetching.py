"""What is fetched for a station, declared in ``[[fetch]]`` tables of ``site.toml``, and from which day on.

A site that declares none asks nobody. The number a service knows a station by is one of the station's ``identifiers``,
because the files that come back are placed by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Literal, Protocol

from pydantic import Field

from models.references import known, unique
from models.toml_file import Noun

Source = Literal["usgs", "wqp"]
OfUsgs = Literal["daily", "continuous", "field-measurements"]
Collection = OfUsgs | Literal["results"]

_USGS = re.compile(r"(?:USGS-)?(?P<number>\d{8,15})")
_WQP = re.compile(r"[A-Z0-9][A-Z0-9_]+-[A-Za-z0-9][A-Za-z0-9._-]*")
_OF_USGS: Mapping[str, tuple[OfUsgs, ...]] = {
    "Gauge": ("daily", "continuous"),
    "RainGauge": ("daily",),
    "Well": ("daily", "continuous", "field-measurements"),
}
_CODES = {"discharge": "00060", "stage": "00065", "RainGauge": "00045", "Well": "72019"}
"""USGS parameter codes: discharge, gage height, precipitation, depth to water below land surface."""


class Measuring(Protocol):
    """What of a station is needed here."""

    @property
    def id(self) -> str: ...
    @property
    def identifiers(self) -> tuple[str, ...]: ...


class Fetching(Protocol):
    """What of a site is needed here."""

    @property
    def fetch(self) -> tuple[Fetch, ...]: ...
    def stations(self) -> Sequence[Measuring]: ...


class Fetch(Noun):
    """One station to ask one service about.

    ``identifier``: which of the station's, where several would do. ``collections`` and ``parameters`` (USGS codes)
    default to what a station of its kind measures; both belong to ``usgs``. ``since``: the first day wanted at all.
    """

    station: str
    source: Source
    identifier: Annotated[str, Field(max_length=64)] | None = None
    collections: tuple[OfUsgs, ...] = ()
    parameters: tuple[Annotated[str, Field(pattern=r"^\d{5}$")], ...] = ()
    since: Annotated[date, Field(ge=date(1850, 1, 1), le=date(2200, 1, 1))] | None = None

    def target(self, station: Measuring) -> Target:
        """What to ask, for the station this names.

        Raises
        ------
        ValueError : no number of this service; nothing is known to be measured at this kind of station.
        """
        kind, identifiers = type(station).__name__, station.identifiers
        number = self._number(identifiers)
        if self.source == "wqp":
            return Target(self.station, self.source, number, ("results",), (), self.since)
        code = _CODES.get(getattr(station, "measures", kind))
        collections, parameters = (
            self.collections or _OF_USGS.get(kind, ()),
            self.parameters or ((code,) if code else ()),
        )
        if not collections or not parameters:
            raise ValueError(f"fetch: say which collections and parameters of {self.station} (a {kind})")
        return Target(self.station, self.source, number, collections, parameters, self.since)

    def _number(self, identifiers: Sequence[str]) -> str:
        """Eight to fifteen digits for USGS; organisation and station for WQP."""
        mine = [name.strip() for name in identifiers if self.identifier in {None, name}]
        found = sorted(set(_usgs_numbers(mine) if self.source == "usgs" else _wqp_numbers(mine)))
        what = "USGS number such as 05999999" if self.source == "usgs" else "WQP identifier such as ORG-10099999"
        if not found:
            raise ValueError(f"fetch: {self.station} has no {what} among its identifiers")
        if len(found) > 1:
            raise ValueError(f"fetch: {self.station} has {', '.join(found)}: say which by identifier")
        bare = found[0].removeprefix("USGS-")
        if bare.isdigit() and bare not in {name.strip() for name in identifiers}:
            raise ValueError(f"fetch: list {bare} among the identifiers of {self.station}: its files name it so")
        return found[0]


@dataclass(frozen=True)
class Target:
    """One station as one service knows it, and what is asked of it."""

    station: str
    source: Source
    number: str
    collections: tuple[Collection, ...]
    parameters: tuple[str, ...]
    since: date | None = None


def targets(site: Fetching) -> tuple[Target, ...]:
    """What is to be asked, in the order of the site file.

    Raises
    ------
    ValueError : a station that is not there or is declared twice for one service, or one that nothing can be asked of.
    """
    there = {one.id: one for one in site.stations()}
    known("station", [one.station for one in site.fetch], set(there))
    unique("fetch of a station from one source", [f"{one.source} {one.station}" for one in site.fetch])
    return tuple(one.target(there[one.station]) for one in site.fetch)


@dataclass(frozen=True)
class Reach:
    """How far one collection of a station is known.

    Parameters
    ----------
    stored : the last day in the store, by parameter; None where there is none.
    reached : the last day the service ever gave, by parameter.
    covered : the day of the last whole answer that was taken; None before the first.
    """

    stored: Mapping[str, date | None]
    reached: Mapping[str, date]
    covered: date | None = None


def first_day(reach: Reach, *, initial: date, window_days: int) -> date:
    """The first day to ask for: so much before the last value that a revision is seen, and never before ``initial``.

    Of several parameters the one that is furthest behind decides. A parameter of which nothing is stored, though the
    service gave some, was refused: it is asked for from the beginning, until the site file takes it.
    """
    days = [_last(reach, parameter) for parameter in reach.stored]
    behind = [one for one in days if one is not None]
    if len(behind) < len(days) or not behind:
        return initial
    return max(initial, min(behind) - timedelta(days=window_days))


def _last(reach: Reach, parameter: str) -> date | None:
    stored, reached = reach.stored[parameter], reach.reached.get(parameter)
    if stored is None and (reached is not None or reach.covered is None):
        return None
    return min(one for one in (stored, reached, reach.covered) if one is not None)


def _usgs_numbers(names: Iterable[str]) -> list[str]:
    found = (_USGS.fullmatch(name) for name in names)
    return [one["number"] for one in found if one]


def _wqp_numbers(names: Iterable[str]) -> list[str]:
    names = list(names)
    others = [name for name in names if _WQP.fullmatch(name) and not name.startswith("USGS-")]
    return others or [f"USGS-{number}" for number in _usgs_numbers(names)]
