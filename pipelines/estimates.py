"""A reviewer's estimate of a day on which the record tells nothing (shortfall semantics, decision 10).

It is one more version of the gauge's published daily value, of a source of its own, marked as estimated by review; so a
later published value takes its place, and what was known at any instant can be read back. Each night brings it in line
with its act: a delivery that repeats the gap does not undo it, and where another sensor publishes it gives way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pandas as pd
from sqlalchemy import Connection, select

from models.checks.surface_level_days import practice as stage_practice
from models.errors import BadQuestion
from models.observation import Flags, tidy
from models.review import Review, standing
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, why_unknown
from pipelines import daily, marks, observations, schema
from pipelines.casebook import instant
from pipelines.observations import Counts
from pipelines.recall import DERIVED, Recall, midnight_ms
from pipelines.review_book import SHOWN_KEY, UNITS, value_text
from pipelines.site_folder import SiteFolder

REVIEW = "review"
"""The format of a source that is a reviewer's act."""
WITHDRAWN = "estimate withdrawn"
AROUND = timedelta(days=3)
"""How far around a day the record is read: the mean of a day, and a hole at its edge, need its neighbours."""


class Around(Recall):
    """What is known of a few days around one."""

    def __init__(self, connection: Connection, zone: ZoneInfo, day: date) -> None:
        super().__init__(connection, zone)
        self.day = day

    def rows(
        self, stations: Sequence[str], parameters: Sequence[str], start: date | None, end: date | None
    ) -> pd.DataFrame:
        """See ``models.question.Observations``; no more than the days around."""
        first, last = self.day - AROUND, self.day + AROUND
        first, last = max(start or first, first), min(end or last, last)
        return super().rows(stations, parameters, first, last)


class Unreviewed(Around):
    """The same without what reviewers entered: in its place what was published last."""

    def rows(
        self, stations: Sequence[str], parameters: Sequence[str], start: date | None, end: date | None
    ) -> pd.DataFrame:
        """See ``models.question.Observations``; no more than the days around."""
        rows = super().rows(stations, parameters, start, end)
        for place in rows.index[rows["source_id"].isin(_review_sources(self.connection))]:
            cell = rows.loc[place]
            before = _published(self.connection, int(cell["series_id"]), int(cell["time_ms"]))
            rows = rows.drop(index=place) if before is None else _replaced(rows, place, before)
        return rows


def _replaced(rows: pd.DataFrame, place: int, by: Published) -> pd.DataFrame:
    rows.loc[place, ["value_text", "flags"]] = [by.value_text, by.flags]
    rows.loc[place, "value"] = _value(by.value_text)
    return rows


def _value(text: str) -> float:
    return float(text) if text else float("nan")


def _review_sources(connection: Connection) -> list[int]:
    return list(connection.execute(select(schema.source.c.id).where(schema.source.c.format == REVIEW)).scalars())


class Published(NamedTuple):
    """What a series said of an instant, and in which row of which delivery."""

    value_text: str
    flags: str
    source_id: int
    row: int


def _published(connection: Connection, series_id: int, time_ms: int) -> Published | None:
    """What a series said last of an instant without any reviewer; None where it said nothing."""
    one, source = schema.observation.c, schema.source.c
    query = (
        select(one.value_text, one.flags, one.source_id, one.source_row)
        .join_from(schema.observation, schema.source)
        .where(one.series_id == series_id, one.time_ms == time_ms, source.format != REVIEW)
        .order_by(one.known_at.desc())
        .limit(1)
    )
    found = connection.execute(query).first()
    return None if found is None else Published(*found)


