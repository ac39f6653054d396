"""``headwater pit``: what a pit kept dry takes, and how far it draws the water table down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import shapely

from models.aquifer.pit import equivalent_radius_m
from models.cone.pit_answer import PitAnswer, PitQuestion, check_pit, pit_answer, pit_values
from models.cone.pit_wells import WellRate, required_pumping
from models.errors import BadQuestion
from models.quantity import (
    CONDUCTIVITY,
    DEPTH,
    DISTANCE,
    RECHARGE,
    STORATIVITY,
    THICKNESS,
    TIME,
    TRANSMISSIVITY,
    Kind,
    Quantity,
    read_quantity,
)
from models.scenario.noun import KINDS, PitOf, Scenario, day_number
from pipelines.aquifer.cone_work import DRAWDOWN
from pipelines.aquifer.scenario_file import open_scenario
from pipelines.page_file import write_text
from pipelines.terminal import as_json, emit
from reports.aquifer import pit_told as told
from reports.shown_units import Shown, shown
from reports.text_table import text_table

DAY = click.DateTime(["%Y-%m-%d"])
TIMES_D = (1.0, 10.0, 30.0, 100.0, 365.25, 1826.25, 3652.5)
FLAGS: dict[str, tuple[Kind, str]] = {
    "radius": (DISTANCE, "Equivalent radius of the pit, sqrt(area / pi)."),
    "lowered": (DEPTH, "Its water level below the undisturbed water table."),
    "lake": (DEPTH, "Water left standing in it."),
    "thickness": (THICKNESS, "Saturated thickness of the aquifer before the pit."),
    "K": (CONDUCTIVITY, "Horizontal conductivity; T over the thickness where left out."),
    "Kv": (CONDUCTIVITY, "Vertical conductivity below the floor; K where left out."),
    "T": (TRANSMISSIVITY, "Transmissivity; K times the thickness where left out."),
    "S": (STORATIVITY, "Specific yield."),
    "recharge": (RECHARGE, "On the water table; without it there is no inflow for good."),
    "t": (TIME, "Time since the pit was lowered."),
}


@dataclass(frozen=True)
class Asked:
    """A pit to be answered for, where it comes from, and the unit system of the reader."""

    question: PitQuestion
    shown: Shown
    scenario: Scenario | None
    day: float | None
    kv_told: bool
    notes: tuple[str, ...]


def _flag_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, (kind, text) in reversed(FLAGS.items()):
        unit = f" [{kind.units[0]}]" if kind.units else ""
        command = click.option(f"--{name}", f"flag_{name}", help=f"{text}{unit}")(command)
    return command


@click.command()
@click.argument("scenario", type=click.Path(path_type=Path, dir_okay=False), required=False)
@_flag_options
@click.option("--scenario", "kind", type=click.Choice(KINDS), default="metered", show_default=True,
              help="Maximum: dry-year recharge.")  # fmt: skip
@click.option("--on", type=DAY, help="Of a scenario: the end of this day.")
@click.option("--drawdown", "level", default="1 ft", show_default=True, help="How far this drawdown reaches is told.")
@click.option("--target", help="Lower the water table all over the pit by this much with the scenario's wells.")
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="Write figures to this HTML file.")
@as_json
def pit(scenario: Path | None, kind: Any, as_json: bool, **options: Any) -> int:
    """Inflow of a pit kept dry, from SCENARIO (a TOML file with [pit]) or from flags: for good and through time.

    For good by Marinelli & Niccoli (2000), through time by Jacob & Lohman (1952). With the wells of a scenario: the
    least pumping that keeps the water table at its target all over the pit.
    """
    given = {name: options[f"flag_{name}"] for name in FLAGS if options[f"flag_{name}"] is not None}
    asked = _of_file(scenario, kind, given, options["on"]) if scenario else _of_flags(given, options)
    answer = pit_answer(asked.question, read_quantity(options["level"], DRAWDOWN).value, TIMES_D)
    wells = _wells(asked, options["target"])
    notes = _notes(asked, answer)
    data = {**told.pit_data(answer, wells, asked.shown), "notes": notes}
    if options["page"]:
        title = f"Pit{': ' + asked.scenario.name if asked.scenario and asked.scenario.name else ''}"
        page = told.pit_page(title, answer, wells, _wells_say(asked, options["target"]), notes, asked.shown)
        data["page"] = write_text(options["page"], page)
    emit(data, lambda: _text(answer, wells, asked.shown, data), json_wanted=as_json)
    return 0


def _of_file(path: Path, kind: Any, given: Mapping[str, str], on: datetime | None) -> Asked:
    if given:
        raise BadQuestion("the scenario states it", key=f"--{next(iter(given))}")
    scenario = open_scenario(path, kind)
    hole, thickness = _pit_of(scenario, path.name)
    if on is None:
        raise BadQuestion("say the day", key="--on", allowed=["YYYY-MM-DD"])
    day, aquifer = day_number(on.date()) + 1, scenario.aquifer
    area = shapely.Polygon([scenario.metres(one) for one in hole.polygon]).area
    values = pit_values(
        aquifer.transmissivity, aquifer.storativity, thickness.value, aquifer.conductivity,
        aquifer.vertical_conductivity, scenario.recharge,
    )  # fmt: skip
    lake = 0.0 if hole.lake_depth is None else hole.lake_depth.value
    question = PitQuestion(
        float(equivalent_radius_m(area)),
        hole.lowered.value,
        lake,
        thickness.value,
        values,
        day - day_number(hole.since),
    )
    return Asked(
        question, shown(scenario.unit == "m"), scenario, day, aquifer.vertical_conductivity is not None, scenario.notes
    )


def _pit_of(scenario: Scenario, file: str) -> tuple[PitOf, Quantity]:
    if scenario.pit is None:
        raise BadQuestion("no pit", file=file, key="pit", allowed=["[pit] with polygon, lowered, since"])
    if scenario.aquifer.thickness is None:
        raise BadQuestion("a pit needs the saturated thickness", file=file, key="aquifer.thickness")
    return scenario.pit, scenario.aquifer.thickness


def _of_flags(given: Mapping[str, str], options: Mapping[str, Any]) -> Asked:
    if options["on"] is not None or options["target"] is not None:
        raise BadQuestion("belongs to a scenario file", key="--on" if options["on"] else "--target")
    read = {name: _flag(name, text) for name, text in given.items()}
    for name in ("radius", "lowered", "thickness", "S"):
        if name not in read:
            raise BadQuestion("is needed without a scenario", key=f"--{name}", allowed=[FLAGS[name][0].allowed])
    thickness = read["thickness"]
    values = pit_values(
        _transmissivity(read), read["S"], thickness.value, read.get("K"), read.get("Kv"), read.get("recharge")
    )
    lake, time = read.get("lake"), read.get("t")
    question = PitQuestion(
        read["radius"].value, read["lowered"].value, 0.0 if lake is None else lake.value, thickness.value, values,
        None if time is None else time.value,
    )  # fmt: skip
    return Asked(question, shown(read["radius"].given_unit in ("m", "km")), None, None, "Kv" in read, ())


def _flag(name: str, text: str) -> Quantity:
    try:
        return read_quantity(text, FLAGS[name][0])
    except BadQuestion as caught:
        raise caught.at(key=f"--{name}") from None


def _transmissivity(read: Mapping[str, Quantity]) -> Quantity:
    """T, or K times the thickness."""
    if "T" in read:
        return read["T"]
    if "K" not in read:
        raise BadQuestion("is needed without --T", key="--K", allowed=[CONDUCTIVITY.allowed])
    k, b = read["K"], read["thickness"].best
    return read_quantity(f"{k.low * b:f}..{k.best * b:f}..{k.high * b:f} m2/d", TRANSMISSIVITY)


def _wells(asked: Asked, target: str | None) -> list[WellRate] | None:
    """Of a scenario with wells, to the target or to the level the pit is kept at."""
    check_pit(asked.question)
    scenario = asked.scenario
    if scenario is None or scenario.pit is None or asked.day is None or not scenario.well:
        if target is not None:
            raise BadQuestion("no wells to pump", key="--target", allowed=["[[well]] in the scenario"])
        return None
    return required_pumping(scenario, scenario.pit, _target(asked, target), asked.day)


def _target(asked: Asked, target: str | None) -> float:
    return asked.question.lowered_m if target is None else read_quantity(target, DRAWDOWN).value


def _wells_say(asked: Asked, target: str | None) -> str:
    if asked.scenario is None:
        return ""
    since = asked.scenario.pit.since if asked.scenario.pit else ""
    return (
        f"The least pumping from {since} on that lowers the water table by "
        f"{asked.shown.drawdown.says(_target(asked, target))} or more all over the pit by the day asked, by the best "
        "estimate."
    )


def _notes(asked: Asked, answer: PitAnswer) -> list[str]:
    question, found = asked.question, []
    found.append(
        "For good: Marinelli & Niccoli (2000), fed by recharge alone, a circular pit, no stream, no slope of the water "
        "table. Through time: Jacob & Lohman (1952), its level dropped at once, from storage alone, corrected for the "
        "shrinking thickness (Jacob). One layer without end. It is evidence beside a finding, never a finding of cause"
    )
    if answer.steady is None:
        found.append("no inflow for good: without recharge the cone never stops growing")
    if not asked.kv_told and not question.one_layer:
        found.append(
            "the vertical conductivity is not told and taken as the horizontal: the floor's inflow is an upper bound"
        )
    if question.one_layer and question.below_m > 0:
        found.append(
            f"only {asked.shown.length.says(question.below_m)} of aquifer lie below the floor, less than the pit's "
            "radius: for good all water comes sideways through the whole layer; the floor's half space is an upper "
            "bound, not in it"
        )
    if question.below_m == 0:
        found.append("the floor stands on the base of the aquifer: nothing comes up through it")
    if asked.scenario is not None and asked.scenario.stream:
        found.append(
            "the streams of the scenario are in the wells' pumping, not in the pit's inflow: near a stream it is more"
        )
    return [*found, "the three rules of radius do not agree and none is relied on", *asked.notes]


def _text(answer: PitAnswer, wells: Sequence[WellRate] | None, units: Shown, data: Mapping[str, Any]) -> str:
    parts = [told.steady_rows(answer, units), told.time_rows(answer, units), told.well_rows(wells or [], units)]
    tables = [text_table(rows, list(rows[0])) + "\n" for rows in parts if rows]
    page = [data["page"]] if "page" in data else []
    return "\n".join([*told.pit_says(answer, units), "", *tables, *data["notes"], *page])
