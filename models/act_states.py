"""What an act must state: body, meeting and vote of a determination, last days, and the facts its clause asks for."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal

from models.act_dates import FIRST_YEAR, check_date, check_until
from models.case_id import CaseId
from models.case_kind import CaseEvent, Fact
from models.case_reading import Reading, Table, ran_out
from models.errors import BadSite
from models.event import AMENDED, Event
from models.lateness_rule import LatenessRule
from models.policy import Policy
from models.rules import Ordinance
from models.site import Site
from models.stated_act import Stated

_MONEY = re.compile(r"\d{1,9}(\.\d{1,2})?", re.ASCII)
_GROUPED = re.compile(r"\$?(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?", re.ASCII)
_VOTE = re.compile(r"(\d{1,3})-(\d{1,3})", re.ASCII)
_PAPER = re.compile(r"(?=\S*[\d.])[^\s]+( sha256:[0-9a-f]{64})?")


def with_plain_money(event: Event, law: Ordinance) -> Event:
    """The same with amounts as they are kept: ``$50,000`` is ``50000``; what is no amount stays as it is."""
    money = {one.name for one in law.fact if one.kind == "money"}
    said = [(name, _plain(text) if name in money else text) for name, text in event.facts]
    return replace(event, facts=tuple(said))


def _plain(text: str) -> str:
    return text.replace(",", "").removeprefix("$") if _GROUPED.fullmatch(text) else text


def check_states(
    event: Event, act: CaseEvent, read: Reading, table: Table, site: Site, law: Ordinance, policy: Policy
) -> None:  # fmt: skip
    """Refuse an act that does not state what its clause asks for, or states what cannot be.

    Parameters
    ----------
    read : how the case stands just before it.

    Raises
    ------
    BadSite : names the key, what was found and what is allowed.
    """
    one = Stated(event, act, read, table, site, law, policy)
    _nothing_missing(one)
    _check_body(one)
    _check_vote(one)
    _check_meeting(one)
    check_until(one)
    for name, text in event.facts:
        fact = law.fact_of(name)
        if fact is None or name not in act.stated():
            raise BadSite(f"{act.name} states no such fact", key=name, allowed=act.stated() or ["none"])
        _check_fact(fact, text, one)


def check_taken_back(
    event: Event, act: CaseEvent, read: Reading, table: Table, site: Site, law: Ordinance, policy: Policy
) -> None:  # fmt: skip
    """Refuse the withdrawal of a determination that is not one itself: body, meeting and a vote that passed.

    Raises
    ------
    BadSite : as `check_states`.
    """
    if table.kind.votes(act.name):
        passed = act.model_copy(update={"any_vote": False, "any_vote_if": (), "ahead_by": None})
        one = Stated(event, passed, read, table, site, law, policy)
        _check_body(one)
        _check_vote(one)
        _check_meeting(one)


def _nothing_missing(one: Stated) -> None:
    extending = any(one.act.name in step.extended_by for step in one.table.steps)
    for name in (*one.act.requires, *(["until"] if extending else [])):
        if not one.event.says(name):
            raise BadSite(f"{one.clause}: {one.act.name} must state it", key=name, found="")


# A determination -----------------------------------------------------------------------------------------------------


def _check_body(one: Stated) -> None:
    body, bodies = one.event.body.casefold(), one.table.kind.deciding(one.act)
    if body and body not in {each.casefold() for each in one.law.offices}:
        raise BadSite("no body of the town", key="body", found=one.event.body, allowed=bodies or one.law.offices)
    if body and bodies and body not in {each.casefold() for each in bodies}:
        raise BadSite(f"{one.clause}: {one.act.name} is not its to determine", key="body", found=one.event.body,
                      allowed=bodies)  # fmt: skip


def _check_vote(one: Stated) -> None:
    """Ayes and noes; a body acts by more ayes than noes."""
    if not one.event.vote:
        return
    match = _VOTE.fullmatch(one.event.vote)
    ayes, noes = (int(match[1]), int(match[2])) if match else (0, 0)
    if match is None or ayes + noes == 0:
        raise BadSite("not a vote: ayes-noes; who abstained goes into the note", key="vote", found=one.event.vote,
                      allowed=["3-0"])  # fmt: skip
    lost = one.act.any_vote or any(f"{name}={text}" in one.act.any_vote_if for name, text in one.event.facts)
    if ayes <= noes and not lost:
        raise BadSite(f"a motion that failed is no {one.act.name}", key="vote", found=one.event.vote,
                      allowed=["more ayes than noes"])  # fmt: skip


def _check_meeting(one: Stated) -> None:
    """Not after the act, nor before the ordinance, the permit or what it decides on."""
    meeting, adopted, permit = one.event.meeting, one.law.adopted, one.site.permit.granted
    if meeting is None:
        return
    if meeting > one.day:
        raise BadSite("the meeting comes after the act", key="meeting", found=str(meeting), allowed=[f"by {one.day}"])
    first = [(adopted, "the ordinance")] if isinstance(adopted, date) else []
    first += [] if one.table.kind.before_permit else [(permit, "the permit")]
    ahead = one.act.ahead_by is not None and bool(one.event.fact(one.act.ahead_by))
    for day, what in [*first, *([] if ahead else _decided_on(one))]:
        if meeting < day:
            raise BadSite(f"the meeting comes before {what} of {day}", key="meeting", found=str(meeting),
                          allowed=[f"{day} or later"])  # fmt: skip


def _decided_on(one: Stated) -> list[tuple[date, str]]:
    """What it follows: the case itself, each of ``after_all``, the first of ``after`` or else a time that is out."""
    days = {each.name: one.table.calendar.day(each.happened_at) for each in one.read.valid}
    every = [(days[name], name) for name in one.act.after_all if name in days]
    follows = one.read.before_it(one.act, one.event) & set(one.act.after)
    either = sorted((days[name], name) for name in follows if name in days)
    return [*_case_began(one), *every, *(either or _time_out(one))[:1]]


def _case_began(one: Stated) -> list[tuple[date, str]]:
    """No body decides on a case that is not there yet, unless its act opens it."""
    if one.act.name in one.table.kind.opening_events:
        return []
    if one.table.kind.opened_by == "finding":
        moved = any(each.name == AMENDED for each in one.read.valid)
        return [] if moved else [(CaseId.parse(one.event.case).opened, "the condition")]
    acts = [one.table.calendar.day(each.happened_at) for each in one.read.valid if not each.own]
    return [(min(acts), "the case")] if acts else []


def _time_out(one: Stated) -> list[tuple[date, str]]:
    found = ran_out(one.event, one.act, one.read, one.table)
    ends = [one.table.calendar.day(each.statutory) for each in found if each.statutory]
    return [(day, "the lapse of the time") for day in sorted(ends)[:1]]


# Facts ---------------------------------------------------------------------------------------------------------------


def _check_fact(fact: Fact, text: str, one: Stated) -> None:
    if fact.kind == "money":
        _check_money(fact, text)
    elif fact.kind == "date":
        check_date(fact, text, one)
    elif fact.kind == "year":
        _check_year(fact, text)
        _check_year_is_over(fact, text, one)
    elif fact.kind == "document" and _PAPER.fullmatch(text) is None:
        raise BadSite(f"names no paper: {fact.means}", key=fact.name, found=text, allowed=["its file name or number"])
    elif fact.kind == "operator":
        known = [each.id for each in one.site.party if each.role == "operator"]
        if text not in known:
            raise BadSite("no operator of this site", key=fact.name, found=text, allowed=known or ["none yet"])
    elif fact.one_of and text not in fact.one_of:
        raise BadSite(f"is not {fact.means}", key=fact.name, found=text, allowed=fact.one_of)


def _check_money(fact: Fact, text: str) -> None:
    if _MONEY.fullmatch(text) is None or not Decimal(text):
        raise BadSite("not an amount in dollars and cents", key=fact.name, found=text, allowed=["1250.00"])


def _check_year(fact: Fact, text: str) -> None:
    if not (text.isascii() and text.isdigit() and len(text) == len("YYYY")) or int(text) < FIRST_YEAR:
        raise BadSite("not a year in four digits", key=fact.name, found=text, allowed=["YYYY"])


def _check_year_is_over(fact: Fact, text: str, one: Stated) -> None:
    """A duty about the year before is never answered for a year that still runs."""
    duties = [each for each in one.law.rule if isinstance(each, LatenessRule) and each.covers == "year_before"]
    about = next((each for each in duties if one.event.name in each.acts), None)
    if about is not None and int(text) >= one.day.year:
        raise BadSite(
            f"{about.clause} is about the calendar year before, and {text} is not over on {one.day}", key=fact.name,
            found=text, allowed=[f"{one.day.year - 1} or before"],
        )  # fmt: skip
