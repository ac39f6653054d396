"""``headwater pit``: what a pit kept dry takes, and how far it draws the water table down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import shapely

from models.aquifer.extremes import Ranges
from models.aquifer.pit import equivalent_radius_m
from models.cone.pit_answer import PitAnswer, Steady, pit_answer
from models.cone.pit_case import PitQuestion, check_pit
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
from pipelines.aquifer.cone_work import level_m
from pipelines.aquifer.scenario_file import open_scenario
from pipelines.page_file import write_text
from pipelines.terminal import as_json, emit
from reports.aquifer import pit_told as told
from reports.shown_units import Shown, shown
from reports.text_table import text_table

DAY = click.DateTime(["%Y-%m-%d"])
TIMES_D = (1.0, 10.0, 30.0, 100.0, 365.25, 1826.25, 3652.5)
AGREE = 0.02
"""T and K times the thickness may differ by this share: they are rounded."""
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
    answer = pit_answer(asked.question, level_m("--drawdown", options["level"]), TIMES_D)
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
    told = _told(scenario, hole, thickness)
    area = shapely.Polygon([scenario.metres(one) for one in hole.polygon]).area
    radius = float(equivalent_radius_m(area))
    elapsed = day_number(on.date()) + 1 - day_number(hole.stages[0].since)
    if elapsed <= 0:
        raise BadQuestion("before the pit was lowered", key="--on", found=str(on.date()), allowed=["a later day"])
    ends = dict(Ranges.of(told).ends) | {"radius": (radius, radius, radius)}
    unit = "m" if scenario.unit == "m" else "ft"
    question = _checked(PitQuestion(Ranges(ends), elapsed), told, unit)
    notes = (*scenario.notes, *_zero_recharge(told))
    return Asked(question, shown(unit == "m"), scenario, day_number(on.date()) + 1, "Kv" in told, notes)


def _told(scenario: Scenario, hole: PitOf, thickness: Quantity) -> dict[str, Quantity]:
    aquifer = scenario.aquifer
    named = {
        "lowered": hole.stages[0].lowered, "lake": hole.lake_depth, "thickness": thickness, "T": aquifer.transmissivity,
        "S": aquifer.storativity, "K": aquifer.conductivity, "Kv": aquifer.vertical_conductivity,
        "recharge": scenario.recharge,
    }  # fmt: skip
    return {name: one for name, one in named.items() if one is not None}


def _checked(question: PitQuestion, told: Mapping[str, Quantity], unit: str) -> PitQuestion:
    """Refuse a pit that cannot be, and T and K that contradict each other."""
    check_pit(question, unit)
    if "T" in told and "K" in told:
        t, across = told["T"].value, told["K"].value * told["thickness"].value
        if abs(t - across) > AGREE * t:
            reason = "contradict each other: the transmissivity is not the conductivity times the thickness"
            found = f"{told['T'].text}; {told['K'].text} times {told['thickness'].text}"
            raise BadQuestion(reason, key="T, K", found=found, allowed=["one of them", f"within {AGREE:.0%}"])
    return question


def _zero_recharge(told: Mapping[str, Quantity]) -> tuple[str, ...]:
    if "recharge" not in told or told["recharge"].low > 0 or told["recharge"].best == 0:
        return ()
    return (
        "the low end of the recharge is 0, where nothing is for good: the cone grows without end, and what comes "
        "through the wall dies away to 0",
    )


def _pit_of(scenario: Scenario, file: str) -> tuple[PitOf, Quantity]:
    if scenario.pit is None:
        raise BadQuestion("no pit", file=file, key="pit", allowed=["[pit] with polygon, lowered, since"])
    if scenario.aquifer.thickness is None:
        raise BadQuestion("a pit needs the saturated thickness", file=file, key="aquifer.thickness")
    if len(scenario.pit.stages) > 1:
        words = ["lowered and since", "a numerical model (headwater modflow run)"]
        raise BadQuestion("a pit that deepens has no closed form", file=file, key="pit.stage", allowed=words)
    return scenario.pit, scenario.aquifer.thickness


def _of_flags(given: Mapping[str, str], options: Mapping[str, Any]) -> Asked:
    if options["on"] is not None or options["target"] is not None:
        raise BadQuestion("belongs to a scenario file", key="--on" if options["on"] else "--target")
    read = {name: _flag(name, text) for name, text in given.items()}
    for name in ("radius", "lowered", "thickness", "S"):
        if name not in read:
            raise BadQuestion("is needed without a scenario", key=f"--{name}", allowed=[FLAGS[name][0].allowed])
    if "T" not in read and "K" not in read:
        raise BadQuestion("is needed without --T", key="--K", allowed=[CONDUCTIVITY.allowed])
    told = {name: one for name, one in read.items() if name != "t"}
    unit = "m" if read["radius"].given_unit in ("m", "km") else "ft"
    question = _checked(PitQuestion(Ranges.of(told), _elapsed(read.get("t"))), told, unit)
    return Asked(question, shown(unit == "m"), None, None, "Kv" in read, _zero_recharge(told))


def _elapsed(time: Quantity | None) -> float | None:
    if time is None:
        return None
    if time.ranged:
        raise BadQuestion("a time has no range", key="--t", found=time.text, allowed=["one number"])
    if time.value <= 0:
        raise BadQuestion("the pit is not lowered yet", key="--t", found=time.text, allowed=["above 0"])
    return time.value


def _flag(name: str, text: str) -> Quantity:
    try:
        return read_quantity(text, FLAGS[name][0])
    except BadQuestion as caught:
        raise caught.at(key=f"--{name}") from None


def _wells(asked: Asked, target: str | None) -> list[WellRate] | None:
    """Of a scenario with wells, to the target or to the level the pit is kept at."""
    scenario = asked.scenario
    if scenario is None or scenario.pit is None or asked.day is None or not scenario.well:
        if target is not None:
            raise BadQuestion("no wells to pump", key="--target", allowed=["[[well]] in the scenario"])
        return None
    return required_pumping(scenario, scenario.pit, _target(asked, target), asked.day)


def _target(asked: Asked, target: str | None) -> float:
    return asked.question.best.lowered_m if target is None else level_m("--target", target)


def _wells_say(asked: Asked, target: str | None) -> str:
    if asked.scenario is None:
        return ""
    since = asked.scenario.pit.stages[0].since if asked.scenario.pit else ""
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
    below = question.best.below_m
    if below == 0:
        found.append(
            "the floor stands on the base of the aquifer: nothing comes up through it, and the two readings are one"
        )
    elif answer.steady is not None:
        found.append(_two_readings(asked, answer.steady))
    if not asked.kv_told and below > 0:
        found.append(
            "the vertical conductivity is not told and taken as the horizontal: the floor's inflow is an upper bound"
        )
    if asked.scenario is not None and asked.scenario.stream:
        found.append(
            "the streams of the scenario are in the wells' pumping, not in the pit's inflow: near a stream it is more"
        )
    return [*found, "the three rules of radius do not agree and none is relied on", *asked.notes]


def _two_readings(asked: Asked, steady: Steady) -> str:
    """Which is larger; nothing here shows that the truth lies between them."""
    total, layer, rate = steady.total.best, steady.layer.best, asked.shown.pumping
    larger = "the first" if total > layer else "the second"
    return (
        f"two readings of the inflow for good: {rate.says(total)} by Marinelli & Niccoli, as if the aquifer went on "
        f"far below the floor ({asked.shown.length.says(asked.question.best.below_m)} of it lie there), and "
        f"{rate.says(layer)} as one layer in which all water comes sideways; {larger} is larger, and it is not shown "
        "that the truth lies between them"
    )


def _text(answer: PitAnswer, wells: Sequence[WellRate] | None, units: Shown, data: Mapping[str, Any]) -> str:
    parts = [told.steady_rows(answer, units), told.time_rows(answer, units), told.well_rows(wells or [], units)]
    tables = [text_table(rows, list(rows[0])) + "\n" for rows in parts if rows]
    page = [data["page"]] if "page" in data else []
    return "\n".join([*told.pit_says(answer, units), "", *tables, *data["notes"], *page])
