"""What a site's record of pumping leaves open, well by well, in words: left out, not known, when within its time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isfinite, isinf

from models.aquifer.volume_timing import Span
from models.metered_volumes import Interval
from models.observation import DAY_MS
from models.quantity import to_unit
from models.scenario.noun import Scenario
from models.site import Well

NOBODY = "no meter reading"


def without_volumes(well: Well) -> str:
    """What is missing of a well of which no volume is known."""
    if well.volumes_by is None or well.volumes_by == "meter":
        return NOBODY if well.volumes_by else f"{NOBODY}, logged rate, run time or reported volume"
    return f"no volumes by its {well.volumes_by}, which the site states to speak (volumes_by)"


def unknown_says(id: str, records: Sequence[Sequence[Interval]], spans: Sequence[Span]) -> Iterator[str]:
    """Time of which no volume is known: the best estimate takes it for rest."""
    hidden = sum(one.volume_gal is None and one.told_gal is None for record in records for one in record)
    if hidden:
        bounded = any(isinf(one.beside) for one in spans)
        more = "at most what the pump lifts" if bounded else "no pump capacity bounds them, and no range holds them"
        yield f"{_some(hidden, 'interval')} of {id} without a known volume count as no pumping; {more}"
    for one in (one for record in records for one in record if one.told_gal is not None):
        yield f"{id}: {one.note}; the best estimate takes the least of it, the range both"
    silent = sum(after.start_ms - before.end_ms for record in records for before, after in pairwise(record))
    if silent:
        yield f"nothing is known of {id} for {silent / DAY_MS:.3g} days within its record, which count as no pumping"


def held_says(id: str, records: Sequence[Sequence[Interval]], rate: str, since: object) -> str:
    """That the last rate is taken to go on; where its volume is not known, that none is."""
    last = max((record[-1] for record in records), key=lambda one: one.end_ms)
    if last.volume_gal is None and last.told_gal is None:
        return f"{id}: the volume of its last interval is not known, and no pumping is taken to go on"
    return f"{id}: the rate of its last interval, {rate} from {since}, is taken to go on"


def spread_says(id: str, spans: Sequence[Span]) -> Iterator[str]:
    """That volumes are spread over days."""
    known = [one.ends - one.begins for one in spans if one.volume]
    if known:
        yield f"{id}: {_some(len(known), 'volume')} of up to {max(known):.3g} days, each spread evenly over its time"


def _some(count: int, thing: str) -> str:
    return f"1 {thing}" if count == 1 else f"{count} {thing}s"


def timing_says(scenario: Scenario) -> tuple[str, ...]:
    """How far the range of an answer holds what is not known of the pumping; nothing where every day is known."""
    return tuple(_range_says(well.id, well.spans) for well in scenario.well if well.spans)


def _range_says(id: str, spans: Sequence[Span]) -> str:
    most = max(one.most for one in spans)
    lifted = f"{to_unit(most, 'm3/d', 'gpd'):,.0f} gal/day, its pump's capacity," if isfinite(most) else "all of it"
    hidden = any(isinf(one.beside) for one in spans)
    unknown = " and, of times without a known volume, from nothing to that" if hidden else ""
    return (
        f"low and high hold that the volumes of {id} may have been pumped on any days of their time, up to {lifted} "
        f"on one{unknown}"
    )
