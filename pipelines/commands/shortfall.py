"""``headwater shortfall``: the shortfall machine on any readable file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import click

from models.errors import BadQuestion
from models.policy import default_policy
from models.streamflow.day_states import explain
from models.streamflow.pooling import pooled
from models.streamflow.shortfall import Operator, Practice, Quantity, Threshold, days_below, judge
from pipelines.daily_file import UNIT, FileRecords, file_records, gauge_record, zone_of
from pipelines.known_at import known_at_option, only_for_stations
from pipelines.series_days import Record
from pipelines.terminal import as_json, emit, site_option
from reports.text_table import text_table

WINDOWS = (30, 365)
"""Days up to the last of the record over which days below are counted; they decide nothing (decision 1)."""
DAYS_NAMED = 6
"""Unknown days of one reason that are named one by one."""
NO_RECORD = "no record"
STAGE_OF_A_GAUGE = "a gauge's stage is above NAVD88 where site.toml states its zero, else as its staff reads"
LARGEST = 1_000_000_000
"""The largest base flow that site.toml takes, too [cfs or ft]."""
COLUMNS = [
    "station", "start", "end", "known_below_days", "possible_days", "status", "verdict", "trigger_date",
    "indeterminate_from", "provisional", "confidence",
]  # fmt: skip


@click.command()
@click.argument("source")
@click.option(
    "--base-flow",
    "base_flow",
    required=True,
    help="In cfs (a stage in ft): 5.00, or by month 06=6.00,07=5.00, or by station A:5.00|B:2.00.",
)
@click.option(
    "--operator",
    type=click.Choice(["lt", "le"]),
    default="lt",
    show_default=True,
    help="lt: falls below; le: to or below.",
)
@click.option("--days", default=5, show_default=True, type=click.IntRange(0), help="More than this many days.")
@click.option("--quantity", type=click.Choice(["discharge", "stage"]), default="discharge", show_default=True)
@click.option(
    "--zone", default="America/Chicago", show_default=True, help="Civil zone of the days of sub-daily values."
)
@click.option("--format", "format_name", help="Do not detect the file's format by content.")
@known_at_option
@site_option
@as_json
def shortfall(
    source: str, base_flow: str, operator: Literal["lt", "le"], days: int, quantity: Literal["discharge", "stage"],
    zone: str, format_name: str | None, known_at: str | None, site_dir: Path, as_json: bool,
) -> int:  # fmt: skip
    """Days and spells below a base flow in SOURCE: a file that `read` understands, or a gauge of the site.

    Values and base flow are in cfs, of a stage in ft. A csv date,value,qualifier may carry coverage, station and
    version. Stations are judged apart; the last version of a station is the one judged, and earlier ones are shown
    beside it. Exit code 3: done, but rows of the file could not be taken.
    """
    found, practice = _found(source, site_dir, quantity, zone_of(zone), format_name, known_at)
    thresholds = _thresholds(base_flow, quantity)
    asked = _Asked(operator, days, quantity, practice)
    answers = [
        _answer(key, record, _for_station(thresholds, key[0]), asked, speaks=key in found.speaking)
        for key, record in found.records.items()
    ]
    data = {**_gathered(answers), "unit": UNIT[quantity], "notes": found.notes, "left_out": found.left_out}
    emit(data, lambda: _text(data), json_wanted=as_json)
    return 3 if found.left_out else 0


@dataclass(frozen=True)
class _Asked:
    """How every record is judged."""

    operator: Operator
    days: int
    quantity: Quantity
    practice: Practice


def _found(
    source: str, site_dir: Path, quantity: str, zone: ZoneInfo, format_name: str | None, known_at: str | None
) -> tuple[FileRecords, Practice]:
    path = Path(source)
    if path.exists() or not (site_dir / "site.toml").is_file():
        only_for_stations(known_at, source)
        return file_records(path, quantity, zone, format_name), default_policy().practice()
    record, practice = gauge_record(source, site_dir, quantity, known_at)
    if not record:
        raise BadQuestion(f"no {quantity} in it", file=source)
    notes = (STAGE_OF_A_GAUGE,) if quantity == "stage" else ()
    return FileRecords({(source, ""): record}, ((source, ""),), notes), practice


def _answer(
    key: tuple[str, str], record: Record, threshold: Threshold, asked: _Asked, *, speaks: bool
) -> dict[str, Any]:
    judged = judge(
        record,
        threshold,
        operator=asked.operator,
        more_than_days=asked.days,
        quantity=asked.quantity,
        practice=asked.practice,
    )
    spells = [{"station": key[0], **_spell(asdict(one))} for one in judged.spells]
    return {
        "station": key[0], "version": key[1], "speaks": speaks, "status": judged.status, "reason": judged.reason,
        "spells": spells, "days": (record[-1].day - record[0].day).days + 1,
        "unknown_days": list(_unknown(record, threshold, asked)),
        "days_below": {str(window): days_below(judged, record[-1].day, window) for window in WINDOWS},
        "pools": [asdict(one) for one in pooled(judged, record, threshold)],
    }  # fmt: skip


def _unknown(record: Record, threshold: Threshold, asked: _Asked) -> Iterator[dict[str, Any]]:
    """Every day on which nobody can tell, and why; a day of the calendar without a row is one."""
    by_day = {one.day: one for one in record}
    for ordinal in range(record[0].day.toordinal(), record[-1].day.toordinal() + 1):
        day = date.fromordinal(ordinal)
        why = NO_RECORD
        if day in by_day:
            why = explain(by_day[day], threshold.at(day), asked.operator, asked.quantity, asked.practice)[1]
        if why:
            yield {"day": day, "reason": why}


def _spell(spell: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in spell.items()}


def _gathered(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """One answer for the file, out of the records that speak."""
    asked = [one for one in answers if one["speaks"]]
    statuses = {one["status"] for one in asked}
    return {
        "status": "EVALUATED" if "EVALUATED" in statuses else min(statuses),
        "reason": "; ".join(dict.fromkeys(one["reason"] for one in asked if one["reason"])),
        "spells": [spell for one in asked for spell in one["spells"]],
        "records": answers,
    }


def _thresholds(text: str, quantity: Quantity) -> dict[str, Threshold]:
    """Base flows by station; ``""`` is any station."""
    if ":" not in text:
        return {"": _threshold(text, quantity)}
    pairs = [part.partition(":") for part in text.split("|")]
    return {station.strip(): _threshold(value, quantity) for station, _, value in pairs}


def _threshold(text: str, quantity: Quantity) -> Threshold:
    if "=" not in text:
        return Threshold.constant(_number(text, quantity))
    pairs = [part.partition("=") for part in text.replace(";", ",").split(",")]
    months = [int(month) if month.strip().isdecimal() else 0 for month, _, _ in pairs]
    if not set(months) <= set(range(1, 13)):
        raise BadQuestion("not a month", key="--base-flow", found=text, allowed=["01=6.00,…,12=5.00"])
    if len(set(months)) < len(months):
        raise BadQuestion("a month is given twice", key="--base-flow", found=text)
    return Threshold.monthly(dict(zip(months, (_number(value, quantity) for _, _, value in pairs), strict=True)))


def _number(text: str, quantity: Quantity) -> Decimal:
    """A base flow [cfs] of 0 or more; a stage [ft] stands over a datum and may lie below it."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or abs(number) > LARGEST or (number < 0 and quantity == "discharge"):
        allowed = f"0 or more, to {LARGEST}" if quantity == "discharge" else f"-{LARGEST} to {LARGEST}"
        raise BadQuestion("not a base flow", key="--base-flow", found=text, allowed=[allowed])
    return number


