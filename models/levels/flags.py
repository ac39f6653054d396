"""Quality flags of readings: one outcome for each rule, in the numbers of QARTOD, and no reading taken out.

1 good, 2 not evaluated, 3 suspect or of high interest, 4 fail, 9 missing. Source: U.S. IOOS Manual for the Use of
Real-Time Oceanographic Data Quality Control Flags (2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GOOD, NOT_EVALUATED, SUSPECT, FAIL, MISSING = 1, 2, 3, 4, 9
WORDS = {1: "good", 2: "not evaluated", 3: "suspect", 4: "fail", 9: "missing"}

Flags = NDArray[np.uint8]
Marks = NDArray[np.bool_]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Outcome:
    """What one rule says of every reading of a record.

    Parameters
    ----------
    rule : its name.
    flags : uint8[n].
    measured : float64[n], what was compared; NaN where nothing was.
    unit : of ``measured``.
    suspect, fail : the limits in words; "" where the rule has none of that kind.
    """

    rule: str
    flags: Flags
    measured: Numbers
    unit: str
    suspect: str = ""
    fail: str = ""

    def says(self, k: int) -> str:
        """Why a reading is flagged, with the numbers; "" where it is not."""
        flag = int(self.flags[k])
        if flag not in {SUSPECT, FAIL}:
            return ""
        limit = self.fail if flag == FAIL else self.suspect
        return f"{self.rule}: {self.measured[k]:.4g} {self.unit}, {limit} ({WORDS[flag]})"


def outcome(rule: str, measured: Numbers, unit: str, suspect: tuple[Marks, str], fail: tuple[Marks, str]) -> Outcome:
    """An outcome where a measured number is missing is not evaluated."""
    flags = np.where(np.isnan(measured), NOT_EVALUATED, GOOD)
    flags[suspect[0]] = SUSPECT
    flags[fail[0]] = FAIL
    return Outcome(rule, flags.astype(np.uint8), measured, unit, suspect[1], fail[1])


def none_of(n: int) -> tuple[Marks, str]:
    """A limit that a rule has not."""
    return np.zeros(n, np.bool_), ""


def within(one: Outcome, held: Marks) -> Outcome:
    """The outcome on the readings that its limits hold for; not evaluated on the others."""
    flags = np.where(held, one.flags, NOT_EVALUATED).astype(np.uint8)
    return Outcome(one.rule, flags, one.measured, one.unit, one.suspect, one.fail)


def aggregate(outcomes: Sequence[Outcome], missing: Marks) -> Flags:
    """The worst that any rule says of each reading; good where one was evaluated and none objects."""
    found = np.full(missing.shape, NOT_EVALUATED, np.uint8)
    for flag in (GOOD, SUSPECT, FAIL):
        for one in outcomes:
            found[one.flags == flag] = flag
    found[missing] = MISSING
    return found


def reasons(outcomes: Sequence[Outcome], k: int) -> list[str]:
    """Every objection to one reading, each with its rule and numbers."""
    return [says for one in outcomes if (says := one.says(k))]
