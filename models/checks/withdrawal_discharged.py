"""Where pumped water went, and how much, beside what was withdrawn: every discharge of the site in a time."""

from __future__ import annotations

from collections.abc import Iterator

from models.discharge import Discharge
from models.finding import Evidence
from models.known_volumes import KnownVolumes, known_at_discharges, speaking
from models.pumping_days import HOUR_MS, apportioned
from models.question import Question

LINE = "discharge"


def evidence(question: Question, start_ms: int, end_ms: int) -> Iterator[Evidence]:
    """A line for each discharge: its volume spread evenly by time, or that none is recorded."""
    if not question.site.discharge:
        return
    known = question.once("known volumes of discharges", lambda: known_at_discharges(question))
    for one in question.site.discharge:
        speaks = speaking(known[one.id], one.volumes_by)
        says, rows = _quantity(speaks, start_ms, end_ms)
        yield Evidence(LINE, f"{one.id} to {one.to}{_water(one)}: {says}", "context", rows)


def _water(one: Discharge) -> str:
    return f" ({one.water})" if one.water else ""


def _quantity(speaks: KnownVolumes | None, start_ms: int, end_ms: int) -> tuple[str, tuple[str, ...]]:
    if speaks is None:
        return "no quantity recorded", ()
    (share,) = apportioned(speaks.records[0], [start_ms, end_ms])
    if not share.metered_ms:
        return f"nothing measured in this time ({speaks.says})", ()
    hours = share.not_metered_ms / HOUR_MS
    missing = f", {hours:,.1f} h not measured" if hours else ""
    return f"{float(share.volume_gal):,.0f} gal in this time ({speaks.says}{missing})", share.rows
