"""What is released of a property for a records request, as text: whole, nothing cut."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reports.text_table import one_line

WIDTH = 110
SECTIONS = (
    "private", "redactions", "wells", "cases", "acts", "findings", "reviews", "money", "papers", "measurements",
    "mails", "looks",
)  # fmt: skip


def release_text(data: Mapping[str, Any]) -> str:
    """The record of one property, section by section.

    Parameters
    ----------
    data : ``property``, ``parcel``, ``as_of``, ``law``, ``custodian``, ``retention`` and when it ends, then each of
        ``SECTIONS`` as rows.
    """
    head = [
        f"{data['property']} (parcel {data['parcel']}), as of {data['as_of']}",
        *_wrapped(str(data["law"])), *_wrapped(str(data["custodian"])), *_wrapped(f"Kept {_kept(data)}."),
    ]  # fmt: skip
    return "\n".join([*head, "", *(line for name in SECTIONS for line in _section(name, data[name]))])


def _kept(data: Mapping[str, Any]) -> str:
    until = f"until {data['kept_until']}" if data["kept_until"] else f"without an end as yet: {data['waits']}"
    held = "; held back from deletion beyond that" if data["hold"] else ""
    return f"{until}: {data['retention']}{held}"


def _section(name: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield name.upper()
    for row in rows:
        yield from _row(row)
    if not rows:
        yield "nothing"
    yield ""


def _row(row: Mapping[str, Any]) -> Iterator[str]:
    """One entry as ``name: value`` joined; a text of several lines follows it."""
    said = [f"{name.replace('_', ' ')}: {_said(one)}" for name, one in row.items() if one and "\n" not in str(one)]
    yield from _wrapped("; ".join(said), "- ", "  ")
    for one in row.values():
        if isinstance(one, str) and "\n" in one:
            yield from (f"    | {one_line(line)}".rstrip() for line in one.rstrip("\n").split("\n"))


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_said(one)}" for name, one in value.items())
    return ", ".join(map(_said, value)) if isinstance(value, list | tuple) else one_line(str(value))


def _wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
