"""A made-up mile-square site and a record held in memory: what a check is asked, without a store.

The site is the square (0, 0) to (5280, 5280) feet, so that half a mile beyond its edges is 2640 feet
and every distance can be read off the coordinates. Mining began on 1 June 2025.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd

from models.case import Event
from models.finding import Finding, Transition
from models.household import PrivatePosition
from models.observation import Flags
from models.policy import Policy, default_policy
from models.question import Changed, Question
from models.rules import Ordinance, ordinance
from models.site import Site
from models.streamflow.day_states import DailyFlow

BEGAN = date(2025, 6, 1)
HALF_MILE = 2640.0
CHICAGO = ZoneInfo("America/Chicago")
PLAIN, EVERYTHING = Flags(), Changed(everything=True)
COLUMNS = (
    "station", "parameter", "statistic", "series", "unit", "clock", "time_ms", "day", "value", "value_text", "flags",
    "row_id",
)  # fmt: skip


@dataclass
class Record:
    """``models.question.Observations`` over plain rows."""

    flows: dict[str, list[DailyFlow]] = field(default_factory=dict)
    table: list[dict[str, Any]] = field(default_factory=list)
    logged: dict[str, list[DailyFlow]] = field(default_factory=dict, kw_only=True)

    def daily(self, station: str, parameter: str, start: date | None, end: date) -> list[DailyFlow]:
        held = {"discharge": self.flows, "depth_to_water": self.logged}.get(parameter, {})
        days = sorted(held.get(station, []), key=lambda one: one.day)
        return [one for one in days if (start is None or start <= one.day) and one.day <= end]

    def rows(
        self, stations: Sequence[str], parameters: Sequence[str], start: date | None, end: date | None
    ) -> pd.DataFrame:
        kept = [
            row
            for row in self.table
            if row["station"] in stations
            and row["parameter"] in parameters
            and (start is None or start <= row["day"])
            and (end is None or row["day"] <= end)
        ]
        kept.sort(key=lambda row: (row["station"], row["time_ms"]))
        return pd.DataFrame(kept, columns=list(COLUMNS))

    def add(
        self, station: str, parameter: str, day: date, value_text: str, unit: str = "", *, series: str = "",
        flags: Flags = PLAIN, at: time = time(), value: float | None = None,
    ) -> Record:  # fmt: skip
        """One stored row; its number is read from the text unless given."""
        when = datetime.combine(day, at, CHICAGO)
        self.table.append({
            "station": station, "parameter": parameter, "statistic": "instant", "series": series, "unit": unit,
            "clock": "utc", "time_ms": round(when.timestamp() * 1000), "day": day,
            "value": _number(value_text) if value is None else value, "value_text": value_text,
            "flags": flags.text(), "row_id": f"1:{len(self.table) + 1}",
        })  # fmt: skip
        return self

    def result(
        self, station: str, substance: str, day: date, value: str, unit: str, lod: str = "", loq: str = "",
        *, series: str = "", qualifiers: tuple[str, ...] = (), **facts: str,
    ) -> Record:  # fmt: skip
        """One laboratory result."""
        flags = Flags(qualifiers=qualifiers, facts={"lod": lod, "loq": loq, **facts})
        return self.add(station, substance, day, value, unit, series=series, flags=flags)

    def level(self, station: str, day: date, depth: str, *qualifiers: str) -> Record:
        """One hand reading below the measuring point [ft]."""
        return self.add(station, "depth_below_mp", day, depth, "ft", flags=Flags(qualifiers=qualifiers), at=time(10))

    def owner(self, station: str, day: date, says: str) -> Record:
        """One line of an owner's log."""
        return self.add(station, "pump_status", day, says, at=time(18))

    def meter(self, station: str, when: datetime, gallons: str, *qualifiers: str) -> Record:
        local = when.astimezone(CHICAGO)
        flags = Flags(qualifiers=qualifiers)
        return self.add(station, "meter_reading", local.date(), gallons, "gal", flags=flags, at=local.time())


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def flow(day: date, value: str | None, **more: Any) -> DailyFlow:
    """One day of a stream [cfs]; None where no value is known."""
    return DailyFlow(day, None if value is None else Decimal(value), **more)


def flows(start: date, values: Sequence[str | None]) -> list[DailyFlow]:
    """Consecutive days from ``start``."""
    return [flow(start + timedelta(days=k), value) for k, value in enumerate(values)]


BASE_FLOW: dict[str, Any] = {
    "gauge": "G-1", "value_cfs": "5.00", "effective": BEGAN, "version": "1", "method": "Q90 of the baseline",
    "record_from": date(2020, 1, 1), "record_to": date(2025, 5, 31), "baseline_years": 5, "source": "licensee",
    "signed_by": "A. Hydrogeologist", "licence_kind": "PG", "licence_number": "0000", "signed_on": date(2025, 5, 31),
}  # fmt: skip


def stream(x: float = 5280 + 1000.0, base_flow: Mapping[str, Any] | None = BASE_FLOW, **more: Any) -> dict[str, Any]:
    """A stream running north and south at ``x``."""
    signed = [dict(base_flow)] if base_flow else []
    return {"id": "CREEK", "name": "Creek", "line": [(x, -50000.0), (x, 50000.0)], "base_flow": signed, **more}


def well(id: str, x: float, y: float = 2640.0, use: str = "private", **more: Any) -> dict[str, Any]:
    """A well; x below 0 lies that many feet west of the boundary."""
    return {"id": id, "use": use, "position": (x, y), **more}


def site(**parts: Any) -> Site:
    """The made-up site, with other parts in place of its own."""
    whole: dict[str, Any] = {
        "id": "square", "name": "A square mile", "ordinance": "howard", "crs": "EPSG:7595", "reference_point": "none",
        "boundary": [(0, 0), (5280, 0), (5280, 5280), (0, 5280)],
        "permit": {
            "number": "1", "granted": date(2025, 1, 1), "ends": date(2027, 12, 31), "mining_began": BEGAN,
            "holders": [{"party": "operator", "since": date(2025, 1, 1)}],
        },
        "party": [
            {"id": "town", "role": "town", "name": "Town"}, {"id": "operator", "role": "operator", "name": "Operator"},
        ],
        "stream": [stream()],
        "gauge": [{"id": "G-1", "stream": "CREEK"}],
        "property": [{"id": "R-1", "parcel": "1", "polygon": [(-900, 0), (-100, 0), (-100, 900)]}],
    }  # fmt: skip
    return Site.model_validate({**whole, **parts})


def ask(
    record: Record,
    on: date,
    *,
    at: Site | None = None,
    law: Ordinance | None = None,
    policy: Policy | None = None,
    changed: Changed = EVERYTHING,
    events: Sequence[Event] = (),
    positions: Sequence[PrivatePosition] = (),
) -> Question:
    """A night's question."""
    now = datetime.combine(on + timedelta(days=1), time(), CHICAGO).astimezone(UTC)
    return Question(
        at or site(), law or ordinance("howard"), policy or default_policy(), record, on, now, changed, events,
        positions,
    )  # fmt: skip


def rule(id: str) -> Any:
    """A rule of the Howard file."""
    return ordinance("howard").rule_of(id)


def standing(before: Mapping[str, Finding], changes: Sequence[Transition]) -> dict[str, Finding]:
    """What stands after some transitions, as the store would answer."""
    stands = dict(before)
    for change in changes:
        if change.change in {"retracted", "superseded"}:
            stands.pop(change.finding.key, None)
        else:
            stands[change.finding.key] = change.finding
    return stands
