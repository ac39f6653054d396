"""``headwater depletion``: water taken from streams by an analytic model, from flags or of a scenario."""

from __future__ import annotations

from typing import Any

import click

from models.aquifer.depletion_models import ALIASES, DEPLETION
from models.errors import BadQuestion
from models.scenario.response import SHARING, Sharing
from pipelines.aquifer.asked_scenario import asked_of, depletions
from pipelines.aquifer.flags import model_options, when_options
from pipelines.aquifer.one_well import one_well
from pipelines.aquifer.page import one_well_page, scenario_page
from pipelines.aquifer.scenario_flags import of_scenario, scenario_asked, scenario_options
from pipelines.terminal import as_json, emit
from reports.aquifer.told import one_well_text, scenario_text


@click.command()
@model_options(DEPLETION)
@when_options
@scenario_options
@click.option("--stream", multiple=True, help="Of a scenario: this stream (its id); all streams where left out.")
@click.option("--sharing", type=click.Choice(list(SHARING)), default="alone", show_default=True,
              help="Of a scenario: how several streams share a well's depletion.")  # fmt: skip
@as_json
def depletion(as_json: bool, stream: tuple[str, ...], sharing: Sharing, **options: Any) -> int:
    """Depletion of a stream by pumping, by an analytic model: from flags, of a scenario file, or of a site.

    \b
    headwater depletion --model hunt --T "5000 ft2/d" --S 0.15 --Q "350 gpm" --d "1500 ft" --lam "20 ft/d" --t "120 d"

    A value with a range is low..best..high: --lam "5..20..60 ft/d"; the answer then has one too. It comes in the unit
    of --Q. Exit code 2: refused, by name, with what is allowed.
    """
    if of_scenario(options):
        return _of_scenario(options, stream, sharing, as_json)
    if stream or sharing != "alone":
        raise BadQuestion("belongs to a scenario file or --site", key="--stream" if stream else "--sharing")
    asked, data = one_well(options, DEPLETION, ALIASES, "depletion")
    if options["page"]:
        data["page"] = one_well_page(options, asked, data)
    emit(data, lambda: one_well_text(data), json_wanted=as_json)
    return 0


def _of_scenario(options: dict[str, Any], wanted: tuple[str, ...], sharing: Sharing, json_wanted: bool) -> int:
    if options["model_name"] is not None:
        raise BadQuestion("a stream's own bed says which: Hunt with a conductance, Glover without", key="--model")
    asked = asked_of(scenario_asked(options), options, "depletion")
    answers, data = depletions(asked, wanted, sharing)
    if options["page"]:
        data["page"] = scenario_page(options, asked, answers, data)
    emit(data, lambda: scenario_text(data), json_wanted=json_wanted)
    return 0
