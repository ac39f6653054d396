"""A set of standards that is not the law's own: ``FILE.toml``, beside it ``FILE.csv``, and ``FILE_indicators.csv``.

The last only where the set has indicator parameters.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from models.errors import BadLaw
from models.standards import Standards, read_indicators, read_standards


def open_standards(path: Path) -> Standards:
    """Read both files of a set.

    Raises
    ------
    BadLaw : one is missing, is no text, or breaks the schema.
    """
    if path.suffix != ".toml":
        raise BadLaw("a set of standards is named by its .toml file", file=path.name)
    found = read_standards(_text(path), _text(path.with_suffix(".csv")), name=path.stem)
    if found.header.indicators is None:
        return found
    beside = path.with_name(f"{path.stem}_indicators.csv")
    return replace(found, own_indicators=read_indicators(_text(beside), name=beside.name))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadLaw("no such file", file=path.name) from None
    except UnicodeDecodeError as caught:
        raise BadLaw(f"not UTF-8 text: {caught.reason}", file=path.name) from None
    except OSError as caught:
        raise BadLaw(f"cannot be read: {caught.strerror}", file=path.name) from None
