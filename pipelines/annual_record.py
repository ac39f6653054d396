"""Read one calendar year of a site from the store, as known at one instant, for the annual appendix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import shapely
from sqlalchemy import Connection, func, select

from models.case import Case
from models.case_duties import case_deadlines
from models.checks.base_flow import signed_versions, waters
from models.checks.gauge_days import as_judged
from models.checks.water_level import LEVELS, OWNER_LOG
from models.checks.water_level_readings import PUMP_STARTS
from models.errors import BadQuestion
from models.known_volumes import AT_A_WELL, METER, known_at_discharges, known_at_wells
from models.level_status import STATUS, level_status
from models.observation import Flags
from models.parameters import parameter
from models.place import FEET_IN_A_MILE
from models.question import Changed, Question, stored_rows
from models.rules import AnnualReport, BaseFlowRule, Ordinance
from models.site import Point, Site, Well
from pipelines import casebook, excerpt, inbox, observations, schema
from pipelines.annual_quality import laboratory
from pipelines.casebook import ms
from pipelines.frozen_base_flow import as_first_used
from pipelines.judgement import all_cases, calendar
from pipelines.recall import DERIVED, Recall, midnight_ms
from pipelines.site_folder import SiteFolder
from pipelines.version import VERSION
from reports.annual.record import (
    AnnualRecord,
    Duty,
    Flow,
    Levels,
    Other,
    Pumping,
    Reported,
)

FIRST_YEAR, LAST_YEAR = 1900, 9998
CONTINUOUS = 60  # a series with more readings in a year is a sensor, and summed up
NOT_RESULTS = {*LEVELS, *excerpt.HEADS, OWNER_LOG, PUMP_STARTS, METER, *AT_A_WELL, "precipitation"}
PRIVATE_TEXT = "not printed: it may name a household; `headwater rejects` shows it to the town"

Series = tuple[Well, pd.DataFrame]


def read_year(connection: Connection, folder: SiteFolder, year: int, on: date, now: datetime) -> AnnualRecord:
    """Everything of one calendar year.

    Parameters
    ----------
    year : calendar year covered.
    on, now : last civil day that may be known, and the instant of knowledge.

    Raises
    ------
    BadQuestion : the ordinance asks for no such report, or the year has not begun at ``on``.
    """
    duty = _duty(folder.law, year, on)
    folder, _ = as_first_used(connection, folder)
    start, end = date(year, 1, 1), min(date(year, 12, 31), on)
    recall = Recall(connection, ZoneInfo(folder.law.zone), ms(now))
    series = list(_by_series(connection, recall, folder, start, end))
    sensors = [one for one in series if _is_sensor(one[1])]
    lab = [one for one in series if not _is_sensor(one[1])]
    results, sums = laboratory(recall, folder, start, end, lab, sensors)
    return AnnualRecord(
        year=year, end=end, on=on, known_at=now, version=VERSION, duty=duty, site=folder.site, law=folder.law,
        policy=folder.policy, ring=_ring(folder.site, folder.law, on),
        levels=[_levels(recall, folder, well, start, end) for well in folder.site.well],
        results=results, sums=sums, other=list(_others(series)),
        pumping=[Pumping(meter, excerpt.pumped(recall, meter, None, _after(end, on))) for meter in folder.site.meter],
        reported=list(_reported(recall, folder.site, start, end)), flows=list(_flows(folder, recall, on, now)),
        findings=casebook.versions(connection, ms(now)), duties=_duties(connection, folder, now),
        rejects=list(_rejects(connection, start, recall)), last_seen=_last_seen(connection, folder, recall, end),
        **_volumes(folder, recall, _after(end, on), now),
    )  # fmt: skip


def private_texts(folder: SiteFolder) -> list[str]:
    """What names a household: for the last door of a document, never for print."""
    return [
        text
        for one in folder.households.household
        for text in (one.owner, one.occupant, one.phone, one.address)
        if text
    ]


def _duty(law: Ordinance, year: int, on: date) -> AnnualReport:
    if law.annual_report is None:
        raise BadQuestion("this ordinance asks for no annual operational report", key="ordinance", found=law.id)
    if not FIRST_YEAR <= year <= min(LAST_YEAR, on.year):
        raise BadQuestion("no such year on record", key="YEAR", found=year, allowed=[f"{FIRST_YEAR} to {on.year}"])
    return law.annual_report


def _after(end: date, on: date) -> date:
    """Far enough past the year for the reading that ends its last interval, and never past what is known."""
    return min(end + timedelta(days=400), on)


def _ring(site: Site, law: Ordinance, on: date) -> list[Point]:
    """The farthest line that the ordinance draws around the site; none where it draws none."""
    drawn = law.distances_mi(on)
    if not drawn:
        return []
    line = shapely.Polygon(site.boundary).buffer(float(drawn[-1] * FEET_IN_A_MILE), quad_segs=16).exterior
    return [(float(x), float(y)) for x, y in line.coords]


def _flows(folder: SiteFolder, recall: Recall, on: date, now: datetime) -> Iterator[Flow]:
    site, rule = folder.site, _spell_rule(folder.law, on)
    question = Question(site, folder.law, folder.policy, recall, on, now, Changed())
    reached = {gauge.id for gauge, _ in waters(rule, question)} if rule else set()
    for gauge in site.gauge:
        stream = site.stream_of(gauge)
        signed = signed_versions(stream, gauge, site.permit.mining_began, on) if stream else []
        days = as_judged(gauge, recall.daily(gauge.id, gauge.judged, None, on))
        yield Flow(gauge, stream.name if stream else "", days, signed, rule if gauge.id in reached else None)


def _spell_rule(law: Ordinance, on: date) -> BaseFlowRule | None:
    """The rule of the streams at large that states a number of days."""
    rules = [one for one in law.checks(on) if isinstance(one, BaseFlowRule) and one.waters == "any"]
    return next((one for one in rules if one.more_than_days is not None), None)


def _levels(recall: Recall, folder: SiteFolder, well: Well, start: date, end: date) -> Levels:
    readings = excerpt.water_levels(recall, folder, well, start, end)
    read = stored_rows(recall.rows([well.id], LEVELS, start, end))
    marks = {row.row_id: _marks(Flags.parse(row.flags)) for row in read}
    return Levels(well, readings.assign(marks=readings["row_id"].map(marks).fillna("").astype("str")))


def _marks(flags: Flags) -> str:
    """Qualifiers as they came; of a status code what it means."""
    return " ".join([*flags.qualifiers, *([level_status(flags).words] if STATUS in flags.facts else [])])


def _measured(connection: Connection, well: Well) -> list[str]:
    """What is measured in a well apart from its level."""
    table = observations.series_table(connection)
    return sorted(set(table.loc[table["station"] == well.id, "parameter"]) - NOT_RESULTS)


def _by_series(connection: Connection, recall: Recall, folder: SiteFolder, start: date, end: date) -> Iterator[Series]:
    for well in folder.site.well:
        rows = recall.rows([well.id], _measured(connection, well), start, end)
        for _, series in rows.groupby(["parameter", "series", "unit", "clock"], sort=True):
            yield well, series


def _is_sensor(series: pd.DataFrame) -> bool:
    return len(series) > CONTINUOUS and series["clock"].iloc[0] == "utc"


def _others(found: Sequence[Series]) -> Iterator[Other]:
    for well, series in found:
        known = series[series["value"].notna()]
        if _is_sensor(series) and len(known):
            name = parameter(str(known["parameter"].iloc[0])).name
            yield Other(well.id, name, str(known["unit"].iloc[0]), known["value"], tuple(known["row_id"].tolist()))


def _volumes(folder: SiteFolder, recall: Recall, last: date, now: datetime) -> dict[str, Any]:
    """Every record of what wells gave and discharges took, far enough past the year for its last interval."""
    question = Question(folder.site, folder.law, folder.policy, recall, last, now, Changed())
    wells = folder.site.wells("production")
    return {"known": known_at_wells(question, wells, last), "discharged": known_at_discharges(question)}


def _reported(recall: Recall, site: Site, start: date, end: date) -> Iterator[Reported]:
    rows = recall.rows([one.id for one in site.wells("production")], ["withdrawal"], start, end)
    for row in stored_rows(rows[rows["clock"] == "month"]):
        if row.value == row.value:
            yield Reported(row.station, row.day.replace(day=1), float(row.value), row.row_id)


def _duties(connection: Connection, folder: SiteFolder, now: datetime) -> list[Duty]:
    """Steps of every case an act has started, closed cases too; a case of a household goes by a number."""
    known = [one for one in casebook.events(connection, ms(now)) if one.recorded_at <= now]
    found = [case for case in all_cases(known, folder) if case.status != "retracted"]
    return [
        Duty(label, case.status, step)
        for case, label in zip(found, _labels(found), strict=True)
        for step in case_deadlines(case, folder.law.steps(case.kind.id), calendar(folder), now)
    ]


def _labels(found: Sequence[Case]) -> Iterator[str]:
    """Names of cases that name no property."""
    numbers: dict[str, int] = {}
    for case in found:
        numbers[case.kind.id] = numbers.get(case.kind.id, 0) + 1
        _, subject, opened = case.id.split("/")
        private = case.kind.subject == "property"
        about = f"number {numbers[case.kind.id]}" if private else f"{subject}, {opened}"
        yield f"a case under {case.kind.clause}, {about}"


def _rejects(connection: Connection, start: date, recall: Recall) -> Iterator[Mapping[str, Any]]:
    """Rows not taken since the year began; what a household or an act may have written is not shown."""
    formats = {row.id: row.format for row in connection.execute(select(schema.source.c.id, schema.source.c.format))}
    frame = observations.rejects(connection, since_ms=midnight_ms(start, recall.zone))
    for row in frame.to_dict("records"):
        if recall.known_at is None or row["arrived_at"] <= recall.known_at:
            private = formats[row["source_id"]] in {"owner-log", inbox.EVENTS}
            hidden = (
                {"file": "an owner's log or the record of acts", "raw": PRIVATE_TEXT, "reason": "not taken"}
                if private
                else {}
            )
            yield {str(name): cell for name, cell in row.items()} | hidden


def _last_seen(connection: Connection, folder: SiteFolder, recall: Recall, end: date) -> list[tuple[str, str, date]]:
    """Last day of each station and parameter up to the end of the year; laboratory samples are one line."""
    table = observations.series_table(connection)
    stations = [one.id for one in folder.site.stations()]
    kept = table[table["station"].isin(stations) & (table["series"] != DERIVED)]
    last: dict[tuple[str, str], date] = {}
    columns = ["station", "parameter", "statistic", "clock"]
    before = midnight_ms(end + timedelta(days=1), recall.zone)
    for id, station, name, statistic, clock in kept[columns].itertuples(name=None):
        when = _last_ms(connection, int(id), before, recall.known_at)
        if when is not None:
            sample = (statistic, clock) == ("instant", "day")
            key = (str(station), "laboratory results" if sample else parameter(str(name)).name)
            day = casebook.instant(when).astimezone(recall.zone).date()
            last[key] = max(day, last.get(key, day))
    order = {id: k for k, id in enumerate(stations)}
    return sorted(((*key, day) for key, day in last.items()), key=lambda one: (order[one[0]], one[1]))


def _last_ms(connection: Connection, series_id: int, before_ms: int, known_at: int | None) -> int | None:
    table = schema.observation.c
    query = select(func.max(table.time_ms)).where(
        table.series_id == series_id, table.time_ms < before_ms, table.value.is_not(None)
    )
    query = query if known_at is None else query.where(table.known_at <= known_at)
    return connection.execute(query).scalar()
