"""What the store remembers of each thing that is fetched: when it was asked, when it answered, how far it is known."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, func, select

from models.fetching import Collection, Reach, Target, targets
from models.parameters import parameter_id
from models.site import Site
from pipelines import marks, schema

State = Literal["new data", "no data", "unchanged", "source down", "failed"]
MISSED = ("source down", "failed")
_PREFIX = "fetch:"
_CLOCK = {"daily": "day"}


@dataclass(frozen=True)
class Entry:
    """One station and collection.

    Parameters
    ----------
    declared : what was asked when this was written; another declaration begins anew.
    attempted, succeeded : instants, ISO text with a Z; "" for never.
    covered : the last day of the last whole answer; ``reached`` : the last day the source ever gave, by parameter code.
    files : content hashes of the last answer's files.
    url, etag, modified : how the source recognises its last answer.
    """

    station: str
    collection: str
    declared: str = ""
    state: State = "failed"
    attempted: str = ""
    succeeded: str = ""
    message: str = ""
    covered: str = ""
    reached: dict[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    url: str = ""
    etag: str = ""
    modified: str = ""

    def missed(self) -> str:
        """What is said where the last attempt failed, "" where it did not."""
        if self.state not in MISSED or not self.attempted:
            return ""
        last = f"last whole answer {self.succeeded}" if self.succeeded else "never a whole answer yet"
        return f"fetch {self.station} {self.collection}: {self.state}: {self.message} ({last})"

    def forgotten(self) -> Entry:
        """The same without its last answer, whose files did not reach the store."""
        return replace(self, covered="", reached={}, files=(), url="", etag="", modified="")

    def until(self, today: date) -> Entry:
        """The same without days that are still to come: no last value lies there."""
        return replace(self, reached={code: day for code, day in self.reached.items() if day <= today.isoformat()})

    def as_stored(self, stored: Mapping[str, date | None]) -> dict[str, date | None]:
        """What the store will hold once it has read the files that wait in the inbox."""
        waiting = {code: date.fromisoformat(day) for code, day in self.reached.items()}
        return {code: max(filter(None, (day, waiting.get(code))), default=None) for code, day in stored.items()}

    def last_success(self) -> datetime | None:
        """When the last whole answer was had, if it is still known."""
        return datetime.fromisoformat(self.succeeded) if self.succeeded and self.covered else None

    def reach(self, stored: Mapping[str, date | None]) -> Reach:
        """How far the collection is known, together with what the store holds."""
        reached = {code: date.fromisoformat(day) for code, day in self.reached.items()}
        covered = date.fromisoformat(self.covered) if self.covered else None
        return Reach(stored or {code: reached.get(code) for code in ("",)}, reached, covered)


def declared(target: Target) -> str:
    """What a declaration asks for, as text that changes with it."""
    return " ".join([target.source, target.number, *target.parameters, f"since {target.since}"])


def read(connection: Connection, target: Target, collection: str) -> Entry:
    """What is remembered under the present declaration."""
    text = marks.get(connection, f"{_PREFIX}{target.station}:{collection}")
    entry = None if text is None else _parsed(text)
    fresh = Entry(target.station, collection, declared(target))
    return entry if entry is not None and entry.declared == fresh.declared else fresh


def write(connection: Connection, entry: Entry) -> None:
    """Remember."""
    marks.put(connection, f"{_PREFIX}{entry.station}:{entry.collection}", json.dumps(asdict(entry), sort_keys=True))


def entries(connection: Connection, site: Site) -> Iterator[Entry]:
    """Everything the site declares, as remembered; what was never asked has no ``attempted``."""
    for target in targets(site):
        yield from (read(connection, target, collection) for collection in target.collections)


def not_stored(connection: Connection, entry: Entry) -> set[str]:
    """Content hashes of the last answer that the store has not taken; a file that was refused whole is not taken."""
    source = schema.source.c
    query = select(source.sha256).where(source.sha256.in_(entry.files), source.format != "")
    return set(entry.files) - set(connection.execute(query).scalars())


def stored(connection: Connection, target: Target, collection: Collection, today: date) -> Mapping[str, date | None]:
    """The last day in the store, none after ``today``, of each parameter asked for, as the collection gives it."""
    return {code: _last(connection, target.station, code, collection, today) for code in target.parameters}


def _last(connection: Connection, station: str, code: str, collection: str, today: date) -> date | None:
    series, observation = schema.series.c, schema.observation.c
    kept = select(series.id).where(
        series.station == station, series.parameter == parameter_id("usgs", code),
        series.clock == _CLOCK.get(collection, "utc"),
    )  # fmt: skip
    end = datetime.combine(today + timedelta(days=1), time(), UTC).timestamp() * 1000
    latest = select(func.max(observation.time_ms)).where(observation.time_ms < int(end))
    lasts = [
        connection.execute(latest.where(observation.series_id == id)).scalar()
        for id in connection.execute(kept).scalars()
    ]
    found = [int(one) for one in lasts if one is not None]
    return datetime.fromtimestamp(max(found) / 1000, UTC).date() if found else None


def from_facts(facts: dict[str, Any]) -> Entry:
    """An entry from plain data."""
    return Entry(**{**facts, "files": tuple(facts["files"])})


def utc(when: datetime) -> str:
    """ISO text with a Z, to the second."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _parsed(text: str) -> Entry | None:
    """A mark of another version of the program is none: everything is asked for again."""
    try:
        return from_facts(json.loads(text))
    except (ValueError, TypeError, KeyError):
        return None
