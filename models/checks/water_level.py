"""Private wells: did the water table drop, and did it keep the household from its water?

Howard 2.09(3)(b) has two limbs and both need an observation: a drop in the water table (a level, or a
dry hole, lower than the baseline ever read there) **and** a substantial adverse impact (dry, or the
owner's log says no water). A modelled drawdown alone is a well at risk, which needs confirmation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal

from models import pumping
from models.checks import implied_pumping, modelled_drawdown
from models.checks.modelled_drawdown import ModelledDrawdown
from models.checks.well_levels import LEVELS, depth_below_land_ft
from models.finding import Evidence, Finding, Scope
from models.level_status import LevelStatus, level_status
from models.observation import Flags
from models.place import Nearness, apart, boundary_to_point
from models.question import Judged, Question, StoredRow, no_longer_reached, stored_rows
from models.rules import WaterLevelRule
from models.site import Well
from models.verdict import Verdict

__all__ = ["LEVELS", "OWNER_LOG", "check", "depth_below_land_ft", "wells_within"]

OWNER_LOG = "pump_status"
Says = Literal["impact", "recovered", "low", "silent"]
OWNER_SAYS: dict[str, Says] = {"no water": "impact", "water restored": "recovered"}


@dataclass(frozen=True)
class Reading:
    """One observation at a private well, and what it says about the household's water."""

    day: date
    says: Says
    dropped: bool
    text: str
    line: str
    row: str


@dataclass(frozen=True)
class Baseline:
    """Depth to water below land surface before mining [ft]: the deepest reading, and how many there were."""

    deepest_ft: float | None
    n: int


def check(rule: WaterLevelRule, question: Question) -> Judged:
    """Judge every private well within the line whose own readings are new, and the model's view of every one."""
    findings: list[Finding] = []
    scopes: list[Scope] = []
    pumped = pumping.metered(question, question.on + timedelta(days=1))
    for well, near in wells_within(rule, question):
        episodes = _episodes(_readings(question, well))
        findings += [_episode_finding(rule, question, well, near, one) for one in episodes]
        findings += _at_risk(rule, question, well, near, episodes, pumped)
        scopes.append(Scope(rule.id, well.id, question.began))
    if _is_first(rule, question):
        found, judged = implied_pumping.check(rule, question, pumped)
        findings, scopes = [*findings, *found], [*scopes, *judged]
    scopes += no_longer_reached(rule.id, (well.id for well in question.site.well), scopes, question)
    return Judged(tuple(findings), tuple(scopes))


def _is_first(rule: WaterLevelRule, question: Question) -> bool:
    """Meters and levels are compared once, under the first rule about levels."""
    first = next((one for one in question.law.checks(question.on) if isinstance(one, WaterLevelRule)), rule)
    return first.id == rule.id


def wells_within(rule: WaterLevelRule, question: Question) -> Iterator[tuple[Well, Nearness]]:
    """Private wells within the line, or whose ring of accuracy crosses it."""
    for well in question.site.wells("private"):
        point, accuracy = question.position(well)
        near = boundary_to_point(question.site.boundary, point, accuracy, rule.within_mi)
        if near.counts:
            yield well, near


def _readings(question: Question, well: Well) -> list[Reading]:
    rows = question.observations.rows([well.id], [*LEVELS, OWNER_LOG], question.began, question.on)
    baseline = _baseline(question, well)
    return [_reading(question, well, baseline, row) for row in stored_rows(rows)]


def _baseline(question: Question, well: Well) -> Baseline:
    rows = question.observations.rows([well.id], LEVELS, None, question.day_before_mining)
    depths = [depth for row in stored_rows(rows) if (depth := depth_below_land_ft(well, row)) is not None]
    return Baseline(max(depths, default=None), len(depths))


def _reading(question: Question, well: Well, baseline: Baseline, row: StoredRow) -> Reading:
    if row.parameter == OWNER_LOG:
        says = OWNER_SAYS.get(row.value_text, "silent")
        return Reading(row.day, says, False, f"{row.day} owner's log: {row.value_text}", "owner's log", row.row_id)
    if _status(row).meaning == "dry":
        return _dry(question, well, baseline, row)
    return _level(question, well, baseline, row)


def _status(row: StoredRow) -> LevelStatus:
    return level_status(Flags.parse(row.flags))