@dataclass(frozen=True)
class Desk:
    """One gauge's day, and the store it is looked up in."""

    connection: Connection
    folder: SiteFolder
    gauge: Gauge
    day: date

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.folder.law.zone)

    @property
    def time_ms(self) -> int:
        return midnight_ms(self.day, self.zone)

    def told(self, *, reviewed: bool) -> DailyFlow:
        """The day as it would be judged tonight, with what reviewers entered or without it."""
        recall = (Around if reviewed else Unreviewed)(self.connection, self.zone, self.day)
        practice, quantity = self.folder.policy.practice(), self.gauge.measures
        days = daily.as_known(recall, self.folder.path, self.gauge, practice, quantity)
        return next((one for one in days if one.day == self.day), DailyFlow(self.day, None))

    def why_unknown(self, *, reviewed: bool) -> str:
        """Why the day has no value; empty where it has one."""
        own = stage_practice(self.folder.policy.practice(), self.gauge)
        return why_unknown(self.told(reviewed=reviewed), self.gauge.measures, own)


def check_free(desk: Desk, acts: Sequence[Review]) -> None:
    """Refuse an estimate of a day that has a value, or an estimate, or whose gauge takes none.

    Raises
    ------
    BadQuestion : which value stands.
    """
    gauge, day = desk.gauge, desk.day
    if gauge.rating:
        why = (
            "its discharge is computed from readings of its stage by a rating: an estimated day would have no stage "
            "behind it, and no shift or corrected rating would reach it. Such a day stays unknown"
        )
        raise BadQuestion(why, key="GAUGE", found=gauge.id)
    if not desk.why_unknown(reviewed=False):
        stands = desk.told(reviewed=False)
        said = ", ".join(part for part in (stands.origin, stands.approval, *stands.qualifiers) if part)
        why = f"a value of the record stands: {value_text(stands, gauge.measures)} ({said})"
        raise BadQuestion(why, key="DAY", found=day.isoformat(), allowed=["a day that is unknown"])
    for one in standing(acts, "estimate"):
        if (one.facts["gauge"], one.facts["day"]) == (gauge.id, day.isoformat()):
            why = f"an estimate stands ({one.facts['value']} {one.facts['unit']}, {one.key()[:SHOWN_KEY]})"
            raise BadQuestion(f"{why}; withdraw it first", key="DAY", found=day.isoformat())


def series_for(desk: Desk) -> str:
    """The series that speaks for the gauge, to which an estimate is entered.

    The site's first sensor; else the daily series that has a row of the day, or any daily one; else its only recorder.
    """
    if desk.gauge.sensors:
        return desk.gauge.sensors[0]
    table = observations.series_table(desk.connection)
    own = table[(table["station"] == desk.gauge.id) & (table["parameter"] == desk.gauge.measures)]
    own = own[~own["series"].isin([DERIVED, daily.FIELD])]
    means = own[(own["statistic"] == "mean") & (own["clock"] == "day")]
    of_day = [id for id in means.index if _published(desk.connection, int(id), desk.time_ms)]
    named = [str(table["series"][id]) for id in of_day] or sorted(means["series"]) or sorted(own["series"])
    return named[0] if named else ""


def enter(desk: Desk, act: Review, known_at: int) -> None:
    """Store the estimate of an act as an observation, and note that it waits for the night.

    Raises
    ------
    BadQuestion : the day would be unknown all the same, or read otherwise, with the reason.
    """
    _speak(desk, act, _source(desk.connection, act, known_at), known_at)
    told, why = desk.told(reviewed=True), desk.why_unknown(reviewed=True)
    if why or told.value != Decimal(act.facts["value"]):
        reads = why or f"it reads {value_text(told, desk.gauge.measures)}"
        raise BadQuestion(f"the day would not take the estimate: {reads}", key="DAY", found=desk.day.isoformat())


def take_back(desk: Desk, estimate: Review, withdrawal: Review, known_at: int) -> bool:
    """Where the estimate still speaks, what was published before it speaks again, or nothing; whether it did."""
    if not speaks(desk, estimate):
        return False
    _restore(desk, estimate, _source(desk.connection, withdrawal, known_at), known_at)
    return True


