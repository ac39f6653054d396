"""The page of a drawdown or depletion: curves drawn through time, not only at the times asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import numpy as np

from models.aquifer.band import band
from models.errors import BadQuestion
from models.scenario.noun import EPOCH
from pipelines.aquifer.asked_scenario import Answer, Asked
from pipelines.aquifer.one_well import OneWell
from pipelines.flow_options import write_page
from reports.aquifer.drawdown_page import Curve, curves_page
from reports.aquifer.told import Data, grounds

POINTS = 300


def one_well_page(options: Mapping[str, Any], asked: OneWell, data: Data) -> str:
    """Write the page of one well; what was written, in a line."""
    stop, last = asked.pumping.stop_d, float(asked.times.days.max())
    days = np.linspace(0, _end(last, stop), POINTS + 1)[1:]
    at: Sequence[float] | Sequence[str] = days.tolist()
    stopped: float | str | None = stop
    if options["begins"] is not None:
        at = [_moment(options["begins"], day) for day in days.tolist()]
        stopped = None if stop is None else _moment(options["begins"], stop)
    curve = Curve(data["title"], at, band(asked.curve, asked.ranges, days), stopped)
    title = f"{asked.shown.what.capitalize()} by {data['title']}"
    return write_page(options["page"], curves_page(title, [curve], [data], asked.shown, list(grounds(data))))


def scenario_page(
    options: Mapping[str, Any], asked: Asked, answers: Sequence[Answer], data: Data, named: Sequence[str] = ()
) -> str:
    """Write the page of a scenario: one figure per place or stream; what was written, in a line.

    A private well has a figure only where it was asked for by name: a page is soon passed on.

    Raises
    ------
    BadQuestion : only private wells, none of them named.
    """
    private = {one.id for one in asked.scenario.point if one.kind == "private"} - set(named)
    shown = [one for one in answers if one.id not in private]
    if not shown:
        raise BadQuestion("only private wells, which have a figure only by name", key="--page", allowed=["--at WELL"])
    notes = [f"{len(answers) - len(shown)} private wells are not on this page"] if len(shown) < len(answers) else []
    last, stop = float(asked.numbers.max()), asked.stops
    stop_d = None if stop is None else float((stop - EPOCH.date()).days)
    days = np.linspace(
        asked.began, asked.began + _end(last - asked.began, None if stop_d is None else stop_d - asked.began), POINTS
    )
    at = [_moment(EPOCH, day) for day in days.tolist()]
    curves = [
        Curve(
            ", ".join(filter(None, (one.id, one.name))),
            at,
            band(one.curve, asked.ranges, days),
            None if stop is None else stop.isoformat(),
        )
        for one in shown
    ]
    title = f"{asked.shown.what.capitalize()}, {asked.scenario.name or 'scenario'}, pumping {asked.scenario.kind}"
    return write_page(
        options["page"], curves_page(title, curves, [one.data for one in shown], asked.shown, [*grounds(data), *notes])
    )


def _end(last: float, stop: float | None) -> float:
    """Draw to the last time asked for, and as long again after a stop as it pumped."""
    return max(last, 1e-6) if stop is None else max(last, 2 * stop)


def _moment(zero: Any, days: float) -> str:
    return str((zero + timedelta(days=days)).isoformat(timespec="minutes"))
