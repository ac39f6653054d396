"""A paper in both its forms from one template: a page with print style, and plain text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports.papers.words import long_day
from reports.text_table import one_line, text_table

WIDTH = 76
BLANK = "_" * 28
_UNSAFE = re.compile(r"[\"\\<>&]")


@dataclass(frozen=True)
class Sheet:
    """What every paper carries. ``to``: the lines of each addressee; ``draft``: why it may not be released yet."""

    number: str
    title: str
    clause: str
    case: str
    town: str
    law: str
    site: str
    permit: str
    to: tuple[tuple[str, ...], ...]
    draft: tuple[str, ...] = ()


@dataclass(frozen=True)
class Written:
    """A paper as a page and as plain text."""

    html: str
    text: str


def written(template: str, sheet: Sheet, facts: Mapping[str, Any]) -> Written:
    """Both forms of ``templates/paper_<template>.j2``.

    Parameters
    ----------
    facts : what the template speaks of; a name it needs and nobody gave is an error, not a blank.
    """
    page, plain = (
        _environment(form).get_template(f"paper_{template}.j2").render(
            s=sheet, parts=f"paper_parts.{form}.j2", blank=BLANK, **facts
        )
        for form in ("html", "txt")
    )  # fmt: skip
    lines = [line.rstrip() for line in plain.split("\n")]
    kept = [line for n, line in enumerate(lines) if line or (n and lines[n - 1])]
    return Written(page, "\n".join(kept).strip("\n") + "\n")


def _flat(text: str) -> str:
    return " ".join(one_line(str(text)).split())


def _wrapped(text: str, indent: int = 0, hang: int = 0) -> str:
    pad = " " * indent
    return textwrap.fill(
        _flat(text), WIDTH, initial_indent=pad, subsequent_indent=pad + " " * hang,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Aligned where it fits the width; else each row as lines of its own, so that nothing is cut."""
    table = text_table(rows, list(rows[0]), width=WIDTH) if rows else ""
    if all(len(line) <= WIDTH and "…" not in line for line in table.split("\n")):
        return table
    said = ("; ".join(f"{name}: {_flat(cell)}" for name, cell in row.items()) for row in rows)
    return "\n".join(_wrapped(f"- {one}", 0, 2) for one in said)


def style(sheet: Sheet) -> Markup:
    """The print style, with the foot of this paper in it; what could end a text of CSS early is left out."""
    foot = f"{'DRAFT, not released. ' if sheet.draft else ''}{sheet.town}, paper {sheet.number}"
    css = (files("reports") / "templates" / "paper.css").read_text(encoding="utf-8")
    return Markup(css.replace("__FOOT__", _UNSAFE.sub(" ", one_line(foot))))  # noqa: S704 our own file, a text made safe


@cache
def _environment(form: str) -> Environment:
    made = Environment(
        loader=PackageLoader("reports", "templates"), undefined=StrictUndefined,
        autoescape=form == "html",  # noqa: S701 the other form is plain text
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    made.filters |= {"flat": _flat, "wrapped": _wrapped, "text_table": _table, "long_day": long_day}
    made.globals["style"] = style
    return made
