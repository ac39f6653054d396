"""The signed base flows of a gauge: which count, which is in force on a day, and the threshold they make.

The rules are those of every signed record (`models.signed_record`); an index record that ends before mining makes a
reconstruction that judges days before its signature (decision 29).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

from models import base_level, signed_record
from models.base_flow import BaseFlow, doubts
from models.signed_record import late_words, reaches_back, threshold
from models.site import Gauge, Site, Stream

__all__ = [
    "late_words", "not_used", "reaches_back", "signed_records", "signed_versions", "site_doubts", "threshold",
    "version_on", "versions_of", "why_none",
]  # fmt: skip


def signed_versions(stream: Stream, gauge: Gauge, began: date, on: date) -> list[BaseFlow]:
    """The records a night judges by, in order; ``effective`` is here the first day each may judge."""
    return [one.as_judged() for one in signed_record.in_force(_of(stream, gauge), began, on)]


def signed_records(stream: Stream, gauge: Gauge, began: date, on: date) -> list[BaseFlow]:
    """The same as they were signed."""
    return [one.record for one in signed_record.in_force(_of(stream, gauge), began, on)]


def version_on(versions: Sequence[BaseFlow], day: date) -> BaseFlow:
    """The version a day is judged under: the first one until a correction takes over (decision 30)."""
    return signed_record.last_begun(versions, day) or versions[0]


def versions_of(versions: Sequence[BaseFlow], days: Sequence[date]) -> list[BaseFlow]:
    """The versions some days are judged under, each once, in order."""
    used = {version_on(versions, day).version for day in days}
    return [one for one in versions if one.version in used]


def why_none(stream: Stream, gauge: Gauge, began: date, on: date) -> str:
    """Why nothing can be judged on a day; empty where something can."""
    if signed_records(stream, gauge, began, on):
        return ""
    signed = signed_record.by_effective(_of(stream, gauge))
    said = "; ".join(_why_not_yet(one, began, on) for one in signed)
    to_come = any(one.rests_until() < began and not one.is_late(began) for one in signed)
    none = "no base flow is in force yet" if to_come else "no base flow was established before mining"
    return none + (f": {said}" if said else "")


def not_used(stream: Stream, gauge: Gauge, began: date, on: date) -> list[str]:
    """Records of a licensee that DNR's own stands in the place of, a line each."""
    return signed_record.not_used(_of(stream, gauge), began, on)


def site_doubts(site: Site, minimum_years: Decimal) -> Iterator[str]:
    """What can be held against the signed base flows and base levels of a site, one line each."""
    began, gauges = site.permit.mining_began, {one.id: one for one in site.gauge}
    for stream in site.stream:
        for base in stream.base_flow:
            said = (*doubts(base, minimum_years, gauges), *_against_mining(base, began))
            yield from (f"base flow version {base.version} of {base.gauge}: {one}" for one in said)
        for id in dict.fromkeys(base.gauge for base in stream.base_flow):
            said_of = not_used(stream, gauges[id], began, date.max)
            yield from (f"base flow of {id}: {one}" for one in said_of)
    yield from _level_doubts(site, minimum_years)


def _level_doubts(site: Site, minimum_years: Decimal) -> Iterator[str]:
    began = site.permit.mining_began
    for water in site.waters():
        for level in water.base_level:
            said = base_level.doubts(level, minimum_years, began)
            yield from (f"base level version {level.version} of {level.gauge}: {one}" for one in said)
        for id in dict.fromkeys(level.gauge for level in water.base_level):
            own = [level for level in water.base_level if level.gauge == id]
            yield from (f"base level of {id}: {one}" for one in signed_record.not_used(own, began, date.max))


def _against_mining(base: BaseFlow, began: date) -> Iterator[str]:
    index = base.extended_from and "index_to" not in base.parameters
    state = "; state parameters.index_to, the last day of the index record" if index else ""
    return signed_record.against_mining(base, began, state)


def _of(stream: Stream, gauge: Gauge) -> list[BaseFlow]:
    return [one for one in stream.base_flow if one.gauge == gauge.id]


def _why_not_yet(base: BaseFlow, began: date, on: date) -> str:
    if base.rests_until() >= began:
        return f"version {base.version} rests on days to {base.rests_until()}, and mining began on {began}"
    signed = f"version {base.version}, signed on {base.signed_on}"
    return f"{signed}, takes effect on {base.effective}" if base.effective > on else f"{signed}, is not signed by {on}"
