"""Every rule in force, judged by the check of its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.applicability import not_reached, why_not
from models.checks import (
    base_flow,
    drainage,
    expected_deliveries,
    groundwater_quality,
    lateness,
    network,
    pit_floor,
    sampling,
    surface_level,
    water_level,
    withdrawal,
)
from models.question import Judged, Question
from models.rules import Check

CHECKS: dict[str, Callable[[Any, Question], Judged]] = {
    "groundwater_quality": groundwater_quality.check,
    "base_flow": base_flow.check,
    "surface_level": surface_level.check,
    "water_level": water_level.check,
    "lateness": lateness.check,
    "withdrawal": withdrawal.check,
    "pit_floor": pit_floor.check,
    "drainage": drainage.check,
    "sampling": sampling.check,
    "network": network.check,
    "delivery": expected_deliveries.check,
}


def findings(question: Question) -> Judged:
    """Judge one night: all checks, all rules in force on the day."""
    answers = [_answer(rule, question) for rule in question.law.checks(question.on)]
    return Judged(
        tuple(finding for one in answers for finding in one.findings),
        tuple(scope for one in answers for scope in one.scopes),
    )


def _answer(rule: Check, question: Question) -> Judged:
    why = why_not(rule, question)
    return not_reached(rule, question, why) if why else CHECKS[rule.kind](rule, question)
