"""What the papers of an owner's remedy say: the blank form, the acknowledgement of receipt, the demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from models.case import Case, Event
from models.case_kind import CaseKind
from models.paper_kind import PaperKind
from models.paper_slots import Slot
from models.rules import Ordinance
from models.step import Step
from reports.papers.words import Due, long_instant


@dataclass(frozen=True)
class Remedy:
    """A property, its owner's lines, where a household stands as slots, and the steps of its case in words."""

    property: str
    parcel: str
    owner: tuple[str | Slot, ...]
    steps: Sequence[Due]


def form(kind: PaperKind, operator: str, steps: Sequence[Due], law: Ordinance) -> dict[str, Any]:
    """The names that ``paper_owner_form.j2`` speaks of."""
    return {
        "operator": operator, "quotes": _quotes(kind, law), "own_quotes": kind.quote, "choices": kind.choices,
        "steps": [_step(one) for one in steps],
    }  # fmt: skip


def receipt(kind: PaperKind, case: Case, told: Remedy, law: Ordinance) -> dict[str, Any]:
    """The names that ``paper_receipt.j2`` speaks of."""
    acts = [(name, case.kind.event_of(name), _act(case, name)) for name in kind.after]
    zone = ZoneInfo(law.zone)
    missing = [act.means for _, act, found in acts if act and found is None]
    return {
        "property": told.property, "parcel": told.parcel, "quotes": _quotes(kind, law),
        "receipts": [(_sentence(act.means), _received(found, zone)) for _, act, found in acts if act],
        "missing": f"Not on record: that {' and that '.join(missing)}. {_still(told.steps)}" if missing else "",
        "steps": [_step(one) for one in told.steps], "computing": law.computing.citation,
        "notes": [f"{one.title}: {one.follows}" for one in told.steps if one.follows],
    }  # fmt: skip


def demand(kind: PaperKind, case: Case, told: Remedy, law: Ordinance) -> dict[str, Any]:
    """The names that ``paper_demand.j2`` speaks of; its step must run."""
    answer, step = told.steps[0], law.rule_of(kind.clocks[0])
    started = next(one for one in reversed(case.events) if isinstance(step, Step) and one.name in step.runs_from)
    return {
        "property": told.property, "parcel": told.parcel, "owner": told.owner, "quotes": _quotes(kind, law),
        "received": long_instant(started.happened_at, ZoneInfo(law.zone)), "method": started.method or "not recorded",
        "notice_clause": _clause_of(case.kind, started.name), "choices": kind.choices, "answer": answer,
        "computing": law.computing.citation,
    }  # fmt: skip


def _quotes(kind: PaperKind, law: Ordinance) -> list[str]:
    return [law.rule_of(id).text for id in kind.quotes]


def _act(case: Case, name: str) -> Event | None:
    return next((one for one in reversed(case.events) if one.name == name), None)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _received(found: Event | None, zone: ZoneInfo) -> str:
    if found is None:
        return "NOT ON RECORD"
    said = [long_instant(found.happened_at, zone), found.method, f"proof: {found.proof}" if found.proof else ""]
    return ", ".join(one for one in said if one)


def _still(steps: Sequence[Due]) -> str:
    waits = [one.title for one in steps if one.count and not one.dated]
    return f"Until it is, no time runs for: {'; '.join(waits)}." if waits else ""


def _step(one: Due) -> dict[str, str]:
    return {"Clause": one.clause, "What": one.title, "Who": one.who, "When": one.when}


def _clause_of(kind: CaseKind, name: str) -> str:
    act = kind.event_of(name)
    return (act.clause if act else "") or kind.clause
