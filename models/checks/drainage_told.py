"""Drainage in words: the storm that decides, its like ones, what is not known, and the readings behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Literal

from models.checks.drainage_storms import Compared, Record
from models.drainage_point import DrainagePoint
from models.finding import Evidence, Finding
from models.question import Question
from models.rules import DrainageRule
from models.streamflow.day_states import DailyFlow
from models.verdict import NOTABLE, Verdict

ORDER: tuple[Verdict, ...] = ("attained", "needs_confirmation", "indeterminate", "not_attained")
Bearing = Literal["supports", "against", "silent", "context"]
STORMS_SHOWN = 12
PROVISIONAL = "P"
SETTLES = "more storms will, or the Town Engineer's own look at the point"


def volume(
    rule: DrainageRule, question: Question, point: DrainagePoint, found: Record, days: Sequence[DailyFlow],
    parameter: str, lack: str,
) -> Finding:  # fmt: skip
    """What the storms say of the volume at one point."""
    verdict = _verdict(found)
    deciding = [one for one in found.compared if one.verdict == verdict]
    most = max(deciding, key=lambda one: one.excess, default=None)
    beyond = [one for one in found.compared if one.verdict in {"attained", "needs_confirmation"}]
    shown = _shown(beyond or deciding)
    opened = min((one.measured.storm.first for one in deciding), default=question.began)
    return Finding(
        rule=rule.id, clause=rule.clause, station=point.id, parameter=parameter, aspect="", start=question.began,
        end=None, opened_on=opened, verdict=verdict, status=verdict, ongoing=True,
        measured="no storm compared" if most is None else _gave(most), limit=_limit(question, most), unit="ft3",
        reason=lack or _reason(question, found, verdict, len(beyond)),
        verification="computed from daily discharge and daily rain",
        provisional=_provisional(days, deciding if verdict == "attained" else ()),
        information=rule.information and verdict in NOTABLE, lapses=verdict != "attained",
        material=(verdict, *(one.measured.storm.first.isoformat() for one in beyond)),
        evidence=tuple(_evidence(question, found, shown, days)),
        facts={
            "storms": [_fact(one) for one in shown], "compared": len(found.compared), "before": found.before,
            "gauge": point.gauge,
        },
    )  # fmt: skip


def _verdict(found: Record) -> Verdict:
    verdicts = {one.verdict for one in found.compared}
    return next((one for one in ORDER if one in verdicts), "indeterminate")


def ft3(volume_ft3: float) -> str:
    """A volume to three figures: a daily discharge has no more."""
    return f"{float(f'{volume_ft3:.3g}'):,.{0 if volume_ft3 >= 100 else 1}f} ft3"


def _gave(one: Compared) -> str:
    storm = one.measured.storm
    return f"{ft3(float(one.measured.volume_ft3))} from {storm.rain_in:.2f} in of rain, {storm.first} to {storm.until}"


def _limit(question: Question, most: Compared | None) -> str:
    level = question.policy.drainage_prediction_level.says()
    if most is None:
        return f"the upper prediction limit of like storms before {question.began}: {level}"
    what = "the largest" if most.some_dry else "the upper prediction limit"
    of = "" if most.some_dry else f": {level}"
    return f"not over {ft3(most.limit_ft3)}, {what} of {most.like} like storms before {question.began}{of}"


def _reason(question: Question, found: Record, verdict: Verdict, beyond: int) -> str:
    n = len(found.compared)
    if verdict == "attained":
        chance = n * (1 - float(question.policy.drainage_prediction_level.value))
        return (
            f"{beyond} of {n} storms compared gave more than like storms before excavation predict; where nothing "
            f"changed {chance:.1g} of {n} would"
        )
    if verdict == "needs_confirmation":
        return (
            f"{beyond} of {n} storms compared gave more than every like storm before excavation, but some of those "
            f"gave nothing, so that no limit can be computed: {SETTLES}"
        )
    if verdict == "indeterminate":
        return f"none of {n} storms compared gave more than like storms before excavation predict: {SETTLES}"
    return f"each of {n} storms compared gave no more than the middle one of its like storms before excavation"


def _provisional(days: Sequence[DailyFlow], deciding: Sequence[Compared]) -> bool:
    spans = [(one.measured.storm.first, one.measured.storm.until) for one in deciding]
    marked = [one.day for one in days if one.approval == PROVISIONAL]
    return any(first <= day <= until for day in marked for first, until in spans)


def _evidence(
    question: Question, found: Record, shown: Sequence[Compared], days: Sequence[DailyFlow]
) -> Iterator[Evidence]:  # fmt: skip
    for one in shown:
        rows = _rows(days, one.measured.storm.first, one.measured.storm.until)
        says = f"{_gave(one)}; {one.like} like storms: the middle one {ft3(one.middle_ft3)}, limit {ft3(one.limit_ft3)}"
        yield Evidence("storm", says, _bearing(one.verdict), rows)
    policy = question.policy
    yield Evidence(
        "like weather",
        f"first day within {policy.drainage_season_half_width.says()} on the calendar, rain within "
        f"{policy.drainage_rain_alike.says()} of the storm's; at least {policy.drainage_minimum_storms.says()}",
        "context",
    )
    yield Evidence(
        "storms",
        f"{found.since} since {question.began}, {found.known} with every day of flow, {len(found.compared)} compared; "
        f"{found.before} before with flow. Dry spell {policy.storm_dry_hours.says()}, wet day from "
        f"{policy.storm_wet_day.says()}, least rain {policy.storm_least_rain.says()}",
        "context",
    )


def _shown(deciding: Sequence[Compared]) -> list[Compared]:
    """The storms nearest to the limit or furthest past it, in order of time."""
    most = sorted(deciding, key=lambda one: -one.excess)[:STORMS_SHOWN]
    return sorted(most, key=lambda one: one.measured.storm.first)


def _bearing(verdict: Verdict) -> Bearing:
    return "supports" if verdict == "attained" else "against" if verdict == "not_attained" else "silent"


def _rows(days: Sequence[DailyFlow], first: date, last: date) -> tuple[str, ...]:
    return tuple(one.version for one in days if first <= one.day <= last and one.version)


def _fact(one: Compared) -> dict[str, object]:
    storm = one.measured.storm
    return {
        "first": storm.first.isoformat(), "until": storm.until.isoformat(), "rain_in": float(storm.rain_in),
        "volume_ft3": float(one.measured.volume_ft3), "like": one.like, "limit_ft3": one.limit_ft3,
        "middle_ft3": one.middle_ft3, "verdict": one.verdict,
    }  # fmt: skip


def place(
    rule: DrainageRule, question: Question, point: DrainagePoint, since: Sequence[DailyFlow],
    flowed: Sequence[DailyFlow], parameter: str, lack: str,
) -> Finding:  # fmt: skip
    """Whether drainage leaves at a point that is not original. ``flowed``: days with flow, before excavation too."""
    now = [one for one in flowed if one.day >= question.began]
    before = [one for one in flowed if one.day < question.began]
    verdict, reason = _placed(point, now, before, lack)
    return Finding(
        rule=rule.id, clause=rule.clause, station=point.id, parameter=parameter, aspect="", start=question.began,
        end=None, opened_on=now[0].day if now else question.began, verdict=verdict, status=verdict, ongoing=True,
        measured=_flow_words(since, now), limit="no drainage but at the original points", unit="cfs", reason=reason,
        verification=f"not an original point: {point.source}",
        provisional=bool(now) and all(one.approval == PROVISIONAL for one in now),
        information=rule.information and verdict in NOTABLE, lapses=verdict != "attained", material=(verdict,),
        evidence=tuple(_of_flow(now, before, point)), facts={"gauge": point.gauge, "days": len(now)},
    )  # fmt: skip


def _placed(
    point: DrainagePoint, now: Sequence[DailyFlow], before: Sequence[DailyFlow], lack: str
) -> tuple[Verdict, str]:  # fmt: skip
    if lack:
        return "indeterminate", lack
    if not now:
        return "not_attained", "no flow on record at this point since excavation began"
    if point.natural is False:
        return "not_attained", f"what leaves here is no natural drainage: {point.determined_by}"
    if before:
        return "needs_confirmation", (
            f"flow on record, but also on {before[0].day}, before excavation: whether the point is original is to be "
            "found"
        )
    if point.natural is None:
        return "needs_confirmation", (
            "flow on record at a point that is not original: whether it is natural drainage, or water pumped, is for "
            "the Town Engineer to find ([[drainage_point]] natural)"
        )
    return "attained", f"natural drainage leaves at a point that is not original: {point.determined_by}"


def _flow_words(since: Sequence[DailyFlow], now: Sequence[DailyFlow]) -> str:
    if not since:
        return "no record"
    known = f"of {len(since)} known days to {since[-1].day}"
    if not now:
        return f"flow on none {known}"
    most = max(now, key=lambda one: one.value or 0)
    return f"flow on {len(now)} {known}, the first {now[0].day}, the most {most.value} cfs on {most.day}"


def _of_flow(now: Sequence[DailyFlow], before: Sequence[DailyFlow], point: DrainagePoint) -> Iterator[Evidence]:
    if now:
        rows = tuple(one.version for one in now[:STORMS_SHOWN] if one.version)
        yield Evidence("flow", f"{len(now)} days with flow, {now[0].day} to {now[-1].day}", "supports", rows)
    if before:
        rows = tuple(one.version for one in before[:STORMS_SHOWN] if one.version)
        yield Evidence("flow before excavation", f"{len(before)} days, the first {before[0].day}", "against", rows)
    if point.determined_by:
        natural = "natural drainage" if point.natural else "no natural drainage"
        yield Evidence("determination", f"{natural}: {point.determined_by}", "context")
