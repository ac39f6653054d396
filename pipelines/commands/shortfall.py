"""``headwater shortfall``: the shortfall machine on any readable file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
import pandas as pd

from ingest.formats import read
from models.errors import BadQuestion
from models.observation import Flags
from models.policy import default_policy
from models.streamflow.daily_mean import daily_means
from models.streamflow.shortfall import DailyFlow, Threshold, judge
from pipelines.terminal import as_json, emit
from reports.text_table import text_table

Record = list[DailyFlow]


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--base-flow", "base_flow", required=True, help="5.00, or by month 06=6.00,07=5.00, or by station A:5.00|B:2.00."
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
@as_json
def shortfall(
    file: Path, base_flow: str, operator: Literal["lt", "le"], days: int, quantity: Literal["discharge", "stage"],
    zone: str, format_name: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Days and spells below a base flow in FILE: anything `read` understands, or a csv date,value,qualifier.

    A csv may carry coverage, station and version. Stations are judged apart; the last version of a
    station is the one judged, and earlier ones are shown beside it.
    """
    records = _records(read(file, format=format_name).observations, quantity, _zone(zone))
    if not records:
        raise BadQuestion(f"no {quantity} in the file", file=str(file))
    thresholds = _thresholds(base_flow)
    answers = [
        _answer(
            station, version, record, _for_station(thresholds, station), operator=operator, days=days, quantity=quantity
        )
        for (station, version), record in records.items()
    ]
    data = _gathered(answers)
    emit(data, lambda: _text(data), json_wanted=as_json)
    return 0


def _answer(station: str, version: str, record: Record, threshold: Threshold, **options: Any) -> dict[str, Any]:
    judged = judge(
        record,
        threshold,
        operator=options["operator"],
        more_than_days=options["days"],
        quantity=options["quantity"],
        practice=default_policy().practice(),
    )
    spells = [{"station": station, **_spell(asdict(one))} for one in judged.spells]
    return {"station": station, "version": version, "status": judged.status, "reason": judged.reason, "spells": spells}


def _spell(spell: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in spell.items()}


def _gathered(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """One answer for the file: the last version of each station speaks."""
    last = {one["station"]: one for one in answers}
    statuses = {one["status"] for one in last.values()}
    return {
        "status": "EVALUATED" if "EVALUATED" in statuses else min(statuses),
        "reason": "; ".join(dict.fromkeys(one["reason"] for one in last.values() if one["reason"])),
        "spells": [spell for one in last.values() for spell in one["spells"]],
        "records": answers,
    }


def _records(rows: pd.DataFrame, quantity: str, zone: ZoneInfo) -> dict[tuple[str, str], Record]:
    """Daily records by station and version (a csv), or station and sensor."""
    wanted = rows[(rows["parameter"] == quantity) | (rows["unit"] == "1")]
    groups = wanted.sort_values("time_ms", kind="stable").groupby(["station", "series"], sort=False)
    return {(str(station), str(series)): list(_days(group, zone)) for (station, series), group in groups}


def _days(rows: pd.DataFrame, zone: ZoneInfo) -> Iterator[DailyFlow]:
    if (rows["clock"] != "day").any():
        yield from _own_means(rows, zone)
        return
    bare = (rows["unit"] == "1").all()
    for time_ms, text, flags_text in zip(rows["time_ms"], rows["value_text"], rows["flags"], strict=True):
        flags = Flags.parse(flags_text)
        coverage = flags.facts.get("coverage")
        yield DailyFlow(
            datetime.fromtimestamp(time_ms / 1000, UTC).date(),
            Decimal(text) if text else None,
            "computed" if bare else "published",
            flags.qualifiers,
            flags.approval,
            None if coverage is None else Decimal(coverage),
        )


def _own_means(rows: pd.DataFrame, zone: ZoneInfo) -> Iterator[DailyFlow]:
    once = rows.drop_duplicates("time_ms")
    for one in daily_means(once["time_ms"].to_numpy(), once["value"].to_numpy(), zone):
        mean = None if one.mean is None else Decimal(repr(one.mean))
        yield DailyFlow(one.day, mean, "computed", coverage=one.coverage, hole_too_long=one.hole_too_long)


def _thresholds(text: str) -> dict[str, Threshold]:
    """Base flows by station; ``""`` is any station."""
    if ":" not in text:
        return {"": _threshold(text)}
    pairs = [part.partition(":") for part in text.split("|")]
    return {station.strip(): _threshold(value) for station, _, value in pairs}


def _threshold(text: str) -> Threshold:
    if "=" not in text:
        return Threshold.constant(_number(text))
    pairs = [part.partition("=") for part in text.replace(";", ",").split(",")]
    months = {int(month) if month.strip().isdigit() else 0: _number(value) for month, _, value in pairs}
    if not set(months) <= set(range(1, 13)):
        raise BadQuestion("not a month", key="--base-flow", found=text, allowed=["01=6.00,…,12=5.00"])
    return Threshold.monthly(months)


def _number(text: str) -> Decimal:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or number < 0:
        raise BadQuestion("not a base flow", key="--base-flow", found=text, allowed=["a number of 0 or more"])
    return number


def _for_station(thresholds: dict[str, Threshold], station: str) -> Threshold:
    found = thresholds.get(station, thresholds.get(""))
    if found is None:
        raise BadQuestion("no base flow for this station", key="--base-flow", found=station, allowed=thresholds)
    return found


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise BadQuestion("no such zone", key="--zone", found=name, allowed=["America/Chicago", "…"]) from None


def _text(data: dict[str, Any]) -> str:
    if not data["spells"]:
        return f"{data['status']}: no spell. {data['reason']}".strip()
    columns = [
        "station",
        "start",
        "end",
        "known_below_days",
        "possible_days",
        "status",
        "verdict",
        "trigger_date",
        "indeterminate_from",
        "provisional",
        "confidence",
    ]
    lines = [f"{data['status']} {data['reason']}".strip(), text_table(data["spells"], columns)]
    return "\n".join(
        [*lines, *(f"{one['start']}: {'; '.join(one['reasons'])}" for one in data["spells"] if one["reasons"])]
    )
