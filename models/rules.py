"""The law reader: an ordinance file becomes a tagged union of rules, each with its clause and dates.

A later rule kind is one more class here, data in ``models/law/ordinances/`` and one check function
in ``models/checks/``; nothing else changes. A number of law stands in the file, never in code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.case_kind import CaseEvent, CaseKind, Fact
from models.clause import Applies, Clause, Effective, EventName
from models.delivery_rule import DeliveryRule
from models.drainage_rule import DrainageRule
from models.errors import BadLaw
from models.event import OPENED
from models.field_types import Text
from models.lateness_rule import LatenessRule
from models.money_rules import ExposureRule, FundsRule
from models.network_rule import NetworkRule
from models.open_meetings import OpenMeetings
from models.paper_kind import PAPER_RELEASED, PaperKind
from models.parameters import parameters
from models.pit_floor_rule import PitFloorRule
from models.sampling_rule import SamplingRule
from models.step import Step
from models.toml_file import Noun, read_noun
from models.water_level_rule import WaterLevelRule
from models.withdrawal_rule import WithdrawalRule

__all__ = [
    "CaseEvent", "CaseKind", "Clause", "DeliveryRule", "DrainageRule", "EventName", "LatenessRule", "PitFloorRule",
    "SamplingRule", "Step", "WaterLevelRule", "WithdrawalRule",
]  # fmt: skip


class GroundwaterQuality(Clause):
    """Results in wells against a set of standards; ``substances``: only these of the set, all where none is named."""

    kind: Literal["groundwater_quality"]
    standards: str
    limits: tuple[Literal["PAL", "ES"], ...]
    exceeded: Literal["gt", "ge"]
    at_equal: Literal["attained", "needs_confirmation", "not_attained"] = "attained"
    wells: Literal["in_application", "private", "any"]
    substances: tuple[str, ...] = ()
    within_mi: Annotated[Decimal, Field(gt=0)] | None = None

    @model_validator(mode="after")
    def _known_substances(self) -> Self:
        unknown = sorted(set(self.substances) - set(parameters()))
        if unknown:
            raise ValueError(f"unknown parameter: {', '.join(unknown)}")
        return self


class BaseFlowRule(Clause):
    """Daily flow of a stream against its established base flow."""

    kind: Literal["base_flow"]
    operator: Literal["lt", "le"]
    more_than_days: Annotated[int, Field(ge=0)] | None = None
    within_mi: Annotated[Decimal, Field(gt=0)] | None = None
    waters: Literal["any", "critical_use", "on_property"] = "any"


class SurfaceLevelRule(Clause):
    """Daily mean stage of a lake, a pond or a stage-only stream against its pre-mining level."""

    kind: Literal["surface_level"]
    operator: Literal["lt", "le"]
    more_than_days: Annotated[int, Field(ge=0)]
    within_mi: Annotated[Decimal, Field(gt=0)] | None = None
    waters: Literal["any", "critical_use", "on_property"] = "any"


Check = (
    GroundwaterQuality | BaseFlowRule | SurfaceLevelRule | WaterLevelRule | LatenessRule | WithdrawalRule | PitFloorRule
    | DrainageRule | SamplingRule | NetworkRule | DeliveryRule
)  # fmt: skip
Book = FundsRule | ExposureRule
Rule = Annotated[Check | Step | Book, Field(discriminator="kind")]


class Computing(Noun):
    """How the ordinance counts time."""

    citation: str
    verification: Text
    last_day_moves_off: tuple[Literal["saturday", "sunday", "holiday"], ...]
    hours_leave_out_sundays_and_holidays: bool
    saturday_filing_moves: bool


class AnnualReport(Noun):
    """The clause that asks for an annual report of the calendar year before: who gets it, and by which day."""

    clause: str
    to: Text
    due_month: Annotated[int, Field(ge=1, le=12)]
    due_day: Annotated[int, Field(ge=1, le=31)]

    def due(self, year: int) -> date:
        """The last day to file the report that covers a year."""
        return date(year + 1, self.due_month, self.due_day)


class Ordinance(Noun):
    """One ordinance file."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+$")]
    title: Text
    jurisdiction: Text
    zone: Annotated[str, Field(pattern=r"^[A-Za-z]+/[A-Za-z_]+$")]
    crs: Annotated[str, Field(pattern=r"^EPSG:\d{4,5}$")]
    holidays: str
    records: str | None = None
    adopted: Effective
    adopted_note: Text
    computing: Computing
    annual_report: AnnualReport | None = None
    open_meetings: OpenMeetings | None = None
    applies: Applies | None = None
    offices: tuple[str, ...] = ("clerk", "town board", "plan commission")
    fact: tuple[Fact, ...] = ()
    case: tuple[CaseKind, ...] = ()
    paper: tuple[PaperKind, ...] = ()
    rule: tuple[Rule, ...] = Field(min_length=1)

    def checks(self, on: date) -> tuple[Check, ...]:
        """Rules in force that observations can judge."""
        return tuple(rule for rule in self.rule if not isinstance(rule, Step | Book) and rule.in_force(on))

    def steps(self, case: str) -> tuple[Step, ...]:
        """The steps of one kind of case."""
        return tuple(rule for rule in self.rule if isinstance(rule, Step) and rule.case == case)

    def distances_mi(self, on: date) -> tuple[Decimal, ...]:
        """The distances from the site that rules in force draw."""
        drawn = {getattr(rule, "within_mi", None) for rule in self.checks(on)}
        return tuple(sorted(one for one in drawn if one is not None))

    def rule_of(self, id: str) -> Check | Step | Book:
        return next(rule for rule in self.rule if rule.id == id)

    def paper_of(self, id: str) -> PaperKind | None:
        return next((one for one in self.paper if one.id == id), None)

    def papers(self, case: str) -> tuple[PaperKind, ...]:
        """The papers of one kind of case."""
        return tuple(one for one in self.paper if one.case == case)

    def applying(self, since: Mapping[str, date]) -> Self:
        """The same, with information steps that a decision made duties for acts from a day on."""
        changed = tuple(
            rule.model_copy(update={"applies_from": since[rule.id]}) if rule.id in since else rule
            for rule in self.rule
        )  # fmt: skip
        return self.model_copy(update={"rule": changed})

    def fact_of(self, name: str) -> Fact | None:
        return next((one for one in self.fact if one.name == name), None)

    def case_kind(self, id: str) -> CaseKind | None:
        return next((kind for kind in self.case if kind.id == id), None)

    @model_validator(mode="after")
    def _joined_up(self) -> Self:
        ids = [rule.id for rule in self.rule]
        twice = sorted({one for one in ids if ids.count(one) > 1})
        if twice:
            raise ValueError(f"rule id used twice: {', '.join(twice)}")
        for rule in self.rule:
            self._check_joins(rule)
            if isinstance(rule, LatenessRule):
                self._check_duty(rule)
            if isinstance(rule, WaterLevelRule) and rule.kept_in:
                self._check_register(rule.id, rule.kept_in, rule.acts)
        spared = set(self.applies.pre_existing_spared_from) - set(ids) if self.applies else set()
        if spared:
            raise ValueError(f"applies names no rule of this file: {', '.join(sorted(spared))}")
        for kind in self.case:
            unknown = {*kind.opening_events, *kind.closing_events} - {event.name for event in kind.event}
            if unknown:
                raise ValueError(f"{kind.id} opens or closes by no event of its own: {', '.join(sorted(unknown))}")
            self._check_acts(kind)
        for paper in self.paper:
            self._check_paper(paper, ids)
        return self

    def _check_joins(self, rule: Clause) -> None:
        kind = rule.case if isinstance(rule, Step) else rule.opens
        found = self.case_kind(kind) if kind else None
        if kind and found is None:
            raise ValueError(f"{rule.id} names no case of this file: {kind}")
        if isinstance(rule, Step) and found is not None:
            unknown = set(rule.acts) - {event.name for event in found.event} - {"case_opened"}
            if unknown:
                raise ValueError(f"{rule.id} names no event of {kind}: {', '.join(sorted(unknown))}")

    def _check_acts(self, kind: CaseKind) -> None:
        facts, steps = {one.name for one in self.fact}, {one.id for one in self.steps(kind.id)}
        for one in kind.event:
            if unknown := set(one.stated()) - facts:
                raise ValueError(f"{kind.id}: {one.name} states no fact of this file: {', '.join(sorted(unknown))}")
            if unknown := {*kind.deciding(one)} - set(self.offices):
                raise ValueError(f"{kind.id}: {one.name} is determined by no office: {', '.join(sorted(unknown))}")
            if unknown := set(one.after_overdue) - steps:
                raise ValueError(f"{kind.id}: {one.name} waits for no step of it: {', '.join(sorted(unknown))}")

    def _check_paper(self, paper: PaperKind, rules: Sequence[str]) -> None:
        kind = self.case_kind(paper.case)
        if kind is None or [one.id for one in self.paper].count(paper.id) > 1:
            raise ValueError(f"paper {paper.id} is named twice or names no case of this file: {paper.case}")
        unknown = {*paper.after, *paper.unless} - {event.name for event in kind.event} - {OPENED}
        if unknown or kind.event_of(PAPER_RELEASED) is None:
            raise ValueError(f"paper {paper.id}: {kind.id} knows no {', '.join(sorted(unknown)) or PAPER_RELEASED}")
        if lost := sorted({*paper.quotes, *paper.clocks} - set(rules)):
            raise ValueError(f"paper {paper.id} names no rule of this file: {', '.join(lost)}")
        if paper.corrects and paper.corrects not in [one.id for one in self.papers(paper.case) if one.begins_its_case]:
            raise ValueError(f"paper {paper.id} corrects no letter about results of {paper.case}: {paper.corrects}")
        if lost := sorted(set(paper.at_once) - set(parameters())):
            raise ValueError(f"paper {paper.id}: unknown parameter: {', '.join(lost)}")

    def _check_duty(self, rule: LatenessRule) -> None:
        if rule.due_as is not None and getattr(self, rule.due_as) is None:
            raise ValueError(f"{rule.id} takes its day from a table this file has not: {rule.due_as}")
        kinds = [kind for kind in self.case if kind.id in rule.kinds]
        if lost := sorted(set(rule.kinds) - {kind.id for kind in kinds}):
            raise ValueError(f"{rule.id} names no case of this file: {', '.join(lost)}")
        if rule.kept_in and not any(kind.is_register for kind in kinds if kind.id == rule.kept_in):
            raise ValueError(f"{rule.id} is kept in a case that is no register: {rule.kept_in}")
        renewing = self.case_kind(rule.renewed_in) if rule.renewed_in else None
        known = [] if renewing is None else [one.name for one in renewing.event if "until" in one.requires]
        if lost := sorted(set(rule.renewed_by) - set(known)):
            raise ValueError(f"{rule.id}: no act of {rule.renewed_in} that states its until: {', '.join(lost)}")
        places = [event.name for kind in kinds for event in kind.event]
        if unknown := sorted(set(rule.acts) - set(places)):
            raise ValueError(f"{rule.id} names no event of {' or '.join(rule.kinds)}: {', '.join(unknown)}")
        if twice := sorted({act for act in rule.acts if places.count(act) > 1}):
            raise ValueError(f"{rule.id} reads an act that stands in two kinds of case: {', '.join(twice)}")

    def _check_register(self, id: str, kept_in: str, acts: Sequence[str]) -> None:
        kind = self.case_kind(kept_in)
        if kind is None or not kind.is_register:
            raise ValueError(f"{id} is kept in a case that is no register: {kept_in}")
        if unknown := sorted(set(acts) - {event.name for event in kind.event}):
            raise ValueError(f"{id} names no event of {kept_in}: {', '.join(unknown)}")


@cache
def ordinance(id: str) -> Ordinance:
    """Read ``models/law/ordinances/<id>.toml``.

    Raises
    ------
    BadLaw : no such file, or it breaks the schema.
    """
    folder = files("models") / "law" / "ordinances"
    names = sorted(one.name.removesuffix(".toml") for one in folder.iterdir() if one.name.endswith(".toml"))
    if id not in names:
        raise BadLaw("no such ordinance", key="ordinance", found=id, allowed=names)
    return read_ordinance((folder / f"{id}.toml").read_text(encoding="utf-8"), file=f"{id}.toml")


def read_ordinance(text: str, *, file: str) -> Ordinance:
    """Read an ordinance from TOML text.

    Raises
    ------
    BadLaw : names file, key, what was found and what is allowed.
    """
    return read_noun(Ordinance, text, file=file, error=BadLaw)
