"""Least and greatest over a box of uncertain parameters, against dense grids of the formulas by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import erfc, erfcx, exp1

from models.aquifer.band import band, each
from models.aquifer.extremes import Ranges, Values, extremes
from models.aquifer.recovery_date import recovery, while_pumped_d
from models.errors import BadQuestion

Numbers = NDArray[np.float64]
BOX = {"T": (3000.0, 5000.0, 8000.0), "S": (0.10, 0.15, 0.22), "lam": (6.0, 20.0, 60.0)}
D, STOP = 1600.0, 123.0


def hunt(t_l2: Numbers, s: Numbers, lam: Numbers, t: float | Numbers) -> Numbers:
    """Hunt 1999 eq. 20, scaled."""
    after = np.maximum(t, 1e-12)
    a, b = np.sqrt(s * D**2 / (4 * t_l2 * after)), np.sqrt(lam**2 * after / (4 * s * t_l2))
    return np.asarray(erfc(a) - np.exp(-a * a) * erfcx(a + b))


def residual(t_l2: Numbers, s: Numbers, lam: Numbers, t: float | Numbers) -> Numbers:
    return hunt(t_l2, s, lam, t) - np.where(np.asarray(t) > STOP, hunt(t_l2, s, lam, np.asarray(t) - STOP), 0.0)


def grid() -> tuple[Numbers, Numbers, Numbers]:
    t_l2, s, lam = np.meshgrid(*(np.geomspace(low, high, 61) for low, _, high in BOX.values()))
    return t_l2, s, lam


def of(values: Values, times: Numbers) -> Numbers:
    t_l2, s, lam = (np.full(times.shape, values[name]) for name in BOX)
    return residual(t_l2, s, lam, times)


def test_what_a_pumping_leaves_has_its_extremes_inside_the_box() -> None:
    times = STOP + np.array([5.0, 10.0, 30.0, 60.0, 365.0])
    found = band(each(of), Ranges(BOX), times)
    inside = 0
    for k, time in enumerate(times):
        every = residual(*grid(), time)
        corners = every[::60, ::60, ::60]
        assert found.high[k] == pytest.approx(every.max(), rel=1e-3)
        assert found.low[k] == pytest.approx(every.min(), rel=1e-3)
        assert found.low[k] <= found.best[k] <= found.high[k]
        inside += bool(every.max() > corners.max() * 1.001)
    assert inside >= 2


def test_between_the_searched_times_the_range_holds_too() -> None:
    """Of 400 times 48 are searched; the points found there are worked out at all."""
    times = np.linspace(1, 900, 400)
    found = band(each(of), Ranges(BOX), times)
    for k in range(3, 400, 36):
        every = residual(*grid(), times[k])
        assert found.high[k] == pytest.approx(every.max(), rel=2e-3)
        assert found.low[k] == pytest.approx(every.min(), rel=2e-3, abs=1e-12)


def test_a_hump_beside_an_end_is_found() -> None:
    """Theis over T: greatest where u is 0.4348 (E1(u) = exp(-u)), here close to the upper end."""
    t_best = 1.0 / (4 * 0.43481827)
    ranges = Ranges({"T": (t_best / 100, t_best / 10, t_best * 1.02)})

    def curve(every: Sequence[Values]) -> Numbers:
        return np.array([[exp1(1 / (4 * one["T"])) / one["T"]] for one in every])

    found = extremes(curve, ranges)
    assert found.high[0] == pytest.approx(exp1(0.43481827) / t_best, rel=1e-4)


def test_dry_is_more_than_any_number() -> None:
    found = extremes(lambda every: np.array([[1 / one["T"] if one["T"] > 2 else np.nan] for one in every]),
                     Ranges({"T": (1.0, 4.0, 8.0)}))  # fmt: skip
    assert np.isnan(found.high[0])
    assert (found.best[0], found.low[0]) == (0.25, 0.125)


def test_too_many_ranges_are_refused() -> None:
    with pytest.raises(BadQuestion, match="at most 8"):
        Ranges({str(k): (1.0, 2.0, 3.0) for k in range(9)}).corners()


def test_recovery_dates_are_extremes_over_the_box() -> None:
    """Each set of values has its own peak of all times; the dates on a grid of the box by hand."""
    found = recovery(each(of), Ranges(BOX), while_pumped_d([0.0, STOP], [1.0, 0.0], STOP), STOP, 0.01)
    times = STOP + np.r_[0.0, np.geomspace(0.1, 2e4, 3000)]
    days = [by_hand(one, times) for one in product_of(9)]
    for rule in (0, 1):
        dates = np.array([one[rule] for one in days])
        told = found.falls[rule]
        assert told.earliest_d is not None
        assert told.latest_d is not None
        assert told.earliest_d <= dates.min() * 1.003
        assert told.latest_d >= dates.max() * 0.997
        assert told.latest_d == pytest.approx(dates.max(), rel=0.02)


def product_of(steps: int) -> list[Values]:
    parts = [np.geomspace(low, high, steps) for low, _, high in BOX.values()]
    return [dict(zip(BOX, map(float, one), strict=True)) for one in np.array(np.meshgrid(*parts)).reshape(3, -1).T]


def by_hand(values: Values, times: Numbers) -> tuple[float, float]:
    left = of(values, times)
    peak = max(left.max(), of(values, np.linspace(1, STOP, 400)).max())
    return tuple(float(times[np.flatnonzero(left > amount)[-1]] - STOP) for amount in (0.1 * peak, 0.01))  # type: ignore[return-value]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_mound_recovers_as_a_drawdown_does(sign: float) -> None:
    curve: Callable[[Values, Numbers], Numbers] = lambda values, times: sign * of(values, times)  # noqa: E731
    fixed = Ranges({name: (best, best, best) for name, (_, best, _) in BOX.items()})
    instants = while_pumped_d([0.0, STOP], [sign, 0.0], STOP)
    found = recovery(each(curve), fixed, instants, STOP, 0.01)
    share, amount = by_hand({name: best for name, (_, best, _) in BOX.items()}, STOP + np.geomspace(0.1, 2e4, 20_000))
    assert found.falls[0].after_d == pytest.approx(share, rel=2e-3)
    assert found.falls[1].after_d == pytest.approx(amount, rel=2e-3)
    assert np.sign(found.peak[0]) == sign
