"""The quality tests of a level record: range, rate, spike, flat line, order of the clock, and where a sensor hangs.

Names and meaning as in the QARTOD manual for water levels (U.S. IOOS 2021), but for the flat line: it is flagged only
after its whole duration of unchanged readings, and a missing one or a gap restarts it. Own code and not ioos_qc: that
flags a flat line from the start of a record and counts readings instead of hours, takes one set of limits for all
time, and says a number without the rule and limits behind it.

All take times [UTC epoch ms] in increasing order and the depth to water [ft].
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.levels.flags import Marks, Numbers, Outcome, none_of, outcome

Instants = NDArray[np.int64]
Pair = tuple[float, float]
MS_IN_AN_HOUR = 3_600_000
PLACES = 9
"""Binary differences miss a decimal tie (1.101 - 1.100) by 1e-16; nine places bring it back."""


def gross_range(depth_ft: Numbers, suspect: Pair | None, fail: Pair | None) -> Outcome:
    """A depth outside the range is suspect or fails; the ends are inside, and a negative depth is a depth."""
    value = np.round(depth_ft, PLACES)
    return outcome("gross range", value, "ft", _outside(value, suspect), _outside(value, fail))


def _outside(value: Numbers, span: Pair | None) -> tuple[Marks, str]:
    if span is None:
        return none_of(value.size)
    return (value < span[0]) | (value > span[1]), f"outside {span[0]:g} to {span[1]:g} ft"


def rate_of_change(times: Instants, depth_ft: Numbers, most_ft_per_h: float, longest_gap_ms: int) -> Outcome:
    """How fast each reading left the one before [ft/h]; after a gap there is none before."""
    hours = np.diff(times) / MS_IN_AN_HOUR
    near = (np.diff(times) <= longest_gap_ms) & (hours > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(near, np.round(np.abs(np.diff(depth_ft)) / hours, PLACES), np.nan)
    rate = np.append([np.nan], rate)[: depth_ft.size]
    return outcome(
        "rate of change", rate, "ft/h", (rate > most_ft_per_h, f"over {most_ft_per_h:g} ft/h"), none_of(rate.size)
    )


def spike(
    times: Instants, depth_ft: Numbers, suspect_ft: float | None, fail_ft: float | None, longest_gap_ms: int
) -> Outcome:
    """How far each reading stands off the middle of its two neighbours [ft]; it needs both."""
    off = np.full(depth_ft.shape, np.nan)
    if depth_ft.size > 2:
        near = np.diff(times) <= longest_gap_ms
        middle = (depth_ft[:-2] + depth_ft[2:]) / 2
        off[1:-1] = np.where(near[:-1] & near[1:], np.round(np.abs(depth_ft[1:-1] - middle), PLACES), np.nan)
    return outcome("spike", off, "ft", _over(off, suspect_ft, "ft"), _over(off, fail_ft, "ft"))


def _over(value: Numbers, most: float | None, unit: str) -> tuple[Marks, str]:
    return none_of(value.size) if most is None else (value > most, f"over {most:g} {unit}")


def flat_line(
    times: Instants, depth_ft: Numbers, within_ft: float, hours: float, longest_gap_ms: int, *, fails: bool = False
) -> Outcome:
    """How far the level moved over the hours up to each reading [ft]; within so little, the sensor is stuck.

    Only spans of real readings count: a missing one, or a gap, starts a new span, and a reading whose span does not
    have the whole duration yet is not evaluated. A reading is flagged once it does; those before it are not.
    """
    moved = _moved(times, depth_ft, within_ft, round(hours * MS_IN_AN_HOUR), longest_gap_ms)
    stuck = moved <= within_ft, f"no more than {within_ft:g} ft in {hours:g} h"
    limits = (none_of(moved.size), stuck) if fails else (stuck, none_of(moved.size))
    return outcome("flat line", moved, "ft", *limits)


def _moved(times: Instants, depth: Numbers, within: float, span_ms: int, longest_gap_ms: int) -> Numbers:
    """Range of the level over the span up to each reading [ft]; NaN where the span is not whole.

    Only where neighbours lie close for the whole span is the range worth computing; elsewhere it is more than allowed.
    """
    step, change = np.diff(times), np.round(np.abs(np.diff(depth)), PLACES)
    joined = (step <= longest_gap_ms) & ~np.isnan(change)
    moved = np.where(_lasting(times, joined) >= span_ms, np.inf, np.nan)
    close = joined & (change <= within)
    for first, last in _stretches(close):
        if times[last] - times[first] >= span_ms:
            stretch = slice(first, last + 1)
            found = _rolling_range(times[stretch], depth[stretch], span_ms)
            moved[stretch] = np.where(times[stretch] - times[first] >= span_ms, found, moved[stretch])
    return moved


def _stretches(joined: Marks) -> list[tuple[int, int]]:
    """First and last reading of every unbroken run of joined neighbours."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], joined, [False]]).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _lasting(times: Instants, joined: Marks) -> Instants:
    """Time since the first reading of the run each reading belongs to [ms]."""
    if not times.size:
        return times
    starts = np.concatenate([[True], ~joined])
    since: Instants = times - times[np.flatnonzero(starts)][np.cumsum(starts) - 1]
    return since


