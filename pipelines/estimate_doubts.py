"""What an opponent will say of an estimated day: how it stands beside its neighbours, and what it decides by itself."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from models.finding import Finding
from models.streamflow.day_states import DailyFlow, why_unknown
from pipelines import casebook, daily
from pipelines.estimates import AROUND, Desk, Unreviewed
from pipelines.review_book import UNITS


def doubts(desk: Desk, value: Decimal) -> tuple[str, ...]:
    """One sentence each; of a day that is not judged beside known neighbours, that there are none.

    Parameters
    ----------
    value : the estimate, in the unit of the gauge's record.
    """
    return (*_beside(desk, value), *(_decides(one, desk, value) for one in _resting_on(desk)))


def neighbours(desk: Desk) -> list[DailyFlow]:
    """The known days around, without any reviewer's."""
    recall, practice = Unreviewed(desk.connection, desk.zone, desk.day), desk.folder.policy.practice()
    days = daily.as_known(recall, desk.folder.path, desk.gauge, practice, desk.gauge.measures)
    near = [one for one in days if one.day != desk.day and abs(one.day - desk.day) <= AROUND]
    return [one for one in near if one.value is not None and not why_unknown(one, desk.gauge.measures, practice)]


def _beside(desk: Desk, value: Decimal) -> Iterator[str]:
    unit, around = UNITS[desk.gauge.measures], f"within {AROUND.days} days of {desk.day}"
    known = [one.value for one in neighbours(desk) if one.value is not None]
    if not known:
        yield f"no day {around} is known: nothing on record stands beside the estimate"
    elif not min(known) <= value <= max(known):
        side = "above" if value > max(known) else "below"
        yield f"{value} {unit} is {side} the {len(known)} known days {around}, {min(known)} to {max(known)} {unit}"


def _resting_on(desk: Desk) -> list[Finding]:
    """Findings that stand and span the day as one that is unknown."""
    day = desk.day.isoformat()
    found = [one for one in casebook.standing(desk.connection) if one.station == desk.gauge.id]
    return [one for one in found if not one.information and day in one.facts.get("days", {})]


def _decides(finding: Finding, desk: Desk, value: Decimal) -> str:
    says = f"{finding.clause}, {finding.status} from {finding.start}: what becomes of it rests on this estimate"
    known = [one.value for one in neighbours(desk) if one.value is not None and one.day >= finding.start]
    above = f", and {value} is above every known day beside it" if known and value > max(known) else ""
    return f"{says}{above}"
