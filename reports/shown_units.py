"""Metres and days in the units a reader uses: feet, acres and gallons per minute, or metres throughout.

Printed digits follow what a model is worth: drawdown to 0.1 ft or 0.01 m, rates to two figures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from models.units import factor

ACRE_FT2 = 43_560


@dataclass(frozen=True)
class Unit:
    """``name`` as printed, ``per``: how many of it are one unit of metres and days, ``text``: a number as printed."""

    name: str
    per: float
    text: Callable[[float], str]

    def of(self, value: float) -> float:
        """From metres and days."""
        return value * self.per

    def says(self, value: float) -> str:
        """From metres and days, with the unit."""
        return f"{self.text(self.of(value))} {self.name}"


@dataclass(frozen=True)
class Shown:
    """The units of one reader."""

    drawdown: Unit
    length: Unit
    area: Unit
    volume: Unit
    pumping: Unit
    stream: Unit
    flow: Unit

    def level(self, drawdown_m: float) -> str:
        """A stated drawdown as it was stated: 1 ft, 0.5 ft."""
        return f"{figures(self.drawdown.of(drawdown_m), 3)} {self.drawdown.name}"


def two_figures(value: float) -> str:
    """12,345 as 12,000 and 0.01234 as 0.012."""
    return figures(value, 2)


def figures(value: float, count: int) -> str:
    """A number to so many figures, written out."""
    rounded = float(f"{value:.{count}g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 10 ** (count - 1) else np.format_float_positional(rounded, trim="-")


def three_figures(value: float) -> str:
    return figures(value, 3)


@cache
def shown(metric: bool) -> Shown:
    """Feet, acres, acre-feet, gpm and cfs; or metres, hectares, m3/d and L/s."""
    if metric:
        return Shown(
            Unit("m", 1.0, lambda v: f"{v:z.2f}"), Unit("m", 1.0, three_figures), Unit("ha", 1e-4, three_figures),
            Unit("m³", 1.0, three_figures), Unit("m³/d", 1.0, two_figures), Unit("L/s", 1 / 86.4, two_figures),
            Unit("m²/d", 1.0, two_figures),
        )  # fmt: skip
    ft = float(factor("m", "ft"))
    return Shown(
        Unit("ft", ft, lambda v: f"{v:z.1f}"), Unit("ft", ft, three_figures),
        Unit("acres", ft**2 / ACRE_FT2, three_figures),
        Unit("acre-ft", ft**3 / ACRE_FT2, three_figures), Unit("gpm", float(factor("m3/d", "gpm")), two_figures),
        Unit("cfs", float(factor("m3/d", "cfs")), two_figures), Unit("ft²/d", ft**2, two_figures),
    )  # fmt: skip
