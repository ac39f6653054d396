"""The one summary a night prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports.information import ALL_FINDINGS
from reports.text_table import one_line, text_table


def night_summary(summary: Mapping[str, Any]) -> str:
    """The night as text: files, what changed, cases and clocks, mails, and what was left out."""
    dry = " (dry run: nothing was changed or sent)" if summary.get("dry_run") else ""
    parts = [
        f"Night of {summary['on']}, {summary['site']}{dry}",
        _files(summary["files"]),
        _changes(summary),
        _listed("Acts recorded", summary["events"]),
        _clocks(summary["clocks"]),
        _listed("Mails composed", [*summary["mails"], *_digests(summary["digests"])]),
        _listed("Cannot tell", summary["cannot_tell"]),
        _listed("Not evaluable", summary["not_evaluable"]),
        _listed("Not judged", summary.get("not_judged", [])),
        _listed("Stale", summary["stale"]),
        _listed("Notes", summary.get("notes", [])),
        _listed("Left out", [*summary["left_out"], *summary.get("not_sent", [])]),
    ]
    return "\n\n".join(part for part in parts if part)


def _files(files: list[dict[str, Any]]) -> str:
    if not files:
        return "No file arrived."
    columns = ["file", "format", "accepted", "rejected", "duplicate", "revised"]
    return f"{len(files)} files\n" + text_table(files, columns)


def _changes(summary: Mapping[str, Any]) -> str:
    told = [
        one for one in summary["changes"] if not one["information"] and one["change"] not in {"continued", "superseded"}
    ]
    stand = f"{summary['standing']} stand"
    if summary.get("information"):
        stand += f"; for information {summary['information']} ({ALL_FINDINGS})"
    if not told:
        return f"No finding changed; {stand}."
    columns = [
        "change",
        "rule",
        "station",
        "parameter",
        "aspect",
        "opened_on",
        "verdict",
        "status",
        "measured",
        "limit",
    ]
    return f"{len(told)} finding{'s' * (len(told) != 1)} changed; {stand}\n" + text_table(told, columns, width=44)


def _clocks(clocks: list[dict[str, Any]]) -> str:
    if not clocks:
        return ""
    columns = ["case", "clause", "title", "who", "standing", "plain_due", "statutory_due"]
    return f"{len(clocks)} duties and clocks\n" + text_table(clocks, columns, width=44)


def _digests(count: int) -> list[str]:
    return [f"and {count} nightly digest{'s' * (count > 1)}"] if count else []


def _listed(title: str, lines: list[str]) -> str:
    return f"{title}\n" + "\n".join(f"  {one_line(line)}" for line in lines) if lines else ""
