"""Downloads on their way into the inbox: a whole answer or nothing, wherever the program is killed.

Pages are written into ``inbox/.fetch/part/``, where no reader looks. A whole answer is made ready by one rename; from
then on it is certain to arrive: its files are moved one by one, each by a rename, and what a killed run left ready is
moved by the next. What was left in ``part/`` is thrown away.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = ".fetch"
_PART, _READY, _NOTE = "part", "ready", "note.json"


class Staging:
    """The staging folder of an inbox. One process at a time.

    Parameters
    ----------
    inbox : of the site.
    taken : told the note of an answer once all its files are in the inbox; may be told the same note again.
    """

    def __init__(self, inbox: Path, taken: Callable[[dict[str, Any]], None]) -> None:
        self.inbox, self.taken = inbox, taken
        self.part, self.ready = inbox / FOLDER / _PART, inbox / FOLDER / _READY

    def recover(self) -> None:
        """Bring in what a killed run had ready, throw away what it had not."""
        shutil.rmtree(self.part, ignore_errors=True)
        if (self.ready / _NOTE).exists():
            self._arrive()
        elif self.ready.exists():
            self.ready.rmdir()  # killed at the very end: everything had arrived, and the note goes last

    def begin(self) -> None:
        """Room for one answer."""
        shutil.rmtree(self.part, ignore_errors=True)
        self.part.mkdir(parents=True)

    def add(self, name: str, body: bytes) -> str:
        """Write one file of the answer; the hash of its content."""
        _write(self.part / name, body)
        return hashlib.sha256(body).hexdigest()

    def deliver(self, note: dict[str, Any]) -> list[Path]:
        """The answer is whole: move its files into the inbox, then tell its note. Where they are now."""
        _write(self.part / _NOTE, json.dumps(note).encode())
        _sync(self.part)
        self.part.rename(self.ready)
        return self._arrive()

    def close(self) -> None:
        """Leave nothing behind, but never what is ready."""
        shutil.rmtree(self.part, ignore_errors=True)
        if not self.ready.exists():
            shutil.rmtree(self.inbox / FOLDER, ignore_errors=True)

    def _arrive(self) -> list[Path]:
        note = json.loads((self.ready / _NOTE).read_bytes())
        moved = []
        for file in sorted(one for one in self.ready.iterdir() if one.name != _NOTE):
            moved.append(file.rename(_free(self.inbox, file)))
        _sync(self.inbox)
        self.taken(note)
        shutil.rmtree(self.ready)
        return moved


def _free(inbox: Path, file: Path) -> Path:
    """A name that no other delivery has: the last number of the name goes up."""
    stem, _, number = file.stem.rpartition("-")
    count = int(number)
    while (target := inbox / f"{stem}-{count:03d}{file.suffix}").exists():
        count += 1
    return target


def _write(path: Path, body: bytes) -> None:
    with path.open("wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """A rename lasts once its folder is on the disk."""
    held = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(held)
    finally:
        os.close(held)
