"""The one daily record of each gauge: the published daily value where there is one, else our own mean.

Only days that a delivery touched are assembled again, with the day before and the day after: a hole in a day is judged
by its edges, which may lie in those. So the record is the same however its rows arrive. A published row wins even when
it carries a code instead of a value (Ice, Eqp): the hydrographer's word on the day beats the raw instants. Of several
sensors of one gauge one speaks (``pipelines.speaking_sensor``). A stage recorder with a rating has two records: its
stage, and the discharge of its readings, rated one by one and then averaged. Field measurements are no record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pandas as pd
from sqlalchemy import Connection

from models.checks.surface_level_days import practice as stage_practice
from models.observation import Flags
from models.question import stored_rows
from models.site import Gauge
from models.streamflow.daily_mean import DailyMean, daily_means
from models.streamflow.day_states import DailyFlow, Quantity, to_record_precision, why_unknown
from models.streamflow.practice import Practice
from pipelines import marks, observations, rated_stage
from pipelines.recall import (
    DERIVED,
    EPOCH,
    Recall,
    daily_flow,
    day_number,
    derived_series,
    flags_of_instants,
    last_derived_day,
)
from pipelines.site_folder import SiteFolder
from pipelines.speaking_sensor import SILENT, THIN, USABLE, SensorDay, speaking

Row = tuple[int, str, str, str]
_SENSORS = "sensors:"
"""The order of a gauge's sensors, its ratings and the thresholds, under which its daily record was assembled."""
FIELD = "field"
"""The series of measurements made on a visit: one value of a day, and no mean of it (decision 24)."""


NEIGHBOUR = timedelta(days=1)


@dataclass(frozen=True)
class Span:
    """Civil days to assemble, ``first`` to ``last``; read from the day before, and up to ``read_to``."""

    first: date
    last: date
    read_to: date

    def of(self, rows: list[Row]) -> list[Row]:
        """The rows of these days."""
        return [row for row in rows if day_number(self.first) <= row[0] <= day_number(self.last)]


def derive(
    connection: Connection,
    folder: SiteFolder,
    recall: Recall,
    touched: Mapping[tuple[str, str], tuple[date, date]],
    known_at: int,
) -> dict[tuple[str, str], date]:
    """Assemble the touched days of every gauge and their neighbours.

    All its days where another sensor speaks first, or a rating or a threshold of the daily mean changed.

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
        span = _span(connection, folder, gauge, touched.get((gauge.id, gauge.measures)))
        found = {} if span is None else _assembled(recall, folder.path, gauge, folder.policy.practice(), span)
        for parameter, rows in found.items():
            days = _write(connection, gauge, parameter, rows, known_at)
            if days:
                changed[gauge.id, parameter] = EPOCH + timedelta(days=days[0])
    return changed


def _span(connection: Connection, folder: SiteFolder, gauge: Gauge, touched: tuple[date, date] | None) -> Span | None:
    """The days to assemble and the last day to read: no day that was not yet judged when the last touched one was."""
    changed = _changed(connection, folder, gauge, touched)
    if changed is None:
        return None
    first, last = changed
    judged = max(last, last_derived_day(connection, gauge.id, gauge.measures) or last)
    return Span(first - NEIGHBOUR, min(last + NEIGHBOUR, judged), min(last + 2 * NEIGHBOUR, judged))


def _changed(
    connection: Connection, folder: SiteFolder, gauge: Gauge, touched: tuple[date, date] | None
) -> tuple[date, date] | None:
    """The days with something new; all of them, once only, where what they are assembled under is no more the same."""
    name = f"{_SENSORS}{gauge.id}"
    order = json.dumps(gauge.sensors) + rated_stage.fingerprint(folder.path, gauge) + _rule(folder.policy.practice())
    if marks.get(connection, name) == order:
        return touched
    marks.put(connection, name, order)
    id = derived_series(connection, gauge.id, gauge.measures)
    days = [] if id is None else observations.daily_read(connection, id)["day"].tolist()
    known = [EPOCH + timedelta(days=int(day)) for day in days] + list(touched or ())
    return (min(known), max(known)) if known else None


def _rule(practice: Practice) -> str:
    """What the policy says of a daily mean."""
    spans = (practice.longest_step_ms, practice.longest_hole_ms, practice.edges_agree, practice.minimum_coverage)
    return json.dumps([str(one) for one in (*spans, practice.stage_uncertainty_ft)])


def _write(connection: Connection, gauge: Gauge, parameter: str, rows: list[Row], known_at: int) -> list[int]:
    unit = "cfs" if parameter == "discharge" else "ft"
    id = observations.series_id(connection, gauge.id, parameter, "mean", DERIVED, unit, "day")
    return observations.daily_write(connection, id, rows, known_at)


def as_known(recall: Recall, folder: Path, gauge: Gauge, practice: Practice, quantity: str) -> list[DailyFlow]:
    """The daily record of a gauge out of all that was known at the recall's instant, stored nowhere."""
    return [daily_flow(*row) for row in _assembled(recall, folder, gauge, practice, None).get(quantity, [])]


