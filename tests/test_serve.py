"""`headwater serve` as people run it: scheduled night, SIGKILL, restart, clean stop; and the flow in Prefect's harness.

One server and one harness are started for all of it: each takes up to half a minute. No request may leave the machine.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time as stopwatch
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pipelines import casebook, catch_up, cli, flows, night_lock, serve
from pipelines.database import default_url, opened, reading
from pipelines.maildir import Maildir
from pipelines.outbox import Message, Refused
from pipelines.site_folder import open_site
from sample_data import demo

ROOT = Path(__file__).resolve().parents[1]
CHICAGO = ZoneInfo("America/Chicago")
AUDIT = """
import os, sys
def seen(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        where = str(arguments[1][0])
    elif event == "socket.getaddrinfo":
        where = str(arguments[0])
    else:
        return
    if where not in {"127.0.0.1", "::1", "localhost", "None"}:
        with open(os.environ["AUDIT"], "a") as file:
            file.write(f"{event} {where}\\n")
sys.addaudithook(seen)
"""


def nights(site: Path) -> list[tuple[str, bool]]:
    with opened(default_url(site, {})) as engine, reading(engine) as connection:
        return [
            (str(one["on_day"]), one["finished_at"] is not None) for one in casebook.nights(connection, "pine-hollow")
        ]


def until(what: Callable[[], bool], seconds: float) -> None:
    end = stopwatch.monotonic() + seconds
    while not what():
        assert stopwatch.monotonic() < end, "it did not come"
        stopwatch.sleep(0.25)


# The process ---------------------------------------------------------------------------------------------------------


class Served:
    """`headwater serve` in a process of its own, with an eye on every connection it and its children make."""

    def __init__(self, folder: Path, site: Path, at: str, port: int = 0) -> None:
        self.port = port or free_port()
        (folder / "eye").mkdir(exist_ok=True)
        (folder / "eye" / "sitecustomize.py").write_text(AUDIT)
        self.abroad, self.output = folder / "abroad", folder / f"output{len(list(folder.iterdir()))}"
        path = os.pathsep.join([str(folder / "eye"), str(ROOT)])
        env = {
            "PYTHONPATH": path,
            "AUDIT": str(self.abroad),
            "PREFECT_API_KEY": "no",
            "HTTP_PROXY": "http://127.0.0.1:1",
        }
        env |= {"PREFECT_RUNNER_POLL_FREQUENCY": "2"}
        program = "from pipelines.cli import main; main()"
        command = [sys.executable, "-c", program, "serve", "--site", site, "--at", at, "--port", str(self.port)]
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                command, cwd=folder, env={**os.environ, **env}, stdout=output, stderr=subprocess.STDOUT
            )

    def said(self) -> str:
        return self.output.read_text()

    def wait_for(self, words: str, seconds: float = 180) -> None:
        until(lambda: words in self.said() or self.process.poll() is not None, seconds)
        assert words in self.said(), self.said()

    def api(self, path: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        until_s = stopwatch.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as caught:  # a busy server says 503: ask again
                caught.close()
                if caught.code != 503 or stopwatch.monotonic() > until_s:
                    raise
                stopwatch.sleep(0.5)

    def runs(self) -> dict[str, str]:
        """Name of the state of each run that is over, by the name of the run."""
        over = {"flow_runs": {"state": {"type": {"any_": ["COMPLETED", "FAILED", "CRASHED"]}}}}
        return {one["name"]: one["state_name"] for one in self.api("flow_runs/filter", over)}

    def ended(self) -> bool:
        """Nothing listens on the port any more, so the next start finds it free."""
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", self.port)) != 0


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The sample site before anybody has done anything."""
    demo.fresh_site(tmp_path / "site")
    (tmp_path / "site" / "events.csv").unlink()
    return tmp_path / "site"


def test_a_scheduled_night_a_kill_a_restart_and_a_clean_stop(tmp_path: Path, site: Path) -> None:
    """The schedule fires in the next minute but one; the night before is on record, so that nothing is caught up."""
    now = datetime.now(CHICAGO)
    at = (now + timedelta(seconds=90)).time().replace(second=0, microsecond=0)
    due = catch_up.due_day(now, at, CHICAGO)
    demo.run_night(site, due)
    key = due + timedelta(days=1)
    first = Served(tmp_path, site, f"{at:%H:%M}")
    try:
        first.wait_for(f"night of {key}: 0 files", 240)
        until(lambda: list(first.runs().values()) == ["Completed"], 30)
        assert not first.ended()
    finally:
        first.process.kill()
        first.process.wait()
    until(first.ended, 10)
    assert "Traceback" not in first.said()
    assert nights(site) == [(due.isoformat(), True), (key.isoformat(), True)]

    again = Served(tmp_path, site, f"{at:%H:%M}", first.port)
    try:
        again.wait_for("every night at")
        asked_again(again, site, key)
        stopped = stopwatch.monotonic()
        again.process.send_signal(signal.SIGTERM)
        assert again.process.wait(60) == 0, again.said()
        assert stopwatch.monotonic() - stopped < 30
    finally:
        again.process.kill()
        again.process.wait()
    assert again.ended()
    assert again.said().splitlines()[-1] == "stopping"
    assert "missed" not in again.said()
    for text in (again.said(), (site / ".prefect" / "prefect.log").read_text()):
        assert "Traceback" not in text
    assert nights(site) == [(due.isoformat(), True), (key.isoformat(), True)]
    assert not again.abroad.exists(), again.abroad.read_text()


def asked_again(served: Served, site: Path, key: date) -> None:
    """By hand, as the page does it: what the schedule would do is done already; a given day runs, and adds nothing."""
    offered = {one["name"]: one for one in served.api("deployments/filter", {})}
    (deployment,) = (one for name, one in offered.items() if "numerical model" not in name)
    assert len(offered) == 2  # the night, and the numerical model by hand
    for name, parameters in (("by hand", {}), ("a day", {"as_of": key.isoformat()})):
        body = {"name": name, "parameters": {"site": str(site), **parameters}, "state": {"type": "SCHEDULED"}}
        served.api(f"deployments/{deployment['id']}/create_flow_run", body)
    until(lambda: {"by hand", "a day"} <= set(served.runs()), 60)
    assert (served.runs()["by hand"], served.runs()["a day"]) == ("Skipped", "Completed")


# Starting and stopping, with other children than Prefect -------------------------------------------------------------


def served(site: Path, port: int = 0) -> None:
    serve.serve([open_site(site)], time(2, 10), "127.0.0.1", port or free_port(), lambda _: None)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Start this instead of the Prefect server."""

    def instead(program: str) -> None:
        start = serve.child_process.start
        command = [sys.executable, "-c", program]
        monkeypatch.setattr(serve.child_process, "start", lambda _, env, log, **more: start(command, env, log, **more))

    return instead


def test_a_server_that_dies_ends_it_with_one_line(site: Path, children: Callable[[str], None]) -> None:
    children("import sys; sys.exit(3)")
    with pytest.raises(
        Exception, match=r"the Prefect server ended by itself with code 3; see .*prefect\.log"
    ) as caught:
        served(site)
    assert getattr(caught.value, "exit_code", None) == 4


def test_told_to_stop_while_the_server_is_starting(site: Path, children: Callable[[str], None]) -> None:
    children("import time; time.sleep(60)")
    before = signal.getsignal(signal.SIGTERM)
    begun = stopwatch.monotonic()
    with subprocess.Popen(["sh", "-c", f"sleep 1.5; kill -TERM {os.getpid()}"]):
        served(site)
    assert stopwatch.monotonic() - begun < 15
    assert signal.getsignal(signal.SIGTERM) == before
    assert not (site / ".prefect" / "serve.lock").exists()


def test_a_port_that_is_taken(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert cli.run(["serve", "--site", str(site), "--port", port]) == 4
    assert (
        capsys.readouterr().err
        == f"headwater: cannot listen on 127.0.0.1, port {port}: Address already in use; choose --port\n"
    )


def test_a_second_serve_for_the_same_site(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / ".prefect").mkdir()
    with night_lock.file_lock(site / ".prefect" / "serve.lock", "process 7", ""):
        assert cli.run(["serve", "--site", str(site), "--port", str(free_port())]) == 4
    assert "another `headwater serve` is at work on this site; this one stops: process 7" in capsys.readouterr().err


def test_without_prefect_it_says_what_to_install(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise serve.importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(serve.importlib.metadata, "version", absent)
    with pytest.raises(Exception, match=r"needs headwater\[serve\]") as caught:
        served(site)
    assert getattr(caught.value, "exit_code", None) == 4


@pytest.mark.parametrize("arguments", [["--at", "2:10"], ["--at", "24:00"], ["--port", "0"], ["--site", "/nowhere"]])
def test_what_cannot_be_served(site: Path, arguments: list[str]) -> None:
    assert cli.run(["serve", "--site", str(site), *arguments]) == 2


def test_a_database_of_a_first_start_that_was_killed_is_dropped(tmp_path: Path) -> None:
    for name in ("prefect.db", "prefect.db-wal"):
        (tmp_path / name).write_text("half")
    serve._drop_half_made(tmp_path, "3.9.1")
    assert list(tmp_path.iterdir()) == []
    for name in ("prefect.db", "ready"):
        (tmp_path / name).write_text("3.9.1")
    serve._drop_half_made(tmp_path, "3.9.1")
    assert len(list(tmp_path.iterdir())) == 2
    serve._drop_half_made(tmp_path, "3.9.2")  # about to migrate: kept, but dropped if that is cut off
    assert [one.name for one in tmp_path.iterdir()] == ["prefect.db"]


def test_the_children_know_no_server_but_ours(tmp_path: Path) -> None:
    env = serve.environment(
        tmp_path, "0.0.0.0", 4200, {"PREFECT_API_KEY": "secret", "PREFECT_PROFILE": "cloud", "A": "b"}
    )
    assert "secret" not in env.values()
    assert "PREFECT_PROFILE" not in env
    assert (env["A"], env["PREFECT_API_URL"]) == ("b", "http://127.0.0.1:4200/api")
    assert (env["PREFECT_SERVER_ANALYTICS_ENABLED"], env["DO_NOT_TRACK"]) == ("false", "1")
    assert env["PREFECT_HOME"] == str(tmp_path)


def test_help_imports_no_prefect() -> None:
    program = (
        "import sys; from pipelines.cli import run; code = run(['serve', '--help']); import pipelines.flows;"
        "sys.exit('prefect' in sys.modules or code)"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=60).returncode == 0


# The flow in Prefect's harness ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def prefect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A temporary server, started once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREFECT_HOME", str(tmp_path_factory.mktemp("prefect")))
        for name, value in (("PREFECT_SERVER_ANALYTICS_ENABLED", "false"), ("DO_NOT_TRACK", "1")):
            patch.setenv(name, value)
        from prefect.testing.utilities import prefect_test_harness

        with prefect_test_harness(server_startup_timeout=180):
            yield


@contextmanager
def sends(send: Callable[[Message], None]) -> Iterator[Callable[[Message], None]]:
    yield send


@pytest.mark.filterwarnings("default")
def test_the_flow_runs_a_night_and_retries_only_the_sending(
    prefect: None, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One flow run for each thing that can happen; the waits between tries are taken out."""
    monkeypatch.setattr(flows, "RETRY_AFTER_S", [0.0, 0.0])
    night = flows.nightly_flow()
    demo.deliver(site, [demo.SAMPLE / "baseline/usgs-05999101-dv-2025-06-30.rdb"])
    low = demo.SAMPLE / "nights/2025-08-12/usgs-05999101-dv-2025-08-12.rdb"

    tried: list[str] = []

    def greylisted(message: Message) -> None:
        tried.append(message.key)
        if tried.count(message.key) < 3:
            raise ConnectionError("451 try again later")
        Maildir(site / "outbox")(message)

    def refused(message: Message) -> None:
        tried.append(message.key)
        raise Refused("550 no such user")

    monkeypatch.setattr(flows, "sender", lambda *_: sends(greylisted))
    state = night(str(site), as_of=date(2025, 6, 30), return_state=True)
    assert state.name == "Completed", state.message
    assert state.message.startswith("night of 2025-06-30: 1 files")
    assert tried
    assert {tried.count(one) for one in tried} == {3}
    assert len(list((site / "outbox" / "new").iterdir())) == len(set(tried))

    tried.clear()
    monkeypatch.setattr(flows, "sender", lambda *_: sends(refused))
    demo.deliver(site, [low])
    state = night(str(site), as_of=date(2025, 8, 12), return_state=True)
    assert (state.name, state.is_failed()) == ("Partial", True)
    assert "no such user" in state.message
    assert {tried.count(one) for one in tried} == {1}  # what is refused for good is not tried again

    begun: list[int] = []

    def broken(*_: object, **__: object) -> None:
        begun.append(1)
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(catch_up.night, "run", broken)
        state = night(str(site), return_state=True)
    assert (state.name, state.message, len(begun)) == ("Failed", "disk full", 1)  # the night itself is not retried

    with (
        opened(default_url(site, {})) as engine,
        night_lock.alone(site, "pine-hollow", engine, datetime(2025, 8, 13, tzinfo=UTC)),
    ):
        state = night(str(site), return_state=True)
    assert (state.is_failed(), "another night is at work" in state.message) == (True, True)

    monkeypatch.setattr(flows, "sender", lambda *_: sends(Maildir(site / "outbox")))
    assert night(str(site), return_state=True).name in {"Completed", "Partial"}
    assert night(str(site), return_state=True).name == "Skipped"
    assert night(str(site / "nowhere"), return_state=True).is_failed()
    assert [day for day, _ in nights(site)][:2] == ["2025-06-30", "2025-08-12"]
