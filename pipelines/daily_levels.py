"""The one daily record of depth to water of each well with a logger, stored like that of a gauge.

Days are assembled again where a delivery of the logger or of its barologger touched them, and as far around as tests
and clocks reach; all of them, once, where a correction, a hanging or a setting changed. So the record is the same
however its rows arrive. Of several loggers the one that was hung last speaks. A day without a value is stored with why.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
from sqlalchemy import Connection, func, select

from models.levels.daily import DailyLevel, daily_levels
from models.levels.flags import SUSPECT
from models.levels.hanging import midnight_ms
from models.levels.steps import OFFSETS, Step
from models.observation import Flags
from models.policy import MS_IN_AN_HOUR, Policy
from models.review import Review
from models.site import Well
from models.streamflow.practice import Practice
from pipelines import level_steps, marks, observations, review_book, schema
from pipelines.casebook import instant
from pipelines.level_record import LoggerLevels, stored_levels
from pipelines.level_rows import AIR, HEADS
from pipelines.recall import DERIVED, EPOCH, Recall, civil_days, day_number, derived_series, last_derived_day
from pipelines.site_folder import SiteFolder
from pipelines.speaking_sensor import SILENT, USABLE, SensorDay, speaking

PARAMETER, UNIT = "depth_to_water", "ft"
Touched = Mapping[tuple[str, str], tuple[date, date]]
Row = tuple[int, str, str, str]
_UNDER = "levels:"
"""What a well's daily record was assembled under: hangings, tests, corrections, thresholds."""
HOURS_A_DAY, SECONDS_A_DAY = 24, 86_400
_GONE = ("", Flags("P", (), {"flag": "9", "note": "no reading of this day any more"}).text(), "computed")


def level_practice(policy: Policy) -> Practice:
    """The practice of a daily mean, for readings up to so many hours apart."""
    return replace(policy.practice(), longest_step_ms=int(policy.level_longest_step.value * MS_IN_AN_HOUR))


def days_of(one: LoggerLevels, recall: Recall, practice: Practice) -> list[DailyLevel]:
    """The civil days of a channel; one on which its files say different things names them."""
    at_odds = one.at_odds(recall)
    days = daily_levels(one.corrected, one.found, recall.zone, practice)
    return [replace(day, reasons=(*day.reasons, at_odds[day.day])) if day.day in at_odds else day for day in days]


def derive(
    connection: Connection, folder: SiteFolder, recall: Recall, touched: Touched, on: date, known_at: int
) -> dict[tuple[str, str], date]:  # fmt: skip
    """Assemble what changed of every well with a logger.

    Parameters
    ----------
    touched : first and last civil day with new observations, by (station, parameter).
    on, known_at : the day of the night, and its instant [epoch ms]; a correction made later is not known to it.

    Returns
    -------
    The first day whose value changed, by (well, "depth_to_water").
    """
    changed: dict[tuple[str, str], date] = {}
    acts = review_book.acts(connection, known_at)
    for well in folder.site.well:
        if not well.logger:
            continue
        steps = level_steps.steps_at(well.id, acts)
        span = _span(connection, folder, well, steps, touched, on)
        rows = [] if span is None else _assembled(recall, folder, well, span, acts)
        if rows:
            id = observations.series_id(connection, well.id, PARAMETER, "mean", DERIVED, UNIT, "day")
            days = observations.daily_write(connection, id, rows, known_at)
            changed |= {(well.id, PARAMETER): EPOCH + timedelta(days=days[0])} if days else {}
    return changed


def _span(
    connection: Connection, folder: SiteFolder, well: Well, steps: Iterable[Step], touched: Touched, on: date
) -> tuple[date, date] | None:  # fmt: skip
    """The touched days of a well, all of them where what they are assembled under changed; None where none is."""
    zone, aired = ZoneInfo(folder.law.zone), {one.barologger for one in well.logger if one.barologger}
    keys = [(well.id, name) for name in HEADS] + [(id, name) for id in sorted(aired) for name in AIR]
    spans = [touched[key] for key in keys if key in touched]
    name, under = f"{_UNDER}{well.id}", _under(folder, well, steps)
    if marks.get(connection, name) != under:
        marks.put(connection, name, under)
        spans += _recorded(connection, well, zone)
    first = min((one[0] for one in spans), default=on)
    return (first, min(max(one[1] for one in spans), on)) if spans and first <= on else None


def _recorded(connection: Connection, well: Well, zone: ZoneInfo) -> list[tuple[date, date]]:
    """First and last civil day with a stored reading of a logger of the well."""
    time, one = schema.observation.c.time_ms, schema.series.c
    ends = select(func.min(time), func.max(time)).join(schema.series, schema.observation.c.series_id == one.id)
    first, last = connection.execute(ends.where(one.station == well.id, one.parameter.in_(HEADS))).one()
    if first is None:
        return []
    return [(instant(first).astimezone(zone).date(), instant(last).astimezone(zone).date())]


