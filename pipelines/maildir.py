"""Deliver into a Maildir, exactly one copy of a mail however often the delivery is killed and repeated.

The file name follows from the Message-ID, so a repeated delivery finds the first one: in ``new/``, or in ``cur/`` with
flags behind the name once a mail program has seen it (https://cr.yp.to/proto/maildir.html).
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from pipelines.outbox import DOMAIN, Message, Unreachable, bytes_of


class Maildir:
    """A callable for ``outbox.deliver``.

    Parameters
    ----------
    path : the Maildir; made if absent, readable only by its owner.
    sender : the From address.
    """

    def __init__(self, path: Path, sender: str = f"Headwater <headwater@{DOMAIN}>") -> None:
        self.path, self.sender = path, sender

    def __call__(self, message: Message) -> None:
        try:
            self._keep(message)
        except OSError as error:
            raise Unreachable(f"{self.path} takes no mail: {type(error).__name__}: {error.strerror}") from error

    def _keep(self, message: Message) -> None:
        for name in ("tmp", "new", "cur"):
            (self.path / name).mkdir(mode=0o700, parents=True, exist_ok=True)
        name = _name(message)
        if not self._holds(name):
            _write(self.path / "tmp" / name, bytes_of(message, self.sender))
            (self.path / "tmp" / name).rename(self.path / "new" / name)
        # Also when it was there: the kill may have come between the rename and this.
        _sync(self.path / "new")

    def _holds(self, name: str) -> bool:
        seen = (one.name.partition(":")[0] for one in (self.path / "cur").iterdir())
        return (self.path / "new" / name).exists() or name in seen


def _name(message: Message) -> str:
    """Begins with the seconds, as mail programs expect."""
    digest = hashlib.sha256(message.message_id.encode()).hexdigest()
    return f"{message.composed_at // 1000}.{digest[:32]}.headwater"


def _write(path: Path, content: bytes) -> None:
    """A fragment of a killed delivery is overwritten."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(directory: Path) -> None:
    """Make the new name itself survive a power cut."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
