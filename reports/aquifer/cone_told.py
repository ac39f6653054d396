"""What a cone of depression is, as plain data for machines and as rows of tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from models.cone.answer import ConeAnswer, Reach, Reached
from models.cone.balance import Loss
from models.cone.extent import Extent
from models.cone.fading import FadeTold
from models.cone.flow import FlowTold
from models.cone.public import RingReach
from models.cone.searched import Ranged
from reports.aquifer.cone_section import instants
from reports.shown_units import Shown, Unit

REACHED: dict[Reached, str] = {"yes": "reached", "perhaps": "perhaps: part of the range", "no": "not reached"}
POINTS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
LAST_DAY = 2_900_000
"""The calendar of dates ends some time after it."""
Row = dict[str, str]


def cone_data(answer: ConeAnswer, flow: FlowTold, shown: Shown) -> dict[str, Any]:
    """The whole answer in the reader's units; every number carries its unit."""
    extent = answer.extent
    return {
        "on": instants(answer.day), "scenario": answer.scenario.kind, "name": answer.scenario.name,
        "drawdown": {"value": shown.drawdown.of(answer.level_m), "unit": shown.drawdown.name},
        "pumping": {"value": shown.pumping.of(answer.rate), "unit": shown.pumping.name},
        "depth": {**ranged(answer.depth_m, shown.drawdown), "at": answer.depth_at},
        "width": ranged(extent.width, shown.length), "narrowest_width": ranged(extent.across, shown.length),
        "area": ranged(extent.area, shown.area), "volume": ranged(extent.volume, shown.volume),
        "parts": extent.best.parts, "closed": answer.complete,
        "without_stream": None if answer.theis_extent is None else _bound(answer.theis_extent, shown),
        "points": [_reach_data(one, shown) for one in answer.reaches],
        "streams": [_loss_data(one, answer.rate, shown) for one in answer.losses],
        "balance": _balance_data(answer, shown), "flow": _flow_data(flow, shown), "may_be_dry": list(answer.dry),
    }  # fmt: skip


def ranged(one: Ranged, unit: Unit) -> dict[str, Any]:
    """Low, best and high with their unit."""
    return {"low": unit.of(one.low), "best": unit.of(one.best), "high": unit.of(one.high), "unit": unit.name}


def _bound(one: Extent, shown: Shown) -> dict[str, Any]:
    numbers = {"width": (one.width, shown.length), "area": (one.area, shown.area), "volume": (one.volume, shown.volume)}
    return {name: _valued(value, unit) for name, (value, unit) in numbers.items()}


def _valued(one: Ranged, unit: Unit) -> dict[str, Any]:
    """Best as ``value``, with its range."""
    return {"value": unit.of(one.best), "low": unit.of(one.low), "high": unit.of(one.high), "unit": unit.name}


def _reach_data(one: Reach, shown: Shown) -> dict[str, Any]:
    return {
        "id": one.point.id, "kind": one.point.kind, "reached": one.reached,
        "drawdown": ranged(one.drawdown_m, shown.drawdown),
        "without_stream": _valued(one.theis_m, shown.drawdown),
        "left_above_intake": None if one.left_m is None else ranged(one.left_m, shown.drawdown),
    }  # fmt: skip


def ring_data(one: RingReach, shown: Shown) -> dict[str, Any]:
    """A private well as anybody may see it."""
    return {
        "id": one.ring.id, "place": one.ring.where, "reached": one.reached,
        "drawdown_in_ring": ranged(one.drawdown_m, shown.drawdown),
    }  # fmt: skip


def _loss_data(one: Loss, rate: float, shown: Shown) -> dict[str, Any]:
    share = one.rate.best / rate if rate > 0 and one.rate else None
    return {
        "id": one.stream, "name": one.name, "wells": list(one.wells),
        "depletion": None if one.rate is None else ranged(one.rate, shown.stream), "share_of_pumping": share,
        "volume": None if one.volume is None else ranged(one.volume, shown.volume),
        "depletion_if_alone": None if one.alone is None else ranged(one.alone, shown.stream),
    }  # fmt: skip


