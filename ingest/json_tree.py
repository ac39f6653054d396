"""A JSON document read safely: bounded size and depth, every number kept as the text it was written in."""

from __future__ import annotations

import json
import re
from typing import Any

from ingest.reading import Source

DEEPEST = 64
MOST_ITEMS = 5_000_000

_LOSABLE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_LOST = re.compile(
    r"(\\[^u]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def load_json(source: Source) -> Any:
    """The document; numbers come as text, so that ``15.0`` stays ``15.0`` and no number is too long to read.

    Raises
    ------
    BadFile : broken or cut off, nested too deeply, or of more than ``MOST_ITEMS`` items.
    """
    text = source.text
    if max(text.count(","), text.count("{") + text.count("[")) > MOST_ITEMS:
        raise source.bad(f"JSON of more than {MOST_ITEMS} items")
    try:
        document = json.loads(_without_lost(text), parse_float=str, parse_int=str, parse_constant=str)
    except json.JSONDecodeError as broken:
        raise source.bad(f"broken JSON ({broken.msg})", row=broken.lineno) from None
    except RecursionError:
        raise source.bad(f"JSON nested deeper than {DEEPEST}") from None
    if not _shallow(document):
        raise source.bad(f"JSON nested deeper than {DEEPEST}")
    return document


def _without_lost(text: str) -> str:
    """Escapes of a NUL and of half a surrogate pair, which no database stores, as the mark of a lost character."""
    return _LOST.sub(lambda match: match[1] or "\\ufffd", text) if _LOSABLE.search(text) else text


def _shallow(document: Any) -> bool:
    """Level by level, so that no depth is too deep to measure; what is deeper cannot be written out again either."""
    level: list[Any] = [[document]]
    for _ in range(DEEPEST + 1):
        level = [
            child for one in level for child in (one.values() if isinstance(one, dict) else one)
            if isinstance(child, dict | list)
        ]  # fmt: skip
        if not level:
            return True
    return False


def at(node: Any, *path: str | int) -> Any:
    """What stands at the end of a path of keys and places, or None where the path ends early."""
    for step in path:
        if isinstance(step, str):
            node = node.get(step) if isinstance(node, dict) else None
        else:
            node = node[step] if isinstance(node, list) and len(node) > step else None
    return node


def many(node: Any) -> list[Any]:
    """A list as it is, nothing as an empty one, and anything else as a list of one."""
    if node is None:
        return []
    return node if isinstance(node, list) else [node]


def text_of(node: Any) -> str:
    """A scalar as text, null as ``""``; an object or list as compact JSON."""
    if isinstance(node, str):
        return node.strip()
    if node is None:
        return ""
    if isinstance(node, bool):
        return "true" if node else "false"
    return json.dumps(node, separators=(",", ":"), ensure_ascii=False)
