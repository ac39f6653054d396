"""Write ``store_hw0001.sql``: a small store as release 0.1 wrote it, kept so that later migrations meet a real one.

Run once for a release, from the root: ``python -m tests.data.make_store_fixture``. A later release writes a file of its
own revision beside this one and leaves this one alone.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path

from pipelines import night
from pipelines.database import HEAD, opened
from pipelines.maildir import Maildir
from pipelines.site_folder import open_site
from sample_data import demo

NIGHTS = {date(2025, 6, 30): "before", date(2025, 8, 12): "after"}
LEVELS = (
    "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment\n"
    "PVT-1,2024-06-25,11:05,CDT,17.02,MP,,,\n"
    "PVT-1,2025-08-11,11:05,CDT,,MP,DRY,,no water at the bottom of the point\n"
    "MW-1,2025-08-11,9 o'clock,CDT,24.79,MP,,,\n"
)
ACTS = (
    "howard.remedy/R-1/2025-02-03,operator_receipt,"
    "2025-02-03T09:15:00-06:00,2025-02-03T09:40:00-06:00,owner:R-1,certified mail,receipt-1,\n"
)


def main() -> None:
    """Two nights over a handful of rows, dumped as SQL."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        _deliver(site)
        with opened(f"sqlite:///{site / 'headwater.db'}") as engine:
            for on, name in NIGHTS.items():
                shutil.copytree(site / name, site / "inbox", dirs_exist_ok=True)
                place = open_site(site)
                night.run(
                    place, on, night.end_of(on, place.law), engine, send=Maildir(place.outbox),
                    clock=lambda on=on: datetime(on.year, on.month, on.day, 7, tzinfo=UTC),
                )  # fmt: skip
        target = Path(__file__).with_name(f"store_{HEAD}.sql")
        target.write_text("\n".join(_dump(site / "headwater.db")) + "\n", encoding="utf-8")


def _deliver(site: Path) -> None:
    demo.fresh_site(site)
    (site / "events.csv").write_text((site / "events.csv").read_text().splitlines()[0] + "\n" + ACTS)
    for name in NIGHTS.values():
        (site / name).mkdir()
    lab = (demo.SAMPLE / "baseline" / "grn-export-2025-04-29.csv").read_text().splitlines()
    (site / "before" / "lab.csv").write_text("\n".join(lab[:3]) + "\n")
    (site / "after" / "levels.csv").write_text(LEVELS)
    (site / "after" / "page.rdb").write_text("<!DOCTYPE html><html><body>503</body></html>\n")
    for on in ("2025-07-15", "2025-08-12"):
        flow = next((demo.SAMPLE / "nights" / on).glob("usgs-05999101-dv-*.rdb"))
        shutil.copy(flow, site / "after" / flow.name)


def _dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


if __name__ == "__main__":
    main()