def _assembled(
    recall: Recall, folder: Path, gauge: Gauge, practice: Practice, span: Span | None
) -> dict[str, list[Row]]:
    """The daily records of a gauge: of what it measures, and of the discharge its ratings give."""
    own = stage_practice(practice, gauge)
    first, last = (None, None) if span is None else (span.first - NEIGHBOUR, span.read_to)
    rows = recall.rows([gauge.id], [gauge.measures], first, last)
    published = _published(rows[(rows["clock"] == "day") & (rows["statistic"] == "mean")])
    readings = rows[(rows["clock"] == "utc") & (rows["series"] != FIELD)]
    said = _heard([*_computed(readings, recall, gauge.measures, practice), *published], gauge.measures, own)
    computed, other = ([one for one in said if (one.origin == "computed") is own] for own in (True, False))
    found: dict[str, list[Row]] = {gauge.measures: _spoken(gauge, computed, other)}
    if gauge.rating:
        flow = rated_stage.rated_rows(readings, gauge, rated_stage.rating_tables(folder, gauge), recall.zone)
        found["discharge"] = _spoken(gauge, _computed(flow, recall, "discharge", practice))
    return found if span is None else {parameter: span.of(rows) for parameter, rows in found.items()}


def _spoken(gauge: Gauge, *said: Iterable[SensorDay]) -> list[Row]:
    """One row for each day: what is said later in order beats what was said before."""
    spoken = {one.day: one for days in said for one in speaking(days, gauge.sensors)}
    return [(day, one.text, one.flags.text(), one.origin) for day, one in sorted(spoken.items())]


def _heard(said: Sequence[SensorDay], quantity: Quantity, practice: Practice) -> list[SensorDay]:
    """A reviewer's estimate speaks, alone, on a day that nothing else is known of (decision 10); else it is silent."""
    own = [one for one in said if one.origin != "estimated"]
    known = {one.day for one in own if not why_unknown(_flow(one), quantity, practice)}
    estimated = {one.day for one in said if one.origin == "estimated" and one.text} - known
    withdrawn = {one.day for one in said if one.origin == "estimated" and not one.text} - {one.day for one in own}
    theirs = [one for one in said if one.origin == "estimated" and one.day in estimated | withdrawn]
    return [one for one in own if one.day not in estimated] + theirs


def _flow(one: SensorDay) -> DailyFlow:
    return daily_flow(one.day, one.text, one.flags.text(), one.origin)


def _published(rows: pd.DataFrame) -> Iterator[SensorDay]:
    for row in stored_rows(rows):
        flags = Flags.parse(row.flags)
        text = "" if row.value != row.value else row.value_text
        yield SensorDay(
            day_number(row.day), row.series, USABLE if text else SILENT, Decimal(text) if text else None, text,
            Flags(flags.approval, flags.qualifiers, {"row": row.row_id}),
            "estimated" if "review" in flags.facts else "published",
        )  # fmt: skip


def _computed(rows: pd.DataFrame, recall: Recall, quantity: Quantity, practice: Practice) -> Iterator[SensorDay]:
    """Our own means of each sensor, on the days it recorded."""
    for series, sensor in rows.drop_duplicates(["series", "time_ms"]).groupby("series"):
        by_day = dict(list(sensor.groupby("day")))
        times, values = sensor["time_ms"].to_numpy(), sensor["value"].to_numpy()
        means = daily_means(times, values, recall.zone, quantity=quantity, practice=practice)
        for mean in means:
            if mean.day in by_day:
                yield _computed_day(mean, by_day[mean.day], str(series), quantity, practice)


def _computed_day(mean: DailyMean, day: pd.DataFrame, series: str, quantity: Quantity, practice: Practice) -> SensorDay:
    flags = flags_of_instants(day)
    approved = all(one.approval == "A" for one in flags)
    qualifiers = tuple(sorted({mark for one in flags for mark in one.qualifiers}))
    facts = {"row": str(day["row_id"].iloc[0]), "coverage": str(mean.coverage)}
    facts |= {"hole": "1"} if mean.hole_too_long else {}
    facts |= {"note": rated_stage.says(day)} if "rating" in day else {}
    value = None if mean.mean is None else Decimal(repr(mean.mean))
    thin = mean.hole_too_long or mean.coverage < practice.minimum_coverage
    return SensorDay(
        day_number(mean.day), series, SILENT if value is None else THIN if thin else USABLE,
        None if value is None else to_record_precision(value, "computed", quantity, practice),
        "" if value is None else str(value), Flags("A" if approved else "P", qualifiers, facts), "computed",
    )  # fmt: skip
