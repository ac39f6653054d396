"""Rain, temperature and recharge of the made-up county, 2005 to 2025; scripted where the story needs it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from draws import Draws, Numbers

FREEZING_F = 29.0
MELT_IN_PER_DEGREE_DAY = 0.05


@dataclass(frozen=True)
class Climate:
    """Daily series over ``days``: rain [in], extremes [degF], liquid water at the ground and recharge [in]."""

    days: list[date]
    rain_in: Numbers
    high_f: Numbers
    low_f: Numbers
    water_in: Numbers
    recharge_in: Numbers


def calendar(first: date, last: date) -> list[date]:
    """Every day from first to last."""
    return [first + timedelta(days=i) for i in range((last - first).days + 1)]


def random_rain(days: list[date], draws: Draws) -> Numbers:
    """Wet and dry days as a two-state chain, amounts exponential with a summer peak, to 0.01 in."""
    season = _season(days)
    wet_draw, depth_draw = draws.uniform(len(days)), draws.uniform(len(days))
    mean_in = 0.245 + 0.105 * season
    rain, wet = np.zeros(len(days)), False
    for i in range(len(days)):
        wet = bool(wet_draw[i] < (0.42 if wet else 0.26))
        if wet:
            rain[i] = max(0.01, round(-mean_in[i] * float(np.log(depth_draw[i])), 2))
    return rain


def build(days: list[date], draws: Draws, script: dict[date, float], windows: list[tuple[date, date]]) -> Climate:
    """The climate, with the rain of the scripted windows taken from the script alone."""
    rain = random_rain(days, draws)
    mean_f = 45.5 + 24.0 * _season(days) + 7.0 * draws.wander(len(days), 0.7)
    swing = 9.0 + 2.5 * np.abs(draws.normal(len(days)))
    for i, day in enumerate(days):
        if any(first <= day <= last for first, last in windows):
            rain[i] = script.get(day, 0.0)
    water = _melted(rain, mean_f)
    share = 0.28 - 0.17 * _season(days)
    return Climate(days, rain, np.round(mean_f + swing), np.round(mean_f - swing), water, water * share)


def _season(days: list[date]) -> Numbers:
    """+1 in mid July, -1 in mid January."""
    angle = np.array([(day.timetuple().tm_yday - 196) * 2 * np.pi / 365.25 for day in days])
    return np.cos(angle)


def _melted(rain: Numbers, mean_f: Numbers) -> Numbers:
    """Liquid water at the ground: snow waits for warm days."""
    out, pack = np.zeros(len(rain)), 0.0
    for i in range(len(rain)):
        if mean_f[i] < FREEZING_F:
            pack += rain[i]
            continue
        melt = min(pack, MELT_IN_PER_DEGREE_DAY * (mean_f[i] - FREEZING_F))
        pack -= melt
        out[i] = rain[i] + melt
    return out