def keep(connection: Connection, folder: SiteFolder, acts: Iterable[Review], known_at: int) -> None:
    """Before a night judges: every standing estimate speaks where the record tells nothing, and nowhere else."""
    gauges = {one.id: one for one in folder.site.gauge}
    touched = _touched(connection)
    for act in standing(acts, "estimate"):
        gauge, day = gauges.get(act.facts["gauge"]), date.fromisoformat(act.facts["day"])
        if gauge is not None and any(_near(span, day, folder) for span in touched.get(gauge.id, ())):
            _in_line(Desk(connection, folder, gauge, day), act, known_at)


def _in_line(desk: Desk, act: Review, known_at: int) -> None:
    unknown, source = desk.why_unknown(reviewed=False), observations.source_seen(desk.connection, act.key())
    if source is None:
        return
    if unknown and not speaks(desk, act):
        _speak(desk, act, source, known_at)
    elif not unknown and speaks(desk, act) and desk.told(reviewed=False).origin == "published":
        _restore(desk, act, source, known_at)


def _touched(connection: Connection) -> dict[str, list[tuple[int, int]]]:
    """Spans that wait to be judged, by station."""
    table = observations.series_table(connection)
    spans: dict[str, list[tuple[int, int]]] = {}
    for id, span in marks.arrivals(connection).items():
        spans.setdefault(str(table["station"][id]), []).append(span)
    return spans


def _near(span: tuple[int, int], day: date, folder: SiteFolder) -> bool:
    zone = ZoneInfo(folder.law.zone)
    first, last = (instant(one).astimezone(zone).date() for one in span)
    return first - AROUND <= day <= last + AROUND


def speaks(desk: Desk, act: Review) -> bool:
    """Whether the published value of the day is the estimate of this act."""
    one, source = schema.observation.c, schema.source.c
    query = (
        select(source.sha256, one.value_text)
        .join_from(schema.observation, schema.source)
        .where(one.series_id == _series_id(desk, act), one.time_ms == desk.time_ms)
        .order_by(one.known_at.desc())
        .limit(1)
    )
    found = desk.connection.execute(query).first()
    return found is not None and found[0] == act.key() and found[1] == act.facts["value"]


def _series_id(desk: Desk, act: Review) -> int:
    names = (desk.gauge.id, desk.gauge.measures, "mean", act.facts["series"], UNITS[desk.gauge.measures], "day")
    return observations.series_id(desk.connection, *names)


def _restore(desk: Desk, act: Review, source_id: int, known_at: int) -> None:
    """A new version of what was published; where nothing was, of no value, out of the source given."""
    blank = Published("", Flags("", (WITHDRAWN,), {"review": act.key()}).text(), source_id, 1)
    before = _published(desk.connection, _series_id(desk, act), desk.time_ms) or blank
    _store(desk, act, before, known_at)


def _speak(desk: Desk, act: Review, source_id: int, known_at: int) -> None:
    """Read as the hydrographer's estimate is, and traceable to the act."""
    flags = Flags("", ("e", f"review {act.key()[:SHOWN_KEY]}"), {"review": act.key()})
    _store(desk, act, Published(act.facts["value"], flags.text(), source_id, 1), known_at)


def _store(desk: Desk, act: Review, one: Published, known_at: int) -> None:
    quantity = desk.gauge.measures
    row = (
        desk.gauge.id, quantity, "mean", act.facts["series"], desk.time_ms, "day", _value(one.value_text),
        one.value_text, UNITS[quantity], one.flags, one.row,
    )  # fmt: skip
    counts = observations.insert(desk.connection, tidy([row]), source_id=one.source_id, known_at=known_at)
    marks.note_arrivals(desk.connection, counts.changed)


def _source(connection: Connection, act: Review, known_at: int) -> int:
    name = f"review {act.act} {act.key()[:SHOWN_KEY]}"
    id = observations.record_source(
        connection, sha256=act.key(), file=name, format=REVIEW, size=0, arrived_at=known_at
    )  # fmt: skip
    observations.record_counts(connection, id, Counts(accepted=1), rows=1, rejected=0)
    return id
