"""Work out a cone of depression: with exact places for the town, and the half of it that anybody may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from models.aquifer.cone_tables import WellTable
from models.cone.answer import ConeAnswer, cone_answer
from models.cone.fading import FadeTold, depletion_fades, drawdown_fades
from models.cone.flow import flow_told
from models.cone.model import Point, cone_model
from models.cone.public import ring_reaches, without_private
from models.errors import BadQuestion
from models.quantity import RATE, Kind, Quantity, read_quantity
from models.scenario.kinds import stopped
from models.scenario.left_out import left_out_says
from models.scenario.noun import Scenario, civil_day
from models.scenario.of_site import PRIVATE
from pipelines.aquifer.cone_source import ConeSource, record_ends
from reports.aquifer import cone_told as told
from reports.aquifer.cone_figures import ConePlan, plan_window
from reports.aquifer.map_plan import half_mile_line
from reports.shown_units import Shown, Unit, shown

DRAWDOWN = Kind("drawdown", "m", ("ft", "m"), most=Decimal(10_000))
DEEPER_FT, DEEPER_M = (2.0, 5.0, 10.0, 20.0, 50.0, 100.0), (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)


def level_m(key: str, text: str) -> float:
    """A stated drawdown [m].

    Raises
    ------
    BadQuestion : not one, or a range of them.
    """
    return one_number(key, text, DRAWDOWN)


def flow_m3_per_d(key: str, text: str) -> float:
    """A stated flow [m3/d]; errors as `level_m`."""
    return one_number(key, text, RATE)


def one_number(key: str, text: str, kind: Kind) -> float:
    """A stated number in the base unit of its kind; errors as `level_m`."""
    try:
        found = read_quantity(text, kind)
    except BadQuestion as caught:
        raise caught.at(key=key) from None
    if found.ranged:
        raise BadQuestion("has no range: it is stated, not estimated", key=key, found=text, allowed=["one number"])
    return found.value


@dataclass(frozen=True)
class Asked:
    """What the options ask: the day's instant, the stated drawdown, the stop, and what counts as gone after it."""

    day: float
    level_m: float
    stop: float | None
    gone_m: float
    gone_m3_per_d: float


@dataclass(frozen=True)
class Worked:
    """The answer with exact places, its public half, and how both are told."""

    source: ConeSource
    answer: ConeAnswer
    tables: Sequence[WellTable]
    plan: ConePlan
    fades: Sequence[dict[str, Any]]
    public_fades: Sequence[dict[str, Any]]
    notes: Sequence[str]

    @property
    def private(self) -> bool:
        return any(one.point.kind == "private" for one in self.answer.reaches)


def worked(source: ConeSource, asked: Asked) -> Worked:
    scenario, model = source.scenario, cone_model(source.scenario)
    units = shown(scenario.unit == "m")
    deeper = DEEPER_M if scenario.unit == "m" else tuple(one * 0.3048 for one in DEEPER_FT)
    answer = cone_answer(scenario, model, asked.day, asked.level_m, deeper)
    tables = model.tables(asked.day)
    line = half_mile_line(scenario.boundary, scenario.to_metres)
    public = without_private(answer)
    window = plan_window(answer, line)
    flow = flow_told(public.scenario, model, tables, window)
    plan = ConePlan(public, ring_reaches(model, tables, source.rings, asked.level_m), flow, window, line, units)
    exact = {one.point.id: scenario.metres(one.point.position) for one in answer.reaches}
    return Worked(
        source, answer, tables, plan, _fades(scenario, asked, exact, units),
        _fades(public.scenario, asked, public_places(plan), units), _notes(source, asked, answer, units),
    )  # fmt: skip


def public_places(plan: ConePlan) -> dict[str, Point]:
    scenario = plan.answer.scenario
    points = {one.id: scenario.metres(one.position) for one in scenario.point}
    return points | {f"{one.ring.id} (centre of its ring)": one.ring.centre for one in plan.rings}


