"""Store observations as versions, and read them as they were known at any instant.

The current version of (series, instant) is the one with the greatest ``known_at``. A delivery that says the same is a
duplicate and writes nothing; one that says something else adds a version; nothing is overwritten or deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sqlalchemy import BigInteger, Column, Connection, Select, Table, bindparam, column, select, text

from models.observation import Reject
from pipelines import schema
from pipelines.database import bulk_insert, portions, serialise, storable
from pipelines.versions import KEY, TEXTS, compare, in_key_order, latest, numbered, spans, stored_rows

NAMES = ("station", "parameter", "statistic", "series", "unit", "clock")
_DAILY = [*TEXTS, "origin"]
_TYPES = dict.fromkeys((*NAMES, *_DAILY), "str") | dict.fromkeys(
    ("series_id", "time_ms", "day", "known_at", "source_id", "source_row"), "int64"
)


class Withheld(NamedTuple):
    """A value that was not taken because an approved one stands, by its file row and by what it would have replaced."""

    row: int
    value_text: str
    series_id: int
    time_ms: int


@dataclass(frozen=True)
class Counts:
    """What became of the rows of one delivery.

    ``changed``: first and last instant [ms] with a new version, by series id. ``conflicts``: file rows that contradict
    an earlier row of the delivery; the last is current. ``withheld``: provisional values where an approved one stands.
    """

    accepted: int = 0
    duplicate: int = 0
    revised: int = 0
    changed: dict[int, tuple[int, int]] = field(default_factory=dict)
    conflicts: tuple[int, ...] = ()
    withheld: tuple[Withheld, ...] = ()


def insert(connection: Connection, frame: pd.DataFrame, *, source_id: int, known_at: int) -> Counts:
    """Store what is new in a tidy table.

    A new version is later than every version of its key, so that what was delivered last is current: where the stored
    ``known_at`` is the same or later, the new one is a millisecond after it. Loading a delivery again changes nothing.

    Parameters
    ----------
    connection : inside a write transaction.
    frame : columns of ``models.observation.TIDY``.
    source_id : the delivery, from ``record_source``.
    known_at : when the town came to know it [epoch ms].
    """
    if frame.empty:
        return Counts()
    serialise(connection)
    given = in_key_order(frame, _series_ids(connection, frame))
    rows = compare(given, _current(connection, given), known_at)
    new = rows if rows["new"].all() else rows[rows["new"]]
    bulk_insert(connection, schema.observation, stored_rows(new, source_id))
    accepted = int((new["starts"] & ~new["stored"]).sum())
    conflicts = tuple(rows.loc[rows["conflict"], "row"].tolist())
    kept_out = rows.loc[rows["withheld"], list(Withheld._fields)]
    withheld = tuple(Withheld(*one) for one in kept_out.itertuples(index=False, name=None))
    duplicate = len(rows) - len(new) - len(withheld)
    return Counts(accepted, duplicate, len(new) - accepted, spans(new), conflicts, withheld)


def read(
    connection: Connection,
    *,
    stations: Sequence[str] | None = None,
    parameters: Sequence[str] | None = None,
    statistic: str | None = None,
    clock: str | None = None,
    start_ms: int | None = None,
    end_ms: int | None = None,
    known_at: int | None = None,
) -> pd.DataFrame:
    """The version of each observation that was current at ``known_at``, by series id and time.

    Parameters
    ----------
    stations, parameters, statistic, clock : keep these; None keeps all.
    start_ms, end_ms : first and last instant, both included [epoch ms].
    known_at : knowledge of that instant; None is all there is.

    Returns
    -------
    Columns of ``models.observation.TIDY`` without ``row``, and ``series_id known_at source_id source_row``.
    """
    table = series_table(connection)
    wanted = {"station": stations, "parameter": parameters, "statistic": _one(statistic), "clock": _one(clock)}
    for name, allowed in wanted.items():
        table = table if allowed is None else table[table[name].isin(list(allowed))]
    query = _of_series(schema.observation, table.index.tolist())
    versions = _fetch(connection, _between(query, schema.observation.c.time_ms, start_ms, end_ms), known_at)
    rows = versions.drop_duplicates(KEY, keep="last", ignore_index=True)
    named = table[list(NAMES)].loc[rows["series_id"]].reset_index(drop=True)
    return pd.concat([named, rows], axis=1)


def of_spans(ends: Sequence[tuple[int, int, int]], *columns: str) -> Select[tuple[Any, ...]]:
    """``columns`` of all versions of series, each from a first to a last instant: searches along the primary key.

    Both databases name the columns of ``VALUES`` so; SQLAlchemy takes longer over parameters than the search does.
    """
    rows = ", ".join(f"({id:d}, {first:d}, {last:d})" for id, first, last in ends)
    span = text(f"VALUES {rows}").columns(*(column(f"column{place}", BigInteger) for place in (1, 2, 3))).cte("span")
    one = schema.observation.c
    within = (one.series_id == span.c.column1) & one.time_ms.between(span.c.column2, span.c.column3)
    return select(*one[*columns]).join_from(span, schema.observation, within)


def series_table(connection: Connection) -> pd.DataFrame:
    """Every series, by id: the six names."""
    rows = connection.execute(select(*schema.series.c["id", *NAMES]).order_by(schema.series.c.id)).all()
    return pd.DataFrame(rows, columns=["id", *NAMES]).astype(dict.fromkeys(NAMES, "str")).set_index("id")


def series_id(
    connection: Connection, station: str, parameter: str, statistic: str, series: str, unit: str, clock: str
) -> int:
    """Id of the series with these names, created when it is new."""
    row = _series_row((station, parameter, statistic, series, unit, clock))
    return (_known_ids(connection, [row["key"]]) or _ids(connection, [row]))[row["key"]]


def source_seen(connection: Connection, sha256: str) -> int | None:
    """Id of the delivery with this content, None if it never arrived."""
    return connection.execute(select(schema.source.c.id).where(schema.source.c.sha256 == sha256)).scalar()


def record_source(connection: Connection, *, sha256: str, file: str, format: str, size: int, arrived_at: int) -> int:
    """Note a delivery before its rows are stored; ``record_counts`` completes it."""
    values = {"sha256": sha256, "file": storable(file), "format": format, "size": size, "arrived_at": arrived_at}
    return int(connection.execute(schema.source.insert().returning(schema.source.c.id), values).scalar_one())


def record_counts(connection: Connection, source_id: int, counts: Counts, *, rows: int, rejected: int) -> None:
    """Note what became of a delivery's rows."""
    values = {"accepted": counts.accepted, "duplicate": counts.duplicate, "revised": counts.revised}
    change = schema.source.update().where(schema.source.c.id == source_id)
    connection.execute(change.values(**values, rows=rows, rejected=rejected))