def _for_station(thresholds: dict[str, Threshold], station: str) -> Threshold:
    found = thresholds.get(station, thresholds.get(""))
    if found is None:
        raise BadQuestion("no base flow for this station", key="--base-flow", found=station, allowed=thresholds)
    return found


def _text(data: dict[str, Any]) -> str:
    unit = f"values and base flow in {data['unit']}"
    return "\n".join([*_told(data), *_unknown_words(data["records"]), unit, *data["notes"], *data["left_out"]])


def _told(data: dict[str, Any]) -> Iterator[str]:
    if not data["spells"]:
        yield f"{data['status']}: no spell. {data['reason']}".strip()
        return
    yield f"{data['status']} {data['reason']}".strip()
    yield text_table(data["spells"], COLUMNS)
    yield from (f"{one['start']}: {'; '.join(one['reasons'])}" for one in data["spells"] if one["reasons"])


def _unknown_words(records: list[dict[str, Any]]) -> Iterator[str]:
    """How many days nobody can tell of, by reason; a few are named."""
    for one in records:
        unknown = one["unknown_days"] if one["speaks"] else []
        if unknown:
            name = " ".join(part for part in (one["station"], one["version"]) if part)
            yield f"{name}: {len(unknown)} of {one['days']} days unknown".removeprefix(": ")
        for why in dict.fromkeys(day["reason"] for day in unknown):
            days = [str(day["day"]) for day in unknown if day["reason"] == why]
            span = f"{len(days)} days, {days[0]} to {days[-1]}"
            yield f"  {why}: {', '.join(days) if len(days) <= DAYS_NAMED else span}"
