"""``headwater report``: documents. Each is imported only when it is asked for."""

from __future__ import annotations

import importlib

import click

REPORTS = {
    "annual": ("report_annual", "annual", "The appendix to the operator's annual report, for the Plan Commission."),
    "site": ("report_site", "site", "The public page of the site: one static folder that works offline."),
}


class _Reports(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's signature
        return list(REPORTS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 click's signature
        if name not in REPORTS:
            return None
        module, attribute, _ = REPORTS[name]
        command: click.Command = getattr(importlib.import_module(f"pipelines.commands.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, short) for name, (_, _, short) in REPORTS.items()])


@click.group(cls=_Reports)
def report() -> None:
    """Documents: the site page, the annual appendix."""
