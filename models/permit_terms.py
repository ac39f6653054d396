"""The terms of a permit: the one in the site file, and each that a renewal on record added.

A renewal counts while it stands in the book of its kind of case: one taken back, corrected away or made impossible by
another act adds no term.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from models.counting import Calendar
from models.event import Event
from models.permit import Permit


@dataclass(frozen=True)
class Term:
    """One term of a permit.

    ``granted``: the day it was decided. ``runs_from``: the day its longest time is counted from, the end of the term
    before where that is later. ``ends``: its last day. ``act``: the renewal, None for the term in the site file.
    """

    granted: date
    runs_from: date
    ends: date
    act: Event | None = None


def terms(permit: Permit, acts: Sequence[Event], renewed_by: Sequence[str], calendar: Calendar) -> tuple[Term, ...]:
    """Every term of a permit, in order; the last is the one in force.

    Parameters
    ----------
    acts : the grants and renewals that stand and count in the kind of case that holds them, in order; a day that any
        other act names (a request, a recommendation) is the end of no term.
    renewed_by : which of them renew; each states its ``until``.
    """
    stated = [one for one in acts if one.until is not None and one.until > permit.granted]
    renewals = [one for one in stated if one.name in renewed_by]
    found = list(_first(permit, [one for one in stated if one.name not in renewed_by], renewals, calendar))
    for act in renewals:
        day, before = calendar.day(act.happened_at), [one.ends for one in found]
        found.append(Term(day, max([day, *before]), act.until or date.min, act))
    return tuple(sorted(found, key=lambda one: one.ends))


def _first(permit: Permit, grants: Sequence[Event], renewals: Sequence[Event], calendar: Calendar) -> list[Term]:
    """The site file's term; where the file was brought up to a renewal, the term of the grant on record instead."""
    if permit.ends not in [one.until for one in renewals]:
        return [Term(permit.granted, permit.granted, permit.ends)]
    days = [(calendar.day(one.happened_at), one.until) for one in grants if one.until is not None]
    return [Term(day, day, until) for day, until in days[:1]]
