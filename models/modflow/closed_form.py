"""A homogeneous version's run beside its closed form, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from models.aquifer.admissible import Numbers
from models.aquifer.hunt import hunt_depletion_fraction, hunt_drawdown
from models.aquifer.jacob_lohman import constant_drawdown_inflow_m3_per_d
from models.aquifer.superposition import superpose
from models.aquifer.theis import theis_drawdown
from models.modflow.numerical import Observed
from models.modflow.outcome import Outcome
from models.modflow.quantities import AN_INSTANT_D, FROM_DAY, onsets, settled
from models.modflow.twin import Twin

LEAST_CLOSED_M, LEAST_CLOSED_SHARE = 0.01, 0.01
LEAST_OFF_M, LEAST_OFF_SHARE = 0.003, 0.001


@dataclass(frozen=True, eq=False)
class Compared:
    """One quantity of the run and of the closed form at the same instants; off by ``least`` or below counts as none."""

    form: str
    quantity: str
    modelled: Numbers
    closed: Numbers
    least: float


def compared(twin: Twin, run: Outcome) -> tuple[Compared, ...]:
    """Everything that has a closed form, from a day after the first stress on.

    Below 0.01 m of drawdown, or a hundredth of the pumping as depletion, nothing is compared: a share of so little says
    nothing. Where that leaves none of the places asked about, they are held to feeling as little as the closed form
    says, and places at stated distances stand in for them on the day asked for, of which the map of the cone is.
    """
    if twin.pit:
        return tuple(_of_pit(twin, run))
    late = _late(run)
    asked = [one for one in twin.model.observed if one.id in twin.asked]
    stated = [one for one in twin.model.observed if one.id not in twin.asked]
    found = list(_drawdowns(twin, run, asked, late))
    if not found:
        last = np.arange(late.size) == late.size - 1
        found = [*_drawdowns(twin, run, asked, late, 0.0), *_drawdowns(twin, run, stated, last)]
    return (*found, *_of_stream(twin, run))


def _drawdowns(
    twin: Twin, run: Outcome, places: Sequence[Observed], when: NDArray[np.bool_], least: float = LEAST_CLOSED_M
) -> Iterator[Compared]:
    """At the places and steps at which the closed form says as much as ``least`` [m]."""
    for place in places:
        closed = _superposed(twin, run, _drawdown_at(twin, place.position))
        told = when & (np.abs(closed) >= least)
        if told.any():
            modelled = -run.hydrographs[place.id][told]
            yield Compared(twin.form, f"drawdown at {place.id}", modelled, closed[told], LEAST_OFF_M)


def _of_stream(twin: Twin, run: Outcome) -> Iterator[Compared]:
    if twin.stream is None:
        return
    late = _late(run)
    closed = _superposed(twin, run, _depletion(twin))[late]
    most = max(float(np.abs(one.rates).max()) for one in twin.wells)
    told = np.abs(closed) >= LEAST_CLOSED_SHARE * most
    if told.any():
        modelled = run.budget["stream"][late][told]
        yield Compared(twin.form, f"depletion of {twin.stream_id}", modelled, closed[told], LEAST_OFF_SHARE * most)


def _of_pit(twin: Twin, run: Outcome) -> Iterator[Compared]:
    """Each further lowering adds its own inflow, for the equation is linear; up to the first rise, which has none."""
    assert twin.pit is not None
    radius, days, lowered = twin.pit
    now = _now(run)
    rises = [day for day, by in zip(days[1:], np.diff(lowered), strict=True) if by < 0]
    late = (now <= min(rises, default=np.inf)) & (now >= days[0] + FROM_DAY) & settled(now, days)
    unit = partial(constant_drawdown_inflow_m3_per_d, twin.transmissivity, twin.storativity, radius, 1.0)
    closed = superpose(days, lowered, now, unit)
    late &= closed > 0
    if late.any():
        yield Compared(twin.form, "inflow of the pit", -run.budget["pit"][late], closed[late], 0.0)


def _now(run: Outcome) -> Numbers:
    return run.model.periods[0].starts + run.time


def _late(run: Outcome) -> NDArray[np.bool_]:
    """Steps that end a day or more after the first pumping and each great change of it, and the last one."""
    now, every = _now(run), sorted(onsets(run.model))
    late = settled(now, every) & (now > every[0] + AN_INSTANT_D)
    late[-1] = True
    return np.asarray(late)


Response = Callable[[tuple[float, float], Numbers], Numbers]


def _superposed(twin: Twin, run: Outcome, response: Response) -> Numbers:
    """Of all wells together: by the rates as they were held, before ``held_from`` by those of the stress periods."""
    now, starts = _now(run), [one.starts for one in run.model.periods]
    by_period = now < twin.held_from - AN_INSTANT_D
    found = np.zeros(now.size)
    for one in twin.wells:
        of = partial(response, one.place)
        found[by_period] += superpose(starts, one.rates, now[by_period], of)
        found[~by_period] += superpose(one.days, one.held, now[~by_period], of)
    return found


def _drawdown_at(twin: Twin, at: tuple[float, float]) -> Response:
    t, s = twin.transmissivity, twin.storativity
    if twin.stream is None:
        return lambda well, days: theis_drawdown(1.0, t, s, float(np.hypot(at[0] - well[0], at[1] - well[1])), days)
    distance, foot, (ux, uy), lam = twin.stream
    dx, dy = at[0] - foot[0], at[1] - foot[1]
    return lambda _, days: hunt_drawdown(1.0, t, s, distance, lam, dx * ux + dy * uy, dy * ux - dx * uy, days)


def _depletion(twin: Twin) -> Response:
    assert twin.stream is not None
    distance, _, _, lam = twin.stream
    return lambda _, days: hunt_depletion_fraction(twin.transmissivity, twin.storativity, distance, lam, days)
