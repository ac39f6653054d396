"""Review acts in the store: appended and sealed, never changed; and what they are about, as it stands."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, func, select

from models import review
from models.checks.gauge_days import as_judged
from models.checks.surface_level_days import practice as stage_practice
from models.errors import BadQuestion
from models.finding import Finding
from models.nr140.contested import Contested
from models.review import Acceptance, Review, Signature
from models.rules import Ordinance
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, Quantity, why_unknown
from models.streamflow.practice import Practice
from pipelines import ledger, schema
from pipelines.casebook import GONE, instant
from pipelines.recall import Recall

UNITS = {"discharge": "cfs", "stage": "ft"}
SHOWN_KEY = 12
SHORTEST_KEY = 6


def append(connection: Connection, act: Review, known_at: int) -> bool:
    """Record an act once; False when the very same one stands already. The transaction is the caller's."""
    at = "" if act.at is None else act.at.isoformat()
    body = {
        "by": act.by, "licence": act.licence, "number": act.number, "at": at, "again": act.again,
        "facts": dict(act.facts),
    }  # fmt: skip
    row = {
        "review_key": act.key(), "act": act.act, "subject": act.subject, "known_at": known_at,
        "body": json.dumps(body, sort_keys=True),
    }  # fmt: skip
    return ledger.append_new(connection, schema.review, row, ["review_key"]) is not None


def acts(connection: Connection, known_at: int | None = None) -> list[Review]:
    """Every recorded act, in the order it was recorded, as known at an instant."""
    query = select(schema.review).order_by(schema.review.c.id)
    query = query if known_at is None else query.where(schema.review.c.known_at <= known_at)
    return [_act(row) for row in connection.execute(query).mappings()]


def _act(row: Mapping[Any, Any]) -> Review:
    body: dict[str, Any] = json.loads(row["body"])
    at = datetime.fromisoformat(body["at"]) if body["at"] else None
    return Review(
        row["act"], row["subject"], body["by"], body["facts"], body["licence"], body["number"], at, body["again"],
        instant(row["known_at"]),
    )  # fmt: skip


def contested(connection: Connection, zone: ZoneInfo, known_at: int | None = None) -> tuple[Contested, ...]:
    """The results contested by what was recorded up to an instant."""
    return review.contested(acts(connection, known_at), zone)


def whole_key(start: str, among: Sequence[Review]) -> str:
    """The key of the one act that begins so.

    Raises
    ------
    BadQuestion : none does, several do, or too little was given.
    """
    found = [one.key() for one in among if one.key().startswith(start.strip().casefold())]
    if len(start.strip()) < SHORTEST_KEY or len(found) != 1:
        why = "no act" if not found else "more than one act" if len(found) > 1 else "too short a key"
        shown = [f"{one.key()[:SHOWN_KEY]} ({one.act} {one.subject})" for one in review.standing(among)]
        raise BadQuestion(f"{why} begins so", key="KEY", found=start, allowed=shown or ["none yet"])
    return found[0]


# Day values ----------------------------------------------------------------------------------------------------------


def record_of(recall: Recall, gauge: Gauge, first: date, last: date) -> dict[date, DailyFlow]:
    """The daily record of a gauge as the last night judged it: a surrogate's days transferred."""
    days = recall.daily(gauge.id, gauge.judged, first, last)
    return {one.day: one for one in (as_judged(gauge, days) if gauge.judged == "discharge" else days)}


def value_text(day: DailyFlow | None, quantity: Quantity) -> str:
    """A day's value with its unit, as a finding states it; "" for a day without one."""
    return "" if day is None or day.value is None else f"{day.value} {UNITS[quantity]}"


def acceptable(
    recall: Recall, gauge: Gauge, days: Collection[date], practice: Practice
) -> dict[str, str]:  # fmt: skip
    """The value of each day that is to be accepted.

    Raises
    ------
    BadQuestion : a day has none that counts, with the reason.
    """
    found = record_of(recall, gauge, min(days), max(days))
    own = stage_practice(practice, gauge)
    why = {day: why_unknown(found.get(day, DailyFlow(day, None)), gauge.judged, own) for day in sorted(days)}
    if unknown := [f"{day} ({reason})" for day, reason in why.items() if reason]:
        raise BadQuestion("no value on record to accept", key="--days", found=", ".join(unknown))
    return {day.isoformat(): value_text(found[day], gauge.judged) for day in why}


def acceptance(
    connection: Connection, zone: ZoneInfo, gauges: Sequence[Gauge], law: Ordinance, finding: Finding,
    known: Sequence[Review],
) -> Acceptance | None:  # fmt: skip
    """Which trigger days of a shortfall are accepted at the value they have now; None where there are none to accept.

    Parameters
    ----------
    known : every recorded act.
    """
    over = getattr(law.rule_of(finding.rule), "more_than_days", None)
    gauge = next((one for one in gauges if one.id == finding.station), None)
    days = () if over is None else review.trigger_days(finding, over)
    if gauge is None or not days:
        return None
    record = record_of(Recall(connection, zone), gauge, days[0], days[-1])
    return review.accepted(finding, known, {day: value_text(record.get(day), gauge.judged) for day in days})


# Findings ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Version:
    """The newest version of a finding."""

    key: str
    digest: str
    change: str
    known_at: int = 0


def newest_versions(connection: Connection) -> dict[str, Version]:
    """The newest version of every finding, withdrawn ones too, by key."""
    table = schema.finding.c
    newest = select(func.max(table.id)).group_by(table.key)
    query = select(table.key, table.digest, table.kind, table.known_at).where(table.id.in_(newest))
    return {key: Version(key, *rest) for key, *rest in connection.execute(query)}


def version_to_sign(connection: Connection, start: str) -> Version:
    """The newest version of the one standing finding whose key is this or begins so.

    Raises
    ------
    BadQuestion : there is none, or more than one.
    """
    stands = {key: one for key, one in newest_versions(connection).items() if one.change not in GONE}
    found = [stands[start]] if start in stands else [one for key, one in stands.items() if key.startswith(start)]
    if len(found) != 1 or not start:
        why = "more than one finding begins so" if found else "neither a file here nor a finding that stands"
        shown = [one.key for one in found] or sorted(stands)
        raise BadQuestion(why, key="WHAT", found=start, allowed=shown[:SHOWN_KEY] or ["none yet"])
    return found[0]


def signatures(
    finding_key: str, versions: Mapping[str, Version], known: Sequence[Review]
) -> list[Signature]:  # fmt: skip
    """The signatures under a finding; one of an earlier version says so."""
    return review.signatures(finding_key, versions[finding_key].digest, known) if finding_key in versions else []
