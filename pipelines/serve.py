"""Run every night of one or more sites on a schedule: a Prefect server and a runner, both children of this process.

Prefect keeps its own database in ``SITE/.prefect``: the history of runs and nothing else. Nothing is sent anywhere.
Killed at any instant, this process takes its children along and leaves nothing that hinders the next start.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import signal
import socket
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import time
from pathlib import Path
from subprocess import Popen

from models.errors import EnvironmentFailed
from pipelines import child_process
from pipelines.night_lock import file_lock
from pipelines.site_folder import SiteFolder

Say = Callable[[str], None]

AT = time(2, 10)
HOST, PORT = "127.0.0.1", 4200
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_STARTUP_S = 300
_TOLD_EVERY_S = 5
_RUNNER_STOPS_S, _SERVER_STOPS_S = 45, 15
_LONGEST_LOG = 5_000_000
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  the address that asks for all is none to be asked at


def serve(folders: Sequence[SiteFolder], at: time, host: str, port: int, say: Say) -> None:
    """Serve until SIGINT or SIGTERM.

    Parameters
    ----------
    folders : the sites; Prefect's own files are kept in the first.
    at : local time of day at which a night begins, in each ordinance's zone.

    Raises
    ------
    EnvironmentFailed : Prefect is missing, the port is taken, a child process ended.
    """
    version = _prefect_version()
    home = folders[0].path.resolve() / ".prefect"
    home.mkdir(mode=0o700, exist_ok=True)
    taken = "another `headwater serve` is at work on this site; this one stops"
    with file_lock(home / "serve.lock", f"process {os.getpid()}", taken), _stop_signals() as stopping:
        _free(host, port)
        _drop_half_made(home, version)
        _run(folders, at, _url(host, port), environment(home, host, port, os.environ), home, version, stopping, say)


def environment(home: Path, host: str, port: int, env: Mapping[str, str]) -> dict[str, str]:
    """What the children are told: all state inside the site, no analytics, no way to anybody else's server."""
    ours = {
        "PREFECT_HOME": str(home),
        "PREFECT_API_URL": f"{_url(host, port)}/api",
        "PREFECT_SERVER_API_HOST": host,
        "PREFECT_SERVER_API_PORT": str(port),
        "PREFECT_SERVER_UI_API_URL": "/api",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": str(_STARTUP_S),
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "WARNING",
        "PREFECT_SERVER_LOGGING_LEVEL": "WARNING",
        "NO_PROXY": ",".join(LOOPBACK),
        "no_proxy": ",".join(LOOPBACK),
    }
    return {name: value for name, value in env.items() if name not in {"PREFECT_API_KEY", "PREFECT_PROFILE"}} | ours


def _run(
    folders: Sequence[SiteFolder],
    at: time,
    url: str,
    env: Mapping[str, str],
    home: Path,
    version: str,
    stopping: threading.Event,
    say: Say,
) -> None:
    """Server, then runner; at the end runner, then server."""
    path = home / "prefect.log"
    with path.open("wb" if _long(path) else "ab") as log, contextlib.ExitStack() as children:
        server = child_process.start([sys.executable, "-m", "prefect", "server", "start"], env, log, output=log)
        children.callback(child_process.stop, server, _SERVER_STOPS_S)
        if not _healthy(server, f"{url}/api/health", path, stopping, say):
            return
        (home / "ready").write_text(version)
        sites = [str(one.path.resolve()) for one in folders]
        program = "from pipelines.flows import main; main()"
        runner = child_process.start([sys.executable, "-c", program, f"{at:%H:%M}", *sites], env, log)
        children.callback(child_process.stop, runner, _RUNNER_STOPS_S)
        say(f"runs and parameters: {url}")
        _watch({"Prefect server": server, "runner": runner}, path, stopping)
        say("stopping")


def _long(log: Path) -> bool:
    return log.exists() and log.stat().st_size > _LONGEST_LOG


def _healthy(server: Popen[bytes], address: str, log: Path, stopping: threading.Event, say: Say) -> bool:
    """Wait until the server answers; False if told to stop before it did."""
    for waited in range(_STARTUP_S):
        if waited % _TOLD_EVERY_S == 0:
            say(f"starting the Prefect server: {waited} s (half a minute the first time)")
        if stopping.wait(1):
            return False
        _still_there("Prefect server", server, log)
        if _answers(address):
            return True
    raise EnvironmentFailed(f"the Prefect server did not answer within {_STARTUP_S} s; see {log}")


def _answers(address: str) -> bool:
    with contextlib.suppress(OSError, ValueError):
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        return json.load(direct.open(address, timeout=5)) is True
    return False


def _watch(children: Mapping[str, Popen[bytes]], log: Path, stopping: threading.Event) -> None:
    while not stopping.wait(0.5):
        for name, child in children.items():
            _still_there(name, child, log)


def _still_there(name: str, child: Popen[bytes], log: Path) -> None:
    if child.poll() is not None:
        raise EnvironmentFailed(f"the {name} ended by itself with code {child.returncode}; see {log}")


@contextmanager
def _stop_signals() -> Iterator[threading.Event]:
    """Set when SIGINT or SIGTERM asks us to stop; a second one changes nothing."""
    stopping = threading.Event()
    before = {one: signal.signal(one, lambda *_: stopping.set()) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopping
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _drop_half_made(home: Path, version: str) -> None:
    """A database whose first start, or first start under another version, was cut off may be broken for good."""
    ready = home / "ready"
    if not ready.exists():
        for one in home.glob("prefect.db*"):
            one.unlink()
    elif ready.read_text() != version:
        ready.unlink()


def _prefect_version() -> str:
    try:
        return importlib.metadata.version("prefect")
    except importlib.metadata.PackageNotFoundError:
        raise EnvironmentFailed("Prefect is not installed; `serve` needs headwater[serve]") from None


def _free(host: str, port: int) -> None:
    """A server left by somebody else would be taken for ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((host, port))
        except OSError as caught:
            raise EnvironmentFailed(f"cannot listen on {host}, port {port}: {caught.strerror}; choose --port") from None


def _url(host: str, port: int) -> str:
    asked = _ANY.get(host, host)
    return f"http://{f'[{asked}]' if ':' in asked else asked}:{port}"
