"""A site as a pumping scenario: its aquifer with ranges, its streams, its production wells as known, its other wells.

A well pumps what its meter, log, run times or reports say, whichever speaks (`models.known_volumes`).

Private wells stand at the public position of ``site.toml``, the centre of their quarter-quarter section.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from itertools import pairwise
from math import inf
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from models.aquifer.volume_timing import Span
from models.errors import BadQuestion
from models.metered_volumes import Interval
from models.observation import DAY_MS
from models.quantity import Quantity, to_unit
from models.scenario.noun import Kind, Scenario, day_number
from models.scenario.pit_of_site import pit_of_site
from models.scenario.record_says import held_says, spread_says, unknown_says, without_volumes
from models.scenario.screens import screen_of
from models.site import Aquifer, Range, Site, Stream, Well
from models.stratigraphy import depths_ft, transmissivity_ft2_per_d
from models.units import factor
from models.volume_bounds import VolumeRecord

PRIVATE = "private wells stand at the centre of their quarter-quarter section"
A_DAY = 25 / 24
"""A volume of no more than a civil day is known by the day."""
GOES_ON = 1e-9
"""Share of a rate: closer than this, the last rate of the schedule is that of the last interval."""


def site_scenario(
    site: Site,
    found: Mapping[str, Sequence[Sequence[Interval]]],
    permitted: Mapping[str, str],
    zone: ZoneInfo,
    kind: Kind = "metered",
    by: Mapping[str, str] | None = None,
) -> Scenario:
    """The site's question as a scenario.

    Parameters
    ----------
    found : production well -> the intervals of each of its records, in order of time.
    permitted : well -> permitted rate with its unit, over what the site states.
    zone : of civil time.
    kind : in the metered one a well without a known volume is left out; in the maximum one it pumps its permitted rate
        from the day mining began.
    by : well -> how its volumes are known, where that is no meter.

    Raises
    ------
    BadQuestion : the site declares no aquifer, or no production well has a rate.
    """
    if site.aquifer is None:
        raise BadQuestion("the site declares no aquifer", key="aquifer", allowed=["[aquifer] in site.toml"])
    wells = [_well(site, one, found.get(one.id, ()), permitted, zone) for one in site.wells("production")]
    pumped = [one for one in wells if "rates" in one or (kind == "maximum" and "permitted" in one)]
    if not pumped:
        raise _nothing_pumped(kind)
    others = [_point(one) for one in site.well if one.use != "production"]
    pit = pit_of_site(site)
    return Scenario.model_validate(
        {
            "name": site.name, "crs": site.crs, "unit": "ftUS", "aquifer": _aquifer(site.aquifer), "well": pumped,
            "layer": tuple(_layers(site, site.aquifer)),
            "stream": [_stream(one, site.aquifer) for one in site.stream], "point": others, "boundary": site.boundary,
            "property_line": site.boundary, "pit": pit.pit,
            "notes": [*_notes(site, wells, pumped, found, by or {}), *_transmissivity(site, site.aquifer), *pit.notes],
        }
    )  # fmt: skip


def _nothing_pumped(kind: Kind) -> BadQuestion:
    reason = "no production well of the site has a meter reading, or a volume by a log, run times or reports"
    if kind == "metered":
        return BadQuestion(reason, allowed=["`headwater ingest` of readings or reports"])
    return BadQuestion(f"{reason} or a permitted rate", key="well.permitted", allowed=['permitted = "500 gpm"'])


def _aquifer(aquifer: Aquifer) -> dict[str, Any]:
    return {
        "kind": "unconfined", "transmissivity": _ranged(aquifer.transmissivity_ft2_per_d, "ft2/d"),
        "storativity": _ranged(aquifer.specific_yield, ""), "source": aquifer.source,
        "thickness": f"{aquifer.saturated_thickness_ft:f} ft", "recharge": aquifer.recharge,
        "dry_year_recharge": aquifer.dry_year_recharge, "porosity": aquifer.porosity,
    }  # fmt: skip


def _layers(site: Site, aquifer: Aquifer) -> Iterator[dict[str, Any]]:
    """Depths below the undisturbed water table of what the site file gives as elevations."""
    depths = depths_ft(site.layer, aquifer.saturated_thickness_ft) if site.layer else []
    for one, depth in zip(site.layer, depths, strict=True):
        given = {
            "vertical_conductivity": (one.vertical_conductivity_ft_per_d, " ft/d"),
            "specific_storage": (one.specific_storage_per_ft, " 1/ft"), "specific_yield": (one.specific_yield, ""),
        }  # fmt: skip
        stated = {name: f"{value:f}{unit}" for name, (value, unit) in given.items() if value is not None}
        yield {
            "id": one.id, "bottom": f"{depth:f} ft", "conductivity": f"{one.conductivity_ft_per_d:f} ft/d", **stated,
        }  # fmt: skip


def _transmissivity(site: Site, aquifer: Aquifer) -> Iterator[str]:
    """Where the layers' own lies outside the range of the aquifer's: a numerical model then answers for another one."""
    if not site.layer:
        return
    told, range_ = (
        transmissivity_ft2_per_d(site.layer, aquifer.saturated_thickness_ft),
        aquifer.transmissivity_ft2_per_d,
    )
    if not range_.low <= told <= range_.high:
        yield (
            f"the layers have a transmissivity of {told:.0f} ft2/d, outside the aquifer's {range_.low:f} to "
            f"{range_.high:f}: the closed forms take the aquifer's, a numerical model the layers'"
        )


def _ranged(range_: Range, unit: str) -> str:
    return f"{range_.low:f}..{range_.best:f}..{range_.high:f} {unit}".strip()


def _stream(stream: Stream, aquifer: Aquifer) -> dict[str, Any]:
    conductance = _ranged(aquifer.streambed_conductance_ft_per_d, "ft/d")
    return {"id": stream.id, "name": stream.name, "line": stream.line, "conductance": conductance}


def _point(well: Well) -> dict[str, Any]:
    intake = {} if well.pump_intake_ft is None else {"pump_intake": f"{well.pump_intake_ft:f} ft"}
    kind = "private" if well.use == "private" else "monitoring"
    return {"id": well.id, "name": well.name, "kind": kind, "position": well.position, **intake}


def _well(
    site: Site, well: Well, meters: Sequence[Sequence[Interval]], permitted: Mapping[str, str], zone: ZoneInfo
) -> dict[str, Any]:
    rates, most = _steps(meters, zone), permitted.get(well.id) or well.permitted
    begins = {} if rates or not most else {"since": site.permit.mining_began}
    return {
        "id": well.id, "name": well.name, "position": well.position, **({"rates": rates} if rates else {}),
        **({"permitted": most} if most else {}), **begins, **screen_of(site, well),
        "spans": tuple(_spans(well, meters, zone)),
    }  # fmt: skip


def _spans(well: Well, meters: Sequence[Sequence[Interval]], zone: ZoneInfo) -> Iterator[Span]:
    """Times of more than a day of which only the volume is known, or what the pump can have lifted."""
    able = max((one.gal_per_day for one in well.pump), default=None)
    m3 = float(factor("gal", "m3"))
    most = inf if able is None else float(able) * m3
    for one in (each for meter in meters for each in meter):
        begins, ends = (day_number(_civil(ms, zone)) for ms in (one.start_ms, one.end_ms))
        least, greatest = one.told_gal or (one.volume_gal or 0.0,) * 2
        beside = inf if one.volume_gal is None and one.told_gal is None else (greatest - least) * m3
        if ends - begins > (0 if beside else A_DAY) and min(most, beside) < inf:
            yield Span(begins, ends, least * m3, most, beside)


def _steps(meters: Sequence[Sequence[Interval]], zone: ZoneInfo) -> list[dict[str, Any]]:
    """The sum of the meters as a rate held from each reading; the last goes on.

    A rate is what was pumped over the time by the civil clock, whose day has 24 hours: a change of clock takes no
    water, and what was pumped in the hour that comes twice is pumped over the time around it.
    """
    volumes = [[_at_least(one) for one in meter if one.end_ms > one.start_ms] for meter in meters]
    edges = np.unique([ms for meter in volumes for one in meter for ms in (one.start_ms, one.end_ms)])
    if edges.size < 2:
        return []
    pumped = sum((VolumeRecord(tuple(meter)).counted(edges) for meter in volumes if meter), np.zeros(edges.size))
    moments = [_civil(int(ms), zone) for ms in edges]
    kept = _onward(moments)
    counted = [float(pumped[k]) for k in kept[:-1]] + [float(pumped[-1])]
    rows = [
        {"since": moments[k], "rate": _gpd(after - before, _days(moments[k], moments[m]))}
        for (k, m), (before, after) in zip(pairwise(kept), pairwise(counted), strict=True)
    ]
    last = _gpd(float(pumped[-1] - pumped[-2]), float(edges[-1] - edges[-2]) / DAY_MS)
    return [*rows, *_going_on(rows, moments[kept[-1]], last)]


def _at_least(one: Interval) -> Interval:
    """Where reports contradict each other, the least that they tell."""
    return one if one.told_gal is None else replace(one, volume_gal=one.at_least_gal)


def _onward(moments: Sequence[datetime]) -> list[int]:
    """The moments at which the civil clock shows more than ever before."""
    kept = [0]
    for number, moment in enumerate(moments):
        if moment > moments[kept[-1]]:
            kept.append(number)
    return kept


def _going_on(rows: Sequence[dict[str, Any]], since: datetime, last: Quantity) -> list[dict[str, Any]]:
    """The last interval's rate by true time, where a change of clock made the last step another."""
    if rows and abs(rows[-1]["rate"].value - last.value) <= GOES_ON * abs(last.value):
        return []
    return [{"since": since, "rate": last}]


