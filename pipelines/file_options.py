"""Options of commands that read files: what a person says about a file that may not say it itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ingest.headings import parameter_of
from ingest.laboratory.mapped import EXAMPLE
from ingest.reading import DATE_ORDERS, DECIMAL_MARKS, DateOrder, DecimalMark, Told
from models.errors import BadQuestion
from models.parameters import parameters
from models.units import unit_id

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--date-order", type=click.Choice(DATE_ORDERS), help="Order of dates like 05/02/2024, where they do not tell."
    ),
    click.option("--station", default="", help="Whose values they are, where the file names no station."),
    click.option("--parameter", default="", help="What is measured, where the file does not say: stage, 00065."),
    click.option("--unit", default="", help="In which unit, where the file does not say: ft, m3/s."),
)
_TABLE_OPTIONS = (
    click.option(
        "--decimal", type=click.Choice(DECIMAL_MARKS), help="What 1,234 means, where the numbers do not tell."
    ),
    click.option(
        "--map",
        "map_file",
        type=click.Path(path_type=Path),
        help=f"Read a table of results by a TOML file of its columns, heading = field, each on a line: {EXAMPLE}.",
    ),
)

_GATE_OPTIONS = (
    click.option("--gate", is_flag=True, help="Say whether a laboratory's deliverable would be taken, rule by rule."),
    click.option(
        "--site", "site_dir", type=click.Path(path_type=Path, file_okay=False, exists=True),
        help="With --gate: hold it against the stations and calendars of this site too.",
    ),
)  # fmt: skip


def told_options(command: F) -> F:
    """``--date-order --station --parameter --unit``, for plain tables."""
    return _with(command, _OPTIONS)


def table_options(command: F) -> F:
    """``--decimal --map``, for tables of any country and of any laboratory."""
    return _with(command, _TABLE_OPTIONS)


def gate_options(command: F) -> F:
    """``--gate --site``, for a laboratory before it submits."""
    return _with(command, _GATE_OPTIONS)


def _with(command: F, options: tuple[Callable[[F], F], ...]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def told(
    date_order: DateOrder | None, station: str, parameter: str, unit: str, decimal: DecimalMark | None = None
) -> Told:  # fmt: skip
    """What was said, checked.

    Raises
    ------
    BadQuestion : an unknown parameter.
    BadUnit : an unknown unit.
    """
    if parameter and parameter_of(parameter) not in parameters():
        raise BadQuestion("unknown parameter", key="--parameter", found=parameter)
    return Told(date_order, station, parameter, unit_id(unit) if unit else "", decimal)
