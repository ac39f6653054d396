"""Corrections of logger levels in the review book: acts like any other, that a withdrawal takes back."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from models.levels.steps import PARAMETERS, Step
from models.review import Name, Review, standing

ACT: Name = "correct_level"
REASON, RESTS_ON = "reason", "rests_on"


def subject(well: str, serial: str) -> str:
    """What acts on a logger's record are about."""
    return f"{well} {serial} level"


def facts(well: str, step: Step, rests_on: str) -> dict[str, str]:
    """A step as an act states it.

    Parameters
    ----------
    rests_on : the readings its numbers come from, in words; "" where a person gave them.
    """
    numbers = {name: f"{step.parameters[name]:f}" for name in PARAMETERS[step.kind]}
    until = "" if step.end_ms is None else str(step.end_ms)
    return {
        "well": well, "serial": step.serial, "kind": step.kind, "from_ms": str(step.start_ms), "to_ms": until,
        **numbers, REASON: step.why, RESTS_ON: rests_on, "series": step.series,
        "tapes_ms": " ".join(str(one) for one in step.tapes_ms),
    }  # fmt: skip


def step_of(act: Review) -> Step:
    """The step an act records."""
    stated = act.facts
    kind = next(one for one in PARAMETERS if one == stated["kind"])
    numbers = {name: Decimal(stated[name]) for name in PARAMETERS[kind]}
    until = int(stated["to_ms"]) if stated["to_ms"] else None
    return Step(
        act.key(), kind, numbers, int(stated["from_ms"]), until, act.by, act.when, stated[REASON], stated["serial"],
        stated.get("series", ""), tuple(int(one) for one in stated.get("tapes_ms", "").split()),
    )  # fmt: skip


def steps_at(well: str, acts: Iterable[Review]) -> list[Step]:
    """The steps that stand at a well."""
    return [step_of(one) for one in standing(acts, ACT) if one.facts["well"] == well]