def _dry(question: Question, well: Well, baseline: Baseline, row: StoredRow) -> Reading:
    """A dry hole says the water stands below the bottom of the well."""
    bottom = None if well.depth_ft is None else float(well.depth_ft)
    dropped = bottom is not None and _is_drop(question, baseline, bottom)
    text = f"{row.day} hand reading: dry, water below {'the bottom' if bottom is None else f'{bottom:.1f} ft'}"
    return Reading(row.day, "impact", dropped, text, "hand reading", row.row_id)


def _level(question: Question, well: Well, baseline: Baseline, row: StoredRow) -> Reading:
    depth, status = depth_below_land_ft(well, row), _status(row)
    words = f" ({status.words})" if status.words else ""
    if depth is None:
        says: Says = "recovered" if status.meaning == "flowing" else "silent"
        return Reading(row.day, says, False, f"{row.day} hand reading: no depth{words}", "hand reading", row.row_id)
    text = f"{row.day} hand reading: {depth:.2f} ft below land{words}"
    if well.pump_intake_ft is not None and depth >= float(well.pump_intake_ft):
        return Reading(
            row.day,
            "impact",
            _is_drop(question, baseline, depth),
            text + ", below the pump intake",
            "hand reading",
            row.row_id,
        )
    dropped = _is_drop(question, baseline, depth)
    return Reading(row.day, "low" if dropped else "recovered", dropped, text, "hand reading", row.row_id)


def _is_drop(question: Question, baseline: Baseline, depth_ft: float) -> bool:
    drop = float(question.policy.level_drop.value)
    return baseline.deepest_ft is not None and depth_ft > baseline.deepest_ft + drop


def _episodes(readings: Iterable[Reading]) -> list[list[Reading]]:
    """Readings from a first sign of impact to the one that shows water again, by episode."""
    episodes: list[list[Reading]] = []
    current: list[Reading] = []
    for one in readings:
        if one.says == "impact" or (current and one.says in {"low", "silent"}):
            current.append(one)
        elif current and one.says == "recovered":
            episodes.append([*current, one])
            current = []
    return episodes + ([current] if current else [])


def _episode_finding(
    rule: WaterLevelRule, question: Question, well: Well, near: Nearness, episode: list[Reading]
) -> Finding:
    ongoing = episode[-1].says != "recovered"
    seen = episode if ongoing else episode[:-1]
    baseline = _baseline(question, well)
    verdict, reason = _episode_verdict(seen, baseline, near)
    dropped = next((one for one in seen if one.dropped), None)
    return Finding(
        rule=rule.id, clause=rule.clause, station=well.id, parameter="depth_to_water", aspect="",
        start=seen[0].day, end=None if ongoing else episode[-1].day, opened_on=(dropped or seen[0]).day,
        verdict=verdict, status="observed", measured=seen[-1].text, limit=_band(question, baseline), unit="ft",
        reason=reason, ongoing=ongoing, information=rule.information, opens=rule.opens,
        material=(verdict,),
        evidence=(
            *_lines(episode), *_neighbour(question, well, seen[-1].day), *_notices(question, well),
            *_modelled(question, well, seen[-1].day),
        ),
        facts={"within": near.within, "property": well.property},
    )  # fmt: skip


def _episode_verdict(seen: list[Reading], baseline: Baseline, near: Nearness) -> tuple[Verdict, str]:
    if baseline.deepest_ft is None:
        return "indeterminate", "impact observed, but no baseline level at this well: a drop cannot be shown"
    if not any(one.dropped for one in seen):
        return (
            "needs_confirmation",
            "impact reported; no reading yet shows the water table below its baseline: take a level",
        )
    if near.within == "uncertain":
        return "needs_confirmation", "the well's position accuracy crosses the line the clause draws: survey it"
    return "attained", "the water table dropped below its baseline and the well could not supply water"


def _band(question: Question, baseline: Baseline) -> str:
    drop = question.policy.level_drop
    deepest = "no baseline" if baseline.deepest_ft is None else f"deepest baseline {baseline.deepest_ft:.2f} ft"
    return f"{deepest} of {baseline.n} readings, and {drop.says()} more"


def _lines(episode: list[Reading]) -> Iterator[Evidence]:
    for line in dict.fromkeys(one.line for one in episode):
        of_line = [one for one in episode if one.line == line]
        bearing: Any = "supports" if any(one.says == "impact" for one in of_line) else "context"
        yield Evidence(line, "; ".join(one.text for one in of_line), bearing, tuple(one.row for one in of_line))


