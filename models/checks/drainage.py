"""Where drainage leaves the property and how much of it, against the points and the volumes before excavation.

Volume: of every original point with a gauge, each storm since excavation began against like storms before it; attained
only where one gave more than their prediction limit. Points: flow on record at a point that is not original. Nothing
is judged before mining began. Whether drainage of a new point is natural drainage is a person's to find.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from models.applicability import not_applicable
from models.checks import drainage_told, gauge_days
from models.checks.drainage_storms import Record, like_storms, record
from models.checks.precipitation_days import PRECIPITATION, precipitation_days
from models.drainage_point import DrainagePoint
from models.finding import Finding, Scope
from models.question import Judged, Question, no_longer_reached
from models.rules import DrainageRule
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, why_unknown

VOLUME, PLACE = "drainage_volume", "drainage_point"
"""The parameters of findings: how much leaves at an original point, and that anything leaves at another."""
DISCHARGE = "discharge"


def check(rule: DrainageRule, question: Question) -> Judged:
    """Judge the points whose flow, or the rain, has something new."""
    points = question.site.drainage_point
    if question.on < question.began:
        return _silent(rule, question, "mining has not begun")
    if not points:
        return _silent(rule, question, "no point at which drainage leaves is on file ([[drainage_point]])")
    asked = [one for one in points if _is_new(question, one)]
    findings = [one for point in asked for one in _of_point(rule, question, point)]
    scopes = [Scope(rule.id, one.id, date.min) for one in asked]
    stood = {one.station for one in question.standing if one.rule == rule.id} - {one.id for one in points}
    return Judged(tuple(findings), (*scopes, *no_longer_reached(rule.id, sorted(stood), scopes, question)))


def _silent(rule: DrainageRule, question: Question, why: str) -> Judged:
    scopes = tuple(Scope(rule.id, one.station, date.min) for one in question.standing if one.rule == rule.id)
    return Judged((not_applicable(rule, question, why),), scopes)


def _is_new(question: Question, point: DrainagePoint) -> bool:
    """Whether flow or rain has come since; volumes move with the rain before excavation too."""
    series = [(one.id, PRECIPITATION) for one in question.site.rain_gauge]
    series += [(point.gauge, DISCHARGE)] if point.gauge else []
    news = [question.changed.since(station, (name,), question.began) for station, name in series]
    return question.changed.everything or any(one is not None for one in news)


def _of_point(rule: DrainageRule, question: Question, point: DrainagePoint) -> list[Finding]:
    days = known_days(question, point)
    if point.original:
        return [_volume(rule, question, point, days)] if rule.not_increased else []
    return [_place(rule, question, point, days)] if rule.original_points else []


def gauge_of(question: Question, point: DrainagePoint) -> Gauge | None:
    """The gauge of a point."""
    return next((one for one in question.site.gauge if one.id == point.gauge), None)


def known_days(question: Question, point: DrainagePoint) -> list[DailyFlow]:
    """Days of the point with a known discharge up to tonight, in order [cfs]."""
    gauge = gauge_of(question, point)
    if gauge is None or gauge_days.why_not(gauge):
        return []
    practice = question.policy.practice()
    days = gauge_days.daily(question, gauge, None, question.on)
    return [one for one in days if not why_unknown(one, practice=practice)]


def _volume(rule: DrainageRule, question: Question, point: DrainagePoint, days: list[DailyFlow]) -> Finding:
    flow = {one.day: one.value or Decimal(0) for one in days}
    rain = question.once("precipitation days", lambda: precipitation_days(question))
    found = record(rain, flow, question.began, like_storms(question.policy))
    lack = _lack(question, point, found, has_rain=bool(rain))
    return drainage_told.volume(rule, question, point, found, days, VOLUME, lack)


def _lack(question: Question, point: DrainagePoint, found: Record, *, has_rain: bool) -> str:
    """Why no storm can be compared, and what would settle it; empty where one can."""
    gauge, began = gauge_of(question, point), question.began
    if gauge is None:
        return "no gauge is named for this point ([[drainage_point]] gauge): a record of its flow would settle it"
    if why := gauge_days.why_not(gauge):
        return f"gauge {gauge.id}: {why}"
    if not has_rain:
        return "no daily rain on record ([[rain_gauge]]): that of the nearest station, since before excavation, would"
    if not found.known:
        none = f"none of {found.since} storms since {began} has every day of its flow on record"
        return f"{none}: daily flow would settle it"
    if not found.compared:
        need = question.policy.drainage_minimum_storms
        return (
            f"no storm since {began} has enough like ones before it: at most {found.most_like} of {found.before} on "
            f"record, needs {need.says()}; a record of this point from before {began}, or a drainage study of then, "
            "would settle it"
        )
    return ""


def _place(rule: DrainageRule, question: Question, point: DrainagePoint, days: list[DailyFlow]) -> Finding:
    gauge = gauge_of(question, point)
    lack = "no gauge is named for this point: a record of flow here, or none seen in a storm, would settle it"
    if gauge is not None:
        lack = gauge_days.why_not(gauge)
    since = [one for one in days if one.day >= question.began]
    if not lack and not since:
        lack = f"no day of its flow since {question.began} is known: daily flow would settle it"
    flowed = [one for one in days if (one.value or 0) > 0]
    return drainage_told.place(rule, question, point, since, flowed, PLACE, lack)
