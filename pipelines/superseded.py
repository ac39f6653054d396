"""Which values of a content that comes again do not stand any more, and what replaced them.

A content that was taken whole changes nothing when it comes again, so an old file that turns up cannot undo a
correction. Its sender has to know that: a correction is taken back by a file that differs from the one taken before.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pandas as pd
from sqlalchemy import Connection, select

from ingest.cells import counted
from pipelines import observations, schema
from pipelines.database import portions
from pipelines.observations import NAMES
from pipelines.versions import KEY, latest, spans

FEW = 3
"""Files that a note names; of the others it gives the number."""
_CURRENT = [*KEY, "known_at", "value_text", "source_id"]


def replaced(connection: Connection, frame: pd.DataFrame, source_id: int, zone: ZoneInfo) -> str:
    """``1 value of it was replaced by x.csv of 2025-08-12, and that stands``; "" where all of it stands.

    Parameters
    ----------
    frame : the values of the content (``ingest.arrival.Arrival.frame``), the last of an instant its own.
    source_id : the delivery that brought them first.
    """
    if frame.empty:
        return ""
    by = Counter(_others(connection, frame, source_id))
    if not by:
        return ""
    named = [f"{_told(connection, id, zone)}{f' ({n})' if len(by) > 1 else ''}" for id, n in by.most_common(FEW)]
    more = f" and {len(by) - FEW} more" if len(by) > FEW else ""
    were = "was" if by.total() == 1 else "were"
    return (
        f"{counted(by.total(), 'value')} of it {were} replaced by {', '.join(named)}{more}, and that stands: "
        "to take a correction back, send the values in a file that differs from this one"
    )


def _others(connection: Connection, frame: pd.DataFrame, source_id: int) -> list[int]:
    """The delivery of each current value that is another than the content's, by its id."""
    table = observations.series_table(connection).reset_index().rename(columns={"id": "series_id"})
    given = frame[[*NAMES, "time_ms", "value_text"]].merge(table, on=list(NAMES)).drop_duplicates(KEY, keep="last")
    ends = [(id, *span) for id, span in spans(given).items()]
    rows = [row for some in portions(ends) for row in connection.execute(observations.of_spans(some, *_CURRENT)).all()]
    current = latest(pd.DataFrame(rows, columns=_CURRENT))
    both = given.merge(current, on=KEY, suffixes=("", "_now"))
    other = (both["value_text"] != both["value_text_now"]) & (both["source_id"] != source_id)
    return [int(id) for id in both.loc[other, "source_id"]]


def _told(connection: Connection, source_id: int, zone: ZoneInfo) -> str:
    one = schema.source.c
    file, arrived = connection.execute(select(one.file, one.arrived_at).where(one.id == source_id)).one()
    return f"{file} of {_day(int(arrived), zone)}"


def _day(arrived_at: int, zone: ZoneInfo) -> date:
    """The civil day on which it came: a night knows what it knows at the end of its day."""
    return datetime.fromtimestamp((arrived_at - 1) / 1000, UTC).astimezone(zone).date()
