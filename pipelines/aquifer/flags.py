"""The flags of a question to an analytic model: one per parameter of the table, and when it pumps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.catalogue import PARAMETERS, Model, Parameter
from models.aquifer.one_well import Pumping
from models.errors import BadQuestion
from models.quantity import TIME, Quantity, read_quantity
from models.scenario.noun import day_number
from pipelines.aquifer.scenario_file import read_rates, steps_of

F = TypeVar("F", bound=Callable[..., Any])
DAY = click.DateTime(["%Y-%m-%d"])
MOST_TIMES = 5000

_WHEN = (
    click.option("--pumped", help="How long it pumps before it rests for good: --pumped '30 d'."),
    click.option("--rates", type=click.Path(path_type=Path, dir_okay=False), help="Rates by day or date (csv)."),
    click.option("--begins", type=DAY, help="The day pumping begins, at 00:00; then dates may be asked for."),
    click.option("--stops", type=DAY, help="What if all pumping stops on this day: recovery."),
    click.option("--on", "on", help="Days asked for, at 00:00, several with commas."),
    click.option("--from", "first", type=DAY, help="First day of a table of days."),
    click.option("--to", "last", type=DAY, help="Last day of it."),
    click.option("--every", type=click.IntRange(1), default=1, show_default=True, help="Days between its rows."),
    click.option("--recovered", help="What counts as recovered, beside 10 % of the peak [0.1 ft, 0.01 cfs]."),
    click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="Write a figure to this HTML file."),
)  # fmt: skip


def model_options(models: Mapping[str, Model]) -> Callable[[F], F]:
    """``--model`` and one flag for every parameter of any model."""

    def add(command: F) -> F:
        for one in reversed(PARAMETERS.values()):
            command = click.option(f"--{one.name}", f"flag_{one.name}", help=_help(one, models))(command)
        return click.option("--model", "model_name", help=f"One of {', '.join(models)}.")(command)

    return add


def when_options(command: F) -> F:
    """``--pumped --rates --begins --stops --on --from --to --every --recovered --page``."""
    for option in reversed(_WHEN):
        command = option(command)
    return command


def flags_given(options: Mapping[str, Any]) -> dict[str, str]:
    """The model's flags that were given, by parameter."""
    return {name: str(options[f"flag_{name}"]) for name in PARAMETERS if options[f"flag_{name}"] is not None}


def quantities_given(given: Mapping[str, str]) -> dict[str, Quantity]:
    """The flags as quantities; ``t`` is read by `times_asked`.

    Raises
    ------
    BadQuestion : names the flag, what was found and what is allowed.
    """
    return {name: _quantity(PARAMETERS[name], text) for name, text in given.items() if name != "t"}


def _quantity(parameter: Parameter, text: str) -> Quantity:
    try:
        found = read_quantity(text, parameter.kind)
    except BadQuestion as caught:
        raise caught.at(key=f"--{parameter.name}") from None
    if parameter.no_zero and found.low == 0:
        above = replace(parameter.kind, closed=False).allowed
        raise BadQuestion(parameter.no_zero, key=f"--{parameter.name}", found=text, allowed=[above])
    return found


def _help(parameter: Parameter, models: Mapping[str, Model]) -> str:
    users = [one.name for one in models.values() if parameter.name in one.parameters]
    whose = "all models" if len(users) == len(models) else ", ".join(users) or "no model here"
    return f"{parameter.meaning} ({whose})."


@dataclass(frozen=True)
class Times:
    """When the answer is wanted: days since the start, and the dates or the texts they were asked by."""

    days: Numbers
    labels: tuple[str, ...]
    dated: bool
    unit: str = "d"


def times_asked(given: Mapping[str, str], options: Mapping[str, Any]) -> Times:
    """The times of ``--t``, ``--on``, or ``--from`` and ``--to``, since the start.

    Raises
    ------
    BadQuestion : none of them or several, dates without ``--begins``, or a time before pumping.
    """
    by_date = [name for name in ("on", "first", "last") if options[name] is not None]
    if "t" in given and by_date:
        raise BadQuestion("give --t, or dates", key="--t")
    if by_date:
        return _dated(options)
    if "t" not in given:
        raise BadQuestion("say when", key="--t", allowed=["--t '120 d'", "--begins with --on, or with --from and --to"])
    return _elapsed(given["t"])


