"""What every command shares at the terminal: options, JSON for machines, one table for people, the store it opens."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import click
from sqlalchemy import Engine

from pipelines.database import default_url, opened
from pipelines.site_folder import SiteFolder, open_site

F = TypeVar("F", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
site_option = click.option(
    "--site", "site_dir", type=click.Path(path_type=Path, file_okay=False), default=Path(),
    show_default="current folder", help="Folder that holds site.toml.",
)  # fmt: skip


def emit(data: Any, text: Callable[[], str], *, json_wanted: bool) -> None:
    """Print JSON, or the text a person reads."""
    click.echo(to_json(data) if json_wanted else text())


def to_json(data: Any, *, indent: int | None = 2) -> str:
    """JSON with null for what is unknown, never NaN."""
    return json.dumps(_plain(data), indent=indent, ensure_ascii=False, default=str, allow_nan=False)


def _plain(data: Any) -> Any:  # datetime is a date too
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(item) for item in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data.isoformat() if isinstance(data, date) else data


@contextmanager
def site_store(site_dir: Path) -> Iterator[tuple[SiteFolder, Engine]]:
    """The site and its open store."""
    folder = open_site(site_dir)
    with opened(default_url(site_dir, os.environ)) as engine:
        yield folder, engine


def say(line: str) -> None:
    """Progress, on the error stream and only to a person."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{line}", nl=False, err=True)
