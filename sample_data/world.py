"""What really happened: pumping, flow and heads, with and without the mine."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import climate
import hydrology
import numpy as np
import scenario
from draws import Draws, Numbers

GALLONS_PER_FT3 = 1728.0 / 231.0
PUMPING = (date(2025, 3, 15), date(2025, 11, 21))
FULL_SEASON = date(2025, 4, 1)
IDLE_DAYS = {date(2025, 5, 26), date(2025, 7, 4), date(2025, 9, 1)}
WEEKDAY_GAL = (920_000.0, 940_000.0, 940_000.0, 940_000.0, 920_000.0, 610_000.0, 150_000.0)


@dataclass(frozen=True)
class World:
    """The truth by day; ``depletion`` and the drawdowns come from the same daily pumping."""

    climate: climate.Climate
    pumped_gal: Numbers
    natural_cfs: Numbers
    depletion_cfs: Numbers
    reference_cfs: Numbers
    state: Numbers
    natural_ft: dict[str, Numbers]
    drawdown_ft: dict[str, Numbers]
    index_depth_ft: Numbers
    air_psi: Numbers

    @property
    def with_mine_cfs(self) -> Numbers:
        """Flow past the gauge."""
        return self.natural_cfs - self.depletion_cfs

    def row(self, day: date) -> int:
        """Index of a day."""
        return (day - scenario.FIRST_DAY).days

    def head_ft(self, well: str) -> Numbers:
        """Head with the mine."""
        return self.natural_ft[well] - self.drawdown_ft[well]


def build() -> World:
    """The whole world from the seed and the script."""
    days = climate.calendar(scenario.FIRST_DAY, scenario.LAST_DAY)
    n = len(days)
    weather = climate.build(days, Draws(scenario.SEED, 1), scenario.SCRIPT, scenario.SCRIPT_WINDOWS)
    flow, ground = hydrology.natural_flow(scenario.LOST_MITTEN, weather.water_in, weather.recharge_in)
    state = _water_table(ground)
    pumped = pumping(days, Draws(scenario.SEED, 3))
    rate_ft3_per_d = pumped / GALLONS_PER_FT3
    return World(
        climate=weather,
        pumped_gal=pumped,
        natural_cfs=np.round(flow * np.exp(0.004 * Draws(scenario.SEED, 4).wander(n, 0.6)), 4),
        depletion_cfs=_depletion(rate_ft3_per_d),
        reference_cfs=_reference(weather, Draws(scenario.SEED, 5), Draws(scenario.SEED, 8)),
        state=state,
        natural_ft={well.id: _natural_head(well, state, i) for i, well in enumerate(scenario.WELLS)},
        drawdown_ft={well.id: _drawdown(well, rate_ft3_per_d) for well in scenario.WELLS},
        index_depth_ft=31.40 - 1.9 * state + 0.02 * Draws(scenario.SEED, 6).wander(n, 0.9),
        air_psi=14.16 + 0.095 * Draws(scenario.SEED, 7).wander(4 * n + 4, 0.93),
    )


def _water_table(ground: Numbers) -> Numbers:
    """The standardised water table: it follows the groundwater flow some two weeks late."""
    late = hydrology.reservoir(ground, 0.93, float(ground[0]))
    before = late[: (scenario.MINING_BEGAN - scenario.FIRST_DAY).days]
    return (late - before.mean()) / before.std()


def pumping(days: list[date], draws: Draws) -> Numbers:
    """Gallons pumped per day, to 100: a ramp in March, then the wash plant, slow at weekends, idle on holidays."""
    shake = 1.0 + 0.06 * draws.wander(len(days), 0.5)
    out = np.zeros(len(days))
    for i, day in enumerate(days):
        if PUMPING[0] <= day <= PUMPING[1] and day not in IDLE_DAYS:
            ramp = 0.35 if day < FULL_SEASON else 1.0
            out[i] = np.round(WEEKDAY_GAL[day.weekday()] * ramp * shake[i], -2)
    return out


def _reference(weather: climate.Climate, storms: Draws, noise: Draws) -> Numbers:
    """The other creek: the same storms, each a little more or less."""
    n = len(weather.days)
    local = np.exp(0.18 * storms.normal(n))
    flow, _ = hydrology.natural_flow(scenario.FAR_MITTEN, weather.water_in * local, weather.recharge_in * local)
    return flow * np.exp(0.008 * noise.wander(n, 0.6))


def _depletion(rate_ft3_per_d: Numbers) -> Numbers:
    distance = scenario.CREEK_X - scenario.PUMPED[0]
    step = hydrology.hunt_depletion(scenario.TRUE_AQUIFER, distance, hydrology.mid_days(len(rate_ft3_per_d)))
    return np.round(hydrology.superpose(rate_ft3_per_d, step) / hydrology.SECONDS_PER_DAY, 4)


def _drawdown(well: scenario.WellSpec, rate_ft3_per_d: Numbers) -> Numbers:
    distance = scenario.CREEK_X - scenario.PUMPED[0]
    x, y = scenario.CREEK_X - well.true[0], well.true[1] - scenario.PUMPED[1]
    first = int(np.flatnonzero(rate_ft3_per_d)[0])
    days = hydrology.mid_days(len(rate_ft3_per_d) - first)
    step = hydrology.hunt_drawdown(scenario.TRUE_AQUIFER, distance, x, y, days)
    quiet = np.zeros(first)
    return np.round(np.concatenate([quiet, hydrology.superpose(rate_ft3_per_d[first:], step)]), 4)


def _natural_head(well: scenario.WellSpec, state: Numbers, i: int) -> Numbers:
    noise = 0.012 * Draws(scenario.SEED, 20 + i).wander(len(state), 0.8)
    return np.round(well.natural_ft + well.swing_ft * state + noise, 4)
