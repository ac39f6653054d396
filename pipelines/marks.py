"""Small state of the program itself: what was last judged, and what has arrived since."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, select

from pipelines import schema

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


def get(connection: Connection, name: str) -> str | None:
    """The value of a mark."""
    return connection.execute(select(schema.mark.c.value).where(schema.mark.c.name == name)).scalar()


def put(connection: Connection, name: str, value: str) -> None:
    """Set a mark."""
    connection.execute(schema.mark.delete().where(schema.mark.c.name == name))
    connection.execute(schema.mark.insert(), {"name": name, "value": value})


def note_arrivals(connection: Connection, spans: Mapping[int, tuple[int, int]]) -> None:
    """Remember, with the rows themselves, which instants of which series wait to be judged.

    A night killed between storing and judging finds them here when it runs again.
    """
    waiting = arrivals(connection)
    for series_id, (first, last) in spans.items():
        known = waiting.get(series_id, (first, last))
        put(connection, f"{_ARRIVED}{series_id}", f"{min(first, known[0])} {max(last, known[1])}")


def arrivals(connection: Connection) -> dict[int, tuple[int, int]]:
    """First and last instant [epoch ms] that waits to be judged, by series id."""
    query = select(schema.mark.c.name, schema.mark.c.value).where(schema.mark.c.name.startswith(_ARRIVED))
    spans = {int(name.removeprefix(_ARRIVED)): value.split() for name, value in connection.execute(query)}
    return {id: (int(first), int(last)) for id, (first, last) in spans.items()}


def judged(connection: Connection, until_ms: int) -> None:
    """Nothing before ``until_ms`` waits any more; rows of later days wait for their own night."""
    for id, (first, last) in arrivals(connection).items():
        connection.execute(schema.mark.delete().where(schema.mark.c.name == f"{_ARRIVED}{id}"))
        if last >= until_ms:
            put(connection, f"{_ARRIVED}{id}", f"{max(first, until_ms)} {last}")
