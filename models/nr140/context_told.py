"""A trend in one line and as plain data, each number printed to what it is worth."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from models.nr140.context import Trend
from models.nr140.indicators_told import figures
from models.statistics.censored import Insufficient
from models.statistics.sen_slope import SenSlope

SLOPE_FIGURES = 2
LEAST_P = 0.001


def trend_words(found: Trend | Insufficient, unit: str, alpha: Decimal | None) -> str:
    """``rising: 16 results …, Mann-Kendall p 0.012; Sen's slope 0.31 mg/L per year (95 % interval 0.1 to 0.5)``.

    Parameters
    ----------
    alpha : the significance at which a trend counts as shown; None: the law states none, and only p is given.
    """
    if isinstance(found, Insufficient):
        return f"too few for a trend: {found.reason}"
    span = f"{_counted(found)}, {found.first} to {found.last}"
    if isinstance(found.plain, Insufficient):
        return f"{span}: too few for a trend: {found.plain.reason}"
    tests = (f"Mann-Kendall p {_p(found.plain.p)}", *_seasonal(found), _corrected(found))
    return f"{_direction(found, alpha)}{span}; {'; '.join(tests)}; {_slope(found.slope, unit)}"


def trend_facts(found: Trend | Insufficient, unit: str, alpha: Decimal | None) -> dict[str, Any]:
    """The same as plain data; what could not be computed is null, with the reason."""
    if isinstance(found, Insufficient):
        return {"n": found.have, "reason": found.reason}
    plain, seasonal, corrected = found.plain, found.seasonal, found.corrected
    p = found.p
    return {
        "n": found.n, "n_censored": found.n_censored, "from": found.first.isoformat(), "to": found.last.isoformat(),
        "direction": found.direction, "p": p,
        "alpha": None if alpha is None else str(alpha), "shown": None if p is None or alpha is None else p <= alpha,
        "mann_kendall_p": None if isinstance(plain, Insufficient) else plain.p,
        "seasonal_p": None if seasonal is None or isinstance(seasonal, Insufficient) else seasonal.p,
        "corrected_p": None if isinstance(corrected, str) else corrected.p,
        "not_corrected": corrected if isinstance(corrected, str) else "",
        **_slope_facts(found.slope, unit),
        "lacks": [one.reason for one in (plain, seasonal, found.slope) if isinstance(one, Insufficient)],
    }  # fmt: skip


def _direction(found: Trend, alpha: Decimal | None) -> str:
    if alpha is None or found.p is None:
        return ""
    if found.p > alpha:
        return f"no trend shown at {alpha}: "
    return {"up": "rising: ", "down": "falling: "}.get(found.direction, "")


def _counted(found: Trend) -> str:
    hidden = f" ({found.n_censored} not detected)" if found.n_censored else ""
    return f"{found.n} result{'s' * (found.n != 1)}{hidden}"


def _seasonal(found: Trend) -> list[str]:
    one = found.seasonal
    if one is None:
        return []
    if isinstance(one, Insufficient):
        return [f"by season: too few, {one.reason}"]
    return [f"by {len(one.seasons)} seasons p {_p(one.p)}"]


def _corrected(found: Trend) -> str:
    one = found.corrected
    if isinstance(one, str):
        return f"not corrected for dependence: {one}"
    return f"corrected for dependence p {_p(one.p)} ({one.method})"


def _slope(found: SenSlope | Insufficient, unit: str) -> str:
    if isinstance(found, Insufficient):
        return f"no slope: {found.reason}"
    ends = ["open" if end is None else _number(end) for end in (found.low, found.high)]
    level = f"{found.confidence:.0%}".replace("%", " %")
    return f"Sen's slope {_number(found.slope)} {unit} per year ({level} interval {' to '.join(dict.fromkeys(ends))})"


def _slope_facts(found: SenSlope | Insufficient, unit: str) -> dict[str, Any]:
    if isinstance(found, Insufficient):
        return {"slope_per_year": None, "slope_unit": unit, "slope_low": None, "slope_high": None}
    return {
        "slope_per_year": found.slope, "slope_unit": unit, "slope_low": found.low, "slope_high": found.high,
        "slope_method": found.method,
    }  # fmt: skip


def _number(x: float) -> str:
    return figures(Decimal(f"{x:.12g}"), SLOPE_FIGURES)


def _p(p: float) -> str:
    return f"under {LEAST_P}" if p < LEAST_P else figures(Decimal(f"{p:.12g}"), SLOPE_FIGURES)
