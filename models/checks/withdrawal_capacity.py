"""Installed capacity of all wells on the property (s. 281.34(1)(b)): what they could pump, whatever they do pump.

Residential and fire-protection wells are left out, (1)(em) and (1)(ae): a residential well only where its own capacity
is not above the limit itself. A sump wider than deep is no well, (1)(h).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from models.checks.withdrawal_sources import wells_on_property
from models.finding import Evidence, Finding
from models.pumped_water import Pump, pump_on
from models.question import Question
from models.rules import WithdrawalRule
from models.site import Well
from models.verdict import NOTABLE, Verdict

CAPACITY = "installed_capacity"
Installed = tuple[Well, Pump | None]


def capacity_finding(rule: WithdrawalRule, limit: Decimal, question: Question) -> Finding:
    """What is installed tonight against the limit."""
    wells = [(one, pump_on(one.pump, question.on)) for one in wells_on_property(question.site)]
    counted = [one for one in wells if not left_out(one, limit)]
    known = sum((pump.gal_per_day for _, pump in counted if pump), Decimal(0))
    lacks = [well.id for well, pump in counted if pump is None]
    verdict = _verdict(known, limit, lacks)
    since = max((pump.since for _, pump in counted if pump), default=question.began)
    return Finding(
        rule=rule.id, clause=rule.clause, station=question.site.id, parameter=CAPACITY, aspect="",
        start=question.began, end=None, opened_on=max(since, question.began), verdict=verdict, status=verdict,
        measured=f"{known:,f} gal/day" + (f", without {', '.join(lacks)}" if lacks else ""),
        limit=f"more than {limit:,f} gal/day", unit="gal/day", reason=_reason(verdict, limit, lacks), ongoing=True,
        verification="capacities as stated in the site file", information=rule.information and verdict in NOTABLE,
        material=(verdict,), evidence=(Evidence("installed capacity", _says(wells, limit), "context"),),
        facts={"capacity_gpd": float(known), "capacity_gpd_text": f"{known:f}"},
    )  # fmt: skip


def left_out(one: Installed, limit: Decimal) -> bool:
    """Whether the statute does not count a well."""
    well, pump = one
    if well.uses == ("fire_protection",):
        return True
    return well.uses == ("residential",) and (pump is None or pump.gal_per_day <= limit)


def _verdict(known: Decimal, limit: Decimal, lacks: Sequence[str]) -> Verdict:
    if known > limit:
        return "attained"
    return "indeterminate" if lacks else "not_attained"


def _reason(verdict: Verdict, limit: Decimal, lacks: Sequence[str]) -> str:
    if verdict == "attained":
        return (
            f"the wells on the property can pump more than {limit:,f} gal/day together: high-capacity wells, whatever "
            "is pumped; this says nothing of whether an approval was sought"
        )
    if verdict == "indeterminate":
        return f"no pump capacity is stated of {', '.join(lacks)} ([[well.pump]] since, capacity_gpm): state it"
    return f"the wells on the property can pump {limit:,f} gal/day or less together"


def _says(wells: Sequence[Installed], limit: Decimal) -> str:
    return "; ".join(_one(one, limit) for one in wells) or "no well on the property: sumps only"


def _one(one: Installed, limit: Decimal) -> str:
    well, pump = one
    able = "capacity not stated" if pump is None else f"{pump.gal_per_day:,f} gal/day since {pump.since}"
    return f"{well.id}: {able}{', left out as ' + well.uses[0].replace('_', ' ') if left_out(one, limit) else ''}"
