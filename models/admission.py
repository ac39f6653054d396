"""What may be recorded: who acts, who has standing, and whether the clause allows it then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.act_states import check_states, check_taken_back
from models.case_id import CaseId
from models.case_kind import CaseEvent, CaseKind
from models.case_reading import (
    Contradiction,
    Reading,
    Table,
    allowed,
    before,
    how_it_opens,
    reading,
    refusal,
    table_of,
)
from models.correction import check_by_its_own, corrected_act
from models.counting import calendar_under
from models.errors import BadSite
from models.event import ENTRY_WITHDRAWN, Event
from models.household import Households
from models.place import Nearness, boundary_to_parcel
from models.policy import Policy, default_policy
from models.privacy import private_part
from models.rules import Ordinance
from models.site import Site

OUTSIDE = ("operator", "court", "agency", "headwater")
"""Who may act beside the town's offices, the parties of the site, and ``owner:PROPERTY`` or ``occupant:PROPERTY``."""
HOUSEHOLD = ("owner", "occupant")
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
    table = table_of(id, law, calendar_under(law, desk.policy))
    _known_subject(id, table.kind, site)
    of_case = [one for one in existing if one.case == event.case]
    act = _act(event, table.kind, law)
    if event.recorded_at < event.happened_at:
        raise BadSite("recorded before it happened", key="recorded_at", found=event.recorded_at.isoformat())
    _kept_private(event, desk)
    target = corrected_act(event, of_case, table) if event.corrects or act is None else None
    if act is not None:
        _in_its_place(event, act, of_case, table, desk)
    _known_party(event, act or target, desk)
    if target is not None:
        _is_its_act(event, target, desk)
        check_by_its_own(event, of_case, _offices(desk))
        if event.name == ENTRY_WITHDRAWN:
            check_taken_back(event, target, before(event, of_case, table), table, site, law, desk.policy)
    if act is not None:
        _is_its_act(event, act, desk)
        _names_known_parties(event, desk)
        check_states(event, act, before(event, of_case, table), table, site, law, desk.policy)


def made_impossible(
    event: Event, existing: Sequence[Event], law: Ordinance, policy: Policy
) -> list[Contradiction]:  # fmt: skip
    """The acts on record that this one contradicts, each with the reason."""
    table = table_of(CaseId.parse(event.case), law, calendar_under(law, policy))
    of_case = [one for one in existing if one.case == event.case]
    before_it = {one.event.key() for one in reading(of_case, table).contradictions}
    return [one for one in reading([*of_case, event], table).contradictions if one.event.key() not in before_it]


def _act(event: Event, kind: CaseKind, law: Ordinance) -> CaseEvent | None:
    """The act in the kind's table; None for the withdrawal of an entry, which every kind knows."""
    act = kind.event_of(event.name)
    if act is None and event.name != ENTRY_WITHDRAWN:
        names = [one.name for one in kind.event]
        others = [one.id for one in law.case if one.event_of(event.name)]
        place = f"; it is recorded in a case {' or '.join(others)}" if others else ""
        raise BadSite(f"no such event in a {kind.id} case{place}", key="event", found=event.name, allowed=names)
    return act


def subjects(kind: CaseKind, site: Site) -> list[str]:
    """What of the site a kind of case may be about, by id."""
    return {
        "property": [one.id for one in site.property],
        "gauge": [one.id for one in site.gauge],
        "site": [site.id],
    }[kind.subject]


def _known_subject(id: CaseId, kind: CaseKind, site: Site) -> None:
    known = subjects(kind, site)
    towns = [one.id for one in site.party if one.role == "town"] if kind.town_claims_under else []
    if id.subject not in {*known, *towns}:
        raise BadSite(f"no {kind.subject} of this site", key="case", found=id.subject, allowed=known)


def _kept_private(event: Event, desk: Desk) -> None:
    texts = [(name, getattr(event, name)) for name in FREE_TEXT] + list(event.facts)
    for name, text in texts:
        if part := private_part(text, desk.households):
            raise BadSite(f"holds a household's {part}: an act names nobody; say owner:PROPERTY", key=name)


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
        f"{clause} does not allow it on {day}: {reason}{_record_first(reason)}", key="event", found=event.name,
        allowed=allowed(read, table, event),
    )  # fmt: skip


def _record_first(reason: str) -> str:
    """Acts may be written down in any order, but each after what it rests on."""
    return "; what happened before and is not on record is recorded first" if "it comes only" in reason else ""


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


def _known_party(event: Event, act: CaseEvent | None, desk: Desk) -> None:
    """``by`` is an office of the town, a party of the site, or the owner or occupant of a parcel; never a name."""
    role, _, parcel = event.by.partition(":")
    parties = [*desk.law.offices, *OUTSIDE, *(one.id for one in desk.site.party)]
    known = {one.casefold() for one in parties}
    if role in HOUSEHOLD and parcel in {one.id for one in desk.site.property}:
        if act is not None:
            _is_the_owner(event, act, role, desk.law)
    elif event.by.casefold() not in known:
        raise BadSite(
            "no party of this site; a person is named by what they are", key="by",
            allowed=[*dict.fromkeys(parties), "owner:PROPERTY", "occupant:PROPERTY"],
        )  # fmt: skip


def _names_known_parties(event: Event, desk: Desk) -> None:
    parcels = {one.id for one in desk.site.property}
    for one in event.parties:
        if one not in parcels | {party.id for party in desk.site.party}:
            raise BadSite("no property or party of this site", key="parties", found=one, allowed=sorted(parcels))


def _is_its_act(event: Event, act: CaseEvent, desk: Desk) -> None:
    """Whose act it is records it, or the town, which keeps the book; nobody acts for the town."""
    role = event.by.partition(":")[0]
    if _office(event.by, desk) or event.by.casefold() in {one.casefold() for one in act.also_by}:
        return
    operators = {"operator", *(one.id.casefold() for one in desk.site.party if one.role == "operator")}
    whose = {"operator": operators, "owner": set(HOUSEHOLD), "court": {"court"}, "agency": {"agency"}}.get(act.who)
    if whose is None or (event.by.casefold() not in whose and role not in whose):
        allowed = [*desk.law.offices, *act.also_by, *([] if act.who == "town" else [_as_said(act.who)])]
        of = "the town's" if act.who == "town" else f"the {act.who}'s or the town's to record"
        raise BadSite(f"{act.name} is {of}", key="by", found=event.by, allowed=allowed)


def _as_said(who: str) -> str:
    return "owner:PROPERTY" if who == "owner" else who


def _offices(desk: Desk) -> list[str]:
    return [*desk.law.offices, *(one.id for one in desk.site.party if one.role == "town")]


def _office(by: str, desk: Desk) -> bool:
    return by.casefold() in {one.casefold() for one in _offices(desk)}


def _is_the_owner(event: Event, act: CaseEvent, role: str, law: Ordinance) -> None:
    """Of the parcel the case is about; an occupant is not the owner. An appeal is open to both."""
    id = CaseId.parse(event.case)
    kind, clause = law.case_kind(id.kind), act.clause or "the clause"
    if act.who != "owner" or kind is None or kind.subject != "property":
        return
    if role == "occupant":
        why = f"{clause} gives the right to the owner of the property; an occupant has no standing"
        raise BadSite(why, key="by", found=event.by, allowed=[f"owner:{id.subject}"])
    if event.by.partition(":")[2] != id.subject:
        why = f"the case is about {id.subject}: {clause} gives the right to its owner, who may own other parcels too"
        raise BadSite(why, key="by", found=event.by, allowed=[f"owner:{id.subject}"])