def _rolling_range(times: Instants, depth: Numbers, span_ms: int) -> Numbers:
    window = pd.Series(depth, pd.to_datetime(times, unit="ms")).rolling(pd.Timedelta(span_ms, "ms"), closed="both")
    found: Numbers = np.round((window.max() - window.min()).to_numpy(), PLACES)
    return found


def above_casing(depth_mp_ft: Numbers) -> Outcome:
    """Water above the measuring point: a flowing well, or a logger that hangs otherwise than stated."""
    above = (depth_mp_ft < 0, "above the casing top")
    return outcome("casing top", depth_mp_ft, "ft below the measuring point", above, none_of(depth_mp_ft.size))


def below_sensor(column_ft: Numbers, margin_ft: float) -> Outcome:
    """A sensor with no water over it tells the air, and not how far down the water is."""
    dry = (column_ft < margin_ft, f"less than {margin_ft:g} ft of water over the sensor")
    return outcome("sensor", column_ft, "ft of water", none_of(column_ft.size), dry)


def below_intake(depth_ft: Numbers, intake_ft: float) -> Outcome:
    """Water below the pump intake: of high interest, since a household may be without water; the number stands."""
    low = (depth_ft >= intake_ft, f"at or below the pump intake at {intake_ft:g} ft")
    return outcome("pump intake", depth_ft, "ft", low, none_of(depth_ft.size))


def clock_order(times: Instants) -> tuple[Outcome, Outcome]:
    """Readings as they come, in any order: one stamped before an earlier one, and two of one instant [h, readings].

    Which of two readings of one instant is right cannot be told: both are suspect.
    """
    latest = np.maximum.accumulate(times) if times.size else times
    back = (latest - times) / MS_IN_AN_HOUR
    _, which, count = np.unique(times, return_inverse=True, return_counts=True)
    same = count[which].astype(np.float64)
    none = none_of(times.size)
    order = outcome("order of the clock", back, "h back", (back > 0, "stamped before an earlier reading"), none)
    return order, outcome("duplicate clock", same, "readings", (same > 1, "of one instant"), none)


def makers_code(codes: Sequence[str]) -> Outcome:
    """A reading that its maker's own software marks as an error fails, whatever its number."""
    failed = np.array([bool(code) for code in codes], np.bool_)
    named = ", ".join(sorted(set(filter(None, codes))))
    return outcome("maker's code", failed.astype(np.float64), "marked", none_of(failed.size), (failed, named))


def order_in_file(back_h: Numbers) -> Outcome:
    """How far a reading is stamped before an earlier one of its file [h]; NaN where it is not."""
    back = np.nan_to_num(back_h)
    behind = back > 0, "stamped before an earlier reading of its file"
    return outcome("order of the clock", back, "h back", behind, none_of(back.size))


def stale_h(last_ms: int | None, now_ms: int, after_h: float) -> float | None:
    """How long ago the last reading was [h], where that is longer than allowed; None where the record is not stale."""
    if last_ms is None:
        return float("inf")
    hours = (now_ms - last_ms) / MS_IN_AN_HOUR
    return hours if hours > after_h else None
