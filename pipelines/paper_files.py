"""The files of a paper: page, print and plain text, for the town's eyes only (mode 0600), each whole or not there."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from models.errors import EnvironmentFailed
from pipelines import chromium
from reports.papers.sheet import Written

FOLDER = "papers"
ENDINGS = ("html", "txt", "pdf")
STAGE = ".paper-"
"""How the folder is called in which a paper is made."""


def write(one: Written, out: Path, name: str, environ: Mapping[str, str], *, pdf: bool) -> dict[str, Any]:
    """Write ``name.html``, ``name.txt`` and, with a browser, ``name.pdf`` into a folder.

    Returns
    -------
    Plain data: ``files`` with their paths and sizes [bytes], ``left_out`` line by line.

    Raises
    ------
    EnvironmentFailed : the folder cannot be written.
    """
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _staged(out) as stage:
            (stage / f"{name}.html").write_text(one.html, encoding="utf-8")
            (stage / f"{name}.txt").write_text(one.text, encoding="utf-8")
            left_out = _print(stage, name, environ) if pdf else []
            return {"files": _moved(stage, out, name), "left_out": left_out}
    except OSError as caught:
        raise EnvironmentFailed(f"cannot be written: {caught.strerror}", file=str(out)) from None


@contextmanager
def _staged(out: Path) -> Iterator[Path]:
    """A folder of mode 0700 beside the result, gone afterwards."""
    stage = Path(tempfile.mkdtemp(prefix=STAGE, dir=out))
    try:
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _print(stage: Path, name: str, environ: Mapping[str, str]) -> list[str]:
    """Print the page; what kept it from being printed is said."""
    try:
        browser = chromium.found(environ)
        chromium.print_pdf(browser, stage / f"{name}.html", stage / f"{name}.pdf", seconds=chromium.patience(0))
    except chromium.NoBrowser as caught:
        return [f"{name}.pdf: {caught}"]
    return []


def _moved(stage: Path, out: Path, name: str) -> list[dict[str, Any]]:
    """Put the files in their place; an older print that may no longer match the page goes."""
    (out / f"{name}.pdf").unlink(missing_ok=True)
    there = [f"{name}.{ending}" for ending in ENDINGS if (stage / f"{name}.{ending}").is_file()]
    for file in there:
        (stage / file).chmod(0o600)
        (stage / file).replace(out / file)
    return [{"name": str(out / file), "bytes": (out / file).stat().st_size} for file in there]


def forget(out: Path, names: Iterable[str]) -> list[str]:
    """Take papers out of a folder in every form, with what a killed run left of them; and which files went.

    Raises
    ------
    EnvironmentFailed : a file cannot be taken out.
    """
    wanted = {f"{name}.{ending}" for name in names for ending in ENDINGS}
    folders = [out, *out.glob(f"{STAGE}*")] if out.is_dir() else []
    found = [folder / name for folder in folders for name in sorted(wanted) if (folder / name).is_file()]
    try:
        for file in found:
            file.unlink()
    except OSError as caught:
        raise EnvironmentFailed(f"cannot be taken out: {caught.strerror}", file=str(out)) from None
    return [file.name for file in found]
