"""The same scenario under other pumping: at the permitted rates, or stopped on a day."""

from __future__ import annotations

from datetime import date, datetime

from models.errors import BadQuestion
from models.quantity import RATE, read_quantity
from models.scenario.noun import Kind, PumpedWell, Scenario, Step, day_number

NO_RATE = read_quantity("0 m3/d", RATE)


def of_kind(scenario: Scenario, kind: Kind) -> Scenario:
    """The scenario as metered, or at maximum operation: every well at its permitted rate without rest, a dry year.

    Maximum begins with a well's first pumping, or the scenario's where it has none, and goes on. A well that only
    returns water keeps its rates.

    Raises
    ------
    BadQuestion : a pumping well without a permitted rate (maximum), or without a rate (metered).
    """
    if kind == "metered":
        for well in scenario.well:
            if not well.steps:
                raise BadQuestion("has a permitted rate only", key=f"well[{well.id}]", allowed=["--scenario maximum"])
        return scenario.model_copy(update={"kind": kind})
    first = _first(scenario)
    wells = tuple(_at_maximum(well, first) for well in scenario.well)
    notes = (*scenario.notes, *_dry_year(scenario))
    return scenario.model_copy(update={"kind": kind, "well": wells, "notes": notes})


def _first(scenario: Scenario) -> date | datetime:
    begins = [step.since for well in scenario.well for step in well.steps[:1]]
    begins += [well.since for well in scenario.well if well.since is not None]
    if not begins:
        raise BadQuestion("no well says since when it pumps", key="well.since", allowed=["2025-06-01"])
    return min(begins, key=day_number)


def _at_maximum(well: PumpedWell, first: date | datetime) -> PumpedWell:
    if well.steps and all(step.rate.best <= 0 for step in well.steps):
        return well
    if well.permitted is None:
        raise BadQuestion("no permitted rate, which the maximum scenario pumps", key=f"well[{well.id}].permitted")
    since = well.steps[0].since if well.steps else well.since or first
    return well.model_copy(
        update={
            "rate": None,
            "since": None,
            "stops": None,
            "rates": (Step(since=since, rate=well.permitted),),
            "spans": (),
        }
    )


def _dry_year(scenario: Scenario) -> tuple[str, ...]:
    if scenario.aquifer.dry_year_recharge is not None:
        return ()
    return ("no dry_year_recharge is given: where recharge counts (the pit), it is not known for the maximum scenario",)


def stopped(scenario: Scenario, when: date | datetime) -> Scenario:
    """The scenario with every well at rest from a moment on.

    Raises
    ------
    BadQuestion : the moment lies before any pumping.
    """
    first = _first(scenario)
    if day_number(when) <= day_number(first):
        raise BadQuestion("nothing has been pumped by then", key="--stops", found=str(when), allowed=[f"after {first}"])
    wells = tuple(
        well.model_copy(
            update={
                "rate": None,
                "since": None,
                "stops": None,
                "rates": _cut(well, when),
                "spans": tuple(one for one in well.spans if one.ends <= day_number(when)),
            }
        )
        for well in scenario.well
    )
    return scenario.model_copy(update={"well": wells})


def _cut(well: PumpedWell, when: date | datetime) -> tuple[Step, ...]:
    before = tuple(step for step in well.steps if day_number(step.since) < day_number(when))
    return (*before, Step(since=when, rate=NO_RATE)) if before else ()
