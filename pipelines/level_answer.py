"""What ``headwater levels STATION`` answers: of each logger its readings, corrections, flags and residuals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any

import numpy as np

from models.levels import pressure
from models.levels.daily import DailyLevel
from models.levels.flagged import stale
from models.levels.flags import WORDS
from models.levels.record import depth_at
from models.levels.steps import Step
from models.policy import MS_IN_AN_HOUR
from models.site import Logger, Well
from pipelines.daily_levels import days_of, level_practice
from pipelines.level_arrival import logger_notes
from pipelines.level_record import HandReading, LoggerLevels, hand_readings, logger_levels
from pipelines.level_rows import AIR
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder
from reports.level_figure import LevelLines

Answer = dict[str, Any]
PLACES = 4


def level_answer(
    recall: Recall, folder: SiteFolder, well: Well, start: date | None, end: date, now_ms: int
) -> tuple[Answer, list[tuple[LoggerLevels, LevelLines]]]:
    """Everything but the readings themselves, and what there is to draw of each logger."""
    hand = hand_readings(recall, well, start, end)
    found = logger_levels(recall, folder, well, start, end)
    answer = {
        "well": well.id, "datum": "NAVD88", "depths": "ft below land surface",
        "measuring_points": [_point(one) for one in well.measuring_point],
        "set_apart": _set_apart(recall, folder, well),
        "loggers": [_logger(recall, folder, one, hand, now_ms) for one in found],
    }  # fmt: skip
    return answer, [(one, _lines(one, hand)) for one in found]


def _set_apart(recall: Recall, folder: SiteFolder, well: Well) -> list[str]:
    """Stored series of the well and of its barologgers that no level comes from."""
    named = {one.barologger for one in well.logger}
    ids = [well.id, *(one.id for one in folder.site.barologger if one.id in named)]
    site = folder.site.model_copy(update={"well": (well,)})
    return list(logger_notes(site, recall.rows(ids, AIR, None, None), recall.zone))


def _point(one: Any) -> Answer:
    return {
        "since": one.since.isoformat(), "elevation_ft": str(one.elevation_ft), "datum": one.datum,
        "height_above_land_ft": str(one.height_above_land_ft),
    }  # fmt: skip


def _logger(recall: Recall, folder: SiteFolder, one: LoggerLevels, hand: Sequence[HandReading], now_ms: int) -> Answer:
    known = one.corrected.time_ms[~np.isnan(one.corrected.depth_ft)]
    last = int(known.max()) if known.size else None
    counts = Counter(WORDS[int(flag)] for flag in one.found.flags)
    days = days_of(one, recall, level_practice(folder.policy))
    gap_ms = int(folder.policy.barometer_longest_gap.value * MS_IN_AN_HOUR)
    return {
        "serial": one.serial, "series": one.series, "parameter": one.parameter, "readings": len(one.rows),
        "first": utc(int(one.corrected.time_ms.min())), "last": utc(int(one.corrected.time_ms.max())),
        "stale": stale(one.corrected.well, last, now_ms, recall.zone) or None,
        "declared": [_declared(each) for each in one.raw.well.logger if each.serial == one.serial],
        "steps": [step_data(each) for each in one.steps], "flags": dict(counts), "rules": one.found.counts(),
        "hand": [_residual(one, tape, gap_ms) for tape in hand], "days": [_day(one, each) for each in days],
    }  # fmt: skip


def _declared(one: Logger) -> str:
    """How a logger hangs and is compensated, as the site file says it."""
    air = f"air of {one.barologger} taken off" if one.kind == "absolute" else "vented"
    if one.water_density == "by temperature":
        water = "water as dense as its temperature makes it"
    else:
        water = f"water of {one.water_density or int(pressure.CONVENTIONAL_DENSITY)} kg/m3"
    zero = f"; {one.zero_ft:+.3f} ft for its maker's zero" if one.zero_ft else ""
    share = f"; barometric efficiency {one.barometric_efficiency}" if one.barometric_efficiency else ""
    return f"since {one.since}: {one.hung_below_mp_ft} ft below the measuring point; {air}; {water}{zero}{share}"


def step_data(one: Step) -> Answer:
    """A correction as plain data."""
    return {
        "key": one.id, "kind": one.kind, "says": one.says(), "from": utc(one.start_ms),
        "to": None if one.end_ms is None else utc(one.end_ms), "by": one.who, "at": one.when, "why": one.why,
    }  # fmt: skip


def _residual(one: LoggerLevels, tape: HandReading, gap_ms: int) -> Answer:
    """How far the logger stands off a tape reading, before and after correction: tape less logger [ft].

    By readings that count: one that fails its tests says nothing of the tape.
    """
    usable = one.found.usable()
    raw, corrected = (depth_at(each, tape.time_ms, gap_ms, usable) for each in (one.raw, one.corrected))
    return {
        "time": utc(tape.time_ms), "tape_ft": round(tape.depth_ft, PLACES), "logger_ft": _rounded(corrected),
        "off_before_ft": _rounded(None if raw is None else tape.depth_ft - raw),
        "off_ft": _rounded(None if corrected is None else tape.depth_ft - corrected), "row_id": tape.row_id,
    }  # fmt: skip


def _day(one: LoggerLevels, day: DailyLevel) -> Answer:
    ends = [str(one.rows["row_id"].iloc[place]) for place in (day.first, day.last) if place >= 0]
    return {
        "day": day.day.isoformat(), "depth_ft": None if day.depth_ft is None else str(day.depth_ft),
        "coverage": f"{day.coverage:.3f}", "flag": day.flag, "why": "; ".join(day.reasons), "readings": day.n,
        "rows": ends,
    }  # fmt: skip


def reading_rows(one: LoggerLevels) -> Iterator[Answer]:
    """Every reading: as stored, the air, the depth before and after correction, its flag and why."""
    raw, record = one.raw, one.corrected
    for k, (stored_ms, row_id) in enumerate(zip(one.rows["time_ms"], one.rows["row_id"], strict=True)):
        yield {
            "series": one.series, "stored_time": utc(int(stored_ms)), "time": utc(int(record.time_ms[k])),
            "stored_ft_of_water": _rounded(record.stored_ft[k]), "air_ft_of_water": _rounded(record.air_ft[k]),
            "depth_before_ft": _rounded(raw.depth_ft[k]), "depth_ft": _rounded(record.depth_ft[k]),
            "elevation_navd88_ft": _rounded(record.elevation_ft[k]), "flag": int(one.found.flags[k]),
            "why": "; ".join(one.found.reasons(k)), "row_id": row_id,
        }  # fmt: skip


def _lines(one: LoggerLevels, hand: Sequence[HandReading]) -> LevelLines:
    raw, record = np.argsort(one.raw.time_ms, kind="stable"), np.argsort(one.corrected.time_ms, kind="stable")
    tapes = np.array([tape.time_ms for tape in hand], np.int64), np.array([tape.depth_ft for tape in hand])
    return LevelLines(
        (_minutes(one.raw.time_ms[raw]), one.raw.depth_ft[raw]),
        (_minutes(one.corrected.time_ms[record]), one.corrected.depth_ft[record]),
        one.found.flags[record], (_minutes(tapes[0]), tapes[1].astype(np.float64)),
        [(utc(each.start_ms)[:16], each.kind) for each in one.steps], one.raw.stored_ft[raw], one.raw.air_ft[raw],
    )  # fmt: skip


def _minutes(time_ms: np.ndarray) -> np.ndarray:
    return time_ms.astype("datetime64[ms]").astype("datetime64[m]")


def _rounded(value: float | None) -> float | None:
    return None if value is None or value != value else round(float(value), PLACES)


def utc(time_ms: int) -> str:
    """An instant as text."""
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
