"""What the agencies deliver each night: daily and 15-minute flow, the index well, the rain gauge."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import makers
import numpy as np
import scenario
from climate import calendar
from draws import Draws, Numbers
from world import World

ZONE = ZoneInfo("America/Chicago")
APPROVED_THROUGH = date(2024, 12, 31)
REVIEWED = (date(2025, 4, 1), date(2025, 7, 31))
ESTIMATED = set(calendar(date(2024, 1, 15), date(2024, 1, 18))) | {date(2025, 1, 20), date(2025, 1, 24)}
FOULED_CFS = 0.11
GARBLED = ("2025-08-12", "2025-08-11 03:15", "4.x2")

CREEK = (scenario.CREEK_STATION, "LOST MITTEN CREEK AT PINE HOLLOW ROAD NEAR HOWARD, WI")
FAR = (scenario.FAR_STATION, "FAR MITTEN CREEK NEAR HOWARD, WI")
INDEX = (scenario.INDEX_STATION, "CP-30/10W/00-9999 CHIPPEWA COUNTY INDEX WELL")
RAIN = (scenario.RAIN_STATION, "HOWARD 2 NW, WI US", "45.05112", "-91.46093", "310.9")
DAILY_FLOW = ("00060_00003", "Discharge, cubic feet per second (Mean)")


class Gauges:
    """The published record of every gauge, and the slices a night brings."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.unit_approved = _unit_record(world)
        self.unit = {**self.unit_approved, scenario.REVISED_DAY: _unit_day(world, scenario.REVISED_DAY, FOULED_CFS)}

    def daily_text(self, day: date, approved: bool = False) -> str:
        """The published daily mean: of the 15-minute values where there are any."""
        values = (self.unit_approved if approved else self.unit).get(day)
        if values is None:
            return makers.flow_text(float(self.world.with_mine_cfs[self.world.row(day)]))
        return makers.flow_text(float(sum(Decimal(text) for _, _, text in values) / len(values)))

    def creek_rows(self, first: date, last: date, approved: bool = False) -> list[tuple[str, str, str]]:
        """Rows of the daily file of the creek; the lost day and the 25-hour day have none."""
        days = [day for day in calendar(first, last) if day not in {scenario.LOST_DAY, scenario.LONG_DAY}]
        return [(str(day), *self._creek_cell(day, approved)) for day in days]

    def _creek_cell(self, day: date, approved: bool) -> tuple[str, str]:
        code = "A" if approved or day <= APPROVED_THROUGH else "P"
        if day in scenario.ICE_DAYS:
            return "Ice", code
        if day == scenario.EQUIPMENT_DAY:
            return "Eqp", code
        return self.daily_text(day, approved), code + (":e" if day in ESTIMATED else "")

    def unit_rows(self, first: date, last: date, approved: bool = False) -> list[tuple[str, str, str, str]]:
        """Rows of the 15-minute file of the creek."""
        source, code = (self.unit_approved, "A") if approved else (self.unit, "P")
        days = [day for day in calendar(first, last) if day in source]
        return [(*row, code) for day in days for row in source[day]]

    def files(self, night: date, before: date | None) -> dict[str, str]:
        """The gauge files of one delivery, by name."""
        last = night - timedelta(days=1)
        out = {
            f"usgs-{CREEK[0]}-dv-{night}.rdb": makers.rdb(
                CREEK, ("301001", *DAILY_FLOW), night, self.creek_rows(_from(before, 4, scenario.GAUGE_FIRST), last)
            ),
            f"usgs-{FAR[0]}-dv-{night}.rdb": makers.rdb(
                FAR, ("302001", *DAILY_FLOW), night, self._far(_from(before, 4, scenario.FIRST_DAY), last)
            ),
            f"usgs-{INDEX[0]}-dv-{night}.rdb": makers.rdb(
                INDEX,
                ("303001", "72019_00003", "Depth to water level, feet below land surface (Mean)"),
                night,
                self._index(_from(before, 4, scenario.FIRST_DAY), last),
            ),
            f"noaa-{RAIN[0]}-{night}.csv": makers.noaa(RAIN, self._rain(_from(before, 3, scenario.FIRST_DAY), last)),
        }
        out |= self._unit_files(night, before)
        if night == scenario.REVISED_NIGHT:
            out |= self._reviewed(night)
        return out

    def _unit_files(self, night: date, before: date | None) -> dict[str, str]:
        first = max(_from(before, 2, scenario.UNIT_FIRST), scenario.UNIT_FIRST)
        rows = self.unit_rows(first, min(night - timedelta(days=1), scenario.UNIT_LAST))
        rows = [
            (at, zone, GARBLED[2] if (str(night), at) == GARBLED[:2] else text, code) for at, zone, text, code in rows
        ]
        return {f"usgs-{CREEK[0]}-uv-{night}.rdb": _unit_file(night, rows)} if rows else {}

    def _reviewed(self, night: date) -> dict[str, str]:
        day = scenario.REVISED_DAY
        return {
            f"usgs-{CREEK[0]}-dv-{night}-approved.rdb": makers.rdb(
                CREEK, ("301001", *DAILY_FLOW), night, self.creek_rows(*REVIEWED, approved=True)
            ),
            f"usgs-{CREEK[0]}-uv-{night}-approved.rdb": _unit_file(night, self.unit_rows(day, day, approved=True)),
        }

    def _far(self, first: date, last: date) -> list[tuple[str, str, str]]:
        flow = self.world.reference_cfs
        return [(str(day), self.far_text(day, flow), _approval(day)) for day in calendar(first, last)]

    def far_text(self, day: date, flow: Numbers) -> str:
        """The published flow of the reference creek."""
        return makers.flow_text(float(flow[self.world.row(day)]))

    def _index(self, first: date, last: date) -> list[tuple[str, str, str]]:
        depth = self.world.index_depth_ft
        days = calendar(first, last)
        return [(str(day), makers.fixed(float(depth[self.world.row(day)]), 2), _approval(day)) for day in days]

    def _rain(self, first: date, last: date) -> list[tuple[date, str, str, str]]:
        sky = self.world.climate
        rows = ((day, self.world.row(day)) for day in calendar(first, last))
        return [(day, f"{sky.rain_in[i]:g}", f"{sky.high_f[i]:.0f}", f"{sky.low_f[i]:.0f}") for day, i in rows]


