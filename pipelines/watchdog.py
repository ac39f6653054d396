"""Did last night finish by the set hour? Answered without the database, which may be what has failed.

The night writes a small heartbeat file into the site folder when it has finished. This module reads it, and looks
whether the database is still there. It imports the standard library only, so that it still speaks where the rest of
the program does not start.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

HEARTBEAT = "last_night.json"
STATUSES = {"done", "left_out", "not_sent"}
BY = time(6)
"""By when a night that begins at 02:10 has long finished."""
_SQLITE_HEAD = b"SQLite format 3\0"
_PATIENCE_S = 5


@dataclass(frozen=True)
class Heartbeat:
    """The last finished night. ``status``: done | left_out | not_sent; ``zone``: whose civil days are counted."""

    site: str
    zone: str
    day: date
    finished_at: datetime
    status: str


def note(folder: Path, heartbeat: Heartbeat) -> None:
    """Write the heartbeat, whole or not at all. A repeated night that ends as the first did leaves it alone."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        before = read(folder)
        if (before.site, before.day, before.status) == (heartbeat.site, heartbeat.day, heartbeat.status):
            return
    write_whole(folder / HEARTBEAT, (json.dumps(asdict(heartbeat), default=str, indent=1) + "\n").encode())


def status_of(summary: Mapping[str, Any]) -> str:
    """How a night ended, from its summary."""
    return "not_sent" if summary.get("not_sent") else "left_out" if summary["left_out"] else "done"


def read(folder: Path) -> Heartbeat:
    """The heartbeat on file.

    Raises
    ------
    OSError, ValueError, KeyError, TypeError : there is none, or it is damaged.
    """
    cells = json.loads((folder / HEARTBEAT).read_text(encoding="utf-8"))
    finished = datetime.fromisoformat(cells["finished_at"])
    if finished.tzinfo is None:
        raise ValueError("finished_at has no offset from UTC")
    ZoneInfo(cells["zone"])
    return Heartbeat(cells["site"], cells["zone"], date.fromisoformat(cells["day"]), finished, cells["status"])


def complaints(folder: Path, now: datetime, by: time, env: Mapping[str, str]) -> list[str]:
    """What is wrong, one line each; empty if last night finished and the database is there."""
    return [*_about_the_night(folder, now, by), *_about_the_database(folder, env)]


def expected_day(now: datetime, by: time, zone: ZoneInfo) -> date:
    """The last civil day whose night must have finished: yesterday, from the set hour on."""
    local = now.astimezone(zone)
    return local.date() - timedelta(days=1 if local.time() >= by else 2)


def _about_the_night(folder: Path, now: datetime, by: time) -> Iterator[str]:
    try:
        last = read(folder)
    except FileNotFoundError:
        yield f"no night has finished here: there is no {HEARTBEAT}"
        return
    except (OSError, ValueError, KeyError, TypeError) as caught:
        yield f"{HEARTBEAT} cannot be read: {caught}"
        return
    zone = ZoneInfo(last.zone)
    finished = f"{last.finished_at.astimezone(zone):%Y-%m-%d %H:%M %Z}"
    expected = expected_day(now, by, zone)
    if last.day < expected:
        yield f"the night of {expected} has not finished; the last was that of {last.day}, at {finished}"
    elif last.day > now.astimezone(zone).date():
        yield f"the last night on record is of a day to come, {last.day}: no other will run until then"
    elif last.finished_at > now:
        yield f"the last night says it finished at {finished}, which is still to come: look at the machine's clock"
    if last.status not in STATUSES:
        yield f"{HEARTBEAT} holds a status nobody knows: {last.status}"
    if last.status == "not_sent":
        yield f"the night of {last.day} finished at {finished}, but some of its mails were not sent"


def _about_the_database(folder: Path, env: Mapping[str, str]) -> Iterator[str]:
    """Whether the database is there at all; nothing of it is read but its first bytes. No password is repeated."""
    try:
        url = urlsplit(env.get("HEADWATER_DATABASE_URL") or f"sqlite:///{(folder / 'headwater.db').resolve()}")
        if url.scheme.startswith("sqlite"):
            _look_at_file(Path(url.path.removeprefix("/")))
        else:
            _knock(url.hostname or parse_qs(url.query).get("host", [""])[0], url.port or 5432)
    except (OSError, ValueError) as caught:
        where = f"{caught.filename}: " if isinstance(caught, FileNotFoundError) and caught.filename else ""
        yield f"the database is gone: {where}{getattr(caught, 'strerror', None) or caught}"


def _look_at_file(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(len(_SQLITE_HEAD)) != _SQLITE_HEAD:
            raise ValueError(f"{path.name} is not a database")


def _knock(host: str, port: int) -> None:
    """Reach the server, over TCP or the socket file in a folder."""
    if host.startswith("/"):
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_PATIENCE_S)
            line.connect(f"{host}/.s.PGSQL.{port}")
    elif host:
        socket.create_connection((host, port), _PATIENCE_S).close()


def write_whole(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Under a hidden name first; the name itself is made to survive a power cut."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
