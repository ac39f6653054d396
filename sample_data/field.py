"""What people bring in from the field: logger downloads, hand levels, meter readings, the owner's log."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import cache

import makers
import numpy as np
import scenario
from climate import calendar
from draws import Draws, Numbers
from scenario import WellSpec
from world import PUMPING, World

FT_OF_WATER_PER_PSI = 2.306659
DOWNLOADS = tuple(
    date(*day)
    for day in (
        (2024, 4, 30), (2024, 7, 30), (2024, 10, 29), (2025, 1, 28), (2025, 4, 29), (2025, 7, 29), (2025, 10, 28),
        (2025, 12, 29),
    )
)  # fmt: skip
ROUNDS = tuple(
    date(*day)
    for day in (
        (2024, 1, 30), (2024, 2, 27), (2024, 3, 26), (2024, 4, 30), (2024, 5, 28), (2024, 6, 25), (2024, 7, 30),
        (2024, 8, 27), (2024, 9, 24), (2024, 10, 29), (2024, 11, 26), (2024, 12, 30), (2025, 1, 28), (2025, 2, 25),
        (2025, 3, 25), (2025, 4, 29), (2025, 5, 27), (2025, 6, 24), (2025, 7, 29), (2025, 8, 26), (2025, 9, 23),
        (2025, 10, 28), (2025, 11, 25), (2025, 12, 29),
    )
)  # fmt: skip
DRY_VISIT = date(2025, 8, 10)
GARBLED_LEVEL = ("MW-4", date(2025, 9, 23), "12.o4")
FROM_LAND = ("MW-3", date(2024, 5, 28))
OBSTRUCTED = ("PVT-3", date(2024, 3, 26))
WHILE_PUMPING = ("PVT-2", date(2025, 2, 25))
METER_FIRST = date(2025, 3, 14)
METER_START = 41_200
SUMMER = (date(2024, 3, 10), date(2024, 11, 3)), (date(2025, 3, 9), date(2025, 11, 2))
HAND_HEADER = "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment"
METER_HEADER = "meter,read_date,read_time,timezone,reading,unit,event,comment"
LOG_HEADER = "well,date,time,timezone,event,comment"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
VOLUME_HEADER = ",".join(["site_no", "year", *(f"{m}_wdrl_total_gallons" for m in MONTHS), "annual_wdrl_total_gallons"])


def delivered(night: date, before: date | None, day: date) -> bool:
    """Whether something of a day comes with this delivery: after the night before, up to the day before the night."""
    return (before is None or day >= before) and day < night


def zone(day: date) -> str:
    """CST or CDT in the daytime of a day."""
    return "CDT" if any(first <= day < last for first, last in SUMMER) else "CST"


def loggers(world: World, night: date, before: date | None) -> dict[str, str]:
    """The downloads a delivery brings: four Leveloggers, one Barologger, one HOBO."""
    out: dict[str, str] = {}
    previous = datetime(2024, 1, 1)  # noqa: DTZ001  the logger's own clock, UTC-06:00 all year
    for day in DOWNLOADS:
        read_at = datetime(day.year, day.month, day.day, 9, 20)  # noqa: DTZ001
        if delivered(night, before, day):
            out |= _download(world, previous, read_at)
        previous = datetime(day.year, day.month, day.day, 12)  # noqa: DTZ001
    return out


def _download(world: World, first: datetime, read_at: datetime) -> dict[str, str]:
    steps = int((read_at - first) / timedelta(hours=6))
    times = [first + timedelta(hours=6 * i) for i in range(steps + 1)]
    out = {f"BARO-1_{read_at:%Y-%m-%d}.xle": _barologger(world, times, read_at)}
    for well in scenario.WELLS:
        if well.id == "MW-5":
            out[f"MW-5_{read_at:%Y-%m-%d}.csv"] = _hobo(world, well, times, read_at)
        elif well.serial:
            out[f"{well.id}_{read_at:%Y-%m-%d}.xle"] = _levelogger(world, well, times, read_at)
    return out


def air_psi(world: World, at: datetime) -> float:
    """Air pressure as the Barologger stores it [psi]."""
    return round(float(world.air_psi[_quarter(at)]), 4)


def column_ft(world: World, well: WellSpec, at: datetime) -> float:
    """Water above the sensor [ft], from the daily heads (middle of the day)."""
    day = (at - datetime(2005, 1, 1)) / timedelta(days=1) - 0.5  # noqa: DTZ001
    low = int(day)
    head = world.head_ft(well.id)
    level = head[low] + (day - low) * (head[min(low + 1, len(head) - 1)] - head[low])
    return float(level) - (well.mp_ft - well.hung_ft) + 0.004 * float(_noise(50_000, well.id)[_quarter(at)])


@cache
def _noise(stream: int, well: str) -> Numbers:
    ids = [one.id for one in scenario.WELLS]
    return Draws(scenario.SEED, stream + ids.index(well)).normal(31_000)


def _quarter(at: datetime) -> int:
    return (at - datetime(2005, 1, 1)) // timedelta(hours=6)  # noqa: DTZ001


def _water_c(at: datetime) -> float:
    return 8.9 + 0.55 * float(np.sin((at.timetuple().tm_yday - 170) * 2 * np.pi / 365.25))


def _levelogger(world: World, well: WellSpec, times: list[datetime], read_at: datetime) -> str:
    logs = [
        (
            at,
            makers.fixed(column_ft(world, well, at) + air_psi(world, at) * FT_OF_WATER_PER_PSI, 4),
            makers.fixed(_water_c(at), 3),
        )
        for at in times
    ]
    return makers.xle(well.id, "M10", well.serial, (("LEVEL", "ft"), ("TEMPERATURE", "°C")), logs, read_at)


def _barologger(world: World, times: list[datetime], read_at: datetime) -> str:
    logs = [(at, makers.fixed(air_psi(world, at), 4), makers.fixed(_air_c(world, at), 3)) for at in times]
    channels = (("BaroPressure", "psi"), ("TEMPERATURE", "°C"))
    return makers.xle("BARO-1", "Barologger", scenario.BARO_SERIAL, channels, logs, read_at)


def _air_c(world: World, at: datetime) -> float:
    i = world.row(at.date())
    low, high = float(world.climate.low_f[i]), float(world.climate.high_f[i])
    share = {0: 0.25, 6: 0.05, 12: 0.85, 18: 0.70}[at.hour]
    return (low + share * (high - low) - 32.0) / 1.8


def _hobo(world: World, well: WellSpec, times: list[datetime], read_at: datetime) -> str:
    logs = [
        (
            at,
            makers.fixed(column_ft(world, well, at) / FT_OF_WATER_PER_PSI + air_psi(world, at), 4),
            makers.fixed(_water_c(at) * 1.8 + 32.0, 2),
        )
        for at in times
    ]
    return makers.hobo(well.id, well.serial, logs, read_at)


def hand_levels(world: World, night: date, before: date | None) -> list[tuple[object, ...]]:
    """The monthly tape readings a delivery brings, and the one at the dry sand point."""
    rows = [
        _reading(world, well, day, i)
        for day in ROUNDS
        if delivered(night, before, day)
        for i, well in enumerate(scenario.WELLS)
    ]
    if delivered(night, before, DRY_VISIT):
        note = "dry to the bottom of the point; owner present"
        rows.append(("PVT-1", DRY_VISIT, "13:40", "CDT", "", "MP", "DRY", "town hydrologist", note))
    return rows


def is_dry(world: World, well: WellSpec, day: date) -> bool:
    """Whether the water stands below the bottom of the well."""
    return float(world.head_ft(well.id)[world.row(day)]) < well.land_ft - well.depth_ft


def _reading(world: World, well: WellSpec, day: date, i: int) -> tuple[object, ...]:
    at = f"{9 + (25 * i) // 60:02d}:{(25 * i) % 60:02d}"
    who = ("town hydrologist", "field technician")[day.month % 2]
    head = float(world.head_ft(well.id)[world.row(day)])
    depth = well.mp_ft - head + 0.008 * float(_noise(60_000, well.id)[world.row(day)])
    reference, status, note = "MP", "", ""
    if (well.id, day) == FROM_LAND:
        depth, reference, note = depth - well.stickup_ft, "LS", "tape held at the ground, cap frozen shut"
    if (well.id, day) == WHILE_PUMPING:
        depth, status, note = depth + 6.2, "PUMPING", "house pump running"
    text = makers.fixed(depth, 2)
    if (well.id, day) == OBSTRUCTED:
        text, status, note = "", "OBSTRUCTED", "well cap could not be opened"
    if is_dry(world, well, day):
        text, status, note = "", "DRY", "no water at the bottom of the point"
    if (well.id, day) == GARBLED_LEVEL[:2]:
        text = GARBLED_LEVEL[2]
    return well.id, day, at, zone(day), text, reference, status, who, note


def meter(world: World, night: date, before: date | None) -> list[tuple[object, ...]]:
    """Totalizer readings, Mondays and the first of a month at 06:00, before the day's pumping starts."""
    days = [METER_FIRST, *(d for d in calendar(PUMPING[0], scenario.LAST_DAY) if d.weekday() == 0 or d.day == 1)]
    rows: list[tuple[object, ...]] = []
    for day in days:
        if delivered(night, before, day):
            note = "meter installed" if day == METER_FIRST else ""
            rows.append(("PW-1-M1", day, "06:00", zone(day), _register(world, day), "gal", "", note))
    return rows


