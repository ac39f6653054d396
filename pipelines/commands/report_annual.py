"""``headwater report annual``: the yearly appendix as page, workbook and PDF."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from pipelines import chromium, night
from pipelines.annual_record import private_texts, read_year
from pipelines.database import reading
from pipelines.site_folder import SiteFolder
from pipelines.terminal import as_json, emit, say, site_option, site_store
from reports.annual.appendix import Appendix, appendix
from reports.annual.page import DRAW, PLOTLY, draw_script, page, plotly_script
from reports.workbook import workbook

ASSETS = "annual-assets"
STATUS = "DRAFT: nobody has signed this appendix"


@click.command()
@click.argument("year", type=int)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder to write to; default SITE/reports."
)
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), help="As known at the end of this civil day; default now.")
@click.option("--no-pdf", is_flag=True, help="Page and workbook only.")
@site_option
@as_json
def annual(year: int, out: Path | None, as_of: datetime | None, no_pdf: bool, site_dir: Path, as_json: bool) -> int:
    """The annual appendix on groundwater and streams for calendar YEAR, due in the year after it.

    Writes annual-YEAR.html, annual-YEAR.xlsx and annual-YEAR.pdf, each whole or not at all. Without a
    browser, or with one that does not print in time, there is no PDF: exit code 3.
    """
    say("reading the record")
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        on, now = _known(folder, as_of)
        told = appendix(read_year(connection, folder, year, on, now), private_texts(folder))
    say("writing")
    summary = write(told, out or site_dir / "reports", f"annual-{year}", now, pdf=not no_pdf)
    say("")
    emit({"year": year, "known_at": now.isoformat(), **summary}, lambda: _text(summary), json_wanted=as_json)
    return 3 if summary["left_out"] else 0


def _known(folder: SiteFolder, as_of: datetime | None) -> tuple[date, datetime]:
    """Last civil day and instant of knowledge: as a night has them."""
    if as_of:
        return as_of.date(), night.end_of(as_of.date(), folder.law)
    now = datetime.now(UTC)
    return now.astimezone(ZoneInfo(folder.law.zone)).date() - timedelta(days=1), now


def write(told: Appendix, out: Path, name: str, created: datetime, *, pdf: bool = True) -> dict[str, Any]:
    """Write page, workbook and PDF into a folder.

    Parameters
    ----------
    name : of the files, without an ending.
    created : date of the workbook.

    Returns
    -------
    Plain data: ``out``, ``files`` with their sizes [bytes], ``tables`` with their rows, ``left_out``.
    """
    out.mkdir(parents=True, exist_ok=True)
    with _staged(out) as stage:
        _stage_page(told, stage, name)
        tables = list(told.tables())
        book = workbook(tables, title=told.title, status=STATUS, created=created)
        (stage / f"{name}.xlsx").write_bytes(book)
        left_out = _stage_pdf(told, stage, name) if pdf else []
        files = _moved(stage, out, name)
    counts = {table.id: len(table.rows) for table in tables}
    return {"out": str(out), "files": files, "tables": counts, "left_out": left_out}


@contextmanager
def _staged(out: Path) -> Iterator[Path]:
    """A folder beside the result, gone afterwards: what is half written never stands under its name."""
    stage = Path(tempfile.mkdtemp(prefix=".annual-", dir=out))
    try:
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _stage_page(told: Appendix, stage: Path, name: str) -> None:
    (stage / ASSETS).mkdir()
    (stage / ASSETS / PLOTLY).write_bytes(plotly_script())
    (stage / ASSETS / DRAW).write_text(draw_script(), encoding="utf-8")
    (stage / f"{name}.html").write_text(page(told, ASSETS), encoding="utf-8")


def _stage_pdf(told: Appendix, stage: Path, name: str) -> list[str]:
    """Print the page; what kept it from being printed is said."""
    say("printing")
    try:
        browser = chromium.found(os.environ)
        chromium.print_pdf(
            browser, stage / f"{name}.html", stage / f"{name}.pdf", seconds=chromium.patience(told.figures())
        )
    except chromium.NoBrowser as caught:
        return [f"{name}.pdf: {caught}"]
    return []


def _moved(stage: Path, out: Path, name: str) -> list[dict[str, Any]]:
    """Put the files in their place, the page last; an older PDF that no longer matches it goes."""
    (out / ASSETS).mkdir(exist_ok=True)
    paths = [f"{ASSETS}/{PLOTLY}", f"{ASSETS}/{DRAW}", f"{name}.xlsx", f"{name}.pdf", f"{name}.html"]
    (out / f"{name}.pdf").unlink(missing_ok=True)
    there = [path for path in paths if (stage / path).is_file()]
    for path in there:
        (stage / path).chmod(0o644)
        (stage / path).replace(out / path)
    return [{"name": path, "bytes": (out / path).stat().st_size} for path in there]


def _text(summary: dict[str, Any]) -> str:
    lines = [f"wrote {Path(summary['out']) / one['name']} ({one['bytes']:,} bytes)" for one in summary["files"]]
    return "\n".join([*lines, *(f"left out: {line}" for line in summary["left_out"])])
