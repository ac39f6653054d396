"""What may be recorded: who acts, what the act must state, who has standing, and whether the clause allows it then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation

from models.case import CaseId, Reading, Table, allowed, before, how_it_opens, reading, refusal, table_of
from models.case_kind import CaseEvent, CaseKind, Fact
from models.counting import calendar_of
from models.errors import BadSite
from models.event import ENTRY_WITHDRAWN, Event, overridden
from models.household import Households
from models.lateness_rule import LatenessRule
from models.place import Nearness, boundary_to_parcel
from models.policy import Policy, default_policy
from models.privacy import private_part
from models.rules import Ordinance
from models.site import Site

OUTSIDE = ("operator", "court", "agency", "headwater")
"""Who may act beside the town's offices, the parties of the site, and ``owner:PROPERTY`` or ``occupant:PROPERTY``."""
FIRST_YEAR = 1900
FREE_TEXT = ("by", "method", "document", "note", "proof", "body", "vote", "incident", "clause")


@dataclass(frozen=True)
class Desk:
    """What every act is checked against."""

    site: Site
    law: Ordinance
    policy: Policy
    households: Households


def admit(
    event: Event, existing: Sequence[Event], site: Site, law: Ordinance,
    *, policy: Policy | None = None, households: Households | None = None,
) -> None:  # fmt: skip
    """Refuse an act that the law's case does not know, that does not say what the clause asks for, or cannot be.

    The answer follows from the acts on record and when they happened, not from the order they were recorded in.

    Parameters
    ----------
    event : the act.
    existing : everything on record, of any case.

    Raises
    ------
    BadSite : names the key, what was found and what is allowed.
    """
    desk = Desk(site, law, policy or default_policy(), households or Households())
    id = CaseId.parse(event.case)
    saturday = desk.policy.office_open_on_saturday.value != 0
    table = table_of(id, law, calendar_of(law, office_open_on_saturday=saturday))
    _known_subject(id, table.kind, site)
    of_case = [one for one in existing if one.case == event.case]
    act = _act(event, table.kind, law)
    if event.recorded_at < event.happened_at:
        raise BadSite("recorded before it happened", key="recorded_at", found=event.recorded_at.isoformat())
    _kept_private(event, desk)
    if event.corrects or act is None:
        _corrects_something(event, of_case)
    if act is not None:
        _in_its_place(event, act, of_case, table, desk)
        _known_party(event, act, desk)
        _says_enough(event, act, table, desk)


def made_impossible(event: Event, existing: Sequence[Event], law: Ordinance, policy: Policy) -> list[str]:
    """What another act on record becomes by this one: a line for each that it makes impossible."""
    saturday = policy.office_open_on_saturday.value != 0
    table = table_of(CaseId.parse(event.case), law, calendar_of(law, office_open_on_saturday=saturday))
    of_case = [one for one in existing if one.case == event.case]
    before_it = {one.event.key() for one in reading(of_case, table).contradictions}
    after = reading([*of_case, event], table).contradictions
    return [
        f"{one.event.name} of {table.calendar.day(one.event.happened_at)} contradicts it: {one.reason}"
        for one in after
        if one.event.key() not in before_it
    ]


def _act(event: Event, kind: CaseKind, law: Ordinance) -> CaseEvent | None:
    """The act in the kind's table; None for the withdrawal of an entry, which every kind knows."""
    act = kind.event_of(event.name)
    if act is None and event.name != ENTRY_WITHDRAWN:
        names = [one.name for one in kind.event]
        others = [one.id for one in law.case if one.event_of(event.name)]
        place = f"; it is recorded in a case {' or '.join(others)}" if others else ""
        raise BadSite(f"no such event in a {kind.id} case{place}", key="event", found=event.name, allowed=names)
    return act


def _known_subject(id: CaseId, kind: CaseKind, site: Site) -> None:
    known = {
        "property": [one.id for one in site.property],
        "gauge": [one.id for one in site.gauge],
        "site": [site.id],
    }[kind.subject]
    towns = [one.id for one in site.party if one.role == "town"] if kind.town_claims_under else []
    if id.subject not in {*known, *towns}:
        raise BadSite(f"no {kind.subject} of this site", key="case", found=id.subject, allowed=known)


