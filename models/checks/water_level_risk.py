"""A private well that the model says may fail, where no reading says so: needs confirmation, never more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
from scipy.special import exp1

from models import pumping
from models.checks import modelled_drawdown
from models.checks.modelled_drawdown import ModelledDrawdown
from models.checks.water_level_episodes import Episode
from models.checks.water_level_tables import Tables
from models.finding import Finding
from models.place import Nearness, apart
from models.question import Question
from models.rules import WaterLevelRule
from models.site import Well


def at_risk(
    rule: WaterLevelRule, question: Question, well: Well, near: Nearness, tables: Tables,
    found: Sequence[Episode], pumped: pumping.Metered,
) -> list[Finding]:  # fmt: skip
    """The risk of a well without an open episode; ``pumped`` as metered up to tonight."""
    available = _available_ft(well, tables)
    if (found and found[-1].ongoing) or available is None:
        return []
    until, share = question.on + timedelta(days=1), float(question.policy.at_risk_share.value)
    if most_ft(question, well, pumped) < share * available:
        return []
    drawdown = pumping.drawdown_ft(question, well, until, pumped)
    if drawdown is None or drawdown.high < share * available:
        return []
    ended = found[-1].end if found else None
    recovered = ended.day if ended else question.began
    since = _standing_since(rule, question, well) or pumping.over_since(
        question, well, until, share * available, pumped
    )
    beside = modelled_drawdown.beside(question, well, until, drawdown, pumped)
    return [_finding(rule, question, well, near, max(since, recovered), beside, available)]


def most_ft(question: Question, well: Well, pumped: pumping.Metered) -> float:
    """What no modelled drawdown at a well can exceed [ft], at little cost: most wells need no model.

    s <= sum of Qmax W(u) / (4 pi T_low), u = r^2 S_low / (4 T_high t): Theis (1935) with every factor at its worst and
    each meter's largest rate held from its first reading to its last; a stream only adds water.
    """
    aquifer = question.site.aquifer
    if aquifer is None or not pumped:
        return 0.0
    point, total = question.position(well)[0], 0.0
    low, high = (float(getattr(aquifer.transmissivity_ft2_per_d, name)) for name in ("low", "high"))
    end = pumping.read_until(pumped)
    for meter, found in pumped:
        days, rates = pumping.schedule(found)
        if days.size and end > days[0]:
            source = next(one for one in question.site.well if one.id == meter.well)
            distance = max(apart(point, source.position), pumping.NEAREST_FT)
            u = distance**2 * float(aquifer.specific_yield.low) / (4 * high * (end - days[0]))
            total += float(rates.max()) * float(exp1(u)) / (4 * np.pi * low)
    return float(pumping.water_table(aquifer, np.array([total]))[0])


def _finding(
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


def _standing_since(rule: WaterLevelRule, question: Question, well: Well) -> date | None:
    """When the risk that stood last night began: it goes on while every night finds it."""
    of_well = [one for one in question.standing if (one.rule, one.station) == (rule.id, well.id)]
    return next((one.start for one in of_well if one.lapses and one.ongoing), None)


def _available_ft(well: Well, tables: Tables) -> float | None:
    """Water above the pump intake, or the bottom, at the deepest baseline level [ft]."""
    bottom, deepest = well.pump_intake_ft or well.depth_ft, tables.own.deepest_ft
    return None if bottom is None or deepest is None else max(float(bottom) - deepest, 0.0)
