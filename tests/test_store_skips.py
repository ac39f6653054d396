"""Where CI=true nothing is skipped unnoticed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

SKIPPING = """
import pytest

def test_skipped():
    pytest.skip("no browser")

@pytest.mark.skip(reason="later")
def test_marked():
    pass

def test_shared(shared):
    pass

@pytest.mark.xfail
def test_known():
    assert False
"""


def outcome(folder: Path, ci: str) -> str:
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "test_skipping.py").write_text(SKIPPING)
    (folder / "test_module.py").write_text("import pytest\npytest.skip('no server', allow_module_level=True)\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--continue-on-collection-errors",
        "-p",
        "no:cacheprovider",
        str(folder),
    ]
    environment = {**os.environ, "CI": ci, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    return done.stdout


def test_a_skip_is_a_skip_at_home(tmp_path: Path) -> None:
    assert "4 skipped, 1 xfailed" in outcome(tmp_path, "")


def test_a_skip_is_a_failure_in_ci_unless_the_shared_folder_is_absent(tmp_path: Path) -> None:
    said = outcome(tmp_path, "true")
    assert "skipped where CI=true: Skipped: no browser" in said
    assert "skipped where CI=true: Skipped: no server" in said
    assert "1 failed, 1 skipped, 1 xfailed, 2 errors" in said
