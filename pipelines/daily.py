"""The one daily record of each gauge: the published daily value where there is one, else our own mean.

Only days that a delivery touched are assembled again. A published row wins even when it carries a
code instead of a value (Ice, Eqp): the hydrographer's word on the day beats the raw instants. Several
published series of one gauge are one gauge with a backup (decision 16): the first by series name speaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal

import pandas as pd
from sqlalchemy import Connection

from models.observation import Flags
from models.question import stored_rows
from models.site import Gauge
from models.streamflow.daily_mean import DailyMean, daily_means
from models.streamflow.practice import Practice
from pipelines import observations
from pipelines.recall import DERIVED, EPOCH, Recall, day_number
from pipelines.site_folder import SiteFolder

Row = tuple[int, str, str, str]


def derive(
    connection: Connection,
    folder: SiteFolder,
    recall: Recall,
    touched: Mapping[tuple[str, str], tuple[date, date]],
    known_at: int,
) -> dict[tuple[str, str], date]:
    """Assemble the touched days of every gauge.

    Parameters
    ----------
    touched : first and last civil day with new observations, by (station, parameter).
    known_at : the night's instant [epoch ms].

    Returns
    -------
    The first day whose assembled value changed, by (station, parameter).
    """
    changed: dict[tuple[str, str], date] = {}
    for gauge in folder.site.gauge:
        span = touched.get((gauge.id, gauge.measures))
        if span is not None:
            days = _write(connection, gauge, _assembled(recall, gauge, folder.policy.practice(), *span), known_at)
            if days:
                changed[gauge.id, gauge.measures] = EPOCH + timedelta(days=days[0])
    return changed


def _write(connection: Connection, gauge: Gauge, rows: list[Row], known_at: int) -> list[int]:
    unit = "cfs" if gauge.measures == "discharge" else "ft"
    id = observations.series_id(connection, gauge.id, gauge.measures, "mean", DERIVED, unit, "day")
    return observations.daily_write(connection, id, rows, known_at)


def _assembled(recall: Recall, gauge: Gauge, practice: Practice, first: date, last: date) -> list[Row]:
    rows = recall.rows([gauge.id], [gauge.measures], first, last)
    published = {row[0]: row for row in _published(rows[(rows["clock"] == "day") & (rows["statistic"] == "mean")])}
    computed = {row[0]: row for row in _computed(rows[rows["clock"] == "utc"], recall, practice)}
    numbers = range(day_number(first), day_number(last) + 1)
    return [row for number in numbers if (row := published.get(number) or computed.get(number))]


def _published(rows: pd.DataFrame) -> Iterator[Row]:
    """The first series that has a value speaks for a day; where none has, the first one's code does."""
    spoken = rows.assign(silent=rows["value"].isna()).sort_values(["day", "silent", "series"]).drop_duplicates("day")
    for row in stored_rows(spoken):
        flags = Flags.parse(row.flags)
        text = "" if row.value != row.value else row.value_text
        yield (
            day_number(row.day),
            text,
            Flags(flags.approval, flags.qualifiers, {"row": row.row_id}).text(),
            "published",
        )


def _computed(rows: pd.DataFrame, recall: Recall, practice: Practice) -> Iterator[Row]:
    """Our own means, each day from the first sensor that recorded on it: a backup sensor is the same gauge."""
    if rows.empty:
        return
    sensor_of = rows.groupby("day")["series"].min()
    for series, sensor in rows.drop_duplicates(["series", "time_ms"]).groupby("series"):
        by_day = dict(list(sensor.groupby("day")))
        means = daily_means(sensor["time_ms"].to_numpy(), sensor["value"].to_numpy(), recall.zone, practice=practice)
        for mean in means:
            if mean.day in by_day and sensor_of[mean.day] == series:
                yield _computed_row(mean, by_day[mean.day])


def _computed_row(mean: DailyMean, day: pd.DataFrame) -> Row:
    flags = [Flags.parse(text) for text in day["flags"].unique()]
    approved = all(one.approval == "A" for one in flags)
    qualifiers = tuple(sorted({mark for one in flags for mark in one.qualifiers}))
    facts = {"row": str(day["row_id"].iloc[0]), "coverage": str(mean.coverage)}
    facts |= {"hole": "1"} if mean.hole_too_long else {}
    text = "" if mean.mean is None else str(Decimal(repr(mean.mean)))
    return day_number(mean.day), text, Flags("A" if approved else "P", qualifiers, facts).text(), "computed"
