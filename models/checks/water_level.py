"""Private wells: did the water table drop, and did it keep the household from its water?

Howard 2.09(3)(b) has two limbs and both need an observation: a drop in the water table (a level, or a dry hole, below
the band of its season before mining and below what a well beyond the mine's reach predicts for the day; without such a
well, below the deepest baseline reading) **and** a substantial adverse impact (water at the pump intake, a dry hole,
an owner's log, a pump that starts too often). A modelled drawdown alone is a well at risk, which needs confirmation.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from models import pumping
from models.checks import implied_pumping, seepage
from models.checks.water_level_episodes import Episode, episodes
from models.checks.water_level_readings import OWNER_LOG, readings
from models.checks.water_level_risk import at_risk
from models.checks.water_level_tables import Tables, tables_of
from models.checks.water_level_told import finding
from models.checks.well_levels import LEVELS, depth_below_land_ft
from models.finding import Finding, Scope
from models.place import Nearness, boundary_to_point
from models.question import Judged, Question, no_longer_reached
from models.rules import WaterLevelRule
from models.site import Well

__all__ = ["LEVELS", "OWNER_LOG", "check", "depth_below_land_ft", "wells_within"]


def check(rule: WaterLevelRule, question: Question) -> Judged:
    """Judge every private well within the line by its readings, and the model's view of every one."""
    if rule.within_mi is None:
        return seepage.check(rule, question)
    findings: list[Finding] = []
    scopes: list[Scope] = []
    pumped = pumping.metered(question, question.on + timedelta(days=1))
    for well, near in wells_within(rule, question):
        tables = tables_of(question, well)
        found = _episodes(question, well, tables)
        findings += [finding(rule, question, well, near, tables, one, pumped) for one in found]
        findings += at_risk(rule, question, well, near, tables, found, pumped)
        scopes.append(Scope(rule.id, well.id, question.began))
    scopes += no_longer_reached(rule.id, (well.id for well in question.site.well), scopes, question)
    if _is_first(rule, question):
        implied, judged = implied_pumping.check(rule, question, pumped)
        findings, scopes = [*findings, *implied], [*scopes, *judged]
    return Judged(tuple(findings), tuple(scopes))


def wells_within(rule: WaterLevelRule, question: Question) -> Iterator[tuple[Well, Nearness]]:
    """Private wells within the line, or whose ring of accuracy crosses it; none where the clause draws no line."""
    if rule.within_mi is None:
        return
    for well in question.site.wells("private"):
        point, accuracy = question.position(well)
        near = boundary_to_point(question.site.boundary, point, accuracy, rule.within_mi)
        if near.counts:
            yield well, near


def _episodes(question: Question, well: Well, tables: Tables) -> list[Episode]:
    speaks_for = timedelta(days=int(question.policy.level_speaks_for.value))
    return episodes(readings(question, well, tables), well.pump_intake_ft is not None, speaks_for)


def _is_first(rule: WaterLevelRule, question: Question) -> bool:
    """Meters and levels are compared once, under the first rule about levels."""
    first = next((one for one in question.law.checks(question.on) if isinstance(one, WaterLevelRule)), rule)
    return first.id == rule.id
