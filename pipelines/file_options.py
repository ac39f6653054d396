"""Options of commands that read files: what a person says about a file that may not say it itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ingest.headings import parameter_of
from ingest.reading import DATE_ORDERS, DateOrder, Told
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


def told_options(command: F) -> F:
    """``--date-order --station --parameter --unit``, for plain tables."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def told(date_order: DateOrder | None, station: str, parameter: str, unit: str) -> Told:
    """What was said, checked.

    Raises
    ------
    BadQuestion : an unknown parameter.
    BadUnit : an unknown unit.
    """
    if parameter and parameter_of(parameter) not in parameters():
        raise BadQuestion("unknown parameter", key="--parameter", found=parameter)
    return Told(date_order, station, parameter, unit_id(unit) if unit else "")