def _under(folder: SiteFolder, well: Well, steps: Iterable[Step]) -> str:
    named = {one.barologger for one in well.logger}
    nouns = [*well.logger, *well.measuring_point, *well.quality_test]
    nouns += [one for one in folder.site.barologger if one.id in named]
    practice, gap = level_practice(folder.policy), folder.policy.barometer_longest_gap.value
    spans = (practice.longest_step_ms, practice.longest_hole_ms, practice.minimum_coverage)
    numbers = (*spans, practice.stage_uncertainty_ft, gap, well.pump_intake_ft)
    said = [one.model_dump_json() for one in nouns] + [str(one) for one in numbers]
    return json.dumps([*said, *sorted(one.id for one in steps)])


def _reach(well: Well, steps: Iterable[Step]) -> timedelta:
    """How far a reading bears on others: the next reading, a flat line, a clock that is set right."""
    flat = [one for each in well.quality_test for one in (each.flat_suspect_h, each.flat_fail_h) if one is not None]
    ahead = [abs(number) for one in steps if one.kind == "clock" for number in one.parameters.values()]
    days = math.ceil(max(flat, default=0) / HOURS_A_DAY) + math.ceil(max(ahead, default=0) / SECONDS_A_DAY)
    return timedelta(days=2 + days)


def _assembled(
    recall: Recall, folder: SiteFolder, well: Well, span: tuple[date, date], acts: Sequence[Review]
) -> list[Row]:  # fmt: skip
    """The days of a span and those within reach of it; no day that was not yet judged when the last of them was."""
    reach = _reach(well, level_steps.steps_at(well.id, acts))
    judged = max(span[1], last_derived_day(recall.connection, well.id, PARAMETER) or span[1])
    first, last = span[0] - reach, min(span[1] + reach, judged)
    found = stored_levels(recall, folder, well, (first - reach, min(last + reach, judged)), acts)
    hung = {one.serial for one in well.logger}
    practice = level_practice(folder.policy)
    said = [day for one in found if one.serial in hung for day in _said(one, recall, practice)]
    inside = range(day_number(first), day_number(last) + 1)
    spoken = {one.day: one for one in speaking((one for one in said if one.day in inside), _by_hanging(well, found))}
    rows = [(day, one.text, one.flags.text(), one.origin) for day, one in spoken.items()]
    return rows + [(day, *_GONE) for day in _stored(recall, well, inside) if day not in spoken]


def _stored(recall: Recall, well: Well, days: range) -> list[int]:
    """Days that were assembled before: a clock that is set right may leave one without a reading."""
    id = derived_series(recall.connection, well.id, PARAMETER)
    if id is None:
        return []
    return [int(day) for day in observations.daily_read(recall.connection, id, days[0], days[-1])["day"]]


def _by_hanging(well: Well, found: Iterable[LoggerLevels]) -> list[str]:
    """Series, that of the logger hung last in front, of its channels what it feels before what is worked out from it.

    Two channels of one logger that hold the same: none of them comes before the other, and the list ends.
    """
    hung = {one.serial: one.since for one in sorted(well.logger, key=lambda one: one.since)}
    places: dict[tuple[int, int], list[str]] = {}
    for one in found:
        place = -hung.get(one.serial, date.min).toordinal(), HEADS.index(one.parameter)
        places.setdefault(place, []).append(one.series)
    alone = takewhile(lambda place: len(places[place]) == 1, sorted(places))
    return [places[place][0] for place in alone]


def _said(one: LoggerLevels, recall: Recall, practice: Practice) -> Iterator[SensorDay]:
    """The days on which a logger has readings."""
    with_readings = set(civil_days(pd.Series(np.unique(one.corrected.time_ms)), recall.zone))
    for day in days_of(one, recall, practice):
        if day.day in with_readings:
            yield _sensor_day(one, day, recall.zone)


def _sensor_day(one: LoggerLevels, day: DailyLevel, zone: ZoneInfo) -> SensorDay:
    rows = [str(one.rows["row_id"].iloc[place]) for place in (day.first, day.last) if place >= 0]
    facts = {
        "row": rows[0] if rows else "", "coverage": str(day.coverage), "hole": "1" if day.hole_too_long else "",
        "flag": str(day.flag), "note": " and ".join(day.reasons), "corrected": _corrections(one, day.day, zone),
    }  # fmt: skip
    doubt = ("suspect",) if day.flag == SUSPECT else ()
    text = "" if day.depth_ft is None else f"{day.depth_ft:f}"
    return SensorDay(
        day_number(day.day), one.series, USABLE if text else SILENT, day.depth_ft, text, Flags("P", doubt, facts),
        "computed",
    )  # fmt: skip


def _corrections(one: LoggerLevels, day: date, zone: ZoneInfo) -> str:
    """How many corrections bear on a day, ties and drifts in whose place another holds left out; "" where none does."""
    start, end = midnight_ms(day, zone), midnight_ms(day + timedelta(days=1), zone)
    bear = [step for step in one.steps if step.start_ms < end and (step.end_ms is None or step.end_ms > start)]
    offsets = [step for step in bear if step.kind in OFFSETS]
    whole = [step for step in offsets if step.start_ms <= start and (step.end_ms is None or step.end_ms >= end)]
    last = max((step.start_ms for step in whole), default=-(2**62))
    hidden = [step for step in offsets if step.start_ms < last]
    return str(len(bear) - len(hidden) or "")
