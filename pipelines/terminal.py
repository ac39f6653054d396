"""What every command shares at the terminal: options, JSON for machines, one table for people, the store it opens."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from json.encoder import encode_basestring
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo

import click

from reports.text_table import one_line

_UNSEEN = re.compile(
    r"[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    r"\U000e0000-\U000e007f]"
)
"""C1 controls, marks and overrides of direction, invisible characters, and halves of surrogate pairs."""
if TYPE_CHECKING:
    from sqlalchemy import Engine

    from pipelines.site_folder import SiteFolder

F = TypeVar("F", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
site_option = click.option(
    "--site", "site_dir", type=click.Path(path_type=Path, file_okay=False), default=Path(),
    show_default="current folder", help="Folder that holds site.toml.",
)  # fmt: skip


def emit(data: Any, text: Callable[[], str], *, json_wanted: bool) -> None:
    """Print JSON, or the text a person reads, whose lines hold nothing that drives a terminal."""
    click.echo(to_json(data) if json_wanted else "\n".join(map(one_line, text().split("\n"))))


def complain(line: object) -> None:
    """One line on the error stream."""
    click.echo(f"headwater: {one_line(str(line))}", err=True)


def to_json(data: Any, *, indent: int | None = 2) -> str:
    """JSON with null for what is unknown, never NaN; what no terminal should see is an escape, as JSON allows."""
    text = _written(data, "\n" if indent else "", " " * (indent or 0))
    if text.isascii() and "\x7f" not in text:  # nearly always, and known at once
        return text
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def _written(data: Any, gap: str, step: str) -> str:
    """JSON laid out as ``json`` does it, in half of its time: with an indent it leaves its compiled encoder."""
    if plain := _PLAIN.get(type(data)):
        return plain(data)
    inner = gap + step
    between = "," if step else ", "
    if isinstance(data, dict):
        keys = _keys(tuple(data), inner) or _keys(tuple(map(str, data)), inner)
        items = [
            key + (plain(one) if (plain := _PLAIN.get(type(one))) else _written(one, inner, step))
            for key, one in zip(keys, data.values(), strict=True)
        ]
        return f"{{{between.join(items)}{gap}}}" if items else "{}"
    if isinstance(data, list | tuple):
        items = [inner + _written(one, inner, step) for one in data]
        return f"[{between.join(items)}{gap}]" if items else "[]"
    return _scalar(data)


@lru_cache(maxsize=4096)
def _keys(names: tuple[str, ...], inner: str) -> tuple[str, ...]:
    """How the lines of a dictionary begin; thousands have the same. Of other keys, such as 1 and True, none."""
    named = all(isinstance(name, str) for name in names)
    return tuple(f"{inner}{encode_basestring(name)}: " for name in names) if named else ()


def _number(data: float) -> str:
    return float.__repr__(data) if math.isfinite(data) else "null"


_PLAIN: dict[type, Callable[[Any], str]] = {
    str: encode_basestring, int: int.__repr__, float: _number, type(None): lambda _: "null",
}  # fmt: skip


def _scalar(data: Any) -> str:  # datetime is a date too
    if isinstance(data, str):
        return encode_basestring(data)
    if isinstance(data, float):
        return _number(data)
    return json.dumps(data.isoformat() if isinstance(data, date) else data, ensure_ascii=False, default=str)


@contextmanager
def site_store(site_dir: Path) -> Iterator[tuple[SiteFolder, Engine]]:
    """The site and its open store. A command that opens none need not import a database."""
    from pipelines.database import default_url, opened
    from pipelines.site_folder import open_site

    folder = open_site(site_dir)
    today = datetime.now(ZoneInfo(folder.law.zone)).date()
    folder = replace(folder, policy=folder.policy.on(today))
    with opened(default_url(site_dir, os.environ)) as engine:
        yield folder, engine


def say(line: str) -> None:
    """Progress, on the error stream and only to a person."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{one_line(line)}", nl=False, err=True)
