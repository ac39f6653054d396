"""``headwater check``: validate before the night does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from models.rules import GroundwaterQuality
from models.standards import Standard, standards
from pipelines.site_folder import SiteFolder, open_site, read_events
from pipelines.terminal import as_json, emit, site_option
from reports.text_table import text_table


@click.command()
@click.option(
    "--standards", "list_standards", is_flag=True, help="List every standard nobody has verified in two copies."
)
@site_option
@as_json
def check(list_standards: bool, site_dir: Path, as_json: bool) -> int:
    """Validate site.toml, policy.toml, households.toml, events.csv and the law they name.

    Exit code 0: valid; 1: valid, but lines of events.csv are not; 2: a file is faulty.
    """
    folder = open_site(site_dir)
    bad_events = [
        f"events.csv: row {line.row}: {line.reason}"
        for line in read_events(site_dir / "events.csv")
        if line.event is None
    ]
    unverified = [one for id in _sets(folder) for one in standards(id) if one.verification != "verified2"]
    data = {
        "site": folder.site.id, "ordinance": folder.law.id, "rules": len(folder.law.rule),
        "unknown_dates": [rule.id for rule in folder.law.rule if rule.effective == "unknown"],
        "policy_not_adopted": list(folder.policy.unadopted()), "bad_events": bad_events,
        "unverified_standards": len(unverified),
        **({"standards": [_row(one) for one in unverified]} if list_standards else {}),
    }  # fmt: skip
    emit(data, lambda: _text(data), json_wanted=as_json)
    return 1 if bad_events else 0


def _sets(folder: SiteFolder) -> list[str]:
    return sorted({rule.standards for rule in folder.law.rule if isinstance(rule, GroundwaterQuality)})


def _row(one: Standard) -> dict[str, Any]:
    return {
        "standards": one.set_id, "parameter": one.parameter, "kind": one.kind, "table": one.table,
        "value": str(one.value), "unit": one.unit, "verification": one.verification,
    }  # fmt: skip


def _text(data: dict[str, Any]) -> str:
    lines = [
        f"{data['site']}: valid under {data['ordinance']} ({data['rules']} rules)",
        f"{len(data['unknown_dates'])} rules without a known date of effect",
        f"{len(data['policy_not_adopted'])} policy thresholds not adopted: {', '.join(data['policy_not_adopted'])}",
        f"{data['unverified_standards']} standards not verified in two copies (--standards lists them)",
        *data["bad_events"],
    ]
    columns = ["standards", "parameter", "kind", "table", "value", "unit", "verification"]
    return "\n".join(lines) + ("\n\n" + text_table(data["standards"], columns) if "standards" in data else "")
