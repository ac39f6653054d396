"""Metered pumping, and what it does to stream and water table by superposed Hunt 1999 responses.

Where the site has no stream the drawdown is Theis's; where it has one, Theis is the upper bound: the stream gives
water, so that no point is drawn down further beside it.

A volume between two readings (``models.metered_volumes``) is spread evenly over the time between. Modelled numbers
carry the aquifer's stated range: low and high are the extremes over transmissivity, specific yield and streambed
conductance. The water table is corrected for the thickness it loses (Jacob). They are evidence beside a finding, never
a finding of cause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import zip_longest

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.band import band
from models.aquifer.extremes import Ranges, Values
from models.aquifer.hunt import hunt_depletion_fraction, hunt_drawdown
from models.aquifer.superposition import superpose_rows
from models.aquifer.theis import theis_drawdown
from models.aquifer.unconfined import measured_drawdown
from models.known_volumes import known_at_wells, speaking
from models.metered_volumes import Interval, intervals, not_known_ms
from models.observation import DAY_MS
from models.place import apart, stream_frame
from models.question import Question, stored_rows
from models.site import Aquifer, Meter, Stream, Well
from models.units import factor

ONE_DAY = timedelta(days=1)
FIRST_LOOK_DAYS = 32
NEAREST_FT = 0.5  # a well is not a point: no drawdown is asked for inside its own borehole


@dataclass(frozen=True)
class Modelled:
    """A modelled number with its stated range at the end of a civil day, and the meter rows it rests on.

    ``lacks``: what is not known of the pumping, each in words; no range holds it.
    """

    best: float
    low: float
    high: float
    on: date
    rows: tuple[str, ...]
    lacks: tuple[str, ...] = ()

    def says_lacks(self) -> str:
        """The same behind a number."""
        return "".join(f"; {one}" for one in self.lacks)


@dataclass(frozen=True)
class Properties:
    """One corner of the aquifer's stated range: T [ft2/d], S [-], streambed conductance [ft/d]."""

    transmissivity: float
    storativity: float
    streambed_conductance: float


Response = Callable[[Well, Properties, Numbers], Numbers]  # to one unit of rate [ft3/d], by days since it began
Answer = Callable[[Aquifer, Numbers], Numbers]  # from the superposed responses
Metered = Sequence[tuple[Meter, list[Interval]]]
Schedule = tuple[Numbers, Numbers]  # days since 1970, and the rate held from each [ft3/d]


def schedule(found: Sequence[Interval]) -> Schedule:
    """Intervals as a rate held from each start [ft3/d]; unknown volumes and time between intervals pump nothing.

    Where reports contradict each other, the least that they tell.
    """
    found = [one for one in found if one.end_ms > one.start_ms]  # an exchange read at one instant takes no time
    per_gallon, steps = float(factor("gal", "ft3")), list[tuple[float, float]]()
    for one, after in zip_longest(found, found[1:]):
        rate = one.at_least_gal * per_gallon * DAY_MS / (one.end_ms - one.start_ms)
        steps.append((one.start_ms / DAY_MS, rate))
        if after is None or after.start_ms > one.end_ms:
            steps.append((one.end_ms / DAY_MS, 0.0))
    return np.array([day for day, _ in steps], np.float64), np.array([rate for _, rate in steps], np.float64)


def depletion_cfs(question: Question, stream: Stream, until: date) -> Modelled | None:
    """Depletion of a stream by all metered wells at the start of ``until`` [cfs]; None where no meter was read."""
    return _last(_modelled(question, [until], depletion_response(stream)))


def depletion_response(stream: Stream) -> Response:
    """Depletion of a stream by Hunt (1999) [cfs]."""

    def response(well: Well, corner: Properties, elapsed: Numbers) -> Numbers:
        distance, _, _ = stream_frame(stream.line, well.position)
        return float(factor("ft3/d", "cfs")) * hunt_depletion_fraction(
            corner.transmissivity, corner.storativity, distance, corner.streambed_conductance, elapsed
        )

    return response


def drawdown_ft(question: Question, target: Well, until: date, known: Metered | None = None) -> Modelled | None:
    """Drawdown at a well by all metered wells at the start of ``until`` [ft]; None where no meter was read.

    ``known``: what `metered` says up to ``until``, where it has been asked already.
    """
    return _last(_modelled(question, [until], drawdown_response(question, target), known, water_table))


