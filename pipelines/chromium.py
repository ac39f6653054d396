"""Print a local page to PDF with a Chromium of the machine; a browser that hangs is ended and said, not waited for."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from models.errors import EnvironmentFailed

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SETTING = "HEADWATER_CHROMIUM"
SECONDS, SECONDS_A_FIGURE = 30.0, 1.5
DRAWING_MS = 15_000  # the page's own clock runs this far ahead while its figures are drawn
WINDOW = "1056,816"  # a letter page on its side at 96 dots to the inch: figures are drawn as wide as they print
FLAGS = (
    "--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--no-default-browser-check",
    "--disable-extensions", "--disable-background-networking", "--disable-sync", "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND", f"--window-size={WINDOW}", f"--virtual-time-budget={DRAWING_MS}",
    "--no-pdf-header-footer", "--generate-pdf-document-outline", "--export-tagged-pdf",
)  # fmt: skip


class NoBrowser(EnvironmentFailed):
    """No Chromium, or one that did not print."""


def found(environ: Mapping[str, str]) -> Path:
    """The browser that is set, else the first on the path.

    Raises
    ------
    NoBrowser : none is there; the message says what to do.
    """
    named = environ.get(SETTING)
    where = [shutil.which(name, path=environ.get("PATH")) for name in ([named] if named else NAMES)]
    path = next((one for one in where if one), None)
    if path is None:
        looked = f"{SETTING}={named} is no program" if named else f"none of {', '.join(NAMES)} is on the path"
        raise NoBrowser(f"no Chromium to print with: {looked}; install one or set {SETTING}")
    return Path(path)


def patience(figures: int) -> float:
    """How long a page with so many figures may take to print [s]."""
    return SECONDS + SECONDS_A_FIGURE * figures


def print_pdf(browser: Path, page: Path, pdf: Path, *, seconds: float) -> None:
    """Print a page of this machine; the file is whole or not there.

    Parameters
    ----------
    page : HTML file.
    seconds : the browser and all it started are ended after this long [s].

    Raises
    ------
    NoBrowser : it did not start, did not end in time, or left no whole PDF.
    """
    with tempfile.TemporaryDirectory(prefix="headwater-print-", ignore_cleanup_errors=True) as folder:
        printed = Path(folder) / "page.pdf"
        sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        where = [f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}", page.resolve().as_uri()]
        _run([str(browser), *FLAGS, *sandbox, *where], seconds)
        if not _is_whole(printed):
            raise NoBrowser(f"{browser.name} printed no whole PDF; the chart pages could not be drawn")
        shutil.copyfile(printed, pdf)


def _run(command: list[str], seconds: float) -> None:
    """Run a browser in a process group of its own, so that everything it starts can be ended with it."""
    quiet = subprocess.DEVNULL
    try:
        process = subprocess.Popen(command, start_new_session=True, stdin=quiet, stdout=quiet, stderr=quiet)  # noqa: S603
    except OSError as caught:
        raise NoBrowser(f"the browser did not start: {caught.strerror}", found=command[0]) from None
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        name = Path(command[0]).name
        raise NoBrowser(
            f"{name} did not print within {seconds:g} s and was ended; the PDF could not be drawn"
        ) from None
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the group, also when its first process is gone already; then take the exit status."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
    process.wait()


def _is_whole(pdf: Path) -> bool:
    if not pdf.is_file():
        return False
    content = pdf.read_bytes()
    return content.startswith(b"%PDF-") and b"%%EOF" in content[-64:]
