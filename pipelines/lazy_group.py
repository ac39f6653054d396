"""A command group that imports a command only when it runs, so that ``--help`` answers at once."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

Commands = Mapping[str, tuple[str, str, str]]
"""name -> (module of pipelines.commands, its command, short help)."""


class LazyGroup(click.Group):
    """A click group over a table of commands."""

    def __init__(self, *args: Any, table: Commands, **more: Any) -> None:
        super().__init__(*args, **more)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's signature
        return list(self.table)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 click's signature
        if name not in self.table:
            return None
        module, attribute, _ = self.table[name]
        command: click.Command = getattr(importlib.import_module(f"pipelines.commands.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, short) for name, (_, _, short) in self.table.items()])