def theis_drawdown_ft(question: Question, target: Well, until: date, known: Metered | None = None) -> Modelled | None:
    """The same as if there were no stream [ft]: the upper bound."""
    return _last(_modelled(question, [until], theis_response(question, target), known, water_table))


def over_since(question: Question, target: Well, until: date, limit_ft: float, known: Metered | None = None) -> date:
    """The civil day from whose end to ``until`` the high drawdown has been at or over a limit without a break.

    Looked for backwards in growing blocks: a run that began lately costs little, however long the record.
    """
    response, pumped = drawdown_response(question, target), metered(question, until) if known is None else known
    last, block = until, FIRST_LOOK_DAYS
    while True:
        first = max(last - timedelta(days=block - 1), question.began + ONE_DAY)
        days = [first + timedelta(days=k) for k in range((last - first).days + 1)]
        found = _modelled(question, days, response, pumped, water_table)  # None: no meter had been read yet
        under = [day for k, day in enumerate(days) if found is None or found[k].high < limit_ft]
        if under or first <= question.began + ONE_DAY:
            return min(max(under), until - ONE_DAY) if under else question.began
        last, block = first - ONE_DAY, 2 * block


def drawdown_response(question: Question, target: Well) -> Response:
    """Drawdown at a well [ft] by Hunt (1999) beside the stream nearest to each pumping well; Theis (1935) without."""
    if not question.site.stream:
        return theis_response(question, target)
    point, _ = question.position(target)
    frames = {one.id: _beside_stream(question, one, point) for one in question.site.wells("production")}

    def response(well: Well, corner: Properties, elapsed: Numbers) -> Numbers:
        distance, x, y = frames[well.id]
        return hunt_drawdown(
            1.0, corner.transmissivity, corner.storativity, distance, corner.streambed_conductance, x, y, elapsed
        )

    return response


def theis_response(question: Question, target: Well) -> Response:
    """Drawdown at a well [ft] in an aquifer without a stream (Theis 1935)."""
    point, _ = question.position(target)

    def response(well: Well, corner: Properties, elapsed: Numbers) -> Numbers:
        distance = max(apart(point, well.position), NEAREST_FT)
        return theis_drawdown(1.0, corner.transmissivity, corner.storativity, distance, elapsed)

    return response


def _beside_stream(question: Question, well: Well, point: tuple[float, float]) -> tuple[float, float, float]:
    """Hunt's frame for one pumping well and one target: distance to the nearest stream, and the target's x and y."""
    frames = [stream_frame(one.line, well.position) for one in question.site.stream]
    distance, foot, (ux, uy) = min(frames, key=lambda frame: frame[0])
    dx, dy = point[0] - foot[0], point[1] - foot[1]
    x, y = dx * ux + dy * uy, dy * ux - dx * uy
    return (distance, x, y) if np.hypot(x - distance, y) >= NEAREST_FT else (distance, x, y + NEAREST_FT)


def _last(found: list[Modelled] | None) -> Modelled | None:
    return found[-1] if found else None


def water_table(aquifer: Aquifer, drawdown_ft: Numbers) -> Numbers:
    """Drawdown of a water table [ft] for that of an aquifer that keeps its thickness; at most all of it."""
    return measured_drawdown(drawdown_ft, float(aquifer.saturated_thickness_ft))


def as_superposed(_aquifer: Aquifer, total: Numbers) -> Numbers:
    """What is superposed is the answer: depletion."""
    return total


def _modelled(
    question: Question, days: Sequence[date], response: Response, known: Metered | None = None,
    answer: Answer = as_superposed,
) -> list[Modelled] | None:  # fmt: skip
    """All metered wells together at the start of each day, or at the last reading where that is earlier.

    ``known``: what the meters say, where it is known already; else as read up to the last of the days.
    """
    aquifer, pumped = question.site.aquifer, metered(question, days[-1]) if known is None else known
    if aquifer is None or not pumped:
        return None
    at = np.minimum([midnight_day(question, day) for day in days], read_until(pumped))

    def curves(every: Sequence[Values], times: Numbers) -> Numbers:
        return answer(aquifer, totals_of(question, pumped, properties(every), times, response))

    found, lacks = band(curves, ranges(aquifer), at), not_known(pumped)
    return [
        Modelled(float(best), float(low), float(high), last_civil_day(question, when), last_rows(pumped), lacks)
        for best, low, high, when in zip(found.best, found.low, found.high, at, strict=True)
    ]


