"""The Lyne-Hollick filter and its two published variants, which differ by 4 to 51 % in BFI and must be named.

Quick flow f[i] = a f[i-1] + (1 + a)/2 (q[i] - q[i-1]); base flow b = q - f where f > 0, else q. Passes alternate
forward, backward, forward; each takes the base flow of the one before as its flow.

References
----------
Lyne & Hollick (1979), I.E. Aust. Natl Conf. Publ. 79/10, 89-93. Nathan & McMahon (1990), Water Resour. Res. 26(7).
Ladson, Brown, Neal & Nathan (2013), Aust. J. Water Resour. 17(1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from models.streamflow.separation.parameters import Choice, Number, Whole
from models.streamflow.separation.runs import Floats
from models.streamflow.separation.side_by_side import Lanes, separate_side_by_side

ALPHA = Number("alpha", "filter parameter a", "-", 0, 1, default=0.925)
PASSES = Whole("passes", "passes, forward first", "-", 1, 9, default=3)
REFLECT = Whole("reflect_days", "days mirrored at both ends of a run, cut off after", "d", 0, 365, default=30)
VARIANT = Choice(
    "variant",
    "ladson runs negative quick flow on and clips after; nathan-mcmahon sets it to 0 inside the recursion",
    ("ladson", "nathan-mcmahon"),
    "ladson",
)
START = Choice("start", "quick flow on the first day of each pass: all of the flow, or zero", ("flow", "zero"), "flow")


def lyne_hollick(
    flow: ArrayLike,
    alpha: ArrayLike = 0.925,
    passes: int = 3,
    reflect_days: int = 30,
    variant: str = "ladson",
    start: str = "flow",
) -> Floats:
    """Lyne-Hollick base flow; the defaults are the standard of Ladson et al. (2013).

    Parameters
    ----------
    flow : float64[day] or [day, station], any unit, NaN where unknown.
    alpha : a [-], one or per station.
    passes : number of passes.
    reflect_days : days mirrored at both ends [d]; a run of n days mirrors at most n - 1.
    variant : ``ladson`` or ``nathan-mcmahon``.
    start : quick flow at the start of a pass, ``flow`` or ``zero``.

    Returns
    -------
    float64, shape and unit of ``flow``. The last days are revised by later flow.

    Raises
    ------
    BadQuestion : a parameter out of range, or a wrong shape.
    """
    alphas = ALPHA.each(alpha, flow)
    one = Pass(VARIANT.check(variant) == "nathan-mcmahon", START.check(start) == "flow")
    count = PASSES.check(passes)

    def run(cells: Floats, lanes: Lanes) -> None:
        for number in range(count):
            one.apply(cells, lanes, alphas[lanes.station], backward=number % 2 == 1)

    return separate_side_by_side(flow, run, REFLECT.check(reflect_days))


@dataclass(frozen=True)
class Pass:
    """One pass: ``resets`` negative quick flow inside the recursion, ``starts_high`` with all flow quick."""

    resets: bool
    starts_high: bool

    def apply(self, cells: Floats, lanes: Lanes, alpha: Floats, *, backward: bool) -> None:
        """Replace flow [cell] by base flow; ``alpha`` is float64[lane]."""
        gain = (1 + alpha) / 2
        quick, before, change = (np.zeros(alpha.size) for _ in range(3))
        begun = 0
        for step in reversed(lanes.steps) if backward else lanes.steps:
            row = cells[lanes.row(step)]
            width = row.size
            f, rise = quick[:width], change[:width]
            np.subtract(row, before[:width], out=rise)
            rise *= gain[:width]
            f *= alpha[:width]
            f += rise
            if width > begun:
                f[begun:] = row[begun:] if self.starts_high else 0
                begun = width
            if self.resets:
                np.maximum(f, 0, out=f)
            before[:width] = row
            row -= f if self.resets else np.maximum(f, 0, out=rise)