def record_rejects(connection: Connection, source_id: int, rejects: Iterable[Reject]) -> int:
    """Keep the rows that were not taken, with their raw text; how many there were."""
    rejects = list(rejects)
    rows = [
        {
            "source_id": source_id,
            "row": one.row,
            "column_name": storable(one.column),
            "raw": storable(one.raw),
            "reason": storable(one.reason),
        }
        for one in rejects
    ]
    if rows:
        connection.execute(schema.reject.insert(), rows)
    return sum(one.rows for one in rejects)


def rejects(connection: Connection, *, source_id: int | None = None, since_ms: int | None = None) -> pd.DataFrame:
    """What was not taken, oldest first: ``source_id file arrived_at row column raw reason``."""
    source, reject = schema.source.c, schema.reject.c
    query = select(
        source.id.label("source_id"),
        source.file,
        source.arrived_at,
        reject.row,
        reject.column_name.label("column"),
        reject.raw,
        reject.reason,
    ).join_from(schema.reject, schema.source)
    query = query if source_id is None else query.where(source.id == source_id)
    found = connection.execute(_between(query, source.arrived_at, since_ms, None).order_by(reject.id))
    return pd.DataFrame(found.all(), columns=list(found.keys()))


def daily_write(
    connection: Connection, series_id: int, rows: Iterable[tuple[int, str, str, str]], known_at: int
) -> list[int]:
    """Add a version of each day that differs from the current one.

    Parameters
    ----------
    rows : (day [days since 1970-01-01], value_text, flags, origin), one for each day; ``value_text`` "" is no value.

    Returns
    -------
    The days that changed, in order.
    """
    serialise(connection)
    given = {int(day): (text, flags, origin) for day, text, flags, origin in rows}
    if not given:
        return []
    current = daily_read(connection, series_id, min(given), max(given))
    stored = {day: (known, tuple(facts)) for day, known, *facts in current[["day", "known_at", *_DAILY]].to_numpy()}
    changed = [day for day in sorted(given) if day not in stored or stored[day][1] != given[day]]
    later = {day: max(known_at, stored[day][0] + 1) if day in stored else known_at for day in changed}
    if changed:
        bulk_insert(connection, schema.daily, [(series_id, day, later[day], *given[day]) for day in changed])
    return changed


