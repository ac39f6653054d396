"""``headwater drawdown``: drawdown by an analytic model, of one well from flags or of a scenario."""

from __future__ import annotations

from typing import Any

import click

from models.aquifer.drawdown_models import ALIASES, DRAWDOWN
from models.errors import BadQuestion
from models.scenario.response import TITLES, Solution
from pipelines.aquifer.asked_scenario import asked_of, drawdowns
from pipelines.aquifer.flags import model_options, when_options
from pipelines.aquifer.one_well import one_well
from pipelines.aquifer.page import one_well_page, scenario_page
from pipelines.aquifer.scenario_flags import of_scenario, scenario_asked, scenario_options
from pipelines.terminal import as_json, emit
from reports.aquifer.told import one_well_text, scenario_text


@click.command()
@model_options(DRAWDOWN)
@when_options
@scenario_options
@click.option("--at", multiple=True, help="Of a scenario: this point (its id); all points where left out.")
@as_json
def drawdown(as_json: bool, at: tuple[str, ...], **options: Any) -> int:
    """Drawdown by an analytic model: of one well from flags, of a scenario file, or of a site.

    \b
    headwater drawdown --model theis --T "5000 ft2/d" --S 0.0002 --Q "350 gpm" --r "1/2 mi" --t "120 d"

    A value with a range is low..best..high: --T "3000..5000..8000 ft2/d"; the answer then has one too. It comes in the
    unit of --r, or of --x where the place is (x, y). Exit code 2: refused, by name, with what is allowed.
    """
    if of_scenario(options):
        return _of_scenario(options, at, as_json)
    if at:
        raise BadQuestion("belongs to a scenario file or --site", key="--at")
    asked, data = one_well(options, DRAWDOWN, ALIASES, "drawdown")
    if options["page"]:
        data["page"] = one_well_page(options, asked, data)
    emit(data, lambda: one_well_text(data), json_wanted=as_json)
    return 0


def _of_scenario(options: dict[str, Any], at: tuple[str, ...], json_wanted: bool) -> int:
    asked = asked_of(scenario_asked(options), options, "drawdown")
    answers, data = drawdowns(asked, at, _solution(options["model_name"]))
    if options["page"]:
        data["page"] = scenario_page(options, asked, answers, data, at)
    emit(data, lambda: scenario_text(data), json_wanted=json_wanted)
    return 0


def _solution(name: str | None) -> Solution | None:
    """The model that a scenario is asked by; None is the one its waters ask for."""
    if name is None:
        return None
    found = next((one for one in TITLES if one == ALIASES.get(name, name)), None)
    if found is None:
        raise BadQuestion("not a model of scenarios", key="--model", found=name, allowed=TITLES)
    return found
