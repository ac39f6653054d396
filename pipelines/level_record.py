"""The records of a well's loggers, read from the store: as stored, and with the corrections that stood by then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pandas as pd

from ingest.loggers.channels import BACK
from models.checks.well_levels import LEVELS, depth_below_land_ft
from models.levels import quality
from models.levels.flagged import Flagged, flagged
from models.levels.flags import Marks, Outcome
from models.levels.hanging import midnight_ms
from models.levels.pressure import head_ft
from models.levels.record import Air, LevelRecord, Stored, level_record
from models.levels.steps import Step, of_logger, set_right
from models.observation import Flags
from models.policy import MS_IN_AN_HOUR
from models.question import stored_rows
from models.review import Review
from models.site import Well
from pipelines import level_steps, review_book
from pipelines.level_rows import air_of, head_rows, temperature_of
from pipelines.recall import Recall, civil_days
from pipelines.site_folder import SiteFolder

ONE_DAY = timedelta(days=1)
FAILED_CODES = frozenset({"error"})
"""Qualifiers by which a maker says that a sensor gave no reading (In-Situ, data quality IDs)."""


@dataclass(frozen=True)
class LoggerLevels:
    """One channel of a logger of a well.

    Parameters
    ----------
    series : serial:channel.
    rows : its stored rows, as `Recall.rows` gives them; of an instant on which downloads disagree all there are.
    raw : the record without any step. ``clocked``: with clock steps alone, which a tape is held against.
    corrected : with those that stand; ``steps``: these.
    found : the flags of the corrected record.
    """

    series: str
    rows: pd.DataFrame
    raw: LevelRecord
    clocked: LevelRecord
    corrected: LevelRecord
    steps: tuple[Step, ...]
    found: Flagged

    @property
    def serial(self) -> str:
        return self.raw.serial

    @property
    def parameter(self) -> str:
        """What the channel holds: ``logger_pressure`` or ``logger_level``."""
        return str(self.rows["parameter"].iloc[0])

    def at(self, kept: Marks) -> LoggerLevels:
        """Some of its readings, with the flags they have in the whole record."""
        raw, clocked, corrected = (one.at(kept) for one in (self.raw, self.clocked, self.corrected))
        rows = self.rows[kept].reset_index(drop=True)
        return LoggerLevels(self.series, rows, raw, clocked, corrected, self.steps, self.found.at(kept))

    def at_odds(self, recall: Recall) -> dict[date, str]:
        """On which civil days stored numbers of one instant differ, and which files they are of."""
        times = pd.Series(self.corrected.time_ms)
        several = self.rows["time_ms"].duplicated(keep=False).to_numpy()
        files = self.rows["row_id"].str.partition(":")[0].to_numpy()[several]
        days = civil_days(times[several], recall.zone).to_numpy()
        return {day: _at_odds(files[days == day]) for day in sorted(set(days))}


def _at_odds(files: np.ndarray) -> str:
    names = sorted(set(files))
    said = f"files {' and '.join(names)} say" if len(names) > 1 else f"file {names[0]} says"
    return f"{said} different things of one instant"


@dataclass(frozen=True)
class HandReading:
    """A tape reading with a time of day: depth below land [ft]."""

    time_ms: int
    depth_ft: float
    row_id: str

    def says(self) -> str:
        """For the record of what a correction rests on."""
        at = datetime.fromtimestamp(self.time_ms / 1000, UTC)
        return f"tape {self.depth_ft:.2f} ft below land at {at:%Y-%m-%dT%H:%MZ} ({self.row_id})"


def hand_readings(recall: Recall, well: Well, start: date | None, end: date) -> list[HandReading]:
    """Every tape reading with a depth and a time of day, in order of time."""
    return [
        HandReading(row.time_ms, depth, row.row_id)
        for row in stored_rows(recall.rows([well.id], LEVELS, start, end))
        if row.clock == "utc" and (depth := depth_below_land_ft(well, row)) is not None
    ]  # fmt: skip


def logger_levels(
    recall: Recall, folder: SiteFolder, well: Well, start: date | None, end: date | None
) -> list[LoggerLevels]:  # fmt: skip
    """Every channel of a well with readings from one civil day to another by the time they were truly taken.

    Corrections and tests see the whole record, so that a reading is the same in whatever part of it is asked for.
    """
    acts = review_book.acts(recall.connection, recall.known_at)
    first = -(2**62) if start is None else midnight_ms(start, recall.zone)
    until = 2**62 if end is None else midnight_ms(end + ONE_DAY, recall.zone)
    found = []
    for one in stored_levels(recall, folder, well, (None, None), acts):
        kept = (one.corrected.time_ms >= first) & (one.corrected.time_ms < until)
        if kept.any():
            found.append(one if kept.all() else one.at(kept))
    return found


def stored_levels(
    recall: Recall, folder: SiteFolder, well: Well, span: tuple[date | None, date | None], acts: Iterable[Review]
) -> list[LoggerLevels]:  # fmt: skip
    """Every channel of a well, by series, of what is stored in a span of civil days and by nothing beyond it.

    Parameters
    ----------
    acts : the review book; corrections in it are applied.
    """
    rows = head_rows(recall, well.id, *span)
    steps = level_steps.steps_at(well.id, acts)
    return [
        _of_series(recall, folder, well, str(series), one.reset_index(drop=True), steps)
        for (series, _), one in rows.groupby(["series", "parameter"])
    ]


def _of_series(
    recall: Recall, folder: SiteFolder, well: Well, series: str, rows: pd.DataFrame, steps: list[Step]
) -> LoggerLevels:  # fmt: skip
    serial = series.rpartition(":")[0]
    own = of_logger(steps, serial, series)
    clocks = [one for one in own if one.kind == "clock"]
    stored = _stored(recall, well, series, rows)
    airs = _airs(recall, folder, well, stored, clocks)
    raw = level_record(well, stored, airs, (), recall.zone)
    clocked = level_record(well, stored, airs, clocks, recall.zone) if clocks else raw
    corrected = level_record(well, stored, airs, own, recall.zone) if own else raw
    return LoggerLevels(series, rows, raw, clocked, corrected, tuple(own), flagged(corrected, recall.zone, _said(rows)))


def _said(rows: pd.DataFrame) -> list[Outcome]:
    """What the file says of each reading: its maker's code, and how far it is stamped before an earlier one."""
    texts = rows["flags"].fillna("")
    read = {text: Flags.parse(text) for text in texts.unique()}
    failed = {text: ", ".join(word for word in one.qualifiers if word in FAILED_CODES) for text, one in read.items()}
    back = {text: float(one.facts.get(BACK, "nan")) for text, one in read.items()}
    found = [quality.makers_code(texts.map(failed).tolist())] if any(failed.values()) else []
    behind = any(one == one for one in back.values())
    return [*found, quality.order_in_file(texts.map(back).to_numpy(np.float64))] if behind else found


