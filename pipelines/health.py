"""Probes of everything a night needs. Each answers ok, warn or fail, and says what to do; none changes anything."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from models.errors import EnvironmentFailed, HeadwaterError
from pipelines import chromium, watchdog
from pipelines.inbox import REJECTED, waiting
from pipelines.outbox import Unreachable
from pipelines.site_folder import SiteFolder, open_site, read_events
from pipelines.smtp import Smtp
from pipelines.smtp_settings import settings
from pipelines.store_health import about_store

State = Literal["ok", "warn", "fail"]
Probe = Callable[[], Iterable["Answer"]]

_LEAST_PYTHON = (3, 11)
_EXTRAS = {"serve": "headwater serve", "postgresql": "a PostgreSQL database"}
_FAIL_BELOW_BYTES, _WARN_BELOW_BYTES = 200_000_000, 2_000_000_000
_SKEW_S = 60
_MAIL_SERVER_S = 15.0
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(\[[^]]*])?>=(?P<least>[\d.]+)(; extra == [\"'](?P<extra>\w+)[\"'])?")


@dataclass(frozen=True)
class Answer:
    """One line: what was looked at, how it stands, and what to do about it."""

    probe: str
    state: State
    says: str
    do: str = ""


def examine(site_dir: Path, env: Mapping[str, str], now: datetime) -> list[Answer]:
    """Every probe; one that breaks is a failed one and the others go on.

    Parameters
    ----------
    site_dir : folder of the site, faulty or not.
    env : the settings.
    now : the machine's time, aware.
    """
    probes: list[tuple[str, Probe]] = [("python", python), ("packages", lambda: packages(env))]
    probes += [("chromium", lambda: browser(env)), ("mail", lambda: mail(env, site_dir / "outbox"))]
    probes += [("clock", lambda: clock(site_dir, now)), ("disk", lambda: disk(site_dir))]
    probes += [("inbox", lambda: inbox(site_dir / "inbox")), ("site files", lambda: site_files(site_dir, now))]
    probes += [("database", lambda: store(site_dir, env, now)), ("last night", lambda: last_night(site_dir, env, now))]
    return [answer for name, probe in probes for answer in _asked(name, probe)]


def _asked(name: str, probe: Probe) -> list[Answer]:
    try:
        return list(probe())
    except (HeadwaterError, OSError) as caught:
        return [Answer(name, "fail", str(caught), "mend what this line names")]
    except Exception as caught:  # noqa: BLE001  whatever is wrong with one probe must not hide the others
        return [Answer(name, "fail", f"{type(caught).__name__}: {caught}", "report this line")]


def python() -> Iterator[Answer]:
    """The interpreter."""
    found, least = ".".join(map(str, sys.version_info[:3])), ".".join(map(str, _LEAST_PYTHON))
    good = sys.version_info >= _LEAST_PYTHON
    yield Answer("python", "ok" if good else "fail", found, "" if good else f"install Python {least} or newer")


def packages(env: Mapping[str, str]) -> Iterator[Answer]:
    """Installed packages against the least versions the project states; an extra that is not needed may be absent."""
    try:
        stated = [_REQUIREMENT.fullmatch(one) for one in requires("headwater") or ()]
    except PackageNotFoundError:
        yield Answer("packages", "warn", "headwater itself is not installed, so none is stated", "install it with pip")
        return
    needed = [one for one in stated if one is not None]
    answers = [answer for one in needed for answer in _package(one, env)]
    yield from answers or [Answer("packages", "ok", f"all {len(needed)} as new as they must be")]


def _package(stated: re.Match[str], env: Mapping[str, str]) -> Iterator[Answer]:
    name, least, extra = stated["name"], stated["least"], stated["extra"]
    try:
        found = version(name)
    except PackageNotFoundError:
        found = ""
    if found and _numbers(found) >= _numbers(least):
        return
    optional = extra == "serve" or (extra == "postgresql" and not _is_postgresql(env))
    what = f"{name} {found or 'is not installed'}" + (f", {least} or newer is needed" if found else "")
    why = f"; needed for {_EXTRAS[extra]}" if extra in _EXTRAS else ""
    wanted = f"headwater[{extra}]" if extra else f"{name}>={least}"
    yield Answer("packages", "warn" if optional else "fail", what + why, f"pip install '{wanted}'")


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(one) for one in re.findall(r"\d+", text.partition("+")[0])[:3])


def _is_postgresql(env: Mapping[str, str]) -> bool:
    return env.get("HEADWATER_DATABASE_URL", "").startswith("postgres")


def browser(env: Mapping[str, str]) -> Iterator[Answer]:
    """Chromium prints the PDF; everything else comes out without it."""
    try:
        yield Answer("chromium", "ok", str(chromium.found(env)))
    except EnvironmentFailed as caught:
        yield Answer("chromium", "warn", str(caught), f"install Chromium or set {chromium.SETTING}, or do without PDF")


def mail(env: Mapping[str, str], outbox: Path) -> Iterator[Answer]:
    """The mail server, as far as its answer to a login: nothing is sent and no secret is shown."""
    config = settings(env)
    if config is None:
        yield _folder("mail", outbox, f"no mail server is set; mails are put into {outbox}")
        return
    with Smtp(env, time_limit_s=_MAIL_SERVER_S) as server:
        try:
            server.reach()
        except Unreachable as caught:
            yield Answer(
                "mail", "fail", str(caught), "look at HEADWATER_SMTP_* and at the server; mails wait meanwhile"
            )
            return
    safe = "without TLS, on this machine" if config.security == "none" else f"{config.security}, certificate checked"
    yield Answer("mail", "ok", f"{config.host}:{config.port} answers: {safe}{', logged in' * bool(config.user)}")


def clock(site_dir: Path, now: datetime) -> Iterator[Answer]:
    """This machine's clock against the disk's and against what was written before; its own zone does not matter."""
    with tempfile.NamedTemporaryFile(dir=site_dir, prefix=".clock-") as file:
        skew = Path(file.name).stat().st_mtime - datetime.now(UTC).timestamp()
    newest = max((one.stat().st_mtime for one in site_dir.iterdir() if one.is_file()), default=0.0)
    ahead = newest - now.timestamp()
    if abs(skew) > _SKEW_S:
        yield Answer("clock", "fail", f"this machine and its disk differ by {skew:.0f} s", "set both clocks by NTP")
    elif ahead > _SKEW_S:
        says = f"a file of the site is {ahead:.0f} s younger than now: the clock was set back"
        yield Answer("clock", "fail", says, "set the clock by NTP; nights run forward only")
    else:
        yield Answer("clock", "ok", f"{now:%Y-%m-%dT%H:%M:%SZ}")


def disk(site_dir: Path) -> Iterator[Answer]:
    """Room for the store to grow."""
    free = shutil.disk_usage(site_dir).free
    state: State = "fail" if free < _FAIL_BELOW_BYTES else "warn" if free < _WARN_BELOW_BYTES else "ok"
    yield Answer("disk", state, f"{free / 1e9:.1f} GB free", "" if state == "ok" else "make room")


def inbox(folder: Path) -> Iterator[Answer]:
    """Where deliveries arrive, and what of them was refused."""
    rejected = len(list(waiting(folder / REJECTED)))
    yield _folder("inbox", folder, f"{len(list(waiting(folder)))} files wait, {rejected} were rejected")


def _folder(probe: str, path: Path, says: str) -> Answer:
    if not path.is_dir():
        if probe == "mail":
            return Answer(probe, "ok", says)
        return Answer(probe, "fail", f"there is no folder {path}", f"mkdir {path}")
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        return Answer(probe, "fail", f"{path} cannot be read and written", "give it to the user the night runs as")
    return Answer(probe, "ok", says)


def site_files(site_dir: Path, now: datetime) -> Iterator[Answer]:
    """site.toml, policy.toml, households.toml, events.csv, the law they name and its zone."""
    folder = open_site(site_dir)
    bad = [f"row {line.row}: {line.reason}" for line in read_events(site_dir / "events.csv") if line.event is None]
    if bad:
        says = f"{len(bad)} lines of events.csv are not taken, the first: {bad[0]}"
        yield Answer("site files", "warn", says, "headwater check lists them")
    else:
        yield Answer("site files", "ok", f"{folder.site.id} under {folder.law.id}")
    yield _zone(folder, now)


def _zone(folder: SiteFolder, now: datetime) -> Answer:
    local = now.astimezone(ZoneInfo(folder.law.zone))
    return Answer("zone", "ok", f"{folder.law.zone}, where it is {local:%Y-%m-%d %H:%M %Z}")


def store(site_dir: Path, env: Mapping[str, str], now: datetime) -> Iterator[Answer]:
    """The database, and how old what it holds is."""
    folder = open_site(site_dir)
    for probe, state, says, do in about_store(folder, env, now):
        yield Answer(probe, state, says, do)


def last_night(site_dir: Path, env: Mapping[str, str], now: datetime) -> Iterator[Answer]:
    """What the watchdog would say."""
    found = watchdog.complaints(site_dir, now, watchdog.BY, env)
    for one in found:
        yield Answer("last night", "fail", one, "headwater nightly, and look why it did not run")
    if not found:
        last = watchdog.read(site_dir)
        yield Answer("last night", "ok", f"the night of {last.day} finished: {last.status}")
