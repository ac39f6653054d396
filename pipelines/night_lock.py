"""One night at a time for a site. The second says what is at work, who, since when, and stops.

On this machine a file of the site folder is locked (flock(2)); where the store is PostgreSQL an advisory lock in it
also keeps other machines out. Both end with the process that holds them, however it ends: nothing is left behind that
somebody would have to remove.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import sleep

from sqlalchemy import Connection, Engine, text

from models.errors import EnvironmentFailed

LOCK = ".night.lock"
_NAME_BYTES = 63
"""PostgreSQL cuts an application name there."""
_TRIES, _BETWEEN_TRIES_S = 30, 0.1
_TAKEN = "{} is at work on this site; this one stops"
NIGHT = "another night"


@contextmanager
def alone(folder: Path, site: str, engine: Engine, now: datetime, what: str = NIGHT) -> Iterator[str]:
    """Hold the site for one night, or for other work that must not meet one.

    Parameters
    ----------
    folder : of the site.
    site : its id.
    now : aware; told to whoever comes second.
    what : is at work, as whoever comes second is told.

    Yields
    ------
    What the last holder on this machine wrote, where it was killed; "" where it ended.

    Raises
    ------
    EnvironmentFailed : something is at work: what, who, and since when.
    """
    said = "" if what == NIGHT else f"{what}: "
    me = f"{said}process {os.getpid()} on {socket.gethostname()} since {now:%Y-%m-%dT%H:%M:%SZ}"
    with file_lock(folder / LOCK, me, _TAKEN) as left, _store_lock(engine, site, me):
        yield left


@contextmanager
def file_lock(path: Path, me: str, taken: str) -> Iterator[str]:
    """Lock a file and write into it who holds it.

    Yields
    ------
    What a killed holder left in it; "" where the last one released it.

    Raises
    ------
    EnvironmentFailed : ``taken``, and what the holder wrote.
    """
    while (found := _locked(path, taken)) is None:
        pass
    held, left = found
    try:
        os.write(held, f"{me}\n".encode())
        yield left
    finally:
        path.unlink(missing_ok=True)  # while it is still held, so that nobody's lock but ours goes
        os.close(held)


def _locked(path: Path, taken: str) -> tuple[int, str] | None:
    """The descriptor of the locked file and the line of a killed holder.

    None where its holder removed the file meanwhile, and it must be opened anew.
    """
    held = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        by = os.read(held, 500).decode(errors="replace").strip()
        os.close(held)
        raise EnvironmentFailed(_taken(taken, by or "it has just begun")) from None
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(held), path.stat()):
            left = os.read(held, 500).decode(errors="replace").partition("\n")[0].strip()
            os.ftruncate(held, 0)
            os.lseek(held, 0, os.SEEK_SET)
            return held, left
    os.close(held)
    return None


@contextmanager
def _store_lock(engine: Engine, site: str, me: str) -> Iterator[None]:
    """A session lock on a connection of its own, outside any transaction."""
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        _introduce(connection, me)
        _take(connection, _key(site))
        try:
            yield
        finally:
            connection.invalidate()  # ends the session and the lock with it, whatever state the session is in


def _take(connection: Connection, key: int) -> None:
    """A server needs a moment to notice that the last holder was killed."""
    for _ in range(_TRIES):
        if connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": key}).scalar():
            return
        sleep(_BETWEEN_TRIES_S)
    raise EnvironmentFailed(_taken(_TAKEN, _holder(connection, key)))


def _taken(taken: str, by: str) -> str:
    """The message, with what is at work as its holder says."""
    what, said, who = by.partition(": ")
    return f"{taken.format(what if said else NIGHT)}: {who if said else by}"


def _introduce(connection: Connection, me: str) -> None:
    """Say who holds the lock, and let the server notice within a minute that this machine lost its power."""
    name = me.encode()[:_NAME_BYTES].decode(errors="ignore")
    connection.execute(text("SELECT set_config('application_name', :name, false)"), {"name": name})
    for setting, seconds in (("tcp_keepalives_idle", 20), ("tcp_keepalives_interval", 10), ("tcp_keepalives_count", 3)):
        connection.execute(text("SELECT set_config(:name, :value, false)"), {"name": setting, "value": str(seconds)})


def _holder(connection: Connection, key: int) -> str:
    query = text(
        "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory'"
        " AND l.granted AND l.objsubid = 1"
        " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        " AND (l.classid::bigint << 32 | l.objid::bigint) = :key"
    )
    return connection.execute(query, {"key": key}).scalar() or "it has just ended"


def _key(site: str) -> int:
    """A positive 63-bit number of our own for the site."""
    return int.from_bytes(hashlib.sha256(f"headwater night {site}".encode()).digest()[:8]) >> 1
