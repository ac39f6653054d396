"""Where and when results are looked at: a night's question, or somebody who asks for one station."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from models.question import Observations, Question
from models.site import Site


@dataclass(frozen=True)
class Setting:
    """The site, its record, the last day known, and when mining began."""

    site: Site
    observations: Observations
    on: date
    began: date

    @staticmethod
    def of(question: Question) -> Setting:
        return Setting(question.site, question.observations, question.on, question.began)
