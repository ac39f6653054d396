"""Do the meters and the levels agree: the pumping that monitoring wells imply, beside the pumping that was metered.

A question of data, not of conduct. Levels differ for many reasons that no model of pumping knows, and the parameters
have a range: only where no corner of it and no noise explains the levels by the metered pumping is it said that the two
do not agree, and then meter, wells and parameters are to be looked at. It is information and no finding on the mine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from statistics import fmean, stdev

import numpy as np

from models import pumping
from models.aquifer.admissible import Numbers
from models.aquifer.implied_pumping import Implied, implied_factors
from models.aquifer.unconfined import jacob_correction_m
from models.checks import model_words
from models.checks.well_levels import LEVELS, Level, levels_by_well
from models.finding import Evidence, Finding, Scope
from models.known_volumes import AT_A_WELL, METER
from models.metered_volumes import not_known_ms
from models.observation import DAY_MS
from models.pumping import Metered
from models.question import Question, stored_rows
from models.rules import WaterLevelRule
from models.site import Aquifer, Meter, Well

ASPECT = "meter and levels"
AGREES, DIFFERS, CANNOT_TELL = "AGREES", "WATCH", "CANNOT TELL"
"""WATCH: the digest lists it among what the town must look after."""
SEASON_HALF_WIDTH_DAYS = 20  # monthly readings leave one in it
YEAR_DAYS = 365
LOOK_AT = (
    "a question of data, not of conduct: check the meter and its readings, the wells and their measuring points, and "
    "the aquifer's parameters; other wells or the weather may explain it too"
)


@dataclass(frozen=True)
class Drawn:
    """What a monitoring well says: readings of the look-back, and the drawdown of each against its baseline [ft]."""

    well: Well
    readings: Sequence[Level]
    drawdown_ft: Numbers
    noise_ft: float


@dataclass(frozen=True)
class Told:
    """What is said of one meter, or of all together where they cannot be told apart."""

    meters: Sequence[Meter]
    status: str
    measured: str
    reason: str


def check(rule: WaterLevelRule, question: Question, pumped: Metered) -> tuple[list[Finding], list[Scope]]:
    """One information finding a meter, or a well without one, on nights that bring pumping or a monitoring level.

    ``pumped``: as metered up to tonight.
    """
    aquifer, pumping_at = question.site.aquifer, _pumping_at(question)
    if aquifer is None or not pumping_at or not question.site.wells("monitoring") or not _is_new(question, pumping_at):
        return [], []
    findings = [_finding(rule, question, aquifer, pumped, one) for one in _told(question, aquifer, pumped)]
    return findings, [Scope(rule.id, id, question.began, METER) for id in pumping_at]


def _pumping_at(question: Question) -> dict[str, tuple[str, ...]]:
    """Where pumping is told, and by which parameters: at each meter, and at each production well."""
    meters = {one.id: (METER,) for one in question.site.meter}
    return meters | {one.id: AT_A_WELL for one in question.site.wells("production")}


def _is_new(question: Question, pumping_at: Mapping[str, tuple[str, ...]]) -> bool:
    since, began = question.changed.since, question.began
    read = [since(id, names, began) for id, names in pumping_at.items()]
    return any((*read, *(since(one.id, LEVELS, began) for one in question.site.wells("monitoring"))))


def _told(question: Question, aquifer: Aquifer, pumped: Metered) -> list[Told]:
    meters = [one for one, _ in pumped]
    if not pumped:
        return []
    unknown = _why_not_whole(question, pumped)
    drawn = list(_drawn(question, pumping.read_until(pumped)))
    if unknown or not drawn:
        return [_cannot_tell(meters, unknown or _too_few(question))]
    parts = [np.moveaxis(_modelled(question, aquifer, pumped, one), 0, -1) for one in drawn]
    modelled = np.concatenate(parts, axis=1)
    found = _implied(modelled, drawn)
    if found is not None:
        return [_compared([pumped[k]], found, k) for k in range(len(pumped))]
    together = _implied(modelled.sum(axis=2, keepdims=True), drawn)
    if together is None:
        return [_cannot_tell(meters, "the metered pumping draws no monitoring well down")]
    return [_compared(pumped, together, 0)]


def _why_not_whole(question: Question, pumped: Metered) -> str:
    """Volumes that are not known, or pumping before the first reading, are in no schedule."""
    lost = [meter.id for meter, found in pumped if not_known_ms(found) or any(one.told_gal for one in found)]
    if lost:
        return f"some volumes of {', '.join(lost)} are not known"
    wells = [meter.well for meter, _ in pumped]
    rows = stored_rows(question.observations.rows(wells, ["withdrawal"], None, question.on))
    for meter, found in pumped:
        if any(row.station == meter.well and row.value > 0 and row.time_ms < found[0].start_ms for row in rows):
            return f"{meter.well} pumped before the first reading of {meter.id}, and no model holds that"
    return ""


def _too_few(question: Question) -> str:
    least = question.policy.levels_minimum_baseline.says()
    return f"no monitoring well has a level since the meters were first read and a baseline of {least}"


def _drawn(question: Question, read_until_day: float) -> Iterator[Drawn]:
    wells = {one.id: one for one in question.site.wells("monitoring")}
    since = max(question.began, question.on - timedelta(days=int(question.policy.levels_looked_back.value)))
    for well, levels in levels_by_well(question, list(wells.values())).items():
        baseline = [one for one in levels if one.day < question.began]
        readings = [one for one in levels if one.day >= since and one.time_ms <= read_until_day * DAY_MS]
        if readings and len(baseline) >= int(question.policy.levels_minimum_baseline.value):
            fall = np.array([one.depth_ft - _expected(baseline, one.day) for one in readings])
            yield Drawn(wells[well], readings, _as_superposed(question, fall), _noise(question, baseline))


def _as_superposed(question: Question, fall_ft: Numbers) -> Numbers:
    """Measured falls of a water table as the linear model has them (Jacob), so that the two may be compared [ft]."""
    thickness = float(question.site.aquifer.saturated_thickness_ft) if question.site.aquifer else np.inf
    return fall_ft if np.isinf(thickness) else jacob_correction_m(np.minimum(fall_ft, thickness), thickness)


def _expected(baseline: Sequence[Level], day: date) -> float:
    """Mean of the baseline in that season; of all of it where the season was not read."""
    season = [one.depth_ft for one in baseline if _apart(one.day, day) <= SEASON_HALF_WIDTH_DAYS]
    return fmean(season or [one.depth_ft for one in baseline])


def _apart(one: date, other: date) -> int:
    apart = abs(one.timetuple().tm_yday - other.timetuple().tm_yday)
    return min(apart, YEAR_DAYS - apart)


def _noise(question: Question, baseline: Sequence[Level]) -> float:
    """The whole scatter of the baseline, its seasons too: a year may differ from the next by as much."""
    return max(float(question.policy.level_noise.value), stdev(one.depth_ft for one in baseline))


def _modelled(question: Question, aquifer: Aquifer, pumped: Metered, drawn: Drawn) -> Numbers:
    """float64[meter, corner, reading] [ft]."""
    at = np.array([one.time_ms for one in drawn.readings], np.float64) / DAY_MS
    response, corners = pumping.drawdown_response(question, drawn.well), pumping.corners(aquifer)
    return np.array([pumping.totals_of(question, [one], corners, at, response) for one in pumped])


def _implied(modelled: Numbers, drawn: Sequence[Drawn]) -> Implied | None:
    well = np.repeat(np.arange(len(drawn)), [len(one.readings) for one in drawn])
    observed = np.concatenate([one.drawdown_ft for one in drawn])
    return implied_factors(modelled, observed, well, [one.noise_ft for one in drawn])


def _compared(pumped: Metered, found: Implied, column: int) -> Told:
    names = " and ".join(meter.id for meter, _ in pumped)
    how = "recorded" if any(meter.id == meter.well for meter, _ in pumped) else "metered"
    rate = _mean_gpm(pumped)
    best, low, high = (rate * float(one[column]) for one in (found.best, found.low, found.high))
    measured = (
        f"levels imply {_figures(best)} gpm (range {_figures(low)} to {_figures(high)}), {names} {how} "
        f"{_figures(rate)} gpm, mean of the {how} time"
    )
    meters = [meter for meter, _ in pumped]
    if not found.tells(column):
        wide = "the levels scatter, and the parameters range, too much to tell the metered pumping from none"
        return Told(meters, CANNOT_TELL, measured, wide)
    if found.agrees(column):
        return Told(meters, AGREES, measured, "the metered pumping and the levels agree within range and noise")
    return Told(meters, DIFFERS, measured, f"the metered pumping and the levels do not agree; {LOOK_AT}")


def _figures(gpm: float) -> str:
    """Two figures, as 230."""
    return f"{float(f'{gpm:.2g}'):.15g}"


def _mean_gpm(pumped: Metered) -> float:
    """Rates of the meters, each the mean over the time it was read, added up."""
    minutes = [(sum(one.volume_gal or 0 for one in found), found[-1].end_ms - found[0].start_ms) for _, found in pumped]
    return sum(volume * 60_000 / time for volume, time in minutes if time)


def _cannot_tell(meters: Sequence[Meter], why: str) -> Told:
    return Told(meters, CANNOT_TELL, "nothing to compare", why)


def _finding(rule: WaterLevelRule, question: Question, aquifer: Aquifer, pumped: Metered, told: Told) -> Finding:
    station = told.meters[0].id
    noise, back = question.policy.level_noise.says(), question.policy.levels_looked_back.says()
    evidence = Evidence("monitoring wells", told.measured, "context", pumping.last_rows(pumped))
    found = Finding(
        rule=rule.id, clause=rule.clause, station=station, parameter=METER, aspect=ASPECT,
        start=question.began, end=None, opened_on=question.on, verdict="not_applicable", status=told.status,
        measured=told.measured, unit="gpm", reason=told.reason, ongoing=True, information=True,
        limit=f"noise {noise} or the baseline's scatter where it is more; looked back {back}",
        material=(told.status,), evidence=(evidence, model_words.assumptions(question)),
        facts={"meters": [one.id for one in told.meters], "parameters": aquifer.source, **model_words.facts(question)},
    )  # fmt: skip
    return replace(found, opened_on=_since(question, found))


def _since(question: Question, found: Finding) -> date:
    """When what is said began to be said."""
    same = (one for one in question.standing if one.key == found.key and one.status == found.status)
    return next((one.opened_on for one in same), question.on)
