"""A site as a pumping scenario: its aquifer with ranges, its streams, its production wells as metered, its other wells.

Private wells stand at the public position of ``site.toml``, the centre of their quarter-quarter section.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from models.errors import BadQuestion
from models.pumping import Interval
from models.quantity import to_unit
from models.scenario.noun import Scenario
from models.site import Aquifer, Range, Site, Stream, Well

PRIVATE = "private wells stand at the centre of their quarter-quarter section"


def site_scenario(
    site: Site, found: Mapping[str, Sequence[Sequence[Interval]]], permitted: Mapping[str, str], zone: ZoneInfo
) -> Scenario:
    """The site's question as a scenario.

    Parameters
    ----------
    found : production well -> the intervals of each of its meters, in order of time.
    permitted : well -> permitted rate with its unit.
    zone : of civil time.

    Raises
    ------
    BadQuestion : the site declares no aquifer, or no production well has a rate.
    """
    if site.aquifer is None:
        raise BadQuestion("the site declares no aquifer", key="aquifer", allowed=["[aquifer] in site.toml"])
    wells = [_well(one, found.get(one.id, ()), permitted.get(one.id), zone) for one in site.wells("production")]
    pumped = [one for one in wells if "rates" in one or "permitted" in one]
    if not pumped:
        reason = "no production well of the site has a meter reading"
        raise BadQuestion(reason, allowed=["`headwater ingest` of readings"])
    others = [_point(one) for one in site.well if one.use != "production"]
    return Scenario.model_validate(
        {
            "name": site.name, "crs": site.crs, "unit": "ftUS", "aquifer": _aquifer(site.aquifer), "well": pumped,
            "stream": [_stream(one, site.aquifer) for one in site.stream], "point": others, "boundary": site.boundary,
            "property_line": site.boundary, "notes": _notes(wells, found),
        }
    )  # fmt: skip


def _aquifer(aquifer: Aquifer) -> dict[str, Any]:
    return {
        "kind": "unconfined", "transmissivity": _ranged(aquifer.transmissivity_ft2_per_d, "ft2/d"),
        "storativity": _ranged(aquifer.specific_yield, ""), "source": aquifer.source,
        "thickness": f"{aquifer.saturated_thickness_ft:f} ft",
    }  # fmt: skip


def _ranged(range_: Range, unit: str) -> str:
    return f"{range_.low:f}..{range_.best:f}..{range_.high:f} {unit}".strip()


def _stream(stream: Stream, aquifer: Aquifer) -> dict[str, Any]:
    conductance = _ranged(aquifer.streambed_conductance_ft_per_d, "ft/d")
    return {"id": stream.id, "name": stream.name, "line": stream.line, "conductance": conductance}


def _point(well: Well) -> dict[str, Any]:
    intake = {} if well.pump_intake_ft is None else {"pump_intake": f"{well.pump_intake_ft:f} ft"}
    kind = "private" if well.use == "private" else "monitoring"
    return {"id": well.id, "name": well.name, "kind": kind, "position": well.position, **intake}


def _well(well: Well, meters: Sequence[Sequence[Interval]], permitted: str | None, zone: ZoneInfo) -> dict[str, Any]:
    rates = _steps(meters, zone)
    return {
        "id": well.id, "name": well.name, "position": well.position, **({"rates": rates} if rates else {}),
        **({"permitted": permitted} if permitted else {}),
    }  # fmt: skip


def _steps(meters: Sequence[Sequence[Interval]], zone: ZoneInfo) -> list[dict[str, Any]]:
    """The sum of the meters as a rate held from each reading; the last goes on. Changes of clock take no water."""
    volumes = [one for meter in meters for one in meter if one.end_ms > one.start_ms]
    edges = sorted({ms for one in volumes for ms in (one.start_ms, one.end_ms)})
    rows: list[dict[str, Any]] = []
    for start, end in pairwise(edges):
        begins, ends = _civil(start, zone), _civil(end, zone)
        days = (ends - begins).total_seconds() / 86_400
        if days > 0:
            rows.append({"since": begins, "rate": f"{_volume_gal(volumes, start, end) / days:.6f} gpd"})
    return rows


def _volume_gal(volumes: Sequence[Interval], start: int, end: int) -> float:
    over = [one for one in volumes if one.start_ms < end and one.end_ms > start]
    return sum((one.volume_gal or 0.0) * (end - start) / (one.end_ms - one.start_ms) for one in over)


def _civil(time_ms: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(time_ms / 1000, zone).replace(tzinfo=None)


def _notes(wells: Sequence[dict[str, Any]], found: Mapping[str, Sequence[Sequence[Interval]]]) -> list[str]:
    notes = [f"{one['id']} has no meter reading and is left out" for one in wells if len(one) == 3]
    for well in wells:
        meters = found.get(well["id"], ())
        unknown = sum(one.volume_gal is None for meter in meters for one in meter)
        notes += [f"{unknown} intervals of {well['id']} without a known volume count as no pumping"] if unknown else []
        notes += [_held(well)] if well.get("rates") else []
    return [*notes, PRIVATE]


def _held(well: dict[str, Any]) -> str:
    last = well["rates"][-1]
    gpm = to_unit(float(last["rate"].removesuffix(" gpd")), "gpd", "gpm")
    return f"{well['id']}: the rate of its last interval, {gpm:.3g} gpm from {last['since']}, is taken to go on"
