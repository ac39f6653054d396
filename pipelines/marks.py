"""Small state of the program itself: what was last judged, and what has arrived since."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, bindparam, select

from pipelines import schema
from pipelines.database import portions

JUDGED = "judged_digest"
LOADED = "first_load_judged"
"""Set once a night has judged a record: what was over before that is history, not news."""
NIGHT = "judged_night"
"""The civil day of the night that judged last: what is dated in site.toml comes to count on its own day."""
REPORTED = "reported_source"
"""The last delivery that a night's summary has listed."""
CONTRADICTED = "contradicted_told"
"""Keys of the acts whose contradiction a night has told."""
_ARRIVED = "arrived:"
_INBOX_READ = "inbox_read:"
"""Prefix, before an instant of knowledge [epoch ms]: a night read the inbox then. The value: what it left unread."""


def get(connection: Connection, name: str) -> str | None:
    """The value of a mark."""
    return connection.execute(select(schema.mark.c.value).where(schema.mark.c.name == name)).scalar()


def put(connection: Connection, name: str, value: str) -> None:
    """Set a mark."""
    put_all(connection, {name: value})


def inbox_read(connection: Connection, known_at: int, left: Iterable[str]) -> None:
    """A night has read the inbox, but for files that the machine would not open; a killed one says it again."""
    put(connection, f"{_INBOX_READ}{known_at}", json.dumps(sorted(set(left))))


def inbox_readings(connection: Connection) -> list[tuple[int, frozenset[str]]]:
    """When the inbox was read [epoch ms], in order, and the names of what was left unread in it."""
    one = schema.mark.c
    found = connection.execute(select(one.name, one.value).where(one.name.startswith(_INBOX_READ)))
    return sorted((int(name.removeprefix(_INBOX_READ)), frozenset(json.loads(left))) for name, left in found)


def put_all(connection: Connection, values: Mapping[str, str]) -> None:
    """Set marks by name."""
    _remove(connection, list(values))
    if values:
        connection.execute(schema.mark.insert(), [{"name": name, "value": value} for name, value in values.items()])


def note_arrivals(connection: Connection, spans: Mapping[int, tuple[int, int]]) -> None:
    """Remember, with the rows themselves, which instants of which series wait to be judged.

    A night killed between storing and judging finds them here when it runs again.
    """
    waiting = arrivals(connection)
    known = {id: waiting.get(id, span) for id, span in spans.items()}
    _wait(connection, {id: (min(one[0], known[id][0]), max(one[1], known[id][1])) for id, one in spans.items()})


def arrivals(connection: Connection) -> dict[int, tuple[int, int]]:
    """First and last instant [epoch ms] that waits to be judged, by series id."""
    query = select(schema.mark.c.name, schema.mark.c.value).where(schema.mark.c.name.startswith(_ARRIVED))
    spans = {int(name.removeprefix(_ARRIVED)): value.split() for name, value in connection.execute(query)}
    return {id: (int(first), int(last)) for id, (first, last) in spans.items()}


def judged(connection: Connection, until_ms: int) -> None:
    """Nothing before ``until_ms`` waits any more; rows of later days wait for their own night."""
    waiting = arrivals(connection)
    left = {id: (max(first, until_ms), last) for id, (first, last) in waiting.items() if last >= until_ms}
    _remove(connection, [f"{_ARRIVED}{id}" for id in waiting if id not in left])
    _wait(connection, left)


def _wait(connection: Connection, spans: Mapping[int, tuple[int, int]]) -> None:
    put_all(connection, {f"{_ARRIVED}{id}": f"{first} {last}" for id, (first, last) in spans.items()})


def _remove(connection: Connection, names: Sequence[str]) -> None:
    chosen = schema.mark.delete().where(schema.mark.c.name.in_(bindparam("names", expanding=True)))
    for some in portions(names):
        connection.execute(chosen, {"names": some})
