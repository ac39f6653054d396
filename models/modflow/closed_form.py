"""A homogeneous version's run beside its closed form, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from models.aquifer.admissible import Numbers
from models.aquifer.hunt import hunt_depletion_fraction, hunt_drawdown
from models.aquifer.jacob_lohman import constant_drawdown_inflow_m3_per_d
from models.aquifer.superposition import superpose
from models.aquifer.theis import theis_drawdown
from models.modflow.outcome import Outcome
from models.modflow.quantities import FROM_DAY
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
    nothing.
    """
    return tuple(_of_pit(twin, run) if twin.pit else _of_wells(twin, run))


def _of_wells(twin: Twin, run: Outcome) -> Iterator[Compared]:
    late = _late(twin, run)
    for place in twin.model.observed:
        closed = _superposed(twin, run, _drawdown_at(twin, place.position))[late]
        told = np.abs(closed) >= LEAST_CLOSED_M
        if told.any():
            yield Compared(
                twin.form, f"drawdown at {place.id}", -run.hydrographs[place.id][late][told], closed[told], LEAST_OFF_M
            )
    if twin.stream is not None:
        closed = _superposed(twin, run, _depletion(twin))[late]
        most = max(float(np.abs(rates).max()) for _, rates in twin.wells)
        told = np.abs(closed) >= LEAST_CLOSED_SHARE * most
        if told.any():
            modelled = run.budget["stream"][late][told]
            yield Compared(twin.form, f"depletion of {twin.stream_id}", modelled, closed[told], LEAST_OFF_SHARE * most)


def _of_pit(twin: Twin, run: Outcome) -> Iterator[Compared]:
    assert twin.pit is not None
    radius, lowered, first = twin.pit
    elapsed = _now(run) - twin.model.periods[first].starts
    late = elapsed >= FROM_DAY
    closed = constant_drawdown_inflow_m3_per_d(twin.transmissivity, twin.storativity, radius, lowered, elapsed[late])
    if late.any():
        yield Compared(twin.form, "inflow of the pit", -run.budget["pit"][late], closed, 0.0)


def _now(run: Outcome) -> Numbers:
    return run.model.periods[0].starts + run.time


def _late(twin: Twin, run: Outcome) -> NDArray[np.bool_]:
    """Steps that end a day or more after the first pumping, or the last one where there is no such day."""
    first = min(int(np.argmax(rates != 0)) for _, rates in twin.wells)
    elapsed = _now(run) - run.model.periods[first].starts
    late = elapsed >= FROM_DAY
    late[-1] = True
    return np.asarray(late)


Response = Callable[[tuple[float, float], Numbers], Numbers]


def _superposed(twin: Twin, run: Outcome, response: Response) -> Numbers:
    """Of all wells together."""
    now, starts = _now(run), [one.starts for one in run.model.periods]
    every = [superpose(starts, rates, now, partial(response, place)) for place, rates in twin.wells]
    return np.asarray(np.sum(every, axis=0))


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
