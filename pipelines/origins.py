"""What a delivery came in: the zip or the mail that held it, by content hash, and the sender the mail claims.

Recorded so that a delivery can be traced, and never trusted: nothing is decided by it, but by the stamp of the town's
own mail server, which says by when a message had come. The sender is shown to the town,
unless the address names a household: then it was never kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import Connection, select

from pipelines import marks, schema

ZIP, MAIL, BODY, SENDER = "zip", "mail", "body", "sender"
"""Keys: hash of the zip, of the message, of the message's own text; the address it claims to come from."""
RECEIVED, DATED, CHANGED = "received", "dated", "changed"
"""Keys, each an instant in UTC: when the town's own mail server took the message in; when its sender says it was
written, and when a file says it was last changed, which anybody may write and which prove nothing."""
Origin = Mapping[str, str]
INSTANT = "%Y-%m-%dT%H:%M:%SZ"
"""How they are written."""
_MARK = "origin:"


def note(connection: Connection, source_id: int, origin: Origin) -> None:
    """Write down what a delivery came in."""
    if origin:
        marks.put(connection, f"{_MARK}{source_id}", json.dumps(dict(origin), sort_keys=True))


def senders(connection: Connection) -> dict[int, str]:
    """The sender that the mail of each delivery claims, by delivery."""
    return {id: one[SENDER] for id, one in every(connection).items() if one.get(SENDER)}


def zips(connection: Connection) -> frozenset[str]:
    """Hashes of the zips that held deliveries: they are on record as these only."""
    return frozenset(one[ZIP] for one in every(connection).values() if ZIP in one)


def every(connection: Connection) -> dict[int, Origin]:
    """What each delivery came in, where it came in something."""
    mark = schema.mark.c
    found = connection.execute(select(mark.name, mark.value).where(mark.name.startswith(_MARK)))
    return {int(name.removeprefix(_MARK)): dict(json.loads(value)) for name, value in found}


def of(connection: Connection, source_id: int) -> Origin:
    """What a delivery came in first; of a file of the inbox itself no more than when it says it was changed."""
    return dict(json.loads(marks.get(connection, f"{_MARK}{source_id}") or "{}"))
