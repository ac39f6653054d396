"""Stores for tests that kill: a SQLite file beside the site, or a database of its own on a PostgreSQL server.

A driver is a process of its own; it is told the server by the address of a database that is called ``DATABASE``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

ROOT = Path(__file__).resolve().parents[1]
NAME = "DATABASE"
WAIT_S, TRIES = 0.05, 200


def driven(script: str, server: Any = None) -> str:
    """Run a test module as a driver, on SQLite or on a server; what it printed."""
    where = [] if server is None else [server.get_uri(NAME), server.get_uri()]
    done = subprocess.run(
        [sys.executable, script, *where],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@dataclass(frozen=True)
class Stores:
    """Where the stores of a driver are. ``address``: of a database called ``DATABASE``; "" is SQLite."""

    address: str = ""
    admin: str = ""

    @property
    def every(self) -> int:
        """Which statements are tried: on a server one in eleven, since a database is copied for each."""
        return 11 if self.address else 1

    def url(self, folder: Path) -> str:
        """The address of the store of a site folder."""
        return self.address.replace(NAME, _named(folder)) if self.address else f"sqlite:///{folder / 'headwater.db'}"

    def fresh(self, folder: Path) -> None:
        """An empty store for a site folder."""
        if self.address:
            self._create(f"CREATE DATABASE {_named(folder)}")

    def copied(self, site: Path, folder: Path) -> None:
        """A site folder and its store copied to another folder."""
        shutil.copytree(site, folder)
        if self.address:
            self._create(f"CREATE DATABASE {_named(folder)} TEMPLATE {_named(site)}")

    def gone(self, folder: Path) -> None:
        """The store of a site folder is not needed any more: a server stops slowly over many databases."""
        if self.address:
            with psycopg.connect(self.admin, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE {_named(folder)} WITH (FORCE)")

    def _create(self, statement: str) -> None:
        """A template is copied once the last session has left it; a process that ended has a moment of its own."""
        with psycopg.connect(self.admin, autocommit=True) as connection:
            for left in reversed(range(TRIES)):
                try:
                    connection.execute(statement)
                except psycopg.errors.ObjectInUse:
                    if not left:
                        raise
                    time.sleep(WAIT_S)
                else:
                    return


def of_driver() -> Stores:
    """The stores a driver was told to use."""
    return Stores(*sys.argv[1:])


def _named(folder: Path) -> str:
    return f"kill_{hashlib.sha256(str(folder).encode()).hexdigest()[:24]}"
