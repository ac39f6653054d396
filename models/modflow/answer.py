"""What a numerical model answers once every check has passed; without that there is no answer to hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from models.errors import BadQuestion
from models.modflow.build import Choices, Pair
from models.modflow.outcome import Outcome
from models.modflow.quantities import Quantities
from models.scenario.noun import Scenario


@dataclass(frozen=True)
class Check:
    """One check of the gate.

    Parameters
    ----------
    measured, limit : in ``unit``; None where it does not apply, or where what it measures is no number.
    passed : may the figures leave? True too where it does not apply.
    says : what was compared, where, in words; it names no drawdown.
    remedy : what to do where it failed.
    """

    name: str
    measured: float | None
    limit: float | None
    unit: str
    passed: bool
    says: str
    remedy: str = ""
    applies: bool = True


class GateFailed(BadQuestion):
    """A check failed: nothing of the answer leaves. Names the check and the remedy; ``checks`` holds all of them."""

    exit_code = 1

    def __init__(self, reason: str, *, checks: Sequence[Check] = (), **where: Any) -> None:
        super().__init__(reason, **where)
        self.checks = tuple(checks)


@dataclass(frozen=True)
class Sensitivity:
    """The pit's inflow on the day asked for with its drain's conductance times ``factor`` [m3/d]."""

    pit: str
    factor: float
    inflow: float


@dataclass(frozen=True, eq=False)
class Answer:
    """All that may be told of a scenario.

    Parameters
    ----------
    choices : as asked, or as the gate widened the grid and cut the steps.
    quantities : every figure that is reported; ``day[-1]`` is the day asked for.
    baseline, stressed : the two runs themselves, for heads, hydrographs and budgets.
    checks : all passed. ``sensitivity`` : empty without a pit.
    assumed : what nobody stated. ``program`` : which mf6, with its hash.

    Raises
    ------
    GateFailed : a check did not pass.
    """

    scenario: Scenario
    choices: Choices
    pair: Pair
    baseline: Outcome
    stressed: Outcome
    quantities: Quantities
    checks: tuple[Check, ...]
    sensitivity: tuple[Sensitivity, ...]
    assumed: tuple[str, ...]
    program: str

    def __post_init__(self) -> None:
        refuse(self.checks)


def refuse(checks: Sequence[Check]) -> None:
    """Let nothing pass unless every check has.

    Raises
    ------
    GateFailed : names what failed, with the remedy of the first.
    """
    failed = [one for one in checks if not one.passed]
    if failed or not checks:
        words = "; ".join(f"{one.name}: {one.says} (remedy: {one.remedy})" for one in failed) or "nothing was checked"
        raise GateFailed(f"no figure leaves: {words}", key="gate", checks=checks)
