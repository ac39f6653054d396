"""The page of a cone of depression, for a board and for anybody: nothing private is in what it is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.aquifer.admissible import Numbers
from models.aquifer.cone_tables import WellTable
from models.cone.answer import ConeAnswer
from models.scenario.noun import KINDS
from reports.aquifer import cone_told as told
from reports.aquifer.cone_figures import ConePlan, plan
from reports.aquifer.cone_section import drawdown_in_time, instants, section
from reports.aquifer.cone_told import Row, best_and_span
from reports.aquifer.map_plan import MapPlan
from reports.figure_page import Drawn, FigurePage, PageTable, Section, figure_page
from reports.shown_units import Shown

PLAN_PIXELS = 760
SECTION_SHARE = 0.6
"""Of the cone's width, to each side of the deepest well."""
OF_KIND = dict(zip(KINDS, ("as metered", "at the permitted rates (maximum operation)"), strict=True))
NOT_PUBLIC = "Where a private well stands is not public."


@dataclass(frozen=True)
class ConePage:
    """What the page is made from.

    Parameters
    ----------
    of : the plan, with the public answer in it.
    tables : the wells at the day.
    days, drawdown_m, marks : as `reports.cone_section.drawdown_in_time`.
    fades : rows of `reports.cone_told.fade_rows`; none where no stop was asked for.
    stops_says : what was asked of the stop.
    """

    of: ConePlan
    tables: Sequence[WellTable]
    days: Numbers
    drawdown_m: Mapping[str, Numbers]
    marks: Mapping[str, float]
    fades: Sequence[Row]
    stops_says: str
    notes: Sequence[str]


def cone_page(page: ConePage) -> str:
    """The whole file."""
    answer, shown = page.of.answer, page.of.shown
    sections = [_map(page), *_private(page), _streams(page), _section(page), _time(page), _flow(page)]
    title = f"Cone of depression{': ' + answer.scenario.name if answer.scenario.name else ''}"
    return figure_page(FigurePage(title, says(answer, shown), sections, page.notes))


def says(answer: ConeAnswer, shown: Shown) -> list[str]:
    """The answer in sentences."""
    level, extent = shown.level(answer.level_m), answer.extent
    rate = f"Pumping {OF_KIND[answer.scenario.kind]}, {shown.pumping.says(answer.rate)} {instant_says(answer.day)}"
    depth = f"has lowered the water table by {best_and_span(answer.depth_m, shown.drawdown)} at {answer.depth_at}"
    if extent.best.parts == 0:
        return [f"{rate}, {depth}, and nowhere else by {level}."]
    cones = (
        "" if extent.best.parts == 1 else f" It is in {extent.best.parts} separate parts; the width is of the widest."
    )
    wide = (
        f"Where it is lowered by {level} or more, the cone is {best_and_span(extent.width, shown.length)} wide and "
        f"covers {best_and_span(extent.area, shown.area)}.{cones}"
    )
    losses = [
        f"{one.name or one.stream} loses {best_and_span(one.rate, shown.stream)} to the wells."
        for one in answer.losses
        if one.rate is not None
    ]
    return [f"{rate}, {depth}. {wide} {' '.join(losses)}", "In brackets: low and high over the stated ranges."]


def instant_says(day: float) -> str:
    """At the end of a civil day, or at a time of it."""
    text = instants(day)
    return f"at the end of {instants(day - 1e-6)[:10]}" if text.endswith("T00:00") else f"at {text.replace('T', ' ')}"


def _table(heading: str, rows: Sequence[Row], says: str = "") -> list[PageTable]:
    if not rows:
        return []
    heads = [name.replace("_", " ").capitalize() for name in rows[0]]
    return [PageTable(heading, heads, [list(row.values()) for row in rows], says)]


def _map(page: ConePage) -> Section:
    answer, shown = page.of.answer, page.of.shown
    alt = " ".join(says(answer, shown))
    caption = (
        f"Lowering of the water table, {shown.drawdown.name}, best estimate; the outermost line is "
        f"{shown.level(answer.level_m)}. Arrows: flow of groundwater on the regional slope."
        f"{page.of.too_narrow(' (see the section)')}"
    )
    points = _table("Wells and points", told.reach_rows(answer.reaches, shown))
    return Section(
        "Plan", (), Drawn(caption, alt, plan(page.of)), PLAN_PIXELS,
        [*_table("Numbers", told.measure_rows(answer, shown)), *points],
    )  # fmt: skip


def _private(page: ConePage) -> list[Section]:
    return private_wells(
        page.of,
        "The drawdown is of the whole ring around the centre of its quarter-quarter section, over the stated ranges.",
    )


def private_wells(of: MapPlan, words: str) -> list[Section]:
    """The section of private wells by their rings, on either model's page; ``words`` : what its drawdown is."""
    tables = _table("", told.ring_rows(of.rings, of.shown))
    return [Section("Private wells", (f"{NOT_PUBLIC} {words}",), tables=tables)] if tables else []


def _streams(page: ConePage) -> Section:
    answer, shown = page.of.answer, page.of.shown
    rows = told.loss_rows(answer.losses, answer.rate, shown)
    after = _table("If pumping stops", page.fades, page.stops_says)
    return Section("Streams", [*_balance(page), *([] if rows else ["No stream is in the model."])],
                   tables=[*_table("", rows), *after])  # fmt: skip


def _balance(page: ConePage) -> list[str]:
    one, unit = page.of.answer.balance, page.of.shown.volume
    if one is None:
        return []
    return [
        f"Of {unit.says(one.pumped)} pumped so far, {unit.says(one.streams)} came from streams and "
        f"{unit.says(one.storage)} from storage in the ground (summed over the cone: {unit.says(one.found)})."
    ]


def _section(page: ConePage) -> Section:
    answer, shown = page.of.answer, page.of.shown
    widest = max(answer.extent.best.width, 100.0)
    figure = section(answer, page.tables, shown, SECTION_SHARE * widest)
    toward = next((one.stream for one in answer.model.wells if one.id == answer.deepest), None)
    line = f"toward {toward.name or toward.id} (right)" if toward else "from west (left) to east"
    caption = f"Section through {answer.deepest} {line}; heights are drawn larger than lengths."
    depth = best_and_span(answer.depth_m, shown.drawdown)
    alt = f"Section: the water table is lowered most at {answer.depth_at}, by {depth}."
    return Section("Section", (), Drawn(caption, alt, figure))


def _time(page: ConePage) -> Section:
    shown = page.of.shown
    figure = drawdown_in_time(page.days, page.drawdown_m, page.marks, shown)
    most = ", ".join(f"{name} {shown.drawdown.says(float(one.max()))}" for name, one in page.drawdown_m.items())
    return Section(
        "Drawdown in time", (), Drawn("Drawdown at chosen wells, best estimate.", f"Largest: {most}.", figure)
    )


def _flow(page: ConePage) -> Section:
    flow, shown = page.of.flow, page.of.shown
    words = f"Flow through the whole thickness for each {'metre' if shown.length.name == 'm' else 'foot'} of width."
    across = [] if flow.boundary is None else [
        f"Across the site's boundary {shown.pumping.says(flow.boundary.inflow)} flows in and "
        f"{shown.pumping.says(flow.boundary.outflow)} out."
    ]  # fmt: skip
    return Section("Flow directions and rates", [words, *across], tables=_table("", told.flow_rows(flow, shown)))
