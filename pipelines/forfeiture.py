"""For the town alone: days duties were overdue, days conditions were observed, what a day costs once adjudicated."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models.checks.lateness import DATED_DUTY
from models.clock import Deadline
from models.counting import Calendar
from models.duty_standing import Duty
from models.errors import BadQuestion
from models.finding import Finding
from models.money_rules import ExposureRule
from pipelines import casebook
from pipelines.duty_rows import site_duties
from pipelines.judgement import all_deadlines, calendar
from pipelines.site_folder import SiteFolder

TOWN = "town"
"""What the town itself owes is no forfeiture of anybody."""
UNKNOWN = "unknown"


def forfeiture(folder: SiteFolder, connection: Connection, now: datetime) -> dict[str, Any]:
    """Days a dated duty was overdue and, apart from them, days a condition was observed; no amount is owed.

    Raises
    ------
    BadQuestion : the ordinance states no forfeiture.
    """
    rule = next((one for one in folder.law.rule if isinstance(one, ExposureRule)), None)
    if rule is None:
        raise BadQuestion("this ordinance states no forfeiture by the day", key="ordinance", found=folder.law.id)
    events = casebook.events(connection)
    done = [one for one in all_deadlines(events, folder, now, status="closed") if one.standing == "done_late"]
    late = _overdue([*all_deadlines(events, folder, now), *done], now, ZoneInfo(folder.law.zone))
    late += _late_duties(site_duties(folder, events, now), calendar(folder), now)
    seen = _observed(casebook.standing(connection))
    rows = [_counted(one, rule) for one in (*late, *seen)]
    says = f"{rule.clause}: {rule.text} Only on {rule.only_on}. Besides it: {rule.besides} {rule.follows}"
    return {"clause": rule.clause, "rows": rows, "says": says}


def _counted(row: tuple[str, str, int], rule: ExposureRule) -> dict[str, Any]:
    what, about, days = row
    least, most = rule.between(days)
    return {"what": what, "about": about, "days": days, "least_usd": str(least), "most_usd": str(most)}


def _overdue(deadlines: Iterable[Deadline], now: datetime, zone: ZoneInfo) -> list[tuple[str, str, int]]:
    found = []
    for one in deadlines:
        owed = one.nature == "deadline" and one.who != TOWN
        if owed and one.statutory is not None and one.standing in {"overdue", "done_late"}:
            first, last = (when.astimezone(zone).date() for when in (one.statutory, one.done_at or now))
            found.append(("duty overdue", f"{one.case} {one.clause} {one.title}", (last - first).days + 1))
    return found


def _late_duties(duties: Iterable[Duty], calendar: Calendar, now: datetime) -> list[tuple[str, str, int]]:
    """The same of dated duties that the register does not show done in time; information counts for nothing."""
    on = calendar.day(now)
    return [
        ("duty overdue", f"{one.case} {one.rule.clause} {one.title}", days)
        for one in duties
        if one.rule.who != TOWN and not one.rule.information and (days := one.days_late(calendar, on)) > 0
    ]


def _observed(findings: Iterable[Finding]) -> list[tuple[str, str, int]]:
    """Days with a measurement that shows a condition, each once, by station and parameter.

    Several clauses may name one condition; the same measurement is not counted once for each of them.
    """
    days: dict[tuple[str, str], set[str]] = {}
    clauses: dict[tuple[str, str], dict[str, None]] = {}
    for one in findings:
        if one.verdict == "attained" and not one.information and one.parameter != DATED_DUTY:
            what = (one.station, one.parameter)
            days.setdefault(what, set()).update(_days_measured(one))
            clauses.setdefault(what, {}).update(dict.fromkeys(one.clause.split(", ")))
    return [
        ("condition observed", f"{station} {', '.join(clauses[station, parameter])} {parameter}", len(of_it))
        for (station, parameter), of_it in days.items()
    ]


def _days_measured(finding: Finding) -> set[str]:
    """The known days of a spell, or the day of a sample or reading; an unknown day shows nothing."""
    said: dict[str, str] = finding.facts.get("days", {})
    return {day for day, value in said.items() if value != UNKNOWN} or {finding.start.isoformat()}
