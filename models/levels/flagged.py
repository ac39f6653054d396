"""Every quality test of a level record, under the settings of its days, and the flag of each reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo

import numpy as np

from models.levels import flags, quality
from models.levels.flags import Flags, Marks, Outcome
from models.levels.hanging import in_force, in_order
from models.levels.pressure import Instants, Numbers
from models.levels.quality import MS_IN_AN_HOUR
from models.levels.record import LevelRecord
from models.quality_setting import QualityTests, Span
from models.site import Well

UNSET = QualityTests(since=date(1900, 1, 1))
"""The tests of a well without settings: only those that need none."""


@dataclass(frozen=True)
class Flagged:
    """The flag of each reading, uint8[n], and what each rule says of it."""

    flags: Flags
    outcomes: tuple[Outcome, ...]

    def usable(self) -> Marks:
        """bool[n]: readings that count, all but those that fail or are missing."""
        held: Marks = ~np.isin(self.flags, (flags.FAIL, flags.MISSING))
        return held

    def at(self, places: Marks) -> Flagged:
        """The flags of some of the readings."""
        kept = [replace(one, flags=one.flags[places], measured=one.measured[places]) for one in self.outcomes]
        return Flagged(self.flags[places], tuple(kept))

    def reasons(self, k: int) -> list[str]:
        """Why reading k is flagged: every rule that objects, with its numbers."""
        return flags.reasons(self.outcomes, k)

    def counts(self) -> dict[str, dict[str, int]]:
        """How many readings each rule finds suspect or fails, rules without any left out."""
        found: dict[str, dict[str, int]] = {}
        for one in self.outcomes:
            for flag in (flags.SUSPECT, flags.FAIL):
                if n := int((one.flags == flag).sum()):
                    word, own = flags.WORDS[flag], found.setdefault(one.rule, {})
                    own[word] = own.get(word, 0) + n
        return found


def flagged(record: LevelRecord, zone: tzinfo, said: Sequence[Outcome] = ()) -> Flagged:
    """Test a record; a reading has the same flag in whatever order the readings come.

    Parameters
    ----------
    zone : the civil days from whose first instant a setting holds.
    said : what its file says of each reading.
    """
    order = np.argsort(record.time_ms, kind="stable")
    back = np.argsort(order, kind="stable")
    outcomes = [*said, *quality.clock_order(record.time_ms)]
    for one in _in_order(record.at(order), zone):
        outcomes.append(replace(one, flags=one.flags[back], measured=one.measured[back]))
    return Flagged(flags.aggregate(outcomes, np.isnan(record.depth_ft)), tuple(outcomes))


def _in_order(record: LevelRecord, zone: tzinfo) -> Iterator[Outcome]:
    yield quality.above_casing(record.depth_mp_ft)
    if record.well.pump_intake_ft is not None:
        yield quality.below_intake(record.depth_ft, float(record.well.pump_intake_ft))
    settings = in_order((UNSET, *record.well.quality_test))
    which = in_force(settings, record.time_ms, zone)
    for number, setting in enumerate(settings):
        held = which == number
        if held.any():
            yield from (flags.within(one, held) for one in _under(setting, record))


def _under(setting: QualityTests, record: LevelRecord) -> Iterator[Outcome]:
    """The tests that have limits in one setting."""
    times, depth, gap = record.time_ms, record.depth_ft, round(setting.longest_gap_h * MS_IN_AN_HOUR)
    yield quality.below_sensor(record.column_ft, float(setting.sensor_margin_ft))
    if setting.suspect_outside_ft or setting.fail_outside_ft:
        yield quality.gross_range(depth, _pair(setting.suspect_outside_ft), _pair(setting.fail_outside_ft))
    if setting.rate_ft_per_h is not None:
        yield quality.rate_of_change(times, depth, float(setting.rate_ft_per_h), gap)
    if setting.spike_suspect_ft or setting.spike_fail_ft:
        limits = [None if one is None else float(one) for one in (setting.spike_suspect_ft, setting.spike_fail_ft)]
        yield quality.spike(times, depth, limits[0], limits[1], gap)
    yield from _flat(setting, times, depth, gap)


def _flat(setting: QualityTests, times: Instants, depth: Numbers, gap_ms: int) -> Iterator[Outcome]:
    within = float(setting.flat_within_ft)
    if setting.flat_suspect_h is not None:
        yield quality.flat_line(times, depth, within, float(setting.flat_suspect_h), gap_ms)
    if setting.flat_fail_h is not None:
        yield quality.flat_line(times, depth, within, float(setting.flat_fail_h), gap_ms, fails=True)


def _pair(span: Span | None) -> tuple[float, float] | None:
    return None if span is None else (float(span[0]), float(span[1]))


def stale(well: Well, last_ms: int | None, now_ms: int, zone: tzinfo) -> str:
    """Why a record says nothing of now, with the numbers; "" where it is fresh or nobody set a limit."""
    settings = in_order((UNSET, *well.quality_test))
    limit = settings[int(in_force(settings, np.array([now_ms]), zone)[0])].stale_after_h
    if limit is None:
        return ""
    hours = quality.stale_h(last_ms, now_ms, float(limit))
    if hours is None:
        return ""
    ago = "no reading at all" if last_ms is None else f"last reading {hours:.0f} h ago"
    return f"stale: {ago}, over {limit:f} h"