def _days(begins: datetime, ends: datetime) -> float:
    return (ends - begins).total_seconds() / 86_400


def _gpd(volume_gal: float, days: float) -> Quantity:
    gpd = Decimal(f"{volume_gal / days:.6f}")
    return _known_rate(gpd * factor("gpd", "m3/d"), f"{gpd:f} gpd")


def _known_rate(m3_per_d: Decimal, text: str) -> Quantity:
    """Without reading the text again: there is one for every reading of a meter."""
    return Quantity(m3_per_d, m3_per_d, m3_per_d, "gpd", text)


def _civil(time_ms: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(time_ms / 1000, zone).replace(tzinfo=None)


def _notes(
    site: Site,
    wells: Sequence[dict[str, Any]],
    pumped: Sequence[dict[str, Any]],
    found: Mapping[str, Sequence[Sequence[Interval]]],
    by: Mapping[str, str],
) -> list[str]:
    lacks = {one.id: without_volumes(one) for one in site.wells("production")}
    notes = [f"{one['id']} has {lacks[one['id']]} and is left out" for one in wells if one not in pumped]
    notes += [_since(one, lacks[one["id"]]) for one in pumped if "rates" not in one]
    for well in wells:
        id, records = well["id"], found.get(well["id"], ())
        notes += [f"{id} pumps what is known of it by {by[id]}"] if id in by and records else []
        notes += [*unknown_says(id, records, well["spans"]), *spread_says(id, well["spans"])]
        notes += [_held(well, records)] if well.get("rates") else []
    return [*notes, PRIVATE]


def _since(well: dict[str, Any], lacks: str) -> str:
    return f"{well['id']} has {lacks}: it pumps its permitted rate from {well['since']}, when mining began"


def _held(well: dict[str, Any], records: Sequence[Sequence[Interval]]) -> str:
    last = well["rates"][-1]
    gpm = to_unit(last["rate"].value, "m3/d", "gpm")
    return held_says(well["id"], records, f"{gpm:.3g} gpm", last["since"])
