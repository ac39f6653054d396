"""What a delivery came in: the zip or the mail that held it, by content hash, and the sender the mail claims.

Recorded so that a delivery can be traced, and never trusted: nothing is decided by it. The sender is shown to the town,
unless the address names a household: then it was never kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import Connection, select

from pipelines import marks, schema

ZIP, MAIL, BODY, SENDER = "zip", "mail", "body", "sender"
"""Keys: hash of the zip, of the message, of the message's own text; the address it claims to come from."""
Origin = Mapping[str, str]
_MARK = "origin:"


def note(connection: Connection, source_id: int, origin: Origin) -> None:
    """Write down what a delivery came in; that of a file in the inbox itself is not written."""
    if origin:
        marks.put(connection, f"{_MARK}{source_id}", json.dumps(dict(origin), sort_keys=True))


def senders(connection: Connection) -> dict[int, str]:
    """The sender that the mail of each delivery claims, by delivery."""
    return {id: one[SENDER] for id, one in _all(connection).items() if one.get(SENDER)}


def zips(connection: Connection) -> frozenset[str]:
    """Hashes of the zips that held deliveries: they are on record as these only."""
    return frozenset(one[ZIP] for one in _all(connection).values() if ZIP in one)


def _all(connection: Connection) -> dict[int, Origin]:
    mark = schema.mark.c
    found = connection.execute(select(mark.name, mark.value).where(mark.name.startswith(_MARK)))
    return {int(name.removeprefix(_MARK)): dict(json.loads(value)) for name, value in found}


def of(connection: Connection, source_id: int) -> Origin:
    """What a delivery came in first; nothing where it lay in the inbox itself."""
    return dict(json.loads(marks.get(connection, f"{_MARK}{source_id}") or "{}"))
