"""A vertical interval of an aquifer, and what it sees of the aquifer's vertical modes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.aquifer.admissible import Numbers, at_least, at_most, not_negative


@dataclass(frozen=True)
class Screen:
    """The open part of a well, or a piezometer where both ends are one.

    Parameters
    ----------
    low_m, high_m : its ends [m] on the axis the solution names: depth below the top of a confined aquifer, height
        above the base of an unconfined one.
    """

    low_m: float
    high_m: float

    def mean_of_mode(self, wave: Numbers, thickness_m: float) -> Numbers:
        """The mean of cos(wave z / b) over the screen [-]: cos at its middle times sinc of its half length."""
        middle = (self.low_m + self.high_m) / (2 * thickness_m)
        half = (self.high_m - self.low_m) / (2 * thickness_m)
        return np.asarray(np.cos(wave * middle) * np.sinc(wave * half / np.pi))


def within_thickness(key: str, screen: Screen | float, thickness_m: float) -> Screen:
    """The screen, or the point as one, inside 0 to b.

    Raises
    ------
    BadQuestion : an end outside the aquifer, or the ends out of order; ``key`` names it.
    """
    checked = screen if isinstance(screen, Screen) else Screen(screen, screen)
    not_negative(key, checked.low_m)
    at_least(key, checked.high_m, checked.low_m, "its upper end at least the lower")
    at_most(key, checked.high_m, thickness_m, "at most the thickness")
    return checked
