"""Findings on the water of private wells: an episode that was observed, told with every line of evidence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from models import pumping
from models.checks import level_band_told, modelled_drawdown
from models.checks.available_drawdown import available
from models.checks.level_band import WaterTable
from models.checks.water_level_episodes import Episode
from models.checks.water_level_readings import AT_THE_WELL, Reading
from models.checks.water_level_tables import Tables, table_of
from models.checks.water_level_verdict import drop_status, verdict
from models.checks.well_levels import depth_below_land_ft, level_rows
from models.finding import Evidence, Finding
from models.place import Nearness, apart
from models.question import Question
from models.rules import WaterLevelRule
from models.site import Well
from models.verdict import Verdict


def finding(
    rule: WaterLevelRule, question: Question, well: Well, near: Nearness, tables: Tables, episode: Episode,
    pumped: pumping.Metered,
) -> Finding:  # fmt: skip
    """The finding on one episode; ``pumped`` as metered up to tonight."""
    found, reason = verdict(episode, tables, near, well)
    told = episode.seen[-1]
    table, level = _compared(tables, episode)
    day = level.day if level else told.day
    return Finding(
        rule=rule.id, clause=rule.clause, station=well.id, parameter="depth_to_water", aspect="",
        start=episode.seen[0].day, end=episode.end.day if episode.end else None, opened_on=_opened_on(episode, found),
        verdict=found, status="observed", measured=told.text, limit=level_band_told.limit_words(table, day), unit="ft",
        reason=reason, ongoing=episode.ongoing, information=rule.information, opens=rule.opens, material=(found,),
        evidence=(*_evidence(question, well, tables, episode), *_modelled(question, well, told.day, pumped)),
        facts={
            "within": near.within, "property": well.property,
            "water_table": level_band_told.facts(table, day, level.drop if level else None),
            "available_drawdown": _available_facts(question, well, tables.own, episode),
        },
    )  # fmt: skip


def _opened_on(episode: Episode, found: Verdict) -> date:
    """The day on which all that the verdict rests on had been observed."""
    shown = next((one.day for one, drop in episode.levels if drop.status == "shown"), None)
    first = episode.seen[0].day
    if shown is None:
        return first
    impact = episode.impacts[0].day if episode.impacts and found == "attained" else first
    return max(shown, impact, first)


def _compared(tables: Tables, episode: Episode) -> tuple[WaterTable, Reading | None]:
    """The water table and the level that the drop rests on: the last that says as much as any; else the well's own."""
    status = drop_status(episode)
    said = [one for one, drop in episode.levels if drop.status == status]
    if said and said[-1].table is not None:
        return said[-1].table, said[-1]
    return next((one for one in tables.all if one.deepest_ft is not None), tables.own), None


def _evidence(question: Question, well: Well, tables: Tables, episode: Episode) -> Iterator[Evidence]:
    table, level = _compared(tables, episode)
    on = episode.seen[-1].day
    yield from _lines(episode)
    drop, dry = (level.drop, level.dry) if level else (None, False)
    yield from level_band_told.evidence(question, table, level.day if level else on, drop, dry=dry)
    yield from level_band_told.declared_words(question, well)
    yield from _available(question, well, tables.own, episode)
    if tables.stand_in is None:
        yield from _neighbour(question, well, on)
    yield from _notices(question, well)


def _lines(episode: Episode) -> Iterator[Evidence]:
    for line in dict.fromkeys(one.line for one in episode.readings):
        of_line = [one for one in episode.readings if one.line == line]
        bearing: Any = "supports" if any(_supports(one) for one in of_line) else "context"
        yield Evidence(line, "; ".join(one.text for one in of_line), bearing, tuple(one.row for one in of_line))


def _supports(one: Reading) -> bool:
    return one.says == "impact" or (one.drop is not None and one.drop.status == "shown")


def _own_level(episode: Episode) -> Reading | None:
    """The last level or dry reading of the well itself."""
    own = [one for one in episode.readings if one.line in AT_THE_WELL and one.depth_ft is not None]
    return own[-1] if own else None


def _available(question: Question, well: Well, own: WaterTable, episode: Episode) -> Iterator[Evidence]:
    """The water that stands above the pump intake, and how much of that before mining is used up."""
    found, level = _available_facts(question, well, own, episode), _own_level(episode)
    line = "available drawdown"
    if found is None:
        settles = "the well construction report, or whoever set the pump, would settle it"
        yield Evidence(line, f"cannot be told: the depth of the pump intake is not known; {settles}", "silent")
        return
    if level is None or found["ft"] is None:
        return
    used = f", {found['share_used']:.0%} of it used" if found["share_used"] is not None else ""
    before = f"; before mining {found['baseline_ft']:.2f} ft{used}" if found["baseline_ft"] is not None else ""
    says = f"{level.day}: {found['ft']:.2f} ft of water above the pump intake at {well.pump_intake_ft} ft{before}"
    if level.short:
        says += f", at risk from a share of {question.policy.at_risk_share.says()}"
    yield Evidence(line, says, "supports" if level.says == "impact" or level.short else "against", (level.row,))


def _available_facts(question: Question, well: Well, own: WaterTable, episode: Episode) -> dict[str, Any] | None:
    """Available drawdown [ft], its baseline [ft] and the share used [-]; None where no intake is known."""
    level = _own_level(episode)
    found = available(well, own, level.day if level else question.on, level.depth_ft if level else None)
    if found is None:
        return None
    share = None if found.share_used is None else min(max(found.share_used, 0.0), 1.0)
    parts = {"ft": found.ft, "baseline_ft": found.baseline_ft, "share_used": share}
    return {name: None if part is None else round(part, 2) for name, part in parts.items()}


def _neighbour(question: Question, well: Well, on: date) -> Iterator[Evidence]:
    """The water table where nobody pumps a household's water: the nearest monitoring well, against its own baseline."""
    here = question.position(well)[0]
    for near in sorted(question.site.wells("monitoring"), key=lambda one: apart(here, one.position)):
        rows = [row for row in level_rows(question).get(near.id, ()) if question.began <= row.day <= on]
        read = [(row, depth) for row in rows if (depth := depth_below_land_ft(near, row)) is not None]
        table = table_of(question, near)
        if read and table.deepest_ft is not None:
            row, depth = read[-1]
            status = table.judge(row.day, depth).status
            deepest = f"its deepest baseline reading {table.deepest_ft:.2f} ft"
            says = f"{near.id} on {row.day}: {depth:.2f} ft below land; {deepest}"
            yield Evidence(
                "nearest monitoring well", says, "supports" if status == "shown" else "context", (row.row_id,)
            )
            return


def _notices(question: Question, well: Well) -> Iterator[Evidence]:
    """An owner's recorded notice about the well's property: a line of evidence, never a proof of it."""
    for event in question.events:
        about = event.case.split("/")[1:2] == [well.property]
        if about and event.name == "town_receipt" and event.recorded_at <= question.now:
            day = event.happened_at.astimezone(question.zone).date()
            yield Evidence("owner's notice", f"{day} the town received the owner's notice ({event.case})", "supports")


def _modelled(question: Question, well: Well, on: date, pumped: pumping.Metered) -> Iterator[Evidence]:
    found = modelled_drawdown.at(question, well, on + timedelta(days=1)) if pumped else None
    if found is not None:
        yield from found.evidence(question)
