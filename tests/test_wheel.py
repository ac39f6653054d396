"""The wheel alone, installed elsewhere and run from elsewhere, finds its law, templates, skeletons and migrations."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("models", "ingest", "reports", "pipelines")
SOURCES = ("pyproject.toml", "README.md", *PACKAGES)

# ``-S`` keeps out the editable install's .pth file, ``-P`` the current folder: what is left is named here.
RUN = """
import sys
sys.path[:0] = {paths!r}
import models, ingest, reports, pipelines
for package in (models, ingest, reports, pipelines):
    assert package.__path__[0].startswith({home!r}), package.__path__
{body}
"""
FOUND = """
from importlib.resources import files
from alembic.script import ScriptDirectory
from models.rules import ordinance
from models.standards import standards
from models.policy import default_policy
from models.holidays import holidays
from pipelines.database import HEAD
from reports.mail import _environment
law = ordinance("howard")
assert len(law.rule) > 5 and standards("nr140") and holidays(law.holidays) and default_policy()
assert {one.name for one in (files("pipelines") / "skeleton").iterdir()} >= {"site.toml", "events.csv"}
assert set(_environment().list_templates()) >= {"alert.txt.j2", "overdue.txt.j2"}
assert ScriptDirectory(str(files("pipelines") / "migrations")).get_current_head() == HEAD
"""
COMMAND = "from pipelines.cli import main; main(sys.argv[1:])"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the sources, so that the checkout is left as it is."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in SOURCES:
        one = ROOT / name
        if one.is_dir():
            shutil.copytree(one, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif one.exists():
            shutil.copy(one, source / name)
    _done(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(source))
    return next(out.glob("headwater-*.whl"))


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder the wheel alone is installed into, without its dependencies."""
    target = tmp_path_factory.mktemp("elsewhere") / "lib"
    pip = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
    _done(sys.executable, *pip, "--target", str(target), str(wheel))
    return target


def test_the_wheel_holds_every_file_of_the_four_packages(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        str(file.relative_to(ROOT))
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert sorted(wanted - held) == []
    assert {one.split("/")[0] for one in held if ".dist-info" not in one} == set(PACKAGES)


def test_four_packages_with_law_templates_skeletons_and_migrations(home: Path, tmp_path: Path) -> None:
    _python(home, tmp_path, FOUND)


def test_a_site_from_init_to_its_first_night(home: Path, tmp_path: Path) -> None:
    made = json.loads(_headwater(home, tmp_path, "init", "site", "--json"))
    assert "site/site.toml" in made["made"]
    assert json.loads(_headwater(home, tmp_path, "check", "--site", "site", "--json"))["ordinance"] == "howard"
    summary = json.loads(_headwater(home, tmp_path, "nightly", "--site", "site", "--as-of", "2025-06-30", "--json"))
    assert (summary["site"], summary["changes"], summary["mails"]) == ("example-mine", [], [])
    assert (tmp_path / "site" / "headwater.db").is_file()


def test_the_version_is_the_wheels(wheel: Path, home: Path, tmp_path: Path) -> None:
    assert wheel.name.split("-")[1] in _headwater(home, tmp_path, "--version")


def _headwater(home: Path, cwd: Path, *arguments: str) -> str:
    return _python(home, cwd, COMMAND, *arguments)


def _python(home: Path, cwd: Path, body: str, *arguments: str) -> str:
    paths = [str(home), *dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))]
    script = RUN.format(paths=paths, home=str(home), body=body)
    return _done(sys.executable, "-S", "-P", "-c", script, *arguments, cwd=cwd)


def _done(*command: str, cwd: Path | None = None) -> str:
    kept = {name: text for name, text in os.environ.items() if name not in {"PYTHONPATH", "HEADWATER_DATABASE_URL"}}
    done = subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