def _neighbour(question: Question, well: Well, on: date) -> Iterator[Evidence]:
    """The water table where nobody pumps a household's water: the nearest monitoring well, against its own baseline."""
    here = question.position(well)[0]
    for near in sorted(question.site.wells("monitoring"), key=lambda one: apart(here, one.position)):
        rows = stored_rows(question.observations.rows([near.id], LEVELS, question.began, on))
        read = [(row, depth) for row in rows if (depth := depth_below_land_ft(near, row)) is not None]
        baseline = _baseline(question, near)
        if read and baseline.deepest_ft is not None:
            row, depth = read[-1]
            deepest = f"its deepest baseline reading {baseline.deepest_ft:.2f} ft"
            says = f"{near.id} on {row.day}: {depth:.2f} ft below land; {deepest}"
            dropped = _is_drop(question, baseline, depth)
            yield Evidence("nearest monitoring well", says, "supports" if dropped else "context", (row.row_id,))
            return


def _notices(question: Question, well: Well) -> Iterator[Evidence]:
    """An owner's recorded notice about the well's property: a line of evidence, never a proof of it."""
    for event in question.events:
        about = event.case.split("/")[1:2] == [well.property]
        if about and event.name == "town_receipt" and event.recorded_at <= question.now:
            day = event.happened_at.astimezone(question.zone).date()
            yield Evidence("owner's notice", f"{day} the town received the owner's notice ({event.case})", "supports")


def _modelled(question: Question, well: Well, on: date) -> Iterator[Evidence]:
    found = modelled_drawdown.at(question, well, on + timedelta(days=1))
    if found is not None:
        yield from found.evidence(question)


def _at_risk(
    rule: WaterLevelRule, question: Question, well: Well, near: Nearness, episodes: list[list[Reading]],
    pumped: pumping.Metered,
) -> list[Finding]:  # fmt: skip
    """A well the model says may fail, where no reading says so now: needs confirmation, never more."""
    if episodes and episodes[-1][-1].says != "recovered":
        return []
    until = question.on + timedelta(days=1)
    drawdown, available = pumping.drawdown_ft(question, well, until, pumped), _available_ft(question, well)
    share = question.policy.at_risk_share
    if drawdown is None or available is None or drawdown.high < float(share.value) * available:
        return []
    recovered = episodes[-1][-1].day if episodes else question.began
    since = _at_risk_since(rule, question, well) or pumping.over_since(
        question, well, until, float(share.value) * available, pumped
    )
    found = modelled_drawdown.beside(question, well, until, drawdown, pumped)
    return [_at_risk_finding(rule, question, well, near, max(since, recovered), found, available)]


def _at_risk_finding(
    rule: WaterLevelRule, question: Question, well: Well, near: Nearness, since: date, found: ModelledDrawdown,
    available_ft: float,
) -> Finding:  # fmt: skip
    drawdown = found.drawdown
    says = (
        f"modelled drawdown {drawdown.best:.1f} ft ({drawdown.low:.1f} to {drawdown.high:.1f}) "
        f"on pumping metered to {drawdown.on}, of {available_ft:.1f} ft above the intake"
    )
    return Finding(
        rule=rule.id, clause=rule.clause, station=well.id, parameter="depth_to_water", aspect="", start=since,
        end=None, opened_on=since, verdict="needs_confirmation", status="at risk", measured=says,
        limit=f"share of the available drawdown: {question.policy.at_risk_share.says()}", unit="ft",
        reason="modelled only: take a level at the well", ongoing=True, lapses=True, information=rule.information,
        material=("at risk",), evidence=tuple(found.evidence(question)),
        facts={"within": near.within, "property": well.property, **found.facts(question)},
    )  # fmt: skip


def _at_risk_since(rule: WaterLevelRule, question: Question, well: Well) -> date | None:
    """When the risk that stood last night began: it goes on while every night finds it."""
    of_well = [one for one in question.standing if (one.rule, one.station) == (rule.id, well.id)]
    return next((one.start for one in of_well if one.lapses and one.ongoing), None)


def _available_ft(question: Question, well: Well) -> float | None:
    """Water above the pump intake at the deepest baseline level [ft]."""
    baseline = _baseline(question, well)
    bottom = well.pump_intake_ft or well.depth_ft
    if bottom is None or baseline.deepest_ft is None:
        return None
    return max(float(bottom) - baseline.deepest_ft, 0.0)