def _fades(scenario: Scenario, asked: Asked, places: dict[str, Point], units: Shown) -> list[dict[str, Any]]:
    """After the stop, at places and in streams; none where no stop is asked for."""
    if asked.stop is None:
        return []
    stop = asked.stop
    model = cone_model(stopped(scenario, civil_day(stop)))
    streams = list(dict.fromkeys(one.stream.id for one in model.wells if one.stream))
    told_at: list[tuple[FadeTold, Unit]] = [
        *((one, units.drawdown) for one in drawdown_fades(model, places, stop, asked.gone_m)),
        *((one, units.stream) for one in depletion_fades(model, streams, stop, asked.gone_m3_per_d)),
    ]
    return [told.fade_data(one, stop, unit) for one, unit in told_at]


def _notes(source: ConeSource, asked: Asked, answer: ConeAnswer, units: Shown) -> list[str]:
    scenario, aquifer, model = source.scenario, source.scenario.aquifer, answer.model
    streams = [one for one in scenario.stream if one.conductance]
    beds = "".join(f", streambed conductance of {one.id} {one.conductance.text}" for one in streams if one.conductance)
    solution = "Hunt (1999), each well beside its nearest stream" if scenario.stream else "Theis (1935)"
    source_words = f" ({aquifer.source})" if aquifer.source else ""
    found = [
        f"Superposed {solution}, from the first pumping on, best estimate of transmissivity "
        f"{aquifer.transmissivity.text}, storativity {aquifer.storativity.text}{beds}{source_words}; low and high are "
        "the extremes over the whole of these ranges",
        "One layer without end; recharge, its change, other wells and bends of a stream are not in it. It is evidence "
        "beside a finding, never a finding of cause",
    ]
    if model.thickness_m is not None:
        found.append(
            f"The water table is corrected for its shrinking thickness (Jacob), {units.length.says(model.thickness_m)} "
            f"before pumping{_range_of(aquifer.thickness)}"
        )
    if answer.theis_extent is not None:
        found.append(
            "Without the stream (Theis 1935), low and high over the ranges, is the upper bound of drawdown at the same "
            "values: a stream that runs dry gives nothing"
        )
    found += [*left_out_says(scenario), *_not_faced(answer)]
    told_elsewhere = [one for one in scenario.notes if one != PRIVATE]
    return [*found, *_doubts(answer), *record_ends(source, asked.day), *source.notes, *told_elsewhere]


def _range_of(thickness: Quantity | None) -> str:
    return f" ({thickness.text})" if thickness is not None and thickness.ranged else ""


def _not_faced(answer: ConeAnswer) -> list[str]:
    """Streams of which the model knows no loss."""
    far = [one.name or one.stream for one in answer.losses if one.rate is None]
    if not far:
        return []
    return [
        f"no well faces {', '.join(far)}: every well draws on its nearest stream alone, so that the loss there is not "
        "modelled, which is not 0. Alone: what the stream would lose if it alone gave the water of all wells, an upper "
        "bound that is not to be added up"
    ]


def _doubts(answer: ConeAnswer) -> list[str]:
    found = []
    if answer.model.thickness_m is not None and answer.depth_m.best > 0.38 * answer.model.thickness_m:
        found.append("the deepest drawdown is over 0.38 of the thickness, beyond what the correction was checked for")
    layer = answer.scenario.aquifer
    if layer.kind == "confined" and layer.thickness is not None and answer.depth_m.high > layer.thickness.value:
        found.append(
            "the drawdown is more than the confined layer is thick: it stays confined only where its water stands that "
            "far above its top"
        )
    if answer.dry:
        found.append(
            f"within the stated ranges {', '.join(answer.dry)} may be pumped dry: the high depth is the thickness"
        )
    if answer.model.aquifer is not None and not answer.contours[0].closed:
        found.append("the outermost contour ends at an edge of the aquifer")
    elif not answer.complete:
        found.append(
            "the outermost contour does not close within 400 km: the model has no end where the aquifer has one"
        )
    if answer.model.regional is None:
        found.append("no regional slope is given: flow is that of the cone alone, on a level water table")
    return found
