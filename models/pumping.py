"""Metered pumping, and what it does to stream and water table by superposed Hunt 1999 responses.

A totalizer reading less the one before is the volume of the time between, spread evenly over it. A
drop without a recorded reason is not used and is said. Modelled numbers carry the aquifer's stated
range: low and high are the extremes over the corners of transmissivity, specific yield and streambed
conductance. They are evidence beside a finding, never a finding of cause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import pairwise, product

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.hunt import hunt_depletion_fraction, hunt_drawdown
from models.aquifer.superposition import superpose
from models.observation import DAY_MS, Flags
from models.place import stream_frame
from models.question import Question, StoredRow, stored_rows
from models.site import Aquifer, Meter, Stream, Well
from models.units import factor

NEAREST_FT = 0.5  # a well is not a point: no drawdown is asked for inside its own borehole


@dataclass(frozen=True)
class Interval:
    """Volume pumped between two readings of one meter. ``volume_gal`` None: not known, and ``note`` says why."""

    start_ms: int
    end_ms: int
    volume_gal: float | None
    note: str
    row: str


@dataclass(frozen=True)
class Modelled:
    """A modelled number with its stated range, and the meter rows it rests on."""

    best: float
    low: float
    high: float
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Properties:
    """One corner of the aquifer's stated range: T [ft2/d], S [-], streambed conductance [ft/d]."""

    transmissivity: float
    storativity: float
    streambed_conductance: float


Schedule = tuple[Numbers, Numbers]  # days since 1970, and the rate held from each [ft3/d]


def intervals(meter: Meter, readings: Iterable[StoredRow]) -> list[Interval]:
    """Volumes between consecutive readings of one meter.

    Parameters
    ----------
    readings : stored rows (time_ms, value [gal], flags, row_id) in order of time.
    """
    rows = list(readings)
    return [_interval(meter, before, after) for before, after in pairwise(rows)]


def _interval(meter: Meter, before: StoredRow, after: StoredRow) -> Interval:
    marks = set(Flags.parse(after.flags).qualifiers)
    volume, note = float(after.value) - float(before.value), ""
    if marks & {"replaced-in", "reset"}:
        volume, note = 0.0, "register exchanged or reset"
    elif volume < 0 and "rollover" in marks and meter.register_gal is not None:
        volume += float(meter.register_gal)
    if volume != volume or volume < 0:
        return Interval(before.time_ms, after.time_ms, None, "register fell without a recorded reason", after.row_id)
    return Interval(before.time_ms, after.time_ms, volume, note, after.row_id)


def schedule(found: Sequence[Interval]) -> Schedule:
    """Intervals as a rate held from each start [ft3/d]; unknown volumes pump nothing, a step of zero ends it."""
    days = np.array([one.start_ms for one in found] + [found[-1].end_ms], np.float64) / DAY_MS
    per_gallon = float(factor("gal", "ft3"))
    rates = [(one.volume_gal or 0.0) * per_gallon * DAY_MS / (one.end_ms - one.start_ms) for one in found]
    return days, np.array([*rates, 0.0])


def depletion_cfs(question: Question, stream: Stream, until: date) -> Modelled | None:
    """Depletion of a stream by all metered wells at the start of ``until`` [cfs]; None where no meter was read."""

    def response(well: Well, corner: Properties, elapsed: Numbers) -> Numbers:
        distance, _, _ = stream_frame(stream.line, well.position)
        return hunt_depletion_fraction(
            corner.transmissivity, corner.storativity, distance, corner.streambed_conductance, elapsed
        )

    found = _superposed(question, until, response)
    seconds = float(factor("ft3/d", "cfs"))
    return (
        None if found is None else Modelled(found.best * seconds, found.low * seconds, found.high * seconds, found.rows)
    )


def drawdown_ft(question: Question, target: Well, until: date) -> Modelled | None:
    """Drawdown at a well by all metered wells at the first instant of ``until`` [ft]; None where no meter was read."""
    point, _ = question.position(target)

    def response(well: Well, corner: Properties, elapsed: Numbers) -> Numbers:
        distance, x, y = _beside_stream(question, well, point)
        return hunt_drawdown(
            1.0, corner.transmissivity, corner.storativity, distance, corner.streambed_conductance, x, y, elapsed
        )

    return _superposed(question, until, response)


def _beside_stream(question: Question, well: Well, point: tuple[float, float]) -> tuple[float, float, float]:
    """Hunt's frame for one pumping well and one target: distance to the nearest stream, and the target's x and y."""
    frames = [stream_frame(one.line, well.position) for one in question.site.stream]
    distance, foot, (ux, uy) = min(frames, key=lambda frame: frame[0])
    dx, dy = point[0] - foot[0], point[1] - foot[1]
    x, y = dx * ux + dy * uy, dy * ux - dx * uy
    return (distance, x, y) if np.hypot(x - distance, y) >= NEAREST_FT else (distance, x, y + NEAREST_FT)


def _superposed(
    question: Question, until: date, response: Callable[[Well, Properties, Numbers], Numbers]
) -> Modelled | None:
    aquifer = question.site.aquifer
    pumped = [(one, found) for one in question.site.meter if (found := _metered(question, one, until))]
    if aquifer is None or not pumped or not question.site.stream:
        return None
    at = _midnight_day(question, until)
    totals = [
        sum(_one_well(question, one, found, corner, at, response) for one, found in pumped)
        for corner in _corners(aquifer)
    ]
    rows = tuple(found[-1].row for _, found in pumped)
    return Modelled(float(totals[0]), float(min(totals)), float(max(totals)), rows)


def _one_well(
    question: Question,
    meter: Meter,
    found: list[Interval],
    corner: Properties,
    at: float,
    response: Callable[[Well, Properties, Numbers], Numbers],
) -> float:
    well = next(one for one in question.site.well if one.id == meter.well)
    days, rates = schedule(found)
    return float(superpose(days, rates, np.array([at]), lambda elapsed: response(well, corner, elapsed))[0])


def _metered(question: Question, meter: Meter, until: date) -> list[Interval]:
    rows = question.observations.rows([meter.id], ["meter_reading"], None, until)
    return intervals(meter, stored_rows(rows))


def _midnight_day(question: Question, day: date) -> float:
    return datetime.combine(day, time(), question.zone).timestamp() * 1000 / DAY_MS


def _corners(aquifer: Aquifer) -> list[Properties]:
    """The best estimate first, then every corner of the stated range."""
    t, s, c = aquifer.transmissivity_ft2_per_d, aquifer.specific_yield, aquifer.streambed_conductance_ft_per_d
    best = Properties(float(t.best), float(s.best), float(c.best))
    ends = product((t.low, t.high), (s.low, s.high), (c.low, c.high))
    return [best, *(Properties(float(a), float(b), float(d)) for a, b, d in ends)]
