"""The options of a question to a scenario or a site: which one, at what pumping, where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from models.aquifer.catalogue import PARAMETERS
from models.errors import BadQuestion
from models.scenario.noun import KINDS, Scenario
from pipelines.aquifer.scenario_file import open_scenario
from pipelines.aquifer.scenario_of_site import scenario_of_site

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.argument("scenario_path", metavar="[SCENARIO.toml]", type=click.Path(path_type=Path, dir_okay=False),
                   required=False),
    click.option("--site", "site_dir", type=click.Path(path_type=Path, file_okay=False),
                 help="Ask a site: its aquifer, streams and metered wells."),
    click.option("--scenario", "kind", type=click.Choice(KINDS), default="metered", show_default=True,
                 help="As metered, or every well at its permitted rate in a dry year."),
    click.option("--permitted", multiple=True, metavar="WELL=RATE",
                 help="A permitted rate, where the site or scenario states none: --permitted 'PW-1=500 gpm'."),
    click.option("--known-at", help="Of a site: only what was known at this time."),
    click.option("--unit", help="Unit of the answer, where a scenario's own will not do: m, cfs."),
)  # fmt: skip


def scenario_options(command: F) -> F:
    """``SCENARIO.toml --site --scenario --permitted --known-at --unit``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def of_scenario(options: Mapping[str, Any]) -> bool:
    """Whether a scenario or a site is asked, and not the flags.

    Raises
    ------
    BadQuestion : both, or neither with no model named; options that belong to the other way of asking.
    """
    both = (("SCENARIO.toml", "scenario_path"), ("--site", "site_dir"))
    sources = [name for name, key in both if options[key] is not None]
    if len(sources) > 1:
        raise BadQuestion("give a scenario file or --site, not both", key="--site")
    if not sources:
        _no_scenario_options(options)
        return False
    flags = [name for name in PARAMETERS if options[f"flag_{name}"] is not None]
    others = [name for name in ("pumped", "rates", "begins") if options[name] is not None]
    if extra := [*flags, *others]:
        raise BadQuestion(f"{sources[0]} states it", key=f"--{extra[0]}")
    return True


def _no_scenario_options(options: Mapping[str, Any]) -> None:
    if options["model_name"] is None:
        raise BadQuestion("ask a model by --model and its flags, or give a SCENARIO.toml, or --site DIR", key="--model")
    given = ["--known-at"] if options["known_at"] else []
    given += ["--permitted"] if options["permitted"] else []
    given += ["--scenario"] if options["kind"] != "metered" else []
    given += ["--unit"] if options["unit"] else []
    if given:
        raise BadQuestion("belongs to a scenario file or --site", key=given[0])


def scenario_asked(options: Mapping[str, Any]) -> Scenario:
    """The scenario of the file, or of the site with the readings there are; checked, and of the kind asked for.

    Raises
    ------
    BadSite, BadFile, BadQuestion : it breaks its schema, is impossible, or cannot be had of that kind.
    """
    permitted = permitted_rates(options["permitted"])
    if options["scenario_path"] is not None:
        if options["known_at"]:
            raise BadQuestion("belongs to --site", key="--known-at")
        return open_scenario(options["scenario_path"], options["kind"], permitted)
    return scenario_of_site(options["site_dir"], options["kind"], permitted, options["known_at"])


def permitted_rates(texts: Sequence[str]) -> dict[str, str]:
    """Rates of ``--permitted WELL=RATE`` by well.

    Raises
    ------
    BadQuestion : a text without a well or a rate.
    """
    pairs = [text.partition("=") for text in texts]
    if wrong := ["".join(one) for one in pairs if not one[0].strip() or not one[2].strip()]:
        raise BadQuestion("not a permitted rate", key="--permitted", found=wrong[0], allowed=["WELL=500 gpm"])
    return {well.strip(): rate.strip() for well, _, rate in pairs}
