"""What a delivery of logger readings brought that no level comes from, or a suspect one: undeclared serials, clocks."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pandas as pd

from ingest.cells import counted
from ingest.loggers.channels import BACK
from models.levels.hanging import midnight_ms
from models.site import Barologger, Site, Well
from pipelines.level_rows import AIR, HEADS, serials


def logger_notes(site: Site, frame: pd.DataFrame, zone: ZoneInfo) -> Iterator[str]:
    """One sentence for each serial that its station does not declare, or not for those days, and for each disorder of a
    clock; the rows stay stored.

    Parameters
    ----------
    frame : rows at the site's stations, in UTC (``ingest.arrival.Arrival.frame``).
    """
    for one in site.stations():
        if isinstance(one, (Barologger, Well)):
            names = AIR if isinstance(one, Barologger) else HEADS
            own = frame[(frame["station"] == one.id) & frame["parameter"].isin(names)]
            for serial, rows in own.groupby(serials(own), sort=True):
                yield from _of_serial(one, str(serial), rows["time_ms"], zone)
            yield from _disorder(one.id, own)


def _disorder(id: str, rows: pd.DataFrame) -> Iterator[str]:
    """What the tests of a level will find of the clock."""
    differ = int(rows.duplicated(["parameter", "series", "time_ms"], keep=False).sum())
    if differ:
        yield f"{id}: {counted(differ, 'reading')} that differ from another of their instant: kept, and suspect"
    behind = int(rows["flags"].str.contains(f";{BACK}=", regex=False).sum())
    if behind:
        yield f"{id}: {counted(behind, 'reading')} stamped before an earlier one of the file: kept, and suspect"


def _of_serial(one: Barologger | Well, serial: str, times: pd.Series, zone: ZoneInfo) -> Iterator[str]:
    whose = f"serial {serial}" if serial else "a logger without a serial number"
    if isinstance(one, Barologger):
        if serial != one.serial:
            yield f"{one.id}: {counted(len(times), 'reading')} of {whose}, not {one.serial}: kept, never taken for air"
        return
    since = [logger.since for logger in one.logger if logger.serial == serial]
    early = int((times < midnight_ms(min(since), zone)).sum()) if since else 0
    if not since:
        n = counted(len(times), "reading")
        yield f"{one.id}: {n} of {whose}, no logger of it in site.toml: kept, never a level"
    elif early:
        before = f"before {min(since)}, when site.toml has {whose} hung"
        yield f"{one.id}: {counted(early, 'reading')} {before}: kept, never a level"
