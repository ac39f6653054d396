"""Papers of a case as data of an ordinance file: which there are, when, to whom, and the words of law they quote."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from models.clause import EventName, RuleId
from models.field_types import Text
from models.toml_file import Noun

PAPER_RELEASED = "paper_released"
"""The act by which the town lets a paper go."""
Addressee = Literal["operator", "owner", "occupant"]
Template = Literal["condition_notice", "owner_form", "receipt", "demand", "result_letter", "result_correction"]


class Quote(Noun):
    """Words of the ordinance that no rule of the file carries, verbatim."""

    clause: str
    text: Text


class PaperKind(Noun):
    """A paper that a kind of case knows.

    ``after``: acts of which one must be in effect; ``unless``: it is not written once one of these is recorded.
    ``blank``: a form without a case. ``quotes``: rules whose text it prints; ``quote``: words that stand in no rule.
    ``clocks``: steps whose last days it prints. ``choices``: what the addressee may do, in the clause's words.
    ``at_once``: substances for whose attained results in a private well the night writes it. ``ask``: whom to ask.
    ``corrects``: the letter about results that it puts right, once one was released and no longer holds.
    """

    id: EventName
    title: Text
    case: RuleId
    template: Template
    clause: str
    to: tuple[Addressee, ...] = ()
    after: tuple[EventName, ...] = ()
    unless: tuple[EventName, ...] = ()
    blank: bool = False
    quotes: tuple[RuleId, ...] = ()
    quote: tuple[Quote, ...] = ()
    clocks: tuple[RuleId, ...] = ()
    choices: tuple[Text, ...] = ()
    at_once: tuple[str, ...] = ()
    ask: tuple[Text, ...] = ()
    corrects: EventName | None = None

    @property
    def of_results(self) -> bool:
        """Whether results call for it, not acts."""
        return self.template in {"result_letter", "result_correction"}

    @property
    def begins_its_case(self) -> bool:
        """Whether its case may begin with its release."""
        return self.template == "result_letter"

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.blank and (self.to or self.after):
            raise ValueError(f"paper {self.id}: a blank form has no addressee and follows no act")
        if not self.blank and not self.to:
            raise ValueError(f"paper {self.id}: to whom is missing")
        if (self.template == "result_correction") != (self.corrects is not None):
            raise ValueError(f"paper {self.id}: a correction names the letter it corrects, and no other paper does")
        if self.at_once and not self.begins_its_case:
            raise ValueError(f"paper {self.id}: at_once belongs to a letter about results")
        return self
