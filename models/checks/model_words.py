"""Which solution a modelled number rests on, and what it assumes: printed beside every one of them."""

from __future__ import annotations

from typing import Any

from models.finding import Evidence
from models.question import Question

HUNT, THEIS = "Hunt 1999", "Theis 1935"
ASSUMED = (
    "an aquifer without end, level and alike everywhere, corrected for the thickness it loses (Jacob)",
    "volumes between two meter readings are pumped evenly",
    "no other wells, no rain or drought, no delay in the drainage of the pores",
)
BESIDE_A_STREAM = "of streams only the one nearest to each well: straight, without end, its stage constant"


def solution(question: Question) -> str:
    """Hunt where a stream is near, Theis where there is none."""
    return HUNT if question.site.stream else THEIS


def assumed(question: Question) -> tuple[str, ...]:
    """What every modelled number of the site assumes, in words."""
    return (*ASSUMED, BESIDE_A_STREAM) if question.site.stream else ASSUMED


def assumptions(question: Question) -> Evidence:
    """The same as a line beside the number, with where the parameters are from."""
    aquifer = question.site.aquifer
    source = f"; parameters and their range: {aquifer.source}" if aquifer else ""
    return Evidence("the model assumes", "; ".join(assumed(question)) + source, "context")


def facts(question: Question) -> dict[str, Any]:
    return {"model": solution(question), "assumptions": list(assumed(question))}
