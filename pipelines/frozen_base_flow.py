"""A signed base flow or base level is frozen once a night has judged under it (decision 30).

The whole record is kept at first use. Where ``site.toml`` later says something else under the same version, or holds
the version no more, the water is still judged by what was signed: an edit neither makes a finding nor unmakes one.
Every night says so until the old record is restored; a correction stands beside it as a new, dated, signed version.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, TypeVar

from sqlalchemy import Connection, select

from models.base_flow import BaseFlow
from models.base_level import BaseLevel
from models.checks.signed_flow import signed_records
from models.errors import BadSite
from models.signed_record import SignedRecord, in_force
from models.site import Lake, Site, Stream
from models.toml_file import validate
from pipelines import marks, schema
from pipelines.site_folder import SiteFolder

_KINDS: dict[str, type[SignedRecord]] = {"base_flow": BaseFlow, "base_level": BaseLevel}
"""What is kept, by the field of a water that holds it."""
REMEDY = "a correction is a new version, signed and dated, beside the old one"
Water = TypeVar("Water", Stream, Lake)


@dataclass(frozen=True)
class Kept:
    """A record as first used, on which day, and the field of its water that holds it."""

    field: str
    record: SignedRecord
    first_used: date

    @property
    def version(self) -> tuple[str, str]:
        """Gauge and version."""
        return self.record.gauge, self.record.version

    @property
    def says(self) -> str:
        """Which record, for people."""
        return f"{self.record.what} version {self.record.version} of gauge {self.record.gauge}"


def freeze(connection: Connection, site: Site, on: date) -> None:
    """Keep every record that the night of a civil day may judge under and that is not kept yet.

    Parameters
    ----------
    site : as `as_first_used` gives it: what stands in the file in the place of a kept record is never kept itself.
    """
    known = {(one.field, *one.version) for one in _kept(connection)}
    for field, one in _usable(site, on):
        if (field, one.gauge, one.version) not in known:
            kept = {"first_used": on.isoformat(), "record": _plain(one)}
            marks.put(connection, f"{field}:{one.gauge}:{one.version}", json.dumps(kept, sort_keys=True))


def _usable(site: Site, on: date) -> Iterator[tuple[str, SignedRecord]]:
    began = site.permit.mining_began
    for gauge in site.gauge:
        stream, water = site.stream_of(gauge), site.water_of(gauge)
        yield from (("base_flow", one) for one in (signed_records(stream, gauge, began, on) if stream else []))
        levels = [one for one in (water.base_level if water else ()) if one.gauge == gauge.id]
        yield from (("base_level", one.record) for one in in_force(levels, began, on))


def as_first_used(connection: Connection, folder: SiteFolder) -> tuple[SiteFolder, tuple[str, ...]]:
    """The site with every signed record as it was when first used, and what its file says otherwise, a line each."""
    kept = _kept(connection)
    streams, of_streams = _held(folder.site.stream, folder.site, kept)
    lakes, of_lakes = _held(folder.site.lake, folder.site, kept)
    site = folder.site.model_copy(update={"stream": streams, "lake": lakes})
    return replace(folder, site=site), (*of_streams, *of_lakes)


def _held(waters: Iterable[Water], site: Site, kept: Sequence[Kept]) -> tuple[tuple[Water, ...], list[str]]:
    found: list[Water] = []
    lines: list[str] = []
    for water in waters:
        held: dict[str, tuple[SignedRecord, ...]] = {}
        for field in (name for name in _KINDS if hasattr(water, name)):
            own = [one for one in kept if one.field == field and _water_id(site, one) == water.id]
            held[field], said = _field(getattr(water, field), own)
            lines += said
        found.append(water.model_copy(update=held))
    return tuple(found), lines


def _water_id(site: Site, kept: Kept) -> str | None:
    """The water whose record it is: a surrogate's flow is that of another stream than its own."""
    gauge = next((one for one in site.gauge if one.id == kept.record.gauge), None)
    if gauge is None:
        return None
    water = site.stream_of(gauge) if kept.field == "base_flow" else site.water_of(gauge)
    return None if water is None else water.id


def _field(
    stated: Sequence[SignedRecord], kept: Sequence[Kept]
) -> tuple[tuple[SignedRecord, ...], list[str]]:  # fmt: skip
    frozen = {one.version: one for one in kept}
    taken = {(one.record.gauge, one.record.effective): one for one in kept}
    new = [one for one in stated if (one.gauge, one.version) not in frozen]
    free = [one for one in new if (one.gauge, one.effective) not in taken]
    lines = [line for one in kept if (line := _edited(one, stated))]
    lines += [_displaced(one, taken[one.gauge, one.effective]) for one in new if one not in free]
    return (*(one.record for one in kept), *free), lines


def _edited(kept: Kept, stated: Sequence[SignedRecord]) -> str:
    """How the file differs from the record as first used; empty if it does not."""
    now = next((one for one in stated if (one.gauge, one.version) == kept.version), None)
    held = f"it is judged as it stood then; {REMEDY}"
    if now is None:
        return f"site.toml: {kept.says} was removed after it was first used on {kept.first_used}: {held}"
    changes = list(_changes(_plain(kept.record), _plain(now)))
    if not changes:
        return ""
    said = "; ".join(changes)
    return f"site.toml: {kept.says} was edited after it was first used on {kept.first_used} ({said}): {held}"


def _displaced(new: SignedRecord, kept: Kept) -> str:
    return (
        f"site.toml: {new.what} version {new.version} of gauge {new.gauge} takes effect on the day of version "
        f"{kept.record.version}, which was first used on {kept.first_used}, and is not judged under; {REMEDY}"
    )


def _changes(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    for key in [*before, *(key for key in now if key not in before)]:
        if before.get(key) != now.get(key):
            yield f"{key} {_short(before.get(key))} is now {_short(now.get(key))}"


def _short(value: Any) -> str:
    text = "absent" if value is None else value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _plain(one: SignedRecord) -> dict[str, Any]:
    """As JSON, decimals with their digits; fields left at their default are absent, so that a new one changes none."""
    return one.model_dump(mode="json", exclude_defaults=True)


def _kept(connection: Connection) -> list[Kept]:
    return [one for field, kind in _KINDS.items() for one in _kept_in(connection, field, kind)]


def _kept_in(connection: Connection, field: str, kind: type[SignedRecord]) -> Iterator[Kept]:
    mark = schema.mark.c
    query = select(mark.value).where(mark.name.startswith(f"{field}:", autoescape=True)).order_by(mark.name)
    for (value,) in connection.execute(query):
        one = json.loads(value)
        record = validate(kind, one["record"], file="the store", error=BadSite)
        yield Kept(field, record, date.fromisoformat(one["first_used"]))
