"""Write the public page of a site, whole or not at all."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from models.errors import HeadwaterError
from pipelines.casebook import ms, utc
from pipelines.database import reading
from pipelines.site_folder import SiteFolder
from pipelines.site_record import site_record
from pipelines.static_folder import replace_folder
from reports.site_page.page import PAGE, site_page

FOLDER = "public"


def write_site_page(folder: SiteFolder, engine: Engine, on: date, now: datetime, out: Path) -> dict[str, Any]:
    """Write the page as known at an instant, and say what was written."""
    with reading(engine) as connection:
        record = site_record(connection, folder, on, now)
    files = site_page(record)
    replace_folder(out, files)
    sizes = {name: len(content) for name, content in files.items()}
    return {
        "page": str(out / PAGE), "as_of": on.isoformat(), "known_at": utc(ms(now)), "findings": len(record.findings),
        "clocks": len(record.deadlines), "stations": len(record.stations), "files": sizes, "bytes": sum(sizes.values()),
    }  # fmt: skip


def after_the_night(folder: SiteFolder, engine: Engine, on: date, now: datetime) -> list[str]:
    """Write the page of a finished night; what went wrong is a line, for the night itself is done."""
    try:
        write_site_page(folder, engine, on, now, folder.path / FOLDER)
    except (HeadwaterError, OSError) as caught:
        return [f"the public page was not written: {caught}"]
    return []