def _stored(recall: Recall, well: Well, series: str, rows: pd.DataFrame) -> Stored:
    serial = series.rpartition(":")[0]
    times = rows["time_ms"].to_numpy(np.int64)
    head = head_ft(rows["value"].to_numpy(np.float64), str(rows["unit"].iloc[0]))
    stored = Stored(serial, times, head, series=series)
    if not any(one.serial == serial and one.water_density == "by temperature" for one in well.logger):
        return stored
    return replace(stored, temperature_c=temperature_of(recall, well.id, serial, rows["time_ms"], rows["day"]))


def _airs(recall: Recall, folder: SiteFolder, well: Well, stored: Stored, clocks: list[Step]) -> list[Air]:
    """Readings of the barologgers, from a day before the first instant to a day after the last, stored or true."""
    every = np.concatenate([stored.time_ms, set_right(clocks, stored.time_ms)])
    first, last = (_day(int(one)) for one in (every.min(), every.max()))
    named = {one.barologger for one in well.logger if one.serial == stored.serial}
    gap_ms = int(folder.policy.barometer_longest_gap.value * MS_IN_AN_HOUR)
    return [
        Air(one, *air_of(recall, one, first - ONE_DAY, last + ONE_DAY), gap_ms)
        for one in folder.site.barologger
        if one.id in named
    ]  # fmt: skip


def _day(time_ms: int) -> date:
    return datetime.fromtimestamp(time_ms / 1000, UTC).date()
