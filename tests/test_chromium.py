"""Printing: a real browser where there is one, and stand-ins that hang, fail, lie or are not there."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pypdf
import pytest

from pipelines import chromium

PAGE = """<!doctype html><html lang="en"><head><title>T</title><style>@page { size: letter landscape;
@bottom-right { content: "Page " counter(page) " of " counter(pages) } } h2 { break-before: page }</style></head>
<body><h1>One</h1><p id="p">not drawn</p><h2>Two</h2><script>setTimeout(() => {
document.getElementById("p").textContent = "drawn" }, 300)</script></body></html>"""


def browser() -> Path:
    try:
        return chromium.found(os.environ)
    except chromium.NoBrowser as caught:
        pytest.skip(str(caught))


def stand_in(folder: Path, script: str) -> Path:
    """A program that stands for a browser."""
    path = folder / "chromium"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "a page #1.html"
    path.write_text(PAGE)
    return path


def test_a_page_is_printed_with_numbers_outline_and_tags_after_its_script_ran(page: Path, tmp_path: Path) -> None:
    chromium.print_pdf(browser(), page, tmp_path / "x.pdf", seconds=chromium.patience(1))
    pdf = pypdf.PdfReader(tmp_path / "x.pdf")
    texts = [one.extract_text() for one in pdf.pages]
    assert len(texts) == 2
    assert "drawn" in texts[0]
    assert "not drawn" not in texts[0]
    assert ["Page 1 of 2" in texts[0], "Page 2 of 2" in texts[1]] == [True, True]
    assert pdf.outline[0].title == "One"  # type: ignore[union-attr]
    assert "/StructTreeRoot" in pdf.trailer["/Root"]
    assert float(pdf.pages[0].mediabox.width) > float(pdf.pages[0].mediabox.height)


def test_a_browser_that_hangs_is_ended_in_time_with_all_it_started(page: Path, tmp_path: Path) -> None:
    fake = stand_in(tmp_path, f"sleep 600 & echo $! > {tmp_path}/child; wait")
    started = time.monotonic()
    with pytest.raises(chromium.NoBrowser, match="did not print within 1 s and was ended; the PDF could not be drawn"):
        chromium.print_pdf(fake, page, tmp_path / "x.pdf", seconds=1)
    assert time.monotonic() - started < 10
    assert not (tmp_path / "x.pdf").exists()
    assert _gone(int((tmp_path / "child").read_text()))


def _gone(pid: int) -> bool:
    for _ in range(50):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").read_text().split(")")[-1].split()[0] == "Z":
            return True
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    return False


@pytest.mark.parametrize(
    "script",
    ["exit 0", "exit 7", 'for a; do case "$a" in --print-to-pdf=*) printf "%%PDF-1.4 half" > "${a#*=}";; esac; done'],
    ids=["prints nothing", "fails", "prints half a file"],
)
def test_no_whole_pdf_is_no_pdf(page: Path, tmp_path: Path, script: str) -> None:
    with pytest.raises(chromium.NoBrowser, match="no whole PDF"):
        chromium.print_pdf(stand_in(tmp_path, script), page, tmp_path / "x.pdf", seconds=10)
    assert not (tmp_path / "x.pdf").exists()


def test_a_file_that_is_no_program_is_said(page: Path, tmp_path: Path) -> None:
    path = tmp_path / "chromium"
    path.write_bytes(b"\x00\x01")
    path.chmod(0o755)
    with pytest.raises(chromium.NoBrowser, match="did not start"):
        chromium.print_pdf(path, page, tmp_path / "x.pdf", seconds=5)


def test_the_setting_comes_before_the_path_and_what_is_missing_is_said(tmp_path: Path) -> None:
    fake = stand_in(tmp_path, "exit 0")
    assert chromium.found({"PATH": str(tmp_path)}) == fake
    assert chromium.found({"PATH": "", chromium.SETTING: str(fake)}) == fake
    with pytest.raises(chromium.NoBrowser, match="HEADWATER_CHROMIUM=/nowhere/x is no program; install one"):
        chromium.found({"PATH": str(tmp_path), chromium.SETTING: "/nowhere/x"})
    with pytest.raises(chromium.NoBrowser, match="none of chromium"):
        chromium.found({"PATH": str(tmp_path / "empty")})
