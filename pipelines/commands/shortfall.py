"""``headwater shortfall``: the shortfall machine on any readable file."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal

import click

from ingest.formats import read
from models.errors import BadQuestion
from models.policy import default_policy
from models.streamflow.pooling import pooled
from models.streamflow.shortfall import Threshold, days_below, judge
from pipelines.daily_file import Record, gauge_record, localised, records, zone_of
from pipelines.known_at import known_at_option, only_for_stations
from pipelines.terminal import as_json, emit, site_option
from reports.text_table import text_table

WINDOWS = (30, 365)
"""Days up to the last of the record over which days below are counted; they decide nothing (decision 1)."""


@click.command()
@click.argument("source")
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
@known_at_option
@site_option
@as_json
def shortfall(
    source: str, base_flow: str, operator: Literal["lt", "le"], days: int, quantity: Literal["discharge", "stage"],
    zone: str, format_name: str | None, known_at: str | None, site_dir: Path, as_json: bool,
) -> int:  # fmt: skip
    """Days and spells below a base flow in SOURCE: a file that `read` understands, or a gauge of the site.

    A csv date,value,qualifier may carry coverage, station and version. Stations are judged apart; the last version of
    a station is the one judged, and earlier ones are shown beside it.
    """
    path, practice = Path(source), default_policy().practice()
    if path.exists() or not (site_dir / "site.toml").is_file():
        only_for_stations(known_at, source)
        found = records(localised(read(path, format=format_name), zone_of(zone))[0], quantity, zone_of(zone))
    else:
        record, practice = gauge_record(source, site_dir, quantity, known_at)
        found = {(source, ""): record} if record else {}
    if not found:
        raise BadQuestion(f"no {quantity} in it", file=source)
    thresholds = _thresholds(base_flow)
    answers = [
        _answer(
            station,
            version,
            record,
            _for_station(thresholds, station),
            operator=operator,
            days=days,
            quantity=quantity,
            practice=practice,
        )
        for (station, version), record in found.items()
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
        practice=options["practice"],
    )
    spells = [{"station": station, **_spell(asdict(one))} for one in judged.spells]
    return {
        "station": station, "version": version, "status": judged.status, "reason": judged.reason, "spells": spells,
        "days_below": {str(window): days_below(judged, record[-1].day, window) for window in WINDOWS},
        "pools": [asdict(one) for one in pooled(judged, record, threshold)],
    }  # fmt: skip


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