def _kept_private(event: Event, desk: Desk) -> None:
    texts = [(name, getattr(event, name)) for name in FREE_TEXT] + list(event.facts)
    for name, text in texts:
        if part := private_part(text, desk.households):
            raise BadSite(f"holds a household's {part}: an act names nobody; say owner:PROPERTY", key=name)


def _corrects_something(event: Event, of_case: Sequence[Event]) -> None:
    """A correction names an act of a person in the same case that no other correction took out."""
    if not event.corrects:
        raise BadSite("names the entry it withdraws", key="corrects", found=event.corrects)
    found = next((one for one in of_case if one.key() == event.corrects), None)
    if found is None or found.own:
        raise BadSite("no act of this case has that key; `headwater case show` lists them", key="corrects")
    other = overridden(of_case).get(event.corrects)
    if other is not None and other != event.key():
        raise BadSite("is corrected already; correct the correction", key="corrects", found=other[:12])
    if event.name == ENTRY_WITHDRAWN and not event.note:
        raise BadSite("a withdrawal says why", key="note", found="")


def _in_its_place(event: Event, act: CaseEvent, of_case: Sequence[Event], table: Table, desk: Desk) -> None:
    read = before(event, of_case, table)
    _has_standing(event, act, read, table, desk)
    reason = refusal(event, act, read, table)
    if reason is None:
        return
    if reason.startswith("no case is open"):
        reason = f"no case {event.case} is open; {how_it_opens(table.kind)}"
        raise BadSite(reason, key="case", found=event.case)
    day, clause = table.calendar.day(event.happened_at), act.clause or table.kind.clause
    raise BadSite(
        f"{clause} does not allow it on {day}: {reason}", key="event", found=event.name,
        allowed=allowed(read, table, event),
    )  # fmt: skip


def nearness(kind: CaseKind, subject: str, site: Site) -> Nearness | None:
    """How far the parcel of a case lies from the mine site; None where that decides nothing."""
    parcel = next((one for one in site.property if one.id == subject), None)
    if parcel is None or kind.standing_mi is None or kind.subject != "property":
        return None
    return boundary_to_parcel(site.boundary, parcel.polygon, kind.standing_mi)


def _has_standing(event: Event, act: CaseEvent, read: Reading, table: Table, desk: Desk) -> None:
    near = nearness(table.kind, CaseId.parse(event.case).subject, desk.site)
    if act.standing is None or near is None:
        return
    miles, clause = table.kind.standing_mi, table.kind.standing_clause
    far = f"the parcel lies {near.distance_ft:,.0f} ft from the mine site"
    other = [one.name for one in table.kind.event if one.standing not in {None, act.standing}]
    if act.standing == "within" and not near.counts and not read.effect & set(act.standing_by):
        raise BadSite(
            f"no standing under {clause}: {far}, beyond {miles} mi; first {' or '.join(act.standing_by or other)}",
            key="event", found=event.name, allowed=other,
        )  # fmt: skip
    if act.standing == "beyond" and near.counts:
        raise BadSite(
            f"{act.clause} is for owners beyond {miles} mi: {far}", key="event", found=event.name,
            allowed=[name for name in table.kind.opening_events if name not in {event.name}],
        )  # fmt: skip


def _known_party(event: Event, act: CaseEvent, desk: Desk) -> None:
    """``by`` is an office of the town, a party of the site, or the owner or occupant of a parcel; never a name."""
    role, _, parcel = event.by.partition(":")
    parties = [*desk.law.offices, *OUTSIDE, *(one.id for one in desk.site.party)]
    known = {one.casefold() for one in parties}
    parcels = {one.id for one in desk.site.property}
    if role in {"owner", "occupant"} and parcel in parcels:
        _is_the_owner(event, act, role)
    elif event.by.casefold() not in known:
        raise BadSite(
            "no party of this site; a person is named by what they are", key="by",
            allowed=[*dict.fromkeys(parties), "owner:PROPERTY", "occupant:PROPERTY"],
        )  # fmt: skip
    for one in event.parties:
        if one not in parcels | {party.id for party in desk.site.party}:
            raise BadSite("no property or party of this site", key="parties", found=one, allowed=sorted(parcels))