def slots(day: date) -> list[datetime]:
    """The quarter hours of a civil day: 96, or 92 and 100 when the clocks change."""
    start = datetime.combine(day, time(), ZONE).astimezone(UTC)
    end = datetime.combine(day + timedelta(days=1), time(), ZONE).astimezone(UTC)
    return [(start + timedelta(minutes=15 * i)).astimezone(ZONE) for i in range((end - start) // timedelta(minutes=15))]


def _unit_record(world: World) -> dict[date, list[tuple[str, str, str]]]:
    days = calendar(scenario.UNIT_FIRST, scenario.UNIT_LAST)
    lost = {scenario.EQUIPMENT_DAY, scenario.LOST_DAY}
    return {day: _unit_day(world, day) for day in days if day not in lost}


def _unit_day(world: World, day: date, fouled: float = 0.0) -> list[tuple[str, str, str]]:
    """One day's 15-minute values: a line through the daily means, a diurnal swing, noise; the mean is the day's."""
    at = slots(day)
    hours = np.arange(len(at)) / len(at)
    i = world.row(day)
    mean = world.with_mine_cfs
    line = np.interp(hours, [-0.5, 0.5, 1.5], mean[i - 1 : i + 2])
    noise = 0.0015 * Draws(scenario.SEED, 1000 + i).normal(len(at))
    shape = line * (1.0 + 0.011 * np.cos(2 * np.pi * (hours - 0.3)) + noise)
    values = shape * (mean[i] / shape.mean()) - fouled
    return [
        (f"{t:%Y-%m-%d %H:%M}", str(t.tzname()), makers.flow_text(float(v))) for t, v in zip(at, values, strict=True)
    ]


def _unit_file(night: date, rows: list[tuple[str, str, str, str]]) -> str:
    return makers.rdb(CREEK, ("301002", "00060", "Discharge, cubic feet per second"), night, rows)


def _from(before: date | None, overlap: int, first: date) -> date:
    return first if before is None else before - timedelta(days=overlap)


def _approval(day: date) -> str:
    return "A" if day <= APPROVED_THROUGH else "P"
