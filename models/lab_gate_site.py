"""Rules of the gate that need the site: its stations, and what its sampling calendars ask of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from models.lab_gate import Fault
from models.lab_gate_result import Delivered
from models.sampling import LEVELS, Sampling
from models.site import Site

NEAREST = 3


def stations_by_name(site: Site) -> dict[str, str]:
    """The site's id of every name a file may write, without regard to case."""
    return {name.casefold(): one.id for one in site.stations() for name in (one.id, *one.identifiers)}


def of_site(results: Sequence[Delivered], site: Site, counts_as: Mapping[str, str]) -> Iterator[Fault]:
    """Every rule that results break at this site.

    Parameters
    ----------
    counts_as : the substance of each form that another name is reported under.
    """
    names = stations_by_name(site)
    known: dict[str, list[Delivered]] = {}
    strangers: dict[str, list[Delivered]] = {}
    for one in results:
        id = names.get(one.stored.station.strip().casefold())
        (strangers if id is None else known).setdefault(id or one.stored.station, []).append(one)
    for station, group in strangers.items():
        yield group[0].fault("station-unknown", _unknown(station, names, len(group)))
    for station, group in known.items() if site.sampling else ():
        yield from _asked(station, group, site.sampling, counts_as)


def _unknown(station: str, names: Mapping[str, str], n: int) -> str:
    close = difflib.get_close_matches(station.strip().casefold(), names, n=NEAREST, cutoff=0.5)
    nearest = ", ".join(dict.fromkeys(names[name] for name in close)) or "none is near"
    return f"{station or 'no station'}: {n} results; nearest of the site: {nearest}"


def _asked(
    station: str, group: Sequence[Delivered], calendars: Sequence[Sampling], counts_as: Mapping[str, str]
) -> Iterator[Fault]:
    """A day of which no list asks for anything, and what is missing of a list that was delivered in part."""
    days: dict[date, list[Delivered]] = {}
    for one in group:
        days.setdefault(one.day, []).append(one)
    for day, results in days.items():
        lists = [one for one in calendars if station in one.stations and one.group != LEVELS and _runs(one, day)]
        given = {name for one in results for name in (one.stored.parameter, counts_as.get(one.stored.parameter, ""))}
        begun = [one for one in lists if given & set(one.substances)]
        if not begun:
            yield _of_event(results[0], "sampling-not-asked", f"{station} sampled {day}: {_lists(lists)}")
        for asked in begun:
            if missing := [name for name in asked.substances if name not in given]:
                found = f"{station} sampled {day}, list {asked.id}: {', '.join(missing)}"
                yield _of_event(results[0], "parameters-missing", found)
                unknown = [one for one in results if not one.known]
                yield from (
                    one.fault("parameter-asked-unknown", f"{one.stored.parameter}; {found} missing") for one in unknown
                )


def _runs(one: Sampling, day: date) -> bool:
    return one.until is None or day <= one.until


def _lists(lists: Sequence[Sampling]) -> str:
    named = ", ".join(one.id for one in lists)
    return f"nothing here is of its lists {named}" if named else "no list names it"


def _of_event(one: Delivered, rule: str, found: str) -> Fault:
    return Fault(rule, one.row, found, one.stored.station, one.sample)
