"""Discharge from stage by a rating table, as the USGS publishes them; never beyond the table's ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.errors import BadQuestion
from models.streamflow.daily_record import Marks, Numbers

Expansion = Literal["logarithmic", "linear"]
Reasons = NDArray[np.str_]

EXPANSIONS = ("logarithmic", "linear")
# A stage and its shift are binary sums of hundredths; what misses an end of the table by less is the end itself.
STAGE_SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class RatedFlow:
    """Discharge of every stage, or why there is none.

    Parameters
    ----------
    flow : float64[n] [cfs], NaN where none.
    reason : str[n], why there is none; empty where there is one.
    """

    flow: Numbers
    reason: Reasons


@dataclass(frozen=True, eq=False)
class RatingTable:
    """A base rating. Build it with `rating_table`.

    Parameters
    ----------
    stage : float64[k], strictly increasing [ft].
    discharge : float64[k], never falling [cfs].
    expansion : ``logarithmic`` or ``linear``.
    offsets : stages of zero flow [ft], one more than ``breakpoints``: OFFSET1, OFFSET2 ...
    breakpoints : stages [ft] at which the next offset takes over: BREAKPOINT1 ...
    """

    stage: Numbers
    discharge: Numbers
    expansion: Expansion
    offsets: tuple[float, ...]
    breakpoints: tuple[float, ...]


def rating_table(
    stage: ArrayLike,
    discharge: ArrayLike,
    *,
    stored: ArrayLike | None = None,
    shift: ArrayLike | None = None,
    expansion: Expansion = "logarithmic",
    offsets: tuple[float, ...] = (0.0,),
    breakpoints: tuple[float, ...] = (),
) -> RatingTable:
    """A base rating from the rows of a table.

    Parameters
    ----------
    stage, discharge : float64[k], columns INDEP [ft] and DEP [cfs].
    stored : bool[k], True where STOR is ``*``: the points the rating was drawn by. The rows between are rounded
        interpolations and are left out if two or more points are stored.
    shift : float64[k], column SHIFT [ft] of a shift-adjusted table (exsa): its DEP belongs to the base stage
        INDEP + SHIFT. None for a base table.
    expansion, offsets, breakpoints : as the header gives them.

    Raises
    ------
    BadQuestion : fewer than two rows, a stage that does not increase, a discharge that falls or is negative, an unknown
        expansion, offsets that do not fit the breakpoints.
    """
    h, q = np.asarray(stage, np.float64), np.asarray(discharge, np.float64)
    if h.shape != q.shape:
        raise BadQuestion("stage and discharge differ in length", key="DEP", found=q.shape, allowed=[h.shape])
    h = h if shift is None else np.round(h + np.asarray(shift, np.float64), 9)
    keep = np.ones(h.size, np.bool_) if stored is None else np.asarray(stored, np.bool_)
    if keep.sum() >= 2:
        h, q = h[keep], q[keep]
    _check_rows(h, q)
    _check_header(expansion, offsets, breakpoints)
    return RatingTable(h, q, expansion, offsets, breakpoints)


def rate(table: RatingTable, stage: ArrayLike, shift: ArrayLike = 0.0) -> RatedFlow:
    """Discharge of each stage; rate every reading and then average, never the mean stage.

    Parameters
    ----------
    table : base rating.
    stage : float64[n], gauge height [ft], NaN where unknown.
    shift : what is added to the stage before the table is entered, one or float64[n] [ft] (`rating_shift`).

    Returns
    -------
    RatedFlow
        No value for an unknown stage or shift, nor beyond either end of the table.

    Notes
    -----
    Logarithmic: ln q is linear in ln(h - e) between two rows, with e the offset in force at the lower of them. Where
    the lower row has no flow, or lies at or below its offset, there is no logarithm and the line is straight.
    Kennedy (1984), USGS TWRI book 3, chapter A10; Rantz et al. (1982), Water-Supply Paper 2175, chapter 10.
    """
    h = np.asarray(np.asarray(stage, np.float64) + np.asarray(shift, np.float64))
    reason = why_not_rated(h, float(table.stage[0]), float(table.stage[-1]))
    inside = reason == ""
    flow = np.full(h.shape, np.nan)
    flow[inside] = _interpolate(table, np.clip(h[inside], table.stage[0], table.stage[-1]))
    return RatedFlow(flow, reason)


def why_not_rated(stage: Numbers, lowest: float, highest: float) -> Reasons:
    """Why each stage [ft], shape [n], has no discharge in a rating from ``lowest`` to ``highest``; empty if it has."""
    words = ["stage or shift unknown", f"below the rating, {lowest:g} ft", f"above the rating, {highest:g} ft"]
    tests = [np.isnan(stage), stage < lowest - STAGE_SLACK, stage > highest + STAGE_SLACK]
    return np.select(tests, [np.array(one) for one in words], np.array(""))


def _interpolate(table: RatingTable, h: Numbers) -> Numbers:
    low = np.clip(np.searchsorted(table.stage, h, side="right") - 1, 0, table.stage.size - 2)
    h0, h1, q0, q1 = table.stage[low], table.stage[low + 1], table.discharge[low], table.discharge[low + 1]
    straight = q0 + (q1 - q0) * (h - h0) / (h1 - h0)
    offset = np.array(table.offsets)[np.searchsorted(table.breakpoints, h0, side="right")]
    curved = _has_logarithm(table.expansion, h0 - offset, q0)
    share = np.zeros(h.shape)
    share[curved] = (np.log((h - offset)[curved]) - np.log((h0 - offset)[curved])) / (
        np.log((h1 - offset)[curved]) - np.log((h0 - offset)[curved])
    )
    ln_q0, ln_q1 = (np.log(q, out=np.zeros(h.shape), where=curved) for q in (q0, q1))
    bent = np.exp((1 - share) * ln_q0 + share * ln_q1)
    # exp(ln q) misses q by a last bit: a row keeps its own discharge, and no value leaves its interval.
    bent = np.select([share == 0, share == 1], [q0, q1], np.clip(bent, q0, q1))
    return np.where(curved, bent, straight)


def _has_logarithm(expansion: Expansion, depth: Numbers, discharge: Numbers) -> Marks:
    return np.asarray((expansion == "logarithmic") & (depth > 0) & (discharge > 0))


def _check_rows(h: Numbers, q: Numbers) -> None:
    if h.ndim != 1 or h.size < 2:
        raise BadQuestion("a rating needs two rows", key="INDEP", found=h.size, allowed=["2 or more"])
    if not np.isfinite(h).all() or (np.diff(h) <= 0).any():
        raise BadQuestion("the stage must increase", key="INDEP", allowed=["strictly increasing stages"])
    if not np.isfinite(q).all() or q[0] < 0 or (np.diff(q) < 0).any():
        raise BadQuestion("the discharge must not fall", key="DEP", allowed=["0 or above, never falling"])


def _check_header(expansion: str, offsets: tuple[float, ...], breakpoints: tuple[float, ...]) -> None:
    if expansion not in EXPANSIONS:
        raise BadQuestion("no such expansion", key="EXPANSION", found=expansion, allowed=EXPANSIONS)
    if len(offsets) != len(breakpoints) + 1:
        allowed = [f"{len(breakpoints) + 1} for {len(breakpoints)} breakpoints"]
        raise BadQuestion("offsets do not fit the breakpoints", key="OFFSET1", found=len(offsets), allowed=allowed)
    if list(breakpoints) != sorted(set(breakpoints)):
        raise BadQuestion("breakpoints must increase", key="BREAKPOINT1", found=breakpoints)
