"""What a pit kept dry takes, as plain data for machines, as rows of tables, and as a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from models.cone.pit_answer import PitAnswer
from models.cone.pit_wells import WellRate
from models.cone.searched import Ranged
from reports.aquifer.cone_told import Row, best_and_span, ranged, span
from reports.aquifer.pit_figures import inflow_in_time, pit_section
from reports.figure_page import FigurePage, PageTable, Section, figure_page
from reports.flow_page import Drawn
from reports.shown_units import Shown, Unit


def pit_data(answer: PitAnswer, wells: Sequence[WellRate] | None, shown: Shown) -> dict[str, Any]:
    """The whole answer in the reader's units; every number carries its unit."""
    question, best = answer.question, answer.question.best
    return {
        "equivalent_radius": _one(best.radius_m, shown.length), "lowered": _one(best.lowered_m, shown.drawdown),
        "floor_below_water_table": _one(best.floor_m, shown.drawdown),
        "drawdown": _one(answer.level_m, shown.drawdown), "elapsed_d": question.elapsed_d,
        "steady": _steady_data(answer, shown),
        "in_time": [
            {"elapsed_d": one.elapsed_d, "inflow": ranged(one.inflow, shown.pumping),
             "volume": ranged(one.volume, shown.volume), "reach": ranged(one.reach_m, shown.length)}
            for one in answer.instants
        ],
        "radius_by_other_rules": {name: ranged(one, shown.length) for name, one in answer.rules.items()},
        "wells": None if wells is None else [
            {"id": one.id, "rate": shown.pumping.of(one.rate), "unit": shown.pumping.name,
             "permitted": None if one.permitted is None else shown.pumping.of(one.permitted)} for one in wells
        ],
    }  # fmt: skip


def _steady_data(answer: PitAnswer, shown: Shown) -> dict[str, Any] | None:
    steady, rate = answer.steady, shown.pumping
    if steady is None:
        return None
    return {
        "inflow": ranged(steady.total, rate), "through_wall": ranged(steady.wall, rate),
        "through_floor": ranged(steady.floor, rate), "radius_of_influence": ranged(steady.radius_m, shown.length),
        "aquifer_below_floor": _one(answer.question.best.below_m, shown.drawdown),
        "as_one_layer": {"inflow": ranged(steady.layer, rate),
                         "radius_of_influence": ranged(steady.layer_radius_m, shown.length)},
    }  # fmt: skip


def _one(value: float, unit: Unit) -> dict[str, Any]:
    return {"value": unit.of(value), "unit": unit.name}


def steady_rows(answer: PitAnswer, shown: Shown) -> list[Row]:
    """For good, and how far by every rule."""
    found, steady = [], answer.steady
    if steady is not None:
        found += [
            _row("Inflow for good (Marinelli & Niccoli)", steady.total, shown.pumping),
            _row("of it through the wall", steady.wall, shown.pumping),
            _row("of it through the floor", steady.floor, shown.pumping),
            _row("Radius of influence for good", steady.radius_m, shown.length),
            _row("Another reading: inflow as one layer, all sideways", steady.layer, shown.pumping),
            _row("Its radius of influence", steady.layer_radius_m, shown.length),
        ]
    return [*found, *(_row(f"Radius, {name}", one, shown.length) for name, one in answer.rules.items())]


def _row(name: str, one: Ranged, unit: Unit) -> Row:
    return {
        "what": name,
        "best": unit.says(one.best),
        "low": unit.text(unit.of(one.low)),
        "high": unit.text(unit.of(one.high)) if math.isfinite(one.high) else "without end",
    }


def time_rows(answer: PitAnswer, shown: Shown) -> list[Row]:
    """Inflow, volume and reach through time."""
    reach = f"reach_of_{shown.level(answer.level_m)}"
    return [
        {
            "days": f"{one.elapsed_d:,.6g}", "inflow": shown.pumping.says(one.inflow.best),
            "range": span(one.inflow, shown.pumping), "volume_so_far": shown.volume.says(one.volume.best),
            reach: f"{shown.length.says(one.reach_m.best)} ({span(one.reach_m, shown.length)})",
        }
        for one in answer.instants
    ]  # fmt: skip


def well_rows(wells: Sequence[WellRate], shown: Shown) -> list[Row]:
    """The least pumping of each well."""
    return [
        {
            "well": one.id, "least_pumping": shown.pumping.says(one.rate),
            "permitted": "not told" if one.permitted is None else shown.pumping.says(one.permitted),
        }
        for one in wells
    ]  # fmt: skip


def pit_says(answer: PitAnswer, shown: Shown) -> list[str]:
    """The answer in sentences."""
    question, rate, length = answer.question, shown.pumping, shown.length
    best = question.best
    found = [
        f"A pit of {length.says(best.radius_m)} equivalent radius, kept "
        f"{shown.drawdown.says(best.lowered_m)} below the undisturbed water table."
    ]
    if answer.steady is not None:
        found.append(
            f"For good it takes {best_and_span(answer.steady.total, rate)} and lowers the water table out to "
            f"{best_and_span(answer.steady.radius_m, length)} from its middle; read as one layer, all water coming "
            f"sideways, it takes {best_and_span(answer.steady.layer, rate)}."
        )
    now = next((one for one in answer.instants if one.elapsed_d == question.elapsed_d), None)
    if now is not None:
        found.append(
            f"After {now.elapsed_d:,.0f} days it takes {best_and_span(now.inflow, rate)} from storage, and the water "
            f"table is lowered by {shown.level(answer.level_m)} out to {best_and_span(now.reach_m, length)} "
            "from its middle."
        )
    return [" ".join(found), "In brackets: low and high over the stated ranges."]


def pit_page(
    title: str, answer: PitAnswer, wells: Sequence[WellRate] | None, wells_say: str, notes: Sequence[str], shown: Shown
) -> str:
    """The whole page."""
    said = pit_says(answer, shown)
    cut = Drawn("Section through the pit; heights are drawn larger than lengths.", said[0], pit_section(answer, shown))
    flow = Drawn("Inflow through time; the shade is the stated range.", said[0], inflow_in_time(answer, shown))
    sections = [
        Section("Section", (), cut, 460, [_table("For good", steady_rows(answer, shown))]),
        Section("Inflow through time", (), flow, 420, [_table("", time_rows(answer, shown))]),
    ]
    if wells:
        sections.append(
            Section("Pumping that keeps it dry", (wells_say,), tables=[_table("", well_rows(wells, shown))])
        )
    return figure_page(FigurePage(title, said, sections, notes))


def _table(heading: str, rows: Sequence[Row]) -> PageTable:
    heads = [name.replace("_", " ").capitalize() for name in rows[0]]
    return PageTable(heading, heads, [list(row.values()) for row in rows])