def daily_read(
    connection: Connection,
    series_id: int,
    start: int | None = None,
    end: int | None = None,
    known_at: int | None = None,
) -> pd.DataFrame:
    """The days from ``start`` to ``end``, both included, as known at ``known_at``: ``day known_at value_text …``."""
    query = _between(_of_series(schema.daily, [series_id]), schema.daily.c.day, start, end)
    versions = _fetch(connection, query, known_at).drop(columns="series_id")
    return versions.drop_duplicates("day", keep="last", ignore_index=True)


def _one(value: str | None) -> list[str] | None:
    return None if value is None else [value]


def _of_series(table: Table, ids: list[int]) -> Select[tuple[object, ...]]:
    """All versions of some series, along the primary key; the ids stand in the statement: there may be very many."""
    chosen = table.c.series_id.in_(bindparam("ids", ids, expanding=True, literal_execute=True))
    return select(table).where(chosen).order_by(*table.primary_key.columns)


def _between(
    query: Select[tuple[object, ...]], column: Column[int], first: int | None, last: int | None
) -> Select[tuple[object, ...]]:
    query = query if first is None else query.where(column >= first)
    return query if last is None else query.where(column <= last)


def _fetch(connection: Connection, query: Select[tuple[object, ...]], known_at: int | None) -> pd.DataFrame:
    """Versions as known at ``known_at``. Column by column: pandas looks at every row object when given rows."""
    known = query.selected_columns["known_at"]
    found = connection.execute(query if known_at is None else query.where(known <= known_at))
    names = list(found.keys())
    rows = found.all()
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    typed = zip(names, columns, strict=True)
    return pd.DataFrame({name: pd.Series(values, dtype=_TYPES.get(name, "float64")) for name, values in typed})


def _series_ids(connection: Connection, frame: pd.DataFrame) -> np.ndarray[Any, Any]:
    """The series id of every row. A missing name is a blank one."""
    number, first = numbered(frame, NAMES)
    names = frame[list(NAMES)].iloc[first].fillna("")
    rows = [_series_row(row) for row in names.itertuples(index=False, name=None)]
    ids = _ids(connection, rows)
    of_series: np.ndarray[Any, Any] = np.array([ids[row["key"]] for row in rows], dtype=np.int64)
    return np.asarray(of_series[number])


def _series_row(names: Iterable[str]) -> dict[str, str]:
    stored = [storable(name) for name in names]
    key = "|".join(name.replace("\\", r"\\").replace("|", r"\|") for name in stored)
    return dict(zip(NAMES, stored, strict=True), key=key)


def _ids(connection: Connection, rows: Sequence[dict[str, str]]) -> dict[str, int]:
    """Ids by key; those that are new are created in the order of the rows, by one writer at a time."""
    serialise(connection)
    by_key = {row["key"]: row for row in rows}
    known = _known_ids(connection, list(by_key))
    new = [row for key, row in by_key.items() if key not in known]
    if new:
        connection.execute(schema.series.insert(), new)
    return known | _known_ids(connection, [row["key"] for row in new])


def _known_ids(connection: Connection, keys: Sequence[str]) -> dict[str, int]:
    one = schema.series.c
    query = select(one.key, one.id).where(one.key.in_(bindparam("keys", expanding=True)))
    return {str(key): int(id) for some in portions(keys) for key, id in connection.execute(query, {"keys": some})}


def _current(connection: Connection, rows: pd.DataFrame) -> pd.DataFrame:
    """Current versions of the series in ``rows``, of each only over its time span: the cost follows the delivery."""
    ends = [(id, *span) for id, span in spans(rows).items()]
    queries = (of_spans(some, *KEY, "known_at", *TEXTS) for some in portions(ends))
    return pd.concat([latest(_fetch(connection, query, None)) for query in queries])
