"""Daily precipitation of one rain gauge: each civil day once, however many makers' files told of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pandas as pd

from models.question import Question

PRECIPITATION = "precipitation"
HOURS = 24


def precipitation_days(question: Question) -> dict[date, float]:
    """Known days of the rain gauge that knows most days before mining, the first of the file where several do [in].

    The same gauge before mining and since: two gauges differ by more than weather does. A daily total speaks before
    hourly ones; two totals of a day that differ leave it unknown; a day of hourly sums needs the policy's coverage.
    """
    known = [_of_gauge(question, one.id) for one in question.site.rain_gauge]
    return max(known, key=lambda days: sum(day < question.began for day in days), default={})


def _of_gauge(question: Question, station: str) -> dict[date, float]:
    rows = question.observations.rows([station], [PRECIPITATION], None, question.on)
    sums = rows[(rows["statistic"] == "sum") & rows["value"].notna()]
    daily = sums["clock"] == "day"
    least = float(question.policy.day_minimum_coverage.value) * HOURS
    return _agreed([_hourly(part, least) for _, part in sums[~daily].groupby("series", sort=True)]) | _agreed(
        [_once(part) for _, part in sums[daily].groupby("series", sort=True)]
    )


def _once(rows: pd.DataFrame) -> dict[date, float]:
    last = rows.drop_duplicates("day", keep="last")
    return dict(zip(last["day"], last["value"].astype(float), strict=True))


def _hourly(rows: pd.DataFrame, least: float) -> dict[date, float]:
    each = rows.drop_duplicates("time_ms").groupby("day", sort=True)["value"].agg(["sum", "size"])
    whole = each[each["size"] >= least]
    return dict(zip(whole.index, whole["sum"].astype(float), strict=True))


def _agreed(series: Sequence[dict[date, float]]) -> dict[date, float]:
    """Days on which every series that knows them says the same."""
    found: dict[date, float] = {}
    differ: set[date] = set()
    for one in series:
        differ |= {day for day, inches in one.items() if found.get(day, inches) != inches}
        found = {**one, **found}
    return {day: inches for day, inches in found.items() if day not in differ}
