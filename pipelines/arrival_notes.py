"""What a delivery brought that nobody rejected and somebody should know: kept with it, and shown beside its counts."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from sqlalchemy import Connection, bindparam, func, select

from ingest.reading import Reading
from ingest.summary import overlap_text, overlaps
from pipelines import marks, observations, schema

_MARK = "arrival_note:"
_SAME = ["station", "parameter", "statistic", "clock"]


def note(connection: Connection, source_id: int, reading: Reading, frame: pd.DataFrame) -> None:
    """Write down tables that hold no observation, and sensors that cover the same time.

    Parameters
    ----------
    frame : what was taken (``ingest.arrival.Arrival.frame``), already stored.
    """
    said = [*_tables(reading), *map(overlap_text, overlaps(_spans(connection, frame)))]
    if said:
        marks.put(connection, f"{_MARK}{source_id}", "; ".join(said))


def noted(connection: Connection) -> dict[int, str]:
    """Every note, by delivery."""
    mark = schema.mark.c
    found = connection.execute(select(mark.name, mark.value).where(mark.name.startswith(_MARK)))
    return {int(name.removeprefix(_MARK)): value for name, value in found}


def _tables(reading: Reading) -> Iterator[str]:
    rows = [f"{len(table)} row{'s' * (len(table) != 1)} of {name}" for name, table in reading.tables.items()]
    if rows and reading.observations.empty:
        yield f"no observations: {', '.join(rows)}; name the file in site.toml to use it"


def _spans(connection: Connection, frame: pd.DataFrame) -> pd.DataFrame:
    """First and last instant of every series that this delivery brought, and of those beside them."""
    table = observations.series_table(connection).reset_index()
    brought = frame[[*_SAME, "series"]].drop_duplicates().assign(new=True)
    near = table.merge(brought[_SAME].drop_duplicates(), on=_SAME).merge(brought, on=[*_SAME, "series"], how="left")
    several = near[near.duplicated(_SAME, keep=False)].assign(new=lambda one: one["new"].notna())
    return several.merge(_ends(connection, several["id"].tolist()), on="id")


def _ends(connection: Connection, ids: list[int]) -> pd.DataFrame:
    """Each end is one look into the primary key; grouping would read every row."""
    one, series = schema.observation.c, schema.series.c
    first, last = (
        select(end).where(one.series_id == series.id).scalar_subquery()
        for end in (func.min(one.time_ms), func.max(one.time_ms))
    )
    chosen = series.id.in_(bindparam("ids", ids, expanding=True, literal_execute=True))
    found = connection.execute(select(series.id, first, last).where(chosen)).all()
    return pd.DataFrame(found, columns=["id", "first_ms", "last_ms"]).dropna()
