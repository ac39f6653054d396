"""What a delivery came in: the zip or the mail that held it, by content hash, and the sender the mail claims.

Recorded so that a delivery can be traced, and never trusted: nothing is decided by it and nobody is shown the sender.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import Connection

from pipelines import marks

ZIP, MAIL, BODY, SENDER = "zip", "mail", "body", "sender"
"""Keys: hash of the zip, of the message, of the message's own text; the address it claims to come from."""
Origin = Mapping[str, str]
_MARK = "origin:"


def note(connection: Connection, source_id: int, origin: Origin) -> None:
    """Write down what a delivery came in; that of a file in the inbox itself is not written."""
    if origin:
        marks.put(connection, f"{_MARK}{source_id}", json.dumps(dict(origin), sort_keys=True))


def of(connection: Connection, source_id: int) -> Origin:
    """What a delivery came in first; nothing where it lay in the inbox itself."""
    return dict(json.loads(marks.get(connection, f"{_MARK}{source_id}") or "{}"))
