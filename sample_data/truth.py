"""The truth behind the record, and what a right reading of it must find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

import field
import makers
import scenario
import truth_register
from climate import calendar
from gauges import Gauges
from truth_clocks import CLOCKS
from truth_quality import quality
from world import PUMPING, World

CLAUSE_FLOW = "2.09(3)(c)"
Row = Mapping[str, object]


def files(world: World, gauges: Gauges, base_flow: Decimal) -> dict[str, str]:
    """flow.csv, heads.csv, pumping.csv and expected.toml."""
    days = calendar(scenario.GAUGE_FIRST, scenario.LAST_DAY)
    return {
        "flow.csv": makers.table("day,natural_cfs,depletion_cfs,with_mine_cfs", [_flow(world, day) for day in days]),
        "heads.csv": makers.table("day,well,natural_ft,drawdown_ft,with_mine_ft", _heads(world, days[::7])),
        "pumping.csv": makers.table("day,gallons,cfs", [_pumped(world, day) for day in calendar(*PUMPING)]),
        "expected.toml": expected(world, gauges, base_flow),
    }


def _flow(world: World, day: date) -> tuple[str, str, str, str]:
    i = world.row(day)
    natural, depletion = (Decimal(makers.fixed(float(x[i]), 4)) for x in (world.natural_cfs, world.depletion_cfs))
    return str(day), str(natural), str(depletion), str(natural - depletion)


def _heads(world: World, days: Sequence[date]) -> list[tuple[str, ...]]:
    rows = []
    for well in scenario.WELLS:
        for day in days:
            i = world.row(day)
            natural = Decimal(makers.fixed(float(world.natural_ft[well.id][i]), 3))
            drawdown = Decimal(makers.fixed(float(world.drawdown_ft[well.id][i]), 3))
            rows.append((str(day), well.id, str(natural), str(drawdown), str(natural - drawdown)))
    return rows


def _pumped(world: World, day: date) -> tuple[str, int, str]:
    gallons = int(world.pumped_gal[world.row(day)])
    return str(day), gallons, makers.fixed(gallons * 231 / 1728 / 86_400, 4)


HEAD = """\
# What a right reading of the sample record must find, worked out by hand from the ordinance, NR 140 and the story.
# Written by sample_data/generate.py; the numbers that depend on the record are filled in from it.
# known_on is the first stated night whose delivery shows it (2025-06-30 is the baseline load).
"""


def expected(world: World, gauges: Gauges, base_flow: Decimal) -> str:
    """expected.toml."""
    parts = [HEAD, _table("truth", _ground(base_flow))]
    found = [*_flow_findings(gauges, world), *_quantity(world), *quality(), *truth_register.FINDINGS]
    parts += [_table("[finding]", row) for row in found]
    parts += [_table("[clock]", row) for row in CLOCKS]
    parts += [_table("[duty]", row) for row in truth_register.DUTIES]
    parts += [_table("[reject]", row) for row in REJECTS]
    parts += [_table("[day]", row) for row in _odd_days(gauges)]
    return "\n".join(parts)


def _ground(base_flow: Decimal) -> Row:
    ground = scenario.TRUE_AQUIFER
    return {
        "base_flow_cfs": base_flow,
        "transmissivity_ft2_per_d": ground.transmissivity_ft2_per_d,
        "specific_yield": ground.specific_yield,
        "streambed_conductance_ft_per_d": ground.streambed_conductance_ft_per_d,
        "well_to_stream_ft": scenario.CREEK_X - scenario.PUMPED[0],
        "solution": "Hunt (1999), daily rates superposed, read at the middle of each day",
        "mining_began": scenario.MINING_BEGAN,
        "pumping_from": PUMPING[0],
        "pumping_to": PUMPING[1],
    }


def _flow_findings(gauges: Gauges, world: World) -> list[Row]:
    return [
        _spell(
            gauges, world, "d", (date(2024, 8, 18), date(2024, 8, 24)), "TRIGGERED_CLOSED", "not_applicable",
            known=7, possible=7, trigger_date=date(2024, 8, 23), known_on=date(2025, 6, 30),
            note="weather alone, before mining began: feeds the natural rate (1 in the baseline year), opens nothing",
        ),
        _spell(
            gauges, world, "e", (date(2025, 7, 8), date(2025, 7, 14)), "TRIGGERED_OPEN", "attained",
            known=7, possible=7, trigger_date=date(2025, 7, 13), known_on=date(2025, 7, 15), provisional=True,
            confidence="WITHIN_UNCERTAINTY", retracted_on=date(2025, 9, 10), changed_day=date(2025, 7, 11),
            provisional_cfs=Decimal(gauges.daily_text(date(2025, 7, 11))),
            approved_cfs=Decimal(gauges.daily_text(date(2025, 7, 11), approved=True)),
            note="a fouled sensor read low on 11 July; the approved record leaves two spells of three days (MINOR). "
            "The first known day not below is 15 July, delivered on the night of 28 July: TRIGGERED_CLOSED from then",
        ),
        _spell(
            gauges, world, "a", (date(2025, 7, 22), date(2025, 7, 26)), "MINOR", "not_attained",
            known=5, possible=5, known_on=date(2025, 7, 28), note="five days are not more than five",
        ),
        _spell(
            gauges, world, "c", (date(2025, 8, 3), date(2025, 8, 9)), "INDETERMINATE", "indeterminate",
            known=6, possible=7, indeterminate_from=date(2025, 8, 8), missing=[scenario.EQUIPMENT_DAY],
            known_on=date(2025, 8, 11), note="6 August is missing in both files: no six known days in a row, ever",
        ),
        _spell(
            gauges, world, "b", (date(2025, 8, 20), date(2025, 8, 27)), "TRIGGERED_CLOSED", "attained",
            known=7, possible=8, trigger_date=date(2025, 8, 25), missing=[scenario.LOST_DAY], provisional=True,
            confidence="WITHIN_UNCERTAINTY", known_on=date(2025, 8, 26), closed_on=date(2025, 8, 29),
            note="TRIGGERED_OPEN on the night of 26 August; 26 August itself is missing in both files; flows were back "
            "at base flow on 28 August. Only some of its days lie more than 8 percent below the base flow",
        ),
    ]  # fmt: skip


def _spell(
    gauges: Gauges, world: World, letter: str, span: tuple[date, date], status: str, verdict: str, **more: object
) -> Row:
    days = calendar(*span)
    return {
        "plant": letter,
        "rule": "howard.baseflow",
        "clause": CLAUSE_FLOW,
        "station": "LMC-1",
        "status": status,
        "verdict": verdict,
        "start": span[0],
        "end": span[1],
        **more,
        "published_cfs": [dict(_cell(gauges, day)) for day in days],
        "natural_cfs": [Decimal(makers.fixed(float(world.natural_cfs[world.row(day)]), 2)) for day in days],
        "depletion_cfs": [Decimal(makers.fixed(float(world.depletion_cfs[world.row(day)]), 2)) for day in days],
    }


def _cell(gauges: Gauges, day: date) -> list[tuple[str, object]]:
    rows = gauges.creek_rows(day, day)
    return [("day", day), ("value", rows[0][1] if rows else "")]


def _quantity(world: World) -> list[Row]:
    drop = makers.fixed(float(world.drawdown_ft["PVT-1"][world.row(field.DRY_VISIT)]), 2)
    deep = makers.fixed(float(world.drawdown_ft["PVT-2"].max()), 2)
    common = {"rule": "howard.quantity.private", "clause": "2.09(3)(b), 2.15(1)(b)"}
    return [
        {
            **common, "station": "PVT-1", "verdict": "attained", "start": date(2025, 8, 9),
            "known_on": date(2025, 8, 11), "restored": field.restored(world), "true_drawdown_ft": Decimal(drop),
            "evidence": ["owner's log: no water, 2025-08-09", "hand level: DRY, 2025-08-10", "notice: 2025-08-11"],
            "note": "without the mine the sand point would have held water all year; before the night of 11 August "
            "only a modelled drawdown speaks for it (needs_confirmation at most)",
        },
        {
            **common, "station": "PVT-2", "never": "attained", "true_drawdown_ft": Decimal(deep),
            "note": "a drop of some feet, more than fifty feet of water left above the pump",
        },
        {
            **common, "station": "PVT-3", "verdict": "not_applicable",
            "note": "parcel and well lie beyond one half mile, also with the position's uncertainty",
        },
    ]  # fmt: skip


REJECTS: tuple[Row, ...] = (
    {"night": date(2025, 8, 12), "file": "usgs-05999101-uv-2025-08-12.rdb", "raw": "4.x2", "cell": "discharge",
     "note": "one quarter hour of 11 August; the right value comes with the night of 26 August"},
    {"night": date(2025, 9, 25), "file": "hand-levels-2025-09-25.csv", "raw": "12.o4", "cell": "depth_to_water_ft",
     "note": "MW-4, 23 September"},
    {"night": date(2025, 11, 4), "file": "grn-export-2025-10-28.csv", "raw": "furlongs/L", "cell": "Units",
     "note": "chloride at MW-5"},
)  # fmt: skip


def _odd_days(gauges: Gauges) -> list[Row]:
    quarter_hours = gauges.unit[scenario.LONG_DAY]
    mean = makers.flow_text(float(sum(Decimal(text) for _, _, text in quarter_hours) / len(quarter_hours)))
    return [
        {"station": "LMC-1", "day": scenario.LONG_DAY, "state": "N", "values": len(quarter_hours),
         "mean_cfs": Decimal(mean), "note": "25 hours, no published mean: the mean of the 15-minute values"},
        *({"station": "LMC-1", "day": day, "state": "U", "note": "Ice"} for day in scenario.ICE_DAYS),
        {"station": "LMC-1", "day": scenario.EQUIPMENT_DAY, "state": "U", "note": "Eqp, no 15-minute values"},
        {"station": "LMC-1", "day": scenario.LOST_DAY, "state": "U", "note": "no row in either file"},
    ]  # fmt: skip


def _table(name: str, row: Row) -> str:
    return f"[{name}]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in row.items())


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace('"', '\\"') + '"'
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    return str(value)
