"""Recharge by period from the site's own record of precipitation."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np

from models.checks.precipitation_days import precipitation_days
from models.errors import BadQuestion
from models.modflow.build import Choices, instants_of
from models.modflow.recharge import Precipitation, recharge_of
from models.question import Changed, Question
from models.scenario.noun import Scenario, civil_day, day_number
from models.units import factor
from pipelines.database import reading
from pipelines.recall import Recall
from pipelines.terminal import site_store

INCH_M = float(factor("in", "m"))
STATION = "the site's rain gauge"


def with_recharge(scenario: Scenario, choices: Choices, site: Path | None) -> tuple[Choices, tuple[str, ...]]:
    """Choices with recharge's departure from its mean by period, and what was taken for granted.

    Parameters
    ----------
    site : whose precipitation; None for a scenario file, which has none.
    """
    edges = instants_of(scenario, choices)
    record = None if site is None or scenario.recharge is None else _record(site, civil_day(choices.ends))
    try:
        recharge, said = recharge_of(scenario, edges, record)
    except BadQuestion as caught:
        return choices, (f"recharge stays at its mean: {caught}",)
    return replace(choices, recharge=recharge), said


def _record(site: Path, on: date) -> Precipitation | None:
    with site_store(site) as (folder, engine), reading(engine) as connection:
        recall = Recall(connection, ZoneInfo(folder.law.zone), None)
        moment = datetime(on.year, on.month, on.day, tzinfo=UTC)
        days = precipitation_days(Question(folder.site, folder.law, folder.policy, recall, on, moment, Changed()))
    told = sorted(days.items())
    if not told:
        return None
    amounts = np.array([inches * INCH_M for _, inches in told])
    return Precipitation(np.array([day_number(day) for day, _ in told]), amounts, STATION)
