"""The modelled drawdown at a well with all that is told beside it: its upper bound, its end, what it assumes.

Beside a stream Hunt (1999) is the answer: Theis (1935) knows no stream, takes all water out of storage, and bounds the
drawdown from above.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from models import pumping
from models.checks import if_pumping_stopped, model_words
from models.checks.if_pumping_stopped import IfStopped, evidence_of, facts_of
from models.finding import Evidence
from models.pumping import Modelled
from models.question import Question
from models.site import Well

LINE = "modelled drawdown"


@dataclass(frozen=True)
class ModelledDrawdown:
    """A drawdown [ft] at the end of a civil day. ``bound``: by Theis, None where the drawdown is itself by Theis."""

    drawdown: Modelled
    bound: Modelled | None
    stopped: IfStopped | None

    def says(self, question: Question) -> str:
        one = self.drawdown
        return (
            f"pumping metered to {one.on} draws the water table down by {one.best:.1f} ft here "
            f"(range {one.low:.1f} to {one.high:.1f}; {model_words.solution(question)}, superposed){self._bounded()}"
            f"{one.says_lacks()}"
        )

    def _bounded(self) -> str:
        if self.bound is None:
            return ""
        return (
            f"; without the stream it would be {self.bound.best:.1f} ft "
            f"(range {self.bound.low:.1f} to {self.bound.high:.1f}; {model_words.THEIS}): the upper bound"
        )

    def evidence(self, question: Question) -> Iterator[Evidence]:
        """The number, what if it stops, and what the model assumes."""
        yield Evidence(LINE, self.says(question), "context", self.drawdown.rows)
        yield from evidence_of(self.stopped)
        yield model_words.assumptions(question)

    def facts(self, question: Question) -> dict[str, Any]:
        """Plain data, to a tenth of a foot as printed."""
        bound = {} if self.bound is None else {"upper_bound_ft": {**_range(self.bound), "model": model_words.THEIS}}
        told = facts_of(self.stopped) | model_words.facts(question)
        return {"drawdown_ft": _range(self.drawdown), **bound, **told}


def at(question: Question, well: Well, until: date) -> ModelledDrawdown | None:
    """The drawdown at a well at the start of ``until``; None where no meter was read."""
    pumped = pumping.metered(question, until)
    drawdown = pumping.drawdown_ft(question, well, until, pumped)
    return None if drawdown is None else beside(question, well, until, drawdown, pumped)


def beside(
    question: Question, well: Well, until: date, drawdown: Modelled, pumped: pumping.Metered
) -> ModelledDrawdown:
    """A drawdown that is known, with what is told beside it; ``pumped`` as metered up to ``until``."""
    bound = pumping.theis_drawdown_ft(question, well, until, pumped) if question.site.stream else None
    stopped = if_pumping_stopped.drawdown(question, until, pumping.drawdown_response(question, well), pumped)
    return ModelledDrawdown(drawdown, bound, stopped)


def _range(one: Modelled) -> dict[str, float]:
    return {"best": round(one.best, 1), "low": round(one.low, 1), "high": round(one.high, 1)}
