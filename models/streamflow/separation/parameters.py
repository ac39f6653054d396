"""The parameters of the methods: what each means, its unit, what is allowed, and what is taken if none is given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from models.errors import BadQuestion
from models.streamflow.separation.runs import Floats, as_table


@dataclass(frozen=True)
class Number:
    """A real parameter, one for all stations or one per station.

    Parameters
    ----------
    key : its name in every call.
    meaning, unit : for people; the unit is ``-`` for a pure number.
    low, high : bounds.
    includes_low, includes_high : the bound itself is allowed.
    default : None where the method has none: it must be given.
    """

    key: str
    meaning: str
    unit: str
    low: float
    high: float
    includes_low: bool = False
    includes_high: bool = False
    default: float | None = None

    @property
    def allowed(self) -> str:
        """The range in words."""
        low = f"{'from' if self.includes_low else 'above'} {self.low:g}"
        return low if np.isinf(self.high) else f"{low} {'to' if self.includes_high else 'to below'} {self.high:g}"

    def check(self, value: object) -> Floats:
        """``value`` as float64, () or (station,).

        Raises
        ------
        BadQuestion : not numbers, or one outside the range.
        """
        numbers = _numbers(self.key, value, self.allowed)
        low = numbers >= self.low if self.includes_low else numbers > self.low
        high = numbers <= self.high if self.includes_high else numbers < self.high
        if not (low & high).all():
            found = numbers[~(low & high)].flat[0] if numbers.ndim else numbers[()]
            raise BadQuestion("out of range", key=self.key, found=float(found), allowed=[self.allowed])
        return numbers

    def each(self, value: object, flow: ArrayLike) -> Floats:
        """``value`` as float64[station], one per station of ``flow``.

        Raises
        ------
        BadQuestion : out of range, or neither one value nor as many as stations.
        """
        numbers, stations = self.check(value), as_table(flow).shape[1]
        if numbers.shape not in ((), (stations,)):
            allowed = ["one", f"one per station ({stations})"]
            raise BadQuestion("wrong number of values", key=self.key, found=numbers.shape, allowed=allowed)
        return np.broadcast_to(numbers, (stations,))


@dataclass(frozen=True)
class Whole:
    """A whole-number parameter from ``low`` to ``high``; otherwise as `Number`."""

    key: str
    meaning: str
    unit: str
    low: int
    high: int
    default: int

    @property
    def allowed(self) -> str:
        """The range in words."""
        return f"a whole number from {self.low} to {self.high}"

    def check(self, value: object) -> int:
        """``value`` as int.

        Raises
        ------
        BadQuestion : not a whole number, or outside the range.
        """
        whole = int(value) if isinstance(value, int | np.integer) and not isinstance(value, bool) else None
        if whole is None or not self.low <= whole <= self.high:
            raise BadQuestion("out of range", key=self.key, found=value, allowed=[self.allowed])
        return whole


@dataclass(frozen=True)
class Choice:
    """A word out of ``options``; otherwise as `Number`."""

    key: str
    meaning: str
    options: tuple[str, ...]
    default: str
    unit: str = "-"

    @property
    def allowed(self) -> str:
        """The options in words."""
        return ", ".join(self.options)

    def check(self, value: object) -> str:
        """``value``.

        Raises
        ------
        BadQuestion : none of the options.
        """
        if not isinstance(value, str) or value not in self.options:
            raise BadQuestion("no such choice", key=self.key, found=value, allowed=self.options)
        return value


Parameter = Number | Whole | Choice

AREA = Number("area_mi2", "drainage area", "mi2", 0, np.inf)
RECESSION = Number("alpha", "daily recession constant k of the stream, Q[t+1] = k Q[t]", "-", 0, 1)


def _numbers(key: str, value: object, allowed: str) -> Floats:
    try:
        return np.asarray(value, np.float64)
    except (TypeError, ValueError) as error:
        raise BadQuestion("not a number", key=key, found=value, allowed=[allowed]) from error