def _register(world: World, day: date) -> int:
    return METER_START + int(world.pumped_gal[: world.row(day)].sum())


def volumes(world: World, year: int) -> list[object]:
    """One year's monthly volumes as reported to the state."""
    by_month = [0] * 12
    for day, gallons in zip(world.climate.days, world.pumped_gal, strict=True):
        if day.year == year:
            by_month[day.month - 1] += int(gallons)
    return ["79999", year, *by_month, sum(by_month)]


def restored(world: World) -> date:
    """The first day after pumping with a hand's breadth of water above the bottom of the sand point."""
    well = next(one for one in scenario.WELLS if one.id == "PVT-1")
    bottom = well.land_ft - well.depth_ft
    days = calendar(PUMPING[1], scenario.LAST_DAY)
    return next(day for day in days if float(world.head_ft("PVT-1")[world.row(day)]) > bottom + 0.35)


def owner_log(world: World, night: date, before: date | None) -> list[tuple[object, ...]]:
    """The household's own log of its supply."""
    rows = [
        ("PVT-1", date(2025, 8, 5), "18:30", "CDT", "low pressure", "shower weak in the evening"),
        ("PVT-1", date(2025, 8, 8), "07:10", "CDT", "air in line", "kitchen tap spits"),
        ("PVT-1", date(2025, 8, 9), "06:45", "CDT", "no water", "pump runs, nothing comes"),
        ("PVT-1", restored(world), "17:00", "CST", "water restored", "pump holds its prime again"),
    ]
    return [row for row in rows if delivered(night, before, row[1])]
