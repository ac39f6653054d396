"""What a cone of depression is, as plain data for machines and as rows of tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from models.aquifer.cone_measures import Measures
from models.cone.answer import ConeAnswer, Reach, Reached
from models.cone.balance import Loss, Ranged
from models.cone.flow import FlowTold
from models.cone.history import FadeTold
from models.cone.public import RingReach
from reports.aquifer.cone_section import instants
from reports.shown_units import Shown, Unit

REACHED: dict[Reached, str] = {"yes": "reached", "perhaps": "perhaps: part of the range", "no": "not reached"}
POINTS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
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


def _bound(one: Measures, shown: Shown) -> dict[str, Any]:
    numbers = {"width": (one.width, shown.length), "area": (one.area, shown.area), "volume": (one.volume, shown.volume)}
    return {name: {"value": unit.of(value), "unit": unit.name} for name, (value, unit) in numbers.items()}


def _reach_data(one: Reach, shown: Shown) -> dict[str, Any]:
    return {
        "id": one.point.id, "kind": one.point.kind, "reached": one.reached,
        "drawdown": ranged(one.drawdown_m, shown.drawdown),
        "without_stream": {"value": shown.drawdown.of(one.theis_m), "unit": shown.drawdown.name},
        "left_above_intake": None if one.left_m is None else ranged(one.left_m, shown.drawdown),
    }  # fmt: skip


def ring_data(one: RingReach, shown: Shown) -> dict[str, Any]:
    """A private well as anybody may see it."""
    return {
        "id": one.ring.id, "place": one.ring.where, "reached": one.reached,
        "drawdown_in_ring": ranged(one.drawdown_m, shown.drawdown),
    }  # fmt: skip


def _loss_data(one: Loss, rate: float, shown: Shown) -> dict[str, Any]:
    share = one.rate.best / rate if rate > 0 else None
    return {
        "id": one.stream, "name": one.name, "wells": list(one.wells), "depletion": ranged(one.rate, shown.stream),
        "share_of_pumping": share, "volume": ranged(one.volume, shown.volume),
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
    """How a residual dies away, by dates."""
    tenth, amount = (_day(stop, day) for day in one.best.below_d)
    return {
        "id": one.id, "at_stop": unit.of(one.best.at_stop), "peak": unit.of(one.best.peak), "unit": unit.name,
        "peak_on": _day(stop, one.best.peak_d), "below_tenth_of_peak_on": tenth, "below_amount_on": amount,
        "earliest": _day(stop, one.earliest_d), "latest": _day(stop, one.latest_d),
    }  # fmt: skip


def _day(stop: float, after: float | None) -> str | None:
    """The civil day; None where it is never, or beyond the calendar."""
    return None if after is None or stop + after > 2_900_000 else instants(stop + after)[:10]


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


def _row(name: str, one: Ranged, unit: Unit, bound: float | None) -> Row:
    return {
        "measure": name, "best": unit.says(one.best), "low": unit.text(unit.of(one.low)),
        "high": unit.text(unit.of(one.high)), "without_stream": "" if bound is None else unit.text(unit.of(bound)),
    }  # fmt: skip


def reach_rows(reaches: Sequence[Reach], shown: Shown) -> list[Row]:
    """Drawdown at points, and what is left above the pump."""
    unit = shown.drawdown
    return [
        {
            "well": one.point.id, "kind": one.point.kind, "drawdown": unit.says(one.drawdown_m.best),
            "range": span(one.drawdown_m, unit), "without_stream": unit.text(unit.of(one.theis_m)),
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
            "stream": one.name or one.stream, "depletion": shown.stream.says(one.rate.best),
            "range": span(one.rate, shown.stream),
            "share_of_pumping": f"{100 * one.rate.best / rate:.0f} %" if rate > 0 else "",
            "volume_so_far": shown.volume.says(one.volume.best), "wells": ", ".join(one.wells),
        }
        for one in losses
    ]  # fmt: skip


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
            "largest": f"{text[one['id']].text(one['peak'])} on {one['peak_on']}",
            "below_a_tenth_of_it": one["below_tenth_of_peak_on"] or "not in 2,700 years",
            "below_the_amount": one["below_amount_on"] or "not in 2,700 years",
            "over_the_range": f"{one['earliest'] or '?'} to {one['latest'] or 'later'}",
        }
        for one in fades
    ]  # fmt: skip


def span(one: Ranged, unit: Unit) -> str:
    """Low to high, without the unit."""
    return f"{unit.text(unit.of(one.low))} to {unit.text(unit.of(one.high))}"


def best_and_span(one: Ranged, unit: Unit) -> str:
    """The best estimate with its unit, and low to high in brackets."""
    return f"{unit.says(one.best)} ({span(one, unit)})"
