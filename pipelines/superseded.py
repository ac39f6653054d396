"""Which values of a content that comes again do not stand any more, and what replaced them.

What was taken of a content changes nothing when it comes again, so an old file that turns up cannot undo a
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
from pipelines.versions import KEY, TEXTS, latest, spans

FEW = 3
"""Files that a note names; of the others it gives the number."""
_VERSION = [*KEY, *TEXTS, "known_at", "source_id"]


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


def not_taken(connection: Connection, frame: pd.DataFrame, source_id: int) -> pd.DataFrame:
    """Rows of a content that say what nobody had said when it came first: what was left out of it then."""
    if frame.empty:
        return frame
    came = connection.execute(select(schema.source.c.arrived_at).where(schema.source.c.id == source_id)).scalar_one()
    given = _keyed(connection, frame).assign(place=range(len(frame)))
    versions = _versions(connection, given.dropna(subset="series_id"))
    then = versions[(versions["source_id"] == source_id) | (versions["known_at"] <= int(came))]
    both = given.merge(then, on=KEY, suffixes=("", "_then"))
    same = (both["value_text"] == both["value_text_then"]) & (both["flags"] == both["flags_then"])
    return frame.drop(frame.index[both.loc[same, "place"].unique()])


def _others(connection: Connection, frame: pd.DataFrame, source_id: int) -> list[int]:
    """The delivery of each current value that is another than the content's, by its id."""
    given = _keyed(connection, frame).dropna(subset="series_id").drop_duplicates(KEY, keep="last")
    both = given.merge(latest(_versions(connection, given)), on=KEY, suffixes=("", "_now"))
    other = (both["value_text"] != both["value_text_now"]) & (both["source_id"] != source_id)
    return [int(id) for id in both.loc[other, "source_id"]]


def _keyed(connection: Connection, frame: pd.DataFrame) -> pd.DataFrame:
    """Rows with the id of their series, in their order; none where the store has no such series."""
    table = observations.series_table(connection).reset_index().rename(columns={"id": "series_id"})
    return frame[[*NAMES, "time_ms", *TEXTS]].merge(table, on=list(NAMES), how="left")


def _versions(connection: Connection, given: pd.DataFrame) -> pd.DataFrame:
    """Every stored version between the first and the last instant of each series."""
    ends = [(id, *span) for id, span in spans(given).items()]
    rows = [row for some in portions(ends) for row in connection.execute(observations.of_spans(some, *_VERSION)).all()]
    return pd.DataFrame(rows, columns=_VERSION)


def _told(connection: Connection, source_id: int, zone: ZoneInfo) -> str:
    one = schema.source.c
    file, arrived = connection.execute(select(one.file, one.arrived_at).where(one.id == source_id)).one()
    return f"{file} of {_day(int(arrived), zone)}"


def _day(arrived_at: int, zone: ZoneInfo) -> date:
    """The civil day on which it came: a night knows what it knows at the end of its day."""
    return datetime.fromtimestamp((arrived_at - 1) / 1000, UTC).astimezone(zone).date()