def _is_the_owner(event: Event, act: CaseEvent, role: str) -> None:
    """The owner of another parcel may own this one too; an occupant is not the owner."""
    if act.who == "owner" and role == "occupant":
        raise BadSite(
            f"{act.clause or 'the clause'} gives the right to the owner of the property; an occupant has no standing",
            key="by", found=event.by, allowed=[f"owner:{CaseId.parse(event.case).subject}"],
        )  # fmt: skip


def _says_enough(event: Event, act: CaseEvent, table: Table, desk: Desk) -> None:
    extending = any(act.name in step.extended_by for step in table.steps)
    for name in (*act.requires, *(["until"] if extending else [])):
        if not event.says(name):
            raise BadSite(f"{act.clause or table.kind.clause}: {act.name} must state it", key=name, found="")
    if event.body and event.body.casefold() not in {one.casefold() for one in desk.law.offices}:
        raise BadSite("no body of the town", key="body", found=event.body, allowed=desk.law.offices)
    for name, text in event.facts:
        fact = desk.law.fact_of(name)
        if fact is None or name not in act.stated():
            raise BadSite(f"{act.name} states no such fact", key=name, allowed=act.stated() or ["none"])
        _check_fact(fact, text, table.calendar.day(event.happened_at), desk.policy)
        if fact.kind == "year":
            _check_year_is_over(event, fact, text, table.calendar.day(event.happened_at), desk.law)


def _check_fact(fact: Fact, text: str, on: date, policy: Policy) -> None:
    if fact.kind == "money":
        _check_money(fact, text)
    elif fact.kind == "date":
        _check_date(fact, text, on, policy)
    elif fact.kind == "year":
        _check_year(fact, text)
    elif fact.one_of and text not in fact.one_of:
        raise BadSite(f"is not {fact.means}", key=fact.name, found=text, allowed=fact.one_of)


def _check_money(fact: Fact, text: str) -> None:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0 or amount != amount.quantize(Decimal("0.01")):
        raise BadSite("not an amount in dollars and cents", key=fact.name, found=text, allowed=["1250.00"])


def _check_year(fact: Fact, text: str) -> None:
    if not (text.isascii() and text.isdigit() and len(text) == len("YYYY")) or int(text) < FIRST_YEAR:
        raise BadSite("not a year in four digits", key=fact.name, found=text, allowed=["YYYY"])


def _check_year_is_over(event: Event, fact: Fact, text: str, on: date, law: Ordinance) -> None:
    """A duty about the year before is never answered for a year that still runs."""
    duties = [one for one in law.rule if isinstance(one, LatenessRule) and one.covers == "year_before"]
    about = next((one for one in duties if event.name in one.acts), None)
    if about is not None and int(text) >= on.year:
        raise BadSite(
            f"{about.clause} is about the calendar year before, and {text} is not over on {on}", key=fact.name,
            found=text, allowed=[f"{on.year - 1} or before"],
        )  # fmt: skip


def _check_date(fact: Fact, text: str, on: date, policy: Policy) -> None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if day.isoformat() != text or day.year < FIRST_YEAR:
        raise BadSite("not a day", key=fact.name, found=text, allowed=["YYYY-MM-DD"])
    if fact.run_of:
        needed = getattr(policy, fact.run_of)
        if (on - day) / timedelta(days=1) < needed.value:
            raise BadSite(
                f"{fact.means}: {(on - day).days} whole days before {on}, and the policy asks for {needed.says()}",
                key=fact.name, found=text, allowed=[f"{on - timedelta(days=int(needed.value))} or before"],
            )  # fmt: skip