def _balance_data(answer: ConeAnswer, shown: Shown) -> dict[str, Any] | None:
    one = answer.balance
    if one is None:
        return None
    numbers = {"pumped": one.pumped, "from_streams": one.streams, "from_storage": one.storage, "in_the_cone": one.found}
    told = {name: shown.volume.of(value) for name, value in numbers.items()}
    return {**told, "unit": shown.volume.name, "error_share": one.error}


def _flow_data(flow: FlowTold, shown: Shown) -> dict[str, Any]:
    places = zip(flow.places, flow.at_places.toward.tolist(), flow.at_places.rate.tolist(), strict=True)
    crossing = flow.boundary
    return {
        "regional": {"slope": flow.regional.slope, "toward_degrees": flow.regional.toward,
                     "rate": shown.flow.of(flow.regional_rate), "unit": shown.flow.name},
        "places": [{"name": p.name, "toward_degrees": toward, "rate": shown.flow.of(rate), "unit": shown.flow.name}
                   for p, toward, rate in places],
        "boundary": None if crossing is None else {
            "in": shown.pumping.of(crossing.inflow), "out": shown.pumping.of(crossing.outflow),
            "unit": shown.pumping.name},
    }  # fmt: skip


def fade_data(one: FadeTold, stop: float, unit: Unit) -> dict[str, Any]:
    """How an effect dies away, by dates; None: not in 2,700 years."""
    return {
        "id": one.id, "at_stop": unit.of(one.at_stop), "peak": unit.of(one.peak.best),
        "peak_range": ranged(one.peak, unit), "unit": unit.name, "peak_on": _day(stop, one.peak_d),
        "below_tenth_of_peak_on": _day(stop, one.tenth.best), "tenth_earliest": _day(stop, one.tenth.low),
        "tenth_latest": _day(stop, one.tenth.high), "below_amount_on": _day(stop, one.amount.best),
        "earliest": _day(stop, one.amount.low), "latest": _day(stop, one.amount.high),
    }  # fmt: skip


def _day(stop: float, after: float) -> str | None:
    """The civil day; None where it is never, or beyond the calendar."""
    return instants(stop + after)[:10] if np.isfinite(after) and stop + after <= LAST_DAY else None


def measure_rows(answer: ConeAnswer, shown: Shown) -> list[Row]:
    """Depth, width, area, volume and pumping: low, best, high, and without the stream."""
    extent, bound, level = answer.extent, answer.theis_extent, shown.level(answer.level_m)
    found = [_row(f"Depth, at {answer.depth_at}", answer.depth_m, shown.drawdown, None)]
    for name, one, unit, of in (
        (f"Width at {level}", extent.width, shown.length, "width"),
        ("Width where narrowest", extent.across, shown.length, "across"),
        (f"Area at or over {level}", extent.area, shown.area, "area"),
        ("Volume between the water tables in it", extent.volume, shown.volume, "volume"),
    ):
        found.append(_row(name, one, unit, None if bound is None else getattr(bound, of)))
    return found


def _row(name: str, one: Ranged, unit: Unit, bound: Ranged | None) -> Row:
    return {
        "measure": name, "best": unit.says(one.best), "low": unit.text(unit.of(one.low)),
        "high": unit.text(unit.of(one.high)), "without_stream": "" if bound is None else best_of(bound, unit),
    }  # fmt: skip


def reach_rows(reaches: Sequence[Reach], shown: Shown) -> list[Row]:
    """Drawdown at points, and what is left above the pump."""
    unit = shown.drawdown
    return [
        {
            "well": one.point.id, "kind": one.point.kind, "drawdown": unit.says(one.drawdown_m.best),
            "range": span(one.drawdown_m, unit), "without_stream": best_of(one.theis_m, unit),
            "cone": REACHED[one.reached],
            "left_above_intake": "" if one.left_m is None else best_and_span(one.left_m, unit),
        }
        for one in reaches
    ]  # fmt: skip