def _elapsed(text: str) -> Times:
    found = [_time(part) for part in text.split(",")]
    if any(one.ranged for one in found):
        raise BadQuestion("a time has no range; several stand with commas", key="--t", found=text)
    days = np.array([one.value for one in found])
    if len(days) > MOST_TIMES:
        raise BadQuestion("too many times", key="--t", found=len(days), allowed=[f"at most {MOST_TIMES}"])
    return Times(days, tuple(one.text.strip() for one in found), dated=False, unit=found[-1].given_unit)


def _time(text: str) -> Quantity:
    try:
        return read_quantity(text, TIME)
    except BadQuestion as caught:
        raise caught.at(key="--t") from None


def _dated(options: Mapping[str, Any]) -> Times:
    if options["begins"] is None:
        raise BadQuestion("dates need the day pumping begins", key="--begins", allowed=["2025-06-01"])
    days = days_asked(options)
    began = options["begins"].date()
    refuse_before(days, began)
    elapsed = np.array([day_number(day) - day_number(began) for day in days])
    return Times(elapsed, tuple(day.isoformat() for day in days), dated=True)


def refuse_before(days: list[date], began: date | datetime) -> None:
    """Refuse days before any pumping."""
    early = [day for day in days if day_number(day) < day_number(began)]
    if early:
        raise BadQuestion("before pumping began", key="--on", found=str(early[0]), allowed=[f"from {began} on"])


def days_asked(options: Mapping[str, Any]) -> list[date]:
    """The days of ``--on``, or of ``--from``, ``--to`` and ``--every``.

    Raises
    ------
    BadQuestion : both, neither, or half of them; not days; too many.
    """
    if options["on"] is not None:
        if options["first"] or options["last"]:
            raise BadQuestion("give --on, or --from and --to", key="--on")
        return [_day(part) for part in options["on"].split(",")]
    if options["first"] is None or options["last"] is None:
        raise BadQuestion("say which days", key="--on", allowed=["--on 2025-09-01", "--from and --to"])
    first, last = options["first"].date(), options["last"].date()
    if last < first:
        raise BadQuestion(
            "the last day lies before the first", key="--to", found=str(last), allowed=[f"from {first} on"]
        )
    count = (last - first).days // options["every"] + 1
    if count > MOST_TIMES:
        raise BadQuestion("too many days", key="--every", found=count, allowed=[f"at most {MOST_TIMES} rows"])
    return [first + timedelta(days=k * options["every"]) for k in range(count)]


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise BadQuestion("not a day", key="--on", found=text.strip(), allowed=["YYYY-MM-DD"]) from None


def pumping_asked(options: Mapping[str, Any]) -> Pumping:
    """How the well pumps, from ``--pumped``, ``--stops`` or ``--rates``.

    Raises
    ------
    BadQuestion, BadFile : several of them, or one that cannot be read.
    """
    given = [name for name in ("pumped", "stops", "rates") if options[name] is not None]
    if len(given) > 1:
        raise BadQuestion("give one of --pumped, --stops and --rates", key=f"--{given[-1]}")
    if options["rates"] is not None:
        return _tabled(options["rates"], options["begins"])
    return Pumping(_pumped_d(options))


def _pumped_d(options: Mapping[str, Any]) -> float | None:
    if options["pumped"] is not None:
        pumped = read_quantity(options["pumped"], replace(TIME, name="length of pumping", closed=False))
        return pumped.value
    if options["stops"] is None:
        return None
    if options["begins"] is None:
        raise BadQuestion("a day needs the day pumping begins", key="--begins", allowed=["2025-06-01"])
    pumped_d = day_number(options["stops"]) - day_number(options["begins"])
    if pumped_d <= 0:
        began = options["begins"].date()
        raise BadQuestion("nothing has been pumped by then", key="--stops", found=str(options["stops"].date()),
                          allowed=[f"after {began}"])  # fmt: skip
    return pumped_d


def _tabled(path: Path, begins: datetime | None) -> Pumping:
    steps = list(steps_of(read_rates(path), path.name))
    if any(not isinstance(since, Decimal) for since, _ in steps) and begins is None:
        raise BadQuestion("a table of dates needs the day that counts as 0", key="--begins", allowed=["2025-06-01"])
    zero = 0.0 if begins is None else day_number(begins)
    days = [float(since) if isinstance(since, Decimal) else day_number(since) - zero for since, _ in steps]
    if days[0] < 0:
        raise BadQuestion("a rate before pumping began", key="--rates", found=days[0], allowed=["from day 0 on"])
    if ranged := [rate.text for _, rate in steps if rate.ranged]:
        raise BadQuestion("a rate of a table has no range", key="--rates", found=ranged[0], allowed=["one number"])
    return Pumping(None, tuple(days), tuple(rate.value for _, rate in steps))