def totals_of(
    question: Question, pumped: Metered, properties: Sequence[Properties], at: Numbers, response: Response
) -> Numbers:
    """float64[corner, instant]: the corners share the schedule, and with it nearly all of the work."""
    totals = np.zeros((len(properties), at.size))
    for meter, found in pumped:
        well = next(one for one in question.site.well if one.id == meter.well)

        def responses(elapsed: Numbers, well: Well = well) -> Numbers:
            return np.array([response(well, corner, elapsed) for corner in properties])

        totals += superpose_rows(*schedule(found), at, responses, len(properties), diffusive=True)
    return totals


def metered(question: Question, until: date) -> Metered:
    """Every meter that was read twice up to a civil day, and its volumes.

    Of a well without one, or whose site file states that others speak, its log, run times or reports, as a meter under
    the well's id.
    """
    wells = question.site.wells("production")
    by_meter = {one.id for one in wells if one.volumes_by in {None, "meter"}}
    meters = [one for one in question.site.meter if one.well in by_meter]
    rows = stored_rows(question.observations.rows([one.id for one in meters], ["meter_reading"], None, until))
    volumes = ((one, intervals(one, [row for row in rows if row.station == one.id])) for one in meters)
    read = [(one, found) for one, found in volumes if found]
    metered = {one.well for one, _ in read}
    other = [one for one in wells if one.volumes_by != "meter" and one.id not in metered]
    return [*read, *_told(question, other, until)]


def _told(question: Question, wells: Sequence[Well], until: date) -> Iterator[tuple[Meter, list[Interval]]]:
    known = known_at_wells(question, wells, until) if wells else {}
    for well in wells:
        speaks = speaking(known[well.id], well.volumes_by)
        for record in speaks.records if speaks else ():
            yield Meter(id=well.id, well=well.id), list(record)


def not_known(pumped: Metered) -> tuple[str, ...]:
    """What a model takes for rest, or for the least that is told, because nobody knows it."""
    found = [(meter.id, not_known_ms(one)) for meter, one in pumped]
    return (
        *(f"nothing is known of {id} for {ms / DAY_MS:.3g} days of its record, which count as no pumping"
          for id, ms in found if ms),
        *(f"{meter.id} has records that contradict each other, and the least that they tell counts"
          for meter, one in pumped if any(each.told_gal for each in one)),
    )  # fmt: skip


def read_until(pumped: Metered) -> float:
    """The last reading of all [days since 1970]."""
    return max(found[-1].end_ms for _, found in pumped) / DAY_MS


def last_rows(pumped: Metered) -> tuple[str, ...]:
    """The last reading of every meter."""
    return tuple(found[-1].row for _, found in pumped)


def last_civil_day(question: Question, day: float) -> date:
    """The civil day that an instant [days since 1970] ends or falls in."""
    return datetime.fromtimestamp(day * DAY_MS / 1000 - 1, question.zone).date()


def midnight_day(question: Question, day: date) -> float:
    """The first instant of a civil day [days since 1970]."""
    return datetime.combine(day, time(), question.zone).timestamp() * 1000 / DAY_MS


def ranges(aquifer: Aquifer) -> Ranges:
    """T [ft2/d], S [-] and streambed conductance [ft/d] as the site states them."""
    stated = {
        "T": aquifer.transmissivity_ft2_per_d, "S": aquifer.specific_yield,
        "lam": aquifer.streambed_conductance_ft_per_d,
    }  # fmt: skip
    return Ranges({name: (float(one.low), float(one.best), float(one.high)) for name, one in stated.items()})


def properties(every: Iterable[Values]) -> list[Properties]:
    """Sets of values by name as corners."""
    return [Properties(one["T"], one["S"], one["lam"]) for one in every]


def corners(aquifer: Aquifer) -> list[Properties]:
    """The best estimate first, then every corner of the stated range."""
    return properties(ranges(aquifer).corners())
