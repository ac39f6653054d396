"""The signed base flows of a gauge: which count, which is in force on a day, and the threshold they make.

"Base flows established prior to the beginning of mining": what rests on days of mining never counts, and nothing is
used before it was signed. A record signed only after mining began judges from its signature on, except DNR's own and a
reconstruction from an index record that ends before mining (decision 29). A correction judges from its own day on
(decision 30). From the day DNR's value is in force, DNR's value is the base flow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from models.base_flow import BaseFlow, doubts
from models.site import Gauge, Site, Stream
from models.streamflow.threshold import Threshold


@dataclass(frozen=True)
class _Version:
    """A signed record and the first day it may judge."""

    record: BaseFlow
    since: date

    def as_judged(self) -> BaseFlow:
        return self.record.model_copy(update={"effective": self.since})


def signed_versions(stream: Stream, gauge: Gauge, began: date, on: date) -> list[BaseFlow]:
    """The records a night judges by, in order; ``effective`` is here the first day each may judge."""
    return [one.as_judged() for one in _in_force(stream, gauge, began, on)]


def signed_records(stream: Stream, gauge: Gauge, began: date, on: date) -> list[BaseFlow]:
    """The same as they were signed."""
    return [one.record for one in _in_force(stream, gauge, began, on)]


def version_on(versions: Sequence[BaseFlow], day: date) -> BaseFlow:
    """The version a day is judged under: the first one until a correction takes over (decision 30)."""
    return next((one for one in reversed(versions) if one.effective <= day), versions[0])


def versions_of(versions: Sequence[BaseFlow], days: Sequence[date]) -> list[BaseFlow]:
    """The versions some days are judged under, each once, in order."""
    used = {version_on(versions, day).version for day in days}
    return [one for one in versions if one.version in used]


def threshold(versions: Sequence[BaseFlow]) -> Threshold:
    """The signed record as a threshold by day."""
    whole = versions[0].threshold()
    for correction in versions[1:]:
        whole = whole.then(correction.effective, correction.threshold())
    return whole


def reaches_back(versions: Sequence[BaseFlow], began: date) -> bool:
    """Whether one judges days before its own late signature: what they say changes when it is signed, not by data."""
    return any(one.is_late(began) and one.effective < one.signed_on for one in versions)


def why_none(stream: Stream, gauge: Gauge, began: date, on: date) -> str:
    """Why nothing can be judged on a day; empty where something can."""
    if _in_force(stream, gauge, began, on):
        return ""
    signed = _of(stream, gauge)
    said = "; ".join(_why_not_yet(one, began, on) for one in signed)
    to_come = any(one.record_to < began and not one.is_late(began) for one in signed)
    none = "no base flow is in force yet" if to_come else "no base flow was established before mining"
    return none + (f": {said}" if said else "")


def late_words(base: BaseFlow, began: date) -> str:
    """That a record in force was not signed before mining; empty where it was."""
    if not base.is_late(began):
        return ""
    said = f"base flow version {base.version} was signed on {base.signed_on}, after mining began on {began}"
    return f"{said}: it judges from {base.effective} on, and that it was established in time can be contested"


def not_used(stream: Stream, gauge: Gauge, began: date, on: date) -> list[str]:
    """Records of a licensee that DNR's own stands in the place of, a line each."""
    used = {one.version for one in signed_records(stream, gauge, began, on)}
    dnr = next((one for one in _in_force(stream, gauge, began, on) if one.record.source == "DNR"), None)
    return [
        f"version {one.version}, {one.says()} cfs, signed by {one.signed_by}, is not used"
        + ("" if one.version not in used else f" from {dnr.since} on")
        + f": DNR's value (version {dnr.record.version}) is the base flow"
        for one in _of(stream, gauge)
        if dnr is not None and one.source == "licensee" and one.effective <= on
    ]


def site_doubts(site: Site, minimum_years: Decimal) -> Iterator[str]:
    """What can be held against the signed base flows of a site, one line each."""
    began, gauges = site.permit.mining_began, {one.id: one for one in site.gauge}
    for stream in site.stream:
        for base in stream.base_flow:
            said = (*doubts(base, minimum_years, gauges), *_against_mining(base, began))
            yield from (f"base flow version {base.version} of {base.gauge}: {one}" for one in said)
        for id in dict.fromkeys(base.gauge for base in stream.base_flow):
            said_of = not_used(stream, gauges[id], began, date.max)
            yield from (f"base flow of {id}: {one}" for one in said_of)


def _against_mining(base: BaseFlow, began: date) -> Iterator[str]:
    if base.record_to >= began:
        yield f"its record ends on {base.record_to}, after mining began on {began}: it is never judged by"
        return
    late, since = base.is_late(began), _since(base, began, is_first=_counts_back(base, began))
    when = f"signed on {base.signed_on}" if late else f"effective from {base.effective}"
    if since > began:
        index = base.extended_from and "index_to" not in base.parameters and late
        state = "; state parameters.index_to, the last day of the index record" if index else ""
        yield f"{when}, after mining began on {began}: it judges no day before {since}{state}"
    elif late:
        yield f"{when}, after mining began on {began}: it can be contested"


def _in_force(stream: Stream, gauge: Gauge, began: date, on: date) -> list[_Version]:
    usable = [one for one in _of(stream, gauge) if max(one.effective, one.signed_on) <= on and one.record_to < began]
    founding = [one for one in usable if not one.is_late(began) or _counts_back(one, began)]
    first = min(founding, key=lambda one: (one.signed_on, one.effective), default=None)
    dated = [_Version(one, _since(one, began, is_first=one is first)) for one in usable]
    ordered = sorted(dated, key=lambda one: (one.since, one.record.signed_on, one.record.version))
    dnr = next((one.since for one in ordered if one.record.source == "DNR"), None)
    return [one for one in ordered if dnr is None or one.record.source == "DNR" or one.since < dnr]


def _since(base: BaseFlow, began: date, *, is_first: bool) -> date:
    """The first day it may judge: its own, and not before a signature that came late."""
    return base.effective if is_first or not base.is_late(began) else max(base.effective, base.signed_on)


def _counts_back(base: BaseFlow, began: date) -> bool:
    return base.source == "DNR" or base.is_reconstruction(began)


def _of(stream: Stream, gauge: Gauge) -> list[BaseFlow]:
    return sorted((one for one in stream.base_flow if one.gauge == gauge.id), key=lambda one: one.effective)


def _why_not_yet(base: BaseFlow, began: date, on: date) -> str:
    if base.record_to >= began:
        return f"version {base.version} rests on days to {base.record_to}, and mining began on {began}"
    signed = f"version {base.version}, signed on {base.signed_on}"
    return f"{signed}, takes effect on {base.effective}" if base.effective > on else f"{signed}, is not signed by {on}"
