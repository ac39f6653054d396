"""The law reader: an ordinance file becomes a tagged union of rules, each with its clause and dates.

A later rule kind is one more class here, data in ``models/law/ordinances/`` and one check function
in ``models/checks/``; nothing else changes. A number of law stands in the file, never in code.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.errors import BadLaw
from models.field_types import Text
from models.toml_file import Noun, read_noun

RuleId = Annotated[str, Field(pattern=r"^[a-z0-9]+(\.[a-z0-9_]+)+$")]
EventName = Annotated[str, Field(pattern=r"^[a-z][a-z_]*$")]
Effective = date | Literal["unknown"]


class Clause(Noun):
    """What every rule carries: where it stands, its words, and when it is law."""

    id: RuleId
    clause: str
    title: Text
    text: Text
    effective: Effective
    effective_note: Text = ""
    repealed: date | None = None
    information: bool = False
    counsel: Text = ""
    required_by: bool = False
    opens: RuleId | None = None
    follows: Text = ""

    def in_force(self, on: date) -> bool:
        """Whether the rule is law on a day; an unknown date counts as in force and is printed as unknown."""
        begun = self.effective == "unknown" or self.effective <= on
        return begun and (self.repealed is None or on < self.repealed)


class GroundwaterQuality(Clause):
    """Results in wells against a set of standards."""

    kind: Literal["groundwater_quality"]
    standards: str
    limits: tuple[Literal["PAL", "ES"], ...]
    exceeded: Literal["gt", "ge"]
    at_equal: Literal["attained", "needs_confirmation", "not_attained"] = "attained"
    wells: Literal["in_application", "private"]
    within_mi: Annotated[Decimal, Field(gt=0)] | None = None


class BaseFlowRule(Clause):
    """Daily flow of a stream against its established base flow."""

    kind: Literal["base_flow"]
    operator: Literal["lt", "le"]
    more_than_days: Annotated[int, Field(ge=0)] | None = None
    within_mi: Annotated[Decimal, Field(gt=0)] | None = None
    waters: Literal["any", "critical_use", "on_property"] = "any"


class WaterLevelRule(Clause):
    """The water table at private wells and what it does to them."""

    kind: Literal["water_level"]
    within_mi: Annotated[Decimal, Field(gt=0)]
    wells: Literal["private"] = "private"


class Step(Clause):
    """An act the law asks of somebody, with its clock where the law states one.

    ``deadline``: late when the time is out. ``window``: a power that may be used in that time,
    nobody's default. ``duty``: owed, no time stated. ``receipts``: every act of ``done_by`` is needed.
    """

    kind: Literal["step"]
    case: RuleId | None = None
    who: Literal["town", "operator", "owner"]
    nature: Literal["deadline", "window", "duty", "receipts", "information"]
    runs_from: tuple[EventName, ...] = ()
    done_by: tuple[EventName, ...] = ()
    days: Annotated[int, Field(gt=0)] | None = None
    hours: Annotated[int, Field(gt=0)] | None = None
    filing: bool = False
    late: Text = ""

    @model_validator(mode="after")
    def _clock_fits_nature(self) -> Self:
        timed = (self.days is not None) + (self.hours is not None)
        if self.nature in {"deadline", "window"} and (timed != 1 or not self.runs_from):
            raise ValueError(f"a {self.nature} needs runs_from and either days or hours")
        if self.nature in {"duty", "receipts"} and timed:
            raise ValueError(f"a {self.nature} has no time: take days and hours out")
        if self.case is None and self.nature != "information":
            raise ValueError("needs the case it belongs to")
        return self


Rule = Annotated[GroundwaterQuality | BaseFlowRule | WaterLevelRule | Step, Field(discriminator="kind")]
Check = GroundwaterQuality | BaseFlowRule | WaterLevelRule


class CaseEvent(Noun):
    """An act that may be recorded in a case, and whose act it is."""

    name: EventName
    who: Literal["town", "operator", "owner", "court", "agency"]
    means: Text


class CaseKind(Noun):
    """A kind of case: what it is about, how it opens, and which acts it knows."""

    id: RuleId
    clause: str
    title: Text
    subject: Literal["gauge", "property"]
    opened_by: Literal["finding", "event"]
    opening_events: tuple[EventName, ...] = ()
    closing_events: tuple[EventName, ...] = ()
    event: tuple[CaseEvent, ...]


class Computing(Noun):
    """How the ordinance counts time."""

    citation: str
    verification: Text
    last_day_moves_off: tuple[Literal["sunday", "holiday"], ...]
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
    adopted: Effective
    adopted_note: Text
    computing: Computing
    annual_report: AnnualReport | None = None
    case: tuple[CaseKind, ...] = ()
    rule: tuple[Rule, ...] = Field(min_length=1)

    def checks(self, on: date) -> tuple[Check, ...]:
        """Rules in force that observations can judge."""
        return tuple(rule for rule in self.rule if not isinstance(rule, Step) and rule.in_force(on))

    def steps(self, case: str) -> tuple[Step, ...]:
        """The steps of one kind of case."""
        return tuple(rule for rule in self.rule if isinstance(rule, Step) and rule.case == case)

    def distances_mi(self, on: date) -> tuple[Decimal, ...]:
        """The distances from the site that rules in force draw."""
        drawn = {getattr(rule, "within_mi", None) for rule in self.checks(on)}
        return tuple(sorted(one for one in drawn if one is not None))

    def rule_of(self, id: str) -> GroundwaterQuality | BaseFlowRule | WaterLevelRule | Step:
        return next(rule for rule in self.rule if rule.id == id)

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
        for kind in self.case:
            unknown = {*kind.opening_events, *kind.closing_events} - {event.name for event in kind.event}
            if unknown:
                raise ValueError(f"{kind.id} opens or closes by no event of its own: {', '.join(sorted(unknown))}")
        return self

    def _check_joins(self, rule: Clause) -> None:
        kind = rule.case if isinstance(rule, Step) else rule.opens
        found = self.case_kind(kind) if kind else None
        if kind and found is None:
            raise ValueError(f"{rule.id} names no case of this file: {kind}")
        if isinstance(rule, Step) and found is not None:
            unknown = {*rule.runs_from, *rule.done_by} - {event.name for event in found.event} - {"case_opened"}
            if unknown:
                raise ValueError(f"{rule.id} names no event of {kind}: {', '.join(sorted(unknown))}")


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