def ring_rows(rings: Sequence[RingReach], shown: Shown) -> list[Row]:
    """Private wells as anybody may see them."""
    unit = shown.drawdown
    return [
        {
            "well": one.ring.id, "place": one.ring.where, "ring": shown.length.says(one.ring.radius_m),
            "drawdown_in_the_ring": f"{span(one.drawdown_m, unit)} {unit.name}", "cone": REACHED[one.reached],
        }
        for one in rings
    ]  # fmt: skip


def loss_rows(losses: Sequence[Loss], rate: float, shown: Shown) -> list[Row]:
    """What each stream loses."""
    return [
        {
            "stream": one.name or one.stream, **_loss_row(one, rate, shown), "wells": ", ".join(one.wells),
            **({} if one.alone is None else {"alone_at_most": best_and_span(one.alone, shown.stream)}),
        }
        for one in losses
    ]  # fmt: skip


def _loss_row(one: Loss, rate: float, shown: Shown) -> Row:
    if one.rate is None or one.volume is None:
        return {"depletion": "not modelled", "range": "", "share_of_pumping": "", "volume_so_far": ""}
    return {
        "depletion": shown.stream.says(one.rate.best), "range": span(one.rate, shown.stream),
        "share_of_pumping": f"{100 * one.rate.best / rate:.0f} %" if rate > 0 else "",
        "volume_so_far": shown.volume.says(one.volume.best),
    }  # fmt: skip


def flow_rows(flow: FlowTold, shown: Shown) -> list[Row]:
    """Direction and rate of flow at places; the first row is the slope without pumping."""
    first = {"place": "without pumping", **_direction(flow.regional.toward, flow.regional_rate, shown)}
    at = zip(flow.places, flow.at_places.toward.tolist(), flow.at_places.rate.tolist(), strict=True)
    return [first, *({"place": p.name, **_direction(toward, rate, shown)} for p, toward, rate in at)]


def _direction(toward: float, rate: float, shown: Shown) -> Row:
    if rate == 0:
        return {"flows_toward": "nowhere: level", "rate_per_unit_width": shown.flow.says(0.0)}
    word = POINTS[round(toward / 22.5) % 16]
    return {"flows_toward": f"{toward:.0f}° ({word})", "rate_per_unit_width": shown.flow.says(rate)}


def fade_rows(fades: Sequence[dict[str, Any]], text: dict[str, Unit]) -> list[Row]:
    """After the pumps stop."""
    return [
        {
            "at": one["id"], "at_stop": f"{text[one['id']].text(one['at_stop'])} {one['unit']}",
            "largest_ever": f"{text[one['id']].text(one['peak'])} on {one['peak_on']}",
            "below_a_tenth_of_it": _days(one, "below_tenth_of_peak_on", "tenth_earliest", "tenth_latest"),
            "below_the_amount": _days(one, "below_amount_on", "earliest", "latest"),
        }
        for one in fades
    ]  # fmt: skip


def _days(one: dict[str, Any], best: str, earliest: str, latest: str) -> str:
    """A day, and in brackets the earliest and latest where there is a range."""
    told, first, last = (one[key] or "not in 2,700 years" for key in (best, earliest, latest))
    return told if first == last else f"{told} ({first} to {last})"


def span(one: Ranged, unit: Unit) -> str:
    """Low to high, without the unit."""
    high = unit.text(unit.of(one.high)) if np.isfinite(one.high) else "without end"
    return f"{unit.text(unit.of(one.low))} to {high}"


def best_and_span(one: Ranged, unit: Unit) -> str:
    """The best estimate with its unit, and low to high in brackets."""
    return f"{unit.says(one.best)} ({span(one, unit)})"


def best_of(one: Ranged, unit: Unit) -> str:
    """The best estimate without its unit, and low to high in brackets where they differ."""
    best = unit.text(unit.of(one.best))
    return best if one.low == one.high else f"{best} ({span(one, unit)})"
