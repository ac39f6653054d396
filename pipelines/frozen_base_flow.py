"""A base flow is frozen once a night has judged under it (decision 30).

The whole record is kept at first use. Where ``site.toml`` later says something else under the same version, or holds
the version no more, the stream is still judged by what was signed: an edit neither makes a shortfall nor unmakes one.
Every night says so until the old record is restored; a correction stands beside it as a new, dated, signed version.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection, select

from models.base_flow import BaseFlow
from models.checks.signed_flow import signed_records
from models.errors import BadSite
from models.site import Site, Stream
from models.toml_file import validate
from pipelines import marks, schema
from pipelines.site_folder import SiteFolder

_FROZEN = "base_flow:"
REMEDY = "a correction is a new version, signed and dated, beside the old one"


@dataclass(frozen=True)
class Kept:
    """A record as first used, and on which day."""

    record: BaseFlow
    first_used: date

    @property
    def version(self) -> tuple[str, str]:
        """Gauge and version."""
        return self.record.gauge, self.record.version

    @property
    def says(self) -> str:
        """Which record, for people."""
        return f"base flow version {self.record.version} of gauge {self.record.gauge}"


def freeze(connection: Connection, site: Site, on: date) -> None:
    """Keep every record that the night of a civil day may judge under and that is not kept yet.

    Parameters
    ----------
    site : as `as_first_used` gives it: what stands in the file in the place of a kept record is never kept itself.
    """
    known = {one.version for one in _kept(connection)}
    for stream, gauge in ((site.stream_of(gauge), gauge) for gauge in site.gauge):
        signed = [] if stream is None else signed_records(stream, gauge, site.permit.mining_began, on)
        for one in signed:
            if (one.gauge, one.version) not in known:
                kept = {"first_used": on.isoformat(), "record": _plain(one)}
                marks.put(connection, f"{_FROZEN}{one.gauge}:{one.version}", json.dumps(kept, sort_keys=True))


def as_first_used(connection: Connection, folder: SiteFolder) -> tuple[SiteFolder, tuple[str, ...]]:
    """The site with every base flow as it was when first used, and what its file says otherwise, a line each."""
    kept, streams = _kept(connection), {one.id: folder.site.stream_of(one) for one in folder.site.gauge}
    found = [
        _stream(stream, [one for one in kept if streams.get(one.record.gauge) is stream])
        for stream in folder.site.stream
    ]
    site = folder.site.model_copy(update={"stream": tuple(stream for stream, _ in found)})
    return replace(folder, site=site), tuple(line for _, lines in found for line in lines)


def _stream(stream: Stream, kept: Sequence[Kept]) -> tuple[Stream, list[str]]:
    frozen = {one.version: one for one in kept}
    taken = {(one.record.gauge, one.record.effective): one for one in kept}
    new = [one for one in stream.base_flow if (one.gauge, one.version) not in frozen]
    free = [one for one in new if (one.gauge, one.effective) not in taken]
    lines = [line for one in kept if (line := _edited(one, stream))]
    lines += [_displaced(one, taken[one.gauge, one.effective]) for one in new if one not in free]
    return stream.model_copy(update={"base_flow": (*(one.record for one in kept), *free)}), lines


def _edited(kept: Kept, stream: Stream) -> str:
    """How the file differs from the record as first used; empty if it does not."""
    now = next((one for one in stream.base_flow if (one.gauge, one.version) == kept.version), None)
    held = f"it is judged as it stood then; {REMEDY}"
    if now is None:
        return f"site.toml: {kept.says} was removed after it was first used on {kept.first_used}: {held}"
    changes = list(_changes(_plain(kept.record), _plain(now)))
    if not changes:
        return ""
    said = "; ".join(changes)
    return f"site.toml: {kept.says} was edited after it was first used on {kept.first_used} ({said}): {held}"


def _displaced(new: BaseFlow, kept: Kept) -> str:
    return (
        f"site.toml: base flow version {new.version} of gauge {new.gauge} takes effect on the day of version "
        f"{kept.record.version}, which was first used on {kept.first_used}, and is not judged under; {REMEDY}"
    )


def _changes(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    for key in [*before, *(key for key in now if key not in before)]:
        if before.get(key) != now.get(key):
            yield f"{key} {_short(before.get(key))} is now {_short(now.get(key))}"


def _short(value: Any) -> str:
    text = "absent" if value is None else value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _plain(one: BaseFlow) -> dict[str, Any]:
    """As JSON, decimals with their digits; fields left at their default are absent, so that a new one changes none."""
    return one.model_dump(mode="json", exclude_defaults=True)


def _kept(connection: Connection) -> list[Kept]:
    mark = schema.mark.c
    query = select(mark.value).where(mark.name.startswith(_FROZEN, autoescape=True)).order_by(mark.name)
    stored = (json.loads(value) for (value,) in connection.execute(query))
    return [
        Kept(
            validate(BaseFlow, one["record"], file="the store", error=BadSite),
            date.fromisoformat(one["first_used"]),
        )
        for one in stored
    ]
