"""``headwater cone``: the cone of depression of a scenario or of the site's own pumping."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click
import numpy as np
from click.core import ParameterSource

from models.aquifer.admissible import Numbers
from models.cone.answer import ConeAnswer
from models.cone.history import drawdown_history_m
from models.cone.model import cone_model
from models.errors import BadQuestion
from models.scenario.kinds import stopped
from models.scenario.noun import KINDS, civil_day, day_number
from pipelines.aquifer.cone_layers import cone_layers
from pipelines.aquifer.cone_source import ConeSource, from_file, from_site
from pipelines.aquifer.cone_work import Asked, Worked, flow_m3_per_d, level_m, public_places, worked
from pipelines.aquifer.scenario_flags import permitted_rates
from pipelines.geo_files import NoGeoPackage, check_crs, geojson, geopackage
from pipelines.page_file import write_text
from pipelines.static_folder import replace_folder
from pipelines.terminal import as_json, complain, emit, site_option
from reports.aquifer import cone_told as told
from reports.aquifer.cone_page import ConePage, cone_page, says
from reports.shown_units import Shown, Unit
from reports.text_table import text_table

DAY = click.DateTime(["%Y-%m-%d"])
CHOSEN, HISTORY_POINTS, LONGEST_AFTER_D = 6, 361, 3653.0
NOT_PUBLIC = "NOT PUBLIC: worked out at the exact places of private wells; the page and the map files are not."


@click.command()
@click.argument("scenario", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option("--scenario", "kind", type=click.Choice(KINDS), default="metered", show_default=True,
              help="Pumping as metered, or at the permitted rates.")  # fmt: skip
@click.option("--permitted", multiple=True, metavar="WELL=RATE", help="A permitted rate that the file does not state.")
@click.option("--on", type=DAY, help="The end of this day; of a site default the last reading.")
@click.option("--drawdown", "level", default="1 ft", show_default=True, help="Width, area and volume are told at it.")
@click.option("--stops", type=DAY, help="What if every pump rests from this day: when the residual is gone.")
@click.option("--gone", default="0.1 ft", show_default=True, help="Residual drawdown that counts as gone.")
@click.option("--gone-flow", default="0.01 cfs", show_default=True, help="Residual depletion that counts as gone.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for page, GeoJSON, GeoPackage.")
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="Write the page to this HTML file.")
@site_option
@as_json
def cone(scenario: Path | None, kind: Any, site_dir: Path, as_json: bool, **options: Any) -> int:
    """The cone of depression of SCENARIO, a TOML file, or without one of the site's own metered pumping.

    How deep, wide and large it is, which wells and streams it reaches, and where groundwater flows. The table and JSON
    may use exact places of private wells and say so; page and map files never do. Exit code 3: done, but a GeoPackage
    could not be written.
    """
    if scenario and click.get_current_context().get_parameter_source("site_dir") is ParameterSource.COMMANDLINE:
        raise BadQuestion("give a scenario file or --site, not both", key="--site")
    on = None if options["on"] is None else options["on"].date()
    permitted = permitted_rates(options["permitted"])
    source = from_file(scenario, kind, permitted) if scenario else from_site(site_dir, kind, permitted, on)
    asked = _asked(source, on, options)
    found = worked(source, asked)
    written, left_out = _written(found, asked, options)
    data = _data(found, written, left_out)
    emit(data, lambda: _text(found, data), json_wanted=as_json)
    for line in left_out:
        complain(line)
    return 3 if left_out else 0


def _asked(source: ConeSource, on: date | None, options: dict[str, Any]) -> Asked:
    level, gone = level_m("--drawdown", options["level"]), level_m("--gone", options["gone"])
    flow = flow_m3_per_d("--gone-flow", options["gone_flow"])
    stop = None if options["stops"] is None else day_number(options["stops"].date())
    return Asked(_instant(source, on), level, stop, gone, flow)


def _instant(source: ConeSource, on: date | None) -> float:
    """The end of the day, or of the record where that is earlier."""
    if on is None and source.latest is None:
        raise BadQuestion("say the day to draw the cone for", key="--on", allowed=["YYYY-MM-DD"])
    end = np.inf if on is None else day_number(on) + 1
    return float(min(end, np.inf if source.latest is None else source.latest))


def _written(worked: Worked, asked: Asked, options: dict[str, Any]) -> tuple[list[str], list[str]]:
    """What was written, and what could not be."""
    if options["out"] is None and options["page"] is None:
        return [], []
    page = cone_page(_page(worked, asked))
    written = [write_text(options["page"], page)] if options["page"] else []
    if options["out"] is None:
        return written, []
    files, left_out = _map_files(worked)
    replace_folder(options["out"], {"cone.html": page.encode(), **files})
    return [*written, *(f"{options['out'] / name}" for name in ("cone.html", *files))], left_out


def _map_files(worked: Worked) -> tuple[dict[str, bytes], list[str]]:
    scenario = worked.source.scenario
    check_crs(scenario.crs, scenario.to_metres)
    crs, layers = scenario.crs or "", cone_layers(worked.plan)
    files = {"cone.geojson": geojson(layers, crs)}
    try:
        return files | {"cone.gpkg": geopackage(layers, crs)}, []
    except NoGeoPackage as caught:
        return files, [str(caught)]


def _page(worked: Worked, asked: Asked) -> ConePage:
    days, drawdown, marks = _history(worked, asked)
    text = _units_of(worked.public_fades, worked.plan.shown)
    return ConePage(
        worked.plan, worked.tables, days, drawdown, marks, told.fade_rows(worked.public_fades, text),
        _stop_says(worked, asked), list(worked.notes),
    )  # fmt: skip


def _history(worked: Worked, asked: Asked) -> tuple[Numbers, dict[str, Numbers], dict[str, float]]:
    """Of the public places, deepest first; of the pumping wells where there are none."""
    scenario = worked.plan.answer.scenario
    model = worked.answer.model if asked.stop is None else cone_model(stopped(scenario, civil_day(asked.stop)))
    places = public_places(worked.plan) or {one.id: one.well.position for one in model.wells}
    first = min(float(one.well.times[0]) for one in model.wells)
    last = (
        asked.day if asked.stop is None else max(asked.day, asked.stop + min(2 * (asked.stop - first), LONGEST_AFTER_D))
    )
    days = np.linspace(first, last, HISTORY_POINTS)
    found = drawdown_history_m(model, model.values[0], list(places.values()), days)
    chosen = sorted(range(len(places)), key=lambda k: -float(found[k].max()))[:CHOSEN]
    names = list(places)
    marks = {"day of the plan": asked.day} | ({} if asked.stop is None else {"pumps stop": asked.stop})
    return days, {names[k]: found[k] for k in chosen}, marks


def _units_of(fades: Sequence[dict[str, Any]], units: Shown) -> dict[str, Unit]:
    return {one["id"]: units.stream if one["unit"] == units.stream.name else units.drawdown for one in fades}


def _stop_says(worked: Worked, asked: Asked) -> str:
    if asked.stop is None:
        return ""
    units = worked.plan.shown
    return (
        f"Every pump at rest from {civil_day(asked.stop)} on. It never reaches zero: gone is "
        f"{units.drawdown.says(asked.gone_m)} of drawdown, {units.stream.says(asked.gone_m3_per_d)} of depletion."
    )


def _data(worked: Worked, written: Sequence[str], left_out: Sequence[str]) -> dict[str, Any]:
    data = told.cone_data(worked.answer, worked.plan.flow, worked.plan.shown)
    rings = [told.ring_data(one, worked.plan.shown) for one in worked.plan.rings]
    return {
        "not_public": worked.private, **data, "private_wells_public": rings, "stops": list(worked.fades),
        "notes": list(worked.notes), "written": list(written), "left_out": list(left_out),
    }  # fmt: skip


def _text(worked: Worked, data: dict[str, Any]) -> str:
    answer, units = worked.answer, worked.plan.shown
    fades = told.fade_rows(worked.fades, _units_of(worked.fades, units))
    parts = [
        told.measure_rows(answer, units), told.reach_rows(answer.reaches, units),
        told.loss_rows(answer.losses, answer.rate, units), told.flow_rows(worked.plan.flow, units), fades,
    ]  # fmt: skip
    head = [NOT_PUBLIC, ""] if worked.private else []
    tables = [text_table(rows, list(rows[0])) + "\n" for rows in parts if rows]
    return "\n".join(
        [*head, *says(answer, units), "", *tables, *_balance_line(answer, units), *data["notes"], *data["written"]]
    )


def _balance_line(answer: ConeAnswer, units: Shown) -> list[str]:
    one = answer.balance
    if one is None:
        return []
    pumped, streams, storage = (units.volume.says(v) for v in (one.pumped, one.streams, one.storage))
    return [
        f"Of {pumped} pumped, {streams} came from streams and {storage} from storage (cone {100 * one.error:+.2g} %)."
    ]
