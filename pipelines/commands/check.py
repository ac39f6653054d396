"""``headwater check``: validate before the night does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from models.case import CaseId
from models.checks.delivery_entries import check_deliveries
from models.checks.signed_flow import site_doubts
from models.errors import BadQuestion
from models.event import Event
from models.nr140.alternatives import with_alternatives
from models.rules import GroundwaterQuality
from models.standards import indicators, law_of
from pipelines import casebook
from pipelines.commands.check_network import network_rows, network_text, stands
from pipelines.database import default_url, opened, reading
from pipelines.duty_rows import unkept
from pipelines.site_folder import EventLine, SiteFolder, open_site, read_events
from pipelines.site_from_files.far_places import far_places
from pipelines.terminal import as_json, emit, site_option
from reports.text_table import text_table

VERIFIED = "verified2"


@click.command()
@click.option(
    "--standards", "list_standards", is_flag=True, help="List every standard nobody has verified in two copies."
)
@click.option(
    "--network", "ask_network", is_flag=True,
    help="List what must be located, listed and sampled around the site, each gap with what fills it.",
)  # fmt: skip
@site_option
@as_json
def check(list_standards: bool, ask_network: bool, site_dir: Path, as_json: bool) -> int:
    """Validate site.toml, policy.toml, households.toml, events.csv and the law they name.

    What lies far from the site, or is doubtful of a signed base flow, is a warning and changes no exit code.

    Exit code 0: valid; 1: valid, but lines of events.csv are not, or with --network a gap stands or nobody can tell;
    2: a file is faulty.
    """
    folder = open_site(site_dir)
    check_deliveries(folder.site, folder.law, datetime.now(ZoneInfo(folder.law.zone)).date())
    lines = [_with_its_case(line) for line in read_events(site_dir / "events.csv")]
    bad_events = [f"events.csv: row {line.row}: {line.reason}" for line in lines if line.event is None]
    acts = [*_recorded(site_dir), *(line.event for line in lines if line.event is not None)]
    gaps = network_rows(folder) if ask_network else []
    unverified = [row for id in _sets(folder) for row in _unverified(id)]
    _alternatives(folder)
    data = {
        "site": folder.site.id, "ordinance": folder.law.id, "rules": len(folder.law.rule),
        "unknown_dates": [rule.id for rule in folder.law.rule if rule.effective == "unknown"],
        "policy_not_adopted": list(folder.policy.unadopted()), "bad_events": bad_events,
        "unverified_standards": len(unverified), "base_flow_warnings": list(_doubts(folder)),
        "place_warnings": list(far_places(folder.site)),
        "not_judged": unkept(folder, acts, datetime.now(UTC)),
        **({"standards": unverified} if list_standards else {}),
        **({"network": gaps} if ask_network else {}),
    }  # fmt: skip
    emit(data, lambda: _text(data), json_wanted=as_json)
    return 1 if bad_events or stands(gaps) else 0


def _with_its_case(line: EventLine) -> EventLine:
    """A line whose case is none is no event."""
    try:
        CaseId.parse(line.event.case if line.event else "")
    except BadQuestion as caught:
        return replace(line, event=None, reason=str(caught)) if line.event else line
    return line


def _recorded(site_dir: Path) -> list[Event]:
    """What the store holds, where there is one: a check makes none."""
    if "HEADWATER_DATABASE_URL" not in os.environ and not (site_dir / "headwater.db").exists():
        return []
    with opened(default_url(site_dir, os.environ)) as engine, reading(engine) as connection:
        return casebook.events(connection)


def _doubts(folder: SiteFolder) -> Iterator[str]:
    """What can be held against the signed base flows and base levels."""
    return site_doubts(folder.site, folder.policy.baseline_minimum_years.value)


def _sets(folder: SiteFolder) -> list[str]:
    return sorted({rule.standards for rule in folder.law.rule if isinstance(rule, GroundwaterQuality)})


def _unverified(id: str) -> Iterator[dict[str, Any]]:
    """Limits, increments of indicators and lists of members that nobody has read alike in two copies."""
    law = law_of(id)
    for one in law.rows:
        yield from _row(id, one.parameter, one.kind, one.table, f"{one.value}", one.unit, one.verification)
        if one.effective is not None:
            how = one.effective_verification or one.verification
            yield from _row(id, one.parameter, f"{one.kind} in force from", one.table, f"{one.effective}", "", how)
    for each in indicators(id) if law.header.indicators else ():
        yield from _row(id, each.parameter, "increment", "3", f"{each.increment}", each.unit, each.verification)
    if (rule := law.header.confirmation) is not None:
        value = f"alpha {rule.alpha}, {rule.resample_days} days apart"
        yield from _row(id, "", "confirmation", "", value, "", rule.verification)
    if (general := law.header.indicators) is not None:
        value = f"{general.minimum_results} results, n from {general.divide_by_n_from}"
        yield from _row(id, "", "indicators", "", value, "", general.verification)
    for total in law.header.sum:
        yield from _row(id, total.substance, "sum", "", " + ".join(total.ways[0]), "", total.verification)


def _row(
    id: str, parameter: str, kind: str, table: str, value: str, unit: str, verification: str
) -> Iterator[dict[str, Any]]:
    if verification != VERIFIED:
        yield {
            "standards": id, "parameter": parameter, "kind": kind, "table": table, "value": value, "unit": unit,
            "verification": verification,
        }  # fmt: skip


def _alternatives(folder: SiteFolder) -> None:
    """Refuse an alternative limit that replaces nothing in a set of the ordinance."""
    for id in _sets(folder):
        for well in folder.site.well:
            with_alternatives(law_of(id), folder.site.alternative_limit, well.id)


def _text(data: dict[str, Any]) -> str:
    lines = [
        f"{data['site']}: valid under {data['ordinance']} ({data['rules']} rules)",
        f"{len(data['unknown_dates'])} rules without a known date of effect",
        f"{len(data['policy_not_adopted'])} policy thresholds not adopted: {', '.join(data['policy_not_adopted'])}",
        f"{data['unverified_standards']} standards not verified in two copies (--standards lists them)",
        *data["bad_events"],
        *(f"warning: {said}" for said in (*data["place_warnings"], *data["base_flow_warnings"])),
        *data["not_judged"],
    ]
    columns = ["standards", "parameter", "kind", "table", "value", "unit", "verification"]
    tables = [text_table(data["standards"], columns)] if "standards" in data else []
    tables += [network_text(data["network"])] if "network" in data else []
    return "\n\n".join(["\n".join(lines), *tables])
