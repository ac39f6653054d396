"""What the commands on one discharge record share: which record, over which days, and where its page goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np
import pandas as pd

from models.errors import BadQuestion
from models.streamflow.day_states import DailyFlow
from pipelines.daily_discharge import Asked
from pipelines.known_at import known_at_option
from pipelines.page_file import write_text
from pipelines.terminal import site_option
from reports.flow_page import FlowPage, flow_page

F = TypeVar("F", bound=Callable[..., Any])
DAY = click.DateTime(["%Y-%m-%d"])

_OPTIONS = (
    click.argument("source"),
    click.option("--station", default="", help="Which station, where a file holds several, or where it names none."),
    click.option("--series", default="", help="Which series of the station, where a file holds several."),
    click.option("--unit", default="", help="Unit of discharge, where a file does not say: cfs, m3/s."),
    click.option("--from", "first", type=DAY, help="First day to take."),
    click.option("--to", "last", type=DAY, help="Last day to take."),
    click.option("--zone", default="America/Chicago", show_default=True, help="Civil zone of the days of instants."),
    click.option("--format", "format_name", help="Do not detect the file's format by content."),
    click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="Write figures to this HTML file."),
    known_at_option,
    site_option,
)


def record_options(command: F) -> F:
    """``SOURCE --station --series --unit --from --to --zone --format --page --known-at --site``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def asked(source: str, options: Mapping[str, Any], **other: str) -> Asked:
    """The record the options ask for.

    Raises
    ------
    BadQuestion : the last day before the first.
    """
    first, last = _day(options["first"]), _day(options["last"])
    if first and last and last < first:
        raise BadQuestion("the last day lies before the first", key="--to", found=last, allowed=[f"from {first} on"])
    told = {name: options[name] for name in ("station", "series", "unit", "zone", "known_at", "site_dir")}
    return Asked(**{"source": source, "format": options["format_name"], "first": first, "last": last, **told, **other})


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


def frame_of(days: Sequence[DailyFlow], flow: Mapping[date, object]) -> pd.DataFrame:
    """The record as figures take it: columns ``day value approval qualifiers origin``.

    Parameters
    ----------
    flow : of the known days [cfs]; every other day has no value.
    """
    return pd.DataFrame(
        {
            "day": [one.day for one in days],
            "value": np.array([flow.get(one.day, np.nan) for one in days], np.float64),
            "approval": [one.approval.strip().upper() for one in days],
            "qualifiers": [" ".join(one.qualifiers) for one in days],
            "origin": [one.origin for one in days],
        }
    )


def write_page(path: Path, page: FlowPage) -> str:
    """Write the page, whole or not at all; what was written, in a line."""
    return write_text(path, flow_page(page))
